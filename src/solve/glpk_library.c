/* SPDX-License-Identifier: MIT */
#include "solve/glpk_library.h"

#include "solve/glpk_name.h"
#include "solve/library.h"

static const hd_library glpk_file = {.file = HD_GLPK_LIBRARY,
                                     .what = "the solver of linear programs",
                                     .name = "GLPK",
                                     .package = "libglpk40"};

void hd_glpk_open(hd_glpk *lib) {
  lib->handle = hd_library_open(&glpk_file);
#define RESOLVE(name)                                                          \
  hd_library_resolve(&glpk_file, lib->handle, "glp_" #name, &lib->name,        \
                     sizeof lib->name);
  HD_GLPK_FUNCTIONS(RESOLVE)
#undef RESOLVE
}

void hd_glpk_close(hd_glpk *lib) {
  hd_library_close(lib->handle);
}
