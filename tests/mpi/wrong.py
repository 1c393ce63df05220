#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Wrong invariants: the examples of paper/, each with invariants that are false
on entry, not preserved, too weak, or speak of a process that does not exist. The
message must be the right one, and stand at the line of the pragma that is to
blame. Speaks TAP.

    tests/mpi/wrong.py [PATTERN...]

$HEDDLE is the program, build/heddle if unset. A case names the invariant of the
example that is replaced, what it is replaced by, what the message must contain,
and whether it points to the pragma (else to what does not follow from it)."""

import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
HEDDLE = os.environ.get("HEDDLE", os.path.join(ROOT, "build", "heddle"))

ENTRY = "does not hold when the loop is entered"
STEP = "is not preserved by an iteration"
EXIT = "conflicting loop exit"
RANK = "there is no process with rank"
NEXT = "i == PROC[(myrank+1)%nprocs].i"

# example, processes, invariant, replacement, message, at the pragma
CASES = [
    ("count", 3, "I", f"i == 1 && {NEXT}", ENTRY + ".*: i == 1", True),
    ("count", 3, "I", f"{NEXT} && i <= 0 && i <= N", STEP + ".*: i <= 0",
     True),
    ("count", 3, "I", "0 <= i && i <= N", EXIT, False),
    ("count", 3, "I", NEXT, "too weak.*assertion 'i == N' fails", False),
    ("count", 3, "I", "i == PROC[myrank+1].i && i <= N", RANK + " 3", True),
    ("stagger", 2, "I", "i == PROC[1-myrank].i && x == 1",
     ENTRY + ".*: x == 1", True),
    ("stagger", 2, "I", "i == PROC[1-myrank].i && x == 0", STEP + ".*: x == 0",
     True),
    ("stagger", 2, "I", "i == PROC[1-myrank].i && x == 2*((i+1-myrank)/2)",
     "too weak.*assertion 'x == 2 \\* n' fails", False),
    ("stagger", 2, "I", "i == PROC[2-myrank].i", RANK + " 2", True),
    ("race", 3, "I", "s == t + 1", ENTRY + ".*: s == t \\+ 1", True),
    ("race", 3, "I", "s == t", STEP + ".*: s == t", True),
    ("race", 3, "I", "s == PROC[nprocs].t", RANK + " 3", True),
    ("matrix", 1, "ROWS", "i == 1", ENTRY + ".*: i == 1", True),
    ("matrix", 1, "ROWS", "i == 0", STEP + ".*: i == 0", True),
    ("matrix", 1, "ROWS", "0 <= i && i <= N", "CELLS.*" + ENTRY + ".*: forall",
     True),
    ("matrix", 1, "ROWS", "PROC[1].i == i", RANK + " 1", True),
    ("ring", 3, "I", "i == 1", ENTRY + ".*: i == 1", True),
    ("ring", 3, "I", "i == PROC[right].i && i == 0", STEP + ".*: i == 0", True),
    ("ring", 3, "I", "true", EXIT, False),
    ("ring", 3, "I", "i == PROC[right+1].i", RANK + " 3", True),
    ("mean", 0, "LOOP", "i == spec.i && m == 1", ENTRY + ".*: m == 1", True),
    ("mean", 0, "LOOP",
     "i == spec.i && 0 <= i && i <= N && m == spec.s", STEP +
     ".*: m == spec.s", True),
    ("mean", 0, "LOOP", "i == spec.i && 0 <= i && i <= N",
     "the output mean is", False),
    ("mean", 0, "LOOP", "i == spec.PROC[1].i", RANK + " 1", True),
    ("fib", 0, "LOOP", "err == spec.err && k == 2", ENTRY + ".*: k == 2", True),
    ("fib", 0, "LOOP", "err == spec.err && k == 1 && j > 0 && spec.j > 0",
     STEP + ".*: (err == spec.err|k == 1)", True),
    ("fib", 0, "LOOP", "err == spec.err && j > 0 && j == spec.j && "
     "k == spec.k && k > 0", STEP + ".*: err == spec.err", True),
    ("fib", 0, "LOOP", "err == spec.PROC[1].err", RANK + " 1", True),
    ("nested", 0, "OUTER", "i == 0", ENTRY + ".*: i == 0", True),
    ("nested", 0, "OUTER", "i == spec.i && s == 0", STEP + ".*: s == 0", True),
    ("nested", 0, "OUTER", "i == spec.i", "INNER.*" + ENTRY +
     ".*: spec.s == s \\+ i \\* t", True),
    ("nested", 0, "INNER", "i == spec.i && spec.s == s + i*t", STEP, True),
    ("nested", 0, "INNER", "i == spec.PROC[2].i", RANK + " 2", True),
    ("diffusion", 2, "STEP", "t == 1", ENTRY + ".*: t == 1", True),
    ("diffusion", 2, "STEP", "t == spec.t && t == 0", STEP + ".*: t == 0",
     True),
    ("diffusion", 2, "STEP", "t == spec.t", "the output result", False),
    ("diffusion", 2, "STEP", "t == PROC[nprocs].t", RANK + " 2", True),
]


def replace(text, name, formula):
    """All pragmas of the invariant say `formula`, in as many lines."""
    pattern = re.compile(r"(#pragma TASS \w+ invariant " + name +
                         r") ((?:[^\n]*\\\n)*)[^\n]*")

    def new(match):
        return match.group(1) + " " + formula + match.group(2).count("\n") * \
            " \\\n"
    return pattern.sub(new, text)


def expected_line(path, name):
    """The line of the pragma that is used when no macro is defined."""
    out = subprocess.run([HEDDLE, "show", "--ir", path], stdout=subprocess.PIPE,
                         text=True, check=True).stdout
    found = re.findall(r'^pragma 0:(\d+):\d+ .*"TASS \w+ invariant (\w+)', out,
                       re.M)
    return {n: int(line) for line, n in found}[name]


def try_case(case, folder):
    example, procs, name, formula, message, at_pragma = case
    pair = os.path.exists(os.path.join(HERE, "paper", example + "_impl.c"))
    source = example + ("_impl.c" if pair else ".c")
    path = os.path.join(folder, source)
    with open(os.path.join(HERE, "paper", source), encoding="utf-8") as file:
        text = file.read()
    with open(path, "w", encoding="utf-8") as file:
        file.write(replace(text, name, formula))
    command = ["compare", os.path.join(HERE, "paper", example + "_spec.c")] \
        if pair else ["verify"]
    command = [HEDDLE, *command, path, "--timeout=30"]
    if procs:
        command.append(f"--procs={procs}")
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, text=True, timeout=120)
    flat = " ".join(done.stdout.split())
    shown = f"{' '.join(command)}\n{name}: {formula}\n{done.stdout}"
    if done.returncode not in (5, 10):
        return f"exit status {done.returncode}\n{shown}"
    if not re.search(message, flat):
        return f"expected: {message}\n{shown}"
    blamed = re.match("[A-Z]+", message)
    line = expected_line(path, blamed.group() if blamed else name)
    if at_pragma and not re.search(rf"{re.escape(source)}:{line}\b", flat):
        return f"expected at line {line}\n{shown}"
    return None


def main():
    patterns = sys.argv[1:]
    cases = [c for c in CASES
             if not patterns or any(p in c[0] for p in patterns)]
    print(f"1..{len(cases)}")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for number, case in enumerate(cases, 1):
            problem = try_case(case, folder)
            name = f"{case[0]} {case[2]}: {case[3]}"
            print(f"{'not ' if problem else ''}ok {number} - {name}",
                  flush=True)
            for line in (problem or "").splitlines():
                print("#   " + line)
            failed += problem is not None
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
