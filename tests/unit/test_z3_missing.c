/* SPDX-License-Identifier: MIT */
/* A heddle whose SMT solver is not installed says so and ends with status 6. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#undef HD_Z3_LIBRARY
#define HD_Z3_LIBRARY "libz3-that-is-not-there.so"
#include "solve/smt.h"
#include "solve/z3_library.c"

#include <sys/wait.h>
#include <unistd.h>

static void a_missing_library_is_named(void **state) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  if (!child) {
    dup2(ends[1], STDERR_FILENO);
    hd_smt_new();
    _Exit(0);
  }
  close(ends[1]);
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  char text[1000];
  ssize_t n = read(ends[0], text, sizeof text - 1);
  assert_true(n > 0);
  text[n] = 0;
  close(ends[0]);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 6);
  assert_non_null(strstr(text, "heddle: the SMT solver cannot be loaded: "));
  assert_non_null(strstr(text, "install Z3 (libz3-that-is-not-there.so"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_missing_library_is_named),
  };
  return cmocka_run_group_tests_name("z3_missing", tests, NULL, NULL);
}
