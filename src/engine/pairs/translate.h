/* SPDX-License-Identifier: MIT */
/* Symbolic execution of one thread: private to translate.c, values.c and
 * calls.c. */
#ifndef HD_ENGINE_PAIRS_TRANSLATE_H
#define HD_ENGINE_PAIRS_TRANSLATE_H

#include "engine/pairs/system.h"
#include "model/calls.h"

/* A number, or the address `bits` bytes into an object. */
typedef struct {
  pterm bits;
  uint32_t object; /* HD_NO_ID: a number */
} pvalue;

typedef struct {
  uint64_t offset;
  uint8_t width;
  bool lock; /* its state, not its bytes */
  bool shared;
  uint32_t var; /* into system->shared or local */
} pcell;

typedef struct {
  enum { IS_GLOBAL, IS_OWN_GLOBAL, IS_SLOT, IS_FUNC, IS_BLOCK } sort;
  uint32_t id; /* of the global, slot or function, of the edge that allocates */
  uint32_t context;             /* of a slot or block */
  uint32_t length, made, freed; /* BLOCK: shared variables: blocks.c */
  uint32_t kind;                /* whose: of slots and thread-local variables */
  uint64_t size;
  bool blurred; /* elements are not told apart */
  bool escaped; /* SLOT of main's own frame: other threads know it */
  hd_vec(pcell) cells;
} pobject;

/* A function that was called, by a chain of calls. */
typedef struct {
  hd_func_id func;
  uint32_t parent; /* HD_NO_ID: the thread's start */
  hd_edge_id call;
  uint32_t kind;
  uint32_t regs; /* first one, into system->local */
} pcontext;

typedef struct {
  pvar var;
  pvalue value;
} pbinding;

/* One step in the making. */
typedef struct {
  uint32_t from; /* place */
  uint32_t context, phase;
  hd_loc_id loc;
  pterm guard;
  hd_vec(pbinding) store; /* of variables that were set, or read in memory */
  uint32_t moves;
  bool acted, wrote; /* noticed by others; not only by reading */
  uint32_t atomic;   /* depth of atomic sections */
  bool ended;
  uint32_t creates;
  passigns begins;
  uint32_t into, joins; /* families; HD_NO_ID = none */
  bool exits;           /* the program ends */
  hd_edge_id edge;      /* the first that others notice */
  /* Which address a conditional expression of the next action is: 0 or 1. */
  struct {
    hd_cexpr_id expr;
    uint8_t arm;
  } chosen[4];
  uint32_t n_chosen;
} ppath;

/* Where ids of threads are: handles.c. */
typedef struct {
  uint32_t object;
  uint64_t offset;          /* UINT64_MAX: an array of them */
  uint32_t created, joined; /* shared variables; joined: of an array */
} phandle;

/* Who asks for a read-write lock, and waits. */
typedef struct {
  uint32_t place, lock;
  hd_edge_id edge;
} passked;

typedef struct {
  const hd_code *code;
  const psurroundings *surroundings;
  psystem *system;
  hd_run *run;
  hd_str *why;
  hd_vec(pcontext) contexts;
  hd_vec(pobject) objects;
  hd_vec(phandle) handles; /* as many as system->families */
  hd_u32s open;            /* places to follow */
  hd_vec(passked) asked;
  bool changed; /* something was found out that older steps did not know */
  bool refused;
  bool peeking;  /* undefined behaviour is not looked for */
  bool limiting; /* what is demanded is a limit of ours */
} ptranslator;

/* --- values.c --- */

void hd_pairs_refuse(ptranslator *tr, hd_edge_id edge, const char *format, ...)
    HD_PRINTF(3, 4);
pterm hd_pairs_fresh_input(ptranslator *tr, uint8_t width);
pvalue hd_pairs_number(pterm bits);
pvalue hd_pairs_eval(ptranslator *tr, ppath *p, hd_edge_id edge,
                     hd_cexpr_id expr);
pvalue hd_pairs_eval_operand(ptranslator *tr, ppath *p, hd_edge_id edge,
                             uint32_t i);
/* One bit: is it not 0? */
pterm hd_pairs_truth(ptranslator *tr, pterm a);
void hd_pairs_add_guard(ptranslator *tr, ppath *p, pterm condition);
/* The path goes on where `condition` holds; elsewhere it fails. */
void hd_pairs_demand(ptranslator *tr, ppath *p, hd_edge_id edge,
                     pterm condition, const char *what);
void hd_pairs_set_reg(ptranslator *tr, ppath *p, uint32_t context,
                      hd_reg_id reg, pvalue value);
/* What the variable is then, as a number: the value, or the offset in the object
 * where that is always the same one. */
pterm hd_pairs_stored(ptranslator *tr, pvar var, pvalue value, uint8_t width);
/* May other threads know its address? A variable of main's own frame, which lives
 * as long as the program, becomes one that they share. */
bool hd_pairs_is_public(const ptranslator *tr, uint32_t object);
void hd_pairs_let_escape(ptranslator *tr, uint32_t object);
pvalue hd_pairs_read_var(ptranslator *tr, ppath *p, pvar var, bool pointer);
void hd_pairs_write_var(ptranslator *tr, ppath *p, pvar var, pvalue value);
/* The cell for `width` bits at an address; NULL when elements are not told
 * apart (bounds were demanded) or the path has ended. */
const pcell *hd_pairs_find_cell(ptranslator *tr, ppath *p, hd_edge_id edge,
                                pvalue address, uint8_t width, bool lock);
/* Is the action at an address noticed by others? */
bool hd_pairs_is_noticed(ptranslator *tr, ppath *p, hd_edge_id edge,
                         bool writes);
/* Of what a load, store … reads or writes, in bits. */
uint8_t hd_pairs_access_width(const ptranslator *tr, const hd_cedge *e);
void hd_pairs_access_memory(ptranslator *tr, ppath *p, hd_edge_id edge);
/* What a slot contains, or all variables of a function that is entered. */
void hd_pairs_forget_object(ptranslator *tr, ppath *p, uint32_t object);
void hd_pairs_forget_frame(ptranslator *tr, ppath *p, uint32_t context);

/* --- calls.c --- */

/* Must the call be at the start of a step? */
bool hd_pairs_call_is_noticed(ptranslator *tr, ppath *p, hd_edge_id edge);
/* Executes it; paths that it forks are followed by `hd_pairs_follow`. */
void hd_pairs_do_call(ptranslator *tr, ppath *p, hd_edge_id edge);
/* For those who execute one: argument `i`; */
pvalue hd_pairs_arg(ptranslator *tr, ppath *p, hd_edge_id edge, uint32_t i);
/* goes on behind the call, which returns `*value`, or anything where it is NULL; */
void hd_pairs_go_on(ptranslator *tr, ppath *p, hd_edge_id edge,
                    const uint64_t *value);
/* follows the path on which it fails, where `condition` holds. */
void hd_pairs_fork_failure(ptranslator *tr, const ppath *p, hd_edge_id edge,
                           pterm condition);

/* --- locks.c --- */

/* Mutexes, spin locks, read-write locks, semaphores: made, ended, taken, given
 * back; the path goes on behind the call. */
void hd_pairs_lock(ptranslator *tr, ppath *p, hd_edge_id edge,
                   hd_library_fn fn);
/* Waiting for a condition takes no signal: whoever waits may go on as soon as the
 * mutex is free. It is two steps, in between the thread stands in phase 1. */
void hd_pairs_wait(ptranslator *tr, ppath *p, hd_edge_id edge,
                   hd_library_fn fn);
/* The thread goes on when `ready`. Others go on while it waits, also when it is
 * in an atomic section: such a section is no single step. */
void hd_pairs_wait_until(ptranslator *tr, ppath *p, hd_edge_id edge,
                         pterm ready);
/* Do the initial bytes say that the lock there is one of the default kind? */
bool hd_pairs_is_plain(const ptranslator *tr, pvalue address);
/* When all steps are there: refuses read-write locks that a thread may ask for
 * while it writes. It is told so then, and here it would wait. */
void hd_pairs_check_rwlocks(ptranslator *tr);

/* --- blocks.c --- */

/* Allocates `size` bytes; the target gets the address, the path goes on. */
void hd_pairs_allocate(ptranslator *tr, ppath *p, hd_edge_id edge, pvalue size);
pvalue hd_pairs_product(ptranslator *tr, ppath *p, hd_edge_id edge, pvalue n,
                        pvalue m);
void hd_pairs_release(ptranslator *tr, ppath *p, hd_edge_id edge,
                      pvalue address);
pterm hd_pairs_block_length(ptranslator *tr, ppath *p, uint32_t object);
/* One bit: it was not freed. */
pterm hd_pairs_block_lives(ptranslator *tr, ppath *p, uint32_t object);

/* --- handles.c --- */

/* A thread's id is stored, or about to be joined, or something is stored where
 * ids may be. */
void hd_pairs_handle_created(ptranslator *tr, ppath *p, hd_edge_id edge,
                             pvalue address, uint32_t kind);
void hd_pairs_handle_joined(ptranslator *tr, ppath *p, hd_edge_id edge);
void hd_pairs_handle_written(ptranslator *tr, ppath *p, hd_edge_id edge,
                             pvalue address);

/* --- translate.c --- */

uint32_t hd_pairs_context_of(ptranslator *tr, uint32_t parent, hd_edge_id call,
                             hd_func_id func, uint32_t kind);
uint32_t hd_pairs_kind_of(ptranslator *tr, hd_func_id func);
void hd_pairs_path_copy(ppath *to, const ppath *from);
void hd_pairs_path_free(ppath *p);
/* The path ends here, in the middle of a step's way or at its end. */
void hd_pairs_finish(ptranslator *tr, ppath *p);
void hd_pairs_fail_step(ptranslator *tr, const ppath *p, hd_edge_id edge,
                        pterm guard, const char *what);
void hd_pairs_follow(ptranslator *tr, ppath *p);

#endif
