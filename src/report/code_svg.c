/* SPDX-License-Identifier: MIT */
/* A run as a space-time diagram: one column a thread, time downward, a box for
 * each statement that others can see, arrows for what orders them. One file
 * with nothing outside it. */
#include "report/code_reads.h"
#include "report/code_rows.h"
#include "report/code_words.h"
#include "report/describe.h"
#include "report/markup.h"

#include <string.h>

enum {
  MARGIN = 16,
  NUMBERS = 52, /* column of the moves' numbers */
  COLUMN = 268,
  GAP = 36, /* between columns, for the arrows */
  BOX = 38,
  STEP = 52,
  HEADER = 34,
  MOST = 160, /* boxes; of longer runs the middle is left out */
  FIRST = 60,
  LETTERS = 35, /* of a statement in a box */
  SMALL = 37,   /* of the line below */
  LEGEND = 30,
};

typedef struct {
  const hd_code_rows *rows;
  size_t *line;   /* of each row; SIZE_MAX = not shown */
  size_t n_lines; /* with the gap */
  size_t gap;     /* the line that stands for what is left out; SIZE_MAX */
  size_t hidden;
  size_t top;     /* y of the first line */
  size_t *column; /* of each thread; SIZE_MAX = has no box */
  size_t n_columns;
} picture;

static void put_short(hd_str *out, const char *text, size_t most) {
  hd_str cut = {0};
  hd_describe_shortened(&cut, text, most);
  hd_markup_text(out, hd_str_text(&cut));
  hd_str_free(&cut);
}

static size_t x_of(const picture *p, hd_tid thread) {
  return MARGIN + NUMBERS + p->column[thread] * (COLUMN + GAP);
}

static size_t y_of(const picture *p, size_t row) {
  return p->top + p->line[row] * STEP;
}

/* Which rows get a line, and which threads a column. */
static void arrange(picture *p) {
  const hd_code_rows *rows = p->rows;
  size_t n = rows->rows.size, shown = 0, at = 0;
  bool *chosen = hd_code_rows_select(rows, false);
  for (size_t i = 0; i < n; i++)
    shown += chosen[i];
  p->line = hd_calloc(n + 1, sizeof *p->line);
  p->column = hd_calloc(rows->threads.size + 1, sizeof *p->column);
  p->hidden = shown > MOST ? shown - MOST : 0;
  p->gap = p->hidden ? FIRST : SIZE_MAX;
  memset(p->column, 0xFF, rows->threads.size * sizeof *p->column);
  for (size_t i = 0; i < n; i++) {
    p->line[i] = SIZE_MAX;
    if (!chosen[i])
      continue;
    bool left_out = p->hidden && at >= FIRST && at < FIRST + p->hidden;
    if (!left_out) {
      if (p->n_lines == p->gap)
        p->n_lines++;
      p->line[i] = p->n_lines++;
      p->column[rows->rows.data[i].thread] = 0;
    }
    at++;
  }
  for (size_t t = 0; t < rows->threads.size; t++)
    if (p->column[t] == 0)
      p->column[t] = p->n_columns++;
  hd_free(chosen);
}

static void draw_header(hd_str *out, const picture *p, hd_tid thread) {
  size_t x = x_of(p, thread), y = p->top - HEADER - 12;
  hd_str_printf(out,
                "<rect class='head' x='%zu' y='%zu' width='%d' height='%d' "
                "rx='4'/>\n<text class='head' x='%zu' y='%zu'>",
                x, y, COLUMN, HEADER - 6, x + COLUMN / 2, y + 19);
  hd_markup_text(out, p->rows->threads.data[thread]);
  hd_str_puts(out, "</text>\n");
  /* The life line ends with the thread's last box. */
  size_t first = SIZE_MAX, last = 0;
  for (size_t i = 0; i < p->rows->rows.size; i++)
    if (p->rows->rows.data[i].thread == thread && p->line[i] != SIZE_MAX) {
      first = first == SIZE_MAX ? y_of(p, i) : first;
      last = y_of(p, i);
    }
  hd_str_printf(out, "<path class='life' d='M%zu %zuV%zu'/>\n", x + COLUMN / 2,
                y + HEADER - 6, first);
  hd_str_printf(out, "<path class='lives' d='M%zu %zuV%zu'/>\n", x + COLUMN / 2,
                first, last);
}

static void draw_tip(hd_str *out, const picture *p, const hd_row *row,
                     const char *where) {
  hd_str_puts(out, "<title>");
  hd_markup_text(out, where);
  hd_str_puts(out, " in ");
  hd_markup_text(out, hd_code_func_name(p->rows->code, row->func));
  hd_str_puts(out, ": ");
  hd_markup_text(out, row->statement);
  if (*row->effect) {
    hd_str_puts(out, " — ");
    hd_markup_text(out, row->effect);
  }
  hd_str_puts(out, "</title>");
}

/* The statement; below it what it did, and where it stands. */
static void draw_box(hd_str *out, const picture *p, size_t i) {
  const hd_row *row = &p->rows->rows.data[i];
  size_t x = x_of(p, row->thread), y = y_of(p, i);
  hd_str where = {0}, place = {0};
  hd_code_where(&where, p->rows->code, row->pos);
  hd_describe_shortened(&place, hd_str_text(&where), SMALL / 2 - 4);
  hd_str_puts(out, "<g>");
  draw_tip(out, p, row, hd_str_text(&where));
  hd_str_printf(out,
                "<rect class='%s' x='%zu' y='%zu' width='%d' height='%d' "
                "rx='4'/>\n<text class='%s' x='%zu' y='%zu'>",
                row->failed ? "bad" : "box", x, y, COLUMN, BOX,
                row->failed ? "badtext" : "statement", x + 8, y + 15);
  put_short(out, row->statement, LETTERS);
  hd_str_printf(out, "</text>\n<text class='effect' x='%zu' y='%zu'>", x + 8,
                y + 31);
  put_short(out, row->effect, SMALL - place.size - 1);
  hd_str_printf(out, "</text>\n<text class='where' x='%zu' y='%zu'>",
                x + COLUMN - 8, y + 31);
  hd_markup_text(out, hd_str_text(&place));
  hd_str_printf(out,
                "</text></g>\n<text class='move' x='%d' y='%zu'>%u</text>\n",
                MARGIN + NUMBERS - 10, y + 23, row->first);
  hd_str_free(&where);
  hd_str_free(&place);
}

/* A row that is not shown is stood for by the thread's next one, or the one
 * before. */
static size_t shown_row(const picture *p, size_t row, bool forward) {
  hd_tid thread = p->rows->rows.data[row].thread;
  for (size_t i = row; i < p->rows->rows.size; forward ? i++ : i--)
    if (p->rows->rows.data[i].thread == thread && p->line[i] != SIZE_MAX)
      return i;
  return SIZE_MAX;
}

static void draw_arrow(hd_str *out, const picture *p, const hd_arrow *arrow) {
  size_t from = shown_row(p, arrow->from, false);
  size_t to = shown_row(p, arrow->to, true);
  if (from == SIZE_MAX || to == SIZE_MAX || from == to)
    return;
  const hd_row *a = &p->rows->rows.data[from], *b = &p->rows->rows.data[to];
  if (a->thread == b->thread)
    return;
  bool right = p->column[b->thread] > p->column[a->thread];
  size_t x1 = x_of(p, a->thread) + (right ? COLUMN : 0);
  size_t x2 = x_of(p, b->thread) + (right ? 0 : COLUMN);
  size_t y1 = y_of(p, from) + BOX / 2, y2 = y_of(p, to) + BOX / 2;
  size_t bend = GAP * 3 / 4;
  hd_str_printf(
      out,
      "<path class='arrow %s' d='M%zu %zuC%zu %zu %zu %zu %zu %zu' "
      "marker-end='url(#%s)'/>\n",
      hd_arrow_name(arrow->kind), x1, y1, right ? x1 + bend : x1 - bend, y1,
      right ? x2 - bend : x2 + bend, y2, x2, y2, hd_arrow_name(arrow->kind));
}

static const char *const colors[][2] = {
    {"create", "#444"},  {"join", "#444"},     {"lock", "#2563a8"},
    {"wake", "#2e7d32"}, {"race", "#c62828"},  {"message", "#7b3fa0"},
    {"read", "#00796b"}, {"before", "#d07000"}};
enum { KINDS = HD_ARROW_KINDS };

static void put_style(hd_str *out) {
  hd_str_puts(out,
              "<style>\n"
              "text{font-family:ui-monospace,Menlo,Consolas,'DejaVu Sans Mono',"
              "monospace;font-size:12px;fill:#222}\n"
              "text.title{font-weight:bold;font-size:13px}\n"
              "text.head{font-weight:bold;text-anchor:middle}\n"
              "text.effect{fill:#5a6570;font-size:11px}\n"
              "text.where{fill:#8a949e;font-size:11px;text-anchor:end}\n"
              "text.move{fill:#8a949e;font-size:11px;text-anchor:end}\n"
              "text.badtext{fill:#a11;font-weight:bold}\n"
              "rect.page{fill:#fff}\n"
              "rect.head{fill:#dfe5ea;stroke:#9aa5af}\n"
              "rect.box{fill:#f6f8fa;stroke:#9aa5af}\n"
              "rect.bad{fill:#fde7e7;stroke:#c62828;stroke-width:2}\n"
              "path.life{stroke:#c9d1d8;stroke-dasharray:2 4;fill:none}\n"
              "path.lives{stroke:#9aa5af;fill:none}\n"
              "path.arrow{fill:none;stroke-width:1.5}\n");
  for (size_t i = 0; i < KINDS; i++)
    hd_str_printf(out, "path.%s{stroke:%s%s}\n", colors[i][0], colors[i][1],
                  i == HD_ARROW_LOCK || i == HD_ARROW_WAKE ||
                          i == HD_ARROW_BEFORE
                      ? ";stroke-dasharray:5 3"
                      : "");
  hd_str_puts(out, "</style>\n<defs>\n");
  for (size_t i = 0; i < KINDS; i++)
    hd_str_printf(out,
                  "<marker id='%s' viewBox='0 0 8 8' refX='7' refY='4' "
                  "markerWidth='7' markerHeight='7' orient='auto'><path "
                  "d='M0 0L8 4L0 8z' fill='%s'/></marker>\n",
                  colors[i][0], colors[i][1]);
  hd_str_puts(out, "</defs>\n");
}

/* Of the arrows that there are; all, where there are none. */
static void draw_legend(hd_str *out, const picture *p, size_t y) {
  static const char *const words[] = {
      "starts a thread", "joins",          "lock: released to acquired",
      "wakes",           "race",           "message",
      "reads it",        "does not see it"};
  size_t x = MARGIN;
  bool used[KINDS] = {false}, any = false;
  for (hd_vec_each(const hd_arrow, arrow, &p->rows->arrows))
    used[arrow->kind] = any = true;
  for (size_t i = 0; i < KINDS; i++) {
    if (any && !used[i])
      continue;
    hd_str_printf(out,
                  "<path class='arrow %s' d='M%zu %zuh26' "
                  "marker-end='url(#%s)'/>\n<text class='effect' x='%zu' "
                  "y='%zu'>%s</text>\n",
                  colors[i][0], x, y - 4, colors[i][0], x + 32, y, words[i]);
    x += 46 + 7 * strlen(words[i]);
  }
}

/* The title has a line for each of the text's. */
static void draw_title(hd_str *out, const char *text) {
  size_t y = MARGIN + 12;
  while (*text) {
    size_t n = strcspn(text, "\n");
    hd_str line = {0};
    hd_str_append(&line, text, n);
    hd_str_printf(out,
                  "<text class='title' x='%d' y='%zu' "
                  "xml:space='preserve'>",
                  MARGIN, y);
    hd_markup_text(out, hd_str_text(&line));
    hd_str_puts(out, "</text>\n");
    hd_str_free(&line);
    y += 18;
    text += n + (text[n] == '\n');
  }
}

static size_t lines_in(const char *text) {
  size_t n = 1;
  for (; *text; text++)
    n += *text == '\n';
  return n;
}

/* `text` with lines of at most `most` columns, where it has blanks. */
static void wrap(hd_str *out, const char *text, size_t most) {
  size_t column = 0;
  while (*text) {
    size_t blanks = strspn(text, " "), word = strcspn(text + blanks, " \n");
    if (column && column + blanks + word > most) {
      hd_str_puts(out, "\n    ");
      column = 4;
      text += blanks;
      blanks = 0;
    }
    hd_str_append(out, text, blanks + word);
    column += blanks + word;
    text += blanks + word;
    if (*text == '\n') {
      hd_str_puts(out, "\n");
      column = 0;
      text++;
    }
  }
}

static void draw(hd_str *out, picture *p, const char *text) {
  arrange(p);
  size_t width = 2 * MARGIN + NUMBERS + p->n_columns * (COLUMN + GAP);
  width = width > 700 ? width : 700;
  hd_str wrapped = {0};
  wrap(&wrapped, text, (width - 2 * MARGIN) / 8);
  const char *title = hd_str_text(&wrapped);
  p->top = MARGIN + 18 * lines_in(title) + HEADER + 28;
  size_t height = p->top + p->n_lines * STEP + LEGEND + MARGIN;
  hd_str_printf(out,
                "<svg xmlns='http://www.w3.org/2000/svg' width='%zu' "
                "height='%zu' viewBox='0 0 %zu %zu'>\n",
                width, height, width, height);
  put_style(out);
  hd_str_puts(out, "<rect class='page' width='100%' height='100%'/>\n");
  draw_title(out, title);
  for (hd_tid t = 0; t < p->rows->threads.size; t++)
    if (p->column[t] != SIZE_MAX)
      draw_header(out, p, t);
  for (hd_vec_each(const hd_arrow, arrow, &p->rows->arrows))
    draw_arrow(out, p, arrow);
  for (size_t i = 0; i < p->rows->rows.size; i++)
    if (p->line[i] != SIZE_MAX)
      draw_box(out, p, i);
  if (p->hidden)
    hd_str_printf(out,
                  "<text class='effect' x='%d' y='%zu'>… %zu statements left "
                  "out …</text>\n",
                  MARGIN + NUMBERS, p->top + p->gap * STEP + 23, p->hidden);
  draw_legend(out, p, height - MARGIN);
  hd_str_puts(out, "</svg>\n");
  hd_str_free(&wrapped);
  hd_free(p->line);
  hd_free(p->column);
}

static void draw_trace(hd_str *out, const hd_code_trace *trace,
                       const hd_violation *violation, const char *title) {
  hd_code_rows *rows = hd_code_rows_new(trace, violation);
  picture p = {.rows = rows};
  draw(out, &p, title);
  hd_code_rows_delete(rows);
}

/* The first violation of the properties, in their order. */
static const hd_code_answer *first_violation(const hd_code_result *result) {
  for (int i = 0; result && i < HD_PROPERTY_COUNT; i++)
    if (result->answers[i].verdict == HD_UNSAFE)
      return &result->answers[i];
  return NULL;
}

static void draw_report(hd_str *out, const hd_code_report *report, bool dot) {
  const hd_code_answer *answer = first_violation(report->result);
  const hd_code_trace *trace = answer ? answer->trace : report->trace;
  const hd_violation *violation = NULL;
  if (answer)
    violation = &answer->violation;
  else if (report->run && report->run->n_violations)
    violation = report->run->violations;
  hd_str title = {0};
  hd_str_printf(&title, "%s — ", report->file);
  if (violation)
    hd_code_violation_words(&title, report->code, trace, violation);
  else if (report->run)
    hd_code_status_words(&title, report->run);
  else
    hd_str_printf(&title, "no violation: %s",
                  hd_verdict_name(hd_code_result_worst(report->result)));
  hd_code_trace *nothing = trace ? NULL : hd_code_trace_new(report->code);
  if (!dot)
    draw_trace(out, trace ? trace : nothing, violation, hd_str_text(&title));
  else
    hd_exec_dot(out, trace ? trace : nothing, hd_str_text(&title));
  hd_code_trace_delete(nothing);
  hd_str_free(&title);
}

void hd_report_code_svg(hd_str *out, const hd_code_report *report) {
  draw_report(out, report, false);
}

void hd_report_execution_dot(hd_str *out, const hd_code_report *report) {
  draw_report(out, report, true);
}
