/* SPDX-License-Identifier: MIT */
/* Reads the annotations of a C program: the text behind `#pragma heddle` and
 * `#pragma TASS`, whose names are looked up in the debug information of the code
 * graph, and finds what each is about. Messages point into the pragma. Grammar
 * and meaning: docs/annotations.md. */
#ifndef HD_FRONT_FORMULA_H
#define HD_FRONT_FORMULA_H

#include "base/diag.h"
#include "model/formula.h"

/* All annotations of `code`. False after messages; what was understood is in
 * `notes` nevertheless. In both cases the caller frees `notes`. */
HD_MUST_USE bool hd_notes_read(hd_notes *notes, const hd_code *code,
                               hd_diag *diag);
/* Of two programs that are compared: `spec.v` in the annotations of the second
 * is a variable of the first, `impl.v` the other way round. */
HD_MUST_USE bool hd_notes_read_pair(hd_notes *spec, const hd_code *spec_code,
                                    hd_notes *impl, const hd_code *impl_code,
                                    hd_diag *diag);

#endif
