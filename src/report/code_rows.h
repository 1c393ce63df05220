/* SPDX-License-Identifier: MIT */
/* A recorded run as rows: what one thread did in one statement without being
 * interrupted. The text, JSON and SVG reports are made from these. */
#ifndef HD_REPORT_CODE_ROWS_H
#define HD_REPORT_CODE_ROWS_H

#include "report/code.h"
#include "report/story.h"

typedef struct {
  uint32_t first, last; /* moves */
  hd_tid thread;
  hd_func_id func;
  hd_cpos pos;
  uint32_t depth;
  const char *statement; /* of the source, on one line */
  const char *effect;    /* "x = 3; locks m"; never NULL */
  bool shows;            /* shared access, synchronisation, output */
  bool waits;            /* at its end the thread waits */
  bool failed;           /* the violation is here */
} hd_row;

/* What a row changed, for showing the state after it. */
typedef struct {
  size_t row;
  hd_change_kind kind;
  hd_tid thread;    /* whose: HD_CHANGE_LOCAL and of locks; else HD_NO_ID */
  const char *name; /* of the variable or lock; "" where there is none */
  const char *value;
} hd_row_change;

typedef struct {
  const hd_code *code;
  hd_vec(hd_row) rows;
  hd_vec(hd_arrow) arrows;
  hd_vec(hd_row_change) changes; /* in the order of their rows */
  hd_vec(const char *) threads;  /* "main", "worker 1" */
  hd_arena arena;
} hd_code_rows;

/* `violation` may be NULL. */
hd_code_rows *hd_code_rows_new(const hd_code_trace *trace,
                               const hd_violation *violation);
void hd_code_rows_delete(hd_code_rows *rows);
/* Rows that a reader wants to see: those that show something, around changes
 * of thread, and the last ones. One flag a row; the caller frees it. */
bool *hd_code_rows_select(const hd_code_rows *rows, bool all);

/* "file.c:12" */
void hd_code_where(hd_str *out, const hd_code *code, hd_cpos pos);
/* What a C programmer calls the function. */
const char *hd_code_func_name(const hd_code *code, hd_func_id func);
/* Where a reader looks for it: the call that leads into heddle's model of a function
 * of the library, and that function (HD_NO_ID: it is no model's). */
typedef struct {
  hd_edge_id edge;
  hd_func_id model;
} hd_shown_edge;
hd_shown_edge hd_code_shown_edge(const hd_code *code,
                                 const hd_code_trace *trace, hd_tid thread,
                                 hd_edge_id edge);
/* The function an edge is in. */
hd_func_id hd_code_func_of(const hd_code *code, hd_edge_id edge);

#endif
