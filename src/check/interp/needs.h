/* SPDX-License-Identifier: MIT */
/* Who has to move before a thread can. */
#ifndef HD_CHECK_INTERP_NEEDS_H
#define HD_CHECK_INTERP_NEEDS_H

#include "check/interp/interp.h"

/* The thread cannot move before this one has: it waits for its end, or for a lock
 * that it has, as long as nobody takes that from its owner. HD_NO_ID: that is not
 * so, or not known. */
hd_tid hd_machine_needs(const hd_machine *machine, hd_tid thread);

#endif
