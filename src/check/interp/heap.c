/* SPDX-License-Identifier: MIT */
#include "check/interp/heap.h"

#include "check/interp/memory.h"

#include <string.h>

/* The low half of a word: where in an object an address leads, which is the same
 * under every name. */
#define LOW_BYTES 4

static bool is_on(const hd_machine *m) {
  return m->plan->options->heaps && m->plan->wide && !m->plan->obscured;
}

static const hd_object *block_at(const hd_machine *m, uint64_t value) {
  int64_t offset;
  if (value < hd_ram_start(m->plan))
    return NULL;
  const hd_object *object = hd_ram_find(m, value, &offset);
  return object && object->kind == HD_OBJECT_HEAP ? object : NULL;
}

static bool is_variable(const hd_object *object) {
  return object->kind == HD_OBJECT_SLOT || object->kind == HD_OBJECT_ALLOCA;
}

/* In a block or a variable whose address is nowhere but with the thread. */
static bool is_own(const hd_machine *m, hd_tid tid, uint64_t address) {
  int64_t offset;
  const hd_object *object = hd_ram_find(m, address, &offset);
  return object && !object->kept &&
         (object->kind == HD_OBJECT_HEAP || is_variable(object)) &&
         hd_ram_owner(m, object->base, NULL) == tid;
}

bool hd_heap_private(const hd_machine *m, hd_tid tid, uint64_t address) {
  return is_on(m) && block_at(m, address) && is_own(m, tid, address);
}

/* --- who knows --- */

typedef hd_vec(uint64_t) bases;

/* What the value leads to is known to others from now on, and what is in it. */
static void reveal(hd_machine *m, uint64_t value, bases *work) {
  int64_t offset;
  if (value < hd_ram_start(m->plan))
    return;
  const hd_object *object = hd_ram_find(m, value, &offset);
  if (!object || object->kept ||
      !(object->kind == HD_OBJECT_HEAP || is_variable(object)))
    return;
  hd_object *own = hd_ram_own(m, value, &offset);
  own->kept = true;
  hd_vec_push(work, own->base);
}

static void reveal_contents(hd_machine *m, uint64_t base, bases *work) {
  int64_t offset;
  uint64_t word;
  for (uint64_t at = 0;; at += sizeof word) {
    const hd_object *object = hd_ram_find(m, base, &offset);
    if (!object || !object->block || at + sizeof word > object->size)
      return;
    memcpy(&word, object->block->bytes + at, sizeof word);
    if (word)
      reveal(m, word, work);
  }
}

void hd_heap_publish(hd_machine *m, uint64_t value) {
  if (!is_on(m))
    return;
  bases work = {0};
  reveal(m, value, &work);
  while (work.size)
    reveal_contents(m, hd_vec_pop(&work), &work);
  hd_vec_free(&work);
}

void hd_heap_stored(hd_machine *m, hd_tid tid, uint64_t address,
                    uint64_t value) {
  if (!is_on(m) || value < hd_ram_start(m->plan))
    return;
  if (address % sizeof value && block_at(m, value))
    m->plan->obscured = true; /* words are looked for where they are aligned */
  else if (!is_own(m, tid, address))
    hd_heap_publish(m, value);
}

void hd_heap_wrote(hd_machine *m, uint64_t address, const uint8_t *bytes,
                   uint64_t size) {
  uint64_t word;
  for (uint64_t i = 0; 0 && is_on(m) && i + sizeof word <= size; i++) {
    memcpy(&word, bytes + i, sizeof word);
    if (!block_at(m, word))
      continue;
    if ((address + i) % sizeof word)
      m->plan->obscured = true;
    else
      hd_heap_publish(m, word);
  }
}

/* --- addresses that are not kept whole --- */

/* Is the aligned word that the address is in the address of a block? */
static bool is_word(const hd_machine *m, uint64_t address) {
  int64_t offset;
  uint64_t word, at = address & ~(uint64_t)(sizeof word - 1);
  const hd_object *object = hd_ram_find(m, at, &offset);
  if (!object || !object->block || offset < 0 ||
      (uint64_t)offset + sizeof word > object->size)
    return false;
  memcpy(&word, object->block->bytes + offset, sizeof word);
  return block_at(m, word) != NULL;
}

void hd_heap_cut(const hd_machine *m, uint64_t address, uint64_t size) {
  uint64_t first = address % 8, end = (address + size) % 8;
  if (!is_on(m) || !size || (!first && !end))
    return;
  if (first + size <= LOW_BYTES)
    return;
  if ((first && is_word(m, address)) ||
      (end > LOW_BYTES && is_word(m, address + size - 1)))
    m->plan->obscured = true;
}

/* Does the result tell no more than where in a block an address leads? */
static bool tells_place(hd_code_op op, const hd_object *x, const hd_object *y,
                        uint64_t result) {
  if (result >> 32)
    return false;
  return op == HD_CODE_AND || op == HD_CODE_TRUNC ||
         (x == y && (op == HD_CODE_SUB || op == HD_CODE_XOR));
}

void hd_heap_computed(const hd_machine *m, hd_code_op op, uint64_t a,
                      uint64_t b, uint64_t result) {
  if (!is_on(m))
    return;
  const hd_object *x = block_at(m, a), *y = block_at(m, b);
  if (!x && !y)
    return;
  const hd_object *z = block_at(m, result);
  bool same = z && (!x || z == x) && (!y || z == y);
  if (!same && !tells_place(op, x, y, result))
    m->plan->obscured = true;
}

/* --- names --- */

const hd_object *hd_heap_block(const hd_machine *m, uint64_t address,
                               uint64_t *index) {
  const hd_object *object = block_at(m, address);
  hd_tid tid = object ? hd_ram_owner(m, object->base, NULL) : HD_NO_ID;
  if (tid == HD_NO_ID || !tid)
    return NULL;
  *index = (uint64_t)(object - m->heaps.data[tid]->objects.data);
  return object;
}

uint64_t hd_heap_renumber(uint64_t address, uint64_t index, uint64_t other) {
  return address - (index << 32) + (other << 32);
}

uint64_t hd_machine_class(const hd_machine *m, uint64_t address) {
  uint64_t index;
  const hd_object *object = is_on(m) ? hd_heap_block(m, address, &index) : NULL;
  /* A thread has so many numbers for blocks (memory.c). */
  return object ? hd_heap_renumber(address, index, object->origin % (1u << 17))
                : address;
}

bool hd_machine_obscured(const hd_machine *m) {
  return m->plan->obscured;
}
