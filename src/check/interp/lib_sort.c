/* SPDX-License-Identifier: MIT */
/* qsort and bsearch: the comparison is a function of the program, so the call is
 * a small machine of its own that enters it once a comparison and goes on when
 * it returns. Sorting is by insertion: stable, which glibc's is for small arrays
 * too (the order of equal elements is not specified). */
#include "check/interp/lib.h"

#include "check/interp/heap.h"

#include <string.h>

struct hd_sort {
  bool search;
  uint64_t base, count, size, compare, key;
  uint64_t i, j;      /* sort: element i goes down to j */
  uint64_t low, high; /* search: the range left */
};

struct hd_sort *hd_lib_sort_copy(const struct hd_sort *sort) {
  if (!sort)
    return NULL;
  struct hd_sort *copy = hd_alloc(sizeof *copy);
  *copy = *sort;
  return copy;
}

void hd_lib_sort_delete(struct hd_sort *sort) {
  hd_free(sort);
}

void hd_lib_sort_encode(hd_bytes *out, const struct hd_sort *sort) {
  size_t size = sort ? sizeof *sort : 0;
  struct hd_sort copy;
  if (!size)
    return;
  memset(&copy, 0, sizeof copy); /* padding */
  copy.search = sort->search;
  copy.base = sort->base;
  copy.count = sort->count;
  copy.size = sort->size;
  copy.compare = sort->compare;
  copy.key = sort->key;
  copy.i = sort->i;
  copy.j = sort->j;
  copy.low = sort->low;
  copy.high = sort->high;
  hd_vec_reserve(out, out->size + size);
  memcpy(out->data + out->size, &copy, size);
  out->size += size;
}

static void finish(hd_machine *m, hd_thread *t, uint64_t result) {
  hd_lib_sort_delete(t->sort);
  t->sort = NULL;
  hd_value value = {result, 0};
  hd_thread_finish_call(m, t, &value, 1);
}

static uint64_t element(const struct hd_sort *s, uint64_t i) {
  return s->base + i * s->size;
}

/* Enters the comparison of two addresses. */
static void ask(hd_machine *m, hd_thread *t, uint64_t a, uint64_t b) {
  hd_func_id func = hd_ram_func_at(m, t->sort->compare);
  hd_value args[2] = {{a, 0}, {b, 0}};
  hd_thread_push(m, t, func, args, 2, HD_FRAME_SORT);
}

/* The next comparison, or the end. */
static void go_on(hd_machine *m, hd_thread *t) {
  struct hd_sort *s = t->sort;
  if (s->search) {
    if (s->low < s->high)
      ask(m, t, s->key, element(s, s->low + (s->high - s->low) / 2));
    else
      finish(m, t, 0);
    return;
  }
  if (s->i < s->count)
    ask(m, t, element(s, s->j - 1), element(s, s->j));
  else
    finish(m, t, 0);
}

static bool swap(hd_machine *m, hd_thread *t, uint64_t a, uint64_t b) {
  uint64_t size = t->sort->size;
  if (!hd_ram_check(m, t->id, a, size, true, false) ||
      !hd_ram_check(m, t->id, b, size, true, false))
    return false;
  m->hidden = true;
  hd_heap_cut(m, a, size);
  hd_heap_cut(m, b, size);
  const uint8_t *undef, *bytes = hd_ram_bytes(m, a, &undef);
  uint8_t *kept = hd_alloc(size), *shadow = NULL;
  memcpy(kept, bytes, size);
  if (undef) {
    shadow = hd_alloc(size);
    memcpy(shadow, undef, size);
  }
  bytes = hd_ram_bytes(m, b, &undef);
  hd_ram_write(m, a, bytes, undef, size);
  hd_ram_write(m, b, kept, shadow, size);
  hd_free(kept);
  hd_free(shadow);
  return true;
}

void hd_lib_sort_next(hd_machine *m, hd_thread *t, hd_value result) {
  struct hd_sort *s = t->sort;
  if (result.undef &&
      hd_machine_undefined(m, t->id,
                           "the comparison returns a value that was never set"))
    return;
  int64_t order = hd_word_signed(result.bits, 32);
  if (s->search) {
    uint64_t middle = s->low + (s->high - s->low) / 2;
    if (!order) {
      finish(m, t, element(s, middle));
      return;
    }
    if (order < 0)
      s->high = middle;
    else
      s->low = middle + 1;
  } else if (order > 0) {
    if (!swap(m, t, element(s, s->j - 1), element(s, s->j)))
      return;
    if (--s->j == 0)
      s->j = ++s->i;
  } else {
    s->j = ++s->i;
  }
  go_on(m, t);
}

void hd_lib_sort(hd_call *c) {
  bool search = c->fn == HD_LIB_bsearch;
  size_t at = search ? 1 : 0;
  struct hd_sort fresh = {.search = search,
                          .key = search ? hd_arg(c, 0) : 0,
                          .base = hd_arg(c, at),
                          .count = hd_arg(c, at + 1),
                          .size = hd_arg(c, at + 2),
                          .compare = hd_arg(c, at + 3),
                          .i = 1,
                          .j = 1};
  fresh.high = fresh.count;
  hd_func_id func = hd_ram_func_at(c->m, fresh.compare);
  if (func == HD_NO_ID || !c->m->plan->code->funcs.data[func].defined) {
    hd_call_unsupported(c, "its comparison is not defined in the program");
    return;
  }
  if (c->t->sort) {
    hd_call_unsupported(c, "sorting inside a comparison");
    return;
  }
  uint64_t bytes;
  if (__builtin_mul_overflow(fresh.count, fresh.size, &bytes))
    bytes = UINT64_MAX;
  if (!hd_range(c, fresh.base, bytes, !search, false))
    return;
  c->stay = true;
  c->t->sort = hd_lib_sort_copy(&fresh);
  go_on(c->m, c->t);
}
