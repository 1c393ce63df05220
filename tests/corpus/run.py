#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Asks heddle about every model of the corpus; speaks TAP.

    tests/corpus/run.py [--jobs=N] [--heddle=FILE] models|bench [PATTERN...]

models: every model file below this folder whose path contains a PATTERN (all
without one). A file's head says what the answers are (README.md has more):

    # expected: safe                           to the file as it is
    # expected(threads=2 target=1|1,1): unsafe with --threads=2 --target='1|1,1'
    # expected(engine=fws): unknown            by one engine only
    # threads: 3                               the least number that is unsafe
    # options: --threads=7                     for every run of the file
    # size: medium                             complete engines may give up

There is one test for each file and engine that answers all its questions (a
wrong verdict fails, `unknown` fails for the engines that are complete and for
the default choice), one for the evidence of each file, one for `threads`.

bench: the benchmark models of ../shared/bench or $HEDDLE_BENCH with the verdicts
of its manifest.csv. Undecided is not wrong; a wrong verdict, a crash or a
refusal is."""

import concurrent.futures
import csv
import json
import os
import re
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
SOURCE = os.environ.get("HEDDLE_SOURCE") or os.path.dirname(os.path.dirname(HERE))
HEDDLE = os.environ.get("HEDDLE") or os.path.join(SOURCE, "build", "heddle")
EXTENSIONS = (".tts", ".ttd", ".spec", ".pnml")
STATUS = {"safe": 0, "unsafe": 10, "unknown": 5, "error": 2}
ENOUGH = 10.0  # seconds in which a complete engine decides any small model
SHORT = 0.25  # seconds for engines that need not come to an end
BENCH_SECONDS = 5  # for one benchmark model
BENCH_BOX = 120  # after so many seconds no further benchmark is begun
DIRECTIVE = re.compile(
    r"^\s*(?:#\s*)?(expected|threads|options|size)(?:\(([^)]*)\))?:\s*(.*?)\s*$")


class Problem(Exception):
    """Why a test failed."""


# ---------------------------------------------------------------- the models


class Question:
    def __init__(self, options, answer):
        self.engine = None
        self.options = []
        self.answer = answer
        for option in options:
            if option.startswith("engine="):
                self.engine = option[7:]
            else:
                self.options.append("--" + option)


class Model:
    def __init__(self, path):
        self.path = path
        self.name = os.path.relpath(path, HERE)
        self.questions, self.options = [], []
        self.threads, self.size = None, "small"
        with open(path, encoding="utf-8") as file:
            for line in file:
                match = DIRECTIVE.match(line)
                if match:
                    self.direct(*match.groups())
        if not self.questions:
            raise Problem("the file has no 'expected:' line")

    def direct(self, key, options, value):
        if key == "expected":
            if value not in STATUS:
                raise Problem(f"expected: '{value}' is no verdict")
            self.questions.append(Question((options or "").split(), value))
        elif key == "threads":
            self.threads = int(value)
        elif key == "options":
            self.options += value.split()
        else:
            self.size = value

    def questions_for(self, engine):
        """An answer for this engine replaces the general one."""
        own = [q for q in self.questions if q.engine == engine]
        taken = [q.options for q in own]
        return own + [q for q in self.questions
                      if q.engine is None and q.options not in taken]


def model_files(patterns):
    for folder, subfolders, files in sorted(os.walk(HERE)):
        subfolders.sort()
        for file in sorted(files):
            path = os.path.join(folder, file)
            if file.endswith(EXTENSIONS) and (
                    not patterns or any(p in path for p in patterns)):
                yield path


# -------------------------------------------------------------------- heddle


class Run:
    """One run of `heddle verify`: what it said and how it ended."""

    def __init__(self, arguments, seconds):
        self.command = [HEDDLE, *arguments]
        try:
            done = subprocess.run(
                self.command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, errors="replace", timeout=4 * seconds + 30)
        except subprocess.TimeoutExpired:
            raise self.problem("does not stop at its time limit") from None
        self.status, self.out, self.err = done.returncode, done.stdout, done.stderr

    def problem(self, text):
        words = [w if re.fullmatch(r"[\w./=-]+", w) else f"'{w}'"
                 for w in self.command]
        return Problem(f"{' '.join(words)}\n{text}\n{getattr(self, 'err', '')}")

    def refusal(self):
        """(file, line) when the engine cannot treat the model, else None."""
        match = re.search(r"([^\s:]+):(\d+): engine \w+ cannot treat ", self.err)
        return match.groups() if self.status == 2 and match else None

    def verdict(self):
        """The verdict, where last line and exit status agree."""
        for verdict, status in STATUS.items():
            if status != self.status:
                continue
            if verdict == "error":
                if not re.search(r":\d+:\d+: error: ", self.err) or self.out:
                    raise self.problem("exit status 2 without a proper message")
            elif not re.match(rf"verdict: {verdict}( \(.*\))?$",
                              (self.out.splitlines() or [""])[-1]):
                raise self.problem(f"exit status {status}, but the last line is "
                                   f"not 'verdict: {verdict}'")
            return verdict
        raise self.problem(f"exit status {self.status}")


def verify(model, question, seconds, *more):
    return Run(["verify", model.path, f"--timeout={seconds}", *model.options,
                *question.options, *more], seconds)


def engines():
    """name -> is it complete."""
    text = subprocess.run([HEDDLE, "engines", "--format=json"], check=True,
                          stdout=subprocess.PIPE).stdout
    return {e["name"]: e["complete"] for e in json.loads(text)}


# --------------------------------------------------------------------- tests


def is_plain(line):
    """A line of a model that every engine must treat: an edge without
    broadcast, a rule of a Petri net."""
    line = line.split("#")[0].strip().rstrip(";")
    if "~>" in line:
        return False
    if "'" not in line and "->" not in line:  # a target
        return not re.search(r"[^>]=|\bin\b", line)
    guard, _, update = line.partition("->")
    own = all(re.fullmatch(r"\s*(\w+)\s*'\s*=\s*\1\s*[+-]\s*\d+\s*", u)
              for u in update.split(",") if u.strip())
    return own and not re.search(r"[^>]=|\bin\b", guard)


def check_refusal(run, model, refusal):
    file, line = refusal
    with open(model.path, encoding="utf-8") as text:
        lines = text.read().splitlines()
    if os.path.basename(file) != os.path.basename(model.path):
        raise run.problem("the refusal does not name the file")
    if not 0 < int(line) <= len(lines) or is_plain(lines[int(line) - 1]):
        raise run.problem("refused for a line that every engine can treat")


def test_engine(model, engine, complete):
    """All the file's questions to one engine, None = the default choice."""
    must = complete and model.size == "small"
    seconds = ENOUGH if complete else SHORT
    more = [f"--engine={engine}"] if engine else []
    for question in model.questions_for(engine):
        run = verify(model, question, seconds, *more)
        refusal = run.refusal()
        if refusal and engine:
            check_refusal(run, model, refusal)
            continue
        verdict = run.verdict()
        if verdict == question.answer:
            continue
        if verdict != "unknown" or must:
            raise run.problem(f"says {verdict}, expected {question.answer}")


def test_threads(model):
    """`threads: N` threads are unsafe, one less is safe."""
    for threads, answer in ((model.threads, "unsafe"), (model.threads - 1, "safe")):
        if threads >= 0:
            question = Question([f"threads={threads}"], answer)
            run = verify(model, question, ENOUGH)
            verdict = run.verdict()
            if verdict != answer and (verdict != "unknown" or model.size == "small"):
                raise run.problem(f"says {verdict}, expected {answer}")


def test_evidence(model):
    """What verify writes, check accepts."""
    with tempfile.TemporaryDirectory(prefix="heddle-corpus.") as folder:
        for i, question in enumerate(model.questions_for(None)):
            file = os.path.join(folder, str(i))
            kind = "certificate" if question.answer == "safe" else "witness"
            if question.answer not in ("safe", "unsafe"):
                continue
            run = verify(model, question, ENOUGH, f"--{kind}={file}", "-q")
            if run.verdict() != question.answer:
                continue  # test_engine says so
            if not os.path.exists(file):
                if kind == "witness" or "there is no certificate" not in run.err:
                    raise run.problem(f"writes no {kind}")
                continue
            judge = Run(["check", model.path, file, *model.options,
                         *question.options], ENOUGH)
            if judge.status != 0:
                raise judge.problem(f"refuses the {kind}, exit {judge.status}: "
                                    f"{judge.out}")


def test_at_once(models):
    """Runs of different models at the same time do not disturb each other."""
    work = [m for m in models if "/parallel-runs" in m.path] * 8
    runs = [(m, subprocess.Popen([HEDDLE, "verify", m.path, "-q"],
                                 stdout=subprocess.PIPE, text=True)) for m in work]
    for model, run in runs:
        out = run.communicate()[0]
        if out.strip() != f"verdict: {model.questions[0].answer}":
            raise Problem(f"{model.name} beside others: {out}")


def model_tests(patterns):
    """(name, function) of every test."""
    known = engines()
    if not {"bws", "km", "fws", "reduce"} <= set(known):
        raise SystemExit(f"engines missing: {', '.join(known)}")
    models = []
    for path in model_files(patterns):
        name = os.path.relpath(path, HERE)
        try:
            model = Model(path)
        except (Problem, UnicodeDecodeError) as problem:
            def fail(problem=problem):
                raise Problem(str(problem))
            yield name, fail
            continue
        models.append(model)
        yield f"{name} by default", lambda m=model: test_engine(m, None, True)
        for engine, complete in known.items():
            yield (f"{name} by {engine}",
                   lambda m=model, e=engine, c=complete: test_engine(m, e, c))
        if model.threads is not None:
            yield f"{name} with {model.threads} threads", \
                lambda m=model: test_threads(m)
        yield f"{name} evidence", lambda m=model: test_evidence(m)
    if any("/parallel-runs" in m.path for m in models):
        yield "runs at the same time", lambda: test_at_once(models)


# --------------------------------------------------------------------- bench


def test_bench(path, options, answer, box):
    if time.time() > box:
        return f"SKIP not begun within {BENCH_BOX} s"
    run = Run(["verify", path, "-q", f"--timeout={BENCH_SECONDS}", *options],
              BENCH_SECONDS)
    verdict = run.verdict()
    if verdict not in (answer, "unknown"):
        raise run.problem(f"says {verdict}, the manifest says {answer}")
    return "undecided" if verdict == "unknown" else None


def is_read(path, formats):
    """Whether heddle reads such files; asked once for each extension."""
    extension = os.path.splitext(path)[1]
    if extension not in formats:
        run = Run(["show", path], BENCH_SECONDS)
        formats[extension] = "cannot tell the format" not in run.err
    return formats[extension]


def bench_tests(patterns):
    root = os.environ.get("HEDDLE_BENCH") or os.path.join(
        os.path.dirname(SOURCE), "shared", "bench")
    manifest = os.path.join(root, "manifest.csv")
    if not os.path.exists(manifest):
        return
    with open(manifest, newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    others, formats = [], dict.fromkeys(EXTENSIONS, True)
    box = time.time() + BENCH_BOX
    for row in rows:
        path = os.path.join(root, row["file"])
        if patterns and not any(p in path for p in patterns):
            continue
        if not is_read(path, formats):
            others.append(row["file"])
            continue
        # Said explicitly: Boolean programs that start threads have another
        # default.
        nets = path.endswith((".spec", ".pnml"))
        for column, options in (
                ("expected", [] if nets else ["--threads=parametric"]),
                ("expected_one_thread", ["--threads=dynamic"])):
            if row[column] in ("safe", "unsafe"):
                yield (" ".join([row["file"], *options]),
                       lambda p=path, o=options, a=row[column]:
                       test_bench(p, o, a, box))
    if others:
        yield (f"{len(others)} files in formats that are not read yet, like "
               f"{others[0]}", lambda: "SKIP")


# ----------------------------------------------------------------------- TAP


def attempt(test):
    try:
        return True, test()
    except Problem as problem:
        return False, str(problem)


def run_all(tests, jobs):
    print(f"1..{len(tests)}", flush=True)
    failed = 0
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        results = pool.map(attempt, [test for _, test in tests])
        for number, ((name, _), (ok, text)) in enumerate(zip(tests, results), 1):
            note = f" # {text}" if ok and text else ""
            print(f"{'ok' if ok else 'not ok'} {number} - {name}{note}")
            if not ok:
                failed += 1
                for line in text.strip().splitlines():
                    print(f"#   {line}")
            sys.stdout.flush()
    return failed


def main():
    global HEDDLE
    jobs, words = min(2, os.cpu_count() or 1), []
    for argument in sys.argv[1:]:
        if argument.startswith("--jobs="):
            jobs = max(1, int(argument[7:]))
        elif argument.startswith("--heddle="):
            HEDDLE = os.path.abspath(argument[9:])
        elif argument.startswith("-"):
            sys.exit(__doc__)
        else:
            words.append(argument)
    if not words or words[0] not in ("models", "bench"):
        sys.exit(__doc__)
    start = time.time()
    if words[0] == "models":
        tests = list(model_tests(words[1:]))
        if not tests:
            sys.exit("no model matches")
    else:
        tests = list(bench_tests(words[1:]))
        if not tests:
            print("1..1\nok 1 - benchmarks # SKIP no benchmark data "
                  "(../shared/bench or $HEDDLE_BENCH)")
            return 0
    failed = run_all(tests, jobs)
    print(f"# {len(tests)} tests, {failed} failed, {time.time() - start:.0f} s")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
