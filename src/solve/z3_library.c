/* SPDX-License-Identifier: MIT */
#include "solve/z3_library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

HD_NORETURN static void give_up(void) {
  const char *why = dlerror();
  fflush(stdout);
  fprintf(stderr,
          "heddle: the SMT solver cannot be loaded: %s\n"
          "heddle: install Z3 (" HD_Z3_LIBRARY ", in Debian the package "
          "libz3-4) or choose another --engine\n",
          why ? why : HD_Z3_LIBRARY);
  _Exit(6);
}

/* ISO C has no conversion from object pointers to functions; POSIX says that the
 * representation is the same. */
static void resolve(void *handle, const char *name, void *into, size_t size) {
  void *symbol = dlsym(handle, name);
  assert(size == sizeof symbol);
  if (!symbol)
    give_up();
  memcpy(into, &symbol, size);
}

void hd_z3_open(hd_z3 *lib) {
  lib->handle = dlopen(HD_Z3_LIBRARY, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
  if (!lib->handle)
    give_up();
#define RESOLVE(name)                                                          \
  resolve(lib->handle, "Z3_" #name, &lib->name, sizeof lib->name);
  HD_Z3_FUNCTIONS(RESOLVE)
#undef RESOLVE
}

void hd_z3_close(hd_z3 *lib) {
  dlclose(lib->handle);
}
