/* SPDX-License-Identifier: MIT */
#include "model/threads.h"

#include "base/hash.h"

static bool same_edge(const hd_view_edge *a, const hd_view_edge *b) {
  return a->from == b->from && a->to == b->to && a->take == b->take &&
         a->give == b->give && a->kind == b->kind;
}

static uint64_t hash_edge(const hd_view_edge *e) {
  uint64_t h = hd_hash_mix(0, (uint64_t)e->from << 32 | e->to);
  h = hd_hash_mix(h, (uint64_t)e->take << 32 | e->give);
  return hd_hash_mix(h, (uint64_t)e->kind);
}

#define HD_MAP edge_set
#define HD_KEY hd_view_edge
#define HD_VAL bool
#define HD_HASH(k) hash_edge(&(k))
#define HD_EQ(a, b) same_edge(&(a), &(b))
#include "base/map_templ.h"

typedef struct {
  hd_threads *view;
  edge_set seen;
  hd_u32s pre, post; /* of the transition at hand, one entry a token */
} builder;

static bool is_spawn(hd_tokens pre, hd_tokens post) {
  return hd_tokens_total(post) == 2 && hd_tokens_total(pre) == 1 &&
         hd_tokens_at(post, pre.data[0].place) >= 1;
}

bool hd_threads_is_edge(const hd_net *net, hd_trans_id trans) {
  hd_tokens pre = hd_net_pre(net, trans), post = hd_net_post(net, trans);
  if (net->trans.data[trans].moves.size || net->trans.data[trans].caps.size)
    return false;
  return is_spawn(pre, post) ||
         (hd_tokens_total(pre) <= 1 && hd_tokens_total(post) <= 1);
}

/* The other token of a spawn's post, or the only token of a plain edge's. */
static hd_place_id given(hd_tokens post, hd_place_id take) {
  if (post.size == 2)
    return post.data[post.data[0].place == take].place;
  return post.data[0].place;
}

static void add_edge(builder *b, hd_view_edge e) {
  bool fresh;
  if (e.kind == HD_EDGE_PLAIN && e.from == e.to && e.take == e.give)
    return;
  edge_set_put(&b->seen, e, true, &fresh);
  if (fresh)
    hd_vec_push(&b->view->edges, e);
}

static void add_direct(builder *b, hd_trans_id t) {
  const hd_net *net = b->view->net;
  hd_tokens pre = hd_net_pre(net, t), post = hd_net_post(net, t);
  hd_place_id pool = b->view->pool;
  hd_place_id take = pre.size ? pre.data[0].place : pool;
  add_edge(b, (hd_view_edge){.from = net->trans.data[t].from,
                             .to = net->trans.data[t].to,
                             .take = take,
                             .give = post.size ? given(post, take) : pool,
                             .kind = is_spawn(pre, post) ? HD_EDGE_SPAWN
                                                         : HD_EDGE_PLAIN,
                             .origin = t,
                             .last = true});
}

/* Takes a post token out of the list that is not among pre[from …]; the pool
 * if there is none. A token given early must not serve what is still to be
 * taken: {a, b} -> {b} would fire with `a` alone. */
static hd_place_id choose_given(builder *b, size_t from) {
  for (size_t i = b->post.size; i-- > 0;) {
    hd_place_id place = b->post.data[i];
    bool awaited = false;
    for (size_t k = from; k < b->pre.size && !awaited; k++)
      awaited = b->pre.data[k] == place;
    if (awaited)
      continue;
    b->post.data[i] = hd_vec_last(&b->post);
    b->post.size--;
    return place;
  }
  return b->view->pool;
}

static void list_tokens(hd_u32s *list, hd_tokens tokens) {
  hd_vec_clear(list);
  for (size_t i = 0; i < tokens.size; i++)
    for (hd_count k = 0; k < tokens.data[i].count; k++)
      hd_vec_push(list, tokens.data[i].place);
}

static void add_chain(builder *b, hd_trans_id t) {
  hd_threads *view = b->view;
  list_tokens(&b->pre, hd_net_pre(view->net, t));
  list_tokens(&b->post, hd_net_post(view->net, t));
  hd_shared_id at = view->net->trans.data[t].from;
  for (size_t i = 0;; i++) {
    hd_place_id take = i < b->pre.size ? b->pre.data[i] : view->pool;
    hd_place_id give = choose_given(b, i + 1);
    bool last = i + 1 >= b->pre.size && !b->post.size;
    hd_shared_id to = last ? view->net->trans.data[t].to : view->n_shared++;
    add_edge(b, (hd_view_edge){.from = at,
                               .to = to,
                               .take = take,
                               .give = give,
                               .origin = t,
                               .last = last});
    if (last)
      return;
    at = to;
  }
}

/* An upper bound for the fresh shared states of all chains. */
static uint64_t count_fresh(const hd_net *net) {
  uint64_t fresh = 0;
  for (hd_trans_id t = 0; t < net->trans.size; t++)
    if (!hd_threads_is_edge(net, t))
      fresh += (uint64_t)hd_tokens_total(hd_net_pre(net, t)) +
               hd_tokens_total(hd_net_post(net, t));
  return fresh;
}

static void add_goals(hd_threads *view) {
  const hd_net *net = view->net;
  for (uint32_t i = 0; i < net->targets.size; i++) {
    hd_shared_id s = net->targets.data[i].shared;
    hd_shared_id first = s == HD_ANY_SHARED ? 0 : s;
    hd_shared_id end = s == HD_ANY_SHARED ? net->n_shared : s + 1;
    for (s = first; s < end; s++)
      hd_vec_push(&view->goals, ((hd_goal){.shared = s, .target = i}));
  }
}

static bool needs_pool(const hd_threads *view) {
  const hd_net *net = view->net;
  for (hd_trans_id t = 0; t < net->trans.size; t++)
    if (!net->trans.data[t].pre.size || !net->trans.data[t].post.size)
      return true;
  return !view->direct;
}

static void add_locals(hd_threads *view) {
  const hd_net *net = view->net;
  view->n_locals = net->n_places;
  if (needs_pool(view))
    view->pool = view->n_locals++;
  view->available = hd_calloc(view->n_locals, sizeof *view->available);
  for (hd_place_id p = 0; p < net->n_places; p++)
    view->available[p] = net->init[p].max;
  if (view->pool != HD_NOWHERE)
    view->available[view->pool] = HD_OMEGA;
}

hd_threads *hd_threads_new(const hd_net *net, hd_str *why) {
  if (net->features & (HD_HAS_MOVES | HD_HAS_CAPS | HD_HAS_TARGET_CAPS)) {
    hd_str_puts(why, "broadcasts, transfers and upper guards have no thread "
                     "view");
    return NULL;
  }
  uint64_t fresh = count_fresh(net);
  if (fresh + net->n_shared > HD_MAX_STATES) {
    hd_str_puts(why, "the arc weights are too large for a thread view");
    return NULL;
  }
  hd_threads *view = hd_calloc(1, sizeof *view);
  view->net = net;
  view->direct = true;
  view->pool = HD_NOWHERE;
  view->n_shared = net->n_shared;
  view->init_shared = net->init_shared;
  for (hd_trans_id t = 0; t < net->trans.size; t++)
    view->direct = view->direct && hd_threads_is_edge(net, t);
  add_locals(view);
  builder b = {.view = view};
  for (hd_trans_id t = 0; t < net->trans.size; t++)
    if (hd_threads_is_edge(net, t))
      add_direct(&b, t);
    else
      add_chain(&b, t);
  edge_set_free(&b.seen);
  hd_vec_free(&b.pre);
  hd_vec_free(&b.post);
  add_goals(view);
  return view;
}

void hd_threads_delete(hd_threads *view) {
  if (!view)
    return;
  hd_free(view->available);
  hd_vec_free(&view->edges);
  hd_vec_free(&view->goals);
  hd_free(view);
}

void hd_threads_print_state(hd_str *out, const hd_threads *view,
                            hd_shared_id shared, hd_place_id local) {
  hd_str_puts(out, "(");
  if (shared < view->net->n_shared)
    hd_net_print_shared(out, view->net, shared);
  else
    hd_str_printf(out, "+%u", shared - view->net->n_shared);
  hd_str_puts(out, ",");
  if (local == view->pool)
    hd_str_puts(out, "pool");
  else
    hd_net_print_place(out, view->net, local);
  hd_str_puts(out, ")");
}
