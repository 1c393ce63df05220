#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Plants faults in heddle-judge, one at a time, and tells which the cases catch.

    plant.py [--least=N] [NAME…]      all faults, or those whose name has NAME

Builds heddle-judge from the sources in a folder of its own with $CC (default cc).
Fails when a fault does not build, or when more than one in twenty is not caught."""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import run
from faults import FAULTS

SRC = pathlib.Path(__file__).resolve().parents[2] / "src"
CC = [os.environ.get("CC", "cc"), "-std=c17", "-O1", "-D_GNU_SOURCE", "-w", f"-I{SRC}"]


def sources():
    """What it links, below src/."""
    text = (SRC / "judge" / "meson.build").read_text()
    names = re.findall(r"'([^']*\.c)'", text)
    return [n[3:] if n.startswith("../") else f"judge/{n}" for n in names]


def compile_one(source, target):
    subprocess.run(CC + ["-c", str(source), "-o", str(target)], check=True)


def build(folder):
    """Objects of all sources, by name."""
    objects = {n: folder / (n.replace("/", "_") + ".o") for n in sources()}
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        list(pool.map(lambda n: compile_one(SRC / n, objects[n]), objects))
    return objects


def link(objects, target):
    subprocess.run([CC[0], "-o", str(target)] + [str(o) for o in objects.values()] + ["-lm"],
                   check=True)


def wrong_cases(judge):
    def is_wrong(code):
        try:
            return not run.expected(code, run.verdict(judge, code))
        except subprocess.TimeoutExpired:
            return True
    return [c.stem for c in run.cases() if is_wrong(c)]


def plant(fault, objects, folder):
    """The cases that catch it; None: it is not planted."""
    name, file, old, new = fault
    where = os.path.normpath(f"check/{file}" if "/" in file else f"check/notes/{file}")
    text = (SRC / where).read_text()
    if text.count(old) != 1:
        print(f"not planted: {name}: {file} has {text.count(old)} such places")
        return None
    faulty = folder / pathlib.Path(file).name
    faulty.write_text(text.replace(old, new))
    other = dict(objects)
    other[where] = folder / "faulty.o"
    try:
        compile_one(faulty, other[where])
        link(other, folder / "judge")
    except subprocess.CalledProcessError:
        print(f"does not build: {name}")
        return None
    return wrong_cases(str(folder / "judge"))


def main():
    wanted = [a for a in sys.argv[1:] if not a.startswith("--")]
    faults = [f for f in FAULTS if not wanted or any(w in f[0] for w in wanted)]
    caught = broken = 0
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        objects = build(folder)
        link(objects, folder / "judge")
        wrong = wrong_cases(str(folder / "judge"))
        if wrong:
            print("without a fault:", ", ".join(wrong))
            return 1
        for fault in faults:
            by = plant(fault, objects, folder)
            broken += by is None
            caught += bool(by)
            if not by:
                print(f"not caught: {fault[0]}")
    print(f"{caught} of {len(faults)} faults caught by {len(run.cases())} cases")
    return broken > 0 or caught * 20 < len(faults) * 19


if __name__ == "__main__":
    sys.exit(main())
