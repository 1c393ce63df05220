/* SPDX-License-Identifier: MIT */
/* The same rows and columns as equation.c, for integers. */
#include "engine/tse/integral.h"
#include "engine/tse/equation_impl.h"
#include "solve/smt.h"

typedef hd_vec(hd_smt_term) terms;

typedef struct {
  const hd_eq *eq;
  const hd_net *net;
  hd_smt *smt;
  uint32_t *var;  /* of a column, HD_EQ_NONE: closed */
  uint32_t *move; /* of a move */
  terms *rows;    /* one for each place, then for each shared state */
} builder;

static void add_term(builder *b, uint32_t node, uint32_t var, int64_t value) {
  for (hd_vec_each(hd_smt_term, t, &b->rows[node]))
    if (t->index == var) {
      t->value += value;
      return;
    }
  hd_vec_push(&b->rows[node], ((hd_smt_term){.index = var, .value = value}));
}

static void add_column(builder *b, uint32_t column) {
  hd_trans_id t = b->eq->leader.data[column];
  const hd_trans *trans = &b->net->trans.data[t];
  hd_tokens pre = hd_net_pre(b->net, t), post = hd_net_post(b->net, t);
  uint32_t var = b->var[column] = hd_smt_add_var(b->smt, 0);
  for (size_t i = 0; i < pre.size; i++)
    add_term(b, pre.data[i].place, var, -(int64_t)pre.data[i].count);
  for (size_t i = 0; i < post.size; i++)
    add_term(b, post.data[i].place, var, post.data[i].count);
  if (trans->from != trans->to) {
    add_term(b, b->net->n_places + trans->from, var, -1);
    add_term(b, b->net->n_places + trans->to, var, 1);
  }
}

static void add_columns(builder *b) {
  for (uint32_t c = 0; c < b->eq->n_cols; c++) {
    b->var[c] = HD_EQ_NONE;
    if (b->eq->users[c])
      add_column(b, c);
  }
  for (uint32_t i = 0; i < b->eq->moves.size; i++) {
    hd_move m = b->eq->moves.data[i];
    b->move[i] = hd_smt_add_var(b->smt, 0);
    add_term(b, m.from, b->move[i], -1);
    if (m.to != HD_NOWHERE)
      add_term(b, m.to, b->move[i], 1);
  }
}

static void add_rows(builder *b, hd_shared_id shared, hd_tokens need) {
  const hd_net *net = b->net;
  for (hd_place_id p = 0; p < net->n_places; p++) {
    if (net->init[p].max == HD_OMEGA)
      continue;
    int64_t lower = (int64_t)hd_tokens_at(need, p) - (int64_t)net->init[p].max;
    if (b->rows[p].size || lower > 0)
      hd_smt_add_row(b->smt, b->rows[p].data, b->rows[p].size, lower,
                     HD_SMT_NO_UPPER);
  }
  for (hd_shared_id s = 0; s < net->n_shared && net->n_shared > 1; s++) {
    terms *row = &b->rows[net->n_places + s];
    int64_t balance = (s == shared ? 1 : 0) - (s == net->init_shared ? 1 : 0);
    bool open =
        shared == HD_ANY_SHARED && hd_eq_may_end(b->eq, s, shared, need);
    hd_smt_add_row(b->smt, row->data, row->size, balance,
                   open ? HD_SMT_NO_UPPER : balance);
  }
}

/* The sum of the rows of its members, at least one token. */
static void add_trap(builder *b, const hd_trap *trap) {
  const hd_net *net = b->net;
  int64_t start = hd_bits_test(trap->shared, net->init_shared) ? 1 : 0;
  terms sum = {0};
  for (uint32_t node = 0; node < net->n_places + net->n_shared; node++) {
    bool is_place = node < net->n_places;
    if (!(is_place ? hd_bits_test(trap->places, node)
                   : hd_bits_test(trap->shared, node - net->n_places)))
      continue;
    start += is_place ? net->init[node].max : 0;
    for (hd_vec_each(const hd_smt_term, t, &b->rows[node]))
      hd_vec_push(&sum, *t);
  }
  hd_smt_add_row(b->smt, sum.data, sum.size, 1 - start, HD_SMT_NO_UPPER);
  hd_vec_free(&sum);
}

hd_integral_status hd_eq_integral(const hd_eq *eq, hd_shared_id shared,
                                  hd_tokens need, double seconds) {
  const hd_net *net = eq->net;
  uint32_t nodes = net->n_places + net->n_shared;
  builder b = {.eq = eq,
               .net = net,
               .smt = hd_smt_new(),
               .var = hd_calloc(eq->n_cols, sizeof *b.var),
               .move = hd_calloc(eq->moves.size, sizeof *b.move),
               .rows = hd_calloc(nodes, sizeof *b.rows)};
  add_columns(&b);
  add_rows(&b, shared, need);
  for (uint32_t k = 0; k < eq->trap_row.size; k++)
    if (eq->trap_row.data[k] != HD_EQ_NONE)
      add_trap(&b, &eq->cert->traps.data[k]);
  hd_smt_status status = hd_smt_solve(b.smt, seconds);
  for (uint32_t i = 0; i < nodes; i++)
    hd_vec_free(&b.rows[i]);
  hd_free(b.rows);
  hd_free(b.var);
  hd_free(b.move);
  hd_smt_delete(b.smt);
  return status == HD_SMT_SAT     ? HD_INTEGRAL_POSSIBLE
         : status == HD_SMT_UNSAT ? HD_INTEGRAL_NONE
                                  : HD_INTEGRAL_UNKNOWN;
}
