/* SPDX-License-Identifier: MIT */
/* From small programs (model/small.h) to counter systems: places are local
 * states, shared states are shared states, and one thread starts, in main.
 *
 * A *graph* collects the steps of the pairs (shared, local) that somebody asks
 * for: all that thread-modular exploration reaches, or those that a search
 * meets. The net has a transition for each step, and a target for each edge at
 * which an assertion fails and for each reason to refuse the program, so that
 * what cannot be reached does not count. Signals take a second token along,
 * broadcasts move tokens, the last reader of a lock takes others away. */
#ifndef HD_MODEL_SMALL_NET_H
#define HD_MODEL_SMALL_NET_H

#include "base/run.h"
#include "model/evidence.h"
#include "model/small.h"
#include "model/turns.h"

typedef struct {
  hd_small_kind kind;
  hd_modular_state shared, local; /* before */
  hd_modular_state next_shared, next_local,
      spawned;                   /* after; HD_NO_ID = none */
  bool creates;                  /* a thread, which may have ended already */
  bool one;                      /* `label` is done to one thread only … */
  hd_modular_state woken, wakes; /* … here, which gets there (steps of a net) */
  uint32_t label;
  uint32_t index;  /* which outcome of its pair */
  uint32_t reason; /* HD_SMALL_REFUSED */
  hd_edge_id edge;
} hd_small_step;

typedef struct hd_small_graph hd_small_graph;

hd_small_graph *hd_small_graph_new(hd_small *small);
void hd_small_graph_delete(hd_small_graph *graph);
/* The steps of a pair, made when it is asked for the first time. */
hd_range hd_small_graph_follow(hd_small_graph *graph, hd_modular_state shared,
                               hd_modular_state local);
const hd_small_step *hd_small_graph_step(const hd_small_graph *graph,
                                         uint32_t step);
bool hd_small_graph_has(const hd_small_graph *graph, hd_modular_state shared,
                        hd_modular_state local);
size_t hd_small_graph_pairs(const hd_small_graph *graph);
size_t hd_small_graph_steps(const hd_small_graph *graph);
/* Follows everything that thread-modular exploration reaches. False when
 * there are more than `max_pairs` (0 = no limit), or at a limit of `run`. */
HD_MUST_USE bool hd_small_graph_close(hd_small_graph *graph, size_t max_pairs,
                                      hd_run *run);

/* What a target of the net means. */
typedef struct {
  bool refused;
  hd_edge_id edge; /* the assertion */
  uint32_t reason; /* to refuse */
} hd_small_target;

typedef struct {
  hd_net *net;
  hd_small *small;             /* borrowed */
  hd_vec(hd_small_step) steps; /* per transition */
  /* One a target; none when nothing can fail and the net's only target is a
   * place that nothing leads to. */
  hd_vec(hd_small_target) targets;
} hd_small_net;

typedef enum {
  HD_SMALL_NET_ALL,         /* with targets for refusals */
  HD_SMALL_NET_NO_REFUSALS, /* without */
  /* Each transition takes one token: wake-ups come by themselves, nobody
   * vanishes. Whatever can occur can occur here. */
  HD_SMALL_NET_RELAXED,
} hd_small_net_kind;

/* The net of what was followed. NULL, with a sentence in `why`, when it is too large. It may be
 * made again later, with more. */
hd_small_net *hd_small_net_new(hd_small_graph *graph, hd_small_net_kind kind,
                               hd_str *why);
void hd_small_net_delete(hd_small_net *net);

/* The same system with edges only, as a .tts file can say them: threads that
 * ended or vanished stay in a place `@ended`, and what concerns several threads
 * goes through shared states of its own. The caller owns it. */
hd_net *hd_small_net_portable(const hd_small_net *net);

/* What one thread does, as told to somebody who runs the program itself. */
typedef struct {
  hd_tid thread; /* main is 0, others in the order they are created */
  hd_small_act act;
  hd_tid wakes; /* a signal: whom; else HD_NO_ID */
} hd_small_move;
typedef hd_vec(hd_small_move) hd_small_moves;

/* The run that a witness about the net stands for, appended. */
void hd_small_net_run(const hd_small_net *net, const hd_witness *witness,
                      hd_small_moves *moves);

#endif
