/* SPDX-License-Identifier: MIT */
#include "api/memory.h"

#include "api/code_job.h"
#include "model/calls.h"

#include <string.h>

static const char *const titles[] = {[HD_MEMORY_C11] = "C11",
                                     [HD_MEMORY_RC11] = "RC11",
                                     [HD_MEMORY_SC] = "sequential consistency",
                                     [HD_MEMORY_TSO] = "TSO"};

static void refuse(const hd_code *code, hd_memory_model model,
                   const hd_weakness *weak, hd_str *why) {
  const hd_cedge *e = &code->edges.data[weak->edge];
  hd_order order = e->order != HD_ORDER_SEQ_CST ? e->order : e->failure;
  hd_str_puts(why, "no interleaving does it; but the ");
  hd_library_fn fn = hd_call_of(code, e);
  const bool tries =
      fn != HD_LIB_NONE && hd_library_is(fn, HD_CALL_TRIES | HD_CALL_TIMED);
  hd_str_puts(why, tries                    ? "lock that is tried"
                   : e->act == HD_CODE_CALL ? "atomic access"
                                            : hd_order_name(order));
  hd_str_puts(why, tries || e->act == HD_CODE_CALL ? " at " : " access at ");
  hd_code_print_pos(why, code, e->pos);
  hd_str_printf(why, " allows more under %s", titles[model]);
}

/* With weak orders on one variable all executions are interleavings, if there is
 * no race: somebody must look. */
static bool is_more(const hd_weakness *weak, hd_memory_model model, bool race) {
  return model != HD_MEMORY_SC && (weak->robust == HD_ROBUST_NOT ||
                                   (weak->robust == HD_ROBUST_SINGLE && !race));
}

bool hd_memmodel_differs(const hd_code *code, hd_memory_model model,
                         bool race) {
  hd_weakness weak = hd_code_weakness(code);
  return is_more(&weak, model, race);
}

bool hd_memmodel_refuses(const hd_code *code, hd_memory_model model, bool race,
                         hd_str *why) {
  hd_weakness weak = hd_code_weakness(code);
  if (!is_more(&weak, model, race))
    return false;
  refuse(code, model, &weak, why);
  return true;
}

/* Has every race been excluded? */
static const char *races(const hd_code_result *result) {
  const hd_code_answer *race = &result->answers[HD_PROPERTY_RACE];
  return race->asked ? "without a race"
                     : "if there is no race, which was not "
                       "asked about,";
}

static void note(const hd_weakness *weak, hd_memory_model model,
                 hd_code_result *result) {
  hd_str text = {0};
  hd_str_printf(&text, "memory model: %s", titles[model]);
  if (model != HD_MEMORY_SC && weak->robust == HD_ROBUST_ORDERS)
    hd_str_printf(&text,
                  "; every atomic access is sequentially consistent: %s all "
                  "executions are interleavings",
                  races(result));
  if (model != HD_MEMORY_SC && weak->robust == HD_ROBUST_SINGLE)
    hd_str_printf(&text,
                  "; every atomic access is of one variable, which is "
                  "coherent: %s all executions are interleavings",
                  races(result));
  if (model != HD_MEMORY_SC && weak->robust == HD_ROBUST_NOT &&
      result->interleaves)
    hd_str_puts(&text,
                result->ordered
                    ? "; whatever conflicts is ordered in every execution"
                    : "; all executions are interleavings, as views has seen");
  hd_remarks_say(&result->notes, hd_str_text(&text));
  hd_str_free(&text);
}

bool hd_memmodel_asks_races(const hd_code *code, hd_memory_model model) {
  return (model == HD_MEMORY_TSO || model == HD_MEMORY_RC11) &&
         hd_code_weakness(code).robust != HD_ROBUST_ALONE;
}

/* Where a race is no end of all meaning it may show that stores wait. */
static bool races_on(const hd_weakness *weak, hd_memory_model model,
                     const hd_code_result *result) {
  const hd_code_answer *race = &result->answers[HD_PROPERTY_RACE];
  return (model == HD_MEMORY_TSO || model == HD_MEMORY_RC11) &&
         weak->robust != HD_ROBUST_ALONE &&
         (!race->asked || race->verdict != HD_SAFE);
}

void hd_memmodel_doubt(const hd_code *code, hd_memory_model model,
                       hd_code_result *result) {
  hd_weakness weak = hd_code_weakness(code);
  result->memory = model;
  const hd_code_answer *race = &result->answers[HD_PROPERTY_RACE];
  bool doubts =
      !result->interleaves &&
      is_more(&weak, model, race->asked && race->verdict != HD_UNKNOWN);
  bool races = !result->interleaves && races_on(&weak, model, result);
  for (int p = 0; p < HD_PROPERTY_COUNT && (doubts || races); p++) {
    hd_code_answer *answer = &result->answers[p];
    /* teams takes what atomics read for anything, the others know the model */
    if (!answer->asked || answer->verdict != HD_SAFE ||
        !strcmp(answer->engine, "teams") || !strcmp(answer->engine, "graph") ||
        !strcmp(answer->engine, "views"))
      continue;
    hd_str why = {0};
    if (doubts)
      refuse(code, model, &weak, &why);
    else
      hd_str_printf(&why,
                    "no interleaving does it; but races, which are not "
                    "excluded, allow more under %s",
                    titles[model]);
    answer->verdict = HD_UNKNOWN;
    hd_free(answer->reason);
    answer->reason = hd_str_take(&why);
    answer->why = HD_WHY_OTHER;
  }
  if (model != HD_MEMORY_C11 ||
      (weak.atomics && weak.robust != HD_ROBUST_ALONE))
    note(&weak, model, result);
}
