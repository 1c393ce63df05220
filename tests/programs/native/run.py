#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Compiles every program of the corpus natively and runs it; speaks TAP.

    tests/programs/native/run.py [--jobs=N] [--runs=N] [PATTERN...]
    tests/programs/native/run.py --sanitize [--jobs=N] [--runs=N] [PATTERN...]
    tests/programs/native/run.py --stress [--jobs=N] [--runs=N] [PATTERN...]

A program is every .c file below tests/programs whose head has an `expect:`
line, and every row of bench/unfold/rows.csv; besides, a few of what
../generate.py writes. ../README.md says what the lines of the head mean. With
PATTERNs, those whose path contains one of them.

--runs=N runs each N times with other inputs (one run without it); with more
than one, programs whose schedule decides are run too (`native: any`), and how
often such a program shows its bug is printed as a comment.

--sanitize compiles with clang-19's sanitizers instead and compares what they
say with the expected verdicts: a report against a SAFE is a failure; an UNSAFE
without a report is printed as a comment, since sanitizers see one run only.

--stress compiles with clang-19 so that every memory access may pause, and runs
each program N times: a failing assertion or a deadlock against a SAFE is a
failure, an UNSAFE that does not show is printed as a comment."""

import concurrent.futures
import csv
import os
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import zlib

HERE = os.path.dirname(os.path.abspath(__file__))
PROGRAMS = os.path.dirname(HERE)
ROOT = os.path.dirname(os.path.dirname(PROGRAMS))
ROWS = os.path.join(ROOT, "bench", "unfold", "rows.csv")
ALWAYS = ("assert", "race", "deadlock")
KNOWN = ALWAYS + ("overflow", "memory", "leak", "uninit", "arith", "sync")
LINE = re.compile(
    r"^\s*(?:/\*|\*)\s*(expect|native|options|files|what):\s*(.*?)\s*(?:\*/)?\s*$")
LIMIT = 30.0  # seconds for a run that has to end
HANG = 0.4  # seconds after which a run that may hang is ended
FLAGS = ["-std=gnu11", "-pthread", "-g", "-w", "-I", HERE]
CLANG = ["-Wno-error=implicit-int", "-Wno-error=implicit-function-declaration"]
PAUSES = ["-fsanitize-coverage=edge,trace-pc,trace-loads,trace-stores"]
WRAPPED = ("pthread_mutex_lock", "pthread_mutex_unlock", "pthread_rwlock_rdlock",
           "pthread_rwlock_wrlock", "sem_wait", "pthread_cond_signal",
           "pthread_cond_wait")
SANITIZERS = {
    "thread": ("race", "sync"),
    "address": ("memory", "leak"),
    "undefined": ("overflow", "arith"),
    "memory": ("uninit",),
}
REPORTS = (
    (re.compile(r"ThreadSanitizer: (data race|heap-use-after-free)"), "race"),
    (re.compile(r"ThreadSanitizer: (unlock of an unlocked|destroy of a locked|"
                r"double lock of a mutex|.*invalid mutex|read .*unlock)"), "sync"),
    (re.compile(r"Joining detached|Joining already joined thread, aborting"),
     "sync"),
    (re.compile(r"ERROR: LeakSanitizer"), "leak"),
    (re.compile(r"ERROR: AddressSanitizer: (?!FPE|ABRT|Joining)"), "memory"),
    (re.compile(r"signed integer overflow|negation of"), "overflow"),
    (re.compile(r"runtime error: (division by zero|shift exponent|left shift|"
                r"division of)"), "arith"),
    (re.compile(r"runtime error: (index .* out of bounds|.*null pointer|"
                r"load of misaligned)"), "memory"),
    (re.compile(r"MemorySanitizer: use-of-uninit"), "uninit"),
)
SHIMS, SHIMS_LOCK = {}, threading.Lock()


class Problem(Exception):
    """Why a test failed."""


class Program:
    """A file with its head, or a row of the benchmark table."""

    def __init__(self, path, head):
        self.path = path
        self.name = os.path.relpath(path, PROGRAMS)
        self.defines, self.files = [], []
        self.expect, self.native, self.what = {}, None, None
        self.options = ""
        for key, value in head:
            if key == "expect":
                self.read_expect(value)
            elif key == "native":
                self.native = value
            elif key == "options":
                self.options = value
                self.defines = [w for w in value.split() if w.startswith("-D")]
            elif key == "files":
                self.files = [os.path.join(os.path.dirname(path), f)
                              for f in value.split()]
            else:
                self.what = value
        self.unbounded = "--threads=unbounded" in self.options
        with open(path, encoding="utf-8") as file:
            self.text = file.read()

    def read_expect(self, value):
        for word in value.split():
            name, _, verdict = word.partition("=")
            if name not in KNOWN or verdict not in ("SAFE", "UNSAFE"):
                raise Problem(f"expect: '{word}' is not understood")
            self.expect[name] = verdict
        wanted = ALWAYS if "race" in self.expect else ("assert",)
        if not all(name in self.expect for name in wanted):
            raise Problem("expect: assert, race and deadlock are always said")

    def check_head(self):
        if not self.native or not self.what:
            raise Problem("the head has no 'native:' or no 'what:' line")
        if "race" not in self.expect and not (
                self.unbounded or "--engine=pairs" in self.options):
            raise Problem("expect: assert, race and deadlock are always said")
        if not re.match(r"(any|hang|skip .+|exit=\d+( output=\".*\")?)$",
                        self.native):
            raise Problem(f"native: '{self.native}' is not understood")


def head_of(path):
    """The lines `key: value` of the comment in front of the program."""
    found = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            match = LINE.match(line)
            if match:
                found.append(match.groups())
            elif found and not re.match(r"^\s*\*", line):
                break
            elif not found and not line.startswith("/* SPDX"):
                break
    return found


def row_program(row):
    verdict = row["expected"].upper()
    path = os.path.join(os.path.dirname(ROWS), row["file"])
    program = Program(path, [
        ("expect", f"assert={verdict}"), ("options", row["options"]),
        ("native", "exit=0" if verdict == "SAFE" else "any"),
        ("what", row["name"])])
    program.name = f"bench/unfold {row['name']}"
    program.expect.update(race=row["race"].upper())
    return program


def programs(patterns):
    """Every program, or (name, problem) for one with a broken head."""
    parts, heads = set(), []
    for folder, subfolders, files in sorted(os.walk(PROGRAMS)):
        subfolders.sort()
        for file in sorted(files):
            path = os.path.join(folder, file)
            if file.endswith(".c") and folder != HERE:
                heads.append((path, head_of(path)))
    for path, head in heads:
        for key, value in head:
            if key == "files":
                parts.update(os.path.normpath(os.path.join(
                    os.path.dirname(path), f)) for f in value.split())
    for path, head in heads:
        if path in parts or not wanted(path, patterns):
            continue
        try:
            program = Program(path, head)
            program.check_head()
            yield program
        except Problem as problem:
            yield os.path.relpath(path, PROGRAMS), problem
    if os.path.exists(ROWS):
        with open(ROWS, newline="", encoding="utf-8") as file:
            for row in csv.DictReader(file):
                if wanted(f"bench/unfold/{row['name']}", patterns):
                    yield row_program(row)


def sampled(name, some):
    """Is it in the sample of one in `some`? Whatever else there is to choose from."""
    return zlib.crc32(name.encode()) % some == 0


def wanted(path, patterns):
    return not patterns or any(p in path for p in patterns)


# ------------------------------------------------------------ compile and run


def compile_program(program, folder, compiler, extra, shim_extra=None,
                    own_runtime=False):
    """The path of the executable. With own_runtime the program's accesses call
    the shim as if it were ThreadSanitizer."""
    exe = os.path.join(folder, re.sub(r"\W", "_", program.name))
    ranged = re.search(r"__VERIFIER_nondet_int\s*\(\s*int|\"verifier.h\"",
                       program.text)
    atomics = re.search(r"^\w[\w *]*\b__VERIFIER_atomic_(?!begin|end)\w+\s*\(",
                        program.text, re.M)
    shim = compile_shim(folder, compiler, tuple(
        (extra if shim_extra is None else shim_extra)
        + (["-DRANGE"] if ranged else [])))
    compiled = [compiler, *FLAGS, *extra, *program.defines,
                *(["-finstrument-functions"] if atomics else [])]
    inputs = [program.path, *program.files]
    if own_runtime:
        objects = [f"{exe}.{i}.o" for i in range(len(inputs))]
        for source, target in zip(inputs, objects):
            build([*compiled, "-fsanitize=thread", "-c", source, "-o", target])
        compiled, inputs = [compiler, "-pthread"], objects
    wraps = ["pthread_create"]
    if shim_extra and "-DSTRESS" in shim_extra:
        wraps += WRAPPED
    build([*compiled, "-rdynamic", *(f"-Wl,--wrap={name}" for name in wraps),
           *inputs, shim, "-o", exe, "-lm", "-ldl", "-latomic"])
    return exe


def build(command):
    done = subprocess.run(command, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, errors="replace")
    if done.returncode != 0:
        raise Problem(f"{' '.join(command)}\n{done.stdout}")


def compile_shim(folder, compiler, flags):
    """The object file of the shim for these flags, made once."""
    with SHIMS_LOCK:
        if flags not in SHIMS:
            shim = os.path.join(folder, f"shim{len(SHIMS)}.o")
            build([compiler, *FLAGS, *flags, "-c", os.path.join(HERE, "shim.c"),
                   "-o", shim])
            SHIMS[flags] = shim
        return SHIMS[flags]


def run_program(program, exe, seed, limit, env=()):
    """(status, output, errors); status as a shell says it, None = hangs."""
    env = dict(os.environ, HEDDLE_SEED=str(seed), **dict(env))
    if program.unbounded:
        env["HEDDLE_CREATE"] = "12"
    try:
        done = subprocess.run([exe], env=env, stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              errors="replace", timeout=limit)
    except subprocess.TimeoutExpired:
        return None, "", ""
    status = done.returncode
    return (status if status >= 0 else 128 - status), done.stdout, done.stderr


def counted_run(program, exe, seed, limit):
    """A run that counts: no assumption fails in it."""
    for attempt in range(50):
        result = run_program(program, exe, seed + 1000 * attempt, limit)
        if result[0] != 99:
            return result
    raise Problem("no run of 50 meets the assumptions")


def check_native(program, status, out, err):
    ended = "hangs" if status is None else f"ends with status {status}"
    if program.native == "hang":
        if status is not None:
            raise Problem(f"{ended}, should hang\n{out}{err}")
        return
    match = re.match(r"exit=(\d+)(?: output=\"(.*)\")?$", program.native)
    if match.group(1) != str(status):
        raise Problem(f"{ended}, expected {match.group(1)}\n{out}{err}")
    if match.group(2) is not None:
        text = out.rstrip("\n").replace("\\", "\\\\").replace("\n", "\\n")
        if text.replace('"', "'") != match.group(2):
            raise Problem(f"prints\n{text}\nexpected\n{match.group(2)}")


def test_native(program, folder, runs):
    exe = compile_program(program, folder, os.environ.get("CC", "gcc"), [])
    if program.native.startswith("skip"):
        return f"# SKIP compiled only: {program.native[5:]}"
    shown = 0
    for seed in range(runs):
        if program.native == "any":
            status = run_program(program, exe, seed, HANG)[0]
            shown += status not in (0, 99)
        else:
            limit = HANG if program.native == "hang" else LIMIT
            check_native(program, *counted_run(program, exe, seed, limit))
    if program.native == "any" and runs > 1:
        return f"# shows its bug in {shown} of {runs} runs"
    return ""


class Generated:
    """A program of ../generate.py with this seed."""

    def __init__(self, threads, seed):
        self.arguments = (["--threads"] if threads else []) + [str(seed)]
        self.name = "generate.py " + " ".join(self.arguments)

    def test(self, folder):
        """Optimised or not, it prints the same; threads come to an end."""
        base = os.path.join(folder, re.sub(r"\W", "_", self.name))
        text = subprocess.run(
            [sys.executable, os.path.join(PROGRAMS, "generate.py"),
             *self.arguments], stdout=subprocess.PIPE, check=True).stdout
        with open(base + ".c", "wb") as file:
            file.write(text)
        said = []
        for level in ("-O0",) if "--threads" in self.arguments else ("-O0", "-O2"):
            build([os.environ.get("CC", "gcc"), *FLAGS, level, base + ".c",
                   "-o", base])
            done = subprocess.run([base], stdout=subprocess.PIPE, timeout=LIMIT)
            said.append((done.returncode, done.stdout))
        if said[0] != said[-1] or not said[0][1] or said[0][0] not in range(64):
            raise Problem(f"{self.name}: {said}")
        return ""


def test_sanitize(program, folder, runs):
    """Every sanitizer; a report of a property that is not UNSAFE fails."""
    seen, asked = set(), set()
    unsafe = {p for p, verdict in program.expect.items() if verdict == "UNSAFE"}
    for name, properties in SANITIZERS.items():
        if name == "thread" and "<threads.h>" in program.text:
            continue  # ThreadSanitizer does not know C11's threads
        if name == "memory" and not ({"uninit"} & set(program.expect)):
            continue
        pausing = name in ("thread", "address") and "pthread" in program.text
        exe = compile_program(
            program, folder, "clang-19",
            [f"-fsanitize={name}", *CLANG, *(PAUSES if pausing else [])],
            [f"-fsanitize={name}", *(["-DSTRESS"] if pausing else [])])
        asked |= set(properties)
        for seed in range(runs):
            env = {"TSAN_OPTIONS": "detect_deadlocks=0 report_signal_unsafe=0",
                   "ASAN_OPTIONS": "detect_stack_use_after_return=1 "
                   f"detect_leaks={int('leak' in program.expect)}"}
            limit = LIMIT if program.native.startswith("exit") else 1.5
            status, _, err = run_program(program, exe, seed, limit, env.items())
            found = {p for pattern, p in REPORTS if pattern.search(err)}
            seen |= found
            wrong = found - unsafe
            if {"memory", "sync"} & unsafe:
                wrong -= {"race"}  # free and destroy count as writes there
            if "PTHREAD_MUTEX_ERRORCHECK" in program.text or "Joining" in err:
                wrong -= {"sync"}  # errors that are results; main may be joined
            if wrong:
                raise Problem(f"{name} reports {wrong}\n{err[:3000]}")
    missed = sorted((unsafe & asked) - seen)
    return f"# not seen: {', '.join(missed)}" if missed else ""


def test_stress(program, folder, runs):
    """Many schedules; what shows must be what is expected."""
    if program.native.startswith("skip") or not re.search(
            r"pthread\.h|threads\.h|verifier\.h", program.text):
        return "# SKIP not run"
    exe = compile_program(program, folder, "clang-19", CLANG,
                          ["-DSTRESS", "-DATOMICS"], own_runtime=True)
    unsafe = {p for p, verdict in program.expect.items() if verdict == "UNSAFE"}
    other = unsafe - {"assert", "race", "deadlock"}
    quick = "deadlock" in unsafe or program.native in ("any", "hang")
    shown = dict.fromkeys(unsafe & {"assert", "deadlock"}, 0)
    for seed in range(runs):
        status, _, err = run_program(program, exe, seed, 1.0 if quick else LIMIT)
        found = {None: "deadlock", 134: "assert"}.get(status)
        if found == "deadlock" and program.native == "any" and \
                "deadlock" not in unsafe:
            continue  # may be slow, or spin for ever
        if found in shown:
            shown[found] += 1
        elif (found or status not in (0, 99)) and not other:
            raise Problem(f"seed {seed}: {found or status}\n{err}")
    return "# " + ", ".join(f"{p} {n} of {runs}" for p, n in shown.items()) \
        if shown else ""


def main():
    jobs, runs, test, patterns = 2, 1, test_native, []
    for argument in sys.argv[1:]:
        if argument.startswith("--jobs="):
            jobs = int(argument[7:])
        elif argument.startswith("--runs="):
            runs = int(argument[7:])
        elif argument == "--sanitize":
            test = test_sanitize
        elif argument == "--stress":
            test = test_stress
        elif argument.startswith("-"):
            sys.exit(__doc__)
        else:
            patterns.append(argument)
    if test is not test_native and not shutil.which("clang-19"):
        print("1..0 # SKIP clang-19 is not installed")
        return 0
    work = list(programs(patterns))
    if test is test_native:
        work += [g for g in (Generated(threads, seed) for threads in (False, True)
                             for seed in range(1, 6)) if wanted(g.name, patterns)]
    failed = 0
    print(f"1..{len(work)}")
    with tempfile.TemporaryDirectory(prefix="heddle-programs.") as folder, \
            concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        def one(program):
            if isinstance(program, tuple):
                return str(program[1])
            try:
                if isinstance(program, Generated):
                    return program.test(folder)
                return test(program, folder, runs)
            except Problem as problem:
                return problem
        for i, (program, result) in enumerate(zip(work, pool.map(one, work)), 1):
            broken = isinstance(program, tuple)
            name = program[0] if broken else program.name
            if broken or isinstance(result, Problem):
                failed += 1
                print(f"not ok {i} - {name}")
                print("".join(f"# {line}\n" for line in str(result).splitlines()),
                      end="")
            else:
                print(f"ok {i} - {name} {result}".rstrip())
            sys.stdout.flush()
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
