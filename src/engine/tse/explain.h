/* SPDX-License-Identifier: MIT */
/* Proofs of the state equation in words, for --explain. */
#ifndef HD_ENGINE_TSE_EXPLAIN_H
#define HD_ENGINE_TSE_EXPLAIN_H

#include "model/evidence.h"

/* Writes the inequalities and traps of `cert`, one sentence a line, in the names
 * of `net` (the net it talks about: the split form if it has control places),
 * and why each target is excluded. Nothing is written for a certificate without
 * inequalities. */
void hd_tse_explain(hd_str *out, const hd_net *net, const hd_cert *cert);

#endif
