/* SPDX-License-Identifier: MIT */
/* libFuzzer harness for all readers and writers (fuzz_one.h says what the bytes
 * mean). Build it with clang:
 *   CC=clang meson setup build-fuzz -Dfuzz=true -Db_lundef=false
 *   ninja -C build-fuzz tests/fuzz/fuzz_front
 *   build-fuzz/tests/fuzz/fuzz_front CORPUS */
#include "fuzz_one.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_one((const char *)data, size);
  return 0;
}
