/* SPDX-License-Identifier: MIT */
/* The option parser: what it accepts, and the sentence for what it does not. */
#include "base/io.h"
#include "cli/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>
#include <cmocka.h>

enum { MOST = 16 };

/* Splits a command line at blanks and parses it; the messages are kept. */
static char line[512];
static char *words[MOST];
static hd_options options;
static hd_str messages;

static bool parse(const char *text) {
  int n = 0;
  snprintf(line, sizeof line, "heddle %s", text);
  for (char *word = strtok(line, " "); word && n < MOST;
       word = strtok(NULL, " "))
    words[n++] = word;
  hd_str_free(&messages);
  FILE *err = hd_stream_to(&messages);
  bool ok = hd_options_parse(&options, n, words, err);
  fclose(err);
  return ok;
}

static void refused(const char *text, const char *with) {
  assert_false(parse(text));
  if (!strstr(hd_str_text(&messages), with))
    fail_msg("'%s' gave:\n%s", text, hd_str_text(&messages));
}

static int forget(void **state) {
  hd_str_free(&messages);
  return 0;
}

static void value_after_equals(void **state) {
  assert_true(parse("verify a.tts --engine=bws"));
  assert_int_equal(options.command, HD_COMMAND_VERIFY);
  assert_string_equal(options.engine, "bws");
  assert_string_equal(options.operands[0], "a.tts");
}

static void value_as_next_word(void **state) {
  assert_true(parse("verify --engine bws a.tts"));
  assert_string_equal(options.engine, "bws");
  assert_string_equal(options.operands[0], "a.tts");
}

static void defaults_of_choices(void **state) {
  assert_true(parse("verify a.tts"));
  assert_string_equal(options.format, "text");
  assert_string_equal(options.color, "auto");
  assert_string_equal(options.input_format, "auto");
  assert_null(options.expect);
  assert_false(hd_options_given(&options, HD_OPTION_format));
}

static void letters_may_be_joined(void **state) {
  assert_true(parse("verify -sv a.tts"));
  assert_true(options.statistics && options.verbose);
}

static void letter_with_value(void **state) {
  assert_true(parse("verify -o out a.tts"));
  assert_string_equal(options.output, "out");
  assert_true(parse("verify -oout a.tts"));
  assert_string_equal(options.output, "out");
  assert_true(parse("verify -soout a.tts"));
  assert_string_equal(options.output, "out");
  assert_true(options.statistics);
}

static void dashes_end_options(void **state) {
  assert_true(parse("verify -- --engine=bws"));
  assert_string_equal(options.operands[0], "--engine=bws");
  assert_null(options.engine);
}

static void dash_is_a_file(void **state) {
  assert_true(parse("verify - --target=0|1"));
  assert_string_equal(options.operands[0], "-");
}

static void dash_is_a_value(void **state) {
  assert_true(parse("verify a --witness - -o x"));
  assert_string_equal(options.witness, "-");
}

static void numbers_and_reals(void **state) {
  assert_true(parse("verify a --memory=512 --timeout=1.5 --seed=7"));
  assert_int_equal(options.memory, 512);
  assert_true(options.timeout == 1.5);
  assert_int_equal(options.seed, 7);
}

static void same_name_two_commands(void **state) {
  assert_true(parse("show a --format=dot"));
  assert_string_equal(options.show_format, "dot");
  refused("show a --format=json",
          "--format: expected text|dot|svg, found 'json'");
  refused("verify a --format=dot", "--format: expected text|json");
}

static void nothing_given(void **state) {
  refused("", "Usage: heddle COMMAND");
}

static void unknown_command(void **state) {
  refused("frobnicate", "unknown command 'frobnicate'");
}

static void command_with_a_typo(void **state) {
  refused("verfy a", "did you mean 'verify'?");
  refused("engine", "did you mean 'engines'?");
}

static void file_instead_of_command(void **state) {
  refused("a.tts", "did you mean 'heddle verify a.tts'?");
}

static void unknown_option(void **state) {
  refused("verify a --frobnicate", "unknown option --frobnicate\n");
  refused("verify a -y", "unknown option -y");
}

static void option_with_a_typo(void **state) {
  refused("verify a --engin=bws", "did you mean --engine?");
  refused("verify a --stat", "did you mean --statistics?");
  refused("verify a --no-chek", "did you mean --no-check?");
}

static void option_of_another_command(void **state) {
  refused("reach a --engine=bws",
          "--engine is not an option of 'reach'; commands that take it: "
          "verify");
}

static void option_before_the_command(void **state) {
  refused("--engine=bws verify a", "--engine comes after the command");
}

static void repeated_option(void **state) {
  refused("verify a --engine=bws --engine=bws", "--engine is given twice");
  refused("verify a -q -q", "-q is given twice");
  refused("verify a -q --quiet", "--quiet is given twice");
}

static void missing_value(void **state) {
  refused("verify a --engine", "--engine needs a value: --engine=NAME");
  refused("verify a --engine=", "--engine needs a value: --engine=NAME");
  refused("verify a -o", "-o needs a value: --output=FILE");
}

static void next_option_is_no_value(void **state) {
  refused("verify a --witness --quiet", "--witness needs a value");
}

static void value_of_a_flag(void **state) {
  refused("verify a --quiet=yes", "--quiet takes no value");
}

static void number_expected(void **state) {
  refused("verify a --memory=lots",
          "--memory: expected a whole number for MB, found 'lots'");
  refused("verify a --memory=-1", "--memory: expected a whole number");
  refused("verify a --memory=1x", "--memory: expected a whole number");
  refused("verify a --timeout=soon", "--timeout: expected a number");
  refused("verify a --timeout=inf", "--timeout: expected a number");
  refused("verify a --timeout=nan", "--timeout: expected a number");
}

static void out_of_range(void **state) {
  refused("verify a --memory=0",
          "--memory: MB must be from 1 to 1073741824, found '0'");
  refused("verify a --memory=99999999999999999999999", "--memory: MB must be");
  refused("verify a --timeout=0", "--timeout: SECONDS must be from 0.001");
  refused("verify a --max-threads=0", "--max-threads: N must be from 1");
}

static void choice_expected(void **state) {
  refused("verify a --expect=maybe",
          "--expect: expected safe|unsafe|unknown, found 'maybe'");
  refused("verify a --expect=saf", "--expect: expected");
  refused("verify a --expect=safe|unsafe", "--expect: expected");
}

static void threads_are_words_or_a_number(void **state) {
  assert_true(parse("verify a --threads=dynamic"));
  assert_true(parse("verify a --threads=12"));
  refused("verify a --threads=many",
          "--threads: expected parametric, dynamic or a number, found 'many'");
}

static void contradictions(void **state) {
  refused("verify a --target=0|0 --prop=p",
          "--target and --prop contradict each other: both give the target");
  refused("verify a --threads=1 --init=0|0", "--threads and --init contradict");
  refused("verify a -q -v", "--quiet and --verbose contradict");
  refused("verify a -q -s", "--quiet and --statistics contradict");
  refused("verify a -q --explain", "--quiet and --explain contradict");
}

static void standard_input_once(void **state) {
  refused("verify - --prop=-", "standard input ('-') can be read only once");
  refused("check - -", "standard input ('-') can be read only once");
  refused("check a - --prop=-", "standard input ('-') can be read only once");
}

static void one_output_one_purpose(void **state) {
  refused("verify a --witness=-",
          "--witness and the report (--output) would both be written to '-'");
  refused("verify a -o x --certificate=x", "would both be written to 'x'");
  assert_true(parse("verify a --witness=x --certificate=x"));
}

static void operands(void **state) {
  refused("verify", "'verify' needs FILE");
  refused("verify a b", "'verify' takes one FILE only, found also 'b'");
  refused("check a", "'check' needs MODEL... EVIDENCE, and only the first");
  refused("engines a", "'engines' takes no operand, found 'a'");
}

static void help_needs_no_operand(void **state) {
  assert_true(parse("verify --help"));
  assert_true(options.help);
  assert_true(parse("check -h"));
  assert_true(options.short_help);
}

static void help_of_unknown_command(void **state) {
  assert_true(parse("help verify"));
  refused("help verfiy", "did you mean 'verify'?");
}

static void usage_error_points_to_help(void **state) {
  refused("reach a --frobnicate", "Try 'heddle reach -h'.");
}

static void long_names_are_no_danger(void **state) {
  char text[400] = "verify a --";
  memset(text + 11, 'x', 300);
  refused(text, "unknown option --xxx");
}

static void nearest_of_words(void **state) {
  static const char *const list[] = {"bws", "km", "fws", NULL};
  assert_string_equal(hd_options_nearest("bwss", list), "bws");
  assert_string_equal(hd_options_nearest("mk", list) ? "yes" : "no", "no");
  assert_null(hd_options_nearest("concolic", list));
}

/* Everything that help prints fits a terminal. */
static void help_fits_the_screen(void **state) {
  for (int all = 0; all < 2; all++)
    for (int c = 0; c < HD_COMMAND_COUNT; c++) {
      hd_str text = {0};
      FILE *out = hd_stream_to(&text);
      hd_help_print(out, (hd_command)c, all);
      fclose(out);
      size_t lines = 0;
      for (char *l = strtok(text.data, "\n"); l; l = strtok(NULL, "\n")) {
        lines++;
        if (strlen(l) > 80)
          fail_msg("too wide: %s", l);
      }
      if (!all)
        assert_true(lines <= 50);
      hd_str_free(&text);
    }
}

static void help_names_every_option(void **state) {
  hd_str text = {0};
  FILE *out = hd_stream_to(&text);
  hd_help_print(out, HD_COMMAND_HELP, true);
  fclose(out);
  for (int i = 0; i < HD_OPTION_COUNT; i++)
    if (*hd_option_infos[i].name)
      assert_non_null(strstr(hd_str_text(&text), hd_option_infos[i].name));
  hd_str_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(value_after_equals),
      cmocka_unit_test(value_as_next_word),
      cmocka_unit_test(defaults_of_choices),
      cmocka_unit_test(letters_may_be_joined),
      cmocka_unit_test(letter_with_value),
      cmocka_unit_test(dashes_end_options),
      cmocka_unit_test(dash_is_a_file),
      cmocka_unit_test(dash_is_a_value),
      cmocka_unit_test(numbers_and_reals),
      cmocka_unit_test(same_name_two_commands),
      cmocka_unit_test(nothing_given),
      cmocka_unit_test(unknown_command),
      cmocka_unit_test(command_with_a_typo),
      cmocka_unit_test(file_instead_of_command),
      cmocka_unit_test(unknown_option),
      cmocka_unit_test(option_with_a_typo),
      cmocka_unit_test(option_of_another_command),
      cmocka_unit_test(option_before_the_command),
      cmocka_unit_test(repeated_option),
      cmocka_unit_test(missing_value),
      cmocka_unit_test(next_option_is_no_value),
      cmocka_unit_test(value_of_a_flag),
      cmocka_unit_test(number_expected),
      cmocka_unit_test(out_of_range),
      cmocka_unit_test(choice_expected),
      cmocka_unit_test(threads_are_words_or_a_number),
      cmocka_unit_test(contradictions),
      cmocka_unit_test(standard_input_once),
      cmocka_unit_test(one_output_one_purpose),
      cmocka_unit_test(operands),
      cmocka_unit_test(help_needs_no_operand),
      cmocka_unit_test(help_of_unknown_command),
      cmocka_unit_test(usage_error_points_to_help),
      cmocka_unit_test(long_names_are_no_danger),
      cmocka_unit_test(nearest_of_words),
      cmocka_unit_test(help_fits_the_screen),
      cmocka_unit_test(help_names_every_option),
  };
  return cmocka_run_group_tests(tests, NULL, forget);
}
