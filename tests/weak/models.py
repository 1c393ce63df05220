#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random litmus programs under --memory-model=tso and sc, against machines: one with a buffer of
stores for each thread, as x86 has it, and one without.

    models.py HEDDLE [N [SEED [ENGINE...]]]     N programs, 40 by default; prints TAP

ENGINE `choice` is heddle's own choice, the default."""

import json
import os
import random
import subprocess
import sys
import tempfile

import axioms
import oracle


def ask(heddle, path, model, engine):
    command = [heddle, "verify", path, "--property=assert", f"--memory-model={model}", "--format=json", "--fail-fast", "--timeout=30"]
    done = subprocess.run(command + ([] if engine == "choice" else [f"--engine={engine}"]), capture_output=True, text=True)
    try:
        return json.loads(done.stdout)["verdict"]
    except ValueError:
        return done.stderr.strip()[-200:] or "no answer"


def draw(rng, outcomes, others):
    """An outcome of one of the machines more often than not, so that they are told apart."""
    values = {}
    for o in outcomes | others:
        for e, x in o:
            values.setdefault(e, set()).add(x)
    known = sorted(rng.choice([outcomes, others, others - outcomes or outcomes]))
    if known and rng.random() < 0.5:
        return rng.choice(known)
    return tuple((e, rng.choice(sorted(x))) for e, x in sorted(values.items()))


def main():
    heddle = os.path.abspath(sys.argv[1])
    n = int(sys.argv[2]) if len(sys.argv) > 2 else 40
    seed = int(sys.argv[3]) if len(sys.argv) > 3 else 1
    engines = sys.argv[4:] or ["choice"]
    bad, counts = [], {}
    with tempfile.TemporaryDirectory() as folder:
        for i in range(n):
            rng = random.Random(seed * 1000003 + i)
            for _ in range(60 if i % 3 == 0 else 1):  # one in three where that stores wait shows
                threads = oracle.cycle(rng) if i % 2 else oracle.generate(rng)
                machines = {"tso": axioms.run_machine(threads, True), "sc": axioms.run_machine(threads, False)}
                if machines["tso"] != machines["sc"]:
                    break
            model = rng.choice(["tso", "tso", "sc"])
            drawn = draw(rng, machines[model], machines["tso"])
            more = sorted(machines["tso"] - machines["sc"])
            if more and rng.random() < 0.6:  # that stores wait shows
                drawn = rng.choice(more)
            expected = "unsafe" if drawn and drawn in machines[model] else "safe"
            path = os.path.join(folder, f"model{i}.c")
            with open(path, "w") as out:
                out.write(oracle.program(threads, dict(drawn)))
            for engine in engines:
                found = ask(heddle, path, model, engine)
                counts[(engine, model, expected, found)] = counts.get((engine, model, expected, found), 0) + 1
                good = [expected] if engine in ("choice", "graph") else [expected, "unknown"]
                if found not in good:
                    bad.append(f"program {i}, {engine}, {model}: {found}, expected {expected}\n{open(path).read()}")
    print("1..1")
    print("not ok" if bad else "ok", f"1 - {n} random litmus programs under tso and sc")
    for what, count in sorted(counts.items()):
        print("# " + " ".join(what) + f": {count}")
    for why in bad[:5]:
        print("# " + "\n# ".join(why.splitlines()))
    return 0


if __name__ == "__main__":
    sys.exit(main())
