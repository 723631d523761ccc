#!/usr/bin/env python3
"""Runs clang-tidy on the library, studies and app, on all cores.

The release build compiles several sources of a room at once; so does this, which saves parsing
their headers again and again.

A file whose preprocessed dependencies have not changed since its last clean run is skipped: the
stamp lives in the build folder.
"""
import concurrent.futures
import hashlib
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
FOLDERS = ("picus", "apps", "studies")


def fingerprint(source: pathlib.Path) -> str:
    """Hash of the file, every header of ours and the configuration: cheap and safe."""
    digest = hashlib.sha256((ROOT / ".clang-tidy").read_bytes())
    for folder in FOLDERS:
        for header in sorted((ROOT / folder).rglob("*.h")):
            digest.update(header.read_bytes())
    text = source.read_text()
    digest.update(text.encode())
    for included in re.findall(r'#include "(/.*\.cpp)"', text):  # of a unity file
        digest.update(pathlib.Path(included).read_bytes())
    return digest.hexdigest()


def tidy(build: pathlib.Path, source: pathlib.Path) -> tuple[str, str]:
    name = source.relative_to(build if source.is_relative_to(build) else ROOT)
    stamp = build / "tidy" / (str(name).replace("/", "_") + ".ok")
    print_of = fingerprint(source)
    if stamp.exists() and stamp.read_text() == print_of:
        return str(source), ""
    run = subprocess.run(
        ["clang-tidy-14", "--quiet", "-p", str(build), str(source)],
        capture_output=True, text=True, check=False)
    if run.returncode == 0:
        stamp.parent.mkdir(exist_ok=True)
        stamp.write_text(print_of)
        return str(source), ""
    return str(source), run.stdout + run.stderr


def main() -> int:
    build = ROOT / sys.argv[1]
    database = json.loads((build / "compile_commands.json").read_text())
    compiled = {pathlib.Path(entry["file"]).resolve() for entry in database}
    sources = sorted(p for p in compiled
                     if p.is_relative_to(build / "rooms") or
                     (p.is_relative_to(ROOT) and p.relative_to(ROOT).parts[0] in FOLDERS))
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for name, output in pool.map(lambda s: tidy(build, s), sources):
            if output:
                failed += 1
                print(f"{name}\n{output}")
    print(f"clang-tidy: {len(sources)} files, {failed} with findings")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
