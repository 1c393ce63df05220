/* SPDX-License-Identifier: MIT */
/* Variables that were never set as inputs: the graph stays valid, edges keep
 * their numbers, and the value that is drawn is the one that is read. */
#include "check/interp/interp.h"
#include "front/code/code.h"
#include "front/schedule/schedule.h"
#include "model/unset.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEAD                                                                   \
  "heddle code 1\n"                                                            \
  "target 64\n"                                                                \
  "file 0 \"x.c\"\n"                                                           \
  "function @main \"main\" () -> i32 at 0:1:1 {\n"                             \
  "  reg %x i32\n"                                                             \
  "  reg %y i32\n"                                                             \
  "  reg %b i8\n"                                                              \
  "  reg %p ptr\n"                                                             \
  "  location 0 0:2:3\n"

static const char three[] = HEAD "    -> 1 0:2:3 set %x = undef:i32\n"
                                 "  location 1 0:3:3\n"
                                 "    -> 2 0:3:3 set %y = undef:i32\n"
                                 "  location 2 0:4:3\n"
                                 "    -> 3 0:4:3 set %b = undef:i8\n"
                                 "  location 3 0:5:3\n"
                                 "    -> 4 0:5:3 set %p = undef:ptr\n"
                                 "  location 4 0:6:3\n"
                                 "    -> 4 0:6:3 return sub.i32(%x, %y)\n"
                                 "}\n";
static const char none[] = HEAD "    -> 1 0:2:3 set %x = 1:i32\n"
                                "  location 1 0:3:3\n"
                                "    -> 2 0:3:3 set %p = undef:ptr\n"
                                "  location 2 0:6:3\n"
                                "    -> 2 0:6:3 return %x\n"
                                "}\n";

static hd_code *read_text(const char *text) {
  hd_source source = hd_source_from_text("x.code", text, strlen(text));
  hd_diag *diag = hd_diag_new();
  hd_code *code = hd_code_read(&source, diag);
  hd_diag_print(diag, stderr, false);
  assert_non_null(code);
  hd_diag_delete(diag);
  hd_source_free(&source);
  return code;
}

static void nothing_to_do(void **state) {
  (void)state;
  hd_code *code = read_text(none);
  assert_null(hd_unset_new(code));
  hd_code_delete(code);
}

static void stays_valid(void **state) {
  (void)state;
  hd_code *code = read_text(three);
  hd_code *inputs = hd_unset_new(code);
  hd_str why = {0};
  assert_non_null(inputs);
  assert_true(hd_code_valid(inputs, &why));
  assert_int_equal(inputs->edges.size, code->edges.size);
  /* a function for i32, which serves twice, and one for i8 */
  assert_int_equal(inputs->funcs.size, code->funcs.size + 2);
  for (hd_edge_id e = 0; e < code->edges.size; e++)
    assert_int_equal(inputs->edges.data[e].act,
                     e < 3 ? HD_CODE_CALL : code->edges.data[e].act);
  assert_true(hd_turns_program(inputs) != hd_turns_program(code));
  /* its text is that of a program, too */
  hd_str text = {0};
  hd_code_print(&text, inputs);
  hd_code *again = read_text(hd_str_text(&text));
  assert_int_equal(hd_turns_program(again), hd_turns_program(inputs));
  assert_null(hd_unset_new(again));
  hd_code_delete(again);
  hd_str_free(&text);
  hd_str_free(&why);
  hd_unset_delete(inputs);
  hd_code_delete(code);
}

static void value_is_drawn(void **state) {
  (void)state;
  hd_code *code = read_text(three);
  hd_code *inputs = hd_unset_new(code);
  hd_machine_options options = {.exact = true};
  const int64_t values[] = {50, 8, 1};
  hd_machine *m = hd_machine_new(inputs, &options);
  for (size_t n = 0; hd_machine_status_of(m) == HD_MACHINE_RUNNING;) {
    hd_turn turn = {0};
    if (hd_machine_is_input(m, 0)) {
      assert_in_range(n, 0, 2);
      turn.choice = (uint64_t)(values[n++] - hd_machine_input_low(m, 0));
    }
    hd_machine_move(m, turn);
  }
  assert_int_equal(hd_machine_status_of(m), HD_MACHINE_EXITED);
  assert_int_equal(hd_machine_exit_code(m), 42);
  hd_machine_delete(m);
  hd_unset_delete(inputs);
  hd_code_delete(code);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(nothing_to_do),
      cmocka_unit_test(stays_valid),
      cmocka_unit_test(value_is_drawn),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
