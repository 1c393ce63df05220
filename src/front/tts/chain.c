/* SPDX-License-Identifier: MIT */
/* Nets as thread systems.
 *
 * Problem: a .tts edge moves one thread; a net's transition takes and gives any
 * number of tokens.
 * Idea: threads are tokens. Local state 0 is a pool of unboundedly many unused
 * threads, local i + 1 is place i. A transition becomes a chain of fresh shared
 * states that starts and ends in one shared state, the hub: first it takes its
 * tokens one by one into the pool, then it performs its moves as one broadcast,
 * then it gives its tokens one by one out of the pool. Taking everything before
 * giving anything is what makes a chain enabled exactly when its transition is.
 * A chain that gets stuck half-way does no harm: the hub is never seen again.
 * A reset returns the threads to the pool.
 * The initial marking is built by a chain from shared state 0 into the hub: an
 * edge for each token that must be there, a choice for each that may, and loops
 * in front of the hub for unbounded places. Each target is a chain that takes
 * its tokens into the last shared state; the target of the result is one thread
 * in the pool there. */
#include "front/tts/tts.h"

static uint64_t total(hd_tokens v) {
  uint64_t sum = 0;
  for (size_t i = 0; i < v.size; i++)
    sum += v.data[i].count;
  return sum;
}

/* Tokens that move to where they are do not move. */
static bool goes_away(const hd_net *net, hd_trans_id t, uint32_t i) {
  const hd_move *move = hd_net_moves(net, t);
  uint32_t n = net->trans.data[t].moves.size;
  bool alone = (!i || move[i - 1].from != move[i].from) &&
               (i + 1 == n || move[i + 1].from != move[i].from);
  return !alone || move[i].from != move[i].to;
}

/* Steps of the chain of transition `t`; at least one edge is needed even for a
 * transition without effect, and a broadcast must not be a self loop (bfc
 * refuses that). */
static uint64_t trans_steps(const hd_net *net, hd_trans_id t) {
  bool moves = false;
  for (uint32_t i = 0; i < net->trans.data[t].moves.size; i++)
    moves = moves || goes_away(net, t, i);
  uint64_t steps =
      total(hd_net_pre(net, t)) + total(hd_net_post(net, t)) + (moves ? 1 : 0);
  return steps > (moves ? 1 : 0) ? steps : moves ? 2 : 1;
}

static uint64_t target_steps(const hd_net *net, const hd_target *target) {
  uint64_t steps = total(hd_net_view(net, target->need));
  return steps ? steps : 1;
}

hd_chain_size hd_chain_measure(const hd_net *net) {
  hd_chain_size size = {.shared = 1};
  bool loops = false;
  for (uint32_t p = 0; p < net->n_places; p++) {
    hd_init init = net->init[p];
    bool unbounded = init.max == HD_OMEGA;
    uint64_t choices = unbounded ? 0 : init.max - init.min;
    size.shared += init.min + choices;
    size.edges += init.min + 2 * choices + (unbounded ? 1 : 0);
    loops = loops || unbounded;
  }
  size.shared += loops ? 1 : 0;
  size.edges += loops ? 1 : 0;
  for (hd_trans_id t = 0; t < net->trans.size; t++) {
    size.shared += trans_steps(net, t) - 1;
    size.edges += trans_steps(net, t);
  }
  for (hd_vec_each(const hd_target, target, &net->targets)) {
    size.shared += target_steps(net, target) - 1;
    size.edges += target_steps(net, target);
  }
  size.shared += net->targets.size ? 1 : 0;
  return size;
}

typedef struct {
  hd_net *out;
  hd_shared_id next; /* the next fresh shared state */
  hd_shared_id at;   /* where the current chain has arrived */
  uint64_t left;     /* edges the current chain still needs */
  hd_shared_id end;  /* where it has to arrive */
} builder;

static void add_edge(builder *b, hd_shared_id to, hd_place_id from_local,
                     hd_place_id to_local, const hd_move *moves,
                     size_t n_moves) {
  hd_token pre = {.place = from_local, .count = 1};
  hd_token post = {.place = to_local, .count = 1};
  hd_trans_spec spec = {.from = b->at,
                        .to = to,
                        .pre = {.data = &pre, .size = 1},
                        .post = {.data = &post, .size = 1},
                        .moves = moves,
                        .n_moves = n_moves};
  if (!hd_net_add_trans(b->out, &spec))
    hd_bug("counts of a chain edge out of range");
}

static void begin(builder *b, hd_shared_id from, hd_shared_id to,
                  uint64_t edges) {
  b->at = from;
  b->end = to;
  b->left = edges;
}

/* One edge further along the chain. */
static void step(builder *b, hd_place_id from_local, hd_place_id to_local,
                 const hd_move *moves, size_t n_moves) {
  assert(b->left > 0);
  hd_shared_id to = --b->left ? b->next++ : b->end;
  add_edge(b, to, from_local, to_local, moves, n_moves);
  b->at = to;
}

static void take(builder *b, hd_tokens v) {
  for (size_t i = 0; i < v.size; i++)
    for (hd_count n = 0; n < v.data[i].count; n++)
      step(b, v.data[i].place + 1, 0, NULL, 0);
}

static void give(builder *b, hd_tokens v) {
  for (size_t i = 0; i < v.size; i++)
    for (hd_count n = 0; n < v.data[i].count; n++)
      step(b, 0, v.data[i].place + 1, NULL, 0);
}

static void broadcast(builder *b, const hd_net *net, hd_trans_id t) {
  hd_vec(hd_move) moves = {0};
  for (uint32_t i = 0; i < net->trans.data[t].moves.size; i++) {
    hd_move m = hd_net_moves(net, t)[i];
    hd_place_id to = m.to == HD_NOWHERE ? 0 : m.to + 1;
    if (!goes_away(net, t, i))
      continue;
    hd_vec_push(&moves, ((hd_move){.from = m.from + 1, .to = to}));
  }
  if (moves.size)
    step(b, 0, 0, moves.data, moves.size);
  hd_vec_free(&moves);
}

static void finish(builder *b) {
  while (b->left)
    step(b, 0, 0, NULL, 0);
}

/* Builds the initial marking; returns the hub. */
static hd_shared_id build_init(builder *b, const hd_net *net) {
  bool loops = false;
  b->at = 0;
  for (uint32_t p = 0; p < net->n_places; p++) {
    hd_init init = net->init[p];
    bool unbounded = init.max == HD_OMEGA;
    hd_count most = unbounded ? init.min : init.max;
    loops = loops || unbounded;
    for (hd_count n = 0; n < most; n++) {
      hd_shared_id to = b->next++;
      add_edge(b, to, 0, p + 1, NULL, 0);
      if (n >= init.min)
        add_edge(b, to, 0, 0, NULL, 0);
      b->at = to;
    }
  }
  if (!loops)
    return b->at;
  for (uint32_t p = 0; p < net->n_places; p++)
    if (net->init[p].max == HD_OMEGA)
      add_edge(b, b->at, 0, p + 1, NULL, 0);
  hd_shared_id hub = b->next++;
  add_edge(b, hub, 0, 0, NULL, 0);
  return hub;
}

hd_net *hd_chain_build(const hd_net *net) {
  hd_chain_size size = hd_chain_measure(net);
  assert(net->n_shared == 1 && !(net->features & HD_HAS_CAPS));
  assert(size.shared <= HD_MAX_STATES && size.edges <= HD_MAX_STATES);
  builder b = {.next = 1};
  b.out = hd_net_new(HD_FORMAT_TTS, net->file, (uint32_t)size.shared,
                     net->n_places + 1);
  b.out->init[0] = (hd_init){.min = 0, .max = HD_OMEGA};
  hd_shared_id hub = build_init(&b, net);
  for (hd_trans_id t = 0; t < net->trans.size; t++) {
    begin(&b, hub, hub, trans_steps(net, t));
    take(&b, hd_net_pre(net, t));
    broadcast(&b, net, t);
    give(&b, hd_net_post(net, t));
    finish(&b);
  }
  hd_shared_id last = (uint32_t)size.shared - 1;
  for (hd_vec_each(const hd_target, target, &net->targets)) {
    begin(&b, hub, last, target_steps(net, target));
    take(&b, hd_net_view(net, target->need));
    finish(&b);
  }
  hd_token pool = {.place = 0, .count = 1};
  if (net->targets.size &&
      !hd_net_add_target(b.out, last, (hd_tokens){.data = &pool, .size = 1},
                         (hd_tokens){0}, 0))
    hd_bug("counts of a chain target out of range");
  assert(b.next + (net->targets.size ? 1 : 0) == size.shared);
  hd_net_finish(b.out);
  return b.out;
}
