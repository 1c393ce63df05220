/* SPDX-License-Identifier: MIT */
/* What calls of a program do: from a function or an edge of the graph to the row
 * of the library's table (library.h). */
#ifndef HD_MODEL_CALLS_H
#define HD_MODEL_CALLS_H

#include "model/code.h"
#include "model/library.h"

/* The library function; NONE: the program defines it, or nobody knows it. */
hd_library_fn hd_call_library(const hd_code *code, hd_func_id func);

/* The function that the edge calls by its name; HD_NO_ID: it is no call, or one
 * through a pointer. */
hd_func_id hd_call_callee(const hd_code *code, const hd_cedge *edge);

/* Likewise what it is of the library. */
hd_library_fn hd_call_of(const hd_code *code, const hd_cedge *edge);

/* Is a function of the library declared that does this? */
bool hd_code_may(const hd_code *code, hd_action action);

/* Are all calls of the function atomic sections, by its name? */
bool hd_func_is_section(const hd_func *func);

#endif
