/* SPDX-License-Identifier: MIT */
#include "api/mpi_side.h"

static const double share = 0.15;  /* of the time since the start */
static const double longest = 0.2; /* seconds of one run */

bool hd_mpi_side_can(const hd_notes *notes) {
  return !hd_notes_have(notes, HD_NOTE_ASSUME);
}

/* One run. False: there is no point in more. */
static bool try_once(hd_mpi_side *s) {
  if (s->has_inputs && !hd_input_values_choose(&s->inputs, s->runs, false))
    return false;
  hd_run limits = {.deadline = hd_now() + longest, .memory = s->outer->memory};
  hd_mpi_run run =
      hd_mpi_random(s->code, &s->options, s->runs, NULL, 0, 0, &limits);
  s->runs++;
  if (run.violated) {
    s->found = run;
    return false;
  }
  bool hopeless = run.status == HD_MACHINE_UNSUPPORTED;
  hd_mpi_run_free(&run);
  return !hopeless;
}

/* Called whenever the search looks at its limits. */
static bool between(void *context, uint64_t looks) {
  (void)looks;
  hd_mpi_side *s = context;
  if (s->outer->cancel && *s->outer->cancel)
    s->stop = 1;
  double now = hd_cpu();
  if (s->after < 0 || now - s->begun < s->after)
    return true;
  do {
    if (!try_once(s))
      s->after = -1; /* never again */
    double then = hd_cpu();
    s->spent += then - now;
    now = then;
  } while (s->after >= 0 && s->spent < share * (now - s->begun));
  if (s->found.violated)
    s->stop = 1;
  return true;
}

void hd_mpi_side_start(hd_mpi_side *side, const hd_code *code,
                       const hd_mpi_options *options, const hd_notes *notes,
                       double after, hd_run *outer, hd_run *run) {
  *side = (hd_mpi_side){.code = code,
                        .options = *options,
                        .outer = outer,
                        .after = hd_mpi_side_can(notes) ? after : -1,
                        .begun = hd_cpu()};
  if (notes) {
    hd_input_values_start(&side->inputs, notes);
    side->options.given = side->inputs.given.data;
    side->options.n_given = side->inputs.given.size;
    side->has_inputs = side->inputs.given.size > 0;
  }
  assert(!outer->rest);
  *run = *outer;
  run->cancel = &side->stop;
  run->rest = between;
  run->rest_context = side;
}

void hd_mpi_side_stop(hd_mpi_side *side, const hd_run *run) {
  hd_run *outer = side->outer;
  outer->ticks = run->ticks;
  outer->next_show = run->next_show;
  if (run->stop != HD_STOP_CANCEL || (outer->cancel && *outer->cancel))
    outer->stop = run->stop;
}

void hd_mpi_side_save(const hd_mpi_side *side, hd_start *start) {
  start->processes = side->options.procs;
  if (side->has_inputs)
    hd_input_values_save(&side->inputs, start);
}

void hd_mpi_side_free(hd_mpi_side *side) {
  if (side->inputs.notes)
    hd_input_values_drop(&side->inputs);
  hd_mpi_run_free(&side->found);
}
