/* SPDX-License-Identifier: MIT */
/* Private to this folder: the event structure. */
#ifndef HD_ENGINE_UNFOLD_EVENT_H
#define HD_ENGINE_UNFOLD_EVENT_H

#include "engine/unfold/state.h"

/* --- what events work on --- */

typedef uint32_t resource_id;

typedef enum {
  RES_SYNC,   /* a lock, semaphore, …: at an address */
  RES_MEMORY, /* an object whose accesses are events */
  RES_LIFE,   /* of a thread: its end, and who joins it */
  RES_ATOMIC, /* the one that atomic sections hold */
} resource_kind;

typedef struct {
  resource_kind kind;
  uint32_t what;  /* object, or thread */
  int64_t offset; /* SYNC */
} resource_key;

/* Per thread, how many of its events are known: a vector clock. Counted. */
typedef struct {
  uint32_t refs, n;
  uint32_t at[];
} clock_vector;

/* A resource after an event that worked on it. */
typedef struct {
  thread_id owner; /* of a lock; HD_NO_ID: nobody */
  uint32_t count;  /* depth of a recursive lock; readers; semaphore's value */
  uint8_t mutex;   /* 0 normal, 1 recursive, 2 error-checking */
  bool writer;     /* RWLOCK: the owner writes */
  bool started;    /* it was used or initialised */
  bool destroyed, exited, joined;
  bool done;        /* ONCE */
  uint32_t needed;  /* BARRIER: how many have to come */
  uint64_t readers; /* RWLOCK: set of threads below 64 */
  uint64_t waiters; /* BARRIER, COND: those that nobody has let go, likewise */
  hd_value result;  /* LIFE: what the thread returned */
  clock_vector *sync; /* what an acquiring event learns; may be NULL */
} resource_state;

enum { MAX_RESOURCES = 2 };

typedef enum { EV_START, EV_EXIT, EV_ACTION } event_kind;

typedef struct {
  event_kind kind;
  thread_id thread;
  uint32_t seq;  /* in its thread, from 1 on */
  event_id prev; /* of its thread; of START the creation; HD_NO_ID: none */
  uint32_t stop; /* of prev */
  hd_edge_id edge;
  uint32_t n_resources;
  resource_id resources[MAX_RESOURCES];
  event_id before[MAX_RESOURCES]; /* the last on it; HD_NO_ID: none */
  uint32_t nth[MAX_RESOURCES];    /* on it, in the history: from 1 on */
  resource_state after[MAX_RESOURCES];
  thread_id woken;       /* by a signal; HD_NO_ID: nobody */
  uint32_t size;         /* of the history, with itself */
  hd_vec(uint64_t) past; /* events, without itself */
  hd_u32s cut;         /* per thread, its last event in the history; HD_NO_ID */
  hd_u32s last;        /* per resource, likewise */
  clock_vector *clock; /* what is known by synchronisation */
  local state;         /* right behind the action; top NULL: the thread ended */
  hd_u32s condition;   /* on the inputs of the history (terms.h) */
  stops stops;
  touches touches; /* of the segment behind it, and the action's own */
  /* Per resource: the events right behind this one, and the numbers of `waiting`
   * entries of threads that know this one as the last. */
  hd_u32s next[MAX_RESOURCES], waiters[MAX_RESOURCES];
  hd_u32s children;  /* events whose `prev` this is */
  thread_id created; /* HD_NO_ID: none */
  frame *child;      /* where that thread starts */
  uint32_t creates;  /* by this thread so far */
  bool cutoff;       /* nothing follows it here */
  bool over;         /* a cutoff, but there is nothing that could follow */
} event;

/* Which of its resources is r? */
static inline uint32_t event_slot(const event *e, resource_id r) {
  assert(e->n_resources > 0 && e->n_resources <= MAX_RESOURCES);
  assert(e->resources[0] == r || (e->n_resources > 1 && e->resources[1] == r));
  return e->resources[0] == r ? 0 : 1;
}

/* A candidate: not yet in the structure. */
typedef struct {
  event_id prev;
  uint32_t stop;
  uint32_t n_resources;
  resource_id resources[MAX_RESOURCES];
  event_id before[MAX_RESOURCES];
  thread_id woken;
  uint32_t size;
} candidate;

/* A thread that stands before an action. */
typedef struct {
  event_id event;
  uint32_t stop;
  uint32_t n_resources;
  resource_id resources[MAX_RESOURCES];
} waiting;

#define HD_MAP resource_map
#define HD_KEY resource_key
#define HD_VAL resource_id
#define HD_HASH(k)                                                             \
  hd_hash_mix((uint64_t)(k).kind << 32 | (k).what, (uint64_t)(k).offset)
#define HD_EQ(a, b)                                                            \
  ((a).kind == (b).kind && (a).what == (b).what && (a).offset == (b).offset)
#include "base/map_templ.h"

/* What has no event before it: see event.next, event.waiters. */
typedef struct {
  hd_u32s first, waiters;
  uint32_t bytes;    /* SYNC: how large it is */
  resource_id mutex; /* of a condition variable: what it is waited for with,
                      * + 1; 0 = nothing yet */
} resource_use;

#define HD_MAP sign_map
#define HD_KEY uint64_t
#define HD_VAL hd_u32s
#define HD_HASH(k) (k)
#define HD_EQ(a, b) ((a) == (b))
#include "base/map_templ.h"

typedef struct memo memo; /* segments that were analysed before (memo.c) */

memo *hd_memo_new(void);
void hd_memo_delete(memo *m); /* NULL is fine */
/* hd_segment_run, or what it gave before. */
void hd_memo_run(memo *m, analysis *a, thread_id thread, local start,
                 hd_stamp stamp, stops *out, touches *seen);

typedef struct {
  analysis *a;
  memo *memo;
  hd_vec(event) events;
  hd_vec(waiting) waits;
  hd_vec(candidate) queue; /* a heap, smallest history first */
  resource_map resources;
  hd_vec(resource_use) uses; /* per resource */
  sign_map signs;            /* control of the whole history -> events */
  /* Threads that begin atomic sections, and that may have to wait in one; those
   * from 63 on are one. Where that was. */
  uint64_t begin, wait_inside;
  uint64_t detached; /* from their creation on, likewise */
  hd_edge_id inside;
  bool has_leading;
  resource_id leading; /* whose events' threads are compared first (cutoff.c) */
  bool only_creations; /* nothing else happens: see unfold.c */
} structure;

clock_vector *hd_clock_keep(clock_vector *c);
void hd_clock_drop(clock_vector *c);
uint32_t hd_clock_entry(const clock_vector *c, thread_id thread);
/* The larger of both everywhere; either may be NULL. */
clock_vector *hd_clock_max(const clock_vector *a, const clock_vector *b);
clock_vector *hd_clock_set(const clock_vector *c, thread_id thread,
                           uint32_t seq);

/* Others see what an event's action wrote before its thread's segment behind it
 * is over, so these are two writers. 0 is the beginning. */
static inline hd_stamp stamp_of_action(event_id e) {
  return 2 * e + 1;
}
static inline hd_stamp stamp_of_segment(event_id e) {
  return 2 * e + 2;
}

resource_id hd_structure_resource(structure *s, resource_key key);
/* The last event on a resource in an event's history with itself. */
event_id hd_structure_last(const structure *s, event_id e, resource_id r);
event_id hd_structure_cut(const structure *s, event_id e, thread_id thread);
bool hd_structure_before(const structure *s, event_id x,
                         event_id y); /* x < y */
bool hd_structure_conflict(const structure *s, event_id x, event_id y);

/* The later of two events on one way, within one configuration. */
event_id hd_structure_later(const structure *s, event_id x, event_id y);
/* A resource in an event's history with itself; NULL: nobody has used it. */
const resource_state *hd_structure_state(const structure *s, event_id e,
                                         resource_id r);
/* As good as untouched: locks and unlocks leave no trace. */
bool hd_resource_is_idle(const resource_state *x);

/* Which history is smaller? `*under_names` (may be NULL): in a way that renaming
 * threads in what is added to both does not change (cutoff.c). */
int hd_cutoff_compare(const structure *s, const candidate *x,
                      const candidate *y, bool *under_names);
/* Before a candidate is compared with others. */
void hd_cutoff_lead(structure *s, const candidate *c);
/* Is the new event a cutoff (and is it `over`)? If not, later ones are compared with it. */
bool hd_cutoff_search(structure *s, event_id e);

/* Adds the event and what follows from it. */
void hd_structure_unfold(structure *s, local start);
void hd_structure_free(structure *s);
/* Where a thread is in a history: its frame; NULL: it has ended. */
frame *hd_structure_place(const structure *s, event_id e, thread_id thread);
/* Is it main's return? */
bool hd_structure_ends_program(const structure *s, event_id e);
/* Does it depend on events that its thread knows nothing of by synchronisation? */
bool hd_structure_is_loose(const structure *s, event_id e);
/* Whatever may race with the past of e may race with that of f (past.c). */
bool hd_structure_past_covered(const structure *s, event_id e, event_id f);
/* Alarms that come now are about what happens behind these (y may be none). */
void hd_structure_look_at(structure *s, event_id x, event_id y);
/* The ways of all alarms. */
void hd_structure_plan_ways(const structure *s);
/* Counts maximal configurations, as far as that is quick (shape.c). */
size_t hd_structure_count(const structure *s);
void hd_structure_shape(const structure *s, hd_unfold_shape *shape);
/* Raises an alarm where a thread may lock what it holds and C says it shall not. */
void hd_structure_relocks(structure *s);
/* Raises an alarm where threads may wait for each other (deadlock.c). True: only
 * because nobody knows who signals. */
bool hd_structure_deadlocks(structure *s);
/* Raises alarms; true when accesses of a further object must become events. */
bool hd_structure_races(structure *s, hd_u32s *objects);

/* --- synchronisation (sync.c) --- */

/* The resources of the action before which a thread stands. False: given up. */
HD_MUST_USE bool hd_sync_resources(structure *s, event_id e,
                                   uint32_t stop_index, waiting *out);
/* Does the action create a thread? */
bool hd_sync_is_creation(const structure *s, const waiting *w);
/* Can the action happen after these events on its resources? */
bool hd_sync_enabled(structure *s, const waiting *w, const event_id *before);
/* The threads of which a signal, after these events, wakes one; 0: it is none, or
 * nobody waits. */
uint64_t hd_sync_wakes(structure *s, const waiting *w, const event_id *before);
/* Is it an action that a thread may have to wait for? */
bool hd_sync_may_block(structure *s, const waiting *w);
/* … and does it wait, after these events, until another thread does something?
 * Spurious wake-ups do not count. */
bool hd_sync_is_stuck(structure *s, const waiting *w, const event_id *before);
/* … for a lock or the end of a thread, which is resource 0? */
bool hd_sync_has_owner(structure *s, const waiting *w);
/* Is it a wait that only a signal ends? */
bool hd_sync_needs_signal(structure *s, const waiting *w);
/* Does it wait, whatever others do, for what it holds itself? */
bool hd_sync_waits_for_itself(structure *s, const waiting *w);
/* … and that is not defined, as C11 has it? */
bool hd_sync_locks_again(structure *s, const waiting *w);
/* What the action does: fills in after[], state, clock, created of the event,
 * whose state is what the thread knew, merged with what it learns. False: the
 * path ends here (an alarm was raised). */
HD_MUST_USE bool hd_sync_apply(structure *s, event_id e);

#endif
