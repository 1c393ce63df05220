/* SPDX-License-Identifier: MIT */
/* A thread's frames: counted and shared; whoever changes one owns a copy. */
#include "base/bitset.h"
#include "engine/unfold/terms.h"

#include <string.h>

frame *hd_frame_new(const hd_code *code, hd_func_id func, frame *below,
                    hd_edge_id call) {
  assert(func < code->funcs.size);
  assert(code->funcs.data[func].defined);
  assert(!below || call < code->edges.size); /* what it goes back behind */
  const hd_func *f = &code->funcs.data[func];
  frame *fresh = hd_calloc(1, sizeof *fresh + f->n_regs * sizeof *fresh->regs);
  fresh->refs = 1;
  fresh->below = below;
  fresh->func = func;
  fresh->loc = f->entry;
  fresh->call = call;
  fresh->depth = below ? below->depth + 1 : 0;
  fresh->n_regs = f->n_regs;
  fresh->mirrors = hd_calloc(f->n_regs + 1, sizeof *fresh->mirrors);
  for (uint32_t i = 0; i < f->n_regs; i++)
    fresh->regs[i] = hd_value_undefined();
  return fresh;
}

frame *hd_frame_keep(frame *f) {
  f->refs++;
  return f;
}

void hd_frame_drop(frame *f) {
  assert(!f || f->refs > 0);
  while (f && --f->refs == 0) {
    frame *below = f->below;
    hd_free(f->facts);
    hd_free(f->mirrors);
    hd_relation_drop(f->relation);
    hd_free(f->runs);
    hd_free(f);
    f = below;
  }
}

frame *hd_frame_own(frame *f) {
  assert(f->refs > 0);
  assert(f->n_facts <= MAX_FACTS && f->n_runs <= MAX_RUNS);
  if (f->refs == 1)
    return f;
  frame *copy = hd_calloc(1, sizeof *copy + f->n_regs * sizeof *copy->regs);
  memcpy(copy, f, sizeof *copy + f->n_regs * sizeof *copy->regs);
  copy->refs = 1;
  if (copy->below)
    hd_frame_keep(copy->below);
  copy->mirrors = hd_calloc(f->n_regs + 1, sizeof *copy->mirrors);
  memcpy(copy->mirrors, f->mirrors, f->n_regs * sizeof *copy->mirrors);
  hd_relation_keep(copy->relation);
  copy->runs = NULL;
  if (f->n_runs) {
    copy->runs = hd_calloc(MAX_RUNS, sizeof *copy->runs);
    memcpy(copy->runs, f->runs, f->n_runs * sizeof *copy->runs);
  }
  copy->facts = NULL;
  if (f->n_facts) {
    copy->facts = hd_calloc(MAX_FACTS, sizeof *copy->facts);
    memcpy(copy->facts, f->facts, f->n_facts * sizeof *copy->facts);
  }
  hd_frame_drop(f);
  return copy;
}

bool hd_frame_same_control(const frame *a, const frame *b) {
  for (; a != b; a = a->below, b = b->below)
    if (!a || !b || a->func != b->func || a->loc != b->loc ||
        a->call != b->call || a->phase != b->phase || a->guard != b->guard)
      return false;
  return true;
}

uint64_t hd_frame_hash_control(const frame *f) {
  uint64_t h = 0;
  for (; f; f = f->below)
    h = hd_hash_mix(hd_hash_mix(h, (uint64_t)f->loc << 32 | f->call), f->phase);
  return h;
}

bool hd_frame_same_rounds(const frame *a, const frame *b) {
  for (; a != b; a = a->below, b = b->below) {
    if (a->n_rounds != b->n_rounds)
      return false;
    for (uint32_t i = 0; i < a->n_rounds; i++)
      if (a->rounds[i].loop != b->rounds[i].loop ||
          a->rounds[i].count != b->rounds[i].count)
        return false;
  }
  return true;
}

void hd_frame_go(frame *f, hd_loc_id loc, const hd_code *code,
                 uint64_t *const *bodies, uint32_t most) {
  assert(f->refs == 1); /* who changes a frame owns it */
  assert(code->locs.data[loc].func == f->func);
  f->loc = loc;
  while (f->n_rounds &&
         !hd_bits_test(bodies[f->rounds[f->n_rounds - 1].loop], loc))
    f->n_rounds--;
  uint32_t loop = code->locs.data[loc].loop;
  if (loop == HD_NO_ID)
    return;
  for (uint32_t i = 0; i < f->n_rounds; i++)
    if (f->rounds[i].loop == loop) {
      f->n_rounds = i + 1;
      if (f->rounds[i].count < most)
        f->rounds[i].count++;
      return;
    }
  if (f->n_rounds < MAX_ROUNDS)
    f->rounds[f->n_rounds++] = (round_of){loop, 0};
}

static bool has_fact(const frame *f, const fact *x) {
  for (uint32_t i = 0; i < f->n_facts; i++)
    if (f->facts[i].op == x->op && f->facts[i].truth == x->truth &&
        f->facts[i].a == x->a && f->facts[i].b == x->b)
      return true;
  return false;
}

static bool has_deposit(const frame *f, const deposit *d) {
  for (uint32_t i = 0; i < f->n_deposits; i++)
    if (f->deposits[i].expr == d->expr &&
        mirror_same(&f->deposits[i].cell, &d->cell))
      return true;
  return false;
}

static bool reg_range(const void *context, hd_name name, hd_span *range) {
  const frame *f = context;
  return name < f->n_regs && hd_value_range(&f->regs[name], range);
}

static bool has_run(const frame *f, const array_run *r) {
  for (uint32_t i = 0; i < f->n_runs; i++)
    if (run_same(&f->runs[i], r))
      return hd_value_within(&f->runs[i].value, &r->value);
  return false;
}

bool hd_frame_within(const hd_code *code, const frame *a, const frame *b) {
  (void)code;
  for (; a != b; a = a->below, b = b->below) {
    assert(a->func == b->func && a->n_regs == b->n_regs);
    for (uint32_t i = 0; i < a->n_regs; i++)
      if (!hd_value_within(&a->regs[i], &b->regs[i]) ||
          (b->mirrors[i].bytes && !mirror_same(&a->mirrors[i], &b->mirrors[i])))
        return false;
    for (uint32_t i = 0; i < b->n_facts; i++)
      if (!has_fact(a, &b->facts[i]))
        return false;
    for (uint32_t i = 0; i < b->n_runs; i++)
      if (!has_run(a, &b->runs[i]))
        return false;
    for (uint32_t i = 0; i < b->n_deposits; i++)
      if (!has_deposit(a, &b->deposits[i]))
        return false;
    if (!hd_relation_within((hd_relation_side){a->relation, reg_range, a},
                            (hd_relation_side){b->relation, reg_range, b}))
      return false;
  }
  return true;
}

/* What both know. */
static void join_knowledge(frame *out, const frame *a, const frame *b) {
  if (a->n_rounds == b->n_rounds &&
      memcmp(a->rounds, b->rounds, a->n_rounds * sizeof *a->rounds) == 0) {
    out->n_rounds = a->n_rounds;
    memcpy(out->rounds, a->rounds, sizeof out->rounds);
  }
  for (uint32_t i = 0; i < out->n_regs; i++)
    out->mirrors[i] = mirror_same(&a->mirrors[i], &b->mirrors[i])
                          ? a->mirrors[i]
                          : (mirror){0};
  for (uint32_t i = 0; i < a->n_deposits; i++)
    if (has_deposit(b, &a->deposits[i]))
      out->deposits[out->n_deposits++] = a->deposits[i];
  out->facts = a->n_facts ? hd_calloc(MAX_FACTS, sizeof *out->facts) : NULL;
  out->n_facts = 0;
  for (uint32_t i = 0; i < a->n_facts; i++)
    if (has_fact(b, &a->facts[i]))
      out->facts[out->n_facts++] = a->facts[i];
  /* Nothing is known that one of them does not know. */
  assert(out->n_facts <= a->n_facts && out->n_facts <= b->n_facts);
}

frame *hd_frame_join(const hd_code *code, const frame *a, const frame *b,
                     const hd_widening *widen) {
  if (a == b)
    return a ? hd_frame_keep((frame *)(uintptr_t)a) : NULL;
  assert(a->func == b->func && a->loc == b->loc && a->call == b->call);
  frame *out = hd_frame_new(
      code, a->func, hd_frame_join(code, a->below, b->below, widen), a->call);
  out->loc = a->loc;
  out->phase = a->phase;
  out->guard = a->guard;
  const hd_reg *regs = code->regs.data + code->funcs.data[a->func].regs;
  for (uint32_t i = 0; i < out->n_regs; i++)
    out->regs[i] =
        widen ? hd_value_widen(regs[i].type.width, &a->regs[i], &b->regs[i],
                               widen)
              : hd_value_join(regs[i].type.width, &a->regs[i], &b->regs[i]);
  join_knowledge(out, a, b);
  return out;
}

static bool mentions(const hd_code *code, hd_cexpr_id expr, hd_reg_id reg) {
  assert(expr < code->exprs.size);
  const hd_cexpr *e = &code->exprs.data[expr];
  if (e->op == HD_CODE_REG)
    return e->value == reg;
  for (int i = 0; i < hd_code_op_arity(e->op); i++)
    if (mentions(code, e->args[i], reg))
      return true;
  return false;
}

void hd_frame_set(const hd_code *code, frame *f, hd_reg_id reg,
                  const hd_value *value) {
  assert(f->refs == 1); /* who changes a frame owns it */
  assert(reg < f->n_regs);
  f->regs[reg] = *value;
  f->mirrors[reg].bytes = 0;
  f->relation = hd_relation_forget(f->relation, reg, reg);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < f->n_runs; i++)
    if (f->runs[i].reg != reg)
      f->runs[kept++] = f->runs[i];
  f->n_runs = kept;
  kept = 0;
  for (uint32_t i = 0; i < f->n_deposits; i++)
    if (!mentions(code, f->deposits[i].expr, reg))
      f->deposits[kept++] = f->deposits[i];
  f->n_deposits = kept;
  kept = 0;
  for (uint32_t i = 0; i < f->n_facts; i++)
    if (!mentions(code, f->facts[i].a, reg) &&
        !mentions(code, f->facts[i].b, reg))
      f->facts[kept++] = f->facts[i];
  f->n_facts = kept;
}

/* The cell a value of this type is in; bytes 0: it is not exactly one. */
static mirror cell_of(const local *l, hd_type type, const hd_value *valid) {
  hd_object_id object;
  int64_t offset;
  uint32_t bytes = hd_type_bytes(type);
  if (type.width != 8 * bytes ||
      !hd_value_is_address(valid, &object, &offset) ||
      hd_memory_life(l->memory, object) != HD_LIFE_ALIVE)
    return (mirror){0};
  return (mirror){object, (uint32_t)offset, bytes};
}

void hd_frame_mirror(local *l, hd_reg_id reg, hd_type type,
                     const hd_value *valid) {
  assert(reg < l->top->n_regs);
  mirror cell = cell_of(l, type, valid);
  if (!cell.bytes)
    return;
  l->top = hd_frame_own(l->top);
  l->top->mirrors[reg] = cell;
}

void hd_frame_deposit(const hd_code *code, local *l, hd_cexpr_id expr,
                      const hd_value *valid) {
  assert(expr < code->exprs.size);
  const hd_cexpr *e = &code->exprs.data[expr];
  mirror cell = cell_of(l, e->type, valid);
  if (e->op == HD_CODE_REG) {
    hd_frame_mirror(l, (hd_reg_id)e->value, e->type, valid);
    return;
  }
  if (!cell.bytes || !hd_code_op_arity(e->op))
    return; /* of constants the memory knows all */
  frame *f = l->top = hd_frame_own(l->top);
  if (f->n_deposits == MAX_DEPOSITS)
    memmove(f->deposits, f->deposits + 1,
            --f->n_deposits * sizeof *f->deposits);
  f->deposits[f->n_deposits++] = (deposit){cell, expr};
}

static bool overlaps(const mirror *m, hd_object_id object, int64_t from,
                     int64_t to) {
  assert(from <= to);
  return m->bytes && m->object == object && (int64_t)m->offset < to &&
         from < (int64_t)m->offset + m->bytes;
}

/* Owns all frames from the top down to the one at `depth`, and gives that. */
static frame *own_down(frame **f, uint32_t depth) {
  for (frame **at = f;; at = &(*at)->below) {
    *at = hd_frame_own(*at);
    assert((*at)->depth >= depth);
    if ((*at)->depth == depth)
      return *at;
  }
}

void hd_frame_written(frame **f, hd_object_id object, int64_t from,
                      int64_t to) {
  for (frame *at = *f; at; at = at->below) {
    bool any = false;
    for (uint32_t i = 0; i < at->n_regs; i++)
      any = any || overlaps(&at->mirrors[i], object, from, to);
    for (uint32_t i = 0; i < at->n_deposits; i++)
      any = any || overlaps(&at->deposits[i].cell, object, from, to);
    if (!any)
      continue;
    at = own_down(f, at->depth);
    for (uint32_t i = 0; i < at->n_regs; i++)
      if (overlaps(&at->mirrors[i], object, from, to))
        at->mirrors[i].bytes = 0;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < at->n_deposits; i++)
      if (!overlaps(&at->deposits[i].cell, object, from, to))
        at->deposits[kept++] = at->deposits[i];
    at->n_deposits = kept;
  }
}

void hd_frame_forget_mirrors(frame **f) {
  for (frame *at = *f; at; at = at->below) {
    bool any = at->n_deposits > 0;
    for (uint32_t i = 0; i < at->n_regs; i++)
      any = any || at->mirrors[i].bytes;
    if (!any)
      continue;
    at = own_down(f, at->depth);
    at->n_deposits = 0;
    memset(at->mirrors, 0, at->n_regs * sizeof *at->mirrors);
  }
}

void hd_frame_forget_rounds(frame **f) {
  for (frame *at = *f; at; at = at->below)
    if (at->n_rounds) {
      at = own_down(f, at->depth);
      at->n_rounds = 0;
    }
}

void hd_frame_forget_dead(const hd_code *code, const hd_live *live, frame **f) {
  hd_value nothing = hd_value_undefined();
  hd_edge_id call = HD_NO_ID; /* that the frame is in; of the top one: none */
  for (frame *at = *f; at; call = at->call, at = at->below)
    for (hd_reg_id r = 0; r < at->n_regs; r++) {
      bool read = call == HD_NO_ID ? hd_live_at(live, at->loc, r)
                                   : hd_live_after(live, call, r) ||
                                         hd_live_at(live, at->loc, r);
      if (read || hd_value_same(&at->regs[r], &nothing))
        continue;
      at = own_down(f, at->depth);
      hd_frame_set(code, at, r, &nothing);
    }
}

local hd_local_copy(const local *l) {
  return (local){hd_frame_keep(l->top), hd_memory_keep(l->memory),
                 hd_trail_keep(l->path)};
}

void hd_local_free(local *l) {
  hd_frame_drop(l->top);
  hd_memory_drop(l->memory);
  hd_trail_drop(l->path);
  *l = (local){NULL, NULL, NULL};
}

bool hd_stop_returns(const hd_code *code, const stop *at) {
  assert(at->edge != HD_NO_ID || at->state.top);
  if (at->edge != HD_NO_ID)
    return false;
  uint32_t first = code->out_start[at->state.top->loc];
  return code->edges.data[code->out[first]].act == HD_CODE_RETURN;
}
