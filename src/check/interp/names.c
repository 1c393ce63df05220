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

static void print_heap(hd_str *out, const hd_machine *m,
                       const hd_object *object, int64_t offset) {
  size_t number = 0;
  hd_tid tid = 0;
  for (hd_tid i = 0; i < m->heaps.size; i++) {
    const hd_region *heap = m->heaps.data[i];
    if (heap->objects.size && object >= heap->objects.data &&
        object < heap->objects.data + heap->objects.size) {
      number = (size_t)(object - heap->objects.data);
      tid = i;
    }
  }
  if (tid)
    hd_str_printf(out, "heap#%u.%zu", tid, number + 1);
  else
    hd_str_printf(out, "heap#%zu", number + 1);
  if (offset)
    hd_str_printf(out, "%+lld", (long long)offset);
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
    print_heap(out, m, object, offset);
  } else if ((!object && hd_ram_is_dead(m->plan, address)) ||
             (object && hd_ram_gone(object, offset))) {
    hd_str_puts(out, "a variable that is gone");
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

static void print_pointer(hd_str *out, const hd_machine *m, uint64_t address) {
  if (!address) {
    hd_str_puts(out, "null");
    return;
  }
  if (hd_ram_func_at(m, address) == HD_NO_ID)
    hd_str_puts(out, "&");
  int64_t offset;
  const hd_object *object = hd_ram_find(m, address, &offset);
  if (object && object->kind == HD_OBJECT_HEAP) {
    hd_str place = {0};
    print_heap(&place, m, object, offset);
    const char *text = hd_str_text(&place), *end = strstr(text, " (");
    hd_str_append(out, text, end ? (size_t)(end - text) : strlen(text));
    hd_str_free(&place);
  } else {
    hd_machine_print_address(out, m, address, 1);
  }
}

static void print_float(hd_str *out, uint64_t bits, uint8_t width) {
  hd_str_printf(out, "%.17g", hd_float_value(bits, width));
}

static void print_value(hd_str *out, const hd_machine *m, hd_ctype_id id,
                        uint8_t width, hd_value value) {
  const hd_code *code = m->plan->code;
  if (value.undef) {
    hd_str_puts(out, "undefined");
    return;
  }
  const hd_ctype *type = id == HD_NO_ID ? NULL : &code->ctypes.data[id];
  switch (type ? type->kind : HD_CTYPE_SIGNED) {
  case HD_CTYPE_POINTER:
    print_pointer(out, m, value.bits);
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

void hd_machine_tell_write(hd_machine *m, hd_tid tid, uint64_t address,
                           uint64_t size) {
  int64_t offset;
  const hd_object *object = hd_ram_find(m, address, &offset);
  if (!object || !object->block || !size || size > 8)
    return;
  hd_ctype_id type;
  const char *name = object_name(m, object, &type);
  hd_str text = {0};
  if (name)
    hd_code_print_place(&text, m->plan->code, name, type, (uint64_t)offset,
                        size);
  else
    print_pointer(&text, m, address);
  hd_str_puts(&text, " = ");
  hd_value value = {0, 0};
  memcpy(&value.bits, object->block->bytes + offset, size);
  if (object->block->shadow)
    memcpy(&value.undef, object->block->shadow + offset, size);
  print_value(&text, m, type_at(m->plan->code, type, (uint64_t)offset, size),
              (uint8_t)(8 * size), value);
  const char *shown = hd_str_text(&text);
  hd_machine_tell(m, HD_EVENT_WRITE, tid, HD_NO_ID, address,
                  name ? shown : shown + 1);
  hd_str_free(&text);
}

void hd_machine_tell_set(hd_machine *m, const hd_thread *t, hd_reg_id id) {
  const hd_code *code = m->plan->code;
  const hd_frame *frame = &t->frames.data[t->frames.size - 1];
  const hd_reg *reg = &code->regs.data[code->funcs.data[frame->func].regs + id];
  if (!reg->cname)
    return;
  hd_str text = {0};
  hd_str_printf(&text, "%s = ", reg->cname);
  print_value(&text, m, reg->ctype, reg->type.width,
              t->regs.data[frame->regs + id]);
  hd_machine_tell(m, HD_EVENT_SET, t->id, HD_NO_ID, 0, hd_str_text(&text));
  hd_str_free(&text);
}
