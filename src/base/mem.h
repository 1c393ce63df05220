/* SPDX-License-Identifier: MIT */
/* Counted heap memory. All of heddle allocates through these functions (and the
 * containers built on them), so that a run can report its bytes, a limit can be
 * kept, and a test can assert that nothing is left at the end.
 * No function here returns NULL: running out of memory ends the process. */
#ifndef HD_BASE_MEM_H
#define HD_BASE_MEM_H

#include "base/common.h"

/* `bytes` fresh, uninitialised bytes. */
void *hd_alloc(size_t bytes);
/* `count` zeroed elements of `size` bytes; an overflowing product is out of
 * memory. */
void *hd_calloc(size_t count, size_t size);
/* Grows or shrinks `p` (which may be NULL). */
void *hd_realloc(void *p, size_t bytes);
void hd_free(void *p);
char *hd_strdup(const char *text);
/* The first `length` bytes of `text`, terminated. */
char *hd_strndup(const char *text, size_t length);

/* Bytes held now, and the most that were ever held. */
size_t hd_mem_current(void);
size_t hd_mem_peak(void);
/* A hard ceiling: an allocation past it is treated as out of memory.
 * 0 means none. Engines stop earlier, by hd_run_tick (). */
void hd_mem_set_ceiling(size_t bytes);

#endif
