/* SPDX-License-Identifier: MIT */
/* Private to this folder: programs as threads, and their product. */
#ifndef HD_ENGINE_WEAVE_WEAVE_IMPL_H
#define HD_ENGINE_WEAVE_WEAVE_IMPL_H

#include "base/arena.h"
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
  WEAVE_TUPLES = 12000,
  WEAVE_FINE = 30000,  /* … with values of small variables */
  WEAVE_SAME = 20,     /* copies of one place of a function */
  WEAVE_ELEMENTS = 16, /* that one access may be to */
  WEAVE_POINTERS = 64,
  WEAVE_SMALL = 28, /* variables whose values are part of where all stand */
  WEAVE_VALUES = 17 /* values that one of them may have */
};

/* What is known of a register at a place: it is specialised for it. */
typedef enum {
  WEAVE_UNKNOWN,
  WEAVE_NUMBER,  /* bits, masked to the width */
  WEAVE_POINTER, /* `bits` bytes behind the start of `object` */
  WEAVE_FUNC,    /* object: the function */
  WEAVE_HANDLE,  /* object: what pthread_create has stored there (handles) */
} weave_known_kind;

typedef struct {
  uint8_t kind; /* weave_known_kind */
  uint32_t object;
  uint64_t bits;
} weave_known;

static inline bool hd_weave_alike(const weave_known *a, const weave_known *b) {
  return a->kind == b->kind && a->object == b->object && a->bits == b->bits;
}

typedef enum {
  WEAVE_EXPR,  /* in the frame, and with what is known, where the edge begins */
  WEAVE_COPY,  /* of a variable */
  WEAVE_ANY,   /* least … most */
  WEAVE_CONST, /* bits */
  WEAVE_MIXED, /* RMW: a variable and an expression */
} weave_value_kind;

typedef struct {
  uint8_t kind; /* weave_value_kind */
  uint8_t rmw;  /* hd_rmw */
  hd_cexpr_id expr;
  uint32_t var;
  uint64_t bits;
  hd_i128 least, most;
} weave_value;

typedef struct {
  uint32_t var;
  weave_value value;
} weave_assign;

typedef enum {
  WEAVE_HOLDS,   /* expr is not 0 */
  WEAVE_IS,      /* expr, with a sign, is the number */
  WEAVE_OUTSIDE, /* expr, with a sign, is not in least … number */
  WEAVE_EQUALS,  /* variable and expr are the same, */
  WEAVE_DIFFERS, /* or not */
} weave_guard_kind;

typedef struct {
  uint8_t kind; /* weave_guard_kind */
  hd_cexpr_id expr;
  uint32_t var;
  int64_t least, number;
} weave_guard;

typedef enum {
  WEAVE_STEP,   /* only assignments, perhaps guards */
  WEAVE_ASSUME, /* the guards hold, or nothing happens any more */
  WEAVE_CHECK,  /* the guard holds, or it fails */
  WEAVE_FAIL,   /* where the guards hold */
  WEAVE_HALT,   /* the program ends */
  WEAVE_CREATE, /* object: the thread */
  WEAVE_KNOWS,  /* the id of this thread is read: it has been created */
  WEAVE_JOIN,
  WEAVE_LOCK, /* object: the lock */
  WEAVE_SHARE,
  WEAVE_UNLOCK,
  WEAVE_MAKE,  /* a lock: nobody has it */
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
  uint8_t n_guards;
  bool tries; /* a lock: or it goes on without */
  weave_guard guards[3];
  uint32_t assigns, n_assigns;
  uint32_t object;
  uint32_t frame; /* of the expressions */
  const weave_known *env;
  uint32_t fresh; /* an object whose life begins, or ends */
  bool zeroed;    /* … with zeros */
  bool once;      /* it must be made once at most: memory is allocated */
  uint32_t opens; /* a frame that is entered */
  /* Numbers of pointers (weave_program.pointers), HD_NO_ID: none. */
  uint32_t sets, needs;
  uint64_t drops; /* … that are not known any more, a set */
  weave_touch touch;
  hd_edge_id edge;
} weave_edge;

typedef struct {
  hd_func_id func;
  uint32_t frame;   /* the first one */
  uint32_t creator; /* the thread that creates it */
  uint32_t result;  /* the variable of what it gives back */
  weave_known *arg; /* what is known of its registers */
  uint32_t entry, end, n_nodes;
  hd_vec(weave_edge) edges; /* by `from`, once made */
  uint32_t *first;          /* edges of node n: first[n] … first[n + 1] - 1 */
  uint8_t *head;            /* nodes: entered again by an edge backwards */
  weave_touch *future[WEAVE_THREADS]; /* nodes: everything that may still be
                                       * done before that thread has ended */
  weave_touch *section; /* nodes: … up to the end of the atomic section */
  uint8_t *stops;       /* nodes: … is there something that ends the run */
  uint64_t **live;      /* nodes: variables that may be read */
} weave_thread;

typedef struct {
  uint8_t width;
  bool cell; /* in memory, or of a thread for others */
} weave_var;

typedef struct {
  hd_func_id func;
  uint32_t regs;    /* the variable of its first register */
  uint32_t objects; /* its first slot */
} weave_frame;

/* What pointers point into: globals first, then slots and what is allocated. */
static const uint32_t WEAVE_HEAP = 0xfffffffe;
typedef struct {
  uint32_t frame; /* HD_NO_ID: a global; WEAVE_HEAP */
  uint32_t index; /* hd_global_id, or the slot's number in its function */
  uint64_t size;
} weave_object;

typedef struct {
  uint32_t object, var;
  uint64_t offset;
} weave_cell;

typedef struct {
  uint32_t object;
  uint64_t offset, size;
} weave_lock;

/* Memory where one known pointer is stored, again and again perhaps, and nothing
 * else. */
typedef struct {
  uint32_t object;
  uint64_t offset;
  weave_known now, value; /* as found in this attempt, and in the last one */
  bool several;           /* it is not like that */
} weave_pointer;

/* Where the id of a thread is stored. */
typedef struct {
  uint32_t object;
  uint64_t offset;
  uint32_t thread;  /* HD_NO_ID: none yet */
  uint32_t readers; /* threads that look at it, a set */
} weave_handle;

typedef struct {
  const hd_code *code;
  hd_arena arena;
  hd_vec(weave_var) vars;
  hd_vec(weave_frame) frames;
  hd_vec(weave_object) objects;
  hd_vec(weave_assign) assigns;
  hd_vec(weave_cell) cells;
  hd_vec(weave_lock) locks;
  hd_vec(weave_handle) handles;
  hd_vec(weave_pointer) pointers;
  weave_thread threads[WEAVE_THREADS];
  uint32_t n_threads;
  uint64_t *tracked; /* registers of all functions: they are specialised */
  bool again;        /* … fewer of them, or more handles or pointers */
  bool malloc_fails; /* it may */
  bool late;         /* nothing can fail before all threads were joined */
  hd_u32s small;     /* variables that have few values */
  hd_str *why;
  bool failed;
} weave_program;

/* A state of control: where all stand. */
typedef struct {
  uint32_t node[WEAVE_THREADS]; /* HD_NO_ID: not created */
  uint8_t owner[WEAVE_LOCKS];   /* 0xff: free */
  uint8_t readers[WEAVE_LOCKS]; /* sets of threads */
  uint8_t inside;               /* an atomic section, or 0xff */
  uint8_t turn;
  uint8_t rest[2]; /* 0 */
  uint32_t known;  /* set of the small variables (weave_program.small) … */
  uint64_t set;    /* pointers that were stored */
  uint64_t
      value[WEAVE_SMALL]; /* … with these bits; tuples are compared as bytes */
} weave_tuple;

typedef struct {
  uint32_t from, to; /* tuples; HD_NO_ID: it only fails */
  uint8_t thread;
  uint32_t edge; /* of the thread */
} weave_move;

typedef struct {
  hd_vec(weave_tuple) tuples;
  hd_vec(weave_move) moves; /* by `from` */
  uint8_t *useful;          /* tuples: something may fail behind them */
} weave_product;

/* --- known.c --- */

weave_known hd_weave_fold(const weave_program *p, uint32_t frame,
                          const weave_known *env, hd_cexpr_id id);
/* The same, with the small variables of a tuple. */
weave_known hd_weave_fold_in(const weave_program *p, const weave_edge *e,
                             const weave_tuple *t, hd_cexpr_id id);
/* A variable of the tuple. */
weave_known hd_weave_value_in(const weave_program *p, const weave_tuple *t,
                              uint32_t var);
/* Where an access of so many bytes may be to. */
typedef struct {
  uint32_t object;
  hd_cexpr_id index; /* HD_NO_ID: one place only, at `base` */
  uint64_t base;
  int64_t stride, least, most; /* base + i * stride for least … most */
} weave_places;
HD_MUST_USE bool hd_weave_places(const weave_program *p, uint32_t frame,
                                 const weave_known *env, hd_cexpr_id address,
                                 uint64_t bytes, weave_places *out);
/* The registers that addresses, ids and locks are computed from. */
uint64_t *hd_weave_track(const hd_code *code);

/* --- threads.c --- */

/* False, with the reason: not of that form. */
HD_MUST_USE bool hd_weave_read(const hd_code *code, bool malloc_fails,
                               weave_program *p, hd_str *why);
void hd_weave_free(weave_program *p);
HD_PRINTF(3, 4)
void hd_weave_refuse(weave_program *p, hd_edge_id edge, const char *format,
                     ...);

/* --- product.c --- */

/* What is known of each node of each thread. */
void hd_weave_analyse(weave_program *p);
HD_MUST_USE bool hd_weave_multiply(weave_program *p, hd_run *run,
                                   weave_product *product);
void hd_weave_product_free(weave_product *product);
/* Is the turn of move `i`, in a round over all of them, since what it comes from
 * has changed? The mark goes with its last move, and is set again by who changes a
 * tuple: 0 no, 1 yes, 2 in this round. */
static inline bool hd_weave_turn(const weave_product *product, size_t i,
                                 uint8_t *changed) {
  uint32_t from = product->moves.data[i].from;
  bool first = !i || product->moves.data[i - 1].from != from;
  if (first && changed[from])
    changed[from] = 2;
  bool turn = changed[from] == 2;
  bool last =
      i + 1 == product->moves.size || product->moves.data[i + 1].from != from;
  if (last && turn)
    changed[from] = 0;
  return turn;
}
/* Variables that may have few values, by which others are chosen: in `small`. */
void hd_weave_find_small(weave_program *p);
/* What a move assigns to a variable; false: it stays. */
HD_MUST_USE bool hd_weave_assigned(const weave_program *p,
                                   const weave_product *product,
                                   const weave_move *move, uint32_t var,
                                   weave_value *value);
/* The variables that count in a tuple, a set. */
void hd_weave_live(const weave_program *p, const weave_tuple *t, uint64_t *out);
static inline size_t hd_weave_words(const weave_program *p) {
  return hd_bits_words(p->vars.size) + 1;
}
static inline uint32_t hd_weave_reg(const weave_program *p, uint32_t frame,
                                    uint64_t reg) {
  return p->frames.data[frame].regs + (uint32_t)reg;
}

/* --- form.c --- */

enum { WEAVE_TERMS = 16 };

/* A sum of multiples of variables, and a number. */
typedef struct {
  struct {
    uint32_t var;
    hd_i128 by;
  } terms[WEAVE_TERMS];
  uint32_t n;
  hd_i128 rest;
  bool over; /* too large */
} weave_form;

/* Adds an expression of the edge, or its negative; false: it is none. */
HD_MUST_USE bool hd_weave_form(const weave_program *p, const weave_edge *e,
                               bool strict, hd_cexpr_id id, int sign,
                               weave_form *f);
/* The value as one. */
HD_MUST_USE bool hd_weave_form_of(const weave_program *p, const weave_edge *e,
                                  bool strict, const weave_value *v,
                                  uint8_t width, weave_form *f);
/* The number that an expression of the edge is known to be, with a sign. */
HD_MUST_USE bool hd_weave_constant(const weave_program *p, const weave_edge *e,
                                   hd_cexpr_id id, int64_t *value);

/* --- zones.c, affine.c, clauses.c --- */

/* Values are numbers that have the same remainder as the bits, modulo 2^width.
 * `strict`: where it counts which one they must be the one that the operation
 * wants, or it fails; else those between -2^(width-1) and 2^width are converted. */

/* Bounds of variables and of differences, at each tuple. */
typedef struct weave_zones weave_zones;
/* NULL: there was no time. */
weave_zones *hd_weave_zones_new(const weave_program *p,
                                const weave_product *product, bool strict,
                                hd_run *run);
void hd_weave_zones_free(weave_zones *z);
/* As SMT-LIB. */
void hd_weave_zones_print(const weave_zones *z, uint32_t tuple, hd_str *out);
/* x == y + by; y may be HD_NO_ID. */
typedef struct {
  uint32_t x, y;
  hd_i128 by;
} weave_equal;
typedef hd_vec(weave_equal) weave_equals;
/* What is equal where the move is made, before it changes anything; false: it is
 * never made. */
HD_MUST_USE bool hd_weave_zones_equals(const weave_zones *z,
                                       const weave_move *move,
                                       weave_equals *out);

/* What holds at each tuple, as SMT-LIB: texts to be freed, or NULL. */
char **hd_weave_equations(const weave_program *p, const weave_product *product,
                          bool strict, hd_run *run);
/* The clauses, as SMT-LIB; false: refused. `query`: only what would fail where the
 * equations hold, as one condition. */
HD_MUST_USE bool hd_weave_clauses(weave_program *p,
                                  const weave_product *product, bool strict,
                                  bool query, char *const *equations,
                                  hd_str *out);
/* The initial value of a cell; false: any. */
HD_MUST_USE bool hd_weave_initial(const weave_program *p, uint32_t cell,
                                  int64_t *value);

#endif
