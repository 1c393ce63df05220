/* SPDX-License-Identifier: MIT */
/* Private to this folder: the abstract state of one thread between events, and
 * what all parts share. */
#ifndef HD_ENGINE_UNFOLD_STATE_H
#define HD_ENGINE_UNFOLD_STATE_H

#include "domain/memory.h"
#include "engine/unfold/unfold.h"
#include "model/calls.h"
#include "model/live.h"

typedef uint32_t thread_id; /* 0 is main */
typedef uint32_t event_id;

/* --- what objects there are --- */

typedef enum {
  OBJ_GLOBAL,
  OBJ_FUNC, /* no memory; its address is one */
  OBJ_TLS,
  OBJ_SLOT,
  OBJ_HEAP,
  OBJ_ALLOCA,
  OBJ_ARGS, /* what main is given: 0 is argv, from 1 on the texts */
} object_kind;

/* There is one for all threads, as long as the program runs? */
static inline bool object_is_global(object_kind kind) {
  return kind == OBJ_GLOBAL || kind == OBJ_ARGS;
}

typedef struct {
  object_kind kind;
  thread_id thread; /* TLS, SLOT, HEAP, ALLOCA: whose */
  uint32_t what;    /* global; function; slot (of code->slots); edge */
  uint32_t depth;   /* SLOT, ALLOCA: of the frame; HEAP: the how manieth */
} object_key;

/* A thread is known by its creator and the how manieth it created. */
typedef struct {
  thread_id parent;
  uint32_t nth;
} thread_key;

/* --- a thread's own state --- */

/* A fact that a branch established: OP(a, b) is `truth`; registers only. */
typedef struct {
  uint8_t op;
  bool truth;
  hd_cexpr_id a, b;
} fact;

enum { MAX_FACTS = 16 };

/* "This register was loaded from there, or stored there, and nobody wrote there
 * since": both are equal. */
typedef struct {
  hd_object_id object;
  uint32_t offset, bytes; /* bytes 0: no */
} mirror;

static inline bool mirror_same(const mirror *x, const mirror *y) {
  return x->bytes == y->bytes &&
         (!x->bytes || (x->object == y->object && x->offset == y->offset));
}

/* "The value of this expression was stored there", and neither has changed. */
typedef struct {
  mirror cell;
  hd_cexpr_id expr;
} deposit;

enum { MAX_DEPOSITS = 2 };

/* All elements of an array from number `from` up to, but without, number reg + add
 * have this value; `down`: from reg + add up to, but without, `from` (runs.h). */
typedef struct {
  hd_object_id object;
  int64_t base; /* offset of element 0 */
  uint32_t stride, bytes;
  bool down;
  hd_reg_id reg;
  int64_t add, from;
  hd_value value;
} array_run;

enum { MAX_RUNS = 4 };

/* The same elements? */
static inline bool run_same(const array_run *x, const array_run *y) {
  return x->object == y->object && x->base == y->base &&
         x->stride == y->stride && x->bytes == y->bytes && x->down == y->down &&
         x->reg == y->reg && x->add == y->add && x->from == y->from;
}

enum { MAX_ROUNDS = 3 };

/* engine/modular: objects of one thread made at one place that are kept apart;
 * the last number stands for all others. */
enum { MODULAR_ALLOCATIONS = 3 };

/* Actions that take two events, or an event and a call. */
typedef enum {
  PHASE_NONE,
  PHASE_ENTER,  /* the call it stands before may be entered now */
  PHASE_LEAVE,  /* the return it stands before may be done now */
  PHASE_SECOND, /* the second half of a wait is to come */
} phase;

/* What ends when a function returns. */
typedef enum { GUARD_NONE, GUARD_ATOMIC, GUARD_ONCE } guard;

/* In which round of a loop a thread is, since its last event. */
typedef struct {
  uint32_t loop, count;
} round_of;

typedef struct frame {
  uint32_t refs;
  struct frame *below; /* NULL: the thread's first */
  hd_func_id func;
  hd_loc_id loc;
  hd_edge_id call; /* of `below`, to be finished; HD_NO_ID: none */
  uint32_t depth;
  uint8_t phase, guard;
  uint32_t n_facts, n_regs;
  uint32_t n_rounds;
  round_of rounds[MAX_ROUNDS]; /* outermost first */
  fact *facts;                 /* room for MAX_FACTS, or NULL */
  hd_relation *relation;       /* of its registers (relate.h) */
  uint32_t n_runs;
  array_run *runs; /* room for MAX_RUNS, or NULL */
  mirror *mirrors; /* n_regs */
  uint32_t n_deposits;
  deposit deposits[MAX_DEPOSITS]; /* the oldest goes first */
  hd_value regs[];                /* n_regs */
} frame;

frame *hd_frame_new(const hd_code *code, hd_func_id func, frame *below,
                    hd_edge_id call);
frame *hd_frame_keep(frame *f);
void hd_frame_drop(frame *f);
/* A copy that may be changed; takes over the reference to `f`. */
frame *hd_frame_own(frame *f);
/* The same stack of functions and locations? */
bool hd_frame_same_control(const frame *a, const frame *b);
uint64_t hd_frame_hash_control(const frame *f);
/* The same rounds of loops, as well? */
bool hd_frame_same_rounds(const frame *a, const frame *b);
/* Goes to a location; counts rounds up to `most`. */
void hd_frame_go(frame *f, hd_loc_id loc, const hd_code *code,
                 uint64_t *const *bodies, uint32_t most);
void hd_frame_forget_rounds(frame **f);
/* Forgets registers that nobody reads any more. */
void hd_frame_forget_dead(const hd_code *code, const hd_live *live, frame **f);
bool hd_frame_within(const hd_code *code, const frame *a, const frame *b);
/* Of the same control. */
frame *hd_frame_join(const hd_code *code, const frame *a, const frame *b,
                     const hd_widening *widen);
void hd_frame_set(const hd_code *code, frame *f, hd_reg_id reg,
                  const hd_value *value);
/* Forgets what mirrors know, all of it or about an object's bytes. */
void hd_frame_forget_mirrors(frame **f);
void hd_frame_written(frame **f, hd_object_id object, int64_t from, int64_t to);

typedef struct trail trail; /* terms.h */

/* A thread at some point of a segment. */
typedef struct {
  frame *top;
  hd_memory *memory;
  trail *path; /* what inputs decided since its last event; NULL: nothing */
} local;

local hd_local_copy(const local *l);
void hd_local_free(local *l);
/* The register of the top frame has just been loaded from there: it mirrors the
 * cell, if that is exactly one. */
void hd_frame_mirror(local *l, hd_reg_id reg, hd_type type,
                     const hd_value *valid);
/* The value of the expression, which has this type, has just been stored there. */
void hd_frame_deposit(const hd_code *code, local *l, hd_cexpr_id expr,
                      const hd_value *valid);

/* --- what a segment touched, for races --- */

typedef struct {
  hd_object_id object;
  int64_t lo, hi; /* bytes lo … hi - 1 */
  bool write, atomic;
  bool dies; /* it is no memory any more; without `write`: not a race */
  bool sync; /* by a call on a lock or the like: no value that anybody reads */
  bool id;   /* by the creation of a thread, which may run before it */
  hd_edge_id edge;
} touch;

typedef hd_vec(touch) touches;

/* --- the whole analysis --- */

#define HD_MAP object_map
#define HD_KEY object_key
#define HD_VAL hd_object_id
#define HD_HASH(k)                                                             \
  hd_hash_mix((uint64_t)(k).kind << 32 | (k).thread,                           \
              (uint64_t)(k).what << 32 | (k).depth)
#define HD_EQ(a, b)                                                            \
  ((a).kind == (b).kind && (a).thread == (b).thread && (a).what == (b).what && \
   (a).depth == (b).depth)
#include "base/hash.h"
#include "base/map_templ.h"

#define HD_MAP thread_map
#define HD_KEY thread_key
#define HD_VAL thread_id
#define HD_HASH(k) hd_hash_mix((k).parent, (k).nth)
#define HD_EQ(a, b) ((a).parent == (b).parent && (a).nth == (b).nth)
#include "base/map_templ.h"

typedef struct relations relations; /* relate.h */
typedef struct findings findings;   /* facts.c */
typedef struct terms terms;         /* terms.h */
typedef struct apart apart;         /* apart.h */

typedef struct {
  const hd_code *code;
  const hd_unfold_options *options;
  relations *relate; /* NULL: intervals only */
  terms *terms;      /* NULL: inputs are no variables */
  hd_run *run;
  hd_unfold_result *result;
  object_map objects; /* numbers in the order of first use */
  thread_map threads;
  hd_library_fn *library; /* per function of the code */
  hd_edge_id
      asks_errno; /* the first that asks where errno is; HD_NO_ID: none */
  uint64_t *shared_bits; /* objects whose accesses are events, a bitset */
  size_t shared_words;
  uint64_t *lock_bits; /* objects that contain locks, likewise */
  size_t lock_words;
  uint64_t *passed_bits; /* slots whose address was stored, likewise */
  size_t passed_words;
  uint64_t *ended_bits; /* slots that ended before their frame, likewise */
  size_t ended_words;
  bool has_alloca; /* there were such objects */
  bool frees;      /* memory is freed: addresses may come again */
  hd_live *live;
  uint64_t *meets;   /* locations where paths meet, a bitset */
  uint64_t **bodies; /* per loop its locations, a bitset */
  uint32_t *order;   /* per location, in a topological order but for loops */
  uint32_t widen, partition, unroll;
  hd_widening widening; /* constants of the program, and their neighbours */
  bool signals;         /* signals are events, too: deadlocks depend on them */
  bool cuts;            /* there were cutoffs, in this round */
  bool loose;           /* there were loose events (past.c) … */
  bool strict;          /* … and cutoffs have to heed them */
  hd_u32s now;          /* events at which something is looked at, for alarms */
  bool gave_up;
  size_t steps;    /* of segments */
  size_t alarms;   /* how often one was raised, old ones too */
  size_t marks;    /* how many objects were added to the sets above */
  bool anonymous;  /* nobody knows or uses the handles of threads */
  bool modular;    /* a thread stands for any number of threads */
  findings *facts; /* NULL: nobody wants to know */
} analysis;

/* Fills in what depends on code and options alone; main must exist. */
void hd_analysis_start(analysis *a); /* may give up */
void hd_analysis_end(analysis *a);
/* main before its first step, with all globals. */
local hd_analysis_beginning(analysis *a);
/* The memory a new thread has of its own: thread-local variables, and those of
 * its function. */
void hd_analysis_enter_thread(analysis *a, hd_memory **memory, thread_id thread,
                              hd_func_id func, hd_stamp stamp);
/* From now on accesses to these objects are events. */
void hd_analysis_share(analysis *a, const hd_u32s *objects);
void hd_analysis_forget_alarms(hd_unfold_result *result);
hd_object_id hd_analysis_object(analysis *a, object_key key);
/* What the object is. */
static inline const object_key *object_of(const analysis *a,
                                          hd_object_id object) {
  assert(object < a->objects.size);
  return &a->objects.items[object].key;
}
/* Adds an object to a set. */
void hd_analysis_mark(analysis *a, uint64_t **bits, size_t *words,
                      hd_object_id object);
bool hd_analysis_has_locks(const analysis *a, hd_object_id object);
/* Is every access to this object an event? */
bool hd_analysis_is_shared(const analysis *a, hd_object_id object);
/* "counter", for alarms. */
void hd_analysis_print_object(analysis *a, hd_str *out, hd_object_id object,
                              int64_t offset, uint32_t bytes);
void hd_analysis_alarm(analysis *a, hd_property property, hd_edge_id edge,
                       hd_edge_id other, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
/* Nothing can be proved: why, at which edge (HD_NO_ID = nowhere). */
void hd_analysis_give_up(analysis *a, hd_edge_id edge, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* An object for a global variable (of `thread`, if it is thread-local), with its
 * initial value. */
void hd_globals_create(analysis *a, hd_memory **memory, hd_global_id id,
                       thread_id thread, hd_stamp stamp);

/* With one domain, which is not AUTO (unfold.c; the choice is in domains.c). */
void hd_unfold_once(const hd_code *code, const hd_unfold_options *options,
                    hd_run *run, hd_unfold_result *result);

/* --- a segment: from an event to the next ones of its thread (local.c) --- */

/* The thread stands before a visible action; or has ended (edge HD_NO_ID, the
 * value it returned in `result`). */
typedef struct {
  hd_edge_id edge;
  local state;
  hd_value result;
} stop;

typedef hd_vec(stop) stops;

/* The thread has ended by returning, not by a call of pthread_exit. */
bool hd_stop_returns(const hd_code *code, const stop *at);

/* Runs `thread` from `start` (taken over) on. Writes get `stamp`. */
void hd_segment_run(analysis *a, thread_id thread, local start, hd_stamp stamp,
                    stops *out, touches *seen);

/* --- what is found out about variables (facts.c) --- */

/* Does nothing where nobody asked. `hd_facts_end` hands over what was found. */
void hd_facts_start(analysis *a);
void hd_facts_end(analysis *a);
/* A thread is at its next location, or has just changed its memory. */
void hd_facts_see(analysis *a, const local *l);

/* --- expressions (eval.c) --- */

/* Gives up where ids of threads are compared. */
void hd_analysis_refuse_ids(analysis *a);
/* Two values are compared: gives up where one may be the address of memory that
 * was freed, which may come again as the other. */
void hd_eval_compared(analysis *a, const local *l, const hd_value *v,
                      const hd_value *w);
hd_value hd_eval_expr(analysis *a, thread_id thread, const local *l,
                      hd_cexpr_id expr, hd_mays *mays);
/* Keeps what makes `expr` (an i1) `truth`; false: nothing does. */
HD_MUST_USE bool hd_eval_assume(analysis *a, thread_id thread, local *l,
                                hd_cexpr_id expr, bool truth);

/* Narrows a register of the top frame, and its mirror. */
void hd_eval_refine_reg(local *l, hd_reg_id reg, uint8_t width,
                        const hd_value *value);

/* The same for `expr` != 0, of any width. */
HD_MUST_USE bool hd_eval_assume_value(analysis *a, thread_id thread, local *l,
                                      hd_cexpr_id expr, bool nonzero);

/* --- memory accesses --- */

/* The targets of `address` that an access of `bytes` may really have; those that
 * would be errors raise alarms and are left out. False: none is left. */
HD_MUST_USE bool hd_access_targets(analysis *a, const local *l, hd_edge_id edge,
                                   const hd_value *address, uint64_t bytes,
                                   hd_value *valid);
/* An alarm when constants may be written. */
void hd_access_check_write(analysis *a, hd_edge_id edge, const hd_value *valid);
hd_value hd_access_load(const local *l, const hd_value *valid, uint32_t bytes);
void hd_access_store(local *l, const hd_value *valid, uint32_t bytes,
                     const hd_value *value, hd_stamp stamp);
/* Pointers to slots get to where others, or later calls, may find them. */
void hd_access_pass(analysis *a, const hd_value *value);
void hd_access_note(touches *seen, const hd_value *valid, uint64_t bytes,
                    bool write, bool atomic, hd_edge_id edge);
/* The locks and the like that a call of `fn` is given: all of their bytes are
 * accessed, whatever they are. `mutex_only`: the wait goes on. */
void hd_access_note_places(analysis *a, thread_id thread, const local *l,
                           hd_edge_id edge, hd_library_fn fn, bool mutex_only,
                           touches *seen);
/* A register's value as it is in memory, in whole bytes; or the way back. */
hd_value hd_access_fit(hd_type type, const hd_value *v, bool to_memory);
/* What a load gets into a register. */
hd_value hd_access_loaded(const hd_code *code, hd_type type,
                          const hd_value *raw);

/* --- library functions that only the thread notices (library.c) --- */

typedef enum { CALL_DONE, CALL_VISIBLE, CALL_ENDS, CALL_REFUSED } call_outcome;

/* The call at `edge`. DONE: results are set. VISIBLE: the call is an event. ENDS:
 * the path does. */
call_outcome hd_library_call(analysis *a, thread_id thread, local *l,
                             hd_edge_id edge, hd_func_id callee, hd_stamp stamp,
                             touches *seen);

#endif
