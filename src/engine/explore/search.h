/* SPDX-License-Identifier: MIT */
/* The state of the exhaustive search, and its single moves (moves.c). */
#ifndef HD_ENGINE_EXPLORE_SEARCH_H
#define HD_ENGINE_EXPLORE_SEARCH_H

#include "engine/explore/common.h"
#include "engine/explore/graph.h"
#include "engine/explore/symbols.h"
#include "engine/explore/inputs.h"

typedef struct {
  uint32_t node;
  hd_machine *machine;
  uint64_t *todo; /* threads still to be explored */
  hd_tid *twins;  /* for each the first that is like it; NULL: none is */
  hd_tid thread;  /* the one at hand, with its choices; HD_NO_ID = none */
  uint64_t choice, choices;
  hd_turn_choices samples; /* instead of all choices, when not empty */
  bool leads_on;           /* a move for R3 was found */
} hd_search_frame;

/* A thread that can move, and what it stands before. */
typedef struct {
  hd_tid thread;
  hd_access access;
} hd_near;

typedef struct {
  const hd_code *code;
  const hd_explore_options *options;
  hd_machine_options machine;
  hd_run *run;
  hd_explore_result *result;
  hd_machine *first; /* before anything has moved */
  hd_graph graph;
  hd_future *future;
  hd_inputs inputs;
  hd_vec(hd_edge_id) hopeless; /* inputs whose values are all different */
  hd_vec(hd_search_frame) stack;
  hd_u32s forced;               /* nodes that have to become full */
  hd_poses poses;               /* scratch */
  hd_bytes bytes;               /* scratch */
  hd_vec(uint64_t) set, wanted; /* scratch: threads */
  hd_vec(hd_tid) twins;         /* of the state in `bytes` */
  hd_vec(hd_near) near;         /* scratch: threads before an access */
  hd_u32s alike;                /* scratch: by thread, how many like it */
  hd_turns trail;      /* moves made since the node on top of the stack */
  bool opaque;         /* the last move did not tell what it touches */
  bool needs_clocks;   /* some move did not */
  bool tears;          /* there are calls that are not one step */
  char *incomplete;    /* why nothing is SAFE; NULL = it may be */
  hd_why why;          /* … as a code */
  bool leaks;          /* are looked for */
  bool leaps;          /* local moves are made at once */
  bool dozes;          /* who waits for a signal wakes up without one at once */
  bool sections;       /* what atomic sections touch is learned */
  bool nameless;       /* states differ only by more than numbers of threads */
  bool named;          /* … they have to be told apart after all */
  bool heaps;          /* … nor by numbers of blocks of the heap */
  bool again;          /* states that were passed over were no local ones */
  bool updates;        /* sections that only add up come in any order */
  bool orders;         /* … and in which order it is made and freed counts */
  bool reuse;          /* addresses and ids may come again: somebody can tell */
  hd_symbols *symbols; /* wide inputs are variables; NULL: not (yet) */
  bool wants_symbols;  /* there is one */
  bool crowded;        /* … too many: values are tried instead */
  uint64_t classes;    /* of values that were gone through */
  bool stopped;        /* a limit, or nothing is left to be found */
  uint64_t effort;     /* local actions that no step was counted for yet */
  uint64_t moves, depth, rounds, reopened, dropped;
} hd_search;

static inline hd_node *hd_search_node(hd_search *s, uint32_t node) {
  assert(node < s->graph.nodes.size);
  return &s->graph.nodes.data[node];
}

/* Threads that can move in the node: in s->set, until the next time. */
uint64_t *hd_search_enabled(hd_search *s, uint32_t node);
/* A limit may be reached, or nothing be left to be found. */
bool hd_search_may_go_on(hd_search *s);
/* A few runs first: sets are chosen better when something is known. */
void hd_search_warm_up(hd_search *s);
void hd_search_put_stats(hd_search *s);
/* The search has to begin again, with clocks; with names of threads; with numbers of
 * blocks; with the order in which these are made and freed (around.c). */
bool hd_search_lacks_clocks(const hd_search *s);
bool hd_search_lacks_names(const hd_search *s);
bool hd_search_lacks_heaps(const hd_search *s);
bool hd_search_lacks_order(const hd_search *s);
/* Are numbers of threads worth more than leaving them out? */
/* The search is complete: has somebody compared what may come again? */
void hd_search_heed_told(hd_search *s);
bool hd_search_wants_names(const hd_search *s);
bool hd_search_lacks_symbols(const hd_search *s);
/* Makes inputs variables, or values again, if that is what is lacking. */
bool hd_search_changes_inputs(hd_search *s);
/* Are condition variables neither made nor destroyed? To do that while somebody is
 * in a call that waits for one is another matter than behind that. */
bool hd_search_keeps_signals(const hd_code *code);

/* The verdict cannot be SAFE any more; the first reason is kept. */
void hd_search_incomplete(hd_search *s, const char *why);
/* The same, since this machine can do no more. */
void hd_search_ended_early(hd_search *s, const hd_machine *machine);
/* Values of an input that are all tried. */
uint64_t hd_search_inputs(const hd_search *s);

/* The run is over; from a deadlock a wake-up may lead on. */
bool hd_search_ended(const hd_machine *machine);
/* Stands the thread before an action that only it can notice, or can no other
 * move? */
bool hd_search_runs_on(const hd_machine *machine, hd_tid thread);
/* Makes one move, learns from it and reports what it violates. */
void hd_search_make(hd_search *s, hd_machine *machine, hd_turn turn);

/* All with these values of inputs was seen: are there others that would make a
 * difference? Then they are tried next. */
bool hd_search_tries_others(hd_search *s);
/* The next move of the frame on top; false when all that is demanded is done. */
bool hd_search_next(hd_search *s, hd_turn *turn);

/* Are races of any interest? */
bool hd_search_minds_races(const hd_search *s);
/* Finds the races that threads stand before in a new node. */
void hd_search_look(hd_search *s, uint32_t node, const hd_machine *machine);
/* `mover` has just moved: finds races of actions that do not tell what they
 * touch, by the clocks. */
void hd_search_probe(hd_search *s, const hd_machine *machine, hd_tid mover);

/* The machine in the state of a node, and the way there. */
hd_machine *hd_search_go_to(hd_search *s, uint32_t node, hd_turns *turns);
/* The graph is complete: finds threads that wait for ever (stuck.c). */
void hd_search_look_for_stuck(hd_search *s);

#endif
