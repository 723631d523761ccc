# SPDX-License-Identifier: BSD-3-Clause
"""What tests of the program share: a folder of its own for each."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest


def python_with(*modules):
    """A Python that has these modules, or None: the one of the tests or that of the system."""
    for python in (sys.executable, "/usr/bin/python3"):
        if shutil.which(python) and subprocess.run(
                [python, "-c", "import " + ", ".join(modules)], check=False,
                capture_output=True).returncode == 0:
            return python
    return None


class InFolder(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def path(self, name):
        return pathlib.Path(self.folder.name) / name

    def write(self, name, text):
        self.path(name).parent.mkdir(exist_ok=True)
        self.path(name).write_text(text, encoding="utf-8")
        return name

    def with_modules(self, modules, text):
        """What a Python program prints that needs these modules; skips the test without them."""
        python = python_with(*modules)
        if python is None:
            self.skipTest("not installed: " + ", ".join(f"python3-{m.lower()}" for m in modules))
        done = subprocess.run([python, "-c", text], capture_output=True, text=True,
                              cwd=self.folder.name, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout
