/* SPDX-License-Identifier: MIT */
/* The story of a C program. */
#include "report/code_teams.h"
#include "report/code_rows.h"
#include "report/code_words.h"
#include "report/describe.h"
#include "report/standing.h"

#include <string.h>

static hd_spot spot_of(const hd_code *code, hd_cpos pos) {
  if (pos.file >= code->files.size || !pos.line)
    return (hd_spot){0};
  return (hd_spot){.file = code->files.data[pos.file],
                   .line = pos.line,
                   .column = pos.column};
}

static hd_spot spot_of_edge(const hd_code *code, hd_edge_id edge) {
  return edge < code->edges.size ? spot_of(code, code->edges.data[edge].pos)
                                 : (hd_spot){0};
}

static void take_steps(hd_story *story, hd_story_run *run,
                       const hd_code_rows *rows) {
  bool *chosen = hd_code_rows_select(rows, false);
  for (size_t i = 0; i < rows->rows.size; i++) {
    const hd_row *row = &rows->rows.data[i];
    hd_story_step step = {
        .thread = row->thread,
        .move = row->first,
        .depth = row->depth,
        .spot = spot_of(rows->code, row->pos),
        .function = hd_code_func_name(rows->code, row->func),
        .statement = hd_story_copy(story, row->statement),
        .effect = hd_story_copy(story, row->effect),
        .shows = chosen[i],
        .failed = row->failed,
    };
    hd_story_file(story, step.spot.file);
    hd_vec_push(&run->steps, step);
  }
  hd_free(chosen);
}

hd_story_run *hd_story_code_run(hd_story *story, const hd_code_trace *trace,
                                const hd_violation *violation) {
  hd_code_rows *rows = hd_code_rows_new(trace, violation);
  hd_story_run *run = hd_story_run_new();
  run->moves = trace->moves;
  for (size_t i = 0; i < rows->threads.size; i++)
    hd_vec_push(&run->threads, hd_story_copy(story, rows->threads.data[i]));
  take_steps(story, run, rows);
  for (size_t i = 0; i < rows->arrows.size; i++)
    hd_vec_push(&run->arrows, rows->arrows.data[i]);
  for (hd_vec_each(const hd_row_change, c, &rows->changes)) {
    hd_story_change change = {.step = c->row,
                              .kind = c->kind,
                              .thread = c->thread,
                              .name = hd_story_copy(story, c->name),
                              .value = hd_story_copy(story, c->value)};
    hd_vec_push(&run->changes, change);
  }
  hd_code_rows_delete(rows);
  return run;
}

static const char *thread_of(const hd_story_run *run, hd_tid thread) {
  return run && thread < run->threads.size ? run->threads.data[thread] : NULL;
}

/* "deadlock: main waits for b, pay 1 waits for a"; false when nobody is seen waiting. */
static bool who_waits(hd_str *out, const hd_story_run *run) {
  for (hd_vec_each(const hd_story_step, s, &run->steps)) {
    const char *waits = s->failed ? strstr(s->effect, "waits") : NULL;
    if (waits)
      hd_str_printf(out, "%s%s %s", out->size ? ", " : "deadlock: ",
                    run->threads.data[s->thread], waits);
  }
  return out->size;
}

/* ": iterations i = 4 and i = 5 both touch a[5]" */
static void add_iterations(hd_str *text, const char *what,
                           const hd_violation *v, const hd_code_trace *trace) {
  hd_team_place at = {0}, other = {0};
  hd_str words = {0};
  if (trace)
    hd_code_team_places(trace, v, &at, &other);
  hd_code_iteration_words(&words, what, &at, &other);
  if (words.size)
    hd_str_printf(text, ": %s", hd_str_text(&words));
  hd_str_free(&words);
  hd_team_place_free(&at);
  hd_team_place_free(&other);
}

/* A violation on one line, without its places. */
static const char *title_of(hd_story *story, const hd_violation *v,
                            const hd_code_trace *trace,
                            const hd_story_run *run) {
  hd_str text = {0};
  const char *message = v->message ? v->message : "";
  if (v->property == HD_PROPERTY_DEADLOCK && run && who_waits(&text, run))
    return hd_story_keep(story, &text);
  if (v->property == HD_PROPERTY_RACE) {
    hd_str_printf(&text, "data race on %s", message);
    add_iterations(&text, message, v, trace);
  } else
    hd_str_puts(&text, *message ? message : "violated");
  return hd_story_keep(story, &text);
}

static hd_story_finding *add_violation(hd_story *story, const hd_code *code,
                                       const hd_violation *v,
                                       const hd_code_trace *trace,
                                       const char *engine) {
  hd_story_run *run = trace ? hd_story_code_run(story, trace, v) : NULL;
  hd_story_finding finding = {
      .name = hd_property_name(v->property),
      .title = title_of(story, v, trace, run),
      .verdict = HD_UNSAFE,
      .engine = engine,
      .at = spot_of_edge(
          code, hd_code_shown_edge(code, trace, v->thread, v->edge).edge),
      .at_thread = thread_of(run, v->thread),
      .other = spot_of_edge(
          code, hd_code_shown_edge(code, trace, v->other, v->other_edge).edge),
      .other_thread = thread_of(run, v->other),
      .checked = run != NULL,
      .run = run,
  };
  hd_story_file(story, finding.at.file);
  hd_story_file(story, finding.other.file);
  hd_vec_push(&story->findings, finding);
  return &hd_vec_last(&story->findings);
}

static void add_violations(hd_story *story, const hd_code_report *report) {
  hd_code_answers all = {0};
  hd_code_violations(report->result, &all);
  for (size_t i = 0; i < all.size; i++) {
    const hd_code_answer *a = all.data[i];
    hd_story_finding *f =
        add_violation(story, report->code, &a->violation, a->trace, a->engine);
    hd_str text = {0};
    hd_fingerprint_print(&text, a->fingerprint);
    f->number = (uint32_t)i + 1;
    f->fingerprint = a->fingerprint ? hd_story_keep(story, &text) : NULL;
    f->standing = hd_standing_name(a->standing);
    f->excuse = a->excuse;
    hd_str_free(&text);
  }
  hd_vec_free(&all);
}

static void add_answers(hd_story *story, const hd_code_report *report) {
  add_violations(story, report);
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    const hd_code_answer *answer = &report->result->answers[p];
    if (!answer->asked || answer->verdict == HD_UNSAFE)
      continue;
    hd_story_finding finding = {
        .name = hd_property_name((hd_property)p),
        .title = answer->verdict == HD_SAFE ? "cannot happen" : "not decided",
        .verdict = answer->verdict,
        .engine = answer->engine,
        .reason = answer->reason,
    };
    hd_vec_push(&story->findings, finding);
  }
}

static const char *size_of(hd_story *story, const hd_code_report *report) {
  hd_str text = {0};
  size_t functions = 0;
  for (hd_vec_each(const hd_func, f, &report->code->funcs))
    functions += f->defined;
  if (report->n_files > 1)
    hd_str_printf(&text, "%zu files, ", report->n_files);
  hd_describe_counted(&text, functions, "function", "s");
  hd_str_puts(&text, ", ");
  hd_describe_counted(&text, report->code->locs.size, "location", "s");
  hd_str_printf(&text, ", %u bits", report->code->pointer_width);
  return hd_story_keep(story, &text);
}

/* What "safe" rests on, engine by engine. */
static const char *proof_by(const char *engine) {
  static const struct {
    const char *engine, *words;
  } proofs[] = {
      {"explore", "explore went through every interleaving of the threads and "
                  "every input, up to the order of independent steps: no run "
                  "violates it."},
      {"unfold", "unfold computed the partial orders of all runs, with bounds "
                 "for the values: no order and no value violates it."},
      {"modular", "modular analysed the code of each thread together with all "
                  "that others may do to it, until nothing new came, with "
                  "bounds for the values: no thread violates it."},
      {"pairs", "pairs found what holds for any two threads and the variables "
                "they share, and is kept by every step of them and of a third "
                "one; a solver decided each step, bit by bit: none violates "
                "it, for any number of threads."},
      {"weave", "weave put the threads side by side, in as few orders as are "
                "needed, and Z3 found invariants, by which no assertion fails "
                "and no number leaves its type, whatever the inputs."},
      {"lise", "lise executed the processes symbolically, for all inputs at "
               "once, up to the order of independent calls: no path violates "
               "it."},
  };
  for (size_t i = 0; engine && i < sizeof proofs / sizeof *proofs; i++)
    if (!strcmp(engine, proofs[i].engine))
      return proofs[i].words;
  return NULL;
}

static void tell_proof(hd_story *story, const hd_code_report *report) {
  hd_str text = {0};
  for (int p = 0; p < HD_PROPERTY_COUNT && report->result; p++) {
    const hd_code_answer *f = &report->result->answers[p];
    if (!f->asked || f->verdict != HD_SAFE)
      continue;
    const char *words = proof_by(f->engine);
    hd_str_printf(&text, "%s: ", hd_property_name((hd_property)p));
    if (words)
      hd_str_puts(&text, words);
    else
      hd_str_printf(&text, "shown by %s.", f->engine ? f->engine : "heddle");
    hd_str_puts(&text, " ");
    hd_code_proof_words(&text, f);
    hd_str_puts(&text, report->unbounded
                           ? " This holds for any number of threads.\n"
                           : "\n");
  }
  if (text.size) {
    hd_str_puts(
        &text, "The proof is about this main, its arguments and any inputs.\n");
    story->proof = hd_story_keep(story, &text);
    story->proof_summary = "what the verdict safe rests on";
  }
  hd_str_free(&text);
}

static const char *summary_of(hd_story *story, const hd_code_report *report) {
  hd_str text = {0};
  size_t bad = 0, open = 0;
  if (report->run && !report->run->n_violations) {
    hd_code_status_words(&text, report->run);
    return hd_story_keep(story, &text);
  }
  for (hd_vec_each(const hd_story_finding, f, &story->findings)) {
    bad += f->verdict == HD_UNSAFE;
    open += f->verdict == HD_UNKNOWN;
  }
  if (bad) {
    const char *separator = "";
    for (hd_vec_each(const hd_story_finding, f, &story->findings))
      if (f->verdict == HD_UNSAFE) {
        hd_str_printf(&text, "%s%s", separator, f->title);
        separator = "; ";
      }
  } else if (open)
    hd_str_puts(&text, "no violation was found, and not everything is proved");
  else
    hd_str_puts(&text, "nothing that was asked for can happen");
  return hd_story_keep(story, &text);
}

hd_story *hd_story_of_code(const hd_code_report *report) {
  static const hd_result nothing;
  hd_story *story = hd_story_new();
  story->command = report->command;
  story->file = report->file;
  story->kind = "C program";
  story->size = size_of(story, report);
  story->hint = report->hint;
  story->exit_code = report->exit_code;
  story->seconds = report->seconds;
  story->cpu = report->cpu;
  story->memory = report->memory;
  story->resident = report->resident;
  story->figures = report->result ? &report->result->figures : &nothing;
  if (report->result) {
    story->judged = true;
    story->verdict = hd_code_result_worst(report->result);
    add_answers(story, report);
    for (size_t i = 0; i < report->result->notes.size; i++)
      hd_vec_push(&story->notes, report->result->notes.data[i].text);
    tell_proof(story, report);
    for (size_t i = 0; i < report->result->assumes.size; i++) {
      hd_str text = {0};
      hd_str_printf(&text, "assumes: %s",
                    (const char *)report->result->assumes.data[i]);
      hd_vec_push(&story->notes, hd_story_keep(story, &text));
    }
  } else {
    story->output = report->run->output;
    for (size_t i = 0; i < report->run->n_violations; i++)
      add_violation(story, report->code, &report->run->violations[i],
                    i ? NULL : report->trace, NULL);
    story->judged = report->run->n_violations > 0;
    story->verdict = story->judged ? HD_UNSAFE : HD_UNKNOWN;
    if (!report->run->n_violations && report->trace)
      hd_story_add_run(story, hd_story_code_run(story, report->trace, NULL));
  }
  if (report->code->main != HD_NO_ID)
    hd_story_file(
        story,
        spot_of(report->code, report->code->funcs.data[report->code->main].pos)
            .file);
  story->summary = summary_of(story, report);
  return story;
}
