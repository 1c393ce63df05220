/* SPDX-License-Identifier: MIT */
/* Epochs that only some processes take part in: MPI_Win_post … MPI_Win_wait of
 * the target, MPI_Win_start … MPI_Win_complete of the origin.
 *
 * MPI lets each of MPI_Win_start, the accesses and MPI_Win_complete wait for
 * MPI_Win_post of the target, or go on with what is to be done kept somewhere.
 * Here MPI_Win_start goes on, which a potential deadlock does not count on; the
 * accesses and MPI_Win_complete wait, because what they do is done at once. A
 * program that goes on only with an MPI that keeps accesses has a potential
 * deadlock; whether it has an absolute one is not decided
 * (hd_mpi_needs_post). */
#include "check/mpi/window.h"

bool hd_mpi_is_epoch(hd_library_fn fn) {
  switch (fn) {
  case HD_LIB_MPI_Win_start:
  case HD_LIB_MPI_Win_complete:
  case HD_LIB_MPI_Win_post:
  case HD_LIB_MPI_Win_wait:
  case HD_LIB_MPI_Win_test:
    return true;
  default:
    return false;
  }
}

/* --- asking --- */

static uint32_t process_of(const hd_mpi *mpi, const hd_mpi_window *w,
                           uint32_t rank) {
  return mpi->comms.data[w->comm].members.data[rank];
}

bool hd_mpi_started(const hd_mpi *mpi, const hd_mpi_opened *opened,
                    uint32_t rank) {
  const hd_mpi_window *w = &mpi->windows.data[opened->window];
  return opened->starts &&
         opened->targets & hd_mpi_bit(process_of(mpi, w, rank));
}

bool hd_mpi_posted(const hd_mpi *mpi, const hd_mpi_opened *opened,
                   uint32_t rank, uint32_t p) {
  const hd_mpi_window *w = &mpi->windows.data[opened->window];
  return w->parts.data[rank].origins & hd_mpi_bit(p);
}

void hd_mpi_meet_post(const hd_mpi_call *c, const hd_mpi_opened *opened,
                      uint32_t rank) {
  const hd_mpi_window *w = &c->mpi->windows.data[opened->window];
  c->process->known |= w->parts.data[rank].at_post;
}

/* Have all targets of the epoch posted? */
static bool all_posted(const hd_mpi *mpi, const hd_mpi_opened *opened,
                       uint64_t targets, uint32_t p) {
  const hd_mpi_window *w = &mpi->windows.data[opened->window];
  for (uint32_t i = 0; i < w->parts.size; i++)
    if (targets & hd_mpi_bit(process_of(mpi, w, i)) &&
        !hd_mpi_posted(mpi, opened, i, p))
      return false;
  return true;
}

static hd_mpi_exposed *own_part(const hd_mpi_call *c,
                                const hd_mpi_opened *opened) {
  hd_mpi_window *w = &c->mpi->windows.data[opened->window];
  return &w->parts.data[hd_mpi_comm_rank(c->mpi, w->comm, c->p)];
}

/* The processes of the group that is the first argument; false after a
 * violation. */
static bool read_group(const hd_mpi_call *c, const hd_mpi_opened *opened,
                       uint64_t *out) {
  const hd_mpi_window *w = &c->mpi->windows.data[opened->window];
  const hd_mpi_group *group = hd_mpi_group_of(c, c->call->args[0]);
  if (!group)
    return false;
  *out = 0;
  for (hd_vec_each(uint32_t, p, &group->members)) {
    if (hd_mpi_comm_rank(c->mpi, w->comm, *p) == HD_NO_ID) {
      hd_mpi_misuse(c, "process %u of the group has no part of the window", *p);
      return false;
    }
    *out |= hd_mpi_bit(*p);
  }
  return true;
}

static bool flags_fine(const hd_mpi_call *c, int32_t allowed) {
  int32_t flags = hd_mpi_int(c, 1);
  if (!(flags & ~allowed))
    return true;
  hd_mpi_misuse(c, "%d is no assertion about this", flags);
  return false;
}

/* --- coming --- */

static bool start_fine(const hd_mpi_call *c, const hd_mpi_opened *opened) {
  const hd_mpi_window *w = &c->mpi->windows.data[opened->window];
  bool locked = false;
  for (uint32_t i = 0; i < w->parts.size; i++)
    locked = locked || hd_mpi_holds(w, i, c->p);
  uint64_t targets;
  if (opened->starts)
    hd_mpi_misuse(c, "the epoch of another MPI_Win_start is open");
  else if (locked)
    hd_mpi_misuse(c, "a lock of the window is held");
  else if (hd_mpi_unfinished(c->mpi, opened->window, c->p))
    hd_mpi_misuse(c, "accesses after a fence are not complete");
  else
    return flags_fine(c, HD_MPI_NOCHECK) && read_group(c, opened, &targets);
  return false;
}

static bool post_fine(const hd_mpi_call *c, const hd_mpi_opened *opened) {
  const hd_mpi_exposed *own = own_part(c, opened);
  uint64_t origins;
  if (own->posted)
    hd_mpi_misuse(c, "the epoch of another MPI_Win_post is open");
  else if (own->holder || own->shared)
    hd_mpi_misuse(c, "the window is locked");
  else
    return flags_fine(c, HD_MPI_NOCHECK | HD_MPI_NOPUT | HD_MPI_NOSTORE) &&
           read_group(c, opened, &origins);
  return false;
}

static bool fine(const hd_mpi_call *c, const hd_mpi_opened *opened) {
  switch (c->call->fn) {
  case HD_LIB_MPI_Win_start:
    return start_fine(c, opened);
  case HD_LIB_MPI_Win_post:
    return post_fine(c, opened);
  case HD_LIB_MPI_Win_complete:
    if (!opened->starts)
      hd_mpi_misuse(c, "there is no MPI_Win_start before it");
    return opened->starts;
  default:
    if (!own_part(c, opened)->posted)
      hd_mpi_misuse(c, "there is no MPI_Win_post before it");
    return own_part(c, opened)->posted;
  }
}

void hd_mpi_arrive_epoch(const hd_mpi_call *c) {
  const hd_mpi_opened *opened = hd_mpi_window_of(c);
  if (opened && fine(c, opened))
    c->process->at_call = true;
}

/* --- moves --- */

void hd_mpi_epoch_enabled(const hd_mpi *mpi, uint32_t p, hd_mpi_enabled *out) {
  hd_mpi_call c = hd_mpi_call_of((hd_mpi *)(uintptr_t)mpi, p);
  const hd_mpi_opened *opened = hd_mpi_window_of(&c);
  uint64_t targets = 0;
  bool over = !own_part(&c, opened)->origins;
  bool possible = true, free = true;
  switch (c.call->fn) {
  case HD_LIB_MPI_Win_start:
    free =
        read_group(&c, opened, &targets) && all_posted(mpi, opened, targets, p);
    break;
  case HD_LIB_MPI_Win_complete:
    possible = all_posted(mpi, opened, opened->targets, p);
    break;
  case HD_LIB_MPI_Win_wait:
    possible = over;
    break;
  default:
    break;
  }
  if (!possible)
    return;
  hd_vec_push(&out->choices, 0);
  if (c.call->fn == HD_LIB_MPI_Win_test && over)
    hd_vec_push(&out->choices, 1);
  out->free = free;
}

static bool start(const hd_mpi_call *c, hd_mpi_opened *opened) {
  const hd_mpi_window *w = &c->mpi->windows.data[opened->window];
  if (!read_group(c, opened, &opened->targets))
    return false;
  if (hd_mpi_int(c, 1) & HD_MPI_NOCHECK &&
      !all_posted(c->mpi, opened, opened->targets, c->p)) {
    hd_mpi_misuse(c, "with MPI_MODE_NOCHECK, but a target has not posted");
    return false;
  }
  for (uint32_t i = 0; i < w->parts.size; i++)
    if (opened->targets & hd_mpi_bit(process_of(c->mpi, w, i)) &&
        hd_mpi_posted(c->mpi, opened, i, c->p))
      hd_mpi_meet_post(c, opened, i);
  hd_mpi_synchronize(c->mpi, c->p);
  opened->starts = true;
  opened->fence = false;
  opened->opens = c->call->edge;
  return true;
}

static void end_access(const hd_mpi_call *c, hd_mpi_opened *opened) {
  hd_mpi_window *w = &c->mpi->windows.data[opened->window];
  hd_mpi_complete(c, opened->window, HD_NO_ID);
  hd_mpi_synchronize(c->mpi, c->p);
  hd_mpi_release_window(c, opened->window, HD_NO_ID);
  for (uint32_t i = 0; i < w->parts.size; i++) {
    hd_mpi_exposed *e = &w->parts.data[i];
    if (!(opened->targets & hd_mpi_bit(process_of(c->mpi, w, i))))
      continue;
    hd_mpi_meet_post(c, opened, i);
    e->origins &= ~hd_mpi_bit(c->p);
    e->at_complete |= c->process->known;
  }
  opened->starts = false;
  opened->targets = 0;
}

static bool post(const hd_mpi_call *c, hd_mpi_opened *opened) {
  hd_mpi_exposed *own = own_part(c, opened);
  if (!read_group(c, opened, &own->origins) ||
      !hd_mpi_opens_part(c, opened, hd_mpi_int(c, 1)))
    return false;
  own->no_put = hd_mpi_int(c, 1) & HD_MPI_NOPUT;
  own->posted = true;
  hd_mpi_synchronize(c->mpi, c->p);
  own->at_post = c->process->known;
  own->at_complete = 0;
  return true;
}

static void end_exposure(const hd_mpi_call *c, const hd_mpi_opened *opened) {
  hd_mpi_exposed *own = own_part(c, opened);
  assert(own->posted && !own->origins);
  c->process->known |= own->at_complete;
  hd_mpi_synchronize(c->mpi, c->p);
  own->posted = own->no_put = false;
  own->at_post = own->at_complete = 0;
}

void hd_mpi_move_epoch(const hd_mpi_call *c, uint64_t choice) {
  hd_mpi_opened *opened = hd_mpi_window_of(c);
  bool ok = true;
  switch (c->call->fn) {
  case HD_LIB_MPI_Win_start:
    ok = start(c, opened);
    break;
  case HD_LIB_MPI_Win_complete:
    end_access(c, opened);
    break;
  case HD_LIB_MPI_Win_post:
    ok = post(c, opened);
    break;
  case HD_LIB_MPI_Win_test:
    if (choice)
      end_exposure(c, opened);
    ok = hd_mpi_put(c, c->call->args[1], (int64_t)choice);
    break;
  default:
    end_exposure(c, opened);
  }
  if (ok)
    hd_mpi_return(c);
}

bool hd_mpi_needs_post(const hd_mpi *mpi, uint32_t p) {
  hd_library_fn fn = mpi->processes[p].call.fn;
  return mpi->processes[p].at_call &&
         (fn == HD_LIB_MPI_Win_complete || hd_mpi_is_access(fn));
}

/* --- text --- */

void hd_mpi_epoch_wait(hd_str *out, const hd_mpi *mpi, uint32_t p) {
  hd_mpi_call c = hd_mpi_call_of((hd_mpi *)(uintptr_t)mpi, p);
  const hd_mpi_opened *opened = hd_mpi_window_of(&c);
  const hd_mpi_window *w = &mpi->windows.data[opened->window];
  bool target = c.call->fn == HD_LIB_MPI_Win_wait;
  const hd_mpi_exposed *own = own_part(&c, opened);
  const char *separator = "";
  uint64_t targets = opened->targets;
  if (c.call->fn == HD_LIB_MPI_Win_start && !read_group(&c, opened, &targets))
    return;
  for (uint32_t i = 0; i < w->parts.size; i++) {
    uint32_t q = process_of(mpi, w, i);
    bool missing =
        target ? (own->origins & hd_mpi_bit(q)) != 0
               : targets & hd_mpi_bit(q) && !hd_mpi_posted(mpi, opened, i, p);
    if (!missing)
      continue;
    hd_str_printf(out, "%s%u", separator, q);
    separator = ", ";
  }
  hd_str_printf(out, " to call %s",
                target ? "MPI_Win_complete" : "MPI_Win_post");
}
