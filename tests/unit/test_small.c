/* SPDX-License-Identifier: MIT */
/* C programs with any number of threads: states and closure against their
 * definitions, and verdicts against all interleavings of few threads. */
#include "api/unbounded.h"
#include "front/code/code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "small_random.h"

static hd_code *parse(const char *text) {
  hd_diag *diag = hd_diag_new();
  hd_source source = hd_source_from_text("t.code", text, strlen(text));
  hd_code *code = hd_code_read(&source, diag);
  if (!code)
    fail_msg("cannot be read:\n%s", text);
  hd_source_free(&source);
  hd_diag_delete(diag);
  return code;
}

/* --- verdicts --- */

typedef struct {
  hd_verdict verdict;
  char *reason;
} answer;

static answer unbounded(const char *text, uint32_t max_threads, bool spurious) {
  hd_code *code = parse(text);
  hd_unbounded_options options = {.max_threads = max_threads,
                                  .max_pairs = 50000,
                                  .machine = {.spurious = spurious}};
  hd_run run = {.deadline = hd_now() + 20, .memory = (size_t)1 << 29};
  hd_unbounded_run made = {0};
  hd_result result = {0};
  hd_verify_status status =
      hd_verify_unbounded(code, &options, &run, &made, &result);
  if (status == HD_VERIFY_INTERNAL)
    fail_msg("%s\n%s", result.reason, text);
  answer a = {.verdict = result.verdict,
              .reason = result.reason ? hd_strdup(result.reason) : NULL};
  if (a.verdict == HD_UNSAFE)
    assert_true(made.turns.size && made.violation.message);
  if (a.verdict == HD_SAFE)
    assert_true(result.cert || result.reason);
  hd_unbounded_run_free(&made);
  hd_result_free(&result);
  hd_code_delete(code);
  return a;
}

static hd_verdict explored(const char *text, bool spurious) {
  hd_code *code = parse(text);
  /* Bounded by states, not by time: what is compared is always the same. */
  hd_explore_options options = {
      .machine = {.checks = (hd_properties)1 << HD_PROPERTY_ASSERT,
                  .spurious = spurious},
      .max_states = 20000};
  hd_run run = {.memory = (size_t)1 << 29};
  hd_explore_result result = {0};
  hd_explore(code, &options, &run, &result);
  hd_verdict verdict = result.findings[HD_PROPERTY_ASSERT].verdict;
  hd_explore_result_free(&result);
  hd_code_delete(code);
  return verdict;
}

typedef struct {
  int safe, unsafe, unknown, compared, exact;
} tally;

/* The program of one seed: with any number of threads, and with few. */
static void compare(uint64_t seed, unsigned kind, tally *t) {
  char *endless = random_program(seed, kind, -1);
  bool spurious = seed & 1;
  answer any = unbounded(endless, 0, spurious);
  if (getenv("HD_SMALL_TRACE"))
    print_message("seed %llu kind %u: %s %s\n", (unsigned long long)seed, kind,
                  hd_verdict_name(any.verdict), any.reason ? any.reason : "");
  t->safe += any.verdict == HD_SAFE;
  t->unsafe += any.verdict == HD_UNSAFE;
  t->unknown += any.verdict == HD_UNKNOWN;
  for (int n = 1; n <= 3; n++) {
    char *few = random_program(seed, kind, n);
    hd_verdict all = explored(few, spurious);
    if (all == HD_UNSAFE && any.verdict == HD_SAFE)
      fail_msg("seed %llu kind %u: safe, but %d threads fail\n%s",
               (unsigned long long)seed, kind, n, few);
    /* The endless main held after n threads is the one with n. */
    answer bounded = unbounded(endless, (uint32_t)n + 1, spurious);
    if (all != HD_UNKNOWN && bounded.verdict != HD_UNKNOWN) {
      t->exact++;
      if (bounded.verdict != all)
        fail_msg("seed %llu kind %u, %d threads: %s, but all interleavings "
                 "say %s\n%s",
                 (unsigned long long)seed, kind, n,
                 hd_verdict_name(bounded.verdict), hd_verdict_name(all), few);
    }
    t->compared += all != HD_UNKNOWN;
    hd_free(bounded.reason);
    hd_free(few);
    if (all == HD_UNSAFE)
      break;
  }
  hd_free(any.reason);
  hd_free(endless);
}

/* HD_SMALL_SEEDS: how many programs of each kind. */
static void test_random(void **state) {
  (void)state;
  const char *many = getenv("HD_SMALL_SEEDS");
  uint64_t n = many ? strtoull(many, NULL, 10) : 30;
  static const unsigned kinds[] = {0,
                                   HD_WITH_COND,
                                   HD_WITH_RWLOCK,
                                   HD_WITH_SEM | HD_WITH_CALL,
                                   HD_WITH_ATOMIC | HD_WITH_INPUT,
                                   HD_WITH_ONCE | HD_WITH_TLS,
                                   255};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    tally t = {0};
    for (uint64_t seed = 1; seed <= n; seed++)
      compare(seed, kinds[k], &t);
    print_message("kind %3u: %d safe, %d unsafe, %d unknown; %d compared, %d "
                  "exactly\n",
                  kinds[k], t.safe, t.unsafe, t.unknown, t.compared, t.exact);
    assert_true(t.compared > 0 && t.safe + t.unsafe > (int)n / 2);
  }
}

/* --- closure --- */

/* What a step from (shared, …) does to a thread in `other`: is it there after? */
static bool is_passed_on(hd_small *small, const hd_small_graph *graph,
                         const hd_small_step *s, hd_state_id other) {
  if (!s->label)
    return hd_small_graph_has(graph, s->next_shared, other);
  hd_modular_image image = hd_small_image(small, s->label, other);
  return (image.first == HD_NO_ID ||
          hd_small_graph_has(graph, s->next_shared, image.first)) &&
         (image.second == HD_NO_ID ||
          hd_small_graph_has(graph, s->next_shared, image.second));
}

/* Everything a step of a pair leads to is there, in any company. */
static void check_closed(hd_small *small, hd_small_graph *graph) {
  hd_state_id shared, local, n_local = (hd_state_id)hd_small_n_local(small);
  hd_small_start(small, &shared, &local, NULL);
  assert_true(hd_small_graph_has(graph, shared, local));
  size_t n = hd_small_graph_steps(graph);
  for (uint32_t i = 0; i < n; i++) {
    hd_small_step s = *hd_small_graph_step(graph, i);
    assert_true(hd_small_graph_has(graph, s.shared, s.local));
    if (s.kind != HD_SMALL_GOES)
      continue;
    assert_true(s.next_local == HD_NO_ID ||
                hd_small_graph_has(graph, s.next_shared, s.next_local));
    assert_true(s.spawned == HD_NO_ID ||
                hd_small_graph_has(graph, s.next_shared, s.spawned));
    for (hd_state_id other = 0; other < n_local; other++)
      if (hd_small_graph_has(graph, s.shared, other))
        assert_true(is_passed_on(small, graph, &s, other));
  }
}

static hd_verdict verdict_of(const hd_net *net) {
  hd_verify_options options = {0};
  hd_run run = {.deadline = hd_now() + 20};
  hd_result result = {0};
  assert_int_equal(hd_verify(net, &options, &run, &result), HD_VERIFY_DONE);
  hd_verdict verdict = result.verdict;
  hd_result_free(&result);
  return verdict;
}

/* And the net means the same when it is written with edges only. */
static void test_closed(void **state) {
  (void)state;
  size_t closed = 0;
  for (uint64_t seed = 1; seed <= 30; seed++) {
    char *text = random_program(seed, seed & 1 ? 255 & ~HD_WITH_SEM : 3, -1);
    hd_code *code = parse(text);
    hd_small_options options = {.spurious = seed % 3 == 0};
    hd_str why = {0};
    hd_small *small = hd_small_new(code, &options, &why);
    hd_small_graph *graph = hd_small_graph_new(small);
    hd_run run = {.deadline = hd_now() + 10};
    if (hd_small_graph_close(graph, 5000, &run)) {
      closed++;
      check_closed(small, graph);
      hd_small_net *net = hd_small_net_new(graph, HD_SMALL_NET_ALL, &why);
      hd_net *portable = hd_small_net_portable(net);
      assert_int_equal(verdict_of(net->net), verdict_of(portable));
      hd_net_delete(portable);
      hd_small_net_delete(net);
    }
    hd_small_graph_delete(graph);
    hd_small_delete(small);
    hd_str_free(&why);
    hd_code_delete(code);
    hd_free(text);
  }
  assert_true(closed > 15);
}

/* --- what is refused, and what has no bound --- */

static const char *const frame =
    "heddle code 1\ntarget 64\nfile 0 \"t.c\"\n"
    "global @x \"x\" size 4 align 4 at 0:3:5\n"
    "function @w \"w\" (%%arg) -> ptr {\n  reg %%arg ptr\n  reg %%a i32\n"
    "  reg %%p ptr\n  slot &s size 4 align 4\n%s}\n"
    "function @main \"main\" () -> i32 {\n  slot &t size 8 align 8\n"
    "  location 0 -\n"
    "    -> 0 0:30:3 call @pthread_create(&t, null, @w, null)\n}\n"
    "function @pthread_create \"c\" (ptr, ptr, ptr, ptr) -> i32 external\n"
    "function @pthread_join \"j\" (i64, ptr) -> i32 external\n"
    "function @malloc \"m\" (i64) -> ptr external\n"
    "function @odd \"odd\" () -> i32 external\n"
    "function @__VERIFIER_nondet_int \"n\" () -> i32 external\n"
    "function @heddle_assert \"a\" (i32) -> void external\n";

static void expect_reason(const char *body, const char *reason) {
  char text[4000];
  snprintf(text, sizeof text, frame, body);
  answer a = unbounded(text, 0, true);
  assert_int_equal(a.verdict, HD_UNKNOWN);
  if (!a.reason || !strstr(a.reason, reason))
    fail_msg("'%s' instead of '%s'", a.reason ? a.reason : "", reason);
  hd_free(a.reason);
}

static void test_refused(void **state) {
  (void)state;
  static const struct {
    const char *action, *reason;
  } cases[] = {
      {"call %a = @pthread_join(1:i64, null)", "t.c:7:1: pthread_join: "},
      {"call %p = @malloc(8:i64)", "t.c:7:1: malloc: allocated memory"},
      {"call %a = @odd()", "t.c:7:1: odd: a function that is neither defined"},
      {"store ptradd.ptr(@x, 4:i64) = 1:i32", "t.c:7:1: undefined behaviour: "
                                              "access out of bounds"},
      {"store null = 1:i32", "t.c:7:1: undefined behaviour: access through a "
                             "null pointer"},
      {"set %a = udiv.i32(1:i32, 0:i32)", "t.c:7:1: undefined behaviour: "
                                          "division by zero"},
      {"store @x = %a", "t.c:7:1: a value that was never set"},
      {"store @x = undef:i32", "t.c:7:1: a value that was never set"},
      {"alloca %p = 8:i64", "t.c:7:1: alloca"},
      {"unsupported \"inline assembler\"", "t.c:7:1: inline assembler"},
      {"unreachable", "t.c:7:1: undefined behaviour: control"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char body[600];
    bool stays = !strncmp(cases[i].action, "un", 2);
    snprintf(body, sizeof body,
             "  location 0 -\n    -> %d 0:7:1 %s\n  location 1 -\n"
             "    -> 1 - return null\n",
             stays ? 0 : 1, cases[i].action);
    expect_reason(body, cases[i].reason);
  }
  /* An input that is more than compared; a counter. */
  expect_reason("  location 0 -\n    -> 1 0:5:1 call %a = "
                "@__VERIFIER_nondet_int()\n  location 1 -\n"
                "    -> 2 0:7:1 store @x = %a\n  location 2 -\n"
                "    -> 2 - return null\n",
                "t.c:7:1: an input with too many values");
  expect_reason("  location 0 -\n    -> 1 0:5:1 rmw.add.seq_cst %a = @x, "
                "1:i32\n  location 1 -\n"
                "    -> 2 - call @heddle_assert(zext.i32(sge.i1(%a, 0:i32)))\n"
                "  location 2 -\n    -> 2 - return null\n",
                "the number of values of 'x' (t.c:3) has no bound in sight");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_closed),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_random),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
