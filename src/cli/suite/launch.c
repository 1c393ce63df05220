/* SPDX-License-Identifier: MIT */
#include "cli/suite/launch.h"

#include "base/run.h"
#include "base/json.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/* verify keeps its limit by itself; what does not come back is killed. */
static double patience(double timeout) {
  return timeout * 1.25 + 5;
}

typedef hd_vec(char *) words;

static void push(words *list, const char *text) {
  hd_vec_push(list, hd_strdup(text));
}

/* A task's own options go before those for all. */
static void push_default(words *list, const char *option) {
  size_t n = strcspn(option, "=");
  for (size_t i = 0; i < list->size; i++)
    if (!strncmp(list->data[i], option, n) &&
        (!list->data[i][n] || list->data[i][n] == '='))
      return;
  push(list, option);
}

static void command(words *list, const hd_task *task,
                    const hd_launch_options *o) {
  char text[64];
  push(list, "heddle");
  push(list, "verify");
  for (size_t i = 0; i < task->words.size; i++)
    push(list, task->words.data[i]);
  for (size_t i = 0; i < o->options.size; i++)
    push_default(list, o->options.data[i]);
  push(list, "--format=json");
  push_default(list, "--jobs=1");
  snprintf(text, sizeof text, "--timeout=%.3f", o->timeout);
  push_default(list, text);
  if (o->memory) {
    snprintf(text, sizeof text, "--memory=%llu", o->memory);
    push_default(list, text);
  }
  if (o->cache) {
    hd_str cache = {0};
    hd_str_printf(&cache, "--cache=%s", o->cache);
    push_default(list, hd_str_text(&cache));
    hd_str_free(&cache);
  }
  hd_vec_push(list, NULL);
}

static HD_NORETURN void become(const words *list, const hd_launch *launch,
                               pid_t parent) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent)
    _exit(0);
  signal(SIGPIPE, SIG_DFL);
  FILE *none = freopen("/dev/null", "r", stdin);
  (void)none;
  dup2(launch->out, STDOUT_FILENO);
  dup2(launch->err, STDERR_FILENO);
  execv("/proc/self/exe", list->data);
  fprintf(stderr, "heddle cannot be started: %s\n", strerror(errno));
  _exit(6);
}

bool hd_launch_start(hd_launch *launch, const hd_task *task,
                     const hd_launch_options *options) {
  words list = {0};
  *launch = (hd_launch){.ends = -1, .start = hd_now()};
  launch->end = launch->start + patience(options->timeout);
  launch->out = memfd_create("report", MFD_CLOEXEC);
  launch->err = memfd_create("messages", MFD_CLOEXEC);
  command(&list, task, options);
  fflush(NULL);
  pid_t parent = getpid();
  launch->pid = launch->out >= 0 && launch->err >= 0 ? fork() : -1;
  if (launch->pid == 0)
    become(&list, launch, parent);
  int error = errno;
  for (size_t i = 0; i < list.size; i++)
    hd_free(list.data[i]);
  hd_vec_free(&list);
  if (launch->pid > 0) {
    setpgid(launch->pid, launch->pid); /* whoever is first */
#ifdef SYS_pidfd_open
    launch->ends = (int)syscall(SYS_pidfd_open, launch->pid, 0);
#endif
    return true;
  }
  if (launch->out >= 0)
    close(launch->out);
  if (launch->err >= 0)
    close(launch->err);
  errno = error;
  return false;
}

static void read_file(int fd, hd_str *text) {
  char buffer[65536];
  ssize_t n;
  if (lseek(fd, 0, SEEK_SET) < 0)
    return;
  while ((n = read(fd, buffer, sizeof buffer)) > 0)
    hd_str_append(text, buffer, (size_t)n);
}

static char *member(const hd_str *report, const char *key) {
  hd_str value = {0};
  char *text = NULL;
  if (hd_json_find(hd_str_text(report), report->size, key, &value) &&
      value.size && strcmp(hd_str_text(&value), "null") != 0)
    text = hd_strdup(hd_str_text(&value));
  hd_str_free(&value);
  return text;
}

/* What was said first; for those who failed. */
static char *complaint(const hd_str *messages, int status) {
  const char *text = hd_str_text(messages);
  size_t n = strcspn(text, "\n");
  hd_str why = {0};
  if (n)
    hd_str_append(&why, text, n);
  else if (WIFSIGNALED(status))
    hd_str_printf(&why, "ended by signal %d (%s)", WTERMSIG(status),
                  strsignal(WTERMSIG(status)));
  else
    hd_str_printf(&why, "exit status %d", WEXITSTATUS(status));
  return hd_str_take(&why);
}

/* The exit status and the report must say the same. */
static bool agrees(int status, const char *verdict, hd_verdict *meant) {
  static const int codes[] = {
      [HD_UNKNOWN] = 5, [HD_SAFE] = 0, [HD_UNSAFE] = 10};
  for (hd_verdict v = HD_UNKNOWN; verdict && v <= HD_UNSAFE; v++)
    if (!strcmp(verdict, hd_verdict_name(v)) && WIFEXITED(status) &&
        WEXITSTATUS(status) == codes[v]) {
      *meant = v;
      return true;
    }
  return false;
}

/* SV-COMP's word for what a property's object in the report tells; or NULL. */
static const char *part_of(const char *object, size_t size) {
  hd_str name = {0}, verdict = {0}, violation = {0}, message = {0};
  const char *word = NULL;
  if (hd_json_find(object, size, "name", &name) &&
      hd_json_find(object, size, "verdict", &verdict) &&
      hd_json_find(object, size, "violation", &violation) &&
      !strcmp(hd_str_text(&verdict), "unsafe")) {
    if (violation.size && !hd_json_find(hd_str_text(&violation), violation.size,
                                        "message", &message))
      hd_vec_clear(&message);
    const char *text = hd_str_text(&message);
    if (!strcmp(hd_str_text(&name), "leak"))
      word = "valid-memtrack";
    else if (!strcmp(hd_str_text(&name), "memory"))
      word = !strncmp(text, "free of ", 8) || !strncmp(text, "realloc of ", 11)
                 ? "valid-free"
                 : "valid-deref";
  }
  hd_str_free(&name);
  hd_str_free(&verdict);
  hd_str_free(&violation);
  hd_str_free(&message);
  return word;
}

/* Where the object that begins at `at` ends; at the end of the text if it does
 * not. */
static const char *object_end(const char *at) {
  int depth = 0;
  for (bool quoted = false; *at; at++) {
    if (quoted && *at == '\\' && at[1])
      at++;
    else if (*at == '"')
      quoted = !quoted;
    else if (!quoted && *at == '{')
      depth++;
    else if (!quoted && *at == '}' && --depth == 0)
      return at + 1;
  }
  return at;
}

/* The parts of memory safety that the report shows violated, or NULL. */
static char *violated(const hd_str *report) {
  hd_str list = {0}, parts = {0};
  if (hd_json_find(hd_str_text(report), report->size, "properties", &list)) {
    const char *at = hd_str_text(&list);
    while ((at = strchr(at, '{'))) {
      const char *end = object_end(at);
      const char *word = part_of(at, (size_t)(end - at));
      if (word)
        hd_str_printf(&parts, "%s%s", parts.size ? " " : "", word);
      at = end;
    }
  }
  hd_str_free(&list);
  char *text = parts.size ? hd_strdup(hd_str_text(&parts)) : NULL;
  hd_str_free(&parts);
  return text;
}

/* `key` of the report or, where each property has its own, of the first one with
 * this verdict; or NULL. */
static char *told(const hd_str *report, const char *verdict, const char *key) {
  hd_str list = {0};
  char *text = member(report, key);
  if (!text &&
      hd_json_find(hd_str_text(report), report->size, "properties", &list)) {
    const char *at = hd_str_text(&list);
    while (!text && (at = strchr(at, '{'))) {
      const char *end = object_end(at);
      hd_str object = {0};
      hd_str_append(&object, at, (size_t)(end - at));
      char *mine = member(&object, "verdict");
      if (mine && !strcmp(mine, verdict))
        text = member(&object, key);
      hd_free(mine);
      hd_str_free(&object);
      at = end;
    }
  }
  hd_str_free(&list);
  return text;
}

static void fill(hd_launch *launch, const hd_task *task, int status,
                 const struct rusage *usage, hd_record *record) {
  hd_str report = {0}, messages = {0};
  read_file(launch->out, &report);
  read_file(launch->err, &messages);
  char *verdict = member(&report, "verdict");
  *record = (hd_record){
      .task = hd_strdup(task->name),
      .known = task->known,
      .expected = task->expected,
      .part = task->part ? hd_strdup(task->part) : NULL,
      .exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1,
      .wall = hd_now() - launch->start,
      .cpu = (double)(usage->ru_utime.tv_sec + usage->ru_stime.tv_sec) +
             1e-6 * (double)(usage->ru_utime.tv_usec + usage->ru_stime.tv_usec),
      .memory = (double)usage->ru_maxrss * 1024};
  if (launch->killed) {
    record->reason = hd_strdup("it did not stop at the time limit");
  } else if (agrees(status, verdict, &record->verdict)) {
    if (record->verdict == HD_UNSAFE)
      record->violated = violated(&report);
    record->engine = told(&report, verdict, "engine");
    record->reason = told(&report, verdict, "reason");
  } else {
    record->error = true;
    record->reason = complaint(&messages, status);
  }
  hd_free(verdict);
  hd_str_free(&report);
  hd_str_free(&messages);
}

static void close_files(hd_launch *launch) {
  close(launch->out);
  close(launch->err);
  if (launch->ends >= 0)
    close(launch->ends);
}

bool hd_launch_poll(hd_launch *launch, const hd_task *task, hd_record *record) {
  int status;
  struct rusage usage = {0};
  pid_t pid = wait4(launch->pid, &status, WNOHANG, &usage);
  if (pid == 0 && hd_now() >= launch->end) {
    launch->killed = true;
    kill(-launch->pid, SIGKILL);
    pid = wait4(launch->pid, &status, 0, &usage);
  }
  if (pid == 0 || (pid < 0 && errno == EINTR))
    return false;
  kill(-launch->pid, SIGKILL); /* what it may have left behind */
  fill(launch, task, status, &usage, record);
  close_files(launch);
  return true;
}

void hd_launch_kill(hd_launch *launch) {
  kill(-launch->pid, SIGKILL);
  while (waitpid(launch->pid, NULL, 0) < 0 && errno == EINTR)
    ;
  close_files(launch);
}
