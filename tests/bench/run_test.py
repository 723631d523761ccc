#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What bench/run.py makes of measurements that work, crash or print nonsense: run_test.py SOURCE_FOLDER

The measurements are stand-ins; those of bench/ are run by the test bench.smoke, where they are built.
"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

SOURCE = pathlib.Path(sys.argv[1])
GOOD = [{"name": "good", "title": "Good", "columns": ["method", "ms"], "rows": [["index3", "1.5"]]}]


def with_cell(cell):
    return [{**GOOD[0], "rows": [["index3", cell]]}]


class Run(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = pathlib.Path(scratch.name)

    def bench(self, name, tables=None, prints="", ends="exit 0"):
        """A stand-in for bench_NAME; it keeps its arguments."""
        lines = ["#!/bin/sh", f'echo "$@" > "{self.folder}/{name}.arguments"']
        if tables is not None:
            lines += ["cat > \"$2\" <<'END'", json.dumps(tables), "END"]
        lines += [f"echo '{prints}'", ends]
        path = self.folder / f"bench_{name}"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        path.chmod(0o755)

    def run_it(self, *words):
        return subprocess.run([sys.executable, SOURCE / "bench" / "run.py", self.folder, *words],
                              check=False, capture_output=True, text=True)

    def assert_fault(self, fragment, *words, code=1):
        run = self.run_it(*words)
        self.assertEqual(run.returncode, code, run.stdout + run.stderr)
        self.assertIn(fragment, run.stderr)

    def test_good_measurements_pass(self):
        self.bench("chain", GOOD, "information on infinite nanoseconds")
        for words in (["chain"], ["chain", "--smoke"]):
            run = self.run_it(*words)
            self.assertEqual(run.returncode, 0, run.stdout + run.stderr)
        self.assertTrue((self.folder / "chain.json").exists())
        self.assertTrue((self.folder / "smoke" / "chain.json").exists())

    def test_smoke_is_handed_on(self):
        self.bench("chain", GOOD)
        self.run_it("chain", "--smoke")
        self.assertIn("--smoke", (self.folder / "chain.arguments").read_text())
        self.run_it("chain")
        self.assertNotIn("--smoke", (self.folder / "chain.arguments").read_text())

    def test_a_crash_is_named_and_the_others_run(self):
        self.bench("chain", GOOD, ends="kill -SEGV $$")
        self.bench("expression", GOOD)
        for smoke in ([], ["--smoke"]):
            self.assert_fault("FAULT chain: ended by SIGSEGV", "chain", "expression", *smoke)
            self.assertTrue((self.folder / "expression.arguments").exists())
            (self.folder / "expression.arguments").unlink()

    def test_an_exit_code_is_a_fault(self):
        self.bench("chain", GOOD, ends="exit 3")
        self.assert_fault("ended with code 3", "chain", "--smoke")

    def test_numbers_that_are_none_are_faults(self):
        for cell in ("nan", "-nan", "inf", "≤ inf", "1.2 (nan)", "NaN"):
            with self.subTest(cell):
                self.bench("chain", with_cell(cell))
                self.assert_fault(f"table good, index3, ms: {cell}", "chain")
                self.assert_fault(f"table good, index3, ms: {cell}", "chain", "--smoke")
                self.bench("chain", GOOD, f"distance {cell}")
                self.assert_fault("prints: distance", "chain", "--smoke")

    def test_failed_rows_are_faults_of_smoke_runs_alone(self):
        # where engines are driven to their limits, that one fails is a result
        self.bench("chain", with_cell("failed at 0.1 s"))
        self.assertEqual(self.run_it("chain").returncode, 0)
        self.assert_fault("failed at 0.1 s", "chain", "--smoke")

    def test_nothing_is_a_fault(self):
        self.assert_fault("is not built", "chain")
        self.bench("chain")
        self.assert_fault("left no tables", "chain")
        self.bench("chain", [{**GOOD[0], "rows": []}])
        self.assert_fault("has no rows", "chain")
        self.bench("chain", [{**GOOD[0], "rows": [["index3"]]}])
        self.assert_fault("1 cells", "chain")

    def test_old_tables_do_not_count(self):
        self.bench("chain", GOOD)
        self.assertEqual(self.run_it("chain").returncode, 0)
        self.bench("chain")
        self.assert_fault("left no tables", "chain")

    def test_every_measurement_that_is_built_is_listed(self):
        built = re.findall(r"^picus_bench\((\w+)", (SOURCE / "bench" / "CMakeLists.txt").read_text(),
                           re.MULTILINE)
        listed = re.findall(r"^  (\w+)", self.run_it("?").stderr, re.MULTILINE)
        self.assertGreater(len(built), 10)
        self.assertEqual(set(built), set(listed) - {"work_precision"})

    def test_unknown_names_and_contradictions(self):
        self.assert_fault("unknown measurement 'chian'", "chian", code=2)
        self.assert_fault("measurements:", "--docs", "--smoke", code=2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
