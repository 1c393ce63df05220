/* SPDX-License-Identifier: MIT */
/* Inside of collective calls: their shapes, and the steps that collective.c
 * makes with others' code. */
#ifndef HD_CHECK_MPI_COLLECTIVE_H
#define HD_CHECK_MPI_COLLECTIVE_H

#include "check/mpi/parts.h"

/* What a call looks like: numbers of its arguments, -1 = has none. */
typedef struct {
  hd_library_fn fn;
  int8_t sbuf, scount, sdispl, stype;
  int8_t rbuf, rcount, rdispl, rtype;
  int8_t op, root, comm;
  uint8_t pattern; /* hd_mpi_pattern */
} hd_mpi_shape;

typedef enum {
  HD_TOGETHER, /* no data: all wait for all */
  HD_FROM_ROOT,
  HD_SHARED_OUT, /* from the root, another block to each */
  HD_TO_ROOT,
  HD_TO_ALL,
  HD_EACH_TO_EACH,
  HD_REDUCED_TO_ROOT,
  HD_REDUCED_TO_ALL,
  HD_REDUCED_BEFORE, /* of those with a lower rank, and the own */
  HD_REDUCED_STRICTLY_BEFORE,
  HD_REDUCED_SHARED_OUT,
  HD_TO_NEIGHBORS,      /* in a topology: the same to each */
  HD_EACH_TO_NEIGHBORS, /* another block to each */
  HD_EACH_ALONE,        /* nobody needs anybody */
} hd_mpi_pattern;

/* A call of one process at a meeting. */
typedef struct {
  const hd_mpi_call *c;
  const hd_mpi_shape *shape;
  uint32_t comm;
  uint32_t me, n;    /* places in the meeting: of the process, of all */
  uint32_t own;      /* its rank in its group */
  bool inter;        /* of an intercommunicator: */
  uint32_t from, to; /* … the other group's places; else all */
  int64_t root;      /* a place, -1 = none, HD_MPI_NO_ROOT */
  int64_t op;        /* -1 = none */
} hd_mpi_view;

/* There is no such root. */
#define HD_MPI_NO_ROOT ((int64_t)-2)

/* Operations of the program are known by their functions. */
#define HD_MPI_OWN_OPERATION ((int64_t)1 << 48)

/* --- shape.c --- */

/* NULL: no collective call. */
const hd_mpi_shape *hd_mpi_shape_of(hd_library_fn fn);
/* The operation of a handle: a predefined one, or HD_MPI_OWN_OPERATION + its
 * function. */
int64_t hd_mpi_operation_of(const hd_mpi_call *c, uint64_t handle);
hd_mpi_view hd_mpi_view_of(const hd_mpi_call *c, uint32_t comm);
bool hd_mpi_is_root(const hd_mpi_view *v);
/* Does this process bring data, does it get some? */
bool hd_mpi_sends(const hd_mpi_view *v);
bool hd_mpi_receives(const hd_mpi_view *v);
bool hd_mpi_in_place(const hd_mpi_view *v, int8_t argument);
/* With how many others it exchanges blocks, and the place of the i-th of them;
 * HD_NO_ID: MPI_PROC_NULL, beside a grid. */
uint32_t hd_mpi_partners(const hd_mpi_view *v, bool receive);
uint32_t hd_mpi_partner(const hd_mpi_view *v, bool receive, uint32_t i);

/* --- collective.c --- */

/* Is the operation one, and defined for the elements? False after a violation. */
HD_MUST_USE bool hd_mpi_check_operation(const hd_mpi_view *v);

/* --- exchange.c --- */

/* Is MPI_IN_PLACE where it may stand, are the buffers apart? What of the others
 * does the process need? False after a violation. */
HD_MUST_USE bool hd_mpi_check_buffers(const hd_mpi_view *v);
HD_MUST_USE bool hd_mpi_find_needs(const hd_mpi_view *v, hd_mpi_joiner *joiner);
/* Reads what the process sends; false after a violation. */
HD_MUST_USE bool hd_mpi_bring_data(const hd_mpi_view *v, hd_mpi_joiner *joiner);
/* Writes what it gets, when all is there that it needs. */
HD_MUST_USE bool hd_mpi_take_away(const hd_mpi_view *v,
                                  const hd_mpi_meeting *meeting);
/* How many results the reduction can have when its process leaves now. */
uint32_t hd_mpi_reduced_ways(const hd_mpi_view *v,
                             const hd_mpi_meeting *meeting);
void hd_mpi_pick(const hd_mpi_view *v, hd_mpi_meeting *meeting, uint32_t which);
/* sums.c: how many results n operands have. Puts number `which` of them into `sum`
 * (NULL: into nothing), which is that of the order of the ranks; what has too many
 * is left open there, all that has several results for HD_NO_ID. */
uint32_t hd_mpi_sums(const hd_mpi_view *v, const hd_mpi_meeting *meeting,
                     uint32_t n, uint32_t which, hd_mpi_data *sum);
/* The buffers of a call belong to it while it is not complete; `owner` HD_NO_ID:
 * they must not belong to others. */
HD_MUST_USE bool hd_mpi_claim_buffers(const hd_mpi_view *v, uint32_t owner,
                                      bool receive);

/* --- newcomm.c --- */

/* All have come: the communicators and windows that the call makes. False after
 * a violation. */
HD_MUST_USE bool hd_mpi_make_comms(const hd_mpi_view *v,
                                   hd_mpi_meeting *meeting);
/* inter.c: what the process brings to make an intercommunicator, or to a call in
 * one; two groups are connected when both have come; the two become one. False
 * after a violation. */
HD_MUST_USE bool hd_mpi_bring_inter(const hd_mpi_view *v,
                                    hd_mpi_joiner *joiner);
HD_MUST_USE bool hd_mpi_connect(const hd_mpi_view *v, hd_mpi_meeting *meeting);
HD_MUST_USE bool hd_mpi_merge(const hd_mpi_view *v, hd_mpi_meeting *meeting);
/* The communicator in which the members of a group meet; HD_NO_ID after a
 * violation. */
uint32_t hd_mpi_comm_of_group(const hd_mpi_call *c);
/* The process gets its handle, if the call makes communicators. */
HD_MUST_USE bool hd_mpi_give_comm(const hd_mpi_view *v,
                                  const hd_mpi_joiner *joiner);

#endif
