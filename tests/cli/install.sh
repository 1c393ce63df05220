#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# An installed heddle works without the source folder, `make uninstall` leaves
# nothing behind, and the Debian package has what it must.
. "$(dirname "$0")/lib.sh"

BUILD=${HEDDLE_BUILD:-}
installed=$scratch/installed

put() {
  [ -n "$BUILD" ] || skip "HEDDLE_BUILD is not set"
  [ -d "$installed" ] && return
  DESTDIR=$installed meson install -C "$BUILD" --no-rebuild --quiet >"$scratch/install.log" 2>&1 ||
    problem "meson install: $(cat "$scratch/install.log")"
}
there() { find "$installed" -path "*/$1" | grep -q . || problem "$1 is not installed"; }

test_files() {
  put
  for name in man1/heddle.1 man1/heddle-cc.1 man5/heddle.5 \
              completions/heddle site-functions/_heddle \
              vendor_completions.d/heddle.fish doc/heddle/README.md \
              doc/heddle/docs/evidence.md doc/heddle/examples/lock.tts; do
    there "$name"
  done
}
# The header that heddle-cc uses is the installed one: it can be told apart.
test_verifies_c_from_there() {
  put
  HEDDLE=$(find "$installed" -path '*/bin/heddle')
  [ -x "$(dirname "$HEDDLE")/heddle-cc" ] || skip "heddle-cc is not built"
  header=$(find "$installed" -path '*/share/heddle/include/heddle.h')
  cp "$header" "$header.old"
  echo '#define INSTALLED 1' >>"$header"
  cat >here.c <<'C'
#include <assert.h>
#include <heddle.h>
int main(void) {
  assert(heddle_nondet_int(0, INSTALLED) < 2);
  return 0;
}
C
  run verify here.c
  mv "$header.old" "$header"
  exits 0; last_line "verdict: safe"
  run verify "$EXAMPLES/counter.c" --property=assert --harness=h -q
  exits 10
  has_file h/replay.c
}
test_uninstall_leaves_nothing() {
  put
  cp -r "$installed" copy
  DESTDIR=$PWD/copy "$SOURCE/scripts/uninstall.py" "$BUILD" || problem "uninstall fails"
  left=$(find copy ! -type d)
  [ -z "$left" ] || problem "left: $left"
  left=$(find copy -type d -name heddle)
  [ -z "$left" ] || problem "left: $left"
}
test_debian_package() {
  [ -n "$BUILD" ] || skip "HEDDLE_BUILD is not set"
  command -v dpkg-shlibdeps >/dev/null || skip "no dpkg-shlibdeps"
  nm -D "$HEDDLE" 2>/dev/null | grep -q __asan_init && skip "made with sanitizers"
  "$SOURCE/scripts/make-deb.sh" "$BUILD" . >deb.txt 2>errors.txt ||
    { problem "$(cat errors.txt)"; return; }
  deb=$(cat deb.txt)
  dpkg-deb --field "$deb" Depends >depends.txt
  file_has depends.txt "libc6"
  file_has depends.txt "libglpk40"
  file_has depends.txt "libz3-4"
  file_has depends.txt "libppl-c4"
  dpkg-deb --contents "$deb" >contents.txt
  for name in bin/heddle share/man/man1/heddle.1.gz share/doc/heddle/copyright; do
    file_has contents.txt "$name"
  done
  dpkg-deb --extract "$deb" x
  HEDDLE=$(find "$PWD/x" -path '*/bin/heddle')
  run verify "$EXAMPLES/lock.tts" -q
  exits 0
}
test_man_pages_have_no_formatting_errors() {
  command -v groff >/dev/null || skip "no groff"
  for page in heddle-cc.1 heddle.5; do
    groff -man -Tutf8 -ww "$SOURCE/docs/$page" >/dev/null 2>warnings.txt
    [ ! -s warnings.txt ] || problem "$page: $(cat warnings.txt)"
  done
}
# What heddle-cc says of itself and what its page says are the same options.
test_heddle_cc_page_has_every_option() {
  cc=$(dirname "$HEDDLE")/heddle-cc
  [ -x "$cc" ] || skip "heddle-cc is not built"
  for name in $("$cc" --help | grep '^  -' | grep -oE -- '(^|[ ,])--?[a-zA-Z0-9]+' | tr -d ' ,'); do
    file_has "$SOURCE/docs/heddle-cc.1" "$(echo "$name" | sed 's/-/\\-/g')"
  done
}

run_tests
