/* SPDX-License-Identifier: MIT */
/* Relations as a segment goes along: every step makes a sketch of what is known,
 * changes it, and takes new relations and narrower intervals from it.
 *
 * A sketch has the registers of the top frame and, if some register mirrors a
 * cell, the cells, with an equation a mirror. Registers are called by their
 * numbers, cells by hd_cell_name. */
#include "engine/unfold/relate.h"

#include "base/bitset.h"
#include "engine/unfold/runs.h"

__extension__ typedef __int128 wide;

static bool is_cell(const void *context, hd_name name) {
  (void)context;
  return name >> 63;
}

static hd_type reg_type(const analysis *a, const frame *f, hd_reg_id reg) {
  assert(reg < f->n_regs);
  return a->code->regs.data[a->code->funcs.data[f->func].regs + reg].type;
}

static bool reg_range(const void *context, hd_name name, hd_span *range) {
  const frame *f = context;
  return name < f->n_regs && hd_value_range(&f->regs[name], range);
}

static bool is_good(const analysis *a, const frame *f, hd_reg_id reg) {
  assert(reg < f->n_regs);
  return hd_bits_test(a->relate->good, a->code->funcs.data[f->func].regs + reg);
}

/* Is the mirror one of the cells with names? */
static bool is_related(const analysis *a, const mirror *m) {
  const hd_related *cells = &a->relate->cells;
  for (uint32_t i = 0; m->bytes && i < cells->n; i++)
    if (cells->cells[i].object == m->object &&
        cells->cells[i].offset == m->offset &&
        cells->cells[i].bytes == m->bytes)
      return true;
  return false;
}

/* Is something known about the register besides its value? */
static bool is_known(const analysis *a, const local *l, hd_reg_id reg) {
  return hd_relation_has(l->top->relation, reg) ||
         (hd_memory_relation(l->memory) &&
          is_related(a, &l->top->mirrors[reg]));
}

/* --- expressions --- */

/* Does the exact result, of this range, fit into the type? */
static bool fits(hd_type type, wide lo, wide hi) {
  assert(lo <= hi && type.width > 0);
  wide half = (wide)1 << (type.width - 1);
  return lo >= -half && hi < half;
}

static bool linear(analysis *a, thread_id thread, const local *l,
                   hd_cexpr_id expr, hd_named_form *out);

/* Not a sum: anything in its range. */
static bool opaque(analysis *a, thread_id thread, const local *l,
                   hd_cexpr_id expr, hd_named_form *out) {
  hd_mays mays = 0;
  hd_value v = hd_eval_expr(a, thread, l, expr, &mays);
  hd_span r;
  if (!hd_value_range(&v, &r))
    return false;
  *out = (hd_named_form){.lo = r.lo, .hi = r.hi};
  return true;
}

static bool range_of(analysis *a, thread_id thread, const local *l,
                     hd_cexpr_id expr, hd_span *range) {
  hd_mays mays = 0;
  hd_value v = hd_eval_expr(a, thread, l, expr, &mays);
  return hd_value_range(&v, range);
}

/* x + y, x - y */
static bool linear_sum(analysis *a, thread_id thread, const local *l,
                       const hd_cexpr *e, hd_named_form *out) {
  hd_span x, y;
  hd_named_form right;
  if (!range_of(a, thread, l, e->args[0], &x) ||
      !range_of(a, thread, l, e->args[1], &y))
    return false;
  bool add = e->op == HD_CODE_ADD;
  return fits(e->type, (wide)x.lo + (add ? (wide)y.lo : -(wide)y.hi),
              (wide)x.hi + (add ? (wide)y.hi : -(wide)y.lo)) &&
         linear(a, thread, l, e->args[0], out) &&
         linear(a, thread, l, e->args[1], &right) &&
         hd_named_form_add(out, &right, add ? 1 : -1);
}

/* x * c, x << c */
static bool linear_product(analysis *a, thread_id thread, const local *l,
                           const hd_cexpr *e, hd_named_form *out) {
  hd_span x, by;
  if (!range_of(a, thread, l, e->args[0], &x) ||
      !range_of(a, thread, l, e->args[1], &by) || by.lo != by.hi)
    return false;
  int64_t factor = by.lo;
  if (e->op == HD_CODE_SHL) {
    if (by.lo < 0 || by.lo > 31)
      return false;
    factor = (int64_t)1 << by.lo;
  }
  wide p = (wide)x.lo * factor, q = (wide)x.hi * factor;
  hd_named_form inner;
  *out = (hd_named_form){0};
  return fits(e->type, p < q ? p : q, p < q ? q : p) &&
         linear(a, thread, l, e->args[0], &inner) &&
         hd_named_form_add(out, &inner, factor);
}

static bool linear_cast(analysis *a, thread_id thread, const local *l,
                        const hd_cexpr *e, hd_named_form *out) {
  hd_span x;
  if (a->code->exprs.data[e->args[0]].type.kind != HD_TYPE_INT ||
      !range_of(a, thread, l, e->args[0], &x))
    return false;
  bool same = e->op == HD_CODE_SEXT || (e->op == HD_CODE_ZEXT && x.lo >= 0) ||
              (e->op == HD_CODE_TRUNC && fits(e->type, x.lo, x.hi));
  return same && linear(a, thread, l, e->args[0], out);
}

static bool exact(analysis *a, thread_id thread, const local *l,
                  const hd_cexpr *e, hd_named_form *out) {
  hd_span r;
  switch ((hd_code_op)e->op) {
  case HD_CODE_REG:
    if (!reg_range(l->top, e->value, &r) ||
        (r.lo == r.hi && !is_known(a, l, (hd_reg_id)e->value)))
      return false;
    *out = (hd_named_form){.n = 1, .names = {e->value}, .factors = {1}};
    return true;
  case HD_CODE_ADD:
  case HD_CODE_SUB:
    return linear_sum(a, thread, l, e, out);
  case HD_CODE_MUL:
  case HD_CODE_SHL:
    return linear_product(a, thread, l, e, out);
  case HD_CODE_SEXT:
  case HD_CODE_ZEXT:
  case HD_CODE_TRUNC:
    return linear_cast(a, thread, l, e, out);
  default:
    return false;
  }
}

/* The value of an expression as a number, a sum of registers and something in a
 * range. False: it may be no number. */
static bool linear(analysis *a, thread_id thread, const local *l,
                   hd_cexpr_id expr, hd_named_form *out) {
  assert(expr < a->code->exprs.size);
  const hd_cexpr *e = &a->code->exprs.data[expr];
  return e->type.kind == HD_TYPE_INT &&
         (exact(a, thread, l, e, out) || opaque(a, thread, l, expr, out));
}

/* --- sketches of states --- */

static bool mirrors_cell(const analysis *a, const local *l, hd_reg_id r) {
  hd_span x, y;
  const mirror *m = &l->top->mirrors[r];
  return is_related(a, m) && hd_live_at(a->live, l->top->loc, r) &&
         reg_range(l->top, r, &x) &&
         hd_memory_range(l->memory, hd_cell_name(m->object, m->offset), &y);
}

/* True: with the cells, which `cells` asks for in any case. */
static bool draw(const analysis *a, const local *l, bool cells, hd_sketch *s) {
  const frame *f = l->top;
  hd_sketch_init(s, a->relate->cells.lib, f->relation);
  for (hd_reg_id r = 0; r < f->n_regs && !cells; r++)
    cells = mirrors_cell(a, l, r);
  if (!cells)
    return false;
  hd_sketch_meet(s, hd_memory_relation(l->memory));
  for (hd_reg_id r = 0; r < f->n_regs; r++) {
    hd_name cell = hd_cell_name(f->mirrors[r].object, f->mirrors[r].offset);
    hd_span x, y;
    if (!mirrors_cell(a, l, r) || !reg_range(f, r, &x) ||
        !hd_memory_range(l->memory, cell, &y) || !hd_sketch_add(s, r, x) ||
        !hd_sketch_add(s, cell, y))
      continue;
    hd_sketch_assume(s, &(hd_named_form){.n = 2, {r, cell}, {1, -1}, 0, 0});
    hd_sketch_assume(s, &(hd_named_form){.n = 2, {r, cell}, {-1, 1}, 0, 0});
  }
  return true;
}

/* The registers of a form are in the sketch, as far as there is room. */
static bool add_names(const local *l, hd_sketch *s, const hd_named_form *f) {
  for (uint32_t i = 0; i < f->n; i++) {
    hd_span r;
    if (!reg_range(l->top, f->names[i], &r) ||
        !hd_sketch_add(s, f->names[i], r))
      return false;
  }
  return true;
}

/* Is there anything that a form of these registers could teach? */
static bool is_useful(const analysis *a, const local *l,
                      const hd_named_form *f) {
  uint32_t good = 0;
  for (uint32_t i = 0; i < f->n; i++) {
    hd_reg_id r = (hd_reg_id)f->names[i];
    if (is_known(a, l, r))
      return true;
    good += is_good(a, l->top, r);
  }
  return f->n > 1 && good;
}

/* Does a run end at the register? Then it counts, even if nobody reads it. */
static bool ends_run(const frame *f, hd_reg_id reg) {
  for (uint32_t i = 0; i < f->n_runs; i++)
    if (f->runs[i].reg == reg)
      return true;
  return false;
}

typedef struct {
  const analysis *a;
  hd_loc_id loc;
  const frame *frame;
} place;

static bool is_live_reg(const void *context, hd_name name) {
  const place *p = context;
  return name < p->frame->n_regs &&
         (hd_live_at(p->a->live, p->loc, (hd_reg_id)name) ||
          ends_run(p->frame, (hd_reg_id)name));
}

/* Takes over what the sketch says about registers, at `loc`; false: it says that
 * there is no such state. */
static bool finish(analysis *a, local *l, hd_sketch *s, hd_loc_id loc) {
  if (hd_sketch_is_empty(s))
    return false;
  for (uint32_t i = 0; i < s->n; i++) {
    hd_span old, fresh;
    if (!reg_range(l->top, s->names[i], &old))
      continue;
    hd_reg_id reg = (hd_reg_id)s->names[i];
    uint8_t width = reg_type(a, l->top, reg).width;
    fresh = old;
    hd_sketch_range(s, reg, &fresh);
    if (fresh.lo > fresh.hi)
      return false;
    if (fresh.lo == old.lo && fresh.hi == old.hi)
      continue;
    hd_value v = hd_value_signed(width, fresh.lo, fresh.hi);
    hd_eval_refine_reg(l, reg, width, &v);
    if (hd_value_is_none(&l->top->regs[reg]))
      return false;
  }
  l->top = hd_frame_own(l->top);
  hd_relation_drop(l->top->relation);
  place here = {a, loc, l->top};
  l->top->relation = hd_sketch_take(s, is_live_reg, &here);
  return true;
}

/* --- steps --- */

/* Comparisons of a difference with zero. */
typedef enum { LESS, AT_MOST, EQUAL, UNEQUAL } order;

static const struct {
  uint8_t order;
  bool swap;
} comparisons[] = {
    {EQUAL, false}, {UNEQUAL, false}, {LESS, false}, {AT_MOST, false},
    {LESS, true},   {AT_MOST, true},  {LESS, false}, {AT_MOST, false},
    {LESS, true},   {AT_MOST, true},
};

static hd_named_form negated(const hd_named_form *f) {
  hd_named_form out = {0};
  bool ok = hd_named_form_add(&out, f, -1);
  return ok ? out : (hd_named_form){.n = UINT32_MAX};
}

/* Keeps the points with d ≤ limit; false: there are none. */
static bool keep_below(hd_sketch *s, hd_named_form d, int64_t limit) {
  hd_named_form minus = negated(&d);
  int64_t most;
  if (minus.n != UINT32_MAX && hd_sketch_max(s, &minus, &most) && most < -limit)
    return false; /* d is at least -most > limit */
  if (!__builtin_sub_overflow(d.lo, limit, &d.lo))
    hd_sketch_assume(s, &d);
  return true;
}

static bool keep_unequal(hd_sketch *s, const hd_named_form *d) {
  hd_named_form minus = negated(d);
  int64_t most;
  if (minus.n == UINT32_MAX)
    return true;
  if (hd_sketch_max(s, d, &most) && most <= 0)
    return keep_below(s, *d, -1);
  if (hd_sketch_max(s, &minus, &most) && most <= 0)
    return keep_below(s, minus, -1);
  return true;
}

static bool keep(hd_sketch *s, order o, const hd_named_form *d) {
  hd_named_form minus = negated(d);
  if (minus.n == UINT32_MAX)
    return true;
  switch (o) {
  case LESS:
    return keep_below(s, *d, -1);
  case AT_MOST:
    return keep_below(s, *d, 0);
  case EQUAL:
    return keep_below(s, *d, 0) && keep_below(s, minus, 0);
  default:
    return keep_unequal(s, d);
  }
}

/* left OP right is `truth` as a comparison of left - right with 0. */
static bool difference(analysis *a, thread_id thread, const local *l,
                       hd_code_op op, bool truth, hd_cexpr_id left,
                       hd_cexpr_id right, hd_named_form *d, order *o) {
  assert(op >= HD_CODE_EQ && op <= HD_CODE_SGE);
  hd_named_form x, y;
  bool swap = comparisons[op - HD_CODE_EQ].swap;
  *o = comparisons[op - HD_CODE_EQ].order;
  if (!truth && *o == EQUAL) {
    *o = UNEQUAL;
  } else if (!truth && *o == UNEQUAL) {
    *o = EQUAL;
  } else if (!truth) { /* not x < y: y ≤ x */
    swap = !swap;
    *o = *o == LESS ? AT_MOST : LESS;
  }
  if (op >= HD_CODE_ULT && op <= HD_CODE_UGE) {
    hd_span p, q; /* as numbers they have to be the same in both views */
    if (!range_of(a, thread, l, left, &p) ||
        !range_of(a, thread, l, right, &q) || p.lo < 0 || q.lo < 0)
      return false;
  }
  if (!linear(a, thread, l, swap ? right : left, &x) ||
      !linear(a, thread, l, swap ? left : right, &y) ||
      !hd_named_form_add(&x, &y, -1))
    return false;
  *d = x;
  return true;
}

bool hd_relate_assume(analysis *a, thread_id thread, local *l, hd_code_op op,
                      bool truth, hd_cexpr_id left, hd_cexpr_id right) {
  hd_named_form d;
  order o;
  if (!a->relate || !difference(a, thread, l, op, truth, left, right, &d, &o) ||
      !is_useful(a, l, &d))
    return true;
  hd_sketch s;
  bool cells = draw(a, l, false, &s), possible = true;
  if (add_names(l, &s, &d)) {
    possible = keep(&s, o, &d) && finish(a, l, &s, l->top->loc);
    if (possible && cells)
      hd_memory_relate(&l->memory, hd_sketch_take(&s, is_cell, NULL));
  }
  hd_sketch_free(&s);
  return possible;
}

void hd_relate_set(analysis *a, thread_id thread, local *l, hd_reg_id reg,
                   hd_cexpr_id expr, const hd_value *value, hd_loc_id to) {
  assert(reg < l->top->n_regs);
  assert(expr < a->code->exprs.size);
  moved_runs runs = hd_runs_take(a, l, reg, expr, value);
  l->top = hd_frame_own(l->top);
  hd_named_form f;
  hd_span range;
  bool copies = a->code->exprs.data[expr].op == HD_CODE_REG;
  mirror same =
      copies ? l->top->mirrors[a->code->exprs.data[expr].value] : (mirror){0};
  if (!a->relate || !hd_value_range(value, &range) || range.lo == range.hi ||
      !is_good(a, l->top, reg) || !linear(a, thread, l, expr, &f) || !f.n) {
    hd_frame_set(a->code, l->top, reg, value);
    l->top->mirrors[reg] = same;
    hd_runs_put(l, &runs);
    return;
  }
  hd_sketch s;
  draw(a, l, false, &s);
  bool ok = add_names(l, &s, &f) &&
            (hd_sketch_has(&s, reg) ||
             hd_sketch_add(&s, reg, (hd_span){INT64_MIN, INT64_MAX}));
  if (ok) {
    hd_sketch_assign(&s, reg, &f);
    hd_sketch_add(&s, reg, range);
  }
  hd_frame_set(a->code, l->top, reg, value);
  l->top->mirrors[reg] = same;
  hd_runs_put(l, &runs);
  /* That there is no such state is noticed where it matters. */
  if (ok)
    (void)!finish(a, l, &s, to);
  hd_sketch_free(&s);
}

void hd_relate_loaded(analysis *a, local *l, hd_reg_id reg) {
  if (!a->relate || !is_related(a, &l->top->mirrors[reg]))
    return;
  hd_sketch s;
  if (draw(a, l, false, &s))
    (void)!finish(a, l, &s, l->top->loc);
  hd_sketch_free(&s);
}

bool hd_relate_most(const analysis *a, const local *l, hd_reg_id x, hd_reg_id y,
                    int64_t *most) {
  hd_span p, q;
  if (!a->relate || x == y || !reg_range(l->top, x, &p) ||
      !reg_range(l->top, y, &q))
    return false;
  hd_sketch s;
  draw(a, l, false, &s);
  bool known =
      hd_sketch_add(&s, x, p) && hd_sketch_add(&s, y, q) &&
      hd_sketch_max(&s, &(hd_named_form){.n = 2, {x, y}, {1, -1}, 0, 0}, most);
  hd_sketch_free(&s);
  return known;
}

/* --- stores --- */

relate_write hd_relate_before_store(analysis *a, thread_id thread,
                                    const local *l, const hd_value *valid,
                                    uint32_t bytes, hd_cexpr_id expr,
                                    const hd_value *value) {
  relate_write w = {.cells = NULL};
  hd_object_id object;
  int64_t offset;
  if (!a->relate || !hd_value_is_address(valid, &object, &offset) ||
      hd_memory_life(l->memory, object) != HD_LIFE_ALIVE)
    return w;
  hd_span range;
  mirror there = {object, (uint32_t)offset, bytes};
  hd_named_form f;
  if (!is_related(a, &there) || !hd_value_range(value, &range) ||
      !linear(a, thread, l, expr, &f) || !f.n)
    return w;
  hd_sketch s;
  hd_name cell = hd_cell_name(object, (uint32_t)offset);
  draw(a, l, true, &s);
  if (add_names(l, &s, &f) &&
      (hd_sketch_has(&s, cell) ||
       hd_sketch_add(&s, cell, (hd_span){INT64_MIN, INT64_MAX}))) {
    hd_sketch_assign(&s, cell, &f);
    hd_sketch_add(&s, cell, range);
    w.useful = !hd_sketch_is_empty(&s);
    w.cells = w.useful ? hd_sketch_take(&s, is_cell, NULL) : NULL;
  }
  hd_sketch_free(&s);
  return w;
}

void hd_relate_after_store(local *l, relate_write *w) {
  if (w->useful)
    hd_memory_relate(&l->memory, w->cells);
}

/* --- frames --- */

static hd_relation_side side(const frame *f) {
  return (hd_relation_side){f->relation, reg_range, f};
}

void hd_relate_join(const analysis *a, frame *out, const frame *x,
                    const frame *y, bool widen) {
  if (!a->relate)
    return;
  hd_edge_id call = HD_NO_ID;
  for (; x != y; out = out->below, x = x->below, y = y->below) {
    assert(x->func == y->func && out->func == x->func);
    hd_name also[HD_MAX_RELATED];
    size_t n = 0;
    for (hd_reg_id r = 0; r < x->n_regs && n < HD_MAX_RELATED; r++) {
      hd_span p, q;
      if (is_good(a, x, r) && reg_range(x, r, &p) && reg_range(y, r, &q) &&
          (p.lo != q.lo || p.hi != q.hi) &&
          (call != HD_NO_ID ? hd_live_after(a->live, call, r)
                            : hd_live_at(a->live, x->loc, r) ||
                                  ends_run(x, r) || ends_run(y, r)))
        also[n++] = r;
    }
    if (n || x->relation || y->relation)
      out->relation = hd_relation_join(a->relate->cells.lib, side(x), side(y),
                                       also, n, widen);
    call = x->call;
  }
}

static bool is_param(const void *context, hd_name name) {
  (void)context;
  return name >> 32 == 1;
}

void hd_relate_enter(analysis *a, thread_id thread, const local *caller,
                     frame *callee, const hd_cexpr_id *args) {
  if (!a->relate || !caller->top->relation)
    return;
  hd_sketch s;
  draw(a, caller, false, &s);
  uint32_t n = a->code->funcs.data[callee->func].n_params;
  for (hd_reg_id i = 0; i < n; i++) {
    hd_named_form f;
    hd_span range;
    if (!is_good(a, callee, i) || !reg_range(callee, i, &range) ||
        !linear(a, thread, caller, args[i], &f) || !f.n ||
        !add_names(caller, &s, &f) ||
        !hd_sketch_add(&s, (hd_name)1 << 32 | i, range))
      continue;
    hd_sketch_assign(&s, (hd_name)1 << 32 | i, &f);
  }
  hd_relation *r = hd_sketch_take(&s, is_param, NULL);
  hd_sketch_free(&s);
  callee->relation = hd_relation_renumber(r, (hd_name)1 << 32);
}

void hd_relate_nothing(local *l) {
  for (frame **f = &l->top; *f; f = &(*f)->below) {
    *f = hd_frame_own(*f);
    hd_relation_drop((*f)->relation);
    (*f)->relation = NULL;
    (*f)->n_runs = 0;
  }
  hd_memory_relate(&l->memory, NULL);
}
