/* SPDX-License-Identifier: MIT */
/* Runs of the MPI machine: random ones, given ones, those that a counterexample
 * describes. */
#include "check/mpi/parts.h"

#define MAX_MOVES 100000

void hd_mpi_run_free(hd_mpi_run *run) {
  hd_free((char *)(uintptr_t)run->violation.message);
  hd_vec_free(&run->turns);
  hd_free(run->why);
  *run = (hd_mpi_run){0};
}

/* Writes down how the machine ended. */
static void conclude(hd_mpi_run *run, const hd_mpi *mpi, hd_properties of) {
  run->status = hd_mpi_status(mpi);
  if (!run->why && *hd_mpi_why(mpi))
    run->why = hd_strdup(hd_mpi_why(mpi));
  for (size_t i = 0; i < hd_mpi_violations(mpi) && !run->violated; i++) {
    const hd_violation *violation = hd_mpi_violation(mpi, i);
    if (!(of >> violation->property & 1))
      continue;
    run->violated = true;
    run->violation = *violation;
    run->violation.message = hd_strdup(violation->message);
  }
}

static bool goes_on(const hd_mpi *mpi) {
  return hd_mpi_status(mpi) == HD_MACHINE_RUNNING;
}

static void make(hd_mpi *mpi, hd_mpi_run *run, hd_turn turn) {
  hd_vec_push(&run->turns, turn);
  hd_mpi_move(mpi, turn);
}

hd_mpi_run hd_mpi_replay(const hd_code *code, const hd_mpi_options *options,
                         const hd_turns *turns) {
  hd_mpi_run run = {0};
  hd_mpi *mpi = hd_mpi_new(code, options);
  for (size_t i = 0; i < turns->size && goes_on(mpi); i++) {
    if (!hd_mpi_possible(mpi, turns->data[i])) {
      hd_str why = {0};
      hd_str_printf(&why,
                    "turn %zu of the schedule, process %u with choice %llu, is "
                    "not possible",
                    i + 1, turns->data[i].thread,
                    (unsigned long long)turns->data[i].choice);
      run.why = hd_str_take(&why);
      break;
    }
    make(mpi, &run, turns->data[i]);
  }
  conclude(&run, mpi, options->checks);
  hd_mpi_delete(mpi);
  return run;
}

/* --- random --- */

static uint64_t next_random(uint64_t *state) {
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

typedef struct {
  uint64_t state;
  const int64_t *inputs;
  size_t n_inputs, used;
  uint32_t last; /* who moved last */
  bool stays;    /* the same process goes on while it can */
} dice;

/* Small numbers are inputs more often than their share. */
static uint64_t choose_input(dice *d, int64_t low, uint64_t count) {
  uint64_t value;
  if (d->used < d->n_inputs)
    value = (uint64_t)d->inputs[d->used++] - (uint64_t)low;
  else if (next_random(&d->state) % 2)
    value = next_random(&d->state) % 16 - (uint64_t)low;
  else
    value = next_random(&d->state);
  return count == UINT64_MAX ? value : value % count;
}

/* One of the moves of a process; false when it has none. */
static bool choose_move(const hd_mpi *mpi, uint32_t p, dice *d, hd_turn *turn) {
  int64_t low;
  uint64_t count;
  *turn = (hd_turn){.thread = p};
  if (hd_mpi_input(mpi, p, &low, &count)) {
    turn->choice = choose_input(d, low, count);
    return true;
  }
  hd_mpi_choices moves = {0};
  hd_mpi_moves(mpi, p, &moves);
  size_t n = moves.size;
  bool rare = mpi->processes[p].before; /* other MPIs than most */
  if (n)
    turn->choice = moves.data[rare && next_random(&d->state) % 4
                                  ? 0
                                  : next_random(&d->state) % n];
  hd_vec_free(&moves);
  return n > 0;
}

static void random_turn(const hd_mpi *mpi, dice *d, hd_turn *turn) {
  if (d->stays && choose_move(mpi, d->last, d, turn))
    return;
  uint32_t start = (uint32_t)(next_random(&d->state) % mpi->n);
  for (uint32_t i = 0; i < mpi->n; i++) {
    d->last = (start + i) % mpi->n;
    if (choose_move(mpi, d->last, d, turn))
      return;
  }
  hd_bug("nobody can move in a run that goes on");
}

hd_mpi_run hd_mpi_random(const hd_code *code, const hd_mpi_options *options,
                         uint64_t seed, const int64_t *inputs, size_t n_inputs,
                         uint64_t max_moves, hd_run *limits) {
  hd_mpi_run run = {0};
  hd_mpi *mpi = hd_mpi_new(code, options);
  dice d = {.state = seed * 2654435761u + 1,
            .inputs = inputs,
            .n_inputs = n_inputs,
            .stays = seed % 3 == 2};
  max_moves = max_moves ? max_moves : MAX_MOVES;
  for (uint64_t i = 0; goes_on(mpi); i++) {
    hd_turn turn;
    if (i == max_moves) {
      run.why = hd_strdup("the run is cut off: too many moves");
      break;
    }
    if (limits && !hd_run_tick(limits)) {
      run.why = hd_strdup(hd_run_why(limits));
      break;
    }
    random_turn(mpi, &d, &turn);
    make(mpi, &run, turn);
  }
  conclude(&run, mpi, options->checks);
  hd_mpi_delete(mpi);
  return run;
}

/* --- counterexamples --- */

/* Where the steps of each process have got to. */
typedef struct {
  const hd_mpi_steps *steps;
  size_t *at; /* the next step of each process */
  dice d;
} guide;

/* The next step of the process that is about where it stands; `at` moves behind
 * it. Steps about other places are skipped: they are no moves here. */
static const hd_mpi_step *step_here(const hd_mpi *mpi, guide *g, uint32_t p) {
  hd_edge_id edge = hd_mpi_at(mpi, p);
  for (size_t i = g->at[p]; i < g->steps->size; i++)
    if (g->steps->data[i].process == p && g->steps->data[i].edge == edge) {
      g->at[p] = i;
      return &g->steps->data[i];
    }
  return NULL;
}

/* The move of a process that its step asks for, else its first one. False when
 * it has none, or none of the source that is asked for. */
static bool guided_move(const hd_mpi *mpi, guide *g, uint32_t p, bool random,
                        hd_turn *turn) {
  int64_t low;
  uint64_t count;
  const hd_mpi_step *step = step_here(mpi, g, p);
  *turn = (hd_turn){.thread = p};
  if (hd_mpi_input(mpi, p, &low, &count)) {
    turn->choice =
        step && step->input ? (uint64_t)step->value - (uint64_t)low : 0;
    if (count != UINT64_MAX)
      turn->choice %= count;
    return true;
  }
  hd_mpi_choices moves = {0};
  hd_mpi_moves(mpi, p, &moves);
  bool found = false;
  size_t n = moves.size;
  if (n && step && step->source != HD_NO_ID) {
    for (size_t i = 0; i < n && !found; i++)
      if ((uint32_t)moves.data[i] == step->source + 1 || moves.data[i] == 0 ||
          (uint32_t)moves.data[i] > mpi->n) {
        turn->choice = moves.data[i];
        found = true;
      }
  } else if (n) {
    turn->choice = moves.data[random ? next_random(&g->d.state) % n : 0];
    found = true;
  }
  hd_vec_free(&moves);
  return found;
}

/* A process has moved from where its step was about. */
static void pass(const hd_mpi *mpi, guide *g, uint32_t p, hd_edge_id edge) {
  if (hd_mpi_at(mpi, p) == edge && mpi->processes[p].at_call &&
      (mpi->processes[p].sent || mpi->processes[p].received))
    return; /* in the middle of a call */
  if (g->at[p] < g->steps->size && g->steps->data[g->at[p]].process == p &&
      g->steps->data[g->at[p]].edge == edge)
    g->at[p]++;
}

/* One run along the steps; `random`: only sources and inputs are followed, not
 * the order. */
static hd_mpi_run follow(const hd_code *code, const hd_mpi_options *options,
                         const hd_mpi_steps *steps, hd_properties of,
                         uint64_t seed, bool random) {
  hd_mpi_run run = {0};
  hd_mpi *mpi = hd_mpi_new(code, options);
  guide g = {.steps = steps, .d = {.state = seed * 7919 + 3}};
  g.at = hd_calloc(mpi->n, sizeof *g.at);
  size_t next = 0; /* in the order of all */
  for (uint64_t i = 0; goes_on(mpi) && i < MAX_MOVES; i++) {
    hd_turn turn = {0};
    bool found = false;
    while (!random && next < steps->size && !found) {
      uint32_t p = steps->data[next].process;
      if (p < mpi->n && g.at[p] <= next &&
          hd_mpi_at(mpi, p) == steps->data[next].edge)
        found = guided_move(mpi, &g, p, false, &turn);
      next += !found || g.at[p] <= next;
    }
    uint32_t start = random ? (uint32_t)(next_random(&g.d.state) % mpi->n) : 0;
    for (uint32_t k = 0; k < mpi->n && !found; k++)
      found = guided_move(mpi, &g, (start + k) % mpi->n, random, &turn);
    if (!found) { /* nobody can do what is asked for: any move */
      random_turn(mpi, &g.d, &turn);
      int64_t low;
      uint64_t count;
      assert(!hd_mpi_input(mpi, turn.thread, &low, &count));
      (void)low;
      (void)count;
    }
    hd_edge_id edge = hd_mpi_at(mpi, turn.thread);
    make(mpi, &run, turn);
    pass(mpi, &g, turn.thread, edge);
  }
  conclude(&run, mpi, of);
  hd_free(g.at);
  hd_mpi_delete(mpi);
  return run;
}

hd_mpi_run hd_mpi_confirm(const hd_code *code, const hd_mpi_options *options,
                          const hd_mpi_steps *steps, hd_properties of,
                          uint64_t tries) {
  hd_mpi_run run = follow(code, options, steps, of, 0, false);
  for (uint64_t i = 1; i <= tries && !run.violated; i++) {
    hd_mpi_run_free(&run);
    run = follow(code, options, steps, of, i, true);
  }
  return run;
}
