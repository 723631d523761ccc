#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""The tutorial does what it says: tutorial_test.py PICUS SOURCE_FOLDER

Runs the commands of docs/tutorial.md, in order, in a folder of their own, and compares the numbers
in what they print with those on the page. Models and scripts are the blocks above the command that
names them. On the page

  …            stands for anything, to the end of a line, or for lines left out
  -22.49587…   is a number of which these digits count: it must agree to one unit of the last of
               them, and still do so when the run is made with a tenth of its tolerance

Other numbers agree to 1e-6 of their size. Counts of steps and the like, times on the clock and
rounding are not compared, nor is wording.
"""
import math
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

PICUS, SOURCE = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]).resolve()
NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?:e[-+]?\d+)?…?(?![\w]|\.\d)")
# what depends on the machine, on the last digit, or on how a method goes about it
VOLATILE = re.compile(r"\d+ (?:steps?|rejected|Newton|factori|restart|event|start|policy|iterations)"
                      r"|steps from .*|residual .*|factorizations by cause.*|with h = .*|h_min = \S+"
                      r"|in \d+ iterations|explicit methods need.*|up to \d+ laws")
RUN = re.compile(r"picus run .*")


class Block:
    """A fenced block of the page: its kind, its lines, where it begins."""

    def __init__(self, kind, line):
        self.kind, self.line, self.lines = kind, line, []

    def text(self):
        return "\n".join(self.lines) + "\n"


def blocks_of(page):
    blocks, inside = [], None
    for number, line in enumerate(page.splitlines(), 1):
        if line.startswith("```"):
            if inside is None:
                inside = Block(line[3:], number + 1)
                blocks.append(inside)
            else:
                inside = None
        elif inside is not None:
            inside.lines.append(line)
    return blocks


def commands_of(block):
    """Pairs of a command and the lines it is said to print."""
    pairs = []
    for line in block.lines:
        if line.startswith("$ "):
            pairs.append((line[2:], []))
        elif pairs:
            pairs[-1][1].append(line)
    return pairs


def numbers_in(text):
    return NUMBER.findall(VOLATILE.sub(" ", text))


def skeleton(text):
    return re.sub(r"\s+", " ", NUMBER.sub("#", text)).strip()


def agree(expected, actual):
    """Whether a printed number is the one of the page."""
    if expected.endswith("…"):
        digits = expected[:-1]
        mantissa = digits.split("e")[0]
        decimals = len(mantissa.split(".")[1]) if "." in mantissa else 0
        unit = 10.0 ** -decimals * (10.0 ** int(digits.split("e")[1]) if "e" in digits else 1.0)
        return abs(float(actual.rstrip("…")) - float(digits)) <= 1.01 * unit
    want, got = float(expected), float(actual)
    if abs(want) < 1e-9:
        return abs(got) < 1e-9  # rounding, or nothing
    significant = len(re.sub(r"e.*|[-.]|^-?0\.0*", "", expected))
    # a number of one or two digits is an order of magnitude
    allowed = 2.0 if significant <= 2 and "e" in expected else 0.5
    if significant > 2:
        allowed = max(1e-6, 1.01 * 10.0 ** (1 - significant))
    if "e" not in expected and "." not in expected:
        allowed = 1e-6
    return math.isclose(want, got, rel_tol=allowed)


class Tutorial(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.page = (SOURCE / "docs" / "tutorial.md").read_text(encoding="utf-8")
        cls.folder = tempfile.TemporaryDirectory()
        cls.here = pathlib.Path(cls.folder.name)
        shutil.copytree(SOURCE / "models", cls.here / "models")
        (cls.here / "bin").mkdir()
        (cls.here / "bin" / "picus").symlink_to(PICUS)
        cls.environment = dict(os.environ, NO_COLOR="1",
                               PATH=f"{cls.here / 'bin'}:{os.environ['PATH']}")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def shell(self, command):
        done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, cwd=self.here,
                              env=self.environment, timeout=300, check=False)
        return done.stderr + done.stdout  # as a pipe shows them

    def compare(self, command, expected, printed, where):
        """Every line of the page that has numbers is found among those printed, in order."""
        lines, at = printed.splitlines(), 0
        for line in expected:
            shown = re.sub(r"\d+ $", "", re.split(r"(?<![\d])…", line)[0])
            wanted = numbers_in(shown)
            if not wanted:
                continue
            for here in range(at, len(lines)):
                got = numbers_in(lines[here])[:len(wanted)]
                if len(got) == len(wanted) and all(map(agree, wanted, got)):
                    at = here + 1
                    break
            else:
                self.fail(f"{where}: '{command}' does not print the numbers of '{line}':\n{printed}")

    def lets_import_h5py(self, python):
        """And makes it the python3 of the page."""
        if subprocess.run([python, "-c", "import h5py"], check=False, env=self.environment,
                          capture_output=True).returncode != 0:
            return False
        link = self.here / "bin" / "python3"
        if python != "python3" and not link.exists():
            link.symlink_to(python)
        return True

    def test_every_command_prints_what_stands_below_it(self):
        model = script = None
        finer = {}  # file -> the command that makes it with a tenth of the tolerance
        compared = 0
        has_h5py = any(map(self.lets_import_h5py, ("python3", "/usr/bin/python3")))
        for block in blocks_of(self.page):
            where = f"tutorial.md:{block.line}"
            if block.kind == "yaml" or (block.kind == "" and block.lines[0] == "picus: 1"):
                model = block
            elif block.kind == "python":
                script = block
            for command, expected in commands_of(block):
                for name in re.findall(r"(?<![\w/])\w+\.yaml", command):
                    if model is not None and (model.line > 60 or not (self.here / name).exists()):
                        (self.here / name).write_text(model.text(), encoding="utf-8")
                        model = None
                if command.startswith("python3 ") and script is not None:
                    (self.here / command.split()[1]).write_text(script.text(), encoding="utf-8")
                    script = None
                with self.subTest(command=command):
                    if command.startswith("python3 ") and not has_h5py:
                        self.skipTest("no h5py")
                    printed = self.shell(command)
                    self.assertNotIn("internal error", printed)
                    self.compare(command, expected, printed, where)
                    compared += sum(len(numbers_in(line)) for line in expected)
                    if RUN.match(command):
                        self.remember(command, finer)
                    self.check_converged(command, expected, finer, where)
        self.assertGreater(compared, 60)

    def remember(self, command, finer):
        result = re.search(r"-o (\S+)", command)
        name = result.group(1) if result else re.search(r"(\w+)\.yaml", command).group(1) + ".h5"
        model = (self.here / re.search(r"[\w/]+\.yaml", command).group(0)).read_text("utf-8")
        asked = re.search(r"-t 1e-(\d+)", command) or re.search(r"tolerance: 1e-(\d+)", model)
        tenth = int(asked.group(1)) + 1 if asked else 6  # the default is 1e-5
        finer[name] = (re.sub(r" -(o \S+|t 1e-\d+)", "", command) +
                       f" -t 1e-{tenth} -o finer_{name}")

    def check_converged(self, command, expected, finer, where):
        if not any(re.search(r"\d…", line) for line in expected):
            return
        files = re.findall(r"[\w-]+\.h5", command)
        if not files or files[0] not in finer:
            return
        self.shell(finer[files[0]])
        again = self.shell(command.replace(files[0], "finer_" + files[0]))
        self.compare(command + " (a tenth of the tolerance)", expected, again, where)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
