/* SPDX-License-Identifier: MIT */
#include "api/program.h"

#include "check/check.h"
#include "check/program.h"
#include "engine/fly/fly.h"
#include "engine/km/km.h"

#include <string.h>

hd_init hd_program_threads(const hd_program *program) {
  return program->spawns ? (hd_init){.min = 1, .max = 1}
                         : (hd_init){.min = 0, .max = HD_OMEGA};
}

void hd_program_run_free(hd_program_run *made) {
  hd_schedule_delete(made->schedule);
  hd_extract_delete(made->extract);
  hd_finite_delete(made->finite);
  hd_result_free(&made->flown);
  hd_free(made->built);
  *made = (hd_program_run){0};
}

void hd_program_report(const hd_program_run *made, hd_result *result) {
  hd_finite_stats s = hd_finite_statistics(made->finite);
  hd_result_stat(result, "program.variables", "", (double)s.vars,
                 "variables of the program");
  hd_result_stat(result, "program.kept_variables", "", (double)s.kept_vars,
                 "variables left by slicing");
  hd_result_stat(result, "program.locations", "", (double)s.locs,
                 "locations of the program, procedures inlined");
  hd_result_stat(result, "program.kept_locations", "", (double)s.kept_locs,
                 "locations left by jump threading");
  hd_result_stat(result, "program.constants", "", (double)s.constants,
                 "reads of variables replaced by constants");
  hd_result_stat(result, "program.copies", "", (double)s.copies,
                 "reads of variables replaced by what they are copies of");
  hd_result_stat(result, "program.removed_edges", "", (double)s.removed_edges,
                 "edges that can never be taken");
  hd_result_stat(result, "program.dead_resets", "", (double)s.dead_resets,
                 "values forgotten because nobody reads them");
  hd_result_stat(result, "program.steps", "", (double)s.steps,
                 "outcomes of statements computed");
  hd_result_stat(result, "program.choices", "", (double)s.choices,
                 "decisions on * made");
  hd_result_stat(result, "program.shared_states", "",
                 (double)hd_finite_n_shared(made->finite),
                 "shared states that occur");
  hd_result_stat(result, "program.local_states", "",
                 (double)hd_finite_n_local(made->finite),
                 "local states that occur");
}

/* Beyond this, the combinations that thread-modular exploration allows are
 * probably not real ones. */
static const size_t many_pairs = 400000;

/* --- how it is built, in words --- */

typedef struct {
  const char *word;
  size_t offset; /* of a bool in hd_program_options */
} switch_word;

#define SWITCH(word, field)                                                    \
  { word, offsetof(hd_program_options, field) }
static const switch_word switches[] = {
    SWITCH("fly", fly),
    SWITCH("no-propagate", finite.no_propagate),
    SWITCH("no-slice", finite.no_slice),
    SWITCH("no-live", finite.no_live),
    SWITCH("no-jump", finite.no_thread),
    SWITCH("no-lazy", finite.no_lazy),
};
enum { N_SWITCHES = sizeof switches / sizeof *switches };
static const char *const orders[] = {
    [HD_KM_LARGEST] = "largest", [HD_KM_DFS] = "dfs", [HD_KM_BFS] = "bfs"};

static void put_word(hd_str *out, const char *word) {
  hd_str_printf(out, "%s%s", out->size ? " " : "", word);
}

static void describe(const hd_program_options *options, bool fly,
                     hd_program_run *made) {
  hd_program_options is = *options;
  hd_str words = {0};
  is.fly = fly;
  for (size_t i = 0; i < N_SWITCHES; i++)
    if (*((const bool *)(const void *)((const char *)&is + switches[i].offset)))
      put_word(&words, switches[i].word);
  if (fly && is.verify.order != HD_KM_LARGEST)
    put_word(&words, orders[is.verify.order]);
  made->built = words.size ? hd_strdup(hd_str_text(&words)) : NULL;
  made->extract->net->built = made->built;
  hd_str_free(&words);
}

static bool set_word(const char *word, size_t n, hd_program_options *options) {
  for (size_t i = 0; i < N_SWITCHES; i++)
    if (strlen(switches[i].word) == n && !memcmp(switches[i].word, word, n)) {
      *((bool *)(void *)((char *)options + switches[i].offset)) = true;
      return true;
    }
  for (int i = HD_KM_LARGEST; i <= HD_KM_BFS; i++)
    if (strlen(orders[i]) == n && !memcmp(orders[i], word, n)) {
      options->verify.order = (hd_km_order)i;
      return true;
    }
  return false;
}

bool hd_program_built(const char *words, hd_program_options *options) {
  static const char *const blanks = " \t\r";
  while (*words) {
    size_t n = strcspn(words, blanks);
    if (n && !set_word(words, n, options))
      return false;
    words += n;
    words += strspn(words, blanks);
  }
  return true;
}

/* --- building --- */

/* That the net holds everything reachable is the search's word; its cover says
 * why, and is judged here. */
static void check_flown(const hd_program_run *made) {
  hd_str why = {0};
  if (made->flown.verdict != HD_SAFE)
    return;
  if (!hd_check_cover(made->extract->net, made->flown.cert, &why))
    hd_bug("the system built on the fly did not check: %s", hd_str_text(&why));
  if (!hd_extract_complete(made->extract, made->flown.cert))
    hd_bug("the system built on the fly has steps missing");
  hd_str_free(&why);
}

bool hd_program_open(const hd_program *program,
                     const hd_program_options *options, hd_run *run,
                     hd_program_run *made, hd_str *why) {
  made->finite = hd_finite_new(program, &options->finite, why);
  if (!made->finite)
    return false;
  hd_extract_options extract = {.threads = options->threads,
                                .assertion = options->assertion,
                                .portable = options->portable,
                                .max_pairs = many_pairs};
  const char *engine = options->verify.engine;
  bool fly = options->fly || (engine && !strcmp(engine, hd_km_engine.name));
  if (!fly) {
    made->extract = hd_extract_new(made->finite, &extract, run, why);
    if (made->extract)
      describe(options, false, made);
    if (made->extract || !hd_run_check(run))
      return made->extract != NULL;
    hd_vec_clear(why);
    /* Without the states that only the failed attempt has seen. */
    hd_finite_delete(made->finite);
    made->finite = hd_finite_new(program, &options->finite, why);
  }
  made->extract = hd_fly_run(made->finite, &extract, options->verify.order, run,
                             &made->flown, why);
  if (!made->extract)
    return false;
  describe(options, true, made);
  if (!options->verify.no_check)
    check_flown(made);
  return true;
}

static bool has_verdict(const hd_program_options *options,
                        const hd_program_run *made) {
  const char *engine = options->verify.engine;
  return made->flown.verdict != HD_UNKNOWN &&
         (!engine || !strcmp(engine, hd_km_engine.name));
}

hd_verify_status hd_program_decide(const hd_program_options *options,
                                   hd_run *run, hd_program_run *made,
                                   hd_result *result) {
  hd_program_report(made, result);
  hd_result_add_stats(result, &made->flown);
  if (!has_verdict(options, made))
    return hd_verify(made->extract->net, &options->verify, run, result);
  result->verdict = made->flown.verdict;
  result->engine = made->flown.engine;
  result->witness = made->flown.witness;
  result->cert = made->flown.cert;
  made->flown.witness = NULL;
  made->flown.cert = NULL;
  return options->verify.no_check ||
                 hd_verify_evidence(made->extract->net, result)
             ? HD_VERIFY_DONE
             : HD_VERIFY_INTERNAL;
}

bool hd_program_replay(const hd_program *program,
                       const hd_program_options *options,
                       const hd_witness *witness, hd_program_run *made,
                       hd_str *why) {
  made->schedule = hd_schedule_new(made->extract, witness);
  return options->verify.no_check ||
         hd_check_schedule(program, options->threads, made->schedule, why);
}

hd_verify_status hd_verify_program(const hd_program *program,
                                   const hd_program_options *options,
                                   hd_run *run, hd_program_run *made,
                                   hd_result *result) {
  hd_str why = {0};
  hd_verify_status status = HD_VERIFY_DONE;
  if (!hd_program_open(program, options, run, made, &why)) {
    hd_result_unknown(result, "%s", hd_str_text(&why));
    status = made->finite ? HD_VERIFY_DONE : HD_VERIFY_REFUSED;
  } else if (!made->extract->net->targets.size) {
    hd_result_unknown(result, "there is no assertion to verify");
    status = HD_VERIFY_REFUSED;
  } else {
    status = hd_program_decide(options, run, made, result);
  }
  if (status == HD_VERIFY_DONE && result->verdict == HD_UNSAFE &&
      !hd_program_replay(program, options, result->witness, made, &why)) {
    hd_result_unknown(result,
                      "the run found does not replay on the program: "
                      "%s",
                      hd_str_text(&why));
    status = HD_VERIFY_INTERNAL;
  }
  hd_str_free(&why);
  return status;
}
