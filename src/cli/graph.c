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

static bool page_net(const hd_session *session, hd_story *story, hd_str *dot) {
  const hd_net *net = session->net;
  bool threads = net->format == HD_FORMAT_TTS;
  size_t nodes =
      threads ? 2 * net->trans.size : net->n_places + net->trans.size;
  if (session->unbuilt || nodes > PAGE_NODES)
    return false;
  hd_report_model_dot(dot, net);
  story->dot_kind = "model";
  story->dot_title = session->program ? "The program as a thread system"
                     : threads        ? "The thread system"
                                      : "The net";
  story->dot_words =
      threads ? "nodes are shared state | local state; bold: initial, red: "
                "target, filled: occupied after the step; edges have line "
                "numbers"
              : "bold: initially marked, red: target, filled: marked after the "
                "step";
  return true;
}

static bool page_unfolding(hd_session *session, hd_story *story, hd_str *dot) {
  const double moment = 1.5;
  hd_unfold_options options = {.checks = ~(hd_properties)0,
                               .max_events = PAGE_EVENTS,
                               .keep_shape = true};
  hd_run run = session->run;
  run.deadline = hd_now() + moment;
  run.show = NULL;
  run.stop = HD_RUNNING;
  hd_unfold_result result = {0};
  hd_unfold(session->code, &options, &run, &result);
  bool ok = !result.reason && result.shape.size > 1 &&
            result.shape.size <= PAGE_EVENTS;
  if (ok) {
    hd_report_unfolding_dot(dot, session->code, &result.shape);
    story->dot_kind = "unfolding";
    story->dot_title = "All runs as partial orders";
    story->dot_words = "events of the unfolding, one colour a thread; arrows: "
                       "happens before, red: in conflict, striped: cutoffs";
  }
  hd_unfold_result_free(&result);
  return ok;
}

static bool page_code(hd_session *session, hd_story *story, hd_str *dot) {
  if (page_unfolding(session, story, dot))
    return true;
  if (session->code->locs.size > PAGE_NODES)
    return false;
  hd_report_code_dot(dot, session->code);
  story->dot_kind = "code";
  story->dot_title = "The functions as graphs";
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
