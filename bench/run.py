#!/usr/bin/env python3
"""Runs the measurements: all of them, or those named.

usage: run.py FOLDER [NAME ...] [--docs | --smoke]

A name may be written with hyphens; work-precision stands for smooth_precision and impact_precision.

FOLDER holds the executables bench_NAME; each prints its tables and leaves them in FOLDER/NAME.json.
With --docs the tables in docs/performance.md are replaced by the new ones. With --smoke every
measurement runs on its smallest size, which shows that it works and nothing else; its tables go to
FOLDER/smoke.

Ends with code 1 when a measurement fails or prints a NaN, in a smoke run also when a table says that
something failed; the other measurements are made all the same.
"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs" / "performance.md"
NAMES = {
    "step_overhead": "a step of the pendulum against its bare costs",
    "chain": "a step of a chain against its number of links",
    "beam": "a step of a beam against its number of elements, and an element against one by hand",
    "linear_solver": "dense and sparse factorisations",
    "expression": "value and gradient of formulas, against C++",
    "results": "writing and reading result files",
    "graph_distance": "Hausdorff distance of filled-in graphs",
    "narrow_phase": "where two shapes touch, against Bullet",
    "method_choice": "which method for which shipped model, and what auto takes",
    "audit": "what the audit costs on shipped models",
    "smooth_precision": "time to a given accuracy, against SUNDIALS IDA",
    "impact_precision": "the same through impacts, against Siconos and SUNDIALS",
    "chain_peers": "a spatial chain, against SUNDIALS IDA, Simbody and MuJoCo",
    "impact": "a bouncing ball and an elastic bar, against Siconos",
    "pile": "piles of spheres and disks, against Siconos, Bullet, ODE and MuJoCo",
    "belt": "the poly-V belt, against SUNDIALS IDA",
}
GROUPS = {"work_precision": ["smooth_precision", "impact_precision"]}


OPTIONS = ("--docs", "--smoke")
NOT_A_NUMBER = re.compile(r"(?<![\w.])[-+]?(nan|inf)(?![\w.])", re.IGNORECASE)
SMOKE_SECONDS = 300  # a measurement of the smallest size that takes longer hangs


class Fault(Exception):
    """Why a measurement is worth nothing."""


def start(folder: pathlib.Path, name: str, result: pathlib.Path, smoke: bool) -> str:
    """Runs a measurement to its end; returns what it printed, which a full run shows at once."""
    result.unlink(missing_ok=True)
    command = [folder / f"bench_{name}", "--json", result] + (["--smoke"] if smoke else [])
    environment = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    begin = time.monotonic()
    try:
        process = subprocess.Popen(command, env=environment, text=True, encoding="utf-8",
                                   stdout=subprocess.PIPE,
                                   stderr=subprocess.STDOUT if smoke else None)
    except FileNotFoundError as error:
        raise Fault("is not built") from error
    lines = []
    try:
        if smoke:
            lines = process.communicate(timeout=SMOKE_SECONDS)[0].splitlines(keepends=True)
        else:
            for line in process.stdout:
                lines.append(line)
                print(line, end="", flush=True)
    except subprocess.TimeoutExpired as error:
        process.kill()
        lines = process.communicate()[0].splitlines(keepends=True)
        print("".join(lines))
        raise Fault(f"did not end within {SMOKE_SECONDS} s") from error
    code = process.wait()
    if smoke:
        print(f"{name:18}{time.monotonic() - begin:6.1f} s", flush=True)
    if code != 0:
        if smoke:
            print("".join(lines))
        raise Fault(f"ended by {signal.Signals(-code).name}" if code < 0 else f"ended with code {code}")
    return "".join(lines)


def check(tables: list[dict], text: str, smoke: bool) -> None:
    """Raises a Fault where tables or what was printed cannot be right."""
    if not any(table["rows"] for table in tables):
        raise Fault("has no rows")
    for table in tables:
        for row in table["rows"]:
            for column, cell in zip(table["columns"], row):
                if NOT_A_NUMBER.search(cell) or (smoke and cell.startswith("failed")):
                    raise Fault(f"table {table['name']}, {row[0]}, {column}: {cell}")
            if len(row) != len(table["columns"]):
                raise Fault(f"table {table['name']}, {row[0]}: {len(row)} cells")
    for line in text.splitlines():
        if NOT_A_NUMBER.search(line):
            raise Fault(f"prints: {line.strip()}")


def measure(folder: pathlib.Path, name: str, smoke: bool) -> list[dict]:
    result = (folder / "smoke" if smoke else folder) / f"{name}.json"
    if not smoke:
        print(f"\n## {name}: {NAMES[name]}", flush=True)
    result.parent.mkdir(exist_ok=True)
    text = start(folder, name, result, smoke)
    try:
        tables = json.loads(result.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise Fault(f"left no tables in {result}") from error
    check(tables, text, smoke)
    return tables


def markdown(table: dict) -> str:
    rule = ["---"] + ["---:"] * (len(table["columns"]) - 1)
    lines = [table["columns"], rule, *table["rows"]]
    body = "\n".join("| " + " | ".join(line) + " |" for line in lines)
    return f"{table['title']}:\n\n{body}\n"


def update_docs(tables: list[dict]) -> None:
    """Replaces what stands between <!-- table NAME --> and <!-- end -->."""
    text = DOCS.read_text(encoding="utf-8")
    for table in tables:
        pattern = rf"(<!-- table {re.escape(table['name'])} -->\n).*?(<!-- end -->)"
        text, found = re.subn(pattern, lambda m, t=table: m[1] + markdown(t) + m[2], text,
                              flags=re.DOTALL)
        if not found:
            print(f"{DOCS.name} has no place for table {table['name']}", file=sys.stderr)
    DOCS.write_text(text, encoding="utf-8")


def usage(unknown: list[str]) -> int:
    for name in unknown:
        print(f"unknown measurement '{name}'", file=sys.stderr)
    print("measurements:", file=sys.stderr)
    for name, meaning in NAMES.items():
        print(f"  {name:18}{meaning}", file=sys.stderr)
    for name, members in GROUPS.items():
        print(f"  {name:18}{' and '.join(members)}", file=sys.stderr)
    print("  --docs            write the tables into docs/performance.md", file=sys.stderr)
    print("  --smoke           the smallest size of everything: does it work at all?",
          file=sys.stderr)
    return 2


def main() -> int:
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else None
    words = sys.argv[2:]
    docs, smoke = (option in words for option in OPTIONS)
    asked = [word.replace("-", "_") for word in words if word not in OPTIONS]
    names = [name for word in asked for name in GROUPS.get(word, [word])]
    unknown = [name for name in names if name not in NAMES]
    if folder is None or unknown or (docs and smoke):
        return usage(unknown)
    tables, faults = [], []
    for name in names or NAMES:
        try:
            tables += measure(folder, name, smoke)
        except Fault as fault:
            faults.append(f"{name}: {fault}")
            print(faults[-1], file=sys.stderr, flush=True)
    if docs:
        update_docs(tables)
    print(f"\nTables as JSON: {folder / 'smoke' if smoke else folder}/*.json")
    for fault in faults:
        print(f"FAULT {fault}", file=sys.stderr)
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
