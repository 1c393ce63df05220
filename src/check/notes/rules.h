/* SPDX-License-Identifier: MIT */
/* What both ways of judging ask of the graph itself. */
#ifndef HD_CHECK_NOTES_RULES_H
#define HD_CHECK_NOTES_RULES_H

#include "model/code.h"

/* The call and the function agree on all types. */
bool hd_note_call_fits(const hd_code *code, const hd_func *caller,
                       const hd_cedge *call, const hd_func *f);
/* It takes one pointer, or nothing, and returns what a thread does, or nothing. */
bool hd_note_can_start(const hd_code *code, hd_func_id func, bool c11);
/* What an update computes; UNDEF: anything. Not for an exchange. */
hd_code_op hd_note_update_op(const hd_cedge *update);
/* What a variable has in these bytes at first: a number, where `root` becomes
 * HD_NO_ID, or the address so many bytes behind what `root` names. False: it may be
 * anything. */
bool hd_note_initial_bytes(const hd_code *code, const hd_global *g,
                           uint64_t offset, uint32_t size, hd_cexpr_id *root,
                           uint64_t *bits);
/* May a text with these bytes make printf write? */
bool hd_note_writes_count(const hd_global *g);

#endif
