/* SPDX-License-Identifier: MIT */
#include "front/targets.h"

#include "front/front.h"
#include "front/names.h"

#include <stdlib.h>
#include <string.h>

/* min <= place <= max. A bare name asks for one token more than the bare names
 * of the same place before it. */
typedef struct {
  hd_place_id place;
  hd_count min, max;
  bool bare;
  hd_pos pos;
} bound;

typedef struct {
  hd_shared_id shared;
  size_t first, n; /* into items */
  uint32_t line;
} disjunct;

typedef struct {
  hd_region at;
  hd_diag *diag;
  hd_names names;
  hd_vec(bound) items;
  hd_vec(disjunct) disjuncts;
} scanner;

static void start(scanner *s, hd_net *net, hd_region region, hd_diag *diag) {
  *s = (scanner){.at = region, .diag = diag, .names = {.net = net}};
}

static void release(scanner *s) {
  hd_names_free(&s->names);
  hd_vec_free(&s->items);
  hd_vec_free(&s->disjuncts);
}

/* The next byte that is no blank and not in a comment; '\n' and 0 (the end)
 * count. */
static char peek(scanner *s) {
  hd_region *at = &s->at;
  while (at->at < at->end) {
    char c = at->text[at->at];
    if (c == '#')
      while (at->at < at->end && at->text[at->at] != '\n')
        at->at++;
    else if (c == ' ' || c == '\t' || c == '\r' || c == '\v' || c == '\f')
      at->at++;
    else
      return c;
  }
  return 0;
}

static bool accept(scanner *s, char c) {
  if (peek(s) != c)
    return false;
  s->at.at++;
  return true;
}

/* `c` is ';' or '\n': the end of a disjunct. */
static void pass_separator(scanner *s) {
  if (accept(s, '\n')) {
    s->at.line++;
    s->at.line_start = s->at.at;
  } else {
    s->at.at++;
  }
}

/* A run of bytes that can be a name or a number. */
static hd_word peek_word(scanner *s, bool number_ends) {
  peek(s);
  const char *text = s->at.text + s->at.at;
  size_t left = s->at.end - s->at.at, size = 0;
  bool number = left && number_ends && *text >= '0' && *text <= '9';
  while (size < left && (unsigned char)text[size] > 32 &&
         !strchr(",;|/*#<>=[]", text[size]) &&
         (!number || (text[size] >= '0' && text[size] <= '9')))
    size++;
  return (hd_word){.text = text, .size = size};
}

static bool expected(scanner *s, const char *what) {
  char c = peek(s);
  hd_word word = peek_word(s, false);
  if (!word.size && c)
    word.size = 1;
  hd_pos pos = hd_region_pos(&s->at, s->at.at, word.size);
  if (!c || c == '\n')
    hd_diag_error(s->diag, s->at.source, pos,
                  "expected %s, but the %s ends here", what,
                  c ? "line" : "text");
  else
    hd_diag_error(s->diag, s->at.source, pos, "expected %s, found '%s'", what,
                  hd_quote(word).text);
  return false;
}

/* A state by its number or name. */
static bool read_state(scanner *s, bool shared, bool number_ends,
                       uint32_t *state) {
  const hd_net *net = s->names.net;
  bool threads = net->format == HD_FORMAT_TTS;
  const char *kind = !threads ? "place"
                     : shared ? "shared state"
                              : "local state";
  hd_word word = peek_word(s, number_ends);
  hd_str name = {0};
  if (!word.size)
    return expected(s, !threads ? "a place"
                       : shared ? "a shared state"
                                : "a local state ('*' for none)");
  bool found =
      hd_name_decode(word, &name) &&
      hd_names_find(&s->names, shared,
                    (hd_word){.text = name.data, .size = name.size}, state);
  hd_str_free(&name);
  hd_pos pos = hd_region_word_pos(&s->at, word);
  uint32_t n = shared ? net->n_shared : net->n_places;
  if (!found && hd_word_is_number(word) && threads)
    hd_diag_error(s->diag, s->at.source, pos,
                  "%s %s is out of range: the model has %u, 0 to %u", kind,
                  hd_quote(word).text, n, n - 1);
  else if (!found)
    hd_diag_error(s->diag, s->at.source, pos, "unknown %s '%s'", kind,
                  hd_quote(word).text);
  s->at.at += word.size;
  return found;
}

static bool read_count(scanner *s, hd_count *count) {
  hd_word word = peek_word(s, false);
  if (!hd_word_is_number(word))
    return expected(s, "a number");
  uint64_t value = hd_word_number(word);
  if (value > HD_COUNT_MAX) {
    hd_diag_error(s->diag, s->at.source, hd_region_word_pos(&s->at, word),
                  "number '%s' is too large, the most is %u",
                  hd_quote(word).text, HD_COUNT_MAX);
    return false;
  }
  *count = (hd_count)value;
  s->at.at += word.size;
  return true;
}

/* `l1,l2*3,…`, or `*` for none, as items with `max`. */
static bool read_locals(scanner *s, bool number_ends, hd_count max) {
  if (accept(s, '*'))
    return true;
  do {
    bound item = {.min = 1, .max = max, .bare = true};
    peek(s);
    item.pos = hd_region_pos(&s->at, s->at.at, 1);
    if (!read_state(s, false, number_ends, &item.place) ||
        (accept(s, '*') && !read_count(s, &item.min)))
      return false;
    hd_vec_push(&s->items, item);
  } while (accept(s, ','));
  return true;
}

/* `[a, b]` after `in`. */
static bool read_interval(scanner *s, bound *item) {
  if (!accept(s, '['))
    return expected(s, "'['");
  if (!read_count(s, &item->min))
    return false;
  if (!accept(s, ','))
    return expected(s, "','");
  if (!read_count(s, &item->max))
    return false;
  if (!accept(s, ']'))
    return expected(s, "']'");
  if (item->min <= item->max)
    return true;
  hd_diag_error(s->diag, s->at.source, item->pos,
                "empty interval: %u is above %u", item->min, item->max);
  return false;
}

static bool read_bounds(scanner *s, bound *item) {
  item->max = HD_OMEGA;
  item->bare = false;
  if (accept(s, '>')) {
    if (s->at.at == s->at.end || s->at.text[s->at.at] != '=')
      return expected(s, "'>='");
    s->at.at++;
    return read_count(s, &item->min);
  }
  if (accept(s, '=')) {
    bool ok = read_count(s, &item->min);
    item->max = item->min;
    return ok;
  }
  hd_word word = peek_word(s, false);
  if (hd_word_is(word, "in")) {
    s->at.at += word.size;
    return read_interval(s, item);
  }
  item->bare = true;
  item->min = 1;
  return true;
}

/* `p>=1,q=2,r,r` as items. */
static bool read_constraints(scanner *s) {
  do {
    bound item = {0};
    hd_word word = peek_word(s, false);
    item.pos = hd_region_pos(&s->at, s->at.at, word.size);
    hd_region after = s->at;
    after.at += word.size;
    if (after.at < after.end && after.text[after.at] == '|') {
      s->at = after;
      return expected(s, "a constraint such as 'p>=1' ('s|l' is for thread "
                         "systems)");
    }
    if (!read_state(s, false, false, &item.place) || !read_bounds(s, &item))
      return false;
    hd_vec_push(&s->items, item);
  } while (accept(s, ','));
  return true;
}

static int by_place(const void *a, const void *b) {
  const bound *x = a, *y = b;
  if (x->place != y->place)
    return x->place < y->place ? -1 : 1;
  if (x->pos.line != y->pos.line)
    return x->pos.line < y->pos.line ? -1 : 1;
  return (x->pos.column > y->pos.column) - (x->pos.column < y->pos.column);
}

/* Makes one item of those of one place, from `first` on. */
static bool merge_items(scanner *s, size_t first) {
  size_t kept = first;
  bound *items = s->items.data;
  if (s->items.size > first + 1)
    qsort(items + first, s->items.size - first, sizeof *items, by_place);
  for (size_t i = first; i < s->items.size; i++) {
    if (kept == first || items[kept - 1].place != items[i].place) {
      items[kept++] = items[i];
      continue;
    }
    bound *into = &items[kept - 1];
    if (!into->bare || !items[i].bare) {
      hd_diag_error(s->diag, s->at.source, items[i].pos,
                    "this place is constrained twice");
      return false;
    }
    into->min = hd_count_add(into->min, items[i].min);
    if (into->min == HD_OMEGA) {
      hd_diag_error(s->diag, s->at.source, items[i].pos,
                    "too many of one state, the most is %u", HD_COUNT_MAX);
      return false;
    }
  }
  s->items.size = kept;
  return true;
}

/* Looks ahead for the `|` behind the shared state: without it, the text is not
 * meant for a thread system at all. */
static bool expect_bar(scanner *s) {
  hd_region before = s->at;
  s->at.at += peek_word(s, false).size;
  bool ok = peek(s) == '|' ||
            expected(s, "'|' after the shared state, as in 's|l1,l2'");
  s->at = before;
  return ok;
}

static bool read_disjunct(scanner *s) {
  disjunct d = {.first = s->items.size, .line = s->at.line};
  if (s->names.net->format != HD_FORMAT_TTS) {
    if (!read_constraints(s))
      return false;
  } else {
    if (accept(s, '*'))
      d.shared = HD_ANY_SHARED;
    else if (!expect_bar(s) || !read_state(s, true, false, &d.shared))
      return false;
    if (!accept(s, '|'))
      return expected(s, "'|' after '*'");
    if (!read_locals(s, false, HD_OMEGA))
      return false;
    if (s->names.net->n_shared == 1)
      d.shared = 0;
  }
  char c = peek(s);
  if (c && c != '\n' && c != ';')
    return expected(s, "',' or the end of the target");
  if (!merge_items(s, d.first))
    return false;
  d.n = s->items.size - d.first;
  hd_vec_push(&s->disjuncts, d);
  return true;
}

static void add_target(hd_net *net, const bound *items, size_t n,
                       hd_shared_id shared, uint32_t line) {
  hd_token_vec need = {0}, caps = {0};
  for (size_t i = 0; i < n; i++) {
    hd_token least = {.place = items[i].place, .count = items[i].min};
    hd_token most = {.place = items[i].place, .count = items[i].max};
    if (items[i].min)
      hd_vec_push(&need, least);
    if (!items[i].bare && items[i].max != HD_OMEGA)
      hd_vec_push(&caps, most);
  }
  if (!hd_net_add_target(net, shared, hd_token_vec_view(&need),
                         hd_token_vec_view(&caps), line))
    hd_bug("counts of a target out of range");
  hd_vec_free(&need);
  hd_vec_free(&caps);
}

bool hd_targets_parse(hd_net *net, hd_region region, bool with_lines,
                      hd_diag *diag) {
  scanner s;
  start(&s, net, region, diag);
  bool ok = true;
  while (peek(&s) && !hd_diag_full(diag)) {
    char c = peek(&s);
    if (c == '\n' || c == ';') {
      pass_separator(&s);
    } else if (!read_disjunct(&s)) {
      ok = false;
      while ((c = peek(&s)) && c != '\n' && c != ';')
        s.at.at++;
    }
  }
  if (ok && !s.disjuncts.size) {
    hd_diag_error(diag, region.source, (hd_pos){0},
                  "no target, expected one such as '%s'",
                  net->format == HD_FORMAT_TTS ? "s|l1,l2" : "p>=1,q>=2");
    ok = false;
  }
  if (ok) {
    hd_net_clear_targets(net);
    for (hd_vec_each(const disjunct, d, &s.disjuncts))
      add_target(net, d->n ? &s.items.data[d->first] : NULL, d->n, d->shared,
                 with_lines ? d->line : 0);
    hd_net_finish(net);
  }
  release(&s);
  return ok;
}

static bool at_end(scanner *s) {
  return !peek(s) || expected(s, "',' or the end of the initial state");
}

/* Everything that is not mentioned starts with nothing. */
static void set_init(hd_net *net, hd_shared_id shared, const scanner *s) {
  net->init_shared = shared;
  for (uint32_t p = 0; p < net->n_places; p++)
    net->init[p] = (hd_init){0};
  for (hd_vec_each(const bound, i, &s->items)) {
    hd_init *init = &net->init[i->place];
    hd_count max = i->bare && i->max != HD_OMEGA ? i->min : i->max;
    init->min = i->min > init->min ? i->min : init->min;
    init->max = max > init->max ? max : init->max;
  }
  hd_net_finish(net);
}

static bool init_keyword(scanner *s, hd_net *net) {
  hd_word word = peek_word(s, false);
  bool single = hd_word_is(word, "single");
  if (!single && !hd_word_is(word, "unbounded"))
    return false;
  hd_region before = s->at;
  s->at.at += word.size;
  if (peek(s)) {
    s->at = before;
    return false;
  }
  hd_vec_push(&s->items,
              ((bound){.min = single ? 1 : 0, .max = single ? 1 : HD_OMEGA}));
  set_init(net, 0, s);
  return true;
}

/* bfc's `s|b1,b2/u1,u2`; B and U may stand for | and /. */
static bool read_thread_init(scanner *s, hd_net *net) {
  hd_shared_id shared;
  if (init_keyword(s, net))
    return true;
  if (!read_state(s, true, true, &shared))
    return false;
  bool bounded = accept(s, '|') || accept(s, 'B');
  if (bounded && !read_locals(s, true, 0))
    return false;
  if (!merge_items(s, 0))
    return false;
  size_t n = s->items.size;
  if (accept(s, '/') || accept(s, 'U')) {
    if (!read_locals(s, true, HD_OMEGA) || !merge_items(s, n))
      return false;
    for (size_t i = n; i < s->items.size; i++)
      s->items.data[i].min = 0;
  } else if (!bounded) {
    return expected(s, "'|' or '/' after the shared state");
  }
  if (!at_end(s))
    return false;
  set_init(net, shared, s);
  return true;
}

static bool read_net_init(scanner *s, hd_net *net) {
  if (!read_constraints(s) || !at_end(s) || !merge_items(s, 0))
    return false;
  for (hd_vec_each(bound, i, &s->items))
    if (i->bare)
      i->max = i->min;
  set_init(net, 0, s);
  return true;
}

bool hd_targets_parse_init(hd_net *net, hd_region region, hd_diag *diag) {
  scanner s;
  start(&s, net, region, diag);
  bool ok = net->format == HD_FORMAT_TTS ? read_thread_init(&s, net)
                                         : read_net_init(&s, net);
  release(&s);
  return ok;
}

bool hd_front_set_target(hd_net *net, const char *text, const char *what,
                         hd_diag *diag) {
  hd_source source = hd_source_from_text(what, text, strlen(text));
  bool ok = hd_targets_parse(net, hd_region_all(&source), false, diag);
  hd_source_free(&source);
  return ok;
}

bool hd_front_read_prop(hd_net *net, const char *path, hd_diag *diag) {
  hd_source source;
  if (!hd_source_read(path, &source, diag))
    return false;
  bool ok = hd_text_check(&source, "a target", diag) &&
            hd_targets_parse(net, hd_region_all(&source), true, diag);
  hd_source_free(&source);
  return ok;
}

bool hd_front_set_init(hd_net *net, const char *text, const char *what,
                       hd_diag *diag) {
  hd_source source = hd_source_from_text(what, text, strlen(text));
  bool ok = hd_targets_parse_init(net, hd_region_all(&source), diag);
  hd_source_free(&source);
  return ok;
}

/* The one local state that threads start in now. */
static bool initial_local(const hd_net *net, hd_place_id *local) {
  uint32_t n = 0;
  for (uint32_t p = 0; p < net->n_places; p++)
    if (net->init[p].max && !n++)
      *local = p;
  return n == 1;
}

bool hd_front_set_threads(hd_net *net, const char *text, const char *what,
                          hd_diag *diag) {
  hd_source source = hd_source_from_text(what, text, strlen(text));
  hd_word word = {.text = source.text, .size = source.size};
  hd_pos pos = {.line = 1, .column = 1, .length = (uint32_t)word.size};
  hd_init init = {.min = 1, .max = 1};
  hd_place_id local = 0;
  const char *wrong = NULL;
  if (hd_word_is(word, "parametric"))
    init = (hd_init){.min = 0, .max = HD_OMEGA};
  else if (hd_word_is_number(word) && hd_word_number(word) <= HD_COUNT_MAX)
    init.min = init.max = (hd_count)hd_word_number(word);
  else if (!hd_word_is(word, "dynamic"))
    wrong = "expected 'parametric', 'dynamic' or a number up to 1073741823";
  if (!wrong && net->format != HD_FORMAT_TTS)
    wrong = "only thread systems have threads; this model is a net";
  if (!wrong && !initial_local(net, &local))
    wrong = "the model does not start its threads in one local state";
  if (wrong)
    hd_diag_error(diag, &source, pos, "%s", wrong);
  else {
    net->init[local] = init;
    hd_net_finish(net);
  }
  hd_source_free(&source);
  return !wrong;
}
