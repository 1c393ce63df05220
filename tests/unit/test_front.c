/* SPDX-License-Identifier: MIT */
/* The common entry to all formats, targets and initial states. */
#include "front_util.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <cmocka.h>

#include "files_util.h"

#include <unistd.h>

/* --- formats --- */

static void formats_by_name(void **state) {
  hd_format format;
  assert_true(hd_format_find("tts", &format) && format == HD_FORMAT_TTS);
  assert_true(hd_format_find("ttd", &format) && format == HD_FORMAT_TTS);
  assert_true(hd_format_find("spec", &format) && format == HD_FORMAT_MIST);
  assert_true(hd_format_find("mist", &format) && format == HD_FORMAT_MIST);
  assert_true(hd_format_find("pnml", &format) && format == HD_FORMAT_PNML);
  assert_false(hd_format_find("bp", &format));
  assert_false(hd_format_find("", &format));
  assert_string_equal(hd_format_name(HD_FORMAT_TTS), "tts");
  assert_string_equal(hd_format_name(HD_FORMAT_MIST), "spec");
  assert_string_equal(hd_format_name(HD_FORMAT_PNML), "pnml");
}

static void formats_by_path(void **state) {
  hd_format format;
  assert_true(hd_format_of_path("a/b.spec.tts", &format));
  assert_int_equal(format, HD_FORMAT_TTS);
  assert_true(hd_format_of_path("x.xml", &format));
  assert_int_equal(format, HD_FORMAT_PNML);
  assert_false(hd_format_of_path("x.tts/y", &format));
  assert_false(hd_format_of_path("tts", &format));
  assert_false(hd_format_of_path("x.", &format));
}

/* A scratch directory below the current one, removed at the end. */
static char scratch[] = "hd-front-XXXXXX";

static int make_scratch(void **state) {
  return mkdtemp(scratch) ? 0 : -1;
}

static void put_file(const char *name, const char *text) {
  char *path = path_in(scratch, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
  hd_free(path);
}

static int remove_scratch(void **state) {
  DIR *dir = opendir(scratch);
  for (struct dirent *e; dir && (e = readdir(dir));) {
    char *path = path_in(scratch, e->d_name);
    unlink(path);
    hd_free(path);
  }
  closedir(dir);
  return rmdir(scratch);
}

/* Reads a file of the scratch directory. */
static hd_net *read_file(const char *name, bool with_prop, char **messages) {
  hd_diag *diag = hd_diag_new();
  char *path = path_in(scratch, name);
  hd_net *net = hd_front_read(path, NULL, with_prop, diag);
  if (messages)
    *messages = take_messages(diag);
  hd_free(path);
  hd_diag_delete(diag);
  return net;
}

static void content_tells_the_format(void **state) {
  put_file("a", "# c\n 2 3\n");
  put_file("b.txt", "\n# c\nvars x\nrules init x=0");
  hd_net *net = read_file("a", true, NULL);
  assert_int_equal(net->format, HD_FORMAT_TTS);
  hd_net_delete(net);
  net = read_file("b.txt", true, NULL);
  assert_int_equal(net->format, HD_FORMAT_MIST);
  hd_net_delete(net);
  put_file("c", "  <pnml><net/></pnml>");
  net = read_file("c", true, NULL);
  assert_int_equal(net->format, HD_FORMAT_PNML);
  hd_net_delete(net);
}

static void unknown_content_is_an_error(void **state) {
  char *messages;
  put_file("e", "decl b0;\nvoid main() begin end\n");
  assert_null(read_file("e", true, &messages));
  assert_non_null(strstr(messages, "cannot tell the format"));
  hd_free(messages);
  put_file("f", "");
  assert_null(read_file("f", true, &messages));
  assert_non_null(strstr(messages, "cannot tell the format"));
  hd_free(messages);
}

static void directories_and_missing_files(void **state) {
  hd_diag *diag = hd_diag_new();
  assert_null(hd_front_read(scratch, NULL, true, diag));
  assert_null(hd_front_read("/nonexistent/x.tts", NULL, true, diag));
  char *messages = take_messages(diag);
  assert_non_null(strstr(messages, "is a directory"));
  assert_non_null(strstr(messages, "cannot open: No such file"));
  hd_free(messages);
  hd_diag_delete(diag);
}

static void given_format_wins(void **state) {
  put_file("y.tts", "vars x rules init x=0");
  hd_diag *diag = hd_diag_new();
  char *path = path_in(scratch, "y.tts");
  hd_format format = HD_FORMAT_MIST;
  hd_net *net = hd_front_read(path, &format, true, diag);
  assert_non_null(net);
  hd_net_delete(net);
  hd_free(path);
  hd_diag_delete(diag);
}

static void prop_beside_the_file(void **state) {
  put_file("m.tts", "2 2\n0 0 -> 1 1\n");
  put_file("m.prop", "1|1\n");
  hd_net *net = read_file("m.tts", true, NULL);
  assert_int_equal(net->targets.size, 1);
  assert_int_equal(net->targets.data[0].shared, 1);
  hd_net_delete(net);
  net = read_file("m.tts", false, NULL);
  assert_int_equal(net->targets.size, 0);
  hd_net_delete(net);
}

static void prop_with_the_whole_name(void **state) {
  put_file("n.spec.tts", "2 2\n0 0 -> 1 1\n");
  put_file("n.spec.tts.prop", "0|1\n");
  hd_net *net = read_file("n.spec.tts", true, NULL);
  assert_int_equal(net->targets.size, 1);
  hd_net_delete(net);
}

static void own_target_wins_over_prop(void **state) {
  put_file("o.tts", "2 2\n0|0\n");
  put_file("o.prop", "1|1\n");
  hd_net *net = read_file("o.tts", true, NULL);
  assert_int_equal(net->targets.size, 1);
  assert_int_equal(net->targets.data[0].shared, 0);
  hd_net_delete(net);
}

static void bad_prop_is_an_error(void **state) {
  char *messages;
  put_file("q.tts", "2 2\n");
  put_file("q.prop", "7|1\n");
  assert_null(read_file("q.tts", true, &messages));
  assert_non_null(strstr(messages, "q.prop:1:1: error: shared state 7"));
  hd_free(messages);
}

static void prop_of_a_net_is_not_looked_for(void **state) {
  put_file("r.spec", "vars x rules init x=0");
  put_file("r.prop", "7|1\n");
  hd_net *net = read_file("r.spec", true, NULL);
  assert_non_null(net);
  hd_net_delete(net);
}

/* --- targets and initial states --- */

static hd_net *threads(void) {
  return parse_text("# heddle: name local 3 crit\n3 4\n0 0 -> 1 1\n0|0\n",
                    HD_FORMAT_TTS);
}

static hd_net *places(void) {
  return parse_text("# heddle: name r r%20r\nvars p q r rules init p=1,q=2,r=3 "
                    "target p>=1",
                    HD_FORMAT_MIST);
}

typedef bool setter(hd_net *, const char *, const char *, hd_diag *);

static void set(hd_net *net, setter *f, const char *text) {
  hd_diag *diag = hd_diag_new();
  bool ok = f(net, text, "--opt", diag);
  char *messages = take_messages(diag);
  if (!ok)
    print_error("%s", messages);
  assert_true(ok);
  assert_string_equal(messages, "");
  hd_free(messages);
  hd_diag_delete(diag);
  hd_net_check(net);
}

static void refuse(hd_net *net, setter *f, const char *text,
                   const char *expected) {
  hd_diag *diag = hd_diag_new();
  assert_false(f(net, text, "--opt", diag));
  assert_true(hd_diag_errors(diag) > 0);
  char *messages = take_messages(diag);
  if (!strstr(messages, expected))
    print_error("'%s' not in: %s", expected, messages);
  assert_non_null(strstr(messages, expected));
  assert_non_null(strstr(messages, "--opt:"));
  hd_free(messages);
  hd_diag_delete(diag);
}

static void assert_targets(const hd_net *net, const char *expected) {
  hd_str text = {0};
  for (hd_vec_each(const hd_target, target, &net->targets)) {
    hd_str_puts(&text, target == net->targets.data ? "" : " ; ");
    hd_net_print_config(&text, net, target->shared,
                        hd_net_view(net, target->need));
    hd_tokens caps = hd_net_view(net, target->caps);
    for (size_t i = 0; i < caps.size; i++)
      hd_str_printf(&text, " %s<=%u", net->place_names[caps.data[i].place],
                    caps.data[i].count);
  }
  assert_string_equal(hd_str_text(&text), expected);
  hd_str_free(&text);
}

static void thread_targets(void **state) {
  hd_net *net = threads();
  set(net, hd_front_set_target, "2|1");
  assert_targets(net, "2|1");
  assert_int_equal(net->targets.data[0].line, 0);
  set(net, hd_front_set_target, "1|1,2,1 ; 0 | crit;");
  assert_targets(net, "1|1,1,2 ; 0|crit");
  set(net, hd_front_set_target, "*|1*5");
  assert_targets(net, "*|1*5");
  set(net, hd_front_set_target, "2|*");
  assert_targets(net, "2|");
  hd_net_delete(net);
}

static void net_targets(void **state) {
  hd_net *net = places();
  set(net, hd_front_set_target, "p>=2,q>=1");
  assert_targets(net, "p=2,q=1");
  set(net, hd_front_set_target, "p,q,q");
  assert_targets(net, "p=1,q=2");
  set(net, hd_front_set_target, "p = 2 ; q in [1, 3], r%20r >= 1; p=0");
  assert_targets(net, "p=2 p<=2 ; q=1,r r=1 q<=3 ; empty p<=0");
  assert_true(net->features & HD_HAS_TARGET_CAPS);
  hd_net_delete(net);
}

static void bad_targets_change_nothing(void **state) {
  hd_net *net = threads();
  refuse(net, hd_front_set_target, "2|1;7|1", "out of range");
  refuse(net, hd_front_set_target, "", "no target, expected one such as");
  refuse(net, hd_front_set_target, "2", "'|' after the shared state");
  refuse(net, hd_front_set_target, "2|", "a local state");
  refuse(net, hd_front_set_target, "2|nix", "unknown local state 'nix'");
  refuse(net, hd_front_set_target, "2|1/2", "or the end of the target");
  refuse(net, hd_front_set_target, "2|1*", "a number");
  assert_targets(net, "0|0");
  hd_net_delete(net);
  net = places();
  refuse(net, hd_front_set_target, "0|1", "'s|l' is for thread systems");
  refuse(net, hd_front_set_target, "p|1", "found '|'");
  refuse(net, hd_front_set_target, "p>=1,p>=1", "constrained twice");
  refuse(net, hd_front_set_target, "p,p>=1", "constrained twice");
  refuse(net, hd_front_set_target, "z>=1", "unknown place 'z'");
  assert_targets(net, "p=1");
  hd_net_delete(net);
}

static void assert_init(const hd_net *net, const char *expected) {
  hd_str text = {0};
  hd_str_printf(&text, "%u", net->init_shared);
  for (uint32_t p = 0; p < net->n_places; p++) {
    hd_str_printf(&text, " %u", net->init[p].min);
    if (net->init[p].max == HD_OMEGA)
      hd_str_puts(&text, "+");
    else if (net->init[p].max != net->init[p].min)
      hd_str_printf(&text, "-%u", net->init[p].max);
  }
  assert_string_equal(hd_str_text(&text), expected);
  hd_str_free(&text);
}

static void thread_inits(void **state) {
  hd_net *net = threads();
  assert_init(net, "0 0+ 0 0 0");
  set(net, hd_front_set_init, "1|0");
  assert_init(net, "1 1 0 0 0");
  set(net, hd_front_set_init, "2|1,1,crit/0,1");
  assert_init(net, "2 0+ 2+ 0 1");
  set(net, hd_front_set_init, "0/2");
  assert_init(net, "0 0 0 0+ 0");
  set(net, hd_front_set_init, "1B0,0U2");
  assert_init(net, "1 2 0 0+ 0");
  set(net, hd_front_set_init, "1|0*1000");
  assert_init(net, "1 1000 0 0 0");
  set(net, hd_front_set_init, "single");
  assert_init(net, "0 1 0 0 0");
  set(net, hd_front_set_init, " unbounded ");
  assert_init(net, "0 0+ 0 0 0");
  set(net, hd_front_set_init, "2|*");
  assert_init(net, "2 0 0 0 0");
  assert_false(net->features & HD_HAS_UNBOUNDED);
  hd_net_delete(net);
}

static void net_inits(void **state) {
  hd_net *net = places();
  assert_init(net, "0 1 2 3");
  set(net, hd_front_set_init, "p=4,q>=2");
  assert_init(net, "0 4 2+ 0");
  set(net, hd_front_set_init, "q,q, r%20r in [1,3]");
  assert_init(net, "0 0 2 1-3");
  hd_net_delete(net);
}

static void bad_inits_change_nothing(void **state) {
  hd_net *net = threads();
  refuse(net, hd_front_set_init, "", "a shared state");
  refuse(net, hd_front_set_init, "0", "'|' or '/'");
  refuse(net, hd_front_set_init, "0|", "a local state");
  refuse(net, hd_front_set_init, "0|9", "out of range");
  refuse(net, hd_front_set_init, "3/0", "out of range");
  refuse(net, hd_front_set_init, "0/0 x", "the end of the initial state");
  refuse(net, hd_front_set_init, "0|1x", "the end of the initial state");
  refuse(net, hd_front_set_init, "0|1*1073741823,1", "too many");
  assert_init(net, "0 0+ 0 0 0");
  hd_net_delete(net);
  net = places();
  refuse(net, hd_front_set_init, "p=1;q=1", "the end of the initial state");
  refuse(net, hd_front_set_init, "p>=1,p=2", "constrained twice");
  assert_init(net, "0 1 2 3");
  hd_net_delete(net);
}

static void numbers_of_threads(void **state) {
  hd_net *net = threads();
  set(net, hd_front_set_threads, "dynamic");
  assert_init(net, "0 1 0 0 0");
  set(net, hd_front_set_threads, "17");
  assert_init(net, "0 17 0 0 0");
  set(net, hd_front_set_threads, "parametric");
  assert_init(net, "0 0+ 0 0 0");
  set(net, hd_front_set_init, "1/2");
  set(net, hd_front_set_threads, "3");
  assert_init(net, "1 0 0 3 0");
  refuse(net, hd_front_set_threads, "many", "expected 'parametric'");
  refuse(net, hd_front_set_threads, "", "expected 'parametric'");
  refuse(net, hd_front_set_threads, "99999999999", "expected 'parametric'");
  set(net, hd_front_set_init, "1/2,3");
  refuse(net, hd_front_set_threads, "3", "in one local state");
  hd_net_delete(net);
  net = places();
  refuse(net, hd_front_set_threads, "3", "this model is a net");
  hd_net_delete(net);
}

static void nothing_leaks(void **state) {
  assert_int_equal(hd_mem_current(), 0);
}

int main(void) {
  const struct CMUnitTest all[] = {
      cmocka_unit_test(formats_by_name),
      cmocka_unit_test(formats_by_path),
      cmocka_unit_test(content_tells_the_format),
      cmocka_unit_test(unknown_content_is_an_error),
      cmocka_unit_test(directories_and_missing_files),
      cmocka_unit_test(given_format_wins),
      cmocka_unit_test(prop_beside_the_file),
      cmocka_unit_test(prop_with_the_whole_name),
      cmocka_unit_test(own_target_wins_over_prop),
      cmocka_unit_test(bad_prop_is_an_error),
      cmocka_unit_test(prop_of_a_net_is_not_looked_for),
      cmocka_unit_test(thread_targets),
      cmocka_unit_test(net_targets),
      cmocka_unit_test(bad_targets_change_nothing),
      cmocka_unit_test(thread_inits),
      cmocka_unit_test(net_inits),
      cmocka_unit_test(bad_inits_change_nothing),
      cmocka_unit_test(numbers_of_threads),
      cmocka_unit_test(nothing_leaks),
  };
  return cmocka_run_group_tests(all, make_scratch, remove_scratch);
}
