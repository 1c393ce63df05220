/* SPDX-License-Identifier: MIT */
/* The structured comments of .spec: names, and shared states. Private to this
 * folder. */
#ifndef HD_FRONT_MIST_FOLD_H
#define HD_FRONT_MIST_FOLD_H

#include "front/mist/lex.h"
#include "front/names.h"
#include "model/net.h"

/* Takes the net as it was read, with its places by variable name, and gives it
 * back finished, or the thread system that the comments say it is; NULL when
 * errors were reported. */
hd_net *hd_mist_apply_comments(hd_net *net, mist_lexer *lexer,
                               const hd_name_map *places);

#endif
