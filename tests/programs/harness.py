#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Native replays of what heddle finds in the corpus; speaks TAP.

    tests/programs/harness.py [--jobs=N] [--runs=N] [--some=N] [PATTERN...]

$HEDDLE is the program, build/heddle if unset. For every program of the corpus
and every property that is expected to be UNSAFE and that a native run can show,
`heddle fuzz --harness` (or verify, where chance does not find it) writes a
replay; `make` builds it, and ./replay must fail N times (--runs, 3) of N: in the
same assertion, the same race, a deadlock, or by the check of that property.
harness.txt lists what cannot be replayed, with the reason; an entry that is not
needed any more is a failure. With --some=N one in N, always the same."""

import concurrent.futures
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
LISTED = os.path.join(HERE, "harness.txt")
spec = importlib.util.spec_from_file_location(
    "corpus", os.path.join(HERE, "run.py"))
corpus = importlib.util.module_from_spec(spec)
spec.loader.exec_module(corpus)
Problem = corpus.Problem

SHOWN = ("assert", "race", "deadlock", "overflow", "arith", "memory", "sync")


def read_listed():
    """{(program, property): reason}"""
    listed = {}
    with open(LISTED, encoding="utf-8") as file:
        for line in file:
            words = line.split("#")[0].split(None, 2)
            if words:
                listed[words[0], words[1]] = words[2].strip()
    return listed


def write_harness(program, name, folder):
    """The property's object in the JSON report, after writing the folder."""
    arguments = [*corpus.arguments(program, [name]), f"--harness={folder}"]
    for command in (["fuzz", "--time=15", "--runs=5000"],
                    ["verify", "--timeout=60"]):
        _, status, out = corpus.call(
            [command[0], *arguments, *command[1:], "--format=json"], 150)
        if status == 10:
            break
    else:
        raise Problem(f"heddle does not find the violation: {status}")
    if not os.path.exists(os.path.join(folder, "Makefile")):
        raise Problem("no harness is written")
    return next(p for p in json.loads(out)["properties"] if p["name"] == name)


def build(folder):
    done = subprocess.run(["make", "-s", "-C", folder], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, errors="replace")
    if done.returncode != 0:
        raise Problem(f"make fails\n{done.stdout}")


def run_once(folder, name, found):
    """What is wrong with this run, or ''."""
    try:
        done = subprocess.run(["./replay"], cwd=folder, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              errors="replace", timeout=30)
    except subprocess.TimeoutExpired:
        return "hangs"
    expected = -6 if name == "assert" else 10
    if done.returncode != expected or f"replay: {name}:" not in done.stderr:
        return f"ends with {done.returncode}\n{done.stderr[-2000:]}"
    line = re.search(r":(\d+): \S+: Assertion", done.stderr)
    if name == "assert" and line and int(line.group(1)) != place(found):
        return f"another assertion than in line {place(found)}\n{done.stderr}"
    return ""


def place(found):
    return found["violation"]["at"]["line"]


def test(program, name, runs, listed):
    with tempfile.TemporaryDirectory(prefix="heddle-harness.") as folder:
        try:
            found = write_harness(program, name, folder)
            build(folder)
            for i in range(runs):
                wrong = run_once(folder, name, found)
                if wrong:
                    raise Problem(f"run {i + 1} {wrong}")
        except Problem as problem:
            if (program.name, name) in listed:
                return f"# SKIP {listed[program.name, name]}"
            raise problem
    if (program.name, name) in listed:
        raise Problem("harness.txt lists it without need")
    return ""


def main():
    jobs, runs, some, patterns = 2, 3, 1, []
    for argument in sys.argv[1:]:
        if re.match(r"--(jobs|runs|some)=\d+$", argument):
            number = int(argument[7:])
            jobs = number if argument.startswith("--jobs") else jobs
            runs = number if argument.startswith("--runs") else runs
            some = number if argument.startswith("--some") else some
        elif argument.startswith("-"):
            sys.exit(__doc__)
        else:
            patterns.append(argument)
    if not os.path.exists(os.path.join(os.path.dirname(corpus.HEDDLE),
                                       "heddle-cc")):
        print("1..0 # SKIP heddle-cc is not built")
        return 0
    listed = read_listed()
    work = [(program, name) for program in corpus.native.programs(patterns)
            if not isinstance(program, tuple)
            for name in SHOWN if program.expect.get(name) == "UNSAFE" and
            not program.unbounded and
            corpus.native.sampled(f"{program.name} {name}", some)]
    failed = left_out = 0
    print(f"1..{len(work)}")
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        def one(item):
            try:
                return test(*item, runs, listed)
            except Problem as problem:
                return problem
        for i, (item, result) in enumerate(zip(work, pool.map(one, work)), 1):
            name = f"{item[0].name} {item[1]}"
            if isinstance(result, Problem):
                failed += 1
                print(f"not ok {i} - {name}")
                print("".join(f"# {line}\n" for line in
                              str(result).splitlines()), end="")
            elif result:
                left_out += 1
                print(f"ok {i} - {name} {result}")
            else:
                print(f"ok {i} - {name}")
            sys.stdout.flush()
    good = len(work) - failed - left_out
    print(f"# {good} of {len(work)} violations replayed natively, "
          f"{runs} of {runs} runs each")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
