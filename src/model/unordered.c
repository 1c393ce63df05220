/* SPDX-License-Identifier: MIT */
#include "model/unordered.h"

#include <string.h>

/* What functions use: a bit for each global variable, one for objects with a name
 * whose address is handed out, one for all that is reached by an address, which may
 * be any of these, and one for what other threads see, or do: in which order that
 * comes matters to them. */
typedef struct {
  const hd_code *code;
  size_t n, told, reached, seen; /* bits; the last three: `seen` by
                                  * other threads, or of them */
  bool pointers;                 /* what is reached by addresses counts, too */
  bool *reads, *writes;          /* n for each function, and for two edges */
  bool *out;              /* globals, then slots, whose address is handed out */
  uint32_t *first, *next; /* of a register: what sets it, as targets of edges */
  hd_edge_id *edge_of;    /* of a target */
} effects;

static hd_cexpr_id operand(const hd_code *code, const hd_cedge *e, uint32_t i) {
  return code->operands.data[e->operands + i];
}

static bool is_access(const hd_cedge *e) {
  return e->act == HD_CODE_LOAD || e->act == HD_CODE_STORE ||
         e->act == HD_CODE_RMW || e->act == HD_CODE_CMPXCHG;
}

static const hd_func *func_of(const hd_code *code, const hd_cedge *e) {
  return &code->funcs.data[code->locs.data[e->from].func];
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

/* --- what is used --- */

/* Variables of models are theirs. */
static bool counts(const effects *x, size_t global) {
  return x->code->globals.data[global].pos.file != HD_NO_ID;
}

static bool mark(bool *set, size_t bit) {
  bool fresh = !set[bit];
  set[bit] = true;
  return fresh;
}

static bool use_address(effects *x, const hd_func *f, hd_cexpr_id address,
                        bool *set) {
  const hd_cexpr *e = &x->code->exprs.data[address];
  bool more = false;
  while (e->op == HD_CODE_PTRADD)
    e = &x->code->exprs.data[e->args[0]];
  if (e->op == HD_CODE_GLOBAL) {
    if (!counts(x, e->value))
      return false;
    more = mark(set, e->value);
    return x->out[e->value] ? mark(set, x->told) || more : more;
  }
  if (e->op == HD_CODE_SLOT)
    return x->out[x->code->globals.size + f->slots + e->value] &&
           mark(set, x->told);
  return mark(set, x->reached);
}

static bool is_one_of(const char *name, const char *names) {
  size_t n = strlen(name);
  for (const char *at = names; (at = strstr(at, name)) != NULL; at += n)
    if ((at == names || at[-1] == ' ') && (at[n] == ' ' || !at[n]))
      return true;
  return false;
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

/* A function of the library uses what it is given an address of. */
static bool use_library(effects *x, const hd_func *f, const hd_cedge *e,
                        const char *name, bool *reads, bool *writes) {
  static const char only_read[] =
      "strlen strcmp strncmp memcmp strchr strstr printf puts";
  bool more = is_sync(name) && mark(reads, x->seen);
  for (uint32_t i = 1; i < e->n_operands; i++) {
    hd_cexpr_id id = operand(x->code, e, i);
    if (x->code->exprs.data[id].type.kind != HD_TYPE_PTR ||
        x->code->exprs.data[id].op == HD_CODE_NULL)
      continue;
    more = use_address(x, f, id, reads) || more;
    if (!is_one_of(name, only_read))
      more = use_address(x, f, id, writes) || more;
  }
  return more;
}

static bool add_all(bool *to, const bool *from, size_t n) {
  bool more = false;
  for (size_t i = 0; i < n; i++)
    if (from[i])
      more = mark(to, i) || more;
  return more;
}

/* Adds what the edge uses. */
static bool use_edge(effects *x, const hd_cedge *e, bool *reads, bool *writes) {
  const hd_code *code = x->code;
  const hd_func *f = func_of(code, e);
  bool more = false;
  if (is_access(e)) {
    if (e->order != HD_ORDER_NONE)
      more = mark(reads, x->seen);
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
    for (size_t g = 0; g < code->funcs.size && x->pointers; g++) {
      more = add_all(reads, x->reads + g * x->n, x->n) || more;
      more = add_all(writes, x->writes + g * x->n, x->n) || more;
    }
    return more;
  }
  size_t g = callee->value;
  if (!code->funcs.data[g].defined)
    return x->pointers &&
           use_library(x, f, e, code->funcs.data[g].name, reads, writes);
  more = add_all(reads, x->reads + g * x->n, x->n);
  return add_all(writes, x->writes + g * x->n, x->n) || more;
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

static bool overlap(const effects *x, const bool *writes, const bool *other) {
  for (size_t i = 0; i < x->told; i++)
    if (writes[i] && other[i])
      return true;
  return x->pointers &&
         ((writes[x->reached] && (other[x->reached] || other[x->told])) ||
          (writes[x->told] && other[x->reached]));
}

/* Does the order of the two matter? */
static bool matters(effects *x, hd_edge_id a, hd_edge_id b) {
  const hd_code *code = x->code;
  hd_edge_id both[2] = {a, b};
  bool *reads = x->reads + code->funcs.size * x->n;
  bool *writes = x->writes + code->funcs.size * x->n;
  memset(reads, 0, 2 * x->n);
  memset(writes, 0, 2 * x->n);
  for (int i = 0; i < 2; i++) {
    const hd_cedge *e = &code->edges.data[both[i]];
    /* Updates by exchange are in loops that the compiler makes. */
    if (e->act != HD_CODE_CALL && e->act != HD_CODE_LOAD &&
        (e->act != HD_CODE_RMW || !x->pointers))
      return false;
    use_edge(x, e, reads + (size_t)i * x->n, writes + (size_t)i * x->n);
  }
  if (x->pointers && reads[x->seen] && reads[x->n + x->seen])
    return true;
  return overlap(x, writes, writes + x->n) ||
         overlap(x, writes, reads + x->n) || overlap(x, writes + x->n, reads);
}

static void collect(effects *x, const hd_func *f, hd_cexpr_id id, hd_u32s *out);

/* What a value without a name was made of: calls and reads. */
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
        open = m.made.data[i] != m.made.data[k] &&
               matters(x, m.made.data[i], m.made.data[k]);
  }
  hd_vec_free(&m.made);
  hd_vec_free(&m.starts);
  return open;
}

static void find_made(effects *x, const hd_func *f) {
  const hd_code *code = x->code;
  for (uint32_t r = 0; r < f->n_regs; r++)
    x->first[r] = HD_NO_ID;
  for (uint32_t i = code->out_start[f->locs];
       i < code->out_start[f->locs + f->n_locs]; i++) {
    const hd_cedge *e = &code->edges.data[code->out[i]];
    for (uint32_t k = 0; k < e->n_targets; k++) {
      hd_reg_id r = code->targets.data[e->targets + k];
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

hd_edge_id hd_code_unordered(const hd_code *code, bool pointers) {
  size_t globals = code->globals.size;
  effects x = {.code = code,
               .n = globals + 3,
               .seen = globals + 2,
               .told = globals,
               .reached = globals + 1,
               .pointers = pointers};
  uint32_t most = 0;
  for (hd_vec_each(const hd_func, f, &code->funcs))
    most = f->n_regs > most ? f->n_regs : most;
  x.reads = hd_calloc((code->funcs.size + 2) * x.n, sizeof *x.reads);
  x.writes = hd_calloc((code->funcs.size + 2) * x.n, sizeof *x.writes);
  x.out = hd_calloc(globals + code->slots.size + 1, sizeof *x.out);
  x.first = hd_calloc(most + 1u, sizeof *x.first);
  x.next = hd_calloc(code->targets.size + 1, sizeof *x.next);
  x.edge_of = hd_calloc(code->targets.size + 1, sizeof *x.edge_of);
  find_handed_out(&x);
  find_effects(&x);
  hd_edge_id found = HD_NO_ID;
  for (hd_vec_each(const hd_func, f, &code->funcs))
    if (f->defined && found == HD_NO_ID)
      found = open_in(&x, f);
  hd_free(x.reads);
  hd_free(x.writes);
  hd_free(x.out);
  hd_free(x.first);
  hd_free(x.next);
  hd_free(x.edge_of);
  return found;
}
