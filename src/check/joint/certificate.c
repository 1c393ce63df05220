/* SPDX-License-Identifier: MIT */
#include "check/joint/certificate.h"

#include "model/unordered.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char annotation_line[] = "heddle annotation ";
static const char states_line[] = HD_STATES_FIRST_LINE "\n";

enum { JUDGE_STEPS = 20000000 };

static bool begins(const char *text, const char *with) {
  return strncmp(text, with, strlen(with)) == 0;
}

bool hd_certificate_is(const char *text) {
  return begins(text, annotation_line) || begins(text, states_line);
}

void hd_certificate_print_states(hd_str *out, uint64_t program,
                                 hd_properties proved, uint64_t states) {
  hd_str_printf(out, "%sprogram %016" PRIx64 "\nproves", states_line, program);
  for (hd_property p = 0; p < HD_PROPERTY_COUNT; p++)
    if (proved >> p & 1)
      hd_str_printf(out, " %s", hd_property_name(p));
  hd_str_printf(out, "\nstates %" PRIu64 "\nend\n", states);
}

/* The second part, or NULL. */
static const char *states_part(const char *text) {
  for (const char *at = text; (at = strstr(at, states_line)) != NULL; at++)
    if (at == text || at[-1] == '\n')
      return at;
  return NULL;
}

/* What it claims; 0: it cannot be read. Printed again it must be the same. */
static hd_properties read_states(const char *text, uint64_t program,
                                 uint64_t *states, hd_str *why) {
  const char *proves = strstr(text, "\nproves"), *count = NULL;
  hd_properties claims = 0;
  hd_str again = {0};
  if (proves)
    count = strstr(proves, "\nstates ");
  *states = count ? strtoull(count + 8, NULL, 10) : 0;
  for (hd_property p = 0; count && p < HD_PROPERTY_COUNT; p++) {
    const char *name = hd_property_name(p);
    size_t n = strlen(name);
    for (const char *at = proves + 7; at < count; at++)
      if (*at == ' ' && !strncmp(at + 1, name, n) &&
          (at[1 + n] == ' ' || at[1 + n] == '\n'))
        claims |= (hd_properties)1 << p;
  }
  hd_certificate_print_states(&again, program, claims, *states);
  if (strcmp(hd_str_text(&again), text) != 0) {
    hd_str_puts(why, "no states of this program");
    claims = 0;
  } else if (!claims) {
    hd_str_puts(why, "it does not say what it proves");
  }
  hd_str_free(&again);
  return claims;
}

static bool judge_annotation(const hd_code *code, uint64_t program,
                             const char *text, hd_run *run,
                             hd_certificate_verdict *out, hd_str *why) {
  hd_annotation *notes = hd_annotation_parse(text, code, program, run, why);
  if (!notes)
    return false;
  hd_properties claims = hd_annotation_claims(notes);
  /* Without its places it would go round in loops. */
  hd_run mine = *run;
  mine.steps = mine.ticks + JUDGE_STEPS;
  if (run->steps && run->steps < mine.steps)
    mine.steps = run->steps;
  hd_properties proved =
      hd_annotation_judge(notes, claims, &mine, &out->walked, why);
  run->stop = mine.stop;
  run->ticks = mine.ticks;
  out->readable = true;
  out->claims |= claims;
  out->proved |= proved;
  hd_annotation_delete(notes);
  return proved == claims;
}

static bool judge_states(const hd_code *code, uint64_t program,
                         const char *text, hd_run *run,
                         hd_certificate_verdict *out, hd_str *why) {
  uint64_t states;
  hd_properties claims = read_states(text, program, &states, why);
  out->readable = claims;
  out->claims |= claims;
  if (!claims)
    return false;
  hd_properties proved =
      hd_joint_judge(code, claims, states, run, &out->joint, why);
  out->proved |= proved;
  return !(claims & ~proved);
}

static bool is_ordered(const hd_code *code, hd_str *why) {
  hd_edge_id edge = hd_code_unordered_looks(code);
  if (edge == HD_NO_ID)
    return true;
  hd_code_print_pos(why, code, code->edges.data[edge].pos);
  hd_str_puts(why, ": " HD_UNORDERED_OPERANDS);
  return false;
}

void hd_certificate_judge(const hd_code *code, uint64_t program,
                          const char *text, hd_run *run,
                          hd_certificate_verdict *out, hd_str *why) {
  const char *states = states_part(text);
  bool good = true;
  *out = (hd_certificate_verdict){0};
  if (states != text) {
    hd_str notes = {0};
    hd_str_append(&notes, text,
                  states ? (size_t)(states - text) : strlen(text));
    good =
        judge_annotation(code, program, hd_str_text(&notes), run, out, why) &&
        is_ordered(code, why);
    hd_str_free(&notes);
  }
  if (good && states)
    good = judge_states(code, program, states, run, out, why);
  if (good && !out->claims)
    hd_str_puts(why, "it does not say what it proves");
  if (!good || out->claims & ~out->proved)
    out->proved = 0;
}
