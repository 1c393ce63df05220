/* SPDX-License-Identifier: MIT */
/* C programs of a session: compiled by processes of their own, as many at the
 * same time as there are programs. */
#include "cli/session.h"
#include "front/c/c.h"
#include "front/code/code.h"
#include "front/litmus/litmus.h"
#include "model/weak.h"

#include <errno.h>
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

/* -I, -D … as heddle-cc takes them, in the order they were given. `program`: a
 * file that stands for the first one, or NULL. */
static hd_c_job *start(hd_session *session, file_range files, bool hold,
                       const char *program) {
  const hd_options *o = &session->options;
  hd_vec(char *) flags = {0};
  for (size_t i = 0; i < o->n_listed; i++) {
    hd_str flag = {0};
    hd_option option = o->listed[i].option;
    if (option == HD_OPTION_arg)
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
  if (o->m32 || o->m64)
    hd_vec_push(&flags, hd_strdup(o->m32 ? "--32" : "--64"));
  if (o->undefined && !strcmp(o->undefined, "havoc"))
    hd_vec_push(&flags, hd_strdup("--undefined=havoc"));
  if (o->project) {
    hd_vec_push(&flags, hd_strdup("-p"));
    hd_vec_push(&flags, hd_strdup(o->project));
  }
  hd_c_options options = {.name = o->operands[files.first],
                          .flags = (const char *const *)flags.data,
                          .n_flags = flags.size,
                          .hold = hold};
  /* The project stands for the files it has. */
  if (o->operands[files.first] == o->project)
    files.n = 0;
  hd_c_job *job = hd_c_start(program ? &program : o->operands + files.first,
                             program ? 1 : files.n, &options, session->diag);
  for (size_t i = 0; i < flags.size; i++)
    hd_free(flags.data[i]);
  hd_vec_free(&flags);
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
  hd_c_job *job = path ? start(session, (file_range){0, 1}, false, path) : NULL;
  if (job)
    code = hd_c_finish(job, session->diag);
  if (path)
    unlink(path);
  hd_free(path);
  hd_str_free(&text);
  hd_source_free(&source);
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
  if (!are_readable(session, files) ||
      (!is_graph(o, 0) && !(job = start(session, files, false, NULL))))
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
            (jobs[i] = start(session, (file_range){i, 1}, true, NULL)));
  for (size_t i = 0; i < 2; i++)
    codes[i] =
        jobs[i] || good ? finish(session, o->operands[i], jobs[i]) : NULL;
  return codes[0] && codes[1];
}
