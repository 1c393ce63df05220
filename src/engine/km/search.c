/* SPDX-License-Identifier: MIT */
/* Karp–Miller search with remembered accelerations.
 *
 * Problem. Find the maximal configurations (s | M), M with omegas, such that
 * everything below them is coverable from the initial configuration.
 *
 * Idea. A tree of configurations grows from the initial one (omega where the
 * initial count is unbounded). A successor that some node covers is dropped.
 * Otherwise it is *settled*: remembered accelerations of its shared state are
 * fired on it while they add omegas; if it covers one of its ancestors (of the
 * same shared state, naturally), the path between them is a new acceleration,
 * which is remembered, and the settling goes on with the ancestor's accelerated
 * version in the place of a sibling of that ancestor. A settled configuration
 * that is still not covered becomes a live node; the live nodes below it are
 * retired, and all that hangs below those is in vain: whatever it leads to, the
 * new node leads to something as large.
 *
 * Finkel's algorithm deletes such subtrees and is incomplete; Finkel, Haddad
 * and Khmelnitsky delete them and remember accelerations, which is complete by
 * a delicate argument. Here nothing is deleted. Unexpanded nodes in vain are
 * *postponed* until the rest is done, and are expanded then if they are still
 * live. So completeness is plain:
 *
 *   K1  every node is a limit of coverable configurations (A1);
 *   K2  every node is covered by a live node (a retired one by what retired
 *       it);
 *   K3  at the end every live node is expanded, and each of its successors was
 *       dropped because a node covers it, or became a node after settling, or
 *       was replaced by a larger one.
 *
 * Hence the live nodes at the end are closed under firing and consist of limits
 * of coverable configurations: they are the minimal coverability set.
 *
 * Termination. A node is never covered by an older one, and after settling it
 * covers none of its ancestors (K4). A node has finitely many children: for
 * each transition those with different omega sets. An infinite tree would have
 * an infinite branch, on which by Dickson's lemma some node covers an ancestor.
 * To have K4 one compares with the live nodes only, which one does anyway; that
 * is enough as long as all ancestors are live. Nodes with retired ancestors
 * (`loose`) walk up their branch.
 *
 * Order. Configurations with more omegas first, then those with more tokens,
 * since they cover most; then the oldest, which keeps branches short. On demand
 * breadth first, or depth first with the order of paper 001: successors in the
 * same shared state before the others.
 *
 * Algorithm 3 of paper 001 is this search depth first, with two differences: it
 * compares a new configuration with the minimal ones of its branch, here it is
 * the live ones and only where ancestors were retired the whole branch; and
 * loops that it finds serve only where they were found. Over an open system
 * (system.h) transitions are asked for when a token is where they take it, so
 * that counters exist for occupied places only. */
#include "engine/km/search.h"

static void init_rest(hd_km_search *search) {
  hd_km_store_init(&search->store, search->system.n_shared,
                   search->system.n_places);
  hd_km_accels_init(&search->accels, &search->system);
  search->counts = hd_calloc(search->system.n_places, sizeof *search->counts);
  search->omega = hd_calloc(search->store.words, sizeof *search->omega);
}

void hd_km_search_init(hd_km_search *search, const hd_net *net, bool targeted) {
  *search = (hd_km_search){.found = HD_KM_NONE, .loaded = HD_KM_NONE};
  hd_km_system_init(&search->system, net, targeted);
  init_rest(search);
}

void hd_km_search_open(hd_km_search *search, const hd_km_source *source,
                       hd_shared_id init_shared, hd_tokens init) {
  *search = (hd_km_search){.found = HD_KM_NONE, .loaded = HD_KM_NONE};
  hd_km_system_open(&search->system, source, init_shared, init);
  init_rest(search);
}

void hd_km_search_grow(hd_km_search *search) {
  const hd_km_system *system = &search->system;
  uint32_t shared = search->store.n_shared, places = search->store.n_places;
  size_t words = search->store.words;
  if (system->n_shared == shared && system->n_places == places)
    return;
  hd_km_store_grow(&search->store, system->n_shared, system->n_places);
  hd_km_accels_grow(&search->accels, shared, places);
  search->counts =
      hd_realloc(search->counts, system->n_places * sizeof *search->counts);
  for (uint32_t p = places; p < system->n_places; p++)
    search->counts[p] = 0;
  search->omega =
      hd_realloc(search->omega, search->store.words * sizeof *search->omega);
  for (size_t w = words; w < search->store.words; w++)
    search->omega[w] = 0;
}

void hd_km_search_free(hd_km_search *search) {
  hd_vec_free(&search->tree);
  hd_vec_free(&search->accel_ids);
  hd_vec_free(&search->queue);
  hd_vec_free(&search->postponed);
  hd_vec_free(&search->draft.fired);
  hd_vec_free(&search->draft.label.tokens);
  hd_vec_free(&search->below);
  hd_vec_free(&search->body);
  hd_vec_free(&search->base);
  hd_vec_free(&search->ready);
  hd_free(search->counts);
  hd_free(search->omega);
  hd_km_accels_free(&search->accels);
  hd_km_store_free(&search->store);
  hd_km_system_free(&search->system);
}

/* ---- the queue ---- */

/* More omegas first, then more tokens: such configurations cover most. Depth
 * first: what the latest expansion found, and of that what stays in the shared
 * state. */
static uint64_t key_of(const hd_km_search *search, uint32_t node) {
  const hd_km_store *store = &search->store;
  const hd_km_cell *cell = &store->cells.data[store->nodes.data[node].cell];
  if (search->order == HD_KM_BFS)
    return UINT32_MAX - node;
  if (search->order == HD_KM_DFS)
    return search->stats.expanded * 2 + (cell->shared == search->expanding);
  return (uint64_t)store->omega_size.data[cell->omega] << 32 |
         hd_tokens_total(hd_km_store_view(store, node));
}

/* Among equals the oldest first, which keeps branches and witnesses short. */
static bool before(hd_km_task a, hd_km_task b) {
  return a.key != b.key ? a.key > b.key : a.node < b.node;
}

static void enqueue(hd_km_search *search, uint32_t node) {
  hd_km_task task = {.key = key_of(search, node), .node = node};
  size_t at = search->queue.size;
  hd_vec_push(&search->queue, task);
  hd_km_task *heap = search->queue.data;
  for (; at && before(task, heap[(at - 1) / 2]); at = (at - 1) / 2)
    heap[at] = heap[(at - 1) / 2];
  heap[at] = task;
}

static uint32_t dequeue(hd_km_search *search) {
  hd_km_task *heap = search->queue.data;
  uint32_t node = heap[0].node;
  hd_km_task last = hd_vec_pop(&search->queue);
  size_t n = search->queue.size, at = 0;
  for (size_t child; (child = 2 * at + 1) < n; at = child) {
    if (child + 1 < n && before(heap[child + 1], heap[child]))
      child++;
    if (!before(heap[child], last))
      break;
    heap[at] = heap[child];
  }
  heap[at] = last;
  return node;
}

/* ---- settling ---- */

/* The nearest ancestor of the draft that it covers, or HD_KM_NONE. */
static uint32_t covered_ancestor(hd_km_search *search) {
  uint32_t node = search->draft.parent;
  hd_u32s *below = &search->below;
  hd_vec_clear(below);
  hd_km_store_below(&search->store, &search->draft.label, below);
  if (node == HD_KM_NONE)
    return HD_KM_NONE;
  if (search->tree.data[node].loose) {
    for (; node != HD_KM_NONE; node = search->tree.data[node].parent)
      if (hd_km_store_node_below(&search->store, node, &search->draft.label))
        return node;
    return HD_KM_NONE;
  }
  uint32_t oldest = HD_KM_NONE;
  for (size_t i = 0; i < below->size; i++)
    if (below->data[i] < oldest)
      oldest = below->data[i];
  /* Ancestors are older, so the walk ends at the oldest candidate. */
  for (; node != HD_KM_NONE && node >= oldest;
       node = search->tree.data[node].parent)
    for (size_t i = 0; i < below->size; i++)
      if (below->data[i] == node)
        return node;
  return HD_KM_NONE;
}

static void push_accels(hd_u32s *body, const uint32_t *ids, size_t n) {
  while (n-- > 0)
    hd_vec_push(body, ids[n] | HD_KM_ACCEL);
}

/* The steps from `ancestor` to the draft, last first, into search->body. */
static void collect_body(hd_km_search *search, uint32_t ancestor) {
  hd_u32s *body = &search->body;
  hd_vec_clear(body);
  push_accels(body, search->draft.fired.data, search->draft.fired.size);
  hd_vec_push(body, search->draft.trans);
  for (uint32_t v = search->draft.parent; v != ancestor;) {
    const hd_km_node *node = &search->tree.data[v];
    if (node->accels.size)
      push_accels(body, search->accel_ids.data + node->accels.start,
                  node->accels.size);
    hd_vec_push(body, node->trans);
    v = node->parent;
  }
}

/* The draft covers `ancestor`: learns the loop and puts the draft, accelerated,
 * beside the ancestor. Firing the loop there gives the same configuration,
 * since the two differ only in places that it gains. */
static bool accelerate(hd_km_search *search, uint32_t ancestor) {
  collect_body(search, ancestor);
  hd_km_label *label = &search->draft.label;
  uint32_t id = hd_km_accels_learn(&search->accels,
                                   search->store.cells.data[label->cell].shared,
                                   &search->body);
  if (id == HD_KM_NONE)
    return false;
  search->stats.accelerations++;
  hd_km_accels_fire(&search->accels, &search->store, label, id);
  const hd_km_node *node = &search->tree.data[ancestor];
  search->draft.parent = node->parent;
  search->draft.trans = node->trans;
  hd_vec_clear(&search->draft.fired);
  for (uint32_t i = 0; i < node->accels.size; i++)
    hd_vec_push(&search->draft.fired,
                search->accel_ids.data[node->accels.start + i]);
  hd_vec_push(&search->draft.fired, id);
  return true;
}

/* Settles the draft. False when it is covered, or a count is too large. On
 * success search->below holds the live nodes that it covers. */
static bool settle(hd_km_search *search) {
  hd_km_label *label = &search->draft.label;
  for (;;) {
    if (hd_km_store_covered(&search->store, label)) {
      search->stats.pruned++;
      return false;
    }
    size_t before = search->draft.fired.size;
    if (hd_km_accels_saturate(&search->accels, &search->store, label,
                              &search->draft.fired)) {
      search->stats.accelerated += search->draft.fired.size - before;
      continue;
    }
    uint32_t ancestor = covered_ancestor(search);
    if (ancestor == HD_KM_NONE)
      return true;
    if (!accelerate(search, ancestor)) {
      search->too_large = true;
      return false;
    }
  }
}

/* ---- the tree ---- */

/* Everything below `node` is in vain from now on. */
static void mark_vain(hd_km_search *search, uint32_t node) {
  hd_km_node *tree = search->tree.data;
  for (uint32_t v = tree[node].first_child; v != HD_KM_NONE;) {
    bool down = !tree[v].vain && tree[v].first_child != HD_KM_NONE;
    tree[v].vain = true;
    if (down) {
      v = tree[v].first_child;
      continue;
    }
    while (v != node && tree[v].next_sibling == HD_KM_NONE)
      v = tree[v].parent;
    v = v == node ? HD_KM_NONE : tree[v].next_sibling;
  }
}

static void check_goals(hd_km_search *search, hd_range goals) {
  const hd_km_label *label = &search->draft.label;
  const uint64_t *omega = hd_km_omega(&search->store, label->cell);
  hd_tokens have = hd_token_vec_view(&label->tokens);
  for (uint32_t g = goals.start; g < goals.start + goals.size; g++) {
    const hd_km_goal *goal = &search->system.goals.data[g];
    hd_tokens need = hd_km_system_view(&search->system, goal->need);
    bool met = true;
    for (size_t i = 0; i < need.size && met; i++)
      met = hd_bits_test(omega, need.data[i].place) ||
            hd_tokens_at(have, need.data[i].place) >= need.data[i].count;
    if (met) {
      search->found = (uint32_t)search->tree.size - 1;
      search->found_goal = goal->id;
      return;
    }
  }
}

static void find_goal(hd_km_search *search, hd_shared_id shared) {
  const uint32_t *start = search->system.goal_start;
  uint32_t any = search->system.n_shared;
  if (!start)
    return;
  check_goals(search, (hd_range){.start = start[shared],
                                 .size = start[shared + 1] - start[shared]});
  if (search->found == HD_KM_NONE)
    check_goals(search, (hd_range){.start = start[any],
                                   .size = start[any + 1] - start[any]});
}

static void link_node(hd_km_search *search, uint32_t node) {
  hd_km_node fresh = {.parent = search->draft.parent,
                      .first_child = HD_KM_NONE,
                      .next_sibling = HD_KM_NONE,
                      .trans = search->draft.trans,
                      .accels = {.start = (uint32_t)search->accel_ids.size,
                                 .size = (uint32_t)search->draft.fired.size}};
  for (size_t i = 0; i < search->draft.fired.size; i++)
    hd_vec_push(&search->accel_ids, search->draft.fired.data[i]);
  if (fresh.parent != HD_KM_NONE) {
    hd_km_node *parent = &search->tree.data[fresh.parent];
    fresh.loose = parent->loose || parent->vain ||
                  !search->store.nodes.data[fresh.parent].live;
    fresh.next_sibling = parent->first_child;
    parent->first_child = node;
  }
  assert(node == search->tree.size);
  hd_vec_push(&search->tree, fresh);
}

/* Makes the settled draft a node, retiring what it covers. */
static void add_node(hd_km_search *search) {
  for (size_t i = 0; i < search->below.size; i++) {
    hd_km_store_retire(&search->store, search->below.data[i]);
    mark_vain(search, search->below.data[i]);
  }
  search->stats.retired += search->below.size;
  uint32_t node = hd_km_store_add(&search->store, &search->draft.label);
  link_node(search, node);
  search->stats.nodes++;
  find_goal(search, search->store.cells.data[search->draft.label.cell].shared);
  enqueue(search, node);
}

void hd_km_offer(hd_km_search *search) {
  if (settle(search))
    add_node(search);
}

/* ---- the main loop ---- */

static void start(hd_km_search *search) {
  const hd_km_system *system = &search->system;
  hd_km_label *label = &search->draft.label;
  for (hd_vec_each(const hd_token, token, &system->init))
    if (token->count == HD_OMEGA)
      hd_bits_set(search->omega, token->place);
    else
      hd_vec_push(&label->tokens, *token);
  label->cell =
      hd_km_store_cell(&search->store, system->init_shared, search->omega);
  hd_km_store_seal(label);
  search->draft.parent = search->draft.trans = HD_KM_NONE;
  hd_km_offer(search);
}

static void show(const hd_km_search *search, hd_run *run) {
  hd_run_show(
      run, &(hd_progress){
               .engine = "km",
               .names = {"nodes", "frontier", "maximal", "accelerations"},
               .values = {search->stats.nodes, search->queue.size,
                          search->store.n_live, search->stats.accelerations}});
}

/* Puts the postponed nodes that are still live back into the queue. */
static void revive(hd_km_search *search) {
  for (size_t i = 0; i < search->postponed.size; i++) {
    uint32_t node = search->postponed.data[i];
    if (!search->store.nodes.data[node].live)
      continue;
    search->tree.data[node].vain = false;
    search->tree.data[node].loose = true;
    search->stats.revived++;
    enqueue(search, node);
  }
  hd_vec_clear(&search->postponed);
}

static void step(hd_km_search *search) {
  uint32_t node = dequeue(search);
  if (!search->store.nodes.data[node].live)
    return;
  if (search->tree.data[node].vain) {
    search->stats.postponed++;
    hd_vec_push(&search->postponed, node);
    return;
  }
  hd_km_expand(search, node);
  if (search->tree.data[node].vain && search->store.nodes.data[node].live)
    hd_vec_push(&search->postponed, node); /* not complete */
}

/* Numbers are 32 bits wide. Half of that leaves room for one expansion. */
static bool full(const hd_km_search *search) {
  const size_t most = UINT32_MAX / 2;
  return search->store.tokens.size > most || search->tree.size > most ||
         search->accel_ids.size > most || search->accels.body.size > most ||
         search->accels.gain.size > most || search->accels.pre.size > most ||
         search->store.omega_bits.size / search->store.words > most;
}

hd_km_end hd_km_search_run(hd_km_search *search, hd_run *run) {
  search->run = run;
  start(search);
  for (;;) {
    if (search->too_large)
      return HD_KM_TOO_LARGE;
    if (search->found != HD_KM_NONE)
      return HD_KM_FOUND;
    /* A node of a large system can take long: the clock is looked at each time. */
    if (search->stopped || !hd_run_tick(run) || !hd_run_check(run))
      return HD_KM_STOPPED;
    if (full(search))
      return HD_KM_FULL;
    if (!search->queue.size)
      revive(search);
    if (!search->queue.size)
      return HD_KM_COMPLETE;
    if (hd_run_wants_progress(run))
      show(search, run);
    step(search);
  }
}

void hd_km_search_check(const hd_km_search *search) {
  const hd_km_store *store = &search->store;
  hd_km_store_check(store);
  assert(search->tree.size == store->nodes.size);
  hd_km_label label = {0};
  for (uint32_t v = 0; v < search->tree.size; v++) {
    hd_tokens tokens = hd_km_store_view(store, v);
    label.cell = store->nodes.data[v].cell;
    hd_vec_clear(&label.tokens);
    for (size_t i = 0; i < tokens.size; i++)
      hd_vec_push(&label.tokens, tokens.data[i]);
    for (uint32_t u = search->tree.data[v].parent; u != HD_KM_NONE;
         u = search->tree.data[u].parent) {
      assert(u < v);
      assert(!hd_km_store_node_below(store, u, &label)); /* K4 */
    }
  }
  hd_vec_free(&label.tokens);
}
