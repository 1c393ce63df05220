/* SPDX-License-Identifier: MIT */
/* Abstract unfoldings: small programs whose events are known. */
#include "engine/explore/explore.h"
#include "engine/unfold/unfold.h"

#include "code_util.h"

#define BIT(name) ((hd_properties)1 << HD_PROPERTY_##name)
#define ASKED (BIT(ASSERT) | BIT(RACE) | BIT(DEADLOCK) | BIT(OVERFLOW))

typedef struct {
  hd_code *code;
  hd_unfold_options options;
  hd_unfold_result result;
} job;

static job unfold(hd_code *code, hd_unfold_options options) {
  job j = {.code = code, .options = options};
  if (!j.options.checks)
    j.options.checks = ASKED;
  hd_run run = {0};
  hd_unfold(code, &j.options, &run, &j.result);
  return j;
}

static void end(job *j) {
  hd_unfold_result_free(&j->result);
  hd_code_delete(j->code);
}

static const char *why(const job *j) {
  return j->result.reason        ? j->result.reason
         : j->result.alarms.size ? j->result.alarms.data[0].message
                                 : "";
}

static void expect(const job *j, hd_property p, hd_verdict verdict) {
  if (j->result.verdicts[p] != verdict)
    fail_msg("%s is %s, not %s (%s)", hd_property_name(p),
             hd_verdict_name(j->result.verdicts[p]), hd_verdict_name(verdict),
             why(j));
}

/* The interpreter's word: the property is violated, or is not. */
static void truth(const hd_code *code, hd_property p, hd_verdict verdict) {
  hd_explore_options options = {.machine.checks =
                                    BIT(ASSERT) | BIT(RACE) | BIT(DEADLOCK)};
  hd_run run = {0};
  hd_explore_result found = {0};
  hd_explore(code, &options, &run, &found);
  if (found.findings[p].verdict != verdict)
    fail_msg("%s is %s in fact", hd_property_name(p),
             hd_verdict_name(found.findings[p].verdict));
  hd_explore_result_free(&found);
}

/* Takes over `code`. */
static void check(hd_code *code, hd_property p, hd_verdict verdict) {
  truth(code, p, verdict);
  job j = unfold(code, (hd_unfold_options){0});
  if (j.result.reason)
    fail_msg("given up: %s", j.result.reason);
  expect(&j, p, verdict == HD_SAFE ? HD_SAFE : HD_UNKNOWN);
  end(&j);
}

/* --- the structure --- */

enum { MOST = 64 };

/* What is below each event, and what it excludes, from what the engine says about
 * direct causes and direct conflicts. */
typedef struct {
  const hd_unfold_shape *shape;
  uint64_t below[MOST], against[MOST];
} order;

static order order_of(const job *j) {
  order o = {.shape = &j->result.shape};
  size_t n = o.shape->size;
  assert_in_range(n, 1, MOST);
  for (size_t i = 0; i < n; i++) {
    const hd_unfold_event *e = &o.shape->data[i];
    o.below[i] = (uint64_t)1 << i;
    for (hd_vec_each(const uint32_t, c, &e->causes))
      o.below[i] |= o.below[*c];
    for (hd_vec_each(const uint32_t, c, &e->conflicts)) {
      o.against[i] |= (uint64_t)1 << *c;
      o.against[*c] |= (uint64_t)1 << i;
    }
  }
  uint64_t direct[MOST];
  memcpy(direct, o.against, sizeof direct);
  for (size_t i = 0; i < n; i++)
    for (size_t k = 0; k < n; k++)
      for (size_t d = 0; d < n; d++)
        if (o.below[i] >> d & 1 && o.below[k] & direct[d])
          o.against[i] |= (uint64_t)1 << k;
  return o;
}

/* How many maximal configurations there are that contain `set` and of the events
 * from number i on what fits. */
static size_t maximal(const order *o, size_t i, uint64_t set) {
  for (; i < o->shape->size; i++) {
    if ((o->below[i] & ~((uint64_t)1 << i) & ~set) || o->against[i] & set)
      continue;
    size_t n = maximal(o, i + 1, set | (uint64_t)1 << i);
    return o->against[i] ? n + maximal(o, i + 1, set) : n;
  }
  for (size_t k = 0; k < o->shape->size; k++)
    if (!(set >> k & 1) && !(o->against[k] & set) &&
        !(o->below[k] & ~((uint64_t)1 << k) & ~set))
      return 0; /* something could be added */
  return 1;
}

static size_t configurations(const job *j) {
  order o = order_of(j);
  size_t n = maximal(&o, 0, 0);
  assert_int_equal(n, j->result.configurations); /* counted in another way */
  return n;
}

/* "3 t1 line 2 after 1 2 against 0, cutoff"; a line of main's or a thread's. */
static hd_str listing_of(const job *j) {
  hd_str out = {0};
  for (size_t i = 0; i < j->result.shape.size; i++) {
    const hd_unfold_event *e = &j->result.shape.data[i];
    hd_str_printf(&out, "%zu ", i);
    if (e->thread)
      hd_str_printf(&out, "t%u", e->thread - 1);
    else
      hd_str_puts(&out, "main");
    if (e->edge != HD_NO_ID)
      hd_str_printf(&out, " line %u", j->code->edges.data[e->edge].pos.line);
    else
      hd_str_puts(&out, e->ends ? " ends" : " starts");
    for (size_t k = 0; k < e->causes.size; k++)
      hd_str_printf(&out, "%s %u", k ? "" : " after", e->causes.data[k]);
    for (size_t k = 0; k < e->conflicts.size; k++)
      hd_str_printf(&out, "%s %u", k ? "" : " against", e->conflicts.data[k]);
    hd_str_puts(&out, e->cutoff ? ", cutoff\n" : "\n");
  }
  return out;
}

/* Main writes x, the thread copies it to y, both with the lock held. Either may
 * come first; then y differs, so no history stands for another. */
static void test_golden(void **state) {
  (void)state;
  job j = unfold(program_of(LOCK("m") "load %a = @x\n"
                                      "store @y = add.i32(%a, 1:i32)\n" UNLOCK(
                                          "m") "return null\n",
                            NULL,
                            CREATE("0", "0")
                                LOCK("m") "store @x = 1:i32\n" UNLOCK("m")
                                    JOIN("0") "load %a = @y\n"
                                              "? sge.i1(%a, 1:i32) ok\n"
                                              "call @reach_error()\n"
                                              ":ok\n"
                                              "? sle.i1(%a, 2:i32) fine\n"
                                              "call @reach_error()\n"
                                              ":fine\n"
                                              "return 0:i32\n"),
                 (hd_unfold_options){.keep_shape = true});
  expect(&j, HD_PROPERTY_ASSERT, HD_SAFE);
  expect(&j, HD_PROPERTY_RACE, HD_SAFE);
  expect(&j, HD_PROPERTY_DEADLOCK, HD_SAFE);
  hd_str text = listing_of(&j);
  assert_string_equal(hd_str_text(&text),
                      "0 main starts\n"
                      "1 main line 1 after 0\n" /* creates t0 */
                      "2 t0 starts after 1\n"
                      "3 main line 2 after 1\n"         /* locks first … */
                      "4 t0 line 1 after 2 against 3\n" /* … or t0 does */
                      "5 main line 4 after 3\n"
                      "6 t0 line 4 after 4\n"
                      "7 t0 ends after 6\n"
                      "8 main line 2 after 6\n" /* locks as the second one */
                      "9 t0 line 1 after 2 5\n"
                      "10 main line 4 after 8\n"
                      "11 t0 line 4 after 9\n"
                      "12 t0 ends after 11\n"
                      "13 main line 6 after 10 7\n" /* joins, y = 1 */
                      "14 main line 6 after 12\n"   /* joins, y = 2 */
                      "15 main ends after 13\n"
                      "16 main ends after 14\n");
  hd_str_free(&text);
  assert_int_equal(configurations(&j), 2);
  end(&j);
}

/* Two threads write one variable each and read the other's. Both are raced on, so
 * all four accesses are events, in the third round. Each of the reads comes
 * before or after the other's write, not both before: three configurations. */
static void test_store_buffer(void **state) {
  (void)state;
  job j = unfold(program_of("store @x = 1:i32\nload %a = @y\nreturn null\n",
                            "store @y = 1:i32\nload %a = @x\nreturn null\n",
                            CREATE("0", "0") CREATE("1", "8") "return 0:i32\n"),
                 (hd_unfold_options){.keep_shape = true, .no_cutoffs = true});
  expect(&j, HD_PROPERTY_RACE, HD_UNKNOWN);
  assert_int_equal(configurations(&j), 3);
  size_t accesses = 0;
  for (hd_vec_each(const hd_unfold_event, e, &j.result.shape))
    accesses += e->thread && e->edge != HD_NO_ID;
  /* x, y; a read after nothing or after the write, a write likewise; and what
   * then follows it. */
  assert_int_equal(accesses, 10);
  end(&j);
}

/* Figure 1 of the paper: one thread adds [0, 100] to g, the other [0, 150] and
 * then asserts that g is at most 250. Three maximal configurations: the first
 * addition comes before, between or behind the two actions of the other thread;
 * the addition in between is a cutoff, since the additions in the other order
 * lead to the same state. (The addition that comes last leads to a state that is
 * there already, too, but nothing is left to do then: nothing is cut off.) Here the
 * starts and ends of threads, and main's creations, are events as well; they conflict
 * with nothing. */
static void test_figure_one(void **state) {
  (void)state;
  static const char adds[] = "set %%i = 0:i32\n"
                             ":more\n"
                             "call %%a = @heddle_nondet_int(0:i32, 1:i32)\n"
                             "? eq.i1(%%a, 0:i32) out\n"
                             "? sge.i1(%%i, %d:i32) out\n"
                             "set %%i = add.i32(%%i, 1:i32)\n"
                             "goto more\n"
                             ":out\n"
                             "rmw.add.seq_cst %%a = @z, %%i\n"
                             "%sreturn null\n";
  char first[500], second[600];
  snprintf(first, sizeof first, adds, 100, "");
  snprintf(second, sizeof second, adds, 150,
           "load.seq_cst %a = @z\n"
           "? sle.i1(%a, 250:i32) ok\n"
           "call @reach_error()\n"
           ":ok\n");
  job j = unfold(program_of(first, second,
                            CREATE("0", "0") CREATE("1", "8") "return 0:i32\n"),
                 (hd_unfold_options){.keep_shape = true});
  expect(&j, HD_PROPERTY_ASSERT, HD_SAFE);
  expect(&j, HD_PROPERTY_RACE, HD_SAFE);
  assert_int_equal(j.result.alarms.size, 0);
  assert_int_equal(configurations(&j), 3);
  assert_int_equal(j.result.cutoffs, 1);
  end(&j);
}

#define FIVE                                                                   \
  CREATE("0", "0")                                                             \
  CREATE("0", "0") CREATE("0", "0") CREATE("0", "0") CREATE("0", "0")

/* Five threads, each goes from 0 to 1 or from 1 to 2, and sees that it is at most
 * 2. Nobody can tell them apart unless one is joined: then there are more events,
 * with the same result. */
static void test_nameless(void **state) {
  (void)state;
  static const char counts[] =
      LOCK("m") "load %a = @x\n"
                "? sge.i1(%a, 2:i32) out\n"
                "store @x = add.i32(%a, 1:i32)\n"
                ":out\n" UNLOCK("m") LOCK("m") "load %a = @x\n" UNLOCK(
                    "m") "? sle.i1(%a, MOST:i32) ok\n"
                         "call @reach_error()\n"
                         ":ok\n"
                         "return null\n";
  static const char *const mains[] = {FIVE "return 0:i32\n",
                                      FIVE JOIN("0") "return 0:i32\n"};
  size_t events[2];
  for (int i = 0; i < 2; i++)
    for (char most = '1'; most <= '2'; most++) {
      char body[sizeof counts];
      const char *at = strstr(counts, "MOST");
      snprintf(body, sizeof body, "%.*s%c%s", (int)(at - counts), counts, most,
               at + 4);
      job j = unfold(program_of(body, NULL, mains[i]),
                     (hd_unfold_options){.domain = HD_DOMAIN_INTERVAL});
      expect(&j, HD_PROPERTY_ASSERT, most == '2' ? HD_SAFE : HD_UNKNOWN);
      expect(&j, HD_PROPERTY_RACE, HD_SAFE);
      events[i] = j.result.events;
      end(&j);
    }
  print_message("%zu and %zu events\n", events[0], events[1]);
  assert_true(3 * events[0] < events[1]);
}

/* Threads with a variable of their own are not taken for each other: the one that
 * was given something, which only its variable still tells, may come first to y
 * when both have been at x. */
static void test_own_variables(void **state) {
  (void)state;
  hd_str text = {0};
  hd_str_puts(&text, declarations);
  hd_str_puts(
      &text,
      "function @t0 (%arg) -> ptr {\n"
      "  reg %arg ptr\n  reg %a i32\n  reg %b i32\n  reg %k i32\n"
      "  slot &l size 4 align 4\n"
      "  location 0 -\n    -> 1 - call %k = @pthread_mutex_lock(@m)\n"
      "  location 1 -\n    -> 2 - set %a = zext.i32(ne.i1(%arg, null))\n"
      "  location 2 -\n    -> 3 - store &l = %a\n"
      "  location 3 -\n    -> 4 - load %a = @x\n"
      "  location 4 -\n    -> 5 - store @x = add.i32(%a, 1:i32)\n"
      "  location 5 -\n    -> 6 - call %k = @pthread_mutex_unlock(@m)\n"
      "  location 6 -\n    -> 7 - call %k = @pthread_mutex_lock(@m)\n"
      "  location 7 -\n    -> 8 - load %a = @y\n"
      "  location 8 -\n    -> 9 - store @y = add.i32(%a, 1:i32)\n"
      "  location 9 -\n    -> 10 - load %b = @x\n"
      "  location 10 -\n    -> 11 - call %k = @pthread_mutex_unlock(@m)\n"
      "  location 11 -\n    -> 16 - when ne.i1(%a, 0:i32)\n"
      "    -> 12 - when eq.i1(%a, 0:i32)\n"
      "  location 12 -\n    -> 16 - when ne.i1(%b, 2:i32)\n"
      "    -> 13 - when eq.i1(%b, 2:i32)\n"
      "  location 13 -\n    -> 14 - load %b = &l\n"
      "  location 14 -\n    -> 16 - when ne.i1(%b, 1:i32)\n"
      "    -> 15 - when eq.i1(%b, 1:i32)\n"
      "  location 15 -\n    -> 16 - call @reach_error()\n"
      "  location 16 -\n    -> 16 - return null\n}\n"
      "function @main () -> i32 {\n  reg %k i32\n"
      "  location 0 -\n"
      "    -> 1 - call %k = @pthread_create(@th, null, @t0, null)\n"
      "  location 1 -\n"
      "    -> 2 - call %k = @pthread_create(@th, null, @t0, @x)\n"
      "  location 2 -\n    -> 2 - return 0:i32\n}\n");
  check(read_code(hd_str_text(&text)), HD_PROPERTY_ASSERT, HD_UNSAFE);
  hd_str_free(&text);
}

/* --- verdicts --- */

static void test_lock_order(void **state) {
  (void)state;
  static const char one[] =
      LOCK("m") LOCK("n") UNLOCK("n") UNLOCK("m") "return null\n";
  static const char two[] =
      LOCK("n") LOCK("m") UNLOCK("m") UNLOCK("n") "return null\n";
  static const char starts[] =
      CREATE("0", "0") CREATE("1", "8") JOIN("0") JOIN("8") "return 0:i32\n";
  check(program_of(one, one, starts), HD_PROPERTY_DEADLOCK, HD_SAFE);
  check(program_of(one, two, starts), HD_PROPERTY_DEADLOCK, HD_UNSAFE);
  check(program_of(LOCK("m") "return null\n", one, starts),
        HD_PROPERTY_DEADLOCK, HD_UNSAFE);
  check(program_of(LOCK("m") LOCK("m") "return null\n", NULL,
                   CREATE("0", "0") JOIN("0") "return 0:i32\n"),
        HD_PROPERTY_DEADLOCK, HD_UNSAFE);
}

static void test_races(void **state) {
  (void)state;
  static const char with[] =
      LOCK("m") "load %a = @x\nstore @x = add.i32(%a, 1:i32)\n" UNLOCK(
          "m") "return null\n";
  static const char without[] = "load %a = @x\nreturn null\n";
  static const char other[] =
      LOCK("n") "load %a = @x\n" UNLOCK("n") "return null\n";
  static const char is_two[] = CREATE("0", "0") CREATE("1", "8") JOIN("0")
      JOIN("8") "load %a = @x\n? eq.i1(%a, 2:i32) ok\ncall @reach_error()\n"
                ":ok\nreturn 0:i32\n";
  static const char starts[] =
      CREATE("0", "0") CREATE("1", "8") "return 0:i32\n";
  check(program_of(with, with, is_two), HD_PROPERTY_RACE, HD_SAFE);
  check(program_of(with, with, is_two), HD_PROPERTY_ASSERT, HD_SAFE);
  check(program_of(with, without, starts), HD_PROPERTY_RACE, HD_UNSAFE);
  check(program_of(with, other, starts), HD_PROPERTY_RACE, HD_UNSAFE);
  check(program_of(without, without, starts), HD_PROPERTY_RACE, HD_SAFE);
  /* What a race does to values is seen. */
  static const char adds[] = "load %a = @x\nstore @x = add.i32(%a, 1:i32)\n"
                             "return null\n";
  check(program_of(adds, adds, is_two), HD_PROPERTY_ASSERT, HD_UNSAFE);
  static const char atomically[] =
      "rmw.add.seq_cst %a = @x, 1:i32\nreturn null\n";
  check(program_of(atomically, atomically, is_two), HD_PROPERTY_ASSERT,
        HD_SAFE);
  static const char section[] =
      "call @__VERIFIER_atomic_begin()\nload %a = @x\n"
      "store @x = add.i32(%a, 1:i32)\ncall @__VERIFIER_atomic_end()\n"
      "return null\n";
  check(program_of(section, section, is_two), HD_PROPERTY_ASSERT, HD_SAFE);
}

/* Waiting by condition variable, barrier, semaphore, and once. */
static void test_waiting(void **state) {
  (void)state;
  static const char starts[] =
      CREATE("0", "0") CREATE("1", "8") JOIN("0") JOIN("8") "return 0:i32\n";
  static const char waits[] =
      LOCK("m") ":again\nload %a = @x\n? ne.i1(%a, 0:i32) on\n"
                "call %k = @pthread_cond_wait(@c, @m)\ngoto again\n"
                ":on\n" UNLOCK("m") "load %a = @y\n? eq.i1(%a, 1:i32) ok\n"
                                    "call @reach_error()\n:ok\n"
                                    "return null\n";
  static const char signals[] =
      "store @y = 1:i32\n" LOCK("m") "store @x = 1:i32\n" UNLOCK(
          "m") "call %k = @pthread_cond_signal(@c)\nreturn null\n";
  check(program_of(waits, signals, starts), HD_PROPERTY_ASSERT, HD_SAFE);
  check(program_of(waits, signals, starts), HD_PROPERTY_RACE, HD_SAFE);
  static const char late[] = LOCK("m") "store @x = 1:i32\n" UNLOCK(
      "m") "call %k = @pthread_cond_signal(@c)\nstore @y = 1:i32\nreturn "
           "null\n";
  check(program_of(waits, late, starts), HD_PROPERTY_ASSERT, HD_UNSAFE);
  static const char meets[] = "call %k = @pthread_barrier_wait(@b)\n"
                              "load %a = @y\n? eq.i1(%a, 1:i32) ok\n"
                              "call @reach_error()\n:ok\nreturn null\n";
  static const char writes[] = "store @y = 1:i32\n"
                               "call %k = @pthread_barrier_wait(@b)\n"
                               "return null\n";
  static const char after[] = "call %k = @pthread_barrier_wait(@b)\n"
                              "store @y = 1:i32\nreturn null\n";
  static const char prepared[] =
      "call %k = @pthread_barrier_init(@b, null, 2:i32)\n" CREATE("0", "0")
          CREATE("1", "8") JOIN("0") JOIN("8") "return 0:i32\n";
  check(program_of(meets, writes, prepared), HD_PROPERTY_ASSERT, HD_SAFE);
  check(program_of(meets, writes, prepared), HD_PROPERTY_RACE, HD_SAFE);
  check(program_of(meets, after, prepared), HD_PROPERTY_RACE, HD_UNSAFE);
  static const char once[] = "call %k = @pthread_once(@o, @init)\n"
                             "load %a = @y\n? eq.i1(%a, 1:i32) ok\n"
                             "call @reach_error()\n:ok\nreturn null\n";
  check(program_of(once, once, starts), HD_PROPERTY_ASSERT, HD_SAFE);
  check(program_of(once, once, starts), HD_PROPERTY_RACE, HD_SAFE);
}

/* A loop of a thread's own ends by widening, one over events by cutoffs. */
static void test_loops(void **state) {
  (void)state;
  static const char counts[] = "set %i = 0:i32\n:more\n"
                               "? sge.i1(%i, 100000:i32) out\n"
                               "set %i = add.i32.nsw(%i, 1:i32)\ngoto more\n"
                               ":out\n"
                               "? eq.i1(%i, 100000:i32) ok\n"
                               "call @reach_error()\n:ok\nreturn 0:i32\n";
  for (uint32_t widen = 1; widen < 40; widen += 13) {
    job j = unfold(program_of(NULL, NULL, counts),
                   (hd_unfold_options){.widen = widen, .unroll = 2});
    expect(&j, HD_PROPERTY_ASSERT, HD_SAFE);
    expect(&j, HD_PROPERTY_OVERFLOW, HD_SAFE);
    end(&j);
  }
  static const char spins[] = ":more\n" LOCK("m") "load %a = @x\n" UNLOCK(
      "m") "? eq.i1(%a, 0:i32) more\nreturn null\n";
  static const char frees[] =
      LOCK("m") "store @x = 1:i32\n" UNLOCK("m") "return null\n";
  for (int off = 0; off < 2; off++) {
    job j = unfold(program_of(spins, frees,
                              CREATE("0", "0") CREATE("1", "8") JOIN("0")
                                  JOIN("8") "return 0:i32\n"),
                   (hd_unfold_options){.no_cutoffs = off, .max_events = 500});
    expect(&j, HD_PROPERTY_RACE, off ? HD_UNKNOWN : HD_SAFE);
    assert_true(off ? j.result.cutoffs == 0 : j.result.cutoffs > 0);
    if (off)
      assert_string_equal(j.result.reason, "more than 500 events");
    end(&j);
  }
}

/* --- mistakes that were made --- */

/* What main writes behind a creation, into the handle, is newer than what the
 * creation wrote there, for the thread that learns of it by the lock. */
static void test_handle_overwritten(void **state) {
  (void)state;
  check(program_of(
            LOCK("m") "load %a = @x\n"
                      "load %b = @th\n" UNLOCK("m") "? ne.i1(%a, 1:i32) ok\n"
                                                    "? ne.i1(%b, 77:i32) ok\n"
                                                    "call @reach_error()\n"
                                                    ":ok\n"
                                                    "return null\n",
            NULL,
            CREATE("0", "0")
                LOCK("m") "store @x = 1:i32\n"
                          "store @th = 77:i32\n" UNLOCK("m") "return 0:i32\n"),
        HD_PROPERTY_ASSERT, HD_UNSAFE);
}

/* The first thread knows that y is 5 on the short way and that it is not on the
 * long one. The second one has not looked: after it both ways look alike, and
 * the long one is a cutoff, if that is not taken care of. */
static void test_knowledge_of_others(void **state) {
  (void)state;
  static const char looks[] =
      "load %a = @y\n"
      "? eq.i1(%a, 5:i32) short\n" LOCK("n") UNLOCK("n") LOCK("n")
          UNLOCK("n") "goto on\n"
                      ":short\n" LOCK("third") UNLOCK(
                          "third") ":on\n"
                                   "set %a = 0:i32\n" LOCK(
                                       "m") "store @x = 1:i32\n" UNLOCK("m")
                                       LOCK("m") "load %b = @z\n" UNLOCK(
                                           "m") "? ne.i1(%b, 1:i32) ok\n"
                                                "load %a = @y\n"
                                                "? eq.i1(%a, 5:i32) ok\n"
                                                "call @reach_error()\n"
                                                ":ok\n"
                                                "return null\n";
  static const char answers[] = LOCK("m") "load %a = @x\n"
                                          "? ne.i1(%a, 1:i32) out\n"
                                          "store @z = 1:i32\n"
                                          ":out\n" UNLOCK("m") "return null\n";
  check(program_of(looks, answers,
                   "call %a = @heddle_nondet_int(0:i32, 9:i32)\n"
                   "store @y = %a\n" CREATE("0", "0")
                       CREATE("1", "8") "return 0:i32\n"),
        HD_PROPERTY_ASSERT, HD_UNSAFE);
}

/* On the long way y was written, without a trace in the values. What follows is
 * the same on both ways, but only behind the long one it is a race. */
static void test_race_with_the_past(void **state) {
  (void)state;
  static const char writes[] =
      "call %a = @heddle_nondet_int(0:i32, 1:i32)\n"
      "? eq.i1(%a, 0:i32) short\n"
      "store @y = 0:i32\n" LOCK("n") UNLOCK("n") LOCK("n")
          UNLOCK("n") "goto on\n"
                      ":short\n" LOCK("third")
                          UNLOCK("third") ":on\n"
                                          "set %a = 0:i32\n" LOCK("m")
                                              UNLOCK("m") "return null\n";
  static const char reads[] =
      "call %k = @pthread_mutex_trylock(@m)\n"
      "? ne.i1(%k, 0:i32) busy\n" UNLOCK("m") "return null\n"
                                              ":busy\n"
                                              "load %b = @y\n"
                                              "return null\n";
  hd_code *code = program_of(
      writes, reads, CREATE("0", "0") CREATE("1", "8") "return 0:i32\n");
  /* The two accesses never come one after the other: explore does not see it. */
  hd_explore_options options = {.machine.checks = BIT(RACE), .seed = 1};
  hd_run run = {0};
  hd_explore_result found = {0};
  hd_fuzz(code, &options, &run, &found);
  assert_int_equal(found.findings[HD_PROPERTY_RACE].verdict, HD_UNSAFE);
  hd_explore_result_free(&found);
  job j = unfold(code, (hd_unfold_options){0});
  expect(&j, HD_PROPERTY_RACE, HD_UNKNOWN);
  expect(&j, HD_PROPERTY_ASSERT, HD_SAFE);
  end(&j);
}

/* Data handed over by a flag: only if storing and loading it synchronise. */
static void hand_over(const char *store, const char *load, bool ok) {
  char writes[200], reads[300];
  snprintf(writes, sizeof writes,
           "store @y = 1:i32\nstore.%s @z = 1:i32\nreturn null\n", store);
  snprintf(reads, sizeof reads,
           ":again\nload.%s %%a = @z\n? eq.i1(%%a, 0:i32) again\n"
           "load %%b = @y\n? eq.i1(%%b, 1:i32) ok\ncall @reach_error()\n"
           ":ok\nreturn null\n",
           load);
  job j = unfold(program_of(writes, reads,
                            CREATE("0", "0") CREATE("1", "8") JOIN("0")
                                JOIN("8") "return 0:i32\n"),
                 (hd_unfold_options){0});
  expect(&j, HD_PROPERTY_ASSERT, HD_SAFE);
  expect(&j, HD_PROPERTY_RACE, ok ? HD_SAFE : HD_UNKNOWN);
  expect(&j, HD_PROPERTY_DEADLOCK, HD_SAFE);
  assert_true(j.result.cutoffs > 0); /* waiting goes round and round */
  end(&j);
}

static void test_hand_over(void **state) {
  (void)state;
  hand_over("release", "acquire", true);
  hand_over("seq_cst", "seq_cst", true);
  hand_over("relaxed", "acquire", false);
  hand_over("release", "relaxed", false);
}

/* A thread that waits within an atomic section lets the others run. */
static void test_wait_in_atomic_section(void **state) {
  (void)state;
  check(program_of(
            "call @__VERIFIER_atomic_begin()\n" LOCK("m")
                UNLOCK("m") "call @__VERIFIER_atomic_end()\n"
                            "return null\n",
            LOCK("m") "store.seq_cst @x = 1:i32\n" UNLOCK("m") "return null\n",
            CREATE("0", "0") CREATE("1", "8") JOIN("0")
                JOIN("8") "return 0:i32\n"),
        HD_PROPERTY_DEADLOCK, HD_SAFE);
}

/* Threads without end are seen before what they do is looked at. */
static void test_too_many_threads(void **state) {
  (void)state;
  job j = unfold(program_of(LOCK("m") UNLOCK("m") LOCK("n") UNLOCK("n")
                                LOCK("m") UNLOCK("m") "return null\n",
                            "return null\n",
                            ":again\n" CREATE("0", "0") "goto again\n"),
                 (hd_unfold_options){.max_events = 1000});
  expect(&j, HD_PROPERTY_ASSERT, HD_UNKNOWN);
  assert_non_null(strstr(j.result.reason, "too many threads"));
  assert_int_equal(j.result.rounds, 0);
  end(&j);
}

#define CALL(what) "call %k = @" what "\n"
#define BOTH                                                                   \
  CREATE("0", "0") CREATE("1", "8") JOIN("0") JOIN("8") "return 0:i32\n"
/* The same places of all threads and the same memory, but other states of locks:
 * the smaller history is the harmless one. */
static void test_states_of_locks(void **state) {
  (void)state;
  static const char *const pairs[][2] = {
      {LOCK("m"), LOCK("m") UNLOCK("m")},
      {CALL("pthread_rwlock_rdlock(@rw)"), CALL("pthread_rwlock_wrlock(@rw)")},
      {CALL("pthread_rwlock_wrlock(@rw)"), CALL("pthread_rwlock_rdlock(@rw)")},
      {CALL("sem_wait(@s)"), CALL("sem_wait(@s)")},
  };
  for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
    char one[400], two[300];
    snprintf(one, sizeof one, "%s%s%s%s",
             "call %a = @heddle_nondet_int(0:i32, 1:i32)\n"
             "? eq.i1(%a, 0:i32) on\n",
             pairs[i][0],
             ":on\nset %a, %k = 0:i32, 0:i32\n"
             "store.seq_cst @z = 1:i32\n",
             "return null\n");
    snprintf(two, sizeof two, "%sreturn null\n", pairs[i][1]);
    check(program_of(one, two, CALL("sem_init(@s, 0:i32, 1:i32)") BOTH),
          HD_PROPERTY_DEADLOCK, HD_UNSAFE);
  }
  /* Woken once, it waits again: as it stood before, but for the signal, which
   * comes when it waits. */
  check(program_of(
            LOCK("m") "store @y = 1:i32\n"
                      ":again\n" CALL(
                          "pthread_cond_wait(@c, @m)") "load %a = @x\n"
                                                       "? eq.i1(%a, 0:i32) "
                                                       "again\n" UNLOCK(
                                                           "m") "return null\n",
            ":early\n" LOCK("m") "load %a = @y\n" UNLOCK(
                "m") "? eq.i1(%a, 0:i32) early\n" CALL("pthread_cond_"
                                                       "signal(@c)") "return "
                                                                     "null\n",
            BOTH),
        HD_PROPERTY_DEADLOCK, HD_UNSAFE);
}

/* Who reads keeps writers out, and the other way round. */
static void test_readers_and_writers(void **state) {
  (void)state;
  static const char *const kinds[] = {"rdlock", "wrlock"};
  for (int i = 0; i < 4; i++) {
    char one[300], two[300];
    snprintf(one, sizeof one, "call %%k = @pthread_rwlock_%s(@rw)\n%s",
             kinds[i / 2],
             CALL("sem_wait(@s)")
                 CALL("pthread_rwlock_unlock(@rw)") "return null\n");
    snprintf(two, sizeof two, "call %%k = @pthread_rwlock_%s(@rw)\n%s",
             kinds[i % 2],
             CALL("sem_post(@s)")
                 CALL("pthread_rwlock_unlock(@rw)") "return null\n");
    check(program_of(one, two, CALL("sem_init(@s, 0:i32, 0:i32)") BOTH),
          HD_PROPERTY_DEADLOCK, i == 0 ? HD_SAFE : HD_UNSAFE);
  }
}

/* A thread that waits for itself is one too many, even if main does not wait for
 * it. */
static void test_waits_for_itself(void **state) {
  (void)state;
  static const char *const threads[] = {
      LOCK("m") LOCK("m") "return null\n",
      CALL("pthread_rwlock_rdlock(@rw)")
          CALL("pthread_rwlock_wrlock(@rw)") "return null\n",
  };
  for (size_t i = 0; i < sizeof threads / sizeof *threads; i++)
    check(program_of(threads[i], NULL,
                     CREATE("0", "0") "store.seq_cst @z = 1:i32\n"
                                      "return 0:i32\n"),
          HD_PROPERTY_DEADLOCK, HD_UNSAFE);
}

/* Who joins itself waits, or is told so: nothing is safe behind that. */
static void test_joins_itself(void **state) {
  (void)state;
  hd_code *code = program_of(JOIN("0") "return null\n", NULL,
                             CREATE("0", "0") "store.seq_cst @z = 1:i32\n"
                                              "return 0:i32\n");
  truth(code, HD_PROPERTY_DEADLOCK, HD_UNSAFE);
  job j = unfold(code, (hd_unfold_options){0});
  expect(&j, HD_PROPERTY_DEADLOCK, HD_UNKNOWN);
  expect(&j, HD_PROPERTY_ASSERT, HD_UNKNOWN);
  end(&j);
}

/* What a thread did behind its unlock is not known to who has only seen the
 * unlock; but to who has seen more. */
static void test_behind_an_action(void **state) {
  (void)state;
  check(program_of(LOCK("m") UNLOCK("m") "store @x = 1:i32\n" CALL(
                       "sem_post(@s)") "return null\n",
                   NULL,
                   CALL("sem_init(@s, 0:i32, 0:i32)") CREATE("0", "0") LOCK("m")
                       UNLOCK("m")
                           CALL("sem_wait(@s)") "load %a = @x\n"
                                                "? eq.i1(%a, 1:i32) ok\n"
                                                "call @reach_error()\n"
                                                ":ok\nreturn 0:i32\n"),
        HD_PROPERTY_ASSERT, HD_SAFE);
}

/* Either thread may hold the lock, at the same places of both and with all else the
 * same: who it is counts. The lock tells who opens it without holding it, and the
 * second thread opens it only after it has seen the first one's flag. */
static void test_who_holds_it(void **state) {
  (void)state;
  static const char perhaps[] =
      "call %a = @heddle_nondet_int(0:i32, 1:i32)\n"
      "? eq.i1(%a, 0:i32) go\n" LOCK("third") ":go\n"
                                              "set %a, %k = 0:i32, 0:i32\n";
  char first[400], second[600];
  snprintf(first, sizeof first, "%sstore.seq_cst @z = 2:i32\nreturn null\n",
           perhaps);
  snprintf(second, sizeof second, "%s%s", perhaps,
           "load.seq_cst %a = @z\n"
           "? ne.i1(%a, 2:i32) out\n" UNLOCK("third") "? ne.i1(%k, 0:i32) out\n"
                                                      "call @reach_error()\n"
                                                      ":out\n"
                                                      "return null\n");
  static const char starts[] =
      "store ptradd.ptr(@third, 16:i64) = 2:i32\n" CREATE("0", "0")
          CREATE("1", "8") "return 0:i32\n";
  static const char other[] =
      "store ptradd.ptr(@third, 16:i64) = 2:i32\n" CREATE("1", "0")
          CREATE("0", "8") "return 0:i32\n";
  check(program_of(first, second, starts), HD_PROPERTY_ASSERT, HD_UNSAFE);
  check(program_of(second, first, other), HD_PROPERTY_ASSERT, HD_UNSAFE);
}

/* Something perhaps happens, and then a flag is set; who has seen it waits for what
 * depends on that. The same places of both threads, another state of the lock. */
static void test_what_is_held(void **state) {
  (void)state;
  static const char *const cases[][3] = {
      {CALL("pthread_rwlock_init(@rw, null)"),
       CALL("pthread_rwlock_rdlock(@rw)"), CALL("pthread_rwlock_wrlock(@rw)")},
      {"", CALL("pthread_rwlock_rdlock(@rw)"),
       CALL("pthread_rwlock_wrlock(@rw)")},
      {CALL("pthread_rwlock_init(@rw, null)"),
       CALL("pthread_rwlock_wrlock(@rw)"), CALL("pthread_rwlock_rdlock(@rw)")},
      {CALL("pthread_mutex_init(@m, null)"), LOCK("m"), LOCK("m")},
      {"", LOCK("m"), LOCK("m")},
      {CALL("sem_init(@s, 0:i32, 1:i32)"), CALL("sem_wait(@s)"),
       CALL("sem_wait(@s)")},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char first[500], second[500], start[500];
    snprintf(first, sizeof first,
             "call %%a = @heddle_nondet_int(0:i32, 1:i32)\n"
             "? eq.i1(%%a, 0:i32) go\n%s:go\n"
             "set %%a, %%k = 0:i32, 0:i32\n"
             "store.seq_cst @z = 1:i32\nreturn null\n",
             cases[i][1]);
    snprintf(second, sizeof second,
             "load.seq_cst %%a = @z\n"
             "? eq.i1(%%a, 0:i32) out\n%s:out\nreturn null\n",
             cases[i][2]);
    snprintf(start, sizeof start, "%s%s", cases[i][0],
             CREATE("0", "0") CREATE("1", "8") JOIN("0")
                 JOIN("8") "return 0:i32\n");
    check(program_of(first, second, start), HD_PROPERTY_DEADLOCK, HD_UNSAFE);
  }
}

/* The thread writes x, or not; then it sets a flag without releasing anything, and
 * whoever has seen that reads x. Both ways lead to the same state, but only behind
 * one of them there is a race. */
static void test_race_behind_cutoff(void **state) {
  (void)state;
  static const char first[] = "call %a = @heddle_nondet_int(0:i32, 1:i32)\n"
                              "? eq.i1(%a, 0:i32) go\n"
                              "load.seq_cst %k = @y\n"
                              "store @x = 1:i32\n"
                              ":go\n"
                              "set %a, %k = 0:i32, 0:i32\n"
                              "store.relaxed @z = 1:i32\nreturn null\n";
  static const char second[] = "load.relaxed %a = @z\n"
                               "? ne.i1(%a, 1:i32) out\n"
                               "load %b = @x\n"
                               ":out\nreturn null\n";
  job j =
      unfold(program_of(first, second,
                        "store @x = 1:i32\n" CREATE("0", "0") CREATE("1", "8")
                            JOIN("0") JOIN("8") "return 0:i32\n"),
             (hd_unfold_options){0});
  expect(&j, HD_PROPERTY_RACE, HD_UNKNOWN);
  assert_null(j.result.reason);
  end(&j);
}

/* When main returns others may wait as they like; when it only ends they may
 * not. */
static void test_end_of_main(void **state) {
  (void)state;
  static const char stuck[] = CALL("sem_wait(@s)") "return null\n";
  check(program_of(stuck, NULL,
                   CALL("sem_init(@s, 0:i32, 0:i32)")
                       CREATE("0", "0") "return 0:i32\n"),
        HD_PROPERTY_DEADLOCK, HD_SAFE);
  check(program_of(stuck, NULL,
                   CALL("sem_init(@s, 0:i32, 0:i32)") CREATE(
                       "0", "0") "call @pthread_exit(null)\nreturn 0:i32\n"),
        HD_PROPERTY_DEADLOCK, HD_UNSAFE);
}

/* The way of an alarm: the thread stores, then main's assertion fails. */
static void test_way(void **state) {
  (void)state;
  job j = unfold(program_of("store.seq_cst @z = 1:i32\nreturn null\n",
                            "return null\n",
                            CREATE("0", "0") "load.seq_cst %a = @z\n"
                                             "? eq.i1(%a, 0:i32) ok\n"
                                             "call @reach_error()\n"
                                             ":ok\nreturn 0:i32\n"),
                 (hd_unfold_options){.max_events = 1000});
  expect(&j, HD_PROPERTY_ASSERT, HD_UNKNOWN);
  assert_int_equal(j.result.alarms.size, 1);
  const hd_waypoints *way = &j.result.alarms.data[0].way;
  static const hd_tid who[] = {0, 1, 0};
  static const hd_code_act acts[] = {HD_CODE_CALL, HD_CODE_STORE, HD_CODE_LOAD};
  assert_int_equal(way->size, 3);
  for (size_t i = 0; i < way->size; i++) {
    assert_int_equal(way->data[i].thread, who[i]);
    assert_int_equal(j.code->edges.data[way->data[i].edge].act, acts[i]);
    assert_false(way->data[i].again);
  }
  end(&j);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_golden),
      cmocka_unit_test(test_store_buffer),
      cmocka_unit_test(test_figure_one),
      cmocka_unit_test(test_nameless),
      cmocka_unit_test(test_own_variables),
      cmocka_unit_test(test_lock_order),
      cmocka_unit_test(test_races),
      cmocka_unit_test(test_waiting),
      cmocka_unit_test(test_loops),
      cmocka_unit_test(test_handle_overwritten),
      cmocka_unit_test(test_knowledge_of_others),
      cmocka_unit_test(test_race_with_the_past),
      cmocka_unit_test(test_hand_over),
      cmocka_unit_test(test_wait_in_atomic_section),
      cmocka_unit_test(test_too_many_threads),
      cmocka_unit_test(test_way),
      cmocka_unit_test(test_states_of_locks),
      cmocka_unit_test(test_readers_and_writers),
      cmocka_unit_test(test_waits_for_itself),
      cmocka_unit_test(test_joins_itself),
      cmocka_unit_test(test_behind_an_action),
      cmocka_unit_test(test_who_holds_it),
      cmocka_unit_test(test_race_behind_cutoff),
      cmocka_unit_test(test_what_is_held),
      cmocka_unit_test(test_end_of_main),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
