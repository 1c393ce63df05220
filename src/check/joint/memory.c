/* SPDX-License-Identifier: MIT */
/* Values of expressions, and bytes of memory. */
#include "check/joint/machine.h"

#include "check/notes/compute.h"
#include "check/notes/rules.h"

#include <string.h>

/* --- values --- */

hd_note_value hd_joint_to_note(const val *v, uint8_t width) {
  if (v->kind == V_NUMBER)
    return hd_note_number(v->a);
  if (v->kind == V_ADDRESS)
    return hd_note_address(v->base, v->a);
  if (v->kind == V_SPAN)
    return (hd_note_value){
        .kind = HD_NOTE_SPAN, .base = v->base, .lo = (int64_t)v->a, .hi = v->b};
  if (v->kind == V_RANGE)
    return hd_note_range(width, (int64_t)v->a, v->b);
  return hd_note_any();
}

val hd_joint_of_note(const hd_note_value *v, uint8_t width) {
  hd_note_elem e;
  int64_t lo, hi;
  if (hd_note_single(v, &e))
    return e.base == HD_NO_ID ? number(e.bits) : address(e.base, e.bits);
  if (v->kind == HD_NOTE_SPAN)
    return (val){V_SPAN, v->base, (uint64_t)v->lo, v->hi};
  if (hd_note_bounds(width, v, &lo, &hi))
    return (val){V_RANGE, 0, (uint64_t)lo, hi};
  return anything();
}

val hd_joint_full(hd_type type) {
  hd_note_value v = hd_note_full(type);
  return hd_joint_of_note(&v, type.width);
}

/* As what a condition is. */
bool hd_joint_may(const val *v, bool truth) {
  if (v->kind == V_NUMBER)
    return (v->a & 1) == truth;
  return true;
}

typedef struct {
  joint *j;
  mach *m;
} where;

/* Constants may be kept in one another, and what is only declared need not be
 * there. */
static hd_note_facts facts_of(const void *context, uint32_t base) {
  const where *w = context;
  const hd_code *code = w->j->code;
  hd_note_facts f = {.size = hd_joint_size(w->j, w->m, base)};
  if (base < code->globals.size) {
    f.nullable = code->globals.data[base].external;
    f.merged = code->globals.data[base].constant;
    f.align = f.nullable ? 0 : code->globals.data[base].align;
  } else if (base < thread_base(code, 0)) {
    f.code = true;
    f.nullable = !code->funcs.data[base - code->globals.size].defined;
  } else if (base < hd_joint_first_made(code)) {
    f.opaque = true;
  } else {
    const made *o = hd_joint_made(w->j, w->m, base);
    f.opaque = !o;
    if (o && o->kind == O_SLOT) {
      f.align = code->slots.data[o->index].align;
      f.merged = hd_code_is_literal_slot(code, o->index);
    }
    if (o && o->kind == O_HEAP) /* as malloc has it */
      f.align = code->pointer_width / 4u;
  }
  return f;
}

val hd_joint_apply(joint *j, mach *m, const hd_cexpr *e, hd_type from,
                   const val *a, const val *b, hd_edge_id edge) {
  uint64_t bits;
  if (a->kind == V_NUMBER && b->kind == V_NUMBER &&
      e->type.kind == HD_TYPE_INT && from.kind == HD_TYPE_INT &&
      hd_note_compute((hd_code_op)e->op, e->type, from, a->a, b->a, &bits) ==
          HD_NOTE_EXACT)
    return number(bits);
  where w = {j, m};
  hd_note_world world = {facts_of, &w};
  hd_note_value x = hd_joint_to_note(a, from.width);
  hd_note_value y = hd_joint_to_note(b, from.width);
  bool bad = false;
  hd_note_value v = hd_note_apply(&world, e, from, &x, &y, &bad);
  if (bad)
    hd_joint_refuse(j, edge, "an operation that may have no value");
  val out = hd_joint_of_note(&v, e->type.width);
  if (out.kind >= V_ADDRESS && (out.kind == V_SPAN ? (uint64_t)out.b : out.a) >
                                   hd_joint_size(j, m, out.base))
    return anything(); /* it has left its object */
  return out;
}

static val leaf(joint *j, mach *m, uint32_t t, const hd_cexpr *e) {
  thread *th = &m->threads.data[t];
  const hd_code *code = j->code;
  switch ((hd_code_op)e->op) {
  case HD_CODE_INT:
    return number(e->value);
  case HD_CODE_NULL:
    return number(0);
  case HD_CODE_REG:
    return th->regs.data[top(th)->regs + e->value];
  case HD_CODE_FUNC:
    return address((uint32_t)(code->globals.size + e->value), 0);
  case HD_CODE_SLOT:
    return address(th->slots.data[top(th)->slots + e->value], 0);
  case HD_CODE_GLOBAL:
    if (!code->globals.data[e->value].thread_local)
      return address((uint32_t)e->value, 0);
    for (uint32_t i = 0; i < th->made.size; i++)
      if (th->made.data[i].kind == O_LOCAL &&
          th->made.data[i].index == e->value)
        return address(hd_joint_first_made(code) + t * OBJECTS + i, 0);
    return address(
        hd_joint_make(j, m, t,
                      (made){.kind = O_LOCAL,
                             .index = (uint32_t)e->value,
                             .size = code->globals.data[e->value].size}),
        0);
  default:
    return anything();
  }
}

static val either(const val *a, const val *b, uint8_t width) {
  hd_note_value x = hd_joint_to_note(a, width), y = hd_joint_to_note(b, width);
  hd_note_value v = hd_note_join(width, &x, &y);
  return hd_joint_of_note(&v, width);
}

val hd_joint_eval(joint *j, mach *m, uint32_t t, hd_cexpr_id id,
                  hd_edge_id edge) {
  const hd_cexpr *e = &j->code->exprs.data[id];
  if (hd_code_op_arity((hd_code_op)e->op) == 0)
    return leaf(j, m, t, e);
  val a = hd_joint_eval(j, m, t, e->args[0], edge), b = number(0);
  if (e->op == HD_CODE_SELECT) {
    bool yes = hd_joint_may(&a, true), no = hd_joint_may(&a, false);
    val x = hd_joint_eval(j, m, t, e->args[yes ? 1 : 2], edge);
    if (!yes || !no)
      return x;
    val y = hd_joint_eval(j, m, t, e->args[2], edge);
    return either(&x, &y, e->type.width);
  }
  if (e->args[1] != HD_NO_ID)
    b = hd_joint_eval(j, m, t, e->args[1], edge);
  return hd_joint_apply(j, m, e, j->code->exprs.data[e->args[0]].type, &a, &b,
                        edge);
}

/* --- conditions --- */

typedef struct {
  where w;
  uint32_t t;
  hd_edge_id edge;
} thread_at;

static val *reg_of(const thread_at *at, const hd_cexpr *reg) {
  thread *th = &at->w.m->threads.data[at->t];
  return &th->regs.data[top(th)->regs + reg->value];
}

static hd_note_value eval_in(void *context, hd_cexpr_id id) {
  const thread_at *at = context;
  val v = hd_joint_eval(at->w.j, at->w.m, at->t, id, at->edge);
  return hd_joint_to_note(&v, at->w.j->code->exprs.data[id].type.width);
}

static hd_note_value get_in(void *context, const hd_cexpr *reg) {
  return hd_joint_to_note(reg_of(context, reg), reg->type.width);
}

static void set_in(void *context, const hd_cexpr *reg, const hd_note_value *v) {
  *reg_of(context, reg) = hd_joint_of_note(v, reg->type.width);
}

void hd_joint_refine(joint *j, mach *m, uint32_t t, hd_cexpr_id id, bool truth,
                     hd_edge_id edge) {
  thread_at at = {{j, m}, t, edge};
  hd_note_frame registers = {j->code, &at, eval_in, get_in, set_in};
  hd_note_condition(&registers, id, truth);
}

/* --- where --- */

uint64_t hd_joint_size(joint *j, mach *m, uint32_t base) {
  if (base < j->code->globals.size)
    return j->code->globals.data[base].size;
  const made *o = hd_joint_made(j, m, base);
  return o ? o->size : 0;
}

static bool is_constant(const hd_code *code, uint32_t base) {
  return base < code->globals.size && code->globals.data[base].constant;
}

/* The bytes are there, and no lock's. */
bool hd_joint_there(joint *j, mach *m, const val *at, uint64_t size, bool write,
                    hd_edge_id edge) {
  const hd_code *code = j->code;
  bool ok = at->kind == V_ADDRESS;
  if (ok && at->base < code->globals.size)
    ok = (!code->globals.data[at->base].external ||
          (!write && hd_note_is_stream(code->globals.data[at->base].name))) &&
         !code->globals.data[at->base].thread_local &&
         !(write && code->globals.data[at->base].constant);
  else if (ok)
    ok = hd_joint_made(j, m, at->base) != NULL;
  uint64_t whole = ok ? hd_joint_size(j, m, at->base) : 0;
  if (!ok || at->a > whole || size > whole - at->a) {
    hd_joint_refuse(j, edge, "an access that may be outside of what is there");
    return false;
  }
  for (hd_vec_each(const gate, s, &m->syncs))
    if (s->base == at->base && s->offset < at->a + size &&
        at->a < s->offset + s->size) {
      hd_joint_refuse(j, edge, "the bytes of a lock are used");
      return false;
    }
  return true;
}

static bool joins(const deed *d, uint32_t base, uint64_t lo, uint64_t hi,
                  bool write, bool atomic) {
  return d->base == base && d->write == write && d->atomic == atomic &&
         d->lo <= hi && lo <= d->hi;
}

void hd_joint_deed(joint *j, path *p, uint32_t base, uint64_t lo, uint64_t hi,
                   bool write, bool atomic, hd_edge_id edge) {
  const made *o = hd_joint_made(j, &p->m, base);
  if (lo == hi || is_constant(j->code, base) ||
      (o && o->kind == O_SLOT && !j->told[o->index]))
    return;
  deed made_now = {base, lo, hi, write, atomic, edge};
  hd_joint_trace(j, &p->m, j->t, &made_now);
  for (size_t i = p->deeds.size; i-- > 0 && i + 16 > p->deeds.size;) {
    deed *d = &p->deeds.data[i];
    if (joins(d, base, lo, hi, write, atomic)) {
      d->lo = lo < d->lo ? lo : d->lo;
      d->hi = hi > d->hi ? hi : d->hi;
      return;
    }
  }
  hd_vec_push(&p->deeds, made_now);
}

/* --- bytes --- */

const val hd_joint_nanoseconds = {V_RANGE, 0, 0, 999999999};

static val initial(const hd_code *code, uint32_t global, uint64_t offset,
                   uint32_t size) {
  hd_cexpr_id root;
  uint64_t bits;
  if (!hd_note_initial_bytes(code, &code->globals.data[global], offset, size,
                             &root, &bits))
    return anything();
  if (root == HD_NO_ID)
    return number(bits);
  const hd_cexpr *e = &code->exprs.data[root];
  bool func = e->op == HD_CODE_FUNC;
  return address((uint32_t)(e->value + (func ? code->globals.size : 0)), bits);
}

/* What is there when nothing was written. */
static val background(joint *j, mach *m, uint32_t base, uint64_t offset,
                      uint32_t size) {
  if (base < j->code->globals.size)
    return initial(j->code, base, offset, size);
  const made *o = hd_joint_made(j, m, base);
  if (o && o->kind == O_LOCAL && o->index != ERRNO_INDEX)
    return initial(j->code, o->index, offset, size);
  return o && o->zero ? number(0) : anything();
}

/* The first cell that ends behind the place. */
static size_t find(const mach *m, uint32_t base, uint64_t offset) {
  size_t lo = 0, hi = m->cells.size;
  while (lo < hi) {
    size_t mid = (lo + hi) / 2;
    const cell *c = &m->cells.data[mid];
    if (c->base < base || (c->base == base && c->offset + c->size <= offset))
      lo = mid + 1;
    else
      hi = mid;
  }
  return lo;
}

val hd_joint_read(joint *j, mach *m, uint32_t base, uint64_t offset,
                  uint32_t size) {
  size_t i = find(m, base, offset);
  const cell *c = m->cells.data + i;
  const made *o = hd_joint_made(j, m, base);
  if (o && o->kind == O_LOCAL && o->index == ERRNO_INDEX)
    return anything();
  if (i == m->cells.size || c->base != base || c->offset >= offset + size)
    return background(j, m, base, offset, size);
  if (c->offset == offset && c->size == size)
    return c->v;
  uint64_t bits = 0;
  for (uint32_t k = 0; k < size; k++) {
    uint64_t at = offset + k;
    while (i < m->cells.size && m->cells.data[i].base == base &&
           m->cells.data[i].offset + m->cells.data[i].size <= at)
      i++;
    c = m->cells.data + i;
    bool in = i < m->cells.size && c->base == base && c->offset <= at;
    val v = in ? c->v : background(j, m, base, at, 1);
    if (v.kind != V_NUMBER)
      return anything();
    bits |= (v.a >> (in ? 8 * (at - c->offset) : 0) & 255) << 8 * k;
  }
  return number(bits);
}

static void insert(mach *m, size_t at, cell c) {
  hd_vec_push(&m->cells, c);
  for (size_t i = m->cells.size - 1; i > at; i--)
    m->cells.data[i] = m->cells.data[i - 1];
  m->cells.data[at] = c;
}

/* The part of a cell that is left over: single bytes. */
static size_t keep_part(mach *m, size_t at, const cell *c, uint64_t lo,
                        uint64_t hi) {
  for (uint64_t x = lo; x < hi; x++) {
    val v = c->v.kind == V_NUMBER ? number(c->v.a >> 8 * (x - c->offset) & 255)
                                  : anything();
    insert(m, at++, (cell){c->base, x, 1, v});
  }
  return at;
}

void hd_joint_erase(mach *m, uint32_t base, uint64_t lo, uint64_t hi) {
  size_t i = find(m, base, lo);
  while (i < m->cells.size && m->cells.data[i].base == base &&
         m->cells.data[i].offset < hi) {
    cell c = m->cells.data[i];
    memmove(m->cells.data + i, m->cells.data + i + 1,
            (m->cells.size - i - 1) * sizeof c);
    m->cells.size--;
    if (c.offset < lo)
      i = keep_part(m, i, &c, c.offset, lo);
    if (c.offset + c.size > hi)
      i = keep_part(m, i, &c, hi, c.offset + c.size);
  }
}

void hd_joint_write(mach *m, uint32_t base, uint64_t offset, uint32_t size,
                    const val *v) {
  size_t i = find(m, base, offset);
  cell *c = m->cells.data + i;
  if (i < m->cells.size && c->base == base && c->offset == offset &&
      c->size == size) {
    c->v = *v;
    return;
  }
  hd_joint_erase(m, base, offset, offset + size);
  insert(m, find(m, base, offset), (cell){base, offset, size, *v});
}

val hd_joint_loaded(hd_type type, const val *v) {
  if (type.width == 8 * hd_type_bytes(type))
    return *v;
  hd_note_value n = hd_joint_to_note(v, (uint8_t)(8 * hd_type_bytes(type)));
  n = hd_note_loaded(type, &n);
  return hd_joint_of_note(&n, type.width);
}

val hd_joint_stored(hd_type type, const val *v) {
  if (type.width == 8 * hd_type_bytes(type))
    return *v;
  hd_note_value n = hd_joint_to_note(v, type.width);
  n = hd_note_stored(type, &n);
  return hd_joint_of_note(&n, (uint8_t)(8 * hd_type_bytes(type)));
}
