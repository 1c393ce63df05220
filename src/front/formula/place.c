/* SPDX-License-Identifier: MIT */
/* From the text of a pragma back to the source. The preprocessor has joined its
 * lines, dropped comments and changed blanks, so the two are compared without
 * those. Where macros were expanded they differ: then, and in a `_Pragma`, a
 * message points to the pragma as a whole. */
#include "front/formula/reader.h"

#include "base/io.h"

#include <ctype.h>
#include <string.h>

const hd_source *hd_formula_source(formula_reader *r, uint32_t file) {
  if (file >= r->files->size)
    return NULL;
  formula_file *f = &r->files->data[file];
  if (!f->tried) {
    f->tried = true;
    hd_diag *quiet = hd_diag_new();
    f->there =
        hd_source_read(r->notes->code->files.data[file], &f->source, quiet);
    hd_diag_delete(quiet);
  }
  return f->there ? &f->source : NULL;
}

/* The offset of a position, or the size of the source. */
static size_t offset_of(const hd_source *source, hd_cpos pos) {
  size_t at = 0;
  for (uint32_t line = 1; line < pos.line && at < source->size; line++) {
    const char *end = memchr(source->text + at, '\n', source->size - at);
    at = end ? (size_t)(end - source->text) + 1 : source->size;
  }
  at += pos.column ? pos.column - 1 : 0;
  return at < source->size ? at : source->size;
}

/* Behind blanks and comments, and behind line ends if `lines`, else behind
 * those that a backslash hides. */
static size_t skip(const hd_source *s, size_t at, bool lines) {
  const char *t = s->text;
  for (;;) {
    if (at >= s->size)
      return s->size;
    if (t[at] == '\\' && t[at + 1] == '\n') {
      at += 2;
    } else if (t[at] == '\n' ? lines : isspace((unsigned char)t[at])) {
      at++;
    } else if (t[at] == '/' && t[at + 1] == '*') {
      const char *end = strstr(t + at + 2, "*/");
      at = end ? (size_t)(end - t) + 2 : s->size;
    } else if (t[at] == '/' && t[at + 1] == '/' && lines) {
      while (at < s->size && t[at] != '\n')
        at += t[at] == '\\' && t[at + 1] == '\n' ? 2 : 1;
    } else {
      return at;
    }
  }
}

/* Behind `#pragma`, or the size of the source. */
static size_t find_text(const hd_source *s, hd_cpos pos) {
  size_t at = offset_of(s, pos);
  if (at >= s->size || s->text[at] != '#')
    return s->size;
  at = skip(s, at + 1, false);
  if (s->size - at < 6 || memcmp(s->text + at, "pragma", 6))
    return s->size;
  return skip(s, at + 6, false);
}

/* Where the character `offset` of `text` is in the source, or its size. */
static size_t match(const hd_source *s, size_t at, const char *text,
                    uint32_t offset) {
  for (uint32_t i = 0;; i++) {
    while (isspace((unsigned char)text[i]))
      i++;
    size_t end = at;
    at = skip(s, at, false);
    if (i >= offset)
      return text[i] ? at : end;
    if (!text[i] || at >= s->size || s->text[at] != text[i])
      return s->size;
    at++;
  }
}

/* A source that has nothing but this pragma, at its place. */
static hd_source make_source(const hd_code *code, const hd_pragma *pragma) {
  hd_str text = {0};
  for (uint32_t i = 1; i < pragma->pos.line && i < 1000000; i++)
    hd_str_puts(&text, "\n");
  for (uint32_t i = 1; i < pragma->pos.column && i < 1000; i++)
    hd_str_puts(&text, " ");
  hd_str_printf(&text, "#pragma %s\n", pragma->text);
  uint32_t file = pragma->pos.file;
  const char *name =
      file < code->files.size ? code->files.data[file] : "a pragma";
  hd_source made = hd_source_from_text(name, hd_str_text(&text), text.size);
  hd_str_free(&text);
  return made;
}

hd_pos hd_formula_pos(formula_reader *r, uint32_t pragma, uint32_t offset,
                      size_t length, const hd_source **from, hd_source *made) {
  const hd_pragma *p = &r->notes->code->pragmas.data[pragma];
  const hd_source *s = hd_formula_source(r, p->pos.file);
  if (s) {
    *from = s;
    size_t at = match(s, find_text(s, p->pos), p->text, offset);
    if (at < s->size)
      return hd_source_pos(s, at, length);
    if (s->text[offset_of(s, p->pos)] == '#')
      return (hd_pos){p->pos.line, p->pos.column, 0};
  }
  *made = make_source(r->notes->code, p);
  *from = made;
  size_t at = match(made, find_text(made, p->pos), p->text, offset);
  return hd_source_pos(made, at < made->size ? at : made->size, length);
}

/* Behind a label that begins at `at`, or `at`. `case` and `default` are none:
 * they are not where a loop is told about. */
static size_t skip_label(const hd_source *s, size_t at) {
  size_t end = at;
  while (isalnum((unsigned char)s->text[end]) || s->text[end] == '_')
    end++;
  if (end == at)
    return at;
  end = skip(s, end, true);
  return s->text[end] == ':' ? end + 1 : at;
}

bool hd_formula_behind(formula_reader *r, uint32_t pragma, hd_cpos *pos) {
  hd_cpos from = r->notes->code->pragmas.data[pragma].pos;
  const hd_source *s = hd_formula_source(r, from.file);
  if (!s)
    return false;
  size_t at = offset_of(s, from);
  if (at >= s->size || s->text[at] != '#')
    return false;
  for (;;) {
    size_t before = at;
    if (s->text[at] == '#')
      while (at < s->size && s->text[at] != '\n')
        at += s->text[at] == '\\' && s->text[at + 1] == '\n' ? 2 : 1;
    at = skip_label(s, skip(s, at, true));
    if (at == before || at >= s->size)
      break;
  }
  hd_pos here = hd_source_pos(s, at < s->size ? at : s->size, 1);
  *pos = (hd_cpos){from.file, here.line, here.column};
  return at < s->size;
}
