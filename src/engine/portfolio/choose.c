/* SPDX-License-Identifier: MIT */
/* The figures below were found by measuring every engine alone on the suites of
 * bench/portfolio; docs/portfolio.md has the tables. In short: tse decides nine
 * in ten within a few milliseconds, by an inequality or a guided search; where it
 * does not, km is the best more often than any other, then bws; concolic and fws
 * are the best seldom, but then alone. */
#include "engine/portfolio/choose.h"

#include "engine/bws/bws.h"
#include "engine/concolic/concolic.h"
#include "engine/fws/fws.h"
#include "engine/km/km.h"
#include "engine/tse/tse.h"

/* What tse gets in this process, before there are others: it is over by then on
 * most inputs, and no process has been started. */
static const double moment = 0.04;
/* From here on memory, not time, may be what an engine runs out of: nothing is
 * tried in this process. */
static const size_t large = 200000;

static void add(hd_choices *choices, const hd_engine *engine,
                const hd_net *input, double weight, double head, double rate,
                const char *why) {
  assert(choices->size < HD_CHOICE_MOST);
  if (engine->refuses & input->features)
    return;
  choices->choices[choices->size++] = (hd_chosen){.engine = engine,
                                                  .weight = weight,
                                                  .head = head,
                                                  .rate = rate,
                                                  .why = why};
}

hd_choices hd_choose(const hd_net *input, const hd_net *reduced) {
  const hd_net *net = reduced ? reduced : input;
  hd_choices c = {.first = net->trans.size < large ? moment : 0};
  bool caps = input->features & (HD_HAS_CAPS | HD_HAS_TARGET_CAPS);
  bool unbounded = input->features & HD_HAS_UNBOUNDED;
  bool weights = input->features & HD_HAS_WEIGHTS;
  /* The search is finite, or as good as, when nothing grows. */
  bool finite = !unbounded && !weights;
  add(&c, &hd_tse_engine, input, 2, 0, 10000,
      "what a moment was too short for");
  add(&c, &hd_km_engine, input, 2, 0, 200000,
      "complete; best where few configurations are maximal");
  add(&c, &hd_bws_engine, input, finite ? 0.75 : 1.5, 0, 1000,
      caps ? "complete but for upper guards"
           : "complete; best where the target needs little");
  add(&c, &hd_fws_engine, input, finite || caps ? 1.5 : 0.5, 0.02, 10000,
      caps ? "decides upper guards if the search ends"
           : "best where a bug is near, or all is finite");
  add(&c, &hd_concolic_engine, input, 0.5, 0.05, 2000,
      "loop summaries, where threads are needed in large numbers");
  return c;
}

static void print_features(hd_str *out, const hd_net *input,
                           const hd_net *reduced) {
  static const struct {
    hd_feature feature;
    const char *what;
  } names[] = {
      {HD_HAS_UNBOUNDED, "unboundedly many initial tokens"},
      {HD_HAS_WEIGHTS, "transitions with several tokens"},
      {HD_HAS_MOVES, "transfers or broadcasts"},
      {HD_HAS_CHOICE, "broadcasts with a choice"},
      {HD_HAS_RESETS, "resets"},
      {HD_HAS_CAPS, "upper guards"},
      {HD_HAS_TARGET_CAPS, "targets with upper bounds"},
  };
  hd_str_printf(out,
                "input: %u shared states, %u places, %zu transitions, %zu "
                "targets",
                input->n_shared, input->n_places, input->trans.size,
                input->targets.size);
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (input->features & names[i].feature)
      hd_str_printf(out, "; %s", names[i].what);
  hd_str_puts(out, "\n");
  if (reduced)
    hd_str_printf(out,
                  "reduced: %u shared states, %u places, %zu transitions\n",
                  reduced->n_shared, reduced->n_places, reduced->trans.size);
}

void hd_choices_print(hd_str *out, const hd_choices *choices,
                      const hd_net *input, const hd_net *reduced,
                      unsigned jobs) {
  print_features(out, input, reduced);
  if (choices->first > 0)
    hd_str_printf(out,
                  "first: tse for %.0f ms in this process; decides most "
                  "inputs\n",
                  choices->first * 1000);
  else
    hd_str_puts(out, "first: nothing in this process; the input is large\n");
  hd_str_printf(out, "then: a process each, %u at once%s\n", jobs,
                jobs == 1 ? ", turns counted in steps" : "");
  for (size_t i = 0; i < choices->size; i++) {
    const hd_chosen *c = &choices->choices[i];
    hd_str_printf(out, "  %-9s share %.2f%s  %s\n", c->engine->name, c->weight,
                  c->head > 0 ? ", a little later" : "", c->why);
  }
}
