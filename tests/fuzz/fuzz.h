/* SPDX-License-Identifier: MIT */
/* What all fuzzers of readers share. Each is a function for libFuzzer that reads
 * some bytes, and checks what is promised about whatever can be read; a broken
 * promise ends the process. fuzz_front.c says how they are built; without
 * libFuzzer, replay.c calls them for what was found once. */
#ifndef HD_TESTS_FUZZ_H
#define HD_TESTS_FUZZ_H

#include "base/io.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static inline void fuzz_require(bool holds, const char *what) {
  if (!holds) {
    fprintf(stderr, "broken promise: %s\n", what);
    abort();
  }
}

/* Messages are printed, too: they quote what was read. */
static inline void fuzz_end_diag(hd_diag *diag) {
  hd_str text = {0};
  FILE *out = hd_stream_to(&text);
  hd_diag_print(diag, out, false);
  fclose(out);
  hd_str_free(&text);
  hd_diag_delete(diag);
}

#endif
