# SPDX-License-Identifier: BSD-3-Clause
"""What tests of the program share: a folder of its own for each."""
import pathlib
import tempfile
import unittest


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
