/* SPDX-License-Identifier: MIT */
/* The driver: reduce, then one engine by name, or the default choice of several
 * (race.h). */
#include "api/verify.h"

#include "api/race.h"

#include "check/check.h"
#include "engine/bws/bws.h"
#include "engine/concolic/concolic.h"
#include "engine/fws/fws.h"
#include "engine/km/km.h"
#include "engine/tse/tse.h"

#include <string.h>

const hd_engine *const hd_engines[] = {
    &hd_reduce_engine, &hd_bws_engine,      &hd_km_engine, &hd_fws_engine,
    &hd_tse_engine,    &hd_concolic_engine, NULL,
};

const hd_engine *hd_engine_find(const char *name) {
  for (size_t i = 0; hd_engines[i]; i++)
    if (!strcmp(hd_engines[i]->name, name))
      return hd_engines[i];
  return NULL;
}

static const struct {
  hd_feature feature;
  const char *what;
} feature_names[] = {
    {HD_HAS_CAPS, "an upper guard (inhibitor or equality test)"},
    {HD_HAS_TARGET_CAPS, "a target with an upper bound"},
    {HD_HAS_CHOICE, "a broadcast with a choice"},
    {HD_HAS_RESETS, "a reset"},
    {HD_HAS_MOVES, "a transfer or broadcast"},
};

static bool trans_has(const hd_net *net, hd_trans_id t, hd_feature feature) {
  const hd_trans *tr = &net->trans.data[t];
  const hd_move *moves = hd_net_moves(net, t);
  if (feature == HD_HAS_CAPS)
    return tr->caps.size > 0;
  if (feature == HD_HAS_MOVES)
    return tr->moves.size > 0;
  for (uint32_t i = 0; i < tr->moves.size; i++) {
    if (feature == HD_HAS_RESETS && moves[i].to == HD_NOWHERE)
      return true;
    if (feature == HD_HAS_CHOICE && i && moves[i].from == moves[i - 1].from)
      return true;
  }
  return false;
}

static uint32_t line_of(const hd_net *net, hd_feature feature) {
  if (feature == HD_HAS_TARGET_CAPS) {
    for (hd_vec_each(const hd_target, target, &net->targets))
      if (target->caps.size)
        return target->line;
    return 0;
  }
  for (hd_trans_id t = 0; t < net->trans.size; t++)
    if (trans_has(net, t, feature))
      return net->trans.data[t].line;
  return 0;
}

static void name_accepting(hd_str *out, const hd_net *net) {
  const char *separator = "";
  for (size_t i = 0; hd_engines[i]; i++)
    if (!(hd_engines[i]->refuses & net->features)) {
      hd_str_printf(out, "%s%s", separator, hd_engines[i]->name);
      separator = ", ";
    }
}

/* "kanban.spec:12: engine km cannot treat a reset; bws, fws can" */
static void refuse(const hd_engine *engine, const hd_net *net,
                   hd_result *result) {
  hd_str able = {0}, where = {0};
  name_accepting(&able, net);
  for (size_t i = 0; i < sizeof feature_names / sizeof *feature_names; i++) {
    hd_feature feature = feature_names[i].feature;
    if (!(engine->refuses & net->features & feature))
      continue;
    uint32_t line = line_of(net, feature);
    hd_str_puts(&where, net->file);
    if (line)
      hd_str_printf(&where, ":%u", line);
    hd_result_unknown(result, "%s: engine %s cannot treat %s; use one of: %s",
                      hd_str_text(&where), engine->name, feature_names[i].what,
                      hd_str_text(&able));
    break;
  }
  hd_str_free(&able);
  hd_str_free(&where);
}

static bool internal_error(hd_result *result, const char *what, hd_str *why) {
  hd_witness_delete(result->witness);
  hd_cert_delete(result->cert);
  result->witness = NULL;
  result->cert = NULL;
  hd_result_unknown(result, "the %s of engine %s did not check: %s", what,
                    result->engine ? result->engine : "?", hd_str_text(why));
  hd_str_free(why);
  return false;
}

/* Only an exhausted search (fws, and tse by it, on nets with upper guards) and
 * loop summaries (concolic) may say safe without a certificate; `reason` says
 * how they know. */
static bool needs_no_cert(const hd_result *result) {
  const char *engine = result->engine;
  return result->reason && engine &&
         (!strcmp(engine, hd_fws_engine.name) ||
          !strcmp(engine, hd_tse_engine.name) ||
          !strcmp(engine, hd_concolic_engine.name));
}

/* A definite verdict needs evidence that check/ accepts. */
bool hd_verify_evidence(const hd_net *net, hd_result *result) {
  double before = hd_now();
  hd_str why = {0};
  bool ok = true;
  if (result->verdict == HD_UNSAFE) {
    if (!result->witness)
      hd_str_puts(&why, "there is none");
    if (!result->witness || !hd_check_witness(net, result->witness, &why))
      ok = internal_error(result, "witness", &why);
  } else if (result->verdict == HD_SAFE && result->cert) {
    if (!hd_check_cert(net, result->cert, &why))
      ok = internal_error(result, "certificate", &why);
  } else if (result->verdict == HD_SAFE && !needs_no_cert(result)) {
    hd_str_puts(&why, "there is none");
    ok = internal_error(result, "certificate", &why);
  }
  hd_str_free(&why);
  if (ok && result->verdict != HD_UNKNOWN)
    hd_result_stat(result, "time.check", "s", hd_now() - before,
                   "independent check of the evidence");
  return ok;
}

static void report_reduction(const hd_workshop *w, hd_result *result) {
  const hd_reduced *r = w->sliced;
  hd_result_stat(result, "reduce.transitions", "", (double)r->net->trans.size,
                 "transitions left after slicing");
  hd_result_stat(result, "reduce.dropped", "",
                 (double)(w->input->trans.size - r->net->trans.size),
                 "transitions found to be dead, irrelevant or repeated");
  hd_result_stat(result, "reduce.control", "", (double)r->control.size,
                 "places of the net read as shared states");
}

static void reduce(hd_workshop *w, hd_run *run, hd_result *result) {
  double before = hd_now();
  w->sliced = hd_reduce(w->input, run);
  hd_result_stat(result, "time.reduce", "s", hd_now() - before,
                 "reduction before the engine");
  report_reduction(w, result);
  if (!w->sliced->safe)
    return;
  result->verdict = HD_SAFE;
  result->engine = hd_reduce_engine.name;
  result->cert = hd_cert_new(HD_CERT_BACKWARD, w->sliced->tset->n_shared,
                             w->input->n_places);
  hd_reduced_lift(w->sliced, w->input, result);
}

/* A proof without a certificate (by loop summaries, or by an exhausted search)
 * is made again by bws, which leaves one. Time and memory permitting: if they do
 * not, the verdict stays as it was. */
static void certify(hd_workshop *w, hd_run *run, hd_result *result) {
  if (result->verdict != HD_SAFE || result->cert ||
      (hd_bws_engine.refuses & w->input->features))
    return;
  hd_result again = {0};
  hd_workshop_run(w, &hd_bws_engine, 0, run, &again);
  hd_result_add_stats(result, &again);
  if (again.verdict == HD_SAFE) {
    result->cert = again.cert;
    again.cert = NULL;
    hd_free(result->reason);
    result->reason = NULL;
  } else if (again.verdict == HD_UNSAFE) {
    hd_bug("%s says safe and bws unsafe", result->engine);
  }
  hd_result_free(&again);
}

hd_verify_status hd_verify(const hd_net *net, const hd_verify_options *options,
                           hd_run *run, hd_result *result) {
  assert(net->targets.size > 0);
  const hd_engine *engine = NULL;
  if (options->engine) {
    engine = hd_engine_find(options->engine);
    if (!engine)
      hd_bug("engine %s does not exist", options->engine);
    if (engine->refuses & net->features) {
      refuse(engine, net, result);
      return HD_VERIFY_REFUSED;
    }
  }
  hd_workshop w = {.input = net,
                   .pruning = options->pruning,
                   .no_check = options->no_check,
                   .problem = {.seed = options->seed,
                               .max_threads = options->max_threads,
                               .order = options->order,
                               .explain = options->explain}};
  if (!options->no_reduce)
    reduce(&w, run, result);
  if (result->verdict == HD_UNKNOWN && engine)
    hd_workshop_run(&w, engine, 0, run, result);
  else if (result->verdict == HD_UNKNOWN)
    hd_race(&w, options->jobs, run, result, options->choice);
  if (options->certify)
    certify(&w, run, result);
  if (!result->engine)
    hd_result_unknown(result, "no engine can treat this model");
  bool ok = options->no_check || (w.checked && !options->certify) ||
            hd_verify_evidence(net, result);
  if (ok && w.rejected && result->verdict != HD_UNKNOWN) {
    hd_free(result->reason);
    result->reason = w.rejected;
    w.rejected = NULL;
  } else if (ok && w.rejected) {
    ok = false; /* nobody else has an answer: it is the bug that counts */
    hd_result_unknown(result, "%s", w.rejected);
  }
  if (ok && w.failed)
    hd_race_remark(&result->reason, w.failed, result->verdict != HD_UNKNOWN);
  hd_workshop_free(&w);
  return ok ? HD_VERIFY_DONE : HD_VERIFY_INTERNAL;
}

/* Configurations of the split net as configurations of the net itself. */
static hd_cert *unsplit(const hd_cert *cert, const hd_u32s *control,
                        const hd_net *net) {
  hd_cert *flat = hd_cert_new(HD_CERT_COVER, net->n_shared, net->n_places);
  hd_token_vec tokens = {0};
  for (hd_vec_each(const hd_config, config, &cert->configs)) {
    hd_tokens v = hd_cert_view(cert, config);
    hd_vec_clear(&tokens);
    for (size_t i = 0; i < v.size; i++)
      hd_vec_push(&tokens, v.data[i]);
    if (control->size)
      hd_vec_push(&tokens, ((hd_token){control->data[config->shared], 1}));
    if (!hd_token_vec_normalise(&tokens))
      hd_bug("a count overflowed");
    hd_cert_add_config(flat, control->size ? 0 : config->shared,
                       hd_token_vec_view(&tokens));
  }
  hd_vec_free(&tokens);
  return flat;
}

hd_verify_status hd_reach(const hd_net *net, hd_run *run, bool no_check,
                          hd_result *result) {
  result->engine = hd_km_engine.name;
  unsigned bad = hd_km_engine.refuses & net->features;
  if (bad & ~(unsigned)HD_HAS_TARGET_CAPS) {
    refuse(&hd_km_engine, net, result);
    return HD_VERIFY_REFUSED;
  }
  hd_reduced *reduced = hd_reduce_forward(net);
  hd_km_cover(reduced->net, run, result);
  if (result->cert) {
    hd_cert *flat = unsplit(result->cert, &reduced->control, net);
    hd_cert_delete(result->cert);
    result->cert = flat;
  }
  hd_reduced_delete(reduced);
  hd_str why = {0};
  bool ok = true;
  if (!no_check && result->cert && !hd_check_cover(net, result->cert, &why))
    ok = internal_error(result, "cover", &why);
  hd_str_free(&why);
  return ok ? HD_VERIFY_DONE : HD_VERIFY_INTERNAL;
}
