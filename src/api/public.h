/* SPDX-License-Identifier: MIT */
/* Private to heddle.c and heddle_code.c, the two halves of the public
 * interface: models and C programs. */
#ifndef HD_API_PUBLIC_H
#define HD_API_PUBLIC_H

#include "heddle/heddle.h"

#include "base/diag.h"
#include "base/run.h"
#include "model/property.h"

struct heddle_options {
  const char *engine;      /* a name out of hd_engines … */
  const char *code_engine; /* … and out of hd_code_engines; NULL = none such */
  double timeout;
  size_t memory;
  volatile sig_atomic_t *cancel;
  hd_properties properties; /* of C programs; 0 = those of `heddle verify` */
};

/* Moves the messages of `diag` into *error and deletes it. */
void hd_public_hand_over(hd_diag *diag, char **error);
/* False, with a copy of `message` in *error. */
bool hd_public_fail(char **error, const char *message);
/* The limits that `options`, which may be NULL, set. */
hd_run hd_public_run(const heddle_options *options);

#endif
