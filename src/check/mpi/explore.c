/* SPDX-License-Identifier: MIT */
/* Every interleaving of an MPI program: hd_mpi_explore without any reduction,
 * hd_mpi_decide up to the first violation and with one.
 *
 * A depth-first search over the states of the machine; a state is known by two
 * hashes of its bytes, 128 bits. It ends when all states have been seen, or at a
 * limit; a program with infinitely many states (messages that pile up) reaches a
 * limit. hd_mpi_explore looks for potential deadlocks in every state, whatever
 * `potential` says, and goes on behind them.
 *
 * The reduction: when a process can leave a collective call that all have come
 * to, or takes a message and all receives it has posted name their source, then
 * only that move is made. Nobody can take the message away or make the call
 * impossible, no other move of the process is left out, and until it moves the
 * state is no deadlock of any kind, since the move needs no buffer. The others
 * find everything as before, or more of it. A cycle of such moves alone is not
 * possible: each needs something that another process has to bring again. */
#include "base/hash.h"
#include "check/mpi/parts.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  uint64_t a, b;
} key;

typedef struct {
  key *slots; /* a = b = 0: empty */
  size_t size, cap;
} keys;

static bool insert(keys *set, key k);

static void grow(keys *set) {
  keys fresh = {.cap = set->cap ? 2 * set->cap : 1024};
  fresh.slots = hd_calloc(fresh.cap, sizeof *fresh.slots);
  for (size_t i = 0; i < set->cap; i++)
    if (set->slots[i].a | set->slots[i].b)
      insert(&fresh, set->slots[i]);
  hd_free(set->slots);
  *set = fresh;
}

/* False when it is there already. */
static bool insert(keys *set, key k) {
  if (2 * (set->size + 1) > set->cap)
    grow(set);
  size_t i = k.a & (set->cap - 1);
  for (; set->slots[i].a | set->slots[i].b; i = (i + 1) & (set->cap - 1))
    if (set->slots[i].a == k.a && set->slots[i].b == k.b)
      return false;
  set->slots[i] = k;
  set->size++;
  return true;
}

static key key_of(const hd_mpi *mpi) {
  hd_bytes bytes = {0};
  hd_mpi_encode(mpi, &bytes);
  key k = {.a = hd_hash_bytes(bytes.data, bytes.size), .b = 1};
  for (size_t i = 0; i < bytes.size; i += 8) {
    uint64_t word = 0;
    memcpy(&word, bytes.data + i, bytes.size - i < 8 ? bytes.size - i : 8);
    k.b = hd_hash_mix(k.b, word) * 0xD6E8FEB86659FD93u;
  }
  k.b |= 1; /* never the empty one */
  hd_vec_free(&bytes);
  return k;
}

/* How a state was reached. */
typedef struct {
  uint32_t before; /* number of the state before; HD_NO_ID = the first */
  hd_turn turn;
} arrival;

typedef struct {
  hd_mpi *mpi;
  uint32_t arrival;
} open_state;

typedef struct {
  hd_mpi_space *out;
  hd_mpi_options options;
  keys seen;
  hd_vec(open_state) stack;
  hd_vec(arrival) arrivals;
  bool decides;    /* the first violation ends the search */
  uint32_t guilty; /* … the arrival of its state, or HD_NO_ID */
} search;

static void add_outcome(hd_mpi_space *out, const hd_mpi *mpi) {
  hd_str text = {0};
  for (uint32_t p = 0; p < mpi->n; p++)
    hd_str_puts(&text, hd_str_text(&mpi->processes[p].output));
  for (size_t i = 0; i < out->outcomes.size; i++)
    if (!strcmp(out->outcomes.data[i], hd_str_text(&text))) {
      hd_str_free(&text);
      return;
    }
  hd_str_puts(&text, "");
  hd_vec_push(&out->outcomes, hd_str_take(&text));
}

static void incomplete(hd_mpi_space *out, hd_mpi_extent extent,
                       const char *why) {
  assert(extent != HD_MPI_ALL);
  out->complete = false;
  if (out->why)
    return;
  out->extent = extent;
  out->why = hd_strdup(why);
}

/* A state that was not seen before. */
static void look(search *s, const hd_mpi *mpi) {
  s->out->states++;
  if (!s->options.one_result && hd_mpi_has_threads(mpi))
    incomplete(s->out, HD_MPI_LIMIT,
               "the threads of a process ran in two orders only");
  for (size_t i = 0; i < hd_mpi_violations(mpi); i++)
    s->out->violated |= (hd_properties)1 << hd_mpi_violation(mpi, i)->property;
  switch (hd_mpi_status(mpi)) {
  case HD_MACHINE_RUNNING:
    if (hd_mpi_deadlocked(mpi) == HD_MPI_POTENTIAL)
      s->out->potential = true;
    break;
  case HD_MACHINE_DEADLOCK:
    s->out->potential = s->out->absolute = true;
    break;
  case HD_MACHINE_EXITED:
    add_outcome(s->out, mpi);
    break;
  case HD_MACHINE_UNSUPPORTED:
    incomplete(s->out, HD_MPI_REFUSED, hd_mpi_why(mpi));
    break;
  case HD_MACHINE_DIVERGED:
    incomplete(s->out, HD_MPI_LIMIT, hd_mpi_why(mpi));
    break;
  case HD_MACHINE_FAILED:
    if (!hd_mpi_violations(mpi))
      incomplete(s->out, HD_MPI_REFUSED, hd_mpi_why(mpi));
    break;
  case HD_MACHINE_ASSUMED:
    break;
  }
}

static void push(search *s, hd_mpi *mpi, arrival how) {
  if (insert(&s->seen, key_of(mpi))) {
    look(s, mpi);
    uint32_t number = (uint32_t)s->arrivals.size;
    if (s->decides)
      hd_vec_push(&s->arrivals, how);
    if (s->decides && hd_mpi_violations(mpi) && s->guilty == HD_NO_ID)
      s->guilty = number;
    if (hd_mpi_status(mpi) == HD_MACHINE_RUNNING) {
      open_state state = {mpi, number};
      hd_vec_push(&s->stack, state);
      return;
    }
  }
  hd_mpi_delete(mpi);
}

#define MAX_INPUTS 64

/* All values of an input; when there are too many, some that often matter. */
static void add_inputs(search *s, int64_t low, uint64_t count,
                       hd_mpi_choices *out) {
  static const int64_t some[] = {0, 1, 2, -1};
  if (count <= MAX_INPUTS) {
    for (uint64_t i = 0; i < count; i++)
      hd_vec_push(out, i);
    return;
  }
  incomplete(s->out, HD_MPI_LIMIT, "an input has too many values");
  for (size_t i = 0; s->decides && i < sizeof some / sizeof *some; i++) {
    uint64_t choice = (uint64_t)some[i] - (uint64_t)low;
    if (count == UINT64_MAX || choice < count)
      hd_vec_push(out, choice);
  }
}

/* The sizes of teams, their schedules and the order of threads are choices of the
 * model's, in no file of the program: any is as good where there is one result. */
static bool is_settled(const search *s, const hd_mpi *mpi, uint32_t p) {
  hd_edge_id at = hd_mpi_at(mpi, p);
  return s->options.one_result &&
         (hd_mpi_orders(&mpi->processes[p]) ||
          (at != HD_NO_ID && mpi->code->edges.data[at].pos.file == HD_NO_ID));
}

static void make(search *s, const open_state *from, uint32_t p,
                 uint64_t choice) {
  hd_turn turn = {.thread = p, .choice = choice};
  hd_mpi *next = hd_mpi_copy(from->mpi);
  hd_mpi_move(next, turn);
  s->out->moves++;
  push(s, next, (arrival){from->arrival, turn});
}

static void expand(search *s, const open_state *from) {
  const hd_mpi *mpi = from->mpi;
  for (uint32_t p = 0; s->decides && p < mpi->n; p++) {
    hd_mpi_choices moves = {0};
    bool alone = hd_mpi_alone(mpi, p, &moves);
    for (hd_vec_each(uint64_t, choice, &moves))
      make(s, from, p, *choice);
    hd_vec_free(&moves);
    if (alone)
      return;
  }
  uint32_t asks = 0;
  while (s->decides && asks < mpi->n && !hd_mpi_asks(mpi, asks))
    asks++;
  bool one = s->decides && asks < mpi->n; /* its choices, before all others */
  for (uint32_t p = one ? asks : 0; p < (one ? asks + 1 : mpi->n); p++) {
    hd_mpi_choices moves = {0};
    int64_t low;
    uint64_t count;
    if (hd_mpi_input(mpi, p, &low, &count))
      add_inputs(s, low, is_settled(s, mpi, p) ? 1 : count, &moves);
    else
      hd_mpi_moves(mpi, p, &moves);
    for (hd_vec_each(uint64_t, choice, &moves))
      make(s, from, p, *choice);
    hd_vec_free(&moves);
  }
}

static int compare(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void search_all(search *s, const hd_code *code, hd_run *run,
                       uint64_t max_states) {
  s->guilty = HD_NO_ID;
  s->options.observe = NULL;
  push(s, hd_mpi_new(code, &s->options), (arrival){.before = HD_NO_ID});
  while (s->stack.size) {
    open_state state = hd_vec_pop(&s->stack);
    if (run && !hd_run_tick(run))
      incomplete(s->out, HD_MPI_LIMIT, hd_run_why(run));
    else if (max_states && s->out->states > max_states)
      incomplete(s->out, HD_MPI_LIMIT, "too many states");
    else if (s->guilty == HD_NO_ID)
      expand(s, &state);
    hd_mpi_delete(state.mpi);
  }
  hd_vec_free(&s->stack);
  hd_free(s->seen.slots);
}

void hd_mpi_explore(const hd_code *code, const hd_mpi_options *options,
                    hd_run *run, uint64_t max_states, hd_mpi_space *out) {
  *out = (hd_mpi_space){.complete = true};
  search s = {.out = out, .options = *options};
  s.options.potential = false;
  s.options.outputs = true;
  search_all(&s, code, run, max_states);
  if (out->outcomes.size)
    qsort(out->outcomes.data, out->outcomes.size, sizeof *out->outcomes.data,
          compare);
}

void hd_mpi_decide(const hd_code *code, const hd_mpi_options *options,
                   hd_run *run, uint64_t max_states, hd_mpi_space *out,
                   hd_turns *turns) {
  *out = (hd_mpi_space){.complete = true};
  search s = {.out = out, .options = *options, .decides = true};
  s.options.outputs = false;
  s.options.exact = true;
  search_all(&s, code, run, max_states);
  for (uint32_t at = s.guilty; at != HD_NO_ID; at = s.arrivals.data[at].before)
    if (s.arrivals.data[at].before != HD_NO_ID)
      hd_vec_push(turns, s.arrivals.data[at].turn);
  for (size_t i = 0; 2 * i + 1 < turns->size; i++) {
    hd_turn turn = turns->data[i];
    turns->data[i] = turns->data[turns->size - 1 - i];
    turns->data[turns->size - 1 - i] = turn;
  }
  out->found = s.guilty != HD_NO_ID;
  hd_vec_free(&s.arrivals);
}

void hd_mpi_space_free(hd_mpi_space *space) {
  for (size_t i = 0; i < space->outcomes.size; i++)
    hd_free(space->outcomes.data[i]);
  hd_vec_free(&space->outcomes);
  hd_free(space->why);
  *space = (hd_mpi_space){0};
}
