#!/bin/bash
# SPDX-License-Identifier: MIT
# Models of functions that do more than compute: what they say is what any system
# may say, and no more than that.
. "$(dirname "$0")/lib.sh"

CC=$(dirname "$HEDDLE")/heddle-cc
[ -x "$CC" ] || { echo "1..0 # SKIP heddle-cc is not built"; exit 0; }

# What a thread sends to itself comes before the call returns, or waits until it is
# not blocked any more; once, however often it was sent.
test_raise() {
  cat >a.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <signal.h>
static int n, told;
static void count(int s) { n++; }
static void tell(int s, siginfo_t *info, void *context) {
  told = info->si_signo;
}
int main(void) {
  struct sigaction a = {.sa_flags = SA_SIGINFO | SA_RESETHAND};
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGUSR1);
  sigprocmask(SIG_BLOCK, &set, 0);
  signal(SIGUSR1, count);
  n = 0;
  raise(SIGUSR1);
  raise(SIGUSR1);
  assert(n == 0);
  assert(!sigpending(&set) && sigismember(&set, SIGUSR1) == 1);
  sigprocmask(SIG_UNBLOCK, &set, 0);
  assert(n == 1);
  pthread_kill(pthread_self(), SIGUSR1);
  assert(n == FIRST);
  raise(SIGCHLD);
  a.sa_sigaction = tell;
  sigaction(SIGUSR2, &a, 0);
  told = 0;
  raise(SIGUSR2);
  assert(told == 0 || told == SIGUSR2);
  assert(raise(1000) == -1);
  signal(SIGTERM, SIG_DFL);
  raise(SIGTERM);
  assert(LAST);
}
C
  run show --missing a.c -DFIRST=2 -DLAST=0
  out_has 'missing: nothing'
  run stubs a.c -DFIRST=2 -DLAST=0 -o stubs.c
  ! grep -q not_modelled stubs.c || problem "a stub for what models leave out"
  run verify a.c -DFIRST=2 -DLAST=0 -q --timeout=10
  exits 5
  run verify a.c -DFIRST=3 -DLAST=0 -q --timeout=10
  exits 10
  run run a.c -DFIRST=2 -DLAST=0
  exits 0
  err_has 'exited with 143'
}

# A timer's signal comes at some time: at once is one of them.
test_alarm() {
  cat >a.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <signal.h>
#include <unistd.h>
static volatile sig_atomic_t stop;
static void handler(int s) { stop = 1; }
int main(void) {
  signal(SIGALRM, handler);
  alarm(1);
  if (stop)
    assert(BAD);
  return 0;
}
C
  run verify a.c -DBAD=0 -q --timeout=10
  exits 10
  run verify a.c -DBAD=1 -q --timeout=10
  exits 5
  out_has 'a signal that is handled later'
}

# Handlers around fork: the last one that was given comes first, and the first
# first behind it.
test_fork() {
  cat >a.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <unistd.h>
static int order;
static void one(void) { order = 10 * order + 1; }
static void two(void) { order = 10 * order + 2; }
static void three(void) { order = 10 * order + 3; }
static void four(void) { order = 10 * order + 4; }
int main(void) {
  if (pthread_atfork(one, three, 0) || pthread_atfork(two, four, 0))
    return 1;
  if (fork() == 0)
    _exit(0);
  assert(order == RIGHT);
  return 0;
}
C
  run verify a.c -DRIGHT=2134 -q --timeout=10
  exits 5
  out_has 'the child of fork'
  run verify a.c -DRIGHT=1234 -q --timeout=10
  exits 10
}

# Texts of addresses; lists that are whole, and freed by who asked for them.
test_names() {
  cat >a.c <<'C'
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <assert.h>
#include <netdb.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(void) {
  struct in_addr address = {htonl(0x7f000001)};
  char text[16], *made;
  assert(!strcmp(inet_ntoa(address), "127.0.0.1"));
  assert(inet_ntop(AF_INET, &address, text, 16) == text);
  assert(!strcmp(text, "127.0.0.1"));
  assert(!inet_ntop(AF_INET, &address, text, 3));
  struct addrinfo *list, wanted = {.ai_family = AF_INET};
  if (!getaddrinfo("localhost", "80", &wanted, &list)) {
    for (struct addrinfo *i = list; i; i = i->ai_next)
      assert(i->ai_addr->sa_family == AF_INET &&
             i->ai_addrlen == sizeof(struct sockaddr_in));
    freeaddrinfo(list);
  }
  if (asprintf(&made, "%s-%d", "abc", 42) != 6)
    return 1;
  assert(!strcmp(made, "abc-42"));
#ifndef LEAK
  free(made);
#endif
  struct passwd *user = getpwnam("root");
  assert(BAD || !user || strlen(user->pw_name) < 256);
  return 0;
}
C
  run verify a.c -DBAD=0 -q --timeout=10 --property=assert,memory,leak
  [ "$status" != 10 ] || problem "a violation: $out"
  run verify a.c -DBAD=0 -DLEAK -q --timeout=10 --property=leak
  exits 10
}

# A thread ends where POSIX says, with its mutex again and its handlers called; what it
# keeps stays locked. Nothing is proved.
test_cancel() {
  cat >a.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <unistd.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static sem_t s;
static int cleaned, never, n;
static void clean(void *a) {
  cleaned++;
  pthread_mutex_unlock(&m);
}
static void *work(void *a) {
#if T == 0 /* with a handler */
  pthread_mutex_lock(&m);
  pthread_cleanup_push(clean, 0);
  while (!never)
    pthread_cond_wait(&c, &m);
  pthread_cleanup_pop(1);
#elif T == 1
  sem_wait(&s);
  n = 1;
#elif T == 2
  for (;;)
    sleep(1);
#elif T == 3 /* without one */
  pthread_mutex_lock(&m);
  while (!never)
    pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
#elif T == 4
  pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, 0);
  sem_wait(&s);
  n = 7;
  pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, 0);
  pthread_testcancel();
  n = 9;
#elif T == 5 /* printing may be a cancellation point */
  pthread_mutex_lock(&m);
  printf("%d\n", n);
  pthread_mutex_unlock(&m);
#elif T == 6
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, 0);
  for (;;) {
  }
#endif
  return a;
}
int main(void) {
  pthread_t t;
  void *r;
  sem_init(&s, 0, 0);
  pthread_create(&t, 0, work, &n);
  int error = pthread_cancel(t);
  assert(error == 0);
#if T == 4
  sem_post(&s);
#endif
  pthread_join(t, &r);
  assert(r == PTHREAD_CANCELED || (T == 5 && r == &n));
  pthread_mutex_lock(&m);
  assert(cleaned == 0 || (T == 0 && cleaned == 1));
  assert(n == 0 || (T == 4 && n == 7));
  pthread_mutex_unlock(&m);
  return 0;
}
C
  for t in 0 1 2 4 6; do
    run verify a.c -DT=$t -q --timeout=4
    exits 5
  done
  for t in 3 5; do
    run verify a.c -DT=$t --timeout=10
    exits 10
    out_has 'deadlock: unsafe'
  done
  run verify a.c -DT=1 -q --engine=explore
  exits 5
  out_has 'looked at in random runs only'
}

# Nobody sees what seeds a generator or how long a call sleeps: inputs that are for
# nothing else need no values. What is undefined in them stays, and so does what
# somebody looks at.
test_seeds() {
  cat >a.c <<'C'
#include <assert.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>
int main(void) {
  time_t now;
#if T == 0
  usleep((rand() % 10 + 1) * 100);
  sleep(rand() & 3);
  srand((unsigned)time(NULL) ^ (unsigned)getpid());
#elif T == 1
  usleep(rand() + 1);
#elif T == 2
  usleep(100 / (rand() % 3));
#elif T == 3
  srand((unsigned)time(&now));
  assert(now != 77);
#elif T == 4
  unsigned seed = (unsigned)time(NULL) % 100;
  srand(seed * seed);
  assert(seed != 77);
#endif
  return 0;
}
C
  run verify a.c -DT=0 -q --engine=explore --property=assert,overflow,arith \
    --timeout=20
  exits 0 # another seed, and no numbers behind it
  run show --ir a.c -DT=0
  out_lacks '@time'
  out_has '@usleep(0:i32)'
  for t in 1 2 3 4; do
    run verify a.c -DT=$t -q --property=assert,overflow,arith --timeout=10
    exits 10
  done
}

# In random runs time goes on, but never backwards.
test_time() {
  cat >a.c <<'C'
#include <assert.h>
#include <time.h>
static long now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  assert(t.tv_nsec >= 0 && t.tv_nsec < 1000000000);
  return t.tv_sec;
}
int main(void) {
  long start = now(), before = start, rounds = 0;
  while (now() - start < 5) {
    long again = now();
    assert(again >= before);
    before = again;
    rounds++;
  }
  assert(LAST);
  return 0;
}
C
  run run a.c -DLAST=1
  exits 0
  run verify a.c -DLAST=0 -q --timeout=20
  exits 10
  run verify a.c -DLAST=1 -q --timeout=5
  exits 5
}

run_tests
