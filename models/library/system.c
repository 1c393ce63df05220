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
#include <sys/sysinfo.h>
#include <sys/utsname.h>
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
  if (heddle_nondet_bool() || !size)
    return heddle_error();
  heddle_fill(set, size); /* one of them is there */
  ((unsigned char *)set)[heddle_nondet_size_t(0, size - 1)] |=
      (unsigned char)(1 << heddle_nondet_int(0, 7));
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

static _Thread_local char own_name[16];

int pthread_setname_np(pthread_t thread, const char *name) {
  size_t n = strlen(name);
  if (n >= sizeof own_name)
    return ERANGE;
  if (pthread_equal(thread, pthread_self()))
    memcpy(own_name, name, n + 1);
  return 0;
}

int pthread_getname_np(pthread_t thread, char *to, size_t size) {
  if (size < sizeof own_name)
    return ERANGE;
  if (pthread_equal(thread, pthread_self()) && own_name[0])
    strcpy(to, own_name);
  else
    heddle_text(to, sizeof own_name);
  return 0;
}

int pthread_setaffinity_np(pthread_t thread, size_t size,
                           const cpu_set_t *set) {
  heddle_look(set, size);
  return heddle_nondet_bool() ? EINVAL : 0;
}

static _Atomic int concurrency;

int pthread_setconcurrency(int level) {
  if (level < 0)
    return EINVAL;
  concurrency = level;
  return 0;
}

int pthread_getconcurrency(void) {
  return concurrency;
}

/* --- attributes --- */

/* What a setter was given, one more than it is: four bits of the word at the start, or
 * a word behind (check/interp/lib_attr.c); 0 where that is not known. */
enum { SHARED = 12, OTHER = 16, POLICY = 20, INHERIT = 24, KIND = 28 };

static int kept(const void *attr, int part, int most) {
  unsigned value = *(const unsigned *)attr >> part & 15;
  return value ? (int)value - 1 : heddle_nondet_int(0, most);
}

/* Its own number, and not less than this one. */
int pthread_attr_getstacksize(const pthread_attr_t *attr, size_t *size) {
  size_t set = ((const size_t *)attr)[1];
  *size = set ? set : heddle_nondet_size_t(16384, SIZE_MAX);
  return 0;
}

int pthread_attr_getguardsize(const pthread_attr_t *attr, size_t *size) {
  size_t set = ((const size_t *)attr)[3];
  *size = set ? set - 1 : heddle_nondet_size_t(0, SIZE_MAX);
  return 0;
}

int pthread_attr_getschedparam(const pthread_attr_t *attr,
                               struct sched_param *param) {
  size_t set = ((const size_t *)attr)[2];
  param->sched_priority = set ? (int)set - 1 : heddle_nondet_int(0, 99);
  return 0;
}

int pthread_attr_getschedpolicy(const pthread_attr_t *attr, int *policy) {
  *policy = kept(attr, POLICY, 2);
  return 0;
}

int pthread_attr_getinheritsched(const pthread_attr_t *attr, int *inherit) {
  *inherit = kept(attr, INHERIT, 1);
  return 0;
}

int pthread_attr_getscope(const pthread_attr_t *attr, int *scope) {
  *scope = kept(attr, OTHER, 0);
  return 0;
}

/* The thread's stack is where it likes. */
int pthread_attr_setstack(pthread_attr_t *attr, void *start, size_t size) {
  return heddle_nondet_bool() ? EINVAL : 0;
}

int pthread_setschedprio(pthread_t thread, int priority) {
  return heddle_nondet_bool() ? EPERM : 0;
}

int pthread_mutexattr_getpshared(const pthread_mutexattr_t *attr, int *to) {
  *to = kept(attr, SHARED, 1);
  return 0;
}

int pthread_mutexattr_getprotocol(const pthread_mutexattr_t *attr, int *to) {
  *to = kept(attr, OTHER, 2);
  return 0;
}

int pthread_mutexattr_setprioceiling(pthread_mutexattr_t *attr, int ceiling) {
  return heddle_nondet_bool() ? EINVAL : 0;
}

int pthread_condattr_getclock(const pthread_condattr_t *attr, clockid_t *to) {
  *to = kept(attr, OTHER, 1);
  return 0;
}

int pthread_condattr_getpshared(const pthread_condattr_t *attr, int *to) {
  *to = kept(attr, SHARED, 1);
  return 0;
}

int pthread_rwlockattr_getpshared(const pthread_rwlockattr_t *attr, int *to) {
  *to = kept(attr, SHARED, 1);
  return 0;
}

int pthread_rwlockattr_getkind_np(const pthread_rwlockattr_t *attr, int *to) {
  *to = kept(attr, KIND, 2);
  return 0;
}

int pthread_barrierattr_getpshared(const pthread_barrierattr_t *attr, int *to) {
  *to = kept(attr, SHARED, 1);
  return 0;
}

int sched_getscheduler(pid_t process) {
  return heddle_nondet_bool() ? heddle_error() : heddle_nondet_int(0, 7);
}

int sched_setscheduler(pid_t process, int policy,
                       const struct sched_param *param) {
  heddle_look(param, sizeof *param);
  return heddle_status();
}

int sched_getparam(pid_t process, struct sched_param *to) {
  to->sched_priority = heddle_nondet_int(0, 99);
  return heddle_status();
}

int sched_setparam(pid_t process, const struct sched_param *param) {
  heddle_look(param, sizeof *param);
  return heddle_status();
}

int getcpu(unsigned *cpu, unsigned *node) {
  if (cpu)
    *cpu = heddle_nondet_uint(0, 1023);
  if (node)
    *node = heddle_nondet_uint(0, 1023);
  return heddle_status();
}

int get_nprocs_conf(void) {
  return heddle_nondet_int(1, 1024);
}

/* --- the locale --- */

/* Its texts and characters are taken to be those of "C", whatever it is called. */
char *setlocale(int category, const char *name) {
  static _Atomic int named;
  if (name && strcmp(name, "C") && strcmp(name, "POSIX")) {
    if (heddle_nondet_bool())
      return NULL;
    named = 1 + heddle_nondet_bool();
  } else if (name) {
    named = 0;
  }
  return (char *)(uintptr_t)(named > 1 ? "C.UTF-8" : "C");
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

int prlimit(pid_t process, __rlimit_resource_t what, const struct rlimit *from,
            struct rlimit *to) {
  if (from)
    heddle_look(from, sizeof *from);
  return to ? getrlimit(what, to) : heddle_status();
}

int prlimit64(pid_t process, __rlimit_resource_t what,
              const struct rlimit64 *from, struct rlimit64 *to) {
  if (from)
    heddle_look(from, sizeof *from);
  return to ? getrlimit64(what, to) : heddle_status();
}

int getdtablesize(void) {
  return heddle_nondet_int(0, INT_MAX);
}

int getloadavg(double *to, int n) {
  int got = heddle_nondet_int(-1, n < 3 ? n : 3);
  for (int i = 0; i < got; i++)
    to[i] = heddle_nondet_int(0, INT_MAX) / 65536.0;
  return got;
}

int sysinfo(struct sysinfo *to) {
  heddle_fill(to, sizeof *to);
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
  heddle_text(to->nodename, sizeof to->nodename);
  heddle_text(to->release, sizeof to->release);
  heddle_text(to->version, sizeof to->version);
  heddle_text(to->machine, sizeof to->machine);
  return 0;
}

int sethostname(const char *name, size_t size) {
  heddle_look(name, size);
  return heddle_status();
}

long gethostid(void) {
  return heddle_nondet_long(INT_MIN, INT_MAX);
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

/* One number a thread, the same each time; the first is the process. */
static _Thread_local pid_t own_number;
static _Atomic int numbers = 1000;

pid_t gettid(void) {
  if (!own_number)
    own_number = numbers++;
  return own_number;
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

int posix_madvise(void *start, size_t size, int advice) {
  return heddle_nondet_bool() ? EINVAL : 0;
}

int msync(void *start, size_t size, int flags) {
  heddle_look(start, size);
  return heddle_status();
}

int mincore(void *start, size_t size, unsigned char *to) {
  heddle_fill(to, whole_pages(size) / 4096);
  return heddle_status();
}

int malloc_trim(size_t keep) {
  return heddle_nondet_bool();
}

int mallopt(int what, int value) {
  return heddle_nondet_bool();
}

int munlockall(void) {
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

void vwarn(const char *format, va_list values) {
  if (format)
    vfprintf(stderr, format, values);
}

void vwarnx(const char *format, va_list values) {
  if (format)
    vfprintf(stderr, format, values);
}

void verr(int status, const char *format, va_list values) {
  vwarn(format, values);
  exit(status);
}

void verrx(int status, const char *format, va_list values) {
  vwarn(format, values);
  exit(status);
}

/* GNU's. */
void error(int status, int number, const char *format, ...) {
  va_list more;
  va_start(more, format);
  vfprintf(stderr, format, more);
  va_end(more);
  if (status)
    exit(status);
}

int setlogmask(int mask) {
  return heddle_nondet_int(0, 255);
}

void vsyslog(int priority, const char *format, va_list values) {
  (void)vsnprintf(NULL, 0, format, values);
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
  int n = heddle_nondet_int(0, size);
  for (int i = 0; i < n; i++)
    to[i] = (void *)(uintptr_t)backtrace; /* some place of a program */
  return n;
}

/* A block with a text for each. */
char **backtrace_symbols(void *const *from, int size) {
  static char text[] = "?";
  char **to = size > 0 ? malloc((size_t)size * sizeof *to) : NULL;
  for (int i = 0; i < size && to; i++)
    to[i] = text;
  return to;
}

void backtrace_symbols_fd(void *const *from, int size, int fd) {}

/* --- chance --- */

double drand48(void) {
  const long long most = 1LL << 48;
  return (double)heddle_nondet_longlong(0, most - 1) / (double)most;
}

void srand48(long seed) {}

static double any_part(void) {
  return heddle_nondet_int(0, INT_MAX) / 2147483648.0;
}

double erand48(unsigned short seed[3]) {
  heddle_fill(seed, 3 * sizeof *seed);
  return any_part();
}

long lrand48(void) {
  return heddle_nondet_long(0, INT_MAX);
}

long nrand48(unsigned short seed[3]) {
  heddle_fill(seed, 3 * sizeof *seed);
  return heddle_nondet_long(0, INT_MAX);
}

long mrand48(void) {
  return heddle_nondet_long(INT_MIN, INT_MAX);
}

/* A number is drawn from it, which changes it. */
static void draw(struct random_data *state) {
  volatile unsigned char *byte = (volatile unsigned char *)state;
  *byte = *byte;
}

int random_r(struct random_data *state, int32_t *to) {
  draw(state);
  *to = heddle_nondet_int(0, INT_MAX);
  return 0;
}

int srandom_r(unsigned seed, struct random_data *state) {
  draw(state);
  return 0;
}

int initstate_r(unsigned seed, char *room, size_t size,
                struct random_data *state) {
  if (size < 8)
    return heddle_error();
  heddle_fill(room, 8);
  memset(state, 0, sizeof *state);
  return 0;
}

int srand48_r(long seed, struct drand48_data *state) {
  heddle_fill(state, sizeof *state);
  return 0;
}

int drand48_r(struct drand48_data *state, double *to) {
  heddle_fill(state, sizeof state->__x);
  *to = any_part();
  return 0;
}

int lrand48_r(struct drand48_data *state, long *to) {
  heddle_fill(state, sizeof state->__x);
  *to = heddle_nondet_long(0, INT_MAX);
  return 0;
}

int mrand48_r(struct drand48_data *state, long *to) {
  heddle_fill(state, sizeof state->__x);
  *to = heddle_nondet_long(INT_MIN, INT_MAX);
  return 0;
}

uint32_t arc4random(void) {
  return heddle_nondet_uint(0, UINT_MAX);
}

uint32_t arc4random_uniform(uint32_t limit) {
  return limit ? heddle_nondet_uint(0, limit - 1) : 0;
}

void arc4random_buf(void *to, size_t size) {
  heddle_fill(to, size);
}

int getentropy(void *to, size_t size) {
  if (size > 256 || heddle_nondet_bool())
    return heddle_error();
  heddle_fill(to, size);
  return 0;
}

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
  const size_t most = 33554431;
  ssize_t n = heddle_nondet_long(0, (long)(size > most ? most : size));
  heddle_fill(to, (size_t)n);
  return n;
}
