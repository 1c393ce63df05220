#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Random concurrent C programs whose truth is known, and every engine asked.

    tests/programs/truth.py [--count=N] [--seed=N] [--engines=LIST] [--show]

A program has two or three threads that compute with integers of all widths,
bit-fields, arrays, structs by value, pointers, unions, doubles, switches, gotos and
loops, under locks and by atomic operations, from inputs. It is written twice from one
text: as C for heddle, and as C in which every thread is a function that returns before
each step that others can see. That second one is compiled by clang with the checks
of -fsanitize=undefined (gcc folds some of them away) and tries all schedules, with all
inputs or, where those are too many, with those at the edges. It says which values variables have where an assertion will be put; then
one is chosen that holds, or one that does not.

Wrong is: an engine says safe where a run violates the property, or unsafe where
all runs with all inputs were tried and none does. HEDDLE names the program. A
program that fails is kept in $HEDDLE_KEEP. --show prints one program. TAP."""

import os
import random
import re
import subprocess
import sys
import tempfile

HEDDLE = os.path.abspath(os.environ.get("HEDDLE", "build/heddle"))
PROPERTIES = ["assert", "race", "deadlock", "overflow", "arith", "memory"]
SECONDS = 3
INTS = {"i8": (8, True), "u8": (8, False), "i16": (16, True), "u16": (16, False),
        "i32": (32, True), "u32": (32, False), "i64": (64, True),
        "u64": (64, False)}
NONDET = {"i8": "char", "u8": "uchar", "i16": "short", "u16": "ushort",
          "i32": "int", "u32": "uint", "i64": "longlong", "u64": "ulonglong"}
WORDS = {"i8": "signed char", "u8": "unsigned char", "i16": "short",
         "u16": "unsigned short", "i32": "int", "u32": "unsigned",
         "i64": "long long", "u64": "unsigned long long"}
ENGINES = {
    "explore": ["--engine=explore"], "graph": ["--engine=graph"],
    "views": ["--engine=views"], "unfold": ["--engine=unfold"],
    "octagon": ["--engine=unfold", "--domain=octagon"],
    "interval": ["--engine=unfold", "--domain=interval"],
    "concrete": ["--engine=unfold", "--domain=concrete"],
    "modular": ["--engine=modular"], "pairs": ["--engine=pairs"],
    "weave": ["--engine=weave"],
    "unbounded": ["--threads=unbounded"], "all": []}

ORACLE = r"""
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static jmp_buf out;
static int overflow, arith, memory, races, stuck, cut, me;
static void undefined(int *what) { *what = 1; longjmp(out, 1); }
#define O(name) void __ubsan_handle_##name(void *d, void *a, void *b) \
  { (void)d; (void)a; (void)b; undefined(&overflow); }
O(add_overflow) O(sub_overflow) O(mul_overflow) O(negate_overflow)
void __ubsan_handle_divrem_overflow(void *d, void *a, void *b) {
  (void)d; (void)a;
  undefined((uintptr_t)b ? &overflow : &arith);
}
void __ubsan_handle_shift_out_of_bounds(void *d, void *a, void *b) {
  (void)d; (void)a; (void)b;
  undefined(&arith);
}
static long long at(long long i, long long n) {
  if (i < 0 || i >= n) undefined(&memory);
  return i;
}
#define AT(i, n) at((long long)(i), n)
#define MAX_VALUES 4096
#define MAX_DEPTH 4000
static long long input[16];
"""

DRIVER = r"""
struct site { int n, full; long long v[MAX_VALUES]; } sites[N_SITES + 1];
static void seen(int k, long long v) {
  struct site *s = &sites[k];
  for (int i = 0; i < s->n; i++) if (s->v[i] == v) return;
  if (s->n == MAX_VALUES) { s->full = 1; return; }
  s->v[s->n++] = v;
}
"""

SEARCH = r"""
static void (*const bodies[N_THREADS])(struct thread *) = {BODIES};
static int enabled(int t) {
  struct thread *T = &S.T[t];
  return T->started && !T->done && !(T->want && S.owner[T->want - 1]) &&
         !(T->joins && !S.T[T->joins - 1].done);
}
static int overlap(struct thread *a, struct thread *b) {
  return a->started && b->started && !a->done && !b->done && a->addr && b->addr &&
         (a->writes || b->writes) && a->addr < b->addr + b->size &&
         b->addr < a->addr + a->size;
}
static int circle(int t) {
  int slow = t;
  for (int i = 0; i <= N_THREADS; i++) {
    struct thread *T = &S.T[t];
    if (T->done || !T->started) return 0;
    if (T->want && S.owner[T->want - 1]) t = S.owner[T->want - 1] - 1;
    else if (T->joins) t = T->joins - 1;
    else return 0;
    if (t == slow) return 1;
  }
  return 1;
}
#define TABLE (1u << 18)
static uint64_t table[TABLE];
static unsigned held;
static long budget = 3000000, per;
static int known(void) {
  uint64_t h = 1469598103934665603u;
  const uint64_t *p = (const uint64_t *)&S;
  for (size_t i = 0; i < sizeof S / 8; i++) {
    h = (h ^ p[i]) * 0x9E3779B97F4A7C15u;
    h ^= h >> 29;
  }
  h |= 1;
  for (unsigned i = (unsigned)(h >> 20) % TABLE;; i = (i + 1) % TABLE) {
    if (table[i] == h) return 1;
    if (!table[i]) {
      if (held > TABLE / 2) { cut = 1; return 1; }
      table[i] = h, held++;
      return 0;
    }
  }
}
static struct state stack[MAX_DEPTH];
static void search(int depth) {
  if (depth >= MAX_DEPTH || budget-- < 0 || per-- < 0) { cut = 1; return; }
  if (known()) return;
  for (int a = 0; a < N_THREADS; a++)
    for (int b = 0; b < a; b++)
      if (overlap(&S.T[a], &S.T[b])) races = 1;
  for (int a = 0; a < N_THREADS; a++)
    if (circle(a)) { stuck = 1; return; }
  if (S.T[0].done) return;
  memcpy(&stack[depth], &S, sizeof S);
  for (int t = 0; t < N_THREADS; t++) {
    if (!enabled(t)) continue;
    me = t;
    if (!setjmp(out)) {
      S.T[t].addr = 0;
      bodies[t](&S.T[t]);
      search(depth + 1);
    }
    memcpy(&S, &stack[depth], sizeof S);
  }
}
static const struct { int n; const long long *v; } choices[] = {CHOICES};
static struct state first;
static void all(int k) {
  if (k < N_INPUTS) {
    for (int i = 0; i < choices[k].n; i++) {
      input[k] = choices[k].v[i];
      all(k + 1);
    }
    return;
  }
  memset(table, 0, sizeof table);
  held = 0;
  per = 100000;
  memcpy(&S, &first, sizeof S);
  search(0);
}
int main(void) {
  setup();
  S.T[0].started = 1;
  memcpy(&first, &S, sizeof S);
  all(0);
  printf("%d %d %d %d %d %d\n", overflow, arith, memory, races, stuck, cut);
  for (int k = 0; k < N_SITES; k++) {
    printf("%d", sites[k].full);
    for (int i = 0; i < sites[k].n; i++) printf(" %lld", sites[k].v[i]);
    printf("\n");
  }
  return 0;
}
"""


def limits(kind):
    width, signed = INTS[kind]
    return (-(1 << width - 1), (1 << width - 1) - 1) if signed else \
        (0, (1 << width) - 1)


def literal(value, kind):
    if value == -(1 << 63):
        return "(-9223372036854775807LL - 1)"
    tail = {"u32": "u", "i64": "LL", "u64": "ULL"}.get(kind, "")
    if kind == "i32" and value == -(1 << 31):
        return "(-2147483647 - 1)"
    return f"({value}{tail})" if value < 0 else f"{value}{tail}"


def wrap(value, kind):
    width, signed = INTS[kind]
    value &= (1 << width) - 1
    return value - (1 << width) if signed and value >> width - 1 else value


class Both:
    """Text for heddle and for the search: `@x@` is a local variable of a thread."""

    def __init__(self):
        self.plain, self.other = [], []

    def put(self, plain, other=None, level=1):
        if plain is not None:
            self.plain.append("  " * level + re.sub(r"@(\w+)@", r"\1", plain))
        if other is None:
            other = plain
        if other:
            self.other.append("  " * level + re.sub(r"@(\w+)@", r"T->\1", other))


class Program:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.inputs = []  # (type, values or None)
        self.complete = True
        self.sites = []  # (lvalue, type)
        self.labels = 0
        self.shared = []  # (lvalue, type, guard); guard None: atomic
        self.functions = []  # (name, kinds, result)
        self.racy = self.r.random() < 0.15
        self.wild = self.r.random() < 0.5  # undefined behaviour is likely

    def chance(self, percent):
        return self.r.randrange(100) < percent

    def kind(self):
        return self.r.choice(["i8", "u8", "i16", "u16", "i32", "i32", "u32",
                              "i64", "u64"])

    def constant(self, kind):
        low, high = limits(kind)
        edge = [low, high, low + 1, high - 1, high // 2 + 1]
        value = self.r.choice([0, 1, 2, 3, self.r.randrange(16), -1,
                               self.r.choice(edge) if self.chance(40) else 5,
                               self.r.randint(low, high) if self.chance(30) else 7,
                               1 << self.r.randrange(INTS[kind][0])])
        return literal(wrap(value, kind), kind)

    # ------------------------------------------------------------ expressions

    def expr(self, names, depth):
        """Of whatever type C gives it; names: (text, type) to read."""
        choice = self.r.randrange(20)
        if depth <= 0 or choice < 4:
            if names and self.chance(75):
                return self.r.choice(names)[0]
            return self.constant(self.kind())
        a, b = self.expr(names, depth - 1), self.expr(names, depth - 1)
        kind = self.kind()
        if choice < 7:
            operator = self.r.choice("+-*")
            if self.wild and self.chance(60):
                return f"({a} {operator} {b})"
            word = self.r.choice(["u32", "u64"])
            return f"(({word}){a} {operator} ({word}){b})"
        if choice < 9:
            return f"({a} {self.r.choice('&|^')} {b})"
        if choice < 11:
            return f"({kind}){a if a[0] == '(' else '(' + a + ')'}"
        if choice < 13:
            operator = self.r.choice(["<", "<=", ">", ">=", "==", "!="])
            return f"({a} {operator} {b})"
        if choice < 14:
            return f"({self.truth(names, depth - 1)} ? {a} : {b})"
        if choice < 16:
            operator = self.r.choice("/%")
            if self.wild and self.chance(40):
                return f"({a} {operator} {b})"
            number = self.r.choice([2, 3, 5, 7, 10, -3])
            return f"({a} {operator} {literal(number, 'i32')})" if number > 0 or \
                not self.wild else f"({a} {operator} ({b} | 1))"
        if choice < 18:
            operator = self.r.choice(["<<", ">>"])
            left = f"(u64){a}" if operator == "<<" and not self.wild else a
            if self.wild and self.chance(30):
                return f"({left} {operator} {b})"
            return f"({left} {operator} ({b} & {self.r.choice([1, 3, 7, 15, 31])}))"
        if choice < 19:
            return self.r.choice([f"(~{a})", f"(!{a})",
                                  f"(-{a})" if self.wild else f"(-(u64){a})"])
        if self.functions and not self.nested:
            self.nested = True
            name, count = self.r.choice(self.functions)
            args = [self.expr(names, 1) for _ in range(count)]
            self.nested = False
            return f"{name}({', '.join(args)})"
        return a

    nested = False

    def truth(self, names, depth):
        if names and self.chance(60):
            name, kind = self.r.choice(names)
            operator = self.r.choice(["<", "<=", ">", ">=", "==", "!="])
            return f"({name} {operator} {self.constant(kind)})"
        operator = self.r.choice(["<", "<=", ">", ">=", "==", "!="])
        return f"({self.expr(names, depth)} {operator} {self.expr(names, depth)})"

    # -------------------------------------------------------------- functions

    def function(self, number):
        """Pure: local variables only."""
        name = f"f{number}"
        count = self.r.randint(1, 3)
        kinds = [self.kind() for _ in range(count)]
        result = self.kind()
        names = [(f"a{i}", k) for i, k in enumerate(kinds)]
        lines = []
        before = []  # what it calls
        form = self.r.randrange(17)
        if form == 0:  # a loop
            lines += ["  u32 s = 1;",
                      f"  for ({self.r.choice(['u8', 'i32', 'u16'])} i = 0; i < "
                      f"(a0 & {self.r.choice([3, 7])}); i++) {{",
                      f"    s = s * 3 + (u32){self.expr(names + [('i', 'i32')], 1)};",
                      f"    if {self.truth(names, 1)} "
                      f"{self.r.choice(['break', 'continue'])};",
                      "    s ^= 5;", "  }",
                      f"  return ({result})s;"]
        elif form == 1:  # a switch
            lines += [f"  {result} s = {self.constant(result)};",
                      f"  switch ({self.expr(names, 1)}) {{"]
            for case in self.r.sample(range(-1, 6), 3):
                lines += [f"  case {case}: s = ({result}){self.expr(names, 1)};"]
                if self.chance(60):
                    lines.append("    break;")
            if self.chance(60):
                lines.append(f"  default: s = ({result})(s + 1u);")
            lines += ["  }", "  return s;"]
        elif form == 2:  # union
            lines += ["  union { u64 w; u16 h[4]; i8 b[8]; i32 i; } u = {0};",
                      f"  u.w = (u64){self.expr(names, 1)};",
                      f"  u.b[{self.r.randrange(8)}] = (i8){self.expr(names, 1)};",
                      f"  return ({result})u.{self.r.choice(['w', 'h[1]', 'b[3]', 'b[7]', 'i', 'h[0]'])};"]
        elif form == 3:  # bit-fields
            lines += [f"  struct {{ signed x : {self.r.randint(2, 9)}; unsigned y : "
                      f"{self.r.randint(1, 9)}; unsigned z : 3; }} s = {{0, 0, 0}};",
                      f"  s.x = (i32){self.expr(names, 1)};",
                      f"  s.y = (u32){self.expr(names, 1)};",
                      f"  s.z += s.y;" if self.chance(50) else "  s.z--;",
                      f"  return ({result})(s.x {self.r.choice('+-*^')} s.y "
                      f"{self.r.choice('+-&')} s.z);"]
        elif form == 4:  # pointers into a local array
            n = self.r.randint(2, 4)
            kind = self.kind()
            lines += [f"  {kind} v[{n}] = {{{self.constant(kind)}}};",
                      f"  {kind} *p = v + ((u8)a0 % {n});",
                      f"  *p = ({kind}){self.expr(names, 1)};",
                      f"  {kind} *q = &v[{self.r.randrange(n)}];",
                      f"  if (p {self.r.choice(['<', '>=', '==', '!='])} q) "
                      f"*q = ({kind}){self.expr(names, 1)};",
                      f"  return ({result})({self.r.choice(['p - v', '*p', 'q - p', 'v[0] ^ *q'])});"]
        elif form == 5:  # struct by value
            lines += [f"  struct pair s = {{(i16){self.expr(names, 1)}, "
                      f"(u8){self.expr(names, 1)}, 3}}, t = turn(s);",
                      "  struct pair u = s;",
                      "  u.b ^= t.b;",
                      f"  return ({result})(s.a + {self.r.choice(['t.a', 't.b', 'u.b', 't.c', 'u.c'])});"]
        elif form == 6:  # goto, backwards
            lines += ["  u32 k = 3, s = 0;", "again:",
                      f"  s += (u32){self.expr(names, 1)};",
                      f"  if (--k > 0 && {self.truth(names, 1)}) goto again;",
                      f"  return ({result})(s + k);"]
        elif form == 7:  # doubles
            lines += ["  double d = (double)(i16)a0 / 4;",
                      f"  float f = (float)(u8){self.expr(names, 1)};",
                      f"  d = d {self.r.choice('+-*')} f;",
                      f"  if (d {self.r.choice(['<', '>', '>=', '!='])} "
                      f"{self.r.randint(-9, 40)}.5) return {self.constant(result)};",
                      "  return (i32)d;"]
        elif form == 8:  # recursion
            lines += [f"  if (a0 {self.r.choice(['<=', '==', '<'])} 0) return {self.constant(result)};",
                      f"  {kinds[0]} less = ({kinds[0]})((u64)a0 >> 5 >> {INTS[kinds[0]][0] - 8});",
                      f"  return ({result})({name}({', '.join(['less'] + [n for n, _ in names[1:]])}) * 2u + (u32)a0);"]
        elif form == 9:  # function pointers
            for k in range(2):
                before += [f"static {result} {name}_{k}({kinds[0]} a0) {{",
                           f"  return ({result}){self.expr(names[:1], 1)};", "}"]
            lines += [f"  {result} (*const all[])({kinds[0]}) = {{{name}_0, {name}_1}};",
                      f"  {result} (*p)({kinds[0]}) = all[{self.truth(names, 1)}];",
                      f"  if (p == {name}_{self.r.randrange(2)} && {self.truth(names, 1)})",
                      "    return p(a0);",
                      f"  return ({result})(p(({kinds[0]}){self.expr(names, 1)}) ^ 1);"]
        elif form == 10:  # && and ||, whose right sides change something
            lines += [f"  i32 n = 0; u8 m = {self.constant('u8')};",
                      f"  i32 t = ({self.truth(names, 1)} && ++n && m++) || "
                      f"({self.truth(names, 1)} && (n += 2));",
                      f"  u32 w = {self.truth(names, 1)} ? {self.truth(names, 1)} ? (u32)n++ : m--",
                      f"    : {self.truth(names, 1)} ? (u32)t : (m <<= 1);",
                      f"  return ({result})(w * 5u + (u32)n + m);"]
        elif form == 11:  # an array of structs
            n = self.r.randint(2, 3)
            inner = self.kind()
            lines += [f"  struct {{ {inner} k; u16 v[2]; }} all[{n}] = {{{{{self.constant(inner)}, {{1}}}}}}, one;",
                      f"  for (u8 i = 0; i < {n}; i++) {{",
                      f"    all[i].v[i & 1] += (u16){self.expr(names + [('i', 'u8')], 1)};",
                      f"    all[i].k ^= ({inner}){self.expr(names, 1)};", "  }",
                      f"  one = all[(u8)a0 % {n}];",
                      f"  all[{n - 1}] = one;",
                      f"  one.k = {self.constant(inner)};",
                      f"  return ({result})(all[{n - 1}].k {self.r.choice('+-^')} "
                      f"{self.r.choice(['one.k', 'one.v[1]', 'all[0].v[0]', '(i32)sizeof all'])});"]
        elif form == 12:  # commas, and assignments as values
            kind = self.kind()
            lines += [f"  {kind} x = {self.constant(kind)}; {self.kind()} y;",
                      f"  u32 s = (y = x, x = ({kind}){self.expr(names, 1)}, (u32)y + (u32)x);",
                      f"  x {self.r.choice(['+=', '-=', '^=', '|=', '&='])} "
                      f"{self.expr(names, 1) if self.wild else '(u8)a0'};"
                      if kind[0] == "u" or self.wild else "  x ^= 1;",
                      "  s ^= (u32)(y = x);",
                      f"  return ({result})(s + (u32)y);"]
        elif form == 13:  # strings
            lines += ["  char s[8] = \"abc\", t[4];",
                      f"  s[(u8)a0 & 3] = {self.r.choice(['0', 'a', 'z'])!r}[0] + (char)({self.truth(names, 1)});"
                      .replace("'[0]", "'"),
                      "  if (s[3]) s[4] = 0;",
                      "  memcpy(t, s, 3); t[3] = 0;",
                      f"  if (strcmp(s, t) {self.r.choice(['<', '>', '==', '!='])} 0) "
                      f"memset(s, {self.r.choice(['0', '98'])}, {self.r.randint(0, 3)});",
                      f"  return ({result})(strlen(s) * 3 + strlen(t) + "
                      f"(size_t)(memcmp(s, \"abd\", 3) {self.r.choice(['<', '>', '!='])} 0));"]
        elif form == 14:  # bit-fields of all widths in an array of unions
            lines += [f"  union {{ struct {{ u64 x : {self.r.randint(33, 50)}, y : {self.r.randint(1, 13)}; "
                      f"i8 z : {self.r.randint(2, 7)}; _Bool b : 1; }} s; u8 c[16]; }} u[2];",
                      "  memset(u, 0, sizeof u);",
                      f"  u[0].s.x = (u64){self.expr(names, 1)}; u[0].s.z = (i8){self.expr(names, 1)};",
                      f"  u[0].s.y = (u64)a0; u[0].s.b = {self.expr(names, 1)} ? 1 : 0;",
                      f"  u[1] = u[0]; u[1].c[{self.r.randrange(5)}] ^= (u8)a0;",
                      f"  return ({result})((u64)u[1].s.x + u[0].s.y + (u64)u[1].s.z + u[1].s.b);"]
        elif form == 15:  # a switch in a loop, left by goto
            lines += ["  u32 s = 0;", "  for (i32 i = 3; i--;) {",
                      f"    switch ((u32){self.expr(names, 1)} % 4 + (u32)i) {{",
                      "    case 0: s += 2; continue;", "    case 2: s <<= 1;  /* on */",
                      "    case 1: s++; break;",
                      f"    case 4: if {self.truth(names, 1)} goto out;",
                      "    default: { u32 s = 9; s++; } s ^= 8; }",
                      "    s += 16;", "  }", "out:", f"  return ({result})s;"]
        else:
            lines += [f"  {result} s = ({result}){self.expr(names, 2)};",
                      f"  if {self.truth(names, 1)} s = ({result}){self.expr(names, 1)};",
                      "  return s;"]
        head = ", ".join(f"{k} a{i}" for i, k in enumerate(kinds))
        self.functions.append((name, count))
        return before + [f"static {result} {name}({head}) {{"] + lines + ["}"]

    # --------------------------------------------------------------- threads

    def declare(self):
        """Shared variables: [(declaration, initial)]."""
        r, lines = self.r, []
        for i in range(r.randint(2, 3)):
            kind = self.kind()
            lines.append((f"{kind} g{i}", self.constant(kind)))
            self.shared.append((f"g{i}", kind, r.randrange(2)))
        if self.chance(50):
            lines.append((f"struct {{ signed x : {r.randint(2, 8)}; unsigned y : "
                          f"{r.randint(1, 8)}; i16 z; }} rec", "{0, 0, 3}"))
            guard = r.randrange(2)
            self.shared += [("rec.x", "i8", guard), ("rec.y", "u8", guard),
                            ("rec.z", "i16", guard)]
        if self.chance(50):
            kind, n = self.kind(), r.randint(2, 4)
            lines.append((f"{kind} arr[{n}]", "{1}"))
            self.array = ("arr", kind, n, r.randrange(2))
            self.shared.append((f"arr[{r.randrange(n)}]", kind, self.array[3]))
        else:
            self.array = None
        for i in range(r.randint(0, 2)):
            kind = r.choice(["u8", "i32", "u32", "u16", "i64", "i8"])
            lines.append((f"_Atomic {kind} x{i}", self.constant(kind)))
            self.shared.append((f"x{i}", kind, None))
        if self.racy:
            lines.append(("i32 racy", "0"))
        return lines

    def step(self, b, level, extra=""):
        self.labels += 1
        b.put(None, f"T->pc = &&L{self.labels}; return; L{self.labels}:;{extra}", level)

    def lock(self, b, m, level):
        b.put(None, f"T->want = {m + 1};", level)
        self.step(b, level)
        b.put(f"pthread_mutex_lock(&m{m});",
              f"T->want = 0; S.owner[{m}] = me + 1;", level)

    def unlock(self, b, m, level):
        self.step(b, level)
        b.put(f"pthread_mutex_unlock(&m{m});", f"S.owner[{m}] = 0;", level)

    def readable(self, held, local):
        return local + [(n, k) for n, k, g in self.shared
                        if g is not None and g in held]

    def site(self, b, lvalue, kind, level):
        k = len(self.sites)
        self.sites.append((re.sub(r"@(\w+)@", r"\1", lvalue), kind))
        b.put(f"$ASSERT{k}$", f"seen({k}, (long long)({lvalue}));", level)

    def change(self, b, held, local, level):
        """One assignment to something that is held or local."""
        names = self.readable(held, local)
        mine = [(n, k) for n, k, g in self.shared if g is not None and g in held]
        target, kind = self.r.choice(mine) if mine and self.chance(70) else \
            self.r.choice(local)
        if self.array and self.array[3] in held and self.chance(30):
            name, kind, n, _ = self.array
            index = self.expr(names, 1)
            value = self.expr(names, 1)
            inside = f"(u8){index} % {n}" if not self.wild or self.chance(50) \
                else index
            if self.chance(50):
                b.put(f"{name}[{inside}] = ({kind}){value};",
                      f"{name}[AT({inside}, {n})] = ({kind}){value};", level)
            else:
                b.put(f"{target} = {name}[{inside}];",
                      f"{target} = {name}[AT({inside}, {n})];", level)
            return
        form = self.r.randrange(8)
        if form < 2:
            b.put(f"{target}{self.r.choice(['++', '--'])};", level=level)
        elif form < 4:
            op = self.r.choice(["+", "-", "*", "^", "|", "&"])
            b.put(f"{target} {op}= {self.expr(names, 1)};" if self.wild else
                  f"{target} {op}= (u32){self.expr(names, 1)};", level=level)
        else:
            b.put(f"{target} = {self.expr(names, 2)};", level=level)

    def piece(self, b, local, level, depth, held=()):
        r = self.r
        choice = r.randrange(14)
        if choice < 5:  # a section
            m = r.randrange(2)
            if m in held:
                self.change(b, held, local, level)
                return
            if held and m < max(held) and self.chance(85):
                self.change(b, held, local, level)
                return  # mostly in order
            self.lock(b, m, level)
            for _ in range(r.randint(1, 2)):
                self.change(b, held + (m,), local, level)
            if depth and self.chance(40):
                self.piece(b, local, level, depth - 1, held + (m,))
            if self.chance(35):
                name, kind = r.choice(self.readable((m,), local))
                self.site(b, name, kind, level)
            self.unlock(b, m, level)
        elif choice < 7:
            self.atomic(b, local, level)
        elif choice < 8:
            self.change(b, held, local, level)
        elif choice < 10 and depth:
            names = self.readable(held, local)
            b.put(f"if {self.truth(names, 1)} {{", level=level)
            self.piece(b, local, level + 1, depth - 1, held)
            if self.chance(40):
                b.put("} else {", level=level)
                self.piece(b, local, level + 1, depth - 1, held)
            b.put("}", level=level)
        elif choice < 12 and depth:
            self.loop(b, local, level, depth, held)
        elif choice < 13 and self.racy:
            name, _ = r.choice(local)
            if self.chance(50):
                self.step(b, level, "")
                self.mark(b, "racy", 0)
                b.put(f"{name} = racy;", level=level)
            else:
                self.step(b, level, "")
                self.mark(b, "racy", 1)
                b.put(f"racy = (i32){name};", level=level)
        else:
            name, kind = r.choice(local)
            self.site(b, name, kind, level)

    def mark(self, b, name, writes):
        """The step just begun accesses this: said before it is left for."""
        last = b.other.pop()
        b.other.append(last.replace(
            "T->pc", f"T->addr = (char *)&{name}; T->size = sizeof {name}; "
            f"T->writes = {writes}; T->pc", 1))

    def loop(self, b, local, level, depth, held):
        r = self.r
        i = self.counter(b)
        names = self.readable(held, [n for n in local if n[0] != f"@{i}@"])
        form = r.randrange(3)
        if form == 0:
            b.put(f"for (@{i}@ = 0; @{i}@ < {r.randint(1, 3)}; @{i}@++) {{",
                  level=level)
        elif form == 1:
            name, kind = r.choice(names)
            b.put(f"for (@{i}@ = 0; @{i}@ < ((u8){name} & 3); @{i}@++) {{",
                  level=level)
        else:
            b.put(f"@{i}@ = 0;", level=level)
            b.put(f"while (@{i}@ < 4 && {self.truth(names, 1)}) {{", level=level)
            b.put(f"@{i}@++;", level=level + 1)
        self.piece(b, local, level + 1, depth - 1, held)
        if self.chance(30):
            b.put(f"if {self.truth(names, 1)} {r.choice(['break', 'continue'])};",
                  level=level + 1)
        b.put("}", level=level)

    def counter(self, b):
        self.counters += 1
        self.locals.append((f"i{self.counters}", "i32", "0"))
        return f"i{self.counters}"

    counters = 0

    def atomic(self, b, local, level):
        atomics = [(n, k) for n, k, g in self.shared if g is None]
        if not atomics:
            self.change(b, (), local, level)
            return
        name, kind = self.r.choice(atomics)
        target, _ = self.r.choice(local)
        value = self.expr(local, 1)
        self.step(b, level)
        form = self.r.randrange(6)
        if form == 0:
            b.put(f"{target} = {name};", level=level)
        elif form == 1:
            b.put(f"{name} = ({kind}){value};", level=level)
        elif form == 2:
            f = self.r.choice(["add", "sub", "or", "and", "xor"])
            b.put(f"{target} = atomic_fetch_{f}(&{name}, ({kind}){value});",
                  f"{target} = __atomic_fetch_{f}(&{name}, ({kind}){value}, 5);",
                  level)
        elif form == 3:
            b.put(f"{target} = atomic_exchange(&{name}, ({kind}){value});",
                  f"{target} = __atomic_exchange_n(&{name}, ({kind}){value}, 5);",
                  level)
        elif form == 4:
            self.counters += 1
            old = f"o{self.counters}"
            self.locals.append((old, kind, self.constant(kind)))
            b.put(f"if (atomic_compare_exchange_strong(&{name}, &@{old}@, "
                  f"({kind}){value}))",
                  f"if (__atomic_compare_exchange_n(({kind} *)&{name}, &@{old}@, "
                  f"({kind}){value}, 0, 5, 5))", level)
            b.put(f"{target} = @{old}@;", level=level + 1)
        else:
            op = self.r.choice(["+=", "^=", "|=", "-="])
            b.put(f"{name} {op} {self.r.choice(['1', '3', '0x11'])};", level=level)

    def input(self, b, name, kind):
        """A value of an input, as it is, cut or in a range."""
        k = len(self.inputs)
        low, high = limits(kind)
        form = self.r.randrange(4)
        call = f"__VERIFIER_nondet_{NONDET[kind]}()"
        if form == 0 or (form == 1 and INTS[kind][0] > 8):
            edges = {low, low + 1, high, high - 1, 0, 1, 2, 3, 4, 7, 8, 16, 100, 127,
                     128, 255, 256, -1, -2, -5, 32767, 65535, high // 2, 12345}
            values = sorted(v for v in edges if low <= v <= high)
            self.complete = False
            b.put(f"@{name}@ = {call};", f"@{name}@ = ({kind})input[{k}];")
        elif form == 1:
            values = list(range(low, high + 1))
            b.put(f"@{name}@ = {call};", f"@{name}@ = ({kind})input[{k}];")
        elif form == 2:
            mask = self.r.choice([1, 3, 7, 15])
            values = list(range(mask + 1))
            b.put(f"@{name}@ = {call} & {mask};", f"@{name}@ = ({kind})input[{k}];")
        else:
            at = wrap(self.r.choice([0, -3, 100, high - 4, low]), kind)
            values = list(range(at, min(at + 5, high) + 1))
            b.put(f"@{name}@ = {call};", f"@{name}@ = ({kind})input[{k}];")
            b.put(f"if (@{name}@ < {literal(values[0], kind)} || @{name}@ > "
                  f"{literal(values[-1], kind)}) @{name}@ = "
                  f"{literal(values[0], kind)};", "")
        self.inputs.append(values)

    def body(self, t, main=None):
        """Of thread t, both texts, and its local variables."""
        b = Both()
        self.locals = []
        names = []
        for i in range(self.r.randint(1, 3)):
            kind = self.kind()
            self.locals.append((f"l{t}{i}", kind, self.constant(kind)))
            names.append((f"@l{t}{i}@", kind))
        if len(self.inputs) < 2 and self.chance(60 if main is None else 40):
            i = self.r.randrange(len(self.locals))
            self.input(b, self.locals[i][0], self.locals[i][1])
        if main is None:
            for _ in range(self.r.randint(2, 4)):
                self.piece(b, names, 1, 2)
        else:
            for k in range(1, main):
                self.step(b, 1)
                b.put(f"pthread_create(&t[{k}], 0, w{k}, 0);",
                      f"S.T[{k}].started = 1;")
                if self.chance(25):
                    self.piece(b, names, 1, 1)
            for k in range(1, main):
                b.put(None, f"T->joins = {k + 1};")
                self.step(b, 1)
                b.put(f"pthread_join(t[{k}], 0);", "T->joins = 0;")
            for name, kind, guard in self.shared:
                if self.chance(60):
                    self.site(b, name, kind, 1)
        return b, self.locals

    def write(self):
        r = self.r
        self.threads = 3 if self.chance(25) else 2
        if self.chance(30):
            self.threads += 1
        functions = []
        for i in range(r.randint(0, 2)):
            functions += self.function(i)
        shared = self.declare()
        bodies = []
        same = self.threads > 2 and self.chance(40)
        for t in range(1, self.threads):
            if same and t > 1:
                bodies.append(bodies[0])
                break
            bodies.append(self.body(t))
        if same:
            bodies = [bodies[0]] * (self.threads - 1)
            self.complete = self.complete and not self.inputs  # one for all
        bodies.insert(0, self.body(0, self.threads))
        types = [f"typedef {WORDS[k]} {k};" for k in INTS]
        types += ["struct pair { i16 a; u8 b; i32 c; };",
                  "static struct pair turn(struct pair p) {",
                  "  struct pair q = {(i16)p.b, (u8)p.a, p.c + 1};", "  return q;",
                  "}"]
        # For heddle
        plain = ["#include <assert.h>", "#include <pthread.h>",
                 "#include <stdatomic.h>", "#include <string.h>"]
        plain += [f"extern {WORDS[k]} __VERIFIER_nondet_{NONDET[k]}(void);"
                  for k in INTS]
        plain += types + functions
        plain += [f"static pthread_mutex_t m{i} = PTHREAD_MUTEX_INITIALIZER;"
                  for i in range(2)]
        plain += [f"static {d} = {v};" for d, v in shared]
        for t in range(1, self.threads):
            b, local = bodies[t]
            if same and t > 1:
                continue
            plain.append(f"static void *w{t}(void *arg) {{")
            plain += [f"  {k} {n} = {v};" for n, k, v in local]
            plain += b.plain + ["  return arg;", "}"]
        plain.append("int main(void) {")
        plain.append(f"  pthread_t t[{self.threads}];")
        b, local = bodies[0]
        plain += [f"  {k} {n} = {v};" for n, k, v in local]
        main = [re.sub(r", w\d+, 0", ", w1, 0", x) if same else x for x in b.plain]
        plain += main + ["  return 0;", "}"]
        # For the search
        fields = {}
        for _, local in bodies:
            for n, k, _ in local:
                fields[n] = k
        other = types + functions
        other.append("struct thread { void *pc; char *addr; long size; int started, "
                     "done, want, joins, writes;")
        other += [f"  {k} {n};" for n, k in fields.items()]
        other.append("} __attribute__((aligned(8)));")
        other.append("static struct state { int owner[2]; struct thread "
                     f"T[{self.threads}]; struct {{ int none;")
        other += [f"  {d.replace('_Atomic ', '')};" for d, v in shared]
        other.append("} g; } __attribute__((aligned(8))) S;")
        for d, _ in shared:
            name = re.search(r"(\w+)(\[\d\])?$", d).group(1)
            other.append(f"#define {name} S.g.{name}")
        done = {}
        for t, (b, local) in enumerate(bodies):
            if id(b) in done:
                continue
            done[id(b)] = t
            other.append(f"static void body{t}(struct thread *T) {{")
            other.append("  if (T->pc) goto *T->pc;\n"
                         "  if (0) T->pc = &&L0;\n  L0:;")
            other += [f"  T->{n} = {v};" for n, _, v in local]
            other += b.other + ["  T->done = 1;", "}"]
        other.append("static void setup(void) {")
        for d, v in shared:
            name = re.search(r"(\w+)(\[\d\])?$", d).group(1)
            if v.startswith("{"):
                other.append(f"  __typeof__({name}) init_{name} = {v}; "
                             f"memcpy(&{name}, &init_{name}, sizeof {name});")
            else:
                other.append(f"  {name} = {v};")
        other.append("}")
        tail = SEARCH.replace("BODIES", ", ".join(f"body{done[id(b)]}"
                                                  for b, _ in bodies))
        lists = [f"static const long long in{k}[] = {{"
                 f"{', '.join(literal(wrap(v, 'i64'), 'i64') for v in values)}}};"
                 for k, values in enumerate(self.inputs)]
        choices = ", ".join(f"{{{len(v)}, in{k}}}" for k, v in
                            enumerate(self.inputs)) or "{0, 0}"
        tail = tail.replace("CHOICES", choices)
        self.plain = plain
        return "\n".join(
            [f"#define N_SITES {len(self.sites)}",
             f"#define N_THREADS {self.threads}",
             f"#define N_INPUTS {len(self.inputs)}", ORACLE, DRIVER] + other + lists +
            [tail])

    def choose(self, found):
        """Puts assertions; [is it violated?, is that all one can know?]."""
        first, *rows = found.splitlines()
        overflow, arith, memory, races, stuck, cut = map(int, first.split())
        fails, sure = False, not cut and self.complete
        lines = []
        wanted = self.r.random() < 0.5  # a violation
        # What comes behind an assertion that fails does not count.
        wanted = wanted and not (overflow or arith or memory or races or stuck)
        texts = {}
        for k, row in enumerate(rows):
            full, *values = map(int, row.split())
            name, kind = self.sites[k]
            if full:
                sure = False
            if not values or self.chance(30):
                continue
            values = [v if kind != "u64" or v >= 0 else v + (1 << 64) for v in values]
            # bit-fields hold what they hold
            text, holds = self.condition(name, kind, values,
                                         wanted and self.chance(60))
            if text is None:
                continue
            texts[k] = text
            fails = fails or not holds
        for line in self.plain:
            match = re.match(r"( *)\$ASSERT(\d+)\$", line)
            if not match:
                lines.append(line)
            elif int(match.group(2)) in texts:
                lines.append(match.group(1) + f"assert({texts[int(match.group(2))]});")
        truth = {"assert": fails, "overflow": overflow, "arith": arith,
                 "memory": memory, "race": races, "deadlock": stuck}
        return "\n".join(lines) + "\n", truth, sure

    def condition(self, name, kind, values, wrong):
        low, high = min(values), max(values)
        least, most = limits(kind)
        v = self.r.choice(values)
        c = lambda x: literal(x, kind)
        forms = []
        if wrong:
            forms.append((f"{name} != {c(v)}", False))
            if low != high:
                forms += [(f"{name} < {c(high)}", False), (f"{name} > {c(low)}", False),
                          (f"{name} == {c(v)}", False),
                          (f"{name} <= {c(high - 1)}", False)]
        else:
            if high < most:
                forms += [(f"{name} <= {c(high)}", True),
                          (f"{name} != {c(high + 1)}", True)]
            if low > least:
                forms += [(f"{name} >= {c(low)}", True),
                          (f"{name} != {c(low - 1)}", True)]
            if low == high:
                forms.append((f"{name} == {c(v)}", True))
            for k in (2, 3, 4, 8):
                rests = {x % k for x in values}
                if len(rests) == 1 and low >= 0:
                    forms.append((f"{name} % {k} == {rests.pop()}", True))
            holes = [x for x in range(low, min(high, low + 300)) if x not in values]
            if holes:
                forms.append((f"{name} != {c(self.r.choice(holes))}", True))
        return self.r.choice(forms) if forms else (None, True)


def truth_of(program, folder, seed):
    text = program.write()
    source = os.path.join(folder, f"truth{seed}.c")
    with open(source, "w") as f:
        f.write(text)
    exe = source[:-2] + ".exe"
    # Linked without the sanitizer: the search has its own handlers.
    checks = "signed-integer-overflow,integer-divide-by-zero,shift-exponent"
    object_file = source[:-2] + ".o"
    subprocess.run(["clang", "-w", "-O1", "-fno-strict-aliasing", f"-fsanitize={checks}",
                    "-c", source, "-o", object_file], check=True)
    subprocess.run(["gcc", object_file, "-o", exe], check=True)
    done = subprocess.run([exe], stdout=subprocess.PIPE, text=True, timeout=100)
    os.remove(exe)
    if done.returncode:
        raise RuntimeError(f"{source}: {done.returncode}")
    return done.stdout


def ask(engine, source):
    command = [HEDDLE, "verify", "-j1", f"--timeout={SECONDS}", *ENGINES[engine],
               "--property=" + ("assert" if engine == "unbounded" else
                                ",".join(PROPERTIES)), source]
    if os.environ.get("HEDDLE_TRUST"):
        command.insert(2, "--no-check")
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                              errors="replace", timeout=SECONDS * 6 + 10)
    except subprocess.TimeoutExpired:
        return command, {}, "does not end"
    answers = dict(re.findall(r"^(\w+): (safe|unsafe|unknown)", done.stdout, re.M))
    trouble = None
    if done.returncode not in (0, 5, 10) or "internal" in done.stdout:
        trouble = f"exits with {done.returncode}\n{done.stdout[-600:]}"
    return command, answers, trouble


def main():
    count, seed, show = 20, 1, False
    engines = ["explore", "unfold", "octagon", "modular", "pairs", "unbounded", "graph"]
    for argument in sys.argv[1:]:
        if argument.startswith("--count="):
            count = int(argument[8:])
        elif argument.startswith("--seed="):
            seed = int(argument[7:])
        elif argument.startswith("--engines="):
            engines = argument[10:].split(",")
        elif argument == "--show":
            show = True
        else:
            sys.exit(__doc__)
    keep = os.environ.get("HEDDLE_KEEP")
    print("TAP version 13")
    tally = {}
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        for number in range(seed, seed + count):
            program = Program(number)
            found = truth_of(program, folder, number)
            text, truth, sure = program.choose(found)
            if show:
                print(text, truth, sure)
                continue
            source = os.path.join(keep or folder, f"p{number}.c")
            head = " ".join(f"{p}={'UNSAFE' if truth[p] else 'SAFE' if sure else '?'}"
                            for p in PROPERTIES)
            with open(source, "w") as f:
                f.write(f"/* SPDX-License-Identifier: MIT */\n/* {head} */\n{text}")
            bad = []
            for engine in engines:
                command, answers, trouble = ask(engine, source)
                if trouble:
                    bad.append(f"{engine}: {trouble}")
                for p, answer in answers.items():
                    if p not in truth:
                        continue
                    if truth["race"] and p != "race":
                        continue  # runs mean nothing
                    key = (engine, p, answer)
                    tally[key] = tally.get(key, 0) + 1
                    if answer == "safe" and truth[p]:
                        bad.append(f"{engine}: {p} is safe, and is violated")
                    ub = any(truth[q] for q in ("overflow", "arith", "memory") if q != p)
                    # Behind what is undefined, there may be anything.
                    if answer == "unsafe" and not truth[p] and sure and not ub:
                        bad.append(f"{engine}: {p} is unsafe, and never violated")
            if bad:
                wrong += 1
                print(f"not ok {number - seed + 1} - {source}")
                for line in bad:
                    print("# " + line.replace("\n", "\n# "))
            else:
                print(f"ok {number - seed + 1} - seed {number}")
                if keep:
                    os.remove(source)
            sys.stdout.flush()
    if not show:
        print(f"1..{count}")
        for key in sorted(tally):
            print("# " + " ".join(key) + f" {tally[key]}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
