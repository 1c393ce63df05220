/* SPDX-License-Identifier: MIT */
/* What fuzz, shrinking, exhaustive search and replay share. */
#ifndef HD_ENGINE_EXPLORE_COMMON_H
#define HD_ENGINE_EXPLORE_COMMON_H

#include "engine/explore/explore.h"

static inline hd_properties hd_property_bit(hd_property property) {
  assert(property < HD_PROPERTY_COUNT);
  return (hd_properties)1 << property;
}

/* So many local actions take about as long as a move: they count for a step. */
enum { HD_LOCAL_ACTIONS = 8 };

/* --- results --- */

/* Marks what is asked for. */
void hd_findings_start(hd_explore_result *result,
                       const hd_explore_options *options);
/* Does any property that is looked for have no violation yet? */
bool hd_findings_open(const hd_explore_result *result);
/* Is the property asked for, and no violation of it known? With a harvest, more
 * of them are wanted. */
bool hd_findings_wants(const hd_explore_result *result, hd_property property);
/* Is this one wanted? */
bool hd_findings_takes(const hd_explore_result *result, const hd_code *code,
                       const hd_violation *violation);
/* The violation that `turns` lead to, once it has been replayed: a run that
 * does not end in it is a bug of heddle. `turns` may be longer than needed. */
void hd_findings_add(hd_explore_result *result, const hd_code *code,
                     const hd_explore_options *options,
                     const hd_violation *violation, const hd_turns *turns);
/* Gives every property without a violation this verdict and reason. */
void hd_findings_rest(hd_explore_result *result, hd_verdict verdict, hd_why why,
                      const char *reason);
/* A note; one that is there already is not repeated. */
HD_PRINTF(2, 3)
void hd_findings_note(hd_explore_result *result, const char *format, ...);
/* Notes that runs end at this, which nobody asked for; `what` begins with the name of
 * the property. */
void hd_findings_note_unasked(hd_explore_result *result, hd_property property,
                              const char *what);
/* Notes what ended a run that the verdicts do not speak of: something that is
 * not supported, or undefined behaviour that was not asked for. True when
 * nothing can be SAFE any more. */
bool hd_findings_note_end(hd_explore_result *result, const hd_machine *machine);
void hd_findings_stat(hd_explore_result *result, const char *name,
                      const char *unit, double value, const char *help);

/* --- machines --- */

/* Do two threads stand before a race: both can move, they touch the same byte,
 * one writes, not both are atomic? The violation's message is NULL. */
bool hd_race_at(const hd_machine *machine, hd_tid a, hd_tid b,
                hd_violation *race);
/* The first one there is, or the first like `expected` (may be NULL). */
bool hd_race_find(const hd_machine *machine, const hd_violation *expected,
                  hd_violation *race);
/* Does the edge call a library function that makes many accesses, which the
 * machine makes in one move? Does any edge? */
bool hd_edge_tears(const hd_code *code, hd_edge_id edge);
bool hd_code_tears(const hd_code *code);
/* The same property and the same edges; a race's in either order. */
bool hd_violation_same(const hd_violation *a, const hd_violation *b);
/* The thread is there and can move, and has that choice. */
bool hd_turn_possible(const hd_machine *machine, hd_turn turn);
/* hd_replay for a violation like `expected` (may be NULL). */
hd_replayed hd_replay_expecting(const hd_code *code,
                                const hd_machine_options *options,
                                const hd_turns *turns, hd_properties of,
                                const hd_violation *expected);
/* The options a machine of the search or of a replay gets. */
hd_machine_options hd_search_options(const hd_explore_options *options,
                                     bool clocks);

/* --- random numbers --- */

typedef struct {
  uint64_t state;
} hd_rng;

hd_rng hd_rng_new(uint64_t seed);
uint64_t hd_rng_next(hd_rng *rng);
/* Below n, which is at least 1. */
uint64_t hd_rng_below(hd_rng *rng, uint64_t n);
/* True once in n times. */
static inline bool hd_rng_once_in(hd_rng *rng, uint64_t n) {
  return hd_rng_below(rng, n) == 0;
}

#endif
