/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: the system call for a thread's number, beside a release and an acquire;
 *   two threads have two numbers */
#define _GNU_SOURCE
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>

static atomic_long other;
static int data;

static void *worker(void *arg) {
  data = 1;
  atomic_store_explicit(&other, syscall(SYS_gettid), memory_order_release);
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, worker, NULL);
  long number = atomic_load_explicit(&other, memory_order_acquire);
  if (number) {
    assert(data == 1);
    assert(number != syscall(SYS_gettid));
  }
  pthread_join(thread, NULL);
  return 0;
}
