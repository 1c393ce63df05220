/* SPDX-License-Identifier: MIT */
/* From a program graph to a counter system: places are local states, shared
 * states are shared states, a transition is one outcome of one edge.
 *
 * Only what thread-modular exploration reaches is built: the least set T of
 * pairs (shared, local) that has the initial ones and, with each pair, the pairs
 * its steps lead to, in the company of every local state that T allows there.
 * It contains everything reachable with any number of threads.
 *
 * Beyond the program's own states the net has, where needed, a place `@start`
 * for threads that have not chosen their initial local values, a shared state
 * `start` before the shared ones are chosen, and for the violated assertions a
 * shared state `error` and one place each. Target number k of the net is
 * `asserts[k]`. */
#ifndef HD_MODEL_EXTRACT_H
#define HD_MODEL_EXTRACT_H

#include "base/run.h"
#include "model/evidence.h"
#include "model/finite.h"
#include "model/net.h"

typedef enum {
  HD_FROM_EDGE,     /* a step of the program */
  HD_FROM_SHARED,   /* the initial values of the shared variables are chosen */
  HD_FROM_LOCAL,    /* a thread's initial local values are chosen */
  HD_FROM_VIOLATED, /* an assertion fails */
  HD_FROM_SPAWN,    /* the second half of a SPAWN edge (`portable`) */
} hd_extract_kind;

typedef struct {
  hd_extract_kind kind;
  hd_edge_id edge;           /* HD_FROM_EDGE, HD_FROM_VIOLATED */
  hd_state_id shared, local; /* before: of the finite program, or HD_NO_ID */
  hd_state_id next_shared, next_local, spawned; /* after; HD_NO_ID = none */
} hd_extract_step;

typedef struct {
  hd_net *net;
  hd_finite *finite;             /* borrowed */
  hd_vec(hd_extract_step) steps; /* per transition of the net */
  hd_vec(hd_edge_id) asserts;    /* per target of the net */
  hd_place_id start_place;       /* where threads start */
} hd_extract;

/* As `assertion`: leave violations out altogether. */
#define HD_NO_ASSERTION (HD_NO_ID - 1)

typedef struct {
  hd_init threads;      /* how many threads start in main */
  hd_edge_id assertion; /* only this ASSERT edge; HD_NO_ID = all,
                           HD_NO_ASSERTION = none */
  bool portable;        /* only what edges of a .tts file can say: threads that
                           ended stay in a place `@ended`, and a SPAWN takes two
                           steps, with a shared state of its own in between */
  size_t max_pairs;     /* hd_extract_new gives up beyond; 0 = no limit */
} hd_extract_options;

/* NULL when a limit of `run` was reached, or the system is larger than a net
 * can be; then `why` has a sentence. A program without assertions gives a net
 * without targets. */
hd_extract *hd_extract_new(hd_finite *finite, const hd_extract_options *options,
                           hd_run *run, hd_str *why);
void hd_extract_delete(hd_extract *extract);

/* Does the net have every step, and every violation of its assertions, that the
 * program has in the pairs that occur in the configurations of `cover`? Then
 * what holds of a net whose reachable part is below `cover` holds of the
 * program. Not for portable nets. */
bool hd_extract_complete(const hd_extract *extract, const hd_cert *cover);

/* The same in pieces, for building only what somebody asks for. */
typedef struct hd_extractor hd_extractor;

/* Knows the initial states and nothing else. */
hd_extractor *hd_extractor_new(hd_finite *finite);
void hd_extractor_delete(hd_extractor *extractor);
/* The initial states. */
const hd_u32s *hd_extractor_shared(const hd_extractor *extractor);
const hd_u32s *hd_extractor_local(const hd_extractor *extractor);
/* Computes the steps of a pair, which must be new: `steps` says where they are
 * among the net's. False when hd_finite_stopped. */
HD_MUST_USE bool hd_extractor_follow(hd_extractor *extractor,
                                     hd_state_id shared, hd_state_id local,
                                     hd_range *steps);
const hd_extract_step *hd_extractor_step(const hd_extractor *extractor,
                                         uint32_t step);
size_t hd_extractor_pairs(const hd_extractor *extractor);
/* The net of what was followed. */
hd_extract *hd_extractor_net(hd_extractor *extractor,
                             const hd_extract_options *options, hd_str *why);

#endif
