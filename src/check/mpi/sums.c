/* SPDX-License-Identifier: MIT */
/* Sums and products of floats: MPI may combine the operands in any order and
 * grouping, so there can be several results. Of few operands all are found, for
 * each element those of every tree; which one comes is a choice, the same for all
 * processes of the call. Of many operands a sum is one number when no rounding is
 * possible in any order; else what differs is open. */
#include "base/rounding.h"
#include "check/mpi/collective.h"

#include <string.h>

enum { OPERANDS = 6, RESULTS = 24, CHOICES = 32 };
enum { OP_MAX = 1, OP_MIN, OP_SUM }; /* of mpi.h */

/* So many elements at most that are combined in all ways, of so many operands. */
static const uint32_t elements[OPERANDS + 1] = {0, 0, 0, 4096, 1024, 128, 8};

/* Different numbers, as their bits. */
typedef struct {
  uint32_t n;
  bool many; /* … more than there is room for */
  double value[RESULTS];
} results;

static void add_result(results *r, double x) {
  for (uint32_t i = 0; i < r->n; i++)
    if (!memcmp(&r->value[i], &x, sizeof x))
      return;
  if (r->n == RESULTS)
    r->many = true;
  else
    r->value[r->n++] = x;
}

/* All results of x[0] … x[n - 1]: of each subset those of its halves. The first
 * is that of the order of the ranks. */
static void all_results(int64_t op, uint8_t size, const double *x, uint32_t n,
                        results *out) {
  results *of = hd_calloc((size_t)1 << n, sizeof *of);
  double in_order = x[0];
  for (uint32_t i = 1; i < n; i++)
    in_order = hd_mpi_combine(op, in_order, x[i], size);
  for (uint32_t s = 1; s < 1u << n; s++) {
    if (!(s & (s - 1)))
      add_result(&of[s], x[__builtin_ctz(s)]);
    for (uint32_t a = (s - 1) & s; a; a = (a - 1) & s)
      for (uint32_t i = 0; i < of[a].n; i++)
        for (uint32_t k = 0; k < of[s ^ a].n; k++)
          add_result(&of[s], hd_mpi_combine(op, of[a].value[i],
                                            of[s ^ a].value[k], size));
    for (uint32_t a = (s - 1) & s; a; a = (a - 1) & s)
      of[s].many = of[s].many || of[a].many;
  }
  *out = (results){.n = 1, .value = {in_order}};
  out->many = of[(1u << n) - 1].many;
  for (uint32_t i = 0; i < of[(1u << n) - 1].n; i++)
    add_result(out, of[(1u << n) - 1].value[i]);
  hd_free(of);
}

/* The order cannot matter: the largest or smallest of ordinary numbers, or what is
 * never rounded. */
static bool one_result(int64_t op, const double *x, uint32_t n, uint8_t size) {
  if (op != OP_MAX && op != OP_MIN)
    return op == OP_SUM && hd_never_rounds(x, n, size);
  uint32_t zeros[2] = {0, 0};
  for (uint32_t i = 0; i < n; i++) {
    if (isnan(x[i]))
      return false;
    if (!(x[i] > 0) && !(x[i] < 0))
      zeros[signbit(x[i]) != 0]++;
  }
  return !zeros[0] || !zeros[1];
}

/* The operands of element `at` of the data. */
static void operands(const hd_mpi_joiner *others, uint32_t n, uint64_t at,
                     uint8_t size, double *out) {
  for (uint32_t i = 0; i < n; i++)
    out[i] = hd_mpi_get_float(others[i].blocks.data[0]->bytes.data + at, size);
}

static void leave_open(const hd_mpi_view *v, hd_mpi_data *sum, uint64_t at,
                       uint8_t size) {
  bool exact = false;
  for (uint32_t p = 0; p < v->c->mpi->n; p++) /* it may travel */
    exact = hd_host_leaves_open(v->c->mpi->processes[p].machine);
  if (exact)
    memset(sum->shadow.data + at, 0xff, size);
}

uint32_t hd_mpi_sums(const hd_mpi_view *v, const hd_mpi_meeting *meeting,
                     uint32_t n, uint32_t which, hd_mpi_data *sum) {
  const hd_mpi_joiner *others = meeting->joiners.data + v->from;
  const hd_mpi_data *like = sum ? sum : others[0].blocks.data[0];
  uint64_t at = 0, choices = 1, tried = 0;
  if (v->op >= HD_MPI_OWN_OPERATION || n < 3)
    return 1;
  for (uint32_t i = 0; i < n; i++)
    if (others[i].blocks.data[0]->bytes.size != like->bytes.size)
      return 1; /* other lengths: said when the process leaves */
  double *x = hd_calloc(n, sizeof *x);
  for (hd_vec_each(hd_mpi_part, part, &like->signature)) {
    const hd_basic *basic = hd_mpi_basic(v->c->mpi, part->basic);
    for (uint64_t i = 0; i < part->count; i++, at += basic->size) {
      if (basic->kind != HD_BASIC_FLOAT)
        continue;
      operands(others, n, at, basic->size, x);
      if (one_result(v->op, x, n, basic->size))
        continue;
      results r = {.many = true};
      if (n <= OPERANDS && tried++ < elements[n])
        all_results(v->op, basic->size, x, n, &r);
      bool picks = which != HD_NO_ID || r.n == 1;
      if (!r.many && picks && r.n * choices <= CHOICES) {
        if (sum)
          hd_mpi_put_float(sum->bytes.data + at, basic->size,
                           r.value[which / choices % r.n]);
        choices *= r.n;
      } else if (sum) {
        leave_open(v, sum, at, basic->size);
      }
    }
  }
  hd_free(x);
  return (uint32_t)choices;
}
