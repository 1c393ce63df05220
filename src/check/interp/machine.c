/* SPDX-License-Identifier: MIT */
/* The machine as others see it: making, copying, moving, asking. */
#include "check/interp/interp.h"

#include "check/interp/clocks.h"
#include "check/interp/joins.h"
#include "check/interp/lib.h"
#include "check/interp/memory.h"
#include "check/interp/state.h"
#include "check/interp/sync.h"
#include "model/own.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MAX_LOCAL 10000000

/* --- ends --- */

/* RACE and LEAK: the run is as good after as before. */
static bool ends_the_run(hd_property property) {
  return property != HD_PROPERTY_RACE && property != HD_PROPERTY_LEAK;
}

void hd_machine_add_violation(hd_machine *m, hd_violation violation) {
  hd_vec_push(&m->violations, violation);
}

/* Is one of them in the line of `pos`? */
static bool waits_in(const hd_code *code, const hd_violation *v, hd_cpos pos) {
  for (uint32_t i = 0; i < v->n_waits; i++) {
    hd_cpos other = code->edges.data[v->waits[i]].pos;
    if (other.file == pos.file && other.line == pos.line)
      return true;
  }
  return false;
}

void hd_machine_add_wait(const hd_machine *m, hd_violation *v, hd_tid thread) {
  const hd_code *code = m->plan->code;
  hd_edge_id edge = hd_thread_edge(hd_thread_of(m, thread));
  if (waits_in(code, v, code->edges.data[edge].pos))
    return;
  uint32_t i = v->n_waits < HD_WAITS_MOST ? v->n_waits++ : HD_WAITS_MOST;
  for (; i > 0 && v->waits[i - 1] > edge; i--)
    if (i < HD_WAITS_MOST)
      v->waits[i] = v->waits[i - 1];
  if (i < HD_WAITS_MOST)
    v->waits[i] = edge;
}

static void print_chain(hd_str *out, const hd_machine *m, hd_tid tid);

/* What is not checked, but ends the run, is said like what is not supported. */
static void set_why(hd_machine *m, hd_tid tid, hd_property property,
                    const char *message) {
  hd_str why = {0};
  hd_str_printf(&why, "%s: %s", hd_property_name(property), message);
  print_chain(&why, m, tid);
  hd_free(m->why);
  m->why = hd_str_take(&why);
  m->why_code = HD_WHY_UNASKED;
  m->why_property = property;
}

void hd_machine_violate(hd_machine *m, hd_tid tid, hd_property property,
                        const char *format, ...) {
  assert(format);
  bool checked = hd_plan_checks(m->plan, property);
  if (!hd_machine_runs(m) ||
      (!checked && (property == HD_PROPERTY_SYNC || !ends_the_run(property))))
    return; /* SYNC: the caller goes on */
  va_list args, again;
  va_start(args, format);
  va_copy(again, args);
  int length = vsnprintf(NULL, 0, format, args);
  va_end(args);
  char *message = hd_alloc((size_t)length + 1);
  vsnprintf(message, (size_t)length + 1, format, again);
  va_end(again);
  if (checked) {
    hd_violation violation = {.property = property,
                              .thread = tid,
                              .other = HD_NO_ID,
                              .edge = hd_thread_edge(hd_thread_of(m, tid)),
                              .other_edge = HD_NO_ID,
                              .message = message};
    if (property == HD_PROPERTY_DEADLOCK)
      hd_machine_add_wait(m, &violation, tid);
    hd_machine_add_violation(m, violation);
  } else {
    if (property != HD_PROPERTY_DEADLOCK) /* has a status of its own */
      set_why(m, tid, property, message);
    hd_free(message);
  }
  if (ends_the_run(property))
    m->status = HD_MACHINE_FAILED;
}

bool hd_machine_undefined(hd_machine *m, hd_tid tid, const char *what) {
  if (m->timed)
    hd_machine_stop(m, tid, HD_MACHINE_UNSUPPORTED,
                    "what happens depends on the time of day, on what the "
                    "computer has, or on the order of a sum of floats");
  else if (hd_plan_checks(m->plan, HD_PROPERTY_UNINIT))
    hd_machine_violate(m, tid, HD_PROPERTY_UNINIT, "%s", what);
  else if (m->plan->options->exact)
    hd_machine_stop(m, tid, HD_MACHINE_UNSUPPORTED,
                    "what happens depends on a value that was never set, or on "
                    "the bits of an address"),
        m->why_code = HD_WHY_UNSET;
  return !hd_machine_runs(m);
}

/* Of calls inside of models only the outermost is said. */
static void print_chain(hd_str *out, const hd_machine *m, hd_tid tid) {
  const hd_code *code = m->plan->code;
  enum { INNER = 6, OUTER = 2 };
  const hd_thread *t = hd_thread_of(m, tid);
  const hd_frame *frames = t->frames.data;
  size_t n = t->frames.size;
  while (n > 1 && hd_code_is_own(code, frames[n - 1].func))
    n--;
  if (n < t->frames.size)
    hd_str_printf(out, ", in %s", code->funcs.data[frames[n].func].name);
  for (size_t i = n; i-- > 0;) {
    const hd_frame *frame = &frames[i];
    if (n > INNER + OUTER + 1 && i + INNER < n && i >= OUTER) {
      hd_str_printf(out, " from %zu more calls", n - INNER - OUTER);
      i = OUTER;
      continue;
    }
    hd_str_printf(out, "%s%s at ", i + 1 == t->frames.size ? ", in " : " from ",
                  code->funcs.data[frame->func].name);
    if (frame->edge == HD_NO_ID)
      hd_str_puts(out, "?");
    else
      hd_code_print_pos(out, code, code->edges.data[frame->edge].pos);
  }
}

void hd_machine_stop(hd_machine *m, hd_tid tid, hd_machine_status status,
                     const char *format, ...) {
  if (!hd_machine_runs(m))
    return;
  char sentence[400];
  va_list args;
  va_start(args, format);
  vsnprintf(sentence, sizeof sentence, format, args);
  va_end(args);
  hd_str why = {0};
  hd_str_puts(&why, sentence);
  if (tid < m->threads.size)
    print_chain(&why, m, tid);
  hd_free(m->why);
  m->why = hd_str_take(&why);
  m->why_code = HD_WHY_OTHER;
  m->status = status;
}

/* --- making --- */

/* argv: pointers to strings, then null. */
static uint64_t make_argv(hd_machine *m, const char *const *argv, int argc) {
  uint32_t word = hd_word(m);
  hd_bytes pointers = {0};
  hd_vec_resize(&pointers, (size_t)(argc + 1) * word);
  memset(pointers.data, 0, pointers.size);
  for (int i = 0; i < argc; i++) {
    uint64_t text = hd_ram_static(m, argv[i], strlen(argv[i]) + 1, true);
    memcpy(pointers.data + (size_t)i * word, &text, word);
  }
  uint64_t base = hd_ram_static(m, pointers.data, pointers.size, true);
  hd_vec_free(&pointers);
  return base;
}

/* The inputs that have a value from the start. */
static void give(hd_machine *m, hd_tid tid) {
  const hd_machine_options *options = m->plan->options;
  hd_thread *t = hd_thread_own(m, tid);
  const hd_frame *frame = hd_thread_top(t);
  for (size_t i = 0; i < options->n_given; i++) {
    const hd_given *given = &options->given[i];
    if (given->edge != HD_NO_ID)
      continue;
    uint64_t bits = 0;
    switch (given->var.kind) {
    case HD_CVAR_REG:
      assert(given->size <= 8);
      memcpy(&bits, given->bytes, given->size);
      t->regs.data[frame->regs + given->var.index] =
          (hd_machine_value){bits, 0};
      break;
    case HD_CVAR_SLOT:
      hd_ram_write(m,
                   hd_ram_stack_base(m, tid, frame->objects + given->var.index),
                   given->bytes, NULL, given->size);
      break;
    case HD_CVAR_GLOBAL:
      hd_ram_write(m, hd_ram_global_base(m->plan, given->var.index),
                   given->bytes, NULL, given->size);
    }
  }
}

static void start_main(hd_machine *m) {
  const hd_machine_options *options = m->plan->options;
  const hd_code *code = m->plan->code;
  static const char *const program[] = {"program"};
  bool given = options->argc > 0 && options->argv;
  int argc = given ? options->argc : 1;
  const hd_func *func = &code->funcs.data[code->main];
  hd_machine_value args[3] = {{(uint64_t)argc, 0}, {0, 0}, {0, 0}};
  if (func->n_params > 1)
    args[1].bits = make_argv(m, given ? options->argv : program, argc);
  if (func->n_params > 2)
    args[2].bits = make_argv(m, NULL, 0);
  hd_tid tid = hd_thread_new(m, code->main, args, 3, HD_FRAME_MAIN);
  if (tid == HD_NO_ID)
    return;
  if (options->clocks)
    hd_clock_fork(m, HD_NO_ID, tid);
  give(m, tid);
  hd_thread_run(m, tid);
}

static uint64_t budget(const hd_machine *m) {
  uint64_t most = m->plan->options->max_local;
  return most ? most : MAX_LOCAL;
}

static void begin_move(hd_machine *m) {
  enum { ALONE = 2000 };
  m->budget = budget(m);
  m->alone = m->plan->teams ? ALONE : 0;
}

static bool goes_on(const hd_machine *m, hd_tid tid) {
  const hd_thread *t = hd_thread_of(m, tid);
  return !t->ended && hd_machine_enabled(m, tid) && !hd_lib_spurious(m, t);
}

/* Nobody can move: a deadlock, or not. Spurious wake-ups do not count. */
static void look_for_deadlock(hd_machine *m) {
  if (!hd_machine_runs(m) || (m->able < m->threads.size && goes_on(m, m->able)))
    return;
  hd_tid waiting = HD_NO_ID;
  for (hd_tid i = 0; i < m->threads.size; i++) {
    const hd_thread *t = hd_thread_of(m, i);
    if (t->ended)
      continue;
    if (goes_on(m, i)) {
      m->able = i;
      return;
    }
    if (waiting == HD_NO_ID)
      waiting = i;
  }
  if (waiting == HD_NO_ID)
    return;
  hd_str text = {0};
  const char *separator = "";
  for (hd_tid i = 0; i < m->threads.size; i++) {
    const hd_thread *t = hd_thread_of(m, i);
    if (t->ended)
      continue;
    hd_str_printf(&text, "%sthread %u waits at ", separator, i);
    hd_edge_id edge = hd_thread_edge(t);
    hd_code_print_pos(&text, m->plan->code,
                      m->plan->code->edges.data[edge].pos);
    separator = ", ";
  }
  hd_machine_violate(m, waiting, HD_PROPERTY_DEADLOCK, "%s",
                     hd_str_text(&text));
  if (hd_plan_checks(m->plan, HD_PROPERTY_DEADLOCK)) {
    hd_violation *v = &hd_vec_last(&m->violations);
    v->n_waits = 0;
    hd_machine_add_waits(m, v);
  }
  hd_str_free(&text);
  m->status = HD_MACHINE_DEADLOCK;
}

hd_machine *hd_machine_new(const hd_code *code,
                           const hd_machine_options *options) {
  hd_machine *m = hd_calloc(1, sizeof *m);
  m->plan = hd_plan_new(code, options);
  m->status = HD_MACHINE_RUNNING;
  m->atomic = HD_NO_ID;
  m->syncs = hd_syncs_new();
  begin_move(m);
  hd_ram_init(m);
  if (m->plan->asks_ctype)
    hd_lib_make_tables(m);
  if (code->main == HD_NO_ID || !code->funcs.data[code->main].defined) {
    hd_machine_stop(m, HD_NO_ID, HD_MACHINE_UNSUPPORTED,
                    "the program has no main");
    return m;
  }
  start_main(m);
  look_for_deadlock(m);
  return m;
}

hd_machine *hd_machine_copy(const hd_machine *from) {
  hd_machine *m = hd_alloc(sizeof *m);
  *m = *from;
  hd_plan_keep(m->plan);
  m->why = from->why ? hd_strdup(from->why) : NULL;
  hd_region_keep(m->globals);
  if (m->statics)
    hd_region_keep(m->statics);
  hd_syncs_keep(m->syncs);
#define COPY(field)                                                            \
  do {                                                                         \
    m->field.data = NULL;                                                      \
    m->field.size = m->field.cap = 0;                                          \
    if (from->field.size) {                                                    \
      hd_vec_resize(&m->field, from->field.size);                              \
      memcpy(m->field.data, from->field.data,                                  \
             from->field.size * sizeof *m->field.data);                        \
    }                                                                          \
  } while (0)
  COPY(threads);
  COPY(stacks);
  COPY(heaps);
  COPY(keys);
  COPY(atexits);
  COPY(environ);
  COPY(claims);
  COPY(watched);
  COPY(touched);
  COPY(violations);
#undef COPY
  for (size_t i = 0; i < m->threads.size; i++) {
    m->threads.data[i]->refs++;
    hd_region_keep(m->stacks.data[i]);
    hd_region_keep(m->heaps.data[i]);
  }
  for (hd_vec_each(hd_violation, violation, &m->violations))
    violation->message = hd_strdup(violation->message);
  return m;
}

void hd_machine_delete(hd_machine *m) {
  if (!m)
    return;
  for (size_t i = 0; i < m->threads.size; i++) {
    hd_thread_drop(m->threads.data[i]);
    hd_region_drop(m->stacks.data[i]);
    hd_region_drop(m->heaps.data[i]);
  }
  hd_region_drop(m->globals);
  hd_region_drop(m->statics);
  hd_syncs_drop(m->syncs);
  for (hd_vec_each(hd_violation, violation, &m->violations))
    hd_free((char *)(uintptr_t)violation->message);
  hd_vec_free(&m->threads);
  hd_vec_free(&m->stacks);
  hd_vec_free(&m->heaps);
  hd_vec_free(&m->keys);
  hd_vec_free(&m->atexits);
  hd_vec_free(&m->environ);
  hd_vec_free(&m->claims);
  hd_vec_free(&m->watched);
  hd_vec_free(&m->touched);
  hd_vec_free(&m->violations);
  hd_free(m->why);
  hd_plan_drop(m->plan);
  hd_free(m);
}

/* --- asking --- */

hd_machine_status hd_machine_status_of(const hd_machine *m) {
  return m->status;
}

const char *hd_machine_why(const hd_machine *m) {
  return m->why ? m->why : "";
}

hd_why hd_machine_why_code(const hd_machine *m) {
  return m->why ? m->why_code : HD_WHY_OTHER;
}

hd_property hd_machine_why_property(const hd_machine *m) {
  return hd_machine_why_code(m) == HD_WHY_UNASKED ? m->why_property
                                                  : HD_PROPERTY_COUNT;
}

int hd_machine_exit_code(const hd_machine *m) {
  return m->exit_code;
}

uint64_t hd_machine_effort(const hd_machine *m) {
  uint64_t most = budget(m);
  return m->budget <= most ? most - m->budget : most; /* it is beyond 0 */
}

size_t hd_machine_violations(const hd_machine *m) {
  return m->violations.size;
}

const hd_violation *hd_machine_violation(const hd_machine *m, size_t i) {
  assert(i < m->violations.size);
  return &m->violations.data[i];
}

size_t hd_machine_threads(const hd_machine *m) {
  return m->threads.size;
}

bool hd_machine_alive(const hd_machine *m, hd_tid tid) {
  return !hd_thread_of(m, tid)->ended;
}

bool hd_machine_visited(const hd_machine *m) {
  return m->plan->visited;
}

bool hd_machine_joined(const hd_machine *m, hd_tid tid) {
  return hd_thread_of(m, tid)->joined;
}

/* Could it move if nobody were in an atomic section? */
static bool ready(const hd_machine *m, const hd_thread *t) {
  if (t->ended)
    return false;
  if (t->wait != HD_WAIT_NONE)
    return hd_lib_can_resume(m, t);
  assert(t->next != HD_NO_ID);
  return m->plan->code->edges.data[t->next].act != HD_CODE_CALL ||
         hd_lib_ready(m, t);
}

/* Others do not move: it is in an atomic section, and goes on there. Who waits
 * for a signal could wake up without one, but it waits. */
static bool holds_up(const hd_machine *m, const hd_thread *t) {
  return t->wait != HD_WAIT_COND && ready(m, t);
}

bool hd_machine_enabled(const hd_machine *m, hd_tid tid) {
  if (!hd_machine_runs(m) && m->status != HD_MACHINE_DEADLOCK)
    return false;
  if (m->atomic != HD_NO_ID && m->atomic != tid &&
      holds_up(m, hd_thread_of(m, m->atomic)))
    return false;
  return ready(m, hd_thread_of(m, tid));
}

uint64_t hd_machine_choices(const hd_machine *m, hd_tid tid) {
  return hd_lib_choices(m, hd_thread_of(m, tid));
}

bool hd_machine_is_input(const hd_machine *m, hd_tid tid) {
  int64_t low;
  const hd_thread *t = hd_thread_of(m, tid);
  return t->wait == HD_WAIT_NONE && hd_lib_is_input(m, t, &low);
}

bool hd_machine_is_open_input(const hd_machine *m, hd_tid tid) {
  return hd_lib_is_open_input(m, hd_thread_of(m, tid));
}

int64_t hd_machine_input_low(const hd_machine *m, hd_tid tid) {
  int64_t low;
  hd_lib_is_input(m, hd_thread_of(m, tid), &low);
  return low;
}

size_t hd_machine_depth(const hd_machine *m, hd_tid tid) {
  return hd_thread_of(m, tid)->frames.size;
}

hd_frame_at hd_machine_frame(const hd_machine *m, hd_tid tid, size_t i) {
  const hd_thread *t = hd_thread_of(m, tid);
  assert(i < t->frames.size);
  const hd_frame *frame = &t->frames.data[t->frames.size - 1 - i];
  return (hd_frame_at){.func = frame->func, .edge = frame->edge};
}

uint64_t hd_machine_reached(const hd_machine *m) {
  return m->reached;
}

bool hd_machine_hidden(const hd_machine *m) {
  return m->hidden;
}

/* --- moving --- */

/* Tells that the thread has to wait. */
static void tell_blocked(hd_machine *m, hd_tid tid) {
  const hd_thread *t = hd_thread_of(m, tid);
  if (!hd_machine_watched(m) || !hd_machine_runs(m) || t->ended ||
      t->wait != HD_WAIT_NONE || ready(m, t))
    return;
  uint64_t address = 0;
  hd_func_id func;
  hd_library_fn fn = hd_thread_callee(m, t, &func);
  hd_str text = {0};
  if (!hd_lib_arg(m, t, 0, &address))
    address = 0;
  if (hd_library_kind_of(fn) == HD_LIBRARY_THREAD)
    hd_str_printf(&text, "the end of thread %llu",
                  (unsigned long long)address - 1);
  else
    hd_machine_print_address(&text, m, address, 1);
  hd_machine_tell(m, HD_EVENT_BLOCK, tid, HD_NO_ID, address,
                  hd_str_text(&text));
  hd_str_free(&text);
}

/* After its action: what only the thread itself can see, and whether anybody can
 * go on. */
static void run_on(hd_machine *m, hd_tid tid) {
  if (hd_machine_runs(m) && !hd_thread_of(m, tid)->ended)
    hd_thread_run(m, tid);
  tell_blocked(m, tid);
  if (hd_machine_runs(m) && !tid && !m->joining && hd_joins_at(m)) {
    m->joining = true;
    m->plan->partial = m->plan->partial || !hd_joins_all(m);
  }
  if (hd_machine_runs(m) &&
      (hd_thread_of(m, tid)->ended || !hd_machine_enabled(m, tid) ||
       hd_lib_spurious(m, hd_thread_of(m, tid)))) {
    look_for_deadlock(m);
    hd_machine_find_cycle(m, tid);
  }
}

void hd_machine_continue(hd_machine *m, hd_tid tid) {
  begin_move(m);
  m->mover = tid;
  run_on(m, tid);
}

hd_machine_status hd_machine_move(hd_machine *m, hd_turn move) {
  assert(hd_machine_enabled(m, move.thread));
  assert(hd_machine_choices(m, move.thread) == UINT64_MAX ||
         move.choice < hd_machine_choices(m, move.thread));
  m->advanced = m->advanced || (!move.thread && hd_joins_at(m));
  m->status = HD_MACHINE_RUNNING; /* a wake-up may lead out of a deadlock */
  begin_move(m);
  m->mover = move.thread;
  m->reached = 0;
  m->hidden = false;
  hd_vec_clear(&m->plan->touched);
  m->plan->blurred = false;
  hd_thread_act(m, move.thread, move.choice);
  run_on(m, move.thread);
  if (m->plan->options->footprints)
    hd_section_stop(m, move.thread);
  return m->status;
}
