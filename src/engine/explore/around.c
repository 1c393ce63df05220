/* SPDX-License-Identifier: MIT */
/* What comes before the exhaustive search and behind it: a few runs to learn from,
 * and the figures. */
#include "engine/explore/search.h"

#include "base/bitset.h"
#include "model/calls.h"

#define WARM_RUNS 4
#define WARM_MOVES 8000
#define WARM_WORK 400000 /* threads looked at, in all moves of a run */

void hd_search_warm_up(hd_search *s) {
  hd_rng rng = hd_rng_new(s->options->seed);
  s->first = hd_machine_new(s->code, &s->machine);
  for (int i = 0; i < WARM_RUNS && !s->options->no_reduction; i++) {
    hd_machine *machine = hd_machine_copy(s->first);
    size_t work = 0;
    for (int k = 0; k < WARM_MOVES && work < WARM_WORK &&
                    !hd_search_ended(machine) && hd_search_may_go_on(s);
         k++) {
      work += hd_machine_threads(machine);
      hd_future_poses(s->future, machine, NULL, &s->poses);
      size_t n = s->poses.size;
      hd_vec_resize(&s->set, hd_bits_words(n) + 1);
      hd_future_enabled(s->future, s->poses.data, n, s->set.data);
      if (!hd_bits_count(s->set.data, hd_bits_words(n)))
        break;
      hd_tid t;
      do
        t = (hd_tid)hd_rng_below(&rng, n);
      while (!hd_bits_test(s->set.data, t));
      hd_turn turn = {.thread = t};
      if (!hd_symbols_choice(machine, t, &turn.choice))
        turn.choice = hd_inputs_draw(&s->inputs, &rng, machine, t);
      hd_search_make(s, machine, turn);
    }
    hd_machine_delete(machine);
  }
}

void hd_search_put_stats(hd_search *s) {
  uint64_t reduced = 0, pruned = 0;
  for (uint32_t i = 0; i < s->graph.nodes.size; i++) {
    reduced += !hd_search_node(s, i)->full;
    const uint64_t *enabled = hd_search_enabled(s, i);
    const uint64_t *explored = hd_graph_explored(&s->graph, i);
    for (size_t w = 0; w < hd_bits_words(hd_search_node(s, i)->n_poses); w++)
      pruned += (uint64_t)__builtin_popcountll(enabled[w] & ~explored[w]);
  }
  hd_explore_result *r = s->result;
  hd_findings_stat(r, "explore.states", "", (double)s->graph.nodes.size,
                   "states stored");
  hd_findings_stat(r, "explore.moves", "", (double)s->moves, "moves made");
  hd_findings_stat(r, "explore.depth", "", (double)s->depth,
                   "states on the longest way of the search");
  hd_findings_stat(r, "explore.reduced", "", (double)reduced,
                   "states in which not every thread was moved");
  hd_findings_stat(r, "explore.pruned", "", (double)pruned,
                   "threads that could move there and were not moved");
  hd_findings_stat(r, "explore.reopened", "", (double)s->reopened,
                   "states that were explored further later");
  hd_findings_stat(r, "explore.dropped", "", (double)s->dropped,
                   "states from which the run only ends, as the others see");
  if (s->symbols)
    hd_findings_stat(r, "explore.classes", "", (double)s->classes,
                     "classes of values of inputs that were gone through");
  hd_findings_stat(
      r, "explore.bytes", "bytes",
      (double)(s->graph.states.blocks.bytes + s->graph.states.states.bytes),
      "memory for the states");
}

bool hd_search_keeps_signals(const hd_code *code) {
  for (hd_vec_each(const hd_cedge, e, &code->edges)) {
    if (e->act != HD_CODE_CALL)
      continue;
    hd_func_id callee = hd_call_callee(code, e);
    if (callee == HD_NO_ID)
      return false;
    hd_library_fn fn = hd_call_library(code, callee);
    hd_action action = hd_library_action(fn);
    if (hd_library_kind_of(fn) == HD_LIBRARY_COND &&
        (action == HD_DO_MAKE || action == HD_DO_UNMAKE))
      return false;
  }
  return true;
}

/* Where sections or assumptions decide who waits for whom, knowing that is worth
 * more than leaving out numbers of threads. */
bool hd_search_wants_names(const hd_search *s) {
  const hd_code *code = s->code;
  for (hd_vec_each(const hd_cedge, e, &code->edges)) {
    hd_func_id callee = hd_call_callee(code, e);
    if (callee == HD_NO_ID)
      continue;
    hd_action action = hd_library_action(hd_call_library(code, callee));
    if (action == HD_DO_ASSUME || action == HD_DO_ENTER ||
        action == HD_DO_LEAVE || hd_func_is_section(&code->funcs.data[callee]))
      return true;
  }
  return s->options->no_reduction || s->options->names;
}

/* Somebody has compared what may come again: once more, with that as a choice. */
void hd_search_heed_told(hd_search *s) {
  if (s->again || s->stopped)
    return;
  if (hd_search_lacks_names(s) || hd_search_lacks_heaps(s) ||
      hd_search_lacks_order(s)) {
    s->again = true;
    return;
  }
  if (hd_machine_vague(s->first))
    hd_search_incomplete(s, hd_machine_vague(s->first));
  if (s->reuse || !hd_machine_told(s->first))
    return;
  s->reuse = s->again = true;
}

/* --- inputs as variables --- */

bool hd_search_lacks_symbols(const hd_search *s) {
  return (s->wants_symbols && !s->symbols) ||
         (s->symbols && hd_symbols_crowded(s->symbols));
}

bool hd_search_changes_inputs(hd_search *s) {
  if (!hd_search_lacks_symbols(s))
    return false;
  s->crowded = s->symbols != NULL;
  hd_symbols_delete(s->symbols);
  s->symbols = s->crowded ? NULL : hd_symbols_new();
  s->wants_symbols = !s->crowded;
  s->heaps = false; /* numbers of terms are no addresses */
  return true;
}

/* Many classes: the others should have a larger share. */
#define CLASSES_MANY 256

bool hd_search_tries_others(hd_search *s) {
  assert(s->symbols);
  double most = 10, left = s->run->deadline - hd_now();
  if (s->run->deadline > 0 && left < most)
    most = left > 0.01 ? left : 0.01;
  s->classes++;
  if (s->options->sampled && s->classes > CLASSES_MANY)
    *s->options->sampled = true;
  /* No machine may be left that has terms; the first is made anew. */
  switch (hd_symbols_advance(s->symbols, most)) {
  case HD_SYMBOLS_MORE:
    return true;
  case HD_SYMBOLS_OPEN:
    hd_search_incomplete(s, "the solver does not tell whether other values of "
                            "inputs would make a difference");
    return false;
  case HD_SYMBOLS_ALL:
    break;
  }
  return false;
}

/* --- what turns out in the course of the search --- */

/* Whether memory is freed before or behind the making of other memory counts. */
bool hd_search_lacks_order(const hd_search *s) {
  return s->leaps && !s->orders && s->first && hd_machine_suspect(s->first);
}

/* Blocks of the heap are told apart after all. */
bool hd_search_lacks_heaps(const hd_search *s) {
  return s->heaps && s->first && hd_machine_obscured(s->first);
}

/* Threads are told apart after all. */
bool hd_search_lacks_names(const hd_search *s) {
  return s->nameless &&
         (s->named || (s->first && hd_machine_asymmetric(s->first)));
}

/* Races of opaque actions are found by clocks. */
bool hd_search_lacks_clocks(const hd_search *s) {
  return s->needs_clocks && !s->machine.clocks && s->stack.size &&
         hd_search_minds_races(s);
}
