/* SPDX-License-Identifier: MIT */
/* Values for inputs. Most bugs show with few values: 0, 1, -1, the ends of the
 * range, and what the program compares with. */
#ifndef HD_ENGINE_EXPLORE_INPUTS_H
#define HD_ENGINE_EXPLORE_INPUTS_H

#include "engine/explore/common.h"

typedef struct {
  hd_vec(int64_t) constants; /* of comparisons, with their neighbours; sorted */
  bool repeats; /* in this run inputs mostly get the value of the one before */
  bool drawn;   /* there was one before */
  int64_t last; /* its value */
  int64_t hint; /* worth more tries than others; 0: none */
} hd_inputs;

void hd_inputs_init(hd_inputs *inputs, const hd_code *code);
void hd_inputs_free(hd_inputs *inputs);
/* Another run begins: in some all inputs are much the same. */
void hd_inputs_begin(hd_inputs *inputs, hd_rng *rng);

/* A choice for the enabled thread: at an input a value that is worth trying
 * more often than others, else any. */
uint64_t hd_inputs_draw(hd_inputs *inputs, hd_rng *rng,
                        const hd_machine *machine, hd_tid thread);
/* The choice that gives an input its plainest value: the hint, 0, or what is
 * nearest. */
uint64_t hd_inputs_plain(int64_t hint, const hd_machine *machine,
                         hd_tid thread);
/* Sets `out` to the choices worth trying of an input with too many of them. */
void hd_inputs_sample(const hd_inputs *inputs, const hd_machine *machine,
                      hd_tid thread, hd_turn_choices *out);

#endif
