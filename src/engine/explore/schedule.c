/* SPDX-License-Identifier: MIT */
/* Strategies.
 *
 * PRIORITIES is PCT (Burckhardt, Kothari, Musuvathi, Nagarakatte, ASPLOS 2010):
 * threads get random priorities, the highest one that can move does, and at d
 * random steps of the run the thread that moves falls below all others. A bug
 * that needs d + 1 orderings is found with probability at least 1 / (n k^d) for n
 * threads and k steps. TURNS lets a thread go on until it waits and interrupts it
 * at d random steps. RACES picks accesses that meet accesses of other threads,
 * plain ones in particular, and holds threads right before or behind them for a
 * while, short or long, so that the others come in between. ROUNDS gives every thread its turn, for as many moves or as
 * many writes as this run grants, but for those that fall behind all others, at d
 * random steps: what happens only if threads alternate strictly is found by that
 * and hardly by chance. WALK tosses a coin at each step.
 * SPEEDS tosses one, too, but threads have speeds, up to a thousand times apart, which
 * change now and then: between two steps of a slow one others do whole rounds of
 * what they do.
 *
 * Steps are moves that others can notice: a thread before a local action always
 * goes on. A thread that only reads for long while others could move waits for
 * them in a loop: it has to let them go on, or the run would not end. So does one
 * that calls sched_yield or sleeps. And one that has been at the same few places for long, and
 * written to none but one of them, spins: it rests, longer each time, while there are
 * others and nobody writes where it looked; or a hundred threads at a spin lock would
 * do nothing else.
 *
 * In every second run what is chosen by chance is what kind of thread goes on, by the
 * function it began with, and then which: beside a hundred readers a writer would
 * come to nothing.
 *
 * When main returns or somebody calls exit, the others are gone and what they
 * could still do wrong is not seen: in every second run that waits until nobody
 * else can move. */
#include "engine/explore/schedule.h"

#include "base/hash.h"
#include "model/calls.h"

#define HOLDS 3
#define CHANGES_MOST 32
#define ALONE_MOST 2000
#define QUANTUM_MOST 4
#define LOOKS 4
#define SPEEDS 11     /* each twice as fast */
#define LASTS_LEAST 3 /* in doublings: for how many moves */
#define LASTS_MOST 13

/* A stretch of 8 bytes and who has been seen there. */
typedef struct {
  hd_tid thread;
  bool shared, written;
} cell;

#define HD_MAP cell_map
#define HD_KEY uint64_t
#define HD_VAL cell
#define HD_HASH(k) hd_hash_mix(0, k)
#define HD_EQ(a, b) ((a) == (b))
#include "base/map_templ.h"

typedef struct {
  uint64_t priority;
  uint32_t role;    /* into roles */
  uint32_t reads;   /* moves without a plain write since it got the turn */
  uint32_t alone;   /* all its moves since then */
  uint32_t used;    /* moves, or writes, of its turn; ROUNDS */
  bool behind;      /* moves only when nobody else can; ROUNDS */
  uint32_t speed;   /* SPEEDS */
  uint64_t written; /* where it wrote last */
  uint32_t idle;    /* moves since it wrote elsewhere */
  uint32_t spins;   /* how often that was too long */
  uint64_t rests;   /* up to this step */
  uint64_t looked[LOOKS]; /* at what, last */
  uint32_t when[LOOKS];   /* in moves of its own, of which there are so many: */
  uint32_t own;
  uint32_t n_looked;
  uint64_t moved;   /* its last step */
  uint64_t held_to; /* step before which it does not move; RACES */
  bool passed;      /* the hold is over: do not hold it here again */
} thread_info;

/* Threads that began with the same function. */
typedef struct {
  hd_func_id start;
  hd_u32s living; /* may have some that have ended */
} role;

struct hd_scheduler {
  const hd_code *code;
  hd_rng rng;
  hd_strategy strategy;
  bool *ends;       /* by edge: ends the run */
  bool *yields;     /* by edge: lets others go first */
  bool *hot;        /* by edge: meets accesses of others */
  hd_u32s hots;     /* the edges that are */
  hd_u32s plain;    /* … and not atomic */
  cell_map cells;   /* of all runs */
  uint64_t longest; /* steps of the longest run */
  /* of this run */
  hd_vec(thread_info) threads;
  hd_u32s able; /* scratch: threads that can move, a sample if they are many */
  hd_u32s living;  /* may have some that have ended */
  hd_u32s resting; /* may have some that do not any more, or twice */
  uint64_t steps;
  uint64_t changes[CHANGES_MOST]; /* steps at which something changes */
  uint32_t n_changes;
  hd_edge_id holds[HOLDS];
  bool behind[HOLDS]; /* hold it after the access */
  uint32_t n_holds;
  uint64_t lowest; /* priorities given by changes go down from here */
  uint32_t patience;
  uint32_t quantum;     /* ROUNDS */
  uint32_t speed_lasts; /* moves; SPEEDS */
  bool sparse;          /* most threads are slow; SPEEDS */
  bool counts_writes;   /* … of these, not of all moves */
  hd_vec(role) roles;   /* as their threads were met */
  bool by_role;         /* chance chooses a role first */
  bool ends_last;       /* the end of the run waits for everybody else */
  hd_tid current;
};

static bool calls(const hd_code *code, const hd_cedge *edge,
                  hd_library_kind kind) {
  return hd_library_kind_of(hd_call_of(code, edge)) == kind;
}

/* Ends the run: others may want to go first. */
static bool is_end(const hd_code *code, const hd_cedge *edge) {
  return edge->act == HD_CODE_RETURN || calls(code, edge, HD_LIBRARY_EXIT);
}

hd_scheduler *hd_scheduler_new(const hd_code *code, uint64_t seed) {
  hd_scheduler *s = hd_calloc(1, sizeof *s);
  s->code = code;
  s->rng = hd_rng_new(seed);
  s->yields = hd_calloc(code->edges.size + 1, sizeof *s->yields);
  s->ends = hd_calloc(code->edges.size + 1, sizeof *s->ends);
  s->hot = hd_calloc(code->edges.size + 1, sizeof *s->hot);
  for (size_t i = 0; i < code->edges.size; i++) {
    s->yields[i] = calls(code, &code->edges.data[i], HD_LIBRARY_SLEEP);
    s->ends[i] = is_end(code, &code->edges.data[i]);
  }
  return s;
}

void hd_scheduler_delete(hd_scheduler *s) {
  hd_free(s->yields);
  hd_free(s->ends);
  hd_free(s->hot);
  hd_vec_free(&s->hots);
  hd_vec_free(&s->plain);
  cell_map_free(&s->cells);
  for (hd_vec_each(role, r, &s->roles))
    hd_vec_free(&r->living);
  hd_vec_free(&s->roles);
  hd_vec_free(&s->threads);
  hd_vec_free(&s->able);
  hd_vec_free(&s->living);
  hd_vec_free(&s->resting);
  hd_free(s);
}

hd_rng *hd_scheduler_rng(hd_scheduler *s) {
  return &s->rng;
}

static void forget_roles(hd_scheduler *s) {
  for (hd_vec_each(role, r, &s->roles))
    hd_vec_free(&r->living);
  hd_vec_clear(&s->roles);
}

static void choose_holds(hd_scheduler *s) {
  assert(s->plain.size <= s->hots.size); /* each of them is hot */
  s->n_holds = 0;
  if (s->strategy != HD_STRATEGY_RACES || !s->hots.size)
    return;
  s->n_holds = 1 + (uint32_t)hd_rng_below(&s->rng, HOLDS);
  for (uint32_t i = 0; i < s->n_holds; i++) {
    bool plain = s->plain.size && hd_rng_once_in(&s->rng, 2);
    const hd_u32s *from = plain ? &s->plain : &s->hots;
    s->holds[i] = from->data[hd_rng_below(&s->rng, from->size)];
    s->behind[i] = hd_rng_once_in(&s->rng, 2);
  }
}

void hd_scheduler_start(hd_scheduler *s, hd_strategy strategy, uint32_t depth) {
  assert(strategy != HD_STRATEGY_MIX);
  s->strategy = strategy;
  hd_vec_clear(&s->threads);
  hd_vec_clear(&s->living);
  hd_vec_clear(&s->resting);
  forget_roles(s);
  s->by_role = hd_rng_once_in(&s->rng, 2);
  s->steps = 0;
  s->n_changes = depth < CHANGES_MOST ? depth : CHANGES_MOST;
  for (uint32_t i = 0; i < s->n_changes; i++)
    s->changes[i] = 1 + hd_rng_below(&s->rng, s->longest + 1);
  choose_holds(s);
  s->lowest = (uint64_t)1 << 32;
  s->patience = 8 + (uint32_t)hd_rng_below(&s->rng, 120);
  s->quantum = 1 + (uint32_t)hd_rng_below(&s->rng, QUANTUM_MOST);
  s->sparse = hd_rng_once_in(&s->rng, 2);
  s->speed_lasts =
      1u << (LASTS_LEAST + hd_rng_below(&s->rng, LASTS_MOST - LASTS_LEAST));
  s->counts_writes = hd_rng_once_in(&s->rng, 2);
  s->ends_last = hd_rng_once_in(&s->rng, 2);
  s->current = HD_NO_ID;
}

void hd_scheduler_end(hd_scheduler *s) {
  /* Runs cut off by the limit would only dilute the changes. */
  uint64_t most = 5000 + 10 * (uint64_t)s->threads.size;
  if (s->steps > s->longest)
    s->longest = s->steps < most ? s->steps : most;
}

/* --- what is seen --- */

static uint32_t role_of(hd_scheduler *s, const hd_machine *machine,
                        hd_tid thread) {
  assert(thread < hd_machine_threads(machine));
  hd_func_id start;
  uint64_t arg;
  hd_machine_start_of(machine, thread, &start, &arg);
  uint32_t at = 0;
  while (at < s->roles.size && s->roles.data[at].start != start)
    at++;
  if (at == s->roles.size)
    hd_vec_push(&s->roles, ((role){.start = start}));
  hd_vec_push(&s->roles.data[at].living, thread);
  return at;
}

/* In a sparse run few threads go on, and the others wait for them. */
static uint32_t draw_speed(hd_scheduler *s) {
  enum { FEW = 16 };
  return s->sparse && !hd_rng_once_in(&s->rng, FEW)
             ? 0
             : (uint32_t)hd_rng_below(&s->rng, SPEEDS);
}

static void meet_threads(hd_scheduler *s, const hd_machine *machine) {
  while (s->threads.size < hd_machine_threads(machine)) {
    thread_info info = {.priority = ((uint64_t)1 << 33) +
                                    hd_rng_below(&s->rng, (uint64_t)1 << 32),
                        .speed = draw_speed(s),
                        .role = role_of(s, machine, (hd_tid)s->threads.size)};
    hd_vec_push(&s->living, (hd_tid)s->threads.size);
    hd_vec_push(&s->threads, info);
  }
}

/* Does the thread's next move end the run of all? */
static bool ends_run(const hd_scheduler *s, const hd_machine *machine,
                     hd_tid thread) {
  hd_edge_id edge = hd_machine_access(machine, thread).edge;
  assert(edge < s->code->edges.size);
  return s->ends[edge] &&
         (!thread || s->code->edges.data[edge].act != HD_CODE_RETURN);
}

static void list_all(hd_scheduler *s, const hd_machine *machine) {
  hd_vec_clear(&s->able);
  size_t kept = 0;
  for (size_t i = 0; i < s->living.size; i++) {
    hd_tid t = s->living.data[i];
    if (!hd_machine_alive(machine, t))
      continue;
    s->living.data[kept++] = t;
    if (hd_machine_enabled(machine, t))
      hd_vec_push(&s->able, t);
  }
  s->living.size = kept;
}

static bool rests(const hd_scheduler *s, hd_tid thread) {
  assert(thread < s->threads.size);
  return s->threads.data[thread].rests > s->steps;
}

/* Any living thread, HD_NO_ID where chance met one that is not. */
static hd_tid any_living(hd_scheduler *s, const hd_machine *machine) {
  hd_u32s *from = &s->living;
  if (s->by_role)
    from = &s->roles.data[hd_rng_below(&s->rng, s->roles.size)].living;
  if (!from->size)
    return HD_NO_ID;
  size_t at = hd_rng_below(&s->rng, from->size);
  hd_tid t = from->data[at];
  if (hd_machine_alive(machine, t))
    return t;
  from->data[at] = hd_vec_last(from);
  from->size--;
  return HD_NO_ID;
}

/* Some of those that can move, the current one among them; where a run changes
 * threads seldom and nothing is due, that one alone. */
static void list_some(hd_scheduler *s, const hd_machine *machine, bool stays) {
  enum { SOME = 8, TRIES = 24 };
  hd_vec_clear(&s->able);
  hd_tid now = s->current;
  if (now != HD_NO_ID && !rests(s, now) && hd_machine_alive(machine, now) &&
      hd_machine_enabled(machine, now))
    hd_vec_push(&s->able, now);
  for (int i = 0; i < TRIES && s->able.size < (stays ? 1 : SOME); i++) {
    hd_tid t = any_living(s, machine);
    if (t != HD_NO_ID && t != now && !rests(s, t) &&
        hd_machine_enabled(machine, t))
      hd_vec_push(&s->able, t);
  }
}

static uint64_t speed_of(const hd_scheduler *s, hd_tid thread) {
  assert(s->threads.data[thread].speed < SPEEDS);
  return (uint64_t)1 << s->threads.data[thread].speed;
}

/* One of those that can move, the faster the likelier. */
static void list_fast(hd_scheduler *s, const hd_machine *machine) {
  enum { TRIES = 60 };
  hd_vec_clear(&s->able);
  for (int i = 0; i < TRIES && !s->able.size; i++) {
    hd_tid t = any_living(s, machine);
    if (t != HD_NO_ID &&
        hd_rng_below(&s->rng, (uint64_t)1 << (SPEEDS - 1)) < speed_of(s, t) &&
        !rests(s, t) && hd_machine_enabled(machine, t))
      hd_vec_push(&s->able, t);
  }
}

/* Those that end the run are left out while there are others. */
static void leave_ends(hd_scheduler *s, const hd_machine *machine) {
  size_t kept = 0;
  for (size_t i = 0; s->ends_last && i < s->able.size; i++)
    if (!ends_run(s, machine, s->able.data[i]))
      s->able.data[kept++] = s->able.data[i];
  s->able.size = s->ends_last ? kept : s->able.size;
}

/* Those that spin are left out while there are others; else the next one that has
 * rested long enough goes on. */
static void leave_spinning(hd_scheduler *s) {
  assert(s->able.size > 0);
  size_t kept = 0;
  hd_tid first = s->able.data[0];
  for (size_t i = 0; i < s->able.size; i++) {
    hd_tid t = s->able.data[i];
    if (s->threads.data[t].rests < s->threads.data[first].rests)
      first = t;
    if (!rests(s, t))
      s->able.data[kept++] = t;
  }
  if (!kept)
    s->able.data[kept++] = first;
  s->able.size = kept;
}

static void list_able(hd_scheduler *s, const hd_machine *machine, bool stays) {
  if (s->living.size > HD_MANY_THREADS) {
    if (s->strategy == HD_STRATEGY_SPEEDS)
      list_fast(s, machine);
    else
      list_some(s, machine, stays);
    leave_ends(s, machine);
    if (s->able.size)
      return;
  }
  list_all(s, machine);
  size_t n = s->able.size;
  leave_ends(s, machine);
  if (!s->able.size && n)
    list_all(s, machine);
}

static void heat(hd_scheduler *s, const hd_access *a) {
  assert(a->edge < s->code->edges.size);
  if (s->hot[a->edge])
    return;
  s->hot[a->edge] = true;
  hd_vec_push(&s->hots, a->edge);
  if (a->memory && !a->atomic)
    hd_vec_push(&s->plain, a->edge);
}

/* For how long a thread is held: of all orders of magnitude. */
static uint64_t hold_steps(hd_scheduler *s) {
  enum { LEAST = 3, MOST = 13 };
  uint64_t most = (uint64_t)1
                  << (LEAST + hd_rng_below(&s->rng, MOST - LEAST + 1));
  return 1 + hd_rng_below(&s->rng, most);
}

/* The access that is about to be made: does it meet another thread's? */
static void learn(hd_scheduler *s, hd_tid thread, const hd_access *a) {
  if (a->local || (!a->memory && !a->sync))
    return;
  uint64_t key = a->memory ? a->address / 8 : a->sync / 8;
  bool fresh, writes = a->writes || !a->memory;
  cell *c = cell_map_put(&s->cells, key, (cell){.thread = thread}, &fresh);
  c->shared = c->shared || c->thread != thread;
  c->written = c->written || writes;
  if (c->shared && c->written)
    heat(s, a);
}

/* --- choosing --- */

static hd_tid any_able(hd_scheduler *s) {
  assert(s->able.size > 0);
  if (!s->by_role || s->roles.size < 2)
    return s->able.data[hd_rng_below(&s->rng, s->able.size)];
  uint32_t next = (uint32_t)hd_rng_below(&s->rng, s->roles.size);
  size_t n = 0;
  for (size_t i = 0; i < s->able.size; i++)
    n += s->threads.data[s->able.data[i]].role == next;
  size_t at = hd_rng_below(&s->rng, n ? n : s->able.size), i = 0;
  while (n && (s->threads.data[s->able.data[i]].role != next || at--))
    i++;
  return s->able.data[n ? i : at];
}

/* Any but the current one, if there is another. */
static hd_tid any_other(hd_scheduler *s) {
  hd_tid t = any_able(s);
  for (int i = 0; i < 8 && t == s->current; i++)
    t = any_able(s);
  return t;
}

static bool is_able(const hd_scheduler *s, hd_tid thread) {
  for (size_t i = 0; i < s->able.size; i++)
    if (s->able.data[i] == thread)
      return true;
  return false;
}

static bool changes_now(const hd_scheduler *s) {
  for (uint32_t i = 0; i < s->n_changes; i++)
    if (s->changes[i] == s->steps)
      return true;
  return false;
}

static hd_tid highest(const hd_scheduler *s) {
  assert(s->able.size > 0);
  hd_tid best = s->able.data[0];
  for (size_t i = 1; i < s->able.size; i++)
    if (s->threads.data[s->able.data[i]].priority >
        s->threads.data[best].priority)
      best = s->able.data[i];
  return best;
}

static hd_tid pick_by_priority(hd_scheduler *s, bool waits) {
  if ((waits || changes_now(s)) && s->current != HD_NO_ID)
    s->threads.data[s->current].priority = --s->lowest;
  return highest(s);
}

static hd_tid pick_turns(hd_scheduler *s, bool waits) {
  if (s->current == HD_NO_ID)
    return s->able.data[0];
  if (waits || changes_now(s) || !is_able(s, s->current))
    return any_other(s);
  return s->current;
}

/* The current thread, or who has waited longest. */
static hd_tid pick_rounds(hd_scheduler *s, bool waits) {
  if (s->current == HD_NO_ID)
    return s->able.data[0];
  thread_info *info = &s->threads.data[s->current];
  info->behind = info->behind || changes_now(s);
  size_t kept = 0;
  for (size_t i = 0; i < s->able.size; i++)
    if (!s->threads.data[s->able.data[i]].behind)
      s->able.data[kept++] = s->able.data[i];
  if (kept)
    s->able.size = kept;
  if (!waits && info->used < s->quantum && is_able(s, s->current))
    return s->current;
  info->used = 0;
  hd_tid next = s->able.data[0];
  for (size_t i = 1; i < s->able.size; i++)
    if (s->threads.data[s->able.data[i]].moved < s->threads.data[next].moved)
      next = s->able.data[i];
  return next;
}

static hd_tid pick_by_speed(hd_scheduler *s) {
  assert(s->able.size > 0);
  uint64_t sum = 0;
  for (size_t i = 0; i < s->able.size; i++)
    sum += speed_of(s, s->able.data[i]);
  uint64_t at = hd_rng_below(&s->rng, sum);
  size_t i = 0; /* (of many threads there is one here) */
  while (at >= speed_of(s, s->able.data[i]))
    at -= speed_of(s, s->able.data[i++]);
  thread_info *info = &s->threads.data[s->able.data[i]];
  if (hd_rng_once_in(&s->rng, s->speed_lasts))
    info->speed = draw_speed(s);
  return s->able.data[i];
}

/* The thread stands before an access, or came from one, at which this run holds
 * threads. */
static bool hold_here(const hd_scheduler *s, hd_edge_id next, hd_edge_id past) {
  for (uint32_t i = 0; i < s->n_holds; i++)
    if (s->holds[i] == (s->behind[i] ? past : next))
      return true;
  return false;
}

static hd_tid pick_races(hd_scheduler *s, bool waits) {
  assert(s->strategy == HD_STRATEGY_RACES);
  size_t kept = 0;
  for (size_t i = 0; i < s->able.size; i++)
    if (s->threads.data[s->able.data[i]].held_to <= s->steps)
      s->able.data[kept++] = s->able.data[i];
  if (kept)
    s->able.size = kept;
  /* Else everyone is held: let anyone go. */
  return hd_rng_once_in(&s->rng, 8) ? any_able(s) : pick_turns(s, waits);
}

/* The current thread reads and reads, or offers to wait. */
static bool lets_others(hd_scheduler *s) {
  if (s->current == HD_NO_ID || s->able.size < 2)
    return false;
  thread_info *info = &s->threads.data[s->current];
  if (info->reads < s->patience)
    return false;
  info->reads = 0;
  return true;
}

/* Does the current thread go on, if it can? */
static bool stays(const hd_scheduler *s) {
  return (s->strategy == HD_STRATEGY_PRIORITIES ||
          s->strategy == HD_STRATEGY_TURNS) &&
         s->current != HD_NO_ID && !changes_now(s) &&
         s->threads.data[s->current].reads < s->patience;
}

static hd_tid choose(hd_scheduler *s) {
  bool waits = s->strategy != HD_STRATEGY_SPEEDS && lets_others(s);
  switch (s->strategy) {
  case HD_STRATEGY_PRIORITIES:
    return pick_by_priority(s, waits);
  case HD_STRATEGY_TURNS:
    return pick_turns(s, waits);
  case HD_STRATEGY_RACES:
    return pick_races(s, waits);
  case HD_STRATEGY_ROUNDS:
    return pick_rounds(s, waits);
  case HD_STRATEGY_SPEEDS:
    return pick_by_speed(s);
  case HD_STRATEGY_WALK:
  case HD_STRATEGY_MIX:
  case HD_STRATEGY_COUNT:
    break;
  }
  return any_able(s);
}

/* RACES: holds threads that stand where this run holds them; true when `thread`
 * is held now. */
static bool hold(hd_scheduler *s, const hd_machine *machine, hd_tid thread) {
  assert(thread < s->threads.size);
  thread_info *info = &s->threads.data[thread];
  if (!s->n_holds || s->able.size < 2 || info->passed)
    return false;
  if (!hold_here(s, hd_machine_access(machine, thread).edge, HD_NO_ID))
    return false;
  info->held_to = s->steps + hold_steps(s);
  info->passed = true;
  return true;
}

/* What others look at has changed. */
static void rouse(hd_scheduler *s, uint64_t where) {
  size_t kept = 0;
  for (size_t i = 0; i < s->resting.size; i++) {
    thread_info *info = &s->threads.data[s->resting.data[i]];
    bool seen = false;
    for (int k = 0; k < LOOKS; k++)
      seen = seen || (info->looked[k] == where &&
                      info->own - info->when[k] < 2 * LOOKS);
    if (seen)
      info->rests = info->spins = 0;
    else if (info->rests > s->steps)
      s->resting.data[kept++] = s->resting.data[i];
  }
  s->resting.size = kept;
}

/* Has it been here a moment ago? */
static bool looks_again(thread_info *info, uint64_t where) {
  info->own++;
  for (int k = 0; k < LOOKS; k++)
    if (info->looked[k] == where) {
      info->when[k] = info->own;
      return true;
    }
  uint32_t oldest = info->n_looked++ % LOOKS;
  info->looked[oldest] = where;
  info->when[oldest] = info->own;
  return false;
}

static void watch_spinning(hd_scheduler *s, hd_tid thread, const hd_access *a) {
  assert(thread < s->threads.size);
  enum { LONGEST = 8 }; /* in doublings */
  thread_info *info = &s->threads.data[thread];
  uint64_t where = a->memory ? a->address : a->sync;
  bool writes = (a->writes && !a->fails) || !a->memory;
  bool again = looks_again(info, where);
  if (writes && where != info->written) {
    info->written = where;
    again = false;
    if (where) /* what has no place nobody looks at */
      rouse(s, where);
  }
  if (!again) {
    info->idle = info->spins = 0;
  } else if (++info->idle > s->patience) {
    info->idle = 0;
    info->rests = s->steps + ((uint64_t)s->patience << 2 * info->spins);
    info->spins += info->spins < LONGEST;
    hd_vec_push(&s->resting, thread);
  }
}

static void account(hd_scheduler *s, hd_tid thread, const hd_access *a) {
  assert(thread < s->threads.size);
  thread_info *info = &s->threads.data[thread];
  info->moved = ++s->steps;
  if (thread != s->current && s->current != HD_NO_ID)
    s->threads.data[s->current].reads = 0;
  bool progress = a->memory && a->writes && !a->atomic;
  info->reads = progress ? 0 : info->reads + 1;
  info->alone = thread == s->current ? info->alone + 1 : 0;
  info->used += !s->counts_writes || a->writes || !a->memory;
  if (s->yields[a->edge] || info->alone > ALONE_MOST)
    info->reads = s->patience;
  info->passed = false;
  watch_spinning(s, thread, a);
  if (hold_here(s, HD_NO_ID, a->edge) && s->able.size > 1)
    info->held_to = s->steps + hold_steps(s);
  s->current = thread;
}

/* The current thread goes on with what only it can notice. */
static bool continues(const hd_scheduler *s, const hd_machine *machine) {
  if (s->current == HD_NO_ID || !hd_machine_alive(machine, s->current) ||
      !hd_machine_enabled(machine, s->current))
    return false;
  hd_access access = hd_machine_access(machine, s->current);
  return access.local && !s->yields[access.edge] && !s->ends[access.edge];
}

hd_tid hd_scheduler_pick(hd_scheduler *s, const hd_machine *machine) {
  if (continues(s, machine))
    return s->current;
  meet_threads(s, machine);
  list_able(s, machine, stays(s));
  if (!s->able.size)
    return HD_NO_ID;
  leave_spinning(s);
  hd_tid thread = choose(s);
  if (hold(s, machine, thread))
    thread = pick_races(s, false);
  assert(is_able(s, thread));
  hd_access access = hd_machine_access(machine, thread);
  learn(s, thread, &access);
  account(s, thread, &access);
  return thread;
}
