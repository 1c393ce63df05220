/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE
 * native: any
 * what: a destructor takes what a thread still uses that nobody waited for */
#include <assert.h>
#include <pthread.h>

static int open_files = 1;

__attribute__((destructor)) static void close_all(void) {
  assert(open_files == 1);
  open_files = 0;
}

static void *worker(void *arg) {
  open_files++;
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  pthread_detach(thread);
  return 0;
}
