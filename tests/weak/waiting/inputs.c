/* SPDX-License-Identifier: MIT */
/* Numbers of any value, of which only counts which of them are equal. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>

extern int __VERIFIER_nondet_int(void);

static atomic_int home[2], met;

static void *work(void *arg) {
  int me = arg != NULL, mine = __VERIFIER_nondet_int();
  if (mine == -1)
    mine = 5;
  atomic_store_explicit(&home[me], mine, memory_order_release);
  int other = atomic_load_explicit(&home[!me], memory_order_acquire);
  if (other == mine && mine != 0)
    atomic_fetch_add_explicit(&met, 1, memory_order_relaxed);
#ifdef BUG
  /* Both came with the same number, and not by the way of -1. */
  assert(other != mine || mine == 5 || mine == 0);
#else
  assert(mine != -1);
#endif
  return NULL;
}

int main(void) {
  pthread_t id;
  pthread_create(&id, NULL, work, &id);
  work(NULL);
  pthread_join(id, NULL);
  assert(atomic_load(&met) <= 2);
  return 0;
}
