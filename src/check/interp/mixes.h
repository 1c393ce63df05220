/* SPDX-License-Identifier: MIT */
/* Bytes that are accessed both by atomic operations and by others, while there is
 * more than one thread. Only of those it matters who made an atomic access, and
 * what was known then: for the race with a later access that is none. */
#ifndef HD_CHECK_INTERP_MIXES_H
#define HD_CHECK_INTERP_MIXES_H

#include "check/interp/state.h"

/* Such an access is made. Is one of the bytes accessed in both ways? */
bool hd_mixes_note(hd_machine *m, hd_tid tid, const hd_object *object,
                   uint64_t offset, uint64_t size, bool atomic);
bool hd_mixes_has(const hd_mixes *mixes, const hd_object *object,
                  uint64_t offset);

#endif
