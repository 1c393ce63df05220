/* SPDX-License-Identifier: MIT */
/* What the standard leaves to an MPI, and programs can see: how many threads it
 * allows, its largest tag, its version, the names of computers, how much room
 * packed data take, the order of the processes of a grid, who is on the same
 * computer, whom a block goes to that could go two ways. The machine is each of
 * several MPIs: a choice of the first call that asks, and the same for all, but
 * for names. Choice 0 is what most MPIs do. */
#include "check/mpi/parts.h"

#include <string.h>

enum { LEVELS = 4, REORDER = 4 };

/* Who asks for a fact that all processes see alike. */
static const struct {
  hd_library_fn fn;
  hd_mpi_fact fact;
} facts[] = {
    {HD_LIB_MPI_Init_thread, HD_MPI_LEVEL},
    {HD_LIB_MPI_Query_thread, HD_MPI_LEVEL},
    {HD_LIB_MPI_Comm_get_attr, HD_MPI_LARGEST_TAG},
    {HD_LIB_MPI_Attr_get, HD_MPI_LARGEST_TAG},
    {HD_LIB_MPI_Get_version, HD_MPI_VERSION},
    {HD_LIB_MPI_Get_library_version, HD_MPI_VERSION},
    {HD_LIB_MPI_Pack_size, HD_MPI_PACKING},
    {HD_LIB_MPI_Cart_create, HD_MPI_GRIDS},
    {HD_LIB_MPI_Comm_split_type, HD_MPI_COMPUTERS},
    {HD_LIB_MPI_Neighbor_alltoall, HD_MPI_NEIGHBORS},
    {HD_LIB_MPI_Neighbor_alltoallv, HD_MPI_NEIGHBORS},
    {HD_LIB_MPI_Neighbor_alltoallw, HD_MPI_NEIGHBORS},
    {HD_LIB_MPI_Ineighbor_alltoall, HD_MPI_NEIGHBORS},
    {HD_LIB_MPI_Ineighbor_alltoallv, HD_MPI_NEIGHBORS},
    {HD_LIB_MPI_Ineighbor_alltoallw, HD_MPI_NEIGHBORS},
};

/* NULL: the call asks for none. */
static int32_t *fact_of(hd_mpi *mpi, hd_library_fn fn) {
  for (size_t i = 0; i < sizeof facts / sizeof *facts; i++)
    if (facts[i].fn == fn)
      return &mpi->facts[facts[i].fact];
  return NULL;
}

uint32_t hd_mpi_variants(const hd_mpi *mpi, uint32_t p) {
  const hd_host_call *call = &mpi->processes[p].call;
  if (call->fn == HD_LIB_MPI_Get_processor_name)
    return 2;
  if (call->fn == HD_LIB_MPI_Cart_create && !(int32_t)call->args[REORDER])
    return 1;
  int32_t *fact = fact_of((hd_mpi *)(uintptr_t)mpi, call->fn);
  if (!fact || *fact)
    return 1;
  if (fact == &mpi->facts[HD_MPI_NEIGHBORS])
    return hd_mpi_two_ways(mpi, p) ? 2 : 1;
  if (fact == &mpi->facts[HD_MPI_COMPUTERS])
    return mpi->n > 2 ? 3 : mpi->n;
  return fact == &mpi->facts[HD_MPI_LEVEL] ? LEVELS : 2;
}

uint32_t hd_mpi_variant(const hd_mpi_call *c) {
  int32_t *fact = fact_of(c->mpi, c->call->fn);
  if (!fact)
    return c->process->variant;
  if (!*fact)
    *fact = (int32_t)c->process->variant + 1;
  return (uint32_t)*fact - 1;
}

bool hd_mpi_grids_turned(const hd_mpi *mpi) {
  return mpi->facts[HD_MPI_GRIDS] == 2;
}

uint32_t hd_mpi_on_one_computer(const hd_mpi_call *c) {
  uint32_t variant = hd_mpi_variant(c);
  return variant ? variant : c->mpi->n;
}

int32_t hd_mpi_level(const hd_mpi_call *c, int32_t asked) {
  return (int32_t)(((uint32_t)asked + hd_mpi_variant(c)) % LEVELS);
}

void hd_mpi_processor_name(const hd_mpi_call *c) {
  static const char *const names[] = {
      "node", "a-computer-with-a-long-name.in-a-room.of-a-building.example"};
  const char *name = names[hd_mpi_variant(c) % 2];
  size_t length = strlen(name);
  if (hd_host_write(c->m, c->call->args[0], length + 1, (const uint8_t *)name,
                    NULL) &&
      hd_mpi_put(c, c->call->args[1], (int64_t)length))
    hd_mpi_return(c);
}
