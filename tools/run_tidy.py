#!/usr/bin/env python3
"""Runs clang-tidy on the library, studies and app, on all cores.

The sources of a room are checked as one: nearly all the time goes into the headers of libraries.
What has not changed since its last clean run is skipped; the stamp lives in the build folder.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("picus", "apps", "studies")


def fingerprint(sources: list[pathlib.Path]) -> str:
    """Hash of the files, every header of ours and the configuration: cheap and safe."""
    digest = hashlib.sha256((ROOT / ".clang-tidy").read_bytes())
    for folder in FOLDERS:
        for header in sorted((ROOT / folder).rglob("*.h")):
            digest.update(header.read_bytes())
    for source in sources:
        digest.update(source.read_bytes())
    return digest.hexdigest()


def flags_of(entry: dict) -> list[str]:
    """What the compiler needs to parse a file: macros, folders of headers, the language."""
    words = shlex.split(entry["command"])
    kept = [w for w in words if w.startswith(("-D", "-I", "-std"))]
    for k, word in enumerate(words):
        if word == "-isystem":
            kept += [word, words[k + 1]]
    return kept


def units(build: pathlib.Path) -> dict[str, tuple[list[pathlib.Path], list[str]]]:
    """Name, sources and flags of each file to check: as the release build groups them, but rooms
    and the program as a whole."""
    database = json.loads((build / "compile_commands.json").read_text())
    whole = {f"picus_{room.name}": room for room in (ROOT / "picus").iterdir() if room.is_dir()}
    whole["picus_app"] = ROOT / "apps"
    result = {}
    for entry in database:
        if entry["file"].endswith(".S"):
            continue
        target = re.search(r" -o \S*/CMakeFiles/([\w]+)\.dir/", entry["command"]).group(1)
        if target in whole:
            result[target] = (sorted(whole[target].rglob("*.cpp")), flags_of(entry))
        elif target in ("picus_studies", "picus_study_reports", "picus_no_studies"):
            unit = pathlib.Path(entry["file"])
            included = re.findall(r'#include "(/.*\.cpp)"', unit.read_text())
            sources = [p for p in map(pathlib.Path, included or [unit])
                       if p.parent == ROOT / "studies"]
            result[f"{target}_{unit.stem}"] = (sources, flags_of(entry))
    return result


def tidy(folder: pathlib.Path, name: str, sources: list[pathlib.Path], flags: list[str]) -> str:
    stamp = folder / f"{name}.ok"
    print_of = fingerprint(sources)
    if stamp.exists() and stamp.read_text() == print_of:
        return ""
    unit = folder / f"{name}.cpp"
    unit.write_text("".join(f'#include "{source}"\n' for source in sources))
    run = subprocess.run(["clang-tidy-14", "--quiet", f"--config-file={ROOT / '.clang-tidy'}",
                          str(unit), "--", *flags],
                         capture_output=True, text=True, check=False)
    if run.returncode != 0:
        return run.stdout + run.stderr
    stamp.write_text(print_of)
    return ""


def main() -> int:
    build = ROOT / sys.argv[1]
    folder = build / "tidy"
    folder.mkdir(exist_ok=True)
    todo = units(build)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        checks = {name: pool.submit(tidy, folder, name, *unit) for name, unit in todo.items()}
        for name, check in checks.items():
            if check.result():
                failed += 1
                print(f"{name}\n{check.result()}")
    print(f"clang-tidy: {len(todo)} units, {failed} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
