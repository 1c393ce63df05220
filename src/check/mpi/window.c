/* SPDX-License-Identifier: MIT */
/* One-sided communication: windows, MPI_Put and the like, fences and locks.
 *
 * An access changes memory at once, when the process makes the call: what MPI
 * leaves open is when, and a program for which that matters has two accesses to
 * the same bytes that nothing orders. Those are violations, found by this
 * relation: an access is *known* to a process when it is complete and what tells
 * the process so has reached it: a message, a collective call, a lock of the same
 * window. Two accesses of the same bytes by different operations, one of them an
 * update, are in conflict unless the first is known to the process of the second
 * when it begins; updates of MPI_Accumulate with one operation are not. Accesses
 * by the target's own loads and stores count like complete ones.
 *
 * Accesses are bits of a word: process->known, and what messages and meetings
 * carry. One that everybody knows is forgotten. An access of a process to bytes
 * that it accessed in the same way before takes the place of the old one: who
 * does not know the old one does not know the new one either.
 *
 * The buffer of the origin belongs to the access (hd_mpi_claim) until the epoch
 * ends, or it is flushed. */
#include "check/mpi/state.h"

enum { LOCK_EXCLUSIVE = 1, NOSUCCEED = 16, OP_REPLACE = 13, OP_NO_OP = 14 };
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

static uint32_t owner_of(uint32_t window, uint32_t rank) {
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
    return 0;
  case HD_LIB_MPI_Win_fence:
  case HD_LIB_MPI_Win_lock_all:
  case HD_LIB_MPI_Win_unlock:
  case HD_LIB_MPI_Win_flush:
  case HD_LIB_MPI_Win_flush_local:
    return 1;
  case HD_LIB_MPI_Win_lock:
    return 3;
  case HD_LIB_MPI_Fetch_and_op:
    return 6;
  case HD_LIB_MPI_Put:
  case HD_LIB_MPI_Get:
    return 7;
  case HD_LIB_MPI_Accumulate:
    return 8;
  default:
    return 11; /* MPI_Get_accumulate */
  }
}

static hd_mpi_opened *window_of(const hd_mpi_call *c) {
  int32_t handle = hd_mpi_int(c, window_argument(c->call->fn));
  if (c->call->fn == HD_LIB_MPI_Win_free &&
      !hd_mpi_get(c, c->call->args[0], "the window", &handle))
    return NULL;
  return opened_of(c, (uint32_t)handle);
}

uint32_t hd_mpi_window_comm(const hd_mpi_call *c) {
  const hd_mpi_opened *opened = window_of(c);
  return opened ? c->mpi->windows.data[opened->window].comm : HD_NO_ID;
}

/* --- who knows what --- */

static uint64_t bit(uint32_t i) {
  return (uint64_t)1 << i;
}

/* What everybody knows is forgotten. */
void hd_mpi_forget(hd_mpi *mpi) {
  for (uint32_t i = 0; mpi->windows.size && i < HD_MPI_ACCESSES; i++) {
    hd_mpi_access *a = &mpi->accesses[i];
    bool all = a->used && !a->pending;
    for (uint32_t p = 0; all && p < mpi->n; p++)
      all = mpi->processes[p].ended || mpi->processes[p].known & bit(i);
    if (!all)
      continue;
    uint64_t rest = ~bit(i);
    *a = (hd_mpi_access){0};
    for (uint32_t p = 0; p < mpi->n; p++)
      mpi->processes[p].known &= rest;
    for (hd_vec_each(hd_mpi_message, m, &mpi->queue))
      m->known &= rest;
    for (hd_vec_each(hd_mpi_comm, comm, &mpi->comms))
      for (size_t k = 0; k < comm->meetings.size; k++)
        for (hd_vec_each(hd_mpi_joiner, j, &comm->meetings.data[k]->joiners))
          j->known &= rest;
    for (hd_vec_each(hd_mpi_window, w, &mpi->windows))
      for (hd_vec_each(hd_mpi_exposed, e, &w->parts)) {
        e->after_exclusive &= rest;
        e->after_all &= rest;
      }
  }
}

/* The accesses of a process to a window that are not complete are it now;
 * `target`: those to this process, or HD_NO_ID for all. */
static void complete(const hd_mpi_call *c, uint32_t window, uint32_t target) {
  for (uint32_t i = 0; i < HD_MPI_ACCESSES; i++) {
    hd_mpi_access *a = &c->mpi->accesses[i];
    if (!a->used || !a->pending || a->origin != c->p || a->window != window ||
        (target != HD_NO_ID && a->target != target))
      continue;
    a->pending = false;
    c->process->known |= bit(i);
  }
}

static void release(const hd_mpi_call *c, uint32_t window, uint32_t rank) {
  uint32_t n = (uint32_t)c->mpi->windows.data[window].parts.size;
  for (uint32_t i = 0; i < n; i++)
    if (rank == HD_NO_ID || rank == i)
      hd_host_release(c->m, owner_of(window, i));
}

static bool clash(const hd_mpi_access *a, const hd_mpi_access *b) {
  if (a->target != b->target || a->address >= b->address + b->size ||
      b->address >= a->address + a->size || !(a->updates || b->updates))
    return false;
  return !(a->accumulates && b->accumulates &&
           (a->op == b->op || a->op == OP_NO_OP || b->op == OP_NO_OP));
}

/* Do they differ in the bytes only? */
static bool alike(const hd_mpi_access *a, const hd_mpi_access *b) {
  return a->origin == b->origin && a->target == b->target &&
         a->updates == b->updates && a->accumulates == b->accumulates &&
         a->pending == b->pending &&
         (!a->pending || (a->window == b->window && a->op == b->op));
}

static bool touch(const hd_mpi_access *a, const hd_mpi_access *b) {
  return a->address <= b->address + b->size &&
         b->address <= a->address + a->size;
}

/* Does nobody else know it, now or by what is under way? Then what its process
 * does next to it is known to the same processes. */
static bool alone(const hd_mpi *mpi, uint32_t access, uint32_t p) {
  for (uint32_t q = 0; q < mpi->n; q++)
    if (q != p && mpi->processes[q].known & bit(access))
      return false;
  for (hd_vec_each(hd_mpi_message, m, &mpi->queue))
    if (m->known & bit(access))
      return false;
  for (hd_vec_each(hd_mpi_comm, comm, &mpi->comms))
    for (size_t k = 0; k < comm->meetings.size; k++)
      for (hd_vec_each(hd_mpi_joiner, j, &comm->meetings.data[k]->joiners))
        if (j->known & bit(access))
          return false;
  for (hd_vec_each(hd_mpi_window, w, &mpi->windows))
    for (hd_vec_each(hd_mpi_exposed, e, &w->parts))
      if ((e->after_exclusive | e->after_all) & bit(access))
        return false;
  return true;
}

static void extend(hd_mpi_access *a, const hd_mpi_access *by) {
  uint64_t end = a->address + a->size, last = by->address + by->size;
  a->address = a->address < by->address ? a->address : by->address;
  a->size = (end > last ? end : last) - a->address;
  a->edge = by->edge;
}

/* Adds an access of process `a->origin`; false after a violation. */
static bool add_access(hd_mpi *mpi, const hd_mpi_call *c, hd_mpi_access a) {
  hd_mpi_process *process = &mpi->processes[a.origin];
  uint32_t at = HD_NO_ID, next = HD_NO_ID;
  for (uint32_t i = 0; i < HD_MPI_ACCESSES; i++) {
    const hd_mpi_access *old = &mpi->accesses[i];
    if (!old->used) {
      at = at == HD_NO_ID ? i : at;
      continue;
    }
    if (clash(old, &a) && !(process->known & bit(i))) {
      hd_str place = {0};
      hd_code_print_pos(&place, mpi->code,
                        mpi->code->edges.data[old->edge].pos);
      hd_mpi_violate(mpi, a.origin, HD_PROPERTY_MPI, a.edge,
                     "the %s of memory of %u is not ordered with the %s by %u "
                     "at %s",
                     a.updates ? "update" : "reading", a.target,
                     old->updates ? "update" : "reading", old->origin,
                     hd_str_text(&place));
      hd_str_free(&place);
      return false;
    }
    if (alike(old, &a) && !a.pending && old->address == a.address &&
        old->size == a.size)
      at = i;
    else if (alike(old, &a) && touch(old, &a) && alone(mpi, i, a.origin))
      next = i;
  }
  if (next != HD_NO_ID) {
    extend(&mpi->accesses[next], &a);
    return true;
  }
  if (at == HD_NO_ID) {
    hd_mpi_call here = hd_mpi_call_of(mpi, a.origin);
    hd_mpi_refuse(
        c ? c : &here,
        "more than %d accesses to windows at a time are not supported",
        HD_MPI_ACCESSES);
    return false;
  }
  for (uint32_t p = 0; p < mpi->n; p++)
    mpi->processes[p].known &= ~bit(at);
  for (hd_vec_each(hd_mpi_message, m, &mpi->queue))
    m->known &= ~bit(at);
  for (hd_vec_each(hd_mpi_comm, comm, &mpi->comms))
    for (size_t k = 0; k < comm->meetings.size; k++)
      for (hd_vec_each(hd_mpi_joiner, j, &comm->meetings.data[k]->joiners))
        j->known &= ~bit(at);
  for (hd_vec_each(hd_mpi_window, w, &mpi->windows))
    for (hd_vec_each(hd_mpi_exposed, e, &w->parts)) {
      e->after_exclusive &= ~bit(at);
      e->after_all &= ~bit(at);
    }
  a.used = true;
  mpi->accesses[at] = a;
  if (!a.pending)
    process->known |= bit(at);
  return true;
}

void hd_mpi_touches(hd_mpi *mpi, uint32_t p) {
  uint64_t address, size;
  bool write;
  hd_edge_id edge;
  while (hd_mpi_runs(mpi) && hd_host_touched(mpi->processes[p].machine,
                                             &address, &size, &write, &edge))
    if (!add_access(mpi, NULL,
                    (hd_mpi_access){.origin = p,
                                    .target = p,
                                    .address = address,
                                    .size = size,
                                    .updates = write,
                                    .edge = edge}))
      return;
}

/* --- making and freeing --- */

/* MPI_Win_create (base, size, unit, info, comm, &win), MPI_Win_allocate (size,
 * unit, info, comm, &base, &win) */
bool hd_mpi_bring_window(const hd_mpi_call *c, hd_mpi_joiner *joiner) {
  bool create = c->call->fn == HD_LIB_MPI_Win_create;
  bool wide = c->mpi->code->pointer_width == 64;
  if (!create && c->call->fn != HD_LIB_MPI_Win_allocate)
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
  joiner->exposed.base = hd_host_alloc(c->m, joiner->exposed.size);
  return joiner->exposed.base &&
         hd_host_write(c->m, c->call->args[4], c->mpi->code->pointer_width / 8,
                       (const uint8_t *)&joiner->exposed.base, NULL);
}

void hd_mpi_make_window(hd_mpi *mpi, uint32_t comm, hd_mpi_meeting *meeting) {
  hd_mpi_window window = {.comm = comm};
  for (hd_vec_each(hd_mpi_joiner, joiner, &meeting->joiners)) {
    hd_vec_push(&window.parts, joiner->exposed);
    joiner->result = (uint32_t)mpi->windows.size;
  }
  hd_vec_push(&mpi->windows, window);
}

/* The process gets its handle. */
bool hd_mpi_give_window(const hd_mpi_call *c, const hd_mpi_joiner *joiner) {
  hd_mpi_opened opened = {.window = joiner->result, .edge = c->call->edge};
  opened.allocated = c->call->fn == HD_LIB_MPI_Win_allocate;
  hd_vec_push(&c->process->windows, opened);
  uint32_t rank =
      hd_mpi_comm_rank(c->mpi, c->mpi->windows.data[opened.window].comm, c->p);
  hd_host_watch(c->m, joiner->exposed.base, joiner->exposed.size,
                owner_of(opened.window, rank) + OWNERS);
  return hd_mpi_put(c, c->call->args[5],
                    HD_MPI_FIRST_WINDOW + (int64_t)c->process->windows.size -
                        1);
}

static bool holds(const hd_mpi_window *w, uint32_t rank, uint32_t p) {
  const hd_mpi_exposed *e = &w->parts.data[rank];
  return e->holder == p + 1 || e->shared & bit(p);
}

static bool holds_any(const hd_mpi_window *w, uint32_t p) {
  for (uint32_t i = 0; i < w->parts.size; i++)
    if (holds(w, i, p))
      return true;
  return false;
}

static bool unfinished(const hd_mpi *mpi, uint32_t window, uint32_t p) {
  for (uint32_t i = 0; i < HD_MPI_ACCESSES; i++)
    if (mpi->accesses[i].used && mpi->accesses[i].pending &&
        mpi->accesses[i].window == window && mpi->accesses[i].origin == p)
      return true;
  return false;
}

/* Coming to a fence or to MPI_Win_free; false after a violation. */
bool hd_mpi_window_join(const hd_mpi_call *c) {
  hd_mpi_opened *opened = window_of(c);
  if (!opened)
    return false;
  const hd_mpi_window *w = &c->mpi->windows.data[opened->window];
  bool fence = c->call->fn == HD_LIB_MPI_Win_fence;
  if (holds_any(w, c->p)) {
    hd_mpi_misuse(c, "a lock of the window is held");
    return false;
  }
  if (!fence && unfinished(c->mpi, opened->window, c->p)) {
    hd_mpi_misuse(c, "accesses to the window are not complete");
    return false;
  }
  const hd_mpi_exposed *own =
      &w->parts.data[hd_mpi_comm_rank(c->mpi, w->comm, c->p)];
  const char *wrong =
      own->size ? hd_host_wrong(c->m, own->base, own->size, false) : NULL;
  if (wrong) {
    hd_mpi_misuse(c, "the memory of the window: %s", wrong);
    return false;
  }
  int32_t flags = fence ? hd_mpi_int(c, 0) : 0;
  if (flags & ~31) {
    hd_mpi_misuse(c, "%d is no assertion about a fence", flags);
    return false;
  }
  complete(c, opened->window, HD_NO_ID);
  release(c, opened->window, HD_NO_ID);
  opened->fence = fence && !(flags & NOSUCCEED);
  return true;
}

bool hd_mpi_window_leave(const hd_mpi_call *c) {
  if (c->call->fn != HD_LIB_MPI_Win_free)
    return true;
  hd_mpi_opened *opened = window_of(c);
  const hd_mpi_window *w = &c->mpi->windows.data[opened->window];
  uint32_t rank = hd_mpi_comm_rank(c->mpi, w->comm, c->p);
  hd_host_release(c->m, owner_of(opened->window, rank) + OWNERS);
  opened->freed = true;
  if (opened->allocated && !hd_host_free(c->m, w->parts.data[rank].base))
    return false;
  return hd_mpi_put(c, c->call->args[0], 0);
}

void hd_mpi_window_leaks(const hd_mpi_call *c) {
  for (hd_vec_each(hd_mpi_opened, opened, &c->process->windows))
    if (!opened->freed)
      hd_mpi_leak(c, opened->edge, "the window is never freed");
}

/* --- accesses --- */

/* The arguments of a call, in one order. */
typedef struct {
  uint64_t buffer, count, type; /* of the origin: what is sent */
  uint64_t result;              /* where what was there goes to */
  uint64_t result_count, result_type;
  int32_t rank, target_count;
  int64_t disp;
  uint64_t target_type;
  int64_t op;
} transfer;

static int64_t address_argument(const hd_mpi_call *c, uint32_t i) {
  return c->mpi->code->pointer_width == 64 ? (int64_t)c->call->args[i]
                                           : hd_mpi_int(c, i);
}

static transfer transfer_of(const hd_mpi_call *c) {
  const uint64_t *a = c->call->args;
  transfer t = {.op = OP_REPLACE};
  switch (c->call->fn) {
  case HD_LIB_MPI_Fetch_and_op: /* origin, result, type, rank, disp, op, win */
    t = (transfer){.buffer = a[0],
                   .count = 1,
                   .type = a[2],
                   .result = a[1],
                   .result_count = 1,
                   .result_type = a[2],
                   .rank = hd_mpi_int(c, 3),
                   .disp = address_argument(c, 4),
                   .target_count = 1,
                   .target_type = a[2],
                   .op = hd_mpi_int(c, 5)};
    return t;
  case HD_LIB_MPI_Get_accumulate:
    t = (transfer){.buffer = a[0],
                   .count = a[1] & UINT32_MAX,
                   .type = a[2],
                   .result = a[3],
                   .result_count = a[4] & UINT32_MAX,
                   .result_type = a[5],
                   .rank = hd_mpi_int(c, 6),
                   .disp = address_argument(c, 7),
                   .target_count = hd_mpi_int(c, 8),
                   .target_type = a[9],
                   .op = hd_mpi_int(c, 10)};
    return t;
  default:
    t.rank = hd_mpi_int(c, 3);
    t.disp = address_argument(c, 4);
    t.target_count = hd_mpi_int(c, 5);
    t.target_type = a[6];
    if (c->call->fn == HD_LIB_MPI_Get) {
      t.result = a[0];
      t.result_count = a[1] & UINT32_MAX;
      t.result_type = a[2];
      t.op = OP_NO_OP;
    } else {
      t.buffer = a[0];
      t.count = a[1] & UINT32_MAX;
      t.type = a[2];
    }
    if (c->call->fn == HD_LIB_MPI_Accumulate)
      t.op = hd_mpi_int(c, 7);
    return t;
  }
}

static bool check_epoch(const hd_mpi_call *c, const hd_mpi_opened *opened,
                        const transfer *t) {
  const hd_mpi_window *w = &c->mpi->windows.data[opened->window];
  if (t->rank < 0 || (size_t)t->rank >= w->parts.size) {
    hd_mpi_misuse(c, "there is no rank %d among %zu processes", t->rank,
                  w->parts.size);
    return false;
  }
  if (opened->fence || holds(w, (uint32_t)t->rank, c->p))
    return true;
  hd_mpi_misuse(c, "outside of an epoch: no fence before it, and no lock");
  return false;
}

/* All is inside of the window and still there; writes the accesses down. */
static bool expose(const hd_mpi_call *c, const hd_mpi_opened *opened,
                   const transfer *t, const hd_machine *target,
                   uint64_t address) {
  const hd_mpi_window *w = &c->mpi->windows.data[opened->window];
  const hd_mpi_exposed *e = &w->parts.data[t->rank];
  hd_mpi_type scratch;
  hd_mpi_block one;
  const hd_mpi_type *type = hd_mpi_type_of(c, t->target_type, &scratch, &one);
  uint32_t process = c->mpi->comms.data[w->comm].members.data[t->rank];
  bool atomic = c->call->fn != HD_LIB_MPI_Put && c->call->fn != HD_LIB_MPI_Get;
  if (!type)
    return false;
  for (int32_t i = 0; i < t->target_count; i++)
    for (hd_vec_each(hd_mpi_block, block, &type->blocks)) {
      bool plain =
          type->blocks.size == 1 && (int64_t)type->size == type->extent;
      uint64_t size = block->count * hd_mpi_basic(c->mpi, block->basic)->size;
      uint64_t at = address + (uint64_t)i * (uint64_t)type->extent +
                    (uint64_t)block->offset;
      size *= plain ? (uint64_t)t->target_count : 1;
      if (at < e->base || at - e->base > e->size ||
          size > e->size - (at - e->base)) {
        hd_mpi_misuse(c,
                      "outside of the window of rank %d, which has %llu "
                      "bytes",
                      t->rank, (unsigned long long)e->size);
        return false;
      }
      const char *wrong = hd_host_wrong(target, at, size, true);
      if (wrong) {
        hd_mpi_misuse(c, "the memory of the window of rank %d: %s", t->rank,
                      wrong);
        return false;
      }
      hd_mpi_access access = {.window = opened->window,
                              .origin = c->p,
                              .target = process,
                              .address = at,
                              .size = size,
                              .pending = true,
                              .updates = t->op != OP_NO_OP,
                              .accumulates = atomic,
                              .op = t->op,
                              .edge = c->call->edge};
      if (!add_access(c->mpi, c, access))
        return false;
      if (plain)
        return true;
    }
  return true;
}

/* What was at the target before, into the origin's result. */
static bool fetch(const hd_mpi_call *c, const transfer *t, uint32_t owner,
                  const hd_mpi_data *before) {
  hd_mpi_signature room = {0};
  bool ok = hd_mpi_signature_of(c, t->result_count, t->result_type, &room);
  if (ok && !hd_mpi_signature_same(&room, &before->signature)) {
    hd_mpi_misuse(c, "the target has other types, or another length");
    ok = false;
  }
  hd_vec_free(&room);
  return ok &&
         hd_mpi_claim(c, t->result, t->result_count, t->result_type, true,
                      owner) &&
         hd_mpi_unpack(c, t->result, t->result_count, t->result_type, before);
}

/* The data of the origin, combined with what was at the target. */
static bool update(const hd_mpi_call *c, const hd_mpi_call *there,
                   const transfer *t, uint64_t address, uint32_t owner,
                   const hd_mpi_data *before) {
  hd_mpi_data *data = hd_mpi_pack(c, t->buffer, t->count, t->type);
  if (!data)
    return false;
  bool ok = true;
  if (!hd_mpi_signature_same(&data->signature, &before->signature)) {
    hd_mpi_misuse(c, "the target has other types, or another length");
    ok = false;
  } else if (t->op != OP_REPLACE) {
    if (t->op < 1 || t->op > 12 ||
        !hd_mpi_op_fits(c->mpi, t->op, &data->signature)) {
      hd_mpi_misuse(c, "%lld is no operation for this", (long long)t->op);
      ok = false;
    } else {
      hd_mpi_data *sum =
          hd_mpi_data_part(c->mpi, before, 0, before->bytes.size);
      hd_mpi_reduce(c->mpi, t->op, sum, data);
      hd_mpi_data_drop(data);
      data = sum;
    }
  }
  ok = ok && hd_mpi_claim(c, t->buffer, t->count, t->type, false, owner) &&
       hd_mpi_claim(there, address, (uint64_t)t->target_count, t->target_type,
                    true, HD_NO_ID) &&
       hd_mpi_unpack(there, address, (uint64_t)t->target_count, t->target_type,
                     data);
  hd_mpi_data_drop(data);
  return ok;
}

static void move_access(const hd_mpi_call *c) {
  const hd_mpi_opened *opened = window_of(c);
  transfer t = transfer_of(c);
  if (!opened)
    return;
  const hd_mpi_window *w = &c->mpi->windows.data[opened->window];
  uint32_t target = c->mpi->comms.data[w->comm].members.data[t.rank];
  hd_mpi_call there = *c;
  there.m = c->mpi->processes[target].machine;
  const hd_mpi_exposed *e = &w->parts.data[t.rank];
  uint64_t address = e->base + (uint64_t)(t.disp * e->unit);
  uint32_t owner = owner_of(opened->window, (uint32_t)t.rank);
  if (!t.target_count) {
    hd_mpi_return(c);
    return;
  }
  if (!expose(c, opened, &t, there.m, address))
    return;
  hd_mpi_data *before =
      hd_mpi_pack(&there, address, (uint64_t)t.target_count, t.target_type);
  bool ok = before && (!t.result_type || fetch(c, &t, owner, before)) &&
            (t.op == OP_NO_OP || update(c, &there, &t, address, owner, before));
  hd_mpi_data_drop(before);
  if (!ok)
    return;
  hd_mpi_tell(c->mpi, HD_MPI_CALLS, c->p, target, "%s memory of %u",
              t.op == OP_NO_OP ? "reads" : "changes", target);
  hd_mpi_return(c);
}

static bool fine_type(const hd_mpi_call *c, uint64_t type) {
  hd_mpi_signature signature = {0};
  bool ok = hd_mpi_signature_of(c, 1, type, &signature);
  hd_vec_free(&signature);
  return ok;
}

static void arrive_access(const hd_mpi_call *c) {
  const hd_mpi_opened *opened = window_of(c);
  transfer t = transfer_of(c);
  if (!opened)
    return;
  if (t.target_count < 0 || (int32_t)t.count < 0 ||
      (int32_t)t.result_count < 0) {
    hd_mpi_misuse(c, "a count is negative");
    return;
  }
  if (!fine_type(c, t.target_type) ||
      (t.result && !fine_type(c, t.result_type)) ||
      (t.op != OP_NO_OP && !fine_type(c, t.type)))
    return;
  if (t.rank == HD_MPI_PROC_NULL)
    hd_mpi_return(c);
  else if (check_epoch(c, opened, &t))
    c->process->at_call = true;
}

/* --- locks --- */

static bool lock_free(const hd_mpi_exposed *e, bool exclusive) {
  return !e->holder && !(exclusive && e->shared);
}

static void take_lock(hd_mpi *mpi, uint32_t p, hd_mpi_exposed *e,
                      bool exclusive) {
  mpi->processes[p].known |= exclusive ? e->after_all : e->after_exclusive;
  if (exclusive)
    e->holder = p + 1;
  else
    e->shared |= bit(p);
}

static void drop_lock(hd_mpi *mpi, uint32_t p, hd_mpi_exposed *e) {
  uint64_t known = mpi->processes[p].known;
  e->after_all |= known;
  if (e->holder == p + 1) {
    e->after_exclusive |= known;
    e->holder = 0;
  }
  e->shared &= ~bit(p);
}

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

static bool is_lock(hd_library_fn fn) {
  return fn == HD_LIB_MPI_Win_lock || fn == HD_LIB_MPI_Win_lock_all;
}

static void arrive_lock(const hd_mpi_call *c) {
  hd_mpi_opened *opened = window_of(c);
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
      held = held && holds(w, i, c->p);
      any = any || holds(w, i, c->p);
    }
  bool flushes = c->call->fn == HD_LIB_MPI_Win_flush_all ||
                 c->call->fn == HD_LIB_MPI_Win_flush_local_all;
  if (is_lock(c->call->fn) ? any : flushes ? !any : !held) {
    hd_mpi_misuse(c, is_lock(c->call->fn) ? "the lock is held already"
                                          : "there is no lock");
    return;
  }
  if (is_lock(c->call->fn) && unfinished(c->mpi, opened->window, c->p)) {
    hd_mpi_misuse(c, "accesses after a fence are not complete");
    return;
  }
  if (is_lock(c->call->fn))
    opened->fence = false;
  c->process->at_call = true;
}

static bool wants_exclusive(const hd_mpi_call *c) {
  return c->call->fn == HD_LIB_MPI_Win_lock &&
         hd_mpi_int(c, 0) == LOCK_EXCLUSIVE;
}

static void move_lock(const hd_mpi_call *c) {
  const hd_mpi_opened *opened = window_of(c);
  hd_mpi_window *w = &c->mpi->windows.data[opened->window];
  uint32_t rank = named_rank(c);
  hd_library_fn fn = c->call->fn;
  bool local =
      fn == HD_LIB_MPI_Win_flush_local || fn == HD_LIB_MPI_Win_flush_local_all;
  bool unlocks = fn == HD_LIB_MPI_Win_unlock || fn == HD_LIB_MPI_Win_unlock_all;
  for (uint32_t i = 0; i < w->parts.size; i++) {
    if (rank != HD_NO_ID && rank != i)
      continue;
    if (is_lock(fn)) {
      take_lock(c->mpi, c->p, &w->parts.data[i], wants_exclusive(c));
      continue;
    }
    if (!local)
      complete(c, opened->window, c->mpi->comms.data[w->comm].members.data[i]);
    release(c, opened->window, i);
    if (unlocks)
      drop_lock(c->mpi, c->p, &w->parts.data[i]);
  }
  hd_mpi_return(c);
}

/* --- calls --- */

static bool is_access(hd_library_fn fn) {
  return fn == HD_LIB_MPI_Put || fn == HD_LIB_MPI_Get ||
         fn == HD_LIB_MPI_Accumulate || fn == HD_LIB_MPI_Get_accumulate ||
         fn == HD_LIB_MPI_Fetch_and_op;
}

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
    return is_access(fn);
  }
}

bool hd_mpi_window_arrive(const hd_mpi_call *c) {
  switch (c->call->fn) {
  case HD_LIB_MPI_Win_sync: /* the two copies of a window are one here */
  case HD_LIB_MPI_Win_set_errhandler:
  case HD_LIB_MPI_Win_set_name:
    if (window_of(c))
      hd_mpi_return(c);
    return true;
  default:
    if (!hd_mpi_is_window(c->call->fn))
      return false;
    if (is_access(c->call->fn))
      arrive_access(c);
    else
      arrive_lock(c);
    return true;
  }
}

void hd_mpi_window_enabled(const hd_mpi *mpi, uint32_t p, hd_mpi_enabled *out) {
  hd_mpi_call c = hd_mpi_call_of((hd_mpi *)(uintptr_t)mpi, p);
  if (is_lock(c.call->fn)) {
    const hd_mpi_opened *opened = window_of(&c);
    const hd_mpi_window *w = &mpi->windows.data[opened->window];
    for (uint32_t i = 0; i < w->parts.size; i++)
      if ((named_rank(&c) == HD_NO_ID || named_rank(&c) == i) &&
          !lock_free(&w->parts.data[i], wants_exclusive(&c)))
        return;
  }
  hd_vec_push(&out->choices, 0);
  out->free = true;
}

void hd_mpi_window_move(const hd_mpi_call *c) {
  if (is_access(c->call->fn))
    move_access(c);
  else
    move_lock(c);
}

void hd_mpi_window_wait(hd_str *out, const hd_mpi *mpi, uint32_t p) {
  hd_mpi_call c = hd_mpi_call_of((hd_mpi *)(uintptr_t)mpi, p);
  const hd_mpi_opened *opened = window_of(&c);
  const hd_mpi_window *w = &mpi->windows.data[opened->window];
  for (uint32_t i = 0; i < w->parts.size; i++)
    if (w->parts.data[i].holder) {
      hd_str_printf(out, "the lock of a window that %u holds",
                    w->parts.data[i].holder - 1);
      return;
    }
  hd_str_puts(out, "the lock of a window");
}
