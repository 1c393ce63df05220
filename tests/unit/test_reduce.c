/* SPDX-License-Identifier: MIT */
#include "check/check.h"
#include "engine/reduce/reduce.h"
#include "front/front.h"
#include "model/split.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

static hd_net *parse(const char *text, hd_format format) {
  hd_source source = hd_source_from_text("test", text, strlen(text));
  hd_diag *diag = hd_diag_new();
  hd_net *net = hd_front_parse(&source, format, diag);
  if (!net)
    hd_diag_print(diag, stderr, false);
  hd_diag_delete(diag);
  hd_source_free(&source);
  assert_non_null(net);
  return net;
}

static bool in_row(const hd_cert *tset, uint32_t shared, uint32_t place) {
  return tset->rows[shared] && hd_bits_test(tset->rows[shared], place);
}

static void forward_set_passes_places_on(void **state) {
  hd_net *net =
      parse("4 4\n0 0 -> 1 1\n1 1 -> 2 2\n3 0 -> 3 3\n", HD_FORMAT_TTS);
  hd_cert *tset = hd_reduce_tset(net, NULL);
  assert_true(in_row(tset, 0, 0));
  assert_false(in_row(tset, 0, 1));
  assert_true(in_row(tset, 1, 0));
  assert_true(in_row(tset, 1, 1));
  assert_true(in_row(tset, 2, 0));
  assert_true(in_row(tset, 2, 2));
  assert_null(tset->rows[3]);
  hd_cert_delete(tset);
  hd_net_delete(net);
}

static void later_places_follow_earlier_passes(void **state) {
  /* (0,0)->(1,1) passes row 0 on to 1 before 3 appears in row 0. */
  hd_net *net =
      parse("3 5\n0 0 -> 1 1\n1 1 -> 0 3\n0 3 -> 0 4\n", HD_FORMAT_TTS);
  hd_cert *tset = hd_reduce_tset(net, NULL);
  assert_true(in_row(tset, 1, 4));
  hd_cert_delete(tset);
  hd_net_delete(net);
}

static void transfers_empty_rows(void **state) {
  hd_net *net = parse("2 3\n0 0 -> 0 1\n0 1 ~> 1 2\n", HD_FORMAT_TTS);
  hd_cert *tset = hd_reduce_tset(net, NULL);
  assert_true(in_row(tset, 1, 2));
  assert_false(in_row(tset, 1, 1));
  hd_cert_delete(tset);
  hd_net_delete(net);
}

static void nothing_fires_without_its_tokens(void **state) {
  hd_net *net = parse("vars a b c\nrules\na>=1, b>=1 -> c'=c+1;\n"
                      "init a=1, b=0, c=0\ntarget c>=1\n",
                      HD_FORMAT_MIST);
  uint64_t enabled[1];
  hd_cert *tset = hd_reduce_tset(net, enabled);
  assert_int_equal(enabled[0], 0);
  hd_cert_delete(tset);
  hd_run run = {0};
  hd_reduced *r = hd_reduce(net, &run);
  assert_true(r->safe);
  hd_reduced_delete(r);
  hd_net_delete(net);
}

static void the_set_alone_is_a_certificate(void **state) {
  hd_net *net = parse("3 3\n0 0 -> 1 1\n2 1 -> 2 2\n2|2\n", HD_FORMAT_TTS);
  hd_run run = {0};
  hd_result result = {0};
  hd_problem problem = {.net = net};
  hd_reduce_engine.run(&problem, &run, &result);
  assert_int_equal(result.verdict, HD_SAFE);
  hd_str why = {0};
  assert_true(hd_check_cert(net, result.cert, &why));
  hd_result_free(&result);
  hd_net_delete(net);
}

static void slicing_drops_what_cannot_lead_to_the_target(void **state) {
  hd_net *net = parse("4 4\n0 0 -> 1 1\n0 0 -> 2 2\n2 2 -> 3 3\n0 0 -> 0 3\n"
                      "1|1\n",
                      HD_FORMAT_TTS);
  hd_run run = {0};
  hd_reduced *r = hd_reduce(net, &run);
  assert_false(r->safe);
  assert_int_equal(r->net->trans.size, 1);
  assert_int_equal(r->origin.data[0], 0);
  hd_reduced_delete(r);
  hd_net_delete(net);
}

static void places_nobody_needs_are_ignored(void **state) {
  hd_net *net = parse("vars a b c d\nrules\na>=1 -> a'=a-1, b'=b+1, d'=d+1;\n"
                      "d>=1 -> d'=d-1, c'=c+1;\n"
                      "init a=2, b=0, c=0, d=3\ntarget b>=2\n",
                      HD_FORMAT_MIST);
  hd_run run = {0};
  hd_reduced *r = hd_reduce(net, &run);
  assert_int_equal(r->net->trans.size, 1);
  assert_int_equal(r->ignored.size, 2);
  assert_int_equal(hd_net_post(r->net, 0).size, 1);
  assert_int_equal(r->net->init[3].max, 0);
  hd_result result = {.verdict = HD_UNSAFE, .witness = hd_witness_new()};
  hd_vec_push(&result.witness->steps, ((hd_step){.trans = 0}));
  hd_vec_push(&result.witness->steps, ((hd_step){.trans = 0}));
  assert_true(hd_witness_find_init(result.witness, r->net));
  hd_reduced_lift(r, net, &result);
  hd_str why = {0};
  assert_true(hd_check_witness(net, result.witness, &why));
  hd_result_free(&result);
  hd_reduced_delete(r);
  hd_net_delete(net);
}

static void repeated_transitions_are_dropped(void **state) {
  hd_net *net = parse("vars a b\nrules\na>=1 -> a'=a-1, b'=b+1;\n"
                      "a>=1 -> b'=b+1, a'=a-1;\na>=1 -> ;\n"
                      "init a=2, b=0\ntarget b>=2\n",
                      HD_FORMAT_MIST);
  hd_run run = {0};
  hd_reduced *r = hd_reduce(net, &run);
  assert_int_equal(r->net->trans.size, 1);
  hd_reduced_delete(r);
  hd_net_delete(net);
}

static const char *const locked =
    "vars free held idle busy\nrules\n"
    "free>=1, idle>=1 -> free'=free-1, held'=held+1, idle'=idle-1, "
    "busy'=busy+1;\n"
    "held>=1, busy>=1 -> held'=held-1, free'=free+1, busy'=busy-1, "
    "idle'=idle+1;\n"
    "init free=1, held=0, idle>=0, busy=0\ntarget busy>=2\n";

static void a_lock_is_a_control_component(void **state) {
  hd_net *net = parse(locked, HD_FORMAT_MIST);
  hd_u32s control = {0};
  assert_true(hd_reduce_find_control(net, &control));
  assert_int_equal(control.size, 2);
  assert_int_equal(control.data[0], 0);
  assert_int_equal(control.data[1], 1);
  hd_vec_free(&control);
  hd_net_delete(net);
}

static void no_control_where_a_transition_stays_out(void **state) {
  hd_net *net = parse("vars q r p\nrules\nq>=1 -> q'=q-1, r'=r+1;\n"
                      "p>=1 -> p'=p-1;\ninit q=1, r=0, p=4\ntarget r>=1\n",
                      HD_FORMAT_MIST);
  hd_u32s control = {0};
  assert_false(hd_reduce_find_control(net, &control));
  hd_vec_free(&control);
  hd_net_delete(net);
}

static void control_search_backs_out_of_wrong_guesses(void **state) {
  /* Every transition gives x and one of q0, q1; only q0, q1 form a component,
   * x is met first but is never taken. */
  hd_net *net = parse("vars x q0 q1\nrules\nq0>=1 -> q0'=q0-1, q1'=q1+1, "
                      "x'=x+1;\nq1>=1 -> q1'=q1-1, q0'=q0+1, x'=x+1;\n"
                      "init q0=1, q1=0, x=0\ntarget x>=5\n",
                      HD_FORMAT_MIST);
  hd_u32s control = {0};
  assert_true(hd_reduce_find_control(net, &control));
  assert_int_equal(control.size, 2);
  assert_int_equal(control.data[0], 1);
  hd_vec_free(&control);
  hd_net_delete(net);
}

static int nothing_leaks(void **state) {
  return hd_mem_current() ? -1 : 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(forward_set_passes_places_on),
      cmocka_unit_test(later_places_follow_earlier_passes),
      cmocka_unit_test(transfers_empty_rows),
      cmocka_unit_test(nothing_fires_without_its_tokens),
      cmocka_unit_test(the_set_alone_is_a_certificate),
      cmocka_unit_test(slicing_drops_what_cannot_lead_to_the_target),
      cmocka_unit_test(places_nobody_needs_are_ignored),
      cmocka_unit_test(repeated_transitions_are_dropped),
      cmocka_unit_test(a_lock_is_a_control_component),
      cmocka_unit_test(no_control_where_a_transition_stays_out),
      cmocka_unit_test(control_search_backs_out_of_wrong_guesses),
  };
  return cmocka_run_group_tests_name("reduce", tests, NULL, nothing_leaks);
}
