#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""What the program does to files, and what full disks and signals do to it: files_test.py PICUS SOURCE_FOLDER"""
import os
import pathlib
import resource
import shutil
import signal
import subprocess
import sys
import time
import unittest

from in_folder import InFolder

PICUS, SOURCE = sys.argv[1], pathlib.Path(sys.argv[2])
PENDULUM = str(SOURCE / "models" / "pendulum.yaml")


class WithResult(InFolder):
    """A model and its result are there."""

    def setUp(self):
        super().setUp()
        shutil.copy(PENDULUM, self.path("p.yaml"))
        self.picus("run", "p.yaml", "--end", "0.2", "-q")

    def picus(self, *arguments, code=0, **more):
        more = {"capture_output": True, **more}
        done = subprocess.run([PICUS, *arguments], text=True, cwd=self.folder.name, check=False,
                              timeout=120, **more)
        self.assertEqual(done.returncode, code, (arguments, done.stdout, done.stderr))
        return done

    def start(self, *arguments):
        """A run of many minutes, once its first samples are there."""
        process = subprocess.Popen([PICUS, "run", "p.yaml", "-o", "long.h5", "--end", "9e4",
                                    "--interval", "0.01", *arguments], cwd=self.folder.name,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.wait)
        self.addCleanup(process.kill)
        while not self.path("long.h5").exists():
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        # the size alone says little: times are written after everything else
        while self.samples("long.h5") <= 500:
            self.assertIsNone(process.poll())
            time.sleep(0.02)
        return process

    def samples(self, name):
        return len(self.picus("export", name, "--csv", "-", "-c", "energy.total").stdout
                   .splitlines()) - 1

    def with_h5py(self, text):
        return self.with_modules(["h5py"], "import h5py\n" + text).split()


class Overwriting(WithResult):
    def refused(self, name, *arguments):
        before = self.path(name).read_bytes()
        done = self.picus(*arguments, code=2)
        self.assertEqual(self.path(name).read_bytes(), before, arguments)
        return done.stderr

    def test_no_command_writes_over_its_input_or_a_model(self):
        os.symlink("p.yaml", self.path("link.dat"))
        os.link(self.path("p.yaml"), self.path("hard.dat"))
        for name in ("./p.yaml", "link.dat", "hard.dat", str(self.path("p.yaml"))):
            self.refused("p.yaml", "run", "p.yaml", "-o", name)
            self.refused("p.yaml", "static", "p.yaml", "-o", name)
            self.refused("p.yaml", "report", "p.h5", "-o", name)
            self.refused("p.yaml", "export", "p.h5", "--csv", name)
            self.refused("p.yaml", "export", "p.h5", "--impacts", name)
        self.assertIn("is read by this command",
                      self.refused("p.yaml", "run", "p.yaml", "-o", "link.dat"))
        os.symlink("p.h5", self.path("result"))
        for name in ("p.h5", "result"):
            self.refused("p.h5", "export", "p.h5", "--csv", name)
            self.refused("p.h5", "report", "p.h5", "-o", name)
        self.refused("p.yaml", "new", "p")

    def test_nothing_is_written_over_what_is_not_of_the_same_kind(self):
        for name, arguments in (
                ("thesis", ("run", "p.yaml", "-o", "thesis")),
                ("q.h5", ("run", "p.yaml", "-o", "q.h5")),
                ("q.html", ("run", "p.yaml", "-o", "r.h5", "--report")),
                ("q.html", ("report", "p.h5", "-o", "q.html")),
                ("q.csv", ("export", "p.h5", "--csv", "q.csv")),
                ("q.csv", ("export", "p.h5", "--impacts", "q.csv")),
                ("q.json", ("static", "p.yaml", "-o", "q.json")),
                ("q.png", ("report", "p.h5", "--snapshot", "0", "-o", "q.png")),
                ("vtk/run.pvd", ("export", "p.h5", "--vtk", "vtk"))):
            self.path("vtk").mkdir(exist_ok=True)
            self.path(name).write_text("years of work\n")
            if name == "q.html" and arguments[0] == "run":
                shutil.copy(self.path(name), self.path("r.html"))
                self.refused("r.html", *arguments)
                self.assertFalse(self.path("r.h5").exists())
                continue
            self.assertIn("--force", self.refused(name, *arguments))
            self.path(name).unlink()
        self.path("results/soi2-order").mkdir(parents=True)
        self.path("results/soi2-order/notes.txt").write_text("years of work\n")
        self.assertIn("--force", self.picus("reproduce", "soi2-order", "-o", "results",
                                            code=2).stderr)

    def test_older_output_of_the_same_kind_is_written_over(self):
        for _ in range(2):
            self.picus("run", "p.yaml", "--end", "0.2")
            self.picus("export", "p.h5", "--csv", "p.csv", "--vtk", "vtk", "--every", "50")
            self.picus("export", "p.h5", "--impacts", "i.csv")
            self.picus("static", "p.yaml", "-o", "rest.json")
        self.assertEqual(sorted(p.name for p in self.path(".").iterdir() if p.name[0] == "."), [])
        self.path("empty.h5").touch()
        self.picus("run", "p.yaml", "--end", "0.2", "-o", "empty.h5")

    def test_force_does_it(self):
        self.path("q.h5").write_text("years of work\n")
        self.picus("run", "p.yaml", "--end", "0.2", "-o", "q.h5", "--force")
        self.assertEqual(self.samples("q.h5"), 501)
        self.path("q.csv").write_text("years of work\n")
        self.picus("export", "p.h5", "--csv", "q.csv", "--force")
        self.picus("new", "p", "--force")

    def test_endings_of_other_kinds_are_refused_with_advice(self):
        said = self.picus("run", "p.yaml", "-o", "x.csv", code=2).stderr
        self.assertIn("Name it 'x.h5'", said)
        self.assertIn("picus export RESULT --csv x.csv", said)
        self.assertFalse(self.path("x.csv").exists())
        self.picus("run", "p.yaml", "-o", "x.csv", "--force", code=2)
        self.assertIn("picus report", self.picus("run", "p.yaml", "-o", "x.html", code=2).stderr)
        self.assertIn("'x.csv'", self.picus("export", "p.h5", "--csv", "x.h5", code=2).stderr)
        self.assertIn("the same file", self.picus("export", "p.h5", "--csv", "a.csv", "--impacts",
                                             "a.csv", code=2).stderr)
        self.picus("run", "p.yaml", "--end", "0.2", "-o", "without_ending")

    def test_write_protected_files_and_folders_are_named(self):
        self.path("p.h5").chmod(0o444)
        self.assertIn("write-protected", self.refused("p.h5", "run", "p.yaml", "--end", "0.2"))
        self.assertIn("the folder 'no/where' does not exist",
                      self.picus("run", "p.yaml", "-o", "no/where/x.h5", code=4).stderr)
        self.assertIn("the folder 'no' does not exist",
                      self.picus("export", "p.h5", "--csv", "no/x.csv", code=4).stderr)
        self.assertIn("is a folder", self.picus("run", "p.yaml", "-o", ".", code=2).stderr)
        self.assertIn("plain file", self.picus("run", "p.yaml", "-o", "/dev/null", code=2).stderr)


class FullDisks(WithResult):
    def test_export_to_a_full_disk_fails_and_says_so(self):
        for arguments in (("--csv", "/dev/full"), ("--impacts", "/dev/full")):
            said = self.picus("export", "p.h5", *arguments, code=4).stderr
            self.assertIn("cannot write '/dev/full': No space left on device", said)
        with open("/dev/full", "w", encoding="utf-8") as full:
            said = self.picus("export", "p.h5", "--csv", "-", code=4, capture_output=False,
                              stdout=full, stderr=subprocess.PIPE).stderr
        self.assertIn("cannot write to standard output: ", said)

    def limited(self, size, *arguments, code):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
        return self.picus(*arguments, code=code, preexec_fn=limit)

    def test_what_was_there_stays_when_the_new_file_does_not_fit(self):
        self.picus("export", "p.h5", "--csv", "p.csv", "-c", "energy.total")
        before = self.path("p.csv").read_bytes()
        said = self.limited(10_000, "export", "p.h5", "--csv", "p.csv", code=4).stderr
        self.assertIn("cannot write 'p.csv': File too large", said)
        self.assertEqual(self.path("p.csv").read_bytes(), before)
        self.assertEqual([p for p in self.path(".").iterdir() if p.name[0] == "."], [])

    def test_a_run_on_a_full_disk_ends_and_keeps_what_it_has(self):
        for size in (30_000, 300_000, 1_000_000):
            done = self.limited(size, "run", "p.yaml", "-o", "f.h5", "--end", "300", "--interval",
                                "0.001", code=4)
            self.assertIn("result file 'f.h5': File too large" if size > 100_000 else "f.h5",
                          done.stderr)
            self.assertNotIn("addr", done.stderr)
            if not self.path("f.h5").exists():
                continue
            rows = self.picus("export", "f.h5", "--csv", "-").stdout
            self.assertNotIn("nan", rows)
            if size >= 1_000_000:
                self.assertRegex(done.stderr, r"samples up to t = \d")
                self.assertGreater(len(rows.splitlines()), 100)
                count = int(self.with_h5py("print(len(h5py.File('f.h5')['time']))")[0])
                self.assertGreaterEqual(count, len(rows.splitlines()) - 1)

    def test_damaged_results_are_reported_with_an_exit_code(self):
        self.picus("run", "p.yaml", "-o", "d.h5", "--end", "5", "--interval", "0.001")
        whole = self.path("d.h5").read_bytes()
        self.path("d.h5").write_bytes(whole[:len(whole) * 2 // 3])
        done = self.picus("export", "d.h5", "--csv", "-", "-c", "energy.total", code=1)
        self.assertIn("truncated", done.stderr)
        self.assertGreater(len(done.stdout.splitlines()), 1000)
        self.picus("info", "d.h5", code=1)
        self.path("d.h5").write_bytes(whole[:5000])
        said = self.picus("export", "d.h5", "--csv", "-", code=2).stderr
        self.assertIn("damaged", said)
        for word in ("H5", "HDF5:", "addr", "sblock"):
            self.assertNotIn(word, said)


class Signals(WithResult):
    def test_signals_end_a_run_and_keep_it(self):
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
            process = self.start()
            process.send_signal(number)
            output, _ = process.communicate(timeout=60)
            self.assertEqual(process.returncode, 128 + number)
            self.assertIn("stopped", output)
            self.assertRegex(self.picus("info", "long.h5").stdout, r"\nending +stopped\n")
            count = self.samples("long.h5")
            self.assertGreater(count, 500)
            self.assertEqual(self.with_h5py("print(len(h5py.File('long.h5')['time']))"),
                             [str(count)])
            self.path("long.h5").unlink()

    def test_a_killed_run_opens_everywhere(self):
        process = self.start()
        process.kill()
        process.wait()
        count = self.samples("long.h5")
        self.assertGreater(count, 500)
        self.assertIn("cut off", self.picus("info", "long.h5").stdout)
        found = self.with_h5py("f = h5py.File('long.h5'); print(len(f['time']), "
                               "f['energy/total'][0] == f['energy/total'][0])")
        self.assertGreaterEqual(int(found[0]), count)
        self.assertEqual(found[1], "True")
        self.picus("run", "p.yaml", "-o", "long.h5", "--end", "0.2")  # nobody holds it

    def test_a_second_run_onto_the_file_is_refused(self):
        process = self.start()
        os.symlink("long.h5", self.path("link.h5"))
        for name in ("long.h5", "link.h5"):
            # refused always; a head that is seen while it is written has another reason
            told = [self.picus("run", "p.yaml", "-o", name, code=2).stderr for _ in range(3)]
            self.assertTrue(any("is being written by another run" in text for text in told), told)
        self.with_h5py("f = h5py.File('long.h5'); print(f['time'][0])")  # reading is allowed
        process.terminate()
        process.communicate(timeout=60)
        self.picus("run", "p.yaml", "-o", "long.h5", "--end", "0.2")


class Streams(WithResult):
    """Standard output and error that are closed, full, or read by somebody who goes away."""

    def shell(self, command):
        return subprocess.run(["bash", "-c", command.replace("picus", f"'{PICUS}'", 1)],
                              cwd=self.folder.name, capture_output=True, text=True, check=False,
                              timeout=120)

    def test_messages_that_nobody_reads_end_nothing(self):
        run = "picus run p.yaml -o s.h5 --end 0.2"
        for stream in ("2>&-", "2>/dev/full", ">&- 2>&-", "2>&1 | head -c 1", "<&- >&- 2>&-"):
            self.path("s.h5").unlink(missing_ok=True)
            done = self.shell(f"set -o pipefail; {run} {stream}")
            self.assertIn(done.returncode, (0, 4), (stream, done.stderr))
            self.assertEqual(self.samples("s.h5"), 501, stream)
        for command in ("picus run nothing.yaml 2>/dev/full", "picus rum 2>&-",
                        "picus run p.yaml -o x.csv 2>/dev/full"):
            self.assertEqual(self.shell(command).returncode, 2, command)

    def test_readers_that_go_away_are_no_error(self):
        for command in ("picus export p.h5 --csv - | head -1", "picus reference | head -1",
                        "picus info p.h5 | head -1"):
            done = self.shell("set -o pipefail; " + command)
            self.assertEqual((done.returncode, done.stderr), (0, ""), command)
            self.assertEqual(len(done.stdout.splitlines()), 1)

    def test_output_that_is_lost_is_an_error(self):
        for command in ("picus export p.h5 --csv - > /dev/full", "picus reference > /dev/full",
                        "picus list joints >&-", "picus info p.h5 > /dev/full"):
            done = self.shell(command)
            self.assertEqual(done.returncode, 4, command)
            self.assertIn("standard output", done.stderr)


if __name__ == "__main__":
    sys.argv = sys.argv[:1] + sys.argv[3:]
    unittest.main()
