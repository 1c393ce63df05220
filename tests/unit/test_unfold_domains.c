/* SPDX-License-Identifier: MIT */
/* The domains of unfold. Relations between variables against all runs: what unfold proves with octagons
 * is not violated in any run of a random program about numbers that wrap around,
 * and it proves what intervals cannot. Without abstraction the unfolding has one
 * maximal configuration a Mazurkiewicz trace. */
#include "engine/explore/explore.h"
#include "engine/unfold/unfold.h"

#include "relation_random.h"

#include <stdlib.h>

#define BIT(name) ((hd_properties)1 << HD_PROPERTY_##name)
#define ASKED (BIT(ASSERT) | BIT(RACE))

typedef struct {
  size_t programs, violated, complete, proved[HD_DOMAIN_CONCRETE + 1], gave_up,
      inexact, proved_by_terms, proved_apart;
} tally;

/* 1: some run violates an assertion; 0: none does; -1: not known. */
static int truth(const hd_code *code) {
  hd_explore_options options = {.machine.checks = BIT(ASSERT),
                                .max_states = 20000};
  hd_run run = {0};
  hd_explore_result found = {0};
  hd_explore(code, &options, &run, &found);
  hd_verdict v = found.findings[HD_PROPERTY_ASSERT].verdict;
  hd_explore_result_free(&found);
  return v == HD_UNSAFE ? 1 : v == HD_SAFE ? 0 : -1;
}

static bool proves(const hd_code *code, const hd_unfold_options *o, tally *t) {
  hd_run run = {0};
  hd_unfold_result found = {0};
  hd_unfold(code, o, &run, &found);
  bool safe = found.verdicts[HD_PROPERTY_ASSERT] == HD_SAFE;
  t->gave_up += found.reason != NULL;
  hd_unfold_result_free(&found);
  return safe;
}

static void compare(uint64_t seed, tally *t) {
  hd_str text = related_program(seed);
  hd_code *code = read_code(hd_str_text(&text));
  int bad = truth(code);
  t->programs++;
  t->violated += bad > 0;
  t->complete += bad == 0;
  static const struct {
    hd_domain domain;
    uint32_t widen, partition, unroll, split, levels;
  } ways[] = {
      {HD_DOMAIN_INTERVAL, 1, 1, 1, 0, 0}, {HD_DOMAIN_OCTAGON, 1, 1, 1, 0, 0},
      {HD_DOMAIN_OCTAGON, 4, 1, 2, 0, 0},  {HD_DOMAIN_OCTAGON, 0, 0, 0, 0, 0},
      {HD_DOMAIN_OCTAGON, 2, 2, 3, 0, 0},  {HD_DOMAIN_CONCRETE, 0, 0, 0, 0, 0},
      {HD_DOMAIN_INTERVAL, 1, 1, 1, 0, 2}, {HD_DOMAIN_OCTAGON, 1, 1, 1, 0, 2},
      {HD_DOMAIN_CONCRETE, 0, 0, 0, 1, 0}, {HD_DOMAIN_AUTO, 0, 0, 0, 0, 0},
  };
  for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
    hd_unfold_options o = {.checks = ASKED,
                           .domain = ways[i].domain,
                           .widen = ways[i].widen,
                           .partition = ways[i].partition,
                           .unroll = ways[i].unroll,
                           .split = ways[i].split,
                           .levels = ways[i].levels,
                           .max_events = 300,
                           .max_steps = 20000};
    bool safe = proves(code, &o, t);
    if (bad > 0 && safe) {
      fputs(hd_str_text(&text), stderr);
      fail_msg("program %llu is violated, but unfold (domain %d, widen %u, "
               "partition %u, unroll %u, split %u) calls it safe",
               (unsigned long long)seed, o.domain, o.widen, o.partition,
               o.unroll, o.split);
    }
    if (o.levels)
      t->proved_apart += safe;
    else if (o.split)
      t->proved_by_terms += safe;
    else if (i < 2 || o.domain == HD_DOMAIN_CONCRETE)
      t->proved[o.domain] += safe;
    if (bad == 0 && !safe && !o.split && o.domain == HD_DOMAIN_CONCRETE)
      t->inexact++;
  }
  hd_code_delete(code);
  hd_str_free(&text);
}

static uint64_t setting(const char *name, uint64_t otherwise) {
  const char *text = getenv(name);
  return text ? strtoull(text, NULL, 10) : otherwise;
}

/* More of them: HEDDLE_PROGRAMS=N, from number HEDDLE_FIRST on. */
static void test_related(void **state) {
  (void)state;
  uint64_t first = setting("HEDDLE_FIRST", 0);
  uint64_t n = setting("HEDDLE_PROGRAMS", 400);
  tally t = {0};
  for (uint64_t seed = first; seed < first + n; seed++)
    compare(seed, &t);
  print_message("%zu programs, %zu violated, %zu not, proved by intervals %zu, "
                "by octagons %zu, one by one %zu (not %zu), with inputs as "
                "variables %zu, kept apart (twice) %zu, given up %zu "
                "times\n",
                t.programs, t.violated, t.complete,
                t.proved[HD_DOMAIN_INTERVAL], t.proved[HD_DOMAIN_OCTAGON],
                t.proved[HD_DOMAIN_CONCRETE], t.inexact, t.proved_by_terms,
                t.proved_apart, t.gave_up);
  assert_true(t.violated > n / 5 && t.complete > n / 5);
  assert_true(t.proved[HD_DOMAIN_OCTAGON] > t.proved[HD_DOMAIN_INTERVAL]);
  assert_true(t.proved_by_terms > t.proved[HD_DOMAIN_INTERVAL]);
}

/* --- without abstraction: as many maximal configurations as traces --- */

enum { THREADS = 3, MOST = 5 };

typedef enum { ADD, LOCK, UNLOCK, IF_SMALL } kind;

/* One action: on variable or lock `what`; IF_SMALL: the next one only happens if
 * the last sum that the thread saw is less than 2. */
typedef struct {
  kind kind;
  int what;
} action;

typedef struct {
  int n_threads, n[THREADS];
  action actions[THREADS][MOST + 1];
} little;

static little some_little(uint64_t seed) {
  rng r = rng_of(seed);
  little p = {.n_threads = 2 + (int)draw(&r, 2)};
  for (int t = 0; t < p.n_threads; t++) {
    int most = p.n_threads == 2 ? MOST : 3;
    while (p.n[t] < most) {
      action *a = p.actions[t];
      if (p.n[t] + 3 <= most && !draw(&r, 3)) {
        int lock = (int)draw(&r, 2);
        a[p.n[t]++] = (action){LOCK, lock};
        a[p.n[t]++] = (action){ADD, (int)draw(&r, 2)};
        a[p.n[t]++] = (action){UNLOCK, lock};
      } else if (p.n[t] + 2 <= most && !draw(&r, 3)) {
        a[p.n[t]++] = (action){IF_SMALL, 0};
        a[p.n[t]++] = (action){ADD, (int)draw(&r, 2)};
      } else {
        a[p.n[t]++] = (action){ADD, (int)draw(&r, 2)};
      }
      if (!draw(&r, 4))
        break;
    }
  }
  return p;
}

static hd_str little_text(const little *p) {
  static const char *const vars[] = {"@x", "@y"}, *const locks[] = {"@m", "@n"};
  writer w = {.r = rng_of(0)};
  hd_str_puts(&w.out, declarations);
  for (int t = 0; t < p->n_threads; t++) {
    put(&w, "function @t%d (%%arg) -> ptr {\n  reg %%arg ptr\n", t);
    put_registers(&w);
    for (int i = 0; i < p->n[t]; i++) {
      action a = p->actions[t][i];
      if (a.kind == ADD)
        act(&w, "rmw.add.seq_cst %%a = %s, 1:i32", vars[a.what]);
      else if (a.kind == IF_SMALL)
        branch(&w, "sge.i1(%a, 2:i32)", "slt.i1(%a, 2:i32)", 1);
      else
        act(&w, "call %%k = @pthread_mutex_%slock(%s)",
            a.kind == LOCK ? "" : "un", locks[a.what]);
    }
    put_location(&w, w.loc);
    put(&w, "    -> %d - return null\n}\n", w.loc);
  }
  put(&w, "function @main () -> i32 {\n");
  put_registers(&w);
  for (int t = 0; t < p->n_threads; t++)
    act(&w,
        "call %%k = @pthread_create(ptradd.ptr(@th, %d:i64), null, @t%d, "
        "null)",
        8 * t, t);
  for (int t = 0; t < p->n_threads; t++) {
    act(&w, "load %%h = ptradd.ptr(@th, %d:i64)", 8 * t);
    act(&w, "call %%k = @pthread_join(%%h, null)");
  }
  put_location(&w, w.loc);
  put(&w, "    -> %d - return 0:i32\n}\n", w.loc);
  return w.out;
}

/* All interleavings; a trace is known by who works on each variable and lock in
 * which order. */
typedef struct {
  int at[THREADS], last[THREADS], value[2], owner[2];
  char orders[4][3 * MOST + 1]; /* x, y, m, n */
} moment;

typedef char *name;
typedef hd_vec(name) names;

static void note_trace(const moment *m, names *seen) {
  char text[80];
  snprintf(text, sizeof text, "%s/%s/%s/%s", m->orders[0], m->orders[1],
           m->orders[2], m->orders[3]);
  for (hd_vec_each(name, x, seen))
    if (!strcmp(*x, text))
      return;
  hd_vec_push(seen, hd_strdup(text));
}

static void interleave(const little *p, moment m, names *seen) {
  bool any = false;
  for (int t = 0; t < p->n_threads; t++) {
    moment next = m;
    while (next.at[t] < p->n[t] && p->actions[t][next.at[t]].kind == IF_SMALL)
      next.at[t] += next.last[t] < 2 ? 1 : 2;
    if (next.at[t] >= p->n[t])
      continue;
    action a = p->actions[t][next.at[t]++];
    if (a.kind == LOCK && next.owner[a.what])
      continue;
    any = true;
    char *order = next.orders[a.kind == ADD ? a.what : 2 + a.what];
    order[strlen(order)] = (char)('0' + t);
    if (a.kind == ADD)
      next.last[t] = next.value[a.what]++;
    else
      next.owner[a.what] = a.kind == LOCK;
    interleave(p, next, seen);
  }
  if (!any)
    note_trace(&m, seen);
}

static void test_traces(void **state) {
  (void)state;
  size_t most = 0, all = 0, differ = 0;
  for (uint64_t seed = 0; seed < 150; seed++) {
    little p = some_little(seed);
    names seen = {0};
    interleave(&p, (moment){0}, &seen);
    hd_str text = little_text(&p);
    hd_code *code = read_code(hd_str_text(&text));
    hd_unfold_options o = {.checks = BIT(ASSERT),
                           .domain = HD_DOMAIN_CONCRETE,
                           .no_cutoffs = true,
                           .keep_shape = true};
    hd_run run = {0};
    hd_unfold_result found = {0};
    hd_unfold(code, &o, &run, &found);
    assert_null(found.reason);
    /* main waits for all threads: its end has everything in its history, so
     * there are as many ends as maximal configurations. */
    size_t ends = 0;
    for (hd_vec_each(const hd_unfold_event, e, &found.shape))
      ends += e->thread == 0 && e->ends;
    if (ends != seen.size) {
      fputs(hd_str_text(&text), stderr);
      fail_msg("program %llu has %zu traces, but %zu maximal configurations",
               (unsigned long long)seed, seen.size, ends);
    }
    differ += found.configurations != ends;
    most = seen.size > most ? seen.size : most;
    all += seen.size;
    hd_unfold_result_free(&found);
    hd_code_delete(code);
    hd_str_free(&text);
    for (hd_vec_each(name, x, &seen))
      hd_free(*x);
    hd_vec_free(&seen);
  }
  print_message("%zu traces, at most %zu of one program; %zu times not counted "
                "to the end\n",
                all, most, differ);
  assert_true(most > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_related),
      cmocka_unit_test(test_traces),
  };
  return cmocka_run_group_tests_name("unfold_domains", tests, NULL, NULL);
}
