/* SPDX-License-Identifier: MIT */
/* Abstract unfoldings: proves C programs with threads without enumerating their
 * interleavings. After "Abstract Interpretation with Unfoldings" (the APOET
 * paper), built anew.
 *
 * An *event* is an action of one thread that others can notice (creation, end
 * and join of threads, locks, atomics, and accesses to memory that was found to
 * be raced on), together with all that had to happen before it: its history.
 * Events form a prime event structure; a set of events that is closed under
 * histories and free of conflicts is a configuration, all interleavings of which
 * lead to the same state. Between two events a thread runs alone; its code is
 * analysed by a fixpoint over abstract states (local.c, steps.c) that ends at the next
 * actions the thread may do.
 *
 * A thread's steps between events depend on its history alone as long as the
 * program has no data race on what they touch. That is checked: two segments
 * that are not ordered by synchronisation must not touch the same memory with a
 * write among them. Where they may, the object's accesses become events too, and
 * everything is done again; so what is said about assertions holds for racy
 * programs as well.
 *
 * The state of a history is computed without replaying it: memories of two
 * histories are merged cell by cell, the one that has not seen the other's last
 * writer gives way (domain/memory.h).
 *
 * An event is a *cutoff* when a smaller history reached the same control
 * positions with a state that contains this one: nothing new can follow. Loops
 * over events end by that; loops within a thread end by widening. Events are
 * added in the order of the size of their histories, so the one a cutoff is
 * compared with is there already; among those of one size the order of the
 * events on each resource decides (structure.c).
 *
 * Verdicts: a property without an alarm is SAFE, since every run of the program
 * is in some configuration. An alarm is no counterexample, it may come from the
 * abstraction: UNKNOWN here, and somebody else has to find a run. Recursion
 * beyond a bound, more threads than a bound, library functions that are not
 * modelled here: UNKNOWN with the reason. */
#ifndef HD_ENGINE_UNFOLD_UNFOLD_H
#define HD_ENGINE_UNFOLD_UNFOLD_H

#include "base/run.h"
#include "model/code.h"
#include "model/property.h"
#include "model/result.h"
#include "model/turns.h"

/* The properties that it looks at: the others it leaves open. */
#define HD_UNFOLD_DECIDES                                                      \
  (1u << HD_PROPERTY_ASSERT | 1u << HD_PROPERTY_RACE |                         \
   1u << HD_PROPERTY_DEADLOCK | 1u << HD_PROPERTY_OVERFLOW |                   \
   1u << HD_PROPERTY_ARITH | 1u << HD_PROPERTY_MEMORY |                        \
   1u << HD_PROPERTY_UNINIT | 1u << HD_PROPERTY_SYNC |                         \
   1u << HD_PROPERTY_UNREACHABLE)

/* How the values of a thread's variables are known. AUTO: as intervals, and where
 * these are not enough, octagons. CONCRETE: one by one, nothing is joined or
 * widened; inputs of many values are variables of a solver. */
typedef enum {
  HD_DOMAIN_AUTO,
  HD_DOMAIN_INTERVAL,
  HD_DOMAIN_OCTAGON, /* intervals, and sums and differences of variables */
  HD_DOMAIN_CONCRETE,
} hd_domain;

/* The integers that a variable may be: those with the sign bit clear, plo … phi,
 * and those with it set, nlo … nhi in the signed view; none where lo > hi. */
typedef struct {
  uint32_t loop; /* at the head of this one; HD_NO_ID: everywhere */
  uint32_t what; /* register of the loop's function; HD_NO_ID above: global */
  int64_t plo, phi, nlo, nhi;
} hd_bound;

/* What holds whenever some thread is at the head of a loop, of its registers; and
 * in every state, of global variables. Only variables with a name that are
 * integers, defined, and not everything their type allows. */
typedef struct {
  bool complete; /* the analysis came to its end: the bounds hold */
  hd_vec(hd_bound) bounds;
} hd_facts;

void hd_facts_free(hd_facts *facts);

/* AUTO for "auto", …; false: there is no such domain. */
HD_MUST_USE bool hd_domain_find(const char *name, hd_domain *domain);

typedef struct {
  hd_properties checks;
  hd_domain domain;
  uint32_t widen; /* joins at one place before bounds are given up; 0 = 15 */
  uint32_t partition; /* states kept apart at one place; 0 = 6 */
  uint32_t unroll;    /* rounds of a loop kept apart; 0 = 64 */
  /* CONCRETE: values of an input that are told apart; of more it is a variable,
   * for Z3; 0 = 16, which is the most. */
  uint32_t split;
  /* Partitions of states by what alarms depend on are tried with this many levels
   * after the domain; 0: AUTO does, where it seems worth it. */
  uint32_t levels;
  const struct apart *apart; /* private to the engine: NULL */
  bool no_cutoffs;
  bool no_memo;         /* analyse what was analysed before; for tests */
  bool no_spurious;     /* condition variables wake up by signals only */
  bool malloc_fails;    /* malloc may return null */
  uint32_t max_threads; /* 0 = 64 */
  size_t max_events;    /* 0 = only what `run` allows */
  size_t max_steps;     /* of threads, all together; 0 likewise */
  bool keep_shape;      /* fill in result->shape: small programs only */
  hd_facts *facts;      /* where to put them; NULL: nobody wants to know */
  int argc;             /* what main is given; 0: anything */
  const char *const *argv;
} hd_unfold_options;

/* One event, as it is drawn. Events are numbered in the order they were added,
 * so causes have smaller numbers. */
typedef struct {
  uint32_t thread;
  hd_edge_id edge; /* HD_NO_ID: the thread's start or end */
  hd_func_id func; /* of a start: what the thread runs; else HD_NO_ID */
  bool ends;       /* the thread ends */
  bool cutoff;
  hd_u32s causes;    /* that it directly depends on */
  hd_u32s conflicts; /* smaller ones it is in direct conflict with */
} hd_unfold_event;

typedef hd_vec(hd_unfold_event) hd_unfold_shape;

void hd_unfold_shape_clear(hd_unfold_shape *shape);

/* Seconds. */
typedef struct {
  double segments, unfolding, races, deadlocks;
} hd_unfold_times;

typedef struct {
  hd_property property;
  hd_edge_id edge, other; /* other: of a race, else HD_NO_ID */
  char *message;          /* what may happen, in the program's names */
  hd_u32s events;         /* while it unfolds: behind which ones that is */
  hd_waypoints way;       /* what happens before, in order */
} hd_alarm;

void hd_alarm_free(hd_alarm *alarm); /* what it owns */

typedef struct {
  /* SAFE or UNKNOWN. Assertions, races, deadlocks, overflow, arithmetic, memory
   * and unreachable code are decided; the others are always UNKNOWN. */
  hd_verdict verdicts[HD_PROPERTY_COUNT];
  hd_vec(hd_alarm) alarms; /* each place once */
  /* Undefined behaviour that was not asked about and may end paths: what is SAFE
   * is so up to that. A place or two are enough. */
  hd_vec(hd_alarm) unasked;
  char *reason; /* why nothing could be proved; NULL = no such reason */
  /* Why `memory` is not proved where no alarm is about it, or NULL. */
  const char *memory_open;
  /* Of the last round, but for `rounds`. */
  size_t events, cutoffs, threads, segments, rounds;
  size_t memo_hits;      /* segments that were known from before */
  size_t steps;          /* of threads, between events; with those again */
  size_t configurations; /* maximal ones, as many as were counted */
  hd_unfold_times times; /* of all rounds */
  hd_unfold_shape shape; /* of the last round, if it was asked for */
} hd_unfold_result;

void hd_unfold(const hd_code *code, const hd_unfold_options *options,
               hd_run *run, hd_unfold_result *result);
void hd_unfold_result_free(hd_unfold_result *result);

#endif
