/* SPDX-License-Identifier: MIT */
/* Globals that may still be read, location by location. (That leaving the others
 * out of states loses nothing is tried in test_explore on random programs.) */
#include "model/live_globals.h"

#include "base/bitset.h"
#include "explore_util.h"

static const char program[] =
    "heddle code 1\ntarget 64\n"
    "global @early size 4 align 4\n"   /* written first */
    "global @late size 4 align 4\n"    /* read first */
    "global @part size 8 align 4\n"    /* only half of it is written */
    "global @counted size 4 align 4\n" /* added to */
    "global @helped size 4 align 4\n"  /* read by a function */
    "global @passed size 4 align 4\n"  /* its address goes away */
    "global @pointed size 4 align 4\n" /* … at the start */
    "global @p size 8 align 8 reloc 0 @pointed\n"
    "global @fixed size 4 align 4 const\n"
    "global @unused size 4 align 4\n"
    "function @helper () -> i32 {\n  reg %a i32\n"
    "  location 0 -\n    -> 1 - load %a = @helped\n"
    "  location 1 -\n    -> 1 - return %a\n}\n"
    "function @worker (%arg) -> ptr {\n  reg %arg ptr\n  reg %a i32\n"
    "  location 0 -\n    -> 1 - store @early = 1:i32\n"
    "  location 1 -\n    -> 2 - load %a = @early\n"
    "  location 2 -\n    -> 3 - load %a = @late\n"
    "  location 3 -\n    -> 4 - store @part = 1:i32\n"
    "  location 4 -\n    -> 5 - load %a = ptradd.ptr(@part, 4:i64)\n"
    "  location 5 -\n    -> 6 - rmw.add.seq_cst %a = @counted, 1:i32\n"
    "  location 6 -\n    -> 7 - call %a = @helper()\n"
    "  location 7 -\n    -> 8 - call %a = @atoi(@passed)\n"
    "  location 8 -\n    -> 8 - return null\n}\n"
    "function @main () -> i32 {\n  reg %a i32\n"
    "  location 0 -\n    -> 1 - call %a = @pthread_create(null, null, "
    "@worker, null)\n"
    "  location 1 -\n    -> 2 - store @helped = 2:i32\n"
    "  location 2 -\n    -> 3 - call %a = @puts(null)\n"
    "  location 3 -\n    -> 4 - load %a = @helped\n"
    "  location 4 -\n    -> 4 - return 0:i32\n}\n"
    "function @pthread_create (ptr, ptr, ptr, ptr) -> i32 external\n"
    "function @puts (ptr) -> i32 external\n"
    "function @atoi (ptr) -> i32 external\n";

static uint32_t global(const hd_code *code, const char *name) {
  for (uint32_t g = 0; g < code->globals.size; g++)
    if (strcmp(code->globals.data[g].name, name) == 0)
      return g;
  fail_msg("no global %s", name);
  return HD_NO_ID;
}

static hd_loc_id location(const hd_code *code, const char *func, uint32_t loc) {
  for (hd_vec_each(hd_func, f, &code->funcs))
    if (strcmp(f->name, func) == 0)
      return f->locs + loc;
  fail_msg("no function %s", func);
  return HD_NO_ID;
}

/* The names of the globals that are live there, in order, one behind the other
 * with a blank. */
static void expect(const hd_code *code, const hd_live_globals *live,
                   const char *func, uint32_t loc, const char *names) {
  uint64_t set[4] = {0};
  assert_in_range(hd_live_globals_words(live), 1, 4);
  hd_live_globals_at(live, location(code, func, loc), set);
  hd_str found = {0};
  for (uint32_t g = 0; g < code->globals.size; g++) {
    uint32_t bit;
    if (hd_live_globals_has(live, g, &bit) && hd_bits_test(set, bit))
      hd_str_printf(&found, "%s%s", found.size ? " " : "",
                    code->globals.data[g].name);
  }
  assert_string_equal(hd_str_text(&found), names);
  hd_str_free(&found);
}

static void test_which(void **state) {
  (void)state;
  hd_code *code = read_code(program);
  hd_live_globals *live = hd_live_globals_new(code);
  static const char *const always[] = {"passed", "pointed", "fixed"};
  static const char *const looked_at[] = {"early",  "late", "part",  "counted",
                                          "helped", "p",    "unused"};
  uint32_t bit;
  for (size_t i = 0; i < 3; i++)
    assert_false(hd_live_globals_has(live, global(code, always[i]), &bit));
  for (size_t i = 0; i < 7; i++)
    assert_true(hd_live_globals_has(live, global(code, looked_at[i]), &bit));
  hd_live_globals_delete(live);
  hd_code_delete(code);
}

static void test_locations(void **state) {
  (void)state;
  hd_code *code = read_code(program);
  hd_live_globals *live = hd_live_globals_new(code);
  expect(code, live, "worker", 0, "late part counted helped");
  expect(code, live, "worker", 1, "early late part counted helped");
  expect(code, live, "worker", 2, "late part counted helped");
  expect(code, live, "worker", 3, "part counted helped");
  expect(code, live, "worker", 5, "counted helped");
  expect(code, live, "worker", 6, "helped");
  expect(code, live, "worker", 7, "");
  expect(code, live, "helper", 1, "");
  /* Before the thread is there, what it will read. */
  expect(code, live, "main", 0, "late part counted helped");
  expect(code, live, "main", 1, "");
  expect(code, live, "main", 2, "helped");
  expect(code, live, "main", 4, "");
  hd_live_globals_delete(live);
  hd_code_delete(code);
}

/* A destructor can run whenever a thread ends. */
static void test_handlers(void **state) {
  (void)state;
  hd_str text = {0};
  hd_str_printf(&text,
                "%sfunction @pthread_key_create (ptr, ptr) -> i32 "
                "external\n",
                program);
  hd_code *code = read_code(hd_str_text(&text));
  hd_live_globals *live = hd_live_globals_new(code);
  expect(code, live, "main", 4, "late part counted helped");
  hd_live_globals_delete(live);
  hd_code_delete(code);
  hd_str_free(&text);
}

/* Ways for the address of a global to get away, and functions that are called
 * from elsewhere. */
static const char ways[] =
    "heddle code 1\ntarget 64\n"
    "global @guarded size 4 align 4\n" /* its address is compared */
    "global @indexes size 4 align 4\n" /* … is part of an offset */
    "global @stored size 4 align 4\n"  /* … is stored */
    "global @mine size 4 align 4 tls\n"
    "global @elsewhere size 4 align 4 external\n"
    "global @p size 8 align 8\nglobal @array size 8 align 4\n"
    "global @called size 4 align 4\n" /* read by a function in a pointer */
    "function @back () -> i32 {\n  reg %a i32\n"
    "  location 0 -\n    -> 1 - load %a = @called\n"
    "  location 1 -\n    -> 1 - return %a\n}\n"
    "function @main () -> i32 {\n  reg %a i32\n  reg %f ptr\n"
    "  location 0 -\n    -> 1 - when ne.i1(@guarded, null)\n"
    "  location 1 -\n    -> 2 - load %a = ptradd.ptr(@array, "
    "and.i64(ptrtoint.i64(@indexes), 4:i64))\n"
    "  location 2 -\n    -> 3 - store @p = @stored\n"
    "  location 3 -\n    -> 4 - store @mine = 1:i32\n"
    "  location 4 -\n    -> 5 - store @elsewhere = 1:i32\n"
    "  location 5 -\n    -> 6 - set %f = @back\n"
    "  location 6 -\n    -> 7 - call %a = %f()\n"
    "  location 7 -\n    -> 7 - return 0:i32\n}\n";

static void test_ways(void **state) {
  (void)state;
  hd_code *code = read_code(ways);
  hd_live_globals *live = hd_live_globals_new(code);
  static const char *const always[] = {"guarded", "indexes", "stored", "mine",
                                       "elsewhere"};
  uint32_t bit;
  for (size_t i = 0; i < sizeof always / sizeof *always; i++)
    if (hd_live_globals_has(live, global(code, always[i]), &bit))
      fail_msg("%s is taken for one that is used by name only", always[i]);
  assert_true(hd_live_globals_has(live, global(code, "called"), &bit));
  expect(code, live, "main", 6, "called");
  expect(code, live, "main", 7, "");
  hd_live_globals_delete(live);
  hd_code_delete(code);
}

/* What atexit was given runs at the end, whoever ends the program. */
static void test_atexit(void **state) {
  (void)state;
  hd_str text = {0};
  hd_str_printf(&text, "%sfunction @atexit (ptr) -> i32 external\n", ways);
  hd_code *code = read_code(hd_str_text(&text));
  hd_live_globals *live = hd_live_globals_new(code);
  expect(code, live, "main", 7, "called");
  hd_live_globals_delete(live);
  hd_code_delete(code);
  hd_str_free(&text);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_ways),     cmocka_unit_test(test_atexit),
      cmocka_unit_test(test_which),    cmocka_unit_test(test_locations),
      cmocka_unit_test(test_handlers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
