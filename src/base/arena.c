/* SPDX-License-Identifier: MIT */
#include "base/arena.h"

#include "base/mem.h"

#include <string.h>

enum { BLOCK = 1 << 16, ALIGN = _Alignof(max_align_t) };

struct hd_arena_block {
  struct hd_arena_block *older;
  size_t size;
  _Alignas(max_align_t) unsigned char bytes[];
};

void hd_arena_init(hd_arena *arena) {
  *arena = (hd_arena){0};
}

static void drop_top(hd_arena *arena) {
  struct hd_arena_block *block = arena->top;
  arena->top = block->older;
  hd_free(block);
}

void hd_arena_free(hd_arena *arena) {
  while (arena->top)
    drop_top(arena);
  arena->used = 0;
}

void *hd_arena_alloc(hd_arena *arena, size_t bytes) {
  if (bytes > SIZE_MAX / 2)
    hd_out_of_memory(bytes);
  bytes = (bytes + ALIGN - 1) / ALIGN * ALIGN;
  if (!arena->top || arena->top->size - arena->used < bytes) {
    size_t size = bytes > BLOCK ? bytes : BLOCK;
    struct hd_arena_block *block = hd_alloc(sizeof *block + size);
    block->older = arena->top;
    block->size = size;
    arena->top = block;
    arena->used = 0;
  }
  void *piece = arena->top->bytes + arena->used;
  arena->used += bytes;
  return piece;
}

char *hd_arena_strndup(hd_arena *arena, const char *text, size_t length) {
  char *copy = hd_arena_alloc(arena, length + 1);
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

hd_arena_mark hd_arena_save(const hd_arena *arena) {
  return (hd_arena_mark){.top = arena->top, .used = arena->used};
}

void hd_arena_rewind(hd_arena *arena, hd_arena_mark mark) {
  while (arena->top != mark.top) {
    assert(arena->top);
    drop_top(arena);
  }
  arena->used = mark.used;
}
