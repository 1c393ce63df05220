#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a random C program to standard output.

    tests/programs/generate.py SEED             a sequential program
    tests/programs/generate.py --threads SEED   one with two or three threads

The same seed gives the same program. A sequential program has one behaviour
and no undefined one; it prints a checksum and what its variables hold. It uses
what other generators leave out: integers of all widths and signs mixed,
bit-fields, unions read through another member, pointers into arrays and
structs, structs by value, function pointers, switch and goto with loops of two
entries, strings, float and double printed bit by bit.

A program with threads has no race, no deadlock and no failing assertion; main
prints one line after all joins, and what it says depends on the schedule."""

import random
import sys

INTS = {"i8": (8, True), "u8": (8, False), "i16": (16, True), "u16": (16, False),
        "i32": (32, True), "u32": (32, False), "i64": (64, True),
        "u64": (64, False)}
NAMES = list(INTS)
HEAD = """#include <stdint.h>
#include <stdio.h>
#include <string.h>
typedef int8_t i8;
typedef uint8_t u8;
typedef int16_t i16;
typedef uint16_t u16;
typedef int32_t i32;
typedef uint32_t u32;
typedef int64_t i64;
typedef uint64_t u64;
static u64 sum = 0xcbf29ce484222325u;
static i32 fuel = %d;
static void mix(u64 x) {
  for (int i = 0; i < 8; i++) {
    sum = (sum ^ (x & 255)) * 0x100000001b3u;
    x >>= 8;
  }
}
static double tame(double x) { return x > -1e12 && x < 1e12 ? x : 1.25; }
static u64 bits(double x) {
  u64 b;
  memcpy(&b, &x, sizeof b);
  return b;
}
static u32 fbits(float x) {
  union { float f; u32 u; } v = {x};
  return v.u;
}
"""


def wide(kind):
    """The unsigned type in which arithmetic of this type never overflows."""
    return "u64" if INTS[kind][0] == 64 else "u32"


class Sequential:
    def __init__(self, seed):
        self.r = random.Random(seed)
        self.lines = []
        self.ints = []  # (expression, type) of what can be read and assigned
        self.reals = []  # (expression, is a double)
        self.arrays = []  # (name, type, length), global
        self.pointers = []  # (name, type, array, length)
        self.functions = []  # (name, parameter kinds)
        self.labels = 0
        self.counters = 0

    # ------------------------------------------------------------ expressions

    def chance(self, percent):
        return self.r.randrange(100) < percent

    def constant(self, kind):
        width, signed = INTS[kind]
        low, high = (-(1 << width - 1), (1 << width - 1) - 1) if signed \
            else (0, (1 << width) - 1)
        value = self.r.choice([
            0, 1, 2, self.r.randrange(16), low, high, low + 1, high - 1,
            self.r.randint(low, high), -1 if signed else high // 3])
        if value == -(1 << 63):
            return "(-9223372036854775807LL - 1)"
        text = f"{value}{'LL' if signed else 'ULL'}" if width == 64 else \
            f"{value}{'' if signed or width < 32 else 'u'}"
        return f"({text})" if value < 0 else text

    def leaf(self, kind):
        """Any readable value, as it is, converted to the type."""
        choice = self.r.randrange(10)
        if choice < 2 or not self.ints:
            return self.constant(kind)
        if choice < 7:
            name, own = self.r.choice(self.ints)
            return name if own == kind else f"({kind}){name}"
        if choice < 8 and self.pointers:
            name, own, array, length = self.r.choice(self.pointers)
            form = self.r.choice([f"*{name}", f"{name}[0]",
                                  f"(i64)({name} - {array})"])
            return f"({kind}){form}"
        if choice < 9 and self.reals:
            name, _ = self.r.choice(self.reals)
            if INTS[kind][0] >= 32 and INTS[kind][1]:
                return f"({kind})({name} > -1e9 && {name} < 1e9 ? {name} : 7)"
            return f"({kind})({name} > {self.r.randrange(-9, 9)}.5)"
        name, _, length = self.r.choice(self.arrays)
        return f"({kind}){name}[{self.index(length, 0)}]"

    def index(self, length, depth):
        if self.chance(40):
            return str(self.r.randrange(length))
        kind = self.r.choice(["u8", "u16", "u32", "u64"])
        return f"{self.expr(kind, depth)} % {length}"

    def expr(self, kind, depth):
        """An expression of exactly this type, without side effects."""
        if depth <= 0:
            return f"({self.leaf(kind)})"
        choice = self.r.randrange(12)
        if choice < 3:
            return self.arithmetic(kind, depth)
        if choice < 5:
            other = self.r.choice(NAMES)
            return f"({kind}){self.expr(other, depth - 1)}"
        if choice < 6:
            return f"({kind}){self.truth(depth)}"
        if choice < 7:
            return (f"({self.truth(depth - 1)} ? {self.expr(kind, depth - 1)} : "
                    f"{self.expr(kind, depth - 1)})")
        if choice < 9:
            return self.mixed(kind, depth)
        if choice < 10:
            operand = self.expr(kind, depth - 1)
            return self.r.choice([f"({kind})~{operand}",
                                  f"({kind})(0 - ({wide(kind)}){operand})",
                                  f"({kind})!{operand}", f"(+{operand}, {operand})"])
        return f"({self.leaf(kind)})"

    def arithmetic(self, kind, depth):
        a, b = self.expr(kind, depth - 1), self.expr(kind, depth - 1)
        width, signed = INTS[kind]
        operator = self.r.choice(["+", "-", "*", "&", "|", "^", "/", "%", "<<", ">>"])
        unsigned = wide(kind)
        if operator in "+-*":
            return f"({kind})(({unsigned}){a} {operator} ({unsigned}){b})"
        if operator in "&|^":
            return f"({kind})({a} {operator} {b})"
        if operator in "/%":
            guard = f"{b} == 0 || {b} == -1" if signed else f"{b} == 0"
            return f"({kind})({guard} ? {a} : {a} {operator} {b})"
        count = f"({self.expr('u8', 0)} & {width - 1})"
        if operator == "<<":
            return f"({kind})(({unsigned}){a} << {count})"
        return f"({kind})({a} >> {count})"

    def mixed(self, kind, depth):
        """The language's own conversions: operands of two types, kept small."""
        one, two = self.r.choice(NAMES), self.r.choice(NAMES)
        a = f"{self.expr(one, depth - 1)} % 100"
        b = f"{self.expr(two, depth - 1)} % 100"
        operator = self.r.choice(["+", "-", "*", "&", "|", "^", "<", ">=", "=="])
        return f"({kind})(({a}) {operator} ({b}))"

    def truth(self, depth):
        depth = max(depth, 0)
        choice = self.r.randrange(6)
        if choice < 3:
            one, two = self.r.choice(NAMES), self.r.choice(NAMES)
            operator = self.r.choice(["<", ">", "<=", ">=", "==", "!="])
            return (f"({self.expr(one, depth - 1)} {operator} "
                    f"{self.expr(two, depth - 1)})")
        if choice < 5 and depth > 0:
            operator = self.r.choice(["&&", "||"])
            return f"({self.truth(depth - 1)} {operator} {self.truth(depth - 1)})"
        return f"(!{self.expr(self.r.choice(NAMES), depth - 1)})"

    def real(self, depth):
        if depth <= 0 or not self.reals:
            choice = self.r.randrange(4)
            if choice < 2 and self.reals:
                return self.r.choice(self.reals)[0]
            if choice < 3:
                return f"(double){self.expr(self.r.choice(NAMES), 0)}"
            return f"{self.r.randrange(-500, 500) / 8}"
        a, b = self.real(depth - 1), self.real(depth - 1)
        operator = self.r.choice("+-*/")
        if operator == "/":
            return f"({b} != 0 ? {a} / {b} : {a})"
        return f"({a} {operator} {b})"

    # ------------------------------------------------------------- statements

    def put(self, text, level):
        self.lines.append("  " * level + text)

    def assign(self, level):
        choice = self.r.randrange(12)
        if choice < 5:
            name, kind = self.r.choice(self.ints)
            self.put(f"{name} = {self.expr(kind, 3)};", level)
        elif choice < 6:
            name, kind = self.r.choice([x for x in self.ints if INTS[x[1]][1] is False]
                                       or self.ints)
            operator = self.r.choice(["^=", "|=", "&="])
            self.put(f"{name} {operator} {self.expr(kind, 2)};", level)
        elif choice < 7:
            unsigned = [x for x in self.ints if x[1] in ("u8", "u16", "u32", "u64")]
            name, _ = self.r.choice(unsigned)
            self.put(f"{name}{self.r.choice(['++', '--'])};", level)
        elif choice < 8:
            name, kind, length = self.r.choice(self.arrays)
            self.put(f"{name}[{self.index(length, 1)}] = {self.expr(kind, 2)};", level)
        elif choice < 10 and self.pointers:
            name, kind, array, length = self.r.choice(self.pointers)
            self.put(self.r.choice([
                f"{name} = &{array}[{self.index(length, 1)}];",
                f"*{name} = {self.expr(kind, 2)};",
                f"if ({name} < {array} + {length - 1}) {name}++;",
                f"if ({name} > {array}) *--{name} = {self.expr(kind, 1)};",
                f"{name} = {array} + ({name} - {array} + 1) % {length};"]), level)
        elif self.reals:
            name, double = self.r.choice(self.reals)
            cast = "" if double else "(float)"
            self.put(f"{name} = {cast}tame({self.real(2)});", level)
        else:
            self.put(f"mix({self.expr('u64', 2)});", level)

    def call(self, level):
        if not self.functions:
            return self.assign(level)
        name, kinds = self.r.choice(self.functions)
        kind = self.r.choice(NAMES)
        arguments = ", ".join(self.argument(k) for k in kinds)
        # f0 to f3 stand before the table and call by name only.
        if kinds == ["int", "int"] and len(self.functions) >= 4 and self.chance(60):
            self.put(f"mix((u64)table[{self.index(4, 1)}]({arguments}));", level)
        else:
            self.put(f"mix((u64)({kind}){name}({arguments}));", level)

    def argument(self, kind):
        if kind == "int":
            return self.expr("i32", 2)
        if kind == "wide":
            return self.expr("u64", 1)
        if kind == "struct":
            return self.r.choice(["rec[0]", "rec[1]", "(struct rec){.a = %s, .s = %s}"
                                  % (self.expr("i16", 1), self.expr("i32", 1))])
        name, _, length = self.r.choice([a for a in self.arrays if a[1] == "i32"])
        return f"{name} + {self.r.randrange(length - 1)}"

    def block(self, level, depth, count):
        for _ in range(count):
            self.statement(level, depth)

    def statement(self, level, depth):
        choice = self.r.randrange(20) if depth > 0 else self.r.randrange(9)
        if choice < 7:
            self.assign(level)
        elif choice < 9:
            self.special(level)
        elif choice < 11:
            self.put(f"if {self.truth(2)} {{", level)
            self.block(level + 1, depth - 1, self.r.randint(1, 3))
            if self.chance(60):
                self.put("} else {", level)
                self.block(level + 1, depth - 1, self.r.randint(1, 2))
            self.put("}", level)
        elif choice < 13:
            self.loop(level, depth)
        elif choice < 15:
            self.switch(level, depth)
        elif choice < 17:
            self.jump(level, depth)
        elif choice < 19:
            self.call(level)
        else:
            self.put("{", level)
            self.block(level + 1, depth - 1, 2)
            self.put("}", level)

    def special(self, level):
        text = self.r.choice([
            f"flags.f{self.r.randrange(5)} = {self.expr('i32', 2)};",
            f"flags.f{self.r.randrange(5)}++;",
            f"pun.u = {self.expr('u64', 2)};",
            f"pun.h[{self.index(4, 1)}] = {self.expr('i16', 2)};",
            f"pun.b[{self.index(8, 1)}] ^= {self.expr('u8', 1)};",
            "mix((u64)pun.w[0] * 3 + (u64)pun.w[1]);",
            f"pun.f.lo = {self.expr('u32', 1)};",
            f"rec[{self.index(2, 1)}] = rec[{self.r.randrange(2)}];",
            f"rec[{self.r.randrange(2)}].in.v[{self.index(3, 1)}] = "
            f"{self.expr('u16', 2)};",
            f"text[{self.index(15, 1)}] = (char)('a' + {self.expr('u8', 1)} % 26);",
            f"memmove(text + {self.r.randrange(4)}, text + {self.r.randrange(4)}, "
            f"{self.r.randrange(1, 11)});",
            "mix(strlen(text));",
            f"mix(strchr(text, 'a' + {self.expr('u8', 1)} % 26) != 0);",
            f"mix((u64)(strcmp(text, words[{self.index(4, 1)}]) < 0));",
            f"memset(text, 'k', {self.r.randrange(1, 9)});",
            f"mix((u64)constants[{self.index(6, 1)}][{self.index(2, 1)}]);",
        ])
        self.put(text, level)

    def loop(self, level, depth):
        self.counters += 1
        i, n = f"n{self.counters}", self.r.randint(1, 5)
        form = self.r.randrange(3)
        if form == 0:
            kind = self.r.choice(NAMES)
            self.put(f"for ({kind} {i} = 0; {i} < {n}; {i}++) {{", level)
        elif form == 1:
            self.put(f"i32 {i} = {n};", level)
            self.put(f"while ({i}-- > 0) {{", level)
        else:
            self.put(f"u8 {i} = 0;", level)
            self.put("do {", level)
        self.block(level + 1, depth - 1, self.r.randint(1, 3))
        if self.chance(40):
            word = self.r.choice(["break", "continue"])
            self.put(f"if {self.truth(1)} {word};", level + 1)
            self.assign(level + 1)
        self.put(f"}} while (++{i} < {n});" if form == 2 else "}", level)

    def switch(self, level, depth):
        kind = self.r.choice(NAMES)
        modulus = self.r.randint(3, 7)
        self.put(f"switch ({self.expr(kind, 2)} % {modulus}) {{", level)
        cases = self.r.sample(range(-1 if INTS[kind][1] else 0, modulus),
                              self.r.randint(2, modulus))
        default = self.r.randrange(len(cases) + 1)
        for position, case in enumerate(cases):
            if position == default:
                self.put("default:", level)
            self.put(f"case {case}: {{", level)
            self.block(level + 1, depth - 1, 1)
            if self.chance(70):
                self.put("break;", level + 1)
            self.put("}", level)
        self.put("}", level)

    def jump(self, level, depth):
        self.labels += 1
        label, count = f"L{self.labels}", f"c{self.labels}"
        form = self.r.randrange(3)
        if form == 0:  # over something
            self.put(f"if {self.truth(1)} goto {label};", level)
            self.flat(level, self.r.randint(1, 3))
            self.put(f"{label}:;", level)
            return
        self.put(f"{{ i32 {count} = {self.r.randint(1, 4)};", level)
        if form == 1:  # back
            self.put(f"{label}:", level)
            self.flat(level + 1, self.r.randint(1, 2))
        else:  # into the middle of a loop
            self.put(f"if {self.truth(1)} goto M{label};", level)
            self.put(f"{label}:", level)
            self.flat(level + 1, 1)
            self.put(f"M{label}:", level)
            self.flat(level + 1, 1)
        self.put(f"if (--{count} > 0) goto {label}; }}", level)

    def flat(self, level, count):
        for _ in range(count):
            self.assign(level)

    # --------------------------------------------------------------- the parts

    def declare_globals(self):
        for number in range(self.r.randint(4, 8)):
            kind = self.r.choice(NAMES)
            word = self.r.choice(["static ", "static ", "", "static volatile "])
            self.put(f"{word}{kind} g{number} = {self.constant(kind)};", 0)
            self.ints.append((f"g{number}", kind))
        self.put(f"static u32 gu = {self.constant('u32')};", 0)
        self.ints.append(("gu", "u32"))
        for number, kind in enumerate(["i32"] + self.r.sample(NAMES, 3)):
            length = self.r.randint(3, 7)
            values = ", ".join(self.constant(kind) for _ in range(length - 1))
            self.put(f"static {kind} a{number}[{length}] = {{{values}}};", 0)
            self.arrays.append((f"a{number}", kind, length))
            self.put(f"static {kind} *p{number} = a{number} + "
                     f"{self.r.randrange(length)};", 0)
            self.pointers.append((f"p{number}", kind, f"a{number}", length))
        for number in range(2):
            kind = ["float", "double"][number]
            self.put(f"static {kind} r{number} = {self.r.randrange(-99, 99) / 4};", 0)
            self.reals.append((f"r{number}", number == 1))

    def declare_structs(self):
        widths = [self.r.randint(1, 12) for _ in range(5)]
        fields = "".join(
            f"{self.r.choice(['signed', 'unsigned'])} f{i} : {width}; "
            + (f"{self.r.choice(['u8', 'i64'])} pad{i}; " if self.chance(25) else "")
            for i, width in enumerate(widths))
        self.put(f"static struct {{ {fields}}} flags;", 0)
        self.put("struct inner { u8 c; u16 v[3]; };", 0)
        self.put("struct rec { i16 a; struct inner in; i64 b; i32 s : 17; "
                 "u32 t : 9; float r; };", 0)
        self.put(f"static struct rec rec[2] = {{{{.a = {self.constant('i16')}, "
                 f".in.v[1] = {self.constant('u16')}}}, "
                 f"{{.b = {self.constant('i64')}, .t = 5, .r = 0.5f}}}};", 0)
        self.put("static union { u64 u; i16 h[4]; u8 b[8]; u32 w[2]; "
                 "struct { u32 lo, hi; } f; } pun;", 0)
        self.put('static char text[16] = "abcdefghijklmno";', 0)
        self.put('static const char *const words[4] = {"abc", "", "kk", "zebra"};', 0)
        rows = ", ".join(f"{{{self.constant('i16')}, {self.constant('i16')}}}"
                         for _ in range(5))
        self.put(f"static const i16 constants[6][2] = {{{rows}}};", 0)
        self.ints += [("rec[0].a", "i16"), ("rec[1].b", "i64"), ("rec[1].in.c", "u8"),
                      ("rec[0].in.v[2]", "u16")]

    def function(self, name, kinds):
        words = {"int": "i32", "wide": "u64", "struct": "struct rec",
                 "pointer": "i32 *"}
        parameters = [f"{words[k]} {name}_{i}" for i, k in enumerate(kinds)]
        self.put(f"static i32 {name}({', '.join(parameters)}) {{", 0)
        kept, self.ints = self.ints, list(self.ints)
        self.put("if (fuel-- <= 0) return 1;", 1)
        for i, kind in enumerate(kinds):
            if kind in ("int", "wide"):
                self.ints.append((f"{name}_{i}", "i32" if kind == "int" else "u64"))
            elif kind == "struct":
                self.ints += [(f"{name}_{i}.a", "i16"), (f"{name}_{i}.b", "i64")]
            else:
                self.ints += [(f"{name}_{i}[1]", "i32"), (f"*{name}_{i}", "i32")]
        for number in range(self.r.randint(1, 3)):
            kind = self.r.choice(NAMES)
            word = "static " if self.chance(20) else ""
            start = self.constant(kind) if word else self.expr(kind, 1)
            self.put(f"{word}{kind} l{number} = {start};", 1)
            self.ints.append((f"l{number}", kind))
        self.block(1, 2, self.r.randint(2, 5))
        self.put(f"return {self.expr('i32', 2)};", 1)
        self.put("}", 0)
        self.ints = kept
        self.functions.append((name, kinds))

    def returning(self):
        """A function that returns a struct, and a recursive one."""
        self.put("static struct rec change(struct rec x, i32 n) {", 0)
        self.put("x.a = (i16)(x.a ^ n); x.s = n; x.t++; x.b ^= ~(i64)n;", 1)
        self.put("x.in.v[(u32)n % 3]++; x.r = (float)tame(x.r * 2.0 + 1);", 1)
        self.put("return x;", 1)
        self.put("}", 0)
        self.put("static u32 depth(u32 n, i32 k) {", 0)
        self.put(f"return n == 0 ? (u32)k : depth(n - 1, k ^ (i32)(n * 7)) * 3 + "
                 f"{self.r.randrange(9)};", 1)
        self.put("}", 0)

    def main(self):
        self.put("int main(void) {", 0)
        self.put(f"i64 m0 = {self.constant('i64')};", 1)
        self.put(f"u16 m1 = {self.constant('u16')};", 1)
        self.ints += [("m0", "i64"), ("m1", "u16")]
        self.block(1, 3, self.r.randint(6, 10))
        self.put(f"rec[0] = change(rec[1], {self.expr('i32', 1)});", 1)
        self.put(f"rec[1] = change(change(rec[0], 3), {self.expr('i32', 1)});", 1)
        self.put(f"mix(depth({self.r.randint(1, 6)}, {self.expr('i32', 1)}));", 1)
        self.block(1, 2, self.r.randint(2, 5))
        for name, kind in self.ints:
            self.put(f"mix((u64){name});", 1)
        for name, _, length in self.arrays:
            self.put(f"for (int i = 0; i < {length}; i++) mix((u64){name}[i]);", 1)
        for name, _, array, _ in self.pointers:
            self.put(f"mix((u64)({name} - {array}));", 1)
        for i in range(5):
            self.put(f"mix((u64)flags.f{i});", 1)
        self.put("for (int i = 0; i < 8; i++) mix(pun.b[i]);", 1)
        self.put("mix((u64)rec[1].s); mix(rec[0].t); mix(fbits(rec[1].r));", 1)
        self.put("mix(fbits(r0)); mix(bits(r1));", 1)
        self.put('printf("%d %u %lld %llu\\n", (i32)g0, (u32)gu, (long long)m0, '
                 "(unsigned long long)g1);", 1)
        self.put('printf("%d %u [%s] %c\\n", flags.f0, (unsigned)flags.f1, text, '
                 "text[1]);", 1)
        self.put('printf("%08x %016llx %a\\n", fbits(r0), '
                 "(unsigned long long)bits(r1), r1);", 1)
        self.put('printf("checksum %016llx\\n", (unsigned long long)sum);', 1)
        self.put("return (int)(sum & 63);", 1)
        self.put("}", 0)

    def write(self):
        self.declare_globals()
        self.declare_structs()
        self.returning()
        for number in range(4):
            self.function(f"f{number}", ["int", "int"])
        self.put("static i32 (*const table[4])(i32, i32) = {f0, f1, f2, f3};", 0)
        for number in range(4, 4 + self.r.randint(1, 3)):
            kinds = [self.r.choice(["int", "wide", "struct", "pointer"])
                     for _ in range(self.r.randint(1, 4))]
            self.function(f"f{number}", kinds)
        self.main()
        return HEAD % self.r.randint(20, 60) + "\n".join(self.lines) + "\n"


class Threads:
    """Threads of a few steps each on shared variables. A step is atomic or
    under the one mutex, so there is no race, and nothing waits for ever."""

    def __init__(self, seed):
        self.r = random.Random(seed)
        self.lines = []
        self.atomics = ["x", "y"]
        self.plain = ["p", "q"]  # under the mutex only

    def put(self, text, level=1):
        self.lines.append("  " * level + text)

    def step(self, me, first=False):
        small = self.r.randint(1, 5)
        atomic = "x" if first else self.r.choice(self.atomics)
        one, two = self.r.sample(self.plain, 2)
        choice = self.r.randint(1, 2) if first else self.r.randrange(10)
        if choice == 0:
            self.put(f"atomic_fetch_add(&{atomic}, {small});")
        elif choice == 1:
            self.put(f"{atomic} = {atomic} * 2 + {small};")
        elif choice == 2:
            self.put(f"seen[{me}] = seen[{me}] * 10 + atomic_exchange(&{atomic}, "
                     f"{small});")
        elif choice == 3:
            self.put(f"old = {self.r.randint(0, 3)};")
            self.put(f"if (atomic_compare_exchange_strong(&{atomic}, &old, {small})) "
                     f"seen[{me}]++;")
            self.put(f"else seen[{me}] += old;")
        elif choice == 4:
            self.put(f"seen[{me}] = seen[{me}] * 10 + {atomic};")
        elif choice < 7:
            self.put("pthread_mutex_lock(&m);")
            self.put(self.r.choice([f"{one} = {one} * 3 + {two} + {small};",
                                    f"{one} += {small}; {two} ^= {one};",
                                    f"if ({one} > {two}) {two} += {small}; "
                                    f"else {one}++;"]))
            self.put("pthread_mutex_unlock(&m);")
        elif choice == 7:
            self.put("pthread_mutex_lock(&m);")
            self.put(f"old = {one};")
            self.put("pthread_mutex_unlock(&m);")
            self.put("pthread_mutex_lock(&m);")
            self.put(f"{one} = old + {small};")
            self.put("pthread_mutex_unlock(&m);")
        elif choice == 8:
            self.put("if (pthread_mutex_trylock(&m) == 0) {")
            self.put(f"{one} += {10 * small};", 2)
            self.put("pthread_mutex_unlock(&m);", 2)
            self.put("}")
        else:
            self.put(f"for (int i = 0; i < 2; i++) {atomic} "
                     f"{self.r.choice(['+=', '^=', '|='])} {small};")

    def write(self):
        count = self.r.randint(2, 3)
        steps = 4 if count == 2 else 3
        semaphore = self.r.randrange(3) == 0
        self.put("#include <pthread.h>", 0)
        self.put("#include <semaphore.h>", 0)
        self.put("#include <stdatomic.h>", 0)
        self.put("#include <stdio.h>", 0)
        self.put("static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;", 0)
        self.put("static sem_t s;", 0)
        self.put(f"static atomic_int x, y = {self.r.randint(0, 3)};", 0)
        self.put(f"static int p = {self.r.randint(0, 3)}, q, seen[{count + 1}];", 0)
        for thread in range(count):
            self.put(f"static void *t{thread}(void *arg) {{", 0)
            self.put("int old = 0;")
            if semaphore and thread == 1:
                self.put("sem_wait(&s);")
            self.step(thread, first=True)  # all on x, and no two commute
            for _ in range(self.r.randint(1, steps - 1)):
                self.step(thread)
            if semaphore and thread == 0:
                self.put("sem_post(&s);")
                self.step(thread)
            self.put("(void)old;")
            self.put("return arg;")
            self.put("}", 0)
        self.put("int main(void) {", 0)
        self.put(f"pthread_t t[{count}];")
        self.put("int old = 0;")
        self.put("sem_init(&s, 0, 0);")
        for thread in range(count):
            self.put(f"pthread_create(&t[{thread}], 0, t{thread}, 0);")
            if self.r.randrange(3) == 0:
                self.step(count)
        order = list(range(count))
        self.r.shuffle(order)
        for thread in order:
            self.put(f"pthread_join(t[{thread}], 0);")
        self.put("(void)old;")
        values = ["x", "y", "p", "q"] + [f"seen[{i}]" for i in range(count + 1)]
        self.put(f"printf(\"{' '.join(['%d'] * len(values))}\\n\", "
                 f"{', '.join(values)});")
        self.put("return 0;")
        self.put("}", 0)
        return "\n".join(self.lines) + "\n"


def main():
    arguments = sys.argv[1:]
    maker = Sequential
    if arguments[:1] == ["--threads"]:
        maker = Threads
        arguments = arguments[1:]
    if len(arguments) != 1 or not arguments[0].isdigit():
        sys.exit(__doc__)
    sys.stdout.write("/* SPDX-License-Identifier: MIT */\n")
    sys.stdout.write(maker(int(arguments[0])).write())


if __name__ == "__main__":
    main()
