/* SPDX-License-Identifier: MIT */
/* First-order logic over integers, reals and arrays, decided by Z3 where it
 * can: expressions are built once and stay as long as the solver, questions are
 * sets of them. */
#ifndef HD_SOLVE_LOGIC_H
#define HD_SOLVE_LOGIC_H

#include "base/str.h"
#include "solve/smt.h" /* hd_smt_status */

typedef struct hd_logic hd_logic;
typedef uint32_t hd_logic_expr;

typedef enum {
  HD_LOGIC_BOOL,
  HD_LOGIC_INT,
  HD_LOGIC_REAL,
  HD_LOGIC_INTS, /* arrays over integers */
  HD_LOGIC_REALS,
} hd_logic_sort;

typedef enum {
  HD_LOGIC_ADD,
  HD_LOGIC_MUL,
  HD_LOGIC_RDIV, /* of reals */
  HD_LOGIC_IDIV, /* of integers; remainder at least 0 */
  HD_LOGIC_MOD,
  HD_LOGIC_TOREAL,
  HD_LOGIC_FLOOR, /* of a real */
  HD_LOGIC_ITE,
  HD_LOGIC_SELECT,
  HD_LOGIC_STORE,
  HD_LOGIC_EQ,
  HD_LOGIC_LE,
  HD_LOGIC_LT,
  HD_LOGIC_NOT,
  HD_LOGIC_AND,
  HD_LOGIC_OR,
} hd_logic_op;

hd_logic *hd_logic_new(void);
void hd_logic_delete(hd_logic *logic);

/* `text`: "12", "-3", "7/2". */
hd_logic_expr hd_logic_number(hd_logic *logic, hd_logic_sort sort,
                              const char *text);
hd_logic_expr hd_logic_bool(hd_logic *logic, bool value);
/* A constant; the same name and sort are the same constant. */
hd_logic_expr hd_logic_const(hd_logic *logic, const char *name,
                             hd_logic_sort sort);
/* An uninterpreted function's value. */
hd_logic_expr hd_logic_call(hd_logic *logic, const char *name,
                            hd_logic_sort sort, const hd_logic_expr *args,
                            const hd_logic_sort *sorts, size_t n);
hd_logic_expr hd_logic_apply(hd_logic *logic, hd_logic_op op,
                             const hd_logic_expr *args, size_t n);
/* The array that is `value` everywhere. */
hd_logic_expr hd_logic_fill(hd_logic *logic, hd_logic_expr value);
/* `bound` is a hd_logic_const of integers. */
hd_logic_expr hd_logic_quantify(hd_logic *logic, bool forall,
                                hd_logic_expr bound, hd_logic_expr body);

/* Can all of them hold? It gives up after some work, as much as `seconds` of
 * the processor can do (0 = no limit): that does not depend on how busy the
 * machine is. And after several times as long on the clock, or at the time
 * `deadline` (hd_now (); 0 = none). */
hd_smt_status hd_logic_check(hd_logic *logic, const hd_logic_expr *facts,
                             size_t n, double seconds, double deadline);
/* After HD_SMT_SAT: the value of a number, as hd_logic_number takes it. */
HD_MUST_USE bool hd_logic_value(hd_logic *logic, hd_logic_expr expr,
                                hd_str *out);

#endif
