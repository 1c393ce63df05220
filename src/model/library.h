/* SPDX-License-Identifier: MIT */
/* The library functions heddle knows, by name. A program that calls a function
 * it does not define calls one of these, or something unknown. The table is in
 * library.def; what is asked about a function is asked here. Engines and what is
 * made of programs use it; check/interp decodes names on its own, and
 * check/notes has names of its own. */
#ifndef HD_MODEL_LIBRARY_H
#define HD_MODEL_LIBRARY_H

#include "base/common.h"

/* kinds: what a function has to do with */
#define HD_LIBRARY_KINDS(X)                                                    \
  X(NONE, "unknown")                                                           \
  X(INPUT, "inputs")                                                           \
  X(VERIFY, "assumptions, assertions and errors")                              \
  X(ATOMIC, "atomic sections")                                                 \
  X(LIBATOMIC, "atomic accesses of any size")                                  \
  X(THREAD, "threads")                                                         \
  X(KEY, "thread-specific values")                                             \
  X(MUTEX, "mutexes")                                                          \
  X(RWLOCK, "read-write locks")                                                \
  X(SPIN, "spin locks")                                                        \
  X(COND, "condition variables")                                               \
  X(BARRIER, "barriers")                                                       \
  X(SEM, "semaphores")                                                         \
  X(ONCE, "once")                                                              \
  X(CLEANUP, "cleanup handlers")                                               \
  X(JUMP, "jumps")                                                             \
  X(STACK, "stack and variable arguments")                                     \
  X(ATTR, "attributes")                                                        \
  X(SLEEP, "passing of time")                                                  \
  X(HEAP, "allocation")                                                        \
  X(MEMORY, "blocks of memory")                                                \
  X(STRING, "strings")                                                         \
  X(NUMBER, "numbers and characters")                                          \
  X(MATH, "mathematics")                                                       \
  X(SORT, "sorting and searching")                                             \
  X(OUTPUT, "output")                                                          \
  X(ENVIRONMENT, "environment")                                                \
  X(EXIT, "end of the program")                                                \
  X(MPI, "MPI")                                                                \
  X(REFUSED, "refused")

typedef enum {
#define X(name, text) HD_LIBRARY_##name,
  HD_LIBRARY_KINDS(X)
#undef X
      HD_LIBRARY_KIND_COUNT
} hd_library_kind;

/* What a call does: the kernel actions, which engines tell apart. What an engine
 * does not treat it refuses, in a switch that names all of them. */
#define HD_LIBRARY_ACTIONS(X)                                                  \
  X(NONE, "not known")                                                         \
  X(REFUSED, "known by name only")                                             \
  X(INPUT, "gives a value from outside, and may store it")                     \
  X(ASSUME, "goes on only where its argument is not 0")                        \
  X(ASSERT, "fails where its argument is 0")                                   \
  X(FAIL, "fails")                                                             \
  X(ENTER, "begins an atomic section")                                         \
  X(LEAVE, "ends an atomic section")                                           \
  X(SPAWN, "creates a thread")                                                 \
  X(JOIN, "waits for the end of a thread")                                     \
  X(QUIT, "ends its own thread")                                               \
  X(DETACH, "detaches a thread")                                               \
  X(SELF, "gives its own thread's id")                                         \
  X(SAME, "compares ids of threads")                                           \
  X(CANCEL, "sets how a thread can be cancelled")                              \
  X(MAKE, "initialises a lock or the like")                                    \
  X(UNMAKE, "destroys a lock or the like")                                     \
  X(ACQUIRE, "takes a lock, or one of a semaphore")                            \
  X(RELEASE, "gives a lock back, or one to a semaphore")                       \
  X(MEND, "makes a robust mutex consistent")                                   \
  X(PEEK, "asks for a semaphore's value")                                      \
  X(PARK, "gives a mutex away and waits for a signal")                         \
  X(WAKE, "signals who waits")                                                 \
  X(MEET, "waits at a barrier")                                                \
  X(ONCE, "calls a function the first time")                                   \
  X(KEY, "uses thread-specific values")                                        \
  X(CLEANUP, "says what a thread's end calls")                                 \
  X(JUMP, "keeps where it is, or goes back there")                             \
  X(ALLOC, "allocates")                                                        \
  X(RESIZE, "allocates again")                                                 \
  X(FREE, "frees")                                                             \
  X(COPY, "copies memory")                                                     \
  X(FILL, "fills memory with a byte")                                          \
  X(LOOK, "computes something from memory that it reads")                      \
  X(EDIT, "writes memory, by what it reads")                                   \
  X(PARSE, "reads a number from text")                                         \
  X(SORT, "sorts or searches with a function of the program")                  \
  X(COMPUTE, "computes a number from numbers")                                 \
  X(PRINT, "prints by a format")                                               \
  X(WRITE, "prints otherwise, or says how")                                    \
  X(ATOMIC, "accesses memory of any size atomically")                          \
  X(ATTR_MAKE, "initialises attributes")                                       \
  X(ATTR_END, "destroys attributes")                                           \
  X(ATTR_SET, "sets an attribute")                                             \
  X(ATTR_GET, "reads an attribute")                                            \
  X(BIRTH, "begins the life of a variable")                                    \
  X(DEATH, "ends the life of a variable")                                      \
  X(STACK, "works on the stack or variable arguments")                         \
  X(YIELD, "lets time pass")                                                   \
  X(SLEEP, "lets the time pass that is read")                                  \
  X(CLOCK, "stores the time")                                                  \
  X(SEED, "seeds random numbers")                                              \
  X(HOST, "asks the environment or the library for something of its own")      \
  X(REGION, "says that a parallel region of OpenMP begins or ends")            \
  X(END, "ends the program")                                                   \
  X(ABORT, "ends the program by a signal")                                     \
  X(UNREACHABLE, "is never reached, or the program is undefined")              \
  X(AT_END, "says what the program's end calls")                               \
  X(MPI, "communicates")

typedef enum {
#define X(name, text) HD_DO_##name,
  HD_LIBRARY_ACTIONS(X)
#undef X
} hd_action;
enum { HD_DO_COUNT = HD_DO_MPI + 1 };

/* What a function returns. */
#define HD_LIBRARY_GIVES(X)                                                    \
  X(NOTHING) /* void */                                                        \
  X(ZERO)                                                                      \
  X(ERRNO)    /* 0 or the number of an error */                                \
  X(STATUS)   /* thrd_success, thrd_busy … */                                \
  X(MINUS)    /* 0, or -1 and the number is in errno */                        \
  X(VALUE)    /* something else that is no address of the program's */         \
  X(ARGUMENT) /* its first argument */                                         \
  X(FRESH)    /* the address of something new, or null */                      \
  X(INSIDE)   /* an address in what its first argument points to, or null */   \
  X(OWN)      /* an address of the library's own, or null */                   \
  X(NEVER)    /* it does not return */

typedef enum {
#define X(name) HD_GIVES_##name,
  HD_LIBRARY_GIVES(X)
#undef X
} hd_gives;

/* What else is to be said of some. */
enum {
  HD_CALL_WAITS = 1,      /* the thread may have to wait */
  HD_CALL_TRIES = 2,      /* it fails instead of waiting */
  HD_CALL_TIMED = 4,      /* it waits up to a time only */
  HD_CALL_LOOSE = 8,      /* it may fail for no reason */
  HD_CALL_SHARED = 16,    /* several readers may have the lock */
  HD_CALL_ALL = 32,       /* all who wait, not one of them */
  HD_CALL_PURE = 64,      /* nobody notices, and it changes nothing */
  HD_CALL_TORN = 128,     /* many accesses: others may go on in between */
  HD_CALL_CLEARS = 256,   /* what is allocated is zero */
  HD_CALL_CHARACTER = 512 /* it takes a character or EOF, nothing else */
};

/* What an input may be: name, bits (0: as many as the result has), is it signed? */
#define HD_LIBRARY_INPUTS(X)                                                   \
  X(NONE, 0, 0) /* no input */                                                 \
  X(BOOL, 1, 0)                                                                \
  X(S8, 8, 1)                                                                  \
  X(U8, 8, 0)                                                                  \
  X(S16, 16, 1)                                                                \
  X(U16, 16, 0)                                                                \
  X(S32, 32, 1)                                                                \
  X(U32, 32, 0)                                                                \
  X(S64, 64, 1)                                                                \
  X(U64, 64, 0)                                                                \
  X(LONG, 0, 1) /* as wide as a pointer */                                     \
  X(ULONG, 0, 0)                                                               \
  X(F32, 32, 1)                                                                \
  X(F64, 64, 1)                                                                \
  X(COUNT, 31, 0) /* of rand and the like: 0 to RAND_MAX */                    \
  X(TIME, 0, 1)   /* of the system: a time, the number of a process */         \
  X(POINTER, 0, 0)                                                             \
  X(ANY, 0, 0) /* only the result's type tells */

typedef enum {
#define X(name, bits, sign) HD_INPUT_##name,
  HD_LIBRARY_INPUTS(X)
#undef X
} hd_input_type;

/* HD_LIB_malloc …; NONE = not known */
typedef enum {
  HD_LIB_NONE,
#define ROW(name, kind, does, args, gives, traits) HD_LIB_##name,
#define INPUT(name, type, args) HD_LIB_##name,
#define MPI(name) HD_LIB_##name,
#define REFUSED(name) HD_LIB_##name,
#define ALIAS(name, other)
#include "model/library.def"
#undef ROW
#undef INPUT
#undef MPI
#undef REFUSED
#undef ALIAS
  HD_LIB_COUNT
} hd_library_fn;

/* By its name; NONE when it is not known. */
hd_library_fn hd_library_find(const char *name);
const char *hd_library_name(hd_library_fn fn);
hd_library_kind hd_library_kind_of(hd_library_fn fn);
/* "mutexes" … */
const char *hd_library_kind_text(hd_library_kind kind);

/* --- what the table says --- */

hd_action hd_library_action(hd_library_fn fn);
/* "takes a lock, or one of a semaphore" … */
const char *hd_action_text(hd_action action);
hd_gives hd_library_gives(hd_library_fn fn);
/* Has it one of these (HD_CALL_…)? */
bool hd_library_is(hd_library_fn fn, unsigned traits);
/* The letters of its arguments; for tests. */
const char *hd_library_args(hd_library_fn fn);

/* What a call does with an argument, and with what it points to. */
enum {
  HD_ARG_READ = 1,
  HD_ARG_WRITE = 2,
  HD_ARG_FREE = 4,
  HD_ARG_CALL = 8,   /* the program's function, now or later */
  HD_ARG_KEEP = 16,  /* others may use it when the call is over */
  HD_ARG_NULL = 32,  /* it may be null */
  HD_ARG_PLACE = 64, /* a lock or the like */
  HD_ARG_TIME = 128,
  HD_ARG_ALL = HD_ARG_READ | HD_ARG_WRITE | HD_ARG_FREE | HD_ARG_CALL |
               HD_ARG_KEEP | HD_ARG_NULL
};

/* Of argument `i`. What is not known may do all of it. */
unsigned hd_library_arg(hd_library_fn fn, uint32_t i);
/* Does it do one of these with some argument? */
bool hd_library_does(hd_library_fn fn, unsigned effects);
/* The first argument with which it does; -1: none. */
int hd_library_arg_at(hd_library_fn fn, unsigned effects);

/* What kind of input; NONE: it is none. */
hd_input_type hd_library_input(hd_library_fn fn);
/* As wide as `width` where the type does not say, of a program whose pointers
 * have `pointer_width`. */
unsigned hd_input_bits(hd_input_type type, uint8_t pointer_width,
                       unsigned width);
bool hd_input_signed(hd_input_type type);
bool hd_input_real(hd_input_type type);

/* What it returns when it fails with this error (of errno.h). */
uint32_t hd_library_error(hd_library_fn fn, int error);

/* How many bytes a lock or the like of this kind has on Linux; 0 = it is none. */
uint32_t hd_library_place_bytes(hd_library_kind kind, uint8_t pointer_width);
/* May what the function is called with be made by a static initialiser? Not semaphores,
 * barriers and spin locks, and nothing of C11's but once_flag. */
bool hd_library_has_initialiser(hd_library_fn fn);

/* What a call does with a lock or the like that it is given. */
typedef enum {
  HD_PLACE_NONE,  /* the argument is something else */
  HD_PLACE_USED,  /* an atomic access */
  HD_PLACE_ENDED, /* a write: nobody may use it any more */
  HD_PLACE_MADE,  /* written: it is new then */
} hd_place;

/* Of argument `i`; `*kind` is what it has to be, where it is one. */
hd_place hd_library_place(hd_library_fn fn, uint32_t i, hd_library_kind *kind);

/* An input that is written to memory as well, where its argument is not null? */
bool hd_library_stores_input(hd_library_fn fn);

/* What printing does with the addresses that it is given. */
typedef enum {
  HD_PRINTS_VALUES, /* nothing */
  HD_PRINTS_TEXT,   /* it reads there */
  HD_PRINTS_BACK,   /* it writes there (%n), or takes more than it is given */
} hd_prints;

/* By the bytes of its format, perhaps without an end; NULL: all zero; and how many
 * arguments are behind it. */
hd_prints hd_library_format(const uint8_t *format, uint64_t size, size_t given);
/* Does it print by a format, in whichever way? */
bool hd_library_prints_format(hd_library_fn fn);
/* The number of the argument that is the format; -1: there is none, or what it
 * is for is not in the arguments. */
int hd_library_format_at(hd_library_fn fn);

#endif
