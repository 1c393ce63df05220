/* SPDX-License-Identifier: MIT */
/* Terms over bit vectors with named variables, so that steps and predicates can
 * be renamed from one thread to another, put into each other, and evaluated.
 * The solver (solve/bits.h) gets them when there is a question. Equal terms have
 * one number; what is constant is computed, and a few forms are made alike, so
 * that the same predicate is not tracked twice. */
#ifndef HD_ENGINE_PAIRS_TERM_H
#define HD_ENGINE_PAIRS_TERM_H

#include "base/vec.h"
#include "solve/bits.h"

typedef uint32_t pterm;

/* Whose a variable is. */
typedef enum {
  OF_ALL,    /* shared */
  OF_FIRST,  /* of the first thread of a pair; steps are about this one */
  OF_SECOND, /* of the second */
  OF_THIRD,  /* of a thread beside the pair */
  OF_NOBODY, /* an input: any value, once */
} powner;

typedef struct {
  powner owner;
  uint32_t index;
} pvar;

/* The operations of the solver, and: */
enum {
  TERM_CONST = HD_BV_SLE + 1,
  TERM_VAR,
  TERM_ITE,
  TERM_ZEXT,
  TERM_SEXT,
  TERM_TRUNC,
};

typedef struct {
  uint8_t op, width;
  pterm args[3];  /* 0 where unused */
  uint64_t value; /* CONST; VAR: see hd_pairs_var_of */
} pnode;

typedef struct pterms pterms;

pterms *hd_pairs_terms_new(void);
void hd_pairs_terms_delete(pterms *t);

const pnode *hd_pairs_node_of(const pterms *t, pterm a);
pvar hd_pairs_var_of(const pterms *t, pterm a);

pterm hd_pairs_term_const(pterms *t, uint8_t width, uint64_t value);
pterm hd_pairs_term_var(pterms *t, pvar var, uint8_t width);
pterm hd_pairs_term_apply(pterms *t, hd_bv_op op, pterm a, pterm b);
pterm hd_pairs_term_not(pterms *t, pterm a); /* of one bit */
pterm hd_pairs_term_and(pterms *t, pterm a, pterm b);
pterm hd_pairs_term_ite(pterms *t, pterm c, pterm yes, pterm no);
pterm hd_pairs_term_resize(pterms *t, pterm a, uint8_t width, bool sign);
bool hd_pairs_term_is_const(const pterms *t, pterm a, uint64_t *value);

/* What a variable becomes; `a` itself where it stays. */
typedef pterm (*pmap)(void *context, pterms *t, pterm a);
pterm hd_pairs_term_map(pterms *t, pterm a, pmap map, void *context);

/* The variables of the first and of the second thread become those of others. */
pterm hd_pairs_term_rename(pterms *t, pterm a, powner first, powner second);

/* Calls for each variable in it, perhaps several times. */
typedef void (*pvisit)(void *context, const pterms *t, pterm var);
void hd_pairs_term_visit(const pterms *t, pterm a, pvisit visit, void *context);

/* Of a term, in the solver's own. */
hd_bv_term hd_pairs_term_solver(pterms *t, hd_bv *bv, pterm a);
/* The value of a variable. */
typedef uint64_t (*plookup)(void *context, pterms *t, pterm var);
/* The value of a term under those of its variables. Values are remembered until
 * hd_pairs_terms_forget: call it before another lookup, or when that changes. */
uint64_t hd_pairs_term_value(pterms *t, pterm a, plookup lookup, void *context);
void hd_pairs_terms_forget(pterms *t);
/* A lookup, with the solver as context, after a SAT. Variables that the question
 * did not mention are 0. */
uint64_t hd_pairs_term_model(void *context, pterms *t, pterm var);

#endif
