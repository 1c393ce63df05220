/* SPDX-License-Identifier: MIT */
/* The table of the library: each row fits together, and is found. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "model/calls.h"

#include <errno.h>
#include <string.h>

static hd_library_fn find(const char *name) {
  hd_library_fn fn = hd_library_find(name);
  if (fn == HD_LIB_NONE)
    fail_msg("%s is not found", name);
  return fn;
}

static void test_names(void **state) {
  (void)state;
  for (int i = 1; i < HD_LIB_COUNT; i++) {
    hd_library_fn fn = (hd_library_fn)i;
    assert_int_equal(find(hd_library_name(fn)), fn);
    assert_true(hd_library_action(fn) != HD_DO_NONE);
    assert_true(strlen(hd_action_text(hd_library_action(fn))) > 0);
  }
  assert_int_equal(hd_library_find("pthread_mutex_loc"), HD_LIB_NONE);
  assert_int_equal(hd_library_action(HD_LIB_NONE), HD_DO_NONE);
  assert_int_equal(find("llvm.lifetime.start"), HD_LIB_llvm_lifetime_start);
  assert_int_equal(find("__CPROVER_assume"), HD_LIB___VERIFIER_assume);
  assert_int_equal(find("__VERIFIER_nondet_what"),
                   HD_LIB___VERIFIER_nondet_any);
  assert_int_equal(find("MPI_Of_next_year"), HD_LIB_MPI_);
}

/* How many arguments of this letter has it? */
static int letters(hd_library_fn fn, const char *which) {
  int n = 0;
  for (const char *c = hd_library_args(fn); *c; c++)
    n += strchr(which, *c) != NULL;
  return n;
}

static bool works_on_place(hd_action action) {
  return action == HD_DO_MAKE || action == HD_DO_UNMAKE ||
         action == HD_DO_ACQUIRE || action == HD_DO_RELEASE ||
         action == HD_DO_MEND || action == HD_DO_PEEK || action == HD_DO_PARK ||
         action == HD_DO_WAKE || action == HD_DO_MEET || action == HD_DO_ONCE;
}

static void check_row(hd_library_fn fn) {
  hd_action action = hd_library_action(fn);
  hd_library_kind kind;
  bool timed = hd_library_is(fn, HD_CALL_TIMED);
  bool tries = hd_library_is(fn, HD_CALL_TRIES);
  assert_int_equal(strspn(hd_library_args(fn), "-rwxtundmfkclpv*?RWFKL"),
                   strlen(hd_library_args(fn)));
  /* The first argument is the lock, and only who works on locks has one. */
  assert_int_equal(works_on_place(action), letters(fn, "und"));
  assert_int_equal(works_on_place(action),
                   hd_library_place_bytes(hd_library_kind_of(fn), 64) != 0);
  hd_place place = hd_library_place(fn, 0, &kind);
  assert_int_equal(place, action == HD_DO_MAKE     ? HD_PLACE_MADE
                          : action == HD_DO_UNMAKE ? HD_PLACE_ENDED
                          : works_on_place(action) ? HD_PLACE_USED
                                                   : HD_PLACE_NONE);
  assert_int_equal(letters(fn, "m"), action == HD_DO_PARK);
  assert_int_equal(letters(fn, "t"), timed || action == HD_DO_SLEEP);
  assert_false(tries && hd_library_is(fn, HD_CALL_WAITS));
  assert_true(!timed || hd_library_is(fn, HD_CALL_WAITS));
  assert_true(!tries || action == HD_DO_ACQUIRE);
  assert_true(action != HD_DO_ACQUIRE ||
              hd_library_is(fn, HD_CALL_WAITS | HD_CALL_TRIES));
  assert_int_equal(letters(fn, "F"),
                   action == HD_DO_FREE || action == HD_DO_RESIZE);
  assert_int_equal(letters(fn, "p"), action == HD_DO_PRINT);
  assert_int_equal(hd_library_input(fn) != HD_INPUT_NONE,
                   action == HD_DO_INPUT);
  if (hd_library_is(fn, HD_CALL_CHARACTER))
    assert_int_equal(hd_library_kind_of(fn), HD_LIBRARY_NUMBER);
  if (hd_library_is(fn, HD_CALL_PURE))
    assert_int_equal(letters(fn, "-"), (int)strlen(hd_library_args(fn)));
}

static void test_rows(void **state) {
  (void)state;
  for (int i = 1; i < HD_LIB_COUNT; i++) {
    hd_library_fn fn = (hd_library_fn)i;
    if (hd_library_action(fn) == HD_DO_MPI ||
        hd_library_action(fn) == HD_DO_REFUSED)
      assert_int_equal(hd_library_arg(fn, 9), HD_ARG_ALL);
    else
      check_row(fn);
  }
}

static void test_arguments(void **state) {
  (void)state;
  assert_int_equal(hd_library_arg(find("pthread_create"), 2),
                   HD_ARG_CALL | HD_ARG_KEEP);
  assert_int_equal(hd_library_arg_at(find("thrd_create"), HD_ARG_CALL), 1);
  assert_int_equal(hd_library_arg(find("printf"), 7),
                   HD_ARG_READ | HD_ARG_WRITE);
  assert_int_equal(hd_library_arg(find("__VERIFIER_assert"), 3), 0);
  assert_int_equal(hd_library_arg(find("memcpy"), 1), HD_ARG_READ);
  assert_int_equal(hd_library_arg_at(find("memcmp"), HD_ARG_WRITE), -1);
  assert_true(hd_library_arg(HD_LIB_NONE, 4) & HD_ARG_KEEP);
  assert_int_equal(hd_library_format_at(find("__fprintf_chk")), 2);
  assert_int_equal(hd_library_format_at(find("snprintf")), -1);
  assert_true(hd_library_stores_input(find("time")));
  assert_false(hd_library_stores_input(find("rand")));
}

static void test_errors(void **state) {
  (void)state;
  assert_int_equal(hd_library_error(find("pthread_mutex_trylock"), EBUSY),
                   EBUSY);
  assert_int_equal(hd_library_error(find("mtx_trylock"), EBUSY), 1);
  assert_int_equal(hd_library_error(find("mtx_timedlock"), ETIMEDOUT), 4);
  assert_int_equal(hd_library_error(find("mtx_lock"), EDEADLK), 2);
  assert_int_equal(hd_library_error(find("sem_trywait"), EAGAIN), UINT32_MAX);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_names),
      cmocka_unit_test(test_rows),
      cmocka_unit_test(test_arguments),
      cmocka_unit_test(test_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
