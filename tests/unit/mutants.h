/* SPDX-License-Identifier: MIT */
/* Programs with something changed, and all states of the machine as who says what is
 * true of them. */
#ifndef HD_TESTS_MUTANTS_H
#define HD_TESTS_MUTANTS_H

#include "check/states/states.h"
#include "explore_util.h"

/* One digit of a number in a line of the program is another one. */
static hd_str other_program(rng *r, const hd_str *text) {
  hd_str out = {0};
  uint32_t digits = 0;
  for (size_t i = 0; i < text->size; i++)
    digits += text->data[i] >= '0' && text->data[i] <= '9';
  uint32_t which = digits ? draw(r, digits) : 0;
  hd_str_append(&out, text->data, text->size);
  for (size_t i = 0; i < out.size; i++)
    if (out.data[i] >= '0' && out.data[i] <= '9' && which-- == 0)
      out.data[i] = (char)('0' + draw(r, 10));
  return out;
}

static hd_code *read_if_possible(const hd_str *text) {
  hd_source source =
      hd_source_from_text("test.code", hd_str_text(text), text->size);
  hd_diag *diag = hd_diag_new();
  hd_code *code = hd_code_read(&source, diag);
  hd_diag_delete(diag);
  hd_source_free(&source);
  return code;
}

typedef struct {
  size_t refused, accepted, confirmed;
} tally;

/* All states say whether what is proved is so. */
static void arbitrate(const hd_code *code, hd_properties proved, tally *t,
                      const hd_str *program, const hd_str *notes) {
  for (hd_property p = 0; p < HD_PROPERTY_COUNT; p++) {
    if (!(proved >> p & 1))
      continue;
    hd_states_options options = {.max_states = 20000};
    hd_states_result found = {0};
    hd_run run = {.steps = 100000};
    options.machine.checks = (hd_properties)1 << p;
    hd_states_search(code, &options, &run, &found);
    if (found.violated >> p & 1)
      fail_msg("%s is proved and violated:\n%s\n%s", hd_property_name(p),
               hd_str_text(program), hd_str_text(notes));
    t->confirmed += found.complete;
    hd_states_result_free(&found);
  }
}

static const char *const families[][10] = {
    {"add", "sub", "mul", "xor", "and", "or"},
    {"slt", "sle", "sgt", "sge", "eq", "ne", "ult", "ule", "ugt", "uge"},
    {"zext", "sext"},
    {"relaxed", "seq_cst", "acquire"},
    {"pthread_mutex_lock", "pthread_mutex_unlock", "pthread_mutex_trylock"},
    {"pthread_join", "pthread_detach"},
};

static const char *another(rng *r, const char *name, size_t n) {
  for (size_t f = 0; f < sizeof families / sizeof *families; f++)
    for (size_t i = 0; i < 10 && families[f][i]; i++)
      if (strlen(families[f][i]) == n && !memcmp(families[f][i], name, n)) {
        uint32_t all = 0;
        while (all < 10 && families[f][all])
          all++;
        return families[f][draw(r, all)];
      }
  return NULL;
}

static bool in_word(char c) {
  return (c >= 'a' && c <= 'z') || c == '_';
}

/* An operation, an order or a function becomes another one of its family. */
static hd_str other_word(rng *r, const hd_str *text) {
  hd_str out = {0};
  for (int tries = 0; tries < 200; tries++) {
    size_t at = draw(r, (uint32_t)text->size), end;
    if (!in_word(text->data[at]))
      continue;
    for (end = at; end < text->size && in_word(text->data[end]); end++)
      ;
    while (at && in_word(text->data[at - 1]))
      at--;
    const char *word = another(r, text->data + at, end - at);
    if (!word)
      continue;
    hd_str_append(&out, text->data, at);
    hd_str_puts(&out, word);
    hd_str_append(&out, text->data + end, text->size - end);
    return out;
  }
  hd_str_append(&out, text->data, text->size);
  return out;
}

/* A call with a result becomes a step, or a condition goes. */
static hd_str without_action(rng *r, const hd_str *text) {
  hd_str out = {0};
  hd_vec(size_t) at = {0};
  for (size_t i = 0; i + 6 < text->size; i++)
    if (!memcmp(text->data + i, " call ", 6) ||
        !memcmp(text->data + i, " when ", 6) ||
        !memcmp(text->data + i, " store", 6))
      hd_vec_push(&at, i);
  size_t from = at.size ? at.data[draw(r, (uint32_t)at.size)] : 0, end = from;
  while (at.size && end < text->size && text->data[end] != '\n')
    end++;
  hd_str_append(&out, text->data, from);
  const char *equals = memchr(text->data + from, '=', end - from);
  if (at.size && !memcmp(text->data + from, " call %", 7) && equals) {
    hd_str_puts(&out, " set ");
    hd_str_append(&out, text->data + from + 6,
                  (size_t)(equals - text->data) - from - 6);
    hd_str_puts(&out, "= 0:i32");
  } else if (at.size) {
    hd_str_puts(&out, " skip");
  }
  hd_str_append(&out, text->data + end, text->size - end);
  hd_vec_free(&at);
  return out;
}

static hd_str mutant(rng *r, const hd_str *text) {
  switch (draw(r, 3)) {
  case 0:
    return other_program(r, text);
  case 1:
    return other_word(r, text);
  default:
    return without_action(r, text);
  }
}

#endif
