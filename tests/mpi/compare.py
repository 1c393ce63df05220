#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random pairs of programs for `heddle compare`; speaks TAP.

    tests/mpi/compare.py [--count=N] [--seed=S]

An implementation computes the expression of its specification in another form,
or something else for one pair of inputs only, which chance does not find. The
verdict must be the right one; unknown is counted. $HEDDLE is the program,
build/heddle if unset."""

import os
import random
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
HEDDLE = os.environ.get("HEDDLE", os.path.join(ROOT, "build", "heddle"))

PROGRAM = """\
#pragma heddle input {-1000 <= a && a <= 1000}
int a;
#pragma heddle input {-1000 <= b && b <= 1000}
int b;
#pragma heddle input
int t[4];
#pragma heddle output
int out;
int main(void) {
%s
  return 0;
}
"""


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, *items):
        return self.random.choice(items)

    def tree(self, depth):
        if depth == 0 or self.random.random() < 0.15:
            return self.pick("a", "b", "a", "b", "3", "7", "t[1]", "t[2]")
        kind = self.pick("+", "-", "*", "+", "/", "?")
        if kind == "/":
            return (self.pick("/", "%"), self.tree(depth - 1),
                    self.pick("2", "3", "5"))
        if kind == "?":
            return ("?", self.tree(0), self.tree(0), self.tree(depth - 1),
                    self.tree(depth - 1))
        return (kind, self.tree(depth - 1), self.tree(depth - 1))

    def plain(self, t):
        if isinstance(t, str):
            return t
        if t[0] == "?":
            return (f"({self.plain(t[1])} < {self.plain(t[2])} ? "
                    f"{self.plain(t[3])} : {self.plain(t[4])})")
        return f"({self.plain(t[1])} {t[0]} {self.plain(t[2])})"

    def other(self, t):
        """The same value, written differently."""
        if isinstance(t, str):
            return self.pick(t, t, f"(0 + {t})", f"-(-{t})")
        if t[0] == "?":
            a, b, x, y = (self.other(part) for part in t[1:])
            return self.pick(f"({a} >= {b} ? {y} : {x})",
                             f"(!({b} > {a}) ? {y} : {x})")
        a, b = self.other(t[1]), self.other(t[2])
        if t[0] == "+":
            return self.pick(f"({b} + {a})", f"({a} - -({b}))")
        if t[0] == "-":
            return self.pick(f"(-({b}) + {a})", f"({a} + (-1) * ({b}))")
        if t[0] == "*":
            return self.pick(f"({b} * {a})", f"(({a} - 1) * ({b}) + ({b}))")
        if t[0] == "%":
            return f"({a} - {b} * ({a} / {b}))"
        return f"({a} / {b})"

    def case(self):
        tree = self.tree(3)
        spec = f"  out = {self.plain(tree)};"
        equal = self.random.random() < 0.5
        if equal:
            if self.random.random() < 0.5:
                return equal, spec, f"  out = {self.other(tree)};"
            return equal, spec, (f"  int x = {self.other(tree)};\n"
                                 "  out = 0;\n  for (int i = 0; i < 3; i++)\n"
                                 "    out += i == 1 ? x : 0;")
        k, j = self.random.randint(50, 900), self.random.randint(-900, -50)
        return equal, spec, (f"  out = {self.other(tree)};\n"
                             f"  if (a == {k} && b == a - {k - j})\n"
                             "    out += 1;")


def try_case(seed, folder):
    equal, *bodies = Maker(seed).case()
    paths = []
    for name, body in zip(("spec.c", "impl.c"), bodies):
        paths.append(os.path.join(folder, name))
        with open(paths[-1], "w", encoding="utf-8") as file:
            file.write(PROGRAM % body)
    done = subprocess.run([HEDDLE, "compare", *paths, "--timeout=20"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=120)
    if done.returncode == 5:
        return "unknown"
    if done.returncode == (0 if equal else 10):
        return None
    return (f"expected {'equal' if equal else 'different'}\n" +
            "\n".join(PROGRAM % body for body in bodies) + done.stdout)


def main():
    count, seed = 20, 1
    for argument in sys.argv[1:]:
        name, _, value = argument.partition("=")
        if name == "--count":
            count = int(value)
        elif name == "--seed":
            seed = int(value)
        else:
            sys.exit(__doc__)
    print(f"1..{count}")
    failed = unknown = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(count):
            problem = try_case(seed + number, folder)
            open_case = problem == "unknown"
            unknown += open_case
            bad = problem is not None and not open_case
            failed += bad
            print(f"{'not ' if bad else ''}ok {number + 1} - seed "
                  f"{seed + number}{' (unknown)' if open_case else ''}",
                  flush=True)
            for line in (problem or "").splitlines() if bad else []:
                print("#   " + line)
    print(f"# {unknown} unknown")
    return failed > 0 or unknown * 4 > count


if __name__ == "__main__":
    sys.exit(main())
