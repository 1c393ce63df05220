/* SPDX-License-Identifier: MIT */
/* Calls: of defined functions, which are expanded, and of the library. */
#include "engine/pairs/translate.h"

static uint32_t n_args(const hd_cedge *e) {
  assert(e->act == HD_CODE_CALL && e->n_operands > 0);
  return e->n_operands - 1;
}

pvalue hd_pairs_arg(ptranslator *tr, ppath *p, hd_edge_id edge, uint32_t i) {
  if (i < n_args(&tr->code->edges.data[edge]))
    return hd_pairs_eval_operand(tr, p, edge, i + 1);
  hd_pairs_refuse(tr, edge, "a call with too few arguments");
  return hd_pairs_number(
      hd_pairs_term_const(tr->system->terms, tr->code->pointer_width, 0));
}

/* The function that is called; HD_NO_ID after refusing. */
static hd_func_id callee(ptranslator *tr, ppath *p, hd_edge_id edge) {
  assert(edge < tr->code->edges.size);
  const hd_cedge *e = &tr->code->edges.data[edge];
  const hd_cexpr *f = &tr->code->exprs.data[hd_code_operand(tr->code, e, 0)];
  if (f->op == HD_CODE_FUNC)
    return (hd_func_id)f->value;
  pvalue v = hd_pairs_eval_operand(tr, p, edge, 0);
  uint64_t offset;
  if (v.object != HD_NO_ID && tr->objects.data[v.object].sort == IS_FUNC &&
      hd_pairs_term_is_const(tr->system->terms, v.bits, &offset) && !offset)
    return tr->objects.data[v.object].id;
  hd_pairs_refuse(tr, edge,
                  "a call through a pointer whose target is not known");
  return HD_NO_ID;
}

bool hd_pairs_call_is_noticed(ptranslator *tr, ppath *p, hd_edge_id edge) {
  hd_func_id id = callee(tr, p, edge);
  if (id == HD_NO_ID)
    return false;
  const hd_func *f = &tr->code->funcs.data[id];
  if (f->defined)
    return hd_func_is_section(f);
  hd_library_fn fn = hd_library_find(f->name);
  hd_action action = hd_library_action(fn);
  return action == HD_DO_ENTER || action == HD_DO_LEAVE ||
         action == HD_DO_SPAWN || action == HD_DO_END ||
         action == HD_DO_ABORT ||
         (action == HD_DO_JOIN && tr->surroundings->joins) ||
         hd_library_does(fn, HD_ARG_PLACE);
}

static uint8_t result_width(const ptranslator *tr, const hd_cedge *e) {
  const hd_func *f = &tr->code->funcs.data[tr->code->locs.data[e->from].func];
  hd_reg_id r = hd_code_target(tr->code, e, 0);
  assert(r < f->n_regs);
  return tr->code->regs.data[f->regs + r].type.width;
}

/* Goes on behind the call; what it returns is `value`, or anything. */
void hd_pairs_go_on(ptranslator *tr, ppath *p, hd_edge_id edge,
                    const uint64_t *value) {
  assert(edge < tr->code->edges.size);
  const hd_cedge *e = &tr->code->edges.data[edge];
  if (e->n_targets == 1) {
    uint8_t width = result_width(tr, e);
    pterm v = value ? hd_pairs_term_const(tr->system->terms, width, *value)
                    : hd_pairs_fresh_input(tr, width);
    hd_pairs_set_reg(tr, p, p->context, hd_code_target(tr->code, e, 0),
                     hd_pairs_number(v));
  }
  p->phase = 0;
  p->loc = e->to;
}

/* Another path, on which the call fails: it returns something else than 0. */
void hd_pairs_fork_failure(ptranslator *tr, const ppath *p, hd_edge_id edge,
                           pterm condition) {
  assert(edge < tr->code->edges.size);
  const hd_cedge *e = &tr->code->edges.data[edge];
  ppath other;
  hd_pairs_path_copy(&other, p);
  hd_pairs_add_guard(tr, &other, condition);
  hd_pairs_go_on(tr, &other, edge, NULL);
  if (e->n_targets == 1) {
    hd_reg_id r = hd_code_target(tr->code, e, 0);
    pvar var = {.owner = OF_FIRST,
                .index = tr->contexts.data[p->context].regs + r};
    hd_pairs_add_guard(
        tr, &other,
        hd_pairs_truth(tr, hd_pairs_read_var(tr, &other, var, false).bits));
  }
  if (!other.ended)
    hd_pairs_follow(tr, &other);
  hd_pairs_path_free(&other);
}

/* --- defined functions --- */

static bool is_recursive(const ptranslator *tr, uint32_t context,
                         hd_func_id func) {
  assert(context < tr->contexts.size);
  for (uint32_t c = context; c != HD_NO_ID; c = tr->contexts.data[c].parent)
    if (tr->contexts.data[c].func == func)
      return true;
  return false;
}

static void enter(ptranslator *tr, ppath *p, hd_edge_id edge, hd_func_id func) {
  assert(edge < tr->code->edges.size);
  assert(func < tr->code->funcs.size);
  const hd_cedge *e = &tr->code->edges.data[edge];
  const hd_func *f = &tr->code->funcs.data[func];
  if (is_recursive(tr, p->context, func)) {
    hd_pairs_refuse(tr, edge, "%s: recursion", f->name);
    return;
  }
  if (f->variadic || n_args(e) < f->n_params) {
    hd_pairs_refuse(tr, edge, "%s: a call with other arguments than it has",
                    f->name);
    return;
  }
  uint32_t inner = hd_pairs_context_of(tr, p->context, edge, func,
                                       tr->contexts.data[p->context].kind);
  pvalue args[16];
  if (f->n_params > 16) {
    hd_pairs_refuse(tr, edge, "%s: more than 16 parameters", f->name);
    return;
  }
  for (uint32_t i = 0; i < f->n_params; i++)
    args[i] = hd_pairs_arg(tr, p, edge, i);
  for (uint32_t i = 0; i < f->n_params; i++) {
    uint8_t width = tr->code->regs.data[f->regs + i].type.width;
    if (args[i].object == HD_NO_ID &&
        hd_pairs_node_of(tr->system->terms, args[i].bits)->width != width)
      args[i] = hd_pairs_number(hd_pairs_fresh_input(tr, width));
    hd_pairs_set_reg(tr, p, inner, i, args[i]);
  }
  hd_pairs_forget_frame(tr, p, inner);
  p->context = inner;
  p->loc = f->entry;
  p->atomic += hd_func_is_section(f);
}

/* --- threads --- */

static void do_create(ptranslator *tr, ppath *p, hd_edge_id edge,
                      hd_library_fn fn) {
  assert(hd_library_arg_at(fn, HD_ARG_CALL) > 0);
  uint32_t at = (uint32_t)hd_library_arg_at(fn, HD_ARG_CALL);
  uint64_t zero = 0;
  pvalue id = hd_pairs_arg(tr, p, edge, 0),
         routine = hd_pairs_arg(tr, p, edge, at);
  pvalue given = hd_pairs_arg(tr, p, edge, at + 1);
  if (tr->refused)
    return;
  if (routine.object == HD_NO_ID ||
      tr->objects.data[routine.object].sort != IS_FUNC ||
      !tr->code->funcs.data[tr->objects.data[routine.object].id].defined) {
    hd_pairs_refuse(tr, edge, "a thread whose start routine is not known");
    return;
  }
  if (p->creates != HD_NO_ID) {
    hd_pairs_refuse(tr, edge, "two threads are created in one atomic section");
    return;
  }
  uint8_t width = tr->code->pointer_width;
  const pcell *cell = hd_pairs_find_cell(tr, p, edge, id, width, false);
  if (cell) {
    pvar var = {.owner = cell->shared ? OF_ALL : OF_FIRST, .index = cell->var};
    hd_pairs_write_var(tr, p, var,
                       hd_pairs_number(hd_pairs_fresh_input(tr, width)));
  }
  hd_func_id func = tr->objects.data[routine.object].id;
  p->creates = hd_pairs_kind_of(tr, func);
  assert(p->creates > 0); /* main is not created */
  hd_pairs_handle_created(tr, p, edge, id, p->creates);
  if (tr->code->funcs.data[func].n_params > 0) {
    if (given.object != HD_NO_ID) {
      hd_pairs_let_escape(tr, given.object);
      if (!hd_pairs_is_public(tr, given.object))
        given = hd_pairs_number(hd_pairs_fresh_input(tr, width));
    }
    /* Written as if by the path, to note addresses; then it is the new one's. */
    ppath new = {.context = p->context};
    uint32_t context = tr->system->kinds.data[p->creates].context;
    const hd_func *start = &tr->code->funcs.data[func];
    if (tr->code->regs.data[start->regs].type.width != width) {
      width = tr->code->regs.data[start->regs].type.width;
      given = hd_pairs_number(hd_pairs_fresh_input(tr, width));
    }
    hd_pairs_set_reg(tr, &new, context, 0, given);
    pvar var = {.owner = OF_FIRST, .index = tr->contexts.data[context].regs};
    pterm bits = hd_pairs_stored(tr, var, given, width);
    hd_vec_push(&p->begins, ((passign){.var = var, .term = bits}));
    hd_vec_free(&new.store);
  }
  hd_pairs_go_on(tr, p, edge, &zero);
}

static void end_thread(ptranslator *tr, ppath *p) {
  assert(!p->ended && p->context != HD_NO_ID);
  p->context = HD_NO_ID;
  hd_pairs_finish(tr, p);
  p->ended = true;
}

static void do_join(ptranslator *tr, ppath *p, hd_edge_id edge,
                    hd_library_fn fn) {
  uint64_t zero = 0, k;
  pvalue into = hd_pairs_arg(tr, p, edge, 1);
  if (p->atomic)
    hd_pairs_refuse(tr, edge, "a thread may wait in an atomic section");
  if (into.object != HD_NO_ID ||
      !hd_pairs_term_is_const(tr->system->terms, into.bits, &k) || k)
    hd_pairs_refuse(tr, edge, "%s: the result of a thread",
                    hd_library_name(fn));
  hd_pairs_handle_joined(tr, p, edge);
  if (!p->ended)
    hd_pairs_go_on(tr, p, edge, &zero);
}

/* --- the rest --- */

/* Is the argument not 0? Of addresses that is not known. */
static pterm is_set(ptranslator *tr, ppath *p, hd_edge_id edge) {
  pvalue v = hd_pairs_arg(tr, p, edge, 0);
  return v.object == HD_NO_ID ? hd_pairs_truth(tr, v.bits)
                              : hd_pairs_fresh_input(tr, 1);
}

static void do_assume(ptranslator *tr, ppath *p, hd_edge_id edge) {
  pterm holds = is_set(tr, p, edge);
  uint64_t k;
  /* Others see what was written before, also when it does not hold. */
  if (p->wrote && !p->atomic &&
      !(hd_pairs_term_is_const(tr->system->terms, holds, &k) && k)) {
    hd_pairs_finish(tr, p);
    p->ended = true;
    return;
  }
  hd_pairs_add_guard(tr, p, holds);
  hd_pairs_go_on(tr, p, edge, NULL);
}

static void do_fail(ptranslator *tr, ppath *p, hd_edge_id edge,
                    const char *what) {
  hd_pairs_demand(tr, p, edge, hd_pairs_term_const(tr->system->terms, 1, 0),
                  what);
}

/* No effect but what it returns, which is anything. Addresses are not given to
 * it, except to text that is printed. */
static void do_nothing(ptranslator *tr, ppath *p, hd_edge_id edge,
                       hd_library_fn fn) {
  assert(edge < tr->code->edges.size);
  const hd_cedge *e = &tr->code->edges.data[edge];
  bool text = hd_library_arg(fn, 0) == HD_ARG_READ;
  for (uint32_t i = text; i < n_args(e); i++) {
    const hd_cexpr *x =
        &tr->code->exprs.data[hd_code_operand(tr->code, e, 1 + i)];
    pvalue v = hd_pairs_arg(tr, p, edge, i);
    uint64_t k;
    bool null = v.object == HD_NO_ID &&
                hd_pairs_term_is_const(tr->system->terms, v.bits, &k) && !k;
    if (v.object != HD_NO_ID || (x->type.kind == HD_TYPE_PTR && !null))
      hd_pairs_refuse(tr, edge, "%s: an address is given to it",
                      hd_library_name(fn));
  }
  hd_pairs_go_on(tr, p, edge, NULL);
}

static void do_atomic(ptranslator *tr, ppath *p, hd_edge_id edge, bool begins) {
  if (!begins && !p->atomic)
    hd_pairs_refuse(tr, edge,
                    "the end of an atomic section that has no beginning");
  assert(begins || p->atomic || tr->refused);
  p->atomic = begins ? p->atomic + 1 : p->atomic - 1;
  hd_pairs_go_on(tr, p, edge, NULL);
}

/* A variable begins or ends to live: what it contains is anything. */
static void do_lifetime(ptranslator *tr, ppath *p, hd_edge_id edge) {
  assert(edge < tr->code->edges.size);
  uint32_t last = n_args(&tr->code->edges.data[edge]) - 1;
  pvalue address = hd_pairs_arg(tr, p, edge, last);
  if (!tr->refused && address.object != HD_NO_ID &&
      tr->objects.data[address.object].sort == IS_SLOT &&
      !tr->objects.data[address.object].escaped)
    hd_pairs_forget_object(tr, p, address.object);
  else
    hd_pairs_refuse(tr, edge, "the lifetime of something else");
  hd_pairs_go_on(tr, p, edge, NULL);
}

static void refuse_call(ptranslator *tr, hd_edge_id edge, const char *name) {
  hd_pairs_refuse(tr, edge, "%s: a function that is not followed here", name);
}

static void do_place(ptranslator *tr, ppath *p, hd_edge_id edge,
                     hd_library_fn fn, const char *name) {
  uint64_t zero = 0;
  hd_library_kind kind = hd_library_kind_of(fn);
  if (kind == HD_LIBRARY_MUTEX || kind == HD_LIBRARY_SPIN ||
      kind == HD_LIBRARY_SEM || kind == HD_LIBRARY_RWLOCK)
    hd_pairs_lock(tr, p, edge, fn);
  else if (kind == HD_LIBRARY_COND)
    hd_pairs_go_on(tr, p, edge, &zero); /* it keeps nothing */
  else
    refuse_call(tr, edge, name);
}

static void do_allocate(ptranslator *tr, ppath *p, hd_edge_id edge,
                        hd_library_fn fn, const char *name) {
  if (tr->surroundings->malloc_fails)
    hd_pairs_refuse(tr, edge, "%s, which may fail", name);
  else if (fn == HD_LIB_malloc)
    hd_pairs_allocate(tr, p, edge, hd_pairs_arg(tr, p, edge, 0));
  else if (fn == HD_LIB_calloc)
    hd_pairs_allocate(tr, p, edge,
                      hd_pairs_product(tr, p, edge,
                                       hd_pairs_arg(tr, p, edge, 0),
                                       hd_pairs_arg(tr, p, edge, 1)));
  else
    refuse_call(tr, edge, name);
}

static void do_library(ptranslator *tr, ppath *p, hd_edge_id edge,
                       const char *name) {
  hd_library_fn fn = hd_library_find(name);
  uint64_t zero = 0;
  switch (hd_library_action(fn)) {
  case HD_DO_INPUT:
  case HD_DO_YIELD:
  case HD_DO_SLEEP:
  case HD_DO_CLOCK:
  case HD_DO_SEED:
  case HD_DO_REGION:
    do_nothing(tr, p, edge, fn);
    return;
  case HD_DO_PRINT:
  case HD_DO_WRITE:
    if (fn != HD_LIB_printf && fn != HD_LIB_puts && fn != HD_LIB_putchar)
      break;
    do_nothing(tr, p, edge, fn);
    return;
  case HD_DO_ASSUME:
    do_assume(tr, p, edge);
    return;
  case HD_DO_ASSERT:
    if (tr->surroundings->meetings)
      hd_pairs_add_guard(tr, p, is_set(tr, p, edge));
    else
      hd_pairs_demand(tr, p, edge, is_set(tr, p, edge), "assertion");
    hd_pairs_go_on(tr, p, edge, NULL);
    return;
  case HD_DO_FAIL:
    if (tr->surroundings->meetings)
      p->ended = true;
    else
      do_fail(tr, p, edge, "assertion");
    return;
  case HD_DO_UNREACHABLE:
    do_fail(tr, p, edge, "unreachable code");
    return;
  case HD_DO_ENTER:
  case HD_DO_LEAVE:
    do_atomic(tr, p, edge, hd_library_action(fn) == HD_DO_ENTER);
    return;
  case HD_DO_MAKE:
  case HD_DO_UNMAKE:
  case HD_DO_ACQUIRE:
  case HD_DO_RELEASE:
  case HD_DO_WAKE:
    do_place(tr, p, edge, fn, name);
    return;
  case HD_DO_PARK:
    hd_pairs_wait(tr, p, edge, fn);
    return;
  case HD_DO_SPAWN:
    do_create(tr, p, edge, fn);
    return;
  case HD_DO_JOIN:
    do_join(tr, p, edge, fn);
    return;
  case HD_DO_DETACH:
    hd_pairs_go_on(tr, p, edge, &zero);
    return;
  case HD_DO_END:
  case HD_DO_ABORT:
    p->exits = true;
    end_thread(tr, p);
    return;
  case HD_DO_QUIT:
    if (tr->contexts.data[p->context].kind == 0)
      for (hd_vec_each(const pobject, o, &tr->objects))
        if (o->escaped)
          hd_pairs_refuse(tr, edge,
                          "main ends, and with it a variable that "
                          "other threads know");
    end_thread(tr, p);
    return;
  case HD_DO_ALLOC:
    do_allocate(tr, p, edge, fn, name);
    return;
  case HD_DO_FREE:
    hd_pairs_release(tr, p, edge, hd_pairs_arg(tr, p, edge, 0));
    if (!p->ended)
      hd_pairs_go_on(tr, p, edge, NULL);
    return;
  case HD_DO_STACK:
    if (fn != HD_LIB_llvm_stacksave && fn != HD_LIB_llvm_stackrestore)
      break;
    hd_pairs_go_on(tr, p, edge, NULL);
    return;
  case HD_DO_BIRTH:
  case HD_DO_DEATH:
    do_lifetime(tr, p, edge);
    return;
  case HD_DO_NONE:
  case HD_DO_REFUSED:
  case HD_DO_SELF:
  case HD_DO_SAME:
  case HD_DO_CANCEL:
  case HD_DO_MEND:
  case HD_DO_PEEK:
  case HD_DO_MEET:
  case HD_DO_ONCE:
  case HD_DO_KEY:
  case HD_DO_CLEANUP:
  case HD_DO_RESIZE:
  case HD_DO_COPY:
  case HD_DO_FILL:
  case HD_DO_LOOK:
  case HD_DO_EDIT:
  case HD_DO_PARSE:
  case HD_DO_SORT:
  case HD_DO_COMPUTE:
  case HD_DO_ATOMIC:
  case HD_DO_ATTR_MAKE:
  case HD_DO_ATTR_END:
  case HD_DO_ATTR_SET:
  case HD_DO_ATTR_GET:
  case HD_DO_HOST:
  case HD_DO_JUMP:
  case HD_DO_AT_END:
  case HD_DO_MPI:
    break;
  }
  refuse_call(tr, edge, name);
}

void hd_pairs_do_call(ptranslator *tr, ppath *p, hd_edge_id edge) {
  hd_func_id id = callee(tr, p, edge);
  if (id == HD_NO_ID)
    return;
  const hd_func *f = &tr->code->funcs.data[id];
  if (f->defined)
    enter(tr, p, edge, id);
  else
    do_library(tr, p, edge, f->name);
}
