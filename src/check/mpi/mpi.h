/* SPDX-License-Identifier: MIT */
/* The concrete MPI machine: N processes that execute one program and exchange
 * messages. It says what an MPI program means to heddle; `heddle run` and `fuzz`
 * and the replay of every counterexample of engine/lise go through it.
 *
 * Each process is a machine of check/interp with its own memory, which stops
 * before calls of MPI. A *move* lets one process execute the call it stands
 * before and then everything up to its next call that others can notice. Calls
 * that nobody notices (MPI_Comm_rank, MPI_Irecv, …) are no moves.
 *
 * Messages (../../../docs/mpi.md has the whole of it). There is one queue for
 * each pair of processes and communicator. A send puts its message there and goes
 * on: buffers are unbounded, for every behaviour of MPI is one of those; whether
 * the program needs buffers shows in `potential` deadlocks only. A receive takes
 * the first message of a source that fits; which source is the choice of the
 * move. Collective calls wait for as little as their result needs.
 *
 * A deadlock is *absolute* when nobody can move and not all have ended. It is
 * *potential* when everybody who can move only can because messages are buffered
 * or because a collective call does not wait: a send whose receiver has not
 * posted a receive for it, a wait for such a send, leaving a collective call
 * before all have come. */
#ifndef HD_CHECK_MPI_H
#define HD_CHECK_MPI_H

#include "base/run.h"
#include "check/interp/interp.h"

/* Does the program call MPI? */
bool hd_mpi_program(const hd_code *code);

/* What happens, for traces. Pointers are valid during the call. */
typedef enum {
  HD_MPI_SENDS,    /* `text`: "1 int (42) to 1, tag 0" */
  HD_MPI_RECEIVES, /* … of which `other` is the sender */
  HD_MPI_CALLS,    /* another call of MPI: `text` says what it does */
  HD_MPI_JOINS,    /* arrives at a collective call */
  HD_MPI_LEAVES,   /* … and leaves it */
  HD_MPI_WAITS,    /* at the end of a deadlock: for what */
  HD_MPI_CHOOSES,  /* an input */
  HD_MPI_OUTPUT,   /* `text` was printed */
  HD_MPI_ENDS,     /* the process has ended */
  HD_MPI_INTERP,   /* what the process' own machine tells (`event`) */
} hd_mpi_event_kind;

typedef struct {
  hd_mpi_event_kind kind;
  uint32_t process;
  uint32_t other; /* SENDS, RECEIVES: the other one; else HD_NO_ID */
  uint32_t move;  /* number of the move, from 1; 0 before the first */
  hd_edge_id edge;
  uint32_t depth;   /* frames below the one it is in */
  uint64_t message; /* SENDS, RECEIVES: number of the message, from 1 */
  uint64_t post;    /* RECEIVES: by which MPI_Irecv of the process, from 1;
                       0: by a call that waits for it */
  const char *text;
  const hd_event *event;
} hd_mpi_event;

typedef struct {
  uint32_t procs;       /* at least 1 */
  hd_properties checks; /* RACE: of threads of one process */
  bool potential;       /* DEADLOCK: also potential ones */
  uint64_t max_local;   /* actions of one process in one move; 0 = 1,000,000 */
  int argc;
  const char *const *argv;
  const hd_given *given; /* inputs, the same for all processes */
  size_t n_given;
  bool malloc_fails; /* malloc may return null */
  bool exact;   /* what is fixed here but open in MPI and C (the time) must not
                   decide anything: then the run is UNSUPPORTED */
  bool outputs; /* keeps what is printed, as part of the state */
  bool all;     /* events HD_MPI_INTERP, too */
  bool one_result; /* of the threads of a process, whatever their order */
  void (*observe)(void *context, const hd_mpi_event *event); /* NULL = nobody */
  void *context;
  /* As of one machine. */
  bool (*holds)(void *assumptions, const hd_machine *machine, hd_edge_id edge);
  void *assumptions;
} hd_mpi_options;

typedef struct hd_mpi hd_mpi;

/* Every process stands before its first call. Borrows all it is given. */
hd_mpi *hd_mpi_new(const hd_code *code, const hd_mpi_options *options);
hd_mpi *hd_mpi_copy(const hd_mpi *mpi);
void hd_mpi_delete(hd_mpi *mpi);

/* As of one machine (interp.h). EXITED: all processes have ended. */
hd_machine_status hd_mpi_status(const hd_mpi *mpi);
const char *hd_mpi_why(const hd_mpi *mpi);
int hd_mpi_exit_code(const hd_mpi *mpi); /* the first that is not 0 */
size_t hd_mpi_violations(const hd_mpi *mpi);
/* Its threads are processes. */
const hd_violation *hd_mpi_violation(const hd_mpi *mpi, size_t i);
/* The kind of deadlock the state is now, whatever is checked. */
typedef enum {
  HD_MPI_NO_DEADLOCK,
  HD_MPI_POTENTIAL,
  HD_MPI_ABSOLUTE
} hd_mpi_deadlock;
hd_mpi_deadlock hd_mpi_deadlocked(const hd_mpi *mpi);

/* The process as a machine of its own, to look at its variables. */
const hd_machine *hd_mpi_process_machine(const hd_mpi *mpi, uint32_t process);
/* The call (or input) a process stands before; HD_NO_ID when it has ended. */
hd_edge_id hd_mpi_at(const hd_mpi *mpi, uint32_t process);
/* So many of its calls that are moves have returned. */
uint64_t hd_mpi_returns(const hd_mpi *mpi, uint32_t process);
/* The moves a process can make, as values for hd_turn.choice; appended to `out`,
 * none when it has to wait. 0 where nothing is open. s + 1: it takes a message
 * of the process with rank s in MPI_COMM_WORLD (also when only s is possible);
 * k 2^32 more: not the next one but the k-th behind it that may overtake; with
 * the highest bit: while it stands in a call that does not wait for a message.
 * N + 1 + i: request i is the one that is complete (MPI_Waitany). N + i: order i
 * of MPI_Startall, result i of a sum of floats. MPI_Test and
 * the like, when it can be either: 0 = not yet. Inputs are not listed; see
 * below. */
typedef hd_vec(uint64_t) hd_mpi_choices;
void hd_mpi_moves(const hd_mpi *mpi, uint32_t process, hd_mpi_choices *out);
/* Does it stand before an input? Then the choice is value - low, of `count`
 * values (UINT64_MAX = 2^64). */
bool hd_mpi_input(const hd_mpi *mpi, uint32_t process, int64_t *low,
                  uint64_t *count);
/* Is the move possible? */
bool hd_mpi_possible(const hd_mpi *mpi, hd_turn move);
/* Makes it; it must be possible. */
hd_machine_status hd_mpi_move(hd_mpi *mpi, hd_turn move);

/* Equal for states that behave the same from now on. Appends. */
void hd_mpi_encode(const hd_mpi *mpi, hd_bytes *out);

/* --- runs --- */

/* What a counterexample says about one step: the process executes the call at
 * `edge`, with a message of `source` (rank in MPI_COMM_WORLD) if it receives;
 * or the input at `edge` has this value. */
typedef struct {
  uint32_t process;
  hd_edge_id edge;
  uint32_t source; /* HD_NO_ID = not said */
  bool input;      /* `value` is the input's */
  int64_t value;
} hd_mpi_step;

typedef hd_vec(hd_mpi_step) hd_mpi_steps;

typedef struct {
  hd_machine_status status;
  bool violated;          /* a violation of what was asked about … */
  hd_violation violation; /* … the first; the message is owned */
  hd_turns turns;         /* all moves that were made */
  char *why; /* a step that was not possible, hd_mpi_why; or NULL */
} hd_mpi_run;

void hd_mpi_run_free(hd_mpi_run *run);

/* Makes the turns on a fresh machine, as far as they are possible. */
hd_mpi_run hd_mpi_replay(const hd_code *code, const hd_mpi_options *options,
                         const hd_turns *turns);

/* Follows the steps of a counterexample until a property in `of` is violated.
 * Steps that are no moves here (local calls, entering a collective call) are
 * skipped; when the steps are used up, the processes go on in the order of their
 * ranks. When that shows no violation, other orders are tried with the same
 * sources and inputs, `tries` of them. UNSAFE of the engine is real when
 * `violated` is set; `turns` then lead to it with hd_mpi_replay. */
hd_mpi_run hd_mpi_confirm(const hd_code *code, const hd_mpi_options *options,
                          const hd_mpi_steps *steps, hd_properties of,
                          uint64_t tries);

/* One run with random moves. Inputs are taken from `inputs` first, in the order
 * in which they are asked for. Ends after `max_moves` (0 = 100,000), or when
 * `limits` (may be NULL) says so. */
hd_mpi_run hd_mpi_random(const hd_code *code, const hd_mpi_options *options,
                         uint64_t seed, const int64_t *inputs, size_t n_inputs,
                         uint64_t max_moves, hd_run *limits);

/* Every interleaving, without any reduction: the judge of engine/lise in tests.
 * Inputs with more than `max_inputs` values make it incomplete. */
typedef enum {
  HD_MPI_ALL,     /* all states were seen */
  HD_MPI_REFUSED, /* something was reached that the machine cannot execute */
  HD_MPI_LIMIT,   /* too many states, values of an input, local steps; time */
} hd_mpi_extent;

typedef struct {
  bool complete;        /* all states were seen … */
  hd_mpi_extent extent; /* … or why not */
  uint64_t states, moves;
  hd_properties violated;   /* somewhere, with `potential` as in the options */
  bool potential, absolute; /* such a state is reachable */
  hd_vec(char *) outcomes;  /* of runs that end: outputs by rank, sorted */
  char *why;                /* not complete: in words */
  bool found;               /* hd_mpi_decide: a violation, its run is known */
} hd_mpi_space;

void hd_mpi_explore(const hd_code *code, const hd_mpi_options *options,
                    hd_run *run, uint64_t max_states, hd_mpi_space *out);
void hd_mpi_space_free(hd_mpi_space *space);

/* Is there a run with a violation of what the options check? All interleavings
 * but those that a simple reduction shows to lead nowhere else, up to the first
 * violation: `found` says that there is one, and `turns` lead to it. When
 * nothing is found and `complete` is set, there is none. Of inputs with many
 * values only some are tried, which is not complete. */
void hd_mpi_decide(const hd_code *code, const hd_mpi_options *options,
                   hd_run *run, uint64_t max_states, hd_mpi_space *out,
                   hd_turns *turns);

#endif
