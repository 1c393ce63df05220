/* SPDX-License-Identifier: MIT */
/* What files are called and whose they are, of a world that nobody knows; and names
 * of functions with 64 bits for a size, which they have anyway. */
#define _GNU_SOURCE
#include "model.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
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
  for (ssize_t i = 0; i < n; i++)
    to[i] = heddle_nondet_char(1, 127);
  return n;
}

char *realpath(const char *path, char *to) {
  (void)strlen(path);
  if (heddle_nondet_bool()) {
    heddle_error();
    return NULL;
  }
  size_t n = heddle_nondet_size_t(0, PATH_MAX - 2);
  if (!to)
    to = malloc(n + 2);
  if (!to)
    return NULL;
  to[0] = '/';
  for (size_t i = 1; i <= n; i++)
    to[i] = heddle_nondet_char(1, 127);
  to[n + 1] = 0;
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

struct dirent64 *readdir64(DIR *folder) {
  return (struct dirent64 *)readdir(folder);
}

off64_t lseek64(int fd, off64_t offset, int whence) {
  return lseek(fd, offset, whence);
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
