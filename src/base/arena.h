/* SPDX-License-Identifier: MIT */
/* Region memory: many small pieces with one lifetime. Pieces are never freed
 * one by one; hd_arena_rewind gives back everything since a mark. */
#ifndef HD_BASE_ARENA_H
#define HD_BASE_ARENA_H

#include "base/common.h"

struct hd_arena_block;
typedef struct {
  struct hd_arena_block *top; /* newest block, linked to the older ones */
  size_t used;                /* bytes used in the newest block */
} hd_arena;

typedef struct {
  struct hd_arena_block *top;
  size_t used;
} hd_arena_mark;

void hd_arena_init(hd_arena *arena);
void hd_arena_free(hd_arena *arena);
/* `bytes` uninitialised bytes, aligned for any object. */
void *hd_arena_alloc(hd_arena *arena, size_t bytes);
char *hd_arena_strndup(hd_arena *arena, const char *text, size_t length);
hd_arena_mark hd_arena_save(const hd_arena *arena);
void hd_arena_rewind(hd_arena *arena, hd_arena_mark mark);

#endif
