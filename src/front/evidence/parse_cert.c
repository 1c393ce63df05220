/* SPDX-License-Identifier: MIT */
/* The sections of a certificate, in their fixed order; each may be absent. */
#include "front/evidence/reader.h"

#include <stdlib.h>

typedef struct {
  hd_reader *r;
  hd_cert *cert;
  hd_labels *shared, *places; /* of the (split) net */
  hd_token_vec tokens;        /* scratch */
} cert_reader;

static bool read_shared(cert_reader *c, hd_shared_id *s) {
  return hd_reader_label(c->r, c->shared, "shared state", s);
}

static bool read_place(cert_reader *c, hd_place_id *place) {
  return hd_reader_label(c->r, c->places, "place", place);
}

static bool read_kind(hd_reader *r, hd_cert_kind *kind) {
  if (!hd_reader_word(r, "kind"))
    return false;
  *kind = hd_reader_at(r, "cover") ? HD_CERT_COVER : HD_CERT_BACKWARD;
  if (*kind == HD_CERT_BACKWARD && !hd_reader_at(r, "backward"))
    return hd_reader_expected(r, "'backward' or 'cover'");
  return hd_reader_next(r) && hd_reader_line_end(r);
}

/* A list of different places, in the order given; at least one. */
static bool read_places(hd_reader *r, const hd_labels *places, hd_u32s *list) {
  uint64_t *seen =
      hd_calloc(hd_bits_words(hd_labels_size(places)), sizeof *seen);
  bool ok = true;
  while (ok && r->kind != HD_WORD_LINE_END) {
    uint32_t place;
    size_t start = r->start, length = r->length;
    ok = hd_reader_label(r, places, "place", &place);
    if (ok && hd_bits_test(seen, place)) {
      r->start = start;
      r->length = length;
      ok = hd_reader_error(r, "a place is given twice");
    } else if (ok) {
      hd_bits_set(seen, place);
      hd_vec_push(list, place);
    }
  }
  hd_free(seen);
  if (ok && !list->size)
    return hd_reader_expected(r, "a place");
  return ok && hd_reader_line_end(r);
}

static bool read_row(cert_reader *c) {
  hd_reader *r = c->r;
  uint32_t s, place;
  size_t start = r->start, length = r->length;
  if (!read_shared(c, &s))
    return false;
  if (c->cert->rows[s]) {
    r->start = start;
    r->length = length;
    return hd_reader_error(r, "there is a row for this shared state already");
  }
  if (!hd_reader_word(r, "|"))
    return false;
  uint64_t *row = hd_cert_row(c->cert, s);
  while (r->kind != HD_WORD_LINE_END) {
    if (!read_place(c, &place))
      return false;
    hd_bits_set(row, place);
  }
  return hd_reader_line_end(r);
}

static bool read_rows(cert_reader *c) {
  uint32_t n;
  if (!hd_reader_next(c->r) ||
      !hd_reader_number(c->r, "the number of rows", c->cert->n_shared, &n) ||
      !hd_reader_line_end(c->r))
    return false;
  hd_cert_add_rows(c->cert);
  while (n--)
    if (!read_row(c))
      return false;
  return true;
}

/* `p=3 q=-1` up to the end of the line. */
static bool read_coefficients(cert_reader *c,
                              bool (*read)(cert_reader *, uint32_t *),
                              int64_t *values) {
  hd_reader *r = c->r;
  if (!hd_reader_next(r))
    return false;
  while (r->kind != HD_WORD_LINE_END) {
    uint32_t id;
    int64_t value;
    size_t start = r->start, length = r->length;
    if (!read(c, &id) || !hd_reader_word(r, "=") ||
        !hd_reader_integer(r, "a whole number", &value))
      return false;
    if (values[id]) {
      r->start = start;
      r->length = length;
      return hd_reader_error(r, "this state is given twice");
    }
    values[id] = value;
  }
  return hd_reader_line_end(r);
}

/* Sets the bits of states up to the mark `|` or the end of the line. */
static bool read_bits(cert_reader *c, bool (*read)(cert_reader *, uint32_t *),
                      uint64_t *bits) {
  while (c->r->kind != HD_WORD_LINE_END && !hd_reader_at(c->r, "|")) {
    uint32_t id;
    if (!read(c, &id))
      return false;
    hd_bits_set(bits, id);
  }
  return true;
}

/* `s t | p q` */
static bool read_set(cert_reader *c, uint64_t *shared, uint64_t *places) {
  return hd_reader_next(c->r) && read_bits(c, read_shared, shared) &&
         hd_reader_word(c->r, "|") && read_bits(c, read_place, places) &&
         hd_reader_line_end(c->r);
}

static bool read_trap(cert_reader *c) {
  hd_trap *trap = hd_cert_add_trap(c->cert);
  return read_set(c, trap->shared, trap->places);
}

/* `1=3 2=1`: numbers of traps above, and how often each is used. */
static bool read_uses(cert_reader *c, hd_range *range) {
  hd_reader *r = c->r;
  hd_cert *cert = c->cert;
  if (!hd_reader_next(r))
    return false;
  range->start = (uint32_t)cert->trap_uses.size;
  while (r->kind != HD_WORD_LINE_END) {
    hd_trap_use use;
    if (hd_reader_at(r, "0") || !cert->traps.size)
      return hd_reader_error(r, "there is no such trap above");
    if (!hd_reader_number(r, "the number of a trap", (uint32_t)cert->traps.size,
                          &use.trap) ||
        !hd_reader_word(r, "=") ||
        !hd_reader_integer(r, "a whole number", &use.times))
      return false;
    use.trap--;
    hd_vec_push(&cert->trap_uses, use);
    range->size++;
  }
  return hd_reader_line_end(r);
}

static bool read_linear(cert_reader *c) {
  hd_reader *r = c->r;
  if (!hd_reader_next(r) || !hd_reader_line_end(r))
    return false;
  hd_linear *linear = hd_cert_add_linear(c->cert);
  if (hd_reader_at(r, "potential")) {
    if (!read_coefficients(c, read_shared, linear->potential))
      return false;
  } else {
    hd_free(linear->potential);
    linear->potential = NULL;
  }
  if (!hd_reader_at(r, "weight"))
    return hd_reader_expected(r, "'weight'");
  if (!read_coefficients(c, read_place, linear->weight) ||
      (hd_reader_at(r, "uses") && !read_uses(c, &linear->traps)))
    return false;
  return hd_reader_word(r, "bound") &&
         hd_reader_integer(r, "a whole number", &linear->bound) &&
         hd_reader_line_end(r);
}

static bool read_config(cert_reader *c) {
  uint32_t s;
  if (!read_shared(c, &s) || !hd_reader_word(c->r, "|") ||
      !hd_reader_tokens(c->r, c->places, c->cert->kind == HD_CERT_COVER,
                        &c->tokens) ||
      !hd_reader_line_end(c->r))
    return false;
  hd_cert_add_config(c->cert, s, hd_token_vec_view(&c->tokens));
  return true;
}

static bool read_configs(cert_reader *c) {
  uint32_t n;
  if (!hd_reader_next(c->r) ||
      !hd_reader_number(c->r, "the number of configurations", UINT32_MAX / 4,
                        &n) ||
      !hd_reader_line_end(c->r))
    return false;
  while (n--)
    if (!read_config(c))
      return false;
  return true;
}

static int by_number(const void *left, const void *right) {
  uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
  return (a > b) - (a < b);
}

static bool read_ignored(cert_reader *c) {
  hd_u32s *ignored = &c->cert->ignored;
  if (!hd_reader_next(c->r) || !read_places(c->r, c->places, ignored))
    return false;
  qsort(ignored->data, ignored->size, sizeof *ignored->data, by_number);
  return true;
}

static bool read_sections(cert_reader *c) {
  hd_reader *r = c->r;
  bool cover = c->cert->kind == HD_CERT_COVER;
  if (hd_reader_at(r, "rows") && !read_rows(c))
    return false;
  while (hd_reader_at(r, "linear") || hd_reader_at(r, "trap"))
    if (!(hd_reader_at(r, "trap") ? read_trap(c) : read_linear(c)))
      return false;
  if (hd_reader_at(r, "ignored") && !read_ignored(c))
    return false;
  if (hd_reader_at(r, cover ? "cover" : "basis") && !read_configs(c))
    return false;
  if (!hd_reader_at(r, "end"))
    return hd_reader_expected(r, cover ? "a section of a cover ('rows', "
                                         "'ignored', 'cover', in this order) "
                                         "or 'end'"
                                       : "a section ('rows', 'trap' and "
                                         "'linear', 'basis', in this order) or "
                                         "'end'");
  return true;
}

static bool read_body(cert_reader *c, hd_cert **cert) {
  hd_reader *r = c->r;
  hd_cert_kind kind;
  if (!read_kind(r, &kind))
    return false;
  hd_u32s control = {0};
  bool ok = !hd_reader_at(r, "control") ||
            (hd_reader_next(r) && read_places(r, c->places, &control));
  uint32_t n_shared = control.size ? (uint32_t)control.size : r->net->n_shared;
  *cert = c->cert = hd_cert_new(kind, n_shared, r->net->n_places);
  c->cert->control = control;
  if (!ok)
    return false;
  c->shared = hd_labels_of_shared(r->net, &c->cert->control);
  return read_sections(c);
}

bool hd_reader_cert(hd_reader *reader, hd_cert **cert) {
  cert_reader c = {.r = reader, .places = hd_labels_of_places(reader->net)};
  bool ok = read_body(&c, cert);
  hd_labels_delete(c.places);
  hd_labels_delete(c.shared);
  hd_vec_free(&c.tokens);
  return ok;
}
