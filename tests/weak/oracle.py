#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random litmus programs: the engines graph and views against all reads-from and modification
orders, judged by the axioms of RC11 as they are printed. Shares nothing with heddle.

    oracle.py HEDDLE [N [SEED [robust]]]     N programs, 500 by default; prints TAP

Of each program the number of executions is compared, and whether an outcome that is
drawn can happen. With `robust` only whether views is right when it says that there are only
interleavings, of programs where there may be others."""

import itertools
import json
import os
import random
import subprocess
import sys
import tempfile

ORDERS = {"store": ["relaxed", "release", "seq_cst"], "load": ["relaxed", "acquire", "seq_cst"],
          "add": ["relaxed", "acquire", "release", "acq_rel", "seq_cst"],
          "cas": ["relaxed", "acquire", "release", "acq_rel", "seq_cst"],
          "fence": ["acquire", "release", "acq_rel", "seq_cst"]}
FAIL = {"relaxed": ["relaxed"], "release": ["relaxed"], "acquire": ["relaxed", "acquire"],
        "acq_rel": ["relaxed", "acquire"], "seq_cst": ["relaxed", "acquire", "seq_cst"]}


def generate(rng):
    """A list of threads; an operation is (kind, location, order, value, expected, failure)."""
    n = rng.choice([2, 2, 3, 3, 4])
    budget = rng.randint(4, 7)
    threads = [[] for _ in range(n)]
    locations = rng.choice([1, 2, 2, 2, 3])
    strong = rng.random() < 0.3
    for i in range(budget):
        kind = rng.choice(["store", "store", "load", "load", "load", "add", "cas", "fence"])
        order = "seq_cst" if strong and rng.random() < 0.6 else rng.choice(ORDERS[kind])
        threads[i % n if i < n else rng.randrange(n)].append(
            (kind, rng.randrange(locations), order, i + 1, rng.choice([0, 1, i]), rng.choice(FAIL.get(order, ["relaxed"]))))
    return threads


def cycle(rng):
    """Threads that might go round in a circle: each accesses one location and then the next thread's,
    with something between that may keep the order, and something beside."""
    n = rng.choice([2, 2, 2, 3, 3, 4])
    value = iter(range(1, 100))
    strong = rng.random() < 0.4

    def access(write, loc):
        if rng.random() < 0.2:
            order = rng.choice(ORDERS["add"] if not strong else ["acq_rel", "acq_rel", "seq_cst"])
            if rng.random() < 0.4:
                return ("cas", loc, order, next(value), rng.choice([0, 0, 1, 9]), rng.choice(FAIL[order]))
            return ("add", loc, order, next(value) if write else 0, 0, "relaxed")
        if strong:
            order = rng.choice(["release", "release", "seq_cst"] if write else ["acquire", "acquire", "seq_cst"])
        else:
            order = rng.choice(ORDERS["store" if write else "load"])
        return ("store" if write else "load", loc, order, next(value), 0, "relaxed")

    def between():
        kind = rng.choice(["", "", "", "fence", "update", "own"])
        if kind == "fence":
            return [("fence", 0, rng.choice(ORDERS["fence"]), 0, 0, "relaxed")]
        if kind == "update":  # who comes later to the same place is behind this
            return [("add", 2 if n < 3 else rng.randrange(3), rng.choice(["acq_rel", "acq_rel", "relaxed", "release"]), 0, 0, "relaxed")]
        return []
    ends = [rng.choice([(True, False), (True, False), (False, True), (True, True)]) for _ in range(n)]
    threads = []
    for t in range(n):
        first = ends[t - 1][1]   # what the thread before leads to, here
        second = ends[t][0]
        threads.append([access(first, t % 3), *between(), access(second, (t + 1) % n % 3)])
    if n < 4 and rng.random() < 0.4:
        t = rng.choice(threads)
        t.insert(rng.randint(0, len(t)), access(rng.random() < 0.4, rng.randrange(3)))
    return threads


ACQ, REL = {"acquire", "acq_rel", "seq_cst"}, {"release", "acq_rel", "seq_cst"}


def closure(rel):
    n = len(rel)
    rel = list(rel)
    for k in range(n):
        for i in range(n):
            if rel[i] >> k & 1:
                rel[i] |= rel[k]
    return rel


def compose(a, b):
    out = []
    for row in a:
        acc, rest = 0, row
        while rest:
            low = rest & -rest
            acc |= b[low.bit_length() - 1]
            rest ^= low
        out.append(acc)
    return out


def union(*rels):
    return [x for x in (eval_or(rows) for rows in zip(*rels))]


def eval_or(rows):
    acc = 0
    for row in rows:
        acc |= row
    return acc


def irreflexive(rel):
    return not any(row >> i & 1 for i, row in enumerate(rel))


def inverse(rel):
    out = [0] * len(rel)
    for i, row in enumerate(rel):
        for j in range(len(rel)):
            if row >> j & 1:
                out[j] |= 1 << i
    return out


class Events:
    def __init__(self, threads):
        self.ops = [(t, i, op) for t, ops in enumerate(threads) for i, op in enumerate(ops)]
        self.n = len(self.ops)

    def executions(self):
        """Yields the values read, and whether some interleaving does the same, of what every
        axiom allows."""
        n, ops = self.n, self.ops
        reads = [e for e in range(n) if ops[e][2][0] in ("load", "add", "cas")]
        writers = [e for e in range(n) if ops[e][2][0] in ("store", "add", "cas")]
        options = [[None] + [w for w in writers if w != r and ops[w][2][1] == ops[r][2][1]] for r in reads]
        for choice in itertools.product(*options):
            rf = dict(zip(reads, choice))
            found = self.values(rf)
            if not found:
                continue
            value, read, writes = found
            if any(w is not None and w not in writes for w in rf.values()):
                continue
            by_loc = {}
            for w in writes:
                by_loc.setdefault(ops[w][2][1], []).append(w)
            updates = [e for e in reads if e in writes]
            for orders in itertools.product(*(itertools.permutations(ws) for ws in by_loc.values())):
                mo = dict(zip(by_loc, orders))
                if all(self.next_to(mo, ops[u][2][1], rf[u], u) for u in updates) and self.consistent(rf, mo, writes, reads):
                    yield read, self.interleaves(rf, mo, writes)

    @staticmethod
    def next_to(mo, loc, source, update):
        order = mo[loc]
        at = order.index(update)
        return (order[at - 1] if at else None) == source

    def values(self, rf):
        """Values by program order and reading, or None where that goes in a circle."""
        value, read, writes, done = {}, {}, set(), set()
        left = list(range(self.n))
        while left:
            later = []
            for e in left:
                t, i, op = self.ops[e]
                if any(o not in done for o in range(self.n) if self.ops[o][0] == t and self.ops[o][1] < i) or \
                        (e in rf and rf[e] is not None and rf[e] not in done):
                    later.append(e)
                    continue
                done.add(e)
                kind = op[0]
                if e in rf:
                    if rf[e] is not None and rf[e] not in writes:
                        return None
                    read[e] = 0 if rf[e] is None else value[rf[e]]
                if kind == "store":
                    value[e] = op[3]
                elif kind == "add":
                    value[e] = read[e] + op[3]
                elif kind == "cas" and read[e] == op[4]:
                    value[e] = op[3]
                if e in value:
                    writes.add(e)
            if len(later) == len(left):
                return None
            left = later
        return value, read, writes

    def interleaves(self, rf, mo, writes):
        """Program order, reading, modification order, and reading before make no cycle."""
        rows = [0] * self.n
        for a, (thread, index, _) in enumerate(self.ops):
            for b, (other, later, _) in enumerate(self.ops):
                rows[a] |= (thread == other and index < later) << b
        place = {w: (location, i) for location, order in mo.items() for i, w in enumerate(order, 1)}
        for r, w in rf.items():
            location, at = place[w] if w is not None else (self.ops[r][2][1], 0)
            if w is not None:
                rows[w] |= 1 << r
            for later, where in place.items():
                if later != r and where[0] == location and where[1] > at:
                    rows[r] |= 1 << later
        for w, (location, at) in place.items():
            for later, where in place.items():
                if where[0] == location and where[1] > at:
                    rows[w] |= 1 << later
        return irreflexive(closure(rows))

    def consistent(self, rf, mo, writes, reads, c23=False):
        n, ops = self.n, self.ops
        zero = [0] * n

        def order(e):
            op = ops[e][2]
            return op[5] if op[0] == "cas" and e not in writes else op[2]

        def loc(e):
            return None if ops[e][2][0] == "fence" else ops[e][2][1]

        def pairs(test):
            return [eval_or(1 << j for j in range(n) if i != j and test(i, j)) for i in range(n)]
        fence = [ops[e][2][0] == "fence" for e in range(n)]
        sb = pairs(lambda a, b: ops[a][0] == ops[b][0] and ops[a][1] < ops[b][1])
        place = {}
        for location, sequence in mo.items():
            for i, w in enumerate(sequence):
                place[w] = i + 1
        where = {r: 0 if rf[r] is None else place[rf[r]] for r in reads}
        m = pairs(lambda a, b: a in writes and b in writes and loc(a) == loc(b) and place[a] < place[b])
        f = pairs(lambda a, b: b in rf and rf[b] == a)
        rb = pairs(lambda a, b: a in rf and b in writes and loc(a) == loc(b) and where[a] < place[b])
        if not irreflexive(closure(union(sb, f))):
            return False
        eco = closure(union(f, m, rb))
        # release sequences as C17 has them: later stores of the same thread, then updates
        later = pairs(lambda a, b: not c23 and a in writes and b in writes and loc(a) == loc(b) and sb[a] >> b & 1)
        start = [(1 << i if i in writes else 0) | later[i] for i in range(n)]
        step = [eval_or(1 << j for j in range(n) if j in writes and j in rf and rf[j] == i) for i in range(n)]
        many = closure(step)
        rs = compose(start, [many[i] | 1 << i for i in range(n)])
        head = []
        for a in range(n):
            rows = rs[a] if not fence[a] else eval_or(rs[w] for w in range(n) if sb[a] >> w & 1 and w in writes)
            head.append(rows if order(a) in REL else 0)
        read_by = compose(head, f)
        sw = list(zero)
        for a in range(n):
            for r in range(n):
                if read_by[a] >> r & 1:
                    if order(r) in ACQ:
                        sw[a] |= 1 << r
                    for b in range(n):
                        if fence[b] and order(b) in ACQ and sb[r] >> b & 1:
                            sw[a] |= 1 << b
        hb = closure(union(sb, sw))
        if not irreflexive(hb) or not irreflexive(compose(hb, eco)):
            return False
        sc = [e for e in range(n) if order(e) == "seq_cst"]
        apart = pairs(lambda a, b: sb[a] >> b & 1 and (loc(a) is None or loc(a) != loc(b)))
        near = pairs(lambda a, b: hb[a] >> b & 1 and loc(a) is not None and loc(a) == loc(b))
        scb = union(sb, compose(compose(apart, hb), apart), near, m, rb)
        ident = [1 << i for i in range(n)]
        some = [1 << i if i in sc else 0 for i in range(n)]
        fences = [1 << i if i in sc and fence[i] else 0 for i in range(n)]
        hbq = union(hb, ident)
        left = union(some, compose(fences, hbq))
        right = union(some, compose(hbq, fences))
        base = compose(compose(left, scb), right)
        far = compose(compose(fences, union(hb, compose(compose(hb, eco), hb))), fences)
        return irreflexive(closure(union(base, far)))


def program(threads, forbidden, ids="local", main_works=False):
    """`ids`: where the threads' ids are; `main_works`: main does what the last one would."""
    n = len(threads)
    out = ["#include <assert.h>", "#include <pthread.h>", "#include <stdatomic.h>", "#include <stdlib.h>",
           "static atomic_int v[3];", f"static int r[{sum(map(len, threads)) + 1}];"]
    if ids == "global":
        out.append(f"static pthread_t p[{n}];")
    number = 0
    for t, ops in enumerate(threads):
        out.append(f"static void *t{t}(void *arg) {{")
        for kind, loc, order, value, expected, failure in ops:
            o = f"memory_order_{order}"
            if kind == "store":
                out.append(f"  atomic_store_explicit(&v[{loc}], {value}, {o});")
            elif kind == "load":
                out.append(f"  r[{number}] = atomic_load_explicit(&v[{loc}], {o});")
            elif kind == "add":
                out.append(f"  r[{number}] = atomic_fetch_add_explicit(&v[{loc}], {value}, {o});")
            elif kind == "cas":
                out.append(f"  r[{number}] = {expected};\n  atomic_compare_exchange_strong_explicit("
                           f"&v[{loc}], &r[{number}], {value}, {o}, memory_order_{failure});")
            else:
                out.append(f"  atomic_thread_fence({o});")
            number += 1
        out += ["  return arg;", "}"]
    created = n - main_works
    out += ["int main(void) {"]
    if ids == "local":
        out.append(f"  pthread_t p[{n}];")
    elif ids == "heap":
        out.append(f"  pthread_t *p = malloc({n} * sizeof *p);\n  if (!p)\n    return 1;")
    out += [f"  pthread_create(&p[{t}], 0, t{t}, 0);" for t in range(created)]
    out += [f"  t{n - 1}(0);"] if main_works else []
    out += [f"  pthread_join(p[{t}], 0);" for t in range(created)]
    out += ["  free(p);"] if ids == "heap" else []
    bad = " && ".join(f"r[{e}] == {x}" for e, x in sorted(forbidden.items())) or "0"
    out += [f"  assert(!({bad}));", "  return 0;", "}"]
    return "\n".join(out) + "\n"


def litmus(threads, forbidden):
    """The same as a C litmus test."""
    out, number = ["C random", "{ v0 = 0; [v1] = 0; int v2 = 0; }"], 0
    names = {}
    for t, ops in enumerate(threads):
        out.append(f"P{t} (atomic_int *v0, atomic_int* v1, atomic_int *v2) {{")
        for kind, loc, order, value, expected, failure in ops:
            o, r = f"memory_order_{order}", f"r{number}"
            names[number] = f"{t}:{r}"
            if kind == "store":
                out.append(f"  atomic_store_explicit(v{loc}, {value}, {o});")
            elif kind == "load":
                out.append(f"  int {r} = atomic_load_explicit(v{loc}, {o});")
            elif kind == "add":
                out.append(f"  if (1) {{ int {r} = atomic_fetch_add_explicit(v{loc}, {value}, {o}); }}")
            elif kind == "cas":
                out.append(f"  int {r} = {expected};\n  atomic_compare_exchange_strong_explicit("
                           f"v{loc}, &{r}, {value}, {o}, memory_order_{failure}); // takes what it finds")
            else:
                out.append(f"  atomic_thread_fence({o});")
            number += 1
        out.append("}")
    atoms = [f"{names[e]} = {x}" for e, x in sorted(forbidden.items())] or ["false"]
    return "\n".join(out + ["(* asked for *)", "exists (" + " /\\ ".join(atoms) + ")"]) + "\n"


def check(heddle, threads, rng, path, views, counts):
    """None, or what is wrong."""
    found = list(Events(threads).executions())
    allowed, robust = [o for o, _ in found], all(same for _, same in found)
    outcomes = {tuple(sorted(o.items())) for o in allowed}
    values = {}
    for o in allowed:
        for e, x in o.items():
            values.setdefault(e, set()).add(x)
    drawn = tuple((e, rng.choice(sorted(x))) for e, x in sorted(values.items()))
    if rng.random() < 0.3 and outcomes:
        drawn = rng.choice(sorted(outcomes))
    unsafe = bool(drawn) and drawn in outcomes
    with open(path, "w") as out:
        if path.endswith(".litmus"):
            out.write(litmus(threads, dict(drawn)))
        else:
            out.write(program(threads, dict(drawn), rng.choice(["local", "global", "heap"]), rng.random() < 0.3))
    done = subprocess.run([heddle, "verify", path, "--engine=graph", "--property=assert,race", "--format=json", "--fail-fast",
                           "--timeout=60"], capture_output=True, text=True)
    try:
        found = json.loads(done.stdout)
    except ValueError:
        return done.stderr.strip()
    verdict = next(p["verdict"] for p in found["properties"] if p["name"] == "assert")
    if verdict != ("unsafe" if unsafe else "safe"):
        return f"{verdict}, expected {'unsafe' if unsafe else 'safe'}"
    count = found["statistics"].get("graph.executions")
    if not unsafe and count != len(allowed):
        return f"{count} executions, expected {len(allowed)}"
    if views:
        return check_views(heddle, path, unsafe, robust, counts)
    return None


def check_robust(heddle, threads, path, counts):
    """Nothing is forbidden: does views say of the right programs that they have only interleavings?"""
    robust = all(same for _, same in Events(threads).executions())
    with open(path, "w") as out:
        out.write(litmus(threads, {}) if path.endswith(".litmus") else program(threads, {}))
    return check_views(heddle, path, False, robust, counts)


def check_views(heddle, path, unsafe, robust, counts):
    """The same by states, where seq_cst may leave it open what is safe. What is said to have
    only interleavings has no other execution."""
    done = subprocess.run([heddle, "verify", path, "--engine=views", "--property=assert", "--format=json", "--fail-fast",
                           "--timeout=60"], capture_output=True, text=True)
    try:
        found = json.loads(done.stdout)
    except ValueError:
        return done.stderr.strip()
    verdict = found["verdict"]
    if verdict == "safe":
        said = found["statistics"].get("views.interleavings") == 1
        counts[robust, said] = counts.get((robust, said), 0) + 1
        if said and not robust:
            return "views: said to have only interleavings"
    good = ["unsafe"] if unsafe else ["safe", "unknown"] if "seq_cst" in open(path).read() else ["safe"]
    return None if verdict in good else f"views: {verdict}, expected {good[0]}"


def main():
    heddle = os.path.abspath(sys.argv[1])
    n = int(sys.argv[2]) if len(sys.argv) > 2 else 500
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    bad, counts = [], {}
    with tempfile.TemporaryDirectory() as folder:
        for i in range(n):
            rng = random.Random(seed * 1000003 + i)
            threads = cycle(rng) if i % 3 == 2 or "robust" in sys.argv else generate(rng)
            path = os.path.join(folder, f"random{i}." + ("litmus" if i % 5 == 4 else "c"))
            if "robust" in sys.argv:
                why = check_robust(heddle, threads, path, counts)
            else:
                why = check(heddle, threads, rng, path, i % 2 == 0, counts)
            if why:
                bad.append((i, why, open(path).read()))
                if len(bad) >= 5:
                    break
    print("1..1")
    print("not ok" if bad else "ok", f"1 - {n} random litmus programs against all executions")
    for (robust, said), count in sorted(counts.items()):
        print(f"# safe, {'only' if robust else 'not only'} interleavings, {'' if said else 'not '}said by views: {count}")
    for i, why, text in bad:
        print(f"# program {i} of seed {seed}: {why}")
        for line in text.splitlines():
            print("#   " + line)
    return 0


if __name__ == "__main__":
    sys.exit(main())
