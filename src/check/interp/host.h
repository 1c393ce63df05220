/* SPDX-License-Identifier: MIT */
/* For who executes library functions in a machine's stead: those of MPI, which
 * concern several machines (check/mpi). The machine stops before such a call as
 * before every visible action; instead of hd_machine_move the host looks at the
 * arguments, reads and writes the machine's memory, and lets it go on behind the
 * call. All of it is done by one thread, that of main unless hd_host_serve says
 * otherwise. */
#ifndef HD_CHECK_INTERP_HOST_H
#define HD_CHECK_INTERP_HOST_H

#include "check/interp/interp.h"
#include "model/library.h"

#define HD_HOST_ARGS 16

typedef struct {
  hd_library_fn fn;
  const char *name; /* of the function, as the program has it */
  hd_edge_id edge;
  uint32_t n;
  uint64_t args[HD_HOST_ARGS];
} hd_host_call;

/* Does the thread stand before a call of MPI? Then all but the arguments is
 * filled in. */
bool hd_host_waits(const hd_machine *machine, hd_host_call *call);
bool hd_host_waits_in(const hd_machine *machine, hd_tid thread,
                      hd_host_call *call);
/* From now on it is this thread, until somebody else says otherwise. */
void hd_host_serve(hd_machine *machine, hd_tid thread);
/* Does the thread execute something of the program, or wait in it, rather than in
 * a model of a library? */
bool hd_host_in_program(const hd_machine *machine, hd_tid thread);
/* Does it stand before a call of this function? */
bool hd_host_before(const hd_machine *machine, hd_library_fn fn,
                    hd_host_call *call);
/* Evaluates the arguments. False after a violation (a value never set …); those
 * in the set `loose` need not be set. */
HD_MUST_USE bool hd_host_args(hd_machine *machine, uint32_t loose,
                              hd_host_call *call);
/* The call returns `value`; the machine runs on to its next visible action. */
void hd_host_return(hd_machine *machine, uint64_t value);

/* Checked accesses of [address, address + size), any size. `shadow` has a 1 for
 * every bit that was never set; NULL when writing: all are set. False after a
 * violation. */
HD_MUST_USE bool hd_host_read(hd_machine *machine, uint64_t address,
                              uint64_t size, uint8_t *bytes, uint8_t *shadow);
HD_MUST_USE bool hd_host_write(hd_machine *machine, uint64_t address,
                               uint64_t size, const uint8_t *bytes,
                               const uint8_t *shadow);

/* The bytes belong to operation `owner`, begun at `edge`, until they are
 * released: an access by the program that the operation could notice is a
 * violation. `written`: the operation writes them, else it reads them. */
void hd_host_claim(hd_machine *machine, uint64_t address, uint64_t size,
                   bool written, uint32_t owner, hd_edge_id edge);
void hd_host_release(hd_machine *machine, uint32_t owner);
/* The claim that an access of this kind is in conflict with, or NULL. */
const struct hd_claim *hd_host_claimed(const hd_machine *machine,
                                       uint64_t address, uint64_t size,
                                       bool write);
hd_edge_id hd_host_claim_edge(const struct hd_claim *claim);
uint32_t hd_host_claim_owner(const struct hd_claim *claim);

/* An object ends: no operation may have it any more. */
void hd_host_ends(hd_machine *machine, uint64_t address, uint64_t size);

/* Accesses to the range, by the program or by the host for it, are written down
 * from now on, until it is released: hd_host_touched gives one that was made
 * since, and forgets it; false when there is none. */
void hd_host_watch(hd_machine *machine, uint64_t address, uint64_t size,
                   uint32_t owner);
bool hd_host_touched(hd_machine *machine, uint64_t *address, uint64_t *size,
                     bool *write, bool *atomic, hd_edge_id *edge);
/* What the host does from now on is not done for this program. */
void hd_host_apart(hd_machine *machine, bool apart);
/* What is wrong with an access, without reporting it; NULL = nothing. */
const char *hd_host_wrong(const hd_machine *machine, uint64_t address,
                          uint64_t size, bool write);

/* A new object of the heap, its address; 0 when there is no room. */
uint64_t hd_host_alloc(hd_machine *machine, uint64_t size);
/* Frees one; false after a violation. */
HD_MUST_USE bool hd_host_free(hd_machine *machine, uint64_t address);
/* The address of bytes that the program may only read. */
uint64_t hd_host_constant(hd_machine *machine, const void *bytes,
                          uint64_t size);

/* Lets the program execute one of its functions, to its end, while it stands
 * before the call. False when that ended the run, or was not possible. */
HD_MUST_USE bool hd_host_run(hd_machine *machine, uint64_t function,
                             const uint64_t *args, size_t n);

/* Functions have other addresses in other machines; HD_NO_ID: it is none. */
hd_func_id hd_host_function(const hd_machine *machine, uint64_t address);
uint64_t hd_host_function_address(const hd_machine *machine, hd_func_id func);

/* The call returns a time, which must not decide anything in a machine that is
 * `exact`. */
void hd_host_return_time(hd_machine *machine);

/* Values that were never set may be values that are open in C: nothing may be
 * said when they decide something. False: the machine is not `exact`. */
bool hd_host_leaves_open(hd_machine *machine);

/* The check alone. */
HD_MUST_USE bool hd_host_check(hd_machine *machine, uint64_t address,
                               uint64_t size, bool write);

HD_PRINTF(2, 3)
void hd_host_refuse(hd_machine *machine, const char *format, ...);

#endif
