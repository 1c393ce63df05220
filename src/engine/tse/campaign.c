/* SPDX-License-Identifier: MIT */
#include "engine/tse/campaign.h"

#include <math.h>

void hd_campaign_init(hd_campaign *c, const hd_net *net, const hd_cert *tset) {
  *c = (hd_campaign){.net = net, .tset = tset, .tokens = 1};
  c->cert = hd_cert_new(HD_CERT_BACKWARD, net->n_shared, net->n_places);
  c->strong = hd_strong_new(net, tset, c->cert);
  for (uint32_t i = (uint32_t)net->targets.size; i-- > 0;)
    hd_vec_push(&c->open, i);
}

void hd_campaign_free(hd_campaign *c) {
  hd_strong_delete(c->strong);
  hd_cert_delete(c->cert);
  hd_vec_free(&c->open);
}

/* Drops the traps that no inequality uses. */
static void drop_unused_traps(hd_cert *cert) {
  uint32_t *number = hd_calloc(cert->traps.size, sizeof *number), kept = 0;
  for (hd_vec_each(const hd_trap_use, use, &cert->trap_uses))
    number[use->trap] = 1;
  for (size_t k = 0; k < cert->traps.size; k++) {
    hd_trap trap = cert->traps.data[k];
    if (number[k]) {
      number[k] = kept;
      cert->traps.data[kept++] = trap;
    } else {
      hd_free(trap.places);
      hd_free(trap.shared);
    }
  }
  cert->traps.size = kept;
  for (hd_vec_each(hd_trap_use, use, &cert->trap_uses))
    use->trap = number[use->trap];
  hd_free(number);
}

hd_cert *hd_campaign_take(hd_campaign *c) {
  hd_cert *cert = c->cert;
  assert(!c->open.size);
  drop_unused_traps(cert);
  if (c->tset && c->tset->rows)
    hd_cert_copy_rows(cert, c->tset);
  c->cert = NULL;
  return cert;
}

/* --- what still matters --- */

static void mark(uint64_t *live, hd_u32s *queue, hd_shared_id s) {
  if (hd_bits_test(live, s))
    return;
  hd_bits_set(live, s);
  hd_vec_push(queue, s);
}

/* Drops the transitions that no target from position `first` on, nor one of the
 * `kept` first ones, can need. */
static void prune(hd_campaign *c, size_t kept, size_t first) {
  const hd_net *net = c->net;
  hd_eq *eq = hd_strong_equation(c->strong);
  uint64_t *live = hd_calloc(hd_bits_words(net->n_shared), sizeof *live);
  hd_u32s queue = {0};
  for (size_t i = 0; i < c->open.size; i++) {
    hd_shared_id shared = net->targets.data[c->open.data[i]].shared;
    if (i >= kept && i < first)
      continue;
    for (hd_shared_id s = 0; s < net->n_shared; s++)
      if (s == shared || shared == HD_ANY_SHARED)
        mark(live, &queue, s);
  }
  while (queue.size) {
    hd_shared_id s = hd_vec_pop(&queue);
    for (uint32_t i = net->to_start[s]; i < net->to_start[s + 1]; i++)
      if (hd_eq_alive(eq, net->to_ids[i]))
        mark(live, &queue, net->trans.data[net->to_ids[i]].from);
  }
  for (hd_trans_id t = 0; t < net->trans.size; t++)
    if (!hd_bits_test(live, net->trans.data[t].to))
      hd_eq_kill(eq, t);
  hd_free(live);
  hd_vec_free(&queue);
}

/* --- exclusion --- */

static uint32_t as_count(double x) {
  return x < 1 ? 1 : x > HD_COUNT_MAX ? HD_COUNT_MAX : (uint32_t)ceil(x - 1e-6);
}

/* Tokens a run like the solution needs besides those that stay in unbounded
 * places: at the end, or taken from them on the way. */
static uint32_t tokens_used(hd_eq *eq) {
  const hd_net *net = hd_eq_net(eq);
  double taken = 0, left = 0;
  for (hd_place_id p = 0; p < net->n_places; p++) {
    double count = hd_eq_marking(eq, p);
    if (net->init[p].max != HD_OMEGA) {
      left += count;
      taken += net->init[p].max;
    } else if (count < 0) {
      taken -= count;
    }
  }
  return as_count(taken > left ? taken : left);
}

static hd_eq_status exclude_one(hd_campaign *c, const hd_target *target,
                                uint64_t effort, hd_run *run) {
  hd_tokens need = hd_net_view(c->net, target->need);
  bool settled = false;
  if (!hd_run_check(run))
    return HD_EQ_UNKNOWN;
  hd_eq_status status =
      hd_strong_exclude(c->strong, target->shared, need, effort, run, &settled);
  if (status == HD_EQ_POSSIBLE) {
    uint32_t used = tokens_used(hd_strong_equation(c->strong));
    c->tokens = used < c->tokens ? used : c->tokens;
    c->settled = c->settled && settled;
  }
  return status;
}

void hd_campaign_exclude(hd_campaign *c, uint64_t effort, hd_run *run) {
  size_t kept = 0, n = c->open.size;
  c->settled = true;
  c->tokens = HD_COUNT_MAX;
  for (size_t i = 0; i < n; i++) {
    uint32_t index = c->open.data[i];
    const hd_target *target = &c->net->targets.data[index];
    hd_tokens need = hd_net_view(c->net, target->need);
    if (hd_eq_known(c->cert, c->tset, target->shared, need))
      continue;
    hd_eq_status status = exclude_one(c, target, effort, run);
    if (status != HD_EQ_EXCLUDED)
      c->open.data[kept++] = index;
    else if (c->net->n_shared > 1)
      prune(c, kept, i + 1);
    c->settled = c->settled && status != HD_EQ_UNKNOWN;
  }
  c->open.size = kept;
  if (c->tokens == HD_COUNT_MAX)
    c->tokens = 1;
}
