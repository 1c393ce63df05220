/* SPDX-License-Identifier: MIT */
/* C programs with little data, one thread at a time: the shared states and the
 * local states of threads as numbers, and the steps between them.
 *
 * The shared state is the contents of the global variables that the program can
 * reach and change, with the state of locks in the bytes of their objects. A
 * local state is what a thread has of its own: its frames with the registers
 * that are still needed and the slots, its thread-local variables, the locks it
 * holds, and what it waits for. Both occur as they are met; nothing is bounded
 * beforehand.
 *
 * A thread stands before an action that others can notice. A step is that
 * action, in all its outcomes, and everything after it that only the thread can
 * see. Atomic sections are one step. What is open (inputs, who is woken) gives
 * several outcomes; an input with very many values is cut into those that
 * compare differently with the constants of its function.
 *
 * Threads have no names here: whoever joins a thread, asks who it is, keeps the
 * address of a local variable where others can see it, or allocates memory, is
 * refused. A refusal is an outcome, so it counts only if it can be reached.
 *
 * Everything is exact but for two things, which only add behaviour. A signal may
 * be lost although somebody waits; that is no more than waking a thread that
 * does not get to run. And a lock that is held for reading counts as held until
 * some reader claims to be the last, whereupon readers that are left vanish. */
#ifndef HD_MODEL_SMALL_H
#define HD_MODEL_SMALL_H

#include "model/code.h"
#include "model/modular.h" /* hd_modular_state */

typedef struct hd_small hd_small;

typedef struct {
  bool spurious;        /* condition variables may wake up without a signal */
  uint16_t max_threads; /* main and all ever created: pthread_create waits
                           when there were so many; 0 = no bound */
} hd_small_options;

/* One thing a thread did that may be a move of its own elsewhere. */
typedef struct {
  hd_edge_id edge;
  uint64_t choice; /* the input's number, 1 = a weak exchange fails; else 0 */
  bool wakes;      /* it ends a wait by itself: time is up, or spuriously */
} hd_small_act;

typedef enum {
  HD_SMALL_GOES,     /* on, in `shared` and `local` */
  HD_SMALL_VIOLATES, /* an assertion, at the edge of its last act */
  HD_SMALL_REFUSED,  /* `reason` */
} hd_small_kind;

typedef struct {
  hd_small_kind kind;
  hd_modular_state shared;
  hd_modular_state local; /* HD_NO_ID: the thread has ended */
  hd_modular_state
      spawned;       /* of the thread that was created; HD_NO_ID = none */
  bool spawned_ends; /* a thread was created, and has ended already */
  /* What it does to others, 0 = nothing: hd_small_image says it. */
  uint32_t label;
  bool one; /* only to one of them (a signal) */
  uint32_t reason;
  hd_edge_id edge; /* of the first action, or of the violation or refusal */
  const hd_small_act *acts;
  size_t n_acts;
  const hd_small_act *spawned_acts; /* of the new thread, at once */
  size_t n_spawned_acts;
} hd_small_outcome;

/* NULL, with a sentence in `why`, when there is no main, or something too large
 * to be part of a state. `code` and `options` are borrowed. */
hd_small *hd_small_new(const hd_code *code, const hd_small_options *options,
                       hd_str *why);
void hd_small_delete(hd_small *s);

const hd_code *hd_small_code(const hd_small *s);
size_t hd_small_n_shared(const hd_small *s);
size_t hd_small_n_local(const hd_small *s);
/* Where the program starts: before main's first visible action. `acts` (may be
 * NULL) is what main did before, appended. */
typedef hd_vec(hd_small_act) hd_small_acts;
void hd_small_start(hd_small *s, hd_modular_state *shared,
                    hd_modular_state *local, hd_small_acts *acts);

/* All outcomes of the next step, the same ones in the same order every time. */
typedef void (*hd_small_visit)(void *context, const hd_small_outcome *outcome);
void hd_small_steps(hd_small *s, hd_modular_state shared,
                    hd_modular_state local, hd_small_visit visit,
                    void *context);

/* Labels from 1 to their number: what a step does to other threads. */
uint32_t hd_small_n_labels(const hd_small *s);
/* What becomes of a thread in `local`: it may stay as it is if `first` is
 * `local`, and be woken into `second`. HD_NO_ID twice: it is gone. */
hd_modular_image hd_small_image(hd_small *s, uint32_t label,
                                hd_modular_state local);

/* What a thread in `local` that waits for a signal becomes when it is woken;
 * HD_NO_ID when it does not wait. */
hd_modular_state hd_small_woken(hd_small *s, hd_modular_state local);

/* True, with a sentence in `why`, when the program looks into the bytes of a
 * lock: then nothing said here counts. Asked at the end. */
bool hd_small_mixes(const hd_small *s, hd_str *why);
/* Why something was refused: "pthread_join (a.c:12): …". */
const char *hd_small_reason(const hd_small *s, uint32_t reason);

/* "busy=1 m=locked" (what differs from zero), and "worker:12 i=3". */
void hd_small_print_shared(hd_str *out, const hd_small *s,
                           hd_modular_state shared);
void hd_small_print_local(hd_str *out, hd_small *s, hd_modular_state local);

/* The variable that has taken the most different values so far: how many, and
 * "'counter' (t.c:5)" appended to `out`. */
size_t hd_small_widest(hd_small *s, hd_str *out);

#endif
