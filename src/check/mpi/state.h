/* SPDX-License-Identifier: MIT */
/* The parts of the MPI machine. Ranks are those in MPI_COMM_WORLD unless said
 * otherwise. */
#ifndef HD_CHECK_MPI_STATE_H
#define HD_CHECK_MPI_STATE_H

#include "check/interp/host.h"
#include "check/mpi/mpi.h"

/* Values of models/include/mpi.h. */
enum {
  HD_MPI_ANY_SOURCE = -11,
  HD_MPI_ANY_TAG = -12,
  HD_MPI_PROC_NULL = -13,
  HD_MPI_ROOT = -14,
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
  HD_MPI_FIRST_FILE = 16,
  HD_MPI_PACKED = 38,
  HD_MPI_BSEND_OVERHEAD = 128,
  HD_MPI_IN_PLACE = 1,
  HD_MPI_TAG_MAX = 32767, /* that every MPI allows */
  HD_MPI_STATUS_SIZE = 24,
  HD_MPI_COMM_TYPE_SHARED = 1,
};

/* Who owns the buffer of MPI_Buffer_attach; others are requests. */
#define HD_MPI_BUFFER_OWNER (UINT32_MAX - 1)

/* What one MPI has, and another has not (variant.c). */
typedef enum {
  HD_MPI_LEVEL,
  HD_MPI_LARGEST_TAG,
  HD_MPI_VERSION,
  HD_MPI_PACKING,
  HD_MPI_GRIDS,
  HD_MPI_COMPUTERS,
  HD_MPI_NEIGHBORS,
  HD_MPI_FACTS,
} hd_mpi_fact;

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
  int32_t source; /* rank, or HD_MPI_ANY_SOURCE, …_PROC_NULL */
  int32_t tag;
} hd_mpi_post;

typedef enum {
  HD_REQUEST_FREE,
  HD_REQUEST_SEND,
  HD_REQUEST_SYNC, /* MPI_Issend */
  HD_REQUEST_RECV,
  HD_REQUEST_COLLECTIVE, /* MPI_Ibarrier … */
  HD_REQUEST_GIVEN_UP,   /* a send after MPI_Request_free, until it is taken */
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
  uint32_t holder;  /* rank + 1 of who holds it exclusively; 0 = nobody */
  uint64_t shared;  /* processes of those who hold it together */
  uint64_t nocheck; /* … that nobody wants to have it meanwhile */
  /* Nobody changes it in this epoch; in the one that a fence opens when all have
   * come (MPI_MODE_NOPUT). */
  bool no_put, will_no_put;
  /* Known to those who have released it: exclusively, and in any way. */
  uint64_t after_exclusive, after_all;
  /* Between MPI_Win_post and MPI_Win_wait: the processes that have not called
   * MPI_Win_complete, and what was known at these calls. */
  bool posted;
  uint64_t origins, at_post, at_complete;
} hd_mpi_exposed;

typedef struct {
  uint32_t comm;                /* of its own */
  bool shared;                  /* shared.c: all parts are memory of all */
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
  bool stored; /* the process has changed its part since the last epoch */
} hd_mpi_opened;

/* An access to memory of a window that not all know to be over. */
typedef struct {
  bool used, pending, updates, accumulates;
  /* A load or store of shared memory; … that is carried out for others. */
  bool plain, synced;
  uint32_t
      space; /* the process whose memory it is, or HD_MPI_SHARED + window */
  uint32_t window;         /* of what is pending */
  uint32_t origin, target; /* ranks; the same: a load or store */
  uint64_t address, size;
  int64_t op;
  hd_edge_id edge;
} hd_mpi_access;
enum { HD_MPI_ACCESSES = 64, HD_MPI_SHARED = 1 << 24 };

/* What one process brings to a collective call. */
typedef struct {
  bool arrived, left;
  hd_edge_id edge;
  hd_vec(hd_mpi_data *) blocks; /* one, or one for each rank */
  int64_t color, key;           /* MPI_Comm_split, MPI_Cart_sub */
  hd_u32s group;                /* MPI_Comm_create */
  hd_u32s needs;                /* ranks in it whose part its result has */
  hd_u32s shares;               /* MPI_Reduce_scatter: the counts */
  hd_mpi_cart cart;             /* MPI_Cart_create, _sub */
  hd_u32s edges;          /* MPI_Dist_graph_create_adjacent: see `graph` */
  hd_mpi_exposed exposed; /* MPI_Win_create, _allocate */
  /* MPI_Intercomm_create, of the leader: who leads the other group. */
  uint32_t peers, remote;
  int32_t tag;
  uint64_t known;  /* accesses it knows */
  uint32_t result; /* the new communicator, or HD_NO_ID */
  uint32_t picked; /* which result of a reduction it gets, + 1; 0 = open */
} hd_mpi_joiner;

typedef struct {
  hd_library_fn fn;
  int64_t root, op;
  bool in_place;  /* MPI_IN_PLACE is the send buffer of who came first */
  uint8_t beside; /* groups (bits) of an intercommunicator without the root */
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
  /* MPI_Dist_graph_create_adjacent: of each rank how many sources and
   * destinations it has, these, and those. */
  hd_u32s graph;
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
  bool before;       /* … that it has not come to: it stands before it */
  uint64_t returns;  /* of such calls, so far; no part of the state */
  hd_host_call call; /* … with its arguments */
  /* MPI_Send … in two steps: the message is in the queue; MPI_Sendrecv: it has
   * received. */
  bool sent, received;
  uint64_t number; /* of the message that was sent by this call */
  uint64_t posts;  /* receives posted so far */
  bool posted;
  hd_mpi_request receive;          /* the one it is in: posted, or received */
  hd_vec(hd_mpi_request) requests; /* hd_mpi_request_handle */
  uint64_t renewed; /* … bits: another handle than the request before it had */
  hd_vec(hd_mpi_handle) comms;  /* handle - HD_MPI_FIRST_COMM */
  hd_vec(hd_mpi_handle) ops;    /* handle - HD_MPI_FIRST_OP */
  hd_vec(hd_mpi_handle) infos;  /* handle - HD_MPI_FIRST_INFO */
  hd_vec(hd_mpi_handle) files;  /* handle - HD_MPI_FIRST_FILE */
  hd_vec(hd_mpi_group) groups;  /* handle - HD_MPI_FIRST_GROUP */
  uint64_t buffer, buffer_size; /* MPI_Buffer_attach; 0 = none */
  bool attached;
  hd_vec(hd_mpi_opened) windows; /* handle - HD_MPI_FIRST_WINDOW */
  uint64_t known;                /* accesses: bits of mpi->accesses */
  uint64_t seen;                 /* … and MPI_Win_sync was called since */
  int32_t thread_level;          /* that is given; -1 = nobody has asked */
  int32_t asked_level;           /* … that the program has asked for */
  hd_tid thread;                 /* whose call it is, or input (threads.c) */
  uint8_t order;                 /* in which its threads run; 0: not chosen */
  uint32_t variant;              /* chosen for the call it is in */
  hd_vec(hd_mpi_type) types;     /* handle - HD_MPI_FIRST_TYPE */
  hd_str output;
} hd_mpi_process;

/* What the machines of all copies of an mpi share: what they tell goes to the one
 * that runs. */
typedef struct {
  hd_mpi *running;
  uint32_t refs;
  hd_machine_options *options; /* one, or one for each process */
} hd_mpi_shared;

struct hd_mpi {
  const hd_code *code;
  const hd_mpi_options *options;
  hd_mpi_shared *shared;
  uint32_t n;
  hd_mpi_process *processes;
  hd_vec(hd_mpi_message) queue; /* in the order of the sends */
  hd_vec(hd_mpi_comm) comms;    /* 0 the world, 1 … n of one process each */
  hd_machine_status status;
  int exit_code;
  char *why;
  hd_vec(hd_violation) violations;
  uint64_t messages;           /* sent so far */
  int32_t facts[HD_MPI_FACTS]; /* the variant + 1; 0 = nobody has asked */
  uint32_t move;               /* number of the current one */
  uint32_t current;            /* whose machine runs */
  bool outputs;                /* keep what is printed */
  bool probes;                 /* the program calls MPI_Probe or MPI_Iprobe */
  bool aborts;                 /* … MPI_Abort */
  bool readies;                /* … MPI_Rsend or the like */
  bool syncs;                  /* … MPI_Ssend or the like */
  bool bounded;                /* … MPI_Bsend or the like */
  bool cancels;                /* … MPI_Cancel */
  bool gives_up;               /* … MPI_Request_free */
  bool exposes;                /* … makes windows */
  hd_vec(hd_mpi_window) windows;
  hd_mpi_access accesses[HD_MPI_ACCESSES];
};

#endif
