/* SPDX-License-Identifier: MIT */
/* What an engine hands back: a verdict, its evidence, a reason where there is
 * no verdict, and statistics. */
#ifndef HD_MODEL_RESULT_H
#define HD_MODEL_RESULT_H

#include "model/evidence.h"
#include "model/remark.h"

typedef enum { HD_UNKNOWN = 0, HD_SAFE, HD_UNSAFE } hd_verdict;

/* "unknown", "safe", "unsafe" */
const char *hd_verdict_name(hd_verdict verdict);

typedef struct {
  const char *name; /* static, or result->texts': "bws.configurations" */
  const char *help; /* … one line */
  const char *unit; /* … "", "s", "bytes" */
  double value;     /* counts are exact up to 2^53 */
} hd_stat;

typedef struct {
  hd_verdict verdict;
  const char *engine;  /* static name of the engine that decided */
  char *reason;        /* HD_UNKNOWN: why, and what to try; else NULL or a
                          remark */
  hd_why why;          /* the same as a code */
  hd_witness *witness; /* HD_UNSAFE */
  hd_cert *cert;       /* HD_SAFE */
  hd_vec(hd_stat) stats;
  hd_vec(char *) texts; /* of statistics that came from another process */
} hd_result;

/* All zero is a fresh result. Frees what it owns, not the struct. */
void hd_result_free(hd_result *result);
void hd_result_stat(hd_result *result, const char *name, const char *unit,
                    double value, const char *help);
/* The same with texts that do not last: they are copied. */
void hd_result_stat_copy(hd_result *result, const char *name, const char *unit,
                         double value, const char *help);
/* Sets verdict HD_UNKNOWN with a formatted reason. */
HD_PRINTF(2, 3)
void hd_result_unknown(hd_result *result, const char *format, ...);
/* Moves the statistics of `from` behind those of `into`. */
void hd_result_add_stats(hd_result *into, hd_result *from);

#endif
