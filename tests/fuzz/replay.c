/* SPDX-License-Identifier: MIT */
/* Gives files to a fuzzer's function, in place of libFuzzer: what was found once
 * stays found. Arguments are folders; a folder that is not there has no files.
 * Output is TAP. */
#include "fuzz.h"

#include <dirent.h>

static int by_name(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

typedef hd_vec(char *) names;

static names files_in(const char *folder) {
  names all = {0};
  DIR *dir = opendir(folder);
  for (struct dirent *e; dir && (e = readdir(dir));) {
    hd_str path = {0};
    if (e->d_name[0] == '.')
      continue;
    hd_str_printf(&path, "%s/%s", folder, e->d_name);
    hd_vec_push(&all, hd_str_take(&path));
  }
  if (dir)
    closedir(dir);
  if (all.size)
    qsort(all.data, all.size, sizeof *all.data, by_name);
  return all;
}

static bool replay(const char *path) {
  hd_diag *diag = hd_diag_new();
  hd_source source;
  bool ok = hd_source_read(path, &source, diag);
  if (ok) {
    /* A copy of its own, so that a byte beyond the end is seen. */
    uint8_t *bytes = hd_alloc(source.size ? source.size : 1);
    memcpy(bytes, source.text, source.size);
    LLVMFuzzerTestOneInput(bytes, source.size);
    hd_free(bytes);
    hd_source_free(&source);
  }
  hd_diag_print(diag, stderr, false);
  hd_diag_delete(diag);
  return ok;
}

int main(int argc, char **argv) {
  size_t n = 0;
  bool all = true;
  for (int i = 1; i < argc; i++) {
    names files = files_in(argv[i]);
    for (size_t k = 0; k < files.size; k++) {
      bool ok = replay(files.data[k]);
      printf("%s %zu - %s\n", ok ? "ok" : "not ok", ++n,
             strrchr(files.data[k], '/') + 1);
      fflush(stdout);
      all = all && ok;
      hd_free(files.data[k]);
    }
    hd_vec_free(&files);
  }
  printf("1..%zu\n", n);
  return all ? 0 : 1;
}
