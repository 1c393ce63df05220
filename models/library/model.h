/* SPDX-License-Identifier: MIT */
/* What models of library functions are made of. A model does whatever the
 * function may do, and more where that is simpler; never less. What a file has
 * in it, what comes from a network, the time and whether a call fails are
 * inputs. heddle-cc links a file of this folder where a program calls a function
 * that it defines; definitions of the program win. */
#ifndef HEDDLE_LIBRARY_MODEL_H
#define HEDDLE_LIBRARY_MODEL_H

#include <errno.h>
#include <heddle.h>
#include <limits.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

/* Called for what no model does; whoever gets here has to refuse. */
void __heddle_not_modelled(const char *what);

/* Any reason to fail. */
static inline int heddle_error(void) {
  errno = heddle_nondet_int(1, 133);
  return -1;
}

/* 0, or -1 with any reason. */
static inline int heddle_status(void) {
  return heddle_nondet_bool() ? heddle_error() : 0;
}

/* Any bytes. */
static inline void heddle_fill(void *where, size_t size) {
  unsigned char *bytes = where;
  for (size_t i = 0; i < size; i++)
    bytes[i] = heddle_nondet_uchar(0, 255);
}

/* A text of at most `size` - 1 characters; `size` is not 0. */
static inline size_t heddle_text(char *to, size_t size) {
  size_t n = heddle_nondet_size_t(0, size - 1);
  for (size_t i = 0; i < n; i++) {
    to[i] = heddle_nondet_char(CHAR_MIN, CHAR_MAX);
    heddle_assume(to[i] != 0);
  }
  to[n] = 0;
  return n;
}

/* What was written is read, and may be anything in between. */
static inline void heddle_look(const void *where, size_t size) {
  const volatile unsigned char *bytes = where;
  for (size_t i = 0; i < size; i++)
    (void)bytes[i];
}

#endif
