#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Another checker of evidence, written from docs/evidence.md and docs/formats.md
alone, to see whether they are enough to write one.

    tests/evidence/check_evidence.py MODEL EVIDENCE

MODEL is a .tts without structured comments, or a .spec without equality tests in
guards. Exit status: 0 accepted, 10 refused, 2 not evidence for this model."""

import itertools
import re
import sys

OMEGA = float("inf")
NOWHERE = -1


class Bad(Exception):
    """Not evidence, or not a model we read."""


class Refused(Exception):
    pass


class Transition:
    def __init__(self, source, to, pre, post, moves=(), caps=()):
        self.source, self.to = source, to
        self.pre, self.post = dict(pre), dict(post)
        self.moves, self.caps = list(moves), dict(caps)

    def key(self):
        return (self.source, self.to, tuple(sorted(self.pre.items())),
                tuple(sorted(self.post.items())), tuple(self.moves))


class Net:
    def __init__(self):
        self.shared, self.places, self.transitions = ["0"], [], []
        self.start, self.least, self.most, self.targets = 0, {}, {}, []

    def edges_of(self, target):
        return range(len(self.shared)) if target[0] is None else [target[0]]


# ------------------------------------------------------------------- models


def read_tts(text, prop):
    net, seen, header = Net(), set(), None

    def target(words):
        shared, locals_ = words.split("|")
        need = {}
        for part in locals_.split(","):
            part = part.strip()
            if part == "*":
                continue
            name, _, count = part.partition("*")
            need[int(name)] = need.get(int(name), 0) + int(count or 1)
        net.targets.append((None if shared.strip() == "*" else int(shared),
                            need, {}))
    for line in text.split("\n"):
        if re.match(r"\s*#\s*heddle:", line):
            raise Bad("structured comments")
        words = line.split("#")[0].split()
        if not words:
            continue
        if header is None:
            header = [int(w) for w in words]
            net.shared = [str(i) for i in range(header[0])]
            net.places = [str(i) for i in range(header[1])]
        elif "|" in line.split("#")[0]:
            target("".join(words))
        else:
            s, l, kind, t, m = words[:5]
            s, l, t, m = int(s), int(l), int(t), int(m)
            moves = [(int(words[i]), int(words[i + 2]))
                     for i in range(5, len(words), 3)]
            if kind == "->":
                step = Transition(s, t, {l: 1}, {m: 1}, moves)
            elif kind == "+>":
                post = {l: 1}
                post[m] = post.get(m, 0) + 1
                step = Transition(s, t, {l: 1}, post)
            else:
                step = Transition(s, t, {}, {}, [(l, m)])
            step.moves = sorted(
                {(a, b) for a, b in step.moves
                 if a != b or any(x == a and y != a for x, y in step.moves)})
            if step.key() not in seen:
                seen.add(step.key())
                net.transitions.append(step)
    for line in prop.replace(";", "\n").split("\n"):
        if "|" in line.split("#")[0]:
            target(line.split("#")[0])
    net.most = {0: OMEGA}
    return net


def read_spec(text):
    if re.search(r"#\s*heddle:", text):
        raise Bad("structured comments")
    text = re.sub(r"#.*", "", text)
    sections = re.split(r"\b(vars|rules|init|target|invariants)\b", text)
    parts = dict(zip(sections[1::2], sections[2::2]))
    net = Net()
    net.places = parts["vars"].split()
    number = {name: i for i, name in enumerate(net.places)}
    bound = re.compile(r"([\w']+)\s*(>=|=|in)\s*(\[[^\]]*\]|\d+)")

    def bounds(words):
        for name, kind, value in bound.findall(words):
            low, high = (map(int, re.findall(r"\d+", value)) if kind == "in"
                         else (int(value), OMEGA if kind == ">=" else int(value)))
            yield number[name], low, high
    for rule in parts["rules"].split(";"):
        if not rule.strip():
            continue
        guard, updates = rule.split("->")
        pre = {p: low for p, low, high in bounds(guard) if low}
        if any(high != OMEGA for _, _, high in bounds(guard)):
            raise Bad("equality tests")
        flows, effect, updated = {}, {}, set()
        for left, right in re.findall(r"([\w']+)'\s*=\s*([^,]+)", updates):
            here = number[left]
            updated.add(here)
            for sign, word in re.findall(r"([+-]?)\s*([\w']+)", right):
                if word.isdigit():
                    value = -int(word) if sign == "-" else int(word)
                    effect[here] = effect.get(here, 0) + value
                else:
                    flows[number[word]] = here
        moves = [(p, flows.get(p, NOWHERE)) for p in sorted(updated)
                 if flows.get(p, NOWHERE) != p]
        moves += [(p, to) for p, to in flows.items() if p not in updated]
        if moves:
            raise Bad("transfers")
        post = {p: pre.get(p, 0) + effect.get(p, 0)
                for p in set(pre) | set(effect)}
        net.transitions.append(Transition(0, 0, pre, {p: n for p, n in
                                                      post.items() if n}))
    for place, low, high in bounds(parts["init"]):
        net.least[place], net.most[place] = low, high
    for line in re.split(r"(?<=\d|\])\s+(?=[\w'])", parts.get("target", "").strip()):
        found = list(bounds(line))
        if found:
            net.targets.append((None, {p: low for p, low, _ in found if low},
                                {p: high for p, _, high in found if high != OMEGA}))
    return net


def read_model(path):
    with open(path) as file:
        text = file.read()
    if path.endswith(".spec"):
        return read_spec(text)
    prop = ""
    if not re.search(r"^[^#]*\|", text, re.M):
        for name in (path[:-4] + ".prop", path + ".prop"):
            try:
                with open(name) as file:
                    prop = file.read()
                break
            except OSError:
                pass
    return read_tts(text, prop)


# ----------------------------------------------------------------- evidence


def words_of(line):
    """Section 1."""
    words, at = [], 0
    for found in re.finditer(
            r'"((?:[^"\\]|\\.)*)"|([=|>:])|([^\s=|>:"#]+)|(#.*)|(\s+)|(.)', line):
        quoted, sign, word, comment, _, wrong = found.groups()
        if found.start() != at or wrong is not None:
            raise Bad(f"'{line}'")
        at = found.end()
        if quoted is not None:
            words.append('"' + re.sub(r"\\x(..)|\\(.)", lambda m: chr(int(
                m.group(1), 16)) if m.group(1) else m.group(2), quoted))
        elif comment is None and (sign or word):
            words.append(sign or word)
    return words


class Reader:
    def __init__(self, net, text):
        self.net = net
        self.lines = [w for w in map(words_of, text.split("\n")) if w]
        self.at = 0

    def peek(self):
        return self.lines[self.at][0] if self.at < len(self.lines) else ""

    def take(self, word=None):
        if self.at >= len(self.lines) or (word and self.peek() != word):
            raise Bad(f"expected {word}")
        self.at += 1
        return self.lines[self.at - 1]

    def state(self, word, names):
        if word.startswith("@") and word[1:].isdigit():
            number = int(word[1:])
            if number >= len(names):
                raise Bad(word)
            return number
        name = word[1:] if word.startswith('"') else word
        found = [i for i, n in enumerate(names) if n == name]
        if len(found) != 1:
            raise Bad(f"no state {name}")
        return found[0]

    def place(self, word):
        return self.state(word, self.net.places)

    def counted(self, words, resolve, omega=False, signed=False, default=True):
        """STATE [= NUM] …"""
        found, at = {}, 0
        while at < len(words):
            who, value = resolve(words[at]), 1
            at += 1
            if at < len(words) and words[at] == "=":
                if at + 1 >= len(words):
                    raise Bad("a count")
                value = self.number(words[at + 1], omega, signed)
                at += 2
            elif not default:
                raise Bad("a count is missing")
            if who in found:
                raise Bad("twice")
            found[who] = value
        return found

    @staticmethod
    def number(word, omega=False, signed=False):
        if omega and word == "w":
            return OMEGA
        if not re.match(r"-?\d+$" if signed else r"\d+$", word):
            raise Bad(word)
        value = int(word)
        if (not signed and not 1 <= value < 1 << 30) or abs(value) >= 1 << 63:
            raise Bad(word)
        return value

    def config(self, words, omega=False):
        if len(words) < 2 or words[1] != "|":
            raise Bad("a configuration")
        return (self.state(words[0], self.net.shared),
                self.counted(words[2:], self.place, omega))

    def many(self, words, read):
        if len(words) != 2 or not words[1].isdigit():
            raise Bad(words[0])
        return [read(self.take()) for _ in range(int(words[1]))]

    def head(self):
        first = self.take("heddle")
        if first[1:] not in (["witness", "1"], ["certificate", "1"]):
            raise Bad("version")
        numbers = self.take("model")
        if numbers[1:7:2] != ["shared", "places", "transitions"] or \
                [int(n) for n in numbers[2:8:2]] != [
                    len(self.net.shared), len(self.net.places),
                    len(self.net.transitions)]:
            raise Bad("another model")
        return first[1]

    def end(self):
        if self.take("end") != ["end"] or self.at != len(self.lines):
            raise Bad("behind the end")


# ---------------------------------------------------------------- witnesses


def fire(net, state, t, choices):
    s, tokens = state
    if s != t.source or any(tokens.get(p, 0) < n for p, n in t.pre.items()) or \
            any(tokens.get(p, 0) > c for p, c in t.caps.items()):
        raise Refused("cannot fire")
    rest = dict(tokens)
    for p, n in t.pre.items():
        rest[p] -= n
    arriving = {}
    for (a, b), n in choices.items():
        if (a, b) not in t.moves or rest.get(a, 0) < n:
            raise Refused("a choice that is none")
        rest[a] -= n
        arriving[b] = arriving.get(b, 0) + n
    for a in {a for a, _ in t.moves}:
        destinations = [b for x, b in t.moves if x == a]
        if rest.get(a, 0) and len(destinations) > 1:
            raise Refused("tokens that do not choose")
        arriving[destinations[0]] = \
            arriving.get(destinations[0], 0) + rest.pop(a, 0)
    for b, n in arriving.items():
        if b != NOWHERE:
            rest[b] = rest.get(b, 0) + n
    for p, n in t.post.items():
        rest[p] = rest.get(p, 0) + n
    return t.to, rest


def check_witness(net, reader):
    words = reader.take("target")
    if len(words) != 2 or not words[1].isdigit() or \
            int(words[1]) >= len(net.targets):
        raise Bad("target")
    target = net.targets[int(words[1])]
    init = reader.counted(reader.take("init")[1:], reader.place)
    expected = int(reader.take("steps")[1])
    state, made, steps = (net.start, init), 0, []
    while reader.peek() != "end":
        words = reader.take()
        found = re.match(r"t(\d+)$", words[0])
        if not found or int(found.group(1)) >= len(net.transitions):
            raise Bad(words[0])
        rest, times, choices = words[1:], 1, {}
        if rest[:1] == ["x"]:
            times, rest = int(rest[1]), rest[2:]
        if rest:
            if rest[0] != ":":
                raise Bad("a step")
            at = 1
            while at < len(rest):
                a = reader.place(rest[at])
                if rest[at + 1] != ">":
                    raise Bad("a choice")
                b = NOWHERE if rest[at + 2] == "@nowhere" else \
                    reader.place(rest[at + 2])
                at, n = at + 3, 1
                if at < len(rest) and rest[at] == "=":
                    n, at = reader.number(rest[at + 1]), at + 2
                choices[a, b] = choices.get((a, b), 0) + n
        steps.append((net.transitions[int(found.group(1))], times, choices))
        made += times
    reader.end()
    if made != expected:
        raise Bad("another number of steps")
    for p in range(len(net.places)):
        if not net.least.get(p, 0) <= init.get(p, 0) <= net.most.get(p, 0):
            raise Refused("not an initial configuration")
    for t, times, choices in steps:
        for _ in range(times):
            state = fire(net, state, t, choices)
    shared, need, caps = target
    if (shared is not None and state[0] != shared) or \
            any(state[1].get(p, 0) < n for p, n in need.items()) or \
            any(state[1].get(p, 0) > c for p, c in caps.items()):
        raise Refused("not in the target")


# ------------------------------------------------------------- certificates


def below(a, b):
    return all(n <= b.get(p, 0) for p, n in a.items())


class Certificate:
    """Sections 4.3 to 4.8."""

    def __init__(self, net):
        self.net, self.rows, self.proved = net, None, []
        self.important = None

    def excluded(self, s, tokens):
        if self.rows is not None and (
                s not in self.rows or
                any(n and p not in self.rows[s] for p, n in tokens.items())):
            return True
        return any(potential.get(s, 0) + sum(weight.get(p, 0) * n
                   for p, n in tokens.items()) > bound
                   for potential, weight, bound in self.proved)

    def can_fire(self, t):
        return all(t.pre.get(p, 0) <= c for p, c in t.caps.items()) and \
            not self.excluded(t.source, t.pre)

    def is_open(self, target, s):
        shared, need, caps = target
        return (shared is None or shared == s) and \
            all(need.get(p, 0) <= c for p, c in caps.items()) and \
            not self.excluded(s, need)

    def work_out(self):
        """Which transitions matter, by what is proved."""
        live = {s for target in self.net.targets
                for s in self.net.edges_of(target) if self.is_open(target, s)}
        firing = [t for t in self.net.transitions if self.can_fire(t)]
        grows = True
        while grows:
            more = {t.source for t in firing if t.to in live} - live
            live |= more
            grows = bool(more)
        self.important = [t for t in firing if t.to in live]

    def matter(self):
        return [t for t in self.important if self.can_fire(t)]

    def check_rows(self, rows):
        net = self.net
        if net.start not in rows or any(most and p not in rows[net.start]
                                        for p, most in net.most.items()):
            raise Refused("T: the start")
        for t in self.matter():
            if t.source not in rows or not set(t.pre) <= rows[t.source]:
                continue
            row = rows[t.source]
            moving = {a for a, _ in t.moves}
            wanted = {p for p in row if p not in moving} | \
                {b for a, b in t.moves if a in row and b != NOWHERE} | set(t.post)
            if t.to not in rows or not wanted <= rows[t.to]:
                raise Refused("T: a transition leads out of it")
        self.rows = rows

    def check_linear(self, potential, weight, uses, bound, traps):
        net = self.net
        raised, heavier, higher = dict(potential), dict(weight), bound
        if any(w < 0 for w in weight.values()):
            raise Bad("a negative weight")
        for number, times in uses.items():
            if times <= 0 or not 1 <= number <= len(traps):
                raise Bad("uses")
            shared, places = traps[number - 1]
            for s in shared:
                raised[s] = raised.get(s, 0) + times
            for p in places:
                heavier[p] = heavier.get(p, 0) + times
            higher += times
        start = raised.get(net.start, 0)
        for p, w in heavier.items():
            if w and net.most.get(p, 0) == OMEGA:
                raise Refused("linear: unbounded at the start")
            start += w * net.most.get(p, 0) if w else 0
        if start > higher:
            raise Refused("linear: the start")
        for t in self.matter():
            before = raised.get(t.source, 0) + sum(
                heavier.get(p, 0) * n for p, n in t.pre.items())
            after = raised.get(t.to, 0) + sum(
                heavier.get(p, 0) * n for p, n in t.post.items())
            if after > before:
                raise Refused("linear: a transition adds to it")
            for a, b in t.moves:
                if b != NOWHERE and heavier.get(b, 0) > heavier.get(a, 0) and not (
                        self.rows is not None and a not in self.rows[t.source]):
                    raise Refused("linear: a move adds to it")
        self.proved.append((potential, weight, bound))

    def needed(self):
        """Section 4.6: which transitions a trap must stand."""
        capped = any(t.caps for t in self.net.transitions) or \
            any(caps for _, _, caps in self.net.targets)
        matter = self.matter()
        if capped:
            return matter
        places = {p for _, need, _ in self.net.targets for p in need}
        found = []
        while True:
            more = [t for t in matter if t not in found and (
                t.source != t.to or t.moves or
                any(t.post[p] > t.pre.get(p, 0) for p in t.post if p in places))]
            if not more:
                return found
            found += more
            for t in more:
                places |= set(t.pre) | {a for a, _ in t.moves}

    def check_trap(self, shared, places, needed):
        net = self.net
        if net.start not in shared and not any(net.least.get(p, 0) for p in places):
            raise Refused("trap: empty at the start")
        for t in self.matter():
            if t not in needed or t.to in shared or set(t.post) & places:
                continue
            leaves = any(a in places and b not in places and not (
                self.rows is not None and a not in self.rows[t.source])
                for a, b in t.moves)
            if t.source in shared or set(t.pre) & places or leaves:
                raise Refused("trap: a transition empties it")

    def predecessors(self, t, tokens):
        pre = t.pre
        rest = {b: max(n - t.post.get(b, 0), 0) for b, n in tokens.items()}
        moving = {a for a, _ in t.moves}
        ways = []
        for b, n in rest.items():
            if not n:
                continue
            origins = ([] if b in moving else [b]) + \
                [a for a, c in t.moves if c == b]
            ways.append(list(itertools.combinations_with_replacement(origins, n)))
        for choice in itertools.product(*ways):
            m = dict(pre)
            for origin in itertools.chain(*choice):
                m[origin] = m.get(origin, 0) + 1
            yield m

    def check_basis(self, basis):
        net = self.net

        def above(s, tokens):
            return any(s == x and below(u, tokens) for x, u in basis)
        for s, u in basis:
            if s == net.start and all(n <= net.most.get(p, 0)
                                      for p, n in u.items()):
                raise Refused("basis: an initial configuration is above it")
        for s, u in basis:
            if self.excluded(s, u):
                continue
            for t in self.important:
                if t.to != s or not self.can_fire(t):
                    continue
                for m in self.predecessors(t, u):
                    if not (self.excluded(t.source, m) or above(t.source, m) or
                            any(m.get(p, 0) > c for p, c in t.caps.items())):
                        raise Refused("basis: a predecessor is not above it")
        for target in net.targets:
            for s in net.edges_of(target):
                if self.is_open(target, s) and not above(s, target[1]):
                    raise Refused("basis: a target is not above it")

    def successors(self, t, d):
        left = {}
        for p in range(len(self.net.places)):
            count = min(d.get(p, 0), t.caps.get(p, OMEGA))
            left[p] = count - t.pre.get(p, 0) if count != OMEGA else OMEGA
        moving = sorted({a for a, _ in t.moves})
        stay = {p: n for p, n in left.items() if p not in moving}
        ways = []
        for a in moving:
            to = sorted({b for x, b in t.moves if x == a})
            if len(to) > 1:
                to = [b for b in to if b != NOWHERE]
            if left[a] == OMEGA:
                ways.append([tuple((b, OMEGA) for b in to)])
            else:
                ways.append([tuple((b, chosen.count(b)) for b in to) for chosen in
                             itertools.combinations_with_replacement(to, left[a])])
        for way in itertools.product(*ways):
            n = dict(stay)
            for b, count in itertools.chain(*way):
                if b != NOWHERE:
                    n[b] = n.get(b, 0) + count
            for p, count in t.post.items():
                n[p] = n.get(p, 0) + count
            yield {p: OMEGA if c > (1 << 30) - 1 else c for p, c in n.items() if c}

    def check_cover(self, cover):
        net = self.net

        def covered(s, tokens):
            return any(s == x and below(tokens, d) for x, d in cover)
        if not covered(net.start, net.most):
            raise Refused("cover: the start")
        for s, d in cover:
            for t in self.important:
                if t.source == s and self.can_fire(t) and below(t.pre, d):
                    for n in self.successors(t, d):
                        if not covered(t.to, n):
                            raise Refused("cover: a successor")
        for target in net.targets:
            for s in net.edges_of(target):
                if self.is_open(target, s) and covered(s, target[1]):
                    raise Refused("cover: a target")


def split(net, control):
    """Section 4.2."""
    inside = set(control)
    if len(net.shared) != 1 or len(inside) != len(control):
        raise Refused("control")
    starts = [q for q in control if net.most.get(q, 0)]
    if len(starts) != 1 or net.least.get(starts[0], 0) != 1 or \
            net.most[starts[0]] != 1:
        raise Refused("control: the start")
    out = Net()
    out.places, out.shared = net.places, [net.places[q] for q in control]
    out.start = control.index(starts[0])
    out.least = {p: n for p, n in net.least.items() if p not in inside}
    out.most = {p: n for p, n in net.most.items() if p not in inside}
    for t in net.transitions:
        taken = {q: n for q, n in t.pre.items() if q in inside}
        given = {q: n for q, n in t.post.items() if q in inside}
        if sum(taken.values()) != 1 or sum(given.values()) != 1 or \
                any(a in inside or b in inside for a, b in t.moves) or \
                any(p in inside for p in t.caps):
            raise Refused("control: a transition")
        out.transitions.append(Transition(
            control.index(next(iter(taken))), control.index(next(iter(given))),
            {p: n for p, n in t.pre.items() if p not in inside},
            {p: n for p, n in t.post.items() if p not in inside},
            t.moves, t.caps))
    for shared, need, caps in net.targets:
        if any(p in inside for p in caps):
            raise Refused("control: a target")
        held = {q: n for q, n in need.items() if q in inside}
        if sum(held.values()) == 1:
            out.targets.append((control.index(next(iter(held))), {
                p: n for p, n in need.items() if p not in inside}, caps))
        else:
            out.targets.append((None, need, caps))
    return out


def check_certificate(net, reader):
    if not net.targets:
        raise Refused("no target")
    kind = reader.take("kind")[1:]
    if kind not in (["backward"], ["cover"]):
        raise Bad("kind")
    kind = kind[0]
    if reader.peek() == "control":
        control = [reader.place(w) for w in reader.take()[1:]]
        net = split(net, control)
        reader.net = net
    rows, parts, ignored, body = None, [], set(), None
    if reader.peek() == "rows":
        rows = {}
        def row(words):
            if words[1:2] != ["|"]:
                raise Bad("a row")
            s = reader.state(words[0], net.shared)
            if s in rows:
                raise Bad("a row twice")
            rows[s] = {reader.place(w) for w in words[2:]}
        reader.many(reader.take(), row)
    while reader.peek() in ("trap", "linear"):
        words = reader.take()
        if words[0] == "trap":
            bar = words.index("|") if "|" in words else -1
            if bar < 0:
                raise Bad("a trap")
            parts.append(({reader.state(w, net.shared) for w in words[1:bar]},
                          {reader.place(w) for w in words[bar + 1:]}))
            continue
        potential, uses = {}, {}
        if reader.peek() == "potential":
            potential = reader.counted(
                reader.take()[1:], lambda w: reader.state(w, net.shared),
                signed=True, default=False)
        weight = reader.counted(reader.take("weight")[1:], reader.place,
                                signed=True, default=False)
        if reader.peek() == "uses":
            uses = reader.counted(reader.take()[1:], int, signed=True,
                                  default=False)
        bound = reader.number(reader.take("bound")[1], signed=True)
        parts.append((potential, weight, uses, bound))
    if reader.peek() == "ignored":
        ignored = {reader.place(w) for w in reader.take()[1:]}
    if reader.peek() in ("basis", "cover"):
        words = reader.take()
        if words[0] != {"backward": "basis", "cover": "cover"}[kind]:
            raise Bad("another kind")
        body = reader.many(words, lambda w: reader.config(w, kind == "cover"))
    reader.end()
    if kind == "cover" and parts or kind == "backward" and ignored:
        raise Bad("what does not belong here")
    judge(Certificate(net), kind, rows, parts, ignored, body or [])


def judge(c, kind, rows, parts, ignored, body):
    c.work_out()
    if rows is not None:
        c.check_rows(rows)
        c.work_out()
    traps, needed = [], None
    for part in parts:
        if len(part) == 2:
            if needed is None:
                needed = c.needed()
            c.check_trap(*part, needed)
            traps.append(part)
            continue
        before = {(i, s) for i, t in enumerate(c.net.targets)
                  for s in c.net.edges_of(t) if c.is_open(t, s)}
        c.check_linear(*part, traps)
        after = {(i, s) for i, t in enumerate(c.net.targets)
                 for s in c.net.edges_of(t) if c.is_open(t, s)}
        if after and after != before:
            c.work_out()
    c.work_out()
    if kind == "backward":
        c.check_basis(body)
    else:
        c.check_cover([(s, {**d, **dict.fromkeys(ignored, OMEGA)})
                       for s, d in body])


def check(model, evidence):
    """0 accepted, 10 refused, 2 not evidence; and a sentence."""
    net = read_model(model)
    with open(evidence) as file:
        text = file.read()
    try:
        reader = Reader(net, text)
        if reader.head() == "witness":
            check_witness(net, reader)
        else:
            check_certificate(net, reader)
    except Refused as refused:
        return 10, f"refused ({refused})"
    except (Bad, ValueError, IndexError, KeyError) as bad:
        return 2, f"no evidence: {bad}"
    return 0, "accepted"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    status, text = check(*sys.argv[1:])
    print(f"check: {text}")
    return status


if __name__ == "__main__":
    sys.exit(main())
