#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Figures, pages of two runs, and runs of a model that is edited: plots_test.py PICUS"""
import json
import re
import signal
import subprocess
import sys
import time
import unittest
import urllib.request
import xml.etree.ElementTree as ElementTree

from in_folder import InFolder

PICUS = sys.argv[1]
MODEL = """picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  rod: {mass: 2, shape: {type: rod, length: 1}, at: [0.5, 0]}
joints:
  pin: {type: revolute, between: [ground, rod], at: [0, 0]}
plots:
  - joints.pin.angle
  - [energy.kinetic, joints.pin.force.x]
  - {title: Phase portrait, x: joints.pin.angle, y: joints.pin.angle_rate}
run: {end_time: 0.5}
"""
SVG = "{http://www.w3.org/2000/svg}"


class WithPicus(InFolder):
    def picus(self, *arguments, code=0):
        done = subprocess.run([PICUS, *arguments], capture_output=True, text=True,
                              cwd=self.folder.name, check=False)
        self.assertEqual(done.returncode, code, (arguments, done.stdout, done.stderr))
        return done

    def make_result(self, text=MODEL, name="swing"):
        self.write(f"{name}.yaml", text)
        self.picus("run", f"{name}.yaml", "-q")

    def words_of(self, path):
        root = ElementTree.parse(self.path(path)).getroot()
        return ["".join(text.itertext()) for text in root.iter(f"{SVG}text")]


class Plot(WithPicus):
    def test_draws_channels_over_time_with_units(self):
        self.make_result()
        self.picus("plot", "swing.h5", "joints.*.angle", "bodies.rod.position.?", "-o", "a.svg")
        words = self.words_of("a.svg")
        for word in ("t [s]", "joints.pin.angle [rad]", "position [m]", "bodies.rod.position.y"):
            self.assertIn(word, words)

    def test_draws_the_plots_of_the_model_when_none_are_named(self):
        self.make_result()
        self.assertIn("swing.svg", self.picus("plot", "swing.h5").stdout)
        words = self.words_of("swing.svg")
        # different units have panels of their own
        for word in ("joints.pin.angle [rad]", "energy.kinetic [J]", "joints.pin.force.x [N]",
                     "Phase portrait", "joints.pin.angle_rate [rad/s]"):
            self.assertIn(word, words)

    def test_draws_over_another_channel_and_within_a_range(self):
        self.make_result()
        self.picus("plot", "swing.h5", "joints.pin.angle_rate", "--x", "joints.pin.angle",
                   "--from", "0.1", "--to", "0.2", "-o", "phase.svg")
        words = self.words_of("phase.svg")
        self.assertIn("joints.pin.angle [rad]", words)
        self.assertNotIn("t [s]", words)
        told = self.picus("plot", "swing.h5", "energy.total", "--from", "7", code=2).stderr
        self.assertIn("the run goes from 0 to 0.5 s", told)
        told = self.picus("plot", "swing.h5", "energy.total", "--x", "bodies", code=2).stderr
        self.assertIn("the abscissa is one channel", told)

    def test_unknown_channels_are_answered_with_the_nearest_name(self):
        self.make_result()
        told = self.picus("plot", "swing.h5", "joints.pn.angle", code=2).stderr
        self.assertIn("did you mean 'joints.pin.angle'?", told)

    def test_a_model_without_plots_says_what_to_name(self):
        self.make_result(re.sub(r"plots:.*(?=run:)", "", MODEL, flags=re.S))
        self.assertIn("joints.*.angle", self.picus("plot", "swing.h5", code=2).stderr)

    def test_long_runs_stay_small(self):
        self.make_result()
        self.picus("run", "swing.yaml", "-q", "--interval", "1e-5", "-o", "long.h5")
        self.picus("plot", "long.h5", "joints.pin.angle", "-o", "long.svg")
        self.assertLess(self.path("long.svg").stat().st_size, 200_000)

    def test_does_not_write_over_other_files(self):
        self.make_result()
        self.write("a.svg", "notes")
        self.assertIn("not overwritten", self.picus("plot", "swing.h5", "-o", "a.svg", code=2).stderr)
        self.assertIn("the extension .csv", self.picus("plot", "swing.h5", "-o", "a.csv", code=2).stderr)


class PlotsOfAModel(WithPicus):
    def test_unknown_channels_are_warned_about_with_their_place(self):
        model = self.write("odd.yaml", MODEL.replace("  - joints.pin.angle\n", "  - joints.pn.angle\n"))
        told = self.picus("check", model).stdout
        self.assertRegex(told, r"odd\.yaml:\d+:\d+: plots: .*did you mean 'joints\.pin\.angle'")

    def test_mistakes_have_their_place(self):
        model = self.write("bad.yaml", MODEL.replace("{title: Phase portrait, x", "{titel: Phase, x"))
        self.assertRegex(self.picus("check", model, code=2).stderr, r"bad\.yaml:11:.*'title'\?")
        model = self.write("bad.yaml", MODEL.replace("  - joints.pin.angle\n", "  - [[a]]\n"))
        self.assertRegex(self.picus("check", model, code=2).stderr, r"bad\.yaml:9:.*found a list")


class Report(WithPicus):
    def test_two_runs_are_in_one_page(self):
        self.make_result()
        self.picus("run", "swing.yaml", "-q", "--tolerance", "1e-3", "-o", "coarse.h5")
        self.picus("report", "swing.h5", "coarse.h5", "-o", "both.html")
        page = self.path("both.html").read_text()
        self.assertIn('id="data"', page)
        self.assertIn('data-name="coarse"', page)


class Watch(WithPicus):
    def setUp(self):
        super().setUp()
        self.model = self.path(self.write("swing.yaml", MODEL))
        self.process = subprocess.Popen([PICUS, "watch", "swing.yaml", "--no-browser"], text=True,
                                        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        cwd=self.folder.name)
        self.address = self.process.stdout.readline().strip()

    def tearDown(self):
        self.process.send_signal(signal.SIGINT)
        self.process.communicate(timeout=20)
        super().tearDown()

    def state(self):
        with urllib.request.urlopen(self.address + "state", timeout=20) as answer:
            return json.load(answer)

    def wait_for(self, is_wanted):
        end = time.monotonic() + 30
        while time.monotonic() < end:
            state = self.state()
            if is_wanted(state):
                return state
            time.sleep(0.05)
        self.fail(f"the last state was {state}")

    def test_runs_again_when_the_file_changes_and_tells_mistakes(self):
        first = self.wait_for(lambda s: s.get("complete"))
        self.assertGreater(first["samples"], 100)
        self.assertFalse(first["ends"])
        self.model.write_text(MODEL.replace("end_time: 0.5", "end_time: 0.7"))
        second = self.wait_for(lambda s: s["run"] > first["run"] and s.get("complete"))
        self.model.write_text(MODEL.replace("mass: 2", "mas: 2"))
        broken = self.wait_for(lambda s: s["trouble"])
        self.assertRegex(broken["trouble"], r"swing\.yaml:5:.*'mass'\?")
        self.assertEqual(broken["run"], second["run"])  # the last run stays
        self.model.write_text(MODEL)
        mended = self.wait_for(lambda s: s["run"] > second["run"] and s.get("complete"))
        self.assertEqual(mended["trouble"], "")


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
