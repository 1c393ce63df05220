/* SPDX-License-Identifier: MIT */
/* What a program wants to know of a result of which C says the sign only (strcmp), or
 * only whether it is 0 (isdigit). */
#ifndef HD_MODEL_SIGN_H
#define HD_MODEL_SIGN_H

#include "model/code.h"

/* Is the result of the call used for its sign only? With `zero`: only for whether it is
 * 0. It is followed through variables that keep it, and through functions that
 * return it, also to qsort and bsearch. */
bool hd_code_wants_sign(const hd_code *code, hd_edge_id call, bool zero);

#endif
