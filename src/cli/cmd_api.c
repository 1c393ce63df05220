/* SPDX-License-Identifier: MIT */
/* heddle api: which functions of a library may be called at the same time. For any
 * two (--at-once: or more) a program is made (driver.h) and verified by a process of
 * its own, as `heddle verify` would be by hand. */
#include "cli/driver.h"
#include "cli/session.h"
#include "front/c/c.h"
#include "model/property.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

enum { AT_ONCE_MOST = 3, SECONDS = 10 };

typedef hd_vec(char *) texts;

typedef struct {
  hd_session *session;
  hd_c_declarations declared;
  hd_driver driver;
  hd_str header, type;
  hd_vec(const hd_c_function *) functions;
  texts flags; /* for the compiler */
  char *folder;
  hd_str report;
  size_t rows, unsafe, unknown;
  bool failed; /* something cannot be written or started */
} task;

static void free_texts(texts *t) {
  for (size_t i = 0; i < t->size; i++)
    hd_free(t->data[i]);
  hd_vec_free(t);
}

/* --- what there is --- */

/* Is the name in the text, before a parenthesis? */
static bool is_called_in(const char *text, const char *name) {
  size_t n = strlen(name);
  for (const char *at = text; (at = strstr(at, name)); at += n) {
    const char *behind = at + n;
    bool whole =
        at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
    while (isspace((unsigned char)*behind))
      behind++;
    if (whole && *behind == '(')
      return true;
  }
  return false;
}

static bool is_word_of(const char *text, const char *name) {
  size_t n = strlen(name);
  return text && !strncmp(text, name, n) &&
         !(isalnum((unsigned char)text[n]) || text[n] == '_');
}

static void choose_functions(task *t) {
  for (hd_vec_each(const hd_c_function, f, &t->declared.functions)) {
    bool again = false;
    for (size_t i = 0; i < t->functions.size; i++)
      again = again || !strcmp(t->functions.data[i]->name, f->name);
    if (!again && is_called_in(hd_str_text(&t->header), f->name) &&
        !is_word_of(t->driver.init, f->name) &&
        !is_word_of(t->driver.fini, f->name) &&
        (!t->driver.type || hd_driver_takes_object(&t->driver, f)))
      hd_vec_push(&t->functions, f);
  }
}

/* --- one program --- */

static void list_flags(task *t) {
  const hd_options *o = &t->session->options;
  for (size_t i = 0; i < o->n_listed; i++) {
    hd_str flag = {0};
    hd_option option = o->listed[i].option;
    if (option == HD_OPTION_include)
      hd_str_puts(&flag, "-include");
    if (option == HD_OPTION_include)
      hd_vec_push(&t->flags, hd_str_take(&flag));
    else if (option != HD_OPTION_cflag)
      hd_str_printf(&flag, "-%c", hd_option_infos[option].letter);
    hd_str_puts(&flag, o->listed[i].text);
    hd_vec_push(&t->flags, hd_str_take(&flag));
  }
  hd_str flag = {0};
  if (o->std) {
    hd_str_printf(&flag, "-std=%s", o->std);
    hd_vec_push(&t->flags, hd_str_take(&flag));
  }
  if (o->m32 || o->m64)
    hd_vec_push(&t->flags, hd_strdup(o->m32 ? "--32" : "--64"));
}

/* Runs `heddle verify` on the file; its report is appended. */
static bool verify(task *t, const char *driver, hd_str *out) {
  const hd_options *o = &t->session->options;
  hd_vec(const char *) words = {0};
  char self[PATH_MAX], limit[64];
  ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
  self[n > 0 ? n : 0] = 0;
  snprintf(limit, sizeof limit, "--timeout=%g",
           o->call_timeout > 0 ? o->call_timeout : SECONDS);
  hd_vec_push(&words, self);
  hd_vec_push(&words, "verify");
  hd_vec_push(&words, driver);
  for (size_t i = 1; i < o->n_operands; i++)
    hd_vec_push(&words, o->operands[i]);
  for (size_t i = 0; i < t->flags.size; i++)
    hd_vec_push(&words, t->flags.data[i]);
  hd_vec_push(&words, limit);
  hd_vec_push(&words, "--check=memory");
  hd_vec_push(&words, "--fail-fast");
  hd_vec_push(&words, "--color=never");
  hd_vec_push(&words, NULL);
  int ends[2], status = -1;
  pid_t child;
  bool good = n > 0 && !pipe2(ends, O_CLOEXEC);
  if (good) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
    good = !posix_spawn(&child, self, &actions, NULL,
                        (char *const *)(uintptr_t)words.data, environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[1]);
    char buffer[4096];
    for (ssize_t k; good && (k = read(ends[0], buffer, sizeof buffer)) != 0;)
      if (k > 0)
        hd_str_append(out, buffer, (size_t)k);
      else if (errno != EINTR)
        break;
    close(ends[0]);
    while (good && waitpid(child, &status, 0) < 0 && errno == EINTR)
      ;
  }
  hd_vec_free(&words);
  return good && WIFEXITED(status) &&
         (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == 5 ||
          WEXITSTATUS(status) == 10);
}

/* A line, and those behind it that belong to the sentence: up to who was seen doing
 * it. */
static void put_sentence(const char *at, hd_str *out) {
  enum { LINES = 6 };
  for (int i = 0; i < LINES; i++) {
    size_t n = strcspn(at, "\n");
    bool last = !n || at[n - 1] == ':' || at[n - 1] == ',';
    hd_str_append(out, at, n && last ? n - 1 : n);
    at += n + (at[n] == '\n');
    if (last || strncmp(at, "  ", 2) != 0)
      return;
    hd_str_puts(out, " ");
    at += strspn(at, " ");
  }
}

/* The rest of the first line that begins with `with` and does not go on with a
 * verdict. */
static bool find_line(const char *report, const char *with, hd_str *out) {
  for (const char *at = report; *at; at += strcspn(at, "\n"), at += *at == '\n')
    if (!strncmp(at, with, strlen(with))) {
      const char *rest = at + strlen(with);
      if (!strncmp(rest, "safe", 4) || !strncmp(rest, "unsafe", 6) ||
          !strncmp(rest, "unknown", 7))
        continue;
      put_sentence(rest, out);
      return true;
    }
  return false;
}

/* The last line's verdict, with the reason. */
static const char *verdict_of(const char *report) {
  const char *last = NULL;
  for (const char *at = report; (at = strstr(at, "verdict: ")); at++)
    if (at == report || at[-1] == '\n')
      last = at + strlen("verdict: ");
  return last ? last : "";
}

/* "race", and what the report says of it. */
static void summarise(const char *report, hd_str *what, hd_str *detail) {
  const char *verdict = verdict_of(report);
  if (!strncmp(verdict, "safe", 4)) {
    hd_str_puts(what, "safe");
    return;
  }
  if (!strncmp(verdict, "unsafe", 6))
    for (hd_property p = 0; p < HD_PROPERTY_COUNT; p++) {
      hd_str head = {0};
      hd_str_printf(&head, "%s: ", hd_property_name(p));
      bool found = find_line(report, hd_str_text(&head), detail);
      hd_str_free(&head);
      if (found) {
        hd_str_puts(what, hd_property_name(p));
        return;
      }
    }
  hd_str_puts(what, !strncmp(verdict, "unsafe", 6) ? "unsafe" : "unknown");
  size_t n = strcspn(verdict, "\n");
  if (n > 9 && !strncmp(verdict, "unknown (", 9))
    hd_str_append(detail, verdict + 9, n - 10);
}

/* --- the table --- */

static void file_name(const task *t, const hd_c_function *const *calls,
                      size_t n, hd_str *out) {
  hd_str_printf(out, "%s/", t->folder);
  for (size_t i = 0; i < n; i++)
    hd_str_printf(out, "%s%s", i ? "-" : "", calls[i]->name);
  hd_str_puts(out, ".c");
}

static void put_row(task *t, const char *what,
                    const hd_c_function *const *calls, size_t n,
                    const char *detail) {
  hd_str_printf(&t->report, "%-9s", what);
  for (size_t i = 0; i < n; i++)
    hd_str_printf(&t->report, "%s %s", i ? "," : "", calls[i]->name);
  hd_str_printf(&t->report, "%s%s\n", *detail ? ": " : "", detail);
  t->rows++;
  bool bad = strcmp(what, "safe") != 0 && strcmp(what, "unknown") != 0;
  t->unsafe += bad;
  t->unknown += !strcmp(what, "unknown");
}

static void try_calls(task *t, const hd_c_function *const *calls, size_t n) {
  hd_str program = {0}, path = {0}, said = {0}, what = {0}, detail = {0};
  if (!hd_driver_write(&t->driver, calls, n, &program, &detail)) {
    put_row(t, "unknown", calls, n, hd_str_text(&detail));
  } else {
    file_name(t, calls, n, &path);
    if (!hd_session_write(t->session, hd_str_text(&path), hd_str_text(&program),
                          program.size)) {
      t->failed = true;
    } else {
      if (verify(t, hd_str_text(&path), &said)) {
        summarise(hd_str_text(&said), &what, &detail);
      } else {
        hd_str_puts(&what, "unknown");
        hd_str_puts(&detail, "the program could not be verified");
      }
      put_row(t, hd_str_text(&what), calls, n, hd_str_text(&detail));
      if (!t->session->options.keep)
        unlink(hd_str_text(&path));
    }
  }
  hd_str_free(&program);
  hd_str_free(&path);
  hd_str_free(&said);
  hd_str_free(&what);
  hd_str_free(&detail);
}

/* All choices of `n` functions, none before the one in front of it. */
static void try_all(task *t, const hd_c_function **calls, size_t chosen,
                    size_t from, size_t n) {
  assert(n <= AT_ONCE_MOST);
  if (chosen == n || chosen == AT_ONCE_MOST) {
    try_calls(t, calls, n);
    return;
  }
  for (size_t i = from; i < t->functions.size && !t->failed; i++) {
    if (!hd_run_check(&t->session->run))
      return;
    calls[chosen] = t->functions.data[i];
    try_all(t, calls, chosen + 1, i, n);
  }
}

static bool make_folder(task *t) {
  const char *keep = t->session->options.keep, *tmp = getenv("TMPDIR");
  hd_str name = {0};
  if (keep)
    hd_str_puts(&name, keep);
  else
    hd_str_printf(&name, "%s/heddle-api-XXXXXX", tmp ? tmp : "/tmp");
  t->folder = hd_str_take(&name);
  if (keep ? mkdir(t->folder, 0777) == 0 || errno == EEXIST
           : mkdtemp(t->folder) != NULL)
    return true;
  hd_diag_file_error(t->session->diag, t->folder, "cannot be made: %s",
                     strerror(errno));
  return false;
}

/* "0..2" */
static bool read_range(task *t) {
  const char *text = t->session->options.range;
  char *end;
  t->driver.low = 0;
  t->driver.high = 2;
  if (!text)
    return true;
  t->driver.low = strtoll(text, &end, 10);
  const char *second = !strncmp(end, "..", 2) ? end + 2 : end;
  t->driver.high = strtoll(second, &end, 10);
  if (end != second && !*end && second != text &&
      t->driver.low <= t->driver.high)
    return true;
  fprintf(stderr, "heddle: --range=%s: two numbers are wanted, as in 0..2\n",
          text);
  return false;
}

static bool read_header(task *t, char *path) {
  const hd_options *o = &t->session->options;
  hd_source source;
  if (!hd_source_read(o->operands[0], &source, t->session->diag))
    return false;
  hd_str_append(&t->header, source.text, source.size);
  hd_source_free(&source);
  hd_c_options options = {.name = o->operands[0],
                          .flags = (const char *const *)t->flags.data,
                          .n_flags = t->flags.size,
                          .declares = true};
  hd_str text = {0};
  hd_c_job *job = hd_c_start(o->operands, 1, &options, t->session->diag);
  bool good = job && hd_c_finish_text(job, &text, t->session->diag);
  if (good)
    hd_c_declarations_read(hd_str_text(&text), &t->declared);
  hd_str_free(&text);
  return good && realpath(o->operands[0], path);
}

static bool settle_type(task *t) {
  const hd_options *o = &t->session->options;
  if (o->type)
    hd_str_printf(&t->type, "%s *", o->type);
  else if (o->api_init)
    hd_driver_guess_type(&t->driver, &t->type);
  if (t->type.size)
    t->driver.type = hd_str_text(&t->type);
  if (t->type.size || !o->api_init)
    return true;
  hd_diag_file_error(t->session->diag, o->operands[0],
                     "'%s' does not say what it makes: --type=TYPE does",
                     o->api_init);
  return false;
}

static hd_end conclude(task *t) {
  hd_verdict verdict = t->unsafe                ? HD_UNSAFE
                       : t->unknown || !t->rows ? HD_UNKNOWN
                                                : HD_SAFE;
  if (!hd_run_check(&t->session->run))
    verdict = t->unsafe ? HD_UNSAFE : HD_UNKNOWN;
  hd_str_printf(&t->report,
                "\nAssumes: numbers that are arguments are from %lld to %lld "
                "(--range); other arguments are the call's own.\n",
                (long long)t->driver.low, (long long)t->driver.high);
  hd_str_printf(&t->report, "verdict: %s (%zu of %zu unsafe, %zu unknown)\n",
                hd_verdict_name(verdict), t->unsafe, t->rows, t->unknown);
  if (!hd_session_report(t->session, &t->report))
    return HD_END_OUTPUT;
  return hd_end_for(t->session, verdict);
}

static hd_end work(task *t) {
  const hd_options *o = &t->session->options;
  char path[PATH_MAX];
  list_flags(t);
  if (!read_range(t))
    return HD_END_USAGE;
  if (!read_header(t, path))
    return HD_END_INPUT;
  t->driver.declared = &t->declared;
  t->driver.include = path;
  t->driver.init = o->api_init;
  t->driver.fini = o->fini;
  if (!settle_type(t))
    return HD_END_INPUT;
  choose_functions(t);
  if (!t->functions.size) {
    hd_diag_file_error(
        t->session->diag, o->operands[0], "declares no function%s%s",
        t->driver.type ? " with a " : "", t->driver.type ? t->driver.type : "");
    return HD_END_INPUT;
  }
  if (!make_folder(t))
    return HD_END_OUTPUT;
  size_t n = o->at_once ? (size_t)o->at_once : 2;
  hd_str_printf(&t->report, "%s: %zu functions, %zu at once\n\n",
                o->operands[0], t->functions.size, n);
  const hd_c_function *calls[AT_ONCE_MOST];
  try_all(t, calls, 0, 0, n);
  if (!o->keep)
    rmdir(t->folder);
  return t->failed ? HD_END_OUTPUT : conclude(t);
}

hd_end hd_cmd_api(hd_session *session) {
  task t = {.session = session};
  if (!hd_session_probe(session, session->options.output))
    return HD_END_OUTPUT;
  hd_end end = work(&t);
  hd_c_declarations_free(&t.declared);
  hd_str_free(&t.header);
  hd_str_free(&t.type);
  hd_str_free(&t.report);
  hd_vec_free(&t.functions);
  free_texts(&t.flags);
  hd_free(t.folder);
  return end;
}
