#!/usr/bin/env python3
"""Runs the measurements: all of them, or those named.

usage: run.py FOLDER [NAME ...] [--docs]

A name may be written with hyphens; work-precision stands for smooth_precision and impact_precision.

FOLDER holds the executables bench_NAME; each prints its tables and leaves them in FOLDER/NAME.json.
With --docs the tables in docs/performance.md are replaced by the new ones.
"""
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs" / "performance.md"
NAMES = {
    "step_overhead": "a step of the pendulum against its bare costs",
    "chain": "a step of a chain against its number of links",
    "linear_solver": "dense and sparse factorisations",
    "expression": "value and gradient of formulas, against C++",
    "results": "writing and reading result files",
    "graph_distance": "Hausdorff distance of filled-in graphs",
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


def measure(folder: pathlib.Path, name: str) -> list[dict]:
    print(f"\n## {name}: {NAMES[name]}", flush=True)
    result = folder / f"{name}.json"
    one_core = {**os.environ, "OPENBLAS_NUM_THREADS": "1"}
    subprocess.run([folder / f"bench_{name}", "--json", result], check=True, env=one_core)
    return json.loads(result.read_text(encoding="utf-8"))


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


def main() -> int:
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else None
    words = sys.argv[2:]
    asked = [word.replace("-", "_") for word in words if word != "--docs"]
    names = [name for word in asked for name in GROUPS.get(word, [word])]
    unknown = [name for name in names if name not in NAMES]
    if folder is None or unknown:
        for name in unknown:
            print(f"unknown measurement '{name}'", file=sys.stderr)
        print("measurements:", file=sys.stderr)
        for name, meaning in NAMES.items():
            print(f"  {name:18}{meaning}", file=sys.stderr)
        for name, members in GROUPS.items():
            print(f"  {name:18}{' and '.join(members)}", file=sys.stderr)
        print("  --docs            write the tables into docs/performance.md", file=sys.stderr)
        return 2
    tables = []
    for name in names or NAMES:
        tables += measure(folder, name)
    if "--docs" in words:
        update_docs(tables)
    print(f"\nTables as JSON: {folder}/*.json")
    return 0


if __name__ == "__main__":
    sys.exit(main())
