/* SPDX-License-Identifier: MIT */
/* Datatypes, their signatures, and data between memory and messages.
 *
 * A datatype is a list of blocks of basic elements. A message carries the
 * elements one after the other (pairs with the room between their parts) and
 * the signature: basic types with their numbers. Sender and receiver must agree
 * on the signature, not on the layout; MPI_PACKED fits everything. */
#include "check/mpi/state.h"

#include <string.h>

#define WORD 0 /* as wide as a pointer */

static const hd_basic basics[] = {
    [1] = {"char", HD_BASIC_SIGNED, 1, 0, 0},
    [2] = {"signed char", HD_BASIC_SIGNED, 1, 0, 0},
    [3] = {"unsigned char", HD_BASIC_UNSIGNED, 1, 0, 0},
    [4] = {"byte", HD_BASIC_BYTES, 1, 0, 0},
    [5] = {"wchar_t", HD_BASIC_SIGNED, 4, 0, 0},
    [6] = {"short", HD_BASIC_SIGNED, 2, 0, 0},
    [7] = {"unsigned short", HD_BASIC_UNSIGNED, 2, 0, 0},
    [8] = {"int", HD_BASIC_SIGNED, 4, 0, 0},
    [9] = {"unsigned", HD_BASIC_UNSIGNED, 4, 0, 0},
    [10] = {"long", HD_BASIC_SIGNED, WORD, 0, 0},
    [11] = {"unsigned long", HD_BASIC_UNSIGNED, WORD, 0, 0},
    [12] = {"long long", HD_BASIC_SIGNED, 8, 0, 0},
    [13] = {"unsigned long long", HD_BASIC_UNSIGNED, 8, 0, 0},
    [14] = {"float", HD_BASIC_FLOAT, 4, 0, 0},
    [15] = {"double", HD_BASIC_FLOAT, 8, 0, 0},
    [17] = {"bool", HD_BASIC_UNSIGNED, 1, 0, 0},
    [18] = {"int8_t", HD_BASIC_SIGNED, 1, 0, 0},
    [19] = {"int16_t", HD_BASIC_SIGNED, 2, 0, 0},
    [20] = {"int32_t", HD_BASIC_SIGNED, 4, 0, 0},
    [21] = {"int64_t", HD_BASIC_SIGNED, 8, 0, 0},
    [22] = {"uint8_t", HD_BASIC_UNSIGNED, 1, 0, 0},
    [23] = {"uint16_t", HD_BASIC_UNSIGNED, 2, 0, 0},
    [24] = {"uint32_t", HD_BASIC_UNSIGNED, 4, 0, 0},
    [25] = {"uint64_t", HD_BASIC_UNSIGNED, 8, 0, 0},
    [26] = {"MPI_Aint", HD_BASIC_SIGNED, WORD, 0, 0},
    [27] = {"MPI_Count", HD_BASIC_SIGNED, 8, 0, 0},
    [28] = {"MPI_Offset", HD_BASIC_SIGNED, 8, 0, 0},
    [29] = {"float complex", HD_BASIC_COMPLEX, 8, 0, 0},
    [30] = {"double complex", HD_BASIC_COMPLEX, 16, 0, 0},
    [32] = {"float and int", HD_BASIC_PAIR, 8, HD_BASIC_FLOAT, 4},
    [33] = {"double and int", HD_BASIC_PAIR, 16, HD_BASIC_FLOAT, 8},
    [34] = {"long and int", HD_BASIC_PAIR, 16, HD_BASIC_SIGNED, 8},
    [35] = {"two ints", HD_BASIC_PAIR, 8, HD_BASIC_SIGNED, 4},
    [36] = {"short and int", HD_BASIC_PAIR, 8, HD_BASIC_SIGNED, 2},
    [38] = {"packed", HD_BASIC_BYTES, 1, 0, 0},
};

#define PACKED 38
#define N_BASICS (sizeof basics / sizeof *basics)

/* Those as wide as a pointer on 32-bit targets; on 64-bit ones 8 bytes. */
static const hd_basic words[][2] = {
    {{"long", HD_BASIC_SIGNED, 4, 0, 0}, {"long", HD_BASIC_SIGNED, 8, 0, 0}},
    {{"unsigned long", HD_BASIC_UNSIGNED, 4, 0, 0},
     {"unsigned long", HD_BASIC_UNSIGNED, 8, 0, 0}},
    {{"MPI_Aint", HD_BASIC_SIGNED, 4, 0, 0},
     {"MPI_Aint", HD_BASIC_SIGNED, 8, 0, 0}},
    {{"long and int", HD_BASIC_PAIR, 8, HD_BASIC_SIGNED, 4},
     {"long and int", HD_BASIC_PAIR, 16, HD_BASIC_SIGNED, 8}},
};

const hd_basic *hd_mpi_basic(const hd_mpi *mpi, uint32_t basic) {
  assert(basic < N_BASICS);
  bool wide = mpi->code->pointer_width == 64;
  switch (basic) {
  case 10:
    return &words[0][wide];
  case 11:
    return &words[1][wide];
  case 26:
    return &words[2][wide];
  case 34:
    return &words[3][wide];
  default:
    return &basics[basic];
  }
}

/* --- types --- */

void hd_mpi_type_free(hd_mpi_type *type) {
  hd_vec_free(&type->blocks);
}

hd_mpi_type hd_mpi_type_copy(const hd_mpi_type *type) {
  hd_mpi_type copy = *type;
  copy.blocks.data = NULL;
  copy.blocks.size = copy.blocks.cap = 0;
  for (hd_vec_each(hd_mpi_block, block, &type->blocks))
    hd_vec_push(&copy.blocks, *block);
  return copy;
}

static const hd_mpi_type *derived(const hd_mpi_call *c, uint64_t handle) {
  uint64_t i = handle - HD_MPI_FIRST_TYPE;
  if (handle < HD_MPI_FIRST_TYPE || i >= c->process->types.size ||
      c->process->types.data[i].freed) {
    hd_mpi_misuse(c, "%lld is no datatype",
                  (long long)(int32_t)(uint32_t)handle);
    return NULL;
  }
  return &c->process->types.data[i];
}

const hd_mpi_type *hd_mpi_type_of(const hd_mpi_call *c, uint64_t handle,
                                  hd_mpi_type *scratch, hd_mpi_block *block) {
  handle = (uint32_t)handle;
  if (handle >= N_BASICS || !handle)
    return derived(c, handle);
  const hd_basic *basic = hd_mpi_basic(c->mpi, (uint32_t)handle);
  if (basic->kind == HD_BASIC_NONE) {
    hd_mpi_refuse(c, "the datatype number %u is not supported",
                  (unsigned)handle);
    return NULL;
  }
  *block = (hd_mpi_block){.basic = (uint8_t)handle, .count = 1};
  *scratch = (hd_mpi_type){
      .size = basic->size, .extent = basic->size, .committed = true};
  scratch->blocks.data = block;
  scratch->blocks.size = scratch->blocks.cap = 1;
  return scratch;
}

/* Neighbours of the same kind that touch become one. */
static void add_block(const hd_mpi *mpi, hd_mpi_type *type,
                      hd_mpi_block block) {
  uint64_t size = hd_mpi_basic(mpi, block.basic)->size;
  type->size += size * block.count;
  if (type->blocks.size) {
    hd_mpi_block *last = &hd_vec_last(&type->blocks);
    if (last->basic == block.basic &&
        last->offset + (int64_t)(size * last->count) == block.offset) {
      last->count += block.count;
      return;
    }
  }
  hd_vec_push(&type->blocks, block);
}

/* Appends `count` elements of a type, the first at `offset`. */
static void add_elements(const hd_mpi *mpi, hd_mpi_type *to,
                         const hd_mpi_type *from, int64_t offset,
                         uint64_t count) {
  for (uint64_t i = 0; i < count; i++)
    for (hd_vec_each(hd_mpi_block, block, &from->blocks)) {
      hd_mpi_block moved = *block;
      moved.offset += offset + (int64_t)i * from->extent;
      add_block(mpi, to, moved);
    }
}

static uint64_t add_type(const hd_mpi_call *c, hd_mpi_type type) {
  hd_vec_push(&c->process->types, type);
  return HD_MPI_FIRST_TYPE + c->process->types.size - 1;
}

#define MAX_ELEMENTS 100000

static bool reasonable(const hd_mpi_call *c, int64_t count) {
  if (count < 0)
    hd_mpi_misuse(c, "the count is %lld", (long long)count);
  else if (count > MAX_ELEMENTS)
    hd_mpi_refuse(c, "a datatype of more than %d elements", MAX_ELEMENTS);
  return hd_mpi_runs(c->mpi);
}

/* MPI_Type_contiguous (count, type, new), MPI_Type_vector (count, length,
 * stride, type, new). */
static void make_regular(const hd_mpi_call *c, bool vector) {
  int64_t count = hd_mpi_int(c, 0);
  int64_t length = vector ? hd_mpi_int(c, 1) : 1;
  int64_t stride = vector ? hd_mpi_int(c, 2) : 1;
  uint32_t at = vector ? 3 : 1;
  hd_mpi_type scratch;
  hd_mpi_block block;
  const hd_mpi_type *base =
      hd_mpi_type_of(c, c->call->args[at], &scratch, &block);
  if (!base || !reasonable(c, count) || !reasonable(c, length) ||
      !reasonable(c, count * length))
    return;
  hd_mpi_type type = {0};
  int64_t high = 0, low = 0;
  for (int64_t i = 0; i < count; i++) {
    int64_t start = i * stride * base->extent;
    add_elements(c->mpi, &type, base, start, (uint64_t)length);
    int64_t end = start + length * base->extent;
    high = end > high || !i ? end : high;
    low = start < low || !i ? start : low;
  }
  type.extent = count ? high - low : 0;
  if (hd_mpi_put(c, c->call->args[at + 1], (int64_t)add_type(c, type)))
    hd_mpi_return(c);
}

/* (count, lengths, offsets, types, new) */
static void make_struct(const hd_mpi_call *c) {
  int64_t count = hd_mpi_int(c, 0);
  uint32_t word = c->mpi->code->pointer_width / 8;
  hd_mpi_type type = {0};
  int64_t high = 0, align = 1;
  for (int64_t i = 0; reasonable(c, count) && i < count; i++) {
    uint64_t at = (uint64_t)i;
    int32_t length = 0, handle = 0;
    int64_t offset = 0;
    uint8_t unset[8];
    if (!hd_host_read(c->m, c->call->args[1] + 4 * at, 4, (uint8_t *)&length,
                      unset) ||
        !hd_host_read(c->m, c->call->args[2] + word * at, word,
                      (uint8_t *)&offset, unset) ||
        !hd_host_read(c->m, c->call->args[3] + 4 * at, 4, (uint8_t *)&handle,
                      unset) ||
        !reasonable(c, length))
      break;
    if (word == 4)
      offset = (int32_t)(uint32_t)offset;
    hd_mpi_type scratch;
    hd_mpi_block block;
    const hd_mpi_type *base =
        hd_mpi_type_of(c, (uint32_t)handle, &scratch, &block);
    if (!base)
      break;
    add_elements(c->mpi, &type, base, offset, (uint64_t)length);
    int64_t end = offset + length * base->extent;
    high = end > high ? end : high;
    for (hd_vec_each(hd_mpi_block, b, &base->blocks)) {
      const hd_basic *basic = hd_mpi_basic(c->mpi, b->basic);
      int64_t size = basic->kind == HD_BASIC_PAIR      ? basic->first_size
                     : basic->kind == HD_BASIC_COMPLEX ? basic->size / 2
                                                       : basic->size;
      align = size > align ? size : align;
    }
  }
  type.extent = (high + align - 1) / align * align;
  if (hd_mpi_runs(c->mpi) && hd_machine_status_of(c->m) == HD_MACHINE_RUNNING &&
      hd_mpi_put(c, c->call->args[4], (int64_t)add_type(c, type)))
    hd_mpi_return(c);
  else
    hd_mpi_type_free(&type);
}

/* MPI_Type_commit, _free: (&type) */
static void change_type(const hd_mpi_call *c) {
  uint32_t handle = 0;
  uint8_t unset[4];
  if (!hd_host_read(c->m, c->call->args[0], 4, (uint8_t *)&handle, unset))
    return;
  if (c->call->fn == HD_LIB_MPI_Type_commit && handle < N_BASICS && handle) {
    hd_mpi_return(c);
    return;
  }
  const hd_mpi_type *type = derived(c, handle);
  if (!type)
    return;
  hd_mpi_type *own = &c->process->types.data[handle - HD_MPI_FIRST_TYPE];
  if (c->call->fn == HD_LIB_MPI_Type_commit) {
    own->committed = true;
    hd_mpi_return(c);
    return;
  }
  own->freed = true;
  if (hd_mpi_put(c, c->call->args[0], 0))
    hd_mpi_return(c);
}

static void type_size(const hd_mpi_call *c) {
  hd_mpi_type scratch;
  hd_mpi_block block;
  const hd_mpi_type *type =
      hd_mpi_type_of(c, c->call->args[0], &scratch, &block);
  if (!type)
    return;
  int64_t size = 0;
  for (hd_vec_each(hd_mpi_block, b, &type->blocks)) {
    const hd_basic *basic = hd_mpi_basic(c->mpi, b->basic);
    size +=
        (int64_t)b->count *
        (basic->kind == HD_BASIC_PAIR ? basic->first_size + 4 : basic->size);
  }
  if (hd_mpi_put(c, c->call->args[1], size))
    hd_mpi_return(c);
}

bool hd_mpi_type_call(const hd_mpi_call *c) {
  switch (c->call->fn) {
  case HD_LIB_MPI_Type_contiguous:
    make_regular(c, false);
    return true;
  case HD_LIB_MPI_Type_vector:
    make_regular(c, true);
    return true;
  case HD_LIB_MPI_Type_create_struct:
    make_struct(c);
    return true;
  case HD_LIB_MPI_Type_commit:
  case HD_LIB_MPI_Type_free:
    change_type(c);
    return true;
  case HD_LIB_MPI_Type_size:
    type_size(c);
    return true;
  default:
    return false;
  }
}

/* --- signatures --- */

void hd_mpi_signature_add(hd_mpi_signature *to, uint8_t basic, uint64_t count) {
  if (!count)
    return;
  if (to->size && hd_vec_last(to).basic == basic) {
    hd_vec_last(to).count += count;
    return;
  }
  hd_mpi_part part = {basic, count};
  hd_vec_push(to, part);
}

bool hd_mpi_signature_same(const hd_mpi_signature *a,
                           const hd_mpi_signature *b) {
  if (a->size != b->size)
    return false;
  for (size_t i = 0; i < a->size; i++)
    if (a->data[i].basic != b->data[i].basic ||
        a->data[i].count != b->data[i].count)
      return false;
  return true;
}

static void add_signature(hd_mpi_signature *out, const hd_mpi_type *type,
                          uint64_t count) {
  if (type->blocks.size == 1) {
    hd_mpi_signature_add(out, type->blocks.data[0].basic,
                         type->blocks.data[0].count * count);
    return;
  }
  for (uint64_t i = 0; i < count; i++)
    for (hd_vec_each(hd_mpi_block, block, &type->blocks))
      hd_mpi_signature_add(out, block->basic, block->count);
}

bool hd_mpi_signature_of(const hd_mpi_call *c, uint64_t count, uint64_t handle,
                         hd_mpi_signature *out) {
  hd_mpi_type scratch;
  hd_mpi_block block;
  const hd_mpi_type *type = hd_mpi_type_of(c, handle, &scratch, &block);
  if (!type)
    return false;
  if (!type->committed) {
    hd_mpi_misuse(c, "the datatype was not committed");
    return false;
  }
  add_signature(out, type, count);
  return true;
}

uint64_t hd_mpi_signature_size(const hd_mpi *mpi,
                               const hd_mpi_signature *signature) {
  uint64_t size = 0;
  for (hd_vec_each(hd_mpi_part, part, signature))
    size += part->count * hd_mpi_basic(mpi, part->basic)->size;
  return size;
}

void hd_mpi_print_signature(hd_str *out, const hd_mpi *mpi,
                            const hd_mpi_signature *signature) {
  const char *separator = "";
  if (!signature->size)
    hd_str_puts(out, "nothing");
  for (hd_vec_each(hd_mpi_part, part, signature)) {
    hd_str_printf(out, "%s%llu %s", separator, (unsigned long long)part->count,
                  hd_mpi_basic(mpi, part->basic)->name);
    separator = ", ";
  }
}

/* --- data --- */

hd_mpi_data *hd_mpi_data_new(void) {
  hd_mpi_data *data = hd_calloc(1, sizeof *data);
  data->refs = 1;
  return data;
}

hd_mpi_data *hd_mpi_data_keep(hd_mpi_data *data) {
  if (data)
    data->refs++;
  return data;
}

void hd_mpi_data_drop(hd_mpi_data *data) {
  if (!data || --data->refs)
    return;
  hd_vec_free(&data->signature);
  hd_vec_free(&data->bytes);
  hd_vec_free(&data->shadow);
  hd_free(data);
}

hd_mpi_data *hd_mpi_pack(const hd_mpi_call *c, uint64_t address, uint64_t count,
                         uint64_t handle) {
  hd_mpi_type scratch;
  hd_mpi_block one;
  hd_mpi_data *data = hd_mpi_data_new();
  if (!hd_mpi_signature_of(c, count, handle, &data->signature)) {
    hd_mpi_data_drop(data);
    return NULL;
  }
  const hd_mpi_type *type = hd_mpi_type_of(c, handle, &scratch, &one);
  uint64_t size = type->size * count;
  bool plain = type->blocks.size == 1 && !type->blocks.data[0].offset &&
               (int64_t)type->size == type->extent;
  if (size > (uint64_t)1 << 30) {
    hd_mpi_refuse(c, "a message of more than a gigabyte");
    hd_mpi_data_drop(data);
    return NULL;
  }
  hd_vec_resize(&data->bytes, size);
  hd_vec_resize(&data->shadow, size);
  uint64_t at = 0;
  bool ok = true;
  if (plain)
    ok = hd_host_read(c->m, address, size, data->bytes.data, data->shadow.data);
  for (uint64_t i = 0; !plain && ok && i < count; i++)
    for (size_t b = 0; ok && b < type->blocks.size; b++) {
      const hd_mpi_block *block = &type->blocks.data[b];
      uint64_t n = block->count * hd_mpi_basic(c->mpi, block->basic)->size;
      uint64_t from =
          address + i * (uint64_t)type->extent + (uint64_t)block->offset;
      ok = hd_host_read(c->m, from, n, data->bytes.data + at,
                        data->shadow.data + at);
      at += n;
    }
  if (ok)
    return data;
  hd_mpi_data_drop(data);
  return NULL;
}

/* Does the beginning of what is expected have this signature? */
static bool agrees(const hd_mpi_signature *is,
                   const hd_mpi_signature *expected) {
  if ((is->size && is->data[0].basic == PACKED) ||
      (expected->size && expected->data[0].basic == PACKED))
    return true;
  for (size_t i = 0; i < is->size; i++)
    if (i >= expected->size || is->data[i].basic != expected->data[i].basic ||
        (i + 1 < is->size ? is->data[i].count != expected->data[i].count
                          : is->data[i].count > expected->data[i].count))
      return false;
  return true;
}

static bool check_room(const hd_mpi_call *c, const hd_mpi_signature *room,
                       const hd_mpi_data *data) {
  uint64_t most = hd_mpi_signature_size(c->mpi, room);
  if (data->bytes.size <= most && agrees(&data->signature, room))
    return true;
  hd_str is = {0}, expected = {0};
  hd_mpi_print_signature(&is, c->mpi, &data->signature);
  hd_mpi_print_signature(&expected, c->mpi, room);
  if (data->bytes.size > most)
    hd_mpi_misuse(c, "the message is too long: %s, room for %s",
                  hd_str_text(&is), hd_str_text(&expected));
  else
    hd_mpi_misuse(c, "the message has another type: %s, expected %s",
                  hd_str_text(&is), hd_str_text(&expected));
  hd_str_free(&is);
  hd_str_free(&expected);
  return false;
}

/* The data, as far as it goes, into the elements. */
static bool scatter(const hd_mpi_call *c, uint64_t address, uint64_t count,
                    const hd_mpi_type *type, const hd_mpi_data *data) {
  uint64_t at = 0, size = data->bytes.size;
  for (uint64_t i = 0; i < count && at < size; i++)
    for (size_t b = 0; b < type->blocks.size && at < size; b++) {
      const hd_mpi_block *block = &type->blocks.data[b];
      uint64_t n = block->count * hd_mpi_basic(c->mpi, block->basic)->size;
      n = n < size - at ? n : size - at;
      uint64_t to =
          address + i * (uint64_t)type->extent + (uint64_t)block->offset;
      if (!hd_host_write(c->m, to, n, data->bytes.data + at,
                         data->shadow.data + at))
        return false;
      at += n;
    }
  return true;
}

bool hd_mpi_unpack(const hd_mpi_call *c, uint64_t address, uint64_t count,
                   uint64_t handle, const hd_mpi_data *data) {
  hd_mpi_signature room = {0};
  hd_mpi_type scratch;
  hd_mpi_block one;
  bool ok = hd_mpi_signature_of(c, count, handle, &room) &&
            check_room(c, &room, data);
  if (ok && data->bytes.size) {
    const hd_mpi_type *type = hd_mpi_type_of(c, handle, &scratch, &one);
    bool plain = type->blocks.size == 1 && !type->blocks.data[0].offset &&
                 (int64_t)type->size == type->extent;
    ok = plain ? hd_host_write(c->m, address, data->bytes.size,
                               data->bytes.data, data->shadow.data)
               : scatter(c, address, count, type, data);
  }
  hd_vec_free(&room);
  return ok;
}

hd_mpi_data *hd_mpi_data_part(const hd_mpi *mpi, const hd_mpi_data *data,
                              uint64_t from, uint64_t size) {
  hd_mpi_data *part = hd_mpi_data_new();
  assert(from + size <= data->bytes.size);
  uint64_t at = 0;
  for (hd_vec_each(hd_mpi_part, p, &data->signature)) {
    uint64_t element = hd_mpi_basic(mpi, p->basic)->size;
    uint64_t end = at + p->count * element;
    uint64_t low = at > from ? at : from;
    uint64_t high = end < from + size ? end : from + size;
    if (low < high)
      hd_mpi_signature_add(&part->signature, p->basic, (high - low) / element);
    at = end;
  }
  hd_vec_resize(&part->bytes, size);
  hd_vec_resize(&part->shadow, size);
  if (size) {
    memcpy(part->bytes.data, data->bytes.data + from, size);
    memcpy(part->shadow.data, data->shadow.data + from, size);
  }
  return part;
}

/* --- text --- */

static void print_element(hd_str *out, const hd_basic *basic,
                          const uint8_t *bytes) {
  uint64_t bits = 0;
  memcpy(&bits, bytes, basic->size < 8 ? basic->size : 8);
  switch (basic->kind) {
  case HD_BASIC_SIGNED: {
    int unused = 64 - 8 * basic->size;
    hd_str_printf(out, "%lld",
                  (long long)((int64_t)(bits << unused) >> unused));
    break;
  }
  case HD_BASIC_FLOAT: {
    double value;
    float narrow;
    if (basic->size == 4) {
      memcpy(&narrow, bytes, 4);
      value = (double)narrow;
    } else {
      memcpy(&value, bytes, 8);
    }
    hd_str_printf(out, "%g", value);
    break;
  }
  case HD_BASIC_UNSIGNED:
  case HD_BASIC_BYTES:
    hd_str_printf(out, "%llu", (unsigned long long)bits);
    break;
  default:
    hd_str_puts(out, "...");
  }
}

#define SHOWN 4

void hd_mpi_print_data(hd_str *out, const hd_mpi *mpi,
                       const hd_mpi_data *data) {
  hd_mpi_print_signature(out, mpi, &data->signature);
  if (!data->signature.size)
    return;
  hd_str_puts(out, " (");
  uint64_t at = 0, shown = 0;
  for (hd_vec_each(hd_mpi_part, part, &data->signature)) {
    const hd_basic *basic = hd_mpi_basic(mpi, part->basic);
    for (uint64_t i = 0; i < part->count && shown < SHOWN; i++) {
      hd_str_puts(out, shown++ ? " " : "");
      bool set = true;
      for (uint64_t b = 0; b < basic->size; b++)
        set = set && !data->shadow.data[at + b];
      if (set)
        print_element(out, basic, data->bytes.data + at);
      else
        hd_str_puts(out, "?");
      at += basic->size;
    }
  }
  hd_str_puts(out, at < data->bytes.size ? " ...)" : ")");
}
