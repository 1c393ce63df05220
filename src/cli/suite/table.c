/* SPDX-License-Identifier: MIT */
#include "cli/suite/table.h"

#include <math.h>
#include <string.h>

static const char *verdict_of(const hd_record *r) {
  return r->error ? "error" : hd_verdict_name(r->verdict);
}

void hd_table_head(hd_str *out) {
  hd_str_printf(out, "%-8s %-8s %-15s %8s %6s  %s\n", "verdict", "expected",
                "judged", "cpu s", "MB", "task");
}

void hd_table_row(hd_str *out, const hd_record *r) {
  hd_str_printf(out, "%-8s %-8s %-15s %8.2f %6.0f  %s", verdict_of(r),
                r->known ? hd_verdict_name(r->expected) : "-",
                hd_judged_name(hd_record_judge(r)), r->cpu, r->memory / 1048576,
                r->task);
  if ((r->error || r->verdict == HD_UNKNOWN) && r->reason)
    hd_str_printf(out, " (%s)", r->reason);
  if (r->part && r->violated && hd_record_judge(r) == HD_JUDGED_WRONG)
    hd_str_printf(out, " (violates %s, expected %s)", r->violated, r->part);
  hd_str_puts(out, "\n");
}

void hd_sums_add(hd_sums *sums, const hd_record *r) {
  sums->count[hd_record_judge(r)]++;
  sums->total++;
  sums->safe += !r->error && r->verdict == HD_SAFE;
  sums->unsafe += !r->error && r->verdict == HD_UNSAFE;
  sums->cpu += r->cpu;
  if (!r->known)
    return;
  bool safe = r->expected == HD_SAFE;
  sums->most += safe ? 2 : 1;
  if (hd_record_judge(r) == HD_JUDGED_RIGHT)
    sums->points += safe ? 2 : 1;
  else if (hd_record_judge(r) == HD_JUDGED_WRONG)
    sums->points -= safe ? 16 : 32; /* a bug that is none, or one not seen */
}

void hd_table_left_out(hd_str *out, const hd_tasks *tasks) {
  for (hd_vec_each(const hd_left_out, x, &tasks->left_out))
    hd_str_printf(out, "left out: %zu of %s: %s\n", x->count, x->name, x->why);
}

void hd_table_sums(hd_str *out, const hd_sums *sums, const hd_tasks *tasks,
                   size_t before, double seconds) {
  size_t n = tasks->all.size;
  hd_table_left_out(out, tasks);
  hd_str_printf(out, "%zu tasks", n);
  if (before)
    hd_str_printf(out, ", %zu of them done before", before);
  if (tasks->skipped)
    hd_str_printf(out, ", and %zu left out", tasks->skipped);
  hd_str_printf(out, "; %.1f s, %.1f s of CPU time\n", seconds, sums->cpu);
  hd_str_printf(out,
                "verdicts: %zu safe, %zu unsafe, %zu unknown, %zu errors\n",
                sums->safe, sums->unsafe, sums->count[HD_JUDGED_UNKNOWN],
                sums->count[HD_JUDGED_ERROR]);
  if (tasks->defined && sums->most)
    hd_str_printf(out, "points, as SV-COMP counts them: %ld of %ld\n",
                  sums->points, sums->most);
  hd_str_puts(out, "suite: ");
  for (int k = 0; k < HD_JUDGED_COUNT; k++)
    hd_str_printf(out, "%s%zu %s", k ? ", " : "", sums->count[k],
                  hd_judged_name((hd_judged)k));
  if (sums->total < n)
    hd_str_printf(out, ", %zu not done", n - sums->total);
  hd_str_puts(out, "\n");
}

void hd_table_compare(hd_str *out, const hd_records *old,
                      const hd_record *const *all, size_t n) {
  size_t same = 0, fresh = 0, changed = 0, timed = 0;
  double logs = 0, before = 0, now = 0;
  for (size_t i = 0; i < n; i++) {
    const hd_record *r = all[i];
    const hd_record *o = r ? hd_records_find(old, r->task) : NULL;
    if (!r)
      continue;
    if (!o) {
      fresh++;
      continue;
    }
    before += o->cpu;
    now += r->cpu;
    if (o->cpu > 0 && r->cpu > 0) {
      logs += log((r->cpu + 0.01) / (o->cpu + 0.01));
      timed++;
    }
    if (o->error == r->error && o->verdict == r->verdict) {
      same++;
      continue;
    }
    changed++;
    hd_str_printf(out, "changed: %s -> %s (%s -> %s)  %s\n", verdict_of(o),
                  verdict_of(r), hd_judged_name(hd_record_judge(o)),
                  hd_judged_name(hd_record_judge(r)), r->task);
  }
  hd_str_printf(out, "compared: %zu the same, %zu changed, %zu new", same,
                changed, fresh);
  if (timed)
    hd_str_printf(out,
                  "; CPU time %.2f s -> %.2f s, geometric mean of the ratios "
                  "%.2f",
                  before, now, exp(logs / (double)timed));
  hd_str_puts(out, "\n");
}
