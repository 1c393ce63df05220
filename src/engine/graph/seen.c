/* SPDX-License-Identifier: MIT */
/* States that were seen: of those that are the same, but for what somebody knows, the ones
 * of which none knows less. */
#include "engine/graph/key.h"

#include <string.h>

typedef struct {
  uint64_t a, b;
} same_key;

#define HD_MAP seen_map
#define HD_KEY same_key
#define HD_VAL uint32_t /* the last entry */
#define HD_HASH(k) ((k).a)
#define HD_EQ(x, y) ((x).a == (y).a && (x).b == (y).b)
#include "base/map_templ.h"

typedef struct {
  hd_levels levels;
  uint32_t next; /* HD_NO_ID: none */
  bool open;
} seen_entry;

struct graph_seen {
  seen_map map;
  hd_vec(seen_entry) entries;
};

graph_seen *hd_graph_seen_new(void) {
  return hd_calloc(1, sizeof(graph_seen));
}

void hd_graph_seen_delete(graph_seen *seen) {
  for (hd_vec_each(seen_entry, e, &seen->entries))
    hd_vec_free(&e->levels);
  hd_vec_free(&seen->entries);
  seen_map_free(&seen->map);
  hd_free(seen);
}

static bool is_known(const seen_entry *e, const hd_levels *levels, bool exact) {
  return exact ? e->levels.size == levels->size &&
                     !memcmp(e->levels.data, levels->data,
                             levels->size * sizeof *levels->data)
               : hd_graph_key_covers(&e->levels, levels);
}

/* What knows more is not needed any more. */
static void forget(graph_seen *seen, uint32_t *first, const hd_levels *levels) {
  for (uint32_t *at = first; *at != HD_NO_ID;) {
    seen_entry *e = &seen->entries.data[*at];
    if (!e->open && hd_graph_key_covers(levels, &e->levels)) {
      hd_vec_free(&e->levels);
      *at = e->next;
    } else {
      at = &e->next;
    }
  }
}

bool hd_graph_seen_put(graph_seen *seen, graph_key *key, bool exact,
                       uint32_t *entry, bool *open) {
  bool fresh;
  same_key same = {.a = key->a, .b = key->b};
  uint32_t *first = seen_map_put(&seen->map, same, HD_NO_ID, &fresh);
  for (uint32_t i = *first; i != HD_NO_ID; i = seen->entries.data[i].next)
    if (is_known(&seen->entries.data[i], &key->levels, exact)) {
      *open = seen->entries.data[i].open;
      hd_graph_key_free(key);
      return false;
    }
  if (!exact)
    forget(seen, first, &key->levels);
  seen_entry one = {.next = *first, .open = true};
  hd_vec_resize(&one.levels, key->levels.size);
  memcpy(one.levels.data, key->levels.data,
         key->levels.size * sizeof *one.levels.data);
  hd_graph_key_free(key);
  *first = *entry = (uint32_t)seen->entries.size;
  hd_vec_push(&seen->entries, one);
  return true;
}

void hd_graph_seen_close(graph_seen *seen, uint32_t entry) {
  seen->entries.data[entry].open = false;
}
