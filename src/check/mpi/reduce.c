/* SPDX-License-Identifier: MIT */
/* The predefined operations of reductions, element by element. Integers wrap as
 * in the machines' arithmetic; of floats see sums.c. */
#include "check/mpi/parts.h"

#include <string.h>

typedef enum {
  OP_MAX = 1,
  OP_MIN,
  OP_SUM,
  OP_PROD,
  OP_LAND,
  OP_BAND,
  OP_LOR,
  OP_BOR,
  OP_LXOR,
  OP_BXOR,
  OP_MINLOC,
  OP_MAXLOC,
} operation;

const char *hd_mpi_op_name(int64_t op) {
  static const char *const names[] = {
      "?",        "MPI_MAX",    "MPI_MIN",   "MPI_SUM", "MPI_PROD",
      "MPI_LAND", "MPI_BAND",   "MPI_LOR",   "MPI_BOR", "MPI_LXOR",
      "MPI_BXOR", "MPI_MINLOC", "MPI_MAXLOC"};
  return op >= OP_MAX && op <= OP_MAXLOC ? names[op] : names[0];
}

/* C has no bitwise operations on floats, and MPI no sum of bytes. */
static bool fits(int64_t op, uint8_t kind) {
  bool integer = kind == HD_BASIC_SIGNED || kind == HD_BASIC_UNSIGNED;
  switch (op) {
  case OP_MAX:
  case OP_MIN:
  case OP_SUM:
  case OP_PROD:
    return integer || kind == HD_BASIC_FLOAT;
  case OP_LAND:
  case OP_LOR:
  case OP_LXOR:
    return integer;
  case OP_BAND:
  case OP_BOR:
  case OP_BXOR:
    return integer || kind == HD_BASIC_BYTES;
  case OP_MINLOC:
  case OP_MAXLOC:
    return kind == HD_BASIC_PAIR;
  default:
    return false;
  }
}

static bool logical(int64_t op) {
  return op == OP_LAND || op == OP_LOR || op == OP_LXOR;
}

/* MPI_C_BOOL; and what stands for printable characters: no numbers. */
enum { BASIC_BOOL = 17, BASIC_CHAR = 1, BASIC_WCHAR = 5 };

bool hd_mpi_op_fits(const hd_mpi *mpi, int64_t op,
                    const hd_mpi_signature *signature) {
  for (hd_vec_each(hd_mpi_part, part, signature))
    if ((part->basic == BASIC_BOOL && !logical(op)) ||
        part->basic == BASIC_CHAR || part->basic == BASIC_WCHAR ||
        !fits(op, hd_mpi_basic(mpi, part->basic)->kind))
      return false;
  return true;
}

double hd_mpi_get_float(const uint8_t *bytes, uint8_t size) {
  float narrow;
  double value;
  if (size == 4) {
    memcpy(&narrow, bytes, 4);
    return (double)narrow;
  }
  memcpy(&value, bytes, 8);
  return value;
}

void hd_mpi_put_float(uint8_t *bytes, uint8_t size, double value) {
  float narrow = (float)value;
  if (size == 4)
    memcpy(bytes, &narrow, 4);
  else
    memcpy(bytes, &value, 8);
}

double hd_mpi_combine(int64_t op, double x, double y, uint8_t size) {
  switch (op) {
  case OP_MAX:
    return y > x ? y : x;
  case OP_MIN:
    return y < x ? y : x;
  case OP_SUM:
    return size == 4 ? (double)((float)x + (float)y) : x + y;
  default:
    assert(op == OP_PROD);
    return size == 4 ? (double)((float)x * (float)y) : x * y;
  }
}

static void reduce_float(int64_t op, uint8_t *a, const uint8_t *b,
                         uint8_t size) {
  hd_mpi_put_float(a, size,
                   hd_mpi_combine(op, hd_mpi_get_float(a, size),
                                  hd_mpi_get_float(b, size), size));
}

static bool less(uint64_t x, uint64_t y, uint8_t kind, uint8_t size) {
  int unused = 64 - 8 * size;
  if (kind == HD_BASIC_SIGNED)
    return (int64_t)(x << unused) < (int64_t)(y << unused);
  return x < y;
}

static int64_t with_sign(uint64_t x, uint8_t size) {
  int unused = 64 - 8 * size;
  return (int64_t)(x << unused) >> unused;
}

/* Does a sum or product of signed integers leave its type? */
static bool leaves(int64_t op, uint64_t x, uint64_t y, uint8_t size) {
  int64_t a = with_sign(x, size), b = with_sign(y, size), z;
  bool far = op == OP_SUM ? __builtin_add_overflow(a, b, &z)
                          : __builtin_mul_overflow(a, b, &z);
  return far || with_sign((uint64_t)z, size) != z;
}

/* True: it overflows. */
static bool reduce_int(int64_t op, uint8_t *a, const uint8_t *b, uint8_t kind,
                       uint8_t size) {
  uint64_t x = 0, y = 0, z = 0;
  memcpy(&x, a, size);
  memcpy(&y, b, size);
  switch (op) {
  case OP_MAX:
    z = less(x, y, kind, size) ? y : x;
    break;
  case OP_MIN:
    z = less(y, x, kind, size) ? y : x;
    break;
  case OP_SUM:
    z = x + y;
    break;
  case OP_PROD:
    z = x * y;
    break;
  case OP_LAND:
    z = x && y;
    break;
  case OP_LOR:
    z = x || y;
    break;
  case OP_LXOR:
    z = !x != !y;
    break;
  case OP_BAND:
    z = x & y;
    break;
  case OP_BOR:
    z = x | y;
    break;
  default:
    assert(op == OP_BXOR);
    z = x ^ y;
  }
  memcpy(a, &z, size);
  return kind == HD_BASIC_SIGNED && (op == OP_SUM || op == OP_PROD) &&
         leaves(op, x, y, size);
}

/* The pair with the smaller (larger) value; of equal ones the lower index. */
static void reduce_pair(int64_t op, uint8_t *a, const uint8_t *b,
                        const hd_basic *basic) {
  uint8_t size = basic->first_size;
  uint32_t at = basic->size - size >= 4 && size < 4 ? 4 : size;
  bool smaller, larger;
  if (basic->first == HD_BASIC_FLOAT) {
    double x = hd_mpi_get_float(a, size), y = hd_mpi_get_float(b, size);
    smaller = y < x;
    larger = y > x;
  } else {
    uint64_t x = 0, y = 0;
    memcpy(&x, a, size);
    memcpy(&y, b, size);
    smaller = less(y, x, basic->first, size);
    larger = less(x, y, basic->first, size);
  }
  int32_t i, k;
  memcpy(&i, a + at, 4);
  memcpy(&k, b + at, 4);
  bool takes = op == OP_MINLOC ? smaller : larger;
  bool equal = !smaller && !larger;
  if (takes || (equal && k < i))
    memcpy(a, b, basic->size);
}

bool hd_mpi_reduce(const hd_mpi *mpi, int64_t op, hd_mpi_data *a,
                   const hd_mpi_data *b) {
  bool overflows = false;
  assert(a->bytes.size == b->bytes.size);
  uint64_t at = 0;
  for (hd_vec_each(hd_mpi_part, part, &a->signature)) {
    const hd_basic *basic = hd_mpi_basic(mpi, part->basic);
    for (uint64_t i = 0; i < part->count; i++, at += basic->size) {
      uint8_t *x = a->bytes.data + at;
      const uint8_t *y = b->bytes.data + at;
      if (basic->kind == HD_BASIC_FLOAT)
        reduce_float(op, x, y, basic->size);
      else if (basic->kind == HD_BASIC_PAIR)
        reduce_pair(op, x, y, basic);
      else
        overflows |= reduce_int(op, x, y, basic->kind, basic->size);
      /* What depends on a bit that was never set is not set. */
      uint8_t unset = 0;
      for (uint8_t s = 0; basic->kind != HD_BASIC_PAIR && s < basic->size; s++)
        unset |= a->shadow.data[at + s] | b->shadow.data[at + s];
      if (unset)
        memset(a->shadow.data + at, 0xff, basic->size);
    }
  }
  return overflows;
}
