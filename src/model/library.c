/* SPDX-License-Identifier: MIT */
#include "model/library.h"

#include <errno.h>
#include <string.h>

typedef struct {
  const char *name, *args;
  uint8_t kind, action, gives, input;
  uint16_t traits;
} row;

enum {
  WAITS = HD_CALL_WAITS,
  TRIES = HD_CALL_TRIES,
  TIMED = HD_CALL_TIMED,
  LOOSE = HD_CALL_LOOSE,
  SHARED = HD_CALL_SHARED,
  ALL = HD_CALL_ALL,
  PURE = HD_CALL_PURE,
  TORN = HD_CALL_TORN,
  CLEARS = HD_CALL_CLEARS,
  CHARACTER = HD_CALL_CHARACTER
};

#define ROW(name, kind, does, args, gives, traits)                             \
  [HD_LIB_##name] = {                                                          \
      #name,         args,  HD_LIBRARY_##kind, HD_DO_##does, HD_GIVES_##gives, \
      HD_INPUT_NONE, traits},
#define INPUT(name, type, args)                                                \
  [HD_LIB_##name] = {                                                          \
      #name,           args, HD_LIBRARY_INPUT, HD_DO_INPUT, HD_GIVES_VALUE,    \
      HD_INPUT_##type, 0},
#define MPI(name)                                                              \
  [HD_LIB_##name] = {#name,          "?*",          HD_LIBRARY_MPI, HD_DO_MPI, \
                     HD_GIVES_VALUE, HD_INPUT_NONE, HD_CALL_WAITS},
#define REFUSED(name)                                                          \
  [HD_LIB_##name] = {#name,         "?*",           HD_LIBRARY_REFUSED,        \
                     HD_DO_REFUSED, HD_GIVES_VALUE, HD_INPUT_NONE,             \
                     HD_CALL_WAITS},
#define ALIAS(name, other)
static const row table[] = {
    [HD_LIB_NONE] = {"", "?*", HD_LIBRARY_NONE, HD_DO_NONE, HD_GIVES_VALUE, 0,
                     HD_CALL_WAITS},
#include "model/library.def"
};
#undef ROW
#undef INPUT
#undef MPI
#undef REFUSED
#undef ALIAS

/* The names of LLVM's own functions have dots where the table has _. */
static bool same(const char *known, const char *name) {
  bool dots = strncmp(name, "llvm.", 5) == 0;
  for (; *known; known++, name++)
    if (*known != *name && !(dots && *known == '_' && *name == '.'))
      return false;
  return !*name;
}

#define ROW(name, kind, does, args, gives, traits)
#define INPUT(name, type, args)
#define MPI(name)
#define REFUSED(name)
#define ALIAS(name, other) {#name, HD_LIB_##other},
static const struct {
  const char *name;
  hd_library_fn fn;
} others[] = {
#include "model/library.def"
};
#undef ROW
#undef INPUT
#undef MPI
#undef REFUSED
#undef ALIAS

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
 * the table only the width matters, which the call tells. What fills memory is
 * modelled in C. */
static hd_library_fn find_input(const char *name) {
  static const char prefix[] = "__VERIFIER_";
  if (strncmp(name, prefix, sizeof prefix - 1) == 0)
    name += sizeof prefix - 1;
  if (strncmp(name, "nondet_", 7) != 0)
    return HD_LIB_NONE;
  if (strcmp(name, "nondet_memory") == 0)
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

hd_action hd_library_action(hd_library_fn fn) {
  assert(fn < HD_LIB_COUNT);
  return (hd_action)table[fn].action;
}

const char *hd_action_text(hd_action action) {
  static const char *const texts[] = {
#define X(name, text) [HD_DO_##name] = text,
      HD_LIBRARY_ACTIONS(X)
#undef X
  };
  assert((unsigned)action < HD_DO_COUNT);
  return texts[action];
}

hd_gives hd_library_gives(hd_library_fn fn) {
  assert(fn < HD_LIB_COUNT);
  return (hd_gives)table[fn].gives;
}

bool hd_library_is(hd_library_fn fn, unsigned traits) {
  assert(fn < HD_LIB_COUNT);
  return (table[fn].traits & traits) != 0;
}

const char *hd_library_args(hd_library_fn fn) {
  assert(fn < HD_LIB_COUNT);
  return table[fn].args;
}

/* The letter of argument `i`; further ones of a format are '*'. */
static char letter(hd_library_fn fn, uint32_t i) {
  const char *args = table[fn].args;
  size_t n = strlen(args);
  if (n && args[n - 1] == '*' && i + 1 >= n)
    return n > 1 && args[n - 2] != 'p' ? args[n - 2] : '*';
  return i < n ? args[i] : '-';
}

static unsigned effects(char letter) {
  switch (letter) {
  case '-':
    return 0;
  case 'r':
  case 'p':
    return HD_ARG_READ;
  case 'R':
    return HD_ARG_READ | HD_ARG_NULL;
  case 't':
    return HD_ARG_READ | HD_ARG_TIME;
  case 'w':
    return HD_ARG_WRITE;
  case 'W':
    return HD_ARG_WRITE | HD_ARG_NULL;
  case 'x':
  case 'v':
  case '*': /* %n writes */
    return HD_ARG_READ | HD_ARG_WRITE;
  case 'u':
  case 'n':
  case 'd':
  case 'm':
    return HD_ARG_READ | HD_ARG_WRITE | HD_ARG_PLACE;
  case 'F':
    return HD_ARG_FREE | HD_ARG_NULL;
  case 'c':
    return HD_ARG_CALL;
  case 'k':
    return HD_ARG_KEEP;
  case 'K':
    return HD_ARG_KEEP | HD_ARG_NULL;
  case 'l':
    return HD_ARG_CALL | HD_ARG_KEEP;
  case 'L':
    return HD_ARG_CALL | HD_ARG_KEEP | HD_ARG_NULL;
  default:
    assert(letter == '?');
    return HD_ARG_ALL;
  }
}

unsigned hd_library_arg(hd_library_fn fn, uint32_t i) {
  assert(fn < HD_LIB_COUNT);
  return effects(letter(fn, i));
}

int hd_library_arg_at(hd_library_fn fn, unsigned wanted) {
  assert(fn < HD_LIB_COUNT);
  int n = (int)strlen(table[fn].args);
  for (int i = 0; i < n; i++)
    if (hd_library_arg(fn, (uint32_t)i) & wanted)
      return i;
  return -1;
}

bool hd_library_does(hd_library_fn fn, unsigned wanted) {
  return hd_library_arg_at(fn, wanted) >= 0;
}

hd_place hd_library_place(hd_library_fn fn, uint32_t i, hd_library_kind *kind) {
  assert(fn < HD_LIB_COUNT);
  *kind = table[fn].kind;
  switch (letter(fn, i)) {
  case 'm':
    *kind = HD_LIBRARY_MUTEX;
    return HD_PLACE_USED;
  case 'u':
    return HD_PLACE_USED;
  case 'n':
    return HD_PLACE_MADE;
  case 'd':
    return HD_PLACE_ENDED;
  default:
    return HD_PLACE_NONE;
  }
}

/* --- inputs --- */

static const struct {
  uint8_t bits;
  bool sign;
} input_types[] = {
#define X(name, bits, sign) [HD_INPUT_##name] = {bits, sign},
    HD_LIBRARY_INPUTS(X)
#undef X
};

hd_input_type hd_library_input(hd_library_fn fn) {
  assert(fn < HD_LIB_COUNT);
  return (hd_input_type)table[fn].input;
}

unsigned hd_input_bits(hd_input_type type, uint8_t pointer_width,
                       unsigned width) {
  if (type == HD_INPUT_LONG || type == HD_INPUT_ULONG)
    return pointer_width;
  return input_types[type].bits ? input_types[type].bits : width;
}

bool hd_input_signed(hd_input_type type) {
  return input_types[type].sign;
}

bool hd_input_real(hd_input_type type) {
  return type == HD_INPUT_F32 || type == HD_INPUT_F64;
}

bool hd_library_stores_input(hd_library_fn fn) {
  return hd_library_action(fn) == HD_DO_INPUT &&
         hd_library_does(fn, HD_ARG_WRITE);
}

/* --- errors --- */

static uint32_t status(int error) {
  enum { BUSY = 1, FAILED = 2, OUT_OF_MEMORY = 3, TIMED_OUT = 4 };
  switch (error) {
  case EBUSY:
    return BUSY;
  case ENOMEM:
    return OUT_OF_MEMORY;
  case ETIMEDOUT:
    return TIMED_OUT;
  default:
    return FAILED;
  }
}

uint32_t hd_library_error(hd_library_fn fn, int error) {
  assert(error > 0);
  switch (hd_library_gives(fn)) {
  case HD_GIVES_STATUS:
    return status(error);
  case HD_GIVES_MINUS:
    return UINT32_MAX;
  default:
    return (uint32_t)error;
  }
}

/* --- printing --- */

hd_prints hd_library_format(const uint8_t *format, uint64_t size,
                            size_t given) {
  hd_prints prints = HD_PRINTS_VALUES;
  size_t taken = 0;
  for (uint64_t i = 0; format && i < size && format[i]; i++) {
    if (format[i] != '%')
      continue;
    for (i++; i < size && format[i] &&
              strchr("-+ #0'.*123456789hljztLqI$", format[i]);
         i++) {
      taken += format[i] == '*';
      if (format[i] == '$')
        return HD_PRINTS_BACK;
    }
    if (i == size || !format[i])
      break;
    taken += format[i] != '%' && format[i] != 'm';
    if (format[i] == 'n' || taken > given)
      return HD_PRINTS_BACK;
    if (format[i] == 's' || format[i] == 'S')
      prints = HD_PRINTS_TEXT;
  }
  return prints;
}

bool hd_library_prints_format(hd_library_fn fn) {
  assert(fn < HD_LIB_COUNT);
  return strchr(table[fn].args, 'p') != NULL;
}

int hd_library_format_at(hd_library_fn fn) {
  assert(fn < HD_LIB_COUNT);
  const char *args = table[fn].args, *format = strchr(args, 'p');
  bool elsewhere = strpbrk(args, "wWv") != NULL;
  return format && !elsewhere ? (int)(format - args) : -1;
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

bool hd_library_has_initialiser(hd_library_fn fn) {
  hd_library_kind kind = hd_library_kind_of(fn);
  bool c11 = hd_library_gives(fn) == HD_GIVES_STATUS;
  return !c11 && kind != HD_LIBRARY_SEM && kind != HD_LIBRARY_SPIN &&
         kind != HD_LIBRARY_BARRIER;
}
