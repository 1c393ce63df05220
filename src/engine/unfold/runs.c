/* SPDX-License-Identifier: MIT */
#include "engine/unfold/runs.h"

#include "engine/unfold/relate.h"

#include <string.h>

/* --- which element an address is --- */

/* Element `reg + add` of an array in an object. */
typedef struct {
  hd_object_id object;
  int64_t base;    /* offset of element 0 */
  uint32_t stride; /* of the elements */
  hd_reg_id reg;
  int64_t add;
} element;

static bool has_span(const frame *f, hd_reg_id reg, hd_span *span) {
  assert(reg < f->n_regs);
  return hd_value_range(&f->regs[reg], span);
}

/* An index that is a register plus a number, and nothing wraps around. */
static bool parse_index(const analysis *a, const frame *f, hd_cexpr_id expr,
                        element *out) {
  assert(expr < a->code->exprs.size);
  const hd_cexpr *e = &a->code->exprs.data[expr];
  hd_span s;
  if (e->type.kind != HD_TYPE_INT)
    return false;
  switch ((hd_code_op)e->op) {
  case HD_CODE_REG:
    out->reg = (hd_reg_id)e->value;
    out->add = 0;
    return has_span(f, out->reg, &s);
  case HD_CODE_WITHIN:
  case HD_CODE_SEXT:
    return parse_index(a, f, e->args[0], out);
  case HD_CODE_ZEXT:
    return parse_index(a, f, e->args[0], out) && has_span(f, out->reg, &s) &&
           s.lo >= 0 && s.lo + out->add >= 0;
  case HD_CODE_ADD: {
    const hd_cexpr *k = &a->code->exprs.data[e->args[1]];
    if (k->op != HD_CODE_INT || !parse_index(a, f, e->args[0], out) ||
        !has_span(f, out->reg, &s))
      return false;
    uint64_t sign = (uint64_t)1 << (e->type.width - 1);
    int64_t by = (int64_t)((k->value ^ sign) - sign), lo, hi;
    int64_t top = (int64_t)(sign - 1);
    return !__builtin_add_overflow(out->add, by, &out->add) &&
           !__builtin_add_overflow(s.lo, out->add, &lo) &&
           !__builtin_add_overflow(s.hi, out->add, &hi) && lo >= -top - 1 &&
           hi <= top;
  }
  default:
    return false;
  }
}

static bool parse_address(analysis *a, thread_id thread, const local *l,
                          hd_cexpr_id expr, element *out) {
  assert(expr < a->code->exprs.size);
  const hd_cexpr *e = &a->code->exprs.data[expr];
  if (e->op != HD_CODE_PTRADD)
    return false;
  hd_mays mays = 0;
  hd_value base = hd_eval_expr(a, thread, l, e->args[0], &mays);
  const hd_cexpr *d = &a->code->exprs.data[e->args[1]];
  const hd_cexpr *by = d->op == HD_CODE_MUL || d->op == HD_CODE_SHL
                           ? &a->code->exprs.data[d->args[1]]
                           : NULL;
  if (!hd_value_is_address(&base, &out->object, &out->base))
    return false;
  out->stride = 1;
  if (!by)
    return parse_index(a, l->top, e->args[1], out);
  if (by->op != HD_CODE_INT || by->value > 4096 || !by->value ||
      (d->op == HD_CODE_SHL && by->value > 12))
    return false;
  out->stride =
      d->op == HD_CODE_MUL ? (uint32_t)by->value : (uint32_t)1 << by->value;
  return d->type.width == 64 && parse_index(a, l->top, d->args[0], out);
}

/* --- runs --- */

/* Longer ones are not looked at element by element. */
enum { MAX_ELEMENTS = 4096 };

static bool same_array(const array_run *r, const element *e, uint32_t bytes) {
  return r->object == e->object && r->base == e->base &&
         r->stride == e->stride && r->bytes == bytes;
}

/* Indices from … to - 1 that the run has at least (`most`: at most). */
static void extent(const array_run *r, const frame *f, bool most, int64_t *from,
                   int64_t *to) {
  hd_span s = {0, 0};
  bool known = has_span(f, r->reg, &s);
  int64_t end = 0;
  *from = *to = r->from;
  bool high = most != r->down; /* the larger value of the register */
  if (!known || __builtin_add_overflow(high ? s.hi : s.lo, r->add, &end)) {
    if (most)
      *from = INT64_MIN / 2, *to = INT64_MAX / 2;
    return;
  }
  if (r->down)
    *from = end;
  else
    *to = end;
}

/* Cuts indices to those in the object; false: none is left. */
static bool inside(const array_run *r, const hd_memory *m, int64_t *from,
                   int64_t *to) {
  assert(r->stride > 0 && r->bytes > 0);
  uint64_t size = hd_memory_size(m, r->object);
  if (r->base < 0 || size < (uint64_t)r->base + r->bytes)
    return false;
  int64_t n = (int64_t)((size - (uint64_t)r->base - r->bytes) / r->stride) + 1;
  *from = *from < 0 ? 0 : *from;
  *to = *to > n ? n : *to;
  return *from < *to;
}

static hd_pointee bytes_of(const array_run *r, int64_t from, int64_t to) {
  assert(from < to && from >= 0);
  hd_pointee t = {r->object, to - from > 1 ? r->stride : 0,
                  r->base + from * r->stride, r->base + (to - 1) * r->stride};
  return t;
}

/* What the cells say about all that may be in the run; false: it is empty. */
static bool cells_of(const array_run *r, const local *l, hd_value *v) {
  int64_t from, to;
  extent(r, l->top, true, &from, &to);
  if (!inside(r, l->memory, &from, &to))
    return false;
  hd_pointee t = bytes_of(r, from, to);
  *v = to - from > MAX_ELEMENTS ? hd_value_undefined()
                                : hd_memory_load(l->memory, &t, r->bytes);
  v->wild = v->wild || to - from > MAX_ELEMENTS;
  return true;
}

static void add_run(local *l, const array_run *r) {
  frame *f = l->top = hd_frame_own(l->top);
  if (f->n_runs == MAX_RUNS)
    return;
  if (!f->runs)
    f->runs = hd_calloc(MAX_RUNS, sizeof *f->runs);
  f->runs[f->n_runs++] = *r;
}

static bool is_alive(const local *l, hd_object_id object) {
  return hd_memory_life(l->memory, object) == HD_LIFE_ALIVE;
}

/* What a write to other elements, or to any, does to a run; false: it is over. */
static bool weaken(array_run *r, const hd_value *valid, uint32_t bytes,
                   const hd_value *value) {
  assert(r->stride > 0);
  for (int i = 0; i < valid->n_targets; i++) {
    const hd_pointee *t = &valid->targets[i];
    if (t->object != r->object)
      continue;
    if (bytes != r->bytes || (t->lo - r->base) % r->stride ||
        t->stride % r->stride)
      return false;
    r->value = hd_value_join((uint8_t)(8 * bytes), &r->value, value);
  }
  return true;
}

/* Takes out the runs of that register and array in the direction that the loop
 * does not go. */
static void drop_others(frame *f, const array_run *grown) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < f->n_runs; i++) {
    const array_run *r = &f->runs[i];
    if (r->object != grown->object || r->reg != grown->reg ||
        r->base != grown->base || r->down == grown->down)
      f->runs[kept++] = *r;
  }
  f->n_runs = kept;
}

/* True: a run got one element longer. */
static bool update(local *l, const element *e, const hd_value *valid,
                   uint32_t bytes, const hd_value *value) {
  frame *f = l->top = hd_frame_own(l->top);
  uint32_t kept = 0;
  array_run grown = {0};
  bool extended = false;
  for (uint32_t i = 0; i < f->n_runs; i++) {
    array_run r = f->runs[i];
    if (e && same_array(&r, e, bytes) && r.reg == e->reg &&
        is_alive(l, e->object) &&
        (r.down ? e->add == r.add - 1 : e->add == r.add)) {
      r.add += r.down ? -1 : 1;
      r.value = hd_value_join((uint8_t)(8 * bytes), &r.value, value);
      extended = true;
      grown = r;
    } else if (!weaken(&r, valid, bytes, value)) {
      continue;
    }
    f->runs[kept++] = r;
  }
  assert(kept <= MAX_RUNS);
  f->n_runs = kept;
  if (extended)
    drop_others(f, &grown);
  return extended;
}

void hd_runs_stored(analysis *a, thread_id thread, local *l,
                    hd_cexpr_id address, const hd_value *valid, uint32_t bytes,
                    const hd_value *value) {
  element e;
  if (!a->relate)
    return;
  bool element_known = parse_address(a, thread, l, address, &e);
  bool extended = l->top->n_runs &&
                  update(l, element_known ? &e : NULL, valid, bytes, value);
  hd_span s;
  int64_t index;
  if (extended || !element_known || valid->n_targets != 1 ||
      !is_alive(l, e.object) || !has_span(l->top, e.reg, &s) || s.lo != s.hi ||
      __builtin_add_overflow(s.lo, e.add, &index) ||
      l->top->n_runs + 2 > MAX_RUNS)
    return;
  /* One element: the beginning of a run in either direction. */
  array_run up = {.object = e.object,
                  .base = e.base,
                  .stride = e.stride,
                  .bytes = bytes,
                  .reg = e.reg,
                  .add = e.add + 1,
                  .from = index,
                  .value = *value};
  add_run(l, &up);
  array_run down = up;
  down.down = true;
  down.add = e.add;
  down.from = index + 1;
  add_run(l, &down);
}

/* Is the element certainly in the run? */
static bool is_in(const analysis *a, const local *l, const array_run *r,
                  const element *e) {
  hd_span x, y;
  int64_t lo, hi, end;
  if (!has_span(l->top, e->reg, &x) || !has_span(l->top, r->reg, &y) ||
      __builtin_add_overflow(x.lo, e->add, &lo) ||
      __builtin_add_overflow(x.hi, e->add, &hi) ||
      (r->down ? hi >= r->from : lo < r->from))
    return false;
  if (e->reg == r->reg)
    return r->down ? e->add >= r->add : e->add < r->add;
  if (!__builtin_add_overflow(r->down ? y.hi : y.lo, r->add, &end) &&
      (r->down ? lo >= end : hi < end))
    return true;
  /* up: e.reg - r.reg < r.add - e.add; down: r.reg - e.reg <= e.add - r.add */
  int64_t most;
  if (!hd_relate_most(a, l, r->down ? r->reg : e->reg,
                      r->down ? e->reg : r->reg, &most))
    return false;
  return r->down ? most <= e->add - r->add : most < r->add - e->add;
}

hd_value hd_runs_loaded(analysis *a, thread_id thread, const local *l,
                        hd_cexpr_id address, const hd_value *valid,
                        uint32_t bytes, hd_value value) {
  element e;
  if (!a->relate || !l->top->n_runs || valid->n_targets != 1 ||
      !parse_address(a, thread, l, address, &e))
    return value;
  for (uint32_t i = 0; i < l->top->n_runs; i++) {
    const array_run *r = &l->top->runs[i];
    if (!same_array(r, &e, bytes) || !is_in(a, l, r, &e))
      continue;
    hd_value v = hd_value_meet((uint8_t)(8 * bytes), &value, &r->value);
    if (!hd_value_is_none(&v))
      value = v;
  }
  return value;
}

moved_runs hd_runs_take(const analysis *a, const local *l, hd_reg_id reg,
                        hd_cexpr_id expr, const hd_value *value) {
  assert(expr < a->code->exprs.size);
  moved_runs out = {0};
  const hd_cexpr *e = &a->code->exprs.data[expr];
  element self;
  hd_span s;
  if (!a->relate || !l->top->n_runs || e->op != HD_CODE_ADD ||
      !hd_value_range(value, &s) || !parse_index(a, l->top, expr, &self) ||
      self.reg != reg)
    return out;
  out.runs = hd_calloc(MAX_RUNS, sizeof *out.runs);
  for (uint32_t i = 0; i < l->top->n_runs; i++)
    if (l->top->runs[i].reg == reg) {
      array_run r = l->top->runs[i];
      if (!__builtin_sub_overflow(r.add, self.add, &r.add))
        out.runs[out.n++] = r;
    }
  return out;
}

void hd_runs_put(local *l, moved_runs *moved) {
  assert(moved->n <= MAX_RUNS);
  for (uint32_t i = 0; i < moved->n; i++)
    add_run(l, &moved->runs[i]);
  hd_free(moved->runs);
}

/* Narrows the cells that are certainly in a run. */
static void settle(hd_memory **m, const frame *f, const array_run *r) {
  int64_t from, to;
  extent(r, f, false, &from, &to);
  if (hd_memory_life(*m, r->object) != HD_LIFE_ALIVE ||
      !inside(r, *m, &from, &to) || to - from > MAX_ELEMENTS)
    return;
  hd_pointee t = bytes_of(r, from, to);
  hd_memory_narrow(m, &t, r->bytes, &r->value);
}

void hd_runs_settle(local *l) {
  if (!l->top || !l->top->n_runs)
    return;
  for (uint32_t i = 0; i < l->top->n_runs; i++)
    settle(&l->memory, l->top, &l->top->runs[i]);
  l->top = hd_frame_own(l->top);
  l->top->n_runs = 0;
}

static const array_run *find_run(const frame *f, const array_run *like) {
  for (uint32_t i = 0; i < f->n_runs; i++)
    if (run_same(&f->runs[i], like))
      return &f->runs[i];
  return NULL;
}

/* The run of one side, in both. */
static void join_run(local *out, const array_run *r, const local *other,
                     const hd_widening *widen) {
  const array_run *match = find_run(other->top, r);
  uint8_t width = (uint8_t)(8 * r->bytes);
  hd_value v;
  array_run both = *r;
  if (match)
    v = match->value;
  else if (!is_alive(other, r->object))
    return;
  else if (!cells_of(r, other, &v))
    v = hd_value_none();
  if (v.wild || (v.undef && !r->value.undef))
    return;
  both.value = widen ? hd_value_widen(width, &r->value, &v, widen)
                     : hd_value_join(width, &r->value, &v);
  add_run(out, &both);
}

void hd_runs_join(local *out, const local *x, const local *y,
                  const hd_widening *widen) {
  if (x->top == y->top)
    return;
  for (uint32_t i = 0; i < x->top->n_runs; i++)
    join_run(out, &x->top->runs[i], y, widen);
  for (uint32_t i = 0; i < y->top->n_runs; i++)
    if (!find_run(x->top, &y->top->runs[i]))
      join_run(out, &y->top->runs[i], x, widen);
}
