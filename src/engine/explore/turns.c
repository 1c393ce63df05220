/* SPDX-License-Identifier: MIT */
/* Which move a state of the exhaustive search makes next: the threads that are
 * demanded, one after the other, and the choices of each. */
#include "base/bitset.h"
#include "engine/explore/search.h"

static void note_wide(hd_search *s, const hd_search_frame *f, uint64_t n) {
  assert(f->samples.size < n); /* some are left out */
  hd_str text = {0};
  hd_edge_id edge = hd_machine_access(f->machine, f->thread).edge;
  hd_str_puts(&text, "the input at ");
  hd_code_print_pos(&text, s->code, s->code->edges.data[edge].pos);
  if (n == UINT64_MAX)
    hd_str_puts(&text, " has 2^64 values");
  else
    hd_str_printf(&text, " has %llu values", (unsigned long long)n);
  hd_str_printf(&text, ", of which only %zu were tried", f->samples.size);
  if (s->options->sampled)
    *s->options->sampled = true;
  hd_findings_note(s->result, "%s", hd_str_text(&text));
  hd_search_incomplete(s, hd_str_text(&text));
  hd_str_free(&text);
}

static void note_pointer(hd_search *s, const hd_search_frame *f) {
  hd_str text = {0};
  hd_edge_id edge = hd_machine_access(f->machine, f->thread).edge;
  hd_str_puts(&text, "the input at ");
  hd_code_print_pos(&text, s->code, s->code->edges.data[edge].pos);
  hd_str_puts(&text, " can be any pointer, of which only null and one to "
                     "nothing were tried");
  hd_findings_note(s->result, "%s", hd_str_text(&text));
  hd_search_incomplete(s, hd_str_text(&text));
  hd_str_free(&text);
}

/* Are there few values of an input that stand for all? Where there are not, the
 * same place is not asked again. */
static bool find_classes(hd_search *s, hd_search_frame *f) {
  enum { FEW = 8 };
  if (f->choices <= FEW || !hd_machine_is_input(f->machine, f->thread))
    return false;
  hd_edge_id edge = hd_machine_access(f->machine, f->thread).edge;
  for (hd_vec_each(hd_edge_id, hopeless, &s->hopeless))
    if (*hopeless == edge)
      return false;
  if (hd_machine_input_classes(f->machine, f->thread, hd_search_inputs(s),
                               &f->samples))
    return true;
  hd_vec_clear(&f->samples);
  hd_vec_push(&s->hopeless, edge);
  return false;
}

/* The next thread to be explored; threads like one that was are left out: what
 * they lead to differs in numbers of threads. */
static bool choose_thread(hd_search *s, hd_search_frame *f) {
  assert(f->thread == HD_NO_ID);
  uint64_t *explored = hd_graph_explored(&s->graph, f->node);
  size_t n = hd_search_node(s, f->node)->n_poses;
  for (size_t t = 0; (t = hd_bits_next(f->todo, n, t)) < n; t++) {
    bool known = false;
    for (size_t u = 0; f->twins && u < n && !known; u++)
      known = f->twins[u] == f->twins[t] && hd_bits_test(explored, u);
    hd_bits_clear(f->todo, t);
    if (!known) {
      f->thread = (hd_tid)t;
      return true;
    }
    hd_bits_set(explored, t);
  }
  return false;
}

/* A wide input becomes a variable, where it can. */
static bool becomes_variable(hd_search *s, const hd_search_frame *f) {
  if (s->machine.checks & hd_property_bit(HD_PROPERTY_UNINIT) ||
      s->options->at_end || s->crowded ||
      !hd_symbols_may(f->machine, f->thread))
    return false;
  if (s->symbols)
    hd_symbols_mark(s->symbols, hd_machine_access(f->machine, f->thread).edge);
  s->wants_symbols = true;
  return true;
}

static void take_thread(hd_search *s, hd_search_frame *f) {
  assert(f->thread < hd_machine_threads(f->machine));
  enum { FEW = 8 };
  uint64_t only;
  f->choice = 0;
  f->choices = hd_machine_choices(f->machine, f->thread);
  hd_vec_clear(&f->samples);
  if (hd_symbols_choice(f->machine, f->thread, &only)) {
    hd_vec_push(&f->samples, only);
    f->choices = 1;
    return;
  }
  if (hd_machine_is_open_input(f->machine, f->thread))
    note_pointer(s, f);
  if (find_classes(s, f)) {
    f->choices = f->samples.size;
    return;
  }
  if (f->choices <= (s->symbols ? FEW : hd_search_inputs(s)))
    return;
  if (becomes_variable(s, f)) {
    f->choices =
        1; /* of any value; the search begins again before it is made */
    if (s->symbols && hd_symbols_choice(f->machine, f->thread, &only))
      hd_vec_push(&f->samples, only);
    return;
  }
  if (f->choices <= hd_search_inputs(s))
    return;
  hd_inputs_sample(&s->inputs, f->machine, f->thread, &f->samples);
  note_wide(s, f, f->choices);
  f->choices = f->samples.size;
}

bool hd_search_next(hd_search *s, hd_turn *turn) {
  hd_search_frame *f = &hd_vec_last(&s->stack);
  if (f->thread != HD_NO_ID && f->choice == f->choices) {
    hd_bits_set(hd_graph_explored(&s->graph, f->node), f->thread);
    f->thread = HD_NO_ID;
  }
  if (f->thread == HD_NO_ID) {
    if (!choose_thread(s, f))
      return false;
    take_thread(s, f);
  }
  assert(f->choice < f->choices);
  uint64_t choice = f->choice++;
  assert(!f->samples.size || choice < f->samples.size);
  *turn =
      (hd_turn){.thread = f->thread,
                .choice = f->samples.size ? f->samples.data[choice] : choice};
  return true;
}
