/* SPDX-License-Identifier: MIT */
/* Forces a schedule on an MPI program: linked with it, between the program and
 * the MPI library.
 *
 * Processes share nothing but messages, so it is enough that each makes the
 * calls of its own part of schedule.h with the same outcome: a receive from
 * anybody, MPI_Irecv as well, takes the message of the sender that the schedule
 * names; MPI_Test and
 * MPI_Iprobe say yes or no as there; MPI_Waitany completes the same request;
 * inputs have the same values. A standard send that went on in the schedule goes
 * on here: its message is copied. One that did not, because nobody receives it
 * and MPI need not buffer it, waits (MPI_Ssend).
 *
 * At the end of its part a process stands before its last call. In a deadlock
 * all make that call, and none comes back: after SECONDS the first says so and
 * ends all with status 10. A failing assertion is the program's own. */
#include <mpi.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct step {
  int process;
  const char *call;
  const char *file;
  int line;
  uint64_t value; /* as in heddle's schedules; inputs: the value */
};

#include "schedule.h"

#define COUNT ((int)(sizeof steps / sizeof *steps))

/* What is forced here; other calls of the schedule are as they are. */
static bool is_forced(const char *call) {
  static const char *const names[] = {
      "MPI_Send",      "MPI_Ssend",  "MPI_Isend",     "MPI_Recv",
      "MPI_Probe",     "MPI_Iprobe", "MPI_Wait",      "MPI_Waitall",
      "MPI_Waitany",   "MPI_Test",   "MPI_Barrier",   "MPI_Bcast",
      "MPI_Reduce",    "MPI_Gather", "MPI_Allreduce", "MPI_Scatter",
      "MPI_Allgather", "MPI_Scan",   "MPI_Alltoall"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(call, names[i]))
      return true;
  return strstr(call, "nondet") != NULL;
}

static int me = -1, position;
static const struct step *at; /* where it stands */

/* To the file that ./replay reads: mpirun does not always pass on the last words
 * of a process. */
static void say(const char *format, ...) {
  char text[512];
  va_list list;
  va_start(list, format);
  int size = vsnprintf(text, sizeof text, format, list);
  va_end(list);
  int file = open("said", O_WRONLY | O_APPEND | O_CREAT, 0666);
  if (size > 0 && file >= 0 && write(file, text, (size_t)size) < 0)
    perror("said");
  close(file);
}

static void diverged(const char *call) {
  say("replay: not reproduced: process %d calls %s, the schedule has %s\n", me,
      call, at ? at->call : "nothing");
  _exit(2);
}

static void waits(int number) {
  (void)number;
  say("replay: deadlock: process %d waits in %s at %s:%d\n", me, at->call,
      at->file, at->line);
  _exit(10);
}

static void rest(void) {
  signal(SIGALRM, SIG_DFL);
  alarm(10 * SECONDS);
  for (;;)
    pause();
}

/* The step for this call, or NULL when the process stands before its last one:
 * then it waits, if that is what the schedule is about. */
static const struct step *step(const char *call) {
  while (position < COUNT &&
         (steps[position].process != me || !is_forced(steps[position].call)))
    position++;
  at = position < COUNT ? &steps[position] : NULL;
  if (!at)
    return NULL;
  if (strcmp(at->call, call) != 0)
    diverged(call);
  if (position >= TURNS) {
    if (strcmp(PROPERTY, "deadlock") != 0)
      rest(); /* another process fails */
    signal(SIGALRM, waits);
    alarm(SECONDS);
    return NULL;
  }
  position++;
  return at;
}

/* An assertion has failed; the status is that of an abort. */
static void failed(int number) {
  (void)number;
  say("replay: assert: the assertion fails in process %d\n", me);
  _exit(134);
}

static void begin(void) {
  PMPI_Comm_rank(MPI_COMM_WORLD, &me);
  signal(SIGABRT, failed);
}

/* The rank in `comm` of the process the schedule names (from 1), for a receive
 * from anybody. */
static int rank_of(uint64_t named, int source, MPI_Comm comm) {
  if (source != MPI_ANY_SOURCE || named < 1 || named > PROCS)
    return source;
  int world = (int)named - 1, rank;
  MPI_Group all, some;
  PMPI_Comm_group(MPI_COMM_WORLD, &all);
  PMPI_Comm_group(comm, &some);
  PMPI_Group_translate_ranks(all, 1, &world, some, &rank);
  PMPI_Group_free(&all);
  PMPI_Group_free(&some);
  return rank;
}

static int source_of(const struct step *s, int source, MPI_Comm comm) {
  return s ? rank_of(s->value, source, comm) : source;
}

int MPI_Init(int *argc, char ***argv) {
  int result = PMPI_Init(argc, argv);
  begin();
  return result;
}
int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  int result = PMPI_Init_thread(argc, argv, required, provided);
  begin();
  return result;
}

/* --- messages --- */

/* On, whoever receives and whenever. */
static int send_copy(const void *buffer, int count, MPI_Datatype type, int to,
                     int tag, MPI_Comm comm) {
  int size;
  MPI_Request request;
  PMPI_Pack_size(count, type, comm, &size);
  MPI_Aint low, extent;
  PMPI_Type_get_extent(type, &low, &extent);
  size_t bytes = (size_t)extent * (size_t)(count > 0 ? count : 0) + 16;
  char *copy = malloc(bytes);
  memcpy(copy, buffer, bytes - 16);
  return PMPI_Isend(copy, count, type, to, tag, comm, &request);
}

int MPI_Send(const void *buffer, int count, MPI_Datatype type, int to, int tag,
             MPI_Comm comm) {
  return step("MPI_Send") ? send_copy(buffer, count, type, to, tag, comm)
                          : PMPI_Ssend(buffer, count, type, to, tag, comm);
}
/* Its wait ends the process' part: nobody receives it. */
static bool ends_waiting(void) {
  for (int i = TURNS; i < COUNT; i++)
    if (steps[i].process == me && !strncmp(steps[i].call, "MPI_Wait", 8))
      return true;
  return false;
}
int MPI_Isend(const void *buffer, int count, MPI_Datatype type, int to, int tag,
              MPI_Comm comm, MPI_Request *request) {
  step("MPI_Isend");
  return ends_waiting()
             ? PMPI_Issend(buffer, count, type, to, tag, comm, request)
             : PMPI_Isend(buffer, count, type, to, tag, comm, request);
}
int MPI_Ssend(const void *buffer, int count, MPI_Datatype type, int to, int tag,
              MPI_Comm comm) {
  step("MPI_Ssend");
  return PMPI_Ssend(buffer, count, type, to, tag, comm);
}
int MPI_Recv(void *buffer, int count, MPI_Datatype type, int source, int tag,
             MPI_Comm comm, MPI_Status *status) {
  source = source_of(step("MPI_Recv"), source, comm);
  return PMPI_Recv(buffer, count, type, source, tag, comm, status);
}
int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status) {
  source = source_of(step("MPI_Probe"), source, comm);
  return PMPI_Probe(source, tag, comm, status);
}
int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag,
               MPI_Status *status) {
  const struct step *s = step("MPI_Iprobe");
  if (s && !s->value) {
    *flag = 0;
    return MPI_SUCCESS;
  }
  *flag = 1;
  return PMPI_Probe(source_of(s, source, comm), tag, comm, status);
}

/* --- requests --- */

/* One that is not in the schedule gets its message behind the end of it: what it
 * could take instead of others before would be its own there, too. */
int MPI_Irecv(void *buffer, int count, MPI_Datatype type, int source, int tag,
              MPI_Comm comm, MPI_Request *request) {
  static int posts;
  posts++;
  for (int i = 0; receipts[i][1]; i++)
    if (receipts[i][0] == me && receipts[i][1] == posts)
      source = rank_of((uint64_t)receipts[i][2], source, comm);
  return PMPI_Irecv(buffer, count, type, source, tag, comm, request);
}

/* A wait for what is complete is no step of the schedule. */
static void wait_step(const char *call) {
  int i = position;
  while (i < COUNT && (steps[i].process != me || !is_forced(steps[i].call)))
    i++;
  if (i < COUNT && !strcmp(steps[i].call, call))
    step(call);
}
int MPI_Wait(MPI_Request *request, MPI_Status *status) {
  wait_step("MPI_Wait");
  return PMPI_Wait(request, status);
}
int MPI_Waitall(int count, MPI_Request *requests, MPI_Status *statuses) {
  wait_step("MPI_Waitall");
  return PMPI_Waitall(count, requests, statuses);
}
int MPI_Waitany(int count, MPI_Request *requests, int *index,
                MPI_Status *status) {
  const struct step *s = step("MPI_Waitany");
  if (!s || s->value < PROCS + 1)
    return PMPI_Waitany(count, requests, index, status);
  *index = (int)(s->value - PROCS - 1);
  return PMPI_Wait(&requests[*index], status);
}
int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
  const struct step *s = step("MPI_Test");
  *flag = !s || s->value != 0;
  return *flag ? PMPI_Wait(request, status) : MPI_SUCCESS;
}

/* --- collective calls: a process that is stopped there waits for all --- */

#define COLLECTIVE(name, comm, arguments, ...)                                 \
  int name(__VA_ARGS__) {                                                      \
    if (!step(#name) && at)                                                    \
      PMPI_Barrier(comm);                                                      \
    return P##name arguments;                                                  \
  }
COLLECTIVE(MPI_Barrier, comm, (comm), MPI_Comm comm)
COLLECTIVE(MPI_Bcast, comm, (b, n, t, root, comm), void *b, int n,
           MPI_Datatype t, int root, MPI_Comm comm)
COLLECTIVE(MPI_Reduce, comm, (a, b, n, t, op, root, comm), const void *a,
           void *b, int n, MPI_Datatype t, MPI_Op op, int root, MPI_Comm comm)
COLLECTIVE(MPI_Allreduce, comm, (a, b, n, t, op, comm), const void *a, void *b,
           int n, MPI_Datatype t, MPI_Op op, MPI_Comm comm)
COLLECTIVE(MPI_Gather, comm, (a, n, t, b, m, u, root, comm), const void *a,
           int n, MPI_Datatype t, void *b, int m, MPI_Datatype u, int root,
           MPI_Comm comm)
COLLECTIVE(MPI_Scatter, comm, (a, n, t, b, m, u, root, comm), const void *a,
           int n, MPI_Datatype t, void *b, int m, MPI_Datatype u, int root,
           MPI_Comm comm)
COLLECTIVE(MPI_Allgather, comm, (a, n, t, b, m, u, comm), const void *a, int n,
           MPI_Datatype t, void *b, int m, MPI_Datatype u, MPI_Comm comm)
COLLECTIVE(MPI_Alltoall, comm, (a, n, t, b, m, u, comm), const void *a, int n,
           MPI_Datatype t, void *b, int m, MPI_Datatype u, MPI_Comm comm)
COLLECTIVE(MPI_Scan, comm, (a, b, n, t, op, comm), const void *a, void *b,
           int n, MPI_Datatype t, MPI_Op op, MPI_Comm comm)

/* Others are still to fail or to wait. */
int MPI_Finalize(void) {
  rest();
  return MPI_SUCCESS;
}

/* --- inputs and assertions --- */

static uint64_t input(const char *name) {
  const struct step *s = step(name);
  return s ? s->value : 0;
}

#define INPUT(type, name)                                                      \
  __attribute__((weak)) type name(void) {                                      \
    return (type)input(#name);                                                 \
  }
INPUT(_Bool, __VERIFIER_nondet_bool)
INPUT(char, __VERIFIER_nondet_char)
INPUT(unsigned char, __VERIFIER_nondet_uchar)
INPUT(short, __VERIFIER_nondet_short)
INPUT(unsigned short, __VERIFIER_nondet_ushort)
INPUT(int, __VERIFIER_nondet_int)
INPUT(unsigned, __VERIFIER_nondet_uint)
INPUT(long, __VERIFIER_nondet_long)
INPUT(unsigned long, __VERIFIER_nondet_ulong)
INPUT(long long, __VERIFIER_nondet_longlong)
INPUT(unsigned long long, __VERIFIER_nondet_ulonglong)
INPUT(int, heddle_nondet_bool)
INPUT(char, heddle_nondet_char)
INPUT(unsigned char, heddle_nondet_uchar)
INPUT(short, heddle_nondet_short)
INPUT(unsigned short, heddle_nondet_ushort)
INPUT(int, heddle_nondet_int)
INPUT(unsigned, heddle_nondet_uint)
INPUT(long, heddle_nondet_long)
INPUT(unsigned long, heddle_nondet_ulong)
INPUT(long long, heddle_nondet_longlong)
INPUT(unsigned long long, heddle_nondet_ulonglong)

__attribute__((weak)) void heddle_assume(int condition) {
  if (!condition)
    diverged("heddle_assume(0)");
}
__attribute__((weak)) void __VERIFIER_assume(int condition) {
  heddle_assume(condition);
}
__attribute__((weak)) void heddle_assert(int condition) {
  if (condition)
    return;
  say("replay: assert: heddle_assert fails in process %d\n", me);
  _exit(134);
}
__attribute__((weak)) void reach_error(void) {
  heddle_assert(0);
}
