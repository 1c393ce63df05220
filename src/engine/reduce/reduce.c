/* SPDX-License-Identifier: MIT */
#include "engine/reduce/reduce.h"

#include "base/hash.h"
#include "model/split.h"

#include <stdlib.h>
#include <string.h>

#define HD_MAP hash_map
#define HD_KEY uint64_t
#define HD_VAL uint32_t
#define HD_HASH(k) (k)
#define HD_EQ(a, b) ((a) == (b))
#include "base/map_templ.h"

static bool same_trans(const hd_net *net, hd_trans_id a, hd_trans_id b) {
  const hd_trans *x = &net->trans.data[a], *y = &net->trans.data[b];
  if (x->from != y->from || x->to != y->to || x->moves.size != y->moves.size)
    return false;
  for (uint32_t i = 0; i < x->moves.size; i++) {
    const hd_move *m = &hd_net_moves(net, a)[i], *n = &hd_net_moves(net, b)[i];
    if (m->from != n->from || m->to != n->to)
      return false;
  }
  return hd_tokens_equal(hd_net_pre(net, a), hd_net_pre(net, b)) &&
         hd_tokens_equal(hd_net_post(net, a), hd_net_post(net, b)) &&
         hd_tokens_equal(hd_net_caps(net, a), hd_net_caps(net, b));
}

static bool changes_nothing(const hd_net *net, hd_trans_id t) {
  const hd_trans *tr = &net->trans.data[t];
  return tr->from == tr->to && !tr->moves.size &&
         hd_tokens_equal(hd_net_pre(net, t), hd_net_post(net, t));
}

static uint64_t hash_trans(const hd_net *net, hd_trans_id t) {
  const hd_trans *tr = &net->trans.data[t];
  uint64_t h = hd_hash_mix(tr->from, tr->to);
  h = hd_hash_mix(h, hd_tokens_hash(hd_net_pre(net, t)));
  h = hd_hash_mix(h, hd_tokens_hash(hd_net_post(net, t)));
  return hd_hash_mix(h, tr->moves.size);
}

/* Removes ignored places from the post-vectors. */
static void trim(hd_net *net, const hd_u32s *ignored) {
  uint64_t *drop = hd_calloc(hd_bits_words(net->n_places), sizeof *drop);
  for (size_t i = 0; i < ignored->size; i++)
    hd_bits_set(drop, ignored->data[i]);
  for (hd_vec_each(hd_trans, t, &net->trans)) {
    hd_token *post = t->post.size ? net->tokens.data + t->post.start : NULL;
    uint32_t kept = 0;
    for (uint32_t i = 0; i < t->post.size; i++)
      if (!hd_bits_test(drop, post[i].place))
        post[kept++] = post[i];
    t->post.size = kept;
  }
  hd_free(drop);
}

/* The kept transitions of `net` without ignored places, without no-ops and
 * without repetitions (the first of equal ones stays). */
static void build(hd_reduced *r, const hd_net *net, const uint64_t *keep) {
  hd_u32s ids = {0};
  for (hd_trans_id t = 0; t < net->trans.size; t++)
    if (hd_bits_test(keep, t))
      hd_vec_push(&ids, t);
  hd_net *trimmed = hd_net_restrict(net, ids.data, ids.size);
  trim(trimmed, &r->ignored);
  hd_u32s unique = {0};
  hash_map seen = {0};
  for (hd_trans_id t = 0; t < trimmed->trans.size; t++) {
    if (changes_nothing(trimmed, t))
      continue;
    bool fresh;
    uint32_t first = *hash_map_put(&seen, hash_trans(trimmed, t), t, &fresh);
    if (!fresh && same_trans(trimmed, first, t))
      continue;
    hd_vec_push(&unique, t);
    hd_vec_push(&r->origin, ids.data[t]);
  }
  r->net = hd_net_restrict(trimmed, unique.data, unique.size);
  for (size_t i = 0; i < r->ignored.size; i++)
    r->net->init[r->ignored.data[i]] = (hd_init){0};
  hd_net_finish(r->net);
  hash_map_free(&seen);
  hd_net_delete(trimmed);
  hd_vec_free(&ids);
  hd_vec_free(&unique);
}

static bool all_excluded(const hd_net *net, const hd_cert *tset) {
  for (hd_vec_each(const hd_target, target, &net->targets))
    if (!hd_reduce_excludes(tset, target, hd_net_view(net, target->need)))
      return false;
  return true;
}

static hd_reduced *reduce(const hd_net *input, bool backward) {
  hd_reduced *r = hd_calloc(1, sizeof *r);
  hd_net *split = NULL;
  if (hd_reduce_find_control(input, &r->control)) {
    hd_str why = {0};
    split = hd_split(input, r->control.data, r->control.size, &why);
    if (!split)
      hd_vec_clear(&r->control);
    hd_str_free(&why);
  }
  const hd_net *net = split ? split : input;
  uint64_t *keep = hd_calloc(hd_bits_words(net->trans.size), sizeof *keep);
  r->tset = hd_reduce_tset(net, keep);
  r->safe = backward && all_excluded(net, r->tset);
  if (backward)
    hd_reduce_slice(net, r->tset, keep, &r->ignored);
  build(r, net, keep);
  hd_free(keep);
  hd_net_delete(split);
  return r;
}

hd_reduced *hd_reduce(const hd_net *net, hd_run *run) {
  (void)run;
  return reduce(net, true);
}

hd_reduced *hd_reduce_forward(const hd_net *net) {
  return reduce(net, false);
}

void hd_reduced_delete(hd_reduced *reduced) {
  if (!reduced)
    return;
  hd_net_delete(reduced->net);
  hd_cert_delete(reduced->tset);
  hd_vec_free(&reduced->origin);
  hd_vec_free(&reduced->control);
  hd_vec_free(&reduced->ignored);
  hd_free(reduced);
}

static void copy_ids(hd_u32s *into, const hd_u32s *from) {
  hd_vec_clear(into);
  for (size_t i = 0; i < from->size; i++)
    hd_vec_push(into, from->data[i]);
}

static int by_id(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

/* The union of two lists without repetition, sorted. */
static void add_ids(hd_u32s *into, const hd_u32s *from) {
  size_t kept = 0;
  for (size_t i = 0; i < from->size; i++)
    hd_vec_push(into, from->data[i]);
  if (into->size)
    qsort(into->data, into->size, sizeof *into->data, by_id);
  for (size_t i = 0; i < into->size; i++)
    if (!kept || into->data[kept - 1] != into->data[i])
      into->data[kept++] = into->data[i];
  into->size = kept;
}

/* Ignored and control places have no tokens in the reduced net: the witness
 * gets the least number the input prescribes. */
static void lift_init(const hd_reduced *reduced, const hd_net *input,
                      hd_token_vec *init) {
  const hd_u32s *lists[] = {&reduced->ignored, &reduced->control};
  for (size_t k = 0; k < 2; k++)
    for (size_t i = 0; i < lists[k]->size; i++) {
      hd_place_id p = lists[k]->data[i];
      hd_count min = input->init[p].min;
      if (min && !hd_tokens_at(hd_token_vec_view(init), p)) {
        hd_vec_push(init, ((hd_token){.place = p, .count = min}));
        if (!hd_token_vec_normalise(init))
          hd_bug("an initial count overflowed");
      }
    }
}

void hd_reduced_lift(const hd_reduced *reduced, const hd_net *input,
                     hd_result *result) {
  if (result->witness) {
    for (hd_vec_each(hd_step, step, &result->witness->steps))
      step->trans = reduced->origin.data[step->trans];
    lift_init(reduced, input, &result->witness->init);
  }
  if (result->cert) {
    hd_cert_copy_rows(result->cert, reduced->tset);
    copy_ids(&result->cert->control, &reduced->control);
    if (result->cert->kind == HD_CERT_COVER)
      add_ids(&result->cert->ignored, &reduced->ignored);
  }
}

static void run_reduce(const hd_problem *problem, hd_run *run,
                       hd_result *result) {
  (void)run;
  hd_cert *tset = hd_reduce_tset(problem->net, NULL);
  if (all_excluded(problem->net, tset)) {
    result->verdict = HD_SAFE;
    result->cert = tset;
    return;
  }
  hd_cert_delete(tset);
  hd_result_unknown(result, "a target is within the thread-modular "
                            "over-approximation; try --engine=bws");
}

const hd_engine hd_reduce_engine = {
    .name = "reduce",
    .summary = "thread-modular reachability and slicing; runs before every "
               "other engine, decides many safe systems alone",
    .run = run_reduce,
};
