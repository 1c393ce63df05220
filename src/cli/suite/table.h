/* SPDX-License-Identifier: MIT */
/* The results of a suite for people: a row a task, sums, and what is different
 * from another time. */
#ifndef HD_CLI_SUITE_TABLE_H
#define HD_CLI_SUITE_TABLE_H

#include "cli/suite/record.h"
#include "cli/suite/task.h"

typedef struct {
  size_t count[HD_JUDGED_COUNT];
  size_t safe, unsafe, total;
  double cpu;
  long points, most; /* as SV-COMP counts them */
} hd_sums;

void hd_table_head(hd_str *out);
void hd_table_row(hd_str *out, const hd_record *record);
void hd_sums_add(hd_sums *sums, const hd_record *record);
/* Several lines; the last one is `suite: …`. */
void hd_table_sums(hd_str *out, const hd_sums *sums, const hd_tasks *tasks,
                   size_t before, double seconds);
/* A line for each property that is left out. */
void hd_table_left_out(hd_str *out, const hd_tasks *tasks);
/* What is different: `old` against `all`, one a task. */
void hd_table_compare(hd_str *out, const hd_records *old,
                      const hd_record *const *all, size_t n);

#endif
