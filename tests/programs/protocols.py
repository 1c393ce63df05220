#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random threads with locks of every kind, whose truth an interpreter knows that shares
nothing with heddle; every engine is asked.

    tests/programs/protocols.py [--count=N] [--seed=N] [--engines=LIST] [--seconds=S]
        [--show]

Two to four threads use mutexes (normal, error-checking, recursive, of C11), read-write
locks, spin locks, semaphores, barriers, condition variables, once routines, atomic
and plain variables, in conditions and short loops; results are kept. All
interleavings are tried, with vector clocks, every waiter that a signal may wake, waits
that end without one, and times that run out or do not. An assertion is put where what
it says is true in all runs, or wrong in few.

Wrong is: an engine says safe where a run violates the property, or unsafe where none
does. HEDDLE names the program; what fails is kept in $HEDDLE_KEEP. TAP."""

import os
import random
import re
import subprocess
import sys
import tempfile

HEDDLE = os.path.abspath(os.environ.get("HEDDLE", "build/heddle"))
PROPERTIES = ["assert", "race", "deadlock", "sync"]
ENGINES = {
    "explore": ["--engine=explore"], "graph": ["--engine=graph"],
    "views": ["--engine=views"], "unfold": ["--engine=unfold"],
    "octagon": ["--engine=unfold", "--domain=octagon"],
    "modular": ["--engine=modular"], "pairs": ["--engine=pairs"],
    "weave": ["--engine=weave"], "fuzz": ["--engine=fuzz"],
    "unbounded": ["--threads=unbounded"], "all": []}
LIMIT = 12000  # states
EBUSY, EPERM, EDEADLK, ETIMEDOUT = 16, 1, 35, 110
SERIAL = -1
REGS = 4

HEAD = """#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <threads.h>
#include <time.h>
"""


class TooMany(Exception):
    pass


# ------------------------------------------------------------- the programs

class Program:
    """Threads as lists of steps, and as C text. A step is (what, register, ...)."""

    def __init__(self, seed):
        r = self.r = random.Random(seed)
        self.n = r.choice([2, 2, 2, 3, 3, 4])
        self.mutexes = [r.choice(["normal", "normal", "static", "errorcheck",
                                  "recursive", "c11", "c11rec"])
                        for _ in range(r.randint(1, 2))]
        self.sems = [r.choice([0, 0, 1, 1, 2]) for _ in range(r.randint(0, 2))]
        self.barriers = [r.choice([2, 2, 3]) for _ in range(r.randint(0, 1))]
        self.rwlocks = r.randint(0, 1)
        self.spins = r.randint(0, 1)
        self.conds = r.randint(0, 1) if self.mutexes[0] in ("normal", "static", "c11") else 0
        self.onces = r.randint(0, 1)
        self.plain = r.randint(1, 2)
        self.atomics = r.randint(0, 2)
        self.guard = [r.choice(["m0", "m0", f"m{len(self.mutexes) - 1}",
                                "w0" if self.rwlocks else "m0",
                                "p0" if self.spins else "m0"])
                      for _ in range(self.plain)]
        self.tries = r.random() < 0.4
        self.wild = r.random() < 0.12  # accesses without the lock
        self.careless = r.random() < 0.1  # locks used wrongly
        self.parent = [None] + [0 if r.random() < 0.85 else r.randrange(k)
                                for k in range(1, self.n)]
        self.size = r.choice([2, 3, 3, 4]) if self.n < 3 else 2 if self.n < 4 else 1
        self.sites = []
        self.code, self.text = [], []
        for t in range(self.n):
            self.thread(t)

    def chance(self, percent):
        return self.r.randrange(100) < percent

    def emit(self, step, line):
        self.code[-1].append(step)
        if line:
            self.text[-1].append("  " * self.depth + line)

    def reg(self):
        return self.r.randrange(REGS)

    def value(self):
        """(step's form, C)"""
        if self.chance(50):
            v = self.r.randrange(4)
            return ("c", v), str(v)
        l, c = self.reg(), self.r.randrange(3)
        return ("r", l, c), f"((l{l} + {c}) & 3)"

    def test(self):
        l = self.reg()
        op = self.r.choice(["==", "!=", "<", ">"])
        v = self.r.choice([0, 0, 1, 2])
        return (l, op, v), f"l{l} {op} {v}"

    def thread(self, t):
        self.code.append([])
        self.text.append([])
        self.depth, self.held, self.t = 1, [], t
        kids = [k for k in range(1, self.n) if self.parent[k] == t]
        for k in kids:
            self.emit(("create", k), f"START(t{k}, f{k});")
        self.block(self.size)
        if t == 0 or self.chance(70):
            for k in kids:
                if t == 0 and self.chance(6):
                    continue
                l = self.reg()
                self.emit(("join", l, k), f"JOIN(t{k}, l{l});")
        if t == 0 and self.chance(85):
            for x in range(self.plain):
                if self.chance(70):
                    self.emit(("load", x, x), f"l{x} = x{x};")
            for a in range(self.atomics):
                self.emit(("aload", 3, a), f"l3 = a{a};")
        if t == 0 or self.chance(30):
            self.site()
        l = self.reg()
        self.emit(("end", l), f"return (void *)(long)l{l};" if t else "return 0;")

    def site(self):
        k = len(self.sites)
        regs = self.r.sample(range(REGS), 2)
        self.sites.append(regs)
        self.emit(("site", k), f"@{k}@")

    def block(self, size):
        for _ in range(size):
            self.statement()

    def statement(self):
        r = self.r
        kind = r.randrange(100)
        if kind < 34:
            self.guarded()
        elif kind < 44 and self.atomics:
            self.atomic()
        elif kind < 54 and self.sems:
            self.semaphore()
        elif kind < 60 and self.barriers:
            l = self.reg()
            self.emit(("bar", l, 0), f"l{l} = pthread_barrier_wait(&b0);")
        elif kind < 72 and self.conds:
            self.condition()
        elif kind < 76 and self.onces:
            self.once()
        elif kind < 84:
            self.choice()
        elif kind < 88:
            self.loop()
        elif kind < 90 and self.t and self.depth == 1 and self.chance(30):
            l = self.reg()
            self.emit(("end", l), f"pthread_exit((void *)(long)l{l});")
        elif kind < 91 and self.depth > 1 and self.chance(30):
            self.emit(("exit",), "exit(0);")
        elif self.wild:
            self.access(r.randrange(self.plain))
        else:
            self.guarded()

    def access(self, x, read=False):
        l = self.reg()
        kind = 0 if read else self.r.randrange(4)
        if kind == 0:
            self.emit(("load", l, x), f"l{l} = x{x};")
        elif kind == 1:
            form, c = self.value()
            self.emit(("store", x, form), f"x{x} = {c};")
        else:
            self.emit(("load", l, x), f"l{l} = x{x};")
            self.emit(("store", x, ("r", l, 1)), f"x{x} = (l{l} + 1) & 3;")

    def take(self, lock, read=False):
        """Emits steps that take a lock; what closes it."""
        kind, i = lock[0], int(lock[1])
        l = self.reg()
        if kind == "m":
            c11 = self.mutexes[i].startswith("c11")
            name = "mtx_" if c11 else "pthread_mutex_"
            how = self.r.randrange(10)
            if how < 6 or not self.tries or lock in self.held and not self.mutexes[i] in ("errorcheck",):
                self.emit(("lock", l, i), f"l{l} = {name}lock(&m{i});")
                closes = False
            elif how < 9:
                self.emit(("trylock", l, i), f"l{l} = {name}trylock(&m{i});")
                closes = True
            else:
                self.emit(("timedlock", l, i), f"l{l} = {name}timedlock(&m{i}, &{'past' if self.chance(60) else 'later'});")
                closes = True
            u = self.reg()
            close = (("unlock", u, i), f"l{u} = {name}unlock(&m{i});")
            if closes and not (self.careless and self.chance(30)):
                return (l, close)
            return (None, close)
        if kind == "w":
            form = ("try" if self.tries and self.chance(33) else "") + ("rd" if read else "wr")
            self.emit((form, l, i), f"l{l} = pthread_rwlock_{form}lock(&w{i});")
            close = (("rwun", l, i), f"pthread_rwlock_unlock(&w{i});")
            return (l if "try" in form else None, close)
        form = "tryspin" if self.tries and self.chance(33) else "spin"
        self.emit((form, l, i), f"l{l} = pthread_spin_{'lock' if form == 'spin' else 'trylock'}(&p{i});")
        return (l if "try" in form else None,
                (("unspin", l, i), f"pthread_spin_unlock(&p{i});"))

    def guarded(self):
        x = self.r.randrange(self.plain)
        lock = self.guard[x] if self.chance(93) or not self.wild else "m0"
        if self.chance(12):
            lock = "m0"
        if lock in self.held and not (lock[0] == "m" and self.mutexes[int(lock[1])] in
                                      ("errorcheck", "recursive", "c11rec")) and \
                not self.chance(8):
            self.access(x) if lock == self.guard[x] else self.atomic()
            return
        read = lock[0] == "w" and self.chance(50)
        test, (step, line) = self.take(lock, read)
        if lock in self.held and lock[0] == "m" and self.mutexes[int(lock[1])] == "errorcheck":
            return
        if test is not None:
            jump = len(self.code[-1])
            self.emit(None, f"if (l{test} == 0) {{")
            self.depth += 1
        self.held.append(lock)
        for _ in range(self.r.choice([1, 1, 2])):
            if lock == self.guard[x] or self.wild and self.chance(30):
                self.access(x, read)
            else:
                self.atomic()
        if self.chance(22) and len(self.held) < 3:
            self.statement()
        self.held.remove(lock)
        if self.chance(97):
            self.emit(step, line)
        if test is not None:
            self.depth -= 1
            self.code[-1][jump] = ("unless", (test, "==", 0), len(self.code[-1]))
            self.emit(("skip",), "}")

    def atomic(self):
        if not self.atomics:
            return
        a, l = self.r.randrange(self.atomics), self.reg()
        form, c = self.value()
        kind = self.r.randrange(5)
        if kind == 0:
            self.emit(("aload", l, a), f"l{l} = a{a};")
        elif kind == 1:
            self.emit(("astore", a, form), f"a{a} = {c};")
        elif kind == 2:
            self.emit(("aadd", l, a, 1), f"l{l} = atomic_fetch_add(&a{a}, 1);")
        elif kind == 3:
            self.emit(("axchg", l, a, form), f"l{l} = atomic_exchange(&a{a}, {c});")
        else:
            v = self.r.randrange(2)
            self.emit(("acas", l, a, v, form), f"e = {v}; l{l} = atomic_compare_exchange_strong(&a{a}, &e, {c});")

    def semaphore(self):
        s, l = self.r.randrange(len(self.sems)), self.reg()
        kind = self.r.randrange(8)
        if kind < 3:
            self.emit(("spost", s), f"sem_post(&s{s});")
        elif kind < 5:
            self.emit(("swait", l, s), f"l{l} = sem_wait(&s{s});")
        elif kind < 6 and self.tries:
            self.emit(("strywait", l, s), f"l{l} = sem_trywait(&s{s});")
        elif kind < 7 and self.tries:
            self.emit(("stimed", l, s), f"l{l} = sem_timedwait(&s{s}, &past);")
        else:
            self.emit(("sget", l, s), f"sem_getvalue(&s{s}, &l{l});")

    def condition(self):
        c11 = self.mutexes[0] == "c11"
        cnd, mtx = ("cnd_", "mtx_") if c11 else ("pthread_cond_", "pthread_mutex_")
        kind = self.r.randrange(6)
        if kind < 3:
            self.emit((["csig", "csig", "cbc"][kind], 0),
                      f"{cnd}{'signal' if kind < 2 else 'broadcast'}(&c0);")
            return
        if "m0" in self.held:
            return
        l, v = self.reg(), self.r.randrange(2)
        x = next((x for x in range(self.plain) if self.guard[x] == "m0"), None)
        self.emit(("lock", 3, 0), f"l3 = {mtx}lock(&m0);")
        if x is None or kind == 5:
            self.emit(("ctimed", l, 0, 0), f"l{l} = {cnd}timedwait(&c0, &m0, &past);")
            if x is not None:
                self.access(x)
        else:
            head = len(self.code[-1])
            word = self.r.choice(["while", "while", "if"])
            self.emit(("load", l, x), f"{word} ((l{l} = x{x}) == {v}) {{")
            self.emit(None, None)
            self.depth += 1
            self.emit(("cwait", 0, 0), f"{cnd}wait(&c0, &m0);")
            self.depth -= 1
            if word == "while":
                self.emit(("jump", head), None)
            self.code[-1][head + 1] = ("unless", (l, "==", v), len(self.code[-1]))
            self.emit(("skip",), "}")
            if self.chance(50):
                self.access(x)
        self.emit(("unlock", 3, 0), f"l3 = {mtx}unlock(&m0);")

    def once(self):
        end = len(self.code[-1]) + 4
        self.emit(("once", 0, end), "pthread_once(&o0, init);")
        self.emit(("load", 3, "g"), None)
        self.emit(("store", "g", ("r", 3, 1)), None)
        self.emit(("onced", 0), None)
        l = self.reg()
        self.emit(("load", l, "g"), f"l{l} = g;")

    def choice(self):
        if self.depth > 3:
            return
        test, c = self.test()
        jump = len(self.code[-1])
        self.emit(None, f"if ({c}) {{")
        self.depth += 1
        self.block(self.r.choice([1, 1, 2]))
        self.depth -= 1
        self.code[-1][jump] = ("unless", test, len(self.code[-1]) + 1)
        if self.chance(40):
            middle = len(self.code[-1])
            self.emit(None, "} else {")
            self.depth += 1
            self.block(1)
            self.depth -= 1
            self.code[-1][middle] = ("jump", len(self.code[-1]))
        else:
            self.emit(("skip",), None)
        self.emit(("skip",), "}")

    def loop(self):
        if self.depth > 2 or self.n > 3:
            return
        i = f"i{self.depth}"
        self.emit(("set", i, 0), f"for (int {i} = 0; {i} < 2; {i}++) {{")
        head = len(self.code[-1])
        self.depth += 1
        self.block(1)
        self.depth -= 1
        self.emit(("again", i, head), "}")

    # -------------------------------------------------------------------- C

    def write(self, site, says):
        out = [HEAD, "#define INT(p) ((int)(long)(p))",
               "#define START(t, f) pthread_create(&t, NULL, f, NULL)",
               "#define JOIN(t, l) do { void *p_; pthread_join(t, &p_); l = INT(p_); } while (0)",
               "const struct timespec past = {0, 0}, later = {2000000000, 0};"]
        for i, kind in enumerate(self.mutexes):
            if kind.startswith("c11"):
                out.append(f"mtx_t m{i};")
            else:
                out.append(f"pthread_mutex_t m{i}"
                           f"{' = PTHREAD_MUTEX_INITIALIZER' if kind == 'static' else ''};")
        if self.conds:
            out.append("cnd_t c0;" if self.mutexes[0] == "c11" else
                       "pthread_cond_t c0 = PTHREAD_COND_INITIALIZER;")
        out += [f"sem_t s{i};" for i in range(len(self.sems))]
        out += ["pthread_barrier_t b0;"] * len(self.barriers)
        out += ["pthread_rwlock_t w0 = PTHREAD_RWLOCK_INITIALIZER;"] * self.rwlocks
        out += ["pthread_spinlock_t p0;"] * self.spins
        out += [f"int x{i};" for i in range(self.plain)]
        out += [f"atomic_int a{i};" for i in range(self.atomics)]
        if self.onces:
            out += ["int g; pthread_once_t o0 = PTHREAD_ONCE_INIT;",
                    "void init(void) { int l = g; g = (l + 1) & 3; }"]
        out += [f"pthread_t t{k};" for k in range(1, self.n)]
        regs = f"int {', '.join(f'l{i} = 0' for i in range(REGS))}, e = 0; (void)e;"
        for t in reversed(range(self.n)):
            out.append(f"void *f{t}(void *arg) {{" if t else "int main(void) {")
            out.append("  " + regs)
            if t == 0:
                out += ["  " + line for line in self.init()]
            for line in self.text[t]:
                if "@" in line:
                    k = int(line.strip().strip("@"))
                    line = f"  assert({says});" if k == site else ""
                out.append(line)
            out.append("}")
        return "\n".join(line for line in out if line) + "\n"

    def init(self):
        out = []
        for i, kind in enumerate(self.mutexes):
            if kind == "normal":
                out.append(f"pthread_mutex_init(&m{i}, NULL);")
            elif kind.startswith("c11"):
                out.append(f"mtx_init(&m{i}, mtx_timed{' | mtx_recursive' if kind == 'c11rec' else ''});")
            elif kind != "static":
                out += [f"pthread_mutexattr_t k{i}; pthread_mutexattr_init(&k{i});",
                        f"pthread_mutexattr_settype(&k{i}, PTHREAD_MUTEX_{kind.upper()});",
                        f"pthread_mutex_init(&m{i}, &k{i}); pthread_mutexattr_destroy(&k{i});"]
        if self.conds and self.mutexes[0] == "c11":
            out.append("cnd_init(&c0);")
        out += [f"sem_init(&s{i}, 0, {v});" for i, v in enumerate(self.sems)]
        out += [f"pthread_barrier_init(&b0, NULL, {n});" for n in self.barriers]
        out += ["pthread_spin_init(&p0, PTHREAD_PROCESS_PRIVATE);"] * self.spins
        return out


# ------------------------------------------------------------ the interpreter

def join(a, b):
    return tuple(max(p, q) for p, q in zip(a, b))


class State:
    """Everything in a dict of tuples and numbers, whose keys stay the same; copied
    for each step."""
    __slots__ = ("d",)

    def __init__(self, d):
        self.d = d

    def copy(self):
        return State(dict(self.d))

    def key(self):
        return tuple(self.d.values())


class Search:
    def __init__(self, program, site=None, fails=None):
        self.p, self.site, self.fails = program, site, fails
        self.n = program.n
        self.bad = dict.fromkeys(PROPERTIES, False)
        self.values = [{} for _ in program.sites]
        self.known = set()
        zero = (0,) * self.n
        d = {"zero": zero, "over": 0}
        for t in range(self.n):
            d["pc", t] = 0 if t == 0 else None  # None: not yet; "end": ended
            d["r", t] = (0,) * REGS
            d["vc", t] = tuple(int(i == t) for i in range(self.n))
            d["ret", t] = None
            for i in ("i1", "i2"):
                d[i, t] = 0
            d["in", t] = ""  # waits in a condition variable, a barrier
        for i in range(len(program.mutexes)):
            d["m", i] = (None, 0)
            d["mvc", i] = zero
        for i, v in enumerate(program.sems):
            d["s", i] = v
            d["svc", i] = zero
        for i in range(len(program.barriers)):
            d["b", i] = ()
            d["bvc", i] = zero
        d["w", 0] = (None, ())
        d["wvc", 0], d["rvc", 0] = zero, zero
        d["p", 0] = None
        d["pvc", 0] = zero
        d["c", 0] = ()
        d["o", 0] = 0
        d["ovc", 0] = zero
        for x in [*range(program.plain), "g"]:
            d["x", x] = 0
            d["xw", x] = (0, 0)  # clock, thread
            d["xr", x] = zero
        for a in range(program.atomics):
            d["a", a] = 0
            d["avc", a] = zero
        self.stack = [State(d)]

    def run(self):
        while self.stack:
            s = self.stack.pop()
            self.settle(s)
            if s.d["over"]:
                continue
            k = s.key()
            if k in self.known:
                continue
            self.known.add(k)
            if len(self.known) > LIMIT:
                raise TooMany()
            self.expand(s)

    # Local steps go with the visible one before.
    def settle(self, s):
        d = s.d
        for t in range(self.n):
            while isinstance(d["pc", t], int) and not d["over"]:
                step = self.p.code[t][d["pc", t]]
                if not self.local(s, t, step):
                    break

    def local(self, s, t, step):
        d = s.d
        what = step[0]
        pc = d["pc", t]
        if what == "skip":
            d["pc", t] = pc + 1
        elif what == "jump":
            d["pc", t] = step[1]
        elif what == "unless":
            l, op, v = step[1]
            d["pc", t] = pc + 1 if self.holds(d["r", t][l], op, v) else step[2]
        elif what == "set":
            d[step[1], t] = 0
            d["pc", t] = pc + 1
        elif what == "again":
            d[step[1], t] += 1
            if d[step[1], t] < 2:
                d["pc", t] = step[2]
            else:
                d[step[1], t] = 0
                d["pc", t] = pc + 1
        elif what == "site":
            regs = d["r", t]
            pair = tuple(regs[l] for l in self.p.sites[step[1]])
            self.values[step[1]][pair] = self.values[step[1]].get(pair, 0) + 1
            if step[1] == self.site and self.fails(pair):
                self.bad["assert"] = True
                d["over"] = 1
            d["pc", t] = pc + 1
        else:
            return False
        return True

    @staticmethod
    def holds(a, op, b):
        return a == b if op == "==" else a != b if op == "!=" else \
            a < b if op == "<" else a > b

    def put(self, d, t, l, v):
        r = list(d["r", t])
        r[l] = v
        d["r", t] = tuple(r)

    def of(self, d, t, form):
        return form[1] if form[0] == "c" else (d["r", t][form[1]] + form[2]) & 3

    def learn(self, d, t, what):
        d["vc", t] = join(d["vc", t], d[what])

    def tick(self, d, t):
        v = list(d["vc", t])
        v[t] += 1
        d["vc", t] = tuple(v)

    def publish(self, d, t, what, only=False):
        d[what] = d["vc", t] if only else join(d[what], d["vc", t])
        self.tick(d, t)

    def read(self, d, t, x):
        clock, who = d["xw", x]
        if d["vc", t][who] < clock:
            self.bad["race"] = True
        r = list(d["xr", x])
        r[t] = d["vc", t][t]
        d["xr", x] = tuple(r)

    def wrote(self, d, t, x):
        clock, who = d["xw", x]
        if d["vc", t][who] < clock or any(d["vc", t][i] < c
                                          for i, c in enumerate(d["xr", x])):
            self.bad["race"] = True
        d["xw", x] = (d["vc", t][t], t)
        d["xr", x] = d["zero"]

    # What a thread waits for now: None (it can go on), or (kind, object).
    def waits(self, d, t):
        pc = d["pc", t]
        if not isinstance(pc, int):
            return ("gone", 0)
        inside = d["in", t]
        if inside == "cond":
            return ("cond", 0)
        if inside == "bar":
            return ("bar", 0)
        if inside in ("take", "took"):
            return ("m", 0) if d["m", 0][0] is not None else None
        step = self.p.code[t][pc]
        what = step[0]
        if what == "lock":
            owner, count = d["m", step[2]]
            if owner is None:
                return None
            kind = self.p.mutexes[step[2]]
            if owner == t and kind in ("recursive", "c11rec", "errorcheck"):
                return None
            return ("m", step[2])
        if what == "spin":
            return ("p", 0) if d["p", 0] is not None else None
        if what == "rd":
            return ("w", 0) if d["w", 0][0] is not None and d["w", 0][0] != t else None
        if what == "wr":
            if d["w", 0][0] == t:
                return None
            return ("w", 0) if d["w", 0] != (None, ()) else None
        if what == "swait":
            return ("s", step[2]) if d["s", step[2]] == 0 else None
        if what == "join":
            return ("join", step[2]) if d["pc", step[2]] != "end" else None
        if what == "once":
            o = d["o", 0]
            return ("once", 0) if isinstance(o, tuple) else None
        return None

    def stuck(self, d, waiting):
        """Those who wait for each other, or for who has ended."""
        group = {t: w for t, w in waiting.items() if w and w[0] in ("m", "p", "w", "join")}
        while True:
            for t, (kind, i) in list(group.items()):
                if kind == "m":
                    by = [d["m", i][0]]
                elif kind == "p":
                    by = [d["p", i]]
                elif kind == "w":
                    by = [b for b in [d["w", 0][0], *d["w", 0][1]] if b is not None]
                    if self.p.code[t][d["pc", t]][0] == "rd":
                        by = [d["w", 0][0]]
                else:
                    by = [i]
                    if i in group:
                        continue
                    del group[t]
                    break
                if not any(b in group or d["pc", b] == "end" for b in by):
                    del group[t]
                    break
            else:
                return bool(group)

    def expand(self, s):
        d = s.d
        waiting = {t: self.waits(d, t) for t in range(self.n)}
        live = [t for t in range(self.n) if isinstance(d["pc", t], int)]
        if d["pc", 0] == "end":
            return  # main has returned
        timed = [t for t in live if waiting[t] and waiting[t][0] == "cond" and
                 self.p.code[t][d["pc", t]][0] == "ctimed"]
        can = [t for t in live if waiting[t] is None]
        for t in live:
            step = self.p.code[t][d["pc", t]]
            if step[0] == "lock" and d["m", step[2]][0] == t and \
                    self.p.mutexes[step[2]] == "c11":
                self.bad["sync"] = True  # of a mutex that is not recursive
        if not can and not timed and live:
            self.bad["deadlock"] = True
            return
        if self.stuck(d, {t: waiting[t] for t in live}):
            self.bad["deadlock"] = True
            return
        for t in live:
            if waiting[t] is None:
                self.step(s, t)
            elif waiting[t][0] == "cond":
                n = s.copy()  # without a signal
                n.d["c", 0] = tuple(w for w in d["c", 0] if w != t)
                n.d["in", t] = "take"
                self.stack.append(n)
                if t in timed:
                    n = s.copy()
                    n.d["c", 0] = tuple(w for w in d["c", 0] if w != t)
                    n.d["in", t] = "took"
                    self.stack.append(n)

    def misuse(self):
        self.bad["sync"] = True

    def step(self, s, t):
        n = s.copy()
        d = n.d
        pc = d["pc", t]
        step = self.p.code[t][pc]
        what = step[0]
        go = lambda: self.stack.append(n)
        d["pc", t] = pc + 1
        if what == "create":
            k = step[1]
            d["vc", k] = join(d["vc", k], d["vc", t])
            d["pc", k] = 0
            self.tick(d, t)
        elif what == "join":
            self.learn(d, t, ("vc", step[2]))
            self.put(d, t, step[1], d["r", step[2]][d["ret", step[2]]])
        elif what == "end":
            d["pc", t] = "end"
            d["ret", t] = step[1]
        elif what == "exit":
            return
        elif what == "load":
            self.read(d, t, step[2])
            self.put(d, t, step[1], d["x", step[2]])
        elif what == "store":
            self.wrote(d, t, step[1])
            d["x", step[1]] = self.of(d, t, step[2])
        elif what == "aload":
            self.learn(d, t, ("avc", step[2]))
            self.put(d, t, step[1], d["a", step[2]])
        elif what == "astore":
            d["a", step[1]] = self.of(d, t, step[2])
            self.publish(d, t, ("avc", step[1]), only=True)
        elif what in ("aadd", "axchg", "acas"):
            l, a = step[1], step[2]
            old = d["a", a]
            self.learn(d, t, ("avc", a))
            if what == "acas":
                self.put(d, t, l, int(old == step[3]))
                if old == step[3]:
                    # the value is computed before the call
                    d["a", a] = self.of(s.d, t, step[4])
                    self.publish(d, t, ("avc", a))
            else:
                d["a", a] = old + 1 if what == "aadd" else self.of(s.d, t, step[3])
                self.put(d, t, l, old)
                self.publish(d, t, ("avc", a))
        elif what in ("lock", "trylock", "timedlock"):
            return self.mutex(s, n, t, step)
        elif what == "unlock":
            l, m = step[1], step[2]
            owner, count = d["m", m]
            if owner != t:
                if self.p.mutexes[m] in ("errorcheck", "recursive"):
                    self.put(d, t, l, EPERM)
                else:
                    self.misuse()
                    return
            else:
                d["m", m] = (t, count - 1) if count > 1 else (None, 0)
                if count == 1:
                    self.publish(d, t, ("mvc", m))
                self.put(d, t, l, 0)
        elif what in ("spin", "tryspin"):
            if d["p", 0] is None:
                d["p", 0] = t
                self.learn(d, t, ("pvc", 0))
                self.put(d, t, step[1], 0)
            else:
                self.put(d, t, step[1], EBUSY)
        elif what == "unspin":
            if d["p", 0] != t:
                self.misuse()
                return
            d["p", 0] = None
            self.publish(d, t, ("pvc", 0))
        elif what in ("rd", "tryrd", "wr", "trywr"):
            writer, readers = d["w", 0]
            l = step[1]
            if "rd" in what:
                if writer is None:
                    d["w", 0] = (None, tuple(sorted(readers + (t,))))
                    self.learn(d, t, ("wvc", 0))
                    self.put(d, t, l, 0)
                else:
                    self.put(d, t, l, EBUSY if what == "tryrd" else EDEADLK)
            elif writer is None and not readers:
                d["w", 0] = (t, ())
                self.learn(d, t, ("wvc", 0))
                self.learn(d, t, ("rvc", 0))
                self.put(d, t, l, 0)
            else:
                self.put(d, t, l, EBUSY if what == "trywr" else EDEADLK)
        elif what == "rwun":
            writer, readers = d["w", 0]
            if writer == t:
                d["w", 0] = (None, ())
                self.publish(d, t, ("wvc", 0))
            elif t in readers:
                rest = list(readers)
                rest.remove(t)
                d["w", 0] = (None, tuple(rest))
                self.publish(d, t, ("rvc", 0))
            else:
                self.misuse()
                return
        elif what == "spost":
            d["s", step[1]] += 1
            self.publish(d, t, ("svc", step[1]))
        elif what in ("swait", "strywait", "stimed"):
            l, k = step[1], step[2]
            if d["s", k]:
                d["s", k] -= 1
                self.learn(d, t, ("svc", k))
                self.put(d, t, l, 0)
            else:
                self.put(d, t, l, -1)
        elif what == "sget":
            self.put(d, t, step[1], d["s", step[2]])
        elif what == "bar":
            arrived = d["b", 0] + (t,)
            d["bvc", 0] = join(d["bvc", 0], d["vc", t])
            if len(arrived) < self.p.barriers[0]:
                d["b", 0] = tuple(sorted(arrived))
                d["in", t] = "bar"
                d["pc", t] = pc
            else:
                for serial in arrived:
                    k = n.copy()
                    e = k.d
                    for w in arrived:
                        e["in", w] = ""
                        own = self.p.code[w][e["pc", w] if w != t else pc]
                        e["pc", w] = e["pc", w] + 1 if w != t else pc + 1
                        self.put(e, w, own[1], SERIAL if w == serial else 0)
                        e["vc", w] = join(e["vc", w], e["bvc", 0])
                        self.tick(e, w)
                    e["b", 0] = ()
                    e["bvc", 0] = e["zero"]
                    self.stack.append(k)
                return
        elif what == "csig":
            for w in d["c", 0]:
                k = n.copy()
                k.d["c", 0] = tuple(v for v in d["c", 0] if v != w)
                k.d["in", w] = "take"
                self.stack.append(k)
            if d["c", 0]:
                return
        elif what == "cbc":
            for w in d["c", 0]:
                d["in", w] = "take"
            d["c", 0] = ()
        elif what in ("cwait", "ctimed"):
            if not d["in", t]:
                if d["m", 0] != (t, 1):
                    self.misuse()
                    return
                d["m", 0] = (None, 0)
                self.publish(d, t, ("mvc", 0))
                d["c", 0] = tuple(sorted(d["c", 0] + (t,)))
                d["in", t] = "cond"
                d["pc", t] = pc
            else:
                if what == "ctimed":
                    over = TIMED_OUT_C11 if self.p.mutexes[0] == "c11" else ETIMEDOUT
                    self.put(d, t, step[1], over if d["in", t] == "took" else 0)
                d["in", t] = ""
                d["m", 0] = (t, 1)
                self.learn(d, t, ("mvc", 0))
        elif what == "once":
            if d["o", 0] == "done":
                self.learn(d, t, ("ovc", 0))
                d["pc", t] = step[2]
            else:
                d["o", 0] = (t,)
        elif what == "onced":
            d["o", 0] = "done"
            self.publish(d, t, ("ovc", 0))
        go()

    def mutex(self, s, n, t, step):
        d = n.d
        what, l, m = step
        kind = self.p.mutexes[m]
        owner, count = d["m", m]
        c11 = kind.startswith("c11")
        if owner is None or owner == t and kind in ("recursive", "c11rec"):
            d["m", m] = (t, count + 1)
            self.learn(d, t, ("mvc", m))
            self.put(d, t, l, 0)
            if what == "trylock" and c11:
                k = s.copy()  # for no reason
                k.d["pc", t] += 1
                self.put(k.d, t, l, BUSY_C11)
                self.stack.append(k)
        elif what == "lock":
            self.put(d, t, l, EDEADLK)  # error-checking
        elif what == "trylock":
            self.put(d, t, l, BUSY_C11 if c11 else EBUSY)
        elif owner == t and kind == "errorcheck":
            self.put(d, t, l, EDEADLK)
        else:
            if owner == t and c11:
                self.misuse()
            self.put(d, t, l, TIMED_OUT_C11 if c11 else ETIMEDOUT)
        self.stack.append(n)


BUSY_C11, TIMED_OUT_C11 = 1, 4  # glibc's thrd_busy, thrd_timedout


# ------------------------------------------------------------------- the test

def choose(program, search):
    """(site, C text, when it fails): true in all runs, or wrong for what is rare."""
    r = program.r
    sites = [k for k, v in enumerate(search.values) if v]
    if not sites:
        return None, "1", None
    k = r.choice(sites)
    a, b = program.sites[k]
    seen = search.values[k]
    if r.random() < 0.5:
        v = min(seen, key=lambda p: (seen[p], p))
        return k, f"!(l{a} == {v[0]} && l{b} == {v[1]})", lambda p: p == v
    sums = {p[0] + p[1] for p in seen}
    low, high = min(sums), max(sums)
    if r.random() < 0.5:
        return k, f"l{a} + l{b} >= {low} && l{a} + l{b} <= {high}", lambda p: False
    holes = [v for v in range(low - 1, high + 2) if v not in sums]
    v = r.choice(holes)
    return k, f"l{a} + l{b} != {v}", lambda p: False


def ask(engine, source, seconds, properties):
    command = [HEDDLE, "verify", "-j1", f"--timeout={seconds}", *ENGINES[engine],
               "--property=" + properties, source]
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              errors="replace", timeout=seconds * 6 + 20)
    except subprocess.TimeoutExpired:
        return {}, "does not end"
    answers = dict(re.findall(r"^(\w+): (safe|unsafe|unknown)", done.stdout, re.M))
    if done.returncode not in (0, 5, 10) or "internal" in done.stdout:
        return answers, f"exits with {done.returncode}\n{done.stdout[-800:]}"
    return answers, None


def main():
    count, seed, show, seconds = 20, 1, False, 3
    engines = ["explore", "unfold", "modular", "graph"]
    for argument in sys.argv[1:]:
        name, _, value = argument.partition("=")
        if name == "--count":
            count = int(value)
        elif name == "--seed":
            seed = int(value)
        elif name == "--seconds":
            seconds = int(value)
        elif name == "--engines":
            engines = value.split(",") if value else []
        elif name == "--show":
            show = True
        else:
            sys.exit(__doc__)
    keep = os.environ.get("HEDDLE_KEEP")
    print("TAP version 13")
    tally, wrong = {}, 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(seed, seed + count):
            program = Program(number)
            try:
                first = Search(program)
                first.run()
                site, says, fails = choose(program, first)
                search = Search(program, site, fails or (lambda p: False))
                search.run()
            except TooMany:
                print(f"ok {number - seed + 1} - seed {number} # SKIP too many states")
                continue
            truth = search.bad
            source = os.path.join(keep or folder, f"protocol{number}.c")
            head = " ".join(f"{p}={'UNSAFE' if truth[p] else 'SAFE'}" for p in PROPERTIES)
            text = f"/* SPDX-License-Identifier: MIT */\n/* expect: {head} */\n" + \
                program.write(site, says)
            if show:
                print(text)
                continue
            with open(source, "w") as f:
                f.write(text)
            for p in PROPERTIES:
                key = ("truth", p, "unsafe" if truth[p] else "safe")
                tally[key] = tally.get(key, 0) + 1
            bad = []
            for engine in engines:
                asked = "assert" if engine == "unbounded" else ",".join(PROPERTIES)
                answers, trouble = ask(engine, source, seconds, asked)
                if trouble:
                    bad.append(f"{engine}: {trouble}")
                for p, answer in answers.items():
                    if p not in truth or truth["race"] and p != "race" or \
                            truth["sync"] and p != "sync":
                        continue  # what is undefined may do anything
                    tally[engine, p, answer] = tally.get((engine, p, answer), 0) + 1
                    if answer != "unknown" and (answer == "unsafe") != truth[p]:
                        bad.append(f"{engine}: {p} is called {answer}")
            if bad:
                wrong += 1
                print(f"not ok {number - seed + 1} - {source}")
                for line in bad:
                    print("# " + line.replace("\n", "\n# "))
            else:
                print(f"ok {number - seed + 1} - seed {number}")
                if keep:
                    os.remove(source)
            sys.stdout.flush()
    if not show:
        print(f"1..{count}")
        for key in sorted(tally):
            print("# " + " ".join(key) + f" {tally[key]}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
