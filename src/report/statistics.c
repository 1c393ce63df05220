/* SPDX-License-Identifier: MIT */
/* The statistics table: name, value, rate, meaning. */
#include "report/report.h"

#include "report/describe.h"

#include <math.h>
#include <string.h>

static void print_value(hd_str *out, const hd_stat *stat) {
  const char *unit = stat->unit ? stat->unit : "";
  if (!strcmp(unit, "bytes")) {
    hd_str_printf(out, "%.1f MB", stat->value / 1048576);
  } else if (!strcmp(unit, "s")) {
    hd_str_printf(out, "%.3f s", stat->value);
  } else if (stat->value >= 0 && stat->value < 9e15 &&
             floor(stat->value) == stat->value) {
    hd_describe_count(out, (uint64_t)stat->value);
    hd_str_printf(out, "%s%s", *unit ? " " : "", unit);
  } else {
    hd_str_printf(out, "%.4g%s%s", stat->value, *unit ? " " : "", unit);
  }
}

/* Plain counts get a rate, times a share of the whole. */
static void print_derived(hd_str *out, const hd_stat *stat, double seconds) {
  const char *unit = stat->unit ? stat->unit : "";
  if (!*unit && seconds >= 0.01 && stat->value >= 100) {
    hd_describe_count(out, (uint64_t)(stat->value / seconds));
    hd_str_puts(out, "/s");
  } else if (!strcmp(unit, "s") && seconds >= 0.01) {
    hd_str_printf(out, "%.0f%%", 100 * stat->value / seconds);
  }
}

static void print_stat(hd_str *out, const hd_stat *stat, double seconds) {
  hd_str value = {0}, derived = {0};
  print_value(&value, stat);
  print_derived(&derived, stat, seconds);
  hd_str_printf(out, "  %-20s %11s %11s  %s\n", stat->name, hd_str_text(&value),
                hd_str_text(&derived), stat->help ? stat->help : "");
  hd_str_free(&value);
  hd_str_free(&derived);
}

void hd_report_statistics(hd_str *out, const hd_report *report) {
  if (!report->statistics)
    return;
  hd_str_puts(out, "\n");
  const hd_stat process[] = {
      {"time.total", "wall time since the start", "s", report->seconds},
      {"time.cpu", "processor time", "s", report->cpu},
      {"memory.peak", "most counted memory", "bytes", (double)report->memory},
      {"memory.resident", "most memory of the process", "bytes",
       (double)report->resident},
  };
  for (hd_vec_each(const hd_stat, stat, &report->result->stats))
    print_stat(out, stat, report->seconds);
  for (size_t i = 0; i < sizeof process / sizeof *process; i++)
    print_stat(out, &process[i], report->seconds);
}
