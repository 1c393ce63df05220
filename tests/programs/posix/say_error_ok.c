/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0 output="1 2 3"
 * options: --arg=2
 * what: a function of one's own prints what is wrong, with arguments that are
 * numbers and constants; errno, snprintf and strlen beside a lock that protects a
 * counter; as many threads as main is told */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 100000

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
int count;

void say(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vfprintf(stderr, format, arguments);
  va_end(arguments);
}

void *work(void *arg) {
  char text[20];
  for (int i = 0; i < ROUNDS; i++) {
    errno = 0;
    pthread_mutex_lock(&lock);
    count++;
    if (count < 0)
      say("%d is wrong: %s\n", count, "too many");
    pthread_mutex_unlock(&lock);
    snprintf(text, sizeof text, "%d", i);
    if (strlen(text) > 30 || errno)
      say("%s", "errno\n");
  }
  return arg;
}

int main(int argc, char **argv) {
  pthread_t threads[2];
  void *place;
  int n = argc > 1 ? atoi(argv[1]) : 0;
  assert(n <= 2);
  if (posix_memalign(&place, 64, 100))
    return 1;
  for (int i = 0; i < n; i++)
    pthread_create(&threads[i], NULL, work, NULL);
  for (int i = 0; i < n; i++)
    pthread_join(threads[i], NULL);
  free(place);
  printf("1 2 3\n");
  return 0;
}
