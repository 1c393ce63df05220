/* SPDX-License-Identifier: MIT */
/* Reads the text form of code graphs (docs/code.md), as heddle-cc writes it. */
#ifndef HD_FRONT_CODE_CODE_H
#define HD_FRONT_CODE_CODE_H

#include "base/diag.h"
#include "model/code.h"

/* The graph, finished and valid, or NULL with diagnostics. */
hd_code *hd_code_read(const hd_source *source, hd_diag *diag);

#endif
