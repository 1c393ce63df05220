/* SPDX-License-Identifier: MIT */
/* From the branch of a node that covers a target to a plain firing sequence.
 *
 * The branch is walked backward with the tokens that the rest of the sequence
 * needs, exact numbers. A transition changes them as usual. An acceleration is
 * replaced by as many rounds of its body as it takes until what is needed of
 * the places it gains is within what is there without it: on the branch that is
 * the configuration before it (known by walking forward once), inside another
 * acceleration's body it is `pre`. Each round, walked backward, lowers the need
 * of every gained place that is above `pre` and leaves the others within what
 * A1 promises, so this ends; accelerations inside the round are unrolled in the
 * same way, each time for what is needed then.
 *
 * A place that is unbounded before the acceleration anyway, because something
 * earlier on the branch or earlier in the enclosing body pumps it, is not
 * pumped inside: its need adds up over all rounds and is met once, there. For
 * the same reason all rounds but the first leave what the body pumps to the
 * first. Without that nested loops multiply, and witnesses grow
 * exponentially. */
#include "engine/km/search.h"

/* An acceleration being unrolled. */
typedef struct {
  uint32_t accel;
  uint32_t at;    /* next step of the body; its size: between two rounds */
  uint32_t index; /* of it in the body of the frame before */
  size_t present; /* index into `present`; SIZE_MAX: inside another */
  bool later;     /* this is not the first round */
} frame;

typedef struct {
  hd_km_search *search;
  hd_run *run;
  uint64_t *need;  /* dense */
  size_t *since;   /* steps of the branch after which a place is unbounded:
                      0 = from the start, SIZE_MAX = never */
  size_t before;   /* steps of the branch before the present one */
  hd_u32s branch;  /* steps, last first */
  hd_u32s present; /* counts of gained places before the accelerations of the
                      branch, first acceleration first */
  hd_vec(frame) frames;
  hd_u32s *steps; /* last first */
  size_t limit;
} unrolling;

static void collect_branch(unrolling *u) {
  const hd_km_search *search = u->search;
  for (uint32_t v = search->found; v != HD_KM_NONE;) {
    const hd_km_node *node = &search->tree.data[v];
    for (uint32_t i = node->accels.size; i-- > 0;)
      hd_vec_push(&u->branch,
                  search->accel_ids.data[node->accels.start + i] | HD_KM_ACCEL);
    if (node->trans != HD_KM_NONE)
      hd_vec_push(&u->branch, node->trans);
    v = node->parent;
  }
}

static void forward_trans(const hd_km_system *system, hd_count *counts,
                          const hd_km_trans *trans) {
  for (uint32_t i = 0; i < trans->change.size; i++) {
    hd_km_change c = system->changes.data[trans->change.start + i];
    if (counts[c.place] != HD_OMEGA)
      counts[c.place] = (hd_count)((int64_t)counts[c.place] + c.change);
  }
}

static void forward_accel(unrolling *u, hd_count *counts, uint32_t id,
                          size_t done) {
  const hd_km_accels *accels = &u->search->accels;
  const hd_km_accel *a = &accels->list.data[id];
  for (uint32_t i = 0; i < a->gain.size; i++) {
    hd_place_id p = accels->gain.data[a->gain.start + i];
    hd_vec_push(&u->present, counts[p]);
    counts[p] = HD_OMEGA;
    if (u->since[p] == SIZE_MAX)
      u->since[p] = done;
  }
}

/* Walks the branch forward from the initial configuration. */
static void find_present(unrolling *u) {
  const hd_km_system *system = &u->search->system;
  hd_count *counts = hd_calloc(system->n_places, sizeof *counts);
  for (hd_vec_each(const hd_token, token, &system->init))
    counts[token->place] = token->count;
  for (uint32_t p = 0; p < system->n_places; p++)
    u->since[p] = counts[p] == HD_OMEGA ? 0 : SIZE_MAX;
  for (size_t i = u->branch.size; i-- > 0;) {
    uint32_t step = u->branch.data[i];
    if (step & HD_KM_ACCEL)
      forward_accel(u, counts, step & ~HD_KM_ACCEL, u->branch.size - i);
    else
      forward_trans(system, counts, &system->trans.data[step]);
  }
  hd_free(counts);
}

/* Puts a transition in front. False at the limit of steps or of the run. */
static bool backward_trans(unrolling *u, uint32_t index) {
  const hd_km_system *system = &u->search->system;
  const hd_km_trans *trans = &system->trans.data[index];
  for (uint32_t i = 0; i < trans->change.size; i++) {
    hd_km_change c = system->changes.data[trans->change.start + i];
    int64_t need = (int64_t)u->need[c.place] - c.change;
    u->need[c.place] = need > 0 ? (uint64_t)need : 0;
  }
  hd_tokens pre = hd_km_system_view(system, trans->pre);
  for (size_t i = 0; i < pre.size; i++)
    if (u->need[pre.data[i].place] < pre.data[i].count)
      u->need[pre.data[i].place] = pre.data[i].count;
  hd_vec_push(u->steps, trans->id);
  return u->steps->size <= u->limit &&
         (u->steps->size % 4096 || hd_run_check(u->run));
}

/* Where `p` stands among the places that `a` gains, or SIZE_MAX. */
static size_t find_gain(const hd_km_accels *accels, const hd_km_accel *a,
                        hd_place_id p) {
  size_t low = a->gain.start, high = low + a->gain.size, end = high;
  while (low < high) {
    size_t mid = low + (high - low) / 2;
    if (accels->gain.data[mid] < p)
      low = mid + 1;
    else
      high = mid;
  }
  return low < end && accels->gain.data[low] == p ? low : SIZE_MAX;
}

/* True when `p` is unbounded before frame number `k` anyway. */
static bool met_before(const unrolling *u, size_t k, hd_place_id p) {
  const hd_km_accels *accels = &u->search->accels;
  for (; k > 0; k--) {
    const frame *outer = &u->frames.data[k - 1];
    size_t gain = find_gain(accels, &accels->list.data[outer->accel], p);
    uint32_t first = gain == SIZE_MAX ? 0 : accels->first.data[gain];
    if (first > u->frames.data[k].index + 1 || (first && outer->later))
      return true;
  }
  return u->since[p] <= u->before;
}

/* How much of `p`, the i-th gain of the last frame's acceleration, it still has
 * to provide. */
static uint64_t lacking(const unrolling *u, hd_tokens pre, uint32_t i,
                        hd_place_id p) {
  const frame *f = &hd_vec_last(&u->frames);
  hd_count there = f->present == SIZE_MAX ? hd_tokens_at(pre, p)
                                          : u->present.data[f->present + i];
  if (there == HD_OMEGA || u->need[p] <= there ||
      (f->present == SIZE_MAX && met_before(u, u->frames.size - 1, p)))
    return 0;
  return u->need[p] - there;
}

/* True when the rounds put in front so far suffice for the last frame.
 * Otherwise another is needed; it cannot be the first when one round does not
 * give enough of a place that the body does not pump. */
static bool enough(unrolling *u) {
  const hd_km_accels *accels = &u->search->accels;
  frame *f = &hd_vec_last(&u->frames);
  const hd_km_accel *a = &accels->list.data[f->accel];
  hd_tokens pre = hd_km_accel_pre(accels, a);
  bool enough = true;
  f->later = false;
  for (uint32_t i = 0; i < a->gain.size && !f->later; i++) {
    size_t gain = a->gain.start + i;
    uint64_t lack = lacking(u, pre, i, accels->gain.data[gain]);
    enough = enough && !lack;
    f->later = !accels->first.data[gain] && lack > accels->sum.data[gain];
  }
  return enough;
}

static void open_accel(unrolling *u, uint32_t id, uint32_t index,
                       size_t present) {
  frame f = {.accel = id,
             .at = u->search->accels.list.data[id].body.size,
             .index = index,
             .present = present};
  hd_vec_push(&u->frames, f);
}

/* Works off the frames; the newest is the innermost acceleration. */
static bool unroll_frames(unrolling *u) {
  const hd_km_accels *accels = &u->search->accels;
  while (u->frames.size) {
    frame *f = &hd_vec_last(&u->frames);
    const hd_km_accel *a = &accels->list.data[f->accel];
    if (f->at == a->body.size) {
      if (enough(u)) {
        (void)hd_vec_pop(&u->frames);
        continue;
      }
      f->at = 0;
    }
    uint32_t step = accels->body.data[a->body.start + f->at++];
    if (step & HD_KM_ACCEL)
      open_accel(u, step & ~HD_KM_ACCEL, f->at - 1, SIZE_MAX);
    else if (!backward_trans(u, step))
      return false;
  }
  return true;
}

static bool unroll_branch(unrolling *u) {
  const hd_km_accels *accels = &u->search->accels;
  size_t present = u->present.size;
  for (size_t i = 0; i < u->branch.size; i++) {
    uint32_t step = u->branch.data[i];
    u->before = u->branch.size - 1 - i;
    if (step & HD_KM_ACCEL) {
      uint32_t id = step & ~HD_KM_ACCEL;
      present -= accels->list.data[id].gain.size;
      open_accel(u, id, 0, present);
      if (!unroll_frames(u))
        return false;
    } else if (!backward_trans(u, step)) {
      return false;
    }
  }
  assert(!present);
  return true;
}

static void set_goal(unrolling *u) {
  const hd_km_system *system = &u->search->system;
  const hd_net *net = system->net;
  if (system->source) {
    u->need[u->search->found_place] = 1;
    return;
  }
  hd_tokens goal =
      hd_net_view(net, net->targets.data[u->search->found_goal].need);
  for (size_t i = 0; i < goal.size; i++)
    u->need[system->new_place[goal.data[i].place]] = goal.data[i].count;
}

bool hd_km_unroll(hd_km_search *search, size_t limit, hd_run *run,
                  hd_u32s *steps) {
  assert(search->found != HD_KM_NONE && !steps->size);
  unrolling u = {.search = search, .run = run, .steps = steps, .limit = limit};
  u.need = hd_calloc(search->system.n_places, sizeof *u.need);
  u.since = hd_calloc(search->system.n_places, sizeof *u.since);
  set_goal(&u);
  collect_branch(&u);
  find_present(&u);
  bool done = unroll_branch(&u);
  for (size_t i = 0, n = steps->size; i < n / 2; i++) {
    uint32_t step = steps->data[i];
    steps->data[i] = steps->data[n - 1 - i];
    steps->data[n - 1 - i] = step;
  }
  hd_free(u.need);
  hd_free(u.since);
  hd_vec_free(&u.branch);
  hd_vec_free(&u.present);
  hd_vec_free(&u.frames);
  search->stats.witness_steps = steps->size;
  return done;
}
