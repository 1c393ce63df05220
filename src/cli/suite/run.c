/* SPDX-License-Identifier: MIT */
#include "cli/suite/run.h"

#include "cli/suite/remote.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LOST_MOST = 3, FDS_MOST = 1100 };
/* Without a single worker for so long, rank 0 works itself. */
static const double lonely = 10;

typedef struct {
  hd_launch launch;
  size_t task;
} slot;

typedef struct {
  hd_suite *suite;
  hd_vec(slot) slots;
  hd_vec(hd_worker) workers;
  size_t next;      /* no task before it is open */
  double last_seen; /* when there was a worker */
  bool failed;
} pool;

static size_t n_tasks(const pool *p) {
  return p->suite->tasks->all.size;
}

/* The next open task, or n_tasks. */
static size_t find_task(pool *p) {
  while (p->next < n_tasks(p) && p->suite->states[p->next] != HD_TASK_OPEN)
    p->next++;
  return p->next;
}

static bool all_done(const pool *p) {
  for (size_t i = 0; i < n_tasks(p); i++)
    if (p->suite->states[i] != HD_TASK_DONE)
      return false;
  return true;
}

static void keep(pool *p, size_t task, const hd_record *record) {
  hd_suite *s = p->suite;
  if (s->states[task] == HD_TASK_DONE)
    return; /* a second answer */
  s->states[task] = HD_TASK_DONE;
  if (!s->keep(s->context, task, record))
    p->failed = true;
}

/* Its worker is gone: somebody else shall try, unless it seems to kill them. */
static void give_back(pool *p, size_t task) {
  hd_suite *s = p->suite;
  if (s->states[task] != HD_TASK_RUNNING)
    return;
  s->states[task] = HD_TASK_OPEN;
  p->next = task < p->next ? task : p->next;
  if (++s->lost[task] < LOST_MOST)
    return;
  const hd_task *t = &s->tasks->all.data[task];
  hd_record record = {.task = hd_strdup(t->name),
                      .known = t->known,
                      .expected = t->expected,
                      .error = true,
                      .exit_code = -1,
                      .reason = hd_strdup("three workers were lost over it")};
  keep(p, task, &record);
  hd_record_free(&record);
}

/* --- this machine --- */

static size_t places(const pool *p) {
  const hd_suite *s = p->suite;
  if (s->listener < 0)
    return s->jobs;
  return !p->workers.size && hd_now() > p->last_seen + lonely ? s->jobs : 0;
}

static void start_tasks(pool *p) {
  hd_suite *s = p->suite;
  while (p->slots.size < places(p) && find_task(p) < n_tasks(p)) {
    size_t task = p->next;
    slot one = {.task = task};
    if (!hd_launch_start(&one.launch, &s->tasks->all.data[task], s->launch)) {
      if (p->slots.size)
        return; /* later, when others have ended */
      p->failed = true;
      return;
    }
    s->states[task] = HD_TASK_RUNNING;
    hd_vec_push(&p->slots, one);
  }
}

static void look_at_slots(pool *p) {
  for (size_t i = 0; i < p->slots.size;) {
    slot *one = &p->slots.data[i];
    hd_record record;
    if (!hd_launch_poll(&one->launch, &p->suite->tasks->all.data[one->task],
                        &record)) {
      i++;
      continue;
    }
    keep(p, one->task, &record);
    hd_record_free(&record);
    p->slots.data[i] = hd_vec_last(&p->slots);
    p->slots.size--;
  }
}

/* --- other ranks --- */

static void welcome(pool *p) {
  int fd = accept4(p->suite->listener, NULL, NULL, SOCK_CLOEXEC);
  if (fd < 0)
    return;
  hd_worker worker = {.fd = fd, .until = hd_now() + 30};
  hd_vec_push(&p->workers, worker);
}

static void lose(pool *p, size_t i) {
  hd_worker *w = &p->workers.data[i];
  if (w->busy)
    give_back(p, w->task);
  hd_worker_free(w);
  p->workers.data[i] = hd_vec_last(&p->workers);
  p->workers.size--;
}

/* Gives work to those who have none. */
static void hand_out(pool *p) {
  for (size_t i = 0; i < p->workers.size;) {
    hd_worker *w = &p->workers.data[i];
    bool good = true;
    if (w->hello && !w->busy && find_task(p) < n_tasks(p)) {
      size_t task = p->next;
      p->suite->states[task] = HD_TASK_RUNNING;
      w->busy = true;
      w->task = task;
      w->until = hd_now() + p->suite->launch->timeout * 1.5 + 30;
      good = hd_worker_send(w, task, &p->suite->tasks->all.data[task]);
    }
    if (good)
      i++;
    else
      lose(p, i);
  }
}

static void hear_workers(pool *p, const struct pollfd *fds, size_t n) {
  for (size_t i = p->workers.size; i-- > 0;) {
    hd_worker *w = &p->workers.data[i];
    bool spoke = false;
    for (size_t k = 0; k < n; k++)
      spoke = spoke || (fds[k].fd == w->fd && fds[k].revents);
    hd_record record;
    int said = spoke ? hd_worker_hear(w, p->suite->token, &record) : 0;
    if (said > 0) {
      const hd_task *task = &p->suite->tasks->all.data[w->task];
      record.known = task->known; /* the worker does not know it */
      record.expected = task->expected;
      hd_free(record.part);
      record.part = task->part ? hd_strdup(task->part) : NULL;
      if (!strcmp(record.task, task->name))
        keep(p, w->task, &record);
      else
        said = -1;
      w->busy = said < 0;
      hd_record_free(&record);
    }
    if (said < 0 || ((w->busy || !w->hello) && hd_now() > w->until))
      lose(p, i);
  }
}

/* --- all --- */

static size_t collect_fds(const pool *p, struct pollfd *fds, bool *blind) {
  size_t n = 0;
  *blind = false;
  if (p->suite->listener >= 0)
    fds[n++] = (struct pollfd){.fd = p->suite->listener, .events = POLLIN};
  for (size_t i = 0; i < p->workers.size && n < FDS_MOST; i++)
    fds[n++] = (struct pollfd){.fd = p->workers.data[i].fd, .events = POLLIN};
  for (size_t i = 0; i < p->slots.size && n < FDS_MOST; i++) {
    int ends = p->slots.data[i].launch.ends;
    if (ends >= 0)
      fds[n++] = (struct pollfd){.fd = ends, .events = POLLIN};
    else
      *blind = true;
  }
  return n;
}

static void show(const pool *p) {
  hd_suite *s = p->suite;
  size_t running[64], n = 0;
  for (size_t i = 0; i < n_tasks(p) && n < 64; i++)
    if (s->states[i] == HD_TASK_RUNNING)
      running[n++] = i;
  s->show(s->context, running, n);
}

static void wait_and_look(pool *p) {
  struct pollfd fds[FDS_MOST + 1];
  bool blind;
  size_t n = collect_fds(p, fds, &blind);
  int ready = poll(fds, n, blind ? 10 : 200);
  look_at_slots(p);
  if (ready > 0 && p->suite->listener >= 0 && fds[0].revents)
    welcome(p);
  hear_workers(p, fds, ready > 0 ? n : 0);
  if (p->workers.size)
    p->last_seen = hd_now();
}

bool hd_suite_run(hd_suite *suite) {
  pool p = {.suite = suite, .last_seen = hd_now()};
  while (!all_done(&p) && !p.failed && hd_run_check(suite->run)) {
    start_tasks(&p);
    hand_out(&p);
    if (hd_run_wants_progress(suite->run))
      show(&p);
    wait_and_look(&p);
  }
  bool done = all_done(&p);
  for (size_t i = 0; i < p.slots.size; i++)
    hd_launch_kill(&p.slots.data[i].launch);
  while (p.workers.size) {
    hd_worker_end(&p.workers.data[0]);
    p.workers.data[0].busy = false;
    lose(&p, 0);
  }
  hd_vec_free(&p.slots);
  hd_vec_free(&p.workers);
  return done && !p.failed;
}
