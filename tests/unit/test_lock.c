/* SPDX-License-Identifier: MIT */
/* The engines' rules for locks (model/lock.h) against those of the interpreter:
 * two threads, every kind, every state that they can bring a lock to, and every
 * request in it. Both must say the same: what is returned, who waits, what is not
 * defined. */
#include "interp_util.h"

#include "model/lock.h"

#include <stdlib.h>

enum { MAX_REQUESTS = 8, NONE = -1, DEEPEST = 3 };

typedef struct {
  const char *what;
  hd_lock_kind kind;
  unsigned type;    /* of a mutex, as glibc has it */
  const char *init; /* or NULL */
  uint32_t count;   /* of a semaphore */
  const char *requests[MAX_REQUESTS];
} lock_case;

#define POSIX_MUTEX                                                            \
  {                                                                            \
    "pthread_mutex_lock", "pthread_mutex_trylock", "pthread_mutex_timedlock",  \
        "pthread_mutex_unlock", "pthread_mutex_destroy"                        \
  }
#define C11_MUTEX                                                              \
  { "mtx_lock", "mtx_trylock", "mtx_timedlock", "mtx_unlock" }
#define SEMAPHORE                                                              \
  { "sem_wait", "sem_trywait", "sem_timedwait", "sem_post", "sem_destroy" }

static const lock_case cases[] = {
    {"normal", HD_LOCK_NORMAL, 0, NULL, 0, POSIX_MUTEX},
    {"adaptive", HD_LOCK_NORMAL, 3, NULL, 0, POSIX_MUTEX},
    {"recursive", HD_LOCK_RECURSIVE, 1, NULL, 0, POSIX_MUTEX},
    {"checked", HD_LOCK_CHECKED, 2, NULL, 0, POSIX_MUTEX},
    {"C11", HD_LOCK_NORMAL, 0, "call @mtx_init(@l, 2:i32)", 0, C11_MUTEX},
    {"C11 recursive", HD_LOCK_RECURSIVE, 0, "call @mtx_init(@l, 3:i32)", 0,
     C11_MUTEX},
    {"spin",
     HD_LOCK_SPIN,
     0,
     "call @pthread_spin_init(@l, 0:i32)",
     0,
     {"pthread_spin_lock", "pthread_spin_trylock", "pthread_spin_unlock",
      "pthread_spin_destroy"}},
    {"read-write",
     HD_LOCK_RW,
     0,
     NULL,
     0,
     {"pthread_rwlock_rdlock", "pthread_rwlock_wrlock",
      "pthread_rwlock_tryrdlock", "pthread_rwlock_trywrlock",
      "pthread_rwlock_timedrdlock", "pthread_rwlock_timedwrlock",
      "pthread_rwlock_unlock", "pthread_rwlock_destroy"}},
    {"semaphore", HD_LOCK_SEM, 0, "call @sem_init(@l, 0:i32, 1:i32)", 1,
     SEMAPHORE},
    {"full semaphore", HD_LOCK_SEM, 0,
     "call @sem_init(@l, 0:i32, 2147483647:i32)", INT32_MAX, SEMAPHORE},
};

/* --- the program: two threads that ask for what an input says --- */

static bool is_timed(const char *name) {
  return hd_library_is(hd_library_find(name), HD_CALL_TIMED);
}

static int n_requests(const lock_case *c) {
  int n = 0;
  while (n < MAX_REQUESTS && c->requests[n])
    n++;
  return n;
}

static void print_actor(hd_str *out, const lock_case *c) {
  int n = n_requests(c);
  hd_str_puts(out, "function @actor \"actor\" (%a) -> ptr {\nreg %a ptr\n"
                   "reg %v i32\nreg %r i32\nlocation 0 -\n"
                   "-> 1 - call %v = @__VERIFIER_nondet_int()\n");
  for (int i = 0; i < n; i++)
    hd_str_printf(out,
                  "location %d -\n-> %d - when eq.i1(%%v, %d:i32)\n"
                  "-> %d - when ne.i1(%%v, %d:i32)\n",
                  i + 1, n + 2 + i, i, i + 2, i);
  hd_str_printf(out, "location %d -\n-> %d - return null\n", n + 1, n + 1);
  for (int i = 0; i < n; i++)
    hd_str_printf(out, "location %d -\n-> %d - call %%r = @%s(@l%s)\n",
                  n + 2 + i, 2 * n + 2, c->requests[i],
                  is_timed(c->requests[i]) ? ", @t" : "");
  hd_str_printf(out, "location %d -\n-> 0 - store @r = %%r\n}\n", 2 * n + 2);
}

static void print_program(hd_str *out, const lock_case *c) {
  hd_str_puts(out, "heddle code 1\ntarget 64\nfile 0 \"t.c\"\n"
                   "global @l \"l\" size 64 align 8 bytes ");
  for (int i = 0; i < 64; i++)
    hd_str_printf(out, "%02x", i == 16 ? c->type : 0);
  hd_str_puts(out,
              "\nglobal @r \"r\" size 4 align 4\n"
              "global @t \"t\" size 16 align 8 const\n"
              "function @pthread_create \"\" (ptr, ptr, ptr, ptr) -> i32 "
              "external\n"
              "function @__VERIFIER_nondet_int \"\" () -> i32 external\n"
              "function @mtx_init \"\" (ptr, i32) -> i32 external\n"
              "function @pthread_spin_init \"\" (ptr, i32) -> i32 external\n"
              "function @sem_init \"\" (ptr, i32, i32) -> i32 external\n");
  for (int i = 0; i < n_requests(c); i++)
    hd_str_printf(out, "function @%s \"\" (ptr%s) -> i32 external\n",
                  c->requests[i], is_timed(c->requests[i]) ? ", ptr" : "");
  print_actor(out, c);
  hd_str_printf(out,
                "function @main \"main\" () -> i32 {\nreg %%p ptr\n"
                "slot &p \"p\" size 8 align 8\nlocation 0 -\n-> 1 - %s\n"
                "location 1 -\n-> 2 - call @pthread_create(&p, null, @actor, "
                "null)\nlocation 2 -\n-> 3 - call %%p = @actor(null)\n"
                "location 3 -\n-> 3 - return 0:i32\n}\n",
                c->init ? c->init : "skip");
}

/* --- both states side by side --- */

typedef struct {
  int owner; /* or NONE */
  uint32_t depth, reads[2], count;
  int asks[2]; /* the request before which the thread stands, or NONE */
} joint;

typedef struct {
  const lock_case *c;
  run r;
  hd_vec(joint) seen;
  size_t asked;
} walk;

static hd_lock seen_by(const walk *w, const joint *s, int me) {
  bool mine = s->owner == me;
  bool rw = w->c->kind == HD_LOCK_RW;
  return (hd_lock){.kind = w->c->kind,
                   .owner = s->owner == NONE ? HD_OWNER_NOBODY
                            : mine           ? HD_OWNER_ME
                                             : HD_OWNER_OTHER,
                   .depth = rw     ? s->reads[me]
                            : mine ? s->depth
                                   : 0,
                   .others_read = rw && s->reads[!me],
                   .count = s->count};
}

static void put(const walk *w, joint *s, int me, const hd_lock *after) {
  s->owner = after->owner == HD_OWNER_ME      ? me
             : after->owner == HD_OWNER_OTHER ? !me
                                              : NONE;
  if (w->c->kind == HD_LOCK_RW)
    s->reads[me] = after->depth;
  else
    s->depth = after->depth;
  s->count = after->count;
}

static bool is_new(walk *w, const joint *s) {
  for (hd_vec_each(const joint, old, &w->seen))
    if (!memcmp(old, s, sizeof *s))
      return false;
  hd_vec_push(&w->seen, *s);
  return true;
}

static bool too_far(const joint *s, uint32_t start) {
  return s->depth > DEEPEST || s->reads[0] > DEEPEST || s->reads[1] > DEEPEST ||
         s->count > start + 2 || s->count + DEEPEST < start;
}

static void explore(walk *w, const hd_machine *m, joint s);

static long result_of(walk *w, hd_machine *m, hd_tid me) {
  hd_str_free(&w->r.events);
  w->r.events = (hd_str){0};
  assert_true(hd_machine_enabled(m, me));
  hd_machine_move(m, (hd_turn){.thread = me});
  const char *at = strstr(hd_str_text(&w->r.events), "r = ");
  assert_non_null(at);
  return (int32_t)(uint32_t)strtoul(at + 4, NULL, 10);
}

static bool has(const hd_machine *m, hd_property property) {
  for (size_t i = 0; i < hd_machine_violations(m); i++)
    if (hd_machine_violation(m, i)->property == property)
      return true;
  return false;
}

#define same(want, said)                                                       \
  do {                                                                         \
    if (!(want))                                                               \
      fail_msg("%s, %s: %s (owner %d, depth %u, reads %u %u, count %u)",       \
               w->c->what, w->c->requests[s.asks[me]], said, s.owner, s.depth, \
               s.reads[me], s.reads[!me], s.count);                            \
  } while (0)

/* What is said of a lock of which not all is known covers what it is. */
static void check_views(const hd_lock *lock, hd_lock_request r) {
  hd_lock_answer a = hd_lock_ask(*lock, r);
  hd_lock_view view = {.kinds = 1u << lock->kind,
                       .owners = 1u << lock->owner,
                       .depth = lock->depth,
                       .others_may_read = lock->others_read,
                       .count = lock->count};
  for (int wide = 0; wide < 2; wide++) {
    hd_lock_answers all = hd_lock_ask_any(&view, r);
    assert_true(hd_lock_may(&all, a.outcome));
    bool told = !a.error;
    for (int i = 0; i < HD_LOCK_ERRORS; i++)
      told = told || all.errors[i] == a.error;
    assert_true(told);
    if (a.outcome == HD_LOCK_DONE)
      assert_true(all.after.depth <= a.after.depth);
    view.owners = 7;
    view.perhaps = view.others_may_read = true;
    if (!view.depth)
      view.depth = 1;
  }
}

static hd_lock_answer asked_by(const walk *w, const joint *s, int me,
                               bool awaited) {
  hd_library_fn fn = hd_library_find(w->c->requests[s->asks[me]]);
  hd_lock lock = seen_by(w, s, me);
  check_views(&lock, hd_lock_request_of(fn));
  lock.awaited = awaited;
  return hd_lock_ask(lock, hd_lock_request_of(fn));
}

static bool waits(const walk *w, const joint *s, int who) {
  return s->asks[who] != NONE &&
         asked_by(w, s, who, false).outcome == HD_LOCK_WAITS;
}

/* The thread stands before its call. */
static void answer(walk *w, const hd_machine *before, joint s, int me) {
  hd_library_fn fn = hd_library_find(w->c->requests[s.asks[me]]);
  hd_lock_answer a = asked_by(w, &s, me, waits(w, &s, !me));
  bool runs = hd_machine_status_of(before) == HD_MACHINE_RUNNING;
  bool enabled = runs && hd_machine_enabled(before, (hd_tid)me);
  w->asked++;
  if (a.outcome == HD_LOCK_WAITS) {
    same(!enabled, "the interpreter does not wait");
    return;
  }
  if (!runs && a.outcome == HD_LOCK_STUCK)
    return;
  same(enabled, "the interpreter waits");
  hd_machine *m = hd_machine_copy(before);
  hd_machine_move(m, (hd_turn){.thread = (hd_tid)me});
  hd_lock seen = seen_by(w, &s, me);
  bool again = hd_lock_request_of(fn).strict && seen.owner == HD_OWNER_ME &&
               (a.outcome == HD_LOCK_STUCK || a.outcome == HD_LOCK_LATE);
  same(has(m, HD_PROPERTY_SYNC) == (a.outcome == HD_LOCK_WRONG || again),
       "is it defined?");
  same(again || has(m, HD_PROPERTY_DEADLOCK) == (a.outcome == HD_LOCK_STUCK) ||
           hd_machine_status_of(m) == HD_MACHINE_DEADLOCK,
       "does it wait for itself?");
  if (a.outcome != HD_LOCK_WRONG && a.outcome != HD_LOCK_STUCK && !again) {
    long want =
        a.outcome == HD_LOCK_DONE ? 0 : (int32_t)hd_library_error(fn, a.error);
    long got = result_of(w, m, (hd_tid)me);
    same(got == want, "another result");
    if (a.outcome == HD_LOCK_DONE)
      put(w, &s, me, &a.after);
    s.asks[me] = NONE;
    if (hd_library_action(fn) != HD_DO_UNMAKE)
      explore(w, m, s);
  }
  hd_machine_delete(m);
}

/* The thread may ask for anything. */
static void ask(walk *w, const hd_machine *before, joint s, int me) {
  for (int i = 0; i < n_requests(w->c); i++) {
    hd_machine *m = hd_machine_copy(before);
    int64_t low = hd_machine_input_low(m, (hd_tid)me);
    hd_machine_move(
        m, (hd_turn){.thread = (hd_tid)me, .choice = (uint64_t)(i - low)});
    s.asks[me] = i;
    explore(w, m, s);
    hd_machine_delete(m);
  }
}

static void explore(walk *w, const hd_machine *m, joint s) {
  if (too_far(&s, w->c->count) || !is_new(w, &s))
    return;
  for (int me = 0; me < 2; me++)
    if (s.asks[me] != NONE)
      answer(w, m, s, me);
    else if (hd_machine_status_of(m) == HD_MACHINE_RUNNING)
      ask(w, m, s, me);
}

static size_t compare(const lock_case *c) {
  walk w = {.c = c};
  hd_str text = {0};
  print_program(&text, c);
  start(&w.r, hd_str_text(&text),
        1u << HD_PROPERTY_SYNC | 1u << HD_PROPERTY_DEADLOCK);
  while (hd_machine_threads(w.r.m) < 2)
    hd_machine_move(w.r.m, (hd_turn){.thread = 0});
  joint s;
  memset(&s, 0, sizeof s);
  s.owner = s.asks[0] = s.asks[1] = NONE;
  s.count = c->count;
  explore(&w, w.r.m, s);
  size_t asked = w.asked;
  hd_vec_free(&w.seen);
  hd_str_free(&text);
  stop(&w.r);
  return asked;
}

static void test_all(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    size_t asked = compare(&cases[i]);
    print_message("%s: %zu requests\n", cases[i].what, asked);
    assert_true(asked > 50);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_all)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
