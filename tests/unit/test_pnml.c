/* SPDX-License-Identifier: MIT */
#include "front_util.h"

#include "front/threads.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

#define HEAD                                                                   \
  "<?xml version=\"1.0\"?>\n<pnml xmlns=\"http://www.pnml.org/version-2009/"   \
  "grammar/pnml\">\n<net id=\"n\" "                                            \
  "type=\"http://www.pnml.org/version-2009/grammar/ptnet\"><page id=\"g\">\n"
#define TAIL "</page></net></pnml>\n"
#define P1 "<place id=\"p\"/>\n"
#define P2 "<place id=\"q\"/>\n"
#define T1 "<transition id=\"t\"/>\n"

static hd_net *good(const char *text) {
  char *messages;
  hd_net *net = parse_bytes(text, strlen(text), HD_FORMAT_PNML, &messages);
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
  assert_null(parse_bytes(text, strlen(text), HD_FORMAT_PNML, &messages));
  if (!strstr(messages, part))
    print_error("'%s' not in: %s", part, messages);
  assert_non_null(strstr(messages, part));
  hd_free(messages);
}

static void places_transitions_and_arcs(void **state) {
  hd_net *net = good(
      HEAD "<place id=\"p\"><name><text>first</text></name>\n"
           "<initialMarking><text> 2 </text></initialMarking></place>\n" P2 T1
           "<arc id=\"a\" source=\"p\" target=\"t\"/>\n"
           "<arc id=\"b\" source=\"t\" target=\"q\">"
           "<inscription><text>3</text></inscription></arc>\n" TAIL);
  assert_int_equal(net->format, HD_FORMAT_PNML);
  assert_int_equal(net->n_places, 2);
  assert_string_equal(net->place_names[0], "p");
  assert_int_equal(net->init[0].min, 2);
  assert_int_equal(net->init[0].max, 2);
  assert_int_equal(net->init[1].max, 0);
  assert_int_equal(net->trans.size, 1);
  assert_string_equal(net->trans.data[0].name, "t");
  assert_int_equal(net->trans.data[0].line, 7);
  assert_int_equal(hd_tokens_at(hd_net_pre(net, 0), 0), 1);
  assert_int_equal(hd_tokens_at(hd_net_post(net, 0), 1), 3);
  hd_net_delete(net);
}

static void arcs_between_the_same_nodes_add_up(void **state) {
  hd_net *net = good(HEAD "<arc source=\"p\" target=\"t\"/>"
                          "<arc source=\"p\" target=\"t\"><inscription><text>4"
                          "</text></inscription></arc>" P1 T1 TAIL);
  assert_int_equal(hd_tokens_at(hd_net_pre(net, 0), 0), 5);
  hd_net_delete(net);
}

static void nodes_without_a_page(void **state) {
  hd_net *net = good("<pnml><net id=\"n\">" P1 T1 "</net></pnml>");
  assert_int_equal(net->n_places, 1);
  hd_net_delete(net);
}

static void prefixed_elements(void **state) {
  hd_net *net = good("<x:pnml xmlns:x=\"u\"><x:net><x:place id=\"p\"/></x:net>"
                     "</x:pnml>");
  assert_int_equal(net->n_places, 1);
  hd_net_delete(net);
}

static void references_across_pages(void **state) {
  hd_net *net = good(
      "<pnml><net><page id=\"1\">" P1 "<referenceTransition id=\"rt\" "
      "ref=\"t\"/><arc source=\"p\" target=\"rt\"/></page><page id=\"2\">" T1
      "<referencePlace id=\"r2\" ref=\"r1\"/><referencePlace id=\"r1\" "
      "ref=\"p\"/><arc source=\"t\" target=\"r2\"/></page></net></pnml>");
  assert_int_equal(net->n_places, 1);
  assert_int_equal(net->trans.size, 1);
  assert_int_equal(hd_tokens_at(hd_net_pre(net, 0), 0), 1);
  assert_int_equal(hd_tokens_at(hd_net_post(net, 0), 0), 1);
  hd_net_delete(net);
}

static void broken_references(void **state) {
  bad("<pnml><net><referencePlace id=\"a\" ref=\"b\"/><referencePlace "
      "id=\"b\" ref=\"a\"/></net></pnml>",
      "references run in a circle");
  bad("<pnml><net><referencePlace id=\"a\" ref=\"b\"/></net></pnml>",
      "no place or transition with the id 'b'");
  bad("<pnml><net>" T1 "<referencePlace id=\"a\" ref=\"t\"/></net></pnml>",
      "node of another kind");
}

static void long_reference_chains_take_linear_time(void **state) {
  hd_str text = {0};
  enum { N = 30000 };
  hd_str_puts(&text, "<pnml><net>" T1);
  for (int i = 0; i < N; i++)
    hd_str_printf(&text,
                  "<referencePlace id=\"r%d\" ref=\"r%d\"/>"
                  "<arc source=\"r%d\" target=\"t\"/>",
                  i, i + 1, i);
  hd_str_printf(&text, "<place id=\"r%d\"/></net></pnml>", N);
  hd_net *net = good(text.data);
  assert_int_equal(hd_tokens_at(hd_net_pre(net, 0), 0), N);
  hd_net_delete(net);
  hd_str_free(&text);
}

static void graphics_and_other_tools_are_skipped(void **state) {
  hd_net *net = good(
      HEAD "<place id=\"p\"><graphics><position x=\"1\" y=\"2\"/></graphics>"
           "<toolspecific tool=\"other\" version=\"1\"><shared/><place/>"
           "</toolspecific></place><name><text>n</text></name>" TAIL);
  assert_int_equal(net->n_places, 1);
  assert_int_equal(net->n_shared, 1);
  hd_net_delete(net);
}

static void unknown_elements_warn_once(void **state) {
  char *messages;
  const char *text = "<pnml><net><place id=\"p\"><colour/><colour/></place>\n"
                     "<foo/></net></pnml>";
  hd_net *net = parse_bytes(text, strlen(text), HD_FORMAT_PNML, &messages);
  assert_non_null(net);
  assert_non_null(strstr(messages, "warning: unknown element 'colour'"));
  assert_null(strstr(messages, "foo"));
  hd_free(messages);
  hd_net_delete(net);
}

static void other_kinds_of_nets_are_refused(void **state) {
  bad("<pnml><net type=\"http://www.pnml.org/version-2009/grammar/"
      "symmetricnet\"/></pnml>",
      "place/transition nets only");
  bad(HEAD "<place id=\"p\"><hlinitialMarking/></place>" TAIL,
      "found element 'hlinitialMarking'");
  bad(HEAD P1 T1 "<arc source=\"p\" target=\"t\"><type value=\"inhibitor\"/>"
                 "</arc>" TAIL,
      "found arc of type 'inhibitor'");
  bad(HEAD P1 T1 "<arc source=\"p\" target=\"t\" type=\"reset\"/>" TAIL,
      "found arc of type 'reset'");
  bad(HEAD "<place id=\"p\"><capacity><text>3</text></capacity></place>" TAIL,
      "places with a capacity");
  bad(HEAD "<transition id=\"t\"><condition/></transition>" TAIL,
      "found element 'condition'");
  hd_net *net = good(HEAD "<place id=\"p\"><capacity><value>0</value>"
                          "</capacity></place>" TAIL);
  hd_net_delete(net);
}

static void parts_do_not_get_lost(void **state) {
  bad(HEAD "<group>" P1 T1 "</group>" TAIL,
      "element in an unexpected place, 'place'");
  bad(HEAD "<place id=\"p\"><arc/></place>" TAIL,
      "element in an unexpected place, 'arc'");
  bad("<pnml>" P1 "</pnml>", "element in an unexpected place, 'place'");
  hd_net *net = good(HEAD "<toolspecific tool=\"x\"><a><place/></a>"
                          "</toolspecific>" TAIL);
  hd_net_delete(net);
}

static void initial_bounds(void **state) {
  hd_net *net = good(
      HEAD "<place id=\"p\"><toolspecific tool=\"heddle\"><init "
           "max=\"unbounded\"/></toolspecific></place>"
           "<place id=\"q\"><toolspecific tool=\"heddle\"><init max=\"5\"/>"
           "</toolspecific><initialMarking><text>2</text></initialMarking>"
           "</place>" TAIL);
  assert_int_equal(net->init[0].min, 0);
  assert_int_equal(net->init[0].max, HD_OMEGA);
  assert_int_equal(net->init[1].min, 2);
  assert_int_equal(net->init[1].max, 5);
  hd_net_delete(net);
  bad(HEAD "<place id=\"q\"><toolspecific tool=\"heddle\"><init max=\"0\"/>"
           "</toolspecific><initialMarking><text>2</text></initialMarking>"
           "</place>" TAIL,
      "largest initial marking is below");
}

static void targets_of_the_net(void **state) {
  hd_net *net =
      good(HEAD P1 P2 T1 "</page><toolspecific tool=\"heddle\" version=\"1\">\n"
                         "<target><place ref=\"q\" min=\"2\"/><place ref=\"p\" "
                         "max=\"0\"/></target>\n<target/>"
                         "</toolspecific></net></pnml>");
  assert_int_equal(net->targets.size, 2);
  const hd_target *target = &net->targets.data[0];
  assert_int_equal(target->line, 8);
  assert_int_equal(hd_tokens_at(hd_net_view(net, target->need), 1), 2);
  assert_int_equal(target->caps.size, 1);
  assert_int_equal(net->targets.data[1].need.size, 0);
  hd_net_delete(net);
}

static void bad_targets(void **state) {
#define OURS(x)                                                                \
  HEAD P1 T1 "<toolspecific tool=\"heddle\">" x "</toolspecific>" TAIL
  bad(OURS("<target><place ref=\"z\"/></target>"), "with the id 'z'");
  bad(OURS("<target><place ref=\"t\"/></target>"), "found transition 't'");
  bad(OURS("<target><place min=\"1\"/></target>"), "missing attribute 'ref'");
  bad(OURS("<target><place ref=\"p\" min=\"x\"/></target>"), "found 'x'");
  bad(OURS("<target><place ref=\"p\" min=\"2\" max=\"1\"/></target>"),
      "no number is");
  bad(OURS("<target><place ref=\"p\" min=\"2\"/><place ref=\"p\" min=\"1\"/>"
           "</target>"),
      "occurs twice");
  bad(OURS("<target><arc/></target>"), "expected element 'place' in a target");
  bad(OURS("<goal/>"), "unexpected element in toolspecific");
}

static void errors_of_nodes_and_arcs(void **state) {
  bad(HEAD "<place/>" TAIL, "missing attribute 'id'");
  bad(HEAD P1 P1 TAIL, "a second node with the id 'p'");
  bad(HEAD P1 "<transition id=\"p\"/>" TAIL, "a second node with the id 'p'");
  bad(HEAD P1 "<arc source=\"p\"/>" TAIL, "missing attribute 'target'");
  bad(HEAD P1 T1 "<arc source=\"p\" target=\"x\"/>" TAIL, "with the id 'x'");
  bad(HEAD P1 P2 "<arc source=\"p\" target=\"q\"/>" TAIL,
      "arc from a place to another place");
  bad(HEAD T1 "<arc source=\"t\" target=\"t\"/>" TAIL,
      "arc from a transition to another transition");
  bad(HEAD P1 T1 "<arc source=\"p\" target=\"t\"><inscription><text>0</text>"
                 "</inscription></arc>" TAIL,
      "weight above 0");
  bad(HEAD P1 T1 "<arc source=\"p\" target=\"t\"><inscription><text>x</text>"
                 "</inscription></arc>" TAIL,
      "found 'x'");
  bad(HEAD P1 T1 "<arc source=\"p\" target=\"t\"><inscription/></arc>" TAIL,
      "expected a number in element 'inscription'");
  bad(HEAD P1 T1 "<arc source=\"p\" target=\"t\"/><arc source=\"p\" "
                 "target=\"t\"><inscription><text>1073741823</text>"
                 "</inscription></arc>" TAIL,
      "more than 1073741823 tokens");
  bad(HEAD "<place id=\"p\"><initialMarking><text>-1</text></initialMarking>"
           "</place>" TAIL,
      "found '-1'");
  bad(HEAD "<place id=\"p\"><initialMarking><text>99999999999</text>"
           "</initialMarking></place>" TAIL,
      "found '99999999999'");
}

static void errors_of_documents(void **state) {
  bad("", "empty file");
  bad("garbage", "not XML");
  bad("<pnml>", "not XML: the file ends before");
  bad("<html/>", "expected root element 'pnml', found 'html'");
  bad("<pnml/>", "the document has no net");
  bad("<pnml><net/><net/></pnml>", "expected one net");
  bad("<pnml><net></pnml>", "t:1:14: error: not XML: mismatched tag");
}

static void entities_are_refused(void **state) {
  bad("<!DOCTYPE pnml [<!ENTITY a \"b\">]><pnml><net/></pnml>",
      "entity declarations are not allowed, found 'a'");
  bad("<!DOCTYPE pnml [<!ENTITY a SYSTEM \"/etc/passwd\">]><pnml><net>&a;"
      "</net></pnml>",
      "entity declarations are not allowed");
  bad("<!DOCTYPE pnml [<!ENTITY % a \"b\">]><pnml><net/></pnml>",
      "entity declarations are not allowed");
  bad("<!DOCTYPE pnml SYSTEM \"x.dtd\"><pnml><net>&a;</net></pnml>",
      "undefined entity 'a'");
  bad("<pnml><net>&a;</net></pnml>", "undefined entity");
}

static void deep_nesting_does_no_harm(void **state) {
  hd_str text = {0};
  hd_str_puts(&text, "<pnml><net>");
  for (int i = 0; i < 100000; i++)
    hd_str_puts(&text, i % 2 ? "<name>" : "<page>");
  assert_null(parse_bytes(text.data, text.size, HD_FORMAT_PNML, NULL));
  hd_str_free(&text);
}

static void other_encodings(void **state) {
  hd_net *net = good("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>"
                     "<pnml><net><place id=\"\xE4\"/></net></pnml>");
  assert_string_equal(net->place_names[0], "\xC3\xA4");
  hd_net_delete(net);
  bad("<?xml version=\"1.0\" encoding=\"klingon\"?><pnml/>",
      "unknown encoding");
}

static void thread_systems_come_back(void **state) {
  hd_net *net =
      parse_text("# heddle: init 1|2/0\n# heddle: name local 1 x%20y\n"
                 "2 3\n0 0 -> 1 1\n"
                 "# heddle: transition s0\n0 1 +> 0 2\n"
                 "1 0 ~> 0 0\n*|1,1\n1|*\n",
                 HD_FORMAT_TTS);
  char *text = write_text(net, HD_FORMAT_PNML, NULL);
  hd_net *back = good(text);
  const char *differs = difference(net, back);
  assert_true(!differs);
  hd_net_delete(back);
  hd_net_delete(net);
  hd_free(text);
}

static void shared_places_are_verified(void **state) {
#define SHARED "<toolspecific tool=\"heddle\"><shared/></toolspecific>"
  bad("<pnml><net><place id=\"s\">" SHARED "</place>" P1 "</net></pnml>",
      "not exactly one token");
  bad("<pnml><net><place id=\"s\">" SHARED
      "<initialMarking><text>1</text></initialMarking></place>" P1 T1
      "</net></pnml>",
      "is not an edge between shared states");
}

static void clashing_names_are_refused(void **state) {
  bad("<pnml><net>" P1 "<place id=\"q\"><toolspecific tool=\"heddle\"><name "
      "value=\"p\"/></toolspecific></place></net></pnml>",
      "two states have this name: 'p'");
}

static void odd_names_come_back(void **state) {
  hd_net *net = hd_net_new(HD_FORMAT_PNML, "t", 1, 0);
  static const char *const names[] = {"a b", "<&>\"'", "p0",     "\xC3\xA4",
                                      "t",   "%41",    "\x01\n", "in"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    hd_net_add_place(net, names[i], strlen(names[i]));
  hd_trans_spec spec = {.name = "t"}, odd = {.name = "a b"}, none = {0};
  assert_true(hd_net_add_trans(net, &spec) && hd_net_add_trans(net, &odd) &&
              hd_net_add_trans(net, &none));
  hd_net_finish(net);
  for (int f = HD_FORMAT_TTS; f <= HD_FORMAT_PNML; f++) {
    char *text = write_text(net, (hd_format)f, NULL);
    hd_net *back = parse_text(text, (hd_format)f);
    assert_non_null(back);
    assert_null(difference(net, back));
    hd_net_delete(back);
    hd_free(text);
  }
  hd_net_delete(net);
}

static void writer_refuses_moves_and_caps(void **state) {
  char *messages;
  hd_net *net = parse_text("vars a b rules\ntrue -> b'=b+a, a'=0; init a=0,b=0",
                           HD_FORMAT_MIST);
  assert_null(write_text(net, HD_FORMAT_PNML, &messages));
  assert_non_null(strstr(messages, "on line 2 moves all tokens of a place"));
  hd_free(messages);
  hd_net_delete(net);
  net = parse_text("vars a rules a=0 -> ; init a=0", HD_FORMAT_MIST);
  assert_null(write_text(net, HD_FORMAT_PNML, &messages));
  assert_non_null(strstr(messages, "has an upper bound"));
  hd_free(messages);
  hd_net_delete(net);
}

static void nothing_leaks(void **state) {
  assert_int_equal(hd_mem_current(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(places_transitions_and_arcs),
      cmocka_unit_test(arcs_between_the_same_nodes_add_up),
      cmocka_unit_test(nodes_without_a_page),
      cmocka_unit_test(prefixed_elements),
      cmocka_unit_test(references_across_pages),
      cmocka_unit_test(broken_references),
      cmocka_unit_test(long_reference_chains_take_linear_time),
      cmocka_unit_test(graphics_and_other_tools_are_skipped),
      cmocka_unit_test(unknown_elements_warn_once),
      cmocka_unit_test(other_kinds_of_nets_are_refused),
      cmocka_unit_test(parts_do_not_get_lost),
      cmocka_unit_test(initial_bounds),
      cmocka_unit_test(targets_of_the_net),
      cmocka_unit_test(bad_targets),
      cmocka_unit_test(errors_of_nodes_and_arcs),
      cmocka_unit_test(errors_of_documents),
      cmocka_unit_test(entities_are_refused),
      cmocka_unit_test(deep_nesting_does_no_harm),
      cmocka_unit_test(other_encodings),
      cmocka_unit_test(thread_systems_come_back),
      cmocka_unit_test(shared_places_are_verified),
      cmocka_unit_test(clashing_names_are_refused),
      cmocka_unit_test(odd_names_come_back),
      cmocka_unit_test(writer_refuses_moves_and_caps),
      cmocka_unit_test(nothing_leaks),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
