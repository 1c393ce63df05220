#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the programs of this folder natively, with clang's OpenMP library; speaks TAP.

    tests/openmp/native.py [--some=N] [--races] [PATTERN...]

Programs that are free of races are run with 1, 2 … 8 threads: they end, with the
same exit status and, where nothing depends on the team, the same output each time.
--races: those with a race are run under ThreadSanitizer, with the library's own
detector of its synchronisation (Archer); what is not seen there is counted, and is no
failure, as one run sees one schedule. --some=N: each N-th program."""

import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ARCHER = "/usr/lib/llvm-19/lib/libarcher.so"
# They wait for ever, or longer than a test may, or need what is not there.
SKIPPED = {"task_undeferred.c": "tasks",
           "nestlock.c": "the exit status is the number of threads",
           "testlock.c": "the exit status is the number of threads"}


def build(file, out, *flags):
    done = subprocess.run(
        ["clang-19", "-w", "-g", "-O1", "-fopenmp", *flags, file, "-lm", "-o", out],
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
    return done.returncode == 0, done.stdout


def run(program, threads, **more):
    env = dict(os.environ, OMP_NUM_THREADS=str(threads), **more)
    try:
        done = subprocess.run([program], env=env, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, errors="replace", timeout=60,
                              stdin=subprocess.DEVNULL)
    except subprocess.TimeoutExpired:
        return "does not end", ""
    return done.returncode, done.stdout


def is_of_team(text):
    return re.search(r"omp_get_|_OPENMP|threadprivate|printf", text) is not None


def run_safe(file, text, folder):
    program = os.path.join(folder, "program")
    good, said = build(file, program)
    if not good:
        return "does not compile: " + said[:200]
    ends = [run(program, n) for n in range(1, 9)]
    for n, (status, _) in enumerate(ends, 1):
        if not isinstance(status, int) or status < 0:
            return f"{n} threads: {status}"
    if not is_of_team(text) and len({status for status, _ in ends}) > 1:
        return f"ends differ: {ends}"
    return None


def run_racy(file, folder):
    program = os.path.join(folder, "racy")
    good, said = build(file, program, "-fsanitize=thread")
    if not good:
        return None
    for n in (2, 4, 8):
        _, said = run(program, n, OMP_TOOL_LIBRARIES=ARCHER,
                      TSAN_OPTIONS="ignore_noninstrumented_modules=1")
        if "data race" in said:
            return True
    return False


def main():
    some, races, patterns = 1, False, []
    for argument in sys.argv[1:]:
        if argument.startswith("--some="):
            some = int(argument[7:])
        elif argument == "--races":
            races = True
        else:
            patterns.append(argument)
    files = [f for f in sorted(glob.glob(os.path.join(HERE, "*.c")))
             if not patterns or any(p in f for p in patterns)][::some]
    if not shutil.which("clang-19") or not glob.glob("/usr/lib/llvm-19/lib/libomp.so*"):
        print("1..1\nok 1 - OpenMP natively # SKIP no clang-19 or no libomp")
        return 0
    tests, failed, seen, unseen = [], 0, 0, []
    with tempfile.TemporaryDirectory() as folder:
        for file in files:
            with open(file, encoding="utf-8") as source:
                text = source.read()
            about, expected = re.search(r"expect: (\w+) (\w+)", text).groups()
            name = os.path.basename(file)
            if "mpi.h" in text:
                continue
            if expected == "SAFE" and name not in SKIPPED:
                wrong = run_safe(file, text, folder)
                failed += wrong is not None
                tests.append(f"{'not ok' if wrong else 'ok'} {len(tests) + 1} - {name}"
                             + (f"\n# {wrong}" if wrong else ""))
            elif races and about == "race" and expected == "UNSAFE":
                found = run_racy(file, folder)
                seen += found is True
                unseen += [name] if found is False else []
    print(f"1..{len(tests)}")
    print("\n".join(tests))
    if races:
        print(f"# ThreadSanitizer sees {seen} races, and not those of {' '.join(unseen)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
