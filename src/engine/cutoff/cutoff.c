/* SPDX-License-Identifier: MIT */
#include "engine/cutoff/cutoff.h"

#include "base/bitset.h"
#include "base/hash.h"

#include <stdlib.h>
#include <string.h>

#define HD_MAP state_map
#define HD_KEY uint64_t
#define HD_VAL uint32_t
#define HD_HASH(k) hd_hash_mix(0, k)
#define HD_EQ(a, b) ((a) == (b))
#include "base/map_templ.h"

static uint64_t thread_state(hd_shared_id shared, hd_place_id place) {
  return (uint64_t)shared << 32 | place;
}

/* --- breadth-first search --- */

typedef struct {
  const hd_net *net;
  uint32_t bound;            /* most tokens counted; UINT32_MAX = none */
  uint64_t *free;            /* places that are not counted, NULL = all are */
  hd_vec(hd_config) configs; /* in the order found */
  hd_token_vec pool;
  uint32_t *slots; /* number + 1, or 0 */
  size_t n_slots;
  state_map depths; /* thread state -> steps */
  uint32_t depth;   /* of the configurations being added */
  hd_token_vec now, next;
} search;

static hd_tokens view(const search *s, size_t id) {
  hd_range r = s->configs.data[id].tokens;
  return (hd_tokens){.data = r.size ? s->pool.data + r.start : NULL,
                     .size = r.size};
}

static size_t find_slot(const search *s, hd_shared_id shared, hd_tokens v) {
  size_t at = hd_hash_mix(hd_tokens_hash(v), shared) & (s->n_slots - 1);
  while (s->slots[at]) {
    size_t id = s->slots[at] - 1;
    if (s->configs.data[id].shared == shared && hd_tokens_equal(view(s, id), v))
      break;
    at = (at + 1) & (s->n_slots - 1);
  }
  return at;
}

static void grow(search *s) {
  hd_free(s->slots);
  s->n_slots = s->n_slots ? 2 * s->n_slots : 1024;
  s->slots = hd_calloc(s->n_slots, sizeof *s->slots);
  for (size_t id = 0; id < s->configs.size; id++)
    s->slots[find_slot(s, s->configs.data[id].shared, view(s, id))] =
        (uint32_t)id + 1;
}

static bool counts(const hd_net *net, hd_place_id place) {
  return net->init[place].max != HD_OMEGA;
}

static void note_states(search *s, hd_shared_id shared, hd_tokens v) {
  for (size_t i = 0; i < v.size; i++)
    if (counts(s->net, v.data[i].place))
      state_map_put(&s->depths, thread_state(shared, v.data[i].place), s->depth,
                    NULL);
}

static void add(search *s, hd_shared_id shared, hd_tokens v) {
  if (2 * (s->configs.size + 1) >= s->n_slots)
    grow(s);
  size_t at = find_slot(s, shared, v);
  if (s->slots[at])
    return;
  hd_config config = {
      .shared = shared,
      .tokens = {.start = (uint32_t)s->pool.size, .size = (uint32_t)v.size}};
  if (s->pool.size + v.size > UINT32_MAX || s->configs.size + 1 >= UINT32_MAX)
    hd_out_of_memory(v.size);
  for (size_t i = 0; i < v.size; i++)
    hd_vec_push(&s->pool, v.data[i]);
  hd_vec_push(&s->configs, config);
  s->slots[at] = (uint32_t)s->configs.size;
  note_states(s, shared, v);
}

static bool is_free(const search *s, hd_place_id place) {
  return s->free && hd_bits_test(s->free, place);
}

static bool enabled(const search *s, hd_tokens v, hd_tokens pre) {
  for (size_t i = 0; i < pre.size; i++)
    if (!is_free(s, pre.data[i].place) &&
        hd_tokens_at(v, pre.data[i].place) < pre.data[i].count)
      return false;
  return true;
}

/* now - pre + post in `next`, without free places; false when that has more
 * tokens than the bound, or than can be counted. */
static bool fire(search *s, hd_tokens v, hd_tokens pre, hd_tokens post) {
  hd_vec_clear(&s->next);
  for (size_t i = 0; i < v.size; i++) {
    hd_count left = v.data[i].count - hd_tokens_at(pre, v.data[i].place);
    if (left)
      hd_vec_push(&s->next,
                  ((hd_token){.place = v.data[i].place, .count = left}));
  }
  for (size_t i = 0; i < post.size; i++)
    if (!is_free(s, post.data[i].place))
      hd_vec_push(&s->next, post.data[i]);
  return hd_token_vec_normalise(&s->next) &&
         hd_tokens_total(hd_token_vec_view(&s->next)) <= s->bound;
}

static void expand(search *s, size_t id) {
  const hd_net *net = s->net;
  hd_shared_id shared = s->configs.data[id].shared;
  hd_tokens stored = view(s, id);
  hd_vec_clear(&s->now);
  for (size_t i = 0; i < stored.size; i++)
    hd_vec_push(&s->now, stored.data[i]);
  hd_tokens v = hd_token_vec_view(&s->now);
  for (uint32_t i = net->from_start[shared]; i < net->from_start[shared + 1];
       i++) {
    hd_trans_id t = net->from_ids[i];
    if (enabled(s, v, hd_net_pre(net, t)) &&
        fire(s, v, hd_net_pre(net, t), hd_net_post(net, t)))
      add(s, net->trans.data[t].to, hd_token_vec_view(&s->next));
  }
}

/* Explores level by level until nothing is new, `enough` thread states have
 * been seen (0 = all), or a limit; false at a limit. */
static bool explore(search *s, uint64_t enough, hd_run *run) {
  size_t done = 0;
  while (done < s->configs.size && !(enough && s->depths.size >= enough)) {
    size_t level = s->configs.size;
    s->depth++;
    for (; done < level; done++) {
      if (!hd_run_tick(run))
        return false;
      if (hd_run_wants_progress(run)) {
        hd_progress progress = {
            .engine = "cutoff",
            .names = {"threads", "configurations", "thread states"},
            .values = {s->bound, s->configs.size, s->depths.size}};
        hd_run_show(run, &progress);
      }
      expand(s, done);
    }
  }
  return true;
}

static void free_search(search *s) {
  hd_vec_free(&s->configs);
  hd_vec_free(&s->pool);
  hd_vec_free(&s->now);
  hd_vec_free(&s->next);
  hd_free(s->slots);
  hd_free(s->free);
  state_map_free(&s->depths);
}

/* Distributes `left` further tokens over the unbounded places from `p` on, in
 * every way; bounded intervals start at their maximum. */
static void add_initial(search *s, hd_place_id p, uint32_t left) {
  const hd_net *net = s->net;
  while (p < net->n_places && net->init[p].max != HD_OMEGA)
    p++;
  if (p == net->n_places) {
    hd_token_vec v = {0};
    for (size_t i = 0; i < s->next.size; i++)
      hd_vec_push(&v, s->next.data[i]);
    if (hd_token_vec_normalise(&v) && !left)
      add(s, net->init_shared, hd_token_vec_view(&v));
    hd_vec_free(&v);
    return;
  }
  for (uint32_t k = 0; k <= left; k++) {
    hd_vec_push(&s->next, ((hd_token){.place = p, .count = k}));
    add_initial(s, p + 1, left - k);
    (void)hd_vec_pop(&s->next);
  }
}

/* Tokens that are there whatever n is. */
static uint64_t push_fixed(search *s) {
  const hd_net *net = s->net;
  uint64_t total = 0;
  for (hd_place_id p = 0; p < net->n_places; p++) {
    hd_init init = net->init[p];
    hd_count count = init.max == HD_OMEGA ? init.min : init.max;
    total += count;
    if (count)
      hd_vec_push(&s->next, ((hd_token){.place = p, .count = count}));
  }
  return total;
}

/* Does some transition leave more tokens than it takes? */
static bool creates(const hd_net *net) {
  for (hd_trans_id t = 0; t < net->trans.size; t++)
    if (hd_tokens_total(hd_net_post(net, t)) >
        hd_tokens_total(hd_net_pre(net, t)))
      return true;
  return false;
}

static void start_bounded(search *s, uint32_t n) {
  s->bound = n;
  uint64_t fixed = push_fixed(s);
  if (fixed > n)
    return;
  uint32_t room = n - (uint32_t)fixed;
  bool more = (s->net->features & HD_HAS_UNBOUNDED) != 0;
  /* Idle threads do no harm, so as many as possible start; unless later ones
   * need room to be created. */
  for (uint32_t k = more && !creates(s->net) ? room : 0; k <= room; k++) {
    add_initial(s, 0, k);
    if (!more)
      break;
  }
}

static void start_unbounded(search *s) {
  const hd_net *net = s->net;
  s->bound = UINT32_MAX;
  s->free = hd_calloc(hd_bits_words(net->n_places), sizeof *s->free);
  for (hd_place_id p = 0; p < net->n_places; p++)
    if (net->init[p].max == HD_OMEGA)
      hd_bits_set(s->free, p);
    else if (net->init[p].max)
      hd_vec_push(&s->now, ((hd_token){.place = p, .count = net->init[p].max}));
  hd_tokens v = hd_token_vec_view(&s->now);
  add(s, net->init_shared, v);
}

/* --- the result --- */

static int by_state(const void *a, const void *b) {
  const hd_cutoff_state *x = a, *y = b;
  if (x->shared != y->shared)
    return x->shared < y->shared ? -1 : 1;
  return (x->place > y->place) - (x->place < y->place);
}

static void list_states(hd_cutoff *cutoff, const hd_net *net,
                        const hd_cert *cover) {
  state_map seen = {0};
  for (hd_vec_each(const hd_config, c, &cover->configs)) {
    hd_tokens v = hd_cert_view(cover, c);
    for (size_t i = 0; i < v.size; i++) {
      bool fresh;
      if (!counts(net, v.data[i].place))
        continue;
      state_map_put(&seen, thread_state(c->shared, v.data[i].place), 0, &fresh);
      hd_cutoff_state state = {
          .shared = c->shared, .place = v.data[i].place, .steps = UINT32_MAX};
      if (fresh)
        hd_vec_push(&cutoff->states, state);
    }
  }
  if (cutoff->states.size)
    qsort(cutoff->states.data, cutoff->states.size, sizeof *cutoff->states.data,
          by_state);
  state_map_free(&seen);
}

/* The fewest steps to each thread state, whatever the number of threads. */
static bool find_steps(hd_cutoff *cutoff, const hd_net *net, hd_run *run) {
  search s = {.net = net};
  start_unbounded(&s);
  bool done = explore(&s, cutoff->states.size, run);
  for (hd_vec_each(hd_cutoff_state, state, &cutoff->states)) {
    uint32_t *steps =
        state_map_find(&s.depths, thread_state(state->shared, state->place));
    if (steps)
      state->steps = *steps;
    done = done && steps;
  }
  free_search(&s);
  return done;
}

/* One round: R_n. True when it was completed. */
static bool count_threads(hd_cutoff *cutoff, const hd_net *net, uint32_t n,
                          bool steps_known, hd_run *run) {
  double before = hd_now();
  search s = {.net = net};
  start_bounded(&s, n);
  bool done = explore(&s, 0, run);
  if (done) {
    hd_cutoff_row row = {.threads = n,
                         .states = s.depths.size,
                         .configs = s.configs.size,
                         .seconds = hd_now() - before};
    hd_vec_push(&cutoff->rows, row);
    bool all = true, fastest = steps_known;
    for (hd_vec_each(hd_cutoff_state, state, &cutoff->states)) {
      uint32_t *steps =
          state_map_find(&s.depths, thread_state(state->shared, state->place));
      all = all && steps;
      fastest = fastest && steps && *steps == state->steps;
      if (steps && !state->threads)
        state->threads = n;
    }
    if (s.depths.size > cutoff->states.size)
      hd_bug("%u threads reach more thread states than any number does", n);
    if (all && !cutoff->reachability)
      cutoff->reachability = n;
    if (fastest && !cutoff->uniform)
      cutoff->uniform = n;
  }
  free_search(&s);
  return done;
}

hd_cutoff *hd_cutoff_find(const hd_net *net, const hd_cert *cover,
                          uint32_t max_threads, hd_run *run) {
  assert(!(net->features & (HD_HAS_MOVES | HD_HAS_CAPS)));
  hd_cutoff *cutoff = hd_calloc(1, sizeof *cutoff);
  list_states(cutoff, net, cover);
  /* The steps are a bonus: they may take a tenth of the time. */
  hd_run bonus = *run;
  if (run->deadline > 0)
    bonus.deadline = hd_now() + (run->deadline - hd_now()) / 10;
  bool steps_known = find_steps(cutoff, net, &bonus);
  if (!steps_known)
    cutoff->reason = hd_strdup("the fewest steps were not found within limits, "
                               "so the uniform cutoff is not known");
  for (uint32_t n = 1; !max_threads || n <= max_threads; n++) {
    if (!count_threads(cutoff, net, n, steps_known, run)) {
      hd_free(cutoff->reason);
      cutoff->reason = hd_strdup(hd_run_why(run));
      break;
    }
    if (cutoff->reachability && (cutoff->uniform || !steps_known))
      break;
  }
  return cutoff;
}

void hd_cutoff_delete(hd_cutoff *cutoff) {
  if (!cutoff)
    return;
  hd_vec_free(&cutoff->rows);
  hd_vec_free(&cutoff->states);
  hd_free(cutoff->reason);
  hd_free(cutoff);
}
