/* SPDX-License-Identifier: MIT */
/* Inputs of which only counts whether they are equal.
 *
 * If a value is only copied, stored, and asked whether it is equal to another, any
 * value that the program compares it with by name, that of another such input, and
 * one that is like no other stand for all there are. The last two are *tokens*: numbers
 * that nobody else uses. What is done with them is watched: what is compared with a
 * token is a value to try as well, from the next search on; anything else that is
 * done with one, or with a part of one, and all is lost.
 *
 * So that parts are recognised, the bytes of a token are like few others: an operand of
 * one or two bytes that has one of them counts as a part of it. */
#include "check/interp/opaque.h"

#include <string.h>

enum {
  TOKEN = 0x6B1D5EA0, /* the first of them */
  TOKENS = 32,
  MOST_VALUES = 64,
};

struct hd_opaque {
  bool used, failed;
  size_t n;
  uint64_t values[MOST_VALUES]; /* that were compared with tokens */
};

hd_opaque *hd_opaque_new(void) {
  return hd_calloc(1, sizeof(hd_opaque));
}

void hd_opaque_delete(hd_opaque *o) {
  hd_free(o);
}

bool hd_opaque_failed(const hd_opaque *o) {
  return o->failed;
}

size_t hd_opaque_found(const hd_opaque *o) {
  return o->n;
}

static bool is_token(uint64_t value) {
  return value - TOKEN < TOKENS;
}

/* Is it one of the bytes of a token, or two of them? */
static bool is_part(uint64_t value) {
  return (value - (TOKEN & 0xFF) < TOKENS) || value == (TOKEN >> 8 & 0xFF) ||
         value == (TOKEN >> 16 & 0xFF) || value == TOKEN >> 24;
}

static bool has_token(uint64_t value) {
  return is_token(value & UINT32_MAX) || is_token(value >> 32);
}

static bool is_suspect(const hd_opaque *o, uint8_t width, uint64_t value) {
  if (!o->used)
    return false;
  if (width <= 8)
    return is_part(value);
  if (width <= 16)
    return is_part(value & 0xFF) && is_part(value >> 8);
  return has_token(value);
}

static void find(hd_opaque *o, uint64_t value) {
  for (size_t i = 0; i < o->n; i++)
    if (o->values[i] == value)
      return;
  if (o->n == MOST_VALUES)
    o->failed = true;
  else
    o->values[o->n++] = value;
}

void hd_opaque_compare(hd_opaque *o, uint64_t a, uint64_t b) {
  if (!o || !o->used || (!has_token(a) && !has_token(b)))
    return;
  if (is_token(a) && !has_token(b))
    find(o, b);
  else if (is_token(b) && !has_token(a))
    find(o, a);
  else if (!is_token(a) || !is_token(b))
    o->failed = true;
}

void hd_opaque_apply(hd_opaque *o, hd_code_op op, uint8_t from, uint64_t a,
                     uint64_t b) {
  if (!o || !o->used)
    return;
  const bool two = hd_code_op_arity(op) >= 2;
  if (from >= 32 && (op == HD_CODE_EQ || op == HD_CODE_NE)) {
    hd_opaque_compare(o, a, b);
    return;
  }
  const bool copies = is_token(a) && (op == HD_CODE_ZEXT || op == HD_CODE_SEXT);
  if (!copies && (is_suspect(o, from, a) || (two && is_suspect(o, from, b))))
    o->failed = true;
}

void hd_opaque_modify(hd_opaque *o, uint64_t old, uint64_t value) {
  if (o && o->used && (has_token(old) || has_token(value)))
    o->failed = true;
}

void hd_opaque_pass(hd_opaque *o, uint64_t argument) {
  if (o && o->used && has_token(argument))
    o->failed = true;
}

/* Does it look at what is in memory, other than its own objects? */
static bool looks(hd_library_kind kind) {
  switch (kind) {
  case HD_LIBRARY_INPUT:
  case HD_LIBRARY_VERIFY:
  case HD_LIBRARY_ATOMIC:
  case HD_LIBRARY_THREAD:
  case HD_LIBRARY_MUTEX:
  case HD_LIBRARY_RWLOCK:
  case HD_LIBRARY_SPIN:
  case HD_LIBRARY_COND:
  case HD_LIBRARY_BARRIER:
  case HD_LIBRARY_SEM:
  case HD_LIBRARY_ONCE:
  case HD_LIBRARY_STACK:
  case HD_LIBRARY_ATTR:
  case HD_LIBRARY_SLEEP:
  case HD_LIBRARY_HEAP:
  case HD_LIBRARY_EXIT:
    return false;
  default:
    return true;
  }
}

void hd_opaque_call(hd_opaque *o, hd_library_fn fn) {
  if (o && o->used && looks(hd_library_kind_of(fn)))
    o->failed = true;
}

/* --- choices --- */

static void add(hd_turn_choices *out, uint64_t choice, uint64_t many) {
  for (hd_vec_each(const uint64_t, c, out))
    if (*c == choice)
      return;
  if (choice < many)
    hd_vec_push(out, choice);
}

void hd_opaque_choices(hd_opaque *o, const hd_machine *m, hd_tid thread,
                       uint32_t drawn, hd_turn_choices *out) {
  const uint64_t low = (uint64_t)hd_machine_input_low(m, thread);
  const uint64_t many = hd_machine_choices(m, thread);
  o->used = true;
  if (drawn >= TOKENS || TOKEN + TOKENS - low >= many)
    o->failed = true; /* or they do not fit */
  for (uint32_t i = 0; i <= drawn && i < TOKENS; i++)
    add(out, TOKEN + i - low, many);
  for (size_t i = 0; i < o->n; i++) {
    add(out, o->values[i] - low, many);
    add(out, (uint64_t)(int64_t)(int32_t)o->values[i] - low, many);
    add(out, (o->values[i] & UINT32_MAX) - low, many);
  }
}

uint32_t hd_opaque_drawn(const hd_machine *m, hd_tid thread, uint64_t choice,
                         uint32_t drawn) {
  uint64_t value = (uint64_t)hd_machine_input_low(m, thread) + choice;
  return is_token(value) && value - TOKEN >= drawn
             ? (uint32_t)(value - TOKEN) + 1
             : drawn;
}
