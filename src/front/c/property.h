/* SPDX-License-Identifier: MIT */
/* Which properties of a C program are asked for: lists of names, and property
 * files of the competition SV-COMP. */
#ifndef HD_FRONT_C_PROPERTY_H
#define HD_FRONT_C_PROPERTY_H

#include "base/diag.h"
#include "base/str.h"
#include "model/property.h"

/* "race,overflow" or "all". False, with a sentence in `why`, for a name that
 * there is not. */
HD_MUST_USE bool hd_properties_list(const char *text, hd_properties *set,
                                    hd_str *why);

/* Lines CHECK( init(main()), LTL(G ! call(reach_error())) ) and the like;
 * what is not a property of this kind (termination) is refused by name. */
HD_MUST_USE bool hd_properties_prp(const hd_source *source, hd_properties *set,
                                   hd_diag *diag);

#endif
