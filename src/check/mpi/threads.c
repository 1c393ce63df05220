/* SPDX-License-Identifier: MIT */
/* Processes with several threads, and what MPI_Init_thread allows them.
 *
 * The threads of a process run in one of a few orders, which is a choice: the
 * first that can go on does, or the last, until it has to wait; calls of MPI are
 * executed when no other thread of the process can go on. So two threads that may
 * call MPI at the same time stand before their calls at the same time. Whoever runs
 * for long gives way. All that is seen in this way is real; other orders are not
 * looked at, so it takes a proof that they have the same result (engine/teams) to
 * say that nothing else can happen. */
#include "check/mpi/parts.h"

enum { MAIN = 0, ORDERS = 2, PATIENCE = 2000, ROUNDS = 4 };
enum { SINGLE, FUNNELED, SERIALIZED, MULTIPLE };

static const char *const levels[] = {"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED",
                                     "MPI_THREAD_SERIALIZED",
                                     "MPI_THREAD_MULTIPLE"};

/* Threads by what they are at. */
typedef struct {
  hd_u32s calls;    /* stand before a call of MPI */
  hd_u32s runnable; /* can do something else */
} standing;

static standing look(const hd_machine *m) {
  standing s = {0};
  hd_host_call call;
  for (hd_tid t = 0; t < hd_machine_threads(m); t++) {
    if (!hd_machine_alive(m, t))
      continue;
    if (hd_host_waits_in(m, t, &call))
      hd_vec_push(&s.calls, t);
    else if (hd_machine_enabled(m, t))
      hd_vec_push(&s.runnable, t);
  }
  return s;
}

/* Any thread may make it, whatever else happens. */
static bool is_free(hd_library_fn fn) {
  return fn == HD_LIB_MPI_Initialized || fn == HD_LIB_MPI_Finalized ||
         fn == HD_LIB_MPI_Query_thread || fn == HD_LIB_MPI_Is_thread_main ||
         fn == HD_LIB_MPI_Get_version || fn == HD_LIB_MPI_Get_library_version;
}

/* What the program may rely on: what it has asked for, and what it was told that
 * it has, if that is more. */
static int32_t level_of(const hd_mpi_process *process) {
  int32_t asked = process->asked_level, given = process->thread_level;
  return given > asked ? given : asked;
}

/* Who else executes something of the program; HD_NO_ID: nobody. */
static hd_tid beside(const hd_machine *m, const standing *s, hd_tid t) {
  for (hd_vec_each(uint32_t, other, &s->runnable))
    if (*other != t && hd_host_in_program(m, *other))
      return *other;
  for (hd_vec_each(uint32_t, other, &s->calls))
    if (*other != t)
      return *other;
  return HD_NO_ID;
}

/* May the thread make the call that it stands before, now? */
static bool allowed(hd_mpi *mpi, uint32_t p, const standing *s, hd_tid t) {
  hd_mpi_process *process = &mpi->processes[p];
  hd_host_call call;
  if (!process->initialized || !hd_host_waits_in(process->machine, t, &call) ||
      is_free(call.fn))
    return true;
  int32_t level = level_of(process);
  const char *name =
      levels[level < SINGLE || level > MULTIPLE ? SINGLE : level];
  hd_tid other = beside(process->machine, s, t);
  bool ends = call.fn == HD_LIB_MPI_Finalize;
  if (t != MAIN && (level <= FUNNELED || ends)) {
    process->thread = t;
    hd_mpi_violate(mpi, p, HD_PROPERTY_MPI, call.edge,
                   "%s: thread %u of the process calls it, where %s allows "
                   "only the thread that has initialized MPI to do so",
                   call.name, t, ends ? "the standard" : name);
    return false;
  }
  if (level <= SINGLE && other != HD_NO_ID) {
    process->thread = t;
    hd_mpi_violate(
        mpi, p, HD_PROPERTY_MPI, call.edge,
        "%s: while thread %u of the process executes something, too, "
        "where %s allows one thread only",
        call.name, other, name);
    return false;
  }
  for (hd_vec_each(uint32_t, o, &s->calls)) {
    hd_host_call also;
    if (level >= MULTIPLE || *o == t ||
        !hd_host_waits_in(process->machine, *o, &also) || is_free(also.fn))
      continue;
    hd_str place = {0};
    hd_code_print_pos(&place, mpi->code, mpi->code->edges.data[also.edge].pos);
    process->thread = t;
    hd_mpi_violate(
        mpi, p, HD_PROPERTY_MPI, call.edge,
        "%s: threads %u and %u of the process are at calls of MPI at "
        "the same time (the other one at %s), where %s allows one "
        "at a time",
        call.name, t, *o, hd_str_text(&place), name);
    hd_str_free(&place);
    return false;
  }
  return true;
}

static hd_tid in_order(const hd_mpi_process *process, const hd_u32s *list,
                       uint64_t round) {
  size_t at = (size_t)(round % list->size);
  return list->data[process->order == 1 ? at : list->size - 1 - at];
}

static bool pick(hd_mpi *mpi, uint32_t p, const standing *s, uint64_t moves) {
  hd_mpi_process *process = &mpi->processes[p];
  hd_machine *m = process->machine;
  for (hd_vec_each(uint32_t, t, &s->calls))
    if (!allowed(mpi, p, s, *t))
      return false;
  uint64_t round = moves / PATIENCE;
  bool serve =
      s->calls.size && (!s->runnable.size || round % ROUNDS == ROUNDS - 1);
  if (!serve && !s->runnable.size) {
    hd_host_refuse(m, "all threads of a process wait");
    return true; /* it has ended */
  }
  process->thread = in_order(process, serve ? &s->calls : &s->runnable, round);
  hd_host_serve(m, process->thread);
  if (serve && s->calls.size > 1)
    hd_host_refuse(m,
                   "calls of MPI by several threads at the same time are not "
                   "supported");
  return true;
}

bool hd_mpi_pick_thread(hd_mpi *mpi, uint32_t p, uint64_t moves) {
  hd_mpi_process *process = &mpi->processes[p];
  if (hd_machine_threads(process->machine) == 1)
    return true;
  if (hd_mpi_orders(process))
    return false;
  standing s = look(process->machine);
  bool found = pick(mpi, p, &s, moves);
  hd_vec_free(&s.calls);
  hd_vec_free(&s.runnable);
  return found;
}

uint64_t hd_mpi_orders(const hd_mpi_process *process) {
  return hd_machine_threads(process->machine) > 1 && !process->order ? ORDERS
                                                                     : 0;
}

void hd_mpi_choose_order(hd_mpi *mpi, uint32_t p, uint64_t order) {
  assert(order < ORDERS && hd_mpi_orders(&mpi->processes[p]));
  mpi->processes[p].order = (uint8_t)(order + 1);
  hd_mpi_tell(mpi, HD_MPI_CALLS, p, HD_NO_ID, "its %s thread runs first",
              order ? "last" : "first");
}

bool hd_mpi_has_threads(const hd_mpi *mpi) {
  for (uint32_t p = 0; p < mpi->n; p++)
    if (hd_machine_threads(mpi->processes[p].machine) > 1)
      return true;
  return false;
}
