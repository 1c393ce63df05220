/* SPDX-License-Identifier: MIT */
/* The parts of hd_small.
 *
 * Addresses. An address is the number of an object, shifted by `shift` bits,
 * plus an offset: globals first, then functions, thread-local variables, and
 * the slots of frame d from slot_base + d * frame_slots on. So a thread's own
 * objects have the same addresses in every thread, which is fine because they
 * never get out of it. Numbers below 2^shift are integers, 0 is null. */
#ifndef HD_MODEL_SMALL_IMPL_H
#define HD_MODEL_SMALL_IMPL_H

#include "model/calls.h"
#include "model/eval.h"
#include "model/small.h"

enum { HD_SMALL_DEPTH = 150 }; /* most calls inside each other */

/* Byte strings, numbered as they occur. */
typedef struct {
  hd_bytes pool;
  hd_vec(size_t) starts; /* one more than there are */
  uint32_t *slots;       /* number + 1, or 0 */
  size_t n_slots;
} hd_small_table;

void hd_small_table_init(hd_small_table *t);
void hd_small_table_free(hd_small_table *t);
/* `bytes` must not point into the table. */
hd_modular_state hd_small_table_put(hd_small_table *t, const uint8_t *bytes,
                                    size_t size);
static inline size_t hd_small_table_size(const hd_small_table *t) {
  return t->starts.size - 1;
}
static inline const uint8_t *
hd_small_table_at(const hd_small_table *t, hd_modular_state id, size_t *size) {
  assert(id + 1 < t->starts.size);
  *size = t->starts.data[id + 1] - t->starts.data[id];
  return t->pool.data + t->starts.data[id];
}

typedef enum {
  HD_FRAME_KIND_CALL,
  HD_FRAME_KIND_MAIN,
  HD_FRAME_KIND_THREAD,
  HD_FRAME_KIND_ONCE,
} hd_small_frame_kind;

typedef struct {
  hd_func_id func;
  hd_loc_id loc;   /* where it is; a caller: where the call's edge starts */
  uint8_t kind;    /* hd_small_frame_kind */
  bool atomic;     /* leaving it ends an atomic section */
  uint64_t data;   /* ONCE: the control */
  uint32_t regs;   /* where its registers start */
  uint32_t memory; /* where its slots start */
} hd_small_frame;

typedef enum {
  HD_OWN_MUTEX,
  HD_OWN_SPIN,
  HD_OWN_READ,
  HD_OWN_WRITE,
} hd_own_kind;

/* A lock the thread holds; sorted by address. */
typedef struct {
  uint64_t address;
  uint8_t kind; /* hd_own_kind */
  uint8_t depth;
} hd_small_own;

typedef enum { HD_PARKED_NOT, HD_PARKED_WAITS, HD_PARKED_RELOCK } hd_parked;

/* A thread, taken apart to be changed. */
typedef struct {
  hd_vec(hd_small_frame) frames;
  hd_vec(uint64_t) regs;
  hd_bytes states; /* hd_reg_state of each register */
  hd_bytes memory; /* of the thread: thread-local variables, then slots */
  hd_bytes unset;  /* 1 for each byte of it that was never set */
  hd_vec(hd_small_own) owned;
  uint8_t parked;            /* hd_parked */
  bool timed;                /* it may give up waiting */
  uint8_t code;              /* what the wait will return */
  uint64_t cond, mutex;      /* what it is parked for */
  hd_vec(hd_small_act) acts; /* what it did since it was decoded or made */
} hd_small_work;

/* A constant that something is compared with. */
typedef struct {
  uint64_t value;
  uint8_t width;
} hd_small_cut;

typedef struct {
  uint32_t memory;  /* bytes of a frame's slots */
  uint64_t modulus; /* of samples */
  uint64_t *live;   /* of each location: registers, then slots, that matter */
  size_t words;     /* of one */
  hd_vec(hd_small_cut) cuts;
  hd_library_fn library; /* of a function that is not defined */
  bool atomic, error;    /* as their names say */
} hd_small_func;

typedef struct {
  uint64_t address; /* condition variable or rwlock */
  bool wakes;
} hd_small_label;

/* A value of an input: its distance from the least one. */
typedef struct {
  uint64_t number;
  bool exact; /* it stands for itself alone */
} hd_small_input;

typedef hd_vec(hd_small_input) hd_small_inputs;

struct hd_small {
  const hd_code *code;
  const hd_small_options *options;
  uint8_t shift;
  uint32_t func_base, tls_base, slot_base, frame_slots;
  /* Of each global: where its bytes are in the shared state, or for
   * thread-local ones in the thread's memory; HD_NO_ID: it cannot change, or
   * is never used. */
  uint32_t *global_at;
  uint8_t **initial; /* of each global: its initial bytes */
  uint32_t *slot_at; /* of each slot: where it is in its frame */
  hd_small_func *funcs;
  hd_bytes start_shared, start_tls;
  bool shared_cuts; /* samples mean the same in all functions */
  bool timed_waits; /* some wait for a condition variable may give up */
  hd_small_table shared, local;
  hd_vec(hd_small_label) labels;
  hd_vec(char *) reasons;
  hd_small_inputs inputs; /* scratch */
  uint8_t *role; /* of each shared byte: 1 read plainly, 2 part of a lock */
  /* the step that is made */
  hd_small_work *w; /* the thread that runs: one of the two */
  hd_small_work thread, created;
  hd_bytes now; /* the shared state */
  hd_bytes scratch;
  hd_vec(uint32_t) script,
      options_at;  /* choices made, and how many there are */
  size_t choice;   /* next in the script */
  uint32_t atomic; /* depth of atomic sections */
  hd_small_outcome out;
};

/* --- small_make.c --- */
bool hd_small_prepare(hd_small *s, hd_str *why);
void hd_small_unprepare(hd_small *s);
static inline bool hd_small_live(const hd_small *s, hd_loc_id loc,
                                 uint32_t var) {
  const hd_cloc *at = &s->code->locs.data[loc];
  const hd_small_func *f = &s->funcs[at->func];
  const uint64_t *bits =
      f->live + (loc - s->code->funcs.data[at->func].locs) * f->words;
  return bits[var / 64] >> (var % 64) & 1;
}

/* --- small_state.c --- */
void hd_small_decode(const hd_small *s, hd_modular_state local,
                     hd_small_work *w);
/* The thread as bytes: without what nobody will look at again. */
void hd_small_serialise(const hd_small *s, const hd_small_work *w,
                        hd_bytes *out);
hd_modular_state hd_small_encode(hd_small *s, const hd_small_work *w);
void hd_small_work_free(hd_small_work *w);
void hd_small_work_clear(const hd_small *s, hd_small_work *w);
/* Does a register, or behind those a slot, of frame i matter? */
bool hd_small_matters(const hd_small *s, const hd_small_work *w, size_t i,
                      uint32_t var);
void hd_small_push(const hd_small *s, hd_small_work *w, hd_func_id func,
                   hd_small_frame_kind kind);
void hd_small_pop(const hd_small *s, hd_small_work *w);
static inline hd_small_frame *hd_small_top(hd_small_work *w) {
  return &w->frames.data[w->frames.size - 1];
}

uint64_t hd_small_address(const void *context, const hd_cexpr *leaf);
/* In the top frame of the thread that runs. */
hd_evaluated hd_small_eval(const hd_small *s, hd_cexpr_id expr);
/* The function an address is of, or HD_NO_ID. */
hd_func_id hd_small_func_at(const hd_small *s, uint64_t address);

/* Bytes at an address, in the shared state, the thread's memory or a constant. */
typedef struct {
  uint8_t *bytes; /* NULL: there is no such object, or it is too short */
  uint8_t *unset; /* NULL: all set */
  bool shared;    /* others can see it */
  bool constant;  /* must not be written */
  uint32_t at;    /* in the shared state */
  const char *trouble;
} hd_small_place;
hd_small_place hd_small_find(const hd_small *s, uint64_t address,
                             uint64_t size);
/* Does the value name an object of this thread alone? */
bool hd_small_is_private(const hd_small *s, uint64_t value);

/* --- small_step.c, small_call.c --- */
typedef enum {
  HD_DONE,     /* the action is done */
  HD_VISIBLE,  /* it is for a step to do: nothing was changed */
  HD_WAITS,    /* it cannot be done now */
  HD_BLOCKED,  /* nor ever: the run ends, or does not count */
  HD_OVER,     /* the thread has ended */
  HD_REFUSE,   /* out.reason */
  HD_VIOLATES, /* an assertion fails */
} hd_done;

/* Takes one of n; n is at least 1. */
uint32_t hd_small_choose(hd_small *s, uint32_t n);
HD_PRINTF(3, 4)
hd_done hd_small_refuse(hd_small *s, hd_edge_id edge, const char *format, ...);
/* Notes that the thread has done something. */
void hd_small_note(hd_small *s, hd_edge_id edge, uint64_t choice);
/* What the flags of a value that must be known say: HD_DONE or a refusal. */
hd_done hd_small_need(hd_small *s, hd_edge_id edge, hd_evaluated value);
/* Calls a library function. `local`: only if nobody can notice. */
hd_done hd_small_call(hd_small *s, const hd_cedge *edge, hd_edge_id id,
                      hd_func_id func, bool local);
/* Calls of locks, condition variables, semaphores, once. */
hd_done hd_small_lock(hd_small *s, const hd_cedge *edge, hd_edge_id id,
                      hd_library_fn fn);
/* Argument i as a number: HD_DONE, or a refusal. */
hd_done hd_small_arg(hd_small *s, const hd_cedge *edge, hd_edge_id id,
                     uint32_t i, uint64_t *out);
/* Ends a call that returns `value`, noting it. */
hd_done hd_small_return(hd_small *s, const hd_cedge *edge, hd_edge_id id,
                        uint64_t value);
/* What a thread that was parked does when it goes on. */
hd_done hd_small_relock(hd_small *s, const hd_cedge *edge, hd_edge_id id);
uint32_t hd_small_label_of(hd_small *s, uint64_t address, bool wakes);
/* Ends an edge with results: assigns its targets and goes on behind it. */
void hd_small_finish(hd_small *s, const hd_cedge *edge,
                     const hd_evaluated *values, size_t n);
/* Runs the thread up to its next visible action; false when it has ended. */
bool hd_small_settle(hd_small *s);

#endif
