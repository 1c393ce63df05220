/* SPDX-License-Identifier: MIT */
/* Reports on C programs for people. */
#include "report/code_reads.h"
#include "report/code_rows.h"
#include "report/code_words.h"
#include "report/describe.h"
#include "report/report.h"
#include "report/standing.h"

#include <string.h>

static void print_rows(hd_str *out, const hd_code_trace *trace,
                       const hd_violation *violation, bool all, bool color) {
  hd_story *story = hd_story_new();
  hd_story_run *run = hd_story_code_run(story, trace, violation);
  hd_story_add_run(story, run);
  hd_diagram_options options = {.all = all, .color = color};
  hd_story_diagram(out, run, &options);
  size_t hidden = 0;
  for (hd_vec_each(const hd_story_step, s, &run->steps))
    hidden += !s->shows;
  if (hidden && !all) {
    hd_str_puts(out, "\n");
    hd_describe_counted(out, hidden, "statement", "s");
    hd_str_printf(out, " that no other %s can see: left out (-v shows all).\n",
                  trace->processes ? "process" : "thread");
  }
  hd_story_delete(story);
}

/* `text` in lines of at most 80 columns, broken at blanks, the later ones
 * indented. */
static void put_wrapped(hd_str *out, const char *text) {
  size_t column = 0;
  while (*text) {
    size_t blanks = strspn(text, " "), word = strcspn(text + blanks, " \n");
    if (column && column + blanks + word > 79) {
      hd_str_puts(out, "\n  ");
      column = 2;
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

/* Was a lock found as it was before? */
static bool misses(const hd_code_trace *trace) {
  for (hd_vec_each(const hd_traced, t, &trace->events))
    if (t->event.kind == HD_EVENT_MISS)
      return true;
  return false;
}

/* What no interleaving does, in full: the columns above are narrow. */
static void print_reads(hd_str *out, const hd_code_trace *trace) {
  const hd_execution *x = trace->execution;
  hd_code_rows *rows = x ? hd_code_rows_new(trace, NULL) : NULL;
  bool first = true;
  for (hd_exec_id i = 0; x && i < x->events.size; i++) {
    if (hd_exec_overlooks(x, i) == HD_NO_ID)
      continue;
    const hd_exec_event *e = &x->events.data[i];
    hd_str line = {0};
    hd_str_puts(out, first ? "\nWhat memory does here:\n" : "");
    first = false;
    hd_str_puts(&line, "  ");
    hd_code_where(&line, trace->code, trace->code->edges.data[e->edge].pos);
    hd_str_printf(&line, ": %s ",
                  e->thread < rows->threads.size ? rows->threads.data[e->thread]
                                                 : "?");
    hd_exec_describe(&line, trace->code, x, i);
    put_wrapped(out, hd_str_text(&line));
    hd_str_puts(out, "\n");
    hd_str_free(&line);
  }
  if (x && first && !misses(trace))
    hd_str_puts(out, "\nEvery read reads the newest write.\n");
  if (rows)
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
  hd_str words = {0};
  hd_str_puts(out, "\n");
  hd_code_violation_words(&words, report->code, answer->trace,
                          &answer->violation);
  put_wrapped(out, hd_str_text(&words));
  hd_str_free(&words);
  hd_str_puts(out, ",\nafter ");
  hd_describe_counted(out, answer->turns.size, "move", "s");
  hd_str_puts(out, " of ");
  bool processes = answer->trace->processes;
  hd_describe_counted(out, answer->trace->n_threads,
                      processes ? "process" : "thread", processes ? "es" : "s");
  hd_str_printf(out, " (found by %s):\n\n", answer->engine);
  print_rows(out, answer->trace, &answer->violation, report->all,
             report->color);
  print_reads(out, answer->trace);
  if (answer->trace->execution)
    hd_str_puts(out,
                "\nThe run was made again by a fresh machine, and judged by "
                "the axioms.\n");
  else if (!answer->not_executed)
    hd_str_puts(out, "\nThe run was made again by a fresh machine.\n");
  else
    hd_str_puts(out, "\nThe run was followed without abstraction; annotations "
                     "are not executed.\n");
}

/* The run to the first new one of each property; to all of them with -v. */
static void print_violations(hd_str *out, const hd_code_report *report) {
  hd_code_answers all = {0};
  hd_code_violations(report->result, &all);
  for (size_t i = 0; i < all.size; i++) {
    const hd_code_answer *a = all.data[i];
    bool first = a == &report->result->answers[a->violation.property];
    if (report->all || (first && a->standing == HD_STANDING_NEW))
      print_violation(out, report, a);
  }
  hd_vec_free(&all);
}

/* It is the reason of a verdict already. */
static bool is_reason(const hd_code_result *result, const char *note) {
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    const hd_code_answer *a = &result->answers[p];
    if (a->asked && a->verdict == HD_UNKNOWN && a->reason &&
        !strcmp(a->reason, note))
      return true;
  }
  return false;
}

/* The lines of a note behind the first are indented. */
static void print_notes(hd_str *out, const hd_code_report *report) {
  bool any = false;
  for (size_t i = 0; i < report->result->notes.size; i++) {
    const char *at = report->result->notes.data[i].text, *start = "note: ";
    if (is_reason(report->result, at))
      continue;
    hd_str_puts(out, any ? "" : "\n");
    any = true;
    do {
      size_t n = strcspn(at, "\n");
      hd_str line = {0};
      hd_str_append(&line, at, n);
      hd_str_puts(out, start);
      hd_report_one_line(out, hd_str_text(&line));
      hd_str_puts(out, "\n");
      hd_str_free(&line);
      at += n + (at[n] == '\n');
      start = "  ";
    } while (*at);
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
  if (reason) {
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
                    answer->verdict,
                    answer->verdict == HD_UNKNOWN ? answer->reason : NULL);
  }
}

/* Is p the first that is safe by its engine and proof? */
static bool leads_group(const hd_code_result *result, int p) {
  const hd_code_answer *answer = &result->answers[p];
  bool first = answer->asked && answer->verdict == HD_SAFE && answer->engine;
  for (int q = 0; q < p && first; q++)
    first = !hd_code_same_proof(answer, &result->answers[q]);
  return first;
}

/* "Shown by modular: assert, race. The proof was not checked." */
static void print_proofs(hd_str *out, const hd_code_report *report) {
  const hd_code_result *result = report->result;
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    if (!leads_group(result, p))
      continue;
    const hd_code_answer *answer = &result->answers[p];
    hd_str text = {0};
    hd_str_printf(&text, "Shown by %s: %s", answer->engine,
                  hd_property_name((hd_property)p));
    for (int q = p + 1; q < HD_PROPERTY_COUNT; q++)
      if (hd_code_same_proof(answer, &result->answers[q]))
        hd_str_printf(&text, ", %s", hd_property_name((hd_property)q));
    hd_str_puts(&text, ". ");
    hd_code_proof_words(&text, answer);
    hd_str_puts(&text, "\n");
    put_wrapped(out, hd_str_text(&text));
    hd_str_free(&text);
  }
}

static void print_assumes(hd_str *out, const hd_code_result *result) {
  hd_str text = {0};
  for (size_t i = 0; i < result->assumes.size; i++) {
    hd_str_puts(&text, i ? "; " : "Assumes: ");
    hd_report_one_line(&text, result->assumes.data[i]);
  }
  hd_str_puts(&text, text.size ? ".\n" : "");
  put_wrapped(out, hd_str_text(&text));
  hd_str_free(&text);
}

/* Who reads nothing but the verdict is told as well. */
static void print_unchecked(hd_str *out, const hd_code_result *result) {
  const char *before = "proof: not checked (";
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    const hd_code_answer *answer = &result->answers[p];
    if (!answer->asked || answer->verdict != HD_SAFE ||
        answer->proof != HD_PROOF_NONE)
      continue;
    hd_str_printf(out, "%s%s", before, hd_property_name((hd_property)p));
    before = ", ";
  }
  if (*before == ',')
    hd_str_puts(out, ")\n");
}

static bool is_certified(const hd_code_answer *answer) {
  return answer->proof == HD_PROOF_ANNOTATION ||
         answer->proof == HD_PROOF_STATES;
}

/* With --certify: what heddle-judge could not be given. */
static void print_uncertified(hd_str *out, const hd_code_result *result) {
  const char *before = "certificate: none (";
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    const hd_code_answer *answer = &result->answers[p];
    if (!answer->asked || answer->verdict != HD_SAFE || is_certified(answer))
      continue;
    hd_str_printf(out, "%s%s", before, hd_property_name((hd_property)p));
    before = ", ";
  }
  if (*before == ',')
    hd_str_puts(out, ")\n");
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
    print_violations(out, report);
    hd_standing_list(out, report->code, result);
    print_scope(out, report);
    print_notes(out, report);
    print_answers(out, report);
    print_proofs(out, report);
    print_assumes(out, result);
    if (report->hint)
      hd_str_printf(out, "Try %s.\n", report->hint);
    hd_code_statistics_text(out, report);
  } else if (worst == HD_SAFE) {
    print_unchecked(out, result);
  }
  if (report->certify)
    print_uncertified(out, result);
  hd_str words = {0};
  hd_standing_words(&words, result);
  const char *reason = worst == HD_UNKNOWN  ? first_reason(result)
                       : worst == HD_UNSAFE ? hd_str_text(&words)
                       : result->ideal      ? "ideal numbers"
                                            : result->remark;
  print_verdict(out, report, "verdict", worst,
                reason && *reason ? reason : NULL);
  hd_str_free(&words);
}

static void print_run(hd_str *out, const hd_code_report *report) {
  const hd_code_run *run = report->run;
  if (!report->quiet && report->trace) {
    print_rows(out, report->trace, run->n_violations ? run->violations : NULL,
               report->all, report->color);
    print_reads(out, report->trace);
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

static void print_schedule(hd_str *out, const hd_code_judgement *j) {
  hd_str_puts(out, ": schedule of ");
  hd_describe_counted(out, j->turns, "move", "s");
  hd_str_puts(out, "\n");
  if (j->violation) {
    hd_code_violation_words(out, j->code, j->trace, j->violation);
    hd_str_puts(out, "\n");
  }
}

static void print_walk(hd_str *out, const hd_code_judgement *j) {
  hd_str_puts(out, "\nFollowed: ");
  hd_describe_counted(out, j->walked.threads, "thread", "s");
  hd_str_puts(out, " and ");
  hd_describe_counted(out, j->walked.places, "place", "s");
  hd_str_puts(out, " in loops, by ");
  hd_describe_counted(out, j->walked.steps, "step", "s");
  hd_str_printf(out, "; %zu of ", j->walked.reached);
  hd_describe_counted(out, j->walked.locations, "location", "s");
  hd_str_printf(out, ", %zu of ", j->walked.defended);
  hd_describe_counted(out, j->walked.assertions, "assertion", "s");
}

static void print_together(hd_str *out, const hd_code_judgement *j) {
  hd_str_puts(out, "\nFollowed together: up to ");
  hd_describe_counted(out, j->joint.threads, "thread", "s");
  hd_str_puts(out, ", ");
  hd_describe_counted(out, j->joint.moves, "move", "s");
  hd_str_printf(out, "; %zu of ", j->joint.reached);
  hd_describe_counted(out, j->joint.locations, "location", "s");
}

static void print_certificate(hd_str *out, const hd_code_judgement *j) {
  hd_str_puts(out, ": ");
  if (j->walked.size) {
    hd_str_puts(out, "annotation of ");
    hd_describe_counted(out, j->walked.size, "place", "s");
  }
  if (j->joint.states) {
    hd_str_puts(out, j->walked.size ? ", " : "");
    hd_describe_counted(out, j->joint.states, "state", "s");
    hd_str_puts(out, " of all threads together");
  }
  if (j->walked.size)
    print_walk(out, j);
  if (j->joint.states)
    print_together(out, j);
  hd_str_puts(out, j->proved ? "\nIt proves that no run violates: " : "\n");
  const char *separator = "";
  for (hd_property p = 0; p < HD_PROPERTY_COUNT; p++)
    if (j->proved >> p & 1) {
      hd_str_printf(out, "%s%s", separator, hd_property_name(p));
      separator = ", ";
    }
  hd_str_puts(out, j->proved ? "\n" : "");
}

void hd_report_code_check_text(hd_str *out, const hd_code_judgement *j) {
  bool good = j->certificate ? j->proved != 0 : j->violation != NULL;
  if (!j->quiet) {
    hd_report_one_line(out, j->evidence);
    if (j->certificate)
      print_certificate(out, j);
    else
      print_schedule(out, j);
  }
  hd_str_puts(out, "check: ");
  hd_report_painted(out, j->color,
                    good         ? HD_GOOD
                    : j->unknown ? HD_UNSURE
                                 : HD_BAD,
                    good         ? "accepted"
                    : j->unknown ? "unknown"
                                 : "refused");
  if (!good) {
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
