/* SPDX-License-Identifier: MIT */
#include "cli/progress.h"

#include "base/mem.h"
#include "base/str.h"

#include <string.h>
#include <sys/ioctl.h>

/* What is known of an engine; several may work side by side. */
typedef struct {
  char name[32], unit[32]; /* unit: of its first number */
  uint64_t value;
  size_t memory;
  double seen, last_row;
  uint64_t last_value; /* of the last row */
} worker;

enum { WORKERS_MOST = 6 };
/* Who has not been heard of for so long is left out of the live line. */
static const double fresh = 3;

struct hd_display {
  FILE *out;
  bool live, rows, shown; /* shown: a live line stands there now */
  double start;
  char engine[32]; /* of the last row */
  worker workers[WORKERS_MOST];
  size_t n_workers;
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

/* The place of an engine in the table; the one that was silent longest makes
 * room. */
static worker *note(hd_display *display, const hd_progress *progress,
                    double seconds) {
  worker *w = NULL;
  for (size_t i = 0; i < display->n_workers && !w; i++)
    if (!strcmp(display->workers[i].name, progress->engine))
      w = &display->workers[i];
  if (!w && display->n_workers < WORKERS_MOST)
    w = &display->workers[display->n_workers++];
  else if (!w) {
    w = &display->workers[0];
    for (size_t i = 1; i < WORKERS_MOST; i++)
      if (display->workers[i].seen < w->seen)
        w = &display->workers[i];
    *w = (worker){.seen = 0};
  }
  snprintf(w->name, sizeof w->name, "%s", progress->engine);
  snprintf(w->unit, sizeof w->unit, "%s",
           progress->names[0] ? progress->names[0] : "");
  w->value = progress->values[0];
  w->memory = progress->memory;
  w->seen = seconds;
  return w;
}

static size_t count_fresh(const hd_display *display, double seconds) {
  size_t n = 0;
  for (size_t i = 0; i < display->n_workers; i++)
    n += seconds - display->workers[i].seen < fresh;
  return n;
}

static void print_live(hd_display *display, hd_str *line) {
  fprintf(display->out, "\r\033[K%.*s", columns() - 1, hd_str_text(line));
  fflush(display->out);
  display->shown = true;
  hd_str_free(line);
}

/* 3.2 s  45 MB  km 12.3k nodes  bws 5120 configurations */
static void print_workers(hd_str *line, const hd_display *display,
                          double seconds, bool units) {
  size_t memory = hd_mem_current();
  for (size_t i = 0; i < display->n_workers; i++)
    memory += display->workers[i].memory;
  hd_str_printf(line, "%.1f s  %zu MB", seconds, memory >> 20);
  for (size_t i = 0; i < display->n_workers; i++) {
    const worker *w = &display->workers[i];
    if (seconds - w->seen >= fresh)
      continue;
    hd_str_printf(line, "  %s ", w->name);
    print_short(line, w->value);
    if (units)
      hd_str_printf(line, " %s", w->unit);
  }
}

/* What they count is left out where there is no room for all of them. */
static void show_workers(hd_display *display, double seconds) {
  hd_str line = {0};
  print_workers(&line, display, seconds, true);
  if (line.size >= (size_t)columns()) {
    hd_vec_clear(&line);
    print_workers(&line, display, seconds, false);
  }
  print_live(display, &line);
}

static size_t memory_of(const hd_progress *progress) {
  return progress->memory ? progress->memory : hd_mem_current();
}

static void show_line(hd_display *display, const hd_progress *progress,
                      double seconds) {
  hd_str line = {0};
  hd_str_printf(&line, "%s  %.1f s  %zu MB", progress->engine, seconds,
                memory_of(progress) >> 20);
  for (int i = 0; i < 4 && progress->names[i]; i++) {
    hd_str_printf(&line, "  %s ", progress->names[i]);
    print_short(&line, progress->values[i]);
  }
  if (seconds > 0.5 && progress->names[0]) {
    hd_str_puts(&line, "  ");
    print_short(&line, (uint64_t)((double)progress->values[0] / seconds));
    hd_str_puts(&line, "/s");
  }
  print_live(display, &line);
}

static void print_header(hd_display *display, const hd_progress *progress) {
  fprintf(display->out, "  %8s %6s  %-8s", "time", "MB", "engine");
  for (int i = 0; i < 4 && progress->names[i]; i++)
    fprintf(display->out, " %14s", progress->names[i]);
  fputc('\n', display->out);
}

/* Why a row is due now, or 0. */
static char due(const worker *w, const hd_progress *progress, double seconds) {
  if (w->last_row <= 0)
    return '>';
  if (progress->values[0] >= 2 * w->last_value && progress->values[0] > 100)
    return '2';
  return seconds >= w->last_row + 1 ? '.' : 0;
}

static void print_row(hd_display *display, worker *w,
                      const hd_progress *progress, double seconds) {
  char why = due(w, progress, seconds);
  if (!why)
    return;
  hd_display_clear(display);
  if (strcmp(display->engine, progress->engine) != 0) {
    snprintf(display->engine, sizeof display->engine, "%s", progress->engine);
    print_header(display, progress);
  }
  fprintf(display->out, "%c %8.2f %6zu  %-8s", why, seconds,
          memory_of(progress) >> 20, progress->engine);
  for (int i = 0; i < 4 && progress->names[i]; i++)
    fprintf(display->out, " %14llu", (unsigned long long)progress->values[i]);
  fputc('\n', display->out);
  fflush(display->out);
  w->last_row = seconds > 0 ? seconds : 1e-9;
  w->last_value = progress->values[0];
}

void hd_display_show(void *context, const hd_progress *progress) {
  hd_display *display = context;
  double seconds = hd_now() - display->start;
  worker *w = note(display, progress, seconds);
  if (display->rows)
    print_row(display, w, progress, seconds);
  if (display->live && count_fresh(display, seconds) > 1)
    show_workers(display, seconds);
  else if (display->live)
    show_line(display, progress, seconds);
}
