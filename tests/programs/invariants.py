#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Invariants in witnesses of correctness hold in runs; speaks TAP.

    tests/programs/invariants.py [--jobs=N] [--runs=N] [--some=N] [PATTERN...]

$HEDDLE is the program, build/heddle if unset. For every program of the corpus
whose assertions hold, `heddle verify` writes a witness. Its invariants are put
into the program as what the loop's condition evaluates first, and `heddle fuzz`
looks in N runs (--runs, 200) for one that is false. With --some=N one in
N programs, always the same."""

import concurrent.futures
import importlib.util
import os
import re
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))


def load(name, path):
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


corpus = load("corpus", os.path.join(HERE, "run.py"))
witness = load("witness", os.path.join(HERE, "..", "reports", "witness.py"))
Problem = corpus.Problem
HOLDS = """extern void reach_error();
static inline int heddle_holds(int e) { if (!e) reach_error(); return 1; }
"""


def tokens(text, at):
    """(position, character) from `at` on, without comments and literals."""
    skip = re.compile(r"/\*.*?\*/|//[^\n]*|\"(?:\\.|[^\"\\])*\"|"
                      r"'(?:\\.|[^'\\])*'", re.S)
    while at < len(text):
        match = skip.match(text, at)
        if match:
            at = match.end()
            continue
        yield at, text[at]
        at += 1


def condition(text, at):
    """Where the condition of the loop at `at` begins and ends."""
    keyword = re.match(r"for|while", text[at:])
    if not keyword:
        raise Problem(f"no loop at {text[at:at + 20]!r}")
    depth, start = 0, None
    for i, c in tokens(text, at + keyword.end()):
        if c == "(":
            depth += 1
            if depth == 1 and keyword[0] == "while":
                start = i + 1
        elif c == ")":
            depth -= 1
        if (c == ")" and depth == 0) or (c == ";" and depth == 1):
            if start is not None:
                return start, i
            start = i + 1
    raise Problem("a loop without an end")


def instrument(text, invariants):
    """The program with (line, column, expression) checked at its loops."""
    starts = [0]
    for line in text.splitlines(True):
        starts.append(starts[-1] + len(line))
    places = sorted(((starts[line - 1] + column - 1, value)
                     for line, column, value in invariants), reverse=True)
    for at, value in places:
        begin, end = condition(text, at)
        old = text[begin:end]
        new = f"heddle_holds({value})"
        if old.strip():
            new += f" && ({old})"
        text = text[:begin] + new + text[end:]
    return text


def invariants_of(program, folder):
    """[(line, column, expression)] in the program's first file; None: the
    assertions are not proved."""
    path = os.path.join(folder, "w.yml")
    _, status, _ = corpus.call(
        ["verify", *corpus.arguments(program, ["assert"]), "--timeout=20",
         "-q", f"--witness={path}"], 90)
    if status != 0 or not os.path.exists(path):
        return None
    problems, entry = witness.yaml(path, program.path)
    if problems:
        raise Problem("\n".join(problems))
    found = []
    for item in entry["content"]:
        at, value = item["invariant"]["location"], item["invariant"]["value"]
        if value != "1" and os.path.samefile(at["file_name"], program.path):
            found.append((at["line"], at["column"], value))
    return found


def test(program, runs, found=None):
    """How many invariants were looked at; None: the program is not proved."""
    with tempfile.TemporaryDirectory(prefix="heddle-invariants.") as folder:
        found = found or invariants_of(program, folder)
        if not found:
            return None if found is None else 0
        with open(program.path, encoding="utf-8", errors="replace") as file:
            text = instrument(file.read(), found)
        changed = os.path.join(folder, os.path.basename(program.path))
        with open(changed, "w", encoding="utf-8") as file:
            file.write(text)
        header = os.path.join(folder, "holds.h")
        with open(header, "w", encoding="utf-8") as file:
            file.write(HOLDS)
        arguments = corpus.arguments(program, ["assert"])
        arguments[0] = changed
        arguments = [a for a in arguments if not a.startswith("--threads")]
        shown, status, out = corpus.call(
            ["fuzz", *arguments, f"--runs={runs}", "--time=30",
             f"--include={header}", "-I", os.path.dirname(program.path)], 90)
        if status == 10:
            values = "\n".join(f"{l}:{c}: {v}" for l, c, v in found)
            raise Problem(f"{shown}\n{values}\n{out}")
        return len(found)


def wrong_ones_are_found(runs):
    """Bounds that are too narrow by one; the problem, or None."""
    program, = corpus.native.programs(["classic/ring_ok.c"])
    with tempfile.TemporaryDirectory(prefix="heddle-invariants.") as folder:
        found = invariants_of(program, folder)
    wrong = [(line, column, re.sub(r"<= (\d+)$", lambda m:
                                   f"<= {int(m[1]) - 1}", value))
             for line, column, value in found]
    if wrong == found:
        return Problem(f"no bounds: {found}")
    try:
        test(program, runs, wrong)
    except Problem:
        return None
    return Problem(f"not found: {wrong}")


def main():
    jobs, runs, some, patterns = 2, 200, 1, []
    for argument in sys.argv[1:]:
        if re.match(r"--(jobs|runs|some)=\d+$", argument):
            number = int(argument[7:])
            jobs = number if argument.startswith("--jobs") else jobs
            runs = number if argument.startswith("--runs") else runs
            some = number if argument.startswith("--some") else some
        elif argument.startswith("-"):
            sys.exit(__doc__)
        else:
            patterns.append(argument)
    if not os.path.exists(os.path.join(os.path.dirname(corpus.HEDDLE),
                                       "heddle-cc")):
        print("1..0 # SKIP heddle-cc is not built")
        return 0
    work = [p for p in corpus.native.programs(patterns)
            if not isinstance(p, tuple) and p.expect.get("assert") == "SAFE" and
            corpus.native.sampled(p.name, some)]
    print(f"1..{len(work) + 1}")
    failed = total = with_some = 0
    problem = wrong_ones_are_found(runs)
    if problem:
        failed += 1
        print(f"not ok 1 - wrong ones are found\n# {problem}")
    else:
        print("ok 1 - wrong ones are found")

    def one(program):
        try:
            return test(program, runs)
        except Problem as problem:
            return problem

    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for i, (program, result) in enumerate(
                zip(work, pool.map(one, work)), 2):
            if isinstance(result, Problem):
                failed += 1
                print(f"not ok {i} - {program.name}")
                print("".join(f"# {line}\n" for line in
                              str(result).splitlines()), end="")
            elif result is None:
                print(f"ok {i} - {program.name} # SKIP not proved")
            else:
                total += result
                with_some += result > 0
                print(f"ok {i} - {program.name}: {result}")
            sys.stdout.flush()
    print(f"# {total} invariants in {with_some} of {len(work)} programs, "
          f"{runs} runs each")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
