/* SPDX-License-Identifier: MIT */
/* Inequalities in words.
 *
 *   potential[s] + sum weight[p] * M(p) <= bound
 * reads "sum <= bound - potential[s] while the shared state is s": shared states
 * with the same right-hand side are named together, the largest group last as
 * "otherwise", and those with a negative one are never reached at all. */
#include "engine/tse/explain.h"

#include <inttypes.h>
#include <stdlib.h>

#define MAX_NAMES 8 /* in one list */

__extension__ typedef __int128 wide;

typedef struct {
  hd_str *out;
  const hd_net *net;
  const hd_cert *cert;
  bool threads; /* say "threads in l", not "p" */
} writer;

static bool reached(const writer *w, hd_shared_id s) {
  return !w->cert->rows || w->cert->rows[s];
}

/* "a, b or c", cut off after MAX_NAMES. */
static void say_list(writer *w, const uint32_t *ids, size_t n,
                     void (*say)(hd_str *, const hd_net *, uint32_t)) {
  size_t shown = n > MAX_NAMES ? MAX_NAMES - 1 : n;
  for (size_t i = 0; i < shown; i++) {
    if (i)
      hd_str_puts(w->out, i + 1 == n ? " or " : ", ");
    say(w->out, w->net, ids[i]);
  }
  if (shown < n)
    hd_str_printf(w->out, " or one of %zu others", n - shown);
}

/* --- the left side --- */

static void say_term(writer *w, hd_place_id p, int64_t weight) {
  if (weight != 1)
    hd_str_printf(w->out, "%" PRId64 " * ", weight);
  if (w->threads)
    hd_str_puts(w->out, "threads in ");
  hd_net_print_place(w->out, w->net, p);
}

/* False, writing nothing, when no place has a weight. */
static bool say_sum(writer *w, const hd_linear *linear) {
  size_t terms = 0;
  for (hd_place_id p = 0; p < w->net->n_places; p++)
    if (linear->weight[p]) {
      if (terms++)
        hd_str_puts(w->out, " + ");
      say_term(w, p, linear->weight[p]);
    }
  return terms > 0;
}

/* --- the right side --- */

typedef struct {
  int64_t limit;
  hd_u32s states;
} group;

typedef hd_vec(group) groups;

static int64_t limit_of(const hd_linear *linear, hd_shared_id s) {
  wide limit =
      (wide)linear->bound - (linear->potential ? linear->potential[s] : 0);
  return limit > INT64_MAX   ? INT64_MAX
         : limit < INT64_MIN ? INT64_MIN
                             : (int64_t)limit;
}

static int by_limit(const void *a, const void *b) {
  int64_t x = ((const group *)a)->limit, y = ((const group *)b)->limit;
  return (x > y) - (x < y);
}

/* Reached shared states by what the sum is limited to, ascending. */
static void make_groups(const writer *w, const hd_linear *linear, groups *out) {
  for (hd_shared_id s = 0; s < w->net->n_shared; s++) {
    if (!reached(w, s))
      continue;
    int64_t limit = limit_of(linear, s);
    size_t at = 0;
    while (at < out->size && out->data[at].limit != limit)
      at++;
    if (at == out->size)
      hd_vec_push(out, ((group){.limit = limit}));
    hd_vec_push(&out->data[at].states, s);
  }
  if (out->size > 1)
    qsort(out->data, out->size, sizeof *out->data, by_limit);
}

static void free_groups(groups *g) {
  for (hd_vec_each(group, one, g))
    hd_vec_free(&one->states);
  hd_vec_free(g);
}

static void say_never(writer *w, const group *g) {
  hd_str_puts(w->out, "the shared state is never ");
  say_list(w, g->states.data, g->states.size, hd_net_print_shared);
}

/* " <= 1 while the shared state is 2", for at most MAX_NAMES groups besides the
 * one at `rule`. */
static void say_exceptions(writer *w, const groups *all, size_t rule) {
  const char *separator = "";
  size_t said = 0;
  for (size_t i = 0; i < all->size; i++) {
    const group *g = &all->data[i];
    if (i == rule || g->limit < 0)
      continue;
    if (++said > MAX_NAMES)
      continue;
    hd_str_printf(w->out, "%s <= %" PRId64 " while the shared state is ",
                  separator, g->limit);
    say_list(w, g->states.data, g->states.size, hd_net_print_shared);
    separator = ",";
  }
  if (said > MAX_NAMES)
    hd_str_printf(w->out, ", and %zu more such limits", said - MAX_NAMES);
  if (all->data[rule].limit >= 0)
    hd_str_printf(w->out, "%s <= %" PRId64 "%s", separator,
                  all->data[rule].limit, said ? " otherwise" : "");
}

/* With weights. The group with most states is the rule, the others are the
 * exceptions, named first. */
static void say_limits(writer *w, const hd_linear *linear, const groups *all) {
  size_t rule = 0;
  for (size_t i = 0; i < all->size; i++)
    if (all->data[i].states.size >= all->data[rule].states.size)
      rule = i;
  say_sum(w, linear);
  say_exceptions(w, all, rule);
  for (size_t i = 0; i < all->size; i++)
    if (all->data[i].limit < 0) {
      hd_str_puts(w->out, "; ");
      say_never(w, &all->data[i]);
    }
}

static bool has_weights(const writer *w, const hd_linear *linear) {
  for (hd_place_id p = 0; p < w->net->n_places; p++)
    if (linear->weight[p])
      return true;
  return false;
}

static void say_linear(writer *w, const hd_linear *linear) {
  groups all = {0};
  make_groups(w, linear, &all);
  if (all.size && has_weights(w, linear)) {
    say_limits(w, linear, &all);
  } else {
    const char *separator = "";
    for (hd_vec_each(const group, g, &all))
      if (g->limit < 0) {
        hd_str_puts(w->out, separator);
        say_never(w, g);
        separator = "; ";
      }
  }
  free_groups(&all);
}

/* --- traps --- */

static void list_bits(const uint64_t *bits, uint32_t n, hd_u32s *out) {
  hd_vec_clear(out);
  for (size_t i = hd_bits_next(bits, n, 0); i < n;
       i = hd_bits_next(bits, n, i + 1))
    hd_vec_push(out, (uint32_t)i);
}

static void say_trap(writer *w, const hd_trap *trap) {
  hd_u32s ids = {0};
  const char *separator = "";
  list_bits(trap->places, w->net->n_places, &ids);
  if (ids.size) {
    hd_str_printf(w->out, "there is %s in ",
                  w->threads ? "a thread" : "a token");
    say_list(w, ids.data, ids.size, hd_net_print_place);
    separator = ", or ";
  }
  list_bits(trap->shared, w->net->n_shared, &ids);
  if (ids.size) {
    hd_str_printf(w->out, "%sthe shared state is ", separator);
    say_list(w, ids.data, ids.size, hd_net_print_shared);
  }
  hd_vec_free(&ids);
}

static void say_traps(writer *w, const hd_linear *linear) {
  for (uint32_t i = 0; i < linear->traps.size; i++) {
    hd_trap_use use = w->cert->trap_uses.data[linear->traps.start + i];
    hd_str_puts(w->out, i ? ", and " : "\n     because at every moment ");
    say_trap(w, &w->cert->traps.data[use.trap]);
  }
}

/* --- what follows --- */

static wide value(const hd_linear *linear, hd_shared_id s, hd_tokens v) {
  wide sum = linear->potential ? linear->potential[s] : 0;
  for (size_t i = 0; i < v.size; i++)
    sum += (wide)linear->weight[v.data[i].place] * v.data[i].count;
  return sum;
}

static bool excludes(const hd_linear *linear, hd_shared_id s, hd_tokens v) {
  return value(linear, s, v) > linear->bound;
}

/* Transitions that inequality `index` is the first to exclude. */
static void say_dead(writer *w, size_t index) {
  const hd_net *net = w->net;
  hd_trans_id first = 0;
  size_t count = 0;
  for (hd_trans_id t = 0; t < net->trans.size; t++) {
    hd_shared_id from = net->trans.data[t].from;
    hd_tokens pre = hd_net_pre(net, t);
    bool fresh = excludes(&w->cert->linear.data[index], from, pre);
    for (size_t i = 0; i < index && fresh; i++)
      fresh = !excludes(&w->cert->linear.data[i], from, pre);
    if (fresh && !count++)
      first = t;
  }
  if (!count)
    return;
  hd_str_puts(w->out, "\n     so ");
  hd_net_print_trans(w->out, net, first);
  if (count > 1)
    hd_str_printf(w->out, " and %zu other transition%s never fire", count - 1,
                  count > 2 ? "s" : "");
  else
    hd_str_puts(w->out, " never fires");
}

static bool row_excludes(const writer *w, hd_shared_id s, hd_tokens need) {
  if (!w->cert->rows)
    return false;
  for (size_t i = 0; w->cert->rows[s] && i < need.size; i++)
    if (!hd_bits_test(w->cert->rows[s], need.data[i].place))
      return true;
  return !w->cert->rows[s];
}

static bool target_excluded(const writer *w, const hd_target *target,
                            const hd_linear *linear) {
  hd_tokens need = hd_net_view(w->net, target->need);
  for (hd_shared_id s = 0; s < w->net->n_shared; s++)
    if ((target->shared == s || target->shared == HD_ANY_SHARED) &&
        !row_excludes(w, s, need) && !excludes(linear, s, need))
      return false;
  return true;
}

static void say_targets(writer *w) {
  size_t shown = 0;
  for (hd_vec_each(const hd_target, target, &w->net->targets)) {
    size_t by = 0;
    while (by < w->cert->linear.size &&
           !target_excluded(w, target, &w->cert->linear.data[by]))
      by++;
    if (by == w->cert->linear.size)
      continue;
    if (++shown > MAX_NAMES)
      continue;
    hd_str_puts(w->out, "  target ");
    hd_net_print_config(w->out, w->net, target->shared,
                        hd_net_view(w->net, target->need));
    hd_str_printf(w->out, " contradicts %zu\n", by + 1);
  }
  if (shown > MAX_NAMES)
    hd_str_printf(w->out, "  and so do %zu other targets\n", shown - MAX_NAMES);
}

void hd_tse_explain(hd_str *out, const hd_net *net, const hd_cert *cert) {
  writer w = {.out = out,
              .net = net,
              .cert = cert,
              .threads = net->format == HD_FORMAT_TTS};
  if (!cert->linear.size)
    return;
  hd_str_puts(out, "These hold initially, and nothing that can happen breaks "
                   "them:\n");
  for (size_t i = 0; i < cert->linear.size; i++) {
    hd_str_printf(out, "  %zu. ", i + 1);
    say_linear(&w, &cert->linear.data[i]);
    say_traps(&w, &cert->linear.data[i]);
    say_dead(&w, i);
    hd_str_puts(out, "\n");
  }
  say_targets(&w);
}
