#!/usr/bin/env python3
"""Fails when a relative link or picture in a *.md file leads nowhere, headings included."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
LINK = re.compile(r"!?\[[^\]]*\]\(\s*<?([^)\s>]+)>?[^)]*\)")
FENCE = re.compile(r"^(```|~~~).*?^\1\s*$", re.MULTILINE | re.DOTALL)
CODE = re.compile(r"`[^`\n]*`")
ELSEWHERE = re.compile(r"^[a-z][a-z0-9+.-]*:")


def prose(path: pathlib.Path) -> str:
    """The text without code, lines kept."""
    text = path.read_text(encoding="utf-8")
    return FENCE.sub(lambda code: "\n" * code.group().count("\n"), text)


def anchors(path: pathlib.Path) -> set[str]:
    """The names under which the headings of a file can be reached."""
    headings = re.findall(r"^#+\s+(.*)$", prose(path), re.MULTILINE)
    words = (re.sub(r"[^\w\s-]", "", heading.strip().lower()) for heading in headings)
    return {word.replace(" ", "-") for word in words}


def complaints(path: pathlib.Path):
    for number, line in enumerate(prose(path).splitlines(), 1):
        for target in LINK.findall(CODE.sub("", line)):
            if ELSEWHERE.match(target):
                continue
            name, _, anchor = target.partition("#")
            where = (path.parent / name).resolve() if name else path
            if not where.exists():
                yield f"{path.relative_to(ROOT)}:{number}: dead link '{target}'"
            elif anchor and where.suffix == ".md" and anchor not in anchors(where):
                yield f"{path.relative_to(ROOT)}:{number}: no heading '#{anchor}' in {where.name}"


def main() -> int:
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard", "--", "*.md"],
        cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    found = [text for name in sorted(listed) if (ROOT / name).exists()
             for text in complaints(ROOT / name)]
    print("\n".join(found) if found else f"links hold in {len(listed)} files")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
