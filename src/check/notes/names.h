/* SPDX-License-Identifier: MIT */
/* The functions of the library that annotations speak of, by name. What is not
 * here is refused. */
#ifndef HD_CHECK_NOTES_NAMES_H
#define HD_CHECK_NOTES_NAMES_H

#include "base/common.h"

typedef enum {
  HD_NOTE_UNKNOWN,
  HD_NOTE_INPUT, /* some value, or one of a range of two arguments */
  HD_NOTE_TIME,  /* the same, written to the argument unless that is null */
  HD_NOTE_CLOCK, /* any time, or number, is written to an argument */
  HD_NOTE_SLEEP, /* for as long as the argument says */
  HD_NOTE_PURE,  /* reads and writes no memory, but for text to print */
  HD_NOTE_PRINT, /* the same, into a stream */
  HD_NOTE_ABS,
  HD_NOTE_FAIL,   /* an assertion fails */
  HD_NOTE_CHECK,  /* … if the argument is zero */
  HD_NOTE_ASSUME, /* not a run if it is */
  HD_NOTE_STOP,   /* the program ends */
  HD_NOTE_QUIT,   /* … and its handlers are called before */
  HD_NOTE_AT_EXIT,
  HD_NOTE_ERRNO, /* where it is */
  HD_NOTE_ENTER, /* an atomic section */
  HD_NOTE_EXIT,
  HD_NOTE_BEGIN, /* the life of a variable of a block */
  HD_NOTE_END,
  HD_NOTE_COPY, /* bytes of memory */
  HD_NOTE_SET_BYTES,
  HD_NOTE_LENGTH, /* of a text */
  HD_NOTE_COMPARE,
  HD_NOTE_COPY_TEXT,
  HD_NOTE_MAKE, /* on the heap */
  HD_NOTE_MAKE_ZERO,
  HD_NOTE_MAKE_AGAIN, /* of another size */
  HD_NOTE_FREE,
  HD_NOTE_STACK, /* how much of it is used */
  HD_NOTE_UNSTACK,
  HD_NOTE_ATTRIBUTE_INIT,
  HD_NOTE_ATTRIBUTE_DESTROY,
  HD_NOTE_ATTRIBUTE_SET,  /* something that changes nothing here */
  HD_NOTE_ATTRIBUTE_TYPE, /* of locks */
  HD_NOTE_ATTRIBUTE_DETACHED,
  HD_NOTE_ATTRIBUTE_SIZE,
  HD_NOTE_ATTRIBUTE_GET,
  /* threads */
  HD_NOTE_CREATE,
  HD_NOTE_JOIN,
  HD_NOTE_LEAVE,
  HD_NOTE_SELF,
  HD_NOTE_EQUAL,
  HD_NOTE_DETACH,
  /* whatever one waits with */
  HD_NOTE_LOCK_INIT,
  HD_NOTE_LOCK_DESTROY,
  HD_NOTE_LOCK,
  HD_NOTE_LOCK_TRY,
  HD_NOTE_LOCK_TIMED,
  HD_NOTE_LOCK_READ,
  HD_NOTE_LOCK_TRY_READ,
  HD_NOTE_UNLOCK,
  HD_NOTE_WAIT, /* for a condition, with a mutex */
  HD_NOTE_WAIT_TIMED,
  HD_NOTE_PASS, /* a semaphore or a barrier */
  HD_NOTE_PASS_TRY,
  HD_NOTE_PASS_TIMED,
  HD_NOTE_SIGNAL, /* a condition or a semaphore */
  HD_NOTE_BROADCAST,
  HD_NOTE_COUNT, /* of a semaphore */
  HD_NOTE_ONCE,
} hd_note_action;

/* Of what sort an object is, or an attribute for such objects. */
typedef enum {
  HD_NOTE_NO_SORT,
  HD_NOTE_MUTEX,
  HD_NOTE_MTX, /* of C11: never without an initialisation */
  HD_NOTE_RWLOCK,
  HD_NOTE_SPIN,
  HD_NOTE_COND,
  HD_NOTE_CND,
  HD_NOTE_SEM,
  HD_NOTE_BARRIER,
  HD_NOTE_ONCE_FLAG,
  HD_NOTE_PTHREAD,
  HD_NOTE_C11,
  HD_NOTE_SORTS
} hd_note_sort;

typedef struct {
  uint8_t action; /* hd_note_action */
  uint8_t sort;   /* hd_note_sort */
} hd_note_call;

hd_note_call hd_note_find(const char *name);
/* Is a defined function with this name an atomic section? */
bool hd_note_is_section(const char *name);
/* Does it belong to what teams of OpenMP, or processes of MPI, are made of? */
bool hd_note_is_foreign(const char *name);
/* stdin, stdout or stderr: nobody changes them. */
bool hd_note_is_stream(const char *name);
/* Its first argument is a text, of which nothing is written. */
bool hd_note_shows(const char *name);
/* Which argument is the stream, or is written to; its bytes. */
uint32_t hd_note_stream_arg(const char *name);
uint32_t hd_note_clock_arg(const char *name, uint8_t pointer_width,
                           uint32_t *size);
/* Bytes of such an object, and of its attributes; 0: there are none. */
uint32_t hd_note_size_of(hd_note_sort sort, uint8_t pointer_width);
uint32_t hd_note_attribute_size(hd_note_sort sort, uint8_t pointer_width);
/* Is it waiting, whatever for? */
bool hd_note_waits(hd_note_action action);

#endif
