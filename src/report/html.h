/* SPDX-License-Identifier: MIT */
/* The files that the HTML report is put together from; src/report/html has
 * them, scripts/embed.py makes them part of the program. */
#ifndef HD_REPORT_HTML_H
#define HD_REPORT_HTML_H

typedef struct {
  const char *name, *text;
} hd_html_file;

/* Ends with a name that is NULL. */
extern const hd_html_file hd_html_files[];

#endif
