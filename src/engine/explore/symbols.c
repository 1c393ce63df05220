/* SPDX-License-Identifier: MIT */
/* Inputs as variables: which there are, the values at hand, and others. */
#include "engine/explore/symbols_impl.h"

#include "base/word.h"
#include "check/interp/lib.h"

enum { CROWD = 500 };

static bool input(hd_machine *m, hd_thread *t, uint64_t choice,
                  hd_machine_value *out);

hd_symbols *hd_symbols_new(void) {
  hd_symbols *s = hd_calloc(1, sizeof *s);
  s->hooks = hd_symbol_operations;
  s->hooks.input = input;
  s->bv = hd_bv_new();
  s->round = 1;
  unsigned n = 0;
  for (unsigned mask = 0; mask < 256; mask++) {
    bool low = !(mask & (mask + 1)); /* also 0 */
    s->index[mask] = low ? 0xff : (uint8_t)n;
    if (!low)
      s->mask[n++] = (uint8_t)mask;
  }
  assert(n == HD_SYM_MASKS);
  return s;
}

static void forget(hd_symbols *s) {
  hd_vec_clear(&s->bytes);
  hd_byte_map_free(&s->numbers);
  s->numbers = (hd_byte_map){0};
  hd_vec_clear(&s->decisions);
  s->round++;
}

void hd_symbols_delete(hd_symbols *s) {
  if (!s)
    return;
  forget(s);
  hd_bv_delete(s->bv);
  hd_vec_free(&s->symbols);
  hd_vec_free(&s->marked);
  hd_vec_free(&s->planned);
  hd_vec_free(&s->bytes);
  hd_vec_free(&s->values);
  hd_vec_free(&s->decided);
  hd_vec_free(&s->decisions);
  hd_vec_free(&s->done);
  hd_free(s);
}

/* --- inputs --- */

void hd_symbols_mark(hd_symbols *s, hd_edge_id edge) {
  for (hd_vec_each(const hd_edge_id, e, &s->marked))
    if (*e == edge)
      return;
  hd_vec_push(&s->marked, edge);
}

static bool is_marked(const hd_symbols *s, hd_edge_id edge) {
  for (hd_vec_each(const hd_edge_id, e, &s->marked))
    if (*e == edge)
      return true;
  return false;
}

static hd_type type_of(const hd_machine *m, const hd_cedge *e) {
  const hd_code *code = m->plan->code;
  const hd_func *f = &code->funcs.data[code->locs.data[e->from].func];
  return code->regs.data[f->regs + hd_code_target(code, e, 0)].type;
}

bool hd_symbols_may(const hd_machine *m, hd_tid tid) {
  const hd_thread *t = hd_thread_of(m, tid);
  if (!m->plan->wide || t->wait != HD_WAIT_NONE || !hd_machine_is_input(m, tid))
    return false;
  const hd_cedge *e = &m->plan->code->edges.data[t->next];
  hd_library_fn fn = hd_thread_callee(m, t, NULL);
  return e->n_targets == 1 && type_of(m, e).kind != HD_TYPE_PTR &&
         fn != HD_LIB_getpid;
}

static uint64_t nearest_to_zero(int64_t low, uint64_t n) {
  uint64_t choice = 0 - (uint64_t)low;
  return n == UINT64_MAX || choice < n ? choice : 0;
}

/* The number of the symbol, made if it is a new one. */
static size_t symbol_at(const hd_machine *m, const hd_thread *t) {
  hd_symbols *s = m->plan->options->symbols;
  hd_symbol fresh = {.thread = t->id,
                     .count = t->inputs,
                     .edge = t->next,
                     .low = hd_machine_input_low(m, t->id),
                     .n = hd_machine_choices(m, t->id)};
  fresh.width = type_of(m, &m->plan->code->edges.data[t->next]).width;
  for (size_t i = 0; i < s->symbols.size; i++) {
    const hd_symbol *x = &s->symbols.data[i];
    if (x->thread == fresh.thread && x->count == fresh.count &&
        x->edge == fresh.edge && x->low == fresh.low && x->n == fresh.n &&
        x->width == fresh.width)
      return i;
  }
  size_t number = s->symbols.size;
  fresh.term = hd_bv_var(s->bv, fresh.width);
  uint64_t mask = hd_word_mask(fresh.width);
  fresh.value =
      number < s->planned.size
          ? s->planned.data[number]
          : ((uint64_t)fresh.low + nearest_to_zero(fresh.low, fresh.n)) & mask;
  hd_vec_push(&s->symbols, fresh);
  return number;
}

bool hd_symbols_crowded(const hd_symbols *s) {
  return s->symbols.size >= CROWD;
}

bool hd_symbols_choice(const hd_machine *m, hd_tid tid, uint64_t *choice) {
  const hd_thread *t = hd_thread_of(m, tid);
  if (!m->plan->options->symbols || t->next == HD_NO_ID ||
      !is_marked(m->plan->options->symbols, t->next) || !hd_symbols_may(m, tid))
    return false;
  size_t number = symbol_at(m, t);
  const hd_symbol *x = &m->plan->options->symbols->symbols.data[number];
  *choice = (x->value - (uint64_t)x->low) & hd_word_mask(x->width);
  return true;
}

static bool input(hd_machine *m, hd_thread *t, uint64_t choice,
                  hd_machine_value *out) {
  uint64_t planned;
  if (!hd_symbols_choice(m, t->id, &planned))
    return false;
  hd_symbols *s = m->plan->options->symbols;
  size_t number = symbol_at(m, t);
  const hd_symbol *x = &s->symbols.data[number];
  if (planned != choice)
    return false; /* somebody tries another one: an ordinary value */
  t->inputs++;
  if (t->id)
    m->plan->partial = true; /* threads differ by what they will ask for */
  *out = hd_sym_value(s, hd_sym_with(s, x->term, x->value));
  return true;
}

/* --- other values --- */

static void add_ranges(hd_symbols *s, hd_term_list *terms) {
  for (hd_vec_each(const hd_symbol, x, &s->symbols)) {
    if (x->n == UINT64_MAX || (x->width < 64 && x->n >> x->width))
      continue;
    hd_bv_term low = hd_bv_const(s->bv, x->width, (uint64_t)x->low);
    hd_bv_term far = hd_bv_apply(s->bv, HD_BV_SUB, x->term, low);
    hd_bv_term most = hd_bv_const(s->bv, x->width, x->n - 1);
    hd_vec_push(terms, hd_bv_apply(s->bv, HD_BV_ULE, far, most));
  }
}

static void take_model(const hd_symbols *s, hd_symbol_values *values) {
  hd_vec_clear(values);
  for (hd_vec_each(const hd_symbol, x, &s->symbols))
    hd_vec_push(values, hd_bv_value(s->bv, x->term));
}

hd_symbols_rest hd_symbols_advance(hd_symbols *s, double seconds) {
  hd_bv_term all = hd_bv_const(s->bv, 1, 1);
  for (hd_vec_each(const hd_bv_term, t, &s->decisions))
    all = hd_bv_apply(s->bv, HD_BV_AND, all, *t);
  hd_vec_push(&s->done, hd_bv_not(s->bv, all));
  hd_term_list terms = {0};
  add_ranges(s, &terms);
  for (hd_vec_each(const hd_bv_term, t, &s->done))
    hd_vec_push(&terms, *t);
  hd_smt_status status = hd_bv_solve(s->bv, terms.data, terms.size, seconds);
  hd_vec_free(&terms);
  if (status != HD_SMT_SAT)
    return status == HD_SMT_UNSAT ? HD_SYMBOLS_ALL : HD_SYMBOLS_OPEN;
  hd_symbol_values values = {0};
  take_model(s, &values);
  hd_symbols_set(s, &values);
  hd_vec_free(&values);
  return HD_SYMBOLS_MORE;
}

size_t hd_symbols_decisions(const hd_symbols *s) {
  return s->decisions.size;
}

bool hd_symbols_turn(hd_symbols *s, size_t i, double seconds,
                     hd_symbol_values *values) {
  assert(i < s->decisions.size);
  hd_term_list terms = {0};
  add_ranges(s, &terms);
  for (size_t k = 0; k < i; k++)
    hd_vec_push(&terms, s->decisions.data[k]);
  hd_vec_push(&terms, hd_bv_not(s->bv, s->decisions.data[i]));
  bool found =
      hd_bv_solve(s->bv, terms.data, terms.size, seconds) == HD_SMT_SAT;
  hd_vec_free(&terms);
  if (found)
    take_model(s, values);
  return found;
}

void hd_symbols_set(hd_symbols *s, const hd_symbol_values *values) {
  forget(s);
  hd_vec_clear(&s->planned);
  for (hd_vec_each(const uint64_t, v, values))
    hd_vec_push(&s->planned, *v);
  for (size_t i = 0; i < s->symbols.size && i < values->size; i++)
    s->symbols.data[i].value = values->data[i];
}
