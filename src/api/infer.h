/* SPDX-License-Identifier: MIT */
/* Proposes invariants for loops that have none: what holds whenever processes
 * come to the loop in concrete runs with small inputs, as far as engine/lise can
 * prove it.
 *
 * Proposed are equality of a variable with that of the next process, bounds by
 * constants and by other variables, and equations, linear or with products of
 * two variables. What cannot be proved is dropped until the rest is inductive
 * (Houdini). */
#ifndef HD_API_INFER_H
#define HD_API_INFER_H

#include "engine/lise/lise.h"

typedef struct {
  uint32_t procs;
  uint32_t runs; /* 0 = 12 */
  uint64_t seed;
  hd_lise_options lise;
} hd_infer_options;

/* One loop, with what was found for it. */
typedef struct {
  hd_cpos pos;   /* of the loop */
  uint32_t loop; /* into code->loops */
  char *pragma;  /* ready to paste, without `#pragma`; NULL = nothing */
  uint32_t candidates, dropped;
} hd_inferred;

typedef struct {
  hd_vec(hd_inferred) loops; /* that had no invariant and need one */
  uint32_t runs, rounds;     /* concrete runs; proofs tried */
  char *why; /* the search ended without a proof: why; or NULL */
} hd_infer_result;

/* Appends the pragmas that were found to `code`, as if they stood before their
 * loops. `result` must be all zero; the caller frees it. */
void hd_infer(hd_code *code, const hd_infer_options *options, hd_run *run,
              hd_infer_result *result);
void hd_infer_result_free(hd_infer_result *result);

#endif
