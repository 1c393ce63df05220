/* SPDX-License-Identifier: MIT */
/* Values of an input that make no difference.
 *
 * A thread stands before an input with more values than can be tried. Often they
 * are only compared: `if (input ())`, `assume (0 <= n && n < 3)`. Here the thread
 * goes on with all values of a range at once, through steps, calls and
 * assumptions, which nobody notices, up to the first thing that is not understood.
 * While no other thread lives it goes through loads and stores as well: what it
 * has written is kept beside the machine (`cells`). Registers and cells hold
 * intervals; those that follow the input one by one (`unit`) tell
 * where a comparison changes its answer, and the range is cut there, so that every
 * comparison on the way is decided for the whole range. Then there are two cases:
 *
 *   - the run has ended, or no register that may still be read and no cell
 *     depends on the input: the state is the same for all values, one of them is
 *     enough;
 *   - else all of them are needed, if they are not too many.
 *
 * It ends: each range is cut into smaller ones, and both the number of ranges and
 * the steps in one are bounded; past the bounds, all values count as needed. What
 * may be undefined for some value (an overflow) is not gone through. */
#include "check/interp/classes_impl.h"
#include "check/interp/lib.h"
#include "check/interp/memory.h"
#include "model/live.h"

enum { MAX_RANGES = 1024, MAX_STEPS = 400, MAX_FRAMES = 64 };

/* --- actions --- */

static hd_cexpr_id operand(const walk *w, const hd_cedge *e, uint32_t i) {
  return hd_code_operand(w->code, e, i);
}

static bool fits(const walk *w, const frame *f, const hd_cedge *e, uint32_t i,
                 const span *s) {
  hd_reg_id reg = hd_code_target(w->code, e, i);
  uint8_t width =
      w->code->regs.data[w->code->funcs.data[f->func].regs + reg].type.width;
  return s->hi <= hd_word_mask(width);
}

static void assign(walk *w, const frame *f, const hd_cedge *e, uint32_t i,
                   span s) {
  w->regs.data[f->regs + hd_code_target(w->code, e, i)] = s;
}

enum { MAX_PARTS = 8 };

static outcome step(walk *w, const hd_cedge *e) {
  span values[MAX_PARTS];
  frame *f = &hd_vec_last(&w->frames);
  if (e->n_operands != e->n_targets || e->n_targets > MAX_PARTS)
    return STOPPED;
  for (uint32_t i = 0; i < e->n_targets; i++) {
    outcome o = hd_classes_eval(w, operand(w, e, i), &values[i]);
    if (o != FINE)
      return o;
    if (!fits(w, f, e, i, &values[i]))
      return STOPPED;
  }
  for (uint32_t i = 0; i < e->n_targets; i++)
    assign(w, f, e, i, values[i]);
  f->loc = e->to;
  return FINE;
}

static outcome give_back(walk *w, const hd_cedge *e) {
  span values[MAX_PARTS];
  if (!hd_vec_last(&w->frames).plain || w->frames.size < 2)
    return STOPPED;
  const hd_cedge *call = &w->code->edges.data[hd_vec_last(&w->frames).call];
  frame *below = &w->frames.data[w->frames.size - 2];
  if (e->n_operands != call->n_targets || e->n_operands > MAX_PARTS)
    return STOPPED;
  for (uint32_t i = 0; i < e->n_operands; i++) {
    outcome o = hd_classes_eval(w, operand(w, e, i), &values[i]);
    if (o != FINE)
      return o;
    if (!fits(w, below, call, i, &values[i]))
      return STOPPED;
  }
  w->regs.size = hd_vec_last(&w->frames).regs;
  w->frames.size--;
  for (uint32_t i = 0; i < e->n_operands; i++)
    assign(w, below, call, i, values[i]);
  below->loc = call->to;
  return FINE;
}

static outcome enter(walk *w, const hd_cedge *e, hd_func_id func) {
  const hd_func *g = &w->code->funcs.data[func];
  const hd_plan_func *plan = &w->m->plan->funcs[func];
  if (plan->error && hd_plan_checks(w->m->plan, HD_PROPERTY_ASSERT))
    return ENDED;
  if (plan->atomic || plan->error || g->n_slots || g->variadic ||
      e->n_operands != g->n_params + 1 || g->n_params > MAX_PARTS ||
      w->frames.size >= MAX_FRAMES)
    return STOPPED;
  span args[MAX_PARTS];
  for (uint32_t i = 0; i < g->n_params; i++) {
    outcome o = hd_classes_eval(w, operand(w, e, i + 1), &args[i]);
    if (o != FINE)
      return o;
    if (args[i].hi > hd_word_mask(w->code->regs.data[g->regs + i].type.width))
      return STOPPED;
  }
  frame f = {.func = func,
             .loc = g->entry,
             .call = (hd_edge_id)(e - w->code->edges.data),
             .regs = w->regs.size,
             .plain = true};
  for (uint32_t i = 0; i < g->n_regs; i++)
    hd_vec_push(&w->regs, i < g->n_params ? args[i] : (span){0});
  hd_vec_push(&w->frames, f);
  return FINE;
}

static outcome assume(walk *w, const hd_cedge *e) {
  span s, zero = exactly(0), holds;
  hd_cexpr_id arg = operand(w, e, 1);
  outcome o = hd_classes_eval(w, arg, &s);
  if (o == FINE)
    o = hd_classes_compare(w, HD_CODE_NE, w->code->exprs.data[arg].type.width,
                           s, zero, &holds);
  if (o != FINE || e->n_targets)
    return o == FINE ? STOPPED : o;
  if (!holds.lo)
    return ENDED;
  hd_vec_last(&w->frames).loc = e->to;
  return FINE;
}

static outcome call(walk *w, const hd_cedge *e) {
  const hd_cexpr *callee = &w->code->exprs.data[operand(w, e, 0)];
  if (callee->op != HD_CODE_FUNC)
    return STOPPED;
  hd_func_id func = (hd_func_id)callee->value;
  if (w->code->funcs.data[func].defined)
    return enter(w, e, func);
  switch (w->m->plan->funcs[func].library) {
  case HD_LIB_abort:
  case HD_LIB___assert_fail:
  case HD_LIB_reach_error:
  case HD_LIB___VERIFIER_error:
    return ENDED;
  case HD_LIB_exit:
  case HD_LIB__exit: {
    span code;
    outcome o = hd_classes_eval(w, operand(w, e, 1), &code);
    return o == FINE ? is_const(&code) ? ENDED : STOPPED : o;
  }
  case HD_LIB___VERIFIER_assume:
  case HD_LIB_heddle_assume:
    return e->n_operands == 2 ? assume(w, e) : STOPPED;
  default:
    return STOPPED;
  }
}

/* --- memory --- */

/* Nobody else could come in between. */
static bool is_alone(const walk *w) {
  for (hd_tid t = 0; t < hd_machine_threads(w->m); t++)
    if (t != w->t->id && hd_machine_alive(w->m, t))
      return false;
  return true;
}

static bool address_of(walk *w, hd_cexpr_id id, uint64_t *address) {
  const hd_cexpr *e = &w->code->exprs.data[id];
  if (e->op == HD_CODE_GLOBAL &&
      !w->code->globals.data[e->value].thread_local) {
    *address = w->m->plan->globals[e->value];
    return true;
  }
  if (e->op == HD_CODE_SLOT && w->frames.size <= w->t->frames.size) {
    const hd_frame *f = &w->t->frames.data[w->frames.size - 1];
    *address = hd_ram_stack_base(w->m, w->t->id, f->objects + e->value);
    return true;
  }
  span by;
  if (e->op != HD_CODE_PTRADD || !address_of(w, e->args[0], address) ||
      hd_classes_eval(w, e->args[1], &by) != FINE || !is_const(&by))
    return false;
  uint8_t width = w->code->exprs.data[e->args[1]].type.width;
  *address += (uint64_t)hd_word_signed(by.lo, width);
  *address &= hd_word_mask(e->type.width);
  return true;
}

/* The place in `cells` of just these bytes, or behind them; false: some of the
 * bytes are in another cell. */
static bool find_cell(const walk *w, uint64_t address, uint32_t size,
                      size_t *at) {
  *at = w->cells.size;
  for (size_t i = 0; i < w->cells.size; i++) {
    const cell *c = &w->cells.data[i];
    if (c->address == address && c->size == size)
      *at = i;
    else if (c->address < address + size && address < c->address + c->size)
      return false;
  }
  return true;
}

/* Where an access is, if it is one that nothing is wrong with. */
static bool accesses(walk *w, hd_cexpr_id where, hd_type type, bool write,
                     uint64_t *address, size_t *at) {
  int64_t offset;
  uint32_t size = hd_type_bytes(type);
  if (type.kind != HD_TYPE_INT || type.width != 8 * size || !is_alone(w) ||
      !address_of(w, where, address) ||
      hd_ram_wrong(w->m, *address, size, write))
    return false;
  const hd_object *object = hd_ram_find(w->m, *address, &offset);
  return object && !object->sync && find_cell(w, *address, size, at);
}

static outcome load(walk *w, const hd_cedge *e) {
  frame *f = &hd_vec_last(&w->frames);
  hd_type type = w->code->regs
                     .data[w->code->funcs.data[f->func].regs +
                           hd_code_target(w->code, e, 0)]
                     .type;
  uint64_t address, bits = 0;
  size_t at;
  if (!accesses(w, operand(w, e, 0), type, false, &address, &at))
    return STOPPED;
  if (at < w->cells.size) {
    assign(w, f, e, 0, w->cells.data[at].value);
  } else {
    const uint8_t *shadow, *bytes = hd_ram_bytes(w->m, address, &shadow);
    for (uint32_t i = 0; i < hd_type_bytes(type); i++) {
      if (shadow && shadow[i])
        return STOPPED;
      bits |= (uint64_t)bytes[i] << 8 * i;
    }
    assign(w, f, e, 0, exactly(bits));
  }
  f->loc = e->to;
  return FINE;
}

static outcome store(walk *w, const hd_cedge *e) {
  hd_type type = w->code->exprs.data[operand(w, e, 1)].type;
  uint64_t address;
  size_t at;
  if (!accesses(w, operand(w, e, 0), type, true, &address, &at))
    return STOPPED;
  cell c = {.address = address, .size = hd_type_bytes(type)};
  outcome o = hd_classes_eval(w, operand(w, e, 1), &c.value);
  if (o != FINE)
    return o;
  if (at < w->cells.size)
    w->cells.data[at] = c;
  else
    hd_vec_push(&w->cells, c);
  hd_vec_last(&w->frames).loc = e->to;
  return FINE;
}

static outcome act(walk *w) {
  hd_loc_id loc = hd_vec_last(&w->frames).loc;
  for (uint32_t i = w->code->out_start[loc]; i < w->code->out_start[loc + 1];
       i++) {
    const hd_cedge *e = &w->code->edges.data[w->code->out[i]];
    span guard = exactly(1);
    outcome o =
        e->guard == HD_NO_ID ? FINE : hd_classes_eval(w, e->guard, &guard);
    if (o != FINE || !is_const(&guard))
      return o == FINE ? STOPPED : o;
    if (!guard.lo)
      continue;
    switch (e->act) {
    case HD_CODE_STEP:
      return step(w, e);
    case HD_CODE_CALL:
      return call(w, e);
    case HD_CODE_RETURN:
      return give_back(w, e);
    case HD_CODE_LOAD:
      return load(w, e);
    case HD_CODE_STORE:
      return store(w, e);
    default:
      return STOPPED;
    }
  }
  return STOPPED;
}

/* --- ranges --- */

/* The thread as it is behind the input; false: there is no value behind which
 * the range is one interval, and it was cut. */
static bool start(walk *w) {
  const hd_thread *t = w->t;
  w->frames.size = w->regs.size = w->cells.size = 0;
  for (hd_vec_each(const hd_machine_value, v, &t->regs)) {
    span s = {.lo = v->bits, .hi = v->bits, .known = !v->undef};
    hd_vec_push(&w->regs, s);
  }
  for (size_t i = 0; i < t->frames.size; i++) {
    const hd_frame *f = &t->frames.data[i];
    frame mine = {.func = f->func,
                  .loc = f->loc,
                  .call = i ? t->frames.data[i - 1].edge : HD_NO_ID,
                  .regs = f->regs,
                  .plain = f->kind == HD_FRAME_PLAIN && !f->atomic};
    hd_vec_push(&w->frames, mine);
  }
  const hd_cedge *e = &w->code->edges.data[t->next];
  frame *top = &hd_vec_last(&w->frames);
  hd_reg_id reg = hd_code_target(w->code, e, 0);
  uint8_t width =
      w->code->regs.data[w->code->funcs.data[top->func].regs + reg].type.width;
  uint64_t mask = hd_word_mask(width);
  uint64_t low = (uint64_t)hd_machine_input_low(w->m, t->id);
  span s = {.lo = (low + w->from) & mask,
            .hi = (low + w->to) & mask,
            .unit = true,
            .known = true};
  if (s.lo > s.hi || w->to - w->from > mask) {
    hd_classes_cut_at(w, w->to - w->from > mask - s.lo ? mask - s.lo + 1 : 1);
    return false;
  }
  top->loc = e->to;
  assign(w, top, e, 0, s);
  return true;
}

/* Is there a register that may still be read, or a cell, that depends on the
 * input? */
static bool depends(const walk *w) {
  const hd_live *live = w->m->plan->live;
  for (hd_vec_each(const cell, c, &w->cells))
    if (!is_const(&c->value))
      return true;
  for (size_t i = 0; i < w->frames.size; i++) {
    const frame *f = &w->frames.data[i];
    bool top = i + 1 == w->frames.size;
    for (hd_reg_id r = 0; r < w->code->funcs.data[f->func].n_regs; r++) {
      const span *s = &w->regs.data[f->regs + r];
      if (s->known && s->lo != s->hi &&
          (top ? hd_live_at(live, f->loc, r)
               : hd_live_after(live, w->frames.data[i + 1].call, r)))
        return true;
    }
  }
  return false;
}

static outcome go_on(walk *w) {
  if (!start(w))
    return CUT;
  outcome o = FINE;
  for (int steps = 0; o == FINE && steps < MAX_STEPS; steps++)
    o = act(w);
  return o;
}

static bool can_start(const hd_machine *m, const hd_thread *t) {
  if (!hd_machine_is_input(m, t->id) || t->wait != HD_WAIT_NONE ||
      hd_plan_checks(m->plan, HD_PROPERTY_LEAK))
    return false;
  const hd_code *code = m->plan->code;
  const hd_cedge *e = &code->edges.data[t->next];
  const hd_func *f = &code->funcs.data[code->locs.data[e->from].func];
  if (e->n_targets != 1 || (e->n_operands != 1 && e->n_operands != 3))
    return false;
  return code->regs.data[f->regs + hd_code_target(code, e, 0)].type.kind ==
         HD_TYPE_INT;
}

/* One range after the other, the least first; what is cut off waits. */
static bool collect(walk *w, uint64_t last, uint64_t most,
                    hd_turn_choices *out) {
  hd_turn_choices later = {0};
  bool good = true;
  int ranges = 0;
  w->from = 0;
  w->to = last;
  while (good) {
    outcome o = w->from == w->to ? ENDED : go_on(w);
    if (o == CUT) {
      hd_vec_push(&later, w->to);
      w->to = w->cut - 1;
    } else {
      bool one = o == ENDED || !depends(w);
      good = one || w->to - w->from < most - out->size;
      for (uint64_t c = w->from; good && (c == w->from || !one); c++) {
        hd_vec_push(out, c);
        if (c == w->to)
          break;
      }
      if (!later.size)
        break;
      w->from = w->to + 1;
      w->to = hd_vec_pop(&later);
    }
    good = good && ++ranges < MAX_RANGES && out->size < most;
  }
  hd_vec_free(&later);
  return good;
}

bool hd_machine_input_classes(const hd_machine *m, hd_tid tid, uint64_t most,
                              hd_turn_choices *out) {
  const hd_thread *t = hd_thread_of(m, tid);
  hd_vec_clear(out);
  if (!can_start(m, t))
    return false;
  if (!m->plan->live)
    m->plan->live = hd_live_new(m->plan->code);
  uint64_t n = hd_machine_choices(m, tid);
  walk w = {.m = m, .code = m->plan->code, .t = t};
  bool good = n > 1 && collect(&w, n == UINT64_MAX ? n : n - 1, most, out);
  hd_vec_free(&w.frames);
  hd_vec_free(&w.regs);
  hd_vec_free(&w.cells);
  return good;
}
