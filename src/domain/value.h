/* SPDX-License-Identifier: MIT */
/* Abstract values: what is known about one register or memory cell.
 *
 * A value stands for a set of bit patterns of one width: integers, as an interval
 * of those with the sign bit clear and one of those with it set, which is exact
 * enough for the signed and the unsigned view alike; addresses inside certain
 * objects with an interval of byte offsets; and possibly "undefined", that is
 * uninitialised or poison. Null is the integer 0. A *wild*
 * value may also be any address: whoever accesses memory through it has to give
 * up.
 *
 * All operations are sound for machine arithmetic with wrap-around: every result
 * that some concrete operands give is in the abstract result. That something
 * undefined may happen is reported besides. */
#ifndef HD_DOMAIN_VALUE_H
#define HD_DOMAIN_VALUE_H

#include "model/code.h"

typedef uint32_t hd_object_id; /* numbers are given by the abstract state */

/* Addresses object + lo, object + lo + stride … up to object + hi. */
typedef struct {
  hd_object_id object;
  uint32_t stride; /* 0 exactly when lo == hi */
  int64_t lo, hi;
} hd_pointee;

enum { HD_MAX_TARGETS = 6 }; /* more: wild */

typedef struct {
  int64_t plo, phi; /* 0 ≤ plo ≤ phi; plo > phi: there is none */
  int64_t nlo, nhi; /* nlo ≤ nhi < 0, in the signed view; nlo > nhi: none */
  bool undef, wild;
  uint8_t n_targets;
  /* A name the caller gave to what it knows about this one value besides, like a
   * term it equals; 0: none. What is not the same value loses it: results of
   * operations, joins of values with different names. */
  uint32_t term;
  hd_pointee targets[HD_MAX_TARGETS]; /* ascending by object, one each */
} hd_value;

/* What may go wrong in an operation. */
typedef enum {
  HD_MAY_OVERFLOW = 1,
  HD_MAY_DIVIDE_BY_ZERO = 2,
  HD_MAY_SHIFT_TOO_FAR = 4,
  HD_MAY_BE_UNDEFINED = 8, /* an undefined operand decides the result */
  HD_MAY_LEAVE_ARRAY = 16,
} hd_mays;

hd_value hd_value_none(void); /* of no value: unreachable */
hd_value hd_value_any(uint8_t width);
hd_value hd_value_const(uint8_t width, uint64_t bits);
hd_value hd_value_unsigned(uint8_t width, uint64_t lo, uint64_t hi);
hd_value hd_value_signed(uint8_t width, int64_t lo, int64_t hi);
hd_value hd_value_address(hd_object_id object, int64_t lo, int64_t hi);
hd_value hd_value_undefined(void); /* nothing but undefined */

bool hd_value_has_int(const hd_value *v);
bool hd_value_is_none(const hd_value *v);
/* Is it exactly one defined integer? */
bool hd_value_is_const(const hd_value *v, uint64_t *bits);
/* May it be this integer? */
bool hd_value_contains(const hd_value *v, uint8_t width, uint64_t bits);
/* Exactly one address, never null or anything else? */
bool hd_value_is_address(const hd_value *v, hd_object_id *object,
                         int64_t *offset);

bool hd_value_same(const hd_value *a, const hd_value *b);
bool hd_value_within(const hd_value *a, const hd_value *b);
uint64_t hd_value_hash(const hd_value *v);
hd_value hd_value_join(uint8_t width, const hd_value *a, const hd_value *b);
/* Never smaller than the set of values in both. */
hd_value hd_value_meet(uint8_t width, const hd_value *a, const hd_value *b);
/* Where growing bounds stop on their way to the end of the type: ascending. */
typedef struct {
  const int64_t *bounds;
  size_t n;
} hd_widening;

/* An upper bound of both; a chain of these ends. `a` is the older one. */
hd_value hd_value_widen(uint8_t width, const hd_value *a, const hd_value *b,
                        const hd_widening *how);

/* The result of an operation with operands (leaves are not operations). `types`
 * are those of the operands. Adds to `*mays`. */
hd_value hd_value_apply(hd_code_op op, uint8_t flags, hd_type type,
                        const hd_type *types, const hd_value *args,
                        hd_mays *mays);
/* Keeps of `a` and `b` what can make the comparison `op` (EQ … SGE) give `truth`;
 * false when nothing can. */
HD_MUST_USE bool hd_value_refine(hd_code_op op, bool truth, uint8_t width,
                                 hd_value *a, hd_value *b);

/* PTRADD where the distance is known to be a multiple of `step` plus `fixed`;
 * `by` is the multiple alone. */
hd_value hd_value_move(uint8_t width, const hd_value *p, int64_t fixed,
                       const hd_value *by, uint32_t step);

#endif
