#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Instructions of a step of chains and slider-cranks, counted by callgrind inside the integrator.

    bench/count_instructions.py build/release/picus [OTHER_PROGRAM]

Each case runs twice, with few and with more steps; the difference leaves out reading, the first
analysis of matrices and the first result. Counts do not depend on the load of the machine. With a
second program, the last column is its count over that of the first."""
import pathlib
import re
import subprocess
import sys
import tempfile

MODELS = pathlib.Path(__file__).resolve().parent.parent / "models"
FEW, MORE = 4, 12
CASES = [(f"{name}, {integrator}", model, [*options, "--integrator", integrator], step)
         for name, model, options, step in [
             ("chain of 200 links in the plane", "chain", ["--set", "N=200"], 2e-4),
             ("chain of 200 links in space", "spatial_chain", ["--set", "N=200"], 1e-4),
             ("slider-crank in the plane", "slider_crank", [], 1e-3),
             ("slider-crank in space", "spatial_slider_crank", [], 1e-3)]
         for integrator in ["half_explicit", "index3"]]


def count(program: str, model: str, options: list[str], step: float, steps: int) -> int:
    with tempfile.TemporaryDirectory() as folder:
        run = subprocess.run(
            ["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null",
             "--toggle-collect=picus::RungeKutta::attempt(*",
             "--toggle-collect=picus::NewtonStepper::attempt(*", program, "run", str(MODELS / f"{model}.yaml"),
             *options, "--step", str(step), "--end", str(step * steps), "--interval", "1",
             "--audit", "off", "--quiet", "-o", f"{folder}/run.h5"],
            capture_output=True, text=True, check=False)
    found = re.search(r"Collected : (\d+)", run.stderr)
    if run.returncode != 0 or not found:
        sys.exit(f"{model}: {run.stderr}")
    return int(found.group(1))


def main() -> None:
    programs = sys.argv[1:]
    if not programs:
        sys.exit(__doc__)
    for name, model, options, step in CASES:
        each = [(count(program, model, options, step, MORE) -
                 count(program, model, options, step, FEW)) // (MORE - FEW)
                for program in programs]
        ratio = f"{each[1] / each[0]:8.2f}" if len(each) == 2 else ""
        print(f"{name:48}" + "".join(f"{number:12,}" for number in each) + ratio, flush=True)


if __name__ == "__main__":
    main()
