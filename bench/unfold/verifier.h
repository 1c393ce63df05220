/* SPDX-License-Identifier: MIT */
/* What the programs of this folder ask of a verifier: an input from lo to hi,
 * both included, and a place that must not be reached. */
#ifndef VERIFIER_H
#define VERIFIER_H
#include <pthread.h>
extern int __VERIFIER_nondet_int(int lo, int hi);
extern void __VERIFIER_error(void);
#define __VERIFIER_assert(e)                                                   \
  do {                                                                         \
    if (!(e))                                                                  \
      __VERIFIER_error();                                                      \
  } while (0)
#endif
