#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Weak memory against rows with known verdicts: GenMC's tests (with the number of
executions), Dartagnan's, and C litmus tests.

    bench/weak.py HEDDLE FOLDER [--list=genmc|dartagnan|litmus] [--match=TEXT]
                  [--timeout=SECONDS] [--every=N [--from=I]] [--engine=NAME] [--times] [--verbose]

FOLDER has genmc.csv, dartagnan.csv, litmus.csv and the programs beside them. Prints
a line for every row that is not as expected, and sums (seconds are processor time, with
the compiler): `other` are rows that ask for what
is no error in C, or that heddle does not look for; `counts` those with numbers of
executions, `same` those where they are equal (docs/engines/graph.md says why others are
not)."""

import argparse
import csv
import json
import os
import re
import resource
import shlex
import subprocess
import sys


def processor():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def run(command, seconds, cwd=None):
    """What it prints, and the processor time it took."""
    start = processor()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds + 5, cwd=cwd)
        out = done.stdout or done.stderr
    except subprocess.TimeoutExpired:
        out = ""
    return out, processor() - start


def verify(args, path, options, cwd=None):
    command = [args.heddle, "verify", path, "--format=json", f"--timeout={args.timeout}", *options]
    if args.engine:
        command.append(f"--engine={args.engine}")
    out, seconds = run(command, args.timeout, cwd)
    try:
        found = json.loads(out)
    except ValueError:
        return {"verdict": "none", "why": out.strip().splitlines()[-1:] or ["nothing"], "statistics": {}}, seconds
    why = [p["reason"] for p in found.get("properties", []) if p["verdict"] == "unknown"]
    bad = [p["name"] for p in found.get("properties", []) if p["verdict"] == "unsafe"]
    return {"verdict": found["verdict"], "why": why[:1], "bad": bad, "statistics": found["statistics"]}, seconds


def genmc(args):
    base = os.path.join(args.folder, "genmc")
    for row in csv.DictReader(open(os.path.join(args.folder, "genmc.csv"))):
        flags = shlex.split(row["genmc_flags"])
        options = ["--memory-model=" + {"RC11": "c11", "SC": "sc"}[row["model"]]]
        race = "-disable-race-detection" not in flags
        if not race and row["model"] == "RC11":
            options = ["--memory-model=rc11"]
        sync = ",sync" if "uninit" in row["property"] else ""
        options.append("--property=assert,memory" + sync + (",race" if race else ""))
        options.append("--no-spurious")
        for flag in flags:
            if flag.startswith("-unroll=") and "-no-unroll" not in row["genmc_flags"]:
                options.append("--unwind=" + str(max(1, int(flag.split("=")[1]) - 1)))
        options += shlex.split(row["cc_flags"])
        options.append("--std=gnu2x")  # GenMC ends release sequences as C23 does
        yield row["path"] + " " + row["model"], os.path.join(base, row["path"]), options, base, row


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("heddle")
    parser.add_argument("folder")
    parser.add_argument("--list", default="genmc")
    parser.add_argument("--match", default="")
    parser.add_argument("--engine", default="")
    parser.add_argument("--timeout", type=float, default=5)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--from", type=int, default=0, dest="first")
    parser.add_argument("--times", action="store_true", help="of every row of genmc.csv")
    parser.add_argument("--verbose", action="store_true")
    args = parser.parse_args()
    args.heddle, args.folder = os.path.abspath(args.heddle), os.path.abspath(args.folder)
    LISTS[args.list](args)


# What GenMC reports there is no error in C (malloc and aligned_alloc return null, C17 7.22.3),
# or nothing that heddle looks for.
OTHER = ("liveness", "valid-memory(alloc)", "annotation", "saver")


def compare_genmc(args):
    sums = dict.fromkeys(("rows", "right", "wrong", "open", "other", "counts", "same", "seconds"), 0)
    times = []
    for number, (name, path, options, base, row) in enumerate(genmc(args)):
        if args.match not in name or number % args.every != args.first or path.endswith(".cpp"):
            continue
        found, seconds = verify(args, path, options, base)
        times.append(seconds)
        if args.times:
            print(f"time {seconds:.2f} {name} [{row['genmc_flags']}] {row['cc_flags']}")
        sums["rows"] += 1
        sums["seconds"] += seconds
        cut = found["verdict"] == "unknown" and "--unwind" in str(found["why"])
        verdict = "safe" if cut and row["expected"] == "safe" else found["verdict"]
        key = "right" if verdict == row["expected"] else "wrong" if verdict in ("safe", "unsafe") else "open"
        if key != "right" and row["expected"] == "unsafe" and row["property"] in OTHER:
            key = "other"
        sums[key] += 1
        count = found["statistics"].get("graph.executions")
        text = ""
        if key == "right" and row["expected"] == "safe" and count is not None and row["executions"]:
            sums["counts"] += 1
            same = int(count) == int(row["executions"])
            sums["same"] += same
            text = "" if same else f"executions {int(count)}, expected {row['executions']}"
        if key != "right" or text or args.verbose:
            print(f"{key:6} {seconds:6.2f} s  {name} [{row['genmc_flags']}] expected {row['expected']} {row['property']}: "
                  f"{found['verdict']} {found.get('bad', '')} {found['why']} {text}", flush=True)
    times.sort()
    sums["median"] = times[len(times) // 2] if times else 0
    print(" ".join(f"{k}={v:.2f}" if isinstance(v, float) else f"{k}={v}" for k, v in sums.items()))


def dartagnan(args):
    base = os.path.join(args.folder, "dartagnan")
    for row in csv.DictReader(open(os.path.join(args.folder, "dartagnan.csv"))):
        if row["property"] != "PROGRAM_SPEC":
            continue  # termination is none of heddle's properties
        options = ["--memory-model=" + ("tso" if row["model"] == "TSO" else "c11"), "--property=assert",
                   "-I", os.path.join(base, "include"), *shlex.split(row["cc_flags"])]
        expected = "safe" if row["expected"].startswith("safe") else row["expected"]
        yield row, " ".join((row["c_source"], row["model"], row["cc_flags"])), \
            os.path.join(base, row["c_source"]), options, expected


def litmus(args):
    for row in csv.DictReader(open(os.path.join(args.folder, "litmus.csv"))):
        reached = (row["expected"] == "PASS") == (row["quantifier"] == "exists")
        yield row, row["path"], os.path.join(args.folder, "litmus", row["path"]), [], "unsafe" if reached else "safe"


def compare_verdicts(args, rows):
    sums = dict.fromkeys(("rows", "right", "wrong", "open"), 0)
    for number, (row, name, path, options, expected) in enumerate(rows(args)):
        if args.match not in name or number % args.every != args.first:
            continue
        found, seconds = verify(args, path, options)
        verdict = found["verdict"]
        key = "right" if verdict == expected else "wrong" if verdict in ("safe", "unsafe") else "open"
        sums["rows"] += 1
        sums[key] += 1
        if key != "right" or args.verbose:
            print(f"{key:6} {seconds:6.2f} s  {name}: expected {row['expected']}, {verdict} {found['why']}", flush=True)
    print(" ".join(f"{k}={v}" for k, v in sums.items()))


LISTS = {"genmc": compare_genmc, "dartagnan": lambda args: compare_verdicts(args, dartagnan),
         "litmus": lambda args: compare_verdicts(args, litmus)}

if __name__ == "__main__":
    sys.exit(main())
