/* SPDX-License-Identifier: MIT */
#include "base/diag.h"

#include "base/str.h"

#include <stdarg.h>
#include <string.h>

enum { MAX_ERRORS = 20, MAX_SHOWN = 120 };

typedef struct {
  hd_severity severity;
  char *where;   /* "file:line:column", or a name, or "" */
  char *message; /* the sentence */
  char *excerpt; /* the source line, made printable, or NULL */
  uint32_t caret, length;
} message;

struct hd_diag {
  hd_vec(message) messages;
  size_t errors;
};

hd_diag *hd_diag_new(void) {
  return hd_calloc(1, sizeof(hd_diag));
}

static void forget(hd_diag *diag) {
  for (hd_vec_each(message, m, &diag->messages)) {
    hd_free(m->where);
    hd_free(m->message);
    hd_free(m->excerpt);
  }
  hd_vec_clear(&diag->messages);
}

void hd_diag_delete(hd_diag *diag) {
  if (!diag)
    return;
  forget(diag);
  hd_vec_free(&diag->messages);
  hd_free(diag);
}

/* Finds the line numbered `line`; false if the text has fewer. */
static bool find_line(const hd_source *source, uint32_t line, size_t *start,
                      size_t *end) {
  size_t at = 0;
  for (uint32_t n = 1; n < line; n++) {
    const char *nl = memchr(source->text + at, '\n', source->size - at);
    if (!nl)
      return false;
    at = (size_t)(nl - source->text) + 1;
  }
  const char *nl = memchr(source->text + at, '\n', source->size - at);
  *start = at;
  *end = nl ? (size_t)(nl - source->text) : source->size;
  return true;
}

/* Copies the part of a line around the caret, one column a byte: control and
 * non-ASCII bytes become '?', tabs a blank, so that the caret stays below its
 * column. Long lines are cut on both sides. */
static void take_excerpt(message *m, const hd_source *source, hd_pos pos) {
  size_t start, end;
  if (!pos.line || !find_line(source, pos.line, &start, &end))
    return;
  size_t column = pos.column ? pos.column - 1 : 0;
  size_t first = column > MAX_SHOWN * 2 / 3 ? column - MAX_SHOWN * 2 / 3 : 0;
  hd_str text = {0};
  if (first)
    hd_str_puts(&text, "...");
  uint32_t shift = (uint32_t)text.size;
  for (size_t i = start + first; i < end && i < start + first + MAX_SHOWN;
       i++) {
    unsigned char c = (unsigned char)source->text[i];
    char shown = c == '\t' ? ' ' : c < 32 || c > 126 ? '?' : (char)c;
    if (c == '\r' && i + 1 == end)
      break;
    hd_str_append(&text, &shown, 1);
  }
  uint32_t room = (uint32_t)(text.size - shift);
  if (end > start + first + MAX_SHOWN)
    hd_str_puts(&text, "...");
  m->caret = pos.column ? (uint32_t)(column - first) + shift + 1 : 0;
  m->length = pos.length ? pos.length : 1;
  uint32_t left = room + shift + 1 > m->caret ? room + shift + 1 - m->caret : 1;
  if (m->length > left)
    m->length = left ? left : 1;
  m->excerpt = hd_str_take(&text);
}

__attribute__((format(printf, 5, 0))) static void
report(hd_diag *diag, hd_severity severity, const hd_source *source, hd_pos pos,
       const char *format, va_list args) {
  if (severity == HD_ERROR && diag->errors++ >= MAX_ERRORS)
    return;
  message m = {.severity = severity};
  hd_str where = {0};
  if (source) {
    hd_str_puts(&where, source->name);
    if (pos.line)
      hd_str_printf(&where, ":%u", pos.line);
    if (pos.line && pos.column)
      hd_str_printf(&where, ":%u", pos.column);
    take_excerpt(&m, source, pos);
  }
  m.where = hd_str_take(&where);
  char buffer[1024];
  vsnprintf(buffer, sizeof buffer, format, args);
  for (char *c = buffer; *c; c++)
    if ((unsigned char)*c < 32 || (unsigned char)*c == 127)
      *c = '?';
  m.message = hd_strdup(buffer);
  hd_vec_push(&diag->messages, m);
}

void hd_diag_report(hd_diag *diag, hd_severity severity,
                    const hd_source *source, hd_pos pos, const char *format,
                    ...) {
  va_list args;
  va_start(args, format);
  report(diag, severity, source, pos, format, args);
  va_end(args);
}

void hd_diag_error(hd_diag *diag, const hd_source *source, hd_pos pos,
                   const char *format, ...) {
  va_list args;
  va_start(args, format);
  report(diag, HD_ERROR, source, pos, format, args);
  va_end(args);
}

void hd_diag_warning(hd_diag *diag, const hd_source *source, hd_pos pos,
                     const char *format, ...) {
  va_list args;
  va_start(args, format);
  report(diag, HD_WARNING, source, pos, format, args);
  va_end(args);
}

void hd_diag_file_error(hd_diag *diag, const char *name, const char *format,
                        ...) {
  char *copy = hd_strdup(name);
  hd_source source = {.name = copy};
  va_list args;
  va_start(args, format);
  report(diag, HD_ERROR, &source, (hd_pos){0}, format, args);
  va_end(args);
  hd_free(copy);
}

const char *hd_diag_first(const hd_diag *diag) {
  return diag->messages.size ? diag->messages.data[0].message : NULL;
}

size_t hd_diag_errors(const hd_diag *diag) {
  return diag->errors;
}

bool hd_diag_full(const hd_diag *diag) {
  return diag->errors >= MAX_ERRORS;
}

static void print_message(const message *m, FILE *out, bool color) {
  static const char *const word[] = {"note", "warning", "error"};
  static const char *const paint[] = {"\033[36m", "\033[35m", "\033[31m"};
  if (*m->where)
    fprintf(out, "%s%s:%s ", color ? "\033[1m" : "", m->where,
            color ? "\033[0m" : "");
  else
    fputs("heddle: ", out);
  fprintf(out, "%s%s:%s %s\n", color ? paint[m->severity] : "",
          word[m->severity], color ? "\033[0m" : "", m->message);
  if (!m->excerpt)
    return;
  fprintf(out, "  %s\n", m->excerpt);
  if (!m->caret)
    return;
  fprintf(out, "  %*s%s", (int)m->caret - 1, "", color ? "\033[32m" : "");
  for (uint32_t i = 0; i < m->length; i++)
    fputc(i ? '~' : '^', out);
  fprintf(out, "%s\n", color ? "\033[0m" : "");
}

void hd_diag_print(hd_diag *diag, FILE *out, bool color) {
  for (hd_vec_each(message, m, &diag->messages))
    print_message(m, out, color);
  if (diag->messages.size && diag->errors > MAX_ERRORS)
    fprintf(out, "heddle: note: %zu further errors not shown\n",
            diag->errors - MAX_ERRORS);
  forget(diag);
}

hd_source hd_source_from_text(const char *name, const char *text, size_t size) {
  return (hd_source){
      .name = hd_strdup(name), .text = hd_strndup(text, size), .size = size};
}

void hd_source_free(hd_source *source) {
  hd_free(source->name);
  hd_free(source->text);
  *source = (hd_source){0};
}

hd_pos hd_source_pos(const hd_source *source, size_t offset, size_t length) {
  assert(offset <= source->size);
  uint32_t line = 1;
  size_t start = 0;
  for (size_t i = 0; i < offset; i++)
    if (source->text[i] == '\n') {
      line++;
      start = i + 1;
    }
  return (hd_pos){.line = line,
                  .column = (uint32_t)(offset - start) + 1,
                  .length = (uint32_t)length};
}
