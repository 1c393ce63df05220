/* SPDX-License-Identifier: MIT */
/* Streams. What they have in them is not known. A stream that was closed is
 * memory that was freed. */
#define _GNU_SOURCE
#include "model.h"

#include <dirent.h>
#include <stdio.h>
#include <unistd.h>

static FILE *any_file(void) {
  if (heddle_nondet_bool()) {
    heddle_error();
    return NULL;
  }
  return calloc(1, sizeof(FILE));
}

/* Something of it is read: it must be there. */
static void use(FILE *file) {
  if (file != stdin && file != stdout && file != stderr)
    heddle_look(&file->_fileno, 1);
}

FILE *fopen(const char *path, const char *mode) {
  (void)(strlen(path) + strlen(mode));
  return any_file();
}

FILE *fopen64(const char *path, const char *mode) {
  return fopen(path, mode);
}

FILE *fdopen(int fd, const char *mode) {
  (void)strlen(mode);
  return any_file();
}

FILE *popen(const char *command, const char *mode) {
  (void)(strlen(command) + strlen(mode));
  return any_file();
}

FILE *tmpfile(void) {
  return any_file();
}

int fclose(FILE *file) {
  if (file != stdin && file != stdout && file != stderr)
    free(file);
  return heddle_status();
}

int pclose(FILE *file) {
  free(file);
  return heddle_nondet_int(-1, 65535);
}

int fgetc(FILE *file) {
  use(file);
  return heddle_nondet_int(-1, 255);
}

int getc(FILE *file) {
  use(file);
  return heddle_nondet_int(-1, 255);
}

int getchar(void) {
  return heddle_nondet_int(-1, 255);
}

int ungetc(int c, FILE *file) {
  return heddle_nondet_bool() ? c : EOF;
}

char *fgets(char *to, int size, FILE *file) {
  use(file);
  if (size <= 0 || heddle_nondet_bool())
    return NULL;
  int n = size > 1 ? heddle_nondet_int(1, size - 1) : 0;
  for (int i = 0; i < n; i++)
    to[i] = heddle_nondet_char(CHAR_MIN, CHAR_MAX);
  to[n] = 0;
  return to;
}

size_t fread(void *to, size_t size, size_t n, FILE *file) {
  use(file);
  size_t got = heddle_nondet_size_t(0, n);
  if (!size)
    return 0;
  heddle_fill(to, got * size);
  return got;
}

ssize_t getline(char **line, size_t *room, FILE *file) {
  if (heddle_nondet_bool())
    return -1;
  size_t n = heddle_nondet_size_t(1, 4096);
  if (!*line || *room < n + 1) {
    *line = realloc(*line, n + 1);
    *room = n + 1;
    if (!*line)
      return -1;
  }
  for (size_t i = 0; i < n; i++)
    (*line)[i] = heddle_nondet_char(CHAR_MIN, CHAR_MAX);
  (*line)[n] = 0;
  return (ssize_t)n;
}

int fseek(FILE *file, long offset, int whence) {
  use(file);
  return heddle_status();
}

long ftell(FILE *file) {
  use(file);
  return heddle_nondet_long(-1, LONG_MAX);
}

void rewind(FILE *file) {
  use(file);
}

int feof(FILE *file) {
  use(file);
  return heddle_nondet_bool();
}

int ferror(FILE *file) {
  use(file);
  return heddle_nondet_bool();
}

void clearerr(FILE *file) {
  use(file);
}

int fileno(FILE *file) {
  return file == stdin    ? 0
         : file == stdout ? 1
         : file == stderr ? 2
                          : heddle_nondet_int(-1, 1023);
}

int remove(const char *path) {
  (void)strlen(path);
  return heddle_status();
}

int rename(const char *from, const char *to) {
  (void)(strlen(from) + strlen(to));
  return heddle_status();
}

char *getcwd(char *to, size_t size) {
  if (heddle_nondet_bool() || (to && size < 2)) {
    heddle_error();
    return NULL;
  }
  if (!to) {
    size = size ? size : 16;
    to = malloc(size);
  }
  size_t n = heddle_nondet_size_t(1, size - 1);
  to[0] = '/';
  for (size_t i = 1; i < n; i++)
    to[i] = heddle_nondet_char(1, CHAR_MAX);
  to[n] = 0;
  return to;
}

DIR *opendir(const char *path) {
  (void)strlen(path);
  if (heddle_nondet_bool()) {
    heddle_error();
    return NULL;
  }
  return calloc(1, sizeof(struct dirent));
}

/* One entry a stream, written over by the next. */
struct dirent *readdir(DIR *folder) {
  struct dirent *entry = (struct dirent *)folder;
  if (heddle_nondet_bool())
    return NULL;
  size_t n = heddle_nondet_size_t(1, sizeof entry->d_name - 1);
  for (size_t i = 0; i < n; i++)
    entry->d_name[i] = heddle_nondet_char(1, CHAR_MAX);
  entry->d_name[n] = 0;
  entry->d_type = heddle_nondet_uchar(0, 15);
  return entry;
}

int closedir(DIR *folder) {
  free(folder);
  return heddle_status();
}
