/* SPDX-License-Identifier: MIT */
/* Reports: JSON text, traces with thread numbers, phrases, proofs in words. */
#include "report/report.h"

#include "report/describe.h"
#include "report/json.h"
#include "report/trace.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

#define TOKENS(...)                                                            \
  (hd_tokens) {                                                                \
    .data = (const hd_token[]){__VA_ARGS__},                                   \
    .size = sizeof((const hd_token[]){__VA_ARGS__}) / sizeof(hd_token)         \
  }

static void expect(hd_str *text, const char *expected) {
  assert_string_equal(hd_str_text(text), expected);
  hd_str_free(text);
}

static void contains(const hd_str *text, const char *part) {
  if (!strstr(hd_str_text(text), part))
    fail_msg("'%s' is not in:\n%s", part, hd_str_text(text));
}

static void lacks(const hd_str *text, const char *part) {
  if (strstr(hd_str_text(text), part))
    fail_msg("'%s' is in:\n%s", part, hd_str_text(text));
}

/* JSON */

static void json_empty_object(void **state) {
  hd_str text = {0};
  hd_json json = hd_json_start(&text);
  hd_json_object(&json, NULL);
  hd_json_end_object(&json);
  hd_json_finish(&json);
  expect(&text, "{}\n");
}

static void json_nesting(void **state) {
  hd_str text = {0};
  hd_json json = hd_json_start(&text);
  hd_json_object(&json, NULL);
  hd_json_array(&json, "a");
  hd_json_number(&json, NULL, 1);
  hd_json_object(&json, NULL);
  hd_json_bool(&json, "b", true);
  hd_json_end_object(&json);
  hd_json_end_array(&json);
  hd_json_string(&json, "c", NULL);
  hd_json_end_object(&json);
  hd_json_finish(&json);
  expect(&text, "{\n  \"a\": [\n    1,\n    {\n      \"b\": true\n    }\n  ],\n"
                "  \"c\": null\n}\n");
}

static void json_one(const char *value, const char *expected) {
  hd_str text = {0};
  hd_json json = hd_json_start(&text);
  hd_json_string(&json, NULL, value);
  expect(&text, expected);
}

static void json_escapes(void **state) {
  json_one("a\"b\\c", "\"a\\\"b\\\\c\"");
  json_one("\n\t\x1b\x7f", "\"\\u000a\\u0009\\u001b\\u007f\"");
}

static void json_keeps_utf8(void **state) {
  json_one("\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80",
           "\"\xC3\xA4\xE2\x82\xAC\xF0\x9F\x98\x80\"");
}

static void json_replaces_what_is_no_utf8(void **state) {
  json_one("a\xFF", "\"a\xEF\xBF\xBD\"");
  json_one("\xC3", "\"\xEF\xBF\xBD\"");
  json_one("\xC0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\"");
  json_one("\xED\xA0\x80", "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
  json_one("\xF4\x90\x80\x80",
           "\"\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\"");
}

static void json_numbers(void **state) {
  hd_str text = {0};
  hd_json json = hd_json_start(&text);
  hd_json_array(&json, NULL);
  hd_json_number(&json, NULL, 4294967295.0);
  hd_json_number(&json, NULL, 0.5);
  hd_json_number(&json, NULL, NAN);
  hd_json_fixed(&json, NULL, 1.0 / 3, 3);
  hd_json_end_array(&json);
  expect(&text, "[\n  4294967295,\n  0.5,\n  null,\n  0.333\n]");
}

/* Phrases */

static void counts_have_separators(void **state) {
  hd_str text = {0};
  hd_describe_count(&text, 0);
  hd_str_puts(&text, " ");
  hd_describe_count(&text, 999);
  hd_str_puts(&text, " ");
  hd_describe_count(&text, 1000);
  hd_str_puts(&text, " ");
  hd_describe_count(&text, 1234567);
  expect(&text, "0 999 1,000 1,234,567");
}

static void one_is_singular(void **state) {
  hd_str text = {0};
  hd_describe_counted(&text, 1, "step", "s");
  hd_str_puts(&text, ", ");
  hd_describe_counted(&text, 2, "step", "s");
  expect(&text, "1 step, 2 steps");
}

static void long_texts_are_cut_in_the_middle(void **state) {
  hd_str text = {0};
  hd_describe_shortened(&text, "0123456789", 10);
  expect(&text, "0123456789");
  hd_describe_shortened(&text, "0123456789abcdef", 10);
  assert_int_equal(text.size, 10);
  expect(&text, "0123...def");
}

static hd_net *thread_net(void) {
  hd_net *net = hd_net_new(HD_FORMAT_TTS, "t.tts", 3, 4);
  net->init[0] = (hd_init){0, HD_OMEGA};
  return net;
}

static void add(hd_net *net, hd_shared_id from, hd_shared_id to, hd_tokens pre,
                hd_tokens post, uint32_t line) {
  hd_trans_spec spec = {
      .from = from, .to = to, .pre = pre, .post = post, .line = line};
  assert_true(hd_net_add_trans(net, &spec));
}

static void target(hd_net *net, hd_shared_id shared, hd_tokens need) {
  assert_true(hd_net_add_target(net, shared, need, (hd_tokens){0}, 9));
}

static void sizes_of_thread_systems_and_nets(void **state) {
  hd_str text = {0};
  hd_net *net = thread_net();
  add(net, 0, 1, TOKENS({0, 1}), TOKENS({1, 1}), 1);
  hd_net_finish(net);
  hd_describe_size(&text, net);
  expect(&text, "3 shared states, 4 local states, 1 edge");
  hd_net_delete(net);
  net = hd_net_new(HD_FORMAT_MIST, "n.spec", 1, 2);
  hd_net_finish(net);
  hd_describe_size(&text, net);
  expect(&text, "2 places, 0 transitions");
  hd_net_delete(net);
}

static void initial_states_in_words(void **state) {
  hd_str text = {0};
  hd_net *net = thread_net();
  net->init[1] = (hd_init){1, 1};
  net->init[2] = (hd_init){2, HD_OMEGA};
  net->init[3] = (hd_init){1, 3};
  hd_net_finish(net);
  hd_describe_init(&text, net, 0);
  expect(&text, "shared state 0, any number of threads in 0, exactly 1 thread "
                "in 1, at least 2 threads in 2, 1 to 3 threads in 3");
  hd_describe_init(&text, net, 1);
  expect(&text, "shared state 0, any number of threads in 0 and 3 more");
  hd_net_delete(net);
}

static void initial_states_of_nets(void **state) {
  hd_str text = {0};
  hd_net *net = hd_net_new(HD_FORMAT_MIST, "n.spec", 1, 3);
  hd_net_finish(net);
  hd_describe_init(&text, net, 0);
  expect(&text, "no token");
  hd_net_name_place(net, 0, "p");
  net->init[0] = (hd_init){1, 1};
  net->init[1] = (hd_init){2, HD_OMEGA};
  net->init[2] = (hd_init){1, 3};
  hd_describe_init(&text, net, 0);
  expect(&text, "p=1, 1>=2, 2 in [1,3]");
  hd_net_delete(net);
}

static void targets_as_the_option_takes_them(void **state) {
  hd_str text = {0};
  hd_net *net = thread_net();
  target(net, 2, TOKENS({1, 2}));
  hd_net_finish(net);
  hd_describe_target(&text, net, 0);
  expect(&text, "2|1,1");
  hd_net_delete(net);
  net = hd_net_new(HD_FORMAT_MIST, "n.spec", 1, 3);
  assert_true(
      hd_net_add_target(net, 0, TOKENS({0, 1}, {1, 2}), TOKENS({2, 3}), 1));
  hd_net_finish(net);
  hd_describe_target(&text, net, 0);
  expect(&text, "0>=1,1>=2,2<=3");
  hd_net_delete(net);
}

/* Traces */

static void push_step(hd_witness *witness, hd_trans_id t) {
  hd_step step = {.trans = t};
  step.choices.start = (uint32_t)witness->choices.size;
  hd_vec_push(&witness->steps, step);
}

static void push_choice(hd_witness *witness, hd_place_id from, hd_place_id to,
                        hd_count n) {
  hd_choice choice = {.from = from, .to = to, .count = n};
  hd_vec_push(&witness->choices, choice);
  hd_vec_last(&witness->steps).choices.size++;
}

static void at(hd_trace *trace, const hd_net *net, const char *config,
               uint32_t thread) {
  hd_str text = {0};
  hd_net_print_config(&text, net, hd_trace_shared(trace),
                      hd_trace_tokens(trace));
  expect(&text, config);
  assert_int_equal(hd_trace_thread(trace), thread);
}

static void trace_of_plain_edges(void **state) {
  hd_net *net = thread_net();
  add(net, 0, 1, TOKENS({0, 1}), TOKENS({1, 1}), 1);
  add(net, 1, 2, TOKENS({0, 1}), TOKENS({1, 1}), 2);
  add(net, 2, 2, TOKENS({1, 1}), TOKENS({2, 1}), 3);
  hd_net_finish(net);
  hd_witness *witness = hd_witness_new();
  hd_vec_push(&witness->init, ((hd_token){0, 2}));
  push_step(witness, 0);
  push_step(witness, 1);
  push_step(witness, 2);
  hd_trace *trace = hd_trace_new(net, witness);
  at(trace, net, "0|0,0", 0);
  assert_true(hd_trace_next(trace));
  at(trace, net, "1|0,1", 1);
  assert_true(hd_trace_next(trace));
  at(trace, net, "2|1,1", 2);
  assert_true(hd_trace_next(trace));
  at(trace, net, "2|1,2", 2); /* who came last moves on */
  assert_false(hd_trace_next(trace));
  assert_int_equal(hd_trace_step(trace), 3);
  hd_trace_delete(trace);
  hd_witness_delete(witness);
  hd_net_delete(net);
}

static void trace_of_a_spawn(void **state) {
  hd_net *net = thread_net();
  add(net, 0, 1, TOKENS({0, 1}), TOKENS({0, 1}, {1, 1}), 1);
  add(net, 1, 1, TOKENS({1, 1}), TOKENS({2, 1}), 2);
  add(net, 1, 2, TOKENS({0, 1}), TOKENS({0, 2}), 3);
  hd_net_finish(net);
  hd_witness *witness = hd_witness_new();
  hd_vec_push(&witness->init, ((hd_token){0, 1}));
  push_step(witness, 0);
  push_step(witness, 1);
  push_step(witness, 2);
  hd_trace *trace = hd_trace_new(net, witness);
  assert_true(hd_trace_next(trace));
  at(trace, net, "1|0,1", 1);
  assert_true(hd_trace_next(trace));
  at(trace, net, "1|0,2", 2); /* the new thread has the next number */
  assert_true(hd_trace_next(trace));
  at(trace, net, "2|0,0,2", 1);
  hd_trace_delete(trace);
  hd_witness_delete(witness);
  hd_net_delete(net);
}

static void trace_of_a_broadcast_with_choice(void **state) {
  hd_net *net = thread_net();
  const hd_move moves[] = {{1, 2}, {1, 3}, {2, 1}};
  hd_trans_spec spec = {.from = 0,
                        .to = 1,
                        .pre = TOKENS({0, 1}),
                        .post = TOKENS({0, 1}),
                        .moves = moves,
                        .n_moves = 3};
  assert_true(hd_net_add_trans(net, &spec));
  hd_net_finish(net);
  hd_witness *witness = hd_witness_new();
  hd_vec_push(&witness->init, ((hd_token){0, 1}));
  hd_vec_push(&witness->init, ((hd_token){1, 3}));
  hd_vec_push(&witness->init, ((hd_token){2, 2}));
  push_step(witness, 0);
  push_choice(witness, 1, 2, 1);
  push_choice(witness, 1, 3, 2);
  hd_trace *trace = hd_trace_new(net, witness);
  assert_true(hd_trace_next(trace));
  at(trace, net, "1|0,1,1,2,3,3", 1);
  hd_trace_delete(trace);
  /* Choices that do not add up end the trace. */
  witness->choices.data[0].count = 2;
  trace = hd_trace_new(net, witness);
  assert_false(hd_trace_next(trace));
  hd_trace_delete(trace);
  hd_witness_delete(witness);
  hd_net_delete(net);
}

static void trace_of_a_transfer_without_mover(void **state) {
  hd_net *net = thread_net();
  const hd_move moves[] = {{0, 3}};
  hd_trans_spec spec = {.from = 0, .to = 2, .moves = moves, .n_moves = 1};
  assert_true(hd_net_add_trans(net, &spec));
  hd_net_finish(net);
  hd_witness *witness = hd_witness_new();
  hd_vec_push(&witness->init, ((hd_token){0, 2}));
  push_step(witness, 0);
  hd_trace *trace = hd_trace_new(net, witness);
  assert_true(hd_trace_next(trace));
  at(trace, net, "2|3,3", 0);
  hd_trace_delete(trace);
  hd_witness_delete(witness);
  hd_net_delete(net);
}

static void trace_ends_where_a_step_cannot_be_fired(void **state) {
  hd_net *net = thread_net();
  add(net, 0, 1, TOKENS({1, 1}), TOKENS({2, 1}), 1);
  hd_net_finish(net);
  hd_witness *witness = hd_witness_new();
  hd_vec_push(&witness->init, ((hd_token){0, 1}));
  push_step(witness, 0);
  push_step(witness, 77);
  hd_trace *trace = hd_trace_new(net, witness);
  assert_false(hd_trace_next(trace));
  hd_trace_delete(trace);
  hd_witness_delete(witness);
  hd_net_delete(net);
}

/* The table of steps */

static void lanes_stand_beside_each_other(void **state) {
  hd_net *net = thread_net();
  add(net, 0, 0, TOKENS({0, 1}), TOKENS({1, 1}), 5);
  hd_net_finish(net);
  hd_witness *witness = hd_witness_new();
  hd_vec_push(&witness->init, ((hd_token){0, 12}));
  for (int i = 0; i < 8; i++)
    push_step(witness, 0);
  hd_str text = {0};
  hd_report_steps(&text, net, witness, false, false);
  expect(&text, "  line  shared                  thread       local state\n"
                "        0\n"
                "     5  │       ● │ │ │ │ │ │ │ thread 1     0 -> 1\n"
                "     5  │       │ ● │ │ │ │ │ │ thread 2     0 -> 1\n"
                "     5  │       │ │ ● │ │ │ │ │ thread 3     0 -> 1\n"
                "     5  │       │ │ │ ● │ │ │ │ thread 4     0 -> 1\n"
                "     5  │       │ │ │ │ ● │ │ │ thread 5     0 -> 1\n"
                "     5  │       │ │ │ │ │ ● │ │ thread 6     0 -> 1\n"
                "     5  │       │ │ │ │ │ │ ● │ thread 7     0 -> 1\n"
                ">    5  │       │ │ │ │ │ │ │ ✗ thread 8     0 -> 1\n"
                "        0\n"
                "\n4 more threads take no step.\n");
  hd_witness_delete(witness);
  hd_net_delete(net);
}

/* More threads than lanes; each is busy once. */
static void lanes_are_shared(void **state) {
  hd_net *net = thread_net();
  add(net, 0, 0, TOKENS({0, 1}), TOKENS({1, 1}), 5);
  add(net, 0, 1, TOKENS({1, 1}), TOKENS({2, 1}), 6);
  add(net, 1, 0, TOKENS({2, 1}), TOKENS({0, 1}), 7);
  hd_net_finish(net);
  hd_witness *witness = hd_witness_new();
  hd_vec_push(&witness->init, ((hd_token){0, 60}));
  for (int i = 0; i < 30; i++)
    push_step(witness, 0);
  for (int i = 0; i < 30; i++) {
    push_step(witness, 1);
    push_step(witness, 2);
  }
  hd_str text = {0};
  hd_report_steps(&text, net, witness, true, false);
  contains(&text, "thread 30    0 -> 1\n");
  contains(&text, "thread 30    1 -> 2\n");
  lacks(&text, "● ●");
  hd_str_free(&text);
  hd_witness_delete(witness);
  hd_net_delete(net);
}

static void threads_are_columns(void **state) {
  hd_net *net = thread_net();
  add(net, 0, 0, TOKENS({0, 1}), TOKENS({1, 1}), 5);
  add(net, 0, 1, TOKENS({1, 1}), TOKENS({2, 1}), 6);
  add(net, 1, 0, TOKENS({1, 1}), TOKENS({1, 1}, {2, 1}), 7);
  hd_net_finish(net);
  hd_witness *witness = hd_witness_new();
  hd_vec_push(&witness->init, ((hd_token){0, 2}));
  push_step(witness, 0);
  push_step(witness, 0);
  push_step(witness, 1);
  push_step(witness, 2);
  hd_str text = {0};
  hd_report_steps(&text, net, witness, false, false);
  expect(&text, "  line  shared  thread 1                 thread 2\n"
                "        0       0                        0\n"
                "     5  │       ● 0 -> 1                 │\n"
                "     5  │       │                        ● 0 -> 1\n"
                "     6  1       │                        ● 1 -> 2\n"
                ">    7  0       ✗ 1 -> 1                 │\n"
                "        │       │ starts thread 3 in 2   │\n"
                "        0       1                        2\n");
  hd_witness_delete(witness);
  hd_net_delete(net);
}

static void long_witness(hd_net **net, hd_witness **witness) {
  *net = thread_net();
  add(*net, 0, 1, TOKENS({0, 1}), TOKENS({1, 1}), 5);
  add(*net, 1, 0, TOKENS({1, 1}), TOKENS({0, 1}), 6);
  hd_net_finish(*net);
  *witness = hd_witness_new();
  hd_vec_push(&(*witness)->init, ((hd_token){0, 1}));
  for (uint32_t i = 0; i < 1000; i++)
    push_step(*witness, i % 2);
}

static void long_witnesses_lose_their_middle(void **state) {
  hd_net *net;
  hd_witness *witness;
  long_witness(&net, &witness);
  hd_str text = {0};
  hd_report_steps(&text, net, witness, false, false);
  contains(&text, "     6  0       ● 1 -> 0\n"
                  "      … 930 steps left out (--explain shows them) …\n"
                  "     5  1       ● 0 -> 1\n");
  hd_str_free(&text);
  hd_witness_delete(witness);
  hd_net_delete(net);
}

static void explain_shows_every_step(void **state) {
  hd_net *net;
  hd_witness *witness;
  long_witness(&net, &witness);
  hd_str text = {0};
  hd_report_steps(&text, net, witness, true, false);
  size_t lines = 0;
  for (const char *c = hd_str_text(&text); *c; c++)
    lines += *c == '\n';
  assert_int_equal(lines, 1003);
  lacks(&text, "left out");
  hd_str_free(&text);
  hd_witness_delete(witness);
  hd_net_delete(net);
}

static hd_net *place_net(uint32_t n) {
  hd_net *net = hd_net_new(HD_FORMAT_MIST, "n.spec", 1, n);
  for (uint32_t i = 0; i + 1 < n; i++)
    add(net, 0, 0, TOKENS({i, 1}), TOKENS({i + 1, 2}), 5 + i);
  hd_net_finish(net);
  return net;
}

static void places_are_columns(void **state) {
  hd_net *net = place_net(4);
  hd_witness *witness = hd_witness_new();
  hd_vec_push(&witness->init, ((hd_token){0, 5}));
  for (int i = 0; i < 5; i++)
    push_step(witness, 0);
  push_step(witness, 1);
  hd_str text = {0};
  hd_report_steps(&text, net, witness, false, false);
  expect(&text, "  line  0  1   2  transition\n"
                "        5  0   0\n"
                "     5  0  10  │  ● 5 times: 0>=1 -> 0'=0-1, 1'=1+2;\n"
                ">    6  │  9   2  ✗ 1>=1 -> 1'=1-1, 2'=2+2;\n");
  hd_witness_delete(witness);
  hd_net_delete(net);
}

static void many_places_are_a_list(void **state) {
  hd_net *net = place_net(40);
  hd_witness *witness = hd_witness_new();
  hd_vec_push(&witness->init, ((hd_token){0, 1}));
  for (uint32_t i = 0; i < 30; i++)
    push_step(witness, i);
  hd_str text = {0};
  hd_report_steps(&text, net, witness, false, false);
  contains(&text, "     6  ● 1>=1 -> 1'=1-1, 2'=2+2;\n"
                  "        │ 1 = 1; 2 = 2\n");
  hd_str_free(&text);
  hd_witness_delete(witness);
  hd_net_delete(net);
}

static void ascii_is_as_wide(void **state) {
  hd_str text = {0};
  hd_report_ascii(&text, "│ ● x ─▶┐\n✗ größer…\n");
  expect(&text, "| * x ->.\nX gr??er~\n");
}

/* Proofs */

static hd_cert *three_part_cert(void) {
  hd_cert *cert = hd_cert_new(HD_CERT_BACKWARD, 3, 4);
  hd_cert_add_rows(cert);
  hd_bits_set(hd_cert_row(cert, 0), 0);
  hd_bits_set(hd_cert_row(cert, 0), 1);
  hd_bits_set(hd_cert_row(cert, 1), 2);
  hd_linear *linear = hd_cert_add_linear(cert);
  linear->bound = 1;
  linear->potential[2] = 2;
  linear->weight[1] = 1;
  linear->weight[3] = 2;
  hd_cert_add_config(cert, 1, TOKENS({2, 2}));
  return cert;
}

static void proof_in_one_sentence(void **state) {
  hd_str text = {0};
  hd_cert *cert = three_part_cert();
  hd_report_cert_summary(&text, cert);
  expect(&text, "backward basis of 1 configuration, with 1 linear invariant "
                "and T-set of 3 thread states");
  hd_cert_delete(cert);
  cert = hd_cert_new(HD_CERT_COVER, 3, 4);
  hd_cert_add_config(cert, 0, TOKENS({0, HD_OMEGA}));
  hd_report_cert_summary(&text, cert);
  expect(&text, "cover of 1 maximal configuration");
  hd_cert_delete(cert);
}

static void proof_in_the_models_names(void **state) {
  hd_str text = {0};
  hd_net *net = thread_net();
  hd_net_finish(net);
  hd_cert *cert = three_part_cert();
  hd_report_cert_explain(&text, net, cert);
  contains(&text, "\n  0 | 0 1\n  1 | 2\n  2 | never reached\n");
  contains(&text, "\n  1. threads in 1 + 2 * threads in 3 <= 1\n");
  contains(&text, "\n  1|2,2\n");
  hd_str_free(&text);
  hd_cert_delete(cert);
  hd_net_delete(net);
}

static void cover_in_words(void **state) {
  hd_str text = {0};
  hd_net *net = thread_net();
  hd_net_finish(net);
  hd_cert *cert = hd_cert_new(HD_CERT_COVER, 3, 4);
  hd_cert_add_config(cert, 0, TOKENS({0, HD_OMEGA}, {1, 1}));
  hd_vec_push(&cert->ignored, 3);
  hd_report_cert_explain(&text, net, cert);
  contains(&text, "\n  0|0*w,1\n");
  contains(&text, "as if they held any number: 3\n");
  hd_str_free(&text);
  hd_cert_delete(cert);
  hd_net_delete(net);
}

/* Whole reports */

static void last_line_is_the_verdict(void **state) {
  hd_net *net = thread_net();
  target(net, 2, TOKENS({1, 1}));
  hd_net_finish(net);
  hd_result result = {0};
  hd_result_unknown(&result, "time limit\nreached");
  hd_report report = {.net = net, .result = &result, .quiet = true};
  hd_str text = {0};
  hd_report_verify_text(&text, &report);
  expect(&text, "verdict: unknown (time limit reached)\n");
  report.quiet = false;
  report.hint = "again";
  hd_report_verify_text(&text, &report);
  contains(&text, "\nTry again.\nverdict: unknown (time limit reached)\n");
  hd_str_free(&text);
  hd_result_free(&result);
  hd_net_delete(net);
}

static void unchecked_evidence_is_called_so(void **state) {
  hd_net *net = thread_net();
  target(net, 2, TOKENS({1, 1}));
  hd_net_finish(net);
  hd_result result = {.verdict = HD_SAFE, .engine = "bws"};
  result.cert = three_part_cert();
  hd_report report = {.net = net, .result = &result, .checked = true};
  hd_str text = {0};
  hd_report_verify_text(&text, &report);
  contains(&text, "The proof was checked on the input model.\n");
  hd_str_free(&text);
  report.checked = false;
  hd_report_verify_text(&text, &report);
  contains(&text, "The proof was not checked (--no-check).\n");
  hd_str_free(&text);
  hd_result_free(&result);
  hd_net_delete(net);
}

static void statistics_of_one_name_add_up_in_json(void **state) {
  hd_net *net = thread_net();
  target(net, 2, TOKENS({1, 1}));
  hd_net_finish(net);
  hd_result result = {0};
  hd_result_unknown(&result, "x");
  hd_result_stat(&result, "time.engine", "s", 1, "a");
  hd_result_stat(&result, "n", "", 7, "b");
  hd_result_stat(&result, "time.engine", "s", 2, "c");
  hd_report report = {.net = net, .result = &result};
  hd_str text = {0};
  hd_report_verify_json(&text, &report);
  contains(&text, "\"statistics\": {\n    \"time.engine\": 3,\n    \"n\": 7\n");
  hd_str_free(&text);
  hd_result_free(&result);
  hd_net_delete(net);
}

static void graph_quotes_names(void **state) {
  hd_net *net = hd_net_new(HD_FORMAT_PNML, "a\"b.pnml", 1, 1);
  hd_net_name_place(net, 0, "p\\q");
  add(net, 0, 0, TOKENS({0, 2}), (hd_tokens){0}, 3);
  hd_net_finish(net);
  hd_str text = {0};
  hd_report_model_dot(&text, net);
  contains(&text, "digraph \"a\\\"b.pnml\" {");
  contains(&text, "label=\"p\\\\q\"");
  contains(&text, "  p0 -> t0 [label=\"2\"];\n");
  hd_str_free(&text);
  hd_net_delete(net);
}

static int nothing_is_left(void **state) {
  assert_int_equal(hd_mem_current(), 0);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(json_empty_object),
      cmocka_unit_test(json_nesting),
      cmocka_unit_test(json_escapes),
      cmocka_unit_test(json_keeps_utf8),
      cmocka_unit_test(json_replaces_what_is_no_utf8),
      cmocka_unit_test(json_numbers),
      cmocka_unit_test(counts_have_separators),
      cmocka_unit_test(one_is_singular),
      cmocka_unit_test(long_texts_are_cut_in_the_middle),
      cmocka_unit_test(sizes_of_thread_systems_and_nets),
      cmocka_unit_test(initial_states_in_words),
      cmocka_unit_test(initial_states_of_nets),
      cmocka_unit_test(targets_as_the_option_takes_them),
      cmocka_unit_test(trace_of_plain_edges),
      cmocka_unit_test(trace_of_a_spawn),
      cmocka_unit_test(trace_of_a_broadcast_with_choice),
      cmocka_unit_test(trace_of_a_transfer_without_mover),
      cmocka_unit_test(trace_ends_where_a_step_cannot_be_fired),
      cmocka_unit_test(threads_are_columns),
      cmocka_unit_test(lanes_stand_beside_each_other),
      cmocka_unit_test(lanes_are_shared),
      cmocka_unit_test(places_are_columns),
      cmocka_unit_test(many_places_are_a_list),
      cmocka_unit_test(ascii_is_as_wide),
      cmocka_unit_test(long_witnesses_lose_their_middle),
      cmocka_unit_test(explain_shows_every_step),
      cmocka_unit_test(proof_in_one_sentence),
      cmocka_unit_test(proof_in_the_models_names),
      cmocka_unit_test(cover_in_words),
      cmocka_unit_test(last_line_is_the_verdict),
      cmocka_unit_test(unchecked_evidence_is_called_so),
      cmocka_unit_test(statistics_of_one_name_add_up_in_json),
      cmocka_unit_test(graph_quotes_names),
  };
  return cmocka_run_group_tests(tests, NULL, nothing_is_left);
}
