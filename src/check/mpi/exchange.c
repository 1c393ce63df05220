/* SPDX-License-Identifier: MIT */
/* The data of collective calls: what a process brings, and what it takes away
 * when the parts of the others are there. */
#include "check/mpi/collective.h"

#include "base/order.h"
#include <string.h>

/* --- bringing --- */

static bool read_int(const hd_mpi_call *c, uint64_t address, int32_t *out) {
  uint8_t unset[4];
  return hd_host_read(c->m, address, 4, (uint8_t *)out, unset);
}

/* Elements in the program's memory. */
typedef struct {
  uint64_t address, count, type;
} elements;

/* Where the i-th block is; false after a violation. */
static bool block_at(const hd_mpi_view *v, bool receive, uint32_t i,
                     elements *out) {
  const uint64_t *args = v->c->call->args;
  const hd_mpi_shape *s = v->shape;
  int8_t buf = receive ? s->rbuf : s->sbuf;
  int8_t number = receive ? s->rcount : s->scount;
  int8_t displ = receive ? s->rdispl : s->sdispl;
  int8_t type = receive ? s->rtype : s->stype;
  int32_t n = hd_mpi_int(v->c, (uint32_t)number);
  int64_t skip = n * (int64_t)i;
  bool wide = s->fn == HD_LIB_MPI_Neighbor_alltoallw &&
              v->c->mpi->code->pointer_width == 64; /* skips MPI_Aint */
  bool types = s->fn == HD_LIB_MPI_Alltoallw || /* one for each; skips bytes */
               s->fn == HD_LIB_MPI_Neighbor_alltoallw;
  int32_t at, high = 0, each = 0;
  if (types && !read_int(v->c, args[type] + 4 * (uint64_t)i, &each))
    return false;
  out->type = types ? (uint32_t)each : args[type];
  hd_mpi_type scratch;
  hd_mpi_block one;
  const hd_mpi_type *of = hd_mpi_type_of(v->c, out->type, &scratch, &one);
  if (!of)
    return false;
  if (displ >= 0) {
    if (!read_int(v->c, args[number] + 4 * (uint64_t)i, &n) ||
        !read_int(v->c, args[displ] + (wide ? 8 : 4) * (uint64_t)i, &at) ||
        (wide && !read_int(v->c, args[displ] + 8 * (uint64_t)i + 4, &high)))
      return false;
    skip = wide ? (int64_t)((uint64_t)(uint32_t)high << 32 | (uint32_t)at) : at;
  }
  if (n < 0) {
    hd_mpi_misuse(v->c, "the count is %d", n);
    return false;
  }
  out->address = args[buf] + (uint64_t)(types ? skip : skip * of->extent);
  out->count = (uint64_t)n;
  return true;
}

/* Elements of MPI_Reduce_scatter up to rank i. */
static bool share_of(const hd_mpi_view *v, uint32_t i, uint64_t *before,
                     uint64_t *count) {
  *before = *count = 0;
  for (uint32_t k = 0; k <= i; k++) {
    int32_t n = hd_mpi_int(v->c, 2);
    if (v->shape->fn != HD_LIB_MPI_Reduce_scatter_block &&
        !read_int(v->c, v->c->call->args[2] + 4 * (uint64_t)k, &n))
      return false;
    if (n < 0) {
      hd_mpi_misuse(v->c, "the count is %d", n);
      return false;
    }
    *before += *count;
    *count = (uint64_t)n;
  }
  return true;
}

/* Reads one block that is sent; NULL after a violation. */
static hd_mpi_data *read_block(const hd_mpi_view *v, uint32_t i) {
  const hd_mpi_shape *s = v->shape;
  const uint64_t *args = v->c->call->args;
  uint64_t count, more;
  elements block;
  bool here = hd_mpi_in_place(v, s->sbuf);
  if (s->pattern == HD_REDUCED_SHARED_OUT) {
    if (!share_of(v, v->n - 1, &count, &more))
      return NULL;
    return hd_mpi_pack(v->c, args[here ? s->rbuf : s->sbuf], count + more,
                       args[s->stype]);
  }
  if (here && s->op >= 0) /* a reduction in place */
    return hd_mpi_pack(v->c, args[s->rbuf], args[s->scount] & UINT32_MAX,
                       args[s->stype]);
  if (here) { /* MPI_Allgather, MPI_Gather: its own block; MPI_Alltoall */
    uint32_t own = s->pattern == HD_EACH_TO_EACH ? i : v->own;
    if (!block_at(v, true, own, &block))
      return NULL;
  } else if (!block_at(v, false, i, &block)) {
    return NULL;
  }
  return hd_mpi_pack(v->c, block.address, block.count, block.type);
}

/* Another block for each partner. */
static bool sends_many(const hd_mpi_view *v) {
  return v->shape->pattern == HD_SHARED_OUT ||
         v->shape->pattern == HD_EACH_TO_EACH ||
         v->shape->pattern == HD_EACH_TO_NEIGHBORS;
}

/* A block from each. */
static bool receives_many(const hd_mpi_view *v) {
  return v->shape->pattern == HD_TO_ROOT || v->shape->pattern == HD_TO_ALL ||
         v->shape->pattern == HD_EACH_TO_EACH ||
         v->shape->pattern == HD_TO_NEIGHBORS ||
         v->shape->pattern == HD_EACH_TO_NEIGHBORS;
}

bool hd_mpi_bring_data(const hd_mpi_view *v, hd_mpi_joiner *joiner) {
  if (!hd_mpi_sends(v))
    return true;
  uint32_t n = sends_many(v) ? hd_mpi_partners(v, false) : 1;
  for (uint32_t i = 0; i < n; i++) {
    bool nobody = sends_many(v) && hd_mpi_partner(v, false, i) == HD_NO_ID;
    hd_mpi_data *data = nobody ? hd_mpi_data_new() : read_block(v, i);
    if (!data)
      return false;
    hd_vec_push(&joiner->blocks, data);
  }
  return true;
}

bool hd_mpi_claim_buffers(const hd_mpi_view *v, uint32_t owner, bool receive) {
  const hd_mpi_shape *s = v->shape;
  const uint64_t *args = v->c->call->args;
  if (!(receive ? hd_mpi_receives(v) : hd_mpi_sends(v)) ||
      hd_mpi_in_place(v, receive ? s->rbuf : s->sbuf))
    return true;
  if (s->op >= 0) {
    uint64_t before = 0, count = 0;
    if (s->pattern != HD_REDUCED_SHARED_OUT)
      count = args[s->scount] & UINT32_MAX;
    else if (!share_of(v, receive ? v->me : v->n - 1, &before, &count))
      return false;
    return hd_mpi_claim(v->c, args[receive ? s->rbuf : s->sbuf],
                        receive ? count : before + count, args[s->stype],
                        receive, owner);
  }
  bool many = receive ? receives_many(v) : sends_many(v);
  uint32_t n = many ? hd_mpi_partners(v, receive) : 1;
  for (uint32_t i = 0; i < n; i++) {
    elements block;
    if (many && hd_mpi_partner(v, receive, i) == HD_NO_ID)
      continue;
    if (!block_at(v, receive, i, &block) ||
        !hd_mpi_claim(v->c, block.address, block.count, block.type, receive,
                      owner))
      return false;
  }
  return true;
}

/* --- where the buffers are --- */

/* MPI_IN_PLACE as the send buffer: where the result is, too. */
static bool may_send_in_place(const hd_mpi_view *v) {
  switch ((hd_mpi_pattern)v->shape->pattern) {
  case HD_TO_ROOT:
  case HD_REDUCED_TO_ROOT:
    return hd_mpi_is_root(v);
  case HD_FROM_ROOT:
  case HD_SHARED_OUT:
  case HD_TO_NEIGHBORS:
  case HD_EACH_TO_NEIGHBORS:
    return false;
  default:
    return !v->inter;
  }
}

bool hd_mpi_check_buffers(const hd_mpi_view *v) {
  const hd_mpi_shape *s = v->shape;
  if (hd_mpi_sends(v) && hd_mpi_in_place(v, s->sbuf) && !may_send_in_place(v)) {
    hd_mpi_misuse(v->c, "MPI_IN_PLACE is no send buffer here");
    return false;
  }
  if (hd_mpi_receives(v) && hd_mpi_in_place(v, s->rbuf) &&
      !(s->pattern == HD_SHARED_OUT && hd_mpi_is_root(v) && !v->inter)) {
    hd_mpi_misuse(v->c, "MPI_IN_PLACE is no receive buffer here");
    return false;
  }
  bool ok = hd_mpi_claim_buffers(v, HD_MPI_OWNER_CALL, false) &&
            hd_mpi_claim_buffers(v, HD_MPI_OWNER_CALL, true);
  hd_host_release(v->c->m, HD_MPI_OWNER_CALL);
  return ok;
}

/* Is there anything in what the process gets from rank i? False after a
 * violation. */
static bool gets_from(const hd_mpi_view *v, uint32_t i, bool *out) {
  const hd_mpi_shape *s = v->shape;
  uint64_t before, count = 0;
  elements block = {0};
  *out = true;
  if (s->pattern == HD_TOGETHER)
    return true;
  if (s->pattern == HD_REDUCED_SHARED_OUT) {
    if (!share_of(v, v->me, &before, &count))
      return false;
    block.type = v->c->call->args[s->stype];
  } else if (s->op >= 0) {
    count = v->c->call->args[s->scount] & UINT32_MAX;
    block.type = v->c->call->args[s->stype];
  } else if (s->pattern == HD_SHARED_OUT && hd_mpi_in_place(v, s->rbuf)) {
    return true;
  } else if (!block_at(v, true, i, &block)) {
    return false;
  } else {
    count = block.count;
  }
  hd_mpi_type scratch;
  hd_mpi_block one;
  const hd_mpi_type *type = hd_mpi_type_of(v->c, block.type, &scratch, &one);
  *out = type && type->size && count;
  return type != NULL;
}

/* A barrier between two groups waits for the other one. */
static bool is_barrier(const hd_mpi_view *v) {
  return v->shape->fn == HD_LIB_MPI_Barrier;
}

bool hd_mpi_find_needs(const hd_mpi_view *v, hd_mpi_joiner *joiner) {
  hd_mpi_pattern pattern = (hd_mpi_pattern)v->shape->pattern;
  bool root = pattern == HD_FROM_ROOT || pattern == HD_SHARED_OUT;
  bool all = pattern == HD_TOGETHER && !is_barrier(v);
  uint32_t n = all ? v->n : hd_mpi_partners(v, true);
  for (uint32_t i = 0; i < n; i++) {
    bool some;
    bool part = pattern == HD_TOGETHER || hd_mpi_receives(v);
    uint32_t who = all ? i : hd_mpi_partner(v, true, i);
    if (root)
      part = part && (int64_t)who == v->root;
    else if (pattern == HD_REDUCED_BEFORE ||
             pattern == HD_REDUCED_STRICTLY_BEFORE)
      part = part && i <= v->me;
    part = part && who != HD_NO_ID;
    if (part && !gets_from(v, root ? 0 : i, &some))
      return false;
    if (part && some)
      hd_vec_push(&joiner->needs, who);
  }
  for (uint32_t i = 0; i < v->n && pattern == HD_REDUCED_SHARED_OUT; i++) {
    uint64_t before, count;
    if (!share_of(v, i, &before, &count))
      return false;
    hd_vec_push(&joiner->shares, (uint32_t)count);
  }
  return true;
}

/* --- taking --- */

/* The block of rank i for me, into the i-th place. It must have just the right
 * length. */
static bool put_block(const hd_mpi_view *v, uint32_t i, uint32_t place,
                      const hd_mpi_data *data) {
  elements block;
  if (!block_at(v, true, place, &block))
    return false;
  hd_mpi_signature room = {0};
  bool ok = hd_mpi_signature_of(v->c, block.count, block.type, &room);
  if (ok && !hd_mpi_signature_same(&room, &data->signature)) {
    hd_str is = {0}, expected = {0};
    hd_mpi_print_signature(&is, v->c->mpi, &data->signature);
    hd_mpi_print_signature(&expected, v->c->mpi, &room);
    hd_mpi_misuse(v->c, "rank %u sends %s, expected %s", i, hd_str_text(&is),
                  hd_str_text(&expected));
    hd_str_free(&is);
    hd_str_free(&expected);
    ok = false;
  }
  hd_vec_free(&room);
  return ok &&
         hd_mpi_unpack(v->c, block.address, block.count, block.type, data);
}

static hd_mpi_data *copy_data(const hd_mpi *mpi, const hd_mpi_data *data) {
  return hd_mpi_data_part(mpi, data, 0, data->bytes.size);
}

/* The operation of the program (in, inout, &length, &type) on two operands that
 * get memory for the time of the call; takes `a`. NULL after a violation. */
static hd_mpi_data *apply(const hd_mpi_view *v, hd_mpi_data *a,
                          const hd_mpi_data *b) {
  const hd_mpi_call *c = v->c;
  uint64_t type = (uint32_t)c->call->args[v->shape->stype];
  hd_mpi_type scratch;
  hd_mpi_block block;
  const hd_mpi_type *of = hd_mpi_type_of(c, type, &scratch, &block);
  uint64_t count = of && of->size ? a->bytes.size / of->size : 0;
  hd_mpi_data *result = NULL;
  if (!count) { /* nothing to combine */
    return of ? a : (hd_mpi_data_drop(a), NULL);
  }
  if (of->low < 0)
    hd_mpi_refuse(c, "a datatype with a negative lower bound");
  uint64_t room = count * (uint64_t)of->extent + (uint64_t)of->low + of->size;
  uint64_t args[4];
  bool ok = hd_machine_status_of(c->m) == HD_MACHINE_RUNNING;
  for (int i = 0; i < 4 && ok; i++) {
    args[i] = hd_host_alloc(c->m, i < 2 ? room : 4);
    ok = args[i] != 0;
  }
  ok = ok && hd_mpi_unpack(c, args[0], count, type, a) &&
       hd_mpi_unpack(c, args[1], count, type, b) &&
       hd_mpi_put(c, args[2], (int64_t)count) &&
       hd_mpi_put(c, args[3], (int64_t)type) &&
       hd_host_run(c->m,
                   hd_host_function_address(
                       c->m, (hd_func_id)(v->op - HD_MPI_OWN_OPERATION)),
                   args, 4);
  if (ok)
    result = hd_mpi_pack(c, args[1], count, type);
  for (int i = 0; i < 4 && ok; i++)
    ok = hd_host_free(c->m, args[i]);
  hd_mpi_data_drop(a);
  return result;
}

/* MPI may group the operands in any way, and if the operation is said to commute
 * take them in any order. Three operands show most operations that are not what
 * they must be; those of floats never are, quite. False after a violation. */
static bool is_associative(const hd_mpi_view *v, const hd_mpi_meeting *meeting,
                           uint32_t last) {
  const hd_mpi_data *x[3];
  const hd_mpi_call *c = v->c;
  uint64_t made = c->call->args[v->shape->op] - HD_MPI_FIRST_OP;
  bool commutes =
      made < c->process->ops.size && c->process->ops.data[made].commutes;
  for (uint32_t i = 0; i < 3 && i <= last; i++)
    x[i] = meeting->joiners.data[v->from + i].blocks.data[0];
  for (hd_vec_each(hd_mpi_part, part, &x[0]->signature))
    if (hd_mpi_basic(c->mpi, part->basic)->kind == HD_BASIC_FLOAT ||
        hd_mpi_basic(c->mpi, part->basic)->kind == HD_BASIC_PAIR)
      return true;
  for (int other = 0; other < 2; other++) {
    if (other ? !commutes : last < 2)
      continue;
    /* (x y) z and x (y z); or x y and y x */
    hd_mpi_data *left = apply(v, copy_data(c->mpi, x[0]), x[1]), *right;
    if (!other && left)
      left = apply(v, left, x[2]);
    right = left ? apply(v, copy_data(c->mpi, x[1]), x[other ? 0 : 2]) : NULL;
    if (!other && right) {
      hd_mpi_data *inner = right;
      right = apply(v, copy_data(c->mpi, x[0]), inner);
      hd_mpi_data_drop(inner);
    }
    bool same = left && right && left->bytes.size == right->bytes.size &&
                !memcmp(left->bytes.data, right->bytes.data, left->bytes.size);
    bool both = left && right;
    if (left)
      hd_mpi_data_drop(left);
    if (right)
      hd_mpi_data_drop(right);
    if (same)
      continue;
    if (both)
      hd_mpi_misuse(c, other ? "the operation is said to commute and does not"
                             : "the operation is not associative");
    return false;
  }
  return true;
}

/* NULL after a violation in an operation of the program. */
static hd_mpi_data *fold_in_order(const hd_mpi_view *v,
                                  const hd_mpi_meeting *meeting,
                                  const uint32_t *order, uint32_t n) {
  const hd_mpi_joiner *others = meeting->joiners.data + v->from;
  hd_mpi_data *sum = copy_data(v->c->mpi, others[order[0]].blocks.data[0]);
  for (uint32_t i = 1; sum && i < n; i++) {
    const hd_mpi_data *next = others[order[i]].blocks.data[0];
    sum = apply(v, sum, next);
  }
  return sum;
}

/* x0 (x1 (x2 …)); likewise. */
static hd_mpi_data *fold_from_behind(const hd_mpi_view *v,
                                     const hd_mpi_meeting *meeting,
                                     uint32_t n) {
  const hd_mpi_joiner *others = meeting->joiners.data + v->from;
  hd_mpi_data *sum = copy_data(v->c->mpi, others[n - 1].blocks.data[0]);
  for (uint32_t i = n - 1; sum && i-- > 0;) {
    hd_mpi_data *inner = sum;
    sum = apply(v, copy_data(v->c->mpi, others[i].blocks.data[0]), inner);
    hd_mpi_data_drop(inner);
  }
  return sum;
}

/* What differs in another sum is open. */
static void open_difference(hd_mpi *mpi, hd_mpi_data *sum,
                            const hd_mpi_data *other) {
  uint64_t at = 0;
  bool exact = false;
  for (hd_vec_each(hd_mpi_part, part, &sum->signature)) {
    const hd_basic *basic = hd_mpi_basic(mpi, part->basic);
    for (uint64_t i = 0; i < part->count; i++, at += basic->size) {
      if (basic->kind != HD_BASIC_FLOAT ||
          !memcmp(sum->bytes.data + at, other->bytes.data + at, basic->size))
        continue;
      for (uint32_t p = 0; p < mpi->n; p++)
        exact = hd_host_leaves_open(mpi->processes[p].machine);
      if (exact)
        memset(sum->shadow.data + at, 0xff, basic->size);
    }
  }
}

/* An operation of the program on floats: what another grouping or order makes
 * different is open; nothing is said where it decides something. */
static void open_floats(const hd_mpi_view *v, const hd_mpi_meeting *meeting,
                        uint32_t last, hd_mpi_data *sum) {
  bool floats = false;
  for (hd_vec_each(hd_mpi_part, part, &sum->signature))
    floats |= hd_mpi_basic(v->c->mpi, part->basic)->kind == HD_BASIC_FLOAT;
  if (!floats || last < 2 || !v->c->mpi->options->exact)
    return;
  hd_mpi_data *other = fold_from_behind(v, meeting, last + 1);
  uint64_t made = v->c->call->args[v->shape->op] - HD_MPI_FIRST_OP;
  bool commutes = v->c->process->ops.data[made].commutes;
  uint32_t *order = hd_calloc(last + 1, sizeof *order);
  for (size_t k = 0;; k++) {
    if (other) {
      open_difference(v->c->mpi, sum, other);
      hd_mpi_data_drop(other);
    }
    if (!commutes || !hd_order_step(order, last + 1, k))
      break;
    other = fold_in_order(v, meeting, order, last + 1);
  }
  hd_free(order);
}

/* All of the ranks from 0 to last, combined; NULL after a violation. */
static hd_mpi_data *fold(const hd_mpi_view *v, const hd_mpi_meeting *meeting,
                         uint32_t last) {
  const hd_mpi_joiner *others = meeting->joiners.data + v->from;
  const hd_mpi_data *first = others[0].blocks.data[0];
  if (v->op >= HD_MPI_OWN_OPERATION && last &&
      !is_associative(v, meeting, last))
    return NULL;
  hd_mpi_data *sum = copy_data(v->c->mpi, first);
  for (uint32_t i = 1; sum && i <= last; i++) {
    const hd_mpi_data *next = others[i].blocks.data[0];
    if (v->op >= HD_MPI_OWN_OPERATION)
      sum = apply(v, sum, next);
    else if (hd_mpi_reduce(v->c->mpi, v->op, sum, next) &&
             hd_mpi_checks(v->c->mpi, HD_PROPERTY_OVERFLOW)) {
      hd_mpi_violate(v->c->mpi, v->c->p, HD_PROPERTY_OVERFLOW, v->c->call->edge,
                     "%s: signed overflow", v->c->call->name);
      hd_mpi_data_drop(sum);
      return NULL;
    }
  }
  if (sum && v->op >= HD_MPI_OWN_OPERATION) {
    open_floats(v, meeting, last, sum);
  } else if (sum) {
    uint32_t picked = meeting->joiners.data[v->me].picked;
    (void)hd_mpi_sums(v, meeting, last + 1, picked ? picked - 1 : HD_NO_ID,
                      sum);
  }
  return sum;
}

/* The rank of the last one whose part is in the result. */
static uint32_t last_operand(const hd_mpi_view *v) {
  switch ((hd_mpi_pattern)v->shape->pattern) {
  case HD_REDUCED_BEFORE:
    return v->me;
  case HD_REDUCED_STRICTLY_BEFORE:
    return v->me - 1;
  default:
    return v->to - v->from - 1;
  }
}

uint32_t hd_mpi_reduced_ways(const hd_mpi_view *v,
                             const hd_mpi_meeting *meeting) {
  const hd_mpi_joiner *joiner = &meeting->joiners.data[v->me];
  if (v->shape->op < 0 || !hd_mpi_receives(v) || !joiner->needs.size ||
      joiner->picked)
    return 1;
  return hd_mpi_sums(v, meeting, last_operand(v) + 1, 0, NULL);
}

/* All get the same result of MPI_Allreduce. */
void hd_mpi_pick(const hd_mpi_view *v, hd_mpi_meeting *meeting,
                 uint32_t which) {
  for (uint32_t i = 0; i < v->n; i++)
    if (i == v->me || v->shape->pattern == HD_REDUCED_TO_ALL)
      meeting->joiners.data[i].picked = which + 1;
}

static bool put_reduced(const hd_mpi_view *v, const hd_mpi_meeting *meeting) {
  const hd_mpi_shape *s = v->shape;
  uint32_t last = last_operand(v);
  hd_mpi_data *sum = fold(v, meeting, last);
  if (!sum)
    return false;
  const uint64_t *args = v->c->call->args;
  uint64_t count = s->scount >= 0 ? args[s->scount] & UINT32_MAX : 0;
  bool ok = true;
  if (s->pattern == HD_REDUCED_SHARED_OUT) {
    uint64_t before;
    hd_mpi_signature one = {0};
    ok = share_of(v, v->me, &before, &count) &&
         hd_mpi_signature_of(v->c, 1, args[s->stype], &one);
    uint64_t size = hd_mpi_signature_size(v->c->mpi, &one);
    hd_vec_free(&one);
    if (ok && (before + count) * size > sum->bytes.size) {
      hd_mpi_misuse(v->c, "the counts are not the same for all");
      ok = false;
    }
    if (ok) {
      hd_mpi_data *part =
          hd_mpi_data_part(v->c->mpi, sum, before * size, count * size);
      hd_mpi_data_drop(sum);
      sum = part;
    }
  }
  ok = ok && hd_mpi_unpack(v->c, args[s->rbuf], count, args[s->rtype], sum);
  hd_mpi_data_drop(sum);
  return ok;
}

/* Contributions to MPI_Reduce_scatter may differ in length. */
static bool same_lengths(const hd_mpi_view *v, const hd_mpi_meeting *meeting) {
  if (v->shape->pattern != HD_REDUCED_SHARED_OUT)
    return true;
  const hd_mpi_data *first = meeting->joiners.data[0].blocks.data[0];
  for (hd_vec_each(hd_mpi_joiner, joiner, &meeting->joiners))
    if (!hd_mpi_signature_same(&first->signature,
                               &joiner->blocks.data[0]->signature)) {
      hd_mpi_misuse(v->c, "the counts are not the same for all");
      return false;
    }
  return true;
}

bool hd_mpi_take_away(const hd_mpi_view *v, const hd_mpi_meeting *meeting) {
  const hd_mpi_shape *s = v->shape;
  switch ((hd_mpi_pattern)s->pattern) {
  case HD_TOGETHER:
  case HD_EACH_ALONE:
    return true;
  case HD_FROM_ROOT:
    return put_block(v, (uint32_t)v->root, 0,
                     meeting->joiners.data[v->root].blocks.data[0]);
  case HD_SHARED_OUT:
    return (hd_mpi_is_root(v) && hd_mpi_in_place(v, s->rbuf)) ||
           put_block(v, (uint32_t)v->root, 0,
                     meeting->joiners.data[v->root].blocks.data[v->own]);
  case HD_TO_ROOT:
  case HD_TO_ALL:
  case HD_EACH_TO_EACH:
  case HD_TO_NEIGHBORS:
  case HD_EACH_TO_NEIGHBORS:
    for (uint32_t i = 0; i < hd_mpi_partners(v, true); i++) {
      uint32_t who = hd_mpi_partner(v, true, i);
      if (who == HD_NO_ID || !meeting->joiners.data[who].arrived)
        continue;
      uint32_t block = s->pattern == HD_EACH_TO_EACH ? v->own
                       : s->pattern == HD_EACH_TO_NEIGHBORS
                           ? hd_mpi_neighbor_block(v->c->mpi, v->comm, v->me, i)
                           : 0;
      if (!put_block(v, who, i, meeting->joiners.data[who].blocks.data[block]))
        return false;
    }
    return true;
  default:
    return same_lengths(v, meeting) && put_reduced(v, meeting);
  }
}

/* (in, inout, count, type, op) */
bool hd_mpi_reduce_local(const hd_mpi_call *c) {
  static const hd_mpi_shape shape = {
      HD_LIB_MPI_Reduce_local, 0, 2, -1, 3, 1, 2, -1, 3, 4, -1, -1,
      HD_REDUCED_TO_ALL};
  if (c->call->fn != HD_LIB_MPI_Reduce_local)
    return false;
  const uint64_t *args = c->call->args;
  hd_mpi_view v = {.c = c, .shape = &shape, .n = 1, .to = 1, .root = -1};
  v.op = hd_mpi_operation_of(c, args[4]);
  if (hd_mpi_int(c, 2) < 0) {
    hd_mpi_misuse(c, "the count is %d", hd_mpi_int(c, 2));
    return true;
  }
  if (!hd_mpi_check_operation(&v) || !hd_mpi_check_buffers(&v))
    return true;
  uint64_t count = args[2] & UINT32_MAX;
  hd_mpi_data *in = hd_mpi_pack(c, args[0], count, args[3]);
  hd_mpi_data *inout = in ? hd_mpi_pack(c, args[1], count, args[3]) : NULL;
  hd_mpi_data *sum = NULL;
  bool ok = inout != NULL;
  if (ok && v.op >= HD_MPI_OWN_OPERATION) {
    sum = apply(&v, copy_data(c->mpi, in), inout);
  } else if (ok) {
    sum = copy_data(c->mpi, in);
    if (hd_mpi_reduce(c->mpi, v.op, sum, inout) &&
        hd_mpi_checks(c->mpi, HD_PROPERTY_OVERFLOW)) {
      hd_mpi_violate(c->mpi, c->p, HD_PROPERTY_OVERFLOW, c->call->edge,
                     "%s: signed overflow", c->call->name);
      ok = false;
    }
  }
  ok = ok && sum && hd_mpi_unpack(c, args[1], count, args[3], sum);
  hd_mpi_data *all[] = {in, inout, sum};
  for (size_t i = 0; i < 3; i++)
    if (all[i])
      hd_mpi_data_drop(all[i]);
  if (ok)
    hd_mpi_return(c);
  return true;
}
