/* SPDX-License-Identifier: MIT */
/* The schedule of a harness: every visible action of the run, in its order, in
 * words that a native run can recognise: which thread, read, write, update or
 * the name of the function, the source line, and whether the memory is in a
 * thread's stack. What the native scheduler does with it is told in
 * models/harness/replay.c.
 *
 * Behind the actions come the *stops*: what each thread that is still alive
 * stands before when the run is over. In a race the two accesses are stops. */
#include "report/harness.h"

#include "check/interp/player.h"
#include "model/library.h"
#include "model/own.h"

#include <errno.h>
#include <string.h>

typedef struct {
  hd_tid thread;
  const char *action;
  hd_cpos pos;
  hd_tid stack; /* HD_NO_ID = none */
  uint64_t value;
  char *what; /* owned; may be NULL */
  /* weak memory: what an access is handed, and what memory holds behind
   * it: 1 + the step that wrote it, or minus that of the one that found it there;
   * 0 = as it is */
  int from, rest;
} step;

typedef enum { NONE, COND, RELOCK, BARRIER, PASSED } waiting;

typedef struct {
  const hd_harness *harness;
  const hd_code *code;
  hd_machine_options options;
  hd_machine *machine;
  hd_player *player;
  hd_recorder *recorder; /* weak memory; else NULL */
  hd_vec(step) steps;
  size_t turns;          /* steps that are no stops */
  bool weak;             /* some are handed what they read */
  hd_vec(uint8_t) waits; /* waiting, by thread */
  hd_tid woken;          /* by a signal in this move */
} recorder;

/* --- what happens in a move --- */

static void set_wait(recorder *r, hd_tid tid, waiting wait) {
  while (r->waits.size <= tid)
    hd_vec_push(&r->waits, NONE);
  r->waits.data[tid] = (uint8_t)wait;
}

static waiting get_wait(const recorder *r, hd_tid tid) {
  return tid < r->waits.size ? (waiting)r->waits.data[tid] : NONE;
}

static const char *called(const hd_code *code, const hd_cedge *edge) {
  const hd_cexpr *callee = &code->exprs.data[hd_code_operand(code, edge, 0)];
  return callee->op == HD_CODE_FUNC ? code->funcs.data[callee->value].name
                                    : "?";
}

/* What a thread waits for that is not given at once when it is there; locks are. */
static waiting wait_at(const hd_code *code, hd_edge_id id) {
  const hd_cedge *edge = id < code->edges.size ? &code->edges.data[id] : NULL;
  if (!edge || edge->act != HD_CODE_CALL)
    return NONE;
  hd_library_kind kind =
      hd_library_kind_of(hd_library_find(called(code, edge)));
  return kind == HD_LIBRARY_COND      ? COND
         : kind == HD_LIBRARY_BARRIER ? BARRIER
                                      : NONE;
}

static void observe(void *context, const hd_event *event) {
  recorder *r = context;
  if (event->kind == HD_EVENT_BLOCK) {
    waiting wait = wait_at(r->code, event->edge);
    if (wait != NONE)
      set_wait(r, event->thread, wait);
  } else if (event->kind == HD_EVENT_WAKE) {
    bool signal = get_wait(r, event->other) == COND;
    set_wait(r, event->other, signal ? RELOCK : PASSED);
    if (signal)
      r->woken = event->other;
  }
}

/* --- steps --- */

static const char *action_of(const hd_code *code, const hd_cedge *edge) {
  switch ((hd_code_act)edge->act) {
  case HD_CODE_LOAD:
    return "read";
  case HD_CODE_STORE:
    return "write";
  case HD_CODE_RMW:
  case HD_CODE_CMPXCHG:
    return "update";
  case HD_CODE_CALL:
    return called(code, edge);
  case HD_CODE_RETURN:
    return "return";
  default:
    return "?";
  }
}

static const char *resumption(waiting wait, bool stop) {
  if (wait == COND)
    return stop ? "wait" : "wake";
  return wait == RELOCK ? "relock" : wait == PASSED ? "pass" : "wait";
}

/* What the thread stands before. */
static step stands_before(const recorder *r, hd_tid tid, bool stop) {
  hd_edge_id id = hd_machine_frame(r->machine, tid, 0).edge;
  const hd_cedge *edge = &r->code->edges.data[id];
  step s = {.thread = tid,
            .action = action_of(r->code, edge),
            .pos = edge->pos,
            .stack = HD_NO_ID};
  waiting wait = get_wait(r, tid);
  if (wait != NONE) {
    hd_library_fn fn = hd_library_find(s.action);
    if (wait == COND && hd_library_is(fn, HD_CALL_TIMED))
      s.value = hd_library_error(fn, ETIMEDOUT);
    s.action = resumption(wait, stop);
    return s;
  }
  hd_access access = hd_machine_access(r->machine, tid);
  if (access.memory && edge->act != HD_CODE_CALL) {
    hd_str what = {0};
    hd_machine_print_address(&what, r->machine, access.address, access.size);
    s.stack = hd_machine_stack_of(r->machine, access.address);
    s.what = hd_str_take(&what);
  }
  return s;
}

static void move(recorder *r, hd_turn turn) {
  step s = stands_before(r, turn.thread, false);
  if (hd_machine_is_input(r->machine, turn.thread))
    s.value =
        (uint64_t)hd_machine_input_low(r->machine, turn.thread) + turn.choice;
  else if (!s.value)
    s.value = turn.choice;
  waiting wait = get_wait(r, turn.thread);
  set_wait(r, turn.thread, wait == COND ? RELOCK : NONE);
  r->woken = HD_NO_ID;
  hd_player_move(r->player, r->steps.size, turn);
  if (strstr(s.action, "_signal"))
    s.value = r->woken == HD_NO_ID ? UINT32_MAX : r->woken;
  hd_vec_push(&r->steps, s);
}

static void begin(recorder *r, const hd_harness *harness,
                  const hd_turns *turns) {
  *r = (recorder){
      .harness = harness, .code = harness->code, .options = *harness->machine};
  r->options.observe = observe;
  r->options.context = r;
  if (hd_turns_weak(turns))
    r->recorder = hd_recorder_new(harness->code, &r->options, turns);
  r->machine = hd_machine_new(harness->code, &r->options);
  r->player = hd_player_new(r->machine, turns);
  hd_player_record(r->player, r->recorder);
}

/* --- what is read in runs of weak memory --- */

/* Does the turn say what it reads, or where it writes? */
static bool says(const recorder *r, const hd_exec_event *e) {
  const hd_turn *turn = &r->harness->turns->data[e->turn - 1];
  return turn->from || turn->after;
}

/* The step that found what a write that does not say so, or nobody, had left: the
 * first access behind it that does. */
static int finder(const recorder *r, const hd_execution *x, uint32_t place,
                  hd_exec_id base) {
  for (hd_exec_id i = base == HD_NO_ID ? 0 : base + 1; i < x->events.size; i++)
    if (x->events.data[i].place == place && says(r, &x->events.data[i]))
      return -(int)x->events.data[i].turn;
  return 0;
}

/* How the native run knows what a write left. */
static int source(const recorder *r, const hd_execution *x, uint32_t place,
                  hd_exec_id write) {
  return write != HD_NO_ID && says(r, &x->events.data[write])
             ? (int)x->events.data[write].turn
             : finder(r, x, place, write);
}

static hd_exec_id newest_at(const hd_execution *x, hd_exec_id id) {
  const hd_exec_ids *order = &x->places.data[x->events.data[id].place].order;
  for (size_t i = order->size; i-- > 0;)
    if (order->data[i] <= id)
      return order->data[i];
  return HD_NO_ID;
}

static void hand_values(recorder *r) {
  hd_execution *x = hd_recorder_finish(r->recorder);
  for (hd_exec_id i = 0; i < x->events.size && !x->wrong; i++) {
    const hd_exec_event *e = &x->events.data[i];
    if (e->place == HD_NO_ID || !says(r, e) || e->turn > r->steps.size ||
        r->steps.data[e->turn - 1].rest)
      continue;
    step *s = &r->steps.data[e->turn - 1];
    if (hd_exec_reads(e))
      s->from = source(r, x, e->place, e->from);
    hd_exec_id newest = newest_at(x, i);
    s->rest = newest == i ? 0 : source(r, x, e->place, newest);
  }
  hd_execution_delete(x);
  r->recorder = NULL;
  r->weak = true;
}

static void end(recorder *r) {
  for (size_t i = 0; i < r->steps.size; i++)
    hd_free(r->steps.data[i].what);
  hd_vec_free(&r->steps);
  hd_vec_free(&r->waits);
  hd_player_delete(r->player);
  hd_machine_delete(r->machine);
}

/* --- races --- */

static bool stands_at(const hd_machine *m, hd_tid tid, hd_edge_id edge) {
  return tid < hd_machine_threads(m) && hd_machine_alive(m, tid) &&
         hd_machine_frame(m, tid, 0).edge == edge;
}

/* Do both threads stand before the accesses of the race? */
static bool is_race(const hd_machine *m, const hd_violation *v) {
  if (!stands_at(m, v->thread, v->edge) ||
      !stands_at(m, v->other, v->other_edge))
    return false;
  hd_access a = hd_machine_access(m, v->thread);
  hd_access b = hd_machine_access(m, v->other);
  return hd_access_races(&a, &b);
}

static bool can_go_on(const hd_machine *m, const hd_turns *turns, size_t i) {
  return i < turns->size && hd_machine_status_of(m) == HD_MACHINE_RUNNING &&
         hd_machine_enabled(m, turns->data[i].thread);
}

/* Makes the turns, but for those of `held` from number `from` on and those that
 * are not possible, up to where the two threads of a race stand before it at the
 * same time. Those that are made go to `made`; `places` (may be NULL) gets the numbers
 * of the turns before which one of the two stands before its access. */
static bool reach_race(const hd_harness *h, hd_tid held, size_t from,
                       hd_turns *made, hd_u32s *places) {
  const hd_violation *v = h->violation;
  const hd_turns *turns = h->turns;
  hd_machine *m = hd_machine_new(h->code, h->machine);
  bool found = is_race(m, v);
  made->size = 0;
  for (size_t i = 0; !found && i < turns->size; i++) {
    hd_turn turn = turns->data[i];
    if ((turn.thread == held && i >= from) ||
        turn.thread >= hd_machine_threads(m) ||
        !hd_machine_alive(m, turn.thread) ||
        !hd_machine_enabled(m, turn.thread) ||
        turn.choice >= hd_machine_choices(m, turn.thread))
      continue;
    if (places &&
        ((turn.thread == v->thread && stands_at(m, v->thread, v->edge)) ||
         (turn.thread == v->other && stands_at(m, v->other, v->other_edge))))
      hd_vec_push(places, (uint32_t)i);
    turn.from = turn.after = 0; /* an interleaving */
    hd_vec_push(made, turn);
    if (hd_machine_move(m, turn) != HD_MACHINE_RUNNING)
      break;
    found = is_race(m, v);
  }
  hd_machine_delete(m);
  return found;
}

/* The two accesses of a race may lie far apart in the run that shows it: then
 * one thread is held before its access and the others go on, the last accesses first
 * and for some seconds. Not for accesses that only weak atomic orders leave unordered:
 * they never meet. */
static bool meet(const hd_harness *h, hd_turns *made) {
  const double most = 4;
  const double end = hd_now() + most;
  hd_u32s places = {0};
  bool found = reach_race(h, HD_NO_ID, 0, made, &places);
  for (size_t k = places.size; k-- > 0 && !found && hd_now() < end;) {
    uint32_t i = places.data[k];
    found = reach_race(h, h->turns->data[i].thread, i, made, NULL);
  }
  hd_vec_free(&places);
  return found;
}

static bool can_meet(const hd_harness *h) {
  hd_turns made = {0};
  bool found = meet(h, &made);
  hd_vec_free(&made);
  return found;
}

/* What files, descriptors and dates say is an input of heddle's models of their
 * functions, which no native run is asked for. */
static bool in_world(const hd_code *code, const hd_cpos *pos) {
  static const char *const models[] = {"heddle/io.c", "heddle/files.c",
                                       "heddle/time.c"};
  for (size_t i = 0; i < sizeof models / sizeof *models; i++)
    if (pos->file != HD_NO_ID &&
        !strcmp(code->files.data[pos->file], models[i]))
      return true;
  return false;
}

/* Does the run depend on such an input? One that has a model and is not asked
 * in the run does no harm. */
static bool asks_world(const hd_harness *h) {
  hd_machine *m = hd_machine_new(h->code, h->machine);
  bool asks = false;
  for (size_t i = 0; !asks && can_go_on(m, h->turns, i); i++) {
    hd_turn turn = h->turns->data[i];
    hd_edge_id edge = hd_machine_frame(m, turn.thread, 0).edge;
    asks = hd_machine_is_input(m, turn.thread) &&
           in_world(h->code, &h->code->edges.data[edge].pos);
    turn.from = turn.after = 0;
    hd_machine_move(m, turn);
  }
  hd_machine_delete(m);
  return asks;
}

/* Wrong use that a native library can be asked about: who holds the mutex, who waits. */
static bool shows_misuse(const hd_harness *h) {
  const hd_code *code = h->code;
  const hd_edge_id edge = h->violation->edge;
  if (edge >= code->edges.size || code->edges.data[edge].act != HD_CODE_CALL)
    return false;
  const hd_library_fn fn =
      hd_library_find(called(code, &code->edges.data[edge]));
  const hd_library_kind kind = hd_library_kind_of(fn);
  const hd_action does = hd_library_action(fn);
  if (kind == HD_LIBRARY_COND)
    return does == HD_DO_PARK || does == HD_DO_UNMAKE;
  /* That C11 forbids to take one twice nobody knows there. */
  return kind == HD_LIBRARY_MUTEX &&
         (does == HD_DO_RELEASE || does == HD_DO_UNMAKE ||
          (does == HD_DO_ACQUIRE && hd_library_gives(fn) == HD_GIVES_ERRNO &&
           !hd_library_is(fn, HD_CALL_TIMED)));
}

const char *hd_harness_trouble(const hd_harness *h) {
  if (!h->mpi && asks_world(h))
    return "it uses files, descriptors or dates, whose content is chosen in "
           "the "
           "run, and no native run can be given";
  if (h->mpi)
    return h->violation->property == HD_PROPERTY_ASSERT ||
                   h->violation->property == HD_PROPERTY_DEADLOCK
               ? NULL
               : "a native run of an MPI program does not show this property";
  switch (h->violation->property) {
  case HD_PROPERTY_RACE:
    return can_meet(h) ? NULL
                       : "the two accesses of the race cannot be made to meet";
  case HD_PROPERTY_ASSERT:
  case HD_PROPERTY_DEADLOCK:
  case HD_PROPERTY_OVERFLOW:
  case HD_PROPERTY_ARITH:
  case HD_PROPERTY_MEMORY:
  case HD_PROPERTY_UNREACHABLE:
    return NULL;
  case HD_PROPERTY_SYNC:
    if (shows_misuse(h))
      return NULL;
    break;
  case HD_PROPERTY_LEAK:
  case HD_PROPERTY_UNINIT:
  case HD_PROPERTY_MPI:
  case HD_PROPERTY_INVARIANT:
  case HD_PROPERTY_COUNT:
    break;
  }
  return "a native run does not show this property";
}

/* --- the text --- */

/* What heddle's models of library functions do inside, the native library does
 * in its own way. */
static void leave_models_out(recorder *r) {
  size_t n = 0;
  for (size_t i = 0; i < r->steps.size; i++) {
    step s = r->steps.data[i];
    if (hd_code_pos_is_own(r->code, &s.pos))
      hd_free(s.what);
    else
      r->steps.data[n++] = s;
  }
  r->steps.size = n;
}

static void record(recorder *r, const hd_harness *h) {
  bool race = h->violation->property == HD_PROPERTY_RACE;
  hd_turns made = {0};
  const hd_turns *turns = race && meet(h, &made) ? &made : h->turns;
  begin(r, h, turns);
  for (size_t i = 0; can_go_on(r->machine, turns, i); i++)
    move(r, turns->data[i]);
  if (r->recorder)
    hand_values(r);
  else
    leave_models_out(r);
  hd_vec_free(&made);
  r->turns = r->steps.size;
  bool fails = !race && h->violation->property != HD_PROPERTY_DEADLOCK;
  for (hd_tid t = 0; t < hd_machine_threads(r->machine); t++)
    if (hd_machine_alive(r->machine, t) &&
        !(fails && t == h->violation->thread))
      hd_vec_push(&r->steps, stands_before(r, t, true));
}

static void print_string(hd_str *out, const char *text) {
  hd_str_puts(out, "\"");
  for (; *text; text++)
    hd_str_printf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
  hd_str_puts(out, "\"");
}

static const char *base_name(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

static void print_step(hd_str *out, const step *s) {
  hd_str_printf(out, "    {%u, ", s->thread);
  print_string(out, s->action);
  hd_str_printf(out, ", %u, %u, %d, %lluu, %d, %d, ",
                s->pos.file == HD_NO_ID ? 0 : s->pos.file, s->pos.line,
                s->stack == HD_NO_ID ? -1 : (int)s->stack,
                (unsigned long long)s->value, s->from, s->rest);
  print_string(out, s->what ? s->what : "");
  hd_str_puts(out, "},\n");
}

void hd_harness_schedule(hd_str *out, const hd_harness *h) {
  const hd_violation *v = h->violation;
  recorder r;
  record(&r, h);
  hd_str_puts(out, "/* The run that replay.c forces. */\n");
  hd_str_printf(out, "#define PROPERTY \"%s\"\n",
                hd_property_name(v->property));
  hd_str_printf(out, "#define TURNS %zu\n", r.turns);
  hd_str_printf(out, "#define WEAK %d\n", r.weak);
  hd_str_printf(out, "#define VIOLATOR %u\n", v->thread);
  hd_str_printf(out, "#define OTHER %d\n",
                v->other == HD_NO_ID ? -1 : (int)v->other);
  hd_str_puts(out, "#define STACK_SIZE (4 << 20)\n#define SECONDS 20\n");
  hd_str_puts(out, "#define ARGUMENTS ");
  for (int i = 0; i < h->machine->argc; i++) {
    hd_str_puts(out, i ? ", " : "");
    print_string(out, h->machine->argv[i]);
  }
  hd_str_puts(out, "\n\nstatic const char *const files[] = {");
  for (size_t i = 0; i < h->code->files.size; i++) {
    hd_str_puts(out, i ? ", " : "");
    print_string(out, base_name(h->code->files.data[i]));
  }
  hd_str_puts(out, h->code->files.size ? "};\n\n" : "\"\"};\n\n");
  hd_str_puts(out, "/* thread, action, file, line, whose stack, value, what it "
                   "reads and what it leaves\n * in memory where that is weak, "
                   "what; behind TURNS: where the threads stand at the\n * end "
                   "*/\n"
                   "static const struct step steps[] = {\n");
  for (size_t i = 0; i < r.steps.size; i++)
    print_step(out, &r.steps.data[i]);
  hd_str_puts(out, "};\n");
  end(&r);
}

/* Functions of the program that stand for something: replay.c is told when they
 * are called. */
static bool means_something(const hd_func *f) {
  return f->defined &&
         (!strcmp(f->name, "reach_error") ||
          !strcmp(f->name, "__VERIFIER_error") ||
          (!strncmp(f->name, "__VERIFIER_atomic_", 18) &&
           strcmp(f->name + 18, "begin") && strcmp(f->name + 18, "end")));
}

static bool any_means_something(const hd_code *code) {
  for (size_t i = 0; i < code->funcs.size; i++)
    if (means_something(&code->funcs.data[i]))
      return true;
  return false;
}

void hd_harness_functions(hd_str *out, const hd_harness *h) {
  hd_str_puts(out, "/* What library.c must know of the program. */\n");
  hd_str_printf(out, "#define FENCES %d\n",
                h->violation->property == HD_PROPERTY_MEMORY);
  hd_str_puts(out, "#define FUNCTIONS");
  for (size_t i = 0; i < h->code->funcs.size; i++)
    if (means_something(&h->code->funcs.data[i]))
      hd_str_printf(out, " F(%s)", h->code->funcs.data[i].name);
  hd_str_puts(out, "\n");
}

/* NULL: there is none for it. */
static const char *sanitizer(hd_property property) {
  static const char *const names[HD_PROPERTY_COUNT] = {
      [HD_PROPERTY_OVERFLOW] = "signed-integer-overflow,float-cast-overflow",
      [HD_PROPERTY_ARITH] = "integer-divide-by-zero,shift",
      [HD_PROPERTY_MEMORY] = "null,bounds,object-size",
      [HD_PROPERTY_UNREACHABLE] = "unreachable,return"};
  assert(property < HD_PROPERTY_COUNT);
  return names[property];
}

/* Under this very name. */
static bool in_library(const char *name) {
  hd_library_fn fn = hd_library_find(name);
  return fn != HD_LIB_NONE && !strcmp(hd_library_name(fn), name);
}

/* Library functions that the program defines itself. */
static void print_own(hd_str *out, const hd_code *code) {
  for (size_t i = 0; i < code->funcs.size; i++)
    if (code->funcs.data[i].defined && in_library(code->funcs.data[i].name))
      hd_str_printf(out, " %s", code->funcs.data[i].name);
}

void hd_harness_makefile(hd_str *out, const hd_harness *h) {
  const char *checks = sanitizer(h->violation->property);
  hd_str_puts(out,
              "# make builds ./replay, which forces the run of schedule.h on "
              "the program;\n# make check runs it 20 times and compares.\n"
              "CC = gcc\nOBJCOPY = objcopy\n");
  hd_str_printf(out, "PROGRAM =");
  for (size_t i = 0; i < h->n_sources; i++)
    hd_str_printf(out, " %s", h->sources[i]);
  hd_str_printf(out, "\nFLAGS = -std=%s%s %s\n", h->std,
                h->code->pointer_width == 32 ? " -m32" : "", h->flags);
  hd_str_puts(out, "# Each access calls replay.c first; no optimisation, and "
                   "the library is called.\nINSTRUMENT = -O0 -gdwarf-4 "
                   "-gz=none -fno-pie -fno-builtin -fsanitize=thread");
  if (any_means_something(h->code))
    hd_str_puts(out, " \\\n  -finstrument-functions");
  if (checks)
    hd_str_printf(
        out, " \\\n  -fsanitize=%s -fsanitize-undefined-trap-on-error", checks);
  hd_str_puts(out, "\n# Functions of the library that the program has itself.\n"
                   "OWN = main");
  print_own(out, h->code);
  hd_str_printf(
      out,
      "\nREPLAY_FLAGS = -O1 -fno-pie -pthread -w -I.%s\n"
      "OBJECTS = $(addsuffix .o,$(basename $(PROGRAM)))\n\n"
      "replay: $(OBJECTS) replay.c library.c lines.c replay.h schedule.h "
      "functions.h\n"
      "\t$(CC) $(REPLAY_FLAGS) -no-pie replay.c library.c lines.c $(OBJECTS) "
      "-o $@ -lm\n\n"
      "# The calls of the program go to library.c.\n"
      "names: library.c Makefile\n"
      "\tsed -nE 's/^(WRAP|POINT|POINT_AT)\\([^,]*, *([A-Za-z_0-9]+).*/"
      "\\2 replay_\\2/p' library.c > $@.all\n"
      "\techo main replay_main > $@\n"
      "\tgrep -vE '^($(subst $() ,|,$(strip $(OWN)))) ' $@.all >> $@\n\n"
      "%%.o: %%.c names\n"
      "\t$(CC) $(FLAGS) $(INSTRUMENT) -pthread -w -c $< -o $@\n"
      "\t$(OBJCOPY) --redefine-syms=names $@\n\n"
      "%%.o: %%.i names\n"
      "\t$(CC) $(FLAGS) $(INSTRUMENT) -pthread -w -c $< -o $@\n"
      "\t$(OBJCOPY) --redefine-syms=names $@\n\n"
      "check: replay\n"
      "\t@n=0; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; "
      "do \\\n"
      "\t  ./replay > output 2> errors; s=$$?; \\\n"
      "\t  if [ $$s -eq 10 ] || [ $$s -eq 134 ]; then n=$$((n + 1)); fi; "
      "\\\n\tdone; cat errors; echo \"reproduced in $$n of 20 runs\"; "
      "[ $$n -eq 20 ]\n\n"
      "clean:\n\trm -f replay $(OBJECTS) names names.all output errors\n"
      ".PHONY: check clean\n",
      h->code->pointer_width == 32 ? " -m32" : "");
}

void hd_harness_readme(hd_str *out, const hd_harness *h) {
  const hd_violation *v = h->violation;
  const hd_cpos *pos = &h->code->edges.data[v->edge].pos;
  hd_str_puts(out, "# A run that goes wrong\n\n");
  hd_str_printf(out, "%s%s%s%s", "heddle found a violation of the property `",
                hd_property_name(v->property), "`", v->message ? ": " : "");
  hd_str_puts(out, v->message ? v->message : "");
  if (pos->file != HD_NO_ID)
    hd_str_printf(out, "\n(%s:%u)", h->code->files.data[pos->file], pos->line);
  hd_str_puts(
      out,
      ". This folder makes it happen in a native run, every time:\n\n"
      "```sh\nmake\n./replay\n```\n\n"
      "`make check` runs it 20 times and counts.\n"
      "\n| exit status | |\n|---|---|\n"
      "| 134 | the program's own assertion failed (it aborts) |\n"
      "| 10 | the scheduler saw the violation: a race, a deadlock, a signal |\n"
      "| 2 | the run could not be forced: a native run does something else |\n"
      "\n");
  if (h->mpi) {
    hd_str_puts(out, "Open MPI (mpicc, mpirun) and make are all it takes. The "
                     "program, in `src`, is\nunchanged; `schedule.h` is the "
                     "run, `replay_mpi.c` says how it is forced.\n");
    return;
  }
  hd_str_puts(
      out, "gcc, binutils and make are all it takes. "
           "`REPLAY_VERBOSE=1 ./replay` prints the steps as they are made. The "
           "program, in\n`src`, is unchanged; `schedule.h` is the run, "
           "`replay.c` says how it is forced,\n`library.c` stands between the "
           "program and the library. For a debugger: all other\nthreads stand "
           "still while one moves, and `./replay` has line numbers.\n");
}
