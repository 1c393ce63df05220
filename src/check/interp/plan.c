/* SPDX-License-Identifier: MIT */
/* Preparing a code graph. An expression is compiled when some edge evaluates it:
 * its nodes in an order in which operands come first, each node once, so that
 * shared parts are computed once. Checks that are off lose their flags here.
 *
 * A slot is *private* when its address is only ever the address of a load or
 * store of its own function (moved by PTRADD, perhaps): it is never kept, passed
 * or compared, so no pointer to it exists and no other thread can get there
 * without leaving another object. Accesses to private slots, and loads of
 * constant objects, are no visible actions. */
#include "check/interp/plan.h"

#include "model/live.h"
#include "model/live_globals.h"
#include "model/reuse.h"
#include "model/sections.h"
#include "check/interp/joins.h"
#include "check/interp/memory.h"

#include <string.h>

/* --- expressions --- */

typedef struct {
  hd_plan *plan;
  uint32_t *place; /* of each expression: temporary + 1, in this program */
  hd_u32s used;    /* expressions with a place */
  uint32_t count;
  uint32_t longest;
  const struct hd_machine *addresses;
} compiler;

static uint8_t kept_flags(const hd_plan *plan, const hd_cexpr *e) {
  if (hd_plan_checks(plan, HD_PROPERTY_OVERFLOW))
    return e->flags;
  return (uint8_t)(e->flags & ~(HD_CODE_NSW | HD_CODE_NUW));
}

static hd_instr leaf(const compiler *c, const hd_cexpr *e) {
  hd_instr instr = {.op = e->op, .width = e->type.width, .value = e->value};
  switch ((hd_code_op)e->op) {
  case HD_CODE_NULL:
    instr.op = HD_CODE_INT;
    instr.value = 0;
    break;
  case HD_CODE_FUNC:
    instr.op = HD_CODE_INT;
    instr.value = hd_ram_func(c->addresses, (hd_func_id)e->value);
    break;
  case HD_CODE_GLOBAL:
    instr.value = c->plan->globals[e->value];
    if (!c->plan->code->globals.data[e->value].thread_local)
      instr.op = HD_CODE_INT;
    break;
  default:
    break;
  }
  return instr;
}

static uint32_t compile_node(compiler *c, hd_cexpr_id id) {
  if (c->place[id])
    return c->place[id] - 1;
  const hd_code *code = c->plan->code;
  const hd_cexpr *e = &code->exprs.data[id];
  int arity = hd_code_op_arity(e->op);
  hd_instr instr;
  if (arity) {
    uint32_t at[3] = {0, 0, 0};
    for (int i = 0; i < arity; i++)
      at[i] = compile_node(c, e->args[i]);
    instr = (hd_instr){.op = e->op,
                       .flags = kept_flags(c->plan, e),
                       .width = e->type.width,
                       .from = code->exprs.data[e->args[0]].type.width,
                       .a = at[0],
                       .b = at[1],
                       .c = at[2]};
  } else {
    instr = leaf(c, e);
  }
  hd_vec_push(&c->plan->instrs, instr);
  hd_vec_push(&c->used, id);
  c->place[id] = ++c->count;
  return c->count - 1;
}

static void compile(compiler *c, hd_cexpr_id id) {
  if (id == HD_NO_ID || c->plan->sequences[id].count)
    return;
  hd_sequence sequence = {.first = (uint32_t)c->plan->instrs.size};
  c->count = 0;
  compile_node(c, id);
  sequence.count = c->count;
  c->plan->sequences[id] = sequence;
  if (c->count > c->longest)
    c->longest = c->count;
  for (hd_vec_each(uint32_t, used, &c->used))
    c->place[*used] = 0;
  hd_vec_clear(&c->used);
}

static void compile_all(hd_plan *plan, const hd_machine *addresses) {
  const hd_code *code = plan->code;
  size_t n = code->exprs.size;
  plan->sequences = hd_calloc(n + 1, sizeof *plan->sequences);
  compiler c = {.plan = plan,
                .place = hd_calloc(n + 1, sizeof *c.place),
                .addresses = addresses};
  for (hd_vec_each(hd_cedge, edge, &code->edges)) {
    compile(&c, edge->guard);
    for (uint32_t i = 0; i < edge->n_operands; i++)
      compile(&c, hd_code_operand(code, edge, i));
  }
  for (hd_vec_each(hd_reloc, reloc, &code->relocs))
    compile(&c, reloc->expr);
  plan->temporaries = hd_calloc((size_t)c.longest + 1, sizeof(uint64_t));
  hd_vec_free(&c.used);
  hd_free(c.place);
}

/* --- what others can see --- */

/* Marks the slots of `slots` that the expression mentions, but for the base of
 * an address when `address` is set. */
static void mention(const hd_code *code, hd_cexpr_id id, bool address,
                    uint8_t *slots) {
  const hd_cexpr *e = &code->exprs.data[id];
  if (e->op == HD_CODE_SLOT) {
    if (!address)
      slots[e->value] = 1;
    return;
  }
  for (int i = 0; i < hd_code_op_arity(e->op); i++)
    mention(code, e->args[i], address && e->op == HD_CODE_PTRADD && i == 0,
            slots);
}

/* The slot or global an address starts from, or NULL. */
static const hd_cexpr *base_of(const hd_code *code, hd_cexpr_id id) {
  const hd_cexpr *e = &code->exprs.data[id];
  while (e->op == HD_CODE_PTRADD)
    e = &code->exprs.data[e->args[0]];
  return e->op == HD_CODE_SLOT || e->op == HD_CODE_GLOBAL ? e : NULL;
}

static bool accesses(const hd_cedge *edge) {
  return edge->act == HD_CODE_LOAD || edge->act == HD_CODE_STORE ||
         edge->act == HD_CODE_RMW || edge->act == HD_CODE_CMPXCHG;
}

/* The library function an edge calls directly, or NONE. */
static hd_library_fn called(const hd_plan *plan, const hd_cedge *edge) {
  if (edge->act != HD_CODE_CALL)
    return HD_LIB_NONE;
  const hd_cexpr *callee =
      &plan->code->exprs.data[hd_code_operand(plan->code, edge, 0)];
  return callee->op == HD_CODE_FUNC ? plan->funcs[callee->value].library
                                    : HD_LIB_NONE;
}

static bool creates(const hd_plan *plan, const hd_cedge *edge) {
  hd_library_fn fn = called(plan, edge);
  return fn == HD_LIB_pthread_create || fn == HD_LIB_thrd_create;
}

/* Does the call access its first arguments and forget them? How many. */
static uint32_t forgets(const hd_plan *plan, const hd_cedge *edge) {
  if (creates(plan, edge))
    return 1;
  if (edge->n_targets)
    return 0; /* it returns one of them */
  switch (called(plan, edge)) {
  case HD_LIB_memcpy:
  case HD_LIB_memmove:
    return 2;
  case HD_LIB_memset:
  case HD_LIB_llvm_lifetime_start:
  case HD_LIB_llvm_lifetime_end:
    return 1;
  default:
    return 0;
  }
}

static void mention_edge(const hd_plan *plan, const hd_cedge *edge,
                         uint8_t *slots) {
  const hd_code *code = plan->code;
  if (edge->guard != HD_NO_ID)
    mention(code, edge->guard, false, slots);
  uint32_t n = forgets(plan, edge);
  for (uint32_t i = 0; i < edge->n_operands; i++)
    mention(code, hd_code_operand(code, edge, i),
            (accesses(edge) && i == 0) || (i > 0 && i <= n), slots);
}

/* Functions that only their caller notices. */
static bool is_private(const hd_plan *plan, hd_library_fn fn) {
  switch (hd_library_kind_of(fn)) {
  case HD_LIBRARY_MATH:
    return true;
  default:
    break;
  }
  switch (fn) {
  case HD_LIB_malloc:
  case HD_LIB_calloc:
    return !plan->options->malloc_fails && !plan->options->reuse &&
           !plan->options->orders;
  case HD_LIB_llvm_stacksave:
  case HD_LIB_llvm_stackrestore:
  case HD_LIB_llvm_lifetime_start:
  case HD_LIB_llvm_lifetime_end:
  case HD_LIB_llvm_va_end:
  case HD_LIB___errno_location:
  case HD_LIB___ctype_b_loc:
  case HD_LIB___ctype_tolower_loc:
  case HD_LIB___ctype_toupper_loc:
  case HD_LIB_pthread_self:
  case HD_LIB_thrd_current:
  case HD_LIB_pthread_equal:
  case HD_LIB_thrd_equal:
  case HD_LIB_abs:
  case HD_LIB_labs:
  case HD_LIB_llabs:
  case HD_LIB_toupper:
  case HD_LIB_tolower:
    return true;
  default:
    return false;
  }
}

/* Is it the address of a slot that is not in `slots`, or (to read) of something
 * constant? */
static bool unreachable(const hd_code *code, hd_cexpr_id address, bool read,
                        const uint8_t *slots) {
  const hd_cexpr *base = base_of(code, address);
  if (!base)
    return false;
  if (base->op == HD_CODE_SLOT)
    return !slots[base->value];
  return read && code->globals.data[base->value].constant;
}

static hd_sight sight_of_call(const hd_plan *plan, const hd_cedge *edge,
                              const uint8_t *slots) {
  const hd_code *code = plan->code;
  uint32_t n = forgets(plan, edge), hidden = 0;
  for (uint32_t i = 1; i <= n && i < edge->n_operands; i++)
    hidden += unreachable(code, hd_code_operand(code, edge, i), i == 2, slots);
  if (creates(plan, edge))
    return hidden ? HD_SIGHT_CREATE : HD_SIGHT_CALL;
  if ((n && hidden == n) || is_private(plan, called(plan, edge)))
    return HD_SIGHT_LOCAL;
  const hd_cexpr *callee = &code->exprs.data[hd_code_operand(code, edge, 0)];
  if (callee->op != HD_CODE_FUNC)
    return HD_SIGHT_POINTER;
  if (!code->funcs.data[callee->value].defined)
    return HD_SIGHT_CALL;
  return plan->funcs[callee->value].atomic ? HD_SIGHT_ATOMIC : HD_SIGHT_LOCAL;
}

static hd_sight sight_of(const hd_plan *plan, const hd_cedge *edge,
                         const uint8_t *slots) {
  const hd_code *code = plan->code;
  if (edge->act == HD_CODE_CALL)
    return sight_of_call(plan, edge, slots);
  if (edge->act == HD_CODE_FENCE)
    return HD_SIGHT_MEMORY;
  if (!accesses(edge))
    return HD_SIGHT_LOCAL;
  return unreachable(code, hd_code_operand(code, edge, 0),
                     edge->act == HD_CODE_LOAD, slots)
             ? HD_SIGHT_LOCAL
             : HD_SIGHT_MEMORY;
}

static void find_sights(hd_plan *plan) {
  const hd_code *code = plan->code;
  plan->sights = hd_calloc(code->edges.size + 1, 1);
  for (hd_vec_each(hd_func, func, &code->funcs)) {
    if (!func->defined || !func->n_locs)
      continue;
    uint8_t *slots = hd_calloc((size_t)func->n_slots + 1, 1);
    uint32_t first = code->out_start[func->locs],
             last = code->out_start[func->locs + func->n_locs];
    for (uint32_t i = first; i < last; i++)
      mention_edge(plan, &code->edges.data[code->out[i]], slots);
    for (uint32_t i = first; i < last; i++)
      plan->sights[code->out[i]] =
          (uint8_t)sight_of(plan, &code->edges.data[code->out[i]], slots);
    hd_free(slots);
  }
}

static bool starts_with(const char *text, const char *start) {
  return strncmp(text, start, strlen(start)) == 0;
}

static void find_functions(hd_plan *plan) {
  const hd_code *code = plan->code;
  plan->funcs = hd_calloc(code->funcs.size + 1, sizeof *plan->funcs);
  for (size_t f = 0; f < code->funcs.size; f++) {
    const hd_func *func = &code->funcs.data[f];
    hd_plan_func *out = &plan->funcs[f];
    if (!func->defined) {
      out->library = hd_library_find(func->name);
      plan->teams |= out->library == HD_LIB_openmp_region;
      plan->asks_ctype |= out->library == HD_LIB___ctype_b_loc ||
                          out->library == HD_LIB___ctype_tolower_loc ||
                          out->library == HD_LIB___ctype_toupper_loc;
      continue;
    }
    out->atomic = starts_with(func->name, "__VERIFIER_atomic_");
    out->error = strcmp(func->name, "reach_error") == 0 ||
                 strcmp(func->name, "__VERIFIER_error") == 0;
  }
}

static void place_globals(hd_plan *plan) {
  const hd_code *code = plan->code;
  plan->globals = hd_calloc(code->globals.size + 1, sizeof *plan->globals);
  for (uint32_t g = 0; g < code->globals.size; g++) {
    if (code->globals.data[g].thread_local) {
      plan->globals[g] = plan->tls.size;
      hd_vec_push(&plan->tls, g);
    } else {
      plan->globals[g] = hd_ram_global_base(plan, g);
    }
  }
}

hd_plan *hd_plan_new(const hd_code *code, const hd_machine_options *options) {
  hd_plan *plan = hd_calloc(1, sizeof *plan);
  plan->refs = 1;
  plan->code = code;
  plan->options = options;
  plan->wide = code->pointer_width == 64;
  struct hd_machine addresses = {.plan = plan};
  place_globals(plan);
  find_functions(plan);
  find_sights(plan);
  compile_all(plan, &addresses);
  for (hd_vec_each(const hd_cexpr, e, &code->exprs))
    plan->numbers = plan->numbers || e->op == HD_CODE_PTRTOINT;
  plan->ids = hd_code_compares_ids(code) != HD_NO_ID;
  if (options->nameless && !plan->ids)
    plan->joins = hd_joins_find(plan);
  if (options->footprints)
    plan->inner = hd_code_inner_globals(code);
  return plan;
}

hd_plan *hd_plan_keep(hd_plan *plan) {
  plan->refs++;
  return plan;
}

void hd_plan_drop(hd_plan *plan) {
  if (--plan->refs)
    return;
  hd_vec_free(&plan->instrs);
  hd_free(plan->sequences);
  hd_free(plan->sights);
  hd_free(plan->signs);
  hd_free(plan->funcs);
  hd_free(plan->globals);
  hd_vec_free(&plan->tls);
  hd_free(plan->temporaries);
  hd_live_delete(plan->live);
  hd_live_globals_delete(plan->live_globals);
  hd_free(plan->live_set);
  hd_free(plan->inner);
  hd_free(plan->fates);
  hd_vec_free(&plan->touched);
  hd_joins_delete(plan->joins);
  hd_free(plan);
}
