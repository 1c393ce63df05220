/* SPDX-License-Identifier: MIT */
/* Boolean programs from text to verdict: the reader, its messages, and random
 * programs against explicit exploration of all interleavings. */
#include "api/program.h"
#include "check/check.h"
#include "check/program.h"
#include "engine/cutoff/cutoff.h"
#include "front/bp/bp.h"
#include "front/evidence/evidence.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

static hd_program *read_program(const char *text, hd_str *messages) {
  hd_source source = hd_source_from_text("t.bp", text, strlen(text));
  hd_diag *diag = hd_diag_new();
  hd_program *program = hd_bp_parse(&source, diag);
  static char buffer[8000];
  memset(buffer, 0, sizeof buffer);
  FILE *out = fmemopen(buffer, sizeof buffer - 1, "w");
  hd_diag_print(diag, out, false);
  fclose(out);
  if (messages)
    hd_str_puts(messages, buffer);
  else if (*buffer)
    fail_msg("%s", buffer);
  hd_diag_delete(diag);
  hd_source_free(&source);
  return program;
}

/* Build systems as for `heddle convert`; order of km. */
static bool portable;
static hd_km_order order;

/* As `heddle check` does: from the text of the evidence and the program. */
static void check_again(const hd_program *program,
                        const hd_program_options *how, const hd_net *net,
                        const hd_result *result) {
  hd_str text = {0}, why = {0};
  if (result->witness)
    hd_evidence_print_witness(&text, net, result->witness);
  else
    hd_evidence_print_cert(&text, net, result->cert);
  hd_program_options again = {.threads = how->threads,
                              .assertion = how->assertion,
                              .portable = how->portable};
  again.finite.all_lazy = how->finite.all_lazy;
  assert_true(hd_program_built(net->built ? net->built : "", &again));
  hd_run run = {0};
  hd_program_run made = {0};
  assert_true(hd_program_open(program, &again, &run, &made, &why));
  hd_source source = hd_source_from_text("e", hd_str_text(&text), text.size);
  hd_diag *diag = hd_diag_new();
  hd_witness *witness = NULL;
  hd_cert *cert = NULL;
  if (!hd_evidence_parse(&source, made.extract->net, &witness, &cert, diag))
    hd_diag_print(diag, stderr, false);
  assert_true(witness || cert);
  if (witness ? !hd_check_witness(made.extract->net, witness, &why)
              : !hd_check_cert(made.extract->net, cert, &why))
    fail_msg("%s\n%s", hd_str_text(&why), hd_str_text(&text));
  hd_witness_delete(witness);
  hd_cert_delete(cert);
  hd_source_free(&source);
  hd_diag_delete(diag);
  hd_program_run_free(&made);
  hd_str_free(&text);
  hd_str_free(&why);
}

static hd_verdict verdict_by(const char *engine, const char *text,
                             hd_init threads, const hd_finite_options *finite) {
  hd_program *program = read_program(text, NULL);
  assert_non_null(program);
  hd_program_options options = {.threads = threads,
                                .portable = portable,
                                .assertion = HD_NO_ID,
                                .verify = {.engine = engine, .order = order}};
  if (finite)
    options.finite = *finite;
  hd_run run = {.steps = 2000000};
  hd_program_run made = {0};
  hd_result result = {0};
  hd_verify_status status =
      hd_verify_program(program, &options, &run, &made, &result);
  if (status != HD_VERIFY_DONE)
    fail_msg("%s\n%s", result.reason, text);
  if (result.witness || result.cert)
    check_again(program, &options, made.extract->net, &result);
  hd_verdict verdict = result.verdict;
  hd_result_free(&result);
  hd_program_run_free(&made);
  hd_program_delete(program);
  return verdict;
}

static hd_verdict verdict_of(const char *text, hd_init threads,
                             const hd_finite_options *finite) {
  return verdict_by(NULL, text, threads, finite);
}

#define ANY ((hd_init){0, HD_OMEGA})
#define ONE ((hd_init){1, 1})
#define TWO ((hd_init){2, 2})

static void expect(const char *text, hd_init threads, hd_verdict verdict) {
  assert_int_equal(verdict_of(text, threads, NULL), verdict);
}

static void expect_ir(const char *text, const char *part) {
  hd_program *program = read_program(text, NULL);
  assert_non_null(program);
  hd_str out = {0};
  hd_program_print(&out, program);
  if (!strstr(hd_str_text(&out), part))
    fail_msg("%s\nis not in\n%s", part, hd_str_text(&out));
  hd_str_free(&out);
  hd_program_delete(program);
}

static void expect_error(const char *text, const char *message) {
  hd_str messages = {0};
  hd_program *program = read_program(text, &messages);
  assert_null(program);
  if (!strstr(hd_str_text(&messages), message))
    fail_msg("%s\nis not in\n%s", message, hd_str_text(&messages));
  hd_str_free(&messages);
}

/* --- the reader --- */

static void statements_become_edges(void **state) {
  expect_ir("decl s; void main() begin A: s := 1; assume(s); end",
            "location 0 A @1\n  -> 1 s := 1\n");
  expect_ir("decl s; void main() begin A: goto A, B; B: skip; end",
            "  -> 0 skip\n  -> 1 skip\n");
}

static void operators_bind_as_documented(void **state) {
  expect_ir("decl a,b,c; void main() begin L: assume(!a & b | c = 0 ^ a); end",
            "assume !a & b | !c ^ a");
  expect_ir("decl a,b,c; void main() begin L: assume(a => b); end",
            "assume !a | b");
  expect_ir("decl a,b,c; void main() begin L: assume(a ? b : c); end",
            "assume a ? b : c");
}

static void constrain_compares_old_and_new(void **state) {
  expect_ir("decl a,b; void main() begin L: a,b := *,* constrain 'a != b; end",
            "a, b := *, * constrain 'a != b");
}

static void schoose_is_one_zero_or_any(void **state) {
  expect_ir("decl a,b; void main() begin L: a := schoose[a, b]; end",
            "a := a ? 1 : b ? 0 : *");
}

static void initial_assignments_are_not_steps(void **state) {
  expect_ir("decl a; void main() begin a := 1; PC0: skip; end",
            "shared a : 1 := 1\n");
  expect_ir("decl a; void main() begin a := *; PC0: skip; end",
            "shared a : 1 := *\n");
  expect_ir("decl a := 0; void main() begin PC0: skip; a := 1; end",
            "shared a : 1 := 0\n");
}

static void procedures_are_inlined_with_their_own_variables(void **state) {
  expect_ir("decl g; bool<1> f(x) begin decl y; y := !x; return y; end\n"
            "void main() begin decl u; L: u := f(g); u := f(u); end",
            "local f#2.x");
}

static void source_comments_are_kept(void **state) {
  expect_ir(
      "void main() begin\n// file m.c line 12 function f\nPC0: skip;\nend",
      "location 0 PC0 @3 \"m.c\":12 in f");
}

static void numeric_labels_work(void **state) {
  expect_ir("void main() begin 0: goto 1; 1: goto 0; end", "location 1 1");
}

static void formatting_is_idempotent(void **state) {
  const char *text =
      "decl a, b := 0; bool<1> f(x) begin decl y := *; if (x) then y := 1; "
      "else y := 0; fi; return y; end void main() begin decl q; L: M: q := "
      "f(a); while (a & !b | *) do a, b := *, schoose[a,b] constrain 'a = b; "
      "od; start_thread goto L; atomic_begin; atomic_end; dead q; assert(a ? b "
      ": q); goto L, M; end";
  hd_diag *diag = hd_diag_new();
  hd_source source = hd_source_from_text("t", text, strlen(text));
  hd_str once = {0}, twice = {0};
  assert_true(hd_bp_format(&source, &once, diag));
  hd_source again = hd_source_from_text("t", hd_str_text(&once), once.size);
  assert_true(hd_bp_format(&again, &twice, diag));
  assert_string_equal(hd_str_text(&once), hd_str_text(&twice));
  hd_str_free(&once);
  hd_str_free(&twice);
  hd_source_free(&source);
  hd_source_free(&again);
  hd_diag_delete(diag);
}

/* --- messages --- */

static void mistakes_are_located(void **state) {
  expect_error("", "t.bp: error: ");
  expect_error("decl a;\n", "expected a procedure 'main'");
  expect_error("void f() begin end", "there is no procedure 'main'");
  expect_error("void main() begin\n  L: x := 1;\nend",
               "t.bp:2:6: error: unknown variable 'x'\n    L: x := 1;\n"
               "       ^\n");
  expect_error("decl a; void main() begin L: a := ; end",
               "expected an expression");
  expect_error("decl a; void main() begin L: goto M; end", "unknown label 'M'");
  expect_error("decl a; void main() begin L: skip; L: skip; end",
               "a second label 'L'");
  expect_error("decl a, a; void main() begin L: skip; end",
               "declared twice: 'a'");
  expect_error("decl a; void main() begin L: a, a := 1, 0; end",
               "assigned twice: 'a'");
  expect_error("decl a,b; void main() begin L: a, b := 1; end",
               "no value for 'b'");
  expect_error("decl a; void main() begin L: a := 1, 0; end",
               "more values than variables");
  expect_error("decl a; void main() begin L: assume('a); end",
               "only be used in 'constrain'");
  expect_error("decl a := b; void main() begin L: skip; end",
               "expected 0, 1 or * as the initial value");
  expect_error("void main() begin L: skip", "found the end of the file");
  expect_error("void main() begin L: skip; /* end", "comment without an end");
  expect_error("decl a; void main() begin L: a := 7; end",
               "expected an expression");
}

static void recursion_is_refused_with_its_cycle(void **state) {
  expect_error("void f() begin g(); end void g() begin f(); end "
               "void main() begin L: f(); end",
               "recursion cannot be inlined: f <- g <- f");
}

static void calls_are_checked(void **state) {
  expect_error("void main() begin L: f(); end", "unknown procedure 'f'");
  expect_error("void f(x) begin skip; end void main() begin L: f(); end",
               "wrong number of arguments for 'f'");
  expect_error("decl a; void f() begin return; end "
               "void main() begin L: a := f(); end",
               "returns no value for 'a'");
}

static void deep_nesting_is_an_error_not_a_crash(void **state) {
  hd_str text = {0};
  hd_str_puts(&text, "decl a; void main() begin L: assume(");
  for (int i = 0; i < 100000; i++)
    hd_str_puts(&text, "(");
  expect_error(hd_str_text(&text), "nested more than");
  hd_str_free(&text);
  for (int i = 0; i < 100000; i++)
    hd_str_puts(&text, i ? "!" : "decl a; void main() begin L: assume(");
  expect_error(hd_str_text(&text), "nested more than");
  hd_str_free(&text);
}

/* A chain of operators is a deep tree without any nesting in the text. */
static void long_expressions_are_an_error_not_a_crash(void **state) {
  hd_str text = {0};
  hd_str_puts(&text, "decl a := 1; void main() begin L: assert(a");
  for (int i = 0; i < 1500; i++)
    hd_str_puts(&text, " | a");
  hd_str_puts(&text, "); end");
  expect(hd_str_text(&text), ANY, HD_SAFE);
  hd_vec_clear(&text);
  hd_str_puts(&text, "decl a; void main() begin L: assert(a");
  for (int i = 0; i < 100000; i++)
    hd_str_puts(&text, " & a");
  hd_str_puts(&text, "); end");
  expect_error(hd_str_text(&text), "more than 2000 operators");
  hd_str_free(&text);
}

/* Each procedure calls the next one twice: 2^40 copies of the last. */
static void inlining_that_explodes_is_an_error(void **state) {
  hd_str text = {0};
  for (int i = 0; i < 40; i++)
    hd_str_printf(&text, "void p%d() begin p%d(); p%d(); end\n", i, i + 1,
                  i + 1);
  hd_str_puts(&text, "void p40() begin skip; end\n"
                     "void main() begin p0(); assert(0); end");
  expect_error(hd_str_text(&text), "more than 1000000 locations");
  hd_str_free(&text);
}

static void procedures_starting_procedures_need_no_stack(void **state) {
  hd_str text = {0};
  for (int i = 0; i < 20000; i++)
    hd_str_printf(&text, "void p%d() begin start_thread p%d; end\n", i, i + 1);
  hd_str_puts(&text, "void p20000() begin assert(0); end\n"
                     "void main() begin start_thread p0; end");
  expect_error(hd_str_text(&text), "nested more than 1000 deep");
  hd_str_free(&text);
}

static void statements_without_semicolons_keep_to_their_text(void **state) {
  hd_program *program = read_program("decl a; void main() begin if a then fi "
                                     "if !a then L: fi M: assert(a) ; end",
                                     NULL);
  assert_non_null(program);
  assert_string_equal(program->edges.data[0].text, "if a then");
  assert_string_equal(program->edges.data[2].text, "if !a then");
  assert_string_equal(program->edges.data[5].text, "assert(a)");
  hd_program_delete(program);
}

static void names_and_labels_of_all_forms(void **state) {
  expect("decl c$$x := 0;\nvoid c$$init() begin decl y; end\n"
         "void main() begin\ndecl y;\ny := 0;\n//l3:\n"
         "0: c$$x$, y$ := y, *\n   constrain 'c$$x = 0 & 'y;\n"
         "1: if y then goto 3; fi;\n2: assert(0);\n"
         "3: start_thread goto 2;\n4: dead y;\n5: return;\nend",
         ONE, HD_UNSAFE);
  expect("decl s := 0;\nvoid main() begin\ndecl y;\n"
         "0: y := 1; 1: if y then goto 3; fi;\n2: assert(s);\n"
         "3: skip; end",
         ANY, HD_SAFE);
  expect("void main() begin goto l$; m: skip; l$: assert(0); end", ONE,
         HD_UNSAFE);
}

static void many_errors_stop_at_twenty(void **state) {
  hd_str text = {0};
  hd_str_puts(&text, "void main() begin\n");
  for (int i = 0; i < 50; i++)
    hd_str_puts(&text, "x := 1;\n");
  hd_str_puts(&text, "end");
  hd_str messages = {0};
  assert_null(read_program(hd_str_text(&text), &messages));
  assert_non_null(strstr(hd_str_text(&messages), "t.bp:21:1: error"));
  assert_null(strstr(hd_str_text(&messages), "t.bp:22:1: error"));
  hd_str_free(&messages);
  hd_str_free(&text);
}

/* --- meaning --- */

static void a_race_on_a_flag(void **state) {
  const char *race = "decl busy := 0, bad := 0;\n"
                     "void main() begin\n"
                     "A: assume(!busy);\n"
                     "B: busy := 1;\n"
                     "C: assert(!bad);\n"
                     "D: bad := 1;\n"
                     "E: bad := 0;\n"
                     "F: busy := 0;\n"
                     "goto A;\nend";
  expect(race, ONE, HD_SAFE);
  expect(race, TWO, HD_UNSAFE);
  expect(race, ANY, HD_UNSAFE);
}

static void an_atomic_section_keeps_others_out(void **state) {
  const char *locked =
      "decl busy := 0, bad := 0;\n"
      "void main() begin\n"
      "A: atomic_begin; assume(!busy); busy := 1; atomic_end;\n"
      "C: assert(!bad);\n"
      "D: bad := 1;\n"
      "E: bad := 0;\n"
      "F: busy := 0;\n"
      "goto A;\nend";
  expect(locked, ANY, HD_SAFE);
}

static void inside_an_atomic_section_nobody_looks(void **state) {
  expect("decl x := 0; void main() begin\n"
         "A: goto B, C;\n"
         "B: atomic_begin; x := 1; x := 0; atomic_end; goto A;\n"
         "C: assert(!x); goto A;\nend",
         ANY, HD_SAFE);
}

static void a_blocked_atomic_section_blocks_for_ever(void **state) {
  expect("decl x := 0, y := 0; void main() begin\n"
         "A: goto B, C;\n"
         "B: atomic_begin; assume(x); atomic_end; goto A;\n"
         "C: x := 1; assume(y); assert(0);\nend",
         ANY, HD_SAFE);
}

static void spawned_threads_copy_locals(void **state) {
  const char *text = "decl x := 0; void main() begin decl i := 0;\n"
                     "A: i := 1; start_thread goto T; i := 0; goto E;\n"
                     "T: assert(i);\n"
                     "E: assume(0);\nend";
  expect(text, ONE, HD_SAFE);
  expect("void main() begin decl i := 0;\n"
         "A: i := 1; start_thread goto T; goto E;\n"
         "T: assert(!i);\nE: assume(0);\nend",
         ONE, HD_UNSAFE);
}

static void threads_can_start_in_procedures(void **state) {
  const char *text = "decl n := 0;\n"
                     "void worker() begin decl k; n := 1; end\n"
                     "void main() begin L: start_thread worker; "
                     "M: assert(!n); goto M; end";
  expect(text, ONE, HD_UNSAFE);
}

static void waiting_threads_wake_on_broadcast(void **state) {
  const char *text = "decl go := 0; void main() begin\n"
                     "A: goto B, C;\n"
                     "B: wait; assert(go); goto E;\n"
                     "C: go := 1; D: broadcast; goto E;\n"
                     "E: assume(0);\nend";
  expect(text, ANY, HD_SAFE);
  expect("decl go := 0; void main() begin\nA: goto B, C;\n"
         "B: wait; assert(go); goto E;\nC: broadcast; goto E;\n"
         "E: assume(0);\nend",
         ANY, HD_UNSAFE);
}

static void initial_values_can_be_any(void **state) {
  expect("decl a; void main() begin L: assert(a); end", ANY, HD_UNSAFE);
  expect("decl a, b; void main() begin L: assume(a); assert(a); end", ANY,
         HD_SAFE);
  expect("void main() begin decl i; L: assert(i); end", ANY, HD_UNSAFE);
}

static void twenty_dead_choices_cost_nothing(void **state) {
  hd_str text = {0};
  hd_str_puts(&text, "decl s := 0; void main() begin decl ");
  for (int i = 0; i < 20; i++)
    hd_str_printf(&text, "%sx%d", i ? "," : "", i);
  hd_str_puts(&text, ";\nL: ");
  for (int i = 0; i < 20; i++)
    hd_str_printf(&text, "%sx%d", i ? "," : "", i);
  for (int i = 0; i < 20; i++)
    hd_str_puts(&text, i ? ",*" : " := *");
  hd_str_puts(&text, ";\nassume(s); assert(x0 & x19); end");
  /* Two of the twenty are read again: four outcomes, not a million. */
  hd_program *program = read_program(hd_str_text(&text), NULL);
  hd_str why = {0};
  hd_finite *f = hd_finite_new(program, &(hd_finite_options){0}, &why);
  hd_run run = {0};
  hd_extract *x = hd_extract_new(
      f, &(hd_extract_options){.threads = ANY, .assertion = HD_NO_ID}, &run,
      &why);
  assert_non_null(x);
  assert_true(hd_finite_statistics(f).choices < 20);
  assert_true(x->net->trans.size < 20);
  hd_extract_delete(x);
  hd_finite_delete(f);
  hd_program_delete(program);
  hd_str_free(&text);
}

/* `odd` can only become 1 when two threads are between A and B, which the flag
 * prevents; thread-modular exploration does not see that, and lets every thread
 * collect 50 independent copies of it: 2^50 local states. */
static char *drowning(int v) {
  hd_str text = {0};
  hd_str_puts(&text, "decl busy := 0, in := 0, odd := 0;\n"
                     "void main() begin\ndecl ");
  for (int i = 0; i < v; i++)
    hd_str_printf(&text, "%sx%d := 0", i ? ", " : "", i);
  hd_str_puts(&text, ";\nA: atomic_begin; assume(!busy); busy := 1; atomic_end;"
                     "\nif (in) then odd := 1; fi;\nin := 1;\nin := 0;\n"
                     "B: busy := 0;\n");
  for (int i = 0; i < v; i++)
    hd_str_printf(&text, "x%d := odd;\n", i);
  hd_str_puts(&text, "assert(!(x0");
  for (int i = 1; i < v; i++)
    hd_str_printf(&text, " | x%d", i);
  hd_str_puts(&text, "));\ngoto A;\nend\n");
  return hd_str_take(&text);
}

static void km_on_the_fly_sees_only_what_is_occupied(void **state) {
  char *text = drowning(50);
  assert_int_equal(verdict_by("km", text, ANY, NULL), HD_SAFE);
  hd_free(text);
}

static void extraction_that_drowns_is_replaced_by_km_on_the_fly(void **state) {
  char *text = drowning(50);
  assert_int_equal(verdict_of(text, ANY, NULL), HD_SAFE);
  hd_free(text);
}

/* A cycle of skips, with a way in of skips: one location stands for all. */
static void cycles_of_skips_stand_still(void **state) {
  expect("decl s := 0; void main() begin T: skip; U: skip; A: goto B; "
         "B: goto A; C: assert(s); end",
         ANY, HD_SAFE);
  expect("decl s := 0; void main() begin T: skip; if * then goto C; fi; "
         "A: goto B; B: goto A; C: assert(s); end",
         ANY, HD_UNSAFE);
}

static void a_hundred_thousand_skips_are_jumped_over_in_one_pass(void **state) {
  hd_str text = {0};
  hd_str_puts(&text, "decl s := 0; void main() begin\n");
  for (int i = 0; i < 100000; i++)
    hd_str_puts(&text, "skip;\n");
  hd_str_puts(&text, "L: assert(s); end");
  expect(hd_str_text(&text), ANY, HD_UNSAFE);
  hd_str_free(&text);
}

/* x0 … x39, each with something before and after it. */
static void put_forty(hd_str *text, const char *before, const char *between,
                      const char *after) {
  for (int i = 0; i < 40; i++)
    hd_str_printf(text, "%s%s%d%s", i ? between : "", before, i, after);
}

static hd_verdict verdict_within_a_second(const char *text, char **reason) {
  hd_program *program = read_program(text, NULL);
  hd_program_options options = {.threads = ANY, .assertion = HD_NO_ID};
  hd_run run = {.deadline = hd_now() + 1};
  hd_program_run made = {0};
  hd_result result = {0};
  assert_int_equal(hd_verify_program(program, &options, &run, &made, &result),
                   HD_VERIFY_DONE);
  hd_verdict verdict = result.verdict;
  *reason = result.reason ? hd_strdup(result.reason) : NULL;
  hd_result_free(&result);
  hd_program_run_free(&made);
  hd_program_delete(program);
  return verdict;
}

/* Forty variables with any value, initially or after an assignment. They are
 * decided when they are read: forty ways to go on from a disjunction, not 2^40. */
static void forty_open_values_are_decided_when_read(void **state) {
  for (int assigned = 0; assigned < 2; assigned++) {
    hd_str text = {0};
    hd_str_puts(&text, "decl ");
    put_forty(&text, "x", ", ", assigned ? " := 1" : "");
    hd_str_puts(&text, ";\nvoid main() begin L: ");
    if (assigned) {
      put_forty(&text, "x", ", ", "");
      hd_str_puts(&text, " := *");
      for (int i = 1; i < 40; i++)
        hd_str_puts(&text, ", *");
      hd_str_puts(&text, "; ");
    }
    size_t before = text.size;
    hd_str_puts(&text, "M: assert(");
    put_forty(&text, "x", " | ", "");
    hd_str_puts(&text, "); goto L; end");
    expect(hd_str_text(&text), ANY, HD_UNSAFE);
    text.size = before;
    hd_str_puts(&text, "M: assume(");
    put_forty(&text, "x", " | ", "");
    hd_str_puts(&text, "); N: assert(");
    put_forty(&text, "x", " | ", "");
    hd_str_puts(&text, "); end");
    expect(hd_str_text(&text), ONE, HD_SAFE);
    hd_str_free(&text);
  }
}

/* 2^39 outcomes of one statement, all different: the limit must be kept, and no
 * verdict drawn from the part. */
static void limits_hold_within_one_statement(void **state) {
  char *reason;
  hd_str text = {0};
  hd_str_puts(&text, "decl ");
  put_forty(&text, "x", ", ", "");
  hd_str_puts(&text, ";\nvoid main() begin L: assume(");
  put_forty(&text, "x", " ^ ", "");
  hd_str_puts(&text, "); M: assert(");
  put_forty(&text, "x", " ^ ", "");
  hd_str_puts(&text, "); end");
  assert_int_equal(verdict_within_a_second(hd_str_text(&text), &reason),
                   HD_UNKNOWN);
  assert_string_equal(reason, "time limit reached");
  hd_free(reason);
  hd_vec_clear(&text);
  hd_str_puts(&text, "decl ");
  put_forty(&text, "x", ", ", " := 0");
  hd_str_puts(&text, ";\nvoid main() begin L: ");
  put_forty(&text, "x", ", ", "");
  hd_str_puts(&text, " := *");
  for (int i = 1; i < 40; i++)
    hd_str_puts(&text, ", *");
  hd_str_puts(&text, " constrain ");
  put_forty(&text, "'x", " ^ ", "");
  hd_str_puts(&text, ";\nM: assert(");
  put_forty(&text, "x", " ^ ", "");
  hd_str_puts(&text, "); end");
  assert_int_equal(verdict_within_a_second(hd_str_text(&text), &reason),
                   HD_UNKNOWN);
  assert_string_equal(reason, "time limit reached");
  hd_free(reason);
  hd_str_free(&text);
}

/* Replay has to find values for forty dead variables of which the condition
 * wants the first to be 1. */
static void hidden_choices_are_found_without_trying_all(void **state) {
  hd_str text = {0};
  hd_str_puts(&text, "decl s := 0; void main() begin decl ");
  put_forty(&text, "x", ", ", " := 0");
  hd_str_puts(&text, ";\nL: ");
  put_forty(&text, "x", ", ", "");
  hd_str_puts(&text, " := *");
  for (int i = 1; i < 40; i++)
    hd_str_puts(&text, ", *");
  hd_str_puts(&text, " constrain 'x0 & !'x39;\nM: assert(s); end");
  expect(hd_str_text(&text), ANY, HD_UNSAFE);
  hd_str_free(&text);
}

static void no_assertion_is_refused(void **state) {
  hd_program *program = read_program("void main() begin L: skip; end", NULL);
  hd_program_options options = {.threads = ANY, .assertion = HD_NO_ID};
  hd_run run = {0};
  hd_program_run made = {0};
  hd_result result = {0};
  assert_int_equal(hd_verify_program(program, &options, &run, &made, &result),
                   HD_VERIFY_REFUSED);
  hd_result_free(&result);
  hd_program_run_free(&made);
  options.verify.engine = "km";
  assert_int_equal(hd_verify_program(program, &options, &run, &made, &result),
                   HD_VERIFY_REFUSED);
  hd_result_free(&result);
  hd_program_run_free(&made);
  hd_program_delete(program);
}

/* Two wait, one signals twice; the first who wakes up leaves a mark. */
static void a_signal_wakes_one(void **state) {
  const char *text = "decl a := 0, b := 0, up := 0; void main() begin\n"
                     "A: goto B, C;\n"
                     "B: atomic_begin; if (a) then b := 1; fi; a := 1; wait;\n"
                     "   assert(!up); up := 1; goto E;\n"
                     "C: assume(b); signal; %s\n"
                     "E: assume(0);\nend";
  char program[500];
  snprintf(program, sizeof program, text, "");
  expect(program, (hd_init){3, 3}, HD_SAFE);
  snprintf(program, sizeof program, text, "signal;");
  expect(program, (hd_init){3, 3}, HD_UNSAFE);
  /* It is lost when nobody waits: the one who waits later waits for ever. */
  expect("decl gone := 0, late := 0; void main() begin\nA: goto B, C;\n"
         "B: atomic_begin; assume(gone); late := 1; wait; assert(0);\n"
         "C: atomic_begin; assume(!late); signal; gone := 1; atomic_end;\n"
         "E: assume(0);\nend",
         ANY, HD_SAFE);
  static const char *const engines[] = {"km",  "bws",      "fws",
                                        "tse", "concolic", NULL};
  for (size_t i = 0; i < 6; i++)
    assert_int_equal(verdict_by(engines[i], program, (hd_init){3, 3}, NULL),
                     HD_UNSAFE);
}

/* --- random programs against exploring every interleaving --- */

typedef struct {
  uint32_t seed;
} dice;

static uint32_t roll(dice *d, uint32_t n) {
  d->seed = d->seed * 1664525u + 1013904223u;
  return (d->seed >> 10) % n;
}

static void random_expr(dice *d, hd_str *out, int depth) {
  static const char *const names[] = {"s", "t", "i", "j"};
  uint32_t kind = depth ? roll(d, 8) : roll(d, 4);
  if (kind < 3) {
    hd_str_puts(out, names[roll(d, 4)]);
  } else if (kind == 3) {
    hd_str_puts(out, roll(d, 3) ? "*" : "1");
  } else if (kind == 4) {
    hd_str_puts(out, "!");
    random_expr(d, out, depth - 1);
  } else {
    static const char *const ops[] = {" & ", " | ", " ^ ", " = ", " != "};
    hd_str_puts(out, "(");
    random_expr(d, out, depth - 1);
    hd_str_puts(out, ops[roll(d, 5)]);
    random_expr(d, out, depth - 1);
    hd_str_puts(out, ")");
  }
}

typedef enum { PLAIN, SPAWNS, WAITS } flavour;

static void random_statement(dice *d, hd_str *out, uint32_t n, flavour has) {
  static const char *const names[] = {"s", "t", "i", "j"};
  uint32_t kind = roll(d, has == PLAIN ? 13 : 14);
  switch (kind) {
  case 0:
    hd_str_printf(out, "goto L%u", roll(d, n));
    break;
  case 1:
    hd_str_printf(out, "goto L%u, L%u", roll(d, n), roll(d, n));
    break;
  case 2:
  case 3:
    hd_str_puts(out, "assume(");
    random_expr(d, out, 2);
    hd_str_puts(out, ")");
    break;
  case 4:
    hd_str_puts(out, "assert(");
    random_expr(d, out, 1);
    hd_str_puts(out, ")");
    break;
  case 5:
    hd_str_puts(out, "if (");
    random_expr(d, out, 1);
    hd_str_printf(out, ") then goto L%u; fi", roll(d, n));
    break;
  case 6: {
    uint32_t a = roll(d, 4), b = (a + 1 + roll(d, 3)) % 4;
    hd_str_printf(out, "%s,%s := ", names[a], names[b]);
    random_expr(d, out, 1);
    hd_str_puts(out, ", ");
    random_expr(d, out, 1);
    uint32_t form = roll(d, 5);
    if (form < 2)
      hd_str_printf(out, " constrain '%s != %s | '%s", names[a],
                    names[roll(d, 4)], names[b]);
    else if (form == 2) /* also next values of what is not assigned */
      hd_str_printf(out, " constrain '%s ^ '%s & *", names[roll(d, 4)],
                    names[roll(d, 4)]);
    else if (form == 3)
      hd_str_printf(out, " constrain ('%s ? * : !'%s) = %s", names[b], names[a],
                    names[roll(d, 4)]);
    break;
  }
  case 7:
    hd_str_puts(out, "atomic_begin");
    break;
  case 8:
    hd_str_puts(out, "atomic_end");
    break;
  case 9:
    hd_str_puts(out, roll(d, 4) ? "skip" : "end_thread");
    break;
  case 12:
    if (roll(d, 2))
      hd_str_printf(out, "dead %s", names[roll(d, 4)]);
    else
      hd_str_printf(out, "%s := schoose[%s, %s & *]", names[roll(d, 4)],
                    names[roll(d, 4)], names[roll(d, 4)]);
    break;
  case 13:
    if (has == WAITS)
      hd_str_puts(out, roll(d, 2)   ? "wait"
                       : roll(d, 2) ? "signal"
                                    : "broadcast");
    else
      hd_str_printf(out, "start_thread goto L%u", roll(d, n));
    break;
  default:
    hd_str_printf(out, "%s := ", names[roll(d, 4)]);
    random_expr(d, out, 1);
  }
}

static void random_program(dice *d, hd_str *out, flavour has) {
  static const char *const inits[] = {"", " := 0", " := 1", " := *"};
  hd_str_printf(out, "decl s%s, t%s;\nvoid main() begin\n", inits[roll(d, 4)],
                inits[roll(d, 3)]);
  hd_str_printf(out, "decl i%s, j%s;\n", inits[roll(d, 4)], inits[roll(d, 3)]);
  uint32_t n = 3 + roll(d, 6);
  for (uint32_t l = 0; l < n; l++) {
    hd_str_printf(out, "L%u: ", l);
    random_statement(d, out, n, has);
    hd_str_puts(out, ";\n");
  }
  hd_str_puts(out, "end\n");
}

/* All interleavings of at most MOST threads, states as plain arrays, choices by
 * trying every assignment of them. Written for this test only. */
enum { MOST = 3, MAX_VARS = 4 };

typedef struct {
  uint8_t vars[MAX_VARS];         /* shared ones count */
  uint8_t locals[MOST][MAX_VARS]; /* local ones count */
  int16_t loc[MOST];              /* -1: no thread */
  int8_t owner;
  bool waits[MOST];
} global;

typedef struct {
  const hd_program *p;
  global *seen;
  size_t n, cap;
  bool violated, full;
} explorer;

static int by_bytes(const global *a, const global *b) {
  return memcmp(a, b, sizeof *a);
}

static void meet(explorer *x, const global *g) {
  for (size_t i = 0; i < x->n; i++)
    if (!by_bytes(&x->seen[i], g))
      return;
  if (x->n == x->cap) {
    x->full = true;
    return;
  }
  x->seen[x->n++] = *g;
}

static unsigned n_choices(const hd_program *p, hd_expr_id id, uint32_t *list,
                          unsigned n) {
  if (id == HD_NO_ID)
    return n;
  const hd_expr *e = &p->exprs.data[id];
  if (e->op == HD_OP_CHOICE) {
    for (unsigned i = 0; i < n; i++)
      if (list[i] == id)
        return n;
    list[n] = id;
    return n + 1;
  }
  if (e->op >= HD_OP_NOT)
    for (int i = 0; i < 3; i++)
      n = n_choices(p, e->args[i], list, n);
  return n;
}

typedef struct {
  const hd_program *p;
  const uint8_t *shared, *local, *next_shared, *next_local;
  const uint32_t *choices;
  unsigned n, bits;
} context;

static unsigned look_up(const context *c, hd_expr_id id) {
  const hd_expr *e = &c->p->exprs.data[id];
  unsigned v = (unsigned)e->value;
  switch (e->op) {
  case HD_OP_CONST:
    return v;
  case HD_OP_VAR:
    return c->p->vars.data[v].shared ? c->shared[v] : c->local[v];
  case HD_OP_NEXT:
    return c->p->vars.data[v].shared ? c->next_shared[v] : c->next_local[v];
  case HD_OP_CHOICE:
    for (unsigned i = 0; i < c->n; i++)
      if (c->choices[i] == id)
        return c->bits >> i & 1;
    abort();
  case HD_OP_NOT:
    return !look_up(c, e->args[0]);
  case HD_OP_AND:
    return look_up(c, e->args[0]) & look_up(c, e->args[1]);
  case HD_OP_OR:
    return look_up(c, e->args[0]) | look_up(c, e->args[1]);
  case HD_OP_XOR:
  case HD_OP_NE:
    return look_up(c, e->args[0]) ^ look_up(c, e->args[1]);
  case HD_OP_EQ:
    return look_up(c, e->args[0]) == look_up(c, e->args[1]);
  case HD_OP_ITE:
    return look_up(c, e->args[look_up(c, e->args[0]) ? 1 : 2]);
  }
  abort();
}

static void go_on(const hd_program *p, global *g, int u) {
  /* it stands at its only edge, the wait */
  g->loc[u] = (int16_t)p->edges.data[p->out[p->out_start[g->loc[u]]]].to;
  g->waits[u] = false;
}

/* One waiting thread goes on, whichever; none if none waits. */
static void meet_signal(explorer *x, const global *g) {
  bool any = false;
  for (int u = 0; u < MOST; u++)
    if (g->waits[u]) {
      global h = *g;
      go_on(x->p, &h, u);
      meet(x, &h);
      any = true;
    }
  if (!any)
    meet(x, g);
}

static void explore_edge(explorer *x, const global *g, int t,
                         const hd_edge *e) {
  const hd_program *p = x->p;
  uint32_t choices[64];
  unsigned n = n_choices(p, e->guard, choices, 0);
  for (uint32_t i = 0; i < e->n_assigns; i++)
    n = n_choices(p, p->assigns.data[e->assigns + i].value, choices, n);
  for (unsigned bits = 0; bits < 1u << n; bits++) {
    global h = *g;
    context c = {p,       g->vars, g->locals[t], h.vars, h.locals[t],
                 choices, n,       bits};
    for (uint32_t i = 0; i < e->n_assigns; i++) {
      hd_assign a = p->assigns.data[e->assigns + i];
      uint8_t v = (uint8_t)look_up(&c, a.value);
      if (p->vars.data[a.var].shared)
        h.vars[a.var] = v;
      else
        h.locals[t][a.var] = v;
    }
    bool holds = e->guard == HD_NO_ID || look_up(&c, e->guard);
    if (e->act == HD_ACT_ASSERT && !holds)
      x->violated = true;
    if (!holds)
      continue;
    h.loc[t] = (int16_t)e->to;
    if (e->act == HD_ACT_END)
      h.loc[t] = -1;
    if (e->act == HD_ACT_ATOMIC_BEGIN)
      h.owner = (int8_t)t;
    if ((e->act == HD_ACT_ATOMIC_END || e->act == HD_ACT_END) && h.owner == t)
      h.owner = -1;
    if (e->act == HD_ACT_SPAWN) {
      int child = 0;
      while (child < MOST && h.loc[child] >= 0)
        child++;
      if (child == MOST) {
        x->full = true; /* more threads than this test looks at */
        continue;
      }
      memcpy(h.locals[child], h.locals[t], sizeof h.locals[t]);
      h.loc[child] = (int16_t)e->other;
    }
    if (e->act == HD_ACT_WAIT) {
      h.loc[t] = g->loc[t];
      h.waits[t] = true;
      if (h.owner == t)
        h.owner = -1;
    }
    for (int u = 0; e->act == HD_ACT_BROADCAST && u < MOST; u++)
      if (h.waits[u])
        go_on(p, &h, u);
    if (h.loc[t] < 0)
      memset(h.locals[t], 0, sizeof h.locals[t]);
    if (e->act == HD_ACT_SIGNAL)
      meet_signal(x, &h);
    else
      meet(x, &h);
  }
}

static void explore_from(explorer *x, const global *g) {
  for (int t = 0; t < MOST; t++) {
    if (g->loc[t] < 0 || g->waits[t] || (g->owner >= 0 && g->owner != t))
      continue;
    for (size_t i = x->p->out_start[g->loc[t]];
         i < x->p->out_start[g->loc[t] + 1]; i++)
      explore_edge(x, g, t, &x->p->edges.data[x->p->out[i]]);
  }
}

static void start_all(explorer *x, global *g, int threads, unsigned at) {
  unsigned n = (unsigned)x->p->vars.size;
  if (at == n * (unsigned)(threads + 1)) {
    meet(x, g);
    return;
  }
  unsigned who = at / n, v = at % n;
  const hd_var *var = &x->p->vars.data[v];
  if (var->shared != (who == 0)) {
    start_all(x, g, threads, at + 1);
    return;
  }
  for (uint8_t value = 0; value < 2; value++) {
    if (!var->any && var->init != value)
      continue;
    *(who ? &g->locals[who - 1][v] : &g->vars[v]) = value;
    start_all(x, g, threads, at + 1);
  }
  *(who ? &g->locals[who - 1][v] : &g->vars[v]) = 0;
}

typedef enum { NO, YES, MAYBE } answer;

static answer explore_all(const hd_program *p, int threads) {
  explorer x = {.p = p, .cap = 4000};
  x.seen = malloc(x.cap * sizeof *x.seen);
  global g;
  memset(&g, 0, sizeof g);
  g.owner = -1;
  for (int t = 0; t < MOST; t++)
    g.loc[t] = t < threads ? (int16_t)p->entry : -1;
  start_all(&x, &g, threads, 0);
  for (size_t i = 0; i < x.n && !x.violated; i++)
    explore_from(&x, &x.seen[i]);
  free(x.seen);
  return x.violated ? YES : x.full ? MAYBE : NO;
}

/* The cutoff of the program as a template; 0 when it was not found. */
static uint32_t cutoff_of(const char *text) {
  hd_program *program = read_program(text, NULL);
  hd_str why = {0};
  hd_finite *f =
      hd_finite_new(program, &(hd_finite_options){.no_lazy = true}, &why);
  hd_run run = {.steps = 300000};
  hd_extract *x = hd_extract_new(
      f, &(hd_extract_options){.threads = ANY, .assertion = HD_NO_ASSERTION},
      &run, &why);
  hd_result cover = {0};
  uint32_t found = 0;
  if (x && hd_reach(x->net, &run, false, &cover) == HD_VERIFY_DONE &&
      cover.cert) {
    hd_cutoff *cutoff = hd_cutoff_find(x->net, cover.cert, 6, &run);
    found = cutoff->reachability;
    hd_cutoff_delete(cutoff);
  }
  hd_result_free(&cover);
  hd_extract_delete(x);
  hd_finite_delete(f);
  hd_program_delete(program);
  hd_str_free(&why);
  return found;
}

static void compare(flavour has, uint32_t first, uint32_t count) {
  static const hd_finite_options options[] = {
      {0},
      {.no_slice = true,
       .no_live = true,
       .no_thread = true,
       .no_propagate = true,
       .no_lazy = true},
      {.no_slice = true},
      {.no_live = true},
      {.no_thread = true},
      {.no_propagate = true},
      {.all_lazy = true},
      {.all_lazy = true},
      {.all_lazy = true, .no_live = true},
      {.all_lazy = true, .no_propagate = true},
      {.no_lazy = true},
      {.no_slice = true, .no_live = true, .no_thread = true},
      {.no_propagate = true, .no_lazy = true},
  };
  enum { N_OPTIONS = sizeof options / sizeof *options };
  static const char *const engines[] = {NULL,  "km",  "bws",
                                        "fws", "tse", "concolic"};
  static const char *const waiting[] = {"bws", "fws", "tse"};
  unsigned decided = 0, unsafe = 0;
  for (uint32_t k = 0; k < count; k++) {
    dice d = {.seed = (first + k) * 2654435761u};
    hd_str text = {0};
    random_program(&d, &text, has);
    hd_program *program = read_program(hd_str_text(&text), NULL);
    int threads = 1 + (int)roll(&d, 2);
    answer truth = explore_all(program, threads);
    hd_program_delete(program);
    bool asserts = strstr(hd_str_text(&text), "assert") != NULL;
    if (asserts && truth != MAYBE) {
      hd_init init = {(hd_count)threads, (hd_count)threads};
      bool broadcasts = strstr(hd_str_text(&text), "broadcast") != NULL;
      const char *engine = broadcasts ? waiting[k % 3] : engines[k % 6];
      portable = k % 4 == 3;
      hd_verdict v =
          verdict_by(engine, hd_str_text(&text), init, &options[k % N_OPTIONS]);
      portable = false;
      decided += v != HD_UNKNOWN;
      unsafe += v == HD_UNSAFE;
      if (v != HD_UNKNOWN && (v == HD_UNSAFE) != (truth == YES))
        fail_msg("seed %u with %d threads: %s but exploration says %s\n%s",
                 first + k, threads, hd_verdict_name(v),
                 truth == YES ? "unsafe" : "safe", hd_str_text(&text));
      if (truth == YES && has == PLAIN && k % 7 == 0 &&
          verdict_of(hd_str_text(&text), ANY, NULL) == HD_SAFE)
        fail_msg("seed %u: more threads made it safe\n%s", first + k,
                 hd_str_text(&text));
    }
    hd_str_free(&text);
  }
  assert_true(decided > count / 4 && unsafe > count / 20);
}

static void random_templates_agree_with_exploration(void **state) {
  compare(PLAIN, 1, 3000);
}

static void random_spawning_programs_agree_with_exploration(void **state) {
  compare(SPAWNS, 100000, 2000);
}

static void random_waiting_programs_agree_with_exploration(void **state) {
  compare(WAITS, 200000, 2000);
}

/* Any number of threads: all engines give one answer, which is also that of as
 * many threads as the cutoff says (one more, for violations where threads
 * start). */
typedef struct {
  const char *name, *engine;
  bool modular; /* km, but not on the fly: on the extracted system */
  hd_km_order order;
} contender;

static const contender contenders[] = {
    {"default", NULL, false, HD_KM_LARGEST},
    {"km on the fly", "km", false, HD_KM_LARGEST},
    {"km on the fly, depth first", "km", false, HD_KM_DFS},
    {"km on the fly, breadth first", "km", false, HD_KM_BFS},
    {"km", "km", true, HD_KM_LARGEST},
    {"km depth first", "km", true, HD_KM_DFS},
    {"km breadth first", "km", true, HD_KM_BFS},
    {"bws", "bws", false, HD_KM_LARGEST},
    {"concolic", "concolic", false, HD_KM_LARGEST},
    {"tse", "tse", false, HD_KM_LARGEST},
    {"fws", "fws", false, HD_KM_LARGEST},
};
enum { N_CONTENDERS = sizeof contenders / sizeof *contenders };

/* An engine on the system that thread-modular exploration extracts. */
static hd_verdict verdict_modular(const contender *c, const char *text) {
  hd_program *program = read_program(text, NULL);
  hd_str why = {0};
  hd_finite *f = hd_finite_new(program, &(hd_finite_options){0}, &why);
  hd_run run = {.steps = 2000000};
  hd_extract *x = hd_extract_new(
      f, &(hd_extract_options){.threads = ANY, .assertion = HD_NO_ID}, &run,
      &why);
  assert_non_null(x);
  hd_verify_options options = {.engine = c->engine, .order = c->order};
  hd_result result = {0};
  assert_int_equal(hd_verify(x->net, &options, &run, &result), HD_VERIFY_DONE);
  hd_verdict verdict = result.verdict;
  hd_result_free(&result);
  hd_extract_delete(x);
  hd_finite_delete(f);
  hd_program_delete(program);
  return verdict;
}

static hd_verdict ask(const contender *c, const char *text) {
  order = c->order;
  hd_verdict v = c->modular ? verdict_modular(c, text)
                            : verdict_by(c->engine, text, ANY, NULL);
  order = HD_KM_LARGEST;
  return v;
}

static void agree_for_any_number(uint32_t seed, flavour has, unsigned *unsafe) {
  dice d = {.seed = seed * 2654435761u};
  hd_str text = {0};
  random_program(&d, &text, has);
  bool broadcasts = strstr(hd_str_text(&text), "broadcast") != NULL;
  if (strstr(hd_str_text(&text), "assert") && !broadcasts) {
    hd_verdict truth = HD_UNKNOWN;
    for (size_t i = 0; i < N_CONTENDERS; i++) {
      hd_verdict v = ask(&contenders[i], hd_str_text(&text));
      if (v == HD_UNKNOWN)
        continue;
      if (truth != HD_UNKNOWN && v != truth)
        fail_msg("seed %u: %s says %s\n%s", seed, contenders[i].name,
                 hd_verdict_name(v), hd_str_text(&text));
      truth = v;
    }
    *unsafe += truth == HD_UNSAFE;
    uint32_t n = has == PLAIN ? cutoff_of(hd_str_text(&text)) : 0;
    if (n && truth != HD_UNKNOWN) {
      hd_init threads = {n + 1, n + 1};
      hd_verdict v = verdict_of(hd_str_text(&text), threads, NULL);
      if (v != HD_UNKNOWN && v != truth)
        fail_msg("seed %u: %u threads are not enough\n%s", seed, n + 1,
                 hd_str_text(&text));
    }
  }
  hd_str_free(&text);
}

static void engines_and_cutoffs_agree_on_random_templates(void **state) {
  unsigned unsafe = 0;
  for (uint32_t seed = 1; seed <= 1200; seed++)
    agree_for_any_number(seed + 500000, PLAIN, &unsafe);
  assert_true(unsafe > 50);
}

static void engines_agree_on_random_signals_and_spawns(void **state) {
  unsigned unsafe = 0;
  for (uint32_t seed = 1; seed <= 600; seed++)
    agree_for_any_number(seed + 600000, seed % 2 ? WAITS : SPAWNS, &unsafe);
  assert_true(unsafe > 25);
}

/* Figure 2.1 (b) of paper 001, with the loop's exit made an assertion. */
static void figure_2_1_of_paper_001(void **state) {
  const char *program =
      "void main() begin\n"
      "decl i_lt_apthr_per_child, status_eq_SRV_GRACEFUL,\n"
      "  status_eq_SRV_DEAD, rv_eq_APR_SUCCESS;\n"
      "L1: goto L2, L5;\n"
      "L2: assume i_lt_apthr_per_child;\n"
      "    status_eq_SRV_GRACEFUL, status_eq_SRV_DEAD := *,*;\n"
      "    goto L3, L4;\n"
      "L3: assume (!status_eq_SRV_GRACEFUL) && (!status_eq_SRV_DEAD);\n"
      "    i_lt_apthr_per_child := *; goto L1;\n"
      "L4: rv_eq_APR_SUCCESS := true;\n"
      "    skip;\n"
      "    i_lt_apthr_per_child := *; goto L1;\n"
      "L5: assume !i_lt_apthr_per_child;\n"
      "    assert(%s);\nend\n";
  char text[1000];
  snprintf(text, sizeof text, program, "!i_lt_apthr_per_child");
  expect(text, ANY, HD_SAFE);
  snprintf(text, sizeof text, program, "rv_eq_APR_SUCCESS");
  expect(text, ANY, HD_UNSAFE);
  /* rv_eq_APR_SUCCESS is read by nobody now: it is sliced away. */
  snprintf(text, sizeof text, program, "!i_lt_apthr_per_child");
  hd_program *p = read_program(text, NULL);
  hd_str why = {0};
  hd_finite *f = hd_finite_new(p, &(hd_finite_options){0}, &why);
  assert_int_equal(hd_finite_statistics(f).vars, 4);
  assert_int_equal(hd_finite_statistics(f).kept_vars, 3);
  hd_finite_delete(f);
  hd_program_delete(p);
}

/* Section 3.1 of paper 001: `0: goto 1` gives the edges (0,0) -> (0,1) and
 * (1,0) -> (1,1), `1: s := 1` the edges (1,1) -> (1,2) and (0,1) -> (1,2). */
static void section_3_1_of_paper_001(void **state) {
  hd_program *p = read_program("decl s := 0; void main() begin\n"
                               "0: goto 1;\n1: s := 1;\n2: assume(s);\n"
                               "3: assume(0);\nend",
                               NULL);
  hd_str why = {0}, edges = {0};
  hd_finite *f =
      hd_finite_new(p, &(hd_finite_options){.no_thread = true}, &why);
  hd_run run = {0};
  hd_extract *x = hd_extract_new(
      f, &(hd_extract_options){.threads = ANY, .assertion = HD_NO_ID}, &run,
      &why);
  for (hd_trans_id t = 0; t < x->net->trans.size; t++) {
    hd_net_print_trans(&edges, x->net, t);
    hd_str_puts(&edges, "\n");
  }
  static const char *const expected[] = {"s=0 0 -> s=0 1\n", "s=1 0 -> s=1 1\n",
                                         "s=0 1 -> s=1 2\n", "s=1 1 -> s=1 2\n",
                                         "s=1 2 -> s=1 3\n"};
  for (size_t i = 0; i < 5; i++)
    if (!strstr(hd_str_text(&edges), expected[i]))
      fail_msg("no %s in\n%s", expected[i], hd_str_text(&edges));
  assert_int_equal(x->net->trans.size, 5);
  hd_str_free(&edges);
  hd_extract_delete(x);
  hd_finite_delete(f);
  hd_program_delete(p);
}

static int nothing_leaks(void **state) {
  return hd_mem_current() ? -1 : 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(statements_become_edges),
      cmocka_unit_test(operators_bind_as_documented),
      cmocka_unit_test(constrain_compares_old_and_new),
      cmocka_unit_test(schoose_is_one_zero_or_any),
      cmocka_unit_test(initial_assignments_are_not_steps),
      cmocka_unit_test(procedures_are_inlined_with_their_own_variables),
      cmocka_unit_test(source_comments_are_kept),
      cmocka_unit_test(numeric_labels_work),
      cmocka_unit_test(formatting_is_idempotent),
      cmocka_unit_test(mistakes_are_located),
      cmocka_unit_test(recursion_is_refused_with_its_cycle),
      cmocka_unit_test(calls_are_checked),
      cmocka_unit_test(deep_nesting_is_an_error_not_a_crash),
      cmocka_unit_test(many_errors_stop_at_twenty),
      cmocka_unit_test(long_expressions_are_an_error_not_a_crash),
      cmocka_unit_test(inlining_that_explodes_is_an_error),
      cmocka_unit_test(procedures_starting_procedures_need_no_stack),
      cmocka_unit_test(statements_without_semicolons_keep_to_their_text),
      cmocka_unit_test(names_and_labels_of_all_forms),
      cmocka_unit_test(cycles_of_skips_stand_still),
      cmocka_unit_test(a_hundred_thousand_skips_are_jumped_over_in_one_pass),
      cmocka_unit_test(forty_open_values_are_decided_when_read),
      cmocka_unit_test(limits_hold_within_one_statement),
      cmocka_unit_test(hidden_choices_are_found_without_trying_all),
      cmocka_unit_test(no_assertion_is_refused),
      cmocka_unit_test(a_race_on_a_flag),
      cmocka_unit_test(an_atomic_section_keeps_others_out),
      cmocka_unit_test(inside_an_atomic_section_nobody_looks),
      cmocka_unit_test(a_blocked_atomic_section_blocks_for_ever),
      cmocka_unit_test(spawned_threads_copy_locals),
      cmocka_unit_test(threads_can_start_in_procedures),
      cmocka_unit_test(waiting_threads_wake_on_broadcast),
      cmocka_unit_test(initial_values_can_be_any),
      cmocka_unit_test(twenty_dead_choices_cost_nothing),
      cmocka_unit_test(km_on_the_fly_sees_only_what_is_occupied),
      cmocka_unit_test(extraction_that_drowns_is_replaced_by_km_on_the_fly),
      cmocka_unit_test(a_signal_wakes_one),
      cmocka_unit_test(figure_2_1_of_paper_001),
      cmocka_unit_test(section_3_1_of_paper_001),
      cmocka_unit_test(random_templates_agree_with_exploration),
      cmocka_unit_test(engines_and_cutoffs_agree_on_random_templates),
      cmocka_unit_test(engines_agree_on_random_signals_and_spawns),
      cmocka_unit_test(random_spawning_programs_agree_with_exploration),
      cmocka_unit_test(random_waiting_programs_agree_with_exploration),
  };
  return cmocka_run_group_tests_name("bp", tests, NULL, nothing_leaks);
}
