# SPDX-License-Identifier: MIT
"""Random programs for weave, and an interpreter of their interleavings that knows
nothing of heddle: threads are lists of small steps, a state is where each stands
and what all variables are.

An assertion is chosen last, by what can be there: one that few of the reachable
states violate, or none. So what is wrong is wrong in a few interleavings only."""

M32 = 0xffffffff
TYPES = {"int": (32, True), "unsigned": (32, False), "unsigned char": (8, False), "signed char": (8, True), "short": (16, True), "unsigned short": (16, False)}


def signed(v):
    return v - (1 << 32) if v >> 31 else v


# --- expressions: registers have 32 bits ---

def evaluate(e, regs):
    op = e[0]
    if op == "c":
        return e[1] & M32
    if op == "r":
        return regs[e[1]]
    if op == "~":
        return ~evaluate(e[1], regs) & M32
    if op in ("&&", "||"):
        a = evaluate(e[1], regs)
        return evaluate(e[2], regs) if bool(a) == (op == "&&") else int(bool(a))
    if op == "!":
        return int(not evaluate(e[1], regs))
    a, b = evaluate(e[1], regs), evaluate(e[2], regs)
    if op == "+":
        return (a + b) & M32
    if op == "-":
        return (a - b) & M32
    if op == "*":
        return (a * b) & M32
    if op == "%":
        return a % b
    if op == "/":
        return a // b
    if op == "&":
        return a & b
    if op == "<<":
        return (a << b) & M32
    if op == "==":
        return int(a == b)
    if op == "!=":
        return int(a != b)
    if op[-1] == "s":
        a, b = signed(a), signed(b)
    return int({"<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[op[:-1]])


def text(e):
    op = e[0]
    if op == "c":
        return "%uu" % (e[1] & M32)
    if op == "r":
        return e[1]
    if op in ("~", "!"):
        return "(%s%s)" % (op, text(e[1]))
    if op in ("&&", "||"):
        return "(%s %s %s)" % (text(e[1]), op, text(e[2]))
    if op[-1] == "s":
        return "((int)%s %s (int)%s)" % (text(e[1]), op[:-1], text(e[2]))
    if op[-1] == "u":
        op = op[:-1]
    return "(%s %s %s)" % (text(e[1]), op, text(e[2]))


# --- steps ---

class Thread:
    """A list of steps and the C text that means the same."""

    def __init__(self, name):
        self.name, self.steps, self.lines, self.regs = name, [], [], {}

    def reg(self, name):
        self.regs[name] = 0
        return name

    def emit(self, step, line=None):
        self.steps.append(step)
        if line is not None:
            self.lines.append(line)
        return len(self.steps) - 1


class Program:
    def __init__(self):
        self.vars = {}      # name: (type, first value)
        self.arrays = {}    # name: (type, count)
        self.threads = []   # main first
        self.mutexes, self.rwlocks = [], []
        self.spots = []     # (thread, step, line): assertions, chosen later
        self.more = ""      # declarations


def key_of(program):
    names = list(program.vars)
    for a, (_, n) in program.arrays.items():
        names += ["%s.%d" % (a, i) for i in range(n)]
    return names


def narrow(value, kind):
    width, sign = TYPES[kind]
    value &= (1 << width) - 1
    if sign and value >> (width - 1):
        value -= 1 << width
    return value & M32


class TooLarge(Exception):
    pass


def explore(program, limit=20000):
    """{(thread, step): set of what registers are there}, and what fails."""
    names = key_of(program)
    at = {n: i for i, n in enumerate(names)}
    kinds = {}
    for n in program.vars:
        kinds[n] = program.vars[n][0]
    for a, (k, n) in program.arrays.items():
        for i in range(n):
            kinds["%s.%d" % (a, i)] = k
    regs = [sorted(t.regs) for t in program.threads]
    rat = [{r: i for i, r in enumerate(rs)} for rs in regs]
    n_threads = len(program.threads)
    memory = tuple(narrow(program.vars[n][1], kinds[n]) if n in program.vars else 0 for n in names)
    first = (tuple([0] + [-1] * (n_threads - 1)), memory, tuple(tuple([0] * len(r)) for r in regs), tuple([-1] * len(program.mutexes)), tuple([(-1, 0)] * len(program.rwlocks)), -1)
    seen, stack, spots, failed, odd = {first}, [first], {}, set(), False
    while stack:
        pcs, mem, rs, mu, rw, inside = stack.pop()
        if pcs[0] == -2:
            continue
        for t in range(n_threads):
            if pcs[t] < 0 or (inside >= 0 and inside != t):
                continue
            step = program.threads[t].steps[pcs[t]]
            env = {r: rs[t][i] for r, i in rat[t].items()}
            op = step[0]
            outs = []  # (pc, mem, regs of t, mu, rw, inside, pcs)

            def go(pc=None, m=mem, e=None, u=mu, w=rw, s=inside, ps=None):
                p = list(pcs if ps is None else ps)
                p[t] = pcs[t] + 1 if pc is None else pc
                r = list(rs)
                if e is not None:
                    r[t] = tuple(e[x] for x in regs[t])
                outs.append((tuple(p), m, tuple(r), u, w, s))

            def put(name, value):
                m = list(mem)
                m[at[name]] = narrow(value, kinds[name])
                return tuple(m)

            if op == "load":
                env[step[1]] = mem[at[step[2]]]
                go(e=env)
            elif op == "store":
                go(m=put(step[1], evaluate(step[2], env)))
            elif op == "loadi":
                i = evaluate(step[3], env)
                if i < program.arrays[step[2]][1]:
                    env[step[1]] = mem[at["%s.%d" % (step[2], i)]]
                    go(e=env)
                else:
                    odd = True
            elif op == "storei":
                i = evaluate(step[2], env)
                if i < program.arrays[step[1]][1]:
                    go(m=put("%s.%d" % (step[1], i), evaluate(step[3], env)))
                else:
                    odd = True
            elif op == "add":
                env[step[1]] = mem[at[step[2]]]
                go(m=put(step[2], mem[at[step[2]]] + step[3]), e=env)
            elif op == "cas":
                good = mem[at[step[2]]] == step[3] & M32
                env[step[1]] = int(good)
                go(m=put(step[2], step[4]) if good else mem, e=env)
            elif op == "set":
                env[step[1]] = evaluate(step[2], env)
                go(e=env)
            elif op == "input":
                for v in range(step[2], step[3] + 1):
                    e = dict(env)
                    e[step[1]] = v & M32
                    go(e=e)
            elif op == "br":
                go(None if evaluate(step[1], env) else step[2])
            elif op == "jmp":
                go(step[1])
            elif op == "assume":
                if evaluate(step[1], env):
                    go()
            elif op == "assert":
                if step[1] is None:
                    spots.setdefault((t, pcs[t]), set()).add(tuple(sorted(env.items())))
                    go()
                elif evaluate(step[1], env):
                    go()
                else:
                    failed.add((t, pcs[t]))
            elif op == "abort":
                pass
            elif op == "lock":
                if mu[step[1]] == -1:
                    go(u=mu[:step[1]] + (t,) + mu[step[1] + 1:])
                elif mu[step[1]] == t:
                    odd = True
            elif op == "try":
                good = mu[step[2]] == -1
                env[step[1]] = 0 if good else 16
                go(e=env, u=mu[:step[2]] + (t,) + mu[step[2] + 1:] if good else mu)
            elif op == "unlock":
                if mu[step[1]] != t:
                    odd = True
                else:
                    go(u=mu[:step[1]] + (-1,) + mu[step[1] + 1:])
            elif op in ("rd", "wr"):
                w, readers = rw[step[1]]
                if w == t or readers >> t & 1:
                    odd = True
                elif w == -1 and (op == "rd" or not readers):
                    new = (w, readers | 1 << t) if op == "rd" else (t, readers)
                    go(w=rw[:step[1]] + (new,) + rw[step[1] + 1:])
            elif op == "unrw":
                w, readers = rw[step[1]]
                if w != t and not readers >> t & 1:
                    odd = True
                else:
                    go(w=rw[:step[1]] + ((-1 if w == t else w, readers & ~(1 << t)),) + rw[step[1] + 1:])
            elif op == "A":
                go(s=t)
            elif op == "E":
                go(s=-1)
            elif op == "create":
                p = list(pcs)
                if p[step[1]] != -1:
                    odd = True
                else:
                    p[step[1]] = 0
                    go(ps=p)
            elif op == "join":
                if pcs[step[1]] == -1:
                    odd = True
                elif pcs[step[1]] == -3:
                    go()
            elif op == "end":
                go(-2 if t == 0 else -3)
            else:
                raise AssertionError(op)
            for s in outs:
                if s not in seen:
                    seen.add(s)
                    stack.append(s)
        if len(seen) > limit:
            raise TooLarge
    return spots, failed, odd


# --- random ones ---

class Maker:
    def __init__(self, rng, style):
        self.rng, self.style = rng, style
        self.program = Program()

    def pick(self, *choices):
        return self.rng.choice(choices)

    def temp(self, t):
        return t.reg("l%d" % self.rng.randrange(3))

    def value(self, t):
        r = self.rng.random()
        regs = [x for x in t.regs if x.startswith("l")] or [self.temp(t)]
        a = ("r", self.rng.choice(regs))
        if r < 0.35:
            return a
        if r < 0.5:
            return ("c", self.pick(0, 1, 2, 3, 255, M32))
        if r < 0.75:
            return (self.pick("+", "-"), a, ("c", self.pick(1, 1, 2, 3)))
        if r < 0.82:
            return (self.pick("+", "-"), a, ("r", self.rng.choice(regs)))
        if r < 0.87:
            return ("*", a, ("c", self.pick(2, 3, M32)))
        if r < 0.9:
            return ("%", a, ("c", self.pick(2, 3, 4)))
        if r < 0.92:
            return ("/", a, ("c", self.pick(2, 3)))
        if r < 0.94:
            return ("&", a, ("c", self.pick(1, 3)))
        if r < 0.96:
            return ("<<", a, ("c", 1))
        return ("~", a)

    def condition(self, t):
        a = ("r", self.temp(t))
        b = self.pick(("c", self.pick(0, 1, 2, 3)), ("r", self.temp(t)))
        c = (self.pick("<u", "<=u", ">u", ">=u", "<s", "<=s", ">s", "==", "!=", "=="), a, b)
        if self.rng.random() < 0.08:
            c = (self.pick("&&", "||"), c, ("!=", ("r", self.temp(t)), ("c", self.pick(0, 1))))
        return c

    def load(self, t, var=None):
        r, v = self.temp(t), var or self.rng.choice(self.mine(t))
        t.emit(("load", r, v), "%s = (unsigned)%s;" % (r, v))

    def mine(self, t):
        return t.shared

    def store(self, t):
        v, e = self.rng.choice(self.mine(t)), self.value(t)
        t.emit(("store", v, e), "%s = %s;" % (v, text(e)))

    def bump(self, t):
        """x = x + c, two accesses."""
        r, v, c = self.temp(t), self.rng.choice(self.mine(t)), self.pick(1, 1, 1, 2, M32)
        t.emit(("load", r, v), "%s = (unsigned)%s;" % (r, v))
        t.emit(("store", v, ("+", ("r", r), ("c", c))), "%s = %s + %uu;" % (v, r, c))

    def move(self, t):
        if self.rng.random() < 0.5:
            self.load(t)
        self.store(t)

    def simple(self, t):
        r = self.rng.random()
        p = self.program
        if r < 0.4:
            self.bump(t)
        elif r < 0.7:
            self.move(t)
        elif r < 0.8:
            self.load(t)
        elif r < (0.92 if t.slot is not None else 0.86) and p.arrays:
            a = self.rng.choice(list(p.arrays))
            n, reg = p.arrays[a][1], self.temp(t)
            if t.slot is not None and self.rng.random() < 0.6:  # by its argument
                i = ("c", t.slot)
                t.emit(("loadi", reg, a, i), "%s = (unsigned)*own;" % reg)
                if self.rng.random() < 0.7:
                    e = self.pick(("+", ("r", reg), ("c", 1)), self.value(t))
                    t.emit(("storei", a, i, e), "*own = %s;" % text(e))
                return
            i = self.pick(("c", self.rng.randrange(n)), ("%", ("r", self.temp(t)), ("c", n)))
            if self.rng.random() < 0.5:
                t.emit(("loadi", reg, a, i), "%s = (unsigned)%s[%s];" % (reg, a, text(i)))
            else:
                e = self.value(t)
                t.emit(("storei", a, i, e), "%s[%s] = %s;" % (a, text(i), text(e)))
        elif r < 0.94:
            reg, v = self.temp(t), "at"
            c = self.pick(1, 2)
            t.emit(("add", reg, v, c), "%s = __atomic_fetch_add(&%s, %d, 5);" % (reg, v, c))
        elif r < 0.96:
            reg, a, b = self.temp(t), self.pick(0, 1), self.pick(0, 1, 2)
            t.emit(("cas", reg, "at", a, b), "{ unsigned want = %d; %s = __atomic_compare_exchange_n(&at, &want, %d, 0, 5, 5); }" % (a, reg, b))
        else:
            reg, e = self.temp(t), self.value(t)
            t.emit(("set", reg, e), "%s = %s;" % (reg, text(e)))

    def several(self, t, deep):
        for _ in range(self.rng.choice([1, 1, 1, 2])):
            self.statement(t, deep)

    def branch(self, t, deep):
        if self.rng.random() < 0.7:
            self.load(t)
        c = self.condition(t)
        at = t.emit(("br", c, None), "if (%s) {" % text(c))
        self.several(t, deep)
        if self.rng.random() < 0.4:
            end = t.emit(("jmp", None), "} else {")
            t.steps[at] = ("br", c, len(t.steps))
            self.several(t, deep)
            t.steps[end] = ("jmp", len(t.steps))
        else:
            t.steps[at] = ("br", c, len(t.steps))
        t.lines.append("}")

    def loop(self, t, deep):
        i, b = t.reg("i%d" % deep), t.reg("b")
        self.loops += 1
        bound = self.pick("n", "n", "n", None)
        t.emit(("set", i, ("c", 0)), "%s = 0;" % i)
        head = len(t.steps)
        t.lines.append("while (1) {")
        if bound:
            t.emit(("load", b, bound), "b = %s;" % bound)
            c = ("<u", ("r", i), ("r", b))
        else:
            c = ("<u", ("r", i), ("c", 2))
        at = t.emit(("br", c, None), "if (!%s) break;" % text(c))
        kind = self.pick("none", "lock", "atomic", "atomic", "rw")
        self.guarded(t, kind, deep)
        t.emit(("set", i, ("+", ("r", i), ("c", 1))), "%s++;" % i)
        t.emit(("jmp", head), "}")
        t.steps[at] = ("br", c, len(t.steps))

    def guarded(self, t, kind, deep):
        if kind != "none" and t.held:
            kind = "none"
        begin = {"lock": (("lock", 0), "pthread_mutex_lock(&m0);"), "lock1": (("lock", 1), "pthread_mutex_lock(&m1);"),
                 "atomic": (("A",), "__VERIFIER_atomic_begin();"), "rw": (("wr", 0), "pthread_rwlock_wrlock(&w0);"), "rd": (("rd", 0), "pthread_rwlock_rdlock(&w0);")}
        end = {"lock": (("unlock", 0), "pthread_mutex_unlock(&m0);"), "lock1": (("unlock", 1), "pthread_mutex_unlock(&m1);"),
               "atomic": (("E",), "__VERIFIER_atomic_end();"), "rw": (("unrw", 0), "pthread_rwlock_unlock(&w0);"), "rd": (("unrw", 0), "pthread_rwlock_unlock(&w0);")}
        if kind != "none":
            t.emit(*begin[kind])
            t.held = kind
        if kind == "lock" and self.rng.random() < 0.12:
            self.wait(t)
        self.several(t, deep + 1)
        if kind != "none":
            t.held = None
            t.emit(*end[kind])

    def wait(self, t):
        """while (!c) pthread_cond_wait: with wake-ups for no reason."""
        self.load(t)
        head = len(t.steps)
        t.lines.append("while (1) {")
        self.load(t)
        c = self.condition(t)
        at = t.emit(("br", c, None), "if (!%s) break;" % text(c))
        t.emit(("unlock", 0), "pthread_cond_wait(&c0, &m0);")
        t.emit(("lock", 0))
        t.emit(("jmp", head), "}")
        t.steps[at] = ("br", c, len(t.steps))

    def trying(self, t, deep):
        if t.held:
            return
        r = t.reg("got")
        t.emit(("try", r, 0), "got = pthread_mutex_trylock(&m0);")
        at = t.emit(("br", ("==", ("r", r), ("c", 0)), None), "if (got == 0) {")
        t.held = "lock"
        self.several(t, deep + 1)
        t.held = None
        t.emit(("unlock", 0), "pthread_mutex_unlock(&m0);")
        t.steps[at] = (t.steps[at][0], t.steps[at][1], len(t.steps))
        t.lines.append("}")

    def spot(self, t):
        for _ in range(self.rng.choice([1, 2])):
            self.load(t)
        at = t.emit(("assert", None), None)
        self.program.spots.append((t, at, len(t.lines)))
        t.lines.append("")

    def statement(self, t, deep):
        r = self.rng.random()
        if deep >= 2 or r < 0.3:
            self.simple(t)
        elif r < 0.42:
            self.branch(t, deep + 1)
        elif r < 0.58 and self.loops < 3:
            self.loop(t, deep + 1)
        elif r < 0.74:
            self.guarded(t, self.pick("lock", "lock", "lock1", "atomic", "atomic", "rw", "rd"), deep)
        elif r < 0.77:
            self.trying(t, deep)
        elif r < 0.81:
            self.load(t)
            c = self.condition(t)
            t.emit(("assume", c), "__VERIFIER_assume(%s);" % text(c))
        elif r < 0.85:
            self.load(t)
            c = self.condition(t) if self.rng.random() < 0.6 else ("==", ("c", 1), ("c", 1))
            at = t.emit(("br", c, None), "if (%s)" % text(c))
            what = self.pick("abort", "abort", "spin", "end")
            if what == "abort":
                t.emit(("abort",), "  abort();")
            elif what == "spin" or t.held or t.name == "main":
                here = len(t.steps)
                t.emit(("jmp", here), "  while (1) {}")
            else:
                t.emit(("end",), "  pthread_exit(0);")
            t.steps[at] = ("br", c, len(t.steps))
        elif r < 0.9 and self.style["early"]:
            self.spot(t)
        elif r < 0.92:
            reg = self.temp(t)
            t.emit(("input", reg, 0, 1), "%s = __VERIFIER_nondet_uint(); __VERIFIER_assume(%s <= 1);" % (reg, reg))
        else:
            self.simple(t)

    def start(self, name):
        t = Thread(name)
        t.held = t.slot = None
        for i in range(3):
            t.reg("l%d" % i)
        return t

    def make(self):
        rng, p = self.rng, self.program
        self.loops = 0
        kinds = ["int", "unsigned", "unsigned", "unsigned char", "short", "signed char", "unsigned short"]
        for v in "xyz":
            k = rng.choice(kinds) if rng.random() < 0.5 else rng.choice(["int", "unsigned"])
            first = 0 if rng.random() < 0.75 else rng.choice([1, 2, M32, 254, 127, 0x7fffffff])
            p.vars[v] = (k, first)
        p.vars["n"] = ("unsigned", 0)
        p.vars["at"] = ("unsigned", 0)
        if rng.random() < (0.9 if self.style["own"] else 0.3):
            p.arrays["a"] = (rng.choice(["int", "unsigned", "unsigned char"]), rng.choice([2, 3]))
        p.mutexes, p.rwlocks = ["m0", "m1"], ["w0"]
        count = rng.choice([2, 2, 2, 3])
        main = self.start("main")
        main.shared = ["x", "y", "z"]
        p.threads.append(main)
        workers = []
        for i in range(count):
            t = self.start("t%d" % (i + 1))
            if p.arrays and self.style["own"]:
                t.slot = i % p.arrays["a"][1]
            t.shared = ["xyz"[i]] if self.style["apart"] else ["x", "y", "z"] if rng.random() < 0.7 else rng.sample(["x", "y", "z"], 2)
            p.threads.append(t)
            workers.append(t)
        twins = rng.random() < 0.3
        for i, t in enumerate(workers):
            if twins and i:
                t.steps, t.lines, t.regs = list(workers[0].steps), list(workers[0].lines), dict(workers[0].regs)
                t.slot = workers[0].slot
                p.spots += [(t, s, l) for w, s, l in p.spots if w is workers[0]]
                continue
            for _ in range(rng.choice([1, 2, 2, 3])):
                self.statement(t, 0)
            t.emit(("end",), None)
        # main
        main.regs["l0"] = 0
        main.emit(("input", "l0", 0, rng.choice([1, 2, 2])), None)
        most = main.steps[-1][3]
        main.lines.append("l0 = __VERIFIER_nondet_uint(); __VERIFIER_assume(l0 <= %d);" % most)
        main.emit(("store", "n", ("r", "l0")), "n = l0;")
        if rng.random() < 0.3:
            self.simple(main)
        joined, created = [], []
        for i in range(count):
            at = None
            if rng.random() < 0.08:
                self.load(main)
                c = self.condition(main)
                at = main.emit(("br", c, None), "if (%s)" % text(c))
            slot = workers[i].slot
            main.emit(("create", i + 1), "pthread_create(&h%d, 0, t%d, %s);" % (i + 1, i + 1, 0 if slot is None else "&a[%d]" % slot))
            if at is not None:
                main.steps[at] = ("br", c, len(main.steps))
            else:
                created.append(i + 1)
            if rng.random() < 0.12:
                self.statement(main, 1)
            if rng.random() < 0.1 and i + 1 in created:
                main.emit(("join", i + 1), "pthread_join(h%d, 0);" % (i + 1))
                joined.append(i + 1)
        for i in created:
            if i not in joined and rng.random() < (0.97 if self.style["joins"] else 0.6):
                main.emit(("join", i), "pthread_join(h%d, 0);" % i)
        if rng.random() < 0.15:
            self.simple(main)
        for r, v in (("l0", "x"), ("l1", "y"), ("l2", "z"), ("b", "n")):
            main.reg(r)
            main.emit(("load", r, v), "%s = (unsigned)%s;" % (r, v))
        at = main.emit(("assert", None), None)
        p.spots.append((main, at, len(main.lines)))
        main.lines.append("")
        main.emit(("end",), None)
        return p

    def candidates(self, t):
        regs = [r for r in t.regs if r[0] in "lb"]
        out = []
        for _ in range(40):
            a, b, c = (("r", self.rng.choice(regs)) for _ in range(3))
            k = ("c", self.pick(0, 0, 1, 2, 3, 4))
            out.append(self.pick(
                ("==", a, b), ("==", a, k), ("==", a, ("+", b, k)), ("==", ("+", a, b), c), ("<=u", a, b), ("<=s", a, b), ("<=u", a, k),
                ("==", ("+", a, b), ("+", c, k)), ("!=", a, b), ("!=", a, k), ("<=s", a, ("+", b, k)), (">=s", a, k), ("==", a, ("*", b, ("c", self.pick(2, 3)))),
                ("||", ("==", a, k), ("==", a, b)), ("<s", ("-", a, b), k), ("==", ("%", a, ("c", 2)), k), ("&&", ("<=u", a, k), ("<=u", b, c))))
        return out


def choose(rng, maker, spots, wrong):
    """Conditions for all assertions: one that few states violate (`wrong`), the others
    hold. None: there is none."""
    p = maker.program
    chosen = []
    order = list(range(len(p.spots)))
    rng.shuffle(order)
    done = False
    for s in order:
        t, at, _ = p.spots[s]
        states = [dict(x) for x in spots.get((p.threads.index(t), at), ())]
        best, share = None, 1.0
        holds = [("==", ("c", 1), ("c", 1))]
        for c in maker.candidates(t):
            bad = sum(1 for x in states if not evaluate(c, x))
            if not bad:
                holds.append(c)
            elif bad / len(states) < share:
                best, share = c, bad / len(states)
        if wrong and not done and best is not None:
            chosen.append((s, best))
            done = True
        else:
            chosen.append((s, holds[-1]))
    if wrong and not done:
        return False
    for s, c in chosen:
        t, at, line = p.spots[s]
        t.steps[at] = ("assert", c)
        t.lines[line] = "assert(%s);" % text(c)
    return True


HEAD = """#include <assert.h>
#include <pthread.h>
extern unsigned __VERIFIER_nondet_uint(void);
extern void __VERIFIER_assume(int);
extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);
extern void abort(void);
static pthread_mutex_t m0 = PTHREAD_MUTEX_INITIALIZER, m1 = PTHREAD_MUTEX_INITIALIZER;
static pthread_rwlock_t w0 = PTHREAD_RWLOCK_INITIALIZER;
static pthread_cond_t c0 = PTHREAD_COND_INITIALIZER;
"""


def source(p):
    out = HEAD
    for v, (k, first) in p.vars.items():
        out += "static %s %s = (%s)%uu;\n" % (k, v, k, first & M32)
    for v, (k, n) in p.arrays.items():
        out += "static %s %s[%d];\n" % (k, v, n)
    for t in p.threads[1:]:
        out += "static void *%s(void *p) {\n  unsigned %s;\n" % (t.name, ", ".join("%s = 0" % r for r in sorted(t.regs)))
        if t.slot is not None:
            out += "  %s *own = p;\n" % p.arrays["a"][0]
        out += "".join("  %s\n" % line for line in t.lines) + "  return p;\n}\n"
    t = p.threads[0]
    out += "int main(void) {\n  pthread_t %s;\n" % ", ".join("h%d" % i for i in range(1, len(p.threads)))
    out += "  unsigned %s;\n" % ", ".join("%s = 0" % r for r in sorted(t.regs))
    return out + "".join("  %s\n" % line for line in t.lines) + "  return 0;\n}\n"


def random_program(rng, wrong):
    """(text, does it fail), or None: too large, or undefined."""
    style = {"early": rng.random() < 0.5, "apart": rng.random() < 0.3, "joins": rng.random() < 0.8, "own": rng.random() < 0.25}
    maker = Maker(rng, style)
    p = maker.make()
    try:
        spots, _, odd = explore(p)
    except TooLarge:
        return None
    if odd or not choose(rng, maker, spots, wrong):
        return None
    return source(p), wrong
