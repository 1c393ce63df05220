/* SPDX-License-Identifier: MIT */
/* Strongly connected components (Tarjan, "Depth-first search and linear graph
 * algorithms", 1972), without recursion. */
#include "check/interp/stuck.h"

#include "base/hash.h"

/* --- a graph of states --- */

typedef struct {
  const hd_stuck_graph *graph;
  uint32_t *start, *to; /* links by their first state */
  uint32_t *number, *low;
  uint32_t *next; /* of each state: the link to look at */
  hd_u32s way, open;
  uint32_t count;
  uint8_t *on; /* is it open? */
  uint64_t found;
  uint32_t state;
} walk;

static void index_links(walk *w) {
  const hd_stuck_graph *g = w->graph;
  w->start = hd_calloc(g->n + 2, sizeof *w->start);
  w->to = hd_calloc(g->n_links + 1, sizeof *w->to);
  for (size_t i = 0; i < g->n_links; i++)
    w->start[g->links[i].from + 2]++;
  for (size_t i = 2; i < g->n + 2; i++)
    w->start[i] += w->start[i - 1];
  for (size_t i = 0; i < g->n_links; i++)
    w->to[w->start[g->links[i].from + 1]++] = g->links[i].to;
}

static void enter(walk *w, uint32_t state) {
  w->number[state] = w->low[state] = ++w->count;
  w->next[state] = w->start[state];
  w->on[state] = 1;
  hd_vec_push(&w->way, state);
  hd_vec_push(&w->open, state);
}

/* The component from open.data[first] on is complete. */
static void look_at(walk *w, size_t first) {
  const hd_stuck_graph *g = w->graph;
  uint64_t waiting = UINT64_MAX;
  bool moves = false, left = false;
  for (size_t i = first; i < w->open.size; i++) {
    uint32_t s = w->open.data[i];
    waiting &= g->waiting[s];
    left = left || g->ends[s];
    for (uint32_t k = w->start[s]; k < w->start[s + 1]; k++) {
      moves = true;
      /* What is complete already has been left by then. */
      left = left || w->low[w->to[k]] == UINT32_MAX;
    }
  }
  if (!waiting || left || !moves || w->found)
    return;
  w->found = waiting;
  w->state = w->open.data[first];
  for (size_t i = first; i < w->open.size; i++)
    if (w->open.data[i] < w->state)
      w->state = w->open.data[i];
}

static void leave(walk *w, uint32_t state) {
  w->way.size--;
  if (w->way.size) {
    uint32_t before = hd_vec_last(&w->way);
    if (w->low[state] < w->low[before])
      w->low[before] = w->low[state];
  }
  if (w->low[state] != w->number[state])
    return;
  size_t first = w->open.size;
  while (w->open.data[--first] != state)
    continue;
  look_at(w, first);
  for (size_t i = first; i < w->open.size; i++) {
    w->on[w->open.data[i]] = 0;
    w->low[w->open.data[i]] = UINT32_MAX;
  }
  w->open.size = first;
}

static void visit(walk *w, uint32_t root) {
  enter(w, root);
  while (w->way.size) {
    uint32_t s = hd_vec_last(&w->way);
    if (w->next[s] == w->start[s + 1]) {
      leave(w, s);
      continue;
    }
    uint32_t to = w->to[w->next[s]++];
    if (!w->number[to])
      enter(w, to);
    else if (w->on[to] && w->number[to] < w->low[s])
      w->low[s] = w->number[to];
  }
}

uint64_t hd_stuck_find(const hd_stuck_graph *graph, uint32_t *state) {
  walk w = {.graph = graph};
  index_links(&w);
  w.number = hd_calloc(graph->n + 1, sizeof *w.number);
  w.low = hd_calloc(graph->n + 1, sizeof *w.low);
  w.next = hd_calloc(graph->n + 1, sizeof *w.next);
  w.on = hd_calloc(graph->n + 1, 1);
  for (uint32_t s = 0; s < graph->n && !w.found; s++)
    if (!w.number[s])
      visit(&w, s);
  *state = w.state;
  hd_free(w.start);
  hd_free(w.to);
  hd_free(w.number);
  hd_free(w.low);
  hd_free(w.next);
  hd_free(w.on);
  hd_vec_free(&w.way);
  hd_vec_free(&w.open);
  return w.found;
}

/* --- from one machine on --- */

enum { STATES_MOST = 20000 };

uint64_t hd_stuck_waiting(const hd_machine *machine) {
  uint64_t waiting = 0;
  for (hd_tid t = 0; t < hd_machine_threads(machine); t++)
    if (hd_machine_alive(machine, t)) {
      hd_access a = hd_machine_access(machine, t);
      if (a.open && (a.spurious || !hd_machine_enabled(machine, t)))
        waiting |= t < 63 ? (uint64_t)1 << t : HD_STUCK_REST;
    }
  return waiting;
}

typedef struct {
  uint8_t *bytes;
  size_t size;
} state_bytes;

#define HD_MAP bytes_set
#define HD_KEY state_bytes
#define HD_VAL bool
#define HD_HASH(k) hd_hash_bytes((k).bytes, (k).size)
#define HD_EQ(a, b)                                                            \
  ((a).size == (b).size && !memcmp((a).bytes, (b).bytes, (a).size))
#include "base/map_templ.h"

typedef struct {
  bytes_set met;
  hd_vec(hd_machine *) list;
  uint64_t waiting;
  bool again; /* a state was met twice: moves go on for ever */
  hd_bytes bytes;
} from_here;

/* Takes the machine over. */
static void arrive(from_here *f, hd_machine *machine) {
  hd_machine_status status = hd_machine_status_of(machine);
  bool fresh = false;
  if (status == HD_MACHINE_RUNNING) {
    hd_vec_clear(&f->bytes);
    hd_machine_encode(machine, &f->bytes);
    state_bytes key = {f->bytes.data, f->bytes.size};
    bytes_set_put(&f->met, key, true, &fresh);
    f->again = f->again || !fresh;
    f->waiting &= hd_stuck_waiting(machine);
    if (hd_machine_threads(machine) > 64)
      f->waiting &= ~HD_STUCK_REST;
  } else if (status != HD_MACHINE_ASSUMED) {
    f->waiting = 0;
  }
  if (fresh) {
    f->bytes = (hd_bytes){0}; /* it is the map's now */
    hd_vec_push(&f->list, machine);
  } else {
    hd_machine_delete(machine);
  }
  if (f->met.size > STATES_MOST)
    f->waiting = 0;
}

static void expand(from_here *f, const hd_machine *machine) {
  for (hd_tid t = 0; t < hd_machine_threads(machine) && f->waiting; t++) {
    if (!hd_machine_alive(machine, t) || !hd_machine_enabled(machine, t) ||
        hd_machine_access(machine, t).spurious)
      continue;
    uint64_t n = hd_machine_choices(machine, t);
    if (n > STATES_MOST || hd_machine_is_open_input(machine, t))
      f->waiting = 0;
    for (uint64_t c = 0; c < n && f->waiting; c++) {
      hd_machine *copy = hd_machine_copy(machine);
      hd_machine_move(copy, (hd_turn){.thread = t, .choice = c});
      arrive(f, copy);
    }
  }
}

uint64_t hd_stuck_from(const hd_machine *machine) {
  from_here f = {.waiting = UINT64_MAX};
  if (hd_machine_status_of(machine) != HD_MACHINE_RUNNING ||
      !hd_stuck_waiting(machine))
    return 0;
  arrive(&f, hd_machine_copy(machine));
  while (f.list.size) {
    hd_machine *next = hd_vec_pop(&f.list);
    if (f.waiting)
      expand(&f, next);
    hd_machine_delete(next);
  }
  for (size_t i = 0; i < f.met.size; i++)
    hd_free(f.met.items[i].key.bytes);
  bytes_set_free(&f.met);
  hd_vec_free(&f.list);
  hd_vec_free(&f.bytes);
  return f.again ? f.waiting : 0;
}

void hd_stuck_print(hd_str *out, const hd_code *code, const hd_machine *machine,
                    uint64_t threads) {
  const char *separator = "";
  for (hd_tid t = 0; t < 64; t++) {
    if (!(threads >> t & 1))
      continue;
    hd_str_printf(out, "%sthread %u waits at ", separator, t);
    hd_code_print_pos(out, code,
                      code->edges.data[hd_machine_access(machine, t).edge].pos);
    separator = ", ";
  }
  hd_str_puts(out, " for ever, while others go on");
}
