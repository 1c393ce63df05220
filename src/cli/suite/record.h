/* SPDX-License-Identifier: MIT */
/* The result of a task, and how it is written: one line of JSON (docs/suite.md).
 */
#ifndef HD_CLI_SUITE_RECORD_H
#define HD_CLI_SUITE_RECORD_H

#include "cli/suite/task.h"

typedef enum {
  HD_JUDGED_RIGHT,
  HD_JUDGED_WRONG,
  HD_JUDGED_UNKNOWN, /* no verdict */
  HD_JUDGED_OPEN,    /* a verdict, and nothing is expected */
  HD_JUDGED_ERROR,   /* heddle failed, or the input is none */
  HD_JUDGED_COUNT
} hd_judged;

typedef struct {
  char *task; /* its name */
  hd_verdict verdict;
  bool error;
  bool known; /* the expectation, when it was run */
  hd_verdict expected;
  char *part;     /* … and which part is violated; may be NULL */
  char *violated; /* parts that are, as SV-COMP calls them; may be NULL */
  char *engine, *reason; /* may be NULL */
  int exit_code;
  double wall, cpu; /* seconds */
  double memory;    /* bytes, the largest process */
} hd_record;

/* "right", "wrong", "unknown", "no expectation", "error" */
const char *hd_judged_name(hd_judged judged);
hd_judged hd_record_judge(const hd_record *record);
/* One line, with its end. */
void hd_record_print(hd_str *out, const hd_record *record);
/* False when the line is not one that hd_record_print writes. */
HD_MUST_USE bool hd_record_read(const char *line, size_t size,
                                hd_record *record);
void hd_record_free(hd_record *record);

typedef struct {
  hd_vec(hd_record) all;
  size_t whole; /* bytes up to the end of the last line that is whole */
} hd_records;

/* Reads a file of lines; a last line that was cut off is left out. False, after
 * a message, when the file cannot be read or another line is no result. */
HD_MUST_USE bool hd_records_read(hd_records *records, const char *path,
                                 hd_diag *diag);
/* The last one about a task, or NULL. */
const hd_record *hd_records_find(const hd_records *records, const char *task);
void hd_records_free(hd_records *records);

#endif
