/* SPDX-License-Identifier: MIT */
/* Drawings of unfoldings. */
#ifndef HD_REPORT_UNFOLDING_H
#define HD_REPORT_UNFOLDING_H

#include "engine/unfold/unfold.h"

/* As a digraph for Graphviz. */
void hd_report_unfolding_dot(hd_str *out, const hd_code *code,
                             const hd_unfold_shape *shape);

#endif
