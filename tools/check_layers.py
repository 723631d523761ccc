#!/usr/bin/env python3
"""Fails when a file includes from a room it may not see, or outgrows its budget.

The table is the one in docs/architecture.md; a wall without a test is a drawing.
"""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent

# room -> rooms it may include besides itself
MAY_SEE = {
    "base": set(),
    "math": {"base"},
    "expressions": {"math", "base"},
    "solvers": {"math", "base"},
    "collision": {"math", "base"},
    "dynamics": {"math", "base"},
    "elements": {"collision", "math", "base"},
    "model": {"elements", "expressions", "math", "base"},
    "mechanism": {"model", "expressions", "elements", "dynamics", "collision", "math", "base"},
    "io": {"mechanism", "model", "elements", "dynamics", "expressions", "math", "base"},
    "steppers": {"dynamics", "solvers", "math", "base"},
    "results": {"base"},
    "report": {"results", "base"},
    "simulation": {"steppers", "dynamics", "math", "base"},
    "runs": {"io", "results", "simulation", "steppers", "solvers", "mechanism", "model", "dynamics",
             "math", "base"},
}
FILE_LIMIT = 500
HEADER_LIMIT = 300  # headers should be readable without scrolling far
INCLUDE = re.compile(r'^\s*#\s*include\s+[<"](?:picus/([a-z_]+)/|(studies|apps|tests|bench)/)')


def room_of(path: pathlib.Path) -> str:
    parts = path.relative_to(ROOT).parts
    return parts[1] if parts[0] == "picus" and len(parts) > 2 else parts[0]


def complaints(path: pathlib.Path):
    room, lines = room_of(path), path.read_text(encoding="utf-8").splitlines()
    name = path.relative_to(ROOT)
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if match and room in MAY_SEE:
            target = match.group(1) or match.group(2)
            if target != room and target not in MAY_SEE[room]:
                yield f"{name}:{number}: room '{room}' may not include '{target}'"
    limit = HEADER_LIMIT if path.suffix == ".h" and room in MAY_SEE else FILE_LIMIT
    if len(lines) > limit and room != "tests":
        yield f"{name}: {len(lines)} lines, budget is {limit}"


def main() -> int:
    found = []
    for folder in ("picus", "apps", "studies", "tests", "bench"):
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in {".h", ".cpp"}:
                found += complaints(path)
    unknown = {p.name for p in (ROOT / "picus").iterdir() if p.is_dir()} - MAY_SEE.keys()
    found += [f"picus/{room}: not in the table of tools/check_layers.py" for room in sorted(unknown)]
    print("\n".join(found) if found else "layers and budgets hold")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
