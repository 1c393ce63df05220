/* SPDX-License-Identifier: MIT */
/* Bounds on loops: the graph stays valid, edges keep their numbers, and a run
 * is cut exactly where it goes round once too often. */
#include "check/interp/interp.h"
#include "front/code/code.h"
#include "model/unwind.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* Counts to @limit, in an inner loop of two rounds; the outer head is where the
 * function begins. */
static const char text[] =
    "heddle code 1\n"
    "target 64\n"
    "file 0 \"x.c\"\n"
    "function @count \"count\" (%n) -> i32 at 0:1:1 {\n"
    "  reg %n i32\n"
    "  reg %j i32\n"
    "  location 0 0:2:3 loop 0:2:3\n"
    "    -> 1 0:2:3 when ne.i1(%n, 0:i32)\n"
    "    -> 4 0:2:3 when eq.i1(%n, 0:i32)\n"
    "  location 1 0:3:3\n"
    "    -> 2 0:3:3 set %j = 0:i32\n"
    "  location 2 0:3:3 loop 0:3:3\n"
    "    -> 3 0:3:3 when slt.i1(%j, 2:i32)\n"
    "    -> 0 0:2:3 set %n = sub.i32(%n, 1:i32) when sge.i1(%j, 2:i32)\n"
    "  location 3 0:4:3\n"
    "    -> 2 0:4:3 set %j = add.i32(%j, 1:i32)\n"
    "  location 4 0:5:3\n"
    "    -> 4 0:5:3 return %n\n"
    "}\n"
    "function @main \"main\" () -> i32 at 0:7:1 {\n"
    "  reg %r i32\n"
    "  location 0 0:8:3\n"
    "    -> 1 0:8:3 call %r = @count(4:i32)\n"
    "  location 1 0:9:3\n"
    "    -> 2 0:9:3 call %r = @count(4:i32)\n"
    "  location 2 0:9:3\n"
    "    -> 2 0:9:3 return %r\n"
    "}\n";

static hd_code *read_text(void) {
  hd_source source = hd_source_from_text("x.code", text, strlen(text));
  hd_diag *diag = hd_diag_new();
  hd_code *code = hd_code_read(&source, diag);
  hd_diag_print(diag, stderr, false);
  assert_non_null(code);
  hd_diag_delete(diag);
  hd_source_free(&source);
  return code;
}

static hd_machine_status run(const hd_code *code, hd_str *why) {
  hd_machine_options options = {0};
  hd_machine *machine = hd_machine_new(code, &options);
  while (hd_machine_status_of(machine) == HD_MACHINE_RUNNING)
    hd_machine_move(machine, (hd_turn){0});
  hd_machine_status status = hd_machine_status_of(machine);
  if (status == HD_MACHINE_UNSUPPORTED)
    hd_str_puts(why, hd_machine_why(machine));
  hd_machine_delete(machine);
  return status;
}

static void test_bounds(void **state) {
  (void)state;
  hd_code *code = read_text();
  for (uint32_t most = 1; most < 6; most++) {
    hd_code *unwound = hd_unwind_new(code, most);
    hd_str why = {0};
    assert_true(hd_code_valid(unwound, &why));
    assert_int_equal(why.size, 0);
    for (size_t e = 0; e < code->edges.size; e++) {
      assert_int_equal(unwound->edges.data[e].act, code->edges.data[e].act);
      assert_int_equal(unwound->edges.data[e].pos.line,
                       code->edges.data[e].pos.line);
    }
    /* Four rounds outside, in each call anew; two inside, each time anew. */
    assert_int_equal(run(unwound, &why),
                     most >= 4 ? HD_MACHINE_EXITED : HD_MACHINE_UNSUPPORTED);
    if (most == 1)
      assert_non_null(strstr(hd_str_text(&why), "x.c:3:3 goes on after 1 "));
    else if (most < 4)
      assert_non_null(strstr(hd_str_text(&why), "x.c:2:3 goes on after "));
    hd_str_free(&why);
    hd_unwind_delete(unwound);
  }
  hd_code_delete(code);
  assert_int_equal(hd_mem_current(), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_bounds),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
