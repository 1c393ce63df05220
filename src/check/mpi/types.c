/* SPDX-License-Identifier: MIT */
/* Datatypes, their signatures, and data between memory and messages.
 *
 * A datatype is a list of blocks of basic elements. A message carries the
 * elements one after the other (pairs with the room between their parts) and
 * the signature: basic types with their numbers. Sender and receiver must agree
 * on the signature, not on the layout; MPI_PACKED fits everything. */
#include "check/mpi/parts.h"

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

hd_mpi_type *hd_mpi_type_made(const hd_mpi_call *c, uint64_t handle) {
  uint64_t i = handle - HD_MPI_FIRST_TYPE;
  if (handle >= HD_MPI_FIRST_TYPE && i < c->process->types.size &&
      (!c->process->types.data[i].freed || c->ends))
    return &c->process->types.data[i];
  if (!handle)
    hd_mpi_misuse(c, "the datatype is MPI_DATATYPE_NULL");
  else if (hd_mpi_type_predefined(handle))
    hd_mpi_misuse(c, "the datatype is a predefined one");
  else if (handle >= HD_MPI_FIRST_TYPE && i < c->process->types.size)
    hd_mpi_misuse(c, "the datatype has been freed");
  else if (handle < HD_MPI_FIRST_TYPE)
    hd_mpi_refuse(c, "the datatype number %u is not supported",
                  (unsigned)handle);
  else
    hd_mpi_misuse(c, "%lld is no datatype",
                  (long long)(int32_t)(uint32_t)handle);
  return NULL;
}

bool hd_mpi_type_predefined(uint64_t handle) {
  return handle && handle < N_BASICS;
}

const hd_mpi_type *hd_mpi_type_of(const hd_mpi_call *c, uint64_t handle,
                                  hd_mpi_type *scratch, hd_mpi_block *block) {
  handle = (uint32_t)handle;
  if (handle >= N_BASICS || !handle)
    return hd_mpi_type_made(c, handle);
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

void hd_mpi_type_add(const hd_mpi *mpi, hd_mpi_type *to,
                     const hd_mpi_type *from, int64_t offset, uint64_t count) {
  for (uint64_t i = 0; i < count; i++)
    for (hd_vec_each(hd_mpi_block, block, &from->blocks)) {
      hd_mpi_block moved = *block;
      moved.offset += offset + (int64_t)i * from->extent;
      add_block(mpi, to, moved);
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

/* --- whose memory --- */

enum { MAX_PIECES = 10000 };

static bool claim_piece(const hd_mpi_call *c, uint64_t address, uint64_t size,
                        bool written, uint32_t owner) {
  const struct hd_claim *other = hd_host_claimed(c->m, address, size, written);
  if (other && owner != HD_NO_ID && hd_host_claim_owner(other) == owner) {
    hd_mpi_misuse(c, "the buffers lie on each other");
    return false;
  }
  if (other) {
    hd_str place = {0};
    hd_code_print_pos(&place, c->mpi->code,
                      c->mpi->code->edges.data[hd_host_claim_edge(other)].pos);
    hd_mpi_misuse(c,
                  "the buffer is that of an operation that is not complete, "
                  "begun at %s",
                  hd_str_text(&place));
    hd_str_free(&place);
    return false;
  }
  if (written && !hd_host_check(c->m, address, size, true))
    return false; /* there must be room for all, however little comes */
  if (owner != HD_NO_ID)
    hd_host_claim(c->m, address, size, written, owner, c->process->call.edge);
  return true;
}

/* Do elements of the type lie on each other? Nothing can be received there. */
static bool overlaps(const hd_mpi *mpi, const hd_mpi_type *type,
                     uint64_t count) {
  enum { MOST = 500 };
  uint64_t n = type->blocks.size * (count < 2 ? count : 2);
  for (uint64_t i = 0; n <= MOST && i < n; i++)
    for (uint64_t k = 0; k < i; k++) {
      int64_t from[2], to[2];
      for (int e = 0; e < 2; e++) {
        uint64_t number = e ? k : i;
        const hd_mpi_block *b = &type->blocks.data[number % type->blocks.size];
        from[e] =
            b->offset + (int64_t)(number / type->blocks.size) * type->extent;
        to[e] =
            from[e] + (int64_t)(b->count * hd_mpi_basic(mpi, b->basic)->size);
      }
      if (from[0] < to[1] && from[1] < to[0])
        return true;
    }
  return false;
}

bool hd_mpi_claim(const hd_mpi_call *c, uint64_t address, uint64_t count,
                  uint64_t handle, bool written, uint32_t owner) {
  hd_mpi_type scratch;
  hd_mpi_block one;
  const hd_mpi_type *type = hd_mpi_type_of(c, handle, &scratch, &one);
  if (!type)
    return false;
  bool plain = type->blocks.size == 1 && !type->blocks.data[0].offset &&
               (int64_t)type->size == type->extent;
  if (plain || !count)
    return claim_piece(c, address, type->size * count, written, owner);
  if (written && overlaps(c->mpi, type, count)) {
    hd_mpi_misuse(c, "elements of the datatype lie on each other");
    return false;
  }
  if (count * type->blocks.size > MAX_PIECES) {
    hd_mpi_refuse(c, "a buffer of more than %d pieces", MAX_PIECES);
    return false;
  }
  for (uint64_t i = 0; i < count; i++)
    for (hd_vec_each(hd_mpi_block, block, &type->blocks)) {
      uint64_t at =
          address + i * (uint64_t)type->extent + (uint64_t)block->offset;
      uint64_t size = block->count * hd_mpi_basic(c->mpi, block->basic)->size;
      /* A block that an earlier one of the same operation covers is its own. */
      if (!claim_piece(c, at, size, written, owner))
        return false;
    }
  return true;
}

hd_mpi_data *hd_mpi_pack(const hd_mpi_call *c, uint64_t address, uint64_t count,
                         uint64_t handle) {
  hd_mpi_type scratch;
  hd_mpi_block one;
  hd_mpi_data *data = hd_mpi_data_new();
  if (!hd_mpi_signature_of(c, count, handle, &data->signature) ||
      !hd_mpi_claim(c, address, count, handle, false, HD_NO_ID)) {
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
  hd_mpi_touches(c->mpi, c->p);
  if (ok && hd_mpi_runs(c->mpi))
    return data;
  hd_mpi_data_drop(data);
  return NULL;
}

/* Does the beginning of what is expected have this signature? */
static bool agrees(const hd_mpi_signature *is,
                   const hd_mpi_signature *expected) {
  if ((is->size && is->data[0].basic == HD_MPI_PACKED) ||
      (expected->size && expected->data[0].basic == HD_MPI_PACKED))
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
    hd_mpi_touches(c->mpi, c->p);
  }
  hd_vec_free(&room);
  return ok && hd_mpi_runs(c->mpi);
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
