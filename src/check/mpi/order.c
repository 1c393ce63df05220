/* SPDX-License-Identifier: MIT */
/* Accesses to windows, and who knows that they are over.
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
 * does not know the old one does not know the new one either. */
#include "check/mpi/window.h"

typedef hd_vec(uint64_t *) words;

/* Every word that says what is known, but for that of process `but`. */
static void known_words(const hd_mpi *from, uint32_t but, words *out) {
  hd_mpi *mpi = (hd_mpi *)(uintptr_t)from;
  for (uint32_t p = 0; p < mpi->n; p++)
    if (p != but) {
      hd_vec_push(out, &mpi->processes[p].known);
      hd_vec_push(out, &mpi->processes[p].seen);
    }
  for (hd_vec_each(hd_mpi_message, m, &mpi->queue))
    hd_vec_push(out, &m->known);
  for (hd_vec_each(hd_mpi_comm, comm, &mpi->comms))
    for (size_t k = 0; k < comm->meetings.size; k++)
      for (hd_vec_each(hd_mpi_joiner, j, &comm->meetings.data[k]->joiners))
        hd_vec_push(out, &j->known);
  for (hd_vec_each(hd_mpi_window, w, &mpi->windows))
    for (hd_vec_each(hd_mpi_exposed, e, &w->parts)) {
      hd_vec_push(out, &e->after_exclusive);
      hd_vec_push(out, &e->after_all);
      hd_vec_push(out, &e->at_post);
      hd_vec_push(out, &e->at_complete);
    }
}

/* Nobody knows access `i` (any more). */
static void unlearn(hd_mpi *mpi, uint32_t i) {
  words all = {0};
  known_words(mpi, HD_NO_ID, &all);
  for (size_t k = 0; k < all.size; k++)
    *all.data[k] &= ~hd_mpi_bit(i);
  hd_vec_free(&all);
}

/* What accesses are sorted by, so that their order says nothing about the past. */
static int compare(const hd_mpi_access *a, const hd_mpi_access *b) {
  const uint64_t keys[][2] = {
      {!a->used, !b->used},
      {a->origin, b->origin},
      {a->target, b->target},
      {a->space, b->space},
      {a->window, b->window},
      {a->address, b->address},
      {a->size, b->size},
      {a->pending, b->pending},
      {a->updates, b->updates},
      {a->accumulates, b->accumulates},
      {a->plain, b->plain},
      {a->synced, b->synced},
      {(uint64_t)a->op, (uint64_t)b->op},
  };
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (keys[i][0] != keys[i][1])
      return keys[i][0] < keys[i][1] ? -1 : 1;
  return 0;
}

static void sort_accesses(hd_mpi *mpi) {
  words all = {0};
  for (uint32_t i = 1; i < HD_MPI_ACCESSES; i++)
    for (uint32_t k = i;
         k && compare(&mpi->accesses[k - 1], &mpi->accesses[k]) > 0; k--) {
      hd_mpi_access access = mpi->accesses[k];
      mpi->accesses[k] = mpi->accesses[k - 1];
      mpi->accesses[k - 1] = access;
      if (!all.size)
        known_words(mpi, HD_NO_ID, &all);
      for (size_t w = 0; w < all.size; w++) {
        uint64_t two = *all.data[w] >> (k - 1) & 3;
        *all.data[w] &= ~((uint64_t)3 << (k - 1));
        *all.data[w] |= (two >> 1 | (two & 1) << 1) << (k - 1);
      }
    }
  hd_vec_free(&all);
}

/* What everybody knows is forgotten. */
void hd_mpi_forget(hd_mpi *mpi) {
  for (uint32_t i = 0; mpi->windows.size && i < HD_MPI_ACCESSES; i++) {
    hd_mpi_access *a = &mpi->accesses[i];
    bool all = a->used && !a->pending;
    all = all && a->plain == a->synced;
    for (uint32_t p = 0; all && p < mpi->n; p++)
      all =
          mpi->processes[p].ended || (mpi->processes[p].known & hd_mpi_bit(i) &&
                                      (!a->plain || a->origin == p ||
                                       mpi->processes[p].seen & hd_mpi_bit(i)));
    if (!all)
      continue;
    *a = (hd_mpi_access){0};
    unlearn(mpi, i);
  }
  if (mpi->windows.size)
    sort_accesses(mpi);
}

static bool clash(const hd_mpi_access *a, const hd_mpi_access *b) {
  if (a->space != b->space || a->address >= b->address + b->size ||
      b->address >= a->address + a->size || !(a->updates || b->updates))
    return false;
  return !(a->accumulates && b->accumulates &&
           (a->op == b->op || a->op == HD_MPI_NO_OP || b->op == HD_MPI_NO_OP));
}

/* Do they differ in the bytes only? */
static bool alike(const hd_mpi_access *a, const hd_mpi_access *b) {
  return a->origin == b->origin && a->target == b->target &&
         a->space == b->space && a->synced == b->synced &&
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
  words all = {0};
  bool none = true;
  known_words(mpi, p, &all);
  for (size_t k = 0; k < all.size && none; k++)
    none = !(*all.data[k] & hd_mpi_bit(access));
  hd_vec_free(&all);
  return none;
}

static void extend(hd_mpi_access *a, const hd_mpi_access *by) {
  uint64_t end = a->address + a->size, last = by->address + by->size;
  a->address = a->address < by->address ? a->address : by->address;
  a->size = (end > last ? end : last) - a->address;
  a->edge = by->edge;
}

/* The process knows that the access is over: is it, with memory that is shared?
 * False when it was refused. */
static bool carried_out(hd_mpi *mpi, const hd_mpi_call *c, uint32_t i,
                        const hd_mpi_access *a) {
  const hd_mpi_access *old = &mpi->accesses[i];
  if (!old->plain || old->origin == a->origin ||
      (old->synced &&
       (!a->plain || mpi->processes[a->origin].seen & hd_mpi_bit(i))))
    return true;
  hd_mpi_call here = hd_mpi_call_of(mpi, a->origin);
  hd_mpi_refuse(c ? c : &here,
                "shared memory that another process has used, without "
                "MPI_Win_sync of both in between: this is not supported");
  return false;
}

bool hd_mpi_add_access(hd_mpi *mpi, const hd_mpi_call *c, hd_mpi_access a) {
  uint32_t window;
  a.space = a.target;
  if (hd_mpi_in_shared(mpi, a.target, a.address, &window, &a.address)) {
    a.space = HD_MPI_SHARED + window;
    a.plain = a.origin == a.target && !a.pending;
  }
  hd_mpi_process *process = &mpi->processes[a.origin];
  uint32_t at = HD_NO_ID, next = HD_NO_ID;
  for (uint32_t i = 0; i < HD_MPI_ACCESSES; i++) {
    const hd_mpi_access *old = &mpi->accesses[i];
    if (!old->used) {
      at = at == HD_NO_ID ? i : at;
      continue;
    }
    if (clash(old, &a) && !(process->known & hd_mpi_bit(i))) {
      hd_str place = {0};
      hd_code_print_pos(&place, mpi->code,
                        mpi->code->edges.data[old->edge].pos);
      hd_mpi_violate(mpi, a.origin, HD_PROPERTY_MPI, a.edge,
                     "the %s of memory of %u%s is not ordered with the %s by "
                     "%u at %s",
                     a.updates ? "update" : "reading", a.target,
                     a.plain ? ", which is shared," : "",
                     old->updates ? "update" : "reading", old->origin,
                     hd_str_text(&place));
      hd_str_free(&place);
      return false;
    }
    if (clash(old, &a) && !carried_out(mpi, c, i, &a))
      return false;
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
  unlearn(mpi, at);
  a.used = true;
  mpi->accesses[at] = a;
  if (!a.pending)
    process->known |= hd_mpi_bit(at);
  return true;
}

/* The process has changed its part of a window. */
static void note_store(hd_mpi *mpi, uint32_t p, uint64_t address,
                       uint64_t size) {
  for (hd_vec_each(hd_mpi_opened, opened, &mpi->processes[p].windows)) {
    const hd_mpi_window *w = &mpi->windows.data[opened->window];
    const hd_mpi_exposed *e = &w->parts.data[hd_mpi_comm_rank(mpi, w->comm, p)];
    if (address < e->base + e->size && e->base < address + size)
      opened->stored = true;
  }
  uint32_t window;
  uint64_t offset;
  if (hd_mpi_in_shared(mpi, p, address, &window, &offset))
    hd_mpi_spread(mpi, p, window, offset, size);
}

void hd_mpi_touches(hd_mpi *mpi, uint32_t p) {
  uint64_t address, size;
  bool write, atomic;
  hd_edge_id edge;
  while (hd_mpi_runs(mpi) &&
         hd_host_touched(mpi->processes[p].machine, &address, &size, &write,
                         &atomic, &edge)) {
    uint32_t window;
    uint64_t offset;
    if (atomic && hd_mpi_in_shared(mpi, p, address, &window, &offset)) {
      hd_mpi_call here = hd_mpi_call_of(mpi, p);
      hd_mpi_refuse(&here, "atomic accesses to shared memory: this is not "
                           "supported");
      return;
    }
    if (write)
      note_store(mpi, p, address, size);
    if (!hd_mpi_add_access(mpi, NULL,
                           (hd_mpi_access){.origin = p,
                                           .target = p,
                                           .address = address,
                                           .size = size,
                                           .updates = write,
                                           .edge = edge}))
      return;
  }
}

/* Access `i` is complete now. One of the same kind to the same bytes that was
 * complete before says nothing more: who knows the new one knows it, too. */
static void take_place(hd_mpi *mpi, uint32_t i) {
  const hd_mpi_access *new = &mpi->accesses[i];
  for (uint32_t k = 0; k < HD_MPI_ACCESSES; k++) {
    hd_mpi_access *old = &mpi->accesses[k];
    if (k == i || !old->used || old->pending || !alike(old, new) ||
        (new->accumulates && old->op != new->op) ||
        old->address < new->address ||
        old->address + old->size > new->address + new->size)
      continue;
    *old = (hd_mpi_access){0};
    unlearn(mpi, k);
  }
}

void hd_mpi_synchronize(hd_mpi *mpi, uint32_t p) {
  for (uint32_t i = 0; i < HD_MPI_ACCESSES; i++) {
    hd_mpi_access *a = &mpi->accesses[i];
    /* Who was told before was told too early. */
    if (a->used && a->plain && a->origin == p && alone(mpi, i, p))
      a->synced = true;
  }
  mpi->processes[p].seen |= mpi->processes[p].known;
}

void hd_mpi_complete(const hd_mpi_call *c, uint32_t window, uint32_t target) {
  for (uint32_t i = 0; i < HD_MPI_ACCESSES; i++) {
    hd_mpi_access *a = &c->mpi->accesses[i];
    if (!a->used || !a->pending || a->origin != c->p || a->window != window ||
        (target != HD_NO_ID && a->target != target))
      continue;
    a->pending = false;
    c->process->known |= hd_mpi_bit(i);
    take_place(c->mpi, i);
  }
}

bool hd_mpi_unfinished(const hd_mpi *mpi, uint32_t window, uint32_t p) {
  for (uint32_t i = 0; i < HD_MPI_ACCESSES; i++)
    if (mpi->accesses[i].used && mpi->accesses[i].pending &&
        mpi->accesses[i].window == window && mpi->accesses[i].origin == p)
      return true;
  return false;
}
