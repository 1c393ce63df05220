#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""OpenMP programs with known races (DataRaceBench) against `heddle verify`.

    bench/openmp.py HEDDLE FOLDER [--match=TEXT] [--timeout=SECONDS] [--verbose]

FOLDER has dataracebench.csv (path, expected, features, …) and the programs. A row
is decided when race is called safe or unsafe, and right when that is what is
expected. Of an unsafe row the two lines are held against those of the file's
comment (x@LINE:COLUMN:W vs. …). Prints a line for each row that is open or wrong
or has other lines (--verbose: for each row), what is open by reason, and sums.
Times are of the processor, the compiler included."""

import argparse
import collections
import csv
import json
import os
import re
import resource
import statistics
import subprocess
import sys


def named_pairs(text):
    """Pairs of lines that the comment names; None: it names none."""
    pairs, one = set(), r"@\s*(\d+)(?::\d+)?(?:[:@][RW])?"
    for m in re.finditer(one + r"\s*vs\.?\s+[^@\n]*" + one, text):
        pairs.add(tuple(sorted((int(m.group(1)), int(m.group(2))))))
    sets = dict(re.findall(r"(Write_set|Read_set)\s*=\s*\{([^}]*)\}", text))
    lines = {k: [int(n) for n in re.findall(r"@(\d+)", v)] for k, v in sets.items()}
    for a in lines.get("Write_set", []):
        for b in lines.get("Write_set", []) + lines.get("Read_set", []):
            pairs.add(tuple(sorted((a, b))))
    return pairs or None


def seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def verify(args, row):
    path = os.path.join(args.folder, row["path"])
    start = seconds()
    try:
        done = subprocess.run(
            [args.heddle, "verify", path, "--property=race", "--format=json",
             f"--timeout={args.timeout}", *row.get("cc_flags", "").split()],
            capture_output=True, text=True, timeout=3 * args.timeout + 20)
        found = json.loads(done.stdout)["properties"][0]
    except subprocess.TimeoutExpired:
        found = {"verdict": "unknown", "reason": "did not end", "violation": None}
    except (ValueError, KeyError, IndexError):
        last = (done.stderr.strip() or "nothing").splitlines()[0]
        found = {"verdict": "unknown", "reason": last, "violation": None}
    row["time"] = seconds() - start
    row["verdict"], row["why"] = found["verdict"], found.get("reason") or ""
    row["named"] = named_pairs(open(path, errors="replace").read())
    v = found.get("violation")
    row["pair"] = None
    if v and v.get("other"):
        row["pair"] = tuple(sorted((v["at"]["line"], v["other"]["line"])))


def general(why):
    """A reason without places and numbers."""
    return re.sub(r"[\w./-]*\.(c|cpp):\d+(:\d+)?:?|\d+", "…", why).strip()


def main():
    p = argparse.ArgumentParser()
    p.add_argument("heddle")
    p.add_argument("folder")
    p.add_argument("--match", default="")
    p.add_argument("--timeout", type=int, default=5)
    p.add_argument("--verbose", action="store_true")
    args = p.parse_args()
    with open(os.path.join(args.folder, "dataracebench.csv")) as f:
        rows = [r for r in csv.DictReader(f) if args.match in r["path"]]
    count, why = collections.Counter(), collections.Counter()
    for r in rows:
        verify(args, r)
        state = ("open" if r["verdict"] == "unknown" else
                 "right" if r["verdict"] == r["expected"] else "WRONG")
        lines = ""
        if state == "right" and r["expected"] == "unsafe" and r["named"]:
            good = r["pair"] in r["named"]
            count["pair right" if good else "pair other"] += 1
            lines = "" if good else f"  {r['pair']} of {sorted(r['named'])}"
        count[state] += 1
        count[f"{r['expected']} {state}"] += 1
        why[general(r["why"])] += state == "open"
        if args.verbose or state != "right" or lines:
            print(f"{state:5} {r['expected']:6} {r['time']:5.2f}s "
                  f"{os.path.basename(r['path'])} {r['why'] if state == 'open' else ''}{lines}",
                  flush=True)
    print()
    for reason, n in why.most_common():
        if n:
            print(f"{n:4}  {reason}")
    print()
    for name, n in sorted(count.items()):
        print(f"{n:4}  {name}")
    times = [r["time"] for r in rows]
    if times:
        print(f"median {statistics.median(times):.2f} s, longest {max(times):.2f} s")
    return 1 if count["WRONG"] else 0


if __name__ == "__main__":
    sys.exit(main())
