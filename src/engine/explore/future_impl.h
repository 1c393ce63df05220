/* SPDX-License-Identifier: MIT */
/* Shared by future.c, which learns, and future_ask.c, which asks. */
#ifndef HD_ENGINE_EXPLORE_FUTURE_IMPL_H
#define HD_ENGINE_EXPLORE_FUTURE_IMPL_H

#include "base/hash.h"
#include "engine/explore/future.h"

typedef enum { SIGHT_ACTION, SIGHT_STACK, SIGHT_ALL } sight_kind;

/* Whose stack or heap something is in, when threads have no names (main has):
 * nobody's, or main's; that of the thread that looks; another's. Addresses are then
 * those of thread 1. */
enum { NOBODYS, OWN, OTHER };

/* Compared as bytes: no padding may be left unset. */
typedef struct {
  uint64_t address, size, from, from_size, also, also_size, sync;
  uint32_t thread;
  uint32_t owned; /* number in `owned` */
  /* Threads whose stacks the bytes, those that are only read, and the lock are
   * in; HD_NO_ID = none. Without names: 0 = main's, OWN, OTHER. */
  uint32_t stack, from_stack, also_stack, sync_stack;
  uint8_t kind; /* sight_kind */
  uint8_t memory, writes, atomic, local, acquires;
  uint8_t section; /* an atomic section whose footprint tells what it touches */
  uint8_t owner, from_owner, also_owner, sync_owner; /* NOBODYS with names */
  uint8_t update; /* HD_UPDATE_… of its edge */
  uint32_t
      arrives; /* at the barrier `sync`: how many open it; 0 = it does not */
} sight;

typedef struct {
  hd_u32s sights;
  hd_u32s own;      /* those of them that were seen here */
  hd_u32s sources;  /* controls that go on here */
  hd_u32s targets;  /* … that this one goes on to */
  hd_u32s barriers; /* arrivals in its future, by number in `barriers` */
  hd_tid thread;
  uint64_t reached; /* the lowest address that a move from here put on or took
                       off the stack; UINT64_MAX = none did */
  bool all;         /* a move from here may have changed anything */
} control;

typedef struct {
  hd_tid child, parent;
  uint32_t control;
} birth;

typedef struct {
  uint32_t sight, owned, control;
  uint64_t reached;
  uint64_t
      inside; /* the sight is in a plain section of this lock, which does not
                      count as owned yet; 0 = not so */
} question;

/* What was seen in plain sections (model/updates.h) of a lock. */
typedef struct {
  uint64_t lock;
  hd_u32s sights;
} section;

typedef struct {
  size_t looked; /* sights of the future that have been looked at */
  bool clash;
} answer;

#define HD_MAP pair_set
#define HD_KEY uint64_t
#define HD_VAL bool
#define HD_HASH(k) hd_hash_mix(0, k)
#define HD_EQ(a, b) ((a) == (b))
#include "base/map_templ.h"

#define HD_MAP answer_map
#define HD_KEY question
#define HD_VAL answer
#define HD_HASH(k)                                                             \
  hd_hash_mix(hd_hash_mix((k).sight, (k).control),                             \
              hd_hash_mix((k).owned, hd_hash_mix((k).reached, (k).inside)))
#define HD_EQ(a, b)                                                            \
  ((a).sight == (b).sight && (a).owned == (b).owned &&                         \
   (a).control == (b).control && (a).reached == (b).reached &&                 \
   (a).inside == (b).inside)
#include "base/map_templ.h"

/* A barrier that threads were seen to come to. */
typedef struct {
  uint64_t address;
  uint32_t limit; /* so many open it; 0 = now these, now those */
} barrier;

/* What a thread may do before one of a set of barriers opens. */
typedef struct {
  uint32_t control, held; /* from where on; which set */
  bool beyond;            /* it has passed what it stands at */
} part;

typedef struct {
  uint64_t version; /* of the futures it is a part of */
  hd_u32s sights;
} part_sights;

#define HD_MAP part_map
#define HD_KEY part
#define HD_VAL uint32_t
#define HD_HASH(k) hd_hash_mix(hd_hash_mix((k).control, (k).held), (k).beyond)
#define HD_EQ(a, b)                                                            \
  ((a).control == (b).control && (a).held == (b).held &&                       \
   (a).beyond == (b).beyond)
#include "base/map_templ.h"

/* A state, and a set of threads in it. */
typedef struct {
  hd_future *f;
  const hd_pose_id *poses;
  size_t n;
  const uint64_t *threads;
  uint32_t owned; /* by them */
  uint32_t held;  /* barriers that do not open before one of them moves */
} choice;

struct hd_future {
  hd_pool controls; /* thread, then function and edge of each frame */
  hd_pool sights;
  hd_pool owned; /* sorted addresses */
  hd_pool poses;
  hd_vec(control) at; /* by number of the control */
  /* (control, sight), likewise for `own`, (control, control) */
  pair_set members, owns, links;
  hd_vec(birth) births;
  answer_map answers;
  hd_vec(barrier) barriers;
  part_map parts; /* numbers in `part_lists` */
  hd_vec(part_sights) part_lists;
  hd_vec(uint64_t) work; /* (control, sight) to be passed on */
  hd_bytes key;
  hd_addresses addresses;
  hd_footprints *feet; /* NULL: sections are not looked into */
  uint8_t *updates;    /* NULL: orders of updates count */
  hd_vec(section) sections;
  uint64_t version;
  bool spurious; /* wake-ups are possible */
  bool broken;   /* a lock was taken from its owner: owning means nothing */
  /* For each thread: the end of what others were seen to touch in its stack,
   * and the lowest address of it that was said to be its own. */
  hd_vec(uint64_t) touched, claimed;
  bool belied; /* touched[t] > claimed[t] for a thread */
  bool nameless;
  /* scratch */
  hd_vec(uint64_t) enabled, trial;
  hd_u32s tried, rounds; /* poses; for each pose the round it was asked in */
  uint32_t round;
};

static inline const sight *sight_at(const hd_future *f, uint32_t id) {
  assert(id < f->sights.items.size);
  return (const sight *)(const void *)f->sights.items.data[id].bytes;
}

static inline const hd_pose *pose_of(const choice *c, size_t t) {
  assert(t < c->n && c->poses[t] != HD_NO_POSE);
  return hd_future_look(c->f, c->poses[t]);
}
/* Threads in the same pose are asked about once in each round. */
void hd_future_round(hd_future *f);
bool hd_future_asked(hd_future *f, hd_pose_id pose);
/* Is there a thread in the set that main waits for when it joins? */
bool hd_future_awaited(const choice *c);
/* A thread outside: it cannot move before one of the set has. `awaited`: as above. */
bool hd_future_blocked(const choice *c, size_t thread, bool awaited);

/* What is in a plain section that begins in this sight; NULL: none begins, or its
 * lock has no name. */
const section *hd_future_section(const hd_future *f, const sight *s);

/* The empty set, as a number in `owned`. */
uint32_t hd_future_none(hd_future *f);

/* The barriers that no thread outside of the set can open, nor take away, before
 * one of the set has moved: a number in `owned`. */
uint32_t hd_future_held(const choice *c);
/* What a thread outside, in this pose, may do until then. */
const hd_u32s *hd_future_part(hd_future *f, const hd_pose *pose, uint32_t held);

/* Is the address in the set of this number? */
bool hd_future_owns(const hd_future *f, uint32_t owned, uint64_t address);
/* The number of the set of `addresses`, which are sorted for it. */
uint32_t hd_future_put_owned(hd_future *f);

#endif
