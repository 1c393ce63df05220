/* SPDX-License-Identifier: MIT */
/* Inside of the engine: paths of the symbolic process, and what its parts
 * share. */
#ifndef HD_ENGINE_UNIFORM_PARTS_H
#define HD_ENGINE_UNIFORM_PARTS_H

#include "engine/lise/engine.h"
#include "engine/uniform/uniform.h"

/* --- paths --- */

typedef enum { HD_UNI_SEND, HD_UNI_RECV, HD_UNI_ALL } hd_uni_kind;

/* A message, a receive, or a collective call (ALL). */
typedef struct {
  hd_uni_kind kind;
  hd_library_fn fn;
  hd_edge_id edge;
  hd_term peer;  /* ALL: the root, or 0 */
  uint32_t comm; /* 0: MPI_COMM_WORLD; see grid.c */
  hd_term tag;   /* 0: any; with the communicator in it (hd_uni_tag) */
  hd_term got;   /* … then the tag that came */
  uint32_t type;
  int64_t count;
  int64_t op;              /* of a reduction */
  hd_lise_message *cells;  /* SEND, ALL: what; RECV: the new symbols */
  hd_lise_message *result; /* ALL: the new symbols, or NULL */
  uint32_t post, wait;     /* items of its path; HD_NO_ID: not waited for */
} hd_uni_op;

typedef struct hd_uni_path hd_uni_path;

/* Iterations of a loop whose number is not known: each follows one of the
 * bodies. In a body `k` is the number of the iteration, from 0; outside of it, in
 * the path that left the loop, the number of iterations that came back to the
 * head. Symbols from `first` on belong to one iteration. */
typedef struct {
  hd_term k;
  uint32_t first;
  hd_vec(hd_uni_path *) bodies;
} hd_uni_loop;

/* What happens on a path, in order: an operation starts, some are waited for, or
 * a loop. Each is a point of the order (order.c). */
typedef struct {
  hd_uni_loop *loop; /* NULL: another */
} hd_uni_item;

/* Something that must hold and was not seen at once. */
typedef struct {
  hd_property property;
  hd_edge_id edge;
  char *message;
  hd_term claim;
  size_t n_facts; /* of its path's list when it was met */
  size_t n_ops;
} hd_uni_duty;

typedef enum {
  HD_UNI_GOES,
  HD_UNI_ENDED, /* the process has */
  HD_UNI_BACK,  /* at the head of the loop that is looked at */
  HD_UNI_LEFT,  /* out of it */
} hd_uni_end;

struct hd_uni_path {
  hd_lise_state *state; /* NULL once it is not needed any more */
  hd_vec(hd_uni_item) items;
  hd_vec(hd_uni_op) ops;
  hd_vec(hd_uni_duty) duties;
  hd_term_list decisions; /* conditions of branches that were open */
  hd_term_list claims;    /* among the facts: duties that were assumed */
  hd_term_list facts;     /* all that is known, when it has ended */
  hd_u32s forks, rounds;  /* of each loop of the program */
  hd_uni_end end;
  bool left_head;
};

typedef hd_vec(hd_uni_path *) hd_uni_paths;

/* A loop that is being looked at. */
typedef struct {
  uint32_t loop;
  size_t frames;
  hd_loc_id head;
} hd_uni_frame;

/* --- the engine --- */

typedef struct hd_uni_star hd_uni_star;

typedef enum { HD_UNI_EACH, HD_UNI_WORKER, HD_UNI_MASTER } hd_uni_role;

typedef struct hd_uni {
  hd_lise l;
  hd_lise_guest guest;
  hd_lise_options options;
  hd_lise_result found;
  hd_term rank, size;
  uint32_t n_fresh; /* of symbols that stand for other processes' */
  hd_uni_paths leaves;
  hd_uni_paths all; /* every path, to be freed */
  hd_vec(hd_uni_loop *) loops;
  bool *symbolic; /* of each loop of the program */
  bool again;     /* one more loop has become symbolic */
  uint32_t least, most;
  /* while executing */
  hd_uni_path *path;
  const hd_uni_frame *frame;
  hd_lise_places *wrote;
  uint32_t n_paths, depth;
  hd_uni_role role; /* who is executed: any process, or one of star.c */
  hd_uni_star *star;
  bool wildcard; /* there are workers, or a receive from any source */
  bool rough;    /* what a loop changes is being looked for */
  char *failed;  /* why there is no proof */
  uint32_t suspect;
} hd_uni;

static inline hd_uni *hd_uni_of(hd_lise *l) {
  return l->guest->data;
}

/* No proof: says why, the first time. */
HD_PRINTF(2, 3) void hd_uni_fail(hd_uni *u, const char *format, ...);
/* … at a place of the program. */
HD_PRINTF(3, 4)
void hd_uni_fail_at(hd_uni *u, hd_edge_id edge, const char *format, ...);

/* --- walk.c, loop.c --- */

/* All paths of the process. False: failed, or `again`. */
bool hd_uni_walk(hd_uni *u);
/* Follows `start` (which it takes) to all ends; `frame`: inside of a loop. */
bool hd_uni_follow(hd_uni *u, hd_uni_path *start, const hd_uni_frame *frame,
                   hd_uni_paths *out);
/* The path stands at the head of a loop: the paths that leave it. */
bool hd_uni_generalise(hd_uni *u, hd_uni_path *path, uint32_t loop,
                       hd_uni_paths *out);
hd_uni_path *hd_uni_path_copy(hd_uni *u, const hd_uni_path *path);
/* Its state goes, what is known stays. */
void hd_uni_path_settle(hd_uni *u, hd_uni_path *path);
void hd_uni_path_delete(hd_uni_path *path);

/* --- call.c --- */

/* Stores what a call gives. */
hd_going hd_uni_store(hd_lise *l, hd_term pointer, int64_t offset,
                      unsigned bytes, hd_term value);
/* A collective call without data. */
void hd_uni_joined(hd_uni *u, hd_uni_op op);
/* A communicator of all processes. */
hd_going hd_uni_comm_arg(hd_lise *l, hd_term arg, uint32_t *comm);
typedef hd_going hd_uni_caller(hd_lise *l, const hd_cedge *edge,
                               hd_library_fn fn, const hd_term *args);
/* Of grids and other communicators; NULL: the function is none of those. */
hd_uni_caller *hd_uni_grid_caller(hd_library_fn fn);
bool hd_uni_call(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                 const hd_term *args, hd_going *out);

/* --- site.c: operations of all paths, and instances of them --- */

enum { HD_UNI_DEPTH = 3 };

/* An operation, in the loops that it is in. */
typedef struct {
  const hd_uni_path *leaf;
  const hd_uni_path *owner; /* leaf, or the body */
  const hd_uni_op *op;
  uint32_t depth;
  const hd_uni_loop *loops[HD_UNI_DEPTH];
  const hd_uni_path *bodies[HD_UNI_DEPTH];
  uint32_t at[HD_UNI_DEPTH + 1]; /* items: of each loop, of the operation */
} hd_uni_site;
typedef hd_vec(hd_uni_site) hd_uni_sites;

void hd_uni_sites_of(const hd_uni_path *leaf, hd_uni_sites *out);

typedef hd_vec(hd_term_pair) hd_uni_map;

/* A process on a leaf: its rank, its own symbols, what is known about it. */
typedef struct {
  const hd_uni_path *leaf;
  hd_term rank;
  hd_uni_map map;
  hd_term_list facts;
} hd_uni_proc;

void hd_uni_proc_make(hd_uni *u, const hd_uni_path *leaf, hd_uni_proc *out);
void hd_uni_proc_free(hd_uni_proc *proc);

/* A site of it, in iterations `k`. */
typedef struct {
  const hd_uni_site *site;
  hd_term k[HD_UNI_DEPTH];
  hd_uni_map level[HD_UNI_DEPTH + 1]; /* of the process, of each body */
} hd_uni_spot;

/* `k`: given, or NULL: any. */
void hd_uni_spot_make(hd_uni *u, const hd_uni_proc *proc,
                      const hd_uni_site *site, const hd_term *k,
                      hd_uni_spot *out);
void hd_uni_spot_free(hd_uni_spot *spot);
hd_term hd_uni_put(hd_uni *u, const hd_uni_map *map, hd_term term);
/* What is known when it happens. */
void hd_uni_spot_facts(hd_uni *u, const hd_uni_spot *spot, hd_term_list *facts);
/* It happens: the iterations are among those made, branches lead to it. */
hd_term hd_uni_spot_happens(hd_uni *u, const hd_uni_spot *spot);
/* A term of its path, as it is there. */
hd_term hd_uni_spot_put(hd_uni *u, const hd_uni_spot *spot, hd_term term);
/* Of one process: one is before the other. */
hd_term hd_uni_before(hd_uni *u, const hd_uni_spot *a, const hd_uni_spot *b);
hd_term hd_uni_fresh(hd_uni *u, hd_term_sort sort);
/* New symbols for those of the term that have none yet. */
void hd_uni_rename(hd_uni *u, hd_uni_map *map, hd_term term);

/* --- sample.c: terms for small N --- */

typedef struct {
  hd_term symbol;
  int64_t value;
} hd_uni_value;
typedef hd_vec(hd_uni_value) hd_uni_values;

/* False: it has none here. Truth is 0 or 1. */
bool hd_uni_evaluate(const hd_uni *u, const hd_uni_values *values, hd_term term,
                     int64_t *out);

void hd_uni_set(hd_uni_values *values, hd_term symbol, int64_t value);
void hd_uni_start(const hd_uni *u, int64_t n, int64_t r, hd_uni_values *values);
/* Numbers of iterations, from `item` on, that the conditions of the path allow;
 * true: `values` has them. */
bool hd_uni_rounds(const hd_uni *u, const hd_uni_path *path, size_t item,
                   hd_uni_values *values);
bool hd_uni_values_at(const hd_uni *u, const hd_uni_site *site, int64_t n,
                      int64_t r, const int64_t *k, hd_uni_values *values);

/* --- power.c: powers of two and their multiples --- */

hd_term hd_uni_power(hd_uni *u, hd_term exponent);
/* 2^exponent divides it. */
hd_term hd_uni_divides(hd_uni *u, hd_term of, hd_term exponent);
/* Facts about those that occur. */
void hd_uni_power_lemmas(hd_uni *u, hd_term_list *facts, hd_term claim);
bool hd_uni_remainder(hd_lise *l, hd_term a, hd_term b, hd_term *out);
bool hd_uni_bits(hd_lise *l, hd_code_op op, hd_term a, hd_term b, hd_term *out);

/* --- proofs --- */

bool hd_uni_valid(hd_uni *u, const hd_term_list *facts, hd_term claim);
/* No process is like that. */
bool hd_uni_impossible(hd_uni *u, const hd_term_list *facts);

/* A message and the receive that takes it, or the other way round. */
typedef struct {
  const hd_uni_site *from, *to;
  hd_term
      k[HD_UNI_DEPTH]; /* iterations of `to`, over symbols of `from`'s path */
  hd_term other;       /* … and the rank of `to` */
} hd_uni_pair;
typedef hd_vec(hd_uni_pair) hd_uni_pairs;

/* … with numbers. */
typedef struct {
  uint32_t from, to; /* sites */
  int64_t n, r, q, k[HD_UNI_DEPTH], other[HD_UNI_DEPTH];
} hd_uni_sample;

typedef struct {
  hd_uni_sites sites;
  hd_uni_pairs pairs; /* both directions: from a send, from a receive */
  hd_vec(hd_uni_sample) samples;
} hd_uni_match;

bool hd_uni_match_all(hd_uni *u, hd_uni_match *match);
void hd_uni_match_free(hd_uni_match *match);
/* The partner's spot of `from` by a pair. */
void hd_uni_partner(hd_uni *u, const hd_uni_pair *pair, const hd_uni_spot *from,
                    const hd_uni_proc *other, hd_uni_spot *out);
/* They may be partners: both ranks, tags. */
hd_term hd_uni_meet(hd_uni *u, const hd_uni_proc *p, const hd_uni_spot *a,
                    const hd_uni_proc *q, const hd_uni_spot *b);
/* --- star.c: a master and workers --- */

hd_uni_star *hd_uni_star_new(void);
void hd_uni_star_delete(hd_uni_star *star);
/* From the paths of a worker. */
bool hd_uni_star_scripts(hd_uni *u, hd_uni_star *star);
/* Before the first step of the master; at the head of a loop, with new values;
 * before a loop. */
void hd_uni_star_begin(hd_uni *u);
void hd_uni_star_know(hd_uni *u);
void hd_uni_star_all(hd_uni *u);
/* Workers at a position; 0: there is no such position. */
hd_term hd_uni_star_count(hd_uni *u, uint32_t position);
hd_going hd_uni_star_receive(hd_lise *l, hd_uni_op *op);
hd_going hd_uni_star_send(hd_lise *l, const hd_uni_op *op);
bool hd_uni_star_ends(hd_uni *u, hd_uni_path *path);

bool hd_uni_order(hd_uni *u, const hd_uni_match *match);
bool hd_uni_discharge(hd_uni *u, const hd_uni_match *match);

#endif
