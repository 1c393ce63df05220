/* SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include "base/mem.h"
#include "base/str.h"

#include <string.h>
#include <sys/ioctl.h>

struct hd_display {
  FILE *out;
  bool live, rows, shown; /* shown: a live line stands there now */
  double start, last_row;
  char engine[32]; /* of the last row */
  uint64_t last_value;
};

hd_display *hd_display_new(FILE *out, bool live, bool rows, double start) {
  hd_display *display = hd_calloc(1, sizeof *display);
  display->out = out;
  display->live = live;
  display->rows = rows;
  display->start = start;
  return display;
}

void hd_display_delete(hd_display *display) {
  hd_free(display);
}

void hd_display_clear(hd_display *display) {
  if (!display || !display->shown)
    return;
  fputs("\r\033[K", display->out);
  fflush(display->out);
  display->shown = false;
}

/* 950, 12.3k, 4.56M: four columns are enough for a look. */
static void print_short(hd_str *out, uint64_t n) {
  static const char units[] = "kMGTPE";
  if (n < 10000) {
    hd_str_printf(out, "%llu", (unsigned long long)n);
    return;
  }
  double value = (double)n;
  int unit = -1;
  while (value >= 1000) {
    value /= 1000;
    unit++;
  }
  hd_str_printf(out,
                value < 10    ? "%.2f%c"
                : value < 100 ? "%.1f%c"
                              : "%.0f%c",
                value, units[unit]);
}

static int columns(void) {
  struct winsize size;
  if (ioctl(2, TIOCGWINSZ, &size) == 0 && size.ws_col > 20)
    return size.ws_col;
  return 80;
}

static void show_line(hd_display *display, const hd_progress *progress,
                      double seconds) {
  hd_str line = {0};
  hd_str_printf(&line, "%s  %.1f s  %zu MB", progress->engine, seconds,
                hd_mem_current() >> 20);
  for (int i = 0; i < 4 && progress->names[i]; i++) {
    hd_str_printf(&line, "  %s ", progress->names[i]);
    print_short(&line, progress->values[i]);
  }
  if (seconds > 0.5 && progress->names[0]) {
    hd_str_puts(&line, "  ");
    print_short(&line, (uint64_t)((double)progress->values[0] / seconds));
    hd_str_puts(&line, "/s");
  }
  fprintf(display->out, "\r\033[K%.*s", columns() - 1, hd_str_text(&line));
  fflush(display->out);
  display->shown = true;
  hd_str_free(&line);
}

static void print_header(hd_display *display, const hd_progress *progress) {
  fprintf(display->out, "  %8s %6s  %-8s", "time", "MB", "engine");
  for (int i = 0; i < 4 && progress->names[i]; i++)
    fprintf(display->out, " %14s", progress->names[i]);
  fputc('\n', display->out);
}

/* Why a row is due now, or 0. */
static char due(const hd_display *display, const hd_progress *progress,
                double seconds) {
  if (strcmp(display->engine, progress->engine))
    return '>';
  if (progress->values[0] >= 2 * display->last_value &&
      progress->values[0] > 100)
    return '2';
  return seconds >= display->last_row + 1 ? '.' : 0;
}

static void print_row(hd_display *display, const hd_progress *progress,
                      double seconds) {
  char why = due(display, progress, seconds);
  if (!why)
    return;
  hd_display_clear(display);
  if (why == '>') {
    snprintf(display->engine, sizeof display->engine, "%s", progress->engine);
    print_header(display, progress);
  }
  fprintf(display->out, "%c %8.2f %6zu  %-8s", why, seconds,
          hd_mem_current() >> 20, progress->engine);
  for (int i = 0; i < 4 && progress->names[i]; i++)
    fprintf(display->out, " %14llu", (unsigned long long)progress->values[i]);
  fputc('\n', display->out);
  fflush(display->out);
  display->last_row = seconds;
  display->last_value = progress->values[0];
}

void hd_display_show(void *context, const hd_progress *progress) {
  hd_display *display = context;
  double seconds = hd_now() - display->start;
  if (display->rows)
    print_row(display, progress, seconds);
  if (display->live)
    show_line(display, progress, seconds);
}
