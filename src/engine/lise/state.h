/* SPDX-License-Identifier: MIT */
/* Symbolic states of N processes: each with its own objects and frames, the
 * messages between them, what is known (path conditions), and the records of
 * collective loops (paper: Siegel and Zirkel, Loop Invariant Symbolic Execution
 * for Parallel Programs, section 2.3).
 *
 * Processes may be of different programs (`compare`): ranks, communicators and
 * messages belong to one program. Everything big is shared between copies of a
 * state and copied when it is written (`own`). */
#ifndef HD_ENGINE_LISE_STATE_H
#define HD_ENGINE_LISE_STATE_H

#include "engine/lise/term.h"
#include "model/code.h"
#include "model/calls.h"
#include "model/live.h"
#include "model/property.h"

typedef uint32_t hd_proc; /* number in the state: all of program 0 first */

/* --- memory --- */

/* A value at a constant offset. `bytes` is its width. */
typedef struct {
  int64_t offset;
  uint32_t bytes;
  hd_term value;
} hd_lise_cell;

typedef enum {
  HD_LISE_GLOBAL, /* origin: the global */
  HD_LISE_SLOT,   /* origin: into code->slots */
  HD_LISE_ALLOCA, /* origin: the edge */
  HD_LISE_HEAP,   /* likewise */
} hd_lise_object_kind;

/* Contents are cells, or, once an index was symbolic, one symbolic array of
 * elements that all have the same width. */
typedef struct {
  uint32_t refs;
  uint8_t kind; /* hd_lise_object_kind */
  bool freed, constant, external;
  bool zero; /* what was never written is 0 */
  uint32_t origin;
  hd_term size;               /* in bytes */
  hd_term array;              /* 0: cells */
  uint32_t stride;            /* of the array */
  hd_vec(hd_lise_cell) cells; /* by offset, disjoint */
} hd_lise_object;

/* Objects 1 … globals are the globals; a function f is object
 * HD_LISE_FUNCTION + f, without contents. */
#define HD_LISE_FUNCTION 0x40000000u
/* … of another process: with its number (buffers.c). */
#define HD_LISE_FOREIGN 0x80000000u

/* --- processes --- */

typedef struct {
  hd_func_id func;
  hd_loc_id loc;
  hd_edge_id call;  /* it waits for this call to return; else HD_NO_ID */
  uint32_t regs;    /* where its registers start */
  uint32_t allocas; /* where its objects start in proc->stack */
} hd_lise_frame;

typedef struct {
  uint8_t code; /* 0 = none: a MPI_Request that is free */
  bool done;    /* a send: received; a receive: matched */
  bool is_send, sync;
  bool hidden; /* of a blocking call, or given up: the program has no handle */
  bool given_up; /* MPI_Request_free */
  bool kept;     /* of one that is over: the program has its handle somewhere */
  int32_t peer, tag;
  int32_t source, got_tag; /* of the message that was matched */
  uint32_t comm, type;
  int64_t count;    /* elements of room; of what was sent */
  int64_t received; /* bytes */
  hd_term buffer;
  uint32_t order; /* of posting, among the unmatched */
} hd_lise_request;

/* What a process stands before that needs others, or is one transition for
 * other reasons. */
typedef enum {
  HD_LISE_OP_NONE,
  HD_LISE_OP_SEND,    /* deliver `message`, go on */
  HD_LISE_OP_ISEND,   /* deliver; then wait for `requests`, if any */
  HD_LISE_OP_WAIT,    /* for all of `requests` */
  HD_LISE_OP_WAITANY, /* for one of them */
  HD_LISE_OP_TEST,    /* all of them done? */
  HD_LISE_OP_TESTANY,
  HD_LISE_OP_PROBE,
  HD_LISE_OP_IPROBE,
  HD_LISE_OP_COLLECTIVE, /* entered; leave */
  HD_LISE_OP_BRANCH,     /* an undecided condition: one transition for each */
  HD_LISE_OP_LOOP,       /* at an annotated loop, its branch not yet taken */
} hd_lise_op_kind;

typedef struct hd_lise_message hd_lise_message;

typedef struct {
  uint8_t kind; /* hd_lise_op_kind */
  hd_library_fn fn;
  hd_edge_id edge;
  hd_lise_message *message; /* SEND …; owned */
  hd_u32s requests;         /* numbers into proc->requests */
  hd_term status;           /* where to write it, or null, 0 = nowhere */
  hd_term handles, flag, index;
  int32_t source, tag; /* PROBE */
  uint32_t comm;
  uint32_t instance; /* COLLECTIVE: number among the comm's instances */
} hd_lise_op;

/* A variable that can be written: a register, a cell, or an array. */
typedef struct {
  uint32_t object; /* 0: a register */
  uint32_t frame; /* … of this frame; else bytes of the cell, 0 = the array */
  int64_t at;     /* register, or offset */
} hd_lise_place;
typedef hd_vec(hd_lise_place) hd_lise_places;

typedef struct hd_lise_proc {
  uint32_t refs;
  uint32_t program;
  int32_t rank;
  bool ended;
  bool in_guard;       /* between an annotated loop's head and its branch */
  uint32_t loop;       /* in_guard: which loop */
  uint8_t mpi;         /* 0 before MPI_Init, 1 in between, 2 after Finalize */
  hd_term exit_status; /* of who has ended; 0 = none */
  uint32_t n_inputs;   /* it has asked for, outside of annotated loops */
  hd_vec(hd_lise_frame) frames;
  hd_vec(hd_term) regs;
  hd_vec(hd_lise_object *) objects; /* [0] is NULL; NULL = not there */
  hd_u32s stack;                    /* objects of the frames, in order */
  hd_vec(hd_lise_request) requests; /* hd_lise_request_handle */
  hd_u32s rounds;       /* frame, loop, how often: with a bound on them only */
  hd_u32s comm_handles; /* [handle]: number of the comm + 1; 0 = none */
  hd_lise_op op;
  /* guard of an annotated loop: see record.h */
  struct hd_lise_proc *head; /* the snapshot taken at the loop's head */
  hd_lise_places written;    /* what was given new values there */
  hd_term_list guard, relation;
  /* Messages sent to and received from each rank, by rank; empty = 0, and when
   * no annotation asks. */
  hd_term_list counts;
} hd_lise_proc;

/* --- messages --- */

struct hd_lise_message {
  uint32_t refs;
  uint32_t comm;
  int32_t source, dest; /* processes of the state */
  int32_t source_rank;  /* in the comm */
  int32_t tag;
  uint32_t type;
  int64_t count;
  uint32_t request; /* of the sender, + 1; 0 = none */
  hd_edge_id edge;
  hd_vec(hd_lise_cell) cells; /* relative to the buffer */
};

/* A communicator: the same for all its members. */
typedef struct {
  uint32_t refs;
  uint32_t program;
  hd_vec(hd_proc) members; /* by rank */
} hd_lise_comm;

/* A collective call that not everybody has left. */
typedef struct {
  uint32_t refs;
  uint32_t comm, fn;
  int32_t root;
  uint32_t op, type;
  int64_t count;
  uint32_t made; /* COMM_DUP, _SPLIT: first of the new communicators + 1 */
  bool in_place; /* the send buffer of who entered first */
  hd_edge_id edge;
  hd_proc first;                   /* who entered first */
  hd_vec(hd_lise_message *) parts; /* by rank: what was brought; NULL */
  hd_vec(uint8_t) left;            /* by rank: 0 not there, 1 entered, 2 left */
} hd_lise_collective;

/* --- records (figure 3) --- */

typedef struct {
  uint32_t refs;
  uint32_t id;      /* of the collective: number of the name in the engine */
  uint32_t program; /* whose processes take part; HD_NO_ID = all */
  bool is_loop, is_true;
  hd_vec(hd_lise_proc *) snapshots; /* by process; NULL = not there yet */
  hd_vec(uint32_t) places;       /* … loop of the process (its program's) */
  hd_vec(hd_lise_places) writes; /* by process */
  hd_term_list ppc, relation;
  /* Conditions of branches that followed from the rest when a process met them;
   * with the relation forgotten they say something of their own. The paper does
   * not print them. */
  hd_term_list implied;
} hd_lise_record;

typedef struct hd_lise_state {
  hd_vec(hd_lise_proc *) procs;
  hd_vec(hd_lise_message *) messages; /* by comm, source, dest; then by age */
  hd_vec(hd_lise_comm *) comms;
  hd_vec(hd_lise_collective *) collectives;
  hd_term_list pc; /* pc0 */
  hd_vec(hd_lise_record *) queue, stack;
  bool aborted;      /* MPI_Abort: everybody stops sooner or later */
  uint32_t n_y, n_x; /* symbols in use: all have smaller numbers */
} hd_lise_state;

/* --- the world of a search: what all states share --- */

typedef struct {
  const hd_code *code;
  hd_live *live;
  hd_library_fn *library; /* of each function */
  uint32_t n_procs;
  hd_proc first;
  struct hd_lise_loops *loops; /* bodies, guards: loops.h */
} hd_lise_program;

typedef struct hd_lise hd_lise;

/* --- life --- */

hd_lise_state *hd_lise_state_copy(const hd_lise_state *state);
void hd_lise_state_delete(hd_lise_state *state);
hd_lise_proc *hd_lise_proc_keep(hd_lise_proc *proc);
void hd_lise_proc_drop(hd_lise_proc *proc);
/* For changing: not shared with other states. */
hd_lise_proc *hd_lise_proc_own(hd_lise_state *state, hd_proc p);
hd_lise_object *hd_lise_object_own(hd_lise_proc *proc, uint32_t object);
hd_lise_message *hd_lise_message_new(void);
hd_lise_message *hd_lise_message_keep(hd_lise_message *message);
void hd_lise_message_drop(hd_lise_message *message);
hd_lise_collective *hd_lise_collective_own(hd_lise_state *state, size_t i);
hd_lise_record *hd_lise_record_new(size_t n_procs);
hd_lise_record *hd_lise_record_copy(const hd_lise_record *record);
hd_lise_record *hd_lise_record_keep(hd_lise_record *record);
void hd_lise_record_drop(hd_lise_record *record);
void hd_lise_op_clear(hd_lise_op *op);

static inline hd_lise_frame *hd_lise_top(hd_lise_proc *proc) {
  assert(proc->frames.size);
  return &proc->frames.data[proc->frames.size - 1];
}

/* --- looking at variables, for formulas --- */

/* The newest frame of the function, or SIZE_MAX. */
size_t hd_lise_frame_of(const hd_lise_proc *proc, hd_func_id func);
hd_term hd_lise_reg(const hd_lise_proc *proc, size_t frame, hd_reg_id reg);
/* The object of a slot (number in its function). */
uint32_t hd_lise_slot(const hd_lise_proc *proc, size_t frame, uint32_t slot);
/* What is in memory, without checks: UNDEF where nothing was ever written, 0
 * when it cannot be said (other widths, offset symbolic between cells). */
hd_term hd_lise_peek(hd_terms *terms, const hd_code *code,
                     const hd_lise_proc *proc, uint32_t object, hd_term offset,
                     hd_type type);

/* --- canonical form --- */

/* Renames the Y symbols in order of appearance. */
void hd_lise_canonic(hd_terms *terms, hd_lise_state *state);
/* Two words that are equal for equal states and, but for a chance of about
 * 2^-100, only for those. */
void hd_lise_fingerprint(const hd_lise_state *state, uint64_t key[2]);

#endif
