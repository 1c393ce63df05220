/* SPDX-License-Identifier: MIT */
/* Making, copying and deleting the machine. */
#include "check/mpi/parts.h"

#include <string.h>

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

/* Could a pointer become part of a message? One that is in memory could. */
static bool keeps_pointers(const hd_code *code) {
  for (size_t e = 0; e < code->edges.size; e++) {
    const hd_cedge *edge = &code->edges.data[e];
    if (edge->act == HD_CODE_STORE &&
        code->exprs.data[hd_code_operand(code, edge, 1)].type.kind ==
            HD_TYPE_PTR)
      return true;
  }
  for (size_t g = 0; g < code->globals.size; g++)
    if (code->globals.data[g].n_relocs)
      return true;
  for (size_t e = 0; e < code->exprs.size; e++)
    if (code->exprs.data[e].op == HD_CODE_PTRTOINT)
      return true;
  return false;
}

/* All begin alike. What is an address in one is none in the others, where that
 * can be noticed. */
static void make_machines(hd_mpi *mpi, hd_machine_options *options) {
  bool apart = keeps_pointers(mpi->code) && mpi->code->pointer_width == 64;
  hd_machine *first = hd_machine_new(mpi->code, &options[0]);
  for (uint32_t p = 0; p < mpi->n; p++) {
    options[p] = options[0];
    options[p].space = p % HD_MACHINE_SPACES;
    mpi->processes[p].machine = !p      ? first
                                : apart ? hd_machine_new(mpi->code, &options[p])
                                        : hd_machine_copy(first);
  }
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
  mpi->gives_up = calls(code, HD_LIB_MPI_Request_free);
  mpi->cancels = calls(code, HD_LIB_MPI_Cancel);
  mpi->readies = calls(code, HD_LIB_MPI_Rsend) ||
                 calls(code, HD_LIB_MPI_Irsend) ||
                 calls(code, HD_LIB_MPI_Rsend_init);
  mpi->syncs = calls(code, HD_LIB_MPI_Ssend) ||
               calls(code, HD_LIB_MPI_Issend) ||
               calls(code, HD_LIB_MPI_Ssend_init);
  mpi->bounded = calls(code, HD_LIB_MPI_Bsend) ||
                 calls(code, HD_LIB_MPI_Ibsend) ||
                 calls(code, HD_LIB_MPI_Bsend_init);
  mpi->exposes = calls(code, HD_LIB_MPI_Win_create) ||
                 calls(code, HD_LIB_MPI_Win_allocate) ||
                 calls(code, HD_LIB_MPI_Win_allocate_shared);
  mpi->processes = hd_calloc(mpi->n, sizeof *mpi->processes);
  hd_mpi_shared *common = hd_calloc(1, sizeof *common);
  mpi->shared = common;
  common->refs = 1;
  common->options = hd_calloc(mpi->n, sizeof *common->options);
  common->options[0] = (hd_machine_options){
      .checks = options->checks,
      .clocks = options->checks >> HD_PROPERTY_RACE & 1,
      .argc = options->argc,
      .argv = options->argv,
      .given = options->given,
      .n_given = options->n_given,
      .exact = options->exact,
      .malloc_fails = options->malloc_fails,
      .observe = options->observe || options->outputs ? hd_mpi_observe : NULL,
      .context = &common->running,
      .holds = options->holds,
      .assumptions = options->assumptions};
  make_comms(mpi);
  make_machines(mpi, common->options);
  common->running = mpi;
  for (uint32_t p = 0; p < mpi->n && hd_mpi_runs(mpi); p++)
    hd_mpi_settle(mpi, p);
  hd_mpi_look_around(mpi);
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
  COPY(to.files, from->files);
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
  COPY(to.graph, from->graph);
  memset(&to.meetings, 0, sizeof to.meetings);
  for (size_t i = 0; i < from->meetings.size; i++)
    hd_vec_push(&to.meetings, hd_mpi_meeting_copy(from->meetings.data[i]));
  return to;
}

hd_mpi *hd_mpi_copy(const hd_mpi *from) {
  hd_mpi *to = hd_alloc(sizeof *to);
  *to = *from;
  to->shared->refs++;
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
  hd_vec_free(&process->files);
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
  hd_vec_free(&comm->graph);
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
  if (!--mpi->shared->refs) {
    hd_free(mpi->shared->options);
    hd_free(mpi->shared);
  }
  hd_free(mpi);
}
