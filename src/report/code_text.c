/* SPDX-License-Identifier: MIT */
/* Reports on C programs for people. A run is a table: one column a thread where
 * that fits on a line, else one row a statement with the thread's name. */
#include "report/code_rows.h"
#include "report/code_words.h"
#include "report/describe.h"
#include "report/report.h"

#include <string.h>

enum {
  HEAD = 40,      /* of a long run the first … */
  TAIL = 30,      /* … and last rows are shown */
  LINE = 100,     /* columns a table may take */
  NARROWEST = 14, /* of a thread's column */
  WIDEST = 32,
  EFFECT = 18, /* room that the effects should have */
  STATEMENT = 44,
};

typedef struct {
  const hd_code_rows *rows;
  bool *chosen;
  size_t where;  /* width of "file.c:12" */
  uint32_t file; /* all of it is in this one: its name is not repeated */
  size_t *width; /* of each thread's column; NULL = a list */
  bool all, color;
} table;

/* Bytes of UTF-8 text that begin a character: columns, nearly. */
static size_t columns_of(const char *text) {
  size_t n = 0;
  for (; *text; text++)
    n += ((unsigned char)*text & 0xC0) != 0x80;
  return n;
}

/* `text` in at least `width` columns, the last one of a line unpadded. */
static void put_cell(hd_str *out, const char *text, size_t width) {
  hd_str cut = {0};
  hd_describe_shortened(&cut, text, width < 8 ? 8 : width);
  hd_str_puts(out, hd_str_text(&cut));
  for (size_t n = columns_of(hd_str_text(&cut)); n < width; n++)
    hd_str_puts(out, " ");
  hd_str_free(&cut);
}

static void trim_line(hd_str *out) {
  while (out->size && out->data[out->size - 1] == ' ')
    out->data[--out->size] = 0;
}

/* A long name of the only file is said once, above the table. */
static uint32_t only_file(const table *t) {
  const hd_code_rows *rows = t->rows;
  uint32_t file = HD_NO_ID;
  for (size_t i = 0; i < rows->rows.size; i++) {
    uint32_t here = rows->rows.data[i].pos.file;
    if (!t->chosen[i] || here == HD_NO_ID)
      continue;
    if (file != HD_NO_ID && here != file)
      return HD_NO_ID;
    file = here;
  }
  hd_str name = {0};
  hd_code_where(&name, rows->code, (hd_cpos){.file = file, .line = 1});
  bool is_long = name.size > 16;
  hd_str_free(&name);
  return is_long ? file : HD_NO_ID;
}

static void put_where(hd_str *out, const table *t, hd_cpos pos) {
  if (t->file != HD_NO_ID && pos.line)
    hd_str_printf(out, "%u", pos.line);
  else
    hd_code_where(out, t->rows->code, pos);
}

static void measure(table *t) {
  const hd_code_rows *rows = t->rows;
  size_t n = rows->threads.size;
  size_t *width = hd_calloc(n + 1, sizeof *width);
  t->file = only_file(t);
  t->where = t->file == HD_NO_ID ? 5 : 4;
  for (size_t i = 0; i < rows->rows.size; i++) {
    if (!t->chosen[i])
      continue;
    const hd_row *row = &rows->rows.data[i];
    hd_str where = {0};
    put_where(&where, t, row->pos);
    if (where.size > t->where)
      t->where = where.size < 24 ? where.size : 24;
    hd_str_free(&where);
    size_t length = columns_of(row->statement);
    if (length > width[row->thread])
      width[row->thread] = length < WIDEST ? length : WIDEST;
  }
  size_t sum = 7 + 2 + t->where + EFFECT, used = 0;
  for (size_t i = 0; i < n; i++)
    if (width[i]) {
      size_t header = columns_of(rows->threads.data[i]);
      width[i] = width[i] > header ? width[i] : header;
      sum += width[i] + 2;
      used++;
    }
  /* Too wide: the widest columns give way. */
  while (sum > LINE) {
    size_t widest = 0;
    for (size_t i = 1; i < n; i++)
      if (width[i] > width[widest])
        widest = i;
    if (width[widest] <= NARROWEST)
      break;
    width[widest]--;
    sum--;
  }
  t->width = width;
  if (sum > LINE || used < 2 || t->all) {
    hd_free(width);
    t->width = NULL;
  }
}

static void print_head(hd_str *out, const table *t) {
  hd_str_puts(out, "  move   ");
  put_cell(out, t->file == HD_NO_ID ? "where" : "line", t->where);
  hd_str_puts(out, "  ");
  for (size_t i = 0; t->width && i < t->rows->threads.size; i++)
    if (t->width[i]) {
      put_cell(out, t->rows->threads.data[i], t->width[i]);
      hd_str_puts(out, "  ");
    }
  if (!t->width) {
    put_cell(out, "thread", 12);
    hd_str_puts(out, "  ");
    put_cell(out, "function", 12);
    hd_str_puts(out, "  ");
    put_cell(out, "statement", STATEMENT);
    hd_str_puts(out, "  ");
  }
  hd_str_puts(out, "effect\n");
}

static void print_row(hd_str *out, const table *t, const hd_row *row) {
  hd_str where = {0}, line = {0};
  put_where(&where, t, row->pos);
  hd_str_printf(&line, "%c %5u  ", row->failed ? '>' : ' ', row->first);
  put_cell(&line, hd_str_text(&where), t->where);
  hd_str_puts(&line, "  ");
  for (size_t i = 0; t->width && i < t->rows->threads.size; i++)
    if (t->width[i]) {
      put_cell(&line, i == row->thread ? row->statement : "", t->width[i]);
      hd_str_puts(&line, "  ");
    }
  if (!t->width) {
    put_cell(&line, t->rows->threads.data[row->thread], 12);
    hd_str_puts(&line, "  ");
    put_cell(&line, hd_code_func_name(t->rows->code, row->func), 12);
    hd_str_puts(&line, "  ");
    put_cell(&line, row->statement, STATEMENT);
    hd_str_puts(&line, "  ");
  }
  if (t->all)
    hd_str_puts(&line, row->effect);
  else
    hd_describe_shortened(&line, row->effect, 60);
  trim_line(&line);
  hd_report_painted(out, t->color, row->failed ? HD_BAD : HD_PLAIN,
                    hd_str_text(&line));
  hd_str_puts(out, "\n");
  hd_str_free(&where);
  hd_str_free(&line);
}

static void print_rows(hd_str *out, const hd_code_trace *trace,
                       const hd_violation *violation, bool all, bool color) {
  hd_code_rows *rows = hd_code_rows_new(trace, violation);
  table t = {.rows = rows, .all = all, .color = color};
  t.chosen = hd_code_rows_select(rows, all);
  measure(&t);
  size_t shown = 0, at = 0;
  for (size_t i = 0; i < rows->rows.size; i++)
    shown += t.chosen[i];
  print_head(out, &t);
  for (size_t i = 0; i < rows->rows.size; i++) {
    if (!t.chosen[i])
      continue;
    bool cut = !all && shown > HEAD + TAIL;
    if (cut && at == HEAD)
      hd_str_printf(out, "    ... %zu rows left out (-v shows them)\n",
                    shown - HEAD - TAIL);
    if (!cut || at < HEAD || at >= shown - TAIL)
      print_row(out, &t, &rows->rows.data[i]);
    at++;
  }
  if (shown < rows->rows.size)
    hd_str_printf(out,
                  "\n%zu statement%s that no other thread can see: left out "
                  "(-v shows all).\n",
                  rows->rows.size - shown,
                  rows->rows.size - shown == 1 ? "" : "s");
  hd_free(t.width);
  hd_free(t.chosen);
  hd_code_rows_delete(rows);
}

static void print_size(hd_str *out, const hd_code_report *report) {
  const hd_code *code = report->code;
  size_t funcs = 0, globals = 0;
  for (hd_vec_each(const hd_func, f, &code->funcs))
    funcs += f->defined;
  for (hd_vec_each(const hd_global, g, &code->globals))
    globals += g->cname != NULL;
  hd_report_one_line(out, report->file);
  if (report->n_files > 1)
    hd_str_printf(out, " and %zu more", report->n_files - 1);
  hd_str_puts(out, ": C program, ");
  hd_describe_counted(out, funcs, "function", "s");
  hd_str_puts(out, ", ");
  hd_describe_counted(out, code->locs.size, "location", "s");
  hd_str_puts(out, ", ");
  hd_describe_counted(out, globals, "global variable", "s");
  hd_str_printf(out, ", %u bits\n", code->pointer_width);
}

static void print_violation(hd_str *out, const hd_code_report *report,
                            const hd_code_answer *answer) {
  hd_str_puts(out, "\n");
  hd_code_violation_words(out, report->code, answer->trace, &answer->violation);
  hd_str_puts(out, ",\nafter ");
  hd_describe_counted(out, answer->turns.size, "move", "s");
  hd_str_puts(out, " of ");
  hd_describe_counted(out, answer->trace->n_threads, "thread", "s");
  hd_str_printf(out, " (found by %s):\n\n", answer->engine);
  print_rows(out, answer->trace, &answer->violation, report->all,
             report->color);
  hd_str_puts(out, "\nThe run was made again by a fresh machine.\n");
}

static void print_notes(hd_str *out, const hd_code_report *report) {
  for (size_t i = 0; i < report->result->notes.size; i++) {
    hd_str_puts(out, i ? "" : "\n");
    hd_str_puts(out, "note: ");
    hd_report_one_line(out, report->result->notes.data[i]);
    hd_str_puts(out, "\n");
  }
}

static hd_paint paint_of(hd_verdict verdict) {
  return verdict == HD_SAFE     ? HD_GOOD
         : verdict == HD_UNSAFE ? HD_BAD
                                : HD_UNSURE;
}

/* "race: unknown (REASON)" */
static void print_verdict(hd_str *out, const hd_code_report *report,
                          const char *name, hd_verdict verdict,
                          const char *reason) {
  hd_str_printf(out, "%s: ", name);
  hd_report_painted(out, report->color, paint_of(verdict),
                    hd_verdict_name(verdict));
  if (verdict == HD_UNKNOWN && reason) {
    hd_str_puts(out, " (");
    hd_report_one_line(out, reason);
    hd_str_puts(out, ")");
  }
  hd_str_puts(out, "\n");
}

/* How far "safe" goes. */
static void print_scope(hd_str *out, const hd_code_report *report) {
  const hd_code_answer *answer = &report->result->answers[HD_PROPERTY_ASSERT];
  if (report->unbounded && answer->verdict == HD_SAFE)
    hd_str_printf(out,
                  "\nNo assertion can fail, whatever the number of threads "
                  "(shown by %s).\n",
                  answer->engine);
}

static void print_answers(hd_str *out, const hd_code_report *report) {
  hd_str_puts(out, "\n");
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    const hd_code_answer *answer = &report->result->answers[p];
    if (answer->asked)
      print_verdict(out, report, hd_property_name((hd_property)p),
                    answer->verdict, answer->reason);
  }
}

/* The reason that the last line gives: of the first property that has none. */
static const char *first_reason(const hd_code_result *result) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++)
    if (result->answers[p].asked && result->answers[p].verdict == HD_UNKNOWN &&
        result->answers[p].reason)
      return result->answers[p].reason;
  return "no reason given";
}

static void print_result(hd_str *out, const hd_code_report *report) {
  const hd_code_result *result = report->result;
  hd_verdict worst = hd_code_result_worst(result);
  if (!report->quiet) {
    print_size(out, report);
    for (int p = 0; p < HD_PROPERTY_COUNT; p++)
      if (result->answers[p].verdict == HD_UNSAFE)
        print_violation(out, report, &result->answers[p]);
    print_scope(out, report);
    print_notes(out, report);
    print_answers(out, report);
    if (report->hint)
      hd_str_printf(out, "Try %s.\n", report->hint);
    hd_code_statistics_text(out, report);
  }
  const char *reason = worst == HD_UNKNOWN ? first_reason(result) : NULL;
  print_verdict(out, report, "verdict", worst, reason);
}

static void print_run(hd_str *out, const hd_code_report *report) {
  const hd_code_run *run = report->run;
  if (!report->quiet && report->trace) {
    print_rows(out, report->trace, run->n_violations ? run->violations : NULL,
               report->all, report->color);
    hd_str_puts(out, "\n");
  }
  for (size_t i = 0; i < run->n_violations; i++) {
    hd_str text = {0};
    hd_code_violation_words(&text, report->code, report->trace,
                            &run->violations[i]);
    hd_report_painted(out, report->color, HD_BAD, hd_str_text(&text));
    hd_str_puts(out, "\n");
    hd_str_free(&text);
  }
  if (report->quiet)
    return;
  hd_code_statistics_text(out, report);
  hd_code_status_words(out, run);
  hd_str_puts(out, "\n");
}

void hd_report_code_text(hd_str *out, const hd_code_report *report) {
  if (report->run)
    print_run(out, report);
  else
    print_result(out, report);
}

void hd_report_code_check_text(hd_str *out, const hd_code_judgement *j) {
  if (!j->quiet) {
    hd_report_one_line(out, j->evidence);
    hd_str_puts(out, ": schedule of ");
    hd_describe_counted(out, j->turns, "move", "s");
    hd_str_puts(out, "\n");
    if (j->violation) {
      hd_code_violation_words(out, j->code, j->trace, j->violation);
      hd_str_puts(out, "\n");
    }
  }
  hd_str_puts(out, "check: ");
  hd_report_painted(out, j->color, j->violation ? HD_GOOD : HD_BAD,
                    j->violation ? "accepted" : "refused");
  if (!j->violation) {
    hd_str_puts(out, " (");
    hd_report_one_line(out, j->why);
    hd_str_puts(out, ")");
  }
  hd_str_puts(out, "\n");
}

void hd_report_code_listing(hd_str *out, const hd_code *code, const char *file,
                            size_t n_files) {
  hd_code_report report = {.code = code, .file = file, .n_files = n_files};
  print_size(out, &report);
  hd_str_printf(out, "\n  %-24s %-20s %s\n", "function", "where", "locations");
  for (hd_vec_each(const hd_func, f, &code->funcs)) {
    hd_str where = {0};
    hd_code_where(&where, code, f->pos);
    if (f->defined)
      hd_str_printf(out, "  %-24s %-20s %9u\n", f->cname ? f->cname : f->name,
                    hd_str_text(&where), f->n_locs);
    hd_str_free(&where);
  }
  bool any = false;
  for (hd_vec_each(const hd_global, g, &code->globals)) {
    if (!g->cname)
      continue;
    hd_str where = {0};
    hd_code_where(&where, code, g->pos);
    if (!any)
      hd_str_printf(out, "\n  %-24s %-20s %s\n", "global variable", "where",
                    "    bytes");
    any = true;
    hd_str_printf(out, "  %-24s %-20s %9llu%s\n", g->cname, hd_str_text(&where),
                  (unsigned long long)g->size,
                  g->thread_local ? "  one a thread" : "");
    hd_str_free(&where);
  }
  size_t unknown = 0;
  for (hd_vec_each(const hd_func, f, &code->funcs))
    if (!f->defined)
      hd_str_printf(out, "%s%s", unknown++ ? ", " : "\nof the library: ",
                    f->cname ? f->cname : f->name);
  if (unknown)
    hd_str_puts(out, "\n");
}
