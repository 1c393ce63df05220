/* SPDX-License-Identifier: MIT */
#include "front_util.h"

#include "front/threads.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

static hd_net *good(const char *text) {
  char *messages;
  hd_net *net = parse_bytes(text, strlen(text), HD_FORMAT_MIST, &messages);
  if (!net || *messages)
    print_error("%s", messages);
  assert_non_null(net);
  assert_string_equal(messages, "");
  hd_free(messages);
  hd_net_check(net);
  return net;
}

static void bad(const char *text, const char *part) {
  char *messages;
  assert_null(parse_bytes(text, strlen(text), HD_FORMAT_MIST, &messages));
  if (!strstr(messages, part))
    print_error("'%s' not in: %s", part, messages);
  assert_non_null(strstr(messages, part));
  hd_free(messages);
}

/* Transition `t` as `pre / moves / post / caps`, places by name. */
static char *shape(const hd_net *net, hd_trans_id t) {
  hd_str out = {0};
  hd_tokens pre = hd_net_pre(net, t), post = hd_net_post(net, t);
  hd_tokens caps = hd_net_caps(net, t);
  for (size_t i = 0; i < pre.size; i++)
    hd_str_printf(&out, "%s%u ", net->place_names[pre.data[i].place],
                  pre.data[i].count);
  hd_str_puts(&out, "/");
  for (uint32_t i = 0; i < net->trans.data[t].moves.size; i++) {
    hd_move m = hd_net_moves(net, t)[i];
    hd_str_printf(&out, " %s~%s", net->place_names[m.from],
                  m.to == HD_NOWHERE ? "" : net->place_names[m.to]);
  }
  hd_str_puts(&out, " /");
  for (size_t i = 0; i < post.size; i++)
    hd_str_printf(&out, " %s%u", net->place_names[post.data[i].place],
                  post.data[i].count);
  hd_str_puts(&out, " /");
  for (size_t i = 0; i < caps.size; i++)
    hd_str_printf(&out, " %s%u", net->place_names[caps.data[i].place],
                  caps.data[i].count);
  return hd_str_take(&out);
}

#define INIT " init a=0, b=0, c=0, d=0"

/* The rule over a, b, c, d gives a transition of this shape. */
static void rule(const char *text, const char *expected) {
  hd_str spec = {0};
  hd_str_printf(&spec, "vars a b c d rules %s" INIT, text);
  hd_net *net = good(spec.data);
  assert_int_equal(net->trans.size, 1);
  char *actual = shape(net, 0);
  assert_string_equal(actual, expected);
  hd_free(actual);
  hd_net_delete(net);
  hd_str_free(&spec);
}

static void bad_rule(const char *text, const char *part) {
  hd_str spec = {0};
  hd_str_printf(&spec, "vars a b c d rules %s" INIT, text);
  bad(spec.data, part);
  hd_str_free(&spec);
}

static void whole_file(void **state) {
  hd_net *net = good("#expected result: safe\nvars\n x y\nrules\n"
                     "x >= 1 ->\n\tx' = x-1,\n\ty' = y+2;\n\n"
                     "init\n x = 1, y = 0\ntarget\n y >= 3\n"
                     "invariants\n x=2, y=1\n");
  assert_int_equal(net->format, HD_FORMAT_MIST);
  assert_int_equal(net->n_shared, 1);
  assert_int_equal(net->n_places, 2);
  assert_string_equal(net->place_names[1], "y");
  assert_int_equal(net->trans.size, 1);
  assert_int_equal(net->trans.data[0].line, 5);
  assert_int_equal(net->init[0].min, 1);
  assert_int_equal(net->init[0].max, 1);
  assert_int_equal(net->targets.size, 1);
  assert_int_equal(net->targets.data[0].line, 12);
  assert_int_equal(net->targets.data[0].shared, 0);
  hd_net_delete(net);
}

static void petri_net_rules(void **state) {
  rule("a>=1 -> a'=a-1, b'=b+1;", "a1 / / b1 /");
  rule("a>=2 -> a'=a-1;", "a2 / / a1 /");
  rule("a>=2, b>=1 -> c'=c+3;", "a2 b1 / / a2 b1 c3 /");
  rule("a>=1 -> ;", "a1 / / a1 /");
  rule("true -> a'=a+1;", "/ / a1 /");
  rule("true, a>=1 -> a' = a - 1;", "a1 / / /");
  rule("a>=0 -> a'=a+0;", "/ / /");
  rule("a>=3 -> a' = a+2;", "a3 / / a5 /");
}

static void resets(void **state) {
  rule("true -> a'=0;", "/ a~ / /");
  rule("a>=2 -> a'=0;", "a2 / a~ / /");
  rule("a>=2 -> a'=5;", "a2 / a~ / a5 /");
}

static void transfers(void **state) {
  rule("true -> b'=b+a, a'=0;", "/ a~b / /");
  rule("a>=1 -> b'=a+b+1, a'=0;", "a1 / a~b / b2 /");
  rule("a>=1 -> b'=a+b-1, a'=0;", "a1 / a~b / /");
  rule("a>=1, b>=2 -> b'=a+b-1, a'=0;", "a1 b2 / a~b / b2 /");
}

static void swaps(void **state) {
  rule("true -> a'=b, b'=a;", "/ a~b b~a / /");
  rule("a>=1 -> a'=b, b'=c, c'=a-1;", "a1 / a~c b~a c~b / /");
  rule("true -> d'=a+b+c, a'=0, b'=1, c'=0;", "/ a~d b~d c~d d~ / b1 /");
}

static void upper_bounds(void **state) {
  rule("a=0 -> b'=b+1;", "/ / b1 / a0");
  rule("a=2 -> a'=a-1;", "a2 / / a1 / a2");
  rule("a in [1,3] -> a'=a-1;", "a1 / / / a3");
  rule("a in [0,3] -> a'=0;", "/ a~ / / a3");
  rule("a in [2,2] -> ;", "a2 / / a2 / a2");
}

/* What the guard fixes is a constant: nothing is left to move or to copy. */
static void fixed_values(void **state) {
  rule("a=0 -> a'=5;", "/ / a5 / a0");
  rule("a=2 -> b'=b+a;", "a2 / / a2 b2 / a2");
  rule("a=2 -> b'=b+a+a-4, a'=0;", "a2 / / / a2");
  rule("a=1 -> b'=a, c'=a+c, a'=a+1;", "a1 / b~ / a2 b1 c1 / a1");
}

static void copies_are_refused(void **state) {
  bad_rule("true -> b'=b+a;", "it flows into 'b' and keeps its value");
  bad_rule("true -> b'=a, c'=a, a'=0;", "flows into 'b' and into 'c'");
  bad_rule("true -> b'=a+a, a'=0;", "flows into 'b' and into 'b'");
  bad_rule("true -> a'=a+a;", "flows into 'a' and into 'a'");
}

static void subtraction_needs_a_guard(void **state) {
  bad_rule("true -> a'=a-1;", "subtracts more than the guard guarantees: "
                              "1 of at least 0");
  bad_rule("a>=2 -> a'=a-3;", "3 of at least 2");
  bad_rule("a>=1 -> b'=a+b-2, a'=0;", "2 of at least 1");
}

static void counts_have_a_limit(void **state) {
  rule("a>=1073741823 -> ;", "a1073741823 / / a1073741823 /");
  bad_rule("a>=1073741824 -> ;", "too large");
  bad_rule("a>=99999999999999999999999 -> ;", "too large");
  bad_rule("a>=1 -> a'=a+1073741823;", "gives 1073741824 tokens");
  bad_rule("true -> a'=99999999999999999999;", "too large");
  rule("a>=1073741823,b>=1073741823 -> c'=a+b+c-2147483646,a'=0,b'=0;",
       "a1073741823 b1073741823 / a~c b~c / /");
}

static void quotes_belong_to_names(void **state) {
  hd_net *net = good("vars x x' y'z rules x>=1 -> x'=x-1, x''=x'+1, y'z'=y'z+1;"
                     " x'>=1 -> x ' = x + 1; init x=0, x'=0, y'z=0");
  assert_int_equal(net->n_places, 3);
  char *text = shape(net, 0);
  assert_string_equal(text, "x1 / / x'1 y'z1 /");
  hd_free(text);
  text = shape(net, 1);
  assert_string_equal(text, "x'1 / / x1 x'1 /");
  hd_free(text);
  hd_net_delete(net);
}

static void initial_ranges(void **state) {
  hd_net *net = good("vars a b c rules init a=3, b>=2, c in [1,4]");
  assert_int_equal(net->init[0].min, 3);
  assert_int_equal(net->init[0].max, 3);
  assert_int_equal(net->init[1].min, 2);
  assert_int_equal(net->init[1].max, HD_OMEGA);
  assert_int_equal(net->init[2].min, 1);
  assert_int_equal(net->init[2].max, 4);
  hd_net_delete(net);
}

static void unmentioned_variables_are_zero(void **state) {
  char *messages;
  const char *text = "vars a b c rules\ninit b=1";
  hd_net *net = parse_bytes(text, strlen(text), HD_FORMAT_MIST, &messages);
  assert_int_equal(net->init[0].max, 0);
  assert_string_equal(messages,
                      "t:2:1: warning: 2 variables are not mentioned in 'init' "
                      "and start with 0, the first is 'a'\n"
                      "  init b=1\n  ^~~~\n");
  hd_free(messages);
  hd_net_delete(net);
}

static void disjuncts_stand_side_by_side(void **state) {
  hd_net *net = good("vars a b rules init a=0,b=0 target a>=1 b>=2\n"
                     "a>=3,\n b>=4 a=0 b in [1,2], a>=0");
  assert_int_equal(net->targets.size, 5);
  assert_int_equal(net->targets.data[2].need.size, 2);
  assert_int_equal(net->targets.data[2].line, 2);
  assert_int_equal(net->targets.data[3].need.size, 0);
  assert_int_equal(net->targets.data[3].caps.size, 1);
  assert_int_equal(net->targets.data[4].need.size, 1);
  assert_int_equal(net->targets.data[4].caps.size, 1);
  assert_true(net->features & HD_HAS_TARGET_CAPS);
  hd_net_delete(net);
}

static void target_may_be_missing(void **state) {
  hd_net *net = good("vars a rules init a=0");
  assert_int_equal(net->targets.size, 0);
  hd_net_delete(net);
  net = good("vars a rules init a=0 target");
  assert_int_equal(net->targets.size, 0);
  hd_net_delete(net);
}

static void net_without_variables(void **state) {
  hd_net *net = good("vars rules true -> ; init");
  assert_int_equal(net->n_places, 0);
  assert_int_equal(net->trans.size, 1);
  hd_net_delete(net);
}

static void invariants_are_checked_and_ignored(void **state) {
  hd_net *net = good("vars a b rules init a=0,b=0 target a>=1 "
                     "invariants a=1, b=2\n b=1");
  assert_int_equal(net->targets.size, 1);
  hd_net_delete(net);
  bad("vars a rules init a=0 target a>=1 invariants z=1",
      "unknown variable 'z'");
}

static void comments_are_skipped(void **state) {
  hd_net *net = good("# heddle is fine\nvars a#b c d\nrules# x\ninit a=0#\n#");
  assert_int_equal(net->n_places, 1);
  hd_net_delete(net);
}

static void errors_of_structure(void **state) {
  bad("", "empty file");
  bad("# nothing\n", "expected 'vars', but the file ends here");
  bad("rules", "expected 'vars', found 'rules'");
  bad("vars a init a=0", "a variable name or 'rules'");
  bad("vars a in rules init a=0", "'in' is a keyword");
  bad("vars a a rules init a=0", "'a' is declared twice");
  bad("vars 1a rules init", "a variable name or 'rules', found '1'");
  bad("vars a rules", "expected 'init', but the file ends here");
  bad("vars a rules init", "a variable, but the file ends here");
  bad("vars a b rules init a=0 b=0", "',' or 'target' after the constraint");
  bad("vars a rules init a=0 target a>=1 vars b", "the end of the file");
  bad("vars a rules init a=0 rules", "the end of the file");
}

static void errors_of_rules(void **state) {
  bad_rule("a>=1;", "',' or '->' after the guard");
  bad_rule("a>=1 -> a'=a-1", "',' or ';' after the update, found 'init'");
  bad_rule("-> a'=a;", "a guard: 'true' or a variable");
  bad_rule("a>1 -> ;", "'>=', '=' or 'in'");
  bad_rule("a<=1 -> ;", "an upper bound is written 'in [0, n]'");
  bad_rule("a>=b -> ;", "a number, found 'b'");
  bad_rule("z>=1 -> ;", "unknown variable 'z'");
  bad_rule("true -> z'=0;", "unknown variable 'z'");
  bad_rule("true -> a'=a+z;", "unknown variable 'z'");
  bad_rule("true -> a=a;", "''' after the updated variable");
  bad_rule("true -> a';", "'=' after the updated variable");
  bad_rule("true -> a'=;", "a variable or a number");
  bad_rule("true -> a'=a-b;", "a number, found 'b'");
  bad_rule("true -> a'=a+1+b;", "',' or ';' after the update");
  bad_rule("true -> a'=0, a'=1;", "updated twice");
  bad_rule("a>=1, a>=2 -> ;", "constrained twice");
  bad_rule("a in [3,1] -> ;", "empty interval");
  bad_rule("a in 3 -> ;", "expected '['");
  bad_rule("a in [3 -> ;", "expected ','");
  bad_rule("a in [3,4 -> ;", "expected ']'");
  bad_rule("a>=1 -> , ;", "an update such as");
  bad_rule("a>=1, -> ;", "a guard");
  bad_rule("\x80\x81 -> ;", "found '\\x80\\x81'");
}

static void errors_recover_at_the_next_rule(void **state) {
  char *messages;
  const char *text = "vars a rules\nz>=1 -> ;\na>=1 -> a'=a-2;\na>> -> a;\n"
                     "a>=1 -> y'=0;\ninit a=0, z=1\ntarget\n a>=\n q>=1";
  assert_null(parse_bytes(text, strlen(text), HD_FORMAT_MIST, &messages));
  assert_non_null(strstr(messages, "t:2:1: error: unknown variable 'z'"));
  assert_non_null(strstr(messages, "t:3:9: error: the update of 'a'"));
  assert_non_null(strstr(messages, "t:4:2: error: expected '>='"));
  assert_non_null(strstr(messages, "t:5:9: error: unknown variable 'y'"));
  assert_non_null(strstr(messages, "t:6:11: error: unknown variable 'z'"));
  assert_non_null(strstr(messages, "t:9:2: error: expected a number"));
  hd_free(messages);
}

/* --- thread systems --- */

#define RULES                                                                  \
  "vars s0 s1 a b rules s0>=1, a>=1 -> s0'=s0-1, s1'=s1+1, a'=a-1, b'=b+1;\n"  \
  "s1>=1, b>=1 -> a'=a+1;\n"
#define START "init s0=1, s1=0, a>=0, b=0 target s1>=1, b>=2"

static void shared_comment_makes_a_thread_system(void **state) {
  hd_net *net = good("# heddle: shared s0 s1\n" RULES START);
  assert_int_equal(net->format, HD_FORMAT_TTS);
  assert_int_equal(net->n_shared, 2);
  assert_int_equal(net->n_places, 2);
  assert_string_equal(net->shared_names[1], "s1");
  assert_string_equal(net->place_names[0], "a");
  assert_int_equal(hd_tts_edge_of(net, 0).kind, HD_TTS_PLAIN);
  assert_int_equal(hd_tts_edge_of(net, 1).kind, HD_TTS_SPAWN);
  assert_int_equal(net->targets.data[0].shared, 1);
  assert_int_equal(net->init[0].max, HD_OMEGA);
  hd_net_delete(net);
}

static void shared_order_is_the_comment_s(void **state) {
  hd_net *net = good("# heddle: shared s1\n# heddle: shared s0\n"
                     "# heddle: numbered local\n" RULES START);
  assert_int_equal(net->init_shared, 1);
  assert_string_equal(net->shared_names[0], "s1");
  assert_null(net->place_names);
  hd_net_delete(net);
}

static void shared_comment_is_verified(void **state) {
  const char *part = "not the shared states of a thread system";
  bad("# heddle: shared s0\n" RULES START, part);
  bad("# heddle: shared s0 s1 a\n" RULES START, part);
  bad("# heddle: shared s0 s1 a b\n" RULES START, part);
  bad("# heddle: shared a b\n" RULES START, part);
  bad("# heddle: shared s0 s1\n" RULES "init s0=1, s1=1, a>=0, b=0", part);
  bad("# heddle: shared s0 s1\n" RULES "init s0>=0, s1=0, a>=0, b=0", part);
  bad("# heddle: shared s0 s1\n" RULES "init s0=1, s1=0, a in [0,3], b=0",
      part);
  bad("# heddle: shared s0 s1\n" RULES START "\ns0>=1,s1>=1", part);
  bad("# heddle: shared s0 s1\n" RULES START "\ns0=1", part);
  bad("# heddle: shared s0 s1\nvars s0 s1 a b rules s0>=1 -> s0'=s0+1; " START,
      part);
  bad("# heddle: shared s0 s1\nvars s0 s1 a b rules s0>=1 -> a'=a+1; " START,
      part);
  bad("# heddle: shared s0 s1\nvars s0 s1 a b rules s0>=1, a>=1 -> "
      "a'=0; " START,
      part);
  bad("# heddle: shared\n" RULES START, "expected the variables");
  bad("# heddle: shared s0 s9\n" RULES START, "unknown variable 's9'");
  bad("# heddle: shared s0 s0\n" RULES START, "a shared state already");
}

static void errors_of_comments(void **state) {
  bad("# heddle: frob\nvars a rules init a=0", "found 'frob'");
  bad("# heddle: name a\nvars a rules init a=0", "'name VARIABLE NAME'");
  bad("# heddle: name z q\nvars a rules init a=0", "unknown variable 'z'");
  bad("# heddle: name a q\n# heddle: name a r\nvars a rules init a=0",
      "a second name");
  bad("# heddle: name a b\nvars a b rules init a=0,b=0", "two states have");
  bad("# heddle: name a %zz\nvars a b rules init a=0,b=0", "malformed name");
  bad("# heddle: numbered all\nvars a rules init a=0", "found 'all'");
  bad("# heddle: shared s0 s1\n# heddle: name a 1\n" RULES START,
      "a number cannot");
  bad("vars a rules # heddle: transition t\ninit a=0", "no rule follows");
  bad("vars a rules # heddle: transition\ntrue -> ; init a=0",
      "expected one name");
}

static void names_of_places_and_rules(void **state) {
  hd_net *net = good("# heddle: name a in\n# heddle: name b %C3%A4%20b\n"
                     "vars a b rules\n# heddle: transition t%201\n"
                     "true -> ; true -> ; init a=0,b=0");
  assert_string_equal(net->place_names[0], "in");
  assert_string_equal(net->place_names[1], "\xC3\xA4 b");
  assert_string_equal(net->trans.data[0].name, "t 1");
  assert_null(net->trans.data[1].name);
  hd_net_delete(net);
}

static void duplicate_rules_of_thread_systems_are_dropped(void **state) {
  char *messages;
  const char *text = "# heddle: shared s\nvars s a rules\n"
                     "s>=1,a>=1 -> ;\na>=1,s>=1 -> ;\ninit s=1,a>=0";
  hd_net *net = parse_bytes(text, strlen(text), HD_FORMAT_MIST, &messages);
  assert_int_equal(net->trans.size, 1);
  assert_non_null(strstr(messages, "t:4: warning: duplicate edge"));
  hd_free(messages);
  hd_net_delete(net);
}

static void writes_rules(void **state) {
  const char *text = "vars\n    a b c\n\nrules\n"
                     "a>=2 -> a'=a-1;\n"
                     "a>=1, b=2 -> a'=c+1, b'=b+1, c'=a-1;\n"
                     "true -> b'=0, c'=7;\n"
                     "a in [0, 3] -> ;\n"
                     "\ninit\n    a=0, b>=1, c in [1, 4]\n"
                     "\ntarget\n    a>=1, b in [2, 5]\n    a>=0\n";
  hd_net *net = good(text);
  char *again = write_text(net, HD_FORMAT_MIST, NULL);
  assert_string_equal(again, text);
  hd_free(again);
  hd_net_delete(net);
}

static void thread_systems_are_written_with_their_shared_states(void **state) {
  hd_net *net = parse_text("2 2\n0 0 -> 1 1\n1|1,1\n", HD_FORMAT_TTS);
  char *text = write_text(net, HD_FORMAT_MIST, NULL);
  assert_string_equal(text, "# heddle: shared s0 s1\n"
                            "# heddle: numbered shared local\n"
                            "vars\n    s0 s1 l0 l1\n\nrules\n"
                            "s0>=1, l0>=1 -> s0'=s0-1, s1'=s1+1, l0'=l0-1, "
                            "l1'=l1+1;\n"
                            "\ninit\n    s0=1, s1=0, l0>=0, l1=0\n"
                            "\ntarget\n    s1>=1, l1>=2\n");
  hd_net *back = good(text);
  assert_null(difference(net, back));
  hd_net_delete(back);
  hd_net_delete(net);
  hd_free(text);
}

static void writer_refuses_choices(void **state) {
  char *messages;
  hd_net *net = parse_text("1 3\n0 0 -> 0 0 1 ~> 2 1 ~> 1\n", HD_FORMAT_TTS);
  assert_null(write_text(net, HD_FORMAT_MIST, &messages));
  assert_non_null(strstr(messages, "on line 2 a passive thread chooses"));
  hd_free(messages);
  hd_net_delete(net);
}

/* --- the meaning of rules, against a direct interpretation --- */

enum { VARS = 4 };

typedef struct {
  uint32_t low[VARS], high[VARS]; /* high 9 = none */
  bool updated[VARS];
  uint32_t members[VARS][VARS]; /* how often v stands in x's sum */
  int constant[VARS];
} direct_rule;

static uint32_t seed = 1;

static uint32_t draw(uint32_t n) {
  seed = seed * 1664525u + 1013904223u;
  return (seed >> 10) % n;
}

static direct_rule random_rule(void) {
  direct_rule r = {0};
  for (int v = 0; v < VARS; v++) {
    r.low[v] = draw(3);
    r.high[v] = draw(3) ? 9 : r.low[v] + draw(2);
    r.updated[v] = draw(2);
  }
  for (int v = 0; v < VARS; v++) {
    uint32_t x = draw(VARS + 2);
    if (x < VARS && r.updated[x])
      r.members[x][v]++;
    else if (r.updated[v] && draw(2))
      r.members[v][v]++;
    if (!draw(12) && r.updated[x % VARS])
      r.members[x % VARS][v]++;
    r.constant[v] = (int)draw(5) - 2;
  }
  return r;
}

static void print_rule(const direct_rule *r, hd_str *out) {
  hd_str_puts(out, "vars a b c d rules true");
  for (int v = 0; v < VARS; v++) {
    char n = (char)('a' + v);
    if (r->high[v] == 9 && r->low[v])
      hd_str_printf(out, ", %c>=%u", n, r->low[v]);
    else if (r->high[v] != 9 && r->low[v] == r->high[v])
      hd_str_printf(out, ", %c=%u", n, r->low[v]);
    else if (r->high[v] != 9)
      hd_str_printf(out, ", %c in [%u,%u]", n, r->low[v], r->high[v]);
  }
  hd_str_puts(out, " -> ");
  const char *comma = "";
  for (int x = 0; x < VARS; x++) {
    if (!r->updated[x])
      continue;
    hd_str_printf(out, "%s%c'=", comma, 'a' + x);
    comma = ", ";
    bool some = false;
    for (int v = 0; v < VARS; v++)
      for (uint32_t k = 0; k < r->members[x][v]; k++) {
        hd_str_printf(out, "%s%c", some ? "+" : "", 'a' + v);
        some = true;
      }
    if (!some)
      hd_str_printf(out, "%d", abs(r->constant[x]));
    else if (r->constant[x])
      hd_str_printf(out, "%+d", r->constant[x]);
  }
  hd_str_puts(out, ";" INIT);
}

/* mist's own meaning; false when the guard does not hold. */
static bool apply_directly(const direct_rule *r, const int *in, int *out) {
  for (int v = 0; v < VARS; v++)
    if (in[v] < (int)r->low[v] || (r->high[v] != 9 && in[v] > (int)r->high[v]))
      return false;
  for (int x = 0; x < VARS; x++) {
    out[x] = r->updated[x] ? 0 : in[x];
    bool some = false;
    for (int v = 0; r->updated[x] && v < VARS; v++) {
      out[x] += (int)r->members[x][v] * in[v];
      some = some || r->members[x][v];
    }
    if (r->updated[x])
      out[x] += some ? r->constant[x] : abs(r->constant[x]);
  }
  return true;
}

/* The counter model's meaning (model/net.h). */
static bool fire(const hd_net *net, const int *in, int *out) {
  hd_tokens pre = hd_net_pre(net, 0), post = hd_net_post(net, 0);
  hd_tokens caps = hd_net_caps(net, 0);
  int rest[VARS];
  for (int v = 0; v < VARS; v++) {
    rest[v] = in[v] - (int)hd_tokens_at(pre, (hd_place_id)v);
    if (rest[v] < 0)
      return false;
    out[v] = (int)hd_tokens_at(post, (hd_place_id)v);
  }
  for (size_t i = 0; i < caps.size; i++)
    if (in[caps.data[i].place] > (int)caps.data[i].count)
      return false;
  for (uint32_t i = 0; i < net->trans.data[0].moves.size; i++) {
    hd_move m = hd_net_moves(net, 0)[i];
    if (m.to != HD_NOWHERE)
      out[m.to] += rest[m.from];
    rest[m.from] = 0;
  }
  for (int v = 0; v < VARS; v++)
    out[v] += rest[v];
  return true;
}

static void rules_mean_what_mist_means(void **state) {
  int accepted = 0;
  for (int round = 0; round < 4000; round++) {
    direct_rule r = random_rule();
    hd_str text = {0};
    print_rule(&r, &text);
    hd_net *net = parse_text(text.data, HD_FORMAT_MIST);
    for (int k = 0; net && k < 30; k++) {
      int in[VARS], expected[VARS], actual[VARS];
      for (int v = 0; v < VARS; v++)
        in[v] = (int)draw(4);
      bool enabled = apply_directly(&r, in, expected);
      if (enabled != fire(net, in, actual))
        print_error("%s\n", text.data);
      assert_int_equal(enabled, fire(net, in, actual));
      for (int v = 0; enabled && v < VARS; v++) {
        if (expected[v] != actual[v])
          print_error("%s\n", text.data);
        assert_int_equal(expected[v], actual[v]);
      }
    }
    accepted += net != NULL;
    hd_net_delete(net);
    hd_str_free(&text);
  }
  assert_true(accepted > 500 && accepted < 4000);
}

static void nothing_leaks(void **state) {
  assert_int_equal(hd_mem_current(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(whole_file),
      cmocka_unit_test(petri_net_rules),
      cmocka_unit_test(resets),
      cmocka_unit_test(transfers),
      cmocka_unit_test(swaps),
      cmocka_unit_test(upper_bounds),
      cmocka_unit_test(fixed_values),
      cmocka_unit_test(copies_are_refused),
      cmocka_unit_test(subtraction_needs_a_guard),
      cmocka_unit_test(counts_have_a_limit),
      cmocka_unit_test(quotes_belong_to_names),
      cmocka_unit_test(initial_ranges),
      cmocka_unit_test(unmentioned_variables_are_zero),
      cmocka_unit_test(disjuncts_stand_side_by_side),
      cmocka_unit_test(target_may_be_missing),
      cmocka_unit_test(net_without_variables),
      cmocka_unit_test(invariants_are_checked_and_ignored),
      cmocka_unit_test(comments_are_skipped),
      cmocka_unit_test(errors_of_structure),
      cmocka_unit_test(errors_of_rules),
      cmocka_unit_test(errors_recover_at_the_next_rule),
      cmocka_unit_test(shared_comment_makes_a_thread_system),
      cmocka_unit_test(shared_order_is_the_comment_s),
      cmocka_unit_test(shared_comment_is_verified),
      cmocka_unit_test(errors_of_comments),
      cmocka_unit_test(names_of_places_and_rules),
      cmocka_unit_test(duplicate_rules_of_thread_systems_are_dropped),
      cmocka_unit_test(writes_rules),
      cmocka_unit_test(thread_systems_are_written_with_their_shared_states),
      cmocka_unit_test(writer_refuses_choices),
      cmocka_unit_test(rules_mean_what_mist_means),
      cmocka_unit_test(nothing_leaks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
