#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What is installed: install_test.py PICUS BUILD_FOLDER SOURCE_FOLDER

`cmake --install` into a folder, manual pages, completion, './dev uninstall'; the Debian packages of
cpack, unpacked by dpkg-deb and run from there, and for root installed into a root of their own by
dpkg and removed again.
"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PICUS, BUILD, SOURCE = (pathlib.Path(a).resolve() for a in sys.argv[1:4])


def run(*command, code=0, **options):
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          check=False, **options)
    if code is not None and done.returncode != code:
        raise AssertionError(f"{command}: {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout + done.stderr


def files_in(folder):
    return sorted(path for path in folder.rglob("*") if not path.is_dir())


def verbs():
    listing = run(PICUS, "completion", "words", "--", "")
    return [line.split("\t")[0] for line in listing.splitlines() if not line.startswith("-")]


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.prefix = pathlib.Path(cls.folder.name) / "prefix"
        run("cmake", "--install", BUILD, "--prefix", cls.prefix)
        shutil.copy(BUILD / "install_manifest.txt", cls.prefix / "share/picus/installed-files")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_the_program_runs_from_there(self):
        self.assertEqual(run(self.prefix / "bin/picus", "--version"), run(PICUS, "--version"))
        self.assertIn("the model can run", run(self.prefix / "bin/picus", "check",
                                         self.prefix / "share/picus/models/pendulum.yaml"))

    def test_every_verb_has_a_manual_page_with_every_option(self):
        pages = self.prefix / "share/man/man1"
        self.assertEqual(sorted(path.name for path in pages.iterdir()),
                         sorted(["picus.1", *(f"picus-{verb}.1" for verb in verbs())]))
        for verb in verbs():
            text = (pages / f"picus-{verb}.1").read_text("utf-8").replace("\\-", "-")
            for option in re.findall(r"(?<![\w-])--[a-z][a-z-]+", run(PICUS, verb, "--help")):
                self.assertIn(option, text, verb)
            self.assertIn(f"picus-{verb}", (pages / "picus.1").read_text("utf-8").replace("\\-", "-"))

    def test_man_shows_the_pages_without_complaint(self):
        if shutil.which("man") is None or shutil.which("groff") is None:
            self.skipTest("no man")
        for page in (self.prefix / "share/man/man1").iterdir():
            shown = run("man", "--warnings=w", "-l", "-E", "UTF-8", page,
                        env=dict(os.environ, MANPAGER="cat", LC_ALL="C.UTF-8", MANWIDTH="80"))
            self.assertNotIn("warning", shown.split("NAME")[0])
            self.assertIn("SYNOPSIS", shown)

    def complete(self, *words):
        """What bash makes of the words, by the file that is installed."""
        script = self.prefix / "share/bash-completion/completions/picus"
        quoted = " ".join(f"'{word}'" for word in words)
        return run("bash", "-c", f"source {script}; COMP_WORDS=({quoted}); "
                   f"COMP_CWORD={len(words) - 1}; _picus; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
                   cwd=self.folder.name,
                   env=dict(os.environ, PATH=f"{self.prefix / 'bin'}:{os.environ['PATH']}")).split()

    def test_bash_completes_words_and_values(self):
        here = pathlib.Path(self.folder.name)
        run(PICUS, "new", "swing", cwd=here)
        run(PICUS, "run", "swing.yaml", "-q", cwd=here)
        for words, expected in (
            (["che"], ["check"]),
            (["run", "--tol"], ["--tolerance"]),
            (["run", "sw"], ["swing.yaml"]),
            (["export", "sw"], ["swing.h5"]),
            (["info", "sw"], ["swing.yaml", "swing.h5"]),
            (["run", "swing.yaml", "-i", "half"], ["half_explicit"]),
            (["run", "swing.yaml", "--integrator", "au"], ["auto"]),
            (["run", "swing.yaml", "--audit", "w"], ["warn"]),
            (["run", "swing.yaml", "--set", ""], ["L=", "m="]),
            (["run", "swing.yaml", "-i", "soi2", "--option", "rh"], ["rho="]),
            (["export", "swing.h5", "-c", "joints.pin.angle"],
             ["joints.pin.angle", "joints.pin.angle_rate"]),
            (["export", "swing.h5", "-c", "energy.total", "energy.k"], ["energy.kinetic"]),
            (["new", "x", "--template", "mo"], ["motor"]),
            (["list", "contact_"], ["contact_solvers"]),
            (["list", "contact_solvers", "lem"], ["lemke"]),
            (["reproduce", "soi2-o"], ["soi2-order"]),
            (["reproduce", "all", "hht-b"], ["hht-belt"]),
            (["completion", "z"], ["zsh"]),
            (["manual", "verif"], ["verify"]),
            (["check", "swing.yaml", ""], []),
            (["frobnicate", ""], []),
        ):
            self.assertEqual(self.complete("picus", *words), expected, words)

    def test_zsh_and_fish_read_their_scripts(self):
        for shell, script in (("zsh", "share/zsh/site-functions/_picus"),
                              ("fish", "share/fish/vendor_completions.d/picus.fish")):
            self.assertTrue((self.prefix / script).is_file())
            if shutil.which(shell) is not None:
                self.assertEqual(run(shell, "-n", self.prefix / script), "")
        if shutil.which("fish") is not None:
            offered = run("fish", "-c", f"source {self.prefix / 'share/fish/vendor_completions.d/picus.fish'};"
                          " complete -C 'picus new x -t mo'",
                          env=dict(os.environ, HOME=self.folder.name,
                                   PATH=f"{self.prefix / 'bin'}:{os.environ['PATH']}"))
            self.assertIn("motor", offered)

    def test_uninstall_leaves_nothing(self):
        other = pathlib.Path(self.folder.name) / "other"
        run("cmake", "--install", BUILD, "--prefix", other)
        shutil.copy(BUILD / "install_manifest.txt", other / "share/picus/installed-files")
        (other / "bin" / "mine").write_text("stays")
        run(SOURCE / "dev", "uninstall", other)
        self.assertEqual(files_in(other), [other / "bin" / "mine"])
        self.assertIn("expected a prefix", run(SOURCE / "dev", "uninstall", other, code=1))


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if shutil.which("dpkg-deb") is None or shutil.which("dpkg-shlibdeps") is None:
            raise unittest.SkipTest("no dpkg")
        cls.folder = tempfile.TemporaryDirectory()
        cls.here = pathlib.Path(cls.folder.name)
        run("cpack", "-G", "DEB", "-B", cls.here / "packages", "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=gzip",
            cwd=BUILD)
        found = sorted((cls.here / "packages").glob("*.deb"))
        cls.library, cls.program = found
        assert cls.program.name.startswith("picus_") and cls.library.name.startswith("libpicus-dev_")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_the_unpacked_program_runs(self):
        tree = self.here / "tree"
        run("dpkg-deb", "-x", self.program, tree)
        self.assertEqual(run(tree / "usr/bin/picus", "--version"), run(PICUS, "--version"))
        self.assertTrue((tree / "usr/share/man/man1/picus-run.1").is_file())
        self.assertFalse((tree / "usr/include").exists())
        fields = run("dpkg-deb", "-f", self.program)
        self.assertRegex(fields, r"\nDepends: .*libhdf5")
        self.assertRegex(fields, r"Package: picus\n")

    def test_the_library_is_a_package_of_its_own(self):
        contents = run("dpkg-deb", "-c", self.library)
        self.assertIn("usr/include/picus/picus.h", contents)
        self.assertRegex(contents, r"usr/lib.*/cmake/picus/picusConfig.cmake")
        self.assertNotIn("usr/bin", contents)
        self.assertRegex(run("dpkg-deb", "-f", self.library), r"\nDepends: .*libeigen3-dev")

    def test_dpkg_installs_and_removes_them(self):
        if os.geteuid() != 0:
            self.skipTest("not root")
        root = self.here / "root"
        for part in ("info", "updates", "triggers"):
            (root / "var/lib/dpkg" / part).mkdir(parents=True)
        (root / "var/lib/dpkg/status").touch()
        dpkg = ["dpkg", f"--root={root}", "--force-depends"]
        run(*dpkg, "-i", self.program, self.library)
        self.assertEqual(run(root / "usr/bin/picus", "--version"), run(PICUS, "--version"))
        run(*dpkg, "--purge", "picus", "libpicus-dev")
        self.assertEqual([path for path in files_in(root) if "var/" not in str(path)], [])


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
