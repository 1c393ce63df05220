/* SPDX-License-Identifier: MIT */
/* The formulas of the concolic engine, each against brute force. */
#include "engine/concolic/concolic.h"
#include "engine/concolic/paths.h"
#include "engine/concolic/shelf.h"
#include "thread_util.h"

#define LOCALS 5

static hd_view_edge edge_of(tedge e) {
  return (hd_view_edge){.from = e.from,
                        .to = e.to,
                        .take = e.take,
                        .give = e.give,
                        .kind = e.kind == '+' ? HD_EDGE_SPAWN : HD_EDGE_PLAIN};
}

/* The minimal predecessor, from the definition: the least vector from which a
 * step of the edge leads to n or more. */
static void step_back(const hd_view_edge *e, int64_t *n) {
  if (n[e->give] > 0)
    n[e->give]--;
  if (e->kind == HD_EDGE_PLAIN)
    n[e->take]++;
  else if (n[e->take] < 1)
    n[e->take] = 1;
}

static hd_view_edge random_edge(bool spawns) {
  bool spawn = spawns && !pick(3);
  return edge_of((tedge){0, pick(LOCALS), spawn ? '+' : '-', 0, pick(LOCALS)});
}

/* ---- single edges ---- */

static void check_edge(tedge te, hd_place_id local, int64_t delta,
                       int64_t floor) {
  hd_view_edge e = edge_of(te);
  hd_effect effect = hd_effect_of(&e, local);
  assert_int_equal(effect.delta, delta);
  assert_int_equal(effect.floor, floor);
}

static void plain_edge_effects(void **state) {
  check_edge((tedge){0, 1, '-', 0, 2}, 1, 1, 1);
  check_edge((tedge){0, 1, '-', 0, 2}, 2, -1, 0);
  check_edge((tedge){0, 1, '-', 0, 2}, 3, 0, 0);
  check_edge((tedge){0, 1, '-', 9, 1}, 1, 0, 1);
}

static void spawn_edge_effects(void **state) {
  check_edge((tedge){0, 1, '+', 0, 2}, 1, 0, 1);
  check_edge((tedge){0, 1, '+', 0, 2}, 2, -1, 0);
  check_edge((tedge){0, 1, '+', 0, 1}, 1, -1, 1);
}

/* The definition of the predecessor itself, by trying all small vectors. */
static bool leads_to(const hd_view_edge *e, const int64_t *from,
                     const int64_t *to) {
  int64_t n[LOCALS];
  memcpy(n, from, sizeof n);
  if (n[e->take] < 1)
    return false;
  if (e->kind == HD_EDGE_PLAIN)
    n[e->take]--;
  n[e->give]++;
  for (int l = 0; l < LOCALS; l++)
    if (n[l] < to[l])
      return false;
  return true;
}

static void predecessor_is_the_least(void **state) {
  thread_seed = 11;
  for (int round = 0; round < 300; round++) {
    hd_view_edge e = random_edge(true);
    int64_t to[LOCALS], before[LOCALS];
    for (int l = 0; l < LOCALS; l++)
      to[l] = before[l] = pick(3);
    for (hd_place_id l = 0; l < LOCALS; l++)
      before[l] = hd_effect_apply(hd_effect_of(&e, l), to[l]);
    assert_true(leads_to(&e, before, to));
    for (uint32_t code = 0; code < 1024; code++) {
      int64_t from[LOCALS];
      for (uint32_t l = 0, c = code; l < LOCALS; l++, c /= 4)
        from[l] = c % 4;
      if (!leads_to(&e, from, to))
        continue;
      for (int l = 0; l < LOCALS; l++)
        assert_true(from[l] >= before[l]);
    }
  }
}

/* ---- algorithm 2 and lemma 3, as the paper writes them ---- */

typedef struct {
  hd_place_id local[64]; /* of t1 … tk */
  bool real[64];         /* is (ti, ti+1) a real edge? */
  size_t k;
} expanded_path;

/* A path of the expanded diagram that begins and ends with real edges: an
 * expansion edge never follows another, nor leads to its own source. */
static expanded_path random_path(size_t edges) {
  expanded_path p = {.k = 1};
  p.local[0] = pick(LOCALS);
  for (size_t i = 0; i < edges; i++) {
    p.real[p.k - 1] = true;
    p.local[p.k++] = pick(LOCALS);
    hd_place_id next = pick(LOCALS);
    if (i + 1 < edges && next != p.local[p.k - 1]) {
      p.real[p.k - 1] = false;
      p.local[p.k++] = next;
    }
  }
  return p;
}

static int64_t ominus1(int64_t n) {
  return n > 0 ? n - 1 : 0;
}

/* Algorithm 2, executed instead of printed. */
static int64_t algorithm2(const expanded_path *p, hd_place_id l, int64_t n) {
  for (size_t i = p->k - 1; i-- > 0;) {
    if (p->real[i] && p->local[i] == l)
      n = n + 1;
    if (p->real[i] && p->local[i + 1] == l)
      n = n - 1;
    if (!p->real[i] && p->local[i] == l)
      n = ominus1(n) + 1;
  }
  return n;
}

static hd_segment segment_of(const expanded_path *p) {
  hd_segment segment = {0};
  for (size_t i = p->k - 1; i-- > 0;)
    if (p->real[i]) {
      hd_view_edge e =
          edge_of((tedge){0, p->local[i], '-', 0, p->local[i + 1]});
      hd_segment_add(&segment, &e);
    }
  return segment;
}

static expanded_path path_of(const char *text) {
  expanded_path p = {.k = 1};
  p.local[0] = (hd_place_id)(text[0] - '0');
  for (const char *c = text + 1; *c; c += 2) {
    p.real[p.k - 1] = c[0] == '>';
    p.local[p.k++] = (hd_place_id)(c[1] - '0');
  }
  return p;
}

static void check_algorithm2(const char *path, hd_place_id l, int64_t n,
                             int64_t expected) {
  expanded_path p = path_of(path);
  hd_segment segment = segment_of(&p);
  assert_int_equal(algorithm2(&p, l, n), expected);
  assert_int_equal(hd_effect_apply(hd_segment_at(&segment, l), n), expected);
  hd_vec_free(&segment);
}

/* "1>2" is a real edge from local 1 to 2, "." an expansion edge. */
static void algorithm2_real_edge_from_l(void **state) {
  check_algorithm2("1>2", 1, 0, 1);
  check_algorithm2("1>2", 1, 4, 5);
}

static void algorithm2_real_edge_to_l(void **state) {
  check_algorithm2("1>2", 2, 1, 0);
  check_algorithm2("1>2", 2, 4, 3);
}

static void algorithm2_expansion_edge_from_l(void **state) {
  check_algorithm2("3>1.2>2", 1, 0, 0);
  check_algorithm2("3>1.2>2", 1, 1, 0);
  check_algorithm2("3>1.2>2", 1, 5, 4);
}

static void algorithm2_vertical_edge_cancels(void **state) {
  check_algorithm2("1>1", 1, 1, 1);
  check_algorithm2("1>1", 1, 3, 3);
}

/* Figure 3's remark: 0 ominus 1 + 1 = 1. */
static void algorithm2_paper_remark(void **state) {
  expanded_path p = path_of("0.2");
  assert_int_equal(algorithm2(&p, 0, 0), 1);
  assert_int_equal(algorithm2(&p, 0, 1), 1);
}

static void algorithm2_agrees_with_segments(void **state) {
  thread_seed = 21;
  for (int round = 0; round < 5000; round++) {
    expanded_path p = random_path(1 + pick(20));
    hd_segment segment = segment_of(&p);
    for (hd_place_id l = 0; l < LOCALS; l++)
      /* The path ends in l: backward search starts with a thread there. */
      for (int64_t n = p.local[p.k - 1] == l; n < 8; n++)
        assert_int_equal(hd_effect_apply(hd_segment_at(&segment, l), n),
                         algorithm2(&p, l, n));
    hd_vec_free(&segment);
  }
}

static int64_t real_edge_summary(const expanded_path *p, hd_place_id l) {
  int64_t delta = 0;
  for (size_t i = 0; i + 1 < p->k; i++)
    if (p->real[i])
      delta += (p->local[i] == l) - (p->local[i + 1] == l);
  return delta;
}

/* Lemma 3: Sigma (n) = max (n + delta, b), b = Sigma (1) or Sigma (0). */
static void lemma3(void **state) {
  thread_seed = 22;
  for (int round = 0; round < 5000; round++) {
    expanded_path p = random_path(1 + pick(20));
    hd_segment segment = segment_of(&p);
    for (hd_place_id l = 0; l < LOCALS; l++) {
      bool ends = p.local[p.k - 1] == l;
      int64_t delta = real_edge_summary(&p, l), b = algorithm2(&p, l, ends);
      assert_int_equal(hd_segment_at(&segment, l).delta, delta);
      for (int64_t n = ends; n < 8; n++) {
        int64_t expected = n + delta > b ? n + delta : b;
        assert_int_equal(algorithm2(&p, l, n), expected);
        assert_int_equal(hd_effect_apply(hd_segment_at(&segment, l), n),
                         expected);
      }
    }
    hd_vec_free(&segment);
  }
}

static void composition_is_one_after_the_other(void **state) {
  thread_seed = 23;
  for (int round = 0; round < 5000; round++) {
    hd_effect a = HD_EFFECT_NONE, b = HD_EFFECT_NONE;
    for (uint32_t i = pick(6); i-- > 0;) {
      hd_view_edge e = random_edge(true), f = random_edge(true);
      a = hd_effect_compose(hd_effect_of(&e, 0), a);
      b = hd_effect_compose(hd_effect_of(&f, 0), b);
    }
    hd_effect both = hd_effect_compose(b, a);
    for (int64_t n = 0; n < 10; n++)
      assert_int_equal(hd_effect_apply(both, n),
                       hd_effect_apply(b, hd_effect_apply(a, n)));
  }
}

/* ---- theorem 3 ---- */

static void theorem3_is_iteration(void **state) {
  thread_seed = 31;
  for (int round = 0; round < 3000; round++) {
    hd_view_edge loop[12];
    size_t size = 1 + pick(12);
    hd_segment segment = {0};
    for (size_t i = 0; i < size; i++) {
      loop[i] = random_edge(true);
      hd_segment_add(&segment, &loop[i]);
    }
    int64_t n[LOCALS], start[LOCALS];
    for (int l = 0; l < LOCALS; l++)
      n[l] = start[l] = pick(20);
    for (int64_t kappa = 0; kappa < 25; kappa++) {
      for (hd_place_id l = 0; l < LOCALS; l++)
        assert_int_equal(
            hd_effect_repeat(hd_segment_at(&segment, l), start[l], kappa),
            n[l]);
      for (size_t i = 0; i < size; i++)
        step_back(&loop[i], n);
    }
    hd_vec_free(&segment);
  }
}

/* The remark after theorem 3: n ⊕_b delta ⊕_b (kappa-1) delta is not
 * n ⊕_b kappa delta. */
static void theorem3_is_not_one_sum(void **state) {
  hd_effect e = {.delta = 1, .floor = 3};
  assert_int_equal(hd_effect_repeat(e, 0, 2), 4);
  assert_int_not_equal(hd_effect_repeat(e, 0, 2), 0 + 2 * 1);
}

/* ---- summaries with variables ---- */

static const hd_count no_threads[LOCALS] = {0};

static void check_summary(const hd_summary *summary, const int64_t *n,
                          const int64_t *k) {
  for (hd_place_id l = 0; l < LOCALS; l++)
    assert_int_equal(hd_summary_value(summary, l, k), n[l]);
}

static void summaries_are_iteration(void **state) {
  thread_seed = 41;
  for (int round = 0; round < 4000; round++) {
    hd_token_vec need = {0};
    int64_t n[LOCALS] = {0}, k[HD_MAX_LOOPS];
    for (hd_place_id l = 0; l < LOCALS; l++)
      if (pick(2)) {
        n[l] = 1 + pick(9);
        hd_vec_push(&need, ((hd_token){l, (hd_count)n[l]}));
      }
    hd_summary summary = {0};
    hd_summary_start(&summary, hd_token_vec_view(&need), no_threads);
    for (int part = 0; part < 6; part++) {
      hd_view_edge edges[6];
      size_t size = 1 + pick(6);
      bool loop = pick(2);
      hd_segment segment = {0};
      for (size_t i = 0; i < size; i++) {
        edges[i] = random_edge(true);
        hd_segment_add(&segment, &edges[i]);
        if (!loop)
          assert_true(hd_summary_edge(&summary, &edges[i], no_threads));
      }
      if (loop) {
        k[summary.n_loops] = pick(8);
        assert_true(hd_summary_loop(&summary, &segment, no_threads));
      }
      int64_t rounds = loop ? 1 + k[summary.n_loops - 1] : 1;
      for (int64_t r = 0; r < rounds; r++)
        for (size_t i = 0; i < size; i++)
          step_back(&edges[i], n);
      check_summary(&summary, n, k);
      hd_vec_free(&segment);
    }
    hd_summary_free(&summary);
    hd_vec_free(&need);
  }
}

static void free_locals_are_left_out(void **state) {
  hd_count available[LOCALS] = {0, HD_OMEGA};
  hd_token need[] = {{0, 2}, {1, 5}};
  hd_summary summary = {0};
  hd_summary_start(&summary, (hd_tokens){need, 2}, available);
  assert_int_equal(summary.terms.size, 1);
  hd_view_edge e = edge_of((tedge){0, 1, '-', 0, 0});
  assert_true(hd_summary_edge(&summary, &e, available));
  assert_int_equal(summary.terms.size, 1);
  assert_int_equal(summary.terms.data[0].c[0], 1);
  hd_summary_free(&summary);
}

static void unhelpful_loops_are_seen(void **state) {
  hd_token need[] = {{0, 1}};
  hd_summary summary = {0};
  hd_summary_start(&summary, (hd_tokens){need, 1}, no_threads);
  hd_segment round = {0};
  hd_view_edge up = edge_of((tedge){0, 0, '-', 0, 1});
  hd_segment_add(&round, &up);
  assert_false(hd_summary_loop_helps(&summary, &round, no_threads));
  hd_vec_clear(&round);
  hd_view_edge down = edge_of((tedge){0, 1, '-', 0, 0});
  hd_segment_add(&round, &down);
  assert_true(hd_summary_loop_helps(&summary, &round, no_threads));
  hd_vec_clear(&round);
  hd_view_edge self = edge_of((tedge){0, 0, '+', 0, 0}); /* max (n - 1, 1) */
  hd_segment_add(&round, &self);
  assert_false(hd_summary_loop_helps(&summary, &round, no_threads));
  hd_vec_free(&round);
  hd_summary_free(&summary);
}

static void loops_that_do_not_help_only_raise(void **state) {
  thread_seed = 43;
  for (int round = 0; round < 3000; round++) {
    hd_token_vec need = {0};
    int64_t n[LOCALS] = {0}, start[LOCALS];
    for (hd_place_id l = 0; l < LOCALS; l++)
      if (pick(3) && (n[l] = 1 + pick(3)))
        hd_vec_push(&need, ((hd_token){l, (hd_count)n[l]}));
    memcpy(start, n, sizeof n);
    hd_summary summary = {0};
    hd_summary_start(&summary, hd_token_vec_view(&need), no_threads);
    hd_segment segment = {0};
    hd_view_edge edges[4];
    size_t size = 1 + pick(4);
    for (size_t i = 0; i < size; i++) {
      edges[i] = random_edge(true);
      hd_segment_add(&segment, &edges[i]);
    }
    bool helps = hd_summary_loop_helps(&summary, &segment, no_threads);
    bool lowered = false;
    for (int r = 0; r < 6; r++) {
      for (size_t i = 0; i < size; i++)
        step_back(&edges[i], n);
      for (int l = 0; l < LOCALS; l++)
        lowered = lowered || n[l] < start[l];
    }
    assert_int_equal(helps, lowered);
    hd_vec_free(&segment);
    hd_summary_free(&summary);
    hd_vec_free(&need);
  }
}

static void covering_summaries_are_larger(void **state) {
  thread_seed = 44;
  uint32_t covering = 0;
  for (int round = 0; round < 4000; round++) {
    hd_summary s[2] = {{{0}, 0}, {{0}, 0}};
    for (int i = 0; i < 2; i++) {
      hd_token need[] = {{0, 1 + pick(3)}, {1, 1 + pick(3)}};
      hd_summary_start(&s[i], (hd_tokens){need, pick(3)}, no_threads);
      for (int part = 0; part < 3; part++) {
        hd_segment segment = {0};
        hd_view_edge e = random_edge(false);
        hd_segment_add(&segment, &e);
        assert_true(pick(2) ? hd_summary_edge(&s[i], &e, no_threads)
                            : hd_summary_loop(&s[i], &segment, no_threads));
        hd_vec_free(&segment);
      }
    }
    if (hd_summary_covers(&s[0], &s[1])) {
      covering++;
      for (int trial = 0; trial < 10; trial++) {
        int64_t k[HD_MAX_LOOPS];
        for (int i = 0; i < HD_MAX_LOOPS; i++)
          k[i] = pick(6);
        for (hd_place_id l = 0; l < LOCALS; l++)
          assert_true(hd_summary_value(&s[0], l, k) >=
                      hd_summary_value(&s[1], l, k));
      }
    }
    hd_summary_free(&s[0]);
    hd_summary_free(&s[1]);
  }
  assert_true(covering > 50);
}

static void huge_counts_are_refused(void **state) {
  hd_token need[] = {{0, HD_COUNT_MAX}};
  hd_summary summary = {0};
  hd_summary_start(&summary, (hd_tokens){need, 1}, no_threads);
  hd_view_edge e = edge_of((tedge){0, 0, '-', 0, 1});
  assert_false(hd_summary_edge(&summary, &e, no_threads));
  hd_summary_free(&summary);
}

/* ---- loop counts ---- */

static bool holds(const hd_rows *rows, uint32_t n, const int64_t *k) {
  for (hd_vec_each(const hd_count_row, row, rows)) {
    int64_t sum = 0;
    for (uint32_t i = 0; i < n; i++)
      sum += row->a[i] * k[i];
    if (sum > row->bound)
      return false;
  }
  return true;
}

#define RANGE 14 /* solutions of the random systems below are that small */

static bool solve_by_trying(const hd_rows *rows, uint32_t n) {
  uint32_t codes = 1;
  for (uint32_t i = 0; i < n; i++)
    codes *= RANGE;
  for (uint32_t code = 0; code < codes; code++) {
    int64_t k[HD_MAX_LOOPS];
    for (uint32_t i = 0, c = code; i < n; i++, c /= RANGE)
      k[i] = c % RANGE;
    if (holds(rows, n, k))
      return true;
  }
  return false;
}

static void random_rows(hd_rows *rows, uint32_t n, bool one_negative) {
  hd_vec_clear(rows);
  for (uint32_t r = 1 + pick(4); r-- > 0;) {
    hd_count_row row = {.bound = (int64_t)pick(13) - 8};
    uint32_t negative = pick(n);
    for (uint32_t i = 0; i < n; i++) {
      row.a[i] = (int64_t)pick(3);
      if (one_negative ? i == negative : pick(2))
        row.a[i] = -row.a[i];
    }
    hd_vec_push(rows, row);
  }
  /* Keeps the solutions within RANGE, so that trying is a proof. */
  for (uint32_t i = 0; i < n; i++) {
    hd_count_row row = {.bound = RANGE - 1};
    row.a[i] = 1;
    hd_vec_push(rows, row);
  }
}

static void check_counts(bool one_negative, int rounds) {
  hd_rows rows = {0};
  uint32_t found = 0, none = 0;
  for (int round = 0; round < rounds; round++) {
    uint32_t n = 1 + pick(3);
    random_rows(&rows, n, one_negative);
    int64_t k[HD_MAX_LOOPS];
    hd_counts_stats stats = {0};
    hd_counts_status status = hd_counts_solve(&rows, n, 5, k, &stats);
    assert_int_not_equal(status, HD_COUNTS_UNKNOWN);
    assert_int_equal(status == HD_COUNTS_FOUND, solve_by_trying(&rows, n));
    if (status == HD_COUNTS_FOUND)
      assert_true(holds(&rows, n, k));
    found += status == HD_COUNTS_FOUND;
    none += status == HD_COUNTS_NONE;
    if (one_negative)
      assert_int_equal(stats.direct, 1);
  }
  assert_true(found > 100 && none > 100);
  hd_vec_free(&rows);
}

static void counts_in_closed_form(void **state) {
  thread_seed = 51;
  check_counts(true, 3000);
}

static void counts_by_search(void **state) {
  thread_seed = 52;
  check_counts(false, 3000);
}

static void counts_without_loops(void **state) {
  hd_rows rows = {0};
  int64_t k[1];
  hd_counts_stats stats = {0};
  assert_int_equal(hd_counts_solve(&rows, 0, 0, k, &stats), HD_COUNTS_FOUND);
  hd_vec_push(&rows, ((hd_count_row){.bound = -1}));
  assert_int_equal(hd_counts_solve(&rows, 0, 0, k, &stats), HD_COUNTS_NONE);
  hd_vec_free(&rows);
}

static void counts_are_least(void **state) {
  hd_rows rows = {0};
  hd_vec_push(&rows, ((hd_count_row){.a = {-3, 1}, .bound = -10}));
  hd_vec_push(&rows, ((hd_count_row){.a = {1, -2}, .bound = -1}));
  int64_t k[2];
  hd_counts_stats stats = {0};
  /* 3 x >= y + 10, 2 y >= x + 1 */
  assert_int_equal(hd_counts_solve(&rows, 2, 0, k, &stats), HD_COUNTS_FOUND);
  assert_int_equal(k[0], 5);
  assert_int_equal(k[1], 3);
  hd_vec_free(&rows);
}

static void large_counts_are_direct(void **state) {
  hd_rows rows = {0};
  hd_vec_push(&rows, ((hd_count_row){.a = {-1}, .bound = -100000000}));
  int64_t k[1];
  hd_counts_stats stats = {0};
  assert_int_equal(hd_counts_solve(&rows, 1, 0, k, &stats), HD_COUNTS_FOUND);
  assert_int_equal(k[0], 100000000);
  hd_vec_free(&rows);
}

/* x > y and y > x: bounds rise for ever, the answer must not be a guess. */
static void diverging_counts_are_not_guessed(void **state) {
  hd_rows rows = {0};
  hd_vec_push(&rows, ((hd_count_row){.a = {-1, 1}, .bound = -1}));
  hd_vec_push(&rows, ((hd_count_row){.a = {1, -1}, .bound = -1}));
  int64_t k[2];
  hd_counts_stats stats = {0};
  assert_int_not_equal(hd_counts_solve(&rows, 2, 0, k, &stats),
                       HD_COUNTS_FOUND);
  hd_vec_free(&rows);
}

static void diverging_counts_are_left_to_z3(void **state) {
  hd_rows rows = {0};
  hd_vec_push(&rows, ((hd_count_row){.a = {-1, 1}, .bound = -1}));
  hd_vec_push(&rows, ((hd_count_row){.a = {1, -1}, .bound = -1}));
  int64_t k[2];
  hd_counts_stats stats = {0};
  assert_int_equal(hd_counts_solve(&rows, 2, 20, k, &stats), HD_COUNTS_NONE);
  assert_int_equal(stats.smt, 1);
  hd_vec_free(&rows);
}

/* a x + b y = sum */
static void check_equation(int64_t a, int64_t b, int64_t sum,
                           hd_counts_status expected) {
  hd_rows rows = {0};
  hd_vec_push(&rows, ((hd_count_row){.a = {a, b}, .bound = sum}));
  hd_vec_push(&rows, ((hd_count_row){.a = {-a, -b}, .bound = -sum}));
  int64_t k[2];
  hd_counts_stats stats = {0};
  assert_int_equal(hd_counts_solve(&rows, 2, 20, k, &stats), expected);
  if (expected == HD_COUNTS_FOUND)
    assert_int_equal(a * k[0] + b * k[1], sum);
  hd_vec_free(&rows);
}

static void equations_between_counts(void **state) {
  check_equation(3, 5, 7, HD_COUNTS_NONE);
  check_equation(3, 5, 8, HD_COUNTS_FOUND);
  check_equation(3, 5, 1000001, HD_COUNTS_FOUND);
  check_equation(6, 10, 100001, HD_COUNTS_NONE);
  check_equation(9973, 9967, 99410951, HD_COUNTS_FOUND);
}

/* ---- the quotient ---- */

static void check_quotient(const hd_quotient *q) {
  const hd_threads *view = q->view;
  uint32_t n = view->n_shared;
  bool *way = hd_calloc((size_t)n * n, sizeof *way);
  for (uint32_t i = 0; i < view->edges.size; i++)
    if (hd_bits_test(q->used, i))
      way[view->edges.data[i].from * n + view->edges.data[i].to] = true;
  for (uint32_t m = 0; m < n; m++)
    for (uint32_t a = 0; a < n; a++)
      for (uint32_t b = 0; b < n; b++)
        way[a * n + b] |= way[a * n + m] && way[m * n + b];
  for (uint32_t a = 0; a < n; a++)
    for (uint32_t b = 0; b < n; b++) {
      uint32_t ca = q->component_of[a], cb = q->component_of[b];
      if (ca == HD_NO_ID || cb == HD_NO_ID)
        continue;
      bool same = a == b || (way[a * n + b] && way[b * n + a]);
      assert_int_equal(ca == cb, same);
      if (way[a * n + b] && !same)
        assert_true(ca < cb);
    }
  for (uint32_t a = 0; a < n; a++) {
    uint32_t inside = 0, shared = 0, c = q->component_of[a];
    if (c == HD_NO_ID)
      continue;
    for (uint32_t i = 0; i < view->edges.size; i++)
      inside += hd_bits_test(q->used, i) &&
                q->component_of[view->edges.data[i].from] == c &&
                q->component_of[view->edges.data[i].to] == c;
    for (uint32_t b = 0; b < n; b++)
      shared += q->component_of[b] == c;
    hd_component_kind kind = q->components.data[c].kind;
    assert_int_equal(kind == HD_TRIVIAL, inside == 0);
    assert_int_equal(kind == HD_SPAGHETTI, inside > shared);
    assert_int_equal(q->components.data[c].n_edges, inside);
    assert_int_equal(q->components.data[c].n_shared, shared);
  }
  hd_free(way);
}

static void components_agree_with_closure(void **state) {
  thread_seed = 61;
  for (int round = 0; round < 600; round++) {
    hd_net *net = random_graph(2 + pick(10), 3, pick(24), 20);
    random_question(net);
    hd_str why = {0};
    hd_threads *view = hd_threads_new(net, &why);
    hd_quotient *q = hd_quotient_new(view, NULL);
    check_quotient(q);
    hd_quotient_delete(q);
    hd_threads_delete(view);
    hd_net_delete(net);
  }
}

typedef struct {
  hd_net *net;
  hd_threads *view;
  hd_quotient *q;
} built;

static built build(hd_net *net) {
  built b = {.net = net};
  hd_str why = {0};
  b.view = hd_threads_new(net, &why);
  assert_non_null(b.view);
  b.q = hd_quotient_new(b.view, NULL);
  return b;
}

static void unbuild(built *b) {
  hd_quotient_delete(b->q);
  hd_threads_delete(b->view);
  hd_net_delete(b->net);
}

static hd_component_kind kind_of(const built *b, hd_shared_id s) {
  return b->q->components.data[b->q->component_of[s]].kind;
}

static void figure1_quotient(void **state) {
  built b = build(new_system(7, 5, figure1, 7, 6, 4));
  assert_int_equal(kind_of(&b, 0), HD_TRIVIAL);
  for (hd_shared_id s = 1; s <= 3; s++)
    assert_int_equal(kind_of(&b, s), HD_SIMPLE_EXPANDED);
  for (hd_shared_id s = 4; s <= 6; s++)
    assert_int_equal(kind_of(&b, s), HD_TRIVIAL);
  assert_int_equal(b.q->components.size, 5);
  unbuild(&b);
}

/* (1,0) -> (2,1) -> (1,0): no expansion edge on it. */
static void loops_of_real_edges(void **state) {
  static const tedge edges[] = {{0, 0, '-', 1, 0},
                                {1, 0, '-', 2, 1},
                                {2, 1, '-', 1, 0},
                                {2, 0, '-', 3, 1}};
  built b = build(new_system(4, 2, edges, 4, 3, 1));
  assert_int_equal(kind_of(&b, 1), HD_SIMPLE_REAL);
  unbuild(&b);
}

/* Two loops through one shared state, though no thread state is on both. */
static void eights_are_spaghetti(void **state) {
  static const tedge edges[] = {{0, 0, '-', 1, 0},
                                {1, 0, '-', 1, 1},
                                {1, 2, '-', 1, 3},
                                {1, 0, '-', 2, 1}};
  built b = build(new_system(3, 4, edges, 4, 2, 1));
  assert_int_equal(kind_of(&b, 1), HD_SPAGHETTI);
  unbuild(&b);
}

/* Expansion edges back and forth between two nodes of one shared state: a hub
 * would see a second loop. */
static void expansion_cycles_do_not_count(void **state) {
  static const tedge edges[] = {{0, 0, '-', 1, 1},
                                {1, 1, '-', 2, 0},
                                {2, 0, '-', 1, 2},
                                {1, 2, '-', 3, 0}};
  built b = build(new_system(4, 3, edges, 4, 3, 0));
  assert_int_equal(kind_of(&b, 1), HD_SIMPLE_EXPANDED);
  unbuild(&b);
}

static void unrelated_edges_are_cut(void **state) {
  static const tedge edges[] = {{0, 0, '-', 1, 1},
                                {0, 0, '-', 2, 1},
                                {3, 0, '-', 1, 1},
                                {2, 0, '-', 2, 1}};
  built b = build(new_system(4, 2, edges, 4, 1, 1));
  assert_int_equal(b.q->n_used, 1);
  assert_int_equal(b.q->component_of[2], HD_NO_ID);
  assert_int_equal(b.q->component_of[3], HD_NO_ID);
  unbuild(&b);
}

static void settled_locals_have_no_giver_before(void **state) {
  built b = build(new_system(7, 5, figure1, 7, 6, 4));
  const uint64_t *at3 = b.q->settled[b.q->component_of[3]];
  assert_false(hd_bits_test(at3, 1));
  assert_false(hd_bits_test(at3, 2));
  assert_true(hd_bits_test(at3, 3));
  assert_true(hd_bits_test(at3, 4));
  assert_false(hd_bits_test(b.q->settled[b.q->component_of[5]], 4));
  unbuild(&b);
}

/* ---- paths ---- */

static void figure1_needs_two_rounds(void **state) {
  built b = build(new_system(7, 5, figure1, 7, 6, 3));
  hd_paths paths = {.quotient = b.q, .limit = 100};
  hd_run run = {0};
  assert_int_equal(hd_paths_run(&paths, &run), HD_PATHS_FOUND);
  /* The loop lies between the last two ends of the path. */
  assert_int_equal(paths.ends.data[paths.found.end].loop, 1);
  assert_int_equal(paths.found.loop, 0);
  assert_int_equal(1 + paths.found.k[0], 2);
  hd_u32s edges = {0};
  assert_true(hd_paths_unroll(&paths, &paths.found, 1000, &edges));
  static const uint32_t expected[] = {0, 1, 2, 3, 1, 2, 3, 1, 2, 4, 5, 6};
  assert_int_equal(edges.size, 12);
  assert_memory_equal(edges.data, expected, sizeof expected);
  hd_vec_free(&edges);
  hd_paths_free(&paths);
  unbuild(&b);
}

static void figure1_fails_at_n4(void **state) {
  built b = build(new_system(7, 5, figure1, 7, 6, 4));
  hd_paths paths = {.quotient = b.q, .limit = 100};
  hd_run run = {0};
  assert_int_equal(hd_paths_run(&paths, &run), HD_PATHS_NONE);
  assert_int_equal(paths.stats.settled, 1);
  hd_paths_free(&paths);
  unbuild(&b);
}

static void long_runs_are_not_unrolled(void **state) {
  built b = build(new_system(7, 5, figure1, 7, 6, 3));
  hd_paths paths = {.quotient = b.q, .limit = 100};
  hd_run run = {0};
  assert_int_equal(hd_paths_run(&paths, &run), HD_PATHS_FOUND);
  hd_u32s edges = {0};
  assert_false(hd_paths_unroll(&paths, &paths.found, 5, &edges));
  hd_vec_free(&edges);
  hd_paths_free(&paths);
  unbuild(&b);
}

/* A ladder with two edges a rung: 2^n paths, but two ends a rung suffice; with
 * a low limit it gives up. */
static void ladders_share_their_ends(void **state) {
  enum { RUNGS = 30 };
  hd_net *net = hd_net_new(HD_FORMAT_TTS, "ladder", RUNGS + 1, 3);
  net->init[0] = (hd_init){0, HD_OMEGA};
  for (uint32_t i = 0; i < RUNGS; i++) {
    add_tedge(net, (tedge){i, 0, '-', i + 1, 1});
    add_tedge(net, (tedge){i, 0, '-', i + 1, 0});
  }
  add_goal(net, RUNGS, (hd_place_id[]){2}, 1);
  hd_net_finish(net);
  built b = build(net);
  hd_run run = {0};
  hd_paths paths = {.quotient = b.q, .limit = 1000};
  assert_int_equal(hd_paths_run(&paths, &run), HD_PATHS_NONE);
  assert_true(paths.stats.ends < 2 * RUNGS + 5);
  hd_paths_free(&paths);
  paths = (hd_paths){.quotient = b.q, .limit = 1000, .exhaustive = true};
  assert_int_equal(hd_paths_run(&paths, &run), HD_PATHS_TOO_MANY);
  hd_paths_free(&paths);
  unbuild(&b);
}

/* The order of trying: without loops before with loops, whatever the length. */
static void loop_free_paths_come_first(void **state) {
  static const tedge edges[] = {{0, 0, '-', 1, 1}, {1, 0, '-', 1, 1},
                                {1, 1, '-', 5, 2}, {0, 0, '-', 2, 1},
                                {2, 1, '-', 3, 1}, {3, 1, '-', 4, 1},
                                {4, 1, '-', 5, 2}};
  built b = build(new_system(6, 3, edges, 7, 5, 2));
  hd_paths paths = {.quotient = b.q, .limit = 100};
  hd_run run = {0};
  assert_int_equal(hd_paths_run(&paths, &run), HD_PATHS_FOUND);
  assert_int_equal(paths.ends.data[paths.found.end].kind, HD_TRIVIAL);
  assert_int_equal(paths.ends.data[paths.found.end].length, 4);
  hd_paths_free(&paths);
  unbuild(&b);
}

/* ---- the shelf ---- */

static void random_multiset(hd_u32s *m, uint32_t most) {
  hd_vec_clear(m);
  for (uint32_t i = pick(most + 1); i-- > 0;)
    hd_vec_push(m, pick(4));
  for (size_t i = 1; i < m->size; i++)
    for (size_t k = i; k && m->data[k] < m->data[k - 1]; k--) {
      uint32_t t = m->data[k];
      m->data[k] = m->data[k - 1];
      m->data[k - 1] = t;
    }
}

static bool is_part(const hd_u32s *small, const hd_u32s *large) {
  for (uint32_t l = 0; l < 4; l++) {
    int n = 0;
    for (hd_vec_each(const uint32_t, p, small))
      n -= *p == l;
    for (hd_vec_each(const uint32_t, p, large))
      n += *p == l;
    if (n < 0)
      return false;
  }
  return true;
}

static void shelf_subtracts_all_parts(void **state) {
  thread_seed = 71;
  for (int round = 0; round < 60; round++) {
    hd_shelf *shelf = hd_shelf_new(2);
    hd_u32s kept[40] = {{0}}, m = {0};
    uint64_t sets[40][2];
    for (uint32_t i = 0; i < 40; i++) {
      random_multiset(&kept[i], 6);
      uint32_t entry = hd_shelf_entry(shelf, &kept[i]);
      sets[i][0] = pick(256);
      sets[i][1] = pick(256);
      hd_shelf_add(shelf, entry, sets[i]);
      hd_shelf_read(shelf, entry, &m);
      assert_int_equal(m.size, kept[i].size);
      assert_int_equal(hd_shelf_members(shelf, entry), m.size);
      assert_true(is_part(&m, &kept[i]));
    }
    for (int query = 0; query < 50; query++) {
      random_multiset(&m, 7);
      uint64_t bits[2] = {255, 255}, expected[2] = {255, 255};
      for (uint32_t i = 0; i < 40; i++)
        if (is_part(&kept[i], &m)) {
          expected[0] &= ~sets[i][0];
          expected[1] &= ~sets[i][1];
        }
      bool empty = hd_shelf_subtract(shelf, &m, HD_NO_ENTRY, bits);
      assert_memory_equal(bits, expected, sizeof bits);
      assert_int_equal(empty, !expected[0] && !expected[1]);
    }
    for (uint32_t i = 0; i < 40; i++)
      hd_vec_free(&kept[i]);
    hd_vec_free(&m);
    hd_shelf_delete(shelf);
  }
}

static void shelf_can_leave_one_out(void **state) {
  hd_shelf *shelf = hd_shelf_new(1);
  hd_u32s m = {0};
  hd_vec_push(&m, 3);
  uint64_t one = 1, bits = 3;
  uint32_t small = hd_shelf_entry(shelf, &m);
  hd_shelf_add(shelf, small, &one);
  assert_false(hd_shelf_subtract(shelf, &m, small, &bits));
  assert_int_equal(bits, 3);
  assert_false(hd_shelf_subtract(shelf, &m, HD_NO_ENTRY, &bits));
  assert_int_equal(bits, 2);
  assert_int_equal(hd_shelf_size(shelf), 1);
  hd_vec_free(&m);
  hd_shelf_delete(shelf);
}

/* ---- explanations and drawings ---- */

static void explains(hd_net *net, const char *const *phrases) {
  hd_str out = {0};
  hd_run run = {0};
  hd_concolic_explain(&(hd_problem){.net = net}, &run, &out);
  for (; *phrases; phrases++) {
    if (!strstr(hd_str_text(&out), *phrases))
      print_message("%s\n", hd_str_text(&out));
    assert_non_null(strstr(hd_str_text(&out), *phrases));
  }
  hd_str_free(&out);
  hd_net_delete(net);
}

static void explains_why_64_is_unreachable(void **state) {
  explains(new_system(7, 5, figure1, 7, 6, 4),
           (const char *const[]){
               "4 trivial, 1 simple and 0 spaghetti",
               "⇢ (3,2) → (4,3) ⇢ (4,2) → (5,4) → (6,3) ⇢ (6,4)",
               "n2: 1 ⊕_0 (κ-1)·(-1) = 0\n", "n4: 1 = 0  fails",
               "unreachable on this path because of n4\n",
               "unreachable: every path fails, because of n4\n", NULL});
}

static void explains_why_63_is_reachable(void **state) {
  explains(new_system(7, 5, figure1, 7, 6, 3),
           (const char *const[]){
               "n2: 1 ⊕_0 (κ-1)·(-1) = 0\n", "n3: 0 = 0  holds",
               "n4: 0 = 0  holds",
               "κ rounds of (3,1) → (1,2) ⇢ (1,0) → (2,1) ⇢ (2,0) → (3,1)\n",
               "reachable on this path with κ = 2 because of n2\n",
               "reachable by path 2\n", NULL});
}

static void explains_limited_locals(void **state) {
  static const tedge edges[] = {{0, 0, '-', 1, 1}, {1, 0, '-', 2, 1}};
  hd_net *net = new_system(3, 2, edges, 2, 2, 1);
  net->init[0] = (hd_init){1, 1};
  hd_net_finish(net);
  explains(net,
           (const char *const[]){"n0: 2 ≤ 1  fails", "because of n0\n", NULL});
}

static void explains_that_there_is_no_path(void **state) {
  explains(new_system(3, 2, NULL, 0, 2, 1),
           (const char *const[]){"there is no path", NULL});
}

static void explains_spaghetti(void **state) {
  static const tedge edges[] = {{0, 0, '-', 1, 0},
                                {1, 0, '-', 1, 1},
                                {1, 2, '-', 1, 3},
                                {1, 0, '-', 2, 1}};
  explains(new_system(3, 4, edges, 4, 2, 3),
           (const char *const[]){"1 more ways lead back into spaghetti", NULL});
}

/* Braces balance, quotes pair up: what DOT needs at least. */
static void check_dot(const char *dot) {
  int depth = 0, quotes = 0;
  for (const char *c = dot; *c; c++) {
    depth += (*c == '{') - (*c == '}');
    quotes += *c == '"' && c[-1] != '\\';
    assert_true(depth >= 0);
  }
  assert_int_equal(depth, 0);
  assert_int_equal(quotes % 2, 0);
}

static size_t count(const char *text, const char *phrase) {
  size_t n = 0;
  for (const char *c = text; (c = strstr(c, phrase)); c++)
    n++;
  return n;
}

static void draws_figure1(void **state) {
  hd_net *net = new_system(7, 5, figure1, 7, 6, 3);
  hd_result result = {0};
  hd_run run = {0};
  hd_concolic_engine.run(&(hd_problem){.net = net}, &run, &result);
  hd_str out = {0}, why = {0};
  assert_true(hd_concolic_draw(net, result.witness, &out, &why));
  const char *dot = hd_str_text(&out);
  check_dot(dot);
  /* Figure 1 (b): 12 thread states, 7 real and 5 expansion edges; (c): 5
   * nodes. */
  assert_int_equal(count(dot, "style=solid"), 7);
  assert_int_equal(count(dot, "style=dashed"), 5);
  assert_int_equal(count(dot, "[label=\"("), 12);
  assert_int_equal(count(dot, "[style=filled, fillcolor="), 5);
  assert_int_equal(count(dot, "label=\"simple\""), 1);
  assert_int_equal(count(dot, "t6_3 [label=\"(6,3)\", shape=doubleoctagon]"),
                   1);
  /* All of it is on the witness. */
  assert_int_equal(count(dot, "color=red"), 7 + 5 + 4);
  hd_str_free(&out);
  hd_result_free(&result);
  hd_net_delete(net);
}

static void draws_spaghetti_and_spawns(void **state) {
  static const tedge edges[] = {{0, 0, '-', 1, 0},
                                {1, 0, '-', 1, 1},
                                {1, 1, '+', 1, 2},
                                {1, 2, '-', 2, 1}};
  hd_net *net = new_system(3, 3, edges, 4, 2, 1);
  hd_net_name_place(net, 2, "a \"b\"");
  hd_str out = {0}, why = {0};
  assert_true(hd_concolic_draw(net, NULL, &out, &why));
  check_dot(hd_str_text(&out));
  assert_int_equal(count(hd_str_text(&out), "label=\"spaghetti\""), 1);
  assert_int_equal(count(hd_str_text(&out), "arrowtail=diamond"), 1);
  assert_int_equal(count(hd_str_text(&out), "color=red"), 0);
  hd_str_free(&out);
  hd_net_delete(net);
}

static void draws_hubs_where_expansions_are_many(void **state) {
  hd_net *net = hd_net_new(HD_FORMAT_TTS, "hub", 3, 20);
  net->init[0] = (hd_init){0, HD_OMEGA};
  for (hd_place_id l = 0; l < 10; l++) {
    add_tedge(net, (tedge){0, l, '-', 1, l});
    add_tedge(net, (tedge){1, l + 10, '-', 2, l});
  }
  add_goal(net, 2, (hd_place_id[]){1}, 1);
  hd_net_finish(net);
  hd_str out = {0}, why = {0};
  assert_true(hd_concolic_draw(net, NULL, &out, &why));
  check_dot(hd_str_text(&out));
  assert_int_equal(count(hd_str_text(&out), "h1 [shape=point]"), 1);
  assert_true(count(hd_str_text(&out), "style=dashed") < 40);
  hd_str_free(&out);
  hd_net_delete(net);
}

static void draws_no_broadcasts(void **state) {
  hd_net *net = hd_net_new(HD_FORMAT_TTS, "t", 2, 2);
  assert_true(hd_net_add_trans(
      net,
      &(hd_trans_spec){.to = 1, .moves = (hd_move[]){{0, 1}}, .n_moves = 1}));
  hd_net_finish(net);
  hd_str out = {0}, why = {0};
  assert_false(hd_concolic_draw(net, NULL, &out, &why));
  assert_int_equal(out.size, 0);
  assert_true(why.size > 0);
  hd_str_free(&why);
  hd_net_delete(net);
}

static void nothing_is_left(void **state) {
  assert_int_equal(hd_mem_current(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(plain_edge_effects),
      cmocka_unit_test(spawn_edge_effects),
      cmocka_unit_test(predecessor_is_the_least),
      cmocka_unit_test(algorithm2_real_edge_from_l),
      cmocka_unit_test(algorithm2_real_edge_to_l),
      cmocka_unit_test(algorithm2_expansion_edge_from_l),
      cmocka_unit_test(algorithm2_vertical_edge_cancels),
      cmocka_unit_test(algorithm2_paper_remark),
      cmocka_unit_test(algorithm2_agrees_with_segments),
      cmocka_unit_test(lemma3),
      cmocka_unit_test(composition_is_one_after_the_other),
      cmocka_unit_test(theorem3_is_iteration),
      cmocka_unit_test(theorem3_is_not_one_sum),
      cmocka_unit_test(summaries_are_iteration),
      cmocka_unit_test(free_locals_are_left_out),
      cmocka_unit_test(unhelpful_loops_are_seen),
      cmocka_unit_test(loops_that_do_not_help_only_raise),
      cmocka_unit_test(covering_summaries_are_larger),
      cmocka_unit_test(huge_counts_are_refused),
      cmocka_unit_test(counts_in_closed_form),
      cmocka_unit_test(counts_by_search),
      cmocka_unit_test(counts_without_loops),
      cmocka_unit_test(counts_are_least),
      cmocka_unit_test(large_counts_are_direct),
      cmocka_unit_test(diverging_counts_are_not_guessed),
      cmocka_unit_test(diverging_counts_are_left_to_z3),
      cmocka_unit_test(equations_between_counts),
      cmocka_unit_test(components_agree_with_closure),
      cmocka_unit_test(figure1_quotient),
      cmocka_unit_test(loops_of_real_edges),
      cmocka_unit_test(eights_are_spaghetti),
      cmocka_unit_test(expansion_cycles_do_not_count),
      cmocka_unit_test(unrelated_edges_are_cut),
      cmocka_unit_test(settled_locals_have_no_giver_before),
      cmocka_unit_test(figure1_needs_two_rounds),
      cmocka_unit_test(figure1_fails_at_n4),
      cmocka_unit_test(long_runs_are_not_unrolled),
      cmocka_unit_test(ladders_share_their_ends),
      cmocka_unit_test(loop_free_paths_come_first),
      cmocka_unit_test(shelf_subtracts_all_parts),
      cmocka_unit_test(shelf_can_leave_one_out),
      cmocka_unit_test(explains_why_64_is_unreachable),
      cmocka_unit_test(explains_why_63_is_reachable),
      cmocka_unit_test(explains_limited_locals),
      cmocka_unit_test(explains_that_there_is_no_path),
      cmocka_unit_test(explains_spaghetti),
      cmocka_unit_test(draws_figure1),
      cmocka_unit_test(draws_spaghetti_and_spawns),
      cmocka_unit_test(draws_hubs_where_expansions_are_many),
      cmocka_unit_test(draws_no_broadcasts),
      cmocka_unit_test(nothing_is_left),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
