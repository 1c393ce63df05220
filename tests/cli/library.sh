#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# What `make install` installs works: the program, the man page, and both
# libraries with the example program compiled against them by pkg-config.
. "$(dirname "$0")/lib.sh"

BUILD=${HEDDLE_BUILD:-}
installed=$scratch/installed

put() {
  [ -n "$BUILD" ] || skip "HEDDLE_BUILD is not set"
  [ -d "$installed" ] && return
  DESTDIR=$installed meson install -C "$BUILD" --no-rebuild --quiet >"$scratch/install.log" 2>&1 ||
    problem "meson install: $(cat "$scratch/install.log")"
  pc=$(find "$installed" -name heddle.pc)
  [ -n "$pc" ] || problem "no heddle.pc"
}
config() {
  pc=$(find "$installed" -name heddle.pc)
  PKG_CONFIG_SYSROOT_DIR=$installed PKG_CONFIG_PATH=$(dirname "$pc") pkg-config "$@" heddle
}
library() { find "$installed" -name "$1" | head -n 1; }
sanitizer() {
  # a library made with sanitizers needs a program made with them
  nm -D "$(library libheddle.so)" | grep -q __asan_init && echo -fsanitize=address,undefined
}
compile() { # PROGRAM FLAG...: examples/PROGRAM.c
  # shellcheck disable=SC2046
  ${CC:-cc} -std=c17 -Wall -Wextra -Werror $(sanitizer) "$SOURCE/examples/$1.c" \
    -o "$1" $(config --cflags) "${@:2}" || problem "the example does not compile"
}
# The example for C programs, on FILE FLAG...
try_c() {
  LD_LIBRARY_PATH=$(dirname "$(library libheddle.so)") \
    PATH=$(dirname "$(find "$installed" -path '*/bin/heddle-cc')"):$PATH \
    ./verify-c "$@" >stdout.txt 2>stderr.txt
  status=$?; out=$(cat stdout.txt); err=$(cat stderr.txt)
}
# The example is run on both locks; $1 is its program.
try_example() {
  LD_LIBRARY_PATH=$(dirname "$(library libheddle.so)") "$1" "$EXAMPLES/lock.tts" >stdout.txt 2>stderr.txt
  status=$?; out=$(cat stdout.txt); err=$(cat stderr.txt)
  exits 0; last_line "verdict: safe"; out_has "evidence: accepted"
  LD_LIBRARY_PATH=$(dirname "$(library libheddle.so)") "$1" "$EXAMPLES/broken-lock.tts" >stdout.txt 2>stderr.txt
  status=$?; out=$(cat stdout.txt); err=$(cat stderr.txt)
  exits 10; last_line "verdict: unsafe"; out_has "line 5, thread 1: 0 0 -> 0 1"; out_has "evidence: accepted"
}

test_installs_everything() {
  put
  local name
  for name in bin/heddle include/heddle/heddle.h libheddle.so libheddle.a heddle.pc man1/heddle.1; do
    find "$installed" -path "*/$name" | grep -q . || problem "$name is not installed"
  done
}
test_installed_program_runs() {
  put
  out=$("$(library heddle)" --version 2>&1) 
  [[ $out == heddle\ * ]] || out=$("$(find "$installed" -path '*/bin/heddle')" --version)
  [[ $out == heddle\ * ]] || problem "it says '$out'"
}
test_example_with_shared_library() {
  put
  # shellcheck disable=SC2046
  compile verify $(config --libs)
  try_example ./verify
}
test_example_with_static_library() {
  put
  # shellcheck disable=SC2046
  compile verify "$(library libheddle.a)" $(config --static --libs | tr ' ' '\n' | grep -vx -e -lheddle)
  try_example ./verify
}
test_example_for_c() {
  put
  [ -n "$(find "$installed" -path '*/bin/heddle-cc')" ] || skip "no heddle-cc"
  # shellcheck disable=SC2046
  compile verify-c $(config --libs)
  try_c "$EXAMPLES/counter.c"
  exits 10; out_has "race: unsafe (counter) at"; out_has "counter.c:9, checked"; out_has "evidence: accepted"
  try_c "$EXAMPLES/counter-locked.c"
  exits 0; out_has "assert: safe, checked"; out_has "race: safe, checked"; out_has "evidence: accepted"
  try_c "$EXAMPLES/exchange.c"
  exits 2; err_has "for the command 'heddle verify'"
  printf 'int main(void) { return ROUNDS }\n' >broken.c
  try_c broken.c -DROUNDS=0
  exits 2; err_has "broken.c:1:"; err_has "expected ';'"
  printf 'int main(void) { return FAILS; }\nvoid reach_error(void);' >free.c
  try_c free.c -DFAILS=0
  exits 0; out_has "deadlock: safe"
}
test_example_says_what_is_wrong() {
  put
  # shellcheck disable=SC2046
  compile verify $(config --libs)
  export LD_LIBRARY_PATH
  LD_LIBRARY_PATH=$(dirname "$(library libheddle.so)")
  ./verify nowhere.tts 2>stderr.txt >stdout.txt
  status=$?; err=$(cat stderr.txt)
  exits 2; err_has "nowhere.tts: error: cannot open"
  ./verify "$EXAMPLES/lock.tts" '7|7' 2>stderr.txt >stdout.txt
  status=$?; err=$(cat stderr.txt)
  exits 2; err_has "target"
}
test_only_public_symbols_are_exported() {
  put
  nm -D --defined-only "$(library libheddle.so)" | awk '$2 ~ /[TDBRV]/ && $3 !~ /^(heddle_|_init|_fini|__)/ { print $3 }' >symbols.txt
  [ ! -s symbols.txt ] || problem "exported too: $(tr '\n' ' ' <symbols.txt)"
}
test_every_declared_function_is_exported() {
  put
  grep -oE 'heddle_[a-z_]+\(' "$SOURCE/include/heddle/heddle.h" | tr -d '(' | sort -u >declared.txt
  nm -D --defined-only "$(library libheddle.so)" | awk '{ print $3 }' | sort -u >there.txt
  missing=$(comm -23 declared.txt there.txt)
  [ -z "$missing" ] || problem "not exported: $missing"
}
test_header_is_cplusplus() {
  command -v g++ >/dev/null || skip "no g++"
  printf '#include <heddle/heddle.h>\nint main() { return heddle_version() == nullptr; }\n' >a.cc
  g++ -Wall -Wextra -Werror -I"$SOURCE/include" -c a.cc -o a.o || problem "not C++"
}

run_tests
