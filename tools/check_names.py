#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Fails when the documentation or a comment names a file, class, function, key or option that does not
exist, and when the room table of docs/architecture.md differs from tools/check_layers.py.

A name is what stands in backticks, and every CamelCase word of comments and of the drawings in
docs/architecture.md. Files must be in the tree; CamelCase, snake_case, kConstants, members (Type::name) and
--options must occur in code, models or scripts, outside of comments. ADRs describe the day they were
written: their names are not checked."""
import pathlib
import re
import subprocess
import sys

import check_layers

ROOT = pathlib.Path(__file__).resolve().parent.parent
PROSE = re.compile(r"^(README|CONTRIBUTING|docs/(?!adr/|model-reference)|models/README)")
SPAN = re.compile(r"(?<!`)`([^`\n]+)`(?!`)")
FENCE = re.compile(r"^(```|~~~).*?^\1\s*$", re.MULTILINE | re.DOTALL)
WORD = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
FILE = re.compile(r"^(?:\.\./)*[\w.-]+(?:/[\w.-]+)*(?:/|\.(?:h|cpp|py|sh|ts|md|yaml|csv|obj|cmake|css|html|S|in))$")
NAME = re.compile(r"^(?:\w+::)*([A-Z][a-z]\w*[A-Z]\w*|k[A-Z]\w+|[a-z]+(?:_[a-z0-9]+)+)(?:\(.*\))?$")
OPTION = re.compile(r"^(--[a-z][a-z-]+)")
CAMEL = re.compile(r"(?<![\w'/.-])([A-Z][a-z]+(?:[A-Z][a-z0-9]+)+)(?![\w'/.-])")
MEMBER = re.compile(r"\b([A-Z][a-z]\w+)::(\w+)")
COMMENT = re.compile(r"(?:^|\s)(?:///?<?|#)\s(.*)$")

# Files that commands of the documentation make, names of other projects, letters of formulas.
ELSEWHERE = {"picus.schema.json", "swing.yaml", "engine.yaml", "docs/gallery/index.html", "DIR/ID/",
             "ChTimestepperHHT"}
PEOPLE = {"ParaView", "MuJoCo", "JavaScript", "TypeScript", "GitHub", "HarfBuzz", "SuiteSparse",
          "SuiteSparseQR", "ChungHulbert", "WebGL", "OpenBLAS", "HilberHughesTaylor", "McPhee"}


def tracked(*patterns: str) -> list[str]:
    return subprocess.run(["git", "ls-files", "--cached", "--others", "--exclude-standard", "--",
                           *patterns], cwd=ROOT, capture_output=True, text=True,
                          check=True).stdout.splitlines()


def read(name: str) -> str:
    return (ROOT / name).read_text(encoding="utf-8", errors="replace")


def prose_of(name: str) -> str:
    """The text without fenced code, lines kept."""
    return FENCE.sub(lambda code: "\n" * code.group().count("\n"), read(name))


def comments_of(name: str):
    for number, line in enumerate(read(name).splitlines(), 1):
        match = COMMENT.search(line)
        if match and "://" not in line:
            yield number, match.group(1)


def code_of(name: str) -> str:
    """The text without comments that have a line, or the end of one, to themselves."""
    return "\n".join(COMMENT.sub("", line) for line in read(name).splitlines())


class Tree:
    """What there is to name."""

    def __init__(self):
        self.files = set(tracked())
        self.ends = set()
        for name in self.files:
            parts = name.split("/")
            for i in range(len(parts)):
                self.ends.add("/".join(parts[i:]))
                self.ends.add("/".join(parts[: i + 1]) + "/")
                self.ends.update("/".join(parts[j: i + 1]) + "/" for j in range(i))
        code = [name for name in self.files
                if not name.endswith((".md", ".png", ".gif", ".svg", ".bib")) and (ROOT / name).is_file()]
        text = "\n".join(code_of(name) for name in code if "package-lock" not in name)
        self.words = set(WORD.findall(text))
        self.options = set(re.findall(r"--[a-z][a-z-]+", text))
        self.strings = text

    def has_file(self, name: str, where: str) -> bool:
        name = name.lstrip("./") if name.startswith("./") else name
        if name in self.ends or name in ELSEWHERE:
            return True
        near = (pathlib.PurePosixPath(where).parent / name).as_posix()
        return near in self.files or (ROOT / where).parent.joinpath(name).exists()

    def has(self, name: str) -> bool:
        return name in self.words or name in ELSEWHERE


def wrong_names(tree: Tree, where: str, text: str):
    for span in SPAN.findall(text):
        if any(mark in span for mark in "<…*{$ ") or span in ELSEWHERE:
            option = OPTION.match(span)
            if option and option.group(1) not in tree.options:
                yield f"there is no option '{option.group(1)}'"
            continue
        if FILE.match(span) and ("/" in span or "." in span):
            if not tree.has_file(span, where):
                yield f"there is no file '{span}'"
        elif match := NAME.match(span):
            if not tree.has(match.group(1)):
                yield f"nothing is called '{match.group(1)}'"
        elif match := OPTION.match(span):
            if match.group(1) not in tree.options:
                yield f"there is no option '{match.group(1)}'"


def wrong_words(tree: Tree, text: str):
    """In comments and drawings, where types stand without backticks."""
    for name in CAMEL.findall(text):
        if not tree.has(name) and name not in PEOPLE and not re.search(rf"\[{name}\d*", text):
            yield f"nothing is called '{name}'"
    for scope, name in MEMBER.findall(text):
        if tree.has(scope) and not tree.has(name):
            yield f"'{scope}' has no '{name}'"


def wrong_rooms():
    rows = re.findall(r"^\| `(\w+)` \| ([^|]*) \|$", read("docs/architecture.md"), re.MULTILINE)
    drawn = {room: set(re.findall(r"`(\w+)`", sees)) for room, sees in rows
             if room in check_layers.MAY_SEE}
    for room, sees in check_layers.MAY_SEE.items():
        if drawn.get(room) != sees:
            yield (f"docs/architecture.md: room '{room}' sees {sorted(drawn.get(room, set()))} there, "
                   f"{sorted(sees)} in tools/check_layers.py")


def main() -> int:
    tree, found = Tree(), list(wrong_rooms())
    documents = [name for name in sorted(tracked("*.md")) if PROSE.match(name)]
    for name in documents:
        for number, line in enumerate(prose_of(name).splitlines(), 1):
            found += [f"{name}:{number}: {text}" for text in wrong_names(tree, name, line)]
    drawings = "\n".join(m.group() for m in FENCE.finditer(read("docs/architecture.md")))
    found += [f"docs/architecture.md: {text}" for text in wrong_words(tree, drawings)]
    for name in sorted(tracked("*.h", "*.cpp", "*.ts", "*.py")):
        for number, comment in comments_of(name):
            for text in (*wrong_names(tree, name, comment), *wrong_words(tree, comment)):
                found.append(f"{name}:{number}: {text}")
    print("\n".join(found) if found else f"names hold in {len(documents)} documents and all comments")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
