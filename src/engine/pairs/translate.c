/* SPDX-License-Identifier: MIT */
/* From the code graph to steps: every place is followed along all paths until
 * the next place. What is found out on the way (which variables are written,
 * what a pointer always points to, which objects are arrays) is used by all, so
 * everything is done again until nothing new is found; that ends because such
 * facts only get weaker, and a bound on paths ends the rest. */
#include "engine/pairs/translate.h"

#include <assert.h>
#include <string.h>

enum { MAX_STEPS = 2000, MAX_MOVES = 2000, MAX_ROUNDS = 100 };

uint32_t hd_pairs_context_of(ptranslator *tr, uint32_t parent, hd_edge_id call,
                             hd_func_id func, uint32_t kind) {
  assert(parent == HD_NO_ID || call < tr->code->edges.size);
  assert(tr->code->funcs.data[func].defined);
  for (size_t i = 0; i < tr->contexts.size; i++) {
    const pcontext *c = &tr->contexts.data[i];
    if (c->parent == parent && c->call == call && c->func == func &&
        c->kind == kind)
      return (uint32_t)i;
  }
  const hd_func *f = &tr->code->funcs.data[func];
  pcontext c = {.func = func,
                .parent = parent,
                .call = call,
                .kind = kind,
                .regs = (uint32_t)tr->system->local.size};
  for (uint32_t r = 0; r < f->n_regs; r++) {
    psvar v = {.width = tr->code->regs.data[f->regs + r].type.width,
               .kind = kind};
    hd_vec_push(&tr->system->local, v);
  }
  hd_vec_push(&tr->contexts, c);
  return (uint32_t)tr->contexts.size - 1;
}

static uint32_t place_of(ptranslator *tr, uint32_t context, hd_loc_id loc,
                         uint32_t phase) {
  if (context == HD_NO_ID)
    return UNBORN;
  assert(tr->code->locs.data[loc].func == tr->contexts.data[context].func);
  psystem *s = tr->system;
  for (size_t i = 1; i < s->places.size; i++) {
    const pplace *p = &s->places.data[i];
    if (p->context == context && p->loc == loc && p->phase == phase)
      return (uint32_t)i;
  }
  pplace made = {.kind = tr->contexts.data[context].kind,
                 .context = context,
                 .loc = loc,
                 .phase = phase};
  hd_vec_push(&s->places, made);
  hd_vec_push(&tr->open, (uint32_t)s->places.size - 1);
  return (uint32_t)s->places.size - 1;
}

uint32_t hd_pairs_kind_of(ptranslator *tr, hd_func_id func) {
  psystem *s = tr->system;
  uint32_t k = 0;
  /* main, if somebody starts it as a thread, is another kind. */
  for (k = s->kinds.size ? 1 : 0; k < s->kinds.size; k++)
    if (s->kinds.data[k].func == func)
      break;
  if (k == s->kinds.size) {
    hd_vec_push(&s->kinds, ((pkind){.func = func}));
    s->kinds.data[k].context =
        hd_pairs_context_of(tr, HD_NO_ID, HD_NO_ID, func, k);
    tr->changed = true;
  }
  pkind *kind = &s->kinds.data[k];
  kind->start =
      place_of(tr, kind->context, tr->code->funcs.data[func].entry, 0);
  return k;
}

void hd_pairs_path_copy(ppath *to, const ppath *from) {
  *to = *from;
  memset(&to->store, 0, sizeof to->store);
  memset(&to->begins, 0, sizeof to->begins);
  for (size_t i = 0; i < from->store.size; i++)
    hd_vec_push(&to->store, from->store.data[i]);
  for (size_t i = 0; i < from->begins.size; i++)
    hd_vec_push(&to->begins, from->begins.data[i]);
}

void hd_pairs_path_free(ppath *p) {
  hd_vec_free(&p->store);
  hd_vec_free(&p->begins);
}

static void add_step(ptranslator *tr, pstep step) {
  assert(step.from != UNBORN && step.from < tr->system->places.size);
  assert(hd_pairs_node_of(tr->system->terms, step.guard)->width == 1);
  hd_vec_push(&tr->system->steps, step);
  if (tr->system->steps.size > MAX_STEPS)
    hd_pairs_refuse(tr, step.edge,
                    "more than %d paths between what others can notice",
                    MAX_STEPS);
}

void hd_pairs_add_failure(pfailures *failures, const pstep *step) {
  assert(step->fails);
  for (hd_vec_each(const pfailure, f, failures))
    if (f->edge == step->edge && strcmp(f->what, step->what) == 0)
      return;
  hd_vec_push(failures, ((pfailure){.edge = step->edge, .what = step->what}));
}

bool hd_pairs_may_meet(const psystem *s, const pdeed *x, const pdeed *y) {
  assert(x->from != UNBORN && y->from != UNBORN);
  uint32_t kind = s->places.data[x->from].kind;
  return kind != s->places.data[y->from].kind || !s->kinds.data[kind].once;
}

typedef struct {
  const psystem *s;
} other_one;

/* The variables and inputs of the second thread. */
static pterm of_second(void *context, pterms *t, pterm var) {
  const other_one *o = context;
  pvar v = hd_pairs_var_of(t, var);
  if (v.owner == OF_FIRST)
    v.owner = OF_SECOND;
  else if (v.owner == OF_NOBODY)
    v.index += o->s->inputs;
  return hd_pairs_term_var(t, v, hd_pairs_node_of(t, var)->width);
}

pterm hd_pairs_meeting(const psystem *s, const pdeed *x, const pdeed *y) {
  pterms *t = s->terms;
  other_one o = {.s = s};
  pterm both = hd_pairs_term_and(t, x->guard,
                                 hd_pairs_term_map(t, y->guard, of_second, &o));
  if (x->object == HD_NO_ID || y->object == HD_NO_ID)
    return both;
  if (x->object != y->object)
    return hd_pairs_term_const(t, 1, 0);
  pterm a = x->at, b = hd_pairs_term_map(t, y->at, of_second, &o);
  uint8_t width = hd_pairs_node_of(t, a)->width;
  assert(x->bytes > 0 && y->bytes > 0);
  pterm begins =
      hd_pairs_term_apply(t, HD_BV_ULT, hd_pairs_term_apply(t, HD_BV_SUB, a, b),
                          hd_pairs_term_const(t, width, y->bytes));
  pterm begun =
      hd_pairs_term_apply(t, HD_BV_ULT, hd_pairs_term_apply(t, HD_BV_SUB, b, a),
                          hd_pairs_term_const(t, width, x->bytes));
  return hd_pairs_term_and(t, both,
                           hd_pairs_term_apply(t, HD_BV_OR, begins, begun));
}

void hd_pairs_fail_step(ptranslator *tr, const ppath *p, hd_edge_id edge,
                        pterm guard, const char *what) {
  uint64_t k;
  if (hd_pairs_term_is_const(tr->system->terms, guard, &k) && !k)
    return;
  add_step(tr, (pstep){.from = p->from,
                       .fails = true,
                       .guard = guard,
                       .creates = HD_NO_ID,
                       .into = HD_NO_ID,
                       .joins = HD_NO_ID,
                       .edge = edge,
                       .what = what,
                       .limit = tr->limiting});
}

void hd_pairs_finish(ptranslator *tr, ppath *p) {
  pstep step = {.from = p->from,
                .to = place_of(tr, p->context, p->loc, p->phase),
                .guard = p->guard,
                .creates = p->creates,
                .into = p->into,
                .joins = p->joins,
                .exits = p->exits,
                .edge = p->edge};
  for (size_t i = 0; i < p->store.size; i++) {
    const pbinding *b = &p->store.data[i];
    uint8_t width = b->var.owner == OF_ALL
                        ? tr->system->shared.data[b->var.index].width
                        : tr->system->local.data[b->var.index].width;
    pterm value = hd_pairs_stored(tr, b->var, b->value, width);
    assert(hd_pairs_node_of(tr->system->terms, value)->width == width);
    hd_vec_push(&step.sets, ((passign){.var = b->var, .term = value}));
  }
  for (size_t i = 0; i < p->begins.size; i++)
    hd_vec_push(&step.begins, p->begins.data[i]);
  add_step(tr, step);
}

/* --- one action --- */

static void do_return(ptranslator *tr, ppath *p, hd_edge_id edge) {
  assert(edge < tr->code->edges.size);
  const hd_cedge *e = &tr->code->edges.data[edge];
  pcontext c = tr->contexts.data[p->context];
  if (c.parent == HD_NO_ID) {
    p->exits = c.kind == 0;
    p->context = HD_NO_ID;
    hd_pairs_finish(tr, p);
    p->ended = true;
    return;
  }
  const hd_cedge *call = &tr->code->edges.data[c.call];
  assert(call->act == HD_CODE_CALL);
  pvalue values[8];
  if (e->n_operands > 8) {
    hd_pairs_refuse(tr, edge, "more than 8 results");
    return;
  }
  for (uint32_t i = 0; i < e->n_operands; i++)
    values[i] = hd_pairs_eval_operand(tr, p, edge, i);
  for (uint32_t i = 0; i < call->n_targets && i < e->n_operands; i++)
    hd_pairs_set_reg(tr, p, c.parent, hd_code_target(tr->code, call, i),
                     values[i]);
  p->atomic -= hd_func_is_section(&tr->code->funcs.data[c.func]) ? 1 : 0;
  p->context = c.parent;
  p->loc = call->to;
}

static void do_step(ptranslator *tr, ppath *p, hd_edge_id edge) {
  assert(edge < tr->code->edges.size);
  const hd_cedge *e = &tr->code->edges.data[edge];
  if (e->guard != HD_NO_ID)
    hd_pairs_add_guard(tr, p, hd_pairs_eval(tr, p, edge, e->guard).bits);
  if (p->ended)
    return;
  hd_vec(pvalue) values = {0};
  for (uint32_t i = 0; i < e->n_operands; i++)
    hd_vec_push(&values, hd_pairs_eval_operand(tr, p, edge, i));
  for (uint32_t i = 0; i < e->n_targets; i++)
    hd_pairs_set_reg(tr, p, p->context, hd_code_target(tr->code, e, i),
                     values.data[i]);
  hd_vec_free(&values);
  p->loc = e->to;
}

static bool noticed(ptranslator *tr, ppath *p, hd_edge_id edge) {
  assert(edge < tr->code->edges.size);
  const hd_cedge *e = &tr->code->edges.data[edge];
  switch (e->act) {
  case HD_CODE_LOAD:
    return hd_pairs_is_noticed(tr, p, edge, false);
  case HD_CODE_STORE:
  case HD_CODE_RMW:
  case HD_CODE_CMPXCHG:
    return hd_pairs_is_noticed(tr, p, edge, true);
  case HD_CODE_CALL:
    return hd_pairs_call_is_noticed(tr, p, edge);
  case HD_CODE_RETURN: /* main's ends all threads: they may act before it */
    return tr->contexts.data[p->context].parent == HD_NO_ID &&
           tr->contexts.data[p->context].kind == 0;
  default:
    return false;
  }
}

static void act(ptranslator *tr, ppath *p, hd_edge_id edge) {
  const hd_cedge *e = &tr->code->edges.data[edge];
  switch (e->act) {
  case HD_CODE_STEP:
    do_step(tr, p, edge);
    break;
  case HD_CODE_LOAD:
  case HD_CODE_STORE:
  case HD_CODE_RMW:
  case HD_CODE_CMPXCHG:
    hd_pairs_access_memory(tr, p, edge);
    p->loc = e->to;
    break;
  case HD_CODE_FENCE:
    p->loc = e->to;
    break;
  case HD_CODE_CALL:
    hd_pairs_do_call(tr, p, edge);
    break;
  case HD_CODE_RETURN:
    do_return(tr, p, edge);
    break;
  case HD_CODE_UNREACHABLE:
    hd_pairs_demand(tr, p, edge, hd_pairs_term_const(tr->system->terms, 1, 0),
                    "unreachable code");
    break;
  case HD_CODE_UNSUPPORTED:
    hd_pairs_refuse(tr, edge, "%s", e->text);
    break;
  case HD_CODE_ALLOCA:
    hd_pairs_allocate(tr, p, edge, hd_pairs_eval_operand(tr, p, edge, 0));
    break;
  default:
    assert(false);
  }
}

/* A conditional expression whose value is one of two addresses, in different
 * objects; HD_NO_ID = none. */
static hd_cexpr_id find_choice(ptranslator *tr, ppath *p, hd_edge_id edge,
                               hd_cexpr_id expr) {
  const hd_cexpr *e = &tr->code->exprs.data[expr];
  if (e->op == HD_CODE_SELECT && e->type.kind == HD_TYPE_PTR) {
    for (uint32_t i = 0; i < p->n_chosen; i++)
      if (p->chosen[i].expr == expr)
        return HD_NO_ID;
    pvalue yes = hd_pairs_eval(tr, p, edge, e->args[1]);
    pvalue no = hd_pairs_eval(tr, p, edge, e->args[2]);
    if (yes.object != no.object)
      return expr;
  }
  for (int i = 0; i < hd_code_op_arity(e->op); i++) {
    hd_cexpr_id found = find_choice(tr, p, edge, e->args[i]);
    if (found != HD_NO_ID)
      return found;
  }
  return HD_NO_ID;
}

static bool advance(ptranslator *tr, ppath *p, hd_edge_id edge);

/* Two paths, one for each address, as often as that helps. */
static void choose(ptranslator *tr, ppath *p, hd_edge_id edge) {
  const hd_cedge *e = &tr->code->edges.data[edge];
  enum { MOST = sizeof p->chosen / sizeof *p->chosen };
  for (uint32_t i = 0; i < e->n_operands && p->n_chosen < MOST; i++) {
    tr->peeking = true;
    hd_cexpr_id expr =
        find_choice(tr, p, edge, hd_code_operand(tr->code, e, i));
    tr->peeking = false;
    if (expr == HD_NO_ID)
      continue;
    pterm condition =
        hd_pairs_eval(tr, p, edge, tr->code->exprs.data[expr].args[0]).bits;
    ppath other;
    hd_pairs_path_copy(&other, p);
    p->chosen[p->n_chosen].expr = other.chosen[p->n_chosen].expr = expr;
    p->chosen[p->n_chosen].arm = 0;
    other.chosen[p->n_chosen].arm = 1;
    p->n_chosen = ++other.n_chosen;
    hd_pairs_add_guard(tr, &other,
                       hd_pairs_term_not(tr->system->terms, condition));
    if (!other.ended && advance(tr, &other, edge))
      hd_pairs_follow(tr, &other);
    hd_pairs_path_free(&other);
    hd_pairs_add_guard(tr, p, condition);
    if (p->ended)
      return;
    i--; /* there may be more in it */
  }
}

static bool is_deed(const ptranslator *tr, hd_edge_id edge) {
  for (size_t i = 0;
       tr->surroundings->meetings && i < tr->surroundings->meetings->size; i++)
    if (tr->surroundings->meetings->data[i].a == edge ||
        tr->surroundings->meetings->data[i].b == edge)
      return true;
  return false;
}

/* What somebody wants to know whom it can meet. */
static void note_deed(ptranslator *tr, ppath *p, hd_edge_id edge) {
  const hd_cedge *e = &tr->code->edges.data[edge];
  pdeed made = {.from = p->from,
                .edge = edge,
                .guard = p->guard,
                .object = HD_NO_ID,
                .at = p->guard};
  if (e->act == HD_CODE_LOAD || e->act == HD_CODE_STORE ||
      e->act == HD_CODE_RMW || e->act == HD_CODE_CMPXCHG) {
    tr->peeking = true;
    pvalue address = hd_pairs_eval_operand(tr, p, edge, 0);
    tr->peeking = false;
    made.object = address.object;
    made.at = address.bits;
    made.bytes = (hd_pairs_access_width(tr, e) + 7u) / 8;
  }
  hd_vec_push(&tr->system->deeds, made);
}

/* True: the path goes on. */
static bool advance(ptranslator *tr, ppath *p, hd_edge_id edge) {
  assert(edge < tr->code->edges.size);
  const hd_cedge *e = &tr->code->edges.data[edge];
  assert(!p->ended && e->from == p->loc);
  choose(tr, p, edge);
  if (tr->refused || p->ended)
    return false;
  bool deed = is_deed(tr, edge);
  bool seen = !p->atomic && (noticed(tr, p, edge) || deed);
  if (tr->refused || p->ended)
    return false;
  if (seen && p->acted) {
    hd_pairs_finish(tr, p);
    return false;
  }
  if (seen) {
    p->acted = true;
    p->edge = edge;
  }
  p->wrote = p->wrote || p->atomic || (seen && e->act != HD_CODE_LOAD);
  p->moves++;
  if (deed)
    note_deed(tr, p, edge);
  act(tr, p, edge);
  p->n_chosen = 0;
  return !tr->refused && !p->ended;
}

static bool is_head(const ptranslator *tr, const ppath *p) {
  return tr->code->locs.data[p->loc].loop != HD_NO_ID;
}

void hd_pairs_follow(ptranslator *tr, ppath *p) {
  for (;;) {
    if (!hd_run_tick(tr->run))
      hd_pairs_refuse(tr, HD_NO_ID, "%s", hd_run_why(tr->run));
    if (p->moves > MAX_MOVES)
      hd_pairs_refuse(tr, p->edge,
                      "a loop in an atomic section, or a very long path");
    if (tr->refused)
      return;
    if (p->moves && !p->atomic && is_head(tr, p)) {
      hd_pairs_finish(tr, p);
      return;
    }
    uint32_t first = tr->code->out_start[p->loc];
    uint32_t end = tr->code->out_start[p->loc + 1];
    for (uint32_t o = first; o + 1 < end; o++) {
      ppath other;
      hd_pairs_path_copy(&other, p);
      if (advance(tr, &other, tr->code->out[o]))
        hd_pairs_follow(tr, &other);
      hd_pairs_path_free(&other);
    }
    if (first == end || !advance(tr, p, tr->code->out[end - 1]))
      return;
  }
}

/* --- the whole --- */

static void clear_steps(psystem *s) {
  for (hd_vec_each(pstep, step, &s->steps)) {
    hd_vec_free(&step->sets);
    hd_vec_free(&step->begins);
  }
  hd_vec_clear(&s->steps);
}

void hd_pairs_system_free(psystem *s) {
  clear_steps(s);
  hd_vec_free(&s->steps);
  hd_vec_free(&s->shared);
  hd_vec_free(&s->local);
  hd_vec_free(&s->kinds);
  hd_vec_free(&s->places);
  for (hd_vec_each(pfamily, f, &s->families))
    hd_vec_free(&f->kinds);
  hd_vec_free(&s->families);
  hd_vec_free(&s->rwlocks);
  hd_vec_free(&s->deeds);
  hd_pairs_terms_delete(s->terms);
}

static void read_once(ptranslator *tr) {
  psystem *s = tr->system;
  clear_steps(s);
  hd_vec_clear(&s->places);
  hd_vec_clear(&tr->open);
  hd_vec_clear(&tr->asked);
  hd_vec_clear(&s->deeds);
  s->inputs = 0;
  hd_vec_push(
      &s->places,
      ((pplace){.kind = HD_NO_ID, .context = HD_NO_ID, .loc = HD_NO_ID}));
  uint32_t main_context = s->kinds.data[0].context;
  s->kinds.data[0].start =
      place_of(tr, main_context, tr->code->funcs.data[tr->code->main].entry, 0);
  while (tr->open.size && !tr->refused) {
    uint32_t at = hd_vec_pop(&tr->open);
    pplace from = s->places.data[at];
    ppath p = {.from = at,
               .context = from.context,
               .loc = from.loc,
               .phase = from.phase,
               .guard = hd_pairs_term_const(s->terms, 1, 1),
               .creates = HD_NO_ID,
               .into = HD_NO_ID,
               .joins = HD_NO_ID,
               .edge = HD_NO_ID};
    hd_pairs_follow(tr, &p);
    hd_pairs_path_free(&p);
  }
}

/* Threads of a kind that one step creates, in main, which cannot come to such a
 * step again. */
static bool is_once(const psystem *s, uint32_t kind) {
  assert(kind > 0); /* main is, whoever asks */
  uint8_t *reached = hd_calloc(s->places.size, 1);
  bool once = true;
  for (size_t i = 0; i < s->steps.size; i++) {
    const pstep *step = &s->steps.data[i];
    if (step->creates != kind || step->fails)
      continue;
    once = once && s->places.data[step->from].kind == 0;
    reached[step->to] = 1;
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < s->steps.size; i++) {
      const pstep *step = &s->steps.data[i];
      if (step->fails || step->from == UNBORN || !reached[step->from] ||
          reached[step->to])
        continue;
      reached[step->to] = 1;
      changed = true;
    }
  }
  for (size_t i = 0; i < s->steps.size; i++)
    if (s->steps.data[i].creates == kind && reached[s->steps.data[i].from])
      once = false;
  hd_free(reached);
  return once;
}

static void complete(psystem *s) {
  for (uint32_t k = 0; k < s->kinds.size; k++)
    s->kinds.data[k].once = k == 0 || is_once(s, k);
  for (hd_vec_each(pstep, step, &s->steps)) {
    assert(step->fails || step->to < s->places.size);
    if (step->creates == HD_NO_ID)
      continue;
    for (uint32_t i = 0; i < s->local.size; i++) {
      const psvar *v = &s->local.data[i];
      pvar var = {.owner = OF_FIRST, .index = i};
      if (v->kind == step->creates && v->has_start)
        hd_vec_push(&step->begins,
                    ((passign){.var = var,
                               .term = hd_pairs_term_const(s->terms, v->width,
                                                           v->start)}));
    }
  }
}

bool hd_pairs_system_read(const hd_code *code,
                          const psurroundings *surroundings, hd_run *run,
                          psystem *system, hd_str *why) {
  ptranslator tr = {.code = code,
                    .surroundings = surroundings,
                    .system = system,
                    .run = run,
                    .why = why};
  system->terms = hd_pairs_terms_new();
  hd_vec_push(&system->kinds, ((pkind){.func = code->main, .once = true}));
  system->kinds.data[0].context =
      hd_pairs_context_of(&tr, HD_NO_ID, HD_NO_ID, code->main, 0);
  tr.changed = true;
  for (int round = 0; tr.changed && !tr.refused; round++) {
    tr.changed = false;
    if (round == MAX_ROUNDS)
      hd_pairs_refuse(&tr, HD_NO_ID, "too many rounds of translation");
    else
      read_once(&tr);
  }
  if (!tr.refused)
    hd_pairs_check_rwlocks(&tr);
  if (!tr.refused)
    complete(system);
  for (hd_vec_each(pobject, o, &tr.objects))
    hd_vec_free(&o->cells);
  hd_vec_free(&tr.objects);
  hd_vec_free(&tr.handles);
  hd_vec_free(&tr.contexts);
  hd_vec_free(&tr.open);
  hd_vec_free(&tr.asked);
  return !tr.refused;
}
