/* SPDX-License-Identifier: MIT */
#include "engine/explore/inputs.h"

#include <stdlib.h>

/* More constants than this are not looked at: a table, not a program. */
#define CONSTANTS_MOST 4096

static bool compares(uint8_t op) {
  return op >= HD_CODE_EQ && op <= HD_CODE_SGE;
}

static int64_t extend(uint64_t value, uint8_t width) {
  assert(width > 0 && width <= 64);
  unsigned shift = 64u - width;
  return (int64_t)(value << shift) >> shift;
}

static int by_value(const void *a, const void *b) {
  const int64_t *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

static void sort_constants(hd_inputs *inputs) {
  size_t n = 0;
  int64_t *data = inputs->constants.data;
  if (inputs->constants.size)
    qsort(data, inputs->constants.size, sizeof *data, by_value);
  for (size_t i = 0; i < inputs->constants.size; i++)
    if (!n || data[n - 1] != data[i])
      data[n++] = data[i];
  inputs->constants.size = n;
}

void hd_inputs_init(hd_inputs *inputs, const hd_code *code) {
  *inputs = (hd_inputs){0};
  for (hd_vec_each(const hd_cexpr, e, &code->exprs)) {
    for (int i = 0; compares(e->op) && i < 2; i++) {
      const hd_cexpr *arg = &code->exprs.data[e->args[i]];
      if (arg->op != HD_CODE_INT || arg->type.kind != HD_TYPE_INT ||
          inputs->constants.size >= CONSTANTS_MOST)
        continue;
      uint64_t value = (uint64_t)extend(arg->value, arg->type.width);
      hd_vec_push(&inputs->constants, (int64_t)(value - 1));
      hd_vec_push(&inputs->constants, (int64_t)value);
      hd_vec_push(&inputs->constants, (int64_t)(value + 1));
      hd_vec_push(&inputs->constants, (int64_t)arg->value);
    }
  }
  sort_constants(inputs);
}

void hd_inputs_free(hd_inputs *inputs) {
  hd_vec_free(&inputs->constants);
}

/* The choice that gives `value`; false when none does. */
static bool choice_of(int64_t value, int64_t low, uint64_t n,
                      uint64_t *choice) {
  assert(n > 0);
  *choice = (uint64_t)value - (uint64_t)low;
  return n == UINT64_MAX || *choice < n;
}

static uint64_t any(hd_rng *rng, uint64_t n) {
  assert(n > 0);
  return n == UINT64_MAX ? hd_rng_next(rng) : hd_rng_below(rng, n);
}

static uint64_t draw_value(const hd_inputs *inputs, hd_rng *rng, int64_t low,
                           uint64_t n) {
  static const int64_t common[] = {0, 1, -1, 2, 3, 4, 5, 8, 10};
  int64_t value = 0;
  uint64_t kind = hd_rng_below(rng, 10), choice;
  if (inputs->hint && hd_rng_once_in(rng, 2))
    value = inputs->hint;
  else if (kind < 3)
    value = common[hd_rng_below(rng, sizeof common / sizeof *common)];
  else if (kind < 6 && inputs->constants.size)
    value = inputs->constants.data[hd_rng_below(rng, inputs->constants.size)];
  else if (kind == 6)
    value = (int64_t)hd_rng_below(rng, 128) - 16;
  else if (kind == 7) /* a bit, or all below it */
    value = (int64_t)(((uint64_t)1 << hd_rng_below(rng, 64)) -
                      hd_rng_below(rng, 2));
  else if (kind == 8) /* the ends */
    return hd_rng_once_in(rng, 2) ? 0 : n - 1;
  else
    return any(rng, n);
  return choice_of(value, low, n, &choice) ? choice : any(rng, n);
}

void hd_inputs_begin(hd_inputs *inputs, hd_rng *rng) {
  inputs->repeats = hd_rng_once_in(rng, 4);
  inputs->drawn = false;
}

uint64_t hd_inputs_draw(hd_inputs *inputs, hd_rng *rng,
                        const hd_machine *machine, hd_tid thread) {
  uint64_t n = hd_machine_choices(machine, thread);
  if (n == 1)
    return 0;
  if (!hd_machine_is_input(machine, thread) || n <= 4)
    return any(rng, n);
  int64_t low = hd_machine_input_low(machine, thread);
  uint64_t choice = 0;
  if (!inputs->repeats || !inputs->drawn || hd_rng_once_in(rng, 16) ||
      !choice_of(inputs->last, low, n, &choice))
    choice = draw_value(inputs, rng, low, n);
  inputs->drawn = true;
  inputs->last = (int64_t)((uint64_t)low + choice);
  return choice;
}

uint64_t hd_inputs_plain(int64_t hint, const hd_machine *machine,
                         hd_tid thread) {
  uint64_t n = hd_machine_choices(machine, thread), choice;
  int64_t value = n > 4 ? hint : 0;
  if (!hd_machine_is_input(machine, thread) ||
      !choice_of(value, hd_machine_input_low(machine, thread), n, &choice))
    return 0;
  return choice;
}

static int by_choice(const void *a, const void *b) {
  const uint64_t *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

static void add_value(hd_turn_choices *out, int64_t value, int64_t low,
                      uint64_t n) {
  uint64_t choice;
  if (choice_of(value, low, n, &choice))
    hd_vec_push(out, choice);
}

void hd_inputs_sample(const hd_inputs *inputs, const hd_machine *machine,
                      hd_tid thread, hd_turn_choices *out) {
  uint64_t n = hd_machine_choices(machine, thread);
  int64_t low = hd_machine_is_input(machine, thread)
                    ? hd_machine_input_low(machine, thread)
                    : 0;
  hd_vec_clear(out);
  hd_vec_push(out, 0);
  hd_vec_push(out, n == UINT64_MAX ? n : n - 1);
  for (int64_t value = -2; value <= 4; value++)
    add_value(out, value, low, n);
  for (size_t i = 0; i < inputs->constants.size; i++)
    add_value(out, inputs->constants.data[i], low, n);
  qsort(out->data, out->size, sizeof *out->data, by_choice);
  size_t kept = 0;
  for (size_t i = 0; i < out->size; i++)
    if (!kept || out->data[kept - 1] != out->data[i])
      out->data[kept++] = out->data[i];
  out->size = kept;
  assert(kept > 0 && (n == UINT64_MAX || out->data[kept - 1] < n));
}
