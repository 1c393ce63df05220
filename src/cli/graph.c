/* SPDX-License-Identifier: MIT */
/* Graphs for heddle show: the model or the quotient of its diagram, as DOT, or
 * as SVG through Graphviz. */
#include "cli/session.h"

#include "engine/concolic/concolic.h"
#include "front/evidence/evidence.h"
#include "report/code.h"
#include "report/report.h"
#include "report/unfolding.h"

#include <errno.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Runs `dot -Tsvg` between two files; its exit status, 127 when there is none.
 */
static int run_dot(FILE *in, FILE *out) {
  pid_t child = fork();
  if (child == 0) {
    dup2(fileno(in), STDIN_FILENO);
    dup2(fileno(out), STDOUT_FILENO);
    execlp("dot", "dot", "-Tsvg", (char *)NULL);
    _exit(127);
  }
  int status = -1;
  while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void take_file(hd_str *text, FILE *file) {
  char buffer[4096];
  size_t n;
  hd_vec_clear(text);
  rewind(file);
  while ((n = fread(buffer, 1, sizeof buffer, file)) > 0)
    hd_str_append(text, buffer, n);
}

/* Replaces DOT by SVG. Files, not pipes: neither side ever waits. `quiet`: it is
 * no error when that cannot be done. */
static bool to_svg(hd_session *session, hd_str *text, bool quiet) {
  FILE *in = tmpfile(), *out = tmpfile();
  bool ok = in && out &&
            fwrite(hd_str_text(text), 1, text->size, in) == text->size &&
            fflush(in) == 0 && lseek(fileno(in), 0, SEEK_SET) == 0;
  if (!ok && !quiet)
    hd_diag_report(session->diag, HD_ERROR, NULL, (hd_pos){0},
                   "cannot write a temporary file: %s", strerror(errno));
  int status = ok ? run_dot(in, out) : -1;
  if (ok && status != 0 && !quiet)
    hd_diag_report(session->diag, HD_ERROR, NULL, (hd_pos){0},
                   status == 127
                       ? "--format=svg needs Graphviz: install it (package "
                         "graphviz), or draw --format=dot elsewhere"
                       : "the program 'dot' of Graphviz failed");
  ok = ok && status == 0;
  if (ok)
    take_file(text, out);
  if (in)
    fclose(in);
  if (out)
    fclose(out);
  return ok;
}

/* The witness that --path names; NULL without one. False after an error. */
static bool read_path(hd_session *session, hd_witness **witness) {
  hd_source source;
  hd_cert *cert = NULL;
  *witness = NULL;
  if (!session->options.path)
    return true;
  if (!hd_source_read(session->options.path, &source, session->diag))
    return false;
  bool ok =
      hd_evidence_parse(&source, session->net, witness, &cert, session->diag);
  if (ok && !*witness)
    hd_diag_file_error(session->diag, session->options.path,
                       "is a certificate, expected a witness");
  hd_source_free(&source);
  hd_cert_delete(cert);
  return ok && *witness;
}

static bool draw_quotient(hd_session *session, hd_str *text) {
  hd_witness *witness;
  if (!read_path(session, &witness))
    return false;
  hd_str why = {0};
  bool ok = hd_concolic_draw(session->net, witness, text, &why);
  if (!ok)
    hd_diag_file_error(session->diag, session->net->file, "no quotient: %s",
                       hd_str_text(&why));
  hd_str_free(&why);
  hd_witness_delete(witness);
  return ok;
}

enum { MOST_EVENTS = 400 }; /* that anybody would look at */

/* The unfolding of the program, or of what could be unfolded. */
static hd_end draw_unfolding(hd_session *session, hd_str *text) {
  const hd_options *o = &session->options;
  hd_unfold_options options = {.checks = ~(hd_properties)0,
                               .widen = (uint32_t)o->widen,
                               .no_cutoffs = !strcmp(o->cutoffs, "off"),
                               .max_events = MOST_EVENTS,
                               .keep_shape = true};
  if (!hd_domain_find(o->domain, &options.domain))
    hd_bug("--domain=%s", o->domain);
  hd_unfold_result result = {0};
  hd_unfold(session->code, &options, &session->run, &result);
  hd_end end = HD_END_DONE;
  if (result.reason) {
    hd_diag_file_error(session->diag, o->operands[0], "no unfolding: %s",
                       result.reason);
    end = HD_END_UNKNOWN;
  } else {
    hd_report_unfolding_dot(text, session->code, &result.shape);
  }
  hd_unfold_result_free(&result);
  return end;
}

hd_end hd_graph_draw_unfolding(hd_session *session, hd_str *text) {
  hd_end end = draw_unfolding(session, text);
  if (end == HD_END_DONE && !strcmp(session->options.show_format, "svg") &&
      !to_svg(session, text, false))
    end = HD_END_INPUT;
  return end;
}

hd_end hd_graph_draw_ir(hd_session *session, hd_str *text) {
  if (session->code)
    hd_report_code_dot(text, session->code);
  else
    hd_report_program_dot(text, session->program);
  return !strcmp(session->options.show_format, "svg") &&
                 !to_svg(session, text, false)
             ? HD_END_INPUT
             : HD_END_DONE;
}

/* --- for pages --- */

enum { PAGE_EVENTS = 150, PAGE_NODES = 300 }; /* that one can look at */

/* Of a model that is too large a part is drawn: the transitions of the run, or
 * without one those that lead to the target, the last ones first. */
typedef struct {
  const hd_net *net;
  hd_vec(uint64_t) states; /* that are drawn: shared state and place */
  bool *kept;
  size_t n_kept, most;
} part;

static uint64_t state_of(const part *p, hd_shared_id shared,
                         hd_place_id place) {
  bool threads = p->net->format == HD_FORMAT_TTS;
  return (uint64_t)(threads ? shared : 0) << 32 | place;
}

static bool has_state(const part *p, uint64_t state) {
  for (hd_vec_each(const uint64_t, s, &p->states))
    if (*s == state)
      return true;
  return false;
}

static void keep(part *p, hd_trans_id t) {
  if (p->kept[t] || p->n_kept == p->most)
    return;
  hd_tokens pre = hd_net_pre(p->net, t);
  p->kept[t] = true;
  p->n_kept++;
  for (size_t i = 0; i < pre.size; i++) {
    uint64_t state = state_of(p, p->net->trans.data[t].from, pre.data[i].place);
    if (!has_state(p, state))
      hd_vec_push(&p->states, state);
  }
}

/* Steps of a run say what they do in the words of the model. */
static void keep_run(part *p, const hd_story *story) {
  enum { FEW = 100 };
  hd_vec(const char *) words = {0};
  for (hd_vec_each(const hd_story_finding, f, &story->findings))
    for (size_t i = 0; f->run && i < f->run->steps.size && words.size < FEW;
         i++)
      hd_vec_push(&words, f->run->steps.data[i].statement);
  for (hd_trans_id t = 0; words.size && t < p->net->trans.size; t++) {
    hd_str text = {0};
    hd_net_print_trans(&text, p->net, t);
    for (size_t i = 0; i < words.size && !p->kept[t]; i++)
      if (!strcmp(words.data[i], hd_str_text(&text)))
        keep(p, t);
    hd_str_free(&text);
  }
  hd_vec_free(&words);
}

static bool leads_there(const part *p, hd_trans_id t) {
  hd_tokens post = hd_net_post(p->net, t);
  for (size_t i = 0; i < post.size; i++)
    if (has_state(p, state_of(p, p->net->trans.data[t].to, post.data[i].place)))
      return true;
  return false;
}

static void keep_backwards(part *p) {
  enum { ROUNDS = 6 };
  for (hd_vec_each(const hd_target, target, &p->net->targets)) {
    hd_tokens need = hd_net_view(p->net, target->need);
    for (size_t i = 0; i < need.size; i++)
      hd_vec_push(&p->states, state_of(p, target->shared, need.data[i].place));
  }
  for (int round = 0; round < ROUNDS && p->n_kept < p->most; round++)
    for (hd_trans_id t = 0; t < p->net->trans.size; t++)
      if (!p->kept[t] && leads_there(p, t))
        keep(p, t);
}

static bool draw_part(const hd_net *net, hd_story *story, hd_str *dot) {
  enum { MOST = 60, MOST_PAIRS = 100000000 };
  part p = {.net = net, .most = MOST};
  hd_u32s ids = {0};
  if (net->format == HD_FORMAT_TTS &&
      (uint64_t)net->n_shared * net->n_places > MOST_PAIRS)
    return false;
  p.kept = hd_calloc(net->trans.size + 1, sizeof *p.kept);
  keep_run(&p, story);
  bool run = p.n_kept > 0;
  if (!run)
    keep_backwards(&p);
  for (hd_trans_id t = 0; t < net->trans.size; t++)
    if (p.kept[t])
      hd_vec_push(&ids, t);
  if (ids.size)
    hd_report_model_part_dot(dot, net, ids.data, ids.size);
  story->dot_title = run ? "The part of the model that the run is in"
                         : "The part of the model at the target";
  bool ok = ids.size > 0;
  hd_vec_free(&ids);
  hd_vec_free(&p.states);
  hd_free(p.kept);
  return ok;
}

static bool page_net(const hd_session *session, hd_story *story, hd_str *dot) {
  const hd_net *net = session->net;
  bool threads = net->format == HD_FORMAT_TTS;
  size_t nodes =
      threads ? 2 * net->trans.size : net->n_places + net->trans.size;
  bool whole = nodes <= PAGE_NODES;
  if (session->unbuilt || (!whole && !draw_part(net, story, dot)))
    return false;
  story->dot_kind = "model";
  if (whole) {
    hd_report_model_dot(dot, net);
    story->dot_title = session->program ? "The program as a thread system"
                       : threads        ? "The thread system"
                                        : "The net";
  }
  story->dot_words =
      threads ? "nodes are shared state | local state; bold: initial, red: "
                "target, filled: occupied after the step; edges have line "
                "numbers"
              : "bold: initially marked, red: target, filled: marked after the "
                "step";
  return true;
}

/* `whole`: all of it, or nothing; else the first events. */
static bool page_unfolding(hd_session *session, hd_story *story, bool whole,
                           hd_str *dot) {
  const double moment = 1.5;
  hd_unfold_options options = {.checks = ~(hd_properties)0,
                               .domain = HD_DOMAIN_INTERVAL,
                               .max_events = PAGE_EVENTS,
                               .keep_shape = true};
  hd_run run = session->run;
  run.deadline = hd_now() + moment;
  run.show = NULL;
  run.stop = HD_RUNNING;
  hd_unfold_result result = {0};
  hd_unfold(session->code, &options, &run, &result);
  bool complete = !result.reason && result.shape.size <= PAGE_EVENTS;
  bool ok = (complete || !whole) && result.shape.size > 1;
  if (ok) {
    while (result.shape.size > PAGE_EVENTS) {
      hd_unfold_event *last = &hd_vec_pop(&result.shape);
      hd_vec_free(&last->causes);
      hd_vec_free(&last->conflicts);
    }
    hd_report_unfolding_dot(dot, session->code, &result.shape);
    story->dot_kind = "unfolding";
    story->dot_title = complete ? "All runs as partial orders"
                                : "The beginning of all runs as partial orders";
    story->dot_words = "events of the unfolding, one colour a thread; arrows: "
                       "happens before, red: in conflict, striped: cutoffs";
  }
  hd_unfold_result_free(&result);
  return ok;
}

/* The functions that the run was in, the last ones first, as far as they can be
 * looked at. */
static bool page_functions(const hd_code *code, hd_story *story, hd_str *dot) {
  bool *wanted = hd_calloc(code->funcs.size + 1, sizeof *wanted);
  size_t room = PAGE_NODES, n = 0;
  for (hd_vec_each(const hd_story_finding, finding, &story->findings))
    for (size_t i = finding->run ? finding->run->steps.size : 0; i-- > 0;)
      for (hd_func_id f = 0; f < code->funcs.size; f++) {
        const hd_func *func = &code->funcs.data[f];
        const char *name = func->cname ? func->cname : func->name;
        if (wanted[f] || !func->defined || func->n_locs > room ||
            strcmp(name, finding->run->steps.data[i].function) != 0)
          continue;
        wanted[f] = true;
        room -= func->n_locs;
        n++;
      }
  if (n)
    hd_report_code_part_dot(dot, code, wanted);
  hd_free(wanted);
  return n > 0;
}

static bool page_code(hd_session *session, hd_story *story, hd_str *dot) {
  const hd_code *code = session->code;
  bool small = code->locs.size <= PAGE_NODES;
  if (page_unfolding(session, story, true, dot))
    return true;
  if (small)
    hd_report_code_dot(dot, code);
  else if (!page_functions(code, story, dot))
    return page_unfolding(session, story, false, dot);
  story->dot_kind = "code";
  story->dot_title =
      small ? "The functions as graphs" : "Functions of the run as graphs";
  story->dot_words = "nodes are places between actions, with their lines";
  return true;
}

void hd_graph_for_page(hd_session *session, hd_story *story, hd_str *dot,
                       hd_str *svg) {
  if (!(session->code ? page_code(session, story, dot)
                      : page_net(session, story, dot)))
    return;
  story->dot = hd_str_text(dot);
  hd_str_puts(svg, story->dot);
  if (to_svg(session, svg, true))
    story->svg = hd_str_text(svg);
}

hd_end hd_graph_draw(hd_session *session, hd_str *text) {
  if (!session->options.quotient)
    hd_report_model_dot(text, session->net);
  else if (!draw_quotient(session, text))
    return HD_END_INPUT;
  if (!strcmp(session->options.show_format, "svg") &&
      !to_svg(session, text, false))
    return HD_END_INPUT;
  return HD_END_DONE;
}
