#!/bin/sh
# SPDX-License-Identifier: MIT
# Makes a Debian package: scripts/make-deb.sh BUILD [FOLDER]
# BUILD should be configured with --prefix=/usr. The package goes to FOLDER (default:
# the current one). Its name is printed.
set -eu
build=$1
folder=${2:-.}
root=$(cd "$(dirname "$0")/.." && pwd)
version=$(meson introspect --projectinfo "$build" |
  python3 -c 'import json, sys; print(json.load(sys.stdin)["version"])')
prefix=$(meson introspect --buildoptions "$build" | python3 -c '
import json, sys
print({o["name"]: o["value"] for o in json.load(sys.stdin)}["prefix"])')
arch=$(dpkg --print-architecture)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
package=$stage/debian/heddle
mkdir -p "$package/DEBIAN"

DESTDIR=$package meson install -C "$build" --no-rebuild --quiet --strip >&2
doc=$package$prefix/share/doc/heddle
rm -f "$doc/LICENSE"
cp "$root/packaging/copyright" "$doc/copyright"
printf 'heddle (%s) unstable; urgency=low\n\n  * See CHANGELOG.md.\n\n -- %s  %s\n' \
  "$version" "$(sed -n 's/^Maintainer: //p' "$root/packaging/control.in")" \
  "$(date -R -u ${SOURCE_DATE_EPOCH:+-d "@$SOURCE_DATE_EPOCH"})" >"$doc/changelog"
gzip -9 -n "$doc/changelog" "$package$prefix"/share/man/man*/*
find "$package" -type d -exec chmod 755 {} +
find "$package" -name 'libheddle.so.*' -type f -exec chmod 644 {} +

# What the programs are linked with; what they load or call is named here.
cat >"$stage/debian/control" <<END
Source: heddle

Package: heddle
Architecture: any
END
libraries=$(cd "$stage" && dpkg-shlibdeps -O "debian/heddle$prefix"/bin/* \
  "$(find debian/heddle -name 'libheddle.so.*.*.*')" 2>"$stage/warnings" |
  sed -n 's/^shlibs:Depends=//p') || { cat "$stage/warnings" >&2; exit 1; }
[ -n "$libraries" ] || { cat "$stage/warnings" >&2; exit 1; }
size=$(du -k -s "$package" | cut -f1)
sed -e "s/@VERSION@/$version/" -e "s/@ARCH@/$arch/" -e "s/@SIZE@/$size/" \
  -e "s/@LIBRARIES@/$libraries/" "$root/packaging/control.in" \
  >"$package/DEBIAN/control"
(cd "$package" && find . -path ./DEBIAN -prune -o -type f -printf '%P\0' | sort -z | xargs -0 md5sum) \
  >"$package/DEBIAN/md5sums"
printf 'libheddle %s heddle\n' "$(find "$package" -name 'libheddle.so.?' |
  sed 's/.*\.so\.//')" >"$package/DEBIAN/shlibs"
printf 'activate-noawait ldconfig\n' >"$package/DEBIAN/triggers"
deb=$folder/heddle_${version}_$arch.deb
dpkg-deb --root-owner-group --build "$package" "$deb" >&2
echo "$deb"
