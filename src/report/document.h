/* SPDX-License-Identifier: MIT */
/* What all JSON reports have in common; docs/json.md is the description.
 * HD_SCHEMA grows when a member changes its meaning or goes away; new members
 * may come at any time. */
#ifndef HD_REPORT_DOCUMENT_H
#define HD_REPORT_DOCUMENT_H

#include "report/json.h"
#include "report/report.h"

#define HD_SCHEMA 1

/* "heddle", "schema", "command" and "model". */
void hd_document_head(hd_json *json, const char *command, const hd_net *net);
/* "statistics", "time" and "memory". */
void hd_document_figures(hd_json *json, const hd_report *report);

#endif
