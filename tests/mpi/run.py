#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs the MPI programs of this folder; speaks TAP.

    tests/mpi/run.py verify [--jobs=N] [--seconds=S] [PATTERN...]
    tests/mpi/run.py outcomes [--jobs=N] [--seconds=S] [PATTERN...]
    tests/mpi/run.py fuzz [--jobs=N] [--seconds=S] [PATTERN...]
    tests/mpi/run.py native [--runs=N] [PATTERN...]

$HEDDLE is the program, build/heddle if unset. A program is every .c file whose
head has an `expect:` line; README.md says what the lines mean. With PATTERNs,
those whose path contains one of them.

verify: `heddle verify` (`compare` where there is a spec:) must say what each
expect line says, in both modes of deadlock unless the line names one (those
with annotations in one). UNKNOWN is
a failure unless unknown.txt lists the file, with a reason; an entry that is not
needed any more is a failure, too.

outcomes: the concrete machine (`heddle verify --outcomes`), which tries every
interleaving, must say the same about programs without annotations, up to 5
processes.

fuzz: `heddle fuzz` must find what is UNSAFE, and nothing in what is SAFE.

native: the programs are compiled by mpicc and run by mpirun; skipped where Open
MPI is not installed."""

import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
HEDDLE = os.path.abspath(os.environ.get("HEDDLE") or
                         os.path.join(ROOT, "build", "heddle"))
CC = os.environ.get("HEDDLE_CC") or \
    os.path.join(os.path.dirname(HEDDLE), "heddle-cc")
UNKNOWN = os.path.join(HERE, "unknown.txt")
LINE = re.compile(r"^\s*(?:/\*|\*)\s*(expect|native|spec|part|what):"
                  r"\s*(.*?)\s*(?:\*/)?\s*$")
MOST = 5  # processes of which every interleaving is tried
EXIT = {"safe": 0, "unsafe": 10, "unknown": 5}
# Their violations need one input of very many, which only lise finds.
RARE = {"numbers/least.c", "numbers/narrow.c", "numbers/shift.c", "numbers/wraps.c"}
PATIENCE = 12  # times as long, when something that is decided is not


class Problem(Exception):
    """Why a test failed."""


class Expected:
    """A line `expect: VERDICT [PROPERTY] OPTIONS`."""

    def __init__(self, text):
        words = shlex.split(text)
        if not words or words[0] not in ("SAFE", "UNSAFE", "UNPROVED"):
            raise Problem(f"expect: '{text}' is not understood")
        verdict = words.pop(0)
        self.safe, self.unproved = verdict == "SAFE", verdict == "UNPROVED"
        self.properties = []
        if verdict == "UNSAFE":
            self.properties = words.pop(0).split("|")
        self.options = words
        self.modes = ["absolute", "potential"]
        for word in words:
            if word.startswith("--deadlock="):
                self.modes = [word[11:]]
        self.options = [w for w in words if not w.startswith("--deadlock=")]
        self.text = text


class Program:
    def __init__(self, path):
        self.path, self.name = path, os.path.relpath(path, HERE)
        self.expect, self.native, self.spec, self.part = [], None, None, False
        self.what = None
        for key, value in head_of(path):
            if key == "expect":
                self.expect.append(Expected(value))
            elif key == "spec":
                self.spec = os.path.join(os.path.dirname(path), value)
            elif key == "part":
                self.part = True
            else:
                setattr(self, key, value)
        with open(path, encoding="utf-8") as file:
            self.annotated = re.search(r"#pragma (TASS|heddle)", file.read())
        if self.part:
            return
        if not self.expect or not self.native or not self.what:
            raise Problem("the head lacks 'expect:', 'native:' or 'what:'")
        if not re.match(r"(none|exit=\d+ procs=\d+( output=\".*\")?)$",
                        self.native):
            raise Problem(f"native: '{self.native}' is not understood")


def head_of(path):
    found = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            match = LINE.match(line)
            if match:
                found.append(match.groups())
            elif not line.startswith("/* SPDX") and \
                    not re.match(r"^\s*\*", line):
                break
    return found


def programs(patterns):
    for folder, subfolders, files in sorted(os.walk(HERE)):
        subfolders.sort()
        for file in sorted(files):
            path = os.path.join(folder, file)
            name = os.path.relpath(path, HERE)
            if not file.endswith(".c") or \
                    (patterns and not any(p in name for p in patterns)):
                continue
            try:
                program = Program(path)
            except Problem as problem:
                yield name, problem
                continue
            if not program.part:
                yield program


# --------------------------------------------------------------------- heddle


def call(words, limit, allowed=(0, 4, 5, 10)):
    shown = " ".join(shlex.quote(w) for w in ["heddle", *words])
    try:
        done = subprocess.run([HEDDLE, *words], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              errors="replace", timeout=limit)
    except subprocess.TimeoutExpired:
        raise Problem(f"{shown}\nstill runs after {limit} s")
    if done.returncode not in allowed:
        raise Problem(f"{shown}\nexits with {done.returncode}\n{done.stderr}")
    return shown, done.returncode, done.stdout


def compiled(program, defines, folder):
    """The code graph of a program, made once for all that is asked about it."""
    name = re.sub(r"\W", "_", program.name + "".join(defines))
    path = os.path.join(folder, name + ".code")
    if not os.path.exists(path):
        done = subprocess.run([CC, "--graph", *defines, program.path, "-o", path],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              errors="replace")
        if done.returncode:
            raise Problem(done.stdout)
    return path


def read_unknown():
    listed = {}
    if os.path.exists(UNKNOWN):
        with open(UNKNOWN, encoding="utf-8") as file:
            for line in file:
                words = line.split("#")[0].split(None, 1)
                if len(words) == 2:
                    listed[words[0]] = words[1].strip()
    return listed


def question(program, expected, mode, folder):
    """The command; what has no annotations is compiled once."""
    if program.spec:
        return ["compare", program.spec, program.path, *expected.options]
    if program.annotated:
        return ["verify", program.path, *expected.options,
                f"--deadlock={mode}"]
    defines = [w for w in expected.options if w.startswith("-D")]
    return ["verify", compiled(program, defines, folder),
            *(w for w in expected.options if not w.startswith("-D")),
            f"--deadlock={mode}"]


def check_verify(program, expected, mode, seconds, listed, used, folder):
    # What is left open on a machine that has other things to do, too, gets the
    # time it takes.
    for patience in (1, PATIENCE):
        limit = patience * seconds
        words = [*question(program, expected, mode, folder), "--format=json",
                 f"--timeout={limit}"]
        shown, status, out = call(words, 3 * limit + 10)
        try:
            report = json.loads(out)
        except ValueError as error:
            raise Problem(f"{shown}\nno JSON: {error}\n{out[:500]}")
        verdict = report["verdict"]
        if verdict != "unknown" or expected.unproved or program.name in listed:
            break
    ideal = verdict == "safe" and report["ideal"] and \
        "--numbers=ideal" not in words
    if status != (4 if ideal else EXIT.get(verdict)):
        raise Problem(f"{shown}\nthe verdict is {verdict}, the status {status}")
    if expected.unproved:
        if verdict == "safe":
            raise Problem(f"{shown}\nis safe, expected {expected.text}")
        return
    if verdict == "unknown":
        if program.name in listed:
            used.add(program.name)
            return
        raise Problem(f"{shown}\nis unknown: "
                      f"{[p for p in report.get('properties', [])]}"[:1500])
    if (verdict == "safe") != expected.safe:
        raise Problem(f"{shown}\nis {verdict}, expected {expected.text}\n"
                      f"{out[:1500]}")
    if expected.safe:
        return
    if report.get("difference"):
        return  # of two programs: outputs that differ
    found = {p["name"] for p in report.get("properties", [])
             if p["verdict"] == "unsafe"}
    if not found & set(expected.properties):
        raise Problem(f"{shown}\nviolates {', '.join(sorted(found))}, expected "
                      f"{' or '.join(expected.properties)}")


def test_verify(program, seconds, listed, used, folder):
    for expected in program.expect:
        modes = expected.modes
        if program.spec or (program.annotated and len(modes) > 1):
            modes = ["potential"]
        for mode in modes:
            check_verify(program, expected, mode, seconds, listed, used,
                         folder)
    return "# undecided" if program.name in used else ""


def numbers(expected):
    """The numbers of processes, and the other options."""
    rest = [w for w in expected.options if not w.startswith("--procs=")]
    low, high = 2, 2
    for word in expected.options:
        match = re.match(r"--procs=(\d+)(?:\.\.(\d+))?$", word)
        if match:
            low = int(match.group(1))
            high = int(match.group(2) or low)
    return range(low, high + 1), rest


def space_of(path, procs, seconds):
    """What the concrete machine finds: violated properties, deadlocks."""
    shown, status, out = call(
        ["verify", "--outcomes", path, f"--procs={procs}",
         f"--timeout={seconds}"], 3 * seconds + 10, (0, 5))
    found = set(re.findall(r"^violates: (\w+)$", out, re.M))
    deadlock = re.search(r"^deadlock: (\w+)$", out, re.M)
    return shown, status == 0, found, deadlock and deadlock.group(1)


def is_for_runs(expected):
    """Runs neither leave things open nor look for more than usual."""
    return not expected.unproved and \
        not any(w.startswith("--check=") for w in expected.options)


def test_outcomes(program, seconds, folder):
    if program.annotated:
        return "# SKIP has annotations"
    note = ""
    for expected in program.expect:
        if program.name in RARE and not expected.safe:
            note = "# SKIP needs one input of many"
            continue
        if not is_for_runs(expected):
            note = "# SKIP what verify alone is asked"
            continue
        procs, rest = numbers(expected)
        for n in procs:
            if n > MOST:
                note = "# SKIP too many interleavings"
                continue
            for patience in (1, PATIENCE):
                shown, complete, found, deadlock = space_of(
                    compiled(program, rest, folder), n, patience * seconds)
                if complete or expected.safe or found or deadlock:
                    break
            for mode in expected.modes:
                here = set(found)
                if deadlock == "absolute" or (deadlock and mode == "potential"):
                    here.add("deadlock")
                if expected.safe and here:
                    raise Problem(f"{shown}\n{mode}: finds {sorted(here)}, "
                                  f"expected {expected.text}")
                if not expected.safe and not here & set(expected.properties):
                    raise Problem(f"{shown}\n{mode}: finds {sorted(here)}, "
                                  f"expected {expected.text}")
            if not complete:
                note = "# not all interleavings"
    return note


def test_fuzz(program, seconds, folder):
    if program.annotated:
        return "# SKIP has annotations"
    for expected in program.expect:
        if (program.name in RARE and not expected.safe) or \
                not is_for_runs(expected):
            continue
        procs, rest = numbers(expected)
        for mode in expected.modes:
            n = procs[-1]
            for patience in (1, PATIENCE):
                limit = patience * seconds
                shown, _, out = call(
                    ["fuzz", compiled(program, rest, folder), f"--procs={n}",
                     f"--deadlock={mode}", f"--time={limit}", "--runs=200",
                     "--format=json"], 3 * limit + 10)
                report = json.loads(out)
                found = {p["name"] for p in report["properties"]
                         if p["verdict"] == "unsafe"}
                if expected.safe or found:
                    break
            if expected.safe and found:
                raise Problem(f"{shown}\nfinds {sorted(found)}")
            if not expected.safe and not found & set(expected.properties):
                raise Problem(f"{shown}\nfinds {sorted(found)}, expected "
                              f"{expected.text}")
    return ""


# --------------------------------------------------------------------- native


def mpirun():
    """The command that starts a program, or None."""
    if not shutil.which("mpicc") or not shutil.which("mpirun"):
        return None
    version = subprocess.run(["mpirun", "--version"], stdout=subprocess.PIPE,
                             stderr=subprocess.DEVNULL, errors="replace").stdout
    if "Open MPI" not in version:
        return None
    return ["mpirun", "--oversubscribe", "--allow-run-as-root", "--quiet",
            "--mca", "btl", "self,vader", "--mca", "btl_base_warn_component_unused",
            "0", "--mca", "mpi_yield_when_idle", "1"]


def test_native(program, folder, runs):
    if program.native == "none":
        return "# SKIP is not run"
    match = re.match(r"exit=(\d+) procs=(\d+)(?: output=\"(.*)\")?$",
                     program.native)
    exe = os.path.join(folder, re.sub(r"\W", "_", program.name))
    done = subprocess.run(["mpicc", "-std=gnu11", "-g", "-w", program.path, "-o",
                           exe, "-lm"], stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, errors="replace")
    if done.returncode:
        raise Problem(done.stdout)
    for _ in range(runs):
        try:
            done = subprocess.run([*mpirun(), "-np", match.group(2), exe],
                                  stdin=subprocess.DEVNULL,
                                  stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, errors="replace",
                                  timeout=60)
        except subprocess.TimeoutExpired:
            raise Problem("does not end")
        if str(done.returncode) != match.group(1):
            raise Problem(f"ends with {done.returncode}\n{done.stderr}")
        text = done.stdout.rstrip("\n").replace("\n", "\\n")
        if match.group(3) is not None and text != match.group(3):
            raise Problem(f"prints {text}, expected {match.group(3)}")
    return ""


# ----------------------------------------------------------------------- main


def skip(why):
    print(f"1..1\nok 1 - MPI programs # SKIP {why}")
    return 0


def main():
    jobs, seconds, runs, words = min(2, os.cpu_count() or 1), 10, 1, []
    for argument in sys.argv[1:]:
        if argument.startswith("--jobs="):
            jobs = max(1, int(argument[7:]))
        elif argument.startswith("--seconds="):
            seconds = float(argument[10:])
        elif argument.startswith("--runs="):
            runs = int(argument[7:])
        elif argument.startswith("-"):
            sys.exit(__doc__)
        else:
            words.append(argument)
    if not words or words[0] not in ("verify", "outcomes", "fuzz", "native"):
        sys.exit(__doc__)
    mode, patterns = words[0], words[1:]
    if mode == "native":
        if not mpirun():
            return skip("Open MPI is not installed")
        jobs = 1
    elif not os.path.exists(CC) or \
            not shutil.which("clang-19"):
        return skip("there is no heddle-cc or no clang-19")
    work = list(programs(patterns))
    listed, used = read_unknown(), set()
    with tempfile.TemporaryDirectory(prefix="heddle-mpi.") as folder, \
            concurrent.futures.ThreadPoolExecutor(jobs) as pool:

        def one(program):
            start = time.time()
            if isinstance(program, tuple):
                return program[1], 0
            try:
                if mode == "verify":
                    result = test_verify(program, seconds, listed, used,
                                         folder)
                elif mode == "outcomes":
                    result = test_outcomes(program, seconds, folder)
                elif mode == "fuzz":
                    result = test_fuzz(program, seconds, folder)
                else:
                    result = test_native(program, folder, runs)
                return result, time.time() - start
            except Problem as problem:
                return problem, time.time() - start

        extra = mode == "verify" and not patterns
        print(f"1..{len(work) + extra}", flush=True)
        failed, times, start = 0, [], time.time()
        for i, (program, (result, took)) in enumerate(
                zip(work, pool.map(one, work)), 1):
            name = program[0] if isinstance(program, tuple) else program.name
            times.append((took, name))
            if isinstance(result, Problem):
                failed += 1
                print(f"not ok {i} - {name}")
                for line in str(result).splitlines():
                    print(f"#   {line}")
            else:
                print(f"ok {i} - {name} {result}".rstrip())
            sys.stdout.flush()
    if extra:
        rest = sorted(set(listed) - used)
        failed += bool(rest)
        print(f"{'not ok' if rest else 'ok'} {len(work) + 1} - unknown.txt is "
              "needed")
        for name in rest:
            print(f"#   {name} is decided now: take it out")
    print(f"# {len(work)} programs, {failed} failed, "
          f"{time.time() - start:.0f} s")
    print("# slowest: " + ", ".join(f"{n} {t:.1f} s"
                                    for t, n in sorted(times)[:-6:-1]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
