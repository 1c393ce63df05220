/* SPDX-License-Identifier: MIT */
/* Can a program tell that an address or the id of a thread comes again? */
#ifndef HD_MODEL_REUSE_H
#define HD_MODEL_REUSE_H

#include "model/code.h"

/* Where ids of threads are compared, by pthread_equal, thrd_equal, == or !=, in a
 * program in which a thread may be created when another one's id is free again:
 * after a join, or with detached threads. HD_NO_ID: nowhere. An id that goes where
 * its type does not tell what it is counts as compared there. */
hd_edge_id hd_code_compares_ids(const hd_code *code);
/* Are there threads whose ids are free when they end? */
bool hd_code_detaches(const hd_code *code);
/* Does it free or reallocate memory? */
bool hd_code_frees(const hd_code *code);

#endif
