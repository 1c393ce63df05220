/* SPDX-License-Identifier: MIT */
/* The head of every piece of evidence, and witnesses. */
#include "front/evidence/evidence.h"
#include "front/evidence/reader.h"

/* A witness of more steps than this is not read: 12 bytes each. */
#define MAX_STEPS ((uint32_t)1 << 22)

/* --- witness --- */

static bool read_choice(hd_reader *r, const hd_labels *places,
                        hd_choice *choice) {
  *choice = (hd_choice){.to = HD_NOWHERE, .count = 1};
  if (!hd_reader_label(r, places, "place", &choice->from) ||
      !hd_reader_word(r, ">"))
    return false;
  if (hd_reader_at(r, "@nowhere")) {
    if (!hd_reader_next(r))
      return false;
  } else if (!hd_reader_label(r, places, "place", &choice->to)) {
    return false;
  }
  return !hd_reader_at(r, "=") ||
         (hd_reader_next(r) && hd_reader_count(r, false, &choice->count));
}

static bool read_choices(hd_reader *r, const hd_labels *places, hd_witness *w,
                         hd_range *range) {
  *range = (hd_range){.start = (uint32_t)w->choices.size};
  if (!hd_reader_at(r, ":"))
    return true;
  if (!hd_reader_next(r))
    return false;
  while (r->kind != HD_WORD_LINE_END) {
    hd_choice choice;
    if (!read_choice(r, places, &choice))
      return false;
    hd_vec_push(&w->choices, choice);
  }
  range->size = (uint32_t)w->choices.size - range->start;
  return range->size || hd_reader_expected(r, "a choice such as p>q=2");
}

/* `t` and a number. */
static bool read_trans(hd_reader *r, hd_trans_id *t) {
  uint64_t number = 0;
  bool good = r->kind == HD_WORD_PLAIN && r->size > 1 && r->text[0] == 't';
  for (size_t i = 1; good && i < r->size; i++) {
    good = r->text[i] >= '0' && r->text[i] <= '9';
    if (number <= UINT32_MAX)
      number = 10 * number + (uint64_t)(r->text[i] - '0');
  }
  if (!good)
    return hd_reader_expected(r, "a step such as 't3'");
  if (number >= r->net->trans.size)
    return hd_reader_error(r, "the model has no transition %.*s, only %zu",
                           (int)(r->size < 20 ? r->size : 20), r->text,
                           r->net->trans.size);
  *t = (hd_trans_id)number;
  return hd_reader_next(r);
}

static bool read_step(hd_reader *r, const hd_labels *places, uint32_t left,
                      hd_witness *w) {
  hd_step step;
  uint32_t times = 1;
  if (!read_trans(r, &step.trans))
    return false;
  if (hd_reader_at(r, "x")) {
    if (!hd_reader_next(r))
      return false;
    if (hd_reader_at(r, "0"))
      return hd_reader_error(r, "a step is repeated at least once");
    if (!hd_reader_number(r, "how often the step is repeated", left, &times))
      return false;
  }
  if (!read_choices(r, places, w, &step.choices) || !hd_reader_line_end(r))
    return false;
  while (times--)
    hd_vec_push(&w->steps, step);
  return true;
}

static bool read_target(hd_reader *r, hd_witness *w) {
  if (!hd_reader_word(r, "target"))
    return false;
  size_t start = r->start, length = r->length;
  if (!hd_reader_number(r, "the number of a target", UINT32_MAX, &w->target))
    return false;
  if (w->target < r->net->targets.size)
    return hd_reader_line_end(r);
  r->start = start;
  r->length = length;
  return hd_reader_error(r, "the model has no target %u, only %zu", w->target,
                         r->net->targets.size);
}

static bool read_body(hd_reader *r, const hd_labels *places, hd_witness *w) {
  uint32_t n;
  if (!read_target(r, w) || !hd_reader_word(r, "init") ||
      !hd_reader_tokens(r, places, false, &w->init) || !hd_reader_line_end(r) ||
      !hd_reader_word(r, "steps") ||
      !hd_reader_number(r, "the number of steps", MAX_STEPS, &n) ||
      !hd_reader_line_end(r))
    return false;
  while (w->steps.size < n)
    if (!read_step(r, places, n - (uint32_t)w->steps.size, w))
      return false;
  return true;
}

bool hd_reader_witness(hd_reader *reader, hd_witness *witness) {
  hd_labels *places = hd_labels_of_places(reader->net);
  bool ok = read_body(reader, places, witness);
  hd_labels_delete(places);
  return ok;
}

/* --- the head --- */

static bool read_dimension(hd_reader *r, const char *name, size_t real) {
  uint32_t value;
  if (!hd_reader_word(r, name))
    return false;
  size_t start = r->start, length = r->length;
  if (!hd_reader_number(r, "a number", UINT32_MAX, &value))
    return false;
  if (value == real)
    return true;
  r->start = start;
  r->length = length;
  return hd_reader_error(r,
                         "this is evidence for another model: it has %s %u, "
                         "'%s' has %zu",
                         name, value, r->net->file, real);
}

/* Evidence about what was made of a program says how: that is for whoever makes
 * it again before reading the evidence. */
static bool skip_built(hd_reader *r) {
  bool ok = true;
  if (hd_reader_at(r, "built"))
    while (ok && r->kind == HD_WORD_PLAIN)
      ok = hd_reader_next(r);
  return ok;
}

static bool read_model(hd_reader *r) {
  return hd_reader_word(r, "model") &&
         read_dimension(r, "shared", r->net->n_shared) &&
         read_dimension(r, "places", r->net->n_places) &&
         read_dimension(r, "transitions", r->net->trans.size) &&
         skip_built(r) && hd_reader_line_end(r);
}

static bool read_title(hd_reader *r, bool *is_witness) {
  if (!hd_reader_next(r) || !hd_reader_word(r, "heddle"))
    return false;
  *is_witness = hd_reader_at(r, "witness");
  if (!*is_witness && !hd_reader_at(r, "certificate"))
    return hd_reader_expected(r, "'witness' or 'certificate'");
  if (!hd_reader_next(r))
    return false;
  if (!hd_reader_at(r, "1"))
    return hd_reader_expected(r, "version '1' of the format");
  return hd_reader_next(r) && hd_reader_line_end(r);
}

static bool read_end(hd_reader *r) {
  if (!hd_reader_word(r, "end") || !hd_reader_line_end(r))
    return false;
  return r->kind == HD_WORD_FILE_END ||
         hd_reader_error(r, "nothing may follow 'end'");
}

bool hd_evidence_parse(const hd_source *source, const hd_net *net,
                       hd_witness **witness, hd_cert **cert, hd_diag *diag) {
  hd_reader reader;
  bool is_witness;
  *witness = NULL;
  *cert = NULL;
  hd_reader_start(&reader, source, net, diag);
  bool ok = read_title(&reader, &is_witness) && read_model(&reader);
  if (ok && is_witness) {
    *witness = hd_witness_new();
    ok = hd_reader_witness(&reader, *witness);
  } else if (ok) {
    ok = hd_reader_cert(&reader, cert);
  }
  ok = ok && read_end(&reader);
  hd_reader_free(&reader);
  if (ok)
    return true;
  hd_witness_delete(*witness);
  hd_cert_delete(*cert);
  *witness = NULL;
  *cert = NULL;
  return false;
}
