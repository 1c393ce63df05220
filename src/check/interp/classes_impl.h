/* SPDX-License-Identifier: MIT */
/* Shared by classes.c, which follows the thread, and classes_eval.c. */
#ifndef HD_CHECK_INTERP_CLASSES_IMPL_H
#define HD_CHECK_INTERP_CLASSES_IMPL_H

#include "check/interp/state.h"

/* Unsigned numbers of the width of the expression. */
typedef struct {
  uint64_t lo, hi;
  bool unit;  /* lo + (input - the least input of the range) */
  bool known; /* else the same for all inputs, but not known here */
} span;

/* Bytes that the thread has written. */
typedef struct {
  uint64_t address;
  uint32_t size;
  span value;
} cell;

typedef enum { FINE, STOPPED, CUT, ENDED } outcome;

typedef struct {
  hd_func_id func;
  hd_loc_id loc;
  hd_edge_id call; /* in the frame below; of the lowest one, no matter */
  size_t regs;
  bool plain;
} frame;

typedef struct {
  const hd_machine *m;
  const hd_code *code;
  const hd_thread *t;
  uint64_t from, to; /* the choices of the range */
  uint64_t cut;      /* of which the second part begins here */
  hd_vec(frame) frames;
  hd_vec(span) regs;
  hd_vec(cell) cells; /* disjoint */
} walk;

static inline span exactly(uint64_t value) {
  return (span){.lo = value, .hi = value, .known = true};
}

static inline bool is_const(const span *s) {
  return s->known && s->lo == s->hi;
}

/* FINE: `out` is the value in the whole range. CUT: the range has two parts that
 * have to be looked at one by one. STOPPED: this is not understood. */
outcome hd_classes_eval(walk *w, hd_cexpr_id id, span *out);
outcome hd_classes_compare(walk *w, uint8_t op, uint8_t width, span a, span b,
                           span *out);
/* Cuts the range so many values behind its beginning. */
outcome hd_classes_cut_at(walk *w, uint64_t distance);

#endif
