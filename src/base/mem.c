/* SPDX-License-Identifier: MIT */
#include "base/mem.h"

#include <malloc.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static size_t current, peak, ceiling;

void hd_bug(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fflush(stdout);
  fputs("heddle: internal error: ", stderr);
  vfprintf(stderr, format, args);
  fputs(
      "\nheddle: this is a bug in heddle, not in your input; please report it "
      "together with the input file.\n",
      stderr);
  va_end(args);
  _Exit(6);
}

void hd_out_of_memory(size_t bytes) {
  fflush(stdout);
  fprintf(stderr,
          "heddle: out of memory: %zu bytes asked for, %zu in use; give more "
          "with --memory=MB or choose another --engine\n",
          bytes, current);
  _Exit(6);
}

static void *account(void *p, size_t asked) {
  if (!p)
    hd_out_of_memory(asked);
  current += malloc_usable_size(p);
  if (current > peak)
    peak = current;
  return p;
}

static void admit(size_t bytes) {
  if (ceiling && (bytes > ceiling || current > ceiling - bytes))
    hd_out_of_memory(bytes);
}

void *hd_alloc(size_t bytes) {
  admit(bytes);
  return account(malloc(bytes ? bytes : 1), bytes);
}

void *hd_calloc(size_t count, size_t size) {
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes))
    hd_out_of_memory(SIZE_MAX);
  admit(bytes);
  return account(calloc(count ? count : 1, size ? size : 1), bytes);
}

void *hd_realloc(void *p, size_t bytes) {
  size_t held = p ? malloc_usable_size(p) : 0;
  if (bytes > held)
    admit(bytes - held);
  void *q = realloc(p, bytes ? bytes : 1);
  if (!q)
    hd_out_of_memory(bytes);
  assert(current >= held);
  current -= held;
  return account(q, bytes);
}

void hd_free(void *p) {
  if (!p)
    return;
  size_t held = malloc_usable_size(p);
  assert(current >= held);
  current -= held;
  free(p);
}

char *hd_strndup(const char *text, size_t length) {
  char *copy = hd_alloc(length + 1);
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

char *hd_strdup(const char *text) {
  return hd_strndup(text, strlen(text));
}

size_t hd_mem_current(void) {
  return current;
}

size_t hd_mem_peak(void) {
  return peak;
}

void hd_mem_set_ceiling(size_t bytes) {
  ceiling = bytes;
}
