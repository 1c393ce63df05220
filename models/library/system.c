/* SPDX-License-Identifier: MIT */
/* The machine, the process and its arguments. */
#define _GNU_SOURCE
#include "model.h"

#include <err.h>
#include <getopt.h>
#include <pthread.h>
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <syslog.h>
#include <time.h>
#include <unistd.h>

int getpagesize(void) {
  return 4096;
}

/* SV-COMP's way to say that bytes are any. */
void __VERIFIER_nondet_memory(void *where, size_t size) {
  heddle_fill(where, size);
}

/* --- processors --- */

int sched_getaffinity(pid_t process, size_t size, cpu_set_t *set) {
  if (heddle_nondet_bool())
    return heddle_error();
  memset(set, 0, size);
  CPU_SET_S(0, size, set);
  if (heddle_nondet_bool())
    CPU_SET_S(1, size, set);
  return 0;
}

int sched_setaffinity(pid_t process, size_t size, const cpu_set_t *set) {
  heddle_look(set, size);
  return heddle_status();
}

int pthread_getaffinity_np(pthread_t thread, size_t size, cpu_set_t *set) {
  return sched_getaffinity(0, size, set) ? errno : 0;
}

int pthread_attr_setaffinity_np(pthread_attr_t *attr, size_t size,
                                const cpu_set_t *set) {
  heddle_look(set, size);
  return 0;
}

int __sched_cpucount(size_t size, const cpu_set_t *set) {
  int n = 0;
  for (size_t i = 0; i < 8 * size; i++)
    n += CPU_ISSET_S(i, size, set) != 0;
  return n;
}

int sched_getcpu(void) {
  return heddle_nondet_int(0, 1023);
}

int sched_get_priority_max(int policy) {
  return policy == SCHED_FIFO || policy == SCHED_RR ? 99 : 0;
}

int sched_get_priority_min(int policy) {
  return policy == SCHED_FIFO || policy == SCHED_RR ? 1 : 0;
}

int pthread_setschedparam(pthread_t thread, int policy,
                          const struct sched_param *param) {
  heddle_look(param, sizeof *param);
  return heddle_nondet_bool() ? EPERM : 0;
}

int pthread_getschedparam(pthread_t thread, int *policy,
                          struct sched_param *param) {
  *policy = heddle_nondet_int(0, 2);
  param->sched_priority = heddle_nondet_int(0, 99);
  return 0;
}

int pthread_getname_np(pthread_t thread, char *to, size_t size) {
  if (size < 16)
    return ERANGE;
  size_t n = heddle_nondet_size_t(0, 15);
  for (size_t i = 0; i < n; i++)
    to[i] = heddle_nondet_char(33, 126);
  to[n] = 0;
  return 0;
}

int pthread_attr_getstacksize(const pthread_attr_t *attr, size_t *size) {
  *size = heddle_nondet_size_t(16384, (size_t)1 << 40);
  return 0;
}

int get_nprocs_conf(void) {
  return heddle_nondet_int(1, 1024);
}

/* --- limits and identity --- */

int getrlimit(__rlimit_resource_t what, struct rlimit *to) {
  to->rlim_cur = heddle_nondet_ulong(0, ULONG_MAX);
  to->rlim_max = heddle_nondet_ulong(0, ULONG_MAX);
  return heddle_status();
}

int setrlimit(__rlimit_resource_t what, const struct rlimit *from) {
  heddle_look(from, sizeof *from);
  return heddle_status();
}

/* The same struct on machines of 64 bits, and as long on others as the compiler
 * says. */
int getrlimit64(__rlimit_resource_t what, struct rlimit64 *to) {
  to->rlim_cur = heddle_nondet_ulong(0, ULONG_MAX);
  to->rlim_max = heddle_nondet_ulong(0, ULONG_MAX);
  return heddle_status();
}

int setrlimit64(__rlimit_resource_t what, const struct rlimit64 *from) {
  heddle_look(from, sizeof *from);
  return heddle_status();
}

/* What the system tells a program about the machine and itself. */
unsigned long getauxval(unsigned long what) {
  return heddle_nondet_ulong(0, ULONG_MAX);
}

int uname(struct utsname *to) {
  static const char name[] = "Linux";
  memset(to, 0, sizeof *to);
  memcpy(to->sysname, name, sizeof name);
  return heddle_status();
}

int gethostname(char *to, size_t size) {
  if (heddle_nondet_bool() || !size)
    return heddle_error();
  size_t n = heddle_nondet_size_t(0, size - 1 < 64 ? size - 1 : 64);
  for (size_t i = 0; i < n; i++)
    to[i] = heddle_nondet_char(33, 126);
  to[n] = 0;
  return 0;
}

static pid_t any_id(void) {
  return heddle_nondet_int(1, 4194304);
}

pid_t getppid(void) {
  return any_id();
}

/* One number a thread, the same each time; the first is the process. */
static _Thread_local pid_t own_number;
static _Atomic int numbers = 1000;

pid_t gettid(void) {
  if (!own_number)
    own_number = numbers++;
  return own_number;
}

/* Any number, but the same one each time. */
static unsigned one_number(_Atomic long long *kept) {
  long long known = *kept;
  if (known < 0) {
    long long fresh = heddle_nondet_uint(0, UINT_MAX);
    if (__c11_atomic_compare_exchange_strong(
            kept, &known, fresh, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST))
      known = fresh;
  }
  return (unsigned)known;
}

static _Atomic long long user = -1, user_in_effect = -1, group = -1;

uid_t getuid(void) {
  return one_number(&user);
}

uid_t geteuid(void) {
  return one_number(&user_in_effect);
}

gid_t getgid(void) {
  return one_number(&group);
}

/* Who may not is told so; who may changes the number in effect, and perhaps the
 * other. */
int setuid(uid_t to) {
  if (heddle_nondet_bool())
    return heddle_error();
  user_in_effect = to;
  if (heddle_nondet_bool())
    user = to;
  return 0;
}

int setgid(gid_t to) {
  if (heddle_nondet_bool())
    return heddle_error();
  group = to;
  return 0;
}

int setgroups(size_t n, const gid_t *groups) {
  if (n)
    heddle_look(groups, n * sizeof *groups);
  return heddle_status();
}

int prctl(int option, ...) {
  if (option != PR_SET_NAME && option != PR_SET_DUMPABLE)
    __heddle_not_modelled("prctl other than PR_SET_NAME");
  return heddle_status();
}

int nice(int by) {
  return heddle_nondet_int(-20, 19);
}

/* Some version, the same each time. */
const char *gnu_get_libc_version(void) {
  static char version[5];
  heddle_atomic_begin();
  if (!version[0]) {
    version[3] = (char)heddle_nondet_int('0', '9');
    version[2] = (char)heddle_nondet_int('1', '9');
    version[1] = '.';
    version[0] = '2';
  }
  heddle_atomic_end();
  return version;
}

/* --- processes --- */

enum { FORKERS = 8 };

static struct {
  void (*prepare)(void);
  void (*parent)(void);
} forkers[FORKERS];
static _Atomic int n_forkers;

int pthread_atfork(void (*prepare)(void), void (*parent)(void),
                   void (*child)(void)) {
  int i = n_forkers;
  if (heddle_nondet_bool())
    return ENOMEM;
  if (i >= FORKERS)
    __heddle_not_modelled("more than 8 calls of pthread_atfork");
  forkers[i].prepare = prepare;
  forkers[i].parent = parent;
  n_forkers = i + 1;
  return 0;
}

/* The child is another program; the parent goes on. */
pid_t fork(void) {
  for (int i = n_forkers; i-- > 0;)
    if (forkers[i].prepare)
      forkers[i].prepare();
  int failed = heddle_nondet_bool();
  if (!failed && heddle_nondet_bool())
    __heddle_not_modelled("the child of fork");
  for (int i = 0; i < n_forkers; i++)
    if (forkers[i].parent)
      forkers[i].parent();
  return failed ? heddle_error() : any_id();
}

/* Another program goes on in its place. */
static int replaced(const char *path, char *const *words) {
  (void)strlen(path);
  for (int i = 0; words && words[i]; i++)
    (void)strlen(words[i]);
  if (heddle_nondet_bool())
    return heddle_error();
  _exit(0);
}

int execv(const char *path, char *const *words) {
  return replaced(path, words);
}

int execvp(const char *path, char *const *words) {
  return replaced(path, words);
}

int execve(const char *path, char *const *words, char *const *environment) {
  return replaced(path, words);
}

int execl(const char *path, const char *word, ...) {
  return replaced(path, NULL);
}

int execlp(const char *path, const char *word, ...) {
  return replaced(path, NULL);
}

pid_t setsid(void) {
  return heddle_nondet_bool() ? heddle_error() : any_id();
}

mode_t umask(mode_t mask) {
  return (mode_t)heddle_nondet_uint(0, 0777);
}

/* --- processes that share the memory: threads which are waited for as children --- */

enum { CHILDREN = 8 };

static struct child {
  int (*work)(void *);
  void *arg;
  pid_t id;
  int status;
  enum { NONE, RUNS, ENDED } state;
} children[CHILDREN];
static pthread_mutex_t child_lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t child_ends = PTHREAD_COND_INITIALIZER;

static void *run_child(void *arg) {
  struct child *me = arg;
  int result = me->work(me->arg);
  pthread_mutex_lock(&child_lock);
  me->status = (result & 255) << 8;
  me->state = ENDED;
  pthread_cond_broadcast(&child_ends);
  pthread_mutex_unlock(&child_lock);
  return NULL;
}

int clone(int (*work)(void *), void *stack, int flags, void *arg, ...) {
  const int simple = CLONE_VM | CLONE_FS | CLONE_FILES | CLONE_SIGHAND | 255;
  pthread_t thread;
  int i = 0;
  if (heddle_nondet_bool())
    return heddle_error();
  if (!(flags & CLONE_VM) || flags & ~simple)
    __heddle_not_modelled("clone but for a process that shares the memory");
  pthread_mutex_lock(&child_lock);
  while (i < CHILDREN && children[i].state != NONE)
    i++;
  if (i == CHILDREN)
    __heddle_not_modelled("more than 8 processes that share the memory");
  children[i].work = work;
  children[i].arg = arg;
  children[i].id = 1000 + i;
  children[i].state = RUNS;
  pthread_mutex_unlock(&child_lock);
  pthread_create(&thread, NULL, run_child, &children[i]);
  pthread_detach(thread);
  return 1000 + i;
}

/* How many of them are so; of this id, if it is not 0. */
static int count_children(int state, pid_t id) {
  int n = 0;
  for (int i = 0; i < CHILDREN; i++)
    n += children[i].state == state && (!id || children[i].id == id);
  return n;
}

/* One that has ended, of those that may be meant; NULL: there is none of them, or
 * nobody waits for it. */
static struct child *ended_child(pid_t id, int waits) {
  while (!count_children(ENDED, id)) {
    if (!waits || !count_children(RUNS, id))
      return NULL;
    pthread_cond_wait(&child_ends, &child_lock);
  }
  int n = count_children(ENDED, id),
      which = n > 1 ? heddle_nondet_int(0, n - 1) : 0;
  struct child *c = children;
  while (c->state != ENDED || (id && c->id != id) || which--)
    c++;
  return c;
}

static pid_t any_child(pid_t id, int *status, int waits) {
  pthread_mutex_lock(&child_lock);
  const int known = count_children(RUNS, id) + count_children(ENDED, id);
  struct child *c = known ? ended_child(id, waits) : NULL;
  if (c) {
    id = c->id;
    if (status)
      *status = c->status;
    c->state = NONE;
  }
  pthread_mutex_unlock(&child_lock);
  if (known)
    return c ? id : 0;
  if (heddle_nondet_bool())
    return heddle_error();
  if (status)
    *status = heddle_nondet_int(0, 65535);
  return any_id();
}

pid_t wait(int *status) {
  return any_child(0, status, 1);
}

pid_t waitpid(pid_t process, int *status, int options) {
  return any_child(process > 0 ? process : 0, status, !(options & WNOHANG));
}

int system(const char *command) {
  if (command)
    (void)strlen(command);
  return heddle_nondet_int(-1, 65535);
}

/* --- memory --- */

enum { MAPPINGS = 16 };

static struct {
  void *_Atomic start;
  _Atomic size_t size;
} mappings[MAPPINGS];

static size_t whole_pages(size_t size) {
  return (size + 4095) / 4096 * 4096;
}

void *mmap(void *wanted, size_t size, int protection, int flags, int fd,
           off_t offset) {
  if (heddle_nondet_bool() || !size) {
    heddle_error();
    return MAP_FAILED;
  }
  if (flags & MAP_FIXED)
    __heddle_not_modelled("mmap at a fixed address");
  if (!(flags & MAP_ANONYMOUS))
    __heddle_not_modelled("mmap of a file");
  void *made = aligned_alloc(4096, whole_pages(size));
  if (!made)
    return MAP_FAILED;
  for (int i = 0; i < MAPPINGS; i++) {
    void *expected = NULL;
    if (__c11_atomic_compare_exchange_strong(&mappings[i].start, &expected,
                                             made, __ATOMIC_SEQ_CST,
                                             __ATOMIC_SEQ_CST)) {
      mappings[i].size = whole_pages(size);
      return memset(made, 0, whole_pages(size));
    }
  }
  __heddle_not_modelled("more than 16 mappings");
  return MAP_FAILED;
}

void *mmap64(void *wanted, size_t size, int protection, int flags, int fd,
             __off64_t at) {
  return mmap(wanted, size, protection, flags, fd, (off_t)at);
}

int munmap(void *start, size_t size) {
  for (int i = 0; i < MAPPINGS; i++)
    if (start && mappings[i].start == start) {
      if (mappings[i].size != whole_pages(size))
        __heddle_not_modelled("munmap of a part");
      mappings[i].start = NULL;
      free(start);
      return 0;
    }
  __heddle_not_modelled("munmap of what mmap did not give");
  return -1;
}

int mprotect(void *start, size_t size, int protection) {
  if (protection != (PROT_READ | PROT_WRITE))
    __heddle_not_modelled("mprotect that takes rights away");
  return heddle_status();
}

int madvise(void *start, size_t size, int advice) {
  if (advice == MADV_DONTNEED || advice == MADV_FREE)
    __heddle_not_modelled("madvise that forgets");
  return heddle_status();
}

int mlock(const void *start, size_t size) {
  return heddle_status();
}

int munlock(const void *start, size_t size) {
  return heddle_status();
}

int mlockall(int flags) {
  return heddle_status();
}

/* --- messages --- */

void warnx(const char *format, ...) {
  va_list more;
  va_start(more, format);
  if (format)
    vfprintf(stderr, format, more);
  va_end(more);
}

void warn(const char *format, ...) {
  va_list more;
  va_start(more, format);
  if (format)
    vfprintf(stderr, format, more);
  va_end(more);
}

void errx(int status, const char *format, ...) {
  va_list more;
  va_start(more, format);
  if (format)
    vfprintf(stderr, format, more);
  va_end(more);
  exit(status);
}

void err(int status, const char *format, ...) {
  va_list more;
  va_start(more, format);
  if (format)
    vfprintf(stderr, format, more);
  va_end(more);
  exit(status);
}

void openlog(const char *name, int option, int facility) {}

void closelog(void) {}

void syslog(int priority, const char *format, ...) {
  char text[256];
  va_list more;
  va_start(more, format);
  vsnprintf(text, sizeof text, format, more);
  va_end(more);
}

/* --- arguments --- */

char *optarg;
int optind = 1, opterr = 1, optopt;
static int opt_at = 1; /* inside of argv[optind] */

static int is_option(const char *word) {
  return word[0] == '-' && word[1];
}

/* glibc looks for options behind operands, too. */
static int no_more_options(int argc, char *const *argv) {
  for (int i = optind; i < argc; i++)
    if (is_option(argv[i]))
      __heddle_not_modelled("options behind operands");
  return -1;
}

int getopt(int argc, char *const *argv, const char *letters) {
  optarg = NULL;
  if (optind < 1 || letters[0] == '+' || letters[0] == '-')
    __heddle_not_modelled("getopt from the start, or with another order");
  if (optind >= argc || !argv[optind] || !is_option(argv[optind]))
    return no_more_options(argc, argv);
  if (!strcmp(argv[optind], "--")) {
    optind++;
    return -1;
  }
  const char *word = argv[optind];
  char letter = word[opt_at++];
  const char *row = letter == ':' ? NULL : strchr(letters, letter);
  int last = !word[opt_at];
  optopt = letter;
  if (row && row[1] == ':' && !last) {
    optarg = (char *)(uintptr_t)&word[opt_at];
    last = 1;
  } else if (row && row[1] == ':' && row[2] != ':') {
    if (optind + 1 >= argc) {
      optind++;
      opt_at = 1;
      return letters[0] == ':' ? ':' : '?';
    }
    optarg = argv[++optind];
  }
  if (last) {
    optind++;
    opt_at = 1;
  }
  return row ? letter : '?';
}

int getopt_long(int argc, char *const *argv, const char *letters,
                const struct option *words, int *index) {
  if (optind >= argc || !argv[optind] || strncmp(argv[optind], "--", 2) ||
      !argv[optind][2])
    return getopt(argc, argv, letters);
  const char *name = argv[optind++] + 2;
  size_t n = strcspn(name, "=");
  optarg = NULL;
  for (int i = 0; words[i].name; i++) {
    if (strncmp(words[i].name, name, n) || words[i].name[n])
      continue;
    if (name[n])
      optarg = (char *)(uintptr_t)&name[n + 1];
    else if (words[i].has_arg == required_argument) {
      if (optind >= argc)
        return '?';
      optarg = argv[optind++];
    }
    if (index)
      *index = i;
    if (!words[i].flag)
      return words[i].val;
    *words[i].flag = words[i].val;
    return 0;
  }
  return '?';
}

/* --- libraries at run time, of which nothing is known --- */

void *dlopen(const char *name, int flags) {
  if (heddle_nondet_bool())
    __heddle_not_modelled("a library that is loaded at run time");
  return NULL;
}

void *dlsym(void *handle, const char *name) {
  if (heddle_nondet_bool())
    __heddle_not_modelled("a function that is looked up at run time");
  return NULL;
}

int dlclose(void *handle) {
  return heddle_status();
}

char *dlerror(void) {
  static char text[] = "error";
  return heddle_nondet_bool() ? text : NULL;
}

int backtrace(void **to, int size) {
  int n = heddle_nondet_int(0, size > 64 ? 64 : size);
  for (int i = 0; i < n; i++)
    to[i] = NULL;
  return n;
}

void backtrace_symbols_fd(void *const *from, int size, int fd) {}

/* --- chance --- */

double drand48(void) {
  return heddle_nondet_int(0, INT_MAX) / 2147483648.0;
}

void srand48(long seed) {}

static int environment_changes(const char *text) {
  (void)strlen(text);
  __heddle_not_modelled("the environment changes");
  return heddle_status();
}

int setenv(const char *name, const char *value, int over) {
  (void)strlen(value);
  return environment_changes(name);
}

int unsetenv(const char *name) {
  return environment_changes(name);
}

int putenv(char *text) {
  return environment_changes(text);
}

ssize_t getrandom(void *to, size_t size, unsigned flags) {
  if (heddle_nondet_bool())
    return heddle_error();
  ssize_t n = heddle_nondet_long(0, size > 256 ? 256 : (long)size);
  heddle_fill(to, (size_t)n);
  return n;
}
