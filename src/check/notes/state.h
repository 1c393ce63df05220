/* SPDX-License-Identifier: MIT */
/* Private to this folder: what an annotation consists of, and the states of the
 * threads that are followed. */
#ifndef HD_CHECK_NOTES_STATE_H
#define HD_CHECK_NOTES_STATE_H

#include "check/notes/names.h"
#include "check/notes/notes.h"
#include "check/notes/value.h"

typedef hd_note_value value;

enum { MOST = 64, MANY = -1, ATOMIC = 0, DEPTH = 40 };

/* OPAQUE: an attribute of threads or locks as it was made (index 0), or one of
 * threads that says "detached" (1): nothing else is known of such bytes. */
typedef enum {
  OBJ_GLOBAL,
  OBJ_FUNC,
  OBJ_SLOT,
  OBJ_THREAD,
  OBJ_OPAQUE
} object_kind;

/* SLOT: `index` in the frames of `thread` whose chain of calls is `stack`. */
typedef struct {
  object_kind kind;
  uint32_t index, thread, stack;
  uint32_t guard; /* 1 plus its number; 0: none */
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

/* Whatever threads wait with: its bytes are nobody's but the library's. */
typedef struct {
  uint32_t object; /* HD_NO_ID: of atomic sections */
  uint64_t offset;
  uint32_t size;
  uint8_t sort; /* hd_note_sort, as it is used; NONE: not yet */
} mutex;

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
  hd_vec(cell) cells;   /* contents that differ from what is supposed */
  hd_u32s blurred;      /* objects of which nothing is known */
  uint64_t ex, rd;      /* locks that are held, and for reading only */
  uint64_t live, gone;  /* main: threads that may be alive, that have ended */
  uint64_t ready, dead; /* locks that were made; that may have been given up,
                            or written over, since the program began */
  uint64_t joined;      /* main: threads that may have been joined */
  bool virgin;          /* main: no thread was ever created */
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
  bool given; /* reading: the argument was */
  uint64_t gone, ready, dead;
  bool pending;
} thread;

typedef enum { GUARD_LOCK, GUARD_OWNER } guard_kind;
typedef struct {
  uint32_t object;
  guard_kind kind;
  uint32_t id;
} guard;

struct hd_annotation {
  const hd_code *code;
  hd_properties claims;
  uint8_t unroll; /* so many rounds of a loop are kept apart */
  hd_vec(object) objects;
  hd_u32s object_table; /* where they are, by hash; HD_NO_ID: free */
  hd_vec(stack_link) stacks;
  hd_u32s stack_table;
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

typedef struct walk walk;

/* What finding does where judging says no. */
typedef struct {
  /* A cell may have this value, too. */
  void (*widen_cell)(walk *w, cell *c, const value *v);
  /* The guard of the object is not held: it is none. */
  void (*unguard)(walk *w, uint32_t object);
  /* A place that is not there, or too small. */
  void (*reach)(walk *w, const state *s);
  uint32_t (*new_thread)(walk *w, const thread *t);
} finding;

/* One walk over the program. */
struct walk {
  hd_annotation *notes;
  const hd_code *code;
  hd_run *run;
  const finding *finding; /* NULL: judging */
  bool joints;            /* also stop where ways meet, not only at loops */
  hd_str *why;
  bool failed;
  bool changed;  /* finding: all has to be followed again */
  bool violated; /* an assertion may fail */
  hd_str violation;
  bool weak, sections; /* accesses that others may see late; atomic sections */
  bool blocks;         /* there is waiting that no order explains */
  bool main_leaves, main_shared; /* its thread ends; others use its slots */
  uint64_t trusted,
      detached; /* threads: joined as if that waits; perhaps not */
  hd_vec(state) todo;
  hd_vec(deed) deeds;
  hd_u32s deed_table;
  uint64_t order[2 * MOST]; /* locks, then threads: what is waited for by whom
                               holds this */
  uint64_t joins[2 * MOST];
  uint64_t takes[MOST]; /* by thread: locks it waits for */
  hd_u32s unguarded;    /* objects that no lock protects */
  uint8_t *in_degree;   /* of locations, up to 2 */
  uint8_t *seen;        /* locations that somebody came to */
  size_t steps_made;
  hd_vec(int64_t) steps; /* where widening stops */
};

/* --- state.c --- */

uint32_t hd_note_object_of(hd_annotation *n, object o);
uint32_t hd_note_stack_of(hd_annotation *n, uint32_t below, hd_edge_id edge);
/* MOST: there is none. */
uint32_t hd_note_lock_of(const hd_annotation *n, uint32_t object,
                         uint64_t offset);
uint64_t hd_note_object_size(const hd_annotation *n, uint32_t object);
/* Of a variable of a function: is it a compound literal, or is that not known? */
bool hd_note_is_literal(const hd_annotation *n, uint32_t object);
const guard *hd_note_guard_of(const hd_annotation *n, uint32_t object);
void hd_note_guard_add(hd_annotation *n, guard g);
bool hd_note_is_main_slot(const object *o);

state hd_note_state_copy(const hd_code *code, const state *s);
void hd_note_state_free(state *s);
void hd_note_frame_push(hd_annotation *n, state *s, hd_func_id func,
                        hd_edge_id call);
/* Addresses of its slots are none from now on, in `results` neither. */
void hd_note_frame_pop(hd_annotation *n, state *s, value *results,
                       uint32_t n_results);
/* The object ends: what points to it points nowhere. */
void hd_note_object_end(hd_annotation *n, state *s, uint32_t object);
static inline frame *top(const state *s) {
  assert(s->frames.size > 0);
  return &s->frames.data[s->frames.size - 1];
}
/* The same place, with the same locks: can be compared and joined. */
bool hd_note_state_fits(const walk *w, const state *a, const state *b);
bool hd_note_state_within(const walk *w, const state *a, const state *b);
int32_t hd_note_made_count(const state *s, uint32_t stack, hd_edge_id edge);
bool hd_note_is_alone(const state *s);

hd_annotation *hd_note_new(const hd_code *code);

/* --- memory.c --- */

HD_PRINTF(2, 3) void hd_note_refuse(walk *w, const char *format, ...);
void hd_note_refuse_at(walk *w, hd_edge_id edge, const char *what);
/* What the bytes contain as far as the thread can tell. */
value hd_note_cell_get(const walk *w, const state *s, uint32_t object,
                       uint64_t offset, uint32_t size);
value hd_note_initial(const walk *w, uint32_t object, uint64_t offset,
                      uint32_t size);
bool hd_note_has_object(const hd_u32s *list, uint32_t x);
/* Bytes of one object that all threads find as they were when it began. */
bool hd_note_is_initial(const walk *w, const state *s, uint32_t object);
bool hd_note_is_own(const walk *w, const state *s, uint32_t object);
bool hd_note_overlaps(const cell *c, uint32_t object, uint64_t offset,
                      uint64_t size);
value hd_note_load(walk *w, state *s, const value *address, uint32_t size,
                   bool atomic, hd_edge_id edge);
void hd_note_store(walk *w, state *s, const value *address, uint32_t size,
                   const value *v, bool atomic, hd_edge_id edge);
/* So many bytes become anything. */
void hd_note_havoc(walk *w, state *s, const value *address, uint64_t size,
                   hd_edge_id edge);
/* Bytes are read. */
void hd_note_touch(walk *w, state *s, const value *address, uint64_t size,
                   hd_edge_id edge);
void hd_note_publish(walk *w, state *s);
void hd_note_take(walk *w, state *s, uint32_t lock, bool reading,
                  hd_edge_id edge);
void hd_note_give(walk *w, state *s, uint32_t lock);
void hd_note_finish(walk *w, state *s, hd_edge_id edge);
/* May others come to see it? */
bool hd_note_may_tell(walk *w, const value *v);

/* --- expr.c --- */

value hd_note_eval(walk *w, const state *s, hd_cexpr_id expr);
hd_note_world hd_note_world_of(walk *w);
void hd_note_refine(walk *w, state *s, hd_cexpr_id expr, bool truth);

/* --- step.c --- */

/* Makes all steps out of the state (taken over); what comes next goes to
 * w->todo. */
void hd_note_step(walk *w, state s);
/* Behind the call, with this result in its target. */
void hd_note_go_on(walk *w, state s, hd_edge_id edge, value result);

/* --- library.c, threads.c, locks.c --- */

typedef struct {
  walk *w;
  state s;
  hd_edge_id edge;
  const hd_cedge *e;
  hd_note_call call;
  const char *name;
} library_call;

/* A call of a function that is not defined. */
void hd_note_call_library(walk *w, state s, hd_edge_id edge, const char *name);
value hd_note_call_arg(const library_call *c, uint32_t i);
void hd_note_call_refuse(library_call *c, const char *what);
void hd_note_call_end(library_call *c);
void hd_note_call_return(library_call *c, value v);
/* Anything that the result can be. */
value hd_note_call_any(const library_call *c);
bool hd_note_is_null(const value *v);
void hd_note_call_threads(library_call *c);
void hd_note_call_locks(library_call *c);
void hd_note_call_attribute(library_call *c);
/* What an attribute may say; false when it is not known to be one. */
bool hd_note_attribute_ok(library_call *c, uint32_t arg, bool *detached);

/* --- walk.c --- */

void hd_note_walk_init(walk *w, hd_annotation *n, hd_run *run, hd_str *why);
void hd_note_walk_clear(walk *w);
void hd_note_walk_free(walk *w);
void hd_note_walk_thread(walk *w, uint32_t id);
void hd_note_walk_place(walk *w, size_t i);

#endif
