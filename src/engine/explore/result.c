/* SPDX-License-Identifier: MIT */
/* Findings, notes and statistics. What becomes UNSAFE is replayed here first. */
#include "engine/explore/common.h"

#include "base/hash.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
  const char *name;
} strategies[] = {
#define X(id, text, what) {text},
    HD_STRATEGIES(X)
#undef X
};

const char *hd_strategy_name(hd_strategy strategy) {
  assert(strategy < HD_STRATEGY_COUNT);
  return strategies[strategy].name;
}

hd_strategy hd_strategy_find(const char *name) {
  unsigned i = 0;
  while (i < HD_STRATEGY_COUNT && strcmp(name, strategies[i].name) != 0)
    i++;
  return (hd_strategy)i;
}

static void clear_finding(hd_finding *finding) {
  hd_free(finding->reason);
  hd_free((char *)finding->violation.message);
  hd_vec_free(&finding->turns);
  *finding = (hd_finding){.asked = finding->asked, .also = finding->also};
}

void hd_explore_result_free(hd_explore_result *result) {
  for (size_t i = 0; i < HD_PROPERTY_COUNT; i++)
    clear_finding(&result->findings[i]);
  hd_remarks_free(&result->notes);
  hd_vec_free(&result->stats);
  *result = (hd_explore_result){0};
}

void hd_findings_start(hd_explore_result *result,
                       const hd_explore_options *options) {
  assert(!(options->also & ~options->machine.checks));
  for (unsigned i = 0; i < HD_PROPERTY_COUNT; i++) {
    result->findings[i].asked = (options->machine.checks >> i) & 1;
    result->findings[i].also = (options->also >> i) & 1;
  }
}

bool hd_findings_wants(const hd_explore_result *result, hd_property property) {
  assert(property < HD_PROPERTY_COUNT);
  const hd_finding *finding = &result->findings[property];
  return finding->asked && finding->verdict != HD_UNSAFE;
}

bool hd_findings_open(const hd_explore_result *result) {
  const hd_harvest *harvest = result->harvest;
  if (harvest && harvest->most && harvest->list.size >= harvest->most)
    return false;
  for (unsigned i = 0; i < HD_PROPERTY_COUNT; i++)
    if (hd_findings_wants(result, (hd_property)i) && !result->findings[i].also)
      return true;
  return false;
}

bool hd_findings_takes(const hd_explore_result *result, const hd_code *code,
                       const hd_violation *violation) {
  if (!hd_findings_wants(result, violation->property))
    return false;
  const hd_harvest *harvest = result->harvest;
  if (!harvest)
    return true;
  uint64_t key = hd_harvest_key(code, violation);
  for (hd_vec_each(const uint64_t, known, &harvest->known))
    if (*known == key)
      return false;
  return true;
}

/* Turns up to the violation, which has been replayed. */
static void harvest(hd_harvest *h, const hd_code *code, hd_replayed *r,
                    const hd_turns *turns) {
  assert(r->violated && r->turns <= turns->size);
  hd_harvested one = {.violation = r->violation};
  hd_harvest_skip(h, code, &r->violation);
  r->violation.message = NULL;
  for (size_t i = 0; i < r->turns; i++)
    hd_vec_push(&one.turns, turns->data[i]);
  hd_vec_push(&h->list, one);
}

void hd_findings_add(hd_explore_result *result, const hd_code *code,
                     const hd_explore_options *options,
                     const hd_violation *violation, const hd_turns *turns) {
  hd_property property = violation->property;
  assert(hd_findings_wants(result, property));
  hd_machine_options machine = hd_search_options(options, true);
  hd_replayed r = hd_replay_expecting(code, &machine, turns,
                                      hd_property_bit(property), violation);
  if (!r.violated)
    hd_bug("a run that violates '%s' could not be replayed: %s",
           hd_property_name(property), r.why ? r.why : "it ends differently");
  if (result->harvest) {
    hd_harvest_skip(result->harvest, code, violation);
    harvest(result->harvest, code, &r, turns);
    hd_replayed_free(&r);
    return;
  }
  hd_finding *finding = &result->findings[property];
  clear_finding(finding);
  finding->verdict = HD_UNSAFE;
  assert(r.violation.property == property && r.turns <= turns->size);
  finding->violation = r.violation;
  r.violation.message = NULL;
  for (size_t i = 0; i < r.turns; i++)
    hd_vec_push(&finding->turns, turns->data[i]);
  hd_replayed_free(&r);
}

void hd_findings_rest(hd_explore_result *result, hd_verdict verdict, hd_why why,
                      const char *reason) {
  assert(verdict != HD_UNSAFE && (verdict == HD_SAFE) == !reason);
  for (unsigned i = 0; i < HD_PROPERTY_COUNT; i++) {
    if (!hd_findings_wants(result, (hd_property)i))
      continue;
    hd_free(result->findings[i].reason);
    result->findings[i].verdict = verdict;
    result->findings[i].why = why;
    result->findings[i].reason = reason ? hd_strdup(reason) : NULL;
  }
}

void hd_findings_note(hd_explore_result *result, const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  hd_remarks_say(&result->notes, text);
}

void hd_findings_note_unasked(hd_explore_result *result, hd_property property,
                              const char *what) {
  hd_str text = {0};
  hd_str_printf(&text, HD_REMARK_UNASKED "%s", what);
  hd_remarks_add(&result->notes, HD_WHY_UNASKED, property, hd_str_text(&text));
  hd_str_free(&text);
}

bool hd_findings_note_end(hd_explore_result *result,
                          const hd_machine *machine) {
  hd_machine_status status = hd_machine_status_of(machine);
  const char *why = hd_machine_why(machine);
  if (status == HD_MACHINE_UNSUPPORTED || status == HD_MACHINE_DIVERGED) {
    hd_why code = hd_machine_why_code(machine);
    if (status == HD_MACHINE_UNSUPPORTED && code == HD_WHY_OTHER)
      code = HD_WHY_REFUSED;
    hd_remarks_add(&result->notes, code, HD_PROPERTY_COUNT, why);
    return true;
  }
  if (status == HD_MACHINE_FAILED && *why)
    hd_findings_note_unasked(result, hd_machine_why_property(machine), why);
  return false;
}

void hd_findings_stat(hd_explore_result *result, const char *name,
                      const char *unit, double value, const char *help) {
  hd_stat stat = {.name = name, .help = help, .unit = unit, .value = value};
  hd_vec_push(&result->stats, stat);
}

/* --- harvests --- */

/* A name without its numbers: heap blocks and elements of arrays are one. */
static uint64_t name_key(const char *name) {
  uint64_t key = 0;
  for (; name && *name; name++)
    if (*name < '0' || *name > '9')
      key = hd_hash_mix(key, (unsigned char)*name);
  return key;
}

static uint64_t line_key(const hd_code *code, hd_edge_id edge) {
  if (edge >= code->edges.size)
    return 1;
  hd_cpos pos = code->edges.data[edge].pos;
  return hd_hash_mix(hd_hash_mix(2, pos.file), pos.line);
}

uint64_t hd_harvest_key(const hd_code *code, const hd_violation *v) {
  uint64_t key = v->property;
  for (uint32_t i = 0; i < v->n_waits; i++)
    key = hd_hash_mix(key, line_key(code, v->waits[i]));
  if (v->n_waits)
    return key;
  key =
      hd_hash_mix(key, line_key(code, v->edge) + line_key(code, v->other_edge));
  return v->property == HD_PROPERTY_RACE
             ? hd_hash_mix(key, name_key(v->message))
             : key;
}

void hd_harvest_skip(hd_harvest *harvest, const hd_code *code,
                     const hd_violation *violation) {
  hd_vec_push(&harvest->known, hd_harvest_key(code, violation));
}

void hd_harvest_free(hd_harvest *harvest) {
  for (hd_vec_each(hd_harvested, one, &harvest->list)) {
    hd_free((char *)one->violation.message);
    hd_vec_free(&one->turns);
  }
  hd_vec_free(&harvest->list);
  hd_vec_free(&harvest->known);
  *harvest = (hd_harvest){0};
}

/* --- random numbers: splitmix64 --- */

hd_rng hd_rng_new(uint64_t seed) {
  hd_rng rng = {.state = seed * 0x9E3779B97F4A7C15u + 0x632BE59BD9B4E019u};
  return rng;
}

uint64_t hd_rng_next(hd_rng *rng) {
  uint64_t z = rng->state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

uint64_t hd_rng_below(hd_rng *rng, uint64_t n) {
  assert(n > 0);
  return hd_rng_next(rng) % n;
}
