/* SPDX-License-Identifier: MIT */
/* The interpreter of code graphs: gives C programs their meaning.
 *
 * A *machine* is the whole state of a running program: memory with its objects,
 * threads with their frames, locks and everything else one can wait for. It
 * moves by *moves*: one thread executes its next visible action (a memory access
 * or a call of the library) and then everything that only it can see, up to its
 * next visible action. So between moves every live thread stands before a
 * visible action, and the moves are all the scheduling there is: sequential
 * consistency.
 *
 * Whatever else is open is a choice that the move makes: the value of an input
 * (__VERIFIER_nondet_int), which waiting thread a signal wakes, whether a timed
 * wait times out. hd_machine_choices says how many there are.
 *
 * Violations are found as the run goes and are kept; `checks` says which. A run
 * with a violation that one cannot go on from (a null pointer …) ends there. What
 * is not checked but has a natural meaning (signed overflow wraps) goes on.
 *
 * The same program, options and moves give the same run. */
#ifndef HD_CHECK_INTERP_H
#define HD_CHECK_INTERP_H

#include "model/code.h"
#include "model/formula.h" /* hd_cvar */
#include "model/library.h"
#include "model/remark.h"
#include "model/turns.h" /* hd_tid, hd_turn, hd_violation */
#include "model/weak.h"

/* Where a thread is in one of its frames. */
typedef struct {
  hd_func_id func;
  hd_edge_id edge; /* next, or the call it is in */
} hd_frame_at;

/* What happens, for traces. Pointers are valid during the call. */
typedef enum {
  HD_EVENT_STEP,   /* an edge was executed; `text` is NULL */
  HD_EVENT_WRITE,  /* memory: `text` = "x = 3" */
  HD_EVENT_SET,    /* a source variable in a register: `text` = "i = 4" */
  HD_EVENT_OUTPUT, /* `text` was printed */
  HD_EVENT_CREATE, /* thread `other` was created */
  HD_EVENT_JOIN,   /* … was joined */
  HD_EVENT_ACQUIRE, /* `text` names the lock, semaphore, … ; `object` its address */
  HD_EVENT_RELEASE,
  HD_EVENT_MISS,  /* it was tried, and is free, but not for this thread */
  HD_EVENT_WAKE,  /* thread `other` was woken */
  HD_EVENT_BLOCK, /* the thread waits for `text` */
  HD_EVENT_EXIT,  /* the thread has ended */
  HD_EVENT_SEND,  /* of MPI (check/mpi), with threads for processes: `text` is
                     what is sent, `object` the number of the message */
  HD_EVENT_RECEIVE,
} hd_event_kind;

typedef struct {
  hd_event_kind kind;
  hd_tid thread, other;
  hd_edge_id edge;
  uint32_t depth; /* frames below this one */
  uint64_t object;
  const char *text;
} hd_event;

/* The value that an input has: a global variable or one of main when main starts,
 * an array of variable length when `edge`, its ALLOCA, is executed. */
typedef struct {
  hd_cvar var;
  hd_edge_id edge; /* or HD_NO_ID */
  const uint8_t *bytes;
  uint64_t size; /* what the variable has beyond keeps its value */
} hd_given;

/* Inputs as variables (symbolic.h). */
typedef struct hd_machine hd_machine;
typedef struct hd_symbols hd_symbols;

enum { HD_MACHINE_SPACES = 256 };

/* Which bytes runs accessed both atomically and plainly (mixes.h): collected over
 * all machines that are given the same one. */
typedef struct hd_mixes hd_mixes;
hd_mixes *hd_mixes_new(void);
void hd_mixes_delete(hd_mixes *mixes);
/* How many there are so far. */
uint64_t hd_mixes_count(const hd_mixes *mixes);

/* Inputs of which only counts whether they are equal: see opaque.c. */
typedef struct hd_opaque hd_opaque;
hd_opaque *hd_opaque_new(void);
void hd_opaque_delete(hd_opaque *opaque);
/* It was done something else with one: nothing can be told from these choices. */
bool hd_opaque_failed(const hd_opaque *opaque);
/* How many values are to be tried: more than before, then the choices were too few. */
size_t hd_opaque_found(const hd_opaque *opaque);

typedef struct {
  hd_properties checks; /* which violations are looked for */
  bool clocks; /* races by vector clocks (HD_PROPERTY_RACE in checks) */
  hd_memory_model memory; /* that runs of weak memory are judged by */
  bool sc;                /* every atomic access counts as seq_cst */
  bool c23;      /* stores end release sequences, also of their thread */
  bool plain;    /* plain accesses that others could see are events, too
                 (hd_machine_at_atomic) */
  bool stale;    /* with `clocks`: who tries a lock may find it taken as long
                        as it does not know that it was given up */
  bool spurious; /* condition variables may wake up without a signal, weak
                      compare-exchanges fail without a reason */
  bool malloc_fails; /* malloc may return null */
  bool reuse;  /* addresses of freed memory and ids of threads that are gone may
                 come again, where somebody still has them: choices, which make
                 other moves of the same run */
  bool orders; /* making and freeing blocks of the heap do not commute */
  bool exact;  /* values that are fixed here but open in C (never set,
                          when UNINIT is not checked; the time of day) must not
                          decide anything: then the run is UNSUPPORTED */
  bool nameless; /* threads need not be told apart where the program does
                          not (joins.h) */
  bool halts;    /* what is not supported is a move of its own */
  bool heaps;    /* blocks of the heap have no numbers, and those that
                           only their maker knows are its own (heap.h) */
  /* Inputs are variables; NULL: none is. */
  hd_symbols *symbols;
  bool footprints;      /* moves note what they touch (hd_machine_touched) */
  hd_mixes *mixes;      /* with `clocks`; NULL: not asked for */
  hd_opaque *opaque;    /* NULL: inputs are not watched */
  uint64_t max_local;   /* local actions in one move; 0 = 10,000,000 */
  uint64_t max_memory;  /* bytes the program may allocate; 0 = 128 MiB */
  uint32_t max_threads; /* alive at a time, main too; a program that makes more
                           is not supported; 0 = no bound */
  uint32_t space; /* addresses of machines with different ones are different,
                     but for what the library has; below HD_MACHINE_SPACES, and
                     0 on 32-bit targets */
  int argc;       /* what main gets; argv[0] is the program's name */
  const char *const *argv;
  const hd_given *given; /* inputs */
  size_t n_given;
  void (*observe)(void *context, const hd_event *event); /* NULL = nobody */
  void *context;
  /* Do the assumptions hold that annotations make where main's thread takes this
   * edge? Else it is no run. NULL: there are none. */
  bool (*holds)(void *assumptions, const hd_machine *machine, hd_edge_id edge);
  void *assumptions;
} hd_machine_options;

typedef enum {
  HD_MACHINE_RUNNING,
  HD_MACHINE_EXITED,      /* main returned, or exit, abort, … was called */
  HD_MACHINE_DEADLOCK,    /* no thread can move and not all have ended */
  HD_MACHINE_FAILED,      /* a violation ended the run, or what would be one if
                             it were checked (hd_machine_why) and has no
                             meaning to go on with */
  HD_MACHINE_ASSUMED,     /* an assumption did not hold: not a run */
  HD_MACHINE_UNSUPPORTED, /* hd_machine_why says what and where */
  HD_MACHINE_DIVERGED,    /* max_local or max_memory reached */
} hd_machine_status;

/* Before main's first visible action. `code` and `options` are borrowed. */
hd_machine *hd_machine_new(const hd_code *code,
                           const hd_machine_options *options);
hd_machine *hd_machine_copy(const hd_machine *machine);
void hd_machine_delete(hd_machine *machine);

hd_machine_status hd_machine_status_of(const hd_machine *machine);
/* UNSUPPORTED, DIVERGED, and FAILED by what is not checked: a sentence with the
 * source line and the call chain; else "". */
const char *hd_machine_why(const hd_machine *machine);
/* UNASKED: it FAILED by what is not checked; UNSET; OTHER. */
hd_why hd_machine_why_code(const hd_machine *machine);
/* UNASKED: which property; else HD_PROPERTY_COUNT. */
hd_property hd_machine_why_property(const hd_machine *machine);
/* The value main returned or exit was given; 134 after abort. */
int hd_machine_exit_code(const hd_machine *machine);
/* Of the whole run, in the order they were found. */
size_t hd_machine_violations(const hd_machine *machine);
const hd_violation *hd_machine_violation(const hd_machine *machine, size_t i);

/* Threads ever created. */
size_t hd_machine_threads(const hd_machine *machine);
bool hd_machine_alive(const hd_machine *machine, hd_tid thread);
/* Has any thread, in any copy of the machine, accessed a variable of main's? */
bool hd_machine_visited(const hd_machine *machine);
/* Has somebody waited for its end? */
bool hd_machine_joined(const hd_machine *machine, hd_tid thread);
/* Can this thread move? One that waits in a timed wait can. A thread that only
 * a spurious wake-up could move can, when those are on; but such moves do not
 * keep the machine from being in a deadlock. */
bool hd_machine_enabled(const hd_machine *machine, hd_tid thread);
/* How many moves the enabled thread has, at least 1; UINT64_MAX when there are
 * 2^64: any choice is one. An input's value is lo + choice. */
uint64_t hd_machine_choices(const hd_machine *machine, hd_tid thread);
/* Does the thread try a lock that is free, but that it may still find taken, as
 * `stale` has it? Then it has a second choice, which is that. */
bool hd_machine_stale(const hd_machine *machine, hd_tid thread);
/* Is the choice the value of an input (rather than who is woken)? */
bool hd_machine_is_input(const hd_machine *machine, hd_tid thread);
/* Is it an input that can be more than its choices: a pointer? Its choices are
 * null and a pointer that no object of the program has; one of an object is not
 * tried. Whoever goes through all choices has not seen all runs then. */
bool hd_machine_is_open_input(const hd_machine *machine, hd_tid thread);
/* The value of choice 0 of an input, signed ones as 64 bits. */
int64_t hd_machine_input_low(const hd_machine *machine, hd_tid thread);
typedef hd_vec(uint64_t) hd_turn_choices;
/* Choices of an input of many values that stand for all of them as long as it is only
 * compared; `drawn`: so many different ones were there before. */
void hd_opaque_choices(hd_opaque *opaque, const hd_machine *machine,
                       hd_tid thread, uint32_t drawn, hd_turn_choices *out);
/* … how many there are with this choice. */
uint32_t hd_opaque_drawn(const hd_machine *machine, hd_tid thread,
                         uint64_t choice, uint32_t drawn);
/* Choices of an input that stand for all of them: with any other the thread goes
 * the same way as with one of these, up to the same state. On the way there is
 * nothing that others notice, but there may be assumptions, which are moves.
 * False: more than `most` are needed, or it is not known. */
bool hd_machine_input_classes(const hd_machine *machine, hd_tid thread,
                              uint64_t most, hd_turn_choices *out);

/* The visible action a live thread stands before. */
typedef struct {
  hd_edge_id edge;
  bool memory; /* LOAD, STORE, RMW, CMPXCHG, or a library function that
                    * only reads or writes [address, address + size) */
  bool writes, atomic;
  bool fails; /* a compare-and-exchange that would change nothing now: it writes
               * as far as order matters, and only reads in a race (C17 7.17.7.4) */
  bool local; /* touches nothing that another thread can reach now or later
                    * (input, output, fence …): commutes with all others */
  uint64_t address, size;
  uint64_t from, from_size; /* a second range, only read (memcpy); size 0 =
                    * none */
  uint64_t also, also_size; /* a third one, likewise (until when to wait) */
  uint64_t sync;            /* address of the lock, … it works on; 0 = none */
  bool acquires;            /* cannot be taken while another thread owns `sync`
                    * (hd_machine_owned): a lock that waits */
  bool spurious;            /* can be taken now only as a spurious wake-up */
  uint32_t
      arrives; /* waits, or is about to, at the barrier `sync` which so many
                     * open; nobody looks at what that returns. 0 = it does not */
  bool open;   /* where it cannot be taken nobody in particular has to change
              * that: it waits for a signal, a post, a barrier */
} hd_access;
hd_access hd_machine_access(const hd_machine *machine, hd_tid thread);
/* May the two actions not be swapped? Over-approximated. When it says no then in
 * every state in which two threads stand before them, enabled, both orders are
 * possible and lead to the same state, numbers of threads and addresses of
 * objects included, unless one of the two ends the run. The end of a thread
 * (which lets others join it) counts as part of the move, not of the action. */
bool hd_access_conflicts(const hd_access *a, const hd_access *b);
/* Is it a race when two threads stand before them, both able to move? */
bool hd_access_races(const hd_access *a, const hd_access *b);
/* Entering and leaving functions is no action, but makes slots and takes them
 * away. The thread in whose stack the address is, or was, or HD_NO_ID; and the
 * lowest address that the last move put on or took off the stack of the thread
 * that moved, 0 = none. */
hd_tid hd_machine_stack_of(const hd_machine *machine, uint64_t address);
uint64_t hd_machine_reached(const hd_machine *machine);
/* Did the last move change anything else that others can see and its action did
 * not tell (qsort between comparisons, memory freed at the end of a thread)? */
bool hd_machine_hidden(const hd_machine *machine);
/* Without `reuse`: has a machine of this making compared an address of freed
 * memory, or the id of a thread that is gone, with another one? Then a run with
 * `reuse` may go another way. */
bool hd_machine_told(const hd_machine *machine);
/* Has one done what C leaves open, in one of several ways? A sentence, or NULL: the
 * address of a variable that is gone was compared, equal elements were sorted, … */
const char *hd_machine_vague(const hd_machine *machine);
/* Were addresses of blocks made at one place both compared and freed? Then it is
 * of importance in which order memory is freed and made (`orders`): only behind a
 * block that is freed can its address come again. */
bool hd_machine_suspect(const hd_machine *machine);
/* With `heaps`: was the address of a block taken apart or computed with? Then what
 * was found equal or unnoticed before is void. */
bool hd_machine_obscured(const hd_machine *machine);
/* With `heaps`, an address in the heap of a thread other than main: one for all
 * blocks that were made there at this place of the program. Others stay. */
uint64_t hd_machine_class(const hd_machine *machine, uint64_t address);
/* How many local actions the last move made behind its own: what it cost. */
uint64_t hd_machine_effort(const hd_machine *machine);
/* --- atomic sections, with `footprints` --- */

/* Bytes that a move reads or, `written`, changes. */
typedef struct {
  uint64_t address, size;
  bool written;
  bool stored; /* or would have changed, had the value not been there already */
} hd_touch;
/* Stands the thread before a section, or in one; in one. */
bool hd_machine_at_section(const hd_machine *machine, hd_tid thread);
bool hd_machine_in_section(const hd_machine *machine, hd_tid thread);
/* What the last move, made on this machine or one it shares its making with,
 * touched. Variables that only serve inside of sections are left out
 * (model/sections.h). */
const hd_touch *hd_machine_touched(const hd_machine *machine, size_t *n);
/* Did that move do more in a section than to access memory and ask for inputs,
 * or does it wait in the middle of one for anything but an input? */
bool hd_machine_blurred(const hd_machine *machine);

/* Appends the addresses of what the thread owns alone (mutexes, spin locks,
 * locks held for writing): nobody else can get them until it gives them up. */
typedef hd_vec(uint64_t) hd_addresses;
void hd_machine_owned(const hd_machine *machine, hd_tid thread,
                      hd_addresses *out);

/* The thread's frames, innermost first: how many, and each. */
size_t hd_machine_depth(const hd_machine *machine, hd_tid thread);
hd_frame_at hd_machine_frame(const hd_machine *machine, hd_tid thread,
                             size_t i);
/* "counter", "pool.slots[3].count", "pool->count" (allocated at f.c:12) … */
void hd_machine_print_address(hd_str *out, const hd_machine *machine,
                              uint64_t address, uint64_t size);

/* The thread must be enabled and the choice in range. */
hd_machine_status hd_machine_move(hd_machine *machine, hd_turn move);

/* The state as bytes, equal for two machines exactly when they behave the same
 * from now on (violations, clocks and output are not part of it). Appends. */
void hd_machine_encode(const hd_machine *machine, hd_bytes *out);
/* The same without the globals that will be written before anybody reads them:
 * fewer states to search. Not to be mixed with the other. */
void hd_machine_encode_live(const hd_machine *machine, hd_bytes *out);

/* --- threads that are not told apart, with `nameless` --- */

/* The same up to the numbers of threads other than main: equal for two machines
 * only if renaming threads makes them behave the same from now on. `twins` (may be
 * NULL) gets an entry a thread: the first of those that are alike, so that what
 * one of them does the other does, too. False: in this state they are told apart. */
bool hd_machine_encode_nameless(const hd_machine *machine, hd_bytes *out,
                                hd_tid *twins);
/* Does the program tell threads apart? Known when it does, so it may become true
 * in the course of a search; whatever was found equal before is then void. */
bool hd_machine_asymmetric(const hd_machine *machine);
/* Main can join, but it will have to wait for others which can move, and holds no
 * lock: as long as that is so nobody notices whether it does. */
bool hd_machine_patient(const hd_machine *machine, hd_tid thread);
/* Is main joining all threads that are awaited, and can do nothing else before? */
bool hd_machine_joins(const hd_machine *machine);
bool hd_machine_awaited(const hd_machine *machine, hd_tid thread);
/* The function that the thread began with, and what it was given. */
void hd_machine_start_of(const hd_machine *machine, hd_tid thread,
                         hd_func_id *func, uint64_t *arg);
/* The thread in whose stack or heap the address is or was, HD_NO_ID = none;
 * `relative` is the same place of thread 1, or of main as it is. */
hd_tid hd_machine_owner(const hd_machine *machine, uint64_t address,
                        uint64_t *relative);

/* `after` came from `before` by moves of `mover`: is it the same to all other
 * threads, as long as `mover` does not move again? Under-approximated. */
bool hd_machine_unnoticed(const hd_machine *before, const hd_machine *after,
                          hd_tid mover);

/* --- weak memory: who moves the machine says what reads see --- */

/* What a write leaves at its place: the value, and what who reads it learns. It
 * does not change. */
typedef struct hd_message hd_message;
hd_message *hd_message_keep(hd_message *message);
void hd_message_drop(hd_message *message);
/* The least significant 64 bits. */
uint64_t hd_message_value(const hd_message *message);
/* Is the value the same, and whoever reads `a` knows no more than who reads `b`? */
bool hd_message_says_less(const hd_machine *machine, const hd_message *a,
                          const hd_message *b);
/* What is at the place now; of at most 8 bytes that an access may read. */
hd_message *hd_machine_message(const hd_machine *machine, uint64_t address,
                               uint32_t size);
/* Puts it there, as if its writer had been the last. NULL: the value stays, and
 * nothing counts as published with it. */
void hd_machine_put(hd_machine *machine, uint64_t address, uint32_t size,
                    const hd_message *message);
/* Puts a thread that waits for nothing back before an edge of the function it is in;
 * what it has in its variables stays. False: it is not in that function. */
bool hd_machine_rewind(hd_machine *machine, hd_tid thread, hd_edge_id edge);
/* Does the next action of the thread work on memory as a single atomic access, or
 * fence? Its edge then says which. With `plain`: or a plain one. */
bool hd_machine_at_atomic(const hd_machine *machine, hd_tid thread);
/* Is it a load or store that others could see, and no atomic one? */
bool hd_machine_at_plain(const hd_machine *machine, hd_tid thread);
/* What the next action waits for the end of, or HD_NO_ID. */
hd_tid hd_machine_awaits(const hd_machine *machine, hd_tid thread);
/* Is it in the middle of a wait: for a signal, a lock behind it, a barrier? */
bool hd_machine_waiting(const hd_machine *machine, hd_tid thread);
/* May so many bytes be read there? */
bool hd_machine_readable(const hd_machine *machine, uint64_t address,
                         uint32_t size);
/* The library function it is a call of, or NONE. */
hd_library_fn hd_machine_calls(const hd_machine *machine, hd_tid thread);
/* Would the thread's next action end all others: the return from main, exit? */
bool hd_machine_at_end(const hd_machine *machine, hd_tid thread);
/* With `clocks`: how much of what `other` did happens before what `thread` does
 * next. */
uint64_t hd_machine_knows(const hd_machine *machine, hd_tid thread,
                          hd_tid other);
/* The same for a thread that waits for the end of another, and does nothing before:
 * with what that one knows already. */
uint64_t hd_machine_will_know(const hd_machine *machine, hd_tid thread,
                              hd_tid other);
/* An event of a thread, which knows that position of a place's order. */
typedef struct {
  hd_tid thread;
  uint64_t time;
  uint32_t place; /* counted from 0 */
  uint64_t position;
} hd_moment;
/* A message, of which only the release sequence that `head` is the head of may
 * count; HD_NO_ID: all of it. */
typedef struct {
  const hd_message *message;
  hd_tid head;
} hd_told;
/* Forgets what is in memory that nobody has the address of: neither a thread, nor
 * what they can reach, nor the messages that may still be read. */
void hd_machine_lose(hd_machine *machine, const hd_told *messages, size_t n);
bool hd_machine_is_lost(const hd_machine *machine, uint64_t address);
/* With `clocks`: what threads, locks and messages know, up to renaming times: which
 * of the last positions of each place, and of the accesses that somebody may still
 * race with, they do not know. With `mixes`, atomic accesses of what is only accessed
 * so are left out. `fences`: there are some, so what they make of relaxed accesses
 * counts. Appends: to `same` what has to be equal for two states to be compared, and to
 * `levels` numbers of which the greater one knows less. */
typedef hd_vec(uint16_t) hd_levels;
typedef struct hd_knowledge hd_knowledge;
typedef struct {
  bool fences;
  const hd_moment *moments;
  size_t n_moments;
  const uint64_t *last; /* position of each place that moments name */
  size_t n_places;
} hd_knowledge_options;
/* All but messages. `same` is borrowed from here on. */
hd_knowledge *hd_knowledge_new(const hd_machine *machine,
                               const hd_knowledge_options *options,
                               hd_bytes *same, hd_levels *levels);
void hd_knowledge_put(hd_knowledge *views, const hd_told *told, hd_bytes *same,
                      hd_levels *levels);
void hd_knowledge_delete(hd_knowledge *views);
/* What the thread's own behaviour depends on, but for memory of others: equal
 * bytes, equal behaviour as long as it reads the same, up to the bounds of
 * model/unwind.h. Appends. */
void hd_machine_encode_thread(const hd_machine *machine, hd_tid thread,
                              hd_bytes *out);

/* `size` bytes (1 … 8) at `offset` of a variable: a global one, or one in the
 * newest frame of its function in main's thread. False when it is not there, or
 * has no value. Also after the end, for global ones. */
HD_MUST_USE bool hd_machine_look(const hd_machine *machine, hd_cvar var,
                                 uint64_t offset, uint32_t size,
                                 uint64_t *bits);

#endif
