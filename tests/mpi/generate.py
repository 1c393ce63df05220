#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Writes a random small MPI program to standard output.

    tests/mpi/generate.py [--plain | --rich | --richest] SEED

Most of them are right but for the order of things: communications that fit are
shared out to the processes and then disturbed. The same seed gives the same
program. The first line says how many processes it is for. With --plain only
MPI_Send, MPI_Recv and branches on what is received. With --rich also tests in
loops, MPI_Waitany, MPI_Iprobe, synchronous and given-up requests, more collective
calls, some of them without data or non-blocking, and buffers that are touched too
early. With --richest, in addition, buffered sends, persistent requests, columns as
derived types, communicators of some processes, MPI_Testall, MPI_Waitsome and
MPI_Waitany over all that is left at the end, matched probes."""

import random
import sys


class Maker:
    def __init__(self, seed, plain, rich=False, richest=False):
        self.random = random.Random(seed)
        self.plain = plain
        self.rich = rich = rich or richest
        self.richest = richest
        self.careless = rich and self.chance(0.15)
        self.n = self.random.choice([2, 3, 3, 3, 4, 4])
        self.code = [[] for _ in range(self.n)]  # lists of statements
        self.requests = [0] * self.n
        self.tags = self.random.choice([1, 1, 2])
        self.wild = self.random.choice([0.0, 0.3, 0.7, 0.9])
        self.probe = self.chance(0.25)
        self.dup = self.chance(0.2)  # some messages in a communicator of their own
        self.hub = self.random.choice([0.0, 0.5, 0.8])  # much goes to rank 0

    def chance(self, p):
        return self.random.random() < p

    def receive(self, to, source, tag):
        src = "MPI_ANY_SOURCE" if self.chance(self.wild) else str(source)
        t = "MPI_ANY_TAG" if self.chance(self.wild / 3) else str(tag)
        return src, t

    def message(self):
        r = self.random
        a = r.randrange(self.n)
        b = 0 if self.chance(self.hub) else r.randrange(self.n)
        if a == b == 0 and self.chance(0.9):
            a = r.randrange(1, self.n)
        if a == b and self.chance(0.9):
            b = (a + 1) % self.n
        tag = r.randrange(self.tags)
        value = r.choice([str(10 * a + r.randrange(4)), "x", "x + 1"])
        src, t = self.receive(b, a, tag)
        send = f"v = {value}; MPI_Send(&v, 1, MPI_INT, {b}, {tag}, W);"
        take = f"MPI_Recv(&y, 1, MPI_INT, {src}, {t}, W, &s); got(y + s.MPI_SOURCE);"
        if not self.plain:
            kind = r.random()
            if kind < 0.08:
                send = send.replace("MPI_Send", "MPI_Ssend")
            elif kind < 0.25:
                send = self.isend(a, value, b, tag)
            if self.chance(0.2):
                take = self.irecv(b, src, t)
            elif self.probe and self.chance(0.3):
                take = f"MPI_Probe({src}, {t}, W, &s); " \
                    "MPI_Recv(&y, 1, MPI_INT, s.MPI_SOURCE, s.MPI_TAG, W, &s); " \
                    "got(y + s.MPI_SOURCE);"
            if kind > 0.92 and a != b:
                return self.both(a, b, tag)
            if self.rich and self.chance(0.1):
                iprobe = f"MPI_Iprobe({src}, {t}, W, &f, &s); got(f);"
                take = [iprobe, *take] if isinstance(take, list) else iprobe + " " + take
            if self.rich and self.careless and isinstance(take, list) and \
                    self.chance(0.3):
                take[0] += f" got(b[{self.requests[b] - 1}]);"
            if self.richest and self.chance(0.35):
                send, take = self.special(a, b, tag, value, src, t)
        take = self.decide(b, take)
        if self.dup and self.chance(0.4):
            send = self.elsewhere(send)
            take = self.elsewhere(take)
        self.put(a, send)
        self.put(b, take)

    def elsewhere(self, statement):
        if isinstance(statement, list):
            return [self.elsewhere(s) for s in statement]
        return statement.replace(", W", ", D")

    def special(self, a, b, tag, value, src, t):
        """What only --richest has: a send, and the receive it is for."""
        r = self.random
        take = f"MPI_Recv(&y, 1, MPI_INT, {src}, {t}, W, &s); got(y + s.MPI_SOURCE);"
        kind = r.randrange(5)
        if kind == 0:
            return f"v = {value}; MPI_Bsend(&v, 1, MPI_INT, {b}, {tag}, W);", take
        if kind == 1:
            call = r.choice(["MPI_Send_init", "MPI_Ssend_init", "MPI_Bsend_init"])
            i = self.requests[a]
            self.requests[a] += 1
            return [f"b[{i}] = {value}; {call}(&b[{i}], 1, MPI_INT, {b}, {tag}, W, "
                    f"&r[{i}]); MPI_Start(&r[{i}]);",
                    f"MPI_Wait(&r[{i}], MPI_STATUS_IGNORE); MPI_Request_free(&r[{i}]);"
                    ], take
        if kind == 2:
            i = self.requests[b]
            self.requests[b] += 1
            return f"v = {value}; MPI_Send(&v, 1, MPI_INT, {b}, {tag}, W);", [
                f"MPI_Recv_init(&b[{i}], 1, MPI_INT, {src}, {t}, W, &r[{i}]); "
                f"MPI_Start(&r[{i}]);",
                f"MPI_Wait(&r[{i}], &s); got(b[{i}] + s.MPI_SOURCE); "
                f"MPI_Request_free(&r[{i}]);"]
        if kind == 3:
            call = r.choice(["MPI_Send", "MPI_Ssend"])
            t = str(tag + 5) if t == str(tag) else t
            return f"m[0] = {value}; m[2] = 3; {call}(m, 1, V, {b}, {tag + 5}, W);", \
                f"m[0] = m[1] = 1; MPI_Recv(m, 2, MPI_INT, {src}, {t}, W, &s); " \
                "got(m[0] + 7 * m[1] + s.MPI_SOURCE);"
        return f"v = {value}; MPI_Send(&v, 1, MPI_INT, {b}, {tag}, W);", \
            f"MPI_Mprobe({src}, {t}, W, &h, &s); got(s.MPI_TAG); " \
            "MPI_Mrecv(&y, 1, MPI_INT, &h, &s); got(y + s.MPI_SOURCE);"

    def put(self, p, statement):
        for part in statement if isinstance(statement, list) else [statement]:
            self.code[p].append(part)

    def isend(self, p, value, to, tag):
        i = self.requests[p]
        self.requests[p] += 1
        kind = "I" + ("s" if self.rich and self.chance(0.3) else "") + "send"
        start = f"b[{i}] = {value}; MPI_{kind}(&b[{i}], 1, MPI_INT, {to}, {tag}, " \
            f"W, &r[{i}]);"
        if self.careless and self.chance(0.3):
            start += f" b[{i}] = 99;"
        if self.rich and self.chance(0.12):
            return [start + f" MPI_Request_free(&r[{i}]);"]
        return [start, self.wait(i, "MPI_STATUS_IGNORE")]

    def wait(self, i, status):
        """One request: wait, or ask until it is complete."""
        if not self.rich or self.chance(0.7):
            return f"MPI_Wait(&r[{i}], {status});"
        if self.chance(0.5):
            return f"for (f = 0; !f;) MPI_Test(&r[{i}], &f, {status});"
        return f"MPI_Waitany(1, &r[{i}], &f, {status});"

    def irecv(self, p, src, tag):
        i = self.requests[p]
        self.requests[p] += 1
        return [f"MPI_Irecv(&b[{i}], 1, MPI_INT, {src}, {tag}, W, &r[{i}]);",
                self.wait(i, "&s") + f" got(b[{i}] + s.MPI_SOURCE);"]

    def both(self, a, b, tag):
        """Two processes exchange with MPI_Sendrecv."""
        for p, q in (a, b), (b, a):
            src, t = self.receive(p, q, tag)
            self.put(p, f"v = {20 + p}; MPI_Sendrecv(&v, 1, MPI_INT, {q}, {tag}, "
                        f"&y, 1, MPI_INT, {src}, {t}, W, &s); got(y);")

    def decide(self, p, take):
        """Sometimes what comes decides what is sent next, or is asserted."""
        if isinstance(take, list):
            return take
        kind = self.random.random()
        if kind < 0.12:
            return take + f" assert(y != {10 * self.random.randrange(self.n) + self.random.randrange(4)});"
        if kind < 0.2:
            return take + f" assert(s.MPI_SOURCE != {self.random.randrange(self.n)});"
        if kind < 0.35:
            return take + " if (y % 2) x = 7; else x = 2;"
        return take

    def collective(self):
        r = self.random
        kind = r.randrange(12 if self.rich else 5)
        root = r.randrange(self.n)
        if self.richest and self.chance(0.3):
            for p in range(self.n):
                self.put(p, "v = x; MPI_Allreduce(&v, &y, 1, MPI_INT, MPI_SUM, E); "
                            "got(y);")
            return
        if kind > 4:
            return self.other_collective(kind, root)
        for p in range(self.n):
            if kind == 0:
                s = "MPI_Barrier(W);"
            elif kind == 1:
                s = f"v = {30 + p}; MPI_Bcast(&v, 1, MPI_INT, {root}, W); got(v);"
            elif kind == 2:
                s = "v = x; MPI_Allreduce(&v, &y, 1, MPI_INT, MPI_SUM, W); got(y);"
            elif kind == 3:
                s = f"v = {p}; y = 0; MPI_Reduce(&v, &y, 1, MPI_INT, MPI_MAX, " \
                    f"{root}, W); got(y);"
            else:
                s = f"v = {p}; MPI_Scan(&v, &y, 1, MPI_INT, MPI_SUM, W); got(y);"
            self.put(p, s)

    def other_collective(self, kind, root):
        data = "1" if self.chance(0.7) else "0"
        for p in range(self.n):
            if kind == 5:
                s = f"v = {p}; MPI_Allgather(&v, {data}, MPI_INT, a, {data}, " \
                    f"MPI_INT, W); if ({data}) got(a[1]);"
            elif kind == 6:
                s = f"v = x; MPI_Gather(&v, {data}, MPI_INT, a, {data}, MPI_INT, " \
                    f"{root}, W); if ({data} && rank == {root}) got(a[0]);"
            elif kind == 7:
                s = f"v = {p}; MPI_Exscan(&v, &y, {data}, MPI_INT, MPI_SUM, W); " \
                    f"if (rank && {data}) got(y);"
            elif kind == 8:
                s = f"MPI_Bcast(&v, 0, MPI_INT, {root}, W);"
            else:
                i = self.requests[p]
                self.requests[p] += 1
                call = {9: "MPI_Ibarrier(", 10: f"b[{i}] = {p}; MPI_Ibcast(&b[{i}], 1, "
                        f"MPI_INT, {root}, ", 11: f"w[{i}] = {p}; MPI_Iallreduce(&w[{i}], "
                        f"&b[{i}], 1, MPI_INT, MPI_SUM, "}[kind] + f"W, &r[{i}]);"
                s = [call, self.wait(i, "MPI_STATUS_IGNORE") +
                     (f" got(b[{i}]);" if kind > 9 else "")]
            self.put(p, s)

    def disturb(self):
        r = self.random
        for _ in range(r.choice([0, 0, 1, 1, 2, 3])):
            p = r.randrange(self.n)
            body = self.code[p]
            if len(body) < 2:
                continue
            i = r.randrange(len(body) - 1)
            a, b = body[i], body[i + 1]
            if any(w in s for w in ("Wait(", "Waitany(", "Test(") for s in (a, b)):
                continue  # not before its start
            if self.chance(0.85):
                body[i], body[i + 1] = b, a
            elif "MPI_I" not in a:
                del body[i]

    def wait_for_all(self, body):
        """Sometimes all waits at the end become one."""
        waits = [s for s in body if s.startswith("MPI_Wait(&r[") and
                 "IGNORE" in s]
        if len(waits) > 1 and self.chance(0.5):
            for statement in waits:
                body.remove(statement)
                i = statement[statement.index("[") + 1:statement.index("]")]
                body.append(f"q[n++] = r[{i}];")
            ends = ["MPI_Waitall(n, q, MPI_STATUSES_IGNORE);"]
            if self.richest:
                ends += ["for (f = 0; !f;) MPI_Testall(n, q, &f, MPI_STATUSES_IGNORE);",
                         "while (MPI_Waitany(n, q, &f, &s), f != MPI_UNDEFINED) ;",
                         "while (MPI_Waitsome(n, q, &f, a, MPI_STATUSES_IGNORE), "
                         "f != MPI_UNDEFINED) ;"]
            body.append(self.random.choice(ends))

    def program(self):
        most = {2: 6, 3: 7, 4: 6}[self.n]
        for _ in range(self.random.randint(3, most)):
            if not self.plain and self.chance(0.15):
                self.collective()
            else:
                self.message()
        self.disturb()
        for body in self.code:
            self.wait_for_all(body)
        out = [f"/* procs: {self.n} */", "#include <assert.h>", "#include <mpi.h>",
               "#include <stdio.h>", "", "#define W MPI_COMM_WORLD",
               "static int sum, rank;",
               "static void got(int y) { sum = (sum * 31 + y) % 100003; }", "",
               "int main(int argc, char **argv) {",
               "  int v = 0, y = 0, x = 1;", "  MPI_Status s;"]
        if self.rich:
            out.append("  int f = 0, a[8] = {0}; (void)f, (void)a;")
        if any(self.requests):
            out.append(f"  int b[{max(self.requests)}];")
            if self.rich:
                out.append(f"  int w[{max(self.requests)}]; (void)w;")
            out.append(f"  MPI_Request r[{max(self.requests)}], "
                       f"q[{max(self.requests)}];")
            out.append("  int n = 0;")
        out += ["  MPI_Init(&argc, &argv);", "  MPI_Comm_rank(W, &rank);",
                "  (void)x, (void)v, (void)y, (void)s;"]
        if self.dup:
            out += ["  MPI_Comm D;", "  MPI_Comm_dup(W, &D);"]
        text = "\n".join(line for body in self.code for line in body)
        if ", E)" in text:
            out += ["  MPI_Comm E;", "  MPI_Comm_split(W, rank % 2, -rank, &E);"]
        if ", V," in text:
            out += ["  MPI_Datatype V;", "  MPI_Type_vector(2, 1, 2, MPI_INT, &V);",
                    "  MPI_Type_commit(&V);"]
        if "(m, " in text:
            out.append("  int m[3] = {0};")
        if "MPI_Mprobe" in text:
            out.append("  MPI_Message h;")
        if "MPI_Bsend" in text:
            out += ["  static char room[16 * (4 + MPI_BSEND_OVERHEAD)];",
                    "  MPI_Buffer_attach(room, sizeof room);"]
        for p in range(self.n):
            out.append(f"  {'else ' if p else ''}if (rank == {p}) {{")
            out += [f"    {line}" for line in self.code[p]]
            out.append("  }")
        if "MPI_Bsend" in text:
            out.append("  { void *at; int size; MPI_Buffer_detach(&at, &size); }")
        if ", V," in text:
            out.append("  MPI_Type_free(&V);")
        if ", E)" in text:
            out.append("  MPI_Comm_free(&E);")
        if self.dup:
            out.append("  MPI_Comm_free(&D);")
        out += ['  printf("%d: %d\\n", rank, sum);', "  MPI_Finalize();",
                "  return 0;", "}"]
        return "\n".join(out) + "\n"


def main():
    words = [w for w in sys.argv[1:] if w not in ("--plain", "--rich", "--richest")]
    if len(words) != 1 or not words[0].isdigit():
        sys.exit(__doc__)
    maker = Maker(int(words[0]), "--plain" in sys.argv, "--rich" in sys.argv,
                  "--richest" in sys.argv)
    sys.stdout.write(maker.program())


if __name__ == "__main__":
    main()
