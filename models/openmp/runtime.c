/* SPDX-License-Identifier: MIT */
/* OpenMP in terms of threads: the functions that clang calls for `#pragma omp`
 * and those of omp.h, for the machine to execute. heddle-cc links this file to
 * programs that need it, and hands a parallel region on as one function with one
 * argument (src/cc/openmp.c).
 *
 * What matters is which steps are ordered. The standard orders creation and end of
 * a region, barriers, critical and ordered regions, locks, a task's creation with
 * its beginning and its end with who waits for it; it does not order who takes
 * which iteration, who executes a `single`, who takes a task from the list. So the
 * former are semaphores, barriers, locks and release/acquire pairs, the latter are
 * relaxed atomics: these choose, but a race across them is still one.
 *
 * Threads stay between regions (their threadprivate variables must) and wait for
 * their next one. A team that nobody gave a size has one that is chosen: 2 most often,
 * 1, 3, 5 or 17.
 * Tasks are executed by threads of the team: by who created them, when it waits,
 * or by any thread that comes to a barrier. */
#include <pthread.h>
#include <sched.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

_Bool __VERIFIER_nondet_bool(void);
unsigned __VERIFIER_nondet_uint(void);
/* Does nothing: a region is about to begin, or (0, 0, 0) has ended, for who
 * looks at the region as a whole (engine/teams). The last argument: whether
 * regions inside it have several threads; LEAGUE: they are teams. */
enum { LEAGUE = 2 };
void openmp_region(void (*)(int *, int *, void *), void *, int);
/* Not defined: who gets there is told so by name. */
void openmp_more_than_64_threads(void);
void openmp_more_than_1024_tasks(void);
void openmp_more_than_64_names_of_critical_regions(void);
void openmp_doacross_loop_with_more_than_4096_iterations(void);
void openmp_nestable_lock_in_a_league(void);
void openmp_taskwait_nowait(void);

enum {
  THREADS = 64,
  INSTANCES = 64, /* constructs that the threads of a team may be apart */
  TASKS = 1024,
  CRITICALS = 64,
  DOACROSS = 4096,
};

#define RELAXED(what) atomic_##what##_explicit
#define load_relaxed(p) RELAXED(load)(p, memory_order_relaxed)
#define load_acquire(p) RELAXED(load)(p, memory_order_acquire)
#define store_release(p, v) RELAXED(store)(p, v, memory_order_release)
#define add_relaxed(p, v) RELAXED(fetch_add)(p, v, memory_order_relaxed)
#define swap_relaxed(p, old, new)                                              \
  RELAXED(compare_exchange_strong)                                             \
  (p, old, new, memory_order_relaxed, memory_order_relaxed)

typedef struct task task;
typedef struct team team;

/* Several threads come to one construct, not all at once. */
typedef struct {
  _Atomic uint64_t number; /* the round of the slot, and what is taken so far */
  _Atomic uint64_t turn;   /* of ordered: the next iteration, likewise */
  _Atomic uint64_t cut;   /* the round and one; how iterations are shared out */
  _Atomic(void *) copied; /* of copyprivate */
  _Atomic(_Atomic unsigned char *) posted; /* iterations, of doacross */
} instance;

struct team {
  int size, level, active, league_number, league_size;
  _Bool grouped; /* lanes: so many iterations at once, then the next ones */
  pthread_barrier_t barrier;
  _Atomic int n_tasks;
  _Atomic uint64_t cancelled; /* what, and behind how many barriers */
  _Atomic(task *) tasks[TASKS];
  instance instances[INSTANCES];
};

/* The list of what tasks of a group reduce, as the compiler has it. */
typedef struct {
  void *shared, *original;
  size_t size;
  void (*begin)(void *, void *), (*end)(void *), (*combine)(void *, void *);
  unsigned flags;
} reduced;

/* All tasks that were created in it, and theirs, are waited for at its end. */
typedef struct group {
  struct group *outer;
  _Atomic int open, cancelled;
  int n_reduced;
  reduced *list;
  _Atomic(void *) *copies; /* of the k-th of n by thread t: [t * n + k] */
} group;

typedef struct {
  uintptr_t address;
  pthread_mutex_t *lock; /* of tasks that exclude each other */
  unsigned char flags;
} dependence; /* as the compiler has it, with a size for the lock */
enum { IN = 1, OUT = 2, MUTEX_INOUTSET = 4, INOUTSET = 8 };

/* What executes: an implicit task, or one that was created. */
typedef struct {
  task **children;
  int n_children, room;
  group *group;
  _Bool final; /* tasks that it creates are executed at once */
} scope;

struct task {
  _Atomic int state;
  scope scope;
  group *group; /* that it was created in */
  task **needs; /* tasks that end before it begins */
  int n_needs, n_dependences;
  dependence *dependences;
  _Bool begun;
  _Bool detached;   /* … until an event, too */
  _Atomic int left; /* of the two, while it is neither */
  int (*entry)(int, void *);
  void *given; /* as the compiler has it */
};
enum { READY = 1, TAKEN, DONE };
enum { FINAL = 2 }; /* of the compiler's flags */

/* A task as the compiler has it; what is private to it stands behind. */
typedef struct {
  void *shareds;
  int (*entry)(int, void *);
  int part;
  void *data[2];
} given_task;

typedef struct {
  team *team;
  int number;
  uint32_t constructs; /* that the thread has come to in this team */
  uint32_t barriers;
  int tasks_seen; /* those before are done */
  void *reduction; /* the lock of the one that it is at */
  scope own, *scope;
  /* The loop it is in: iterations 0 … trips - 1. */
  instance *loop;
  uint32_t round;
  uint64_t lower, step, trips, chunk, at, end, next;
  _Bool is_static, ordered, passed;
  instance *across; /* the loop whose iterations wait for each other */
  uint32_t across_round;
  int n_dims;
  int64_t dims[8][3];
} worker;

typedef void (*body)(int *, int *, void *);

typedef struct {
  sem_t go, done;
  _Bool made;
  _Atomic int busy;
  worker worker;
  body body;
  void *arguments;
} pooled;

static pooled pool[THREADS];
static worker initial_worker;
static team initial_team;
static _Thread_local worker *current;
static _Thread_local int clause_threads, clause_teams;
static _Atomic int default_threads, asked_threads,
    max_levels = 1, dynamic, cancellation; /* 1: no, 2: yes */

static int chosen_threads(void) {
  int none = 0, n = load_relaxed(&default_threads);
  if (n)
    return n;
  n = !__VERIFIER_nondet_bool()   ? 2
      : !__VERIFIER_nondet_bool() ? 3
      : !__VERIFIER_nondet_bool() ? 5 + 12 * __VERIFIER_nondet_bool()
                                  : 1; /* engine/teams relies on it */
  return swap_relaxed(&default_threads, &none, n) ? n : none;
}

static int asked_or_chosen(void) {
  int n = load_relaxed(&asked_threads);
  return n ? n : chosen_threads();
}

static void enter(worker *w, team *team, int number) {
  w->team = team;
  w->number = number;
  w->constructs = w->barriers = 0;
  w->tasks_seen = 0;
  w->own = (scope){0};
  w->scope = &w->own;
  w->loop = NULL;
}

static worker *self(void) {
  if (!current) {
    initial_team.size = initial_team.league_size = 1;
    enter(&initial_worker, &initial_team, 0);
    current = &initial_worker;
  }
  return current;
}

/* --- tasks --- */

static void run_task(worker *w, task *t);

static _Bool take(task *t) {
  int ready = READY;
  return atomic_compare_exchange_strong_explicit(
      &t->state, &ready, TAKEN, memory_order_acquire, memory_order_relaxed);
}

/* Waits for its end, or executes it. */
static void await(worker *w, task *t) {
  while (load_acquire(&t->state) != DONE) {
    if (take(t))
      run_task(w, t);
    else
      sched_yield();
  }
}

static void execute_task(worker *w, task *t) {
  scope *outer = w->scope;
  t->scope.group = t->group;
  t->begun = 1;
  w->scope = &t->scope;
  t->entry(w->number, t->given);
  w->scope = outer;
}

static void finish(task *t) {
  for (group *g = t->group, *outer; g; g = outer) {
    outer = g->outer; /* who waits for the last one frees it */
    atomic_fetch_sub_explicit(&g->open, 1, memory_order_acq_rel);
  }
  store_release(&t->state, DONE);
}

static _Bool is_cancelled(const group *g) {
  for (; g; g = g->outer)
    if (load_relaxed(&g->cancelled))
      return 1;
  return 0;
}

/* The next one, by addresses, so that tasks do not wait for each other. */
static const dependence *next_lock(const task *t, uintptr_t last) {
  const dependence *next = NULL;
  for (int i = 0; i < t->n_dependences; i++) {
    const dependence *d = &t->dependences[i];
    if (d->lock && d->address > last && (!next || d->address < next->address))
      next = d;
  }
  return next;
}

static void run_task(worker *w, task *t) {
  for (int i = 0; i < t->n_needs; i++)
    await(w, t->needs[i]);
  for (const dependence *d = next_lock(t, 0); d; d = next_lock(t, d->address))
    pthread_mutex_lock(d->lock);
  if (!is_cancelled(t->group))
    execute_task(w, t);
  for (const dependence *d = next_lock(t, 0); d; d = next_lock(t, d->address))
    pthread_mutex_unlock(d->lock);
  free(t->given); /* with what is private to it */
  t->given = NULL;
  if (!t->detached ||
      atomic_fetch_sub_explicit(&t->left, 1, memory_order_acq_rel) == 1)
    finish(t);
}

void *__kmpc_task_allow_completion_event(void *at, int gtid, void *given) {
  task *t = ((given_task *)given)->data[1];
  t->detached = 1;
  atomic_store_explicit(&t->left, 2, memory_order_relaxed);
  return t;
}

void omp_fulfill_event(uintptr_t event) {
  task *t = (task *)event;
  if (atomic_fetch_sub_explicit(&t->left, 1, memory_order_acq_rel) == 1)
    finish(t);
}

/* Tasks of the team that nobody has begun. */
static void help(worker *w) {
  team *team = w->team;
  for (int i = w->tasks_seen; i < load_relaxed(&team->n_tasks); i++) {
    task *t = load_relaxed(&team->tasks[i]);
    if (t && take(t))
      run_task(w, t);
  }
}

static void finish_tasks(worker *w) {
  team *team = w->team;
  for (; w->tasks_seen < load_relaxed(&team->n_tasks); w->tasks_seen++)
    await(w, load_relaxed(&team->tasks[w->tasks_seen]));
}

static void wait_for_all(worker *w) {
  team *team = w->team;
  w->barriers++;
  if (team->size == 1) {
    finish_tasks(w);
    return;
  }
  help(w);
  pthread_barrier_wait(&team->barrier);
  if (load_relaxed(&team->n_tasks)) {
    finish_tasks(w);
    pthread_barrier_wait(&team->barrier);
  }
}

static void wait_for_children(worker *w) {
  for (int i = 0; i < w->scope->n_children; i++)
    await(w, w->scope->children[i]);
}

/* --- cancellation, where the environment allows it --- */

enum { PARALLEL = 1, LOOP, SECTIONS, TASKGROUP };

static _Bool may_cancel(void) {
  int none = 0, chosen = load_relaxed(&cancellation);
  if (!chosen) {
    chosen = 1 + __VERIFIER_nondet_bool();
    if (!swap_relaxed(&cancellation, &none, chosen))
      chosen = none;
  }
  return chosen == 2;
}

int omp_get_cancellation(void) {
  return may_cancel();
}

/* A loop or sections: the one behind the barrier that the thread was at last. */
static _Bool was_asked(worker *w, int kind) {
  uint64_t asked = load_relaxed(&w->team->cancelled);
  return (int)(asked & 7) == kind &&
         (kind == PARALLEL || asked >> 3 == w->barriers);
}

int __kmpc_cancellationpoint(void *at, int gtid, int kind) {
  worker *w = self();
  if (!may_cancel())
    return 0;
  return kind == TASKGROUP ? is_cancelled(w->scope->group) : was_asked(w, kind);
}

int __kmpc_cancel(void *at, int gtid, int kind) {
  worker *w = self();
  if (!may_cancel())
    return 0;
  if (kind == TASKGROUP) {
    if (w->scope->group)
      atomic_store_explicit(&w->scope->group->cancelled, 1,
                            memory_order_relaxed);
    return w->scope->group != NULL;
  }
  if (!was_asked(w, PARALLEL))
    atomic_store_explicit(&w->team->cancelled,
                          (uint64_t)w->barriers << 3 | (uint64_t)kind,
                          memory_order_relaxed);
  return was_asked(w, kind);
}

/* Asked for before the barrier: all threads are told so. */
int __kmpc_cancel_barrier(void *at, int gtid) {
  worker *w = self();
  wait_for_all(w);
  return was_asked(w, PARALLEL) &&
         load_relaxed(&w->team->cancelled) >> 3 < w->barriers;
}

void *__kmpc_omp_task_alloc(void *at, int gtid, int flags, size_t size,
                            size_t shareds, int (*entry)(int, void *)) {
  size_t whole = (size + 15) / 16 * 16;
  task *t = calloc(1, sizeof *t);
  given_task *g = malloc(whole + shareds);
  g->shareds = shareds ? (char *)g + whole : NULL;
  g->entry = entry;
  t->entry = entry;
  t->scope.final = self()->scope->final || flags & FINAL;
  t->given = g;
  g->data[1] = t;
  return g;
}

/* target nowait: the host executes it. */
void *__kmpc_omp_target_task_alloc(void *at, int gtid, int flags, size_t size,
                                   size_t shareds, int (*entry)(int, void *),
                                   int64_t device) {
  return __kmpc_omp_task_alloc(at, gtid, flags, size, shareds, entry);
}

static void adopt(scope *s, task *t) {
  if (s->n_children == s->room) {
    s->room = s->room ? 2 * s->room : 8;
    s->children = realloc(s->children, (size_t)s->room * sizeof *s->children);
  }
  s->children[s->n_children++] = t;
}

static _Bool conflict(const dependence *a, const dependence *b) {
  if (a->address != b->address)
    return 0;
  if (a->flags & OUT || b->flags & OUT)
    return 1;
  return a->flags != b->flags;
}

static void need(task *t, task *other) {
  t->needs = realloc(t->needs, (size_t)(t->n_needs + 1) * sizeof *t->needs);
  t->needs[t->n_needs++] = other;
}

static void find_needs(scope *s, task *t) {
  for (int i = 0; i < s->n_children; i++) {
    task *other = s->children[i];
    _Bool ordered = 0;
    for (int k = 0; k < other->n_dependences && !ordered; k++)
      for (int l = 0; l < t->n_dependences && !ordered; l++)
        ordered = conflict(&other->dependences[k], &t->dependences[l]);
    if (ordered)
      need(t, other);
  }
}

/* Tasks of one parent that exclude each other have the lock of the first one. */
static pthread_mutex_t *lock_of(const task *t, uintptr_t address) {
  for (int i = 0; i < t->n_dependences; i++)
    if (t->dependences[i].flags == MUTEX_INOUTSET &&
        t->dependences[i].address == address)
      return t->dependences[i].lock;
  return NULL;
}

static void find_locks(scope *s, task *t) {
  for (int i = 0; i < t->n_dependences; i++) {
    dependence *d = &t->dependences[i];
    if (d->flags != MUTEX_INOUTSET)
      continue;
    for (int k = 0; k < s->n_children && !d->lock; k++)
      d->lock = lock_of(s->children[k], d->address);
    if (!d->lock)
      d->lock = lock_of(t, d->address);
    if (d->lock)
      continue;
    d->lock = malloc(sizeof *d->lock);
    pthread_mutex_init(d->lock, NULL);
  }
}

static void depend(task *t, const dependence *list, int n) {
  if (n <= 0)
    return;
  t->dependences = realloc(t->dependences, (size_t)(t->n_dependences + n) *
                                               sizeof *t->dependences);
  for (int i = 0; i < n; i++) {
    t->dependences[t->n_dependences] = list[i];
    t->dependences[t->n_dependences++].lock = NULL;
  }
}

static void free_task(task *t) {
  free(t->scope.children);
  free(t->needs);
  free(t->dependences);
  free(t->given);
  free(t);
}

static void create(worker *w, task *t) {
  team *team = w->team;
  /* At once: whatever it needs is done. */
  if ((team->size == 1 || w->scope->final) && !t->detached) {
    t->group = w->scope->group;
    if (!is_cancelled(t->group))
      execute_task(w, t);
    free_task(t);
    return;
  }
  find_needs(w->scope, t);
  find_locks(w->scope, t);
  adopt(w->scope, t);
  t->group = w->scope->group;
  for (group *g = t->group; g; g = g->outer)
    add_relaxed(&g->open, 1);
  store_release(&t->state, READY);
  int i = add_relaxed(&team->n_tasks, 1);
  if (i >= TASKS)
    openmp_more_than_1024_tasks();
  atomic_store_explicit(&team->tasks[i], t, memory_order_relaxed);
}

static task *of(void *given) {
  return ((given_task *)given)->data[1];
}

/* An untied task that is being executed puts itself into the list when it comes to
 * its next part: that follows at once. */
int __kmpc_omp_task(void *at, int gtid, void *given) {
  worker *w = self();
  task *t = of(given);
  if (t->begun)
    t->entry(w->number, given);
  else
    create(w, t);
  return 0;
}

int __kmpc_omp_task_with_deps(void *at, int gtid, void *given, int n,
                              dependence *list, int m, dependence *noalias) {
  task *t = of(given);
  depend(t, list, n);
  depend(t, noalias, m);
  create(self(), t);
  return 0;
}

/* if (0): whoever creates it executes it, at once. */
void __kmpc_omp_task_begin_if0(void *at, int gtid, void *given) {
  worker *w = self();
  task *t = of(given);
  t->scope.group = w->scope->group;
  t->needs = (task **)w->scope; /* where to go back to */
  w->scope = &t->scope;
}

void __kmpc_omp_task_complete_if0(void *at, int gtid, void *given) {
  task *t = of(given);
  self()->scope = (scope *)t->needs;
  t->needs = NULL;
  free_task(t);
}

void __kmpc_omp_wait_deps(void *at, int gtid, int n, dependence *list, int m,
                          dependence *noalias) {
  worker *w = self();
  task t = {0};
  depend(&t, list, n);
  depend(&t, noalias, m);
  find_needs(w->scope, &t);
  for (int i = 0; i < t.n_needs; i++)
    await(w, t.needs[i]);
  free(t.needs);
  free(t.dependences);
}

void __kmpc_omp_taskwait_deps_51(void *at, int gtid, int n, dependence *list,
                                 int m, dependence *noalias, int nowait) {
  if (nowait)
    openmp_taskwait_nowait();
  __kmpc_omp_wait_deps(at, gtid, n, list, m, noalias);
}

int __kmpc_omp_taskwait(void *at, int gtid) {
  wait_for_children(self());
  return 0;
}

int __kmpc_omp_taskyield(void *at, int gtid, int end) {
  help(self());
  return 0;
}

void __kmpc_taskgroup(void *at, int gtid) {
  scope *s = self()->scope;
  group *g = calloc(1, sizeof *g);
  g->outer = s->group;
  s->group = g;
}

/* Each thread has a copy of what the tasks of the group reduce. */
void *__kmpc_taskred_init(int gtid, int n, reduced *list) {
  worker *w = self();
  group *g = w->scope->group;
  g->n_reduced = n;
  g->list = malloc((size_t)n * sizeof *list);
  memcpy(g->list, list, (size_t)n * sizeof *list);
  g->copies = calloc((size_t)(n * w->team->size), sizeof *g->copies);
  return g;
}

void *__kmpc_task_reduction_get_th_data(int gtid, void *in, void *item) {
  worker *w = self();
  for (group *g = in ? in : w->scope->group; g; g = g->outer)
    for (int i = 0; i < g->n_reduced; i++) {
      reduced *r = &g->list[i];
      if ((char *)item < (char *)r->shared ||
          (char *)item >= (char *)r->shared + r->size)
        continue;
      _Atomic(void *) *at = &g->copies[w->number * g->n_reduced + i];
      char *copy = load_relaxed(at);
      if (!copy) {
        copy = calloc(1, r->size);
        if (r->begin)
          r->begin(copy, r->original);
        atomic_store_explicit(at, copy, memory_order_relaxed);
      }
      return copy + ((char *)item - (char *)r->shared);
    }
  return item;
}

static void combine_copies(worker *w, group *g) {
  for (int k = 0; k < g->n_reduced * w->team->size; k++) {
    reduced *r = &g->list[k % g->n_reduced];
    void *copy = load_relaxed(&g->copies[k]);
    if (!copy)
      continue;
    r->combine(r->shared, copy);
    if (r->end)
      r->end(copy);
    free(copy);
  }
  free(g->list);
  free(g->copies);
}

void __kmpc_end_taskgroup(void *at, int gtid) {
  worker *w = self();
  group *g = w->scope->group;
  while (load_acquire(&g->open)) {
    help(w);
    sched_yield();
  }
  w->scope->group = g->outer;
  combine_copies(w, g);
  free(g);
}

/* Tasks of any number of iterations: of one each, or two halves. */
void __kmpc_taskloop(void *at, int gtid, void *given, int condition,
                     uint64_t *lower, uint64_t *upper, int64_t step,
                     int nogroup, int kind, uint64_t size,
                     void (*copy)(void *, void *, int)) {
  uint64_t trips = step > 0
                       ? (uint64_t)((int64_t)(*upper - *lower) / step) + 1
                       : (uint64_t)((int64_t)(*lower - *upper) / -step) + 1;
  uint64_t grain = kind == 1   ? size
                   : kind == 2 ? (trips + size - 1) / size
                   : trips <= 8 && __VERIFIER_nondet_bool() ? 1
                                                            : (trips + 1) / 2;
  if (!grain)
    grain = 1;
  uint64_t first = *lower;
  size_t lower_at = (size_t)((char *)lower - (char *)given),
         upper_at = (size_t)((char *)upper - (char *)given);
  if (!nogroup)
    __kmpc_taskgroup(at, gtid);
  for (uint64_t i = 0; i < trips; i += grain) {
    uint64_t end = trips - i > grain ? i + grain : trips;
    /* What is private to a task lies between its head and its shareds; the bounds
     * are the last of it but for a stride and a flag. */
    size_t whole = upper_at + 4 * sizeof(uint64_t);
    given_task *g = __kmpc_omp_task_alloc(at, gtid, 0, whole, 0,
                                          ((given_task *)given)->entry);
    task *t = g->data[1];
    memcpy(g, given, whole);
    g->data[1] = t;
    t->scope.final = of(given)->scope.final;
    *(uint64_t *)((char *)g + lower_at) = first + i * (uint64_t)step;
    *(uint64_t *)((char *)g + upper_at) = first + (end - 1) * (uint64_t)step;
    if (copy)
      copy(g, given, end == trips);
    if (condition) {
      create(self(), t);
    } else {
      t->entry(gtid, g);
      free_task(t);
    }
  }
  if (!nogroup) {
    __kmpc_end_taskgroup(at, gtid);
    free_task(of(given)); /* it has what its copies share */
  }
}

/* --- regions --- */

static void execute(worker *w, body f, void *arguments) {
  int number = w->number, bound = w->number;
  f(&number, &bound, arguments);
  wait_for_all(w);
}

static void *work(void *argument) {
  pooled *p = argument;
  for (;;) {
    sem_wait(&p->go);
    current = &p->worker;
    execute(&p->worker, p->body, p->arguments);
    sem_post(&p->done);
  }
  return NULL;
}

/* The k-th thread of a team, if it is free, or another one. */
static pooled *employ(int k) {
  for (int i = k; i < THREADS; i++) {
    int free = 0;
    if (!atomic_compare_exchange_strong(&pool[i].busy, &free, 1))
      continue;
    if (!pool[i].made) {
      pthread_t id;
      sem_init(&pool[i].go, 0, 0);
      sem_init(&pool[i].done, 0, 0);
      pool[i].made = 1;
      pthread_create(&id, NULL, work, &pool[i]);
    }
    return &pool[i];
  }
  openmp_more_than_64_threads();
  return NULL;
}

static team *make_team(worker *outer, int size) {
  team *t = calloc(1, sizeof *t);
  t->size = size;
  t->level = outer->team->level + 1;
  t->active = outer->team->active + (size > 1);
  t->league_number = outer->team->league_number;
  t->league_size = outer->team->league_size;
  pthread_barrier_init(&t->barrier, NULL, (unsigned)size);
  return t;
}

/* Everybody has left it. */
static void free_team(team *t) {
  int n = load_relaxed(&t->n_tasks);
  for (int i = 0; i < n; i++)
    free_task(load_relaxed(&t->tasks[i]));
  for (int i = 0; i < INSTANCES; i++)
    free(load_relaxed(&t->instances[i].posted));
  pthread_barrier_destroy(&t->barrier);
  free(t);
}

static void fork(int n, team **teams, _Bool league, body f, void *arguments) {
  worker *outer = self(), mine;
  pooled *others[THREADS];
  if (n > THREADS)
    openmp_more_than_64_threads();
  for (int k = 1; k < n; k++) {
    pooled *p = employ(k);
    others[k] = p;
    enter(&p->worker, teams[league ? k : 0], league ? 0 : k);
    p->body = f;
    p->arguments = arguments;
    sem_post(&p->go);
  }
  enter(&mine, teams[0], 0);
  current = &mine;
  execute(&mine, f, arguments);
  current = outer;
  for (int k = 1; k < n; k++) {
    sem_wait(&others[k]->done);
    free(others[k]->worker.own.children);
    atomic_store(&others[k]->busy, 0);
  }
  free(mine.own.children);
  for (int k = 0; k < (league ? n : 1); k++)
    free_team(teams[k]);
}

/* `simd`: so many threads and more are lanes of one, of which at most
 * clause_threads - LANES iterations apart are executed at once (0: any). */
enum { LANES = 1000000 };

void openmp_fork(body f, void *arguments) {
  worker *outer = self();
  int size = clause_threads ? clause_threads : asked_or_chosen();
  clause_threads = 0;
  _Bool lanes = size >= LANES, grouped = size > LANES;
  if (lanes)
    size = !grouped ? 2 : size - LANES < 8 ? size - LANES : 8;
  else if (outer->team->active >= load_relaxed(&max_levels))
    size = 1;
  team *t = make_team(outer, size);
  t->grouped = grouped;
  _Bool outermost = outer->team->level == 0;
  if (outermost)
    openmp_region(f, arguments, lanes || load_relaxed(&max_levels) > 1);
  fork(size, &t, 0, f, arguments);
  if (outermost)
    openmp_region(NULL, NULL, 0);
}

void openmp_fork_teams(body f, void *arguments) {
  int n = clause_teams ? clause_teams : 1 + __VERIFIER_nondet_bool();
  clause_teams = 0;
  team *teams[THREADS];
  if (n > THREADS)
    openmp_more_than_64_threads();
  for (int i = 0; i < n; i++) {
    teams[i] = make_team(self(), 1);
    teams[i]->level = 0;
    teams[i]->league_number = i;
    teams[i]->league_size = n;
  }
  openmp_region(f, arguments, LEAGUE);
  fork(n, teams, 1, f, arguments);
  openmp_region(NULL, NULL, 0);
}

typedef struct {
  worker worker, *outer;
} serial;
static _Thread_local serial *serials[8];
static _Thread_local int n_serials;

void __kmpc_serialized_parallel(void *at, int gtid) {
  serial *s = calloc(1, sizeof *s);
  s->outer = self();
  enter(&s->worker, make_team(s->outer, 1), 0);
  serials[n_serials++] = s;
  current = &s->worker;
}

void __kmpc_end_serialized_parallel(void *at, int gtid) {
  wait_for_all(current);
  serial *s = serials[--n_serials];
  current = s->outer;
  free(s->worker.own.children);
  free_team(s->worker.team);
  free(s);
}

void __kmpc_push_num_threads(void *at, int gtid, int n) {
  clause_threads = n;
}

void __kmpc_push_num_teams(void *at, int gtid, int teams, int threads) {
  clause_teams = teams;
}

void __kmpc_push_num_teams_51(void *at, int gtid, int least, int most,
                              int threads) {
  clause_teams = most;
}

void __kmpc_push_proc_bind(void *at, int gtid, int how) {}
int __kmpc_global_thread_num(void *at) {
  return self()->number;
}
int __kmpc_ok_to_fork(void *at) {
  return 1;
}

/* --- within a team --- */

void __kmpc_barrier(void *at, int gtid) {
  wait_for_all(self());
}

/* The slot of the construct that the thread comes to now. */
static instance *come(worker *w, uint32_t *round) {
  uint32_t k = w->constructs++;
  *round = k / INSTANCES;
  return &w->team->instances[k % INSTANCES];
}

static uint64_t taken(uint64_t number, uint32_t round) {
  return number >> 32 == round ? (uint32_t)number : 0;
}

int __kmpc_single(void *at, int gtid) {
  uint32_t round;
  instance *i = come(self(), &round);
  uint64_t number = load_relaxed(&i->number);
  while (!taken(number, round))
    if (swap_relaxed(&i->number, &number, (uint64_t)round << 32 | 1))
      return 1;
  return 0;
}

void __kmpc_end_single(void *at, int gtid) {}

void __kmpc_copyprivate(void *at, int gtid, size_t size, void *list,
                        void (*copy)(void *, void *), int did) {
  worker *w = self();
  instance *i = &w->team->instances[(w->constructs - 1) % INSTANCES];
  if (did)
    atomic_store_explicit(&i->copied, list, memory_order_relaxed);
  wait_for_all(w);
  if (!did)
    copy(list, load_relaxed(&i->copied));
  wait_for_all(w);
}

int __kmpc_master(void *at, int gtid) {
  return self()->number == 0;
}
void __kmpc_end_master(void *at, int gtid) {}
int __kmpc_masked(void *at, int gtid, int filter) {
  return self()->number == filter;
}
void __kmpc_end_masked(void *at, int gtid) {}

static struct {
  _Atomic(const void *) key;
  pthread_mutex_t lock;
} criticals[CRITICALS];

/* The key of a critical region: each team of a league has its own. */
static const void *in_team(const void *name) {
  return (const char *)name + self()->team->league_number;
}

/* The last one that the thread asked for: no action that others could see. */
static _Thread_local struct {
  const void *key;
  void *lock;
} found_lock;

static void *find_lock(const void *key) {
  if (found_lock.key == key)
    return found_lock.lock;
  for (int i = 0; i < CRITICALS; i++) {
    const void *there = load_relaxed(&criticals[i].key);
    if (!there && swap_relaxed(&criticals[i].key, &there, key))
      there = key;
    if (there == key) {
      found_lock.key = key;
      found_lock.lock = &criticals[i].lock;
      return found_lock.lock;
    }
  }
  openmp_more_than_64_names_of_critical_regions();
  return NULL;
}

void __kmpc_critical(void *at, int gtid, void *name) {
  pthread_mutex_lock(find_lock(in_team(name)));
}
void __kmpc_critical_with_hint(void *at, int gtid, void *name, uint32_t hint) {
  pthread_mutex_lock(find_lock(in_team(name)));
}
void __kmpc_end_critical(void *at, int gtid, void *name) {
  pthread_mutex_unlock(find_lock(in_team(name)));
}

/* The parts of one reduction go into its variable one after the other; those of
 * another one, or of the same construct the next time, may come at the same time,
 * unless a barrier is between them. */
int __kmpc_reduce_nowait(void *at, int gtid, int n, size_t size, void *list,
                         void (*reduce)(void *, void *), void *name) {
  worker *w = self();
  w->reduction = find_lock((char *)reduce + w->constructs % 4);
  pthread_mutex_lock(w->reduction);
  return 1;
}
void __kmpc_end_reduce_nowait(void *at, int gtid, void *name) {
  pthread_mutex_unlock(self()->reduction);
}
int __kmpc_reduce(void *at, int gtid, int n, size_t size, void *list,
                  void (*reduce)(void *, void *), void *name) {
  return __kmpc_reduce_nowait(at, gtid, n, size, list, reduce, name);
}
void __kmpc_end_reduce(void *at, int gtid, void *name) {
  pthread_mutex_unlock(self()->reduction);
  wait_for_all(self());
}

void __kmpc_flush(void *at) {
  atomic_thread_fence(memory_order_seq_cst);
}

/* --- loops --- */

enum {
  STATIC_CHUNKED = 33,
  STATIC = 34,
  ORDERED = 32,
  DISTRIBUTE = 58,
  ANY =
      1
      << 29, /* no schedule clause: heddle-cc has put one there that says so */
};

/* Iterations 0 … trips - 1 for one of n; the first, how many, and whether the last
 * one of all is among them. */
static void share(uint64_t trips, uint64_t n, uint64_t k, uint64_t *first,
                  uint64_t *count) {
  uint64_t small = trips / n, more = trips % n;
  *first = k * small + (k < more ? k : more);
  *count = small + (k < more);
}

/* Nobody said how: in parts that are alike, or the first thread has the first `k`
 * of them, and the others the rest. */
static void share_somehow(worker *w, uint64_t trips, uint64_t *first,
                          uint64_t *count) {
  uint32_t round;
  instance *i = come(w, &round);
  uint64_t chosen = load_relaxed(&i->cut), n = (uint64_t)w->team->size,
           k = (uint64_t)w->number;
  if (n > 1 && trips < UINT32_MAX && chosen >> 32 != round + 1) {
    uint64_t cut = (uint64_t)__VERIFIER_nondet_uint() + 1;
    uint64_t mine = (uint64_t)(round + 1) << 32 | (cut < trips ? cut : 0);
    if (swap_relaxed(&i->cut, &chosen, mine))
      chosen = mine;
  }
  uint64_t cut = chosen >> 32 == round + 1 ? (uint32_t)chosen : 0;
  if (!cut) {
    share(trips, n, k, first, count);
  } else if (!k) {
    *first = 0;
    *count = cut;
  } else {
    share(trips - cut, n - 1, k - 1, first, count);
    *first += cut;
  }
}

#define STATIC_INIT(name, T, S)                                                \
  void __kmpc_##name(void *at, int gtid, int kind, int *last, T *lower,        \
                     T *upper, S *stride, S step, S chunk) {                   \
    worker *w = self();                                                        \
    _Bool any = (kind & ANY) != 0;                                             \
    kind &= 0xff;                                                              \
    _Bool league = kind > 2 * STATIC;                                          \
    uint64_t n = (uint64_t)(league ? w->team->league_size : w->team->size);    \
    uint64_t k = (uint64_t)(league ? w->team->league_number : w->number);      \
    if (step > 0 ? *upper < *lower : *lower < *upper) {                        \
      if (last)                                                                \
        *last = 0;                                                             \
      return;                                                                  \
    }                                                                          \
    uint64_t trips = step > 0                                                  \
                         ? (uint64_t)(*upper - *lower) / (uint64_t)step + 1    \
                         : (uint64_t)(*lower - *upper) / (uint64_t)-step + 1;  \
    T begin = *lower;                                                          \
    if (kind == STATIC || kind == STATIC + DISTRIBUTE) {                       \
      uint64_t first, count;                                                   \
      if (any && !league)                                                      \
        share_somehow(w, trips, &first, &count);                               \
      else                                                                     \
        share(trips, n, k, &first, &count);                                    \
      *lower = begin + (T)(first * (uint64_t)step);                            \
      *upper = begin + (T)((first + count - 1) * (uint64_t)step);              \
      *stride = (S)(trips * (uint64_t)step);                                   \
      if (last)                                                                \
        *last = count && first + count == trips;                               \
      return;                                                                  \
    }                                                                          \
    uint64_t size = chunk < 1 ? 1 : (uint64_t)chunk;                           \
    *lower = begin + (T)(k * size * (uint64_t)step);                           \
    *upper = begin + (T)(((k + 1) * size - 1) * (uint64_t)step);               \
    *stride = (S)(n * size * (uint64_t)step);                                  \
    if (last)                                                                  \
      *last = (trips - 1) / size % n == k;                                     \
  }
STATIC_INIT(for_static_init_4, int32_t, int32_t)
STATIC_INIT(for_static_init_4u, uint32_t, int32_t)
STATIC_INIT(for_static_init_8, int64_t, int64_t)
STATIC_INIT(for_static_init_8u, uint64_t, int64_t)
void __kmpc_for_static_fini(void *at, int gtid) {}

static void begin_loop(int kind, uint64_t lower, uint64_t step, uint64_t trips,
                       uint64_t chunk) {
  worker *w = self();
  kind &= 0xff;
  if (kind >= 160)
    kind -= 128; /* ordered or not, without an order of chunks */
  w->ordered = kind > 64;
  kind -= w->ordered ? ORDERED : 0;
  w->is_static = kind == STATIC || kind == STATIC_CHUNKED;
  w->loop = come(w, &w->round);
  w->lower = lower;
  w->step = step;
  w->trips = trips;
  w->chunk = chunk ? chunk : 1;
  w->next = (uint64_t)w->number;
  w->at = w->end = 0;
  if (kind == STATIC) {
    w->chunk = trips / (uint64_t)w->team->size;
    w->chunk += w->chunk * (uint64_t)w->team->size < trips;
  }
  if (!w->chunk)
    w->chunk = 1;
}

static _Bool next_chunk(worker *w) {
  uint64_t first;
  if (w->team->grouped) {
    uint64_t size = (uint64_t)w->team->size, number = (uint64_t)w->number;
    first = w->next - number;
    if (first >= w->trips)
      return 0;
    if (size > 1)
      pthread_barrier_wait(&w->team->barrier);
    first = w->next;
    w->next += size;
  } else if (w->is_static) {
    first = w->next * w->chunk;
    w->next += (uint64_t)w->team->size;
  } else {
    uint64_t number = load_relaxed(&w->loop->number), now;
    do {
      first = taken(number, w->round);
      now = (uint64_t)w->round << 32 | (uint32_t)(first + w->chunk);
    } while (first < w->trips && !swap_relaxed(&w->loop->number, &number, now));
  }
  if (first >= w->trips)
    return 0;
  w->at = first;
  w->end = w->trips - first < w->chunk ? w->trips : first + w->chunk;
  w->passed = 0;
  return 1;
}

#define DISPATCH(suffix, T, S)                                                 \
  void __kmpc_dispatch_init_##suffix(void *at, int gtid, int kind, T lower,    \
                                     T upper, S step, S chunk) {               \
    uint64_t trips = 0;                                                        \
    if (step > 0 ? lower <= upper : upper <= lower)                            \
      trips = step > 0 ? (uint64_t)(upper - lower) / (uint64_t)step + 1        \
                       : (uint64_t)(lower - upper) / (uint64_t)-step + 1;      \
    begin_loop(kind, (uint64_t)lower, (uint64_t)(int64_t)step, trips,          \
               chunk > 0 ? (uint64_t)chunk : 0);                               \
  }                                                                            \
  int __kmpc_dispatch_next_##suffix(void *at, int gtid, int *last, T *lower,   \
                                    T *upper, S *stride) {                     \
    worker *w = self();                                                        \
    if (!next_chunk(w)) {                                                      \
      w->loop = NULL;                                                          \
      return 0;                                                                \
    }                                                                          \
    *lower = (T)(w->lower + w->at * w->step);                                  \
    *upper = (T)(w->lower + (w->end - 1) * w->step);                           \
    *stride = (S)w->step;                                                      \
    if (last)                                                                  \
      *last = w->end == w->trips;                                              \
    return 1;                                                                  \
  }                                                                            \
  void __kmpc_dispatch_fini_##suffix(void *at, int gtid) {                     \
    end_iteration();                                                           \
  }

static void await_turn(worker *w) {
  for (;;) {
    uint64_t turn = load_acquire(&w->loop->turn);
    if (taken(turn, w->round) == w->at)
      return;
    sched_yield();
  }
}

static void pass_turn(worker *w) {
  store_release(&w->loop->turn,
                (uint64_t)w->round << 32 | (uint32_t)(w->at + 1));
  w->passed = 1;
}

static void end_iteration(void) {
  worker *w = self();
  if (w->ordered && !w->passed) {
    await_turn(w);
    pass_turn(w);
  }
  w->passed = 0;
  w->at++;
}

void __kmpc_ordered(void *at, int gtid) {
  worker *w = self();
  if (w->loop && w->ordered)
    await_turn(w);
}
void __kmpc_end_ordered(void *at, int gtid) {
  worker *w = self();
  if (w->loop && w->ordered)
    pass_turn(w);
}

DISPATCH(4, int32_t, int32_t)
DISPATCH(4u, uint32_t, int32_t)
DISPATCH(8, int64_t, int64_t)
DISPATCH(8u, uint64_t, int64_t)
void __kmpc_dispatch_deinit(void *at, int gtid) {}

/* ordered(n) with depend(sink) and depend(source). */
void __kmpc_doacross_init(void *at, int gtid, int n, int64_t *dims) {
  worker *w = self();
  uint64_t whole = 1;
  w->across = come(w, &w->across_round);
  w->n_dims = n;
  for (int i = 0; i < n; i++) {
    for (int k = 0; k < 3; k++)
      w->dims[i][k] = dims[3 * i + k];
    int64_t step = dims[3 * i + 2];
    whole *= (uint64_t)((dims[3 * i + 1] - dims[3 * i]) / step) + 1;
  }
  if (whole > DOACROSS || n > 8)
    openmp_doacross_loop_with_more_than_4096_iterations();
  _Atomic unsigned char *none = NULL, *new;
  if (load_relaxed(&w->across->posted))
    return;
  new = calloc(DOACROSS, 1);
  if (!swap_relaxed(&w->across->posted, &none, new))
    free(new);
}

/* The number of the iteration; -1: there is none. */
static int64_t place(const worker *w, const int64_t *vector) {
  int64_t number = 0;
  for (int i = 0; i < w->n_dims; i++) {
    int64_t low = w->dims[i][0], high = w->dims[i][1], step = w->dims[i][2];
    int64_t k = (vector[i] - low) / step;
    if (k < 0 || (step > 0 ? vector[i] > high || vector[i] < low
                           : vector[i] < high || vector[i] > low))
      return -1;
    number = number * ((high - low) / step + 1) + k;
  }
  return number;
}

void __kmpc_doacross_post(void *at, int gtid, const int64_t *vector) {
  worker *w = self();
  store_release(&load_relaxed(&w->across->posted)[place(w, vector)],
                (unsigned char)(w->across_round + 1));
}

void __kmpc_doacross_wait(void *at, int gtid, const int64_t *vector) {
  worker *w = self();
  int64_t k = place(w, vector);
  _Atomic unsigned char *posted = load_relaxed(&w->across->posted);
  while (k >= 0 && load_acquire(&posted[k]) != (unsigned char)(w->across_round + 1))
    sched_yield();
}

void __kmpc_doacross_fini(void *at, int gtid) {
  self()->across = NULL;
}

/* --- omp.h --- */

int omp_get_thread_num(void) {
  return self()->number;
}
int omp_get_num_threads(void) {
  return self()->team->size;
}
int omp_get_max_threads(void) {
  return asked_or_chosen();
}
int omp_get_num_procs(void) {
  return chosen_threads();
}
void omp_set_num_threads(int n) {
  RELAXED(store)(&asked_threads, n, memory_order_relaxed);
}
int omp_in_parallel(void) {
  return self()->team->active > 0;
}
void omp_set_dynamic(int on) {
  RELAXED(store)(&dynamic, on != 0, memory_order_relaxed);
}
int omp_get_dynamic(void) {
  return load_relaxed(&dynamic);
}
void omp_set_nested(int on) {
  RELAXED(store)(&max_levels, on ? THREADS : 1, memory_order_relaxed);
}
int omp_get_nested(void) {
  return load_relaxed(&max_levels) > 1;
}
void omp_set_max_active_levels(int n) {
  RELAXED(store)(&max_levels, n, memory_order_relaxed);
}
int omp_get_max_active_levels(void) {
  return load_relaxed(&max_levels);
}
int omp_get_level(void) {
  return self()->team->level;
}
int omp_get_active_level(void) {
  return self()->team->active;
}
int omp_get_thread_limit(void) {
  return THREADS;
}
int omp_get_team_num(void) {
  return self()->team->league_number;
}
int omp_get_num_teams(void) {
  return self()->team->league_size;
}
int omp_get_num_devices(void) {
  return 0;
}
int omp_get_default_device(void) {
  return 0;
}
void omp_set_default_device(int device) {}
int omp_get_initial_device(void) {
  return 0;
}
int omp_is_initial_device(void) {
  return 1;
}
void *__kmpc_alloc(int gtid, size_t size, void *allocator) {
  return malloc(size);
}
void __kmpc_free(int gtid, void *block, void *allocator) {
  free(block);
}
int omp_in_final(void) {
  return self()->scope->final;
}
void omp_set_schedule(int kind, int chunk) {}
double omp_get_wtime(void) {
  return (double)clock();
}
double omp_get_wtick(void) {
  return 1e-6;
}

/* A lock of the program has room for a pointer. */
static void make_lock(void **lock, int type) {
  pthread_mutex_t *m = malloc(sizeof *m + sizeof(int));
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_settype(&attributes, type);
  pthread_mutex_init(m, &attributes);
  pthread_mutexattr_destroy(&attributes);
  *(int *)(m + 1) = 0;
  *lock = m;
}

/* Like critical regions: each team of a league has its own. */
static void *in_this_team(void **lock) {
  int n = self()->team->league_number;
  return n ? find_lock((char *)*lock + n) : *lock;
}
static void *nestable(void **lock) {
  if (self()->team->league_size > 1)
    openmp_nestable_lock_in_a_league();
  return *lock;
}

void omp_init_lock(void **lock) {
  make_lock(lock, PTHREAD_MUTEX_NORMAL);
}
void omp_init_lock_with_hint(void **lock, int hint) {
  make_lock(lock, PTHREAD_MUTEX_NORMAL);
}
void omp_init_nest_lock(void **lock) {
  make_lock(lock, PTHREAD_MUTEX_RECURSIVE);
}
void omp_destroy_lock(void **lock) {
  pthread_mutex_destroy(*lock);
  free(*lock);
}
void omp_destroy_nest_lock(void **lock) {
  omp_destroy_lock(lock);
}
void omp_set_lock(void **lock) {
  pthread_mutex_lock(in_this_team(lock));
}
void omp_unset_lock(void **lock) {
  pthread_mutex_unlock(in_this_team(lock));
}
int omp_test_lock(void **lock) {
  return pthread_mutex_trylock(in_this_team(lock)) == 0;
}
void omp_set_nest_lock(void **lock) {
  pthread_mutex_lock(nestable(lock));
  ++*(int *)((pthread_mutex_t *)*lock + 1);
}
void omp_unset_nest_lock(void **lock) {
  --*(int *)((pthread_mutex_t *)*lock + 1);
  pthread_mutex_unlock(*lock);
}
int omp_test_nest_lock(void **lock) {
  return pthread_mutex_trylock(*lock)
             ? 0
             : ++*(int *)((pthread_mutex_t *)*lock + 1);
}
