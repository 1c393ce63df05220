#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""check_evidence.py and `heddle check` agree: on what the engines write for the
examples and for random models, and on the same with something changed. TAP.

    tests/evidence/agree.py [COUNT [SEED]]      $HEDDLE, build/heddle if unset"""

import os
import random
import subprocess
import sys
import tempfile

import check_evidence

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
HEDDLE = os.environ.get("HEDDLE") or os.path.join(ROOT, "build", "heddle")
EXAMPLES = ["broken-lock.tts", "lock.tts", "counting-loop.tts", "producer.spec"]
ENGINES = ["reduce", "bws", "km", "fws", "tse", "concolic"]


def heddle(*arguments):
    return subprocess.run([HEDDLE, *arguments], stdin=subprocess.DEVNULL,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True, timeout=60)


def random_model(rng, path):
    """A thread system with few states, now and then with spawns and broadcasts,
    or a net."""
    if rng.random() < 0.3:
        n = rng.randint(2, 4)
        names = [f"p{i}" for i in range(n)]
        rules = []
        for _ in range(rng.randint(2, 5)):
            a, b = rng.sample(names, 2)
            w = rng.randint(1, 2)
            rules.append(f"  {a} >= {w} -> {a}' = {a} - {w}, {b}' = {b} + {rng.randint(1, 2)};")
        init = ", ".join(f"{p} {rng.choice(['>=', '=', '='])} {rng.randint(0, 2)}"
                         for p in names)
        goal = ", ".join(f"{p} >= {rng.randint(1, 3)}"
                         for p in rng.sample(names, rng.randint(1, 2)))
        text = ("vars\n  " + " ".join(names) + "\nrules\n" + "\n".join(rules) +
                f"\ninit\n  {init}\ntarget\n  {goal}\n")
        path += ".spec"
    else:
        s, l = rng.randint(1, 4), rng.randint(2, 4)
        lines = [f"{s} {l}"]
        for _ in range(rng.randint(2, 9)):
            kind = rng.choices(["->", "+>", "~>"], [8, 1, 1])[0]
            line = (f"{rng.randrange(s)} {rng.randrange(l)} {kind} "
                    f"{rng.randrange(s)} {rng.randrange(l)}")
            if kind == "->" and rng.random() < 0.15:
                line += f"  {rng.randrange(l)} ~> {rng.randrange(l)}"
            lines.append(line)
        goal = ",".join(str(rng.randrange(l)) for _ in range(rng.randint(1, 3)))
        lines.append(f"{rng.choice([*range(s), '*'])}|{goal}")
        text = "\n".join(lines) + "\n"
        path += ".tts"
    with open(path, "w") as file:
        file.write(text)
    return path


def changed(rng, text):
    """The evidence with one number, word or line changed."""
    lines = text.rstrip("\n").split("\n")
    at = rng.randrange(2, len(lines) - 1) if len(lines) > 3 else 1
    way = rng.randrange(8)
    if way == 0:
        del lines[at]
    elif way == 1:
        lines.insert(at, lines[rng.randrange(2, len(lines) - 1)]
                     if len(lines) > 3 else "0 | 1")
    else:
        words = lines[at].split("#")[0].replace("=", " = ").split()
        places = [i for i, w in enumerate(words) if w.lstrip("-t").isdigit()]
        if not places:
            del lines[at]
        else:
            i = rng.choice(places)
            kept = words[i].rstrip("0123456789")
            words[i] = kept + str(max(0, int(words[i][len(kept):]) +
                                      rng.choice([-1, 1, 2])))
            lines[at] = " ".join(words)
    return "\n".join(lines) + "\n"


class Agreement:
    def __init__(self):
        self.count = {"accepted": 0, "refused": 0, "no evidence": 0}
        self.kinds = {}
        self.problems = []

    def compare(self, model, evidence, must_accept):
        theirs = heddle("check", model, evidence, "-q").returncode
        mine, text = check_evidence.check(model, evidence)
        name = {0: "accepted", 10: "refused", 2: "no evidence"}.get(theirs, "odd")
        self.count[name] = self.count.get(name, 0) + 1
        if mine != theirs or (must_accept and mine != 0):
            with open(model) as m, open(evidence) as e:
                self.problems.append(
                    f"heddle check says {theirs}, check_evidence {mine}: {text}\n"
                    f"{m.read()}\n{e.read()}")

    def model(self, rng, model, folder, changes):
        try:
            check_evidence.read_model(model)
        except check_evidence.Bad:
            return
        for engine in ENGINES:
            evidence = os.path.join(folder, "evidence")
            if os.path.exists(evidence):
                os.remove(evidence)
            done = heddle("verify", model, f"--engine={engine}", "-q", "--timeout=1",
                          f"--witness={evidence}", f"--certificate={evidence}",
                          *([] if engine == "reduce" or rng.random() < 0.3
                            else ["--no-reduce"]))
            if done.returncode not in (0, 10) or not os.path.exists(evidence):
                continue
            with open(evidence) as file:
                text = file.read()
            for word in ("witness", "rows", "linear", "trap", "basis", "cover",
                         "control"):
                if any(line.split()[:2].count(word) for line in text.split("\n")):
                    self.kinds[word] = self.kinds.get(word, 0) + 1
            self.compare(model, evidence, True)
            for _ in range(changes):
                with open(evidence, "w") as file:
                    file.write(changed(rng, text))
                self.compare(model, evidence, False)


def main():
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 40
    rng = random.Random(int(sys.argv[2]) if len(sys.argv) > 2 else 1)
    result = Agreement()
    with tempfile.TemporaryDirectory(prefix="heddle-evidence.") as folder:
        for name in EXAMPLES:
            result.model(rng, os.path.join(ROOT, "examples", name), folder, 6)
        for i in range(count):
            model = random_model(rng, os.path.join(folder, f"m{i}"))
            result.model(rng, model, folder, 2)
    for i, word in enumerate(("witness", "rows", "linear", "basis", "cover"), 1):
        good = result.kinds.get(word, 0) > 0
        print(f"{'ok' if good else 'not ok'} {i} - evidence with '{word}': "
              f"{result.kinds.get(word, 0)}")
    print(f"{'not ok' if result.problems else 'ok'} 6 - both checkers agree: "
          + ", ".join(f"{n} {w}" for w, n in result.count.items()))
    for problem in result.problems[:3]:
        print("".join(f"# {line}\n" for line in problem.split("\n")), end="")
    print("1..6")
    return 1 if result.problems else 0


if __name__ == "__main__":
    sys.exit(main())
