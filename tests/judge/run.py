#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Judges the cases of this folder: run.py HEDDLE-JUDGE

A case is a program's graph (NAME.code) with a certificate of it (NAME.cert).
`good-…` is a proof. Everything else is forged: it was made by a judge with a
fault, which the name tells, and says something of the program that is not so, or
is no proof of it. Speaks TAP; plant.py has the faults."""

import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).parent


def verdict(judge, code):
    """Its last word; `unreadable` for a certificate that is none."""
    done = subprocess.run([judge, str(code), str(code.with_suffix(".cert")), "--timeout=10"],
                          capture_output=True, text=True, timeout=60)
    words = {0: "accepted", 10: "refused", 5: "unknown", 2: "unreadable"}
    return words.get(done.returncode, f"status {done.returncode}")


def expected(code, word):
    return word == "accepted" if code.stem.startswith("good-") else \
        word in ("refused", "unreadable")


def cases():
    return sorted((HERE / "cases").glob("*.code"))


def main():
    found = cases()
    print(f"1..{len(found)}")
    failed = 0
    for number, code in enumerate(found, 1):
        word = verdict(sys.argv[1], code)
        good = expected(code, word)
        failed += not good
        print(f"{'ok' if good else 'not ok'} {number} - {code.stem}: {word}")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
