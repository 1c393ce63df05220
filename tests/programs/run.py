#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Verifies every C program of the corpus; speaks TAP.

    tests/programs/run.py verify [--jobs=N] [--seconds=S] [--some=N] [--bench]
        [PATTERN...]
    tests/programs/run.py fuzz [--jobs=N] [--seconds=S] [--bench] [PATTERN...]
    tests/programs/run.py unfold [--jobs=N] [--seconds=S] [--bench]
        [--domain=NAME] [PATTERN...]
    tests/programs/run.py ENGINE [--jobs=N] [--seconds=S] [--some=N] [--bench]
        [PATTERN...]

$HEDDLE is the program, build/heddle if unset. The programs, and what the lines
in their heads mean, are those of native/run.py. With PATTERNs, those whose path
contains one of them. With --bench also those of bench/unfold, with --some=N one in
N, always the same.

verify: `heddle verify` with the file's options and the properties that its
`expect:` names. Another verdict than the expected one is a failure. UNKNOWN is
one too, unless unknown.txt lists the file and the property with a reason. A
line there that begins with `wrong` says that heddle is known to answer safe
where it should not, one with `maybe` that a slow machine may leave it open. An
entry that is not needed any more is a failure as well. A schedule that is
written must be accepted by `heddle check`. Of the verdicts on races and
deadlocks in the folders of these names at most one in ten may be UNKNOWN.

fuzz: `heddle fuzz` must find the violation of every property that is expected
to be UNSAFE, and none of another.

unfold, modular, explore, graph, views, pairs: the engine of that name alone must not give a
wrong verdict, nor end with an error. The last lines say how much it proves and how
many violations it shows."""

import concurrent.futures
import importlib.util
import json
import os
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
UNKNOWN = os.path.join(HERE, "unknown.txt")
EXIT = {"safe": 0, "unsafe": 10, "unknown": 5}
ALONE = ("unfold", "modular", "explore", "graph", "views", "pairs")
PATIENCE = 12  # times as long, when something that is decided is not

spec = importlib.util.spec_from_file_location(
    "native", os.path.join(HERE, "native", "run.py"))
native = importlib.util.module_from_spec(spec)
spec.loader.exec_module(native)
Problem = native.Problem


def read_unknown():
    """{(program, property): reason}; known wrong answers begin with `wrong`, what
    takes long with `maybe`"""
    listed = {}
    if not os.path.exists(UNKNOWN):
        return listed
    with open(UNKNOWN, encoding="utf-8") as file:
        for number, line in enumerate(file, 1):
            words = line.split("#")[0].split(None, 2)
            if not words:
                continue
            mark = words[0] if words[0] in ("wrong", "maybe") else ""
            if mark:
                words = line.split("#")[0].split(None, 3)[1:]
            if len(words) < 3:
                sys.exit(f"{UNKNOWN}:{number}: expected PROGRAM PROPERTY REASON")
            for name in words[1].split(","):
                listed[words[0], name] = \
                    (mark + ": " if mark else "") + words[2].strip()
    return listed


def arguments(program, properties):
    return [program.path, *program.files, *shlex.split(program.options),
            f"--property={','.join(properties)}"]


def call(command, limit):
    """(status, output, errors) of heddle; a limit that it does not keep is a
    failure."""
    shown = " ".join(shlex.quote(w) for w in ["heddle", *command])
    try:
        done = subprocess.run([HEDDLE, *command], stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              errors="replace", timeout=limit)
    except subprocess.TimeoutExpired:
        raise Problem(f"{shown}\nstill runs after {limit} s")
    if done.returncode not in (0, 5, 10):
        raise Problem(f"{shown}\nexits with {done.returncode}\n{done.stderr}")
    return shown, done.returncode, done.stdout


def answers(command, limit):
    """{property: its object in the JSON report}, after a look at whether the
    parts of the report agree."""
    shown, status, out = call([*command, "--format=json"], limit)
    try:
        report = json.loads(out)
    except ValueError as error:
        raise Problem(f"{shown}\nno JSON: {error}")
    found = {p["name"]: p for p in report["properties"]}
    verdicts = [p["verdict"] for p in found.values()]
    worst = ("unsafe" if "unsafe" in verdicts else
             "unknown" if "unknown" in verdicts else "safe")
    if report["verdict"] != worst or status != EXIT[worst]:
        raise Problem(f"{shown}\nthe properties are {verdicts}, the verdict is "
                      f"{report['verdict']}, the exit status {status}")
    for p in found.values():
        if p["verdict"] == "unsafe" and not (p["checked"] and
                                             p["trace"]["steps"]):
            raise Problem(f"{shown}\n{p['name']}: no checked run")
    return shown, found


def check_schedule(program, properties, file):
    """What verify wrote leads to a violation, says check."""
    files = [program.path, *program.files]
    rest = arguments(program, properties)[len(files):]
    shown, status, out = call(["check", *files, file, *rest], 60)
    if status != 0:
        raise Problem(f"{shown}\nrefuses what verify wrote: {out}")


def test_verify(program, seconds, listed, used, verdicts):
    properties = list(program.expect)
    with tempfile.TemporaryDirectory(prefix="heddle-programs.") as folder:
        file = os.path.join(folder, "schedule")
        # What is left open on a machine that has other things to do, too, gets
        # the time it takes.
        for patience in (1, PATIENCE):
            limit = patience * seconds
            shown, found = answers(
                ["verify", *arguments(program, properties),
                 f"--timeout={limit}", f"--witness={file}"], 4 * limit + 20)
            if not any(found[n]["verdict"] == "unknown" and
                       (program.name, n) not in listed for n in properties):
                break
        unsafe = [n for n in properties if found[n]["verdict"] == "unsafe"]
        if unsafe:
            check_schedule(program, properties, file)
    verdicts += [(program.name, n, found[n]["verdict"]) for n in properties]
    undecided = []
    for name in properties:
        verdict, expected = found[name]["verdict"], program.expect[name].lower()
        reason = listed.get((program.name, name), "")
        if verdict == "safe" and expected == "unsafe" and \
                reason.startswith("wrong"):
            used.add((program.name, name))
            undecided.append(f"{name} is WRONG")
            continue
        if verdict == "unknown":
            undecided.append(name)
            if reason and not reason.startswith("wrong"):
                used.add((program.name, name))
                continue
            raise Problem(f"{shown}\n{name} is unknown "
                          f"({found[name]['reason']}), expected {expected}")
        if verdict != expected:
            raise Problem(f"{shown}\n{name} is {verdict}, expected {expected}: "
                          f"{found[name].get('violation')}")
    return f"# undecided: {', '.join(undecided)}" if undecided else ""


def test_fuzz(program, seconds, listed):
    """Each property alone, so that none hides behind another; threads as many
    as there are."""
    slowest = 0
    for option in ("--threads=unbounded", "--engine=pairs"):
        program.options = program.options.replace(option, "")
    for name, expected in program.expect.items():
        if (program.name, name) in listed:
            continue
        start = time.time()
        bug = expected == "UNSAFE"
        for patience in (1, PATIENCE):
            limit = patience * seconds
            shown, found = answers(
                ["fuzz", *arguments(program, [name]), f"--time={limit}",
                 *([] if bug else ["--runs=100"])], 4 * limit + 20)
            if not bug or found[name]["verdict"] == "unsafe":
                break
        if bug and found[name]["verdict"] != "unsafe":
            raise Problem(f"{shown}\n{name}: nothing found in {limit} s")
        if not bug and found[name]["verdict"] == "unsafe":
            raise Problem(f"{shown}\n{name}: finds {found[name]['violation']}")
        if bug:
            slowest = max(slowest, time.time() - start)
    return f"# {slowest:.1f} s" if slowest > 3 else ""


def test_proofs(program, engine, seconds, counts, domain):
    shown, found = answers(
        ["verify", *arguments(program, list(program.expect)),
         f"--engine={engine}", f"--timeout={seconds}",
         *([f"--domain={domain}"] if engine == "unfold" else [])],
        4 * seconds + 20)
    for name, expected in program.expect.items():
        verdict = found[name]["verdict"]
        if verdict not in ("unknown", expected.lower()):
            raise Problem(f"{shown}\n{name} is called {verdict}, "
                          f"expected {expected}")
        counts.append((name, expected, verdict != "unknown"))
    return ""


def idioms(verdicts, patterns):
    """Of the programs that are about races and deadlocks, 60 at least, one in
    ten verdicts may be UNKNOWN: (line, is it all right)."""
    of = [(program, verdict) for program, name, verdict in verdicts
          if program.startswith(("races/", "deadlocks/"))
          and name in ("race", "deadlock")]
    programs = len({program for program, _ in of})
    unknown = sum(verdict == "unknown" for _, verdict in of)
    good = bool(patterns) or programs >= 60
    return (f"races and deadlocks: {programs} programs, {len(of)} verdicts, "
            f"{unknown} unknown"), good and 10 * unknown <= len(of)


def unneeded(listed, used, patterns):
    """Entries of unknown.txt that no test used."""
    return [f"{name} {prop}" for name, prop in listed
            if (name, prop) not in used and native.wanted(name, patterns)
            and not listed[name, prop].startswith("maybe")]


def main():
    jobs, seconds, words = min(2, os.cpu_count() or 1), None, []
    bench, domain, some = False, "auto", 1
    for argument in sys.argv[1:]:
        if argument.startswith("--jobs="):
            jobs = max(1, int(argument[7:]))
        elif argument.startswith("--seconds="):
            seconds = float(argument[10:])
        elif argument.startswith("--some="):
            some = max(1, int(argument[7:]))
        elif argument == "--bench":
            bench = True
        elif argument.startswith("--domain="):
            domain = argument[9:]
        elif argument.startswith("-"):
            sys.exit(__doc__)
        else:
            words.append(argument)
    if not words or words[0] not in ("verify", "fuzz", *ALONE):
        sys.exit(__doc__)
    beside = os.path.join(os.path.dirname(HEDDLE), "heddle-cc")
    if not os.path.exists(os.environ.get("HEDDLE_CC") or beside) or \
            not shutil.which("clang-19"):
        print("1..1\nok 1 - C programs # SKIP there is no heddle-cc or no clang-19")
        return 0
    mode, patterns = words[0], words[1:]
    seconds = seconds or {"verify": 5, "fuzz": 10}.get(mode, 2)
    work = [p for p in native.programs(patterns) if bench or
            isinstance(p, tuple) or not p.name.startswith("bench/")]
    work = [p for p in work if isinstance(p, tuple) or native.sampled(p.name, some)]
    if mode == "fuzz":
        work = [p for p in work if isinstance(p, tuple) or
                "UNSAFE" in p.expect.values()]
    if mode in ALONE:  # --threads=unbounded: other engines
        work = [p for p in work if isinstance(p, tuple) or
                "unbounded" not in p.options and
                "--engine" not in p.options]
    listed, used, counts, verdicts = read_unknown(), set(), [], []

    def one(program):
        start = time.time()
        if isinstance(program, tuple):
            return program[1], 0
        try:
            if mode == "verify":
                return test_verify(program, seconds, listed, used, verdicts), \
                    time.time() - start
            if mode in ALONE:
                return test_proofs(program, mode, seconds, counts, domain), \
                    time.time() - start
            return test_fuzz(program, seconds, listed), time.time() - start
        except Problem as problem:
            return problem, time.time() - start

    print(f"1..{len(work) + 1 + (mode == 'verify')}", flush=True)
    start, failed, times = time.time(), 0, []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
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
    rest = unneeded(listed, used, patterns) \
        if mode == "verify" and some == 1 else []
    failed += bool(rest)
    print(f"{'not ok' if rest else 'ok'} {len(work) + 1} - unknown.txt is needed")
    for entry in rest:
        print(f"#   {entry} is decided now: take it out")
    if mode == "verify":
        line, good = idioms(verdicts, patterns or some > 1)
        failed += not good
        print(f"{'ok' if good else 'not ok'} {len(work) + 2} - {line}")
    print(f"# {len(work)} programs, {failed} failed, {time.time() - start:.0f} s")
    for name in sorted({n for n, _, _ in counts}):
        proved = [d for n, e, d in counts if n == name and e == "SAFE"]
        shown = [d for n, e, d in counts if n == name and e != "SAFE"]
        print(f"# {name}: {sum(proved)} of {len(proved)} that are safe are "
              f"proved, {sum(shown)} of {len(shown)} violations are shown")
    print("# slowest: " + ", ".join(f"{n} {t:.1f} s"
                                    for t, n in sorted(times)[:-6:-1]))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
