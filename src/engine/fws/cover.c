/* SPDX-License-Identifier: MIT */
/* An exhausted search as a certificate. What was seen is closed under every
 * transition that matters and has no target above, so the maximal
 * configurations are a cover. They are looked for within a budget of
 * comparisons; whatever is left then goes into the cover as it is, which makes
 * it larger, not wrong.
 *
 * One configuration lies strictly below another only if that one has more
 * HD_OMEGA, or as many and more finite tokens. In that order each needs to be
 * compared with those before it only. */
#include "engine/fws/search.h"

#include <stdlib.h>

enum { MAX_CONFIGS = 200000, MAX_COMPARISONS = 20000000 };

typedef struct {
  uint32_t id;
  hd_shared_id shared;
  uint32_t omegas;
  uint64_t weight;
  uint64_t signature;
  hd_range tokens;
} item;

typedef struct {
  hd_vec(item) items;
  hd_token_vec pool;
  hd_vec(item) kept; /* of the present shared state */
  uint64_t comparisons;
} sorter;

static int by_size(const void *a, const void *b) {
  const item *x = a, *y = b;
  if (x->shared != y->shared)
    return x->shared < y->shared ? -1 : 1;
  if (x->omegas != y->omegas)
    return x->omegas > y->omegas ? -1 : 1;
  if (x->weight != y->weight)
    return x->weight > y->weight ? -1 : 1;
  return (x->id > y->id) - (x->id < y->id);
}

static hd_tokens tokens_of(const sorter *s, const item *i) {
  return (hd_tokens){.data =
                         i->tokens.size ? s->pool.data + i->tokens.start : NULL,
                     .size = i->tokens.size};
}

static void gather(sorter *s, const fws_search *search) {
  fws_config config = {0};
  for (uint32_t id = 0; id < search->store.nodes.size; id++) {
    hd_fws_store_get(&search->store, id, &config);
    hd_tokens view = hd_token_vec_view(&config.tokens);
    item i = {.id = id,
              .shared = config.shared,
              .weight = hd_fws_weight(view),
              .signature = hd_tokens_signature(view),
              .tokens = {(uint32_t)s->pool.size, (uint32_t)view.size}};
    for (size_t k = 0; k < view.size; k++) {
      i.omegas += view.data[k].count == HD_OMEGA;
      hd_vec_push(&s->pool, view.data[k]);
    }
    hd_vec_push(&s->items, i);
  }
  hd_vec_free(&config.tokens);
  if (s->items.size > 1)
    qsort(s->items.data, s->items.size, sizeof(item), by_size);
}

static bool is_covered(sorter *s, const item *low) {
  for (size_t k = 0; k < s->kept.size; k++) {
    const item *high = &s->kept.data[k];
    assert(high->shared == low->shared && high->omegas >= low->omegas);
    if (high->omegas == low->omegas && high->weight == low->weight)
      break;
    if (++s->comparisons > MAX_COMPARISONS)
      break;
    if (!(low->signature & ~high->signature) &&
        hd_tokens_covers(tokens_of(s, high), tokens_of(s, low)))
      return true;
  }
  return false;
}

hd_cert *hd_fws_cover(const fws_search *search, hd_run *run) {
  const hd_net *net = search->rules->net;
  if (search->store.nodes.size > MAX_CONFIGS)
    return NULL;
  assert(!search->order.n_open && search->found == FWS_NONE);
  assert(!search->rules->caps || !(net->features & HD_HAS_CAPS));
  sorter s = {0};
  gather(&s, search);
  hd_cert *cert = hd_cert_new(HD_CERT_COVER, net->n_shared, net->n_places);
  for (size_t i = 0; cert && i < s.items.size; i++) {
    const item *now = &s.items.data[i];
    if (i && now[-1].shared != now->shared)
      hd_vec_clear(&s.kept);
    if (i % 1024 == 0 && !hd_run_check(run)) {
      hd_cert_delete(cert);
      cert = NULL;
    } else if (!is_covered(&s, now)) {
      hd_cert_add_config(cert, now->shared, tokens_of(&s, now));
      hd_vec_push(&s.kept, *now);
    }
  }
  hd_vec_free(&s.items);
  hd_vec_free(&s.pool);
  hd_vec_free(&s.kept);
  return cert;
}
