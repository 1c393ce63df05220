/* SPDX-License-Identifier: MIT */
/* Connectivity: a solution of the state equation may go round in a loop of
 * shared states that it never enters, or use a token that nobody has put there
 * yet. Such a solution has a set K of places and shared states, empty
 * initially, from which it takes and into which it leads nothing that does not
 * also take from K. A real run enters K first, or never touches it.
 *
 * The cut for K is the phase form of the net (model/phases.h): the shared state
 * remembers whether K was entered. Targets before K was entered are judged
 * without what touches K, targets after it by an equation in which the run
 * passes through an entrance. */
#ifndef HD_ENGINE_TSE_CUTS_H
#define HD_ENGINE_TSE_CUTS_H

#include "engine/tse/campaign.h"

/* Tries to prove, with up to `most` cuts, that no target of `net` that
 * `campaign` has left open is reachable. The certificate is about a phase form
 * of the net and proves all its targets; NULL when it cannot be found.
 * `*used` gets the number of cuts. */
hd_cert *hd_cuts_prove(hd_campaign *campaign, unsigned most, uint64_t effort,
                       hd_run *run, unsigned *used);

#endif
