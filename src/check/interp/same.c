/* SPDX-License-Identifier: MIT */
/* Are two machines the same to all threads but one? For moves that leave
 * nothing behind: the search need not look at what the others do after them. */
#include "base/bitset.h"
#include "check/interp/state.h"
#include "model/live_globals.h"

#include <string.h>

static bool same_bytes(const void *a, const void *b, size_t size) {
  return !size || !memcmp(a, b, size);
}

static bool same_block(const hd_block *a, const hd_block *b) {
  if (a == b)
    return true;
  if (!a || !b || a->size != b->size || !a->shadow != !b->shadow)
    return false;
  return same_bytes(a->bytes, b->bytes, a->size) &&
         (!a->shadow || same_bytes(a->shadow, b->shadow, a->size));
}

static bool same_object(const hd_object *a, const hd_object *b) {
  return a->base == b->base && a->size == b->size && a->freed == b->freed &&
         a->sync == b->sync && same_block(a->block, b->block);
}

static bool same_region(const hd_objects *a, const hd_objects *b) {
  if (a == b)
    return true;
  if (!a || !b || a->objects.size != b->objects.size)
    return false;
  for (size_t i = 0; i < a->objects.size; i++)
    if (!same_object(&a->objects.data[i], &b->objects.data[i]))
      return false;
  return true;
}

/* Globals but for those that the others write before they read them. */
static bool same_globals(const hd_machine *a, const hd_machine *b,
                         hd_tid mover) {
  if (a->globals == b->globals)
    return true;
  const uint64_t *live = hd_machine_live_globals(b, mover);
  for (size_t g = 0; g < a->globals->objects.size; g++) {
    uint32_t bit;
    bool dead =
        hd_live_globals_has(a->plan->live_globals, (hd_global_id)g, &bit) &&
        !hd_bits_test(live, bit);
    if (!dead && !same_object(&a->globals->objects.data[g],
                              &b->globals->objects.data[g]))
      return false;
  }
  return true;
}

bool hd_machine_unnoticed(const hd_machine *a, const hd_machine *b,
                          hd_tid mover) {
  assert(a->plan->code == b->plan->code);
  if (a->threads.size != b->threads.size || a->atomic != b->atomic ||
      a->timed != b->timed || a->pid != b->pid || !a->seeds.n != !b->seeds.n ||
      a->syncs != b->syncs || a->keys.size != b->keys.size ||
      a->atexits.size != b->atexits.size ||
      hd_thread_of(a, mover)->ended != hd_thread_of(b, mover)->ended)
    return false;
  for (size_t i = 0; i < a->threads.size; i++)
    if ((i != mover && a->threads.data[i] != b->threads.data[i]) ||
        !same_region(a->stacks.data[i], b->stacks.data[i]) ||
        !same_region(a->heaps.data[i], b->heaps.data[i]))
      return false;
  return same_bytes(a->keys.data, b->keys.data,
                    a->keys.size * sizeof *a->keys.data) &&
         same_bytes(a->atexits.data, b->atexits.data,
                    a->atexits.size * sizeof *a->atexits.data) &&
         same_region(a->statics, b->statics) && same_globals(a, b, mover);
}
