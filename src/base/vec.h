/* SPDX-License-Identifier: MIT */
/* Growing arrays: hd_vec (T) is a struct type { data, size, cap }; name it once
 * by typedef, start it as all zeroes, end it with hd_vec_free. Elements move
 * when the vector grows: keep indices, not pointers. */
#ifndef HD_BASE_VEC_H
#define HD_BASE_VEC_H

#include "base/mem.h"

#define hd_vec(T)                                                              \
  struct {                                                                     \
    T *data;                                                                   \
    size_t size, cap;                                                          \
  }

/* Makes room for `need` elements of `elem` bytes, at least doubling. */
void *hd_vec_grow_(void *data, size_t *cap, size_t need, size_t elem);

#define hd_vec_reserve(v, n)                                                   \
  ((n) > (v)->cap ? (void)((v)->data = hd_vec_grow_((v)->data, &(v)->cap, (n), \
                                                    sizeof *(v)->data))        \
                  : (void)0)
#define hd_vec_push(v, x)                                                      \
  (hd_vec_reserve(v, (v)->size + 1), (void)((v)->data[(v)->size++] = (x)))
/* Sets the size; new elements are uninitialised. */
#define hd_vec_resize(v, n) (hd_vec_reserve(v, n), (void)((v)->size = (n)))
#define hd_vec_pop(v) ((v)->data[--(v)->size])
#define hd_vec_last(v) ((v)->data[(v)->size - 1])
#define hd_vec_clear(v) ((void)((v)->size = 0))
#define hd_vec_free(v)                                                         \
  (hd_free((v)->data), (void)((v)->data = NULL),                               \
   (void)((v)->size = (v)->cap = 0))
/* for (hd_vec_each (int, p, &v)) … */
#define hd_vec_each(T, p, v)                                                   \
  T *p = (v)->data, *p##_end = (v)->size ? (v)->data + (v)->size : p;          \
  p != p##_end;                                                                \
  p++

typedef hd_vec(uint32_t) hd_u32s;
typedef hd_vec(uint8_t) hd_bytes;

#endif
