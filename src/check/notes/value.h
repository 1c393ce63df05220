/* SPDX-License-Identifier: MIT */
/* Sets of values, for annotations: up to 16 single ones, an interval of signed
 * numbers, a span of addresses in one object, or anything. Small sets are
 * computed with by evaluating every element (check/notes/compute.h), so that
 * there is little to get wrong here; neither has to do with src/domain or
 * model/eval.h, which the engines use. */
#ifndef HD_CHECK_NOTES_VALUE_H
#define HD_CHECK_NOTES_VALUE_H

#include "model/code.h"

enum { HD_NOTE_MOST = 16 };

/* A number, or the address of byte `bits` of an object. */
typedef struct {
  uint32_t base; /* HD_NO_ID: a number, masked to its width */
  uint64_t bits;
} hd_note_elem;

typedef enum {
  HD_NOTE_SET,   /* empty: no value at all */
  HD_NOTE_RANGE, /* lo … hi as signed numbers of the width, lo < hi */
  HD_NOTE_SPAN,  /* addresses: bytes lo … hi of the object `base`, 0 <= lo */
  HD_NOTE_ANY,   /* whatever, pointers too */
} hd_note_shape;

typedef struct {
  uint8_t kind;
  uint8_t n;
  uint32_t base; /* SPAN */
  int64_t lo, hi;
  hd_note_elem elems[HD_NOTE_MOST]; /* ascending */
} hd_note_value;

hd_note_value hd_note_any(void);
hd_note_value hd_note_none(void);
hd_note_value hd_note_number(uint64_t bits);
hd_note_value hd_note_address(uint32_t base, uint64_t offset);
/* lo … hi of a width, as signed numbers. */
hd_note_value hd_note_range(uint8_t width, int64_t lo, int64_t hi);
/* Every number of the type; for pointers and floats anything. */
hd_note_value hd_note_full(hd_type type);

bool hd_note_empty(const hd_note_value *v);
bool hd_note_is_any(const hd_note_value *v);
/* Bytes lo … hi of one object, whether as a span or one by one. */
bool hd_note_span(const hd_note_value *v, uint32_t *base, int64_t *lo,
                  int64_t *hi);
/* Exactly one element. */
bool hd_note_single(const hd_note_value *v, hd_note_elem *elem);
/* May a truth value be 1 (0)? */
bool hd_note_may(const hd_note_value *v, uint64_t bit);
/* May a number be another one than 0 (be 0)? */
bool hd_note_may_be(const hd_note_value *v, bool truth);

bool hd_note_within(uint8_t width, const hd_note_value *a,
                    const hd_note_value *b);
hd_note_value hd_note_join(uint8_t width, const hd_note_value *a,
                           const hd_note_value *b);
/* What is in `v` and, as a signed number, in lo … hi. */
hd_note_value hd_note_cut(uint8_t width, const hd_note_value *v, int64_t lo,
                          int64_t hi);
/* Least and greatest as signed numbers; false when it may be something else. */
bool hd_note_bounds(uint8_t width, const hd_note_value *v, int64_t *lo,
                    int64_t *hi);
void hd_note_limits(uint8_t width, int64_t *lo, int64_t *hi);

/* What is left of `v` when `v` OP some number of lo … hi holds. */
hd_note_value hd_note_narrowed(hd_code_op op, uint8_t width,
                               const hd_note_value *v, int64_t lo, int64_t hi);
/* The bits of a cell as a value of the type; and the other way round, where higher
 * bits of the last byte are zero. */
hd_note_value hd_note_loaded(hd_type type, const hd_note_value *v);
hd_note_value hd_note_stored(hd_type type, const hd_note_value *v);

/* Is it what can be in so many bits: numbers masked, bounds within the type? */
bool hd_note_fits(uint8_t width, const hd_note_value *v);

/* What operations may rely on about the object that an address points into. */
typedef struct {
  uint64_t size;
  uint64_t align; /* its address is a multiple of that; 0: not known */
  bool opaque;    /* no address at all: can be copied, nothing else is known */
  bool nullable;  /* perhaps there is none: null */
  bool merged;    /* may share its bytes with others of the same contents */
  bool code;      /* a function */
} hd_note_facts;

typedef struct {
  hd_note_facts (*of)(const void *context, uint32_t base);
  const void *context;
} hd_note_world;

/* The operation on all pairs; `b` is not used where there is one operand. Sets
 * `*bad` where it may have no value: division by zero, an index out of range. */
hd_note_value hd_note_apply(const hd_note_world *world, const hd_cexpr *e,
                            hd_type from, const hd_note_value *a,
                            const hd_note_value *b, bool *bad);

/* Registers of one function, by the expressions that name them. */
typedef struct {
  const hd_code *code;
  void *context;
  hd_note_value (*eval)(void *context, hd_cexpr_id id);
  hd_note_value (*get)(void *context, const hd_cexpr *reg);
  void (*set)(void *context, const hd_cexpr *reg, const hd_note_value *v);
} hd_note_frame;

/* The condition is not 0, or is: what is left of the registers in it. */
void hd_note_condition(const hd_note_frame *frame, hd_cexpr_id id, bool truth);

#endif
