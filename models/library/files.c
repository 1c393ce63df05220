/* SPDX-License-Identifier: MIT */
/* Streams. What they have in them is not known. A stream that was closed is
 * memory that was freed. */
#define _GNU_SOURCE
#include "model.h"

#include <dirent.h>
#include <pthread.h>
#include <stdarg.h>
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

FILE *tmpfile64(void) {
  return any_file();
}

/* The character that was pushed back last, and where to. */
static struct {
  FILE *file;
  int c;
} pushed;

/* The character that was pushed back, or -1: from now on there is none. */
static int take_back(FILE *file) {
  int c = -1;
  heddle_atomic_begin();
  if (pushed.file == file) {
    c = pushed.c;
    pushed.file = NULL;
  }
  heddle_atomic_end();
  return c;
}

/* The same stream, of another file; it is gone where that cannot be opened. */
FILE *freopen(const char *path, const char *mode, FILE *file) {
  use(file);
  take_back(file);
  if (path)
    (void)strlen(path);
  (void)strlen(mode);
  if (!heddle_nondet_bool())
    return file;
  if (file != stdin && file != stdout && file != stderr)
    free(file);
  heddle_error();
  return NULL;
}

FILE *freopen64(const char *path, const char *mode, FILE *file) {
  return freopen(path, mode, file);
}

int fclose(FILE *file) {
  take_back(file);
  if (file != stdin && file != stdout && file != stderr)
    free(file);
  return heddle_status();
}

int pclose(FILE *file) {
  free(file);
  return heddle_nondet_int(-1, 65535);
}

int ungetc(int c, FILE *file) {
  use(file);
  if (c == EOF)
    return EOF;
  heddle_atomic_begin();
  if (pushed.file)
    __heddle_not_modelled("more than one character that is pushed back");
  pushed.file = file;
  pushed.c = (unsigned char)c;
  heddle_atomic_end();
  return (unsigned char)c;
}

/* For what reads more than a character. */
static void read_on(FILE *file) {
  use(file);
  if (take_back(file) >= 0)
    __heddle_not_modelled("a read of several characters behind ungetc");
}

int fgetc(FILE *file) {
  use(file);
  int c = take_back(file);
  return c >= 0 ? c : heddle_nondet_int(-1, 255);
}

int getc(FILE *file) {
  return fgetc(file);
}

int getchar(void) {
  return fgetc(stdin);
}

/* A line ends with its first newline, or where the file does. */
static void any_line(char *to, size_t n, int end) {
  for (size_t i = 0; i < n; i++) {
    to[i] = heddle_nondet_char(CHAR_MIN, CHAR_MAX);
    heddle_assume(to[i] != (char)end || i + 1 == n);
  }
  to[n] = 0;
}

char *fgets(char *to, int size, FILE *file) {
  read_on(file);
  if (size <= 0 || heddle_nondet_bool())
    return NULL;
  any_line(to, size > 1 ? heddle_nondet_size_t(1, (size_t)size - 1) : 0, '\n');
  return to;
}

size_t fread(void *to, size_t size, size_t n, FILE *file) {
  read_on(file);
  size_t got = heddle_nondet_size_t(0, n);
  if (!size)
    return 0;
  heddle_fill(to, got * size);
  return got;
}

/* There is a place for a line also where none comes. */
ssize_t getdelim(char **line, size_t *room, int end, FILE *file) {
  const size_t most = 4096;
  size_t n = 0;
  read_on(file);
  if (!heddle_nondet_bool()) {
    n = heddle_nondet_size_t(1, most + 1);
    if (n > most)
      __heddle_not_modelled("a line of more than 4096 characters");
  }
  if (!*line || *room < n + 1) {
    char *longer = realloc(*line, n < 120 ? 120 : n + 1);
    if (!longer)
      return -1;
    *line = longer;
    *room = n < 120 ? 120 : n + 1;
  }
  if (n)
    any_line(*line, n, end);
  return n ? (ssize_t)n : -1;
}

ssize_t getline(char **line, size_t *room, FILE *file) {
  return getdelim(line, room, '\n', file);
}

int fseek(FILE *file, long offset, int whence) {
  use(file);
  take_back(file);
  return heddle_status();
}

long ftell(FILE *file) {
  use(file);
  return heddle_nondet_long(-1, LONG_MAX);
}

int fseeko(FILE *file, off_t offset, int whence) {
  return fseek(file, (long)offset, whence);
}

off_t ftello(FILE *file) {
  return ftell(file);
}

int fseeko64(FILE *file, off64_t offset, int whence) {
  return fseek(file, (long)offset, whence);
}

off64_t ftello64(FILE *file) {
  return ftell(file);
}

int fgetpos(FILE *file, fpos_t *to) {
  use(file);
  heddle_fill(to, sizeof *to);
  return heddle_status();
}

int fsetpos(FILE *file, const fpos_t *to) {
  use(file);
  heddle_look(to, sizeof *to);
  return heddle_status();
}

void rewind(FILE *file) {
  use(file);
  take_back(file);
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
    size = size ? size : heddle_nondet_size_t(2, PATH_MAX);
    to = malloc(size);
    if (!to)
      return NULL;
  }
  to[0] = '/';
  heddle_text(to + 1, size - 1);
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
  heddle_assume(heddle_text(entry->d_name, sizeof entry->d_name) > 0);
  entry->d_ino = heddle_nondet_ulong(0, ULONG_MAX);
  entry->d_type = heddle_nondet_uchar(0, 15);
  return entry;
}

int closedir(DIR *folder) {
  free(folder);
  return heddle_status();
}

int dirfd(DIR *folder) {
  heddle_look(folder, 1);
  return heddle_nondet_int(-1, 1023);
}

DIR *fdopendir(int fd) {
  return opendir("");
}

void rewinddir(DIR *folder) {
  heddle_look(folder, 1);
}

/* Some entries of them, in blocks of their own. */
int scandir(const char *path, struct dirent ***to,
            int (*choose)(const struct dirent *),
            int (*compare)(const struct dirent **, const struct dirent **)) {
  DIR *folder = opendir(path);
  if (!folder)
    return -1;
  struct dirent **list = NULL, *entry;
  int n = 0;
  while ((entry = readdir(folder)) != NULL)
    if (!choose || choose(entry)) {
      struct dirent **more = realloc(list, (size_t)(n + 1) * sizeof *list);
      struct dirent *copy = more ? malloc(sizeof *copy) : NULL;
      list = more ? more : list;
      if (!copy) {
        closedir(folder);
        while (n > 0)
          free(list[--n]);
        free(list);
        return -1;
      }
      list[n++] = memcpy(copy, entry, sizeof *copy);
    }
  closedir(folder);
  if (compare && n)
    qsort(list, (size_t)n, sizeof *list,
          (int (*)(const void *, const void *))compare);
  *to = list;
  return n;
}

int alphasort(const struct dirent **a, const struct dirent **b) {
  return strcmp((*a)->d_name, (*b)->d_name);
}

/* --- without the lock of the stream --- */

int getc_unlocked(FILE *file) {
  return fgetc(file);
}

int fgetc_unlocked(FILE *file) {
  return fgetc(file);
}

int getchar_unlocked(void) {
  return getchar();
}

int putc_unlocked(int c, FILE *file) {
  return fputc(c, file);
}

int fputc_unlocked(int c, FILE *file) {
  return fputc(c, file);
}

int fputs_unlocked(const char *text, FILE *file) {
  return fputs(text, file);
}

char *fgets_unlocked(char *to, int size, FILE *file) {
  return fgets(to, size, file);
}

size_t fread_unlocked(void *to, size_t size, size_t n, FILE *file) {
  return fread(to, size, n, file);
}

size_t fwrite_unlocked(const void *from, size_t size, size_t n, FILE *file) {
  return fwrite(from, size, n, file);
}

int fflush_unlocked(FILE *file) {
  return fflush(file);
}

int feof_unlocked(FILE *file) {
  return feof(file);
}

int ferror_unlocked(FILE *file) {
  return ferror(file);
}

void clearerr_unlocked(FILE *file) {
  clearerr(file);
}

int fileno_unlocked(FILE *file) {
  return fileno(file);
}

/* --- the lock of a stream: one thread's, as often as it likes --- */

enum { LOCKS = 8 };

static struct {
  FILE *_Atomic file;
  pthread_mutex_t lock;
} locks[LOCKS] = {
    [0 ... LOCKS - 1] = {NULL, PTHREAD_RECURSIVE_MUTEX_INITIALIZER_NP}};

static pthread_mutex_t *lock_of(FILE *file) {
  use(file);
  for (int i = 0; i < LOCKS; i++) {
    FILE *its = NULL;
    if (__c11_atomic_compare_exchange_strong(
            &locks[i].file, &its, file, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST) ||
        its == file)
      return &locks[i].lock;
  }
  __heddle_not_modelled("flockfile of more than 8 streams");
  return NULL;
}

void flockfile(FILE *file) {
  pthread_mutex_lock(lock_of(file));
}

int ftrylockfile(FILE *file) {
  return pthread_mutex_trylock(lock_of(file));
}

void funlockfile(FILE *file) {
  pthread_mutex_unlock(lock_of(file));
}

int vdprintf(int fd, const char *format, va_list values) {
  int n = vsnprintf(NULL, 0, format, values);
  return heddle_nondet_bool() ? heddle_error() : n;
}
