/* SPDX-License-Identifier: MIT */
/* Buffers: bytes belong to an operation until it is complete; those of one call
 * must not lie on each other; and what is in them leaves its process. */
#include "engine/lise/mpi.h"

/* --- whose bytes --- */

/* The bytes of an operation that is not complete; false: it has none. One that
 * was given up (MPI_Request_free) is never known to be complete. */
static bool bytes_of(const hd_lise *l, const hd_lise_request *r,
                     uint32_t *object, hd_term *start, int64_t *size) {
  hd_type unit;
  uint32_t width;
  if (!r->code || (r->hidden && !r->given_up) || !r->count ||
      r->peer == HD_MPI_PROC_NULL ||
      hd_term_op_of(l->terms, r->buffer) != HD_TERM_PTR ||
      !hd_lise_datatype(r->type, &unit, &width))
    return false;
  *object = hd_term_args(l->terms, r->buffer)[0];
  *start = hd_term_args(l->terms, r->buffer)[1];
  *size = r->count * width;
  return true;
}

static hd_term apart(hd_terms *t, hd_term a, hd_term a_bytes, hd_term b,
                     hd_term b_bytes) {
  return hd_term_or(t, hd_term_le(t, hd_term_add(t, a, a_bytes), b),
                    hd_term_le(t, hd_term_add(t, b, b_bytes), a));
}

static const char *kind_of(const hd_lise_request *r) {
  return r->is_send ? "send" : "receive";
}

/* The message of a send that was given up has been taken: whether that is known
 * here depends on what the processes told each other. */
static hd_going given_up(hd_lise *l, hd_term fine) {
  return hd_term_is_true(l->terms, fine) || hd_lise_valid(l, fine) == HD_VALID
             ? HD_GO_ON
             : hd_lise_refuse(l, "the buffer of a send that was given up");
}

hd_going hd_lise_belongs(hd_lise *l, uint32_t object, hd_term offset,
                         hd_term bytes, bool write, const char *what) {
  hd_terms *t = l->terms;
  hd_going g = HD_GO_ON;
  for (size_t i = 0; i < hd_lise_seen(l)->requests.size && g == HD_GO_ON; i++) {
    const hd_lise_request *r = &hd_lise_seen(l)->requests.data[i];
    uint32_t of;
    hd_term start;
    int64_t size;
    if (l->delivers || (!write && r->is_send) ||
        !bytes_of(l, r, &of, &start, &size) || of != object)
      continue;
    hd_term fine = apart(t, offset, bytes, start, hd_term_int(t, size));
    g = r->given_up && r->done
            ? given_up(l, fine)
            : hd_lise_check(l, fine, HD_PROPERTY_MPI,
                            "%s of the buffer of a %s that is not complete",
                            what, kind_of(r));
  }
  return g;
}

hd_going hd_lise_let_go(hd_lise *l, uint32_t object, const char *how) {
  const hd_lise_proc *me = hd_lise_seen(l);
  for (size_t i = 0; i < me->requests.size; i++) {
    const hd_lise_request *r = &me->requests.data[i];
    uint32_t of;
    hd_term start;
    int64_t size;
    if (!bytes_of(l, r, &of, &start, &size) || of != object)
      continue;
    return r->given_up && r->done
               ? given_up(l, hd_term_bool(l->terms, false))
               : hd_lise_violate(l, HD_PROPERTY_MEMORY,
                                 "the buffer of a %s that is not complete %s",
                                 kind_of(r), how);
  }
  return HD_GO_ON;
}

hd_going hd_lise_apart(hd_lise *l, hd_library_fn fn, hd_term a, int64_t a_bytes,
                       hd_term b, int64_t b_bytes) {
  hd_terms *t = l->terms;
  if (a_bytes <= 0 || b_bytes <= 0 || hd_term_op_of(t, a) != HD_TERM_PTR ||
      hd_term_op_of(t, b) != HD_TERM_PTR ||
      hd_term_args(t, a)[0] != hd_term_args(t, b)[0])
    return HD_GO_ON;
  hd_term fine = apart(t, hd_term_args(t, a)[1], hd_term_int(t, a_bytes),
                       hd_term_args(t, b)[1], hd_term_int(t, b_bytes));
  bool copies = fn == HD_LIB_memcpy;
  return hd_lise_check(l, fine, copies ? HD_PROPERTY_MEMORY : HD_PROPERTY_MPI,
                       "the buffers of %s lie on each other",
                       hd_library_name(fn));
}

hd_going hd_lise_one_buffer(hd_lise *l, hd_term *pointer) {
  hd_terms *t = l->terms;
  while (hd_term_op_of(t, *pointer) == HD_TERM_ITE) {
    bool truth;
    hd_going g = hd_lise_decide(l, hd_term_args(t, *pointer)[0], &truth);
    if (g != HD_GO_ON)
      return g;
    *pointer = hd_term_args(t, *pointer)[truth ? 1 : 2];
  }
  return HD_GO_ON;
}

/* --- pointers that travel --- */

uint32_t hd_lise_foreign(hd_proc owner, uint32_t object) {
  enum { OWNERS = 1 << 10, OBJECTS = 1 << 20 };
  uint32_t number = object & ~HD_LISE_FUNCTION;
  if (!object || object & HD_LISE_FOREIGN)
    return object;
  if (owner >= OWNERS || number >= OBJECTS) /* nobody's */
    return HD_LISE_FOREIGN | (OWNERS - 1) << 20;
  return HD_LISE_FOREIGN | (object & HD_LISE_FUNCTION) | owner << 20 | number;
}

uint32_t hd_lise_homely(hd_proc owner, uint32_t object) {
  return object & HD_LISE_FOREIGN && (object >> 20 & 0x3ff) == owner
             ? object & (HD_LISE_FUNCTION | 0xfffff)
             : object;
}

static hd_term moved(hd_lise *l, hd_term value, bool leaves) {
  hd_terms *t = l->terms;
  if (hd_term_sort_of(t, value) != HD_OF_PTR)
    return value;
  const uint32_t *args = hd_term_args(t, value);
  if (hd_term_op_of(t, value) == HD_TERM_ITE) {
    hd_term c = args[0], b = args[2], a = moved(l, args[1], leaves);
    return hd_term_ite(t, c, a, moved(l, b, leaves));
  }
  if (hd_term_op_of(t, value) != HD_TERM_PTR)
    return value;
  return hd_term_ptr(t,
                     leaves ? hd_lise_foreign(l->proc, args[0])
                            : hd_lise_homely(l->proc, args[0]),
                     args[1]);
}

void hd_lise_travel(hd_lise *l, hd_lise_message *m, bool leaves) {
  for (size_t i = 0; i < m->cells.size; i++)
    m->cells.data[i].value = moved(l, m->cells.data[i].value, leaves);
}
