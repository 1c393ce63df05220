/* SPDX-License-Identifier: MIT */
/* The source line of an instruction, from the line table (DWARF 4, section
 * .debug_line) of the running program, which is linked at a fixed address. */
#include "replay.h"

#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

struct row {
  uintptr_t address;
  const char *file; /* NULL: the end of a sequence */
  int line;
};

static struct row *rows;
static size_t n_rows, room;

static uint64_t uleb(const uint8_t **at) {
  uint64_t value = 0;
  unsigned shift = 0;
  uint8_t byte;
  do {
    byte = *(*at)++;
    value |= (uint64_t)(byte & 127) << shift;
    shift += 7;
  } while (byte & 128);
  return value;
}

static int64_t sleb(const uint8_t **at) {
  int64_t value = 0;
  unsigned shift = 0;
  uint8_t byte;
  do {
    byte = *(*at)++;
    value |= (int64_t)(byte & 127) << shift;
    shift += 7;
  } while (byte & 128);
  return shift < 64 && byte & 64 ? value | -((int64_t)1 << shift) : value;
}

static uint64_t fixed(const uint8_t **at, size_t size) {
  uint64_t value = 0;
  memcpy(&value, *at, size);
  *at += size;
  return value;
}

static void add_row(uintptr_t address, const char *file, int line) {
  if (n_rows == room) {
    room = room ? 2 * room : 1024;
    rows = realloc(rows, room * sizeof *rows);
    if (!rows)
      abort();
  }
  rows[n_rows++] = (struct row){address, file, line};
}

/* One unit: the files, then the program that makes the rows. */
static void read_unit(const uint8_t *at, const uint8_t *end) {
  uint64_t version = fixed(&at, 2);
  if (version < 2 || version > 4)
    return;
  uint64_t header = fixed(&at, 4);
  const uint8_t *program = at + header;
  uint8_t unit = *at++;
  if (version == 4)
    at++;
  at++; /* is_stmt by default */
  int base = (int8_t)*at++;
  uint8_t range = *at++, opcodes = *at++;
  const uint8_t *lengths = at;
  at += opcodes - 1;
  while (*at)
    at += strlen((const char *)at) + 1;
  at++;
  const char *files[1024] = {0};
  for (size_t n = 1; *at; n++) {
    const char *name = (const char *)at, *slash = strrchr(name, '/');
    if (n < 1024)
      files[n] = slash ? slash + 1 : name;
    at += strlen(name) + 1;
    uleb(&at), uleb(&at), uleb(&at);
  }
  uintptr_t address = 0;
  uint64_t file = 1;
  int64_t line = 1;
  at = program;
#define EMIT add_row(address, file < 1024 ? files[file] : NULL, (int)line)
  while (at < end) {
    uint8_t op = *at++;
    if (op >= opcodes) {
      address += (uintptr_t)((op - opcodes) / range) * unit;
      line += base + (op - opcodes) % range;
      EMIT;
      continue;
    }
    switch (op) {
    case 0: {
      uint64_t size = uleb(&at);
      const uint8_t *next = at + size;
      uint8_t sub = *at++;
      if (sub == 1) {
        add_row(address, NULL, 0);
        address = 0, file = 1, line = 1;
      } else if (sub == 2) {
        address = (uintptr_t)fixed(&at, sizeof address);
      }
      at = next;
      break;
    }
    case 1:
      EMIT;
      break;
    case 2:
      address += (uintptr_t)uleb(&at) * unit;
      break;
    case 3:
      line += sleb(&at);
      break;
    case 4:
      file = uleb(&at);
      break;
    case 8:
      address += (uintptr_t)((255 - opcodes) / range) * unit;
      break;
    case 9:
      address += (uintptr_t)fixed(&at, 2);
      break;
    default: /* column, flags: with as many operands as the header says */
      for (uint8_t i = 0; i < lengths[op - 1]; i++)
        uleb(&at);
    }
  }
#undef EMIT
}

static int by_address(const void *a, const void *b) {
  const struct row *x = a, *y = b;
  if (x->address != y->address)
    return x->address < y->address ? -1 : 1;
  if (!x->file != !y->file) /* an end comes before what begins there */
    return x->file ? 1 : -1;
  return x < y ? -1 : x > y;
}

void lines_read(void) {
  struct stat st;
  int fd = open("/proc/self/exe", O_RDONLY);
  if (fd < 0 || fstat(fd, &st) != 0)
    return;
  const uint8_t *file =
      mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fd, 0);
  if (file == MAP_FAILED)
    return;
  const ElfW(Ehdr) *elf = (const void *)file;
  const ElfW(Shdr) *sections = (const void *)(file + elf->e_shoff);
  const char *names = (const char *)file + sections[elf->e_shstrndx].sh_offset;
  for (size_t i = 0; i < elf->e_shnum; i++) {
    if (strcmp(names + sections[i].sh_name, ".debug_line") != 0)
      continue;
    const uint8_t *at = file + sections[i].sh_offset;
    const uint8_t *end = at + sections[i].sh_size;
    while (at + 4 < end) {
      uint64_t size = fixed(&at, 4);
      read_unit(at, at + size);
      at += size;
    }
  }
  if (n_rows)
    qsort(rows, n_rows, sizeof *rows, by_address);
}

bool line_of(const void *pc, const char **file, int *line) {
  uintptr_t address = (uintptr_t)pc - 1; /* of the call, not behind it */
  size_t low = 0, high = n_rows;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (rows[middle].address <= address)
      low = middle + 1;
    else
      high = middle;
  }
  if (!low || !rows[low - 1].file)
    return false;
  *file = rows[low - 1].file;
  *line = rows[low - 1].line;
  return true;
}
