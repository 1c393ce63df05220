/* SPDX-License-Identifier: MIT */
/* Semaphores with names. They are this process's own: that another one has them, too,
 * or has left them behind, is not looked at. */
#define _GNU_SOURCE
#include "model.h"

#include <fcntl.h>
#include <semaphore.h>
#include <stdarg.h>

enum { NAMED = 8, LONGEST = 64 };

/* Free where it is neither open nor has a name. */
static struct {
  sem_t semaphore;
  int open;
  char name[LONGEST];
} named[NAMED];

static sem_t *fails(int error) {
  errno = error;
  return SEM_FAILED;
}

/* -1: nobody has it. "": a free one. */
static int find(const char *name) {
  for (int i = 0; i < NAMED; i++)
    if (!strcmp(named[i].name, name) && (*name || !named[i].open))
      return i;
  return -1;
}

static sem_t *open_named(const char *name, int flags, unsigned value) {
  int i = find(name);
  if (i >= 0 && flags & O_CREAT && flags & O_EXCL)
    return fails(EEXIST);
  if (i < 0 && !(flags & O_CREAT))
    return fails(ENOENT);
  if (i < 0) {
    i = find("");
    if (i < 0)
      __heddle_not_modelled("more than 8 semaphores with names");
    if (sem_init(&named[i].semaphore, 0, value))
      return SEM_FAILED;
    strcpy(named[i].name, name);
  }
  named[i].open++;
  return &named[i].semaphore;
}

sem_t *sem_open(const char *name, int flags, ...) {
  unsigned value = 0;
  if (flags & O_CREAT) {
    va_list more;
    va_start(more, flags);
    (void)va_arg(more, mode_t);
    value = va_arg(more, unsigned);
    va_end(more);
  }
  if (strlen(name) >= LONGEST)
    __heddle_not_modelled("a semaphore with a name of more than 63 bytes");
  if (heddle_nondet_bool() || !*name)
    return fails(heddle_nondet_bool() ? EACCES : ENFILE);
  heddle_atomic_begin();
  sem_t *found = open_named(name, flags, value);
  heddle_atomic_end();
  return found;
}

int sem_close(sem_t *semaphore) {
  int found = 0;
  heddle_atomic_begin();
  for (int i = 0; i < NAMED && !found; i++)
    if (semaphore == &named[i].semaphore && named[i].open) {
      found = 1;
      if (!--named[i].open && !*named[i].name)
        sem_destroy(&named[i].semaphore);
    }
  heddle_atomic_end();
  if (!found)
    errno = EINVAL;
  return found ? 0 : -1;
}

/* Who has it open keeps it. */
int sem_unlink(const char *name) {
  heddle_atomic_begin();
  int i = *name ? find(name) : -1;
  if (i >= 0) {
    named[i].name[0] = 0;
    if (!named[i].open)
      sem_destroy(&named[i].semaphore);
  }
  heddle_atomic_end();
  if (i < 0)
    errno = ENOENT;
  return i < 0 ? -1 : 0;
}
