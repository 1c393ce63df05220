/* SPDX-License-Identifier: MIT */
/* Private to this folder: what an annotation consists of, and the states of the
 * threads that are followed. */
#ifndef HD_CHECK_NOTES_STATE_H
#define HD_CHECK_NOTES_STATE_H

#include "check/notes/notes.h"
#include "check/notes/value.h"
#include "model/library.h"

typedef hd_note_value value;

enum { MOST = 64, MANY = -1, ATOMIC = 0, DEPTH = 40 };

typedef enum { OBJ_GLOBAL, OBJ_FUNC, OBJ_SLOT, OBJ_THREAD } object_kind;

/* SLOT: `index` in the frames of `thread` whose chain of calls is `stack`. */
typedef struct {
  object_kind kind;
  uint32_t index, thread, stack;
} object;

/* A chain of calls: that of the caller and the edge. 0 is the empty one. */
typedef struct {
  uint32_t below;
  hd_edge_id edge;
} stack_link;

typedef struct {
  uint32_t object;
  uint64_t offset;
  uint32_t size;
  value value;
  uint32_t joins;
} cell;

typedef struct {
  uint32_t object; /* HD_NO_ID: of atomic sections */
  uint64_t offset;
  uint32_t size;
} mutex;

/* A write to what others can reach, or to a lock. */
typedef struct {
  uint32_t object;
  uint64_t lo, hi;
  bool alone;
  uint64_t ex;
  hd_edge_id edge;
} stamp;

typedef struct {
  hd_func_id func;
  hd_loc_id loc;
  uint32_t stack;
  hd_edge_id call; /* of the frame below; HD_NO_ID in the first */
  value *regs;
  uint8_t *visits; /* of each loop, up to a limit */
} frame;

/* How often main has come by a creation. */
typedef struct {
  uint32_t stack;
  hd_edge_id edge;
  int32_t count; /* or MANY */
} made;

typedef struct {
  uint32_t thread;
  hd_vec(frame) frames;
  hd_vec(cell) cells;  /* contents that differ from what is supposed */
  hd_u32s blurred;     /* objects of which nothing is known */
  uint64_t ex, rd;     /* locks that are held, and for reading only */
  uint64_t live, gone; /* main: threads that may be alive, that have ended */
  bool virgin;         /* main: no thread was ever created */
  hd_vec(made) made;
} state;

typedef struct {
  state state;
  uint32_t joins;
  bool pending;
} place;

typedef struct {
  uint32_t stack; /* of the creation */
  hd_edge_id edge;
  int32_t nr;
  hd_func_id func;
  value arg;
  uint64_t gone;
  bool pending;
} thread;

typedef enum { GUARD_LOCK, GUARD_OWNER } guard_kind;
typedef struct {
  uint32_t object;
  guard_kind kind;
  uint32_t id;
} guard;

struct hd_notes {
  const hd_code *code;
  hd_properties claims;
  uint8_t unroll; /* so many rounds of a loop are kept apart */
  hd_vec(object) objects;
  hd_vec(stack_link) stacks;
  hd_vec(mutex) locks;
  hd_vec(thread) threads; /* main is 0 */
  hd_vec(guard) guards;
  hd_vec(cell) cells;
  hd_vec(place) places;
};

typedef struct {
  uint32_t thread, object;
  uint64_t lo, hi;
  bool write, atomic;
  uint64_t ex, rd, live;
  hd_edge_id edge;
} deed;

/* One walk over the program. */
typedef struct {
  hd_notes *notes;
  const hd_code *code;
  hd_run *run;
  bool finding; /* else judging */
  bool joints;  /* also stop where ways meet, not only at loops */
  hd_str *why;
  bool failed;
  bool changed;  /* finding: all has to be followed again */
  bool violated; /* an assertion may fail */
  hd_str violation;
  bool blocks;                   /* there is waiting that no order explains */
  bool main_leaves, main_shared; /* its thread ends; others use its slots */
  hd_vec(state) todo;
  hd_vec(deed) deeds;
  hd_vec(stamp) stamps;
  uint64_t order[2 * MOST]; /* locks, then threads: what is waited for by whom
                               holds this */
  uint64_t joins[2 * MOST];
  uint64_t takes[MOST];  /* by thread: locks it waits for */
  hd_u32s unguarded;     /* objects that no lock protects */
  uint8_t *in_degree;    /* of locations, up to 2 */
  hd_vec(int64_t) steps; /* where widening stops */
} walk;

/* --- state.c --- */

uint32_t object_of(hd_notes *n, object o);
uint32_t stack_of(hd_notes *n, uint32_t below, hd_edge_id edge);
uint32_t lock_of(hd_notes *n, uint32_t object, uint64_t offset, uint32_t size);
uint64_t object_size(const hd_notes *n, uint32_t object);
const guard *guard_of(const hd_notes *n, uint32_t object);
bool is_main_slot(const object *o);

state state_copy(const hd_code *code, const state *s);
void state_free(state *s);
void frame_push(hd_notes *n, state *s, hd_func_id func, hd_edge_id call);
void frame_pop(hd_notes *n, state *s);
static inline frame *top(const state *s) {
  return &s->frames.data[s->frames.size - 1];
}
/* The same place, with the same locks: can be compared and joined. */
bool state_fits(const walk *w, const state *a, const state *b);
bool state_within(const walk *w, const state *a, const state *b);
void state_join(walk *w, state *into, const state *s, bool widen);
value widened(const walk *w, uint8_t width, const value *old,
              const value *both);
bool is_alone(const state *s);

hd_notes *notes_new(const hd_code *code);

/* --- memory.c --- */

HD_PRINTF(2, 3) void give_up(walk *w, const char *format, ...);
void give_up_at(walk *w, hd_edge_id edge, const char *what);
/* What the bytes contain as far as the thread can tell. */
value cell_get(const walk *w, const state *s, uint32_t object, uint64_t offset,
               uint32_t size);
value initial(const walk *w, uint32_t object, uint64_t offset, uint32_t size);
value load(walk *w, state *s, const value *address, uint32_t size, bool atomic,
           hd_edge_id edge);
void store(walk *w, state *s, const value *address, uint32_t size,
           const value *v, bool atomic, hd_edge_id edge);
/* So many bytes become anything. */
void havoc(walk *w, state *s, const value *address, uint64_t size,
           hd_edge_id edge);
/* Bytes are read. */
void touch(walk *w, state *s, const value *address, uint64_t size,
           hd_edge_id edge);
void publish(walk *w, state *s);
void take(walk *w, state *s, uint32_t lock, bool reading, hd_edge_id edge);
void give(walk *w, state *s, uint32_t lock);
void finish(walk *w, state *s, hd_edge_id edge);
/* May others come to see it? */
bool may_tell(walk *w, const value *v);

/* --- step.c --- */

value eval(walk *w, const state *s, hd_cexpr_id expr);
/* Makes all steps out of the state (taken over); what comes next goes to
 * w->todo. */
void step(walk *w, state s);

/* --- library.c --- */

/* A call of a function that is not defined. */
void call_library(walk *w, state s, hd_edge_id edge, hd_library_fn fn,
                  const char *name);
/* Behind the call, with this result in its first target. */
void go_on(walk *w, state s, hd_edge_id edge, value result);
void refine(walk *w, state *s, hd_cexpr_id expr, bool truth);

#endif
