/* SPDX-License-Identifier: MIT */
/* What files are called and whose they are, of a world that nobody knows; and names
 * of functions with 64 bits for a size, which they have anyway. */
#define _GNU_SOURCE
#include "model.h"

#include <dirent.h>
#include <fcntl.h>
#include <fnmatch.h>
#include <glob.h>
#include <limits.h>
#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

static int changed(const char *path) {
  (void)strlen(path);
  return heddle_status();
}

int chmod(const char *path, mode_t mode) {
  return changed(path);
}

int fchmod(int fd, mode_t mode) {
  return heddle_status();
}

int chown(const char *path, uid_t owner, gid_t group) {
  return changed(path);
}

int fchown(int fd, uid_t owner, gid_t group) {
  return heddle_status();
}

int utimes(const char *path, const struct timeval times[2]) {
  if (times)
    heddle_look(times, 2 * sizeof *times);
  return changed(path);
}

int utime(const char *path, const struct utimbuf *times) {
  if (times)
    heddle_look(times, sizeof *times);
  return changed(path);
}

int link(const char *from, const char *to) {
  (void)strlen(from);
  return changed(to);
}

int symlink(const char *from, const char *to) {
  (void)strlen(from);
  return changed(to);
}

int truncate(const char *path, off_t size) {
  return changed(path);
}

int lchown(const char *path, uid_t owner, gid_t group) {
  return changed(path);
}

int mkfifo(const char *path, mode_t mode) {
  return changed(path);
}

/* --- from a folder that is open --- */

int unlinkat(int folder, const char *path, int flags) {
  return changed(path);
}

int mkdirat(int folder, const char *path, mode_t mode) {
  return changed(path);
}

int fchmodat(int folder, const char *path, mode_t mode, int flags) {
  return changed(path);
}

int fchownat(int folder, const char *path, uid_t owner, gid_t group,
             int flags) {
  return changed(path);
}

int faccessat(int folder, const char *path, int mode, int flags) {
  return changed(path);
}

int fstatat(int folder, const char *path, struct stat *to, int flags) {
  return stat(path, to);
}

int fstatat64(int folder, const char *path, struct stat64 *to, int flags) {
  return stat(path, (struct stat *)to);
}

int renameat(int a, const char *from, int b, const char *to) {
  (void)strlen(from);
  return changed(to);
}

int utimensat(int folder, const char *path, const struct timespec times[2],
              int flags) {
  if (times)
    heddle_look(times, 2 * sizeof *times);
  return changed(path);
}

int futimens(int fd, const struct timespec times[2]) {
  if (times)
    heddle_look(times, 2 * sizeof *times);
  return heddle_status();
}

int fchdir(int fd) {
  return heddle_status();
}

ssize_t readlink(const char *path, char *to, size_t size);

ssize_t readlinkat(int folder, const char *path, char *to, size_t size) {
  return readlink(path, to, size);
}

/* --- room --- */

int fallocate(int fd, int mode, off_t from, off_t size) {
  return heddle_status();
}

int fallocate64(int fd, int mode, off64_t from, off64_t size) {
  return heddle_status();
}

int posix_fallocate(int fd, off_t from, off_t size) {
  return heddle_nondet_bool() ? ENOSPC : 0;
}

int posix_fallocate64(int fd, off64_t from, off64_t size) {
  return heddle_nondet_bool() ? ENOSPC : 0;
}

int posix_fadvise64(int fd, off64_t from, off64_t size, int advice) {
  return heddle_nondet_bool() ? EINVAL : 0;
}

void sync(void) {}

int syncfs(int fd) {
  return heddle_status();
}

int lockf(int fd, int what, off_t size) {
  return heddle_status();
}

int lockf64(int fd, int what, off64_t size) {
  return heddle_status();
}

static int any_room(void *to, size_t size) {
  heddle_fill(to, size);
  return heddle_status();
}

int statfs(const char *path, struct statfs *to) {
  (void)strlen(path);
  return any_room(to, sizeof *to);
}

int fstatfs(int fd, struct statfs *to) {
  return any_room(to, sizeof *to);
}

int statfs64(const char *path, struct statfs64 *to) {
  (void)strlen(path);
  return any_room(to, sizeof *to);
}

int fstatfs64(int fd, struct statfs64 *to) {
  return any_room(to, sizeof *to);
}

int statvfs(const char *path, struct statvfs *to) {
  (void)strlen(path);
  return any_room(to, sizeof *to);
}

int fstatvfs(int fd, struct statvfs *to) {
  return any_room(to, sizeof *to);
}

int statvfs64(const char *path, struct statvfs64 *to) {
  (void)strlen(path);
  return any_room(to, sizeof *to);
}

int fstatvfs64(int fd, struct statvfs64 *to) {
  return any_room(to, sizeof *to);
}

long pathconf(const char *path, int what) {
  (void)strlen(path);
  return heddle_nondet_long(-1, LONG_MAX);
}

long fpathconf(int fd, int what) {
  return heddle_nondet_long(-1, LONG_MAX);
}

int flock(int fd, int operation) {
  return heddle_status();
}

int posix_fadvise(int fd, off_t from, off_t size, int advice) {
  return heddle_nondet_bool() ? EINVAL : 0;
}

ssize_t readlink(const char *path, char *to, size_t size) {
  (void)strlen(path);
  if (heddle_nondet_bool() || !size)
    return heddle_error();
  ssize_t n = heddle_nondet_long(1, size > PATH_MAX ? PATH_MAX : (long)size);
  for (ssize_t i = 0; i < n; i++) {
    to[i] = heddle_nondet_char(CHAR_MIN, CHAR_MAX);
    heddle_assume(to[i] != 0);
  }
  return n;
}

char *realpath(const char *path, char *to) {
  (void)strlen(path);
  if (heddle_nondet_bool()) {
    heddle_error();
    return NULL;
  }
  const size_t size = to ? PATH_MAX : heddle_nondet_size_t(2, PATH_MAX);
  if (!to)
    to = malloc(size);
  if (!to)
    return NULL;
  to[0] = '/';
  heddle_text(to + 1, size - 1);
  return to;
}

/* Its last six characters are those that make it a new one. */
static int made_up(char *pattern) {
  size_t n = strlen(pattern);
  if (n < 6 || strcmp(pattern + n - 6, "XXXXXX")) {
    errno = EINVAL;
    return 0;
  }
  for (size_t i = n - 6; i < n; i++)
    pattern[i] = heddle_nondet_char('0', 'z');
  return 1;
}

int mkstemp(char *pattern) {
  return made_up(pattern) ? open(pattern, O_RDWR | O_CREAT) : -1;
}

int mkstemp64(char *pattern) {
  return mkstemp(pattern);
}

int mkostemp(char *pattern, int flags) {
  return mkstemp(pattern);
}

int mkostemp64(char *pattern, int flags) {
  return mkstemp(pattern);
}

int memfd_create(const char *name, unsigned flags) {
  return open(name, O_RDWR);
}

char *mkdtemp(char *pattern) {
  return made_up(pattern) && !heddle_status() ? pattern : NULL;
}

int shm_open(const char *name, int flags, mode_t mode) {
  return open(name, flags);
}

int shm_unlink(const char *name) {
  return changed(name);
}

int dup3(int from, int to, int flags) {
  if (from == to) {
    errno = EINVAL;
    return -1;
  }
  return dup2(from, to);
}

/* --- with 64 bits --- */

int stat64(const char *path, struct stat64 *to) {
  return stat(path, (struct stat *)to);
}

int lstat64(const char *path, struct stat64 *to) {
  return lstat(path, (struct stat *)to);
}

int fstat64(int fd, struct stat64 *to) {
  return fstat(fd, (struct stat *)to);
}

int truncate64(const char *path, off64_t size) {
  return changed(path);
}

int creat64(const char *path, mode_t mode) {
  return creat(path, mode);
}

struct dirent64 *readdir64(DIR *folder) {
  return (struct dirent64 *)readdir(folder);
}

off64_t lseek64(int fd, off64_t offset, int whence) {
  return lseek(fd, offset, whence);
}

/* --- names that a pattern stands for --- */

int fnmatch(const char *pattern, const char *text, int flags) {
  (void)(strlen(pattern) + strlen(text));
  return heddle_nondet_bool() ? FNM_NOMATCH : 0;
}

static char *any_path(void) {
  size_t n = heddle_nondet_size_t(1, PATH_MAX - 1);
  char *to = malloc(n + 1);
  if (!to)
    return NULL;
  for (size_t i = 0; i < n; i++)
    to[i] = heddle_nondet_char(1, 127);
  to[n] = 0;
  return to;
}

/* Any number of them. */
int glob(const char *pattern, int flags, int (*wrong)(const char *, int),
         glob_t *to) {
  (void)strlen(pattern);
  if (flags & (GLOB_APPEND | GLOB_DOOFFS | GLOB_ALTDIRFUNC) || wrong)
    __heddle_not_modelled("glob with GLOB_APPEND, GLOB_DOOFFS or a function");
  to->gl_pathc = 0;
  to->gl_pathv = NULL;
  if (heddle_nondet_bool())
    return heddle_nondet_int(GLOB_NOSPACE, GLOB_NOMATCH);
  do {
    char **more = realloc(to->gl_pathv, (to->gl_pathc + 2) * sizeof *more);
    if (!more)
      return GLOB_NOSPACE;
    to->gl_pathv = more;
    more[to->gl_pathc] = any_path();
    if (!more[to->gl_pathc])
      return GLOB_NOSPACE;
    more[++to->gl_pathc] = NULL;
  } while (heddle_nondet_bool());
  return 0;
}

void globfree(glob_t *list) {
  for (size_t i = 0; i < list->gl_pathc; i++)
    free(list->gl_pathv[i]);
  free(list->gl_pathv);
  list->gl_pathc = 0;
  list->gl_pathv = NULL;
}

int glob64(const char *pattern, int flags, int (*wrong)(const char *, int),
           glob64_t *to) {
  return glob(pattern, flags, wrong, (glob_t *)to);
}

void globfree64(glob64_t *list) {
  globfree((glob_t *)list);
}

int regcomp(regex_t *to, const char *pattern, int flags) {
  (void)strlen(pattern);
  memset(to, 0, sizeof *to);
  if (heddle_nondet_bool())
    return heddle_nondet_int(REG_BADPAT, REG_ERPAREN);
  to->re_nsub = heddle_nondet_size_t(0, strlen(pattern));
  return 0;
}

int regexec(const regex_t *with, const char *text, size_t n,
            regmatch_t *matches, int flags) {
  heddle_look(with, sizeof *with);
  const int size = (int)strlen(text);
  if (heddle_nondet_bool())
    return REG_NOMATCH;
  for (size_t i = 0; i < n && matches; i++) {
    matches[i].rm_so = matches[i].rm_eo = -1;
    if (!i || heddle_nondet_bool()) {
      matches[i].rm_so = heddle_nondet_int(0, size);
      matches[i].rm_eo = heddle_nondet_int(matches[i].rm_so, size);
    }
  }
  return 0;
}

void regfree(regex_t *what) {
  heddle_look(what, sizeof *what);
}

size_t regerror(int error, const regex_t *with, char *to, size_t size) {
  static const char text[] = "error";
  if (size)
    strncpy(to, text, size)[size - 1] = 0;
  return sizeof text;
}

/* --- formats --- */

int vasprintf(char **to, const char *format, va_list values) {
  va_list again;
  va_copy(again, values);
  int n = vsnprintf(NULL, 0, format, again);
  va_end(again);
  *to = n < 0 ? NULL : malloc((size_t)n + 1);
  return *to ? vsnprintf(*to, (size_t)n + 1, format, values) : -1;
}

int asprintf(char **to, const char *format, ...) {
  va_list values;
  va_start(values, format);
  int n = vasprintf(to, format, values);
  va_end(values);
  return n;
}
