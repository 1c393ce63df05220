/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: a block whose address is handed on in two halves */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static char place[8];
static atomic_int ready;

static void *maker(void *arg) {
  atomic_int *p = calloc(1, sizeof *p);
  if (!p)
    return arg;
  memcpy(place, (char *)&p, 4);
  memcpy(place + 4, (char *)&p + 4, 4);
  ready = 1;
  int before = atomic_fetch_add(p, 1);
  int behind = atomic_fetch_add(p, 1);
  assert(behind == before + 1);
  return arg;
}

static void *finder(void *arg) {
  atomic_int *p;
  if (ready) {
    memcpy(&p, place, sizeof p);
    atomic_fetch_add(p, 1);
  }
  return arg;
}

int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, maker, 0);
  pthread_create(&b, 0, finder, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
