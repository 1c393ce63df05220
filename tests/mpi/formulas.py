#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Formulas of annotations against a C compiler: random expressions over fixed
values have in `#pragma heddle assert` the value that they have in C, and no
other. Speaks TAP.

    tests/mpi/formulas.py [--count=N] [--seed=S]

$HEDDLE is the program, build/heddle if unset; $CC the compiler, cc if unset."""

import os
import random
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
HEDDLE = os.environ.get("HEDDLE", os.path.join(ROOT, "build", "heddle"))
CC = os.environ.get("CC", "cc")

DECLARATIONS = """\
#include <stdio.h>
enum color { RED = -3, BLUE = 4 };
enum color hue = BLUE;
int a = 7, b = -3, zero, t[4] = {5, -6, 0, 11}, m[2][3] = {{1, 2, 3}, {4, 5, 6}};
unsigned u = 9;
char c = 'x';
long l = -100000;
double d = 2.5, e = -0.75;
struct pair { int x; double y; struct pair *next; } p = {8, 1.5, 0}, q = {-2, 4, 0};
struct pair *r = &p;
"""
# u is left out of mixtures with negative numbers: C converts those.
INTS = ["a", "b", "zero", "t[0]", "t[1]", "t[a - 5]", "m[1][2]", "m[zero][1]",
        "c", "l", "p.x", "q.x", "r->x", "*(&a)", "hue", "RED", "3", "'0'",
        "0x10", "010", "r->next->x", "(&q)->x"]
REALS = ["d", "e", "p.y", "q.y", "r->y", "1.5", "2e1", ".25"]


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def pick(self, *items):
        return self.random.choice(items)

    def integer(self, depth):
        if depth <= 0 or self.random.random() < 0.2:
            return self.pick(*INTS)
        kind = self.pick("+", "-", "*", "/", "%", "neg", "()", "?", "bool",
                         "cast", "+", "-")
        a, b = self.integer(depth - 1), self.integer(depth - 1)
        if kind == "neg":
            return f"-{self.wrap(a)}"
        if kind == "()":
            return f"({a})"
        if kind == "?":
            return f"({self.truth(depth - 1)} ? {a} : {b})"
        if kind == "bool":
            return f"({self.truth(depth - 1)})"
        if kind == "cast":
            return f"(int) ({self.real(depth - 1)})"
        if kind in "/%":
            return f"{self.wrap(a)} {kind} {self.pick('3', '-2', 'a', '7')}"
        return f"{a} {kind} {b}"

    def real(self, depth):
        if depth <= 0 or self.random.random() < 0.2:
            return self.pick(*REALS)
        kind = self.pick("+", "-", "*", "/", "mixed", "cast", "neg")
        a, b = self.real(depth - 1), self.real(depth - 1)
        if kind == "neg":
            return f"-({a})"
        if kind == "mixed":
            return f"{a} {self.pick('+', '-', '*')} ({self.integer(depth - 1)})"
        if kind == "cast":
            return f"(double) ({self.integer(depth - 1)})"
        if kind == "/":
            return f"({a}) / {self.pick('2', '0.5', '-4.0')}"
        return f"{a} {kind} {b}"

    def truth(self, depth):
        if depth <= 0 or self.random.random() < 0.15:
            return f"{self.integer(0)} {self.pick('<', '==', '!=')} 4"
        kind = self.pick("&&", "||", "!", "cmp", "cmp", "rcmp", "int")
        if kind == "!":
            return f"!({self.truth(depth - 1)})"
        if kind == "int":
            return self.wrap(self.integer(depth - 1))
        if kind in ("cmp", "rcmp"):
            side = self.integer if kind == "cmp" else self.real
            return (f"{side(depth - 1)} "
                    f"{self.pick('<', '<=', '>', '>=', '==', '!=')} "
                    f"{side(depth - 1)}")
        return f"{self.truth(depth - 1)} {kind} {self.truth(depth - 1)}"

    @staticmethod
    def wrap(text):
        return text if re.fullmatch(r"\w+", text) else f"({text})"

    def expression(self):
        kind = self.pick("integer", "real", "truth")
        return kind, getattr(self, kind)(4)


def native(items, folder):
    """What C says of each; None where it overflows."""
    path = os.path.join(folder, "native.c")
    with open(path, "w", encoding="utf-8") as file:
        file.write(DECLARATIONS + "int main(void) {\n  p.next = &q;\n")
        for kind, text in items:
            form = "%.17g" if kind == "real" else "%lld"
            cast = "(double)" if kind == "real" else "(long long)"
            file.write(f'  printf("{form}\\n", {cast}({text}));\n')
        file.write("  return 0;\n}\n")
    exe = os.path.join(folder, "native")
    subprocess.run([CC, "-w", "-fwrapv", "-ffp-contract=off", path, "-o", exe],
                   check=True)
    return subprocess.run([exe], stdout=subprocess.PIPE, text=True,
                          check=True).stdout.split()


def annotated(items, values, wrong):
    lines = [DECLARATIONS, "int main(void) {", "  p.next = &q;",
             "  hue = BLUE;"]
    for number, ((kind, text), value) in enumerate(zip(items, values)):
        if number == wrong:
            value = f"{value} + 1" if kind != "truth" else str(1 - int(value))
        lines.append(f"#pragma heddle assert ({text}) == {value}")
        lines.append(f"  zero = 0; /* {number} */")
    lines += ["  return 0;", "}", ""]
    return "\n".join(lines)


def verify(text, folder):
    path = os.path.join(folder, "annotated.c")
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return subprocess.run([HEDDLE, "verify", path, "--property=assert"],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                          text=True, timeout=120)


def small(kind, value):
    """Exact in doubles, and far from the limits of int."""
    return abs(float(value)) < 1e6 and "e" not in value and \
        (kind != "real" or len(value) < 14)


def round_of(seed, folder):
    maker = Maker(seed)
    items = [maker.expression() for _ in range(30)]
    values = native(items, folder)
    kept = [(i, v) for i, v in zip(items, values) if small(i[0], v)]
    items, values = [i for i, _ in kept], [v for _, v in kept]
    done = verify(annotated(items, values, None), folder)
    if done.returncode != 0:
        return "\n".join(f"{i[1]} == {v}" for i, v in kept) + done.stdout
    wrong = maker.random.randrange(len(items))
    done = verify(annotated(items, values, wrong), folder)
    if done.returncode != 10:
        return f"{items[wrong]} is not {values[wrong]}\n{done.stdout}"
    return None


def main():
    count, seed = 6, 1
    for argument in sys.argv[1:]:
        name, _, value = argument.partition("=")
        if name == "--count":
            count = int(value)
        elif name == "--seed":
            seed = int(value)
        else:
            sys.exit(__doc__)
    print(f"1..{count}")
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(1, count + 1):
            problem = round_of(seed + number - 1, folder)
            print(f"{'not ' if problem else ''}ok {number} - "
                  f"seed {seed + number - 1}", flush=True)
            for line in (problem or "").splitlines():
                print("#   " + line)
            failed += problem is not None
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
