/* SPDX-License-Identifier: MIT */
/* What the judges of certificates share: the certificate, the net it talks
 * about, and what has been verified of it so far.
 *
 * A judge works in three stages, each of which may use what the stages before
 * it have proved: T, then the inequalities and traps one after the other, then
 * the configurations. Two things
 * follow from what is proved, and hd_judge_slice computes both anew:
 *   - a transition whose (from | pre) is excluded never fires;
 *   - a shared state from which no target can be reached by the transitions
 *     that are left is of no interest, and neither are transitions into it: a
 *     run that goes there never comes to a target.
 * docs/evidence.md has the conditions and the proof that they suffice. */
#ifndef HD_CHECK_JUDGE_H
#define HD_CHECK_JUDGE_H

#include "model/evidence.h"

typedef struct {
  const hd_net *input; /* the user's net: transitions are named in it */
  const hd_net *net;   /* the input, or its split form */
  const hd_cert *cert;
  hd_str *why;
  bool any_target; /* every transition matters, whatever the targets are */
  /* Verified so far: */
  uint64_t *const *rows; /* T, or NULL */
  size_t n_linear;       /* this many inequalities, the first of them */
  uint64_t *live;        /* shared states from which a target may be reached */
  uint64_t *fires;  /* transitions that may fire and lead into a live state */
  uint64_t *needed; /* transitions that a target may need, or NULL: not yet
                       computed; only traps ask */
} hd_judge;

/* True when no reachable configuration lies above (s | v), by what is verified
 * so far. `v` is sorted and within the net's places. */
bool hd_judge_excludes(const hd_judge *judge, hd_shared_id s, hd_tokens v);
/* True when (s | v), and so all above it, violates inequality `index`. */
bool hd_judge_violates(const hd_judge *judge, size_t index, hd_shared_id s,
                       hd_tokens v);
/* Computes `live` and `fires` from what is verified so far. */
void hd_judge_slice(hd_judge *judge);

static inline bool hd_judge_fires(const hd_judge *judge, hd_trans_id t) {
  return hd_bits_test(judge->fires, t);
}

/* The three stages. Each says why on false. */
HD_MUST_USE bool hd_judge_rows(hd_judge *judge);
HD_MUST_USE bool hd_judge_linear(hd_judge *judge);
/* One trap of the certificate, by what is verified so far. */
HD_MUST_USE bool hd_judge_trap(hd_judge *judge, uint32_t index);
HD_MUST_USE bool hd_judge_basis(hd_judge *judge);
HD_MUST_USE bool hd_judge_cover(hd_judge *judge);

/* Some v(p) is above the cap on p: nothing above v is enabled (or a target). */
bool hd_judge_over_cap(hd_tokens v, hd_tokens caps);
/* The moves of `t` out of `place`; none where it is not the source of a move.
 */
hd_range hd_judge_moves_from(const hd_net *net, hd_trans_id t,
                             hd_place_id place);

/* Append to `why`: `transition t3 (line 7: 0 1 -> 2 3)`, a configuration, and
 * "place p". */
void hd_judge_say_trans(const hd_judge *judge, hd_trans_id t);
void hd_judge_say_config(const hd_judge *judge, hd_shared_id s, hd_tokens v);
void hd_judge_say_place(const hd_judge *judge, hd_place_id place);
void hd_judge_say_shared(const hd_judge *judge, hd_shared_id s);

#endif
