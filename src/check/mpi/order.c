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
    if (p != but)
      hd_vec_push(out, &mpi->processes[p].known);
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

/* What everybody knows is forgotten. */
void hd_mpi_forget(hd_mpi *mpi) {
  for (uint32_t i = 0; mpi->windows.size && i < HD_MPI_ACCESSES; i++) {
    hd_mpi_access *a = &mpi->accesses[i];
    bool all = a->used && !a->pending;
    for (uint32_t p = 0; all && p < mpi->n; p++)
      all = mpi->processes[p].ended || mpi->processes[p].known & hd_mpi_bit(i);
    if (!all)
      continue;
    *a = (hd_mpi_access){0};
    unlearn(mpi, i);
  }
}

static bool clash(const hd_mpi_access *a, const hd_mpi_access *b) {
  if (a->target != b->target || a->address >= b->address + b->size ||
      b->address >= a->address + a->size || !(a->updates || b->updates))
    return false;
  return !(a->accumulates && b->accumulates &&
           (a->op == b->op || a->op == HD_MPI_NO_OP || b->op == HD_MPI_NO_OP));
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

bool hd_mpi_add_access(hd_mpi *mpi, const hd_mpi_call *c, hd_mpi_access a) {
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
  unlearn(mpi, at);
  a.used = true;
  mpi->accesses[at] = a;
  if (!a.pending)
    process->known |= hd_mpi_bit(at);
  return true;
}

void hd_mpi_touches(hd_mpi *mpi, uint32_t p) {
  uint64_t address, size;
  bool write;
  hd_edge_id edge;
  while (hd_mpi_runs(mpi) && hd_host_touched(mpi->processes[p].machine,
                                             &address, &size, &write, &edge))
    if (!hd_mpi_add_access(mpi, NULL,
                           (hd_mpi_access){.origin = p,
                                           .target = p,
                                           .address = address,
                                           .size = size,
                                           .updates = write,
                                           .edge = edge}))
      return;
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
