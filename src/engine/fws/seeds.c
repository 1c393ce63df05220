/* SPDX-License-Identifier: MIT */
#include "engine/fws/seeds.h"

void hd_fws_seeds_init(fws_seeds *seeds, const fws_rules *rules) {
  const hd_net *net = rules->net;
  *seeds = (fws_seeds){.net = net};
  for (hd_place_id p = 0; p < net->n_places; p++) {
    assert(net->init[p].min <= net->init[p].max);
    bool exact = hd_bits_test(rules->exact, p);
    bool varies = exact && net->init[p].max > net->init[p].min;
    hd_token token = {p, exact ? net->init[p].min : net->init[p].max};
    if (varies)
      hd_vec_push(&seeds->varying, (uint32_t)seeds->tokens.size);
    if (varies || token.count)
      hd_vec_push(&seeds->tokens, token);
    if (token.count != HD_OMEGA)
      seeds->lightest += token.count;
  }
}

void hd_fws_seeds_free(fws_seeds *seeds) {
  hd_vec_free(&seeds->tokens);
  hd_vec_free(&seeds->varying);
}

bool hd_fws_seeds_first(fws_seeds *seeds, uint64_t bound) {
  for (size_t i = 0; i < seeds->varying.size; i++) {
    hd_token *token = &seeds->tokens.data[seeds->varying.data[i]];
    token->count = seeds->net->init[token->place].min;
  }
  seeds->weight = seeds->lightest;
  seeds->cut = seeds->weight > bound;
  return !seeds->cut;
}

bool hd_fws_seeds_next(fws_seeds *seeds, uint64_t bound) {
  assert(seeds->weight <= bound);
  for (size_t i = 0; i < seeds->varying.size; i++) {
    hd_token *token = &seeds->tokens.data[seeds->varying.data[i]];
    hd_init init = seeds->net->init[token->place];
    if (token->count < init.max && seeds->weight < bound) {
      token->count++;
      seeds->weight++;
      return true;
    }
    seeds->cut = seeds->cut || token->count < init.max;
    assert(token->count >= init.min && seeds->weight >= token->count);
    seeds->weight -= token->count - init.min;
    token->count = init.min;
  }
  return false;
}

void hd_fws_seeds_pack(const fws_seeds *seeds, fws_bytes *out) {
  hd_place_id last = UINT32_MAX;
  uint8_t *at = hd_fws_pack_start(out, seeds->tokens.size);
  at = hd_fws_pack_number(at, seeds->net->init_shared);
  for (size_t i = 0; i < seeds->tokens.size; i++) {
    hd_token token = seeds->tokens.data[i];
    if (token.count)
      at = hd_fws_pack_token(at, &last, token.place, token.count);
  }
  hd_fws_pack_end(out, at);
}
