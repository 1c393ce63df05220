#!/bin/sh
# SPDX-License-Identifier: MIT
# Installs the Debian packages heddle is built from, if any is missing. Silent
# and fast when nothing is. HEDDLE_NO_INSTALL=1 only says what is missing. Further
# ones can be named as PACKAGE:FILE-OR-COMMAND.
set -u

# package:file-or-command that shows it is there
needed='
gcc:gcc
libc6-dev:/usr/include/stdio.h
pkg-config:pkg-config
meson:meson
ninja-build:ninja
python3:python3
libcmocka-dev:/usr/include/cmocka.h
libexpat1-dev:/usr/include/expat.h
libglpk-dev:/usr/include/glpk.h
libgmp-dev:gmp.h
libz3-dev:/usr/include/z3.h
libppl-dev:ppl_c.h
clang-19:clang-19
llvm-19-dev:/usr/include/llvm-c-19/llvm-c/Core.h
'

present() {
  case $1 in
    gmp.h) [ -e /usr/include/gmp.h ] || ls /usr/include/*/gmp.h >/dev/null 2>&1 ;;
    ppl_c.h) [ -e /usr/include/ppl_c.h ] || ls /usr/include/*/ppl_c.h >/dev/null 2>&1 ;;
    /*) [ -e "$1" ] ;;
    *) command -v "$1" >/dev/null 2>&1 ;;
  esac
}

missing=
for pair in $needed "$@"; do
  present "${pair#*:}" || missing="$missing ${pair%%:*}"
done
[ -n "$missing" ] || exit 0

explain() {
  echo "heddle: $1" >&2
  echo "heddle: these packages are needed and missing:$missing" >&2
  echo "heddle: install them as root, for example:" >&2
  echo "    apt-get install$missing" >&2
  exit 1
}

[ "${HEDDLE_NO_INSTALL:-}" ] && explain "HEDDLE_NO_INSTALL is set"
command -v apt-get >/dev/null 2>&1 || explain "this is no Debian system (no apt-get)"
if [ "$(id -u)" = 0 ]; then
  as_root='env'
elif command -v sudo >/dev/null 2>&1; then
  as_root='sudo env'
  sudo -n true 2>/dev/null || [ -t 0 ] || explain "sudo would ask for a password and there is no terminal"
else
  explain "neither root nor sudo"
fi

echo "heddle: installing$missing" >&2
install() {
  # shellcheck disable=SC2086
  $as_root DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -q --no-install-recommends $missing </dev/null >&2
}
# An old package list is tried first: it often suffices, and saves the update.
if [ -n "$(ls /var/lib/apt/lists/*Packages* 2>/dev/null)" ] && install; then
  exit 0
fi
# shellcheck disable=SC2086
$as_root apt-get update -q </dev/null >&2 || explain "apt-get update failed"
install || explain "apt-get install failed"
