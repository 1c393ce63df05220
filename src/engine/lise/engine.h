/* SPDX-License-Identifier: MIT */
/* Inside of the engine: what its parts share. */
#ifndef HD_ENGINE_LISE_ENGINE_H
#define HD_ENGINE_LISE_ENGINE_H

#include "engine/lise/lise.h"
#include "engine/lise/prover.h"

/* An input: what X number i stands for. */
typedef struct {
  char *name;
  hd_term_sort sort;
  hd_proc proc;    /* HD_NO_ID: the same for all */
  hd_edge_id edge; /* of a call; HD_NO_ID: of a pragma */
  /* An array of variable length, in a plain run: bytes in all and of an
   * element. */
  hd_term size;
  uint32_t stride;
} hd_lise_input;

/* How executing an edge ended. */
typedef enum {
  HD_GO_ON,
  HD_STOPPED, /* the process stands before `op`, or has ended */
  HD_FORK,    /* `fork` must be decided first; nothing has happened */
  HD_FAILED,  /* a violation: see `finding` */
  HD_PRUNED,  /* not a run: an assumption does not hold */
  HD_REFUSED, /* cannot be done: see `refusal` */
} hd_going;

/* Another engine that has one process executed by this one (engine/uniform): what
 * the process does that others could notice is its affair. */
typedef struct hd_lise_guest {
  void *data;
  /* A call of MPI; false: nobody else can notice it. */
  bool (*call)(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
               const hd_term *args, hd_going *out);
  /* Before the edge at a place: stop here? */
  bool (*pauses)(hd_lise *l, hd_loc_id loc);
  void (*wrote)(hd_lise *l, hd_lise_place place);
  /* A claim that does not follow: false = it is a violation. */
  bool (*claims)(hd_lise *l, hd_term claim, hd_property property,
                 const char *message);
  /* Operations with better results than the usual ones: false = none. */
  bool (*remainder)(hd_lise *l, hd_term a, hd_term b, hd_term *out);
  bool (*bits)(hd_lise *l, hd_code_op op, hd_term a, hd_term b, hd_term *out);
} hd_lise_guest;

struct hd_lise {
  hd_terms *terms;
  hd_prover *prover;
  const hd_lise_options *options;
  hd_run *run;
  const hd_lise_source *sources;
  hd_lise_program *programs;
  hd_proc *first;
  size_t n_programs, n_procs;
  hd_vec(char *) names; /* of collectives */
  hd_vec(hd_lise_input) inputs;
  hd_lise_result *result;
  /* while executing */
  hd_lise_state *state;
  hd_proc proc;
  hd_term fork;
  char *refusal;
  hd_lise_finding *finding; /* filled by the first violation */
  bool plain;               /* follow a run without records: see replay.c */
  hd_term denied; /* what the last failed check would have wanted, negated */
  bool delivers;  /* a message goes to its buffer */
  bool stopped;   /* a limit was reached */
  bool cut;       /* runs ended at what was not asked for */
  bool at_end;    /* all processes have ended */
  bool comparing; /* … and outputs are compared */
  bool bounded;   /* a loop was cut off */
  bool abstract;  /* records forgot something on this path */
  struct hd_lise_watch *watch; /* writes down a run; may be NULL */
  /* A plain execution: what the edge found out then begins at `answers` of it. */
  const struct hd_lise_watch *recalls;
  size_t answers;
  uint32_t asked; /* questions of hd_lise_decide, _concrete in this edge */
  const hd_lise_guest *guest; /* may be NULL */
  bool counting;              /* an annotation mentions sent() or received() */
  uint64_t budget;            /* local steps left in this transition */
};

/* --- facts (facts.c) --- */

/* pc(s): everything that is known. The caller frees the list. */
void hd_lise_facts(const hd_lise *l, hd_term_list *out);
/* What the running process has learnt. */
void hd_lise_learn(hd_lise *l, hd_term fact);
/* … the condition of a branch that follows from what is known: kept when the
 * process is in a loop, where what it follows from may be forgotten. */
void hd_lise_learn_implied(hd_lise *l, hd_term fact);
hd_proof hd_lise_valid(hd_lise *l, hd_term claim);
/* Decided truth of `cond`: HD_GO_ON with `*truth`, or HD_FORK. */
hd_going hd_lise_decide(hd_lise *l, hd_term cond, bool *truth);
/* One number for an integer term, deciding which if there are several. */
hd_going hd_lise_concrete(hd_lise *l, hd_term term, int64_t *value,
                          const char *what);
hd_term hd_lise_fresh(hd_lise *l, hd_term_sort sort);
/* A new input of the running process. */
hd_term hd_lise_input_new(hd_lise *l, const char *name, hd_term_sort sort,
                          hd_proc proc, hd_edge_id edge);

/* --- ends (ends.c) --- */

HD_PRINTF(3, 4)
hd_going hd_lise_violate(hd_lise *l, hd_property property, const char *format,
                         ...);
/* The claim must hold, else it is a violation. */
HD_PRINTF(4, 5)
hd_going hd_lise_check(hd_lise *l, hd_term claim, hd_property property,
                       const char *format, ...);
HD_PRINTF(2, 3) hd_going hd_lise_refuse(hd_lise *l, const char *format, ...);
void hd_lise_note(hd_lise *l, const char *text);

/* --- writing down a run (replay.c) --- */

void hd_lise_watch_edge(hd_lise *l, hd_edge_id edge);
void hd_lise_watch_undo(hd_lise *l);
/* The answer to question `asked` of the edge; and what it was in the run that is
 * executed plainly (false: that is not known). */
void hd_lise_watch_answer(hd_lise *l, uint32_t asked, int64_t value);
bool hd_lise_recall(const hd_lise *l, uint32_t asked, int64_t *value);

/* --- the running process --- */

static inline hd_lise_proc *hd_lise_me(hd_lise *l) {
  return hd_lise_proc_own(l->state, l->proc);
}
static inline const hd_lise_proc *hd_lise_seen(const hd_lise *l) {
  return l->state->procs.data[l->proc];
}
static inline const hd_lise_program *hd_lise_program_of(const hd_lise *l) {
  return &l->programs[hd_lise_seen(l)->program];
}
static inline const hd_code *hd_lise_code(const hd_lise *l) {
  return hd_lise_program_of(l)->code;
}

/* --- values (eval.c) --- */

hd_term_sort hd_lise_sort(hd_type type);
/* The value of an expression in the top frame. */
hd_going hd_lise_eval(hd_lise *l, hd_cexpr_id expr, hd_term *out);
/* As above; a value that was never set is a violation. */
hd_going hd_lise_eval_set(hd_lise *l, hd_cexpr_id expr, const char *what,
                          hd_term *out);
/* A number as if it were stored in `width` bits without sign. */
hd_term hd_lise_unsigned(hd_lise *l, hd_term a, unsigned width);

/* --- numbers of C (numbers.c) --- */

/* The number that the low bits mean. */
hd_term hd_lise_fit(hd_lise *l, hd_term a, unsigned width, bool with_sign);
/* A value that has this type: learns its range. */
void hd_lise_typed(hd_lise *l, hd_term a, hd_type type);
hd_term hd_lise_range(hd_lise *l, hd_term a, unsigned width, bool with_sign);
/* The value of a constant, infinities and NaN included. */
bool hd_lise_double(const hd_lise *l, hd_term a, double *out);
hd_term hd_lise_rounded(hd_lise *l, double value, unsigned width);
/* Real numbers are used for symbolic floats: the result says so, unless they are
 * numbers that floats have. */
void hd_lise_idealize(hd_lise *l, const hd_term *args, size_t n,
                      unsigned width);
/* The operation on constants; false: they are none, or ideal. */
bool hd_lise_float_op(hd_lise *l, hd_code_op op, unsigned width, hd_term a,
                      hd_term b, hd_term *out);

/* --- memory (memory.c) --- */

hd_going hd_lise_load(hd_lise *l, hd_term pointer, hd_type type, hd_term *out);
hd_going hd_lise_store(hd_lise *l, hd_term pointer, hd_type type,
                       hd_term value);
/* The object and offset of a pointer that may be accessed for `bytes` bytes;
 * `what` says who: "load", "MPI_Send". */
hd_going hd_lise_access(hd_lise *l, hd_term pointer, hd_term bytes, bool write,
                        const char *what, uint32_t *object, hd_term *offset);
/* The cells of `bytes` bytes, offsets relative to the pointer; what was never
 * written has none. `unit`: width of elements if an array must be read. */
hd_going hd_lise_read(hd_lise *l, hd_term pointer, int64_t bytes, hd_type unit,
                      const char *what, hd_lise_message *into);
/* The other way round: also what has no cell is copied (unset). */
hd_going hd_lise_write(hd_lise *l, hd_term pointer, int64_t bytes,
                       const hd_lise_message *from, const char *what);
uint32_t hd_lise_object_new(hd_lise *l, hd_lise_object_kind kind,
                            uint32_t origin, hd_term size);
void hd_lise_object_gone(hd_lise_proc *proc, uint32_t object);
/* A fresh input array as contents. */
void hd_lise_set_reg(hd_lise *l, hd_reg_id reg, hd_term value);
void hd_lise_wrote(hd_lise *l, hd_lise_place place);

/* --- buffers (buffers.c) --- */

/* Bytes of operations that are not complete must not be written, those of
 * receives not even be read; nor may they go away (`how`: "is freed"). */
hd_going hd_lise_belongs(hd_lise *l, uint32_t object, hd_term offset,
                         hd_term bytes, bool write, const char *what);
hd_going hd_lise_let_go(hd_lise *l, uint32_t object, const char *how);
/* Two buffers of one call. */
hd_going hd_lise_apart(hd_lise *l, hd_library_fn fn, hd_term a, int64_t a_bytes,
                       hd_term b, int64_t b_bytes);
/* Decides which of several objects it is. */
hd_going hd_lise_one_buffer(hd_lise *l, hd_term *pointer);
/* An object as other processes see it. */
uint32_t hd_lise_foreign(hd_proc owner, uint32_t object);
/* … as its owner does. */
uint32_t hd_lise_homely(hd_proc owner, uint32_t object);
/* Pointers in a message that leaves the running process, or comes to it. */
void hd_lise_travel(hd_lise *l, hd_lise_message *m, bool leaves);

/* --- steps (step.c, lib.c) --- */

/* Runs the process until it stands before an operation, or has ended. */
hd_going hd_lise_advance(hd_lise *l);
hd_going hd_lise_push(hd_lise *l, hd_func_id func, const hd_term *args,
                      size_t n);
/* Results of the call the process is in, and behind it. */
void hd_lise_call_done(hd_lise *l, const hd_term *values, size_t n);
hd_going hd_lise_library(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                         const hd_term *args, size_t n);
hd_going hd_lise_exit(hd_lise *l, hd_term status);

/* --- MPI (mpi.c, message.c, request.c, collective.c) --- */

hd_going hd_lise_mpi(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                     const hd_term *args, size_t n);
hd_going hd_lise_enter(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                       const hd_term *args, size_t n);
bool hd_lise_can_leave(const hd_lise_state *state, hd_proc p, bool all);
hd_going hd_lise_leave(hd_lise *l);
/* Width and kind of a datatype's element; false: not known. */
bool hd_lise_datatype(uint32_t type, hd_type *unit, uint32_t *bytes);
const char *hd_lise_type_name(uint32_t type);
hd_term hd_lise_null(hd_lise *l);
/* The process ends or finalizes: requests, messages. */
hd_going hd_lise_finish(hd_lise *l);
hd_going hd_lise_check_leaks(hd_lise *l);

/* What a process could do next. */
typedef struct {
  uint32_t n;    /* alternatives now; 0 = it waits */
  bool local;    /* nobody else can notice */
  bool send;     /* puts a message somewhere, or goes on because of a
                        buffer: counts for absolute deadlocks only */
  bool matched;  /* send: somebody waits for it with a fixed source */
  bool met;      /* send: somebody waits for it at all */
  bool wildcard; /* it waits for a message from anybody */
  bool receive;  /* takes a message */
} hd_lise_ready;
hd_lise_ready hd_lise_ready_of(const hd_lise *l, const hd_lise_state *state,
                               hd_proc p);
/* Makes alternative `choice` of the operation the process stands before. */
hd_going hd_lise_operate(hd_lise *l, uint32_t choice);

/* --- loops and records (loops.c, nest.c, record.c, claim.c) --- */

/* Is the loop at this location annotated, or the edge an assertion? */
bool hd_lise_loop_at(const hd_lise *l, hd_loc_id loc, uint32_t *loop);
/* At the head: new values for what was written, snapshot. */
hd_going hd_lise_head(hd_lise *l, uint32_t loop);
/* Around an edge: has the loop's condition been decided? */
hd_going hd_lise_passes(hd_lise *l);
hd_going hd_lise_passed(hd_lise *l, const hd_cedge *edge);
/* A loop with an invariant must not be left in other ways. */
hd_going hd_lise_still_inside(hd_lise *l);
hd_going hd_lise_leaves_frame(hd_lise *l);
/* Assertions and assumptions at an edge. */
hd_going hd_lise_annotated(hd_lise *l, hd_edge_id edge);
/* A message was sent to, or received from, process `other`. */
void hd_lise_count(hd_lise *l, hd_proc other, bool received);
/* How many records of the queue the process is in: ahead of the slowest. */
uint32_t hd_lise_ahead(const hd_lise_state *state, hd_proc p);

/* The part of process `q`'s annotation in a complete record that cannot be
 * shown; false when each part alone can (blame.c). The caller frees `text`. */
typedef struct {
  uint32_t pragma;
  hd_formula_id formula;
  hd_term claim;
  hd_proof how;
  char *text; /* as in the source */
} hd_lise_culprit;
bool hd_lise_blame(hd_lise *l, const hd_lise_record *record, hd_proc q,
                   hd_lise_culprit *out);

/* --- inputs and outputs (input.c) --- */

void hd_lise_inputs_at_start(hd_lise *l);
void hd_lise_input_alloca(hd_lise *l, hd_edge_id edge, uint32_t object);
/* All processes have ended: of two programs, the outputs are equal (output.c). */
hd_going hd_lise_outputs(hd_lise *l);

#endif
