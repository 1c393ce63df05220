/* SPDX-License-Identifier: MIT */
/* The interpreter on threads and everything they wait for: all interleavings of
 * small programs, by a plain search over encoded states. */
#include "interp_util.h"

#include "base/hash.h"

/* --- all runs of a program --- */

typedef struct {
  const char *bytes;
  size_t size;
} blob;
#define HD_MAP blob_set
#define HD_KEY blob
#define HD_VAL bool
#define HD_HASH(k) hd_hash_bytes((k).bytes, (k).size)
#define HD_EQ(a, b)                                                            \
  ((a).size == (b).size && memcmp((a).bytes, (b).bytes, (a).size) == 0)
#include "base/map_templ.h"

/* What can happen: exit codes, statuses, violated properties. */
typedef struct {
  blob_set seen;
  size_t moves;
  uint64_t codes; /* set of exit codes below 64 */
  uint32_t statuses;
  hd_properties violated;
  char message[200]; /* of some violation */
} outcomes;

static void note_end(outcomes *o, const hd_machine *m) {
  o->statuses |= 1u << hd_machine_status_of(m);
  if (hd_machine_status_of(m) == HD_MACHINE_EXITED)
    o->codes |= (uint64_t)1 << (hd_machine_exit_code(m) & 63);
  if (hd_machine_status_of(m) == HD_MACHINE_UNSUPPORTED)
    print_error("%s\n", hd_machine_why(m));
  for (size_t i = 0; i < hd_machine_violations(m); i++) {
    const hd_violation *v = hd_machine_violation(m, i);
    o->violated |= 1u << v->property;
    snprintf(o->message, sizeof o->message, "%s", v->message);
  }
}

static bool fresh(outcomes *o, const hd_machine *m) {
  hd_bytes bytes = {0};
  hd_machine_encode(m, &bytes);
  bool is_new;
  blob_set_put(&o->seen, (blob){(char *)bytes.data, bytes.size}, true, &is_new);
  if (!is_new)
    hd_vec_free(&bytes);
  return is_new;
}

static void explore(outcomes *o, const hd_machine *m) {
  assert_true(o->moves < 200000);
  if (hd_machine_status_of(m) != HD_MACHINE_RUNNING) {
    note_end(o, m);
    return;
  }
  for (hd_tid t = 0; t < hd_machine_threads(m); t++) {
    if (!hd_machine_enabled(m, t))
      continue;
    uint64_t choices = hd_machine_choices(m, t);
    assert_true(choices < 100);
    for (uint64_t c = 0; c < choices; c++) {
      hd_machine *next = hd_machine_copy(m);
      hd_machine_move(next, (hd_turn){.thread = t, .choice = c});
      o->moves++;
      if (fresh(o, next))
        explore(o, next);
      hd_machine_delete(next);
    }
  }
}

/* Races are found by clocks only when states are not left out: not here. */
static outcomes all_runs(const char *text, hd_properties checks,
                         bool spurious) {
  run r = {0};
  r.options.spurious = spurious;
  start(&r, text, checks);
  outcomes o = {0};
  explore(&o, r.m);
  stop(&r);
  for (size_t i = 0; i < o.seen.size; i++)
    hd_free((char *)(uintptr_t)o.seen.items[i].key.bytes);
  blob_set_free(&o.seen);
  return o;
}

static hd_properties races(const char *text, uint64_t seeds) {
  hd_properties found = 0;
  for (uint64_t seed = 1; seed <= seeds; seed++) {
    run r = {0};
    r.options.clocks = true;
    start(&r, text, 1u << HD_PROPERTY_RACE);
    finish(&r, seed);
    for (size_t i = 0; i < hd_machine_violations(r.m); i++) {
      const hd_violation *v = hd_machine_violation(r.m, i);
      assert_true(v->other != HD_NO_ID && v->other != v->thread);
      assert_true(v->edge < r.code->edges.size);
      assert_true(v->other_edge < r.code->edges.size);
      found |= 1u << v->property;
    }
    stop(&r);
  }
  return found;
}

#define HEAD                                                                   \
  "heddle code 1\ntarget 64\nfile 0 \"t.c\"\n"                                 \
  "global @x \"x\" size 4 align 4\nglobal @y \"y\" size 4 align 4\n"           \
  "global @m \"m\" size 40 align 8\nglobal @n \"n\" size 40 align 8\n"         \
  "global @c \"c\" size 48 align 8\nglobal @s \"s\" size 32 align 8\n"         \
  "global @w \"w\" size 56 align 8\nglobal @b \"b\" size 32 align 8\n"         \
  "function @pthread_create \"\" (ptr, ptr, ptr, ptr) -> i32 external\n"       \
  "function @pthread_join \"\" (i64, ptr) -> i32 external\n"                   \
  "function @pthread_exit \"\" (ptr) -> void external\n"                       \
  "function @pthread_detach \"\" (i64) -> i32 external\n"                      \
  "function @pthread_self \"\" () -> i64 external\n"                           \
  "function @pthread_mutex_lock \"\" (ptr) -> i32 external\n"                  \
  "function @pthread_mutex_trylock \"\" (ptr) -> i32 external\n"               \
  "function @pthread_mutex_timedlock \"\" (ptr, ptr) -> i32 external\n"        \
  "function @pthread_mutex_unlock \"\" (ptr) -> i32 external\n"                \
  "function @pthread_mutex_destroy \"\" (ptr) -> i32 external\n"               \
  "function @pthread_rwlock_rdlock \"\" (ptr) -> i32 external\n"               \
  "function @pthread_rwlock_wrlock \"\" (ptr) -> i32 external\n"               \
  "function @pthread_rwlock_unlock \"\" (ptr) -> i32 external\n"               \
  "function @pthread_cond_wait \"\" (ptr, ptr) -> i32 external\n"              \
  "function @pthread_cond_timedwait \"\" (ptr, ptr, ptr) -> i32 external\n"    \
  "function @pthread_cond_signal \"\" (ptr) -> i32 external\n"                 \
  "function @pthread_cond_broadcast \"\" (ptr) -> i32 external\n"              \
  "function @pthread_barrier_init \"\" (ptr, ptr, i32) -> i32 external\n"      \
  "function @pthread_barrier_wait \"\" (ptr) -> i32 external\n"                \
  "function @sem_init \"\" (ptr, i32, i32) -> i32 external\n"                  \
  "function @sem_wait \"\" (ptr) -> i32 external\n"                            \
  "function @sem_post \"\" (ptr) -> i32 external\n"                            \
  "function @pthread_once \"\" (ptr, ptr) -> i32 external\n"                   \
  "function @pthread_key_create \"\" (ptr, ptr) -> i32 external\n"             \
  "function @pthread_setspecific \"\" (i32, ptr) -> i32 external\n"            \
  "function @pthread_getspecific \"\" (i32) -> ptr external\n"                 \
  "function @__VERIFIER_atomic_begin \"\" () -> void external\n"               \
  "function @__VERIFIER_atomic_end \"\" () -> void external\n"                 \
  "function @reach_error \"\" () -> void external\n"

/* A step: goes to the next location, k + 1. Numbers are written out. */
#define AT(k, next, action) "location " #k " -\n-> " #next " - " action "\n"

#define THREAD(name, regs, body)                                               \
  "function @" name " \"" name "\" (%a) -> ptr {\nreg %a ptr\n" regs body "}"  \
  "\n"
/* main: two threads, both joined, then `last` from location 6 on. */
#define MAIN(first, f, g, regs, last)                                          \
  "function @main \"main\" () -> i32 {\nreg %t i64\nreg %v i32\n" regs         \
  "slot &p \"p\" size 8 align 8\nslot &q \"q\" size 8 align 8\n" AT(           \
      0, 1, first) AT(1, 2, "call @pthread_create(&p, null, @" f ", null)")    \
      AT(2, 3, "call @pthread_create(&q, null, @" g ", null)")                 \
          AT(3, 4, "load %t = &p") AT(4, 5, "call @pthread_join(%t, null)")    \
              AT(5, 6, "load %t = &q")                                         \
                  AT(6, 7, "call @pthread_join(%t, null)") last "}\n"
#define RETURN_X AT(7, 8, "load %v = @x") AT(8, 8, "return %v")

#define INCREMENT                                                              \
  AT(0, 1, "load %v = @x")                                                     \
  AT(1, 2, "store @x = add.i32(%v, 1:i32)") AT(2, 2, "return null")
#define LOCKED                                                                 \
  AT(0, 1, "call @pthread_mutex_lock(@m)")                                     \
  AT(1, 2, "load %v = @x")                                                     \
  AT(2, 3, "store @x = add.i32(%v, 1:i32)")                                    \
  AT(3, 4, "call @pthread_mutex_unlock(@m)") AT(4, 4, "return null")

static const char racy[] = HEAD THREAD("f", "reg %v i32\n", INCREMENT)
    MAIN("skip", "f", "f", "", RETURN_X);
static const char locked[] = HEAD THREAD("f", "reg %v i32\n", LOCKED)
    MAIN("skip", "f", "f", "", RETURN_X);

static void interleavings(void **state) {
  outcomes o = all_runs(racy, ALL_CHECKS, false);
  assert_int_equal(o.codes, 1u << 1 | 1u << 2);
  assert_int_equal(o.violated, 0);
  o = all_runs(locked, ALL_CHECKS, false);
  assert_int_equal(o.codes, 1u << 2);
  assert_int_equal(o.violated, 0);
  assert_int_equal(o.statuses, 1u << HD_MACHINE_EXITED);
}

#define WRITER(second, third)                                                  \
  THREAD("f", "reg %v i32\n",                                                  \
         AT(0, 1, "store @y = 1:i32") AT(1, 2, second) AT(2, 3, third)         \
             AT(3, 3, "return null"))
#define READER(first)                                                          \
  THREAD("g", "reg %v i32\n",                                                  \
         AT(0, 1, first) AT(1, 2, "load.acquire %v = @x")                      \
             AT(2, 3, "when eq.i1(%v, 4:i32)") "-> 4 - when ne.i1(%v, "        \
                                               "4:i32)\n" AT(3, 4,             \
                                                             "load %v = @y")   \
                                                   AT(4, 4, "return null"))
#define RELAXED "store.relaxed @x = 4:i32"

/* A store of the same thread continues its release sequence, one of another
 * thread ends it. */
static void release_sequences(void **state) {
  static const char store[] = HEAD WRITER("store.release @x = 1:i32", RELAXED)
      READER("skip") MAIN("skip", "f", "g", "", RETURN_X);
  assert_int_equal(races(store, 60), 0);
  static const char rmw[] =
      HEAD WRITER("rmw.add.release %v = @x, 1:i32", RELAXED)
          READER("rmw.add.release %v = @x, 0:i32")
              MAIN("skip", "f", "g", "", RETURN_X);
  assert_int_equal(races(rmw, 60), 0);
  static const char other[] = HEAD WRITER("store.release @x = 1:i32", "skip")
      READER(RELAXED) MAIN("skip", "f", "g", "", RETURN_X);
  assert_int_equal(races(other, 60), 1u << HD_PROPERTY_RACE);
}

static void vector_clocks(void **state) {
  assert_int_equal(races(racy, 10), 1u << HD_PROPERTY_RACE);
  assert_int_equal(races(locked, 30), 0);
  static const char atomics[] = HEAD THREAD(
      "f", "reg %v i32\n",
      AT(0, 1, "store @y = 1:i32") AT(1, 2, "store.release @x = 1:i32")
          AT(2, 2, "return null"))
      THREAD("g", "reg %v i32\n",
             AT(0, 1, "load.acquire %v = @x")
                 AT(1, 2, "when eq.i1(%v, 1:i32)") "-> 3 - when ne.i1(%v, "
                                                   "1:i32)\n" AT(2, 3,
                                                                 "load %v = @y")
                                                       AT(3, 3, "return null"))
          MAIN("skip", "f", "g", "", RETURN_X);
  assert_int_equal(races(atomics, 40), 0);
  /* Relaxed accesses are no race, but order nothing. */
  static const char relaxed[] = HEAD THREAD(
      "f", "reg %v i32\n",
      AT(0, 1, "store @y = 1:i32") AT(1, 2, "store.relaxed @x = 1:i32")
          AT(2, 2, "return null"))
      THREAD("g", "reg %v i32\n",
             AT(0, 1, "load.relaxed %v = @x")
                 AT(1, 2, "when eq.i1(%v, 1:i32)") "-> 3 - when ne.i1(%v, "
                                                   "1:i32)\n" AT(2, 3,
                                                                 "load %v = @y")
                                                       AT(3, 3, "return null"))
          MAIN("skip", "f", "g", "", RETURN_X);
  assert_int_equal(races(relaxed, 40), 1u << HD_PROPERTY_RACE);
  static const char sections[] = HEAD THREAD(
      "f", "reg %v i32\n",
      AT(0, 1, "call @__VERIFIER_atomic_begin()") AT(1, 2, "load %v = @x")
          AT(2, 3, "store @x = add.i32(%v, 1:i32)")
              AT(3, 4, "call @__VERIFIER_atomic_end()") AT(4, 4, "return null"))
      MAIN("skip", "f", "f", "", RETURN_X);
  assert_int_equal(races(sections, 20), 0);
  outcomes o = all_runs(sections, ALL_CHECKS, false);
  assert_int_equal(o.codes, 1u << 2);
}

static void deadlocks(void **state) {
#define TWO_LOCKS(first, second)                                               \
  AT(0, 1, "call @pthread_mutex_lock(@" first ")")                             \
  AT(1, 2, "call @pthread_mutex_lock(@" second ")")                            \
  AT(2, 3, "call @pthread_mutex_unlock(@" second ")")                          \
  AT(3, 4, "call @pthread_mutex_unlock(@" first ")") AT(4, 4, "return null")
  outcomes o = all_runs(HEAD THREAD("f", "", TWO_LOCKS("m", "n"))
                            THREAD("g", "", TWO_LOCKS("n", "m"))
                                MAIN("skip", "f", "g", "", RETURN_X),
                        ALL_CHECKS, false);
  assert_int_equal(o.violated, 1u << HD_PROPERTY_DEADLOCK);
  assert_true(o.statuses & 1u << HD_MACHINE_DEADLOCK);
  assert_true(o.statuses & 1u << HD_MACHINE_EXITED);
  o = all_runs(HEAD THREAD("f", "", TWO_LOCKS("m", "n"))
                   MAIN("skip", "f", "f", "", RETURN_X),
               ALL_CHECKS, false);
  assert_int_equal(o.violated, 0);
  /* Twice by one thread: at once. */
  o = all_runs(HEAD THREAD("f", "", TWO_LOCKS("m", "m"))
                   MAIN("skip", "f", "f", "", RETURN_X),
               ALL_CHECKS, false);
  assert_int_equal(o.violated, 1u << HD_PROPERTY_DEADLOCK);
  assert_non_null(strstr(o.message, "holds itself"));
  /* A timed wait ends a deadlock; @s is a time. */
  o = all_runs(
      HEAD THREAD("f", "reg %r i32\n",
                  AT(0, 1, "call @pthread_mutex_lock(@m)")
                      AT(1, 2, "call %r = @pthread_mutex_timedlock(@m, @s)")
                          AT(2, 3, "store @x = %r")
                              AT(3, 4, "call @pthread_mutex_unlock(@m)")
                                  AT(4, 4, "return null"))
          MAIN("skip", "f", "f", "", RETURN_X),
      ALL_CHECKS, false);
  assert_int_equal(o.violated, 0);
  assert_int_equal(o.codes, (uint64_t)1 << (110 & 63)); /* ETIMEDOUT */
}

static void misuse(void **state) {
  static const char *const bodies[] = {
      AT(0, 1, "call @pthread_mutex_unlock(@m)") AT(1, 1, "return null"),
      AT(0, 1, "call @pthread_mutex_destroy(@m)")
          AT(1, 2, "call @pthread_mutex_lock(@m)") AT(2, 2, "return null"),
      AT(0, 1, "call @pthread_mutex_lock(@m)")
          AT(1, 2, "call @pthread_mutex_destroy(@m)") AT(2, 2, "return null"),
      AT(0, 1, "call @pthread_cond_wait(@c, @m)") AT(1, 1, "return null"),
      AT(0, 1, "call @pthread_rwlock_unlock(@w)") AT(1, 1, "return null"),
      AT(0, 1, "call @pthread_barrier_wait(@b)") AT(1, 1, "return null"),
      AT(0, 1, "call @pthread_join(77:i64, null)") AT(1, 1, "return null"),
      AT(0, 1, "call @pthread_setspecific(3:i32, null)")
          AT(1, 1, "return null"),
      AT(0, 1, "call @__VERIFIER_atomic_end()") AT(1, 1, "return null"),
  };
  for (size_t i = 0; i < sizeof bodies / sizeof *bodies; i++) {
    hd_str text = {0};
    hd_str_puts(&text, HEAD "function @f \"f\" (%a) -> ptr {\nreg %a ptr\n");
    hd_str_puts(&text, bodies[i]);
    hd_str_puts(&text, "}\n" THREAD("g", "", AT(0, 0, "return null"))
                           MAIN("skip", "f", "g", "", RETURN_X));
    outcomes o = all_runs(hd_str_text(&text), ALL_CHECKS, false);
    if (!(o.violated & 1u << HD_PROPERTY_SYNC))
      print_error("%s\n", bodies[i]);
    assert_true(o.violated & 1u << HD_PROPERTY_SYNC);
    hd_str_free(&text);
  }
  /* Joining twice: the handle is used again. */
  outcomes o = all_runs(HEAD THREAD("f", "", AT(0, 0, "return null"))
                            MAIN("skip", "f", "f", "",
                                 AT(7, 8, "call @pthread_join(%t, null)")
                                     AT(8, 8, "return 0:i32")),
                        ALL_CHECKS, false);
  assert_int_equal(o.violated, 1u << HD_PROPERTY_SYNC);
  o = all_runs(HEAD THREAD("f", "", AT(0, 0, "return null"))
                   MAIN("skip", "f", "f", "",
                        AT(7, 8, "call @pthread_detach(%t)")
                            AT(8, 8, "return 0:i32")),
               ALL_CHECKS, false);
  assert_int_equal(o.violated, 1u << HD_PROPERTY_SYNC);
}

/* One waits until x is set; with `if` instead of `while` a spurious wake-up
 * shows. */
#define WAITER(back)                                                           \
  AT(0, 1, "call @pthread_mutex_lock(@m)")                                     \
  AT(1, 2, "load %v = @x")                                                     \
  AT(2, 3, "when eq.i1(%v, 0:i32)")                                            \
  "-> 4 - when ne.i1(%v, 0:i32)\n" AT(3, back,                                 \
                                      "call @pthread_cond_wait(@c, @m)")       \
      AT(4, 5, "load %v = @x") AT(5, 6, "store @y = %v")                       \
          AT(6, 7, "call @pthread_mutex_unlock(@m)") AT(7, 7, "return null")
#define SETTER(wake)                                                           \
  AT(0, 1, "call @pthread_mutex_lock(@m)")                                     \
  AT(1, 2, "store @x = 1:i32")                                                 \
  AT(2, 3, wake)                                                               \
  AT(3, 4, "call @pthread_mutex_unlock(@m)") AT(4, 4, "return null")
#define RETURN_Y AT(7, 8, "load %v = @y") AT(8, 8, "return %v")

static void conditions(void **state) {
#define COND(back, wake)                                                       \
  HEAD THREAD("f", "reg %v i32\n", WAITER(back)) THREAD("g", "", SETTER(wake)) \
      MAIN("skip", "f", "g", "", RETURN_Y)
  outcomes o =
      all_runs(COND(1, "call @pthread_cond_signal(@c)"), ALL_CHECKS, true);
  assert_int_equal(o.codes, 1u << 1);
  assert_int_equal(o.violated, 0);
  /* Without a signal somebody waits for ever, spurious wake-ups or not. */
  for (int spurious = 0; spurious < 2; spurious++) {
    o = all_runs(COND(1, "skip"), ALL_CHECKS, spurious);
    assert_int_equal(o.violated, 1u << HD_PROPERTY_DEADLOCK);
  }
  o = all_runs(COND(4, "call @pthread_cond_broadcast(@c)"), ALL_CHECKS, false);
  assert_int_equal(o.codes, 1u << 1);
  o = all_runs(COND(4, "call @pthread_cond_broadcast(@c)"), ALL_CHECKS, true);
  assert_int_equal(o.codes, 1u << 1 | 1u << 0);
#undef COND
}

/* Two wait, one signal: either can be woken. */
static void signal_chooses(void **state) {
#define WAITS(value)                                                           \
  AT(0, 1, "call @pthread_mutex_lock(@m)")                                     \
  AT(1, 2, "load %v = @y")                                                     \
  AT(2, 3, "store @y = add.i32(%v, 1:i32)")                                    \
  AT(3, 4, "call @pthread_cond_wait(@c, @m)")                                  \
  AT(4, 5, "store @x = " value)                                                \
  AT(5, 6, "call @pthread_mutex_unlock(@m)")                                   \
  AT(6, 6, "return null")
  outcomes o = all_runs(
      HEAD THREAD("f", "reg %v i32\n", WAITS("1:i32")) THREAD(
          "g", "reg %v i32\n",
          WAITS(
              "2:i32")) "function @main \"main\" () -> i32 {\nreg %v i32\n"
                        "slot &p \"p\" size 8 align 8\n" AT(0, 1,
                                                            "call "
                                                            "@pthread_create(&"
                                                            "p, null, @f, "
                                                            "null)") AT(1, 2,
                                                                        "call "
                                                                        "@pthre"
                                                                        "ad_"
                                                                        "create"
                                                                        "(&p, "
                                                                        "null, "
                                                                        "@g, "
                                                                        "null)")
                            AT(2, 3, "call @pthread_mutex_lock(@m)") AT(
                                3, 4,
                                "load %v = @y") AT(4, 5,
                                                   "call "
                                                   "@pthread_mutex_unlock(@m)")
                                AT(5, 2,
                                   "when ne.i1(%v, 2:i32)") "-> 6 - when "
                                                            "eq.i1(%v, "
                                                            "2:i32)\n" AT(
                                                                6, 7,
                                                                "call "
                                                                "@pthread_cond_"
                                                                "signal(@c)")
                                                                AT(7, 8,
                                                                   "call "
                                                                   "@pthread_"
                                                                   "mutex_lock("
                                                                   "@m)") AT(8,
                                                                             9,
                                                                             "l"
                                                                             "o"
                                                                             "a"
                                                                             "d"
                                                                             " "
                                                                             "%"
                                                                             "v"
                                                                             " "
                                                                             "="
                                                                             " "
                                                                             "@"
                                                                             "x")
                                                                    AT(9, 9,
                                                                       "return "
                                                                       "%v") "}"
                                                                             "\n",
      ALL_CHECKS, false);
  assert_int_equal(o.codes, 1u << 0 | 1u << 1 | 1u << 2);
}

static void barrier_and_semaphore(void **state) {
  /* Behind the barrier both have written. */
  outcomes o = all_runs(
      HEAD THREAD(
          "f", "reg %v i32\nreg %r i32\n",
          AT(0, 1, "rmw.add.seq_cst %v = @x, 1:i32") AT(
              1, 2, "call %r = @pthread_barrier_wait(@b)")
              AT(2, 3, "load.seq_cst %v = @x") AT(
                  3, 4,
                  "when eq.i1(%v, 2:i32)") "-> 5 - when ne.i1(%v, "
                                           "2:i32)\n" AT(4, 6,
                                                         "rmw.sub.seq_cst "
                                                         "%v = @y, %r")
                                               AT(5, 6, "call @reach_error()")
                                                   AT(6, 6, "return null"))
          MAIN("call @pthread_barrier_init(@b, null, 2:i32)", "f", "f", "",
               RETURN_Y),
      ALL_CHECKS, false);
  assert_int_equal(o.violated, 0);
  assert_int_equal(o.codes, 1u << 1); /* one is the serial thread (-1) */
  o = all_runs(
      HEAD THREAD("f", "reg %v i32\n",
                  AT(0, 1, "call @sem_wait(@s)") AT(1, 2, "load %v = @x")
                      AT(2, 3, "store @x = add.i32(%v, 1:i32)") AT(
                          3, 4, "call @sem_post(@s)") AT(4, 4, "return null"))
          MAIN("call @sem_init(@s, 0:i32, 1:i32)", "f", "f", "", RETURN_X),
      ALL_CHECKS, false);
  assert_int_equal(o.codes, 1u << 2);
  assert_int_equal(o.violated, 0);
}

static void rwlocks(void **state) {
  /* Readers can be in together, a writer cannot. */
#define READS                                                                  \
  AT(0, 1, "call @pthread_rwlock_rdlock(@w)")                                  \
  AT(1, 2, "rmw.add.seq_cst %v = @x, 1:i32")                                   \
  AT(2, 3, "rmw.umax.seq_cst %v = @y, add.i32(%v, 1:i32)")                     \
  AT(3, 4, "rmw.sub.seq_cst %v = @x, 1:i32")                                   \
  AT(4, 5, "call @pthread_rwlock_unlock(@w)") AT(5, 5, "return null")
#define WRITES                                                                 \
  AT(0, 1, "call @pthread_rwlock_wrlock(@w)")                                  \
  AT(1, 2, "load %v = @x")                                                     \
  AT(2, 3, "when eq.i1(%v, 0:i32)")                                            \
  "-> 3 - when ne.i1(%v, 0:i32)\n" AT(3, 4, "call @pthread_rwlock_unlock(@w)") \
      AT(4, 4, "return null")
  outcomes o = all_runs(HEAD THREAD("f", "reg %v i32\n", READS)
                            MAIN("skip", "f", "f", "", RETURN_Y),
                        ALL_CHECKS, false);
  assert_int_equal(o.codes, 1u << 1 | 1u << 2);
  o = all_runs(HEAD THREAD("f", "reg %v i32\n", READS)
                   THREAD("g", "reg %v i32\n", WRITES)
                       MAIN("skip", "f", "g", "", RETURN_X),
               ALL_CHECKS, false);
  assert_int_equal(o.codes, 1u << 0);
  assert_int_equal(o.violated, 0);
}

static void once_and_keys(void **state) {
  outcomes o = all_runs(
      HEAD "function @init \"init\" () -> void {\nreg %v i32\n" AT(
          0, 1, "load %v = @x") AT(1, 2, "store @x = add.i32(%v, 1:i32)")
          AT(2, 2, "return") "}\n" THREAD(
              "f", "reg %v i32\n",
              AT(0, 1, "call @pthread_once(@s, @init)") AT(1, 2, "load %v = @x")
                  AT(2, 3,
                     "when eq.i1(%v, 1:i32)") "-> 4 - when ne.i1(%v, "
                                              "1:i32)\n" AT(3, 3, "return null")
                                                  AT(4, 3,
                                                     "call @reach_error()"))
              MAIN("skip", "f", "f", "", RETURN_X),
      ALL_CHECKS, false);
  assert_int_equal(o.violated, 0);
  assert_int_equal(o.codes, 1u << 1);
  /* The destructor gets each thread's value. */
  o = all_runs(
      HEAD "function @end \"end\" (%p) -> void {\nreg %p ptr\nreg %v i32\n" AT(
          0, 1, "rmw.add.seq_cst %v = @x, trunc.i32(ptrtoint.i64(%p))")
          AT(1, 1, "return") "}\n" THREAD(
              "f", "",
              AT(0, 1, "call @pthread_setspecific(0:i32, inttoptr.ptr(5:i64))")
                  AT(1, 1, "return null"))
              MAIN("call @pthread_key_create(@y, @end)", "f", "f", "",
                   RETURN_X),
      ALL_CHECKS, false);
  assert_int_equal(o.violated, 0);
  assert_int_equal(o.codes, 1u << 10);
}

/* A destructor that sets the value again is called four times. */
static void destructor_rounds(void **state) {
  outcomes o = all_runs(
      HEAD "function @end \"end\" (%p) -> void {\nreg %p ptr\nreg %v i32\n" AT(
          0, 1, "rmw.add.seq_cst %v = @x, 1:i32")
          AT(1, 2, "call @pthread_setspecific(0:i32, %p)")
              AT(2, 2, "return") "}\n" THREAD(
                  "f", "",
                  AT(0, 1,
                     "call @pthread_setspecific(0:i32, inttoptr.ptr(5:i64))")
                      AT(1, 1, "return null"))
                  THREAD("g", "", AT(0, 0, "return null"))
                      MAIN("call @pthread_key_create(@y, @end)", "f", "g", "",
                           RETURN_X),
      ALL_CHECKS, false);
  assert_int_equal(o.violated, 0);
  assert_int_equal(o.codes, 1u << 4);
}

static void joined_value(void **state) {
  outcomes o = all_runs(
      HEAD THREAD(
          "f", "",
          AT(0, 0,
             "return inttoptr.ptr(41:i64)")) "function @main \"main\" () -> "
                                             "i32 {\nreg %t i64\n"
                                             "slot &p \"p\" size 8 align "
                                             "8\nslot &v \"v\" size 8 align "
                                             "8\n" AT(
                                                 0, 1,
                                                 "call @pthread_create(&p, "
                                                 "null, @f, null)")
                                                 AT(1, 2, "load %t = &p") AT(
                                                     2, 3,
                                                     "call "
                                                     "@pthread_join(%t, &v)")
                                                     AT(3, 4, "load %t = &v")
                                                         AT(4, 4,
                                                            "return "
                                                            "trunc.i32(%"
                                                            "t)") "}\n",
      ALL_CHECKS, false);
  assert_int_equal(o.codes, (uint64_t)1 << 41);
  assert_int_equal(o.violated, 0);
}

/* What does not conflict commutes: in every state two enabled threads whose
 * actions do not conflict lead to the same state in both orders. */
static void check_commuting(const hd_machine *m, outcomes *o, size_t *pairs) {
  if (hd_machine_status_of(m) != HD_MACHINE_RUNNING || !fresh(o, m))
    return;
  size_t n = hd_machine_threads(m);
  for (hd_tid a = 0; a < n; a++) {
    if (!hd_machine_enabled(m, a))
      continue;
    hd_machine *one = hd_machine_copy(m);
    hd_machine_move(one, (hd_turn){.thread = a, .choice = 0});
    bool ended = !hd_machine_alive(one, a) || hd_machine_hidden(one) ||
                 hd_machine_reached(one);
    for (hd_tid b = a + 1; b < n && !ended; b++) {
      if (!hd_machine_enabled(m, b))
        continue;
      hd_access x = hd_machine_access(m, a), y = hd_machine_access(m, b);
      if (hd_access_conflicts(&x, &y))
        continue;
      hd_machine *other = hd_machine_copy(m), *both = hd_machine_copy(one);
      hd_machine_move(other, (hd_turn){.thread = b, .choice = 0});
      if (hd_machine_alive(other, b) && !hd_machine_hidden(other) &&
          !hd_machine_reached(other)) {
        assert_true(hd_machine_enabled(one, b));
        assert_true(hd_machine_enabled(other, a));
        hd_machine_move(both, (hd_turn){.thread = b, .choice = 0});
        hd_machine_move(other, (hd_turn){.thread = a, .choice = 0});
        hd_bytes left = {0}, right = {0};
        hd_machine_encode(both, &left);
        hd_machine_encode(other, &right);
        assert_int_equal(left.size, right.size);
        assert_memory_equal(left.data, right.data, left.size);
        hd_vec_free(&left);
        hd_vec_free(&right);
        ++*pairs;
      }
      hd_machine_delete(both);
      hd_machine_delete(other);
    }
    check_commuting(one, o, pairs);
    hd_machine_delete(one);
  }
}

static void commuting(void **state) {
  static const char *const programs[] = {
      racy, locked,
      HEAD THREAD("f", "", TWO_LOCKS("m", "n"))
          THREAD("g", "", TWO_LOCKS("n", "m"))
              MAIN("skip", "f", "g", "", RETURN_X),
      HEAD THREAD("f", "reg %v i32\n", WAITER(1))
          THREAD("g", "", SETTER("call @pthread_cond_signal(@c)"))
              MAIN("skip", "f", "g", "", RETURN_Y),
      HEAD THREAD("f", "reg %v i32\n", READS)
          THREAD("g", "reg %v i32\n", WRITES)
              MAIN("skip", "f", "g", "", RETURN_X)};
  size_t pairs = 0;
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
    run r = {0};
    r.options.spurious = true;
    start(&r, programs[i], ALL_CHECKS);
    outcomes o = {0};
    check_commuting(r.m, &o, &pairs);
    stop(&r);
    for (size_t k = 0; k < o.seen.size; k++)
      hd_free((char *)(uintptr_t)o.seen.items[k].key.bytes);
    blob_set_free(&o.seen);
  }
  assert_true(pairs > 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(interleavings),
      cmocka_unit_test(vector_clocks),
      cmocka_unit_test(release_sequences),
      cmocka_unit_test(deadlocks),
      cmocka_unit_test(misuse),
      cmocka_unit_test(conditions),
      cmocka_unit_test(signal_chooses),
      cmocka_unit_test(barrier_and_semaphore),
      cmocka_unit_test(rwlocks),
      cmocka_unit_test(once_and_keys),
      cmocka_unit_test(destructor_rounds),
      cmocka_unit_test(joined_value),
      cmocka_unit_test(commuting),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
