/* SPDX-License-Identifier: MIT */
/* Names and values as a C programmer would write them, for messages and
 * events. */
#include "base/float.h"
#include "check/interp/eval.h"
#include "check/interp/memory.h"
#include "check/interp/state.h"

#include <string.h>

/* What an object is called in the source, and its type. */
static const char *object_name(const hd_machine *m, const hd_object *object,
                               hd_ctype_id *type) {
  const hd_code *code = m->plan->code;
  *type = HD_NO_ID;
  switch ((hd_object_kind)object->kind) {
  case HD_OBJECT_GLOBAL:
  case HD_OBJECT_TLS: {
    const hd_global *global = &code->globals.data[object->origin];
    *type = global->ctype;
    return global->cname ? global->cname : global->name;
  }
  case HD_OBJECT_SLOT: {
    const hd_slot *slot = &code->slots.data[object->origin];
    *type = slot->ctype;
    return slot->cname ? slot->cname : slot->name;
  }
  case HD_OBJECT_ERRNO:
    return "errno";
  case HD_OBJECT_ALLOCA:
    return "alloca";
  case HD_OBJECT_STATIC:
    return "library";
  default:
    return NULL;
  }
}

/* --- blocks --- */

/* What was allocated, by the variable that its address went to first: that one's
 * name and what it points to. NULL: that is not known. */
static const char *block_name(const hd_machine *m, const hd_object *object,
                              hd_ctype_id *type) {
  const hd_code *code = m->plan->code;
  *type = HD_NO_ID;
  if ((object->kind != HD_OBJECT_HEAP && object->kind != HD_OBJECT_ALLOCA) ||
      object->origin >= code->edges.size)
    return NULL;
  const hd_cedge *edge = &code->edges.data[object->origin];
  if (edge->n_targets != 1)
    return NULL;
  const hd_func *f = &code->funcs.data[code->locs.data[edge->from].func];
  const hd_reg *reg = &code->regs.data[f->regs + hd_code_target(code, edge, 0)];
  if (!reg->cname || reg->ctype == HD_NO_ID)
    return NULL;
  const hd_ctype *of = &code->ctypes.data[reg->ctype];
  *type = of->kind == HD_CTYPE_POINTER ? of->base
          : of->kind == HD_CTYPE_ARRAY ? reg->ctype
                                       : HD_NO_ID;
  return reg->cname;
}

/* Which of those from the same place it is, as "#2", "#3.1" in thread 3; nothing
 * for the first of main. */
static void print_number(hd_str *out, const hd_machine *m,
                         const hd_object *object, bool all) {
  for (hd_tid tid = 0; tid < m->heaps.size; tid++) {
    const hd_objects *heap = m->heaps.data[tid];
    if (!heap->objects.size || object < heap->objects.data ||
        object >= heap->objects.data + heap->objects.size)
      continue;
    size_t number = 1;
    for (const hd_object *o = heap->objects.data; o < object; o++)
      number += all || o->origin == object->origin;
    if (tid)
      hd_str_printf(out, "#%u.%zu", tid, number);
    else if (all || number > 1)
      hd_str_printf(out, "#%zu", number);
  }
}

/* "heap#2+8" */
static void print_bytes(hd_str *out, const hd_machine *m,
                        const hd_object *object, const char *name,
                        int64_t offset) {
  bool heap = object->kind == HD_OBJECT_HEAP;
  hd_str_puts(out, name ? name : heap ? "heap" : "alloca");
  if (heap)
    print_number(out, m, object, !name);
  if (offset)
    hd_str_printf(out, "%+lld", (long long)offset);
}

/* "pool->count", "jobs[2].next", "*flag" */
static void print_typed(hd_str *out, const hd_code *code, const char *base,
                        hd_ctype_id type, const hd_object *object,
                        uint64_t offset, uint64_t size) {
  const hd_ctype *of = &code->ctypes.data[type];
  hd_str place = {0};
  if (of->kind != HD_CTYPE_ARRAY && object->size >= 2 * of->size) {
    hd_str_printf(&place, "[%llu]", (unsigned long long)(offset / of->size));
    offset %= of->size;
  }
  hd_code_print_place(&place, code, "", type, offset, size);
  const char *text = hd_str_text(&place);
  if (*text == '.')
    hd_str_printf(out, "%s->%s", base, text + 1);
  else
    hd_str_printf(out, "%s%s%s", *text ? "" : "*", base, text);
  hd_str_free(&place);
}

static void print_block(hd_str *out, const hd_machine *m,
                        const hd_object *object, int64_t offset,
                        uint64_t size) {
  const hd_code *code = m->plan->code;
  hd_ctype_id type;
  const char *name = block_name(m, object, &type);
  const hd_ctype *of = type == HD_NO_ID ? NULL : &code->ctypes.data[type];
  if (!name || !of || (!of->size && of->kind != HD_CTYPE_ARRAY) || offset < 0 ||
      (uint64_t)offset >= object->size) {
    print_bytes(out, m, object, name, offset);
    return;
  }
  hd_str base = {0};
  print_bytes(&base, m, object, name, 0);
  print_typed(out, code, hd_str_text(&base), type, object, (uint64_t)offset,
              size);
  hd_str_free(&base);
}

static void print_heap(hd_str *out, const hd_machine *m,
                       const hd_object *object, int64_t offset, uint64_t size) {
  print_block(out, m, object, offset, size);
  if (object->origin != HD_NO_ID) {
    hd_str_puts(out, " (allocated at ");
    hd_code_print_pos(out, m->plan->code,
                      m->plan->code->edges.data[object->origin].pos);
    hd_str_puts(out, ")");
  }
}

void hd_machine_print_address(hd_str *out, const hd_machine *m,
                              uint64_t address, uint64_t size) {
  int64_t offset;
  const hd_object *object = hd_ram_find(m, address, &offset);
  if (hd_ram_is_dead(m->plan, address)) {
    /* It is known what it was as long as nothing else has its number. */
    offset = 0;
    if (object && (!object->freed || object->kind == HD_OBJECT_HEAP))
      object = NULL;
  }
  if (!address) {
    hd_str_puts(out, "null");
  } else if (object && object->kind == HD_OBJECT_HEAP) {
    print_heap(out, m, object, offset, size);
  } else if ((!object && hd_ram_is_dead(m->plan, address)) ||
             (object && hd_ram_gone(object, offset))) {
    hd_str_puts(out, "a variable that is gone");
  } else if (object && object->kind == HD_OBJECT_ALLOCA) {
    print_block(out, m, object, offset, size);
  } else if (object) {
    hd_ctype_id type;
    const char *name = object_name(m, object, &type);
    if (offset < 0 || (uint64_t)offset > object->size)
      hd_str_printf(out, "%s%+lld", name, (long long)offset);
    else
      hd_code_print_place(out, m->plan->code, name, type, (uint64_t)offset,
                          size);
  } else if (hd_ram_func_at(m, address) != HD_NO_ID) {
    hd_str_puts(out,
                m->plan->code->funcs.data[hd_ram_func_at(m, address)].name);
  } else {
    hd_str_printf(out, "0x%llx", (unsigned long long)address);
  }
}

/* --- values --- */

/* The type of the `size` bytes at `offset` in a type. */
static hd_ctype_id type_at(const hd_code *code, hd_ctype_id id, uint64_t offset,
                           uint64_t size) {
  for (int depth = 0; depth < 64 && id != HD_NO_ID; depth++) {
    const hd_ctype *type = &code->ctypes.data[id];
    if (type->kind == HD_CTYPE_ARRAY) {
      if (type->base == HD_NO_ID || !code->ctypes.data[type->base].size)
        return HD_NO_ID;
      offset %= code->ctypes.data[type->base].size;
      id = type->base;
      continue;
    }
    if (type->kind != HD_CTYPE_STRUCT && type->kind != HD_CTYPE_UNION)
      return id;
    hd_ctype_id inner = HD_NO_ID;
    for (uint32_t i = 0; i < type->n_fields && inner == HD_NO_ID; i++) {
      const hd_cfield *field = &code->fields.data[type->fields + i];
      uint64_t first = field->offset / 8, bytes = (field->bits + 7) / 8;
      if (offset >= first && offset + size <= first + bytes) {
        inner = field->type;
        offset -= first;
      }
    }
    id = inner;
  }
  return id;
}

static void print_enum(hd_str *out, const hd_code *code, const hd_ctype *type,
                       int64_t value) {
  for (uint32_t i = 0; i < type->n_fields; i++) {
    const hd_cfield *field = &code->fields.data[type->fields + i];
    if ((int32_t)field->offset == (int32_t)value) {
      hd_str_puts(out, field->name);
      return;
    }
  }
  hd_str_printf(out, "%lld", (long long)value);
}

/* Where a pointer into a block leads: "pool", "&pool->lock", "&jobs[2]". `size`
 * is that of what it points to. */
static void print_into_block(hd_str *out, const hd_machine *m,
                             const hd_object *object, int64_t offset,
                             uint64_t size) {
  hd_ctype_id type;
  const char *name = block_name(m, object, &type);
  hd_str_puts(out, offset || !name ? "&" : "");
  if (offset)
    print_block(out, m, object, offset, size);
  else
    print_bytes(out, m, object, name, 0);
}

static void print_pointer(hd_str *out, const hd_machine *m, uint64_t address,
                          const hd_ctype *to) {
  uint64_t size = to && to->size ? to->size : 1;
  if (!address) {
    hd_str_puts(out, "null");
    return;
  }
  int64_t offset;
  const hd_object *object = hd_ram_find(m, address, &offset);
  if (object && object->kind == HD_OBJECT_HEAP) {
    print_into_block(out, m, object, offset, size);
    return;
  }
  if (hd_ram_func_at(m, address) == HD_NO_ID)
    hd_str_puts(out, "&");
  hd_machine_print_address(out, m, address, 1);
}

static void print_float(hd_str *out, uint64_t bits, uint8_t width) {
  hd_str_printf(out, "%.17g", hd_float_value(bits, width));
}

static void print_value(hd_str *out, const hd_machine *m, hd_ctype_id id,
                        uint8_t width, hd_machine_value value) {
  const hd_code *code = m->plan->code;
  if (value.undef) {
    hd_str_puts(out, "undefined");
    return;
  }
  const hd_ctype *type = id == HD_NO_ID ? NULL : &code->ctypes.data[id];
  switch (type ? type->kind : HD_CTYPE_SIGNED) {
  case HD_CTYPE_POINTER:
    print_pointer(out, m, value.bits,
                  type->base == HD_NO_ID ? NULL
                                         : &code->ctypes.data[type->base]);
    break;
  case HD_CTYPE_FLOAT:
    print_float(out, value.bits, width);
    break;
  case HD_CTYPE_UNSIGNED:
    hd_str_printf(out, "%llu", (unsigned long long)value.bits);
    break;
  case HD_CTYPE_BOOL:
    hd_str_puts(out, value.bits & 1 ? "true" : "false");
    break;
  case HD_CTYPE_ENUM:
    print_enum(out, code, type, hd_word_signed(value.bits, width));
    break;
  default:
    hd_str_printf(out, "%lld", (long long)hd_word_signed(value.bits, width));
  }
}

/* --- events --- */

void hd_machine_tell(hd_machine *m, hd_event_kind kind, hd_tid tid,
                     hd_tid other, uint64_t object, const char *text) {
  const hd_machine_options *options = m->plan->options;
  if (!options->observe)
    return;
  const hd_thread *t = hd_thread_of(m, tid);
  hd_event event = {.kind = kind,
                    .thread = tid,
                    .other = other,
                    .edge = hd_thread_edge(t),
                    .depth = t->frames.size ? (uint32_t)t->frames.size - 1 : 0,
                    .object = object,
                    .text = text};
  options->observe(options->context, &event);
}

/* The C type of so many bytes of an object. */
static hd_ctype_id type_in(const hd_machine *m, const hd_object *object,
                           uint64_t offset, uint64_t size) {
  const hd_code *code = m->plan->code;
  hd_ctype_id type;
  if (block_name(m, object, &type) && type != HD_NO_ID) {
    uint64_t step = code->ctypes.data[type].size;
    bool array = code->ctypes.data[type].kind == HD_CTYPE_ARRAY;
    return type_at(code, type, array || !step ? offset : offset % step, size);
  }
  (void)object_name(m, object, &type);
  return type_at(code, type, offset, size);
}

void hd_machine_tell_write(hd_machine *m, hd_tid tid, uint64_t address,
                           uint64_t size) {
  int64_t offset;
  const hd_object *object = hd_ram_find(m, address, &offset);
  if (!object || !object->block || !size || size > 8)
    return;
  hd_str text = {0};
  if (object->kind == HD_OBJECT_HEAP)
    print_block(&text, m, object, offset, size);
  else
    hd_machine_print_address(&text, m, address, size);
  hd_str_puts(&text, " = ");
  hd_machine_value value = {0, 0};
  memcpy(&value.bits, object->block->bytes + offset, size);
  if (object->block->shadow)
    memcpy(&value.undef, object->block->shadow + offset, size);
  print_value(&text, m, type_in(m, object, (uint64_t)offset, size),
              (uint8_t)(8 * size), value);
  hd_machine_tell(m, HD_EVENT_WRITE, tid, HD_NO_ID, address,
                  hd_str_text(&text));
  hd_str_free(&text);
}

static bool is_array(const hd_code *code, hd_ctype_id type) {
  return type != HD_NO_ID && code->ctypes.data[type].kind == HD_CTYPE_ARRAY;
}

void hd_machine_tell_set(hd_machine *m, const hd_thread *t, hd_reg_id id) {
  const hd_code *code = m->plan->code;
  const hd_frame *frame = &t->frames.data[t->frames.size - 1];
  const hd_reg *reg = &code->regs.data[code->funcs.data[frame->func].regs + id];
  hd_str text = {0}, value = {0};
  if (!reg->cname || is_array(code, reg->ctype)) /* its place is no news */
    return;
  print_value(&value, m, reg->ctype, reg->type.width,
              t->regs.data[frame->regs + id]);
  bool itself = !strcmp(hd_str_text(&value), reg->cname);
  hd_str_printf(&text, "%s = %s", reg->cname,
                itself ? "a block" : hd_str_text(&value));
  hd_str_free(&value);
  hd_machine_tell(m, HD_EVENT_SET, t->id, HD_NO_ID, 0, hd_str_text(&text));
  hd_str_free(&text);
}
