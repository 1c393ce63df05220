/* SPDX-License-Identifier: MIT */
/* The parts of a machine. Everything big is shared between copies of a machine
 * and copied when it is written (reference counts): blocks of bytes, regions of
 * objects, threads, the table of locks.
 *
 * Addresses. On 64-bit targets an object has a number and its bytes start at
 * number × 2^32; a global's number is its index + 1, functions follow at 2^20,
 * main has the numbers from 2^21 on and each other thread 2^18 of those from
 * 0x5a000000 on: first its stack (thread
 * local variables, then the slots of its frames: numbers are used again when a
 * frame is gone, see memory.c), then its heap (numbers are never used again). On 32-bit
 * targets the same order is kept in one flat address space, with gaps between
 * objects. So an object's address depends on nothing but what its own thread
 * has done.
 *
 * Undefined bits: registers and memory have a shadow with a 1 for every bit
 * that was never set or depends on one; the value is what it is when all that was
 * never set is 0. */
#ifndef HD_CHECK_INTERP_STATE_H
#define HD_CHECK_INTERP_STATE_H

#include "check/interp/clock.h"
#include "check/interp/plan.h"

typedef struct {
  uint64_t bits, undef;
} hd_machine_value;

typedef struct {
  uint32_t refs;
  uint64_t size;
  uint8_t *shadow; /* NULL: every bit is defined */
  uint8_t bytes[];
} hd_block;

typedef enum {
  HD_OBJECT_GLOBAL, /* origin: the global */
  HD_OBJECT_TLS,    /* likewise */
  HD_OBJECT_ERRNO,
  HD_OBJECT_SLOT,   /* origin: into code->slots */
  HD_OBJECT_ALLOCA, /* origin: the edge */
  HD_OBJECT_HEAP,   /* likewise */
  HD_OBJECT_STATIC, /* of the library: tables, argv */
} hd_object_kind;

typedef struct {
  uint64_t base, size;
  hd_block *block;        /* NULL: gone (freed), or external */
  struct hd_cells *cells; /* who accessed it last (clocks.h), or NULL */
  uint32_t origin;
  uint8_t kind; /* hd_object_kind */
  bool constant, external;
  bool freed;
  bool sync; /* the table of locks knows an address in it */
  bool kept; /* a variable: its address was put somewhere; HEAP, with `heaps`:
                where others may find it */
  bool lost; /* nobody has its address (hd_machine_lose) */
} hd_object;

typedef struct {
  uint32_t refs;
  hd_vec(hd_object) objects; /* by address */
} hd_objects;

typedef enum {
  HD_FRAME_PLAIN,
  HD_FRAME_MAIN,
  HD_FRAME_THREAD, /* the start function of a thread */
  HD_FRAME_ATEXIT, /* a handler; when it returns, the next */
  HD_FRAME_ONCE,   /* the routine of pthread_once */
  HD_FRAME_KEY,    /* destructor of a thread-specific value */
  HD_FRAME_CLEANUP,
  HD_FRAME_SORT, /* the comparison of qsort or bsearch */
  HD_FRAME_HOST, /* a function that the host calls (host.h) */
} hd_frame_kind;

typedef struct {
  hd_func_id func;
  hd_edge_id edge; /* the one that is next, or the call it waits for */
  hd_loc_id loc;
  uint32_t regs;    /* where its registers start */
  uint32_t objects; /* where its slots start in the stack */
  uint8_t kind;     /* hd_frame_kind */
  bool atomic;      /* leaving it ends an atomic section */
  uint64_t data;    /* ONCE: the control's address */
} hd_frame;

typedef enum {
  HD_WAIT_NONE,
  HD_WAIT_COND,    /* not signalled yet; `object` the condition, `mutex` */
  HD_WAIT_RELOCK,  /* woken, needs `mutex` */
  HD_WAIT_BARRIER, /* not all there */
  HD_WAIT_PASSED,  /* the barrier is open: go on */
  HD_WAIT_WRITER, /* to write to the read-write lock `object`: readers stay out */
  HD_WAIT_CREATED, /* a thread was made; its id has to be stored at `object` */
} hd_wait;

typedef struct {
  uint64_t key, value;
} hd_pair;

typedef struct {
  uint32_t refs;
  hd_tid id;
  uint64_t handle; /* its id, as programs know it: not 0 */
  bool ended, detached, joined, exiting, timed;
  bool cancel[2];  /* what pthread_setcancelstate and …type were given */
  bool cancelled;  /* by pthread_cancel; it may not have come to it yet */
  bool c11;        /* made by thrd_create: the result is an int */
  uint8_t wait;    /* hd_wait */
  uint32_t atomic; /* depth of atomic sections */
  uint32_t round;  /* thread-specific values looked at while it ends */
  hd_edge_id next; /* the visible edge it stands before; HD_NO_ID: none */
  uint64_t object, mutex; /* of the wait; CREATED: `mutex` is the id */
  int code;               /* what a condition's wait will return */
  uint32_t inputs;        /* it has asked for, of those that are variables */
  uint32_t done; /* bytes of the copy it stands before that are there already */
  hd_machine_value result;
  hd_vec(hd_frame) frames;
  hd_vec(hd_machine_value) regs;
  hd_vec(hd_pair) keys;     /* thread-specific values, by key */
  hd_vec(hd_pair) cleanups; /* routine, argument */
  hd_clock clock;
  hd_clock fenced; /* what a release fence published */
  hd_clock seen;   /* what relaxed loads saw, for an acquire fence */
  struct hd_sort *sort;
  hd_func_id start; /* its function, and what that was given */
  hd_machine_value arg;
} hd_thread;

typedef enum {
  HD_SYNC_MUTEX,
  HD_SYNC_RWLOCK,
  HD_SYNC_SPIN,
  HD_SYNC_COND,
  HD_SYNC_BARRIER,
  HD_SYNC_SEM,
  HD_SYNC_ONCE,
  HD_SYNC_ATOMIC, /* an atomic variable: only its clock */
} hd_sync_kind;

typedef enum {
  HD_MUTEX_NORMAL,
  HD_MUTEX_RECURSIVE,
  HD_MUTEX_ERRORCHECK,
} hd_mutex_type;

/* glibc's flag of robust mutexes, an own one of those of C11 that nobody may wait for
 * with a time, and the kind of a read-write lock that lets waiting writers go first. */
enum { HD_MUTEX_ROBUST = 16, HD_MUTEX_UNTIMED = 256, HD_RWLOCK_WRITERS = 2 };

/* What has become of a robust mutex whose owner ended. */
typedef enum {
  HD_ROBUST_FINE,
  HD_ROBUST_ORPHAN,  /* nobody has had it since */
  HD_ROBUST_ADOPTED, /* somebody has it, and knows */
  HD_ROBUST_LOST,    /* nobody can have it any more */
} hd_robust;

/* A release sequence: who is its head, and what it published. */
typedef struct {
  hd_tid thread;
  hd_clock clock;
} hd_head;

typedef struct {
  uint64_t address;
  uint8_t kind;         /* hd_sync_kind */
  uint8_t type;         /* MUTEX: hd_mutex_type; ONCE: 0 new, 1 running, 2 done;
                 * RWLOCK: HD_RWLOCK_WRITERS or 0 */
  bool robust, untimed; /* MUTEX */
  uint8_t health;       /* … hd_robust */
  bool destroyed;
  bool live; /* initialised or used, and not destroyed since; if SYNC is looked
              * for */
  hd_tid owner;     /* of the mutex, spin lock; the writer; HD_NO_ID = nobody */
  uint32_t count;   /* MUTEX: depth; SEM: value; BARRIER: arrived; RWLOCK:
                     readers */
  uint32_t limit;   /* BARRIER */
  hd_clock clock;   /* what a thread knows that acquires it */
  hd_clock readers; /* RWLOCK: clock of the read unlocks */
  hd_vec(hd_head) heads; /* ATOMIC: release sequences that go on */
} hd_sync;

/* A reader of a rwlock, `count` times. */
typedef struct {
  uint64_t address;
  hd_tid thread;
  uint32_t count;
} hd_lock_reader;

typedef struct {
  uint32_t refs;
  hd_vec(hd_sync) items; /* by address and kind */
  hd_vec(hd_lock_reader) readers;
} hd_syncs;

/* A thread-specific key: its destructor, 0 = none, and how many others run before
 * it. */
typedef struct {
  uint64_t destructor;
  uint32_t rank;
  bool used;
} hd_tls_key;

/* Bytes that belong to an operation of the host until it is complete. */
typedef struct hd_claim {
  uint64_t address, size;
  uint32_t owner;  /* the host's number of the operation */
  hd_edge_id edge; /* the call that began it */
  bool written;    /* the operation writes: the program must not even read */
  bool atomic;     /* of an access that was written down */
} hd_claim;

/* rand's: the seed, less one as C begins with 1, and with which numbers were drawn. */
enum { HD_SEEDS = 7 };
typedef struct {
  uint32_t now, n; /* HD_SEEDS + 1: more than that */
  uint32_t drawn[HD_SEEDS];
} hd_seeds;

struct hd_machine {
  hd_plan *plan;
  hd_machine_status status;
  int exit_code;
  hd_seeds seeds;
  uint16_t pid; /* what getpid returns; 0 = not asked yet */
  char *why;
  hd_why why_code;
  hd_property why_property; /* UNASKED: what ended the run */
  hd_objects *globals;
  hd_objects *statics; /* library tables; made when asked for */
  hd_vec(hd_thread *) threads;
  hd_vec(hd_objects *) stacks; /* of each thread */
  hd_vec(hd_objects *) heaps;
  hd_syncs *syncs;
  hd_vec(hd_tls_key) keys;
  hd_vec(hd_pair) atexits; /* function, argument (NULL function of on_exit) */
  hd_vec(hd_violation) violations; /* messages are owned */
  hd_tid atomic;            /* who is in an atomic section, or HD_NO_ID */
  hd_vec(hd_claim) claims;  /* of a host (host.h) */
  hd_vec(hd_claim) watched; /* ranges whose accesses the host asks about */
  hd_vec(hd_claim) touched; /* … those since it asked last */
  bool hosted;              /* the host itself accesses memory */
  bool apart;               /* … not for the program (hd_host_apart) */
  hd_tid served;            /* whose calls the host executes */
  uint64_t tables[3];       /* of ctype.h; 0 = not made yet */
  hd_vec(uint64_t) environ; /* what getenv has said: objects of the value's
                             * address and the name (lib_output.c) */
  hd_tid able; /* who could move when that was asked last: asked first */
  uint64_t allocated;
  uint64_t budget; /* local actions left in this move */
  uint32_t alone;  /* accesses left that it may go on with (plan.teams) */
  uint32_t told;   /* actions that were told of while it was alone */
  /* What this move did beside its action (hd_machine_reached, _hidden). */
  hd_tid mover;
  uint64_t reached; /* lowest address put on or taken off the mover's stack */
  bool hidden;
  uint64_t looks, clock; /* how often at the clock, and what it said; not when
                          * options are exact */
  bool timed;   /* a clock was read and its value must not decide anything */
  bool running; /* during a move: events are real */
  /* Nameless threads (joins.h): main has begun to join; it has joined. */
  bool joining, advanced;
};

/* --- threads --- */

/* The thread, not shared with other machines: may be changed. */
hd_thread *hd_thread_own(hd_machine *m, hd_tid tid);
static inline const hd_thread *hd_thread_of(const hd_machine *m, hd_tid tid) {
  assert(tid < m->threads.size);
  return m->threads.data[tid];
}
void hd_thread_drop(hd_thread *thread);
/* A new thread in `func` with its arguments; returns HD_NO_ID when there are too
 * many. It still has to run to its first visible action. */
hd_tid hd_thread_new(hd_machine *m, hd_func_id func,
                     const hd_machine_value *args, size_t n,
                     hd_frame_kind kind);
/* Leaves functions until so many frames are left; none may be the library's. */
void hd_thread_leave_to(hd_machine *m, hd_thread *t, size_t frames);
/* Enters a function. False when the stack is exhausted. */
bool hd_thread_push(hd_machine *m, hd_thread *t, hd_func_id func,
                    const hd_machine_value *args, size_t n, hd_frame_kind kind);
/* Runs the thread up to its next visible action, or its end. */
void hd_thread_run(hd_machine *m, hd_tid tid);
/* Executes an edge that is no call. */
void hd_thread_execute(hd_machine *m, hd_thread *t, const hd_cedge *edge,
                       uint64_t choice);
void hd_thread_return(hd_machine *m, hd_thread *t, const hd_cedge *edge);
/* The thread goes on behind a call that a host has executed (host.h). */
void hd_machine_continue(hd_machine *m, hd_tid tid);
/* Executes the visible action it stands before. */
void hd_thread_act(hd_machine *m, hd_tid tid, uint64_t choice);
/* Ends the thread: what a return from its start function does. */
void hd_thread_exit(hd_machine *m, hd_thread *t, hd_machine_value result);
/* What a thread gives back, by this expression: an int as the pointer that glibc
 * makes of it. */
hd_machine_value hd_thread_result(hd_machine *m, hd_cexpr_id from,
                                  hd_machine_value v);
void hd_thread_enter_atomic(hd_machine *m, hd_thread *t);
void hd_thread_leave_atomic(hd_machine *m, hd_thread *t);
/* exit: the handlers, then the end. */
void hd_thread_exit_all(hd_machine *m, hd_thread *t, int code);
/* Stores the results of the call the top frame is in and goes on behind it. */
void hd_thread_finish_call(hd_machine *m, hd_thread *t,
                           const hd_machine_value *values, size_t n);
/* The library function the thread's next edge calls, and the arguments; NONE
 * when it is no such call. */
hd_library_fn hd_thread_callee(const hd_machine *m, const hd_thread *t,
                               hd_func_id *func);

/* Has main returned (rather than called exit)? */
static inline bool hd_thread_returns(const hd_machine *m, const hd_thread *t) {
  hd_edge_id edge = t->frames.data[0].edge;
  return t->frames.size == 1 && t->frames.data[0].kind == HD_FRAME_MAIN &&
         m->plan->code->edges.data[edge].act == HD_CODE_RETURN;
}

static inline hd_frame *hd_thread_top(hd_thread *t) {
  return &t->frames.data[t->frames.size - 1];
}
static inline hd_edge_id hd_thread_edge(const hd_thread *t) {
  return t->frames.size ? t->frames.data[t->frames.size - 1].edge : HD_NO_ID;
}

/* A set (model/live_globals.h) of those that a thread but `except` (HD_NO_ID =
 * any) may read before it has written them; valid until asked again. */
const uint64_t *hd_machine_live_globals(const hd_machine *m, hd_tid except);

/* --- what moves touch, with `footprints` (sections.c) --- */

/* An access is tried, to this object (NULL = none); the last one has changed
 * nothing; the thread is about to act, perhaps in a section; it has moved. */
void hd_section_note(hd_machine *m, hd_tid tid, const hd_object *object,
                     uint64_t address, uint64_t size, bool write);
void hd_section_unchanged(hd_machine *m, uint64_t address, uint64_t size);
void hd_section_act(hd_machine *m, const hd_thread *t);
void hd_section_stop(hd_machine *m, hd_tid tid);

/* --- violations and other ends --- */

/* Records a violation if `property` is checked; ends the run unless one can go
 * on (RACE, LEAK). */
HD_PRINTF(4, 5)
void hd_machine_violate(hd_machine *m, hd_tid tid, hd_property property,
                        const char *format, ...);
void hd_machine_add_violation(hd_machine *m, hd_violation violation);
/* Adds the place of the thread to those at which threads wait. */
void hd_machine_add_wait(const hd_machine *m, hd_violation *violation,
                         hd_tid thread);
/* … of those that wait for each other or, if nobody does, of all. */
void hd_machine_add_waits(const hd_machine *m, hd_violation *violation);
/* Ends it as UNSUPPORTED or DIVERGED; the place and the call chain are added. */
HD_PRINTF(4, 5)
void hd_machine_stop(hd_machine *m, hd_tid tid, hd_machine_status status,
                     const char *format, ...);
static inline bool hd_machine_runs(const hd_machine *m) {
  return m->status == HD_MACHINE_RUNNING;
}
/* A value with undefined bits decides something: the violation UNINIT, or the
 * clock does. False when neither is looked for. */
bool hd_machine_undefined(hd_machine *m, hd_tid tid, const char *what);
static inline bool hd_machine_watched(const hd_machine *m) {
  return m->plan->options->observe != NULL;
}
/* … and of what it does and writes? Large loops in front of a region are not. */
static inline bool hd_machine_narrated(const hd_machine *m) {
  enum { ALONE = 1000 };
  return hd_machine_watched(m) &&
         (!m->plan->teams || m->threads.size > 1 || m->told < ALONE);
}
void hd_machine_tell(hd_machine *m, hd_event_kind kind, hd_tid tid,
                     hd_tid other, uint64_t object, const char *text);
void hd_machine_tell_write(hd_machine *m, hd_tid tid, uint64_t address,
                           uint64_t size);
void hd_machine_tell_set(hd_machine *m, const hd_thread *t, hd_reg_id reg);

/* `mover` has just moved: does it wait in a circle of threads, or does somebody
 * wait for what it ended with, while others go on? A violation; the run goes on. */
void hd_machine_find_cycle(hd_machine *m, hd_tid mover);

/* Live heap objects that cannot be reached any more: violations. */
void hd_machine_find_leaks(hd_machine *m, hd_tid tid);

#endif
