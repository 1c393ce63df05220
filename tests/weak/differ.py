#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs whose weak behaviour is not that of any interleaving: no engine may call
one of them safe.

    differ.py HEDDLE [N [SEED [ENGINE...]]]     N programs, 100 by default; prints TAP

ENGINE may be `choice`, what heddle does by itself, and `alone`, every engine for C. With
`only-weak` all N programs have an outcome that no interleaving has.

Programs have branches, loops that wait, retry or count, locks of the library, tried or waited for, and by
hand, barriers, threads that wait for the end of others, accesses by pointers that depend on what was read, compare-and-exchanges, fences, plain variables that may race, threads that start threads, of
POSIX and of C11; variables of 8 to 64 bits in arrays, structs, on the heap, behind pointers;
accesses by <stdatomic.h>, by operators, by __atomic_…, by __sync_… and volatile ones. All executions are made by this
script: events in every order that program order and reading allow, each read from every
write that coherence allows, each write at every place. What is found is judged by the
axioms as oracle.py prints them. Waiting loops go round twice, so what is not found here may
still exist; what is found does. ENGINE `choice` is heddle's own choice."""

import json
import os
import random
import subprocess
import sys
import tempfile

import oracle

ACQ, REL = oracle.ACQ, oracle.REL
ROUNDS, MOST = 2, 60000


class TooMany(Exception):
    pass


# --- what a thread does: actions, answered by what is read ---

def value_of(expr, regs):
    return expr if isinstance(expr, int) else regs[expr[0]] + expr[1]


UPDATES = {"add": lambda old, x: (old + x) & 127, "xchg": lambda old, x: x, "or": lambda old, x: old | x,
           "xor": lambda old, x: old ^ x, "and": lambda old, x: old & x}


def execute(stmts, regs):
    for s in stmts:
        kind = s[0]
        if kind == "load":
            regs[s[1]] = yield ("R", s[2], s[3])
        elif kind == "store":
            yield ("W", s[1], s[2], value_of(s[3], regs))
        elif kind == "rmw":
            regs[s[1]] = yield ("U", s[2], s[3], s[3], lambda old, s=s: UPDATES[s[4]](old, s[5]))
        elif kind == "cas":
            regs[s[1]] = yield ("U", s[2], s[5], s[6], lambda old, s=s: s[4] if old == s[3] else None)
        elif kind == "fence":
            yield ("F", s[1])
        elif kind == "if":
            yield from execute(s[3] if regs[s[1]] == s[2] else s[4], regs)
        elif kind == "times":
            for _ in range(s[1]):
                yield from execute(s[2], regs)
        elif kind == "await":
            for _ in range(ROUNDS):
                if (yield ("R", s[1], s[2])) == s[3]:
                    break
            else:
                yield ("B",)
        elif kind == "retry":  # old = load; while (!cas(old, old + 1))
            for _ in range(ROUNDS):
                old = yield ("R", s[2], s[3])
                found = yield ("U", s[2], s[4], s[5], lambda now, old=old, s=s: (now + s[6]) & 127 if now == old else None)
                if found == old:
                    regs[s[1]] = old
                    break
            else:
                yield ("B",)
        elif kind == "section":  # a lock around statements
            yield from lock(s[1], s[2], s[3])
            yield from execute(s[5], regs)
            yield ("W", s[1], s[4], 0)
        elif kind == "spawn":
            yield ("W", f"start{s[1]}", "release", 1)
        elif kind == "join":
            yield ("R!", f"end{s[1]}", "acquire")
        elif kind == "at":  # the place depends on what was read
            yield from execute([s[2] if regs[s[1]] & 1 else s[3]], regs)
        elif kind == "try":  # who fails has only read
            found = yield ("U", "mutex", "acquire", "relaxed", lambda old: 1 if old == 0 else None)
            yield from execute(s[2] if found else s[1], regs)
            if not found:
                yield ("W", "mutex", "release", 0)
        elif kind == "meet":
            yield ("U", "meeting", "acq_rel", "acq_rel", lambda old: old + 1)
            yield ("R!", "meeting", "acquire", s[1])


def lock(loc, how, order):
    for _ in range(1 if how == "mutex" else ROUNDS):
        if how == "mutex":
            found = yield ("U", loc, order, order, lambda old: 1 if old == 0 else None)
            if found:
                yield ("B",)
        else:
            found = yield ("U", loc, order, "relaxed" if how == "cas" else order,
                           lambda old: 1 if how == "xchg" or old == 0 else None)
        if found == 0:
            return
    yield ("B",)


def whole(program, t):
    regs = [0] * REGS
    if program["spawned"].get(t) is not None:
        yield ("R!", f"start{t}", "acquire")
    yield from execute(program["threads"][t], regs)
    if t in program["joined"]:
        yield ("W", f"end{t}", "release", 1)
    yield ("END", tuple(regs))


REGS = 3


# --- interleavings ---

def interleavings(program):
    """Outcomes: the registers of all threads at their ends."""
    n = len(program["threads"])
    seen, outcomes, open_ = set(), set(), [(((),) * n, ())]
    while open_:
        past, memory = open_.pop()
        if (past, memory) in seen:
            continue
        seen.add((past, memory))
        if len(seen) > MOST:
            raise TooMany
        mem, ends = dict(memory), []
        for t in range(n):
            action = after(program, t, past[t])
            if action[0] == "END":
                ends.append(action[1])
            if action[0] in ("END", "B"):
                continue
            here = mem.get(action[1], 0)
            if action[0] == "R!" and here != wanted(action):
                continue
            now = dict(mem)
            if action[0] == "W":
                now[action[1]] = action[3]
            elif action[0] == "U" and action[4](here) is not None:
                now[action[1]] = action[4](here)
            open_.append((past[:t] + (past[t] + (here,),) + past[t + 1:], tuple(sorted(now.items()))))
        if len(ends) == n:
            outcomes.add(tuple(ends))
    return outcomes


def wanted(action):
    return action[3] if len(action) > 3 else 1


def after(program, t, answers):
    run = whole(program, t)
    action = next(run)
    for a in answers:
        action = run.send(a)
    return action


# --- executions ---

class Graph:
    """Events in the order they were made; see `add`."""

    def __init__(self):
        self.events = []   # (thread, index, kind, loc, order, source, value read)
        self.value = {}    # of writes
        self.mo = {}       # loc -> ids
        self.before = []   # bits: happens before
        self.told = {}     # of writes: bits that who reads it may learn
        self.threads = {}  # thread -> ids
        self.heard, self.fenced = {}, {}

    def copy(self):
        g = Graph()
        g.events, g.value, g.before, g.told = list(self.events), dict(self.value), list(self.before), dict(self.told)
        g.mo = {k: list(v) for k, v in self.mo.items()}
        g.threads = {k: list(v) for k, v in self.threads.items()}
        g.heard, g.fenced = dict(self.heard), dict(self.fenced)
        return g

    def key(self):
        name = {i: e[:2] for i, e in enumerate(self.events)}
        return (tuple(sorted((t, tuple((self.events[i][4], name.get(self.events[i][5])) for i in ids))
                             for t, ids in self.threads.items())),
                tuple(sorted((loc, tuple(name[i] for i in ids)) for loc, ids in self.mo.items())))

    def position(self, loc, write):
        return 0 if write is None else self.mo[loc].index(write) + 1

    def past_of(self, t):
        past = 0
        for i in self.threads.get(t, []):
            past |= 1 << i | self.before[i]
        return past

    def least(self, t, loc):
        past, least = self.past_of(t), 0
        for i, e in enumerate(self.events):
            if past >> i & 1 and e[3] == loc:
                least = max(least, self.position(loc, i if i in self.value else e[5]))
        return least

    def taken(self, loc, at):
        """Does an update read what is at the position?"""
        order = self.mo.get(loc, [])
        if at >= len(order):
            return False
        e = self.events[order[at]]
        return e[2] == "U" and e[5] == (order[at - 1] if at else None)

    def add(self, t, kind, loc, order, source=None, read=None, value=None, at=None):
        i, past = len(self.events), self.past_of(t)
        mine = self.threads.setdefault(t, [])
        if kind in "RU" and order != "na" and source is not None:
            told = self.told.get(source, 0)
            self.heard[t] = self.heard.get(t, 0) | told
            if order in ACQ:
                past |= told
        if kind == "F" and order in ACQ:
            past |= self.heard.get(t, 0)
        if kind == "F" and order in REL:
            self.fenced[t] = past | 1 << i
        if value is not None:
            self.value[i] = value
            told = self.told.get(source, 0) if kind == "U" and source is not None else 0
            if order != "na":
                told |= self.fenced.get(t, 0) | (past | 1 << i if order in REL else 0)
                for j in mine:
                    if j in self.value and self.events[j][3] == loc:
                        told |= self.heads(j)
            self.told[i] = told
            self.mo.setdefault(loc, []).insert(at, i)
        self.events.append((t, len(mine), kind, loc, order, source, read))
        self.before.append(past)
        mine.append(i)

    def heads(self, j):
        """What an own earlier write begins: later stores of the thread continue it."""
        e = self.events[j]
        if e[4] == "na":
            return 0
        told = self.before[j] | 1 << j if e[4] in REL else 0
        for f in self.threads[e[0]]:
            g = self.events[f]
            if g[2] == "F" and g[4] in REL and g[1] < e[1]:
                told |= self.before[f] | 1 << f
        return told

    def races(self):
        for a, x in enumerate(self.events):
            for b in range(a):
                y = self.events[b]
                if x[3] is not None and x[3] == y[3] and x[0] != y[0] and "na" in (x[4], y[4]) and \
                        (a in self.value or b in self.value) and not self.before[a] >> b & 1:
                    return True
        return False

    def allowed(self):
        """By the axioms, from the beginning."""
        judge = oracle.Events([])
        kinds = {"R": "load", "W": "store", "U": "add", "F": "fence"}
        judge.ops = [(e[0], e[1], (kinds[e[2]], e[3], e[4], 0, 0, e[4])) for e in self.events]
        judge.n = len(judge.ops)
        rf = {i: e[5] for i, e in enumerate(self.events) if e[2] in "RU"}
        return judge.consistent(rf, {k: v for k, v in self.mo.items() if v}, set(self.value), list(rf))


def executions(program):
    """Outcomes as above, and whether something races."""
    n = len(program["threads"])
    seen, outcomes, races = set(), set(), False
    open_ = [Graph()]
    while open_:
        g = open_.pop()
        ends = []
        for t in range(n):
            mine = g.threads.get(t, [])
            action = after(program, t, [g.events[i][6] for i in mine])
            if action[0] == "END":
                ends.append(action[1])
            for more in extensions(g, t, action):
                key = more.key()
                if key in seen:
                    continue
                seen.add(key)
                if len(seen) > MOST:
                    raise TooMany
                races = races or (more.races() and more.allowed())
                open_.append(more)
        if len(ends) == n and tuple(ends) not in outcomes and g.allowed():
            outcomes.add(tuple(ends))
    return outcomes, races


def extensions(g, t, action):
    kind = action[0]
    if kind in ("END", "B"):
        return
    if kind == "F":
        more = g.copy()
        more.add(t, "F", None, action[1])
        yield more
        return
    loc = action[1]
    order = g.mo.get(loc, [])
    for at in range(g.least(t, loc), len(order) + 1):
        source = order[at - 1] if at else None
        read = g.value[source] if at else 0
        more = g.copy()
        if kind in ("R", "R!"):
            if kind == "R!" and read != wanted(action):
                continue
            more.add(t, "R", loc, action[2], source, read)
        elif kind == "U" and action[4](read) is None:
            more.add(t, "R", loc, action[3], source, read)
        elif g.taken(loc, at):
            continue
        elif kind == "U":
            more.add(t, "U", loc, action[2], source, read, action[4](read), at)
        else:
            more.add(t, "W", loc, action[2], value=action[3], at=at)
        yield more


# --- drawing programs ---

WEAK = {"load": ["relaxed", "acquire", "relaxed", "acquire", "seq_cst"], "store": ["relaxed", "release", "relaxed", "release", "seq_cst"]}


def draw_access(rng, kind, reg, loc):
    if kind == "load":
        return ("load", reg, loc, "acquire" if reg else "relaxed")
    if kind == "store":
        return ("store", loc, "release" if reg else "relaxed", 1)
    return ("cas", reg, loc, 0, 1, "acq_rel", "acquire" if reg else "relaxed")


def draw_statement(rng, kit, depth):
    kind = rng.choices(["load", "store", "rmw", "cas", "fence", "if", "times", "await", "retry", "section", "plain"],
                       [6, 6, 2, 2, 2, 2, 1, 1, 1, 1, kit["plain"]])[0]
    if depth and kind in ("times", "section", "await", "retry"):
        kind = "load"
    loc, reg = rng.choice(kit["atomics"]), rng.randrange(REGS)
    rmw = rng.choice(oracle.ORDERS["add"])
    if kind in ("load", "store", "cas") and not depth and rng.random() < 0.12:
        both = [draw_access(rng, kind, reg, at) for at in rng.sample(kit["atomics"], 2)]
        return ("at", rng.randrange(REGS), both[0], (*both[1][:-1], both[0][-1]))
    if kind == "load":
        return ("load", reg, loc, rng.choice(WEAK["load"]))
    if kind == "store":
        return ("store", loc, rng.choice(WEAK["store"]), rng.choice([1, 1, 2, 3, (reg, 1)]))
    if kind == "rmw":
        return ("rmw", reg, loc, rmw, rng.choice(["add", "add", "xchg", "or", "xor", "and"]), rng.randint(1, 3))
    if kind == "cas":
        return ("cas", reg, loc, rng.choice([0, 0, 1, 2]), rng.randint(1, 3), rmw, rng.choice(oracle.FAIL[rmw]))
    if kind == "fence":
        return ("fence", rng.choice(["acquire", "release", "acq_rel", "seq_cst", "seq_cst"]))
    if kind == "if":
        return ("if", reg, rng.choice([0, 0, 1, 2]), draw_block(rng, kit, 1, 2), draw_block(rng, kit, 0, 1))
    if kind == "times":
        return ("times", 2, draw_block(rng, kit, 1, 1))
    if kind == "await":
        return ("await", loc, rng.choice(WEAK["load"]), rng.choice([1, 1, 2]))
    if kind == "retry":
        return ("retry", reg, loc, rng.choice(WEAK["load"]), rmw, rng.choice(oracle.FAIL[rmw]), 1)
    if kind == "section":
        how = rng.choice(["mutex", "xchg", "cas"])
        take, give = ("acquire", "release") if how == "mutex" or rng.random() < 0.6 else \
            (rng.choice(["acquire", "relaxed", "seq_cst"]), rng.choice(["release", "relaxed", "seq_cst"]))
        return ("section", "mutex" if how == "mutex" else "latch", how, take, give, draw_block(rng, kit, 1, 2))
    plain = rng.choice(kit["plains"])
    if rng.random() < 0.5:
        return ("load", reg, plain, "na")
    return ("store", plain, "na", rng.choice([1, 2, 5]))


def draw_block(rng, kit, least, most):
    return [draw_statement(rng, kit, 1) for _ in range(rng.randint(least, most))]


def shape(rng, kit):
    """Two or more threads around a known core, so that weak outcomes are frequent."""
    a, b = rng.sample(kit["atomics"], 2)

    def st(loc):
        return ("store", loc, rng.choice(WEAK["store"]), 1) if rng.random() < 0.8 else \
            ("rmw", 2, loc, rng.choice(oracle.ORDERS["add"]), "add", 1)

    def ld(reg, loc):
        return ("load", reg, loc, rng.choice(WEAK["load"])) if rng.random() < 0.85 else \
            ("rmw", reg, loc, rng.choice(oracle.ORDERS["add"]), "or", 0)
    core = rng.choice(["sb", "mp", "mp-plain", "2+2w", "iriw", "wrc", "s", "r"])
    if core == "sb":
        return [[st(a), ld(0, b)], [st(b), ld(0, a)]]
    if core == "mp":
        return [[st(a), st(b)], [ld(0, b), ld(1, a)]]
    if core == "mp-plain":
        return [[("store", "p", "na", 1), st(b)], [ld(0, b), ("if", 0, 1, [("load", 1, "p", "na")], [])]]
    if core == "2+2w":
        return [[st(a), ("store", b, "relaxed", 2)], [st(b), ("store", a, "relaxed", 2)], [ld(0, a), ld(1, a)]]
    if core == "iriw":
        return [[st(a)], [st(b)], [ld(0, a), ld(1, b)], [ld(0, b), ld(1, a)]]
    if core == "wrc":
        return [[st(a)], [ld(0, a), ("if", 0, 1, [st(b)], [])], [ld(0, b), ld(1, a)]]
    if core == "s":
        return [[("store", a, "relaxed", 2), st(b)], [ld(0, b), st(a), ld(1, a)]]
    return [[st(a), st(b)], [("store", b, rng.choice(WEAK["store"]), 2), ld(0, a)], [ld(0, b), ld(1, b)]]


def draw(rng):
    kit = {"atomics": ["x", "y", "z"][:rng.choice([2, 2, 3])], "plains": ["p", "q"], "plain": rng.choice([0, 0, 2])}
    threads = shape(rng, kit)
    if rng.random() < 0.1:
        threads = [draw_block(rng, kit, 2, 3) for _ in range(rng.choice([2, 3]))]
    for _ in range(rng.choice([0, 1, 1, 2, 2])):
        t = rng.choice(threads)
        t.insert(rng.randint(0, len(t)), draw_statement(rng, kit, 0))
    if rng.random() < 0.15:
        t = rng.choice(threads)
        at = rng.randint(0, len(t) - 1)
        t[at] = ("section", "mutex", "mutex", "acquire", "release", [t[at]])
    if rng.random() < 0.15:
        t = rng.choice(threads)
        at = rng.randint(0, len(t) - 1)
        body, other = draw_block(rng, kit, 0, 1), draw_block(rng, kit, 0, 1)
        t.insert(at, ("try", body, other))
        t = rng.choice(threads)
        at = rng.randint(0, len(t) - 1)
        t[at] = ("section", "mutex", "mutex", "acquire", "release", [t[at]])
    if rng.random() < 0.12:
        there = rng.sample(threads, rng.randint(2, len(threads)))
        for t in there:
            t.insert(rng.randint(0, len(t)), ("meet", len(there)))
    spawned = {}
    if len(threads) < 4 and rng.random() < 0.15:
        parent = 0
        threads[parent].insert(rng.randint(0, len(threads[parent])), ("spawn", len(threads) - 1))
        spawned[len(threads) - 1] = parent
    joined = set()
    if not spawned and rng.random() < 0.15:  # one waits for the end of one before it
        one, other = sorted(rng.sample(range(len(threads)), 2))
        threads[other].insert(rng.randint(0, len(threads[other])), ("join", one))
        joined.add(one)
    return {"threads": threads, "spawned": spawned, "joined": joined}


# --- as C ---

TYPES = ["signed char", "unsigned char", "short", "unsigned short", "int", "unsigned", "long", "unsigned long long", "int", "int"]


class Writer:
    def __init__(self, rng, program, kit="x y z latch"):
        self.rng, self.program, self.out = rng, program, []
        # atomic accesses by <stdatomic.h>; by __atomic_…; also by __sync_…; relaxed ones as volatile
        self.style = rng.choice(["c11", "c11", "c11", "gnu", "sync", "volatile"])
        self.gnu = self.style != "c11"  # plain variables
        whole = repr(program)
        self.tries, self.meets = "'try'" in whole, "'meet'" in whole
        # threads of <threads.h>, which may fail to lock for no reason
        self.c11 = rng.random() < 0.2 and not self.tries and not self.meets
        self.types = {v: rng.choice(TYPES) for v in kit.split()}
        self.home = rng.choice(["globals", "globals", "array", "struct", "heap", "pointer"])
        if self.home == "array":
            self.types = dict.fromkeys(self.types, rng.choice(TYPES))
        self.label = 0

    def place(self, loc):
        if loc[0] == "(":
            return loc
        if loc in ("p", "q") or self.home == "globals":
            return loc
        if self.home == "array":
            return f"v[{'xyz'.index(loc) if loc in 'xyz' else 3}]"
        return {"struct": f"s.{loc}", "heap": f"h->{loc}", "pointer": f"(*to_{loc})"}[self.home]

    def declare(self):
        q = {"c11": "_Atomic ", "volatile": "volatile "}.get(self.style, "")
        fields = "".join(f" {q}{self.types[v]} {v};" for v in self.types)
        if self.home == "globals":
            self.out += [f"static {q}{self.types[v]} {v};" for v in self.types]
        elif self.home == "array":
            self.out.append(f"static {q}{self.types['x']} v[4];")
        elif self.home == "struct":
            self.out.append(f"static struct {{{fields} }} s;")
        elif self.home == "heap":
            self.out.append(f"struct cells {{{fields} }};\nstatic struct cells *h;")
        else:
            self.out += [f"static {q}{self.types[v]} in_{v}, *to_{v} = &in_{v};" for v in self.types]
        self.out += ["static pthread_barrier_t meeting;"] if self.meets else []
        self.out += ["static int p, q;",
                     "static mtx_t mutex;" if self.c11 else "static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;"]

    def atomic(self, name, loc, args, orders):
        if self.style == "sync" and orders == ["seq_cst"] and name.startswith("fetch_") and self.rng.random() < 0.7:
            return f"__sync_fetch_and_{name[6:]}(&{self.place(loc)}, {args[0]})"
        if self.style == "sync" and name == "exchange" and orders == ["acquire"]:
            return f"__sync_lock_test_and_set(&{self.place(loc)}, {args[0]})"
        if self.style == "sync" and name == "store" and orders == ["release"] and args == ["0"]:
            return f"__sync_lock_release(&{self.place(loc)})"
        if self.style == "volatile" and orders == ["relaxed"] and name in ("load", "store"):
            return self.place(loc) + (f" = {args[0]}" if args else "")
        if self.style == "c11" and orders == ["seq_cst"] and name in ("load", "store") and self.rng.random() < 0.3:
            return self.place(loc) + (f" = {args[0]}" if args else "")
        if self.gnu:
            names = {"load": "__atomic_load_n", "store": "__atomic_store_n", "exchange": "__atomic_exchange_n"}
            text = names.get(name, "__atomic_" + name)
            return f"{text}({', '.join(['&' + self.place(loc)] + args + ['__ATOMIC_' + o.upper() for o in orders])})"
        if orders == ["seq_cst"] and self.rng.random() < 0.5:
            return f"atomic_{name}({', '.join(['&' + self.place(loc)] + args)})"
        return f"atomic_{name}_explicit({', '.join(['&' + self.place(loc)] + args + ['memory_order_' + o for o in orders])})"

    def cas(self, loc, old, new, orders, weak=False):
        if self.gnu:
            return (f"__atomic_compare_exchange_n(&{self.place(loc)}, &{old}, {new}, {int(weak)}, "
                    f"{', '.join('__ATOMIC_' + o.upper() for o in orders)})")
        return self.atomic("compare_exchange_" + ("weak" if weak else "strong"), loc, ["&" + old, new], orders)

    def fresh(self):
        self.label += 1
        return f"e{self.label}"

    def block(self, stmts, indent):
        for s in stmts:
            for line in self.statement(s, indent):
                self.out.append("  " * indent + line)

    def statement(self, s, indent):
        kind = s[0]
        if kind in ("load", "store") and "na" in (s[3], s[2]):
            return [f"r{s[1]} = {s[2]};"] if kind == "load" else [f"{s[1]} = {s[3]};"]
        if kind == "load":
            return [f"r{s[1]} = (int){self.atomic('load', s[2], [], [s[3]])};"]
        if kind == "store":
            text = str(s[3]) if isinstance(s[3], int) else f"r{s[3][0]} + {s[3][1]}"
            return [self.atomic("store", s[1], [text], [s[2]]) + ";"]
        if kind == "rmw":
            if s[4] == "add":  # values stay below 128
                return [f"r{s[1]} = (int){self.atomic('fetch_add', s[2], [str(s[5])], [s[3]])};"]
            name = {"xchg": "exchange", "or": "fetch_or", "xor": "fetch_xor", "and": "fetch_and"}[s[4]]
            return [f"r{s[1]} = (int){self.atomic(name, s[2], [str(s[5])], [s[3]])};"]
        if kind == "cas":
            e = self.fresh()
            if self.style == "sync" and s[5:] == ("seq_cst", "seq_cst"):
                return [f"r{s[1]} = (int)__sync_val_compare_and_swap(&{self.place(s[2])}, {s[3]}, {s[4]});"]
            return [f"{self.types[s[2]]} {e} = {s[3]};", self.cas(s[2], e, str(s[4]), [s[5], s[6]]) + ";", f"r{s[1]} = (int){e};"]
        if kind == "fence" and self.style == "sync" and s[1] == "seq_cst":
            return ["__sync_synchronize();"]
        if kind == "fence":
            return [f"__atomic_thread_fence(__ATOMIC_{s[1].upper()});" if self.gnu else
                    f"atomic_thread_fence(memory_order_{s[1]});"]
        if kind == "await":
            return [f"while ({self.atomic('load', s[1], [], [s[2]])} != {s[3]})", "  ;"]
        if kind == "retry":
            e = self.fresh()
            return [f"{self.types[s[2]]} {e};", "do", f"  {e} = {self.atomic('load', s[2], [], [s[3]])};",
                    f"while (!{self.cas(s[2], e, e + ' + 1', [s[4], s[5]], self.rng.random() < 0.5)});", f"r{s[1]} = (int){e};"]
        if kind == "spawn":
            return [self.create(s[1])]
        if kind == "join":
            return [f"{'thrd' if self.c11 else 'pthread'}_join(id[{s[1]}], 0);"]
        if kind == "meet":
            return ["pthread_barrier_wait(&meeting);"]
        if kind == "at":
            return self.somewhere(s, indent)
        return self.compound(s, indent)

    def somewhere(self, s, indent):
        """One access, by a pointer to one of two places."""
        where = 1 if s[2][0] == "store" else 2
        yes, no = s[2][where], s[3][where]
        if self.types[yes] != self.types[no]:
            return [f"if (r{s[1]} & 1) {{", *self.inner([s[2]]), "} else {", *self.inner([s[3]]), "}"]
        access = list(s[2])
        access[where] = f"(*(r{s[1]} & 1 ? &{self.place(yes)} : &{self.place(no)}))"
        self.types[access[where]] = self.types[yes]
        return self.statement(tuple(access), indent)

    def inner(self, stmts):
        keep, self.out = self.out, []
        self.block(stmts, 1)
        lines, self.out = self.out, keep
        return lines

    def compound(self, s, indent):
        if s[0] == "if":
            return [f"if (r{s[1]} == {s[2]}) {{", *self.inner(s[3]), "} else {", *self.inner(s[4]), "}"]
        if s[0] == "times":
            i = self.fresh()
            return [f"for (int {i} = 0; {i} < {s[1]}; {i}++) {{", *self.inner(s[2]), "}"]
        if s[0] == "try":
            return ["if (!pthread_mutex_trylock(&mutex)) {", *self.inner(s[1]), "  pthread_mutex_unlock(&mutex);", "} else {",
                    *self.inner(s[2]), "}"]
        body = self.inner(s[5])
        if s[2] == "mutex":
            take, give = ("mtx_lock", "mtx_unlock") if self.c11 else ("pthread_mutex_lock", "pthread_mutex_unlock")
            return [take + "(&mutex);", "{", *body, "}", give + "(&mutex);"]
        give = self.atomic("store", "latch", ["0"], [s[4]]) + ";"
        if s[2] == "xchg":
            return [f"while ({self.atomic('exchange', 'latch', ['1'], [s[3]])})", "  ;", "{", *body, "}", give]
        e = self.fresh()
        return [f"{self.types['latch']} {e} = 0;", f"while (!{self.cas('latch', e, '1', [s[3], 'relaxed'])})", f"  {e} = 0;",
                "{", *body, "}", give]

    def create(self, t):
        return f"thrd_create(&id[{t}], t{t}, 0);" if self.c11 else f"pthread_create(&id[{t}], 0, t{t}, 0);"

    def thread(self, t):
        self.out.append(f"static {'int ' if self.c11 else 'void *'}t{t}(void *arg) {{")
        self.out.append("  int r0 = 0, r1 = 0, r2 = 0;")
        self.block(self.program["threads"][t], 1)
        self.out += [f"  out[{t}][{r}] = r{r};" for r in range(REGS)]
        self.out += ["  return arg != 0;" if self.c11 else "  return arg;", "}"]

    def main(self, forbidden):
        n, spawned = len(self.program["threads"]), self.program["spawned"]
        works = self.rng.random() < 0.3 and (n - 1) not in spawned
        self.out += ["int main(void) {"] + (["  h = calloc(1, sizeof *h);", "  if (!h)", "    return 1;"] if self.home == "heap" else [])
        self.out += ["  mtx_init(&mutex, mtx_plain);"] if self.c11 else []
        many = [s[1] for t in self.program["threads"] for s in t if s[0] == "meet"]
        self.out += [f"  pthread_barrier_init(&meeting, 0, {many[0]});"] if many else []
        created = [t for t in range(n - works) if t not in spawned]
        joined = self.program["joined"]
        if self.rng.random() < 0.3 and not joined:
            created.reverse()
        self.out += ["  " + self.create(t) for t in created]
        self.out += [f"  t{n - 1}(0);"] if works else []
        self.out += [f"  {'thrd' if self.c11 else 'pthread'}_join(id[{t}], 0);" for t in [*created, *spawned] if t not in joined]
        bad = " && ".join(f"out[{t}][{r}] == {x}" for (t, r), x in forbidden) or "0"
        self.out += [f"  assert(!({bad}));"] + (["  free(h);"] if self.home == "heap" else []) + ["  return 0;", "}"]

    def text(self, forbidden):
        n = len(self.program["threads"])
        self.out = ["#include <assert.h>", "#include <pthread.h>", "#include <stdatomic.h>", "#include <stdlib.h>"]
        self.out += ["#include <threads.h>"] if self.c11 else []
        self.declare()
        self.out += [f"static int out[{n}][{REGS}];", f"static {'thrd_t' if self.c11 else 'pthread_t'} id[{n}];"]
        for t in reversed(range(n)):
            self.thread(t)
        self.main(forbidden)
        return "\n".join(self.out) + "\n"


# --- comparing ---

def project(outcomes, slots):
    return {tuple(o[t][r] for t, r in slots) for o in outcomes}


def choose(rng, program):
    """(what is forbidden, class) or None: nothing to ask."""
    try:
        sc = interleavings(program)
        weak, races = executions(program)
    except TooMany:
        return None
    slots = [(t, r) for t in range(len(program["threads"])) for r in range(REGS)]
    if races:
        return (), "races"
    for many in (2, 3, 4, len(slots)):
        for _ in range(12):
            some = sorted(rng.sample(slots, min(many, len(slots))))
            more = project(weak, some) - project(sc, some)
            if more:
                return tuple(zip(some, rng.choice(sorted(more)))), "weak"
    if not weak:
        return None
    some = sorted(rng.sample(slots, 3))
    values = [sorted({o[i] for o in project(weak, some)}) for i in range(3)]
    drawn = tuple(rng.choice(v) for v in values)
    return tuple(zip(some, drawn)), "unsafe" if drawn in project(weak, some) else "safe"


ALONE = ["explore", "unfold", "modular", "pairs", "graph", "views", "fuzz"]


def ask(heddle, path, engine, seconds):
    command = [heddle, "verify", path, "--property=assert,race", "--format=json", "--volatile=relaxed", f"--timeout={seconds}"]
    done = subprocess.run(command + ([] if engine == "choice" else [f"--engine={engine}"]), capture_output=True, text=True)
    try:
        found = json.loads(done.stdout)
    except ValueError:
        return {"error": done.stderr.strip()[-200:]}
    return {p["name"]: p["verdict"] for p in found["properties"]}


def judge(kind, found):
    """None, or what is wrong."""
    if "error" in found:
        return found["error"] or "no answer"
    a, r = found["assert"], found["race"]
    if kind == "races":
        return "safe, but it races" if r == "safe" else None
    if r == "unsafe":
        return "a race that is none"
    if kind == "safe":
        return "unsafe, not found by all executions" if a == "unsafe" else None
    return f"safe, but {kind}" if a == "safe" else None


def main():
    heddle = os.path.abspath(sys.argv[1])
    n = int(sys.argv[2]) if len(sys.argv) > 2 else 100
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    engines = [e for e in sys.argv[4:] if e != "only-weak"] or ["choice"]
    if "alone" in engines:
        engines = [e for e in engines if e != "alone"] + ALONE
    compiler = os.path.join(os.path.dirname(heddle), "heddle-cc")
    bad, counts = [], {}
    with tempfile.TemporaryDirectory() as folder:
        i = done = 0
        while done < n and len(bad) < 5:
            i += 1
            rng = random.Random(seed * 1000003 + i)
            program = draw(rng)
            chosen = choose(rng, program)
            if not chosen or (chosen[1] in ("safe", "unsafe") and rng.random() < 0.7):
                continue
            if "only-weak" in sys.argv and chosen[1] != "weak":
                continue
            done += 1
            source = path = os.path.join(folder, f"differ{i}.c")
            with open(path, "w") as out:
                out.write(Writer(rng, program).text(chosen[0]))
            if len(engines) > 1:  # one translation for all of them
                path = os.path.join(folder, f"differ{i}.code")
                with open(path, "w") as out:
                    subprocess.run([compiler, "--graph", source], stdout=out, check=True)
            for engine in engines:
                found = ask(heddle, path, engine, 20 if engine == "choice" else 3)
                what = (engine, chosen[1], found.get("race" if chosen[1] == "races" else "assert", "error"))
                counts[what] = counts.get(what, 0) + 1
                why = judge(chosen[1], found)
                if why:
                    bad.append((i, f"{engine}: {why}", open(source).read()))
    print("1..1")
    print("not ok" if bad else "ok", f"1 - {done} random programs, most of which no interleaving explains")
    for what, count in sorted(counts.items()):
        print("# " + " ".join(what) + f": {count}")
    for i, why, text in bad:
        print(f"# program {i} of seed {seed}: {why}")
        for line in text.splitlines():
            print("#   " + line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
