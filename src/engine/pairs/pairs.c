/* SPDX-License-Identifier: MIT */
#include "engine/pairs/pairs.h"

#include "engine/pairs/proof.h"
#include "engine/pairs/tally.h"

#include <string.h>

static const char engine_name[] = "pairs";

static void say_failing(const hd_code *code, const pproof *proof,
                        hd_result *result) {
  assert(proof->failing->fails && !proof->proved);
  hd_str text = {0};
  hd_code_print_pos(&text, code, code->edges.data[proof->failing->edge].pos);
  hd_result_unknown(result, "%s: %s, as far as pairs can tell",
                    hd_str_text(&text), proof->failing->what);
  hd_str_free(&text);
}

static void report(const psystem *s, const pproof *proof, size_t predicates,
                   int level, hd_result *result) {
  const struct {
    const char *name;
    double value;
    const char *help;
  } stats[] = {
      {"pairs.places", (double)s->places.size, "where a thread can stand"},
      {"pairs.steps", (double)s->steps.size,
       "of a thread, from place to place"},
      {"pairs.level", (double)level, "how predicates were looked for"},
      {"pairs.predicates", (double)predicates, "that were tracked"},
      {"pairs.pairs", (double)proof->pairs, "of places that two threads reach"},
      {"pairs.rules", (double)proof->rules, "that make the proof"},
      {"pairs.questions", (double)proof->questions, "to the solver"},
      {"pairs.models", (double)proof->models, "answers with a state"},
  };
  for (size_t i = 0; i < sizeof stats / sizeof *stats; i++)
    hd_result_stat(result, stats[i].name, "", stats[i].value, stats[i].help);
}

static bool all_apart(const pmeetings *meetings) {
  for (size_t i = 0; meetings && i < meetings->size; i++)
    if (!meetings->data[i].apart)
      return false;
  return true;
}

static void prove(const hd_code *code, psystem *s, pmeetings *meetings,
                  hd_run *run, hd_result *result) {
  hd_bv *bv = hd_bv_new();
  ppredicates predicates = {0};
  pproof proof = {0};
  int level = 1;
  size_t before = SIZE_MAX;
  uint64_t questions = 0, models = 0;
  for (; level <= PREDICATE_LEVELS; level++) {
    hd_pairs_predicates_find(s, level, &predicates);
    if (predicates.size == before)
      continue;
    before = predicates.size;
    proof = (pproof){.questions = questions, .models = models};
    hd_pairs_saturate(s, &predicates, run, bv, &proof, meetings, NULL);
    questions = proof.questions;
    models = proof.models;
    if ((proof.proved && all_apart(meetings)) || proof.reason)
      break;
  }
  if (proof.proved && all_apart(meetings))
    result->verdict = HD_SAFE;
  else if (proof.reason)
    hd_result_unknown(result, "%s", proof.reason);
  else if (proof.failing)
    say_failing(code, &proof, result);
  else if (!meetings)
    hd_result_unknown(result, "no predicates");
  report(s, &proof, predicates.size, level, result);
  hd_vec_free(&predicates);
  hd_bv_delete(bv);
}

static void set_safe(hd_result *result) {
  result->verdict = HD_SAFE;
  hd_free(result->reason);
  result->reason = NULL;
}

/* By sums over all threads, which know who has ended and was joined. Says nothing
 * when it is not proved so. True: what is known holds, but for `left`. */
static bool tally(const hd_code *code, psurroundings surroundings,
                  pmeetings *meetings, hd_run *run, hd_result *result,
                  pfailures *left) {
  psystem system = {0};
  hd_str why = {0};
  ptally tally = {0};
  surroundings.joins = true;
  if (hd_pairs_system_read(code, &surroundings, run, &system, &why)) {
    hd_pairs_system_slice(&system);
    hd_bv *bv = hd_bv_new();
    hd_pairs_tally(&system, run, bv, &tally, meetings);
    hd_bv_delete(bv);
  }
  if (tally.proved && all_apart(meetings)) {
    set_safe(result);
    hd_result_stat(result, "pairs.sums", "", (double)tally.sums,
                   "over all threads, that no step changes");
    hd_result_stat(result, "pairs.facts", "", (double)tally.facts,
                   "about single threads");
    hd_result_stat(result, "pairs.questions", "", (double)tally.questions,
                   "to the solver");
  }
  *left = tally.left;
  hd_str_free(&why);
  hd_pairs_system_free(&system);
  return tally.inductive;
}

/* Gives up what is not in `other`. */
static void intersect(pfailures *left, const pfailures *other) {
  size_t kept = 0;
  for (size_t i = 0; i < left->size; i++)
    for (hd_vec_each(const pfailure, f, other))
      if (f->edge == left->data[i].edge &&
          strcmp(f->what, left->data[i].what) == 0) {
        left->data[kept++] = left->data[i];
        break;
      }
  left->size = kept;
}

/* What sums have left is excluded by what holds of any two threads, or the other
 * way round: the first thing that goes wrong in a run would be one that neither
 * excludes. */
static void share(const hd_code *code, const psurroundings *surroundings,
                  pmeetings *meetings, hd_run *run, hd_result *result,
                  pfailures *left) {
  psystem s = {0};
  hd_str why = {0};
  size_t before = SIZE_MAX;
  if (hd_pairs_system_read(code, surroundings, run, &s, &why)) {
    hd_pairs_system_slice(&s);
    hd_bv *bv = hd_bv_new();
    ppredicates predicates = {0};
    for (int level = 1; level <= PREDICATE_LEVELS && hd_run_check(run) &&
                        result->verdict != HD_SAFE;
         level++) {
      hd_pairs_predicates_find(&s, level, &predicates);
      if (predicates.size == before)
        continue;
      before = predicates.size;
      pproof proof = {0};
      pfailures other = {0};
      hd_pairs_saturate(&s, &predicates, run, bv, &proof, meetings, &other);
      if (proof.proved)
        intersect(left, &other);
      hd_vec_free(&other);
      if (!left->size && all_apart(meetings))
        set_safe(result);
    }
    hd_vec_free(&predicates);
    hd_bv_delete(bv);
  }
  hd_str_free(&why);
  hd_pairs_system_free(&s);
}

/* Of assertions, or of meetings where there are some. */
static void prove_all(const hd_code *code, bool malloc_fails,
                      pmeetings *meetings, hd_run *run, hd_result *result) {
  psurroundings surroundings = {.malloc_fails = malloc_fails,
                                .meetings = meetings};
  psystem system = {0};
  hd_str why = {0};
  result->engine = engine_name;
  if (hd_pairs_system_read(code, &surroundings, run, &system, &why)) {
    hd_pairs_system_slice(&system);
    prove(code, &system, meetings, run, result);
  } else {
    hd_result_unknown(result, "%s", hd_str_text(&why));
  }
  hd_str_free(&why);
  hd_pairs_system_free(&system);
  pfailures left = {0};
  if (result->verdict != HD_SAFE && hd_run_check(run) &&
      tally(code, surroundings, meetings, run, result, &left) &&
      result->verdict != HD_SAFE)
    share(code, &surroundings, meetings, run, result, &left);
  hd_vec_free(&left);
  result->engine = engine_name;
}

void hd_pairs_prove(const hd_code *code, bool malloc_fails, hd_run *run,
                    hd_result *result) {
  prove_all(code, malloc_fails, NULL, run, result);
}

static void say_fear(const hd_code *code, const pmeetings *meetings,
                     hd_result *result) {
  assert(!all_apart(meetings)); /* there is one that is left */
  const pmeeting *m = meetings->data;
  while (m->apart)
    m++;
  hd_str text = {0};
  hd_code_print_pos(&text, code, code->edges.data[m->a].pos);
  hd_str_puts(&text, " and ");
  hd_code_print_pos(&text, code, code->edges.data[m->b].pos);
  hd_free(result->reason);
  result->reason = NULL;
  hd_result_unknown(result,
                    "%s: two threads may be there at once, as far as "
                    "pairs can tell",
                    hd_str_text(&text));
  hd_str_free(&text);
}

void hd_pairs_keep_apart(const hd_code *code, bool malloc_fails,
                         const hd_pairs_fear *fears, size_t n, hd_run *run,
                         hd_result *result) {
  pmeetings meetings = {0};
  for (size_t i = 0; i < n; i++)
    hd_vec_push(&meetings, ((pmeeting){.a = fears[i].a, .b = fears[i].b}));
  prove_all(code, malloc_fails, &meetings, run, result);
  assert((result->verdict == HD_SAFE) <= all_apart(&meetings));
  if (result->verdict != HD_SAFE && !result->reason)
    say_fear(code, &meetings, result);
  hd_vec_free(&meetings);
}
