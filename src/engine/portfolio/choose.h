/* SPDX-License-Identifier: MIT */
/* Which engines shall decide a counter system, with what share of the time, and
 * why: from what is known about the system after its reduction. */
#ifndef HD_ENGINE_PORTFOLIO_CHOOSE_H
#define HD_ENGINE_PORTFOLIO_CHOOSE_H

#include "engine/engine.h"
#include "engine/portfolio/crew.h"

enum { HD_CHOICE_MOST = 8 };

typedef struct {
  const hd_engine *engine;
  double weight, head; /* see hd_crew_member */
  double rate;
  const char *why; /* static: a phrase */
} hd_chosen;

typedef struct {
  hd_chosen choices[HD_CHOICE_MOST];
  size_t size;
  double first; /* seconds for the first engine in this process; 0 = none */
} hd_choices;

/* For `net`, which is `reduced` (NULL: not), features and all. Engines that
 * refuse it are not in it. Depends on nothing but the net. */
hd_choices hd_choose(const hd_net *input, const hd_net *reduced);
/* Several lines, for --explain-choice. */
void hd_choices_print(hd_str *out, const hd_choices *choices,
                      const hd_net *input, const hd_net *reduced,
                      unsigned jobs);

#endif
