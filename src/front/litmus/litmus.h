/* SPDX-License-Identifier: MIT */
/* C litmus tests (herd's `C` files) as C programs: a thread of the test is a thread
 * of the program, its places are global variables, and what the test asks for is
 * an assertion at the end of main. docs/formats.md says what is read. */
#ifndef HD_FRONT_LITMUS_LITMUS_H
#define HD_FRONT_LITMUS_LITMUS_H

#include "base/diag.h"
#include "base/str.h"

typedef enum {
  HD_LITMUS_EXISTS,     /* asserted: the condition does not hold */
  HD_LITMUS_NOT_EXISTS, /* likewise */
  HD_LITMUS_FORALL,     /* asserted: it holds */
} hd_litmus_question;

/* Appends the program; its lines are those of the source (#line). False after an
 * error. */
HD_MUST_USE bool hd_litmus_write(const hd_source *source, hd_str *out,
                                 hd_litmus_question *question, hd_diag *diag);

#endif
