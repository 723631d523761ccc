#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What results hold and what other tools see in them: results_test.py PICUS SOURCE"""
import csv
import pathlib
import subprocess
import sys
import unittest

from in_folder import InFolder

PICUS, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
MODEL = """picus: 1
dimension: 2
gravity: [0, -9.81]
tables: {push: {file: data/push.csv}}
bodies:
  ball: {mass: 1, shape: {type: sphere, radius: 0.1}, inertia: [0.01], at: [0, 0.3],
         velocity: [1, 0], markers: {top: {at: [0, 0.1]}}}
  rod: {mass: 2, shape: {type: rod, length: 1}, at: [0.5, 2]}
joints:
  pin: {type: revolute, between: [ground, rod], at: [0, 2]}
contacts:
  floor: {type: ball_on_plane, between: [ground, ball], normal: [0, 1], friction: 0.4,
          restitution: 0.5}
forces:
  drive: {type: motor, joint: pin, torque: 9 + push(time)}
outputs:
  height: {formula: ball.y - 0.1, unit: m, meaning: of its lowest point}
run: {end_time: 1, output_interval: 0.01}
"""


class WithResult(InFolder):
    def setUp(self):
        super().setUp()
        self.path("data").mkdir()
        self.write("data/push.csv", "t,f\n0,0\n1,1\n")
        self.write("ball.yaml", MODEL)

    def picus(self, *arguments, code=0):
        done = subprocess.run([PICUS, *arguments], capture_output=True, text=True,
                              cwd=self.folder.name, check=False, timeout=120)
        self.assertEqual(done.returncode, code, (arguments, done.stdout, done.stderr))
        return done

    def columns(self, result="ball.h5", *more):
        text = self.picus("export", result, "--csv", "-", *more).stdout
        return text.splitlines()[0].split(",")


class Records(WithResult):
    def test_outputs_markers_and_power_are_channels(self):
        self.picus("run", "ball.yaml", "-q")
        names = self.columns()
        for name in ("outputs.height [m]", "markers.ball.top.acceleration.y [m/s^2]",
                     "bodies.rod.angle [rad]", "forces.drive.power [W]"):
            self.assertIn(name, names)
        self.assertIn("outputs.height", self.picus("info", "ball.h5", "--channels").stdout)
        self.picus("plot", "ball.h5", "outputs.height", "-o", "height.svg")
        self.assertIn("outputs.height [m]", self.path("height.svg").read_text())

    def test_record_chooses_columns(self):
        self.picus("run", "ball.yaml", "-q", "--record", "joints.*", "not joints.*.torque.*")
        self.assertEqual([n.split(" ")[0] for n in self.columns()],
                         ["time", "joints.pin.force.x", "joints.pin.force.y", "joints.pin.force.z",
                          "joints.pin.angle", "joints.pin.angle_rate", "outputs.height"])
        done = self.picus("run", "ball.yaml", "--record", "energy.total")
        self.assertIn("bodies.*.position", done.stderr)
        self.assertEqual(self.picus("run", "ball.yaml", "--record", "joint.*.angle", code=2).stderr
                         .strip().splitlines()[-1],
                         "picus: record: no channel matches 'joint.*.angle'; did you mean "
                         "'joints.*.angle'?")
        self.assertIn("did you mean 'energy.*'",
                      self.picus("check", "ball.yaml", "--set", "run.record=[energi.*]",
                                 code=1).stdout)

    def test_pages_and_info_work_with_little(self):
        self.picus("run", "ball.yaml", "-q", "--record", "energy.total")
        self.picus("info", "ball.h5")
        self.picus("report", "ball.h5", "-o", "ball.html")
        self.assertIn("bodies/position",
                      self.picus("export", "ball.h5", "--vtk", "frames", code=2).stderr)

    def test_exports_leave_out(self):
        self.picus("run", "ball.yaml", "-q")
        names = self.columns("ball.h5", "-c", "energy", "not energy.total")
        self.assertEqual(names, ["time [s]", "energy.kinetic [J]", "energy.potential [J]"])


class Events(WithResult):
    def test_are_a_table(self):
        self.picus("run", "ball.yaml", "-q")
        self.picus("export", "ball.h5", "--events", "events.csv")
        with open(self.path("events.csv"), newline="") as file:
            rows = list(csv.DictReader(file))
        kinds = [row["kind"] for row in rows]
        self.assertIn("impact", kinds)
        self.assertTrue({"stick", "slip", "opens"} & set(kinds), kinds)
        times = [float(row["time [s]"]) for row in rows]
        self.assertEqual(times, sorted(times))
        first = rows[kinds.index("impact")]
        self.assertEqual(first["part"], "floor")
        # 1 kg falls 0.2 m and leaves with half its speed
        self.assertAlmostEqual(float(first["impulse [N s]"]), 1.5 * (2 * 9.81 * 0.2) ** 0.5, 4)
        self.assertEqual(self.picus("export", "ball.h5", "--events", "-").stdout,
                         self.path("events.csv").read_text())
        self.picus("export", "ball.h5", "--events", "t.csv", "--impacts", "t.csv", code=2)


class OtherTools(WithResult):
    def test_xarray_shows_names_and_units(self):
        self.picus("run", "ball.yaml", "-q")
        for engine, module in (("h5netcdf", "h5netcdf"), ("netcdf4", "netCDF4")):
            with self.subTest(engine):
                said = self.with_modules(["xarray", module], f"""
import xarray
root = xarray.open_dataset('ball.h5', engine='{engine}')
assert root.time.units == 's' and root.time[-1] == 1.0 and root.time.long_name, root
assert not any('phony' in name for name in root.dims), root.dims
assert b'reached the end time' in bytes(str(root.summary.values[0]), 'utf-8'), root.summary
bodies = xarray.open_dataset('ball.h5', engine='{engine}', group='bodies')
y = bodies.position.sel(item='ball', axis='y')
assert y.dims == ('time',) and y.units == 'm' and abs(y.sel(time=0.0) - 0.3) < 1e-12, y
assert bodies.angle.dims == ('time', 'item'), bodies.angle
contacts = xarray.open_dataset('ball.h5', engine='{engine}', group='contacts')
mode = contacts.mode
assert mode.dtype.kind == 'i' and list(mode.flag_values) == [0, 1, 2, 3], mode
assert mode.flag_meanings.split()[:3] == ['open', 'stick', 'slip'], mode
outputs = xarray.open_dataset('ball.h5', engine='{engine}', group='outputs')
assert outputs.height.dims == ('time',) and outputs.height.long_name == 'of its lowest point'
print('seen')
""")
                self.assertEqual(said.strip(), "seen")

    def test_h5py_finds_scales_and_files(self):
        self.picus("run", "ball.yaml", "-q")
        self.with_modules(["h5py"], """
import h5py, json
run = h5py.File('ball.h5')
position = run['bodies/position']
assert [d.label or d[0].name.rsplit('/')[-1] for d in position.dims] == ['time', 'item', 'axis']
assert run['bodies/time'] == run['time'] and h5py.h5ds.is_scale(run['time'].id)
assert [n for n in run['bodies/item'].asstr()[:]] == ['ball', 'rod']
assert json.loads(run['summary'][0])['ok'] is True
assert list(run.attrs['model_files']) == ['data/push.csv'], run.attrs['model_files']
assert run.attrs['model_file_texts'][0].startswith('t,f')
assert run['energy/total'].shape == run['time'].shape
""")

    def test_old_results_are_read(self):
        old = str(SOURCE / "tests" / "results" / "format1.h5")
        self.assertRegex(self.picus("info", old).stdout, r"samples +4, t = 0 to 0\.3 s")
        self.picus("export", old, "--csv", "old.csv", "--events", "e.csv", "--vtk", "frames")
        self.picus("report", old, "-o", "old.html")
        self.picus("plot", old, "energy.total", "-o", "old.svg")


class RunsAgain(WithResult):
    def test_verify_finds_tables_and_includes_in_the_result(self):
        self.write("more.yaml", "picus: 1\nparameters: {M: 9}\n")
        self.write("ball.yaml", "picus: 1\ninclude: more.yaml\n" +
                   MODEL.replace("picus: 1\n", "").replace("torque: 9", "torque: M"))
        self.picus("run", "ball.yaml", "-q")
        for name in ("ball.yaml", "more.yaml", "data/push.csv"):
            self.path(name).unlink()
        done = self.picus("verify", "ball.h5", "-c", "joints.pin.angle")
        self.assertIn("joints.pin.angle", done.stdout)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
