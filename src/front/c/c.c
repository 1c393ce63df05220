/* SPDX-License-Identifier: MIT */
#include "front/c/c.h"

#include "base/io.h"
#include "front/code/code.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

/* The folder this program is in, with a slash; empty when nobody knows. */
static void own_folder(hd_str *out) {
  char path[4096];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path);
  while (n > 0 && path[n - 1] != '/')
    n--;
  if (n > 0)
    hd_str_append(out, path, (size_t)n);
}

/* Where a shell would find it: programs that use the library are elsewhere. */
static char *on_the_path(const char *name) {
  const char *at = getenv("PATH");
  while (at && *at) {
    size_t n = strcspn(at, ":");
    hd_str path = {0};
    hd_str_append(&path, at, n);
    hd_str_printf(&path, "/%s", name);
    if (n && access(hd_str_text(&path), X_OK) == 0)
      return hd_str_take(&path);
    hd_str_free(&path);
    at += n + (at[n] == ':');
  }
  return NULL;
}

char *hd_c_find(void) {
  static const char *const places[] = {"heddle-cc", "src/cc/heddle-cc",
                                       "../libexec/heddle/heddle-cc"};
  const char *told = getenv("HEDDLE_CC");
  if (told && *told)
    return hd_strdup(told);
  hd_str path = {0};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    hd_vec_clear(&path);
    own_folder(&path);
    hd_str_puts(&path, places[i]);
    if (access(hd_str_text(&path), X_OK) == 0)
      return hd_str_take(&path);
  }
  hd_str_free(&path);
  return on_the_path("heddle-cc");
}

typedef hd_vec(const char *) words;

struct hd_c_job {
  char *compiler;
  const char *name;     /* the first file */
  FILE *out, *messages; /* messages: NULL when they are the user's at once */
  hd_str *keep;         /* who gets them instead; may be NULL */
  pid_t child;
};

/* Ends in execv, or says why not. */
static _Noreturn void become(const words *command, const hd_c_job *job,
                             int report) {
  prctl(PR_SET_PDEATHSIG, SIGKILL); /* nobody would read its output */
  dup2(fileno(job->out), STDOUT_FILENO);
  if (job->messages)
    dup2(fileno(job->messages), STDERR_FILENO);
  if (fcntl(report, F_SETFD, FD_CLOEXEC) == 0)
    execv(command->data[0], (char *const *)(uintptr_t)command->data);
  int error = errno;
  (void)!write(report, &error, sizeof error);
  _exit(127);
}

/* False, with errno, when there is no such process. */
static bool launch(const words *command, hd_c_job *job) {
  int error = 0;
  int report[2]; /* the child says here why it could not be started */
  if (pipe2(report, O_CLOEXEC) != 0)
    return false;
  job->child = fork();
  if (job->child == 0)
    become(command, job, report[1]);
  error = job->child < 0 ? errno : 0;
  close(report[1]);
  while (!error && read(report[0], &error, sizeof error) < 0 && errno == EINTR)
    ;
  close(report[0]);
  if (error && job->child > 0)
    while (waitpid(job->child, NULL, 0) < 0 && errno == EINTR)
      ;
  errno = error;
  return !error;
}

static void take_all(FILE *file, hd_str *text) {
  char buffer[65536];
  size_t n;
  rewind(file);
  while ((n = fread(buffer, 1, sizeof buffer, file)) > 0)
    hd_str_append(text, buffer, n);
}

/* What was held back goes to the user, or to who keeps it. */
static void hand_messages(const hd_c_job *job) {
  hd_str text = {0};
  take_all(job->messages, job->keep ? job->keep : &text);
  fputs(hd_str_text(&text), stderr);
  hd_str_free(&text);
}

static hd_source take_output(FILE *file, const char *name) {
  hd_str text = {0};
  take_all(file, &text);
  hd_source source = hd_source_from_text(name, hd_str_text(&text), text.size);
  hd_str_free(&text);
  return source;
}

/* Says what went wrong, where heddle-cc has not. True when nothing did. */
static bool judge(int status, const char *path, hd_diag *diag) {
  if (WIFSIGNALED(status))
    hd_diag_report(diag, HD_ERROR, NULL, (hd_pos){0},
                   "'%s', which compiles C programs, was ended by signal %d "
                   "(%s)",
                   path, WTERMSIG(status), strsignal(WTERMSIG(status)));
  else if (WEXITSTATUS(status) != 0)
    hd_diag_report(diag, HD_ERROR, NULL, (hd_pos){0},
                   "the program cannot be compiled: see above");
  return status == 0;
}

static void drop(hd_c_job *job) {
  if (job->out)
    fclose(job->out);
  if (job->messages)
    fclose(job->messages);
  hd_free(job->compiler);
  hd_free(job);
}

/* heddle-cc would say so too, but about each file with the noise of clang. */
static bool readable(const char *const *files, size_t n_files, hd_diag *diag) {
  bool ok = true;
  for (size_t i = 0; i < n_files; i++)
    if (access(files[i], R_OK) != 0) {
      hd_diag_file_error(diag, files[i], "cannot read: %s", strerror(errno));
      ok = false;
    }
  return ok;
}

/* Takes `job`, which is returned or dropped. */
static hd_c_job *begin(hd_c_job *job, const words *command, bool hold,
                       hd_diag *diag) {
  job->out = tmpfile();
  job->messages = hold ? tmpfile() : NULL;
  if (!job->out || (hold && !job->messages))
    hd_diag_report(diag, HD_ERROR, NULL, (hd_pos){0},
                   "cannot make a temporary file: %s", strerror(errno));
  else if (!launch(command, job))
    hd_diag_report(diag, HD_ERROR, NULL, (hd_pos){0},
                   "'%s', which compiles C programs, cannot be started: %s",
                   job->compiler, strerror(errno));
  else
    return job;
  drop(job);
  return NULL;
}

hd_c_job *hd_c_start(const char *const *files, size_t n_files,
                     const hd_c_options *options, hd_diag *diag) {
  if (!readable(files, n_files, diag))
    return NULL;
  char *path = hd_c_find();
  if (!path) {
    hd_diag_report(diag, HD_ERROR, NULL, (hd_pos){0},
                   "C programs need heddle-cc, and it is not beside heddle: "
                   "install clang-19 and llvm-19-dev and build heddle again, "
                   "or let HEDDLE_CC name it");
    return NULL;
  }
  words command = {0};
  hd_vec_push(&command, path);
  hd_vec_push(&command, options->declares ? "--declarations" : "--graph");
  for (size_t i = 0; i < options->n_flags; i++)
    hd_vec_push(&command, options->flags[i]);
  hd_vec_push(&command, "--"); /* a file's name may begin with '-' */
  for (size_t i = 0; i < n_files; i++)
    hd_vec_push(&command, files[i]);
  hd_vec_push(&command, NULL);
  hd_c_job *job = hd_calloc(1, sizeof *job);
  *job = (hd_c_job){
      .compiler = path, .name = options->name, .keep = options->keep};
  job = begin(job, &command, options->hold || options->keep, diag);
  hd_vec_free(&command);
  return job;
}

/* Waits for it; true when all went well. */
static bool await(const hd_c_job *job, hd_diag *diag) {
  int status = -1;
  while (waitpid(job->child, &status, 0) < 0 && errno == EINTR)
    ;
  if (job->messages)
    hand_messages(job);
  return judge(status, job->compiler, diag);
}

bool hd_c_finish_text(hd_c_job *job, hd_str *out, hd_diag *diag) {
  bool good = await(job, diag);
  if (good)
    take_all(job->out, out);
  drop(job);
  return good;
}

hd_code *hd_c_finish(hd_c_job *job, hd_diag *diag) {
  hd_code *code = NULL;
  if (await(job, diag)) {
    hd_source source = take_output(job->out, job->name);
    code = hd_code_read(&source, diag);
    hd_source_free(&source);
  }
  drop(job);
  return code;
}
