/* SPDX-License-Identifier: MIT */
/* The MPI machine as others see it: moving, asking.
 *
 * Between moves every process has ended, or stands before an input, or stands in
 * a call that is a move (`at_call`): `settle` brings it there. */
#include "check/mpi/parts.h"

#define MAX_LOCAL 1000000

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
    hd_mpi_add_violation(mpi, p, v->property, v->edge, hd_strdup(v->message));
    if (v->other_edge != HD_NO_ID) { /* another thread of the process */
      hd_vec_last(&mpi->violations).other = p;
      hd_vec_last(&mpi->violations).other_edge = v->other_edge;
    }
  }
  if (status != HD_MACHINE_EXITED) {
    mpi->status = status == HD_MACHINE_DEADLOCK ? HD_MACHINE_FAILED : status;
    hd_mpi_set_why(mpi, hd_machine_why(m));
    return;
  }
  hd_mpi_process *process = &mpi->processes[p];
  process->ended = true;
  hd_mpi_tell(mpi, HD_MPI_ENDS, p, HD_NO_ID, "ends with %d",
              hd_machine_exit_code(m));
  if (!mpi->exit_code)
    mpi->exit_code = hd_machine_exit_code(m);
  if (process->initialized && !process->finalized)
    hd_mpi_violate(mpi, p, HD_PROPERTY_MPI, hd_mpi_edge_of(mpi, p),
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

/* When it is made can be noticed, although it waits for nobody: MPI_Abort ends
 * the others, a ready send needs the receive to be posted. */
static bool stops_before(const hd_mpi *mpi, hd_library_fn fn) {
  switch (fn) {
  case HD_LIB_MPI_Abort:
    return true;
  case HD_LIB_MPI_Recv:
  case HD_LIB_MPI_Irecv:
  case HD_LIB_MPI_Sendrecv:
  case HD_LIB_MPI_Sendrecv_replace:
    return mpi->readies;
  default:
    return false;
  }
}

static void execute(hd_mpi *mpi, uint32_t p, uint32_t variant) {
  hd_mpi_call c = hd_mpi_call_of(mpi, p);
  hd_mpi_process *process = c.process;
  process->variant = variant;
  process->at_call = process->before = false;
  process->sent = process->received = process->posted = false;
  process->number = 0;
  if (hd_mpi_local(&c) || hd_mpi_point_arrive(&c) || hd_mpi_window_arrive(&c))
    return;
  if (hd_mpi_is_completion(process->call.fn))
    hd_mpi_completion_arrive(&c);
  else if (hd_mpi_is_collective(process->call.fn))
    hd_mpi_collective_arrive(&c);
  else
    hd_mpi_refuse(&c, "this function of MPI is not supported");
}

/* The process has come to a call of MPI: it may be executed at once. */
static void arrive(hd_mpi *mpi, uint32_t p) {
  hd_mpi_process *process = &mpi->processes[p];
  if (!hd_host_args(process->machine, loose(process->call.fn), &process->call))
    return;
  bool begins = process->call.fn == HD_LIB_MPI_Init_thread;
  bool allowed = hd_mpi_any_time(process->call.fn) ||
                 (process->initialized != begins && !process->finalized);
  if ((stops_before(mpi, process->call.fn) || hd_mpi_variants(mpi, p) > 1) &&
      allowed)
    process->at_call = process->before = true;
  else
    execute(mpi, p, 0);
}

void hd_mpi_settle(hd_mpi *mpi, uint32_t p) {
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
      hd_mpi_set_why(mpi, "a process goes on and on without a call of MPI");
      return;
    }
    if (!hd_mpi_pick_thread(mpi, p, i))
      return; /* a choice of who runs first, or the end */
    if (hd_host_waits(m, &process->call))
      arrive(mpi, p);
    else if (hd_machine_choices(m, process->thread) == 1)
      hd_machine_move(m, (hd_turn){.thread = process->thread});
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
  return mpi->processes[p].ended ? HD_NO_ID : hd_mpi_edge_of(mpi, p);
}

bool hd_mpi_input(const hd_mpi *mpi, uint32_t p, int64_t *low,
                  uint64_t *count) {
  const hd_mpi_process *process = &mpi->processes[p];
  if (process->ended || process->at_call || !hd_mpi_runs(mpi))
    return false;
  hd_tid t = process->thread;
  *low = 0;
  *count = hd_mpi_orders(process);
  if (*count)
    return true;
  if (hd_machine_is_input(process->machine, t))
    *low = hd_machine_input_low(process->machine, t);
  *count = hd_machine_choices(process->machine, t);
  return true;
}

/* Messages that arrive although the call does not wait for them. */
static void add_arrivals(const hd_mpi *mpi, uint32_t p, hd_mpi_enabled *out) {
  hd_library_fn fn = mpi->processes[p].call.fn;
  bool probes = fn == HD_LIB_MPI_Probe || fn == HD_LIB_MPI_Mprobe ||
                fn == HD_LIB_MPI_Iprobe || fn == HD_LIB_MPI_Improbe;
  if (!probes && !mpi->syncs && !mpi->readies)
    return;
  for (hd_vec_each(uint64_t, choice, &out->choices))
    if (!probes && (uint32_t)*choice && (uint32_t)*choice <= mpi->n)
      return; /* it does */
  size_t before = out->choices.size;
  hd_mpi_arrivals(mpi, p, probes, &out->choices);
  out->free = out->free || out->choices.size > before;
}

static void enabled(const hd_mpi *mpi, uint32_t p, hd_mpi_enabled *out) {
  const hd_mpi_process *process = &mpi->processes[p];
  if (process->ended || !hd_mpi_runs(mpi))
    return;
  if (!process->at_call)
    out->free = true; /* an input */
  else if (process->before)
    for (uint64_t i = 0; i < hd_mpi_variants(mpi, p); i++)
      hd_vec_push(&out->choices, i);
  else if (hd_mpi_is_point(process->call.fn))
    hd_mpi_point_enabled(mpi, p, out);
  else if (hd_mpi_is_completion(process->call.fn))
    hd_mpi_completion_enabled(mpi, p, out);
  else if (hd_mpi_is_window(process->call.fn))
    hd_mpi_window_enabled(mpi, p, out);
  else
    hd_mpi_collective_enabled(mpi, p, out);
  out->free = out->free || process->before;
  if (process->at_call)
    add_arrivals(mpi, p, out);
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
    if (r->kind == HD_REQUEST_RECV && !r->done &&
        r->post.source == HD_MPI_ANY_SOURCE)
      return false;
  return process->receive.post.source != HD_MPI_ANY_SOURCE;
}

/* Nobody else can notice what it does. */
static bool apart(const hd_mpi *mpi) {
  /* MPI_Abort ends what others do, MPI_Put interferes, what is posted late or
   * not yet received decides about MPI_Rsend, MPI_Bsend and what comes behind
   * MPI_Request_free */
  return !mpi->aborts && !mpi->exposes && !mpi->readies && !mpi->bounded &&
         !mpi->gives_up;
}

bool hd_mpi_asks(const hd_mpi *mpi, uint32_t p) {
  const hd_mpi_process *process = &mpi->processes[p];
  return !process->ended && process->before && hd_mpi_runs(mpi) &&
         hd_mpi_variants(mpi, p) > 1 && apart(mpi);
}

bool hd_mpi_alone(const hd_mpi *mpi, uint32_t p, hd_mpi_choices *out) {
  const hd_mpi_process *process = &mpi->processes[p];
  if (process->ended || !process->at_call || process->before ||
      !hd_mpi_runs(mpi) || !apart(mpi))
    return false;
  bool receive = process->call.fn == HD_LIB_MPI_Recv && sources_named(process);
  if (!receive && !hd_mpi_is_collective(process->call.fn))
    return false;
  hd_mpi_enabled e = {0};
  enabled(mpi, p, &e);
  /* Several sources can have messages for several receives. */
  bool alone = e.free && e.choices.size && (e.choices.size == 1 || !receive);
  for (size_t i = 0; e.choices.size > 1 && i < e.choices.size; i++)
    alone = alone && !(e.choices.data[i] & HD_MPI_ARRIVES);
  for (size_t i = 0; alone && i < e.choices.size; i++)
    hd_vec_push(out, e.choices.data[i]);
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
  if (hd_mpi_checks(mpi, HD_PROPERTY_DEADLOCK))
    hd_mpi_add_violation(mpi, first, HD_PROPERTY_DEADLOCK,
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

void hd_mpi_look_around(hd_mpi *mpi) {
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
  bool potential =
      mpi->options->potential && hd_mpi_checks(mpi, HD_PROPERTY_DEADLOCK);
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
    hd_mpi_collective_move(&c, choice);
}

hd_machine_status hd_mpi_move(hd_mpi *mpi, hd_turn move) {
  assert(hd_mpi_possible(mpi, move));
  hd_mpi_process *process = &mpi->processes[move.thread];
  mpi->shared->running = mpi;
  mpi->current = move.thread;
  mpi->move++;
  if (move.choice & HD_MPI_ARRIVES && process->at_call) {
    hd_mpi_arrive_message(mpi, move.thread, move.choice);
  } else if (process->before) {
    execute(mpi, move.thread, (uint32_t)move.choice);
  } else if (process->at_call) {
    make_call(mpi, move.thread, move.choice);
  } else if (hd_mpi_orders(process)) {
    hd_mpi_choose_order(mpi, move.thread, move.choice);
  } else {
    hd_tid t = process->thread;
    int64_t low = hd_machine_is_input(process->machine, t)
                      ? hd_machine_input_low(process->machine, t)
                      : 0;
    hd_mpi_tell(mpi, HD_MPI_CHOOSES, move.thread, HD_NO_ID, "%lld",
                (long long)((uint64_t)low + move.choice));
    hd_machine_move(process->machine,
                    (hd_turn){.thread = t, .choice = move.choice});
  }
  hd_mpi_settle(mpi, move.thread);
  hd_mpi_forget(mpi);
  hd_mpi_look_around(mpi);
  mpi->shared->running = NULL;
  return mpi->status;
}
