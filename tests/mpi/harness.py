#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Native replays of MPI programs, with Open MPI; speaks TAP.

    tests/mpi/harness.py [--runs=N] [--some=N] [--listed] [PATTERN...]

$HEDDLE is the program, build/heddle if unset. For every line `expect: UNSAFE
deadlock|assert OPTIONS` of the corpus `heddle fuzz --harness` writes a replay,
`make` builds it, and ./replay must show it N times of N (--runs, 2). What
LISTED names cannot be forced and is skipped, or tried with --listed, which
fails if it can after all. With --some=N one in N of them, always the same."""

import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
HEDDLE = os.path.abspath(os.environ.get("HEDDLE") or
                         os.path.join(ROOT, "build", "heddle"))
# program: why its run is not forced
LISTED = {
    "choices/grid_order.c": "what the MPI at hand answers is not forced",
    "choices/level.c": "what the MPI at hand answers is not forced",
    "choices/name.c": "what the MPI at hand answers is not forced",
    "choices/tags.c": "what the MPI at hand answers is not forced",
    "choices/computers.c": "what the MPI at hand answers is not forced",
    "choices/two_ways.c": "what the MPI at hand answers is not forced",
    "persistent/start_order.c": "what the MPI at hand answers is not forced",
    "request/some_sends.c": "what the MPI at hand answers is not forced",
    "collective/float_order.c": "the order of a sum is not forced",
    "collective/float_sums.c": "the order of a sum is not forced",
    "comm/neighbors.c": "who goes on behind a collective call first is not forced",
    "collective/nothing_from_one.c":
        "who goes on behind a collective call first is not forced",
    "comm/create_group.c": "who waits in which collective call is not forced",
    "matching/probe_two_senders.c":
        "a message that a posted receive takes at once is not forced",
    "matching/sync_stolen.c":
        "a message that a posted receive takes at once is not forced",
    "numbers/float.c": "the inputs of a violation are not handed over",
    "numbers/narrow.c": "no random input shows it",
    "window/start_first.c": "Open MPI lets the call go on",
    "comm/inter.c": "who waits in which collective call is not forced",
    "matching/probe_after_post.c":
        "a message that a posted receive takes at once is not forced",
    "numbers/sum.c": "the inputs of a violation are not handed over",
}
STATUS = {"deadlock": 10, "assert": 134}


def cases(patterns):
    for folder, _, names in sorted(os.walk(HERE)):
        for name in sorted(names):
            path = os.path.join(folder, name)
            shown = os.path.relpath(path, HERE)
            if not name.endswith(".c") or \
                    (patterns and not any(p in shown for p in patterns)):
                continue
            with open(path, encoding="utf-8") as file:
                text = file.read(4000)
            if "#pragma" in text:
                continue  # inputs of annotations have no values here
            for found in re.finditer(
                    r"expect: UNSAFE (deadlock|assert) ([^\n]*--procs=\d+[^\n]*)",
                    text):
                if ".." not in found.group(2):
                    yield shown, path, found.group(1), \
                        found.group(2).replace("*/", "").strip()


def test(path, name, options, runs):
    """What is wrong, or ''."""
    with tempfile.TemporaryDirectory(prefix="heddle-mpi.") as folder:
        done = subprocess.run(
            [HEDDLE, "fuzz", path, f"--property={name}", *shlex.split(options),
             "--time=60", "--runs=20000", "-q", f"--harness={folder}"], stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, text=True, timeout=150)
        if done.returncode != 10:
            return f"fuzz does not find it: {done.stdout}"
        made = subprocess.run(["make", "-s", "-C", folder], text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if made.returncode:
            return f"make fails\n{made.stdout}"
        for run in range(runs):
            try:
                done = subprocess.run(["./replay"], cwd=folder, timeout=60,
                                      stdin=subprocess.DEVNULL, errors="replace",
                                      stdout=subprocess.PIPE,
                                      stderr=subprocess.STDOUT)
            except subprocess.TimeoutExpired:
                return f"run {run + 1} hangs"
            if done.returncode != STATUS[name] or \
                    f"replay: {name}:" not in done.stdout:
                with open(os.path.join(folder, "schedule.h")) as file:
                    return (f"run {run + 1} ends with {done.returncode}\n"
                            f"{done.stdout[-1500:]}\n{file.read()}")
    return ""


def main():
    runs, some, listed, patterns = 2, 1, False, []
    for argument in sys.argv[1:]:
        if argument.startswith("--runs="):
            runs = int(argument[7:])
        elif argument.startswith("--some="):
            some = int(argument[7:])
        elif argument == "--listed":
            listed = True
        else:
            patterns.append(argument)
    if not shutil.which("mpicc") or not shutil.which("mpirun"):
        print("1..0 # SKIP Open MPI is not installed")
        return 0
    work = [case for case in cases(patterns)
            if zlib.crc32(f"{case[0]} {case[2]}".encode()) % some == 0]
    print(f"1..{len(work)}")
    failed = good = 0
    for number, (shown, path, name, options) in enumerate(work, 1):
        title = f"{number} - {shown} {name} {options}"
        skip = shown in LISTED and not listed
        wrong = "" if skip else test(path, name, options, runs)
        if skip or (wrong and shown in LISTED):
            print(f"ok {title} # SKIP {LISTED[shown]}")
        elif wrong or shown in LISTED:
            failed += 1
            print(f"not ok {title}")
            print("".join(f"# {line}\n" for line in
                          (wrong or "LISTED without need").split("\n")), end="")
        else:
            good += 1
            print(f"ok {title}")
        sys.stdout.flush()
    print(f"# {good} of {len(work)} violations replayed natively, {runs} of "
          f"{runs} runs each")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
