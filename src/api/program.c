/* SPDX-License-Identifier: MIT */
#include "api/program.h"

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

bool hd_program_open(const hd_program *program,
                     const hd_program_options *options, hd_run *run,
                     hd_program_run *made, hd_result *result, hd_str *why) {
  made->finite = hd_finite_new(program, &options->finite, why);
  if (!made->finite)
    return false;
  hd_extract_options extract = {.threads = options->threads,
                                .assertion = options->assertion,
                                .portable = options->portable,
                                .max_pairs = many_pairs};
  const char *engine = options->verify.engine;
  bool fly = engine && !strcmp(engine, hd_km_engine.name);
  if (!fly)
    made->extract = hd_extract_new(made->finite, &extract, run, why);
  if (made->extract || !hd_run_check(run))
    return made->extract != NULL;
  hd_vec_clear(why);
  if (!fly) {
    /* Without the states that only the failed attempt has seen. */
    hd_finite_delete(made->finite);
    made->finite = hd_finite_new(program, &options->finite, why);
  }
  made->extract = hd_fly_extract(made->finite, &extract, run, result, why);
  return made->extract != NULL;
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
  if (!hd_program_open(program, options, run, made, result, &why)) {
    hd_result_unknown(result, "%s", hd_str_text(&why));
    status = made->finite ? HD_VERIFY_DONE : HD_VERIFY_REFUSED;
  } else if (!made->extract->net->targets.size) {
    hd_result_unknown(result, "there is no assertion to verify");
    status = HD_VERIFY_REFUSED;
  } else {
    hd_program_report(made, result);
    status = hd_verify(made->extract->net, &options->verify, run, result);
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
