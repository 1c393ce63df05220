/* SPDX-License-Identifier: MIT */
#include "solve/z3_library.h"

#include "solve/library.h"

static const hd_library z3_file = {.file = HD_Z3_LIBRARY,
                                   .what = "the SMT solver",
                                   .name = "Z3",
                                   .package = "libz3-4"};

void hd_z3_open(hd_z3 *lib) {
  lib->handle = hd_library_open(&z3_file);
#define RESOLVE(name)                                                          \
  hd_library_resolve(&z3_file, lib->handle, "Z3_" #name, &lib->name,           \
                     sizeof lib->name);
  HD_Z3_FUNCTIONS(RESOLVE)
#undef RESOLVE
}

void hd_z3_close(hd_z3 *lib) {
  hd_library_close(lib->handle);
}
