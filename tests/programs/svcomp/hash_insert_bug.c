/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE memory=SAFE
 * native: any
 * what: looks for a free slot, then writes: two keys in one slot */
#include <assert.h>
#include <pthread.h>
#define SIZE 4
int table[SIZE];
void *insert(void *arg) {
  int key = *(int *)arg, h = (key * 7) % SIZE;
  while (table[h] != 0)
    h = (h + 1) % SIZE;
  table[h] = key;
  return 0;
}
int main() {
  static int keys[2] = {1, 5};
  pthread_t t[2];
  int sum = 0;
  for (int i = 0; i < 2; i++)
    pthread_create(&t[i], 0, insert, &keys[i]);
  for (int i = 0; i < 2; i++)
    pthread_join(t[i], 0);
  for (int i = 0; i < SIZE; i++)
    sum += table[i];
  assert(sum == 6);
  return 0;
}
