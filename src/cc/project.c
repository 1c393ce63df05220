/* SPDX-License-Identifier: MIT */
#include "cc/project.h"

#include "base/flags.h"
#include "base/io.h"
#include "base/json.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct {
  cc_units *units;
  const cc_job *job;
  hd_arena *arena;
  hd_diag *diag;
  hd_source source;
  char here[PATH_MAX]; /* the working directory, with a slash */
  size_t first;        /* of units: the first of this project */
  /* the entry that is read */
  size_t offset;
  const char *directory;
  cc_job *made;
  size_t warned;
  bool skip_value, take_value, path_value;
} reader;

/* --- paths --- */

static const char *keep(reader *r, const hd_str *text) {
  return hd_arena_strndup(r->arena, hd_str_text(text), text->size);
}

/* `path` as the entry's compiler sees it; relative to where heddle runs if it
 * is below. */
static const char *resolve(reader *r, const char *path) {
  hd_str whole = {0};
  if (path[0] != '/')
    hd_str_printf(&whole, "%s/", r->directory);
  hd_str_puts(&whole, path);
  char *real = realpath(hd_str_text(&whole), NULL);
  const char *text = real ? real : hd_str_text(&whole);
  size_t n = strlen(r->here);
  if (!strncmp(text, r->here, n) && text[n])
    text += n;
  text = hd_arena_strndup(r->arena, text, strlen(text));
  free(real);
  hd_str_free(&whole);
  return text;
}

/* --- flags --- */

static void push_path(reader *r, const char *flag, size_t n, const char *path) {
  hd_str whole = {0};
  const char *found = resolve(r, path);
  /* Headers to include first are also looked for in the folders. */
  if (!strncmp(flag, "-include", 8) && access(found, R_OK) != 0)
    found = path;
  hd_str_append(&whole, flag, n);
  hd_str_puts(&whole, found);
  hd_vec_push(&r->made->flags, keep(r, &whole));
  hd_str_free(&whole);
}

static size_t name_length(const char *argument) {
  static const char *const flags[] = {"-isystem",  "-iquote",  "-idirafter",
                                      "-isysroot", "-imacros", "-include",
                                      "-I"};
  for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
    if (!strncmp(argument, flags[i], strlen(flags[i])))
      return strlen(flags[i]);
  return 0;
}

static void read_argument(reader *r, const char *argument) {
  cc_job *job = r->made;
  if (r->skip_value || r->take_value || r->path_value) {
    if (r->path_value)
      push_path(r, "", 0, argument);
    else if (r->take_value)
      hd_vec_push(&job->flags, argument);
    r->skip_value = r->take_value = r->path_value = false;
    return;
  }
  if (argument[0] != '-' || !strncmp(argument, "-o", 2)) {
    r->skip_value = !strcmp(argument, "-o");
    return;
  }
  hd_flag flag = hd_flag_find(argument);
  bool language = flag.use == HD_FLAG_LANGUAGE;
  size_t name = language && flag.path ? name_length(argument) : 0;
  if (name && !flag.separate)
    push_path(r, argument, name, argument + name);
  else if (language)
    hd_vec_push(&job->flags, argument);
  else if (flag.use == HD_FLAG_STANDARD)
    job->standard = argument;
  else if (flag.use == HD_FLAG_WIDTH)
    job->narrow = !strcmp(argument, "-m32");
  else if (flag.use == HD_FLAG_UNKNOWN && !r->warned++)
    hd_diag_warning(
        r->diag, &r->source, hd_source_pos(&r->source, r->offset, 1),
        "flag '%s' is not known and left out, here and elsewhere", argument);
  r->path_value = flag.separate && language && flag.path;
  r->take_value = flag.separate && language && !flag.path;
  r->skip_value = flag.separate && !language;
}

static void visit_argument(void *context, const hd_str *value, size_t offset) {
  (void)offset;
  reader *r = context;
  read_argument(r, keep(r, value));
}

/* Words as a shell splits them. */
static void read_command(reader *r, const char *at) {
  hd_str word = {0};
  bool any = false;
  char quote = 0;
  for (;; at++) {
    bool blank = !quote && strchr(" \t\n", *at);
    if (!*at || blank) {
      if (any)
        read_argument(r, keep(r, &word));
      hd_vec_clear(&word);
      any = false;
      if (!*at)
        break;
      continue;
    }
    any = true;
    if (*at == quote)
      quote = 0;
    else if (!quote && (*at == '"' || *at == '\''))
      quote = *at;
    else if (*at == '\\' && quote != '\'' && at[1])
      hd_str_append(&word, ++at, 1);
    else
      hd_str_append(&word, at, 1);
  }
  hd_str_free(&word);
}

/* --- entries --- */

static bool is_c(const char *file) {
  return hd_cc_ends_with(file, ".c") || hd_cc_ends_with(file, ".i");
}

static cc_unit *find_unit(reader *r, const char *file) {
  for (size_t i = r->first; i < r->units->size; i++)
    if (!strcmp(r->units->data[i].file, file))
      return &r->units->data[i];
  return NULL;
}

static void wrong_entry(reader *r, const char *what) {
  hd_diag_error(r->diag, &r->source, hd_source_pos(&r->source, r->offset, 1),
                "this entry %s: expected {\"directory\": …, \"file\": …, and "
                "\"command\": … or \"arguments\": […]}",
                what);
}

static void visit_entry(void *context, const hd_str *value, size_t offset) {
  reader *r = context;
  const char *text = hd_str_text(value);
  hd_str directory = {0}, file = {0}, command = {0}, arguments = {0};
  r->offset = offset;
  if (!hd_json_find(text, value->size, "directory", &directory) ||
      !hd_json_find(text, value->size, "file", &file) ||
      !hd_json_find(text, value->size, "command", &command) ||
      !hd_json_find(text, value->size, "arguments", &arguments)) {
    wrong_entry(r, "is no object");
  } else if (!file.size || !directory.size) {
    wrong_entry(r, file.size ? "has no directory" : "has no file");
  } else if (!command.size && !arguments.size) {
    wrong_entry(r, "has neither command nor arguments");
  } else if (is_c(hd_str_text(&file))) {
    r->directory = keep(r, &directory);
    const char *name = resolve(r, hd_str_text(&file));
    /* Two targets may compile the same file; the first counts. */
    if (!find_unit(r, name)) {
      r->made = hd_arena_alloc(r->arena, sizeof *r->made);
      *r->made = (cc_job){.include = r->job->include};
      r->skip_value = r->take_value = r->path_value = false;
      if (arguments.size)
        hd_json_each(hd_str_text(&arguments), arguments.size, visit_argument,
                     r);
      else
        read_command(r, hd_str_text(&command));
      for (size_t i = 0; i < r->job->flags.size; i++)
        hd_vec_push(&r->made->flags, r->job->flags.data[i]);
      if (r->job->standard)
        r->made->standard = r->job->standard;
      r->made->narrow = (r->made->narrow || r->job->narrow) && !r->job->wide;
      hd_vec_push(r->units,
                  ((cc_unit){.file = name, .job = r->made, .lazy = true}));
    }
  }
  hd_str_free(&directory);
  hd_str_free(&file);
  hd_str_free(&command);
  hd_str_free(&arguments);
}

static bool read_database(reader *r, const char *where) {
  struct stat about;
  hd_str path = {0};
  hd_str_puts(&path, where);
  if (stat(where, &about) == 0 && S_ISDIR(about.st_mode))
    hd_str_puts(&path, "/compile_commands.json");
  bool good = hd_source_read(hd_str_text(&path), &r->source, r->diag);
  hd_str_free(&path);
  if (!good)
    return false;
  size_t wrong;
  if (!hd_json_check(r->source.text, r->source.size, &wrong))
    hd_diag_error(r->diag, &r->source, hd_source_pos(&r->source, wrong, 1),
                  "this is not JSON%s",
                  wrong == r->source.size ? ": the text ends too early" : "");
  else if (r->source.text[strspn(r->source.text, " \t\r\n")] != '[')
    hd_diag_error(r->diag, &r->source, hd_source_pos(&r->source, 0, 1),
                  "expected a list of compile commands: [ … ]");
  else
    hd_json_each(r->source.text, r->source.size, visit_entry, r);
  return !hd_diag_errors(r->diag);
}

/* --- which make the program --- */

static bool name_roots(reader *r, const char *const *files, size_t n,
                       const char *like) {
  bool good = true;
  r->directory = ".";
  cc_unit *model = like ? find_unit(r, resolve(r, like)) : NULL;
  const cc_job *job = model ? model->job : r->job;
  if (model) /* who is like it includes it */
    model->done = true;
  for (size_t i = 0; i < n && good; i++) {
    const char *name = resolve(r, files[i]);
    cc_unit *unit = find_unit(r, name);
    if (unit)
      unit->lazy = false;
    else if (model)
      good = hd_cc_add_file(r->units, job, files[i], r->arena);
    else /* a test beside the project, say */
      good = hd_cc_add_file(r->units, r->job, files[i], r->arena);
  }
  return good;
}

static bool find_root(reader *r) {
  hd_str found = {0};
  size_t n = 0;
  cc_unit *root = NULL;
  for (size_t i = r->first; i < r->units->size; i++) {
    hd_str text = {0};
    cc_unit *unit = &r->units->data[i];
    if (hd_cc_read_file(unit->file, &text) &&
        hd_cc_may_define(hd_str_text(&text), "main")) {
      root = unit;
      if (n++ < 20)
        hd_str_printf(&found, "%s %s", n > 1 ? "," : ":", unit->file);
    }
    hd_str_free(&text);
  }
  if (n == 1)
    root->lazy = false;
  else if (!n)
    hd_diag_file_error(r->diag, r->source.name,
                       "no file of the project has a function main: name the "
                       "files that make the program");
  else
    hd_diag_file_error(r->diag, r->source.name,
                       "%zu files of the project have a function main: name "
                       "the one that is meant%s%s",
                       n, hd_str_text(&found), n > 20 ? ", …" : "");
  hd_str_free(&found);
  return n == 1;
}

bool hd_cc_add_project(cc_units *units, const char *where,
                       const char *const *files, size_t n_files,
                       const char *like, const cc_job *job, hd_arena *arena) {
  reader r = {.units = units,
              .job = job,
              .arena = arena,
              .diag = hd_diag_new(),
              .first = units->size};
  if (getcwd(r.here, sizeof r.here - 1))
    strcat(r.here, strcmp(r.here, "/") ? "/" : "");
  bool good = read_database(&r, where) &&
              (n_files ? name_roots(&r, files, n_files, like) : find_root(&r));
  hd_diag_print(r.diag, stderr, false);
  hd_diag_delete(r.diag);
  hd_source_free(&r.source);
  return good;
}
