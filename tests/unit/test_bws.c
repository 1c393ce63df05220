/* SPDX-License-Identifier: MIT */
#include "check/check.h"
#include "engine/bws/basis.h"
#include "engine/bws/bws.h"
#include "engine/bws/predecessor.h"
#include "engine/reduce/reduce.h"
#include "front/front.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

#define TOKENS(...)                                                            \
  (hd_tokens) {                                                                \
    .data = (const hd_token[]){__VA_ARGS__},                                   \
    .size = sizeof((const hd_token[]){__VA_ARGS__}) / sizeof(hd_token)         \
  }

static hd_net *parse(const char *text, hd_format format) {
  hd_source source = hd_source_from_text("test", text, strlen(text));
  hd_diag *diag = hd_diag_new();
  hd_net *net = hd_front_parse(&source, format, diag);
  if (!net)
    hd_diag_print(diag, stderr, false);
  hd_diag_delete(diag);
  hd_source_free(&source);
  assert_non_null(net);
  return net;
}

/* Runs bws on the plain input, without reduction; checks the evidence. */
static hd_result run_plain(const hd_net *net) {
  hd_run run = {0};
  hd_result result = {0};
  hd_problem problem = {.net = net};
  hd_bws_engine.run(&problem, &run, &result);
  hd_str why = {0};
  if (result.verdict == HD_UNSAFE)
    assert_true(hd_check_witness(net, result.witness, &why));
  if (result.verdict == HD_SAFE)
    assert_true(hd_check_cert(net, result.cert, &why));
  hd_str_free(&why);
  return result;
}

static void expect(const char *text, hd_format format, hd_verdict verdict) {
  hd_net *net = parse(text, format);
  hd_result result = run_plain(net);
  assert_int_equal(result.verdict, verdict);
  hd_result_free(&result);
  hd_net_delete(net);
}

/* --- basis --- */

static void basis_keeps_minimal_elements_only(void **state) {
  hd_basis *b = hd_basis_new(2, 10);
  assert_int_equal(hd_basis_add(b, 0, TOKENS({1, 2}, {3, 1}), 9, 8), 0);
  assert_int_equal(hd_basis_add(b, 0, TOKENS({1, 2}, {3, 2}), 9, 8),
                   HD_NO_CONFIG);
  assert_int_equal(hd_basis_add(b, 1, TOKENS({1, 2}, {3, 2}), 9, 8), 1);
  assert_int_equal(hd_basis_add(b, 0, TOKENS({3, 1}), 9, 8), 2);
  assert_false(hd_basis_is_alive(b, 0));
  assert_true(hd_basis_is_alive(b, 1));
  assert_int_equal(hd_basis_alive(b), 2);
  assert_int_equal(hd_basis_parent(b, 2), 9);
  assert_int_equal(hd_basis_trans(b, 2), 8);
  assert_int_equal(hd_basis_tokens(b, 0).size, 2);
  hd_basis_delete(b);
}

static void the_empty_vector_subsumes_everything(void **state) {
  hd_basis *b = hd_basis_new(1, 10);
  hd_basis_add(b, 0, TOKENS({1, 2}), 0, 0);
  hd_basis_add(b, 0, TOKENS({4, 1}), 0, 0);
  assert_int_equal(hd_basis_add(b, 0, (hd_tokens){0}, 0, 0), 2);
  assert_int_equal(hd_basis_alive(b), 1);
  assert_int_equal(hd_basis_add(b, 0, TOKENS({7, 1}), 0, 0), HD_NO_CONFIG);
  hd_basis_delete(b);
}

static uint32_t next_random(uint32_t *seed) {
  *seed = *seed * 1664525u + 1013904223u;
  return *seed >> 8;
}

/* Against a plain list, with many additions in random order. */
static void basis_agrees_with_a_list(void **state) {
  enum { PLACES = 5, ROUNDS = 3000 };
  static hd_count all[ROUNDS][PLACES];
  static bool alive[ROUNDS];
  uint32_t seed = 7;
  hd_basis *b = hd_basis_new(1, PLACES);
  size_t n = 0;
  for (int round = 0; round < ROUNDS; round++) {
    hd_count dense[PLACES];
    hd_token_vec v = {0};
    for (uint32_t p = 0; p < PLACES; p++) {
      dense[p] = next_random(&seed) % 3 ? next_random(&seed) % 7 : 0;
      if (dense[p])
        hd_vec_push(&v, ((hd_token){p, dense[p]}));
    }
    bool subsumed = false;
    for (size_t i = 0; i < n; i++) {
      bool under = alive[i], over = alive[i];
      for (uint32_t p = 0; p < PLACES; p++) {
        under = under && all[i][p] <= dense[p];
        over = over && all[i][p] >= dense[p];
      }
      subsumed = subsumed || under;
      if (over && !under)
        alive[i] = false;
    }
    uint32_t id = hd_basis_add(b, 0, hd_token_vec_view(&v), 0, 0);
    assert_int_equal(id == HD_NO_CONFIG, subsumed);
    if (!subsumed) {
      assert_int_equal(id, n);
      memcpy(all[n], dense, sizeof dense);
      alive[n++] = true;
    }
    hd_vec_free(&v);
  }
  size_t count = 0;
  for (uint32_t i = 0; i < n; i++) {
    assert_int_equal(hd_basis_is_alive(b, i), alive[i]);
    count += alive[i];
  }
  assert_int_equal(hd_basis_alive(b), count);
  hd_basis_delete(b);
}

static void a_million_configurations_fit_in_400_megabytes(void **state) {
  size_t before = hd_mem_current();
  hd_basis *b = hd_basis_new(4096, 200);
  uint32_t seed = 3, added = 0;
  while (added < 1000000) {
    hd_token_vec v = {0};
    for (int k = 0; k < 8; k++)
      hd_vec_push(&v, ((hd_token){next_random(&seed) % 200, 1}));
    assert_true(hd_token_vec_normalise(&v));
    added += hd_basis_add(b, next_random(&seed) % 4096, hd_token_vec_view(&v),
                          0, 0) != HD_NO_CONFIG;
    hd_vec_free(&v);
  }
  assert_true(hd_mem_current() - before < 400u << 20);
  hd_basis_delete(b);
}

/* --- predecessors --- */

typedef struct {
  int count;
  hd_str text;
  const hd_net *net;
  hd_shared_id shared;
} seen;

static bool note(void *context, const hd_predecessor *p) {
  seen *s = context;
  if (s->count++)
    hd_str_puts(&s->text, " ");
  hd_net_print_config(&s->text, s->net, s->shared,
                      hd_token_vec_view(&p->tokens));
  return true;
}

static void expect_predecessors(const char *text, hd_tokens of,
                                const char *expected) {
  hd_net *net = parse(text, HD_FORMAT_TTS);
  seen s = {.net = net, .shared = net->trans.data[0].from};
  hd_predecessor scratch = {0};
  assert_int_equal(hd_predecessors(net, 0, of, &scratch, note, &s),
                   HD_PRED_DONE);
  assert_string_equal(hd_str_text(&s.text), expected);
  hd_str_free(&s.text);
  hd_predecessor_free(&scratch);
  hd_net_delete(net);
}

static void a_plain_edge_moves_the_thread_back(void **state) {
  expect_predecessors("2 4\n0 1 -> 1 2\n", TOKENS({2, 1}, {3, 1}), "0|1,3");
}

static void a_plain_edge_adds_a_thread_where_none_is(void **state) {
  expect_predecessors("2 4\n0 1 -> 1 2\n", TOKENS({3, 1}), "0|1,3");
}

static void a_spawn_takes_the_child_and_keeps_the_parent(void **state) {
  expect_predecessors("2 4\n0 1 +> 1 2\n", TOKENS({1, 1}, {2, 1}), "0|1");
  expect_predecessors("2 4\n0 1 +> 1 2\n", TOKENS({2, 2}), "0|1,2");
  expect_predecessors("2 4\n0 1 +> 1 2\n", TOKENS({3, 1}), "0|1,3");
}

static void a_spawn_of_its_own_kind(void **state) {
  expect_predecessors("2 4\n0 1 +> 1 1\n", TOKENS({1, 3}), "0|1,1");
  expect_predecessors("2 4\n0 1 +> 1 1\n", TOKENS({1, 1}), "0|1");
}

static void a_broadcast_brings_threads_from_several_places(void **state) {
  expect_predecessors("2 5\n0 1 -> 1 2 3 ~> 4\n", TOKENS({4, 1}),
                      "0|1,4 0|1,3");
}

static void nobody_can_be_in_a_place_that_was_emptied(void **state) {
  expect_predecessors("2 5\n0 1 -> 1 2 3 ~> 4\n", TOKENS({3, 1}), "");
  expect_predecessors("2 5\n0 1 -> 1 2 3 ~> 3\n", TOKENS({3, 1}), "0|1,3");
}

static void a_transfer_needs_no_thread(void **state) {
  expect_predecessors("2 5\n0 1 ~> 1 2\n", (hd_tokens){0}, "0|");
  expect_predecessors("2 5\n0 1 ~> 1 2\n", TOKENS({2, 2}), "0|2,2 0|1,2 0|1,1");
}

/* --- search --- */

static const char *const figure1 = "7 5\n0 0 -> 1 1\n1 0 -> 2 1\n2 0 -> 3 1\n"
                                   "3 1 -> 1 2\n3 2 -> 4 3\n4 2 -> 5 4\n"
                                   "5 4 -> 6 3\n";

static void with_target(const char *system, const char *target,
                        hd_verdict verdict) {
  hd_str text = {0};
  hd_str_printf(&text, "%s%s\n", system, target);
  expect(hd_str_text(&text), HD_FORMAT_TTS, verdict);
  hd_str_free(&text);
}

static void figure_1_of_paper_000(void **state) {
  with_target(figure1, "6|4", HD_SAFE);
  with_target(figure1, "6|3", HD_UNSAFE);
}

static void the_initial_state_is_reachable(void **state) {
  with_target("1 1\n0 0 -> 0 0\n", "0|0", HD_UNSAFE);
}

static void edges_that_change_only_the_shared_state(void **state) {
  with_target("3 3\n0 0 -> 1 1\n1 1 -> 2 1\n2 1 -> 2 2\n", "2|2", HD_UNSAFE);
}

static void a_spawn_does_not_consume_its_parent(void **state) {
  with_target("4 4\n0 0 -> 1 1\n1 1 +> 2 2\n2 1 -> 3 3\n", "3|3", HD_UNSAFE);
}

static void targets_with_several_threads(void **state) {
  const char *once = "3 2\n0 0 -> 1 1\n1 0 -> 2 1\n";
  with_target(once, "2|1,1", HD_UNSAFE);
  with_target(once, "1|1,1", HD_SAFE);
}

static void a_broadcast_empties_a_place(void **state) {
  const char *reset = "3 4\n0 0 -> 0 1\n0 0 -> 1 2 1 ~> 3\n";
  with_target(reset, "1|1", HD_SAFE);
  with_target(reset, "1|3,3", HD_UNSAFE);
}

static void each_thread_chooses_in_a_broadcast(void **state) {
  const char *choice = "2 6\n0 0 -> 0 1\n0 0 -> 1 2 1 ~> 3 1 ~> 4\n";
  with_target(choice, "1|3,4,4", HD_UNSAFE);
  with_target(choice, "1|1,4", HD_SAFE);
}

static void fixed_initial_counts_are_kept(void **state) {
  const char *net = "vars a b c\nrules\na>=1 -> a'=a-1, b'=b+1;\n"
                    "b>=2 -> b'=b-2, c'=c+1;\n";
  hd_str text = {0};
  hd_str_printf(&text, "%sinit a=3, b=0, c=0\ntarget c>=1\n", net);
  expect(hd_str_text(&text), HD_FORMAT_MIST, HD_UNSAFE);
  hd_str_free(&text);
  hd_str_printf(&text, "%sinit a=3, b=0, c=0\ntarget c>=2\n", net);
  expect(hd_str_text(&text), HD_FORMAT_MIST, HD_SAFE);
  hd_str_free(&text);
  hd_str_printf(&text, "%sinit a>=3, b=0, c=0\ntarget c>=2\n", net);
  expect(hd_str_text(&text), HD_FORMAT_MIST, HD_UNSAFE);
  hd_str_free(&text);
}

static void every_disjunct_counts(void **state) {
  expect("vars a b c\nrules\na>=1 -> a'=a-1, b'=b+1;\n"
         "init a=1, b=0, c=0\ntarget c>=1\nb>=1\n",
         HD_FORMAT_MIST, HD_UNSAFE);
}

static void resets_forget(void **state) {
  const char *net = "vars a b c\nrules\na>=1 -> a'=a-1, b'=b+1;\n"
                    "c>=1 -> c'=c-1, b'=0;\ninit a=2, b=0, c=1\ntarget ";
  hd_str text = {0};
  hd_str_printf(&text, "%sb>=3\n", net);
  expect(hd_str_text(&text), HD_FORMAT_MIST, HD_SAFE);
  hd_str_free(&text);
  hd_str_printf(&text, "%sb>=2, c>=1\n", net);
  expect(hd_str_text(&text), HD_FORMAT_MIST, HD_UNSAFE);
  hd_str_free(&text);
}

static void limits_end_in_unknown(void **state) {
  hd_net *net = parse(figure1, HD_FORMAT_TTS);
  assert_true(hd_net_add_target(net, 6, TOKENS({4, 1}), (hd_tokens){0}, 0));
  hd_net_finish(net);
  hd_run run = {.steps = 2};
  hd_result result = {0};
  hd_problem problem = {.net = net};
  hd_bws_engine.run(&problem, &run, &result);
  assert_int_equal(result.verdict, HD_UNKNOWN);
  assert_string_equal(result.reason, "step limit reached");
  hd_result_free(&result);
  hd_net_delete(net);
}

static void inequalities_prune_and_go_into_the_certificate(void **state) {
  /* A lock: place 1 is the critical section, taken in shared state 0. */
  hd_net *net = parse("2 2\n0 0 -> 1 1\n1 1 -> 0 0\n1|1,1\n", HD_FORMAT_TTS);
  hd_cert *invariants = hd_cert_new(HD_CERT_BACKWARD, 2, 2);
  hd_linear *linear = hd_cert_add_linear(invariants);
  linear->weight[1] = 1;
  linear->potential[0] = 1;
  linear->bound = 1;
  hd_run run = {0};
  hd_result result = {0};
  hd_problem problem = {.net = net, .invariants = invariants};
  hd_bws_engine.run(&problem, &run, &result);
  assert_int_equal(result.verdict, HD_SAFE);
  assert_int_equal(result.cert->configs.size, 0);
  hd_str why = {0};
  assert_true(hd_check_cert(net, result.cert, &why));
  hd_result_free(&result);
  hd_cert_delete(invariants);
  hd_net_delete(net);
}

static int nothing_leaks(void **state) {
  return hd_mem_current() ? -1 : 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(basis_keeps_minimal_elements_only),
      cmocka_unit_test(the_empty_vector_subsumes_everything),
      cmocka_unit_test(basis_agrees_with_a_list),
      cmocka_unit_test(a_million_configurations_fit_in_400_megabytes),
      cmocka_unit_test(a_plain_edge_moves_the_thread_back),
      cmocka_unit_test(a_plain_edge_adds_a_thread_where_none_is),
      cmocka_unit_test(a_spawn_takes_the_child_and_keeps_the_parent),
      cmocka_unit_test(a_spawn_of_its_own_kind),
      cmocka_unit_test(a_broadcast_brings_threads_from_several_places),
      cmocka_unit_test(nobody_can_be_in_a_place_that_was_emptied),
      cmocka_unit_test(a_transfer_needs_no_thread),
      cmocka_unit_test(figure_1_of_paper_000),
      cmocka_unit_test(the_initial_state_is_reachable),
      cmocka_unit_test(edges_that_change_only_the_shared_state),
      cmocka_unit_test(a_spawn_does_not_consume_its_parent),
      cmocka_unit_test(targets_with_several_threads),
      cmocka_unit_test(a_broadcast_empties_a_place),
      cmocka_unit_test(each_thread_chooses_in_a_broadcast),
      cmocka_unit_test(fixed_initial_counts_are_kept),
      cmocka_unit_test(every_disjunct_counts),
      cmocka_unit_test(resets_forget),
      cmocka_unit_test(limits_end_in_unknown),
      cmocka_unit_test(inequalities_prune_and_go_into_the_certificate),
  };
  return cmocka_run_group_tests_name("bws", tests, NULL, nothing_leaks);
}
