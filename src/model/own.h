/* SPDX-License-Identifier: MIT */
/* What heddle brings along beside the program: models of library functions. */
#ifndef HD_MODEL_OWN_H
#define HD_MODEL_OWN_H

#include "model/code.h"

/* Is it a function of a model? */
bool hd_code_is_own(const hd_code *code, hd_func_id func);
bool hd_code_pos_is_own(const hd_code *code, const hd_cpos *pos);

#endif
