/* SPDX-License-Identifier: MIT */
/* Processes: who this one is, and what it starts. */
#define _GNU_SOURCE
#include "model.h"

#include <grp.h>
#include <pthread.h>
#include <pwd.h>
#include <sched.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* --- identity --- */

static pid_t any_id(void) {
  return heddle_nondet_int(1, 4194304);
}

pid_t getppid(void) {
  return any_id();
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

static _Atomic long long user = -1, user_in_effect = -1, group = -1,
                         group_in_effect = -1;

uid_t getuid(void) {
  return one_number(&user);
}

uid_t geteuid(void) {
  return one_number(&user_in_effect);
}

gid_t getgid(void) {
  return one_number(&group);
}

gid_t getegid(void) {
  return one_number(&group_in_effect);
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
  group_in_effect = to;
  if (heddle_nondet_bool())
    group = to;
  return 0;
}

int seteuid(uid_t to) {
  if (heddle_nondet_bool())
    return heddle_error();
  user_in_effect = to;
  return 0;
}

int setegid(gid_t to) {
  if (heddle_nondet_bool())
    return heddle_error();
  group_in_effect = to;
  return 0;
}

/* -1 leaves one as it is. */
int setreuid(uid_t real, uid_t effective) {
  if (heddle_nondet_bool())
    return heddle_error();
  if (real != (uid_t)-1)
    user = real;
  if (effective != (uid_t)-1)
    user_in_effect = effective;
  return 0;
}

int setregid(gid_t real, gid_t effective) {
  if (heddle_nondet_bool())
    return heddle_error();
  if (real != (gid_t)-1)
    group = real;
  if (effective != (gid_t)-1)
    group_in_effect = effective;
  return 0;
}

int setresuid(uid_t real, uid_t effective, uid_t saved) {
  return setreuid(real, effective);
}

int setresgid(gid_t real, gid_t effective, gid_t saved) {
  return setregid(real, effective);
}

int initgroups(const char *name, gid_t its) {
  (void)strlen(name);
  return heddle_status();
}

int getgroups(int n, gid_t *to) {
  if (heddle_nondet_bool())
    return heddle_error();
  int got = heddle_nondet_int(0, n > 0 && n < 65536 ? n : 65536);
  if (n > 0)
    heddle_fill(to, (size_t)got * sizeof *to);
  return got;
}

int setgroups(size_t n, const gid_t *groups) {
  if (n)
    heddle_look(groups, n * sizeof *groups);
  return heddle_status();
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

/* It lends its memory to the child, which is another program soon. */
pid_t vfork(void) {
  return fork();
}

/* The parent ends; the child goes on with the thread that calls. */
int daemon(int stay, int keep) {
  if (heddle_nondet_bool())
    return heddle_error();
  __heddle_not_modelled("daemon, after which other threads are gone");
  return 0;
}

static int spawned(pid_t *id, const char *path, char *const *words) {
  (void)strlen(path);
  for (int i = 0; words && words[i]; i++)
    (void)strlen(words[i]);
  if (heddle_nondet_bool())
    return heddle_nondet_int(1, 133);
  if (id)
    *id = any_id();
  return 0;
}

int posix_spawn(pid_t *id, const char *path,
                const posix_spawn_file_actions_t *actions,
                const posix_spawnattr_t *attributes, char *const *words,
                char *const *environment) {
  return spawned(id, path, words);
}

int posix_spawnp(pid_t *id, const char *path,
                 const posix_spawn_file_actions_t *actions,
                 const posix_spawnattr_t *attributes, char *const *words,
                 char *const *environment) {
  return spawned(id, path, words);
}

int posix_spawn_file_actions_init(posix_spawn_file_actions_t *to) {
  memset(to, 0, sizeof *to);
  return 0;
}

int posix_spawn_file_actions_destroy(posix_spawn_file_actions_t *what) {
  heddle_look(what, sizeof *what);
  return 0;
}

int posix_spawn_file_actions_addclose(posix_spawn_file_actions_t *to, int fd) {
  heddle_look(to, sizeof *to);
  return 0;
}

int posix_spawn_file_actions_adddup2(posix_spawn_file_actions_t *to, int fd,
                                     int there) {
  heddle_look(to, sizeof *to);
  return 0;
}

int posix_spawn_file_actions_addopen(posix_spawn_file_actions_t *restrict to,
                                     int fd, const char *restrict path,
                                     int flags, mode_t mode) {
  heddle_look(to, sizeof *to);
  (void)strlen(path);
  return 0;
}

int posix_spawnattr_init(posix_spawnattr_t *to) {
  memset(to, 0, sizeof *to);
  return 0;
}

int posix_spawnattr_destroy(posix_spawnattr_t *what) {
  heddle_look(what, sizeof *what);
  return 0;
}

int posix_spawnattr_setflags(posix_spawnattr_t *to, short flags) {
  heddle_look(to, sizeof *to);
  return 0;
}

pid_t getpgrp(void) {
  return any_id();
}

pid_t getpgid(pid_t process) {
  return heddle_nondet_bool() ? heddle_error() : any_id();
}

pid_t getsid(pid_t process) {
  return heddle_nondet_bool() ? heddle_error() : any_id();
}

int setpgid(pid_t process, pid_t group_of) {
  return heddle_status();
}

pid_t tcgetpgrp(int fd) {
  return heddle_nondet_bool() ? heddle_error() : any_id();
}

int tcsetpgrp(int fd, pid_t group_of) {
  return heddle_status();
}

int getpriority(__priority_which_t which, id_t who) {
  return heddle_nondet_int(-20, 19);
}

int setpriority(__priority_which_t which, id_t who, int priority) {
  return heddle_status();
}

int chroot(const char *path) {
  (void)strlen(path);
  return heddle_status();
}

pid_t setsid(void) {
  return heddle_nondet_bool() ? heddle_error() : any_id();
}

/* What it was; at the start that is not known. */
mode_t umask(mode_t mask) {
  static _Atomic long long kept = -1;
  long long before =
      __c11_atomic_exchange(&kept, mask & 0777, __ATOMIC_SEQ_CST);
  return before < 0 ? (mode_t)heddle_nondet_uint(0, 0777) : (mode_t)before;
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
    n += (int)children[i].state == state && (!id || children[i].id == id);
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

pid_t wait4(pid_t process, int *status, int options, struct rusage *used) {
  if (used)
    heddle_fill(used, sizeof *used);
  return waitpid(process, status, options);
}

pid_t wait3(int *status, int options, struct rusage *used) {
  return wait4(-1, status, options, used);
}

int system(const char *command) {
  if (command)
    (void)strlen(command);
  return heddle_nondet_int(-1, 65535);
}
