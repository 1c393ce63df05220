/* SPDX-License-Identifier: MIT */
/* The search and the replay of what it finds. */
#ifndef HD_ENGINE_LISE_SEARCH_H
#define HD_ENGINE_LISE_SEARCH_H

#include "engine/lise/engine.h"

/* `l` has its options, run and result; all else is made and given back here. */
void hd_lise_begin(hd_lise *l, const hd_lise_source *sources, size_t n);
void hd_lise_end(hd_lise *l);

/* The state before main of each process. */
hd_lise_state *hd_lise_initial(hd_lise *l);
/* Kinds of ends that are no steps: all have ended, or nobody can go on.
 * HD_GO_ON: neither. HD_STOPPED: a good end. */
hd_going hd_lise_at_rest(hd_lise *l, const hd_lise_ready *ready);
void hd_lise_ready_all(const hd_lise *l, const hd_lise_state *state,
                       hd_lise_ready *out);

/* Writes down a run that is made again. */
typedef struct {
  hd_proc proc;
  enum { HD_WATCH_EDGE, HD_WATCH_OPERATE, HD_WATCH_HEAD, HD_WATCH_ANSWER } kind;
  uint32_t what; /* edge; choice; loop; question of the edge before */
  int64_t value; /* … its answer */
} hd_lise_event;

typedef struct hd_lise_watch {
  hd_vec(hd_lise_event) events;
} hd_lise_watch;

/* Is the violation in `finding` (reached by `turns`) one of a real run? Sets
 * its `why`, steps and inputs. */
void hd_lise_confirm(hd_lise *l, hd_lise_finding *finding);

/* The running process as it is, in words. */
void hd_lise_print_state(hd_str *out, const hd_lise *l,
                         const hd_lise_state *state);
void hd_lise_finding_free(hd_lise_finding *finding);

#endif
