/* SPDX-License-Identifier: MIT */
/* Objects and accesses to them. An object holds cells: values at constant
 * offsets. The first access whose offset is symbolic turns it into one symbolic
 * array of elements of the width that is accessed; what was never set is then
 * no longer seen. */
#include "engine/lise/mpi.h"

#include "base/float.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_ELEMENTS = 4096 };

/* --- objects --- */

/* Does a pointer value lead to the object? */
static bool leads_to(const hd_terms *t, hd_term value, uint32_t object) {
  if (!value || hd_term_sort_of(t, value) != HD_OF_PTR)
    return false;
  const uint32_t *args = hd_term_args(t, value);
  if (hd_term_op_of(t, value) == HD_TERM_PTR)
    return args[0] == object;
  return hd_term_op_of(t, value) == HD_TERM_ITE &&
         (leads_to(t, args[1], object) || leads_to(t, args[2], object));
}

static bool referenced(const hd_terms *t, const hd_lise_proc *proc,
                       uint32_t object) {
  for (size_t i = 0; i < proc->regs.size; i++)
    if (leads_to(t, proc->regs.data[i], object))
      return true;
  for (size_t i = 0; i < proc->requests.size; i++)
    if (leads_to(t, proc->requests.data[i].buffer, object))
      return true;
  for (size_t i = 1; i < proc->objects.size; i++) {
    const hd_lise_object *o = proc->objects.data[i];
    for (size_t k = 0; o && k < o->cells.size; k++)
      if (leads_to(t, o->cells.data[k].value, object))
        return true;
  }
  return false;
}

/* Numbers of objects that are gone are used again once nothing points there:
 * so a loop that allocates and frees comes back to the same state. */
static uint32_t free_number(hd_lise *l, hd_lise_proc *proc) {
  uint32_t from = (uint32_t)hd_lise_code(l)->globals.size + 1;
  for (uint32_t i = from; i < proc->objects.size; i++) {
    const hd_lise_object *o = proc->objects.data[i];
    if ((!o || (o->freed && o->kind == HD_LISE_HEAP)) &&
        !referenced(l->terms, proc, i)) {
      hd_lise_object_gone(proc, i);
      return i;
    }
  }
  hd_vec_push(&proc->objects, NULL);
  return (uint32_t)proc->objects.size - 1;
}

uint32_t hd_lise_object_new(hd_lise *l, hd_lise_object_kind kind,
                            uint32_t origin, hd_term size) {
  hd_lise_proc *proc = hd_lise_me(l);
  uint32_t number = free_number(l, proc);
  hd_lise_object *o = hd_calloc(1, sizeof *o);
  o->refs = 1;
  o->kind = (uint8_t)kind;
  o->origin = origin;
  o->size = size;
  proc->objects.data[number] = o;
  return number;
}

void hd_lise_object_gone(hd_lise_proc *proc, uint32_t object) {
  hd_lise_object *o = proc->objects.data[object];
  proc->objects.data[object] = NULL;
  if (!o || --o->refs)
    return;
  hd_vec_free(&o->cells);
  hd_free(o);
}

static void name_object(const hd_lise *l, uint32_t object, hd_str *out) {
  const hd_code *code = hd_lise_code(l);
  const hd_lise_proc *proc = hd_lise_seen(l);
  const hd_lise_object *o =
      object < proc->objects.size ? proc->objects.data[object] : NULL;
  const char *name = NULL;
  if (o && o->kind == HD_LISE_GLOBAL)
    name = code->globals.data[o->origin].cname;
  else if (o && o->kind == HD_LISE_SLOT)
    name = code->slots.data[o->origin].cname;
  if (name) {
    hd_str_printf(out, "'%s'", name);
  } else if (o && o->kind != HD_LISE_GLOBAL && o->kind != HD_LISE_SLOT) {
    hd_str_puts(out, "the memory allocated at ");
    hd_code_print_pos(out, code, code->edges.data[o->origin].pos);
  } else {
    hd_str_puts(out, "an object");
  }
}

/* --- finding the place --- */

static hd_going out_of_bounds(hd_lise *l, uint32_t object, hd_term offset,
                              hd_term bytes, const char *what) {
  hd_terms *t = l->terms;
  const hd_lise_object *o = hd_lise_seen(l)->objects.data[object];
  hd_term zero = hd_term_int(t, 0);
  hd_term inside =
      hd_term_and(t, hd_term_le(t, zero, offset),
                  hd_term_le(t, hd_term_add(t, offset, bytes), o->size));
  if (hd_term_is_true(t, inside))
    return HD_GO_ON;
  hd_str text = {0};
  name_object(l, object, &text);
  hd_str_puts(&text, ", at byte ");
  hd_term_print(&text, t, offset);
  hd_str_puts(&text, " of ");
  hd_term_print(&text, t, o->size);
  hd_going g =
      hd_lise_check(l, inside, HD_PROPERTY_MEMORY, "%s out of bounds of %s",
                    what, hd_str_text(&text));
  hd_str_free(&text);
  return g;
}

hd_going hd_lise_access(hd_lise *l, hd_term pointer, hd_term bytes, bool write,
                        const char *what, uint32_t *object, hd_term *offset) {
  hd_terms *t = l->terms;
  if (hd_term_is_undef(t, pointer))
    return hd_lise_violate(l, HD_PROPERTY_UNINIT,
                           "%s through a pointer that was never set", what);
  hd_going g = hd_lise_one_buffer(l, &pointer);
  if (g != HD_GO_ON)
    return g;
  if (hd_term_op_of(t, pointer) != HD_TERM_PTR)
    return hd_lise_refuse(l, "%s through a symbolic pointer", what);
  *object = hd_term_args(t, pointer)[0];
  *offset = hd_term_args(t, pointer)[1];
  if (!*object)
    return hd_lise_violate(l, HD_PROPERTY_MEMORY, "%s through a null pointer",
                           what);
  const hd_lise_proc *proc = hd_lise_seen(l);
  if (*object & HD_LISE_FOREIGN)
    return hd_lise_violate(l, HD_PROPERTY_MEMORY,
                           "%s through a pointer of another process", what);
  if (*object >= HD_LISE_FUNCTION)
    return hd_lise_violate(l, HD_PROPERTY_MEMORY, "%s of a function", what);
  const hd_lise_object *o =
      *object < proc->objects.size ? proc->objects.data[*object] : NULL;
  if (!o || o->freed)
    return hd_lise_violate(l, HD_PROPERTY_MEMORY, "%s of memory that is %s",
                           what, o ? "freed" : "gone");
  if (o->external)
    return hd_lise_refuse(l, "an object that is not defined in the program");
  if (write && o->constant)
    return hd_lise_violate(l, HD_PROPERTY_MEMORY, "%s to a constant", what);
  g = out_of_bounds(l, *object, *offset, bytes, what);
  return g == HD_GO_ON
             ? hd_lise_belongs(l, *object, *offset, bytes, write, what)
             : g;
}

/* --- cells --- */

static size_t cell_from(const hd_lise_object *o, int64_t offset) {
  size_t lo = 0, hi = o->cells.size;
  while (lo < hi) {
    size_t mid = (lo + hi) / 2;
    if (o->cells.data[mid].offset + o->cells.data[mid].bytes <= offset)
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo; /* the first that ends behind `offset` */
}

/* A byte of what nothing was written to. */
static int initial_byte(const hd_code *code, const hd_lise_object *o,
                        int64_t offset) {
  if (o->kind != HD_LISE_GLOBAL)
    return o->zero ? 0 : -1;
  const hd_global *g = &code->globals.data[o->origin];
  if (!o->zero)
    return -1;
  return g->bytes ? g->bytes[offset] : 0;
}

/* A byte of a cell that holds a constant integer; -1: cannot be said. */
static int cell_byte(const hd_terms *t, const hd_lise_cell *c, int64_t offset) {
  if (!hd_term_is_const(t, c->value) ||
      hd_term_sort_of(t, c->value) != HD_OF_INT)
    return -1;
  hd_i128 v = hd_term_ratio_of(t, c->value).num;
  return (int)((uint64_t)(v >> (8 * (offset - c->offset))) & 255);
}

static hd_term of_bits(hd_terms *t, hd_type type, uint64_t bits) {
  unsigned w = type.width == 1 ? 8 : type.width;
  if (type.kind == HD_TYPE_FLOAT)
    return hd_term_double(t, hd_float_value(bits, w));
  int64_t v = hd_word_signed(bits, w);
  if (type.kind == HD_TYPE_PTR)
    return hd_term_ptr(t, 0, hd_term_int(t, v));
  return hd_term_int(t, v);
}

/* A constant pointer in an initial value, or 0. */
static hd_term initial_pointer(hd_terms *t, const hd_code *code,
                               const hd_lise_object *o, int64_t offset) {
  if (o->kind != HD_LISE_GLOBAL || !o->zero)
    return 0;
  const hd_global *g = &code->globals.data[o->origin];
  for (uint32_t i = 0; i < g->n_relocs; i++) {
    const hd_reloc *r = &code->relocs.data[g->relocs + i];
    if ((int64_t)r->offset != offset)
      continue;
    const hd_cexpr *e = &code->exprs.data[r->expr];
    int64_t add = 0;
    while (e->op == HD_CODE_PTRADD) {
      add += (int64_t)code->exprs.data[e->args[1]].value;
      e = &code->exprs.data[e->args[0]];
    }
    if (e->op == HD_CODE_GLOBAL)
      return hd_term_ptr(t, (uint32_t)e->value + 1, hd_term_int(t, add));
    if (e->op == HD_CODE_FUNC)
      return hd_term_ptr(t, HD_LISE_FUNCTION + (uint32_t)e->value,
                         hd_term_int(t, add));
  }
  return 0;
}

static bool is_kind(const hd_terms *t, hd_term value, hd_type type) {
  hd_term_sort sort = hd_term_sort_of(t, value);
  if (sort == HD_OF_ANY)
    return true;
  if (type.kind == HD_TYPE_FLOAT)
    return sort == HD_OF_REAL;
  if (type.kind == HD_TYPE_PTR)
    return sort == HD_OF_PTR;
  return sort == HD_OF_INT || sort == HD_OF_BOOL;
}

/* The value at a constant offset; 0 when it cannot be said. */
static hd_term cell_value(hd_terms *t, const hd_code *code,
                          const hd_lise_object *o, int64_t offset,
                          hd_type type) {
  uint32_t bytes = hd_type_bytes(type);
  size_t at = cell_from(o, offset);
  const hd_lise_cell *c = at < o->cells.size ? &o->cells.data[at] : NULL;
  if (c && c->offset == offset && c->bytes == bytes) {
    if (is_kind(t, c->value, type))
      return c->value;
    if (type.kind == HD_TYPE_INT && hd_term_sort_of(t, c->value) == HD_OF_PTR)
      return 0;
  }
  if (!c || c->offset >= offset + bytes) {
    hd_term p =
        type.kind == HD_TYPE_PTR ? initial_pointer(t, code, o, offset) : 0;
    if (p)
      return p;
  }
  uint64_t bits = 0;
  for (uint32_t i = 0; i < bytes; i++) {
    int64_t here = offset + i;
    while (at < o->cells.size &&
           o->cells.data[at].offset + o->cells.data[at].bytes <= here)
      at++;
    bool in = at < o->cells.size && o->cells.data[at].offset <= here;
    if (in && hd_term_is_undef(t, o->cells.data[at].value))
      return hd_term_undef(t);
    int byte = in ? cell_byte(t, &o->cells.data[at], here)
                  : initial_byte(code, o, here);
    if (byte < 0)
      return in ? 0 : hd_term_undef(t);
    bits |= (uint64_t)byte << (8 * i);
  }
  return of_bits(t, type, bits);
}

/* Makes room for bytes [offset, offset + n): cells that lie half in it and
 * hold constants are split. False when one does not. */
static bool clear(hd_terms *t, hd_lise_object *o, int64_t offset,
                  int64_t bytes) {
  size_t first = cell_from(o, offset), last = first;
  hd_vec(hd_lise_cell) kept = {0};
  bool ok = true;
  for (; last < o->cells.size && o->cells.data[last].offset < offset + bytes;
       last++) {
    hd_lise_cell c = o->cells.data[last];
    if (c.offset >= offset && c.offset + c.bytes <= offset + bytes)
      continue;
    for (int64_t b = c.offset; b < c.offset + c.bytes; b++) {
      if (b >= offset && b < offset + bytes)
        continue;
      int byte = cell_byte(t, &c, b);
      if (byte < 0) {
        ok = hd_term_is_undef(t, c.value) && ok;
        continue;
      }
      hd_vec_push(&kept, ((hd_lise_cell){b, 1, hd_term_int(t, byte)}));
    }
  }
  if (ok && (last > first || kept.size)) {
    hd_vec(hd_lise_cell) all = {0};
    for (size_t i = 0; i < first; i++)
      hd_vec_push(&all, o->cells.data[i]);
    for (size_t i = 0; i < kept.size; i++)
      hd_vec_push(&all, kept.data[i]);
    for (size_t i = last; i < o->cells.size; i++)
      hd_vec_push(&all, o->cells.data[i]);
    hd_vec_free(&o->cells);
    o->cells.data = all.data;
    o->cells.size = all.size;
    o->cells.cap = all.cap;
  }
  hd_vec_free(&kept);
  return ok;
}

static void insert(hd_lise_object *o, hd_lise_cell cell) {
  size_t at = cell_from(o, cell.offset);
  hd_vec_push(&o->cells, cell);
  memmove(o->cells.data + at + 1, o->cells.data + at,
          (o->cells.size - 1 - at) * sizeof *o->cells.data);
  o->cells.data[at] = cell;
}

/* --- arrays --- */

static hd_going to_array(hd_lise *l, uint32_t object, hd_type type) {
  hd_terms *t = l->terms;
  const hd_lise_object *old = hd_lise_seen(l)->objects.data[object];
  uint32_t w = hd_type_bytes(type);
  if (type.kind == HD_TYPE_PTR)
    return hd_lise_refuse(l, "a symbolic index into an array of pointers");
  hd_term_sort sort = type.kind == HD_TYPE_FLOAT ? HD_OF_REALS : HD_OF_INTS;
  int64_t size;
  bool bytes = old->kind == HD_LISE_GLOBAL &&
               hd_lise_code(l)->globals.data[old->origin].bytes;
  hd_term array = old->zero && !bytes ? hd_term_fill(t, sort, hd_term_int(t, 0))
                                      : hd_lise_fresh(l, sort);
  if (bytes) {
    if (!hd_term_is_int(t, old->size, &size) || size / w > MOST_ELEMENTS)
      return hd_lise_refuse(l, "a symbolic index into a large constant");
    for (int64_t i = 0; i + w <= size; i += w) {
      hd_term v = cell_value(t, hd_lise_code(l), old, i, type);
      if (!v)
        return hd_lise_refuse(l, "a symbolic index into mixed contents");
      if (!hd_term_is_undef(t, v))
        array = hd_term_store(t, array, hd_term_int(t, i / w), v);
    }
  } else {
    for (size_t i = 0; i < old->cells.size; i++) {
      hd_lise_cell c = old->cells.data[i];
      if (c.bytes != w || c.offset % w || !is_kind(t, c.value, type))
        return hd_lise_refuse(l, "a symbolic index into a structure");
      if (!hd_term_is_undef(t, c.value))
        array = hd_term_store(t, array, hd_term_int(t, c.offset / w), c.value);
    }
  }
  hd_lise_object *o = hd_lise_object_own(hd_lise_me(l), object);
  o->array = array;
  o->stride = w;
  hd_vec_clear(&o->cells);
  return HD_GO_ON;
}

/* The element of an array object at a byte offset. */
static hd_going element(hd_lise *l, const hd_lise_object *o, hd_term offset,
                        hd_type type, hd_term *index) {
  hd_term_sort sort = hd_term_sort_of(l->terms, o->array);
  if (hd_type_bytes(type) != o->stride ||
      (type.kind == HD_TYPE_FLOAT) != (sort == HD_OF_REALS) ||
      type.kind == HD_TYPE_PTR)
    return hd_lise_refuse(l, "an array whose elements are accessed as of "
                             "different types");
  *index = hd_term_exact_div(l->terms, offset, o->stride);
  return *index ? HD_GO_ON
                : hd_lise_refuse(l, "an index between array elements");
}

/* A constant offset, or the object as an array. Pointers: one offset after the
 * other is tried. */
static hd_going settle(hd_lise *l, uint32_t object, hd_term *offset,
                       hd_type type, int64_t *at) {
  const hd_lise_object *o = hd_lise_seen(l)->objects.data[object];
  int64_t size;
  bool sized = hd_term_is_int(l->terms, o->size, &size);
  bool constant = hd_term_is_int(l->terms, *offset, at);
  if (o->array || (constant && (sized || type.kind == HD_TYPE_PTR)))
    return HD_GO_ON;
  /* Of any length: an array from the start, so that what a formula says of all
   * elements is said of this array. */
  if (constant)
    return to_array(l, object, type);
  hd_term_list facts = {0};
  hd_lise_facts(l, &facts);
  *offset = hd_prover_simplify(l->prover, facts.data, facts.size, *offset);
  hd_vec_free(&facts);
  if (hd_term_is_int(l->terms, *offset, at))
    return HD_GO_ON;
  if (type.kind == HD_TYPE_PTR) {
    hd_going g = hd_lise_concrete(l, *offset, at, "an index");
    *offset = g == HD_GO_ON ? hd_term_int(l->terms, *at) : *offset;
    return g;
  }
  return to_array(l, object, type);
}

/* --- loads and stores --- */

static hd_going load_at(hd_lise *l, uint32_t object, hd_term offset,
                        hd_type type, hd_term *out) {
  int64_t at = 0;
  hd_going g = settle(l, object, &offset, type, &at);
  if (g != HD_GO_ON)
    return g;
  const hd_lise_object *o = hd_lise_seen(l)->objects.data[object];
  if (o->array) {
    hd_term index;
    g = element(l, o, offset, type, &index);
    if (g == HD_GO_ON)
      *out = hd_term_select(l->terms, o->array, index);
    if (g == HD_GO_ON && hd_term_op_of(l->terms, *out) == HD_TERM_SELECT)
      hd_lise_typed(l, *out, type);
    return g;
  }
  *out = cell_value(l->terms, hd_lise_code(l), o, at, type);
  return *out ? HD_GO_ON
              : hd_lise_refuse(l, "part of a symbolic value, or its bits as "
                                  "another type");
}

/* stdin, stdout, stderr: only passed on; each is itself something else than all
 * other pointers. */
static bool is_stream(const hd_lise *l, hd_term pointer) {
  const hd_lise_proc *proc = hd_lise_seen(l);
  if (hd_term_op_of(l->terms, pointer) != HD_TERM_PTR)
    return false;
  uint32_t object = hd_term_args(l->terms, pointer)[0];
  if (!object || object >= proc->objects.size || !proc->objects.data[object] ||
      !proc->objects.data[object]->external)
    return false;
  const char *name =
      hd_lise_code(l)->globals.data[proc->objects.data[object]->origin].name;
  return !strcmp(name, "stdin") || !strcmp(name, "stdout") ||
         !strcmp(name, "stderr");
}

hd_going hd_lise_load(hd_lise *l, hd_term pointer, hd_type type, hd_term *out) {
  if (type.kind == HD_TYPE_PTR && is_stream(l, pointer)) {
    *out = pointer;
    return HD_GO_ON;
  }
  uint32_t object;
  hd_term offset, bytes = hd_term_int(l->terms, hd_type_bytes(type));
  hd_going g =
      hd_lise_access(l, pointer, bytes, false, "read", &object, &offset);
  return g == HD_GO_ON ? load_at(l, object, offset, type, out) : g;
}

static hd_going store_at(hd_lise *l, uint32_t object, hd_term offset,
                         hd_type type, hd_term value) {
  int64_t at = 0;
  hd_going g = settle(l, object, &offset, type, &at);
  if (g != HD_GO_ON)
    return g;
  hd_terms *t = l->terms;
  if (hd_term_sort_of(t, value) == HD_OF_BOOL)
    value = hd_term_from_bool(t, value);
  const hd_lise_object *old = hd_lise_seen(l)->objects.data[object];
  if (old->array) {
    hd_term index;
    g = element(l, old, offset, type, &index);
    if (g != HD_GO_ON)
      return g;
    if (hd_term_is_undef(t, value))
      value =
          hd_lise_fresh(l, type.kind == HD_TYPE_FLOAT ? HD_OF_REAL : HD_OF_INT);
    hd_lise_object *o = hd_lise_object_own(hd_lise_me(l), object);
    o->array = hd_term_store(t, o->array, index, value);
    hd_lise_wrote(l, (hd_lise_place){.object = object});
    return HD_GO_ON;
  }
  uint32_t bytes = hd_type_bytes(type);
  hd_lise_object *o = hd_lise_object_own(hd_lise_me(l), object);
  if (!clear(t, o, at, bytes))
    return hd_lise_refuse(l, "part of a symbolic value is overwritten");
  insert(o, (hd_lise_cell){at, bytes, value});
  hd_lise_wrote(l, (hd_lise_place){object, bytes, at});
  return HD_GO_ON;
}

hd_going hd_lise_store(hd_lise *l, hd_term pointer, hd_type type,
                       hd_term value) {
  uint32_t object;
  hd_term offset, bytes = hd_term_int(l->terms, hd_type_bytes(type));
  hd_going g =
      hd_lise_access(l, pointer, bytes, true, "write", &object, &offset);
  return g == HD_GO_ON ? store_at(l, object, offset, type, value) : g;
}

hd_term hd_lise_peek(hd_terms *terms, const hd_code *code,
                     const hd_lise_proc *proc, uint32_t object, hd_term offset,
                     hd_type type) {
  const hd_lise_object *o =
      object < proc->objects.size ? proc->objects.data[object] : NULL;
  int64_t at;
  if (!o || o->freed || o->external)
    return 0;
  if (o->array) {
    hd_term index = hd_term_exact_div(terms, offset, o->stride);
    return index && hd_type_bytes(type) == o->stride
               ? hd_term_select(terms, o->array, index)
               : 0;
  }
  if (hd_term_is_int(terms, offset, &at))
    return at < 0 ? hd_term_undef(terms) : cell_value(terms, code, o, at, type);
  /* A symbolic index into cells: as if the object were an array. */
  uint32_t w = hd_type_bytes(type);
  hd_term index = hd_term_exact_div(terms, offset, w);
  if (!index || type.kind == HD_TYPE_PTR)
    return 0;
  hd_term value = 0;
  for (size_t i = o->cells.size; i-- > 0;) {
    hd_lise_cell c = o->cells.data[i];
    if (c.bytes != w || c.offset % w || !is_kind(terms, c.value, type) ||
        hd_term_is_undef(terms, c.value))
      continue;
    hd_term k = hd_term_int(terms, c.offset / w);
    value =
        value ? hd_term_ite(terms, hd_term_eq(terms, index, k), c.value, value)
              : c.value;
  }
  return value;
}

/* --- ranges --- */

hd_going hd_lise_read(hd_lise *l, hd_term pointer, int64_t bytes, hd_type unit,
                      const char *what, hd_lise_message *into) {
  if (bytes <= 0)
    return HD_GO_ON;
  hd_terms *t = l->terms;
  uint32_t object;
  hd_term offset;
  hd_going g = hd_lise_access(l, pointer, hd_term_int(t, bytes), false, what,
                              &object, &offset);
  if (g != HD_GO_ON)
    return g;
  int64_t at;
  const hd_lise_object *o = hd_lise_seen(l)->objects.data[object];
  uint32_t w = hd_type_bytes(unit);
  bool fixed = hd_term_is_int(t, offset, &at);
  if (fixed && !o->array) {
    size_t i = cell_from(o, at);
    int64_t here = at;
    while (here < at + bytes) {
      while (i < o->cells.size &&
             o->cells.data[i].offset + o->cells.data[i].bytes <= here)
        i++;
      bool in = i < o->cells.size && o->cells.data[i].offset <= here;
      hd_lise_cell c = {here, w, 0};
      if (in && o->cells.data[i].offset == here &&
          here + o->cells.data[i].bytes <= at + bytes) {
        c = o->cells.data[i];
      } else {
        if (here + w > at + bytes || in ||
            (i < o->cells.size && o->cells.data[i].offset < here + w))
          c.bytes = 1;
        hd_type one = c.bytes == 1 ? (hd_type){HD_TYPE_INT, 8} : unit;
        c.value = cell_value(t, hd_lise_code(l), o, here, one);
        if (!c.value)
          return hd_lise_refuse(l, "%s of part of a symbolic value", what);
      }
      here += c.bytes;
      c.offset -= at;
      if (!hd_term_is_undef(t, c.value))
        hd_vec_push(&into->cells, c);
    }
    return HD_GO_ON;
  }
  if (bytes / w > MOST_ELEMENTS)
    return hd_lise_refuse(l, "%s of that many elements", what);
  for (int64_t i = 0; i + w <= bytes; i += w) {
    hd_term value;
    g = load_at(l, object, hd_term_add(t, offset, hd_term_int(t, i)), unit,
                &value);
    if (g != HD_GO_ON)
      return g;
    if (!hd_term_is_undef(t, value))
      hd_vec_push(&into->cells, ((hd_lise_cell){i, w, value}));
  }
  return HD_GO_ON;
}

static hd_type type_of(const hd_terms *t, const hd_lise_cell *c) {
  hd_term_sort sort = hd_term_sort_of(t, c->value);
  return (hd_type){(uint8_t)(sort == HD_OF_REAL  ? HD_TYPE_FLOAT
                             : sort == HD_OF_PTR ? HD_TYPE_PTR
                                                 : HD_TYPE_INT),
                   (uint8_t)(8 * c->bytes)};
}

hd_going hd_lise_write(hd_lise *l, hd_term pointer, int64_t bytes,
                       const hd_lise_message *from, const char *what) {
  if (bytes <= 0)
    return HD_GO_ON;
  hd_terms *t = l->terms;
  uint32_t object;
  hd_term offset;
  hd_going g = hd_lise_access(l, pointer, hd_term_int(t, bytes), true, what,
                              &object, &offset);
  int64_t at;
  if (g != HD_GO_ON)
    return g;
  if (hd_term_is_int(t, offset, &at) &&
      !hd_lise_seen(l)->objects.data[object]->array) {
    hd_lise_object *o = hd_lise_object_own(hd_lise_me(l), object);
    if (!clear(t, o, at, bytes))
      return hd_lise_refuse(l, "%s over part of a symbolic value", what);
    if (o->zero) /* what is not set must not become 0 */
      for (int64_t b = at; b < at + bytes; b++)
        insert(o, (hd_lise_cell){b, 1, hd_term_undef(t)});
  }
  for (size_t i = 0; i < from->cells.size; i++) {
    hd_lise_cell c = from->cells.data[i];
    if (c.offset + c.bytes > bytes)
      break;
    g = store_at(l, object, hd_term_add(t, offset, hd_term_int(t, c.offset)),
                 type_of(t, &c), c.value);
    if (g != HD_GO_ON)
      return g;
  }
  return HD_GO_ON;
}
