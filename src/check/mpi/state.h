/* SPDX-License-Identifier: MIT */
/* The parts of the MPI machine. Ranks are those in MPI_COMM_WORLD unless said
 * otherwise. */
#ifndef HD_CHECK_MPI_STATE_H
#define HD_CHECK_MPI_STATE_H

#include "check/interp/host.h"
#include "check/mpi/mpi.h"

/* Values of models/include/mpi.h. */
enum {
  HD_MPI_ANY = -1, /* source, tag */
  HD_MPI_PROC_NULL = -2,
  HD_MPI_UNDEFINED = -32766,
  HD_MPI_COMM_WORLD = 1,
  HD_MPI_COMM_SELF = 2,
  HD_MPI_FIRST_COMM = 16,  /* handles that the machine gives */
  HD_MPI_FIRST_TYPE = 128, /* likewise */
  HD_MPI_FIRST_OP = 64,
  HD_MPI_FIRST_GROUP = 16,
  HD_MPI_GROUP_EMPTY = 1,
  HD_MPI_FIRST_WINDOW = 16,
  HD_MPI_FIRST_INFO = 16,
  HD_MPI_PACKED = 38,
  HD_MPI_BSEND_OVERHEAD = 128,
  HD_MPI_IN_PLACE = 1,
  HD_MPI_TAG_MAX = 32767, /* that every MPI allows */
  HD_MPI_STATUS_SIZE = 24,
};

/* --- types --- */

typedef enum {
  HD_BASIC_NONE, /* not supported */
  HD_BASIC_SIGNED,
  HD_BASIC_UNSIGNED,
  HD_BASIC_FLOAT,
  HD_BASIC_BYTES,   /* no arithmetic */
  HD_BASIC_COMPLEX, /* likewise */
  HD_BASIC_PAIR,    /* of `first` and an int */
} hd_basic_kind;

typedef struct {
  const char *name; /* "int" */
  uint8_t kind;     /* hd_basic_kind */
  uint8_t size;     /* with what lies between the parts of a pair */
  uint8_t first;    /* PAIR: hd_basic_kind, and size, of the value */
  uint8_t first_size;
} hd_basic;

/* `count` basic elements one after the other. */
typedef struct {
  uint8_t basic;
  int64_t offset;
  uint64_t count;
} hd_mpi_block;

typedef struct {
  hd_vec(hd_mpi_block) blocks; /* in the order of the signature */
  uint64_t size;               /* of the data */
  int64_t extent;
  int64_t low; /* lower bound */
  bool committed, freed;
  hd_edge_id edge; /* where it was made */
} hd_mpi_type;

/* A signature: basic types and how many, neighbours differ. */
typedef struct {
  uint8_t basic;
  uint64_t count;
} hd_mpi_part;
typedef hd_vec(hd_mpi_part) hd_mpi_signature;

/* Data on its way; never changed once it is made. */
typedef struct {
  uint32_t refs;
  hd_mpi_signature signature;
  hd_bytes bytes, shadow;
} hd_mpi_data;

/* --- messages and requests --- */

typedef struct {
  uint64_t number;   /* from 1, in the order of the sends of this run */
  uint32_t from, to; /* ranks */
  uint32_t comm;     /* into mpi->comms */
  int32_t tag;
  hd_edge_id edge;  /* the send */
  uint32_t request; /* of the sender, or HD_NO_ID */
  uint32_t held;    /* handle of MPI_Mprobe that has taken it; 0 = none */
  bool buffered;    /* in the buffer of MPI_Buffer_attach */
  uint64_t known;   /* accesses that the sender knows (window.c) */
  bool waits;       /* the sender stands in the call (MPI_Ssend, Sendrecv) */
  hd_mpi_data *data;
} hd_mpi_message;

/* A receive that was posted. */
typedef struct {
  uint64_t address;
  uint64_t count;
  uint32_t type;  /* handle */
  uint32_t comm;  /* into mpi->comms */
  int32_t source; /* rank, or HD_MPI_ANY, HD_MPI_PROC_NULL */
  int32_t tag;
} hd_mpi_post;

typedef enum {
  HD_REQUEST_FREE,
  HD_REQUEST_SEND,
  HD_REQUEST_SYNC, /* MPI_Issend */
  HD_REQUEST_RECV,
  HD_REQUEST_COLLECTIVE, /* MPI_Ibarrier … */
} hd_request_kind;

typedef struct {
  uint8_t kind; /* hd_request_kind */
  bool done;    /* SEND: the message was taken; RECV: has it */
  bool persistent;
  bool active; /* persistent: started, not yet completed */
  bool cancelled;
  hd_edge_id edge;
  hd_host_call begun; /* persistent, COLLECTIVE: the call that made it */
  uint64_t meeting;   /* COLLECTIVE: number of the call in its communicator */
  uint64_t order;     /* RECV: posts of this process before */
  hd_mpi_post post;
  int32_t source, tag; /* of the message (source in its communicator) */
  uint64_t received;
} hd_mpi_request;

/* --- communicators and collective calls --- */

enum { HD_MPI_DIMS = 8 };

/* A Cartesian topology; n = 0: none. */
typedef struct {
  uint32_t n;
  int32_t dims[HD_MPI_DIMS];
  int32_t periodic[HD_MPI_DIMS];
} hd_mpi_cart;

/* The memory that a process exposes in a window, and who has locked it. */
typedef struct {
  uint64_t base, size;
  int32_t unit;
  uint32_t holder; /* rank + 1 of who holds it exclusively; 0 = nobody */
  uint64_t shared; /* ranks of those who hold it together */
  /* Known to those who have released it: exclusively, and in any way. */
  uint64_t after_exclusive, after_all;
  /* Between MPI_Win_post and MPI_Win_wait: the processes that have not called
   * MPI_Win_complete, and what was known at these calls. */
  bool posted;
  uint64_t origins, at_post, at_complete;
} hd_mpi_exposed;

typedef struct {
  uint32_t comm;                /* of its own */
  hd_vec(hd_mpi_exposed) parts; /* by rank in it */
} hd_mpi_window;

/* A window as a process has it. */
typedef struct {
  uint32_t window; /* into mpi->windows */
  bool freed, allocated;
  bool fence; /* the epoch of a fence is open */
  /* Between MPI_Win_start and MPI_Win_complete, with these processes. */
  bool starts;
  uint64_t targets;
  hd_edge_id edge;
  /* The last call that opened an epoch of another kind than a fence's; and after
   * a fence, the one in whose epoch there was an access, or HD_NO_ID. */
  hd_edge_id opens, between;
  bool fenced; /* a fence can still turn out to have opened an epoch */
} hd_mpi_opened;

/* An access to memory of a window that not all know to be over. */
typedef struct {
  bool used, pending, updates, accumulates;
  uint32_t window;         /* of what is pending */
  uint32_t origin, target; /* ranks; the same: a load or store */
  uint64_t address, size;
  int64_t op;
  hd_edge_id edge;
} hd_mpi_access;
enum { HD_MPI_ACCESSES = 64 };

/* What one process brings to a collective call. */
typedef struct {
  bool arrived, left;
  hd_edge_id edge;
  hd_vec(hd_mpi_data *) blocks; /* one, or one for each rank */
  int64_t color, key;           /* MPI_Comm_split, MPI_Cart_sub */
  hd_u32s group;                /* MPI_Comm_create */
  hd_mpi_cart cart;             /* MPI_Cart_create, _sub */
  hd_mpi_exposed exposed;       /* MPI_Win_create, _allocate */
  /* MPI_Intercomm_create, of the leader: who leads the other group. */
  uint32_t peers, remote;
  int32_t tag;
  uint64_t known;  /* accesses it knows */
  uint32_t result; /* the new communicator, or HD_NO_ID */
} hd_mpi_joiner;

typedef struct {
  hd_library_fn fn;
  int64_t root, op;
  uint32_t first; /* who came first, a rank in the communicator */
  hd_mpi_signature signature;
  bool known;                    /* the signature is */
  hd_vec(hd_mpi_joiner) joiners; /* by rank in the communicator */
  uint32_t arrived, left;
} hd_mpi_meeting;

typedef struct {
  hd_u32s members; /* ranks */
  uint32_t parent; /* of one for MPI_Comm_create_group, + 1; else 0 */
  int32_t tag;     /* … and its tag */
  uint32_t side;   /* inter.c: members of the first group; 0 = there is one */
  hd_mpi_cart cart;
  hd_vec(uint64_t) calls; /* collective calls so far, by rank in it */
  uint64_t gone;          /* meetings that were dropped: all have left */
  hd_vec(hd_mpi_meeting *) meetings;
} hd_mpi_comm;

/* --- processes --- */

/* What a handle of a process stands for: communicators, operations. */
typedef struct {
  uint32_t what; /* comm: into mpi->comms; HD_NO_ID = freed */
  bool commutes; /* an operation */
  uint64_t function;
  hd_edge_id edge; /* where it was made */
} hd_mpi_handle;

typedef struct {
  hd_u32s members; /* ranks in MPI_COMM_WORLD */
  bool freed;
  hd_edge_id edge;
} hd_mpi_group;

typedef struct {
  hd_machine *machine;
  bool started, initialized, finalized, ended;
  bool at_call;      /* `call` is a move */
  uint64_t returns;  /* of such calls, so far; no part of the state */
  hd_host_call call; /* … with its arguments */
  /* MPI_Send … in two steps: the message is in the queue; MPI_Sendrecv: it has
   * received. */
  bool sent, received;
  uint64_t number; /* of the message that was sent by this call */
  uint64_t posts;  /* receives posted so far */
  bool posted;
  hd_mpi_request receive;          /* the one it is in: posted, or received */
  hd_vec(hd_mpi_request) requests; /* handle - 1 */
  hd_vec(hd_mpi_handle) comms;     /* handle - HD_MPI_FIRST_COMM */
  hd_vec(hd_mpi_handle) ops;       /* handle - HD_MPI_FIRST_OP */
  hd_vec(hd_mpi_handle) infos;     /* handle - HD_MPI_FIRST_INFO */
  hd_vec(hd_mpi_group) groups;     /* handle - HD_MPI_FIRST_GROUP */
  uint64_t buffer, buffer_size;    /* MPI_Buffer_attach; 0 = none */
  bool attached;
  hd_vec(hd_mpi_opened) windows; /* handle - HD_MPI_FIRST_WINDOW */
  uint64_t known;                /* accesses: bits of mpi->accesses */
  int32_t thread_level;          /* of MPI_Init_thread */
  hd_vec(hd_mpi_type) types;     /* handle - HD_MPI_FIRST_TYPE */
  hd_str output;
} hd_mpi_process;

struct hd_mpi {
  const hd_code *code;
  const hd_mpi_options *options;
  void *shared; /* what the machines of all copies have in common */
  uint32_t n;
  hd_mpi_process *processes;
  hd_vec(hd_mpi_message) queue; /* in the order of the sends */
  hd_vec(hd_mpi_comm) comms;    /* 0 the world, 1 … n of one process each */
  hd_machine_status status;
  int exit_code;
  char *why;
  hd_vec(hd_violation) violations;
  uint64_t messages; /* sent so far */
  uint32_t move;     /* number of the current one */
  uint32_t current;  /* whose machine runs */
  bool outputs;      /* keep what is printed */
  bool probes;       /* the program calls MPI_Probe or MPI_Iprobe */
  bool aborts;       /* … MPI_Abort */
  bool exposes;      /* … makes windows */
  hd_vec(hd_mpi_window) windows;
  hd_mpi_access accesses[HD_MPI_ACCESSES];
};

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

/* --- machine.c --- */

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
/* The current call returns MPI_SUCCESS, and the process runs on to its next
 * move. */
void hd_mpi_return(const hd_mpi_call *c);
hd_mpi_call hd_mpi_call_of(hd_mpi *mpi, uint32_t p);
/* Has the process just one move, of a kind that other moves neither change nor
 * notice (explore.c)? */
bool hd_mpi_alone(const hd_mpi *mpi, uint32_t p, uint64_t *choice);
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
/* a = a op b, element by element; both have the same signature. */
void hd_mpi_reduce(const hd_mpi *mpi, int64_t op, hd_mpi_data *a,
                   const hd_mpi_data *b);
const char *hd_mpi_op_name(int64_t op);

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
bool hd_mpi_inter_call(const hd_mpi_call *c);

/* --- topology.c --- */

/* What MPI_Comm_create, MPI_Cart_create and _sub bring; nothing for others.
 * False after a violation. */
HD_MUST_USE bool hd_mpi_bring_topology(const hd_mpi_call *c, uint32_t comm,
                                       uint32_t me, hd_mpi_joiner *joiner);
bool hd_mpi_topology_call(const hd_mpi_call *c);

/* --- pack.c --- */

bool hd_mpi_pack_call(const hd_mpi_call *c);

/* --- around.c --- */

bool hd_mpi_around_call(const hd_mpi_call *c);
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
/* The first message of `source` to p that a posted receive of p gets, and which
 * receive: `request` HD_NO_ID is the one p stands in. False: there is none. */
bool hd_mpi_next_match(const hd_mpi *mpi, uint32_t p, uint32_t source,
                       size_t *message, uint32_t *request);
/* The first message for p from `source` that fits and that no posted receive
 * gets (MPI_Probe). */
bool hd_mpi_unclaimed(const hd_mpi *mpi, uint32_t p, uint32_t source,
                      const hd_mpi_post *post, size_t *message);
/* Has the receiver posted a receive that gets this message (in the queue, or
 * behind all that are there)? */
bool hd_mpi_expected(const hd_mpi *mpi, const hd_mpi_message *message);
const hd_mpi_message *hd_mpi_find(const hd_mpi *mpi, uint64_t number);
/* Takes the message out of the queue into the receive. */
void hd_mpi_deliver(hd_mpi *mpi, uint32_t p, size_t message, uint32_t request);
/* Appends s + 1 for every source with a match. */
void hd_mpi_sources(const hd_mpi *mpi, uint32_t p, hd_mpi_choices *out);

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
/* MPI_Get_count. */
void hd_mpi_get_count(const hd_mpi_call *c);
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
/* The request of an address; HD_NO_ID after a violation, or when it is null. */
uint32_t hd_mpi_request_at(const hd_mpi_call *c, uint64_t address);
/* Writes the status of a receive; 0 = MPI_STATUS_IGNORE. */
HD_MUST_USE bool hd_mpi_put_status(const hd_mpi_call *c, uint64_t address,
                                   int32_t source, int32_t tag,
                                   uint64_t received);

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
HD_MUST_USE bool hd_mpi_window_join(const hd_mpi_call *c);
HD_MUST_USE bool hd_mpi_window_leave(const hd_mpi_call *c);
/* What the process has read and written of its own windows since. */
void hd_mpi_touches(hd_mpi *mpi, uint32_t p);
void hd_mpi_forget(hd_mpi *mpi);

/* --- collective.c --- */

bool hd_mpi_is_collective(hd_library_fn fn);
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
void hd_mpi_collective_move(const hd_mpi_call *c);
void hd_mpi_collective_wait(hd_str *out, const hd_mpi *mpi, uint32_t p);
/* Calls that some never joined: violations, when all processes have ended. */
void hd_mpi_collective_rest(hd_mpi *mpi);
void hd_mpi_meeting_delete(hd_mpi_meeting *meeting);
hd_mpi_meeting *hd_mpi_meeting_copy(const hd_mpi_meeting *meeting);

#endif
