/* SPDX-License-Identifier: MIT */
/* Inside front/bp: what the files that build the program graph share.
 *
 * An *instance* is one copy of a procedure's body with variables of its own:
 * main, a call, or a procedure that threads start in. Its labels and locations
 * are fixed before its edges are made, so that jumps forward need no
 * patching. */
#ifndef HD_FRONT_BP_BUILD_H
#define HD_FRONT_BP_BUILD_H

#include "base/hash.h"
#include "front/bp/ast.h"
#include "model/program.h"

#include <string.h>

static inline uint64_t bp_hash_word(hd_word word) {
  return hd_hash_bytes(word.text, word.size);
}

static inline bool bp_same_word(hd_word a, hd_word b) {
  return a.size == b.size && !memcmp(a.text, b.text, a.size);
}

#define HD_MAP bp_words
#define HD_KEY hd_word
#define HD_VAL uint32_t
#define HD_HASH(k) bp_hash_word(k)
#define HD_EQ(a, b) bp_same_word(a, b)
#include "base/map_templ.h"

#define HD_MAP bp_places
#define HD_KEY const bp_stmt *
#define HD_VAL uint32_t
#define HD_HASH(k) hd_hash_mix(0, (uint64_t)(uintptr_t)(k))
#define HD_EQ(a, b) ((a) == (b))
#include "base/map_templ.h"

typedef struct bp_instance bp_instance;
struct bp_instance {
  const bp_proc *proc;
  const bp_instance *caller; /* NULL for main and thread procedures */
  unsigned depth;
  bp_words vars, labels;
  bp_places locs;
  const bp_name *results; /* variables of the caller that take the results */
  hd_loc_id exit;         /* where a return goes */
};

typedef struct {
  const hd_source *source;
  hd_diag *diag;
  const bp_program *ast;
  hd_program *program;
  hd_vec(const bp_proc *) procs;
  bp_words by_name; /* procedure -> number in `procs` */
  bp_words globals;
  bp_words threads; /* procedures that threads start in -> entry location */
  bp_words copies;  /* procedure -> number of instances so far */
  unsigned lists;   /* statement lists being built */
  bool full;        /* a limit was passed and reported; nothing more is built */
} bp_builder;

typedef hd_vec(hd_assign) bp_assigns;

/* build_expr.c. Errors are reported; an expression with one stands as 0. */
void hd_bp_complain(bp_builder *b, hd_pos pos, const char *what, hd_word word);
/* Reports the first limit passed. From then on building stops everywhere:
 * calls within calls would otherwise go on for ever. */
void hd_bp_give_up(bp_builder *b, hd_pos pos, const char *what, int limit);
char *hd_bp_word_text(hd_word word);
HD_MUST_USE bool hd_bp_find_var(bp_builder *b, const bp_instance *in,
                                hd_word name, hd_pos pos, hd_var_id *var);
hd_expr_id hd_bp_build_expr(bp_builder *b, const bp_instance *in,
                            const bp_expr *x, bool next_allowed);
/* The guard for a condition: HD_NO_ID when some choice always makes it true. */
hd_expr_id hd_bp_guard(const hd_program *p, hd_expr_id expr);

/* build_stmt.c: locations and edges of statements. */
hd_loc_id hd_bp_new_loc(bp_builder *b, const bp_stmt *s);
/* Gives every statement of the list, and of the lists in it, a location. */
void hd_bp_place(bp_builder *b, bp_instance *in, const bp_stmt *s);
/* Where the list starts, or `otherwise` if it is empty. */
hd_loc_id hd_bp_start_of(const bp_instance *in, const bp_stmt *list,
                         hd_loc_id otherwise);
void hd_bp_add_act(bp_builder *b, const bp_stmt *s, hd_act act, hd_loc_id from,
                   hd_loc_id to, hd_loc_id other);
void hd_bp_push_assign(bp_builder *b, bp_assigns *list, hd_var_id var,
                       hd_expr_id value, hd_pos pos, hd_word name);
/* Frees `list`. */
void hd_bp_add_assignment(bp_builder *b, const bp_stmt *s, hd_loc_id from,
                          hd_loc_id to, hd_expr_id guard, bp_assigns *list);
void hd_bp_build_list(bp_builder *b, bp_instance *in, const bp_stmt *s,
                      hd_loc_id after);

/* build.c: procedures. */
void hd_bp_build_call(bp_builder *b, bp_instance *in, const bp_stmt *s,
                      hd_loc_id from, hd_loc_id to);
void hd_bp_build_return(bp_builder *b, bp_instance *in, const bp_stmt *s,
                        hd_loc_id from);
void hd_bp_build_start(bp_builder *b, bp_instance *in, const bp_stmt *s,
                       hd_loc_id from, hd_loc_id to);

#endif
