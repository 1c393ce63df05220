/* SPDX-License-Identifier: MIT */
/* Annotations: what they prove must be true of random programs, and what was
 * changed in one must be refused or still be true. With names of code graphs as
 * arguments: prints what can be proved of each. */
#include "check/notes/notes.h"

#include "engine/explore/explore.h"
#include "base/io.h"
#include "explore_util.h"

#include <stdlib.h>

#define BIT(name) ((hd_properties)1 << HD_PROPERTY_##name)
#define USUAL (BIT(ASSERT) | BIT(RACE) | BIT(DEADLOCK))

enum { PROGRAMS = 150, CHANGED = 60, CHANGES = 25 };

/* By its text alone. */
static hd_properties judge(const hd_code *code, const char *text, hd_str *why) {
  hd_run run = {.steps = 2000000};
  hd_walked walked;
  hd_annotation *n = hd_annotation_parse(text, code, 42, &run, why);
  hd_properties proved = n ? hd_annotation_judge(n, USUAL, &run, &walked, why) : 0;
  hd_annotation_delete(n);
  return proved;
}

/* The annotation that is found; nothing, when there is none. */
static hd_str annotation(const hd_code *code, hd_str *why) {
  hd_str text = {0};
  hd_run run = {0};
  hd_annotation *n = hd_annotation_find(code, USUAL, &run, why);
  if (n) {
    hd_vec_clear(why);
    hd_annotation_print(&text, n, 42);
    hd_str again = {0};
    hd_annotation *copy = hd_annotation_parse(hd_str_text(&text), code, 42, &run, why);
    if (!copy)
      fail_msg("%s\n%s", hd_str_text(why), hd_str_text(&text));
    hd_annotation_print(&again, copy, 42);
    assert_string_equal(hd_str_text(&text), hd_str_text(&again));
    hd_str_free(&again);
    hd_annotation_delete(copy);
  }
  hd_annotation_delete(n);
  return text;
}

static hd_properties prove(const hd_code *code, hd_str *why) {
  hd_str text = annotation(code, why);
  hd_properties proved = text.size ? judge(code, hd_str_text(&text), why) : 0;
  hd_str_free(&text);
  return proved;
}

static void compare(uint64_t seed, size_t proofs[3]) {
  static const hd_property of[] = {HD_PROPERTY_ASSERT, HD_PROPERTY_RACE,
                                   HD_PROPERTY_DEADLOCK};
  hd_str text = random_program(seed), why = {0};
  hd_code *code = read_code(hd_str_text(&text));
  hd_properties proved = prove(code, &why);
  for (int i = 0; i < 3; i++) {
    if (!(proved >> of[i] & 1))
      continue;
    proofs[i]++;
    hd_explore_options options = {.seed = 1};
    hd_explore_result result = {0};
    hd_run run = {.steps = 40000};
    options.machine.checks = (hd_properties)1 << of[i];
    hd_explore(code, &options, &run, &result);
    if (result.findings[of[i]].verdict == HD_UNSAFE)
      fail_msg("seed %llu: %s is proved and violated\n%s",
               (unsigned long long)seed, hd_property_name(of[i]),
               hd_str_text(&text));
    hd_explore_result_free(&result);
  }
  hd_code_delete(code);
  hd_str_free(&text);
  hd_str_free(&why);
}

static void test_random(void **state) {
  (void)state;
  size_t proofs[3] = {0};
  const char *more = getenv("HEDDLE_PROGRAMS");
  uint64_t n = more ? strtoull(more, NULL, 10) : PROGRAMS;
  for (uint64_t seed = 1; seed <= n; seed++)
    compare(seed, proofs);
  printf("# proofs: %zu assert, %zu race, %zu deadlock\n", proofs[0], proofs[1],
         proofs[2]);
  assert_true(proofs[0] > n / 50 && proofs[1] > n / 50 && proofs[2] > n / 50);
}

/* --- what was changed --- */

/* A line is left out, a number is another one, or a word is `any`. */
static hd_str changed(rng *r, const hd_str *text) {
  hd_str out = {0};
  uint32_t lines = 0, at = 0;
  for (size_t i = 0; i < text->size; i++)
    lines += text->data[i] == '\n';
  uint32_t which = 3 + draw(r, lines - 3), kind = draw(r, 3);
  for (const char *line = hd_str_text(text); *line; at++) {
    size_t n = strcspn(line, "\n") + 1;
    if (at != which) {
      hd_str_append(&out, line, n);
    } else if (kind) {
      uint32_t digits = 0, digit;
      for (size_t i = 0; i < n; i++)
        digits += line[i] >= '0' && line[i] <= '9';
      digit = digits ? draw(r, digits) : 0;
      for (size_t i = 0; i < n; i++) {
        char c = line[i];
        if (c >= '0' && c <= '9' && digit-- == 0)
          c = (char)('0' + draw(r, 10));
        hd_str_append(&out, &c, 1);
      }
    }
    line += n;
  }
  return out;
}

/* Whatever is accepted must be true. */
static void test_changed(void **state) {
  (void)state;
  size_t same = 0, refused = 0, accepted = 0;
  rng r = rng_of(7);
  for (uint64_t seed = 1; seed <= CHANGED; seed++) {
    hd_str text = random_program(seed), why = {0};
    hd_code *code = read_code(hd_str_text(&text));
    hd_str notes = annotation(code, &why);
    hd_properties bad = 0;
    hd_explore_options options = {.seed = 1};
    for (hd_property p = 0; p < HD_PROPERTY_COUNT && notes.size; p++) {
      if (!(USUAL >> p & 1))
        continue;
      hd_explore_result result = {0};
      hd_run run = {.steps = 40000};
      options.machine.checks = (hd_properties)1 << p;
      hd_explore(code, &options, &run, &result);
      if (result.findings[p].verdict == HD_UNSAFE)
        bad |= (hd_properties)1 << p;
      hd_explore_result_free(&result);
    }
    for (int i = 0; i < CHANGES && notes.size; i++) {
      hd_str other = changed(&r, &notes);
      hd_vec_clear(&why);
      hd_properties proved = judge(code, hd_str_text(&other), &why);
      if (proved & bad)
        fail_msg("seed %llu: a wrong annotation is accepted\n%s\n%s",
                 (unsigned long long)seed, hd_str_text(&text),
                 hd_str_text(&other));
      same += !strcmp(hd_str_text(&other), hd_str_text(&notes));
      refused += !proved;
      accepted += proved != 0;
      hd_str_free(&other);
    }
    hd_str_free(&notes);
    hd_code_delete(code);
    hd_str_free(&text);
    hd_str_free(&why);
  }
  printf("# %zu refused, %zu accepted (%zu unchanged)\n", refused, accepted,
         same);
  assert_true(refused > 100);
}

static int try_files(int argc, char **argv) {
  for (int i = 1; i < argc; i++) {
    hd_source source;
    hd_diag *diag = hd_diag_new();
    hd_str why = {0};
    if (!hd_source_read(argv[i], &source, diag))
      return 2;
    hd_code *code = hd_code_read(&source, diag);
    if (!code)
      return 2;
    hd_properties proved = code->main == HD_NO_ID ? 0 : prove(code, &why);
    printf("%s:", argv[i]);
    for (hd_property p = 0; p < HD_PROPERTY_COUNT; p++)
      if (proved >> p & 1)
        printf(" %s", hd_property_name(p));
    printf(" # %s\n", hd_str_text(&why));
    hd_str_free(&why);
    hd_code_delete(code);
    hd_source_free(&source);
    hd_diag_delete(diag);
  }
  return 0;
}

int main(int argc, char **argv) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_random),
      cmocka_unit_test(test_changed),
  };
  if (argc > 1)
    return try_files(argc, argv);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
