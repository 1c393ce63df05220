/* SPDX-License-Identifier: MIT */
/* heddle-judge: judges a certificate of a C program, and can do nothing else.
 *
 * It reads the program's code graph (docs/code.md; `heddle show --ir` writes it)
 * and the certificate (docs/evidence.md), and links the reader of graphs and the
 * judge, no engine and no solver. docs/why-believe.md says what one has to
 * believe besides. */
#include "base/hash.h"
#include "base/io.h"
#include "check/joint/certificate.h"
#include "front/code/code.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { ACCEPTED = 0, USAGE = 1, INPUT = 2, UNKNOWN = 5, REFUSED = 10 };

static const char usage[] =
    "usage: heddle-judge [--timeout=SECONDS] [--memory=MB] PROGRAM.code "
    "CERTIFICATE\n"
    "Ends with 0: accepted, 10: refused, 5: a limit was reached, 2: cannot be "
    "read.\n";

/* The name of the program that the certificate has: a hash of all lines of the
 * graph but those with the names of files. It keeps certificates apart; what is
 * believed does not rest on it. */
static uint64_t name_of(const char *text) {
  uint64_t hash = 1;
  while (*text) {
    size_t size = strcspn(text, "\n");
    if (strncmp(text, "file ", 5) != 0)
      hash = hd_hash_mix(hash, hd_hash_bytes(text, size));
    text += size + (text[size] == '\n');
  }
  return hash;
}

static void print_walk(const hd_certificate_verdict *j) {
  const hd_walked *w = &j->walked;
  if (w->locations)
    printf(
        "Followed: %zu threads and %zu places in loops, by %zu steps; %zu of "
        "%zu locations, %zu of %zu assertions\n",
        w->threads, w->places, w->steps, w->reached, w->locations, w->defended,
        w->assertions);
  if (j->joint.states)
    printf("Followed together: up to %zu threads, %" PRIu64 " states, %" PRIu64
           " moves; %zu of %zu locations\n",
           j->joint.threads, j->joint.states, j->joint.moves, j->joint.reached,
           j->joint.locations);
}

static int report(const hd_certificate_verdict *j, const hd_run *run,
                  const char *why) {
  bool open = !j->proved && run->stop != HD_RUNNING;
  print_walk(j);
  for (hd_property p = 0; p < HD_PROPERTY_COUNT; p++)
    if (j->proved >> p & 1)
      printf("proved: %s\n", hd_property_name(p));
  if (j->proved)
    printf("judge: accepted\n");
  else
    printf("judge: %s (%s)\n", open ? "unknown" : "refused", why);
  return j->proved ? ACCEPTED : open ? UNKNOWN : REFUSED;
}

static int judge(const hd_source *program, const hd_source *certificate,
                 hd_run *run, hd_diag *diag) {
  hd_code *code = hd_code_read(program, diag);
  hd_str why = {0};
  hd_certificate_verdict judged;
  int status = INPUT;
  if (!code)
    return status;
  hd_certificate_judge(code, name_of(program->text), certificate->text, run,
                       &judged, &why);
  if (judged.readable)
    status = report(&judged, run, hd_str_text(&why));
  else
    fprintf(stderr, "%s: error: %s\n", certificate->name, hd_str_text(&why));
  hd_code_delete(code);
  hd_str_free(&why);
  return status;
}

static bool limit(const char *arg, const char *name, double *value) {
  size_t n = strlen(name);
  char *end;
  if (strncmp(arg, name, n) != 0)
    return false;
  *value = strtod(arg + n, &end);
  return end != arg + n && !*end && *value > 0 && *value < 1e9;
}

int main(int argc, char **argv) {
  const char *files[2] = {0};
  int n = 0;
  double seconds = 0, megabytes = 4096;
  for (int i = 1; i < argc; i++) {
    if (limit(argv[i], "--timeout=", &seconds) ||
        limit(argv[i], "--memory=", &megabytes))
      continue;
    if (n == 2 || argv[i][0] == '-') {
      fputs(usage, stderr);
      return USAGE;
    }
    files[n++] = argv[i];
  }
  if (n < 2) {
    fputs(usage, stderr);
    return USAGE;
  }
  hd_run run = {.deadline = seconds > 0 ? hd_now() + seconds : 0,
                .memory = (size_t)(megabytes * 1048576)};
  hd_mem_set_ceiling(run.memory + run.memory / 4);
  hd_diag *diag = hd_diag_new();
  hd_source program, certificate;
  int status = INPUT;
  if (hd_source_read(files[0], &program, diag)) {
    if (hd_source_read(files[1], &certificate, diag)) {
      status = judge(&program, &certificate, &run, diag);
      hd_source_free(&certificate);
    }
    hd_source_free(&program);
  }
  hd_diag_print(diag, stderr, false);
  hd_diag_delete(diag);
  return fflush(stdout) ? UNKNOWN : status;
}
