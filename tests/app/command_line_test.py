#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Exit codes and messages of the command line: command_line_test.py PICUS STUDY..."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

PICUS, STUDIES = sys.argv[1], sys.argv[2:]


def picus(*arguments, cwd=None):
    return subprocess.run([PICUS, *arguments], capture_output=True, text=True, cwd=cwd, check=False)


class CommandLine(unittest.TestCase):
    def test_version_names_the_program(self):
        done = picus("--version")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stdout, r"^picus \d+\.\d+\.\d+( \([-\w.+]+\))?\n$")

    def test_help_everywhere_has_examples(self):
        for verb in ([], ["list"], ["list", "integrators"], ["list", "studies"], ["reproduce"]):
            done = picus(*verb, "--help")
            self.assertEqual(done.returncode, 0, verb)
            self.assertIn("Example", done.stdout, verb)
        self.assertIn("Exit codes", picus("--help").stdout)

    def test_integrators_are_listed_with_their_options(self):
        self.assertIn("stabilized_index1", picus("list", "integrators").stdout)
        options = picus("list", "integrators", "soi2")
        self.assertEqual(options.returncode, 0)
        for word in ("rho", "0.8", "previous_mass", "newton_tolerance"):
            self.assertIn(word, options.stdout)

    def test_every_study_of_the_catalog_has_its_test(self):
        for listing in (picus("list", "studies"), picus("reproduce", "--list")):
            self.assertEqual(listing.returncode, 0)
            ids = [line.split()[0] for line in listing.stdout.splitlines()]
            self.assertEqual(ids, STUDIES)

    def test_bad_usage_is_code_2_with_a_suggestion(self):
        for arguments, message in (
            (["reproduce", "soi2-ordre"], "did you mean 'soi2-order'?"),
            (["list", "steppers", "hht-i3"], "unknown integrator 'hht-i3'; did you mean 'hht_i3'?"),
            (["reproduce"], "no study given"),
            (["reproduce", "soi2-order", "--oot", "x"], "--oot"),
            (["frobnicate"], "unknown command 'frobnicate'; expected one of: run, verify, check, static"),
            (["list", "integratos"], "did you mean 'integrators'?"),
        ):
            done = picus(*arguments)
            self.assertEqual(done.returncode, 2, (arguments, done.stderr))
            self.assertIn(message, done.stderr)

    def test_an_unknown_study_is_found_before_any_runs(self):
        with tempfile.TemporaryDirectory() as folder:
            done = picus("reproduce", "pendulum-disturbed", "nonsense", cwd=folder)
            self.assertEqual(done.returncode, 2)
            self.assertEqual(list(pathlib.Path(folder).iterdir()), [])

    def test_results_go_to_the_default_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            done = picus("reproduce", "pendulum-disturbed", cwd=folder)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertIn(" ok\n", done.stdout)
            self.assertNotIn("\033", done.stdout + done.stderr)
            summary = pathlib.Path(folder) / "picus-results" / "pendulum-disturbed" / "summary.json"
            self.assertTrue(summary.is_file())

    def test_a_folder_that_cannot_be_written_is_code_4(self):
        with tempfile.NamedTemporaryFile() as file:
            done = picus("reproduce", "pendulum-disturbed", "--out", file.name)
            self.assertEqual(done.returncode, 4)
            self.assertIn("cannot make the folder", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
