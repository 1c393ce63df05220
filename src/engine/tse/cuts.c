/* SPDX-License-Identifier: MIT */
/* Finding the sets K, and the campaign on the phase form.
 *
 * From the solution: the transitions it uses are fired as often as one likes
 * from the initial configuration, tokens never used up. What cannot be reached
 * so is outside; a used transition that stays disabled takes from a node
 * outside. K starts with that node, and grows by a node outside for every used
 * transition that leads into K and does not take from it: there is one, or it
 * would have fired. So no used transition enters K, and the cut removes the
 * solution. Shared states are preferred, which makes K the paper's
 * disconnected component.
 *
 * T of the phase form: in a phase that has not entered K, what T allows without
 * K. It is inductive because T is and because whatever leads into K changes the
 * phase. Each cut doubles the shared states; there are few of them. */
#include "engine/tse/cuts.h"

#include <string.h>

#define TINY 1e-7
#define MAX_TRANS 20000 /* of a phase form worth trying */

typedef struct {
  const hd_net *net; /* the plain one */
  hd_phase sets[HD_MAX_PHASES];
  size_t n;
} cuts;

/* The phase form last tried, and the campaign on it; in the beginning those of
 * the plain net. */
typedef struct {
  hd_net *product;
  hd_cert *tset;
  hd_campaign campaign;
} trial;

/* --- finding K --- */

typedef struct {
  const hd_net *net;    /* a phase form */
  hd_u32s used;         /* transitions of the solution */
  bool *place, *shared; /* reached by them */
} flood;

static bool is_enabled(const flood *f, hd_trans_id t) {
  hd_tokens pre = hd_net_pre(f->net, t);
  for (size_t i = 0; i < pre.size; i++)
    if (!f->place[pre.data[i].place])
      return false;
  return f->shared[f->net->trans.data[t].from];
}

static bool reach(bool *node) {
  bool fresh = !*node;
  *node = true;
  return fresh;
}

static bool fire(flood *f, hd_trans_id t) {
  const hd_trans *trans = &f->net->trans.data[t];
  hd_tokens post = hd_net_post(f->net, t);
  const hd_move *moves = hd_net_moves(f->net, t);
  bool fresh = reach(&f->shared[trans->to]);
  for (size_t i = 0; i < post.size; i++)
    fresh = reach(&f->place[post.data[i].place]) || fresh;
  for (uint32_t i = 0; i < trans->moves.size; i++)
    if (moves[i].to != HD_NOWHERE && f->place[moves[i].from])
      fresh = reach(&f->place[moves[i].to]) || fresh;
  return fresh;
}

static void flood_init(flood *f, hd_eq *eq) {
  const hd_net *net = hd_eq_net(eq);
  *f = (flood){.net = net};
  f->place = hd_calloc(net->n_places, sizeof *f->place);
  f->shared = hd_calloc(net->n_shared, sizeof *f->shared);
  for (hd_trans_id t = 0; t < net->trans.size; t++)
    if (hd_eq_alive(eq, t) && hd_eq_fired(eq, t) > TINY)
      hd_vec_push(&f->used, t);
  for (hd_place_id p = 0; p < net->n_places; p++)
    f->place[p] = net->init[p].max > 0;
  f->shared[net->init_shared] = true;
  for (bool changed = true; changed;) {
    changed = false;
    for (hd_vec_each(const uint32_t, t, &f->used))
      if (is_enabled(f, *t))
        changed = fire(f, *t) || changed;
  }
}

static void flood_free(flood *f) {
  hd_vec_free(&f->used);
  hd_free(f->place);
  hd_free(f->shared);
}

/* Adds a node outside that `t` takes from; false when there is none that starts
 * empty. */
static bool add_source(const cuts *c, const flood *f, hd_trans_id t,
                       hd_phase *set) {
  hd_shared_id from = f->net->trans.data[t].from;
  hd_shared_id plain = from % c->net->n_shared;
  if (!f->shared[from] && plain != c->net->init_shared) {
    hd_bits_set(set->shared, plain);
    return true;
  }
  hd_tokens pre = hd_net_pre(f->net, t);
  for (size_t i = 0; i < pre.size; i++)
    if (!f->place[pre.data[i].place]) {
      hd_bits_set(set->places, pre.data[i].place);
      return true;
    }
  return false;
}

static bool takes_from(const cuts *c, const flood *f, hd_trans_id t,
                       const hd_phase *set) {
  hd_tokens pre = hd_net_pre(f->net, t);
  for (size_t i = 0; i < pre.size; i++)
    if (hd_bits_test(set->places, pre.data[i].place))
      return true;
  return hd_bits_test(set->shared,
                      f->net->trans.data[t].from % c->net->n_shared);
}

static bool leads_into(const cuts *c, hd_trans_id t, const hd_phase *set) {
  hd_trans_id plain = t % (hd_trans_id)c->net->trans.size;
  return hd_phases_after(c->net, set, 1, plain, 0) != 0;
}

/* Closes the set under "who leads into it takes from it". */
static bool close_set(const cuts *c, const flood *f, hd_phase *set) {
  for (bool changed = true; changed;) {
    changed = false;
    for (hd_vec_each(const uint32_t, t, &f->used)) {
      if (!leads_into(c, *t, set) || takes_from(c, f, *t, set))
        continue;
      if (!add_source(c, f, *t, set))
        return false;
      changed = true;
    }
  }
  return true;
}

static bool is_new(const cuts *c, const hd_phase *set) {
  size_t places = hd_bits_words(c->net->n_places) * sizeof(uint64_t);
  size_t shared = hd_bits_words(c->net->n_shared) * sizeof(uint64_t);
  for (size_t i = 0; i < c->n; i++)
    if (!memcmp(c->sets[i].places, set->places, places) &&
        !memcmp(c->sets[i].shared, set->shared, shared))
      return false;
  return true;
}

static hd_phase empty_set(const hd_net *net) {
  return (hd_phase){
      .places = hd_calloc(hd_bits_words(net->n_places), sizeof(uint64_t)),
      .shared = hd_calloc(hd_bits_words(net->n_shared), sizeof(uint64_t))};
}

static void free_set(hd_phase *set) {
  hd_free(set->places);
  hd_free(set->shared);
}

/* A cut against the solution that `eq` holds, added to the others. */
static bool find_cut(cuts *c, hd_eq *eq) {
  flood f;
  flood_init(&f, eq);
  bool found = false;
  for (size_t i = 0; i < f.used.size && !found; i++) {
    if (is_enabled(&f, f.used.data[i]))
      continue;
    hd_phase set = empty_set(c->net);
    found = add_source(c, &f, f.used.data[i], &set) && close_set(c, &f, &set) &&
            is_new(c, &set);
    if (found)
      c->sets[c->n++] = set;
    else
      free_set(&set);
  }
  flood_free(&f);
  return found;
}

/* --- the phase form --- */

/* What T allows, without the sets that were not entered. Without a T: all. */
static hd_cert *phase_rows(const cuts *c, const hd_cert *tset) {
  const hd_net *net = c->net;
  size_t words = hd_bits_words(net->n_places);
  hd_cert *rows =
      hd_cert_new(HD_CERT_BACKWARD, net->n_shared << c->n, net->n_places);
  hd_cert_add_rows(rows);
  for (hd_shared_id s = 0; s < rows->n_shared; s++) {
    hd_shared_id plain = s % net->n_shared;
    uint32_t phase = s / net->n_shared;
    bool reached = !tset || !tset->rows || tset->rows[plain];
    for (size_t i = 0; i < c->n; i++)
      if (!(phase >> i & 1) && hd_bits_test(c->sets[i].shared, plain))
        reached = false;
    if (!reached)
      continue;
    uint64_t *row = hd_cert_row(rows, s);
    for (hd_place_id p = 0; p < net->n_places; p++)
      if (!tset || !tset->rows || hd_bits_test(tset->rows[plain], p))
        hd_bits_set(row, p);
    for (size_t i = 0; i < c->n; i++)
      for (size_t w = 0; w < words && !(phase >> i & 1); w++)
        row[w] &= ~c->sets[i].places[w];
  }
  return rows;
}

static void free_trial(trial *t) {
  hd_campaign_free(&t->campaign);
  hd_cert_delete(t->tset);
  hd_net_delete(t->product);
}

/* Tries the targets of the phase form; true when all are excluded. */
static bool try_phases(const cuts *c, trial *t, const hd_cert *tset,
                       uint64_t effort, hd_run *run) {
  hd_str why = {0};
  t->product = hd_phases(c->net, c->sets, c->n, &why);
  if (!t->product)
    hd_bug("phases: %s", hd_str_text(&why));
  t->tset = phase_rows(c, tset);
  hd_campaign_init(&t->campaign, t->product, t->tset);
  hd_campaign_exclude(&t->campaign, effort, run);
  return !t->campaign.open.size;
}

/* Puts a solution for the first open target into the equation. */
static bool solve_open(hd_campaign *c, hd_run *run) {
  const hd_target *target = &c->net->targets.data[c->open.data[0]];
  return hd_eq_exclude(hd_strong_equation(c->strong), target->shared,
                       hd_net_view(c->net, target->need),
                       run) == HD_EQ_POSSIBLE;
}

static hd_cert *take_proof(cuts *c, trial *t) {
  hd_cert *cert = hd_campaign_take(&t->campaign);
  for (size_t i = 0; i < c->n; i++)
    hd_vec_push(&cert->phases, c->sets[i]);
  c->n = 0;
  return cert;
}

hd_cert *hd_cuts_prove(hd_campaign *campaign, unsigned most, uint64_t effort,
                       hd_run *run, unsigned *used) {
  cuts c = {.net = campaign->net};
  trial now = {0};
  hd_cert *cert = NULL;
  hd_campaign *last = campaign;
  *used = 0;
  while (!cert && c.n < most && hd_run_check(run) &&
         (uint64_t)c.net->trans.size << (c.n + 1) <= MAX_TRANS &&
         solve_open(last, run) &&
         find_cut(&c, hd_strong_equation(last->strong))) {
    if (last != campaign)
      free_trial(&now);
    *used = (unsigned)c.n;
    bool proved = try_phases(&c, &now, campaign->tset, effort, run);
    last = &now.campaign;
    if (proved)
      cert = take_proof(&c, &now);
  }
  if (last != campaign)
    free_trial(&now);
  for (size_t i = 0; i < c.n; i++)
    free_set(&c.sets[i]);
  return cert;
}
