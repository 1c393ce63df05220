/* SPDX-License-Identifier: MIT */
/* Reading .tts, line by line: the header, then edges and targets in any order.
 * A bad line is reported and skipped, so that one run shows many errors.
 * Structured comments are collected on the way and honoured at the end, when
 * everything they talk about is known (comments.c). */
#include "front/tts/tts.h"

#include "front/tts/comments.h"
#include "front/text.h"
#include "front/threads.h"

#include <stdlib.h>
#include <string.h>

typedef enum {
  NUMBER,
  STEP,     /* -> */
  SPAWN,    /* +> */
  TRANSFER, /* ~> */
  BAR,
  COMMA,
  STAR,
  JUNK,
  END,
} token_kind;

typedef struct {
  hd_diag *diag;
  hd_region line;             /* the current line, up to its comment */
  token_kind kind;            /* of the current token */
  hd_word word;               /* its text */
  uint32_t n_shared, n_local; /* from the header; 0 = there is none */
  bool header_missing;        /* and that was reported */
  bool header_seen;           /* there was a header line, good or bad */
  bool line_bad;              /* something on this line was reported */
  hd_net *net;                /* NULL until there is a good header */
  hd_tts_comments comments;
  hd_str next_name; /* of the next edge */
  bool has_name;
  hd_region name_at;
  hd_vec(hd_move) moves;
  hd_token_vec tokens;
} reader;

static hd_pos word_pos(const reader *r) {
  return hd_region_pos(&r->line, (size_t)(r->word.text - r->line.text),
                       r->word.size ? r->word.size : 1);
}

static bool is_word_byte(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         (c >= '0' && c <= '9') || c == '_' || (unsigned char)c >= 128;
}

/* What may be meant as an arrow. */
static bool is_arrow_byte(char c) {
  return c > 32 && c < 127 && !is_word_byte(c) && !strchr("|,*#", c);
}

static void set_token(reader *r, token_kind kind, size_t start, size_t size) {
  r->kind = kind;
  r->word = (hd_word){.text = r->line.text + start, .size = size};
  r->line.at = start + size;
}

static token_kind arrow_kind(char c) {
  return c == '-' ? STEP : c == '+' ? SPAWN : TRANSFER;
}

static void next(reader *r) {
  const char *text = r->line.text;
  size_t at = r->line.at, end = r->line.end;
  while (at < end && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r' ||
                      text[at] == '\v' || text[at] == '\f'))
    at++;
  if (at == end) {
    set_token(r, END, at, 0);
    return;
  }
  size_t start = at++;
  char c = text[start];
  if (c >= '0' && c <= '9') {
    while (at < end && text[at] >= '0' && text[at] <= '9')
      at++;
    set_token(r, NUMBER, start, at - start);
  } else if (strchr("-+~", c) && at < end && text[at] == '>') {
    set_token(r, arrow_kind(c), start, 2);
  } else if (strchr("|,*", c)) {
    set_token(r, c == '|' ? BAR : c == ',' ? COMMA : STAR, start, 1);
  } else {
    while (at < end && ((is_word_byte(c) && is_word_byte(text[at])) ||
                        (is_arrow_byte(c) && is_arrow_byte(text[at]))))
      at++;
    set_token(r, JUNK, start, at - start);
  }
}

/* "expected …, found …" at the current token, once a line. */
static void expected(reader *r, const char *what) {
  if (r->line_bad)
    return;
  r->line_bad = true;
  bool file_ends = r->line.end == r->line.source->size;
  if (r->kind == END)
    hd_diag_error(r->diag, r->line.source, word_pos(r),
                  "expected %s, but the %s ends here", what,
                  file_ends ? "file" : "line");
  else
    hd_diag_error(r->diag, r->line.source, word_pos(r),
                  "expected %s, found '%s'", what, hd_quote(r->word).text);
}

/* A shared or local state below `limit`. Out of range is reported and read as
 * 0, so that the rest of the line is checked too. */
static bool take_state(reader *r, bool shared, const char *what,
                       uint32_t *state) {
  uint32_t limit = shared ? r->n_shared : r->n_local;
  *state = 0;
  if (r->kind != NUMBER) {
    expected(r, what);
    return false;
  }
  uint64_t value = hd_word_number(r->word);
  if (value < limit) {
    *state = (uint32_t)value;
  } else if (limit) {
    r->line_bad = true;
    hd_diag_error(r->diag, r->line.source, word_pos(r),
                  "%s state %s is out of range: the header says %u %s "
                  "state%s, 0 to %u",
                  shared ? "shared" : "local", hd_quote(r->word).text, limit,
                  shared ? "shared" : "local", limit == 1 ? "" : "s",
                  limit - 1);
  }
  next(r);
  return true;
}

static bool take_size(reader *r, const char *what, uint32_t *size) {
  if (r->kind != NUMBER) {
    expected(r, what);
    return false;
  }
  uint64_t value = hd_word_number(r->word);
  if (value == 0 || value > HD_MAX_STATES) {
    r->line_bad = true;
    hd_diag_error(r->diag, r->line.source, word_pos(r),
                  "expected %s, from 1 to %u, found '%s'", what, HD_MAX_STATES,
                  hd_quote(r->word).text);
  }
  *size = (uint32_t)(value <= HD_MAX_STATES ? value : 0);
  next(r);
  return true;
}

/* True when the line has an arrow or a bar: an edge or target, not a header. */
static bool looks_like_content(const reader *r) {
  for (size_t i = r->line.line_start; i < r->line.end; i++)
    if (r->line.text[i] == '>' || r->line.text[i] == '|')
      return true;
  return false;
}

static void missing_header(reader *r) {
  if (!r->header_missing)
    hd_diag_error(r->diag, r->line.source, word_pos(r),
                  "missing header: expected a line 'S L', the numbers of "
                  "shared and local states, before the first edge");
  r->header_missing = true;
}

static void read_header(reader *r) {
  r->header_seen = true;
  uint32_t shared, local;
  if (!take_size(r, "the number of shared states", &shared) ||
      !take_size(r, "the number of local states", &local))
    return;
  if (r->kind != END)
    expected(r, "the end of the header line 'S L'");
  if (r->line_bad)
    return;
  r->n_shared = shared;
  r->n_local = local;
  r->net = hd_net_new(HD_FORMAT_TTS, r->line.source->name, shared, local);
  r->net->init[0] = (hd_init){.min = 0, .max = HD_OMEGA};
}

static void add_edge(reader *r, token_kind kind, const uint32_t *state) {
  hd_token pre = {.place = state[1], .count = 1};
  hd_token post[2] = {{.place = state[3], .count = 1}, pre};
  hd_trans_spec spec = {.from = state[0],
                        .to = state[2],
                        .moves = r->moves.data,
                        .n_moves = r->moves.size,
                        .line = r->line.line,
                        .name =
                            r->has_name ? hd_str_text(&r->next_name) : NULL};
  if (kind != TRANSFER) {
    spec.pre = (hd_tokens){.data = &pre, .size = 1};
    spec.post = (hd_tokens){.data = post, .size = kind == SPAWN ? 2 : 1};
  }
  if (!hd_net_add_trans(r->net, &spec))
    hd_bug("counts of an edge out of range");
}

static int by_from(const void *a, const void *b) {
  const hd_move *m = a, *n = b;
  return (m->from > n->from) - (m->from < n->from);
}

/* `a ~> a` alone says nothing; beside another `a ~> b` it is a choice. */
static void drop_idle_moves(reader *r) {
  size_t n = r->moves.size, kept = 0;
  hd_move *m = r->moves.data;
  if (n > 1)
    qsort(m, n, sizeof *m, by_from);
  for (size_t i = 0, j; i < n; i = j) {
    bool leaves = false;
    for (j = i; j < n && m[j].from == m[i].from; j++)
      leaves = leaves || m[j].to != m[j].from;
    for (size_t k = i; leaves && k < j; k++)
      m[kept++] = m[k];
  }
  r->moves.size = kept;
}

static bool read_passive(reader *r, token_kind kind) {
  if (kind != STEP) {
    expected(r, kind == SPAWN ? "the end of the line (passive updates are "
                                "allowed after '->' only)"
                              : "the end of the line (a transfer has one "
                                "'~>')");
    return false;
  }
  hd_move move;
  if (!take_state(r, false, "a local state or the end of the line", &move.from))
    return false;
  if (r->kind != TRANSFER) {
    expected(r, "'~>' after the local state of a passive update");
    return false;
  }
  next(r);
  if (!take_state(r, false, "the local state that passive threads move to",
                  &move.to))
    return false;
  hd_vec_push(&r->moves, move);
  return true;
}

static void read_edge(reader *r, uint32_t shared, uint32_t local) {
  token_kind kind = r->kind;
  uint32_t state[4] = {shared, local, 0, 0};
  hd_vec_clear(&r->moves);
  next(r);
  if (!take_state(r, true, "the next shared state", &state[2]) ||
      !take_state(r, false, "the next local state", &state[3]))
    return;
  while (r->kind != END)
    if (!read_passive(r, kind))
      return;
  if (r->line_bad || !r->net)
    return;
  if (r->net->trans.size == HD_MAX_STATES) {
    r->line_bad = true;
    hd_diag_error(r->diag, r->line.source, (hd_pos){.line = r->line.line},
                  "more than %u edges, the most heddle takes", HD_MAX_STATES);
    return;
  }
  if (kind == TRANSFER)
    hd_vec_push(&r->moves, ((hd_move){.from = state[1], .to = state[3]}));
  drop_idle_moves(r);
  add_edge(r, kind, state);
}

/* The locals of a target: `l1,l2*3,…`, or `*` for none. */
static bool read_locals(reader *r) {
  hd_vec_clear(&r->tokens);
  if (r->kind == STAR) {
    next(r);
    return true;
  }
  for (;;) {
    hd_token token = {.count = 1};
    if (!take_state(r, false, "a local state ('*' asks for none)",
                    &token.place))
      return false;
    if (r->kind == STAR) {
      next(r);
      uint64_t n = r->kind == NUMBER ? hd_word_number(r->word) : 0;
      if (n == 0 || n > HD_COUNT_MAX) {
        expected(r, "a number of threads from 1 to 1073741823");
        return false;
      }
      token.count = (hd_count)n;
      next(r);
    }
    hd_vec_push(&r->tokens, token);
    if (r->kind != COMMA)
      return true;
    next(r);
  }
}

/* After `shared |`. */
static void read_target(reader *r, hd_shared_id shared) {
  hd_word first = r->word;
  next(r);
  if (!read_locals(r))
    return;
  if (r->kind != END)
    expected(r, "',' or the end of the target line");
  if (r->line_bad || !r->net)
    return;
  if (r->n_shared == 1)
    shared = 0;
  if (!hd_net_add_target(r->net, shared, hd_token_vec_view(&r->tokens),
                         (hd_tokens){0}, r->line.line))
    hd_diag_error(r->diag, r->line.source, hd_region_word_pos(&r->line, first),
                  "target asks for too many threads in a local state, the "
                  "most is %u",
                  HD_COUNT_MAX);
}

static void drop_name(reader *r) {
  r->has_name = false;
  hd_vec_clear(&r->next_name);
}

/* An edge or a target; a name waits for the next line that is no target. */
static void read_content(reader *r) {
  uint32_t shared = HD_ANY_SHARED, local = 0;
  if (r->kind == STAR)
    next(r);
  else if (!take_state(r, true, "a shared state (a number)", &shared))
    return;
  if (r->kind == BAR) {
    read_target(r, shared);
    return;
  }
  if (shared == HD_ANY_SHARED)
    expected(r, "'|' after '*'");
  else if (take_state(r, false, "a local state or '|' after the shared state",
                      &local)) {
    if (r->kind == STEP || r->kind == SPAWN || r->kind == TRANSFER)
      read_edge(r, shared, local);
    else
      expected(r, "'->', '+>' or '~>'");
  }
  drop_name(r);
}

static void name_next_edge(reader *r, hd_region comment) {
  hd_word word, more;
  r->name_at = comment;
  if (r->has_name)
    hd_diag_error(r->diag, comment.source, hd_region_here(&comment),
                  "a second name for the next edge");
  drop_name(r);
  if (!hd_region_word(&comment, &word) ||
      !hd_name_decode(word, &r->next_name) || hd_region_word(&comment, &more))
    hd_diag_error(r->diag, comment.source, hd_region_here(&comment),
                  "expected one name for the next edge");
  else
    r->has_name = true;
}

/* `comment` begins at '#'. */
static void read_comment(reader *r, hd_region comment) {
  hd_word key;
  if (!hd_region_directive(&comment))
    return;
  if (!hd_region_word(&comment, &key))
    key = (hd_word){.text = comment.text + comment.at, .size = 0};
  if (hd_word_is(key, "net"))
    hd_vec_push(&r->comments.nets, comment);
  else if (hd_word_is(key, "name"))
    hd_vec_push(&r->comments.names, comment);
  else if (hd_word_is(key, "init"))
    hd_vec_push(&r->comments.inits, comment);
  else if (hd_word_is(key, "transition"))
    name_next_edge(r, comment);
  else
    hd_diag_error(r->diag, comment.source, hd_region_word_pos(&comment, key),
                  "expected 'init', 'name', 'net' or 'transition' after "
                  "'heddle:', found '%s'",
                  hd_quote(key).text);
}

static void read_line(reader *r, size_t end) {
  size_t start = r->line.at;
  const char *hash = memchr(r->line.text + start, '#', end - start);
  r->line.line_start = start;
  r->line.end = hash ? (size_t)(hash - r->line.text) : end;
  r->line_bad = false;
  next(r);
  bool content = r->kind != END && (r->header_seen || looks_like_content(r));
  if (content && !r->header_seen)
    missing_header(r);
  if (content)
    read_content(r);
  else if (r->kind != END)
    read_header(r);
  if (hash) {
    hd_region comment = r->line;
    comment.at = (size_t)(hash - r->line.text);
    comment.end = end;
    read_comment(r, comment);
  }
}

static void read_lines(reader *r, const hd_source *source) {
  r->line = hd_region_all(source);
  if (source->size >= 3 && !memcmp(source->text, "\xEF\xBB\xBF", 3))
    r->line.at = 3;
  while (r->line.at < source->size && !hd_diag_full(r->diag)) {
    const char *from = source->text + r->line.at;
    const char *nl = memchr(from, '\n', source->size - r->line.at);
    size_t end = nl ? (size_t)(nl - source->text) : source->size;
    read_line(r, end);
    r->line.at = end + 1;
    r->line.line++;
  }
  if (!r->header_seen && !r->header_missing)
    hd_diag_file_error(r->diag, source->name,
                       "missing header: expected a line 'S L', the numbers of "
                       "shared and local states");
  if (r->has_name)
    hd_diag_error(r->diag, source, hd_region_here(&r->name_at),
                  "no edge follows this name");
}

static void release(reader *r) {
  hd_vec_free(&r->comments.names);
  hd_vec_free(&r->comments.inits);
  hd_vec_free(&r->comments.nets);
  hd_str_free(&r->next_name);
  hd_vec_free(&r->moves);
  hd_vec_free(&r->tokens);
}

hd_net *hd_tts_read(const hd_source *source, hd_diag *diag) {
  size_t before = hd_diag_errors(diag);
  if (!hd_text_check(source, "a thread transition system", diag))
    return NULL;
  reader r = {.diag = diag};
  read_lines(&r, source);
  hd_net *net = NULL;
  if (r.net && r.comments.nets.size) {
    if (hd_diag_errors(diag) == before)
      net = hd_tts_embedded(r.net, &r.comments, source, diag);
  } else if (r.net) {
    hd_tts_apply_comments(r.net, &r.comments, diag);
    if (hd_diag_errors(diag) == before) {
      hd_net_finish(r.net);
      net = hd_threads_unique(r.net, source, diag);
      r.net = NULL;
    }
  }
  hd_net_delete(r.net);
  release(&r);
  assert(!net == (hd_diag_errors(diag) > before));
  return net;
}
