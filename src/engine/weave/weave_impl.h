/* SPDX-License-Identifier: MIT */
/* Private to this folder: programs as threads, and their product. */
#ifndef HD_ENGINE_WEAVE_WEAVE_IMPL_H
#define HD_ENGINE_WEAVE_WEAVE_IMPL_H

#include "base/bitset.h"
#include "base/run.h"
#include "base/str.h"
#include "base/word.h"
#include "model/calls.h"
#include "model/code.h"

enum {
  WEAVE_THREADS = 6,
  WEAVE_CELLS = 60,
  WEAVE_LOCKS = 16,
  WEAVE_NODES = 3000,
  WEAVE_TUPLES = 4000
};

typedef enum {
  WEAVE_EXPR,  /* in a frame */
  WEAVE_COPY,  /* of a variable */
  WEAVE_ANY,   /* of the type of what it goes to */
  WEAVE_MIXED, /* RMW: a variable and an expression */
} weave_value_kind;

typedef struct {
  uint8_t kind; /* weave_value_kind */
  uint8_t rmw;  /* hd_rmw */
  hd_cexpr_id expr;
  uint32_t frame, var;
} weave_value;

typedef struct {
  uint32_t var;
  weave_value value;
} weave_assign;

typedef enum {
  WEAVE_STEP,   /* only assignments, perhaps a guard */
  WEAVE_ASSUME, /* `guard` is not 0, or nothing happens any more */
  WEAVE_CHECK,  /* `guard` is not 0, or it fails */
  WEAVE_FAIL,
  WEAVE_HALT,   /* the program ends */
  WEAVE_CREATE, /* object: the thread */
  WEAVE_JOIN,
  WEAVE_LOCK, /* object: the lock */
  WEAVE_UNLOCK,
  WEAVE_ENTER, /* an atomic section */
  WEAVE_LEAVE,
} weave_kind;

/* What an action touches: sets of cells, and of locks. */
typedef struct {
  uint64_t reads, writes;
  uint32_t locks;
} weave_touch;

typedef struct {
  uint32_t from, to;
  uint8_t kind; /* weave_kind */
  bool guarded;
  weave_value guard; /* EXPR of 1 bit, or of more: not 0 */
  uint32_t assigns, n_assigns;
  uint32_t object;
  weave_touch touch;
  hd_edge_id edge;
} weave_edge;

typedef struct {
  hd_func_id func;
  uint32_t frame; /* the first one */
  uint32_t entry, end, n_nodes;
  hd_vec(weave_edge) edges; /* by `from`, once made */
  uint32_t *first;          /* edges of node n: first[n] … first[n + 1] - 1 */
  uint8_t *head;            /* nodes: entered again by an edge backwards */
  weave_touch *future;      /* nodes: everything that may still be done */
  weave_touch *section;     /* nodes: … up to the end of the atomic section */
  uint8_t *stops;  /* nodes: … is there something that ends the run */
  uint64_t **live; /* nodes: variables that may be read */
} weave_thread;

typedef struct {
  uint8_t width;
  bool cell; /* shared */
} weave_var;

typedef struct {
  hd_func_id func;
  uint32_t regs; /* the variable of its first register */
} weave_frame;

typedef struct {
  const hd_code *code;
  hd_vec(weave_var) vars; /* cells first */
  hd_vec(weave_frame) frames;
  hd_vec(weave_assign) assigns;
  hd_vec(hd_global_id) cells;
  hd_vec(hd_global_id) locks;
  hd_vec(hd_cexpr_id) handles; /* of threads but main: where the id is stored */
  weave_thread threads[WEAVE_THREADS];
  uint32_t n_threads;
  bool late; /* nothing can fail before all threads were joined */
  hd_str *why;
  bool failed;
} weave_program;

/* A state of control: where all stand. */
typedef struct {
  uint32_t node[WEAVE_THREADS]; /* HD_NO_ID: not created */
  uint8_t owner[WEAVE_LOCKS];   /* 0xff: free */
  uint8_t inside;               /* an atomic section, or 0xff */
  uint8_t turn;
  uint8_t rest[2]; /* 0: tuples are compared as bytes */
} weave_tuple;

typedef struct {
  uint32_t from, to; /* tuples; HD_NO_ID: it only fails */
  uint8_t thread;
  uint32_t edge; /* of the thread */
} weave_move;

typedef struct {
  hd_vec(weave_tuple) tuples;
  hd_vec(weave_move) moves;
} weave_product;

/* False, with the reason: not of that form. */
HD_MUST_USE bool hd_weave_read(const hd_code *code, weave_program *p,
                               hd_str *why);
void hd_weave_free(weave_program *p);
HD_PRINTF(3, 4)
void hd_weave_refuse(weave_program *p, hd_edge_id edge, const char *format,
                     ...);
/* What is known of each node of each thread. */
void hd_weave_analyse(weave_program *p);
HD_MUST_USE bool hd_weave_multiply(weave_program *p, hd_run *run,
                                   weave_product *product);
/* The variables that count in a tuple, a set. */
void hd_weave_live(const weave_program *p, const weave_tuple *t, uint64_t *out);
static inline size_t hd_weave_words(const weave_program *p) {
  return hd_bits_words(p->vars.size);
}
/* Variables of an expression, added to a set. */
void hd_weave_uses(const weave_program *p, const weave_value *v, uint64_t *set);
static inline uint32_t hd_weave_reg(const weave_program *p, uint32_t frame,
                                    uint64_t reg) {
  return p->frames.data[frame].regs + (uint32_t)reg;
}

/* Equations of each tuple, as SMT-LIB: texts to be freed, or NULL. `plain`: values
 * are those of unsigned integers. */
char **hd_weave_equations(const weave_program *p, const weave_product *product,
                          bool plain, hd_run *run);
/* The clauses, as SMT-LIB; false: refused. */
HD_MUST_USE bool hd_weave_clauses(weave_program *p,
                                  const weave_product *product, bool plain,
                                  char *const *equations, hd_str *out);
/* The initial value of a cell. */
hd_i128 hd_weave_initial(const weave_program *p, uint32_t cell, bool plain);

#endif
