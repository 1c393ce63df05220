/* SPDX-License-Identifier: MIT */
#include "model/unordered.h"

#include <assert.h>
#include <string.h>

/* What is used, as a bit for each place: global variables, the slots of the function
 * at hand, what its parameters point to (one bit each; the last: all behind them),
 * and five more. A call has the effects of the function, with the arguments in the
 * place of the parameters; slots that it had are gone behind it. */
enum { PARAMS = 8, SOME = 4 };
enum { HEAP, ANY, HIDDEN, SEEN, SPECIAL };

/* Where an address leads to; `any`: who knows. */
typedef struct {
  uint32_t places[SOME];
  uint8_t n;
  bool any;
} leads;

/* What stores a value, and the next that does. */
typedef struct {
  hd_edge_id edge;
  uint32_t next;
} store;

typedef struct {
  const hd_code *code;
  bool looks; /* what two threads see in another order counts, too */
  size_t slots, params, special, n; /* where these begin; bits */
  bool *reads, *writes;             /* n for each function, and for two edges */
  bool *out;              /* globals, then slots, whose address is handed out */
  leads *to;              /* of each register */
  uint32_t *first, *next; /* of a register: what sets it, as targets of edges */
  hd_edge_id *edge_of;    /* of a target */
  uint32_t *stored; /* of a register: what stores it, as a number in `stores` */
  hd_vec(store) stores;
} effects;

static hd_cexpr_id operand(const hd_code *code, const hd_cedge *e, uint32_t i) {
  assert(i < e->n_operands);
  return hd_code_operand(code, e, i);
}

static bool is_access(const hd_cedge *e) {
  return e->act == HD_CODE_LOAD || e->act == HD_CODE_STORE ||
         e->act == HD_CODE_RMW || e->act == HD_CODE_CMPXCHG;
}

static const hd_func *func_of(const hd_code *code, const hd_cedge *e) {
  return &code->funcs.data[code->locs.data[e->from].func];
}

static bool is_one_of(const char *name, const char *names) {
  size_t n = strlen(name);
  for (const char *at = names; (at = strstr(at, name)) != NULL; at += n)
    if ((at == names || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
      return true;
  return false;
}

/* The name of a function that is called and defined nowhere, or NULL. */
static const char *library_name(const hd_code *code, const hd_cedge *e) {
  const hd_cexpr *callee = &code->exprs.data[operand(code, e, 0)];
  return callee->op == HD_CODE_FUNC && !code->funcs.data[callee->value].defined
             ? code->funcs.data[callee->value].name
             : NULL;
}

/* --- addresses that are handed out --- */

static void hand_out(effects *x, const hd_func *f, hd_cexpr_id id) {
  const hd_cexpr *e = &x->code->exprs.data[id];
  if (e->op == HD_CODE_GLOBAL)
    x->out[e->value] = true;
  if (e->op == HD_CODE_SLOT)
    x->out[x->code->globals.size + f->slots + e->value] = true;
  for (int i = 0; i < hd_code_op_arity(e->op); i++)
    hand_out(x, f, e->args[i]);
}

/* Of an address that is used here only the indices. */
static void hand_out_indices(effects *x, const hd_func *f, hd_cexpr_id id) {
  const hd_cexpr *e = &x->code->exprs.data[id];
  for (; e->op == HD_CODE_PTRADD; e = &x->code->exprs.data[e->args[0]])
    hand_out(x, f, e->args[1]);
  if (e->op != HD_CODE_GLOBAL && e->op != HD_CODE_SLOT)
    hand_out(x, f, (hd_cexpr_id)(e - x->code->exprs.data));
}

static void find_handed_out(effects *x) {
  const hd_code *code = x->code;
  for (hd_vec_each(const hd_reloc, r, &code->relocs))
    hand_out(x, code->funcs.data, r->expr);
  for (hd_vec_each(const hd_cedge, e, &code->edges)) {
    const hd_func *f = func_of(code, e);
    if (e->guard != HD_NO_ID)
      hand_out(x, f, e->guard);
    for (uint32_t i = 0; i < e->n_operands; i++) {
      if (!i && is_access(e))
        hand_out_indices(x, f, operand(code, e, i));
      else
        hand_out(x, f, operand(code, e, i));
    }
  }
}

/* --- where addresses lead to --- */

/* Variables of models are theirs. */
static bool counts(const effects *x, size_t global) {
  return x->code->globals.data[global].pos.file != HD_NO_ID;
}

static bool lead(leads *to, size_t place) {
  for (uint8_t i = 0; i < to->n; i++)
    if (to->places[i] == place)
      return false;
  bool more = !to->any;
  if (to->n == SOME)
    to->any = true;
  else
    to->places[to->n++] = (uint32_t)place;
  return more;
}

static bool lead_all(leads *to, const leads *from) {
  bool more = from->any && !to->any;
  to->any = to->any || from->any;
  for (uint8_t i = 0; i < from->n && !to->any; i++)
    more = lead(to, from->places[i]) || more;
  return more;
}

static leads leads_of(const effects *x, const hd_func *f, hd_cexpr_id id) {
  const hd_cexpr *e = &x->code->exprs.data[id];
  leads to = {.any = false}, other;
  switch (e->op) {
  case HD_CODE_PTRADD:
    return leads_of(x, f, e->args[0]);
  case HD_CODE_SELECT:
    to = leads_of(x, f, e->args[1]);
    other = leads_of(x, f, e->args[2]);
    lead_all(&to, &other);
    return to;
  case HD_CODE_GLOBAL:
    if (counts(x, e->value))
      lead(&to, e->value);
    return to;
  case HD_CODE_SLOT:
    lead(&to, x->slots + e->value);
    return to;
  case HD_CODE_REG:
    return x->to[f->regs + e->value];
  case HD_CODE_NULL:
  case HD_CODE_FUNC:
  case HD_CODE_INT:
    return to;
  default:
    to.any = true;
    return to;
  }
}

/* What a call gives. */
static leads given(const effects *x, const hd_cedge *e) {
  const char *name = library_name(x->code, e);
  leads to = {.any = false};
  if (name && is_one_of(name, "malloc calloc aligned_alloc strdup strndup"))
    lead(&to, x->special + HEAP);
  else if (name && is_one_of(name, "__errno_location"))
    lead(&to, x->special + HIDDEN);
  else
    to.any = true;
  return to;
}

static bool set_leads(effects *x, const hd_cedge *e) {
  const hd_func *f = func_of(x->code, e);
  bool more = false;
  for (uint32_t i = 0; i < e->n_targets; i++) {
    hd_reg_id r = hd_code_target(x->code, e, i);
    if (x->code->regs.data[f->regs + r].type.kind != HD_TYPE_PTR)
      continue;
    leads to = e->act == HD_CODE_STEP   ? leads_of(x, f, operand(x->code, e, i))
               : e->act == HD_CODE_CALL ? given(x, e)
                                        : (leads){.any = true};
    more = lead_all(&x->to[f->regs + r], &to) || more;
  }
  return more;
}

static void find_leads(effects *x) {
  for (hd_vec_each(const hd_func, f, &x->code->funcs))
    for (uint32_t i = 0; f->defined && i < f->n_params; i++)
      lead(&x->to[f->regs + i],
           x->params + (i < PARAMS ? i : (uint32_t)PARAMS - 1));
  for (bool more = true; more;) {
    more = false;
    for (hd_vec_each(const hd_cedge, e, &x->code->edges))
      more = set_leads(x, e) || more;
  }
}

/* --- what is used --- */

static bool mark(bool *set, size_t bit) {
  bool fresh = !set[bit];
  set[bit] = true;
  return fresh;
}

static bool mark_leads(const effects *x, const leads *to, bool *set) {
  bool more = to->any && mark(set, x->special + ANY);
  for (uint8_t i = 0; i < to->n; i++)
    more = mark(set, to->places[i]) || more;
  return more;
}

static bool use_address(const effects *x, const hd_func *f, hd_cexpr_id address,
                        bool *set) {
  leads to = leads_of(x, f, address);
  return mark_leads(x, &to, set);
}

/* Does it order what threads do, or depend on it? */
static bool is_sync(const char *name) {
  static const char *const begin[] = {"pthread_", "mtx_", "cnd_",
                                      "thrd_",    "sem_", "call_once"};
  for (size_t i = 0; i < sizeof begin / sizeof *begin; i++)
    if (strncmp(name, begin[i], strlen(begin[i])) == 0)
      return !is_one_of(name, "pthread_self pthread_equal thrd_current "
                              "thrd_equal");
  return false;
}

static bool add_effects(effects *x, const hd_func *f, const hd_cedge *e,
                        size_t g, bool any, bool *reads, bool *writes);

/* A function of the library uses what it is given an address of, calls what it is
 * given, and may set errno. */
static bool use_library(effects *x, const hd_func *f, const hd_cedge *e,
                        const char *name, bool *reads, bool *writes) {
  static const char only_read[] =
      "strlen strcmp strncmp memcmp strchr strrchr strstr strnlen strspn "
      "strcspn strcasecmp strncasecmp memchr atoi atol atoll atof printf puts";
  bool read = is_one_of(name, only_read);
  bool copies = is_one_of(name, "strdup strndup"); /* to memory of its own */
  bool more = is_sync(name) && mark(reads, x->special + SEEN);
  if (!read && !is_one_of(name, "memset memcpy memmove abs labs free "
                                "__errno_location"))
    more = mark(writes, x->special + HIDDEN) || more;
  for (uint32_t i = 1; i < e->n_operands; i++) {
    hd_cexpr_id id = operand(x->code, e, i);
    const hd_cexpr *arg = &x->code->exprs.data[id];
    if (arg->type.kind != HD_TYPE_PTR || arg->op == HD_CODE_NULL)
      continue;
    if (arg->op == HD_CODE_FUNC && x->code->funcs.data[arg->value].defined)
      more = add_effects(x, f, e, arg->value, true, reads, writes) || more;
    more = use_address(x, f, id, reads) || more;
    if (!read && !copies)
      more = use_address(x, f, id, writes) || more;
  }
  return more;
}

/* What function `g` uses, called by this edge; `any`: with arguments that nobody
 * knows. */
static bool add_used(const effects *x, const hd_func *f, const hd_cedge *e,
                     const bool *used, bool any, bool *set) {
  static const leads nobody = {.any = true};
  bool more = false;
  for (size_t i = 0; i < x->n; i++) {
    if (!used[i] || (i >= x->slots && i < x->params))
      continue;
    if (i < x->params || i >= x->special) {
      more = mark(set, i) || more;
      continue;
    }
    size_t param = i - x->params;
    if (any || param == PARAMS - 1)
      more = mark_leads(x, &nobody, set) || more;
    else if (param + 1 < e->n_operands)
      more = use_address(x, f, operand(x->code, e, (uint32_t)param + 1), set) ||
             more;
  }
  return more;
}

static bool add_effects(effects *x, const hd_func *f, const hd_cedge *e,
                        size_t g, bool any, bool *reads, bool *writes) {
  bool more = add_used(x, f, e, x->reads + g * x->n, any, reads);
  return add_used(x, f, e, x->writes + g * x->n, any, writes) || more;
}

/* Adds what the edge uses. */
static bool use_edge(effects *x, const hd_cedge *e, bool *reads, bool *writes) {
  const hd_code *code = x->code;
  const hd_func *f = func_of(code, e);
  bool more = false;
  if (is_access(e)) {
    if (e->order != HD_ORDER_NONE)
      more = mark(reads, x->special + SEEN);
    if (e->act != HD_CODE_STORE)
      more = use_address(x, f, operand(code, e, 0), reads) || more;
    if (e->act != HD_CODE_LOAD)
      more = use_address(x, f, operand(code, e, 0), writes) || more;
    return more;
  }
  if (e->act != HD_CODE_CALL)
    return false;
  const hd_cexpr *callee = &code->exprs.data[operand(code, e, 0)];
  if (callee->op != HD_CODE_FUNC) { /* one whose address is known */
    for (size_t g = 0; g < code->funcs.size; g++)
      more = add_effects(x, f, e, g, false, reads, writes) || more;
    return more;
  }
  const char *name = library_name(code, e);
  return name ? use_library(x, f, e, name, reads, writes)
              : add_effects(x, f, e, callee->value, false, reads, writes);
}

static void find_effects(effects *x) {
  for (bool more = true; more;) {
    more = false;
    for (hd_vec_each(const hd_cedge, e, &x->code->edges)) {
      size_t f = x->code->locs.data[e->from].func;
      more = use_edge(x, e, x->reads + f * x->n, x->writes + f * x->n) || more;
    }
  }
}

/* --- values that meet --- */

/* Addresses of which nobody knows where they lead, and what they may lead to. */
static bool is_broad(const effects *x, const bool *set) {
  bool broad = set[x->special + HEAP] || set[x->special + ANY];
  for (size_t i = x->params; i < x->special; i++)
    broad = broad || set[i];
  return broad;
}

static bool is_told(const effects *x, const hd_func *f, const bool *set,
                    bool slots) {
  for (size_t i = 0; i < x->code->globals.size; i++)
    if (set[i] && x->out[i])
      return true;
  for (size_t i = 0; slots && i < f->n_slots; i++)
    if (set[x->slots + i] && x->out[x->code->globals.size + f->slots + i])
      return true;
  return false;
}

static bool reaches(const effects *x, const hd_func *f, const bool *a,
                    const bool *b) {
  bool any = a[x->special + ANY], params = false;
  for (size_t i = x->params; i < x->special; i++)
    params = params || a[i];
  return (is_broad(x, a) && is_broad(x, b)) ||
         ((any || params) && is_told(x, f, b, any));
}

static bool share_named(const effects *x, const bool *a, const bool *b) {
  for (size_t i = 0; i < x->params; i++)
    if (a[i] && b[i])
      return true;
  return false;
}

static bool overlap(const effects *x, const hd_func *f, const bool *writes,
                    const bool *other) {
  return share_named(x, writes, other) || reaches(x, f, writes, other) ||
         reaches(x, f, other, writes);
}

/* What a temporary register always is, or HD_NO_ID. */
static hd_cexpr_id meaning(const effects *x, const hd_cedge *e,
                           const hd_cexpr *reg) {
  const hd_func *f = func_of(x->code, e);
  uint32_t at =
      reg->op == HD_CODE_REG && !x->code->regs.data[f->regs + reg->value].cname
          ? x->first[reg->value]
          : HD_NO_ID;
  if (at == HD_NO_ID || x->next[at] != HD_NO_ID)
    return HD_NO_ID;
  const hd_cedge *set = &x->code->edges.data[x->edge_of[at]];
  return set->act == HD_CODE_STEP ? operand(x->code, set, at - set->targets)
                                  : HD_NO_ID;
}

/* base + number; false: the number is not known. */
static bool place_of(const effects *x, const hd_cedge *edge, hd_cexpr_id *base,
                     uint64_t *offset) {
  bool known = true;
  hd_cexpr_id id = operand(x->code, edge, 0);
  *offset = 0;
  for (;;) {
    const hd_cexpr *e = &x->code->exprs.data[id];
    *base = id;
    if (e->op == HD_CODE_PTRADD) {
      const hd_cexpr *more = &x->code->exprs.data[e->args[1]];
      known = known && more->op == HD_CODE_INT;
      *offset += known ? more->value : 0;
      id = e->args[0];
    } else if ((id = meaning(x, edge, e)) == HD_NO_ID) {
      return known;
    }
  }
}

static uint64_t bytes_of(const hd_code *code, const hd_cedge *e) {
  if (e->act == HD_CODE_LOAD)
    return hd_type_bytes(
        code->regs.data[func_of(code, e)->regs + hd_code_target(code, e, 0)]
            .type);
  return hd_type_bytes(code->exprs.data[operand(code, e, 1)].type);
}

/* Two accesses of one object: of other bytes of it? */
static bool are_apart(const effects *x, const hd_cedge *a, const hd_cedge *b) {
  const hd_code *code = x->code;
  hd_cexpr_id base_a, base_b;
  uint64_t from_a, from_b;
  if (!place_of(x, a, &base_a, &from_a) || !place_of(x, b, &base_b, &from_b))
    return false;
  const hd_cexpr *p = &code->exprs.data[base_a], *q = &code->exprs.data[base_b];
  return p->op == q->op && p->value == q->value && !hd_code_op_arity(p->op) &&
         (from_a + bytes_of(code, a) <= from_b ||
          from_b + bytes_of(code, b) <= from_a);
}

/* Where the address that an edge uses begins: a register, a slot … */
static const hd_cexpr *base_of(const effects *x, const hd_cedge *edge) {
  hd_cexpr_id base;
  uint64_t offset;
  (void)place_of(x, edge, &base, &offset);
  return &x->code->exprs.data[base];
}

static bool mentions(const hd_code *code, hd_cexpr_id id, uint64_t reg) {
  const hd_cexpr *e = &code->exprs.data[id];
  bool found = e->op == HD_CODE_REG && e->value == reg;
  for (int i = 0; i < hd_code_op_arity(e->op); i++)
    found = found || mentions(code, e->args[i], reg);
  return found;
}

/* Is the address in the register given to a function, or stored? */
static bool is_given(const effects *x, const hd_func *f, uint64_t reg) {
  const hd_code *code = x->code;
  for (hd_loc_id l = f->locs; l < f->locs + f->n_locs; l++)
    for (uint32_t i = code->out_start[l]; i < code->out_start[l + 1]; i++) {
      const hd_cedge *e = &code->edges.data[code->out[i]];
      for (uint32_t k = is_access(e); k < e->n_operands; k++)
        if (e->act != HD_CODE_STEP && mentions(code, operand(code, e, k), reg))
          return true;
    }
  return false;
}

/* Does a function that the task is given, and nobody else, put an address there? */
static bool is_mapped(const effects *x, const hd_func *f, uint64_t slot) {
  const hd_code *code = x->code;
  for (hd_loc_id l = f->locs; l < f->locs + f->n_locs; l++)
    for (uint32_t i = code->out_start[l]; i < code->out_start[l + 1]; i++) {
      const hd_cedge *e = &code->edges.data[code->out[i]];
      if (e->act != HD_CODE_CALL)
        continue;
      const hd_cexpr *callee = &code->exprs.data[operand(code, e, 0)];
      bool given = callee->op == HD_CODE_REG && callee->value < f->n_params;
      for (uint32_t k = 1; given && k < e->n_operands; k++) {
        const hd_cexpr *arg = &code->exprs.data[operand(code, e, k)];
        if (arg->op == HD_CODE_SLOT && arg->value == slot)
          return true;
      }
    }
  return false;
}

/* The read that gives the address in a register; NULL: something else does. */
static const hd_cedge *read_of(const effects *x, const hd_cexpr *reg) {
  uint32_t at = x->first[reg->value];
  const hd_cedge *e =
      at == HD_NO_ID ? NULL : &x->code->edges.data[x->edge_of[at]];
  return e && e->act == HD_CODE_LOAD ? e : NULL;
}

/* Only of functions that clang makes of a part of another one, for OpenMP: a read of
 * where a variable of that one is, which is none of the program's; or of a task's own
 * copy of one, whose address nobody gets. */
static bool finds_variable(const effects *x, const hd_cedge *e) {
  const hd_code *code = x->code;
  const hd_func *f = func_of(code, e);
  bool task = strstr(f->name, "omp_task_entry") ||
              !strncmp(f->name, ".omp_outlined.", 14);
  if (e->act != HD_CODE_LOAD || (!task && !strstr(f->name, "omp_outlined")))
    return false;
  bool address =
      code->regs.data[f->regs + hd_code_target(code, e, 0)].type.kind ==
      HD_TYPE_PTR;
  const hd_cexpr *base = base_of(x, e);
  if (base->op == HD_CODE_SLOT)
    return address && is_mapped(x, f, base->value);
  if (base->op != HD_CODE_REG || base->value < f->n_params)
    return base->op == HD_CODE_REG && address;
  const hd_cedge *list = task ? read_of(x, base) : NULL;
  if (!list)
    return false;
  const hd_cexpr *from = base_of(x, list);
  /* A task has the address of a list of addresses; a function has put those of its
   * copies into variables of clang's. */
  if (from->op == HD_CODE_SLOT)
    return is_mapped(x, f, from->value) && !is_given(x, f, base->value);
  return address && from->op == HD_CODE_REG && from->value < f->n_params;
}

/* A call that stands in no program: clang makes it of a pragma. */
static bool is_of_pragma(const hd_code *code, const hd_cedge *e) {
  if (e->act != HD_CODE_CALL)
    return false;
  const hd_cexpr *callee = &code->exprs.data[operand(code, e, 0)];
  return callee->op == HD_CODE_FUNC &&
         !strncmp(code->funcs.data[callee->value].name, "__kmpc_", 7);
}

/* Does the order of the two matter? */
static bool matters(effects *x, hd_edge_id a, hd_edge_id b) {
  const hd_code *code = x->code;
  hd_edge_id both[2] = {a, b};
  bool *reads = x->reads + code->funcs.size * x->n, *reads2 = reads + x->n;
  bool *writes = x->writes + code->funcs.size * x->n, *writes2 = writes + x->n;
  memset(reads, 0, 2 * x->n);
  memset(writes, 0, 2 * x->n);
  bool stores = false, calls = false;
  for (int i = 0; i < 2; i++) {
    const hd_cedge *e = &code->edges.data[both[i]];
    /* Updates by exchange are in loops that the compiler makes. */
    if ((e->act != HD_CODE_CALL && e->act != HD_CODE_LOAD &&
         e->act != HD_CODE_RMW && e->act != HD_CODE_STORE) ||
        finds_variable(x, e) || is_of_pragma(code, e))
      return false;
    stores = stores || e->act == HD_CODE_STORE;
    calls = calls || e->act == HD_CODE_CALL;
    use_edge(x, e, reads + (size_t)i * x->n, writes + (size_t)i * x->n);
  }
  const hd_cedge *first = &code->edges.data[a], *second = &code->edges.data[b];
  if (stores && !calls) /* a[i]++ + a[j]++; of p->n++ + q->n nobody knows */
    return (share_named(x, writes, writes2) || share_named(x, writes, reads2) ||
            share_named(x, reads, writes2)) &&
           !are_apart(x, first, second);
  if (!calls && !x->looks && are_apart(x, first, second)) /* p->n++ == p->k */
    return false;
  size_t hidden = x->special + HIDDEN;
  if ((x->looks && reads[x->special + SEEN] && reads2[x->special + SEEN]) ||
      (reads[hidden] && writes2[hidden]) || (writes[hidden] && reads2[hidden]))
    return true;
  const hd_func *f = func_of(code, first);
  return overlap(x, f, writes, writes2) || overlap(x, f, writes, reads2) ||
         overlap(x, f, writes2, reads);
}

static void collect(effects *x, const hd_func *f, hd_cexpr_id id, hd_u32s *out);

/* What a value without a name was made of: calls and reads; and what was written
 * because of it, as i++ does. */
static void makers(effects *x, const hd_func *f, hd_reg_id r, hd_u32s *out) {
  uint32_t all = x->first[r];
  x->first[r] = HD_NO_ID; /* not again */
  for (uint32_t at = all; at != HD_NO_ID; at = x->next[at]) {
    const hd_cedge *e = &x->code->edges.data[x->edge_of[at]];
    if (e->act == HD_CODE_STEP) {
      collect(x, f, operand(x->code, e, at - e->targets), out);
      continue;
    }
    hd_vec_push(out, x->edge_of[at]);
    for (uint32_t i = 0; i < e->n_operands; i++)
      collect(x, f, operand(x->code, e, i), out);
  }
  for (uint32_t at = all == HD_NO_ID ? HD_NO_ID : x->stored[r]; at != HD_NO_ID;
       at = x->stores.data[at].next)
    hd_vec_push(out, x->stores.data[at].edge);
  x->first[r] = all;
}

static void collect(effects *x, const hd_func *f, hd_cexpr_id id,
                    hd_u32s *out) {
  const hd_cexpr *e = &x->code->exprs.data[id];
  if (e->op == HD_CODE_REG && !x->code->regs.data[f->regs + e->value].cname)
    makers(x, f, (hd_reg_id)e->value, out);
  for (int i = 0; i < hd_code_op_arity(e->op); i++)
    collect(x, f, e->args[i], out);
}

/* What meets here, and from which of them on a value is another one. */
typedef struct {
  hd_u32s made, starts;
} meeting;

static void meet(effects *x, const hd_func *f, hd_cexpr_id id, meeting *m) {
  const hd_cexpr *e = &x->code->exprs.data[id];
  if (e->op == HD_CODE_REG) {
    hd_vec_push(&m->starts, (uint32_t)m->made.size);
    collect(x, f, id, &m->made);
  }
  for (int i = 0; i < hd_code_op_arity(e->op); i++)
    meet(x, f, e->args[i], m);
}

static bool contains(const meeting *m, uint32_t from, uint32_t to,
                     hd_edge_id edge) {
  for (uint32_t i = from; i < to; i++)
    if (m->made.data[i] == edge)
      return true;
  return false;
}

/* What both values are made of comes before both, or is stored behind both: what
 * C evaluates twice is there twice. */
static bool is_open_pair(effects *x, const meeting *m, size_t s, uint32_t end,
                         hd_edge_id a, hd_edge_id b) {
  uint32_t start = m->starts.data[s];
  return !contains(m, 0, start, a) && !contains(m, start, end, b) &&
         matters(x, a, b);
}

static bool is_open(effects *x, const hd_func *f, const hd_cedge *e) {
  meeting m = {{0}, {0}};
  bool open = false;
  for (uint32_t i = 0; i < e->n_operands; i++)
    meet(x, f, operand(x->code, e, i), &m);
  if (e->guard != HD_NO_ID)
    meet(x, f, e->guard, &m);
  for (size_t s = 1; s < m.starts.size && !open; s++) {
    uint32_t end =
        s + 1 < m.starts.size ? m.starts.data[s + 1] : (uint32_t)m.made.size;
    for (uint32_t i = m.starts.data[s]; i < end && !open; i++)
      for (uint32_t k = 0; k < m.starts.data[s] && !open; k++)
        open = is_open_pair(x, &m, s, end, m.made.data[i], m.made.data[k]);
  }
  hd_vec_free(&m.made);
  hd_vec_free(&m.starts);
  return open;
}

/* Notes for all registers in a value that the edge stores them. */
static void note_stored(effects *x, hd_cexpr_id id, hd_edge_id edge) {
  const hd_cexpr *e = &x->code->exprs.data[id];
  if (e->op == HD_CODE_REG) {
    hd_vec_push(&x->stores, ((store){edge, x->stored[e->value]}));
    x->stored[e->value] = (uint32_t)x->stores.size - 1;
  }
  for (int i = 0; i < hd_code_op_arity(e->op); i++)
    note_stored(x, e->args[i], edge);
}

static void find_made(effects *x, const hd_func *f) {
  const hd_code *code = x->code;
  hd_vec_clear(&x->stores);
  for (uint32_t r = 0; r < f->n_regs; r++)
    x->first[r] = x->stored[r] = HD_NO_ID;
  for (uint32_t i = code->out_start[f->locs];
       i < code->out_start[f->locs + f->n_locs]; i++) {
    const hd_cedge *e = &code->edges.data[code->out[i]];
    if (e->act == HD_CODE_STORE)
      note_stored(x, operand(code, e, 1), code->out[i]);
    for (uint32_t k = 0; k < e->n_targets; k++) {
      hd_reg_id r = hd_code_target(code, e, k);
      x->next[e->targets + k] = x->first[r];
      x->edge_of[e->targets + k] = code->out[i];
      x->first[r] = e->targets + k;
    }
  }
}

static hd_edge_id open_in(effects *x, const hd_func *f) {
  const hd_code *code = x->code;
  find_made(x, f);
  for (uint32_t i = code->out_start[f->locs];
       i < code->out_start[f->locs + f->n_locs]; i++)
    if (code->edges.data[code->out[i]].pos.file != HD_NO_ID &&
        is_open(x, f, &code->edges.data[code->out[i]]))
      return code->out[i];
  return HD_NO_ID;
}

static hd_edge_id find(const hd_code *code, bool looks) {
  size_t globals = code->globals.size;
  uint32_t regs = 0, slots = 0;
  for (hd_vec_each(const hd_func, f, &code->funcs)) {
    regs = f->n_regs > regs ? f->n_regs : regs;
    slots = f->n_slots > slots ? f->n_slots : slots;
  }
  effects x = {.code = code, .looks = looks, .slots = globals};
  x.params = x.slots + slots;
  x.special = x.params + PARAMS;
  x.n = x.special + SPECIAL;
  x.reads = hd_calloc((code->funcs.size + 2) * x.n, sizeof *x.reads);
  x.writes = hd_calloc((code->funcs.size + 2) * x.n, sizeof *x.writes);
  x.out = hd_calloc(globals + code->slots.size + 1, sizeof *x.out);
  x.to = hd_calloc(code->regs.size + 1, sizeof *x.to);
  x.first = hd_calloc(regs + 1u, sizeof *x.first);
  x.stored = hd_calloc(regs + 1u, sizeof *x.stored);
  x.next = hd_calloc(code->targets.size + 1, sizeof *x.next);
  x.edge_of = hd_calloc(code->targets.size + 1, sizeof *x.edge_of);
  find_handed_out(&x);
  find_leads(&x);
  find_effects(&x);
  hd_edge_id found = HD_NO_ID;
  for (hd_vec_each(const hd_func, f, &code->funcs))
    if (f->defined && found == HD_NO_ID)
      found = open_in(&x, f);
  hd_free(x.reads);
  hd_free(x.writes);
  hd_free(x.out);
  hd_free(x.to);
  hd_free(x.first);
  hd_free(x.stored);
  hd_free(x.next);
  hd_free(x.edge_of);
  hd_vec_free(&x.stores);
  return found;
}

hd_edge_id hd_code_unordered(const hd_code *code) {
  return find(code, false);
}

hd_edge_id hd_code_unordered_looks(const hd_code *code) {
  return find(code, true);
}
