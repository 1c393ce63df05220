/* SPDX-License-Identifier: MIT */
/* A C program as threads that take steps, for any number of threads.
 *
 * Shared variables and those of a thread are bit vectors: scalars in memory,
 * registers, locks. A *place* is where a thread stands between two steps: before
 * an action that others can notice, or at the head of a loop. A step has a
 * condition and sets variables, all at once; inputs in it have any value. It is
 * one action that others can notice with all that is local behind it, or an
 * atomic section. Calls are expanded, so recursion is refused.
 *
 * Everything the program can do is there, and more: an array whose elements are
 * not told apart can contain anything, waiting for a thread, a signal or a
 * condition takes no time, what nobody has set is any value, signed overflow
 * wraps around. Undefined behaviour that would matter (out of bounds, division
 * by zero, unlocking what is free) is a step that *fails* like an assertion. */
#ifndef HD_ENGINE_PAIRS_SYSTEM_H
#define HD_ENGINE_PAIRS_SYSTEM_H

#include "base/run.h"
#include "engine/pairs/term.h"
#include "model/code.h"

enum { UNBORN = 0 }; /* place of threads that do not exist (any more) */

typedef struct {
  uint8_t width;
  bool written;   /* by some step */
  bool has_start; /* it starts with the value: shared and thread-local ones */
  uint64_t start;
  uint32_t kind; /* of the thread it belongs to; HD_NO_ID: shared */
  /* The address it always has, while that is known (translate.c). */
  enum {
    POINTS_NOT_YET,
    POINTS_TO,   /* one address */
    POINTS_INTO, /* one object; its value is the offset */
    POINTS_ANYWHERE
  } points;
  uint32_t object;
  uint64_t offset;
  bool has_set; /* a shared one that is null until it is set: */
  uint32_t set; /* was it? */
} psvar;

typedef struct {
  pvar var;
  pterm term; /* over variables OF_ALL, OF_FIRST and inputs */
} passign;
typedef hd_vec(passign) passigns;

typedef struct {
  uint32_t from, to; /* places */
  bool fails;        /* there is no `to`: what must not happen happens */
  pterm guard;
  passigns sets;
  uint32_t creates; /* kind of the new thread; HD_NO_ID = none */
  passigns begins;  /* its variables */
  uint32_t into;    /* family that gets its id; HD_NO_ID = none */
  uint32_t joins;   /* a thread of this family has ended; HD_NO_ID = none */
  bool exits;       /* to == UNBORN: with the whole program */
  hd_edge_id edge;  /* what it is about */
  const char *what; /* fails: "assertion" … */
  bool limit;       /* … and that is no fault of the program, but beyond us */
} pstep;

/* Something that must not happen, and may, as far as is known. A run ends at the
 * first such thing, so different proofs may exclude different ones. */
typedef struct {
  hd_edge_id edge;
  const char *what;
} pfailure;
typedef hd_vec(pfailure) pfailures;

typedef struct {
  uint32_t kind; /* HD_NO_ID: UNBORN */
  uint32_t context, phase;
  hd_loc_id loc;
} pplace;

/* Two actions, and whether threads can be about to do both at once. */
typedef struct {
  hd_edge_id a, b;
  bool apart; /* they cannot */
} pmeeting;
typedef hd_vec(pmeeting) pmeetings;

/* A thread at `from` is about to do such an action where `guard` holds: at `at`
 * in this object, or anywhere (HD_NO_ID). */
typedef struct {
  uint32_t from;
  hd_edge_id edge;
  pterm guard;
  uint32_t object;
  pterm at;
  uint64_t bytes;
} pdeed;

/* Threads with the same start routine. */
typedef struct {
  hd_func_id func;
  bool once;      /* there is at most one */
  uint32_t start; /* place */
  uint32_t context;
} pkind;

/* Threads of a family that can be counted. */
#define PAIRS_MOST_CREATED (((uint32_t)1 << 24) - 1)

/* Threads whose ids are kept in one place, so that it is known who is joined. */
typedef struct {
  hd_u32s kinds;
  bool counted; /* there never are more than PAIRS_MOST_CREATED */
} pfamily;

/* A read-write lock: a bit, and a number. */
typedef struct {
  uint32_t writer, readers; /* shared variables */
} prwlock;

typedef struct {
  pterms *terms;
  hd_vec(psvar) shared, local; /* of all kinds */
  hd_vec(prwlock) rwlocks;
  hd_vec(pfamily) families;
  hd_vec(pkind) kinds; /* main first */
  hd_vec(pplace) places;
  hd_vec(pstep) steps;
  hd_vec(pdeed) deeds; /* of psurroundings.meetings */
  uint32_t inputs;
} psystem;

typedef struct {
  bool
      joins; /* wait: where it is not known for whom, that is a step that fails */
  bool malloc_fails;
  /* What is asked about, not NULL: whether threads can meet there. Then the run
   * just ends where an assertion fails. */
  const pmeetings *meetings;
} psurroundings;

/* Can a thread that is about to do `x` (OF_FIRST) and one that is about to do `y`
 * (OF_SECOND) be two, as far as their kinds tell? */
bool hd_pairs_may_meet(const psystem *system, const pdeed *x, const pdeed *y);
/* … and what then holds if they get at the same bytes. */
pterm hd_pairs_meeting(const psystem *system, const pdeed *x, const pdeed *y);

/* False, with a sentence in `why`, for programs that are not of this form.
 * `system` is all zero; freed by the caller in any case. */
HD_MUST_USE bool hd_pairs_system_read(const hd_code *code,
                                      const psurroundings *surroundings,
                                      hd_run *run, psystem *system,
                                      hd_str *why);
void hd_pairs_system_free(psystem *system);

/* Leaves out assignments to variables that no condition depends on. */
void hd_pairs_system_slice(psystem *system);

/* Adds what the step does, unless it is there. */
void hd_pairs_add_failure(pfailures *failures, const pstep *step);

#endif
