/* SPDX-License-Identifier: MIT */
/* The Z3 side of solve/bits.h. Errors of the library are recorded by a handler
 * and turn answers into HD_SMT_UNKNOWN; no Z3 type leaves this file. */
#include "solve/bits.h"

#include "base/hash.h"
#include "base/word.h"
#include "solve/z3_library.h"

#include <string.h>

typedef struct {
  Z3_ast ast; /* NULL: a constant that Z3 has not been told yet */
  uint64_t value, support;
  uint8_t width;
  bool constant;
} node;

/* A constant, or what Z3 knows, which has one address for each term. */
typedef struct {
  Z3_ast ast;
  uint64_t value;
  uint8_t width;
} identity;

#define HD_MAP term_map
#define HD_KEY identity
#define HD_VAL hd_bv_term
#define HD_HASH(k)                                                             \
  hd_hash_mix((uint64_t)(uintptr_t)(k).ast, hd_hash_mix((k).value, (k).width))
#define HD_EQ(a, b)                                                            \
  ((a).ast == (b).ast && (a).value == (b).value && (a).width == (b).width)
#include "base/map_templ.h"

struct hd_bv {
  hd_z3 z3;
  Z3_context context;
  Z3_solver solver;
  Z3_solver quick; /* of hd_bv_solve_some, or NULL: fewer preparations */
  hd_vec(hd_bv_term) asserted; /* what `quick` has been told */
  Z3_model model;              /* of the last HD_SMT_SAT, or NULL */
  unsigned steps; /* of Z3, all questions together, modulo 2^32 … */
  uint64_t work;  /* … and what was not asked for yet */
  hd_vec(node) nodes;
  term_map index;
  uint32_t vars;
};

static void on_error(Z3_context context, Z3_error_code code) {
  (void)context;
  (void)code;
}

hd_bv *hd_bv_new(void) {
  hd_bv *bv = hd_calloc(1, sizeof *bv);
  hd_z3_open(&bv->z3);
  Z3_config config = bv->z3.mk_config();
  bv->context = bv->z3.mk_context(config);
  bv->z3.del_config(config);
  bv->z3.set_error_handler(bv->context, on_error);
  bv->solver = bv->z3.mk_solver_for_logic(
      bv->context, bv->z3.mk_string_symbol(bv->context, "QF_BV"));
  bv->z3.solver_inc_ref(bv->context, bv->solver);
  return bv;
}

static void drop_model(hd_bv *bv) {
  if (bv->model)
    bv->z3.model_dec_ref(bv->context, bv->model);
  bv->model = NULL;
}

void hd_bv_delete(hd_bv *bv) {
  if (!bv)
    return;
  drop_model(bv);
  bv->z3.solver_dec_ref(bv->context, bv->solver);
  if (bv->quick)
    bv->z3.solver_dec_ref(bv->context, bv->quick);
  bv->z3.del_context(bv->context);
  hd_z3_close(&bv->z3);
  hd_vec_free(&bv->nodes);
  hd_vec_free(&bv->asserted);
  term_map_free(&bv->index);
  hd_free(bv);
}

static hd_bv_term put(hd_bv *bv, node n) {
  assert(n.width >= 1 && n.width <= 64);
  identity key = {n.ast, n.value, n.width};
  bool fresh;
  hd_bv_term t =
      *term_map_put(&bv->index, key, (hd_bv_term)bv->nodes.size, &fresh);
  if (fresh)
    hd_vec_push(&bv->nodes, n);
  return t;
}

hd_bv_term hd_bv_const(hd_bv *bv, uint8_t width, uint64_t value) {
  return put(bv, (node){.value = value & hd_word_mask(width),
                        .width = width,
                        .constant = true});
}

/* Contexts without reference counting keep all terms until they go. */
static hd_bv_term put_ast(hd_bv *bv, Z3_ast ast, uint8_t width,
                          uint64_t support) {
  return put(bv, (node){.ast = ast, .width = width, .support = support});
}

uint64_t hd_bv_support(const hd_bv *bv, hd_bv_term t) {
  return bv->nodes.data[t].support;
}

hd_bv_term hd_bv_var(hd_bv *bv, uint8_t width) {
  Z3_symbol name = bv->z3.mk_int_symbol(bv->context, (int)bv->vars);
  Z3_sort sort = bv->z3.mk_bv_sort(bv->context, width);
  uint64_t support = (uint64_t)1 << bv->vars++ % 64;
  return put_ast(bv, bv->z3.mk_const(bv->context, name, sort), width, support);
}

uint8_t hd_bv_width(const hd_bv *bv, hd_bv_term t) {
  return bv->nodes.data[t].width;
}

bool hd_bv_is_const(const hd_bv *bv, hd_bv_term t, uint64_t *value) {
  *value = bv->nodes.data[t].value;
  return bv->nodes.data[t].constant;
}

static Z3_ast ast_of(hd_bv *bv, hd_bv_term t) {
  node *n = &bv->nodes.data[t];
  if (!n->ast)
    n->ast = bv->z3.mk_unsigned_int64(bv->context, n->value,
                                      bv->z3.mk_bv_sort(bv->context, n->width));
  return n->ast;
}

static Z3_ast make(hd_bv *bv, hd_bv_op op, Z3_ast a, Z3_ast b) {
  Z3_context c = bv->context;
  switch (op) {
  case HD_BV_ADD:
    return bv->z3.mk_bvadd(c, a, b);
  case HD_BV_SUB:
    return bv->z3.mk_bvsub(c, a, b);
  case HD_BV_MUL:
    return bv->z3.mk_bvmul(c, a, b);
  case HD_BV_UDIV:
    return bv->z3.mk_bvudiv(c, a, b);
  case HD_BV_SDIV:
    return bv->z3.mk_bvsdiv(c, a, b);
  case HD_BV_UREM:
    return bv->z3.mk_bvurem(c, a, b);
  case HD_BV_SREM:
    return bv->z3.mk_bvsrem(c, a, b);
  case HD_BV_AND:
    return bv->z3.mk_bvand(c, a, b);
  case HD_BV_OR:
    return bv->z3.mk_bvor(c, a, b);
  case HD_BV_XOR:
    return bv->z3.mk_bvxor(c, a, b);
  case HD_BV_SHL:
    return bv->z3.mk_bvshl(c, a, b);
  case HD_BV_LSHR:
    return bv->z3.mk_bvlshr(c, a, b);
  case HD_BV_ASHR:
    return bv->z3.mk_bvashr(c, a, b);
  case HD_BV_EQ:
    return bv->z3.mk_eq(c, a, b);
  case HD_BV_ULT:
    return bv->z3.mk_bvult(c, a, b);
  case HD_BV_ULE:
    return bv->z3.mk_bvule(c, a, b);
  case HD_BV_SLT:
    return bv->z3.mk_bvslt(c, a, b);
  case HD_BV_SLE:
    return bv->z3.mk_bvsle(c, a, b);
  }
  return a;
}

/* A truth value as one bit. */
static Z3_ast as_bit(hd_bv *bv, Z3_ast truth) {
  Z3_sort bit = bv->z3.mk_bv_sort(bv->context, 1);
  return bv->z3.mk_ite(bv->context, truth,
                       bv->z3.mk_unsigned_int64(bv->context, 1, bit),
                       bv->z3.mk_unsigned_int64(bv->context, 0, bit));
}

hd_bv_term hd_bv_apply(hd_bv *bv, hd_bv_op op, hd_bv_term a, hd_bv_term b) {
  const node *x = &bv->nodes.data[a], *y = &bv->nodes.data[b];
  assert(x->width == y->width);
  uint8_t from = x->width, width = op >= HD_BV_EQ ? 1 : from;
  if (x->constant && y->constant)
    return hd_bv_const(bv, width, hd_bv_compute(op, x->value, y->value, from));
  uint64_t support = x->support | y->support;
  Z3_ast left = ast_of(bv, a), right = ast_of(bv, b);
  Z3_ast made = make(bv, op, left, right);
  return put_ast(bv, op >= HD_BV_EQ ? as_bit(bv, made) : made, width, support);
}

hd_bv_term hd_bv_not(hd_bv *bv, hd_bv_term a) {
  assert(bv->nodes.data[a].width == 1);
  return hd_bv_apply(bv, HD_BV_XOR, a, hd_bv_const(bv, 1, 1));
}

hd_bv_term hd_bv_choose(hd_bv *bv, hd_bv_term c, hd_bv_term yes,
                        hd_bv_term no) {
  const node *x = &bv->nodes.data[c];
  if (x->constant)
    return x->value ? yes : no;
  hd_bv_term one = hd_bv_const(bv, 1, 1);
  Z3_ast truth = bv->z3.mk_eq(bv->context, ast_of(bv, c), ast_of(bv, one));
  Z3_ast left = ast_of(bv, yes), right = ast_of(bv, no);
  const node *nodes = bv->nodes.data;
  return put_ast(bv, bv->z3.mk_ite(bv->context, truth, left, right),
                 nodes[yes].width,
                 nodes[c].support | nodes[yes].support | nodes[no].support);
}

hd_bv_term hd_bv_resize(hd_bv *bv, hd_bv_term a, uint8_t width, bool sign) {
  const node x = bv->nodes.data[a];
  if (width == x.width)
    return a;
  if (x.constant)
    return hd_bv_const(
        bv, width, sign ? (uint64_t)hd_word_signed(x.value, x.width) : x.value);
  Z3_ast from = ast_of(bv, a);
  unsigned more = (unsigned)(width - x.width);
  Z3_ast made = width < x.width
                    ? bv->z3.mk_extract(bv->context, width - 1u, 0, from)
                : sign ? bv->z3.mk_sign_ext(bv->context, more, from)
                       : bv->z3.mk_zero_ext(bv->context, more, from);
  return put_ast(bv, made, width, x.support);
}

/* Is the bit 1? */
static Z3_ast as_truth(hd_bv *bv, hd_bv_term term) {
  Z3_ast bit = ast_of(bv, term), one = ast_of(bv, hd_bv_const(bv, 1, 1));
  return bv->z3.mk_eq(bv->context, bit, one);
}

/* Z3's own steps in a second, roughly; and how much longer a second may take where
 * others work, too. */
enum { STEPS = 1600000, PATIENCE = 6 };

static void set_number(hd_bv *bv, Z3_params params, const char *name,
                       double value) {
  bv->z3.params_set_uint(bv->context, params,
                         bv->z3.mk_string_symbol(bv->context, name),
                         value > 0 ? (unsigned)value : 0);
}

static void set_time(hd_bv *bv, Z3_solver solver, double seconds) {
  Z3_params params = bv->z3.mk_params(bv->context);
  bv->z3.params_inc_ref(bv->context, params);
  set_number(bv, params, "timeout", seconds * 1000 * PATIENCE);
  set_number(bv, params, "rlimit", seconds * STEPS);
  bv->z3.solver_set_params(bv->context, solver, params);
  bv->z3.params_dec_ref(bv->context, params);
}

static void assert_some(hd_bv *bv, Z3_solver solver, const hd_bv_term *some,
                        size_t m) {
  hd_vec(Z3_ast) truths = {0};
  for (size_t i = 0; i < m; i++)
    hd_vec_push(&truths, as_truth(bv, some[i]));
  if (m)
    bv->z3.solver_assert(bv->context, solver,
                         bv->z3.mk_or(bv->context, (unsigned)m, truths.data));
  hd_vec_free(&truths);
}

static void note_work(hd_bv *bv, Z3_solver solver) {
  enum { STEPS_A_UNIT = 3 };
  Z3_stats stats = bv->z3.solver_get_statistics(bv->context, solver);
  bv->z3.stats_inc_ref(bv->context, stats);
  unsigned n = bv->z3.stats_size(bv->context, stats);
  for (unsigned i = 0; i < n; i++)
    if (!strcmp(bv->z3.stats_get_key(bv->context, stats, i), "rlimit count")) {
      unsigned now = bv->z3.stats_get_uint_value(bv->context, stats, i);
      bv->work += (now - bv->steps) / STEPS_A_UNIT;
      bv->steps = now;
    }
  bv->z3.stats_dec_ref(bv->context, stats);
}

uint64_t hd_bv_work(hd_bv *bv) {
  uint64_t work = bv->work;
  bv->work = 0;
  return work;
}

/* Its answer to what it was told; a model is kept. */
static hd_smt_status answer(hd_bv *bv, Z3_solver solver, double seconds) {
  drop_model(bv);
  set_time(bv, solver, seconds);
  Z3_lbool said = bv->z3.solver_check(bv->context, solver);
  bool good = bv->z3.get_error_code(bv->context) == Z3_OK;
  note_work(bv, solver);
  if (!good || said == Z3_L_UNDEF)
    return HD_SMT_UNKNOWN;
  if (said == Z3_L_FALSE)
    return HD_SMT_UNSAT;
  bv->model = bv->z3.solver_get_model(bv->context, solver);
  bv->z3.model_inc_ref(bv->context, bv->model);
  return HD_SMT_SAT;
}

hd_smt_status hd_bv_solve(hd_bv *bv, const hd_bv_term *terms, size_t n,
                          double seconds) {
  bv->z3.solver_reset(bv->context, bv->solver);
  for (size_t i = 0; i < n; i++)
    bv->z3.solver_assert(bv->context, bv->solver, as_truth(bv, terms[i]));
  return answer(bv, bv->solver, seconds);
}

/* What it knows already, when `terms` begins with that, need not be said again. */
static void tell(hd_bv *bv, const hd_bv_term *terms, size_t n) {
  size_t known = bv->asserted.size;
  if (known > n ||
      (known && memcmp(bv->asserted.data, terms, known * sizeof *terms))) {
    bv->z3.solver_reset(bv->context, bv->quick);
    hd_vec_clear(&bv->asserted);
  }
  for (size_t i = bv->asserted.size; i < n; i++) {
    bv->z3.solver_assert(bv->context, bv->quick, as_truth(bv, terms[i]));
    hd_vec_push(&bv->asserted, terms[i]);
  }
}

hd_smt_status hd_bv_solve_some(hd_bv *bv, const hd_bv_term *terms, size_t n,
                               const hd_bv_term *some, size_t m,
                               double seconds) {
  if (!bv->quick) {
    bv->quick = bv->z3.mk_solver_for_logic(
        bv->context, bv->z3.mk_string_symbol(bv->context, "QF_FD"));
    bv->z3.solver_inc_ref(bv->context, bv->quick);
  }
  tell(bv, terms, n);
  bv->z3.solver_push(bv->context, bv->quick);
  assert_some(bv, bv->quick, some, m);
  hd_smt_status status = answer(bv, bv->quick, seconds);
  bv->z3.solver_pop(bv->context, bv->quick, 1);
  if (status == HD_SMT_UNKNOWN) { /* it may be anywhere */
    bv->z3.solver_reset(bv->context, bv->quick);
    hd_vec_clear(&bv->asserted);
  }
  return status;
}

uint64_t hd_bv_value(const hd_bv *bv, hd_bv_term t) {
  const node *n = &bv->nodes.data[t];
  if (n->constant)
    return n->value;
  assert(bv->model);
  Z3_ast value;
  uint64_t bits = 0;
  if (bv->z3.model_eval(bv->context, bv->model, n->ast, true, &value))
    (void)bv->z3.get_numeral_uint64(bv->context, value, &bits);
  return bits;
}
