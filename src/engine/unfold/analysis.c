/* SPDX-License-Identifier: MIT */
/* What all parts of the analysis share: names of objects, alarms. */
#include "base/bitset.h"
#include "engine/unfold/state.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { MAX_UNASKED = 2 }; /* one a property */

/* Is there what the key names? */
static bool is_key(const hd_code *code, const object_key *key) {
  switch (key->kind) {
  case OBJ_GLOBAL:
  case OBJ_TLS:
    return key->what < code->globals.size && !key->depth &&
           code->globals.data[key->what].thread_local == (key->kind == OBJ_TLS);
  case OBJ_FUNC:
    return key->what < code->funcs.size && !key->thread && !key->depth;
  case OBJ_SLOT:
    return key->what < code->slots.size;
  case OBJ_HEAP:
  case OBJ_ALLOCA:
    return key->what < code->edges.size;
  case OBJ_ARGS:
    return !key->thread && !key->depth;
  }
  return false;
}

hd_object_id hd_analysis_object(analysis *a, object_key key) {
  assert(is_key(a->code, &key));
  return *object_map_put(&a->objects, key, (hd_object_id)a->objects.size, NULL);
}

void hd_analysis_mark(analysis *a, uint64_t **bits, size_t *words,
                      hd_object_id object) {
  assert(object < a->objects.size);
  size_t need = hd_bits_words((size_t)object + 1);
  if (need > *words) {
    *bits = hd_realloc(*bits, need * sizeof **bits);
    memset(*bits + *words, 0, (need - *words) * sizeof **bits);
    *words = need;
  }
  a->marks += !hd_bits_test(*bits, object);
  hd_bits_set(*bits, object);
}

bool hd_analysis_has_locks(const analysis *a, hd_object_id object) {
  return object / 64 < a->lock_words && hd_bits_test(a->lock_bits, object);
}

bool hd_analysis_is_shared(const analysis *a, hd_object_id object) {
  return object / 64 < a->shared_words && hd_bits_test(a->shared_bits, object);
}

void hd_analysis_print_object(analysis *a, hd_str *out, hd_object_id object,
                              int64_t offset, uint32_t bytes) {
  const hd_code *code = a->code;
  const object_key *key = object_of(a, object);
  const char *name = NULL;
  hd_ctype_id ctype = HD_NO_ID;
  if (key->kind == OBJ_GLOBAL || key->kind == OBJ_TLS) {
    const hd_global *g = &code->globals.data[key->what];
    name = g->cname ? g->cname : g->name;
    ctype = g->ctype;
  } else if (key->kind == OBJ_SLOT) {
    name = code->slots.data[key->what].cname;
    ctype = code->slots.data[key->what].ctype;
  } else if (key->kind == OBJ_FUNC) {
    name = code->funcs.data[key->what].name;
  }
  if (key->kind == OBJ_ARGS) {
    hd_str_puts(out, "argv");
  } else if (!name) {
    hd_str_puts(out, "memory allocated at ");
    if (key->kind == OBJ_HEAP || key->kind == OBJ_ALLOCA)
      hd_code_print_pos(out, code, code->edges.data[key->what].pos);
    else
      hd_str_puts(out, "?");
  } else if (offset >= 0) {
    hd_code_print_place(out, code, name, ctype, (uint64_t)offset, bytes);
  } else {
    hd_str_printf(out, "%s%" PRId64, name, offset);
  }
}

void hd_analysis_alarm(analysis *a, hd_property property, hd_edge_id edge,
                       hd_edge_id other, const char *format, ...) {
  assert(property < HD_PROPERTY_COUNT && edge < a->code->edges.size);
  assert(other == HD_NO_ID || other < a->code->edges.size);
  bool asked = a->options->checks >> property & 1;
  if (!asked &&
      ((property != HD_PROPERTY_MEMORY && property != HD_PROPERTY_ARITH) ||
       a->result->unasked.size == MAX_UNASKED))
    return;
  a->alarms++;
  for (hd_vec_each(const hd_alarm, x, &a->result->alarms))
    if (x->property == property && x->edge == edge && x->other == other)
      return;
  for (hd_vec_each(const hd_alarm, x, &a->result->unasked))
    if (!asked && x->property == property)
      return;
  char buffer[400];
  va_list args;
  va_start(args, format);
  vsnprintf(buffer, sizeof buffer, format, args);
  va_end(args);
  hd_str text = {0};
  hd_str_puts(&text, buffer);
  hd_alarm alarm = {.property = property,
                    .edge = edge,
                    .other = other,
                    .message = hd_str_take(&text)};
  if (!asked) {
    hd_vec_push(&a->result->unasked, alarm);
    return;
  }
  for (hd_vec_each(const uint32_t, e, &a->now))
    hd_vec_push(&alarm.events, *e);
  hd_vec_push(&a->result->alarms, alarm);
}

void hd_analysis_give_up(analysis *a, hd_edge_id edge, const char *format,
                         ...) {
  assert(edge == HD_NO_ID || edge < a->code->edges.size);
  a->gave_up = true;
  if (a->result->reason)
    return;
  char buffer[400];
  va_list args;
  va_start(args, format);
  vsnprintf(buffer, sizeof buffer, format, args);
  va_end(args);
  hd_str text = {0};
  if (edge != HD_NO_ID) {
    hd_code_print_pos(&text, a->code, a->code->edges.data[edge].pos);
    hd_str_puts(&text, ": ");
  }
  hd_str_puts(&text, buffer);
  a->result->reason = hd_str_take(&text);
}
