/* SPDX-License-Identifier: MIT */
#include "model/split.h"

#define NOT_CONTROL UINT32_MAX

/* The one place of Q in `v` and what is left of `v` in `rest`; NOT_CONTROL when
 * there is none or more than one token. */
static uint32_t take_control(hd_tokens v, const uint32_t *shared_of,
                             hd_token_vec *rest, uint32_t *tokens_in_q) {
  uint32_t found = NOT_CONTROL;
  *tokens_in_q = 0;
  hd_vec_clear(rest);
  for (size_t i = 0; i < v.size; i++) {
    uint32_t s = shared_of[v.data[i].place];
    if (s == NOT_CONTROL) {
      hd_vec_push(rest, v.data[i]);
    } else {
      found = s;
      *tokens_in_q = hd_count_add(*tokens_in_q, v.data[i].count);
    }
  }
  return *tokens_in_q == 1 ? found : NOT_CONTROL;
}

static bool check_init(const hd_net *net, const uint32_t *shared_of,
                       uint32_t *init_shared, hd_str *why) {
  uint32_t found = 0;
  for (hd_place_id p = 0; p < net->n_places; p++) {
    if (shared_of[p] == NOT_CONTROL || !net->init[p].max)
      continue;
    if (found++ || net->init[p].min != 1 || net->init[p].max != 1) {
      hd_str_puts(why, "the control places do not start with one token");
      return false;
    }
    *init_shared = shared_of[p];
  }
  if (!found)
    hd_str_puts(why, "the control places start empty");
  return found == 1;
}

/* A guard or move on a control place would not survive the split. */
static bool plain_on_control(const hd_net *net, hd_trans_id t,
                             const uint32_t *shared_of) {
  hd_tokens caps = hd_net_caps(net, t);
  for (size_t i = 0; i < caps.size; i++)
    if (shared_of[caps.data[i].place] != NOT_CONTROL)
      return false;
  const hd_move *moves = hd_net_moves(net, t);
  for (uint32_t i = 0; i < net->trans.data[t].moves.size; i++)
    if (shared_of[moves[i].from] != NOT_CONTROL ||
        (moves[i].to != HD_NOWHERE && shared_of[moves[i].to] != NOT_CONTROL))
      return false;
  return true;
}

static bool split_trans(const hd_net *net, hd_net *split,
                        const uint32_t *shared_of, hd_str *why) {
  hd_token_vec pre = {0}, post = {0};
  bool ok = true;
  for (hd_trans_id t = 0; ok && t < net->trans.size; t++) {
    uint32_t in, out;
    uint32_t from = take_control(hd_net_pre(net, t), shared_of, &pre, &in);
    uint32_t to = take_control(hd_net_post(net, t), shared_of, &post, &out);
    ok = in == 1 && out == 1 && plain_on_control(net, t, shared_of);
    if (!ok) {
      hd_str_printf(why,
                    "transition %u (line %u) does not take and give exactly "
                    "one control token",
                    t, net->trans.data[t].line);
      break;
    }
    hd_trans_spec spec = {.from = from,
                          .to = to,
                          .pre = hd_token_vec_view(&pre),
                          .post = hd_token_vec_view(&post),
                          .caps = hd_net_caps(net, t),
                          .moves = hd_net_moves(net, t),
                          .n_moves = net->trans.data[t].moves.size,
                          .line = net->trans.data[t].line,
                          .name = net->trans.data[t].name};
    if (!hd_net_add_trans(split, &spec))
      hd_bug("split changed a count");
  }
  hd_vec_free(&pre);
  hd_vec_free(&post);
  return ok;
}

static void split_targets(const hd_net *net, hd_net *split,
                          const uint32_t *shared_of) {
  hd_token_vec rest = {0};
  for (hd_vec_each(const hd_target, target, &net->targets)) {
    uint32_t in;
    hd_tokens need = hd_net_view(net, target->need);
    uint32_t shared = take_control(need, shared_of, &rest, &in);
    if (shared == NOT_CONTROL)
      shared = HD_ANY_SHARED;
    /* Two control tokens can never be there: leave them in, on places that
     * stay empty. */
    if (in <= 1)
      need = hd_token_vec_view(&rest);
    if (!hd_net_add_target(split, shared, need, hd_net_view(net, target->caps),
                           target->line))
      hd_bug("split changed a target");
  }
  hd_vec_free(&rest);
}

static bool map_control(const hd_net *net, const uint32_t *control, size_t n,
                        uint32_t *shared_of, hd_str *why) {
  for (hd_place_id p = 0; p < net->n_places; p++)
    shared_of[p] = NOT_CONTROL;
  for (size_t i = 0; i < n; i++) {
    if (control[i] >= net->n_places || shared_of[control[i]] != NOT_CONTROL) {
      hd_str_puts(why, "a control place is repeated or does not exist");
      return false;
    }
    shared_of[control[i]] = (uint32_t)i;
  }
  for (hd_vec_each(const hd_target, target, &net->targets)) {
    hd_tokens caps = hd_net_view(net, target->caps);
    for (size_t i = 0; i < caps.size; i++)
      if (shared_of[caps.data[i].place] != NOT_CONTROL) {
        hd_str_puts(why, "a target bounds a control place from above");
        return false;
      }
  }
  return true;
}

hd_net *hd_split(const hd_net *net, const uint32_t *control, size_t n,
                 hd_str *why) {
  if (net->n_shared != 1 || !n) {
    hd_str_puts(why, n ? "the net has shared states already"
                       : "there are no control places");
    return NULL;
  }
  uint32_t *shared_of = hd_calloc(net->n_places, sizeof *shared_of);
  uint32_t init_shared = 0;
  hd_net *split = NULL;
  if (n <= HD_MAX_STATES && map_control(net, control, n, shared_of, why) &&
      check_init(net, shared_of, &init_shared, why)) {
    split = hd_net_new(net->format, net->file, (uint32_t)n, net->n_places);
    split->init_shared = init_shared;
    for (hd_place_id p = 0; p < net->n_places; p++) {
      hd_str name = {0};
      hd_net_print_place(&name, net, p);
      hd_net_name_place(split, p, hd_str_text(&name));
      if (shared_of[p] == NOT_CONTROL)
        split->init[p] = net->init[p];
      else
        hd_net_name_shared(split, shared_of[p], hd_str_text(&name));
      hd_str_free(&name);
    }
    if (split_trans(net, split, shared_of, why)) {
      split_targets(net, split, shared_of);
      hd_net_finish(split);
    } else {
      hd_net_delete(split);
      split = NULL;
    }
  }
  hd_free(shared_of);
  return split;
}
