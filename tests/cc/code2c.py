#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Turns a code graph (docs/code.md) back into C, to be compiled and run.

Used to test heddle-cc alone: a program and its graph must do the same. Every
register is a 64-bit word, every edge a goto; undefined behaviour is not looked
for. What cannot be said natively (va_start in the program, several results of an
unknown function) ends the script with a message.

usage: code2c.py FILE.code > FILE.c
"""
import re
import sys

TOKEN = re.compile(r'''"(?:[^"\\]|\\.)*"|[@%&]"(?:[^"\\]|\\.)*"|[@%&][\w.$-]+|'''
                   r'''->|\.\.\.|0x[0-9a-fA-F]+|-?\d+|[A-Za-z_][\w.]*|[(),:=*{}-]''')
INT = {8: 'uint8_t', 16: 'uint16_t', 32: 'uint32_t', 64: 'uint64_t'}


def ctype(t):
    if t == 'ptr':
        return 'void *'
    if t == 'void':
        return 'void'
    if t[0] == 'f':
        return 'double' if t == 'f64' else 'float'
    n = int(t[1:])
    if n == 1:
        return '_Bool'
    return INT[next(w for w in (8, 16, 32, 64) if w >= n)]


def width(t):
    return 64 if t == 'ptr' else int(t[1:])


def to_native(t, e):
    """A word as a value of the C type of t."""
    if t == 'ptr':
        return f'(void *)({e})'
    if t == 'f64':
        return f'to_f64({e})'
    if t == 'f32':
        return f'to_f32({e})'
    return f'({ctype(t)})({e})'


def to_word(t, e):
    if t == 'f64':
        return f'from_f64({e})'
    if t == 'f32':
        return f'from_f32({e})'
    if t == 'ptr':
        return f'(u64)({e})'
    return f'((u64)({e}) & {mask(t)})'


def mask(t):
    return hex((1 << width(t)) - 1) + 'ull'


class Reader:
    def __init__(self, text):
        self.tokens = TOKEN.findall(text)
        self.at = 0

    def peek(self, k=0):
        i = self.at + k
        return self.tokens[i] if i < len(self.tokens) else ''

    def next(self):
        self.at += 1
        return self.tokens[self.at - 1]

    def accept(self, token):
        if self.peek() == token:
            self.at += 1
            return True
        return False

    def expect(self, token):
        got = self.next()
        assert got == token, f'expected {token}, found {got} in {self.tokens}'


CMP = {'eq': '==', 'ne': '!=', 'lt': '<', 'le': '<=', 'gt': '>', 'ge': '>='}
BIN = {'add': '+', 'sub': '-', 'mul': '*', 'udiv': '/', 'urem': '%', 'and': '&',
       'or': '|', 'xor': '^'}


class Program:
    def __init__(self):
        self.names = {}
        self.functions = {}
        self.out = []

    def name(self, token):
        if token not in self.names:
            self.names[token] = f'n{len(self.names)}'
        return self.names[token]

    # --- expressions: (type, C text of a word) ---

    def expr(self, r, fn):
        t = r.next()
        if t == 'null':
            return 'ptr', '0ull'
        if t == 'undef':
            r.expect(':')
            return r.next(), '0ull'
        if t[0] == '%':
            return fn.regs[t], fn.reg(t)
        if t[0] == '&':
            return 'ptr', f'(u64){fn.slot(t)}'
        if t[0] == '@':
            return 'ptr', f'(u64){self.name(t)}'
        if re.match(r'-?\d|0x', t):
            r.expect(':')
            ty = r.next()
            return ty, f'{int(t, 0) & ((1 << width(ty)) - 1)}ull'
        parts = t.split('.')
        op, ty = parts[0], parts[1]
        args = []
        r.expect('(')
        while not r.accept(')'):
            args.append(self.expr(r, fn))
            r.accept(',')
        return ty, self.operation(op, ty, args)

    def operation(self, op, ty, args):
        a = args[0][1]
        at = args[0][0]
        b = args[1][1] if len(args) > 1 else None
        m = mask(ty)
        w = width(ty)
        aw = width(at)
        if op in BIN:
            return f'(({a} {BIN[op]} {b}) & {m})'
        if op in ('sdiv', 'srem'):
            return f'((u64)(sx({a}, {w}) {"/" if op == "sdiv" else "%"} sx({b}, {w})) & {m})'
        if op == 'shl':
            return f'(({a} << {b}) & {m})'
        if op == 'lshr':
            return f'({a} >> {b})'
        if op == 'ashr':
            return f'((u64)(sx({a}, {w}) >> {b}) & {m})'
        if op in ('eq', 'ne'):
            return f'((u64)({a} {CMP[op]} {b}))'
        if op[0] in 'us' and op[1:] in CMP:
            if op[0] == 'u':
                return f'((u64)({a} {CMP[op[1:]]} {b}))'
            return f'((u64)(sx({a}, {aw}) {CMP[op[1:]]} sx({b}, {aw})))'
        if op.endswith('_overflows'):
            c = {'add': '+', 'sub': '-', 'mul': '*'}[op[1:4]]
            if op[0] == 's':
                return f'((u64)!fits_s((__int128)sx({a}, {aw}) {c} sx({b}, {aw}), {aw}))'
            return f'((u64)!fits_u((__int128){a} {c} (__int128){b}, {aw}))'
        if op in ('fadd', 'fsub', 'fmul', 'fdiv'):
            c = {'a': '+', 's': '-', 'm': '*', 'd': '/'}[op[1]]
            return to_word(ty, f'{to_native(ty, a)} {c} {to_native(ty, b)}')
        if op == 'frem':
            return to_word(ty, f'{"fmod" if w == 64 else "fmodf"}({to_native(ty, a)}, {to_native(ty, b)})')
        if op == 'fneg':
            return f'({a} ^ (1ull << {w - 1}))'
        if op == 'fabs':
            return f'({a} & ~(1ull << {w - 1}))'
        if op[:2] in ('fo', 'fu') and (op[2:] in CMP or op in ('ford', 'funo')):
            x, y = to_native(at, a), to_native(at, b)
            un = f'__builtin_isunordered({x}, {y})'
            if op in ('ford', 'funo'):
                return f'((u64)({"!" if op == "ford" else ""}{un}))'
            base = f'({x} {CMP[op[2:]]} {y})'
            return f'((u64)(!{un} && {base}))' if op[1] == 'o' else f'((u64)({un} || {base}))'
        if op == 'trunc':
            return f'({a} & {m})'
        if op in ('zext', 'ptrtoint', 'inttoptr', 'bitcast'):
            return f'({a} & {m})'
        if op == 'sext':
            return f'((u64)sx({a}, {aw}) & {m})'
        if op in ('fptrunc', 'fpext'):
            return to_word(ty, f'({ctype(ty)}){to_native(at, a)}')
        if op == 'fptosi':
            return f'((u64)(int64_t){to_native(at, a)} & {m})'
        if op == 'fptoui':
            return f'((u64){to_native(at, a)} & {m})'
        if op == 'sitofp':
            return to_word(ty, f'({ctype(ty)})sx({a}, {aw})')
        if op == 'uitofp':
            return to_word(ty, f'({ctype(ty)})({a})')
        if op == 'ptradd':
            return f'({a} + {b})'
        if op == 'select':
            return f'({a} ? {b} : {args[2][1]})'
        if op == 'ctpop':
            return f'((u64)__builtin_popcountll({a}))'
        if op == 'ctlz':
            return f'(u64)({a} ? __builtin_clzll({a}) - {64 - w} : {w})'
        if op == 'cttz':
            return f'(u64)({a} ? __builtin_ctzll({a}) : {w})'
        if op == 'bswap':
            return f'(__builtin_bswap64({a}) >> {64 - w})'
        if op == 'abs':
            return f'((u64)(sx({a}, {w}) < 0 ? 0 - {a} : {a}) & {m})'
        if op in ('smin', 'smax'):
            c = '<' if op == 'smin' else '>'
            return f'(sx({a}, {w}) {c} sx({b}, {w}) ? {a} : {b})'
        if op in ('umin', 'umax'):
            c = '<' if op == 'umin' else '>'
            return f'({a} {c} {b} ? {a} : {b})'
        if op == 'within':
            return a
        raise SystemExit(f'code2c: operation {op}')


class Function:
    def __init__(self, program, line):
        self.p = program
        r = Reader(line)
        r.expect('function')
        self.token = r.next()
        if r.peek().startswith('"'):
            r.next()
        r.expect('(')
        self.params = []
        self.variadic = False
        while not r.accept(')'):
            t = r.next()
            if t == '...':
                self.variadic = True
            else:
                self.params.append(t)
            r.accept(',')
        r.expect('->')
        self.results = [r.next()]
        while r.accept(','):
            self.results.append(r.next())
        if self.results == ['void']:
            self.results = []
        self.external = 'external' in r.tokens[r.at:]
        self.regs = {}
        self.slots = {}
        self.locations = []

    def reg(self, t):
        return 'r' + re.sub(r'\W', lambda c: f'_{ord(c[0]):x}_', t)

    def slot(self, t):
        return 's' + re.sub(r'\W', lambda c: f'_{ord(c[0]):x}_', t)

    def result_type(self):
        if not self.results:
            return 'void'
        if len(self.results) == 1:
            return ctype(self.results[0])
        return 'struct ' + self.p.name(self.token) + '_r'

    def types(self):
        return self.params if self.external else [self.regs[p] for p in self.params]

    def prototype(self, names=False):
        types = self.types()
        ps = [ctype(t) + (f' p{i}' if names else '') for i, t in enumerate(types)]
        if self.variadic:
            ps.append('...')
        if ps == ['...']:
            ps = []
        elif not ps:
            ps = ['void']
        return f'{self.result_type()} {self.p.name(self.token)}({", ".join(ps)})'

    def struct(self):
        if len(self.results) > 1:
            fields = ' '.join(f'{ctype(t)} v{i};' for i, t in enumerate(self.results))
            return f'{self.result_type()} {{ {fields} }};'
        return ''

    # --- edges ---

    def text(self, r):
        return self.p.expr(r, self)

    def targets(self, r):
        ts = []
        while r.peek().startswith('%'):
            ts.append(r.next())
            r.accept(',')
        r.expect('=')
        return ts

    def edge(self, line):
        """(guard or None, C statements)"""
        r = Reader(line)
        r.expect('->')
        to = r.next()
        if not r.accept('-'):
            for _ in range(5):
                r.next()
        word = r.next()
        parts = word.split('.')
        act = parts[0]
        go = f'goto L{to};'
        if act == 'skip':
            return None, go
        if act == 'when':
            return self.text(r)[1], go
        if act == 'set':
            ts = self.targets(r)
            values = []
            for _ in ts:
                values.append(self.text(r)[1])
                r.accept(',')
            guard = self.text(r)[1] if r.accept('when') else None
            code = ' '.join(f'u64 t{i} = {v};' for i, v in enumerate(values))
            code += ' '.join(f' {self.reg(t)} = t{i};' for i, t in enumerate(ts))
            return guard, f'{{ {code} }} {go}'
        if act == 'load':
            t = self.targets(r)[0]
            ty = self.regs[t]
            return None, f'{self.reg(t)} = load({self.text(r)[1]}, {(width(ty) + 7) // 8}) & {mask(ty)}; {go}'
        if act == 'store':
            a = self.text(r)[1]
            r.expect('=')
            ty, v = self.text(r)
            return None, f'store({a}, {(width(ty) + 7) // 8}, {v}); {go}'
        if act == 'rmw':
            t = self.targets(r)[0]
            ty = self.regs[t]
            a = self.text(r)[1]
            r.expect(',')
            v = self.text(r)[1]
            old = self.reg(t)
            names = {'add': 'add', 'sub': 'sub', 'and': 'and', 'or': 'or', 'xor': 'xor',
                     'max': 'smax', 'min': 'smin', 'umax': 'umax', 'umin': 'umin',
                     'fadd': 'fadd', 'fsub': 'fsub'}
            x = [(ty, 'o'), (ty, 'v')]
            if parts[1] == 'xchg':
                new = 'v'
            elif parts[1] == 'nand':
                new = f'(~(o & v) & {mask(ty)})'
            else:
                new = self.p.operation(names[parts[1]], ty, x)
            n = (width(ty) + 7) // 8
            return None, (f'{{ u64 p = {a}, v = {v}, o, n; do {{ o = load(p, {n}); n = {new}; }} '
                          f'while (!cas(p, {n}, o, n)); {old} = o; }} {go}')
        if act == 'cmpxchg':
            ts = self.targets(r)
            n = (width(self.regs[ts[0]]) + 7) // 8
            vs = []
            for _ in range(3):
                vs.append(self.text(r)[1])
                r.accept(',')
            old, ok = self.reg(ts[0]), self.reg(ts[1])
            return None, (f'{{ u64 p = {vs[0]}, e = {vs[1]}, v = {vs[2]}; for (;;) {{ {old} = load(p, {n}); '
                          f'{ok} = {old} == e; if (!{ok} || cas(p, {n}, e, v)) break; }} }} {go}')
        if act == 'fence':
            return None, '__atomic_thread_fence(5); ' + go
        if act == 'alloca':
            t = self.targets(r)[0]
            return None, f'{self.reg(t)} = (u64)__builtin_alloca({self.text(r)[1]} + 16) + 15 & ~15ull; {go}'
        if act == 'call':
            return None, self.call(r) + ' ' + go
        if act == 'return':
            vs = []
            while r.peek():
                vs.append(self.text(r))
                r.accept(',')
            if not vs:
                return None, 'return;'
            native = [to_native(t, v) for t, v in vs]
            if len(vs) == 1:
                return None, f'return {native[0]};'
            return None, f'return ({self.result_type()}){{ {", ".join(native)} }};'
        if act == 'unreachable':
            return None, '__builtin_trap();'
        if act == 'unsupported':
            return None, '__builtin_trap();'
        raise SystemExit(f'code2c: action {act}')

    def call(self, r):
        ts = []
        if r.peek().startswith('%'):
            save = r.at
            while r.peek().startswith('%'):
                ts.append(r.next())
                r.accept(',')
            if not r.accept('='):
                r.at, ts = save, []
        indirect = r.accept('*')
        if indirect:
            callee, f = self.text(r)[1], None
        else:
            token = r.next()
            f = self.p.functions[token]
            callee = self.p.name(token)
        args = []
        r.expect('(')
        while not r.accept(')'):
            args.append(self.text(r))
            r.accept(',')
        if f and f.token in ('@llvm.stackrestore', '@llvm.va_end',
                               '@llvm.lifetime.start', '@llvm.lifetime.end'):
            return ''
        if f and f.token == '@llvm.stacksave':
            return f'{self.reg(ts[0])} = 0;'
        if f and f.token.startswith('@llvm.') and f.token != '@llvm.trap':
            raise SystemExit(f'code2c: {f.token}')
        if f and f.token == '@llvm.trap':
            return '__builtin_trap();'
        native = ', '.join(to_native(t, v) for t, v in args)
        if indirect:
            if len(ts) > 1:
                raise SystemExit('code2c: several results of an indirect call')
            result = ctype(self.regs[ts[0]]) if ts else 'void'
            types = ', '.join(ctype(t) for t, _ in args) or 'void'
            call = f'(({result} (*)({types}))({callee}))({native})'
        else:
            call = f'{callee}({native})'
        if not ts:
            return call + ';'
        if len(ts) == 1:
            return f'{self.reg(ts[0])} = {to_word(self.regs[ts[0]], call)};'
        struct = f.result_type()
        code = f'{{ {struct} v = {call}; '
        for i, t in enumerate(ts):
            code += f'{self.reg(t)} = {to_word(self.regs[t], f"v.v{i}")}; '
        return code + '}'

    def body(self):
        out = [f'{self.prototype(True)} {{']
        for t in self.regs:
            out.append(f'  u64 {self.reg(t)} = 0;')
        for t, (size, align) in self.slots.items():
            out.append(f'  char {self.slot(t)}[{max(size, 1)}] __attribute__((aligned({align})));')
        for i, t in enumerate(self.params):
            out.append(f'  {self.reg(t)} = {to_word(self.regs[t], f"p{i}")};')
        for number, edges in self.locations:
            out.append(f'L{number}:')
            for line in edges:
                guard, code = self.edge(line)
                out.append(f'  if ({guard}) {{ {code} }}' if guard else f'  {code}')
            out.append('  __builtin_trap();')
        out.append('}')
        return '\n'.join(out)


PRELUDE = r'''#include <stdint.h>
#include <stdatomic.h>
typedef uint64_t u64;
void *memcpy(void *, const void *, unsigned long);
double fmod(double, double);
float fmodf(float, float);
static inline int64_t sx(u64 v, int w) { return (int64_t)(v << (64 - w)) >> (64 - w); }
static inline int fits_s(__int128 v, int w) { return v >= -((__int128)1 << (w - 1)) && v < (__int128)1 << (w - 1); }
static inline int fits_u(__int128 v, int w) { return v >= 0 && v < (__int128)1 << w; }
static inline double to_f64(u64 v) { double d; memcpy(&d, &v, 8); return d; }
static inline float to_f32(u64 v) { float d; memcpy(&d, &v, 4); return d; }
static inline u64 from_f64(double d) { u64 v; memcpy(&v, &d, 8); return v; }
static inline u64 from_f32(float d) { u64 v = 0; memcpy(&v, &d, 4); return v; }
static inline u64 load(u64 p, int n) {
  u64 v = 0;
  if (!(p % n)) switch (n) {
    case 1: return __atomic_load_n((uint8_t *)p, 5);
    case 2: return __atomic_load_n((uint16_t *)p, 5);
    case 4: return __atomic_load_n((uint32_t *)p, 5);
    case 8: return __atomic_load_n((uint64_t *)p, 5);
  }
  memcpy(&v, (void *)p, n);
  return v;
}
static inline void store(u64 p, int n, u64 v) {
  if (!(p % n)) switch (n) {
    case 1: __atomic_store_n((uint8_t *)p, v, 5); return;
    case 2: __atomic_store_n((uint16_t *)p, v, 5); return;
    case 4: __atomic_store_n((uint32_t *)p, v, 5); return;
    case 8: __atomic_store_n((uint64_t *)p, v, 5); return;
  }
  memcpy((void *)p, &v, n);
}
static inline int cas(u64 p, int n, u64 e, u64 v) {
  uint8_t e1 = e; uint16_t e2 = e; uint32_t e4 = e;
  switch (n) {
    case 1: return __atomic_compare_exchange_n((uint8_t *)p, &e1, v, 0, 5, 5);
    case 2: return __atomic_compare_exchange_n((uint16_t *)p, &e2, v, 0, 5, 5);
    case 4: return __atomic_compare_exchange_n((uint32_t *)p, &e4, v, 0, 5, 5);
  }
  return __atomic_compare_exchange_n((uint64_t *)p, &e, v, 0, 5, 5);
}
'''


def symbol_text(token):
    return token[1:] if token[1] != '"' else token[2:-1]


def read_global(p, line):
    r = Reader(line)
    r.expect('global')
    g = {'token': r.next(), 'bytes': '', 'relocs': [], 'tls': False, 'external': False,
         'align': 1, 'size': 0, 'line': line}
    if r.peek().startswith('"'):
        r.next()
    # hexadecimal bytes are no tokens: cut them out first
    found = re.search(r' bytes ([0-9a-f]+)', line)
    if found:
        g['bytes'] = found[1]
        r = Reader(line.replace(found[0], ''))
        r.next(), r.next()
    words = r.tokens
    for i, w in enumerate(words):
        if w in ('size', 'align'):
            g[w] = int(words[i + 1])
        if w in ('tls', 'external'):
            g[w] = True
    i = 0
    while i < len(words):
        if words[i] == 'reloc':
            r.at = i + 1
            offset = int(r.next())
            g['relocs'].append((offset, p.expr(r, None)[1]))
            i = r.at
        else:
            i += 1
    return g


def main():
    if len(sys.argv) != 2:
        raise SystemExit(__doc__)
    p = Program()
    lines = [l.strip() for l in open(sys.argv[1], encoding='utf-8', errors='surrogateescape')]
    global_lines = [l for l in lines if l.startswith('global ')]
    current = None
    defined = []
    for line in lines:
        if line.startswith('function '):
            current = Function(p, line)
            p.functions[current.token] = current
            if not current.external:
                defined.append(current)
        elif line.startswith('reg '):
            w = line.split()
            current.regs[w[1]] = w[2]
        elif line.startswith('slot '):
            w = Reader(line).tokens
            current.slots[w[1]] = (int(w[w.index('size') + 1]), int(w[w.index('align') + 1]))
        elif line.startswith('location '):
            current.locations.append((line.split()[1], []))
        elif line.startswith('->'):
            current.locations[-1][1].append(line)
    out = [PRELUDE]
    for f in p.functions.values():
        out.append(f.struct())
        label = f' __asm__("{symbol_text(f.token)}")' if f.external or f.token == '@main' else ''
        if f.token.startswith('@llvm.'):
            continue
        out.append(('extern ' if f.external or f.token == '@main' else 'static ') + f.prototype() + label + ';')
    globals_ = [read_global(p, l) for l in global_lines]
    init = []
    for g in globals_:
        name = p.name(g['token'])
        tls = '_Thread_local ' if g['tls'] else ''
        if g['external']:
            out.append(f'extern {tls}char {name}[] __asm__("{symbol_text(g["token"])}");')
            continue
        data = bytes.fromhex(g['bytes'])
        text = ', '.join(str(b) for b in data)
        const = 'const ' if ' const' in g['line'].split('bytes')[0] and not g['relocs'] else ''
        out.append(f'static {tls}{const}unsigned char {name}[{max(g["size"], 1)}] '
                   f'__attribute__((aligned({g["align"]})))' + (f' = {{ {text} }};' if data else ';'))
        for offset, e in g['relocs']:
            init.append(f'  store((u64){name} + {offset}, 8, {e});')
    out.append('static __attribute__((constructor)) void start(void) {\n' + '\n'.join(init) + '\n}')
    for f in defined:
        out.append(f.body())
    print('\n'.join(out))


main()
