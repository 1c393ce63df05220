/* SPDX-License-Identifier: MIT */
#include "model/turns.h"

void hd_start_set(hd_start *start, const char *name, const char *value) {
  hd_setting setting = {hd_strdup(name), hd_strdup(value)};
  hd_vec_push(&start->inputs, setting);
}

void hd_start_free(hd_start *start) {
  for (hd_vec_each(hd_setting, s, &start->inputs)) {
    hd_free(s->name);
    hd_free(s->value);
  }
  hd_vec_free(&start->inputs);
  *start = (hd_start){0};
}
