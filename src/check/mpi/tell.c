/* SPDX-License-Identifier: MIT */
/* What the machine says: events for who observes it, violations, refusals. */
#include "check/mpi/parts.h"

#include <stdarg.h>
#include <stdio.h>

/* --- events --- */

static void tell(hd_mpi *mpi, hd_mpi_event event) {
  const hd_mpi_process *process = &mpi->processes[event.process];
  size_t depth = hd_machine_depth(process->machine, process->thread);
  event.depth = depth ? (uint32_t)depth - 1 : 0;
  if (mpi->options->observe)
    mpi->options->observe(mpi->options->context, &event);
}

hd_edge_id hd_mpi_edge_of(const hd_mpi *mpi, uint32_t p) {
  const hd_machine *m = mpi->processes[p].machine;
  hd_tid t = mpi->processes[p].thread;
  return hd_machine_depth(m, t) ? hd_machine_frame(m, t, 0).edge : HD_NO_ID;
}

void hd_mpi_tell(hd_mpi *mpi, hd_mpi_event_kind kind, uint32_t p,
                 uint32_t other, const char *format, ...) {
  if (!mpi->options->observe)
    return;
  char text[400];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  hd_mpi_event event = {.kind = kind,
                        .process = p,
                        .other = other,
                        .move = mpi->move,
                        .edge = hd_mpi_edge_of(mpi, p),
                        .text = text};
  tell(mpi, event);
}

void hd_mpi_tell_message(hd_mpi *mpi, hd_mpi_event_kind kind,
                         const hd_mpi_message *message, hd_edge_id edge,
                         uint64_t post) {
  if (!mpi->options->observe)
    return;
  bool sends = kind == HD_MPI_SENDS;
  hd_str text = {0};
  hd_mpi_print_data(&text, mpi, message->data);
  hd_str_printf(&text, " %s %u, tag %d", sends ? "to" : "from",
                sends ? message->to : message->from, message->tag);
  hd_mpi_event event = {.kind = kind,
                        .process = sends ? message->from : message->to,
                        .other = sends ? message->to : message->from,
                        .move = mpi->move,
                        .edge = edge,
                        .message = message->number,
                        .post = post,
                        .text = hd_str_text(&text)};
  tell(mpi, event);
  hd_str_free(&text);
}

void hd_mpi_observe(void *context, const hd_event *event) {
  hd_mpi *mpi = *(hd_mpi **)context;
  if (!mpi)
    return;
  bool output = event->kind == HD_EVENT_OUTPUT && event->text;
  if (output && mpi->outputs)
    hd_str_puts(&mpi->processes[mpi->current].output, event->text);
  if (!output && !mpi->options->all)
    return;
  hd_mpi_event told = {.kind = output ? HD_MPI_OUTPUT : HD_MPI_INTERP,
                       .process = mpi->current,
                       .other = HD_NO_ID,
                       .move = mpi->move,
                       .edge = event->edge,
                       .text = event->text,
                       .event = event};
  tell(mpi, told);
}

/* --- ends --- */

void hd_mpi_add_violation(hd_mpi *mpi, uint32_t p, hd_property property,
                          hd_edge_id edge, char *message) {
  hd_violation violation = {.property = property,
                            .thread = p,
                            .other = HD_NO_ID,
                            .edge = edge,
                            .other_edge = HD_NO_ID,
                            .message = message};
  hd_vec_push(&mpi->violations, violation);
}

bool hd_mpi_checks(const hd_mpi *mpi, hd_property property) {
  return mpi->options->checks >> property & 1;
}

void hd_mpi_set_why(hd_mpi *mpi, const char *why) {
  hd_free(mpi->why);
  mpi->why = hd_strdup(why);
}

void hd_mpi_violate(hd_mpi *mpi, uint32_t p, hd_property property,
                    hd_edge_id edge, const char *format, ...) {
  char text[600];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  bool ended = mpi->status == HD_MACHINE_EXITED;
  if (hd_mpi_checks(mpi, property)) {
    hd_mpi_add_violation(mpi, p, property, edge, hd_strdup(text));
  } else if (!ended) {
    hd_str why = {0};
    hd_str_printf(&why, "%s: %s", hd_property_name(property), text);
    if (edge != HD_NO_ID) {
      hd_str_puts(&why, ", at ");
      hd_code_print_pos(&why, mpi->code, mpi->code->edges.data[edge].pos);
    }
    hd_mpi_set_why(mpi, hd_str_text(&why));
    hd_str_free(&why);
  }
  if (!ended)
    mpi->status = HD_MACHINE_FAILED;
}

void hd_mpi_misuse(const hd_mpi_call *c, const char *format, ...) {
  char text[500];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  if (hd_mpi_runs(c->mpi))
    hd_mpi_violate(c->mpi, c->p, HD_PROPERTY_MPI, c->call->edge, "%s: %s",
                   c->call->name, text);
}

void hd_mpi_refuse(const hd_mpi_call *c, const char *format, ...) {
  char text[300];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  hd_host_refuse(c->m, "%s: %s", c->call->name, text);
}
