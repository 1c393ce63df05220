/* SPDX-License-Identifier: MIT */
/* Windows of shared memory (MPI_Win_allocate_shared).
 *
 * Every process has a copy of the whole window in its own memory, where the parts
 * lie behind each other; what one changes is changed in all copies at once. So
 * everybody sees the same bytes, in the order in which the machine runs the
 * processes; that another order would be seen differently is what order.c finds:
 * accesses of two processes that nothing orders.
 *
 * Beside what orders them, the standard wants that stores are carried out
 * (MPI_Win_sync, or what ends an epoch) before others are told, and that the
 * others carry out MPI_Win_sync before they look. Where that is missing, but not
 * more, nothing is said. */
#include "check/mpi/window.h"

#include <string.h>

/* Of the bytes in front of a part, from the beginning of the window. */
static uint64_t offset_of(const hd_mpi_window *w, uint32_t rank) {
  uint64_t sum = 0;
  for (uint32_t i = 0; i < rank; i++)
    sum += w->parts.data[i].size;
  return sum;
}

static uint64_t whole(const hd_mpi_window *w) {
  return offset_of(w, (uint32_t)w->parts.size);
}

/* Where the copy of a member begins; 0: it has none. */
static uint64_t start_of(const hd_mpi *mpi, const hd_mpi_window *w,
                         uint32_t rank) {
  uint64_t base = w->parts.data[rank].base;
  uint32_t p = mpi->comms.data[w->comm].members.data[rank];
  for (hd_vec_each(hd_mpi_opened, opened, &mpi->processes[p].windows))
    if (&mpi->windows.data[opened->window] == w && opened->freed)
      return 0;
  return base ? base - offset_of(w, rank) : 0;
}

bool hd_mpi_in_shared(const hd_mpi *mpi, uint32_t p, uint64_t address,
                      uint32_t *window, uint64_t *offset) {
  for (hd_vec_each(hd_mpi_opened, opened, &mpi->processes[p].windows)) {
    const hd_mpi_window *w = &mpi->windows.data[opened->window];
    if (!w->shared || opened->freed)
      continue;
    uint64_t start = start_of(mpi, w, hd_mpi_comm_rank(mpi, w->comm, p));
    if (!start || address < start || address >= start + whole(w))
      continue;
    *window = opened->window;
    *offset = address - start;
    return true;
  }
  return false;
}

/* The bytes of one copy into another. */
static void copy_bytes(hd_machine *from, uint64_t source, hd_machine *to,
                       uint64_t target, uint64_t size) {
  hd_bytes bytes = {0}, shadow = {0};
  hd_vec_resize(&bytes, size);
  hd_vec_resize(&shadow, size);
  hd_host_apart(from, true);
  hd_host_apart(to, true);
  if (!hd_host_read(from, source, size, bytes.data, shadow.data) ||
      !hd_host_write(to, target, size, bytes.data, shadow.data))
    hd_bug("a copy of shared memory is not there");
  hd_host_apart(from, false);
  hd_host_apart(to, false);
  hd_vec_free(&bytes);
  hd_vec_free(&shadow);
}

void hd_mpi_spread(hd_mpi *mpi, uint32_t p, uint32_t window, uint64_t offset,
                   uint64_t size) {
  const hd_mpi_window *w = &mpi->windows.data[window];
  uint64_t mine = start_of(mpi, w, hd_mpi_comm_rank(mpi, w->comm, p));
  for (uint32_t i = 0; i < w->parts.size; i++) {
    uint32_t q = mpi->comms.data[w->comm].members.data[i];
    uint64_t start = start_of(mpi, w, i);
    if (q != p && start)
      copy_bytes(mpi->processes[p].machine, mine + offset,
                 mpi->processes[q].machine, start + offset, size);
  }
}

/* Are all members of the communicator on one computer? They are if nobody has
 * asked for that, and who asks later is told so. */
static bool together(const hd_mpi_call *c, uint32_t comm) {
  int32_t *fact = &c->mpi->facts[HD_MPI_COMPUTERS];
  if (!*fact)
    *fact = 1;
  uint32_t each = *fact == 1 ? c->mpi->n : (uint32_t)*fact - 1;
  const hd_u32s *members = &c->mpi->comms.data[comm].members;
  for (size_t i = 1; i < members->size; i++)
    if (members->data[i] / each != members->data[0] / each)
      return false;
  return true;
}

bool hd_mpi_bring_shared(const hd_mpi_call *c) {
  if (hd_mpi_int(c, 2)) {
    hd_mpi_refuse(c, "with hints, which may change where the parts lie: this "
                     "is not supported");
    return false;
  }
  uint32_t comm = hd_mpi_comm_of(c, c->call->args[3]);
  if (comm == HD_NO_ID)
    return false;
  if (!together(c, comm)) {
    hd_mpi_refuse(c, "by processes that may be on different computers: this is "
                     "not supported");
    return false;
  }
  return true;
}

/* The process gets its copy. */
bool hd_mpi_give_shared(const hd_mpi_call *c, uint32_t window) {
  hd_mpi_window *w = &c->mpi->windows.data[window];
  uint32_t me = hd_mpi_comm_rank(c->mpi, w->comm, c->p);
  uint64_t size = whole(w), start = hd_host_alloc(c->m, size ? size : 1);
  if (!start)
    return false;
  for (uint32_t i = 0; i < w->parts.size && size; i++) {
    uint64_t other = start_of(c->mpi, w, i);
    uint32_t q = c->mpi->comms.data[w->comm].members.data[i];
    if (!other)
      continue;
    copy_bytes(c->mpi->processes[q].machine, other, c->m, start, size);
    break;
  }
  w->parts.data[me].base = start + offset_of(w, me);
  hd_host_watch(c->m, start, size, hd_mpi_watcher(window, me));
  return hd_host_write(c->m, c->call->args[4], c->mpi->code->pointer_width / 8,
                       (const uint8_t *)&w->parts.data[me].base, NULL);
}

bool hd_mpi_free_shared(const hd_mpi_call *c, uint32_t window) {
  const hd_mpi_window *w = &c->mpi->windows.data[window];
  uint32_t me = hd_mpi_comm_rank(c->mpi, w->comm, c->p);
  return hd_host_free(c->m, w->parts.data[me].base - offset_of(w, me));
}

/* (window, rank, &size, &unit, &base) */
void hd_mpi_query_shared(const hd_mpi_call *c) {
  const hd_mpi_opened *opened = hd_mpi_window_of(c);
  if (!opened)
    return;
  const hd_mpi_window *w = &c->mpi->windows.data[opened->window];
  int32_t rank = hd_mpi_int(c, 1);
  if (!w->shared) {
    hd_mpi_misuse(c, "the window has no shared memory");
    return;
  }
  if (rank == HD_MPI_PROC_NULL)
    for (rank = 0;
         (size_t)rank + 1 < w->parts.size && !w->parts.data[rank].size;)
      rank++;
  if (rank < 0 || (size_t)rank >= w->parts.size) {
    hd_mpi_misuse(c, "there is no rank %d among %zu processes", rank,
                  w->parts.size);
    return;
  }
  uint32_t me = hd_mpi_comm_rank(c->mpi, w->comm, c->p);
  uint64_t wide = c->mpi->code->pointer_width / 8;
  const hd_mpi_exposed *e = &w->parts.data[rank];
  uint64_t base =
      w->parts.data[me].base - offset_of(w, me) + offset_of(w, (uint32_t)rank);
  const uint64_t *args = c->call->args;
  if (hd_host_write(c->m, args[2], wide, (const uint8_t *)&e->size, NULL) &&
      hd_mpi_put(c, args[3], e->unit) &&
      hd_host_write(c->m, args[4], wide, (const uint8_t *)&base, NULL))
    hd_mpi_return(c);
}
