#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random loops with affine subscripts against brute force; speaks TAP.

    tests/openmp/affine.py [--count=N] [--seed=S] [--engine=NAME] [--seconds=S]

Each program shares out the iterations of one loop, or of two (collapse), around
statements a[...] = b[...] with affine subscripts, perhaps atomic or critical, under a
condition, with a second loop without a barrier behind, with an inner loop, or with a
bound that is an input. All pairs of iterations that two threads may have are held
against each other, for all schedules, teams and sizes; what heddle says must not
contradict that. Where the standard leaves open who has which iterations (`open`) either
is right. UNKNOWN is counted, and is no failure."""

import argparse
import itertools
import os
import random
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
HEDDLE = os.environ.get("HEDDLE") or os.path.join(HERE, "../../build/heddle")
VERDICT = {0: "SAFE", 10: "UNSAFE", 5: "UNKNOWN"}
LARGEST = 9  # size that is an input
ROOM = 400  # elements of an array; subscripts are moved into it


def subscript(rng, names):
    return [rng.choice((-2, -1, 0, 1, 1, 2, 3)) for _ in names] + \
        [rng.randint(-3, 3) + ROOM // 2]


def text_of(index, names):
    terms = [f"{c} * {n}" for c, n in zip(index, names) if c]
    return " + ".join(terms + [str(index[-1])])


def value_of(index, values):
    return sum(c * v for c, v in zip(index, values)) + index[-1]


class Loop:
    """One loop that is shared out, and what its body does."""

    def __init__(self, rng, size):
        self.collapse = rng.random() < 0.25
        self.inner = not self.collapse and rng.random() < 0.3
        self.names = ["i", "j"][:1 + (self.collapse or self.inner)]
        self.bounds = [(rng.randint(0, 2), rng.randint(3, 8),
                        rng.choice((1, 1, 1, 2))) for _ in self.names]
        self.sized = size  # the outermost ends at n, which is an input
        self.schedule = rng.choice(("", "dynamic", "static, 2", "guided", "static",
                                    "static, 1", "dynamic, 3"))
        self.condition = None
        if rng.random() < 0.25:
            self.condition = rng.choice((("%s %% 2 == 1", lambda v: v % 2 == 1),
                                         ("%s < 3", lambda v: v < 3),
                                         ("%s == 4", lambda v: v == 4),
                                         ("%s %% 3 != 0", lambda v: v % 3 != 0)))
        self.body = [(rng.choice("ab"), subscript(rng, self.names),
                      rng.choice("abc"), subscript(rng, self.names),
                      rng.choice((None, None, None, None, "atomic", "critical")))
                     for _ in range(rng.randint(1, 2))]

    def text(self, nowait):
        clause = " collapse(2)" if self.collapse else ""
        if self.schedule:
            clause += f" schedule({self.schedule})"
        lines = [f"#pragma omp for{clause}{' nowait' * nowait}"]
        for k, (name, (low, high, step)) in enumerate(zip(self.names, self.bounds)):
            end = "n" if self.sized and not k else high
            lines.append(f"for (int {name} = {low}; {name} < {end}; {name} += {step})")
        lines.append("{")
        if self.condition:
            lines.append(f"if ({self.condition[0] % self.names[0]}) {{")
        for target, at, source, there, how in self.body:
            if how:
                lines.append(f"#pragma omp {how}")
            lines.append(f"{target}[{text_of(at, self.names)}] "
                         + ("+= 1;" if how == "atomic" else
                            f"= {source}[{text_of(there, self.names)}] + 1;"))
        return lines + ["}"] * (1 + bool(self.condition))

    def trips(self, n):
        bounds = [list(b) for b in self.bounds]
        if self.sized:
            bounds[0][1] = n
        shared = bounds if self.collapse else bounds[:1]
        whole = 1
        for b in shared:
            whole *= len(range(*b))
        return bounds, whole

    def touches(self, n):
        """(number of the iteration, array, element, does it write, in which way)."""
        bounds, _ = self.trips(n)
        inner = len(range(*bounds[1])) if self.inner else 1
        for k, values in enumerate(itertools.product(*(range(*b) for b in bounds))):
            if self.condition and not self.condition[1](values[0]):
                continue
            for target, at, source, there, how in self.body:
                yield k // inner, target, value_of(at, values), True, how
                if how != "atomic":
                    yield k // inner, source, value_of(there, values), False, how

    def thread(self, number, trips, team):
        """None: any."""
        if self.schedule.startswith("static,"):
            return number // int(self.schedule[8:]) % team
        if self.schedule != "static":
            return None
        small, more = trips // team, trips % team
        return number // (small + 1) if number < more * (small + 1) else \
            more + (number - more * (small + 1)) // small


def apart(one, x, other, y, n):
    """Do two threads have them in some team? None: that is left open."""
    if one is other and x == y:
        return False
    if None in (one.thread(0, 1, 2), other.thread(0, 1, 2)):
        return True
    trips = one.trips(n)[1], other.trips(n)[1]
    if any(one.thread(x, trips[0], t) != other.thread(y, trips[1], t)
           for t in range(2, 18)):
        return True
    return False if one is other or \
        (one.schedule == other.schedule and trips[0] == trips[1]) else None


def generate(rng):
    sized = rng.random() < 0.3
    loops = [Loop(rng, sized) for _ in range(1 + (rng.random() < 0.4))]
    together = len(loops) == 2 and rng.random() < 0.6
    lines = [f"int a[{ROOM}], b[{ROOM}], c[{ROOM}];"]
    if sized:
        lines.append("int __VERIFIER_nondet_int(void);")
    lines.append("int main(void) {")
    if sized:
        lines += ["int n = __VERIFIER_nondet_int();", f"if (n < 0 || n > {LARGEST})",
                  "return 0;"]
    lines += ["#pragma omp parallel", "{"]
    for k, loop in enumerate(loops):
        lines += loop.text(not k and together)
    pairs = [(l, l) for l in loops] + [tuple(loops)] * together
    found = {meet(one, other, n) for one, other in pairs
             for n in (range(LARGEST + 1) if sized else (0,))}
    races = True if True in found else None if None in found else False
    return "\n".join(lines + ["}", "return 0;", "}", ""]), races


def meet(one, other, n):
    there, found = {}, False
    for y in other.touches(n):
        there.setdefault(y[1:3], set()).add((y[0], *y[3:]))
    for x, array, at, writes, how in set(one.touches(n)):
        for y, also, other_how in there.get((array, at), ()):
            if not (writes or also) or (how and how == other_how):
                continue
            split = apart(one, x, other, y, n)
            if split:
                return True
            found = None if split is None else found
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine")
    parser.add_argument("--seconds", type=int, default=20)
    args = parser.parse_args()
    beside = os.path.join(os.path.dirname(os.path.abspath(HEDDLE)), "heddle-cc")
    if not shutil.which("clang-19") or not os.path.exists(beside):
        print("1..1\nok 1 - affine loops # SKIP there is no heddle-cc or no clang-19")
        return 0
    print("1..1")
    counts, wrong = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        for n in range(args.count):
            text, races = generate(random.Random(f"{args.seed}.{n}"))
            path = os.path.join(folder, "loop.c")
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
            done = subprocess.run(
                [HEDDLE, "verify", path, "--property=race", f"--timeout={args.seconds}", "-q",
                 *([f"--engine={args.engine}"] if args.engine else [])],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
            said = VERDICT.get(done.returncode, "failed")
            truth = "UNSAFE" if races else "open" if races is None else "SAFE"
            counts[truth, said] = counts.get((truth, said), 0) + 1
            if said == "failed" or (truth != "open" and said not in (truth, "UNKNOWN")):
                wrong += 1
                print(f"# {n} is {truth}, heddle says {said}\n# "
                      + text.replace("\n", "\n# "))
    for (truth, said), n in sorted(counts.items()):
        print(f"# {n} are {truth}, heddle says {said}")
    print(f"{'not ok' if wrong else 'ok'} 1 - affine loops")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
