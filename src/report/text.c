/* SPDX-License-Identifier: MIT */
/* Reports for people: of verify and check, and the pieces they share with
 * reach. */
#include "report/report.h"

#include "report/describe.h"
#include "report/schedule.h"

#include <string.h>

void hd_report_painted(hd_str *out, bool color, hd_paint paint,
                       const char *text) {
  static const char *const codes[] = {"", "\033[1;32m", "\033[1;31m",
                                      "\033[1;33m"};
  if (!color || paint == HD_PLAIN)
    hd_str_puts(out, text);
  else
    hd_str_printf(out, "%s%s\033[0m", codes[paint], text);
}

void hd_report_one_line(hd_str *out, const char *text) {
  for (; *text; text++) {
    char c = (unsigned char)*text < 32 || *text == 127 ? ' ' : *text;
    hd_str_append(out, &c, 1);
  }
}

void hd_report_ascii(hd_str *out, const char *text) {
  static const struct {
    const char *from, to;
  } like[] = {{"│", '|'},  {"─", '-'},  {"┼", '+'}, {"┐", '.'}, {"┌", '.'},
              {"┘", '\''}, {"└", '\''}, {"┤", '|'}, {"▶", '>'}, {"◀", '<'},
              {"●", '*'},  {"○", 'o'},  {"✗", 'X'}, {"…", '~'}, {"—", '-'}};
  while (*text) {
    size_t n = 1;
    while (((unsigned char)text[n] & 0xC0) == 0x80)
      n++;
    char c = (unsigned char)*text < 128 ? *text : '?';
    for (size_t i = 0; i < sizeof like / sizeof *like; i++)
      if (n == strlen(like[i].from) && !memcmp(text, like[i].from, n))
        c = like[i].to;
    hd_str_append(out, &c, 1);
    text += n;
  }
}

void hd_report_model_head(hd_str *out, const hd_net *net) {
  hd_report_one_line(out, net->file);
  hd_str_printf(out, ": %s, ", hd_describe_format(net));
  hd_describe_size(out, net);
  hd_str_puts(out, "\ninitially: ");
  hd_describe_init(out, net, 8);
  hd_str_puts(out, "\n");
}

static void print_targets(hd_str *out, const hd_net *net) {
  enum { SHOWN = 5 };
  hd_str_printf(out, "target%s:", net->targets.size == 1 ? "" : "s");
  for (size_t i = 0; i < net->targets.size && i < SHOWN; i++) {
    hd_str_puts(out, i ? " or " : " ");
    hd_describe_target(out, net, i);
  }
  if (net->targets.size > SHOWN)
    hd_str_printf(out, " or %zu more", net->targets.size - SHOWN);
  hd_str_puts(out, "\n");
}

static void print_by(hd_str *out, const hd_report *report, const char *verb) {
  if (report->result->engine)
    hd_str_printf(out, " (%s by %s)", verb, report->result->engine);
}

static void print_remark(hd_str *out, const hd_report *report) {
  if (!report->result->reason)
    return;
  hd_report_one_line(out, report->result->reason);
  hd_str_puts(out, "\n");
}

/* A program's assertion, by the run of the program. */
static void print_violation(hd_str *out, const hd_report *report) {
  const hd_schedule *schedule = report->schedule;
  const hd_edge *e = &report->program->edges.data[schedule->violated];
  hd_str_printf(out, "\nThe assertion in line %u is violated with ",
                e->origin.line);
  hd_describe_counted(out, schedule->n_threads, "initial thread", "s");
  hd_str_puts(out, " in ");
  hd_describe_counted(out, schedule->steps.size, "step", "s");
  print_by(out, report, "found");
  hd_str_puts(out, ":\n\n");
  hd_report_schedule(out, report->program, schedule, report->explain,
                     report->color);
  hd_str_puts(out, report->checked
                       ? "\nThe steps were replayed on the program.\n"
                       : "\nThe steps were not replayed (--no-check).\n");
  print_remark(out, report);
}

static void print_unsafe(hd_str *out, const hd_report *report) {
  const hd_net *net = report->net;
  const hd_witness *witness = report->result->witness;
  hd_str_puts(out, "\nThe target ");
  hd_describe_target(out, net, witness->target);
  hd_str_puts(out, " is reached ");
  if (net->format == HD_FORMAT_TTS) {
    hd_str_puts(out, "with ");
    hd_describe_counted(out, hd_tokens_total(hd_token_vec_view(&witness->init)),
                        "initial thread", "s");
    hd_str_puts(out, " ");
  }
  hd_str_puts(out, "in ");
  hd_describe_counted(out, witness->steps.size, "step", "s");
  print_by(out, report, "found");
  hd_str_puts(out, ":\n\n");
  hd_report_steps(out, net, witness, report->explain, report->color);
  hd_str_puts(out, report->checked
                       ? "\nThe steps were replayed on the input model.\n"
                       : "\nThe steps were not replayed (--no-check).\n");
  print_remark(out, report);
}

static void print_proof(hd_str *out, const hd_report *report) {
  hd_str_puts(out, "Proof: ");
  hd_report_cert_summary(out, report->result->cert);
  hd_str_puts(out, report->checked
                       ? ".\nThe proof was checked on the input model.\n"
                       : ".\nThe proof was not checked (--no-check).\n");
  if (report->explain) {
    hd_str_puts(out, "\n");
    hd_report_cert_explain(out, report->net, report->result->cert);
  }
}

/* Without a certificate (the search was exhausted), the remark says how the
 * engine knows. */
static void print_safe(hd_str *out, const hd_report *report) {
  hd_str_puts(out, report->program ? "\nNo assertion can be violated"
                                   : "\nNo target can be reached");
  if (report->net->features & HD_HAS_UNBOUNDED)
    hd_str_printf(out, ", whatever the number of %s",
                  report->net->format == HD_FORMAT_TTS ? "threads"
                                                       : "initial tokens");
  print_by(out, report, "shown");
  hd_str_puts(out, ".\n");
  if (report->result->cert)
    print_proof(out, report);
  else
    hd_str_puts(out, "There is no certificate to check.\n");
  print_remark(out, report);
}

static const char *reason_of(const hd_report *report) {
  return report->result->reason ? report->result->reason : "no reason given";
}

void hd_report_no_answer(hd_str *out, const hd_report *report) {
  hd_str_puts(out, "\nNo answer");
  if (report->seconds >= 0.1)
    hd_str_printf(out, " after %.1f s", report->seconds);
  hd_str_puts(out, ": ");
  hd_report_one_line(out, reason_of(report));
  hd_str_puts(out, ".\n");
  if (report->hint)
    hd_str_printf(out, "Try %s.\n", report->hint);
}

void hd_report_last_line(hd_str *out, const hd_report *report, const char *what,
                         const char *word, hd_paint paint) {
  hd_str_printf(out, "%s: ", what);
  hd_report_painted(out, report->color, paint, word);
  if (report->result->verdict == HD_UNKNOWN) {
    /* Behind a semicolon a reason says what to try; it stands above. */
    hd_str why = {0};
    hd_str_append(&why, reason_of(report), strcspn(reason_of(report), ";"));
    hd_str_puts(out, " (");
    hd_report_one_line(out, hd_str_text(&why));
    hd_str_puts(out, ")");
    hd_str_free(&why);
  }
  hd_str_puts(out, "\n");
}

static hd_paint paint_of(hd_verdict verdict) {
  return verdict == HD_SAFE     ? HD_GOOD
         : verdict == HD_UNSAFE ? HD_BAD
                                : HD_UNSURE;
}

static void print_net_head(hd_str *out, const hd_report *report) {
  hd_report_model_head(out, report->net);
  print_targets(out, report->net);
}

static void print_program_head(hd_str *out, const hd_report *report) {
  const hd_program *program = report->program;
  size_t shared = 0, asserts = 0;
  for (hd_vec_each(const hd_var, v, &program->vars))
    shared += v->shared;
  for (hd_vec_each(const hd_edge, e, &program->edges))
    asserts += e->act == HD_ACT_ASSERT;
  hd_report_one_line(out, program->file);
  hd_str_puts(out, ": Boolean program, ");
  hd_describe_counted(out, shared, "shared variable", "s");
  hd_str_puts(out, ", ");
  hd_describe_counted(out, program->vars.size - shared, "local variable", "s");
  hd_str_puts(out, ", ");
  hd_describe_counted(out, program->locs.size, "location", "s");
  hd_str_puts(out, ", ");
  hd_describe_counted(out, asserts, "assertion", "s");
  if (report->unbuilt) {
    hd_str_puts(out, "\n");
    return;
  }
  hd_str_puts(out, "\nas a thread system: ");
  hd_describe_size(out, report->net);
  hd_str_puts(out, "\ninitially: ");
  hd_describe_init(out, report->net, 8);
  hd_str_puts(out, "\n");
}

void hd_report_verify_text(hd_str *out, const hd_report *report) {
  hd_verdict verdict = report->result->verdict;
  if (!report->quiet) {
    if (report->program)
      print_program_head(out, report);
    else
      print_net_head(out, report);
    if (verdict == HD_UNSAFE && report->schedule)
      print_violation(out, report);
    else if (verdict == HD_UNSAFE)
      print_unsafe(out, report);
    else if (verdict == HD_SAFE)
      print_safe(out, report);
    else
      hd_report_no_answer(out, report);
    if (report->explanation && *report->explanation)
      hd_str_printf(out, "\n%s", report->explanation);
    hd_report_statistics(out, report);
  }
  hd_report_last_line(out, report, "verdict", hd_verdict_name(verdict),
                      paint_of(verdict));
}

static void print_judged(hd_str *out, const hd_judgement *j) {
  hd_report_one_line(out, j->evidence);
  if (j->witness) {
    hd_str_puts(out, ": witness of ");
    hd_describe_counted(out, j->witness->steps.size, "step", "s");
  } else {
    hd_str_puts(out, ": certificate, ");
    hd_report_cert_summary(out, j->cert);
  }
  hd_str_puts(out, "\n");
  if (!j->accepted)
    return;
  if (j->witness) {
    hd_str_puts(out, "It leads to the target ");
    hd_describe_target(out, j->net, j->witness->target);
    hd_str_puts(out, ": ");
  } else
    hd_str_puts(out, "It proves that no target can be reached: ");
  hd_report_one_line(out, j->net->file);
  hd_str_printf(out, " is %s.\n", j->witness ? "unsafe" : "safe");
}

void hd_report_check_text(hd_str *out, const hd_judgement *j) {
  if (!j->quiet)
    print_judged(out, j);
  hd_str_puts(out, "check: ");
  hd_report_painted(out, j->color, j->accepted ? HD_GOOD : HD_BAD,
                    j->accepted ? "accepted" : "refused");
  if (!j->accepted) {
    hd_str_puts(out, " (");
    hd_report_one_line(out, j->why);
    hd_str_puts(out, ")");
  }
  hd_str_puts(out, "\n");
}
