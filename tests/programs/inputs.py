#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Wide inputs: a bug that one value of 2^32 or 2^64 shows must be found, and what
holds for all values proved, by the choice of engines.

    tests/programs/inputs.py [--some=N] [--seconds=S] [--engine=NAME] [--native]
        [--list] [PATTERN...]

HEDDLE names the program. --some=N: one program in N. --native: the programs are
compiled and run, too, with the values that are said to show the bug, and with
others, which must not. Prints TAP and, at the end, how many were decided."""

import json
import os
import random
import re
import subprocess
import sys
import tempfile

HEDDLE = os.environ.get("HEDDLE", "build/heddle")

HEAD = """#include <assert.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <stdio.h>
#include <stdatomic.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern long __VERIFIER_nondet_long(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern short __VERIFIER_nondet_short(void);
extern char __VERIFIER_nondet_char(void);
extern float __VERIFIER_nondet_float(void);
extern double __VERIFIER_nondet_double(void);
extern void __VERIFIER_assume(int);
#define INT __VERIFIER_nondet_int()
#define UINT __VERIFIER_nondet_uint()
#define LONG __VERIFIER_nondet_long()
#define ULONG __VERIFIER_nondet_ulong()
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int shared, other;
static unsigned ushared;
static unsigned mix(unsigned h) {
  h *= 2654435761u; h ^= h >> 15; h *= 0x85ebca6bu; h ^= h >> 13; return h;
}
static unsigned long mix64(unsigned long h) {
  h ^= h >> 33; h *= 0xff51afd7ed558ccdul; h ^= h >> 29; return h;
}
#define LOCK pthread_mutex_lock(&m)
#define UNLOCK pthread_mutex_unlock(&m)
"""

# (name, before main, in main, the values that show the bug; None: it is safe).
# A thread function t1 (or t1 and t2) is started and joined around the line RUN.
PROGRAMS = []


def add(name, before, main, bad=None, prop="assert"):
    PROGRAMS.append((name, before, main, bad, prop))


# --- one comparison away, one thread ---
for op, c, bad in [
        ("x", "0x1234567", 0x1234567), ("x ^ 0x5a5a5a5a", "0x12345678", 0x12345678 ^ 0x5a5a5a5a),
        ("x * 3 + 7", "1000003", (1000003 - 7) * pow(3, -1, 2**32) % 2**32),
        ("(x << 7) ^ (x >> 9)", "0x3c0ffee1", None), ("~x + 77u", "123456u", (77 - 1 - 123456) % 2**32),
        ("mix(x)", "0xdeadbeefu", 2087633663), ("x / 1000", "4294967", None),
        ("x % 1000003", "999999", 999999), ("x * x", "1522756u * 1u", 1234),
        ("(x & 0xffff0000u) | (x >> 16)", "0x12341234u", None),
        ("(unsigned)(unsigned char)x * 16777619u ^ (x >> 8)", "0x00c0ffeeu", None)]:
    add(f"equation-{len(PROGRAMS)}", "", f"unsigned x = UINT; assert(({op}) != {c});",
        [bad] if bad is not None else "found")
add("eq-signed", "", "int x = INT; if (x < -2000000000 && x % 1234567 == -89) assert(0);", "found")
add("eq-64", "", "unsigned long x = ULONG; assert(x != 0x123456789abcdef0ul);", [0x123456789abcdef0])
add("eq-64-mix", "", "unsigned long x = ULONG; assert(mix64(x) != 0x0badc0de12345678ul);", "found")
add("eq-8", "", "unsigned char x = __VERIFIER_nondet_uchar(); assert((unsigned char)(x * 7 + 3) != 200);", "found")
add("eq-16", "", "unsigned short x = __VERIFIER_nondet_ushort(); assert((unsigned short)(x * 40503u) != 51966);", "found")
add("eq-s16", "", "short x = __VERIFIER_nondet_short(); if (x < 0) assert(-x != 31337);", [2**16 - 31337])
add("eq-char", "", "char c = __VERIFIER_nondet_char(); assert(c != '~');", [126])
add("two-sum", "", "unsigned x = UINT, y = UINT; if (x > 5000000 && y < 1000) assert(x + y != 77777777);", "found")
add("two-product", "", "unsigned x = UINT, y = UINT; if (x < 70000 && y < 70000 && x > 1 && y > 1) assert(x * y != 60000u * 60001u);", "found")
add("two-order", "", "int x = INT, y = INT; if (x == 3 * y && y > 100000) assert(x - y != 2 * 1234567);", "found")
add("three", "", "unsigned a = UINT, b = UINT, c = UINT; if (a == b * 31 && b == c + 99 && c == 4000000) assert(0);", "found")
add("nested", "", "unsigned x = UINT; if (x > 1000) if (x % 7 == 3) if ((x ^ 0xff) % 11 == 5) if (x >> 20 == 0x7f3) assert(0);", "found")
add("digits", "", "unsigned x = UINT, s = 0; for (unsigned i = 0, y = x; i < 8; i++, y >>= 4) s = s * 3 + (y & 15); assert(s != 31415);", "found")
add("table", "static int tab[2] = {5, 6};", "unsigned x = UINT; if (tab[x & 1] == 6 && x >> 1 == 0x2aaaaaa) assert(0);", "found")
add("table-index", "static const int tab[8] = {3, 1, 4, 1, 5, 9, 2, 6};", "unsigned x = UINT; if (x < 0x1000) return 0; assert(tab[x >> 29] != 9 || x % 5003 != 1);", "found")
add("index-out", "static int tab[16];", "unsigned x = UINT; if (x == 0 || x > 1000) { if (mix(x) != 0x1000) return 0; } if (x < 16) tab[x] = 1;  else if (x == 1000) tab[x] = 2;", [1000], "memory")
add("index-hash", "static int tab[1024];", "unsigned x = UINT; unsigned i = x ^ 0x40000000; if (i <= 1024) tab[i] = 1;", [0x40000400], "memory")
add("loop-bound", "", "unsigned n = UINT, s = 0; if (n > 40) return 0; for (unsigned i = 0; i < n; i++) s += i; assert(s != 741);", [39])
add("malloc-size", "", "unsigned n = UINT; if (n != 100 && n != 0x00100001) return 0; char *p = malloc(n & 0xffff); if (!p) return 0; p[0] = 1; if (n == 0x00100001) p[1] = 1; free(p);", [0x100001], "memory")
add("shift-amount", "", "unsigned n = UINT; if (n == 0xabcdef) n = 32; else n &= 31; unsigned y = 1u << n; assert(y);", [0xabcdef], "arith")
add("div-zero", "", "int x = INT; int y = 1000 / (x - 123456789 ? x - 123456789 : 0); (void)y;", [123456789], "arith")
add("overflow", "", "int x = INT; if (x < 0 || x > 1000000) return 0; int y = x * 2148; (void)y;", [1000000], "overflow")
add("union", "union u { unsigned i; unsigned char b[4]; };", "union u u; u.i = UINT; if (u.b[0] == 0x11 && u.b[1] == 0x22 && u.b[2] == 0x33 && u.b[3] == 0x44) assert(0);", [0x44332211])
add("union-float", "union u { unsigned i; float f; };", "union u u; u.i = UINT; if (u.f == 1.5f) assert(0);", [0x3fc00000])
add("memcpy-float", "", "unsigned x = UINT; float f; memcpy(&f, &x, 4); if (f > 3.0f && f < 3.0000005f) assert(0);", [0x40400001])
add("memcpy-double", "", "unsigned long x = ULONG; double d; memcpy(&d, &x, 8); assert(d != -2.25);", [0xc002000000000000])
add("float-input", "", "float f = __VERIFIER_nondet_float(); if (f > 1e30f && f < 1.000001e30f) assert(0);", "found")
add("double-input", "", "double d = __VERIFIER_nondet_double(); assert(d != 0.1);", "found")
add("float-nan", "", "float f = __VERIFIER_nondet_float(); assert(f == f);", "found")
add("bit-field", "static struct { unsigned a : 5; unsigned b : 11; unsigned c : 16; } s;", "unsigned x = UINT; s.a = x; s.b = x >> 5; s.c = x >> 16; if (s.a == 19 && s.b == 1234 && s.c == 54321) assert(0);", [19 | 1234 << 5 | 54321 << 16])
add("bit-field-local", "struct s { unsigned a : 5; unsigned b : 11; unsigned c : 16; };", "struct s s = {0, 0, 0}; s.b = UINT; s.a = UINT; if (s.b == 2047 && s.a == 17) assert(0);", "found")
add("struct", "struct s { int a; long b; char c; };", "struct s s = {INT, LONG, __VERIFIER_nondet_char()}, t = s; if (t.a == 99999 && t.b == -5000000000l && t.c == 'x') assert(0);", "found")
add("struct-call", "struct s { int a, b; }; static int bad(struct s s) { return s.a == 31415926 && s.b == 27182818; }", "struct s s = {INT, INT}; assert(!bad(s));", [31415926, 27182818])
add("bytes", "", "unsigned x = UINT; unsigned char *p = (unsigned char *)&x; if (p[3] == 0xca && p[2] == 0xfe && p[0] == p[1] && p[0] == 7) assert(0);", [0xcafe0707])
add("memset-array", "static unsigned char a[8];", "unsigned x = UINT; memcpy(a + 2, &x, 4); if (a[3] == 0x99 && a[5] == 0x66) assert(0);", "found")
add("memcmp", "", "unsigned x = UINT; unsigned char key[4] = {1, 2, 3, 4}; assert(memcmp(&x, key, 4) != 0);", [0x04030201])
add("strcmp", "", "char s[5]; unsigned x = UINT; memcpy(s, &x, 4); s[4] = 0; assert(strcmp(s, \"key!\") != 0);", [int.from_bytes(b"key!", "little")])
add("switch", "", "unsigned x = UINT; switch (x) { case 0x7777777: assert(0); case 5: case 6: shared = 1; break; default: shared = 2; }", [0x7777777])
add("ternary", "", "int x = INT; int y = x > 1000000 ? x - 1000000 : 0; assert((y & 1 ? y * 3 : y) != 3 * 7654321);", "found")
add("pointer-choice", "static int a, b;", "unsigned x = UINT; int *p = x % 1000003 == 77 ? &a : &b; *p = 1; assert(!a || x < 2000000000u);", "found")
add("function-pointer", "static int f(int x) { return x; } static int g(int x) { return x + 1; }", "unsigned x = UINT; int (*h)(int) = x == 0x600df00du ? g : f; assert(h(1) == 1);", [0x600df00d])
add("recursion", "static unsigned gcd(unsigned a, unsigned b) { return b ? gcd(b, a % b) : a; }", "unsigned x = UINT; if (x > 0xfffff) return 0; if (x % 97 == 0 && x > 1000000) assert(gcd(x, 97 * 5) != 97 * 5);", "found")
add("bswap", "", "unsigned x = UINT; assert(__builtin_bswap32(x) != 0x01020304);", [0x04030201])
add("minmax", "", "int x = INT, y = INT; int lo = x < y ? x : y, hi = x < y ? y : x; assert(!(lo == -777777 && hi == 888888));", "found")
add("rotate", "", "unsigned x = UINT; x = x << 13 | x >> 19; x = x * 5 + 0xe6546b64; assert(x != 0x11223344);", "found")
add("crc", "", "unsigned x = UINT; unsigned c = 0xffffffff ^ (x & 0xff); for (int i = 0; i < 8; i++) c = c >> 1 ^ (0xedb88320u & (0u - (c & 1))); assert(c != 0xa643a898u || x < 0x100);", "found")

# --- through the library ---
add("strlen", "", "char s[6]; memset(s, 'a', 5); s[5] = 0; unsigned x = UINT; memcpy(s + 1, &x, 4); if (s[4] == 'z') assert(strlen(s) != 3);", "found")
add("strncmp", "", "char s[8] = \"abcdefg\"; s[2] = __VERIFIER_nondet_char(); s[4] = __VERIFIER_nondet_char(); assert(strncmp(s, \"abcdzzz\", 4) || s[4] != '#');", "found")
add("strcpy", "", "char s[6] = \"?????\", t[6]; s[0] = __VERIFIER_nondet_char(); s[3] = __VERIFIER_nondet_char(); if (!s[0] || !s[3]) return 0; strcpy(t, s); assert(t[0] != 'H' || t[3] != '!');", "found")
add("memchr", "", "unsigned char b[4]; unsigned x = UINT; memcpy(b, &x, 4); b[1] = 5; unsigned char *p = memchr(b, 7, 4); assert(!p || p - b != 3);", "found")
add("strchr", "", "char s[4] = \"abc\"; s[1] = __VERIFIER_nondet_char(); char *p = strchr(s, 'q'); assert(!p);", [ord('q')])
add("memmove", "", "unsigned char b[8] = {0}; unsigned x = UINT; memcpy(b, &x, 4); memmove(b + 2, b, 4); assert(!(b[2] == 1 && b[3] == 2 && b[4] == 3 && b[5] == 4));", [0x04030201])
add("atoi", "", "char s[3] = \"42\"; s[0] = __VERIFIER_nondet_char(); assert(atoi(s) != 72);", [ord('7')])
add("isdigit", "#include <ctype.h>\n", "unsigned char c = __VERIFIER_nondet_uchar(); if (isdigit(c)) assert(c != '8');", [ord('8')])
add("toupper", "#include <ctype.h>\n", "unsigned char c = __VERIFIER_nondet_uchar(); assert(toupper(c) != 'Q' || c == 'Q');", [ord('q')])
add("abs", "", "int x = INT; if (x == -2147483647 - 1) return 0; assert(abs(x) != 1234567);", "found")
add("printf", "", "int x = INT; int n = printf(\"%d\\n\", x); assert(x != 31337 || n != 6);", [31337])
add("snprintf", "", "char s[16]; unsigned char x = __VERIFIER_nondet_uchar(); snprintf(s, sizeof s, \"%u\", x); assert(strcmp(s, \"199\"));", [199])
add("qsort", "static int less(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }",
    "int a[3] = {INT, INT, 7}; if (a[0] == a[1] || a[0] == 7 || a[1] == 7) return 0; qsort(a, 3, sizeof *a, less); assert(a[1] != 7 || a[0] != -99999 || a[2] != 99999);", "found")
add("rand", "", "int x = rand(); if (x == 0x3abcdef) assert(0);", "found")
add("realloc", "", "unsigned *p = malloc(4); if (!p) return 0; *p = UINT; p = realloc(p, 8); if (!p) return 0; assert(*p != 0xa5a5a5a5u);", [0xa5a5a5a5])
add("array", "", "unsigned a[6], s = 0; for (int i = 0; i < 6; i++) { a[i] = UINT; if (a[i] > 9) return 0; } for (int i = 0; i < 6; i++) s = s * 10 + a[i]; assert(s != 271828);", [2, 7, 1, 8, 2, 8])
add("varargs", "#include <stdarg.h>\nstatic int bad(int n, ...) { va_list l; va_start(l, n); int x = va_arg(l, int); long y = va_arg(l, long); va_end(l); return x == 8642 && y == 97531; }", "assert(!bad(2, INT, LONG));", "found")
add("bool", "#include <stdbool.h>\nstatic bool pick(bool a, bool b) { return a != b; }", "unsigned x = UINT, y = UINT; bool p = x == 12345, q = y == 54321; assert(!(pick(p, q) && p));", "found")
add("safe-strlen-2", "", "char s[4]; unsigned x = UINT; memcpy(s, &x, 4); s[3] = 0; assert(strlen(s) < 4);")
add("safe-strcmp", "", "char s[4] = \"abc\", t[4]; s[1] = __VERIFIER_nondet_char(); strcpy(t, s); assert(strcmp(s, t) == 0);")
add("safe-qsort", "static int less(const void *a, const void *b) { int x = *(const int *)a, y = *(const int *)b; return (x > y) - (x < y); }",
    "int a[3] = {INT, INT, INT}; if (a[0] == a[1] || a[0] == a[2] || a[1] == a[2]) return 0; qsort(a, 3, sizeof *a, less); assert(a[0] < a[1] && a[1] < a[2]);")
add("safe-memcmp", "", "unsigned x = UINT, y = x; assert(memcmp(&x, &y, 4) == 0);")
add("safe-toupper", "#include <ctype.h>\n", "unsigned char c = __VERIFIER_nondet_uchar(); int u = toupper(c); assert(u < 'a' || u > 'z');")
add("safe-array", "", "unsigned a[4], most = 0; for (int i = 0; i < 4; i++) { a[i] = UINT; if (a[i] > most) most = a[i]; } for (int i = 0; i < 4; i++) assert(a[i] <= most);")
add("safe-bool", "#include <stdbool.h>\nstatic bool both(bool a, bool b) { return a && b; }", "unsigned x = UINT; assert(both(x > 5, x < 9) == (x >= 6 && x <= 8));")
add("safe-varargs", "#include <stdarg.h>\nstatic long sum(int n, ...) { va_list l; va_start(l, n); long s = 0; while (n--) s += va_arg(l, int); va_end(l); return s; }", "int x = INT, y = INT; assert(sum(2, x, y) == (long)x + y);")

# --- threads ---
RUN2 = ("pthread_t a, b; pthread_create(&a, 0, t1, 0); pthread_create(&b, 0, t2, 0); "
        "pthread_join(a, 0); pthread_join(b, 0);")
T = "static void *{}(void *p) {{ {} return 0; }}\n"


def two(name, first, second, before_run, after, bad=None, prop="assert", decl=""):
    add(name, decl + T.format("t1", first) + T.format("t2", second),
        before_run + RUN2 + after, bad, prop)


two("thread-shared", "LOCK; if (ushared == 0xabcdef01u) shared = 1; UNLOCK;", "LOCK; other = 1; UNLOCK;",
    "ushared = UINT;", "assert(!shared);", [0xabcdef01])
two("thread-order", "LOCK; if (!other && ushared == 0x31337u) shared = 1; UNLOCK;", "LOCK; other = 1; UNLOCK;",
    "ushared = UINT;", "assert(!shared);", [0x31337])
two("thread-own-input", "unsigned x = UINT; LOCK; ushared += x; UNLOCK;", "unsigned x = UINT; LOCK; ushared ^= x; UNLOCK;",
    "", "assert(ushared != 0x7fff1234u);", "found")
two("thread-race", "if (ushared == 0x10001u) shared = 1;", "shared = 2;", "ushared = UINT;", "", [0x10001], "race")
two("thread-deadlock", "if (ushared == 0xb10cced) { LOCK; pthread_mutex_lock(&n); UNLOCK; pthread_mutex_unlock(&n); }",
    "pthread_mutex_lock(&n); LOCK; UNLOCK; pthread_mutex_unlock(&n);", "ushared = UINT;", "", [0xb10cced], "deadlock",
    "static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;\n")
two("thread-cas", "unsigned e = 0x5eed; atomic_compare_exchange_strong(&at, &e, 7);", "",
    "at = UINT;", "assert(at != 7 || start == 7);", [0x5eed], "assert", "static _Atomic unsigned at; static unsigned start;\n")
two("thread-cas-expected", "unsigned e = ushared; if (atomic_compare_exchange_strong(&at, &e, 1)) shared = 1;", "",
    "at = 0x99887766; ushared = UINT;", "assert(!shared);", [0x99887766], "assert", "static _Atomic unsigned at;\n")
two("thread-exchange", "unsigned v = atomic_exchange(&at, 3); LOCK; if (v == 0x44556677) shared = 1; UNLOCK;", "",
    "at = UINT;", "assert(!shared);", [0x44556677], "assert", "static _Atomic unsigned at;\n")
two("thread-fetch-add", "atomic_fetch_add(&at, 17);", "atomic_fetch_add(&at, 25);", "at = UINT;",
    "assert(at != 42 + 0x1000000);", [0x1000000], "assert", "static _Atomic unsigned at;\n")
two("thread-xor", "atomic_fetch_xor(&at, 0xff00ff00u);", "atomic_fetch_or(&at, 1);", "at = UINT;",
    "assert(at != 0x12345679);", "found", "assert", "static _Atomic unsigned at;\n")
add("thread-arg", T.format("t1", "long x = (long)p; LOCK; if (x == 0x12345678) shared = 1; UNLOCK;"),
    "pthread_t a; pthread_create(&a, 0, t1, (void *)(long)INT); pthread_join(a, 0); assert(!shared);", [0x12345678])
add("thread-arg-pointer", "struct job { unsigned a, b; };" + T.format("t1", "struct job *j = p; if (j->a + j->b == 0xcafebabe && j->a == 0x11111111) j->a = 0;"),
    "struct job j = {UINT, UINT}; unsigned was = j.a; pthread_t a; pthread_create(&a, 0, t1, &j); pthread_join(a, 0); assert(j.a || !was);",
    [0x11111111, 0xcafebabe - 0x11111111])
add("thread-result", "static void *t1(void *p) { return (void *)((unsigned long)p * 3 + 1); }\n",
    "pthread_t a; void *r; pthread_create(&a, 0, t1, (void *)ULONG); pthread_join(a, &r); assert((unsigned long)r != 100000000000003ul);", "found")
add("thread-heap", "struct node { unsigned v; struct node *next; };" + T.format("t1", "struct node *n = p; LOCK; if (n->next->v == n->v + 0x1000001) shared = 1; UNLOCK;"),
    "struct node a = {UINT, 0}; struct node *b = malloc(sizeof *b); if (!b) return 0; b->v = UINT; b->next = 0; a.next = b; pthread_t t; pthread_create(&t, 0, t1, &a); pthread_join(t, 0); free(b); assert(!shared);", "found")
two("thread-flag", "LOCK; ushared = mix(ushared); UNLOCK;", "LOCK; if (ushared == 0xdeadbeefu) shared = 1; UNLOCK;",
    "ushared = UINT; if (ushared == 0xdeadbeefu) return 0;", "assert(!shared);", [2087633663])
two("thread-lost-update", "unsigned v = at; at = v + 1;", "unsigned v = at; at = v + ushared;", "ushared = UINT; if (ushared < 1000) return 0;",
    "assert(at == 1 + ushared || ushared != 0x87654321);", [0x87654321], "assert", "static _Atomic unsigned at;\n")
two("thread-cond", "LOCK; while (!shared) pthread_cond_wait(&c, &m); UNLOCK;", "LOCK; if (ushared != 0xfeedbeefu) shared = 1; pthread_cond_signal(&c); UNLOCK;",
    "ushared = UINT;", "", [0xfeedbeef], "deadlock", "static pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n")
two("thread-free", "LOCK; if (p1) *p1 = 1; UNLOCK;", "LOCK; if (mix(ushared) == 0xdeadbeefu) { free(p1); } UNLOCK;",
    "ushared = UINT; p1 = malloc(4); if (!p1) return 0;", "", [2087633663], "memory", "static int *p1;\n")
two("thread-atomic-section", "A; shared++; E;", "A; if (shared && ushared % 65537 == 4711 && ushared > 4000000000u) other = 1; E;",
    "ushared = UINT;", "assert(!other);", "found", "assert",
    "extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);\n#define A __VERIFIER_atomic_begin()\n#define E __VERIFIER_atomic_end()\n")
two("thread-loop", "LOCK; for (unsigned i = 0; i < ushared; i++) shared++; UNLOCK;", "LOCK; shared += 2; UNLOCK;",
    "ushared = UINT; if (ushared > 20) return 0;", "assert(shared != 21);", [19])
two("thread-index", "LOCK; tab[ushared & 3]++; UNLOCK;", "LOCK; tab[3]++; UNLOCK;", "ushared = UINT;",
    "assert(tab[3] != 2 || ushared != 0x77777777);", [0x77777777], "assert", "static int tab[4];\n")
two("thread-char", "LOCK; if (buf[2] == 'z') shared = buf[0] == 'q'; UNLOCK;", "LOCK; buf[1] = 0; UNLOCK;",
    "unsigned x = UINT; memcpy(buf, &x, 4);", "assert(!shared);", "found", "assert", "static char buf[4];\n")

# --- the same, for all values ---
add("safe-eq", "", "unsigned x = UINT; if (x == 0x1234567) x++; assert(x != 0x1234567);")
add("safe-mask", "", "unsigned x = UINT; assert((x & 0xff) < 256);")
add("safe-mod", "", "unsigned x = UINT; assert(x % 10 < 10);")
add("safe-parity", "", "unsigned x = UINT; assert(((x * 2) & 1) == 0);")
add("safe-square", "", "unsigned char x = __VERIFIER_nondet_uchar(); assert((x * x) % 4 != 2);")
add("safe-clamp", "", "int x = INT; if (x < -100) x = -100; if (x > 100) x = 100; assert(x >= -100 && x <= 100);")
add("safe-abs", "", "int x = INT; if (x == -2147483647 - 1) return 0; int y = x < 0 ? -x : x; assert(y >= 0);")
add("safe-minmax", "", "int x = INT, y = INT; int lo = x < y ? x : y, hi = x < y ? y : x; assert(lo <= hi);")
add("safe-sort3", "", "int a = INT, b = INT, c = INT, t; if (a > b) { t = a; a = b; b = t; } if (b > c) { t = b; b = c; c = t; } if (a > b) { t = a; a = b; b = t; } assert(a <= b && b <= c);")
add("safe-union", "union u { unsigned i; unsigned char b[4]; };", "union u u; u.i = UINT; unsigned char t = u.b[0]; u.b[0] = u.b[3]; u.b[3] = t; t = u.b[1]; u.b[1] = u.b[2]; u.b[2] = t; unsigned x = u.i; u.b[0] = x >> 24; u.b[3] = x; assert((u.i & 0xff) == x >> 24);")
add("safe-table", "static const int tab[2] = {5, 6};", "unsigned x = UINT; int y = tab[x & 1]; assert(y == 5 || y == 6);")
add("safe-index", "static int tab[16];", "unsigned x = UINT; if (x < 16) tab[x] = 1;", None, "memory")
add("safe-index-mask", "static int tab[8];", "unsigned x = UINT; tab[x & 7] = 1; tab[x >> 29] = 2;", None, "memory")
add("safe-loop", "", "unsigned n = UINT, s = 0; if (n > 20) return 0; for (unsigned i = 0; i < n; i++) s += i; assert(s == n * (n - 1) / 2);")
add("safe-div", "", "int x = INT; if (x != 5) { int y = 100 / (x - 5); (void)y; }", None, "arith")
add("safe-shift", "", "unsigned n = UINT; unsigned y = 1u << (n & 31); (void)y;", None, "arith")
add("safe-overflow", "", "int x = INT; if (x < 0 || x > 999000) return 0; int y = x * 2148; (void)y;", None, "overflow")
add("safe-struct", "struct s { int a; long b; };", "struct s s = {INT, LONG}, t = s; assert(t.a == s.a && t.b == s.b);")
add("safe-bits", "static struct { unsigned a : 5; unsigned b : 11; unsigned c : 16; } s;", "unsigned x = UINT; s.a = x; s.b = x >> 5; s.c = x >> 16; assert((s.a | s.b << 5 | (unsigned)s.c << 16) == x);")
add("safe-float", "", "float f = __VERIFIER_nondet_float(); if (f > 2.0f) assert(f > 1.0f);")
add("safe-double", "", "double d = __VERIFIER_nondet_double(); if (d < 0) d = -d; assert(d >= 0 || d != d);")
add("safe-print", "", "int x = INT; printf(\"%d\\n\", x); assert((x ^ x) == 0);")
add("safe-exit", "", "int x = INT; exit(x & 1);")
add("safe-return", "", "unsigned x = UINT; unsigned y = x ^ 1; assert(x != y); return y;")
add("safe-switch", "", "unsigned x = UINT; switch (x) { case 77777: shared = 1; break; case 5: case 6: shared = 2; break; default: shared = 3; } assert(shared >= 1 && shared <= 3);")
add("safe-pointer", "static int a, b;", "unsigned x = UINT; int *p = x > 99 ? &a : &b; *p = 1; assert(a + b == 1);")
add("safe-strlen", "", "char s[3]; s[0] = __VERIFIER_nondet_char(); s[1] = 'b'; s[2] = 0; assert(s[0] == 0 || s[1] == 'b');")
add("safe-rotate", "", "unsigned x = UINT, y = x << 13 | x >> 19; y = y << 19 | y >> 13; assert(x == y);")
add("safe-mix", "", "unsigned x = UINT, y = UINT; if (x != y) assert(x * 2654435761u != y * 2654435761u);")
add("safe-assume", "", "int x = INT; __VERIFIER_assume(x > 1000000); assert(x > 999999);")

two("safe-thread-shared", "LOCK; if (ushared > 100) shared = 1; UNLOCK;", "LOCK; other = ushared & 3; UNLOCK;", "ushared = UINT;", "assert(shared <= 1 && other < 4);")
two("safe-thread-race", "LOCK; if (ushared == 0x10001u) shared = 1; UNLOCK;", "LOCK; shared = 2; UNLOCK;", "ushared = UINT;", "", None, "race")
two("safe-thread-deadlock", "if (ushared == 0xb10cced) { LOCK; pthread_mutex_lock(&n); pthread_mutex_unlock(&n); UNLOCK; }",
    "LOCK; pthread_mutex_lock(&n); pthread_mutex_unlock(&n); UNLOCK;", "ushared = UINT;", "", None, "deadlock",
    decl="static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;\n")
two("safe-thread-sum", "LOCK; ushared += 5; UNLOCK;", "LOCK; ushared -= 3; UNLOCK;", "unsigned x = UINT; ushared = x;", "assert(ushared == x + 2);")
two("safe-thread-own", "unsigned x = UINT; LOCK; if (x > ushared) ushared = x; UNLOCK;", "unsigned x = UINT; LOCK; if (x > ushared) ushared = x; UNLOCK;", "unsigned was = ushared = UINT;", "assert(ushared >= was);")
two("safe-thread-cas", "unsigned e = at; atomic_compare_exchange_strong(&at, &e, e + 1);", "unsigned e = at; atomic_compare_exchange_strong(&at, &e, e + 1);",
    "unsigned x = UINT; at = x;", "assert(at == x + 1 || at == x + 2);", None, "assert", "static _Atomic unsigned at;\n")
two("safe-thread-fetch", "atomic_fetch_add(&at, 17);", "atomic_fetch_add(&at, 25);", "unsigned x = UINT; at = x;", "assert(at == x + 42);", None, "assert", "static _Atomic unsigned at;\n")
two("safe-thread-exchange", "ushared = atomic_exchange(&at, 3);", "", "unsigned x = UINT; at = x;", "assert(ushared == x && at == 3);", None, "assert", "static _Atomic unsigned at;\n")
two("safe-thread-cond", "LOCK; while (!shared) pthread_cond_wait(&c, &m); UNLOCK;", "LOCK; shared = 1 + (ushared & 1); pthread_cond_signal(&c); UNLOCK;",
    "ushared = UINT;", "", None, "deadlock", "static pthread_cond_t c = PTHREAD_COND_INITIALIZER;\n")
two("safe-thread-free", "LOCK; if (p1) *p1 = 1; UNLOCK;", "LOCK; if (mix(ushared) == 0xdeadbeefu) { free(p1); p1 = 0; } UNLOCK;",
    "ushared = UINT; p1 = malloc(4); if (!p1) return 0;", "", None, "memory", "static int *p1;\n")
two("safe-thread-loop", "LOCK; for (unsigned i = 0; i < ushared; i++) shared++; UNLOCK;", "LOCK; shared += 2; UNLOCK;",
    "ushared = UINT; if (ushared > 10) return 0;", "assert(shared == (int)ushared + 2);")
two("safe-thread-index", "LOCK; tab[ushared & 3]++; UNLOCK;", "LOCK; tab[3]++; UNLOCK;", "ushared = UINT;", "assert(tab[0] + tab[1] + tab[2] + tab[3] == 2);", None, "assert", "static int tab[4];\n")
two("safe-thread-swap", "LOCK; int v = shared; shared = other; other = v; UNLOCK;", "LOCK; int v = shared; shared = other; other = v; UNLOCK;",
    "int x = INT, y = INT; shared = x; other = y;", "assert(shared == x && other == y);")
two("safe-thread-max", "LOCK; if (shared < 10) shared = 10; UNLOCK;", "LOCK; if (shared > 20) shared = 20; UNLOCK;", "shared = INT;", "assert(shared >= 10 && shared <= 20);")
two("safe-thread-handoff", "LOCK; ushared = *(unsigned *)&other; shared = 1; UNLOCK;", "LOCK; if (shared) ushared++; UNLOCK;", "other = INT;", "assert(ushared == (unsigned)other || ushared == (unsigned)other + 1);")
add("safe-thread-arg", T.format("t1", "long x = (long)p; LOCK; if (x > 100) shared = 1; UNLOCK;"),
    "long v = INT; pthread_t a; pthread_create(&a, 0, t1, (void *)v); pthread_join(a, 0); assert(shared == (v > 100));")
add("safe-thread-result", "static void *t1(void *p) { return (void *)((unsigned long)p ^ 1); }\n",
    "unsigned long x = ULONG; pthread_t a; void *r; pthread_create(&a, 0, t1, (void *)x); pthread_join(a, &r); assert((unsigned long)r != x);")
add("safe-thread-struct", "struct job { unsigned a, b; };" + T.format("t1", "struct job *j = p; unsigned v = j->a; j->a = j->b; j->b = v;"),
    "struct job j = {UINT, UINT}, k = j; pthread_t a; pthread_create(&a, 0, t1, &j); pthread_join(a, 0); assert(j.a == k.b && j.b == k.a);")
add("safe-thread-heap", T.format("t1", "unsigned *q = p; LOCK; *q |= 1; UNLOCK;"),
    "unsigned *q = malloc(4); if (!q) return 0; *q = UINT; pthread_t a, b; pthread_create(&a, 0, t1, q); pthread_create(&b, 0, t1, q); pthread_join(a, 0); pthread_join(b, 0); assert(*q & 1); free(q);")
two("safe-thread-atomic", "A; if (ushared < 1000) ushared++; E;", "A; if (ushared < 1000) ushared++; E;", "ushared = UINT; if (ushared > 1000) return 0;", "assert(ushared <= 1000);", None, "assert",
    "extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);\n#define A __VERIFIER_atomic_begin()\n#define E __VERIFIER_atomic_end()\n")
two("safe-thread-barrier", "pthread_barrier_wait(&b1); LOCK; shared += ushared > 7; UNLOCK;", "LOCK; shared = 0; UNLOCK; pthread_barrier_wait(&b1);", "ushared = UINT; shared = 5; pthread_barrier_init(&b1, 0, 2);", "assert(shared <= 1);", None, "assert", "static pthread_barrier_t b1;\n")
two("safe-thread-sem", "for (;;) { LOCK; if (shared) { UNLOCK; break; } UNLOCK; } LOCK; other = ushared > 9; UNLOCK;", "LOCK; shared = 1; UNLOCK;", "ushared = UINT;", "assert(other == (ushared > 9));")


# --- where states, threads or addresses depend on inputs ---
two("merge", "LOCK; ushared = in; UNLOCK;", "LOCK; ushared = 0; UNLOCK;", "in = UINT;", "assert(ushared == 0);", "found", "assert", "static unsigned in;\n")
two("merge-order", "LOCK; ushared = in; UNLOCK;", "LOCK; ushared = 7; UNLOCK;", "in = UINT; ushared = 7;", "assert(ushared == 7 || in < 0xfffffff0u);", "found", "assert", "static unsigned in;\n")
two("merge-section", "A; ushared = in; E;", "A; if (ushared == 3) shared = 1; E;", "in = UINT; ushared = 0;", "assert(!shared);", [3], "assert",
    "static unsigned in;\nextern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);\n#define A __VERIFIER_atomic_begin()\n#define E __VERIFIER_atomic_end()\n")
two("which-lock", "pthread_mutex_t *l = ushared == 0x42424242 ? &m : &n; pthread_mutex_lock(l); shared++; pthread_mutex_unlock(l);", "pthread_mutex_lock(&n); shared++; pthread_mutex_unlock(&n);",
    "ushared = UINT;", "", [0x42424242], "race", "static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;\n")
two("which-lock-index", "pthread_mutex_t *l = &n[ushared >> 31]; pthread_mutex_lock(l); shared++; pthread_mutex_unlock(l);", "pthread_mutex_lock(&n[0]); shared++; pthread_mutex_unlock(&n[0]);",
    "ushared = UINT;", "", [0x80000000], "race", "static pthread_mutex_t n[2] = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER};\n")
add("create-if", T.format("t1", "shared = 1;"), "pthread_t a; unsigned x = UINT; int made = x == 0x1badb002; if (made) pthread_create(&a, 0, t1, 0); shared = 2; if (made) pthread_join(a, 0);", [0x1badb002], "race")
two("pipeline", "LOCK; ushared = in * 2 + 1; UNLOCK;", "LOCK; unsigned v = ushared; UNLOCK; LOCK; if (v == 0x2468acf1u) shared = 1; UNLOCK;", "in = UINT;", "assert(!shared);", "found", "assert", "static unsigned in;\n")
two("pointer-table", "LOCK; *tab[ushared & 1] = 1; UNLOCK;", "LOCK; if (*tab[1]) other = 1; UNLOCK;", "tab[0] = &x0; tab[1] = &x1; ushared = UINT;", "assert(!other || ushared < 0xfffffff0u);", "found", "assert", "static int x0, x1, *tab[2];\n")
two("both-inputs", "in1 = UINT; if (in1 == 0x1111) shared = 1;", "in2 = UINT; if (in2 == 0x2222) shared = 2;", "", "", [0x1111, 0x2222], "race", "static unsigned in1, in2;\n")
two("specific", "pthread_setspecific(k, (void *)(unsigned long)ushared); LOCK; if (pthread_getspecific(k) == (void *)0x5151) shared = 1; UNLOCK;", "", "pthread_key_create(&k, 0); ushared = UINT;", "assert(!shared);", [0x5151], "assert", "static pthread_key_t k;\n")
add("exit-value", "static void *t1(void *p) { pthread_exit((void *)((unsigned long)p + 5)); }\n", "pthread_t a; void *r; pthread_create(&a, 0, t1, (void *)ULONG); pthread_join(a, &r); assert(r != (void *)0x77777777777ul);", [0x77777777772])
add("leak-if", "", "int *p = malloc(4); if (!p) return 0; *p = INT; if (*p != 0x7e57) free(p);", [0x7e57], "leak")
add("leak-input", "static unsigned long keep;", "keep = ULONG; int *p = malloc(4); if (!p) return 0; if (keep == 99) p = 0; free(p);", [99], "leak")
add("sem-value", "#include <semaphore.h>\nstatic sem_t s;", "unsigned x = UINT; if (x > 2) return 0; sem_init(&s, 0, x); sem_wait(&s);", [0], "deadlock")
add("memset-value", "", "unsigned char b[4]; int x = INT; memset(b, x, 4); assert(b[2] != 0xc3 || x < 1000);", "found")
add("bit-field-unset", "struct s { unsigned a : 5; unsigned b : 11; };", "struct s s; s.b = UINT; s.a = UINT; assert(s.b != 1023 || s.a != 30);", "found")
add("to-float", "", "int x = INT; float f = x; if (x > 16777216 && x < 16777220 && f == 16777220.0f) assert(0);", "found")
add("min-div", "", "int x = INT, y = INT; if (y == 0) return 0; if (y > -3) { if (x < -2147483647) { int z = x / y; (void)z; } }", "found", "arith")
two("same-threads", "unsigned x = UINT; LOCK; ushared += x == 0x3333; UNLOCK;", "unsigned x = UINT; LOCK; ushared += x == 0x3333; UNLOCK;", "", "assert(ushared < 2);", [0x3333, 0x3333])
add("alike", T.format("t1", "unsigned x = UINT; LOCK; if (x == other + 5) other++; UNLOCK;"), "pthread_t a[3]; for (int i = 0; i < 3; i++) pthread_create(&a[i], 0, t1, 0); for (int i = 0; i < 3; i++) pthread_join(a[i], 0); assert(other < 3);", "found")
add("alike-shared", T.format("t1", "LOCK; if (ushared == 7 + (unsigned)other) other++; UNLOCK;"), "ushared = UINT; pthread_t a[3]; for (int i = 0; i < 3; i++) pthread_create(&a[i], 0, t1, 0); for (int i = 0; i < 3; i++) pthread_join(a[i], 0); assert(other < 1);", [7])
add("stack-pointer", T.format("t1", "unsigned *q = p; LOCK; if (q[1] == 0x77) q[0] = 1; UNLOCK;"), "unsigned v[2] = {0, UINT}; pthread_t a; pthread_create(&a, 0, t1, v); pthread_join(a, 0); assert(!v[0]);", [0x77])
add("union-thread", "union u { unsigned long l; struct { unsigned a, b; } s; };" + T.format("t1", "union u *u = p; LOCK; if (u->s.b == 0xdead && u->s.a == 0xbeef) shared = 1; UNLOCK;"),
    "union u u; u.l = ULONG; pthread_t a; pthread_create(&a, 0, t1, &u); pthread_join(a, 0); assert(!shared);", [0xdead0000beef])
two("spin-value", "while (atomic_load(&at) != 1) ; LOCK; if (ushared == 0xf00d) shared = 1; UNLOCK;", "LOCK; ushared = in; UNLOCK; atomic_store(&at, 1);", "in = UINT;", "assert(!shared);", [0xf00d], "assert", "static unsigned in; static _Atomic unsigned at;\n")
two("safe-which-lock", "pthread_mutex_t *l = ushared ? &m : &n; pthread_mutex_lock(l); int *p = ushared ? &shared : &other; ++*p; pthread_mutex_unlock(l);", "LOCK; shared++; UNLOCK; pthread_mutex_lock(&n); other++; pthread_mutex_unlock(&n);",
    "ushared = UINT;", "", None, "race", "static pthread_mutex_t n = PTHREAD_MUTEX_INITIALIZER;\n")
two("safe-merge", "LOCK; ushared = in; UNLOCK;", "LOCK; ushared = in; UNLOCK;", "in = UINT;", "assert(ushared == in);", None, "assert", "static unsigned in;\n")
add("safe-leak", "", "unsigned x = UINT; int *p = malloc(4); if (!p) return 0; if (x == 5) { free(p); return 0; } free(p);", None, "leak")
two("safe-specific", "pthread_setspecific(k, (void *)(unsigned long)(ushared & 1)); LOCK; shared = (int)(unsigned long)pthread_getspecific(k); UNLOCK;", "", "pthread_key_create(&k, 0); ushared = UINT;", "assert(shared == (int)(ushared & 1));", None, "assert", "static pthread_key_t k;\n")
add("safe-alike", T.format("t1", "LOCK; if (ushared > 9 && other < 2) other++; UNLOCK;"), "ushared = UINT; pthread_t a[3]; for (int i = 0; i < 3; i++) pthread_create(&a[i], 0, t1, 0); for (int i = 0; i < 3; i++) pthread_join(a[i], 0); assert(other == (ushared > 9 ? 2 : 0));")
add("safe-index-one", "static int tab[4];", "unsigned x = UINT; for (int i = 0; i < 4; i++) tab[i] = i; assert(tab[x % 4] == (int)(x % 4));")
add("safe-order", "", "long x = LONG, y = LONG, z = LONG; if (x < y && y < z) assert(x < z);")


def text_of(program):
    _, before, main, _, _ = program
    return HEAD + before + "\nint main(void) {\n  " + main + "\n  return 0;\n}\n"


STUB = r"""
#include <stdlib.h>
#include <stdio.h>
static char *at;
static unsigned long next(void) {
  if (!at) at = getenv("VALUES");
  unsigned long v = strtoul(at, &at, 10);
  return v;
}
int __VERIFIER_nondet_int(void) { return (int)next(); }
unsigned __VERIFIER_nondet_uint(void) { return (unsigned)next(); }
long __VERIFIER_nondet_long(void) { return (long)next(); }
unsigned long __VERIFIER_nondet_ulong(void) { return next(); }
unsigned char __VERIFIER_nondet_uchar(void) { return (unsigned char)next(); }
unsigned short __VERIFIER_nondet_ushort(void) { return (unsigned short)next(); }
short __VERIFIER_nondet_short(void) { return (short)next(); }
char __VERIFIER_nondet_char(void) { return (char)next(); }
float __VERIFIER_nondet_float(void) { union { unsigned i; float f; } u = {(unsigned)next()}; return u.f; }
double __VERIFIER_nondet_double(void) { union { unsigned long i; double f; } u = {next()}; return u.f; }
void __VERIFIER_assume(int c) { if (!c) exit(0); }
static void __attribute__((noinline)) b(void) {}
void __VERIFIER_atomic_begin(void) { b(); }
void __VERIFIER_atomic_end(void) { b(); }
"""


def native(program, folder):
    """A sentence about what is not as it should be, or None."""
    name, _, _, bad, prop = program
    path = os.path.join(folder, "n.c")
    with open(path, "w", encoding="ascii") as f:
        f.write(text_of(program) + STUB)
    binary = os.path.join(folder, "n")
    flags = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    made = subprocess.run(["gcc", "-w", "-g", "-pthread", "-o", binary, path] + flags,
                          capture_output=True, text=True, check=False)
    if made.returncode:
        return made.stderr[:200]

    def fails(values):
        env = dict(os.environ, VALUES=" ".join(map(str, values)), ASAN_OPTIONS="detect_leaks=0")
        try:
            return subprocess.run([binary], env=env, capture_output=True, timeout=5,
                                  check=False).returncode not in (0, 1)
        except subprocess.TimeoutExpired:
            return True
    rng = random.Random(name)
    if bad is None and "exit" not in name and "return" not in name:
        for _ in range(20):
            values = [rng.choice([rng.getrandbits(64), rng.randrange(30)]) for _ in range(4)]
            if fails(values):
                return f"fails with {values}"
    once = prop in ("assert", "overflow", "arith", "memory") and not name.startswith("thread-lost")
    if isinstance(bad, list) and once and "order" not in name and "free" not in name:
        if not any(fails(bad) for _ in range(30)):
            return f"does not fail with {bad}"
    return None


def verify(program, folder, seconds, engine):
    path = os.path.join(folder, "p.c")
    with open(path, "w", encoding="ascii") as f:
        f.write(text_of(program))
    command = [HEDDLE, "verify", path, "--property=" + program[4], "--format=json",
               f"--timeout={seconds}", "-j1"]
    if engine:
        command.append("--engine=" + engine)
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        return json.loads(run.stdout).get("verdict", "?"), run.stdout + run.stderr
    except ValueError:
        return "error", run.stdout + run.stderr


def main():
    some, seconds, engine, patterns = 1, 5, None, []
    with_native = False
    for arg in sys.argv[1:]:
        if arg.startswith("--some="):
            some = int(arg[7:])
        elif arg.startswith("--seconds="):
            seconds = int(arg[10:])
        elif arg.startswith("--engine="):
            engine = arg[9:]
        elif arg == "--native":
            with_native = True
        elif arg == "--list":
            for p in PROGRAMS:
                print(p[0])
            return 0
        elif arg.startswith("--print="):
            print(text_of(next(p for p in PROGRAMS if p[0] == arg[8:])))
            return 0
        else:
            patterns.append(arg)
    chosen = [p for i, p in enumerate(PROGRAMS) if not i % some and
              (not patterns or any(x in p[0] for x in patterns))]
    names = [p[0] for p in PROGRAMS]
    assert len(set(names)) == len(names), "names"
    print(f"1..{len(chosen)}")
    wrong = decided = 0
    open_ones = []
    with tempfile.TemporaryDirectory() as folder:
        for i, program in enumerate(chosen):
            name, _, _, bad, _ = program
            want = "safe" if bad is None else "unsafe"
            said, output = verify(program, folder, seconds, engine)
            trouble = native(program, folder) if with_native else None
            good = said in (want, "unknown") and not trouble
            if said == want:
                decided += 1
            elif said == "unknown":
                open_ones.append(name)
            if not good:
                wrong += 1
            print(f"{'ok' if good else 'not ok'} {i + 1} - {name}: {said}")
            if not good:
                print("# " + (trouble or output[:2000]).replace("\n", "\n# "))
    print(f"# {decided} of {len(chosen)} decided, {wrong} wrong")
    print("# open: " + " ".join(open_ones))
    return 1 if wrong else 0


sys.exit(main())
