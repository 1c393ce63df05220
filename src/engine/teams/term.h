/* SPDX-License-Identifier: MIT */
/* Integers and conditions over symbols, for what a thread of a team computes.
 *
 * A symbol is uniform when it has one value for all threads of the team (the
 * size of the team, a variable at a barrier that depends on nothing else), else
 * each thread has its own: then the term stands for two integers when two threads
 * are compared. Equal terms have equal numbers. Integers are mathematical: who
 * makes a term knows that nothing wraps around. */
#ifndef HD_ENGINE_TEAMS_TERM_H
#define HD_ENGINE_TEAMS_TERM_H

#include "base/vec.h"
#include "solve/logic.h"

typedef uint32_t hd_team_term;
typedef hd_vec(hd_team_term) hd_team_list;

typedef enum {
  HD_TEAM_CONST,
  HD_TEAM_SYMBOL,
  HD_TEAM_ADD,
  HD_TEAM_MUL,
  HD_TEAM_DIV, /* of a natural number by a positive one, rounding down */
  HD_TEAM_MOD,
  HD_TEAM_LOAD, /* what was in memory: (address, size, when: a number) */
  HD_TEAM_LE,
  HD_TEAM_EQ,
  HD_TEAM_NOT,
  HD_TEAM_AND,
  HD_TEAM_OR,
  HD_TEAM_ITE, /* (condition, then, else) */
} hd_team_op;

typedef struct {
  hd_team_op op;
  bool uniform;
  int64_t value;        /* CONST; SYMBOL: its number */
  uint8_t width;        /* SYMBOL: of its type, with sign; 0: not known */
  hd_team_term args[3]; /* 0 where unused */
} hd_team_term_node;

typedef struct hd_team_terms hd_team_terms;

hd_team_terms *hd_team_terms_new(void);
void hd_team_terms_delete(hd_team_terms *terms);
const hd_team_term_node *hd_team_term_at(const hd_team_terms *terms,
                                         hd_team_term term);

hd_team_term hd_team_term_const(hd_team_terms *terms, int64_t value);
hd_team_term hd_team_term_symbol(hd_team_terms *terms, bool uniform,
                                 uint8_t width);
/* How many symbols there are: the next one has this number. */
int64_t hd_team_term_symbols(const hd_team_terms *terms);
hd_team_term hd_team_term_load(hd_team_terms *terms, hd_team_term address,
                               uint64_t size, int64_t when);
/* Simplified where that is easy: sums are kept as a constant behind a rest. */
hd_team_term hd_team_term_make(hd_team_terms *terms, hd_team_op op,
                               hd_team_term a, hd_team_term b);
hd_team_term hd_team_term_ite(hd_team_terms *terms, hd_team_term condition,
                              hd_team_term a, hd_team_term b);
hd_team_term hd_team_term_sub(hd_team_terms *terms, hd_team_term a,
                              hd_team_term b);
hd_team_term hd_team_term_not(hd_team_terms *terms, hd_team_term a);
hd_team_term hd_team_term_lt(hd_team_terms *terms, hd_team_term a,
                             hd_team_term b);
bool hd_team_term_is_const(const hd_team_terms *terms, hd_team_term term,
                           int64_t *value);
/* The term without the constant that is added to it, and that constant. */
hd_team_term hd_team_term_split(hd_team_terms *terms, hd_team_term term,
                                int64_t *added);

/* Is it so whatever the symbols are? */
bool hd_team_term_is_multiple(const hd_team_terms *terms, hd_team_term term,
                              int64_t of);

/* Marks the symbols of a term; does it have one that is marked? No more marks. */
void hd_team_term_touch(hd_team_terms *terms, hd_team_term term);
bool hd_team_term_touches(const hd_team_terms *terms, hd_team_term term);
void hd_team_term_untouch(hd_team_terms *terms);

/* Bounds that follow from the types of the symbols alone; false: none. */
bool hd_team_term_bounds(const hd_team_terms *terms, hd_team_term term,
                         int64_t *least, int64_t *most);

/* For thread 0 or 1 of the two that are compared: as an integer, and as a
 * condition (not zero). One solver for the life of `terms`. */
hd_logic_expr hd_team_term_say(hd_team_terms *terms, hd_logic *logic,
                               hd_team_term term, int thread);
hd_logic_expr hd_team_term_claim(hd_team_terms *terms, hd_logic *logic,
                                 hd_team_term term, int thread);

#endif
