/* SPDX-License-Identifier: MIT */
#include "model/unordered.h"

/* What the functions use: a bit for each global variable, and one for all that is
 * reached otherwise. */
typedef struct {
  const hd_code *code;
  size_t n;             /* bits */
  bool pointers;        /* what is reached otherwise counts, too */
  bool *reads, *writes; /* n for each function */
  hd_edge_id *made;     /* of each register of the function that is looked at:
                          * the only edge that sets it */
} effects;

static hd_cexpr_id operand(const hd_code *code, const hd_cedge *e, uint32_t i) {
  return code->operands.data[e->operands + i];
}

/* The bit of the place that an address leads to; n: a variable of the function. */
static size_t place_of(const effects *x, hd_cexpr_id address) {
  const hd_cexpr *e = &x->code->exprs.data[address];
  while (e->op == HD_CODE_PTRADD)
    e = &x->code->exprs.data[e->args[0]];
  if (e->op == HD_CODE_GLOBAL)
    return e->value;
  return e->op == HD_CODE_SLOT ? x->n : x->n - 1;
}

static bool mark(bool *set, size_t bit) {
  bool fresh = !set[bit];
  set[bit] = true;
  return fresh;
}

/* What a function of the program does that is called does its caller. */
static bool inherit(effects *x, size_t f, size_t g) {
  bool more = false;
  for (size_t i = 0; i < x->n; i++) {
    if (x->reads[g * x->n + i])
      more |= mark(&x->reads[f * x->n], i);
    if (x->writes[g * x->n + i])
      more |= mark(&x->writes[f * x->n], i);
  }
  return more;
}

static hd_func_id callee(const hd_code *code, const hd_cedge *e) {
  if (e->act != HD_CODE_CALL)
    return HD_NO_ID;
  const hd_cexpr *f = &code->exprs.data[operand(code, e, 0)];
  bool ours = f->op == HD_CODE_FUNC && code->funcs.data[f->value].defined;
  return ours ? (hd_func_id)f->value : HD_NO_ID;
}

static bool add_edge(effects *x, size_t f, const hd_cedge *e) {
  bool more = false;
  hd_func_id g = callee(x->code, e);
  if (g != HD_NO_ID)
    return inherit(x, f, g);
  if (e->act != HD_CODE_LOAD && e->act != HD_CODE_STORE &&
      e->act != HD_CODE_RMW && e->act != HD_CODE_CMPXCHG)
    return false;
  size_t place = place_of(x, operand(x->code, e, 0));
  if (place == x->n)
    return false;
  if (e->act != HD_CODE_STORE)
    more |= mark(&x->reads[f * x->n], place);
  if (e->act != HD_CODE_LOAD)
    more |= mark(&x->writes[f * x->n], place);
  return more;
}

static void find_effects(effects *x) {
  for (bool more = true; more;) {
    more = false;
    for (hd_vec_each(const hd_cedge, e, &x->code->edges))
      more |= add_edge(x, x->code->locs.data[e->from].func, e);
  }
}

/* --- values that meet --- */

/* The registers without a name that an expression uses. */
static void collect(const hd_code *code, const hd_func *f, hd_cexpr_id id,
                    hd_u32s *out) {
  const hd_cexpr *e = &code->exprs.data[id];
  if (e->op == HD_CODE_REG && !code->regs.data[f->regs + e->value].cname)
    hd_vec_push(out, (uint32_t)e->value);
  for (int i = 0; i < hd_code_op_arity(e->op); i++)
    collect(code, f, e->args[i], out);
}

/* Variables of models are theirs. */
static bool counts(const effects *x, size_t place) {
  if (place >= x->n - 1)
    return x->pointers && place == x->n - 1;
  return x->code->globals.data[place].pos.file != HD_NO_ID;
}

static bool meets(const effects *x, size_t f, size_t g) {
  for (size_t i = 0; i < x->n; i++) {
    if (!counts(x, i))
      continue;
    bool wf = x->writes[f * x->n + i], wg = x->writes[g * x->n + i];
    if ((wf && (wg || x->reads[g * x->n + i])) ||
        (wg && x->reads[f * x->n + i]))
      return true;
  }
  return false;
}

/* Does the order of the two matter? */
static bool matters(const effects *x, hd_edge_id a, hd_edge_id b) {
  const hd_cedge *e = &x->code->edges.data[a], *d = &x->code->edges.data[b];
  hd_func_id f = callee(x->code, e), g = callee(x->code, d);
  if (f != HD_NO_ID && g != HD_NO_ID)
    return meets(x, f, g);
  if (f == HD_NO_ID || d->act != HD_CODE_LOAD)
    return false;
  size_t place = place_of(x, operand(x->code, d, 0));
  return place < x->n - 1 && counts(x, place) && x->writes[f * x->n + place];
}

static bool is_open(const effects *x, const hd_func *f, const hd_cedge *e) {
  hd_u32s regs = {0};
  bool open = false;
  for (uint32_t i = 0; i < e->n_operands; i++)
    collect(x->code, f, operand(x->code, e, i), &regs);
  if (e->guard != HD_NO_ID)
    collect(x->code, f, e->guard, &regs);
  for (size_t i = 0; i < regs.size && !open; i++)
    for (size_t k = 0; k < regs.size && !open; k++) {
      hd_edge_id a = x->made[regs.data[i]], b = x->made[regs.data[k]];
      open = a != b && a != HD_NO_ID && b != HD_NO_ID && matters(x, a, b);
    }
  hd_vec_free(&regs);
  return open;
}

static void find_made(effects *x, const hd_func *f) {
  const hd_code *code = x->code;
  bool *twice = hd_calloc(f->n_regs + 1, sizeof *twice);
  for (uint32_t r = 0; r < f->n_regs; r++)
    x->made[r] = HD_NO_ID;
  for (uint32_t i = code->out_start[f->locs];
       i < code->out_start[f->locs + f->n_locs]; i++) {
    const hd_cedge *e = &code->edges.data[code->out[i]];
    for (uint32_t k = 0; k < e->n_targets; k++) {
      hd_reg_id r = code->targets.data[e->targets + k];
      twice[r] = twice[r] || x->made[r] != HD_NO_ID;
      x->made[r] = twice[r] ? HD_NO_ID : code->out[i];
    }
  }
  hd_free(twice);
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
  effects x = {.code = code, .n = code->globals.size + 1, .pointers = pointers};
  uint32_t most = 0;
  for (hd_vec_each(const hd_func, f, &code->funcs))
    most = f->n_regs > most ? f->n_regs : most;
  x.reads = hd_calloc(code->funcs.size * x.n + 1, sizeof *x.reads);
  x.writes = hd_calloc(code->funcs.size * x.n + 1, sizeof *x.writes);
  x.made = hd_calloc(most + 1u, sizeof *x.made);
  find_effects(&x);
  hd_edge_id found = HD_NO_ID;
  for (hd_vec_each(const hd_func, f, &code->funcs))
    if (f->defined && found == HD_NO_ID)
      found = open_in(&x, f);
  hd_free(x.reads);
  hd_free(x.writes);
  hd_free(x.made);
  return found;
}
