/* SPDX-License-Identifier: MIT */
/* From the path in the store to a witness with exact counts.
 *
 * Without moves and upper guards the transitions alone determine the least
 * initial configuration (model/evidence.h finds it). Otherwise the places that
 * are HD_OMEGA along the path need numbers: going backward, `wanted` is how
 * many tokens each such place must have at least, a move out of an HD_OMEGA
 * place passing on what its destinations want; going forward from the initial
 * counts so found, finite places hold exactly what the search says, the others
 * at least what is wanted. Tokens of an HD_OMEGA place that may choose take
 * what was asked of each move, the rest the first move. */
#include "engine/fws/search.h"

typedef struct {
  fws_search *search;
  const hd_net *net;
  hd_u32s path;   /* configurations, initial one first */
  uint64_t *have; /* exact counts while going forward; wanted while backward */
  hd_vec(hd_choice) asked; /* of HD_OMEGA places, all steps */
  hd_range *asked_of;      /* per step */
  fws_config before, after;
  bool overflow;
} maker;

static void find_path(maker *m) {
  const fws_node *nodes = m->search->store.nodes.data;
  for (uint32_t id = m->search->found; id != FWS_NONE; id = nodes[id].parent)
    hd_vec_push(&m->path, id);
  assert(m->path.size);
  for (size_t i = 0, j = m->path.size - 1; i < j; i++, j--) {
    uint32_t id = m->path.data[i];
    m->path.data[i] = m->path.data[j];
    m->path.data[j] = id;
  }
}

static hd_trans_id trans_at(const maker *m, size_t step) {
  assert(step + 1 < m->path.size);
  return m->search->store.nodes.data[m->path.data[step + 1]].trans;
}

static bool is_source(const maker *m, hd_trans_id t, hd_place_id place) {
  const hd_move *move = hd_net_moves(m->net, t);
  for (size_t i = 0; i < m->net->trans.data[t].moves.size; i++)
    if (move[i].from == place)
      return true;
  return false;
}

/* The first place that is HD_OMEGA before and has a move to `place`. */
static hd_place_id omega_source(const maker *m, hd_trans_id t,
                                hd_place_id place) {
  const hd_move *move = hd_net_moves(m->net, t);
  hd_tokens before = hd_token_vec_view(&m->before.tokens);
  for (size_t i = 0; i < m->net->trans.data[t].moves.size; i++)
    if (move[i].to == place && hd_tokens_at(before, move[i].from) == HD_OMEGA)
      return move[i].from;
  hd_bug("fws: HD_OMEGA in a place that none could come to");
}

/* Turns what is wanted after `step` into what is wanted before it. */
static void want_before(maker *m, size_t step) {
  hd_trans_id t = trans_at(m, step);
  hd_tokens before = hd_token_vec_view(&m->before.tokens);
  hd_tokens pre = hd_net_pre(m->net, t), post = hd_net_post(m->net, t);
  m->asked_of[step].start = (uint32_t)m->asked.size;
  for (size_t i = 0; i < m->after.tokens.size; i++) {
    hd_token token = m->after.tokens.data[i];
    if (token.count != HD_OMEGA)
      continue;
    uint64_t made = hd_tokens_at(post, token.place);
    uint64_t rest =
        m->have[token.place] > made ? m->have[token.place] - made : 0;
    m->have[token.place] = 0;
    hd_choice ask = {.from = token.place, .to = token.place};
    if (hd_tokens_at(before, token.place) != HD_OMEGA ||
        is_source(m, t, token.place))
      ask.from = omega_source(m, t, token.place);
    m->overflow = m->overflow || rest > HD_COUNT_MAX;
    ask.count = (hd_count)(rest < HD_COUNT_MAX ? rest : HD_COUNT_MAX);
    hd_vec_push(&m->asked, ask);
  }
  m->asked_of[step].size = (uint32_t)m->asked.size - m->asked_of[step].start;
  for (uint32_t i = m->asked_of[step].start; i < m->asked.size; i++)
    m->have[m->asked.data[i].from] += m->asked.data[i].count;
  for (size_t i = 0; i < pre.size; i++)
    if (hd_tokens_at(before, pre.data[i].place) == HD_OMEGA)
      m->have[pre.data[i].place] += pre.data[i].count;
}

/* Goes backward over the path; `have` is what is wanted initially after. */
static void want_all(maker *m) {
  const hd_target *target = &m->net->targets.data[m->search->target];
  hd_tokens need = hd_net_view(m->net, target->need);
  fws_store *store = &m->search->store;
  size_t steps = m->path.size - 1;
  hd_fws_store_get(store, m->path.data[steps], &m->after);
  for (size_t i = 0; i < need.size; i++)
    if (hd_tokens_at(hd_token_vec_view(&m->after.tokens), need.data[i].place) ==
        HD_OMEGA)
      m->have[need.data[i].place] = need.data[i].count;
  for (size_t step = steps; step-- > 0;) {
    hd_fws_store_get(store, m->path.data[step], &m->before);
    want_before(m, step);
    fws_config swap = m->before;
    m->before = m->after;
    m->after = swap;
  }
}

/* Fixes the initial counts: the search's own where finite. */
static void fix_init(maker *m, hd_witness *witness) {
  hd_fws_store_get(&m->search->store, m->path.data[0], &m->before);
  for (size_t i = 0; i < m->before.tokens.size; i++) {
    hd_token token = m->before.tokens.data[i];
    uint64_t *have = &m->have[token.place];
    assert(token.count == HD_OMEGA || !*have);
    if (token.count != HD_OMEGA)
      *have = token.count;
    else if (*have < m->net->init[token.place].min)
      *have = m->net->init[token.place].min;
    m->overflow = m->overflow || *have > HD_COUNT_MAX;
    if (!*have || m->overflow)
      continue;
    token.count = (hd_count)*have;
    hd_vec_push(&witness->init, token);
  }
}

typedef struct {
  const fws_search *search;
  uint32_t wanted;
} comparison;

static bool until_same(void *context, hd_trans_id trans) {
  (void)trans;
  const comparison *c = context;
  return hd_fws_store_find(&c->search->store,
                           hd_fws_packed(&c->search->firing.packed)) !=
         c->wanted;
}

static uint64_t asked_for(const maker *m, size_t step, hd_place_id from,
                          hd_place_id to) {
  hd_range range = m->asked_of[step];
  for (uint32_t i = 0; i < range.size; i++) {
    hd_choice ask = m->asked.data[range.start + i];
    if (ask.from == from && ask.to == to)
      return ask.count;
  }
  return 0;
}

/* Records how the tokens of the places with several moves are distributed in
 * `step`: the firing's own choice where counts are finite. */
static void record_choices(maker *m, size_t step, hd_witness *witness) {
  fws_firing *firing = &m->search->firing;
  for (size_t i = 0; i < firing->choices.size; i++) {
    hd_choice choice = firing->choices.data[i];
    if (choice.count == HD_OMEGA) {
      uint64_t count = asked_for(m, step, choice.from, choice.to);
      bool first = !i || firing->choices.data[i - 1].from != choice.from;
      if (first) { /* and all that nobody asked for */
        count =
            m->have[choice.from] -
            hd_tokens_at(hd_net_pre(m->net, trans_at(m, step)), choice.from);
        for (size_t j = i + 1; j < firing->choices.size &&
                               firing->choices.data[j].from == choice.from;
             j++)
          count -= asked_for(m, step, choice.from, firing->choices.data[j].to);
      }
      assert(count <= HD_COUNT_MAX);
      choice.count = (hd_count)count;
    }
    if (choice.count)
      hd_vec_push(&witness->choices, choice);
  }
}

static uint64_t chosen(const hd_witness *witness, hd_range choices,
                       hd_move move) {
  for (uint32_t i = 0; i < choices.size; i++) {
    hd_choice choice = witness->choices.data[choices.start + i];
    if (choice.from == move.from && choice.to == move.to)
      return choice.count;
  }
  return 0;
}

/* Fires the step on the exact counts in `have`. */
static void fire_exactly(maker *m, const hd_witness *witness, hd_step step) {
  hd_tokens pre = hd_net_pre(m->net, step.trans);
  hd_tokens post = hd_net_post(m->net, step.trans);
  const hd_move *move = hd_net_moves(m->net, step.trans);
  size_t n = m->net->trans.data[step.trans].moves.size;
  for (size_t i = 0; i < pre.size; i++) {
    assert(m->have[pre.data[i].place] >= pre.data[i].count);
    m->have[pre.data[i].place] -= pre.data[i].count;
  }
  hd_vec(uint64_t) moved = {0};
  for (size_t i = 0; i < n; i++) {
    bool alone = (!i || move[i - 1].from != move[i].from) &&
                 (i + 1 == n || move[i + 1].from != move[i].from);
    uint64_t count =
        alone ? m->have[move[i].from] : chosen(witness, step.choices, move[i]);
    hd_vec_push(&moved, count);
  }
  for (size_t i = 0; i < n; i++)
    m->have[move[i].from] = 0;
  for (size_t i = 0; i < n; i++) {
    if (move[i].to == HD_NOWHERE)
      continue;
    m->have[move[i].to] += moved.data[i];
    m->overflow = m->overflow || m->have[move[i].to] > HD_COUNT_MAX;
  }
  hd_vec_free(&moved);
  for (size_t i = 0; i < post.size; i++) {
    m->have[post.data[i].place] += post.data[i].count;
    m->overflow = m->overflow || m->have[post.data[i].place] > HD_COUNT_MAX;
  }
}

static void go_forward(maker *m, hd_witness *witness) {
  fws_firing *firing = &m->search->firing;
  firing->bound = UINT64_MAX;
  firing->run = NULL;
  for (size_t i = 0; i + 1 < m->path.size && !m->overflow; i++) {
    hd_step step = {.trans = trans_at(m, i),
                    .choices.start = (uint32_t)witness->choices.size};
    hd_fws_store_get(&m->search->store, m->path.data[i], &m->before);
    comparison c = {m->search, m->path.data[i + 1]};
    if (hd_fws_fire_one(firing, &m->before, step.trans, until_same, &c))
      hd_bug("fws: a step of the path cannot be fired again");
    record_choices(m, i, witness);
    step.choices.size = (uint32_t)witness->choices.size - step.choices.start;
    fire_exactly(m, witness, step);
    hd_vec_push(&witness->steps, step);
  }
}

static bool gives_wanted(const maker *m, hd_trans_id t) {
  hd_tokens post = hd_net_post(m->net, t);
  for (size_t i = 0; i < post.size; i++)
    if (m->have[post.data[i].place])
      return true;
  return false;
}

/* The steps of a net without moves and guards, without those that are of no
 * use: going backward with what is wanted, a step that keeps the shared state
 * and gives nothing wanted only asks for more. */
static void plain_steps(maker *m, hd_witness *witness) {
  hd_tokens need =
      hd_net_view(m->net, m->net->targets.data[m->search->target].need);
  for (size_t i = 0; i < need.size; i++)
    m->have[need.data[i].place] = need.data[i].count;
  for (size_t i = m->path.size - 1; i-- > 0;) {
    hd_trans_id t = trans_at(m, i);
    const hd_trans *trans = &m->net->trans.data[t];
    if (trans->from == trans->to && !gives_wanted(m, t))
      continue;
    hd_tokens pre = hd_net_pre(m->net, t), post = hd_net_post(m->net, t);
    for (size_t k = 0; k < post.size; k++) {
      uint64_t *have = &m->have[post.data[k].place];
      *have -= *have < post.data[k].count ? *have : post.data[k].count;
    }
    for (size_t k = 0; k < pre.size; k++)
      m->have[pre.data[k].place] += pre.data[k].count;
    hd_step step = {.trans = t};
    hd_vec_push(&witness->steps, step);
  }
  for (size_t i = 0, j = witness->steps.size; i + 1 < j; i++, j--) {
    hd_step step = witness->steps.data[i];
    witness->steps.data[i] = witness->steps.data[j - 1];
    witness->steps.data[j - 1] = step;
  }
}

bool hd_fws_witness(fws_search *search, hd_witness *witness) {
  const hd_net *net = search->rules->net;
  assert(search->found != FWS_NONE && search->target < net->targets.size);
  maker m = {.search = search, .net = net};
  find_path(&m);
  witness->target = search->target;
  m.have = hd_calloc(net->n_places, sizeof *m.have);
  bool made;
  if (!(net->features & (HD_HAS_MOVES | HD_HAS_CAPS | HD_HAS_TARGET_CAPS))) {
    plain_steps(&m, witness);
    made = hd_witness_find_init(witness, net);
  } else {
    m.asked_of = hd_calloc(m.path.size, sizeof *m.asked_of);
    want_all(&m);
    fix_init(&m, witness);
    go_forward(&m, witness);
    made = !m.overflow;
  }
  hd_vec_free(&m.path);
  hd_vec_free(&m.asked);
  hd_vec_free(&m.before.tokens);
  hd_vec_free(&m.after.tokens);
  hd_free(m.have);
  hd_free(m.asked_of);
  return made;
}
