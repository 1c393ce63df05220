/* SPDX-License-Identifier: MIT */
/* Concrete values for the inputs of annotated programs: given by a
 * counterexample, or chosen so that the conditions of the inputs hold. */
#ifndef HD_API_INPUTS_H
#define HD_API_INPUTS_H

#include "check/interp/interp.h"
#include "model/formula.h"
#include "model/turns.h"

typedef struct {
  const hd_notes *notes;
  hd_vec(hd_given) given; /* one for each input variable; bytes are owned */
} hd_input_values;

/* All zero. Arrays of variable length get as many elements as they turn out to
 * have, up to 4,096. */
void hd_input_values_start(hd_input_values *inputs, const hd_notes *notes);
void hd_input_values_drop(hd_input_values *inputs);

/* `name` as a C programmer writes it, "n" or "a[3]"; `value` a decimal number or
 * a fraction. False when there is no such input, or it has no room for it. */
HD_MUST_USE bool hd_input_values_set(hd_input_values *inputs, const char *name,
                                     const char *value);
/* Small numbers, by chance; `extreme`: also such as do not behave like numbers of
 * mathematics: the largest, NaN. False when none were found that satisfy the
 * conditions of the inputs. */
HD_MUST_USE bool hd_input_values_choose(hd_input_values *inputs, uint64_t seed,
                                        bool extreme);
/* Do the conditions of all inputs hold? */
HD_MUST_USE bool hd_input_values_allowed(const hd_input_values *inputs);
/* Inputs of the same name and size get the values that they have in `from`. */
void hd_input_values_copy(hd_input_values *to, const hd_input_values *from);

/* Assumptions of annotations, `holds` of a machine's options; `assumptions` are
 * the values of inputs. One that cannot be evaluated does not hold. */
bool hd_assumptions_hold(void *assumptions, const hd_machine *machine,
                         hd_edge_id edge);

/* The values that are not 0, and at least one, so that they can be set again. */
void hd_input_values_save(const hd_input_values *inputs, hd_start *start);
/* The values that were saved; others are 0. */
void hd_input_values_load(hd_input_values *inputs, const hd_start *start);
/* As text: "n = 3"; of arrays the first elements. Appends to `out`, each owned
 * by the caller. */
typedef hd_vec(char *) hd_texts;
void hd_input_values_describe(const hd_input_values *inputs, hd_texts *out);

/* The value of a scalar of type `ctype` with these bits. */
void hd_inputs_print_value(hd_str *out, const hd_code *code, hd_ctype_id ctype,
                           uint64_t bits);

double hd_value_number(const hd_code *code, hd_ctype_id ctype, uint64_t bits);

#endif
