/* SPDX-License-Identifier: MIT */
/* heddle suite: many tasks. */
#include "cli/session.h"

#include "cli/suite/remote.h"
#include "cli/suite/table.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

typedef struct {
  hd_session *session;
  hd_tasks tasks;
  hd_records before;     /* --results, as it was */
  const hd_record **all; /* one a task; NULL = not done */
  hd_record *fresh;      /* those of this time */
  hd_task_state *states;
  hd_sums sums;
  size_t n_before, printed; /* rows up to here are out */
  int results;              /* --results; -1 = none */
  bool json;
} suite;

/* --- before --- */

static bool read_tasks(suite *s) {
  const hd_options *o = &s->session->options;
  hd_diag *diag = s->session->diag;
  for (size_t i = 0; i < o->n_operands; i++)
    if (!hd_tasks_add(&s->tasks, o->operands[i], diag))
      return false;
  if (s->tasks.all.size)
    return true;
  for (hd_vec_each(const hd_left_out, x, &s->tasks.left_out))
    hd_diag_report(diag, HD_NOTE, NULL, (hd_pos){0}, "left out: %zu of %s: %s",
                   x->count, x->name, x->why);
  hd_diag_report(diag, HD_ERROR, NULL, (hd_pos){0},
                 "there is nothing to verify in what is given%s",
                 s->tasks.skipped ? ": heddle knows none of the properties"
                                  : "");
  return false;
}

/* What a result file has is not done again. */
static void recall(suite *s) {
  for (size_t i = 0; i < s->tasks.all.size; i++) {
    const hd_record *r = hd_records_find(&s->before, s->tasks.all.data[i].name);
    if (!r)
      continue;
    s->all[i] = r;
    s->states[i] = HD_TASK_DONE;
    s->n_before++;
    hd_sums_add(&s->sums, r);
  }
}

/* Opens --results for appending; a line that was cut off is taken away. */
static bool open_results(suite *s) {
  const char *path = s->session->options.results;
  if (!path)
    return true;
  hd_diag *diag = s->session->diag;
  bool there = access(path, F_OK) == 0;
  if (there && !hd_records_read(&s->before, path, diag))
    return false;
  s->results = open(path, O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0666);
  bool ok = s->results >= 0 &&
            (!there || ftruncate(s->results, (off_t)s->before.whole) == 0 ||
             errno == EINVAL);
  if (!ok)
    hd_diag_file_error(diag, path, "cannot write: %s", strerror(errno));
  return ok;
}

static bool write_all(int fd, const hd_str *text) {
  const char *at = hd_str_text(text);
  size_t left = text->size;
  while (left) {
    ssize_t n = write(fd, at, left);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    at += n;
    left -= (size_t)n;
  }
  return true;
}

/* --- results as they come --- */

/* Rows come in the order of the tasks: one waits for those before it. */
static bool print_rows(suite *s) {
  hd_str text = {0};
  while (s->printed < s->tasks.all.size && s->all[s->printed]) {
    const hd_record *r = s->all[s->printed++];
    hd_judged judged = hd_record_judge(r);
    if (s->json)
      hd_record_print(&text, r);
    else if (!s->session->options.quiet || judged == HD_JUDGED_WRONG ||
             judged == HD_JUDGED_ERROR)
      hd_table_row(&text, r);
  }
  hd_session_quiet(s->session);
  bool ok = !text.size ||
            (fwrite(hd_str_text(&text), 1, text.size, stdout) == text.size &&
             fflush(stdout) == 0);
  if (!ok)
    hd_diag_report(s->session->diag, HD_ERROR, NULL, (hd_pos){0},
                   "<stdout>: cannot write: %s", strerror(errno));
  hd_str_free(&text);
  return ok;
}

static bool keep(void *context, size_t task, const hd_record *record) {
  suite *s = context;
  hd_record *mine = &s->fresh[task];
  *mine = *record;
  mine->task = hd_strdup(record->task);
  mine->part = record->part ? hd_strdup(record->part) : NULL;
  mine->violated = record->violated ? hd_strdup(record->violated) : NULL;
  mine->engine = record->engine ? hd_strdup(record->engine) : NULL;
  mine->reason = record->reason ? hd_strdup(record->reason) : NULL;
  s->all[task] = mine;
  hd_sums_add(&s->sums, mine);
  bool ok = true;
  if (s->results >= 0) {
    hd_str line = {0};
    hd_record_print(&line, mine);
    ok = write_all(s->results, &line);
    if (!ok)
      hd_diag_file_error(s->session->diag, s->session->options.results,
                         "cannot write: %s", strerror(errno));
    hd_str_free(&line);
  }
  return print_rows(s) && ok;
}

static void show(void *context, const size_t *running, size_t n) {
  suite *s = context;
  hd_progress p = {.engine = "suite",
                   .names = {"done", "of", "wrong", "running"},
                   .values = {s->sums.total, s->tasks.all.size,
                              s->sums.count[HD_JUDGED_WRONG], n}};
  (void)running;
  hd_run_show(&s->session->run, &p);
}

/* --- all --- */

static hd_end end_of(const suite *s) {
  if (s->sums.count[HD_JUDGED_WRONG])
    return HD_END_UNEXPECTED;
  if (s->sums.total < s->tasks.all.size || s->sums.count[HD_JUDGED_UNKNOWN] ||
      s->sums.count[HD_JUDGED_ERROR])
    return HD_END_UNKNOWN;
  return HD_END_DONE;
}

static hd_end conclude(suite *s) {
  const hd_options *o = &s->session->options;
  hd_str text = {0};
  hd_records old = {0};
  hd_end end = end_of(s);
  if (o->compare && !hd_records_read(&old, o->compare, s->session->diag))
    end = HD_END_INPUT;
  else if (o->compare)
    hd_table_compare(&text, &old, s->all, s->tasks.all.size);
  hd_table_sums(&text, &s->sums, &s->tasks, s->n_before,
                hd_session_seconds(s->session));
  hd_session_quiet(s->session);
  FILE *out = s->json ? stderr : stdout; /* lines of JSON, and nothing else */
  if (fwrite(hd_str_text(&text), 1, text.size, out) != text.size ||
      fflush(out) != 0)
    end = HD_END_OUTPUT;
  hd_str_free(&text);
  hd_records_free(&old);
  return end;
}

static hd_end run_suite(suite *s, const hd_launch_options *launch,
                        const hd_job_place *place) {
  hd_session *session = s->session;
  char token[33] = "";
  hd_suite all = {.tasks = &s->tasks,
                  .launch = launch,
                  .jobs = hd_session_jobs(session),
                  .run = &session->run,
                  .keep = keep,
                  .show = show,
                  .context = s,
                  .states = s->states,
                  .lost = hd_calloc(s->tasks.all.size, sizeof *all.lost),
                  .listener = -1,
                  .token = token};
  if (place->size)
    all.listener = hd_remote_listen(place, token, session->diag);
  bool ok = !place->size || all.listener >= 0;
  if (ok && !s->json && !session->options.quiet) {
    hd_str head = {0};
    hd_table_head(&head);
    fputs(hd_str_text(&head), stdout);
    hd_str_free(&head);
  }
  ok = ok && print_rows(s) && hd_suite_run(&all);
  hd_remote_close(place, all.listener);
  hd_free(all.lost);
  hd_end end = conclude(s);
  bool stopped = session->run.stop != HD_RUNNING;
  return ok || stopped ? end : HD_END_OUTPUT;
}

static hd_launch_options launch_options(const hd_session *session) {
  const hd_options *o = &session->options;
  hd_launch_options launch = {.timeout =
                                  o->task_timeout > 0 ? o->task_timeout : 60,
                              .memory = o->memory,
                              .cache = o->cache};
  for (size_t i = 0; i < o->n_listed; i++)
    if (o->listed[i].option == HD_OPTION_option)
      hd_vec_push(&launch.options, o->listed[i].text);
  return launch;
}

static hd_end lead(suite *s, const hd_launch_options *launch,
                   const hd_job_place *place) {
  if (!read_tasks(s))
    return HD_END_INPUT;
  size_t n = s->tasks.all.size;
  s->all = hd_calloc(n, sizeof *s->all);
  s->fresh = hd_calloc(n, sizeof *s->fresh);
  s->states = hd_calloc(n, sizeof *s->states);
  if (!open_results(s))
    return HD_END_OUTPUT;
  recall(s);
  hd_session_messages(s->session);
  hd_end end = run_suite(s, launch, place);
  for (size_t i = 0; i < n; i++)
    hd_record_free(&s->fresh[i]);
  return end;
}

hd_end hd_cmd_suite(hd_session *session) {
  suite s = {.session = session,
             .results = -1,
             .json = !strcmp(session->options.format, "json")};
  hd_launch_options launch = launch_options(session);
  hd_job_place place = hd_remote_place();
  hd_end end;
  if (place.rank >
      0) /* mpirun takes any other status for a failure of the job */
    end = hd_remote_work(&place, &launch, &session->run, session->diag)
              ? HD_END_DONE
              : HD_END_INTERNAL;
  else
    end = lead(&s, &launch, &place);
  if (s.results >= 0 && close(s.results) != 0)
    end = HD_END_OUTPUT;
  hd_vec_free(&launch.options);
  hd_remote_place_free(&place);
  hd_records_free(&s.before);
  hd_tasks_free(&s.tasks);
  hd_free(s.all);
  hd_free(s.fresh);
  hd_free(s.states);
  return end;
}
