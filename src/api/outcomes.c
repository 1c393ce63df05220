/* SPDX-License-Identifier: MIT */
/* Every outcome of a C program: depth-first through all moves of all threads.
 * It shares nothing with engine/explore and leaves out only this: where a
 * thread stands before a memory access that no other can ever see, only that
 * move is made, unless it leads back to a state that is known (a private loop
 * must not keep the others from moving). What was printed so far is part of the
 * state. States are known by 128 bits of hash: an outcome could be missed with
 * a chance of one in 2^60 for a billion states. */
#include "api/code.h"

#include "base/hash.h"
#include "engine/explore/common.h"

#include <stdlib.h>
#include <string.h>

typedef struct {
  uint64_t a, b;
} mark;

#define HD_MAP seen_map
#define HD_KEY mark
#define HD_VAL bool
#define HD_HASH(k) ((k).a)
#define HD_EQ(x, y) ((x).a == (y).a && (x).b == (y).b)
#include "base/map_templ.h"

typedef struct {
  hd_machine *machine;
  char *output;
} node;

typedef struct {
  hd_run *run;
  hd_outcomes *outcomes;
  seen_map seen;
  hd_vec(node) stack;
  hd_str printed; /* by the move that is being made */
} search;

static void observe(void *context, const hd_event *event) {
  search *s = context;
  if (event->kind == HD_EVENT_OUTPUT && event->text)
    hd_str_puts(&s->printed, event->text);
}

/* Values of one input that are all tried. */
static const uint64_t most_choices = 4096;

static void stop(search *s, const char *why) {
  if (s->outcomes->complete)
    s->outcomes->why = hd_strdup(why);
  s->outcomes->complete = false;
}

static void add_outcome(search *s, const node *n) {
  hd_str text = {0};
  hd_machine_status status = hd_machine_status_of(n->machine);
  if (status == HD_MACHINE_ASSUMED)
    return;
  if (status == HD_MACHINE_EXITED)
    hd_str_printf(&text, "exit %d: ", hd_machine_exit_code(n->machine));
  else if (status == HD_MACHINE_DEADLOCK)
    hd_str_puts(&text, "deadlock: ");
  else if (status == HD_MACHINE_FAILED)
    hd_str_printf(
        &text, "%s: ",
        hd_property_name(hd_machine_violation(n->machine, 0)->property));
  else
    stop(s, hd_machine_why(n->machine));
  hd_str_puts(&text, n->output);
  bool is_new = text.size > 0;
  for (size_t i = 0; i < s->outcomes->texts.size && is_new; i++)
    is_new = strcmp(s->outcomes->texts.data[i], hd_str_text(&text)) != 0;
  if (is_new)
    hd_vec_push(&s->outcomes->texts, hd_str_take(&text));
  hd_str_free(&text);
}

static mark fingerprint(const node *n) {
  hd_bytes bytes = {0};
  hd_machine_encode(n->machine, &bytes);
  for (const char *at = n->output; *at; at++)
    hd_vec_push(&bytes, (uint8_t)*at);
  mark p = {.a = hd_hash_bytes(bytes.data, bytes.size), .b = 1};
  for (size_t i = 0; i < bytes.size; i++)
    p.b = hd_hash_mix(p.b, bytes.data[i] + 1u);
  hd_vec_free(&bytes);
  return p;
}

static void drop(node *n) {
  hd_machine_delete(n->machine);
  hd_free(n->output);
}

/* Makes the move from `n`; true when it leads to something new, which is then
 * on the stack unless it has ended. */
static bool follow(search *s, const node *n, hd_turn turn) {
  hd_vec_clear(&s->printed);
  node next = {.machine = hd_machine_copy(n->machine)};
  hd_machine_move(next.machine, turn);
  hd_str output = {0};
  hd_str_puts(&output, n->output);
  if (s->printed.size)
    hd_str_puts(&output, hd_str_text(&s->printed));
  next.output = hd_str_take(&output);
  bool running = hd_machine_status_of(next.machine) == HD_MACHINE_RUNNING;
  if (!running)
    add_outcome(s, &next);
  bool fresh = true;
  if (running) {
    seen_map_put(&s->seen, fingerprint(&next), true, &fresh);
  }
  if (running && fresh)
    hd_vec_push(&s->stack, next);
  else
    drop(&next);
  return fresh;
}

static void follow_thread(search *s, const node *n, hd_tid t) {
  uint64_t choices = hd_machine_choices(n->machine, t);
  if (choices > most_choices) {
    stop(s, "an input has too many values");
    choices = most_choices;
  }
  if (hd_machine_is_open_input(n->machine, t))
    stop(s, "an input can be any pointer");
  for (uint64_t c = 0; c < choices; c++)
    (void)follow(s, n, (hd_turn){.thread = t, .choice = c});
}

/* The move of a thread that nobody else could notice, if there is one. */
static bool expand_private(search *s, const node *n) {
  for (hd_tid t = 0; t < hd_machine_threads(n->machine); t++) {
    if (!hd_machine_enabled(n->machine, t))
      continue;
    hd_access access = hd_machine_access(n->machine, t);
    if (access.local && access.memory && hd_machine_choices(n->machine, t) == 1)
      return follow(s, n, (hd_turn){.thread = t});
  }
  return false;
}

static void expand(search *s, const node *n) {
  if (expand_private(s, n))
    return;
  for (hd_tid t = 0; t < hd_machine_threads(n->machine); t++)
    if (hd_machine_enabled(n->machine, t))
      follow_thread(s, n, t);
}

static int compare(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

void hd_outcomes_list(const hd_code *code, const hd_machine_options *options,
                      hd_run *run, hd_outcomes *outcomes) {
  search s = {.run = run, .outcomes = outcomes};
  hd_machine_options mine = *options;
  mine.observe = observe;
  mine.context = &s;
  outcomes->complete = true;
  node root = {.machine = hd_machine_new(code, &mine)};
  root.output = hd_strdup(s.printed.size ? hd_str_text(&s.printed) : "");
  if (hd_machine_status_of(root.machine) == HD_MACHINE_RUNNING) {
    hd_vec_push(&s.stack, root);
  } else {
    add_outcome(&s, &root);
    drop(&root);
  }
  while (s.stack.size) {
    node n = hd_vec_pop(&s.stack);
    if (hd_run_tick(run))
      expand(&s, &n);
    else
      stop(&s, hd_run_why(run));
    drop(&n);
  }
  if (outcomes->texts.size)
    qsort(outcomes->texts.data, outcomes->texts.size, sizeof(char *), compare);
  seen_map_free(&s.seen);
  hd_vec_free(&s.stack);
  hd_str_free(&s.printed);
}

void hd_outcomes_free(hd_outcomes *outcomes) {
  for (size_t i = 0; i < outcomes->texts.size; i++)
    hd_free(outcomes->texts.data[i]);
  hd_vec_free(&outcomes->texts);
  hd_free(outcomes->why);
  *outcomes = (hd_outcomes){0};
}
