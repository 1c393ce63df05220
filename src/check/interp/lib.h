/* SPDX-License-Identifier: MIT */
/* Calls of library functions: one file a group of kinds, each with a function
 * that executes a call. */
#ifndef HD_CHECK_INTERP_LIB_H
#define HD_CHECK_INTERP_LIB_H

#include "check/interp/eval.h"
#include "check/interp/memory.h"
#include "check/interp/state.h"

#define HD_CALL_ARGS 12

/* A call that is executed. */
enum { HD_PIECE = 8, HD_PIECES = 8 }; /* of copies that can be interrupted */

typedef struct {
  hd_machine *m;
  hd_thread *t;
  hd_tid tid;
  hd_library_fn fn;
  hd_func_id func;
  const hd_cedge *edge;
  uint64_t choice;
  size_t n;
  hd_machine_value *args;
  hd_machine_value few[HD_CALL_ARGS];
  hd_machine_value result;
  bool stay; /* the thread is not behind the call yet: it waits, has entered a
                function, or is gone */
} hd_call;

/* Executes the call the thread stands before. */
void hd_lib_call(hd_machine *m, hd_thread *t, hd_library_fn fn, hd_func_id func,
                 uint64_t choice);
/* Calls a library function as a handler (of a key, for cleanup, at exit): those
 * that neither wait nor choose; others are refused. */
void hd_lib_invoke(hd_machine *m, hd_thread *t, hd_func_id func,
                   hd_machine_value arg);
/* Could it be executed now? */
bool hd_lib_ready(const hd_machine *m, const hd_thread *t);
/* These bytes are read: where they are a part of an address, that is noted
 * (hd_machine_vague). */
void hd_layout_cut(const hd_machine *m, uint64_t address, uint64_t size);
/* Does the result depend on where objects lie (layout.c)? For a search that must
 * not take one place for all. */
bool hd_layout_decides(const hd_machine *m, hd_code_op op, uint8_t from,
                       uint64_t a, uint64_t b);
/* How many ids may be given to a new thread that were those of others. */
uint64_t hd_lib_free_ids(const hd_machine *m);
/* The thread a handle means, or HD_NO_ID. */
hd_tid hd_lib_thread_of(const hd_machine *m, uint64_t handle);
/* Two different values are compared: can somebody tell (reuse.c)? */
void hd_reuse_compared(const hd_machine *m, uint64_t a, uint64_t b);
void hd_reuse_freed(const hd_machine *m, const hd_object *block);
/* With `reuse`: how many addresses may come again in the call; and the one
 * that is chosen, when the call's choices begin with `first` others, or 0. */
uint64_t hd_reuse_choices(const hd_machine *m, const hd_thread *t,
                          hd_library_fn fn);
uint64_t hd_reuse_chosen(hd_call *c, uint64_t first);
/* Only by a spurious wake-up? */
bool hd_lib_spurious(const hd_machine *m, const hd_thread *t);
uint64_t hd_lib_choices(const hd_machine *m, const hd_thread *t);
/* Is the choice an input; then `low` is its value for 0. */
bool hd_lib_is_input(const hd_machine *m, const hd_thread *t, int64_t *low);
/* An input whose choices are not all there is: any pointer. */
bool hd_lib_is_open_input(const hd_machine *m, const hd_thread *t);
/* An input from a range with nothing in it. */
bool hd_lib_empty_input(const hd_machine *m, const hd_thread *t);
void hd_lib_access(const hd_machine *m, const hd_thread *t, hd_access *access);

/* The value of argument i of the call it stands before, without reporting
 * anything; false when there is none. */
bool hd_lib_arg(const hd_machine *m, const hd_thread *t, uint32_t i,
                uint64_t *out);
uint32_t hd_lib_args(const hd_machine *m, const hd_thread *t);

/* The families. */
void hd_lib_verify(hd_call *c);
void hd_lib_thread(hd_call *c);
/* lib_cancel.c: pthread_cancel; is a request pending; does it act at this call, by
 * this choice; may it; the thread ends; is it one that could end anywhere, and so
 * refused? */
void hd_lib_cancel(hd_call *c);
bool hd_cancel_pends(const hd_thread *t);
bool hd_cancel_acts(const hd_thread *t, hd_library_fn fn, uint64_t choice);
bool hd_cancel_may_act(const hd_thread *t, hd_library_fn fn);
void hd_cancel_act(hd_machine *m, hd_thread *t);
bool hd_cancel_refused(hd_call *c, const hd_thread *t);
void hd_lib_key(hd_call *c);
void hd_lib_mutex(hd_call *c);
void hd_lib_rwlock(hd_call *c);
void hd_lib_cond(hd_call *c);
void hd_lib_barrier(hd_call *c);
void hd_lib_sem(hd_call *c);
void hd_lib_once(hd_call *c);
void hd_lib_cleanup(hd_call *c);
void hd_lib_jump(hd_call *c);
void hd_lib_stack(hd_call *c);
void hd_lib_attr(hd_call *c);
/* Are the blocks apart? False after a violation that ended the
 * run. */
HD_MUST_USE bool hd_apart(hd_call *c, uint64_t to, uint64_t to_size,
                          uint64_t from, uint64_t from_size);
/* What matters of the attributes at an address, 0 = none; false after a
 * violation. */
HD_MUST_USE bool hd_attr_read(hd_call *c, uint64_t address, uint64_t *value);
void hd_lib_heap(hd_call *c);
void hd_lib_memory(hd_call *c);
void hd_lib_string(hd_call *c);
void hd_lib_number(hd_call *c);
void hd_lib_math(hd_call *c);
void hd_lib_sort(hd_call *c);
void hd_lib_output(hd_call *c);
void hd_lib_environment(hd_call *c);
void hd_lib_exit(hd_call *c);
void hd_lib_libatomic(hd_call *c);
void hd_lib_sleep(hd_call *c);
/* The id of a thread that was made is stored. */
void hd_thread_created(hd_call *c);

/* A number is drawn with the seed as it is. */
void hd_lib_note_draw(hd_machine *m);
/* How many answers getenv has: it is asked for the first time, or again. */
uint64_t hd_lib_getenv_choices(const hd_machine *m, const hd_thread *t);
/* The tables of ctype.h; before the program starts, if it can ask for them. */
void hd_lib_make_tables(hd_machine *m);
/* The next argument of a va_list as it is passed: on 64-bit targets the address
 * of one, on 32-bit targets the value, which moves. */
HD_MUST_USE bool hd_va_arg(hd_call *c, uint64_t *list, uint32_t size,
                           uint64_t *value);

/* What a waiting thread does when it can go on (t->wait is not NONE). */
void hd_lib_resume(hd_machine *m, hd_thread *t, uint64_t choice);
bool hd_lib_can_resume(const hd_machine *m, const hd_thread *t);

/* Where the destructor of a new key stands among the others. */
uint64_t hd_lib_key_choices(const hd_machine *m, const hd_thread *t);
/* The run of key destructors and the like when a thread ends: true when a
 * function was entered and the end has to wait. */
bool hd_lib_thread_ends(hd_machine *m, hd_thread *t);
/* The frame of a comparison returned: true when the next was entered. */
void hd_lib_sort_next(hd_machine *m, hd_thread *t, hd_machine_value result);
void hd_lib_once_done(hd_machine *m, hd_thread *t, uint64_t control);
struct hd_sort *hd_lib_sort_copy(const struct hd_sort *sort);
void hd_lib_sort_delete(struct hd_sort *sort);
void hd_lib_sort_encode(hd_bytes *out, const struct hd_sort *sort);

/* --- help for the families --- */

static inline uint64_t hd_arg(const hd_call *c, size_t i) {
  return i < c->n ? c->args[i].bits : 0;
}
static inline int64_t hd_arg_int(const hd_call *c, size_t i) {
  return hd_word_signed(hd_arg(c, i), 32);
}
/* Width of a pointer (and of long and size_t) in bytes. */
static inline uint32_t hd_word(const hd_machine *m) {
  return m->plan->wide ? 8 : 4;
}
static inline void hd_return(hd_call *c, uint64_t bits) {
  c->result = (hd_machine_value){bits, 0};
}
static inline void hd_return_int(hd_call *c, int value) {
  hd_return(c, (uint32_t)value);
}
/* One value of which C says the sign only, or only that it is not 0. */
void hd_return_sign(hd_call *c, int value, bool zero);
void hd_call_unsupported(hd_call *c, const char *why);
/* Returns -1 with errno set. */
void hd_return_errno(hd_call *c, int code);
void hd_set_errno(hd_machine *m, hd_tid tid, int code);
/* Stores an integer of `size` bytes for the caller; false after a violation. */
HD_MUST_USE bool hd_put(hd_call *c, uint64_t address, uint32_t size,
                        uint64_t value);
HD_MUST_USE bool hd_get(hd_call *c, uint64_t address, uint32_t size,
                        uint64_t *value);
/* The length of a string of the program, all of whose bytes (and the end) have
 * been checked and, if `defined`, are set. */
HD_MUST_USE bool hd_string_length(hd_call *c, uint64_t address, uint64_t most,
                                  uint64_t *length);
/* Compares bytes, with inputs as variables: as many, or (`text`) up to the end of
 * a string. False after a violation. */
HD_MUST_USE bool hd_compare_open(hd_call *c, uint64_t a, uint64_t b,
                                 uint64_t most, bool text, int *order);
/* Checks that [address, address + size) can be accessed and is set. */
HD_MUST_USE bool hd_range(hd_call *c, uint64_t address, uint64_t size,
                          bool write, bool defined);

/* The thread stands before pthread_barrier_wait, or waits there: nobody will look
 * at what it returns, so that it does not matter who comes last. */
bool hd_barrier_all_same(const hd_machine *m, const hd_thread *t);

#endif
