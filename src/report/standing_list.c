/* SPDX-License-Identifier: MIT */
/* The list of violations in words. */
#include "report/standing.h"

#include "report/code_rows.h"
#include "report/describe.h"
#include "report/fingerprint.h"
#include "report/report.h"

const char *hd_standing_name(hd_standing standing) {
  static const char *const names[] = {[HD_STANDING_NEW] = "new",
                                      [HD_STANDING_IGNORED] = "ignored",
                                      [HD_STANDING_BASELINE] = "baseline"};
  return names[standing];
}

void hd_fingerprint_print(hd_str *out, uint64_t fingerprint) {
  hd_str_printf(out, "%016llx", (unsigned long long)fingerprint);
}

void hd_standing_sort(hd_code_result *result) {
  for (hd_vec_each(hd_code_answer, a, &result->more)) {
    hd_code_answer *first = &result->answers[a->violation.property];
    if (a->standing != HD_STANDING_NEW || first->standing == HD_STANDING_NEW)
      continue;
    hd_code_answer swap = *first;
    *first = *a;
    *a = swap;
  }
}

/* "race on counter: worker (x.c:9), main (x.c:20)" */
void hd_standing_title(hd_str *out, const hd_code *code,
                       const hd_code_answer *answer) {
  const hd_violation *v = &answer->violation;
  hd_shown_edge places[HD_PLACES_MOST];
  size_t n = hd_violation_places(code, answer->trace, v, places);
  hd_str_puts(out, hd_property_name(v->property));
  if (v->property == HD_PROPERTY_RACE) {
    hd_str_puts(out, " on ");
    hd_report_one_line(out, v->message ? v->message : "?");
  }
  for (size_t i = 0; i < n; i++) {
    const hd_edge_id edge = places[i].edge;
    if (edge >= code->edges.size)
      continue;
    hd_str_printf(out, "%s%s (", i ? ", " : ": ",
                  hd_code_func_name(code, hd_code_func_of(code, edge)));
    hd_code_where(out, code, code->edges.data[edge].pos);
    hd_str_puts(out, ")");
  }
}

static void put_row(hd_str *out, const hd_code *code, size_t number,
                    const hd_code_answer *a) {
  hd_str_printf(out, "%4zu  ", number);
  hd_fingerprint_print(out, a->fingerprint);
  hd_str_puts(out, "  ");
  hd_standing_title(out, code, a);
  if (a->standing == HD_STANDING_IGNORED) {
    hd_str_puts(out, "\n      ignored: ");
    hd_report_one_line(out, a->excuse);
  } else if (a->standing == HD_STANDING_BASELINE) {
    hd_str_puts(out, "\n      in the baseline");
  }
  hd_str_puts(out, "\n");
}

static size_t suppressed(const hd_code_result *result) {
  return hd_code_standing(result, HD_STANDING_IGNORED) +
         hd_code_standing(result, HD_STANDING_BASELINE);
}

void hd_standing_list(hd_str *out, const hd_code *code,
                      const hd_code_result *result) {
  hd_code_answers all = {0};
  hd_code_violations(result, &all);
  if (all.size > 1 || suppressed(result)) {
    hd_str_puts(out, "\n");
    hd_describe_counted(out, all.size, "finding", "s");
    hd_str_puts(out, ":\n");
    for (size_t i = 0; i < all.size; i++)
      put_row(out, code, i + 1, all.data[i]);
  }
  hd_vec_free(&all);
}

void hd_standing_words(hd_str *out, const hd_code_result *result) {
  size_t new = hd_code_standing(result, HD_STANDING_NEW);
  size_t old = suppressed(result);
  if (!old)
    return;
  if (new)
    hd_describe_counted(out, new, "new finding", "s");
  else
    hd_str_puts(out, "no new findings");
  hd_str_printf(out, ", %zu suppressed", old);
}
