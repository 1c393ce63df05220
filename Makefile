# SPDX-License-Identifier: MIT
# A thin front for meson. The targets are:
#   make           build/heddle, optimised
#   make demo      build it, verify two small models, show what it prints
#   make check     build it with assertions, run every test; the unit tests under
#                  AddressSanitizer and UBSan as well
#   make quick     the same for what takes little time: for every few minutes
#   make bench     measure the engines on the benchmark suites
#   make fuzz      differential fuzzing until stopped
#   make fuzz-c    the C interpreter against native runs, 600 programs
#   make asan      all tests under AddressSanitizer and UBSan
#   make clang     all tests with clang instead of gcc
#   make docs      the documentation as a site, in build/site
#   make man       write docs/heddle.1 and docs/options.md anew from the option table
#   make install   PREFIX=/usr/local DESTDIR=
#   make uninstall the same, away with it
#   make deb       a Debian package, in build-deb
# Missing Debian packages are installed by scripts/install-deps.sh; set
# HEDDLE_NO_INSTALL=1 to be told instead.

PREFIX ?= /usr/local
JOBS ?= $(shell nproc 2>/dev/null || echo 1)
# A newer compiler's new warnings must not break a user's build; ours must.
WERROR ?= $(if $(CI),true,false)
NINJA = ninja -j $(JOBS)

.PHONY: all deps demo check quick bench fuzz fuzz-c asan clang docs man install uninstall \
  deb deb-deps clean

all: build/build.ninja
	@$(NINJA) -C build

deps:
	@scripts/install-deps.sh

build/build.ninja: | deps
	meson setup build --buildtype=release -Db_ndebug=true -Dtests=false \
	  -Dwerror=$(WERROR) --prefix=$(PREFIX)

build-check/build.ninja: | deps
	meson setup build-check --buildtype=debugoptimized -Dwerror=true

build-asan/build.ninja: | deps
	meson setup build-asan --buildtype=debugoptimized \
	  -Db_sanitize=address,undefined -Db_lundef=false

# For the unit tests of `make check`: quickly built rather than fast.
build-sane/build.ninja: | deps
	meson setup build-sane --buildtype=plain -Doptimization=1 \
	  -Db_sanitize=address,undefined -Db_lundef=false

build-clang/build.ninja: | deps
	CC=clang meson setup build-clang --buildtype=debugoptimized -Dwerror=true

demo: all
	@scripts/demo.sh build/heddle

check: all build-check/build.ninja build-sane/build.ninja
	@$(NINJA) -C build-check
	@$(NINJA) -C build-sane unit-tests
	@scripts/run-tests.py --jobs=$(JOBS) --release=build/heddle \
	  --sanitized=build-sane build-check $(TESTS)

quick: all build-check/build.ninja
	@$(NINJA) -C build-check
	@scripts/run-tests.py --jobs=$(JOBS) --release=build/heddle --quick \
	  build-check $(TESTS)

asan: build-asan/build.ninja
	@$(NINJA) -C build-asan
	@ASAN_OPTIONS=detect_leaks=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
	  scripts/run-tests.py --jobs=$(JOBS) build-asan $(TESTS)

clang: build-clang/build.ninja
	@$(NINJA) -C build-clang
	@scripts/run-tests.py --jobs=$(JOBS) build-clang $(TESTS)

bench: all
	@bench/run --heddle=build/heddle $(BENCH)
	@bench/lp-smt --build=build
	@bench/curves --heddle=build/heddle
	@bench/unfold/run --heddle=build/heddle
	@bench/portfolio --heddle=build/heddle
	@bench/unfold/scaling --heddle=build/heddle

fuzz: build-check/build.ninja
	@$(NINJA) -C build-check
	@scripts/fuzz.sh build-check

# SEED=N for other programs, HEDDLE_KEEP=FOLDER to keep those that fail.
SEED ?= 7
fuzz-c: build-check/build.ninja
	@$(NINJA) -C build-check
	@HEDDLE=build-check/heddle tests/programs/differential.py --jobs=$(JOBS) \
	  --count=200 --seed=$(SEED)
	@HEDDLE=build-check/heddle tests/programs/run.py fuzz --jobs=$(JOBS)

man: all
	@scripts/make-man.py build/heddle docs/heddle.1.in > docs/heddle.1
	@scripts/make-options.py build/heddle > docs/options.md

docs:
	@scripts/make-site.py build/site

install: all
	@meson configure build --prefix=$(PREFIX)
	@meson install -C build

uninstall: build/build.ninja
	@scripts/uninstall.py build

build-deb/build.ninja: | deb-deps
	meson setup build-deb --buildtype=release -Db_ndebug=true -Dtests=false \
	  -Dwerror=$(WERROR) --prefix=/usr \
	  --libdir=lib/$(shell dpkg-architecture -qDEB_HOST_MULTIARCH)

deb-deps:
	@scripts/install-deps.sh dpkg-dev:dpkg-shlibdeps

deb: build-deb/build.ninja
	@$(NINJA) -C build-deb
	@scripts/make-deb.sh build-deb build-deb

clean:
	rm -rf build build-check build-sane build-asan build-clang build-deb
