/* SPDX-License-Identifier: MIT */
/* A recorded run as rows: what one thread did in one statement without being
 * interrupted. The text, JSON and SVG reports are made from these. */
#ifndef HD_REPORT_CODE_ROWS_H
#define HD_REPORT_CODE_ROWS_H

#include "report/code.h"

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

typedef enum {
  HD_ARROW_CREATE,
  HD_ARROW_JOIN, /* from a thread's last row */
  HD_ARROW_LOCK, /* from a release to the next acquisition by another thread */
  HD_ARROW_WAKE,
  HD_ARROW_RACE, /* between the two accesses */
} hd_arrow_kind;

typedef struct {
  hd_arrow_kind kind;
  size_t from, to; /* rows */
} hd_arrow;

typedef struct {
  const hd_code *code;
  hd_vec(hd_row) rows;
  hd_vec(hd_arrow) arrows;
  hd_vec(const char *) threads; /* "main", "worker 1" */
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
/* The function an edge is in. */
hd_func_id hd_code_func_of(const hd_code *code, hd_edge_id edge);

#endif
