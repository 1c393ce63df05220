/* SPDX-License-Identifier: MIT */
/* Progress on standard error: one live line on a terminal, rows with -v. The
 * rows come when an engine starts, when its first number has doubled, and else
 * once a second; their first column says which ('>', '2', '.'). */
#ifndef HD_CLI_PROGRESS_H
#define HD_CLI_PROGRESS_H

#include "base/run.h"

#include <stdio.h>

typedef struct hd_display hd_display;

hd_display *hd_display_new(FILE *out, bool live, bool rows, double start);
void hd_display_delete(hd_display *display);
/* For hd_run.show; `context` is the display. */
void hd_display_show(void *context, const hd_progress *progress);
/* Wipes the live line, if there is one. */
void hd_display_clear(hd_display *display);

#endif
