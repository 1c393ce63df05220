/* SPDX-License-Identifier: MIT */
/* Values of expressions as terms. A term is the value with its sign; where it is
 * not certain that the type can hold it, or the operation is none of arithmetic,
 * the result is a symbol of which nothing is known. */
#include "engine/teams/state.h"

#include "base/hash.h"
#include "check/interp/memory.h"
#include "engine/teams/bounds.h"
#include "engine/teams/query.h"

hd_team_term hd_team_walk_any(hd_team_walker *k, const hd_team_walk_state *s,
                              uint8_t width) {
  return hd_team_term_symbol(k->w->terms, !s->team, width);
}

static hd_team_term anything(hd_team_walker *k, const hd_team_walk_state *s,
                             const hd_cexpr *e) {
  return hd_team_walk_any(k, s,
                          e->type.kind == HD_TYPE_INT ? e->type.width : 0);
}

static hd_smt_status ask(hd_team_walker *k, const hd_team_list *facts,
                         hd_team_term also) {
  hd_team_walk *w = k->w;
  hd_team_query q = {.terms = w->terms,
                     .logic = w->logic,
                     .machine = w->machine,
                     .run = w->run};
  for (size_t i = 0; i < facts->size; i++)
    hd_team_query_claim(&q, facts->data[i], 0);
  if (also)
    hd_team_query_claim(&q, also, 0);
  hd_smt_status status = hd_team_query_ask(&q, 0.2);
  hd_team_query_free(&q);
  return status;
}

/* Those that have something to do with the condition, through others, too. */
static void find_related(hd_team_walker *k, const hd_team_list *facts,
                         hd_team_term condition, hd_team_list *out) {
  enum { MOST = 128 };
  hd_team_terms *t = k->w->terms;
  bool taken[MOST] = {0};
  hd_team_term_touch(t, condition);
  for (bool more = true; more;) {
    more = false;
    for (size_t i = 0; i < facts->size; i++) {
      if ((i < MOST && taken[i]) ||
          (i < MOST && !hd_team_term_touches(t, facts->data[i])))
        continue;
      if (i < MOST) {
        taken[i] = more = true;
        hd_team_term_touch(t, facts->data[i]);
      }
    }
  }
  for (size_t i = 0; i < facts->size; i++)
    if (i >= MOST || taken[i])
      hd_vec_push(out, facts->data[i]);
  hd_team_term_untouch(t);
}

bool hd_team_walk_holds(hd_team_walker *k, const hd_team_walk_state *s,
                        hd_team_term condition) {
  int64_t value;
  if (hd_team_term_is_const(k->w->terms, condition, &value))
    return value != 0;
  hd_team_list facts = {0};
  find_related(k, &s->facts, condition, &facts);
  uint64_t hash = hd_hash_bytes(facts.data, facts.size * sizeof *facts.data);
  hd_team_walk_answer *known =
      &k->graph->answers[(condition ^ hash) % HD_TEAM_WALK_ANSWERS];
  if (known->condition != condition || known->n_facts != facts.size ||
      known->hash != hash) {
    hd_smt_status status =
        ask(k, &facts, hd_team_term_not(k->w->terms, condition));
    *known = (hd_team_walk_answer){condition, status == HD_SMT_UNSAT,
                                   facts.size, hash};
  }
  hd_vec_free(&facts);
  return known->holds;
}

bool hd_team_walk_possible(hd_team_walker *k, const hd_team_walk_state *s) {
  return ask(k, &s->facts, 0) != HD_SMT_UNSAT;
}

static bool between(hd_team_walker *k, const hd_team_walk_state *s,
                    hd_team_term term, int64_t low, int64_t high) {
  hd_team_terms *t = k->w->terms;
  int64_t value;
  if (hd_team_term_is_const(t, term, &value))
    return low <= value && value <= high;
  int64_t least, most;
  if (hd_team_term_bounds(t, term, &least, &most) && low <= least &&
      most <= high)
    return true;
  if (hd_team_bounds_between(t, &s->facts, term, low, high))
    return true;
  hd_team_term above =
      hd_team_term_make(t, HD_TEAM_LE, hd_team_term_const(t, low), term);
  hd_team_term below =
      hd_team_term_make(t, HD_TEAM_LE, term, hd_team_term_const(t, high));
  return hd_team_walk_holds(k, s,
                            hd_team_term_make(t, HD_TEAM_AND, above, below));
}

static int64_t lowest(uint8_t width) {
  return width >= 64 ? INT64_MIN : -((int64_t)1 << (width - 1));
}
static int64_t highest(uint8_t width) {
  return width >= 64 ? INT64_MAX : ((int64_t)1 << (width - 1)) - 1;
}

static bool is_natural(hd_team_walker *k, const hd_team_walk_state *s,
                       hd_team_term term) {
  return between(k, s, term, 0, INT64_MAX);
}

/* Addresses and what is added to them are taken modulo 2^64 anyway. */
static hd_team_term fits(hd_team_walker *k, const hd_team_walk_state *s,
                         const hd_cexpr *e, hd_team_term term, bool offset) {
  if (e->flags & HD_CODE_NSW || (offset && e->type.width == 64) ||
      between(k, s, term, lowest(e->type.width), highest(e->type.width)))
    return term;
  return anything(k, s, e);
}

static hd_team_term arithmetic(hd_team_walker *k, hd_team_walk_state *s,
                               const hd_cexpr *e, hd_team_term a,
                               hd_team_term b, bool offset) {
  hd_team_terms *t = k->w->terms;
  int64_t c;
  bool by = hd_team_term_is_const(t, b, &c);
  switch ((hd_code_op)e->op) {
  case HD_CODE_ADD:
    return fits(k, s, e, hd_team_term_make(t, HD_TEAM_ADD, a, b), offset);
  case HD_CODE_SUB:
    return fits(k, s, e, hd_team_term_sub(t, a, b), offset);
  case HD_CODE_MUL: {
    int64_t d;
    bool scales = by || hd_team_term_is_const(t, a, &d);
    return fits(k, s, e, hd_team_term_make(t, HD_TEAM_MUL, a, b),
                offset && scales);
  }
  case HD_CODE_SDIV:
  case HD_CODE_UDIV: /* by 0 is undefined */
    return (by ? c > 0 : is_natural(k, s, b)) && is_natural(k, s, a)
               ? hd_team_term_make(t, HD_TEAM_DIV, a, b)
               : anything(k, s, e);
  case HD_CODE_SREM:
  case HD_CODE_UREM:
    return (by ? c > 0 : is_natural(k, s, b)) && is_natural(k, s, a)
               ? hd_team_term_make(t, HD_TEAM_MOD, a, b)
               : anything(k, s, e);
  case HD_CODE_SHL:
    return by && c >= 0 && c < 32
               ? fits(k, s, e,
                      hd_team_term_make(t, HD_TEAM_MUL, a,
                                        hd_team_term_const(t, (int64_t)1 << c)),
                      offset)
               : anything(k, s, e);
  case HD_CODE_LSHR:
  case HD_CODE_ASHR:
    return by && c >= 0 && c < 62 && is_natural(k, s, a)
               ? hd_team_term_make(t, HD_TEAM_DIV, a,
                                   hd_team_term_const(t, (int64_t)1 << c))
               : anything(k, s, e);
  case HD_CODE_AND:
    if (e->type.width == 1)
      return hd_team_term_make(t, HD_TEAM_AND, a, b);
    return by && c >= 0 && !((c + 1) & c) && is_natural(k, s, a)
               ? hd_team_term_make(t, HD_TEAM_MOD, a,
                                   hd_team_term_const(t, c + 1))
               : anything(k, s, e);
  case HD_CODE_OR:
    return e->type.width == 1 ? hd_team_term_make(t, HD_TEAM_OR, a, b)
                              : anything(k, s, e);
  case HD_CODE_XOR:
    return e->type.width == 1 && by ? (c ? hd_team_term_not(t, a) : a)
                                    : anything(k, s, e);
  case HD_CODE_WITHIN: /* undefined otherwise */
    return a;
  case HD_CODE_SMIN:
    return hd_team_term_ite(t, hd_team_term_make(t, HD_TEAM_LE, a, b), a, b);
  case HD_CODE_SMAX:
    return hd_team_term_ite(t, hd_team_term_make(t, HD_TEAM_LE, a, b), b, a);
  default:
    return anything(k, s, e);
  }
}

static hd_team_term compare(hd_team_walker *k, hd_team_walk_state *s,
                            const hd_cexpr *e, hd_team_term a, hd_team_term b) {
  hd_team_terms *t = k->w->terms;
  hd_team_term same = hd_team_term_make(t, HD_TEAM_EQ, a, b);
  if (s->team && hd_team_walk_is_first(hd_team_walk_object(t, a),
                                       hd_team_walk_object(t, b)))
    same = hd_team_term_make(t, HD_TEAM_EQ, k->w->number,
                             hd_team_term_const(t, 0));
  switch ((hd_code_op)e->op) {
  case HD_CODE_EQ:
    return same;
  case HD_CODE_NE:
    return hd_team_term_not(t, same);
  case HD_CODE_SLT:
    return hd_team_term_lt(t, a, b);
  case HD_CODE_SLE:
    return hd_team_term_make(t, HD_TEAM_LE, a, b);
  case HD_CODE_SGT:
    return hd_team_term_lt(t, b, a);
  case HD_CODE_SGE:
    return hd_team_term_make(t, HD_TEAM_LE, b, a);
  default:
    break;
  }
  if (!is_natural(k, s, a) || !is_natural(k, s, b))
    return anything(k, s, e);
  switch ((hd_code_op)e->op) {
  case HD_CODE_ULT:
    return hd_team_term_lt(t, a, b);
  case HD_CODE_ULE:
    return hd_team_term_make(t, HD_TEAM_LE, a, b);
  case HD_CODE_UGT:
    return hd_team_term_lt(t, b, a);
  default:
    return hd_team_term_make(t, HD_TEAM_LE, b, a);
  }
}

/* The number with the same bits and no sign. */
static hd_team_term as_unsigned(hd_team_walker *k, hd_team_term a,
                                uint8_t width) {
  hd_team_terms *t = k->w->terms;
  hd_team_term up = hd_team_term_const(t, (int64_t)1 << width);
  hd_team_term natural =
      hd_team_term_make(t, HD_TEAM_LE, hd_team_term_const(t, 0), a);
  return hd_team_term_ite(t, natural, a,
                          hd_team_term_make(t, HD_TEAM_ADD, a, up));
}

static hd_team_term cast(hd_team_walker *k, hd_team_walk_state *s,
                         const hd_cexpr *e, hd_team_term a) {
  hd_type from = k->w->code->exprs.data[e->args[0]].type;
  switch ((hd_code_op)e->op) {
  case HD_CODE_SEXT:
    if (from.width > 1)
      return a;
    return hd_team_term_make(k->w->terms, HD_TEAM_MUL, a,
                             hd_team_term_const(k->w->terms, -1));
  case HD_CODE_ZEXT: /* truths are 0 and 1 */
    return from.width == 1 || is_natural(k, s, a) ? a
           : from.width < 63 ? as_unsigned(k, a, from.width)
                             : anything(k, s, e);
  case HD_CODE_TRUNC:
    if (e->type.width == 1) {
      int64_t value;
      return hd_team_term_is_const(k->w->terms, a, &value)
                 ? hd_team_term_const(k->w->terms, value & 1)
             : between(k, s, a, 0, 1) ? a
                                      : anything(k, s, e);
    }
    return between(k, s, a, lowest(e->type.width), highest(e->type.width))
               ? a
               : anything(k, s, e);
  case HD_CODE_PTRTOINT:
  case HD_CODE_INTTOPTR:
    return e->type.width == from.width ? a : anything(k, s, e);
  default:
    return anything(k, s, e);
  }
}

static hd_team_term leaf(hd_team_walker *k, hd_team_walk_state *s,
                         const hd_cexpr *e) {
  hd_team_walk *w = k->w;
  hd_team_terms *t = w->terms;
  const hd_team_walk_frame *f = &hd_vec_last(&s->frames);
  switch ((hd_code_op)e->op) {
  case HD_CODE_INT: {
    if (e->type.kind == HD_TYPE_FLOAT)
      return anything(k, s, e);
    uint64_t v = e->value;
    if (e->type.width > 1 && e->type.width < 64 && v >> (e->type.width - 1) & 1)
      v |= ~(uint64_t)0 << e->type.width;
    return hd_team_term_const(t, (int64_t)v);
  }
  case HD_CODE_NULL:
    return hd_team_term_const(t, 0);
  case HD_CODE_REG: {
    hd_team_term value = s->regs.data[f->regs + e->value];
    if (value)
      hd_team_walk_use(w, s, value);
    return value ? value : anything(k, s, e);
  }
  case HD_CODE_GLOBAL:
    if (w->code->globals.data[e->value].thread_local && w->exact && s->team)
      hd_team_walk_refuse(k, HD_NO_ID,
                          "a threadprivate variable, in memory as one run has "
                          "it, is not looked at");
    if (w->code->globals.data[e->value].thread_local)
      return hd_team_term_const(
          t, (int64_t)hd_team_walk_thread_local(s, e->value));
    return hd_team_term_const(t, (int64_t)hd_ram_global_base(
                                     w->machine->plan, (hd_global_id)e->value));
  case HD_CODE_FUNC:
    return hd_team_term_const(
        t, (int64_t)hd_ram_func(w->machine, (hd_func_id)e->value));
  case HD_CODE_SLOT:
    return hd_team_term_const(t,
                              (int64_t)hd_team_walk_slot(f->slots + e->value));
  default:
    return anything(k, s, e);
  }
}

/* `offset`: it is added to an address. */
static hd_team_term evaluate(hd_team_walker *k, hd_team_walk_state *s,
                             hd_cexpr_id id, bool offset) {
  const hd_cexpr *e = &k->w->code->exprs.data[id];
  if (e->args[0] == HD_NO_ID)
    return leaf(k, s, e);
  bool sum = e->op == HD_CODE_ADD || e->op == HD_CODE_MUL;
  offset = offset && sum;
  hd_team_term a = evaluate(k, s, e->args[0], offset);
  if (e->op == HD_CODE_PTRADD)
    return hd_team_term_make(k->w->terms, HD_TEAM_ADD, a,
                             evaluate(k, s, e->args[1], true));
  if (e->op == HD_CODE_SELECT) {
    hd_team_term b = evaluate(k, s, e->args[1], false),
                 c = evaluate(k, s, e->args[2], false);
    int is = hd_team_bounds_decide(k->w->terms, &s->facts, a);
    return e->type.kind == HD_TYPE_FLOAT ? anything(k, s, e)
           : is >= 0                     ? (is ? b : c)
                     : hd_team_term_ite(k->w->terms, a, b, c);
  }
  if (e->type.kind == HD_TYPE_FLOAT ||
      k->w->code->exprs.data[e->args[0]].type.kind == HD_TYPE_FLOAT)
    return anything(k, s, e);
  if (e->args[1] == HD_NO_ID)
    return cast(k, s, e, a);
  hd_team_term b = evaluate(k, s, e->args[1], offset);
  return e->op >= HD_CODE_EQ && e->op <= HD_CODE_SGE
             ? compare(k, s, e, a, b)
             : arithmetic(k, s, e, a, b, offset);
}

hd_team_term hd_team_walk_eval(hd_team_walker *k, hd_team_walk_state *s,
                               hd_cexpr_id id) {
  return evaluate(k, s, id, false);
}
