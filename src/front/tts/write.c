/* SPDX-License-Identifier: MIT */
/* Writing .tts. A thread system is written edge by edge; a net in its chain
 * form, below comments that hold the net itself. */
#include "front/tts/tts.h"

#include "front/mist/mist.h"
#include "front/threads.h"

#include <string.h>

/* States that occur more often are written l*n. */
enum { MAX_REPEAT = 20 };

static void write_locals(hd_str *out, hd_tokens locals) {
  const char *separator = "";
  for (size_t i = 0; i < locals.size; i++) {
    hd_token t = locals.data[i];
    hd_count n = t.count <= MAX_REPEAT ? t.count : 1;
    for (; n; n--) {
      hd_str_printf(out, "%s%u", separator, t.place);
      separator = ",";
    }
    if (t.count > MAX_REPEAT)
      hd_str_printf(out, "*%u", t.count);
  }
  if (!locals.size)
    hd_str_puts(out, "*");
}

/* Shared state 0, and in local state 0 any number of threads. */
static bool is_default_init(const hd_net *net) {
  for (uint32_t p = 0; p < net->n_places; p++)
    if (net->init[p].min || net->init[p].max != (p ? 0 : HD_OMEGA))
      return false;
  return net->init_shared == 0;
}

static void write_init(const hd_net *net, hd_str *out) {
  hd_token_vec exact = {0}, unbounded = {0};
  for (uint32_t p = 0; p < net->n_places; p++) {
    hd_init init = net->init[p];
    if (init.min)
      hd_vec_push(&exact, ((hd_token){.place = p, .count = init.min}));
    if (init.max == HD_OMEGA)
      hd_vec_push(&unbounded, ((hd_token){.place = p, .count = 1}));
  }
  hd_str_printf(out, "# heddle: init %u", net->init_shared);
  if (exact.size || !unbounded.size) {
    hd_str_puts(out, "|");
    write_locals(out, hd_token_vec_view(&exact));
  }
  if (unbounded.size) {
    hd_str_puts(out, "/");
    write_locals(out, hd_token_vec_view(&unbounded));
  }
  hd_str_puts(out, "\n");
  hd_vec_free(&exact);
  hd_vec_free(&unbounded);
}

/* Names that are not just the number. */
static void write_names(const char *kind, const char *const *names, uint32_t n,
                        hd_str *out) {
  for (uint32_t i = 0; names && i < n; i++) {
    hd_word word = {.text = names[i], .size = strlen(names[i])};
    if (hd_word_is_number(word))
      continue;
    hd_str_printf(out, "# heddle: name %s %u ", kind, i);
    hd_name_encode(out, names[i]);
    hd_str_puts(out, "\n");
  }
}

static void write_edge(const hd_net *net, hd_trans_id t, hd_str *out) {
  static const char *const arrows[] = {
      [HD_TTS_PLAIN] = "->", [HD_TTS_SPAWN] = "+>", [HD_TTS_TRANSFER] = "~>"};
  const hd_trans *tr = &net->trans.data[t];
  hd_tts_edge edge = hd_tts_edge_of(net, t);
  assert(edge.kind != HD_TTS_NONE);
  if (tr->name) {
    hd_str_puts(out, "# heddle: transition ");
    hd_name_encode(out, tr->name);
    hd_str_puts(out, "\n");
  }
  hd_str_printf(out, "%u %u %s %u %u", tr->from, edge.from, arrows[edge.kind],
                tr->to, edge.to);
  for (uint32_t i = 0; edge.kind == HD_TTS_PLAIN && i < tr->moves.size; i++) {
    hd_move move = hd_net_moves(net, t)[i];
    hd_str_printf(out, "  %u ~> %u", move.from, move.to);
  }
  hd_str_puts(out, "\n");
}

static void write_threads(const hd_net *net, hd_str *out) {
  if (!is_default_init(net))
    write_init(net, out);
  write_names("shared", (const char *const *)net->shared_names, net->n_shared,
              out);
  write_names("local", (const char *const *)net->place_names, net->n_places,
              out);
  hd_str_printf(out, "%u %u\n", net->n_shared, net->n_places);
  for (hd_trans_id t = 0; t < net->trans.size; t++)
    write_edge(net, t, out);
  for (hd_vec_each(const hd_target, target, &net->targets)) {
    if (target->shared == HD_ANY_SHARED)
      hd_str_puts(out, "*|");
    else
      hd_str_printf(out, "%u|", target->shared);
    write_locals(out, hd_net_view(net, target->need));
    hd_str_puts(out, "\n");
  }
}

static bool refuse(const hd_net *net, uint32_t line, const char *what,
                   hd_diag *diag) {
  if (line)
    hd_diag_file_error(diag, net->file,
                       "the %s on line %u has an upper bound, which .tts "
                       "cannot express",
                       what, line);
  else
    hd_diag_file_error(diag, net->file,
                       "a %s has an upper bound, which .tts cannot express",
                       what);
  return false;
}

static bool is_expressible(const hd_net *net, hd_diag *diag) {
  for (hd_vec_each(const hd_trans, t, &net->trans))
    if (t->caps.size)
      return refuse(net, t->line, "transition", diag);
  for (hd_vec_each(const hd_target, target, &net->targets))
    if (target->caps.size)
      return refuse(net, target->line, "target", diag);
  hd_chain_size size = hd_chain_measure(net);
  if (net->format == HD_FORMAT_TTS ||
      (size.shared <= HD_MAX_STATES && size.edges <= HD_MAX_STATES &&
       net->n_places < HD_MAX_STATES))
    return true;
  hd_diag_file_error(diag, net->file,
                     "too large for .tts: one token at a time needs %llu "
                     "shared states and %llu edges, the most is %u",
                     (unsigned long long)size.shared,
                     (unsigned long long)size.edges, HD_MAX_STATES);
  return false;
}

/* Puts each line of `text` behind `# heddle: net`. */
static void write_embedded(hd_word text, hd_str *out) {
  while (text.size) {
    const char *nl = memchr(text.text, '\n', text.size);
    size_t length = nl ? (size_t)(nl - text.text) + 1 : text.size;
    if (length > 1) {
      hd_str_puts(out, "# heddle: net ");
      hd_str_append(out, text.text, length);
    }
    text.text += length;
    text.size -= length;
  }
}

bool hd_tts_write(const hd_net *net, hd_str *out, hd_diag *diag) {
  if (!is_expressible(net, diag))
    return false;
  if (net->format == HD_FORMAT_TTS) {
    write_threads(net, out);
    return true;
  }
  hd_str spec = {0};
  bool ok = hd_mist_write(net, &spec, diag);
  if (ok) {
    write_embedded((hd_word){.text = spec.data, .size = spec.size}, out);
    hd_net *chain = hd_chain_build(net);
    write_threads(chain, out);
    hd_net_delete(chain);
  }
  hd_str_free(&spec);
  return ok;
}
