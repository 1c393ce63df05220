/* SPDX-License-Identifier: MIT */
#include "model/result.h"

#include <stdarg.h>
#include <stdio.h>

const char *hd_verdict_name(hd_verdict verdict) {
  switch (verdict) {
  case HD_UNKNOWN:
    return "unknown";
  case HD_SAFE:
    return "safe";
  case HD_UNSAFE:
    return "unsafe";
  }
  hd_bug("verdict %d", (int)verdict);
}

void hd_result_free(hd_result *result) {
  hd_free(result->reason);
  hd_witness_delete(result->witness);
  hd_cert_delete(result->cert);
  hd_vec_free(&result->stats);
  for (size_t i = 0; i < result->texts.size; i++)
    hd_free(result->texts.data[i]);
  hd_vec_free(&result->texts);
  *result = (hd_result){0};
}

void hd_result_stat(hd_result *result, const char *name, const char *unit,
                    double value, const char *help) {
  hd_stat stat = {.name = name, .help = help, .unit = unit, .value = value};
  hd_vec_push(&result->stats, stat);
}

static const char *keep(hd_result *result, const char *text) {
  hd_vec_push(&result->texts, hd_strdup(text));
  return hd_vec_last(&result->texts);
}

void hd_result_stat_copy(hd_result *result, const char *name, const char *unit,
                         double value, const char *help) {
  hd_result_stat(result, keep(result, name), keep(result, unit), value,
                 keep(result, help));
}

void hd_result_unknown(hd_result *result, const char *format, ...) {
  char text[512];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  hd_free(result->reason);
  result->reason = hd_strdup(text);
  result->verdict = HD_UNKNOWN;
}

void hd_result_add_stats(hd_result *into, hd_result *from) {
  for (hd_vec_each(hd_stat, stat, &from->stats))
    hd_vec_push(&into->stats, *stat);
  for (size_t i = 0; i < from->texts.size; i++)
    hd_vec_push(&into->texts, from->texts.data[i]);
  hd_vec_clear(&from->stats);
  hd_vec_clear(&from->texts);
}
