/* SPDX-License-Identifier: MIT */
/* N threads insert two keys each into a hash table with a lock for every bucket,
 * then look one up. BUG: an insertion locks the wrong bucket. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#ifndef N
#define N 3
#endif
#define BUCKETS 2
struct entry {
  int key, value;
  struct entry *next;
};
static struct bucket {
  pthread_mutex_t lock;
  struct entry *first;
  int size;
} table[BUCKETS];

static void put(int key, int value) {
  struct bucket *b = &table[key % BUCKETS];
#ifdef BUG
  pthread_mutex_t *lock = &table[(key + (key == 0)) % BUCKETS].lock;
#else
  pthread_mutex_t *lock = &b->lock;
#endif
  struct entry *e = malloc(sizeof *e);
  if (!e)
    abort();
  e->key = key;
  e->value = value;
  pthread_mutex_lock(lock);
  e->next = b->first;
  b->first = e;
  b->size++;
  pthread_mutex_unlock(lock);
}

static int get(int key) {
  struct bucket *b = &table[key % BUCKETS];
  int value = -1;
  pthread_mutex_lock(&b->lock);
  for (struct entry *e = b->first; e; e = e->next)
    if (e->key == key)
      value = e->value;
  pthread_mutex_unlock(&b->lock);
  return value;
}

static void *worker(void *arg) {
  int i = (int)(long)arg;
  put(i, 2 * i);
  put(N + (i + 1) % N, 3 * i);
  assert(get(i) == 2 * i);
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < BUCKETS; i++)
    pthread_mutex_init(&table[i].lock, 0);
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], 0, worker, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  int size = 0;
  for (int i = 0; i < BUCKETS; i++)
    size += table[i].size;
  assert(size == 2 * N);
  return 0;
}
