/* SPDX-License-Identifier: MIT */
/* What can go wrong in a C program. */
#ifndef HD_MODEL_PROPERTY_H
#define HD_MODEL_PROPERTY_H

#include "base/common.h"

/* name on the command line, what it means */
#define HD_PROPERTIES(X)                                                       \
  X(ASSERT, "assert", "a failing assertion, or reach_error is called")         \
  X(RACE, "race", "two unordered accesses, one of them a write")               \
  X(DEADLOCK, "deadlock", "threads wait for each other for ever")              \
  X(OVERFLOW, "overflow", "signed arithmetic leaves its type")                 \
  X(ARITH, "arith", "division by zero, shift by too much")                     \
  X(MEMORY, "memory", "access out of bounds, null, freed; bad free")           \
  X(LEAK, "leak", "memory that nobody can free any more at the end")           \
  X(UNINIT, "uninit", "a value that was never set decides something")          \
  X(SYNC, "sync", "wrong use of a lock, thread, condition variable")           \
  X(UNREACHABLE, "unreachable",                                                \
    "control reaches what the compiler assumes "                               \
    "it cannot")                                                               \
  X(MPI, "mpi", "wrong use of MPI; a message that nobody receives")            \
  X(INVARIANT, "invariant", "a loop invariant of a pragma does not hold")

/* What only programs with MPI or annotations can violate. */
#define HD_PROPERTIES_MPI                                                      \
  ((hd_properties)1 << HD_PROPERTY_MPI | (hd_properties)1                      \
                                             << HD_PROPERTY_INVARIANT)

typedef enum {
#define X(name, text, what) HD_PROPERTY_##name,
  HD_PROPERTIES(X)
#undef X
      HD_PROPERTY_COUNT
} hd_property;

typedef uint32_t hd_properties; /* set of 1 << hd_property */

/* "assert" … */
const char *hd_property_name(hd_property property);
/* HD_PROPERTY_COUNT when there is none of that name. */
hd_property hd_property_find(const char *name, size_t length);

#endif
