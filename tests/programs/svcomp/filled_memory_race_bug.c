/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: skip inputs in memory
 * what: filling memory writes there: it races with who reads it */
#include <pthread.h>
#include <stddef.h>

void __VERIFIER_nondet_memory(void *where, size_t size);

char seen, buffer[2];

static void *reader(void *arg) {
  seen = buffer[1];
  return arg;
}

int main(void) {
  pthread_t thread;
  pthread_create(&thread, NULL, reader, NULL);
  __VERIFIER_nondet_memory(buffer, sizeof buffer);
  pthread_join(thread, NULL);
}
