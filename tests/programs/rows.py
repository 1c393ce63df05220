#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Walks the rows of the library's table through every engine; speaks TAP.

    tests/programs/rows.py [--jobs=N] [--some=N] [--keep=DIR] [NAME...]

A small program is written for every row of src/model/library.def but MPI's: it
calls the function once with arguments that fit their letters, and asserts that
nothing was written, nothing was called, and that it returned 0 (or, where it
computes something, what the native function returns). Each engine treats it or
refuses it, and nobody ignores what the function does: no engine contradicts the
search of all interleavings, which does not contradict the native program; none
decides what the search cannot execute. Rows that cannot be called from C are
skipped and named. --some=N: every N-th row. $HEDDLE is the program, build/heddle
if unset."""

import concurrent.futures
import os
import random
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))
HEDDLE = os.path.abspath(os.environ.get("HEDDLE") or
                         os.path.join(ROOT, "build", "heddle"))
TABLE = os.path.join(ROOT, "src", "model", "library.def")
ENGINES = ["--engine=explore", "--engine=unfold", "--engine=modular",
           "--engine=pairs", "--engine=weave", "--threads=unbounded",
           "--engine=graph"]
SECONDS = 40
HEADERS = """_GNU_SOURCE
assert ctype errno locale math pthread sched search semaphore stdarg stdint
stdio stdlib string strings sys/sysinfo sys/time threads time unistd malloc""".split()

# What the compiler, its headers or heddle's own write; va_list wants a wrapper.
NOT_IN_C = re.compile(r"llvm_|__heddle|openmp_|__pthread|_pthread|__sigsetjmp|"
                      r"__atomic_|__ctype|__isoc|__printf_chk|__fprintf_chk|"
                      r"v\w*printf$|cfree$|__assert_rtn|__assert$|pthread_yield|"
                      r"__fpclassify|__isnan|__isinf|__signbit|pthread_attr_setschedparam")
# What depends on more than the arguments, or may wait for ever here.
OPEN = {"INPUT", "CLOCK", "HOST", "SELF", "YIELD", "SLEEP", "PARK", "ALLOC",
        "RESIZE", "WRITE", "PRINT", "NONE", "REFUSED", "SEED"}
COMPUTES = {"COMPUTE", "LOOK", "PARSE"}
STREAM = {"fprintf": 0, "fputs": 1, "fputc": 1, "putc": 1, "fwrite": 3,
          "fflush": 0, "setvbuf": 0, "setbuf": 0, "setlinebuf": 0}
NUMBERS = {"malloc": "8", "calloc": "8", "realloc": "8", "reallocarray": "8",
           "valloc": "8", "memalign": "8", "aligned_alloc": "8",
           "posix_memalign": "8", "pthread_attr_setstacksize": "65536",
           "pthread_attr_setguardsize": "4096", "setvbuf": "_IONBF",
           "setlocale": "LC_ALL", "sysconf": "_SC_NPROCESSORS_ONLN",
           "timespec_get": "TIME_UTC", "usleep": "1", "sleep": "0"}
ATTRIBUTE = re.compile(r"(pthread_(?:mutex|rwlock|cond|barrier)?attr)_")
PLACES = [("pthread_mutex_", "pthread_mutex_t", "pthread_mutex_init(&place, 0)"),
          ("mtx_", "mtx_t", "mtx_init(&place, mtx_plain)"),
          ("pthread_spin_", "pthread_spinlock_t", "pthread_spin_init(&place, 0)"),
          ("pthread_rwlock_", "pthread_rwlock_t", "pthread_rwlock_init(&place, 0)"),
          ("pthread_cond_", "pthread_cond_t", "pthread_cond_init(&place, 0)"),
          ("cnd_", "cnd_t", "cnd_init(&place)"),
          ("pthread_barrier_", "pthread_barrier_t",
           "pthread_barrier_init(&place, 0, 1)"),
          ("sem_", "sem_t", "sem_init(&place, 0, 1)"),
          ("pthread_once", "pthread_once_t", None),
          ("call_once", "once_flag", None)]
WHOLE = {  # functions on threads and keys: what is done, what must not be seen
    "pthread_create": ("pthread_create(&other, 0, sets, 0); pthread_join(other, 0);", "!ran"),
    "thrd_create": ("thrd_t c; thrd_create(&c, sets11, 0); thrd_join(c, 0);", "!ran"),
    "pthread_join": ("void *p = 0; pthread_create(&other, 0, same, (void *)7);"
                     "pthread_join(other, &p);", "!p"),
    "thrd_join": ("int r = 0; thrd_t c; thrd_create(&c, sets11, 0); thrd_join(c, &r);",
                  "r != 3"),
    "pthread_detach": ("pthread_create(&other, 0, same, 0);"
                       "int r = pthread_detach(other);", "r == 0"),
    "thrd_detach": ("thrd_t c; thrd_create(&c, same11, 0); int r = thrd_detach(c);",
                    "r == 0"),
    "pthread_exit": ("pthread_exit(0);", "0"),
    "thrd_exit": ("thrd_exit(0);", "0"),
    "pthread_self": ("int r = pthread_equal(pthread_self(), pthread_self());", "r"),
    "thrd_current": ("int r = thrd_equal(thrd_current(), thrd_current());", "r"),
    "pthread_equal": ("pthread_create(&other, 0, same, 0);"
                      "int r = pthread_equal(pthread_self(), other);", "!r"),
    "thrd_equal": ("thrd_t c; thrd_create(&c, same11, 0);"
                   "int r = thrd_equal(thrd_current(), c);", "!r"),
    "pthread_setname_np": ('pthread_setname_np(pthread_self(), "x");', "1"),
    "pthread_setaffinity_np": ("cpu_set_t s; CPU_ZERO(&s); CPU_SET(0, &s);"
                               "pthread_setaffinity_np(pthread_self(), sizeof s, &s);",
                               "1"),
    "pthread_key_create": ("pthread_key_t k = 77; pthread_key_create(&k, 0);", "k == 77"),
    "tss_create": ("tss_t k = 77; tss_create(&k, 0);", "k == 77"),
    "pthread_key_delete": ("pthread_key_t k; pthread_key_create(&k, 0);"
                           "int r = pthread_key_delete(k);", "r == 0"),
    "tss_delete": ("tss_t k; tss_create(&k, 0); tss_delete(k);", "1"),
    "pthread_setspecific": ("pthread_key_t k; pthread_key_create(&k, 0);"
                            "pthread_setspecific(k, room);",
                            "pthread_getspecific(k) == 0"),
    "tss_set": ("tss_t k; tss_create(&k, 0); tss_set(k, room);", "tss_get(k) == 0"),
    "pthread_getspecific": ("pthread_key_t k; pthread_key_create(&k, 0);",
                            "pthread_getspecific(k) == 0"),
    "tss_get": ("tss_t k; tss_create(&k, 0);", "tss_get(k) == 0"),
    "qsort": ("qsort(room, 2, 8, compares);", "!ran"),
    "bsearch": ("bsearch(room, room, 2, 8, compares);", "!ran"),
    "fwrite": ("fwrite(room, 0, 1, stdout);", "1"),
    "write": ("write(1, room, 0);", "1"),
    "strtod": ('char *e = 0; double r = strtod("2.5x", &e);', "!e"),
}


class Row:
    def __init__(self, name, kind, does, args, gives, traits):
        self.name, self.kind, self.does = name, kind, does
        self.args, self.gives, self.traits = args, gives, traits


def rows():
    with open(TABLE, encoding="utf-8") as f:
        text = re.sub(r"/\*.*?\*/", "", f.read(), flags=re.S)
    for m in re.finditer(r'ROW\((\w+), (\w+), (\w+), "(.*?)", (\w+), (.*?)\)', text):
        yield Row(*m.groups())
    for m in re.finditer(r'INPUT\((\w+), (\w+), "(.*?)"\)', text):
        yield Row(m.group(1), "INPUT", "INPUT",
                  "" if "nondet" in m.group(1) else m.group(3), "VALUE", "0")
    for m in re.finditer(r"REFUSED\((\w+)\)", text):
        yield Row(m.group(1), "REFUSED", "REFUSED", "", "VALUE", "0")


def place_of(row):
    for prefix, ctype, init in PLACES:
        if row.name.startswith(prefix) and set(row.args) & set("und"):
            return ctype, init
    return None, None


def argument(row, i, letter, rng):
    name = row.name
    if STREAM.get(name) == i:
        return "stdout"
    if ATTRIBUTE.match(name) and i == 0:
        return "&attr"
    if letter == "-":
        if name in ("dprintf", "write") and i == 0:
            return "1"
        if name in NUMBERS:
            return NUMBERS[name]
        if "t" in row.args or ATTRIBUTE.match(name) or row.kind == "EXIT":
            return "0"
        if row.does in ("COPY", "FILL", "EDIT"):
            return "3"
        if row.does == "PARSE":
            return "10"
        if row.kind == "MATH":
            return rng.choice(["1", "0.5", "2", "-1.5", "3.25"])
        return rng.choice(["1", "2", "48", "65"])
    if letter == "R" and row.does in ("MAKE", "SPAWN"):
        return "0"
    if letter in "rR":
        return "room" if row.kind == "MEMORY" else '"12"' if i % 2 == 0 else '"2"'
    return {"w": "(void *)room", "W": "(void *)room", "x": "(void *)room",
            "t": "&past", "u": "&place", "n": "&place", "d": "&place",
            "m": "&mutex", "F": "malloc(8)", "k": "room", "K": "0",
            "c": "calls", "l": "calls", "L": "0", "p": '"%d\\n"'}[letter]


def call_of(row, rng):
    letters = row.args
    more = ", 1" if letters.endswith("p*") else ""
    args = [argument(row, i, c, rng) for i, c in enumerate(letters) if c != "*"]
    if row.name == "sem_init":
        args = ["&place", "0", "1"]
    if row.name == "pthread_barrier_init":
        args = ["&place", "0", "1"]
    if row.name in ("strcpy", "stpcpy", "strcat", "strncpy", "strncat", "sprintf",
                    "snprintf"):
        args[0] = "(char *)room"
    return f"{row.name}({', '.join(args)}{more})"


def setup_of(row):
    lines = []
    ctype, init = place_of(row)
    if init and row.does != "MAKE":
        lines.append(init + ";")
    if row.does == "RELEASE" and row.kind != "SEM":
        verb = {"RWLOCK": "wrlock"}.get(row.kind, "lock")
        prefix = next(p for p, _, _ in PLACES if row.name.startswith(p))
        lines.append(f"{prefix}{verb}(&place);")
    if row.does == "PARK":
        c11 = row.name.startswith("cnd")
        lines.append("mtx_init(&mutex, mtx_plain); mtx_lock(&mutex);" if c11 else
                     "pthread_mutex_lock(&mutex);")
    m = ATTRIBUTE.match(row.name)
    if m and row.does != "ATTR_MAKE":
        lines.append(f"{m.group(1)}_init(&attr);")
    if row.name in ("strcat", "strncat"):
        lines.append('strcpy((char *)room, "a");')
    if row.name.endswith("_end"):
        lines.append(row.name.replace("_end", "_begin") + "();")
    return lines


def declarations(row):
    out = ["#define _GNU_SOURCE"] + [f"#include <{h}.h>" for h in HEADERS[1:]]
    ctype, _ = place_of(row)
    if ctype:
        start = {"pthread_once_t": " = PTHREAD_ONCE_INIT",
                 "once_flag": " = ONCE_FLAG_INIT"}.get(ctype, "")
        out.append(f"static {ctype} place{start};")
    m = ATTRIBUTE.match(row.name)
    if m:
        out.append(f"static {m.group(1)}_t attr;")
    out.append("static mtx_t mutex;" if row.name.startswith("cnd") else
               "static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;")
    if row.name.startswith(("__VERIFIER", "heddle_")):
        kind = row.name.split("nondet_")[-1] if "nondet" in row.name else ""
        result = {"": "void", "float": "float", "double": "double", "pchar": "char *",
                  "pointer": "void *", "longlong": "long long"}.get(kind, "int")
        args = "int" if row.args.startswith("-") and not kind else "void"
        out.append(f"{result} {row.name}({args});")
    if row.name == "reach_error":
        out.append("void reach_error(void);")
    return out + ["""static const struct timespec past;
static int ran;
static void calls(void) { ran = 1; }
static int compares(const void *a, const void *b) { ran = 1; return a != b; }
static void *sets(void *p) { ran = 1; return p; }
static int sets11(void *p) { ran = 1; return 3 + !!p; }
static void *same(void *p) { return p; }
static int same11(void *p) { return !!p; }
static void use(void) { (void)calls, (void)compares, (void)sets, (void)sets11;
  (void)same, (void)same11, (void)past, (void)mutex, (void)ran; }"""]


def check_of(row, known):
    """What must hold, when nobody notices the call."""
    claims = []
    if set(row.args) & set("wWx") and not ATTRIBUTE.match(row.name):
        claims.append("room[0] == 5")
    if "c" in row.args:
        claims.append("!ran")
    if row.gives in ("ZERO", "ERRNO", "STATUS", "MINUS"):
        claims.append("said == 0")
    elif row.does in COMPUTES and row.gives == "VALUE" and known:
        claims.append(f"said == {known}")
    elif row.does == "INPUT":
        claims.append("said == 0")
    elif row.gives == "NEVER":
        claims.append("0")
    return " && ".join(claims) or "1"


def returns(row):
    return row.gives not in ("NOTHING", "NEVER") or \
        (row.does == "INPUT" and row.gives == "VALUE")


def program(row, rng, known):
    body = ["use();", "long long room[8] = {5};", "(void)room;", "pthread_t other;"]
    if row.name in WHOLE:
        what, claim = WHOLE[row.name]
        body += [what, f"assert({claim});"]
    else:
        call = call_of(row, rng)
        body += setup_of(row)
        body.append(f"__auto_type said = {call}; (void)said;" if returns(row)
                    else f"{call};")
        body.append(f"assert({check_of(row, known)});")
    text = "\n  ".join(body)
    return "\n".join(declarations(row) + [
        "int main(void) {",
        "  pthread_t first; pthread_create(&first, 0, same, 0);"
        " pthread_detach(first);",
        f"  {text}", "  return 0;", "}", ""])


def run(command, limit=SECONDS):
    try:
        done = subprocess.run(command, stdin=subprocess.DEVNULL, errors="replace",
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              timeout=limit)
        return done.returncode, done.stdout, done.stderr
    except subprocess.TimeoutExpired:
        return None, "", ""


def compiled(text, folder, name):
    source, binary = os.path.join(folder, name + ".c"), os.path.join(folder, name)
    with open(source, "w", encoding="utf-8") as f:
        f.write(text)
    done = run(["gcc", "-std=gnu11", "-w", "-fno-builtin", "-pthread", "-o", binary,
                source, "-lm"])
    return (binary if done[0] == 0 else None), done[2]


def native_value(row, seed, folder):
    """What the native function returns for these arguments, as a constant of C."""
    if row.does not in COMPUTES or row.gives != "VALUE" or row.name in WHOLE:
        return None
    call = call_of(row, random.Random(seed))
    text = "\n".join(declarations(row) + [
        "int main(void) {", "  long long room[8] = {5}; (void)room; use();",
        f"  __auto_type said = {call};",
        '  if ((__typeof__(said))0.5) printf("%a", (double)said);',
        '  else printf("%lldLL", (long long)said);', "  return 0;", "}", ""])
    binary, why = compiled(text, folder, row.name + "_value")
    if not binary:
        raise Problem("does not compile: " + why[:300])
    value = run([binary], 5)[1]
    return None if "nan" in value or "inf" in value else value


class Problem(Exception):
    """Why a test failed."""


def verdict(graph, engine):
    """safe, unsafe or unknown; and why it is unknown."""
    status, out, err = run([HEDDLE, "verify", graph, "--property=assert",
                            "--timeout=6", "--no-check", engine])
    m = re.search(r"^assert: (safe|unsafe|unknown)(?: \((.*)\))?$", out, re.M)
    if status is None or status == 6 or not m:
        raise Problem(f"{engine}: status {status}: {(err or out)[:300]}")
    if m.group(1) == "unknown" and not m.group(2):
        raise Problem(f"{engine} does not say why it is unknown")
    return m.group(1), m.group(2) or ""


def compare(row, said, native):
    truth = said["--engine=explore"][0]
    for engine, (answer, why) in said.items():
        if answer == "unknown":
            continue
        if answer == "unsafe" and row.does == "CLOCK":
            continue  # a random run shows it; what proves cannot execute it
        if truth == "unknown" and "time limit" not in said["--engine=explore"][1]:
            raise Problem(f"{engine} says {answer}, explore cannot execute it: "
                          f"{said['--engine=explore'][1]}")
        if truth != "unknown" and answer != truth:
            raise Problem(f"{engine} says {answer}, explore {truth}")
    if native is None or row.does in ("REFUSED", "ABORT"):
        return
    if truth == "safe" and native == -6:
        raise Problem("explore says safe, the native program fails")
    sure = row.does not in OPEN and not re.search("LOOSE|TIMED", row.traits)
    if truth == "unsafe" and native == 0 and sure:
        raise Problem("explore says unsafe, the native program does not fail")


def walk(row, folder):
    if NOT_IN_C.match(row.name):
        return "skip", "it cannot be called from C"
    text = program(row, random.Random(row.name), native_value(row, row.name, folder))
    native = None
    if row.does != "REFUSED":
        binary, why = compiled(text, folder, row.name)
        if not binary and not row.name.startswith(("__VERIFIER", "heddle", "reach")):
            raise Problem("does not compile: " + why[:400])
        native = run([binary], 3)[0] if binary else None
    else:
        text = (f"int {row.name}();\nvoid __assert_fail();\n"
                f"int main(void) {{ if ({row.name}(0, 0, 0)) __assert_fail(); }}\n")
    source = os.path.join(folder, row.name + ".c")
    with open(source, "w", encoding="utf-8") as f:
        f.write(text)
    graph = os.path.join(folder, row.name + ".code")
    done = run([os.path.join(os.path.dirname(HEDDLE), "heddle-cc"), "--graph", "-w",
                source, "-o", graph])
    if done[0] != 0:
        raise Problem("heddle-cc: " + done[2][:400])
    said = {e: verdict(graph, e) for e in ENGINES}
    compare(row, said, native)
    return "ok", " ".join(f"{e.split('=')[1]}:{v[0]}" for e, v in said.items())


def job(args):
    row, folder = args
    try:
        return row, *walk(row, folder)
    except Problem as problem:
        return row, "not ok", str(problem)


def main():
    options = dict(a[2:].split("=") for a in sys.argv[1:] if a.startswith("--"))
    names = [a for a in sys.argv[1:] if not a.startswith("--")]
    some = int(options.get("some", 1))
    chosen = [r for r in rows() if not names or r.name in names][::some]
    print(f"1..{len(chosen)}")
    keep = options.get("keep")
    with tempfile.TemporaryDirectory() as temporary:
        folder = keep or temporary
        os.makedirs(folder, exist_ok=True)
        jobs = int(options.get("jobs", 1))
        with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
            results = list(pool.map(job, [(r, folder) for r in chosen]))
    failed = 0
    for i, (row, status, what) in enumerate(results, 1):
        if status == "skip":
            print(f"ok {i} - {row.name} # SKIP {what}")
        else:
            failed += status == "not ok"
            print(f"{status} {i} - {row.name}")
            print(f"#   {what}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
