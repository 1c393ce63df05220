/* SPDX-License-Identifier: MIT */
#include "cli/suite/remote.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <netdb.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* A worker waits so long for rank 0 to appear. */
static const double patience = 60;

/* --- who and where --- */

static const char *first_of(const char *const *names) {
  for (; *names; names++) {
    const char *value = getenv(*names);
    if (value && *value)
      return value;
  }
  return NULL;
}

hd_job_place hd_remote_place(void) {
  static const char *const ranks[] = {"OMPI_COMM_WORLD_RANK", "PMI_RANK", NULL};
  static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", NULL};
  static const char *const jobs[] = {
      "PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid", "SLURM_JOB_ID", NULL};
  const char *rank = first_of(ranks), *size = first_of(sizes);
  const char *job = first_of(jobs);
  hd_job_place place = {0};
  if (!rank || !size || atoi(size) < 2)
    return place;
  place.rank = atoi(rank);
  place.size = atoi(size);
  hd_str file = {0};
  hd_str_puts(&file, ".heddle-suite-");
  for (const char *c = job ? job : "job"; *c; c++)
    hd_str_append(&file, strchr("/ ", *c) ? "_" : c, 1);
  place.file = hd_str_take(&file);
  return place;
}

void hd_remote_place_free(hd_job_place *place) {
  hd_free(place->file);
}

/* --- rank 0 --- */

static void put_addresses(hd_str *out) {
  struct ifaddrs *list = NULL;
  if (getifaddrs(&list) != 0)
    return;
  for (struct ifaddrs *one = list; one; one = one->ifa_next) {
    char text[INET_ADDRSTRLEN];
    if (!one->ifa_addr || one->ifa_addr->sa_family != AF_INET)
      continue;
    struct sockaddr_in address;
    memcpy(&address, one->ifa_addr, sizeof address);
    if (inet_ntop(AF_INET, &address.sin_addr, text, sizeof text) &&
        strncmp(text, "127.", 4) != 0)
      hd_str_printf(out, " %s", text);
  }
  freeifaddrs(list);
}

static bool make_token(char token[33]) {
  unsigned char bytes[16];
  if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
    return false;
  for (size_t i = 0; i < sizeof bytes; i++)
    snprintf(token + 2 * i, 3, "%02x", bytes[i]);
  return true;
}

/* For the owner only, and whole when it is there. */
static bool write_place(const char *file, const hd_str *text) {
  hd_str temporary = {0};
  hd_str_printf(&temporary, "%s.new", file);
  const char *path = hd_str_text(&temporary);
  unlink(path);
  int fd = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
  bool ok = fd >= 0 &&
            write(fd, hd_str_text(text), text->size) == (ssize_t)text->size;
  if (fd >= 0)
    ok = close(fd) == 0 && ok;
  ok = ok && rename(path, file) == 0;
  hd_str_free(&temporary);
  return ok;
}

int hd_remote_listen(const hd_job_place *place, char token[33], hd_diag *diag) {
  struct sockaddr_in address = {.sin_family = AF_INET,
                                .sin_addr.s_addr = htonl(INADDR_ANY)};
  socklen_t size = sizeof address;
  char host[256] = "";
  hd_str text = {0};
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  gethostname(host, sizeof host - 1);
  bool ok = fd >= 0 && make_token(token) &&
            bind(fd, (struct sockaddr *)&address, sizeof address) == 0 &&
            listen(fd, 128) == 0 &&
            getsockname(fd, (struct sockaddr *)&address, &size) == 0;
  if (ok) {
    hd_str_printf(&text, "heddle suite 1\n%s\n%u\n%s", token,
                  (unsigned)ntohs(address.sin_port), host);
    put_addresses(&text);
    hd_str_puts(&text, "\n");
    ok = write_place(place->file, &text);
  }
  if (!ok)
    hd_diag_file_error(diag, place->file,
                       "other ranks cannot be told where to connect: %s",
                       strerror(errno));
  hd_str_free(&text);
  if (!ok && fd >= 0)
    close(fd);
  return ok ? fd : -1;
}

void hd_remote_close(const hd_job_place *place, int listener) {
  if (listener < 0)
    return;
  close(listener);
  unlink(place->file);
}

static bool send_all(int fd, const char *data, size_t size) {
  while (size) {
    ssize_t n = send(fd, data, size, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    data += n;
    size -= (size_t)n;
  }
  return true;
}

bool hd_worker_send(hd_worker *worker, size_t number, const hd_task *task) {
  hd_str words = {0}, text = {0};
  for (size_t i = 0; i < task->words.size; i++)
    hd_str_append(&words, task->words.data[i], strlen(task->words.data[i]) + 1);
  hd_str_printf(&text, "task %zu %zu\n", number, words.size);
  hd_str_append(&text, words.data, words.size);
  bool ok = send_all(worker->fd, text.data, text.size);
  hd_str_free(&words);
  hd_str_free(&text);
  return ok;
}

void hd_worker_end(hd_worker *worker) {
  (void)!send_all(worker->fd, "end\n", 4);
}

/* A line `WORD NUMBER SIZE` and so many bytes behind it. */
typedef struct {
  char word[16];
  size_t number, size;
  const char *bytes;
  size_t whole; /* of line and bytes */
} message;

static const size_t longest = (size_t)64 << 20;

/* 1: there is one; 0: not yet; -1: nothing that is one. */
static int find_message(const hd_str *in, message *m) {
  const char *stop = in->size ? memchr(in->data, '\n', in->size) : NULL;
  unsigned long long number = 0, size = 0;
  char line[128];
  if (!stop)
    return in->size < sizeof line ? 0 : -1;
  size_t n = (size_t)(stop - in->data);
  if (n >= sizeof line)
    return -1;
  memcpy(line, in->data, n);
  line[n] = 0;
  int fields = sscanf(line, "%15s %llu %llu", m->word, &number, &size);
  if (fields < 1 || size > longest)
    return -1;
  m->number = (size_t)number;
  m->size = fields == 3 ? (size_t)size : 0;
  m->bytes = stop + 1;
  m->whole = n + 1 + m->size;
  return in->size >= m->whole;
}

static void drop(hd_str *in, size_t size) {
  memmove(in->data, in->data + size, in->size - size);
  in->size -= size;
}

/* One read. False at the end. */
static bool receive(int fd, hd_str *in) {
  char buffer[65536];
  ssize_t n;
  do
    n = read(fd, buffer, sizeof buffer);
  while (n < 0 && errno == EINTR);
  if (n > 0)
    hd_str_append(in, buffer, (size_t)n);
  return n > 0;
}

/* hello TOKEN RANK, all in one line. */
static bool greets(const hd_str *in, const char *token) {
  char given[64] = "";
  const char *stop = memchr(in->data, '\n', in->size);
  char line[128] = "";
  if ((size_t)(stop - in->data) < sizeof line)
    memcpy(line, in->data, (size_t)(stop - in->data));
  return sscanf(line, "hello %63s", given) == 1 && !strcmp(given, token);
}

int hd_worker_hear(hd_worker *worker, const char *token, hd_record *record) {
  message m;
  if (!receive(worker->fd, &worker->in))
    return -1;
  if (!worker->hello) {
    const char *stop = memchr(worker->in.data, '\n', worker->in.size);
    if (!stop)
      return worker->in.size < 128 ? 0 : -1;
    if (!greets(&worker->in, token))
      return -1;
    worker->hello = true;
    drop(&worker->in, (size_t)(stop - worker->in.data) + 1);
  }
  int there = find_message(&worker->in, &m);
  if (there <= 0)
    return there;
  bool ok = !strcmp(m.word, "result") && worker->busy &&
            m.number == worker->task && m.size &&
            hd_record_read(m.bytes, m.size - 1, record);
  if (ok)
    drop(&worker->in, m.whole);
  return ok ? 1 : -1;
}

void hd_worker_free(hd_worker *worker) {
  close(worker->fd);
  hd_str_free(&worker->in);
}

/* --- the others --- */

typedef struct {
  char token[64], port[16], host[256];
  hd_str addresses; /* separated by blanks */
} whereabouts;

static bool read_place(const char *file, whereabouts *w) {
  FILE *in = fopen(file, "r");
  char line[4096] = "";
  bool ok = in && fgets(line, sizeof line, in) &&
            !strcmp(line, "heddle suite 1\n") &&
            fscanf(in, "%63s %15s %255s", w->token, w->port, w->host) == 3 &&
            fgets(line, sizeof line, in);
  if (in)
    fclose(in);
  if (ok) {
    hd_vec_clear(&w->addresses);
    hd_str_puts(&w->addresses, line);
  }
  return ok;
}

static int connect_to(const char *address, const char *port) {
  struct addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
  struct addrinfo *found = NULL;
  if (getaddrinfo(address, port, &hints, &found) != 0)
    return -1;
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  if (fd >= 0 && connect(fd, found->ai_addr, found->ai_addrlen) != 0) {
    close(fd);
    fd = -1;
  }
  freeaddrinfo(found);
  return fd;
}

static int connect_by(const whereabouts *w) {
  char own[256] = "";
  gethostname(own, sizeof own - 1);
  int fd = !strcmp(own, w->host) ? connect_to("127.0.0.1", w->port) : -1;
  char *list = hd_strdup(hd_str_text(&w->addresses)), *rest = list;
  for (char *one; fd < 0 && (one = strsep(&rest, " \n"));)
    if (*one)
      fd = connect_to(one, w->port);
  hd_free(list);
  return fd < 0 ? connect_to(w->host, w->port) : fd;
}

/* Tries until rank 0 is there. */
static int reach(const hd_job_place *place, hd_run *run) {
  whereabouts w = {.addresses = {0}};
  double until = hd_now() + patience;
  int fd = -1;
  while (fd < 0 && hd_run_check(run) && hd_now() < until) {
    if (read_place(place->file, &w))
      fd = connect_by(&w);
    if (fd < 0)
      poll(NULL, 0, 100);
  }
  if (fd >= 0) {
    hd_str hello = {0};
    hd_str_printf(&hello, "hello %s %d\n", w.token, place->rank);
    (void)!send_all(fd, hello.data, hello.size);
    hd_str_free(&hello);
  }
  hd_str_free(&w.addresses);
  return fd;
}

/* Runs it to its end; a connection that is lost meanwhile is noticed after. */
static bool do_task(int fd, const message *m, const hd_launch_options *options,
                    hd_run *run) {
  hd_tasks one = {0};
  hd_task task = {0};
  for (const char *at = m->bytes; at < m->bytes + m->size; at += strlen(at) + 1)
    hd_vec_push(&task.words, hd_strdup(at));
  hd_task_push(&one, &task);
  hd_launch launch;
  hd_record record;
  bool ok = m->size && hd_launch_start(&launch, &one.all.data[0], options);
  while (ok && !hd_launch_poll(&launch, &one.all.data[0], &record)) {
    struct pollfd ends = {.fd = launch.ends, .events = POLLIN};
    poll(&ends, launch.ends >= 0, launch.ends >= 0 ? 200 : 10);
    if (hd_run_check(run))
      continue;
    hd_launch_kill(&launch);
    ok = false;
  }
  if (ok) {
    hd_str line = {0}, text = {0};
    hd_record_print(&line, &record);
    hd_str_printf(&text, "result %zu %zu\n", m->number, line.size);
    hd_str_append(&text, line.data, line.size);
    ok = send_all(fd, text.data, text.size);
    hd_str_free(&line);
    hd_str_free(&text);
    hd_record_free(&record);
  }
  hd_tasks_free(&one);
  return ok;
}

/* True when there is nothing left, or rank 0 is gone: it was done then, or
 * nobody would hear of a result. */
static bool serve(int fd, const hd_launch_options *options, hd_run *run) {
  hd_str in = {0};
  message m;
  bool good = true, over = false;
  while (good && !over && hd_run_check(run)) {
    int there = find_message(&in, &m);
    if (there < 0) {
      good = false;
    } else if (there == 0) {
      over = !receive(fd, &in);
    } else if (!strcmp(m.word, "end")) {
      over = true;
    } else {
      good = !strcmp(m.word, "task") && in.data[m.whole - 1] == 0 &&
             do_task(fd, &m, options, run);
      if (good)
        drop(&in, m.whole);
    }
  }
  hd_str_free(&in);
  return over;
}

/* The rank's process only watches: should its child be killed, it starts
 * another, and mpirun does not notice. */
bool hd_remote_work(const hd_job_place *place, const hd_launch_options *options,
                    hd_run *run, hd_diag *diag) {
  for (int attempt = 0; attempt < 4 && hd_run_check(run); attempt++) {
    fflush(NULL);
    pid_t parent = getpid(), child = fork();
    if (child == 0) {
      prctl(PR_SET_PDEATHSIG, SIGKILL);
      if (getppid() != parent)
        _exit(0);
      int fd = reach(place, run);
      _exit(fd < 0 ? 3 : serve(fd, options, run) ? 0 : 4);
    }
    int status = 0;
    while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
      if (!hd_run_check(run))
        kill(child, SIGTERM);
    if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 3) {
      hd_diag_file_error(diag, place->file, "rank %d: rank 0 cannot be reached",
                         place->rank);
      return false;
    }
    if (child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0)
      return true;
  }
  return false;
}
