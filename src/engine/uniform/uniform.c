/* SPDX-License-Identifier: MIT */
#include "engine/uniform/parts.h"

#include "engine/lise/search.h"

static void forget_paths(hd_uni *u) {
  for (size_t i = 0; i < u->all.size; i++)
    hd_uni_path_delete(u->all.data[i]);
  hd_vec_clear(&u->all);
  hd_vec_clear(&u->leaves);
  for (size_t i = 0; i < u->loops.size; i++) {
    hd_vec_free(&u->loops.data[i]->bodies);
    hd_free(u->loops.data[i]);
  }
  hd_vec_clear(&u->loops);
  u->n_paths = 0;
  u->depth = 0;
  u->frame = NULL;
  u->wrote = NULL;
}

static bool prove(hd_uni *u, hd_uniform_result *result) {
  bool ok = true;
  do {
    forget_paths(u);
    u->again = false;
    ok = hd_uni_walk(u);
  } while (u->again);
  hd_uni_match match = {0};
  ok = ok && hd_uni_match_all(u, &match) && hd_uni_order(u, &match) &&
       hd_uni_discharge(u, &match);
  result->paths = u->leaves.size;
  result->sites = match.sites.size;
  hd_uni_match_free(&match);
  return ok && !u->failed;
}

/* Up to `most` processes. */
static bool attempt(const hd_code *code, const hd_lise_options *options,
                    uint32_t least, uint32_t most, hd_run *run,
                    hd_uniform_result *result) {
  hd_uni u = {.options = *options, .least = least, .most = most};
  hd_lise_source source = {.code = code, .n_procs = 1};
  u.options.unwind = 0;
  u.l = (hd_lise){.options = &u.options, .run = run, .result = &u.found};
  hd_lise_begin(&u.l, &source, 1);
  u.symbolic = hd_calloc(code->loops.size + 1, sizeof *u.symbolic);
  bool ok = prove(&u, result);
  hd_free(result->reason);
  result->reason = ok         ? NULL
                   : u.failed ? hd_strdup(u.failed)
                              : hd_strdup("no proof was found");
  result->ideal = u.found.ideal || !options->c_numbers;
  result->proofs += hd_prover_calls(u.l.prover);
  result->suspect = ok ? 0 : u.suspect;
  forget_paths(&u);
  hd_vec_free(&u.all);
  hd_vec_free(&u.leaves);
  hd_vec_free(&u.loops);
  hd_free(u.symbolic);
  hd_free(u.failed);
  hd_lise_result_free(&u.found);
  hd_lise_end(&u.l);
  return ok;
}

void hd_uniform_run(const hd_code *code, const hd_lise_options *options,
                    uint32_t least, hd_run *run, hd_uniform_result *result) {
  /* Ranks and N are ints; what is computed with them need not fit for all N. */
  static const uint32_t most[] = {INT32_MAX, 1u << 30, 1u << 28, 46340, 1000};
  bool ok = false;
  for (size_t i = 0; i < sizeof most / sizeof *most && !ok && hd_run_check(run);
       i++) {
    ok =
        least <= most[i] && attempt(code, options, least, most[i], run, result);
    result->most = most[i];
  }
  result->verdict = ok ? HD_SAFE : HD_UNKNOWN;
}

void hd_uniform_result_free(hd_uniform_result *result) {
  hd_free(result->reason);
  *result = (hd_uniform_result){0};
}
