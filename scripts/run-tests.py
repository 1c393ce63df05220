#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Runs every test that the build knows and counts test functions.

    scripts/run-tests.py [--jobs=N] [--release=HEDDLE] [--sanitized=BUILD2] [--quick]
        [-v] BUILD [PATTERN...]

The tests are those that meson.build files declare with test(). A program may
speak TAP (cmocka programs are asked to); then each of its lines `ok`, `not ok`
counts. One that does not counts as one test by its exit status; 77 is a skip.
The last line is `N passed, M failed, K skipped`; the exit status says whether
M is 0. --release names the heddle that the CLI tests are run with, the one
that users get; everything else runs with assertions. --sanitized names a build
under AddressSanitizer and UBSan, of which the unit tests are run as well.

A test of two suites belongs to the first one; the second says when it is run:
`slow` not with --quick, `quick` only then (a part of a slow one)."""

import concurrent.futures
import json
import os
import re
import subprocess
import sys
import time

RESULT = re.compile(r"^(not ok|ok)\b\s*(\d*)\s*-?\s*(.*)$")
PLAN = re.compile(r"^1\.\.(\d+)")


class Outcome:
    def __init__(self, name):
        self.name = name
        self.passed = self.failed = self.skipped = 0
        self.failures = []  # (test, output)
        self.skips = []
        self.seconds = 0.0


def count_tap(outcome, text):
    """Adds up TAP lines. Comment lines behind a failure explain it, other
    lines before it too. Returns how many results were planned and came."""
    planned = came = 0
    before, failure = [], None
    for line in text.splitlines():
        plan = PLAN.match(line)
        result = RESULT.match(line)
        if plan:
            planned += int(plan.group(1))
        elif not result:
            mine = failure is not None and line.startswith("#")
            (failure if mine else before).append(line)
        else:
            came += 1
            failure = None
            label = result.group(3)
            if re.search(r"#\s*SKIP", line, re.I):
                outcome.skipped += 1
                outcome.skips.append(label)
            elif result.group(1) == "ok":
                outcome.passed += 1
            else:
                outcome.failed += 1
                failure = before
                outcome.failures.append((label, failure))
            before = []
    return planned, came


def run(test, extra_env):
    outcome = Outcome(test["label"])
    env = dict(os.environ, LC_ALL="C", CMOCKA_MESSAGE_OUTPUT="TAP")
    env.update(test.get("env", {}))
    env.update(extra_env)
    start = time.time()
    limit = test.get("timeout") or 30
    try:
        done = subprocess.run(
            test["cmd"], env=env, cwd=test.get("workdir") or None,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=limit * 4, errors="replace")
        text, status = done.stdout, done.returncode
    except OSError as error:
        text, status = f"# cannot be started: {error}", -1
    except subprocess.TimeoutExpired as late:
        text = (late.stdout or b"").decode(errors="replace")
        text += f"\n# stopped after {limit * 4} s"
        status = -1
    outcome.seconds = time.time() - start
    planned, came = count_tap(outcome, text)
    tail = text.splitlines()[-60:]
    if came == 0:
        if status == 77:
            outcome.skipped += 1
            outcome.skips.append(text.strip().splitlines()[-1] if text.strip() else "")
        elif status == 0:
            outcome.passed += 1
        else:
            outcome.failed += 1
            outcome.failures.append((f"exit status {status}", tail))
    elif came < planned or (status != 0 and not outcome.failed):
        outcome.failed += max(1, planned - came)
        outcome.failures.append(
            (f"{came} of {planned} tests came, exit status {status}", tail))
    return outcome


def listed(build, patterns, quick):
    text = subprocess.run(["meson", "introspect", "--tests", build],
                          stdout=subprocess.PIPE, check=True).stdout
    tests = []
    for test in json.loads(text):
        suites = [s.split(":")[-1] for s in test["suite"]] or [""]
        if ("slow" if quick else "quick") in suites[1:]:
            continue
        suite = suites[0]
        test["label"] = f"{suite}/{test['name']}"
        test["suite_name"] = suite
        if not patterns or any(p in test["label"] for p in patterns):
            tests.append(test)
    return sorted(tests, key=lambda t: -t.get("priority", 0))


def sanitized(build, patterns):
    """The unit tests of another build that take little time, as asan/NAME."""
    tests = [t for t in listed(build, [], True) if t["suite_name"] == "unit"]
    for test in tests:
        test["label"] = f"asan/{test['name']}"
        test["env"] = dict(test.get("env", {}),
                           UBSAN_OPTIONS="halt_on_error=1:print_stacktrace=1")
    return [t for t in tests
            if not patterns or any(p in t["label"] for p in patterns)]


def show(outcome, verbose):
    total = outcome.passed + outcome.failed + outcome.skipped
    if outcome.failed:
        print(f"FAILED {outcome.name}: {outcome.failed} of {total}")
        for label, lines in outcome.failures:
            print(f"  not ok: {label}")
            for line in lines:
                print(f"    {line}")
    elif verbose or outcome.seconds > 10:
        print(f"ok     {outcome.name}: {outcome.passed} in {outcome.seconds:.1f} s")
    for label in outcome.skips:
        print(f"skip   {outcome.name}: {label}")
    sys.stdout.flush()


def main():
    jobs, release, second, quick, verbose, rest = 2, None, None, False, False, []
    for argument in sys.argv[1:]:
        if argument.startswith("--jobs="):
            jobs = max(1, int(argument[7:]))
        elif argument.startswith("--release="):
            release = os.path.abspath(argument[10:])
        elif argument.startswith("--sanitized="):
            second = argument[12:]
        elif argument == "--quick":
            quick = True
        elif argument == "-v":
            verbose = True
        elif argument.startswith("-"):
            sys.exit(__doc__)
        else:
            rest.append(argument)
    if not rest:
        sys.exit(__doc__)
    tests = listed(rest[0], rest[1:], quick)
    if second:
        tests += sanitized(second, rest[1:])
    if not tests:
        sys.exit("no test matches")
    work = []
    for test in tests:
        cli = release and test["suite_name"] == "cli"
        work.append((test, {"HEDDLE": release} if cli else {}))
    start = time.time()
    sums = [0, 0, 0]
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        futures = [pool.submit(run, test, env) for test, env in work]
        for future in concurrent.futures.as_completed(futures):
            outcome = future.result()
            show(outcome, verbose)
            sums[0] += outcome.passed
            sums[1] += outcome.failed
            sums[2] += outcome.skipped
    print(f"{len(work)} test programs in {time.time() - start:.1f} s")
    print(f"{sums[0]} passed, {sums[1]} failed, {sums[2]} skipped")
    return 1 if sums[1] else 0


if __name__ == "__main__":
    sys.exit(main())
