/* SPDX-License-Identifier: MIT */
/* A few threads that take steps in turn; inputs are small, or large, or a value
 * that some variable has. The proof starts from what is seen here instead of from
 * nothing, which saves most questions: what has occurred is no matter of
 * opinion. And a state that the proof has to allow, because the solver found it,
 * is followed as well: all that it leads to has to be allowed, too (threads that
 * are pairwise allowed stay so). The same on every run. */
#include "engine/pairs/simulate.h"

#include "base/hash.h"

#include <string.h>

enum { RUNS = 24, MOVES = 120, THREADS = 5, SHORT = 40 };

struct psimulation {
  const psystem *s;
  pon_state visit;
  void *context;
  uint64_t random;
  uint64_t *shared;
  struct {
    uint32_t place;
    uint64_t *local;
  } threads[THREADS];
  uint32_t first, second; /* threads that variables are of */
  uint64_t move;
  bool patient;    /* what fails just ends the run */
  bool small;      /* all inputs are, so that loops are left soon */
  uint32_t *ended; /* of a kind: how many have ended and were not joined */
};
typedef psimulation simulation;

static uint64_t draw(simulation *m, uint64_t below) {
  assert(below > 0);
  m->random = hd_hash_mix(m->random, 0x9E3779B97F4A7C15u);
  return m->random % below;
}

static uint64_t input(simulation *m, uint32_t index) {
  /* The same input has one value in a step. */
  uint64_t seed = hd_hash_mix(hd_hash_mix(m->random, m->move), index);
  if (m->small)
    return seed % 4;
  switch (seed % 6) {
  case 0:
    return 0;
  case 1:
    return 1;
  case 2:
    return seed >> 8;
  case 3:
    return 0 - (seed >> 8) % 4;
  case 4:
    return (seed >> 8) % 12;
  default:
    return m->s->shared.size ? m->shared[(seed >> 8) % m->s->shared.size] : 0;
  }
}

static uint64_t lookup(void *context, pterms *t, pterm var) {
  simulation *m = context;
  pvar v = hd_pairs_var_of(t, var);
  assert(v.owner == OF_NOBODY ||
         v.index < (v.owner == OF_ALL ? m->s->shared.size : m->s->local.size));
  switch (v.owner) {
  case OF_ALL:
    return m->shared[v.index];
  case OF_FIRST:
    return m->threads[m->first].local[v.index];
  case OF_SECOND:
    return m->threads[m->second].local[v.index];
  default:
    return input(m, v.index);
  }
}

static void begin(simulation *m) {
  assert(m->s->kinds.data[0].start != UNBORN);
  const psystem *s = m->s;
  memset(m->ended, 0, s->kinds.size * sizeof *m->ended);
  for (uint32_t i = 0; i < s->shared.size; i++)
    m->shared[i] =
        s->shared.data[i].has_start ? s->shared.data[i].start : draw(m, 4);
  for (uint32_t k = 0; k < THREADS; k++) {
    m->threads[k].place = k ? UNBORN : s->kinds.data[0].start;
    for (uint32_t i = 0; i < s->local.size; i++)
      m->threads[k].local[i] =
          s->local.data[i].has_start ? s->local.data[i].start : draw(m, 4);
  }
}

static uint32_t find_unborn(const simulation *m) {
  for (uint32_t k = 0; k < THREADS; k++)
    if (m->threads[k].place == UNBORN)
      return k;
  return THREADS;
}

static uint64_t value(simulation *m, pterm term) {
  return hd_pairs_term_value(m->s->terms, term, lookup, m);
}

/* Of all values first, then the assignments. */
static void apply(simulation *m, const pstep *step, uint32_t born) {
  assert(!step->fails && step->to < m->s->places.size);
  assert(m->threads[m->first].place == step->from);
  assert(step->creates == HD_NO_ID || born < THREADS);
  hd_vec(uint64_t) values = {0};
  for (hd_vec_each(const passign, a, &step->sets))
    hd_vec_push(&values, value(m, a->term));
  for (hd_vec_each(const passign, a, &step->begins))
    hd_vec_push(&values, value(m, a->term));
  size_t at = 0;
  for (hd_vec_each(const passign, a, &step->sets)) {
    uint64_t v = values.data[at++];
    if (a->var.owner == OF_ALL)
      m->shared[a->var.index] = v;
    else
      m->threads[m->first].local[a->var.index] = v;
  }
  for (hd_vec_each(const passign, a, &step->begins))
    m->threads[born].local[a->var.index] = values.data[at++];
  assert(at == values.size);
  m->threads[m->first].place = step->to;
  if (step->creates != HD_NO_ID)
    m->threads[born].place = m->s->kinds.data[step->creates].start;
  hd_vec_free(&values);
}

/* A thread that can be joined by the step; NULL = none. */
static uint32_t *find_ended(const simulation *m, const pstep *step) {
  assert(step->joins < m->s->families.size);
  const pfamily *f = &m->s->families.data[step->joins];
  for (size_t i = 0; i < f->kinds.size; i++)
    if (m->ended[f->kinds.data[i]])
      return &m->ended[f->kinds.data[i]];
  return NULL;
}

/* One step of the thread, if it can; a failing one comes back. */
static const pstep *move(simulation *m, uint32_t thread) {
  assert(thread < THREADS);
  const psystem *s = m->s;
  uint32_t born = find_unborn(m);
  size_t n = s->steps.size, offset = draw(m, n);
  m->first = thread;
  m->move++;
  hd_pairs_terms_forget(s->terms);
  for (size_t i = 0; i < n; i++) {
    const pstep *step = &s->steps.data[(i + offset) % n];
    if (step->from != m->threads[thread].place || !value(m, step->guard))
      continue;
    if (step->fails)
      return step;
    uint32_t *ended = step->joins == HD_NO_ID ? NULL : find_ended(m, step);
    if ((step->creates != HD_NO_ID && born == THREADS) || step->exits ||
        (step->joins != HD_NO_ID && !ended))
      continue;
    if (ended)
      --*ended;
    if (step->to == UNBORN)
      m->ended[s->places.data[step->from].kind]++;
    apply(m, step, born);
    return NULL;
  }
  return NULL;
}

static void show(simulation *m) {
  for (uint32_t x = 0; x < THREADS; x++)
    for (uint32_t y = x + 1; y < THREADS; y++) {
      bool turned = m->threads[x].place > m->threads[y].place;
      m->first = turned ? y : x;
      m->second = turned ? x : y;
      m->visit(m->context, m->threads[m->first].place,
               m->threads[m->second].place, lookup, m);
    }
  /* There is always one more that does not exist. */
  for (uint32_t x = 0; x < THREADS; x++) {
    m->first = THREADS - 1;
    m->second = x;
    m->visit(m->context, UNBORN, m->threads[x].place, lookup, m);
  }
}

psimulation *hd_pairs_simulation_new(const psystem *s, pon_state visit,
                                     void *context) {
  simulation *m = hd_calloc(1, sizeof *m);
  *m = (simulation){.s = s, .visit = visit, .context = context, .random = 1};
  m->shared = hd_calloc(s->shared.size + 1, sizeof *m->shared);
  m->ended = hd_calloc(s->kinds.size + 1, sizeof *m->ended);
  for (int k = 0; k < THREADS; k++)
    m->threads[k].local = hd_calloc(s->local.size + 1, sizeof *m->shared);
  return m;
}

void hd_pairs_simulation_go_on(psimulation *m) {
  m->patient = true;
}

void hd_pairs_simulation_delete(psimulation *m) {
  hd_free(m->shared);
  hd_free(m->ended);
  for (int k = 0; k < THREADS; k++)
    hd_free(m->threads[k].local);
  hd_free(m);
}

const pstep *hd_pairs_simulate(psimulation *m, hd_run *run) {
  const pstep *failing = NULL;
  for (int r = 0; r < RUNS && !failing && hd_run_spend(run, 5000); r++) {
    begin(m);
    show(m);
    m->small = r % 3 != 0;
    for (int i = 0; i < MOVES && !failing; i++) {
      /* Some threads are lazy in some runs. */
      uint32_t thread = (uint32_t)draw(m, THREADS);
      if (draw(m, 4) == 0)
        thread = (uint32_t)r % THREADS;
      failing = move(m, thread);
      show(m);
      if (failing && m->patient)
        break;
    }
    failing = m->patient ? NULL : failing;
  }
  return failing;
}

static uint64_t look_up(simulation *m, powner owner, uint32_t index,
                        uint8_t width, plookup from, void *state) {
  pvar var = {.owner = owner, .index = index};
  pterms *t = m->s->terms;
  return from(state, t, hd_pairs_term_var(t, var, width));
}

const pstep *hd_pairs_simulate_from(psimulation *m, const uint32_t places[3],
                                    plookup from, void *state) {
  static const powner owners[] = {OF_FIRST, OF_SECOND, OF_THIRD};
  const psystem *s = m->s;
  for (uint32_t i = 0; i < s->shared.size; i++)
    m->shared[i] = look_up(m, OF_ALL, i, s->shared.data[i].width, from, state);
  for (uint32_t k = 0; k < THREADS; k++) {
    bool there = k < 3 && places[k] != HD_NO_ID;
    m->threads[k].place = there ? places[k] : UNBORN;
    for (uint32_t i = 0; i < s->local.size && there; i++)
      m->threads[k].local[i] =
          look_up(m, owners[k], i, s->local.data[i].width, from, state);
  }
  const pstep *failing = NULL;
  m->small = false;
  for (int i = 0; i < SHORT && !failing; i++) {
    failing = move(m, (uint32_t)draw(m, THREADS));
    show(m);
  }
  return m->patient ? NULL : failing;
}
