/* SPDX-License-Identifier: MIT */
/* printf: each conversion is taken out of the format, its argument fetched by
 * the target's sizes, and the host's snprintf asked to print that one. */
#include "check/interp/format.h"

#include "base/float.h"

#include <stdio.h>
#include <string.h>

#define WIDEST 100000

typedef enum { PLAIN, CHAR, SHORT, LONG, LONG_LONG, WORD, LONG_DOUBLE } length;

typedef struct {
  char flags[8];
  int width, precision; /* -1 = none */
  length length;
  char conversion;
} spec;

typedef struct {
  hd_call *c;
  const char *at, *end;
  size_t next;        /* argument */
  bool list;          /* … which is a va_list to take them from */
  uint64_t arguments; /* that list */
  hd_str *out;
  hd_texts *texts; /* … that were read; or NULL */
} printer;

static bool argument(printer *p, uint32_t size, uint64_t *bits) {
  if (p->list)
    return hd_va_arg(p->c, &p->arguments, size, bits);
  if (p->next >= p->c->n) {
    hd_machine_violate(p->c->m, p->c->tid, HD_PROPERTY_MEMORY,
                       "%s with too few arguments", hd_library_name(p->c->fn));
    return false;
  }
  *bits = p->c->args[p->next++].bits;
  return true;
}

static bool read_number(printer *p, int *out) {
  if (p->at < p->end && *p->at == '*') {
    p->at++;
    uint64_t bits;
    if (!argument(p, 4, &bits))
      return false;
    *out = (int)hd_word_signed(bits, 32);
    return true;
  }
  while (p->at < p->end && *p->at >= '0' && *p->at <= '9' && *out <= WIDEST)
    *out = (*out < 0 ? 0 : *out) * 10 + (*p->at++ - '0');
  return true;
}

static void read_length(printer *p, spec *s) {
  s->length = PLAIN;
  for (; p->at < p->end && strchr("hljztLq", *p->at); p->at++)
    switch (*p->at) {
    case 'h':
      s->length = s->length == SHORT ? CHAR : SHORT;
      break;
    case 'l':
      s->length = s->length == LONG ? LONG_LONG : LONG;
      break;
    case 'L':
      s->length = LONG_DOUBLE;
      break;
    case 'z':
    case 't':
      s->length = WORD;
      break;
    default:
      s->length = LONG_LONG;
    }
}

/* Behind the %. */
static bool read_spec(printer *p, spec *s) {
  size_t n = 0;
  *s = (spec){.width = -1, .precision = -1};
  for (; p->at < p->end && *p->at && strchr("-+ #0'", *p->at); p->at++)
    if (n + 1 < sizeof s->flags && !strchr(s->flags, *p->at))
      s->flags[n++] = *p->at;
  if (!read_number(p, &s->width))
    return false;
  if (s->width < -1) { /* a negative * means - */
    if (n + 1 < sizeof s->flags)
      s->flags[n++] = '-';
    s->width = -s->width;
  }
  if (p->at < p->end && *p->at == '.') {
    p->at++;
    s->precision = 0;
    if (!read_number(p, &s->precision))
      return false;
    if (s->precision < 0)
      s->precision = -1;
  }
  if (s->width > WIDEST || s->precision > WIDEST) {
    hd_call_unsupported(p->c, "a conversion of more than 100,000 characters");
    return false;
  }
  read_length(p, s);
  s->conversion = p->at < p->end ? *p->at++ : 0;
  return true;
}

/* The conversion as a format for the host. */
static void host_format(const spec *s, const char *type, char *out,
                        size_t size) {
  char width[16] = "", precision[16] = "";
  if (s->width >= 0)
    snprintf(width, sizeof width, "%d", s->width);
  if (s->precision >= 0)
    snprintf(precision, sizeof precision, ".%d", s->precision);
  snprintf(out, size, "%%%s%s%s%s%c", s->flags, width, precision, type,
           s->conversion);
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"

static uint8_t integer_width(const hd_machine *m, length l) {
  switch (l) {
  case CHAR:
    return 8;
  case SHORT:
    return 16;
  case LONG:
  case WORD:
    return (uint8_t)(8 * hd_word(m));
  case LONG_LONG:
  case LONG_DOUBLE:
    return 64;
  default:
    return 32;
  }
}

static bool print_integer(printer *p, const spec *s) {
  uint64_t bits;
  uint8_t width = integer_width(p->c->m, s->length);
  if (!argument(p, width / 8u, &bits))
    return false;
  char format[64];
  host_format(s, "ll", format, sizeof format);
  bool is_signed = s->conversion == 'd' || s->conversion == 'i';
  uint64_t value = is_signed ? (uint64_t)hd_word_signed(bits, width)
                             : bits & hd_word_mask(width);
  hd_str_printf(p->out, format, (unsigned long long)value);
  return true;
}

/* Variadic floats are doubles. */
static bool print_float(printer *p, const spec *s) {
  uint64_t bits;
  if (s->length == LONG_DOUBLE) {
    hd_call_unsupported(p->c, "printing of long double");
    return false;
  }
  if (!argument(p, 8, &bits))
    return false;
  char format[64];
  host_format(s, "", format, sizeof format);
  hd_str_printf(p->out, format, hd_f64_value(bits));
  return true;
}

static bool print_string(printer *p, const spec *s) {
  uint64_t address, size;
  if (!argument(p, hd_word(p->c->m), &address))
    return false;
  if (s->length != PLAIN) {
    hd_call_unsupported(p->c, "printing of wide strings");
    return false;
  }
  uint64_t most = s->precision >= 0 ? (uint64_t)s->precision : UINT64_MAX;
  if (!hd_string_length(p->c, address, most, &size))
    return false;
  hd_text text = {address, size + (size < most)};
  if (p->texts)
    hd_vec_push(p->texts, text);
  spec whole = *s;
  whole.precision = (int)size;
  char format[64];
  host_format(&whole, "", format, sizeof format);
  hd_str_printf(p->out, format,
                size ? (const char *)hd_ram_bytes(p->c->m, address, NULL) : "");
  return true;
}

/* Characters may be zero: not through the host. */
static bool print_char(printer *p, const spec *s) {
  uint64_t bits;
  if (!argument(p, 4, &bits))
    return false;
  int pad = s->width > 1 ? s->width - 1 : 0;
  bool left = strchr(s->flags, '-') != NULL;
  char ch = (char)bits;
  for (int i = 0; !left && i < pad; i++)
    hd_str_puts(p->out, " ");
  hd_str_append(p->out, &ch, 1);
  for (int i = 0; left && i < pad; i++)
    hd_str_puts(p->out, " ");
  return true;
}

static bool print_pointer(printer *p, const spec *s) {
  uint64_t bits;
  if (!argument(p, hd_word(p->c->m), &bits))
    return false;
  char text[32];
  snprintf(text, sizeof text, bits ? "0x%llx" : "(nil)",
           (unsigned long long)bits);
  hd_str_printf(p->out, strchr(s->flags, '-') ? "%-*s" : "%*s",
                s->width > 0 ? s->width : 0, text);
  return true;
}

#pragma GCC diagnostic pop

static bool store_count(printer *p, const spec *s) {
  uint64_t address;
  return argument(p, hd_word(p->c->m), &address) &&
         hd_put(p->c, address, integer_width(p->c->m, s->length) / 8u,
                p->out->size);
}

static bool print_spec(printer *p, const spec *s) {
  switch (s->conversion) {
  case 'd':
  case 'i':
  case 'u':
  case 'x':
  case 'X':
  case 'o':
    return print_integer(p, s);
  case 'e':
  case 'E':
  case 'f':
  case 'F':
  case 'g':
  case 'G':
  case 'a':
  case 'A':
    return print_float(p, s);
  case 's':
    return print_string(p, s);
  case 'c':
    return print_char(p, s);
  case 'p':
    return print_pointer(p, s);
  case 'n':
    return store_count(p, s);
  case '%':
    hd_str_puts(p->out, "%");
    return true;
  default:
    hd_call_unsupported(p->c, "a conversion that is not known");
    return false;
  }
}

bool hd_format(hd_call *c, size_t format, bool list, hd_str *out,
               hd_texts *texts) {
  uint64_t size;
  if (!hd_string_length(c, hd_arg(c, format), UINT64_MAX, &size))
    return false;
  char *text = hd_strndup(
      (const char *)hd_ram_bytes(c->m, hd_arg(c, format), NULL), size);
  printer p = {.c = c,
               .texts = texts,
               .at = text,
               .end = text + size,
               .next = format + 1,
               .list = list,
               .arguments = hd_arg(c, format + 1),
               .out = out};
  bool ok = true;
  while (ok && p.at < p.end) {
    const char *percent = memchr(p.at, '%', (size_t)(p.end - p.at));
    const char *stop = percent ? percent : p.end;
    hd_str_append(out, p.at, (size_t)(stop - p.at));
    p.at = stop;
    if (!percent)
      break;
    p.at++;
    spec s;
    ok = read_spec(&p, &s) && print_spec(&p, &s);
  }
  hd_free(text);
  return ok;
}
