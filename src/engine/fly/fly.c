/* SPDX-License-Identifier: MIT */
/* Numbers in the open system are those of the finite program plus one. Number 0
 * is the place of threads that have not chosen their initial values, and the
 * shared state before the shared ones are chosen; where there is no choice,
 * neither occurs. */
#include "engine/fly/fly.h"

#include "engine/km/search.h"

#include <stdlib.h>

/* Transitions that are not steps of a pair: an index into `others`. */
#define OTHER ((hd_trans_id)1 << 31)

/* The longest witness that is written out. */
enum { MAX_STEPS = 10 * 1000 * 1000 };

typedef struct {
  hd_finite *finite;
  const hd_extract_options *options;
  hd_extractor *x;
  hd_vec(hd_extract_step) others;
  size_t most_occupied; /* local states in one maximal configuration */
  double occupied;      /* sum of them */
} flight;

/* --- the source of transitions --- */

static void add_other(flight *f, hd_km_system *system, hd_extract_step step,
                      hd_shared_id from, hd_shared_id to, hd_place_id give) {
  hd_token post = {.place = give, .count = 1};
  hd_km_system_add(system, OTHER | (hd_trans_id)f->others.size, from, 0, to,
                   (hd_tokens){.data = &post, .size = 1});
  hd_vec_push(&f->others, step);
}

/* A thread that has not chosen its values chooses them, or before that the
 * shared ones. */
static void choose_initial(flight *f, hd_km_system *system,
                           hd_shared_id shared) {
  const hd_u32s *list =
      shared ? hd_extractor_local(f->x) : hd_extractor_shared(f->x);
  for (size_t i = 0; i < list->size; i++) {
    hd_state_id state = list->data[i];
    hd_extract_step step = {.kind = shared ? HD_FROM_LOCAL : HD_FROM_SHARED,
                            .shared = shared ? shared - 1 : HD_NO_ID,
                            .next_shared = shared ? shared - 1 : state,
                            .next_local = shared ? state : HD_NO_ID};
    add_other(f, system, step, shared, shared ? shared : state + 1,
              shared ? state + 1 : 0);
  }
}

static void add_step(hd_km_system *system, uint32_t id,
                     const hd_extract_step *s) {
  hd_token post[2];
  size_t n = 0;
  if (s->next_local != HD_NO_ID)
    post[n++] = (hd_token){.place = s->next_local + 1, .count = 1};
  if (s->spawned != HD_NO_ID && s->spawned == s->next_local)
    post[0].count = 2;
  else if (s->spawned != HD_NO_ID)
    post[n++] = (hd_token){.place = s->spawned + 1, .count = 1};
  if (n == 2 && post[0].place > post[1].place) {
    hd_token swap = post[0];
    post[0] = post[1];
    post[1] = swap;
  }
  hd_km_system_add(system, id, s->shared + 1, s->local + 1, s->next_shared + 1,
                   (hd_tokens){.data = post, .size = n});
}

static bool is_wanted(const flight *f, hd_edge_id edge) {
  const hd_program *p = hd_finite_program(f->finite);
  return p->edges.data[edge].act == HD_ACT_ASSERT &&
         (f->options->assertion == HD_NO_ID || f->options->assertion == edge);
}

/* An assertion that a thread there violates, or HD_NO_ID. */
static hd_edge_id find_violated(const flight *f, hd_state_id shared,
                                hd_state_id local) {
  const hd_program *p = hd_finite_program(f->finite);
  hd_loc_id loc = hd_finite_loc(f->finite, local);
  for (uint32_t i = p->out_start[loc]; i < p->out_start[loc + 1]; i++)
    if (is_wanted(f, p->out[i]) &&
        hd_finite_violates(f->finite, shared, local, p->out[i]))
      return p->out[i];
  return HD_NO_ID;
}

static bool follow(void *context, hd_km_system *system, hd_shared_id shared,
                   hd_place_id place, bool *bad) {
  flight *f = context;
  if (!place) {
    choose_initial(f, system, shared);
    return true;
  }
  assert(shared);
  hd_range steps;
  bool ok = hd_extractor_follow(f->x, shared - 1, place - 1, &steps);
  for (uint32_t i = steps.start; i < steps.start + steps.size; i++)
    add_step(system, i, hd_extractor_step(f->x, i));
  *bad = find_violated(f, shared - 1, place - 1) != HD_NO_ID;
  return ok && !hd_finite_stopped(f->finite);
}

/* --- from the system back to the net --- */

static int by_place(const void *a, const void *b) {
  const hd_token *x = a, *y = b;
  return (x->place > y->place) - (x->place < y->place);
}

static void push_place(const hd_extract *e, hd_token_vec *out,
                       hd_place_id place, hd_count count) {
  hd_token token = {.place = place ? place - 1 : e->start_place,
                    .count = count};
  hd_vec_push(out, token);
}

/* A live node as a configuration of the net. */
static void add_config(flight *f, const hd_km_search *search,
                       const hd_extract *e, uint32_t node, hd_cert *cert) {
  const hd_km_store *store = &search->store;
  uint32_t cell = store->nodes.data[node].cell, n = store->n_places;
  const uint64_t *omega = hd_km_omega(store, cell);
  hd_tokens tokens = hd_km_store_view(store, node);
  hd_shared_id shared = store->cells.data[cell].shared;
  hd_token_vec out = {0};
  for (size_t i = 0; i < tokens.size; i++)
    push_place(e, &out, tokens.data[i].place, tokens.data[i].count);
  for (size_t p = hd_bits_next(omega, n, 0); p < n;
       p = hd_bits_next(omega, n, p + 1))
    push_place(e, &out, (hd_place_id)p, HD_OMEGA);
  if (out.size)
    qsort(out.data, out.size, sizeof *out.data, by_place);
  hd_cert_add_config(cert, shared ? shared - 1 : e->net->init_shared,
                     hd_token_vec_view(&out));
  f->occupied += (double)out.size;
  if (out.size > f->most_occupied)
    f->most_occupied = out.size;
  hd_vec_free(&out);
}

static hd_cert *make_cover(flight *f, const hd_km_search *search,
                           const hd_extract *e) {
  const hd_net *net = e->net;
  hd_cert *cert = hd_cert_new(HD_CERT_COVER, net->n_shared, net->n_places);
  for (uint32_t node = 0; node < search->store.nodes.size; node++)
    if (search->store.nodes.data[node].live)
      add_config(f, search, e, node, cert);
  return cert;
}

/* Where the transitions of each kind begin in the net. */
typedef struct {
  hd_trans_id shared, local, violated;
} starts;

static starts find_starts(const hd_extract *e) {
  hd_trans_id n = (hd_trans_id)e->steps.size;
  starts s = {n, n, n};
  for (hd_trans_id t = n; t-- > 0;) {
    hd_extract_kind kind = e->steps.data[t].kind;
    if (kind == HD_FROM_SHARED)
      s.shared = t;
    else if (kind == HD_FROM_LOCAL)
      s.local = t;
    else if (kind == HD_FROM_VIOLATED)
      s.violated = t;
  }
  return s;
}

/* The net's number of an initial choice: model/extract.c lists them by shared
 * state, then by value. */
static hd_trans_id find_other(const flight *f, const hd_extract *e,
                              const starts *s, const hd_extract_step *step) {
  bool local = step->kind == HD_FROM_LOCAL;
  const hd_u32s *list =
      local ? hd_extractor_local(f->x) : hd_extractor_shared(f->x);
  hd_trans_id t =
      local ? s->local + step->shared * (hd_trans_id)list->size : s->shared;
  while (local ? e->steps.data[t].next_local != step->next_local
               : e->steps.data[t].next_shared != step->next_shared)
    t++;
  assert(e->steps.data[t].kind == step->kind);
  return t;
}

static hd_trans_id find_violation(const flight *f, const hd_extract *e,
                                  hd_trans_id t, hd_state_id shared,
                                  hd_state_id local) {
  hd_edge_id edge = find_violated(f, shared, local);
  while (e->steps.data[t].shared != shared || e->steps.data[t].local != local ||
         e->steps.data[t].edge != edge)
    t++;
  return t;
}

static uint32_t target_of(const hd_extract *e, hd_edge_id edge) {
  uint32_t k = 0;
  while (e->asserts.data[k] != edge)
    k++;
  return k;
}

static void make_witness(const flight *f, hd_km_search *search,
                         const hd_extract *e, hd_run *run, hd_result *result) {
  const hd_km_store *store = &search->store;
  uint32_t cell = store->nodes.data[search->found].cell;
  starts s = find_starts(e);
  hd_u32s steps = {0};
  hd_witness *witness = hd_witness_new();
  bool done = hd_km_unroll(search, MAX_STEPS, run, &steps);
  for (size_t i = 0; i < steps.size && done; i++) {
    hd_trans_id t = steps.data[i];
    if (t & OTHER)
      t = find_other(f, e, &s, &f->others.data[t & ~OTHER]);
    hd_vec_push(&witness->steps, ((hd_step){.trans = t}));
  }
  hd_trans_id last =
      find_violation(f, e, s.violated, store->cells.data[cell].shared - 1,
                     search->found_place - 1);
  hd_vec_push(&witness->steps, ((hd_step){.trans = last}));
  witness->target = target_of(e, e->steps.data[last].edge);
  if (done && hd_witness_find_init(witness, e->net)) {
    result->verdict = HD_UNSAFE;
    result->witness = witness;
  } else {
    hd_witness_delete(witness);
  }
  hd_vec_free(&steps);
}

/* --- the run --- */

static bool broadcasts(const hd_program *program) {
  for (hd_vec_each(const hd_edge, e, &program->edges))
    if (e->act == HD_ACT_BROADCAST)
      return true;
  return false;
}

static void report(const flight *f, const hd_km_search *search,
                   hd_result *result) {
  hd_km_report(search, result);
  hd_result_stat(result, "fly.pairs", "", (double)hd_extractor_pairs(f->x),
                 "thread states that were executed");
  if (!f->most_occupied)
    return;
  hd_result_stat(result, "fly.occupied_most", "", (double)f->most_occupied,
                 "most local states occupied at the same time");
  hd_result_stat(
      result, "fly.occupied_mean", "",
      f->occupied / (double)search->store.n_live,
      "local states occupied in a maximal configuration, on average");
}

static void open_search(flight *f, hd_km_search *search,
                        const hd_km_source *source) {
  const hd_u32s *shared = hd_extractor_shared(f->x);
  const hd_u32s *local = hd_extractor_local(f->x);
  bool choose = shared->size > 1 || local->size > 1;
  hd_token threads = {.place = choose ? 0 : local->data[0] + 1,
                      .count = f->options->threads.max};
  hd_km_search_open(search, source, shared->size > 1 ? 0 : shared->data[0] + 1,
                    (hd_tokens){.data = &threads, .size = threads.count > 0});
}

static const char *why_not(hd_km_end end, const hd_run *run) {
  return end == HD_KM_TOO_LARGE ? "counts too large"
         : end == HD_KM_FULL    ? "too many configurations"
                                : hd_run_why(run);
}

static hd_extract *conclude(flight *f, hd_km_search *search, hd_km_end end,
                            hd_run *run, hd_result *result, hd_str *why) {
  if (end != HD_KM_COMPLETE && end != HD_KM_FOUND) {
    hd_str_puts(why, why_not(end, run));
    return NULL;
  }
  hd_extract *e = hd_extractor_net(f->x, f->options, why);
  if (!e || f->options->portable)
    return e;
  result->engine = "km";
  if (end == HD_KM_FOUND) {
    make_witness(f, search, e, run, result);
  } else {
    result->cert = make_cover(f, search, e);
    result->verdict = HD_SAFE;
  }
  return e;
}

hd_extract *hd_fly_run(hd_finite *finite, const hd_extract_options *options,
                       hd_km_order order, hd_run *run, hd_result *result,
                       hd_str *why) {
  if (broadcasts(hd_finite_program(finite))) {
    hd_str_puts(why, "broadcasts cannot be treated by km");
    return NULL;
  }
  hd_finite_limit(finite, run);
  flight f = {
      .finite = finite, .options = options, .x = hd_extractor_new(finite)};
  hd_extract *made = NULL;
  if (hd_finite_go_on(finite)) {
    hd_km_source source = {.context = &f, .follow = follow};
    hd_km_search search;
    open_search(&f, &search, &source);
    search.order = order;
    hd_km_end end = hd_km_search_run(&search, run);
    made = conclude(&f, &search, end, run, result, why);
    report(&f, &search, result);
    hd_km_search_free(&search);
  } else {
    hd_str_puts(why, hd_run_why(run));
  }
  hd_vec_free(&f.others);
  hd_extractor_delete(f.x);
  hd_finite_limit(finite, NULL);
  return made;
}
