/* SPDX-License-Identifier: MIT */
/* Reports on runs of C programs: rows, tables, JSON, diagrams, and the text of
 * statements. The run is made up here, event by event. */
#include "front/c/property.h"
#include "front/code/code.h"
#include "report/code.h"
#include "report/code_lines.h"
#include "report/code_rows.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char source_text[] =
    "int counter; /* shared */\n"
    "pthread_mutex_t m;\n"
    "void *worker(void *arg) {\n"
    "  pthread_mutex_lock(&m);   counter++;   // one more\n"
    "  for (int i = 0; i < 2; i++) { counter += i; }\n"
    "  puts(\"a;b\"); return 0;\n"
    "}\n"
    "int main(void) {\n"
    "  pthread_create(&t, 0, worker, 0);\n"
    "  counter = 5;\n"
    "}\n";

static const char graph_text[] =
    "heddle code 1\n"
    "target 64\n"
    "file 0 \"%s\"\n"
    "global @counter \"counter\" size 4 align 4 at 0:1:5\n"
    "function @worker \"worker\" (%%arg) -> ptr at 0:3:7 {\n"
    "  reg %%arg ptr \"arg\"\n"
    "  reg %%1 i32\n"
    "  location 0 0:4:3\n"
    "    -> 1 0:4:3 skip\n"
    "  location 1 0:4:29\n"
    "    -> 2 0:4:36 load %%1 = @counter\n"
    "  location 2 0:4:29\n"
    "    -> 3 0:4:36 store @counter = add.i32.nsw(%%1, 1:i32)\n"
    "  location 3 0:6:3\n"
    "    -> 3 0:6:16 return null\n"
    "}\n"
    "function @main \"main\" () -> i32 at 0:8:5 {\n"
    "  location 0 0:9:3\n"
    "    -> 1 0:9:3 skip\n"
    "  location 1 0:10:3\n"
    "    -> 2 0:10:11 store @counter = 5:i32\n"
    "  location 2 0:11:1\n"
    "    -> 2 0:11:1 return 0:i32\n"
    "}\n";

typedef struct {
  char path[64];
  hd_code *code;
  hd_code_trace *trace;
} fixture;

static hd_code *read_graph(const char *path) {
  hd_str text = {0};
  hd_str_printf(&text, graph_text, path);
  hd_source source =
      hd_source_from_text("x.code", hd_str_text(&text), text.size);
  hd_diag *diag = hd_diag_new();
  hd_code *code = hd_code_read(&source, diag);
  hd_diag_print(diag, stderr, false);
  hd_diag_delete(diag);
  hd_source_free(&source);
  hd_str_free(&text);
  assert_non_null(code);
  return code;
}

static void happen(fixture *f, uint32_t move, hd_event_kind kind, hd_tid thread,
                   hd_edge_id edge, hd_tid other, uint64_t object,
                   const char *text) {
  hd_event event = {.kind = kind,
                    .thread = thread,
                    .other = other,
                    .edge = edge,
                    .object = object,
                    .text = text};
  hd_code_trace_add(f->trace, &event, move, true);
}

/* The edges, in the order of the file. */
enum { LOCK, LOAD, ADD, RETURN, CREATE, SET, END };

/* main starts a thread, which reads counter; main writes; the thread writes. */
static int start(void **state) {
  fixture *f = hd_calloc(1, sizeof *f);
  strcpy(f->path, "heddle-report-XXXXXX");
  int fd = mkstemp(f->path);
  assert_true(fd >= 0);
  ssize_t n = (ssize_t)strlen(source_text);
  assert_int_equal(write(fd, source_text, (size_t)n), n);
  close(fd);
  f->code = read_graph(f->path);
  f->trace = hd_code_trace_new(f->code);
  happen(f, 1, HD_EVENT_STEP, 0, CREATE, HD_NO_ID, 0, NULL);
  happen(f, 1, HD_EVENT_CREATE, 0, CREATE, 1, 0, NULL);
  happen(f, 2, HD_EVENT_STEP, 1, LOCK, HD_NO_ID, 0, NULL);
  happen(f, 2, HD_EVENT_ACQUIRE, 1, LOCK, HD_NO_ID, 77, "m");
  happen(f, 3, HD_EVENT_STEP, 1, LOAD, HD_NO_ID, 0, "reads counter");
  happen(f, 4, HD_EVENT_STEP, 0, SET, HD_NO_ID, 0, NULL);
  happen(f, 4, HD_EVENT_WRITE, 0, SET, HD_NO_ID, 0, "counter = 5");
  happen(f, 5, HD_EVENT_STEP, 1, ADD, HD_NO_ID, 0, NULL);
  happen(f, 5, HD_EVENT_WRITE, 1, ADD, HD_NO_ID, 0, "counter = 7");
  happen(f, 5, HD_EVENT_WRITE, 1, ADD, HD_NO_ID, 0, "counter = 1");
  happen(f, 6, HD_EVENT_OUTPUT, 1, RETURN, HD_NO_ID, 0, "a;b\n");
  *state = f;
  return 0;
}

static int stop(void **state) {
  fixture *f = *state;
  unlink(f->path);
  hd_code_trace_delete(f->trace);
  hd_code_delete(f->code);
  hd_free(f);
  assert_int_equal(hd_mem_current(), 0);
  return 0;
}

static const hd_violation race = {.property = HD_PROPERTY_RACE,
                                  .thread = 1,
                                  .other = 0,
                                  .edge = ADD,
                                  .other_edge = SET,
                                  .message = "counter"};

static void test_rows(void **state) {
  fixture *f = *state;
  hd_code_rows *rows = hd_code_rows_new(f->trace, &race);
  const struct {
    hd_tid thread;
    const char *statement, *effect;
    bool failed;
  } expected[] = {
      {0, "pthread_create(&t, 0, worker, 0);", "starts worker 1", false},
      {1, "pthread_mutex_lock(&m);", "acquires m", false},
      {1, "counter++;", "reads counter", false},
      {0, "counter = 5;", "counter = 5", true},
      {1, "counter++;", "counter = 1", true},
      {1, "return 0;", "prints \"a;b\\n\"", false},
  };
  assert_int_equal(rows->rows.size, 6);
  for (size_t i = 0; i < 6; i++) {
    assert_int_equal(rows->rows.data[i].thread, expected[i].thread);
    assert_string_equal(rows->rows.data[i].statement, expected[i].statement);
    assert_string_equal(rows->rows.data[i].effect, expected[i].effect);
    assert_int_equal(rows->rows.data[i].failed, expected[i].failed);
  }
  assert_int_equal(rows->arrows.size, 2);
  assert_int_equal(rows->arrows.data[0].kind, HD_ARROW_CREATE);
  assert_int_equal(rows->arrows.data[0].from, 0);
  assert_int_equal(rows->arrows.data[0].to, 1);
  assert_int_equal(rows->arrows.data[1].kind, HD_ARROW_RACE);
  assert_string_equal(rows->threads.data[1], "worker 1");
  hd_code_rows_delete(rows);
}

/* What has no row yet when the run ends gets one. */
static void test_violation_outside(void **state) {
  fixture *f = *state;
  hd_violation assertion = {.property = HD_PROPERTY_ASSERT,
                            .thread = 0,
                            .other = HD_NO_ID,
                            .edge = END,
                            .other_edge = HD_NO_ID};
  hd_code_rows *rows = hd_code_rows_new(f->trace, &assertion);
  assert_int_equal(rows->rows.size, 7);
  assert_true(rows->rows.data[6].failed);
  assert_int_equal(rows->rows.data[6].pos.line, 11);
  hd_code_rows_delete(rows);
}

static void statement_is(hd_code_lines *lines, uint32_t line, uint32_t column,
                         const char *expected) {
  hd_str text = {0};
  uint32_t begin;
  hd_cpos pos = {.file = 0, .line = line, .column = column};
  assert_true(hd_code_lines_statement(lines, pos, &text, &begin));
  assert_string_equal(hd_str_text(&text), expected);
  hd_str_free(&text);
}

static void test_statements(void **state) {
  fixture *f = *state;
  hd_code_lines *lines = hd_code_lines_new(f->code);
  statement_is(lines, 1, 5, "int counter;");
  statement_is(lines, 3, 7, "void *worker(void *arg)");
  statement_is(lines, 4, 3, "pthread_mutex_lock(&m);");
  statement_is(lines, 4, 36, "counter++;");
  statement_is(lines, 4, 60, "counter++;");
  statement_is(lines, 5, 19, "for (int i = 0; i < 2; i++)");
  statement_is(lines, 5, 33, "counter += i;");
  statement_is(lines, 6, 3, "puts(\"a;b\");");
  statement_is(lines, 6, 16, "return 0;");
  hd_str text = {0};
  uint32_t begin;
  hd_cpos beyond = {.file = 0, .line = 99, .column = 1};
  assert_false(hd_code_lines_statement(lines, beyond, &text, &begin));
  hd_cpos nowhere = {.file = HD_NO_ID, .line = 1, .column = 1};
  assert_false(hd_code_lines_statement(lines, nowhere, &text, &begin));
  assert_int_equal(text.size, 0);
  hd_str_free(&text);
  hd_code_lines_delete(lines);
}

/* Without the source, an edge is shown as the graph has it. */
static void test_source_missing(void **state) {
  fixture *f = *state;
  unlink(f->path);
  hd_code_rows *rows = hd_code_rows_new(f->trace, NULL);
  assert_non_null(strstr(rows->rows.data[3].statement, "store @counter"));
  hd_code_rows_delete(rows);
}

static hd_code_report report_of(fixture *f, hd_code_result *result) {
  hd_code_answer *answer = &result->answers[HD_PROPERTY_RACE];
  answer->asked = true;
  answer->verdict = HD_UNSAFE;
  answer->engine = "fuzz";
  answer->violation = race;
  answer->violation.message = hd_strdup("counter");
  answer->trace = f->trace;
  hd_vec_push(&answer->turns, ((hd_turn){.thread = 0}));
  result->answers[HD_PROPERTY_ASSERT].asked = true;
  result->answers[HD_PROPERTY_ASSERT].verdict = HD_SAFE;
  result->answers[HD_PROPERTY_DEADLOCK].asked = true;
  result->answers[HD_PROPERTY_DEADLOCK].reason = hd_strdup("a <limit>");
  hd_remarks_say(&result->notes, "an input is too wide");
  return (hd_code_report){.code = f->code,
                          .file = "x.c",
                          .n_files = 1,
                          .command = "verify",
                          .result = result};
}

static void done_with(hd_code_result *result) {
  result->answers[HD_PROPERTY_RACE].trace = NULL; /* the fixture's */
  hd_code_result_free(result);
}

static void has(const hd_str *text, const char *part) {
  if (!strstr(hd_str_text(text), part))
    fail_msg("lacks '%s':\n%s", part, hd_str_text(text));
}

static void test_text(void **state) {
  fixture *f = *state;
  hd_code_result result = {0};
  hd_code_report report = report_of(f, &result);
  hd_str text = {0};
  hd_report_code_text(&text, &report);
  has(&text, "x.c: C program, 2 functions, 7 locations, 1 global variable");
  has(&text, "race: data race on counter between");
  has(&text, "note: an input is too wide\n");
  has(&text, "assert: safe\nrace: unsafe\ndeadlock: unknown (a <limit>)\n");
  has(&text, "main ");
  has(&text, "worker 1");
  const char *last = "verdict: unsafe\n";
  assert_string_equal(text.data + text.size - strlen(last), last);
  hd_vec_clear(&text);
  report.quiet = true;
  hd_report_code_text(&text, &report);
  assert_string_equal(hd_str_text(&text), "verdict: unsafe\n");
  hd_str_free(&text);
  done_with(&result);
}

static void test_json_and_svg(void **state) {
  fixture *f = *state;
  hd_code_result result = {0};
  hd_code_report report = report_of(f, &result);
  hd_str text = {0};
  hd_report_code_json(&text, &report);
  has(&text, "\"verdict\": \"unsafe\"");
  has(&text, "\"effect\": \"reads counter\"");
  has(&text, "\"kind\": \"race\"");
  hd_vec_clear(&text);
  hd_report_code_svg(&text, &report);
  has(&text, "<svg xmlns=");
  has(&text, "class='bad'");
  has(&text, "class='arrow create'");
  has(&text, "pthread_mutex_lock(&amp;m);");
  has(&text, "</svg>\n");
  const char *file = getenv("HEDDLE_SVG"); /* to look at it */
  FILE *out = file ? fopen(file, "w") : NULL;
  if (out) {
    fputs(hd_str_text(&text), out);
    fclose(out);
  }
  hd_str_free(&text);
  done_with(&result);
}

static void test_worst(void **state) {
  (void)state;
  hd_code_result result = {0};
  assert_int_equal(hd_code_result_worst(&result), HD_SAFE);
  result.answers[0] = (hd_code_answer){.asked = true, .verdict = HD_SAFE};
  result.answers[1].asked = true;
  assert_int_equal(hd_code_result_worst(&result), HD_UNKNOWN);
  result.answers[2] = (hd_code_answer){.asked = true, .verdict = HD_UNSAFE};
  assert_int_equal(hd_code_result_worst(&result), HD_UNSAFE);
}

/* --- properties --- */

static void test_property_lists(void **state) {
  (void)state;
  hd_properties set;
  hd_str why = {0};
  assert_true(hd_properties_list("race,leak", &set, &why));
  assert_int_equal(set, 1u << HD_PROPERTY_RACE | 1u << HD_PROPERTY_LEAK);
  assert_true(hd_properties_list("all", &set, &why));
  assert_int_equal(set, ((1u << HD_PROPERTY_COUNT) - 1) & ~HD_PROPERTIES_MPI);
  assert_false(hd_properties_list("race,,leak", &set, &why));
  assert_false(hd_properties_list("racing", &set, &why));
  has(&why, "there is no property 'racing'");
  hd_str_free(&why);
}

static bool read_prp(const char *text, hd_properties *set) {
  hd_source source = hd_source_from_text("x.prp", text, strlen(text));
  hd_diag *diag = hd_diag_new();
  bool ok = hd_properties_prp(&source, set, diag);
  assert_int_equal(ok, hd_diag_errors(diag) == 0);
  hd_diag_delete(diag);
  hd_source_free(&source);
  return ok;
}

static void test_property_files(void **state) {
  (void)state;
  hd_properties set;
  assert_true(read_prp(
      "CHECK( init(main()), LTL(G ! call(reach_error())) )\n\n", &set));
  assert_int_equal(set, 1u << HD_PROPERTY_ASSERT);
  assert_true(read_prp("CHECK( init(main()), LTL(G ! data-race) )", &set));
  assert_int_equal(set, 1u << HD_PROPERTY_RACE);
  assert_true(read_prp("CHECK( init(main()), LTL(G valid-free) )\n"
                       "CHECK( init(main()), LTL(G valid-deref) )\n"
                       "CHECK( init(main()), LTL(G valid-memtrack) )\n",
                       &set));
  assert_int_equal(set, 1u << HD_PROPERTY_MEMORY | 1u << HD_PROPERTY_LEAK);
  assert_true(read_prp("CHECK( init(main()), LTL(G ! overflow) )", &set));
  assert_int_equal(set, 1u << HD_PROPERTY_OVERFLOW);
  assert_false(read_prp("CHECK( init(main()), LTL(F end) )", &set));
  assert_false(read_prp("CHECK( init(f()), LTL(G ! overflow) )", &set));
  assert_false(read_prp("CHECK( init(main()), LTL(G sunshine) )", &set));
  assert_false(read_prp("CHECK( init(main()) )", &set));
  assert_false(read_prp("\n", &set));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_rows, start, stop),
      cmocka_unit_test_setup_teardown(test_violation_outside, start, stop),
      cmocka_unit_test_setup_teardown(test_statements, start, stop),
      cmocka_unit_test_setup_teardown(test_source_missing, start, stop),
      cmocka_unit_test_setup_teardown(test_text, start, stop),
      cmocka_unit_test_setup_teardown(test_json_and_svg, start, stop),
      cmocka_unit_test(test_worst),
      cmocka_unit_test(test_property_lists),
      cmocka_unit_test(test_property_files),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
