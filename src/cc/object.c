/* SPDX-License-Identifier: MIT */
#include "cc/object.h"

#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char head[] = "heddle-bitcode 1 ";
static const char archive[] = "!<arch>\n";

typedef struct {
  const char *data;
  size_t size;
} bytes;

typedef struct {
  cc_units *units;
  const char *file; /* kept */
  bool lazy;
} finder;

static bool begins(bytes b, const char *with, size_t n) {
  return b.size >= n && !memcmp(b.data, with, n);
}

static bool is_bitcode(bytes b) {
  return begins(b, "BC\xC0\xDE", 4) || begins(b, "\xDE\xC0\x17\x0B", 4);
}

bool hd_cc_is_object(const char *file) {
  char start[8] = {0};
  int fd = open(file, O_RDONLY | O_CLOEXEC);
  ssize_t n = fd < 0 ? 0 : read(fd, start, sizeof start);
  if (fd >= 0)
    close(fd);
  bytes b = {start, n > 0 ? (size_t)n : 0};
  return begins(b, ELFMAG, SELFMAG) || begins(b, archive, 8) ||
         begins(b, "!<thin>\n", 8) || is_bitcode(b);
}

void hd_cc_print_section(hd_str *out, const char *file, const hd_str *bits) {
  hd_str_printf(out, "%s%zu %s\n", head, bits->size, file);
  hd_str_append(out, hd_str_text(bits), bits->size);
}

static void add_bitcode(finder *f, bytes b) {
  cc_unit unit = {.file = f->file, .lazy = f->lazy};
  hd_str_append(&unit.bits, b.data, b.size);
  hd_vec_push(f->units, unit);
}

/* One record behind the other; linkers may fill up with zeros. False when
 * there is something else. */
static bool add_section(finder *f, bytes b) {
  size_t n = sizeof head - 1;
  for (;;) {
    while (b.size && !*b.data) {
      b.data++;
      b.size--;
    }
    if (!b.size)
      return true;
    const char *line = memchr(b.data, '\n', b.size);
    if (!begins(b, head, n) || !line)
      return false;
    char *end;
    size_t size = strtoull(b.data + n, &end, 10);
    size_t used = (size_t)(line + 1 - b.data);
    if (*end != ' ' || size > b.size - used)
      return false;
    add_bitcode(f, (bytes){line + 1, size});
    b = (bytes){line + 1 + size, b.size - used - size};
  }
}

/* --- ELF --- */

typedef struct {
  uint64_t offset, size;
  uint32_t name, type;
} section;

/* Both widths, little endian. */
static section section_at(bytes b, bool wide, uint64_t at) {
  section s = {0};
  if (wide) {
    Elf64_Shdr header;
    if (at > b.size || b.size - at < sizeof header)
      return s;
    memcpy(&header, b.data + at, sizeof header);
    s = (section){header.sh_offset, header.sh_size, header.sh_name,
                  header.sh_type};
  } else {
    Elf32_Shdr header;
    if (at > b.size || b.size - at < sizeof header)
      return s;
    memcpy(&header, b.data + at, sizeof header);
    s = (section){header.sh_offset, header.sh_size, header.sh_name,
                  header.sh_type};
  }
  bool inside =
      s.type != SHT_NOBITS && s.offset <= b.size && s.size <= b.size - s.offset;
  return inside ? s : (section){0};
}

static bool has_name(bytes names, uint32_t at, const char *name) {
  size_t n = strlen(name) + 1;
  return at < names.size && names.size - at >= n &&
         !memcmp(names.data + at, name, n);
}

static bool add_elf(finder *f, bytes b) {
  Elf64_Ehdr e64 = {0};
  Elf32_Ehdr e32 = {0};
  if (b.size < sizeof e64 || b.data[EI_DATA] != ELFDATA2LSB)
    return false;
  bool wide = b.data[EI_CLASS] == ELFCLASS64;
  memcpy(&e64, b.data, sizeof e64);
  memcpy(&e32, b.data, sizeof e32);
  uint64_t table = wide ? e64.e_shoff : e32.e_shoff;
  uint64_t step = wide ? sizeof(Elf64_Shdr) : sizeof(Elf32_Shdr);
  uint64_t n = wide ? e64.e_shnum : e32.e_shnum;
  uint64_t strings = wide ? e64.e_shstrndx : e32.e_shstrndx;
  /* Objects with very many sections have their number in the first one. */
  if (!n)
    n = section_at(b, wide, table).size;
  section named = section_at(b, wide, table + strings * step);
  bytes names = {b.data + named.offset, named.size};
  bool good = true;
  for (uint64_t i = 0; i < n && i < b.size / step; i++) {
    section s = section_at(b, wide, table + i * step);
    bytes content = {b.data + s.offset, s.size};
    if (has_name(names, s.name, HD_CC_SECTION))
      good = add_section(f, content) && good;
    else if (has_name(names, s.name, ".llvmbc") && is_bitcode(content))
      add_bitcode(f, content);
  }
  return good;
}

/* --- archives --- */

static bool add_any(finder *f, bytes b) {
  if (begins(b, ELFMAG, SELFMAG))
    return add_elf(f, b);
  if (is_bitcode(b))
    add_bitcode(f, b);
  return true;
}

static bool add_archive(finder *f, bytes b) {
  enum { HEADER = 60, SIZE = 48 };
  bool good = true;
  f->lazy = true;
  for (size_t at = 8; good && b.size - at > HEADER;) {
    size_t size = strtoull(b.data + at + SIZE, NULL, 10);
    if (size > b.size - at - HEADER)
      return false;
    good = add_any(f, (bytes){b.data + at + HEADER, size});
    at += HEADER + size;
    at += at & 1 && at < b.size;
  }
  return good;
}

bool hd_cc_add_object(cc_units *units, const char *file, hd_arena *arena) {
  hd_str text = {0};
  if (!hd_cc_read_file(file, &text)) {
    fprintf(stderr, "%s: error: cannot read: %s\n", file, strerror(errno));
    return false;
  }
  size_t before = units->size;
  finder f = {.units = units,
              .file = hd_arena_strndup(arena, file, strlen(file))};
  bytes b = {hd_str_text(&text), text.size};
  bool good = begins(b, archive, 8)       ? add_archive(&f, b)
              : begins(b, "!<thin>\n", 8) ? false
                                          : add_any(&f, b);
  hd_str_free(&text);
  if (!good)
    fprintf(stderr,
            "%s: error: it is damaged, or not of a kind that is read (ELF, "
            "little endian; archives that contain their members)\n",
            file);
  else if (units->size == before)
    fprintf(stderr,
            "%s: error: there is no bitcode in it: build it with "
            "'make CC=heddle-cc', or with 'clang -flto -g -O0'\n",
            file);
  return good && units->size > before;
}
