/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: a process that shares the memory; what it has written is read when it was
 * waited for */
#define _GNU_SOURCE
#include <assert.h>
#include <sched.h>
#include <signal.h>
#include <sys/wait.h>

static char stack[65536] __attribute__((aligned(16)));
static int data;

static int work(void *arg) {
  data += *(int *)arg;
  return 3;
}

int main(void) {
  int one = 1, status = 0;
  int child = clone(work, stack + sizeof stack,
                    SIGCHLD | CLONE_VM | CLONE_FS | CLONE_FILES, &one);
  if (child == -1)
    return 0;
  assert(wait(&status) == child);
  assert(WIFEXITED(status) && WEXITSTATUS(status) == 3 && data == 1);
  return 0;
}
