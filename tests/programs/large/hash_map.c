/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE leak=SAFE
 * native: exit=0 output="20 13 64"
 * what: a hash map with chaining that grows, with keys that are strings,
 *   removal, iteration */
#include <assert.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
  struct entry *next;
  uint32_t hash;
  int value;
  char key[8];
};
struct map {
  struct entry **buckets;
  size_t size, count;
};

static uint32_t hash_of(const char *s) {
  uint32_t h = 2166136261u;
  for (; *s; s++)
    h = (h ^ (uint8_t)*s) * 16777619u;
  return h;
}

static void *must(void *p) {
  if (!p)
    exit(0);
  return p;
}

static void map_init(struct map *m) {
  m->size = 4;
  m->count = 0;
  m->buckets = must(calloc(m->size, sizeof *m->buckets));
}

static void map_grow(struct map *m) {
  size_t size = 2 * m->size;
  struct entry **b = must(calloc(size, sizeof *b));
  for (size_t i = 0; i < m->size; i++)
    for (struct entry *e = m->buckets[i], *next; e; e = next) {
      next = e->next;
      e->next = b[e->hash % size];
      b[e->hash % size] = e;
    }
  free(m->buckets);
  m->buckets = b;
  m->size = size;
}

static struct entry **map_find(struct map *m, const char *key) {
  uint32_t h = hash_of(key);
  struct entry **p = &m->buckets[h % m->size];
  while (*p && ((*p)->hash != h || strcmp((*p)->key, key) != 0))
    p = &(*p)->next;
  return p;
}

static void map_set(struct map *m, const char *key, int value) {
  struct entry **p = map_find(m, key);
  if (!*p) {
    if (m->count >= 2 * m->size) {
      map_grow(m);
      p = map_find(m, key);
    }
    *p = must(calloc(1, sizeof **p));
    (*p)->hash = hash_of(key);
    strncpy((*p)->key, key, sizeof(*p)->key - 1);
    m->count++;
  }
  (*p)->value = value;
}

static int map_get(struct map *m, const char *key, int otherwise) {
  struct entry *e = *map_find(m, key);
  return e ? e->value : otherwise;
}

static int map_remove(struct map *m, const char *key) {
  struct entry **p = map_find(m, key), *e = *p;
  if (!e)
    return 0;
  *p = e->next;
  free(e);
  m->count--;
  return 1;
}

static void map_free(struct map *m) {
  for (size_t i = 0; i < m->size; i++)
    while (m->buckets[i]) {
      struct entry *e = m->buckets[i];
      m->buckets[i] = e->next;
      free(e);
    }
  free(m->buckets);
}

static void name(char *key, int i) {
  key[0] = 'k';
  key[1] = (char)('a' + i / 5);
  key[2] = (char)('0' + i % 5);
  key[3] = 0;
}

int main(void) {
  struct map m;
  char key[8];
  int sum = 0;
  size_t before;
  map_init(&m);
  for (int i = 0; i < 20; i++) {
    name(key, i);
    map_set(&m, key, i);
  }
  before = m.count;
  assert(before == 20 && m.size > 4);
  for (int i = 0; i < 20; i++) {
    name(key, i);
    assert(map_get(&m, key, -1) == i);
  }
  for (int i = 0; i < 20; i += 3) {
    name(key, i);
    assert(map_remove(&m, key) && !map_remove(&m, key));
  }
  assert(m.count == 13 && map_get(&m, "ka0", -1) == -1 &&
         map_get(&m, "ka1", -1) == 1);
  map_set(&m, "ka1", 2);
  for (size_t i = 0; i < m.size; i++)
    for (struct entry *e = m.buckets[i]; e; e = e->next)
      sum += e->value;
  assert(sum == 190 - 63 + 1);
  printf("%zu %zu %d\n", before, m.count, sum / 2);
  map_free(&m);
  return 0;
}
