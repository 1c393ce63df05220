/* SPDX-License-Identifier: MIT */
/* A folder with a native replay: the program's files under src/, in the tree
 * they have, with what they include by "…", and the files of report/harness.h.
 */
#include "cli/harness.h"

#include "base/flags.h"
#include "report/harness.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef hd_vec(char *) paths;

typedef struct {
  hd_session *session;
  const char *folder;
  paths files; /* absolute; the program's own first */
  size_t own;
  paths dirs;  /* -I, absolute */
  size_t root; /* length of the folder all are in, with its slash */
} copier;

static bool trouble(copier *c, const char *path, const char *what) {
  hd_diag_file_error(c->session->diag, path, "%s: %s", what, strerror(errno));
  return false;
}

/* Every folder on the way to `path`. */
static bool make_folders(copier *c, const char *path) {
  char *copy = hd_strdup(path);
  bool ok = true;
  for (char *at = copy + 1; ok && (at = strchr(at, '/')); at++) {
    *at = 0;
    ok = mkdir(copy, 0777) == 0 || errno == EEXIST ||
         trouble(c, copy, "cannot make the folder");
    *at = '/';
  }
  hd_free(copy);
  return ok;
}

static bool write_file(copier *c, const char *name, const char *text,
                       size_t size) {
  hd_str path = {0};
  hd_str_printf(&path, "%s/%s", c->folder, name);
  bool ok = make_folders(c, hd_str_text(&path)) &&
            hd_session_write(c->session, hd_str_text(&path), text, size);
  hd_str_free(&path);
  return ok;
}

/* --- which files --- */

/* The absolute path, if there is such a file; the caller frees it with free. */
static void add_file(paths *list, const char *path) {
  char *real = realpath(path, NULL);
  if (!real)
    return;
  for (size_t i = 0; i < list->size; i++)
    if (!strcmp(list->data[i], real)) {
      free(real);
      return;
    }
  hd_vec_push(list, real);
}

static bool add_beside(copier *c, const char *folder, size_t length,
                       const char *name) {
  hd_str path = {0};
  hd_str_printf(&path, "%.*s/%s", (int)length, folder, name);
  bool there = access(hd_str_text(&path), R_OK) == 0;
  if (there)
    add_file(&c->files, hd_str_text(&path));
  hd_str_free(&path);
  return there;
}

/* The name behind #include " on a line, or NULL. */
static char *included(const char *line) {
  line += strspn(line, " \t");
  if (*line != '#')
    return NULL;
  line += 1 + strspn(line + 1, " \t");
  if (strncmp(line, "include", 7) != 0)
    return NULL;
  line += 7 + strspn(line + 7, " \t");
  if (*line != '"' && *line != '<')
    return NULL;
  size_t length = strcspn(line + 1, "\">\n");
  char *name = hd_calloc(length + 1, 1);
  memcpy(name, line + 1, length);
  return name;
}

/* Files that are included beside this one or in a -I folder; those that are
 * found nowhere belong to the system. */
static void add_included(copier *c, size_t file) {
  hd_source source;
  if (!hd_source_read(c->files.data[file], &source, c->session->diag))
    return;
  const char *path = c->files.data[file];
  size_t length = (size_t)(strrchr(path, '/') - path);
  for (const char *line = source.text; line; line = strchr(line, '\n')) {
    line += *line == '\n';
    char *name = included(line);
    if (!name)
      continue;
    bool there = add_beside(c, path, length, name);
    for (size_t i = 0; !there && i < c->dirs.size; i++)
      there = add_beside(c, c->dirs.data[i], strlen(c->dirs.data[i]), name);
    hd_free(name);
  }
  hd_source_free(&source);
}

static void gather(copier *c) {
  const hd_options *o = &c->session->options;
  for (size_t i = 0; i < o->n_operands; i++)
    add_file(&c->files, o->operands[i]);
  c->own = c->files.size;
  for (size_t i = 0; i < o->n_listed; i++) {
    if (o->listed[i].option == HD_OPTION_include)
      add_file(&c->files, o->listed[i].text);
    if (o->listed[i].option == HD_OPTION_include_dir)
      add_file(&c->dirs, o->listed[i].text);
  }
  for (size_t i = 0; i < c->files.size; i++)
    add_included(c, i);
  const char *first = c->files.data[0];
  c->root = (size_t)(strrchr(first, '/') - first) + 1;
  for (size_t i = 1; i < c->files.size; i++)
    while (strncmp(first, c->files.data[i], c->root) != 0)
      for (c->root--; first[c->root - 1] != '/'; c->root--)
        ;
}

static bool copy_files(copier *c) {
  bool ok = true;
  for (size_t i = 0; ok && i < c->files.size; i++) {
    hd_source source;
    ok = hd_source_read(c->files.data[i], &source, c->session->diag);
    if (!ok)
      break;
    hd_str name = {0};
    hd_str_printf(&name, "src/%s", c->files.data[i] + c->root);
    ok = write_file(c, hd_str_text(&name), source.text, source.size);
    hd_str_free(&name);
    hd_source_free(&source);
  }
  return ok;
}

/* --- what the compiler is told --- */

static void quote(hd_str *out, const char *text) {
  hd_str_puts(out, " '");
  for (; *text; text++) {
    if (*text == '\'')
      hd_str_puts(out, "'\\''");
    else if (*text == '$')
      hd_str_puts(out, "$$");
    else
      hd_str_append(out, text, 1);
  }
  hd_str_puts(out, "'");
}

static void quote_path(copier *c, hd_str *out, const char *option,
                       const char *path) {
  char *real = realpath(path, NULL);
  if (real && !strncmp(real, c->files.data[0], c->root)) {
    hd_str text = {0};
    hd_str_printf(&text, "%ssrc/%s", option, real + c->root);
    quote(out, hd_str_text(&text));
    hd_str_free(&text);
  }
  free(real);
}

static void compiler_flags(copier *c, hd_str *out) {
  const hd_options *o = &c->session->options;
  hd_str_puts(out, "-Iinclude");
  for (size_t i = 0; i < o->n_listed; i++) {
    const char *value = o->listed[i].text;
    hd_str text = {0};
    switch (o->listed[i].option) {
    case HD_OPTION_define:
    case HD_OPTION_undefine:
      hd_str_printf(&text, "-%c%s",
                    o->listed[i].option == HD_OPTION_define ? 'D' : 'U', value);
      quote(out, hd_str_text(&text));
      break;
    case HD_OPTION_cflag:
      if (hd_flag_find(value).use == HD_FLAG_LANGUAGE &&
          !hd_flag_find(value).path)
        quote(out, value);
      break;
    case HD_OPTION_include_dir:
      quote_path(c, out, "-I", value);
      break;
    case HD_OPTION_include:
      hd_str_puts(out, " -include");
      quote_path(c, out, "", value);
      break;
    default:
      break;
    }
    hd_str_free(&text);
  }
}

/* --- the folder --- */

static bool write_made(copier *c, const hd_harness *h) {
  static const struct {
    const char *name;
    void (*threads)(hd_str *, const hd_harness *);
    void (*mpi)(hd_str *, const hd_harness *);
  } made[] = {{"schedule.h", hd_harness_schedule, hd_harness_mpi_schedule},
              {"functions.h", hd_harness_functions, NULL},
              {"Makefile", hd_harness_makefile, hd_harness_mpi_makefile},
              {"README.md", hd_harness_readme, hd_harness_readme}};
  bool ok = true;
  for (size_t i = 0; ok && i < sizeof made / sizeof *made; i++) {
    void (*print)(hd_str *, const hd_harness *) =
        h->mpi ? made[i].mpi : made[i].threads;
    if (!print)
      continue;
    hd_str text = {0};
    print(&text, h);
    ok = write_file(c, made[i].name, hd_str_text(&text), text.size);
    hd_str_free(&text);
  }
  for (const hd_harness_file *f = hd_harness_files; ok && f->name; f++) {
    bool mpi = !strcmp(f->name, "replay_mpi.c");
    if (strcmp(f->name, "heddle.h") != 0 && mpi != (h->mpi != NULL))
      continue;
    hd_str name = {0};
    hd_str_printf(&name, "%s%s", strcmp(f->name, "heddle.h") ? "" : "include/",
                  f->name);
    ok = write_file(c, hd_str_text(&name), f->text, strlen(f->text));
    hd_str_free(&name);
  }
  return ok;
}

static bool write_folder(hd_session *session, hd_harness *h) {
  copier c = {.session = session, .folder = session->options.harness};
  gather(&c);
  paths sources = {0};
  for (size_t i = 0; i < c.own; i++) {
    hd_str name = {0};
    hd_str_printf(&name, "src/%s", c.files.data[i] + c.root);
    hd_vec_push(&sources, hd_str_take(&name));
  }
  hd_str flags = {0};
  compiler_flags(&c, &flags);
  h->sources = (const char *const *)sources.data;
  h->n_sources = sources.size;
  h->flags = hd_str_text(&flags);
  h->std = session->options.std ? session->options.std : "gnu11";
  bool ok = copy_files(&c) && write_made(&c, h);
  hd_str_free(&flags);
  for (size_t i = 0; i < sources.size; i++)
    hd_free(sources.data[i]);
  for (size_t i = 0; i < c.files.size; i++)
    free(c.files.data[i]);
  for (size_t i = 0; i < c.dirs.size; i++)
    free(c.dirs.data[i]);
  hd_vec_free(&sources);
  hd_vec_free(&c.files);
  hd_vec_free(&c.dirs);
  return ok;
}

static void note(hd_session *session, const char *why) {
  hd_diag_report(session->diag, HD_NOTE, NULL, (hd_pos){0},
                 "%s is not written: %s", session->options.harness, why);
}

static bool write_first(hd_session *session, hd_harness *h,
                        const hd_code_result *result) {
  const char *threads = session->options.threads;
  const char *why = "there is no violation";
  if (threads && !strcmp(threads, "unbounded")) {
    note(session, "a run with any number of threads is not replayed");
    return true;
  }
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    const hd_code_answer *answer = &result->answers[p];
    if (answer->verdict != HD_UNSAFE)
      continue;
    if (answer->start.inputs.size) {
      why = "its inputs are said in pragmas, which no compiler knows";
      continue;
    }
    if (answer->trace && answer->trace->code != h->code) {
      why = "it needs the value of a variable that is never set, which no "
            "native run can be given";
      continue;
    }
    h->turns = &answer->turns;
    h->violation = &answer->violation;
    why = hd_harness_trouble(h);
    if (!why)
      return write_folder(session, h);
  }
  note(session, why);
  return true;
}

bool hd_harness_write(hd_session *session, const hd_machine_options *machine,
                      const hd_code_result *result) {
  hd_harness h = {.code = session->code, .machine = machine};
  return !session->options.harness || write_first(session, &h, result);
}

bool hd_harness_write_mpi(hd_session *session, const hd_mpi_options *mpi,
                          const hd_code_result *result) {
  hd_harness h = {.code = session->code, .mpi = mpi};
  return !session->options.harness || write_first(session, &h, result);
}

static bool is_source(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && (!strcmp(dot, ".c") || !strcmp(dot, ".i"));
}

bool hd_harness_probe(hd_session *session) {
  const hd_options *o = &session->options;
  if (!o->harness)
    return true;
  for (size_t i = 0; i < o->n_operands; i++)
    if (!is_source(o->operands[i])) {
      hd_diag_file_error(session->diag, o->operands[i],
                         "--harness takes C source (.c, .i)");
      return false;
    }
  if (mkdir(o->harness, 0777) == 0 || errno == EEXIST)
    return true;
  hd_diag_file_error(session->diag, o->harness, "cannot make the folder: %s",
                     strerror(errno));
  return false;
}
