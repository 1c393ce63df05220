/* SPDX-License-Identifier: MIT */
/* The MPI machine as others see it: making, copying, moving, asking.
 *
 * Between moves every process has ended, or stands before an input, or stands in
 * a call that is a move (`at_call`): `settle` brings it there. */
#include "check/mpi/mpi.h"

#include "check/mpi/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define MAX_LOCAL 1000000

bool hd_mpi_program(const hd_code *code) {
  for (hd_vec_each(hd_func, func, &code->funcs))
    if (!func->defined &&
        hd_library_kind_of(hd_library_find(func->name)) == HD_LIBRARY_MPI)
      return true;
  return false;
}

static bool calls(const hd_code *code, hd_library_fn fn) {
  for (hd_vec_each(hd_func, func, &code->funcs))
    if (!func->defined && hd_library_find(func->name) == fn)
      return true;
  return false;
}

/* --- telling --- */

static void tell(hd_mpi *mpi, hd_mpi_event event) {
  size_t depth = hd_machine_depth(mpi->processes[event.process].machine, 0);
  event.depth = depth ? (uint32_t)depth - 1 : 0;
  if (mpi->options->observe)
    mpi->options->observe(mpi->options->context, &event);
}

static hd_edge_id edge_of(const hd_mpi *mpi, uint32_t p) {
  const hd_machine *m = mpi->processes[p].machine;
  return hd_machine_depth(m, 0) ? hd_machine_frame(m, 0, 0).edge : HD_NO_ID;
}

void hd_mpi_tell(hd_mpi *mpi, hd_mpi_event_kind kind, uint32_t p,
                 uint32_t other, const char *format, ...) {
  if (!mpi->options->observe)
    return;
  char text[400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  hd_mpi_event event = {.kind = kind,
                        .process = p,
                        .other = other,
                        .move = mpi->move,
                        .edge = edge_of(mpi, p),
                        .text = text};
  tell(mpi, event);
}

void hd_mpi_tell_message(hd_mpi *mpi, hd_mpi_event_kind kind,
                         const hd_mpi_message *message, hd_edge_id edge,
                         uint64_t post) {
  if (!mpi->options->observe)
    return;
  bool sends = kind == HD_MPI_SENDS;
  hd_str text = {0};
  hd_mpi_print_data(&text, mpi, message->data);
  hd_str_printf(&text, " %s %u, tag %d", sends ? "to" : "from",
                sends ? message->to : message->from, message->tag);
  hd_mpi_event event = {.kind = kind,
                        .process = sends ? message->from : message->to,
                        .other = sends ? message->to : message->from,
                        .move = mpi->move,
                        .edge = edge,
                        .message = message->number,
                        .post = post,
                        .text = hd_str_text(&text)};
  tell(mpi, event);
  hd_str_free(&text);
}

/* What the machine of the current process tells. */
static void observe(void *context, const hd_event *event) {
  hd_mpi *mpi = *(hd_mpi **)context;
  if (!mpi)
    return;
  bool output = event->kind == HD_EVENT_OUTPUT && event->text;
  if (output && mpi->outputs)
    hd_str_puts(&mpi->processes[mpi->current].output, event->text);
  if (!output && !mpi->options->all)
    return;
  hd_mpi_event told = {.kind = output ? HD_MPI_OUTPUT : HD_MPI_INTERP,
                       .process = mpi->current,
                       .other = HD_NO_ID,
                       .move = mpi->move,
                       .edge = event->edge,
                       .text = event->text,
                       .event = event};
  tell(mpi, told);
}

/* --- ends --- */

static void add_violation(hd_mpi *mpi, uint32_t p, hd_property property,
                          hd_edge_id edge, char *message) {
  hd_violation violation = {.property = property,
                            .thread = p,
                            .other = HD_NO_ID,
                            .edge = edge,
                            .other_edge = HD_NO_ID,
                            .message = message};
  hd_vec_push(&mpi->violations, violation);
}

static bool checks(const hd_mpi *mpi, hd_property property) {
  return mpi->options->checks >> property & 1;
}

static void set_why(hd_mpi *mpi, const char *why) {
  hd_free(mpi->why);
  mpi->why = hd_strdup(why);
}

void hd_mpi_violate(hd_mpi *mpi, uint32_t p, hd_property property,
                    hd_edge_id edge, const char *format, ...) {
  char text[600];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  bool ended = mpi->status == HD_MACHINE_EXITED;
  if (checks(mpi, property)) {
    add_violation(mpi, p, property, edge, hd_strdup(text));
  } else if (!ended) {
    hd_str why = {0};
    hd_str_printf(&why, "%s: %s", hd_property_name(property), text);
    if (edge != HD_NO_ID) {
      hd_str_puts(&why, ", at ");
      hd_code_print_pos(&why, mpi->code, mpi->code->edges.data[edge].pos);
    }
    set_why(mpi, hd_str_text(&why));
    hd_str_free(&why);
  }
  if (!ended)
    mpi->status = HD_MACHINE_FAILED;
}

void hd_mpi_misuse(const hd_mpi_call *c, const char *format, ...) {
  char text[500];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (hd_mpi_runs(c->mpi))
    hd_mpi_violate(c->mpi, c->p, HD_PROPERTY_MPI, c->call->edge, "%s: %s",
                   c->call->name, text);
}

void hd_mpi_refuse(const hd_mpi_call *c, const char *format, ...) {
  char text[300];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  hd_host_refuse(c->m, "%s: %s", c->call->name, text);
}

/* --- making --- */

static void make_comms(hd_mpi *mpi) {
  for (uint32_t i = 0; i <= mpi->n; i++) {
    uint32_t comm = hd_mpi_comm_new(mpi);
    for (uint32_t p = 0; p < mpi->n; p++)
      if (!i || p == i - 1) {
        hd_vec_push(&mpi->comms.data[comm].members, p);
        hd_vec_push(&mpi->comms.data[comm].calls, 0);
      }
  }
}

static void settle(hd_mpi *mpi, uint32_t p);
static void look_around(hd_mpi *mpi);

/* All machines are copies of one; what they tell goes to the mpi that runs:
 * `at` is shared by the copies of an mpi and says which. */
typedef struct {
  hd_mpi *running;
  uint32_t refs;
  hd_machine_options options;
} shared;

static shared *shared_of(const hd_mpi *mpi) {
  return mpi->shared;
}

hd_mpi *hd_mpi_new(const hd_code *code, const hd_mpi_options *options) {
  assert(options->procs > 0);
  hd_mpi *mpi = hd_calloc(1, sizeof *mpi);
  mpi->code = code;
  mpi->options = options;
  mpi->n = options->procs;
  mpi->status = HD_MACHINE_RUNNING;
  mpi->outputs = options->outputs;
  mpi->probes = calls(code, HD_LIB_MPI_Mprobe) ||
                calls(code, HD_LIB_MPI_Improbe) ||
                calls(code, HD_LIB_MPI_Probe) || calls(code, HD_LIB_MPI_Iprobe);
  mpi->aborts = calls(code, HD_LIB_MPI_Abort);
  mpi->exposes = calls(code, HD_LIB_MPI_Win_create) ||
                 calls(code, HD_LIB_MPI_Win_allocate);
  mpi->processes = hd_calloc(mpi->n, sizeof *mpi->processes);
  shared *common = hd_calloc(1, sizeof *common);
  mpi->shared = common;
  common->refs = 1;
  common->options = (hd_machine_options){
      .checks = options->checks & ~((hd_properties)1 << HD_PROPERTY_RACE),
      .argc = options->argc,
      .argv = options->argv,
      .given = options->given,
      .n_given = options->n_given,
      .exact = options->exact,
      .observe = options->observe || options->outputs ? observe : NULL,
      .context = &common->running};
  make_comms(mpi);
  hd_machine *first = hd_machine_new(code, &common->options);
  for (uint32_t p = 0; p < mpi->n; p++)
    mpi->processes[p].machine = p ? hd_machine_copy(first) : first;
  common->running = mpi;
  for (uint32_t p = 0; p < mpi->n && hd_mpi_runs(mpi); p++)
    settle(mpi, p);
  look_around(mpi);
  common->running = NULL;
  return mpi;
}

#define COPY(to, from)                                                         \
  do {                                                                         \
    memset(&(to), 0, sizeof(to));                                              \
    if ((from).size) {                                                         \
      hd_vec_resize(&(to), (from).size);                                       \
      memcpy((to).data, (from).data, (from).size * sizeof *(to).data);         \
    }                                                                          \
  } while (0)

static hd_mpi_process copy_process(const hd_mpi_process *from) {
  hd_mpi_process to = *from;
  to.machine = hd_machine_copy(from->machine);
  COPY(to.requests, from->requests);
  COPY(to.comms, from->comms);
  COPY(to.ops, from->ops);
  COPY(to.infos, from->infos);
  COPY(to.windows, from->windows);
  memset(&to.groups, 0, sizeof to.groups);
  for (hd_vec_each(hd_mpi_group, group, &from->groups)) {
    hd_mpi_group copy = *group;
    COPY(copy.members, group->members);
    hd_vec_push(&to.groups, copy);
  }
  memset(&to.types, 0, sizeof to.types);
  for (hd_vec_each(hd_mpi_type, type, &from->types))
    hd_vec_push(&to.types, hd_mpi_type_copy(type));
  memset(&to.output, 0, sizeof to.output);
  if (from->output.size)
    hd_str_puts(&to.output, hd_str_text(&from->output));
  return to;
}

static hd_mpi_comm copy_comm(const hd_mpi_comm *from) {
  hd_mpi_comm to = *from;
  COPY(to.members, from->members);
  COPY(to.calls, from->calls);
  memset(&to.meetings, 0, sizeof to.meetings);
  for (size_t i = 0; i < from->meetings.size; i++)
    hd_vec_push(&to.meetings, hd_mpi_meeting_copy(from->meetings.data[i]));
  return to;
}

hd_mpi *hd_mpi_copy(const hd_mpi *from) {
  hd_mpi *to = hd_alloc(sizeof *to);
  *to = *from;
  shared_of(to)->refs++;
  to->processes = hd_calloc(to->n, sizeof *to->processes);
  for (uint32_t p = 0; p < to->n; p++)
    to->processes[p] = copy_process(&from->processes[p]);
  COPY(to->queue, from->queue);
  for (hd_vec_each(hd_mpi_message, message, &to->queue))
    hd_mpi_data_keep(message->data);
  memset(&to->comms, 0, sizeof to->comms);
  for (hd_vec_each(hd_mpi_comm, comm, &from->comms))
    hd_vec_push(&to->comms, copy_comm(comm));
  memset(&to->windows, 0, sizeof to->windows);
  for (hd_vec_each(hd_mpi_window, window, &from->windows)) {
    hd_mpi_window copy = *window;
    COPY(copy.parts, window->parts);
    hd_vec_push(&to->windows, copy);
  }
  to->why = from->why ? hd_strdup(from->why) : NULL;
  COPY(to->violations, from->violations);
  for (hd_vec_each(hd_violation, violation, &to->violations))
    violation->message = hd_strdup(violation->message);
  return to;
}

static void free_process(hd_mpi_process *process) {
  hd_machine_delete(process->machine);
  hd_vec_free(&process->requests);
  hd_vec_free(&process->comms);
  hd_vec_free(&process->ops);
  hd_vec_free(&process->infos);
  hd_vec_free(&process->windows);
  for (hd_vec_each(hd_mpi_group, group, &process->groups))
    hd_vec_free(&group->members);
  hd_vec_free(&process->groups);
  for (hd_vec_each(hd_mpi_type, type, &process->types))
    hd_mpi_type_free(type);
  hd_vec_free(&process->types);
  hd_str_free(&process->output);
}

static void free_comm(hd_mpi_comm *comm) {
  hd_vec_free(&comm->members);
  hd_vec_free(&comm->calls);
  for (size_t i = 0; i < comm->meetings.size; i++)
    hd_mpi_meeting_delete(comm->meetings.data[i]);
  hd_vec_free(&comm->meetings);
}

void hd_mpi_delete(hd_mpi *mpi) {
  if (!mpi)
    return;
  for (uint32_t p = 0; p < mpi->n; p++)
    free_process(&mpi->processes[p]);
  hd_free(mpi->processes);
  for (hd_vec_each(hd_mpi_message, message, &mpi->queue))
    hd_mpi_data_drop(message->data);
  hd_vec_free(&mpi->queue);
  for (hd_vec_each(hd_mpi_comm, comm, &mpi->comms))
    free_comm(comm);
  hd_vec_free(&mpi->comms);
  for (hd_vec_each(hd_mpi_window, window, &mpi->windows))
    hd_vec_free(&window->parts);
  hd_vec_free(&mpi->windows);
  for (hd_vec_each(hd_violation, violation, &mpi->violations))
    hd_free((char *)(uintptr_t)violation->message);
  hd_vec_free(&mpi->violations);
  hd_free(mpi->why);
  if (!--shared_of(mpi)->refs)
    hd_free(mpi->shared);
  hd_free(mpi);
}

/* --- running a process --- */

hd_mpi_call hd_mpi_call_of(hd_mpi *mpi, uint32_t p) {
  hd_mpi_process *process = &mpi->processes[p];
  return (hd_mpi_call){.mpi = mpi,
                       .p = p,
                       .process = process,
                       .m = process->machine,
                       .call = &process->call};
}

bool hd_mpi_put(const hd_mpi_call *c, uint64_t address, int64_t value) {
  int32_t narrow = (int32_t)value;
  return hd_host_write(c->m, address, 4, (const uint8_t *)&narrow, NULL);
}

uint64_t hd_mpi_returns(const hd_mpi *mpi, uint32_t process) {
  return mpi->processes[process].returns;
}

void hd_mpi_return(const hd_mpi_call *c) {
  c->process->returns += c->process->at_call;
  c->process->at_call = false;
  hd_host_return(c->m, 0);
}

/* What the process' own machine ended with. */
static void take_end(hd_mpi *mpi, uint32_t p) {
  const hd_machine *m = mpi->processes[p].machine;
  hd_machine_status status = hd_machine_status_of(m);
  for (size_t i = 0; i < hd_machine_violations(m); i++) {
    const hd_violation *v = hd_machine_violation(m, i);
    add_violation(mpi, p, v->property, v->edge, hd_strdup(v->message));
  }
  if (status != HD_MACHINE_EXITED) {
    mpi->status = status == HD_MACHINE_DEADLOCK ? HD_MACHINE_FAILED : status;
    set_why(mpi, hd_machine_why(m));
    return;
  }
  hd_mpi_process *process = &mpi->processes[p];
  process->ended = true;
  hd_mpi_tell(mpi, HD_MPI_ENDS, p, HD_NO_ID, "ends with %d",
              hd_machine_exit_code(m));
  if (!mpi->exit_code)
    mpi->exit_code = hd_machine_exit_code(m);
  if (process->initialized && !process->finalized)
    hd_mpi_violate(mpi, p, HD_PROPERTY_MPI, edge_of(mpi, p),
                   "the process ends without MPI_Finalize");
}

/* Arguments that matter at the root (the leader) only. */
static uint32_t loose(hd_library_fn fn) {
  switch (hd_mpi_blocking(fn)) {
  case HD_LIB_MPI_Gather:
    return 7u << 3;
  case HD_LIB_MPI_Gatherv:
    return 15u << 3;
  case HD_LIB_MPI_Scatter:
    return 7u;
  case HD_LIB_MPI_Scatterv:
    return 15u;
  case HD_LIB_MPI_Reduce:
    return 2u;
  case HD_LIB_MPI_Intercomm_create:
    return 3u << 2;
  default:
    return 0;
  }
}

/* The process has come to a call of MPI: it may be executed at once. */
static void arrive(hd_mpi *mpi, uint32_t p) {
  hd_mpi_call c = hd_mpi_call_of(mpi, p);
  hd_mpi_process *process = c.process;
  process->sent = process->received = process->posted = false;
  process->number = 0;
  if (!hd_host_args(c.m, loose(process->call.fn), &process->call) ||
      hd_mpi_local(&c) || hd_mpi_point_arrive(&c) || hd_mpi_window_arrive(&c))
    return;
  if (hd_mpi_is_completion(process->call.fn))
    hd_mpi_completion_arrive(&c);
  else if (hd_mpi_is_collective(process->call.fn))
    hd_mpi_collective_arrive(&c);
  else
    hd_mpi_refuse(&c, "this function of MPI is not supported");
}

/* Another thread than main's makes the machine's moves ambiguous. */
static bool one_thread(const hd_machine *m) {
  size_t live = 0;
  for (hd_tid t = 0; t < hd_machine_threads(m); t++)
    live += hd_machine_alive(m, t);
  return live <= 1;
}

/* Runs the process up to its next move. */
static void settle(hd_mpi *mpi, uint32_t p) {
  hd_mpi_process *process = &mpi->processes[p];
  hd_machine *m = process->machine;
  uint64_t most = mpi->options->max_local;
  most = most ? most : MAX_LOCAL;
  mpi->current = p;
  for (uint64_t i = 0; hd_mpi_runs(mpi) && !process->at_call; i++) {
    hd_mpi_touches(mpi, p);
    if (!hd_mpi_runs(mpi))
      return;
    if (hd_machine_status_of(m) != HD_MACHINE_RUNNING) {
      take_end(mpi, p);
      return;
    }
    if (i == most) {
      mpi->status = HD_MACHINE_DIVERGED;
      set_why(mpi, "a process goes on and on without a call of MPI");
      return;
    }
    if (hd_host_waits(m, &process->call))
      arrive(mpi, p);
    else if (!one_thread(m))
      hd_host_refuse(m, "threads in a program with MPI are not supported");
    else if (hd_machine_choices(m, 0) == 1)
      hd_machine_move(m, (hd_turn){.thread = 0});
    else
      return; /* an input */
  }
  if (hd_mpi_runs(mpi) && hd_machine_status_of(m) != HD_MACHINE_RUNNING)
    take_end(mpi, p);
}

/* --- asking --- */

hd_machine_status hd_mpi_status(const hd_mpi *mpi) {
  return mpi->status;
}

const char *hd_mpi_why(const hd_mpi *mpi) {
  return mpi->why ? mpi->why : "";
}

int hd_mpi_exit_code(const hd_mpi *mpi) {
  return mpi->exit_code;
}

size_t hd_mpi_violations(const hd_mpi *mpi) {
  return mpi->violations.size;
}

const hd_violation *hd_mpi_violation(const hd_mpi *mpi, size_t i) {
  assert(i < mpi->violations.size);
  return &mpi->violations.data[i];
}

const hd_machine *hd_mpi_process_machine(const hd_mpi *mpi, uint32_t p) {
  assert(p < mpi->n);
  return mpi->processes[p].machine;
}

hd_edge_id hd_mpi_at(const hd_mpi *mpi, uint32_t p) {
  return mpi->processes[p].ended ? HD_NO_ID : edge_of(mpi, p);
}

bool hd_mpi_input(const hd_mpi *mpi, uint32_t p, int64_t *low,
                  uint64_t *count) {
  const hd_mpi_process *process = &mpi->processes[p];
  if (process->ended || process->at_call || !hd_mpi_runs(mpi))
    return false;
  *low = hd_machine_is_input(process->machine, 0)
             ? hd_machine_input_low(process->machine, 0)
             : 0;
  *count = hd_machine_choices(process->machine, 0);
  return true;
}

static void enabled(const hd_mpi *mpi, uint32_t p, hd_mpi_enabled *out) {
  const hd_mpi_process *process = &mpi->processes[p];
  if (process->ended || !hd_mpi_runs(mpi))
    return;
  if (!process->at_call)
    out->free = true; /* an input */
  else if (hd_mpi_is_point(process->call.fn))
    hd_mpi_point_enabled(mpi, p, out);
  else if (hd_mpi_is_completion(process->call.fn))
    hd_mpi_completion_enabled(mpi, p, out);
  else if (hd_mpi_is_window(process->call.fn))
    hd_mpi_window_enabled(mpi, p, out);
  else
    hd_mpi_collective_enabled(mpi, p, out);
}

void hd_mpi_moves(const hd_mpi *mpi, uint32_t p, hd_mpi_choices *out) {
  hd_mpi_enabled moves = {0};
  enabled(mpi, p, &moves);
  for (hd_vec_each(uint64_t, choice, &moves.choices))
    hd_vec_push(out, *choice);
  hd_vec_free(&moves.choices);
}

bool hd_mpi_possible(const hd_mpi *mpi, hd_turn move) {
  if (move.thread >= mpi->n || !hd_mpi_runs(mpi))
    return false;
  int64_t low;
  uint64_t count;
  if (hd_mpi_input(mpi, move.thread, &low, &count))
    return count == UINT64_MAX || move.choice < count;
  hd_mpi_choices moves = {0};
  hd_mpi_moves(mpi, move.thread, &moves);
  bool found = false;
  for (hd_vec_each(uint64_t, choice, &moves))
    found = found || *choice == move.choice;
  hd_vec_free(&moves);
  return found;
}

/* All receives of the process have a source: which message comes next is no
 * choice. */
static bool sources_named(const hd_mpi_process *process) {
  for (hd_vec_each(hd_mpi_request, r, &process->requests))
    if (r->kind == HD_REQUEST_RECV && !r->done && r->post.source == HD_MPI_ANY)
      return false;
  return process->receive.post.source != HD_MPI_ANY;
}

bool hd_mpi_alone(const hd_mpi *mpi, uint32_t p, uint64_t *choice) {
  const hd_mpi_process *process = &mpi->processes[p];
  if (process->ended || !process->at_call || !hd_mpi_runs(mpi) || mpi->aborts ||
      mpi->exposes)
    return false; /* MPI_Abort ends what others do, and MPI_Put interferes */
  bool receive = process->call.fn == HD_LIB_MPI_Recv && sources_named(process);
  if (!receive && !hd_mpi_is_collective(process->call.fn))
    return false;
  hd_mpi_enabled e = {0};
  enabled(mpi, p, &e);
  /* Several sources can have messages for several receives. */
  bool alone = e.free && e.choices.size == 1;
  if (alone)
    *choice = e.choices.data[0];
  hd_vec_free(&e.choices);
  return alone;
}

hd_mpi_deadlock hd_mpi_deadlocked(const hd_mpi *mpi) {
  bool alive = false, moves = false, free = false;
  for (uint32_t p = 0; p < mpi->n; p++) {
    if (mpi->processes[p].ended)
      continue;
    hd_mpi_enabled e = {0};
    enabled(mpi, p, &e);
    alive = true;
    moves = moves || e.choices.size || e.free;
    free = free || e.free;
    hd_vec_free(&e.choices);
  }
  return !alive || free ? HD_MPI_NO_DEADLOCK
         : moves        ? HD_MPI_POTENTIAL
                        : HD_MPI_ABSOLUTE;
}

/* --- after a move --- */

static void print_wait(hd_str *out, const hd_mpi *mpi, uint32_t p) {
  const hd_mpi_process *process = &mpi->processes[p];
  if (hd_mpi_is_point(process->call.fn))
    hd_mpi_point_wait(out, mpi, p);
  else if (hd_mpi_is_completion(process->call.fn))
    hd_mpi_completion_wait(out, mpi, p);
  else if (hd_mpi_is_window(process->call.fn))
    hd_mpi_window_wait(out, mpi, p);
  else
    hd_mpi_collective_wait(out, mpi, p);
}

static void report_deadlock(hd_mpi *mpi, bool potential) {
  hd_str text = {0};
  uint32_t first = HD_NO_ID;
  const char *separator = "";
  if (potential)
    hd_str_puts(&text, "without buffers: ");
  for (uint32_t p = 0; p < mpi->n; p++) {
    if (mpi->processes[p].ended)
      continue;
    first = first == HD_NO_ID ? p : first;
    hd_str wait = {0};
    print_wait(&wait, mpi, p);
    hd_mpi_tell(mpi, HD_MPI_WAITS, p, HD_NO_ID, "for %s", hd_str_text(&wait));
    hd_str_printf(&text, "%s%u waits for %s, at ", separator, p,
                  hd_str_text(&wait));
    hd_code_print_pos(&text, mpi->code,
                      mpi->code->edges.data[mpi->processes[p].call.edge].pos);
    separator = "; ";
    hd_str_free(&wait);
  }
  if (checks(mpi, HD_PROPERTY_DEADLOCK))
    add_violation(mpi, first, HD_PROPERTY_DEADLOCK,
                  mpi->processes[first].call.edge, hd_str_take(&text));
  hd_str_free(&text);
  mpi->status = HD_MACHINE_DEADLOCK;
}

/* What nobody has received when all have ended. */
static void look_for_rest(hd_mpi *mpi) {
  for (hd_vec_each(hd_mpi_message, message, &mpi->queue))
    hd_mpi_violate(mpi, message->from, HD_PROPERTY_MPI, message->edge,
                   "the message to %u, tag %d, is never received", message->to,
                   message->tag);
  hd_mpi_collective_rest(mpi);
}

/* Have all ended, can nobody go on? */
static void look_around(hd_mpi *mpi) {
  if (!hd_mpi_runs(mpi))
    return;
  bool alive = false;
  for (uint32_t p = 0; p < mpi->n; p++)
    alive = alive || !mpi->processes[p].ended;
  if (!alive) {
    mpi->status = HD_MACHINE_EXITED;
    look_for_rest(mpi);
    return;
  }
  hd_mpi_deadlock deadlock = hd_mpi_deadlocked(mpi);
  bool potential = mpi->options->potential && checks(mpi, HD_PROPERTY_DEADLOCK);
  for (uint32_t p = 0; p < mpi->n && !potential; p++)
    if (deadlock == HD_MPI_ABSOLUTE && !mpi->processes[p].ended &&
        hd_mpi_needs_post(mpi, p)) {
      hd_mpi_call c = hd_mpi_call_of(mpi, p);
      hd_mpi_refuse(&c, "before MPI_Win_post of the target, with an MPI that "
                        "keeps it until then: this is not supported");
      take_end(mpi, p);
      return;
    }
  if (deadlock == HD_MPI_ABSOLUTE ||
      (deadlock == HD_MPI_POTENTIAL && potential))
    report_deadlock(mpi, deadlock == HD_MPI_POTENTIAL);
}

/* --- moving --- */

static void make_call(hd_mpi *mpi, uint32_t p, uint64_t choice) {
  hd_mpi_call c = hd_mpi_call_of(mpi, p);
  if (hd_mpi_is_point(c.call->fn))
    hd_mpi_point_move(&c, choice);
  else if (hd_mpi_is_completion(c.call->fn))
    hd_mpi_completion_move(&c, choice);
  else if (hd_mpi_is_window(c.call->fn))
    hd_mpi_window_move(&c, choice);
  else
    hd_mpi_collective_move(&c);
}

hd_machine_status hd_mpi_move(hd_mpi *mpi, hd_turn move) {
  assert(hd_mpi_possible(mpi, move));
  hd_mpi_process *process = &mpi->processes[move.thread];
  shared_of(mpi)->running = mpi;
  mpi->current = move.thread;
  mpi->move++;
  if (process->at_call) {
    make_call(mpi, move.thread, move.choice);
  } else {
    int64_t low = hd_machine_is_input(process->machine, 0)
                      ? hd_machine_input_low(process->machine, 0)
                      : 0;
    hd_mpi_tell(mpi, HD_MPI_CHOOSES, move.thread, HD_NO_ID, "%lld",
                (long long)((uint64_t)low + move.choice));
    hd_machine_move(process->machine, (hd_turn){.choice = move.choice});
  }
  settle(mpi, move.thread);
  hd_mpi_forget(mpi);
  look_around(mpi);
  shared_of(mpi)->running = NULL;
  return mpi->status;
}
