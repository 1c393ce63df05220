/* SPDX-License-Identifier: MIT */
/* Do two programs compute the same? They are executed side by side with the same
 * inputs (those of the same name), and must end with the same outputs: what
 * `#pragma heddle output` says, in their processes of rank 0. A difference counts
 * when both programs, run with the inputs it names, end with different values. */
#ifndef HD_API_COMPARE_H
#define HD_API_COMPARE_H

#include "api/inputs.h"
#include "base/diag.h"
#include "engine/lise/lise.h"

typedef struct {
  uint32_t spec_procs, impl_procs;
  uint32_t tries; /* runs of both with inputs by chance, before anything else */
  uint64_t seed;
  hd_lise_options lise;
} hd_compare_options;

/* What a run of both programs with the same inputs has shown. */
typedef struct {
  bool done;         /* both ended */
  bool differ;       /* … with different outputs; the first one: */
  char *output;      /* "result[3]" */
  char *spec, *impl; /* its values */
  char *why;         /* not done: why */
} hd_compare_run;

typedef struct {
  hd_verdict verdict;
  bool ideal;   /* equal as far as numbers are ideal */
  bool bounded; /* SAFE for so many rounds of loops only */
  char *reason; /* UNKNOWN */
  hd_lise_result lise;
  bool tried;           /* a difference was found by trying inputs: no lise */
  hd_compare_run run;   /* with different outputs: both programs executed */
  hd_vec(char *) given; /* … with these inputs: "n = 3" */
  uint64_t runs;        /* pairs of runs with inputs by chance */
} hd_compare_result;

/* Can the two be compared: is there an output, and every output in both, with
 * the same type? False after messages. */
HD_MUST_USE bool hd_compare_outputs_fit(const hd_notes *spec,
                                        const hd_notes *impl, hd_diag *diag);

/* `result` must be all zero; the caller frees it. */
void hd_compare(const hd_notes *spec, const hd_notes *impl,
                const hd_compare_options *options, hd_run *run,
                hd_compare_result *result);
void hd_compare_result_free(hd_compare_result *result);

/* Executes both programs with these inputs. */
void hd_compare_execute(const hd_notes *spec,
                        const hd_input_values *spec_inputs, uint32_t spec_procs,
                        const hd_notes *impl,
                        const hd_input_values *impl_inputs, uint32_t impl_procs,
                        uint64_t order, hd_compare_run *out);
void hd_compare_run_free(hd_compare_run *run);

#endif
