/* SPDX-License-Identifier: MIT */
/* Terms as expressions of the solver. */
#ifndef HD_ENGINE_LISE_TRANSLATE_H
#define HD_ENGINE_LISE_TRANSLATE_H

#include "engine/lise/term.h"
#include "solve/logic.h"

typedef struct {
  hd_terms *terms;
  hd_logic *logic; /* NULL until it is asked */
  hd_u32s exprs;   /* of each term: its expression + 1 */
} hd_translator;

hd_logic_expr hd_translator_express(hd_translator *p, hd_term t);

#endif
