/* SPDX-License-Identifier: MIT */
/* Boolean programs: the language of SATABS (.bp, .nbp) and of Bebop/SLAM where
 * the two agree; docs/formats.md, section bp. Procedures are inlined at their
 * calls; recursion is refused with its cycle. */
#ifndef HD_FRONT_BP_BP_H
#define HD_FRONT_BP_BP_H

#include "base/diag.h"
#include "model/program.h"

/* Reads a Boolean program; NULL after errors. */
hd_program *hd_bp_parse(const hd_source *source, hd_diag *diag);

/* Parses and prints again, in canonical form (one statement a line, comments
 * gone); for round trips. False after errors. */
HD_MUST_USE bool hd_bp_format(const hd_source *source, hd_str *out,
                              hd_diag *diag);

#endif
