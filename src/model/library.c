/* SPDX-License-Identifier: MIT */
#include "model/library.h"

#include <string.h>

static const struct {
  const char *name;
  uint8_t kind;
} table[] = {[HD_LIB_NONE] = {"", HD_LIBRARY_NONE},
#define X(name, kind) [HD_LIB_##name] = {#name, HD_LIBRARY_##kind},
             HD_LIBRARY(X)
#undef X
};

/* The names of LLVM's own functions have dots where the table has _. */
static bool same(const char *known, const char *name) {
  bool dots = strncmp(name, "llvm.", 5) == 0;
  for (; *known; known++, name++)
    if (*known != *name && !(dots && *known == '_' && *name == '.'))
      return false;
  return !*name;
}

/* Asked once for each function of a program: a walk is quick enough. */
hd_library_fn hd_library_find(const char *name) {
  for (int fn = 1; fn < HD_LIB_COUNT; fn++)
    if (same(table[fn].name, name))
      return (hd_library_fn)fn;
  if (strncmp(name, "MPI_", 4) == 0)
    return HD_LIB_MPI_;
  return HD_LIB_NONE;
}

const char *hd_library_name(hd_library_fn fn) {
  assert(fn < HD_LIB_COUNT);
  return table[fn].name;
}

hd_library_kind hd_library_kind_of(hd_library_fn fn) {
  assert(fn < HD_LIB_COUNT);
  return table[fn].kind;
}

const char *hd_library_kind_text(hd_library_kind kind) {
  static const char *const texts[] = {
#define X(name, text) [HD_LIBRARY_##name] = text,
      HD_LIBRARY_KINDS(X)
#undef X
  };
  assert(kind < HD_LIBRARY_KIND_COUNT);
  return texts[kind];
}
