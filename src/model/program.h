/* SPDX-License-Identifier: MIT */
/* The program graph: one intermediate form for Boolean programs and C.
 *
 * Any number of threads execute one graph. A thread is at a location and has
 * its own copy of the local variables; shared variables are common to all. An
 * edge is one atomic action of one thread:
 *
 *   STEP      all right-hand sides are evaluated in the old state, then assigned
 *             at once; the edge can be taken when its guard holds, where HD_OP_VAR
 *             reads the old and HD_OP_NEXT the new value. Plain moves, skip and
 *             assume are steps without assignments.
 *   ASSERT    goes on when the guard can be true; it is *violated* when a
 *             thread stands at the edge's source and the guard can be false
 *   SPAWN     a new thread starts at `other` with a copy of the spawner's
 *             locals; the spawner goes on
 *   END       the thread is gone
 *   ATOMIC_BEGIN, ATOMIC_END
 *             from the first to the second no other thread moves; a thread that
 *             blocks in between keeps the others out for ever
 *   WAIT, SIGNAL, BROADCAST
 *             WAIT blocks until another thread signals (one waiting thread goes
 *             on) or broadcasts (all go on)
 *
 * HD_OP_CHOICE (`*`) has a fresh value at each occurrence and each evaluation; a
 * guard with choices "can be true" when some choice makes it so.
 *
 * Initially every thread is at `entry`; a variable has its initial value, or any
 * when `any` is set (each thread chooses its own locals; the shared ones are
 * chosen once). How many threads there are is not part of the program:
 * `spawns` tells whether it creates its own.
 *
 * Expressions are nodes in one pool, referred to by number; equal ones are
 * shared, except choices. Variables have a width of 1 to 64 bits; Boolean
 * programs use 1. */
#ifndef HD_MODEL_PROGRAM_H
#define HD_MODEL_PROGRAM_H

#include "base/arena.h"
#include "base/str.h"
#include "base/vec.h"

typedef uint32_t hd_expr_id, hd_var_id, hd_loc_id, hd_edge_id;
#define HD_NO_ID UINT32_MAX

typedef enum {
  HD_OP_CONST,  /* value */
  HD_OP_VAR,    /* value is the variable's number */
  HD_OP_NEXT,   /* likewise: the value after the assignment */
  HD_OP_CHOICE, /* any value of its width */
  HD_OP_NOT,    /* bitwise, as the next three */
  HD_OP_AND,
  HD_OP_OR,
  HD_OP_XOR,
  HD_OP_EQ, /* width 1 */
  HD_OP_NE,
  HD_OP_ITE, /* args: condition, then, else */
} hd_op;

typedef struct {
  hd_op op;
  uint8_t width; /* 1 … 64 */
  hd_expr_id args[3];
  uint64_t value;
} hd_expr;

typedef struct {
  const char *name;
  bool shared;
  bool any; /* starts with any value */
  uint8_t width;
  uint64_t init;
  uint32_t line;
} hd_var;

/* Where something came from: in the input itself and, when the input was made
 * from another program and says so, there. */
typedef struct {
  uint32_t line;        /* of the input */
  const char *file;     /* of the original source; NULL = not known */
  uint32_t source_line; /* 0 = not known */
  const char *function; /* NULL = not known */
} hd_origin;

typedef struct {
  const char *label; /* "PC12", or NULL */
  hd_origin origin;
} hd_loc;

typedef struct {
  hd_var_id var;
  hd_expr_id value;
} hd_assign;

typedef enum {
  HD_ACT_STEP,
  HD_ACT_ASSERT,
  HD_ACT_SPAWN,
  HD_ACT_END,
  HD_ACT_ATOMIC_BEGIN,
  HD_ACT_ATOMIC_END,
  HD_ACT_WAIT,
  HD_ACT_SIGNAL,
  HD_ACT_BROADCAST,
} hd_act;

typedef struct {
  hd_loc_id from, to; /* END: to == from */
  hd_act act;
  hd_expr_id guard;            /* STEP, ASSERT; HD_NO_ID = true */
  uint32_t assigns, n_assigns; /* into program->assigns; STEP */
  hd_loc_id other;             /* SPAWN */
  hd_origin origin;
  const char *text; /* the statement as written, for people; may be NULL */
} hd_edge;

typedef struct hd_program {
  const char *file;
  hd_vec(hd_var) vars;
  hd_vec(hd_expr) exprs;
  hd_vec(hd_loc) locs;
  hd_vec(hd_edge) edges;
  hd_vec(hd_assign) assigns;
  hd_loc_id entry;
  bool spawns; /* some edge is a SPAWN */
  hd_arena arena;
  /* Made by hd_program_finish: edges out of location l are
   * out[out_start[l]] … out[out_start[l + 1] - 1]. */
  uint32_t *out_start;
  hd_edge_id *out;
  struct hd_expr_table *table; /* finds equal expressions */
} hd_program;

hd_program *hd_program_new(const char *file);
void hd_program_delete(hd_program *program);

hd_var_id hd_program_add_var(hd_program *program, const hd_var *var);
hd_loc_id hd_program_add_loc(hd_program *program, const hd_loc *loc);
/* `assigns` are copied; strings are copied. */
hd_edge_id hd_program_add_edge(hd_program *program, const hd_edge *edge,
                               const hd_assign *assigns, size_t n_assigns);

/* Expression makers simplify constants and trivial cases (x & 0, !!x, …), never
 * across a choice's identity: * & * is not *. */
hd_expr_id hd_expr_const(hd_program *program, uint8_t width, uint64_t value);
hd_expr_id hd_expr_var(hd_program *program, hd_var_id var, bool next);
hd_expr_id hd_expr_choice(hd_program *program, uint8_t width);
hd_expr_id hd_expr_make(hd_program *program, hd_op op, hd_expr_id a,
                        hd_expr_id b, hd_expr_id c);

/* Builds the edge index and `spawns`. */
void hd_program_finish(hd_program *program);
/* Asserts every invariant. */
void hd_program_check(const hd_program *program);

/* The text form, `heddle show --ir`: one line a variable, location and edge;
 * docs/ir.md. */
void hd_program_print(hd_str *out, const hd_program *program);
void hd_program_print_expr(hd_str *out, const hd_program *program,
                           hd_expr_id expr);
void hd_program_print_edge(hd_str *out, const hd_program *program,
                           hd_edge_id edge);

#endif
