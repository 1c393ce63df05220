/* SPDX-License-Identifier: MIT */
#include "front/mist/fold.h"

#include "base/bitset.h"
#include "front/threads.h"

#include <string.h>

typedef struct {
  hd_net *net;
  mist_lexer *lexer;
  const hd_name_map *places;
  hd_u32s control;      /* the shared states, in order */
  uint64_t *is_control; /* bitset over places */
  uint32_t *renamed;    /* one a place: index of its name comment + 1, or 0 */
  hd_fold fold;
} folder;

/* A word that must be a variable. */
static bool take_place(folder *f, hd_region *comment, hd_word word,
                       hd_place_id *place) {
  const uint32_t *found = hd_name_map_find(f->places, word);
  if (found)
    *place = *found;
  else
    hd_diag_error(f->lexer->diag, comment->source,
                  hd_region_word_pos(comment, word), "unknown variable '%s'",
                  hd_quote(word).text);
  return found != NULL;
}

static void read_shared(folder *f, hd_region comment) {
  hd_word word;
  while (hd_region_word(&comment, &word) && !hd_diag_full(f->lexer->diag)) {
    hd_place_id place;
    if (!take_place(f, &comment, word, &place))
      continue;
    if (hd_bits_test(f->is_control, place))
      hd_diag_error(f->lexer->diag, comment.source,
                    hd_region_word_pos(&comment, word),
                    "'%s' is a shared state already", hd_quote(word).text);
    else
      hd_vec_push(&f->control, place);
    hd_bits_set(f->is_control, place);
  }
}

static void read_numbered(folder *f, hd_region comment) {
  hd_word word;
  while (hd_region_word(&comment, &word)) {
    if (hd_word_is(word, "shared"))
      f->fold.shared_numbered = true;
    else if (hd_word_is(word, "local"))
      f->fold.local_numbered = true;
    else
      hd_diag_error(
          f->lexer->diag, comment.source, hd_region_word_pos(&comment, word),
          "expected 'shared' or 'local', found '%s'", hd_quote(word).text);
  }
}

/* `name VARIABLE NAME` */
static void read_name(folder *f, uint32_t index) {
  hd_region comment = f->lexer->names.data[index];
  hd_word var, word, more;
  hd_place_id place;
  if (!hd_region_word(&comment, &var) || !hd_region_word(&comment, &word) ||
      hd_region_word(&comment, &more)) {
    hd_diag_error(f->lexer->diag, comment.source, hd_region_here(&comment),
                  "expected 'name VARIABLE NAME'");
    return;
  }
  if (!take_place(f, &comment, var, &place))
    return;
  hd_str name = {0};
  const char *wrong = NULL;
  if (!hd_name_decode(word, &name))
    wrong = "malformed name";
  else if (f->renamed[place])
    wrong = "a second name for this variable";
  if (wrong)
    hd_diag_error(f->lexer->diag, comment.source,
                  hd_region_word_pos(&comment, word), "%s", wrong);
  else
    hd_net_name_place(f->net, place, hd_str_text(&name));
  f->renamed[place] = index + 1;
  hd_str_free(&name);
}

/* The place that became local or shared state `state` of the result. */
static hd_place_id origin(const folder *f, bool shared, uint32_t state) {
  if (shared)
    return f->control.data[state];
  for (uint32_t p = 0;; p++)
    if (!hd_bits_test(f->is_control, p) && !state--)
      return p;
}

/* Variables differ, so only a name comment can make names clash. */
static bool check_names(const folder *f, const hd_net *net) {
  hd_name_fault fault;
  if (!f->lexer->names.size || !hd_names_fault(net, &fault))
    return true;
  uint32_t index = f->renamed[origin(f, fault.shared, fault.state)];
  if (!index)
    index = f->renamed[origin(f, fault.shared, fault.other)];
  assert(index);
  const hd_region *at = &f->lexer->names.data[index - 1];
  hd_diag_error(f->lexer->diag, at->source, hd_region_here(at), "%s",
                fault.why);
  return false;
}

static void drop_place_names(hd_net *net) {
  hd_free(net->place_names);
  net->place_names = NULL;
}

/* The thread system, if there is a `shared` comment, else the net. */
static hd_net *fold(folder *f) {
  hd_net_finish(f->net);
  if (!f->control.size) {
    if (f->fold.local_numbered)
      drop_place_names(f->net);
    return f->net;
  }
  f->fold.control = f->control.data;
  f->fold.n_control = f->control.size;
  hd_str why = {0};
  hd_net *threads = hd_threads_fold(f->net, &f->fold, &why);
  const hd_region *at = &f->lexer->shared.data[0];
  if (!threads)
    hd_diag_error(f->lexer->diag, at->source, hd_region_here(at),
                  "these are not the shared states of a thread system: %s",
                  hd_str_text(&why));
  else
    threads = hd_threads_unique(threads, at->source, f->lexer->diag);
  hd_str_free(&why);
  hd_net_delete(f->net);
  return threads;
}

static void read_comments(folder *f) {
  for (hd_vec_each(hd_region, comment, &f->lexer->shared))
    read_shared(f, *comment);
  for (hd_vec_each(hd_region, comment, &f->lexer->numbered))
    read_numbered(f, *comment);
  for (uint32_t i = 0; i < f->lexer->names.size; i++)
    if (!hd_diag_full(f->lexer->diag))
      read_name(f, i);
  if (f->lexer->shared.size && !f->control.size)
    hd_diag_error(f->lexer->diag, f->lexer->shared.data[0].source,
                  hd_region_here(&f->lexer->shared.data[0]),
                  "expected the variables that are shared states");
}

hd_net *hd_mist_apply_comments(hd_net *net, mist_lexer *lexer,
                               const hd_name_map *places) {
  size_t n = net->n_places, before = hd_diag_errors(lexer->diag);
  folder f = {.net = net,
              .lexer = lexer,
              .places = places,
              .is_control = hd_calloc(hd_bits_words(n), sizeof(uint64_t)),
              .renamed = hd_calloc(n, sizeof(uint32_t))};
  read_comments(&f);
  hd_net *result = NULL;
  if (hd_diag_errors(lexer->diag) > before)
    hd_net_delete(net);
  else
    result = fold(&f);
  if (result && !check_names(&f, result)) {
    hd_net_delete(result);
    result = NULL;
  }
  hd_vec_free(&f.control);
  hd_free(f.is_control);
  hd_free(f.renamed);
  return result;
}
