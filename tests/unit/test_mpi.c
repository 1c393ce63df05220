/* SPDX-License-Identifier: MIT */
/* The concrete MPI machine: moves and choices, deadlocks of both kinds, wrong
 * use, states, replays; and random runs beside a search. Programs are lists of
 * steps, of which each location has one. */
#include "api/mpi_side.h"
#include "check/mpi/mpi.h"
#include "check/mpi/state.h"
#include "front/code/code.h"

#include <assert.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/io.h"

#include <string.h>

#define BIT(p) ((hd_properties)1 << HD_PROPERTY_##p)
#define USUAL (BIT(ASSERT) | BIT(DEADLOCK) | BIT(MPI) | BIT(MEMORY))

/* "ACTION", or "WHEN CONDITION": then the next step, else number `other`. */
typedef struct {
  const char *text;
  int other; /* of a branch; of others: the next step unless 0 */
} step;

#define INIT                                                                   \
  {"call @MPI_Init(null, null)", 0}, {"call @MPI_Comm_rank(1:i32, &rank)", 0}, \
  {                                                                            \
    "load %r = &rank", 0                                                       \
  }
#define END                                                                    \
  {"call @MPI_Finalize()", 0}, {                                               \
    "return 0:i32", 0                                                          \
  }
/* HD_MPI_ANY_SOURCE, as text. */
#define ANY_SOURCE -11
static_assert(ANY_SOURCE == HD_MPI_ANY_SOURCE, "as mpi.h has it");
#define TEXT(x) #x

/* To process `to`; from `from` (ANY_SOURCE: anybody). MPI_INT is 8. */
#define SEND(to)                                                               \
  { "call @MPI_Send(&x, 1:i32, 8:i32, " #to ":i32, 0:i32, 1:i32)", 0 }
#define RECV(from)                                                             \
  {                                                                            \
    "call @MPI_Recv(&y, 1:i32, 8:i32, " TEXT(                                  \
        from) ":i32, 0:i32, 1:i32, null)",                                     \
        0                                                                      \
  }

static void put_step(hd_str *out, int i, step s) {
  hd_str_printf(out, "  location %d 0:%d:1\n", i, i + 1);
  if (!strncmp(s.text, "return", 6)) {
    hd_str_printf(out, "    -> %d 0:%d:1 %s\n", i, i + 1, s.text);
  } else if (strncmp(s.text, "WHEN ", 5) != 0) {
    hd_str_printf(out, "    -> %d 0:%d:1 %s\n", s.other ? s.other : i + 1,
                  i + 1, s.text);
  } else {
    hd_str_printf(out, "    -> %d 0:%d:1 when eq.i1(%s)\n", i + 1, i + 1,
                  s.text + 5);
    hd_str_printf(out, "    -> %d 0:%d:1 when ne.i1(%s)\n", s.other, i + 1,
                  s.text + 5);
  }
}

static hd_code *program(const step *steps, size_t n) {
  hd_str text = {0};
  hd_str_puts(&text, "heddle code 1\ntarget 64\nfile 0 \"p.c\"\n"
                     "type 0 signed 4 \"int\"\nscope 0 - 0:1:1\n"
                     "global @s size 2 align 1 const bytes 6100\n"
                     "function @main \"main\" () -> i32 type 0 scope 0 at "
                     "0:1:1 {\n  reg %r i32\n  reg %v i32\n");
  static const char *const slots[] = {"rank", "x", "y"};
  for (size_t i = 0; i < 3; i++)
    hd_str_printf(&text,
                  "  slot &%s \"%s\" size 4 align 4 type 0 scope 0 at 0:1:1\n",
                  slots[i], slots[i]);
  for (size_t i = 0; i < n; i++)
    put_step(&text, (int)i, steps[i]);
  hd_str_puts(
      &text,
      "}\n"
      "function @MPI_Init \"MPI_Init\" (ptr, ptr) -> i32 external\n"
      "function @MPI_Comm_rank \"MPI_Comm_rank\" (i32, ptr) -> i32 external\n"
      "function @MPI_Barrier \"MPI_Barrier\" (i32) -> i32 external\n"
      "function @MPI_Finalize \"MPI_Finalize\" () -> i32 external\n"
      "function @MPI_Send \"MPI_Send\" (ptr, i32, i32, i32, i32, i32) -> i32 "
      "external\n"
      "function @MPI_Recv \"MPI_Recv\" (ptr, i32, i32, i32, i32, i32, ptr) -> "
      "i32 external\n"
      "function @__assert_fail \"__assert_fail\" (ptr, ptr, i32, ptr) -> void "
      "external\n");
  hd_source source =
      hd_source_from_text("p.code", hd_str_text(&text), text.size);
  hd_diag *diag = hd_diag_new();
  hd_code *code = hd_code_read(&source, diag);
  hd_diag_print(diag, stderr, false);
  assert_non_null(code);
  hd_diag_delete(diag);
  hd_source_free(&source);
  hd_str_free(&text);
  return code;
}
#define PROGRAM(steps) program(steps, sizeof(steps) / sizeof *(steps))

/* Both send first, then receive. */
static const step exchange[] = {
    INIT,
    {"store &x = %r", 0},
    {"WHEN %r, 0:i32", 8},
    SEND(1),
    RECV(1),
    {"skip", 10},
    SEND(0),
    RECV(0),
    END,
};

/* Process 0 takes two messages of anybody; the first must not be of 2. */
static const step collect[] = {
    INIT,
    {"store &x = %r", 0},
    {"WHEN %r, 0:i32", 12},
    RECV(ANY_SOURCE),
    {"load %v = &y", 0},
    {"WHEN %v, 2:i32", 10},
    {"call @__assert_fail(@s, @s, 3:i32, @s)", 0},
    {"unreachable", 9},
    RECV(ANY_SOURCE),
    {"skip", 13},
    SEND(0),
    END,
};

static hd_mpi_space explored(const hd_code *code, uint32_t procs) {
  hd_mpi_options options = {.procs = procs, .checks = USUAL};
  hd_mpi_space space;
  hd_run run = {0};
  hd_mpi_explore(code, &options, &run, 10000, &space);
  assert_true(space.complete);
  return space;
}

static size_t count_moves(const hd_mpi *mpi, uint32_t process) {
  hd_mpi_choices moves = {0};
  hd_mpi_moves(mpi, process, &moves);
  size_t n = moves.size;
  hd_vec_free(&moves);
  return n;
}

static void deadlocks(void **state) {
  (void)state;
  hd_code *code = PROGRAM(exchange);
  hd_mpi_space space = explored(code, 2);
  assert_true(space.potential);
  assert_false(space.absolute);
  assert_int_equal(space.outcomes.size, 1);
  assert_int_equal(space.violated, 0); /* potential ones were not asked for */
  hd_mpi_space_free(&space);

  hd_mpi_options options = {.procs = 2, .checks = USUAL};
  hd_mpi *mpi = hd_mpi_new(code, &options);
  assert_int_equal(hd_mpi_deadlocked(mpi), HD_MPI_POTENTIAL);
  assert_int_equal(count_moves(mpi, 0), 1);
  hd_mpi_move(mpi, (hd_turn){.thread = 0}); /* sends into a buffer */
  assert_int_equal(count_moves(mpi, 0), 0); /* waits */
  assert_false(hd_mpi_possible(mpi, (hd_turn){.thread = 0, .choice = 2}));
  hd_mpi_move(mpi, (hd_turn){.thread = 1});
  assert_true(hd_mpi_possible(mpi, (hd_turn){.thread = 0, .choice = 2}));
  hd_mpi_move(mpi, (hd_turn){.thread = 0, .choice = 2});
  assert_int_equal(hd_mpi_at(mpi, 0), HD_NO_ID);
  hd_mpi_move(mpi, (hd_turn){.thread = 1, .choice = 1});
  assert_int_equal(hd_mpi_status(mpi), HD_MACHINE_EXITED);
  assert_int_equal(hd_mpi_violations(mpi), 0);
  hd_mpi_delete(mpi);

  options.potential = true;
  hd_turns none = {0};
  hd_mpi_run run = hd_mpi_replay(code, &options, &none);
  assert_true(run.violated);
  assert_int_equal(run.violation.property, HD_PROPERTY_DEADLOCK);
  hd_mpi_run_free(&run);
  hd_code_delete(code);
}

static void absolute(void **state) {
  (void)state;
  static const step waits[] = {INIT, RECV(ANY_SOURCE), END};
  hd_code *code = PROGRAM(waits);
  hd_mpi_space space = explored(code, 2);
  assert_true(space.absolute && space.potential);
  assert_int_equal(space.states, 1);
  assert_true(space.violated >> HD_PROPERTY_DEADLOCK & 1);
  hd_mpi_space_free(&space);
  hd_code_delete(code);
}

static void sources(void **state) {
  (void)state;
  hd_code *code = PROGRAM(collect);
  hd_mpi_space space = explored(code, 3);
  assert_int_equal(space.violated, BIT(ASSERT));
  hd_mpi_space_free(&space);

  hd_mpi_options options = {.procs = 3, .checks = USUAL};
  hd_mpi *mpi = hd_mpi_new(code, &options);
  assert_int_equal(count_moves(mpi, 0), 0);
  hd_mpi_move(mpi, (hd_turn){.thread = 1});
  assert_int_equal(count_moves(mpi, 0), 1);
  hd_mpi_move(mpi, (hd_turn){.thread = 2});
  assert_int_equal(count_moves(mpi, 0), 2);
  hd_mpi *copy = hd_mpi_copy(mpi);
  hd_mpi_move(mpi, (hd_turn){.thread = 0, .choice = 2}); /* of rank 1 */
  assert_int_equal(hd_mpi_violations(mpi), 0);
  hd_mpi_move(copy, (hd_turn){.thread = 0, .choice = 3}); /* of rank 2 */
  assert_int_equal(hd_mpi_violations(copy), 1);
  assert_int_equal(hd_mpi_violation(copy, 0)->property, HD_PROPERTY_ASSERT);
  assert_int_equal(hd_mpi_violation(copy, 0)->thread, 0);
  hd_mpi_delete(copy);
  hd_mpi_delete(mpi);

  /* With one worker the second receive waits in vain. */
  space = explored(code, 2);
  assert_true(space.absolute);
  hd_mpi_space_free(&space);
  hd_code_delete(code);
}

/* The same states, whoever sent first. */
static void states(void **state) {
  (void)state;
  hd_code *code = PROGRAM(collect);
  hd_mpi_options options = {.procs = 3, .checks = USUAL};
  hd_bytes codes[2] = {0};
  for (uint32_t i = 0; i < 2; i++) {
    hd_mpi *mpi = hd_mpi_new(code, &options);
    hd_mpi_move(mpi, (hd_turn){.thread = 1 + i});
    hd_bytes early = {0};
    hd_mpi_encode(mpi, &early);
    hd_mpi_move(mpi, (hd_turn){.thread = 2 - i});
    hd_mpi_encode(mpi, &codes[i]);
    assert_false(early.size == codes[i].size &&
                 !memcmp(early.data, codes[i].data, early.size));
    hd_vec_free(&early);
    hd_mpi_delete(mpi);
  }
  assert_int_equal(codes[0].size, codes[1].size);
  assert_memory_equal(codes[0].data, codes[1].data, codes[0].size);
  hd_vec_free(&codes[0]);
  hd_vec_free(&codes[1]);
  hd_code_delete(code);
}

static void replays(void **state) {
  (void)state;
  hd_code *code = PROGRAM(collect);
  hd_mpi_options options = {.procs = 3, .checks = USUAL};
  unsigned violated = 0;
  for (uint64_t seed = 0; seed < 50; seed++) {
    hd_mpi_run run = hd_mpi_random(code, &options, seed, NULL, 0, 0, NULL);
    hd_mpi_run again = hd_mpi_replay(code, &options, &run.turns);
    assert_int_equal(again.violated, run.violated);
    assert_int_equal(again.status, run.status);
    assert_int_equal(again.turns.size, run.turns.size);
    violated += run.violated;
    hd_mpi_run_free(&again);
    hd_mpi_run_free(&run);
  }
  assert_true(violated > 5 && violated < 45);

  hd_turns turns = {0};
  hd_vec_push(&turns, ((hd_turn){.thread = 0, .choice = 2}));
  hd_mpi_run run = hd_mpi_replay(code, &options, &turns);
  assert_false(run.violated);
  assert_string_equal(run.why, "turn 1 of the schedule, process 0 with choice "
                               "2, is not possible");
  hd_mpi_run_free(&run);
  hd_vec_free(&turns);

  hd_mpi_space space;
  hd_run limits = {0};
  hd_mpi_decide(code, &options, &limits, 1000, &space, &turns);
  assert_true(space.found);
  run = hd_mpi_replay(code, &options, &turns);
  assert_true(run.violated);
  hd_mpi_run_free(&run);
  hd_mpi_space_free(&space);
  hd_vec_free(&turns);
  hd_code_delete(code);
}

/* The one violation that all runs of the program end with. */
static void assert_misuse(const step *steps, size_t n, const char *message) {
  hd_code *code = program(steps, n);
  hd_mpi_options options = {.procs = 2, .checks = USUAL};
  hd_mpi_run run = hd_mpi_random(code, &options, 1, NULL, 0, 0, NULL);
  assert_true(run.violated);
  assert_int_equal(run.violation.property, HD_PROPERTY_MPI);
  if (!strstr(run.violation.message, message))
    assert_string_equal(run.violation.message, message);
  hd_mpi_run_free(&run);
  hd_code_delete(code);
}
#define MISUSE(steps, message)                                                 \
  assert_misuse(steps, sizeof(steps) / sizeof *(steps), message)

static void misuse(void **state) {
  (void)state;
  static const step early[] = {{"call @MPI_Comm_rank(1:i32, &rank)", 0},
                               {"return 0:i32", 0}};
  MISUSE(early, "MPI_Init");
  static const step rank[] = {INIT, {"store &x = 1:i32", 0}, SEND(7), END};
  MISUSE(rank, "7");
  static const step types[] = {
      INIT,
      {"store &x = %r", 0},
      {"WHEN %r, 0:i32", 7},
      {"call @MPI_Send(&x, 1:i32, 14:i32, 1:i32, 0:i32, 1:i32)", 0},
      {"skip", 8},
      RECV(0),
      END,
  };
  MISUSE(types, "int");
  static const step left[] = {
      INIT, {"store &x = %r", 0}, {"WHEN %r, 0:i32", 6}, SEND(1), END,
  };
  MISUSE(left, "received");
}

static void beside(void **state) {
  (void)state;
  hd_code *code = PROGRAM(collect);
  hd_mpi_options options = {.procs = 3, .checks = USUAL};
  hd_run outer = {.steps = 100000}, run;
  hd_mpi_side side;
  hd_mpi_side_start(&side, code, &options, NULL, -1, &outer, &run);
  for (int i = 0; i < 1000; i++)
    assert_true(hd_run_tick(&run));
  hd_mpi_side_stop(&side, &run);
  assert_int_equal(side.runs, 0);
  assert_int_equal(outer.ticks, 1000);
  hd_mpi_side_free(&side);

  hd_mpi_side_start(&side, code, &options, NULL, 0, &outer, &run);
  while (hd_run_tick(&run)) /* until it has found something */
    assert_true(run.ticks < 100000);
  hd_mpi_side_stop(&side, &run);
  assert_int_equal(run.stop, HD_STOP_CANCEL);
  assert_int_equal(outer.stop, HD_RUNNING);
  assert_true(side.found.violated);
  assert_int_equal(side.found.violation.property, HD_PROPERTY_ASSERT);
  hd_start start = {0};
  hd_mpi_side_save(&side, &start);
  assert_int_equal(start.processes, 3);
  hd_mpi_run again = hd_mpi_replay(code, &options, &side.found.turns);
  assert_true(again.violated);
  hd_mpi_run_free(&again);
  hd_start_free(&start);
  hd_mpi_side_free(&side);

  /* Who is asked to stop from outside stops. */
  volatile sig_atomic_t cancel = 1;
  outer.cancel = &cancel;
  hd_mpi_side_start(&side, code, &options, NULL, -1, &outer, &run);
  assert_false(hd_run_check(&run));
  hd_mpi_side_stop(&side, &run);
  assert_int_equal(outer.stop, HD_STOP_CANCEL);
  hd_mpi_side_free(&side);
  hd_code_delete(code);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(deadlocks), cmocka_unit_test(absolute),
      cmocka_unit_test(sources),   cmocka_unit_test(states),
      cmocka_unit_test(replays),   cmocka_unit_test(misuse),
      cmocka_unit_test(beside),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
