/* SPDX-License-Identifier: MIT */
/* Writing .spec. A thread system is written in its flat form, its shared states
 * first; comments say which variables those are, and give back every name that
 * is not a variable's. A rule is the inverse of what rule.c does: with v's
 * tokens flowing into x for every v of a set V(x),
 *   x' = sum of V(x) + (post(x) - sum of pre(v) over V(x)). */
#include "front/mist/mist.h"

#include "front/names.h"
#include "front/threads.h"

#include <stdlib.h>
#include <string.h>

enum { WIDTH = 76 };

/* Tokens of `from` beyond its guard go to `to`. */
typedef struct {
  hd_place_id to, from;
} flow;

typedef struct {
  const hd_net *net;  /* as given */
  const hd_net *flat; /* what is written */
  bool threads;
  hd_str *out;
  size_t line_start; /* of the line being filled */
  const char **vars; /* one a place of `flat` */
  bool *renamed;     /* the variable is not the place's name */
  hd_arena arena;
  hd_vec(flow) flows;
  hd_u32s places;
} writer;

static bool is_shared(const writer *w, hd_place_id p) {
  return w->threads && p < w->net->n_shared;
}

static bool is_numbered(const writer *w, hd_place_id p) {
  return is_shared(w, p) ? !w->net->shared_names : !w->net->place_names;
}

static void invent_var(writer *w, hd_name_map *used, hd_place_id p) {
  bool shared = is_shared(w, p);
  uint32_t number = w->threads && !shared ? p - w->net->n_shared : p;
  hd_str name = {0};
  hd_str_printf(&name, "%c%u", !w->threads ? 'x' : shared ? 's' : 'l', number);
  while (
      hd_name_map_find(used, (hd_word){.text = name.data, .size = name.size}))
    hd_str_puts(&name, "_");
  w->vars[p] = hd_arena_strndup(&w->arena, name.data, name.size);
  hd_name_map_put(used, (hd_word){.text = w->vars[p], .size = name.size}, p,
                  NULL);
  hd_str_free(&name);
}

/* Places whose names are variables' and still free keep them. */
static void choose_vars(writer *w) {
  uint32_t n = w->flat->n_places;
  hd_name_map used = {0};
  w->vars = hd_calloc(n, sizeof *w->vars);
  w->renamed = hd_calloc(n, sizeof *w->renamed);
  for (uint32_t p = 0; p < n; p++) {
    bool fresh = false;
    if (is_numbered(w, p))
      continue;
    hd_word word = {.text = w->flat->place_names[p]};
    word.size = strlen(word.text);
    if (hd_mist_is_name(word))
      hd_name_map_put(&used, word, p, &fresh);
    if (fresh)
      w->vars[p] = word.text;
    else
      w->renamed[p] = true;
  }
  for (uint32_t p = 0; p < n; p++)
    if (!w->vars[p])
      invent_var(w, &used, p);
  hd_name_map_free(&used);
}

/* Begins a new line with `prefix` when the current one is full. */
static void wrap(writer *w, const char *prefix, size_t coming) {
  if (w->out->size - w->line_start + coming <= WIDTH)
    return;
  hd_str_puts(w->out, "\n");
  w->line_start = w->out->size;
  hd_str_puts(w->out, prefix);
}

static void begin_line(writer *w, const char *prefix) {
  w->line_start = w->out->size;
  hd_str_puts(w->out, prefix);
}

static void write_comments(writer *w) {
  static const char prefix[] = "# heddle: shared";
  if (w->threads) {
    begin_line(w, prefix);
    for (uint32_t s = 0; s < w->net->n_shared; s++) {
      wrap(w, prefix, strlen(w->vars[s]) + 1);
      hd_str_printf(w->out, " %s", w->vars[s]);
    }
    hd_str_puts(w->out, "\n");
  }
  bool shared = w->threads && !w->net->shared_names;
  bool local = !w->net->place_names && w->net->n_places;
  if (shared || local)
    hd_str_printf(w->out, "# heddle: numbered%s%s\n", shared ? " shared" : "",
                  local ? " local" : "");
  for (uint32_t p = 0; p < w->flat->n_places; p++) {
    if (!w->renamed[p])
      continue;
    hd_str_printf(w->out, "# heddle: name %s ", w->vars[p]);
    hd_name_encode(w->out, w->flat->place_names[p]);
    hd_str_puts(w->out, "\n");
  }
}

static void write_vars(writer *w) {
  hd_str_puts(w->out, "vars\n");
  begin_line(w, "   ");
  for (uint32_t p = 0; p < w->flat->n_places; p++) {
    wrap(w, "   ", strlen(w->vars[p]) + 1);
    hd_str_printf(w->out, " %s", w->vars[p]);
  }
  hd_str_puts(w->out, "\n\n");
}

/* `max` may be HD_OMEGA. */
static void write_bounds(hd_str *out, const char *var, hd_count min,
                         hd_count max) {
  if (max == HD_OMEGA)
    hd_str_printf(out, "%s>=%u", var, min);
  else if (max == min)
    hd_str_printf(out, "%s=%u", var, min);
  else
    hd_str_printf(out, "%s in [%u, %u]", var, min, max);
}

/* Lower bounds and caps of the same places, as one conjunction. Returns the
 * number of constraints. */
static size_t write_conjunction(writer *w, hd_tokens least, hd_tokens most) {
  size_t i = 0, j = 0, n = 0;
  for (; i < least.size || j < most.size; n++) {
    bool low = i < least.size &&
               (j == most.size || least.data[i].place <= most.data[j].place);
    bool high = j < most.size &&
                (i == least.size || most.data[j].place <= least.data[i].place);
    hd_place_id place = low ? least.data[i].place : most.data[j].place;
    hd_count min = low ? least.data[i++].count : 0;
    hd_count max = high ? most.data[j++].count : HD_OMEGA;
    if (n)
      hd_str_puts(w->out, ", ");
    write_bounds(w->out, w->vars[place], min, max);
  }
  return n;
}

static int by_id(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return (x > y) - (x < y);
}

static int by_flow(const void *a, const void *b) {
  const flow *x = a, *y = b;
  if (x->to != y->to)
    return x->to < y->to ? -1 : 1;
  return (x->from > y->from) - (x->from < y->from);
}

/* The places transition `t` touches, ascending. */
static void collect_places(writer *w, hd_trans_id t) {
  hd_tokens pre = hd_net_pre(w->flat, t), post = hd_net_post(w->flat, t);
  const hd_move *moves = hd_net_moves(w->flat, t);
  hd_vec_clear(&w->places);
  for (size_t i = 0; i < pre.size; i++)
    hd_vec_push(&w->places, pre.data[i].place);
  for (size_t i = 0; i < post.size; i++)
    hd_vec_push(&w->places, post.data[i].place);
  for (uint32_t i = 0; i < w->flat->trans.data[t].moves.size; i++) {
    hd_vec_push(&w->places, moves[i].from);
    if (moves[i].to != HD_NOWHERE)
      hd_vec_push(&w->places, moves[i].to);
  }
  if (w->places.size > 1)
    qsort(w->places.data, w->places.size, sizeof *w->places.data, by_id);
  size_t kept = 0;
  for (size_t i = 0; i < w->places.size; i++)
    if (!kept || w->places.data[kept - 1] != w->places.data[i])
      w->places.data[kept++] = w->places.data[i];
  w->places.size = kept;
}

/* Where the tokens of each touched place go; sorted by destination. */
static void collect_flows(writer *w, hd_trans_id t) {
  const hd_move *moves = hd_net_moves(w->flat, t);
  uint32_t n = w->flat->trans.data[t].moves.size, i = 0;
  hd_vec_clear(&w->flows);
  for (hd_vec_each(const uint32_t, p, &w->places)) {
    flow f = {.to = *p, .from = *p};
    if (i < n && moves[i].from == *p)
      f.to = moves[i++].to;
    assert(i == n || moves[i].from > *p);
    if (f.to != HD_NOWHERE)
      hd_vec_push(&w->flows, f);
  }
  if (w->flows.size > 1)
    qsort(w->flows.data, w->flows.size, sizeof *w->flows.data, by_flow);
}

/* x' = sum of flows[first … first + n - 1] + difference. */
static void write_update(writer *w, hd_place_id x, size_t first, size_t n,
                         int64_t difference) {
  hd_str_printf(w->out, "%s'=", w->vars[x]);
  for (size_t i = 0; i < n; i++)
    hd_str_printf(w->out, "%s%s", i ? "+" : "",
                  w->vars[w->flows.data[first + i].from]);
  if (!n)
    hd_str_printf(w->out, "%lld", (long long)difference);
  else if (difference)
    hd_str_printf(w->out, "%+lld", (long long)difference);
}

static void write_updates(writer *w, hd_trans_id t) {
  hd_tokens pre = hd_net_pre(w->flat, t), post = hd_net_post(w->flat, t);
  const char *separator = " ";
  size_t next = 0;
  collect_places(w, t);
  collect_flows(w, t);
  for (hd_vec_each(const uint32_t, p, &w->places)) {
    size_t first = next, n = 0;
    int64_t difference = hd_tokens_at(post, *p);
    for (; next < w->flows.size && w->flows.data[next].to == *p; n++)
      difference -= hd_tokens_at(pre, w->flows.data[next++].from);
    if (n == 1 && w->flows.data[first].from == *p && !difference)
      continue;
    hd_str_puts(w->out, separator);
    separator = ", ";
    write_update(w, *p, first, n, difference);
  }
  if (*separator == ' ')
    hd_str_puts(w->out, separator);
}

static void write_rule(writer *w, hd_trans_id t) {
  const char *name = w->flat->trans.data[t].name;
  if (name) {
    hd_str_puts(w->out, "# heddle: transition ");
    hd_name_encode(w->out, name);
    hd_str_puts(w->out, "\n");
  }
  if (!write_conjunction(w, hd_net_pre(w->flat, t), hd_net_caps(w->flat, t)))
    hd_str_puts(w->out, "true");
  hd_str_puts(w->out, " ->");
  write_updates(w, t);
  hd_str_puts(w->out, ";\n");
}

static void write_init(writer *w) {
  hd_str_puts(w->out, "\ninit\n");
  begin_line(w, "   ");
  hd_str item = {0};
  for (uint32_t p = 0; p < w->flat->n_places; p++) {
    hd_init init = w->flat->init[p];
    hd_vec_clear(&item);
    write_bounds(&item, w->vars[p], init.min, init.max);
    wrap(w, "   ", item.size + 2);
    hd_str_printf(w->out, " %s%s", item.data,
                  p + 1 < w->flat->n_places ? "," : "");
  }
  hd_str_puts(w->out, "\n");
  hd_str_free(&item);
}

static void write_targets(writer *w) {
  hd_str_puts(w->out, "\ntarget\n");
  for (hd_vec_each(const hd_target, target, &w->flat->targets)) {
    hd_str_puts(w->out, "    ");
    if (!write_conjunction(w, hd_net_view(w->flat, target->need),
                           hd_net_view(w->flat, target->caps)))
      hd_str_printf(w->out, "%s>=0", w->vars[0]);
    hd_str_puts(w->out, "\n");
  }
}

/* What rules cannot say: a token that chooses among moves, and a target about
 * no variable at all. */
static bool is_expressible(const hd_net *net, bool threads, hd_diag *diag) {
  if (threads && net->n_shared + net->n_places > HD_MAX_STATES) {
    hd_diag_file_error(diag, net->file,
                       "%u shared and %u local states are too many variables "
                       "for .spec, the most is %u",
                       net->n_shared, net->n_places, HD_MAX_STATES);
    return false;
  }
  if (!threads && !net->n_places && net->targets.size) {
    hd_diag_file_error(diag, net->file,
                       "a target without places cannot be written as .spec");
    return false;
  }
  for (hd_trans_id t = 0; t < net->trans.size; t++) {
    const hd_move *moves = hd_net_moves(net, t);
    for (uint32_t i = 1; i < net->trans.data[t].moves.size; i++)
      if (moves[i].from == moves[i - 1].from) {
        hd_diag_file_error(diag, net->file,
                           "in the edge on line %u a passive thread chooses "
                           "between updates, which .spec cannot express",
                           net->trans.data[t].line);
        return false;
      }
  }
  return true;
}

bool hd_mist_write(const hd_net *net, hd_str *out, hd_diag *diag) {
  bool threads = net->format == HD_FORMAT_TTS;
  if (!is_expressible(net, threads, diag))
    return false;
  hd_net *unfolded = threads ? hd_threads_unfold(net) : NULL;
  writer w = {.net = net,
              .flat = threads ? unfolded : net,
              .threads = threads,
              .out = out};
  hd_arena_init(&w.arena);
  choose_vars(&w);
  write_comments(&w);
  write_vars(&w);
  hd_str_puts(out, "rules\n");
  for (hd_trans_id t = 0; t < w.flat->trans.size; t++)
    write_rule(&w, t);
  write_init(&w);
  write_targets(&w);
  hd_vec_free(&w.flows);
  hd_vec_free(&w.places);
  hd_free(w.vars);
  hd_free(w.renamed);
  hd_arena_free(&w.arena);
  hd_net_delete(unfolded);
  return true;
}
