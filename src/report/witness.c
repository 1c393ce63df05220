/* SPDX-License-Identifier: MIT */
#include "report/witness.h"

#include "base/sha256.h"
#include "report/code_rows.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* --- what is to be written --- */

const hd_code_answer *hd_sv_violation(const hd_sv_witness *witness) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (witness->result->answers[p].verdict == HD_UNSAFE)
      return &witness->result->answers[p];
  return NULL;
}

hd_sv_kind hd_sv_witness_kind(const hd_sv_witness *witness) {
  switch (hd_code_result_worst(witness->result)) {
  case HD_UNSAFE:
    return HD_SV_VIOLATION;
  case HD_SAFE:
    return HD_SV_CORRECTNESS;
  case HD_UNKNOWN:
    break;
  }
  return HD_SV_NOTHING;
}

static bool ends_with(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n > m && !strcmp(text + n - m, end);
}

bool hd_sv_is_graphml(const char *path) {
  return ends_with(path, ".graphml");
}

bool hd_sv_is_yaml(const char *path) {
  return ends_with(path, ".yml") || ends_with(path, ".yaml");
}

/* --- head --- */

/* NULL: the competition has no such property. */
static const char *formula_of(hd_property property) {
  static const char *const formulas[HD_PROPERTY_COUNT] = {
      [HD_PROPERTY_ASSERT] = "G ! call(reach_error())",
      [HD_PROPERTY_RACE] = "G ! data-race",
      [HD_PROPERTY_DEADLOCK] = "G ! deadlock",
      [HD_PROPERTY_OVERFLOW] = "G ! overflow",
      [HD_PROPERTY_MEMORY] = "G valid-deref",
      [HD_PROPERTY_LEAK] = "G valid-memtrack"};
  assert(property < HD_PROPERTY_COUNT);
  return formulas[property];
}

/* A violation is about its own property, a proof about all that were asked. */
void hd_sv_specification(hd_str *out, const hd_sv_witness *witness) {
  const hd_code_answer *violation = hd_sv_violation(witness);
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    const hd_code_answer *answer = &witness->result->answers[p];
    if (!answer->asked || (violation && answer != violation))
      continue;
    const char *formula = formula_of((hd_property)p);
    hd_str_printf(out, "%sCHECK( init(main()), LTL(%s%s) )",
                  out->size ? "\n" : "", formula ? formula : "G ! ",
                  formula ? "" : hd_property_name((hd_property)p));
  }
}

void hd_sv_hash(const char *file, char hash[65]) {
  hd_sha256 sha;
  char buffer[8192];
  size_t n;
  FILE *in = fopen(file, "rb");
  memset(hash, '0', 64);
  hash[64] = 0;
  if (!in)
    return;
  hd_sha256_start(&sha);
  while ((n = fread(buffer, 1, sizeof buffer, in)) > 0)
    hd_sha256_add(&sha, buffer, n);
  if (!ferror(in))
    hd_sha256_end(&sha, hash);
  fclose(in);
}

void hd_sv_time(char text[32]) {
  const char *epoch = getenv("SOURCE_DATE_EPOCH");
  time_t now = epoch && *epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
  struct tm utc;
  if (!gmtime_r(&now, &utc) || !strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &utc))
    strcpy(text, "1970-01-01T00:00:00Z");
}

/* --- inputs --- */

typedef struct {
  uint32_t move, thread;
  hd_spot spot;
  const char *function;
  const char *value;
} input;

typedef hd_vec(input) inputs;

static const char *callee_of(const hd_code *code, hd_edge_id edge) {
  const hd_cedge *e = &code->edges.data[edge];
  if (e->act != HD_CODE_CALL || !e->n_operands)
    return NULL;
  const hd_cexpr *callee = &code->exprs.data[hd_code_operand(code, e, 0)];
  return callee->op == HD_CODE_FUNC
             ? hd_code_func_name(code, (hd_func_id)callee->value)
             : NULL;
}

static void note_input(inputs *list, hd_story *story, const hd_code *code,
                       const hd_machine *machine, hd_turn turn, size_t move) {
  hd_edge_id edge = hd_machine_access(machine, turn.thread).edge;
  int64_t low = hd_machine_input_low(machine, turn.thread);
  uint64_t value = (uint64_t)low + turn.choice;
  /* By the program as it is written: a variable that was never set is an input
   * without a call (model/unset.h). */
  const char *function = edge < code->edges.size ? callee_of(code, edge) : NULL;
  if (!function)
    return;
  hd_str text = {0};
  if (low < 0 || value <= INT64_MAX)
    hd_str_printf(&text, "%lld", (long long)(int64_t)value);
  else
    hd_str_printf(&text, "%lluU", (unsigned long long)value);
  hd_cpos pos = code->edges.data[edge].pos;
  input in = {.move = (uint32_t)move,
              .thread = turn.thread,
              .function = function,
              .value = hd_story_keep(story, &text)};
  if (pos.file < code->files.size)
    in.spot = (hd_spot){.file = code->files.data[pos.file],
                        .line = pos.line,
                        .column = pos.column};
  hd_vec_push(list, in);
}

/* The run once more, to see what its choices stand for. */
static inputs find_inputs(hd_story *story, const hd_sv_witness *witness,
                          const hd_code_answer *answer) {
  const hd_turns *turns = &answer->turns;
  const hd_code *code = answer->trace->code;
  inputs list = {0};
  hd_machine_options options = *witness->machine;
  options.observe = NULL;
  hd_machine *machine = hd_machine_new(code, &options);
  for (size_t i = 0; i < turns->size; i++) {
    hd_turn turn = turns->data[i];
    if (hd_machine_status_of(machine) != HD_MACHINE_RUNNING ||
        turn.thread >= hd_machine_threads(machine) ||
        !hd_machine_alive(machine, turn.thread) ||
        !hd_machine_enabled(machine, turn.thread))
      break;
    if (hd_machine_is_input(machine, turn.thread))
      note_input(&list, story, witness->code, machine, turn, i + 1);
    hd_machine_move(machine, turn);
  }
  hd_machine_delete(machine);
  return list;
}

/* --- the path --- */

/* The last point of the thread before `end`; SIZE_MAX = none. */
static size_t before(const hd_sv_path *path, uint32_t thread, size_t end) {
  while (end-- > 0)
    if (path->points.data[end].thread == thread)
      return end;
  return SIZE_MAX;
}

/* A thread begins with a point of its own that enters its function. */
static void begin_thread(hd_sv_path *path, uint32_t thread,
                         const hd_story_step *step) {
  hd_sv_point point = {.thread = thread,
                       .spot = step->spot,
                       .function = step->function,
                       .enters = step->function,
                       .creates = HD_NO_ID,
                       .shows = false};
  hd_vec_push(&path->points, point);
}

/* What each step does to threads. */
typedef struct {
  uint32_t creates; /* HD_NO_ID */
  bool ends;
} deed;

static deed *find_deeds(const hd_story_run *run) {
  deed *deeds = hd_calloc(run->steps.size + 1, sizeof *deeds);
  for (size_t i = 0; i < run->steps.size; i++)
    deeds[i].creates = HD_NO_ID;
  for (hd_vec_each(const hd_arrow, a, &run->arrows))
    if (a->kind == HD_ARROW_CREATE)
      deeds[a->from].creates = run->steps.data[a->to].thread;
  for (hd_vec_each(const hd_story_change, c, &run->changes))
    if (c->kind == HD_CHANGE_END && c->step < run->steps.size)
      deeds[c->step].ends = true;
  return deeds;
}

/* Calls and returns are seen in how deep a thread's steps are. */
static void add_step(hd_sv_path *path, const hd_story_step *step, deed does,
                     uint32_t *depth) {
  size_t last = before(path, step->thread, path->points.size);
  if (last == SIZE_MAX) {
    begin_thread(path, step->thread, step);
  } else {
    hd_sv_point *caller = &path->points.data[last];
    if (step->depth > *depth && !caller->enters)
      caller->enters = step->function;
    else if (step->depth < *depth && !caller->returns)
      caller->returns = caller->function;
  }
  *depth = step->depth;
  hd_sv_point point = {.thread = step->thread,
                       .spot = step->spot,
                       .function = step->function,
                       .creates = does.creates,
                       .returns = does.ends ? step->function : NULL,
                       .shows = step->shows,
                       .failed = step->failed};
  if (strstr(step->effect, ": nothing orders it after "))
    point.memory = step->effect;
  hd_vec_push(&path->points, point);
}

/* Inputs up to move `move` of the thread are points of their own, before what
 * comes next. */
static void add_inputs(hd_sv_path *path, const inputs *list, size_t *next,
                       uint32_t move) {
  for (; *next < list->size && list->data[*next].move <= move; ++*next) {
    const input *in = &list->data[*next];
    size_t last = before(path, in->thread, path->points.size);
    hd_sv_point point = {
        .thread = in->thread,
        .spot = in->spot,
        .function = last == SIZE_MAX ? "" : path->points.data[last].function,
        .creates = HD_NO_ID,
        .input = in->function,
        .value = in->value,
        .shows = true};
    hd_vec_push(&path->points, point);
  }
}

void hd_sv_path_init(hd_sv_path *path, const hd_sv_witness *witness,
                     const hd_code_answer *answer) {
  *path = (hd_sv_path){.story = hd_story_new()};
  hd_story_run *run =
      hd_story_code_run(path->story, answer->trace, &answer->violation);
  hd_story_add_run(path->story, run);
  path->n_threads = run->threads.size;
  inputs list = find_inputs(path->story, witness, answer);
  uint32_t *depth = hd_calloc(run->threads.size + 1, sizeof *depth);
  deed *deeds = find_deeds(run);
  size_t next = 0;
  for (size_t i = 0; i < run->steps.size; i++) {
    const hd_story_step *step = &run->steps.data[i];
    if (step->move)
      add_inputs(path, &list, &next, step->move - 1);
    add_step(path, step, deeds[i], &depth[step->thread]);
    add_inputs(path, &list, &next, step->move);
  }
  add_inputs(path, &list, &next, UINT32_MAX);
  hd_free(deeds);
  hd_free(depth);
  hd_vec_free(&list);
}

void hd_sv_path_free(hd_sv_path *path) {
  hd_vec_free(&path->points);
  hd_story_delete(path->story);
}
