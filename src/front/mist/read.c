/* SPDX-License-Identifier: MIT */
/* Reading .spec: a descent parser, one function a section. After an error the
 * parser goes on behind the next ';' or at the next section, whose keywords are
 * reserved and so make safe places to meet again. */
#include "front/mist/mist.h"

#include "front/mist/fold.h"
#include "front/mist/lex.h"
#include "front/mist/rule.h"
#include "front/names.h"

#include <string.h>

typedef struct {
  mist_lexer lex;
  hd_net *net;
  hd_name_map places; /* by variable name */
  mist_slot *slots;   /* one a place, for rules */
  uint32_t *seen;     /* one a place: the last conjunction that had it */
  uint32_t conjunction;
  mist_rule rule;
  size_t errors; /* reported before this text */
} reader;

static const hd_source *source_of(const reader *r) {
  return r->lex.region.source;
}

static bool is_section(mist_kind kind) {
  return (kind >= MIST_VARS && kind <= MIST_INVARIANTS) || kind == MIST_END;
}

static bool accept(reader *r, mist_kind kind) {
  if (r->lex.kind != kind)
    return false;
  hd_mist_next(&r->lex);
  return true;
}

static bool expect(reader *r, mist_kind kind, const char *what) {
  if (accept(r, kind))
    return true;
  hd_mist_expected(&r->lex, what);
  return false;
}

static void skip_to_section(reader *r) {
  while (!is_section(r->lex.kind))
    hd_mist_next(&r->lex);
}

static void read_var(reader *r) {
  hd_word word = r->lex.word;
  bool fresh;
  hd_name_map_put(&r->places, word, r->net->n_places, &fresh);
  if (!fresh)
    hd_diag_error(r->lex.diag, source_of(r), r->lex.pos,
                  "variable '%s' is declared twice", hd_quote(word).text);
  else if (r->net->n_places == HD_MAX_STATES)
    hd_diag_error(r->lex.diag, source_of(r), r->lex.pos,
                  "more than %u variables, the most heddle takes",
                  HD_MAX_STATES);
  else
    hd_net_add_place(r->net, word.text, word.size);
}

/* Up to the keyword `rules`, which must be there. */
static bool read_vars(reader *r) {
  if (!expect(r, MIST_VARS, "'vars'"))
    return false;
  while (r->lex.kind != MIST_RULES && !hd_diag_full(r->lex.diag)) {
    if (r->lex.kind == MIST_ID) {
      read_var(r);
    } else if (r->lex.kind == MIST_TRUE || r->lex.kind == MIST_IN) {
      hd_diag_error(r->lex.diag, source_of(r), r->lex.pos,
                    "'%s' is a keyword and cannot be a variable",
                    hd_quote(r->lex.word).text);
    } else {
      hd_mist_expected(&r->lex, "a variable name or 'rules'");
      if (is_section(r->lex.kind))
        return false;
    }
    hd_mist_next(&r->lex);
  }
  return r->lex.kind == MIST_RULES;
}

/* False when there is no such variable; that is reported. */
static bool find_place(reader *r, hd_word word, hd_pos pos,
                       hd_place_id *place) {
  const uint32_t *found = hd_name_map_find(&r->places, word);
  if (!found || *found >= r->net->n_places) {
    hd_diag_error(r->lex.diag, source_of(r), pos, "unknown variable '%s'",
                  hd_quote(word).text);
    return false;
  }
  *place = *found;
  return true;
}

static bool read_count(reader *r, hd_count *count) {
  *count = 0;
  if (r->lex.kind != MIST_NUMBER) {
    hd_mist_expected(&r->lex, "a number");
    return false;
  }
  uint64_t value = hd_word_number(r->lex.word);
  if (value > HD_COUNT_MAX)
    hd_diag_error(r->lex.diag, source_of(r), r->lex.pos,
                  "number '%s' is too large, the most is %u",
                  hd_quote(r->lex.word).text, HD_COUNT_MAX);
  else
    *count = (hd_count)value;
  hd_mist_next(&r->lex);
  return true;
}

static bool read_interval(reader *r, mist_con *con) {
  hd_pos pos = r->lex.pos;
  if (!expect(r, MIST_OPEN, "'['") || !read_count(r, &con->min) ||
      !expect(r, MIST_COMMA, "','") || !read_count(r, &con->max) ||
      !expect(r, MIST_CLOSE, "']'"))
    return false;
  if (con->min > con->max) {
    hd_diag_error(r->lex.diag, source_of(r), pos,
                  "empty interval: %u is above %u", con->min, con->max);
    con->max = con->min;
  }
  return true;
}

static bool read_bounds(reader *r, mist_con *con) {
  con->max = HD_OMEGA;
  if (accept(r, MIST_GE))
    return read_count(r, &con->min);
  if (accept(r, MIST_IN))
    return read_interval(r, con);
  if (!expect(r, MIST_EQ, "'>=', '=' or 'in' after the variable") ||
      !read_count(r, &con->min))
    return false;
  con->max = con->min;
  return true;
}

/* One constraint, appended to the rule's unless it is wrong. False when the
 * syntax is. */
static bool read_con(reader *r, const char *what) {
  mist_con con = {.pos = r->lex.pos};
  hd_word word = r->lex.word;
  if (r->lex.kind != MIST_ID) {
    hd_mist_expected(&r->lex, what);
    return false;
  }
  hd_mist_next(&r->lex);
  bool known = find_place(r, word, con.pos, &con.place);
  if (!read_bounds(r, &con))
    return false;
  if (!known)
    return true;
  if (r->seen[con.place] == r->conjunction)
    hd_diag_error(r->lex.diag, source_of(r), con.pos,
                  "'%s' is constrained twice in one conjunction",
                  hd_quote(word).text);
  else
    hd_vec_push(&r->rule.cons, con);
  r->seen[con.place] = r->conjunction;
  return true;
}

static void begin_conjunction(reader *r) {
  r->conjunction++;
  hd_vec_clear(&r->rule.cons);
}

static bool read_conjunction(reader *r) {
  begin_conjunction(r);
  do
    if (!read_con(r, "a variable"))
      return false;
  while (accept(r, MIST_COMMA));
  return true;
}

static bool read_guard(reader *r) {
  begin_conjunction(r);
  do
    if (!accept(r, MIST_TRUE) && !read_con(r, "a guard: 'true' or a variable"))
      return false;
  while (accept(r, MIST_COMMA));
  return expect(r, MIST_ARROW, "',' or '->' after the guard");
}

/* Members and constant of x' = …. */
static bool read_sum(reader *r, mist_update *update) {
  bool negative = false;
  while (r->lex.kind == MIST_ID) {
    mist_member member = {.pos = r->lex.pos};
    if (find_place(r, r->lex.word, r->lex.pos, &member.place)) {
      hd_vec_push(&r->rule.members, member);
      update->n++;
    }
    hd_mist_next(&r->lex);
    negative = r->lex.kind == MIST_MINUS;
    if (!negative && r->lex.kind != MIST_PLUS)
      return true;
    hd_mist_next(&r->lex);
    if (negative)
      break;
  }
  if (r->lex.kind != MIST_NUMBER) {
    hd_mist_expected(&r->lex, negative ? "a number" : "a variable or a number");
    return false;
  }
  uint64_t value = hd_word_number(r->lex.word);
  if (value == HD_HUGE)
    hd_diag_error(r->lex.diag, source_of(r), r->lex.pos,
                  "number '%s' is too large", hd_quote(r->lex.word).text);
  update->constant = negative ? -(int64_t)value : (int64_t)value;
  hd_mist_next(&r->lex);
  return true;
}

/* ID' = sum. The quote belongs to the word, as it may occur in names. */
static bool read_update(reader *r) {
  hd_word word = r->lex.word;
  mist_update update = {.pos = r->lex.pos,
                        .first = (uint32_t)r->rule.members.size};
  if (r->lex.kind != MIST_ID) {
    hd_mist_expected(&r->lex, "an update such as x' = x + 1, or ';'");
    return false;
  }
  bool quoted = word.text[word.size - 1] == '\'';
  word.size -= quoted;
  hd_mist_next(&r->lex);
  if (!quoted && !expect(r, MIST_QUOTE, "''' after the updated variable"))
    return false;
  bool known = find_place(r, word, update.pos, &update.place);
  if (!expect(r, MIST_EQ, "'=' after the updated variable") ||
      !read_sum(r, &update))
    return false;
  if (known)
    hd_vec_push(&r->rule.updates, update);
  return true;
}

static bool read_updates(reader *r) {
  hd_vec_clear(&r->rule.updates);
  hd_vec_clear(&r->rule.members);
  if (accept(r, MIST_SEMICOLON))
    return true;
  do
    if (!read_update(r))
      return false;
  while (accept(r, MIST_COMMA));
  return expect(r, MIST_SEMICOLON, "',' or ';' after the update");
}

/* The name from a `transition` comment, or NULL. */
static const char *take_rule_name(reader *r, hd_str *name) {
  hd_region comment = r->lex.rule_name;
  hd_word word, more;
  if (!r->lex.has_rule_name)
    return NULL;
  r->lex.has_rule_name = false;
  if (!hd_region_word(&comment, &word) || !hd_name_decode(word, name) ||
      hd_region_word(&comment, &more)) {
    hd_diag_error(r->lex.diag, comment.source, hd_region_here(&comment),
                  "expected one name for the next rule");
    return NULL;
  }
  return hd_str_text(name);
}

static void read_rule(reader *r) {
  size_t before = hd_diag_errors(r->lex.diag);
  hd_str name = {0};
  r->rule.line = r->lex.pos.line;
  r->rule.name = take_rule_name(r, &name);
  hd_pos pos = r->lex.pos;
  if (!read_guard(r) || !read_updates(r)) {
    while (r->lex.kind != MIST_SEMICOLON && !is_section(r->lex.kind))
      hd_mist_next(&r->lex);
    accept(r, MIST_SEMICOLON);
  } else if (r->net->trans.size == HD_MAX_STATES) {
    hd_diag_error(r->lex.diag, source_of(r), pos,
                  "more than %u rules, the most heddle takes", HD_MAX_STATES);
  } else if (hd_diag_errors(r->lex.diag) == before) {
    hd_mist_add_rule(r->net, &r->rule, r->slots, source_of(r), r->lex.diag);
  }
  hd_str_free(&name);
}

static void read_rules(reader *r) {
  accept(r, MIST_RULES);
  while (!is_section(r->lex.kind) && !hd_diag_full(r->lex.diag))
    read_rule(r);
  if (r->lex.has_rule_name)
    hd_diag_error(r->lex.diag, source_of(r), hd_region_here(&r->lex.rule_name),
                  "no rule follows this name");
}

/* Variables that init does not mention: mist takes any value, others 0. */
static void warn_unmentioned(reader *r, hd_pos pos) {
  uint32_t n = 0, first = 0;
  for (uint32_t p = 0; p < r->net->n_places; p++)
    if (r->seen[p] != r->conjunction && !n++)
      first = p;
  if (n == 1)
    hd_diag_warning(r->lex.diag, source_of(r), pos,
                    "'%.60s' is not mentioned in 'init' and starts with 0",
                    r->net->place_names[first]);
  else if (n)
    hd_diag_warning(r->lex.diag, source_of(r), pos,
                    "%u variables are not mentioned in 'init' and start with "
                    "0, the first is '%.60s'",
                    n, r->net->place_names[first]);
}

static void read_init(reader *r) {
  hd_pos pos = r->lex.pos;
  if (!expect(r, MIST_INIT, "'init'"))
    return;
  if (is_section(r->lex.kind) && !r->net->n_places)
    return; /* nothing to say about no variables */
  if (!read_conjunction(r)) {
    skip_to_section(r);
    return;
  }
  for (hd_vec_each(const mist_con, con, &r->rule.cons))
    r->net->init[con->place] = (hd_init){.min = con->min, .max = con->max};
  if (!is_section(r->lex.kind)) {
    hd_mist_expected(&r->lex, "',' or 'target' after the constraint");
    skip_to_section(r);
  }
  if (hd_diag_errors(r->lex.diag) == r->errors)
    warn_unmentioned(r, pos);
}

static void add_target(reader *r, uint32_t line) {
  hd_token_vec need = {0}, caps = {0};
  for (hd_vec_each(const mist_con, con, &r->rule.cons)) {
    hd_token least = {.place = con->place, .count = con->min};
    hd_token most = {.place = con->place, .count = con->max};
    if (con->min)
      hd_vec_push(&need, least);
    if (con->max != HD_OMEGA)
      hd_vec_push(&caps, most);
  }
  if (!hd_net_add_target(r->net, 0, hd_token_vec_view(&need),
                         hd_token_vec_view(&caps), line))
    hd_bug("counts of a target out of range");
  hd_vec_free(&need);
  hd_vec_free(&caps);
}

/* Goes on at the next line or section. */
static void skip_line(reader *r) {
  uint32_t line = r->lex.pos.line;
  while (!is_section(r->lex.kind) && r->lex.pos.line == line)
    hd_mist_next(&r->lex);
}

/* Disjuncts stand side by side; only ',' joins constraints. */
static void read_targets(reader *r) {
  if (!accept(r, MIST_TARGET))
    return;
  while (!is_section(r->lex.kind) && !hd_diag_full(r->lex.diag)) {
    uint32_t line = r->lex.pos.line;
    if (read_conjunction(r))
      add_target(r, line);
    else
      skip_line(r);
  }
}

/* Hints for other tools: checked for their form, then forgotten. */
static void read_invariants(reader *r) {
  if (!accept(r, MIST_INVARIANTS))
    return;
  while (!is_section(r->lex.kind) && !hd_diag_full(r->lex.diag))
    if (!read_conjunction(r))
      skip_line(r);
}

static void read_sections(reader *r) {
  hd_mist_next(&r->lex);
  if (!read_vars(r))
    return;
  size_t n = r->net->n_places;
  r->seen = hd_calloc(n, sizeof *r->seen);
  r->slots = hd_alloc(n * sizeof *r->slots);
  for (size_t p = 0; p < n; p++)
    r->slots[p] = (mist_slot){.max = HD_OMEGA, .flows = HD_NOWHERE};
  read_rules(r);
  if (hd_diag_full(r->lex.diag))
    return;
  read_init(r);
  read_targets(r);
  read_invariants(r);
  if (r->lex.kind != MIST_END && !hd_diag_full(r->lex.diag))
    hd_mist_expected(&r->lex,
                     "the end of the file (the sections are vars, rules, "
                     "init, target and invariants, in this order)");
}

static void release(reader *r) {
  hd_name_map_free(&r->places);
  hd_free(r->slots);
  hd_free(r->seen);
  hd_vec_free(&r->rule.cons);
  hd_vec_free(&r->rule.updates);
  hd_vec_free(&r->rule.members);
  hd_vec_free(&r->lex.shared);
  hd_vec_free(&r->lex.numbered);
  hd_vec_free(&r->lex.names);
}

hd_net *hd_mist_read(hd_region region, hd_diag *diag) {
  size_t before = hd_diag_errors(diag);
  if (!hd_text_check(region.source, "a net in mist's format", diag))
    return NULL;
  reader r = {.lex = {.region = region, .diag = diag}, .errors = before};
  r.net = hd_net_new(HD_FORMAT_MIST, region.source->name, 1, 0);
  read_sections(&r);
  hd_net *net = NULL;
  if (hd_diag_errors(diag) == before) {
    net = hd_mist_apply_comments(r.net, &r.lex, &r.places);
    r.net = NULL;
  }
  hd_net_delete(r.net);
  release(&r);
  assert(!net == (hd_diag_errors(diag) > before));
  return net;
}
