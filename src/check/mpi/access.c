/* SPDX-License-Identifier: MIT */
/* MPI_Put, MPI_Get, MPI_Accumulate and the like: memory changes at once, when
 * the process makes the call (order.c says why that is enough). The buffer of the
 * origin belongs to the access (hd_mpi_claim) until the epoch ends, or it is
 * flushed. */
#include "check/mpi/window.h"

#include <string.h>

/* The functions with a request behave like those without, in another shape. */
static hd_library_fn without_request(hd_library_fn fn) {
  switch (fn) {
  case HD_LIB_MPI_Rput:
    return HD_LIB_MPI_Put;
  case HD_LIB_MPI_Rget:
    return HD_LIB_MPI_Get;
  case HD_LIB_MPI_Raccumulate:
    return HD_LIB_MPI_Accumulate;
  case HD_LIB_MPI_Rget_accumulate:
    return HD_LIB_MPI_Get_accumulate;
  default:
    return fn;
  }
}

static bool has_request(hd_library_fn fn) {
  return without_request(fn) != fn;
}

bool hd_mpi_is_access(hd_library_fn fn) {
  switch (without_request(fn)) {
  case HD_LIB_MPI_Put:
  case HD_LIB_MPI_Get:
  case HD_LIB_MPI_Accumulate:
  case HD_LIB_MPI_Get_accumulate:
  case HD_LIB_MPI_Fetch_and_op:
  case HD_LIB_MPI_Compare_and_swap:
    return true;
  default:
    return false;
  }
}

/* Besides those of MPI: MPI_Compare_and_swap. */
enum { SWAP = 15 };

/* The arguments of a call, in one order. */
typedef struct {
  uint64_t buffer, count, type; /* of the origin: what is sent */
  uint64_t result;              /* where what was there goes to */
  uint64_t result_count, result_type;
  int32_t rank, target_count;
  int64_t disp;
  uint64_t target_type;
  int64_t op;
  uint64_t expected; /* SWAP: what must be there */
} transfer;

static int64_t address_argument(const hd_mpi_call *c, uint32_t i) {
  return c->mpi->code->pointer_width == 64 ? (int64_t)c->call->args[i]
                                           : hd_mpi_int(c, i);
}

static transfer transfer_of(const hd_mpi_call *c) {
  const uint64_t *a = c->call->args;
  transfer t = {.op = HD_MPI_REPLACE};
  hd_library_fn fn = without_request(c->call->fn);
  switch (fn) {
  case HD_LIB_MPI_Compare_and_swap: /* origin, compare, result, type, rank,
                                       disp, win */
    t = (transfer){.buffer = a[0],
                   .count = 1,
                   .type = a[3],
                   .expected = a[1],
                   .result = a[2],
                   .result_count = 1,
                   .result_type = a[3],
                   .rank = hd_mpi_int(c, 4),
                   .disp = address_argument(c, 5),
                   .target_count = 1,
                   .target_type = a[3],
                   .op = SWAP};
    return t;
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
    if (fn == HD_LIB_MPI_Get) {
      t.result = a[0];
      t.result_count = a[1] & UINT32_MAX;
      t.result_type = a[2];
      t.op = HD_MPI_NO_OP;
    } else {
      t.buffer = a[0];
      t.count = a[1] & UINT32_MAX;
      t.type = a[2];
    }
    if (fn == HD_LIB_MPI_Accumulate)
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
  if (has_request(c->call->fn) && !hd_mpi_holds(w, (uint32_t)t->rank, c->p)) {
    hd_mpi_misuse(c, "there is no lock");
    return false;
  }
  if (opened->fence || hd_mpi_holds(w, (uint32_t)t->rank, c->p) ||
      hd_mpi_started(c->mpi, opened, (uint32_t)t->rank))
    return true;
  hd_mpi_misuse(c, "outside of an epoch: no fence before it, no lock, and no "
                   "MPI_Win_start with this target");
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
  hd_library_fn fn = without_request(c->call->fn);
  bool atomic = fn != HD_LIB_MPI_Put && fn != HD_LIB_MPI_Get;
  if (!type)
    return false;
  if (e->no_put && t->op != HD_MPI_NO_OP) {
    hd_mpi_misuse(c, "rank %d has said MPI_MODE_NOPUT", t->rank);
    return false;
  }
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
                              .updates = t->op != HD_MPI_NO_OP,
                              .accumulates = atomic,
                              .op = t->op,
                              .edge = c->call->edge};
      if (!hd_mpi_add_access(c->mpi, c, access))
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

/* Memory of the target, which does nothing itself. */
static hd_mpi_data *look(const hd_mpi_call *there, uint64_t address,
                         const transfer *t) {
  hd_host_apart(there->m, true);
  hd_mpi_data *data =
      hd_mpi_pack(there, address, (uint64_t)t->target_count, t->target_type);
  hd_host_apart(there->m, false);
  return data;
}

static bool change(const hd_mpi_call *there, uint64_t address,
                   const transfer *t, const hd_mpi_data *data) {
  hd_host_apart(there->m, true);
  bool ok = hd_mpi_unpack(there, address, (uint64_t)t->target_count,
                          t->target_type, data);
  hd_host_apart(there->m, false);
  return ok;
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
  } else if (t->op == SWAP) {
    hd_mpi_data *expected = hd_mpi_pack(c, t->expected, 1, t->type);
    ok = expected != NULL;
    bool equal = ok && !memcmp(expected->bytes.data, before->bytes.data,
                               before->bytes.size);
    hd_mpi_data_drop(expected);
    if (!equal) {
      hd_mpi_data_drop(data);
      return ok;
    }
  } else if (t->op != HD_MPI_REPLACE) {
    if (t->op < 1 || t->op > 12 ||
        !hd_mpi_op_fits(c->mpi, t->op, &data->signature)) {
      hd_mpi_misuse(c, "%lld is no operation for this", (long long)t->op);
      ok = false;
    } else {
      hd_mpi_data *sum =
          hd_mpi_data_part(c->mpi, before, 0, before->bytes.size);
      (void)hd_mpi_reduce(c->mpi, t->op, sum, data);
      hd_mpi_data_drop(data);
      data = sum;
    }
  }
  ok = ok && hd_mpi_claim(c, t->buffer, t->count, t->type, false, owner) &&
       hd_mpi_claim(there, address, (uint64_t)t->target_count, t->target_type,
                    true, HD_NO_ID) &&
       change(there, address, t, data);
  hd_mpi_data_drop(data);
  return ok;
}

/* The call returns; with a request that is complete, as far as the origin can
 * tell. */
static void finish(const hd_mpi_call *c, uint32_t request) {
  if (request == HD_NO_ID ||
      hd_mpi_put(c, c->call->args[c->call->n - 1],
                 hd_mpi_request_handle(c->process, request)))
    hd_mpi_return(c);
}

static uint32_t new_request(const hd_mpi_call *c) {
  if (!has_request(c->call->fn))
    return HD_NO_ID;
  uint32_t request = hd_mpi_request_new(c->process);
  c->process->requests.data[request] =
      (hd_mpi_request){.kind = HD_REQUEST_SEND,
                       .done = true,
                       .edge = c->call->edge,
                       .source = HD_MPI_ANY_SOURCE,
                       .tag = HD_MPI_ANY_TAG};
  return request;
}

void hd_mpi_move_access(const hd_mpi_call *c) {
  hd_mpi_opened *opened = hd_mpi_window_of(c);
  transfer t = transfer_of(c);
  assert(opened);
  const hd_mpi_window *w = &c->mpi->windows.data[opened->window];
  uint32_t rank = (uint32_t)t.rank;
  uint32_t target = c->mpi->comms.data[w->comm].members.data[rank];
  hd_mpi_call there = *c;
  there.m = c->mpi->processes[target].machine;
  const hd_mpi_exposed *e = &w->parts.data[rank];
  uint64_t address = e->base + (uint64_t)(t.disp * e->unit);
  uint32_t request = new_request(c);
  uint32_t owner =
      request != HD_NO_ID ? request : hd_mpi_window_owner(opened->window, rank);
  if (hd_mpi_started(c->mpi, opened, rank))
    hd_mpi_meet_post(c, opened, rank);
  if (!opened->fence && opened->fenced && opened->between == HD_NO_ID)
    opened->between = opened->opens;
  if (!t.target_count) {
    finish(c, request);
    return;
  }
  if (!expose(c, opened, &t, there.m, address))
    return;
  hd_mpi_data *before = look(&there, address, &t);
  bool ok =
      before && (!t.result_type || fetch(c, &t, owner, before)) &&
      (t.op == HD_MPI_NO_OP || update(c, &there, &t, address, owner, before));
  hd_mpi_data_drop(before);
  if (!ok)
    return;
  uint32_t shared;
  uint64_t offset;
  if (t.op != HD_MPI_NO_OP &&
      hd_mpi_in_shared(c->mpi, target, e->base, &shared, &offset))
    hd_mpi_spread(c->mpi, target, shared, offset, e->size);
  hd_mpi_tell(c->mpi, HD_MPI_CALLS, c->p, target, "%s memory of %u",
              t.op == HD_MPI_NO_OP ? "reads" : "changes", target);
  finish(c, request);
}

int32_t hd_mpi_access_rank(const hd_mpi_call *c) {
  return transfer_of(c).rank;
}

static bool fine_type(const hd_mpi_call *c, uint64_t type) {
  hd_mpi_signature signature = {0};
  bool ok = hd_mpi_signature_of(c, 1, type, &signature);
  hd_vec_free(&signature);
  return ok;
}

void hd_mpi_arrive_access(const hd_mpi_call *c) {
  const hd_mpi_opened *opened = hd_mpi_window_of(c);
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
      (t.op != HD_MPI_NO_OP && !fine_type(c, t.type)))
    return;
  if (t.rank == HD_MPI_PROC_NULL)
    finish(c, new_request(c));
  else if (check_epoch(c, opened, &t))
    c->process->at_call = true;
}
