/* SPDX-License-Identifier: MIT */
#include "model/small_impl.h"

#include <string.h>

hd_small *hd_small_new(const hd_code *code, const hd_small_options *options,
                       hd_str *why) {
  hd_small *s = hd_calloc(1, sizeof *s);
  s->code = code;
  s->options = options;
  s->w = &s->thread;
  hd_small_table_init(&s->shared);
  hd_small_table_init(&s->local);
  if (!hd_small_prepare(s, why)) {
    hd_small_delete(s);
    return NULL;
  }
  return s;
}

void hd_small_delete(hd_small *s) {
  if (!s)
    return;
  hd_small_unprepare(s);
  hd_small_table_free(&s->shared);
  hd_small_table_free(&s->local);
  hd_small_work_free(&s->thread);
  hd_small_work_free(&s->created);
  for (size_t i = 0; i < s->reasons.size; i++)
    hd_free(s->reasons.data[i]);
  hd_vec_free(&s->reasons);
  hd_vec_free(&s->labels);
  hd_vec_free(&s->now);
  hd_vec_free(&s->scratch);
  hd_vec_free(&s->script);
  hd_vec_free(&s->options_at);
  hd_free(s);
}

const hd_code *hd_small_code(const hd_small *s) {
  return s->code;
}

size_t hd_small_n_shared(const hd_small *s) {
  return hd_small_table_size(&s->shared);
}

size_t hd_small_n_local(const hd_small *s) {
  return hd_small_table_size(&s->local);
}

void hd_small_start(hd_small *s, hd_modular_state *shared,
                    hd_modular_state *local, hd_small_acts *acts) {
  size_t n = s->start_shared.size;
  *shared = hd_small_table_put(&s->shared, s->start_shared.data, n);
  hd_vec_resize(&s->now, n);
  if (n)
    memcpy(s->now.data, s->start_shared.data, n);
  s->w = &s->thread;
  s->atomic = 0;
  hd_small_work_clear(s, s->w);
  hd_small_push(s, s->w, s->code->main, HD_FRAME_KIND_MAIN);
  bool stands = hd_small_settle(s);
  assert(stands); /* main's return is visible */
  (void)stands;
  *local = hd_small_encode(s, s->w);
  for (hd_vec_each(const hd_small_act, act, &s->w->acts))
    if (acts)
      hd_vec_push(acts, *act);
}

/* --- what happens to others --- */

uint32_t hd_small_n_labels(const hd_small *s) {
  return (uint32_t)s->labels.size;
}

hd_modular_image hd_small_image(hd_small *s, uint32_t label,
                                hd_modular_state local) {
  assert(label && label <= s->labels.size);
  hd_small_label what = s->labels.data[label - 1];
  hd_modular_image image = {.first = local, .second = HD_NO_ID};
  hd_small_work w = {0};
  hd_small_decode(s, local, &w);
  if (what.wakes) {
    if (w.parked == HD_PARKED_WAITS && w.cond == what.address) {
      w.parked = HD_PARKED_RELOCK;
      image.second = hd_small_encode(s, &w);
    }
  } else {
    for (hd_vec_each(const hd_small_own, own, &w.owned))
      if (own->address == what.address && own->kind == HD_OWN_READ)
        image.first = HD_NO_ID;
  }
  hd_small_work_free(&w);
  return image;
}

hd_modular_state hd_small_woken(hd_small *s, hd_modular_state local) {
  hd_small_work *w = &s->created;
  hd_small_decode(s, local, w);
  if (w->parked != HD_PARKED_WAITS)
    return HD_NO_ID;
  w->parked = HD_PARKED_RELOCK;
  return hd_small_encode(s, w);
}

/* --- questions --- */

const char *hd_small_reason(const hd_small *s, uint32_t reason) {
  assert(reason < s->reasons.size);
  return s->reasons.data[reason];
}

bool hd_small_mixes(const hd_small *s, hd_str *why) {
  for (hd_global_id g = 0; g < s->code->globals.size; g++) {
    const hd_global *global = &s->code->globals.data[g];
    uint32_t at = s->global_at[g];
    if (at == HD_NO_ID || global->thread_local)
      continue;
    for (uint64_t i = 0; i < global->size; i++)
      if (s->role[at + i] == 3) {
        hd_str_puts(why, "the program looks into a lock: '");
        hd_code_print_place(why, s->code,
                            global->cname ? global->cname : global->name,
                            global->ctype, i, 1);
        hd_str_puts(why, "'");
        return true;
      }
  }
  return false;
}
