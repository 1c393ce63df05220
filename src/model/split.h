/* SPDX-License-Identifier: MIT */
/* The split form of a net: some of its places read as shared states.
 *
 * When the places Q = {q0, q1, …} hold exactly one token together initially,
 * and every transition takes exactly one token from Q and gives exactly one,
 * then "the place of Q that has the token" is a shared state. The split net has
 * |Q| shared states in the order given, the same place numbers (those of Q stay
 * empty), and the same transition numbers. */
#ifndef HD_MODEL_SPLIT_H
#define HD_MODEL_SPLIT_H

#include "model/net.h"

/* The split form of `net`, which has one shared state, by the places `control`.
 * NULL, with a sentence in `why`, when the conditions do not hold. A target
 * with no token in Q gets HD_ANY_SHARED; one that asks for two keeps them and
 * is never reached, because the places of Q stay empty. */
hd_net *hd_split(const hd_net *net, const uint32_t *control, size_t n,
                 hd_str *why);

#endif
