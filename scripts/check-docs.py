#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the console examples in the documentation and compares their output.

    scripts/check-docs.py [--update] HEDDLE [FILE.md...]

In a ```console block a line `$ COMMAND` is run by bash in a copy of examples/,
with heddle in the path and tests/ beside the files; the lines up to the next command must be what it
prints (standard output and error). Times and sizes in memory are not compared;
a line `...`
stands for any lines, and a line that ends so for any that begins so. --update writes what was printed into the
files instead. Prints TAP: one test a command, and one for the links to files
in each document."""

import os
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VARYING = [(re.compile(r"\b\d+\.\d+ s\b"), "T s"),
           (re.compile(r'("(?:wall|cpu|time\.\w+)": )[0-9.e-]+'), r"\1T"),
           (re.compile(r'("(?:peak|resident)": )\d+'), r"\1M"),
           (re.compile(r"\b\d+\.\d MB"), "M MB"),
           (re.compile(r"[0-9,]+/s|\b\d+%"), ""),
           (re.compile(r"[ \t]+"), " ")]


def normal(line):
    for pattern, replacement in VARYING:
        line = pattern.sub(replacement, line)
    return line.strip()


def same(expected, found):
    if expected.endswith("..."):
        return found.startswith(expected[:-3])
    return expected == found


def matches(expected, found):
    """Both are lists of lines; `...` in `expected` matches any number."""
    if not expected:
        return not found
    if expected[0].strip() == "...":
        return any(matches(expected[1:], found[i:])
                   for i in range(len(found) + 1))
    return bool(found) and same(normal(expected[0]), normal(found[0])) and \
        matches(expected[1:], found[1:])


SHOWN = re.compile(r"Shown by \w+: [a-z, ]+\. ")


def shown_once(lines):
    """Which engine is first depends on the machine, and so does what is said of its
    proof: neighbouring lines that say who has shown what are one line. Only what the
    counter engines show is one and the same."""
    kept = []
    inside = False
    for i, line in enumerate(lines):
        both = line + "".join(lines[i + 1:i + 2])
        if inside and line.startswith("  "):
            continue
        inside = bool(SHOWN.match(line)) and "counter system" not in both
        line = "Shown by" if inside else line
        if line != "Shown by" or kept[-1:] != [line]:
            kept.append(line)
    return kept


def blocks(lines):
    """(start, end) of the lines inside ```console blocks."""
    start = None
    for i, line in enumerate(lines):
        if start is None and line.strip() == "```console":
            start = i + 1
        elif start is not None and line.strip() == "```":
            yield start, i
            start = None


def commands(lines, start, end):
    """(line, command, first and last + 1 line of what it prints)."""
    at = start
    while at < end:
        here = at
        if not lines[at].startswith("$ "):
            sys.exit(f"line {at + 1}: expected a line '$ COMMAND'")
        command = lines[at][2:]
        at += 1
        while command.endswith("\\"):
            command = command[:-1] + lines[at]
            at += 1
        output = at
        while at < end and not lines[at].startswith("$ "):
            at += 1
        yield here, command, output, at


def run(command, folder, path, status):
    done = subprocess.run(["bash", "-c", f"(exit {status}); {command}"],
                          cwd=folder, stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          env=dict(os.environ, PATH=path, LC_ALL="C"),
                          errors="replace", timeout=120)
    return done.stdout.splitlines(), done.returncode


class Checker:
    def __init__(self, path, update, reads_c):
        self.path, self.update, self.reads_c = path, update, reads_c
        self.count = self.failed = 0

    def report(self, name, expected, found):
        self.count += 1
        good = matches(shown_once(expected), shown_once(found))
        print(f"{'ok' if good else 'not ok'} {self.count} - {name}")
        if not good:
            self.failed += 1
            for line in expected:
                print(f"# expected: {line}")
            for line in found:
                print(f"# found:    {line}")

    def check_links(self, file, lines):
        """Relative links must lead to something that is there."""
        broken = []
        for number, line in enumerate(lines, 1):
            for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)", line):
                path = os.path.join(os.path.dirname(file), target)
                if "://" not in target and not os.path.exists(path):
                    broken.append(f"line {number}: {target} is not there")
        self.report(f"{os.path.relpath(file, ROOT)}: links", [], broken)

    def check(self, file):
        with open(file) as text:
            lines = text.read().splitlines()
        if not self.update:
            self.check_links(file, lines)
        fresh, copied = [], 0
        for start, end in blocks(lines):
            with tempfile.TemporaryDirectory(prefix="heddle-docs") as parent:
                folder = os.path.join(parent, "examples")
                shutil.copytree(os.path.join(ROOT, "examples"), folder)
                os.symlink(os.path.join(ROOT, "tests"),
                           os.path.join(folder, "tests"))
                status = 0
                about_c = any(re.search(r"^\$ heddle .*\.c\b", line)
                              for line in lines[start:end])
                if about_c and not self.reads_c:
                    self.count += 1
                    print(f"ok {self.count} - {os.path.relpath(file, ROOT)}:"
                          f"{start} # SKIP there is no heddle-cc or no clang-19")
                    continue
                for here, command, first, last in commands(lines, start, end):
                    found, status = run(command, folder, self.path, status)
                    if self.update and status > 125 and \
                            not matches(lines[first:last], found):
                        sys.exit(f"{command}: exit status {status}")
                    name = f"{os.path.relpath(file, ROOT)}:{here + 1}: {command}"
                    expected = lines[first:last]
                    if not self.update:
                        self.report(name, expected, found)
                    elif matches(expected, found):
                        pass
                    elif any(line.endswith("...") for line in expected):
                        print(f"{name}: mend it by hand, it has '...'")
                    else:
                        fresh += lines[copied:first] + found
                        copied = last
        if self.update:
            fresh += lines[copied:]
            if fresh != lines:
                print(f"updated {file}")
                with open(file, "w") as out:
                    out.write("\n".join(fresh) + "\n")


def main():
    arguments = [a for a in sys.argv[1:] if a != "--update"]
    if not arguments:
        sys.exit(__doc__)
    files = arguments[1:]
    if not files:
        files = [os.path.join(ROOT, name) for name in
                 ("README.md", "CHANGELOG.md", "CONTRIBUTING.md")]
        for folder, _, names in sorted(os.walk(os.path.join(ROOT, "docs"))):
            files += [os.path.join(folder, n) for n in sorted(names)
                      if n.endswith(".md")]
    with tempfile.TemporaryDirectory(prefix="heddle-bin") as folder:
        os.symlink(os.path.abspath(arguments[0]), os.path.join(folder, "heddle"))
        judge = os.path.join(os.path.dirname(os.path.abspath(arguments[0])),
                             "heddle-judge")
        os.symlink(judge, os.path.join(folder, "heddle-judge"))
        beside = os.path.join(os.path.dirname(os.path.abspath(arguments[0])),
                              "heddle-cc")
        checker = Checker(folder + os.pathsep + os.environ["PATH"],
                          "--update" in sys.argv,
                          os.path.exists(beside) and shutil.which("clang-19"))
        for file in files:
            checker.check(file)
    if not checker.update:
        print(f"1..{checker.count}")
    return 1 if checker.failed else 0


if __name__ == "__main__":
    sys.exit(main())
