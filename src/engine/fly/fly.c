/* SPDX-License-Identifier: MIT */
#include "engine/fly/fly.h"

#include "engine/km/km.h"

typedef struct {
  uint64_t rounds;
  size_t most_occupied; /* local states in one maximal configuration */
  double occupied;      /* sum of them … */
  size_t configs;       /* … over so many configurations */
} figures;

/* Adds the pairs that occur in the cover; true when one of them is new. */
static bool add_occupied(hd_extractor *x, const hd_extract *e,
                         const hd_cert *cover, figures *count) {
  size_t n_shared = hd_finite_n_shared(e->finite);
  size_t n_local = hd_finite_n_local(e->finite);
  bool fresh = false;
  count->occupied = 0;
  count->configs = cover->configs.size;
  count->most_occupied = 0;
  for (hd_vec_each(const hd_config, c, &cover->configs)) {
    hd_tokens v = hd_cert_view(cover, c);
    count->occupied += (double)v.size;
    if (v.size > count->most_occupied)
      count->most_occupied = v.size;
    for (size_t i = 0; i < v.size; i++)
      if (c->shared < n_shared && v.data[i].place < n_local &&
          hd_extractor_add(x, c->shared, v.data[i].place))
        fresh = true;
  }
  return fresh;
}

static bool covers_target(const hd_net *net, const hd_cert *cover) {
  for (hd_vec_each(const hd_config, c, &cover->configs))
    for (hd_vec_each(const hd_target, t, &net->targets))
      if (t->shared == c->shared &&
          hd_tokens_covers(hd_cert_view(cover, c), hd_net_view(net, t->need)))
        return true;
  return false;
}

/* One round on the net so far. True when `*done`, or there is more to do. */
static bool run_round(hd_extractor *x, const hd_extract *e, hd_run *run,
                      figures *count, bool *done, hd_str *why) {
  hd_result cover = {0};
  hd_km_cover(e->net, run, &cover);
  bool ok = cover.cert != NULL;
  if (ok) {
    count->rounds++;
    bool fresh = add_occupied(x, e, cover.cert, count);
    *done = !fresh || covers_target(e->net, cover.cert);
  } else {
    hd_str_puts(why, cover.reason);
  }
  hd_result_free(&cover);
  return ok;
}

static bool broadcasts(const hd_program *program) {
  for (hd_vec_each(const hd_edge, e, &program->edges))
    if (e->act == HD_ACT_BROADCAST)
      return true;
  return false;
}

static void report(const hd_extractor *x, const figures *count,
                   hd_result *result) {
  hd_result_stat(result, "fly.rounds", "", (double)count->rounds,
                 "Karp-Miller searches until nothing new was occupied");
  hd_result_stat(result, "fly.pairs", "", (double)hd_extractor_pairs(x),
                 "thread states that occur");
  hd_result_stat(result, "fly.occupied_most", "", (double)count->most_occupied,
                 "most local states occupied at the same time");
  hd_result_stat(
      result, "fly.occupied_mean", "",
      count->configs ? count->occupied / (double)count->configs : 0,
      "local states occupied in a maximal configuration, on average");
}

hd_extract *hd_fly_extract(hd_finite *finite, const hd_extract_options *options,
                           hd_run *run, hd_result *result, hd_str *why) {
  if (broadcasts(hd_finite_program(finite))) {
    hd_str_puts(why, "broadcasts cannot be treated by km");
    return NULL;
  }
  hd_finite_limit(finite, run);
  hd_extractor *x = hd_extractor_new(finite, false);
  hd_extract *net = NULL;
  figures count = {0};
  bool ok = true, done = false;
  while (ok && !done) {
    hd_extract_delete(net);
    net = NULL;
    ok = hd_extractor_close(x, 0, run);
    if (!ok)
      hd_str_puts(why, hd_run_why(run));
    net = ok ? hd_extractor_net(x, options, why) : NULL;
    ok = net && run_round(x, net, run, &count, &done, why);
  }
  report(x, &count, result);
  hd_extractor_delete(x);
  hd_finite_limit(finite, NULL);
  if (!ok) {
    hd_extract_delete(net);
    return NULL;
  }
  return net;
}
