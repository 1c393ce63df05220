/* SPDX-License-Identifier: MIT */
/* How states and transitions look to people: in the notation of the format the
 * net was read from. */
#include "model/net.h"

void hd_net_print_place(hd_str *out, const hd_net *net, hd_place_id place) {
  assert(place < net->n_places);
  if (net->place_names)
    hd_str_puts(out, net->place_names[place]);
  else
    hd_str_printf(out, "%u", place);
}

void hd_net_print_shared(hd_str *out, const hd_net *net, hd_shared_id shared) {
  if (shared == HD_ANY_SHARED)
    hd_str_puts(out, "*");
  else if (net->shared_names)
    hd_str_puts(out, net->shared_names[shared]);
  else
    hd_str_printf(out, "%u", shared);
}

static void print_count(hd_str *out, hd_count count) {
  if (count == HD_OMEGA)
    hd_str_puts(out, "w");
  else
    hd_str_printf(out, "%u", count);
}

/* Up to three threads in a local state are written out, more as l*n. */
static void print_locals(hd_str *out, const hd_net *net, hd_tokens tokens) {
  bool first = true;
  for (size_t i = 0; i < tokens.size; i++) {
    hd_token t = tokens.data[i];
    bool spelled = t.count <= 3;
    for (hd_count n = spelled ? t.count : 1; n; n--) {
      if (!first)
        hd_str_puts(out, ",");
      first = false;
      hd_net_print_place(out, net, t.place);
    }
    if (!spelled) {
      hd_str_puts(out, "*");
      print_count(out, t.count);
    }
  }
}

static void print_marking(hd_str *out, const hd_net *net, hd_tokens tokens) {
  if (!tokens.size)
    hd_str_puts(out, "empty");
  for (size_t i = 0; i < tokens.size; i++) {
    if (i)
      hd_str_puts(out, ",");
    hd_net_print_place(out, net, tokens.data[i].place);
    hd_str_puts(out, "=");
    print_count(out, tokens.data[i].count);
  }
}

void hd_net_print_config(hd_str *out, const hd_net *net, hd_shared_id shared,
                         hd_tokens tokens) {
  bool threads = net->format == HD_FORMAT_TTS;
  if (threads || net->n_shared > 1) {
    hd_net_print_shared(out, net, shared);
    hd_str_puts(out, "|");
  }
  if (threads)
    print_locals(out, net, tokens);
  else
    print_marking(out, net, tokens);
}

/* The thread's own edge of a transition, if it has that shape: the local it
 * starts from and where it goes (or what it spawns). */
static bool thread_edge(const hd_net *net, const hd_trans *t, hd_place_id *l,
                        hd_place_id *m, const char **arrow) {
  hd_tokens pre = hd_net_view(net, t->pre), post = hd_net_view(net, t->post);
  const hd_move *move = t->moves.size ? net->moves.data + t->moves.start : NULL;
  if (!pre.size && !post.size && t->moves.size == 1 && move->to != HD_NOWHERE) {
    *l = move->from;
    *m = move->to;
    *arrow = "~>";
    return true;
  }
  if (hd_tokens_total(pre) != 1)
    return false;
  *l = pre.data[0].place;
  if (hd_tokens_total(post) == 1) {
    *m = post.data[0].place;
    *arrow = "->";
    return true;
  }
  if (hd_tokens_total(post) != 2 || !hd_tokens_covers(post, pre))
    return false;
  *m = post.size == 1             ? *l
       : post.data[0].place == *l ? post.data[1].place
                                  : post.data[0].place;
  *arrow = "+>";
  return true;
}

static bool print_thread_trans(hd_str *out, const hd_net *net,
                               const hd_trans *t) {
  hd_place_id l, m;
  const char *arrow;
  if (t->caps.size || !thread_edge(net, t, &l, &m, &arrow))
    return false;
  hd_net_print_shared(out, net, t->from);
  hd_str_puts(out, " ");
  hd_net_print_place(out, net, l);
  hd_str_printf(out, " %s ", arrow);
  hd_net_print_shared(out, net, t->to);
  hd_str_puts(out, " ");
  hd_net_print_place(out, net, m);
  if (arrow[0] == '~')
    return true;
  for (uint32_t i = 0; i < t->moves.size; i++) {
    const hd_move *move = &net->moves.data[t->moves.start + i];
    hd_str_puts(out, " ");
    hd_net_print_place(out, net, move->from);
    hd_str_puts(out, " ~> ");
    if (move->to == HD_NOWHERE)
      hd_str_puts(out, "nowhere");
    else
      hd_net_print_place(out, net, move->to);
  }
  return true;
}

static void print_guards(hd_str *out, const hd_net *net, const hd_trans *t) {
  hd_tokens pre = hd_net_view(net, t->pre), caps = hd_net_view(net, t->caps);
  const char *separator = "";
  for (size_t i = 0; i < pre.size; i++, separator = ", ") {
    hd_str_puts(out, separator);
    hd_net_print_place(out, net, pre.data[i].place);
    hd_str_printf(out, ">=%u", pre.data[i].count);
  }
  for (size_t i = 0; i < caps.size; i++, separator = ", ") {
    hd_str_puts(out, separator);
    hd_net_print_place(out, net, caps.data[i].place);
    hd_str_printf(out, "<=%u", caps.data[i].count);
  }
  if (!*separator)
    hd_str_puts(out, "true");
}

static void print_effect(hd_str *out, const hd_net *net, const hd_trans *t) {
  hd_tokens pre = hd_net_view(net, t->pre), post = hd_net_view(net, t->post);
  const char *separator = " ";
  size_t i = 0, j = 0;
  while (i < pre.size || j < post.size) {
    bool take = j == post.size ||
                (i < pre.size && pre.data[i].place <= post.data[j].place);
    bool give = i == pre.size ||
                (j < post.size && post.data[j].place <= pre.data[i].place);
    hd_place_id place = take ? pre.data[i].place : post.data[j].place;
    int64_t change = (give ? (int64_t)post.data[j].count : 0) -
                     (take ? (int64_t)pre.data[i].count : 0);
    i += take;
    j += give;
    if (!change)
      continue;
    hd_str_puts(out, separator);
    separator = ", ";
    hd_net_print_place(out, net, place);
    hd_str_puts(out, "'=");
    hd_net_print_place(out, net, place);
    hd_str_printf(out, "%+lld", (long long)change);
  }
  for (uint32_t k = 0; k < t->moves.size; k++, separator = ", ") {
    const hd_move *move = &net->moves.data[t->moves.start + k];
    hd_str_puts(out, separator);
    hd_str_puts(out, "all ");
    hd_net_print_place(out, net, move->from);
    hd_str_puts(out, " to ");
    if (move->to == HD_NOWHERE)
      hd_str_puts(out, "nowhere");
    else
      hd_net_print_place(out, net, move->to);
  }
}

void hd_net_print_trans(hd_str *out, const hd_net *net, hd_trans_id trans) {
  const hd_trans *t = &net->trans.data[trans];
  if (net->format == HD_FORMAT_TTS && print_thread_trans(out, net, t))
    return;
  if (t->name)
    hd_str_printf(out, "%s: ", t->name);
  if (net->n_shared > 1) {
    hd_net_print_shared(out, net, t->from);
    hd_str_puts(out, " => ");
    hd_net_print_shared(out, net, t->to);
    hd_str_puts(out, ": ");
  }
  print_guards(out, net, t);
  hd_str_puts(out, " ->");
  print_effect(out, net, t);
  hd_str_puts(out, ";");
}
