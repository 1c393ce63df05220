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
  char *path, *expected, *part; /* the last two may be NULL */
  hd_pos pos;
} wanted;

typedef struct {
  const hd_source *source;
  hd_diag *diag;
  hd_vec(char *) inputs;
  hd_vec(wanted) properties;
  bool format;
  const char *bits; /* "--32", "--64", or NULL: as without a definition */
  char *language;   /* NULL: C */
} definition;

typedef struct {
  bool item; /* `- ` stands before it */
  size_t indent;
  char key[64];
  char *value; /* NULL: none */
  hd_pos pos;  /* of the value, or of what is there */
} line;

/* --- lines --- */

/* A value that starts at `at`: quoted, or up to a comment. */
static void read_value(definition *d, size_t at, size_t end, line *l) {
  const char *text = d->source->text;
  char quote = text[at];
  size_t n = 0;
  if (quote == '\'' || quote == '"') {
    const char *stop = memchr(text + at + 1, quote, end - at - 1);
    n = stop ? (size_t)(stop - text) - at - 1 : end - at - 1;
    l->pos = hd_source_pos(d->source, at, n + 1 + (stop != NULL));
    if (!stop)
      hd_diag_error(d->diag, d->source, l->pos, "expected a closing %c", quote);
    l->value = hd_strndup(text + at + 1, n);
    return;
  }
  while (at + n < end && !(n && text[at + n] == '#' && text[at + n - 1] == ' '))
    n++;
  while (n && isspace((unsigned char)text[at + n - 1]))
    n--;
  l->pos = hd_source_pos(d->source, at, n);
  l->value = hd_strndup(text + at, n);
}

/* One line, from `at` to `end`, without its comment; false when there is nothing
 * on it. */
static bool read_line(definition *d, size_t at, size_t end, line *l) {
  const char *text = d->source->text;
  size_t start = at, n = 0;
  *l = (line){0};
  while (at < end && text[at] == ' ')
    at++;
  if (at < end && text[at] == '\t') {
    hd_diag_error(d->diag, d->source, hd_source_pos(d->source, at, 1),
                  "expected blanks: YAML is not indented with tabs");
    return false;
  }
  l->indent = at - start;
  if (at + 1 < end && text[at] == '-' && text[at + 1] == ' ') {
    l->item = true;
    for (at++; at < end && text[at] == ' '; at++)
      ;
  }
  while (end > at && isspace((unsigned char)text[end - 1]))
    end--;
  if (at == end || text[at] == '#')
    return false;
  while (at + n < end && (isalnum((unsigned char)text[at + n]) ||
                          text[at + n] == '_' || text[at + n] == '-'))
    n++;
  l->pos = hd_source_pos(d->source, at, n);
  if (n && n < sizeof l->key && at + n < end && text[at + n] == ':') {
    memcpy(l->key, text + at, n);
    for (at += n + 1; at < end && text[at] == ' '; at++)
      ;
  }
  if (at < end && text[at] != '#')
    read_value(d, at, end, l);
  return true;
}

/* --- what they mean --- */

static void expect(definition *d, const line *l) {
  hd_task none = {0};
  if (!d->properties.size || !hd_task_expect(&none, l->value)) {
    hd_diag_error(d->diag, d->source, l->pos,
                  d->properties.size
                      ? "'%s' is no verdict; expected true or false"
                      : "'%s' is expected of no property_file",
                  l->value);
    return;
  }
  wanted *w = &hd_vec_last(&d->properties);
  hd_free(w->expected);
  w->expected = hd_strdup(l->value);
}

static void take_option(definition *d, const line *l) {
  if (!strcmp(l->key, "data_model")) {
    d->bits = !strcmp(l->value, "ILP32")  ? "--32"
              : !strcmp(l->value, "LP64") ? "--64"
                                          : NULL;
    if (!d->bits)
      hd_diag_error(d->diag, d->source, l->pos,
                    "the data model '%s' is not known; expected ILP32 or LP64",
                    l->value);
  } else if (!strcmp(l->key, "language")) {
    hd_free(d->language);
    d->language = hd_strdup(l->value);
  }
}

static void take_line(definition *d, const char *section, const line *l) {
  const char *file = d->source->name;
  if (!strcmp(section, "format_version")) {
    d->format = true;
    if (l->value && l->value[0] != '1' && l->value[0] != '2')
      hd_diag_error(d->diag, d->source, l->pos,
                    "format version '%s' is not known; expected 1 or 2",
                    l->value);
  }
  if (!l->value)
    return;
  if (!strcmp(section, "input_files")) {
    hd_vec_push(&d->inputs, hd_task_path(file, l->value));
  } else if (!strcmp(section, "properties") &&
             !strcmp(l->key, "property_file")) {
    wanted w = {.path = hd_task_path(file, l->value), .pos = l->pos};
    hd_vec_push(&d->properties, w);
  } else if (!strcmp(section, "properties") &&
             !strcmp(l->key, "expected_verdict")) {
    expect(d, l);
  } else if (!strcmp(section, "properties") && !strcmp(l->key, "subproperty") &&
             d->properties.size) {
    wanted *w = &hd_vec_last(&d->properties);
    hd_free(w->part);
    w->part = hd_strdup(l->value);
  } else if (!strcmp(section, "properties") && !l->key[0]) {
    hd_diag_error(d->diag, d->source, l->pos, "expected property_file: FILE");
  } else if (!strcmp(section, "options")) {
    take_option(d, l);
  }
}

static void read_definition(definition *d) {
  size_t at = 0, size = d->source->size;
  const char *text = d->source->text;
  char section[64] = "";
  while (at < size && !hd_diag_full(d->diag)) {
    const char *stop = memchr(text + at, '\n', size - at);
    size_t end = stop ? (size_t)(stop - text) : size;
    line l;
    if (read_line(d, at, end, &l)) {
      if (l.indent == 0 && !l.item && l.key[0])
        memcpy(section, l.key, sizeof section);
      take_line(d, section, &l);
    }
    hd_free(l.value);
    at = end + 1;
  }
}

/* --- tasks --- */

/* Does heddle have a word for what the file asks? If not, the sentence why. A
 * file that cannot be read is named in full. */
static char *refusal(const char *path, bool *read) {
  hd_diag *diag = hd_diag_new();
  hd_source source;
  hd_properties set = 0;
  char *why = NULL;
  bool ok = *read = hd_source_read(path, &source, diag);
  if (ok) {
    ok = hd_properties_prp(&source, &set, diag);
    hd_source_free(&source);
  }
  if (!ok)
    why = hd_strdup(hd_diag_first(diag));
  hd_diag_delete(diag);
  return why;
}

/* Takes over `why`. */
static void leave_out(hd_tasks *tasks, const char *path, bool whole,
                      char *why) {
  const char *slash = whole ? NULL : strrchr(path, '/');
  const char *name = slash ? slash + 1 : path;
  tasks->skipped++;
  for (hd_vec_each(hd_left_out, x, &tasks->left_out))
    if (!strcmp(x->name, name) && !strcmp(x->why, why)) {
      x->count++;
      hd_free(why);
      return;
    }
  hd_left_out fresh = {.name = hd_strdup(name), .why = why, .count = 1};
  hd_vec_push(&tasks->left_out, fresh);
}

static void add_tasks(hd_tasks *tasks, const definition *d) {
  bool c = !d->language || !strcmp(d->language, "C");
  for (hd_vec_each(const wanted, w, &d->properties)) {
    hd_task task = {0};
    hd_str option = {0};
    bool read;
    char *why = refusal(w->path, &read);
    if (!why && !c) {
      hd_str_printf(&option, "of programs in %s, which heddle does not read",
                    d->language);
      why = hd_str_take(&option);
    }
    if (why) {
      leave_out(tasks, w->path, !read, why);
      continue;
    }
    for (size_t i = 0; i < d->inputs.size; i++)
      hd_vec_push(&task.words, hd_strdup(d->inputs.data[i]));
    if (d->bits)
      hd_vec_push(&task.words, hd_strdup(d->bits));
    hd_str_printf(&option, "--property=%s", w->path);
    hd_vec_push(&task.words, hd_str_take(&option));
    if (w->expected)
      hd_task_expect(&task, w->expected);
    task.part = w->part ? hd_strdup(w->part) : NULL;
    hd_task_push(tasks, &task);
    tasks->defined++;
  }
}

/* Other files are YAML, too: witnesses, settings of other programs. */
static bool is_definition(const hd_source *source) {
  static const char *const key = "input_files:";
  for (const char *at = source->text; (at = strstr(at, key)); at++)
    if (at == source->text || at[-1] == '\n')
      return true;
  return false;
}

/* What every definition has. */
static void check_whole(const definition *d) {
  const char *path = d->source->name;
  if (!d->format || !d->inputs.size)
    hd_diag_file_error(d->diag, path,
                       "is no task definition: format_version or input_files "
                       "is missing");
  else if (!d->properties.size)
    hd_diag_file_error(d->diag, path,
                       "names no property: expected 'properties:' "
                       "with a 'property_file'");
}

bool hd_tasks_add_yml(hd_tasks *tasks, const char *path, bool found,
                      hd_diag *diag) {
  hd_source source;
  if (!hd_source_read(path, &source, diag))
    return false;
  if (found && !is_definition(&source)) {
    leave_out(tasks, path, true, hd_strdup("is no task definition"));
    hd_source_free(&source);
    return true;
  }
  size_t errors = hd_diag_errors(diag);
  definition d = {.source = &source, .diag = diag};
  read_definition(&d);
  if (found && d.format && !d.properties.size)
    leave_out(tasks, path, true, hd_strdup("names no property"));
  else if (hd_diag_errors(diag) == errors)
    check_whole(&d);
  bool ok = hd_diag_errors(diag) == errors;
  if (ok)
    add_tasks(tasks, &d);
  for (size_t i = 0; i < d.inputs.size; i++)
    hd_free(d.inputs.data[i]);
  hd_vec_free(&d.inputs);
  for (hd_vec_each(wanted, w, &d.properties)) {
    hd_free(w->path);
    hd_free(w->expected);
    hd_free(w->part);
  }
  hd_vec_free(&d.properties);
  hd_free(d.language);
  hd_source_free(&source);
  return ok;
}
