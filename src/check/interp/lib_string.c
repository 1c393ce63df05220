/* SPDX-License-Identifier: MIT */
/* Strings, characters and numbers in them, as the host's C library does it in
 * the "C" locale; every byte that is read has been checked before. */
#include "check/interp/lib.h"
#include "check/interp/symbolic.h"

#include "base/float.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The string at an argument, copied; NULL after a violation. At most `most`
 * bytes are read. */
static char *string_arg(hd_call *c, size_t i, uint64_t most) {
  uint64_t length;
  if (!hd_string_length(c, hd_arg(c, i), most, &length))
    return NULL;
  if (!length)
    return hd_strdup("");
  return hd_strndup((const char *)hd_ram_bytes(c->m, hd_arg(c, i), NULL),
                    length);
}

static bool write_string(hd_call *c, uint64_t to, const char *text,
                         uint64_t size) {
  if (!hd_range(c, to, size, true, false))
    return false;
  hd_ram_write(c->m, to, (const uint8_t *)text, NULL, size);
  return true;
}

static void copy(hd_call *c) {
  uint64_t to = hd_arg(c, 0);
  char *text = string_arg(c, 1, UINT64_MAX);
  uint64_t size = text ? strlen(text) + 1 : 0;
  if (text && hd_apart(c, to, size, hd_arg(c, 1), size) &&
      write_string(c, to, text, size))
    hd_return(c, c->fn == HD_LIB_stpcpy ? to + strlen(text) : to);
  hd_free(text);
}

static void copy_n(hd_call *c) {
  uint64_t to = hd_arg(c, 0), size = hd_arg(c, 2);
  char *text = string_arg(c, 1, size);
  hd_return(c, to);
  if (!text)
    return;
  uint64_t length = strlen(text), read = length + (length < size);
  if (hd_range(c, to, size, true, false) &&
      hd_apart(c, to, size, hd_arg(c, 1), read)) {
    char *padded = hd_calloc(size ? size : 1, 1);
    memcpy(padded, text, length);
    hd_ram_write(c->m, to, (const uint8_t *)padded, NULL, size);
    hd_free(padded);
  }
  hd_free(text);
}

static void append(hd_call *c, uint64_t most) {
  uint64_t to = hd_arg(c, 0), length;
  hd_return(c, to);
  if (!hd_string_length(c, to, UINT64_MAX, &length))
    return;
  char *text = string_arg(c, 1, most);
  uint64_t size = text ? strlen(text) : 0, read = size + (size < most);
  if (text && hd_apart(c, to, length + size + 1, hd_arg(c, 1), read))
    (void)!write_string(c, to + length, text, size + 1);
  hd_free(text);
}

/* The bytes of an object from an address on. */
static const uint8_t *rest(hd_call *c, uint64_t address, uint64_t *room) {
  if (!hd_ram_check(c->m, c->tid, address, 1, false, false))
    return NULL;
  int64_t offset;
  const hd_object *object = hd_ram_find(c->m, address, &offset);
  *room = object->size - (uint64_t)offset;
  return object->block->bytes + offset;
}

/* Two strings are read as far as they are equal, and one byte more. */
static void compare(hd_call *c, uint64_t most, bool fold) {
  uint64_t a = hd_arg(c, 0), b = hd_arg(c, 1), left, right, i = 0;
  hd_return_int(c, 0);
  if (!most)
    return;
  const uint8_t *x = rest(c, a, &left), *y = x ? rest(c, b, &right) : NULL;
  if (!y)
    return;
  int order = 0;
  if (c->m->plan->options->symbols && !fold) {
    if (hd_compare_open(c, a, b, most, true, &order))
      hd_return_sign(c, order, false);
    return;
  }
  hd_symbolic_pin_string(c->m, a, left < most ? left : most);
  hd_symbolic_pin_string(c->m, b, right < most ? right : most);
  x = rest(c, a, &left);
  y = rest(c, b, &right);
  for (; i < most && i < left && i < right; i++) {
    order = fold ? tolower(x[i]) - tolower(y[i]) : x[i] - y[i];
    if (order || !x[i])
      break;
  }
  uint64_t looked = i < most ? i + 1 : i;
  if (hd_range(c, a, looked, false, true) &&
      hd_range(c, b, looked, false, true))
    hd_return_sign(c, order < 0 ? -1 : order > 0, false);
}

static void find_char(hd_call *c) {
  uint64_t base = hd_arg(c, 0);
  char *text = string_arg(c, 0, UINT64_MAX);
  if (!text)
    return;
  int ch = (int)(char)hd_arg(c, 1);
  const char *hit = c->fn == HD_LIB_strrchr     ? strrchr(text, ch)
                    : c->fn == HD_LIB_strchrnul ? strchrnul(text, ch)
                                                : strchr(text, ch);
  hd_return(c, hit ? base + (uint64_t)(hit - text) : 0);
  hd_free(text);
}

static void find_text(hd_call *c) {
  uint64_t base = hd_arg(c, 0);
  char *a = string_arg(c, 0, UINT64_MAX);
  char *b = a ? string_arg(c, 1, UINT64_MAX) : NULL;
  if (a && b) {
    if (c->fn == HD_LIB_strspn) {
      hd_return(c, strspn(a, b));
    } else if (c->fn == HD_LIB_strcspn) {
      hd_return(c, strcspn(a, b));
    } else {
      const char *hit = c->fn == HD_LIB_strstr ? strstr(a, b) : strpbrk(a, b);
      hd_return(c, hit ? base + (uint64_t)(hit - a) : 0);
    }
  }
  hd_free(a);
  hd_free(b);
}

static void duplicate(hd_call *c, uint64_t most) {
  if (c->choice) {
    hd_set_errno(c->m, c->tid, ENOMEM);
    hd_return(c, 0);
    return;
  }
  char *text = string_arg(c, 0, most);
  if (!text)
    return;
  uint64_t size = strlen(text) + 1;
  uint64_t base = hd_ram_push(c->m, c->tid, HD_OBJECT_HEAP,
                              hd_thread_edge(c->t), size, 16, false);
  if (base) {
    hd_ram_write(c->m, base, (const uint8_t *)text, NULL, size);
    hd_return(c, base);
  }
  hd_free(text);
}

static void error_text(hd_call *c) {
  const char *text = strerror((int)hd_arg_int(c, 0));
  hd_return(c, hd_ram_static(c->m, text, strlen(text) + 1, true));
}

void hd_lib_string(hd_call *c) {
  uint64_t length;
  switch (c->fn) {
  case HD_LIB_strlen:
    if (hd_string_length(c, hd_arg(c, 0), UINT64_MAX, &length))
      hd_return(c, length);
    break;
  case HD_LIB_strnlen:
    if (hd_string_length(c, hd_arg(c, 0), hd_arg(c, 1), &length))
      hd_return(c, length);
    break;
  case HD_LIB_strcpy:
  case HD_LIB_stpcpy:
    copy(c);
    break;
  case HD_LIB_strncpy:
    copy_n(c);
    break;
  case HD_LIB_strcat:
    append(c, UINT64_MAX);
    break;
  case HD_LIB_strncat:
    append(c, hd_arg(c, 2));
    break;
  case HD_LIB_strcmp:
  case HD_LIB_strcoll:
    compare(c, UINT64_MAX, false);
    break;
  case HD_LIB_strncmp:
    compare(c, hd_arg(c, 2), false);
    break;
  case HD_LIB_strcasecmp:
    compare(c, UINT64_MAX, true);
    break;
  case HD_LIB_strncasecmp:
    compare(c, hd_arg(c, 2), true);
    break;
  case HD_LIB_strchr:
  case HD_LIB_strrchr:
  case HD_LIB_strchrnul:
    find_char(c);
    break;
  case HD_LIB_strdup:
    duplicate(c, UINT64_MAX);
    break;
  case HD_LIB_strndup:
    duplicate(c, hd_arg(c, 1));
    break;
  case HD_LIB_strerror:
    error_text(c);
    break;
  default:
    find_text(c);
  }
}

/* --- numbers --- */

/* long has the width of a pointer; long long 64 bits. */
static uint64_t parse_integer(hd_call *c, const char *text, char **end,
                              int base) {
  bool is_long = c->fn == HD_LIB_strtol || c->fn == HD_LIB___isoc23_strtol ||
                 c->fn == HD_LIB_strtoul || c->fn == HD_LIB___isoc23_strtoul;
  bool is_signed = c->fn == HD_LIB_strtol || c->fn == HD_LIB_strtoll ||
                   c->fn == HD_LIB___isoc23_strtol ||
                   c->fn == HD_LIB___isoc23_strtoll;
  bool low = is_long && !c->m->plan->wide;
  errno = 0;
  uint64_t value;
  if (is_signed) {
    long long v = strtoll(text, end, base);
    if (low && (v > INT32_MAX || v < INT32_MIN)) {
      v = v > 0 ? INT32_MAX : INT32_MIN;
      errno = ERANGE;
    }
    value = (uint64_t)v;
  } else {
    unsigned long long v = strtoull(text, end, base);
    if (low && v > UINT32_MAX && v < (uint64_t) - (int64_t)UINT32_MAX) {
      v = UINT32_MAX;
      errno = ERANGE;
    }
    value = v;
  }
  if (errno)
    hd_set_errno(c->m, c->tid, errno);
  return value;
}

static void parse_number(hd_call *c) {
  char *text = string_arg(c, 0, UINT64_MAX), *end;
  if (!text)
    return;
  bool real = c->fn == HD_LIB_strtod || c->fn == HD_LIB_strtof;
  uint64_t value;
  if (c->fn == HD_LIB_strtof)
    value = hd_f32_bits(strtof(text, &end));
  else if (real)
    value = hd_f64_bits(strtod(text, &end));
  else
    value = parse_integer(c, text, &end, (int)hd_arg_int(c, 2));
  uint64_t place = hd_arg(c, 1);
  if (!place ||
      hd_put(c, place, hd_word(c->m), hd_arg(c, 0) + (uint64_t)(end - text)))
    hd_return(c, value);
  hd_free(text);
}

static void parse_simple(hd_call *c) {
  char *text = string_arg(c, 0, UINT64_MAX);
  if (!text)
    return;
  if (c->fn == HD_LIB_atof)
    hd_return(c, hd_f64_bits(strtod(text, NULL)));
  else
    hd_return(c, (uint64_t)strtoll(text, NULL, 10));
  hd_free(text);
}

static void absolute(hd_call *c) {
  uint8_t width = c->fn == HD_LIB_abs    ? 32
                  : c->fn == HD_LIB_labs ? (uint8_t)(8 * hd_word(c->m))
                                         : 64;
  int64_t value = hd_word_signed(hd_arg(c, 0), width);
  if (value == hd_word_signed((uint64_t)1 << (width - 1), width) &&
      hd_plan_checks(c->m->plan, HD_PROPERTY_OVERFLOW)) {
    hd_machine_violate(c->m, c->tid, HD_PROPERTY_OVERFLOW,
                       "signed overflow: %s (%lld)", hd_library_name(c->fn),
                       (long long)value);
    return;
  }
  hd_return(c, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);
}

static void character(hd_call *c) {
  int64_t value = hd_arg_int(c, 0);
  if (value < -1 || value > 255) {
    hd_machine_violate(c->m, c->tid, HD_PROPERTY_MEMORY,
                       "%s of %lld, which is no character",
                       hd_library_name(c->fn), (long long)value);
    return;
  }
  int ch = (int)value, result;
  switch (c->fn) {
  case HD_LIB_toupper:
    result = toupper(ch);
    break;
  case HD_LIB_tolower:
    result = tolower(ch);
    break;
  case HD_LIB_isalpha:
    result = isalpha(ch);
    break;
  case HD_LIB_isdigit:
    result = isdigit(ch);
    break;
  case HD_LIB_isalnum:
    result = isalnum(ch);
    break;
  case HD_LIB_isspace:
    result = isspace(ch);
    break;
  case HD_LIB_isupper:
    result = isupper(ch);
    break;
  case HD_LIB_islower:
    result = islower(ch);
    break;
  case HD_LIB_isxdigit:
    result = isxdigit(ch);
    break;
  case HD_LIB_ispunct:
    result = ispunct(ch);
    break;
  case HD_LIB_isprint:
    result = isprint(ch);
    break;
  case HD_LIB_isgraph:
    result = isgraph(ch);
    break;
  case HD_LIB_iscntrl:
    result = iscntrl(ch);
    break;
  case HD_LIB_isblank:
    result = isblank(ch);
    break;
  default: /* isascii */
    result = ch >= 0 && ch < 128;
  }
  if (c->fn == HD_LIB_toupper || c->fn == HD_LIB_tolower)
    hd_return_int(c, result);
  else
    hd_return_sign(c, result, true);
}

void hd_lib_number(hd_call *c) {
  switch (c->fn) {
  case HD_LIB_atoi:
  case HD_LIB_atol:
  case HD_LIB_atoll:
  case HD_LIB_atof:
    parse_simple(c);
    break;
  case HD_LIB_abs:
  case HD_LIB_labs:
  case HD_LIB_llabs:
    absolute(c);
    break;
  case HD_LIB_ffs:
    hd_return_int(c, ffs((int)hd_arg_int(c, 0)));
    break;
  case HD_LIB_ffsl: /* as wide as the argument */
  case HD_LIB_ffsll:
    hd_return_int(c, ffsll((long long)hd_arg(c, 0)));
    break;
  case HD_LIB_strtol:
  case HD_LIB_strtoul:
  case HD_LIB_strtoll:
  case HD_LIB_strtoull:
  case HD_LIB_strtod:
  case HD_LIB_strtof:
  case HD_LIB___isoc23_strtol:
  case HD_LIB___isoc23_strtoul:
  case HD_LIB___isoc23_strtoll:
  case HD_LIB___isoc23_strtoull:
    parse_number(c);
    break;
  default:
    character(c);
  }
}
