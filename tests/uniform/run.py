#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""heddle verify --procs=any for the programs of this folder.

Their heads say what must come out, a line each:

    any: SAFE [OPTION ...]
    any: UNKNOWN [OPTION ...]
    any: OPEN [OPTION ...]      (wrong; whether the search gets to N depends on time)
    any: UNSAFE PROPERTY[|PROPERTY] N [OPTION ...]

N is the smallest number of processes with a violation. With --search each SAFE
is also asked for every number from 2 to 6 by itself, and each UNSAFE for those
below N: another engine, which must agree.
"""
import argparse
import os
import pathlib
import re
import subprocess
import sys

HERE = pathlib.Path(__file__).parent
HEDDLE = os.environ.get("HEDDLE", "heddle")


def heads():
    for path in sorted(HERE.glob("*.c")):
        for line in path.read_text().splitlines():
            match = re.match(r"(?:/\*| \*) any: (.*?)(?: \*/)?$", line)
            if match:
                yield path, match.group(1).split()


def verify(path, options, procs):
    done = subprocess.run([HEDDLE, "verify", str(path), f"--procs={procs}",
                           "--timeout=100", *options], capture_output=True,
                          text=True)
    last = done.stdout.strip().splitlines()[-1:] or [done.stderr.strip()]
    return done.stdout, last[0]


def judge(path, words):
    verdict, rest = words[0], words[1:]
    number = 0
    if verdict == "UNSAFE":
        properties, number, options = rest[0].split("|"), int(rest[1]), rest[2:]
    else:
        options = rest
    text, last = verify(path, options, "any")
    if verdict == "OPEN":
        good = last.startswith(("verdict: unknown", "verdict: unsafe"))
        return options, number, None if good else last
    if not last.startswith(f"verdict: {verdict.lower()}"):
        return options, number, last
    if verdict == "SAFE" and "every N from 2" not in text:
        return options, number, "the answer does not say for which N"
    if verdict == "UNSAFE":
        if not any(f"\n{p}: unsafe" in text for p in properties):
            return options, number, "another property"
        if f"with {number} processes, and with no smaller" not in text:
            return options, number, f"not the smallest number, {number}"
    return options, number, None


def search(path, verdict, options, number):
    """The same by searching each number."""
    least = range(2, number if verdict == "UNSAFE" else 7)
    for n in least:
        _, last = verify(path, options, n)
        if last.startswith("verdict: unsafe"):
            return f"unsafe with {n} processes"
    return None


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--search", action="store_true")
    args = parser.parse_args()
    failed, tests = 0, list(heads())
    print(f"1..{len(tests)}")
    for i, (path, words) in enumerate(tests, 1):
        options, number, wrong = judge(path, words)
        if not wrong and args.search and words[0] not in ("UNKNOWN", "OPEN"):
            wrong = search(path, words[0], options, number)
        failed += wrong is not None
        print("not ok" if wrong else "ok", i, f"- {path.name} {' '.join(words)}",
              f"# {wrong}" if wrong else "", flush=True)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
