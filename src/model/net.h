/* SPDX-License-Identifier: MIT */
/* The counter model: one type for thread transition systems and Petri nets.
 *
 * A configuration is a shared state and a vector of token counts. A transition
 * (from -> to, pre, post, moves, caps) is enabled in (s | M) when s = from,
 * M >= pre, and M(p) <= c for every cap (p, c). Firing it
 *   1. removes pre,
 *   2. moves all the tokens that are then in the source of a move to its
 *      destination, all moves at once; with several moves out of one place
 *      each token chooses; HD_NOWHERE swallows tokens (a reset),
 *   3. adds post, and sets the shared state to `to`.
 * Thread systems: `s l -> s' l'` is pre {l}, post {l'}; a spawn has pre {l},
 * post {l, l'}; a broadcast has moves; `s l ~> s' l'` has no pre and one move.
 * Nets have one shared state. Caps come from mist's `=`, `in` guards only.
 *
 * Initially the shared state is `init_shared` and place p holds any number of
 * tokens from init[p].min to init[p].max (HD_OMEGA: unbounded).
 *
 * A target is reached in (s | M) when s is its shared state (or it has
 * HD_ANY_SHARED), M >= need, and M(p) <= c for each cap (caps make it a
 * reachability question; most engines refuse those).
 *
 * A net is built by hd_net_new, the hd_net_add_… functions and hd_net_finish;
 * after that it is read only. */
#ifndef HD_MODEL_NET_H
#define HD_MODEL_NET_H

#include "base/arena.h"
#include "base/str.h"
#include "model/tokens.h"

#define HD_NOWHERE UINT32_MAX
#define HD_ANY_SHARED UINT32_MAX
/* The most shared states, places or transitions a model may have. */
#define HD_MAX_STATES ((uint32_t)1 << 24)

typedef enum { HD_FORMAT_TTS, HD_FORMAT_MIST, HD_FORMAT_PNML } hd_format;

typedef struct {
  uint32_t start, size;
} hd_range;

typedef struct {
  hd_place_id from, to; /* `to` may be HD_NOWHERE */
} hd_move;

typedef struct {
  hd_shared_id from, to;
  hd_range pre, post, caps; /* into net->tokens; use hd_net_pre () … */
  hd_range moves;           /* into net->moves, sorted by from, then to */
  uint32_t line;            /* in the input file; 0 = none */
  const char *name;         /* may be NULL */
} hd_trans;

typedef struct {
  hd_count min, max; /* max may be HD_OMEGA; min never is */
} hd_init;

typedef struct {
  hd_shared_id shared; /* or HD_ANY_SHARED */
  hd_range need, caps; /* into net->tokens */
  uint32_t line;       /* in the file it was read from; 0 = none */
} hd_target;

typedef struct hd_net {
  hd_format format;  /* where it came from: how configurations are printed */
  const char *file;  /* name of the input, for messages; never NULL */
  const char *built; /* how it was made from a program, in words that the head
                        of evidence repeats; NULL = nothing to say. Borrowed. */
  uint32_t n_shared, n_places;
  hd_vec(hd_trans) trans;
  hd_vec(hd_target) targets;
  hd_shared_id init_shared;
  hd_init *init;             /* n_places of them */
  const char **place_names;  /* n_places of them, or NULL: numbers are names */
  const char **shared_names; /* n_shared of them, or NULL */
  hd_vec(hd_token) tokens;
  hd_vec(hd_move) moves;
  hd_arena arena;     /* owns the names */
  uint32_t place_cap; /* room in init and place_names */
  /* Made by hd_net_finish: transition ids grouped by `from` and by `to`;
   * those of shared state s are ids[start[s]] … ids[start[s + 1] - 1]. */
  uint32_t *from_start, *from_ids, *to_start, *to_ids;
  unsigned features; /* set of hd_feature */
} hd_net;

typedef enum {
  HD_HAS_MOVES = 1,       /* some transition moves or resets */
  HD_HAS_CHOICE = 2,      /* some transition has two moves out of a place */
  HD_HAS_CAPS = 4,        /* some transition has an upper guard */
  HD_HAS_TARGET_CAPS = 8, /* some target has an upper bound */
  HD_HAS_UNBOUNDED = 16,  /* some place starts with HD_OMEGA */
  HD_HAS_WEIGHTS = 32,    /* a pre or post count above one, or two places */
  HD_HAS_RESETS = 64,     /* some move goes to HD_NOWHERE */
} hd_feature;

hd_net *hd_net_new(hd_format format, const char *file, uint32_t n_shared,
                   uint32_t n_places);
void hd_net_delete(hd_net *net);

/* One more place without tokens; for readers that meet places as they go. */
hd_place_id hd_net_add_place(hd_net *net, const char *name, size_t length);
/* Gives a name to a state; the first call names all others by their number. */
void hd_net_name_place(hd_net *net, hd_place_id place, const char *name);
void hd_net_name_shared(hd_net *net, hd_shared_id shared, const char *name);

/* A transition to add; the vectors need not be sorted and are copied. */
typedef struct {
  hd_shared_id from, to;
  hd_tokens pre, post, caps;
  const hd_move *moves;
  size_t n_moves;
  uint32_t line;
  const char *name; /* may be NULL; copied */
} hd_trans_spec;

/* Returns false, adding nothing, when a count would pass HD_COUNT_MAX. */
HD_MUST_USE bool hd_net_add_trans(hd_net *net, const hd_trans_spec *spec);
HD_MUST_USE bool hd_net_add_target(hd_net *net, hd_shared_id shared,
                                   hd_tokens need, hd_tokens caps,
                                   uint32_t line);
void hd_net_clear_targets(hd_net *net);
/* Builds the indices and the feature set. Call it again after the initial
 * state or the targets were changed. */
void hd_net_finish(hd_net *net);
/* Asserts every invariant above. */
void hd_net_check(const hd_net *net);
/* A copy with the same places, names, initial state and targets but only the
 * transitions `keep` (ascending); finished. For reduce and slices. */
hd_net *hd_net_restrict(const hd_net *net, const hd_trans_id *keep, size_t n);

static inline hd_tokens hd_net_view(const hd_net *net, hd_range r) {
  return (hd_tokens){.data = r.size ? net->tokens.data + r.start : NULL,
                     .size = r.size};
}
static inline hd_tokens hd_net_pre(const hd_net *net, hd_trans_id t) {
  return hd_net_view(net, net->trans.data[t].pre);
}
static inline hd_tokens hd_net_post(const hd_net *net, hd_trans_id t) {
  return hd_net_view(net, net->trans.data[t].post);
}
static inline hd_tokens hd_net_caps(const hd_net *net, hd_trans_id t) {
  return hd_net_view(net, net->trans.data[t].caps);
}
static inline const hd_move *hd_net_moves(const hd_net *net, hd_trans_id t) {
  hd_range r = net->trans.data[t].moves;
  return r.size ? net->moves.data + r.start : NULL;
}

/* True when (shared | tokens) lies below some initial configuration. Without
 * caps in the net, that is all a coverability engine needs to know. */
bool hd_net_below_init(const hd_net *net, hd_shared_id shared,
                       hd_tokens tokens);

/* Names for people. Thread systems print `s|l1,l2,l2`, nets `p=1,q=2`; HD_OMEGA
 * prints as `w`. */
void hd_net_print_place(hd_str *out, const hd_net *net, hd_place_id place);
void hd_net_print_shared(hd_str *out, const hd_net *net, hd_shared_id shared);
void hd_net_print_config(hd_str *out, const hd_net *net, hd_shared_id shared,
                         hd_tokens tokens);
/* The transition in the input's own notation, on one line:
 * `0 1 -> 2 3`, `x0>=1 -> x0'=x0-1, x1'=x1+1;`. */
void hd_net_print_trans(hd_str *out, const hd_net *net, hd_trans_id trans);

#endif
