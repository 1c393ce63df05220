/* SPDX-License-Identifier: MIT */
/* Private to this folder: classes of threads, the states they are in, and what
 * all of them share. */
#ifndef HD_ENGINE_MODULAR_CLASSES_H
#define HD_ENGINE_MODULAR_CLASSES_H

#include "engine/modular/modular.h"
#include "engine/unfold/state.h"

enum {
  MAX_CLASSES = 64,
  MAX_LOCKS = 64,
  ATOMIC = 0 /* the lock of sections */
};

typedef uint64_t class_set;
typedef uint64_t lock_set;

static inline class_set bit(uint32_t i) {
  assert(i < 64);
  return (uint64_t)1 << i;
}

/* The number of a class is the `thread` of its objects' keys; main is 0. */
typedef struct {
  /* What it is known by. */
  thread_id parent;
  hd_edge_id edge;
  uint64_t control; /* hash of the creator's stack */
  hd_func_id func;
  bool unique;
  /* What is found out in a round. */
  bool started;
  local start; /* its first frame, with the memory of the creator */
  hd_value result;
  class_set gone;  /* classes that have ended when it starts */
  class_set after; /* likewise, when it ends */
  uint32_t joins;
} thread_class;

/* What a thread knows beside its registers and memory. */
typedef struct {
  lock_set held;     /* certainly, for writing too; or … */
  lock_set reads;    /* … for reading only */
  lock_set twice;    /* those that are held twice */
  class_set created; /* classes it may have created threads of */
  class_set gone;    /* unique classes that have certainly ended */
  hd_u32s escaped;   /* its own objects that others may know; each once */
} knowledge;
/* A lock is held to write or to read, and twice only if it is held; main is never
 * gone, since nobody joins it. */
static inline bool is_consistent(const knowledge *k) {
  return !(k->held & k->reads) && !(k->twice & ~(k->held | k->reads)) &&
         !(k->gone & bit(0));
}

/* A class before a visible action. */
typedef struct {
  thread_id class;
  hd_edge_id edge; /* HD_NO_ID: it ends */
  uint64_t lock;   /* which lock is meant, where that keeps states apart */
  local state;
  hd_value result;
  knowledge known;
  uint32_t joins;
  bool pending;
} node;

typedef struct {
  hd_object_id object;
  int64_t lo, hi;
  bool write, atomic;
  bool sync; /* see touch */
  hd_edge_id edge;
  thread_id class;
  lock_set held, reads;
  class_set created, gone;
} deed;

typedef struct {
  hd_object_id object;
  int64_t offset;
  uint32_t bytes;
} lock_key;

typedef struct {
  hd_object_id object;
  uint32_t lock;
} guarded;

#define HD_MAP node_index
#define HD_KEY uint64_t
#define HD_VAL hd_u32s
#define HD_HASH(k) (k)
#define HD_EQ(a, b) ((a) == (b))
#include "base/map_templ.h"

typedef struct {
  analysis a;
  hd_vec(thread_class) classes;
  hd_vec(node) nodes;
  node_index index;
  hd_vec(deed) deeds;
  node_index deed_index;
  hd_vec(lock_key) locks;
  lock_set open; /* locks that protect nothing: made anew while others may have
                    used them, or opened by who may not hold them */
  lock_set unsure; /* locks that threads may hold without knowing it */
  /* What protects a shared object: with that lock in hand nobody else gets at
   * it. Found out in one round, used and checked in the next. */
  hd_vec(guarded) guards;
  hd_u32s unguarded; /* objects for which that failed */
  hd_u32s escaped;   /* objects that others than their owner may know */
  hd_u32s strangers; /* objects that a thread has heard of from others */
  bool published;    /* there is something in `shared` */
  bool main_leaves;  /* main may return before others have ended */
  bool strict;       /* attributes may make mutexes error-checking */
  bool names_itself; /* a thread asks for its own handle, or main's */
  hd_memory *shared; /* what shared objects may contain, at any time */
  bool again;        /* a class turned out not to be unique: once more */
  uint32_t changes;  /* of `shared`, classes' starts and results */
  /* Deadlocks: what is waited for while what is held; classes behind locks. */
  uint64_t order[MAX_LOCKS + MAX_CLASSES][2];
  hd_edge_id order_edge[MAX_LOCKS + MAX_CLASSES];
  const char *blocked; /* something else that blocks; NULL: nothing */
  hd_edge_id blocked_edge;
} modular;

/* --- knowledge (modular.c) --- */

knowledge hd_class_known_copy(const knowledge *k);
void hd_class_known_free(knowledge *k);

/* --- whose object it is (share.c) --- */

/* Is it the thread's own, at this point: no other can get at it? */
bool hd_class_is_own(const modular *m, thread_id class, const knowledge *k,
                     hd_object_id object);
/* The same, whether it is shared or not. */
bool hd_class_is_private(const modular *m, thread_id class, const knowledge *k,
                         hd_object_id object);
/* An object of this thread, or in its hand, that is exactly one: what is stored
 * there stays there. */
bool hd_class_is_exact(const modular *m, thread_id class, const knowledge *k,
                       hd_object_id object);
/* More than one concrete object? */
bool hd_class_is_many(const modular *m, hd_object_id object);
/* Others may get to know the objects that `value` points to. */
void hd_class_let_escape(modular *m, thread_id class, knowledge *k, local *l,
                         const hd_value *value);
/* The lock is taken, or about to be given back: what it protects is taken out of
 * what is shared, or put back there. */
void hd_class_take_guarded(modular *m, thread_id class, knowledge *k, local *l,
                           uint32_t lock);
void hd_class_give_guarded(modular *m, thread_id class, knowledge *k, local *l,
                           uint32_t lock);
/* Bytes are copied, or become zero or anything. */
void hd_class_shared_copy(modular *m, thread_id class, knowledge *k, local *l,
                          const hd_pointee *to, const hd_pointee *from,
                          uint64_t bytes);
void hd_class_shared_fill(modular *m, thread_id class, const knowledge *k,
                          local *l, const hd_pointee *to, uint64_t bytes,
                          hd_fill fill);
hd_value hd_class_shared_load(modular *m, const hd_pointee *t, uint32_t bytes,
                              const local *l);
void hd_class_shared_store(modular *m, const hd_pointee *t, uint32_t bytes,
                           const hd_value *value, const local *l);
/* A store; to one of very many places: anything may be there then. */
void hd_class_store_at(hd_memory **memory, const hd_pointee *t, uint32_t bytes,
                       const hd_value *value, bool weak);
/* Before a new thread is created: it can see all of its creator's memory. */
void hd_class_share_memory(modular *m, thread_id class, knowledge *k, local *l);
/* A value from elsewhere: what it points to exists in this memory as well. Where
 * that may be an object of another thread of the class, its own is told of. */
void hd_class_know_targets(modular *m, thread_id class, knowledge *k, local *l,
                           const hd_value *value);

/* --- orders (order.c) --- */

void hd_class_note_deeds(modular *m, thread_id class, const knowledge *k,
                         const touches *seen);
/* Objects that have to be shared from now on. */
void hd_class_find_shared(modular *m, hd_u32s *out);
/* Which locks protect them. True: that is not what it was thought to be. */
bool hd_class_find_guards(modular *m);
void hd_class_find_races(modular *m);
/* `lock` is waited for with these in hand; class c is MAX_LOCKS + c. */
void hd_class_note_wait(modular *m, thread_id class, const knowledge *k,
                        uint32_t lock, hd_edge_id edge);
void hd_class_find_deadlocks(modular *m);

/* --- actions (act*.c) --- */

typedef struct {
  local state;
  knowledge known;
} after;

typedef hd_vec(after) afters;

/* What the action before `n` does; all that may be behind it. Creates classes and
 * writes to what is shared. */
void hd_class_act(modular *m, const node *n, afters *out);
/* The state of a class has changed: its threads are to be followed again. */
void hd_class_start(modular *m, thread_id class);

#endif
