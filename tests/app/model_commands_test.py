#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Verbs that work on models and results: model_commands_test.py PICUS SOURCE_FOLDER"""
import json
import os
import pathlib
import signal
import subprocess
import sys
import time
import unittest

from in_folder import InFolder

PICUS, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
PENDULUM = str(SOURCE / "models" / "pendulum.yaml")
VERBS = ("run", "verify", "check", "static", "modes", "info", "report", "plot", "view", "watch",
         "export", "new", "list", "schema", "reference", "reproduce", "completion")


class WithPicus(InFolder):
    def picus(self, *arguments, code=0):
        done = subprocess.run([PICUS, *arguments], capture_output=True, text=True,
                              cwd=self.folder.name, check=False)
        self.assertEqual(done.returncode, code, (arguments, done.stdout, done.stderr))
        self.assertNotIn("\033", done.stdout + done.stderr)  # no terminal, no colours
        return done


class Check(WithPicus):
    def test_a_good_model_passes(self):
        done = self.picus("check", PENDULUM, "--strict")
        self.assertIn("degrees of freedom            1\n", done.stdout)
        self.assertIn("the model can run", done.stdout)

    def test_json_has_the_numbers(self):
        facts = json.loads(self.picus("check", PENDULUM, "--json", "--set", "L=2").stdout)
        self.assertTrue(facts["usable"])
        self.assertEqual(facts["position_freedoms"], 1)
        self.assertEqual(facts["equations"]["constraints"], 2)
        self.assertAlmostEqual(facts["largest_acceleration"]["value"], 0.75 * 9.81)

    def test_warnings_fail_only_when_strict(self):
        model = self.write("odd.yaml", "picus: 1\nparameters: {spare: 1}\n"
                           "bodies: {ball: {type: point, mass: 1}}\n")
        self.assertIn("spare", self.picus("check", model).stdout)
        self.picus("check", model, "--strict", code=1)

    def test_mistakes_in_the_file_are_code_2_with_their_place(self):
        model = self.write("bad.yaml", "picus: 1\nbodies: {ball: {type: point, mas: 1}}\n")
        self.assertRegex(self.picus("check", model, code=2).stderr, r"bad\.yaml:2:.*'mass'\?")


class Run(WithPicus):
    def test_result_has_scene_summary_and_samples(self):
        self.picus("run", PENDULUM, "--end", "1")
        told = self.picus("info", "pendulum.h5").stdout
        for word in ("pendulum", "501, t = 0 to 1 s", "reached the end time", "bodies/position"):
            self.assertIn(word, told)
        self.assertRegex(told, r"\nsteps +\d+, \d+ rejected\n")
        self.assertNotIn("active_set_cycles", told)
        told = self.picus("info", "pendulum.h5", "-v").stdout
        self.assertRegex(told, r"\nscene +yes\n")
        self.assertIn("active_set_cycles", told)
        self.assertIn("joints.pin.angle", self.picus("info", "pendulum.h5", "--channels").stdout)

    def test_a_run_that_breaks_its_laws_fails_and_keeps_its_result(self):
        model = self.write("drift.yaml", """picus: 1
dimension: 2
gravity: [0, -9.81]
bodies:
  rod: {mass: 3, shape: {type: rod, length: 2}, at: [1, 0]}
joints:
  pin: {type: revolute, between: [ground, rod], at: [0, 0]}
run: {end_time: 3, integrator: moreau_jean, step: 0.1, options: {positions: none}}
""")
        failed = self.picus("run", model, code=1)
        self.assertRegex(failed.stderr, r"t = [\d.]+ s: pin\.[xy] is open by")
        self.assertRegex(failed.stderr, r"what to try: .*nonsmooth_pva")
        self.assertRegex(failed.stdout, r"audit: red")
        self.assertRegex(self.picus("info", "drift.h5").stdout, r"\naudit +red, t = .*pin")
        warned = self.picus("run", model, "--audit", "warn")
        self.assertRegex(warned.stderr, r"warning: audit: .*pin\.[xy] is open")
        silent = self.picus("run", model, "--audit", "off")
        self.assertNotIn("pin", silent.stderr + silent.stdout)
        self.assertNotIn("audit", self.picus("info", "drift.h5").stdout.split("quantity")[0])
        self.assertIn("fail, warn", self.picus("run", model, "--audit", "on", code=2).stderr)
        told = self.picus("run", PENDULUM, "--end", "1").stdout
        # one line for users, the rest with -v
        self.assertRegex(told, r"^simulated 1 s in \d+ steps, tolerance 1e-\d+, energy drift \S+, "
                               r"audit: green; result in pendulum\.h5\n$")

    def test_short_runs_do_not_chatter(self):
        self.assertNotIn("%", self.picus("run", PENDULUM, "--end", "1").stderr)
        quiet = self.picus("run", PENDULUM, "--end", "1", "--quiet")
        self.assertEqual(quiet.stdout + quiet.stderr, "")

    def test_verbose_tells_steps_and_factorisations(self):
        told = self.picus("run", PENDULUM, "--end", "1", "-v").stdout
        self.assertRegex(told, r"steps from .* to .* s, mean")
        self.assertRegex(told, r"factorizations by cause: \d+ start")
        self.assertIn("restarts at jumps: 0", told)

    def test_unknown_names_suggest(self):
        done = self.picus("run", PENDULUM, "--set", "bodies.rodd.mass=2", code=2)
        self.assertIn("rod", done.stderr)
        done = self.picus("run", PENDULUM, "--set", "l=2", code=2)
        self.assertIn("unknown parameter 'l'; did you mean 'L'?", done.stderr)
        done = self.picus("run", PENDULUM, "--integrator", "hht-i3", code=2)
        self.assertIn("did you mean 'hht_i3'?", done.stderr)

    def test_a_failing_run_keeps_its_samples_and_says_what_to_try(self):
        model = self.write("burst.yaml", """picus: 1
bodies: {ball: {type: point, mass: 1, at: [1, 0, 0]}}
forces:
  push: {type: force, body: ball, force: ["1/sqrt(0.5 - time)", 0, 0]}
run: {end_time: 1}
""")
        done = self.picus("run", model, code=1)
        self.assertRegex(done.stderr, r"force 'push': the formula '1/sqrt\(0\.5 - time\)'.*t = 0\.[45]")
        self.assertIn("what to try", done.stderr)
        told = self.picus("info", "burst.h5").stdout
        self.assertRegex(told, r"\nmessage +.*1/sqrt")
        self.assertIn("failure", told)
        self.assertRegex(self.picus("info", "burst.h5", "-v").stdout, r"\nok +false\n")
        rows = self.picus("export", "burst.h5", "--csv", "-").stdout.splitlines()
        self.assertGreater(len(rows), 100)

    def test_jumps_are_logged_as_events(self):
        model = self.write("kick.yaml", """picus: 1
bodies: {ball: {type: point, mass: 1, at: [1, 0, 0]}}
forces:
  push: {type: force, body: ball, force: ["if(time > 0.3, 5, 1)", 0, 0]}
run: {end_time: 1}
""")
        self.assertIn("1 restart at jumps", self.picus("run", model, "-v").stdout)
        self.assertRegex(self.picus("info", "kick.h5").stdout, r"t = 0\.3\d* s  restart: formula .if")

    def test_interrupt_ends_cleanly(self):
        process = subprocess.Popen(
            [PICUS, "run", PENDULUM, "--end", "1e5", "--interval", "1"], cwd=self.folder.name,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        deadline = time.monotonic() + 30
        while not self.path("pendulum.h5").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        time.sleep(0.5)
        process.send_signal(signal.SIGINT)
        output, _ = process.communicate(timeout=30)
        self.assertEqual(process.returncode, 130)
        self.assertIn(b"stopped", output)
        self.assertRegex(self.picus("info", "pendulum.h5").stdout, r"\nending +stopped\n")


class Verify(WithPicus):
    SPRING = ("picus: 1\ndimension: 2\nparameters: {k: 9}\n"
              "bodies: {ball: {type: point, mass: 1, at: [1, 0]}}\n"
              "forces: {spring: {type: force, body: ball, force: [-k*ball.x, 0]}}\n"
              "run: {end_time: 3, tolerance: 1e-6}\n")

    def test_a_model_gets_an_error_for_every_channel(self):
        model = self.write("spring.yaml", self.SPRING)
        done = self.picus("verify", model)
        self.assertRegex(done.stdout,
                         r"bodies\.ball\.position\.x: .* error \de-\d+ m .*quote \d+ digits")
        self.assertIn("radau_iia", done.stdout)
        self.assertFalse(self.path("spring.h5").exists())

    def test_a_result_is_verified_as_it_was_run(self):
        model = self.write("spring.yaml", self.SPRING)
        self.picus("run", model, "--set", "k=4", "-i", "newmark", "--step", "2e-3", "-e", "2")
        self.path("spring.yaml").unlink()
        done = self.picus("verify", "spring.h5", "--channels", "bodies.ball.position.x")
        self.assertIn("newmark, step 0.002 s (the run itself)", done.stdout)
        self.assertIn("agrees with the same run", done.stdout)
        found = json.loads(self.picus("verify", "spring.h5", "--json").stdout)
        self.assertTrue(found["ok"])
        errors = {c["channel"]: c["error"] for c in found["channels"]}
        # x = cos 2t, and the trapezoidal rule is late by (2h)²/12 of the time
        late = (2 * 2e-3) ** 2 / 12
        self.assertAlmostEqual(errors["bodies.ball.position.x"] / (4 * late * 0.94), 1, delta=0.3)
        self.picus("verify", "spring.h5", "--set", "k=4", code=2)

    def test_a_run_verifies_itself(self):
        model = self.write("spring.yaml", self.SPRING)
        done = self.picus("run", model, "--verify")
        self.assertIn("result in spring.h5", done.stdout)
        self.assertIn("observed errors", done.stdout)

    def test_no_digits_left_is_code_1(self):
        done = self.picus("verify", str(SOURCE / "models" / "double_pendulum.yaml"),
                          "--one-method", "--set", "run.end_time=60", "--set", "run.tolerance=1e-4",
                          code=1)
        self.assertIn("unrelated", done.stdout)
        self.assertIn("no correct digit", done.stderr)

    def test_bad_wishes_are_code_2(self):
        model = self.write("spring.yaml", self.SPRING)
        self.picus("verify", "missing.h5", code=2)
        self.assertIn("bodies.ball", self.picus("verify", model, "-c", "bodies.bell.position.x",
                                                code=2).stderr)


class Results(WithPicus):
    def test_csv_takes_channels_and_every_nth_sample(self):
        self.picus("run", PENDULUM, "--end", "1", "-o", "p.h5")
        done = self.picus("export", "p.h5", "--csv", "-", "--channels", "energy.*", "--every", "100")
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0],
                         "time [s],energy.kinetic [J],energy.potential [J],energy.total [J]")
        self.assertEqual(len(lines), 7)
        self.picus("export", "p.h5", "--csv", "t.csv", "--vtk", "frames", "--every", "250")
        self.assertTrue(self.path("t.csv").is_file())
        self.assertTrue(self.path("frames/run.pvd").is_file())
        self.assertTrue(self.path("frames/run_surfaces_000000.vtp").is_file())

    def test_bad_choices_are_code_2_and_write_nothing(self):
        self.picus("run", PENDULUM, "--end", "1", "-o", "p.h5")
        self.assertIn("nothing to do", self.picus("export", "p.h5", code=2).stderr)
        self.picus("export", "p.h5", "--csv", "t.csv", "--channels", "energie.*", code=2)
        self.assertFalse(self.path("t.csv").exists())
        self.picus("export", PENDULUM, "--csv", "-", code=2)


class Pages(WithPicus):
    def setUp(self):
        super().setUp()
        self.picus("run", PENDULUM, "--end", "1", "-o", "p.h5")
        done = subprocess.run([PICUS, "report", "p.h5"], capture_output=True, text=True,
                              cwd=self.folder.name, check=False)
        if "Node.js" in done.stderr:
            self.skipTest("this program was built without pages")

    def test_a_page_is_one_file_with_its_data(self):
        page = self.path("p.html").read_text(encoding="utf-8")
        self.assertIn('<script id="data"', page)
        self.assertIn("<title>pendulum", page)
        self.assertNotIn("<!--picus:", page)
        self.assertNotIn('src="http', page)

    def test_run_writes_it_beside_the_result(self):
        self.picus("run", PENDULUM, "--end", "1", "-o", "q.h5", "--report")
        self.assertTrue(self.path("q.html").is_file())
        self.picus("run", PENDULUM, "--report", "--no-output", code=2)

    def test_bad_wishes_are_code_2(self):
        for wish, word in ((("--snapshot", "soon"), "expected a number"),
                           (("--film", "3:1"), "after the beginning"),
                           (("--film", "all", "-o", "p.avi"), ".webm or .gif"),
                           (("--snapshot", "0", "--size", "7x7"), "pixels")):
            self.assertIn(word, self.picus("report", "p.h5", *wish, code=2).stderr)
        self.assertIn("does not exist", self.picus("view", "none.h5", code=2).stderr)

    def test_a_missing_browser_is_named(self):
        done = subprocess.run([PICUS, "report", "p.h5", "--snapshot", "0"], capture_output=True,
                              text=True, cwd=self.folder.name, check=False,
                              env={"PATH": self.folder.name})
        self.assertEqual(done.returncode, 2)
        self.assertIn("pictures need Chromium", done.stderr)


class Linear(WithPicus):
    def test_static_prints_positions_and_reactions(self):
        facts = json.loads(self.picus("static", PENDULUM, "--json", "-o", "rest.json").stdout)
        self.assertAlmostEqual(facts["bodies"]["rod"]["position"][1], -0.5)
        self.assertAlmostEqual(facts["joints"]["pin"]["force"][1], 2 * 9.81)
        self.assertEqual(json.loads(self.path("rest.json").read_text()), facts)
        self.assertIn("residual", self.picus("static", PENDULUM).stdout)

    def test_static_fails_honestly(self):
        model = self.write("fall.yaml", "picus: 1\ngravity: [0, 0, -9.81]\n"
                           "bodies: {stone: {type: point, mass: 1}}\n")
        self.assertIn("stone.z", self.picus("static", model, code=1).stderr)

    def test_modes_of_the_pendulum(self):
        facts = json.loads(self.picus("modes", PENDULUM, "--json").stdout)
        self.assertAlmostEqual(facts["modes"][0]["frequency"], (1.5 * 9.81) ** 0.5 / 6.283185307, 6)
        self.assertIn("0.6105", self.picus("modes", PENDULUM).stdout)
        self.assertIn("not at rest", self.picus("modes", PENDULUM, "--at", "start").stdout)
        self.picus("modes", PENDULUM, "--at", "rest", code=2)


class Words(WithPicus):
    def test_every_verb_has_examples(self):
        for verb in VERBS:
            self.assertIn("Example", self.picus(verb, "--help").stdout, verb)

    def test_lists_show_keys_and_options(self):
        self.assertEqual(self.picus("list", "integrators").stdout,
                         self.picus("list", "steppers").stdout)
        self.assertIn("tolerance", self.picus("list", "integrators", "hht_i3").stdout)
        self.assertRegex(self.picus("list", "joints", "revolute").stdout, r"between +list of name")
        self.assertRegex(self.picus("list", "forces", "spring_damper").stdout, r"stiffness.*N/m")
        self.assertIn("radius", self.picus("list", "bodies", "sphere").stdout)
        for what in ("bodies", "controls", "functions", "measures", "units", "studies"):
            self.assertGreater(len(self.picus("list", what).stdout.splitlines()), 2, what)
        self.assertIn("did you mean 'revolute'?",
                      self.picus("list", "joints", "revolut", code=2).stderr)
        self.assertIn("did you mean 'joints'?", self.picus("list", "joint", code=2).stderr)

    def test_new_models_pass_and_run_and_are_not_overwritten(self):
        for template in ("pendulum", "oscillator", "top", "bouncer"):
            self.picus("new", template, "--template", template)
            self.picus("check", template + ".yaml", "--strict")
            self.picus("run", template + ".yaml", "--end", "0.2")
        before = self.path("top.yaml").read_text()
        self.assertIn("exists", self.picus("new", "top", code=2).stderr)
        self.assertEqual(self.path("top.yaml").read_text(), before)
        self.assertIn("did you mean 'top'?",
                      self.picus("new", "x", "--template", "topp", code=2).stderr)

    def test_the_reference_in_the_manual_is_up_to_date(self):
        page = (SOURCE / "docs" / "model-reference.md").read_text(encoding="utf-8")
        self.assertEqual(self.picus("reference").stdout, page,
                         "run: picus reference > docs/model-reference.md")

    def test_the_schema_accepts_the_models(self):
        schema = json.loads(self.picus("schema").stdout)
        self.assertIn("bodies", schema["properties"])

    def test_there_is_a_completion_for_each_shell(self):  # install_test.py uses them
        for shell in ("bash", "zsh", "fish"):
            self.assertIn("completion words --", self.picus("completion", shell).stdout)
        self.picus("completion", "bsh", code=2)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
