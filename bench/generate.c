/* SPDX-License-Identifier: MIT */
/* Scalable thread systems for benchmarks and tests.
 *
 *   generate FAMILY N [M …]            the system as .tts on standard output
 *   generate FAMILY N [M …] --to=BASE  the same as BASE.tts and BASE.prop
 *   generate --list                    the families and their parameters
 *   generate --out=FOLDER              the standard set as .tts files; prints
 *                                      `family file expected` for each
 *
 * The same parameters always give the same bytes. Initially any number of
 * threads are in local state 0, the shared state is 0. N is at least 1.
 *
 *   chain N        one thread makes N steps. Unsafe.
 *   relay N        N threads make one step each, in turn. Unsafe.
 *   relay-safe N   the same; two threads in the last place. Safe.
 *   count K        a loop of three steps (paper 000, figure 1) that has to go
 *                  round K times, K threads in the target. Unsafe.
 *   count-safe K   the same, but the loop uses up a ticket that is not given
 *                  back: it goes round once. Safe for K > 1.
 *   drain K        the loop of `count`, then a chain of K steps that uses up
 *                  what it made. Unsafe.
 *   drain-safe K   the loop makes K - 1 at most, by a chain of shared states.
 *   deep T D       T times in turn a thread must come down D local steps before
 *                  the shared state moves on; other local steps lead nowhere.
 *                  Unsafe: the shortest witness has T * (D + 1) steps and T
 *                  threads. `deep 20 9` is 200 steps and 20 threads.
 *   mutex K        hand-over-hand locking along K locks, 2^K shared states;
 *                  K <= 12. Two threads at the last lock: safe.
 *   mutex-bug K    the last lock is taken without looking.
 *   rw K           readers and a writer; the shared state counts readers up to
 *                  K. Reader and writer together: safe.
 *   rw-bug K       the count wraps around to "none" after K readers: unsafe
 *                  with K + 1 threads.
 *   ticket K       ticket lock, tickets modulo K, at most K given out. Two
 *                  threads inside: safe.
 *   ticket-bug K   more may be given out: unsafe with K + 1 threads.
 *   pool K         a main thread spawns up to K workers at a time and closes
 *                  the pool when none is left. A worker after that: safe.
 *   pool-bug K     workers sign off before they are done.
 *   phases K       K phases; a broadcast takes all waiting threads to the next.
 *                  Threads two phases apart: safe.
 *   phases-bug K   the last broadcast forgets the waiting threads.
 *   program S L R SEED
 *                  a random Boolean program as a predicate abstraction makes
 *                  it: S - 1 (a power of two) valuations of shared bits, L - 1
 *                  program locations, an error state (S - 1 | L - 1), exactly R
 *                  edges in L - 1 statements with assignments, locks, tests,
 *                  branches, spawns and assertions, all of them within reach
 *                  as far as one thread can tell. Safe or not by chance. */
#include "base/io.h"
#include "base/vec.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  FILE *edges;
  hd_str target; /* `s|l1,l2` */
} model;

static void head(model *m, unsigned n_shared, unsigned n_local) {
  fprintf(m->edges, "%u %u\n", n_shared, n_local);
}

static void edge(model *m, unsigned s, unsigned l, unsigned t, unsigned k) {
  fprintf(m->edges, "%u %u -> %u %u\n", s, l, t, k);
}

static void spawn(model *m, unsigned s, unsigned l, unsigned t, unsigned k) {
  fprintf(m->edges, "%u %u +> %u %u\n", s, l, t, k);
}

static void target(model *m, unsigned s, unsigned l, unsigned times) {
  hd_str_printf(&m->target, "%u|%u", s, l);
  for (unsigned i = 1; i < times; i++)
    hd_str_printf(&m->target, ",%u", l);
}

/* ---- families ---- */

static void chain(model *m, const unsigned *p) {
  head(m, p[0] + 1, p[0] + 1);
  for (unsigned i = 0; i < p[0]; i++)
    edge(m, i, i, i + 1, i + 1);
  target(m, p[0], p[0], 1);
}

static void relay_to(model *m, unsigned n, unsigned times) {
  head(m, n + 1, n + 1);
  for (unsigned i = 0; i < n; i++)
    edge(m, i, 0, i + 1, i + 1);
  target(m, n, n, times);
}

static void relay(model *m, const unsigned *p) {
  relay_to(m, p[0], 1);
}

static void relay_safe(model *m, const unsigned *p) {
  relay_to(m, p[0], 2);
}

/* Shared 1 -> 2 -> 3 -> 1; each round turns a thread in `ticket` into one in
 * 2. The first step into the loop makes a ticket. */
static void loop(model *m, unsigned made) {
  edge(m, 0, 0, 1, 1);
  edge(m, 1, 0, 2, made);
  edge(m, 2, 0, 3, made);
  edge(m, 3, 1, 1, 2);
}

static void count(model *m, const unsigned *p) {
  head(m, 4, 5);
  loop(m, 1);
  target(m, 1, 2, p[0]);
}

static void count_safe(model *m, const unsigned *p) {
  head(m, 4, 5);
  loop(m, 4);
  target(m, 1, 2, p[0]);
}

static void drain(model *m, const unsigned *p) {
  head(m, p[0] + 4, 5);
  loop(m, 1);
  for (unsigned i = 0; i < p[0]; i++)
    edge(m, i ? 3 + i : 1, 2, 4 + i, 3);
  target(m, p[0] + 3, 3, 1);
}

static void drain_safe(model *m, const unsigned *p) {
  unsigned k = p[0];
  head(m, 2 * k + 1, 3);
  for (unsigned i = 0; i + 1 < k; i++)
    edge(m, i, 0, i + 1, 1);
  for (unsigned i = 0; i < k; i++)
    edge(m, i, 1, k, 2);
  for (unsigned i = 0; i < k; i++)
    edge(m, k + i, 1, k + i + 1, 2);
  target(m, 2 * k, 2, 1);
}

static void deep(model *m, const unsigned *p) {
  unsigned rounds = p[0], down = p[1];
  head(m, rounds + 1, down + 4);
  for (unsigned s = 0; s < rounds; s++) {
    for (unsigned l = 0; l < down; l++)
      edge(m, s, l, s, l + 1);
    edge(m, s, down, s + 1, down + 1);
    edge(m, s, 0, s, down + 2);
    edge(m, s, down + 2, s, down + 3);
    edge(m, s, down + 3, s, 0);
  }
  target(m, rounds, down + 1, 1);
}

/* Local i + 1 holds lock i; the shared state is the set of locks held. */
static void locks(model *m, unsigned k, bool bug) {
  head(m, 1u << k, k + 2);
  for (unsigned held = 0; held < 1u << k; held++)
    for (unsigned i = 0; i < k; i++) {
      bool careless = bug && i == k - 1;
      if (held >> i & 1 && !careless)
        continue;
      if (!i)
        edge(m, held, 0, held | 1u, 1);
      else if (held >> (i - 1) & 1)
        edge(m, held, i, (held & ~(1u << (i - 1))) | 1u << i, i + 1);
    }
  for (unsigned held = 1u << (k - 1); held < 1u << k; held++)
    edge(m, held, k, held & ~(1u << (k - 1)), k + 1);
  target(m, 1u << (k - 1), k, 2);
}

static void mutex(model *m, const unsigned *p) {
  locks(m, p[0], false);
}

static void mutex_bug(model *m, const unsigned *p) {
  locks(m, p[0], true);
}

/* Shared i <= K: i readers; K + 1: a writer. Locals: reader 1, writer 2. */
static void readers(model *m, unsigned k, bool bug) {
  head(m, k + 2, 3);
  for (unsigned i = 0; i < k; i++) {
    edge(m, i, 0, i + 1, 1);
    edge(m, i + 1, 1, i, 0);
  }
  if (bug)
    edge(m, k - 1, 0, 0, 1);
  edge(m, 0, 0, k + 1, 2);
  edge(m, k + 1, 2, 0, 0);
  hd_str_printf(&m->target, "%u|1,2", k + 1);
}

static void rw(model *m, const unsigned *p) {
  readers(m, p[0], false);
}

static void rw_bug(model *m, const unsigned *p) {
  readers(m, p[0], true);
}

/* Shared: serving * (K + 1) + given out (0 … K); one more given out than K
 * wraps to 1 in the faulty one. Local t + 1 holds ticket t, K + 1 is inside. */
static void tickets(model *m, unsigned k, bool bug) {
  head(m, k * (k + 1), k + 2);
  for (unsigned serving = 0; serving < k; serving++)
    for (unsigned out = 0; out <= k; out++) {
      unsigned s = serving * (k + 1) + out, mine = (serving + out) % k;
      if (out < k)
        edge(m, s, 0, s + 1, mine + 1);
      else if (bug)
        edge(m, s, 0, serving * (k + 1) + 1, mine + 1);
      if (!out)
        continue;
      edge(m, s, serving + 1, s, k + 1);
      edge(m, s, k + 1, (serving + 1) % k * (k + 1) + out - 1, 0);
    }
  target(m, k, k + 1, 2);
}

static void ticket(model *m, const unsigned *p) {
  tickets(m, p[0], false);
}

static void ticket_bug(model *m, const unsigned *p) {
  tickets(m, p[0], true);
}

/* Shared 0: not started; 1 + c: c workers counted; K + 2: closed. Locals: main
 * 1, worker 2, worker signed off 3, gone 4. */
static void workers(model *m, unsigned k, bool bug) {
  head(m, k + 3, 5);
  edge(m, 0, 0, 1, 1);
  for (unsigned c = 0; c < k; c++) {
    spawn(m, 1 + c, 1, 2 + c, 2);
    edge(m, 2 + c, 2, 1 + c, bug ? 3 : 4);
  }
  for (unsigned s = 1; s <= k + 2; s++)
    edge(m, s, 3, s, 4);
  edge(m, 1, 1, k + 2, 4);
  target(m, k + 2, bug ? 3 : 2, 1);
}

static void pool(model *m, const unsigned *p) {
  workers(m, p[0], false);
}

static void pool_bug(model *m, const unsigned *p) {
  workers(m, p[0], true);
}

/* Shared i: phase i. Local i + 1 waits in phase i; any waiting thread may be
 * the one that calls the others. */
static void barrier(model *m, unsigned k, bool bug) {
  head(m, k + 1, k + 2);
  for (unsigned i = 0; i < k; i++) {
    edge(m, i, 0, i, i + 1);
    fprintf(m->edges, "%u %u -> %u %u", i, i + 1, i + 1, i + 2);
    if (!bug || i + 1 < k)
      fprintf(m->edges, "  %u ~> %u", i + 1, i + 2);
    fprintf(m->edges, "\n");
  }
  hd_str_printf(&m->target, "%u|%u,%u", k, k, k + 1);
}

static void phases(model *m, const unsigned *p) {
  barrier(m, p[0], false);
}

static void phases_bug(model *m, const unsigned *p) {
  barrier(m, p[0], true);
}

/* ---- random programs ---- */

typedef struct {
  uint64_t x;
} dice;

static unsigned roll(dice *d, unsigned sides) {
  d->x += 0x9E3779B97F4A7C15u;
  uint64_t z = d->x;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return (unsigned)((z ^ z >> 31) % sides);
}

typedef struct {
  unsigned s, l, t, k;
  bool spawns;
} line;

typedef hd_vec(line) lines;

static int by_line(const void *a, const void *b) {
  return memcmp(a, b, 4 * sizeof(unsigned));
}

typedef enum { ASSIGN, LOCK, UNLOCK, BRANCH, TEST, ASSERT, SPAWN } kind;

/* What a thread does at a location. */
typedef struct {
  kind kind;
  unsigned mask, value; /* bits looked at */
  unsigned set, to;     /* bits assigned */
  unsigned next, other; /* locations */
} statement;

/* The thread-modular reachable states grow with the edges, so that all of the
 * R edges can be reached as far as one thread can tell; only the interplay of
 * the threads decides about the error. */
typedef struct {
  unsigned valuations, locations, n_bits, most;
  statement *code;
  lines all;
  uint64_t *reached;   /* bit s * locations + l */
  hd_u32s todo;        /* the same as numbers, in order */
  hd_u32s *successors; /* of each valuation */
} maker;

static unsigned random_bits(dice *d, unsigned n_bits, unsigned how_many) {
  unsigned mask = 0;
  for (unsigned i = 0; i < how_many; i++)
    mask |= 1u << roll(d, n_bits);
  return mask;
}

static statement random_statement(dice *d, unsigned at, unsigned n_locations,
                                  unsigned n_bits) {
  static const kind kinds[] = {ASSIGN, ASSIGN, ASSIGN, LOCK,   LOCK,  UNLOCK,
                               BRANCH, BRANCH, TEST,   TEST,   TEST,  ASSIGN,
                               UNLOCK, TEST,   ASSIGN, ASSERT, SPAWN, TEST};
  statement s = {.kind = kinds[roll(d, sizeof kinds / sizeof *kinds)],
                 .next = (at + 1) % n_locations,
                 .other = roll(d, n_locations)};
  unsigned looks = s.kind == ASSERT ? 5 : s.kind == TEST ? 2 : 1;
  s.mask = random_bits(d, n_bits, looks);
  s.value = roll(d, 1u << n_bits) & s.mask;
  if (s.kind == ASSIGN || s.kind == LOCK || s.kind == UNLOCK)
    s.set = s.mask;
  s.to = s.kind == LOCK ? s.mask : s.kind == UNLOCK ? 0 : s.value;
  if (s.kind == LOCK)
    s.value = 0;
  return s;
}

static void reach(maker *m, unsigned s, unsigned l) {
  size_t bit = (size_t)s * m->locations + l;
  if (m->reached[bit / 64] >> (bit % 64) & 1)
    return;
  m->reached[bit / 64] |= (uint64_t)1 << (bit % 64);
  hd_vec_push(&m->todo, (uint32_t)bit);
}

static void connect(maker *m, unsigned s, unsigned l, unsigned t, unsigned k,
                    bool spawns) {
  if ((s == t && l == k && !spawns) || m->all.size >= m->most)
    return;
  line one;
  memset(&one, 0, sizeof one); /* padding, too: lines are compared as bytes */
  one.s = s;
  one.l = l;
  one.t = t;
  one.k = k;
  one.spawns = spawns;
  hd_vec_push(&m->all, one);
  if (k == m->locations)
    return; /* the error state: nothing goes on there */
  hd_vec_push(&m->successors[s], t);
  reach(m, t, k);
  for (unsigned i = 0; s != t && i < m->locations; i++) {
    size_t bit = (size_t)s * m->locations + i;
    if (m->reached[bit / 64] >> (bit % 64) & 1)
      reach(m, t, i);
  }
}

/* The edges of thread state (s, l). */
static void execute(maker *m, unsigned s, unsigned l) {
  statement st = m->code[l];
  bool holds = (s & st.mask) == st.value;
  unsigned t = (s & ~st.set) | st.to;
  switch (st.kind) {
  case ASSIGN:
  case UNLOCK:
    connect(m, s, l, t, st.next, false);
    break;
  case LOCK:
    if (holds)
      connect(m, s, l, t, st.next, false);
    break;
  case BRANCH:
    connect(m, s, l, s, st.next, false);
    connect(m, s, l, s, st.other, false);
    break;
  case TEST:
    connect(m, s, l, s, holds ? st.other : st.next, false);
    break;
  case ASSERT:
    if (holds)
      connect(m, s, l, m->valuations, m->locations, false);
    else
      connect(m, s, l, s, st.next, false);
    break;
  case SPAWN:
    connect(m, s, l, s, st.other, true);
    connect(m, s, l, s, st.next, false);
    break;
  }
}

static void explore(maker *m, size_t *from) {
  for (; *from < m->todo.size && m->all.size < m->most; ++*from) {
    unsigned s = m->todo.data[*from] / m->locations;
    unsigned l = m->todo.data[*from] % m->locations;
    for (size_t i = 0; i < m->successors[s].size; i++)
      reach(m, m->successors[s].data[i], l);
    execute(m, s, l);
  }
}

/* Sorts and drops edges between the same four states. */
static void tidy(lines *all) {
  if (all->size > 1)
    qsort(all->data, all->size, sizeof(line), by_line);
  size_t kept = 0;
  for (size_t i = 0; i < all->size; i++)
    if (!kept || by_line(&all->data[kept - 1], &all->data[i]))
      all->data[kept++] = all->data[i];
  all->size = kept;
}

/* When the program is done before there are R edges, threads get more to choose
 * from at random thread states that are reached. */
static void fill(maker *m, dice *d) {
  size_t from = 0;
  reach(m, 0, 0);
  explore(m, &from);
  for (tidy(&m->all); m->all.size < m->most; tidy(&m->all)) {
    while (m->all.size < m->most) {
      uint32_t any = m->todo.data[roll(d, (unsigned)m->todo.size)];
      unsigned bit = 1u << roll(d, m->n_bits), s = any / m->locations;
      connect(m, s, any % m->locations, s ^ bit, roll(d, m->locations), false);
      explore(m, &from);
    }
  }
}

static unsigned log2_of(unsigned n) {
  unsigned bits = 0;
  while (n >> (bits + 1))
    bits++;
  return bits;
}

static void program(model *out, const unsigned *p) {
  maker m = {.valuations = p[0] - 1,
             .locations = p[1] - 1,
             .n_bits = log2_of(p[0] - 1),
             .most = p[2]};
  dice d = {.x = p[3]};
  m.code = hd_calloc(m.locations, sizeof *m.code);
  m.reached = hd_calloc((size_t)m.valuations * m.locations / 64 + 1, 8);
  m.successors = hd_calloc(m.valuations, sizeof *m.successors);
  for (unsigned l = 0; l < m.locations; l++)
    m.code[l] = random_statement(&d, l, m.locations, m.n_bits);
  fill(&m, &d);
  head(out, p[0], p[1]);
  for (hd_vec_each(const line, e, &m.all))
    (e->spawns ? spawn : edge)(out, e->s, e->l, e->t, e->k);
  target(out, m.valuations, m.locations, 1);
  for (unsigned s = 0; s < m.valuations; s++)
    hd_vec_free(&m.successors[s]);
  hd_free(m.successors);
  hd_free(m.reached);
  hd_free(m.code);
  hd_vec_free(&m.todo);
  hd_vec_free(&m.all);
}

/* ---- the program ---- */

typedef struct {
  const char *name, *parameters;
  int n;                /* how many */
  unsigned least, most; /* of the first */
  void (*make)(model *m, const unsigned *p);
} family;

static const family families[] = {
    {"chain", "N", 1, 1, 1000000, chain},
    {"relay", "N", 1, 1, 1000000, relay},
    {"relay-safe", "N", 1, 1, 1000000, relay_safe},
    {"count", "K", 1, 1, 1000000, count},
    {"count-safe", "K", 1, 2, 1000000, count_safe},
    {"drain", "K", 1, 1, 1000000, drain},
    {"drain-safe", "K", 1, 1, 1000000, drain_safe},
    {"deep", "T D", 2, 1, 100000, deep},
    {"mutex", "K", 1, 1, 12, mutex},
    {"mutex-bug", "K", 1, 1, 12, mutex_bug},
    {"rw", "K", 1, 1, 1000000, rw},
    {"rw-bug", "K", 1, 1, 1000000, rw_bug},
    {"ticket", "K", 1, 1, 1000, ticket},
    {"ticket-bug", "K", 1, 1, 1000, ticket_bug},
    {"pool", "K", 1, 1, 1000000, pool},
    {"pool-bug", "K", 1, 1, 1000000, pool_bug},
    {"phases", "K", 1, 1, 100000, phases},
    {"phases-bug", "K", 1, 1, 100000, phases_bug},
    {"program", "S L R SEED", 4, 3, 1025 * 64, program},
};

/* The standard set of bench/run. */
typedef struct {
  const char *family;
  unsigned p[4];
  const char *expected;
} instance;

static const instance instances[] = {
    {"chain", {1000}, "unsafe"},
    {"relay", {200}, "unsafe"},
    {"relay-safe", {200}, "safe"},
    {"count", {10}, "unsafe"},
    {"count", {100}, "unsafe"},
    {"count", {1000}, "unsafe"},
    {"count-safe", {10}, "safe"},
    {"count-safe", {100}, "safe"},
    {"count-safe", {1000}, "safe"},
    {"drain", {10}, "unsafe"},
    {"drain", {100}, "unsafe"},
    {"drain", {1000}, "unsafe"},
    {"drain-safe", {30}, "safe"},
    {"deep", {10, 9}, "unsafe"},
    {"deep", {20, 9}, "unsafe"},
    {"deep", {40, 24}, "unsafe"},
    {"mutex", {6}, "safe"},
    {"mutex", {9}, "safe"},
    {"mutex-bug", {9}, "unsafe"},
    {"rw", {20}, "safe"},
    {"rw-bug", {20}, "unsafe"},
    {"ticket", {4}, "safe"},
    {"ticket", {8}, "safe"},
    {"ticket-bug", {8}, "unsafe"},
    {"pool", {20}, "safe"},
    {"pool-bug", {20}, "unsafe"},
    {"phases", {20}, "safe"},
    {"phases-bug", {20}, "unsafe"},
    {"program", {1025, 63, 16448, 3}, "unsafe"},
    {"program", {1025, 63, 16448, 10}, "unsafe"},
    {"program", {1025, 63, 16448, 8}, "safe"},
    {"program", {513, 131, 17408, 5}, "unsafe"},
    {"program", {513, 131, 17408, 10}, "unsafe"},
    {"program", {513, 131, 17408, 2}, "safe"},
    {"program", {513, 131, 17408, 7}, "safe"},
    {"program", {513, 131, 17408, 11}, "safe"},
};

static const family *find_family(const char *name) {
  for (size_t i = 0; i < sizeof families / sizeof *families; i++)
    if (!strcmp(families[i].name, name))
      return &families[i];
  return NULL;
}

static void make(const family *f, const unsigned *p, FILE *out, FILE *prop) {
  model m = {.edges = out};
  fprintf(out, "# %s", f->name);
  for (int i = 0; i < f->n; i++)
    fprintf(out, " %u", p[i]);
  fprintf(out, "\n");
  f->make(&m, p);
  fprintf(prop, "%s\n", hd_str_text(&m.target));
  hd_str_free(&m.target);
}

/* True when the file was written completely. */
static bool write_files(const family *f, const unsigned *p, const char *tts,
                        const char *prop) {
  hd_diag *diag = hd_diag_new();
  hd_output a, b;
  bool ok = hd_output_open(&a, tts, diag);
  bool two = ok && prop && hd_output_open(&b, prop, diag);
  if (ok)
    make(f, p, a.file, two ? b.file : a.file);
  ok = ok && hd_output_close(&a, diag);
  if (two)
    ok = hd_output_close(&b, diag) && ok;
  hd_diag_print(diag, stderr, false);
  hd_diag_delete(diag);
  return ok && (two || !prop);
}

static int write_set(const char *folder) {
  for (size_t i = 0; i < sizeof instances / sizeof *instances; i++) {
    const instance *one = &instances[i];
    const family *f = find_family(one->family);
    hd_str name = {0}, path = {0};
    hd_str_puts(&name, one->family);
    for (int k = 0; k < f->n; k++)
      hd_str_printf(&name, "-%u", one->p[k]);
    hd_str_puts(&name, ".tts");
    hd_str_printf(&path, "%s/%s", folder, hd_str_text(&name));
    bool ok = write_files(f, one->p, hd_str_text(&path), NULL);
    if (ok)
      printf("%s %s %s\n", one->family, hd_str_text(&name), one->expected);
    hd_str_free(&name);
    hd_str_free(&path);
    if (!ok)
      return 2;
  }
  return 0;
}

static int usage(const char *problem, const char *what) {
  fprintf(stderr,
          "generate: %s%s\n"
          "usage: generate FAMILY N [M ...] [--to=BASE]\n"
          "       generate --out=FOLDER | --list\n",
          problem, what);
  return 1;
}

static int list(void) {
  for (size_t i = 0; i < sizeof families / sizeof *families; i++)
    printf("%s %s\n", families[i].name, families[i].parameters);
  return 0;
}

static bool read_number(const char *text, unsigned *number) {
  char *end;
  unsigned long value = strtoul(text, &end, 10);
  if (*text < '0' || *text > '9' || *end || value > 100000000)
    return false;
  *number = (unsigned)value;
  return true;
}

static int check_parameters(const family *f, const unsigned *p) {
  if (p[0] < f->least || p[0] > f->most)
    return usage("first parameter out of range for ", f->name);
  if (f->make != program)
    return 0;
  if ((p[0] - 1) & (p[0] - 2))
    return usage("S - 1 must be a power of two for ", f->name);
  /* Far from all pairs of thread states, so that filling up ends soon. */
  if (p[1] < 3 || !p[2] || p[2] > (p[0] - 1) * (p[1] - 1) / 2)
    return usage("L is at least 3 and R at most (S - 1) * (L - 1) / 2 for ",
                 f->name);
  return 0;
}

static int one_system(int argc, char **argv, const char *base) {
  const family *f = argc ? find_family(argv[0]) : NULL;
  if (!f)
    return usage(argc ? "unknown family " : "a family is missing",
                 argc ? argv[0] : "");
  unsigned p[4] = {0};
  if (argc - 1 != f->n)
    return usage("wrong number of parameters for ", f->name);
  for (int i = 0; i < f->n; i++)
    if (!read_number(argv[i + 1], &p[i]))
      return usage("not a number: ", argv[i + 1]);
  int bad = check_parameters(f, p);
  if (bad)
    return bad;
  if (!base)
    return write_files(f, p, "-", NULL) ? 0 : 2;
  hd_str tts = {0}, prop = {0};
  hd_str_printf(&tts, "%s.tts", base);
  hd_str_printf(&prop, "%s.prop", base);
  bool ok = write_files(f, p, hd_str_text(&tts), hd_str_text(&prop));
  hd_str_free(&tts);
  hd_str_free(&prop);
  return ok ? 0 : 2;
}

int main(int argc, char **argv) {
  const char *base = NULL;
  char *words[8];
  int n = 0;
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--list"))
      return list();
    if (!strncmp(argv[i], "--out=", 6))
      return write_set(argv[i] + 6);
    if (!strncmp(argv[i], "--to=", 5))
      base = argv[i] + 5;
    else if (argv[i][0] == '-')
      return usage("unknown option ", argv[i]);
    else if (n < 8)
      words[n++] = argv[i];
  }
  return one_system(n, words, base);
}
