/* SPDX-License-Identifier: MIT */
/* A variable that is accessed atomically first, and otherwise behind a flag. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifdef BUG
#define ORDER __ATOMIC_RELAXED
#else
#define ORDER __ATOMIC_RELEASE
#endif

struct box {
  int value, raised;
};

static void *fill(void *arg) {
  struct box *box = arg;
  __atomic_store_n(&box->value, 1, __ATOMIC_RELAXED);
  __atomic_fetch_add(&box->value, 1, __ATOMIC_RELAXED);
  __atomic_store_n(&box->raised, 1, ORDER);
  return NULL;
}

int main(void) {
  pthread_t id;
  struct box *box = calloc(1, sizeof *box);
  if (!box)
    return 1;
  pthread_create(&id, NULL, fill, box);
  while (!__atomic_load_n(&box->raised, __ATOMIC_ACQUIRE))
    ;
  assert(box->value == 2);
  pthread_join(id, NULL);
  free(box);
  return 0;
}
