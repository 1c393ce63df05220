/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE
 * native: exit=0
 * what: an allocator of blocks from one static arena with a free list
 *   under a lock: no block has two owners */
#include <assert.h>
#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { BLOCKS = 3, BLOCK = 16 };
union block {
  union block *next;
  unsigned char bytes[BLOCK];
};

static union block arena[BLOCKS], *free_list;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int in_use;

static void arena_init(void) {
  for (int i = 0; i < BLOCKS; i++)
    arena[i].next = i + 1 < BLOCKS ? &arena[i + 1] : 0;
  free_list = arena;
}

static void *allocate(void) {
  pthread_mutex_lock(&lock);
  union block *b = free_list;
  if (b) {
    free_list = b->next;
    in_use++;
    assert(in_use <= BLOCKS);
  }
  pthread_mutex_unlock(&lock);
  return b;
}

static void release(void *p) {
  union block *b = p;
  ptrdiff_t n = b - arena;
  assert(n >= 0 && n < BLOCKS);
  pthread_mutex_lock(&lock);
  b->next = free_list;
  free_list = b;
  in_use--;
  pthread_mutex_unlock(&lock);
}

static void *work(void *arg) {
  unsigned char mark = arg ? 0xAA : 0x55;
  unsigned char *p = allocate();
  assert(p);
  memset(p, mark, BLOCK);
  unsigned char *q = allocate();
  if (q) {
    assert(q != p);
    memset(q, (unsigned char)~mark, BLOCK);
  }
  for (int i = 0; i < BLOCK; i += 5)
    assert(p[i] == mark);
  if (q)
    release(q);
  release(p);
  return 0;
}

int main(void) {
  pthread_t a, b;
  arena_init();
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, &in_use);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(in_use == 0);
  int n = 0;
  for (union block *p = free_list; p; p = p->next)
    n++;
  assert(n == BLOCKS);
  return 0;
}
