/* SPDX-License-Identifier: MIT */
/* Running programs in the text form in unit tests. */
#ifndef HD_TESTS_INTERP_UTIL_H
#define HD_TESTS_INTERP_UTIL_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "check/interp/interp.h"
#include "front/code/code.h"

#include <string.h>

#define ALL_CHECKS ((1u << HD_PROPERTY_COUNT) - 1)

typedef struct {
  hd_code *code;
  hd_machine_options options;
  hd_machine *m;
  hd_str output, events;
} run;

static void see(void *context, const hd_event *event) {
  run *r = context;
  if (event->kind == HD_EVENT_OUTPUT)
    hd_str_puts(&r->output, event->text);
  if (event->kind == HD_EVENT_WRITE || event->kind == HD_EVENT_SET)
    hd_str_printf(&r->events, "%u:%s;", event->thread, event->text);
}

static hd_code *read_code(const char *text) {
  hd_source source = hd_source_from_text("test", text, strlen(text));
  hd_diag *diag = hd_diag_new();
  hd_code *code = hd_code_read(&source, diag);
  if (!code)
    hd_diag_print(diag, stderr, false);
  assert_non_null(code);
  hd_diag_delete(diag);
  hd_source_free(&source);
  return code;
}

/* The program stands before main's first visible action. `r` must stay where it
 * is. */
static void start(run *r, const char *text, hd_properties checks) {
  r->code = read_code(text);
  r->options.checks = checks;
  r->options.observe = see;
  r->options.context = r;
  r->m = hd_machine_new(r->code, &r->options);
}

static void stop(run *r) {
  hd_machine_delete(r->m);
  hd_code_delete(r->code);
  hd_str_free(&r->output);
  hd_str_free(&r->events);
  *r = (run){0};
}

/* Moves until the end: the first thread that can, or any of them when `seed` is
 * not 0. Inputs are 0 where possible. */
static inline hd_machine_status finish(run *r, uint64_t seed) {
  while (hd_machine_status_of(r->m) == HD_MACHINE_RUNNING) {
    hd_tid able[64], n = 0;
    for (hd_tid t = 0; t < hd_machine_threads(r->m) && n < 64; t++)
      if (hd_machine_enabled(r->m, t))
        able[n++] = t;
    assert_true(n > 0);
    hd_turn turn = {.thread = able[0]};
    if (seed) {
      seed = seed * 6364136223846793005u + 1442695040888963407u;
      turn.thread = able[(seed >> 33) % n];
    }
    if (hd_machine_is_input(r->m, turn.thread))
      turn.choice = (uint64_t)(0 - hd_machine_input_low(r->m, turn.thread));
    uint64_t choices = hd_machine_choices(r->m, turn.thread);
    if (choices != UINT64_MAX && turn.choice >= choices)
      turn.choice = 0;
    hd_machine_move(r->m, turn);
  }
  return hd_machine_status_of(r->m);
}

/* The first violation's message, "" when there is none. */
static inline const char *first_message(const run *r) {
  return hd_machine_violations(r->m) ? hd_machine_violation(r->m, 0)->message
                                     : "";
}

static inline bool violates(const run *r, hd_property property) {
  for (size_t i = 0; i < hd_machine_violations(r->m); i++)
    if (hd_machine_violation(r->m, i)->property == property)
      return true;
  return false;
}

#endif
