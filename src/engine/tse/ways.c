/* SPDX-License-Identifier: MIT */
/* From an element that covers a target to a firing sequence.
 *
 * The branch is walked backward with the tokens that the rest of the sequence
 * needs, exact numbers. Where a loop made a count HD_OMEGA and more is needed
 * than was there before, the loop is put in front as often as it takes. It is
 * the plain path between the two elements: whatever is unbounded on it became
 * so on the branch before, and is provided there, once for all rounds. Where a
 * count was cut off and more is needed than there was, the way does not exist;
 * the walk goes on as if it did, to see the other such places as well. */
#include "engine/tse/saturate_impl.h"

/* The longest way that is written out. */
enum { MAX_STEPS = 1000 * 1000 };

typedef struct {
  const hd_elements *all;
  uint64_t *need; /* dense */
  hd_witness *witness;
  hd_u32s *short_of;
} way;

/* Puts a step in front. */
static void step_back(way *w, hd_trans_id t) {
  const hd_net *net = w->all->net;
  hd_tokens pre = hd_net_pre(net, t), post = hd_net_post(net, t);
  for (size_t i = 0; i < post.size; i++) {
    uint64_t *n = &w->need[post.data[i].place];
    *n = *n > post.data[i].count ? *n - post.data[i].count : 0;
  }
  for (size_t i = 0; i < pre.size; i++)
    w->need[pre.data[i].place] += pre.data[i].count;
  hd_vec_push(&w->witness->steps, ((hd_step){.trans = t}));
}

/* How many rounds of the loop the jump needs. */
static uint64_t rounds_for(const way *w, const hd_jump *jump) {
  uint64_t need = w->need[jump->place];
  return need <= jump->before
             ? 0
             : (need - jump->before + jump->change - 1) / jump->change;
}

/* Puts the loop of a jump of element `index` in front, so many times. False when
 * that is too long. */
static bool go_round(way *w, const hd_jump *jump, uint32_t index,
                     uint64_t rounds) {
  const hd_element *e = w->all->elements.data;
  if (rounds > MAX_STEPS)
    return false;
  for (; rounds; rounds--) {
    if (jump->loop == HD_ONE_STEP)
      step_back(w, jump->step);
    else
      for (uint32_t i = index; i != jump->loop; i = e[i].parent)
        step_back(w, e[i].trans);
    if (w->witness->steps.size > MAX_STEPS)
      return false;
  }
  return true;
}

/* The jumps of an element, the last first; those of one loop together. */
static bool undo_jumps(way *w, uint32_t index) {
  hd_range jumps = w->all->elements.data[index].jumps;
  for (uint32_t i = jumps.size; i > 0;) {
    const hd_jump *last = &w->all->jumps.data[jumps.start + --i];
    if (last->loop == HD_NO_ELEMENT) {
      if (w->need[last->place] > last->before) {
        hd_vec_push(w->short_of, last->place);
        w->need[last->place] = last->before;
      }
      continue;
    }
    uint64_t rounds = rounds_for(w, last);
    if (last->loop == HD_ONE_STEP) {
      if (!go_round(w, last, index, rounds))
        return false;
      continue;
    }
    for (; i > 0 && last[-1].loop == last->loop; i--, last--) {
      uint64_t more = rounds_for(w, last - 1);
      rounds = more > rounds ? more : rounds;
    }
    if (!go_round(w, last, index, rounds))
      return false;
  }
  return true;
}

static void reverse(hd_witness *witness) {
  for (size_t i = 0, n = witness->steps.size; i < n / 2; i++) {
    hd_step step = witness->steps.data[i];
    witness->steps.data[i] = witness->steps.data[n - 1 - i];
    witness->steps.data[n - 1 - i] = step;
  }
}

static bool walk_back(way *w, uint32_t index) {
  for (uint32_t i = index;;) {
    const hd_element *e = &w->all->elements.data[i];
    if (!undo_jumps(w, i))
      return false;
    if (e->parent == HD_NO_ELEMENT)
      return true;
    step_back(w, e->trans);
    i = e->parent;
  }
}

hd_witness *hd_elements_way(const hd_elements *all, uint32_t index,
                            uint32_t target, hd_u32s *short_of) {
  const hd_net *net = all->net;
  assert(!(net->features & (HD_HAS_MOVES | HD_HAS_CAPS)));
  way w = {.all = all, .short_of = short_of, .witness = hd_witness_new()};
  w.need = hd_calloc(net->n_places, sizeof *w.need);
  w.witness->target = target;
  hd_tokens goal = hd_net_view(net, net->targets.data[target].need);
  for (size_t i = 0; i < goal.size; i++)
    w.need[goal.data[i].place] = goal.data[i].count;
  bool found = walk_back(&w, index) && !short_of->size;
  hd_free(w.need);
  reverse(w.witness);
  if (found && !net->targets.data[target].caps.size &&
      hd_witness_find_init(w.witness, net))
    return w.witness;
  hd_witness_delete(w.witness);
  return NULL;
}
