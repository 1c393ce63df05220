/* SPDX-License-Identifier: MIT */
#include "solve/library.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

HD_NORETURN static void give_up(const hd_library *library) {
  const char *why = dlerror();
  fflush(stdout);
  fprintf(stderr,
          "heddle: %s cannot be loaded: %s\n"
          "heddle: install %s (%s, in Debian the package %s) or choose another "
          "--engine\n",
          library->what, why ? why : library->file, library->name,
          library->file, library->package);
  _Exit(6);
}

void *hd_library_open(const hd_library *library) {
  void *handle = dlopen(library->file, RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
  if (!handle)
    give_up(library);
  return handle;
}

/* ISO C has no conversion from object pointers to functions; POSIX says that the
 * representation is the same. */
void hd_library_resolve(const hd_library *library, void *handle,
                        const char *symbol, void *into, size_t size) {
  void *address = dlsym(handle, symbol);
  assert(size == sizeof address);
  if (!address)
    give_up(library);
  memcpy(into, &address, size);
}

void hd_library_close(void *handle) {
  dlclose(handle);
}
