/* SPDX-License-Identifier: MIT */
#include "engine/km/accel.h"

void hd_km_accels_init(hd_km_accels *accels, const hd_km_system *system) {
  *accels = (hd_km_accels){.system = system};
  accels->of_shared = hd_calloc(system->n_shared, sizeof *accels->of_shared);
  accels->effects = hd_calloc(system->n_places, sizeof *accels->effects);
}

void hd_km_accels_free(hd_km_accels *accels) {
  for (uint32_t s = 0; s < accels->system->n_shared; s++)
    hd_vec_free(&accels->of_shared[s]);
  hd_free(accels->of_shared);
  hd_free(accels->effects);
  hd_vec_free(&accels->list);
  hd_vec_free(&accels->pre);
  hd_vec_free(&accels->gain);
  hd_vec_free(&accels->first);
  hd_vec_free(&accels->sum);
  hd_vec_free(&accels->body);
  hd_vec_free(&accels->touched);
}

void hd_km_accels_grow(hd_km_accels *accels, uint32_t n_shared,
                       uint32_t n_places) {
  const hd_km_system *system = accels->system;
  accels->of_shared = hd_realloc(accels->of_shared,
                                 system->n_shared * sizeof *accels->of_shared);
  for (uint32_t s = n_shared; s < system->n_shared; s++)
    accels->of_shared[s] = (hd_u32s){0};
  accels->effects =
      hd_realloc(accels->effects, system->n_places * sizeof *accels->effects);
  for (uint32_t p = n_places; p < system->n_places; p++)
    accels->effects[p] = (hd_km_effect){0};
}

/* ---- learning ---- */

/* Needs are 64 bits wide, so that no loop can make them overflow. */
#define NEED_OMEGA UINT64_MAX

static uint64_t as_need(hd_count count) {
  return count == HD_OMEGA ? NEED_OMEGA : count;
}

static hd_km_effect *touch(hd_km_accels *accels, hd_place_id place) {
  hd_km_effect *effect = &accels->effects[place];
  if (!effect->touched) {
    effect->touched = true;
    hd_vec_push(&accels->touched, place);
  }
  return effect;
}

/* Raises the need to at least `pre`. */
static void need_at_least(hd_km_accels *accels, hd_tokens pre) {
  for (size_t i = 0; i < pre.size; i++) {
    hd_km_effect *effect = touch(accels, pre.data[i].place);
    if (effect->need < as_need(pre.data[i].count))
      effect->need = as_need(pre.data[i].count);
  }
}

/* Puts `trans` before the steps seen so far. */
static void prepend_trans(hd_km_accels *accels, const hd_km_trans *trans) {
  const hd_km_change *change = hd_km_changes(accels->system, trans);
  for (uint32_t i = 0; i < trans->change.size; i++) {
    hd_km_effect *effect = touch(accels, change[i].place);
    effect->sum += change[i].change;
    if (effect->need == NEED_OMEGA)
      continue;
    int64_t need = (int64_t)effect->need - change[i].change;
    effect->need = need > 0 ? (uint64_t)need : 0;
  }
  need_at_least(accels, hd_km_system_view(accels->system, trans->pre));
}

/* Before an acceleration only its own `pre` is needed of what it gains. */
static void prepend_accel(hd_km_accels *accels, const hd_km_accel *a,
                          uint32_t index) {
  for (uint32_t i = 0; i < a->gain.size; i++) {
    hd_km_effect *effect = touch(accels, accels->gain.data[a->gain.start + i]);
    effect->pumped = index + 1;
    effect->need = 0;
  }
  need_at_least(accels, hd_km_accel_pre(accels, a));
}

static uint32_t clip(int64_t sum) {
  return sum < UINT32_MAX ? (uint32_t)sum : UINT32_MAX;
}

/* Adds what the workspace says about `place` to `a`, the newest acceleration.
 * False when the count is too large. */
static bool settle_place(hd_km_accels *accels, hd_km_accel *a,
                         hd_place_id place) {
  hd_km_effect effect = accels->effects[place];
  accels->effects[place] = (hd_km_effect){0};
  bool gains = effect.pumped || effect.sum > 0;
  if (!gains && effect.sum < 0)
    effect.need = NEED_OMEGA;
  bool omega = effect.need == NEED_OMEGA;
  if (!omega && effect.need > HD_COUNT_MAX)
    return false;
  if (effect.need) {
    hd_token token = {.place = place,
                      .count = omega ? HD_OMEGA : (hd_count)effect.need};
    hd_vec_push(&accels->pre, token);
    a->pre.size++;
  }
  if (gains && !omega) {
    hd_vec_push(&accels->gain, place);
    hd_vec_push(&accels->first, effect.pumped);
    hd_vec_push(&accels->sum, effect.pumped ? 0 : clip(effect.sum));
    a->gain.size++;
  }
  return true;
}

static void sort_places(hd_u32s *list) {
  for (size_t gap = list->size / 2; gap; gap /= 2)
    for (size_t i = gap; i < list->size; i++) {
      uint32_t x = list->data[i];
      size_t k = i;
      for (; k >= gap && list->data[k - gap] > x; k -= gap)
        list->data[k] = list->data[k - gap];
      list->data[k] = x;
    }
}

uint32_t hd_km_accels_learn(hd_km_accels *accels, hd_shared_id shared,
                            const hd_u32s *body) {
  hd_km_accel a = {.shared = shared,
                   .pre = {.start = (uint32_t)accels->pre.size},
                   .gain = {.start = (uint32_t)accels->gain.size},
                   .body = {.start = (uint32_t)accels->body.size,
                            .size = (uint32_t)body->size}};
  for (size_t i = 0; i < body->size; i++) {
    uint32_t step = body->data[i];
    if (step & HD_KM_ACCEL)
      prepend_accel(accels, &accels->list.data[step & ~HD_KM_ACCEL],
                    (uint32_t)i);
    else
      prepend_trans(accels, &accels->system->trans.data[step]);
    hd_vec_push(&accels->body, step);
  }
  sort_places(&accels->touched);
  bool fits = true;
  for (size_t i = 0; i < accels->touched.size; i++)
    fits = settle_place(accels, &a, accels->touched.data[i]) && fits;
  hd_vec_clear(&accels->touched);
  if (!fits)
    return HD_KM_NONE;
  assert(a.gain.size);
  uint32_t id = (uint32_t)accels->list.size;
  hd_vec_push(&accels->list, a);
  hd_vec_push(&accels->of_shared[shared], id);
  return id;
}

/* ---- firing ---- */

/* True when acceleration `id` adds something to the omega set and needs no
 * omega that is not there. `open` gets what it needs besides. */
static bool is_open(const hd_km_accels *accels, const uint64_t *omega,
                    uint32_t id, hd_km_open *open) {
  const hd_km_accel *a = &accels->list.data[id];
  const uint32_t *gain = accels->gain.data + a->gain.start;
  uint32_t known = 0;
  while (known < a->gain.size && hd_bits_test(omega, gain[known]))
    known++;
  if (known == a->gain.size)
    return false;
  *open = (hd_km_open){.accel = id};
  hd_tokens pre = hd_km_accel_pre(accels, a);
  for (size_t i = 0; i < pre.size; i++)
    if (!hd_bits_test(omega, pre.data[i].place)) {
      if (pre.data[i].count == HD_OMEGA)
        return false;
      open->signature |=
          hd_tokens_signature((hd_tokens){.data = &pre.data[i], .size = 1});
    }
  return true;
}

/* Takes accelerations found since the last look at `cell` into its list. */
static void update_open(const hd_km_accels *accels, const hd_km_store *store,
                        hd_km_cell *cell) {
  const hd_u32s *all = &accels->of_shared[cell->shared];
  const uint64_t *omega = store->omega_bits.data + store->words * cell->omega;
  hd_km_open open;
  for (; cell->accels_seen < all->size; cell->accels_seen++)
    if (is_open(accels, omega, all->data[cell->accels_seen], &open))
      hd_vec_push(&cell->open, open);
}

static bool enabled(const hd_km_accels *accels, const hd_km_store *store,
                    const hd_km_label *label, const hd_km_accel *a) {
  const uint64_t *omega = hd_km_omega(store, label->cell);
  hd_tokens have = hd_token_vec_view(&label->tokens);
  hd_tokens pre = hd_km_accel_pre(accels, a);
  for (size_t i = 0; i < pre.size; i++)
    if (!hd_bits_test(omega, pre.data[i].place) &&
        hd_tokens_at(have, pre.data[i].place) < pre.data[i].count)
      return false;
  return true;
}

void hd_km_accels_fire(hd_km_accels *accels, hd_km_store *store,
                       hd_km_label *label, uint32_t id) {
  const hd_km_accel *a = &accels->list.data[id];
  assert(store->cells.data[label->cell].shared == a->shared);
  assert(enabled(accels, store, label, a));
  hd_km_store_widen(store, label, accels->gain.data + a->gain.start,
                    a->gain.size);
}

static bool fires(const hd_km_accels *accels, const hd_km_store *store,
                  const hd_km_label *label, const hd_km_open *open) {
  return !(open->signature & ~label->signature) &&
         enabled(accels, store, label, &accels->list.data[open->accel]);
}

/* As find_enabled, looking at all accelerations. */
static uint32_t scan_enabled(const hd_km_accels *accels,
                             const hd_km_store *store,
                             const hd_km_label *label) {
  const uint64_t *omega = hd_km_omega(store, label->cell);
  hd_shared_id shared = store->cells.data[label->cell].shared;
  const hd_u32s *all = &accels->of_shared[shared];
  hd_km_open open;
  for (size_t i = 0; i < all->size; i++)
    if (is_open(accels, omega, all->data[i], &open) &&
        fires(accels, store, label, &open))
      return open.accel;
  return HD_KM_NONE;
}

/* The first open acceleration enabled in `label`, or HD_KM_NONE. */
static uint32_t find_enabled(hd_km_accels *accels, hd_km_store *store,
                             const hd_km_label *label) {
  enum { PATIENCE = 4 }; /* most cells are seen once or twice */
  hd_km_cell *cell = &store->cells.data[label->cell];
  if (cell->open_asked < PATIENCE) {
    cell->open_asked++;
    return scan_enabled(accels, store, label);
  }
  update_open(accels, store, cell);
  for (hd_vec_each(const hd_km_open, open, &cell->open))
    if (fires(accels, store, label, open))
      return open->accel;
  return HD_KM_NONE;
}

bool hd_km_accels_saturate(hd_km_accels *accels, hd_km_store *store,
                           hd_km_label *label, hd_u32s *fired) {
  bool any = false;
  for (;;) {
    uint32_t id = find_enabled(accels, store, label);
    if (id == HD_KM_NONE)
      return any;
    hd_km_accels_fire(accels, store, label, id);
    hd_vec_push(fired, id);
    any = true;
  }
}
