/* SPDX-License-Identifier: MIT */
/* Runs of weak memory: what each read reads, and why that is allowed. */
#ifndef HD_REPORT_CODE_READS_H
#define HD_REPORT_CODE_READS_H

#include "report/code.h"

/* Of a read something newer than what it reads, of a write something newer than
 * it, that the run had made before; HD_NO_ID: none. */
hd_exec_id hd_exec_overlooks(const hd_execution *execution, hd_exec_id event);
/* "reads the old 0 of x: nothing orders it after line 7"; nothing where there is
 * nothing to say. */
void hd_exec_describe(hd_str *out, const hd_code *code,
                      const hd_execution *execution, hd_exec_id event);
/* Whether a reader wants to see it: atomic, or with a meaning although it races. */
bool hd_exec_shown(const hd_execution *execution, hd_exec_id event);

/* "execution": events, places with their orders, arrows; of a trace that has one,
 * else nothing. */
void hd_exec_json(hd_json *json, const hd_code_trace *trace);
/* The graph for Graphviz: a column a thread; program order, reads-from, order of
 * writes, reads-before, and what synchronises. */
void hd_exec_dot(hd_str *out, const hd_code_trace *trace, const char *title);

#endif
