/* SPDX-License-Identifier: MIT */
/* Thread-modular exploration. */
#include "model/extract_impl.h"

#include "base/bitset.h"

typedef hd_extractor explorer;

static hd_extract_row *row_of(explorer *x, hd_state_id shared) {
  while (x->rows.size <= shared) {
    hd_extract_row fresh = {0};
    hd_vec_push(&x->rows, fresh);
  }
  return &x->rows.data[shared];
}

static bool put(explorer *x, hd_state_id shared, hd_state_id local) {
  hd_extract_row *r = row_of(x, shared);
  size_t words = hd_bits_words((size_t)local + 1);
  while (r->bits.size < words)
    hd_vec_push(&r->bits, (uint64_t)0);
  if (hd_bits_test(r->bits.data, local))
    return false;
  hd_bits_set(r->bits.data, local);
  hd_vec_push(&r->locals, local);
  return true;
}

static void pass(explorer *x, hd_state_id local, uint32_t link) {
  hd_vec_push(&x->adds,
              ((hd_extract_pair){.shared = link / 2, .local = local}));
  hd_state_id woken = link % 2 ? hd_finite_woken(x->f, local) : HD_NO_ID;
  if (woken != HD_NO_ID)
    hd_vec_push(&x->adds,
                ((hd_extract_pair){.shared = link / 2, .local = woken}));
}

/* Puts a pair into T, and with it what follows from the links known so far. */
static void add(explorer *x, hd_state_id shared, hd_state_id local) {
  hd_vec_push(&x->adds, ((hd_extract_pair){.shared = shared, .local = local}));
  while (x->adds.size) {
    hd_extract_pair p = hd_vec_pop(&x->adds);
    if (!put(x, p.shared, p.local))
      continue;
    hd_vec_push(&x->queue, p);
    for (size_t i = 0; i < row_of(x, p.shared)->next.size; i++)
      pass(x, p.local, row_of(x, p.shared)->next.data[i]);
  }
}

/* From now on what is in T[from] is in T[to]. */
static void link_rows(explorer *x, hd_state_id from, hd_state_id to,
                      bool wakes) {
  if (from == to && !wakes)
    return;
  uint32_t link = to * 2 + wakes;
  bool fresh;
  hd_links_put(&x->links, (uint64_t)from << 32 | link, 0, &fresh);
  if (!fresh)
    return;
  hd_vec_push(&row_of(x, from)->next, link);
  for (size_t i = 0; i < row_of(x, from)->locals.size; i++) {
    pass(x, row_of(x, from)->locals.data[i], link);
    while (x->adds.size) {
      hd_extract_pair p = hd_vec_pop(&x->adds);
      add(x, p.shared, p.local);
    }
  }
}

static void visit_step(void *context, const hd_finite_step *step) {
  explorer *x = context;
  hd_extract_step s = {.kind = HD_FROM_EDGE,
                       .edge = step->edge,
                       .shared = x->now.shared,
                       .local = x->now.local,
                       .next_shared = step->shared,
                       .next_local = step->local,
                       .spawned = step->spawned};
  hd_vec_push(&x->steps, s);
}

/* Everything the steps recorded since `from` lead to. */
static void follow(explorer *x, size_t from) {
  for (size_t i = from; i < x->steps.size; i++) {
    hd_extract_step s = x->steps.data[i];
    bool wakes =
        hd_finite_program(x->f)->edges.data[s.edge].act == HD_ACT_BROADCAST;
    if (s.next_local != HD_NO_ID)
      add(x, s.next_shared, s.next_local);
    if (s.spawned != HD_NO_ID)
      add(x, s.next_shared, s.spawned);
    /* The row exists even when nobody is left to fill it. */
    row_of(x, s.next_shared);
    link_rows(x, s.shared, s.next_shared, wakes);
  }
}

static void note_init(void *context, hd_state_id state) {
  hd_u32s *list = context;
  hd_vec_push(list, state);
}

hd_extractor *hd_extractor_new(hd_finite *finite) {
  hd_extractor *x = hd_calloc(1, sizeof *x);
  x->f = finite;
  hd_finite_initial_shared(x->f, note_init, &x->init_shared);
  hd_finite_initial_local(x->f, note_init, &x->init_local);
  return x;
}

const hd_u32s *hd_extractor_shared(const hd_extractor *x) {
  return &x->init_shared;
}

const hd_u32s *hd_extractor_local(const hd_extractor *x) {
  return &x->init_local;
}

void hd_extractor_delete(hd_extractor *x) {
  if (!x)
    return;
  for (hd_vec_each(hd_extract_row, r, &x->rows)) {
    hd_vec_free(&r->bits);
    hd_vec_free(&r->locals);
    hd_vec_free(&r->next);
  }
  hd_vec_free(&x->rows);
  hd_vec_free(&x->queue);
  hd_vec_free(&x->adds);
  hd_vec_free(&x->steps);
  hd_vec_free(&x->init_shared);
  hd_vec_free(&x->init_local);
  hd_links_free(&x->links);
  hd_free(x);
}

size_t hd_extractor_pairs(const hd_extractor *x) {
  return x->queue.size;
}

static void show(explorer *x, hd_run *run) {
  if (!hd_run_wants_progress(run))
    return;
  hd_progress progress = {
      .engine = "extract",
      .names = {"thread states", "queue", "transitions"},
      .values = {x->queue.size, x->queue.size - x->followed, x->steps.size}};
  hd_run_show(run, &progress);
}

static bool compute_steps(explorer *x, hd_extract_pair at) {
  x->now = at;
  hd_finite_steps(x->f, at.shared, at.local, visit_step, x);
  return !hd_finite_stopped(x->f);
}

bool hd_extractor_follow(hd_extractor *x, hd_state_id shared, hd_state_id local,
                         hd_range *steps) {
  hd_extract_pair at = {.shared = shared, .local = local};
  steps->start = (uint32_t)x->steps.size;
  hd_vec_push(&x->queue, at);
  bool ok = compute_steps(x, at);
  steps->size = (uint32_t)x->steps.size - steps->start;
  return ok;
}

const hd_extract_step *hd_extractor_step(const hd_extractor *x, uint32_t step) {
  return &x->steps.data[step];
}

/* Thread-modular exploration. False when a limit of `run`, or `max_pairs`, is
 * reached. */
static bool explore(explorer *x, size_t max_pairs, hd_run *run) {
  for (size_t i = 0; i < x->init_shared.size && hd_finite_go_on(x->f); i++)
    for (size_t k = 0; k < x->init_local.size; k++)
      add(x, x->init_shared.data[i], x->init_local.data[k]);
  for (; x->followed < x->queue.size; x->followed++) {
    if (!hd_run_tick(run) || (max_pairs && x->queue.size > max_pairs))
      return false;
    show(x, run);
    size_t before = x->steps.size;
    if (!compute_steps(x, x->queue.data[x->followed]))
      return false;
    follow(x, before);
  }
  /* Initial states may be missing, too. */
  return !hd_finite_stopped(x->f);
}

hd_extract *hd_extract_new(hd_finite *finite, const hd_extract_options *options,
                           hd_run *run, hd_str *why) {
  hd_finite_limit(finite, run);
  hd_extractor *x = hd_extractor_new(finite);
  hd_extract *out = NULL;
  if (explore(x, options->max_pairs, run))
    out = hd_extractor_net(x, options, why);
  else if (hd_run_check(run))
    hd_str_printf(why, "more than %zu thread states", options->max_pairs);
  else
    hd_str_puts(why, hd_run_why(run));
  hd_extractor_delete(x);
  hd_finite_limit(finite, NULL);
  return out;
}

void hd_extract_delete(hd_extract *extract) {
  if (!extract)
    return;
  hd_net_delete(extract->net);
  hd_vec_free(&extract->steps);
  hd_vec_free(&extract->asserts);
  hd_free(extract);
}
