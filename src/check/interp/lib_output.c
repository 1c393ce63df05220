/* SPDX-License-Identifier: MIT */
/* Output goes to the observer; streams are not told apart. The environment: what
 * a program asks about where it runs. */
#include "check/interp/lib.h"

#include "check/interp/format.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void emit(hd_call *c, const char *text) {
  hd_machine_tell(c->m, HD_EVENT_OUTPUT, c->tid, HD_NO_ID, 0, text);
}

static void print_args(hd_call *c, size_t format, bool list) {
  hd_str text = {0};
  if (hd_format(c, format, list, &text)) {
    emit(c, hd_str_text(&text));
    hd_return(c, text.size);
  }
  hd_str_free(&text);
}

static void print(hd_call *c, size_t format) {
  print_args(c, format, false);
}

static void print_list(hd_call *c, size_t format) {
  print_args(c, format, true);
}

/* sprintf, snprintf: into memory of at most `most` bytes. */
static void print_into(hd_call *c, size_t format, uint64_t most, bool list) {
  hd_str text = {0};
  if (hd_format(c, format, list, &text)) {
    uint64_t size = text.size + 1 < most ? text.size + 1 : most;
    if (!size) {
      hd_return(c, text.size);
    } else if (hd_range(c, hd_arg(c, 0), size, true, false)) {
      uint8_t zero = 0;
      hd_ram_write(c->m, hd_arg(c, 0), (const uint8_t *)hd_str_text(&text),
                   NULL, size - 1);
      hd_ram_write(c->m, hd_arg(c, 0) + size - 1, &zero, NULL, 1);
      hd_return(c, text.size);
    }
  }
  hd_str_free(&text);
}

static void put_bytes(hd_call *c, uint64_t address, uint64_t size,
                      const char *end) {
  hd_str text = {0};
  if (size)
    hd_str_append(&text, (const char *)hd_ram_bytes(c->m, address, NULL), size);
  hd_str_puts(&text, end);
  emit(c, hd_str_text(&text));
  hd_str_free(&text);
}

static void put_string(hd_call *c, const char *end) {
  uint64_t size;
  if (!hd_string_length(c, hd_arg(c, 0), UINT64_MAX, &size))
    return;
  put_bytes(c, hd_arg(c, 0), size, end);
  hd_return_int(c, 1);
}

static void put_char(hd_call *c) {
  char text[2] = {(char)hd_arg(c, 0), 0};
  emit(c, text);
  hd_return_int(c, (int)(uint8_t)text[0]);
}

static void write_block(hd_call *c) {
  bool file = c->fn == HD_LIB_fwrite;
  uint64_t address = hd_arg(c, file ? 0 : 1), size;
  if (file && __builtin_mul_overflow(hd_arg(c, 1), hd_arg(c, 2), &size))
    size = UINT64_MAX;
  if (!file)
    size = hd_arg(c, 2);
  if (!hd_range(c, address, size, false, true))
    return;
  put_bytes(c, address, size, "");
  hd_return(c, file && !hd_arg(c, 1) ? 0 : hd_arg(c, 2));
}

void hd_lib_output(hd_call *c) {
  switch (c->fn) {
  case HD_LIB_printf:
    print(c, 0);
    break;
  case HD_LIB_fprintf:
  case HD_LIB_dprintf:
  case HD_LIB___printf_chk:
    print(c, 1);
    break;
  case HD_LIB___fprintf_chk:
    print(c, 2);
    break;
  case HD_LIB_sprintf:
    print_into(c, 1, UINT64_MAX, false);
    break;
  case HD_LIB_snprintf:
    print_into(c, 2, hd_arg(c, 1), false);
    break;
  case HD_LIB_vprintf:
    print_list(c, 0);
    break;
  case HD_LIB_vfprintf:
    print_list(c, 1);
    break;
  case HD_LIB_vsprintf:
    print_into(c, 1, UINT64_MAX, true);
    break;
  case HD_LIB_vsnprintf:
    print_into(c, 2, hd_arg(c, 1), true);
    break;
  case HD_LIB_puts:
    put_string(c, "\n");
    break;
  case HD_LIB_fputs:
    put_string(c, "");
    break;
  case HD_LIB_perror:
    if (hd_arg(c, 0))
      put_string(c, ": error\n");
    break;
  case HD_LIB_putchar:
  case HD_LIB_putchar_unlocked:
  case HD_LIB_fputc:
  case HD_LIB_putc:
    put_char(c);
    break;
  case HD_LIB_fwrite:
  case HD_LIB_write:
    write_block(c);
    break;
  default: /* buffering */
    hd_return_int(c, 0);
  }
}

/* --- environment --- */

/* Pointers into tables for -128 … 255, as glibc has them, the same for every
 * thread. */
static uint64_t table(hd_machine *m, const void *bytes, uint64_t element) {
  uint64_t base = hd_ram_static(m, bytes, 384 * element, false);
  uint64_t middle = base + 128 * element;
  return hd_ram_static(m, &middle, hd_word(m), false);
}

void hd_lib_make_tables(hd_machine *m) {
  uint16_t classes[384];
  int32_t lower[384], upper[384];
  for (int i = -128; i < 256; i++) {
    classes[i + 128] = (*__ctype_b_loc())[i];
    lower[i + 128] = (*__ctype_tolower_loc())[i];
    upper[i + 128] = (*__ctype_toupper_loc())[i];
  }
  m->tables[0] = table(m, classes, 2);
  m->tables[1] = table(m, lower, 4);
  m->tables[2] = table(m, upper, 4);
}

void hd_lib_environment(hd_call *c) {
  switch (c->fn) {
  case HD_LIB___errno_location:
    hd_return(c, hd_ram_stack_base(c->m, c->tid, 0));
    break;
  case HD_LIB___ctype_b_loc:
  case HD_LIB___ctype_tolower_loc:
  case HD_LIB___ctype_toupper_loc:
    hd_return(c, c->m->tables[c->fn == HD_LIB___ctype_b_loc         ? 0
                              : c->fn == HD_LIB___ctype_tolower_loc ? 1
                                                                    : 2]);
    break;
  case HD_LIB_sysconf:
    hd_return(c, hd_arg_int(c, 0) == _SC_PAGESIZE ? 4096 : 2);
    break;
  case HD_LIB_get_nprocs:
    hd_return_int(c, 2);
    break;
  default: /* getenv: not set; setlocale: no; srand: rand is an input anyway */
    hd_return(c, 0);
  }
}

/* --- time does not pass --- */

void hd_lib_sleep(hd_call *c) {
  uint32_t word = hd_word(c->m);
  switch (c->fn) {
  case HD_LIB_clock_gettime:
  case HD_LIB_timespec_get:
  case HD_LIB_gettimeofday: {
    uint64_t place = hd_arg(c, c->fn == HD_LIB_clock_gettime ? 1 : 0);
    hd_value now = {1000000, 0}, rest = {0, 0};
    if (c->m->plan->options->exact) {
      c->m->timed = true;
      now.undef = rest.undef = hd_word_mask((uint8_t)(8 * word));
      now.bits = 0;
    }
    if (!hd_ram_store(c->m, c->tid, place, word, false, now) ||
        !hd_ram_store(c->m, c->tid, place + word, word, false, rest))
      return;
    hd_return(c, c->fn == HD_LIB_timespec_get ? hd_arg(c, 1) : 0);
    break;
  }
  default:
    hd_return_int(c, 0);
  }
}
