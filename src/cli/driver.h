/* SPDX-License-Identifier: MIT */
/* Programs that call functions of a library with made-up arguments, several at the
 * same time: for `heddle api` and `heddle verify --entry`. */
#ifndef HD_CLI_DRIVER_H
#define HD_CLI_DRIVER_H

#include "front/c/declare.h"

typedef struct {
  const hd_c_declarations *declared;
  const char *include; /* the file that the driver includes */
  bool source;         /* … is no header: its main is not the program's */
  const char *type;    /* of the object, as a pointer: "pool *"; NULL: none */
  const char *init;    /* a function, or a call; NULL: none */
  const char *fini;    /* likewise */
  int64_t low, high;   /* of numbers that are arguments; low > high: any */
} hd_driver;

/* What the object's type is by what `init` is, as a pointer, appended; nothing where
 * that cannot be told. */
void hd_driver_guess_type(const hd_driver *driver, hd_str *type);
/* Has the function a parameter that is the object? */
bool hd_driver_takes_object(const hd_driver *driver, const hd_c_function *f);
/* Appends a program in which threads call the functions, each its own, at the same
 * time. False, and `why`, when an argument cannot be made. */
HD_MUST_USE bool hd_driver_write(const hd_driver *driver,
                                 const hd_c_function *const *calls,
                                 size_t n_calls, hd_str *out, hd_str *why);

#endif
