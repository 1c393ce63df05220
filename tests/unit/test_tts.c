/* SPDX-License-Identifier: MIT */
#include "front_util.h"

#include "front/threads.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

static hd_net *good(const char *text) {
  char *messages;
  hd_net *net = parse_bytes(text, strlen(text), HD_FORMAT_TTS, &messages);
  if (!net)
    print_error("%s", messages);
  assert_non_null(net);
  assert_string_equal(messages, "");
  hd_free(messages);
  hd_net_check(net);
  return net;
}

/* The text is refused, with `part` in the messages. */
static void bad(const char *text, const char *part) {
  char *messages;
  assert_null(parse_bytes(text, strlen(text), HD_FORMAT_TTS, &messages));
  if (!strstr(messages, part))
    print_error("'%s' not in: %s", part, messages);
  assert_non_null(strstr(messages, part));
  hd_free(messages);
}

static void assert_tokens(hd_tokens v, const char *expected) {
  hd_str text = {0};
  for (size_t i = 0; i < v.size; i++)
    hd_str_printf(&text, "%s%u:%u", i ? " " : "", v.data[i].place,
                  v.data[i].count);
  assert_string_equal(hd_str_text(&text), expected);
  hd_str_free(&text);
}

static void assert_moves(const hd_net *net, hd_trans_id t,
                         const char *expected) {
  hd_str text = {0};
  for (uint32_t i = 0; i < net->trans.data[t].moves.size; i++)
    hd_str_printf(&text, "%s%u~%u", i ? " " : "", hd_net_moves(net, t)[i].from,
                  hd_net_moves(net, t)[i].to);
  assert_string_equal(hd_str_text(&text), expected);
  hd_str_free(&text);
}

static void header_gives_the_sizes(void **state) {
  hd_net *net = good("3 4\n");
  assert_int_equal(net->format, HD_FORMAT_TTS);
  assert_int_equal(net->n_shared, 3);
  assert_int_equal(net->n_places, 4);
  assert_int_equal(net->trans.size, 0);
  assert_int_equal(net->targets.size, 0);
  assert_null(net->place_names);
  assert_string_equal(net->file, "t");
  hd_net_delete(net);
}

static void default_initial_state_is_parametric(void **state) {
  hd_net *net = good("3 4\n");
  assert_int_equal(net->init_shared, 0);
  assert_int_equal(net->init[0].min, 0);
  assert_int_equal(net->init[0].max, HD_OMEGA);
  assert_int_equal(net->init[1].max, 0);
  assert_true(net->features & HD_HAS_UNBOUNDED);
  hd_net_delete(net);
}

static void plain_edge(void **state) {
  hd_net *net = good("3 4\n0 1 -> 2 3\n");
  assert_int_equal(net->trans.size, 1);
  assert_int_equal(net->trans.data[0].from, 0);
  assert_int_equal(net->trans.data[0].to, 2);
  assert_int_equal(net->trans.data[0].line, 2);
  assert_tokens(hd_net_pre(net, 0), "1:1");
  assert_tokens(hd_net_post(net, 0), "3:1");
  assert_int_equal(net->features & ~(unsigned)HD_HAS_UNBOUNDED, 0);
  hd_net_delete(net);
}

static void spawn_keeps_the_spawner(void **state) {
  hd_net *net = good("3 4\n0 1 +> 2 3\n0 3 +> 2 1\n0 2 +> 1 2");
  assert_tokens(hd_net_pre(net, 0), "1:1");
  assert_tokens(hd_net_post(net, 0), "1:1 3:1");
  assert_tokens(hd_net_post(net, 1), "1:1 3:1");
  assert_tokens(hd_net_post(net, 2), "2:2");
  hd_net_delete(net);
}

static void transfer_needs_no_thread(void **state) {
  hd_net *net = good("3 4\n0 1 ~> 2 3\n");
  assert_tokens(hd_net_pre(net, 0), "");
  assert_tokens(hd_net_post(net, 0), "");
  assert_moves(net, 0, "1~3");
  assert_true(net->features & HD_HAS_MOVES);
  hd_net_delete(net);
}

static void transfer_to_itself_changes_the_shared_state_only(void **state) {
  hd_net *net = good("3 4\n0 1 ~> 2 1\n");
  assert_int_equal(net->trans.data[0].to, 2);
  assert_moves(net, 0, "");
  assert_int_equal(hd_tts_edge_of(net, 0).kind, HD_TTS_TRANSFER);
  hd_net_delete(net);
}

static void broadcast_with_passive_updates(void **state) {
  hd_net *net = good("3 5\n0 1 -> 2 3  4 ~> 2 0~>1\n");
  assert_tokens(hd_net_pre(net, 0), "1:1");
  assert_tokens(hd_net_post(net, 0), "3:1");
  assert_moves(net, 0, "0~1 4~2");
  assert_false(net->features & HD_HAS_CHOICE);
  hd_net_delete(net);
}

static void passive_choice_is_kept(void **state) {
  hd_net *net = good("1 4\n0 0 -> 0 0 1 ~> 2 1 ~> 1 1 ~> 3 1 ~> 2 3 ~> 3\n");
  assert_moves(net, 0, "1~1 1~2 1~3");
  assert_true(net->features & HD_HAS_CHOICE);
  hd_net_delete(net);
}

static void idle_passive_update_says_nothing(void **state) {
  hd_net *net = good("1 4\n0 0 -> 0 1 2 ~> 2 3 ~> 3\n");
  assert_moves(net, 0, "");
  hd_net_delete(net);
}

static void self_loops_are_kept(void **state) {
  hd_net *net = good("2 2\n0 1 -> 0 1\n1 0 -> 1 0  1 ~> 0\n");
  assert_int_equal(net->trans.size, 2);
  hd_net_delete(net);
}

static void comments_anywhere(void **state) {
  hd_net *net = good("# preamble 1 2 -> \n2 2 # header\n\n#\n"
                     "0 0 -> 1 1 # 1|1\n   # indented\n#0 0 -> 0 0");
  assert_int_equal(net->trans.size, 1);
  assert_int_equal(net->trans.data[0].line, 5);
  assert_int_equal(net->targets.size, 0);
  hd_net_delete(net);
}

static void crlf_and_tabs(void **state) {
  hd_net *net = good("2\t2\r\n0 0\t->  1 1\r\n1|1\r\n");
  assert_int_equal(net->trans.size, 1);
  assert_int_equal(net->targets.size, 1);
  hd_net_delete(net);
}

static void no_final_newline(void **state) {
  hd_net *net = good("2 2\n0 0 -> 1 1");
  assert_int_equal(net->trans.size, 1);
  hd_net_delete(net);
}

static void no_blanks_around_arrows(void **state) {
  hd_net *net = good("2 3\n0 0->1 1 2~>1\n0 0+>1 1\n0 0~>1 1\n");
  assert_int_equal(net->trans.size, 3);
  hd_net_delete(net);
}

static void byte_order_mark_is_skipped(void **state) {
  hd_net *net = good("\xEF\xBB\xBF"
                     "2 2\n");
  assert_int_equal(net->n_shared, 2);
  hd_net_delete(net);
}

static void leading_zeroes_are_numbers(void **state) {
  hd_net *net = good("02 0003\n01 00 -> 1 002\n");
  assert_int_equal(net->n_places, 3);
  assert_tokens(hd_net_post(net, 0), "2:1");
  hd_net_delete(net);
}

static void target_line_is_a_multiset(void **state) {
  hd_net *net = good("2 3\n1|2,0,2\n0 0 -> 1 1\n");
  assert_int_equal(net->targets.size, 1);
  assert_int_equal(net->targets.data[0].shared, 1);
  assert_int_equal(net->targets.data[0].line, 2);
  assert_tokens(hd_net_view(net, net->targets.data[0].need), "0:1 2:2");
  hd_net_delete(net);
}

static void every_target_line_counts(void **state) {
  hd_net *net = good("2 3\n1|2\n0 | 1\n");
  assert_int_equal(net->targets.size, 2);
  assert_int_equal(net->targets.data[1].shared, 0);
  hd_net_delete(net);
}

static void target_of_any_shared_state(void **state) {
  hd_net *net = good("2 3\n*|2\n");
  assert_int_equal(net->targets.data[0].shared, HD_ANY_SHARED);
  hd_net_delete(net);
  net = good("1 3\n*|2\n");
  assert_int_equal(net->targets.data[0].shared, 0);
  hd_net_delete(net);
}

static void target_of_a_shared_state_alone(void **state) {
  hd_net *net = good("2 3\n1|*\n");
  assert_int_equal(net->targets.data[0].need.size, 0);
  hd_net_delete(net);
}

static void target_with_a_number_of_threads(void **state) {
  hd_net *net = good("2 3\n1|2*1000,0*2,0\n");
  assert_tokens(hd_net_view(net, net->targets.data[0].need), "0:3 2:1000");
  hd_net_delete(net);
}

static void duplicate_edges_are_dropped_with_a_warning(void **state) {
  char *messages;
  const char *text = "2 2\n0 0 -> 1 1\n0 1 -> 1 1\n0 0 -> 1 1\n0 0 -> 1 1\n";
  hd_net *net = parse_bytes(text, strlen(text), HD_FORMAT_TTS, &messages);
  assert_int_equal(net->trans.size, 2);
  assert_int_equal(net->trans.data[1].line, 3);
  assert_string_equal(messages, "t:4: warning: duplicate edge, ignored; the "
                                "first of 2\n  0 0 -> 1 1\n");
  hd_free(messages);
  hd_net_delete(net);
}

static void edges_that_differ_in_kind_are_no_duplicates(void **state) {
  hd_net *net = good("2 2\n0 0 -> 1 1\n0 0 +> 1 1\n0 0 ~> 1 1\n"
                     "0 0 -> 1 1 0 ~> 1\n0 0 -> 1 1 1 ~> 0\n");
  assert_int_equal(net->trans.size, 5);
  hd_net_delete(net);
}

static void passive_updates_in_another_order_are_duplicates(void **state) {
  const char *text = "1 3\n0 0 -> 0 0 1 ~> 2 2 ~> 1\n0 0 -> 0 0 2~>1 1~>2\n";
  hd_net *net = parse_text(text, HD_FORMAT_TTS);
  assert_int_equal(net->trans.size, 1);
  hd_net_delete(net);
}

static void huge_header_costs_no_product(void **state) {
  size_t before = hd_mem_peak();
  hd_net *net = good("16777216 16777216\n16777215 0 -> 0 16777215\n");
  assert_int_equal(net->trans.size, 1);
  hd_net_delete(net);
  assert_true(hd_mem_peak() - before < (size_t)1 << 30);
}

static void initial_state_comment(void **state) {
  hd_net *net = good("# heddle: init 1|2,2,0/0,3\n2 4\n");
  assert_int_equal(net->init_shared, 1);
  assert_int_equal(net->init[0].min, 1);
  assert_int_equal(net->init[0].max, HD_OMEGA);
  assert_int_equal(net->init[1].max, 0);
  assert_int_equal(net->init[2].min, 2);
  assert_int_equal(net->init[2].max, 2);
  assert_int_equal(net->init[3].min, 0);
  assert_int_equal(net->init[3].max, HD_OMEGA);
  hd_net_delete(net);
}

static void name_comments(void **state) {
  hd_net *net = good("2 3\n# heddle: name local 2 crit%20ical\n"
                     "# heddle: name shared 0 free\n"
                     "# heddle: name local 1 1\n"
                     "#heddle: transition enter\n0 0 -> 1 2\n1 2 -> 0 0\n");
  assert_string_equal(net->place_names[2], "crit ical");
  assert_string_equal(net->place_names[0], "0");
  assert_string_equal(net->shared_names[0], "free");
  assert_string_equal(net->shared_names[1], "1");
  assert_string_equal(net->trans.data[0].name, "enter");
  assert_null(net->trans.data[1].name);
  hd_net_delete(net);
}

static void names_may_come_before_the_header(void **state) {
  hd_net *net = good("# heddle: name local 1 b\n# heddle: init 0|b\n1 2\n");
  assert_string_equal(net->place_names[1], "b");
  assert_int_equal(net->init[1].min, 1);
  hd_net_delete(net);
}

static void several_errors_in_one_run(void **state) {
  const char *text = "2 2\n0 5 -> 7 1\nx\n0 0 ->\n1|9\n";
  char *messages;
  assert_null(parse_bytes(text, strlen(text), HD_FORMAT_TTS, &messages));
  assert_non_null(strstr(messages, "t:2:3: error"));
  assert_non_null(strstr(messages, "t:2:8: error"));
  assert_non_null(strstr(messages, "t:3:1: error"));
  assert_non_null(strstr(messages, "t:4:7: error"));
  assert_non_null(strstr(messages, "t:5:3: error"));
  hd_free(messages);
}

static void stops_after_twenty_errors(void **state) {
  hd_str text = {0};
  hd_str_puts(&text, "2 2\n");
  for (int i = 0; i < 100; i++)
    hd_str_puts(&text, "0 5 -> 1 1\n");
  char *messages;
  assert_null(parse_bytes(text.data, text.size, HD_FORMAT_TTS, &messages));
  size_t errors = 0;
  for (const char *m = messages; (m = strstr(m, "error:")); m++)
    errors++;
  assert_int_equal(errors, 20);
  hd_free(messages);
  hd_str_free(&text);
}

static void zero_bytes_are_not_text(void **state) {
  char *messages;
  assert_null(parse_bytes("2 2\n0 \0", 7, HD_FORMAT_TTS, &messages));
  assert_non_null(strstr(messages, "t:2:3: error: not a text file"));
  hd_free(messages);
}

static void errors_of_headers(void **state) {
  bad("0 0 -> 1 1\n", "missing header");
  bad("# only\n", "missing header");
  bad("", "empty file");
  bad("0 3\n", "from 1 to 16777216");
  bad("3 16777217\n", "from 1 to 16777216");
  bad("3\n", "the number of local states");
  bad("3 4 5\n", "the end of the header line");
  bad("99999999999999999999999999 1\n", "from 1 to 16777216");
}

static void errors_of_edges(void **state) {
  bad("2 2\n0 0 => 1 1\n", "'->', '+>' or '~>'");
  bad("2 2\n0 0 -> 1 1 1 ~> \n", "passive threads move to");
  bad("2 2\n0 0 -> 1 1 1 -> 0\n", "'~>' after the local state");
  bad("2 2\n0 0 +> 1 1 1 ~> 0\n", "passive updates are");
  bad("2 2\n0 0 ~> 1 1 1 ~> 0\n", "a transfer has one");
  bad("2 2\n0 0 -> 1 99999999999999999999\n", "out of range");
  bad("2 2\n0 0 -> 1 1 junk\n", "found 'junk'");
  bad("2 2\n0 0 -> 1", "but the file ends here");
  bad("2 2\n0 0 ->\n", "but the line ends here");
}

static void errors_of_targets(void **state) {
  bad("2 2\n1|\n", "'*' asks for none");
  bad("2 2\n1|0,\n", "'*' asks for none");
  bad("2 2\n1|0 1\n", "',' or the end of the target line");
  bad("2 2\n2|0\n", "shared state 2 is out of range");
  bad("2 2\n*\n", "'|' after '*'");
  bad("2 2\n1|0*0\n", "a number of threads");
  bad("2 2\n1|0*1073741824\n", "a number of threads");
  bad("2 2\n1|0*1073741823,0\n", "too many threads");
}

static void errors_of_comments(void **state) {
  bad("# heddle: frob\n2 2\n", "found 'frob'");
  bad("# heddle:\n2 2\n", "after 'heddle:'");
  bad("# heddle: name local 7 x\n2 2\n", "there is no local state 7");
  bad("# heddle: name local 1\n2 2\n", "expected 'name shared NUMBER NAME'");
  bad("# heddle: name local 1 x\n# heddle: name local 0 x\n2 2\n", "twice");
  bad("# heddle: name local 1 x\n# heddle: name local 1 y\n2 2\n", "second");
  bad("# heddle: name local 1 0\n2 2\n", "cannot be the name");
  bad("# heddle: name local 1 x%\n2 2\n", "malformed name");
  bad("# heddle: init 0/0\n# heddle: init 0/0\n2 2\n", "second initial");
  bad("# heddle: init 5/0\n2 2\n", "out of range");
  bad("2 2\n# heddle: transition a\n", "no edge follows");
  bad("2 2\n# heddle: transition a\n# heddle: transition b\n0 0 -> 0 0\n",
      "a second name");
}

/* --- nets as chains --- */

static const char net_text[] = "vars a b c\nrules\n"
                               "a>=2 -> a'=a-2, b'=b+1;\n"
                               "true -> c'=0;\n"
                               "b>=1 -> a'=a+c, c'=3, b'=b-1;\n"
                               "a>=1 -> ;\n"
                               "init a=1, b in [0,2], c>=1\n"
                               "target b>=2, c>=1\n a>=1\n";

static void nets_are_written_as_chains(void **state) {
  hd_net *net = parse_text(net_text, HD_FORMAT_MIST);
  char *text = write_text(net, HD_FORMAT_TTS, NULL);
  hd_net *back = good(text);
  assert_null(difference(net, back));
  hd_net_delete(back);
  hd_net_delete(net);
  hd_free(text);
}

/* Without the comments it is a thread system: pool 0, places 1 to 3. */
static void chains_are_thread_systems(void **state) {
  hd_net *net = parse_text(net_text, HD_FORMAT_MIST);
  char *text = write_text(net, HD_FORMAT_TTS, NULL);
  const char *edges = text;
  while (*edges == '#')
    edges = strchr(edges, '\n') + 1;
  hd_net *chain = good(edges);
  assert_int_equal(chain->n_places, 4);
  assert_int_equal(chain->targets.size, 1);
  assert_int_equal(chain->targets.data[0].shared, chain->n_shared - 1);
  for (hd_trans_id t = 0; t < chain->trans.size; t++)
    assert_int_equal(hd_tts_edge_of(chain, t).kind, HD_TTS_PLAIN);
  hd_net_delete(chain);
  hd_net_delete(net);
  hd_free(text);
}

static void changed_chains_are_refused(void **state) {
  hd_net *net = parse_text(net_text, HD_FORMAT_MIST);
  char *text = write_text(net, HD_FORMAT_TTS, NULL);
  char *edge = strstr(text, "\n1 0 -> ");
  assert_non_null(edge);
  edge[3] = '1';
  bad(text, "do not describe this edge");
  hd_free(text);
  text = write_text(net, HD_FORMAT_TTS, NULL);
  text[strlen(text) - 2] = '1'; /* the target's local state */
  bad(text, "do not describe the target");
  hd_str longer = {0};
  text[strlen(text) - 2] = '0';
  hd_str_printf(&longer, "%s0 0 -> 0 0\n", text);
  bad(longer.data, "do not fit the numbers");
  hd_str_free(&longer);
  hd_free(text);
  hd_net_delete(net);
}

static void errors_in_embedded_nets_have_their_place(void **state) {
  bad("# heddle: net vars x\n# heddle: net rules y>=1 -> ;\n"
      "# heddle: net init x=0\n1 2\n",
      "t:2:21: error: unknown variable 'y'");
}

static void embedded_nets_stand_alone(void **state) {
  bad("# heddle: net vars x rules init x=0\n# heddle: init 0/0\n1 2\n",
      "not allowed together");
  bad("# heddle: net vars x rules init x=0\n1 2\n# heddle: transition a\n"
      "0 0 -> 0 0\n",
      "not allowed together");
  bad("# heddle: net vars x rules x=0 -> ; init x=0\n1 2\n0 0 -> 0 0\n",
      "have upper bounds");
}

static void huge_embedded_counts_do_no_harm(void **state) {
  bad("# heddle: net vars x rules init x=1073741823\n1 2\n",
      "do not fit the numbers");
}

static void writer_refuses_upper_bounds(void **state) {
  char *messages;
  hd_net *net = parse_text("vars x rules\nx=0 -> ; init x=0", HD_FORMAT_MIST);
  assert_null(write_text(net, HD_FORMAT_TTS, &messages));
  assert_string_equal(messages, "t: error: the transition on line 2 has an "
                                "upper bound, which .tts cannot express\n");
  hd_free(messages);
  hd_net_delete(net);
  net = parse_text("vars x rules init x=0 target\n x=1", HD_FORMAT_MIST);
  assert_null(write_text(net, HD_FORMAT_TTS, &messages));
  assert_non_null(strstr(messages, "the target on line 2 has an upper bound"));
  hd_free(messages);
  hd_net_delete(net);
}

static void writer_refuses_endless_chains(void **state) {
  char *messages;
  hd_net *net =
      parse_text("vars x rules x>=1073741823 -> ; init x=0", HD_FORMAT_MIST);
  assert_null(write_text(net, HD_FORMAT_TTS, &messages));
  assert_non_null(strstr(messages, "too large for .tts"));
  hd_free(messages);
  hd_net_delete(net);
}

static void writes_what_it_read(void **state) {
  const char *text = "# heddle: init 1|2,2/0,3\n"
                     "# heddle: name shared 1 busy\n"
                     "# heddle: name local 3 a%2Cb\n"
                     "2 4\n"
                     "0 1 -> 1 2\n"
                     "# heddle: transition spawn%20it\n"
                     "0 1 +> 1 2\n"
                     "0 2 +> 1 1\n"
                     "0 1 ~> 1 2\n"
                     "0 0 ~> 1 0\n"
                     "1 0 -> 0 0  1 ~> 1  1 ~> 2  3 ~> 0\n"
                     "1|2,2\n"
                     "*|1\n"
                     "0|3*21\n"
                     "1|*\n";
  hd_net *net = good(text);
  char *again = write_text(net, HD_FORMAT_TTS, NULL);
  assert_string_equal(again, text);
  hd_free(again);
  hd_net_delete(net);
}

static void no_threads_at_all(void **state) {
  const char *text = "# heddle: init 1|*\n2 2\n";
  hd_net *net = good(text);
  assert_int_equal(net->init[0].max, 0);
  char *again = write_text(net, HD_FORMAT_TTS, NULL);
  assert_string_equal(again, text);
  hd_free(again);
  hd_net_delete(net);
}

static void nothing_leaks(void **state) {
  assert_int_equal(hd_mem_current(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(header_gives_the_sizes),
      cmocka_unit_test(default_initial_state_is_parametric),
      cmocka_unit_test(plain_edge),
      cmocka_unit_test(spawn_keeps_the_spawner),
      cmocka_unit_test(transfer_needs_no_thread),
      cmocka_unit_test(transfer_to_itself_changes_the_shared_state_only),
      cmocka_unit_test(broadcast_with_passive_updates),
      cmocka_unit_test(passive_choice_is_kept),
      cmocka_unit_test(idle_passive_update_says_nothing),
      cmocka_unit_test(self_loops_are_kept),
      cmocka_unit_test(comments_anywhere),
      cmocka_unit_test(crlf_and_tabs),
      cmocka_unit_test(no_final_newline),
      cmocka_unit_test(no_blanks_around_arrows),
      cmocka_unit_test(byte_order_mark_is_skipped),
      cmocka_unit_test(leading_zeroes_are_numbers),
      cmocka_unit_test(target_line_is_a_multiset),
      cmocka_unit_test(every_target_line_counts),
      cmocka_unit_test(target_of_any_shared_state),
      cmocka_unit_test(target_of_a_shared_state_alone),
      cmocka_unit_test(target_with_a_number_of_threads),
      cmocka_unit_test(duplicate_edges_are_dropped_with_a_warning),
      cmocka_unit_test(edges_that_differ_in_kind_are_no_duplicates),
      cmocka_unit_test(passive_updates_in_another_order_are_duplicates),
      cmocka_unit_test(huge_header_costs_no_product),
      cmocka_unit_test(initial_state_comment),
      cmocka_unit_test(name_comments),
      cmocka_unit_test(names_may_come_before_the_header),
      cmocka_unit_test(several_errors_in_one_run),
      cmocka_unit_test(stops_after_twenty_errors),
      cmocka_unit_test(zero_bytes_are_not_text),
      cmocka_unit_test(errors_of_headers),
      cmocka_unit_test(errors_of_edges),
      cmocka_unit_test(errors_of_targets),
      cmocka_unit_test(errors_of_comments),
      cmocka_unit_test(nets_are_written_as_chains),
      cmocka_unit_test(chains_are_thread_systems),
      cmocka_unit_test(changed_chains_are_refused),
      cmocka_unit_test(errors_in_embedded_nets_have_their_place),
      cmocka_unit_test(embedded_nets_stand_alone),
      cmocka_unit_test(huge_embedded_counts_do_no_harm),
      cmocka_unit_test(writer_refuses_upper_bounds),
      cmocka_unit_test(writer_refuses_endless_chains),
      cmocka_unit_test(writes_what_it_read),
      cmocka_unit_test(no_threads_at_all),
      cmocka_unit_test(nothing_leaks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
