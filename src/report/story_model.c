/* SPDX-License-Identifier: MIT */
/* The story of a net, thread system or Boolean program. */
#include "report/report.h"

#include "report/describe.h"
#include "report/schedule.h"
#include "report/trace.h"

#include <string.h>

enum { PROOF_MOST = 100000 }; /* bytes of a proof that a page has */

/* --- the run --- */

typedef struct {
  hd_story *story;
  hd_story_run *run;
  const hd_net *net;
  hd_token_vec before; /* the configuration, sorted by place */
  hd_shared_id shared;
  hd_u32s column; /* of each thread number; HD_NO_ID = none yet */
} teller;

static bool has_shared(const hd_net *net) {
  return net->format == HD_FORMAT_TTS;
}

static const char *count_text(teller *t, hd_count count) {
  hd_str text = {0};
  hd_str_printf(&text, "%u", count);
  return hd_story_keep(t->story, &text);
}

static void tell_count(teller *t, size_t step, hd_place_id p, hd_count count) {
  hd_str name = {0};
  if (has_shared(t->net))
    hd_str_puts(&name, "threads in ");
  hd_net_print_place(&name, t->net, p);
  hd_story_change change = {.step = step,
                            .kind = HD_CHANGE_SHARED,
                            .thread = HD_NO_ID,
                            .name = hd_story_keep(t->story, &name),
                            .value = count_text(t, count)};
  hd_vec_push(&t->run->changes, change);
}

static void tell_shared(teller *t, size_t step, hd_shared_id shared) {
  hd_str text = {0};
  hd_net_print_shared(&text, t->net, shared);
  hd_story_change change = {.step = step,
                            .kind = HD_CHANGE_SHARED,
                            .thread = HD_NO_ID,
                            .name = "shared state",
                            .value = hd_story_keep(t->story, &text)};
  hd_vec_push(&t->run->changes, change);
  t->shared = shared;
}

/* What differs from the configuration before; both are sorted by place. */
static void tell_config(teller *t, size_t step, hd_shared_id shared,
                        hd_tokens now) {
  if (has_shared(t->net) && (shared != t->shared || step == SIZE_MAX))
    tell_shared(t, step, shared);
  size_t i = 0, j = 0;
  while (i < t->before.size || j < now.size) {
    hd_place_id a = i < t->before.size ? t->before.data[i].place : HD_NO_ID;
    hd_place_id b = j < now.size ? now.data[j].place : HD_NO_ID;
    if (a < b) {
      tell_count(t, step, a, 0);
      i++;
    } else if (b < a || t->before.data[i].count != now.data[j].count) {
      tell_count(t, step, b, now.data[j].count);
      i += a == b;
      j++;
    } else {
      i++;
      j++;
    }
  }
  hd_vec_clear(&t->before);
  for (j = 0; j < now.size; j++)
    hd_vec_push(&t->before, now.data[j]);
}

/* The column of thread number `number`; 0 = a step of no single thread. */
static uint32_t column_of(teller *t, uint32_t number) {
  while (t->column.size <= number)
    hd_vec_push(&t->column, HD_NO_ID);
  if (t->column.data[number] == HD_NO_ID) {
    hd_str name = {0};
    if (number)
      hd_str_printf(&name, "thread %u", number);
    else
      hd_str_puts(&name, has_shared(t->net) ? "several" : "net");
    t->column.data[number] = (uint32_t)t->run->threads.size;
    hd_vec_push(&t->run->threads, hd_story_keep(t->story, &name));
  }
  return t->column.data[number];
}

static void tell_step(teller *t, hd_trans_id trans, hd_trace *trace) {
  const hd_trans *tr = &t->net->trans.data[trans];
  hd_str text = {0}, config = {0};
  hd_net_print_trans(&text, t->net, trans);
  hd_net_print_config(&config, t->net, hd_trace_shared(trace),
                      hd_trace_tokens(trace));
  uint32_t thread = column_of(t, hd_trace_thread(trace));
  hd_story_step step = {
      .thread = thread,
      .move = (uint32_t)hd_trace_step(trace),
      .function = tr->name ? tr->name : "",
      .statement = hd_story_keep(t->story, &text),
      .effect = hd_story_keep(t->story, &config),
      .shows = true,
  };
  if (tr->line)
    step.spot = (hd_spot){.file = t->net->file, .line = tr->line};
  hd_tokens post = hd_net_post(t->net, trans);
  if (hd_trace_thread(trace) && post.size) {
    hd_net_print_place(&text, t->net, post.data[0].place);
    hd_story_change change = {.step = t->run->steps.size,
                              .kind = HD_CHANGE_LOCAL,
                              .thread = thread,
                              .name = "local state",
                              .value = hd_story_keep(t->story, &text)};
    hd_vec_push(&t->run->changes, change);
  }
  hd_vec_push(&t->run->steps, step);
  tell_config(t, t->run->steps.size - 1, hd_trace_shared(trace),
              hd_trace_tokens(trace));
}

static hd_story_run *tell_witness(hd_story *story, const hd_net *net,
                                  const hd_witness *witness) {
  hd_trace *trace = hd_trace_new(net, witness);
  teller t = {.story = story, .run = hd_story_run_new(), .net = net};
  hd_story_file(story, net->file);
  tell_config(&t, SIZE_MAX, hd_trace_shared(trace), hd_trace_tokens(trace));
  /* Threads that move have a column, in the order of their numbers. */
  hd_trace *ahead = hd_trace_new(net, witness);
  hd_u32s moves = {0};
  while (hd_trace_next(ahead)) {
    uint32_t number = hd_trace_thread(ahead);
    while (moves.size <= number)
      hd_vec_push(&moves, 0);
    moves.data[number] = 1;
  }
  hd_trace_delete(ahead);
  for (uint32_t i = 0; i < moves.size; i++)
    if (moves.data[i])
      (void)column_of(&t, i);
  while (hd_trace_next(trace))
    tell_step(&t, witness->steps.data[hd_trace_step(trace) - 1].trans, trace);
  if (t.run->steps.size)
    hd_vec_last(&t.run->steps).failed = true;
  t.run->moves = witness->steps.size;
  hd_vec_free(&moves);
  hd_vec_free(&t.before);
  hd_vec_free(&t.column);
  hd_trace_delete(trace);
  return t.run;
}

/* --- answers --- */

static const char *targets_of(hd_story *story, const hd_net *net) {
  enum { SHOWN = 5 };
  hd_str text = {0};
  for (size_t i = 0; i < net->targets.size && i < SHOWN; i++) {
    hd_str_puts(&text, i ? " or " : "");
    hd_describe_target(&text, net, i);
  }
  if (net->targets.size > SHOWN)
    hd_str_printf(&text, " or %zu more", net->targets.size - SHOWN);
  return hd_story_keep(story, &text);
}

static void tell_violation(hd_story *story, const hd_report *report,
                           hd_story_finding *finding) {
  hd_str title = {0};
  if (report->schedule) {
    const hd_program *program = report->program;
    const hd_edge *e = &program->edges.data[report->schedule->violated];
    hd_str_printf(&title, "the assertion in line %u is violated",
                  e->origin.line);
    finding->at = (hd_spot){.file = program->file, .line = e->origin.line};
    finding->run =
        hd_story_schedule_run(story, program, report->schedule, false);
    finding->at_thread = finding->run->threads.data[report->schedule->thread];
  } else {
    const hd_witness *witness = report->result->witness;
    const hd_target *target = &report->net->targets.data[witness->target];
    hd_str name = {0};
    hd_describe_target(&name, report->net, witness->target);
    finding->name = hd_story_keep(story, &name);
    hd_str_printf(&title, "the target %s is reached", finding->name);
    finding->run = tell_witness(story, report->net, witness);
    if (target->line)
      finding->at = (hd_spot){.file = report->net->file, .line = target->line};
    else if (finding->run->steps.size)
      finding->at = hd_vec_last(&finding->run->steps).spot;
  }
  finding->title = hd_story_keep(story, &title);
}

static void tell_proof(hd_story *story, const hd_report *report) {
  const hd_cert *cert = report->result->cert;
  hd_str text = {0};
  story->certificate = cert != NULL;
  if (cert) {
    hd_report_cert_summary(&text, cert);
    story->proof_summary = hd_story_keep(story, &text);
    hd_report_cert_explain(&text, report->net, cert);
  }
  if (report->explanation && *report->explanation)
    hd_str_printf(&text, "%s%s", text.size ? "\n" : "", report->explanation);
  if (text.size > PROOF_MOST) {
    text.size = PROOF_MOST;
    while (text.size && text.data[text.size - 1] != '\n')
      text.size--;
    text.data[text.size] = 0;
    hd_str_puts(&text, "… and so on: --certificate=FILE writes all of it\n");
  }
  if (text.size)
    story->proof = hd_story_keep(story, &text);
  hd_str_free(&text);
}

static const char *summary_of(hd_story *story, const hd_report *report,
                              const hd_story_finding *finding) {
  hd_str text = {0};
  const hd_result *result = report->result;
  switch (result->verdict) {
  case HD_UNSAFE:
    hd_str_printf(&text, "%s in ", finding->title);
    hd_describe_counted(&text, finding->run->moves, "step", "s");
    if (!report->schedule && report->net->format == HD_FORMAT_TTS) {
      hd_str_puts(&text, " with ");
      hd_describe_counted(
          &text, hd_tokens_total(hd_token_vec_view(&result->witness->init)),
          "initial thread", "s");
    }
    break;
  case HD_SAFE:
    hd_str_puts(&text, report->program ? "no assertion can be violated"
                                       : "no target can be reached");
    if (report->net->features & HD_HAS_UNBOUNDED)
      hd_str_printf(&text, ", whatever the number of %s",
                    report->net->format == HD_FORMAT_TTS ? "threads"
                                                         : "initial tokens");
    break;
  case HD_UNKNOWN:
    hd_str_puts(&text, result->reason ? result->reason : "no reason given");
    break;
  }
  return hd_story_keep(story, &text);
}

static void tell_size(hd_story *story, const hd_report *report) {
  hd_str text = {0};
  if (!report->unbuilt)
    hd_describe_size(&text, report->net);
  if (report->program)
    hd_str_puts(&text, report->unbuilt ? "" : " as a thread system");
  if (!report->unbuilt) {
    hd_str_puts(&text, "; initially ");
    hd_describe_init(&text, report->net, 8);
  }
  story->size = hd_story_keep(story, &text);
  story->kind =
      report->program ? "Boolean program" : hd_describe_format(report->net);
}

hd_story *hd_story_of_model(const hd_report *report) {
  const hd_result *result = report->result;
  hd_story *story = hd_story_new();
  story->command = "verify";
  story->file = report->program ? report->program->file : report->net->file;
  story->judged = true;
  story->verdict = result->verdict;
  story->hint = report->hint;
  story->exit_code = report->exit_code;
  story->figures = result;
  story->seconds = report->seconds;
  story->cpu = report->cpu;
  story->memory = report->memory;
  story->resident = report->resident;
  tell_size(story, report);
  hd_story_finding finding = {
      .name = report->program ? "assert" : targets_of(story, report->net),
      .title = result->verdict == HD_SAFE ? "cannot be reached" : "not decided",
      .verdict = result->verdict,
      .engine = result->engine,
      .reason = result->reason,
      .checked = report->checked,
  };
  if (result->verdict == HD_UNSAFE)
    tell_violation(story, report, &finding);
  hd_story_file(story, story->file);
  tell_proof(story, report);
  story->summary = summary_of(story, report, &finding);
  hd_vec_push(&story->findings, finding);
  return story;
}
