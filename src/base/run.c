/* SPDX-License-Identifier: MIT */
#include "base/run.h"

#include "base/mem.h"

#include <sys/resource.h>
#include <time.h>

static double seconds(clockid_t clock) {
  struct timespec ts;
  clock_gettime(clock, &ts);
  return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

double hd_now(void) {
  return seconds(CLOCK_MONOTONIC);
}

double hd_cpu(void) {
  return seconds(CLOCK_PROCESS_CPUTIME_ID);
}

static double in_seconds(struct timeval t) {
  return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

double hd_cpu_all(void) {
  struct rusage usage = {0};
  getrusage(RUSAGE_CHILDREN, &usage);
  return hd_cpu() + in_seconds(usage.ru_utime) + in_seconds(usage.ru_stime);
}

static bool look(hd_run *run, uint64_t looks) {
  if (run->stop != HD_RUNNING)
    return false;
  if (run->rest && !run->rest(run->rest_context, looks))
    run->stop = HD_STOP_TURN;
  else if (run->cancel && *run->cancel)
    run->stop = HD_STOP_CANCEL;
  else if (run->memory && hd_mem_current() > run->memory)
    run->stop = HD_STOP_MEMORY;
  else if (run->deadline > 0 && hd_now() >= run->deadline)
    run->stop = HD_STOP_TIME;
  else if (run->steps && run->ticks > run->steps)
    run->stop = HD_STOP_STEPS;
  return run->stop == HD_RUNNING;
}

bool hd_run_check(hd_run *run) {
  return look(run, 1);
}

bool hd_run_spend(hd_run *run, uint64_t n) {
  enum { LOOK = 64 };
  if (run->stop != HD_RUNNING)
    return false;
  uint64_t before = run->ticks / LOOK;
  run->ticks += n;
  uint64_t looks = run->ticks / LOOK - before;
  if (run->steps && run->ticks > run->steps)
    return look(run, looks ? looks : 1);
  return looks ? look(run, looks) : true;
}

bool hd_run_tick(hd_run *run) {
  return hd_run_spend(run, 1);
}

bool hd_run_wants_progress(hd_run *run) {
  if (!run->show)
    return false;
  double now = hd_now();
  if (now < run->next_show)
    return false;
  run->next_show = now + 0.1;
  return true;
}

void hd_run_show(hd_run *run, const hd_progress *progress) {
  if (run->show)
    run->show(run->show_context, progress);
}

const char *hd_run_why(const hd_run *run) {
  switch (run->stop) {
  case HD_RUNNING:
    return "not stopped";
  case HD_STOP_TIME:
    return "time limit reached";
  case HD_STOP_MEMORY:
    return "memory limit reached";
  case HD_STOP_STEPS:
    return "step limit reached";
  case HD_STOP_CANCEL:
    return "interrupted";
  case HD_STOP_TURN:
    return "the turn is over";
  }
  return "stopped";
}
