/* SPDX-License-Identifier: MIT */
/* Where objects lie. C leaves open in which order, what is between them, and all
 * bits of an address but those that are 0 by its alignment; here each object has
 * its place, so a result that depends on it is one of many. Values are told by
 * their bits: a number that happens to be an address counts as one. */
#include "check/interp/lib.h"
#include "model/calls.h"

#include <assert.h>
#include <string.h>

static const hd_object *object_at(const hd_machine *m, uint64_t value,
                                  int64_t *offset) {
  return value >> 32 ? hd_ram_find(m, value, offset) : NULL;
}

/* Are they of two objects? */
static bool are_apart(const hd_machine *m, uint64_t a, uint64_t b) {
  int64_t at;
  const hd_object *x = object_at(m, a, &at), *y = x ? object_at(m, b, &at) : x;
  return y && x != y;
}

/* Is the one just behind an object, and the other at the start of another? */
static bool may_touch(const hd_machine *m, uint64_t a, uint64_t b) {
  int64_t i, k;
  const hd_object *x = object_at(m, a, &i), *y = x ? object_at(m, b, &k) : x;
  return y && x != y &&
         ((i == (int64_t)x->size && k == 0) ||
          (k == (int64_t)y->size && i == 0));
}

static bool is_literal(const hd_machine *m, const hd_object *object) {
  const hd_code *code = m->plan->code;
  return object->kind == HD_OBJECT_GLOBAL
             ? hd_code_is_literal(code, object->origin)
             : object->kind == HD_OBJECT_SLOT &&
                   hd_code_is_literal_slot(code, object->origin);
}

/* Has the one, where they overlap, the contents of the other? What was never set
 * has any. */
static bool are_alike(const hd_machine *m, const hd_object *x, int64_t i,
                      const hd_object *y, int64_t k) {
  int64_t before = i < k ? i : k;
  int64_t left = (int64_t)x->size - i, right = (int64_t)y->size - k;
  int64_t n = before + (left < right ? left : right);
  assert(before >= 0);
  if (n <= 0)
    return false;
  const uint8_t *undef_x, *undef_y;
  const uint8_t *p =
      hd_ram_bytes(m, x->base + (uint64_t)(i - before), &undef_x);
  const uint8_t *q =
      hd_ram_bytes(m, y->base + (uint64_t)(k - before), &undef_y);
  for (int64_t at = 0; at < n; at++)
    if (p[at] != q[at] && !(undef_x && undef_x[at]) &&
        !(undef_y && undef_y[at]))
      return false;
  return true;
}

/* Are they in two literals, of which the one may lie in the other? */
static bool may_share(const hd_machine *m, uint64_t a, uint64_t b) {
  int64_t i, k;
  const hd_object *x = object_at(m, a, &i), *y = x ? object_at(m, b, &k) : x;
  if (!y || x == y || !is_literal(m, x) || !is_literal(m, y))
    return false;
  return x->kind == HD_OBJECT_GLOBAL && y->kind == HD_OBJECT_GLOBAL
             ? hd_code_may_share(m->plan->code, x->origin, i, y->origin, k)
             : are_alike(m, x, i, y, k);
}

static uint64_t alignment(const hd_machine *m, const hd_object *object) {
  const hd_code *code = m->plan->code;
  switch ((hd_object_kind)object->kind) {
  case HD_OBJECT_GLOBAL:
  case HD_OBJECT_TLS:
    return code->globals.data[object->origin].align;
  case HD_OBJECT_SLOT:
    return code->slots.data[object->origin].align;
  case HD_OBJECT_HEAP: { /* what is asked for an alignment has it */
    hd_library_fn fn = hd_call_of(code, &code->edges.data[object->origin]);
    bool plain = fn == HD_LIB_malloc || fn == HD_LIB_calloc ||
                 fn == HD_LIB_realloc || fn == HD_LIB_reallocarray ||
                 fn == HD_LIB_strdup || fn == HD_LIB_strndup;
    return plain ? 16 : (uint64_t)1 << 32;
  }
  default:
    return 16;
  }
}

/* Does a part of an address decide: more than its alignment tells, and less than
 * the whole? */
static bool is_cut(const hd_machine *m, hd_code_op op, uint64_t a, uint64_t b) {
  int64_t offset;
  const hd_object *object = object_at(m, a, &offset);
  if (!object)
    return false;
  switch (op) {
  case HD_CODE_AND:
    return b >> 32 != UINT32_MAX && b >= alignment(m, object);
  case HD_CODE_UREM:
    return !b || alignment(m, object) % b;
  default:
    return true;
  }
}

bool hd_layout_decides(const hd_machine *m, hd_code_op op, uint8_t from,
                       uint64_t a, uint64_t b) {
  const hd_plan *plan = m->plan;
  if (from != 64 || !plan->wide || !plan->options->exact || a == b)
    return false;
  switch (op) {
  case HD_CODE_EQ:
  case HD_CODE_NE:
    return may_touch(m, a, b) || may_share(m, a, b);
  case HD_CODE_ULT:
  case HD_CODE_ULE:
  case HD_CODE_UGT:
  case HD_CODE_UGE:
  case HD_CODE_SLT:
  case HD_CODE_SLE:
  case HD_CODE_SGT:
  case HD_CODE_SGE:
  case HD_CODE_SUB:
    return are_apart(m, a, b);
  case HD_CODE_AND:
    return plan->numbers &&
           (is_cut(m, op, a, b) || (!(a >> 32) && is_cut(m, op, b, a)));
  case HD_CODE_UREM:
  case HD_CODE_SREM:
  case HD_CODE_UDIV:
  case HD_CODE_LSHR:
  case HD_CODE_MUL:
    return plan->numbers && is_cut(m, op, a, b);
  default:
    return false;
  }
}

/* --- parts of addresses --- */

/* Has the type a pointer at this offset, perhaps beside other things? */
static bool holds_pointer(const hd_code *code, hd_ctype_id id,
                          uint64_t offset) {
  if (id == HD_NO_ID)
    return false;
  const hd_ctype *type = &code->ctypes.data[id];
  switch (type->kind) {
  case HD_CTYPE_POINTER:
    return offset == 0;
  case HD_CTYPE_ARRAY: {
    uint64_t size =
        type->base == HD_NO_ID ? 0 : code->ctypes.data[type->base].size;
    return size && holds_pointer(code, type->base, offset % size);
  }
  case HD_CTYPE_STRUCT:
  case HD_CTYPE_UNION:
    for (uint32_t i = 0; i < type->n_fields; i++) {
      const hd_cfield *field = &code->fields.data[type->fields + i];
      uint64_t start = field->offset / 8, end = start + field->bits / 8;
      if (offset >= start && offset < end &&
          holds_pointer(code, field->type, offset - start))
        return true;
    }
    return false;
  case HD_CTYPE_VOID:
  case HD_CTYPE_BOOL:
  case HD_CTYPE_SIGNED:
  case HD_CTYPE_UNSIGNED:
  case HD_CTYPE_FLOAT:
  case HD_CTYPE_ENUM:
  case HD_CTYPE_FUNCTION:
    return false;
  }
  return false;
}

static hd_ctype_id type_of(const hd_machine *m, const hd_object *object) {
  const hd_code *code = m->plan->code;
  return object->kind == HD_OBJECT_SLOT ? code->slots.data[object->origin].ctype
         : object->kind == HD_OBJECT_GLOBAL || object->kind == HD_OBJECT_TLS
             ? code->globals.data[object->origin].ctype
             : HD_NO_ID;
}

/* Is there, at a variable's aligned word, the address of an object? Where pairs of
 * small numbers look like one, the type tells. */
static bool is_address(const hd_machine *m, uint64_t word_at) {
  int64_t offset, at;
  uint64_t word;
  assert(word_at % sizeof word == 0);
  const hd_object *object = hd_ram_find(m, word_at, &offset);
  if (!object || !object->block || offset < 0 ||
      (uint64_t)offset + sizeof word > object->size)
    return false;
  memcpy(&word, object->block->bytes + offset, sizeof word);
  return object_at(m, word, &at) &&
         holds_pointer(m->plan->code, type_of(m, object), (uint64_t)offset);
}

void hd_layout_cut(const hd_machine *m, uint64_t address, uint64_t size) {
  enum { WORD = 8 };
  hd_plan *plan = m->plan;
  if (plan->vague || !plan->wide || !plan->options->exact || !size ||
      (address % WORD == 0 && size % WORD == 0))
    return;
  uint64_t last = address + size - 1;
  if ((address % WORD && is_address(m, address - address % WORD)) ||
      (last % WORD != WORD - 1 && is_address(m, last - last % WORD)))
    plan->vague = "a part of an address is read";
}
