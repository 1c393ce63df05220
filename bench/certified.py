#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""How many SAFE verdicts of C programs come with a certificate that is accepted.

    bench/certified.py [--build=build] [--every=N] [--timeout=S] [PROGRAM.c ...]

Without programs: those of tests/programs that have a property which holds, every N-th
of them. Each is verified with --certificate, the file is judged by `heddle check` and by
`heddle-judge`, alone. Prints a line a property and program with --verbose, and at the
end a table by property, one by engine, and the reasons why there is none.
"""
import argparse
import collections
import os
import pathlib
import re
import resource
import subprocess
import tempfile

root = pathlib.Path(__file__).resolve().parent.parent
PROPERTIES = ("assert", "race", "deadlock")


def head(path):
    text = path.read_text(errors="replace")[:2000]
    expect = re.search(r"expect: (.*)", text)
    options = re.search(r"\* options: (.*)", text)
    files = re.search(r"\* files: (.*)", text)
    expected = dict(x.split("=") for x in expect.group(1).split()) if expect else {}
    extra = options.group(1).split() if options else []
    more = [str(path.parent / f) for f in files.group(1).split()] if files else []
    return expected, more + extra


def cpu():
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def run(command, limit):
    before = cpu()
    try:
        out = subprocess.run(command, capture_output=True, text=True, timeout=limit + 30)
        return out.returncode, out.stdout, cpu() - before
    except subprocess.TimeoutExpired:
        return 99, "", cpu() - before


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--build", default=str(root / "build"))
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--timeout", type=float, default=10)
    parser.add_argument("--verbose", action="store_true")
    parser.add_argument("--option", action="append", default=[])
    parser.add_argument("programs", nargs="*")
    args = parser.parse_args()
    heddle, judge = args.build + "/heddle", args.build + "/heddle-judge"
    programs = [pathlib.Path(p) for p in args.programs]
    if not programs:
        programs = sorted((root / "tests" / "programs").glob("*/*.c"))
        programs = [p for p in programs if any(
            head(p)[0].get(x) == "SAFE" for x in PROPERTIES)][::args.every]
    table = collections.Counter()
    engines = collections.Counter()
    reasons = collections.Counter()
    slow = []
    with tempfile.TemporaryDirectory() as temp:
        for path in programs:
            expected, options = head(path)
            for prop in PROPERTIES:
                if expected and expected.get(prop) != "SAFE":
                    continue
                proof = os.path.join(temp, "proof")
                code = os.path.join(temp, "program.code")
                if os.path.exists(proof):
                    os.unlink(proof)
                common = [str(path)] + options
                status, text, took = run(
                    [heddle, "verify", *common, f"--property={prop}",
                     f"--certificate={proof}", f"--timeout={args.timeout:g}",
                     *args.option], args.timeout)
                if status != 0:
                    table[prop, "not safe"] += 1
                    continue
                engine = re.search(r"Shown by (\w+)", text)
                engine = engine.group(1) if engine else "?"
                table[prop, "safe"] += 1
                engines[engine, "safe"] += 1
                confirmed = "onfirmed by" in text or "checked" in text and "not checked" not in text
                table[prop, "confirmed"] += confirmed
                checked = judged = False
                why = "no certificate"
                if os.path.exists(proof):
                    status, text, _ = run([heddle, "check", *common, proof,
                                           f"--timeout={3 * args.timeout:g}"], 3 * args.timeout)
                    checked = status == 0
                    run([heddle, "show", *common, "--ir", "-o", code], 30)
                    status, text, took2 = run([judge, f"--timeout={max(1, 3 * took):g}",
                                               code, proof], 3 * args.timeout)
                    judged = status == 0
                    last = text.strip().splitlines()[-1] if text.strip() else f"exit {status}"
                    why = re.sub(r"\S+:\d+:\d+", "AT", last)
                else:
                    line = re.search(r"^.*not checked.*$", text, re.M)
                    why = re.sub(r"\S+:\d+:\d+", "AT", line.group(0)) if line else why
                table[prop, "check"] += checked
                table[prop, "judge"] += judged
                engines[engine, "check"] += checked
                engines[engine, "judge"] += judged
                if not judged:
                    reasons[engine + ": " + why] += 1
                if args.verbose:
                    print(f"{path.parent.name}/{path.name} {prop} {engine} "
                          f"{'judge' if judged else 'check' if checked else 'confirmed' if confirmed else 'none'} "
                          f"{took:.2f} {'' if judged else why}", flush=True)
    print("property   safe confirmed heddle-check heddle-judge")
    for prop in PROPERTIES:
        row = [table[prop, x] for x in ("safe", "confirmed", "check", "judge")]
        print(f"{prop:9s} {row[0]:5d} {row[1]:9d} {row[2]:12d} {row[3]:12d}")
    print("engine     safe heddle-check heddle-judge")
    for engine in sorted({e for e, _ in engines}):
        row = [engines[engine, x] for x in ("safe", "check", "judge")]
        print(f"{engine:9s} {row[0]:5d} {row[1]:12d} {row[2]:12d}")
    for why, n in reasons.most_common(40):
        print(f"{n:5d} {why}")


if __name__ == "__main__":
    main()
