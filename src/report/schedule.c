/* SPDX-License-Identifier: MIT */
/* A run of a program: who did what, where it stands in the source, and what
 * changed. Skips and jumps that change nothing are left out unless everything
 * is asked for. */
#include "report/schedule.h"

#include "report/describe.h"

#include <string.h>

enum {
  TEXT_WIDTH = 40,
  SHARED_WIDTH = 20, /* shared variables that have a column in the diagram */
};

/* The values of all variables along the run. */
typedef struct {
  const hd_program *program;
  const hd_schedule *schedule;
  hd_vec(uint8_t) values; /* shared ones, then n_vars for each thread that
                             has a place, hd_schedule_index */
  uint32_t threads;
  hd_story_run *told; /* gets what changes; may be NULL */
  hd_story *story;
  bool original; /* places are told in the program this one was made from */
  bool beside;   /* shared variables stand beside the steps, not in them */
} replay;

static uint8_t *value_at(replay *r, uint32_t thread, hd_var_id v) {
  size_t n = r->program->vars.size;
  uint32_t at = hd_schedule_index(r->schedule, thread);
  return &r->values
              .data[r->program->vars.data[v].shared ? v : (1 + at) * n + v];
}

static void start(replay *r) {
  for (size_t i = 0; i < r->schedule->initial.size; i++)
    hd_vec_push(&r->values, r->schedule->initial.data[i]);
  r->threads = r->schedule->n_threads;
}

static void spawn(replay *r, uint32_t parent) {
  size_t n = r->program->vars.size;
  parent = hd_schedule_index(r->schedule, parent);
  for (size_t v = 0; v < n; v++) {
    uint8_t value = r->values.data[(1 + parent) * n + v];
    hd_vec_push(&r->values, value);
  }
  r->threads++;
}

static void tell_change(replay *r, hd_var_id v, uint32_t thread, size_t step,
                        uint8_t value) {
  const hd_var *var = &r->program->vars.data[v];
  hd_story_change change = {.step = step,
                            .kind = var->shared ? HD_CHANGE_SHARED
                                                : HD_CHANGE_LOCAL,
                            .thread = var->shared ? HD_NO_ID : thread,
                            .name = var->name,
                            .value = value ? "1" : "0"};
  if (r->told)
    hd_vec_push(&r->told->changes, change);
}

/* Carries out one step; what changed is appended to `changes`. */
static void advance(replay *r, const hd_sched_step *s, hd_str *changes) {
  const hd_edge *e = &r->program->edges.data[s->edge];
  for (uint32_t i = 0; i < e->n_assigns; i++) {
    hd_var_id v = r->program->assigns.data[e->assigns + i].var;
    uint8_t *value = value_at(r, s->thread, v);
    uint8_t now = r->schedule->values.data[s->values.start + i];
    if (*value != now) {
      if (!r->beside || !r->program->vars.data[v].shared)
        hd_str_printf(changes, "%s%s=%u", changes->size ? " " : "",
                      r->program->vars.data[v].name, now);
      tell_change(r, v, s->thread, r->told ? r->told->steps.size : 0, now);
    }
    *value = now;
  }
  if (e->act == HD_ACT_SPAWN) {
    spawn(r, s->thread);
    hd_str_printf(changes, "%sstarts thread %u", changes->size ? " " : "",
                  r->threads);
  } else if (e->act == HD_ACT_END) {
    hd_str_puts(changes, "ends");
  } else if (e->act == HD_ACT_SIGNAL && s->woken != HD_NO_ID) {
    hd_str_printf(changes, "wakes thread %u", s->woken + 1);
  }
}

/* Nothing to see: no change, no condition, no thread. */
static bool is_quiet(const hd_edge *e, const hd_str *changes) {
  return e->act == HD_ACT_STEP && e->guard == HD_NO_ID && !changes->size;
}

static void print_statement(hd_str *out, const hd_program *program,
                            hd_edge_id edge) {
  const hd_edge *e = &program->edges.data[edge];
  if (e->text)
    hd_str_puts(out, e->text);
  else
    hd_program_print_edge(out, program, edge);
}

static char *statement(const hd_program *program, hd_edge_id edge) {
  hd_str text = {0}, cut = {0};
  print_statement(&text, program, edge);
  hd_describe_shortened(&cut, hd_str_text(&text), TEXT_WIDTH);
  hd_str_free(&text);
  return hd_str_take(&cut);
}

/* "x=1 y=0": the shared variables. */
static void print_shared(hd_str *out, replay *r) {
  bool any = false;
  for (hd_var_id v = 0; v < r->program->vars.size; v++)
    if (r->program->vars.data[v].shared) {
      hd_str_printf(out, "%s%s=%u", any ? " " : "",
                    r->program->vars.data[v].name, *value_at(r, 0, v));
      any = true;
    }
  if (!any)
    hd_str_puts(out, "no shared variables");
}

void hd_report_schedule(hd_str *out, const hd_program *program,
                        const hd_schedule *schedule, bool all, bool color) {
  hd_story *story = hd_story_new();
  hd_story_run *run = hd_story_schedule_run(story, program, schedule, true);
  hd_story_add_run(story, run);
  if (!run->shared_title) {
    replay r = {.program = program, .schedule = schedule};
    start(&r);
    hd_str_puts(out, "  initially: ");
    print_shared(out, &r);
    hd_str_puts(out, "\n\n");
    hd_vec_free(&r.values);
  }
  hd_diagram_options options = {
      .all = all, .color = color, .more = "--explain"};
  hd_story_diagram(out, run, &options);
  size_t quiet = 0;
  for (hd_vec_each(const hd_story_step, s, &run->steps))
    quiet += !s->shows;
  if (quiet && !all)
    hd_str_printf(out,
                  "\n%zu step%s that change%s nothing: left out (--explain "
                  "shows all).\n",
                  quiet, quiet == 1 ? "" : "s", quiet == 1 ? "s" : "");
  hd_story_delete(story);
}

void hd_report_schedule_json(hd_json *json, const hd_program *program,
                             const hd_schedule *schedule) {
  replay r = {.program = program, .schedule = schedule};
  start(&r);
  hd_json_object(json, "schedule");
  hd_json_number(json, "threads", schedule->n_threads);
  hd_json_object(json, "initial");
  for (hd_var_id v = 0; v < program->vars.size; v++)
    if (program->vars.data[v].shared)
      hd_json_number(json, program->vars.data[v].name, *value_at(&r, 0, v));
  hd_json_end_object(json);
  hd_json_array(json, "steps");
  for (size_t i = 0; i < schedule->steps.size; i++) {
    const hd_sched_step *s = &schedule->steps.data[i];
    const hd_edge *e = &program->edges.data[s->edge];
    hd_str changes = {0};
    advance(&r, s, &changes);
    char *text = statement(program, s->edge);
    hd_json_object(json, NULL);
    hd_json_number(json, "thread", s->thread + 1);
    hd_json_string(json, "statement", text);
    hd_json_string(json, "effect", hd_str_text(&changes));
    hd_json_number(json, "line", e->origin.line);
    hd_json_string(json, "source_file", e->origin.file);
    hd_json_number(json, "source_line", e->origin.source_line);
    hd_json_end_object(json);
    hd_free(text);
    hd_str_free(&changes);
  }
  hd_json_end_array(json);
  hd_json_object(json, "violated");
  hd_json_number(json, "thread", schedule->thread + 1);
  hd_json_number(json, "line",
                 program->edges.data[schedule->violated].origin.line);
  hd_json_end_object(json);
  hd_json_end_object(json);
  hd_vec_free(&r.values);
}

/* --- as a story --- */

static void tell_step(replay *r, uint32_t thread, hd_edge_id edge, size_t move,
                      const char *effect, const char *shared, bool shows) {
  const hd_edge *e = &r->program->edges.data[edge];
  hd_str text = {0};
  print_statement(&text, r->program, edge);
  hd_story_step step = {
      .thread = thread,
      .move = (uint32_t)move,
      .function = e->origin.function ? e->origin.function : "",
      .statement = hd_story_keep(r->story, &text),
      .effect = hd_story_copy(r->story, effect),
      .shared = shared,
      .shows = shows,
  };
  if (r->original && e->origin.file)
    step.spot =
        (hd_spot){.file = e->origin.file, .line = e->origin.source_line};
  else if (e->origin.line)
    step.spot = (hd_spot){.file = r->program->file, .line = e->origin.line};
  hd_vec_push(&r->told->steps, step);
}

/* An arrow from the last step to the first one of the new thread, if it has
 * one: until then `to` is the thread. */
static void land_arrows(hd_story_run *run, size_t first_arrow) {
  size_t kept = first_arrow;
  for (size_t i = first_arrow; i < run->arrows.size; i++) {
    hd_arrow arrow = run->arrows.data[i];
    size_t to = arrow.from + 1;
    while (to < run->steps.size && run->steps.data[to].thread != arrow.to)
      to++;
    arrow.to = to;
    if (to < run->steps.size)
      run->arrows.data[kept++] = arrow;
  }
  run->arrows.size = kept;
}

static const char *shared_text(replay *r) {
  hd_str text = {0};
  print_shared(&text, r);
  return hd_story_keep(r->story, &text);
}

/* In the diagram few shared variables have a column of their own. */
static void start_shared(replay *r) {
  const char *first = shared_text(r);
  bool any = false;
  for (hd_vec_each(const hd_var, v, &r->program->vars))
    any = any || v->shared;
  r->beside = r->original && any && strlen(first) <= SHARED_WIDTH;
  if (!r->beside)
    return;
  r->told->shared_title = "shared";
  r->told->shared_first = r->told->shared_last = first;
}

/* The shared state after a step, if it is another one than before. */
static const char *next_shared(replay *r) {
  if (!r->beside)
    return NULL;
  const char *now = shared_text(r);
  if (!strcmp(now, r->told->shared_last))
    return NULL;
  return r->told->shared_last = now;
}

hd_story_run *hd_story_schedule_run(hd_story *story, const hd_program *program,
                                    const hd_schedule *schedule,
                                    bool original) {
  hd_story_run *run = hd_story_run_new();
  replay r = {.program = program,
              .schedule = schedule,
              .story = story,
              .original = original};
  start(&r);
  r.told = run;
  hd_story_file(story, program->file);
  start_shared(&r);
  for (hd_var_id v = 0; v < program->vars.size; v++)
    if (program->vars.data[v].shared)
      tell_change(&r, v, HD_NO_ID, SIZE_MAX, *value_at(&r, 0, v));
  for (size_t i = 0; i < schedule->steps.size; i++) {
    const hd_sched_step *s = &schedule->steps.data[i];
    const hd_edge *e = &program->edges.data[s->edge];
    hd_str changes = {0};
    uint32_t before = r.threads;
    advance(&r, s, &changes);
    hd_arrow arrow = {.from = i};
    if (e->act == HD_ACT_SPAWN) {
      arrow.kind = HD_ARROW_CREATE;
      arrow.to = before;
      hd_vec_push(&run->arrows, arrow);
    } else if (e->act == HD_ACT_SIGNAL && s->woken != HD_NO_ID) {
      arrow.kind = HD_ARROW_WAKE;
      arrow.to = s->woken;
      hd_vec_push(&run->arrows, arrow);
    }
    const char *shared = next_shared(&r);
    tell_step(&r, s->thread, s->edge, i + 1, hd_str_text(&changes), shared,
              shared || !is_quiet(e, &changes));
    hd_str_free(&changes);
  }
  tell_step(&r, schedule->thread, schedule->violated, schedule->steps.size + 1,
            "fails", NULL, true);
  hd_vec_last(&run->steps).failed = true;
  land_arrows(run, 0);
  for (uint32_t t = 0; t < r.threads; t++) {
    hd_str name = {0};
    hd_str_printf(&name, "thread %u", t + 1);
    hd_vec_push(&run->threads, hd_story_keep(story, &name));
  }
  run->moves = schedule->steps.size;
  hd_vec_free(&r.values);
  return run;
}
