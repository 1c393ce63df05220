#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random loops with affine subscripts against brute force; speaks TAP.

    tests/openmp/affine.py [--count=N] [--seed=S] [--engine=NAME]

Each program shares out the iterations of one loop, or of two (collapse), around
statements a[...] = b[...] with affine subscripts, perhaps under a condition, with a
second loop without a barrier behind, or with an inner loop. All pairs of iterations
that two threads may have are held against each other; what heddle says must not
contradict that. UNKNOWN is counted, and is no failure."""

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

    def __init__(self, rng):
        self.collapse = rng.random() < 0.25
        self.inner = not self.collapse and rng.random() < 0.3
        self.names = ["i", "j"][:1 + (self.collapse or self.inner)]
        self.bounds = [(rng.randint(0, 2), rng.randint(3, 8),
                        rng.choice((1, 1, 1, 2))) for _ in self.names]
        self.schedule = rng.choice(("", " schedule(dynamic)", " schedule(static, 2)",
                                    " schedule(guided)"))
        self.odd = rng.random() < 0.2
        self.body = [(rng.choice("ab"), subscript(rng, self.names),
                      rng.choice("abc"), subscript(rng, self.names))
                     for _ in range(rng.randint(1, 2))]

    def text(self, nowait):
        clause = " collapse(2)" if self.collapse else ""
        lines = [f"#pragma omp for{clause}{self.schedule}{' nowait' * nowait}"]
        for name, (low, high, step) in zip(self.names, self.bounds):
            lines.append(f"for (int {name} = {low}; {name} < {high}; {name} += {step})")
        lines.append("{")
        if self.odd:
            lines.append(f"if ({self.names[0]} % 2 == 1) {{")
        for target, at, source, there in self.body:
            lines.append(f"{target}[{text_of(at, self.names)}] = "
                         f"{source}[{text_of(there, self.names)}] + 1;")
        return lines + ["}"] * (1 + self.odd)

    def touches(self):
        """(iteration, array, element, does it write) of all iterations."""
        for values in itertools.product(*(range(*b) for b in self.bounds)):
            if self.odd and values[0] % 2 != 1:
                continue
            own = values if self.collapse else values[:1]
            for target, at, source, there in self.body:
                yield own, target, value_of(at, values), True
                yield own, source, value_of(there, values), False


def generate(rng):
    loops = [Loop(rng) for _ in range(1 + (rng.random() < 0.3))]
    apart = len(loops) == 1 or rng.random() < 0.5
    lines = [f"int a[{ROOM}], b[{ROOM}], c[{ROOM}];", "int main(void) {",
             "#pragma omp parallel", "{"]
    for k, loop in enumerate(loops):
        if k and not apart:
            loops[k].schedule = " schedule(dynamic)"
            loops[0].schedule = " schedule(dynamic)"
    for k, loop in enumerate(loops):
        lines += loop.text(k + 1 < len(loops) and not apart)
    races = any(meet(l.touches(), l.touches(), True) for l in loops)
    if not apart:
        races = races or meet(loops[0].touches(), loops[1].touches(), False)
    return "\n".join(lines + ["}", "return 0;", "}", ""]), races


def meet(one, other, same_loop):
    other = list(other)
    return any(x[1:3] == y[1:3] and (x[3] or y[3]) and
               (not same_loop or x[0] != y[0]) for x in one for y in other)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine")
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
                [HEDDLE, "verify", path, "--property=race", "--timeout=20", "-q",
                 *([f"--engine={args.engine}"] if args.engine else [])],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
            said = VERDICT.get(done.returncode, "failed")
            truth = "UNSAFE" if races else "SAFE"
            counts[truth, said] = counts.get((truth, said), 0) + 1
            if said not in (truth, "UNKNOWN"):
                wrong += 1
                print(f"# {n} is {truth}, heddle says {said}\n# "
                      + text.replace("\n", "\n# "))
    for (truth, said), n in sorted(counts.items()):
        print(f"# {n} are {truth}, heddle says {said}")
    print(f"{'not ok' if wrong else 'ok'} 1 - affine loops")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
