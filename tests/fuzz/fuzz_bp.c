/* SPDX-License-Identifier: MIT */
/* libFuzzer harness for Boolean programs: whatever is read is printed, read
 * again and printed the same, has the same program graph, and is verified
 * within small limits, which replays every violation. Built and run as
 * fuzz_front.c says, with .bp files as the corpus. */
#include "fuzz.h"

#include "api/program.h"
#include "front/bp/bp.h"

static hd_program *parse(const char *text, size_t size) {
  hd_source source = hd_source_from_text("f.bp", text, size);
  hd_diag *diag = hd_diag_new();
  hd_program *program = hd_bp_parse(&source, diag);
  fuzz_require(!program == (hd_diag_errors(diag) > 0), "refusal has a message");
  fuzz_end_diag(diag);
  hd_source_free(&source);
  return program;
}

static bool format(const char *text, size_t size, hd_str *out) {
  hd_source source = hd_source_from_text("f.bp", text, size);
  hd_diag *diag = hd_diag_new();
  bool ok = hd_bp_format(&source, out, diag);
  hd_diag_delete(diag);
  hd_source_free(&source);
  return ok;
}

/* The graph without positions: the canonical form has other lines. */
static void print_graph(hd_str *out, const hd_program *program) {
  for (hd_edge_id e = 0; e < program->edges.size; e++) {
    hd_str_printf(out, "%u %u ", program->edges.data[e].from,
                  program->edges.data[e].to);
    hd_program_print_edge(out, program, e);
    hd_str_puts(out, "\n");
  }
}

static void round_trip(const char *text, size_t size,
                       const hd_program *program) {
  hd_str once = {0}, twice = {0}, graph = {0}, again = {0};
  fuzz_require(format(text, size, &once), "what is read can be printed");
  fuzz_require(format(hd_str_text(&once), once.size, &twice),
               "what is printed can be read");
  fuzz_require(!strcmp(hd_str_text(&once), hd_str_text(&twice)),
               "printing again changes nothing");
  hd_program *back = parse(hd_str_text(&once), once.size);
  fuzz_require(back != NULL, "what is printed is a program");
  print_graph(&graph, program);
  print_graph(&again, back);
  fuzz_require(!strcmp(hd_str_text(&graph), hd_str_text(&again)),
               "what is printed is the same program");
  hd_program_delete(back);
  hd_str_free(&once);
  hd_str_free(&twice);
  hd_str_free(&graph);
  hd_str_free(&again);
}

/* Engine and simplifications depend on the input, so that all are tried. */
static void verify(const hd_program *program, size_t size) {
  static const char *const engines[] = {"bws", "km", NULL};
  hd_program_options options = {
      .threads = hd_program_threads(program),
      .assertion = HD_NO_ID,
      .finite = {.no_propagate = size & 1,
                 .no_live = size & 2,
                 .no_thread = size & 4,
                 .no_slice = size & 8,
                 .all_lazy = size & 16},
      .verify = {.engine = engines[size % 3],
                 .order = (hd_km_order)(size % 5 % 3)}};
  hd_run run = {.steps = 3000, .deadline = hd_now() + 2};
  hd_program_run made = {0};
  hd_result result = {0};
  hd_verify_status status =
      hd_verify_program(program, &options, &run, &made, &result);
  fuzz_require(status != HD_VERIFY_INTERNAL, "evidence is right");
  hd_result_free(&result);
  hd_program_run_free(&made);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t before = hd_mem_current();
  const char *text = (const char *)data;
  hd_program *program = parse(text, size);
  if (program) {
    round_trip(text, size, program);
    verify(program, size);
  }
  hd_program_delete(program);
  fuzz_require(hd_mem_current() == before, "nothing leaks");
  return 0;
}
