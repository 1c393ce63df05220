/* SPDX-License-Identifier: MIT */
/* States of weak memory, to be compared: what threads are about to do with which
 * values is the same or not; of what they know, some know less. Who knows less can do
 * whatever who knows more can, and reads all that one can read. */
#ifndef HD_ENGINE_GRAPH_KEY_H
#define HD_ENGINE_GRAPH_KEY_H

#include "engine/graph/node.h"

typedef struct {
  uint64_t a, b; /* of what has to be the same */
  hd_levels levels;
} graph_key;

graph_key hd_graph_key_of(node *n);
void hd_graph_key_free(graph_key *key);
/* Does the one know no more than the other, which is the same otherwise? */
bool hd_graph_key_covers(const hd_levels *less, const hd_levels *more);

/* What stands at a position of a place's order. */
const hd_message *hd_graph_message_at(const graph *g, uint32_t loc, size_t at);

/* States that were seen. */
typedef struct graph_seen graph_seen;
graph_seen *hd_graph_seen_new(void);
void hd_graph_seen_delete(graph_seen *seen);
/* True: the state is new, and is entered as one that is gone on from. Else one is
 * known that knows no more (`exact`: and no less); `open` says if it is gone on from. Takes
 * the key. */
bool hd_graph_seen_put(graph_seen *seen, graph_key *key, bool exact,
                       uint32_t *entry, bool *open);
/* All that follows it has been seen. */
void hd_graph_seen_close(graph_seen *seen, uint32_t entry);

#endif
