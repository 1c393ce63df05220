/* SPDX-License-Identifier: MIT */
#include "report/code_rows.h"

#include "model/own.h"
#include "report/code_lines.h"
#include "report/code_reads.h"
#include "report/code_teams.h"

#include <string.h>

/* --- the recording --- */

hd_code_trace *hd_code_trace_new(const hd_code *code) {
  hd_code_trace *trace = hd_calloc(1, sizeof *trace);
  trace->code = code;
  trace->n_threads = 1;
  hd_arena_init(&trace->arena);
  return trace;
}

void hd_code_trace_delete(hd_code_trace *trace) {
  if (!trace)
    return;
  hd_vec_free(&trace->events);
  hd_execution_delete(trace->execution);
  hd_arena_free(&trace->arena);
  hd_free(trace);
}

void hd_code_trace_add(hd_code_trace *trace, const hd_event *event,
                       uint32_t move, bool shared) {
  hd_traced traced = {.event = *event, .move = move, .shared = shared};
  if (event->text)
    traced.event.text =
        hd_arena_strndup(&trace->arena, event->text, strlen(event->text));
  if (event->kind == HD_EVENT_CREATE && event->other >= trace->n_threads)
    trace->n_threads = (size_t)event->other + 1;
  trace->moves = move;
  hd_vec_push(&trace->events, traced);
}

/* --- names --- */

const char *hd_code_func_name(const hd_code *code, hd_func_id func) {
  const hd_func *f = &code->funcs.data[func];
  return f->cname ? f->cname : f->name;
}

hd_func_id hd_code_func_of(const hd_code *code, hd_edge_id edge) {
  return code->locs.data[code->edges.data[edge].from].func;
}

void hd_code_where(hd_str *out, const hd_code *code, hd_cpos pos) {
  if (pos.file >= code->files.size || !pos.line) {
    hd_str_puts(out, "?");
    return;
  }
  const char *path = code->files.data[pos.file], *slash = strrchr(path, '/');
  hd_str_printf(out, "%s:%u", slash ? slash + 1 : path, pos.line);
}

/* --- rows --- */

enum { MANY_EFFECTS = 100 };

typedef hd_vec(char *) texts;

typedef struct {
  uint64_t object;
  hd_tid thread;
  size_t row;
} release;

typedef struct {
  hd_code_rows *out;
  hd_code_lines *lines;
  uint32_t start; /* column of the current row's statement */
  texts effects;  /* of the current row */
  hd_vec(release) releases;
  hd_vec(release) sends;
  hd_vec(size_t) last;    /* row of each thread, SIZE_MAX = none yet */
  hd_vec(hd_arrow) later; /* `to` is a thread: its next row */
  bool teams;             /* OpenMP */
} builder;

static hd_row *current(builder *b) {
  return b->out->rows.size ? &hd_vec_last(&b->out->rows) : NULL;
}

static const char *keep(builder *b, hd_str *text) {
  const char *kept =
      hd_arena_strndup(&b->out->arena, hd_str_text(text), text->size);
  hd_str_free(text);
  return kept;
}

/* Writes the effects of the current row into it. */
static void close_row(builder *b) {
  hd_row *row = current(b);
  hd_str text = {0};
  for (size_t i = 0; i < b->effects.size; i++) {
    hd_str_printf(&text, "%s%s", i ? "; " : "", b->effects.data[i]);
    hd_free(b->effects.data[i]);
  }
  hd_vec_clear(&b->effects);
  if (row)
    row->effect = keep(b, &text);
  else
    hd_str_free(&text);
}

static void set_last(builder *b, hd_tid thread, size_t row) {
  while (b->last.size <= thread)
    hd_vec_push(&b->last, SIZE_MAX);
  b->last.data[thread] = row;
}

static size_t last_of(const builder *b, hd_tid thread) {
  return thread < b->last.size ? b->last.data[thread] : SIZE_MAX;
}

/* Arrows that wait for this thread's next row end here. */
static void land(builder *b, hd_tid thread, size_t row) {
  size_t kept = 0;
  for (size_t i = 0; i < b->later.size; i++) {
    hd_arrow arrow = b->later.data[i];
    if (arrow.to == thread) {
      arrow.to = row;
      hd_vec_push(&b->out->arrows, arrow);
    } else
      b->later.data[kept++] = arrow;
  }
  b->later.size = kept;
}

static void open_row(builder *b, hd_row row, hd_edge_id edge) {
  close_row(b);
  hd_str text = {0};
  b->start = 0;
  if (!hd_code_lines_statement(b->lines, row.pos, &text, &b->start))
    hd_code_print_edge(&text, b->out->code, edge);
  row.statement = keep(b, &text);
  row.effect = "";
  hd_vec_push(&b->out->rows, row);
  set_last(b, row.thread, b->out->rows.size - 1);
  land(b, row.thread, b->out->rows.size - 1);
}

/* Does what happens at `pos` belong to the statement of the current row? */
static bool same_statement(builder *b, const hd_row *row, hd_cpos pos) {
  if (!pos.line)
    return true;
  if (pos.file != row->pos.file || pos.line != row->pos.line)
    return false;
  hd_str text = {0};
  uint32_t start = 0;
  (void)hd_code_lines_statement(b->lines, pos, &text, &start);
  hd_str_free(&text);
  return start == b->start;
}

static void enter(builder *b, hd_tid thread, hd_edge_id edge, uint32_t depth,
                  uint32_t move) {
  const hd_code *code = b->out->code;
  hd_cpos pos = code->edges.data[edge].pos;
  hd_func_id func = hd_code_func_of(code, edge);
  hd_row *row = current(b);
  if (row && row->thread == thread && row->func == func &&
      row->depth == depth && same_statement(b, row, pos)) {
    row->last = move;
    return;
  }
  open_row(b,
           (hd_row){.first = move,
                    .last = move,
                    .thread = thread,
                    .func = func,
                    .pos = pos,
                    .depth = depth},
           edge);
}

/* Of what a loop has done to very much, the first and the last are told. */
static void shorten(builder *b) {
  size_t middle = b->effects.size / 2;
  hd_free(b->effects.data[middle]);
  b->effects.data[middle] = hd_strdup("…");
  hd_free(b->effects.data[middle + 1]);
  memmove(&b->effects.data[middle + 1], &b->effects.data[middle + 2],
          (b->effects.size - middle - 2) * sizeof *b->effects.data);
  b->effects.size--;
}

/* A variable that is set again has its new value only. */
/* Variables of the compiler, of which no name of C begins with a dot. */
static bool is_compilers(const hd_str *text) {
  const char *name = hd_str_text(text);
  name += !strncmp(name, "reads ", 6) ? 6 : 0;
  return *name == '.' || (name > hd_str_text(text) && !strcmp(name, "number"));
}

static void add_effect(builder *b, hd_str *text) {
  if (b->teams && is_compilers(text))
    return;
  char *effect = hd_str_take(text);
  const char *equals = strstr(effect, " = ");
  size_t kept = 0, n = equals ? (size_t)(equals - effect) + 3 : 0;
  for (size_t i = 0; i < b->effects.size; i++) {
    char *old = b->effects.data[i];
    if (strcmp(old, effect) && (!n || strncmp(old, effect, n)))
      b->effects.data[kept++] = old;
    else
      hd_free(old);
  }
  b->effects.size = kept;
  hd_vec_push(&b->effects, effect);
  if (b->effects.size > MANY_EFFECTS)
    shorten(b);
}

static const char *thread_name(builder *b, hd_tid thread) {
  static const char nameless[] = "?";
  return thread < b->out->threads.size ? b->out->threads.data[thread]
                                       : nameless;
}

/* Printed text on one line: control characters as C writes them. */
static void quote(hd_str *out, const char *text) {
  hd_str_puts(out, "prints \"");
  for (; *text; text++)
    if (*text == '\n')
      hd_str_puts(out, "\\n");
    else if (*text == '"' || *text == '\\')
      hd_str_printf(out, "\\%c", *text);
    else if ((unsigned char)*text < 32 || *text == 127)
      hd_str_printf(out, "\\x%02x", (unsigned)(unsigned char)*text);
    else
      hd_str_append(out, text, 1);
  hd_str_puts(out, "\"");
}

static void arrow_from(builder *b, hd_arrow_kind kind, size_t from) {
  if (from != SIZE_MAX)
    hd_vec_push(
        &b->out->arrows,
        ((hd_arrow){.kind = kind, .from = from, .to = b->out->rows.size - 1}));
}

static void arrow_later(builder *b, hd_arrow_kind kind, hd_tid thread) {
  hd_vec_push(
      &b->later,
      ((hd_arrow){.kind = kind, .from = b->out->rows.size - 1, .to = thread}));
}

static void acquire(builder *b, const hd_event *e) {
  for (size_t i = b->releases.size; i-- > 0;) {
    if (b->releases.data[i].object != e->object)
      continue;
    if (b->releases.data[i].thread != e->thread)
      arrow_from(b, HD_ARROW_LOCK, b->releases.data[i].row);
    return;
  }
}

/* Is the object that `text` ("pool.count = 3") names one of all threads? The
 * names of allocated ones have a '#'. */
static bool is_global(const hd_code *code, const char *text) {
  size_t n = strcspn(text, ".[+# ");
  if (text[n] == '#' || *text == '*')
    return true;
  for (hd_vec_each(const hd_global, g, &code->globals))
    if (g->cname && !g->thread_local && strlen(g->cname) == n &&
        !strncmp(g->cname, text, n))
      return true;
  return false;
}

static void add_change(builder *b, hd_change_kind kind, hd_tid thread,
                       const char *name, size_t length, const char *value) {
  hd_arena *arena = &b->out->arena;
  hd_row_change change = {
      .row = b->out->rows.size - 1,
      .kind = kind,
      .thread = thread,
      .name = hd_arena_strndup(arena, name, length),
      .value = hd_arena_strndup(arena, value, strlen(value)),
  };
  hd_vec_push(&b->out->changes, change);
}

/* What the event does to the state that a reader sees. */
static void note_change(builder *b, const hd_event *e) {
  const char *text = e->text ? e->text : "";
  const char *equals = strstr(text, " = ");
  switch (e->kind) {
  case HD_EVENT_WRITE:
  case HD_EVENT_SET:
    if (!equals)
      return;
    bool shared = e->kind == HD_EVENT_WRITE && is_global(b->out->code, text);
    add_change(b, shared ? HD_CHANGE_SHARED : HD_CHANGE_LOCAL,
               shared ? HD_NO_ID : e->thread, text, (size_t)(equals - text),
               equals + 3);
    return;
  case HD_EVENT_OUTPUT:
    add_change(b, HD_CHANGE_OUTPUT, e->thread, "", 0, text);
    return;
  case HD_EVENT_ACQUIRE:
  case HD_EVENT_RELEASE:
  case HD_EVENT_BLOCK:
    add_change(b,
               e->kind == HD_EVENT_ACQUIRE   ? HD_CHANGE_ACQUIRE
               : e->kind == HD_EVENT_RELEASE ? HD_CHANGE_RELEASE
                                             : HD_CHANGE_WAIT,
               e->thread, text, strlen(text), "");
    return;
  case HD_EVENT_EXIT:
    add_change(b, HD_CHANGE_END, e->thread, "", 0, "");
    return;
  case HD_EVENT_STEP:
  case HD_EVENT_CREATE:
  case HD_EVENT_JOIN:
  case HD_EVENT_MISS:
  case HD_EVENT_WAKE:
  case HD_EVENT_SEND:
  case HD_EVENT_RECEIVE:
    return;
  }
}

/* What the event is, in words; and the arrows it makes. */
static void describe(builder *b, const hd_event *e, hd_str *text) {
  const char *name = e->text ? e->text : "";
  switch (e->kind) {
  case HD_EVENT_STEP:
  case HD_EVENT_WRITE:
  case HD_EVENT_SET:
    hd_str_puts(text, name);
    break;
  case HD_EVENT_OUTPUT:
    quote(text, name);
    break;
  case HD_EVENT_CREATE:
    hd_str_printf(text, "starts %s", thread_name(b, e->other));
    arrow_later(b, HD_ARROW_CREATE, e->other);
    break;
  case HD_EVENT_JOIN:
    hd_str_printf(text, "joins %s", thread_name(b, e->other));
    arrow_from(b, HD_ARROW_JOIN, last_of(b, e->other));
    break;
  case HD_EVENT_ACQUIRE:
    hd_str_printf(text, "acquires %s", name);
    acquire(b, e);
    break;
  case HD_EVENT_RELEASE:
    hd_str_printf(text, "releases %s", name);
    hd_vec_push(&b->releases, ((release){.object = e->object,
                                         .thread = e->thread,
                                         .row = b->out->rows.size - 1}));
    break;
  case HD_EVENT_MISS:
    hd_str_printf(text, "finds %s still taken", name);
    break;
  case HD_EVENT_WAKE:
    hd_str_printf(text, "wakes %s", thread_name(b, e->other));
    arrow_later(b, HD_ARROW_WAKE, e->other);
    break;
  case HD_EVENT_BLOCK: {
    /* a lock is what the program calls so, not a field of it in the library */
    const char *inner = strstr(name, ".__");
    int length = (int)(inner ? (size_t)(inner - name) : strlen(name));
    hd_str_printf(text, "waits%s%.*s", *name ? " for " : "", length, name);
    break;
  }
  case HD_EVENT_EXIT:
    hd_str_puts(text, "ends");
    break;
  case HD_EVENT_SEND:
    hd_str_printf(text, "sends %s", name);
    hd_vec_push(&b->sends, ((release){.object = e->object,
                                      .thread = e->thread,
                                      .row = b->out->rows.size - 1}));
    break;
  case HD_EVENT_RECEIVE:
    hd_str_printf(text, "receives %s", name);
    for (hd_vec_each(release, sent, &b->sends))
      if (sent->object == e->object)
        arrow_from(b, HD_ARROW_MESSAGE, sent->row);
    break;
  }
}

static bool is_private(hd_event_kind kind) {
  return kind == HD_EVENT_STEP || kind == HD_EVENT_WRITE ||
         kind == HD_EVENT_SET;
}

static void add_event(builder *b, const hd_traced *traced) {
  const hd_event *e = &traced->event;
  if (e->edge < b->out->code->edges.size)
    enter(b, e->thread, e->edge, e->depth, traced->move);
  hd_row *row = current(b);
  if (!row)
    return;
  /* The turn's own action is its first step; the rest nobody else sees. */
  bool acts = !is_private(e->kind) || e->kind == HD_EVENT_WRITE ||
              (e->kind == HD_EVENT_STEP && e->text);
  row->waits = e->kind == HD_EVENT_BLOCK;
  bool shows = acts && (traced->shared || !is_private(e->kind));
  if (shows && !row->shows)
    row->first = traced->move;
  row->shows |= shows;
  hd_str text = {0};
  describe(b, e, &text);
  note_change(b, e);
  if (text.size)
    add_effect(b, &text);
  hd_str_free(&text);
}

/* --- threads --- */

/* The outermost function that each thread was seen in. */
static void find_starts(const hd_code_trace *trace, const char **funcs) {
  const hd_code *code = trace->code;
  uint32_t *depths = hd_calloc(trace->n_threads + 1, sizeof *depths);
  memset(depths, 0xff, trace->n_threads * sizeof *depths);
  for (hd_vec_each(const hd_traced, traced, &trace->events)) {
    const hd_event *event = &traced->event;
    if (event->thread >= trace->n_threads ||
        event->depth >= depths[event->thread] ||
        event->edge >= code->edges.size)
      continue;
    depths[event->thread] = event->depth;
    funcs[event->thread] =
        hd_code_func_name(code, hd_code_func_of(code, event->edge));
  }
  hd_free(depths);
}

static void name_threads(builder *b, const hd_code_trace *trace) {
  const char **funcs = hd_calloc(trace->n_threads + 1, sizeof *funcs);
  find_starts(trace, funcs);
  for (hd_tid t = 0; t < trace->n_threads; t++) {
    hd_str name = {0};
    if (trace->processes)
      hd_str_printf(&name, "process %u", t);
    else if (!t)
      hd_str_puts(&name, "main");
    else
      hd_str_printf(&name, "%s %u",
                    !funcs[t] || (b->teams && !strcmp(funcs[t], "work"))
                        ? "thread"
                        : funcs[t],
                    t);
    hd_vec_push(&b->out->threads, keep(b, &name));
  }
  hd_free(funcs);
}

/* --- heddle's models: their calls are shown, and where a thread waits in them --- */

/* Goes back from the thread's last event at the edge (its last one where there is
 * none) to the one before the model was entered. HD_NO_ID: any thread's. */
hd_shown_edge hd_code_shown_edge(const hd_code *code,
                                 const hd_code_trace *trace, hd_tid thread,
                                 hd_edge_id edge) {
  hd_shown_edge shown = {.edge = edge, .model = HD_NO_ID};
  if (edge >= code->edges.size ||
      !hd_code_is_own(code, hd_code_func_of(code, edge)))
    return shown;
  size_t i = trace ? trace->events.size : 0, last = SIZE_MAX;
  while (i-- > 0) {
    const hd_event *e = &trace->events.data[i].event;
    if ((thread != HD_NO_ID && e->thread != thread) ||
        e->edge >= code->edges.size)
      continue;
    last = last == SIZE_MAX ? i : last;
    if (e->edge == edge) {
      last = i;
      break;
    }
  }
  if (last != SIZE_MAX)
    thread = trace->events.data[last].event.thread;
  hd_func_id model = hd_code_func_of(code, edge);
  uint32_t depth = UINT32_MAX;
  for (i = last == SIZE_MAX ? 0 : last + 1; i-- > 0;) {
    const hd_event *e = &trace->events.data[i].event;
    if (e->thread != thread || e->edge >= code->edges.size || e->depth >= depth)
      continue;
    hd_func_id func = hd_code_func_of(code, e->edge);
    if (!hd_code_is_own(code, func))
      return (hd_shown_edge){.edge = e->edge, .model = model};
    depth = e->depth;
    model = func;
  }
  return shown;
}

/* --- the violation --- */

/* The thread's last row in the line of `edge`, or with `last_only` its last one
 * if that is; else a new one. */
static size_t row_at(builder *b, hd_tid thread, hd_edge_id edge, uint32_t move,
                     bool last_only) {
  const hd_code *code = b->out->code;
  hd_cpos pos = code->edges.data[edge].pos;
  for (size_t i = b->out->rows.size; i-- > 0;) {
    const hd_row *row = &b->out->rows.data[i];
    if (row->thread != thread)
      continue;
    if (row->pos.file == pos.file && row->pos.line == pos.line)
      return i;
    if (last_only)
      break;
  }
  enter(b, thread, edge, 0, move);
  return b->out->rows.size - 1;
}

/* Everybody who waits at the end has a part in a deadlock. */
static void mark_waiting(builder *b) {
  for (hd_tid t = 0; t < b->last.size; t++) {
    size_t i = b->last.data[t];
    if (i != SIZE_MAX && b->out->rows.data[i].waits)
      b->out->rows.data[i].failed = b->out->rows.data[i].shows = true;
  }
}

static hd_edge_id shown_edge(const builder *b, const hd_code_trace *trace,
                             hd_tid thread, hd_edge_id edge) {
  return hd_code_shown_edge(b->out->code, trace, thread, edge).edge;
}

static void mark(builder *b, const hd_code_trace *trace, const hd_violation *v,
                 uint32_t move) {
  if (v->property == HD_PROPERTY_DEADLOCK)
    mark_waiting(b);
  size_t edges = b->out->code->edges.size;
  size_t other = SIZE_MAX;
  if (v->other != HD_NO_ID && v->other_edge < edges)
    other = row_at(b, v->other, shown_edge(b, trace, v->other, v->other_edge),
                   move, false);
  if (v->thread == HD_NO_ID || v->edge >= edges)
    return;
  bool race = v->property == HD_PROPERTY_RACE;
  size_t row = row_at(b, v->thread, shown_edge(b, trace, v->thread, v->edge),
                      move, !race);
  b->out->rows.data[row].failed = true;
  b->out->rows.data[row].shows = true;
  if (other == SIZE_MAX)
    return;
  b->out->rows.data[other].failed = true;
  b->out->rows.data[other].shows = true;
  hd_vec_push(&b->out->arrows,
              ((hd_arrow){.kind = HD_ARROW_RACE, .from = other, .to = row}));
}

/* --- weak memory --- */

/* The row that the event is a part of. */
static size_t row_of(const builder *b, const hd_exec_event *e) {
  size_t found = SIZE_MAX;
  for (size_t i = 0; i < b->out->rows.size && e->edge != HD_NO_ID; i++) {
    const hd_row *row = &b->out->rows.data[i];
    if (row->thread == e->thread && row->first <= e->turn &&
        e->turn <= row->last &&
        row->pos.line == b->out->code->edges.data[e->edge].pos.line)
      found = i;
  }
  return found;
}

static void draw_reads(builder *b, const hd_execution *x) {
  for (hd_exec_id i = 0; i < x->events.size; i++) {
    const hd_exec_event *e = &x->events.data[i];
    if (!hd_exec_shown(x, i) || !hd_exec_reads(e))
      continue;
    hd_exec_id over = hd_exec_overlooks(x, i);
    size_t row = row_of(b, e);
    size_t from =
        e->from == HD_NO_ID ? SIZE_MAX : row_of(b, &x->events.data[e->from]);
    size_t before =
        over == HD_NO_ID ? SIZE_MAX : row_of(b, &x->events.data[over]);
    hd_arrow read = {.kind = HD_ARROW_READ, .from = from, .to = row};
    hd_arrow old = {.kind = HD_ARROW_BEFORE, .from = row, .to = before};
    if (row != SIZE_MAX && from != SIZE_MAX && from != row)
      hd_vec_push(&b->out->arrows, read);
    if (row != SIZE_MAX && before != SIZE_MAX && before != row)
      hd_vec_push(&b->out->arrows, old);
  }
}

hd_code_rows *hd_code_rows_new(const hd_code_trace *trace,
                               const hd_violation *violation) {
  hd_code_rows *rows = hd_calloc(1, sizeof *rows);
  rows->code = trace->code;
  hd_arena_init(&rows->arena);
  builder b = {.out = rows,
               .lines = hd_code_lines_new(trace->code),
               .teams = hd_code_has_teams(trace->code)};
  name_threads(&b, trace);
  for (hd_vec_each(const hd_traced, traced, &trace->events))
    add_event(&b, traced);
  if (violation)
    mark(&b, trace, violation, trace->moves);
  close_row(&b);
  if (trace->execution)
    draw_reads(&b, trace->execution);
  hd_code_lines_delete(b.lines);
  hd_vec_free(&b.effects);
  hd_vec_free(&b.releases);
  hd_vec_free(&b.sends);
  hd_vec_free(&b.last);
  hd_vec_free(&b.later);
  return rows;
}

void hd_code_rows_delete(hd_code_rows *rows) {
  hd_vec_free(&rows->rows);
  hd_vec_free(&rows->arrows);
  hd_vec_free(&rows->changes);
  hd_vec_free(&rows->threads);
  hd_arena_free(&rows->arena);
  hd_free(rows);
}

bool *hd_code_rows_select(const hd_code_rows *rows, bool all) {
  size_t n = rows->rows.size;
  bool *chosen = hd_calloc(n + 1, sizeof *chosen);
  bool *hidden = hd_calloc(rows->code->funcs.size + 1, sizeof *hidden);
  bool teams = hd_code_has_teams(rows->code);
  for (hd_func_id f = 0; f < rows->code->funcs.size; f++)
    hidden[f] = (teams && hd_code_is_runtime(rows->code, f)) ||
                hd_code_is_own(rows->code, f);
  for (size_t i = 0; i < n; i++) {
    const hd_row *row = &rows->rows.data[i];
    bool switched = i && row[-1].thread != row->thread;
    chosen[i] = all || row->failed || row->waits ||
                ((row->shows || switched || i + 1 == n) && !hidden[row->func]);
  }
  hd_free(hidden);
  return chosen;
}
