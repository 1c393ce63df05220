/* SPDX-License-Identifier: MIT */
/* Inputs as variables: terms.h says what for.
 *
 * A variable is named by its thread, the number of the thread's last event and how
 * many inputs there were since. One configuration never has two inputs of one
 * name; different ones share names, so that states that differ in the order of
 * independent events alone have the same terms.
 *
 * A question to the solver has only those parts of the condition that are
 * connected with what is asked by common variables: the rest was possible before
 * and stays so. Answers are remembered. */
#include "engine/unfold/terms.h"

#include "base/hash.h"
#include "model/code_term.h"

#include <string.h>

static const double seconds = 3; /* for one question */

struct trail {
  uint32_t refs;
  trail *before;
  uint32_t term;   /* that is 1, plus 1; 0: only an input was drawn */
  uint32_t inputs; /* up to here */
};

typedef struct {
  thread_id thread;
  uint32_t seq, nth;
  uint8_t width;
} input;

#define HD_MAP input_map
#define HD_KEY input
#define HD_VAL hd_bv_term
#define HD_HASH(k)                                                             \
  hd_hash_mix((uint64_t)(k).thread << 32 | (k).seq,                            \
              (uint64_t)(k).nth << 8 | (k).width)
#define HD_EQ(a, b)                                                            \
  ((a).thread == (b).thread && (a).seq == (b).seq && (a).nth == (b).nth &&     \
   (a).width == (b).width)
#include "base/map_templ.h"

typedef struct {
  uint32_t n, *terms; /* ascending; owned by the map */
} question;

static uint64_t question_hash(question q) {
  uint64_t h = q.n;
  for (uint32_t i = 0; i < q.n; i++)
    h = hd_hash_mix(h, q.terms[i]);
  return h;
}

static bool question_same(question x, question y) {
  return x.n == y.n && !memcmp(x.terms, y.terms, x.n * sizeof *x.terms);
}

#define HD_MAP answer_map
#define HD_KEY question
#define HD_VAL bool
#define HD_HASH(k) question_hash(k)
#define HD_EQ(a, b) question_same(a, b)
#include "base/map_templ.h"

struct terms {
  hd_bv *bv; /* NULL: there is no variable yet */
  input_map inputs;
  answer_map answers; /* is it possible? */
  const hd_u32s *condition;
  uint32_t seq;
};

terms *hd_terms_create(void) {
  return hd_calloc(1, sizeof(terms));
}

void hd_terms_free(terms *t) {
  if (!t)
    return;
  for (size_t i = 0; i < t->answers.size; i++)
    hd_free(t->answers.items[i].key.terms);
  answer_map_free(&t->answers);
  input_map_free(&t->inputs);
  hd_bv_delete(t->bv);
  hd_free(t);
}

void hd_terms_begin(analysis *a, uint32_t seq, const hd_u32s *condition) {
  assert(a->terms && seq > 0);
  a->terms->seq = seq;
  a->terms->condition = condition;
}

/* --- paths --- */

trail *hd_trail_keep(trail *p) {
  assert(!p || p->refs > 0);
  if (p)
    p->refs++;
  return p;
}

void hd_trail_drop(trail *p) {
  assert(!p || p->refs > 0);
  while (p && --p->refs == 0) {
    trail *before = p->before;
    hd_free(p);
    p = before;
  }
}

static void extend(local *l, uint32_t term, uint32_t inputs) {
  trail *p = hd_calloc(1, sizeof *p);
  *p = (trail){1, l->path, term, inputs};
  l->path = p;
}

static uint32_t inputs_of(const trail *p) {
  return p ? p->inputs : 0;
}

static void add(hd_u32s *set, uint32_t x) {
  size_t at = set->size;
  while (at && set->data[at - 1] > x)
    at--;
  if (at && set->data[at - 1] == x)
    return;
  hd_vec_push(set, x);
  memmove(set->data + at + 1, set->data + at,
          (set->size - 1 - at) * sizeof *set->data);
  set->data[at] = x;
  assert(at == 0 || set->data[at - 1] < x); /* ascending, each once */
  assert(at + 1 == set->size || x < set->data[at + 1]);
}

static bool has(const hd_u32s *set, uint32_t x) {
  for (hd_vec_each(const uint32_t, y, set))
    if (*y == x)
      return true;
  return false;
}

void hd_terms_add_path(hd_u32s *condition, const trail *p) {
  for (; p; p = p->before)
    if (p->term)
      add(condition, p->term - 1);
}

void hd_terms_add(hd_u32s *condition, const hd_u32s *more) {
  for (hd_vec_each(const uint32_t, x, more))
    add(condition, *x);
}

/* --- questions --- */

/* The parts of a condition that are connected with these variables, which become
 * all that they are connected with. */
static void connected(const terms *t, const hd_u32s *condition,
                      uint64_t *variables, hd_u32s *out) {
  for (bool again = true; again;) {
    again = false;
    for (hd_vec_each(const uint32_t, x, condition)) {
      uint64_t support = hd_bv_support(t->bv, *x);
      if (!(support & *variables) || has(out, *x))
        continue;
      add(out, *x);
      again = again || (support & ~*variables);
      *variables |= support;
    }
  }
}

/* Can all of these be 1? Takes over the set. What the solver does not know would
 * be said of a cutoff's other history as well: then nothing is said. */
static bool possible(analysis *a, hd_u32s *set) {
  terms *t = a->terms;
  question q = {(uint32_t)set->size, set->data};
  bool fresh, *known = answer_map_put(&t->answers, q, true, &fresh);
  if (!fresh) {
    hd_vec_free(set);
    return *known;
  }
  hd_smt_status status = hd_bv_solve(t->bv, set->data, set->size, seconds);
  if (status == HD_SMT_UNKNOWN)
    hd_analysis_give_up(a, HD_NO_ID, "the solver takes too long");
  *answer_map_find(&t->answers, q) = status != HD_SMT_UNSAT;
  return status != HD_SMT_UNSAT;
}

/* Can `bit` be 1 here? `*old`: it is known to be. */
static bool may_hold(analysis *a, const local *l, hd_bv_term bit, bool *old) {
  terms *t = a->terms;
  uint64_t value;
  *old = false;
  if (hd_bv_is_const(t->bv, bit, &value)) {
    *old = value != 0;
    return *old;
  }
  hd_u32s all = {0}, set = {0};
  hd_terms_add(&all, t->condition);
  hd_terms_add_path(&all, l->path);
  uint64_t variables = hd_bv_support(t->bv, bit);
  connected(t, &all, &variables, &set);
  *old = has(&all, bit);
  hd_vec_free(&all);
  if (*old) {
    hd_vec_free(&set);
    return true;
  }
  add(&set, bit);
  return possible(a, &set);
}

/* `bit` is 1 from now on; false: that cannot be. */
static bool assume(analysis *a, local *l, hd_bv_term bit) {
  bool old;
  if (!may_hold(a, l, bit, &old))
    return false;
  if (!old)
    extend(l, bit + 1, inputs_of(l->path));
  return true;
}

/* --- terms of values --- */

static bool is_plain(const hd_value *v) {
  return !v->undef && !v->wild && !v->n_targets && hd_value_has_int(v);
}

/* `*variable`: it is no constant. */
static bool term_of(terms *t, uint8_t width, const hd_value *v, hd_bv_term *out,
                    bool *variable) {
  uint64_t bits;
  if (!is_plain(v) || width > 64)
    return false;
  if (hd_value_is_const(v, &bits)) {
    *out = hd_bv_const(t->bv, width, bits);
    return true;
  }
  *variable = true;
  *out = v->term - 1;
  return v->term != 0;
}

/* lo ≤ x ≤ hi, in the signed or the unsigned view. */
static hd_bv_term between(hd_bv *bv, hd_bv_term x, uint8_t width, int64_t lo,
                          int64_t hi) {
  assert(lo <= hi);
  hd_bv_term low = hd_bv_const(bv, width, (uint64_t)lo);
  hd_bv_term far = hd_bv_const(bv, width, (uint64_t)hi - (uint64_t)lo);
  return hd_bv_apply(bv, HD_BV_ULE, hd_bv_apply(bv, HD_BV_SUB, x, low), far);
}

/* What the interval says. */
static hd_bv_term range_of(hd_bv *bv, hd_bv_term x, uint8_t width,
                           const hd_value *v) {
  hd_bv_term p = hd_bv_const(bv, 1, 0), n = p;
  if (v->plo <= v->phi)
    p = between(bv, x, width, v->plo, v->phi);
  if (v->nlo <= v->nhi)
    n = between(bv, x, width, v->nlo, v->nhi);
  return hd_bv_apply(bv, HD_BV_OR, p, n);
}

void hd_terms_name(analysis *a, thread_id thread, local *l, hd_reg_id reg,
                   uint8_t width) {
  assert(reg < l->top->n_regs);
  terms *t = a->terms;
  hd_value v = l->top->regs[reg];
  if (!is_plain(&v) || width > 64)
    return;
  if (!t->bv)
    t->bv = hd_bv_new();
  uint32_t nth = inputs_of(l->path);
  input key = {thread, t->seq, nth, width};
  hd_bv_term *known = input_map_find(&t->inputs, key);
  hd_bv_term x = known ? *known : hd_bv_var(t->bv, width);
  if (!known)
    input_map_put(&t->inputs, key, x, NULL);
  v.term = x + 1;
  l->top = hd_frame_own(l->top);
  hd_frame_set(a->code, l->top, reg, &v);
  hd_value any = hd_value_any(width);
  bool whole = hd_value_within(
      &any,
      &(hd_value){.plo = v.plo, .phi = v.phi, .nlo = v.nlo, .nhi = v.nhi});
  extend(l, whole ? 0 : range_of(t->bv, x, width, &v) + 1, nth + 1);
}

void hd_terms_apply(analysis *a, const hd_cexpr *e, const hd_type *types,
                    const hd_value *args, hd_value *v) {
  terms *t = a->terms;
  uint64_t bits;
  hd_bv_term of[3], out;
  bool variable = false;
  if (!t->bv || e->type.kind != HD_TYPE_INT || !is_plain(v) ||
      hd_value_is_const(v, &bits))
    return;
  int n = hd_code_op_arity(e->op);
  if (e->op == HD_CODE_SELECT && hd_value_is_const(&args[0], &bits)) {
    v->term = args[bits & 1 ? 1 : 2].term;
    return;
  }
  for (int i = 0; i < n; i++)
    if (types[i].kind != HD_TYPE_INT ||
        !term_of(t, (uint8_t)types[i].width, &args[i], &of[i], &variable))
      return;
  assert(n <= 3);
  if (variable &&
      hd_code_term(t->bv, (hd_code_op)e->op, (uint8_t)e->type.width, of, &out))
    v->term = out + 1;
}

/* The result of ADD, SUB or MUL on signed integers does not fit: with more bits, one
 * more or twice as many, it is another one. */
static bool overflow(hd_bv *bv, hd_code_op op, uint8_t width,
                     const hd_bv_term *of, hd_bv_term *out) {
  bool product = op == HD_CODE_MUL;
  if (width > (product ? 32 : 63) ||
      (op != HD_CODE_ADD && op != HD_CODE_SUB && !product))
    return false;
  uint8_t more = (uint8_t)(product ? 2 * width : width + 1);
  hd_bv_term wide[2], result, narrow;
  for (int i = 0; i < 2; i++)
    wide[i] = hd_bv_resize(bv, of[i], more, true);
  if (!hd_code_term(bv, op, more, wide, &result))
    return false;
  narrow = hd_bv_resize(bv, hd_bv_resize(bv, result, width, true), more, true);
  *out = hd_bv_not(bv, hd_bv_apply(bv, HD_BV_EQ, result, narrow));
  return true;
}

hd_mays hd_terms_undefined(analysis *a, const local *l, const hd_cexpr *e,
                           const hd_type *types, const hd_value *args,
                           hd_mays mays) {
  terms *t = a->terms;
  hd_bv_term of[2], bad;
  bool variable = false, old;
  if (!t->bv || hd_code_op_arity(e->op) != 2 || e->type.kind != HD_TYPE_INT)
    return mays;
  uint8_t width = (uint8_t)e->type.width;
  for (int i = 0; i < 2; i++)
    if (types[i].kind != HD_TYPE_INT || types[i].width != e->type.width ||
        !term_of(t, width, &args[i], &of[i], &variable))
      return mays;
  if (mays & HD_MAY_OVERFLOW && !(e->flags & HD_CODE_NUW) &&
      overflow(t->bv, (hd_code_op)e->op, width, of, &bad) &&
      !may_hold(a, l, bad, &old))
    mays &= (hd_mays)~HD_MAY_OVERFLOW;
  bad = hd_bv_apply(t->bv, HD_BV_EQ, of[1], hd_bv_const(t->bv, width, 0));
  if (mays & HD_MAY_DIVIDE_BY_ZERO && !may_hold(a, l, bad, &old))
    mays &= (hd_mays)~HD_MAY_DIVIDE_BY_ZERO;
  bad = hd_bv_apply(t->bv, HD_BV_ULE, hd_bv_const(t->bv, width, width), of[1]);
  if (mays & HD_MAY_SHIFT_TOO_FAR && !may_hold(a, l, bad, &old))
    mays &= (hd_mays)~HD_MAY_SHIFT_TOO_FAR;
  return mays;
}

bool hd_terms_assume(analysis *a, local *l, const hd_value *v, uint8_t width,
                     bool truth) {
  terms *t = a->terms;
  uint64_t bits;
  if (!t->bv || !v->term || !is_plain(v) || hd_value_is_const(v, &bits))
    return true;
  hd_bv_term x = v->term - 1;
  if (width > 1) {
    hd_bv_term zero = hd_bv_const(t->bv, width, 0);
    x = hd_bv_not(t->bv, hd_bv_apply(t->bv, HD_BV_EQ, x, zero));
  }
  return assume(a, l, truth ? x : hd_bv_not(t->bv, x));
}

bool hd_terms_fix(analysis *a, local *l, const hd_value *v, uint8_t width,
                  const hd_value *is) {
  terms *t = a->terms;
  uint64_t bits;
  if (!t || !t->bv || !v->term || !is_plain(v) || !hd_value_is_const(is, &bits))
    return true;
  hd_bv_term c = hd_bv_const(t->bv, width, bits);
  return assume(a, l, hd_bv_apply(t->bv, HD_BV_EQ, v->term - 1, c));
}

/* --- what matters --- */

static uint64_t support(const terms *t, const hd_value *v) {
  return v->term ? hd_bv_support(t->bv, v->term - 1) : 0;
}

uint64_t hd_terms_in_value(analysis *a, const hd_value *v) {
  return support(a->terms, v);
}

uint64_t hd_terms_in_frame(analysis *a, const frame *f) {
  uint64_t set = 0;
  for (; f; f = f->below)
    for (uint32_t i = 0; i < f->n_regs; i++)
      set |= support(a->terms, &f->regs[i]);
  return set;
}

typedef struct {
  const terms *t;
  uint64_t set;
} gathering;

static void gather(void *context, hd_object_id object, uint32_t offset,
                   uint32_t bytes, const hd_value *value) {
  gathering *g = context;
  (void)object;
  (void)offset;
  (void)bytes;
  g->set |= support(g->t, value);
}

uint64_t hd_terms_in_memory(analysis *a, const hd_memory *memory) {
  gathering g = {.t = a->terms};
  if (a->terms->bv)
    hd_memory_each(memory, gather, &g);
  return g.set;
}

bool hd_terms_implied(analysis *a, const hd_u32s *by, const hd_u32s *of,
                      uint64_t variables) {
  const terms *t = a->terms;
  hd_u32s relevant = {0};
  bool all = true;
  if (t->bv)
    connected(t, of, &variables, &relevant);
  for (hd_vec_each(const uint32_t, x, &relevant))
    all = all && has(by, *x);
  hd_vec_free(&relevant);
  return all;
}

/* The terms on both paths, with the inputs of both. */
static trail *common(const trail *x, const trail *y) {
  hd_u32s p = {0}, q = {0};
  hd_terms_add_path(&p, x);
  hd_terms_add_path(&q, y);
  uint32_t inputs = inputs_of(x) > inputs_of(y) ? inputs_of(x) : inputs_of(y);
  local l = {NULL, NULL, NULL};
  if (inputs)
    extend(&l, 0, inputs);
  for (hd_vec_each(const uint32_t, term, &p))
    if (has(&q, *term))
      extend(&l, *term + 1, inputs);
  hd_vec_free(&p);
  hd_vec_free(&q);
  return l.path;
}

bool hd_terms_merge(analysis *a, const local *x, const local *y, trail **both) {
  if (x->path == y->path) {
    *both = hd_trail_keep(x->path);
    return true;
  }
  uint64_t variables =
      hd_terms_in_frame(a, x->top) | hd_terms_in_memory(a, x->memory);
  hd_u32s p = {0}, q = {0};
  hd_terms_add_path(&p, x->path);
  hd_terms_add_path(&q, y->path);
  bool same = hd_terms_implied(a, &p, &q, variables) &&
              hd_terms_implied(a, &q, &p, variables);
  hd_vec_free(&p);
  hd_vec_free(&q);
  *both = same ? common(x->path, y->path) : NULL;
  return same;
}
