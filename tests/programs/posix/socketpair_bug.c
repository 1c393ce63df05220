/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=UNSAFE
 * native: any
 * what: who writes to one end of a pair of sockets does not hear itself there */
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2], data;

static void *hear(void *arg) {
  char got;
  data = 1;
  read(ends[0], &got, 1);
  return arg;
}

int main(void) {
  pthread_t thread;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
    return 0;
  pthread_create(&thread, NULL, hear, NULL);
  write(ends[0], "a", 1);
  data = 2;
  pthread_join(thread, NULL);
  return 0;
}
