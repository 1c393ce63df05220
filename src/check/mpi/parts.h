/* SPDX-License-Identifier: MIT */
/* What the files of the MPI machine use of each other. */
#ifndef HD_CHECK_MPI_PARTS_H
#define HD_CHECK_MPI_PARTS_H

#include "check/mpi/state.h"

/* A call of a process, while it is executed. */
typedef struct {
  hd_mpi *mpi;
  uint32_t p;
  hd_mpi_process *process;
  hd_machine *m;
  const hd_host_call *call;
  bool ends; /* an operation that was begun: its datatypes may be freed */
} hd_mpi_call;

static inline int32_t hd_mpi_int(const hd_mpi_call *c, uint32_t i) {
  return (int32_t)(uint32_t)c->call->args[i];
}
static inline bool hd_mpi_runs(const hd_mpi *mpi) {
  return mpi->status == HD_MACHINE_RUNNING;
}

/* --- tell.c --- */

bool hd_mpi_checks(const hd_mpi *mpi, hd_property property);
/* Where the process is. */
hd_edge_id hd_mpi_edge_of(const hd_mpi *mpi, uint32_t p);
/* Takes the message. */
void hd_mpi_add_violation(hd_mpi *mpi, uint32_t p, hd_property property,
                          hd_edge_id edge, char *message);
void hd_mpi_set_why(hd_mpi *mpi, const char *why);
/* What the machine of the current process tells. */
void hd_mpi_observe(void *context, const hd_event *event);
/* A violation at `edge`; ends the run. When the property is not checked the run
 * ends without one. */
HD_PRINTF(5, 6)
void hd_mpi_violate(hd_mpi *mpi, uint32_t p, hd_property property,
                    hd_edge_id edge, const char *format, ...);
/* Wrong use of MPI by the current call: the function's name is put before. */
HD_PRINTF(2, 3)
void hd_mpi_misuse(const hd_mpi_call *c, const char *format, ...);
HD_PRINTF(2, 3)
void hd_mpi_refuse(const hd_mpi_call *c, const char *format, ...);
HD_PRINTF(5, 6)
void hd_mpi_tell(hd_mpi *mpi, hd_mpi_event_kind kind, uint32_t p,
                 uint32_t other, const char *format, ...);
void hd_mpi_tell_message(hd_mpi *mpi, hd_mpi_event_kind kind,
                         const hd_mpi_message *message, hd_edge_id edge,
                         uint64_t post);

/* --- threads.c --- */

/* Whose move is next, into process->thread; `moves` were made since the process
 * was settled last. False: nobody's, somebody has to choose in which order the
 * threads run, or the run has ended. */
bool hd_mpi_pick_thread(hd_mpi *mpi, uint32_t p, uint64_t moves);
/* How many orders there are to choose from; 0: nothing is to be chosen. */
uint64_t hd_mpi_orders(const hd_mpi_process *process);
void hd_mpi_choose_order(hd_mpi *mpi, uint32_t p, uint64_t order);
/* Has a process had several threads? Then other orders were not looked at. */
bool hd_mpi_has_threads(const hd_mpi *mpi);

/* --- machine.c --- */

/* Runs the process up to its next move. */
void hd_mpi_settle(hd_mpi *mpi, uint32_t p);
/* Have all ended, can nobody go on? */
void hd_mpi_look_around(hd_mpi *mpi);
/* The current call returns MPI_SUCCESS, and the process runs on to its next
 * move. */
void hd_mpi_return(const hd_mpi_call *c);
hd_mpi_call hd_mpi_call_of(hd_mpi *mpi, uint32_t p);
/* Are the moves of the process of a kind that other moves neither change nor
 * notice (explore.c)? Appends them. */
bool hd_mpi_alone(const hd_mpi *mpi, uint32_t p, hd_mpi_choices *out);
/* The process stands before a call that MPIs answer differently (variant.c), and
 * nobody else can notice what it does. */
bool hd_mpi_asks(const hd_mpi *mpi, uint32_t p);

/* --- variant.c: what the standard leaves to an MPI --- */

/* In how many ways the call that the process is in can be answered. */
uint32_t hd_mpi_variants(const hd_mpi *mpi, uint32_t p);
/* The one that is chosen for the call; where all processes must see the same, the
 * first that asks chooses. */
uint32_t hd_mpi_variant(const hd_mpi_call *c);
/* The last process of a grid whose order is left to MPI is the first. */
bool hd_mpi_grids_turned(const hd_mpi *mpi);
/* So many processes, in the order of their ranks, share memory. */
uint32_t hd_mpi_on_one_computer(const hd_mpi_call *c);
/* The level of threads that is given to who asks for one. */
int32_t hd_mpi_level(const hd_mpi_call *c, int32_t asked);
void hd_mpi_processor_name(const hd_mpi_call *c);
/* Stores an int for the program. */
HD_MUST_USE bool hd_mpi_put(const hd_mpi_call *c, uint64_t address,
                            int64_t value);

/* Has something been made that is not freed? Looked for at MPI_Finalize. */
HD_PRINTF(3, 4)
void hd_mpi_leak(const hd_mpi_call *c, hd_edge_id edge, const char *format,
                 ...);
/* Reads an int of the program that must have been set; false after a
 * violation. */
HD_MUST_USE bool hd_mpi_get(const hd_mpi_call *c, uint64_t address,
                            const char *what, int32_t *out);

/* --- types.c --- */

const hd_basic *hd_mpi_basic(const hd_mpi *mpi, uint32_t basic);
/* The type of a handle; `scratch` is filled for a basic one. NULL after a
 * violation. */
const hd_mpi_type *hd_mpi_type_of(const hd_mpi_call *c, uint64_t handle,
                                  hd_mpi_type *scratch, hd_mpi_block *block);
void hd_mpi_type_free(hd_mpi_type *type);
hd_mpi_type hd_mpi_type_copy(const hd_mpi_type *type);
/* Appends `count` elements of a type, the first at `offset`. */
void hd_mpi_type_add(const hd_mpi *mpi, hd_mpi_type *to,
                     const hd_mpi_type *from, int64_t offset, uint64_t count);
/* A type that the program has made; NULL after a violation. */
hd_mpi_type *hd_mpi_type_made(const hd_mpi_call *c, uint64_t handle);
bool hd_mpi_type_predefined(uint64_t handle);
/* The call itself, as the owner of its buffers. */
#define HD_MPI_OWNER_CALL (HD_NO_ID - 1)
/* The elements belong to operation `owner` (HD_NO_ID: just checks that they
 * belong to no other). False after a violation. */
HD_MUST_USE bool hd_mpi_claim(const hd_mpi_call *c, uint64_t address,
                              uint64_t count, uint64_t type, bool written,
                              uint32_t owner);

/* --- layout.c --- */

/* MPI_Type_contiguous …; true when it was one of them. */
bool hd_mpi_type_call(const hd_mpi_call *c);

hd_mpi_data *hd_mpi_data_new(void);
hd_mpi_data *hd_mpi_data_keep(hd_mpi_data *data);
void hd_mpi_data_drop(hd_mpi_data *data);
void hd_mpi_signature_add(hd_mpi_signature *to, uint8_t basic, uint64_t count);
bool hd_mpi_signature_same(const hd_mpi_signature *a,
                           const hd_mpi_signature *b);
/* What `count` elements of a type consist of; false after a violation. */
HD_MUST_USE bool hd_mpi_signature_of(const hd_mpi_call *c, uint64_t count,
                                     uint64_t type, hd_mpi_signature *out);
void hd_mpi_print_signature(hd_str *out, const hd_mpi *mpi,
                            const hd_mpi_signature *signature);
/* Elements in the program's memory as data; NULL after a violation. */
hd_mpi_data *hd_mpi_pack(const hd_mpi_call *c, uint64_t address, uint64_t count,
                         uint64_t type);
/* Data into `count` elements in the memory of p. Less data than room is fine;
 * `from` of its bytes are skipped, `size` taken. False after a violation:
 * too much, or of another type. */
HD_MUST_USE bool hd_mpi_unpack(const hd_mpi_call *c, uint64_t address,
                               uint64_t count, uint64_t type,
                               const hd_mpi_data *data);
uint64_t hd_mpi_signature_size(const hd_mpi *mpi,
                               const hd_mpi_signature *signature);
/* The part [from, from + size) of some data, which must not cut an element. */
hd_mpi_data *hd_mpi_data_part(const hd_mpi *mpi, const hd_mpi_data *data,
                              uint64_t from, uint64_t size);
/* "1 int (42)" */
void hd_mpi_print_data(hd_str *out, const hd_mpi *mpi, const hd_mpi_data *data);

/* --- reduce.c --- */

/* Is the operation defined for all elements? */
bool hd_mpi_op_fits(const hd_mpi *mpi, int64_t op,
                    const hd_mpi_signature *signature);
/* a = a op b, element by element; both have the same signature. True: a signed
 * integer leaves its type. */
bool hd_mpi_reduce(const hd_mpi *mpi, int64_t op, hd_mpi_data *a,
                   const hd_mpi_data *b);
const char *hd_mpi_op_name(int64_t op);
double hd_mpi_get_float(const uint8_t *bytes, uint8_t size);
void hd_mpi_put_float(uint8_t *bytes, uint8_t size, double value);
/* x op y in the numbers of this size. */
double hd_mpi_combine(int64_t op, double x, double y, uint8_t size);

/* --- comm.c --- */

/* The communicator of a handle; HD_NO_ID after a violation. */
uint32_t hd_mpi_comm_of(const hd_mpi_call *c, uint64_t handle);
uint32_t hd_mpi_comm_new(hd_mpi *mpi);
/* The rank of a process in it, or HD_NO_ID. */
uint32_t hd_mpi_comm_rank(const hd_mpi *mpi, uint32_t comm, uint32_t p);
uint64_t hd_mpi_comm_handle(hd_mpi_process *process, uint32_t comm,
                            hd_edge_id edge);
/* Calls that nobody else notices: executes it and returns true. */
bool hd_mpi_local(const hd_mpi_call *c);

/* --- inter.c --- */

/* The rank of a member as the program sees it: in its own group. */
uint32_t hd_mpi_own_rank(const hd_mpi *mpi, uint32_t comm, uint32_t p);
/* The members of its group, or of the other one; of a communicator with one
 * group always these. Appends. */
void hd_mpi_side(const hd_mpi *mpi, uint32_t comm, uint32_t p, bool other,
                 hd_u32s *out);
/* Where those are among the members whom a process exchanges data with in
 * collective calls: all, or the other group. */
void hd_mpi_places(const hd_mpi *mpi, uint32_t comm, uint32_t p, uint32_t *from,
                   uint32_t *to);
bool hd_mpi_inter_call(const hd_mpi_call *c);

/* --- topology.c --- */

/* What MPI_Comm_create, MPI_Cart_create and _sub bring; nothing for others.
 * False after a violation. */
HD_MUST_USE bool hd_mpi_bring_topology(const hd_mpi_call *c, uint32_t comm,
                                       uint32_t me, hd_mpi_joiner *joiner);
/* How many send to a rank of the topology (`receive`), or receive from it; the
 * i-th of them, HD_NO_ID = MPI_PROC_NULL. */
uint32_t hd_mpi_neighbors(const hd_mpi *mpi, uint32_t comm, uint32_t rank,
                          bool receive);
uint32_t hd_mpi_neighbor(const hd_mpi *mpi, uint32_t comm, uint32_t rank,
                         bool receive, uint32_t i);
/* Which of its blocks the i-th neighbour sends here. */
uint32_t hd_mpi_neighbor_block(const hd_mpi *mpi, uint32_t comm, uint32_t rank,
                               uint32_t i);
/* Do MPI 3 and MPI 4 give the neighbours of a call other blocks? */
bool hd_mpi_two_ways(const hd_mpi *mpi, uint32_t p);
bool hd_mpi_topology_call(const hd_mpi_call *c);

/* --- file.c --- */

/* A call about one file. */
bool hd_mpi_is_file(hd_library_fn fn);
/* The communicator in which those meet who have opened the file; HD_NO_ID after a
 * violation. */
uint32_t hd_mpi_file_comm(const hd_mpi_call *c);
/* MPI_File_open: are the parts of the mode fine? The process gets its handle. What
 * a call does with the file. False after a violation. */
HD_MUST_USE bool hd_mpi_check_mode(const hd_mpi_call *c);
HD_MUST_USE bool hd_mpi_give_file(const hd_mpi_call *c,
                                  const hd_mpi_joiner *joiner);
HD_MUST_USE bool hd_mpi_use_file(const hd_mpi_call *c);
/* Calls that are not collective; true when it was one of them. */
bool hd_mpi_file_call(const hd_mpi_call *c);

/* --- pack.c --- */

bool hd_mpi_pack_call(const hd_mpi_call *c);

/* --- around.c --- */

bool hd_mpi_around_call(const hd_mpi_call *c);
/* May be called before MPI_Init and after MPI_Finalize, beside the questions
 * whether they were. */
bool hd_mpi_any_time(hd_library_fn fn);
/* Stores the result of a question and returns. */
void hd_mpi_put_and_return(const hd_mpi_call *c, uint32_t argument,
                           int64_t value);

/* --- group.c --- */

/* True when it was one of them. */
bool hd_mpi_group_call(const hd_mpi_call *c);
void hd_mpi_group_leaks(const hd_mpi_call *c);
/* The group of a handle; NULL after a violation. */
const hd_mpi_group *hd_mpi_group_of(const hd_mpi_call *c, uint64_t handle);

/* --- queue.c --- */

/* Does the message fit the receive? */
bool hd_mpi_fits(const hd_mpi *mpi, const hd_mpi_message *message,
                 const hd_mpi_post *post);
/* The message to p that a posted receive of p gets, and which receive: `request`
 * HD_NO_ID is the one p stands in. `choice` = k 2^32 + s + 1: it is the k-th
 * message of s that could be next. False: there is none. */
bool hd_mpi_next_match(const hd_mpi *mpi, uint32_t p, uint64_t choice,
                       size_t *message, uint32_t *request);
/* The first message for p from `source` that fits, if no posted receive gets it
 * (MPI_Probe). */
bool hd_mpi_unclaimed(const hd_mpi *mpi, uint32_t p, uint32_t source,
                      const hd_mpi_post *post, size_t *message);
/* Has the receiver posted a receive that gets this message (in the queue, or
 * behind all that are there)? */
bool hd_mpi_expected(const hd_mpi *mpi, const hd_mpi_message *message);
const hd_mpi_message *hd_mpi_find(const hd_mpi *mpi, uint64_t number);
/* Takes the message out of the queue into the receive. */
void hd_mpi_deliver(hd_mpi *mpi, uint32_t p, size_t message, uint32_t request);
/* Appends the choices of hd_mpi_next_match. */
void hd_mpi_sources(const hd_mpi *mpi, uint32_t p, hd_mpi_choices *out);
/* A choice with this bit: a message arrives while the process stands in a call
 * that does not wait for it. */
#define HD_MPI_ARRIVES ((uint64_t)1 << 63)
/* Appends these choices; `all`: also where it does not matter which message a
 * receive gets. */
void hd_mpi_arrivals(const hd_mpi *mpi, uint32_t p, bool all,
                     hd_mpi_choices *out);
void hd_mpi_arrive_message(hd_mpi *mpi, uint32_t p, uint64_t choice);
/* The message, which is expected, is taken by the receive that waits for it (and
 * what must be before it). False after a violation. */
HD_MUST_USE bool hd_mpi_match(hd_mpi *mpi, uint64_t number);

/* --- point.c: sends, receives, requests --- */

/* What a process at a call can do. `free` of a move: it is possible without
 * buffers. */
typedef struct {
  hd_mpi_choices choices;
  bool free; /* some choice needs no buffer */
} hd_mpi_enabled;

/* The process has come to the call: checks the arguments, posts the receive.
 * True when it is one of these. Calls that are complete at once return. */
bool hd_mpi_point_arrive(const hd_mpi_call *c);
bool hd_mpi_is_point(hd_library_fn fn);
void hd_mpi_point_enabled(const hd_mpi *mpi, uint32_t p, hd_mpi_enabled *out);
void hd_mpi_point_move(const hd_mpi_call *c, uint64_t choice);
/* What it waits for. */
void hd_mpi_point_wait(hd_str *out, const hd_mpi *mpi, uint32_t p);
/* MPI_Get_count, MPI_Get_elements (status.c); true when it was one of them. */
bool hd_mpi_status_call(const hd_mpi_call *c);
/* A receive with rank, tag, …, of a call: arguments from `at` on are buffer,
 * count, type, source, tag; comm at `comm`. False after a violation. */
HD_MUST_USE bool hd_mpi_read_post(const hd_mpi_call *c, uint32_t at,
                                  uint32_t comm, hd_mpi_post *out);

/* --- request.c --- */

bool hd_mpi_is_completion(hd_library_fn fn);
void hd_mpi_completion_arrive(const hd_mpi_call *c);
void hd_mpi_completion_enabled(const hd_mpi *mpi, uint32_t p,
                               hd_mpi_enabled *out);
void hd_mpi_completion_move(const hd_mpi_call *c, uint64_t choice);
void hd_mpi_completion_wait(hd_str *out, const hd_mpi *mpi, uint32_t p);
uint32_t hd_mpi_request_new(hd_mpi_process *process);
/* Its handle: not that of the request that had the same place before, so that who
 * kept that one is caught. */
int64_t hd_mpi_request_handle(const hd_mpi_process *process, uint32_t request);
/* The request of an address; HD_NO_ID after a violation, or when it is null. */
uint32_t hd_mpi_request_at(const hd_mpi_call *c, uint64_t address);
/* Writes the status of a receive; 0 = MPI_STATUS_IGNORE. */
HD_MUST_USE bool hd_mpi_put_status(const hd_mpi_call *c, uint64_t address,
                                   int32_t source, int32_t tag,
                                   uint64_t received);
/* That of a send, a collective call, a receive that was cancelled: the standard
 * leaves open what is in it, but that nothing was cancelled. */
HD_MUST_USE bool hd_mpi_leave_status(const hd_mpi_call *c, uint64_t address);

/* --- window.c --- */

bool hd_mpi_is_window(hd_library_fn fn);
/* True when it was one of them. */
bool hd_mpi_window_arrive(const hd_mpi_call *c);
void hd_mpi_window_enabled(const hd_mpi *mpi, uint32_t p, hd_mpi_enabled *out);
void hd_mpi_window_move(const hd_mpi_call *c, uint64_t choice);
/* Could the process go on with an MPI that keeps accesses until MPI_Win_post? */
bool hd_mpi_needs_post(const hd_mpi *mpi, uint32_t p);
void hd_mpi_window_wait(hd_str *out, const hd_mpi *mpi, uint32_t p);
void hd_mpi_window_leaks(const hd_mpi_call *c);
/* Of collective calls: the communicator of the window, or HD_NO_ID after a
 * violation; making one, in these steps; coming to a fence or MPI_Win_free, and
 * leaving. False after a violation. */
uint32_t hd_mpi_window_comm(const hd_mpi_call *c);
HD_MUST_USE bool hd_mpi_bring_window(const hd_mpi_call *c,
                                     hd_mpi_joiner *joiner);
void hd_mpi_make_window(hd_mpi *mpi, uint32_t comm, hd_mpi_meeting *meeting);
HD_MUST_USE bool hd_mpi_give_window(const hd_mpi_call *c,
                                    const hd_mpi_joiner *joiner);
HD_MUST_USE bool hd_mpi_window_join(const hd_mpi_call *c, hd_mpi_joiner *joiner,
                                    const hd_mpi_joiner *first);
/* All have come to the fence. */
void hd_mpi_window_all_here(const hd_mpi_call *c);
HD_MUST_USE bool hd_mpi_window_leave(const hd_mpi_call *c);
/* What the process has read and written of its own windows since. */
void hd_mpi_touches(hd_mpi *mpi, uint32_t p);
void hd_mpi_forget(hd_mpi *mpi);

/* --- collective.c --- */

bool hd_mpi_is_collective(hd_library_fn fn);
/* MPI_Reduce_local; true when it was that. */
bool hd_mpi_reduce_local(const hd_mpi_call *c);
/* MPI_Barrier for MPI_Ibarrier …; any other itself. */
hd_library_fn hd_mpi_blocking(hd_library_fn fn);
void hd_mpi_collective_arrive(const hd_mpi_call *c);
void hd_mpi_collective_enabled(const hd_mpi *mpi, uint32_t p,
                               hd_mpi_enabled *out);
/* A request of MPI_Ibarrier …: can it be complete? `all`: nothing is left that
 * MPI could still wait for. */
bool hd_mpi_collective_ready(const hd_mpi *mpi, uint32_t p,
                             const hd_mpi_request *request, bool *all);
/* … takes its result; false after a violation. */
HD_MUST_USE bool hd_mpi_collective_end(const hd_mpi_call *c, uint32_t request);
void hd_mpi_collective_move(const hd_mpi_call *c, uint64_t choice);
void hd_mpi_collective_wait(hd_str *out, const hd_mpi *mpi, uint32_t p);
/* Calls that some never joined: violations, when all processes have ended. */
void hd_mpi_collective_rest(hd_mpi *mpi);
void hd_mpi_meeting_delete(hd_mpi_meeting *meeting);
hd_mpi_meeting *hd_mpi_meeting_copy(const hd_mpi_meeting *meeting);

#endif
