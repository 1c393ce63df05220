/* SPDX-License-Identifier: MIT */
/* Loop-invariant symbolic execution of message-passing programs, after Siegel
 * and Zirkel. N processes of a C program (or of two that are compared) are
 * executed with symbolic inputs; interleavings are reduced as far as messages
 * allow; loops with a collective invariant are executed for any number of
 * iterations, other loops as often as they run.
 *
 * SAFE: no execution of exactly these processes, for any input, violates the
 * property, with the numbers of C or with ideal ones. UNSAFE: the
 * run that is given does, with the inputs that are given. What cannot be shown
 * is UNKNOWN, with the symbolic state that stands in the way. */
#ifndef HD_ENGINE_LISE_LISE_H
#define HD_ENGINE_LISE_LISE_H

#include "base/run.h"
#include "engine/lise/state.h"
#include "model/formula.h"
#include "model/result.h"

typedef struct {
  const hd_code *code;
  const hd_notes *notes; /* may be NULL */
  uint32_t n_procs;
} hd_lise_source;

typedef struct {
  hd_properties checks;
  bool potential;    /* deadlocks that only buffering avoids count */
  bool no_reduction; /* every interleaving: for measurements */
  bool malloc_fails;
  bool c_numbers;  /* integers wrap, constants of floats round (numbers.c); else
                     integers are mathematical, floats real */
  uint32_t unwind; /* rounds of a loop without invariant; 0 = no bound */
  uint64_t max_states;   /* 0 = only what `run` allows */
  uint32_t lag;          /* K: see docs/engines/lise.md; 0 = 3 */
  double prover_seconds; /* for one question; 0 = 5 */
} hd_lise_options;

/* A step of a run: what a process did at an edge. */
typedef struct {
  hd_proc proc;
  hd_edge_id edge;
  char *text;      /* "x = X1 + 1", "receives …"; may be NULL */
  bool operation;  /* a call of MPI takes effect */
  uint32_t source; /* … of a message from this rank; or HD_NO_ID */
  uint32_t input;  /* it asked for its input number …; 0 = none */
} hd_lise_step;

/* One transition of a process; `choice`: which message (the rank that it came
 * from), which branch, …, in the order of the alternatives. */
typedef struct {
  hd_proc proc;
  uint32_t choice;
} hd_lise_turn;

typedef struct {
  char *name;      /* "n", or "main:12 #1" */
  char *value;     /* decimal or fraction */
  hd_proc proc;    /* HD_NO_ID: the same for all */
  hd_edge_id edge; /* of the call that asked; HD_NO_ID: a variable */
  uint32_t number; /* it was the process's input number … */
} hd_lise_value;

typedef enum {
  HD_LISE_REAL,       /* the run is possible: a counterexample */
  HD_LISE_TOO_WEAK,   /* an invariant is too weak to exclude it */
  HD_LISE_ENTRY,      /* an invariant does not hold on entry */
  HD_LISE_STEP_FAILS, /* … is not preserved by an iteration */
  HD_LISE_UNPROVED,   /* the prover gave up */
} hd_lise_why;

typedef struct {
  bool found;
  hd_property property;
  hd_lise_why why;
  hd_proc proc;
  hd_edge_id edge;   /* HD_NO_ID: outputs differ at the end */
  bool false_in_run; /* REAL: an invariant does not hold in that run */
  uint32_t pragma;   /* into the program's code->pragmas, or HD_NO_ID */
  char *message;
  char *state; /* the symbolic state, several lines */
  hd_vec(hd_lise_step) steps;
  hd_vec(hd_lise_turn) turns;
  hd_vec(hd_lise_value) inputs;
} hd_lise_finding;

typedef struct {
  hd_verdict verdict;
  bool bounded; /* SAFE within --unwind only */
  bool ideal;   /* c_numbers: symbolic floats were real numbers all the same */
  char *reason; /* UNKNOWN */
  hd_lise_finding finding; /* UNSAFE, or UNKNOWN by an alarm */
  hd_vec(char *) notes;
  uint64_t states, transitions, steps, matches, proofs, questions;
} hd_lise_result;

void hd_lise_run(const hd_lise_source *sources, size_t n,
                 const hd_lise_options *options, hd_run *run,
                 hd_lise_result *result);
void hd_lise_result_free(hd_lise_result *result);

/* --- annotations --- */

/* Where a formula is evaluated: the processes as they are, or as they were
 * when each came to the place (snapshots). NULL: not there (yet). */
typedef struct hd_lise_view {
  hd_terms *terms;
  const hd_lise_source *sources;
  const hd_proc *first; /* of each source: its first process */
  size_t n_sources;
  const hd_lise_proc *const *procs;
  size_t n_procs;
} hd_lise_view;

/* The value of a formula of `notes` for process `p`, of sort BOOL, INT or REAL
 * as the formula is. 0 with a sentence in `why` when it has none: a variable
 * that was never set, a rank that does not exist. Array elements outside of
 * their array are arbitrary (nothing is checked inside of formulas). */
hd_term hd_lise_formula(const hd_lise_view *view, hd_proc p,
                        const hd_notes *notes, hd_formula_id formula,
                        hd_str *why);

#endif
