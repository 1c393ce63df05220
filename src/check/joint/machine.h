/* SPDX-License-Identifier: MIT */
/* Private to this folder: states of all threads, and how they are followed. */
#ifndef HD_CHECK_JOINT_MACHINE_H
#define HD_CHECK_JOINT_MACHINE_H

#include "check/joint/joint.h"
#include "check/notes/names.h"
#include "check/notes/value.h"

enum { THREADS = 48, OBJECTS = 1 << 16, DEPTH = 200, SEGMENT = 400000 };

/* --- values and memory --- */

typedef enum { V_ANY, V_NUMBER, V_RANGE, V_ADDRESS, V_SPAN } val_kind;

typedef struct {
  uint8_t kind;  /* val_kind */
  uint32_t base; /* ADDRESS; SPAN: of several in one object */
  uint64_t
      a;     /* NUMBER: its bits; RANGE, SPAN: the least; ADDRESS: the offset */
  int64_t b; /* RANGE, SPAN: the greatest */
} val;

/* What an address points into: globals, functions and threads by their numbers,
 * then OBJECTS for each thread, which made them. */
typedef enum { O_NONE, O_SLOT, O_HEAP, O_LOCAL, O_ALLOCA } made_kind;

/* The LOCAL that is errno: it may be anything whenever it is read. */
#define ERRNO_INDEX HD_NO_ID

typedef struct {
  uint8_t kind;   /* made_kind; NONE: can be used again */
  bool zero;      /* its bytes are zero where nothing was written */
  uint32_t index; /* SLOT: which one; LOCAL: the global; ALLOCA: frames below,
                   * then how many of this frame there were before */
  uint64_t size;
} made;

typedef struct {
  uint32_t base;
  uint64_t offset;
  uint32_t size;
  val v;
} cell;

/* A lock or the like, or an attribute; by its place. */
typedef struct {
  uint32_t base;
  uint64_t offset;
  uint8_t sort; /* hd_note_sort */
  bool attribute;
  uint32_t size;
  uint32_t kind;  /* of mutexes; what an attribute says */
  uint32_t owner; /* 1 plus the thread */
  uint32_t
      count; /* how often it is held; of semaphores, of who is at a barrier */
  uint32_t limit;   /* of a barrier */
  uint64_t readers; /* threads */
} gate;

/* --- threads --- */

typedef enum {
  T_FREE,
  T_RUN,
  T_WAITING, /* for a condition */
  T_WOKEN,   /* … needs the mutex again */
  T_BARRIER,
  T_ENDED,
  T_JOINED, /* somebody may still have its name */
} status;

typedef struct {
  hd_func_id func;
  hd_loc_id loc;
  hd_edge_id call;      /* of the frame below; HD_NO_ID in the first */
  uint32_t regs, slots; /* where they begin */
} frame;

typedef struct {
  uint32_t base;
  uint64_t offset;
} spot;

/* An access, and who comes behind it: threads, and whoever acquires `orders`. */
typedef struct {
  uint32_t base;
  uint64_t lo, hi;
  bool write, atomic;
  hd_edge_id edge;
  uint64_t known, orders;
} trace;

typedef struct {
  uint8_t status;
  bool detached, timed_out;
  spot cond, mutex; /* WAITING, WOKEN; BARRIER: `cond` */
  spot once;        /* whose routine is being called; HD_NO_ID: none */
  val result;
  /* A plain write that its last visible action still has to make. */
  uint32_t late; /* bytes */
  spot late_at;
  val late_value;
  hd_vec(frame) frames;
  hd_vec(val) regs;
  hd_u32s slots; /* objects */
  hd_vec(made) made;
} thread;

typedef struct {
  hd_vec(thread) threads;
  hd_vec(cell) cells; /* by base and offset */
  hd_vec(gate) syncs; /* likewise */
  uint32_t section;   /* 1 plus the thread that is in an atomic section */
  hd_u32s handlers;   /* functions that are called before the program ends */
  uint32_t ending;    /* 1 plus the thread that calls them; its frames */
  uint32_t ending_depth;
  /* Where there are weak orders: accesses with who knows of them; places that hand
   * on knowledge; the atomic place that threads use beside each other. */
  hd_vec(trace) traces;
  hd_vec(spot) orders;
  spot weak_at;
  uint32_t weak_size;
} mach;

/* Bytes that are used. */
typedef struct {
  uint32_t base;
  uint64_t lo, hi;
  bool write, atomic;
  hd_edge_id edge;
} deed;

/* One thread on its way through its plain actions; then where it stopped. */
typedef struct {
  mach m;
  hd_vec(deed) deeds;
  uint32_t steps;
  hd_edge_id stop;
  bool left;    /* the thread has no frame any more */
  bool over;    /* the run ends before; what was used counts nevertheless */
  bool endless; /* … since it goes round for ever */
} path;

/* What comes of a visible action. */
typedef struct {
  mach m;
  bool extra; /* may happen, and does not count as a way out of waiting */
  bool end;   /* the program ends; no state */
} outcome;

typedef struct {
  const hd_code *code;
  hd_run *run;
  hd_str *why;
  bool failed;
  bool violated; /* an assertion may fail */
  hd_cpos violation;
  uint32_t t; /* who moves */
  hd_vec(path) todo, stops;
  size_t ended, pruned; /* paths that failed; that are no runs */
  hd_vec(outcome) outcomes;
  bool weak;  /* there are accesses of weak orders */
  bool raced; /* two accesses that are not ordered */
  hd_edge_id race_a, race_b;
  uint64_t waits_for; /* threads that would have to act; by the last action */
  uint64_t joining; /* threads that wait for the end of another, in one state */
  uint64_t *live;   /* registers, by location */
  uint32_t *live_at; /* where a location's words begin */
  uint8_t *told;     /* slots whose addresses are taken */
  uint8_t *seen;
  hd_note_call *known; /* functions, by their names */
  uint64_t steps;
  hd_bytes round; /* a state on the way, and where that was */
  hd_loc_id round_at;
} joint;

/* --- machine.c --- */

void hd_joint_refuse(joint *j, hd_edge_id edge, const char *what);
mach hd_joint_copy(const mach *m);
void hd_joint_free(mach *m);
void hd_joint_path_free(path *p);
static inline frame *top(thread *t) {
  return &t->frames.data[t->frames.size - 1];
}
void hd_joint_push(joint *j, mach *m, uint32_t t, hd_func_id func,
                   hd_edge_id call);
void hd_joint_pop(joint *j, path *p, uint32_t t, hd_edge_id edge);
uint32_t hd_joint_make(joint *j, mach *m, uint32_t t, made o);
/* Variables of the top frame, made by alloca, but for the first few. */
void hd_joint_unstack(joint *j, path *p, uint32_t t, uint32_t keep,
                      hd_edge_id edge);
uint32_t hd_joint_stacked(const mach *m, uint32_t t);
/* The object that an address points into; NULL: none that is made. */
made *hd_joint_made(joint *j, mach *m, uint32_t base);
uint32_t hd_joint_first_made(const hd_code *code);
static inline uint32_t thread_base(const hd_code *code, uint32_t t) {
  return (uint32_t)(code->globals.size + code->funcs.size) + t;
}
/* The thread that a value names; THREADS: none. */
uint32_t hd_joint_named(const joint *j, const val *v);
/* The object ends: nothing points to it any more. */
void hd_joint_end(joint *j, path *p, uint32_t t, uint32_t base,
                  hd_edge_id edge);
/* One form for what is the same state; its bytes. */
void hd_joint_tidy(joint *j, mach *m);
void hd_joint_encode(hd_bytes *out, const mach *m);

/* --- live.c --- */

void hd_joint_live(joint *j);

/* --- memory.c --- */

static inline val anything(void) {
  return (val){V_ANY, 0, 0, 0};
}
static inline val number(uint64_t bits) {
  return (val){V_NUMBER, 0, bits, 0};
}
static inline val address(uint32_t base, uint64_t offset) {
  return (val){V_ADDRESS, base, offset, 0};
}
hd_note_value hd_joint_to_note(const val *v, uint8_t width);
val hd_joint_of_note(const hd_note_value *v, uint8_t width);
val hd_joint_eval(joint *j, mach *m, uint32_t t, hd_cexpr_id id,
                  hd_edge_id edge);
val hd_joint_apply(joint *j, mach *m, const hd_cexpr *e, hd_type from,
                   const val *a, const val *b, hd_edge_id edge);
bool hd_joint_may(const val *v, bool truth);
/* The condition holds. */
void hd_joint_refine(joint *j, mach *m, uint32_t t, hd_cexpr_id id, bool truth,
                     hd_edge_id edge);
val hd_joint_full(hd_type type);
uint64_t hd_joint_size(joint *j, mach *m, uint32_t base);
bool hd_joint_there(joint *j, mach *m, const val *at, uint64_t size, bool write,
                    hd_edge_id edge);
void hd_joint_deed(joint *j, path *p, uint32_t base, uint64_t lo, uint64_t hi,
                   bool write, bool atomic, hd_edge_id edge);
val hd_joint_read(joint *j, mach *m, uint32_t base, uint64_t offset,
                  uint32_t size);
void hd_joint_write(mach *m, uint32_t base, uint64_t offset, uint32_t size,
                    const val *v);
void hd_joint_erase(mach *m, uint32_t base, uint64_t lo, uint64_t hi);
/* What they are in a time that is one. */
extern const val hd_joint_nanoseconds;
val hd_joint_loaded(hd_type type, const val *v);
val hd_joint_stored(hd_type type, const val *v);

/* --- order.c --- */

bool hd_joint_has_weak(const hd_code *code);
bool hd_joint_is_alone(const mach *m, uint32_t t);
void hd_joint_trace(joint *j, mach *m, uint32_t t, const deed *d);
void hd_joint_acquire(joint *j, mach *m, uint32_t t, spot at);
/* What was handed on there before stays if it `adds`; what the thread knows of is
 * handed on if it `tells`. */
void hd_joint_release(joint *j, mach *m, uint32_t t, spot at, bool adds,
                      bool tells);
void hd_joint_forget_order(mach *m, spot at);
/* u begins with what t knows of; t, which has joined u, knows of all that u did. */
void hd_joint_begins(mach *m, uint32_t t, uint32_t u);
void hd_joint_joined(mach *m, uint32_t t, uint32_t u);
/* Beside others one atomic place is used; false, refused: another one. */
bool hd_joint_weak_place(joint *j, mach *m, uint32_t t, const val *at,
                         uint32_t bytes, hd_edge_id edge);
void hd_joint_after_access(joint *j, mach *m, uint32_t t, const val *at,
                           hd_order order, bool reads, bool writes);
void hd_joint_tidy_traces(mach *m);

/* --- segment.c --- */

/* All ways of the thread to its next visible action: in j->stops. */
void hd_joint_segment(joint *j, const mach *m, uint32_t t);
void hd_joint_target(joint *j, thread *th, hd_edge_id edge, uint32_t i,
                     const val *v);
hd_type hd_joint_target_type(joint *j, thread *th, hd_edge_id edge, uint32_t i);
/* The call is done. */
void hd_joint_return(joint *j, mach *m, uint32_t t, hd_edge_id edge,
                     const val *v);
val hd_joint_arg(joint *j, mach *m, uint32_t t, hd_edge_id edge, uint32_t i);
hd_func_id hd_joint_callee(joint *j, mach *m, uint32_t t, hd_edge_id edge);
bool hd_joint_is_section(const hd_func *f);
/* The thread stands before the end of a function that is one. */
bool hd_joint_ends_section(joint *j, mach *m, uint32_t t);

/* --- local.c --- */

/* A call of the library that nobody else sees, or that only writes. */
bool hd_joint_is_local(hd_note_action action);
/* Before the program ends a handler is called: true if there is one. */
bool hd_joint_call_handler(joint *j, path *p, hd_edge_id edge);
void hd_joint_local(joint *j, path p, hd_edge_id edge, hd_note_call call,
                    const char *name);

/* So many bytes become this one. */
void hd_joint_fill(mach *m, const val *to, const val *byte, uint64_t size);

/* --- gates.c --- */

gate *hd_joint_sync(mach *m, spot at);
gate *hd_joint_sync_add(mach *m, gate s);
void hd_joint_sync_remove(mach *m, spot at);
/* The lock at the argument; NULL, refused, when there is none. */
gate *hd_joint_lock_at(joint *j, mach *m, const val *at, hd_note_sort sort,
                       hd_edge_id edge);
/* --- act.c --- */

/* What the visible action at the end of the path uses. */
void hd_joint_op_deeds(joint *j, path *p, uint32_t t);
/* What comes of it, in j->outcomes; none: it waits. */
void hd_joint_op(joint *j, const path *p, uint32_t t);

#endif
