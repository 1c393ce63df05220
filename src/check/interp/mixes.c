/* SPDX-License-Identifier: MIT */
/* Which bytes are accessed by atomic operations and by others. Objects of the heap
 * and variables of functions count by where they are made. */
#include "check/interp/mixes.h"

#include "base/hash.h"

typedef struct {
  uint64_t object, offset;
} byte_key;

#define HD_MAP byte_map
#define HD_KEY byte_key
#define HD_VAL uint8_t
#define HD_HASH(k) hd_hash_mix((k).object, (k).offset)
#define HD_EQ(x, y) ((x).object == (y).object && (x).offset == (y).offset)
#include "base/map_templ.h"

enum { ATOMIC = 1, PLAIN = 2, BOTH = 3 };

struct hd_mixes {
  byte_map bytes;
  uint64_t count;
};

hd_mixes *hd_mixes_new(void) {
  return hd_calloc(1, sizeof(hd_mixes));
}

void hd_mixes_delete(hd_mixes *mixes) {
  if (!mixes)
    return;
  byte_map_free(&mixes->bytes);
  hd_free(mixes);
}

uint64_t hd_mixes_count(const hd_mixes *mixes) {
  return mixes->count;
}

/* Large objects count by pieces. */
static byte_key key_of(const hd_object *object, uint64_t offset) {
  enum { SMALL = 4096, PIECES = 1024 };
  uint64_t unit = object->size <= SMALL ? 1 : object->size / PIECES;
  return (byte_key){.object = (uint64_t)object->kind << 32 | object->origin,
                    .offset = offset / unit};
}

/* Has the thread waited for all others? */
static bool is_last(const hd_machine *m, hd_tid tid) {
  for (hd_tid t = 0; t < m->threads.size; t++)
    if (t != tid && !(m->threads.data[t]->ended && m->threads.data[t]->joined))
      return false;
  return true;
}

bool hd_mixes_note(hd_machine *m, hd_tid tid, const hd_object *object,
                   uint64_t offset, uint64_t size, bool atomic) {
  hd_mixes *mixes = m->plan->options->mixes;
  bool both = false;
  if (!atomic && is_last(m, tid))
    return false;
  for (uint64_t i = 0; i < size; i++) {
    bool fresh;
    uint8_t *how =
        byte_map_put(&mixes->bytes, key_of(object, offset + i), 0, &fresh);
    bool before = *how == BOTH;
    *how |= atomic ? ATOMIC : PLAIN;
    mixes->count += !before && *how == BOTH;
    both = both || *how == BOTH;
  }
  return both;
}

bool hd_mixes_has(const hd_mixes *mixes, const hd_object *object,
                  uint64_t offset) {
  const uint8_t *how = byte_map_find(&mixes->bytes, key_of(object, offset));
  return how && *how == BOTH;
}
