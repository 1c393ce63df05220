/* SPDX-License-Identifier: MIT */
/* For tests of readers and writers: parsing from strings, comparing nets. */
#ifndef HD_TESTS_FRONT_UTIL_H
#define HD_TESTS_FRONT_UTIL_H

#include "front/front.h"

#include <stdlib.h>
#include <string.h>

/* The messages in `diag` as a heap string (free it with hd_free). */
static inline char *take_messages(hd_diag *diag) {
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  hd_diag_print(diag, out, false);
  fclose(out);
  char *copy = hd_strndup(text ? text : "", size);
  free(text);
  return copy;
}

/* Parses `size` bytes; `*messages`, if wanted, is to be freed. */
static inline hd_net *parse_bytes(const char *text, size_t size,
                                  hd_format format, char **messages) {
  hd_diag *diag = hd_diag_new();
  hd_source source = hd_source_from_text("t", text, size);
  hd_net *net = hd_front_parse(&source, format, diag);
  hd_source_free(&source);
  if (messages)
    *messages = take_messages(diag);
  hd_diag_delete(diag);
  return net;
}

static inline hd_net *parse_text(const char *text, hd_format format) {
  return parse_bytes(text, strlen(text), format, NULL);
}

/* The text of `net` in `format` (free it with hd_free), or NULL when refused. */
static inline char *write_text(const hd_net *net, hd_format format,
                               char **messages) {
  hd_diag *diag = hd_diag_new();
  char *text = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&text, &size);
  bool ok = hd_front_write(net, format, out, diag);
  fclose(out);
  char *copy = ok ? hd_strndup(text ? text : "", size) : NULL;
  free(text);
  if (messages)
    *messages = take_messages(diag);
  hd_diag_delete(diag);
  return copy;
}

static inline bool same_name(const char *a, const char *b) {
  return !a == !b && (!a || !strcmp(a, b));
}

static inline bool same_names(const char *const *a, const char *const *b,
                              uint32_t n) {
  if (!a != !b)
    return false;
  for (uint32_t i = 0; a && i < n; i++)
    if (strcmp(a[i], b[i]) != 0)
      return false;
  return true;
}

static inline bool same_trans(const hd_net *a, const hd_net *b, hd_trans_id t) {
  const hd_trans *x = &a->trans.data[t], *y = &b->trans.data[t];
  if (x->from != y->from || x->to != y->to || !same_name(x->name, y->name) ||
      !hd_tokens_equal(hd_net_pre(a, t), hd_net_pre(b, t)) ||
      !hd_tokens_equal(hd_net_post(a, t), hd_net_post(b, t)) ||
      !hd_tokens_equal(hd_net_caps(a, t), hd_net_caps(b, t)) ||
      x->moves.size != y->moves.size)
    return false;
  for (uint32_t i = 0; i < x->moves.size; i++) {
    hd_move m = hd_net_moves(a, t)[i], n = hd_net_moves(b, t)[i];
    if (m.from != n.from || m.to != n.to)
      return false;
  }
  return true;
}

static inline bool same_target(const hd_net *a, const hd_net *b, size_t i) {
  const hd_target *x = &a->targets.data[i], *y = &b->targets.data[i];
  return x->shared == y->shared &&
         hd_tokens_equal(hd_net_view(a, x->need), hd_net_view(b, y->need)) &&
         hd_tokens_equal(hd_net_view(a, x->caps), hd_net_view(b, y->caps));
}

/* NULL when the nets are the same, lines and the kind of net (mist or PNML)
 * aside; else what differs. */
static inline const char *difference(const hd_net *a, const hd_net *b) {
  if ((a->format == HD_FORMAT_TTS) != (b->format == HD_FORMAT_TTS))
    return "kind";
  if (a->n_shared != b->n_shared || a->n_places != b->n_places)
    return "number of states";
  if (!same_names((const char *const *)a->place_names,
                  (const char *const *)b->place_names, a->n_places) ||
      !same_names((const char *const *)a->shared_names,
                  (const char *const *)b->shared_names, a->n_shared))
    return "names";
  if (a->init_shared != b->init_shared)
    return "initial shared state";
  for (uint32_t p = 0; p < a->n_places; p++)
    if (a->init[p].min != b->init[p].min || a->init[p].max != b->init[p].max)
      return "initial state";
  if (a->trans.size != b->trans.size)
    return "number of transitions";
  for (hd_trans_id t = 0; t < a->trans.size; t++)
    if (!same_trans(a, b, t))
      return "a transition";
  if (a->targets.size != b->targets.size)
    return "number of targets";
  for (size_t i = 0; i < a->targets.size; i++)
    if (!same_target(a, b, i))
      return "a target";
  return a->features == b->features ? NULL : "features";
}

#endif
