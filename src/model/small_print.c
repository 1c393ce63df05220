/* SPDX-License-Identifier: MIT */
/* States for people, and which variable takes too many values. */
#include "model/small_impl.h"

#include "base/hash.h"

#include <string.h>

static const char *name_of(const char *cname, const char *name) {
  return cname ? cname : name;
}

static bool is_scalar(const hd_ctype *t) {
  return t->kind == HD_CTYPE_BOOL || t->kind == HD_CTYPE_SIGNED ||
         t->kind == HD_CTYPE_UNSIGNED || t->kind == HD_CTYPE_ENUM ||
         t->kind == HD_CTYPE_POINTER || t->kind == HD_CTYPE_FLOAT;
}

static uint64_t get(const uint8_t *bytes, uint64_t size) {
  uint64_t value = 0;
  for (uint64_t i = 0; i < size && i < 8; i++)
    value |= (uint64_t)bytes[i] << 8 * i;
  return value;
}

/* A value: pointers as what they point to. */
static void print_value(hd_str *out, const hd_small *s, uint64_t value,
                        uint8_t width, bool is_signed, bool pointer) {
  uint64_t number = value >> s->shift;
  if (pointer && number >= 1 && number <= s->code->globals.size) {
    const hd_global *g = &s->code->globals.data[number - 1];
    hd_str_printf(out, "&%s", name_of(g->cname, g->name));
    if (value != number << s->shift)
      hd_str_printf(out, "+%llu",
                    (unsigned long long)(value - (number << s->shift)));
  } else if (pointer && hd_small_func_at(s, value) != HD_NO_ID) {
    const hd_func *f = &s->code->funcs.data[hd_small_func_at(s, value)];
    hd_str_printf(out, "&%s", name_of(f->cname, f->name));
  } else if (is_signed) {
    hd_str_printf(out, "%lld", (long long)hd_word_signed(value, width));
  } else {
    hd_str_printf(out, "%llu", (unsigned long long)value);
  }
}

/* The size of the scalar or field that starts at `offset` of a type; 1 when
 * nothing is known. */
static uint64_t part_size(const hd_code *code, hd_ctype_id id, uint64_t offset,
                          const hd_ctype **scalar) {
  *scalar = NULL;
  for (int depth = 0; id != HD_NO_ID && depth < 32; depth++) {
    const hd_ctype *t = &code->ctypes.data[id];
    if (is_scalar(t)) {
      *scalar = t;
      return offset < t->size ? t->size - offset : 1;
    }
    if (t->kind == HD_CTYPE_ARRAY && t->base != HD_NO_ID &&
        code->ctypes.data[t->base].size) {
      id = t->base;
      offset %= code->ctypes.data[id].size;
      continue;
    }
    hd_ctype_id inner = HD_NO_ID;
    for (uint32_t i = 0; i < t->n_fields && t->kind == HD_CTYPE_STRUCT; i++) {
      const hd_cfield *f = &code->fields.data[t->fields + i];
      if (f->type != HD_NO_ID && f->offset <= offset * 8 &&
          offset * 8 < f->offset + f->bits && f->offset % 8 == 0) {
        inner = f->type;
        offset -= f->offset / 8;
        break;
      }
    }
    id = inner;
  }
  return 1;
}

/* Locks say how they are. Which kind of object it is, its type's name tells. */
static const char *lock_word(const hd_ctype *t, uint64_t value) {
  if (!t || !t->name)
    return NULL;
  if (strstr(t->name, "mutex") || strstr(t->name, "spinlock") ||
      strstr(t->name, "mtx_t"))
    return value ? "locked" : NULL;
  if (strstr(t->name, "rwlock"))
    return value == 2 ? "written" : value ? "read" : NULL;
  return NULL;
}

static void print_global(hd_str *out, const hd_small *s, hd_global_id g,
                         const uint8_t *bytes, const char **separator) {
  const hd_code *code = s->code;
  const hd_global *global = &code->globals.data[g];
  const char *name = name_of(global->cname, global->name);
  const hd_ctype *whole =
      global->ctype == HD_NO_ID ? NULL : &code->ctypes.data[global->ctype];
  const char *word = lock_word(whole, bytes[0]);
  if (word) {
    hd_str_printf(out, "%s%s=%s", *separator, name, word);
    *separator = " ";
    return;
  }
  for (uint64_t i = 0, size; i < global->size; i += size) {
    const hd_ctype *scalar;
    size = part_size(code, global->ctype, i, &scalar);
    if (global->ctype == HD_NO_ID)
      size = global->size <= 8 ? global->size : 4;
    if (size > global->size - i)
      size = global->size - i;
    uint64_t value = get(bytes + i, size);
    if (!value && !(whole && is_scalar(whole)) && global->size > 8)
      continue;
    hd_str_puts(out, *separator);
    hd_code_print_place(out, code, name, global->ctype, i, size);
    hd_str_puts(out, "=");
    print_value(out, s, value, (uint8_t)(size > 8 ? 64 : size * 8),
                scalar && scalar->kind == HD_CTYPE_SIGNED,
                scalar && scalar->kind == HD_CTYPE_POINTER);
    *separator = " ";
  }
}

void hd_small_print_shared(hd_str *out, const hd_small *s,
                           hd_modular_state shared) {
  size_t size;
  const uint8_t *bytes = hd_small_table_at(&s->shared, shared, &size);
  const char *separator = "";
  for (hd_global_id g = 0; g < s->code->globals.size; g++)
    if (s->global_at[g] != HD_NO_ID && !s->code->globals.data[g].thread_local &&
        s->code->globals.data[g].size)
      print_global(out, s, g, bytes + s->global_at[g], &separator);
  if (s->options->max_threads)
    hd_str_printf(out, "%sthreads=%u", separator,
                  (unsigned)(bytes[size - 2] | bytes[size - 1] << 8));
  else if (!*separator)
    hd_str_puts(out, "-");
}

static hd_cpos pos_of(const hd_small *s, const hd_small_work *w) {
  const hd_code *code = s->code;
  hd_loc_id loc = w->frames.data[w->frames.size - 1].loc;
  hd_cpos pos = code->edges.data[code->out[code->out_start[loc]]].pos;
  return pos.line ? pos : code->locs.data[loc].pos;
}

static void print_regs(hd_str *out, const hd_small *s, const hd_small_work *w,
                       size_t i) {
  const hd_small_frame *frame = &w->frames.data[i];
  const hd_func *f = &s->code->funcs.data[frame->func];
  for (uint32_t r = 0; r < f->n_regs; r++) {
    const hd_reg *reg = &s->code->regs.data[f->regs + r];
    uint8_t state = w->states.data[frame->regs + r];
    if (state == HD_REG_UNSET || !hd_small_matters(s, w, i, r))
      continue;
    hd_str_printf(out, " %s=", name_of(reg->cname, reg->name));
    const hd_ctype *t =
        reg->ctype == HD_NO_ID ? NULL : &s->code->ctypes.data[reg->ctype];
    print_value(out, s, w->regs.data[frame->regs + r], reg->type.width,
                !t || t->kind == HD_CTYPE_SIGNED,
                reg->type.kind == HD_TYPE_PTR);
    if (state == HD_REG_SAMPLE)
      hd_str_puts(out, "~");
  }
  for (uint32_t k = 0; k < f->n_slots; k++) {
    const hd_slot *slot = &s->code->slots.data[f->slots + k];
    size_t at = frame->memory + s->slot_at[f->slots + k];
    if (slot->size > 8 || !hd_small_matters(s, w, i, f->n_regs + k) ||
        w->unset.data[at])
      continue;
    hd_str_printf(out, " %s=%llu", name_of(slot->cname, slot->name),
                  (unsigned long long)get(w->memory.data + at, slot->size));
  }
}

void hd_small_print_local(hd_str *out, hd_small *s, hd_modular_state local) {
  hd_small_work *w = &s->created;
  hd_small_decode(s, local, w);
  for (size_t i = 0; i < w->frames.size; i++) {
    const hd_func *f = &s->code->funcs.data[w->frames.data[i].func];
    hd_str_printf(out, "%s%s", i ? ">" : "", name_of(f->cname, f->name));
    if (i + 1 == w->frames.size)
      hd_str_printf(out, ":%u", pos_of(s, w).line);
    print_regs(out, s, w, i);
  }
  if (w->parked)
    hd_str_puts(out, w->parked == HD_PARKED_WAITS ? " waits" : " woken");
  for (hd_vec_each(const hd_small_own, own, &w->owned)) {
    static const char *const words[] = {"has", "has", "reads", "writes"};
    hd_str_printf(out, " %s ", words[own->kind]);
    print_value(out, s, own->address, 64, false, true);
  }
}

/* --- the widest variable --- */

#define HD_MAP value_map
#define HD_KEY uint64_t
#define HD_VAL uint8_t
#define HD_HASH(k) hd_hash_mix(0, k)
#define HD_EQ(a, b) ((a) == (b))
#include "base/map_templ.h"

/* The name and place of the best so far. */
typedef struct {
  size_t count;
  hd_str name;
  hd_cpos pos;
} widest;

static void consider(widest *best, const value_map *values, hd_str *name,
                     hd_cpos pos) {
  if (values->size > best->count) {
    best->count = values->size;
    best->pos = pos;
    hd_vec_clear(&best->name);
    hd_str_puts(&best->name, hd_str_text(name));
  }
}

static void widest_global(const hd_small *s, hd_global_id g, widest *best) {
  const hd_global *global = &s->code->globals.data[g];
  for (uint64_t i = 0, n; i < global->size; i += n) {
    const hd_ctype *scalar;
    n = part_size(s->code, global->ctype, i, &scalar);
    if (!scalar)
      n = 4;
    if (n > global->size - i)
      n = global->size - i;
    value_map values = {0};
    for (size_t k = 0; k < hd_small_table_size(&s->shared); k++) {
      size_t size;
      const uint8_t *bytes =
          hd_small_table_at(&s->shared, (hd_modular_state)k, &size);
      value_map_put(&values, get(bytes + s->global_at[g] + i, n), 0, NULL);
    }
    hd_str name = {0};
    hd_code_print_place(&name, s->code, name_of(global->cname, global->name),
                        global->ctype, i, n);
    consider(best, &values, &name, global->pos);
    hd_str_free(&name);
    value_map_free(&values);
  }
}

#define HD_MAP reg_map
#define HD_KEY uint32_t
#define HD_VAL value_map
#define HD_HASH(k) hd_hash_mix(0, k)
#define HD_EQ(a, b) ((a) == (b))
#include "base/map_templ.h"

static void widest_regs(hd_small *s, widest *best) {
  reg_map regs = {0};
  hd_small_work *w = &s->created;
  for (size_t k = 0; k < hd_small_table_size(&s->local); k++) {
    hd_small_decode(s, (hd_modular_state)k, w);
    for (size_t i = 0; i < w->frames.size; i++) {
      const hd_func *f = &s->code->funcs.data[w->frames.data[i].func];
      for (uint32_t r = 0; r < f->n_regs; r++)
        if (w->states.data[w->frames.data[i].regs + r] != HD_REG_UNSET)
          value_map_put(reg_map_put(&regs, f->regs + r, (value_map){0}, NULL),
                        w->regs.data[w->frames.data[i].regs + r], 0, NULL);
    }
  }
  for (size_t i = 0; i < regs.size; i++) {
    const hd_reg *reg = &s->code->regs.data[regs.items[i].key];
    hd_str name = {0};
    hd_str_puts(&name, name_of(reg->cname, reg->name));
    /* A temporary holds what a variable had: that one is meant. */
    if (reg->cname)
      consider(best, &regs.items[i].val, &name, reg->pos);
    hd_str_free(&name);
    value_map_free(&regs.items[i].val);
  }
  reg_map_free(&regs);
}

size_t hd_small_widest(hd_small *s, hd_str *out) {
  widest best = {.pos = {.file = HD_NO_ID}};
  for (hd_global_id g = 0; g < s->code->globals.size; g++)
    if (s->global_at[g] != HD_NO_ID && !s->code->globals.data[g].thread_local)
      widest_global(s, g, &best);
  widest_regs(s, &best);
  if (best.count) {
    hd_str_printf(out, "'%s'", hd_str_text(&best.name));
    if (best.pos.file != HD_NO_ID && best.pos.line)
      hd_str_printf(out, " (%s:%u)", s->code->files.data[best.pos.file],
                    best.pos.line);
  }
  hd_str_free(&best.name);
  return best.count;
}
