/* SPDX-License-Identifier: MIT */
/* The figures below were found by measuring every engine alone on the suites of
 * bench/portfolio; docs/portfolio.md has the tables. In short: tse decides nine
 * in ten within a few milliseconds, by an inequality or a guided search. Where it
 * does not, bws with the equation's inequalities decides most of what is safe,
 * and km has either few configurations or too many. concolic and fws are the
 * best seldom, but then alone. Two things are known beforehand: a linear program
 * over many transitions takes longer than a short search, so that a large system
 * is searched first; and where no step changes the number of tokens, and that is
 * bounded, all there is can be seen, which tse and fws do best. */
#include "engine/portfolio/choose.h"

#include "engine/bws/bws.h"
#include "engine/concolic/concolic.h"
#include "engine/fws/fws.h"
#include "engine/km/km.h"
#include "engine/tse/tse.h"

/* What the first engine gets in this process, before there are others: it is
 * over by then on most inputs, and no process has been started. */
static const double moment = 0.02;
/* Transitions from which on a linear program takes longer than that. */
static const size_t large = 10000;
/* From here on memory, not time, may be what an engine runs out of: nothing is
 * tried in this process. */
static const size_t huge = 200000;

/* What each engine does in a second, in the looks that it takes at its limits. */
enum {
  TSE_RATE = 30000,
  KM_RATE = 150000,
  BWS_RATE = 20000,
  FWS_RATE = 40000,
  CONCOLIC_RATE = 20000
};

typedef struct {
  hd_choices *choices;
  const hd_net *input;
} chooser;

static void add(const chooser *c, const hd_engine *engine, double weight,
                double head, double rate, const char *why) {
  hd_choices *choices = c->choices;
  assert(choices->size < HD_CHOICE_MOST);
  if (engine->refuses & c->input->features)
    return;
  choices->choices[choices->size++] = (hd_chosen){.engine = engine,
                                                  .weight = weight,
                                                  .head = head,
                                                  .rate = rate,
                                                  .why = why};
}

static uint64_t sum(hd_tokens tokens) {
  uint64_t n = 0;
  for (size_t i = 0; i < tokens.size; i++)
    n += tokens.data[i].count;
  return n;
}

/* Is the number of tokens bounded, and does it never grow? */
static bool never_grows(const hd_net *net) {
  if (net->features & (HD_HAS_UNBOUNDED | HD_HAS_MOVES | HD_HAS_CHOICE))
    return false;
  for (hd_trans_id t = 0; t < net->trans.size; t++)
    if (sum(hd_net_pre(net, t)) < sum(hd_net_post(net, t)))
      return false;
  return true;
}

static void choose_finite(const chooser *c) {
  add(c, &hd_tse_engine, 4, 0, TSE_RATE, "sees everything, if it is not much");
  add(c, &hd_bws_engine, 0.75, 0.02, BWS_RATE,
      "complete; best where the target needs little");
  add(c, &hd_fws_engine, 1.5, 0.03, FWS_RATE, "the same, without a program");
  add(c, &hd_km_engine, 0.5, 0.05, KM_RATE,
      "complete; best where few configurations are maximal");
  add(c, &hd_concolic_engine, 0.5, 0.05, CONCOLIC_RATE,
      "loop summaries, where threads are needed in large numbers");
}

static void choose_any(const chooser *c, bool programs_first) {
  bool caps = c->input->features & (HD_HAS_CAPS | HD_HAS_TARGET_CAPS);
  if (programs_first) {
    add(c, &hd_tse_engine, 2, 0, TSE_RATE,
        "linear programs and short searches");
    add(c, &hd_bws_engine, 2, 0, BWS_RATE,
        "complete; best where the target needs little");
  }
  add(c, &hd_km_engine, 2, 0, KM_RATE,
      "complete; best where few configurations are maximal");
  if (!programs_first) {
    add(c, &hd_tse_engine, 3, 0, TSE_RATE, "linear programs, which are large");
    add(c, &hd_bws_engine, 2, 0, BWS_RATE,
        "complete; best where the target needs little");
  }
  add(c, &hd_fws_engine, caps ? 1.5 : 0.5, 0.03, FWS_RATE,
      caps ? "decides upper guards if the search ends"
           : "best where a bug is near, or all is finite");
  add(c, &hd_concolic_engine, 0.5, 0.05, CONCOLIC_RATE,
      "loop summaries, where threads are needed in large numbers");
}

hd_choices hd_choose(const hd_net *input, const hd_net *reduced) {
  const hd_net *net = reduced ? reduced : input;
  hd_choices choices = {.first = net->trans.size < huge ? moment : 0};
  chooser c = {.choices = &choices, .input = input};
  if (net->trans.size < large && never_grows(input))
    choose_finite(&c);
  else
    choose_any(&c, net->trans.size < large);
  return choices;
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
  if (choices->first > 0 && choices->size)
    hd_str_printf(out,
                  "first: %s for %.0f ms in this process; decides most "
                  "inputs\n",
                  choices->choices[0].engine->name, choices->first * 1000);
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
