/* SPDX-License-Identifier: MIT */
#include "check/interp/joins.h"

#include "check/interp/state.h"

typedef struct {
  const hd_plan *plan;
  const hd_code *code;
  const hd_func *main;
  hd_joins *joins;
  uint8_t *handles; /* registers of main that a handle is read into */
  /* Of each register of main the edge that allocates what it always has the
   * address of; HD_NO_ID = it is set otherwise. */
  hd_edge_id *makers;
  bool refused;
} finder;

static bool creates(hd_library_fn fn) {
  return fn == HD_LIB_pthread_create || fn == HD_LIB_thrd_create;
}

static bool is_join(hd_library_fn fn) {
  return fn == HD_LIB_pthread_join || fn == HD_LIB_thrd_join;
}

/* Gives or asks for a thread's number otherwise. */
static bool names_threads(hd_library_fn fn) {
  return hd_library_kind_of(fn) == HD_LIBRARY_THREAD && !creates(fn) &&
         !is_join(fn) && fn != HD_LIB_pthread_exit && fn != HD_LIB_thrd_exit;
}

static hd_library_fn called(const finder *f, const hd_cedge *e) {
  if (e->act != HD_CODE_CALL)
    return HD_LIB_NONE;
  const hd_cexpr *callee = &f->code->exprs.data[hd_code_operand(f->code, e, 0)];
  return callee->op == HD_CODE_FUNC ? f->plan->funcs[callee->value].library
                                    : HD_LIB_NONE;
}

static hd_cexpr_id operand(const finder *f, const hd_cedge *e, uint32_t i) {
  return i < e->n_operands ? hd_code_operand(f->code, e, i) : HD_NO_ID;
}

static bool in_main(const finder *f, const hd_cedge *e) {
  return f->code->locs.data[e->from].func == f->code->main;
}

/* The mark of the slot of main or global that an address starts from, or NULL. */
static uint8_t *mark_of(const finder *f, hd_cexpr_id id, bool main) {
  const hd_cexpr *e = &f->code->exprs.data[id];
  while (e->op == HD_CODE_PTRADD)
    e = &f->code->exprs.data[e->args[0]];
  if (e->op == HD_CODE_SLOT && main)
    return &f->joins->slots[f->main->slots + e->value];
  if (e->op == HD_CODE_GLOBAL && !f->code->globals.data[e->value].thread_local)
    return &f->joins->globals[e->value];
  if (e->op == HD_CODE_REG && main && f->makers[e->value] != HD_NO_ID)
    return &f->joins->blocks[f->makers[e->value]];
  return NULL;
}

static bool allocates(const finder *f, const hd_cedge *e) {
  hd_library_fn fn = called(f, e);
  return e->act == HD_CODE_ALLOCA || fn == HD_LIB_malloc || fn == HD_LIB_calloc;
}

/* Registers of main that are set once, by an allocation. */
static void find_makers(finder *f) {
  uint8_t *sets = hd_calloc((size_t)f->main->n_regs + 1, 1);
  for (uint32_t r = 0; r < f->main->n_regs; r++)
    f->makers[r] = HD_NO_ID;
  for (hd_vec_each(const hd_cedge, e, &f->code->edges))
    for (uint32_t i = 0; i < e->n_targets && in_main(f, e); i++) {
      hd_reg_id reg = hd_code_target(f->code, e, i);
      bool first = !sets[reg];
      sets[reg] = 1;
      f->makers[reg] = first && allocates(f, e)
                           ? (hd_edge_id)(e - f->code->edges.data)
                           : HD_NO_ID;
    }
  hd_free(sets);
}

/* Variables that threads are made into. */
static void find_variables(finder *f) {
  for (hd_vec_each(const hd_cedge, e, &f->code->edges)) {
    hd_library_fn fn = called(f, e);
    f->refused = f->refused || names_threads(fn) ||
                 ((creates(fn) || is_join(fn)) && !in_main(f, e));
    if (!creates(fn) || f->refused)
      continue;
    uint8_t *mark = mark_of(f, operand(f, e, 1), true);
    if (mark)
      *mark = 1;
    else
      f->refused = true;
  }
}

/* Is a marked variable, or a function of threads, mentioned? As the base of an
 * address, with `address`, a variable may be. */
static bool mentions(const finder *f, hd_cexpr_id id, bool main, bool address) {
  const hd_cexpr *e = &f->code->exprs.data[id];
  switch ((hd_code_op)e->op) {
  case HD_CODE_SLOT:
    return main && !address && f->joins->slots[f->main->slots + e->value];
  case HD_CODE_GLOBAL:
    return !address && f->joins->globals[e->value];
  case HD_CODE_REG:
    return main && !address && f->makers[e->value] != HD_NO_ID &&
           f->joins->blocks[f->makers[e->value]];
  case HD_CODE_FUNC:
    return hd_library_kind_of(f->plan->funcs[e->value].library) ==
           HD_LIBRARY_THREAD;
  default:
    break;
  }
  for (int i = 0; i < hd_code_op_arity(e->op); i++)
    if (mentions(f, e->args[i], main,
                 address && e->op == HD_CODE_PTRADD && i == 0))
      return true;
  return false;
}

static bool is_zero(const finder *f, hd_cexpr_id id) {
  const hd_cexpr *e = &f->code->exprs.data[id];
  return e->op == HD_CODE_NULL || (e->op == HD_CODE_INT && !e->value);
}

/* The operand that may be the address of a variable with handles: where a thread
 * is made, a handle read, or zeroes written. */
static uint32_t place_operand(const finder *f, const hd_cedge *e) {
  if (!in_main(f, e))
    return HD_NO_ID;
  hd_library_fn fn = called(f, e);
  if (creates(fn) || fn == HD_LIB_llvm_lifetime_start ||
      fn == HD_LIB_llvm_lifetime_end ||
      (fn == HD_LIB_memset && !e->n_targets && is_zero(f, operand(f, e, 2))))
    return 1;
  return e->act == HD_CODE_LOAD ||
                 (e->act == HD_CODE_STORE && is_zero(f, operand(f, e, 1)))
             ? 0
             : HD_NO_ID;
}

/* Is it only asked whether there is a block? */
static bool compares_null(const finder *f, hd_cexpr_id id) {
  const hd_cexpr *e = &f->code->exprs.data[id];
  return (e->op == HD_CODE_EQ || e->op == HD_CODE_NE) &&
         f->code->exprs.data[e->args[0]].op == HD_CODE_REG &&
         is_zero(f, e->args[1]);
}

static bool frees(const finder *f, const hd_cedge *e) {
  return called(f, e) == HD_LIB_free &&
         f->code->exprs.data[operand(f, e, 1)].op == HD_CODE_REG;
}

static void look_at_uses(finder *f, const hd_cedge *e) {
  bool main = in_main(f, e);
  uint32_t place = place_operand(f, e);
  if (e->guard != HD_NO_ID && !compares_null(f, e->guard) &&
      mentions(f, e->guard, main, false))
    f->refused = true;
  for (uint32_t i = 0; i < e->n_operands; i++) {
    bool callee = e->act == HD_CODE_CALL && i == 0;
    hd_cexpr_id id = operand(f, e, i);
    if (callee && f->code->exprs.data[id].op == HD_CODE_FUNC)
      continue;
    if (main && i == 1 && frees(f, e))
      continue;
    if (mentions(f, id, main, i == place))
      f->refused = true;
  }
  uint8_t *mark = e->act == HD_CODE_LOAD && main
                      ? mark_of(f, operand(f, e, 0), true)
                      : NULL;
  if (mark && *mark) {
    hd_reg_id reg = hd_code_target(f->code, e, 0);
    f->handles[reg] = 1;
    f->joins->edges[e - f->code->edges.data] = 1;
    if (f->code->regs.data[f->main->regs + reg].type.width !=
        f->code->pointer_width)
      f->refused = true;
  }
}

static bool reads_handle(const finder *f, hd_cexpr_id id) {
  const hd_cexpr *e = &f->code->exprs.data[id];
  if (e->op == HD_CODE_REG)
    return f->handles[e->value];
  for (int i = 0; i < hd_code_op_arity(e->op); i++)
    if (reads_handle(f, e->args[i]))
      return true;
  return false;
}

/* Handles that were read are joined and no more; whatever is joined is one, and
 * its result is not asked for. */
static void look_at_joins(finder *f, const hd_cedge *e) {
  bool join = is_join(called(f, e));
  if (!in_main(f, e))
    return;
  if (e->guard != HD_NO_ID && reads_handle(f, e->guard))
    f->refused = true;
  for (uint32_t i = 0; i < e->n_operands; i++)
    if (!(join && i == 1) && reads_handle(f, operand(f, e, i)))
      f->refused = true;
  if (!join)
    return;
  const hd_cexpr *handle = &f->code->exprs.data[operand(f, e, 1)];
  if (handle->op != HD_CODE_REG || !f->handles[handle->value] ||
      e->n_operands < 3 || !is_zero(f, operand(f, e, 2)))
    f->refused = true;
  f->joins->edges[e - f->code->edges.data] = 1;
}

/* Can others notice what the edge does, or is it not known? */
static bool is_noticed(const finder *f, hd_edge_id edge) {
  const hd_cedge *e = &f->code->edges.data[edge];
  return f->plan->sights[edge] != HD_SIGHT_LOCAL ||
         (e->act == HD_CODE_CALL && called(f, e) == HD_LIB_NONE);
}

/* From where main joins: is there a way to join again behind something that
 * others notice? `seen` has two bits a location: reached without, with that. */
static void look_behind(finder *f, uint8_t *seen, hd_u32s *work) {
  const hd_code *code = f->code;
  while (work->size && !f->refused) {
    uint32_t item = hd_vec_pop(work);
    hd_loc_id loc = item >> 1;
    for (uint32_t i = code->out_start[loc]; i < code->out_start[loc + 1]; i++) {
      hd_edge_id edge = code->out[i];
      bool broken = item & 1;
      if (f->joins->edges[edge] && broken)
        f->refused = true;
      if (!f->joins->edges[edge] && is_noticed(f, edge))
        broken = true;
      hd_loc_id to = code->edges.data[edge].to;
      if (seen[to] >> broken & 1)
        continue;
      seen[to] |= (uint8_t)(1 << broken);
      hd_vec_push(work, to << 1 | broken);
    }
  }
}

static void look_at_order(finder *f) {
  uint8_t *seen = hd_calloc(f->code->locs.size + 1, 1);
  hd_u32s work = {0};
  for (size_t i = 0; i < f->code->edges.size; i++)
    if (f->joins->edges[i]) {
      hd_loc_id to = f->code->edges.data[i].to;
      seen[to] |= 1;
      hd_vec_push(&work, to << 1);
    }
  look_behind(f, seen, &work);
  hd_vec_free(&work);
  hd_free(seen);
}

/* Main runs once: nobody calls it, nobody starts a thread there. */
static bool calls_main(const finder *f) {
  for (hd_vec_each(const hd_cexpr, e, &f->code->exprs))
    if (e->op == HD_CODE_FUNC && e->value == f->code->main)
      return true;
  return false;
}

hd_joins *hd_joins_find(const hd_plan *plan) {
  const hd_code *code = plan->code;
  if (code->main == HD_NO_ID || !code->funcs.data[code->main].defined)
    return NULL;
  finder f = {.plan = plan,
              .code = code,
              .main = &code->funcs.data[code->main],
              .joins = hd_calloc(1, sizeof *f.joins)};
  f.joins->slots = hd_calloc(code->slots.size + 1, 1);
  f.joins->globals = hd_calloc(code->globals.size + 1, 1);
  f.joins->edges = hd_calloc(code->edges.size + 1, 1);
  f.joins->blocks = hd_calloc(code->edges.size + 1, 1);
  f.handles = hd_calloc((size_t)f.main->n_regs + 1, 1);
  f.makers = hd_calloc((size_t)f.main->n_regs + 1, sizeof *f.makers);
  f.refused = calls_main(&f);
  find_makers(&f);
  find_variables(&f);
  for (hd_vec_each(const hd_cedge, e, &code->edges))
    if (!f.refused)
      look_at_uses(&f, e);
  for (hd_vec_each(const hd_reloc, r, &code->relocs))
    f.refused = f.refused || mentions(&f, r->expr, false, false);
  for (hd_vec_each(const hd_cedge, e, &code->edges))
    if (!f.refused)
      look_at_joins(&f, e);
  if (!f.refused)
    look_at_order(&f);
  hd_free(f.handles);
  hd_free(f.makers);
  if (f.refused) {
    hd_joins_delete(f.joins);
    return NULL;
  }
  return f.joins;
}

void hd_joins_delete(hd_joins *joins) {
  if (!joins)
    return;
  hd_free(joins->slots);
  hd_free(joins->globals);
  hd_free(joins->edges);
  hd_free(joins->blocks);
  hd_free(joins);
}

/* --- in a run --- */

bool hd_joins_at(const hd_machine *m) {
  const hd_joins *joins = m->plan->joins;
  const hd_thread *main = hd_thread_of(m, 0);
  return joins && !main->ended && main->wait == HD_WAIT_NONE &&
         main->next != HD_NO_ID && joins->edges[main->next];
}

/* Main is run as if everybody had ended. */
bool hd_joins_all(const hd_machine *m) {
  hd_machine *copy = hd_machine_copy(m);
  for (hd_tid i = 1; i < copy->threads.size; i++) {
    hd_thread *t = hd_thread_own(copy, i);
    t->ended = true;
    t->wait = HD_WAIT_NONE;
  }
  copy->atomic = HD_NO_ID;
  copy->joining = true; /* not again in here */
  while (hd_machine_runs(copy) && hd_joins_at(copy))
    hd_machine_move(copy, (hd_turn){.thread = 0});
  bool all = copy->status != HD_MACHINE_FAILED &&
             copy->status != HD_MACHINE_UNSUPPORTED &&
             copy->status != HD_MACHINE_DIVERGED;
  for (hd_tid i = 1; i < copy->threads.size; i++)
    all = all &&
          (hd_thread_of(copy, i)->detached || hd_thread_of(copy, i)->joined);
  hd_machine_delete(copy);
  return all;
}
