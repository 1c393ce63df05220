/* SPDX-License-Identifier: MIT */
/* mist's .spec format: docs/formats.md, section 4. */
#ifndef HD_FRONT_MIST_MIST_H
#define HD_FRONT_MIST_MIST_H

#include "front/text.h"
#include "model/net.h"

/* Reads a whole text. NULL when an error was reported. */
hd_net *hd_mist_read(hd_region region, hd_diag *diag);
/* Appends the text; false, with a diagnostic, when .spec cannot say it. */
HD_MUST_USE bool hd_mist_write(const hd_net *net, hd_str *out, hd_diag *diag);

/* Letters, digits, _ and ', not beginning with a digit or ', no keyword. */
bool hd_mist_is_name(hd_word word);

#endif
