/* SPDX-License-Identifier: MIT */
/* PNML place/transition nets: docs/formats.md, section 5. */
#ifndef HD_FRONT_PNML_PNML_H
#define HD_FRONT_PNML_PNML_H

#include "base/diag.h"
#include "model/net.h"

/* NULL when an error was reported. */
hd_net *hd_pnml_read(const hd_source *source, hd_diag *diag);
/* Appends the text; false, with a diagnostic, when PNML cannot say it. */
HD_MUST_USE bool hd_pnml_write(const hd_net *net, hd_str *out, hd_diag *diag);

#endif
