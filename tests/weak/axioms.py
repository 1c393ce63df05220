#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""The judge of execution graphs (check/axioms) against the axioms as oracle.py prints them, and
against a machine with buffers of stores.

    axioms.py GRAPHS [N [SEED]]     N random programs, 300 by default; prints TAP

Of each program candidate graphs are drawn: every read reads from any write of its place, writes are
in any order, orders of accesses are changed. The judge must say of each what the oracle says, for
RC11 with the release sequences of C17 and of C23; for TSO and for interleavings the outcomes of all
graphs that it allows must be those of a machine. Values that do not fit, writes in no order and the
like must be refused."""

import itertools
import os
import random
import subprocess
import sys

import oracle

ORDER = {"na": 0, "relaxed": 1, "acquire": 2, "release": 3, "acq_rel": 4, "seq_cst": 5}


def text(events, rf, mo, writes, value, read, model="c11", std="c17", edges=()):
    ops, ids = events.ops, range(events.n)
    out = [f"graph {model} {std} {max((o[0] for o in ops), default=0) + 1} 3"]
    for e in ids:
        t, _, op = ops[e]
        fence, reads = op[0] == "fence", e in rf
        order = op[5] if op[0] == "cas" and e not in writes else op[2]
        kind = "fence" if fence else "update" if reads and e in writes else "write" if e in writes else \
            "failed" if op[0] == "cas" else "read"
        source = rf[e] if reads and rf[e] is not None else "-"
        out.append(f"event {t} {kind} {ORDER[order]} {'-' if fence else op[1]} {source} {read.get(e, '-')} {value.get(e, '-')}")
    out += [f"order {loc} {' '.join(map(str, ws))}" for loc, ws in mo.items()]
    out += [f"edge {kind} {a} {b}" for kind, a, b in edges]
    return "\n".join(out + ["end"]) + "\n"


def candidates(rng, events, most):
    """Random (rf, mo, writes, value, read), mostly of the kind that nearly fits."""
    ops, n = events.ops, events.n
    reads = [e for e in range(n) if ops[e][2][0] in ("load", "add", "cas")]
    writers = [e for e in range(n) if ops[e][2][0] in ("store", "add", "cas")]
    options = [[None] + [w for w in writers if w != r and ops[w][2][1] == ops[r][2][1]] for r in reads]
    for _ in range(most):
        rf = dict(zip(reads, (rng.choice(o) for o in options)))
        found = events.values(rf)
        if not found or any(w is not None and w not in found[2] for w in rf.values()):
            continue
        value, read, writes = found
        by_loc = {}
        for w in sorted(writes):
            by_loc.setdefault(ops[w][2][1], []).append(w)
        for _ in range(3):
            mo = {loc: rng.sample(ws, len(ws)) for loc, ws in by_loc.items()}
            yield rf, mo, writes, value, read


def every(events):
    ops, n = events.ops, events.n
    reads = [e for e in range(n) if ops[e][2][0] in ("load", "add", "cas")]
    writers = [e for e in range(n) if ops[e][2][0] in ("store", "add", "cas")]
    options = [[None] + [w for w in writers if w != r and ops[w][2][1] == ops[r][2][1]] for r in reads]
    for choice in itertools.product(*options):
        rf = dict(zip(reads, choice))
        found = events.values(rf)
        if not found or any(w is not None and w not in found[2] for w in rf.values()):
            continue
        value, read, writes = found
        by_loc = {}
        for w in sorted(writes):
            by_loc.setdefault(ops[w][2][1], []).append(w)
        for orders in itertools.product(*(itertools.permutations(ws) for ws in by_loc.values())):
            yield rf, dict(zip(by_loc, map(list, orders))), writes, value, read


def fits(events, rf, mo, writes, std):
    reads = list(rf)
    return all(events.next_to(mo, events.ops[u][2][1], rf[u], u) for u in reads if u in writes) and \
        events.consistent(rf, mo, writes, reads, std == "c23")


def reorder(rng, events):
    """The same with other orders of some accesses."""
    other = oracle.Events([])
    other.n, other.ops = events.n, []
    for t, i, op in events.ops:
        if rng.random() < 0.3:
            order = rng.choice(oracle.ORDERS[op[0]])
            op = (*op[:2], order, *op[3:5], rng.choice(oracle.FAIL.get(order, ["relaxed"])))
        other.ops.append((t, i, op))
    return other


# --- machines ---

def run_machine(threads, buffers):
    """Outcomes: what every read reads. `buffers`: stores wait in them, as on x86."""
    start = (tuple(0 for _ in threads), (), tuple(() for _ in threads), ())
    number = {(t, i): sum(map(len, threads[:t])) + i for t, ops in enumerate(threads) for i in range(len(ops))}
    seen, open_, outcomes = {start}, [start], set()
    while open_:
        at, memory, waiting, read = state = open_.pop()
        more = []
        mem = dict(memory)
        for t, ops in enumerate(threads):
            if waiting[t]:
                loc, value = waiting[t][0]
                more.append((at, tuple(sorted({**mem, loc: value}.items())),
                             waiting[:t] + (waiting[t][1:],) + waiting[t + 1:], read))
            if at[t] == len(ops):
                continue
            kind, loc, order, value, expected, _ = ops[at[t]]
            now, wait = dict(mem), waiting[t]
            seen_here = mem.get(loc, 0)
            for w in wait:
                if w[0] == loc:
                    seen_here = w[1]
            found = None
            if kind in ("add", "cas") or (kind in ("store", "fence") and order == "seq_cst"):
                if wait:
                    continue  # the buffer has to be empty
            if kind == "store" and (not buffers or order == "seq_cst"):
                now[loc] = value
            elif kind == "store":
                wait = (*wait, (loc, value))
            elif kind == "load":
                found = seen_here
            elif kind == "add":
                found, now[loc] = seen_here, seen_here + value
            elif kind == "cas":
                found = seen_here
                if found == expected:
                    now[loc] = value
            if found is not None:
                read_now = tuple(sorted((*read, (number[(t, at[t])], found))))
            else:
                read_now = read
            more.append((at[:t] + (at[t] + 1,) + at[t + 1:], tuple(sorted(now.items())),
                         waiting[:t] + (wait,) + waiting[t + 1:], read_now))
        if not more:
            outcomes.add(read)
        for m in more:
            if m not in seen:
                seen.add(m)
                open_.append(m)
    return outcomes


# --- graphs that are none ---

def spoil(rng, events, rf, mo, writes, value, read):
    """One thing wrong: (what, text)."""
    lines = text(events, rf, mo, writes, value, read).splitlines()
    kind = rng.choice(["value", "missing", "twice", "place", "self", "order"])
    if kind == "value":
        rows = [i for i, l in enumerate(lines) if l.startswith("event") and l.split()[2] in ("read", "failed", "update")]
        if not rows:
            return None
        i = rng.choice(rows)
        words = lines[i].split()
        words[6] = str(int(words[6]) + 100)
        lines[i] = " ".join(words)
    elif kind in ("missing", "twice", "order"):
        rows = [i for i, l in enumerate(lines) if l.startswith("order") and len(l.split()) > 2]
        if not rows:
            return None
        i = rng.choice(rows)
        words = lines[i].split()
        if kind == "missing":
            words.pop()
        elif kind == "twice":
            words.append(words[-1])
        else:
            words[-1] = str(events.n + 3)
        lines[i] = " ".join(words)
    else:
        rows = [i for i, l in enumerate(lines) if l.startswith("event") and l.split()[2] == "read"]
        if not rows:
            return None
        i = rng.choice(rows)
        words = lines[i].split()
        if kind == "self":
            words[5] = str(i - 1)
        else:
            words[4] = "7"
        lines[i] = " ".join(words)
    return kind, "\n".join(lines) + "\n"


def main():
    graphs = os.path.abspath(sys.argv[1])
    n = int(sys.argv[2]) if len(sys.argv) > 2 else 300
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    asked, outcomes, counts = [], {}, {}
    for i in range(n):
        rng = random.Random(seed * 1000003 + i)
        threads = oracle.generate(rng)
        events = oracle.Events(threads)
        std = rng.choice(["c17", "c17", "c23"])
        for candidate in candidates(rng, events, 12):
            for variant in (events, reorder(rng, events)):
                good = fits(variant, *candidate[:3], std)
                asked.append((i, "allowed" if good else "refused", text(variant, *candidate, std=std)))
            bad = spoil(rng, events, *candidate)
            if bad:
                asked.append((i, "refused", bad[1]))
        if events.n > 6:
            continue
        for model, buffers in (("tso", True), ("sc", False)):
            outcomes[(i, model)] = (run_machine(threads, buffers), set())
            for candidate in every(events):
                asked.append((i, (model, tuple(sorted(candidate[4].items()))), text(events, *candidate, model=model)))
    done = subprocess.run([graphs], input="".join(t for _, _, t in asked), capture_output=True, text=True)
    answers = done.stdout.splitlines()
    bad = [] if len(answers) == len(asked) else [f"{len(answers)} answers to {len(asked)} graphs"]
    for (i, expected, graph), answer in zip(asked, answers):
        if isinstance(expected, tuple):
            if answer == "allowed":
                outcomes[(i, expected[0])][1].add(expected[1])
            continue
        counts[expected] = counts.get(expected, 0) + 1
        if (answer == "allowed") != (expected == "allowed"):
            bad.append(f"program {i}: '{answer}', expected {expected}\n{graph}")
    for (i, model), (machine, judged) in outcomes.items():
        if machine != judged:
            bad.append(f"program {i}, {model}: {len(machine)} outcomes of a machine, {len(judged)} of graphs; "
                       f"differ in {sorted(machine ^ judged)[:2]}\n{oracle.program(oracle.generate(random.Random(seed * 1000003 + i)), {})}")
    print("1..1")
    print("ok" if not bad else "not ok", f"1 - {len(asked)} graphs of {n} random programs as the oracle has it")
    print(f"# {counts.get('allowed', 0)} allowed, {counts.get('refused', 0)} refused; outcomes of {len(outcomes)} "
          "programs and models compared with machines")
    for why in bad[:5]:
        print("# " + "\n# ".join(why.splitlines()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
