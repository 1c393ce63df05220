/* SPDX-License-Identifier: MIT */
/* Vector clocks, shared and counted. */
#include "engine/unfold/event.h"

#include <string.h>

clock_vector *hd_clock_keep(clock_vector *c) {
  assert(!c || c->refs > 0);
  if (c)
    c->refs++;
  return c;
}

void hd_clock_drop(clock_vector *c) {
  assert(!c || c->refs > 0);
  if (c && --c->refs == 0)
    hd_free(c);
}

uint32_t hd_clock_entry(const clock_vector *c, thread_id thread) {
  return c && thread < c->n ? c->at[thread] : 0;
}

static clock_vector *clock_new(uint32_t n) {
  clock_vector *c = hd_calloc(1, sizeof *c + n * sizeof *c->at);
  c->refs = 1;
  c->n = n;
  return c;
}

clock_vector *hd_clock_max(const clock_vector *a, const clock_vector *b) {
  uint32_t n = a && (!b || a->n > b->n) ? a->n : b ? b->n : 0;
  clock_vector *c = clock_new(n);
  for (uint32_t i = 0; i < n; i++) {
    uint32_t x = hd_clock_entry(a, i), y = hd_clock_entry(b, i);
    c->at[i] = x > y ? x : y;
  }
  assert(!a || c->n >= a->n);
  assert(!b || c->n >= b->n);
  return c;
}

clock_vector *hd_clock_set(const clock_vector *a, thread_id thread,
                           uint32_t seq) {
  assert(seq > hd_clock_entry(a, thread)); /* time goes on */
  uint32_t n = a && a->n > thread ? a->n : thread + 1;
  clock_vector *c = clock_new(n);
  for (uint32_t i = 0; i < n; i++)
    c->at[i] = hd_clock_entry(a, i);
  c->at[thread] = seq;
  return c;
}
