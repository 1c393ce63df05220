/* SPDX-License-Identifier: MIT */
/* For tests that walk directories: one cmocka test a file. Include it after
 * cmocka.h. */
#ifndef HD_TESTS_FILES_UTIL_H
#define HD_TESTS_FILES_UTIL_H

#include "base/io.h"
#include "base/str.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

static inline char *path_in(const char *folder, const char *name) {
  hd_str path = {0};
  hd_str_printf(&path, "%s/%s", folder, name);
  return hd_str_take(&path);
}

typedef char *heap_text;
typedef hd_vec(heap_text) paths;

static inline int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

/* All files below `folder`. */
static inline void walk(const char *folder, paths *out) {
  DIR *dir = opendir(folder);
  for (struct dirent *e; dir && (e = readdir(dir));) {
    if (e->d_name[0] == '.')
      continue;
    char *path = path_in(folder, e->d_name);
    struct stat st;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) {
      walk(path, out);
      hd_free(path);
    } else {
      hd_vec_push(out, path);
    }
  }
  if (dir)
    closedir(dir);
}

static inline paths files_below(const char *folder) {
  paths all = {0};
  walk(folder, &all);
  if (all.size)
    qsort(all.data, all.size, sizeof *all.data, by_name);
  return all;
}

static inline void free_paths(paths *all) {
  for (hd_vec_each(heap_text, path, all))
    hd_free(*path);
  hd_vec_free(all);
}

static inline bool ends_with(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && !strcmp(text + n - m, end);
}

static inline const char *base_name(const char *path) {
  return strrchr(path, '/') + 1;
}

typedef hd_vec(struct CMUnitTest) tests;

static inline void add_test(tests *all, const char *name, CMUnitTestFunction f,
                            char *path) {
  hd_vec_push(all, ((struct CMUnitTest){
                       .name = name, .test_func = f, .initial_state = path}));
}

#endif
