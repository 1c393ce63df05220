/* SPDX-License-Identifier: MIT */
/* SV-COMP's task definitions. They are YAML, of which these files use little:
 *
 *   input_files: 'a.i'                    or a list, `- 'a.c'` a line
 *   properties:
 *     - property_file: ../properties/unreach-call.prp
 *       expected_verdict: false
 *   options:
 *     data_model: ILP32
 *
 * That is read here: keys and values a line, what belongs together by its
 * indentation, values in quotes or not. */
#include "cli/suite/task.h"

#include "front/c/property.h"

#include <ctype.h>
#include <string.h>

typedef struct {
  char *path, *expected; /* expected may be NULL */
} wanted;

typedef struct {
  hd_vec(char *) inputs;
  hd_vec(wanted) properties;
  bool ilp32, format;
} definition;

typedef struct {
  size_t indent;
  bool item; /* `- ` stands before it */
  char key[64];
  char *value; /* NULL: none */
} line;

/* One line without comment and quotes; false when there is nothing on it. */
static bool read_line(const char *from, size_t size, line *l) {
  size_t at = 0;
  *l = (line){0};
  while (at < size && from[at] == ' ')
    at++;
  l->indent = at;
  if (at < size && from[at] == '-' && at + 1 < size && from[at + 1] == ' ') {
    l->item = true;
    for (at++; at < size && from[at] == ' '; at++)
      ;
  }
  while (size > at && isspace((unsigned char)from[size - 1]))
    size--;
  if (at == size || from[at] == '#')
    return false;
  size_t n = 0;
  while (at + n < size && (isalnum((unsigned char)from[at + n]) ||
                           from[at + n] == '_' || from[at + n] == '-'))
    n++;
  bool pair = n && n < sizeof l->key && at + n < size && from[at + n] == ':';
  if (pair) {
    memcpy(l->key, from + at, n);
    for (at += n + 1; at < size && from[at] == ' '; at++)
      ;
  }
  if (at == size || from[at] == '#')
    return true;
  char quote = from[at];
  if (quote == '\'' || quote == '"') {
    const char *stop = memchr(from + at + 1, quote, size - at - 1);
    n = stop ? (size_t)(stop - from) - at - 1 : size - at - 1;
    l->value = hd_strndup(from + at + 1, n);
  } else {
    for (n = 0; at + n < size; n++)
      if (n && from[at + n] == '#' && from[at + n - 1] == ' ')
        break;
    while (n && from[at + n - 1] == ' ')
      n--;
    l->value = hd_strndup(from + at, n);
  }
  return true;
}

static void take_line(definition *d, const char *file, const char *section,
                      const line *l) {
  if (!strcmp(section, "format_version"))
    d->format = true;
  if (!l->value)
    return;
  if (!strcmp(section, "input_files")) {
    hd_vec_push(&d->inputs, hd_task_path(file, l->value));
  } else if (!strcmp(l->key, "property_file")) {
    wanted w = {.path = hd_task_path(file, l->value)};
    hd_vec_push(&d->properties, w);
  } else if (!strcmp(l->key, "expected_verdict") && d->properties.size) {
    wanted *w = &hd_vec_last(&d->properties);
    hd_free(w->expected);
    w->expected = hd_strdup(l->value);
  } else if (!strcmp(l->key, "data_model")) {
    d->ilp32 = !strcmp(l->value, "ILP32");
  }
}

static void read_definition(const hd_source *source, const char *path,
                            definition *d) {
  const char *at = source->text, *end = source->text + source->size;
  char section[64] = "";
  while (at < end) {
    const char *stop = memchr(at, '\n', (size_t)(end - at));
    stop = stop ? stop : end;
    line l;
    if (read_line(at, (size_t)(stop - at), &l)) {
      if (l.indent == 0 && !l.item && l.key[0])
        memcpy(section, l.key, sizeof section);
      take_line(d, path, section, &l);
    }
    hd_free(l.value);
    at = stop + 1;
  }
}

/* Does heddle have a word for what the file asks? */
static bool understood(const char *path) {
  hd_diag *diag = hd_diag_new();
  hd_source source;
  hd_properties set = 0;
  bool ok = hd_source_read(path, &source, diag);
  if (ok) {
    ok = hd_properties_prp(&source, &set, diag);
    hd_source_free(&source);
  }
  hd_diag_delete(diag);
  return ok;
}

static void add_tasks(hd_tasks *tasks, const definition *d) {
  for (hd_vec_each(const wanted, w, &d->properties)) {
    hd_task task = {0};
    hd_str option = {0};
    if (!understood(w->path)) {
      tasks->skipped++;
      continue;
    }
    for (size_t i = 0; i < d->inputs.size; i++)
      hd_vec_push(&task.words, hd_strdup(d->inputs.data[i]));
    hd_vec_push(&task.words, hd_strdup(d->ilp32 ? "--32" : "--64"));
    hd_str_printf(&option, "--property=%s", w->path);
    hd_vec_push(&task.words, hd_str_take(&option));
    if (w->expected)
      hd_task_expect(&task, w->expected);
    hd_task_push(tasks, &task);
  }
}

bool hd_tasks_add_yml(hd_tasks *tasks, const char *path, hd_diag *diag) {
  hd_source source;
  definition d = {0};
  if (!hd_source_read(path, &source, diag))
    return false;
  read_definition(&source, path, &d);
  hd_source_free(&source);
  bool ok = d.inputs.size > 0 && d.format;
  if (ok && !d.properties.size) {
    hd_diag_file_error(diag, path,
                       "names no property: expected 'properties:' "
                       "with a 'property_file'");
    ok = false;
  } else if (ok)
    add_tasks(tasks, &d);
  else
    hd_diag_file_error(diag, path,
                       "is no task definition: format_version or input_files "
                       "is missing");
  for (size_t i = 0; i < d.inputs.size; i++)
    hd_free(d.inputs.data[i]);
  hd_vec_free(&d.inputs);
  for (hd_vec_each(wanted, w, &d.properties)) {
    hd_free(w->path);
    hd_free(w->expected);
  }
  hd_vec_free(&d.properties);
  return ok;
}
