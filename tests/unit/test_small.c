/* SPDX-License-Identifier: MIT */
/* C programs with any number of threads: states and closure against their
 * definitions, and verdicts against all interleavings of few threads. */
#include "api/unbounded.h"
#include "front/code/code.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include <stdio.h>
#include <string.h>

#include "small_random.h"

static hd_code *parse(const char *text) {
  hd_diag *diag = hd_diag_new();
  hd_source source = hd_source_from_text("t.code", text, strlen(text));
  hd_code *code = hd_code_read(&source, diag);
  if (!code)
    fail_msg("cannot be read:\n%s", text);
  hd_source_free(&source);
  hd_diag_delete(diag);
  return code;
}

/* --- verdicts --- */

typedef struct {
  hd_verdict verdict;
  char *reason;
} answer;

static answer unbounded(const char *text, uint32_t max_threads, bool spurious) {
  hd_code *code = parse(text);
  hd_unbounded_options options = {.max_threads = max_threads,
                                  .max_pairs = 50000,
                                  .machine = {.spurious = spurious}};
  hd_run run = {.deadline = hd_now() + 20, .memory = (size_t)1 << 29};
  hd_unbounded_run made = {0};
  hd_result result = {0};
  hd_verify_status status =
      hd_verify_unbounded(code, &options, &run, &made, &result);
  if (status == HD_VERIFY_INTERNAL)
    fail_msg("%s\n%s", result.reason, text);
  answer a = {.verdict = result.verdict,
              .reason = result.reason ? hd_strdup(result.reason) : NULL};
  if (a.verdict == HD_UNSAFE)
    assert_true(made.turns.size && made.violation.message);
  if (a.verdict == HD_SAFE)
    assert_true(result.cert || result.reason);
  hd_unbounded_run_free(&made);
  hd_result_free(&result);
  hd_code_delete(code);
  return a;
}

static hd_verdict explored(const char *text, bool spurious) {
  hd_code *code = parse(text);
  /* Bounded by states, not by time: what is compared is always the same. */
  hd_explore_options options = {
      .machine = {.checks = (hd_properties)1 << HD_PROPERTY_ASSERT,
                  .spurious = spurious},
      .max_states = 20000};
  hd_run run = {.memory = (size_t)1 << 29};
  hd_explore_result result = {0};
  hd_explore(code, &options, &run, &result);
  hd_verdict verdict = result.findings[HD_PROPERTY_ASSERT].verdict;
  hd_explore_result_free(&result);
  hd_code_delete(code);
  return verdict;
}

typedef struct {
  int safe, unsafe, unknown, compared, exact;
} tally;

/* The program of one seed: with any number of threads, and with few. */
static void compare(uint64_t seed, unsigned kind, tally *t) {
  char *endless = random_program(seed, kind, -1);
  bool spurious = seed & 1;
  answer any = unbounded(endless, 0, spurious);
  if (getenv("HD_SMALL_TRACE"))
    print_message("seed %llu kind %u: %s %s\n", (unsigned long long)seed, kind,
                  hd_verdict_name(any.verdict), any.reason ? any.reason : "");
  t->safe += any.verdict == HD_SAFE;
  t->unsafe += any.verdict == HD_UNSAFE;
  t->unknown += any.verdict == HD_UNKNOWN;
  for (int n = 1; n <= 3; n++) {
    char *few = random_program(seed, kind, n);
    hd_verdict all = explored(few, spurious);
    if (all == HD_UNSAFE && any.verdict == HD_SAFE)
      fail_msg("seed %llu kind %u: safe, but %d threads fail\n%s",
               (unsigned long long)seed, kind, n, few);
    /* The endless main held after n threads is the one with n. */
    answer bounded = unbounded(endless, (uint32_t)n + 1, spurious);
    if (all != HD_UNKNOWN && bounded.verdict != HD_UNKNOWN) {
      t->exact++;
      if (bounded.verdict != all)
        fail_msg("seed %llu kind %u, %d threads: %s, but all interleavings "
                 "say %s\n%s",
                 (unsigned long long)seed, kind, n,
                 hd_verdict_name(bounded.verdict), hd_verdict_name(all), few);
    }
    t->compared += all != HD_UNKNOWN;
    hd_free(bounded.reason);
    hd_free(few);
    if (all == HD_UNSAFE)
      break;
  }
  hd_free(any.reason);
  hd_free(endless);
}

/* HD_SMALL_SEEDS: how many programs of each kind. */
static void test_random(void **state) {
  (void)state;
  const char *many = getenv("HD_SMALL_SEEDS");
  uint64_t n = many ? strtoull(many, NULL, 10) : 30;
  static const unsigned kinds[] = {0,
                                   HD_WITH_COND,
                                   HD_WITH_RWLOCK,
                                   HD_WITH_SEM | HD_WITH_CALL,
                                   HD_WITH_ATOMIC | HD_WITH_INPUT,
                                   HD_WITH_ONCE | HD_WITH_TLS,
                                   255};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    tally t = {0};
    for (uint64_t seed = 1; seed <= n; seed++)
      compare(seed, kinds[k], &t);
    print_message("kind %3u: %d safe, %d unsafe, %d unknown; %d compared, %d "
                  "exactly\n",
                  kinds[k], t.safe, t.unsafe, t.unknown, t.compared, t.exact);
    assert_true(t.compared > 0 && t.safe + t.unsafe > (int)n / 2);
  }
}

/* --- closure --- */

/* What a step from (shared, …) does to a thread in `other`: is it there after? */
static bool is_passed_on(hd_small *small, const hd_small_graph *graph,
                         const hd_small_step *s, hd_modular_state other) {
  if (!s->label)
    return hd_small_graph_has(graph, s->next_shared, other);
  hd_modular_image image = hd_small_image(small, s->label, other);
  return (image.first == HD_NO_ID ||
          hd_small_graph_has(graph, s->next_shared, image.first)) &&
         (image.second == HD_NO_ID ||
          hd_small_graph_has(graph, s->next_shared, image.second));
}

/* Everything a step of a pair leads to is there, in any company. */
static void check_closed(hd_small *small, hd_small_graph *graph) {
  hd_modular_state shared, local,
      n_local = (hd_modular_state)hd_small_n_local(small);
  hd_small_start(small, &shared, &local, NULL);
  assert_true(hd_small_graph_has(graph, shared, local));
  size_t n = hd_small_graph_steps(graph);
  for (uint32_t i = 0; i < n; i++) {
    hd_small_step s = *hd_small_graph_step(graph, i);
    assert_true(hd_small_graph_has(graph, s.shared, s.local));
    if (s.kind != HD_SMALL_GOES)
      continue;
    assert_true(s.next_local == HD_NO_ID ||
                hd_small_graph_has(graph, s.next_shared, s.next_local));
    assert_true(s.spawned == HD_NO_ID ||
                hd_small_graph_has(graph, s.next_shared, s.spawned));
    for (hd_modular_state other = 0; other < n_local; other++)
      if (hd_small_graph_has(graph, s.shared, other))
        assert_true(is_passed_on(small, graph, &s, other));
  }
}

static hd_verdict verdict_of(const hd_net *net) {
  hd_verify_options options = {0};
  hd_run run = {.deadline = hd_now() + 20};
  hd_result result = {0};
  assert_int_equal(hd_verify(net, &options, &run, &result), HD_VERIFY_DONE);
  hd_verdict verdict = result.verdict;
  hd_result_free(&result);
  return verdict;
}

/* And the net means the same when it is written with edges only. */
static void test_closed(void **state) {
  (void)state;
  size_t closed = 0;
  for (uint64_t seed = 1; seed <= 30; seed++) {
    char *text = random_program(seed, seed & 1 ? 255 & ~HD_WITH_SEM : 3, -1);
    hd_code *code = parse(text);
    hd_small_options options = {.spurious = seed % 3 == 0};
    hd_str why = {0};
    hd_small *small = hd_small_new(code, &options, &why);
    hd_small_graph *graph = hd_small_graph_new(small);
    hd_run run = {.deadline = hd_now() + 10};
    if (hd_small_graph_close(graph, 5000, &run)) {
      closed++;
      check_closed(small, graph);
      hd_small_net *net = hd_small_net_new(graph, HD_SMALL_NET_ALL, &why);
      hd_net *portable = hd_small_net_portable(net);
      assert_int_equal(verdict_of(net->net), verdict_of(portable));
      hd_net_delete(portable);
      hd_small_net_delete(net);
    }
    hd_small_graph_delete(graph);
    hd_small_delete(small);
    hd_str_free(&why);
    hd_code_delete(code);
    hd_free(text);
  }
  assert_true(closed > 15);
}

/* --- what is refused, and what has no bound --- */

static const char *const frame =
    "heddle code 1\ntarget 64\nfile 0 \"t.c\"\n"
    "global @x \"x\" size 4 align 4 at 0:3:5\n"
    "function @w \"w\" (%%arg) -> ptr {\n  reg %%arg ptr\n  reg %%a i32\n"
    "  reg %%p ptr\n  slot &s size 4 align 4\n%s}\n"
    "function @main \"main\" () -> i32 {\n  slot &t size 8 align 8\n"
    "  location 0 -\n"
    "    -> 0 0:30:3 call @pthread_create(&t, null, @w, null)\n}\n"
    "function @pthread_create \"c\" (ptr, ptr, ptr, ptr) -> i32 external\n"
    "function @pthread_join \"j\" (i64, ptr) -> i32 external\n"
    "function @malloc \"m\" (i64) -> ptr external\n"
    "function @odd \"odd\" () -> i32 external\n"
    "function @__VERIFIER_nondet_int \"n\" () -> i32 external\n"
    "function @heddle_assert \"a\" (i32) -> void external\n";

static void expect_reason(const char *body, const char *reason) {
  char text[4000];
  snprintf(text, sizeof text, frame, body);
  answer a = unbounded(text, 0, true);
  assert_int_equal(a.verdict, HD_UNKNOWN);
  if (!a.reason || !strstr(a.reason, reason))
    fail_msg("'%s' instead of '%s'", a.reason ? a.reason : "", reason);
  hd_free(a.reason);
}

static void test_refused(void **state) {
  (void)state;
  static const struct {
    const char *action, *reason;
  } cases[] = {
      {"call %a = @pthread_join(1:i64, null)", "t.c:7:1: pthread_join: "},
      {"call %p = @malloc(8:i64)", "t.c:7:1: malloc: allocated memory"},
      {"call %a = @odd()", "t.c:7:1: odd: a function that is neither defined"},
      {"store ptradd.ptr(@x, 4:i64) = 1:i32", "t.c:7:1: undefined behaviour: "
                                              "access out of bounds"},
      {"store null = 1:i32", "t.c:7:1: undefined behaviour: access through a "
                             "null pointer"},
      {"set %a = udiv.i32(1:i32, 0:i32)", "t.c:7:1: undefined behaviour: "
                                          "division by zero"},
      {"store @x = %a", "t.c:7:1: a value that was never set"},
      {"store @x = undef:i32", "t.c:7:1: a value that was never set"},
      {"alloca %p = 8:i64", "t.c:7:1: alloca"},
      {"unsupported \"inline assembler\"", "t.c:7:1: inline assembler"},
      {"unreachable", "t.c:7:1: undefined behaviour: control"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    char body[600];
    bool stays = !strncmp(cases[i].action, "un", 2);
    snprintf(body, sizeof body,
             "  location 0 -\n    -> %d 0:7:1 %s\n  location 1 -\n"
             "    -> 1 - return null\n",
             stays ? 0 : 1, cases[i].action);
    expect_reason(body, cases[i].reason);
  }
  /* An input that is more than compared; a counter. */
  expect_reason("  location 0 -\n    -> 1 0:5:1 call %a = "
                "@__VERIFIER_nondet_int()\n  location 1 -\n"
                "    -> 2 0:7:1 store @x = %a\n  location 2 -\n"
                "    -> 2 - return null\n",
                "t.c:7:1: an input with too many values");
  expect_reason("  location 0 -\n    -> 1 0:5:1 rmw.add.seq_cst %a = @x, "
                "1:i32\n  location 1 -\n"
                "    -> 2 - call @heddle_assert(zext.i32(sge.i1(%a, 0:i32)))\n"
                "  location 2 -\n    -> 2 - return null\n",
                "the number of values of 'x' (t.c:3) has no bound in sight");
}

/* --- what locks and conditions do --- */

static const char *const sync_head =
    "heddle code 1\ntarget 64\nfile 0 \"t.c\"\n"
    "global @x \"x\" size 4 align 4\nglobal @y \"y\" size 4 align 4\n"
    "global @z \"z\" size 4 align 4\n"
    "global @m size 40 align 8\nglobal @c size 48 align 8\n"
    "global @l size 56 align 8\nglobal @sem size 32 align 8\n"
    "global @o size 4 align 4\nglobal @fixed size 40 align 8 const\n"
    "global @twice size 40 align 8 bytes "
    "00000000000000000000000000000000010000000000000000000000000000000000000000"
    "000000\n"
    "global @strict size 40 align 8 bytes "
    "00000000000000000000000000000000020000000000000000000000000000000000000000"
    "000000\n"
    "function @main () -> i32 {\n  slot &t size 8 align 8\n  location 0 -\n"
    "    -> 1 - call @pthread_create(&t, null, @v, null)\n  location 1 -\n"
    "    -> 0 - call @pthread_create(&t, null, @w, null)\n}\n"
    "function @init () -> void {\n"
    "  location 0 -\n    -> 1 - store @x = 1:i32\n"
    "  location 1 -\n    -> 2 - store @x = 0:i32\n"
    "  location 2 -\n    -> 2 - return\n}\n"
    "function @heddle_assert (i32) -> void external\n"
    "function @pthread_create (ptr, ptr, ptr, ptr) -> i32 external\n"
    "function @pthread_mutex_lock (ptr) -> i32 external\n"
    "function @pthread_mutex_unlock (ptr) -> i32 external\n"
    "function @pthread_mutex_destroy (ptr) -> i32 external\n"
    "function @pthread_rwlock_init (ptr, ptr) -> i32 external\n"
    "function @pthread_rwlock_rdlock (ptr) -> i32 external\n"
    "function @pthread_rwlock_wrlock (ptr) -> i32 external\n"
    "function @pthread_rwlock_unlock (ptr) -> i32 external\n"
    "function @pthread_cond_wait (ptr, ptr) -> i32 external\n"
    "function @pthread_cond_timedwait (ptr, ptr, ptr) -> i32 external\n"
    "function @pthread_cond_signal (ptr) -> i32 external\n"
    "function @pthread_cond_broadcast (ptr) -> i32 external\n"
    "function @pthread_once (ptr, ptr) -> i32 external\n"
    "function @sem_init (ptr, i32, i32) -> i32 external\n"
    "function @sem_wait (ptr) -> i32 external\n"
    "function @sem_post (ptr) -> i32 external\n"
    "function @memcpy (ptr, ptr, i64) -> ptr external\n"
    "function @__VERIFIER_atomic_begin () -> void external\n"
    "function @__VERIFIER_atomic_end () -> void external\n";

/* Actions in a row: `+f(args)` stands for a call of pthread_f, `=f(args)` for
 * one whose result goes to %a, `?E` goes on if E holds (the thread ends
 * otherwise), `!E` asserts E. */
static void put_action(hd_str *out, const char *a, unsigned at, unsigned end) {
  int n = (int)strcspn(a, ";");
  hd_str_printf(out, "  location %u -\n    -> %u 0:7:1 ", at, at + 1);
  if (*a == '+')
    hd_str_printf(out, "call @pthread_%.*s\n", n - 1, a + 1);
  else if (*a == '=')
    hd_str_printf(out, "call %%a = @pthread_%.*s\n", n - 1, a + 1);
  else if (*a == '!')
    hd_str_printf(out, "call @heddle_assert(zext.i32(%.*s))\n", n - 1, a + 1);
  else if (*a == '?')
    hd_str_printf(out, "when %.*s\n    -> %u - when xor.i1(%.*s, 1:i1)\n",
                  n - 1, a + 1, end, n - 1, a + 1);
  else
    hd_str_printf(out, "%.*s\n", n, a);
}

static void put_thread(hd_str *out, const char *name, const char *actions) {
  unsigned end = *actions != 0, at = 0;
  for (const char *a = actions; *a; a++)
    end += *a == ';';
  hd_str_printf(out,
                "function @%s (%%arg) -> ptr {\n  reg %%arg ptr\n"
                "  reg %%a i32\n  reg %%b i32\n  reg %%p ptr\n"
                "  slot &own size 56 align 8\n",
                name);
  for (const char *a = actions; at < end; a += strcspn(a, ";") + 1)
    put_action(out, a, at++, end);
  hd_str_printf(out, "  location %u -\n    -> %u - return null\n}\n", end, end);
}

typedef struct {
  const char *w, *v; /* what threads do, any number of each */
  hd_verdict verdict;
  const char *reason; /* of UNKNOWN */
  bool spurious;
} sync_case;

#define NEVER "!0:i1"
#define READS "load %a = @x;load %b = @x;!eq.i1(%a, %b)"
#define WRITES                                                                 \
  "+rwlock_wrlock(@l);rmw.xor.seq_cst %a = @x, 1:i32;+rwlock_unlock(@l)"
#define SEEN_CLEAR "load %a = @x;!eq.i1(%a, 0:i32)"
#define FLASH "store @x = 1:i32;store @x = 0:i32"

static const sync_case sync_cases[] = {
    /* Who comes back from a wait has the mutex, who waits has not. */
    {"+mutex_lock(@m);+cond_wait(@c, @m);" FLASH ";+mutex_unlock(@m)",
     "+mutex_lock(@m);+cond_broadcast(@c);" SEEN_CLEAR ";+mutex_unlock(@m)",
     HD_SAFE, 0, 0},
    {"+mutex_lock(@m);+cond_wait(@c, @m);" NEVER,
     "+mutex_lock(@m);+cond_signal(@c);+mutex_unlock(@m)", HD_UNSAFE, 0, 0},
    {"+mutex_lock(@m);+cond_wait(@c, @m);" NEVER, "", HD_SAFE, 0, 0},
    {"+mutex_lock(@m);+cond_wait(@c, @m);" NEVER, "", HD_UNSAFE, 0, 1},
    {"+mutex_lock(@m);=cond_timedwait(@c, @m, @fixed);!eq.i1(%a, 110:i32)", "",
     HD_SAFE, 0, 0},
    {"+mutex_lock(@m);=cond_timedwait(@c, @m, @fixed);!ne.i1(%a, 110:i32)", "",
     HD_UNSAFE, 0, 0},
    {"+mutex_lock(@m);=cond_timedwait(@c, @m, @fixed);!ne.i1(%a, 0:i32)",
     "+cond_signal(@c)", HD_UNSAFE, 0, 0},
    {"+mutex_lock(@m);=cond_timedwait(@c, @m, @fixed);!ne.i1(%a, 0:i32)",
     "+cond_signal(@c)", HD_UNSAFE, 0, 1},
    /* A signal is lost when nobody waits; it wakes one, a broadcast all. */
    {"+cond_signal(@c);" NEVER, "", HD_UNSAFE, 0, 0},
    {"+mutex_lock(@m);+cond_wait(@c, @m);" SEEN_CLEAR
     ";store @x = 1:i32;+mutex_unlock(@m)",
     "rmw.xchg.seq_cst %a = @y, 1:i32;?eq.i1(%a, 0:i32);+cond_signal(@c)",
     HD_SAFE, 0, 0},
    {"+mutex_lock(@m);+cond_wait(@c, @m);" SEEN_CLEAR
     ";store @x = 1:i32;+mutex_unlock(@m)",
     "rmw.xchg.seq_cst %a = @y, 1:i32;?eq.i1(%a, 0:i32);+cond_broadcast(@c)",
     HD_UNSAFE, 0, 0},
    {"+cond_broadcast(@c);" NEVER, "", HD_UNSAFE, 0, 0},
    /* Readers and writers. */
    {"+rwlock_wrlock(@l);" FLASH ";+rwlock_unlock(@l)",
     "+rwlock_rdlock(@l);" SEEN_CLEAR ";+rwlock_unlock(@l)", HD_SAFE, 0, 0},
    {WRITES, "+rwlock_rdlock(@l);" READS ";+rwlock_unlock(@l)", HD_SAFE, 0, 0},
    {WRITES, READS, HD_UNSAFE, 0, 0},
    {WRITES,
     "+rwlock_rdlock(@l);+rwlock_rdlock(@l);+rwlock_unlock(@l);" READS
     ";+rwlock_unlock(@l)",
     HD_SAFE, 0, 0},
    {WRITES,
     "+rwlock_rdlock(@l);+rwlock_rdlock(@l);+rwlock_unlock(@l);"
     "+rwlock_unlock(@l);" READS,
     HD_UNSAFE, 0, 0},
    {"+rwlock_rdlock(@l);+rwlock_unlock(@l);+rwlock_wrlock(@l);" NEVER, "",
     HD_UNSAFE, 0, 0},
    {"+rwlock_rdlock(@l);+rwlock_wrlock(@l);" NEVER, "", HD_SAFE, 0, 0},
    {"+rwlock_wrlock(@l);=rwlock_rdlock(@l);!eq.i1(%a, 35:i32)", "", HD_SAFE, 0,
     0},
    {"+rwlock_wrlock(@l);+rwlock_rdlock(@l);" NEVER, "", HD_UNSAFE, 0, 0},
    {"+rwlock_wrlock(@l);+rwlock_wrlock(@l);" NEVER, "", HD_UNSAFE, 0, 0},
    /* A reader leaves while another one stays. */
    {"+rwlock_rdlock(@l);load %b = @y;?eq.i1(%b, 1:i32);+rwlock_unlock(@l);"
     "store @x = 1:i32",
     "rmw.xchg.seq_cst %b = @z, 1:i32;?eq.i1(%b, 0:i32);+rwlock_rdlock(@l);"
     "store @y = 1:i32;" SEEN_CLEAR ";store @y = 0:i32;+rwlock_unlock(@l)",
     HD_UNSAFE, 0, 0},
    /* Locks of their own: the last reader of one is nothing to others. */
    {"+rwlock_init(&own, null);+rwlock_rdlock(&own);rmw.xchg.seq_cst %a = @x, "
     "1:i32;load %b = @y;!or.i1(ne.i1(%a, 0:i32), eq.i1(%b, 0:i32));"
     "+rwlock_unlock(&own);+rwlock_wrlock(&own);store @y = 1:i32",
     "", HD_UNSAFE, 0, 0},
    /* Kinds of mutexes. */
    {"+mutex_lock(@strict);=mutex_lock(@strict);!eq.i1(%a, 35:i32)", "",
     HD_SAFE, 0, 0},
    {"+mutex_lock(@strict);+mutex_lock(@strict);" NEVER, "", HD_UNSAFE, 0, 0},
    {"+mutex_lock(@m);+mutex_lock(@m);" NEVER, "", HD_SAFE, 0, 0},
    {"=mutex_unlock(@strict);!eq.i1(%a, 1:i32)", "", HD_SAFE, 0, 0},
    {"=cond_wait(@c, @strict);!eq.i1(%a, 1:i32)", "", HD_SAFE, 0, 0},
    {"+mutex_lock(@twice);+mutex_lock(@twice);+mutex_unlock(@twice);" FLASH,
     "+mutex_lock(@twice);" SEEN_CLEAR, HD_SAFE, 0, 0},
    {"+mutex_lock(@twice);+mutex_lock(@twice);" NEVER, "", HD_UNSAFE, 0, 0},
    /* The routine is over when pthread_once comes back. */
    {"+once(@o, @init);" SEEN_CLEAR, "", HD_SAFE, 0, 0},
    {"call @sem_wait(@sem);" NEVER, "", HD_SAFE, 0, 0},
    {"call @sem_wait(@sem);" NEVER, "call @sem_post(@sem)", HD_UNSAFE, 0, 0},
    /* A semaphore is full. */
    {"call @sem_init(@sem, 0:i32, 2147483647:i32);call %a = @sem_post(@sem);"
     "!eq.i1(%a, 4294967295:i32)",
     "", HD_SAFE, 0, 0},
    /* What is refused. */
    {"call @sem_init(@sem, 0:i32, 2147483648:i32)", "", HD_UNKNOWN,
     "the semaphore overflows", 0},
    {"+mutex_unlock(@m)", "", HD_UNKNOWN, "the thread does not hold it", 0},
    {"+rwlock_unlock(@l)", "", HD_UNKNOWN, "the thread does not hold it", 0},
    {"+mutex_lock(@twice);+mutex_lock(@twice);+cond_wait(@c, @twice)", "",
     HD_UNKNOWN, "does not hold the mutex exactly once", 0},
    {"+mutex_lock(@m);+mutex_destroy(@m)", "", HD_UNKNOWN, "it is held", 0},
    {"+mutex_lock(&own)", "", HD_UNKNOWN, "it was never initialised", 0},
    {"+mutex_lock(@m);load %a = @m;+mutex_unlock(@m)", "", HD_UNKNOWN,
     "looks into a lock", 0},
    {"+mutex_lock(@fixed)", "", HD_UNKNOWN, "a constant object", 0},
    {"+mutex_lock(@m);call @__VERIFIER_atomic_begin();+cond_wait(@c, @m)", "",
     HD_UNKNOWN, "a wait in an atomic section", 0},
    {"call @__VERIFIER_atomic_begin();+cond_broadcast(@c);+cond_broadcast(@c);"
     "call @__VERIFIER_atomic_end()",
     "+mutex_lock(@m);+cond_wait(@c, @m)", HD_UNKNOWN,
     "a second change of other threads", 0},
    {"call %p = @memcpy(@x, &own, 4:i64)", "", HD_UNKNOWN,
     "values that are not set", 0},
    {"store &own = &own;call %p = @memcpy(@c, &own, 8:i64)", "", HD_UNKNOWN,
     "addresses of local variables", 0},
    {"call %p = @memcpy(@fixed, @x, 4:i64)", "", HD_UNKNOWN, "out of bounds",
     0},
    /* Others can come between a copy and what is before it. */
    {"load %a = @x;store &own = 0:i32;call %p = @memcpy(&own, @x, 4:i64);"
     "load %b = &own;!eq.i1(%a, %b)",
     "store @x = 1:i32", HD_UNSAFE, 0, 0},
};

static void test_sync(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof sync_cases / sizeof *sync_cases; i++) {
    const sync_case *c = &sync_cases[i];
    hd_str text = {0};
    hd_str_puts(&text, sync_head);
    put_thread(&text, "w", c->w);
    put_thread(&text, "v", c->v);
    answer a = unbounded(hd_str_text(&text), 0, c->spurious);
    if (a.verdict != c->verdict)
      fail_msg("case %zu (%s | %s): %s, not %s: %s", i, c->w, c->v,
               hd_verdict_name(a.verdict), hd_verdict_name(c->verdict),
               a.reason ? a.reason : "");
    if (c->reason && !(a.reason && strstr(a.reason, c->reason)))
      fail_msg("case %zu: '%s' instead of '%s'", i, a.reason ? a.reason : "",
               c->reason);
    hd_free(a.reason);
    hd_str_free(&text);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_sync),
      cmocka_unit_test(test_closed),
      cmocka_unit_test(test_refused),
      cmocka_unit_test(test_random),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
