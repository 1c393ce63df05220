/* SPDX-License-Identifier: MIT */
/* A segment on its way (local.c): what its steps know, and where it stops. */
#ifndef HD_ENGINE_UNFOLD_SEGMENT_H
#define HD_ENGINE_UNFOLD_SEGMENT_H

#include "engine/unfold/split.h"

typedef struct {
  analysis *a;
  thread_id thread;
  hd_stamp stamp;
  stops *out;
  touches *seen;
  hd_memory *before; /* as it was when the segment began */
  bool widened;
  locals work; /* on their way to a meeting place */
} segment;

static inline const hd_cedge *hd_segment_edge(const segment *s,
                                              hd_edge_id edge) {
  return &s->a->code->edges.data[edge];
}

static inline hd_cexpr_id hd_segment_operand(const segment *s,
                                             const hd_cedge *e, uint32_t i) {
  assert(i < e->n_operands);
  return hd_code_operand(s->a->code, e, i);
}

/* Nothing is joined: every state is one of a run. */
static inline bool hd_segment_exact(const segment *s) {
  return s->a->options->domain == HD_DOMAIN_CONCRETE;
}

/* --- steps.c --- */

/* Takes `l` along one edge, or ends it. False: it has stopped, and is freed. Ways
 * that it takes besides go to s->work. */
bool hd_segment_take(segment *s, local *l, hd_edge_id edge);

/* --- stops.c --- */

/* The segment ends here, before `edge` (HD_NO_ID: the thread ends, with `result`).
 * Takes over `l`. */
void hd_segment_stop(segment *s, hd_edge_id edge, local l, hd_value result);

bool hd_local_within(const hd_code *code, const local *x, const local *y);
local hd_local_join(const segment *s, const local *x, const local *y,
                    const hd_widening *widen);

#endif
