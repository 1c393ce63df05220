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

/* Other names for the same, as other verifiers have them. A loop that waits says
 * so with the last ones, which is a good moment to let others go on. `assert` is
 * a function where the header was forgotten. */
static const struct {
  const char *name;
  hd_library_fn fn;
} others[] = {
    {"__CPROVER_assume", HD_LIB___VERIFIER_assume},
    {"__ESBMC_assume", HD_LIB___VERIFIER_assume},
    {"__goblint_assume", HD_LIB___VERIFIER_assume},
    {"__CPROVER_assert", HD_LIB___VERIFIER_assert},
    {"__ESBMC_assert", HD_LIB___VERIFIER_assert},
    {"__goblint_check", HD_LIB___VERIFIER_assert},
    {"__goblint_assert", HD_LIB___VERIFIER_assert},
    {"assert", HD_LIB___VERIFIER_assert},
    {"__CPROVER_atomic_begin", HD_LIB___VERIFIER_atomic_begin},
    {"__ESBMC_atomic_begin", HD_LIB___VERIFIER_atomic_begin},
    {"__CPROVER_atomic_end", HD_LIB___VERIFIER_atomic_end},
    {"__ESBMC_atomic_end", HD_LIB___VERIFIER_atomic_end},
    {"__VERIFIER_loop_bound", HD_LIB_sched_yield},
    {"__VERIFIER_loop_begin", HD_LIB_sched_yield},
    {"__VERIFIER_spin_start", HD_LIB_sched_yield},
    {"__VERIFIER_spin_end", HD_LIB_sched_yield},
};

static const struct {
  const char *type;
  hd_library_fn fn;
} inputs[] = {
    {"bool", HD_LIB___VERIFIER_nondet_bool},
    {"_Bool", HD_LIB___VERIFIER_nondet_bool},
    {"char", HD_LIB___VERIFIER_nondet_char},
    {"uchar", HD_LIB___VERIFIER_nondet_uchar},
    {"short", HD_LIB___VERIFIER_nondet_short},
    {"ushort", HD_LIB___VERIFIER_nondet_ushort},
    {"int", HD_LIB___VERIFIER_nondet_int},
    {"long", HD_LIB___VERIFIER_nondet_long},
    {"float", HD_LIB___VERIFIER_nondet_float},
    {"double", HD_LIB___VERIFIER_nondet_double},
    {"pointer", HD_LIB___VERIFIER_nondet_pointer},
};

/* Inputs of any type, with the prefix of SV-COMP or without: of what is not in
 * the table only the width matters, which the call tells. */
static hd_library_fn find_input(const char *name) {
  static const char prefix[] = "__VERIFIER_";
  if (strncmp(name, prefix, sizeof prefix - 1) == 0)
    name += sizeof prefix - 1;
  if (strncmp(name, "nondet_", 7) != 0)
    return HD_LIB_NONE;
  for (size_t i = 0; i < sizeof inputs / sizeof *inputs; i++)
    if (strcmp(inputs[i].type, name + 7) == 0)
      return inputs[i].fn;
  return HD_LIB___VERIFIER_nondet_any;
}

/* Asked once for each function of a program: a walk is quick enough. */
hd_library_fn hd_library_find(const char *name) {
  for (int fn = 1; fn < HD_LIB_COUNT; fn++)
    if (same(table[fn].name, name))
      return (hd_library_fn)fn;
  for (size_t i = 0; i < sizeof others / sizeof *others; i++)
    if (strcmp(others[i].name, name) == 0)
      return others[i].fn;
  if (strncmp(name, "MPI_", 4) == 0)
    return HD_LIB_MPI_;
  return find_input(name);
}

const char *hd_library_name(hd_library_fn fn) {
  assert(fn < HD_LIB_COUNT);
  return table[fn].name;
}

hd_library_kind hd_library_kind_of(hd_library_fn fn) {
  assert(fn < HD_LIB_COUNT);
  return table[fn].kind;
}

uint32_t hd_library_place_bytes(hd_library_kind kind, uint8_t pointer_width) {
  bool wide = pointer_width == 64;
  switch (kind) {
  case HD_LIBRARY_MUTEX:
    return wide ? 40 : 24;
  case HD_LIBRARY_RWLOCK:
    return wide ? 56 : 32;
  case HD_LIBRARY_COND:
    return 48;
  case HD_LIBRARY_BARRIER:
    return wide ? 32 : 20;
  case HD_LIBRARY_SEM:
    return wide ? 32 : 16;
  case HD_LIBRARY_SPIN:
  case HD_LIBRARY_ONCE:
    return 4;
  default:
    return 0;
  }
}

static bool ends_with(const char *name, const char *end) {
  size_t n = strlen(name), k = strlen(end);
  return n >= k && !strcmp(name + n - k, end);
}

hd_place hd_library_place(hd_library_fn fn, uint32_t i, hd_library_kind *kind) {
  assert(fn < HD_LIB_COUNT);
  const char *name = table[fn].name;
  *kind = table[fn].kind;
  if (i == 1 && *kind == HD_LIBRARY_COND && ends_with(name, "wait")) {
    *kind = HD_LIBRARY_MUTEX;
    return HD_PLACE_USED;
  }
  if (i || !hd_library_place_bytes(*kind, 64))
    return HD_PLACE_NONE;
  return ends_with(name, "_init")      ? HD_PLACE_MADE
         : ends_with(name, "_destroy") ? HD_PLACE_ENDED
                                       : HD_PLACE_USED;
}

bool hd_library_stores_input(hd_library_fn fn) {
  return fn == HD_LIB_time || fn == HD_LIB_rand_r;
}

hd_prints hd_library_format(const uint8_t *format, uint64_t size) {
  hd_prints prints = HD_PRINTS_VALUES;
  for (uint64_t i = 0; format && i < size && format[i]; i++) {
    if (format[i] != '%')
      continue;
    for (i++; i < size && format[i] &&
              strchr("-+ #0'.*123456789hljztLqI$", format[i]);
         i++)
      ;
    if (i == size || !format[i])
      break;
    if (format[i] == 'n')
      return HD_PRINTS_BACK;
    if (format[i] == 's' || format[i] == 'S')
      prints = HD_PRINTS_TEXT;
  }
  return prints;
}

bool hd_library_prints_format(hd_library_fn fn) {
  assert(fn < HD_LIB_COUNT);
  return strstr(table[fn].name, "printf") != NULL;
}

int hd_library_format_at(hd_library_fn fn) {
  switch (fn) {
  case HD_LIB_printf:
    return 0;
  case HD_LIB_fprintf:
  case HD_LIB_dprintf:
  case HD_LIB___printf_chk:
    return 1;
  case HD_LIB___fprintf_chk:
    return 2;
  default:
    return -1;
  }
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
