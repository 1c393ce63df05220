/* SPDX-License-Identifier: MIT */
#include "front/threads.h"

#include "base/hash.h"

#include <string.h>

static bool is_single(hd_tokens v) {
  return v.size == 1 && v.data[0].count == 1;
}

/* post = {from, to}: what a spawn out of `from` leaves. */
static bool is_spawn(hd_place_id from, hd_tokens post, hd_place_id *to) {
  if (hd_tokens_total(post) != 2 || !hd_tokens_at(post, from))
    return false;
  *to = post.size == 1 || post.data[1].place == from ? post.data[0].place
                                                     : post.data[1].place;
  return true;
}

hd_tts_edge hd_tts_edge_of(const hd_net *net, hd_trans_id t) {
  const hd_trans *tr = &net->trans.data[t];
  hd_tokens pre = hd_net_pre(net, t), post = hd_net_post(net, t);
  const hd_move *moves = hd_net_moves(net, t);
  hd_tts_edge edge = {.kind = HD_TTS_NONE};
  for (uint32_t i = 0; i < tr->moves.size; i++)
    if (moves[i].to == HD_NOWHERE)
      return edge;
  if (tr->caps.size)
    return edge;
  if (is_single(pre)) {
    edge.from = pre.data[0].place;
    if (is_single(post)) {
      edge.kind = HD_TTS_PLAIN;
      edge.to = post.data[0].place;
    } else if (!tr->moves.size && is_spawn(edge.from, post, &edge.to)) {
      edge.kind = HD_TTS_SPAWN;
    }
  } else if (!pre.size && !post.size && tr->moves.size <= 1 && net->n_places) {
    edge.kind = HD_TTS_TRANSFER;
    if (tr->moves.size) {
      edge.from = moves[0].from;
      edge.to = moves[0].to;
    }
  }
  return edge;
}

bool hd_threads_init_fits(const hd_net *net) {
  for (uint32_t p = 0; p < net->n_places; p++)
    if (net->init[p].max != net->init[p].min && net->init[p].max != HD_OMEGA)
      return false;
  return true;
}

static hd_token shifted(hd_token token, uint32_t by) {
  return (hd_token){.place = token.place + by, .count = token.count};
}

/* Copies `v` with the places moved up by `by`, behind a token in `control`
 * unless that is HD_ANY_SHARED. */
static void shift_tokens(hd_token_vec *out, hd_shared_id control, hd_tokens v,
                         uint32_t by) {
  hd_vec_clear(out);
  if (control != HD_ANY_SHARED)
    hd_vec_push(out, ((hd_token){.place = control, .count = 1}));
  for (size_t i = 0; i < v.size; i++)
    hd_vec_push(out, shifted(v.data[i], by));
}

static void unfold_trans(hd_net *flat, const hd_net *net, hd_trans_id t) {
  const hd_trans *tr = &net->trans.data[t];
  uint32_t by = net->n_shared;
  hd_token_vec pre = {0}, post = {0};
  shift_tokens(&pre, tr->from, hd_net_pre(net, t), by);
  shift_tokens(&post, tr->to, hd_net_post(net, t), by);
  hd_vec(hd_move) moves = {0};
  for (uint32_t i = 0; i < tr->moves.size; i++) {
    hd_move move = hd_net_moves(net, t)[i];
    hd_vec_push(&moves,
                ((hd_move){.from = move.from + by, .to = move.to + by}));
  }
  hd_trans_spec spec = {.pre = hd_token_vec_view(&pre),
                        .post = hd_token_vec_view(&post),
                        .moves = moves.data,
                        .n_moves = moves.size,
                        .line = tr->line,
                        .name = tr->name};
  if (!hd_net_add_trans(flat, &spec))
    hd_bug("counts of a thread edge out of range");
  hd_vec_free(&pre);
  hd_vec_free(&post);
  hd_vec_free(&moves);
}

hd_net *hd_threads_unfold(const hd_net *net) {
  uint32_t by = net->n_shared;
  hd_net *flat = hd_net_new(net->format, net->file, 1, by + net->n_places);
  if (net->shared_names || net->place_names) {
    hd_str name = {0};
    for (uint32_t p = 0; p < flat->n_places; p++) {
      hd_vec_clear(&name);
      if (p < by)
        hd_net_print_shared(&name, net, p);
      else
        hd_net_print_place(&name, net, p - by);
      hd_net_name_place(flat, p, hd_str_text(&name));
    }
    hd_str_free(&name);
  }
  flat->init[net->init_shared] = (hd_init){.min = 1, .max = 1};
  if (net->n_places)
    memcpy(flat->init + by, net->init, net->n_places * sizeof *net->init);
  for (hd_trans_id t = 0; t < net->trans.size; t++)
    unfold_trans(flat, net, t);
  hd_token_vec need = {0}, caps = {0};
  for (hd_vec_each(const hd_target, target, &net->targets)) {
    shift_tokens(&need, target->shared, hd_net_view(net, target->need), by);
    shift_tokens(&caps, HD_ANY_SHARED, hd_net_view(net, target->caps), by);
    if (!hd_net_add_target(flat, 0, hd_token_vec_view(&need),
                           hd_token_vec_view(&caps), target->line))
      hd_bug("counts of a target out of range");
  }
  hd_vec_free(&need);
  hd_vec_free(&caps);
  hd_net_finish(flat);
  return flat;
}

/* Where the places of the flat net go: a shared state or a local state. */
typedef struct {
  const hd_net *flat;
  hd_net *net;
  uint32_t *number; /* of the shared or local state a flat place becomes */
  uint64_t *shared; /* bitset: the place is a shared state */
  hd_str *why;
} folding;

static bool is_shared(const folding *f, hd_place_id p) {
  return f->shared[p / 64] >> (p % 64) & 1;
}

/* Splits `v`; false when it asks for more than one shared state. `*state` is
 * HD_ANY_SHARED when it asks for none. */
static bool split_tokens(const folding *f, hd_tokens v, hd_shared_id *state,
                         hd_token_vec *locals) {
  hd_vec_clear(locals);
  *state = HD_ANY_SHARED;
  for (size_t i = 0; i < v.size; i++) {
    hd_token t = v.data[i];
    uint32_t number = f->number[t.place];
    if (!is_shared(f, t.place)) {
      hd_vec_push(locals, ((hd_token){.place = number, .count = t.count}));
    } else {
      if (*state != HD_ANY_SHARED || t.count != 1)
        return false;
      *state = number;
    }
  }
  return true;
}

static bool fold_moves(const folding *f, hd_trans_id t, hd_move **out) {
  const hd_trans *tr = &f->flat->trans.data[t];
  const hd_move *moves = hd_net_moves(f->flat, t);
  *out = hd_alloc((tr->moves.size + (size_t)1) * sizeof **out);
  for (uint32_t i = 0; i < tr->moves.size; i++) {
    hd_move m = moves[i];
    if (is_shared(f, m.from) || m.to == HD_NOWHERE || is_shared(f, m.to))
      return false;
    (*out)[i] = (hd_move){.from = f->number[m.from], .to = f->number[m.to]};
  }
  return true;
}

static bool fold_trans(folding *f, hd_trans_id t) {
  const hd_trans *tr = &f->flat->trans.data[t];
  hd_trans_spec spec = {
      .line = tr->line, .name = tr->name, .n_moves = tr->moves.size};
  hd_token_vec pre = {0}, post = {0};
  hd_move *moves = NULL;
  bool ok = split_tokens(f, hd_net_pre(f->flat, t), &spec.from, &pre) &&
            split_tokens(f, hd_net_post(f->flat, t), &spec.to, &post) &&
            spec.from != HD_ANY_SHARED && spec.to != HD_ANY_SHARED &&
            fold_moves(f, t, &moves) && !tr->caps.size;
  if (ok) {
    spec.pre = hd_token_vec_view(&pre);
    spec.post = hd_token_vec_view(&post);
    spec.moves = moves;
    ok = hd_net_add_trans(f->net, &spec) &&
         hd_tts_edge_of(f->net, (hd_trans_id)f->net->trans.size - 1).kind !=
             HD_TTS_NONE;
  }
  if (!ok)
    hd_str_printf(f->why,
                  "the transition on line %u is not an edge between shared "
                  "states",
                  tr->line);
  hd_vec_free(&pre);
  hd_vec_free(&post);
  hd_free(moves);
  return ok;
}

static bool fold_target(folding *f, const hd_target *target) {
  hd_shared_id shared;
  hd_token_vec need = {0};
  bool ok =
      split_tokens(f, hd_net_view(f->flat, target->need), &shared, &need) &&
      !target->caps.size;
  if (f->net->n_shared == 1)
    shared = 0;
  ok = ok && hd_net_add_target(f->net, shared, hd_token_vec_view(&need),
                               (hd_tokens){0}, target->line);
  if (!ok)
    hd_str_printf(f->why, "the target on line %u is not one of a thread system",
                  target->line);
  hd_vec_free(&need);
  return ok;
}

static bool fold_init(folding *f) {
  bool found = false;
  for (uint32_t p = 0; p < f->flat->n_places; p++) {
    hd_init init = f->flat->init[p];
    if (!is_shared(f, p)) {
      f->net->init[f->number[p]] = init;
    } else if (init.max == 1 && init.min == 1 && !found) {
      found = true;
      f->net->init_shared = f->number[p];
    } else if (init.max != 0) {
      found = false;
      break;
    }
  }
  if (!found)
    hd_str_puts(f->why, "initially there is not exactly one token in these "
                        "places together");
  else if (!hd_threads_init_fits(f->net))
    hd_str_puts(f->why, "a local state starts with a range of threads");
  return f->why->size == 0;
}

static void fold_names(folding *f, const hd_fold *fold) {
  const char *const *names = (const char *const *)f->flat->place_names;
  for (uint32_t p = 0; names && p < f->flat->n_places; p++) {
    if (is_shared(f, p) && !fold->shared_numbered)
      hd_net_name_shared(f->net, f->number[p], names[p]);
    else if (!is_shared(f, p) && !fold->local_numbered)
      hd_net_name_place(f->net, f->number[p], names[p]);
  }
}

hd_net *hd_threads_fold(const hd_net *flat, const hd_fold *fold, hd_str *why) {
  size_t n = flat->n_places;
  if (fold->n_control >= n) {
    hd_str_puts(why, "no place is left for a local state");
    return NULL;
  }
  folding f = {.flat = flat,
               .number = hd_alloc(n * sizeof *f.number),
               .shared = hd_calloc(n / 64 + 1, sizeof *f.shared),
               .why = why};
  f.net = hd_net_new(HD_FORMAT_TTS, flat->file, (uint32_t)fold->n_control,
                     (uint32_t)(n - fold->n_control));
  for (uint32_t i = 0; i < fold->n_control; i++) {
    assert(!is_shared(&f, fold->control[i]));
    f.shared[fold->control[i] / 64] |= (uint64_t)1 << fold->control[i] % 64;
    f.number[fold->control[i]] = i;
  }
  uint32_t local = 0;
  for (uint32_t p = 0; p < n; p++)
    if (!is_shared(&f, p))
      f.number[p] = local++;
  fold_names(&f, fold);
  bool ok = fold_init(&f);
  for (hd_trans_id t = 0; ok && t < flat->trans.size; t++)
    ok = fold_trans(&f, t);
  for (size_t i = 0; ok && i < flat->targets.size; i++)
    ok = fold_target(&f, &flat->targets.data[i]);
  hd_free(f.number);
  hd_free(f.shared);
  if (!ok) {
    hd_net_delete(f.net);
    return NULL;
  }
  hd_net_finish(f.net);
  return f.net;
}

bool hd_trans_same(const hd_net *a, hd_trans_id t, const hd_net *b,
                   hd_trans_id u) {
  const hd_trans *x = &a->trans.data[t], *y = &b->trans.data[u];
  return x->from == y->from && x->to == y->to &&
         hd_tokens_equal(hd_net_pre(a, t), hd_net_pre(b, u)) &&
         hd_tokens_equal(hd_net_post(a, t), hd_net_post(b, u)) &&
         hd_tokens_equal(hd_net_caps(a, t), hd_net_caps(b, u)) &&
         x->moves.size == y->moves.size &&
         (!x->moves.size || !memcmp(hd_net_moves(a, t), hd_net_moves(b, u),
                                    x->moves.size * sizeof(hd_move)));
}

typedef struct {
  const hd_net *net;
  hd_trans_id id;
} trans_key;

static uint64_t hash_trans(trans_key key) {
  const hd_trans *t = &key.net->trans.data[key.id];
  uint64_t h = hd_hash_mix((uint64_t)t->from << 32 | t->to, t->moves.size);
  h = hd_hash_mix(h, hd_tokens_hash(hd_net_pre(key.net, key.id)));
  h = hd_hash_mix(h, hd_tokens_hash(hd_net_post(key.net, key.id)));
  for (uint32_t i = 0; i < t->moves.size; i++) {
    hd_move m = hd_net_moves(key.net, key.id)[i];
    h = hd_hash_mix(h, (uint64_t)m.from << 32 | m.to);
  }
  return h;
}

#define HD_MAP trans_map
#define HD_KEY trans_key
#define HD_VAL char
#define HD_HASH(k) hash_trans(k)
#define HD_EQ(a, b) hd_trans_same((a).net, (a).id, (b).net, (b).id)
#include "base/map_templ.h"

hd_net *hd_threads_unique(hd_net *net, const hd_source *source, hd_diag *diag) {
  trans_map seen = {0};
  hd_u32s keep = {0};
  hd_trans_id first = 0;
  for (hd_trans_id t = 0; t < net->trans.size; t++) {
    bool fresh;
    trans_map_put(&seen, (trans_key){.net = net, .id = t}, 0, &fresh);
    if (fresh)
      hd_vec_push(&keep, t);
    else if (keep.size == t)
      first = t;
  }
  size_t dropped = net->trans.size - keep.size;
  trans_map_free(&seen);
  if (dropped) {
    hd_pos pos = {.line = net->trans.data[first].line};
    if (dropped == 1)
      hd_diag_warning(diag, source, pos, "duplicate edge, ignored");
    else
      hd_diag_warning(diag, source, pos,
                      "duplicate edge, ignored; the first of %zu", dropped);
    hd_net *unique = hd_net_restrict(net, keep.data, keep.size);
    hd_net_delete(net);
    net = unique;
  }
  hd_vec_free(&keep);
  return net;
}
