#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random regions of tasks and what orders them against their partial order; speaks TAP.

    tests/openmp/happens.py [--count=N] [--first=K] [--seed=S] [--engine=NAME]
                            [--seconds=S] [--print=K]

A region has accesses to shared variables, in barriers, single, master, critical, loops that
are shared out, tasks (depend, if, final, untied), taskwait (with depend, too), taskgroup,
taskloop, loops and functions. Which control flow there is does not depend on values, so
that the accesses and what the standard orders are known: a graph for each choice of who
executes what in a team of three. A race is a pair of accesses that is not ordered in one
of them, is not atomic and has no critical region in common. What heddle says must not
contradict that; UNKNOWN is counted, and is no failure."""

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
TEAM = 3
MOST_CHOICES = 729
KINDS = ("in", "in", "out", "inout", "mutexinoutset", "inoutset")

# A statement is a tuple: its name, and what it has.


class Generator:
    def __init__(self, rng):
        self.rng, self.left, self.functions = rng, rng.randint(4, 12), []
        self.choices = 0

    def access(self, names):
        rng = self.rng
        if names and rng.random() < 0.5:
            place = ("a", rng.choice(names), rng.choice((0, 0, 1)))
        else:
            place = rng.choice((("x",), ("x",), ("y",), ("z",), ("a", None, 1)))
        how = rng.choice(("write", "write", "write", "read", "read", "atomic"))
        return ("access", how, place)

    def depends(self):
        rng = self.rng
        if rng.random() < 0.5:
            return ()
        return tuple((rng.choice(KINDS), rng.choice("pq"))
                     for _ in range(rng.choice((1, 1, 2))))

    def statement(self, names, depth):
        rng = self.rng
        self.left -= 1
        if self.left < 0 or depth > 5:
            return self.access(names)
        what = rng.choices(
            ("access", "critical", "task", "taskwait", "waitfor", "taskgroup", "taskloop",
             "loop", "call"), (4, 1, 6, 2, 0.5, 1, 0.7, 1.2, 1))[0]
        if what == "access":
            return self.access(names)
        if what == "critical":
            return ("critical", rng.choice("AB"), [self.access(names)])
        if what == "task":
            how = rng.choices(("", "if(0)", "final(1)", "untied", "mergeable"),
                              (8, 1, 1, 1, 1))[0]
            body = self.block(names, depth + 1)
            if "taskgroup" in str(body) or "taskloop" in str(body):
                how = how.replace("untied", "")  # clang-19 makes a broken program of that
            return ("task", self.depends(), how, body)
        if what == "taskwait":
            return ("taskwait",)
        if what == "waitfor":
            return ("waitfor", ((rng.choice(("in", "out", "inout")), rng.choice("pq")),))
        name = f"i{len(names)}"
        if what == "taskgroup" or (what != "call" and len(names) > 2):
            return ("taskgroup", self.block(names, depth + 1))
        if what == "taskloop":
            return ("taskloop", name, rng.random() < 0.3,
                    self.block(names + [name], depth + 1))
        if what == "loop":
            return ("loop", name, self.block(names + [name], depth + 1))
        return ("call", list(names), self.block(names, depth + 1))

    def block(self, names, depth):
        return [self.statement(names, depth)
                for _ in range(self.rng.choice((1, 1, 2, 2, 3)))]

    def of_team(self):
        rng = self.rng
        what = rng.choices(("statement", "barrier", "single", "master", "for"),
                           (2, 1, 4, 1, 1.5))[0]
        if what in ("single", "for") and self.choices >= 2:
            what = "master"
        if what == "barrier":
            return ("barrier",)
        if what == "single":
            self.choices += 1
            return ("single", rng.random() < 0.3, self.block([], 1))
        if what == "master":
            return ("master", self.block([], 1))
        if what == "for":
            self.choices += 1
            return ("for", "i0", rng.random() < 0.3, self.block(["i0"], 1))
        return self.statement([], 1)

    def program(self):
        return [self.of_team() for _ in range(self.rng.choice((1, 1, 2, 3)))]


# --- as text ---


class Text:
    def __init__(self):
        self.functions = []

    def place(self, place):
        if place[0] != "a":
            return place[0]
        return f"a[{place[2]}]" if place[1] is None else f"a[{place[1]} + {place[2]}]"

    def clause(self, depends):
        return "".join(f" depend({kind}: {name})" for kind, name in depends)

    def braces(self, block):
        return ["{"] + [line for s in block for line in self.lines(s)] + ["}"]

    def head(self, name):
        return f"for (int {name} = 0; {name} < 3; {name}++)"

    def lines(self, s):
        what = s[0]
        if what == "access":
            at = self.place(s[2])
            return {"write": [f"{at} = 1;"], "read": ["{", f"int r = {at};", "(void)r;", "}"],
                    "atomic": ["#pragma omp atomic", f"{at} += 1;"]}[s[1]]
        if what == "task":
            return [f"#pragma omp task {s[2]}{self.clause(s[1])}"] + self.braces(s[3])
        if what == "waitfor":
            return ["#pragma omp taskwait" + self.clause(s[1])]
        if what == "taskloop":
            return ["#pragma omp taskloop" + " nogroup" * s[2], self.head(s[1])] \
                + self.braces(s[3])
        if what == "for":
            return ["#pragma omp for" + " nowait" * s[2], self.head(s[1])] + self.braces(s[3])
        if what == "loop":
            return [self.head(s[1])] + self.braces(s[2])
        if what == "call":
            body = self.braces(s[2])
            name = f"f{len(self.functions)}"
            given = ", ".join(f"int {n}" for n in s[1]) or "void"
            self.functions += [[f"static void {name}({given})"] + body]
            return [f"{name}({', '.join(s[1])});"]
        if what == "critical":
            return [f"#pragma omp critical({s[1]})"] + self.braces(s[2])
        if what == "single":
            return ["#pragma omp single" + " nowait" * s[1]] + self.braces(s[2])
        if what in ("master", "taskgroup"):
            return [f"#pragma omp {what}"] + self.braces(s[1])
        return [f"#pragma omp {what}"]

    def program(self, region):
        body = [line for s in region for line in self.lines(s)]
        lines = ["int a[8], x, y, z, p, q;"] + [l for f in self.functions for l in f]
        return "\n".join(lines + ["int main(void) {", "#pragma omp parallel", "{"] + body
                         + ["}", "return 0;", "}", ""])


# --- as a partial order ---


class Task:
    def __init__(self, parent, at, depends=(), final=False):
        self.parent, self.at, self.depends = parent, at, depends
        self.final, self.children, self.end = final, [], None

    def below(self):
        for child in self.children:
            yield child
            yield from child.below()


def ordered(one, other):
    """Do dependences of these kinds order two tasks?"""
    return one != other or one in ("out", "inout")


class Order:
    """Nodes by number, with the set of those before each, as bits."""

    def __init__(self, choice):
        self.before, self.events, self.choice = [], [], list(choice)
        self.tasks = [Task(None, self.node()) for _ in range(TEAM)]

    def node(self, *after):
        bits = 0
        for n in after:
            bits |= self.before[n] | 1 << n
        self.before.append(bits)
        return len(self.before) - 1

    def access(self, task, s, env, locks):
        task.at = self.node(task.at)
        where = s[2]
        if where[0] == "a":
            where = ("a", where[2] + (env[where[1]] if where[1] else 0))
        held = set(locks)
        held |= {("mutex", name, id(task.parent)) for kind, name in task.depends
                 if kind == "mutexinoutset"}
        self.events.append((task.at, where, s[1] != "read", s[1] == "atomic", held))

    def create(self, task, depends, undeferred, final, body, env):
        waits = [c.end for c in task.children for kind, name in c.depends
                 for mine, same in depends if name == same and ordered(kind, mine)]
        child = Task(task, self.node(task.at, *waits), depends, final)
        task.children.append(child)
        self.block(child, body, env, ())
        child.end = child.at
        if undeferred:
            task.at = self.node(task.at, child.end)

    def block(self, task, block, env, locks):
        for s in block:
            self.statement(task, s, env, locks)

    def statement(self, task, s, env, locks):
        what = s[0]
        if what == "access":
            self.access(task, s, env, locks)
        elif what == "critical":
            self.block(task, s[2], env, locks + (s[1],))
        elif what == "task":
            self.create(task, s[1], s[2] == "if(0)" or task.final,
                        s[2] == "final(1)" or task.final, s[3], env)
        elif what == "taskwait":
            task.at = self.node(task.at, *(c.end for c in task.children))
        elif what == "waitfor":
            task.at = self.node(task.at, *(
                c.end for c in task.children for kind, name in c.depends
                for mine, same in s[1] if name == same and ordered(kind, mine)))
        elif what == "loop":
            for i in range(3):
                self.block(task, s[2], dict(env, **{s[1]: i}), locks)
        elif what == "call":
            self.block(task, s[2], env, locks)
        else:
            self.group(task, s, env)

    def group(self, task, s, env):
        known = len(task.children)
        if s[0] == "taskgroup":
            self.block(task, s[1], env, ())
        else:
            for i in range(3):
                self.create(task, (), task.final, task.final, s[3],
                            dict(env, **{s[1]: i}))
            if s[2]:
                return
        new = task.children[known:]
        new += [t for c in new for t in c.below()]
        task.at = self.node(task.at, *(t.end for t in new))

    def barrier(self):
        done = [t.at for t in self.tasks] + [d.end for t in self.tasks for d in t.below()]
        at = self.node(*done)
        for t in self.tasks:
            t.at, t.children = self.node(at), []

    def run(self, region):
        for s in region:
            what = s[0]
            if what == "barrier":
                self.barrier()
            elif what == "single":
                self.block(self.tasks[self.choice.pop(0)], s[2], {}, ())
                if not s[1]:
                    self.barrier()
            elif what == "master":
                self.block(self.tasks[0], s[1], {}, ())
            elif what == "for":
                for i in range(3):
                    self.block(self.tasks[self.choice.pop(0)], s[3], {s[1]: i}, ())
                if not s[2]:
                    self.barrier()
            else:
                for t in self.tasks:
                    self.statement(t, s, {}, ())
        return self

    def races(self):
        for (n, at, writes, atomic, locks), (m, there, also, too, others) in \
                itertools.combinations(self.events, 2):
            if at == there and (writes or also) and not (atomic and too) \
                    and not locks & others and not self.before[m] >> n & 1 \
                    and not self.before[n] >> m & 1:
                return True
        return False


def has_race(region):
    slots = sum({"single": 1, "for": 3}.get(s[0], 0) for s in region)
    choices = itertools.product(range(TEAM), repeat=slots)
    assert TEAM ** slots <= MOST_CHOICES
    return any(Order(choice).run(region).races() for choice in choices)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--count", type=int, default=40)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--engine")
    parser.add_argument("--seconds", type=int, default=20)
    parser.add_argument("--print", type=int)
    args = parser.parse_args()
    if args.print is not None:
        region = Generator(random.Random(f"{args.seed}.{args.print}")).program()
        print(Text().program(region), has_race(region))
        return 0
    beside = os.path.join(os.path.dirname(os.path.abspath(HEDDLE)), "heddle-cc")
    if not shutil.which("clang-19") or not os.path.exists(beside):
        print("1..1\nok 1 - tasks # SKIP there is no heddle-cc or no clang-19")
        return 0
    print("1..1")
    counts, wrong = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        for n in range(args.first, args.first + args.count):
            region = Generator(random.Random(f"{args.seed}.{n}")).program()
            text, truth = Text().program(region), "UNSAFE" if has_race(region) else "SAFE"
            path = os.path.join(folder, "tasks.c")
            with open(path, "w", encoding="utf-8") as out:
                out.write(text)
            done = subprocess.run(
                [HEDDLE, "verify", path, "--property=race", f"--timeout={args.seconds}", "-q",
                 *([f"--engine={args.engine}"] if args.engine else [])],
                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, errors="replace")
            said = VERDICT.get(done.returncode, "failed")
            counts[truth, said] = counts.get((truth, said), 0) + 1
            if said == "failed" or said not in (truth, "UNKNOWN"):
                wrong += 1
                print(f"# {n} is {truth}, heddle says {said}\n# "
                      + text.replace("\n", "\n# "), flush=True)
    for (truth, said), n in sorted(counts.items()):
        print(f"# {n} are {truth}, heddle says {said}")
    print(f"{'not ok' if wrong else 'ok'} 1 - tasks")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
