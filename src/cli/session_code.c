/* SPDX-License-Identifier: MIT */
/* C programs of a session: compiled by processes of their own, as many at the
 * same time as there are programs. */
#include "cli/driver.h"
#include "cli/session.h"
#include "front/c/c.h"
#include "front/code/code.h"
#include "front/litmus/litmus.h"
#include "model/weak.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The operands from `first` on. */
typedef struct {
  size_t first, n;
} file_range;

static bool is_graph(const hd_options *o, size_t operand) {
  const char *dot = strrchr(o->operands[operand], '.');
  return !strcmp(o->input_format, "code") ||
         (strcmp(o->input_format, "c") && dot && !strcmp(dot, ".code"));
}

static bool are_readable(hd_session *session, file_range files) {
  const hd_options *o = &session->options;
  for (size_t i = files.first; i < files.first + files.n; i++) {
    if (is_graph(o, i) && files.n > 1) {
      hd_diag_file_error(session->diag, o->operands[i],
                         "a code graph is a whole program: no other file can "
                         "be given with it");
      return false;
    }
    if (!is_graph(o, i) && !strcmp(o->operands[i], "-")) {
      hd_diag_report(session->diag, HD_ERROR, NULL, (hd_pos){0},
                     "C cannot be read from standard input: give a file");
      return false;
    }
  }
  return true;
}

/* Two times the same file: what it does without OpenMP is the specification. */
static bool is_without_openmp(const hd_options *o, file_range files) {
  return o->command == HD_COMMAND_COMPARE && !files.first &&
         o->n_operands == 2 && !strcmp(o->operands[0], o->operands[1]);
}

typedef hd_vec(char *) words;

/* -I, -D … as heddle-cc takes them, in the order they were given. */
static words list_flags(const hd_options *o, file_range files) {
  words flags = {0};
  for (size_t i = 0; i < o->n_listed; i++) {
    hd_str flag = {0};
    hd_option option = o->listed[i].option;
    if (option == HD_OPTION_arg || option == HD_OPTION_entry)
      continue;
    if (option == HD_OPTION_include)
      hd_vec_push(&flags, hd_strdup("-include"));
    else if (option != HD_OPTION_cflag)
      hd_str_printf(&flag, "-%c", hd_option_infos[option].letter);
    hd_str_puts(&flag, o->listed[i].text);
    hd_vec_push(&flags, hd_str_take(&flag));
  }
  if (o->std) {
    hd_str flag = {0};
    hd_str_printf(&flag, "-std=%s", o->std);
    hd_vec_push(&flags, hd_str_take(&flag));
  }
  if (is_without_openmp(o, files))
    hd_vec_push(&flags, hd_strdup("-fno-openmp"));
  if (o->m32 || o->m64)
    hd_vec_push(&flags, hd_strdup(o->m32 ? "--32" : "--64"));
  if (o->undefined && !strcmp(o->undefined, "havoc"))
    hd_vec_push(&flags, hd_strdup("--undefined=havoc"));
  if (o->project) {
    hd_vec_push(&flags, hd_strdup("-p"));
    hd_vec_push(&flags, hd_strdup(o->project));
  }
  return flags;
}

static void free_words(words *list) {
  for (size_t i = 0; i < list->size; i++)
    hd_free(list->data[i]);
  hd_vec_free(list);
}

/* `programs`: files that stand for the operands, or NULL; what they have instead of
 * operand `like` includes that file. */
static hd_c_job *start(hd_session *session, file_range files, bool hold,
                       const char *const *programs, const char *like) {
  const hd_options *o = &session->options;
  words flags = list_flags(o, files);
  if (o->project && like) {
    hd_str flag = {0};
    hd_str_printf(&flag, "--like=%s", like);
    hd_vec_push(&flags, hd_str_take(&flag));
  }
  hd_c_options options = {.name = o->operands[files.first],
                          .flags = (const char *const *)flags.data,
                          .n_flags = flags.size,
                          .hold = hold};
  /* The project stands for the files it has. */
  if (o->operands[files.first] == o->project)
    files.n = 0;
  hd_c_job *job = hd_c_start(programs ? programs : o->operands + files.first,
                             files.n, &options, session->diag);
  free_words(&flags);
  return job;
}

/* A file with the text, whose name is kept; NULL after an error. */
static char *write_program(const hd_str *text, hd_diag *diag) {
  const char *folder = getenv("TMPDIR");
  hd_str name = {0};
  hd_str_printf(&name, "%s/heddle-XXXXXX.c", folder ? folder : "/tmp");
  char *path = hd_str_take(&name);
  int fd = mkstemps(path, 2);
  FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
  bool good = file && fwrite(text->data, 1, text->size, file) == text->size;
  good = (!file || !fclose(file)) && good;
  if (good)
    return path;
  hd_diag_report(diag, HD_ERROR, NULL, (hd_pos){0},
                 "cannot write a temporary file: %s", strerror(errno));
  hd_free(path);
  return NULL;
}

/* Litmus tests are compiled as the C programs that they stand for. */
static hd_code *read_litmus(hd_session *session) {
  const char *name = session->options.operands[0];
  hd_source source;
  hd_str text = {0};
  hd_code *code = NULL;
  if (session->options.n_operands > 1) {
    hd_diag_file_error(session->diag, session->options.operands[1],
                       "a litmus test is a whole program: no other file can "
                       "be given with it");
    return NULL;
  }
  if (!hd_source_read(name, &source, session->diag))
    return NULL;
  char *path = hd_litmus_write(&source, &text, &session->litmus, session->diag)
                   ? write_program(&text, session->diag)
                   : NULL;
  const char *programs[] = {path};
  hd_c_job *job =
      path ? start(session, (file_range){0, 1}, false, programs, NULL) : NULL;
  if (job)
    code = hd_c_finish(job, session->diag);
  if (path)
    unlink(path);
  hd_free(path);
  hd_str_free(&text);
  hd_source_free(&source);
  return code;
}

/* --- functions instead of main --- */

/* Does the file define them all? */
static bool defines_entries(const hd_options *o,
                            const hd_c_declarations *declared) {
  for (size_t i = 0; i < o->n_listed; i++) {
    if (o->listed[i].option != HD_OPTION_entry)
      continue;
    const hd_c_function *f = hd_c_declared(declared, o->listed[i].text);
    if (!f || !f->defined)
      return false;
  }
  return true;
}

static bool declare(hd_session *session, size_t operand,
                    hd_c_declarations *declared) {
  const hd_options *o = &session->options;
  words flags = list_flags(o, (file_range){operand, 1});
  hd_c_options options = {.name = o->operands[operand],
                          .flags = (const char *const *)flags.data,
                          .n_flags = flags.size,
                          .declares = true};
  hd_str text = {0};
  hd_c_job *job = hd_c_start(o->operands + operand, 1, &options, session->diag);
  bool good = job && hd_c_finish_text(job, &text, session->diag);
  if (good)
    hd_c_declarations_read(hd_str_text(&text), declared);
  hd_str_free(&text);
  free_words(&flags);
  return good;
}

/* The parameter that another function has as well: a pointer to a struct. */
static const char *shared_type(const hd_driver *driver,
                               const hd_c_function *const *calls, size_t n) {
  hd_driver with = *driver;
  for (size_t i = 0; n > 1 && i < calls[0]->params.size; i++) {
    hd_str to = {0};
    with.type = calls[0]->params.data[i];
    bool record =
        hd_c_kind_of(with.declared, with.type, &to) == HD_C_POINTER &&
        hd_c_kind_of(with.declared, hd_str_text(&to), NULL) == HD_C_RECORD;
    hd_str_free(&to);
    if (record && hd_driver_takes_object(&with, calls[1]))
      return with.type;
  }
  return NULL;
}

/* A file with a main that calls them; NULL after a message. */
static char *write_entries(hd_session *session, size_t operand,
                           const hd_c_declarations *declared) {
  const hd_options *o = &session->options;
  hd_vec(const hd_c_function *) calls = {0};
  char file[PATH_MAX];
  hd_str text = {0}, why = {0};
  for (size_t i = 0; i < o->n_listed; i++)
    if (o->listed[i].option == HD_OPTION_entry)
      hd_vec_push(&calls, hd_c_declared(declared, o->listed[i].text));
  for (size_t i = 0; i < calls.size; i++)
    for (size_t k = 0; k < calls.data[i]->params.size; k++)
      session->zeroed = session->zeroed ||
                        hd_c_kind_of(declared, calls.data[i]->params.data[k],
                                     NULL) == HD_C_POINTER;
  hd_driver driver = {.declared = declared,
                      .include = realpath(o->operands[operand], file),
                      .source = true,
                      .low = 1};
  driver.type = shared_type(&driver, calls.data, calls.size);
  char *path = NULL;
  if (driver.include &&
      hd_driver_write(&driver, calls.data, calls.size, &text, &why))
    path = write_program(&text, session->diag);
  else
    hd_diag_file_error(session->diag, o->operands[operand], "--entry: %s",
                       hd_str_text(&why));
  hd_vec_free(&calls);
  hd_str_free(&text);
  hd_str_free(&why);
  return path;
}

/* The program with functions that are called instead of main. */
static hd_code *read_entries(hd_session *session, size_t n_files) {
  const hd_options *o = &session->options;
  hd_c_declarations declared = {0};
  size_t found = 0;
  bool good = true;
  for (; found < n_files && good; found++) {
    const char *dot = strrchr(o->operands[found], '.');
    hd_c_declarations_free(&declared);
    declared = (hd_c_declarations){0};
    if (!dot || strcmp(dot, ".c"))
      continue;
    good = declare(session, found, &declared);
    if (good && defines_entries(o, &declared))
      break;
  }
  hd_code *code = NULL;
  if (good && found == n_files)
    hd_diag_file_error(session->diag, o->operands[0],
                       "--entry: no file that is given defines%s",
                       o->entry > 1 ? " all of these functions"
                                    : " this function");
  char *path =
      good && found < n_files ? write_entries(session, found, &declared) : NULL;
  if (path) {
    hd_vec(const char *) programs = {0};
    for (size_t i = 0; i < n_files; i++)
      hd_vec_push(&programs, i == found ? path : o->operands[i]);
    hd_c_job *job = start(session, (file_range){0, n_files}, false,
                          programs.data, o->operands[found]);
    if (job)
      code = hd_c_finish(job, session->diag);
    hd_vec_free(&programs);
    unlink(path);
  }
  hd_free(path);
  hd_c_declarations_free(&declared);
  return code;
}

static hd_code *read_graph(hd_session *session, const char *name) {
  hd_source source;
  if (!hd_source_read(name, &source, session->diag))
    return NULL;
  hd_code *code = hd_code_read(&source, session->diag);
  hd_source_free(&source);
  return code;
}

/* The program, or NULL after a message. */
static hd_code *finish(hd_session *session, const char *name, hd_c_job *job) {
  hd_code *code =
      job ? hd_c_finish(job, session->diag) : read_graph(session, name);
  const char *volatiles = session->options.volatiles;
  if (code && volatiles && !strcmp(volatiles, "relaxed"))
    session->relaxed = hd_code_relax_volatile(code);
  if (code && code->main == HD_NO_ID &&
      session->options.command != HD_COMMAND_SHOW &&
      session->options.command != HD_COMMAND_STUBS) {
    hd_diag_file_error(session->diag, name, "there is no function 'main'");
    hd_code_delete(code);
    return NULL;
  }
  return code;
}

bool hd_session_read_code(hd_session *session, size_t n_files) {
  const hd_options *o = &session->options;
  file_range files = {0, n_files};
  hd_c_job *job = NULL;
  if (hd_options_litmus(o)) {
    session->code = read_litmus(session);
    return session->code != NULL;
  }
  if (o->entry) {
    session->code = read_entries(session, n_files);
    return session->code != NULL;
  }
  if (!are_readable(session, files) ||
      (!is_graph(o, 0) && !(job = start(session, files, false, NULL, NULL))))
    return false;
  session->code = finish(session, o->operands[0], job);
  return session->code != NULL;
}

bool hd_session_read_pair(hd_session *session, hd_code *codes[2]) {
  const hd_options *o = &session->options;
  hd_c_job *jobs[2] = {0};
  bool good = true;
  for (size_t i = 0; i < 2 && good; i++)
    good = are_readable(session, (file_range){i, 1}) &&
           (is_graph(o, i) ||
            (jobs[i] = start(session, (file_range){i, 1}, true, NULL, NULL)));
  for (size_t i = 0; i < 2; i++)
    codes[i] =
        jobs[i] || good ? finish(session, o->operands[i], jobs[i]) : NULL;
  return codes[0] && codes[1];
}
