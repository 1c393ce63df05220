/* SPDX-License-Identifier: MIT */
#include "report/fingerprint.h"

#include <stdlib.h>
#include <string.h>

size_t hd_violation_places(const hd_code *code, const hd_code_trace *trace,
                           const hd_violation *v,
                           hd_shown_edge places[HD_PLACES_MOST]) {
  size_t n = 0;
  for (; n < v->n_waits; n++)
    places[n] = hd_code_shown_edge(code, trace, HD_NO_ID, v->waits[n]);
  if (!n && v->edge != HD_NO_ID)
    places[n++] = hd_code_shown_edge(code, trace, v->thread, v->edge);
  if (v->property == HD_PROPERTY_RACE && v->other_edge != HD_NO_ID)
    places[n++] = hd_code_shown_edge(code, trace, v->other, v->other_edge);
  return n;
}

static bool statement(hd_code_lines *lines, hd_cpos pos, hd_str *out) {
  uint32_t start;
  return hd_code_lines_statement(lines, pos, out, &start);
}

/* Lines of the function before this one with the same text. */
static uint32_t ordinal(hd_code_lines *lines, hd_cpos from, hd_cpos pos,
                        const char *text) {
  uint32_t n = 0;
  hd_str other = {0};
  hd_cpos at = pos;
  for (at.line = from.line; from.file == pos.file && at.line < pos.line;
       at.line++) {
    hd_vec_clear(&other);
    n += statement(lines, at, &other) && !strcmp(hd_str_text(&other), text);
  }
  hd_str_free(&other);
  return n;
}

/* "pool.c work x++; 0": where the source is not there, a line of the function. */
static char *describe(hd_code_lines *lines, const hd_code *code,
                      hd_shown_edge at) {
  hd_str out = {0}, text = {0};
  hd_cpos pos = code->edges.data[at.edge].pos;
  const hd_func *f = &code->funcs.data[hd_code_func_of(code, at.edge)];
  const char *file =
      pos.file < code->files.size ? code->files.data[pos.file] : "";
  const char *slash = strrchr(file, '/');
  hd_str_printf(&out, "%s %s ", slash ? slash + 1 : file,
                f->cname ? f->cname : f->name);
  if (statement(lines, pos, &text))
    hd_str_printf(&out, "%s %u", hd_str_text(&text),
                  ordinal(lines, f->pos, pos, hd_str_text(&text)));
  else
    hd_str_printf(&out, "+%u", pos.line - f->pos.line);
  if (at.model != HD_NO_ID)
    hd_str_printf(&out, " %s", hd_code_func_name(code, at.model));
  hd_str_free(&text);
  return hd_str_take(&out);
}

static int by_text(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* FNV-1a: written into files, so it must never change. */
static uint64_t mix(uint64_t h, const char *text, bool numbers) {
  for (; *text; text++)
    if (numbers || *text < '0' || *text > '9')
      h = (h ^ (unsigned char)*text) * 0x100000001b3;
  return (h ^ 0xff) * 0x100000001b3;
}

uint64_t hd_code_fingerprint(hd_code_lines *lines, const hd_code *code,
                             const hd_code_trace *trace,
                             const hd_violation *v) {
  hd_shown_edge places[HD_PLACES_MOST];
  char *texts[HD_PLACES_MOST];
  bool own = true; /* of the program's variables */
  size_t n = 0, all = hd_violation_places(code, trace, v, places);
  for (size_t i = 0; i < all; i++)
    if (places[i].edge < code->edges.size) {
      own = own && places[i].model == HD_NO_ID;
      texts[n++] = describe(lines, code, places[i]);
    }
  qsort(texts, n, sizeof *texts, by_text);
  uint64_t h = mix(0xcbf29ce484222325, hd_property_name(v->property), true);
  for (size_t i = 0; i < n; i++)
    h = mix(h, texts[i], true);
  for (size_t i = 0; i < n; i++)
    hd_free(texts[i]);
  if (v->property == HD_PROPERTY_RACE && v->message && own)
    h = mix(h, v->message, false);
  return h ? h : 1;
}
