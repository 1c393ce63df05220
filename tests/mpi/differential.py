#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random MPI programs (generate.py): the verdicts of `heddle verify` and what
Open MPI does, against every interleaving of the concrete machine; speaks TAP.

    tests/mpi/differential.py [--count=N] [--seed=S] [--native] [--verify]
                              [--seconds=S] [--plain | --rich | --richest] [--explore] [--lise]
                              [--keep=DIR]

$HEDDLE is the program, build/heddle if unset. Programs S, S + 1, … are tried,
all that is possible by default.

verify: in both modes of deadlock the verdict is SAFE exactly when no
interleaving shows a violation (UNKNOWN is counted, not wrong), and a violation
that is reported is one that some interleaving shows.

native: where nothing can go wrong, what the program prints is one of the
outcomes of the machine; where a deadlock is potential it may also not end.

--explore: each program gets a call that the engine lise does not know, so that
`verify` judges by its own search through the interleavings, with a reduction.

--lise: the symbolic engine alone, without the second look of the machine.

--keep: programs with a contradiction are written to DIR."""

import concurrent.futures
import importlib.util
import json
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))


def load(name):
    spec = importlib.util.spec_from_file_location(
        name, os.path.join(HERE, name + ".py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


ENGINE, RICH, RICHEST = [], False, False  # options
run, generate = load("run"), load("generate")
Problem = run.Problem


class Case:
    def __init__(self, seed, plain, explore, folder):
        self.seed = seed
        maker = generate.Maker(seed, plain, RICH, RICHEST)
        self.text, self.n = maker.program(), maker.n
        if explore:
            self.text = self.text.replace(
                "  MPI_Comm_rank(W, &rank);",
                "  MPI_Comm_rank(W, &rank);\n  MPI_Query_thread(&v);\n  v = 0;", 1)
        self.path = os.path.join(folder, f"p{seed}.c")
        self.name, self.folder = f"p{seed}.c", folder
        self.unknown, self.hung, self.ran = 0, False, False
        with open(self.path, "w", encoding="utf-8") as file:
            file.write(self.text)

    def space(self, seconds):
        self.code = run.compiled(self, [], self.folder)
        shown, status, out = run.call(
            ["verify", "--outcomes", self.code, f"--procs={self.n}",
             f"--timeout={seconds}"], 3 * seconds + 10, (0, 5))
        self.complete = status == 0
        self.found = set(re.findall(r"^violates: (\w+)$", out, re.M))
        deadlock = re.search(r"^deadlock: (\w+)$", out, re.M)
        self.deadlock = deadlock and deadlock.group(1)
        self.outcomes = set(re.findall(r"^exit: (.*)$", out, re.M))

    def expected(self, mode):
        found = set(self.found)
        if self.deadlock == "absolute" or (self.deadlock and
                                           mode == "potential"):
            found.add("deadlock")
        return found

    def verify(self, mode, seconds):
        shown, status, out = run.call(
            ["verify", self.code, f"--procs={self.n}", f"--deadlock={mode}",
             *ENGINE, "--format=json", f"--timeout={seconds}"], 3 * seconds + 10)
        report = json.loads(out)
        found = {p["name"] for p in report["properties"]
                 if p["verdict"] == "unsafe"}
        truth = self.expected(mode)
        if report["verdict"] == "unknown":
            self.unknown += 1
        elif report["verdict"] == "safe" and truth:
            raise Problem(f"{shown}\nis safe; interleavings show {truth}")
        elif not found <= truth:
            raise Problem(f"{shown}\nreports {found}; interleavings show "
                          f"{truth}")

    def native(self, folder):
        exe = os.path.join(folder, f"p{self.seed}")
        done = subprocess.run(["mpicc", "-w", self.path, "-o", exe],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              errors="replace")
        if done.returncode:
            raise Problem(done.stdout)
        process = subprocess.Popen(
            [*run.mpirun(), "-np", str(self.n), exe], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, errors="replace")
        try:
            out, errors = process.communicate(timeout=8 if self.deadlock else 60)
        except subprocess.TimeoutExpired:
            process.terminate()  # mpirun ends the others
            process.communicate()
            if not self.deadlock and "MPI_Test(" not in self.text:
                raise Problem("native: does not end")  # asking for ever is none
            self.hung = True
            return
        finally:
            os.unlink(exe)
        lines = sorted(out.splitlines())
        text = "".join(line + "\\n" for line in lines)
        if process.returncode or text not in self.outcomes:
            raise Problem(f"native: status {process.returncode}, prints {text}; "
                          f"the machine {sorted(self.outcomes)}\n{errors}")


def main():
    count, seed, seconds, plain, keep, modes = 100, 1, 10.0, False, None, set()
    explore = False
    for argument in sys.argv[1:]:
        if argument.startswith("--count="):
            count = int(argument[8:])
        elif argument.startswith("--seed="):
            seed = int(argument[7:])
        elif argument.startswith("--seconds="):
            seconds = float(argument[10:])
        elif argument.startswith("--keep="):
            keep = argument[7:]
        elif argument in ("--native", "--verify"):
            modes.add(argument[2:])
        elif argument == "--rich":
            globals()["RICH"] = True
        elif argument == "--richest":
            globals()["RICHEST"] = True
        elif argument == "--lise":
            ENGINE.append("--engine=lise")
        elif argument == "--explore":
            explore = True
        elif argument == "--plain":
            plain = True
        else:
            sys.exit(__doc__)
    modes = modes or {"native", "verify"}
    if not run.mpirun():
        modes.discard("native")
    if not os.path.exists(run.CC):
        return run.skip("there is no heddle-cc")
    figures = dict.fromkeys(
        ("complete", "violations", "deadlocks", "potential only", "unknown",
         "native runs", "native deadlocks",
         "several outcomes"), 0)
    failed, start = 0, time.time()
    with tempfile.TemporaryDirectory(prefix="heddle-mpi.") as folder, \
            concurrent.futures.ThreadPoolExecutor(2) as pool:

        def one(number):
            case = Case(number, plain, explore, folder)
            try:
                case.space(seconds)
                if not case.complete:
                    return case, None
                if "verify" in modes:
                    for mode in "absolute", "potential":
                        case.verify(mode, seconds)
                case.ran = "native" in modes and not case.expected("absolute")
                if case.ran:
                    case.native(folder)
                return case, None
            except Problem as problem:
                return case, problem

        print(f"1..{count}", flush=True)
        for i, (case, problem) in enumerate(
                pool.map(one, range(seed, seed + count)), 1):
            print(f"{'not ok' if problem else 'ok'} {i} - program {case.seed}",
                  flush=True)
            if problem:
                failed += 1
                print("".join(f"#   {line}\n"
                              for line in str(problem).splitlines()), end="")
                if keep:
                    os.makedirs(keep, exist_ok=True)
                    with open(os.path.join(keep, f"p{case.seed}.c"), "w",
                              encoding="utf-8") as file:
                        file.write(case.text)
                continue
            figures["complete"] += case.complete
            figures["violations"] += bool(case.found)
            figures["deadlocks"] += case.deadlock == "absolute"
            figures["potential only"] += case.deadlock == "potential"
            figures["unknown"] += case.unknown
            figures["native runs"] += case.ran
            figures["native deadlocks"] += case.hung
            figures["several outcomes"] += len(case.outcomes) > 1
            os.unlink(case.path)
            os.unlink(case.code)
    print("# " + ", ".join(f"{k}: {v}" for k, v in figures.items()) +
          f"; {failed} failed, {time.time() - start:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
