/* SPDX-License-Identifier: MIT */
/* Making datatypes, and asking about them.
 *
 * A constructor is a list of pieces: `length` elements of a type, the first at
 * some offset. Its lower and upper bound are the lowest and highest bounds of
 * its elements; only those of MPI_Type_create_struct are rounded up, as C does
 * with structures. */
#include "check/mpi/parts.h"

enum { MAX_ELEMENTS = 100000, MAX_SUBARRAY = 8, ORDER_FORTRAN = 2 };

static bool reasonable(const hd_mpi_call *c, int64_t count) {
  if (count < 0)
    hd_mpi_misuse(c, "the count is %lld", (long long)count);
  else if (count > MAX_ELEMENTS)
    hd_mpi_refuse(c, "a datatype of more than %d elements", MAX_ELEMENTS);
  return hd_mpi_runs(c->mpi) &&
         hd_machine_status_of(c->m) == HD_MACHINE_RUNNING;
}

/* --- building --- */

typedef struct {
  hd_mpi_type type;
  int64_t low, high; /* bounds so far */
  bool any;
  uint64_t elements;
} builder;

static bool add_piece(const hd_mpi_call *c, builder *b, uint64_t handle,
                      int64_t offset, int64_t length) {
  hd_mpi_type scratch;
  hd_mpi_block block;
  const hd_mpi_type *base = hd_mpi_type_of(c, handle, &scratch, &block);
  if (!base || !reasonable(c, length))
    return false;
  b->elements += (uint64_t)length * base->blocks.size;
  if (!reasonable(c, (int64_t)b->elements))
    return false;
  if (!length)
    return true;
  hd_mpi_type_add(c->mpi, &b->type, base, offset, (uint64_t)length);
  int64_t last = offset + (length - 1) * base->extent;
  int64_t low = (offset < last ? offset : last) + base->low;
  int64_t high = (offset > last ? offset : last) + base->low + base->extent;
  b->low = b->any && b->low < low ? b->low : low;
  b->high = b->any && b->high > high ? b->high : high;
  b->any = true;
  return true;
}

/* The type is made: its handle goes to argument `out`. */
static void finish(const hd_mpi_call *c, builder *b, uint32_t out) {
  b->type.low = b->low;
  b->type.extent = b->high - b->low;
  b->type.edge = c->call->edge;
  hd_vec_push(&c->process->types, b->type);
  if (hd_mpi_put(c, c->call->args[out],
                 HD_MPI_FIRST_TYPE + (int64_t)c->process->types.size - 1))
    hd_mpi_return(c);
}

static int64_t extent_of(const hd_mpi_call *c, uint64_t handle) {
  hd_mpi_type scratch;
  hd_mpi_block block;
  const hd_mpi_type *base = hd_mpi_type_of(c, handle, &scratch, &block);
  return base ? base->extent : 0;
}

/* MPI_Type_contiguous (count, type, new); MPI_Type_vector (count, length,
 * stride, type, new), of which hvector has its stride in bytes. */
static void make_regular(const hd_mpi_call *c, bool vector, bool bytes) {
  int64_t count = hd_mpi_int(c, 0);
  int64_t length = vector ? hd_mpi_int(c, 1) : 1;
  uint32_t at = vector ? 3 : 1;
  bool wide = c->mpi->code->pointer_width == 64;
  int64_t stride = !vector         ? 1
                   : bytes && wide ? (int64_t)c->call->args[2]
                                   : hd_mpi_int(c, 2);
  builder b = {0};
  if (!reasonable(c, count) || !reasonable(c, length))
    return;
  int64_t unit = bytes ? 1 : extent_of(c, c->call->args[at]);
  bool ok = reasonable(c, count * length) &&
            add_piece(c, &b, c->call->args[at], 0, 0);
  for (int64_t i = 0; ok && i < count; i++)
    ok = add_piece(c, &b, c->call->args[at], i * stride * unit, length);
  if (ok)
    finish(c, &b, at + 1);
  else
    hd_mpi_type_free(&b.type);
}

/* Element i of an array of MPI_Aint, or of int. */
static bool read_number(const hd_mpi_call *c, uint64_t array, int64_t i,
                        bool address, const char *what, int64_t *out) {
  uint32_t word = address ? c->mpi->code->pointer_width / 8 : 4;
  int32_t low, high = 0;
  uint64_t at = array + word * (uint64_t)i;
  if (!hd_mpi_get(c, at, what, &low) ||
      (word == 8 && !hd_mpi_get(c, at + 4, what, &high)))
    return false;
  *out = word == 8 ? (int64_t)((uint64_t)(uint32_t)high << 32 | (uint32_t)low)
                   : low;
  return true;
}

/* (count, lengths, displacements, type, new); `bytes`: displacements are
 * MPI_Aint; `block`: the second argument is the length of all. */
static void make_indexed(const hd_mpi_call *c, bool bytes, bool block) {
  int64_t count = hd_mpi_int(c, 0), length = hd_mpi_int(c, 1), offset;
  builder b = {0};
  if (!reasonable(c, count))
    return;
  int64_t unit = bytes ? 1 : extent_of(c, c->call->args[3]);
  bool ok = add_piece(c, &b, c->call->args[3], 0, 0);
  for (int64_t i = 0; ok && i < count; i++)
    ok =
        (block || read_number(c, c->call->args[1], i, false, "a block length",
                              &length)) &&
        read_number(c, c->call->args[2], i, bytes, "a displacement", &offset) &&
        add_piece(c, &b, c->call->args[3], offset * unit, length);
  if (ok)
    finish(c, &b, 4);
  else
    hd_mpi_type_free(&b.type);
}

static int64_t alignment(const hd_mpi *mpi, const hd_mpi_type *type) {
  int64_t align = 1;
  for (hd_vec_each(hd_mpi_block, b, &type->blocks)) {
    const hd_basic *basic = hd_mpi_basic(mpi, b->basic);
    int64_t size = basic->kind == HD_BASIC_PAIR      ? basic->first_size
                   : basic->kind == HD_BASIC_COMPLEX ? basic->size / 2
                                                     : basic->size;
    align = size > align ? size : align;
  }
  return align;
}

/* (count, lengths, offsets, types, new) */
static void make_struct(const hd_mpi_call *c) {
  int64_t count = hd_mpi_int(c, 0), length, offset, handle;
  builder b = {0};
  bool ok = reasonable(c, count);
  for (int64_t i = 0; ok && i < count; i++)
    ok =
        read_number(c, c->call->args[1], i, false, "a block length", &length) &&
        read_number(c, c->call->args[2], i, true, "a displacement", &offset) &&
        read_number(c, c->call->args[3], i, false, "a datatype", &handle) &&
        add_piece(c, &b, (uint32_t)handle, offset, length);
  if (!ok) {
    hd_mpi_type_free(&b.type);
    return;
  }
  int64_t align = alignment(c->mpi, &b.type), size = b.high - b.low;
  b.high = b.low + (size + align - 1) / align * align;
  finish(c, &b, 4);
}

/* (n, sizes, subsizes, starts, order, type, new): the last dimension (in the
 * order of C) is contiguous. */
static void make_subarray(const hd_mpi_call *c) {
  int64_t n = hd_mpi_int(c, 0), total = 1, cells = 1;
  int64_t sizes[MAX_SUBARRAY], subs[MAX_SUBARRAY], starts[MAX_SUBARRAY];
  bool fortran = hd_mpi_int(c, 4) == ORDER_FORTRAN;
  if (n < 1 || n > MAX_SUBARRAY) {
    hd_mpi_refuse(c, "a subarray of %lld dimensions", (long long)n);
    return;
  }
  for (int64_t i = 0; i < n; i++) {
    int64_t at = fortran ? n - 1 - i : i;
    if (!read_number(c, c->call->args[1], i, false, "a size", &sizes[at]) ||
        !read_number(c, c->call->args[2], i, false, "a size", &subs[at]) ||
        !read_number(c, c->call->args[3], i, false, "a start", &starts[at]))
      return;
    if (subs[at] < 1 || starts[at] < 0 || starts[at] + subs[at] > sizes[at]) {
      hd_mpi_misuse(c, "the part is not inside of the array");
      return;
    }
    total *= sizes[at];
    cells *= subs[at];
    if (!reasonable(c, total))
      return;
  }
  builder b = {0};
  int64_t extent = extent_of(c, c->call->args[5]);
  bool ok = add_piece(c, &b, c->call->args[5], 0, 0);
  int64_t row = subs[n - 1];
  for (int64_t k = 0; ok && k < cells; k += row) {
    int64_t rest = k, offset = 0, step = 1;
    for (int64_t i = n - 1; i >= 0; i--) {
      offset += (starts[i] + rest % subs[i]) * step;
      rest /= subs[i];
      step *= sizes[i];
    }
    ok = add_piece(c, &b, c->call->args[5], offset * extent, row);
  }
  b.low = 0;
  b.high = total * extent;
  if (ok)
    finish(c, &b, 6);
  else
    hd_mpi_type_free(&b.type);
}

/* MPI_Type_create_resized (type, low, extent, new), MPI_Type_dup (type, new) */
static void make_like(const hd_mpi_call *c, bool resized) {
  hd_mpi_type scratch;
  hd_mpi_block block;
  const hd_mpi_type *base =
      hd_mpi_type_of(c, c->call->args[0], &scratch, &block);
  if (!base)
    return;
  builder b = {.type = hd_mpi_type_copy(base),
               .low = base->low,
               .high = base->low + base->extent};
  if (resized) {
    bool wide = c->mpi->code->pointer_width == 64;
    b.low = wide ? (int64_t)c->call->args[1] : hd_mpi_int(c, 1);
    b.high = b.low + (wide ? (int64_t)c->call->args[2] : hd_mpi_int(c, 2));
    b.type.committed = false;
  }
  finish(c, &b, resized ? 3 : 1);
}

/* --- changing --- */

/* MPI_Type_commit, _free: (&type) */
static void change_type(const hd_mpi_call *c) {
  int32_t handle;
  if (!hd_mpi_get(c, c->call->args[0], "the datatype", &handle))
    return;
  bool commit = c->call->fn == HD_LIB_MPI_Type_commit;
  if (commit && hd_mpi_type_predefined((uint32_t)handle)) {
    hd_mpi_return(c);
    return;
  }
  hd_mpi_type *type = hd_mpi_type_made(c, (uint32_t)handle);
  if (!type)
    return;
  if (commit)
    type->committed = true;
  else
    type->freed = true;
  if (commit || hd_mpi_put(c, c->call->args[0], 0))
    hd_mpi_return(c);
}

/* --- asking --- */

static void type_size(const hd_mpi_call *c) {
  hd_mpi_type scratch;
  hd_mpi_block block;
  const hd_mpi_type *type =
      hd_mpi_type_of(c, c->call->args[0], &scratch, &block);
  if (!type)
    return;
  int64_t size = 0;
  for (hd_vec_each(hd_mpi_block, b, &type->blocks)) {
    const hd_basic *basic = hd_mpi_basic(c->mpi, b->basic);
    size +=
        (int64_t)b->count *
        (basic->kind == HD_BASIC_PAIR ? basic->first_size + 4 : basic->size);
  }
  if (hd_mpi_put(c, c->call->args[1], size))
    hd_mpi_return(c);
}

/* An MPI_Aint for the program. */
static bool put_address(const hd_mpi_call *c, uint64_t address, int64_t value) {
  return hd_host_write(c->m, address, c->mpi->code->pointer_width / 8,
                       (const uint8_t *)&value, NULL);
}

/* (type, &low, &extent); `true_` bounds are those of the data itself. */
static void type_extent(const hd_mpi_call *c, bool true_) {
  hd_mpi_type scratch;
  hd_mpi_block block;
  const hd_mpi_type *type =
      hd_mpi_type_of(c, c->call->args[0], &scratch, &block);
  if (!type)
    return;
  int64_t low = type->low, high = type->low + type->extent;
  for (size_t i = 0; true_ && i < type->blocks.size; i++) {
    const hd_mpi_block *b = &type->blocks.data[i];
    int64_t end =
        b->offset + (int64_t)(b->count * hd_mpi_basic(c->mpi, b->basic)->size);
    low = !i || b->offset < low ? b->offset : low;
    high = !i || end > high ? end : high;
  }
  bool ok;
  switch (c->call->fn) {
  case HD_LIB_MPI_Type_extent:
    ok = put_address(c, c->call->args[1], type->extent);
    break;
  case HD_LIB_MPI_Type_lb:
    ok = put_address(c, c->call->args[1], low);
    break;
  case HD_LIB_MPI_Type_ub:
    ok = put_address(c, c->call->args[1], high);
    break;
  default:
    ok = put_address(c, c->call->args[1], low) &&
         put_address(c, c->call->args[2], high - low);
  }
  if (ok)
    hd_mpi_return(c);
}

static void return_sum(const hd_mpi_call *c, bool minus) {
  uint64_t a = c->call->args[0], b = c->call->args[1];
  hd_host_return(c->m, minus ? a - b : a + b);
}

bool hd_mpi_type_call(const hd_mpi_call *c) {
  switch (c->call->fn) {
  case HD_LIB_MPI_Type_contiguous:
    make_regular(c, false, false);
    break;
  case HD_LIB_MPI_Type_vector:
    make_regular(c, true, false);
    break;
  case HD_LIB_MPI_Type_create_hvector:
  case HD_LIB_MPI_Type_hvector:
    make_regular(c, true, true);
    break;
  case HD_LIB_MPI_Type_indexed:
    make_indexed(c, false, false);
    break;
  case HD_LIB_MPI_Type_create_hindexed:
  case HD_LIB_MPI_Type_hindexed:
    make_indexed(c, true, false);
    break;
  case HD_LIB_MPI_Type_create_indexed_block:
    make_indexed(c, false, true);
    break;
  case HD_LIB_MPI_Type_create_struct:
  case HD_LIB_MPI_Type_struct:
    make_struct(c);
    break;
  case HD_LIB_MPI_Type_create_subarray:
    make_subarray(c);
    break;
  case HD_LIB_MPI_Type_create_resized:
    make_like(c, true);
    break;
  case HD_LIB_MPI_Type_dup:
    make_like(c, false);
    break;
  case HD_LIB_MPI_Type_commit:
  case HD_LIB_MPI_Type_free:
    change_type(c);
    break;
  case HD_LIB_MPI_Type_size:
    type_size(c);
    break;
  case HD_LIB_MPI_Type_get_extent:
  case HD_LIB_MPI_Type_extent:
  case HD_LIB_MPI_Type_lb:
  case HD_LIB_MPI_Type_ub:
    type_extent(c, false);
    break;
  case HD_LIB_MPI_Type_get_true_extent:
    type_extent(c, true);
    break;
  case HD_LIB_MPI_Get_address:
  case HD_LIB_MPI_Address:
    if (put_address(c, c->call->args[1], (int64_t)c->call->args[0]))
      hd_mpi_return(c);
    break;
  case HD_LIB_MPI_Aint_add:
  case HD_LIB_MPI_Aint_diff:
    return_sum(c, c->call->fn == HD_LIB_MPI_Aint_diff);
    break;
  case HD_LIB_MPI_Type_set_name:
    hd_mpi_return(c);
    break;
  default:
    return false;
  }
  return true;
}
