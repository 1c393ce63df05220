/* SPDX-License-Identifier: MIT */
/* A run in box characters. Time goes down; every thread has a column with its
 * life line, a dot where it does something, the statement beside the dot and
 * what it changed below. Runs of models have the shared state in a column left
 * of these, and the local states above and below the life lines. Where more
 * threads have a part than columns fit, the life lines stand side by side and
 * the text is right of them all; where even those do not fit, threads that are
 * never busy at the same time share a lane, and where that does not suffice,
 * the thread's name is all that is left.
 *
 * A line is composed in cells, one a column of the screen, and then printed:
 * so arrows can run over life lines, and colours cost nothing in width. */
#include "report/story.h"

#include <stdlib.h>
#include <string.h>

enum {
  WIDTH = 80,
  NARROWEST = 22, /* of a thread's column, in the mean */
  SLIM = 17,      /* … of one with little to say */
  TEXT = 34,      /* beside lanes: at least so much text */
  BRIEF = 16,     /* … of models, where it is "1 -> 2" */
  SHARED = 24,    /* columns of the shared state, at most */
  NAME = 13,      /* … and the thread's name before it */
  HEAD = 40,      /* of a long run the first … */
  TAIL = 30,      /* … and last steps are shown */
  EFFECTS = 2,    /* lines of what changed, unless all is shown */
};

enum { PLAIN, DIM, BAD, BOLD, FIRST_THREAD, N_COLORS = 5 };

typedef struct {
  char text[8]; /* one character of UTF-8 */
  uint8_t style;
} cell;

typedef enum { COLUMNS, LANES, NAMES } layout;

typedef struct {
  const hd_story_run *run;
  const hd_diagram_options *options;
  hd_str *out;
  layout layout;
  size_t where;      /* columns of the place in the source */
  size_t gutter;     /* columns before the first thread's */
  size_t *x, *width; /* of each column or lane */
  const char *file;  /* all of it is in this one: only lines are named */
  size_t *column;    /* of each thread; SIZE_MAX = has none */
  size_t n_columns;
  bool folded;          /* lanes are shared: a thread has its own from its
                            first shown step to its last */
  size_t *first, *last; /* shown steps; SIZE_MAX = none */
  size_t shared_x, shared_width; /* width 0 = no such column */
  const char *shared;            /* its value, until it has been printed */
  size_t mark;                   /* the next of run->marks */
  size_t *born, *died;           /* steps; born SIZE_MAX = at the start */
  const char **function;         /* that each thread was in last */
  cell line[WIDTH];
} diagram;

/* --- cells --- */

static void clear(diagram *d) {
  for (size_t i = 0; i < WIDTH; i++)
    d->line[i] = (cell){.text = " "};
}

static size_t char_size(const char *text) {
  size_t n = 1;
  while (((unsigned char)text[n] & 0xC0) == 0x80 && n < 7)
    n++;
  return n;
}

static size_t columns_of(const char *text) {
  size_t n = 0;
  for (; *text; text += char_size(text))
    n++;
  return n;
}

/* Writes at most `most` characters from column `x` on; returns the end. */
static size_t put(diagram *d, size_t x, const char *text, size_t most,
                  int style) {
  for (; *text && most && x < WIDTH; most--, x++) {
    size_t n = char_size(text);
    cell c = {.style = (uint8_t)style};
    bool control = (unsigned char)*text < 32 || *text == 127;
    memcpy(c.text, control ? " " : text, control ? 1 : n);
    d->line[x] = c;
    text += n;
  }
  return x;
}

static void set_style(const diagram *d, int style) {
  static const char *const codes[] = {"\033[0m",    "\033[2m",    "\033[1;31m",
                                      "\033[1m",    "\033[1;36m", "\033[1;33m",
                                      "\033[1;35m", "\033[1;32m", "\033[1;34m"};
  if (d->options->color)
    hd_str_puts(d->out, codes[style]);
}

static void flush(diagram *d) {
  size_t end = WIDTH;
  while (end && !strcmp(d->line[end - 1].text, " "))
    end--;
  int style = PLAIN;
  for (size_t i = 0; i < end; i++) {
    const cell *c = &d->line[i];
    if (c->style != style && strcmp(c->text, " ")) {
      if (style != PLAIN)
        set_style(d, PLAIN);
      style = c->style;
      if (style != PLAIN)
        set_style(d, style);
    }
    hd_str_puts(d->out, c->text);
  }
  if (style != PLAIN)
    set_style(d, PLAIN);
  hd_str_puts(d->out, "\n");
  clear(d);
}

/* `text` in `most` columns: the middle of what is too long is left out. */
static void put_cut(diagram *d, size_t x, const char *text, size_t most,
                    int style) {
  size_t n = columns_of(text);
  if (n <= most || most < 8) {
    put(d, x, text, most, style);
    return;
  }
  size_t head = (most - 1) * 3 / 5, tail = most - 1 - head;
  x = put(d, x, text, head, style);
  x = put(d, x, "…", 1, DIM);
  for (size_t i = 0; i < n - tail; i++)
    text += char_size(text);
  put(d, x, text, tail, style);
}

/* --- layout --- */

static bool is_shown(const diagram *d, size_t step) {
  return d->options->all || d->run->steps.data[step].shows;
}

static void note_busy(diagram *d, size_t thread, size_t step) {
  d->column[thread] = 0;
  if (d->first[thread] == SIZE_MAX || step < d->first[thread])
    d->first[thread] = step;
  if (d->last[thread] == SIZE_MAX || step > d->last[thread])
    d->last[thread] = step;
}

static void find_columns(diagram *d) {
  const hd_story_run *run = d->run;
  size_t n = run->threads.size;
  d->column = hd_calloc(n + 1, sizeof *d->column);
  d->born = hd_calloc(n + 1, sizeof *d->born);
  d->died = hd_calloc(n + 1, sizeof *d->died);
  d->function = hd_calloc(n + 1, sizeof *d->function);
  d->first = hd_calloc(n + 1, sizeof *d->first);
  d->last = hd_calloc(n + 1, sizeof *d->last);
  for (size_t t = 0; t < n; t++)
    d->column[t] = d->born[t] = d->died[t] = d->first[t] = d->last[t] =
        SIZE_MAX;
  for (size_t i = 0; i < run->steps.size; i++)
    if (is_shown(d, i))
      note_busy(d, run->steps.data[i].thread, i);
  for (hd_vec_each(const hd_story_mark, m, &run->marks))
    if (is_shown(d, m->step))
      note_busy(d, m->thread, m->step);
  for (size_t t = 0; t < run->lives.size; t++)
    d->born[t] = run->lives.data[t].born;
  for (size_t t = 0; t < n; t++)
    if (d->column[t] == 0)
      d->column[t] = d->n_columns++;
  for (hd_vec_each(const hd_arrow, a, &run->arrows))
    if (a->kind == HD_ARROW_CREATE)
      d->born[run->steps.data[a->to].thread] = a->from;
  for (hd_vec_each(const hd_story_change, c, &run->changes))
    if (c->kind == HD_CHANGE_END && c->thread < n)
      d->died[c->thread] = c->step;
}

static void find_file(diagram *d) {
  const hd_story_run *run = d->run;
  for (size_t i = 0; i < run->steps.size; i++) {
    const char *file = run->steps.data[i].spot.file;
    if (!is_shown(d, i) || !file)
      continue;
    if (d->file && strcmp(d->file, file)) {
      d->file = NULL;
      return;
    }
    d->file = file;
  }
}

static void put_where(hd_str *out, const diagram *d, hd_spot spot) {
  if (!spot.line)
    return;
  const char *slash = strrchr(spot.file, '/');
  if (!d->file)
    hd_str_printf(out, "%s:", slash ? slash + 1 : spot.file);
  hd_str_printf(out, "%u", spot.line);
}

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

static void grow(size_t *most, size_t value) {
  if (value > *most)
    *most = value;
}

/* What each column would like to have; the caller frees it. */
static size_t *wanted_widths(const diagram *d) {
  size_t *want = hd_calloc(d->n_columns + 1, sizeof *want);
  for (size_t i = 0; i < d->run->steps.size; i++) {
    const hd_story_step *s = &d->run->steps.data[i];
    if (!is_shown(d, i))
      continue;
    size_t a = columns_of(s->statement), b = columns_of(s->effect) + 2;
    grow(&want[d->column[s->thread]], least(a > b ? a : b, 44) + 3);
  }
  return want;
}

/* Do all columns fit with everything they have to say, as those of models do?
 * Then `width` is set. */
static bool fit_exactly(diagram *d, size_t room) {
  const hd_story_run *run = d->run;
  size_t *want = wanted_widths(d), sum = 0;
  for (hd_vec_each(const hd_story_mark, m, &run->marks))
    if (d->column[m->thread] != SIZE_MAX)
      grow(&want[d->column[m->thread]], columns_of(m->text) + 4);
  for (size_t t = 0; t < run->lives.size; t++)
    if (d->column[t] != SIZE_MAX) {
      grow(&want[d->column[t]], columns_of(run->threads.data[t]) + 2);
      grow(&want[d->column[t]], columns_of(run->lives.data[t].first) + 2);
      grow(&want[d->column[t]], columns_of(run->lives.data[t].last) + 2);
    }
  for (size_t i = 0; i < d->n_columns; i++)
    sum += want[i];
  for (size_t i = 0; i < d->n_columns && sum <= room; i++)
    d->width[i] = want[i];
  hd_free(want);
  return sum <= room;
}

/* Columns that need more than the least get it, the neediest first. */
static void share_room(diagram *d, size_t room) {
  size_t *want = wanted_widths(d);
  for (; room; room--) {
    size_t neediest = 0;
    for (size_t i = 1; i < d->n_columns; i++)
      if (want[i] + d->width[neediest] > want[neediest] + d->width[i])
        neediest = i;
    if (want[neediest] <= d->width[neediest])
      break;
    d->width[neediest]++;
  }
  hd_free(want);
}

typedef struct {
  size_t first, thread;
} beginning;

static int by_first(const void *a, const void *b) {
  const beginning *x = a, *y = b;
  return x->first != y->first
             ? (x->first > y->first) - (x->first < y->first)
             : (x->thread > y->thread) - (x->thread < y->thread);
}

/* Threads that are busy one after the other share a lane. */
static void fold(diagram *d) {
  size_t n = d->run->threads.size, n_busy = 0, n_lanes = 0;
  beginning *order = hd_calloc(n + 1, sizeof *order);
  size_t *end = hd_calloc(n + 1, sizeof *end); /* of each lane's thread */
  for (size_t t = 0; t < n; t++)
    if (d->column[t] != SIZE_MAX)
      order[n_busy++] = (beginning){.first = d->first[t], .thread = t};
  qsort(order, n_busy, sizeof *order, by_first);
  for (size_t i = 0; i < n_busy; i++) {
    size_t lane = 0, t = order[i].thread;
    while (lane < n_lanes && end[lane] >= d->first[t])
      lane++;
    n_lanes += lane == n_lanes;
    d->column[t] = lane;
    end[lane] = d->last[t];
  }
  d->folded = true;
  d->n_columns = n_lanes;
  hd_free(order);
  hd_free(end);
}

static void find_shared(diagram *d) {
  const hd_story_run *run = d->run;
  if (!run->shared_title)
    return;
  size_t width = columns_of(run->shared_title);
  grow(&width, columns_of(run->shared_first));
  grow(&width, columns_of(run->shared_last));
  for (size_t i = 0; i < run->steps.size; i++)
    if (is_shown(d, i) && run->steps.data[i].shared)
      grow(&width, columns_of(run->steps.data[i].shared));
  d->shared_x = d->gutter;
  d->shared_width = least(width, SHARED) + 2;
  d->gutter += d->shared_width;
}

static void find_gutter(diagram *d) {
  size_t where = 4;
  for (size_t i = 0; i < d->run->steps.size; i++) {
    hd_str text = {0};
    put_where(&text, d, d->run->steps.data[i].spot);
    if (is_shown(d, i) && text.size > where)
      where = text.size < 18 ? text.size : 18;
    hd_str_free(&text);
  }
  d->where = where;
  d->gutter = 2 + where + 2;
}

static bool lanes_fit(const diagram *d, size_t room) {
  return 2 * d->n_columns + NAME + (d->run->lives.size ? BRIEF : TEXT) <= room;
}

static void arrange(diagram *d) {
  find_gutter(d);
  find_shared(d);
  size_t room = WIDTH - d->gutter, n = d->n_columns ? d->n_columns : 1;
  d->x = hd_calloc(n + 1, sizeof *d->x);
  d->width = hd_calloc(n + 1, sizeof *d->width);
  if (d->run->lives.size && fit_exactly(d, room)) {
    d->layout = COLUMNS;
  } else if (room / n >= NARROWEST) {
    d->layout = COLUMNS;
    for (size_t i = 0; i < n; i++)
      d->width[i] = SLIM;
    share_room(d, room - n * SLIM);
  } else {
    if (!lanes_fit(d, room))
      fold(d);
    d->layout = lanes_fit(d, room) ? LANES : NAMES;
    for (size_t i = 0; i < n; i++)
      d->width[i] = 2;
  }
  for (size_t i = 0; i < n; i++)
    d->x[i] = i ? d->x[i - 1] + d->width[i - 1] : d->gutter;
}

static size_t x_of(const diagram *d, size_t thread) {
  return d->x[d->column[thread]];
}

static int color_of(size_t thread) {
  return FIRST_THREAD + (int)(thread % N_COLORS);
}

/* Where a step's text begins and how wide it may be. */
static size_t text_x(const diagram *d, size_t thread) {
  return d->layout == COLUMNS ? x_of(d, thread) + 2
         : d->layout == LANES ? d->gutter + 2 * d->n_columns + NAME
                              : d->gutter + NAME;
}

static size_t text_width(const diagram *d, size_t thread) {
  bool last = d->column[thread] + 1 == d->n_columns;
  size_t end = d->layout == COLUMNS && !last
                   ? x_of(d, thread) + d->width[d->column[thread]] - 1
                   : WIDTH;
  return end - text_x(d, thread);
}

/* --- lines --- */

/* An arrow draws the beginning of a life. */
static bool lives(const diagram *d, size_t thread, size_t step, bool after) {
  if (d->folded && (step < d->first[thread] || step > d->last[thread] ||
                    (after && step == d->last[thread])))
    return false;
  bool born = d->born[thread] == SIZE_MAX || d->born[thread] < step;
  bool dead = d->died[thread] != SIZE_MAX &&
              (d->died[thread] < step || (after && d->died[thread] == step));
  return born && !dead;
}

static void put_lives(diagram *d, size_t step, bool after) {
  if (d->shared_width)
    put(d, d->shared_x, "│", 1, DIM);
  if (d->layout == NAMES)
    return;
  for (size_t t = 0; t < d->run->threads.size; t++)
    if (d->column[t] != SIZE_MAX && lives(d, t, step, after))
      put(d, x_of(d, t), "│", 1, DIM);
}

/* The state of a model before or after the run: a line of local states. */
static void print_states(diagram *d, bool first) {
  const hd_story_run *run = d->run;
  if (!d->shared_width)
    return;
  put_cut(d, d->shared_x, first ? run->shared_first : run->shared_last,
          d->shared_width - 2, PLAIN);
  for (size_t t = 0; t < run->lives.size && d->layout == COLUMNS; t++)
    if (d->column[t] != SIZE_MAX && !(first && d->born[t] != SIZE_MAX))
      put_cut(d, x_of(d, t),
              first ? run->lives.data[t].first : run->lives.data[t].last,
              d->width[d->column[t]] - 1, PLAIN);
  flush(d);
}

/* What the step does to other threads, in their columns. */
static void put_marks(diagram *d, size_t step) {
  const hd_story_run *run = d->run;
  for (; d->mark < run->marks.size && run->marks.data[d->mark].step <= step;
       d->mark++) {
    const hd_story_mark *m = &run->marks.data[d->mark];
    if (m->step != step || d->layout == NAMES)
      continue;
    put(d, x_of(d, m->thread), "○", 1, color_of(m->thread));
    if (d->layout == COLUMNS)
      put_cut(d, x_of(d, m->thread) + 2, m->text, text_width(d, m->thread),
              DIM);
  }
}

static void print_names(diagram *d) {
  put(d, 2, d->file ? "line" : "where", 5, DIM);
  if (d->shared_width)
    put(d, d->shared_x, d->run->shared_title, SHARED, DIM);
  for (size_t t = 0; t < d->run->threads.size && d->layout == COLUMNS; t++)
    if (d->column[t] != SIZE_MAX)
      put_cut(d, x_of(d, t), d->run->threads.data[t],
              d->width[d->column[t]] - 1, color_of(t));
  if (d->layout != COLUMNS)
    put(d, text_x(d, 0) - NAME,
        d->run->lives.size ? "thread       local state"
                           : "thread       statement, and what it changes",
        60, DIM);
  flush(d);
  print_states(d, true);
}

static void put_who(diagram *d, size_t step) {
  const hd_story_step *s = &d->run->steps.data[step];
  hd_str where = {0};
  put_where(&where, d, s->spot);
  size_t n = columns_of(hd_str_text(&where)), room = d->where;
  if (s->failed)
    put(d, 0, ">", 1, BAD);
  put_cut(d, 2 + (n < room ? room - n : 0), hd_str_text(&where), room,
          s->failed ? BAD : DIM);
  hd_str_free(&where);
  put_lives(d, step, false);
  if (d->shared_width && d->shared)
    put_cut(d, d->shared_x, d->shared, d->shared_width - 2,
            s->failed ? BAD : PLAIN);
  d->shared = NULL;
  put_marks(d, step);
  if (d->layout != NAMES)
    put(d, x_of(d, s->thread), s->failed ? "✗" : "●", 1,
        s->failed ? BAD : color_of(s->thread));
  if (d->layout != COLUMNS)
    put_cut(d, text_x(d, s->thread) - NAME, d->run->threads.data[s->thread],
            NAME - 1, color_of(s->thread));
}

/* How much of `text` fits on a line of `width` columns: up to a semicolon, else
 * to a blank. */
static size_t line_bytes(const char *text, size_t width) {
  size_t bytes = 0, columns = 0, blank = 0, end = 0;
  while (text[bytes] && columns < width) {
    if (text[bytes] == ' ')
      blank = bytes;
    if (text[bytes] == ';')
      end = bytes + 1;
    bytes += char_size(text + bytes);
    columns++;
  }
  return !text[bytes] || text[bytes] == ' ' ? bytes
         : end                              ? end
         : blank                            ? blank
                                            : bytes;
}

/* `text` on as many lines as it takes; the last one is not flushed. With
 * `most` lines, what is left is shortened into the last one. */
static void put_wrapped(diagram *d, size_t step, const char *text, size_t most,
                        int style) {
  size_t thread = d->run->steps.data[step].thread;
  size_t x = text_x(d, thread), width = text_width(d, thread);
  while (columns_of(text) > width && most != 1) {
    size_t n = line_bytes(text, width);
    hd_str part = {0};
    hd_str_append(&part, text, n);
    put(d, x, hd_str_text(&part), width, style);
    hd_str_free(&part);
    flush(d);
    put_lives(d, step, true);
    text += n;
    while (*text == ' ')
      text++;
    most -= most > 0;
  }
  put_cut(d, x, text, width, style);
}

/* The arrow of a step that starts, joins or wakes a thread: from the end of the
 * text in the line that is being composed. */
static void put_arrow(diagram *d, size_t step, const hd_arrow *arrow) {
  const hd_story_step *s = &d->run->steps.data[step];
  size_t there =
      d->run->steps.data[arrow->from == step ? arrow->to : arrow->from].thread;
  if (d->column[there] == SIZE_MAX || there == s->thread)
    return;
  bool in = arrow->to == step;
  size_t a = x_of(d, s->thread), b = x_of(d, there);
  size_t from = b > a ? a + 2 : b + 1, to = b > a ? b : a;
  size_t text_end = from;
  for (size_t i = from;
       b > a && i < to && i < a + d->width[d->column[s->thread]]; i++)
    if (strcmp(d->line[i].text, " "))
      text_end = i + 2;
  if (b > a)
    from = text_end;
  if (from + 2 > to)
    return;
  for (size_t i = from; i < to; i++)
    put(d, i, strcmp(d->line[i].text, "│") ? "─" : "┼", 1, DIM);
  bool starts = arrow->kind == HD_ARROW_CREATE;
  bool ends = arrow->kind == HD_ARROW_JOIN;
  if (b > a) {
    put(d, in ? from : to - 1, in ? "◀" : "▶", 1, DIM);
    put(d, b, starts ? "┐" : ends ? "┘" : "│", 1, DIM);
  } else {
    put(d, in ? to - 1 : from, in ? "▶" : "◀", 1, DIM);
    put(d, b, starts ? "┌" : ends ? "└" : "│", 1, DIM);
  }
  put(d, a, b > a ? "│" : "┤", 1, DIM);
}

static const hd_arrow *arrow_of(const diagram *d, size_t step) {
  for (hd_vec_each(const hd_arrow, a, &d->run->arrows))
    if ((a->from == step &&
         (a->kind == HD_ARROW_CREATE || a->kind == HD_ARROW_WAKE)) ||
        (a->to == step && a->kind == HD_ARROW_JOIN))
      return a;
  return NULL;
}

static void print_step(diagram *d, size_t step) {
  const hd_story_step *s = &d->run->steps.data[step];
  const char **in = &d->function[s->thread];
  if (d->options->all && *s->function && (!*in || strcmp(*in, s->function))) {
    put_lives(d, step, false);
    hd_str text = {0};
    hd_str_printf(&text, "in %s:", s->function);
    put_cut(d, text_x(d, s->thread), hd_str_text(&text),
            text_width(d, s->thread), DIM);
    hd_str_free(&text);
    flush(d);
    *in = s->function;
  }
  put_who(d, step);
  size_t most = d->options->all ? 0 : 1;
  put_wrapped(d, step, s->statement, most, s->failed ? BAD : PLAIN);
  flush(d);
  const hd_arrow *arrow = d->layout == COLUMNS ? arrow_of(d, step) : NULL;
  if (!*s->effect)
    return;
  put_lives(d, step, true);
  put_wrapped(d, step, s->effect, d->options->all ? 0 : EFFECTS,
              s->failed ? BAD : DIM);
  if (arrow)
    put_arrow(d, step, arrow);
  flush(d);
}

void hd_story_diagram(hd_str *out, const hd_story_run *run,
                      const hd_diagram_options *options) {
  diagram d = {.run = run, .options = options, .out = out};
  size_t shown = 0, at = 0;
  for (size_t i = 0; i < run->steps.size; i++)
    shown += is_shown(&d, i);
  clear(&d);
  find_columns(&d);
  find_file(&d);
  arrange(&d);
  print_names(&d);
  bool cut = !options->all && shown > HEAD + TAIL;
  for (size_t i = 0; i < run->steps.size; i++) {
    if (run->steps.data[i].shared)
      d.shared = run->steps.data[i].shared;
    if (!is_shown(&d, i))
      continue;
    if (cut && at == HEAD)
      hd_str_printf(out, "      … %zu steps left out (%s shows them) …\n",
                    shown - HEAD - TAIL, options->more ? options->more : "-v");
    if (!cut || at < HEAD || at >= shown - TAIL)
      print_step(&d, i);
    at++;
  }
  print_states(&d, false);
  hd_free(d.column);
  hd_free(d.first);
  hd_free(d.last);
  hd_free(d.born);
  hd_free(d.died);
  hd_free(d.function);
  hd_free(d.x);
  hd_free(d.width);
}
