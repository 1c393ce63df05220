/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE memory=SAFE
 * native: any
 * what: the allocator looks at the free list before it takes the lock: two
 *   threads get the same block */
#include <assert.h>
#include <pthread.h>
#include <string.h>

enum { BLOCKS = 3, BLOCK = 16 };
union block {
  union block *next;
  unsigned char bytes[BLOCK];
};

static union block arena[BLOCKS], *free_list;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void arena_init(void) {
  for (int i = 0; i < BLOCKS; i++)
    arena[i].next = i + 1 < BLOCKS ? &arena[i + 1] : 0;
  free_list = arena;
}

static void *allocate(void) {
  union block *b = free_list;
  if (b) {
    pthread_mutex_lock(&lock);
    free_list = free_list->next;
    pthread_mutex_unlock(&lock);
  }
  return b;
}

static void *work(void *arg) {
  unsigned char mark = arg ? 0xAA : 0x55;
  unsigned char *p = allocate();
  memset(p, mark, BLOCK);
  for (int i = 0; i < BLOCK; i += 5)
    assert(p[i] == mark);
  return 0;
}

int main(void) {
  pthread_t a, b;
  arena_init();
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, &lock);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
