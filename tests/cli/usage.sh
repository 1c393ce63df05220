#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Usage errors: status 1, nothing on standard output, a sentence that names the
# option. Help: status 0, nothing on standard error.
. "$(dirname "$0")/lib.sh"

usage_error() {
  exits 1
  no_out
  err_has "$1"
}

test_no_arguments() { run; usage_error "Usage: heddle COMMAND"; }
test_unknown_command() { run frobnicate; usage_error "unknown command 'frobnicate'"; }
test_command_typo() { run verfy x; usage_error "did you mean 'verify'?"; }
test_file_for_command() { run model.tts; usage_error "did you mean 'heddle verify model.tts'?"; }
test_unknown_option() { run verify x --frobnicate; usage_error "unknown option --frobnicate"; }
test_option_typo() { run verify x --tagret='0|0'; usage_error "did you mean --target?"; }
test_unknown_letter() { run verify x -z; usage_error "unknown option -z"; }
test_missing_operand() { run verify; usage_error "'verify' needs FILE"; }
test_too_many_operands() { run verify a b; usage_error "found also 'b'"; }
test_empty_file_name() { run verify ''; usage_error "an empty file name"; }
test_missing_value() { run verify x --engine; usage_error "--engine needs a value"; }
test_empty_value() { run verify x --target=; usage_error "--target needs a value"; }
test_option_as_value() { run verify x --witness --format=json; usage_error "--witness needs a value"; }
test_value_for_flag() { run verify x --no-check=1; usage_error "--no-check takes no value"; }
test_repeated() { run verify x --seed=1 --seed=2; usage_error "--seed is given twice"; }
test_timeout_not_a_number() { run verify x --timeout=1h; usage_error "--timeout: expected a number"; }
test_timeout_zero() { run verify x --timeout=0; usage_error "--timeout: SECONDS must be from"; }
test_timeout_negative() { run verify x --timeout=-3; usage_error "--timeout: expected a number"; }
test_memory_not_whole() { run verify x --memory=1.5; usage_error "--memory: expected a whole number"; }
test_memory_too_large() { run verify x --memory=99999999999; usage_error "--memory: MB must be from 1"; }
test_max_threads_zero() { run verify x --max-threads=0; usage_error "--max-threads: N must be from 1"; }
test_seed_not_a_number() { run verify x --seed=x; usage_error "--seed: expected a whole number"; }
test_threads_word() { run verify x --threads=lots; usage_error "--threads: expected parametric, dynamic or a number"; }
test_format_word() { run verify x --format=xml; usage_error "--format: expected text|json|svg|html|sarif|gcc, found 'xml'"; }
test_show_format_word() { run show x --format=json; usage_error "--format: expected text|dot"; }
test_color_word() { run verify x --color=sometimes; usage_error "--color: expected auto|always|never"; }
test_expect_word() { run verify x --expect=yes; usage_error "--expect: expected safe|unsafe|unknown"; }
test_input_format_word() { run verify x --input-format=cobol; usage_error "--input-format: expected auto|tts|spec|pnml"; }
test_output_format_word() { run convert x y --output-format=cobol; usage_error "--output-format: expected"; }
test_target_and_prop() { run verify x --target='0|0' --prop=p; usage_error "--target and --prop contradict"; }
test_threads_and_init() { run verify x --threads=1 --init='0|0'; usage_error "--threads and --init contradict"; }
test_quiet_and_verbose() { run verify x -q -v; usage_error "--quiet and --verbose contradict"; }
test_stdin_twice() { run verify - --prop=-; usage_error "can be read only once"; }
test_stdout_twice() { run verify x --witness=-; usage_error "would both be written to '-'"; }
test_option_of_other_command() { run convert a b --engine=bws; usage_error "commands that take it: verify"; }
test_option_before_command() { run --engine=bws verify x; usage_error "--engine comes after the command"; }
test_unknown_engine() {
  run verify x --engine=bwsx
  usage_error "--engine: there is no engine 'bwsx'; did you mean 'bws'?"
}
test_max_threads_needs_fws() {
  run verify x --engine=bws --max-threads=3
  usage_error "--max-threads and --engine=bws contradict"
}
test_no_reduce_of_reduce() {
  run verify x --engine=reduce --no-reduce
  usage_error "--no-reduce and --engine=reduce contradict"
}
test_usage_error_before_reading() {
  # the file does not exist, but the option is the first mistake
  run verify nowhere.tts --engine=nonsense
  usage_error "--engine"
}
test_convert_to_unknown_extension() {
  safe_model
  run convert safe.tts out.xyz
  usage_error "--output-format"
  no_file out.xyz
}
test_convert_to_stdout_needs_format() { safe_model; run convert safe.tts -; usage_error "--output-format"; }

test_version() {
  run --version
  exits 0; no_err
  [[ $out =~ ^heddle\ [0-9]+\.[0-9]+\.[0-9]+$ ]] || problem "version is '$out'"
}
test_short_help() { run -h; exits 0; no_err; out_has "Usage: heddle COMMAND"; }
test_long_help() {
  run --help
  exits 0; no_err
  out_has "Options of heddle verify:"; out_has "--certificate=FILE"; out_has "Exit status:"
}
test_command_help() {
  local command
  for command in verify run fuzz reach check convert show engines help; do
    run $command -h
    exits 0; no_err; out_has "Usage: heddle"
    [ "$(wc -l <stdout.txt)" -le 48 ] || problem "$command -h is longer than a screen"
    run help $command
    exits 0; no_err; out_has "Usage: heddle"
  done
}
test_help_wins_over_mistakes_behind_it() { run verify --help; exits 0; out_has "--engine=NAME"; }
test_help_of_nothing() { run help frobnicate; usage_error "unknown command 'frobnicate'"; }
test_print_options() {
  run --print-options
  exits 0; no_err
  [ "$(awk -F'\t' 'NF != 7' stdout.txt | wc -l)" = 0 ] || problem "not seven columns"
  [ "$(cut -f3 stdout.txt | grep -c '^engine$')" = 1 ] || problem "--engine is not there once"
}

run_tests
