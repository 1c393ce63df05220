/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE
 * native: any
 * options: --threads=unbounded
 * what: what is asked for goes from function to function, and
 * neighbouring numbers mean the same */
#include <assert.h>
#include <pthread.h>

extern int __VERIFIER_nondet_int(void);

enum { OPEN = 1001, REOPEN, CLOSE = 1010, STATUS = -7 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_open, users;

static int next_request(void) {
  return __VERIFIER_nondet_int();
}

static void open_it(int request) {
  if (request == REOPEN && !is_open)
    return;
  is_open = 1;
}

static void handle(int request) {
  pthread_mutex_lock(&lock);
  switch (request) {
  case OPEN:
  case REOPEN:
    open_it(request);
    users = 1;
    break;
  case CLOSE:
    is_open = users = 0;
    break;
  case STATUS:
    assert(!is_open || users == 1);
    break;
  default:
    if (request > STATUS && request < OPEN)
      users = is_open;
  }
  pthread_mutex_unlock(&lock);
}

static void *client(void *arg) {
  handle(next_request());
  return arg;
}

int main(void) {
  for (;;) {
    pthread_t t;
    pthread_create(&t, 0, client, 0);
  }
}
