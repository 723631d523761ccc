#!/usr/bin/env python3
# SPDX-License-Identifier: BSD-3-Clause
"""Does what a newcomer does, and fails where the documentation does: ./dev newcomer

  newcomer.py                      in a clean clone of the last commit: the commands of the README as
                                   they stand ('./dev demo' first, without ccache), the program of its C++
                                   section, the tutorial with what it prints, every model of the
                                   documents, every template of 'picus new', every link. Takes as
                                   long as two builds; installs into a folder of its own
  newcomer.py --quick --program P  with a program that is there: all of it but what builds
  --online                         also asks for the addresses on the web that the documents name
"""
import argparse
import os
import pathlib
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ADDRESS = re.compile(r"https?://[^\s)>`\"']+[^\s)>`\"'.,;:]")
WHOLE_MODEL = re.compile(r"(#.*\n)*picus: 1\b")
EXPECTATION = re.compile(r"# expect: (.*)")
# what a newcomer with a program need not do
BUILDS = re.compile(r"^\s*(\./dev|export PATH|cmake |git clone|cd )")
PATIENCE = 3600  # seconds for one command


class Newcomer:
    def __init__(self, tree, home):
        self.tree, self.home, self.failures = tree, home, []
        self.environment = dict(os.environ, HOME=str(home), NO_COLOR="1",
                                PATH=f"{home / '.local/bin'}:{os.environ['PATH']}")

    def report(self, what, ok, seconds, details=""):
        print(f"{'ok  ' if ok else 'FAIL'} {seconds:7.1f} s  {what}", flush=True)
        if not ok:
            self.failures.append(what)
            print(details, flush=True)

    def run(self, what, command, where):
        """A command as it is typed; its output is shown when it fails."""
        begin = time.monotonic()
        done = subprocess.run(["bash", "-e", "-o", "pipefail", "-c", command], cwd=where, text=True,
                              capture_output=True, env=self.environment, timeout=PATIENCE,
                              check=False)
        self.report(what, done.returncode == 0, time.monotonic() - begin,
                    f"$ {command}\n{done.stdout[-3000:]}{done.stderr[-3000:]}")
        return done

    def blocks(self, page, kind):
        return [text for found, text in BLOCK.findall((self.tree / page).read_text("utf-8"))
                if found == kind]

    def documents(self):
        return sorted(path.relative_to(self.tree) for path in
                      [self.tree / "README.md", self.tree / "CONTRIBUTING.md",
                       *self.tree.glob("docs/**/*.md"), *self.tree.glob("models/*.md")]
                      if "adr" not in path.parts and "gallery" not in path.parts)

    def readme(self, builds):
        """The shell blocks of the README, in order; models and results go to the tree's folder."""
        for number, text in enumerate(self.blocks("README.md", "sh"), 1):
            if not builds:
                text = "".join(line for line in text.splitlines(keepends=True)
                               if not BUILDS.match(line))
            if re.sub(r"#.*", "", text).strip():
                first = text.strip().splitlines()[0]
                self.run(f"README, commands {number}: {first} …", text, self.tree)

    def readme_program(self):
        """The C++ program of the README with its CMake file prints what stands below it."""
        folder = self.tree / "build" / "readme"
        folder.mkdir(parents=True, exist_ok=True)
        sources, cmake = self.blocks("README.md", "cpp"), self.blocks("README.md", "cmake")
        if not sources or not cmake:
            return
        (folder / "main.cpp").write_text(sources[0], "utf-8")
        (folder / "CMakeLists.txt").write_text(cmake[0], "utf-8")
        done = self.run("README, program in C++",
                        f"cmake -S . -B build -DCMAKE_PREFIX_PATH={self.home / '.local'} >/dev/null && "
                        "cmake --build build >/dev/null && build/swing", folder)
        printed = done.stdout.strip()
        page = (self.tree / "README.md").read_text("utf-8")
        self.report("README, what the program prints", printed != "" and printed in page, 0.0, printed)

    def templates(self):
        """Every template of 'picus new' as it is written: checked, then run to its end."""
        listing = subprocess.run(["picus", "completion", "words", "--", "new", "-t", ""],
                                 capture_output=True, text=True, env=self.environment, check=True)
        names = [line.split("\t")[0] for line in listing.stdout.splitlines()]
        self.report("templates", len(names) >= 7, 0.0, listing.stdout)
        for name in names:
            if name != "equations":  # tests/consumer builds and runs that one
                done = self.run(f"template {name}", f"picus new mine_{name} -t {name} && "
                                f"picus check mine_{name}.yaml --strict && "
                                f"picus run mine_{name}.yaml", self.home)
                self.templates_end_green(name, done)

    def templates_end_green(self, name, done):
        """A template is what users copy: its run must not end with a warning."""
        self.report(f"template {name}, audit", "audit: green" in done.stdout + done.stderr, 0.0,
                    done.stdout[-500:] + done.stderr[-500:])

    def models(self):
        """Every whole model of the documents passes 'picus check', unless its first line says that it
        does not, and by which message: '# expect: MESSAGE'. Models beside it are those of models/."""
        count = 0
        shutil.copytree(self.tree / "models", self.home / "models", dirs_exist_ok=True)
        for page in self.documents():
            for text in self.blocks(page, "yaml"):
                if not WHOLE_MODEL.match(text):
                    continue
                count += 1
                expected = EXPECTATION.match(text)
                path = self.home / f"{page.stem}_{count}.yaml"
                path.write_text(text, "utf-8")
                done = subprocess.run(["picus", "check", "-q", path.name], cwd=self.home, text=True,
                                      capture_output=True, env=self.environment, check=False)
                ok = done.returncode == 0
                if expected:
                    ok = not ok and expected.group(1) in done.stderr
                if not ok:
                    self.report(f"model {count} of {page}", False, 0.0, done.stdout + done.stderr)
        self.report(f"{count} models of the documents", count > 0, 0.0)

    def links(self, online):
        self.run("links within the documents", "python3 tools/check_links.py", self.tree)
        if not online:
            return
        addresses = {address for page in self.documents()
                     for address in ADDRESS.findall((self.tree / page).read_text("utf-8"))
                     if "127.0.0.1" not in address and "localhost" not in address}
        for address in sorted(addresses):
            begin, problem = time.monotonic(), ""
            try:
                request = urllib.request.Request(address, headers={"User-Agent": "picus-newcomer"})
                with urllib.request.urlopen(request, timeout=30):
                    pass
            except OSError as error:
                problem = str(error)
            self.report(address, not problem, time.monotonic() - begin, problem)

    def tutorial(self, program):
        script = self.tree / "tests" / "app" / "tutorial_test.py"
        self.run("tutorial, with what it prints", f"python3 {script} {program} {self.tree}", self.home)


def clean_clone(folder):
    tree = folder / "picus"
    subprocess.run(["git", "clone", "-q", "--no-hardlinks", str(ROOT), str(tree)], check=True)
    return tree


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--program", type=pathlib.Path, default=ROOT / "build/release/picus")
    parser.add_argument("--online", action="store_true")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="newcomer-") as folder:
        home = pathlib.Path(folder) / "home"
        (home / ".local" / "bin").mkdir(parents=True)
        if arguments.quick:
            tree = pathlib.Path(folder) / "tree"  # commands write where they are
            tree.mkdir()
            for name in ("README.md", "CONTRIBUTING.md", "docs", "models", "tools", "tests"):
                (tree / name).symlink_to(ROOT / name)
            (home / ".local" / "bin" / "picus").symlink_to(arguments.program.resolve())
            newcomer = Newcomer(tree, home)
            newcomer.readme(builds=False)
        else:
            newcomer = Newcomer(clean_clone(pathlib.Path(folder)), home)
            newcomer.environment["CCACHE_DISABLE"] = "1"
            newcomer.run("./dev demo", "./dev demo", newcomer.tree)
            used = resource.getrusage(resource.RUSAGE_CHILDREN)
            print(f"     {used.ru_utime + used.ru_stime:7.1f} s  of them processor time", flush=True)
            newcomer.run("./dev install", f"./dev install {home / '.local'}", newcomer.tree)
            newcomer.readme(builds=True)
            newcomer.readme_program()
            newcomer.tutorial(home / ".local" / "bin" / "picus")
        newcomer.templates()
        newcomer.models()
        newcomer.links(arguments.online)
    if newcomer.failures:
        print("failed: " + "; ".join(newcomer.failures))
    return 1 if newcomer.failures else 0


if __name__ == "__main__":
    sys.exit(main())
