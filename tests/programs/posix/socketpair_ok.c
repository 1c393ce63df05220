/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: what is sent through a pair of sockets arrives on the other side, and
 * orders what was written before it */
#include <assert.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

static int ends[2], data;

static void *answer(void *arg) {
  char got;
  if (read(ends[1], &got, 1) == 1 && got == 'a' && data == 1) {
    data = 2;
    send(ends[1], "b", 1, 0);
  }
  close(ends[1]);
  return arg;
}

int main(void) {
  pthread_t thread;
  char got;
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends))
    return 0;
  pthread_create(&thread, NULL, answer, NULL);
  data = 1;
  write(ends[0], "a", 1);
  assert(recv(ends[0], &got, 1, 0) == 1 && got == 'b');
  assert(data == 2);
  assert(read(ends[0], &got, 1) == 0);
  pthread_join(thread, NULL);
  return 0;
}
