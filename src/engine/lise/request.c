/* SPDX-License-Identifier: MIT */
/* Requests: making, waiting for them, giving them up. */
#include "engine/lise/mpi.h"

/* Numbers that a program hardly has otherwise, so that one it has kept is seen. */
enum { FIRST_HANDLE = 0x5a000001 };

int64_t hd_lise_request_handle(uint32_t number) {
  return FIRST_HANDLE + (int64_t)number;
}

bool hd_lise_request_at(const hd_lise_proc *me, int64_t handle,
                        uint32_t *number) {
  *number = HD_NO_ID;
  if (!handle)
    return true;
  if (handle < FIRST_HANDLE ||
      handle - FIRST_HANDLE >= (int64_t)me->requests.size ||
      !me->requests.data[handle - FIRST_HANDLE].code)
    return false;
  *number = (uint32_t)(handle - FIRST_HANDLE);
  return true;
}

/* Has the program kept the handle of a request that is over? Then no other gets
 * the same. */
static bool is_kept(const hd_lise *l, const hd_lise_proc *me, uint32_t number) {
  int64_t value;
  for (size_t i = 1; i < me->objects.size; i++)
    for (size_t k = 0; me->objects.data[i] && !me->objects.data[i]->freed &&
                       k < me->objects.data[i]->cells.size;
         k++)
      if (hd_term_is_int(l->terms, me->objects.data[i]->cells.data[k].value,
                         &value) &&
          value == hd_lise_request_handle(number))
        return true;
  return false;
}

uint32_t hd_lise_request_new(hd_lise *l, hd_lise_request request) {
  hd_lise_proc *me = hd_lise_me(l);
  uint32_t order = 0, at = HD_NO_ID;
  for (uint32_t i = 0; i < me->requests.size; i++) {
    hd_lise_request *r = &me->requests.data[i];
    r->kept = r->kept && is_kept(l, me, i);
    if (!r->code && !r->kept && at == HD_NO_ID)
      at = i;
    if (r->code && !r->is_send && !r->done && r->order >= order)
      order = r->order + 1;
  }
  request.code = 1;
  request.order = order;
  if (at == HD_NO_ID) {
    at = (uint32_t)me->requests.size;
    hd_vec_push(&me->requests, request);
  } else {
    me->requests.data[at] = request;
  }
  return at;
}

void hd_lise_request_free(hd_lise *l, uint32_t number) {
  hd_lise_proc *me = hd_lise_me(l);
  bool hidden = me->requests.data[number].hidden;
  me->requests.data[number] =
      (hd_lise_request){.kept = !hidden && is_kept(l, me, number)};
  while (me->requests.size && !hd_vec_last(&me->requests).code &&
         !hd_vec_last(&me->requests).kept)
    me->requests.size--;
}

/* --- completion --- */

/* Handles at an address, `n` of them; null ones are left out. */
static hd_going read_handles(hd_lise *l, hd_term pointer, int64_t n,
                             hd_u32s *out) {
  hd_terms *t = l->terms;
  for (int64_t i = 0; i < n; i++) {
    if (hd_term_op_of(t, pointer) != HD_TERM_PTR)
      return hd_lise_refuse(l, "a symbolic pointer to a request");
    hd_term at = hd_term_ptr(
        t, hd_term_args(t, pointer)[0],
        hd_term_add(t, hd_term_args(t, pointer)[1], hd_term_int(t, 4 * i)));
    hd_term value;
    int64_t handle;
    hd_going g = hd_lise_load(l, at, (hd_type){HD_TYPE_INT, 32}, &value);
    if (g == HD_GO_ON)
      g = hd_lise_number_arg(l, value, "the request", &handle);
    if (g != HD_GO_ON)
      return g;
    uint32_t number;
    if (!hd_lise_request_at(hd_lise_seen(l), handle, &number))
      return hd_lise_violate(l, HD_PROPERTY_MPI,
                             "there is no request with this handle");
    hd_vec_push(out, number);
  }
  return HD_GO_ON;
}

/* A request that ends with its first wait is waited for again. */
static hd_going wait_once(hd_lise *l, const hd_u32s *requests) {
  for (size_t i = 0; i < requests->size; i++)
    for (size_t k = 0; k < i; k++)
      if (requests->data[i] == requests->data[k] &&
          requests->data[i] != HD_NO_ID)
        return hd_lise_violate(l, HD_PROPERTY_MPI,
                               "requests %zu and %zu are the same", k, i);
  return HD_GO_ON;
}

/* Wait, Waitall, Waitany, Test, Testall, Testany */
hd_going hd_lise_wait_call(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                           const hd_term *a) {
  bool one = fn == HD_LIB_MPI_Wait || fn == HD_LIB_MPI_Test;
  bool any = fn == HD_LIB_MPI_Waitany || fn == HD_LIB_MPI_Testany;
  bool test = fn == HD_LIB_MPI_Test || fn == HD_LIB_MPI_Testall ||
              fn == HD_LIB_MPI_Testany;
  int64_t n = 1;
  hd_going g = HD_GO_ON;
  if (!one)
    g = hd_lise_number_arg(l, a[0], "the number of requests", &n);
  if (g != HD_GO_ON)
    return g;
  hd_term handles = a[one ? 0 : 1];
  size_t next = one ? 1 : 2;
  hd_u32s requests = {0};
  g = read_handles(l, handles, n, &requests);
  if (g == HD_GO_ON && !any)
    g = wait_once(l, &requests);
  if (g != HD_GO_ON) {
    hd_vec_free(&requests);
    return g;
  }
  hd_lise_stand_before(l,
                       any && test ? HD_LISE_OP_TESTANY
                       : any       ? HD_LISE_OP_WAITANY
                       : test      ? HD_LISE_OP_TEST
                                   : HD_LISE_OP_WAIT,
                       fn, edge);
  hd_lise_proc *me = hd_lise_me(l);
  me->op.requests = requests;
  me->op.handles = handles;
  if (any)
    me->op.index = a[next++];
  if (test)
    me->op.flag = a[next++];
  me->op.status = a[next];
  return HD_STOPPED;
}

hd_going hd_lise_probe_call(hd_lise *l, const hd_cedge *edge, hd_library_fn fn,
                            const hd_term *a) {
  int64_t source, tag;
  uint32_t comm;
  hd_going g = hd_lise_number_arg(l, a[0], "the rank", &source);
  if (g == HD_GO_ON)
    g = hd_lise_number_arg(l, a[1], "the tag", &tag);
  if (g == HD_GO_ON)
    g = hd_lise_comm_arg(l, a[2], &comm);
  if (g == HD_GO_ON)
    g = hd_lise_check_peer(l, comm, source, tag, true);
  if (g != HD_GO_ON)
    return g;
  const hd_lise_proc *seen = hd_lise_seen(l);
  for (size_t i = 0; i < seen->requests.size; i++)
    if (seen->requests.data[i].code && !seen->requests.data[i].is_send &&
        !seen->requests.data[i].done)
      return hd_lise_refuse(l, "a probe while a receive is posted");
  if (source == HD_MPI_PROC_NULL)
    return hd_lise_refuse(l, "a probe of MPI_PROC_NULL");
  bool now = fn == HD_LIB_MPI_Iprobe;
  hd_lise_stand_before(l, now ? HD_LISE_OP_IPROBE : HD_LISE_OP_PROBE, fn, edge);
  hd_lise_proc *me = hd_lise_me(l);
  me->op.source = (int32_t)source;
  me->op.tag = (int32_t)tag;
  me->op.comm = comm;
  if (now)
    me->op.flag = a[3];
  me->op.status = a[now ? 4 : 3];
  return HD_STOPPED;
}

hd_going hd_lise_request_free_call(hd_lise *l, hd_term pointer) {
  hd_u32s requests = {0};
  hd_going g = read_handles(l, pointer, 1, &requests);
  uint32_t number = requests.size ? requests.data[0] : HD_NO_ID;
  hd_vec_free(&requests);
  if (g != HD_GO_ON)
    return g;
  if (number != HD_NO_ID && !hd_lise_seen(l)->requests.data[number].is_send)
    return hd_lise_violate(l, HD_PROPERTY_MPI,
                           "MPI_Request_free of a receive: nobody can know any "
                           "more when it is complete");
  if (number == HD_NO_ID)
    return hd_lise_violate(l, HD_PROPERTY_MPI,
                           "MPI_Request_free of MPI_REQUEST_NULL");
  hd_lise_request *r = &hd_lise_me(l)->requests.data[number];
  r->hidden = r->given_up = true;
  g = hd_lise_put_int(l, pointer, 0, 4, 0);
  return g == HD_GO_ON ? hd_lise_success(l) : g;
}
