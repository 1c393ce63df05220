#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Forges a certificate for each violated property: forge.py HEDDLE HEDDLE-JUDGE [PROGRAM.c…]

A certificate of all states together says no more than how many there are, so that the
judge has to look at the program itself. Each program of tests/programs with a property
that does not hold gets one that claims it, with the name of its own graph: none may be
accepted. Speaks TAP."""

import pathlib
import re
import subprocess
import sys
import tempfile

PROGRAMS = pathlib.Path(__file__).resolve().parents[1] / "programs"
KNOWN = ("assert", "race", "deadlock")
WORD = 2**64 - 1


def mix(h, word):
    h = (h ^ word) * 0x9E3779B97F4A7C15 & WORD
    return h ^ h >> 29


def hash_bytes(line):
    h = 0xCBF29CE484222325 ^ len(line)
    for byte in line:
        h = (h ^ byte) * 0x100000001B3 & WORD
    return mix(h, len(line))


def name_of(graph):
    """As heddle-judge names it: all lines but those with names of files."""
    h = 1
    for line in graph.removesuffix(b"\n").split(b"\n"):
        if not line.startswith(b"file "):
            h = mix(h, hash_bytes(line))
    return h


def head(path):
    """What does not hold, and what the compiler has to be told."""
    text = path.read_text(errors="replace")[:2000]
    expect = re.search(r"expect: (.*)", text)
    options = re.search(r"\* options: (.*)", text)
    files = re.search(r"\* files: (.*)", text)
    expected = dict(x.split("=") for x in expect.group(1).split()) if expect else {}
    violated = [p for p in KNOWN if expected.get(p) == "UNSAFE"]
    told = [o for o in (options.group(1).split() if options else [])
            if re.match("-[DIm]|--(32|64)", o)]
    return violated, [str(path.parent / f) for f in (files.group(1).split() if files else [])] + told


def forge(heddle, judge, path, folder):
    """Yields a property and the judge's word on it."""
    violated, told = head(path)
    if not violated:
        return
    shown = subprocess.run([heddle, "show", "--ir", str(path)] + told, capture_output=True,
                           timeout=60)
    if shown.returncode:
        return
    (folder / "code").write_bytes(shown.stdout)
    for prop in violated:
        (folder / "cert").write_text(
            f"heddle states 1\nprogram {name_of(shown.stdout):016x}\nproves {prop}\n"
            "states 20000\nend\n")
        done = subprocess.run([judge, "--timeout=2", str(folder / "code"), str(folder / "cert")],
                              capture_output=True, text=True, timeout=60)
        words = {0: "accepted", 10: "refused", 5: "unknown"}
        yield prop, words.get(done.returncode, f"status {done.returncode}")


def main():
    heddle, judge = sys.argv[1:3]
    programs = [pathlib.Path(p) for p in sys.argv[3:]] or sorted(PROGRAMS.glob("*/*.c"))
    count = failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for path in programs:
            for prop, word in forge(heddle, judge, path, pathlib.Path(folder)):
                count += 1
                good = word in ("refused", "unknown")
                failed += not good
                print(f"{'ok' if good else 'not ok'} {count} - {path.parent.name}/{path.stem} "
                      f"{prop}: {word}", flush=True)
    print(f"1..{count}")
    return failed > 0 or not count


if __name__ == "__main__":
    sys.exit(main())
