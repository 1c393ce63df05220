/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE memory=SAFE
 * native: any
 * what: the store: get returns the address of the item and reads the value
 *   after the lock is given back, put clears it first */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { SHARDS = 2, SLOTS = 2 };
struct item {
  int key, value, used;
};
struct shard {
  pthread_rwlock_t lock;
  struct item items[SLOTS];
  int count;
};
struct store {
  struct shard shards[SHARDS];
};

static struct store store;

static void store_init(struct store *s) {
  for (int i = 0; i < SHARDS; i++)
    pthread_rwlock_init(&s->shards[i].lock, 0);
}

static struct shard *shard_of(struct store *s, int key) {
  return &s->shards[(unsigned)key % SHARDS];
}

static struct item *find(struct shard *h, int key) {
  for (int i = 0; i < SLOTS; i++)
    if (h->items[i].used && h->items[i].key == key)
      return &h->items[i];
  return 0;
}

static void store_put(struct store *s, int key, int value) {
  struct shard *h = shard_of(s, key);
  pthread_rwlock_wrlock(&h->lock);
  struct item *it = find(h, key);
  for (int i = 0; !it && i < SLOTS; i++)
    if (!h->items[i].used) {
      it = &h->items[i];
      it->used = 1;
      it->key = key;
      h->count++;
    }
  if (it) {
    it->value = 0;
    it->value = value;
  }
  pthread_rwlock_unlock(&h->lock);
}

static const struct item *store_get(struct store *s, int key) {
  struct shard *h = shard_of(s, key);
  pthread_rwlock_rdlock(&h->lock);
  const struct item *it = find(h, key);
  pthread_rwlock_unlock(&h->lock);
  return it;
}

static void *writer(void *arg) {
  store_put(&store, 1, 10);
  store_put(&store, 1, 11);
  return arg;
}

static void *reader(void *arg) {
  const struct item *it = store_get(&store, 1);
  if (it) {
    int v = it->value;
    assert(v == 10 || v == 11);
  }
  return arg;
}

int main(void) {
  pthread_t w, r;
  store_init(&store);
  pthread_create(&w, 0, writer, 0);
  pthread_create(&r, 0, reader, 0);
  pthread_join(w, 0);
  pthread_join(r, 0);
  return 0;
}
