#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Verifies the OpenMP programs of this folder; speaks TAP.

    tests/openmp/run.py [--seconds=S] [PATTERN...]

$HEDDLE is the program. The head of each says what is true of its races, or of
another property. SAFE must be proved, which is then so for teams of any size;
UNSAFE must be shown by a run, and must not be proved safe by the engine alone;
UNKNOWN: neither a proof nor a run is found. A number behind it is the line of the
violation. `compare`: the program with and without OpenMP. `procs: N`: it calls MPI,
and has N processes."""

import glob
import os
import re
import shutil
import subprocess
import sys

HERE = os.path.dirname(os.path.abspath(__file__))
HEDDLE = os.environ.get("HEDDLE") or os.path.join(HERE, "../../build/heddle")
EXIT = {"SAFE": 0, "UNSAFE": 10, "UNKNOWN": 5}


def verify(file, about, seconds, *options):
    if about == "compare":
        return subprocess.run(
            [HEDDLE, "compare", file, file, f"--timeout={seconds}"],
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
    return subprocess.run(
        [HEDDLE, "verify", file, f"--property={about}", f"--timeout={seconds}",
         *options], stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        errors="replace")


def main():
    seconds, patterns = 20, []
    for argument in sys.argv[1:]:
        if argument.startswith("--seconds="):
            seconds = int(argument[10:])
        else:
            patterns.append(argument)
    beside = os.path.join(os.path.dirname(os.path.abspath(HEDDLE)), "heddle-cc")
    if not shutil.which("clang-19") or not os.path.exists(beside):
        print("1..1\nok 1 - OpenMP # SKIP there is no heddle-cc or no clang-19")
        return 0
    files = [f for f in sorted(glob.glob(os.path.join(HERE, "*.c")))
             if not patterns or any(p in f for p in patterns)]
    print(f"1..{len(files)}")
    failed = 0
    for i, file in enumerate(files, 1):
        with open(file, encoding="utf-8") as source:
            text = source.read()
        about, expected, line = re.search(r"expect: (\w+) (\w+)(?: (\d+))?",
                                          text).groups()
        procs = re.search(r"procs: (\d+)", text)
        done = verify(file, about, seconds,
                      *([f"--procs={procs.group(1)}"] if procs else []))
        good = done.returncode == EXIT[expected]
        if good and line:
            good = f"{os.path.basename(file)}:{line} " in done.stdout
        if good and expected == "UNSAFE" and about != "compare" and not procs:
            done = verify(file, about, seconds, "--engine=teams")
            good = done.returncode == EXIT["UNKNOWN"]
        failed += not good
        print(f"{'ok' if good else 'not ok'} {i} - {os.path.basename(file)}",
              flush=True)
        if not good:
            for line in done.stdout.splitlines()[-4:]:
                print(f"#   {line}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
