/* SPDX-License-Identifier: MIT */
/* A clock is a tree of nodes with 16 entries each, as high as its largest thread
 * needs. Nodes have reference counts and are copied when they are written; where
 * two clocks are joined, what is the same node in both, or missing in one, is not
 * looked into. */
#include "check/interp/clock.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

enum { BITS = 4, WIDE = 1 << BITS };

struct hd_clock_node {
  uint32_t refs;
  union {
    uint64_t times[WIDE];          /* of a leaf */
    hd_clock_node *children[WIDE]; /* of others; NULL = zeros */
  };
};

static hd_clock_node *keep(hd_clock_node *node) {
  if (node)
    node->refs++;
  return node;
}

static void drop(hd_clock_node *node, uint32_t height) {
  if (!node || --node->refs)
    return;
  for (size_t i = 0; height && i < WIDE; i++)
    drop(node->children[i], height - 1);
  hd_free(node);
}

static hd_clock_node *node_new(void) {
  hd_clock_node *node = hd_calloc(1, sizeof *node);
  node->refs = 1;
  return node;
}

hd_clock hd_clock_copy(const hd_clock *clock) {
  return (hd_clock){keep(clock->root), clock->height};
}

void hd_clock_clear(hd_clock *clock) {
  drop(clock->root, clock->height);
  *clock = (hd_clock){0};
}

static bool fits(const hd_clock *clock, uint32_t thread) {
  uint32_t bits = (clock->height + 1) * BITS;
  return bits >= 32 || !(thread >> bits);
}

static uint32_t digit(uint32_t thread, uint32_t height) {
  return thread >> height * BITS & (WIDE - 1);
}

uint64_t hd_clock_at(const hd_clock *clock, uint32_t thread) {
  const hd_clock_node *node = fits(clock, thread) ? clock->root : NULL;
  for (uint32_t h = clock->height; node && h; h--)
    node = node->children[digit(thread, h)];
  return node ? node->times[digit(thread, 0)] : 0;
}

/* One node more above the root. */
static void raise(hd_clock *clock) {
  if (clock->root) {
    hd_clock_node *above = node_new();
    above->children[0] = clock->root;
    clock->root = above;
  }
  clock->height++;
}

/* The node at this place, not shared with others. */
static hd_clock_node *own(hd_clock_node **place, uint32_t height) {
  hd_clock_node *node = *place;
  if (!node)
    return *place = node_new();
  if (node->refs == 1)
    return node;
  hd_clock_node *copy = hd_alloc(sizeof *copy);
  *copy = *node;
  copy->refs = 1;
  for (size_t i = 0; height && i < WIDE; i++)
    keep(copy->children[i]);
  node->refs--;
  return *place = copy;
}

bool hd_clock_covers(const hd_clock *clock, const hd_clock *other, uint32_t n) {
  for (uint32_t t = 0; t < n; t++)
    if (hd_clock_at(other, t) > hd_clock_at(clock, t))
      return false;
  return true;
}

void hd_clock_tick(hd_clock *clock, uint32_t thread) {
  while (!fits(clock, thread))
    raise(clock);
  hd_clock_node **place = &clock->root;
  for (uint32_t h = clock->height; h; h--)
    place = &own(place, h)->children[digit(thread, h)];
  own(place, 0)->times[digit(thread, 0)]++;
}

/* Both have entries; the result is one of the two where that is enough. */
static hd_clock_node *join_leaves(hd_clock_node *a, hd_clock_node *b) {
  bool a_does = true, b_does = true;
  for (size_t i = 0; i < WIDE; i++) {
    a_does = a_does && a->times[i] >= b->times[i];
    b_does = b_does && b->times[i] >= a->times[i];
  }
  if (a_does || b_does)
    return keep(a_does ? a : b);
  hd_clock_node *both = node_new();
  for (size_t i = 0; i < WIDE; i++)
    both->times[i] = a->times[i] > b->times[i] ? a->times[i] : b->times[i];
  return both;
}

static hd_clock_node *join(hd_clock_node *a, hd_clock_node *b,
                           uint32_t height) {
  if (!a || !b || a == b)
    return keep(a ? a : b);
  if (!height)
    return join_leaves(a, b);
  hd_clock_node *both = node_new();
  for (size_t i = 0; i < WIDE; i++)
    both->children[i] = join(a->children[i], b->children[i], height - 1);
  hd_clock_node *same = NULL;
  if (!memcmp(both->children, a->children, sizeof a->children))
    same = a;
  else if (!memcmp(both->children, b->children, sizeof b->children))
    same = b;
  if (same) {
    drop(both, height);
    return keep(same);
  }
  return both;
}

void hd_clock_learn(hd_clock *into, const hd_clock *from) {
  if (!from->root || from->root == into->root)
    return;
  hd_clock other = hd_clock_copy(from);
  while (into->height < other.height)
    raise(into);
  while (other.height < into->height)
    raise(&other);
  hd_clock_node *both = join(into->root, other.root, into->height);
  hd_clock_clear(&other);
  drop(into->root, into->height);
  into->root = both;
}
