/* SPDX-License-Identifier: MIT */
/* A model on its own: as a listing and as a graph. */
#include "report/report.h"

#include "report/describe.h"

#include <string.h>

static void list_features(hd_str *out, const hd_net *net) {
  hd_str text = {0};
  hd_describe_features(&text, net, net->features);
  if (text.size)
    hd_str_printf(out, "has: %s\n", hd_str_text(&text));
  hd_str_free(&text);
}

static void list_targets(hd_str *out, const hd_net *net) {
  if (!net->targets.size)
    hd_str_puts(out, "no target\n");
  for (size_t i = 0; i < net->targets.size; i++) {
    hd_str_puts(out, "target: ");
    hd_describe_target(out, net, i);
    if (net->targets.data[i].line)
      hd_str_printf(out, " (line %u)", net->targets.data[i].line);
    hd_str_puts(out, "\n");
  }
}

void hd_report_model_text(hd_str *out, const hd_net *net) {
  hd_report_one_line(out, net->file);
  hd_str_printf(out, ": %s, ", hd_describe_format(net));
  hd_describe_size(out, net);
  hd_str_puts(out, "\ninitially: ");
  hd_describe_init(out, net, 0);
  hd_str_puts(out, "\n");
  list_targets(out, net);
  list_features(out, net);
  hd_str_puts(out, "\n  line  ");
  hd_str_printf(out, "%s\n", hd_describe_trans_noun(net));
  for (hd_trans_id t = 0; t < net->trans.size; t++) {
    hd_str_printf(out, "%6u  ", net->trans.data[t].line);
    hd_net_print_trans(out, net, t);
    hd_str_puts(out, "\n");
  }
}

/* A DOT string: quotes and backslashes escaped, line ends kept out. */
static void put_quoted(hd_str *out, const char *text) {
  hd_str_puts(out, "\"");
  for (; *text; text++) {
    if (*text == '"' || *text == '\\')
      hd_str_puts(out, "\\");
    char c = (unsigned char)*text < 32 ? ' ' : *text;
    hd_str_append(out, &c, 1);
  }
  hd_str_puts(out, "\"");
}

static void put_trans_label(hd_str *out, const hd_net *net, hd_trans_id t) {
  hd_str text = {0};
  if (net->trans.data[t].line)
    hd_str_printf(&text, "%u", net->trans.data[t].line);
  put_quoted(out, hd_str_text(&text));
  hd_str_free(&text);
}

/* Marks the thread states that an edge touches: only those are drawn. */
static uint64_t *touched(const hd_net *net) {
  size_t n = (size_t)net->n_shared * net->n_places;
  uint64_t *bits = hd_calloc(hd_bits_words(n), sizeof *bits);
  for (hd_trans_id t = 0; t < net->trans.size; t++) {
    const hd_trans *trans = &net->trans.data[t];
    hd_tokens pre = hd_net_pre(net, t), post = hd_net_post(net, t);
    for (size_t i = 0; i < pre.size; i++)
      hd_bits_set(bits,
                  (size_t)trans->from * net->n_places + pre.data[i].place);
    for (size_t i = 0; i < post.size; i++)
      hd_bits_set(bits, (size_t)trans->to * net->n_places + post.data[i].place);
  }
  for (hd_place_id p = 0; p < net->n_places; p++)
    if (net->init[p].max)
      hd_bits_set(bits, (size_t)net->init_shared * net->n_places + p);
  for (hd_vec_each(const hd_target, target, &net->targets)) {
    hd_tokens need = hd_net_view(net, target->need);
    for (size_t i = 0; i < need.size && target->shared != HD_ANY_SHARED; i++)
      hd_bits_set(bits,
                  (size_t)target->shared * net->n_places + need.data[i].place);
  }
  return bits;
}

static bool is_target(const hd_net *net, hd_shared_id s, hd_place_id p) {
  for (hd_vec_each(const hd_target, target, &net->targets))
    if ((target->shared == s || target->shared == HD_ANY_SHARED) &&
        hd_tokens_at(hd_net_view(net, target->need), p))
      return true;
  return false;
}

static void draw_thread_state(hd_str *out, const hd_net *net, hd_shared_id s,
                              hd_place_id p) {
  hd_str label = {0};
  hd_net_print_shared(&label, net, s);
  hd_str_puts(&label, "|");
  hd_net_print_place(&label, net, p);
  hd_str_printf(out, "  s%ul%u [label=", s, p);
  put_quoted(out, hd_str_text(&label));
  if (s == net->init_shared && net->init[p].max)
    hd_str_puts(out, ", style=bold");
  if (is_target(net, s, p))
    hd_str_puts(out, ", color=red, peripheries=2");
  hd_str_puts(out, "];\n");
  hd_str_free(&label);
}

/* An edge of the diagram: solid for a move, dashed to what it spawns, dotted
 * for threads that are moved along. */
static void draw_thread_trans(hd_str *out, const hd_net *net, hd_trans_id t) {
  const hd_trans *trans = &net->trans.data[t];
  hd_tokens pre = hd_net_pre(net, t), post = hd_net_post(net, t);
  bool spawn = pre.size && hd_tokens_total(post) > 1;
  for (size_t i = 0; i < post.size && pre.size; i++) {
    bool fresh = spawn && (post.data[i].place != pre.data[0].place ||
                           post.data[i].count > 1);
    hd_str_printf(out, "  s%ul%u -> s%ul%u [label=", trans->from,
                  pre.data[0].place, trans->to, post.data[i].place);
    put_trans_label(out, net, t);
    hd_str_puts(out, fresh ? ", style=dashed];\n" : "];\n");
  }
  for (uint32_t i = 0; i < trans->moves.size; i++) {
    hd_move move = hd_net_moves(net, t)[i];
    if (move.to == HD_NOWHERE)
      continue;
    hd_str_printf(out, "  s%ul%u -> s%ul%u [label=", trans->from, move.from,
                  trans->to, move.to);
    put_trans_label(out, net, t);
    hd_str_puts(out, ", style=dotted];\n");
  }
}

static void draw_threads(hd_str *out, const hd_net *net) {
  uint64_t *bits = touched(net);
  for (hd_shared_id s = 0; s < net->n_shared; s++)
    for (hd_place_id p = 0; p < net->n_places; p++)
      if (hd_bits_test(bits, (size_t)s * net->n_places + p))
        draw_thread_state(out, net, s, p);
  for (hd_trans_id t = 0; t < net->trans.size; t++)
    draw_thread_trans(out, net, t);
  hd_free(bits);
}

static void draw_place(hd_str *out, const hd_net *net, hd_place_id p) {
  hd_str label = {0};
  hd_net_print_place(&label, net, p);
  hd_init init = net->init[p];
  if (init.max == HD_OMEGA)
    hd_str_printf(&label, " >=%u", init.min);
  else if (init.max)
    hd_str_printf(&label, " =%u", init.min);
  hd_str_printf(out, "  p%u [shape=ellipse, label=", p);
  put_quoted(out, hd_str_text(&label));
  if (init.max)
    hd_str_puts(out, ", style=bold");
  if (is_target(net, 0, p))
    hd_str_puts(out, ", color=red, peripheries=2");
  hd_str_puts(out, "];\n");
  hd_str_free(&label);
}

static void draw_arcs(hd_str *out, hd_trans_id t, hd_tokens tokens, bool in) {
  for (size_t i = 0; i < tokens.size; i++) {
    hd_place_id p = tokens.data[i].place;
    if (in)
      hd_str_printf(out, "  p%u -> t%u", p, t);
    else
      hd_str_printf(out, "  t%u -> p%u", t, p);
    if (tokens.data[i].count > 1)
      hd_str_printf(out, " [label=\"%u\"]", tokens.data[i].count);
    hd_str_puts(out, ";\n");
  }
}

/* Of a part only the places that its transitions touch. */
static void draw_places(hd_str *out, const hd_net *net, bool part) {
  bool *touched_places = hd_calloc(net->n_places + 1, sizeof *touched_places);
  for (hd_vec_each(const hd_token, t, &net->tokens))
    touched_places[t->place] = true;
  for (hd_vec_each(const hd_move, m, &net->moves)) {
    touched_places[m->from] = true;
    if (m->to != HD_NOWHERE)
      touched_places[m->to] = true;
  }
  for (hd_place_id p = 0; p < net->n_places; p++)
    if (!part || touched_places[p])
      draw_place(out, net, p);
  hd_free(touched_places);
}

static void draw_net(hd_str *out, const hd_net *net, bool part) {
  draw_places(out, net, part);
  for (hd_trans_id t = 0; t < net->trans.size; t++) {
    hd_str_printf(out, "  t%u [shape=box, label=", t);
    if (net->trans.data[t].name)
      put_quoted(out, net->trans.data[t].name);
    else
      put_trans_label(out, net, t);
    hd_str_puts(out, "];\n");
    draw_arcs(out, t, hd_net_pre(net, t), true);
    draw_arcs(out, t, hd_net_post(net, t), false);
    for (uint32_t i = 0; i < net->trans.data[t].moves.size; i++) {
      hd_move move = hd_net_moves(net, t)[i];
      hd_str_printf(out, "  p%u -> t%u [style=dotted];\n", move.from, t);
      if (move.to != HD_NOWHERE)
        hd_str_printf(out, "  t%u -> p%u [style=dotted];\n", t, move.to);
    }
  }
}

static void draw(hd_str *out, const hd_net *net, bool part) {
  hd_str_puts(out, "digraph ");
  put_quoted(out, net->file);
  hd_str_puts(out, " {\n  rankdir=LR;\n");
  if (net->format == HD_FORMAT_TTS)
    draw_threads(out, net);
  else
    draw_net(out, net, part);
  hd_str_puts(out, "}\n");
}

void hd_report_model_dot(hd_str *out, const hd_net *net) {
  draw(out, net, false);
}

void hd_report_model_part_dot(hd_str *out, const hd_net *net,
                              const hd_trans_id *keep, size_t n) {
  hd_net *part = hd_net_restrict(net, keep, n);
  draw(out, part, true);
  hd_net_delete(part);
}
