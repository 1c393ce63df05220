/* SPDX-License-Identifier: MIT */
/* Finite-data execution of a program graph: thread states as packed bits, and
 * the steps a thread can take. All variables have one bit (Boolean programs).
 *
 * A *shared state* is the valuation of the shared variables and whether some
 * thread is inside an atomic section. A *local state* is a location, the
 * valuation of the local variables, whether the thread is the one inside the
 * atomic section, and whether it waits. Both are interned: states that occur
 * get numbers, nothing is ever allocated for those that do not.
 *
 * Simplifications, each exact for the reachability of assertions and each of
 * which can be switched off:
 *   propagate  constants and copies (model/propagate.h)
 *   slice      variables that no guard and no kept variable depends on are 0
 *   live       a local variable that is not read before it is written is 0
 *   thread     a location out of which there is one edge, without a condition
 *              and with assignments that nobody reads, is replaced by the next
 *              one ("jump threading")
 *   lazy       where many chosen values are around at once, from the start or
 *              by a plain `*`, the variables stay *open* until they are read
 * Other choices (`*`) are enumerated only as far as kept, live values and guards
 * distinguish them.
 *
 * SIGNAL: one waiting thread wakes up, or none does, which for the
 * reachability of assertions is the same as "none, if none waits" (finite.c).
 * Between the two steps that this takes the shared state has a mark. */
#ifndef HD_MODEL_FINITE_H
#define HD_MODEL_FINITE_H

#include "base/run.h"
#include "model/propagate.h"

typedef uint32_t hd_state_id; /* of a shared or of a local state */

typedef struct {
  bool no_slice, no_live, no_thread, no_propagate, no_lazy;
  bool all_lazy; /* also where there are few; for tests */
} hd_finite_options;

typedef struct hd_finite hd_finite;

/* `program` is borrowed. NULL, with a sentence in `why`, for a program with
 * wider variables. */
hd_finite *hd_finite_new(const hd_program *program,
                         const hd_finite_options *options, hd_str *why);
void hd_finite_delete(hd_finite *f);
const hd_program *hd_finite_program(const hd_finite *f);

/* From now on the functions below look at the limits of `run` (NULL = none).
 * Once one is reached their answers are incomplete, which hd_finite_stopped
 * says; whoever draws conclusions has to ask. */
void hd_finite_limit(hd_finite *f, hd_run *run);
bool hd_finite_stopped(const hd_finite *f);
/* Looks at the limits at once; false when one is reached. */
HD_MUST_USE bool hd_finite_go_on(hd_finite *f);

/* One step of a thread in (shared, local). */
typedef struct {
  hd_edge_id edge;
  hd_state_id shared, local; /* after the step */
  hd_state_id spawned;       /* SPAWN: the new thread; else HD_NO_ID */
  bool ends;                 /* the thread is gone; `local` is HD_NO_ID */
  bool wakes;                /* BROADCAST: every waiting thread goes on */
} hd_finite_step;

typedef void (*hd_finite_visit)(void *context, const hd_finite_step *step);

/* Visits every step, each different outcome once. */
void hd_finite_steps(hd_finite *f, hd_state_id shared, hd_state_id local,
                     hd_finite_visit visit, void *context);

/* Visits the initial shared states and the initial local states of a thread:
 * every combination is initial. */
typedef void (*hd_finite_init_visit)(void *context, hd_state_id state);
void hd_finite_initial_shared(hd_finite *f, hd_finite_init_visit visit,
                              void *context);
void hd_finite_initial_local(hd_finite *f, hd_finite_init_visit visit,
                             void *context);

/* The value that the step being visited, or the last hd_finite_violates that
 * said yes, decided on for a variable that was open before; HD_UNDECIDED when
 * it was not, or still is. */
enum { HD_UNDECIDED = 2 };
uint8_t hd_finite_decided(const hd_finite *f, hd_var_id var);

/* Is `edge` an ASSERT edge that a thread in this state violates? */
bool hd_finite_violates(hd_finite *f, hd_state_id shared, hd_state_id local,
                        hd_edge_id edge);
/* HD_NO_ID, or for a waiting thread the local state it wakes up in. */
hd_state_id hd_finite_woken(hd_finite *f, hd_state_id local);

/* Reading states. */
hd_loc_id hd_finite_loc(const hd_finite *f, hd_state_id local);
/* The location after the skips that jump threading jumped over, and the first of
 * them (HD_NO_ID = there is none). */
hd_loc_id hd_finite_settle(const hd_finite *f, hd_loc_id loc);
hd_edge_id hd_finite_skip(const hd_finite *f, hd_loc_id loc);
/* Is a signal on its way to a waiting thread? */
bool hd_finite_signals(const hd_finite *f, hd_state_id shared);
bool hd_finite_value(const hd_finite *f, hd_state_id shared, hd_state_id local,
                     hd_var_id var);
/* Is its value still open? Then hd_finite_value is 0. */
bool hd_finite_open(const hd_finite *f, hd_state_id shared, hd_state_id local,
                    hd_var_id var);
bool hd_finite_kept(const hd_finite *f, hd_var_id var);
/* May the local variable be read before it is written, in this state? */
bool hd_finite_live(const hd_finite *f, hd_state_id local, hd_var_id var);
bool hd_finite_atomic(const hd_finite *f, hd_state_id local);
size_t hd_finite_n_shared(const hd_finite *f);
size_t hd_finite_n_local(const hd_finite *f);
/* "s=1 t=0" and "PC12 i=1"; only kept variables. A label that several locations
 * have is followed by "@" and the location's number. Different states print
 * differently. */
void hd_finite_print_shared(hd_str *out, const hd_finite *f, hd_state_id s);
void hd_finite_print_local(hd_str *out, const hd_finite *f, hd_state_id l);

typedef struct {
  size_t vars, kept_vars; /* variables before and after slicing */
  size_t locs, kept_locs; /* locations before and after jump threading */
  size_t constants;       /* reads replaced by a constant … */
  size_t copies;          /* … or by another variable */
  size_t removed_edges;   /* that can never be taken */
  uint64_t dead_resets;   /* values set to 0 because nobody reads them */
  uint64_t steps;         /* outcomes visited */
  uint64_t choices;       /* decisions on `*` made */
} hd_finite_stats;
hd_finite_stats hd_finite_statistics(const hd_finite *f);

#endif
