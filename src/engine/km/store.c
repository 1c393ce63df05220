/* SPDX-License-Identifier: MIT */
/* Cells, omega sets and the antichain of live nodes.
 *
 * A search asks "is this covered?" for every firing, which is mostly answered
 * by the exact hash lookup, and "what does it cover?" for every node. Both walk
 * the entries of the label's own cell and of the cells above or below it;
 * signature and total reject nearly all of them before tokens are read. */
#include "engine/km/store.h"

#include "base/hash.h"

#include <string.h>

enum { FIRST_SLOTS = 64 };

void hd_km_store_init(hd_km_store *store, uint32_t n_shared,
                      uint32_t n_places) {
  *store = (hd_km_store){.n_places = n_places,
                         .words = hd_bits_words((size_t)n_places + 1)};
  store->n_shared = n_shared;
  store->rolls = hd_calloc(n_shared, sizeof *store->rolls);
  for (uint32_t s = 0; s < n_shared; s++)
    store->rolls[s].version = 1;
}

void hd_km_store_free(hd_km_store *store) {
  for (hd_vec_each(hd_km_cell, cell, &store->cells)) {
    hd_km_index_free(&cell->live);
    hd_vec_free(&cell->above);
    hd_vec_free(&cell->below);
    hd_vec_free(&cell->ready);
    hd_vec_free(&cell->open);
  }
  hd_vec_free(&store->omega_bits);
  hd_vec_free(&store->omega_size);
  hd_vec_free(&store->omega_signature);
  hd_vec_free(&store->omega_slots);
  hd_vec_free(&store->cells);
  hd_vec_free(&store->cell_slots);
  hd_vec_free(&store->tokens);
  hd_vec_free(&store->nodes);
  hd_vec_free(&store->spans);
  hd_vec_free(&store->node_slots);
  hd_vec_free(&store->scratch);
  hd_vec_free(&store->stack);
  for (uint32_t s = 0; s < store->n_shared; s++)
    hd_vec_free(&store->rolls[s].list);
  hd_free(store->rolls);
}

/* ---- omega sets ---- */

static const uint64_t *omega_set(const hd_km_store *store, uint32_t id) {
  return store->omega_bits.data + store->words * id;
}

static uint64_t hash_words(const uint64_t *words, size_t n) {
  uint64_t h = n;
  for (size_t i = 0; i < n; i++)
    h = hd_hash_mix(h, words[i]);
  return h;
}

/* The slot of the set `bits`, or the free one where it belongs. */
static uint32_t *omega_slot(hd_km_store *store, const uint64_t *bits) {
  size_t mask = store->omega_slots.size - 1;
  size_t at = hash_words(bits, store->words) & mask;
  uint32_t *slots = store->omega_slots.data;
  while (slots[at] && memcmp(omega_set(store, slots[at] - 1), bits,
                             store->words * sizeof *bits) != 0)
    at = (at + 1) & mask;
  return &slots[at];
}

/* Enters all sets anew, with room for as many again. */
static void grow_omega_slots(hd_km_store *store) {
  size_t n = FIRST_SLOTS;
  while (n <= 4 * store->omega_size.size)
    n *= 2;
  hd_vec_resize(&store->omega_slots, n);
  memset(store->omega_slots.data, 0, n * sizeof *store->omega_slots.data);
  for (uint32_t id = 0; id < store->omega_size.size; id++)
    *omega_slot(store, omega_set(store, id)) = id + 1;
}

/* The signature that tokens in all places of the set would have. */
static uint64_t sign_omega(const hd_km_store *store, const uint64_t *bits) {
  uint64_t signature = 0;
  uint32_t n = store->n_places;
  for (size_t p = hd_bits_next(bits, n, 0); p < n;
       p = hd_bits_next(bits, n, p + 1)) {
    hd_token token = {.place = (hd_place_id)p, .count = 1};
    signature |= hd_tokens_signature((hd_tokens){.data = &token, .size = 1});
  }
  return signature;
}

static uint32_t intern_omega(hd_km_store *store, const uint64_t *bits) {
  if (2 * (store->omega_size.size + 1) >= store->omega_slots.size)
    grow_omega_slots(store);
  uint32_t *slot = omega_slot(store, bits);
  if (!*slot) {
    *slot = (uint32_t)store->omega_size.size + 1;
    for (size_t w = 0; w < store->words; w++)
      hd_vec_push(&store->omega_bits, bits[w]);
    hd_vec_push(&store->omega_size,
                (uint32_t)hd_bits_count(bits, store->words));
    hd_vec_push(&store->omega_signature, sign_omega(store, bits));
  }
  return *slot - 1;
}

/* ---- cells ---- */

static uint32_t *cell_slot(hd_km_store *store, hd_shared_id shared,
                           uint32_t omega) {
  size_t mask = store->cell_slots.size - 1;
  size_t at = hd_hash_mix(shared, omega) & mask;
  uint32_t *slots = store->cell_slots.data;
  for (; slots[at]; at = (at + 1) & mask) {
    const hd_km_cell *cell = &store->cells.data[slots[at] - 1];
    if (cell->shared == shared && cell->omega == omega)
      break;
  }
  return &slots[at];
}

static void grow_cell_slots(hd_km_store *store) {
  size_t n =
      store->cell_slots.size ? 2 * store->cell_slots.size : (size_t)FIRST_SLOTS;
  hd_vec_resize(&store->cell_slots, n);
  memset(store->cell_slots.data, 0, n * sizeof *store->cell_slots.data);
  for (uint32_t id = 0; id < store->cells.size; id++) {
    const hd_km_cell *cell = &store->cells.data[id];
    *cell_slot(store, cell->shared, cell->omega) = id + 1;
  }
}

static uint32_t find_cell(hd_km_store *store, hd_shared_id shared,
                          uint32_t omega) {
  if (2 * (store->cells.size + 1) >= store->cell_slots.size)
    grow_cell_slots(store);
  uint32_t *slot = cell_slot(store, shared, omega);
  if (!*slot) {
    uint32_t id = (uint32_t)store->cells.size;
    *slot = id + 1;
    hd_vec_push(&store->cells,
                ((hd_km_cell){.shared = shared, .omega = omega}));
  }
  return *slot - 1;
}

/* The omega sets get more words, all zero; their numbers stay. */
static void widen_sets(hd_km_store *store, size_t words) {
  size_t n = store->omega_size.size, old = store->words;
  if (words == old)
    return;
  hd_vec(uint64_t) bits = {0};
  hd_vec_resize(&bits, n * words);
  for (size_t i = 0; i < n; i++)
    for (size_t w = 0; w < words; w++)
      bits.data[i * words + w] =
          w < old ? store->omega_bits.data[i * old + w] : 0;
  hd_vec_free(&store->omega_bits);
  store->omega_bits.data = bits.data;
  store->omega_bits.size = bits.size;
  store->omega_bits.cap = bits.cap;
  store->words = words;
  grow_omega_slots(store);
}

void hd_km_store_grow(hd_km_store *store, uint32_t n_shared,
                      uint32_t n_places) {
  store->n_places = n_places;
  widen_sets(store, hd_bits_words((size_t)n_places + 1));
  store->rolls = hd_realloc(store->rolls, n_shared * sizeof *store->rolls);
  for (uint32_t s = store->n_shared; s < n_shared; s++)
    store->rolls[s] = (hd_km_roll){.version = 1};
  store->n_shared = n_shared;
}

uint32_t hd_km_store_cell(hd_km_store *store, hd_shared_id shared,
                          const uint64_t *bits) {
  return find_cell(store, shared, intern_omega(store, bits));
}

uint32_t hd_km_store_cell_at(hd_km_store *store, hd_shared_id shared,
                             uint32_t cell) {
  return find_cell(store, shared, store->cells.data[cell].omega);
}

void hd_km_store_widen(hd_km_store *store, hd_km_label *label,
                       const uint32_t *places, size_t n) {
  uint64_t *bits = hd_alloc((store->words + 1) * sizeof *bits);
  if (store->words)
    memcpy(bits, hd_km_omega(store, label->cell), store->words * sizeof *bits);
  for (size_t i = 0; i < n; i++)
    hd_bits_set(bits, places[i]);
  size_t kept = 0;
  for (size_t i = 0; i < label->tokens.size; i++)
    if (!hd_bits_test(bits, label->tokens.data[i].place))
      label->tokens.data[kept++] = label->tokens.data[i];
  label->tokens.size = kept;
  label->cell =
      hd_km_store_cell(store, store->cells.data[label->cell].shared, bits);
  hd_free(bits);
  hd_km_store_seal(label);
}

void hd_km_store_seal(hd_km_label *label) {
  label->signature = hd_tokens_signature(hd_token_vec_view(&label->tokens));
  uint64_t total = 0;
  for (size_t i = 0; i < label->tokens.size; i++)
    total += label->tokens.data[i].count;
  label->total = total < UINT32_MAX ? (uint32_t)total : UINT32_MAX;
}

/* ---- which cells have live nodes ---- */

static hd_km_present present_of(const hd_km_store *store, uint32_t id) {
  uint32_t omega = store->cells.data[id].omega;
  return (hd_km_present){.signature = store->omega_signature.data[omega],
                         .size = store->omega_size.data[omega],
                         .cell = id};
}

static void enter_roll(hd_km_store *store, uint32_t id) {
  hd_km_cell *cell = &store->cells.data[id];
  hd_km_roll *roll = &store->rolls[cell->shared];
  cell->present = (uint32_t)roll->list.size;
  hd_vec_push(&roll->list, present_of(store, id));
  roll->version++;
}

/* Gives back most of the memory of a cell without live nodes. */
static void leave_roll(hd_km_store *store, uint32_t id) {
  hd_km_cell *cell = &store->cells.data[id];
  hd_km_roll *roll = &store->rolls[cell->shared];
  hd_km_present last = hd_vec_pop(&roll->list);
  if (last.cell != id) {
    roll->list.data[cell->present] = last;
    store->cells.data[last.cell].present = cell->present;
  }
  roll->version++;
  hd_km_index_free(&cell->live);
  hd_vec_free(&cell->above);
  hd_vec_free(&cell->below);
  cell->version = 0;
}

static bool set_within(const hd_km_store *store, hd_km_present a,
                       hd_km_present b) {
  return a.size < b.size && !(a.signature & ~b.signature) &&
         hd_bits_subset(hd_km_omega(store, a.cell), hd_km_omega(store, b.cell),
                        store->words);
}

/* The cell, with `above` and `below` up to date. */
static const hd_km_cell *related_cell(hd_km_store *store, uint32_t id) {
  hd_km_cell *cell = &store->cells.data[id];
  const hd_km_roll *roll = &store->rolls[cell->shared];
  if (cell->version == roll->version)
    return cell;
  cell->version = roll->version;
  hd_vec_clear(&cell->above);
  hd_vec_clear(&cell->below);
  hd_km_present own = present_of(store, id);
  for (hd_vec_each(const hd_km_present, other, &roll->list))
    if (set_within(store, own, *other))
      hd_vec_push(&cell->above, other->cell);
    else if (set_within(store, *other, own))
      hd_vec_push(&cell->below, other->cell);
  return cell;
}

/* ---- nodes ---- */

static uint64_t hash_label(uint32_t cell, hd_tokens tokens) {
  return hd_hash_mix(hd_tokens_hash(tokens), cell);
}

static uint32_t tag_of(uint64_t hash) {
  return (uint32_t)(hash >> 32);
}

/* The node equal to (cell | tokens), or UINT32_MAX; `*at` gets its slot, or the
 * free one. */
static uint32_t find_node(const hd_km_store *store, uint32_t cell,
                          hd_tokens tokens, uint64_t hash, size_t *at) {
  size_t mask = store->node_slots.size - 1;
  const uint64_t *slots = store->node_slots.data;
  for (*at = hash & mask; slots[*at]; *at = (*at + 1) & mask) {
    if (slots[*at] >> 32 != tag_of(hash))
      continue;
    uint32_t node = (uint32_t)slots[*at] - 1;
    if (store->nodes.data[node].cell == cell &&
        hd_tokens_equal(hd_km_store_view(store, node), tokens))
      return node;
  }
  return UINT32_MAX;
}

static void grow_node_slots(hd_km_store *store) {
  size_t n =
      store->node_slots.size ? 2 * store->node_slots.size : (size_t)FIRST_SLOTS;
  hd_vec_resize(&store->node_slots, n);
  memset(store->node_slots.data, 0, n * sizeof *store->node_slots.data);
  for (uint32_t node = 0; node < store->nodes.size; node++) {
    hd_tokens tokens = hd_km_store_view(store, node);
    uint64_t hash = hash_label(store->nodes.data[node].cell, tokens);
    size_t at = hash & (n - 1);
    while (store->node_slots.data[at])
      at = (at + 1) & (n - 1);
    store->node_slots.data[at] = (uint64_t)tag_of(hash) << 32 | (node + 1);
  }
}

static hd_km_vectors vectors(const hd_km_store *store) {
  return (hd_km_vectors){.pool = store->tokens.data,
                         .spans = store->spans.data};
}

uint32_t hd_km_store_add(hd_km_store *store, const hd_km_label *label) {
  if (2 * (store->nodes.size + 1) >= store->node_slots.size)
    grow_node_slots(store);
  hd_tokens tokens = hd_token_vec_view(&label->tokens);
  uint64_t hash = hash_label(label->cell, tokens);
  size_t at;
  uint32_t node = find_node(store, label->cell, tokens, hash, &at);
  assert(node == UINT32_MAX);
  node = (uint32_t)store->nodes.size;
  store->node_slots.data[at] = (uint64_t)tag_of(hash) << 32 | (node + 1);
  hd_range span = {.start = (uint32_t)store->tokens.size,
                   .size = (uint32_t)tokens.size};
  for (size_t i = 0; i < tokens.size; i++)
    hd_vec_push(&store->tokens, tokens.data[i]);
  hd_vec_push(&store->spans, span);
  hd_vec_push(&store->nodes,
              ((hd_km_node_label){.cell = label->cell, .live = true}));
  hd_km_entry entry = {
      .signature = label->signature, .total = label->total, .id = node};
  hd_km_cell *cell = &store->cells.data[label->cell];
  if (!cell->live.size)
    enter_roll(store, label->cell);
  hd_km_index_add(&cell->live, vectors(store), entry);
  store->n_live++;
  return node;
}

void hd_km_store_retire(hd_km_store *store, uint32_t node) {
  hd_km_node_label *label = &store->nodes.data[node];
  assert(label->live);
  label->live = false;
  store->n_live--;
  hd_km_cell *cell = &store->cells.data[label->cell];
  hd_km_index_remove(&cell->live, hd_km_store_view(store, node), node);
  if (!cell->live.size)
    leave_roll(store, label->cell);
}

/* ---- comparing ---- */

/* small <= large where places of `omega` do not count. */
static bool below_outside(hd_tokens small, hd_tokens large,
                          const uint64_t *omega) {
  size_t j = 0;
  for (size_t i = 0; i < small.size; i++) {
    hd_token t = small.data[i];
    if (hd_bits_test(omega, t.place))
      continue;
    while (j < large.size && large.data[j].place < t.place)
      j++;
    if (j == large.size || large.data[j].place != t.place ||
        large.data[j].count < t.count)
      return false;
    j++;
  }
  return true;
}

bool hd_km_store_node_below(const hd_km_store *store, uint32_t node,
                            const hd_km_label *label) {
  const hd_km_cell *a = &store->cells.data[store->nodes.data[node].cell];
  const hd_km_cell *b = &store->cells.data[label->cell];
  return a->shared == b->shared &&
         below_outside(hd_km_store_view(store, node),
                       hd_token_vec_view(&label->tokens),
                       hd_km_omega(store, label->cell));
}

/* True when a live node of a cell with a larger omega set covers `label`. */
static bool covered_above(hd_km_store *store, const hd_km_cell *cell,
                          const hd_km_label *label) {
  const uint64_t *omega = omega_set(store, cell->omega);
  hd_vec_clear(&store->scratch);
  for (size_t i = 0; i < label->tokens.size; i++)
    if (!hd_bits_test(omega, label->tokens.data[i].place))
      hd_vec_push(&store->scratch, label->tokens.data[i]);
  hd_km_label rest = {.tokens = store->scratch};
  hd_km_store_seal(&rest);
  hd_km_probe probe = {.tokens = hd_token_vec_view(&rest.tokens),
                       .signature = rest.signature,
                       .total = rest.total};
  return hd_km_index_covers(&cell->live, vectors(store), &probe, &store->stack);
}

bool hd_km_store_covered(hd_km_store *store, const hd_km_label *label) {
  hd_km_probe probe = {.tokens = hd_token_vec_view(&label->tokens),
                       .signature = label->signature,
                       .total = label->total};
  if (store->nodes.size) {
    size_t at;
    uint64_t hash = hash_label(label->cell, probe.tokens);
    if (find_node(store, label->cell, probe.tokens, hash, &at) != UINT32_MAX)
      return true;
  }
  const hd_km_cell *cell = related_cell(store, label->cell);
  if (hd_km_index_covers(&cell->live, vectors(store), &probe, &store->stack))
    return true;
  for (size_t i = 0; i < cell->above.size; i++)
    if (covered_above(store, &store->cells.data[cell->above.data[i]], label))
      return true;
  return false;
}

void hd_km_store_below(hd_km_store *store, const hd_km_label *label,
                       hd_u32s *out) {
  const hd_km_cell *cell = related_cell(store, label->cell);
  hd_km_probe probe = {.tokens = hd_token_vec_view(&label->tokens),
                       .signature = label->signature,
                       .total = label->total};
  hd_km_index_below(&cell->live, vectors(store), &probe, NULL, &store->stack,
                    out);
  probe.total = UINT32_MAX;
  probe.signature |= store->omega_signature.data[cell->omega];
  const uint64_t *omega = omega_set(store, cell->omega);
  for (size_t i = 0; i < cell->below.size; i++)
    hd_km_index_below(&store->cells.data[cell->below.data[i]].live,
                      vectors(store), &probe, omega, &store->stack, out);
}

/* ---- checking ---- */

static void check_node(const hd_km_store *store, uint32_t node) {
  hd_tokens tokens = hd_km_store_view(store, node);
  const uint64_t *omega = hd_km_omega(store, store->nodes.data[node].cell);
  for (size_t i = 0; i < tokens.size; i++) {
    assert(!i || tokens.data[i - 1].place < tokens.data[i].place);
    assert(tokens.data[i].count && tokens.data[i].count <= HD_COUNT_MAX);
    assert(!hd_bits_test(omega, tokens.data[i].place));
  }
}

void hd_km_store_check(const hd_km_store *store) {
  size_t n = store->nodes.size;
  for (uint32_t a = 0; a < n; a++) {
    check_node(store, a);
    const hd_km_cell *x = &store->cells.data[store->nodes.data[a].cell];
    for (uint32_t b = 0; b < n; b++) {
      const hd_km_cell *y = &store->cells.data[store->nodes.data[b].cell];
      assert(a == b || !store->nodes.data[a].live ||
             !store->nodes.data[b].live || x->shared != y->shared ||
             !hd_bits_subset(omega_set(store, x->omega),
                             omega_set(store, y->omega), store->words) ||
             !below_outside(hd_km_store_view(store, a),
                            hd_km_store_view(store, b),
                            omega_set(store, y->omega)));
      (void)x, (void)y, (void)b;
    }
  }
}
