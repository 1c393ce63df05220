#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random programs with one atomic place and weak orders: weak.py HEDDLE-JUDGE [N [SEED]]

Two or three threads use it, plain variables, and a mutex; what they do next may depend
on what they read. All executions are made by this script, from the axioms of RC11: who
reads from whom, in which order the writes come, who has the mutex before whom. A
certificate of all states that claims `race`, or an assertion of what the threads have
read, must not be accepted when one of them says otherwise. Speaks TAP."""

import itertools
import pathlib
import random
import subprocess
import sys
import tempfile

import forge

READS = ["relaxed", "acquire", "seq_cst"]
WRITES = ["relaxed", "release", "seq_cst"]
BOTH = ["relaxed", "acquire", "release", "acq_rel", "seq_cst"]
ACQUIRE, RELEASE = {"acquire", "acq_rel", "seq_cst"}, {"release", "acq_rel", "seq_cst"}


def draw(rng):
    """Threads: lists of (kind, …, condition): done if the last value read is that."""
    threads = []
    good = rng.random() < 0.5

    def order(some):
        return rng.choice([o for o in some if o not in ("relaxed", "acquire")] or some) \
            if good and some is not READS else rng.choice(some[1:] if good else some)
    for t in range(rng.choice([2, 2, 3])):
        body, held = [], False
        for _ in range(rng.randint(1, 4)):
            kind = rng.choice(["R", "W", "U", "C", "r", "w", "r", "w", "L"])
            when = rng.choice([None, None, 0, 1, 2, 3]) if any(s[0] in "RUC" for s in body) else None
            if kind == "L":
                if held or rng.random() < 0.5:
                    body.append(("G" if held else "L", None))
                    held = not held
                continue
            step = {"R": ("R", order(READS)), "W": ("W", order(WRITES), rng.randint(1, 3)),
                    "U": ("U", order(BOTH), rng.randint(1, 2)),
                    "C": ("C", order(BOTH), rng.randint(0, 2), rng.randint(1, 3)),
                    "r": ("r", rng.randint(0, 1)), "w": ("w", rng.randint(0, 1))}[kind]
            body.append(step + (when,))
        if held:
            body.append(("G", None))
        threads.append(body)
    return threads


def events(body, answers):
    """What a thread does when its reads are answered so; None: more answers are needed."""
    out, last, n = [], 0, 0
    for step in body:
        kind, when = step[0], step[-1]
        if when is not None and when != last:
            continue
        if kind in "RUC":
            if n == len(answers):
                return None, out
            last = answers[n]
            n += 1
            if kind == "R" or (kind == "C" and last != step[2]):
                out.append(("R", step[1] if kind == "R" else "relaxed", last, None))
            else:
                out.append(("U", step[1], last, last + step[2] if kind == "U" else step[3]))
        elif kind == "W":
            out.append(("W", step[1], None, step[2]))
        else:
            out.append((kind, step[1]))
    return (out, last) if n == len(answers) else (None, out)


def runs_of(body, values):
    todo, found = [[]], []
    while todo:
        answers = todo.pop()
        done, last = events(body, answers)
        if done is None:
            todo += [answers + [v] for v in values]
        else:
            found.append((done, last))
    return found


def close(before, n):
    for k in range(n):
        for i in range(n):
            if before[i] >> k & 1:
                before[i] |= before[k]


def mutex_orders(held):
    """Of (thread's events) critical sections: all orders that keep each thread's."""
    def go(left):
        if not any(left):
            yield []
            return
        for t, sections in enumerate(left):
            if sections:
                rest = left[:t] + [sections[1:]] + left[t + 1:]
                for more in go(rest):
                    yield [sections[0]] + more
    yield from go(held)


def executions(threads):
    """(does it race?, last values read), of all consistent ones."""
    values = {0}
    for _ in range(3):
        values |= {v + s[2] for b in threads for s in b for v in values if s[0] == "U" and v + s[2] < 8}
        values |= {s[2] for b in threads for s in b if s[0] == "W"}
        values |= {s[3] for b in threads for s in b if s[0] == "C"}
    for runs in itertools.product(*(runs_of(b, sorted(values)) for b in threads)):
        yield from consistent([r[0] for r in runs], tuple(r[1] for r in runs))


def consistent(parts, last):
    flat = [(t, e) for t, part in enumerate(parts) for e in part]
    n = len(flat)
    po = [0] * n
    for i in range(n):
        for k in range(i + 1, n):
            if flat[i][0] == flat[k][0]:
                po[i] |= 1 << k
    writes = [i for i in range(n) if flat[i][1][0] in "WU"]
    reads = [i for i in range(n) if flat[i][1][0] in "RU"]
    sources = [[w for w in [-1] + writes if w != r and
                (0 if w < 0 else flat[w][1][3]) == flat[r][1][2]] for r in reads]
    if not all(sources):
        return
    held = [[] for _ in parts]
    for i in range(n):
        if flat[i][1][0] == "L":
            held[flat[i][0]].append(i)
    gives = {i: next(k for k in range(i, n) if flat[k][1][0] == "G") for t in held for i in t}
    for mo in itertools.permutations(writes):
        place = {w: k + 1 for k, w in enumerate(mo)}
        place[-1] = 0
        for rf in itertools.product(*sources):
            at = dict(zip(reads, rf))
            if any(place[r] != place[at[r]] + 1 for r in reads if flat[r][1][0] == "U"):
                continue
            for sections in mutex_orders(held):
                hb = list(po)
                for a, b in zip(sections, sections[1:]):
                    hb[gives[a]] |= 1 << b
                for r in reads:
                    if flat[r][1][1] not in ACQUIRE:
                        continue
                    w = at[r]  # back through updates to what is released
                    while w >= 0:
                        if flat[w][1][1] in RELEASE:
                            hb[w] |= 1 << r
                        w = at[w] if flat[w][1][0] == "U" else -1
                close(hb, n)
                porf = list(po)
                for r in reads:
                    if at[r] >= 0:
                        porf[at[r]] |= 1 << r
                for a, b in zip(sections, sections[1:]):
                    porf[gives[a]] |= 1 << b
                close(porf, n)
                if any(hb[i] >> i & 1 or porf[i] >> i & 1 for i in range(n)):
                    continue

                def level(i):  # reads lie between writes
                    return 2 * place[i] if i in place else 2 * place[at[i]] + 1
                atomic = reads + [w for w in writes if flat[w][1][0] == "W"]
                if any(hb[i] >> k & 1 and level(i) > level(k) for i in atomic for k in atomic):
                    continue
                race = any(flat[i][1][0] in "rw" and flat[k][1][0] in "rw" and flat[i][1][1] == flat[k][1][1]
                           and "w" in flat[i][1][0] + flat[k][1][0] and flat[i][0] != flat[k][0]
                           and not (hb[i] >> k & 1 or hb[k] >> i & 1)
                           for i in range(n) for k in range(i))
                yield race, last


# --- the same as a graph ---

def function(t, body):
    out = [f"function @f{t} (%p) -> ptr at 0:{t + 10}:1 {{", "  reg %p ptr", "  reg %last i32",
           "  reg %v i32", "  reg %ok i1"]
    at = 0

    def edge(to, text):
        out.append(f"  location {at} 0:{t + 10}:{at + 1}")
        for target, what in ([(to, text)] if isinstance(text, str) else text):
            out.append(f"    -> {target} 0:{t + 10}:{at + 1} {what}")

    edge(1, "set %last = 0:i32")
    at = 1
    for step in body:
        kind, when = step[0], step[-1]
        length = {"R": 2, "U": 2, "C": 2}.get(kind, 1)
        if when is not None and kind not in "LG":
            end = at + 1 + length
            edge(0, [(at + 1, f"when eq.i1(%last, {when}:i32)"), (end, f"when ne.i1(%last, {when}:i32)")])
            at += 1
        if kind == "R":
            edge(at + 1, f"load.{step[1]} %v = @x")
        elif kind == "W":
            edge(at + 1, f"store.{step[1]} @x = {step[2]}:i32")
        elif kind == "U":
            edge(at + 1, f"rmw.add.{step[1]} %v = @x, {step[2]}:i32")
        elif kind == "C":
            edge(at + 1, f"cmpxchg.{step[1]}.relaxed %v, %ok = @x, {step[2]}:i32, {step[3]}:i32")
        elif kind == "r":
            edge(at + 1, f"load %v = @p{step[1]}")
        elif kind == "w":
            edge(at + 1, f"store @p{step[1]} = 1:i32")
        else:
            edge(at + 1, f"call @pthread_mutex_{'lock' if kind == 'L' else 'unlock'}(@m)")
        at += 1
        if length == 2:
            edge(at + 1, "set %last = %v")
            at += 1
    edge(at + 1, f"store @last{t} = %last")
    at += 1
    edge(at, "return null")
    return out + ["}"]


def graph(threads, forbidden):
    out = ["heddle code 1", "target 64", 'file 0 "weak.c"', 'global @x size 4 align 4 at 0:1:1',
           'global @p0 size 4 align 4 at 0:2:1', 'global @p1 size 4 align 4 at 0:3:1',
           'global @m size 40 align 8 at 0:4:1']
    for t in range(len(threads)):
        out += [f"global @last{t} size 4 align 4 at 0:5:{t + 1}", f"global @t{t} size 8 align 8 at 0:6:{t + 1}"]
    out += ["function @main () -> i32 at 0:7:1 {"]
    out += [f"  reg %t{t} i64" for t in range(len(threads))] + [f"  reg %l{t} i32" for t in range(len(threads))]
    steps = [f"call @pthread_create(@t{t}, null, @f{t}, null)" for t in range(len(threads))]
    for t in range(len(threads)):
        steps += [f"load %t{t} = @t{t}", f"call @pthread_join(%t{t}, null)"]
    steps += [f"load %l{t} = @last{t}" for t in range(len(threads))]
    for at, text in enumerate(steps):
        out += [f"  location {at} 0:7:{at + 1}", f"    -> {at + 1} 0:7:{at + 1} {text}"]
    at = len(steps)
    for t, value in enumerate(forbidden or ()):
        end = len(steps) + len(threads) + 1
        out += [f"  location {at} 0:8:{t + 1}", f"    -> {at + 1} 0:8:{t + 1} when eq.i1(%l{t}, {value}:i32)",
                f"    -> {end} 0:8:{t + 1} when ne.i1(%l{t}, {value}:i32)"]
        at += 1
    if forbidden:
        out += [f"  location {at} 0:9:1", f"    -> {at + 1} 0:9:1 call @reach_error()"]
        at += 1
    out += [f"  location {at} 0:9:2", f"    -> {at} 0:9:2 return 0:i32", "}"]
    for t, body in enumerate(threads):
        out += function(t, body)
    out += ["function @pthread_create (ptr, ptr, ptr, ptr) -> i32 external",
            "function @pthread_join (i64, ptr) -> i32 external",
            "function @pthread_mutex_lock (ptr) -> i32 external",
            "function @pthread_mutex_unlock (ptr) -> i32 external", "function @reach_error () -> void external"]
    return ("\n".join(out) + "\n").encode()


def accepted(judge, folder, text, prop):
    (folder / "code").write_bytes(text)
    (folder / "cert").write_text(f"heddle states 1\nprogram {forge.name_of(text):016x}\nproves {prop}\n"
                                 "states 20000\nend\n")
    done = subprocess.run([judge, "--timeout=10", str(folder / "code"), str(folder / "cert")],
                          capture_output=True, text=True, timeout=60)
    if done.returncode not in (0, 5, 10):
        raise SystemExit(done.stderr)
    return done.returncode == 0


def main():
    judge, n = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 400
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    wrong, counts = [], {"race free": 0, "accepted": 0, "outcomes": 0}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for i in range(seed, seed + n):
            rng = random.Random(i)
            threads = draw(rng)
            if sum(len(b) for b in threads) > 9:
                continue
            found = list(executions(threads))
            race = any(r for r, _ in found)
            said = accepted(judge, folder, graph(threads, None), "race")
            counts["race free"] += not race
            counts["accepted"] += said
            if said and race:
                wrong.append((i, "race"))
            if not found or race:
                continue
            outcome = rng.choice(sorted({o for _, o in found}))
            counts["outcomes"] += 1
            if accepted(judge, folder, graph(threads, outcome), "assert"):
                wrong.append((i, "assert"))
    print("1..2")
    print(f"{'not ok' if wrong else 'ok'} 1 - {counts} wrong: {wrong}")
    print(f"{'ok' if counts['accepted'] * 4 > counts['race free'] else 'not ok'} 2 - enough are accepted")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
