/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0
 * what: threads insert different keys into a shared open hash table by
 *   compare-and-swap */
#include <assert.h>
#include <pthread.h>
#define SIZE 4
int table[SIZE];
int __VERIFIER_atomic_cas(int *slot, int old, int new) {
  if (*slot != old)
    return 0;
  *slot = new;
  return 1;
}
void *insert(void *arg) {
  int key = *(int *)arg, h = (key * 7) % SIZE;
  while (!__VERIFIER_atomic_cas(&table[h], 0, key))
    h = (h + 1) % SIZE;
  return 0;
}
int main() {
  static int keys[3] = {1, 5, 2};
  pthread_t t[3];
  int sum = 0;
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], 0, insert, &keys[i]);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  for (int i = 0; i < SIZE; i++)
    sum += table[i];
  assert(sum == 8);
  return 0;
}
