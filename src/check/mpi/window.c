/* SPDX-License-Identifier: MIT */
/* One-sided communication: windows, fences and locks. What accesses do is in
 * access.c, in which order in order.c, epochs of MPI_Win_start and MPI_Win_post
 * in epoch.c. */
#include "check/mpi/window.h"

enum { LOCK_EXCLUSIVE = 1 }; /* of mpi.h */
enum { MAX_TARGETS = 4096, OWNERS = 0x40000000 };

/* --- windows --- */

/* The window of a handle as one of the process; NULL after a violation. */
static hd_mpi_opened *opened_of(const hd_mpi_call *c, uint64_t handle) {
  uint64_t i = (uint32_t)handle - HD_MPI_FIRST_WINDOW;
  bool made =
      (uint32_t)handle >= HD_MPI_FIRST_WINDOW && i < c->process->windows.size;
  if (made && !c->process->windows.data[i].freed)
    return &c->process->windows.data[i];
  if (made)
    hd_mpi_misuse(c, "the window has been freed");
  else if (!(uint32_t)handle)
    hd_mpi_misuse(c, "the window is MPI_WIN_NULL");
  else
    hd_mpi_misuse(c, "%d is no window", (int32_t)(uint32_t)handle);
  return NULL;
}

uint32_t hd_mpi_window_owner(uint32_t window, uint32_t rank) {
  return OWNERS + window * MAX_TARGETS + rank;
}

/* The argument that names the window. */
static uint32_t window_argument(hd_library_fn fn) {
  switch (fn) {
  case HD_LIB_MPI_Win_free:
  case HD_LIB_MPI_Win_unlock_all:
  case HD_LIB_MPI_Win_flush_all:
  case HD_LIB_MPI_Win_flush_local_all:
  case HD_LIB_MPI_Win_sync:
  case HD_LIB_MPI_Win_set_errhandler:
  case HD_LIB_MPI_Win_set_name:
  case HD_LIB_MPI_Win_complete:
  case HD_LIB_MPI_Win_wait:
  case HD_LIB_MPI_Win_test:
  case HD_LIB_MPI_Win_get_group:
  case HD_LIB_MPI_Win_shared_query:
    return 0;
  case HD_LIB_MPI_Win_fence:
  case HD_LIB_MPI_Win_lock_all:
  case HD_LIB_MPI_Win_unlock:
  case HD_LIB_MPI_Win_flush:
  case HD_LIB_MPI_Win_flush_local:
    return 1;
  case HD_LIB_MPI_Win_start:
  case HD_LIB_MPI_Win_post:
    return 2;
  case HD_LIB_MPI_Win_lock:
    return 3;
  case HD_LIB_MPI_Compare_and_swap: /* (origin, compare, result, …) */
  case HD_LIB_MPI_Fetch_and_op:
    return 6;
  case HD_LIB_MPI_Put:
  case HD_LIB_MPI_Get:
  case HD_LIB_MPI_Rput:
  case HD_LIB_MPI_Rget:
    return 7;
  case HD_LIB_MPI_Accumulate:
  case HD_LIB_MPI_Raccumulate:
    return 8;
  default:
    return 11; /* MPI_Get_accumulate, _Rget_accumulate */
  }
}

hd_mpi_opened *hd_mpi_window_of(const hd_mpi_call *c) {
  int32_t handle = hd_mpi_int(c, window_argument(c->call->fn));
  if (c->call->fn == HD_LIB_MPI_Win_free &&
      !hd_mpi_get(c, c->call->args[0], "the window", &handle))
    return NULL;
  return opened_of(c, (uint32_t)handle);
}

uint32_t hd_mpi_window_comm(const hd_mpi_call *c) {
  const hd_mpi_opened *opened = hd_mpi_window_of(c);
  return opened ? c->mpi->windows.data[opened->window].comm : HD_NO_ID;
}

void hd_mpi_release_window(const hd_mpi_call *c, uint32_t window,
                           uint32_t rank) {
  uint32_t n = (uint32_t)c->mpi->windows.data[window].parts.size;
  for (uint32_t i = 0; i < n; i++)
    if (rank == HD_NO_ID || rank == i)
      hd_host_release(c->m, hd_mpi_window_owner(window, i));
}

bool hd_mpi_holds(const hd_mpi_window *w, uint32_t rank, uint32_t p) {
  const hd_mpi_exposed *e = &w->parts.data[rank];
  return e->holder == p + 1 || e->shared & hd_mpi_bit(p);
}

static bool holds_any(const hd_mpi_window *w, uint32_t p) {
  for (uint32_t i = 0; i < w->parts.size; i++)
    if (hd_mpi_holds(w, i, p))
      return true;
  return false;
}

/* --- making and freeing --- */

uint32_t hd_mpi_watcher(uint32_t window, uint32_t rank) {
  return hd_mpi_window_owner(window, rank) + OWNERS;
}

/* MPI_Win_create (base, size, unit, info, comm, &win), MPI_Win_allocate and
 * MPI_Win_allocate_shared (size, unit, info, comm, &base, &win) */
bool hd_mpi_bring_window(const hd_mpi_call *c, hd_mpi_joiner *joiner) {
  bool create = c->call->fn == HD_LIB_MPI_Win_create;
  bool shared = c->call->fn == HD_LIB_MPI_Win_allocate_shared;
  bool wide = c->mpi->code->pointer_width == 64;
  if (!create && !shared && c->call->fn != HD_LIB_MPI_Win_allocate)
    return true;
  int64_t size =
      wide ? (int64_t)c->call->args[create] : (int64_t)hd_mpi_int(c, create);
  joiner->exposed.unit = hd_mpi_int(c, create + 1u);
  if (size < 0 || joiner->exposed.unit < 1) {
    hd_mpi_misuse(c, size < 0 ? "the size is negative"
                              : "the displacement unit is not positive");
    return false;
  }
  joiner->exposed.size = (uint64_t)size;
  joiner->exposed.base = create ? c->call->args[0] : 0;
  if (create)
    return hd_host_check(c->m, joiner->exposed.base, joiner->exposed.size,
                         false);
  if (shared)
    return hd_mpi_bring_shared(c);
  joiner->exposed.base = hd_host_alloc(c->m, joiner->exposed.size);
  return joiner->exposed.base &&
         hd_host_write(c->m, c->call->args[4], c->mpi->code->pointer_width / 8,
                       (const uint8_t *)&joiner->exposed.base, NULL);
}

void hd_mpi_make_window(hd_mpi *mpi, uint32_t comm, hd_mpi_meeting *meeting) {
  hd_mpi_window window = {
      .comm = comm, .shared = meeting->fn == HD_LIB_MPI_Win_allocate_shared};
  for (hd_vec_each(hd_mpi_joiner, joiner, &meeting->joiners)) {
    hd_vec_push(&window.parts, joiner->exposed);
    joiner->result = (uint32_t)mpi->windows.size;
  }
  hd_vec_push(&mpi->windows, window);
}

/* The process gets its handle. */
bool hd_mpi_give_window(const hd_mpi_call *c, const hd_mpi_joiner *joiner) {
  hd_mpi_opened opened = {.window = joiner->result,
                          .edge = c->call->edge,
                          .opens = HD_NO_ID,
                          .between = HD_NO_ID};
  opened.allocated = c->call->fn == HD_LIB_MPI_Win_allocate;
  hd_vec_push(&c->process->windows, opened);
  const hd_mpi_window *w = &c->mpi->windows.data[opened.window];
  if (!w->shared)
    hd_host_watch(
        c->m, joiner->exposed.base, joiner->exposed.size,
        hd_mpi_watcher(opened.window, hd_mpi_comm_rank(c->mpi, w->comm, c->p)));
  else if (!hd_mpi_give_shared(c, opened.window))
    return false;
  return hd_mpi_put(c, c->call->args[5],
                    HD_MPI_FIRST_WINDOW + (int64_t)c->process->windows.size -
                        1);
}

/* A fence opens an epoch when there are accesses before the next one, whatever
 * they have been opened with: then there were two epochs at a time. */
static void overlaps(const hd_mpi_call *c, hd_edge_id opener) {
  hd_str place = {0};
  hd_code_print_pos(&place, c->mpi->code, c->mpi->code->edges.data[opener].pos);
  hd_mpi_misuse(c,
                "between this fence and the one before it, which are an epoch, "
                "there is another epoch with accesses, opened at %s",
                hd_str_text(&place));
  hd_str_free(&place);
}

bool hd_mpi_opens_part(const hd_mpi_call *c, hd_mpi_opened *opened,
                       int32_t flags) {
  bool wrong = flags & HD_MPI_NOSTORE && opened->stored;
  opened->stored = false;
  if (wrong)
    hd_mpi_misuse(c, "with MPI_MODE_NOSTORE, but the process has changed its "
                     "part of the window");
  return !wrong;
}

/* What a fence says of accesses before it and behind it is said by all; and is it
 * true of those before it? */
static bool fence_fine(const hd_mpi_call *c, hd_mpi_opened *opened,
                       int32_t flags, hd_mpi_joiner *joiner,
                       const hd_mpi_joiner *first) {
  joiner->key = flags & (HD_MPI_NOPRECEDE | HD_MPI_NOSUCCEED);
  if (flags & ~31)
    hd_mpi_misuse(c, "%d is no assertion about a fence", flags);
  else if (joiner->key != first->key)
    hd_mpi_misuse(c, "MPI_MODE_NOPRECEDE and MPI_MODE_NOSUCCEED are for all or "
                     "for nobody");
  else if (flags & HD_MPI_NOPRECEDE &&
           hd_mpi_unfinished(c->mpi, opened->window, c->p))
    hd_mpi_misuse(c, "with MPI_MODE_NOPRECEDE, but there are accesses that it "
                     "completes");
  else if (!(flags & HD_MPI_NOPRECEDE) && opened->between != HD_NO_ID)
    overlaps(c, opened->between);
  else
    return hd_mpi_opens_part(c, opened, flags);
  return false;
}

/* Coming to a fence or to MPI_Win_free; false after a violation. */
bool hd_mpi_window_join(const hd_mpi_call *c, hd_mpi_joiner *joiner,
                        const hd_mpi_joiner *first) {
  hd_mpi_opened *opened = hd_mpi_window_of(c);
  if (!opened)
    return false;
  hd_mpi_window *w = &c->mpi->windows.data[opened->window];
  bool fence = c->call->fn == HD_LIB_MPI_Win_fence;
  hd_mpi_exposed *own = &w->parts.data[hd_mpi_comm_rank(c->mpi, w->comm, c->p)];
  if (holds_any(w, c->p) || opened->starts || own->posted) {
    hd_mpi_misuse(c, opened->starts ? "the epoch of MPI_Win_start is open"
                     : own->posted  ? "the epoch of MPI_Win_post is open"
                                    : "a lock of the window is held");
    return false;
  }
  if (!fence && hd_mpi_unfinished(c->mpi, opened->window, c->p)) {
    hd_mpi_misuse(c, "accesses to the window are not complete");
    return false;
  }
  const char *wrong =
      own->size ? hd_host_wrong(c->m, own->base, own->size, false) : NULL;
  if (wrong) {
    hd_mpi_misuse(c, "the memory of the window: %s", wrong);
    return false;
  }
  int32_t flags = fence ? hd_mpi_int(c, 0) : 0;
  if (fence && !fence_fine(c, opened, flags, joiner, first))
    return false;
  own->will_no_put = flags & HD_MPI_NOPUT;
  hd_mpi_complete(c, opened->window, HD_NO_ID);
  hd_mpi_synchronize(c->mpi, c->p);
  hd_mpi_release_window(c, opened->window, HD_NO_ID);
  opened->fence = opened->fenced = fence && !(flags & HD_MPI_NOSUCCEED);
  opened->between = HD_NO_ID;
  return true;
}

void hd_mpi_window_all_here(const hd_mpi_call *c) {
  const hd_mpi_opened *opened = hd_mpi_window_of(c);
  for (hd_vec_each(hd_mpi_exposed, e,
                   &c->mpi->windows.data[opened->window].parts))
    e->no_put = e->will_no_put;
}

bool hd_mpi_window_leave(const hd_mpi_call *c) {
  hd_mpi_synchronize(c->mpi, c->p);
  if (c->call->fn != HD_LIB_MPI_Win_free)
    return true;
  hd_mpi_opened *opened = hd_mpi_window_of(c);
  const hd_mpi_window *w = &c->mpi->windows.data[opened->window];
  uint32_t rank = hd_mpi_comm_rank(c->mpi, w->comm, c->p);
  hd_host_release(c->m, hd_mpi_watcher(opened->window, rank));
  opened->freed = true;
  if (w->shared && !hd_mpi_free_shared(c, opened->window))
    return false;
  if (opened->allocated && !hd_host_free(c->m, w->parts.data[rank].base))
    return false;
  return hd_mpi_put(c, c->call->args[0], 0);
}

void hd_mpi_window_leaks(const hd_mpi_call *c) {
  for (hd_vec_each(hd_mpi_opened, opened, &c->process->windows))
    if (!opened->freed)
      hd_mpi_leak(c, opened->edge, "the window is never freed");
}

/* --- locks --- */

/* The rank that a lock, unlock or flush names; HD_NO_ID = all. */
static uint32_t named_rank(const hd_mpi_call *c) {
  switch (c->call->fn) {
  case HD_LIB_MPI_Win_lock:
    return (uint32_t)hd_mpi_int(c, 1);
  case HD_LIB_MPI_Win_unlock:
  case HD_LIB_MPI_Win_flush:
  case HD_LIB_MPI_Win_flush_local:
    return (uint32_t)hd_mpi_int(c, 0);
  default:
    return HD_NO_ID;
  }
}

static bool lock_free(const hd_mpi_exposed *e, bool exclusive) {
  return !e->holder && !(exclusive && e->shared);
}

static void take_lock(hd_mpi *mpi, uint32_t p, hd_mpi_exposed *e,
                      bool exclusive) {
  mpi->processes[p].known |= exclusive ? e->after_all : e->after_exclusive;
  hd_mpi_synchronize(mpi, p);
  if (exclusive)
    e->holder = p + 1;
  else
    e->shared |= hd_mpi_bit(p);
}

static bool is_lock(hd_library_fn fn) {
  return fn == HD_LIB_MPI_Win_lock || fn == HD_LIB_MPI_Win_lock_all;
}

static bool wants_exclusive(const hd_mpi_call *c) {
  return c->call->fn == HD_LIB_MPI_Win_lock &&
         hd_mpi_int(c, 0) == LOCK_EXCLUSIVE;
}

static bool unchecked(const hd_mpi_call *c) {
  return hd_mpi_int(c, c->call->fn == HD_LIB_MPI_Win_lock ? 2 : 0) &
         HD_MPI_NOCHECK;
}

/* The lock of rank `i` is given up. Who still waits for it wants it meanwhile,
 * which MPI_MODE_NOCHECK of either side denies. False after a violation. */
static bool nobody_wanted(const hd_mpi_call *c, uint32_t window, uint32_t i) {
  const hd_mpi_exposed *e = &c->mpi->windows.data[window].parts.data[i];
  for (uint32_t q = 0; q < c->mpi->n; q++) {
    hd_mpi_call other = hd_mpi_call_of(c->mpi, q);
    if (q == c->p || !other.process->at_call || !is_lock(other.call->fn))
      continue;
    const hd_mpi_opened *opened = hd_mpi_window_of(&other);
    uint32_t rank = named_rank(&other);
    if (opened && opened->window == window && (rank == HD_NO_ID || rank == i) &&
        !lock_free(e, wants_exclusive(&other)) &&
        (unchecked(&other) || e->nocheck & hd_mpi_bit(c->p))) {
      hd_mpi_misuse(c,
                    "process %u wants the lock meanwhile, in spite of "
                    "MPI_MODE_NOCHECK",
                    q);
      return false;
    }
  }
  return true;
}

static void drop_lock(hd_mpi *mpi, uint32_t p, hd_mpi_exposed *e) {
  e->nocheck &= ~hd_mpi_bit(p);
  hd_mpi_synchronize(mpi, p);
  uint64_t known = mpi->processes[p].known;
  e->after_all |= known;
  if (e->holder == p + 1) {
    e->after_exclusive |= known;
    e->holder = 0;
  }
  e->shared &= ~hd_mpi_bit(p);
}

static void arrive_lock(const hd_mpi_call *c) {
  hd_mpi_opened *opened = hd_mpi_window_of(c);
  if (!opened)
    return;
  const hd_mpi_window *w = &c->mpi->windows.data[opened->window];
  uint32_t rank = named_rank(c), n = (uint32_t)w->parts.size;
  if (rank != HD_NO_ID && rank >= n) {
    hd_mpi_misuse(c, "there is no rank %d among %u processes", (int32_t)rank,
                  n);
    return;
  }
  bool held = true, any = false;
  for (uint32_t i = 0; i < n; i++)
    if (rank == HD_NO_ID || i == rank) {
      held = held && hd_mpi_holds(w, i, c->p);
      any = any || hd_mpi_holds(w, i, c->p);
    }
  bool flushes = c->call->fn == HD_LIB_MPI_Win_flush_all ||
                 c->call->fn == HD_LIB_MPI_Win_flush_local_all;
  if (is_lock(c->call->fn) ? any : flushes ? !any : !held) {
    hd_mpi_misuse(c, is_lock(c->call->fn) ? "the lock is held already"
                                          : "there is no lock");
    return;
  }
  if (is_lock(c->call->fn) && hd_mpi_unfinished(c->mpi, opened->window, c->p)) {
    hd_mpi_misuse(c, "accesses after a fence are not complete");
    return;
  }
  int32_t flags =
      is_lock(c->call->fn)
          ? hd_mpi_int(c, c->call->fn == HD_LIB_MPI_Win_lock ? 2 : 0)
          : 0;
  if (flags & ~HD_MPI_NOCHECK) {
    hd_mpi_misuse(c, "%d is no assertion about a lock", flags);
    return;
  }
  if (is_lock(c->call->fn) && opened->starts) {
    hd_mpi_misuse(c, "the epoch of MPI_Win_start is open");
    return;
  }
  if (is_lock(c->call->fn)) {
    opened->fence = false;
    opened->opens = c->call->edge;
  }
  c->process->at_call = true;
}

static void move_lock(const hd_mpi_call *c) {
  const hd_mpi_opened *opened = hd_mpi_window_of(c);
  hd_mpi_window *w = &c->mpi->windows.data[opened->window];
  uint32_t rank = named_rank(c);
  hd_library_fn fn = c->call->fn;
  bool local =
      fn == HD_LIB_MPI_Win_flush_local || fn == HD_LIB_MPI_Win_flush_local_all;
  bool unlocks = fn == HD_LIB_MPI_Win_unlock || fn == HD_LIB_MPI_Win_unlock_all;
  for (uint32_t i = 0; i < w->parts.size; i++) {
    if (rank != HD_NO_ID && rank != i)
      continue;
    if (is_lock(fn) && w->parts.data[i].posted) {
      hd_mpi_misuse(c, "rank %u exposes the window with MPI_Win_post", i);
      return;
    }
    if (is_lock(fn)) {
      take_lock(c->mpi, c->p, &w->parts.data[i], wants_exclusive(c));
      if (unchecked(c))
        w->parts.data[i].nocheck |= hd_mpi_bit(c->p);
      continue;
    }
    if (!local)
      hd_mpi_complete(c, opened->window,
                      c->mpi->comms.data[w->comm].members.data[i]);
    hd_mpi_release_window(c, opened->window, i);
    if (unlocks && !nobody_wanted(c, opened->window, i))
      return;
    if (unlocks)
      drop_lock(c->mpi, c->p, &w->parts.data[i]);
  }
  hd_mpi_return(c);
}

static void move_sync(const hd_mpi_call *c) {
  const hd_mpi_opened *opened = hd_mpi_window_of(c);
  if (!holds_any(&c->mpi->windows.data[opened->window], c->p)) {
    hd_mpi_refuse(c, "without a lock of the window, which not all versions of "
                     "the standard allow: this is not supported");
    return;
  }
  hd_mpi_synchronize(c->mpi, c->p);
  hd_mpi_return(c);
}

/* --- calls --- */

bool hd_mpi_is_window(hd_library_fn fn) {
  switch (fn) {
  case HD_LIB_MPI_Win_lock:
  case HD_LIB_MPI_Win_unlock:
  case HD_LIB_MPI_Win_lock_all:
  case HD_LIB_MPI_Win_unlock_all:
  case HD_LIB_MPI_Win_flush:
  case HD_LIB_MPI_Win_flush_all:
  case HD_LIB_MPI_Win_flush_local:
  case HD_LIB_MPI_Win_flush_local_all:
    return true;
  default:
    return hd_mpi_is_access(fn) || hd_mpi_is_epoch(fn);
  }
}

bool hd_mpi_window_arrive(const hd_mpi_call *c) {
  switch (c->call->fn) {
  case HD_LIB_MPI_Win_sync: /* the two copies of a window are one here */
    if (hd_mpi_window_of(c))
      move_sync(c);
    return true;
  case HD_LIB_MPI_Win_shared_query:
    hd_mpi_query_shared(c);
    return true;
  case HD_LIB_MPI_Win_set_errhandler:
  case HD_LIB_MPI_Win_set_name:
    if (hd_mpi_window_of(c))
      hd_mpi_return(c);
    return true;
  default:
    if (!hd_mpi_is_window(c->call->fn))
      return false;
    if (hd_mpi_is_access(c->call->fn))
      hd_mpi_arrive_access(c);
    else if (hd_mpi_is_epoch(c->call->fn))
      hd_mpi_arrive_epoch(c);
    else
      arrive_lock(c);
    return true;
  }
}

void hd_mpi_window_enabled(const hd_mpi *mpi, uint32_t p, hd_mpi_enabled *out) {
  hd_mpi_call c = hd_mpi_call_of((hd_mpi *)(uintptr_t)mpi, p);
  if (hd_mpi_is_epoch(c.call->fn)) {
    hd_mpi_epoch_enabled(mpi, p, out);
    return;
  }
  if (hd_mpi_is_access(c.call->fn)) {
    const hd_mpi_opened *opened = hd_mpi_window_of(&c);
    uint32_t rank = (uint32_t)hd_mpi_access_rank(&c);
    if (hd_mpi_started(mpi, opened, rank) &&
        !hd_mpi_posted(mpi, opened, rank, p))
      return;
  }
  if (is_lock(c.call->fn)) {
    const hd_mpi_opened *opened = hd_mpi_window_of(&c);
    const hd_mpi_window *w = &mpi->windows.data[opened->window];
    for (uint32_t i = 0; i < w->parts.size; i++)
      if ((named_rank(&c) == HD_NO_ID || named_rank(&c) == i) &&
          !lock_free(&w->parts.data[i], wants_exclusive(&c)))
        return;
  }
  hd_vec_push(&out->choices, 0);
  out->free = true;
}

void hd_mpi_window_move(const hd_mpi_call *c, uint64_t choice) {
  if (hd_mpi_is_access(c->call->fn))
    hd_mpi_move_access(c);
  else if (hd_mpi_is_epoch(c->call->fn))
    hd_mpi_move_epoch(c, choice);
  else
    move_lock(c);
}

void hd_mpi_window_wait(hd_str *out, const hd_mpi *mpi, uint32_t p) {
  hd_mpi_call c = hd_mpi_call_of((hd_mpi *)(uintptr_t)mpi, p);
  const hd_mpi_opened *opened = hd_mpi_window_of(&c);
  const hd_mpi_window *w = &mpi->windows.data[opened->window];
  if (!is_lock(c.call->fn)) {
    hd_mpi_epoch_wait(out, mpi, p);
    return;
  }
  for (uint32_t i = 0; i < w->parts.size; i++)
    if (w->parts.data[i].holder) {
      hd_str_printf(out, "the lock of a window that %u holds",
                    w->parts.data[i].holder - 1);
      return;
    }
  hd_str_puts(out, "the lock of a window");
}
