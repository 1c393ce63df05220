#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random parallel regions with affine subscripts against brute force; speaks TAP.

    tests/openmp/affine.py [--count=N] [--first=K] [--seed=S] [--engine=NAME]
                           [--seconds=S] [--some=KIND]

A region has up to three constructs, with or without barriers between them: a loop
that is shared out (all schedules, up and down, steps, indices of four types, collapse,
an inner loop, its bounds those of a triangle or a band, the smaller or larger of two
bounds, conditions, ordered, reduction, private, firstprivate, lastprivate), sections,
single, master, tasks (with depend, a taskwait, a taskloop). They say a[...] = b[...] with affine subscripts of one
or two dimensions, perhaps with an input among the terms, perhaps atomic or critical; a
bound may be an input, too. All pairs of accesses that two threads can make at once are
looked for, for all schedules, teams and inputs; what heddle says must not contradict
that. Where the standard leaves open who has which iterations (`open`) either is right.
UNKNOWN is counted, and is no failure."""

import argparse
import os
import random
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
HEDDLE = os.environ.get("HEDDLE") or os.path.join(HERE, "../../build/heddle")
VERDICT = {0: "SAFE", 10: "UNSAFE", 5: "UNKNOWN"}
LARGEST = 9  # size that is an input
SHIFTS = 4  # values of the other input, from 0 on
ROOM = {1: 400, 2: 160}  # elements; subscripts are moved into the middle
DIMENSIONS = {"a": 1, "b": 1, "c": 1, "d": 2, "e": 2, "s": 0}
TEAMS = range(2, 18)


class Place:
    """An element: one affine form of the names for each dimension."""

    def __init__(self, rng, array, names, shifted):
        dims = DIMENSIONS[array]
        self.array, self.names = array, list(names)
        self.forms = [[rng.choice((-2, -1, 0, 1, 1, 2, 3)) for _ in names]
                      + [rng.randint(-3, 3) + ROOM[dims] // 2] for _ in range(dims)]
        if shifted and self.forms and rng.random() < 0.5:
            self.names.append("m")
            for form in self.forms:
                form.insert(-1, rng.choice((-1, 0, 1, 1)))

    def text(self):
        one = (" + ".join([f"{c} * {n}" for c, n in zip(form, self.names) if c]
                          + [str(form[-1])]) for form in self.forms)
        return self.array + "".join(f"[{form}]" for form in one)

    def element(self, env):
        return (self.array,) + tuple(
            sum(c * env[n] for c, n in zip(form, self.names)) + form[-1]
            for form in self.forms)


class Statement:
    def __init__(self, rng, names, shifted, ways):
        arrays = rng.choice(("ab", "ab", "abc", "de", "ad"))
        target = "s" if rng.random() < 0.04 else rng.choice(arrays[:2])
        self.target = Place(rng, target, names, shifted)
        self.source = Place(rng, rng.choice(arrays), names, shifted)
        self.how = rng.choice(ways)

    def text(self):
        lines = [f"#pragma omp {self.how}"] if self.how else []
        if self.how == "atomic":
            return lines + [f"{self.target.text()} += 1;"]
        return lines + [f"{self.target.text()} = {self.source.text()} + 1;"]

    def touches(self, unit, env):
        yield unit, self.target.element(env), True, self.how
        if self.how != "atomic":
            yield unit, self.source.element(env), False, self.how


NO_LOCK = (None, None, None, None, "atomic", "critical")


class Construct:
    """What a team does between two barriers, in units that have one thread each."""

    nowait = False

    def barrier(self):
        return not self.nowait

    def thread(self, unit, env, team):
        """None: any."""
        return None

    def separable(self, x, y, env):
        """Two units of it: can they be with two threads, at the same time?"""
        return x != y

    def excludes(self, how):
        return how in ("atomic", "critical")

    def end_clause(self):
        return " nowait" * self.nowait


class Bounds:
    """for (TYPE NAME = …; …; NAME += …), up or down. Ends are numbers, the input n, the
    smaller or larger of two; those of an inner loop may follow the outer one's index."""

    def __init__(self, rng, name, sized, outer, types):
        self.name, self.type = name, rng.choice(types)
        self.down = rng.random() < 0.25
        is_signed = self.type in ("int", "long")
        self.step = rng.choice((1, 1, 1, 2, 3)) if is_signed or not self.down else 1
        low, high = str(rng.randint(0, 2)), str(rng.randint(3, 8))
        if sized:
            high = rng.choice(("n", "n", "n", "MIN(n, 5)", "MAX(n, 4)", "n / 2"))
            low = rng.choice((low, low, low, "MIN(n, 2)"))
        if outer and rng.random() < 0.4:
            around = f"(int){outer}"
            low, high = rng.choice(((low, around), (low, f"{around} + 2"),
                                    (around, "9"), (low, f"MIN({around} + 1, 4)"),
                                    (f"MAX({around} - 1, 0)", f"{around} + 2")))
        self.low, self.high = low, high
        # (From n - 1 down, where n is 0, is another program when there is no sign.)
        self.equal = rng.random() < 0.3 and (is_signed or not self.down)

    def head(self):
        ends = (self.high, self.low) if self.down else (self.low, self.high)
        sign = (">", "<")[not self.down] + "=" * (self.equal and not self.down)
        first = f"{ends[0]} - 1" if self.down and self.equal else ends[0]
        if self.type in ("unsigned", "size_t"):
            ends = (ends[0], f"({self.type})({ends[1]})")
        return (f"for ({self.type} {self.name} = {first}; {self.name} {sign} {ends[1]}; "
                f"{self.name} {'-' if self.down else '+'}= {self.step})")

    def values(self, env):
        names = dict(env, MIN=min, MAX=max)
        low, high = (eval(e.replace("(int)", "").replace("/", "//"), names)
                     for e in (self.low, self.high))
        if self.down:
            return range(high - 1 if self.equal else high, low, -self.step)
        return range(low, high + self.equal, self.step)


class Loop(Construct):
    def __init__(self, rng, sized, shifted):
        self.collapse = rng.random() < 0.25
        self.inner = not self.collapse and rng.random() < 0.3
        self.names = ["i", "j"][:1 + (self.collapse or self.inner)]
        # Of one width: sums that wrap around end where they should.
        types = rng.choice((("int",), ("int", "unsigned"), ("int", "long", "size_t")))
        self.bounds = [Bounds(rng, name, sized and not k, self.inner and k and "i", types)
                       for k, name in enumerate(self.names)]
        self.schedule = rng.choice(("", "dynamic", "static, 2", "guided", "static",
                                    "static, 1", "dynamic, 3"))
        self.ordered = not self.inner and rng.random() < 0.1
        self.clause = rng.choice(("", "", "", "", "private(t)", "lastprivate(t)",
                                  "firstprivate(t)", "reduction(+: r)",
                                  "reduction(max: r)"))
        self.condition = None
        if rng.random() < 0.25:
            self.condition = rng.choice((("%s %% 2 == 1", lambda v: v % 2 == 1),
                                         ("%s < 3", lambda v: v < 3),
                                         ("%s == 4", lambda v: v == 4),
                                         ("%s != 5", lambda v: v != 5),
                                         ("%s > 1 && %s < 5", lambda v: 1 < v < 5),
                                         ("%s %% 3 != 0", lambda v: v % 3 != 0)))
        ways = (None, None, "ordered") if self.ordered else NO_LOCK
        self.body = [Statement(rng, self.names, shifted, ways)
                     for _ in range(1 if self.ordered else rng.randint(1, 2))]

    def excludes(self, how):
        return how in ("atomic", "critical", "ordered")

    def text(self):
        clause = " collapse(2)" * self.collapse + " ordered" * self.ordered
        clause += f" schedule({self.schedule})" if self.schedule else ""
        clause += f" {self.clause}" if self.clause else ""
        lines = [f"#pragma omp for{clause}{self.end_clause()}"]
        lines += [b.head() for b in self.bounds]
        lines.append("{")
        if "t" in self.clause.replace("reduction", ""):
            lines.append(f"t {'+' * ('first' in self.clause)}= i;")
        if "+: r" in self.clause:
            lines.append("r += i;")
        if "max: r" in self.clause:
            lines.append("r = (int)i > r ? (int)i : r;")
        if self.condition:
            lines.append(f"if ({self.condition[0].replace('%s', 'i').replace('%%', '%')})"
                         " {")
        for statement in self.body:
            lines += statement.text()
        return lines + ["}"] * (1 + bool(self.condition))

    def rounds(self, env):
        """(number of the iteration, names) of all rounds."""
        count = 0
        for i in self.bounds[0].values(env):
            if len(self.bounds) == 1:
                yield count, {"i": i}
                count += 1
                continue
            for j in self.bounds[1].values(dict(env, i=i)):
                yield count, {"i": i, "j": j}
                count += self.collapse
            count += not self.collapse

    def trips(self, env):
        outer = len(self.bounds[0].values(env))
        return outer * (len(self.bounds[1].values(env)) if self.collapse else 1)

    def touches(self, env):
        for k, values in self.rounds(env):
            if self.condition and not self.condition[1](values["i"]):
                continue
            for statement in self.body:
                yield from statement.touches(k, dict(env, **values))
        if self.clause.startswith("reduction"):
            yield "each", ("r",), True, self
            yield "each", ("r",), False, self
        if self.clause.startswith("first"):
            yield "each", ("t",), False, None
        if self.clause.startswith("last") and self.trips(env):
            yield self.trips(env) - 1, ("t",), True, None

    def thread(self, unit, env, team):
        trips = self.trips(env)
        if self.schedule.startswith("static,"):
            return unit // int(self.schedule[8:]) % team
        if self.schedule != "static":
            return None
        small, more = trips // team, trips % team
        return unit // (small + 1) if unit < more * (small + 1) else \
            more + (unit - more * (small + 1)) // small

    def separable(self, x, y, env):
        if "each" in (x, y):
            return True
        if self.schedule.startswith("dynamic,"):
            return x // int(self.schedule[8:]) != y // int(self.schedule[8:])
        if self.thread(x, env, 2) is None:
            return x != y
        return any(self.thread(x, env, t) != self.thread(y, env, t) for t in TEAMS)


class Sections(Construct):
    def __init__(self, rng, sized, shifted):
        self.parts = [[Statement(rng, [], shifted, NO_LOCK)
                       for _ in range(rng.randint(1, 2))]
                      for _ in range(rng.randint(2, 3))]

    def text(self):
        lines = [f"#pragma omp sections{self.end_clause()}", "{"]
        for part in self.parts:
            lines += ["#pragma omp section", "{"]
            lines += [l for s in part for l in s.text()] + ["}"]
        return lines + ["}"]

    def touches(self, env):
        for k, part in enumerate(self.parts):
            for statement in part:
                yield from statement.touches(k, env)


class One(Construct):
    """single, or master, which has no barrier; perhaps with the shared t or r."""

    def __init__(self, rng, sized, shifted):
        self.master = rng.random() < 0.4
        self.scalar = rng.choice("   tr")
        self.body = [Statement(rng, [], shifted, NO_LOCK)]

    def barrier(self):
        return not self.master and not self.nowait

    def begin(self):
        return "#pragma omp " + ("master" if self.master else "single" + self.end_clause())

    def text(self):
        lines = [l for s in self.body for l in s.text()]
        if self.scalar != " ":
            lines.append(f"{self.scalar} = 5;")
        return [self.begin(), "{"] + lines + ["}"]

    def is_over(self, unit):
        """When the thread goes on behind it."""
        return True

    def touches(self, env):
        for statement in self.body:
            yield from statement.touches(0, env)
        if self.scalar != " ":
            yield 0, (self.scalar,), True, None

    def thread(self, unit, env, team):
        return 0 if self.master else None


class Tasks(One):
    """One thread creates tasks, one each time round a loop, and goes on."""

    def __init__(self, rng, sized, shifted):
        super().__init__(rng, sized, shifted)
        self.high = rng.randint(2, 7)
        self.loop = rng.random() < 0.3  # taskloop
        self.wait = rng.random() < 0.5
        self.depend = None if self.loop or rng.random() < 0.5 else \
            (rng.choice((1, 2, 3)), rng.choice(("inout", "out", "in", "mutexinoutset")))
        self.each = [Statement(rng, ["i"], shifted, NO_LOCK)
                     for _ in range(rng.randint(1, 2))]

    def text(self):
        head = f"for (int i = 0; i < {self.high}; i++)"
        inside = ["{"] + [l for s in self.each for l in s.text()] + ["}"]
        lines = [self.begin(), "{"]
        if self.loop:
            lines += ["#pragma omp taskloop" + " nogroup" * (not self.wait), head]
        else:
            clause = f" depend({self.depend[1]}: p[i % {self.depend[0]}])" \
                if self.depend else ""
            lines += [head, f"#pragma omp task firstprivate(i){clause}"]
        lines += inside
        if self.wait and not self.loop:
            lines.append("#pragma omp taskwait")
        return lines + super().text()[2:]

    def touches(self, env):
        for i in range(self.high):
            for statement in self.each:
                yield from statement.touches(i + 1, dict(env, i=i))
        yield from super().touches(env)

    def is_over(self, unit):
        return not unit or self.wait

    def thread(self, unit, env, team):
        return 0 if self.master and not unit else None

    def separable(self, x, y, env):
        if x == y or ((x == 0 or y == 0) and self.wait):
            return False
        return not (x and y and self.depend and self.depend[1] != "in"
                    and (x - y) % self.depend[0] == 0)


def meet(one, other, env):
    """Do two threads touch an element at once, one writing? None: that is open."""
    there, found = {}, False
    for y in other.touches(env):
        there.setdefault(y[1], set()).add((y[0], *y[2:]))
    for x, at, writes, how in set(one.touches(env)):
        for y, also, other_how in there.get(at, ()):
            if not (writes or also) or (how and how == other_how
                                        and (one is other or how in ("atomic", "critical"))):
                continue
            split = apart(one, x, other, y, env)
            if split:
                return True
            found = None if split is None else found
    return found


def apart(one, x, other, y, env):
    """Do two threads have them in some team? None: that is left open."""
    if one is other:
        return one.separable(x, y, env)
    if "each" in (x, y):
        return True
    if isinstance(one, One) and isinstance(other, One) and one.master and other.master \
            and one.is_over(x):
        return False  # one thread, which creates the tasks of the other afterwards
    threads = [(one.thread(x, env, t), other.thread(y, env, t)) for t in TEAMS]
    if any(None in pair or pair[0] != pair[1] for pair in threads):
        return True
    return False if isinstance(one, Loop) and isinstance(other, Loop) and \
        one.schedule == other.schedule and one.trips(env) == other.trips(env) else \
        False if not isinstance(one, Loop) and not isinstance(other, Loop) else None


KINDS = {"loop": Loop, "sections": Sections, "one": One, "tasks": Tasks}


def generate(rng, some):
    sized, shifted = rng.random() < 0.3, rng.random() < 0.3
    kinds = [rng.choice(("loop", "loop", "loop", "loop", "sections", "one", "tasks"))
             for _ in range(rng.choice((1, 1, 1, 2, 2, 3)))]
    kinds[0] = some or kinds[0]
    parts = [KINDS[k](rng, sized, shifted) for k in kinds]
    for part in parts[:-1]:
        part.nowait = rng.random() < 0.6
    lines = [f"int a[{ROOM[1]}], b[{ROOM[1]}], c[{ROOM[1]}], p[3], s, t, r;",
             f"int d[{ROOM[2]}][{ROOM[2]}], e[{ROOM[2]}][{ROOM[2]}];",
             "int __VERIFIER_nondet_int(void);",
             "#define MIN(a, b) ((a) < (b) ? (a) : (b))",
             "#define MAX(a, b) ((a) > (b) ? (a) : (b))", "typedef unsigned long size_t;",
             "int main(void) {"]
    for name, on, least, most in (("n", sized, 0, LARGEST),
                                  ("m", shifted, 0, SHIFTS - 1)):
        if on:
            lines += [f"int {name} = __VERIFIER_nondet_int();",
                      f"if ({name} < {least} || {name} > {most})", "return 0;"]
    lines += ["#pragma omp parallel", "{"]
    for part in parts:
        lines += part.text()
    found = set()
    for k, one in enumerate(parts):
        for other in [one] + parts[k + 1:]:
            for n in range(LARGEST + 1) if sized else (0,):
                for m in range(SHIFTS) if shifted else (0,):
                    found.add(meet(one, other, {"n": n, "m": m}))
            if other is not one and other.barrier() or one.barrier():
                break
    races = True if True in found else None if None in found else False
    return "\n".join(lines + ["}", "return 0;", "}", ""]), races


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine")
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--some", choices=sorted(KINDS))
    args = parser.parse_args()
    beside = os.path.join(os.path.dirname(os.path.abspath(HEDDLE)), "heddle-cc")
    if not shutil.which("clang-19") or not os.path.exists(beside):
        print("1..1\nok 1 - affine loops # SKIP there is no heddle-cc or no clang-19")
        return 0
    print("1..1")
    counts, wrong = {}, 0
    shown = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        for n in range(args.first, args.first + args.count):
            text, races = generate(random.Random(f"{args.seed}.{n}"), args.some)
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
                      + text.replace("\n", "\n# "), flush=True)
            if time.monotonic() > shown + 60:
                shown = time.monotonic()
                print(f"# up to {n}: {counts}", flush=True)
    for (truth, said), n in sorted(counts.items()):
        print(f"# {n} are {truth}, heddle says {said}")
    print(f"{'not ok' if wrong else 'ok'} 1 - affine loops")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
