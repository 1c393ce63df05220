/* SPDX-License-Identifier: MIT */
/* Every interleaving of an MPI program, without any reduction.
 *
 * A depth-first search over the states of the machine; a state is known by two
 * hashes of its bytes, 128 bits. It ends when all states have been seen, or at a
 * limit; a program with infinitely many states (messages that pile up) reaches a
 * limit. Potential deadlocks are looked for in every state, whatever `potential`
 * says, and the search goes on behind them. */
#include "base/hash.h"
#include "check/mpi/state.h"

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

typedef struct {
  hd_mpi_space *out;
  hd_mpi_options options;
  keys seen;
  hd_vec(hd_mpi *) stack;
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

static void incomplete(hd_mpi_space *out, const char *why) {
  out->complete = false;
  if (!out->why)
    out->why = hd_strdup(why);
}

/* A state that was not seen before. */
static void look(search *s, const hd_mpi *mpi) {
  s->out->states++;
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
  case HD_MACHINE_DIVERGED:
    incomplete(s->out, hd_mpi_why(mpi));
    break;
  case HD_MACHINE_FAILED:
    if (!hd_mpi_violations(mpi))
      incomplete(s->out, hd_mpi_why(mpi));
    break;
  case HD_MACHINE_ASSUMED:
    break;
  }
}

static void push(search *s, hd_mpi *mpi) {
  if (insert(&s->seen, key_of(mpi))) {
    look(s, mpi);
    if (hd_mpi_status(mpi) == HD_MACHINE_RUNNING) {
      hd_vec_push(&s->stack, mpi);
      return;
    }
  }
  hd_mpi_delete(mpi);
}

#define MAX_INPUTS 64

static void expand(search *s, const hd_mpi *mpi) {
  for (uint32_t p = 0; p < mpi->n; p++) {
    hd_mpi_choices moves = {0};
    int64_t low;
    uint64_t count;
    if (hd_mpi_input(mpi, p, &low, &count)) {
      if (count > MAX_INPUTS)
        incomplete(s->out, "an input has too many values");
      else
        for (uint64_t i = 0; i < count; i++)
          hd_vec_push(&moves, i);
    } else {
      hd_mpi_moves(mpi, p, &moves);
    }
    for (hd_vec_each(uint64_t, choice, &moves)) {
      hd_mpi *next = hd_mpi_copy(mpi);
      hd_mpi_move(next, (hd_turn){.thread = p, .choice = *choice});
      s->out->moves++;
      push(s, next);
    }
    hd_vec_free(&moves);
  }
}

static int compare(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

void hd_mpi_explore(const hd_code *code, const hd_mpi_options *options,
                    hd_run *run, uint64_t max_states, hd_mpi_space *out) {
  *out = (hd_mpi_space){.complete = true};
  search s = {.out = out, .options = *options};
  s.options.observe = NULL;
  s.options.potential = false;
  s.options.outputs = true;
  push(&s, hd_mpi_new(code, &s.options));
  while (s.stack.size) {
    hd_mpi *mpi = hd_vec_pop(&s.stack);
    if (run && !hd_run_tick(run))
      incomplete(out, hd_run_why(run));
    else if (max_states && out->states > max_states)
      incomplete(out, "too many states");
    else
      expand(&s, mpi);
    hd_mpi_delete(mpi);
  }
  hd_vec_free(&s.stack);
  hd_free(s.seen.slots);
  if (out->outcomes.size)
    qsort(out->outcomes.data, out->outcomes.size, sizeof *out->outcomes.data,
          compare);
}

void hd_mpi_space_free(hd_mpi_space *space) {
  for (size_t i = 0; i < space->outcomes.size; i++)
    hd_free(space->outcomes.data[i]);
  hd_vec_free(&space->outcomes);
  hd_free(space->why);
  *space = (hd_mpi_space){0};
}
