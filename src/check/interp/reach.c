/* SPDX-License-Identifier: MIT */
/* Accesses to memory. Every one is checked: the object exists and is alive, the
 * bytes are in it, and it may be written. */
#include "check/interp/memory.h"

#include "check/interp/clocks.h"
#include "check/interp/heap.h"
#include "check/interp/host.h"
#include "check/interp/lib.h"
#include "check/interp/sync.h"

#include <string.h>

static const char *wrong_at(const hd_object *object, int64_t offset,
                            uint64_t size, bool write) {
  if (object->freed)
    return object->kind == HD_OBJECT_HEAP
               ? "the memory has been freed"
               : "its block or function has been left";
  if (hd_ram_gone(object, offset))
    return "its function has returned";
  if (offset < 0)
    return "before the start of the object";
  if ((uint64_t)offset > object->size || size > object->size - (uint64_t)offset)
    return "behind the end of the object";
  if (write && object->constant)
    return "the object is constant";
  return NULL;
}

const char *hd_ram_wrong(const hd_machine *m, uint64_t address, uint64_t size,
                         bool write) {
  int64_t offset;
  const hd_object *object = hd_ram_find(m, address, &offset);
  if (object)
    return wrong_at(object, offset, size, write);
  if (!size)
    return NULL;
  if (address < hd_ram_start(m->plan))
    return "null pointer";
  if (hd_ram_func_at(m, address) != HD_NO_ID)
    return "a function is no object";
  return hd_ram_is_dead(m->plan, address)
             ? "its block or function has been left"
             : "there is no object (any more)";
}

static void report(hd_machine *m, hd_tid tid, uint64_t address, uint64_t size,
                   bool write, const char *wrong) {
  hd_str place = {0};
  hd_machine_print_address(&place, m, address, size);
  hd_machine_violate(m, tid, HD_PROPERTY_MEMORY, "%s of %s: %s",
                     write ? "write" : "read", hd_str_text(&place), wrong);
  hd_str_free(&place);
}

/* Undecidable without its definition: refuse. */
static bool refuse_external(hd_machine *m, hd_tid tid, const hd_object *object,
                            uint64_t size) {
  if (!object->external || !size)
    return false;
  if (object->kind == HD_OBJECT_STATIC)
    hd_machine_stop(m, tid, HD_MACHINE_UNSUPPORTED,
                    "the text of an environment variable is not known");
  else
    hd_machine_stop(m, tid, HD_MACHINE_UNSUPPORTED,
                    "the object '%s' is declared but not defined",
                    m->plan->code->globals.data[object->origin].name);
  return true;
}

/* Does it belong to an operation of MPI that is not complete? */
static bool taken(hd_machine *m, hd_tid tid, uint64_t address, uint64_t size,
                  bool write) {
  const hd_claim *claim = hd_host_claimed(m, address, size, write);
  if (!claim)
    return false;
  hd_str place = {0};
  hd_machine_print_address(&place, m, address, size);
  hd_str_puts(&place, " before the operation is complete that was begun at ");
  hd_code_print_pos(&place, m->plan->code,
                    m->plan->code->edges.data[claim->edge].pos);
  hd_machine_violate(m, tid, HD_PROPERTY_MPI, "%s of %s",
                     write ? "write" : "read", hd_str_text(&place));
  hd_str_free(&place);
  return !hd_machine_runs(m);
}

/* Writes down an access that the host asks about, once. */
void hd_machine_touch(hd_machine *m, hd_tid tid, uint64_t address,
                      uint64_t size, bool write, bool atomic) {
  bool watched = false;
  for (hd_vec_each(hd_claim, w, &m->watched))
    watched = watched ||
              (address < w->address + w->size && w->address < address + size);
  if (!watched || !size)
    return;
  for (hd_vec_each(hd_claim, old, &m->touched))
    if (old->address == address && old->size == size && old->written == write &&
        old->atomic == atomic)
      return;
  hd_claim access = {.address = address,
                     .size = size,
                     .edge = hd_thread_edge(hd_thread_of(m, tid)),
                     .written = write,
                     .atomic = atomic};
  hd_vec_push(&m->touched, access);
}

/* The object of an access that is allowed; NULL after a violation, and for an
 * access of no bytes to no object. */
static const hd_object *checked(hd_machine *m, hd_tid tid, uint64_t address,
                                uint64_t size, bool write, bool atomic,
                                int64_t *offset) {
  const hd_object *object = hd_ram_find(m, address, offset);
  if (m->plan->options->footprints)
    hd_section_note(m, tid, object, address, size, write);
  const char *wrong = object ? wrong_at(object, *offset, size, write)
                             : hd_ram_wrong(m, address, size, write);
  if (object && refuse_external(m, tid, object, size))
    return NULL;
  if (wrong) {
    report(m, tid, address, size, write, wrong);
    return NULL;
  }
  if (object && object->lost) {
    hd_machine_stop(m, tid, HD_MACHINE_UNSUPPORTED,
                    "a pointer is made out of bits");
    return NULL;
  }
  if (m->claims.size && !m->hosted && taken(m, tid, address, size, write))
    return NULL;
  if (m->watched.size && !m->hosted)
    hd_machine_touch(m, tid, address, size, write, atomic);
  if (m->plan->options->clocks && size) {
    hd_clock_access(m, tid, address, size, write, atomic);
    object = hd_ram_find(m, address, offset); /* its region may be a copy now */
  }
  return object;
}

bool hd_ram_check(hd_machine *m, hd_tid tid, uint64_t address, uint64_t size,
                  bool write, bool atomic) {
  int64_t offset;
  return checked(m, tid, address, size, write, atomic, &offset) ||
         (!size && hd_machine_runs(m));
}

static uint64_t gather(const uint8_t *bytes, uint32_t size) {
  uint64_t bits = 0;
  switch (size) {
  case 1:
    return bytes[0];
  case 2:
    memcpy(&bits, bytes, 2);
    return bits;
  case 4:
    memcpy(&bits, bytes, 4);
    return bits;
  case 8:
    memcpy(&bits, bytes, 8);
    return bits;
  default:
    memcpy(&bits, bytes, size);
    return bits;
  }
}

bool hd_ram_load(hd_machine *m, hd_tid tid, uint64_t address, uint32_t size,
                 bool atomic, hd_machine_value *out) {
  int64_t offset;
  const hd_object *object =
      checked(m, tid, address, size, false, atomic, &offset);
  if (!object)
    return false;
  const hd_block *block = object->block;
  out->bits = gather(block->bytes + offset, size);
  out->undef = block->shadow ? gather(block->shadow + offset, size) : 0;
  return true;
}

static void put(hd_machine *m, uint64_t address, const void *bytes,
                const void *shadow, uint64_t size) {
  if (!size)
    return;
  int64_t offset;
  hd_object *object = hd_ram_own(m, address, &offset);
  assert(object && object->block && offset >= 0);
  if (object->sync)
    hd_sync_overwrite(m, address, size);
  hd_block *block = hd_ram_block(object);
  memmove(block->bytes + offset, bytes, size);
  if (shadow && !block->shadow) {
    block->shadow = hd_calloc(block->size, 1);
    memmove(block->shadow + offset, shadow, size);
  } else if (shadow) {
    memmove(block->shadow + offset, shadow, size);
  } else if (block->shadow) {
    memset(block->shadow + offset, 0, size);
  }
}

/* Is the value there already? */
static bool is_there(const hd_machine *m, uint64_t address, uint32_t size,
                     hd_machine_value value) {
  int64_t offset;
  const hd_object *object = hd_ram_find(m, address, &offset);
  const hd_block *block = object ? object->block : NULL;
  return block && !object->sync &&
         !memcmp(block->bytes + offset, &value.bits, size) &&
         (block->shadow ? !memcmp(block->shadow + offset, &value.undef, size)
                        : !value.undef);
}

bool hd_ram_store(hd_machine *m, hd_tid tid, uint64_t address, uint32_t size,
                  bool atomic, hd_machine_value value) {
  if (!hd_ram_check(m, tid, address, size, true, atomic))
    return false;
  if (m->plan->options->footprints && is_there(m, address, size, value))
    hd_section_unchanged(m, address, size);
  put(m, address, &value.bits, value.undef ? &value.undef : NULL, size);
  if (size == hd_word(m)) {
    hd_ram_keep(m, value);
    hd_heap_stored(m, tid, address, value.bits);
  }
  return true;
}

const uint8_t *hd_ram_bytes(const hd_machine *m, uint64_t address,
                            const uint8_t **shadow) {
  int64_t offset;
  const hd_object *object = hd_ram_find(m, address, &offset);
  assert(object && object->block && offset >= 0);
  if (shadow)
    *shadow = object->block->shadow ? object->block->shadow + offset : NULL;
  return object->block->bytes + offset;
}

void hd_ram_write(hd_machine *m, uint64_t address, const uint8_t *bytes,
                  const uint8_t *shadow, uint64_t size) {
  if (!size)
    return;
  /* The source may be a block that is about to be replaced. */
  uint8_t *copy = hd_alloc(size), *undef = shadow ? hd_alloc(size) : NULL;
  memcpy(copy, bytes, size);
  if (shadow)
    memcpy(undef, shadow, size);
  put(m, address, copy, undef, size);
  hd_heap_wrote(m, address, copy, size);
  hd_free(copy);
  hd_free(undef);
}

void hd_ram_fill(hd_machine *m, uint64_t address, uint8_t byte, uint64_t size) {
  if (!size)
    return;
  int64_t offset;
  hd_object *object = hd_ram_own(m, address, &offset);
  assert(object && object->block && offset >= 0);
  if (object->sync)
    hd_sync_overwrite(m, address, size);
  hd_block *block = hd_ram_block(object);
  memset(block->bytes + offset, byte, size);
  if (block->shadow)
    memset(block->shadow + offset, 0, size);
}
