/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE sync=SAFE
 * native: exit=0
 * what: a store of keys and values in shards, each with its readers-writer
 *   lock; a writer, a reader and a snapshot of all shards */
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
  memset(s->shards[0].items, 0, sizeof s->shards[0].items);
  for (int i = 0; i < SHARDS; i++) {
    pthread_rwlock_init(&s->shards[i].lock, 0);
    s->shards[i].count = 0;
  }
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

static int store_put(struct store *s, int key, int value) {
  struct shard *h = shard_of(s, key);
  int done = 0;
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
    it->value = value;
    done = 1;
  }
  pthread_rwlock_unlock(&h->lock);
  return done;
}

static int store_get(struct store *s, int key, int *value) {
  struct shard *h = shard_of(s, key);
  int found = 0;
  pthread_rwlock_rdlock(&h->lock);
  struct item *it = find(h, key);
  if (it) {
    *value = it->value;
    found = 1;
  }
  pthread_rwlock_unlock(&h->lock);
  return found;
}

static int store_count(struct store *s) {
  int n = 0;
  for (int i = 0; i < SHARDS; i++) {
    pthread_rwlock_rdlock(&s->shards[i].lock);
    n += s->shards[i].count;
  }
  for (int i = 0; i < SHARDS; i++)
    pthread_rwlock_unlock(&s->shards[i].lock);
  return n;
}

static void *writer(void *arg) {
  assert(store_put(&store, 1, 10));
  assert(store_put(&store, 2, 20));
  assert(store_put(&store, 1, 11));
  return arg;
}

static void *reader(void *arg) {
  int v = 0;
  if (store_get(&store, 2, &v)) {
    assert(v == 20);
    assert(store_get(&store, 1, &v) && (v == 10 || v == 11));
  }
  return arg;
}

int main(void) {
  pthread_t w, r;
  store_init(&store);
  pthread_create(&w, 0, writer, 0);
  pthread_create(&r, 0, reader, 0);
  int n = store_count(&store);
  assert(n >= 0 && n <= 2);
  pthread_join(w, 0);
  pthread_join(r, 0);
  assert(store_count(&store) == 2);
  for (int i = 0; i < SHARDS; i++)
    pthread_rwlock_destroy(&store.shards[i].lock);
  return 0;
}
