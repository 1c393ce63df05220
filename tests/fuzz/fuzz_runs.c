/* SPDX-License-Identifier: MIT */
/* libFuzzer harness for evidence about C programs: schedules, annotations and
 * answers, all about one program. The first byte says which; the head lines,
 * with the hash of the program, stand before the rest already. Schedules are
 * replayed, annotations judged. */
#include "fuzz.h"

#include "api/answer.h"
#include "check/notes/notes.h"
#include "engine/explore/explore.h"
#include "front/code/code.h"
#include "front/schedule/schedule.h"

#include <inttypes.h>

/* Two threads, a lock, a loop with input, an array behind a pointer. */
static const char program[] =
    "heddle code 1\ntarget 64\nfile 0 \"t.c\"\n"
    "global @x \"x\" size 4 align 4\nglobal @k \"k\" size 3 align 1\n"
    "global @m \"m\" size 40 align 8\nglobal @th \"th\" size 8 align 8\n"
    "function @pthread_create (ptr, ptr, ptr, ptr) -> i32 external\n"
    "function @pthread_join (i64, ptr) -> i32 external\n"
    "function @pthread_mutex_lock (ptr) -> i32 external\n"
    "function @pthread_mutex_unlock (ptr) -> i32 external\n"
    "function @reach_error () -> void external\n"
    "function @heddle_nondet_int (i32, i32) -> i32 external\n"
    "function @w (%a) -> ptr {\n"
    "  reg %a ptr\n  reg %k i32\n  reg %i i32\n  reg %b i8\n  reg %q ptr\n"
    "  slot &l \"l\" size 4 align 4\n"
    "  location 0 -\n    -> 1 - set %i = 0:i32\n"
    "  location 1 -\n    -> 2 - when slt.i1(%i, 3:i32)\n"
    "    -> 8 - when sge.i1(%i, 3:i32)\n"
    "  location 2 -\n    -> 3 - call %k = @pthread_mutex_lock(@m)\n"
    "  location 3 -\n    -> 4 - store @x = %i\n"
    "  location 4 -\n    -> 5 - call %k = @pthread_mutex_unlock(@m)\n"
    "  location 5 -\n    -> 6 - load %b = @k\n"
    "  location 6 -\n    -> 7 - store @k = add.i8(%b, 1:i8)\n"
    "  location 7 -\n    -> 1 - set %i = add.i32(%i, 1:i32)\n"
    "  location 8 -\n    -> 8 - return %a\n}\n"
    "function @main () -> i32 {\n"
    "  reg %k i32\n  reg %h i64\n  reg %n i32\n"
    "  location 0 -\n    -> 1 - call %n = @heddle_nondet_int(0:i32, 4:i32)\n"
    "  location 1 -\n"
    "    -> 2 - call %k = @pthread_create(@th, null, @w, null)\n"
    "  location 2 -\n    -> 3 - load %h = @th\n"
    "  location 3 -\n    -> 4 - call %k = @pthread_join(%h, null)\n"
    "  location 4 -\n    -> 5 - when eq.i1(%n, 3:i32)\n"
    "    -> 6 - when ne.i1(%n, 3:i32)\n"
    "  location 5 -\n    -> 6 - call @reach_error()\n"
    "  location 6 -\n    -> 6 - return 0:i32\n}\n";

static hd_code *read_program(void) {
  hd_diag *diag = hd_diag_new();
  hd_source source = hd_source_from_text("t.code", program, sizeof program - 1);
  hd_code *code = hd_code_read(&source, diag);
  if (!code)
    hd_diag_print(diag, stderr, false);
  fuzz_require(code != NULL, "the program can be read");
  hd_source_free(&source);
  hd_diag_delete(diag);
  return code;
}

static const hd_properties checks = ((hd_properties)1 << HD_PROPERTY_COUNT) - 1;

static void schedule(const hd_code *code, const hd_str *text) {
  hd_diag *diag = hd_diag_new();
  hd_source source =
      hd_source_from_text("schedule", hd_str_text(text), text->size);
  hd_start start = {0};
  hd_turns turns = {0};
  bool ok = hd_turns_parse(&source, code, &start, &turns, diag);
  fuzz_require(ok == !hd_diag_errors(diag), "refusal has a message");
  if (ok) {
    hd_machine_options options = {.checks = checks};
    hd_replayed replayed = hd_replay(code, &options, &turns, checks);
    hd_replayed_free(&replayed);
  }
  hd_start_free(&start);
  hd_vec_free(&turns);
  fuzz_end_diag(diag);
  hd_source_free(&source);
}

static void annotation(const hd_code *code, const hd_str *text, uint64_t hash) {
  hd_str why = {0}, once = {0}, twice = {0};
  hd_run run = {.steps = 20000};
  hd_annotation *notes =
      hd_annotation_parse(hd_str_text(text), code, hash, &run, &why);
  fuzz_require(!notes == !!why.size, "refusal has a reason");
  if (notes) {
    hd_walked walked;
    hd_annotation_print(&once, notes, hash);
    hd_annotation *back =
        hd_annotation_parse(hd_str_text(&once), code, hash, &run, &why);
    fuzz_require(back != NULL, "what is printed can be read");
    hd_annotation_print(&twice, back, hash);
    fuzz_require(!strcmp(hd_str_text(&once), hd_str_text(&twice)),
                 "printing again changes nothing");
    hd_annotation_delete(back);
    hd_properties proved =
        hd_annotation_judge(notes, checks, &run, &walked, &why);
    fuzz_require(proved || why.size, "refusal has a reason");
    fuzz_require(!(proved >> HD_PROPERTY_ASSERT & 1), "it is not true");
    hd_annotation_delete(notes);
  }
  hd_str_free(&why);
  hd_str_free(&once);
  hd_str_free(&twice);
}

static void answer(const hd_code *code, const hd_str *text) {
  hd_code_result result = {0};
  hd_str why = {0};
  bool ok =
      hd_answer_parse_code(hd_str_text(text), text->size, code, &result, &why);
  fuzz_require(ok == !why.size, "refusal has a reason");
  hd_code_result_free(&result);
  hd_str_free(&why);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static const char *const heads[] = {
      "heddle schedule 1\nprogram %016" PRIx64 "\n",
      "heddle annotation 1\nprogram %016" PRIx64 "\n"};
  size_t before = hd_mem_current();
  if (!size)
    return 0;
  hd_code *code = read_program();
  uint64_t hash = hd_turns_program(code);
  hd_str text = {0};
  unsigned kind = data[0] % 3;
  if (kind < 2) {
    char head[64];
    snprintf(head, sizeof head, heads[kind], hash);
    hd_str_puts(&text, head);
  }
  hd_str_append(&text, (const char *)data + 1, size - 1);
  if (kind == 0)
    schedule(code, &text);
  else if (kind == 1)
    annotation(code, &text, hash);
  else
    answer(code, &text);
  hd_str_free(&text);
  hd_code_delete(code);
  fuzz_require(hd_mem_current() == before, "nothing leaks");
  return 0;
}
