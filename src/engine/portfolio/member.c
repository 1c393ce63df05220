/* SPDX-License-Identifier: MIT */
#include "engine/portfolio/member.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { HEAD = 5, SAID_MOST = 4096 };

/* --- the member's side --- */

struct hd_crew_seat {
  int out, in;
  size_t memory; /* when it began */
  uint64_t looks, looks_end;
  double cpu_end, look_at; /* CPU time, time */
  double cpu;              /* that it had before this process */
  const bool *doubt;       /* NULL, or whether it has … */
  double factor;           /* … this share of its weight */
  /* In the parent's process, for one that begins there. */
  bool guest, split;
  hd_member *all;
  size_t me;
  const hd_crew_plan *plan;
  const hd_run *limits;
};
typedef hd_crew_seat seat;

static void leave_parent(seat *s);

/* All of it, or the process ends: nobody is listening. */
static void send_bytes(int fd, const void *data, size_t size) {
  const char *at = data;
  while (size) {
    ssize_t n = write(fd, at, size);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      _exit(0);
    at += n;
    size -= (size_t)n;
  }
}

static void send_frame(int fd, char kind, const void *data, size_t size) {
  char head[HEAD];
  uint32_t length = (uint32_t)size;
  if (size > UINT32_MAX)
    _exit(7);
  head[0] = kind;
  memcpy(head + 1, &length, sizeof length);
  send_bytes(fd, head, sizeof head);
  send_bytes(fd, data, size);
}

static void take_turn(seat *s, hd_turn_length turn) {
  s->looks_end = turn.looks ? s->looks + turn.looks : UINT64_MAX;
  s->cpu_end = hd_cpu() + turn.seconds;
  s->look_at = hd_now() + turn.seconds;
  if (turn.seconds <= 0)
    s->look_at = 1e300;
}

/* Whoever waits here and loses its parent ends. */
static void wait_turn(seat *s) {
  hd_turn_length turn;
  size_t got = 0;
  while (got < sizeof turn) {
    ssize_t n = read(s->in, (char *)&turn + got, sizeof turn - got);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      _exit(0);
    got += (size_t)n;
  }
  take_turn(s, turn);
}

static hd_turn_used used_by(const seat *s) {
  size_t bytes = hd_mem_current();
  return (hd_turn_used){.cpu = s->cpu + hd_cpu(),
                        .looks = s->looks,
                        .memory = bytes > s->memory ? bytes - s->memory : 0,
                        .share = s->doubt && *s->doubt ? s->factor : 1};
}

static void end_turn(seat *s) {
  hd_turn_used used = used_by(s);
  send_frame(s->out, 'y', &used, sizeof used);
  wait_turn(s);
}

/* hd_run.rest. The CPU clock is asked only when the other one says that the
 * turn may be over. */
static bool rest(void *context, uint64_t looks) {
  seat *s = context;
  if (s->split)
    return false;
  s->looks += looks;
  if (s->looks < s->looks_end) {
    double now = hd_now();
    if (now < s->look_at)
      return true;
    double left = s->cpu_end - hd_cpu();
    if (left > 0) {
      s->look_at = now + left;
      return true;
    }
  }
  if (s->guest)
    leave_parent(s);
  else
    end_turn(s);
  return !s->split;
}

void hd_crew_doubt(hd_crew_seat *s, const bool *doubt, double factor) {
  assert(factor > 0 && factor <= 1);
  s->doubt = doubt;
  s->factor = factor;
}

void hd_crew_post(hd_crew_seat *s, const hd_str *answer) {
  send_frame(s->out, 'i', hd_str_text(answer), answer->size);
}

static void show(void *context, const hd_progress *progress) {
  const seat *s = context;
  if (s->guest) {
    hd_progress mine = *progress;
    mine.engine = s->plan->members[s->me].name;
    s->limits->show(s->limits->show_context, &mine);
    return;
  }
  hd_str text = {0};
  hd_str_printf(&text, "%s", progress->engine);
  for (int i = 0; i < 4 && progress->names[i]; i++)
    hd_str_printf(&text, "\t%s\t%llu", progress->names[i],
                  (unsigned long long)progress->values[i]);
  send_frame(s->out, 'p', hd_str_text(&text), text.size);
  hd_str_free(&text);
}

/* What is not counted by base/mem, the solvers' memory, has an end too. The
 * sanitizers' own memory is larger than any limit. */
static void limit_memory(size_t bytes) {
#ifndef __SANITIZE_ADDRESS__
  struct rlimit limit;
  rlim_t most = (rlim_t)bytes / 2 * 3 + ((rlim_t)1 << 30);
  if (bytes && getrlimit(RLIMIT_AS, &limit) == 0 && most < limit.rlim_cur) {
    limit.rlim_cur = most;
    setrlimit(RLIMIT_AS, &limit);
  }
#else
  (void)bytes;
#endif
}

hd_run hd_seat_run(hd_crew_seat *s) {
  return (hd_run){.deadline = s->limits->deadline,
                  .memory = s->limits->memory,
                  .cancel = s->guest ? s->limits->cancel : NULL,
                  .rest = rest,
                  .rest_context = s,
                  .show = s->limits->show ? show : NULL,
                  .show_context = s,
                  .next_show = s->limits->next_show};
}

HD_NORETURN void hd_seat_leave(hd_crew_seat *s, const hd_str *answer) {
  assert(!s->guest);
  send_frame(s->out, 'a', hd_str_text(answer), answer->size);
  _exit(0);
}

static HD_NORETURN void work(seat *s, hd_turn_length turn) {
  hd_run run = hd_seat_run(s);
  hd_str answer = {0};
  take_turn(s, turn);
  s->plan->work(s->plan->context, s->me, s, &run, &answer);
  hd_seat_leave(s, &answer);
}

/* --- the parent's side --- */

static void close_fd(int *fd) {
  if (*fd >= 0)
    close(*fd);
  *fd = -1;
}

static void close_all(hd_member *member) {
  close_fd(&member->from);
  close_fd(&member->to);
  close_fd(&member->errors);
}

static bool open_pipes(int pipes[3][2]) {
  for (int i = 0; i < 3; i++)
    if (pipe2(pipes[i], O_CLOEXEC) != 0) {
      int error = errno;
      while (i-- > 0) {
        close(pipes[i][0]);
        close(pipes[i][1]);
      }
      errno = error;
      return false;
    }
  return true;
}

/* Signals from a terminal go to all; the parent decides what they mean. */
static void settle(pid_t parent) {
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_DFL);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(0);
}

/* Forks; in the child the seat is the member's, and it is settled there. The
 * result of fork. */
static pid_t split(seat *s) {
  int pipes[3][2]; /* answers, turns, errors */
  hd_member *member = &s->all[s->me];
  if (!open_pipes(pipes))
    return -1;
  fflush(NULL); /* or both would write it */
  pid_t parent = getpid();
  pid_t pid = fork();
  if (pid == 0) {
    settle(parent);
    for (size_t i = 0; i < s->plan->size; i++)
      close_all(&s->all[i]);
    dup2(pipes[2][1], STDERR_FILENO);
    s->out = pipes[0][1];
    s->in = pipes[1][0];
    s->guest = false;
    close(pipes[0][0]);
    close(pipes[1][1]);
    close(pipes[2][0]);
    limit_memory(s->limits->memory);
    send_frame(s->out, 'h', "", 0);
    return pid;
  }
  int error = errno;
  close(pipes[0][1]);
  close(pipes[1][0]);
  close(pipes[2][1]);
  member->from = pipes[0][0];
  member->to = pipes[1][1];
  member->errors = pipes[2][0];
  if (pid < 0) {
    close_all(member);
    errno = error;
    return pid;
  }
  fcntl(member->from, F_SETFL, O_NONBLOCK);
  fcntl(member->errors, F_SETFL, O_NONBLOCK);
  member->pid = pid;
  return pid;
}

bool hd_member_start(hd_member *all, size_t me, const hd_crew_plan *plan,
                     const hd_run *run, hd_turn_length turn) {
  seat s = {.memory = hd_mem_current(),
            .all = all,
            .me = me,
            .plan = plan,
            .limits = run};
  pid_t pid = split(&s);
  if (pid < 0)
    return false;
  if (pid == 0)
    work(&s, turn);
  all[me].state = HD_WORKING;
  return true;
}

/* --- one that begins in the parent's process --- */

hd_crew_seat *hd_seat_new(hd_member *all, size_t me, const hd_crew_plan *plan,
                          const hd_run *run, hd_turn_length turn) {
  seat *s = hd_calloc(1, sizeof *s);
  *s = (seat){.out = -1,
              .in = -1,
              .memory = hd_mem_current(),
              .cpu = -hd_cpu(),
              .guest = true,
              .all = all,
              .me = me,
              .plan = plan,
              .limits = run};
  take_turn(s, turn);
  return s;
}

void hd_seat_delete(hd_crew_seat *s) {
  hd_free(s);
}

bool hd_seat_split(const hd_crew_seat *s) {
  return s->split;
}

bool hd_seat_taken(const hd_crew_seat *s) {
  return !s->guest;
}

/* A member's CPU clock starts at 0. Where there can be no other process the
 * member stays, without an end to its turn. */
static void leave_parent(seat *s) {
  hd_turn_used used = used_by(s);
  pid_t pid = split(s);
  if (pid == 0) {
    s->cpu = used.cpu;
    wait_turn(s);
  } else if (pid > 0) {
    s->split = true;
    s->all[s->me].used = used;
    s->all[s->me].before = used.cpu;
    s->all[s->me].state = HD_RESTING;
  } else {
    s->looks_end = UINT64_MAX;
    s->look_at = 1e300;
  }
}

/* One that has died meanwhile is noticed by its silence. */
void hd_member_resume(hd_member *member, hd_turn_length turn) {
  assert(member->state == HD_RESTING);
  ssize_t n;
  do
    n = write(member->to, &turn, sizeof turn);
  while (n < 0 && errno == EINTR);
  member->state = HD_WORKING;
}

/* Reads what is there. False at the end. */
static bool drain(int fd, hd_str *into, size_t most) {
  char buffer[65536];
  for (;;) {
    ssize_t n = read(fd, buffer, sizeof buffer);
    if (n < 0 && errno == EINTR)
      continue;
    if (n < 0)
      return errno == EAGAIN || errno == EWOULDBLOCK;
    if (n == 0)
      return false;
    size_t room = into->size < most ? most - into->size : 0;
    hd_str_append(into, buffer, (size_t)n < room ? (size_t)n : room);
  }
}

static void take_progress(hd_member *member, const char *text, size_t size) {
  memset(member->names, 0, sizeof member->names);
  for (size_t word = 0; word < 9; word++) {
    const char *tab = memchr(text, '\t', size);
    size_t n = tab ? (size_t)(tab - text) : size;
    char *name = member->names[(word + 1) / 2];
    if (word % 2 == 0 && word) {
      unsigned long long value = 0;
      for (size_t i = 0; i < n && text[i] >= '0' && text[i] <= '9'; i++)
        value = value * 10 + (unsigned)(text[i] - '0');
      member->values[word / 2 - 1] = value;
    } else {
      snprintf(name, sizeof member->names[0], "%.*s", (int)n, text);
    }
    if (!tab)
      break;
    text += n + 1;
    size -= n + 1;
  }
  member->news = true;
}

static void take_frame(hd_member *member, char kind, const char *data,
                       size_t size) {
  if (kind == 'h') {
    member->settled = true;
  } else if (kind == 'y' && size == sizeof member->used) {
    memcpy(&member->used, data, size);
    member->state = HD_RESTING;
  } else if (kind == 'p') {
    take_progress(member, data, size);
  } else if (kind == 'a' || kind == 'i') { /* the newest one counts */
    hd_vec_clear(&member->answer);
    hd_str_append(&member->answer, data, size);
    member->answered = kind == 'a';
    member->posted = kind == 'i';
  }
}

bool hd_member_listen(hd_member *member) {
  member->silent = !drain(member->from, &member->in, SIZE_MAX);
  (void)drain(member->errors, &member->said, SAID_MOST);
  const char *data = member->in.data;
  size_t at = 0, size = member->in.size;
  uint32_t length;
  while (size - at >= HEAD) {
    memcpy(&length, data + at + 1, sizeof length);
    if (size - at - HEAD < length)
      break;
    take_frame(member, data[at], data + at + HEAD, length);
    at += HEAD + length;
  }
  if (at) {
    memmove(member->in.data, data + at, size - at);
    member->in.size = size - at;
  }
  return !member->silent;
}

static double seconds_of(struct timeval t) {
  return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

int hd_member_end(hd_member *member) {
  int status = -1;
  if (member->state == HD_WAITING || member->state == HD_ENDED)
    return status;
  /* Of one that ended by itself the status tells how. */
  if (!member->silent)
    kill(member->pid, SIGKILL);
  struct rusage all = {0};
  while (wait4(member->pid, &status, 0, &all) < 0 && errno == EINTR)
    ;
  member->used.cpu =
      member->before + seconds_of(all.ru_utime) + seconds_of(all.ru_stime);
  if (member->errors >= 0)
    (void)drain(member->errors, &member->said, SAID_MOST);
  close_all(member);
  member->state = HD_ENDED;
  return status;
}

void hd_member_free(hd_member *member) {
  assert(member->state == HD_WAITING || member->state == HD_ENDED);
  hd_str_free(&member->in);
  hd_str_free(&member->said);
  hd_str_free(&member->answer);
}
