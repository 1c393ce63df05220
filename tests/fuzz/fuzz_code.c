/* SPDX-License-Identifier: MIT */
/* libFuzzer harness for code graphs: what is read is printed, read again and
 * printed the same; its annotations are read; and it is run for a few moves. */
#include "fuzz.h"

#include "engine/explore/explore.h"
#include "front/code/code.h"
#include "front/formula/formula.h"

static hd_code *parse(const char *text, size_t size) {
  hd_source source = hd_source_from_text("f.code", text, size);
  hd_diag *diag = hd_diag_new();
  hd_code *code = hd_code_read(&source, diag);
  fuzz_require(!code == (hd_diag_errors(diag) > 0), "refusal has a message");
  fuzz_end_diag(diag);
  hd_source_free(&source);
  return code;
}

static void round_trip(const hd_code *code) {
  hd_str once = {0}, twice = {0};
  hd_code_print(&once, code);
  hd_code *back = parse(hd_str_text(&once), once.size);
  fuzz_require(back != NULL, "what is printed can be read");
  hd_code_print(&twice, back);
  fuzz_require(!strcmp(hd_str_text(&once), hd_str_text(&twice)),
               "printing again changes nothing");
  hd_code_delete(back);
  hd_str_free(&once);
  hd_str_free(&twice);
}

static void read_notes(const hd_code *code) {
  hd_notes notes = {0};
  hd_diag *diag = hd_diag_new();
  bool ok = hd_notes_read(&notes, code, diag);
  fuzz_require(ok == !hd_diag_errors(diag), "refusal has a message");
  fuzz_end_diag(diag);
  hd_notes_free(&notes);
}

static void execute(const hd_code *code, size_t size) {
  hd_explore_options options = {
      .seed = size,
      .runs = 5,
      .max_moves = 100,
      .max_states = 300,
      .machine = {.checks = ((hd_properties)1 << HD_PROPERTY_COUNT) - 1,
                  .max_local = 500,
                  .max_memory = 1 << 20}};
  hd_explore_result result = {0};
  hd_run run = {.steps = 2000};
  (size % 2 ? hd_fuzz : hd_explore)(code, &options, &run, &result);
  hd_explore_result_free(&result);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t before = hd_mem_current();
  hd_code *code = parse((const char *)data, size);
  if (code) {
    round_trip(code);
    read_notes(code);
    if (code->main != HD_NO_ID)
      execute(code, size);
  }
  hd_code_delete(code);
  fuzz_require(hd_mem_current() == before, "nothing leaks");
  return 0;
}
