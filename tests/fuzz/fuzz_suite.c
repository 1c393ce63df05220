/* SPDX-License-Identifier: MIT */
/* libFuzzer harness for what `heddle suite` reads. The first byte says what the
 * rest is:
 *   0 a task definition   1 a list   2 a table   3 results   4 a property file
 * Results that are read are printed and read again. */
#include "fuzz.h"

#include "cli/suite/record.h"
#include "cli/suite/task.h"
#include "front/c/property.h"

#include <unistd.h>

static const char *const names[] = {"t.yml", "t.list", "t.csv", "t.jsonl",
                                    "t.prp"};
static char folder[] = "heddle-fuzz-XXXXXX";
static char path[sizeof folder + 16];

static void clean(void) {
  unlink(path);
  rmdir(folder);
}

static void write_file(const char *name, const char *text, size_t size) {
  static bool there;
  if (!there) {
    fuzz_require(mkdtemp(folder) != NULL, "there is a folder");
    atexit(clean);
    there = true;
  } else {
    unlink(path);
  }
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *file = fopen(path, "w");
  fuzz_require(file != NULL, "there is a file");
  fwrite(text, 1, size, file);
  fclose(file);
}

static void tasks(hd_diag *diag) {
  hd_tasks all = {0};
  bool ok = hd_tasks_add(&all, path, diag);
  fuzz_require(ok == !hd_diag_errors(diag), "refusal has a message");
  hd_tasks_free(&all);
}

static void results(hd_diag *diag) {
  hd_records all = {0};
  bool ok = hd_records_read(&all, path, diag);
  fuzz_require(ok == !hd_diag_errors(diag), "refusal has a message");
  for (hd_vec_each(const hd_record, record, &all.all)) {
    hd_str once = {0}, twice = {0};
    hd_record back;
    hd_record_print(&once, record);
    fuzz_require(hd_record_read(hd_str_text(&once), once.size - 1, &back),
                 "what is printed can be read");
    hd_record_print(&twice, &back);
    fuzz_require(!strcmp(hd_str_text(&once), hd_str_text(&twice)),
                 "printing again changes nothing");
    hd_record_free(&back);
    hd_str_free(&once);
    hd_str_free(&twice);
  }
  hd_records_free(&all);
}

static void property(const char *text, size_t size, hd_diag *diag) {
  hd_properties set;
  hd_source source = hd_source_from_text("t.prp", text, size);
  bool ok = hd_properties_prp(&source, &set, diag);
  fuzz_require(ok == !hd_diag_errors(diag), "refusal has a message");
  hd_source_free(&source);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t before = hd_mem_current();
  if (!size)
    return 0;
  const char *text = (const char *)data + 1;
  unsigned kind = data[0] % 5;
  /* Lists name folders, which are searched: only its own may be. */
  if (kind == 1 && (memchr(text, '/', size - 1) || memchr(text, '.', size - 1)))
    return 0;
  hd_diag *diag = hd_diag_new();
  if (kind < 4)
    write_file(names[kind], text, size - 1);
  if (kind < 3)
    tasks(diag);
  else if (kind == 3)
    results(diag);
  else
    property(text, size - 1, diag);
  fuzz_end_diag(diag);
  fuzz_require(hd_mem_current() == before, "nothing leaks");
  return 0;
}
