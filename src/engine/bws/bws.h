/* SPDX-License-Identifier: MIT */
/* bws: backward search (Abdulla et al.; the base algorithm of paper 000).
 * Complete for every net without caps, transfers and resets included.
 *
 * From the targets it adds minimal predecessors to a basis of minimal elements
 * until one lies below an initial configuration (UNSAFE; the parents are the
 * witness) or nothing new appears (SAFE; the basis is the certificate). It
 * terminates because <= is a well-quasi-order. */
#ifndef HD_ENGINE_BWS_BWS_H
#define HD_ENGINE_BWS_BWS_H

#include "engine/engine.h"

extern const hd_engine hd_bws_engine;

#endif
