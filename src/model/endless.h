/* SPDX-License-Identifier: MIT */
/* Loops of C programs that may go on for ever, by their shape alone. */
#ifndef HD_MODEL_ENDLESS_H
#define HD_MODEL_ENDLESS_H

#include "model/code.h"

/* The head of one, or HD_NO_ID: every loop counts up or down to a bound that it
 * does not change, or waits in each round for a signal or a post and gives none
 * itself. Then no run goes on for ever (recursion aside). */
hd_loc_id hd_code_endless(const hd_code *code);

#endif
