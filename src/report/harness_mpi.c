/* SPDX-License-Identifier: MIT */
/* The schedule of a harness for MPI programs: the calls of each process that
 * others can notice, with their outcomes. What is done with it natively is told
 * in models/harness/replay_mpi.c. A collective call is two moves, coming and
 * going, so are MPI_Ssend and MPI_Send, and MPI_Waitall may be many; all are one
 * step.
 * Behind the steps stand, once more, the calls before which processes stand at the
 * end. Which message an MPI_Irecv gets is a list of its own. */
#include "report/harness.h"

#include <string.h>

typedef struct {
  uint32_t process;
  const char *call;
  hd_cpos pos;
  uint64_t value;
} step;

typedef struct {
  uint32_t process, source;
  uint64_t post;
} receipt;

typedef struct {
  const hd_code *code;
  hd_mpi *mpi;
  hd_vec(receipt) receipts;
  hd_vec(step) steps;
  hd_vec(step) stops;
  bool joined; /* in this move, and not left */
} recorder;

static void observe(void *context, const hd_mpi_event *event) {
  recorder *r = context;
  if (event->kind == HD_MPI_JOINS)
    r->joined = true;
  else if (event->kind == HD_MPI_LEAVES)
    r->joined = false;
  else if (event->kind == HD_MPI_RECEIVES && event->post)
    hd_vec_push(&r->receipts,
                ((receipt){event->process, event->other, event->post}));
}

static step stands_before(const recorder *r, uint32_t process) {
  const hd_cedge *edge = &r->code->edges.data[hd_mpi_at(r->mpi, process)];
  const hd_cexpr *callee =
      &r->code->exprs.data[hd_code_operand(r->code, edge, 0)];
  return (step){.process = process,
                .call = callee->op == HD_CODE_FUNC
                            ? r->code->funcs.data[callee->value].name
                            : "?",
                .pos = edge->pos};
}

/* The last step of the process is taken back. */
static void take_back(recorder *r, uint32_t process) {
  for (size_t i = r->steps.size; i-- > 0;)
    if (r->steps.data[i].process == process) {
      hd_vec_push(&r->stops, r->steps.data[i]);
      memmove(&r->steps.data[i], &r->steps.data[i + 1],
              (r->steps.size - i - 1) * sizeof *r->steps.data);
      r->steps.size--;
      return;
    }
}

static void record(recorder *r, const hd_harness *h) {
  hd_mpi_options options = *h->mpi;
  options.observe = observe;
  options.context = r;
  bool *inside = hd_calloc(options.procs, sizeof *inside);
  r->code = h->code;
  r->mpi = hd_mpi_new(h->code, &options);
  for (size_t i = 0; i < h->turns->size; i++) {
    hd_turn turn = h->turns->data[i];
    if (hd_mpi_status(r->mpi) != HD_MACHINE_RUNNING ||
        !hd_mpi_possible(r->mpi, turn))
      break;
    step s = stands_before(r, turn.thread);
    int64_t low;
    uint64_t count;
    bool input = hd_mpi_input(r->mpi, turn.thread, &low, &count);
    s.value = input ? (uint64_t)low + turn.choice : turn.choice;
    if (!inside[turn.thread])
      hd_vec_push(&r->steps, s);
    r->joined = false;
    uint64_t returns = hd_mpi_returns(r->mpi, turn.thread);
    hd_mpi_move(r->mpi, turn);
    bool goes_on =
        (!strncmp(s.call, "MPI_Wait", 8) || !strcmp(s.call, "MPI_Send")) &&
        returns == hd_mpi_returns(r->mpi, turn.thread);
    inside[turn.thread] =
        r->joined || goes_on ||
        (!inside[turn.thread] && !strcmp(s.call, "MPI_Ssend"));
  }
  const hd_violation *v = h->violation;
  for (uint32_t p = 0; p < options.procs; p++) {
    if (inside[p])
      take_back(r, p);
    else if (hd_mpi_at(r->mpi, p) != HD_NO_ID &&
             (v->property == HD_PROPERTY_DEADLOCK || p != v->thread))
      hd_vec_push(&r->stops, stands_before(r, p));
  }
  hd_mpi_delete(r->mpi);
  hd_free(inside);
}

static void print_step(hd_str *out, const hd_code *code, const step *s) {
  const char *file =
      s->pos.file == HD_NO_ID ? "?" : code->files.data[s->pos.file];
  const char *slash = strrchr(file, '/');
  hd_str_printf(out, "    {%u, \"%s\", \"%s\", %u, %lluu},\n", s->process,
                s->call, slash ? slash + 1 : file, s->pos.line,
                (unsigned long long)s->value);
}

void hd_harness_mpi_schedule(hd_str *out, const hd_harness *h) {
  recorder r = {0};
  record(&r, h);
  hd_str_printf(out,
                "/* The run that replay_mpi.c forces. */\n"
                "#define PROPERTY \"%s\"\n#define TURNS %zu\n"
                "#define PROCS %u\n#define SECONDS 3\n\n"
                "/* process, call, file, line, outcome; behind TURNS: where "
                "processes stand at\n * the end */\n"
                "static const struct step steps[] = {\n",
                hd_property_name(h->violation->property), r.steps.size,
                h->mpi->procs);
  for (size_t i = 0; i < r.steps.size; i++)
    print_step(out, h->code, &r.steps.data[i]);
  for (size_t i = 0; i < r.stops.size; i++)
    print_step(out, h->code, &r.stops.data[i]);
  hd_str_puts(out,
              "};\n\n/* process, number of its MPI_Irecv, sender + 1; ends "
              "with 0 */\n"
              "static const int receipts[][3] = {\n");
  for (hd_vec_each(const receipt, x, &r.receipts))
    hd_str_printf(out, "    {%u, %llu, %u},\n", x->process,
                  (unsigned long long)x->post, x->source + 1);
  hd_str_puts(out, "    {0, 0, 0}};\n");
  hd_vec_free(&r.receipts);
  hd_vec_free(&r.steps);
  hd_vec_free(&r.stops);
}

void hd_harness_mpi_makefile(hd_str *out, const hd_harness *h) {
  hd_str_puts(out, "# make builds ./program and ./replay, which starts it with "
                   "mpirun;\n# make check runs it 20 times and counts.\n"
                   "CC = mpicc\nMPIRUN = mpirun --oversubscribe\n"
                   "PROGRAM =");
  for (size_t i = 0; i < h->n_sources; i++)
    hd_str_printf(out, " %s", h->sources[i]);
  hd_str_printf(out, "\nFLAGS = -std=%s %s\nARGUMENTS =", h->std, h->flags);
  for (int i = 1; i < h->mpi->argc; i++)
    hd_str_printf(out, " '%s'", h->mpi->argv[i]);
  hd_str_printf(
      out,
      "\n\n# mpirun does not always survive the end of its processes: what "
      "they "
      "say counts.\n"
      "define SCRIPT\n"
      "#!/bin/sh\n"
      "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1\n"
      "cd \"$$(dirname \"$$0\")\" || exit 2\n"
      "rm -f said\n"
      "touch said\n"
      "$(MPIRUN) -n %u ./program $(ARGUMENTS) > mpirun.log 2>&1 &\n"
      "mpirun=$$!\n"
      "tries=0\n"
      "until grep -q '^replay: ' said || [ $$tries -gt 300 ]; do\n"
      "  kill -0 $$mpirun 2> /dev/null || tries=300\n"
      "  tries=$$((tries + 1))\n"
      "  sleep 0.1\n"
      "done\n"
      "sleep 0.5\n"
      "kill -9 $$mpirun 2> /dev/null\n"
      "wait $$mpirun 2> /dev/null\n"
      "grep Assertion mpirun.log >&2\n"
      "cat said >&2\n"
      "grep -q '^replay: deadlock: ' said && exit 10\n"
      "grep -q '^replay: assert: ' said && exit 134\n"
      "exit 2\n"
      "endef\n"
      "export SCRIPT\n\n"
      "replay: program Makefile\n"
      "\tprintf '%%s\\n' \"$$SCRIPT\" > $@\n"
      "\tchmod +x $@\n\n"
      "program: $(PROGRAM) replay_mpi.c schedule.h\n"
      "\t$(CC) $(FLAGS) -g -w -I. $(PROGRAM) replay_mpi.c -o $@ -lm\n\n"
      "check: replay\n"
      "\t@n=0; for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; "
      "do \\\n"
      "\t  ./replay > output 2> errors; s=$$?; \\\n"
      "\t  if [ $$s -eq 10 ] || [ $$s -eq 134 ]; then n=$$((n + 1)); fi; "
      "\\\n\tdone; cat errors; echo \"reproduced in $$n of 20 runs\"; "
      "[ $$n -eq 20 ]\n\n"
      "clean:\n\trm -f replay program said mpirun.log output errors\n"
      ".PHONY: check clean\n",
      h->mpi->procs);
}
