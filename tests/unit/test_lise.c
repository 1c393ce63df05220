/* SPDX-License-Identifier: MIT */
/* The engine lise: terms, what is proved without the solver, the state that the
 * paper works out for stagger.c (section 2.5), and whole searches. */
#include "engine/lise/search.h"
#include "front/code/code.h"
#include "front/formula/formula.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/io.h"

#include <stdio.h>
#include <string.h>

/* --- terms --- */

static hd_term sym(hd_terms *t, uint32_t i, hd_term_sort sort) {
  return hd_term_sym(t, HD_SYM_X, i, sort);
}

static void polynomials(void **state) {
  (void)state;
  hd_terms *t = hd_terms_new();
  hd_term a = sym(t, 0, HD_OF_INT), b = sym(t, 1, HD_OF_INT);
  hd_term sum = hd_term_add(t, a, b), square = hd_term_mul(t, sum, sum);
  hd_term parts = hd_term_add(
      t, hd_term_mul(t, a, a),
      hd_term_add(t, hd_term_mul(t, b, b),
                  hd_term_mul(t, hd_term_int(t, 2), hd_term_mul(t, a, b))));
  assert_int_equal(square, parts);
  assert_int_equal(hd_term_sub(t, square, parts), hd_term_int(t, 0));
  /* 2a < 5 is a <= 2; 2a = 5 is false */
  hd_term two_a = hd_term_mul(t, hd_term_int(t, 2), a);
  assert_int_equal(hd_term_lt(t, two_a, hd_term_int(t, 5)),
                   hd_term_le(t, a, hd_term_int(t, 2)));
  assert_true(hd_term_is_false(t, hd_term_eq(t, two_a, hd_term_int(t, 5))));
  hd_term le = hd_term_le(t, a, b);
  assert_int_equal(hd_term_not(t, hd_term_not(t, le)), le);
  assert_true(hd_term_is_true(t, hd_term_or(t, le, hd_term_not(t, le))));
  /* C's division: towards zero */
  assert_int_equal(hd_term_tdiv(t, hd_term_int(t, -7), hd_term_int(t, 2)),
                   hd_term_int(t, -3));
  assert_int_equal(hd_term_trem(t, hd_term_int(t, -7), hd_term_int(t, 2)),
                   hd_term_int(t, -1));
  assert_int_equal(hd_term_tdiv(t, two_a, hd_term_int(t, 2)), a);
  hd_terms_delete(t);
}

static void numbers_too_large(void **state) {
  (void)state;
  hd_terms *t = hd_terms_new();
  hd_term big = hd_term_int(t, INT64_MAX), x = sym(t, 0, HD_OF_INT);
  hd_term power = x;
  for (int i = 0; i < 8; i++)
    power = hd_term_mul(t, hd_term_add(t, power, big), big);
  assert_true(hd_term_sort_of(t, power) == HD_OF_INT);
  assert_int_not_equal(power, hd_term_undef(t));
  hd_terms_delete(t);
}

static void arrays(void **state) {
  (void)state;
  hd_terms *t = hd_terms_new();
  hd_term a = sym(t, 0, HD_OF_INTS), i = sym(t, 1, HD_OF_INT);
  hd_term next = hd_term_add(t, i, hd_term_int(t, 1));
  hd_term v = hd_term_int(t, 7), w = hd_term_int(t, 8);
  hd_term b = hd_term_store(t, hd_term_store(t, a, i, v), next, w);
  assert_int_equal(hd_term_select(t, b, i), v);
  assert_int_equal(hd_term_select(t, b, next), w);
  assert_int_equal(b, hd_term_store(t, hd_term_store(t, a, next, w), i, v));
  hd_term j = sym(t, 2, HD_OF_INT);
  hd_term_pair map = {j, i};
  assert_int_equal(hd_term_subst(t, hd_term_select(t, b, j), &map, 1), v);
  hd_terms_delete(t);
}

/* --- proofs --- */

static void proofs_without_solver(void **state) {
  (void)state;
  hd_terms *t = hd_terms_new();
  hd_prover *p = hd_prover_new(t, 5, 0);
  hd_term x = sym(t, 0, HD_OF_INT), y = sym(t, 1, HD_OF_INT);
  hd_term facts[] = {hd_term_eq(t, y, hd_term_add(t, x, hd_term_int(t, 1))),
                     hd_term_lt(t, x, hd_term_int(t, 10))};
  assert_int_equal(
      hd_prover_valid(p, facts, 2, hd_term_le(t, y, hd_term_int(t, 10))),
      HD_VALID);
  assert_int_equal(hd_prover_valid(p, facts, 2, hd_term_ne(t, x, y)), HD_VALID);
  assert_int_equal(hd_prover_calls(p), 0);
  assert_int_equal(
      hd_prover_valid(p, facts, 2, hd_term_le(t, y, hd_term_int(t, 9))),
      HD_INVALID);
  assert_int_equal(hd_prover_calls(p), 1);
  assert_int_equal(
      hd_prover_valid(p, facts, 2, hd_term_le(t, y, hd_term_int(t, 9))),
      HD_INVALID);
  assert_int_equal(hd_prover_calls(p), 1); /* remembered */
  hd_prover_delete(p);
  hd_terms_delete(t);
}

/* m * i = s and m' = m + (a - m) / (i + 1) give m' * (i + 1) = s + a. */
static void fractions(void **state) {
  (void)state;
  hd_terms *t = hd_terms_new();
  hd_prover *p = hd_prover_new(t, 5, 0);
  hd_term m = sym(t, 0, HD_OF_REAL), a = sym(t, 1, HD_OF_REAL),
          s = sym(t, 2, HD_OF_REAL), i = sym(t, 3, HD_OF_INT);
  hd_term one = hd_term_int(t, 1), zero = hd_term_int(t, 0);
  hd_term next = hd_term_toreal(t, hd_term_add(t, i, one));
  hd_term new = hd_term_add(t, m, hd_term_rdiv(t, hd_term_sub(t, a, m), next));
  hd_term facts[] = {hd_term_le(t, zero, i),
                     hd_term_eq(t, hd_term_mul(t, m, hd_term_toreal(t, i)), s)};
  hd_term claim =
      hd_term_eq(t, hd_term_mul(t, new, next), hd_term_add(t, s, a));
  assert_int_equal(hd_prover_valid(p, facts, 2, claim), HD_VALID);
  hd_term wrong =
      hd_term_eq(t, hd_term_mul(t, new, next), hd_term_sub(t, s, a));
  assert_int_not_equal(hd_prover_valid(p, facts, 2, wrong), HD_VALID);
  hd_prover_delete(p);
  hd_terms_delete(t);
}

/* --- stagger.c --- */

/* Integers are mathematical. */
#define CHECKS (~((hd_properties)1 << HD_PROPERTY_OVERFLOW))

/* Figure 2, with its line numbers; the input n comes first. */
static const char stagger[] =
    "heddle code 1\n"
    "target 64\n"
    "file 0 \"stagger.c\"\n"
    "file 1 \"stagger.h\"\n"
    "type 0 signed 4 \"int\"\n"
    "scope 0 - 0:2:1\n"
    "pragma 1:1:1 \"TASS input {n >= 0}\"\n"
    "global @n \"n\" size 4 align 4 type 0 at 1:2:1 bytes 05000000\n"
    "global @.str size 11 align 1 const at 0:13:1 bytes "
    "78203d3d2032202a206e00\n"
    "global @.str.1 size 2 align 1 const bytes 6100\n"
    "global @__PRETTY_FUNCTION__.main size 15 align 1 const at 0:13:1 bytes "
    "696e74206d61696e28766f69642900\n"
    "function @main \"main\" () -> i32 type 0 scope 0 at 0:2:1 {\n"
    "  reg %retval i32\n"
    "  reg %i i32 \"i\" type 0 scope 0 at 0:2:15\n"
    "  reg %1 i32\n"
    "  reg %2 i32\n"
    "  reg %3 i32\n"
    "  reg %4 i32\n"
    "  reg %5 i32\n"
    "  slot &myrank \"myrank\" size 4 align 4 type 0 scope 0 at 0:2:7\n"
    "  slot &x \"x\" size 4 align 4 type 0 scope 0 at 0:2:22\n"
    "  location 0 0:2:1\n"
    "    -> 1 0:2:1 set %retval = 0:i32\n"
    "  location 1 0:2:15\n"
    "    -> 2 0:2:15 set %i = 0:i32\n"
    "  location 2 0:2:22\n"
    "    -> 3 0:2:22 store &x = 0:i32\n"
    "  location 3 0:2:3\n"
    "    -> 4 0:2:3 call @MPI_Init(null, null)\n"
    "  location 4 0:2:3\n"
    "    -> 5 0:2:3 call @MPI_Comm_rank(1:i32, &myrank)\n"
    "  location 5 0:4:18 loop 0:4:3 scope 0\n"
    "    -> 6 0:4:18 load %1 = @n\n"
    "  location 6 0:4:3\n"
    "    -> 7 0:4:3 when slt.i1(%i, mul.i32.nsw(2:i32, %1))\n"
    "    -> 17 0:4:3 when sge.i1(%i, mul.i32.nsw(2:i32, %1))\n"
    "  location 7 0:5:9\n"
    "    -> 8 0:5:9 load %4 = &myrank\n"
    "  location 8 0:5:21\n"
    "    -> 9 0:5:21 when eq.i1(%4, 0:i32)\n"
    "    -> 12 0:5:21 when ne.i1(%4, 0:i32)\n"
    "  location 9 0:5:9\n"
    "    -> 10 0:5:9 when eq.i1(srem.i32(%i, 2:i32), 0:i32)\n"
    "    -> 12 0:5:9 when ne.i1(srem.i32(%i, 2:i32), 0:i32)\n"
    "  location 10 0:6:7\n"
    "    -> 11 0:6:7 call @MPI_Recv(&x, 1:i32, 8:i32, 1:i32, 0:i32, 1:i32, "
    "null)\n"
    "  location 11 0:11:6\n"
    "    -> 5 0:11:6 set %i = add.i32.nsw(%i, 1:i32)\n"
    "  location 12 0:7:16\n"
    "    -> 13 0:7:16 load %5 = &myrank\n"
    "  location 13 0:7:28\n"
    "    -> 14 0:7:28 when eq.i1(%5, 1:i32)\n"
    "    -> 11 0:7:28 when ne.i1(%5, 1:i32)\n"
    "  location 14 0:7:16\n"
    "    -> 15 0:7:16 when eq.i1(srem.i32(%i, 2:i32), 1:i32)\n"
    "    -> 11 0:7:16 when ne.i1(srem.i32(%i, 2:i32), 1:i32)\n"
    "  location 15 0:8:9\n"
    "    -> 16 0:8:9 store &x = add.i32.nsw(%i, 1:i32)\n"
    "  location 16 0:9:7\n"
    "    -> 11 0:9:7 call @MPI_Send(&x, 1:i32, 8:i32, 0:i32, 0:i32, 1:i32)\n"
    "  location 17 0:13:3\n"
    "    -> 18 0:13:3 load %2 = &x\n"
    "  location 18 0:13:3\n"
    "    -> 19 0:13:3 load %3 = @n\n"
    "  location 19 0:13:3\n"
    "    -> 20 0:13:3 when eq.i1(%2, mul.i32.nsw(2:i32, %3))\n"
    "    -> 22 0:13:3 when ne.i1(%2, mul.i32.nsw(2:i32, %3))\n"
    "  location 20 0:14:3\n"
    "    -> 21 0:14:3 call @MPI_Finalize()\n"
    "  location 21 0:15:3\n"
    "    -> 21 0:15:3 return 0:i32\n"
    "  location 22 0:13:3\n"
    "    -> 23 0:13:3 call @__assert_fail(@.str, @.str.1, 13:i32, "
    "@__PRETTY_FUNCTION__.main)\n"
    "  location 23 0:13:3\n"
    "    -> 23 0:13:3 unreachable\n"
    "}\n"
    "function @MPI_Init \"MPI_Init\" (ptr, ptr) -> i32 external\n"
    "function @MPI_Comm_rank \"MPI_Comm_rank\" (i32, ptr) -> i32 external\n"
    "function @__assert_fail \"__assert_fail\" (ptr, ptr, i32, ptr) -> void "
    "external\n"
    "function @MPI_Finalize \"MPI_Finalize\" () -> i32 external\n"
    "function @MPI_Send \"MPI_Send\" (ptr, i32, i32, i32, i32, i32) -> i32 "
    "external\n"
    "function @MPI_Recv \"MPI_Recv\" (ptr, i32, i32, i32, i32, i32, ptr) -> "
    "i32 external\n";

#define WEAK                                                                   \
  "pragma 0:3:1 \"TASS collective invariant I "                                \
  "i == PROC[1-myrank]@main.i && x == 2*((i+1-myrank)/2);\"\n"
#define STRONG                                                                 \
  "pragma 0:3:1 \"TASS collective invariant I "                                \
  "i == PROC[1-myrank]@main.i && x == 2*((i+1-myrank)/2) && 0 <= i && "        \
  "i <= 2*n;\"\n"

typedef struct {
  hd_code *code;
  hd_notes notes;
  hd_diag *diag;
} program;

static void read_program(program *p, const char *text, const char *pragma) {
  hd_str all = {0};
  const char *at = strstr(text, "global @n");
  hd_str_append(&all, text, (size_t)(at - text));
  hd_str_puts(&all, pragma);
  hd_str_puts(&all, at);
  hd_source source =
      hd_source_from_text("stagger.code", hd_str_text(&all), all.size);
  p->diag = hd_diag_new();
  p->code = hd_code_read(&source, p->diag);
  assert_non_null(p->code);
  bool ok = hd_notes_read(&p->notes, p->code, p->diag);
  if (!ok)
    hd_diag_print(p->diag, stderr, false);
  assert_true(ok);
  hd_source_free(&source);
  hd_str_free(&all);
}

static void free_program(program *p) {
  hd_notes_free(&p->notes);
  hd_code_delete(p->code);
  hd_diag_delete(p->diag);
}

/* Process `p` makes its next transition and goes on until it has to stop. */
static void transition(hd_lise *l, hd_proc p) {
  l->proc = p;
  l->budget = 1000;
  hd_going g = hd_lise_operate(l, 0);
  if (g == HD_GO_ON)
    g = hd_lise_advance(l);
  assert_int_equal(g, HD_STOPPED);
}

static hd_term value_of(const hd_lise *l, hd_proc p, const char *name) {
  const hd_lise_proc *proc = l->state->procs.data[p];
  const hd_code *code = l->programs[0].code;
  const hd_func *f = &code->funcs.data[code->main];
  for (uint32_t i = 0; i < f->n_regs; i++)
    if (code->regs.data[f->regs + i].cname &&
        !strcmp(code->regs.data[f->regs + i].cname, name))
      return hd_lise_reg(proc, 0, i);
  for (uint32_t i = 0; i < f->n_slots; i++)
    if (!strcmp(code->slots.data[f->slots + i].cname, name))
      return hd_lise_peek(l->terms, code, proc, hd_lise_slot(proc, 0, i),
                          hd_term_int(l->terms, 0), (hd_type){HD_TYPE_INT, 32});
  fail_msg("no variable %s", name);
  return 0;
}

static void assert_shows(const hd_lise *l, hd_term term, const char *text) {
  hd_str out = {0};
  hd_term_print(&out, l->terms, term);
  assert_string_equal(hd_str_text(&out), text);
  hd_str_free(&out);
}

/* The paper counts symbols from 1, heddle from 0. */
static hd_term y(const hd_lise *l, uint32_t number) {
  return hd_term_sym(l->terms, HD_SYM_Y, number - 1, HD_OF_INT);
}

enum { I_REG = 1, X_SLOT = 1 };

static hd_term x_in(const hd_lise *l, const hd_lise_proc *proc) {
  return hd_lise_peek(l->terms, l->programs[0].code, proc,
                      hd_lise_slot(proc, 0, X_SLOT), hd_term_int(l->terms, 0),
                      (hd_type){HD_TYPE_INT, 32});
}

/* A snapshot is taken at line 4; i and x as the paper shows them. */
static void assert_snapshot(const hd_lise *l, const hd_lise_record *r,
                            hd_proc p, hd_term i, hd_term x) {
  const hd_lise_proc *snapshot = r->snapshots.data[p];
  assert_non_null(snapshot);
  const hd_code *code = l->programs[0].code;
  assert_int_equal(code->locs.data[snapshot->frames.data[0].loc].pos.line, 4);
  assert_int_equal(hd_lise_reg(snapshot, 0, I_REG), i);
  assert_int_equal(x_in(l, snapshot), x);
}

/* The write set of a process: "", "i", "x" or "ix", and what has no name in the
 * program. */
static void assert_writes(const hd_lise *l, const hd_lise_record *r, hd_proc p,
                          const char *wanted) {
  const hd_lise_proc *proc = l->state->procs.data[p];
  const hd_code *code = l->programs[0].code;
  const hd_func *f = &code->funcs.data[code->main];
  bool i = false, x = false;
  for (size_t k = 0; k < r->writes.data[p].size; k++) {
    hd_lise_place place = r->writes.data[p].data[k];
    if (place.object == hd_lise_slot(proc, 0, X_SLOT) && place.object)
      x = true;
    else if (!place.object && place.at == I_REG)
      i = true;
    else
      assert_true(!place.object &&
                  !code->regs.data[f->regs + (size_t)place.at].cname);
  }
  char set[3] = "";
  strcat(strcat(set, i ? "i" : ""), x ? "x" : "");
  assert_string_equal(set, wanted);
}

static void flatten(const hd_terms *t, hd_term fact, hd_term_list *out) {
  if (hd_term_op_of(t, fact) == HD_TERM_AND)
    for (uint32_t i = 0; i < hd_term_node_of(t, fact)->n; i++)
      flatten(t, hd_term_args(t, fact)[i], out);
  else
    hd_vec_push(out, fact);
}

/* Exactly these, in any order: equal facts are equal terms. */
static void assert_facts(const hd_lise *l, const hd_term_list *facts,
                         const hd_term *wanted, size_t n) {
  hd_term_list all = {0};
  for (size_t i = 0; i < facts->size; i++)
    flatten(l->terms, facts->data[i], &all);
  for (size_t i = 0; i < n; i++) {
    bool found = false;
    for (size_t k = 0; k < all.size; k++)
      found = found || all.data[k] == wanted[i];
    if (!found)
      assert_shows(l, wanted[i], "among the facts");
  }
  assert_int_equal(all.size, n);
  hd_vec_free(&all);
}

static int line_of(const hd_lise *l, hd_proc p) {
  hd_loc_id loc = l->state->procs.data[p]->frames.data[0].loc;
  return (int)l->programs[0].code->locs.data[loc].pos.line;
}

/* Section 2.5: the state s, its queue and its stack, component by component as
 * they are printed there. Records have one component more (`implied`): that
 * process 1 has found i1 to be odd, which at that time follows from r1's
 * relation; docs/engines/lise.md says why it cannot be left out. */
static void assert_worked_state(hd_lise *l, hd_term n) {
  hd_terms *t = l->terms;
  const hd_lise_state *s = l->state;
  hd_term zero = hd_term_int(t, 0), one = hd_term_int(t, 1);
  hd_term two_n = hd_term_mul(t, hd_term_int(t, 2), n);
  assert_facts(l, &s->pc, (hd_term[]){hd_term_le(t, zero, n)}, 1);
  assert_int_equal(line_of(l, 0), 4);
  assert_int_equal(s->procs.data[0]->op.kind, HD_LISE_OP_LOOP);
  assert_int_equal(line_of(l, 1), 11);
  assert_int_equal(value_of(l, 0, "i"), one);
  assert_int_equal(value_of(l, 0, "x"), hd_term_add(t, y(l, 1), one));
  assert_int_equal(value_of(l, 1, "i"), y(l, 1));
  assert_int_equal(value_of(l, 1, "x"), hd_term_add(t, y(l, 1), one));
  assert_int_equal(s->queue.size, 1);
  assert_int_equal(s->stack.size, 1);

  const hd_lise_record *r1 = s->queue.data[0];
  assert_string_equal(l->names.data[r1->id], "I");
  assert_null(r1->snapshots.data[0]);
  assert_snapshot(l, r1, 1, y(l, 1), zero);
  assert_writes(l, r1, 0, "");
  assert_writes(l, r1, 1, "ix");
  assert_true(r1->is_true);
  assert_facts(l, &r1->ppc, (hd_term[]){hd_term_lt(t, y(l, 1), two_n)}, 1);
  assert_facts(l, &r1->relation, (hd_term[]){hd_term_eq(t, y(l, 1), one)}, 1);
  hd_term odd = hd_term_eq(t, hd_term_trem(t, y(l, 1), hd_term_int(t, 2)), one);
  assert_facts(l, &r1->implied, &odd, 1);
  assert_int_equal(hd_prover_valid(l->prover, r1->relation.data, 1, odd),
                   HD_VALID);

  const hd_lise_record *r0 = s->stack.data[0];
  assert_string_equal(l->names.data[r0->id], "I");
  assert_writes(l, r0, 0, "ix");
  assert_writes(l, r0, 1, "ix");
  assert_true(r0->is_true);
  assert_facts(l, &r0->ppc, (hd_term[]){hd_term_lt(t, zero, two_n)}, 1);
  assert_facts(l, &r0->relation, NULL, 0);
  assert_facts(l, &r0->implied, NULL, 0);
}

/* Behind the true branch of process 0: r4 on the stack, nothing in the queue.
 * The symbols may have other numbers than the paper's Y1, Y2, Y3. */
static void assert_next_state(hd_lise *l, hd_term n) {
  hd_terms *t = l->terms;
  const hd_lise_state *s = l->state;
  hd_term zero = hd_term_int(t, 0), one = hd_term_int(t, 1),
          two = hd_term_int(t, 2), two_n = hd_term_mul(t, two, n);
  hd_term y1 = value_of(l, 1, "i"), y2 = value_of(l, 0, "i"),
          y3 = value_of(l, 0, "x");
  assert_true(y1 != y2 && y2 != y3 && y1 != y3);
  assert_int_equal(hd_term_op_of(t, y1), HD_TERM_SYM);
  assert_int_equal(hd_term_op_of(t, y2), HD_TERM_SYM);
  assert_int_equal(hd_term_op_of(t, y3), HD_TERM_SYM);
  assert_int_equal(value_of(l, 1, "x"), hd_term_add(t, y1, one));
  assert_facts(l, &s->pc, (hd_term[]){hd_term_le(t, zero, n)}, 1);
  assert_int_equal(line_of(l, 0), 5);
  assert_int_equal(line_of(l, 1), 11);
  assert_int_equal(s->queue.size, 0);
  assert_int_equal(s->stack.size, 1);
  const hd_lise_record *r4 = s->stack.data[0];
  assert_string_equal(l->names.data[r4->id], "I");
  assert_snapshot(l, r4, 0, y2, y3);
  assert_snapshot(l, r4, 1, y1, zero);
  assert_writes(l, r4, 0, "ix");
  assert_writes(l, r4, 1, "ix");
  assert_true(r4->is_true);
  hd_term half = hd_term_tdiv(t, hd_term_add(t, y2, one), two);
  hd_term ppc[] = {
      hd_term_lt(t, y1, two_n), hd_term_lt(t, y2, two_n), hd_term_eq(t, y1, y2),
      hd_term_eq(t, y3, hd_term_mul(t, two, half)),
      hd_term_eq(t, zero, hd_term_mul(t, two, hd_term_tdiv(t, y1, two)))};
  assert_facts(l, &r4->ppc, ppc, sizeof ppc / sizeof *ppc);
  assert_facts(l, &r4->relation, NULL, 0);
  hd_term odd = hd_term_eq(t, hd_term_trem(t, y1, two), one);
  assert_facts(l, &r4->implied, &odd, 1);
  /* What is printed leaves i1 = 0 open, and then the next claim about process
   * 1, x1 = 2 (i1 / 2) after i1++, fails. */
  hd_term_list printed = {0};
  for (size_t i = 0; i < s->pc.size; i++)
    hd_vec_push(&printed, s->pc.data[i]);
  for (size_t i = 0; i < r4->ppc.size; i++)
    hd_vec_push(&printed, r4->ppc.data[i]);
  hd_term after = hd_term_add(t, y1, one);
  hd_term claim = hd_term_eq(t, value_of(l, 1, "x"),
                             hd_term_mul(t, two, hd_term_tdiv(t, after, two)));
  assert_int_equal(
      hd_prover_valid(l->prover, printed.data, printed.size, claim),
      HD_INVALID);
  hd_vec_push(&printed, odd);
  assert_int_equal(
      hd_prover_valid(l->prover, printed.data, printed.size, claim), HD_VALID);
  hd_vec_free(&printed);
}

static void worked_state(void **state) {
  (void)state;
  program p;
  read_program(&p, stagger, WEAK);
  hd_lise_options options = {.checks = CHECKS};
  hd_lise_result result = {0};
  hd_run run = {0};
  hd_lise_finding finding = {0};
  hd_lise l = {
      .options = &options, .run = &run, .result = &result, .finding = &finding};
  hd_lise_source source = {&p.code[0], &p.notes, 2};
  hd_lise_begin(&l, &source, 1);
  (void)hd_lise_initial(&l);
  hd_term n = hd_term_sym(l.terms, HD_SYM_X, 0, HD_OF_INT);

  /* 0 runs to its receive, 1 until it has sent, 0 receives and comes to the
   * loop again. Both take the true branch where they have the choice. */
  transition(&l, 0); /* to the loop */
  transition(&l, 0); /* its condition is open */
  transition(&l, 0); /* to the receive */
  transition(&l, 1); /* to the loop */
  transition(&l, 1); /* i = 0: nothing; to the loop again */
  transition(&l, 1); /* i = 1: to the send */
  l.proc = 1;
  assert_int_equal(hd_lise_operate(&l, 0), HD_GO_ON); /* sent, before i++ */
  transition(&l, 0); /* receives, to the loop */
  hd_lise_canonic(l.terms, l.state);
  assert_worked_state(&l, n);

  /* 0 takes the true branch: the record is complete, its claim holds. */
  l.proc = 0;
  assert_int_equal(hd_lise_operate(&l, 0), HD_GO_ON);
  l.budget = 2; /* the condition: a load and the branch */
  assert_int_equal(hd_lise_advance(&l), HD_STOPPED);
  assert_next_state(&l, n);
  hd_lise_canonic(l.terms, l.state); /* leaves no gaps */
  hd_term left[] = {value_of(&l, 1, "i"), value_of(&l, 0, "i"),
                    value_of(&l, 0, "x")};
  for (uint32_t i = 1; i <= 3; i++)
    assert_true(y(&l, i) == left[0] || y(&l, i) == left[1] ||
                y(&l, i) == left[2]);

  hd_lise_state_delete(l.state);
  hd_lise_finding_free(&finding);
  hd_lise_end(&l);
  hd_lise_result_free(&result);
  free_program(&p);
}

static void searched(const char *pragma, uint32_t unwind,
                     hd_lise_result *result) {
  program p;
  read_program(&p, stagger, pragma);
  hd_lise_options options = {
      .checks = CHECKS, .potential = true, .unwind = unwind};
  hd_run run = {.steps = 5000};
  hd_lise_source source = {p.code, &p.notes, 2};
  hd_lise_run(&source, 1, &options, &run, result);
  free_program(&p);
}

static void searches(void **state) {
  (void)state;
  hd_lise_result result = {0};
  size_t before = hd_mem_current();
  searched(STRONG, 0, &result);
  assert_int_equal(result.verdict, HD_SAFE);
  assert_false(result.bounded);
  assert_true(result.transitions <= 402 && result.proofs <= 102);
  hd_lise_result_free(&result);
  searched(WEAK, 0, &result);
  assert_int_equal(result.verdict, HD_UNKNOWN);
  assert_int_equal(result.finding.property, HD_PROPERTY_ASSERT);
  assert_int_equal(result.finding.why, HD_LISE_TOO_WEAK);
  hd_lise_result_free(&result);
  searched("", 4, &result);
  assert_int_equal(result.verdict, HD_SAFE);
  assert_true(result.bounded);
  hd_lise_result_free(&result);
  assert_int_equal(hd_mem_current(), before); /* nothing is left */
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(polynomials), cmocka_unit_test(numbers_too_large),
      cmocka_unit_test(arrays),      cmocka_unit_test(proofs_without_solver),
      cmocka_unit_test(fractions),   cmocka_unit_test(worked_state),
      cmocka_unit_test(searches),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
