#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fails unless the folder of a study holds a summary of the promised form, curves and figures."""
import csv
import json
import pathlib
import sys
import xml.etree.ElementTree


def check_summary(folder: pathlib.Path):
    summary = json.loads((folder / "summary.json").read_text(encoding="utf-8"))
    assert summary["id"] == folder.name, summary["id"]
    assert isinstance(summary["paper"], str) and summary["paper"]
    assert summary["claims"], "no claims"
    for claim in summary["claims"]:
        assert set(claim) == {"claim", "value", "wanted", "holds"}, claim
        assert isinstance(claim["claim"], str) and isinstance(claim["wanted"], str), claim
        assert isinstance(claim["value"], (int, float)), claim
        assert claim["holds"] is True, claim


def check_curves(path: pathlib.Path):
    with path.open(newline="", encoding="utf-8") as file:
        head, *rows = list(csv.reader(file))
    assert rows, f"{path.name} has no rows"
    for row in rows:
        assert len(row) == len(head), f"{path.name}: {row}"
        [float(entry) for entry in row]


def main() -> int:
    folder = pathlib.Path(sys.argv[1])
    check_summary(folder)
    curves, figures = sorted(folder.glob("*.csv")), sorted(folder.glob("*.svg"))
    assert curves and figures, "a study writes curves and figures"
    for path in curves:
        check_curves(path)
    for path in figures:
        root = xml.etree.ElementTree.parse(path).getroot()
        assert root.tag == "{http://www.w3.org/2000/svg}svg", root.tag
        assert "nan" not in path.read_text(encoding="utf-8"), path.name
    return 0


if __name__ == "__main__":
    sys.exit(main())
