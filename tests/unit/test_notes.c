/* SPDX-License-Identifier: MIT */
/* Annotations: what they prove must be true of random programs, and what was
 * changed in one must be refused or still be true. With names of code graphs as
 * arguments: prints what can be proved of each; with HEDDLE_MUTANTS=N, judges so
 * many mutants of each. */
#include "check/notes/compute.h"
#include "check/notes/notes.h"
#include "check/notes/value.h"

#include "check/states/states.h"
#include "engine/explore/explore.h"
#include "base/io.h"
#include "explore_util.h"
#include "mutants.h"
#include "model/eval.h"

#include <stdlib.h>

#define BIT(name) ((hd_properties)1 << HD_PROPERTY_##name)
#define USUAL (BIT(ASSERT) | BIT(RACE) | BIT(DEADLOCK))

enum {
  PROGRAMS = 150,
  CHANGED = 60,
  CHANGES = 25,
  FORGED = 30,
  FORGERIES = 25,
  MUTATED = 20
};

/* By its text alone. */
static hd_properties judge(const hd_code *code, const char *text, hd_str *why) {
  hd_run run = {.steps = 2000000};
  hd_walked walked;
  hd_annotation *n = hd_annotation_parse(text, code, 42, &run, why);
  hd_properties proved =
      n ? hd_annotation_judge(n, USUAL, &run, &walked, why) : 0;
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
    hd_annotation *copy =
        hd_annotation_parse(hd_str_text(&text), code, 42, &run, why);
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

/* --- another program, and another certificate --- */

static void forge(rng *r, uint64_t seed, uint32_t tries, tally *t) {
  hd_str text = random_program(seed), why = {0};
  hd_code *code = read_code(hd_str_text(&text));
  hd_str notes = annotation(code, &why);
  hd_code_delete(code);
  for (uint32_t i = 0; i < tries && notes.size; i++) {
    hd_str program = {0}, other = {0};
    hd_str_append(&other, notes.data, notes.size);
    for (uint32_t edits = draw(r, 4); edits; edits--) {
      hd_str next = changed(r, &other);
      hd_str_free(&other);
      other = next;
    }
    if (draw(r, 4))
      program = other_program(r, &text);
    else
      hd_str_append(&program, text.data, text.size);
    code = read_if_possible(&program);
    if (code && code->main != HD_NO_ID) {
      hd_vec_clear(&why);
      hd_properties proved = judge(code, hd_str_text(&other), &why);
      t->refused += !proved;
      t->accepted += proved != 0;
      arbitrate(code, proved, t, &program, &other);
    }
    hd_code_delete(code);
    hd_str_free(&program);
    hd_str_free(&other);
  }
  hd_str_free(&notes);
  hd_str_free(&text);
  hd_str_free(&why);
}

/* Certificates with up to three changes, of programs with up to one: what is
 * accepted is so in all states. HEDDLE_FORGED=N: of so many programs. */
static void test_forged(void **state) {
  (void)state;
  const char *more = getenv("HEDDLE_FORGED");
  uint64_t n = more ? strtoull(more, NULL, 10) : FORGED;
  tally t = {0};
  rng r = rng_of(11);
  for (uint64_t seed = 1; seed <= n; seed++)
    forge(&r, seed, FORGERIES, &t);
  printf(
      "# %zu refused, %zu accepted, %zu properties confirmed by all states\n",
      t.refused, t.accepted, t.confirmed);
  assert_true(t.refused > n && t.confirmed > n);
}

/* --- values --- */

enum { WIDE = 5 };

static bool is_cast(hd_code_op op) {
  return op == HD_CODE_TRUNC || op == HD_CODE_ZEXT || op == HD_CODE_SEXT;
}

/* Of integers; a cast to `to` bits. False: there is no such operation. */
static bool types_of(hd_code_op op, uint8_t from, uint8_t to, hd_type *type) {
  *type = (hd_type){HD_TYPE_INT, from};
  bool truth = hd_note_compares(op) ||
               (op >= HD_CODE_SADD_OVERFLOWS && op <= HD_CODE_UMUL_OVERFLOWS);
  if (truth)
    type->width = 1;
  if (is_cast(op))
    type->width = to;
  if (op == HD_CODE_TRUNC ? to >= from : is_cast(op) && to <= from)
    return false;
  if (!is_cast(op) && to != from)
    return false;
  bool floats = (op >= HD_CODE_FADD && op <= HD_CODE_FUNO) ||
                (op >= HD_CODE_FPTRUNC && op <= HD_CODE_UITOFP);
  bool pointers = op >= HD_CODE_PTRTOINT && op <= HD_CODE_PTRADD;
  return op >= HD_CODE_ADD && !floats && !pointers && op != HD_CODE_SELECT &&
         op != HD_CODE_BSWAP;
}

/* The judge's evaluator and the engines': the same for all small numbers. */
static void test_compute(void **state) {
  (void)state;
  size_t same = 0;
  for (hd_code_op op = HD_CODE_ADD; op < HD_CODE_OP_COUNT; op++)
    for (uint8_t from = 1; from <= WIDE; from++)
      for (uint8_t to = 1; to <= WIDE; to++) {
        hd_type type, of = {HD_TYPE_INT, from};
        if (!types_of(op, from, to, &type))
          continue;
        uint64_t n = (uint64_t)1 << from;
        for (uint64_t a = 0; a < n; a++)
          for (uint64_t b = 0; b < n; b++) {
            uint64_t bits = 0;
            hd_note_outcome mine = hd_note_compute(op, type, of, a, b, &bits);
            hd_evaluated theirs = hd_evaluate_op(op, 0, type, of, a, b);
            bool none =
                theirs.flags & HD_EVAL_ZERO || (op == HD_CODE_WITHIN && a >= b);
            bool open = theirs.flags & (HD_EVAL_SHIFT | HD_EVAL_UNDEF);
            if (mine != (none   ? HD_NOTE_NOTHING
                         : open ? HD_NOTE_OPEN
                                : HD_NOTE_EXACT) ||
                (mine == HD_NOTE_EXACT && bits != theirs.bits))
              fail_msg("%s of i%u %llu %llu", hd_code_op_name(op), from,
                       (unsigned long long)a, (unsigned long long)b);
            same++;
          }
      }
  printf("# %zu results\n", same);
  assert_true(same > 30000);
}

static hd_note_facts no_facts(const void *context, uint32_t base) {
  (void)context;
  (void)base;
  return (hd_note_facts){0};
}

static bool has_number(uint8_t width, const hd_note_value *v, uint64_t bits) {
  hd_note_value one = hd_note_number(bits);
  return hd_note_within(width, &one, v);
}

/* An operation on intervals has the results for all numbers in them. */
static void test_intervals(void **state) {
  (void)state;
  rng r = rng_of(5);
  hd_note_world world = {no_facts, NULL};
  size_t ranges = 0;
  for (int i = 0; i < 4000; i++) {
    hd_code_op op =
        (hd_code_op)(HD_CODE_ADD + draw(&r, HD_CODE_OP_COUNT - HD_CODE_ADD));
    uint8_t from = (uint8_t)(5 + draw(&r, 3));
    hd_type type, of = {HD_TYPE_INT, from};
    if (!types_of(op, from, (uint8_t)(is_cast(op) ? 1 + draw(&r, 10) : from),
                  &type))
      continue;
    int64_t lo[2], hi[2], least, most;
    hd_note_limits(from, &least, &most);
    hd_note_value v[2];
    for (int k = 0; k < 2; k++) {
      uint32_t n = (uint32_t)1 << from;
      lo[k] = least + (int64_t)draw(&r, n);
      hi[k] = lo[k] + (int64_t)draw(&r, draw(&r, 2) ? 4 : n);
      hi[k] = hi[k] > most ? most : hi[k];
      v[k] = hd_note_range(from, lo[k], hi[k]);
      ranges += v[k].kind == HD_NOTE_RANGE;
    }
    hd_cexpr e = {.op = (uint8_t)op, .type = type};
    bool bad = false, none = false;
    hd_note_value all = hd_note_apply(&world, &e, of, &v[0], &v[1], &bad);
    for (int64_t a = lo[0]; a <= hi[0]; a++)
      for (int64_t b = lo[1]; b <= hi[1]; b++) {
        uint64_t mask = hd_word_mask(from), x = (uint64_t)a & mask;
        uint64_t y = (uint64_t)b & mask;
        hd_evaluated one = hd_evaluate_op(op, 0, type, of, x, y);
        none = none || one.flags & HD_EVAL_ZERO ||
               (op == HD_CODE_WITHIN && x >= y);
        if (!one.flags && !has_number(type.width, &all, one.bits))
          fail_msg("%s of i%u [%lld,%lld] [%lld,%lld] lacks %llu",
                   hd_code_op_name(op), from, (long long)lo[0],
                   (long long)hi[0], (long long)lo[1], (long long)hi[1],
                   (unsigned long long)one.bits);
      }
    assert_true(!none || bad);
  }
  assert_true(ranges > 1000);
}

/* --- mutants of given programs --- */

/* What is proved of a program with some changes is so in all states: by the
 * certificate of the program itself, and by the one that is found. */
static void mutate(const hd_source *source, uint32_t tries, tally *t) {
  rng r = rng_of(tries);
  hd_str text = {0}, why = {0};
  hd_str_append(&text, source->text, strlen(source->text));
  hd_code *code = read_if_possible(&text);
  hd_str notes = {0};
  if (code && code->main != HD_NO_ID)
    notes = annotation(code, &why);
  hd_code_delete(code);
  for (uint32_t i = 0; i < tries; i++) {
    hd_str program = mutant(&r, &text);
    for (uint32_t edits = draw(&r, 3); edits; edits--) {
      hd_str next = mutant(&r, &program);
      hd_str_free(&program);
      program = next;
    }
    code = read_if_possible(&program);
    if (code && code->main != HD_NO_ID) {
      hd_vec_clear(&why);
      hd_properties proved =
          notes.size ? judge(code, hd_str_text(&notes), &why) : 0;
      hd_str own = {0};
      if (!proved) {
        hd_vec_clear(&why);
        own = annotation(code, &why);
        hd_vec_clear(&why);
        proved = own.size ? judge(code, hd_str_text(&own), &why) : 0;
      }
      t->refused += !proved;
      t->accepted += proved != 0;
      arbitrate(code, proved, t, &program, own.size ? &own : &notes);
      hd_str_free(&own);
    }
    hd_code_delete(code);
    hd_str_free(&program);
  }
  hd_str_free(&notes);
  hd_str_free(&text);
  hd_str_free(&why);
}

/* The same of random programs. */
static void test_mutants(void **state) {
  (void)state;
  tally t = {0};
  for (uint64_t seed = 1; seed <= MUTATED; seed++) {
    hd_str text = random_program(seed);
    hd_source source =
        hd_source_from_text("test.code", hd_str_text(&text), text.size);
    mutate(&source, FORGERIES, &t);
    hd_source_free(&source);
    hd_str_free(&text);
  }
  printf("# %zu refused, %zu accepted, %zu properties confirmed\n", t.refused,
         t.accepted, t.confirmed);
  assert_true(t.refused > MUTATED && t.confirmed > MUTATED);
}

static int mutate_files(uint32_t tries, int argc, char **argv) {
  tally t = {0};
  for (int i = 0; i < argc; i++) {
    hd_source source;
    hd_diag *diag = hd_diag_new();
    if (hd_source_read(argv[i], &source, diag)) {
      printf("%s\n", argv[i]);
      mutate(&source, tries, &t);
      hd_source_free(&source);
    }
    hd_diag_delete(diag);
  }
  printf("# %zu refused, %zu accepted, %zu properties confirmed\n", t.refused,
         t.accepted, t.confirmed);
  return 0;
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
      cmocka_unit_test(test_random),  cmocka_unit_test(test_changed),
      cmocka_unit_test(test_forged),  cmocka_unit_test(test_mutants),
      cmocka_unit_test(test_compute), cmocka_unit_test(test_intervals),
  };
  const char *mutants = getenv("HEDDLE_MUTANTS");
  if (argc > 1 && mutants)
    return mutate_files((uint32_t)strtoul(mutants, NULL, 10), argc - 1,
                        argv + 1);
  if (argc > 1)
    return try_files(argc, argv);
  return cmocka_run_group_tests(tests, NULL, NULL);
}
