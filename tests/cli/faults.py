#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""What may go wrong around heddle must not make it wrong: engines that are
killed, too little memory, full disks, closed pipes, clocks that jump, signals.
Whatever happens, there is the right verdict, or none; it does not take for
ever; no process is left; and files are whole or not there. Speaks TAP.

$HEDDLE is the program. Moments are chosen by chance; SEED=N chooses others."""

import os
import random
import re
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
import time

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
HEDDLE = os.path.abspath(os.environ.get("HEDDLE") or
                         os.path.join(ROOT, "build", "heddle"))
CODES = {"safe": 0, "unsafe": 10, "unknown": 5}
CHANCE = random.Random(int(os.environ.get("SEED", "1")))


class Problem(Exception):
    pass


class Skip(Exception):
    pass


def check(good, what):
    if not good:
        raise Problem(what)


# --- models ---

def parity(path, tokens, places=5, odd=True):
    """Tokens go round in pairs, so that no place ever holds an odd number of
    them: true, but no linear inequality says so, and there are many markings.
    With odd=False the target can be reached."""
    names = [f"p{i}" for i in range(places)]
    with open(path, "w", encoding="ascii") as out:
        out.write("vars\n  " + " ".join(names) + "\nrules\n")
        for i, name in enumerate(names):
            other = names[(i + 1) % places]
            out.write(f"  {name} >= 2 -> {name}' = {name} - 2, "
                      f"{other}' = {other} + 2;\n")
        out.write("init\n  " + ", ".join(
            f"{n} = {tokens if i == 0 else 0}" for i, n in enumerate(names)))
        out.write(f"\ntarget\n  p0 >= {tokens - (1 if odd else 2)}, "
                  f"p{places - 1} >= {1 if odd else 2}\n")
    return path


def locked(path):
    """A program whose interleavings take explore a second or two."""
    with open(path, "w", encoding="ascii") as out:
        out.write("""#include <assert.h>
#include <pthread.h>
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
int x, y;
static void *work(void *arg) {
  for (int i = 0; i < 4; i++) {
    pthread_mutex_lock(&m);
    x = x * 3 + 1;
    y = x;
    pthread_mutex_unlock(&m);
  }
  return arg;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  assert(x == y);
  return 0;
}
""")
    return path


# --- running ---

def session_members(session):
    """Processes of a session that are not zombies."""
    members = []
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open(f"/proc/{name}/stat", encoding="utf-8") as file:
                rest = file.read().rpartition(")")[2].split()
        except OSError:
            continue
        if int(rest[3]) == session and rest[0] not in "ZX":
            members.append(int(name))
    return members


def start(arguments, **more):
    more.setdefault("stdout", subprocess.PIPE)
    return subprocess.Popen([HEDDLE] + arguments, stdin=subprocess.DEVNULL,
                            stderr=subprocess.PIPE, start_new_session=True,
                            text=True, **more)


def finish(child, most=120):
    """Output, messages, and that nothing of it is left."""
    try:
        out, err = child.communicate(timeout=most)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)
        child.communicate()
        raise Problem("it hangs") from None
    until = time.monotonic() + 30
    while session_members(child.pid) and time.monotonic() < until:
        time.sleep(0.02)
    left = session_members(child.pid)
    for pid in left:
        os.kill(pid, signal.SIGKILL)
    check(not left, f"{len(left)} processes are left")
    return out, err


def children(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def judge(child, out, expected, also=()):
    """The expected verdict or none, and status and last line agree."""
    allowed = {CODES[expected], CODES["unknown"]} | set(also)
    check(child.returncode in allowed,
          f"exit status {child.returncode}, expected one of {sorted(allowed)}")
    verdict = re.search(r"^verdict: (\w+)", out or "", re.M)
    if verdict:
        check(verdict.group(1) in (expected, "unknown"),
              f"verdict {verdict.group(1)}")
        check(CODES[verdict.group(1)] == child.returncode,
              f"verdict {verdict.group(1)} and status {child.returncode}")


# --- the tests ---

def test_engines_killed():
    """Members killed at random moments, on one core and on two."""
    inputs = [(parity("odd.spec", 100), "safe"),
              (parity("even.spec", 100, odd=False), "unsafe")]
    told = decided = 0
    for turn in range(16):
        path, expected = inputs[turn % 2]
        child = start(["verify", path, f"-j{turn // 2 % 2 + 1}", "--timeout=20",
                       "-v"])
        killed = 0
        until = time.monotonic() + CHANCE.uniform(0.1, 2)
        while child.poll() is None and time.monotonic() < until:
            time.sleep(CHANCE.uniform(0.01, 0.1))
            for member in children(child.pid):
                if CHANCE.random() < 0.2:
                    try:
                        os.kill(member, signal.SIGKILL)
                        killed += 1
                    except ProcessLookupError:
                        pass
        out, _ = finish(child)
        judge(child, out, expected)
        decided += child.returncode != 5
        told += "was ended by signal 9" in out
    check(told, "no report says that an engine was killed")
    return f"{decided} of 16 decided all the same, {told} reports say so"


def test_all_engines_killed():
    """However late the kill comes on a busy machine: no engine decides this
    one within seconds."""
    path = parity("odd.spec", 400, places=7)
    child = start(["verify", path, "-j2", "--timeout=20"])
    while child.poll() is None:
        for member in children(child.pid):
            try:
                os.kill(member, signal.SIGKILL)
            except ProcessLookupError:
                pass
        time.sleep(0.005)
    out, _ = finish(child)
    judge(child, out, "safe")
    check(child.returncode == 5, "there is a verdict")
    check("was ended by signal 9" in out, "the report does not say why")


def test_engine_stopped():
    """One that is stopped and never goes on: the others decide."""
    path = parity("odd.spec", 60)
    child = start(["verify", path, "-j2", "--timeout=20"])
    stopped = None
    while child.poll() is None and not stopped:
        stopped = (children(child.pid) or [None])[0]
    if stopped:
        os.kill(stopped, signal.SIGSTOP)
    out, _ = finish(child)
    judge(child, out, "safe")


def test_c_engines_killed():
    needs_c()
    path = locked("locked.c")
    for turn in range(4):
        child = start(["verify", path, f"-j{turn % 2 + 1}", "--timeout=20",
                       "--property=assert,race,deadlock"])
        until = time.monotonic() + CHANCE.uniform(0.2, 1)
        while child.poll() is None and time.monotonic() < until:
            time.sleep(CHANCE.uniform(0.01, 0.1))
            for member in children(child.pid):
                if CHANCE.random() < 0.3:
                    try:
                        os.kill(member, signal.SIGKILL)
                    except ProcessLookupError:
                        pass
        out, _ = finish(child)
        # The compiler may have been the one that was killed.
        judge(child, out, "safe", also=(2,))


def test_little_memory():
    decided = 0
    for tokens, odd in ((34, True), (34, False), (80, True), (60, False)):
        path = parity("memory.spec", tokens, odd=odd)
        for jobs in (1, 2):
            child = start(["verify", path, f"-j{jobs}", "--memory=64",
                           "--timeout=10"])
            out, _ = finish(child)
            judge(child, out, "safe" if odd else "unsafe")
            decided += child.returncode != 5
    return f"{decided} of 8 decided in 64 MB"


def test_no_memory():
    """The system itself has none left."""
    if "SANITIZE" in os.environ:
        raise Skip("sanitizers need more")
    path = parity("memory.spec", 80)

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (220 << 20, 220 << 20))
    for jobs in (1, 2):
        child = start(["verify", path, f"-j{jobs}", "--memory=4000",
                       "--timeout=10"], preexec_fn=limit)
        out, _ = finish(child)
        judge(child, out, "safe", also=(6,))


def small_files():
    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))


def test_full_disk():
    """Evidence that does not fit is not there, and the status says so."""
    path = parity("odd.spec", 20)
    child = start(["verify", path, "--certificate=proof", "-q"],
                  preexec_fn=small_files)
    finish(child)
    check(child.returncode == 6, f"exit status {child.returncode}")
    check(os.listdir(".") == ["odd.spec"], f"files: {os.listdir('.')}")


def test_full_disk_results():
    path = parity("odd.spec", 4)
    with open("list", "w", encoding="ascii") as out:
        for i in range(30):
            out.write(f"{path} --seed={i}\n")
    child = start(["suite", "list", "-q", "--results=r.jsonl"],
                  preexec_fn=small_files)
    finish(child)
    check(child.returncode == 6, f"exit status {child.returncode}")
    child = start(["suite", "list", "-q", "--results=r.jsonl"])
    out, _ = finish(child)
    check(child.returncode == 0, f"exit status {child.returncode}")
    with open("r.jsonl", encoding="utf-8") as file:
        lines = file.read().splitlines()
    check(len(lines) == len(set(lines)) == 30, f"{len(lines)} results")


def test_full_disk_cache():
    path = parity("odd.spec", 20)
    child = start(["verify", path, "--cache=cache", "-q"],
                  preexec_fn=small_files)
    out, err = finish(child)
    judge(child, out, "safe")
    check("--cache: cannot write" in err, f"no warning: {err}")
    found = [f for _, _, files in os.walk("cache") for f in files]
    check(not found, f"files: {found}")


def test_full_disk_compiler():
    needs_c()
    path = locked("locked.c")
    child = start(["verify", path, "-q", "--timeout=10"],
                  preexec_fn=small_files)
    finish(child)
    check(child.returncode in (2, 6), f"exit status {child.returncode}")


def test_closed_pipe():
    path = parity("odd.spec", 10)
    for command in (["verify", path, "--explain"], ["suite", path]):
        read, write = os.pipe()
        os.close(read)
        child = start(command, stdout=write)
        os.close(write)
        finish(child)
        check(child.returncode == 6, f"exit status {child.returncode}")


JUMP = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <sys/time.h>
#include <time.h>
/* Every call is a day before or after the one before it. */
static long day(void) { static int n; return n++ % 2 ? 86400 : -86400; }
int clock_gettime(clockid_t clock, struct timespec *ts) {
  static int (*real)(clockid_t, struct timespec *);
  if (!real)
    real = (int (*)(clockid_t, struct timespec *))dlsym(RTLD_NEXT, "clock_gettime");
  int result = real(clock, ts);
  if (clock == CLOCK_REALTIME)
    ts->tv_sec += day();
  return result;
}
time_t time(time_t *to) {
  struct timespec ts;
  clock_gettime(CLOCK_REALTIME, &ts);
  if (to)
    *to = ts.tv_sec;
  return ts.tv_sec;
}
int gettimeofday(struct timeval *restrict tv, void *restrict zone) {
  struct timespec ts;
  (void)zone;
  clock_gettime(CLOCK_REALTIME, &ts);
  tv->tv_sec = ts.tv_sec;
  tv->tv_usec = ts.tv_nsec / 1000;
  return 0;
}
"""


def test_clock_jumps():
    compiler = shutil.which("cc")
    if not compiler:
        raise Skip("no compiler")
    with open("jump.c", "w", encoding="ascii") as out:
        out.write(JUMP)
    subprocess.run([compiler, "-shared", "-fPIC", "-o", "jump.so", "jump.c"],
                   check=True)
    path = parity("odd.spec", 160)
    environment = dict(os.environ, LD_PRELOAD=os.path.abspath("jump.so"))
    for jobs in (1, 2):
        before = time.monotonic()
        child = start(["verify", path, f"-j{jobs}", "--timeout=1"],
                      env=environment)
        out, _ = finish(child)
        judge(child, out, "safe")
        # Not at once, as if a day had passed; that it ends at all is seen by
        # `finish`, however busy the machine is.
        seconds = time.monotonic() - before
        check(seconds > 0.9 or child.returncode == 0, f"it took {seconds:.1f} s")
    child = start(["verify", parity("small.spec", 20), "-q"], env=environment)
    out, _ = finish(child)
    check(child.returncode == 0, f"exit status {child.returncode}")


def test_signals():
    """At random moments: an end soon, a report, and nothing left."""
    path = parity("odd.spec", 160)
    for turn in range(12):
        sent = (signal.SIGTERM, signal.SIGINT)[turn % 2]
        child = start(["verify", path, f"-j{turn // 2 % 2 + 1}"])
        time.sleep(CHANCE.uniform(0.0, 0.6))
        child.send_signal(sent)
        out, _ = finish(child)  # which does not wait for ever
        # It may not have come to catching signals yet.
        judge(child, out, "safe", also=(-sent,))


def test_group_interrupted():
    """Ctrl-C goes to all processes of a terminal's foreground."""
    path = parity("odd.spec", 160)
    for _ in range(4):
        child = start(["verify", path, "-j2"])
        time.sleep(CHANCE.uniform(0.2, 0.6))
        os.killpg(child.pid, signal.SIGINT)
        out, _ = finish(child)
        judge(child, out, "safe", also=(-signal.SIGINT,))
        check("interrupted" in out or child.returncode < 0, f"report: {out}")


def test_parent_killed():
    """Nothing is left of it, and a proof is whole or not there."""
    path = parity("odd.spec", 40)
    whole = 0
    for turn in range(12):
        proof = f"proof{turn}"
        child = start(["verify", path, "-j2", f"--certificate={proof}"])
        time.sleep(CHANCE.uniform(0.05, 1.2))
        child.kill()
        finish(child)
        if os.path.exists(proof):
            whole += 1
            judged = start(["check", path, proof, "-q"])
            finish(judged)
            check(judged.returncode == 0, "a proof is not whole")
    return f"{whole} of 12 had their proof"


def test_suite_killed():
    path = parity("odd.spec", 160)
    for turn in range(4):
        child = start(["suite", path, "-j2", "--timeout=20", "--results=r"])
        time.sleep(CHANCE.uniform(0.1, 0.6))
        child.send_signal((signal.SIGKILL, signal.SIGTERM)[turn % 2])
        finish(child)
        if os.path.exists("r"):
            with open("r", encoding="utf-8") as file:
                check(not file.read(), "there is a result")


def needs_c():
    if not os.access(os.path.join(os.path.dirname(HEDDLE), "heddle-cc"),
                     os.X_OK) and "HEDDLE_CC" not in os.environ:
        raise Skip("built without heddle-cc")


def main():
    tests = [(name[5:], value) for name, value in globals().items()
             if name.startswith("test_")
             and all(word in name for word in sys.argv[1:])]
    failed = 0
    print(f"1..{len(tests)}")
    for number, (name, test) in enumerate(tests, 1):
        with tempfile.TemporaryDirectory(prefix="heddle-faults.") as folder:
            os.chdir(folder)
            try:
                said = test()
                print(f"ok {number} - {name}" + (f" # {said}" if said else ""),
                      flush=True)
            except Skip as why:
                print(f"ok {number} # SKIP {name}: {why}", flush=True)
            except Problem as what:
                failed += 1
                print(f"not ok {number} - {name}\n#   {what}", flush=True)
            os.chdir("/")
    return failed > 0


if __name__ == "__main__":
    sys.exit(main())
