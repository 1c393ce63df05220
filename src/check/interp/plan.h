/* SPDX-License-Identifier: MIT */
/* A code graph prepared for execution: what all copies of a machine share and
 * nobody changes. Expressions become straight-line programs, library functions
 * are looked up by name, globals get their addresses, and slots that no pointer
 * can ever lead to are found: accesses to them are invisible. */
#ifndef HD_CHECK_INTERP_PLAN_H
#define HD_CHECK_INTERP_PLAN_H

#include "check/interp/interp.h"
#include "model/library.h"

/* One operation; instruction i of a program writes temporary i, a, b and c are
 * numbers of earlier temporaries. Constants and addresses of globals and
 * functions are HD_CODE_INT. */
typedef struct {
  uint8_t op; /* hd_code_op */
  uint8_t flags;
  uint8_t width; /* of the result */
  uint8_t from;  /* of the first operand */
  uint32_t a, b, c;
  uint64_t value; /* INT: itself; REG, SLOT; GLOBAL: number of the tls object */
} hd_instr;

typedef struct {
  uint32_t first, count; /* count 0: not compiled */
} hd_sequence;

/* What executing an edge is for the others. */
typedef enum {
  HD_SIGHT_LOCAL,   /* nobody notices */
  HD_SIGHT_MEMORY,  /* LOAD, STORE, RMW, CMPXCHG, FENCE */
  HD_SIGHT_CALL,    /* of a function of the library */
  HD_SIGHT_POINTER, /* a call through a pointer: known when it is reached */
  HD_SIGHT_ATOMIC,  /* a call of a __VERIFIER_atomic_… function */
  HD_SIGHT_CREATE,  /* a thread is made whose id only its creator can look at */
} hd_sight;

typedef struct {
  hd_library_fn library; /* of a function that is not defined, else NONE */
  bool atomic;           /* defined and called __VERIFIER_atomic_… */
  bool error;            /* defined reach_error or __VERIFIER_error */
} hd_plan_func;

typedef struct {
  uint32_t refs;
  const hd_code *code;
  const hd_machine_options *options;
  bool wide;       /* 64-bit target */
  bool asks_ctype; /* the tables of ctype.h are needed */
  hd_vec(hd_instr) instrs;
  hd_sequence *sequences; /* of each expression that is evaluated */
  uint8_t *sights;        /* of each edge: hd_sight */
  hd_plan_func *funcs;
  uint64_t *globals; /* address of each global; tls: its number among those */
  hd_u32s tls;       /* the thread-local ones */
  uint64_t *temporaries; /* scratch for one evaluation */
  /* Registers and globals that matter; made when asked for. */
  struct hd_live *live;
  struct hd_live_globals *live_globals;
  uint64_t *live_set;       /* scratch: a set of globals */
  uint8_t *inner;           /* globals that only serve inside of sections */
  hd_vec(hd_touch) touched; /* by the last move */
  bool blurred;             /* … and it did more than that */
  struct hd_joins *joins;   /* NULL: threads are told apart (joins.h) */
  bool partial;             /* … but main was seen not to join all of them */
  bool numbers;             /* addresses become numbers somewhere */
  bool ids; /* threads may get the ids of others, and somebody looks */
  bool
      teams; /* OpenMP: before there is a second thread, a move is many accesses,
               * so that large loops in front of a region are few moves */
  bool told;         /* what comparisons have told (hd_machine_told) */
  const char *vague; /* hd_machine_vague */
  uint8_t *signs;    /* of each edge: 1 + is more than the sign asked for? */
  bool obscured;     /* hd_machine_obscured */
  bool visited;      /* hd_machine_visited */
  bool suspect;      /* hd_machine_suspect */
  uint8_t *fates;    /* of each edge: what has become of blocks made there */
} hd_plan;

hd_plan *hd_plan_new(const hd_code *code, const hd_machine_options *options);
hd_plan *hd_plan_keep(hd_plan *plan);
void hd_plan_drop(hd_plan *plan);

static inline bool hd_plan_checks(const hd_plan *plan, hd_property property) {
  return plan->options->checks >> property & 1;
}

#endif
