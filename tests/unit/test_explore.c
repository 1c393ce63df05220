/* SPDX-License-Identifier: MIT */
/* C programs by execution: what fuzz finds, what the exhaustive search decides,
 * and that leaving out interleavings loses nothing. */
#include "engine/explore/explore.h"

#include "check/states/states.h"
#include "engine/explore/single.h"
#include "explore_agree.h"
#include "explore_apart.h"
#include "explore_heaps.h"
#include "explore_monitors.h"
#include "explore_waiting.h"
#include "front/schedule/schedule.h"

/* Two threads with the same body, joined by main, which then runs `after`. */
static hd_str two_threads(const char *body, const char *after) {
  hd_str out = {0};
  hd_str_puts(&out, declarations);
  for (int i = 0; i < 2; i++)
    hd_str_printf(&out,
                  "function @t%d (%%arg) -> ptr {\n  reg %%arg ptr\n"
                  "  reg %%a i32\n  reg %%k i32\n%s}\n",
                  i, body);
  hd_str_puts(&out, "function @main () -> i32 {\n  reg %h i64\n  reg %k i32\n"
                    "  reg %a i32\n");
  for (int i = 0; i < 2; i++)
    hd_str_printf(&out,
                  "  location %d -\n    -> %d - call %%k = @pthread_create("
                  "ptradd.ptr(@th, %d:i64), null, @t%d, null)\n",
                  i, i + 1, 8 * i, i);
  for (int i = 0; i < 2; i++)
    hd_str_printf(&out,
                  "  location %d -\n    -> %d - load %%h = "
                  "ptradd.ptr(@th, %d:i64)\n"
                  "  location %d -\n    -> %d - call %%k = @pthread_join(%%h, "
                  "null)\n",
                  2 + 2 * i, 3 + 2 * i, 8 * i, 3 + 2 * i, 4 + 2 * i);
  hd_str_printf(&out, "%s}\n", after);
  return out;
}

static const char nothing[] = "  location 6 -\n    -> 6 - return 0:i32\n";
/* Fails unless x is 2. */
static const char is_two[] =
    "  location 6 -\n    -> 7 - load %a = @x\n"
    "  location 7 -\n    -> 8 - when ne.i1(%a, 2:i32)\n"
    "    -> 9 - when eq.i1(%a, 2:i32)\n"
    "  location 8 -\n    -> 9 - call @reach_error()\n"
    "  location 9 -\n    -> 9 - return 0:i32\n";
static const char increments[] =
    "  location 0 -\n    -> 1 - load %a = @x\n"
    "  location 1 -\n    -> 2 - store @x = add.i32(%a, 1:i32)\n"
    "  location 2 -\n    -> 2 - return null\n";
static const char locked[] =
    "  location 0 -\n    -> 1 - call %k = @pthread_mutex_lock(@m)\n"
    "  location 1 -\n    -> 2 - load %a = @x\n"
    "  location 2 -\n    -> 3 - store @x = add.i32(%a, 1:i32)\n"
    "  location 3 -\n    -> 4 - call %k = @pthread_mutex_unlock(@m)\n"
    "  location 4 -\n    -> 4 - return null\n";
static const char atomic_adds[] =
    "  location 0 -\n    -> 1 - rmw.add.seq_cst %a = @x, 1:i32\n"
    "  location 1 -\n    -> 1 - return null\n";
static const char atomic_steps[] =
    "  location 0 -\n    -> 1 - load.seq_cst %a = @x\n"
    "  location 1 -\n    -> 2 - store.seq_cst @x = add.i32(%a, 1:i32)\n"
    "  location 2 -\n    -> 2 - return null\n";

static void expect(const job *j, hd_property property, hd_verdict verdict) {
  const hd_finding *f = of(j, property);
  assert_true(f->asked);
  if (f->verdict != verdict)
    fail_msg("%s is %s (%s), not %s", hd_property_name(property),
             hd_verdict_name(f->verdict), f->reason ? f->reason : "",
             hd_verdict_name(verdict));
  assert_true((verdict == HD_UNKNOWN) == (f->reason != NULL));
  if (verdict != HD_UNSAFE) {
    assert_int_equal(f->turns.size, 0);
    return;
  }
  hd_replayed r = hd_replay(j->code, &j->options.machine, &f->turns,
                            (hd_properties)1 << property);
  assert_true(r.violated);
  assert_int_equal(r.turns, f->turns.size);
  assert_int_equal(r.violation.property, property);
  assert_string_equal(r.violation.message, f->violation.message);
  hd_replayed_free(&r);
}

static size_t switches(const hd_turns *turns) {
  size_t n = 0;
  for (size_t i = 1; i < turns->size; i++)
    n += turns->data[i].thread != turns->data[i - 1].thread;
  return n;
}

/* --- exhaustive search --- */

static void explore_verdicts(const char *body, const char *after,
                             hd_verdict assertion, hd_verdict race,
                             hd_verdict deadlock) {
  for (int full = 0; full < 2; full++) {
    job j = job_of(two_threads(body, after), USUAL);
    j.options.no_reduction = full;
    hd_explore(j.code, &j.options, &j.run, &j.result);
    expect(&j, HD_PROPERTY_ASSERT, assertion);
    expect(&j, HD_PROPERTY_RACE, race);
    expect(&j, HD_PROPERTY_DEADLOCK, deadlock);
    assert_false(of(&j, HD_PROPERTY_MEMORY)->asked);
    free_job(&j);
  }
}

static void test_counter(void **state) {
  (void)state;
  explore_verdicts(increments, is_two, HD_UNSAFE, HD_UNSAFE, HD_SAFE);
  explore_verdicts(locked, is_two, HD_SAFE, HD_SAFE, HD_SAFE);
  explore_verdicts(atomic_adds, is_two, HD_SAFE, HD_SAFE, HD_SAFE);
  explore_verdicts(atomic_steps, is_two, HD_UNSAFE, HD_SAFE, HD_SAFE);
}

static void test_deadlock(void **state) {
  (void)state;
  explore_verdicts(
      "  location 0 -\n    -> 1 - call %k = @pthread_mutex_lock(@m)\n"
      "  location 1 -\n    -> 2 - load.seq_cst %a = @x\n"
      "  location 2 -\n    -> 2 - return null\n",
      nothing, HD_SAFE, HD_SAFE, HD_UNSAFE);
}

/* A thread that never gives up the lock must not hide what the other one does
 * when it is first. */
static void test_lock_kept(void **state) {
  (void)state;
  explore_verdicts(
      "  location 0 -\n    -> 1 - rmw.add.seq_cst %a = @y, 1:i32\n"
      "  location 1 -\n    -> 2 - call %k = @pthread_mutex_lock(@m)\n"
      "  location 2 -\n    -> 3 - when eq.i1(%a, 0:i32)\n"
      "    -> 4 - when ne.i1(%a, 0:i32)\n"
      "  location 3 -\n    -> 3 - return null\n"
      "  location 4 -\n    -> 3 - call @reach_error()\n",
      nothing, HD_UNSAFE, HD_SAFE, HD_UNSAFE);
}

/* Both wait for the other in a loop: nothing ends, and that is no deadlock. */
static void test_spin(void **state) {
  (void)state;
  explore_verdicts("  location 0 -\n    -> 1 - load.seq_cst %a = @x\n"
                   "  location 1 -\n    -> 0 - when eq.i1(%a, 0:i32)\n"
                   "    -> 2 - when ne.i1(%a, 0:i32)\n"
                   "  location 2 -\n    -> 3 - call @reach_error()\n"
                   "  location 3 -\n    -> 3 - return null\n",
                   nothing, HD_SAFE, HD_SAFE, HD_SAFE);
}

static const char reads_input[] =
    "  location 0 -\n    -> 1 - call %%a = @heddle_nondet_int(%d:i32, %d:i32)\n"
    "  location 1 -\n    -> 2 - when eq.i1(%s, 77:i32)\n"
    "    -> 3 - when ne.i1(%s, 77:i32)\n"
    "  location 2 -\n    -> 3 - call @reach_error()\n"
    "  location 3 -\n    -> 3 - return null\n";

static void explore_input(int low, int high, const char *term,
                          hd_verdict verdict, bool sampled) {
  char body[500];
  snprintf(body, sizeof body, reads_input, low, high, term, term);
  job j = job_of(two_threads(body, nothing), BIT(ASSERT));
  hd_explore(j.code, &j.options, &j.run, &j.result);
  expect(&j, HD_PROPERTY_ASSERT, verdict);
  assert_int_equal(j.result.notes.size, sampled);
  free_job(&j);
}

static void test_inputs(void **state) {
  (void)state;
  static const char compared[] = "%a", computed[] = "srem.i32(%a, 1000:i32)";
  explore_input(-5, 50, computed, HD_SAFE, false);
  explore_input(0, 90, computed, HD_UNSAFE, false);
  explore_input(-2000000000, 2000000000, computed, HD_UNSAFE, false);
  explore_input(-2000000000, 50, computed, HD_SAFE, false);
  explore_input(-5, 50, compared, HD_SAFE, false);
  explore_input(-2000000000, 2000000000, compared, HD_UNSAFE, false);
  explore_input(-2000000000, 50, compared, HD_SAFE, false);
}

static void test_unsupported(void **state) {
  (void)state;
  job j = job_of(two_threads("  location 0 -\n    -> 1 - load %a = @x\n"
                             "  location 1 -\n    -> 1 - unsupported \"odd\"\n",
                             nothing),
                 USUAL);
  hd_explore(j.code, &j.options, &j.run, &j.result);
  expect(&j, HD_PROPERTY_ASSERT, HD_UNKNOWN);
  assert_non_null(strstr(of(&j, HD_PROPERTY_ASSERT)->reason, "odd"));
  expect(&j, HD_PROPERTY_DEADLOCK, HD_UNKNOWN);
  assert_true(j.result.notes.size > 0);
  free_job(&j);
}

/* Undefined behaviour ends runs also when it is not asked for; that is said. */
static void test_notes(void **state) {
  (void)state;
  job j = job_of(two_threads("  location 0 -\n    -> 1 - load %a = null\n"
                             "  location 1 -\n    -> 1 - return null\n",
                             is_two),
                 BIT(ASSERT));
  hd_explore(j.code, &j.options, &j.run, &j.result);
  expect(&j, HD_PROPERTY_ASSERT, HD_SAFE);
  assert_int_equal(j.result.notes.size, 2); /* one a thread function */
  assert_non_null(strstr(j.result.notes.data[0].text, "null pointer"));
  free_job(&j);
}

static void test_limits(void **state) {
  (void)state;
  job j = job_of(two_threads(locked, is_two), USUAL);
  j.options.max_states = 5;
  hd_explore(j.code, &j.options, &j.run, &j.result);
  expect(&j, HD_PROPERTY_ASSERT, HD_UNKNOWN);
  assert_non_null(strstr(of(&j, HD_PROPERTY_ASSERT)->reason, "states"));
  free_job(&j);
  j = job_of(two_threads(locked, is_two), USUAL);
  j.run.steps = 10;
  hd_explore(j.code, &j.options, &j.run, &j.result);
  expect(&j, HD_PROPERTY_RACE, HD_UNKNOWN);
  free_job(&j);
}

/* The lock makes the inner accesses no branching points. */
static void test_reduction_pays(void **state) {
  (void)state;
  double states[2];
  for (int full = 0; full < 2; full++) {
    job j = job_of(two_threads(locked, is_two), USUAL);
    j.options.no_reduction = full;
    hd_explore(j.code, &j.options, &j.run, &j.result);
    states[full] = stat_of(&j, "explore.states");
    free_job(&j);
  }
  assert_true(states[0] < states[1] * 0.75);
}

/* --- reduced and full search agree --- */

static void test_agree(void **state) {
  (void)state;
  totals t = {0};
  for (uint64_t seed = 1; seed <= programs(400); seed++)
    compare(random_program, seed, USUAL | BIT(MEMORY), false, &t);
  print_message("%llu programs, %llu too large; %llu fail, %llu race, %llu "
                "deadlock; %.0f states, reduced %.0f\n",
                (unsigned long long)t.programs, (unsigned long long)t.skipped,
                (unsigned long long)t.unsafe, (unsigned long long)t.races,
                (unsigned long long)t.deadlocks, t.full, t.reduced);
  assert_true(t.programs * 10 >= programs(400) * 8);
  assert_true(t.unsafe && t.races && t.deadlocks);
  assert_true(t.reduced < t.full);
}

/* --- one run that stands for all --- */

/* What it calls safe is safe in all states; of how many programs it does so. */
static uint64_t stand(generator *make, uint64_t from, uint64_t n,
                      hd_properties checks) {
  uint64_t found = 0;
  for (uint64_t seed = from; seed < from + n; seed++) {
    job one = job_of(make(seed), checks);
    hd_single(one.code, &one.options, &one.run, &one.result);
    bool safe = of(&one, HD_PROPERTY_ASSERT)->verdict == HD_SAFE;
    free_job(&one);
    if (!safe)
      continue;
    job all = job_of(make(seed), checks);
    all.options.no_reduction = true;
    all.options.max_states = 3000;
    hd_explore(all.code, &all.options, &all.run, &all.result);
    for (unsigned p = 0; p < HD_PROPERTY_COUNT; p++)
      if (of(&all, (hd_property)p)->verdict == HD_UNSAFE)
        fail_msg("program %llu violates '%s'", (unsigned long long)seed,
                 hd_property_name((hd_property)p));
    free_job(&all);
    found++;
  }
  return found;
}

static void test_single(void **state) {
  (void)state;
  const uint64_t n = programs(600), from = first_seed();
  const hd_properties checks = USUAL | BIT(MEMORY) | BIT(SYNC);
  uint64_t apart = stand(apart_program, from, n, checks);
  print_message("one run stands for all of %llu programs\n",
                (unsigned long long)apart);
  assert_true(apart * 20 >= n);
}

static void test_agree_all(void **state) {
  (void)state;
  totals t = {0};
  for (uint64_t seed = 10001; seed <= 10000 + programs(100); seed++)
    compare(random_program, seed, USUAL | BIT(MEMORY) | BIT(SYNC) | BIT(LEAK),
            true, &t);
  assert_true(t.programs > 0);
}

/* Who waits for a signal is woken at once where nothing is asked for that depends
 * on waiting; and takes part in what is done to the condition variable. */
static void test_agree_awake(void **state) {
  (void)state;
  totals t = {0};
  for (uint64_t seed = 1; seed <= programs(200); seed++)
    compare(seed % 4 ? monitor_program : alike_program, seed,
            seed % 3 ? BIT(ASSERT) | BIT(MEMORY) : BIT(ASSERT) | BIT(RACE),
            true, &t);
  print_message("%llu programs, %.0f states, reduced %.0f\n",
                (unsigned long long)t.programs, t.full, t.reduced);
  assert_true(t.programs * 10 >= programs(200) * 8);
  assert_true(t.unsafe && t.races);
}

/* Blocks of the heap have no numbers, and are their maker's until others find them. */
static void test_agree_heaps(void **state) {
  (void)state;
  totals t = {.lenient = true};
  for (uint64_t seed = 1; seed <= programs(300); seed++)
    compare(heap_program, seed,
            seed % 2 ? USUAL | BIT(MEMORY) : BIT(ASSERT) | BIT(MEMORY), true,
            &t);
  print_message("%llu programs, %llu use freed memory; %.0f states, reduced "
                "%.0f\n",
                (unsigned long long)t.programs, (unsigned long long)t.wild,
                t.full, t.reduced);
  assert_true(t.programs * 10 >= programs(300) * 8);
  assert_true(t.unsafe && t.races && t.wild * 2 < t.programs);
  assert_true(t.reduced * 2 < t.full);
}

/* --- threads without names --- */

enum { ALIKE, NAMED, ALL, WAYS };

/* The search with and without names, of all interleavings, and the judge. */
static void compare_alike(hd_str program(uint64_t), uint64_t seed,
                          hd_properties checks, totals *t) {
  job jobs[WAYS];
  outcomes *ends = calloc(WAYS, sizeof *ends);
  for (int k = 0; k < WAYS; k++) {
    job *j = &jobs[k];
    *j = job_of(program(seed), checks);
    j->options.names = k == NAMED;
    j->options.no_reduction = k == ALL;
    j->options.max_states = 60000;
    j->options.at_end = collect;
    j->options.context = &ends[k];
    ends[k].nameless = true;
    hd_explore(j->code, &j->options, &j->run, &j->result);
    qsort(ends[k].seen, ends[k].size, sizeof(outcome), by_bytes);
  }
  bool cut = stat_of(&jobs[ALL], "explore.states") > 60000;
  t->programs += !cut;
  for (int k = 0; k < ALL && !cut; k++) {
    bool same =
        ends[k].size == ends[ALL].size &&
        !memcmp(ends[k].seen, ends[ALL].seen, ends[k].size * sizeof(outcome));
    for (unsigned p = 0; p < HD_PROPERTY_COUNT; p++)
      same = same && of(&jobs[k], (hd_property)p)->verdict ==
                         of(&jobs[ALL], (hd_property)p)->verdict;
    if (!same)
      show_difference(program, seed, &ends[k], &ends[ALL]);
    assert_true(same);
  }
  hd_states_options options = {.machine = {.checks = checks},
                               .max_states = 60000};
  hd_states_result judged = {0};
  hd_states_search(jobs[ALL].code, &options, &jobs[ALL].run, &judged);
  for (unsigned p = 0; p < HD_PROPERTY_COUNT && !cut; p++) {
    hd_verdict verdict = of(&jobs[ALL], (hd_property)p)->verdict;
    if (judged.violated >> p & 1)
      assert_int_equal(verdict, HD_UNSAFE);
    else if (judged.complete && !judged.violated && checks >> p & 1)
      assert_int_equal(verdict, HD_SAFE);
  }
  hd_states_result_free(&judged);
  t->reduced += cut ? 0 : stat_of(&jobs[ALIKE], "explore.states");
  t->full += cut ? 0 : stat_of(&jobs[NAMED], "explore.states");
  for (int k = 0; k < WAYS; k++)
    free_job(&jobs[k]);
  free(ends);
}

static void test_alike(void **state) {
  (void)state;
  totals t = {0};
  for (uint64_t seed = 1; seed <= programs(150); seed++)
    compare_alike(alike_program, seed,
                  USUAL | BIT(MEMORY) | (seed % 4 ? 0 : BIT(LEAK)), &t);
  print_message("%llu programs; %.0f states with names, %.0f without\n",
                (unsigned long long)t.programs, t.full, t.reduced);
  assert_true(t.programs * 10 >= programs(150) * 8);
  assert_true(t.reduced < t.full * 0.7);
}

/* Threads that wait for each other's locks and ends. */
static void test_waiting(void **state) {
  (void)state;
  totals t = {0};
  for (uint64_t seed = first_seed(); seed < first_seed() + programs(200);
       seed++)
    compare_alike(waiting_program, seed,
                  seed % 3 ? USUAL | BIT(MEMORY) : BIT(ASSERT) | BIT(MEMORY),
                  &t);
  print_message("%llu programs; %.0f states with names, %.0f without\n",
                (unsigned long long)t.programs, t.full, t.reduced);
  assert_true(t.programs * 10 >= programs(200) * 8);
}

/* Threads that meet at barriers: what is behind one does not count before. */
static void test_phases(void **state) {
  (void)state;
  totals t = {0};
  for (uint64_t seed = 1; seed <= programs(150); seed++)
    compare_alike(phased_program, seed,
                  seed % 2 ? BIT(ASSERT) | BIT(DEADLOCK) : USUAL, &t);
  print_message("%llu programs; %.0f states with names, %.0f without\n",
                (unsigned long long)t.programs, t.full, t.reduced);
  assert_true(t.programs * 10 >= programs(150) * 8);
}

/* --- fuzz --- */

static void test_fuzz(void **state) {
  (void)state;
  job j = job_of(two_threads(increments, is_two), USUAL);
  j.options.runs = 300;
  hd_fuzz(j.code, &j.options, &j.run, &j.result);
  expect(&j, HD_PROPERTY_ASSERT, HD_UNSAFE);
  expect(&j, HD_PROPERTY_RACE, HD_UNSAFE);
  expect(&j, HD_PROPERTY_DEADLOCK, HD_UNKNOWN);
  assert_int_equal(stat_of(&j, "fuzz.runs"), 300);
  /* main, one reads, the other does all, the first writes, main fails. */
  assert_true(switches(&of(&j, HD_PROPERTY_ASSERT)->turns) <= 4);
  free_job(&j);
}

static void test_strategies(void **state) {
  (void)state;
  for (unsigned s = 0; s < HD_STRATEGY_COUNT; s++) {
    job j = job_of(two_threads(atomic_steps, is_two), BIT(ASSERT));
    j.options.strategy = (hd_strategy)s;
    j.options.runs = 2000;
    hd_fuzz(j.code, &j.options, &j.run, &j.result);
    expect(&j, HD_PROPERTY_ASSERT, HD_UNSAFE);
    assert_int_equal(hd_strategy_find(hd_strategy_name((hd_strategy)s)), s);
    free_job(&j);
  }
  assert_int_equal(hd_strategy_find("luck"), HD_STRATEGY_COUNT);
}

/* Nothing to choose: one run tells all. */
static void test_only_run(void **state) {
  (void)state;
  hd_str text = {0};
  hd_str_puts(&text, declarations);
  hd_str_puts(&text, "function @main () -> i32 {\n"
                     "  location 0 -\n    -> 1 - store @x = 1:i32\n"
                     "  location 1 -\n    -> 1 - return 0:i32\n}\n");
  job j = job_of(text, USUAL);
  hd_fuzz(j.code, &j.options, &j.run, &j.result);
  expect(&j, HD_PROPERTY_ASSERT, HD_UNKNOWN);
  assert_int_equal(stat_of(&j, "fuzz.runs"), 1);
  hd_explore_result_free(&j.result);
  hd_explore(j.code, &j.options, &j.run, &j.result);
  expect(&j, HD_PROPERTY_ASSERT, HD_SAFE);
  free_job(&j);
}

/* The same seed gives the same run; shrinking does not make it longer. */
static void test_seed(void **state) {
  (void)state;
  size_t moves[3];
  for (int i = 0; i < 3; i++) {
    job j = job_of(two_threads(atomic_steps, is_two), BIT(ASSERT));
    j.options.seed = 7;
    j.options.no_shrink = i < 2;
    hd_fuzz(j.code, &j.options, &j.run, &j.result);
    expect(&j, HD_PROPERTY_ASSERT, HD_UNSAFE);
    moves[i] = of(&j, HD_PROPERTY_ASSERT)->turns.size;
    free_job(&j);
  }
  assert_int_equal(moves[0], moves[1]);
  assert_true(moves[2] <= moves[0]);
}

/* What fuzz finds the exhaustive search finds, and never the other way round
 * says safe. */
static void test_fuzz_and_explore(void **state) {
  (void)state;
  uint64_t missed = 0, found = 0;
  for (uint64_t seed = 20001; seed <= 20000 + programs(40); seed++) {
    job a = job_of(random_program(seed), USUAL | BIT(MEMORY));
    job b = job_of(random_program(seed), USUAL | BIT(MEMORY));
    a.options.runs = 200;
    a.options.no_shrink = seed % 4 != 0;
    b.options.max_states = 60000;
    hd_fuzz(a.code, &a.options, &a.run, &a.result);
    hd_explore(b.code, &b.options, &b.run, &b.result);
    for (unsigned p = 0; p < HD_PROPERTY_COUNT; p++) {
      const hd_finding *f = of(&a, (hd_property)p), *e = of(&b, (hd_property)p);
      if (f->verdict == HD_UNSAFE && e->verdict == HD_SAFE)
        fail_msg("program %llu: %s is not safe", (unsigned long long)seed,
                 hd_property_name((hd_property)p));
      found += f->verdict == HD_UNSAFE;
      missed += f->verdict != HD_UNSAFE && e->verdict == HD_UNSAFE;
    }
    free_job(&a);
    free_job(&b);
  }
  print_message("fuzz found %llu violations and missed %llu\n",
                (unsigned long long)found, (unsigned long long)missed);
  assert_true(missed * 10 < found);
}

/* --- schedules as text --- */

static void test_schedule_text(void **state) {
  (void)state;
  job j = job_of(two_threads(increments, is_two), BIT(ASSERT));
  hd_turns turns = {0}, back = {0};
  for (uint64_t i = 0; i < 5; i++)
    hd_vec_push(&turns, ((hd_turn){.thread = (hd_tid)i % 3,
                                   .choice = i == 4 ? UINT64_MAX : i}));
  hd_str text = {0};
  hd_start start = {.processes = 3}, read = {0};
  hd_start_set(&start, "a[3]", "-0.5");
  hd_turns_print(&text, &start, &turns, j.code, "two\nlines");
  hd_source source = hd_source_from_text("s", hd_str_text(&text), text.size);
  hd_diag *diag = hd_diag_new();
  assert_true(hd_turns_parse(&source, j.code, &read, &back, diag));
  assert_int_equal(read.processes, 3);
  assert_int_equal(read.inputs.size, 1);
  assert_string_equal(read.inputs.data[0].name, "a[3]");
  assert_string_equal(read.inputs.data[0].value, "-0.5");
  hd_start_free(&read);
  hd_start_free(&start);
  assert_int_equal(back.size, turns.size);
  for (size_t i = 0; i < turns.size; i++) {
    assert_int_equal(back.data[i].thread, turns.data[i].thread);
    assert_true(back.data[i].choice == turns.data[i].choice);
  }
  hd_diag_delete(diag);
  hd_source_free(&source);
  hd_str_free(&text);
  hd_vec_free(&turns);
  hd_vec_free(&back);
  free_job(&j);
}

static void reject(const hd_code *code, const char *text, const char *message) {
  hd_source source = hd_source_from_text("s", text, strlen(text));
  hd_diag *diag = hd_diag_new();
  hd_turns turns = {0};
  hd_start start = {0};
  assert_false(hd_turns_parse(&source, code, &start, &turns, diag));
  hd_start_free(&start);
  char *printed = NULL;
  size_t size = 0;
  FILE *file = open_memstream(&printed, &size);
  hd_diag_print(diag, file, false);
  fclose(file);
  if (!strstr(printed, message))
    fail_msg("'%s' does not say '%s'", printed, message);
  free(printed);
  hd_vec_free(&turns);
  hd_diag_delete(diag);
  hd_source_free(&source);
}

static void test_schedule_errors(void **state) {
  (void)state;
  job j = job_of(two_threads(increments, is_two), BIT(ASSERT));
  char head[100], text[300];
  snprintf(head, sizeof head, "heddle schedule 1\nprogram %016llx\n",
           (unsigned long long)hd_turns_program(j.code));
  static const struct {
    const char *rest, *message;
  } bad[] = {
      {"0 0\n", "'end' was expected"},
      {"0\nend\n", "s:3:2: error: expected the number of a choice"},
      {"x 0\nend\n", "s:3:1: error: expected the number of a thread, or 'end'"},
      {"0 0 0\nend\n", "s:3:5: error: expected the end of the line"},
      {"0 18446744073709551616\nend\n", "is too large"},
      {"4294967295 0\nend\n", "is too large"},
      {"# c\nend\n0 0\n", "s:5:1: error: expected nothing behind 'end'"},
      {"processes 0\nend\n", "expected at least one process"},
      {"processes 2\nprocesses 2\nend\n", "expected 'processes' once"},
      {"input n\nend\n", "expected the name of an input and its value"},
      {"0 0\ninput n 3\nend\n", "expected the number of a thread"},
  };
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
    snprintf(text, sizeof text, "%s%s", head, bad[i].rest);
    reject(j.code, text, bad[i].message);
  }
  reject(j.code, "", "empty file");
  reject(j.code, "heddle schedule 2\n", "s:1:17: error: expected version 1");
  reject(j.code, "heddle witness 1\n", "expected a schedule");
  reject(j.code, "heddle schedule 1\nprogram 0123\nend\n",
         "s:2:9: error: the schedule was made for another program");
  free_job(&j);
}

static void test_replay(void **state) {
  (void)state;
  job j = job_of(two_threads(increments, is_two), USUAL);
  hd_turns turns = {0};
  hd_vec_push(&turns, ((hd_turn){.thread = 2}));
  hd_replayed r = hd_replay(j.code, &j.options.machine, &turns, USUAL);
  assert_false(r.violated);
  assert_int_equal(r.turns, 0);
  assert_string_equal(r.why, "turn 1: there is no thread 2");
  hd_replayed_free(&r);
  turns.data[0] = (hd_turn){.choice = 3};
  r = hd_replay(j.code, &j.options.machine, &turns, USUAL);
  assert_string_equal(r.why, "turn 1: thread 0 has only 1 choices, not 3");
  hd_replayed_free(&r);
  hd_vec_free(&turns);
  free_job(&j);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_counter),
      cmocka_unit_test(test_deadlock),
      cmocka_unit_test(test_lock_kept),
      cmocka_unit_test(test_spin),
      cmocka_unit_test(test_inputs),
      cmocka_unit_test(test_unsupported),
      cmocka_unit_test(test_notes),
      cmocka_unit_test(test_limits),
      cmocka_unit_test(test_reduction_pays),
      cmocka_unit_test(test_agree),
      cmocka_unit_test(test_agree_awake),
      cmocka_unit_test(test_single),
      cmocka_unit_test(test_agree_all),
      cmocka_unit_test(test_agree_heaps),
      cmocka_unit_test(test_alike),
      cmocka_unit_test(test_waiting),
      cmocka_unit_test(test_phases),
      cmocka_unit_test(test_fuzz),
      cmocka_unit_test(test_strategies),
      cmocka_unit_test(test_only_run),
      cmocka_unit_test(test_seed),
      cmocka_unit_test(test_fuzz_and_explore),
      cmocka_unit_test(test_schedule_text),
      cmocka_unit_test(test_schedule_errors),
      cmocka_unit_test(test_replay),
  };
  if (getenv("HEDDLE_TEST"))
    cmocka_set_test_filter(getenv("HEDDLE_TEST"));
  return cmocka_run_group_tests(tests, NULL, NULL);
}
