/* SPDX-License-Identifier: MIT */
/* All threads followed together: what that proves of random programs, and of programs
 * with something changed, must be so in all states of the machine. With names of code
 * graphs as arguments: judges HEDDLE_MUTANTS=N mutants of each. */
#include "check/joint/certificate.h"

#include "base/io.h"
#include "explore_util.h"
#include "mutants.h"

#include <stdlib.h>

#define BIT(name) ((hd_properties)1 << HD_PROPERTY_##name)
#define USUAL (BIT(ASSERT) | BIT(RACE) | BIT(DEADLOCK))

enum { PROGRAMS = 120, MUTATED = 40, MUTANTS = 20, STATES = 20000 };

static hd_properties prove(const hd_code *code, uint64_t most, uint64_t *states,
                           hd_str *why) {
  hd_run run = {.steps = 4000000};
  hd_joint_walked walked;
  hd_properties proved = hd_joint_judge(code, USUAL, most, &run, &walked, why);
  *states = walked.states;
  return proved;
}

static void judge_program(const hd_str *text, tally *t) {
  hd_str why = {0};
  uint64_t states;
  hd_code *code = read_if_possible(text);
  if (code && code->main != HD_NO_ID) {
    hd_properties proved = prove(code, STATES, &states, &why);
    t->refused += !proved;
    t->accepted += proved != 0;
    arbitrate(code, proved, t, text, &why);
  }
  hd_code_delete(code);
  hd_str_free(&why);
}

static void test_random(void **state) {
  (void)state;
  const char *more = getenv("HEDDLE_PROGRAMS");
  uint64_t n = more ? strtoull(more, NULL, 10) : PROGRAMS;
  tally t = {0};
  for (uint64_t seed = 1; seed <= n; seed++) {
    hd_str text = random_program(seed);
    judge_program(&text, &t);
    hd_str_free(&text);
  }
  printf("# %zu refused, %zu accepted, %zu properties confirmed\n", t.refused,
         t.accepted, t.confirmed);
  assert_true(t.accepted > n / 10 && t.confirmed > n / 10);
}

static void mutate(const hd_str *text, uint32_t tries, uint64_t seed,
                   tally *t) {
  rng r = rng_of(seed);
  for (uint32_t i = 0; i < tries; i++) {
    hd_str program = mutant(&r, text);
    for (uint32_t edits = draw(&r, 3); edits; edits--) {
      hd_str next = mutant(&r, &program);
      hd_str_free(&program);
      program = next;
    }
    judge_program(&program, t);
    hd_str_free(&program);
  }
}

static void test_mutants(void **state) {
  (void)state;
  const char *more = getenv("HEDDLE_MUTATED");
  uint64_t n = more ? strtoull(more, NULL, 10) : MUTATED;
  tally t = {0};
  for (uint64_t seed = 1; seed <= n; seed++) {
    hd_str text = random_program(seed);
    mutate(&text, MUTANTS, seed, &t);
    hd_str_free(&text);
  }
  printf("# %zu refused, %zu accepted, %zu properties confirmed\n", t.refused,
         t.accepted, t.confirmed);
  assert_true(t.refused > n && t.confirmed > n);
}

/* A text that says less than is needed, or something else, is refused. */
static void test_text(void **state) {
  (void)state;
  size_t judged = 0;
  for (uint64_t seed = 1; seed <= PROGRAMS && judged < 10; seed++) {
    hd_str program = random_program(seed), why = {0}, text = {0};
    hd_code *code = read_code(hd_str_text(&program));
    uint64_t states;
    hd_properties proved = prove(code, STATES, &states, &why);
    hd_run run = {0};
    hd_certificate_verdict out;
    if (proved) {
      judged++;
      hd_certificate_print_states(&text, 42, proved, states);
      hd_certificate_judge(code, 42, hd_str_text(&text), &run, &out, &why);
      assert_true(out.readable && out.proved == proved);
      hd_certificate_judge(code, 43, hd_str_text(&text), &run, &out, &why);
      assert_false(out.readable || out.proved);
      hd_str_puts(&text, "\n");
      hd_certificate_judge(code, 42, hd_str_text(&text), &run, &out, &why);
      assert_false(out.readable || out.proved);
      hd_vec_clear(&text);
      hd_certificate_print_states(&text, 42, proved, states - 1);
      hd_certificate_judge(code, 42, hd_str_text(&text), &run, &out, &why);
      assert_true(out.readable && !out.proved);
      hd_vec_clear(&text);
      hd_certificate_print_states(&text, 42, proved | BIT(MEMORY), states);
      hd_certificate_judge(code, 42, hd_str_text(&text), &run, &out, &why);
      assert_true(out.readable && !out.proved);
      hd_vec_clear(&text);
      hd_certificate_print_states(&text, 42, 0, states);
      hd_certificate_judge(code, 42, hd_str_text(&text), &run, &out, &why);
      assert_false(out.readable || out.proved);
    }
    hd_code_delete(code);
    hd_str_free(&program);
    hd_str_free(&text);
    hd_str_free(&why);
  }
  assert_true(judged == 10);
}

static int mutate_files(uint32_t tries, int argc, char **argv) {
  tally t = {0};
  for (int i = 0; i < argc; i++) {
    hd_source source;
    hd_diag *diag = hd_diag_new();
    if (hd_source_read(argv[i], &source, diag)) {
      hd_str text = {0};
      hd_str_puts(&text, source.text);
      judge_program(&text, &t);
      mutate(&text, tries, (uint64_t)i + 1, &t);
      hd_str_free(&text);
      hd_source_free(&source);
    }
    hd_diag_delete(diag);
  }
  printf("# %zu refused, %zu accepted, %zu properties confirmed\n", t.refused,
         t.accepted, t.confirmed);
  return 0;
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_mutants),
      cmocka_unit_test(test_text),
  };
  const char *mutants = getenv("HEDDLE_MUTANTS");
  if (argc > 1)
    return mutate_files(mutants ? (uint32_t)strtoul(mutants, NULL, 10) : 0,
                        argc - 1, argv + 1);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
