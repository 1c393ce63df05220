/* SPDX-License-Identifier: MIT */
#include "model/evidence.h"

#include <string.h>

hd_witness *hd_witness_new(void) {
  return hd_calloc(1, sizeof(hd_witness));
}

void hd_witness_delete(hd_witness *witness) {
  if (!witness)
    return;
  hd_vec_free(&witness->init);
  hd_vec_free(&witness->steps);
  hd_vec_free(&witness->choices);
  hd_free(witness);
}

/* Walks the steps backward keeping what must be there before each: dense, since
 * witnesses are few and long. */
bool hd_witness_find_init(hd_witness *witness, const hd_net *net) {
  assert(!(net->features & (HD_HAS_MOVES | HD_HAS_CAPS)));
  uint64_t *need = hd_calloc(net->n_places, sizeof *need);
  hd_tokens goal = hd_net_view(net, net->targets.data[witness->target].need);
  for (size_t i = 0; i < goal.size; i++)
    need[goal.data[i].place] = goal.data[i].count;
  for (size_t k = witness->steps.size; k-- > 0;) {
    hd_trans_id t = witness->steps.data[k].trans;
    hd_tokens pre = hd_net_pre(net, t), post = hd_net_post(net, t);
    for (size_t i = 0; i < post.size; i++) {
      uint64_t *n = &need[post.data[i].place];
      *n = *n > post.data[i].count ? *n - post.data[i].count : 0;
    }
    for (size_t i = 0; i < pre.size; i++)
      need[pre.data[i].place] += pre.data[i].count;
  }
  bool ok = true;
  hd_vec_clear(&witness->init);
  for (hd_place_id p = 0; p < net->n_places; p++) {
    uint64_t n = need[p] > net->init[p].min ? need[p] : net->init[p].min;
    ok = ok && n <= net->init[p].max && n <= HD_COUNT_MAX;
    if (ok && n)
      hd_vec_push(&witness->init,
                  ((hd_token){.place = p, .count = (hd_count)n}));
  }
  hd_free(need);
  return ok;
}

hd_cert *hd_cert_new(hd_cert_kind kind, uint32_t n_shared, uint32_t n_places) {
  hd_cert *cert = hd_calloc(1, sizeof *cert);
  cert->kind = kind;
  cert->n_shared = n_shared;
  cert->n_places = n_places;
  return cert;
}

static void drop_rows(hd_cert *cert) {
  if (cert->rows)
    for (uint32_t s = 0; s < cert->n_shared; s++)
      hd_free(cert->rows[s]);
  hd_free(cert->rows);
  cert->rows = NULL;
}

void hd_cert_delete(hd_cert *cert) {
  if (!cert)
    return;
  drop_rows(cert);
  for (hd_vec_each(hd_linear, linear, &cert->linear)) {
    hd_free(linear->potential);
    hd_free(linear->weight);
  }
  hd_vec_free(&cert->linear);
  for (hd_vec_each(hd_trap, trap, &cert->traps)) {
    hd_free(trap->places);
    hd_free(trap->shared);
  }
  hd_vec_free(&cert->traps);
  hd_vec_free(&cert->trap_uses);
  hd_vec_free(&cert->control);
  hd_vec_free(&cert->configs);
  hd_vec_free(&cert->tokens);
  hd_vec_free(&cert->ignored);
  hd_free(cert);
}

void hd_cert_add_config(hd_cert *cert, hd_shared_id shared, hd_tokens tokens) {
  hd_config config = {.shared = shared,
                      .tokens = {.start = (uint32_t)cert->tokens.size,
                                 .size = (uint32_t)tokens.size}};
  for (size_t i = 0; i < tokens.size; i++)
    hd_vec_push(&cert->tokens, tokens.data[i]);
  hd_vec_push(&cert->configs, config);
}

void hd_cert_add_rows(hd_cert *cert) {
  drop_rows(cert);
  cert->rows = hd_calloc(cert->n_shared, sizeof *cert->rows);
}

uint64_t *hd_cert_row(hd_cert *cert, hd_shared_id shared) {
  assert(cert->rows && shared < cert->n_shared);
  if (!cert->rows[shared])
    cert->rows[shared] =
        hd_calloc(hd_bits_words(cert->n_places), sizeof(uint64_t));
  return cert->rows[shared];
}

hd_linear *hd_cert_add_linear(hd_cert *cert) {
  hd_linear linear = {.potential = hd_calloc(cert->n_shared, sizeof(int64_t)),
                      .weight = hd_calloc(cert->n_places, sizeof(int64_t))};
  hd_vec_push(&cert->linear, linear);
  return &hd_vec_last(&cert->linear);
}

hd_trap *hd_cert_add_trap(hd_cert *cert) {
  hd_trap trap = {
      .places = hd_calloc(hd_bits_words(cert->n_places), sizeof(uint64_t)),
      .shared = hd_calloc(hd_bits_words(cert->n_shared), sizeof(uint64_t)),
      .stage = (uint32_t)cert->linear.size};
  hd_vec_push(&cert->traps, trap);
  return &hd_vec_last(&cert->traps);
}

static void copy_traps(hd_cert *cert, const hd_cert *from) {
  uint32_t stage = (uint32_t)cert->linear.size;
  uint32_t base = (uint32_t)cert->traps.size;
  for (hd_vec_each(const hd_trap, old, &from->traps)) {
    hd_trap *trap = hd_cert_add_trap(cert);
    memcpy(trap->places, old->places,
           hd_bits_words(cert->n_places) * sizeof(uint64_t));
    memcpy(trap->shared, old->shared,
           hd_bits_words(cert->n_shared) * sizeof(uint64_t));
    trap->stage = stage + old->stage;
  }
  for (hd_vec_each(const hd_trap_use, use, &from->trap_uses))
    hd_vec_push(&cert->trap_uses,
                ((hd_trap_use){.trap = base + use->trap, .times = use->times}));
}

void hd_cert_copy_linear(hd_cert *cert, const hd_cert *from) {
  assert(cert->n_shared == from->n_shared && cert->n_places == from->n_places);
  uint32_t uses = (uint32_t)cert->trap_uses.size;
  copy_traps(cert, from);
  for (hd_vec_each(const hd_linear, old, &from->linear)) {
    hd_linear *linear = hd_cert_add_linear(cert);
    linear->bound = old->bound;
    if (old->potential)
      memcpy(linear->potential, old->potential,
             cert->n_shared * sizeof *old->potential);
    memcpy(linear->weight, old->weight, cert->n_places * sizeof *old->weight);
    linear->traps = old->traps;
    linear->traps.start += uses;
  }
}

void hd_cert_copy_rows(hd_cert *cert, const hd_cert *from) {
  assert(cert->n_shared == from->n_shared && cert->n_places == from->n_places);
  hd_cert_add_rows(cert);
  if (!from->rows)
    return;
  size_t bytes = hd_bits_words(cert->n_places) * sizeof(uint64_t);
  for (uint32_t s = 0; s < cert->n_shared; s++)
    if (from->rows[s])
      memcpy(hd_cert_row(cert, s), from->rows[s], bytes);
}
