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
  if (hd_format(c, format, list, &text, NULL)) {
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
  hd_texts texts = {0};
  if (hd_format(c, format, list, &text, &texts)) {
    uint64_t size = text.size + 1 < most ? text.size + 1 : most;
    bool apart = true;
    for (hd_vec_each(const hd_text, t, &texts))
      apart = apart && hd_apart(c, hd_arg(c, 0), size, t->at, t->size);
    if (!apart) {
      /* the run has ended */
    } else if (!size) {
      hd_return(c, text.size);
    } else if (hd_range(c, hd_arg(c, 0), size, true, false)) {
      uint8_t zero = 0;
      hd_ram_write(c->m, hd_arg(c, 0), (const uint8_t *)hd_str_text(&text),
                   NULL, size - 1);
      hd_ram_write(c->m, hd_arg(c, 0) + size - 1, &zero, NULL, 1);
      hd_return(c, text.size);
    }
  }
  hd_vec_free(&texts);
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

/* --- rand: an input, but the same with the same seed --- */

static bool was_drawn(const hd_seeds *seeds, uint32_t seed) {
  for (uint32_t i = 0; i < seeds->n && i < HD_SEEDS; i++)
    if (seeds->drawn[i] == seed)
      return true;
  return seeds->n > HD_SEEDS;
}

void hd_lib_note_draw(hd_machine *m) {
  hd_seeds *seeds = &m->seeds;
  if (was_drawn(seeds, seeds->now))
    return;
  if (seeds->n < HD_SEEDS)
    seeds->drawn[seeds->n] = seeds->now;
  seeds->n++;
}

static void set_seed(hd_call *c) {
  const uint32_t seed = (uint32_t)hd_arg(c, 0) - 1;
  if (was_drawn(&c->m->seeds, seed))
    hd_call_unsupported(c, "numbers that were drawn before may come again");
  else
    c->m->seeds.now = seed;
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

/* The value's address that getenv has given for the name; NULL = it was not asked
 * for it. */
static const uint8_t *answer(const hd_machine *m, const char *name) {
  for (hd_vec_each(uint64_t, at, &m->environ)) {
    const uint8_t *record = hd_ram_bytes(m, *at, NULL);
    if (strcmp((const char *)record + sizeof(uint64_t), name) == 0)
      return record;
  }
  return NULL;
}

uint64_t hd_lib_getenv_choices(const hd_machine *m, const hd_thread *t) {
  uint64_t name;
  int64_t offset;
  const hd_object *object;
  if (!hd_lib_arg(m, t, 0, &name) || hd_ram_wrong(m, name, 1, false) ||
      !(object = hd_ram_find(m, name, &offset)) || !object->block)
    return 1;
  const char *text = (const char *)object->block->bytes + offset;
  return memchr(text, 0, object->size - (uint64_t)offset) && !answer(m, text)
             ? 2
             : 1;
}

/* Set or not: the same whenever it is asked for. */
static void get_variable(hd_call *c) {
  uint64_t length, value = 0;
  if (!hd_string_length(c, hd_arg(c, 0), UINT64_MAX, &length))
    return;
  const char *name = (const char *)hd_ram_bytes(c->m, hd_arg(c, 0), NULL);
  const uint8_t *known = answer(c->m, name);
  if (known) {
    memcpy(&value, known, sizeof value);
    hd_return(c, value);
    return;
  }
  hd_bytes record = {0};
  hd_vec_resize(&record, sizeof value + length + 1);
  memcpy(record.data + sizeof value, name, length + 1);
  value = c->choice ? hd_ram_unknown(c->m) : 0;
  memcpy(record.data, &value, sizeof value);
  uint64_t at = hd_ram_static(c->m, record.data, record.size, true);
  hd_vec_push(&c->m->environ, at);
  hd_vec_free(&record);
  hd_return(c, value);
}

/* What the machine has: another one has something else. */
static void return_unknown(hd_call *c, uint64_t value) {
  hd_return(c, value);
  if (!c->m->plan->options->exact)
    return;
  c->m->timed = true;
  c->result = (hd_machine_value){0, UINT64_MAX};
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
    if (hd_arg_int(c, 0) == _SC_PAGESIZE)
      hd_return(c, 4096);
    else
      return_unknown(c, 2);
    break;
  case HD_LIB_get_nprocs:
    return_unknown(c, 2);
    break;
  case HD_LIB_getenv:
    get_variable(c);
    break;
  case HD_LIB_srand:
  case HD_LIB_srandom:
    set_seed(c);
    break;
  default:
    hd_return(c, 0);
  }
}
