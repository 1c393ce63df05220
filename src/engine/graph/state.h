/* SPDX-License-Identifier: MIT */
/* Execution graphs, and machines that have executed them. */
#ifndef HD_ENGINE_GRAPH_STATE_H
#define HD_ENGINE_GRAPH_STATE_H

#include "engine/explore/common.h"
#include "model/weak.h"

/* --- graphs --- */

typedef uint32_t graph_id; /* of an event: its number in the order of addition;
                              HD_NO_ID as a source is the initial value */

typedef enum {
  GRAPH_READ,
  GRAPH_WRITE,
  GRAPH_UPDATE, /* reads and writes */
  GRAPH_FENCE,
  GRAPH_CHOICE, /* an input, or who is woken */
} graph_kind;

/* What executing an event has made; it does not change. */
typedef struct {
  uint32_t refs;
  hd_message *message; /* of a write to memory */
  uint32_t n;
  uint64_t time;    /* of its thread before it */
  uint64_t known[]; /* [t]: what it knows of thread t (happens before); then
                       how many events of thread t are before it by program
                       order and reading */
} graph_made;

typedef struct {
  hd_tid thread;
  uint32_t index;          /* among the thread's events */
  uint32_t stamp, written; /* when it was added, and when what it writes was:
                              later, if an update was given what it reads by a
                              revisit */
  uint32_t loc;            /* HD_NO_ID: none */
  graph_id from;           /* READ, UPDATE */
  uint64_t choice;
  hd_edge_id edge;
  uint8_t kind, order; /* hd_order */
  bool first;          /* the choice that stands for all in a revisit */
  bool locked;         /* made by an instruction that can update */
  bool blocked;        /* a wait that cannot end after what it reads */
  graph_made *made;
} graph_event;

typedef hd_vec(graph_id) graph_ids;

/* A place of memory; or something to wait for, whose operations are updates in
 * the order they are made. */
typedef struct {
  uint64_t address;
  uint32_t size; /* 0: to wait for */
  hd_message *initial;
  graph_ids order; /* modification order */
} graph_loc;

typedef struct {
  hd_vec(graph_event) events;
  hd_vec(graph_loc) locs;
  hd_vec(graph_ids) threads;
  uint32_t clock; /* the next stamp */
} graph;

void hd_graph_copy(graph *to, const graph *from);
void hd_graph_execution_free(graph *g);
/* Without an event that is the last of its thread and that nobody reads from. */
void hd_graph_without(graph *to, const graph *from, graph_id last);
graph_ids *hd_graph_thread(graph *g, hd_tid thread);
/* Where a write is in its location's order: 0 is the initial value. */
size_t hd_graph_position(const graph *g, uint32_t loc, graph_id write);
static inline bool graph_reads(const graph_event *e) {
  return e->kind == GRAPH_READ || e->kind == GRAPH_UPDATE;
}
static inline bool graph_writes(const graph_event *e) {
  return e->kind == GRAPH_WRITE || e->kind == GRAPH_UPDATE;
}
/* Happens before; both have been executed. */
bool hd_graph_before(const graph *g, graph_id a, graph_id b);
/* Is `a` a part of what `b` depends on, by program order and reading? b itself
 * is. */
bool hd_graph_in_prefix(const graph *g, graph_id a, graph_id b);
/* The position behind which a new event of a thread at the location must be by
 * coherence; `knows` as in graph_made. */
size_t hd_graph_least(const graph *g, uint32_t loc, hd_tid thread,
                      const uint64_t *knows, size_t n);
/* An update that reads from this write; HD_NO_ID: none. */
graph_id hd_graph_updated_by(const graph *g, uint32_t loc, graph_id write);
/* The graph without what `read` made possible and `write` does not need: without
 * the events behind `read` that are not in the prefix of `write`; `map` gets the
 * new number of each event, HD_NO_ID where it is gone. `read` reads from `write`,
 * which is in no order yet. */
void hd_graph_restrict(graph *to, const graph *from, graph_id read,
                       graph_id write, graph_id *map);
/* Is what hd_graph_restrict would take away the one continuation that stands for
 * all: every event reads and writes the newest of what was there? */
bool hd_graph_is_maximal(const graph *g, graph_id read, graph_id write);

struct graph_search;

/* --- axioms --- */

/* Is the graph one of the model? Coherence and atomicity hold already. */
bool hd_graph_allowed(const graph *g, hd_memory_model model);
/* TSO: may a store of the thread still wait, so that a load comes before it? */
bool hd_graph_buffers(const graph *g, hd_tid thread);

/* All states, instead of all graphs. */
void hd_graph_search_states(struct graph_search *s);

/* --- machines --- */

typedef enum {
  THREAD_RUNS,
  THREAD_WAITS,   /* for the end of another */
  THREAD_AT,      /* an event is next */
  THREAD_BLOCKED, /* at a wait in the graph that cannot end */
  THREAD_SPINS,   /* it is where it was, and nothing has happened */
  THREAD_ASSUMES, /* an assumption does not hold */
  THREAD_CUT,     /* what it does next is not known, or beyond a bound */
  THREAD_ENDS,    /* its next action ends all others */
} thread_state;

/* Where a thread has been since it changed anything. */
typedef struct {
  uint64_t hash; /* of its state */
  uint64_t address;
  hd_edge_id edge; /* of the read it stood before … */
  uint8_t order;
  bool behind; /* … or behind it, if it had read there what it read later */
} play_point;

/* A lock that it has, and how many points there were when it got it. */
typedef struct {
  uint64_t address;
  uint32_t points;
} play_held;

typedef struct {
  uint8_t state;
  uint32_t done;  /* events that were executed */
  uint32_t wrote; /* … when it last wrote anything */
  hd_vec(
      uint64_t) depends; /* [t]: how many events of t are before it; by program
                               order and reading, with `robust` by all that
                               makes interleavings */
  hd_vec(play_point) points;
  hd_vec(play_held) held;
} play_thread;

typedef struct {
  uint64_t address;
  uint32_t size, loc;
} play_place;

/* Who has been at a barrier. */
typedef struct {
  uint64_t address;
  hd_tid thread;
} play_user;

/* A machine that executes a graph. */
typedef struct {
  const struct graph_search *search;
  hd_machine *machine;
  hd_vec(play_thread) threads;
  hd_vec(play_place) places; /* where atomic variables are now */
  hd_vec(play_user) users;
  hd_turns turns;
  hd_vec(uint32_t) turn_of; /* event -> number of its turn, from 1 */
  uint32_t drawn;      /* inputs of which only counts whether they are equal */
  bool failed;         /* it ended, or is not what the graph says */
  const char *refused; /* … because of something the engine does not do */
  hd_tid refuser;
  bool crowded; /* it matters who comes to a barrier first */
} play;

typedef struct graph_search {
  const hd_code *code;
  hd_machine_options options;
  hd_memory_model model;
  bool one_wait;  /* condition variables: all locks are one location */
  bool crowded;   /* barriers: who comes first counts */
  bool creations; /* creating threads is done in some order, which gives them
                     their numbers */
  hd_run *run;
  double start; /* of the search */
  hd_explore_result *result;
  const hd_explore_options *shrinks; /* NULL: what is found is left as it is */
  hd_properties checks;
  bool states; /* not graphs are searched, but states */
  bool opaque; /* … as inputs have too many values to try all */
  bool robust; /* … of interleavings, as long as there is nothing else */
  bool calm;   /* … which is known: nothing has to be seen to */
  hd_edge_id weaker; /* an access by which there is; HD_NO_ID: none yet */
  bool fences;       /* there are some */
  bool buffers; /* there are atomic stores that are no locked instructions */
  bool tries;   /* locks are tried: who knows that one was given up counts */
  bool heads;   /* a store may continue a release sequence of its thread */
  bool early;   /* main may end before somebody else */
  bool visits;  /* others access what is main's */
  bool stop, incomplete, stuck, raced;
  bool partial;   /* graphs: it ended before all were seen */
  bool again;     /* graphs: the search has to begin again */
  uint64_t mixes; /* … bytes that are known to be accessed both ways */
  char *why;
  hd_why why_code;
  uint64_t executions, blocked, revisits, steps;
} graph_search;

/* --- going round --- */

/* Stands the thread before a read, or a lock, in a state it was in before, and has
 * changed nothing since? */
bool hd_play_was_here(play *p, hd_tid thread);
/* The thread is about to make the event. */
void hd_play_remember(play *p, hd_tid thread);
/* It has changed something that others may notice. */
void hd_play_forget(play_thread *t);
/* Before and behind an operation on a lock: taking it, doing nothing, and giving
 * it up come to nothing. */
void hd_play_owned(const play *p, hd_tid thread, hd_addresses *out);
void hd_play_locked(play *p, hd_tid thread, const hd_addresses *before,
                    bool tries);
/* The thread is about to read, with this order, what is in memory, and goes round
 * by that. Would it be there if it had read it at an earlier read? */
bool hd_play_repeats(play *p, hd_tid thread, uint8_t order);

void hd_play_start(play *p, const graph_search *s);
void hd_play_copy(play *to, const play *from);
void hd_graph_play_free(play *p);
/* What the next event of the thread would be; its state is THREAD_AT. `loc` is
 * made in the graph if it is new. */
typedef struct {
  graph_event event; /* kind: WRITE, READ or UPDATE as far as is known */
  bool enabled;
  uint64_t choices;
} play_next;
play_next hd_play_look(play *p, graph *g, hd_tid thread);
/* Executes event `id` of the graph, which is next in its thread, and what
 * follows that is no event; fills in what it made. An update that does not
 * write becomes a read. */
void hd_play_event(play *p, graph *g, graph_id id);
/* What a store of the thread continues: its own last atomic write there, among
 * its first `end` events. */
const hd_message *hd_play_own_last(const graph *g, hd_tid thread, size_t end,
                                   uint32_t loc);
/* Puts the newest value of a location into memory. */
void hd_play_settle(play *p, const graph *g, uint32_t loc);
/* All threads up to their next events. */
void hd_play_advance(play *p);
/* Executes the whole graph from the start, but for two events, which are the last
 * of their threads and left to be looked at. */
void hd_play_all(play *p, graph *g, graph_id except, graph_id other);

#endif
