/* SPDX-License-Identifier: MIT */
/* Can a program tell that an address or the id of a thread comes again? */
#ifndef HD_MODEL_REUSE_H
#define HD_MODEL_REUSE_H

#include "model/code.h"

/* Where ids of threads are compared by pthread_equal or thrd_equal. HD_NO_ID:
 * nowhere, or there is only one thread. */
hd_edge_id hd_code_compares_ids(const hd_code *code);
/* Does it free or reallocate memory? */
bool hd_code_frees(const hd_code *code);

#endif
