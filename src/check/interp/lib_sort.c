/* SPDX-License-Identifier: MIT */
/* qsort and bsearch: the comparison is a function of the program, so the call is
 * a small machine of its own that enters it once a comparison and goes on when
 * it returns. Sorting is by insertion. C leaves open in which order equal elements
 * come, and which of them is found: where there are some, what follows is one of
 * many (hd_machine_vague). */
#include "check/interp/lib.h"

#include "check/interp/heap.h"
#include "check/interp/symbolic.h"

#include <string.h>

struct hd_sort {
  bool search;
  uint64_t base, count, size, compare, key;
  uint64_t i, j;      /* sort: element i goes down to j */
  uint64_t low, high; /* search: the range left */
  uint64_t found; /* … 1 + the element that was found; then its neighbours */
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
  copy.found = sort->found;
  hd_vec_reserve(out, out->size + size);
  memcpy(out->data + out->size, &copy, size);
  out->size += size;
}

static void finish(hd_machine *m, hd_thread *t, uint64_t result) {
  hd_lib_sort_delete(t->sort);
  t->sort = NULL;
  hd_machine_value value = {result, 0};
  hd_thread_finish_call(m, t, &value, 1);
}

static uint64_t element(const struct hd_sort *s, uint64_t i) {
  return s->base + i * s->size;
}

/* Enters the comparison of two addresses. */
static void ask(hd_machine *m, hd_thread *t, uint64_t a, uint64_t b) {
  hd_func_id func = hd_ram_func_at(m, t->sort->compare);
  hd_machine_value args[2] = {{a, 0}, {b, 0}};
  hd_thread_push(m, t, func, args, 2, HD_FRAME_SORT);
}

static uint64_t middle_of(const struct hd_sort *s) {
  return s->low + (s->high - s->low) / 2;
}

/* After one was found its neighbours are looked at: are there others? */
static void search_on(hd_machine *m, hd_thread *t) {
  struct hd_sort *s = t->sort;
  if (s->low < s->high)
    ask(m, t, s->key, element(s, s->found ? s->low : middle_of(s)));
  else
    finish(m, t, s->found ? element(s, s->found - 1) : 0);
}

/* The next comparison, or the end. */
static void go_on(hd_machine *m, hd_thread *t) {
  struct hd_sort *s = t->sort;
  if (s->search) {
    search_on(m, t);
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

/* The elements compare equal. */
static bool note_equal(hd_machine *m, const hd_thread *t, uint64_t a,
                       uint64_t b) {
  uint64_t size = t->sort->size;
  if (!hd_ram_check(m, t->id, a, size, false, false) ||
      !hd_ram_check(m, t->id, b, size, false, false))
    return false;
  hd_symbolic_pin_bytes(m, a, size);
  hd_symbolic_pin_bytes(m, b, size);
  const uint8_t *undef, *x = hd_ram_bytes(m, a, &undef);
  const uint8_t *y = hd_ram_bytes(m, b, &undef);
  if (memcmp(x, y, size))
    m->plan->vague = "elements that compare equal are sorted, in an order that "
                     "C leaves open";
  return true;
}

/* The neighbours of what was found, as far as they are not known to differ: at
 * most two elements are left. */
static void search_next(hd_machine *m, struct hd_sort *s, int64_t order) {
  uint64_t middle = middle_of(s);
  if (s->found) {
    if (!order)
      m->plan->vague = "several elements are what bsearch looks for";
    s->low = s->low < s->found ? s->found : s->high;
    if (s->low < s->high)
      s->high = s->low + 1;
  } else if (order < 0) {
    s->high = middle;
  } else if (order > 0) {
    s->low = middle + 1;
  } else {
    s->found = middle + 1;
    s->high = middle + 1 < s->high ? middle + 2 : middle + 1;
    s->low = middle > s->low ? middle - 1 : middle + 1;
  }
}

void hd_lib_sort_next(hd_machine *m, hd_thread *t, hd_machine_value result) {
  struct hd_sort *s = t->sort;
  if (hd_symbolic(m, result))
    hd_symbolic_need(m, HD_NEED_SIGN, 32, &result);
  if (result.undef &&
      hd_machine_undefined(m, t->id,
                           "the comparison returns a value that was never set"))
    return;
  int64_t order = hd_word_signed(result.bits, 32);
  if (s->search) {
    search_next(m, s, order);
  } else if (order > 0) {
    if (!swap(m, t, element(s, s->j - 1), element(s, s->j)))
      return;
    if (--s->j == 0)
      s->j = ++s->i;
  } else {
    if (!order && !note_equal(m, t, element(s, s->j - 1), element(s, s->j)))
      return;
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
