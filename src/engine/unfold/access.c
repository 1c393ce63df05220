/* SPDX-License-Identifier: MIT */
/* Memory accesses of a thread: which targets an address really has, and what is
 * noted for the race check. */
#include "engine/unfold/state.h"

#include <inttypes.h>

/* The part of a target that stays in the object; false: nothing does. */
static bool clip(hd_pointee *t, uint64_t size, uint64_t bytes) {
  if (bytes > size)
    return false;
  int64_t last = (int64_t)(size - bytes);
  if (!t->stride)
    return t->lo >= 0 && t->lo <= last;
  if (t->lo < 0)
    t->lo += (-t->lo + t->stride - 1) / t->stride * t->stride;
  if (t->hi > last)
    t->hi = last;
  if (t->lo > t->hi)
    return false;
  t->hi = t->lo + (t->hi - t->lo) / t->stride * t->stride;
  if (t->lo == t->hi)
    t->stride = 0;
  assert(t->lo >= 0 && t->lo <= t->hi && t->hi <= last);
  assert(!t->stride || (t->hi - t->lo) % t->stride == 0);
  return true;
}

static void alarm_at(analysis *a, hd_edge_id edge, const hd_pointee *t,
                     uint64_t bytes, const char *what) {
  hd_str name = {0};
  hd_analysis_print_object(a, &name, t->object, t->lo,
                           (uint32_t)(bytes > 8 ? 8 : bytes));
  hd_analysis_alarm(a, HD_PROPERTY_MEMORY, edge, HD_NO_ID, "%s: %s", what,
                    hd_str_text(&name));
  hd_str_free(&name);
}

bool hd_access_targets(analysis *a, const local *l, hd_edge_id edge,
                       const hd_value *address, uint64_t bytes,
                       hd_value *valid) {
  *valid = hd_value_none();
  if (address->wild) {
    hd_analysis_give_up(a, edge, "an address is not known well enough");
    return false;
  }
  if (address->undef) {
    hd_analysis_alarm(a, HD_PROPERTY_MEMORY, edge, HD_NO_ID,
                      "access through an uninitialised pointer");
    hd_analysis_alarm(a, HD_PROPERTY_UNINIT, edge, HD_NO_ID,
                      "access through an uninitialised pointer");
  }
  if (hd_value_has_int(address))
    hd_analysis_alarm(a, HD_PROPERTY_MEMORY, edge, HD_NO_ID,
                      "access through a null or invalid pointer");
  for (int i = 0; i < address->n_targets; i++) {
    hd_pointee t = address->targets[i];
    assert((t.lo == t.hi) == !t.stride);
    hd_life life = hd_memory_life(l->memory, t.object);
    if (life == HD_LIFE_DEAD || life == HD_LIFE_MAYBE)
      alarm_at(a, edge, &t, bytes, "access to memory that is gone");
    if (life == HD_LIFE_NONE)
      alarm_at(a, edge, &t, bytes, "access to something that is no memory");
    if (life == HD_LIFE_DEAD || life == HD_LIFE_NONE)
      continue;
    hd_pointee whole = t;
    bool some = clip(&t, hd_memory_size(l->memory, t.object), bytes);
    if (!some || t.lo != whole.lo ||
        t.hi < whole.hi - (int64_t)(whole.stride ? whole.stride - 1 : 0))
      alarm_at(a, edge, &whole, bytes, "access out of bounds");
    if (some)
      valid->targets[valid->n_targets++] = t;
  }
  return valid->n_targets > 0;
}

void hd_access_check_write(analysis *a, hd_edge_id edge,
                           const hd_value *valid) {
  for (int i = 0; i < valid->n_targets; i++) {
    const object_key *key = object_of(a, valid->targets[i].object);
    if ((key->kind == OBJ_GLOBAL || key->kind == OBJ_TLS) &&
        a->code->globals.data[key->what].constant)
      alarm_at(a, edge, &valid->targets[i], 1, "write to a constant");
  }
}

void hd_access_pass(analysis *a, const hd_value *value) {
  for (int i = 0; i < value->n_targets; i++)
    if (object_of(a, value->targets[i].object)->kind == OBJ_SLOT)
      hd_analysis_mark(a, &a->passed_bits, &a->passed_words,
                       value->targets[i].object);
}

hd_value hd_access_load(const local *l, const hd_value *valid, uint32_t bytes) {
  assert(valid->n_targets > 0 && bytes > 0 && bytes <= 8);
  hd_value out = hd_value_none();
  for (int i = 0; i < valid->n_targets; i++) {
    hd_value v = hd_memory_load(l->memory, &valid->targets[i], bytes);
    out = i ? hd_value_join((uint8_t)(8 * bytes), &out, &v) : v;
  }
  return out;
}

void hd_access_store(local *l, const hd_value *valid, uint32_t bytes,
                     const hd_value *value, hd_stamp stamp) {
  assert(valid->n_targets > 0 && !valid->wild);
  assert(bytes > 0 && bytes <= 8);
  for (int i = 0; i < valid->n_targets; i++) {
    const hd_pointee *t = &valid->targets[i];
    bool weak = valid->n_targets > 1 ||
                hd_memory_life(l->memory, t->object) == HD_LIFE_MAYBE;
    hd_memory_store(&l->memory, t, bytes, value, weak, stamp);
    hd_frame_written(&l->top, t->object, t->lo, t->hi + bytes);
  }
}

void hd_access_note(touches *seen, const hd_value *valid, uint64_t bytes,
                    bool write, bool atomic, hd_edge_id edge) {
  for (int i = 0; i < valid->n_targets; i++) {
    const hd_pointee *t = &valid->targets[i];
    touch fresh = {.object = t->object,
                   .lo = t->lo,
                   .hi = t->hi + (int64_t)bytes,
                   .write = write,
                   .atomic = atomic,
                   .edge = edge};
    bool old = false;
    for (hd_vec_each(const touch, x, seen))
      old = old || (x->object == fresh.object && x->lo == fresh.lo &&
                    x->hi == fresh.hi && x->write == write &&
                    x->atomic == atomic && !x->dies && !x->sync);
    if (!old)
      hd_vec_push(seen, fresh);
  }
}

/* The attributes with which something is made, where there are any. */
static void note_attributes(analysis *a, thread_id thread, const local *l,
                            hd_edge_id edge, hd_library_fn fn, uint32_t i,
                            touches *seen) {
  assert(i > 0); /* operand 0 is the function */
  assert(edge < a->code->edges.size);
  const unsigned optional = HD_ARG_READ | HD_ARG_NULL;
  hd_action does = hd_library_action(fn);
  const hd_cedge *e = &a->code->edges.data[edge];
  if ((does != HD_DO_SPAWN && does != HD_DO_MAKE) ||
      (hd_library_arg(fn, i - 1) & optional) != optional)
    return;
  hd_mays mays = 0;
  hd_value p =
      hd_eval_expr(a, thread, l, hd_code_operand(a->code, e, i), &mays);
  hd_access_note(seen, &p, 4, false, false, edge);
}

void hd_access_note_places(analysis *a, thread_id thread, const local *l,
                           hd_edge_id edge, hd_library_fn fn, bool mutex_only,
                           touches *seen) {
  assert(edge < a->code->edges.size);
  const hd_cedge *e = &a->code->edges.data[edge];
  for (uint32_t i = 1; i < e->n_operands; i++) {
    hd_library_kind kind;
    hd_place place = hd_library_place(fn, i - 1, &kind);
    note_attributes(a, thread, l, edge, fn, i, seen);
    if (place == HD_PLACE_NONE || (mutex_only && kind != HD_LIBRARY_MUTEX))
      continue;
    hd_mays mays = 0;
    hd_value p =
        hd_eval_expr(a, thread, l, hd_code_operand(a->code, e, i), &mays);
    size_t before = seen->size;
    hd_access_note(seen, &p,
                   hd_library_place_bytes(kind, a->code->pointer_width), true,
                   place == HD_PLACE_USED, edge);
    for (size_t k = before; k < seen->size; k++)
      seen->data[k].sync = true;
  }
}

hd_value hd_access_fit(hd_type type, const hd_value *v, bool to_memory) {
  assert(type.width > 0 && type.width <= 64);
  uint8_t whole = (uint8_t)(8 * hd_type_bytes(type));
  if (type.width == whole || type.kind != HD_TYPE_INT)
    return *v;
  hd_type wide = {HD_TYPE_INT, whole};
  hd_mays mays = 0;
  return to_memory ? hd_value_apply(HD_CODE_ZEXT, 0, wide, &type, v, &mays)
                   : hd_value_apply(HD_CODE_TRUNC, 0, type, &wide, v, &mays);
}

hd_value hd_access_loaded(const hd_code *code, hd_type type,
                          const hd_value *raw) {
  hd_value v = hd_access_fit(type, raw, false);
  /* No address fits in there, whatever was in memory. */
  if (type.kind != HD_TYPE_PTR && type.width < code->pointer_width)
    v.wild = false;
  return v;
}
