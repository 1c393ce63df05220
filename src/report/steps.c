/* SPDX-License-Identifier: MIT */
/* The steps of a witness for people. In thread systems every thread that has a
 * part is a column, with the shared state at the left; in nets every place that
 * changes is one, with its tokens from top to bottom and the transition at the
 * right. Where the places do not fit, a step names those that it changes. */
#include "report/report.h"

#include "report/describe.h"
#include "report/story.h"
#include "report/trace.h"

#include <string.h>

enum {
  WIDTH = 80,
  TRANS_LEAST = 24, /* beside places: so much of the transition */
  HEAD = 40,        /* of a long run the first lines … */
  TAIL = 30,        /* … and the last */
  SHARED = 4,       /* so many equal steps of a net share a line */
  FEW = 2000,       /* threads; with more, those that are only moved have no
                       columns */
};

/* --- thread systems --- */

typedef struct {
  const hd_net *net;
  const hd_witness *witness;
  hd_story *story;
  hd_story_run *run;
  hd_u32s column; /* of each thread number; HD_NO_ID = none */
  hd_u32s place;  /* … before the step; kept where there are few threads */
  uint32_t n_threads;
  bool few;
} teller;

static const char *place_text(teller *t, hd_place_id place) {
  hd_str text = {0};
  if (place != HD_NOWHERE)
    hd_net_print_place(&text, t->net, place);
  return hd_story_keep(t->story, &text);
}

static const char *shared_text(teller *t, hd_shared_id shared) {
  hd_str text = {0};
  hd_net_print_shared(&text, t->net, shared);
  return hd_story_keep(t->story, &text);
}

static const char *move_text(teller *t, hd_place_id from, hd_place_id to) {
  hd_str text = {0};
  hd_net_print_place(&text, t->net, from);
  if (to != HD_NOWHERE) {
    hd_str_puts(&text, " -> ");
    hd_net_print_place(&text, t->net, to);
  }
  return hd_story_keep(t->story, &text);
}

static void note_places(teller *t, const hd_trace *trace) {
  hd_vec_clear(&t->place);
  for (uint32_t i = 0; i <= hd_trace_threads(trace); i++)
    hd_vec_push(&t->place, hd_trace_place(trace, i));
}

/* Which threads have a part: those that move, are moved or made. False when
 * some step is not one thread's. */
static bool find_threads(teller *t) {
  hd_trace *trace = hd_trace_new(t->net, t->witness);
  uint32_t n_first = hd_trace_threads(trace);
  bool ok = n_first > 0;
  t->few = n_first <= FEW;
  note_places(t, trace);
  while (ok && hd_trace_next(trace)) {
    hd_trans_id id = t->witness->steps.data[hd_trace_step(trace) - 1].trans;
    uint32_t mover = hd_trace_thread(trace), n = hd_trace_threads(trace);
    ok = mover != 0;
    while (t->column.size <= n) {
      bool made = t->column.size > n_first;
      hd_vec_push(&t->column, made ? 0 : HD_NO_ID);
    }
    if (ok)
      t->column.data[mover] = 0;
    if (t->few && t->net->trans.data[id].moves.size)
      for (uint32_t i = 1; i <= n; i++)
        if (i < t->place.size && t->place.data[i] != hd_trace_place(trace, i))
          t->column.data[i] = 0;
    if (t->few && (t->net->trans.data[id].moves.size || n > t->place.size))
      note_places(t, trace);
    t->few = n <= FEW;
  }
  ok = ok && hd_trace_step(trace) == t->witness->steps.size;
  hd_trace_delete(trace);
  t->n_threads = 0;
  for (uint32_t i = 0; i < t->column.size; i++)
    if (t->column.data[i] != HD_NO_ID)
      t->column.data[i] = t->n_threads++;
  return ok;
}

static void name_threads(teller *t, const hd_trace *trace) {
  for (uint32_t i = 0; i < t->column.size; i++) {
    if (t->column.data[i] == HD_NO_ID)
      continue;
    hd_str name = {0};
    hd_str_printf(&name, "thread %u", i);
    hd_vec_push(&t->run->threads, hd_story_keep(t->story, &name));
    hd_story_life life = {.first = place_text(t, hd_trace_place(trace, i)),
                          .last = "",
                          .born = SIZE_MAX};
    hd_vec_push(&t->run->lives, life);
  }
}

/* Threads that a broadcast moved along. */
static void tell_marks(teller *t, const hd_trace *trace, size_t step) {
  for (uint32_t i = 1; i < t->column.size && i < t->place.size; i++) {
    hd_place_id to = hd_trace_place(trace, i);
    if (i == hd_trace_thread(trace) || t->place.data[i] == to ||
        t->place.data[i] == HD_NOWHERE)
      continue;
    hd_story_mark mark = {.step = step,
                          .thread = t->column.data[i],
                          .text = move_text(t, t->place.data[i], to)};
    hd_vec_push(&t->run->marks, mark);
  }
}

/* Threads from number `first` on are new. */
static const char *tell_births(teller *t, const hd_trace *trace,
                               uint32_t first) {
  hd_str text = {0};
  size_t step = t->run->steps.size;
  for (uint32_t i = first; i <= hd_trace_threads(trace); i++) {
    hd_str_printf(&text, "%sthread %u in ", text.size ? ", " : "starts ", i);
    hd_net_print_place(&text, t->net, hd_trace_place(trace, i));
    t->run->lives.data[t->column.data[i]].born = step;
    hd_arrow arrow = {
        .kind = HD_ARROW_CREATE, .from = step, .to = t->column.data[i]};
    hd_vec_push(&t->run->arrows, arrow);
  }
  return hd_story_keep(t->story, &text);
}

static void tell_step(teller *t, const hd_trace *trace, hd_shared_id before,
                      uint32_t threads_before) {
  hd_trans_id id = t->witness->steps.data[hd_trace_step(trace) - 1].trans;
  const hd_trans *tr = &t->net->trans.data[id];
  uint32_t mover = hd_trace_thread(trace);
  hd_place_id from = hd_net_pre(t->net, id).data[0].place;
  hd_story_step step = {
      .thread = t->column.data[mover],
      .move = (uint32_t)hd_trace_step(trace),
      .function = "",
      .statement = move_text(t, from, hd_trace_place(trace, mover)),
      .effect = tell_births(t, trace, threads_before + 1),
      .shows = true,
      .failed = hd_trace_step(trace) == t->witness->steps.size,
  };
  if (hd_trace_shared(trace) != before)
    step.shared = shared_text(t, hd_trace_shared(trace));
  if (hd_trace_place(trace, mover) == HD_NOWHERE) {
    step.effect = "ends";
    hd_story_change end = {.step = t->run->steps.size,
                           .kind = HD_CHANGE_END,
                           .thread = step.thread,
                           .name = "",
                           .value = ""};
    hd_vec_push(&t->run->changes, end);
  }
  if (tr->line)
    step.spot = (hd_spot){.file = t->net->file, .line = tr->line};
  if (t->few && tr->moves.size)
    tell_marks(t, trace, t->run->steps.size);
  hd_vec_push(&t->run->steps, step);
}

/* Arrows so far end at a thread: now at its first step, if it has one. */
static void land_arrows(hd_story_run *run) {
  size_t kept = 0;
  for (size_t i = 0; i < run->arrows.size; i++) {
    hd_arrow arrow = run->arrows.data[i];
    size_t to = arrow.from + 1;
    while (to < run->steps.size && run->steps.data[to].thread != arrow.to)
      to++;
    arrow.to = to;
    if (to < run->steps.size)
      run->arrows.data[kept++] = arrow;
  }
  run->arrows.size = kept;
}

static void tell_threads(teller *t) {
  hd_trace *trace = hd_trace_new(t->net, t->witness);
  uint32_t n = hd_trace_threads(trace);
  hd_shared_id shared = hd_trace_shared(trace);
  t->run->shared_title = "shared";
  t->run->shared_first = shared_text(t, shared);
  name_threads(t, trace);
  note_places(t, trace);
  while (hd_trace_next(trace)) {
    tell_step(t, trace, shared, n);
    shared = hd_trace_shared(trace);
    n = hd_trace_threads(trace);
    if (t->few)
      note_places(t, trace);
  }
  t->run->shared_last = shared_text(t, shared);
  for (uint32_t i = 0; i < t->column.size; i++)
    if (t->column.data[i] != HD_NO_ID)
      t->run->lives.data[t->column.data[i]].last =
          place_text(t, hd_trace_place(trace, i));
  land_arrows(t->run);
  hd_trace_delete(trace);
}

static bool print_threads(hd_str *out, const hd_net *net,
                          const hd_witness *witness,
                          const hd_diagram_options *options) {
  teller t = {.net = net, .witness = witness, .story = hd_story_new()};
  t.run = hd_story_run_new();
  hd_story_add_run(t.story, t.run);
  bool ok = find_threads(&t);
  if (ok) {
    tell_threads(&t);
    hd_story_diagram(out, t.run, options);
    uint32_t all = 0;
    for (hd_vec_each(const hd_token, k, &witness->init))
      all += k->count;
    for (hd_vec_each(const hd_story_life, l, &t.run->lives))
      all -= l->born == SIZE_MAX;
    if (all) {
      hd_str_puts(out, "\n");
      hd_describe_counted(out, all, "more thread", "s");
      hd_str_printf(out, " take%s no step.\n", all == 1 ? "s" : "");
    }
  }
  hd_vec_free(&t.column);
  hd_vec_free(&t.place);
  hd_story_delete(t.story);
  return ok;
}

/* --- nets --- */

typedef struct {
  size_t first, last; /* steps, counted from 1 */
} row;

typedef struct {
  const hd_net *net;
  const hd_witness *witness;
  hd_str *out;
  hd_u32s places; /* that the run changes, ascending */
  hd_u32s width;  /* … of their columns */
  hd_u32s before; /* … tokens as printed last */
  hd_vec(row) rows;
  size_t line_width;
} table;

/* How many steps from `at` on fire the same transition without a choice. */
static size_t run_length(const hd_witness *witness, size_t at) {
  const hd_step *steps = witness->steps.data;
  size_t end = at + 1;
  while (end < witness->steps.size && steps[end].trans == steps[at].trans &&
         !steps[end].choices.size)
    end++;
  return steps[at].choices.size ? 1 : end - at;
}

static void find_rows(table *t) {
  for (size_t i = 0; i < t->witness->steps.size;) {
    size_t n = run_length(t->witness, i);
    if (n < SHARED)
      n = 1;
    hd_vec_push(&t->rows, ((row){.first = i + 1, .last = i + n}));
    i += n;
  }
}

static void mark_places(bool *changes, const hd_net *net, hd_trans_id id) {
  hd_tokens pre = hd_net_pre(net, id), post = hd_net_post(net, id);
  const hd_move *moves = hd_net_moves(net, id);
  for (size_t i = 0; i < pre.size; i++)
    if (hd_tokens_at(post, pre.data[i].place) != pre.data[i].count)
      changes[pre.data[i].place] = true;
  for (size_t i = 0; i < post.size; i++)
    if (hd_tokens_at(pre, post.data[i].place) != post.data[i].count)
      changes[post.data[i].place] = true;
  for (size_t i = 0; i < net->trans.data[id].moves.size; i++) {
    changes[moves[i].from] = true;
    if (moves[i].to != HD_NOWHERE)
      changes[moves[i].to] = true;
  }
}

static void find_places(table *t) {
  bool *changes = hd_calloc(t->net->n_places + 1, sizeof *changes);
  for (hd_vec_each(const hd_step, s, &t->witness->steps))
    if (s->trans < t->net->trans.size)
      mark_places(changes, t->net, s->trans);
  for (hd_place_id p = 0; p < t->net->n_places; p++)
    if (changes[p])
      hd_vec_push(&t->places, p);
  hd_free(changes);
}

/* Names and all counts of the run fit into `width`; the sum is returned. */
static size_t find_widths(table *t) {
  hd_trace *trace = hd_trace_new(t->net, t->witness);
  hd_u32s most = {0};
  size_t sum = 0;
  for (size_t i = 0; i < t->places.size; i++)
    hd_vec_push(&most, hd_trace_count(trace, t->places.data[i]));
  while (hd_trace_next(trace))
    for (size_t i = 0; i < t->places.size; i++)
      if (hd_trace_count(trace, t->places.data[i]) > most.data[i])
        most.data[i] = hd_trace_count(trace, t->places.data[i]);
  for (size_t i = 0; i < t->places.size; i++) {
    hd_str name = {0}, count = {0};
    hd_net_print_place(&name, t->net, t->places.data[i]);
    hd_str_printf(&count, "%u", most.data[i]);
    size_t width = name.size > count.size ? name.size : count.size;
    hd_vec_push(&t->width, (uint32_t)width + 2);
    sum += width + 2;
    hd_str_free(&name);
    hd_str_free(&count);
  }
  hd_vec_free(&most);
  hd_trace_delete(trace);
  return sum;
}

static void end_line(hd_str *out) {
  while (out->size && out->data[out->size - 1] == ' ')
    out->data[--out->size] = 0;
  hd_str_puts(out, "\n");
}

static void print_place_names(table *t) {
  hd_str_puts(t->out, "  line  ");
  for (size_t i = 0; i < t->places.size; i++) {
    hd_str name = {0};
    hd_net_print_place(&name, t->net, t->places.data[i]);
    hd_str_printf(t->out, "%-*s", (int)t->width.data[i], hd_str_text(&name));
    hd_str_free(&name);
  }
  hd_str_puts(t->out, "transition\n");
}

/* The tokens of places where they changed, else a line; all of them with
 * `all`. */
static void print_counts(table *t, const hd_trace *trace, bool all) {
  for (size_t i = 0; i < t->places.size; i++) {
    hd_count now = hd_trace_count(trace, t->places.data[i]);
    hd_str text = {0};
    if (all || now != t->before.data[i])
      hd_str_printf(&text, "%u", now);
    size_t n = text.size ? text.size : 1;
    hd_str_puts(t->out, text.size ? hd_str_text(&text) : "│");
    hd_str_printf(t->out, "%*s", (int)(t->width.data[i] - n), "");
    t->before.data[i] = now;
    hd_str_free(&text);
  }
}

static void print_trans(hd_str *out, const hd_net *net, hd_trans_id id) {
  const char *name = net->trans.data[id].name;
  if (name && *name)
    hd_str_puts(out, name);
  else
    hd_net_print_trans(out, net, id);
}

static void print_row(table *t, const hd_trace *trace, const row *r,
                      bool after_gap, bool all) {
  hd_trans_id id = t->witness->steps.data[r->first - 1].trans;
  hd_str text = {0};
  bool last = r->last == t->witness->steps.size;
  if (t->net->trans.data[id].line)
    hd_str_printf(t->out, "%s %4u  ", last ? ">" : " ",
                  t->net->trans.data[id].line);
  else
    hd_str_printf(t->out, "%-8s", last ? ">" : "");
  print_counts(t, trace, after_gap);
  if (r->last > r->first)
    hd_str_printf(&text, "%zu times: ", r->last - r->first + 1);
  print_trans(&text, t->net, id);
  hd_str_puts(t->out, last ? "✗ " : "● ");
  if (all)
    hd_str_puts(t->out, hd_str_text(&text));
  else
    hd_describe_shortened(t->out, hd_str_text(&text),
                          WIDTH - t->line_width - 2);
  end_line(t->out);
  hd_str_free(&text);
}

static void print_places(table *t, const hd_diagram_options *options) {
  hd_trace *trace = hd_trace_new(t->net, t->witness);
  bool cut = !options->all && t->rows.size > HEAD + TAIL;
  print_place_names(t);
  for (size_t i = 0; i < t->places.size; i++)
    hd_vec_push(&t->before, 0);
  hd_str_puts(t->out, "        ");
  print_counts(t, trace, true);
  end_line(t->out);
  for (size_t i = 0; i < t->rows.size; i++) {
    while (hd_trace_step(trace) < t->rows.data[i].last && hd_trace_next(trace))
      ;
    size_t after = t->rows.size - TAIL;
    if (cut && i == HEAD)
      hd_str_printf(t->out, "      … %zu lines left out (%s shows them) …\n",
                    after - HEAD, options->more);
    if (!cut || i < HEAD || i >= after)
      print_row(t, trace, &t->rows.data[i], cut && i == after, options->all);
  }
  hd_trace_delete(trace);
}

/* --- as a list --- */

static const char *change_text(hd_story *story, const hd_net *net,
                               const hd_trace *trace, const hd_u32s *places,
                               hd_u32s *before) {
  hd_str text = {0};
  for (size_t i = 0; i < places->size; i++) {
    hd_count now = hd_trace_count(trace, places->data[i]);
    if (now == before->data[i])
      continue;
    hd_str_puts(&text, text.size ? "; " : "");
    hd_net_print_place(&text, net, places->data[i]);
    hd_str_printf(&text, " = %u", now);
    before->data[i] = now;
  }
  return hd_story_keep(story, &text);
}

/* One column, each step with the places that it changes. */
static void print_list(table *t, const hd_diagram_options *options) {
  hd_story *story = hd_story_new();
  hd_story_run *run = hd_story_run_new();
  hd_trace *trace = hd_trace_new(t->net, t->witness);
  hd_story_add_run(story, run);
  hd_vec_push(&run->threads, "transition and change");
  for (size_t i = 0; i < t->places.size; i++)
    hd_vec_push(&t->before, hd_trace_count(trace, t->places.data[i]));
  for (size_t i = 0; i < t->rows.size; i++) {
    const row *r = &t->rows.data[i];
    while (hd_trace_step(trace) < r->last && hd_trace_next(trace))
      ;
    hd_trans_id id = t->witness->steps.data[r->first - 1].trans;
    hd_str text = {0};
    if (r->last > r->first)
      hd_str_printf(&text, "%zu times: ", r->last - r->first + 1);
    print_trans(&text, t->net, id);
    hd_story_step step = {
        .function = "",
        .statement = hd_story_keep(story, &text),
        .effect = change_text(story, t->net, trace, &t->places, &t->before),
        .shows = true,
        .failed = i + 1 == t->rows.size};
    if (t->net->trans.data[id].line)
      step.spot =
          (hd_spot){.file = t->net->file, .line = t->net->trans.data[id].line};
    hd_vec_push(&run->steps, step);
  }
  hd_story_diagram(t->out, run, options);
  hd_trace_delete(trace);
  hd_story_delete(story);
}

static void print_net(hd_str *out, const hd_net *net, const hd_witness *witness,
                      const hd_diagram_options *options) {
  table t = {.net = net, .witness = witness, .out = out};
  find_rows(&t);
  find_places(&t);
  t.line_width = 8 + (t.places.size < WIDTH ? find_widths(&t) : WIDTH);
  if (t.line_width + 2 + TRANS_LEAST <= WIDTH)
    print_places(&t, options);
  else
    print_list(&t, options);
  hd_vec_free(&t.places);
  hd_vec_free(&t.width);
  hd_vec_free(&t.before);
  hd_vec_free(&t.rows);
}

void hd_report_steps(hd_str *out, const hd_net *net, const hd_witness *witness,
                     bool all, bool color) {
  hd_diagram_options options = {
      .all = all, .color = color, .more = "--explain"};
  if (!witness->steps.size) {
    hd_str text = {0};
    hd_net_print_config(&text, net, net->init_shared,
                        hd_token_vec_view(&witness->init));
    hd_str_puts(out, "  initially: ");
    hd_describe_shortened(out, hd_str_text(&text), all ? SIZE_MAX : 66);
    hd_str_puts(out, "\n");
    hd_str_free(&text);
  } else if (net->format != HD_FORMAT_TTS ||
             !print_threads(out, net, witness, &options)) {
    print_net(out, net, witness, &options);
  }
}
