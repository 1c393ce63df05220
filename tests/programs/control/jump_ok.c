/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0 output="3 4"
 * what: longjmp out of two calls and round a loop, beside a thread that counts */
#include <assert.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>

static jmp_buf back;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int count;

static void inner(int n) {
  char local[4] = {0};
  local[n] = 1;
  longjmp(back, n);
}

static void outer(int n) {
  inner(n);
  assert(0);
}

static void *work(void *arg) {
  pthread_mutex_lock(&lock);
  count++;
  pthread_mutex_unlock(&lock);
  return arg;
}

int main(void) {
  pthread_t thread;
  volatile int rounds = 0;
  sigjmp_buf other;
  pthread_create(&thread, NULL, work, NULL);
  int n = setjmp(back);
  assert(n == rounds);
  pthread_mutex_lock(&lock);
  count++;
  pthread_mutex_unlock(&lock);
  rounds = n + 1;
  if (rounds < 3)
    outer(rounds);
  if (!sigsetjmp(other, 1))
    siglongjmp(other, 0); /* 1 */
  pthread_join(thread, NULL);
  printf("%d %d\n", rounds, count);
  return 0;
}
