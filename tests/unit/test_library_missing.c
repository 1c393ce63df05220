/* SPDX-License-Identifier: MIT */
/* A heddle whose SMT solver or whose solver of linear programs is not installed
 * says so and ends with status 6. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "solve/glpk_name.h"
#include "solve/lp.h"
#include "solve/smt.h"

#undef HD_GLPK_LIBRARY
#define HD_GLPK_LIBRARY "libglpk-that-is-not-there.so"
#include "solve/glpk_library.c"
#undef HD_Z3_LIBRARY
#define HD_Z3_LIBRARY "libz3-that-is-not-there.so"
#include "solve/z3_library.c"

#include <string.h>
#include <sys/wait.h>
#include <stdlib.h>
#include <unistd.h>

/* What a process says that calls `open`, and it must end with status 6. */
static void last_words(void (*open)(void), char *text, size_t size) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  if (!child) {
    dup2(ends[1], STDERR_FILENO);
    open();
    _Exit(0);
  }
  close(ends[1]);
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  ssize_t n = read(ends[0], text, size - 1);
  assert_true(n > 0);
  text[n] = 0;
  close(ends[0]);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 6);
}

static void open_smt(void) {
  hd_smt_new();
}

static void a_missing_smt_solver_is_named(void **state) {
  char text[1000];
  last_words(open_smt, text, sizeof text);
  assert_non_null(strstr(text, "heddle: the SMT solver cannot be loaded: "));
  assert_non_null(strstr(text, "install Z3 (libz3-that-is-not-there.so"));
}

static void open_lp(void) {
  hd_lp_new();
}

static void a_missing_lp_solver_is_named(void **state) {
  char text[1000];
  last_words(open_lp, text, sizeof text);
  assert_non_null(
      strstr(text, "heddle: the solver of linear programs cannot be loaded: "));
  assert_non_null(strstr(text, "install GLPK (libglpk-that-is-not-there.so"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_missing_smt_solver_is_named),
      cmocka_unit_test(a_missing_lp_solver_is_named),
  };
  return cmocka_run_group_tests_name("library_missing", tests, NULL, NULL);
}
