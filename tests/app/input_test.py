#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the program says about bad input, and what it refuses: input_test.py PICUS SOURCE_FOLDER"""
import os
import pathlib
import subprocess
import sys
import unittest

from in_folder import InFolder

PICUS, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2]).resolve()
PENDULUM = str(SOURCE / "models" / "pendulum.yaml")
VERBS = ("run", "check", "static", "modes", "info")


class WithPicus(InFolder):
    def picus(self, *arguments, code=2, where=""):
        done = subprocess.run([PICUS, *arguments], capture_output=True, check=False, timeout=60,
                              cwd=self.path(where))
        text = done.stdout.decode() + done.stderr.decode()
        self.assertEqual(done.returncode, code, (arguments, text))
        self.assertNotRegex(text, "[\x00-\x08\x0b-\x1f\x7f\u202e]")
        return text


class Strangers(WithPicus):
    def test_every_verb_keeps_a_model_in_its_folder(self):
        self.write("common.yaml", "picus: 1\nbodies: {ball: {type: point, mass: 1}}\n"
                   "forces: {s: {type: bushing, between: [ground, ball], stiffness: [1, 1, 1]}}\n")
        self.write("mine/model.yaml", "picus: 1\ninclude: ../common.yaml\n")
        for verb in VERBS:
            text = self.picus(verb, "mine/model.yaml")
            self.assertIn("model.yaml:2:10: 'include': '../common.yaml' leads out", text)
            self.picus(verb, "mine/model.yaml", "--allow-outside", code=0)

    def test_nothing_of_what_is_no_model_is_shown(self):
        self.write("secret.txt", "root:hunter2:0:0\n")
        os.symlink("../secret.txt", self.path(self.write("mine/x", "")).with_name("link.yaml"))
        for name in ("../secret.txt", "link.yaml", str(self.path("secret.txt")), "/etc/passwd"):
            model = self.write("mine/model.yaml", f"picus: 1\ninclude: ['{name}']\n")
            for more in ((), ("--allow-outside",)):
                text = self.picus("check", model, *more)
                self.assertNotIn("hunter2", text)
                self.assertNotIn("root:x", text)

    def test_escape_sequences_do_not_reach_the_terminal(self):
        evil = "\\e[2J\\e]0;x\\a\\u202e"
        for line in (f'name: "{evil}"', f'description: "{evil}"', f'"{evil}": 1',
                     f'bodies: {{"{evil}": {{type: point, mass: 1}}}}',
                     f'parameters: {{a: "{evil}"}}', f'run: {{integrator: "{evil}"}}'):
            model = self.write("evil.yaml", "picus: 1\n" + line + "\n")
            for verb in ("check", "info", "run"):
                self.picus(verb, model)
        self.picus("check", "no\x1b[2J.yaml")
        self.picus("check", PENDULUM, "--set", "a\x1b[2J=1")

    def test_pipes_and_devices_are_not_read(self):
        os.mkfifo(self.path("pipe.yaml"))
        self.assertIn("device or a pipe", self.picus("check", "pipe.yaml"))
        self.assertIn("device or a pipe", self.picus("run", "/dev/zero"))

    def test_a_million_warnings_are_counted(self):
        bodies = "".join(f"  b{i}: {{type: point, mass: 1}}\n" for i in range(20000))
        spare = "".join(f"  p{i}: 1\n" for i in range(20000))
        model = self.write("many.yaml",
                           f"picus: 1\nparameters:\n{spare}bodies:\n{bodies}")
        text = self.picus("check", model, code=0)
        self.assertLess(len(text), 20000)
        self.assertRegex(text, "20000 bodies have no joint, force or contact: b0, .* and 19980 more")
        self.assertRegex(text, "unused parameters: p0, .* and 19980 more")


class Messages(WithPicus):
    def test_options_suggest(self):
        text = self.picus("run", PENDULUM, "--endtime", "4")
        self.assertIn("unknown option '--endtime'; did you mean '--end'?", text)
        self.assertIn("did you mean '--tolerance'?", self.picus("run", PENDULUM, "--tolerence=1e-3"))
        self.assertIn("did you mean '--strict'?", self.picus("check", PENDULUM, "--stric"))
        for option in ("-t", "-t1e-7", "--tolerance", "--tolerance=1e-7"):
            self.assertIn("which is one of run; it takes such values from the model: --set "
                          "run.tolerance", self.picus("verify", PENDULUM, option, "1e-7"))
        self.assertIn("unknown option '-x' (picus run --help)", self.picus("run", PENDULUM, "-x"))
        self.assertIn("unknown integrator 'mreau'; did you mean 'moreau_jean'?",
                      self.picus("run", PENDULUM, "-i", "mreau"))

    def test_what_belongs_elsewhere(self):
        def complaint(text):
            return self.picus("check", self.write("wrong.yaml", f"picus: 1\ndimension: 2\n{text}"))

        self.assertIn("did you mean 'bodies'?", complaint("body: {a: {mass: 1}}\n"))
        for section in ("joints", "forces"):
            self.assertIn("bending beams have a section of their own",
                          complaint(f"{section}: {{a: {{type: beam}}}}\n"))
        self.assertIn("it is a force; move it to the section 'forces:'",
                      complaint("joints: {a: {type: spring_damper}}\n"))
        self.assertIn("it is a joint; move it to the section 'joints:'",
                      complaint("forces: {a: {type: revolute}}\n"))
        self.assertIn("it is a contact; move it to the section 'contacts:'",
                      complaint("forces: {a: {type: ball_on_plane}}\n"))
        self.assertIn("found '5' by itself after a comma",
                      complaint("bodies: {a: {mass: 2,5}}\n"))
        self.assertIn("a formula with commas needs quotes",
                      complaint("bodies: {a: {mass: max(1, 2)}}\n"))

    def test_overrides_are_quoted(self):
        self.assertIn("--set 'LL=2': unknown parameter 'LL'; did you mean 'L'?",
                      self.picus("run", PENDULUM, "--set", "LL=2"))

    def test_times_are_judged_before_the_run(self):
        self.assertIn("end_time: found -1 s, expected a time after the start",
                      self.picus("run", PENDULUM, "--set", "run.end_time=-1"))
        self.assertIn("picus: end_time: found 0 s", self.picus("run", PENDULUM, "-e", "0"))
        self.assertIn("longer than the whole run", self.picus("run", PENDULUM, "--step", "1e3"))
        self.assertIn("unknown integrator 'sio2'; did you mean 'soi2'?",
                      self.picus("run", PENDULUM, "--integrator", "sio2"))

    def test_files_that_are_none(self):
        self.assertIn("nothere.yaml: this file does not exist", self.picus("run", "nothere.yaml"))
        self.path("folder").mkdir()
        self.assertIn("folder: this file is a folder", self.picus("run", "folder"))

    def test_run_warns_as_check_does(self):
        model = self.write("odd.yaml", """picus: 1
dimension: 2
gravity: [0, -9810]
parameters: {spare: 1}
bodies: {rod: {mass: 1, inertia: 1, at: [1, 0]}}
joints: {pin: {type: revolute, between: [ground, rod], at: [0, 0]}}
forces: {s: {type: torsion_spring, between: [ground, rod], at: [0, 0], damping: -1}}
motions: {drive: {joint: pin, value: "max(0, time - 0.5)"}}
""")
        for verb in ("check", "run"):
            text = self.picus(verb, model, code=0)
            self.assertIn("odd.yaml:7:81: ", text)
            self.assertIn("damping: found -1; a negative value feeds energy", text)
            self.assertIn("is it in mm/s²?", text)
            self.assertIn("unused parameters: spare", text)
            self.assertRegex(text, r"odd.yaml:8:38: the rate of motion 'drive' jumps by 1 at t = 0.5")
        self.assertNotIn("warning", self.picus("run", model, "--quiet", code=0))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
