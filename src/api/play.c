/* SPDX-License-Identifier: MIT */
/* One execution of a C program, under a given schedule or a random one, written
 * down as it goes. */
#include "api/code.h"

#include "check/interp/player.h"
#include "engine/explore/common.h"
#include "report/code_reads.h"

#include <string.h>

typedef struct {
  const hd_play_options *options;
  hd_play *play;
  hd_rng random;
  uint32_t move;
  bool shared; /* the current turn's action can be seen by others */
  hd_tid last; /* who moved last */
  hd_player *weak;
} player;

static void observe(void *context, const hd_event *event) {
  player *p = context;
  if (p->play->trace)
    hd_code_trace_add(p->play->trace, event, p->move, p->shared);
  if (event->kind != HD_EVENT_OUTPUT || !event->text)
    return;
  hd_str_puts(&p->play->output, event->text);
  if (p->options->output)
    p->options->output(p->options->context, event->text);
}

static void cut_at(hd_str *text, const char *mark) {
  char *at = text->size ? strstr(text->data, mark) : NULL;
  if (!at)
    return;
  *at = 0;
  text->size = (size_t)(at - text->data);
}

/* A read leaves no event of its own: its address says what is read. */
static void note_read(player *p, hd_tid thread, const hd_access *access) {
  if (!p->play->trace || !access->memory || access->local || access->writes)
    return;
  const hd_machine *machine = p->play->machine;
  hd_str text = {0};
  hd_str_puts(&text, "reads ");
  hd_machine_print_address(&text, machine, access->address, access->size);
  cut_at(&text, " (allocated at ");
  size_t depth = hd_machine_depth(machine, thread);
  hd_event event = {.kind = HD_EVENT_STEP,
                    .thread = thread,
                    .other = HD_NO_ID,
                    .edge = access->edge,
                    .depth = depth ? (uint32_t)depth - 1 : 0,
                    .object = access->address,
                    .text = hd_str_text(&text)};
  hd_code_trace_add(p->play->trace, &event, p->move, p->shared);
  hd_str_free(&text);
}

static void make_turn(player *p, hd_turn turn) {
  hd_access access = hd_machine_access(p->play->machine, turn.thread);
  p->move++;
  p->shared = !access.local;
  p->last = turn.thread;
  note_read(p, turn.thread, &access);
  hd_vec_push(&p->play->turns, turn);
  hd_player_move(p->weak, p->move - 1, turn);
}

/* The thread that moves next, or HD_NO_ID. A thread that did nothing that
 * others can see goes on; else any may, the same one as often as not. */
static hd_tid choose_thread(player *p) {
  const hd_machine *machine = p->play->machine;
  size_t n = hd_machine_threads(machine), able = 0;
  if (p->last < n && hd_machine_enabled(machine, p->last) &&
      (!p->shared || hd_rng_once_in(&p->random, 2)))
    return p->last;
  hd_tid chosen = HD_NO_ID;
  for (hd_tid t = 0; t < n; t++)
    if (hd_machine_enabled(machine, t) && hd_rng_once_in(&p->random, ++able))
      chosen = t;
  return chosen;
}

/* Small numbers are inputs more often than their share. */
static uint64_t choose_value(player *p, hd_tid thread) {
  const hd_machine *machine = p->play->machine;
  uint64_t n = hd_machine_choices(machine, thread);
  if (!hd_machine_is_input(machine, thread))
    return hd_rng_below(&p->random, n);
  int64_t least = hd_machine_input_low(machine, thread);
  uint64_t value;
  if (p->play->inputs < p->options->n_inputs)
    value = (uint64_t)p->options->inputs[p->play->inputs++] - (uint64_t)least;
  else if (hd_rng_once_in(&p->random, 2))
    value = hd_rng_below(&p->random, 16) - (uint64_t)least;
  else
    value = hd_rng_next(&p->random);
  return n == UINT64_MAX ? value : value % n;
}

/* False, and why, when there is no turn to make. */
static bool next_turn(player *p, size_t at, hd_turn *turn) {
  const hd_turns *schedule = p->options->schedule;
  if (!schedule) {
    turn->thread = choose_thread(p);
    assert(turn->thread != HD_NO_ID);
    turn->choice = choose_value(p, turn->thread);
    return true;
  }
  hd_str why = {0};
  if (at == schedule->size) {
    hd_str_puts(&why, "the schedule ends here");
  } else {
    *turn = schedule->data[at];
    if (hd_turn_possible(p->play->machine, *turn) &&
        hd_player_possible(p->weak, at))
      return true;
    hd_str_printf(&why,
                  "turn %zu of the schedule, thread %u with choice %llu, "
                  "is not possible",
                  at + 1, turn->thread, (unsigned long long)turn->choice);
    p->play->bad_schedule = true;
  }
  p->play->why = hd_str_take(&why);
  return false;
}

/* What a thread waits for: as it said when it began to, else the lock that it
 * stands before. */
static void print_wait(hd_str *out, const player *p, hd_tid thread,
                       uint64_t lock) {
  const hd_code_trace *trace = p->play->trace;
  for (size_t i = trace->events.size; i-- > 0;) {
    const hd_event *e = &trace->events.data[i].event;
    if (e->thread != thread)
      continue;
    if (e->kind == HD_EVENT_BLOCK && e->text)
      hd_str_puts(out, e->text);
    break;
  }
  if (out->size || !lock)
    return;
  hd_machine_print_address(out, p->play->machine, lock, 1);
}

static void note_wait(player *p, hd_tid t) {
  const hd_machine *machine = p->play->machine;
  size_t depth = hd_machine_depth(machine, t);
  if (!hd_machine_alive(machine, t) || !depth)
    return;
  hd_access access = hd_machine_access(machine, t);
  hd_str text = {0};
  print_wait(&text, p, t, access.sync);
  hd_event event = {.kind = HD_EVENT_BLOCK,
                    .thread = t,
                    .other = HD_NO_ID,
                    .edge = access.edge,
                    .depth = (uint32_t)depth - 1,
                    .object = access.sync,
                    .text = text.size ? hd_str_text(&text) : NULL};
  hd_code_trace_add(p->play->trace, &event, p->move, true);
  hd_str_free(&text);
}

/* Where the threads of a deadlock wait; whoever moved last comes first, for it
 * is still at that statement. */
static void note_waiting(player *p) {
  p->shared = true;
  size_t n = hd_machine_threads(p->play->machine);
  if (p->last < n)
    note_wait(p, p->last);
  for (hd_tid t = 0; t < n; t++)
    if (t != p->last)
      note_wait(p, t);
}

/* What is read, and where writes go, is known when the whole run is. */
static hd_event *find_event(hd_code_trace *trace, uint32_t move,
                            hd_tid thread) {
  size_t low = 0, high = trace->events.size; /* moves do not go down */
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (trace->events.data[middle].move < move)
      low = middle + 1;
    else
      high = middle;
  }
  for (hd_traced *t = trace->events.data + low;
       low < trace->events.size && t->move == move; t++, low++)
    if (t->event.thread == thread && t->event.kind == HD_EVENT_STEP)
      return &t->event;
  return NULL;
}

static void tell_reads(hd_code_trace *trace) {
  const hd_execution *x = trace->execution;
  for (hd_exec_id i = 0; i < x->events.size; i++) {
    const hd_exec_event *e = &x->events.data[i];
    hd_str text = {0};
    hd_exec_describe(&text, trace->code, x, i);
    hd_event *event = find_event(trace, e->turn, e->thread);
    if (text.size && event)
      event->text =
          hd_arena_strndup(&trace->arena, hd_str_text(&text), text.size);
    hd_str_free(&text);
  }
}

void hd_play_code(const hd_code *code, const hd_play_options *options,
                  hd_run *run, hd_play *play) {
  player p = {.options = options,
              .play = play,
              .random = hd_rng_new(options->seed),
              .last = HD_NO_ID};
  hd_machine_options machine = options->machine;
  if (options->schedule && !machine.reuse) {
    hd_replayed replayed =
        hd_replay(code, &machine, options->schedule, machine.checks);
    machine.reuse = replayed.reuse;
    if (replayed.refused) {
      play->why = hd_strdup(replayed.why);
      play->bad_schedule = true;
    }
    hd_replayed_free(&replayed);
  }
  machine.observe = observe;
  machine.context = &p;
  play->trace = options->record ? hd_code_trace_new(code) : NULL;
  hd_recorder *recorder =
      hd_turns_weak(options->schedule)
          ? hd_recorder_new(code, &machine, options->schedule)
          : NULL;
  play->machine = hd_machine_new(code, &machine);
  p.weak = hd_player_new(play->machine, options->schedule);
  hd_player_record(p.weak, recorder);
  hd_turn turn = {0};
  for (size_t at = 0; hd_machine_status_of(play->machine) == HD_MACHINE_RUNNING;
       at++) {
    if (run && !hd_run_tick(run))
      play->why = hd_strdup(hd_run_why(run));
    if (play->why || !next_turn(&p, at, &turn))
      break;
    make_turn(&p, turn);
  }
  hd_player_delete(p.weak);
  hd_execution *execution = recorder ? hd_recorder_finish(recorder) : NULL;
  if (!play->trace) {
    hd_execution_delete(execution);
    return;
  }
  play->trace->execution = execution;
  if (execution && !execution->wrong)
    tell_reads(play->trace);
  if (hd_machine_status_of(play->machine) == HD_MACHINE_DEADLOCK)
    note_waiting(&p);
  play->trace->n_threads = hd_machine_threads(play->machine);
}

void hd_play_free(hd_play *play) {
  if (play->machine)
    hd_machine_delete(play->machine);
  hd_vec_free(&play->turns);
  hd_code_trace_delete(play->trace);
  hd_str_free(&play->output);
  hd_free(play->why);
  *play = (hd_play){0};
}

hd_code_trace *hd_code_record(const hd_code *code,
                              const hd_machine_options *options,
                              const hd_turns *turns) {
  hd_play_options how = {
      .machine = *options, .schedule = turns, .record = true};
  hd_play play = {0};
  hd_play_code(code, &how, NULL, &play);
  hd_code_trace *trace = play.trace;
  play.trace = NULL;
  hd_play_free(&play);
  return trace;
}
