/* SPDX-License-Identifier: MIT */
#include "model/phases.h"

#include "base/bitset.h"

static bool leads_into(const hd_net *net, hd_trans_id t, hd_phase set) {
  const hd_trans *trans = &net->trans.data[t];
  hd_tokens post = hd_net_post(net, t);
  const hd_move *moves = hd_net_moves(net, t);
  bool inside = hd_bits_test(set.shared, trans->to);
  for (size_t i = 0; i < post.size; i++)
    inside = inside || hd_bits_test(set.places, post.data[i].place);
  for (uint32_t i = 0; i < trans->moves.size; i++)
    inside = inside || (moves[i].to != HD_NOWHERE &&
                        hd_bits_test(set.places, moves[i].to));
  return inside;
}

uint32_t hd_phases_after(const hd_net *net, const hd_phase *sets, size_t n,
                         hd_trans_id t, uint32_t h) {
  for (size_t i = 0; i < n; i++)
    if (leads_into(net, t, sets[i]))
      h |= (uint32_t)1 << i;
  return h;
}

static void add_names(const hd_net *net, hd_net *product, uint32_t phases) {
  hd_str name = {0};
  for (uint32_t h = 0; h < phases; h++)
    for (hd_shared_id s = 0; s < net->n_shared; s++) {
      hd_vec_clear(&name);
      hd_net_print_shared(&name, net, s);
      if (h)
        hd_str_printf(&name, ":%u", h);
      hd_net_name_shared(product, h * net->n_shared + s, hd_str_text(&name));
    }
  for (hd_place_id p = 0; net->place_names && p < net->n_places; p++)
    hd_net_name_place(product, p, net->place_names[p]);
  hd_str_free(&name);
}

static void add_copies(const hd_net *net, hd_net *product, const hd_phase *sets,
                       size_t n, uint32_t h) {
  for (hd_trans_id t = 0; t < net->trans.size; t++) {
    const hd_trans *trans = &net->trans.data[t];
    uint32_t after = hd_phases_after(net, sets, n, t, h);
    hd_trans_spec spec = {.from = h * net->n_shared + trans->from,
                          .to = after * net->n_shared + trans->to,
                          .pre = hd_net_pre(net, t),
                          .post = hd_net_post(net, t),
                          .caps = hd_net_caps(net, t),
                          .moves = hd_net_moves(net, t),
                          .n_moves = trans->moves.size,
                          .line = trans->line,
                          .name = trans->name};
    if (!hd_net_add_trans(product, &spec))
      hd_bug("a phase changed a count");
  }
  for (hd_vec_each(const hd_target, target, &net->targets)) {
    hd_shared_id shared = target->shared == HD_ANY_SHARED
                              ? HD_ANY_SHARED
                              : h * net->n_shared + target->shared;
    if (!hd_net_add_target(product, shared, hd_net_view(net, target->need),
                           hd_net_view(net, target->caps), target->line))
      hd_bug("a phase changed a target");
  }
}

hd_net *hd_phases(const hd_net *net, const hd_phase *sets, size_t n,
                  hd_str *why) {
  if (n > HD_MAX_PHASES || (uint64_t)net->n_shared << n > HD_MAX_STATES ||
      (uint64_t)net->trans.size << n > HD_MAX_STATES) {
    hd_str_puts(why, "there are too many phases");
    return NULL;
  }
  uint32_t phases = (uint32_t)1 << n;
  hd_net *product =
      hd_net_new(net->format, net->file, net->n_shared * phases, net->n_places);
  product->init_shared = net->init_shared;
  for (hd_place_id p = 0; p < net->n_places; p++)
    product->init[p] = net->init[p];
  add_names(net, product, phases);
  for (uint32_t h = 0; h < phases; h++)
    add_copies(net, product, sets, n, h);
  hd_net_finish(product);
  return product;
}
