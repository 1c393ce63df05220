/* SPDX-License-Identifier: MIT */
#include "cli/session.h"

#include "cli/progress.h"
#include "front/bp/bp.h"
#include "front/front.h"
#include "model/unset.h"
#include "report/report.h"

#include <errno.h>
#include <sched.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/stat.h>
#include <unistd.h>

int hd_exit_code(hd_end end) {
  switch (end) {
  case HD_END_DONE:
  case HD_END_SAFE:
  case HD_END_ACCEPTED:
    return 0;
  case HD_END_IDEAL:
    return 4;
  case HD_END_UNSAFE:
  case HD_END_REFUSED:
  case HD_END_UNEXPECTED:
    return 10;
  case HD_END_UNKNOWN:
    return 5;
  case HD_END_USAGE:
    return 1;
  case HD_END_INPUT:
    return 2;
  case HD_END_OUTPUT:
  case HD_END_INTERNAL:
    return 6;
  }
  return 6;
}

static volatile sig_atomic_t cancelled;

static void cancel(int signal) {
  (void)signal;
  cancelled = 1;
}

/* The first Ctrl-C or SIGTERM asks for an end with a report, the second one
 * (SA_RESETHAND) ends the process. A closed pipe is a write error. */
static void catch_signals(void) {
  struct sigaction action = {.sa_handler = cancel,
                             .sa_flags = (int)SA_RESETHAND};
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, NULL);
  sigaction(SIGTERM, &action, NULL);
  signal(SIGPIPE, SIG_IGN);
  signal(SIGXFSZ, SIG_IGN); /* so is a file that may not grow */
}

/* --- the end of a judgement that takes too long --- */

/* Judges do not ask for the time: they are stopped, whatever they do. What is
 * printed then was made before. */
static hd_str too_late;

static void stop_judging(int signal) {
  (void)signal;
  ssize_t n = write(STDOUT_FILENO, too_late.data, too_late.size);
  _exit(hd_exit_code(n < 0 ? HD_END_OUTPUT : HD_END_UNKNOWN));
}

static void limit_judging(const hd_options *options) {
  static const char why[] = "time limit reached";
  if (!strcmp(options->format, "json"))
    hd_str_printf(&too_late,
                  "{\n  \"command\": \"check\",\n  \"accepted\": false,\n"
                  "  \"reason\": \"%s\",\n  \"exit_code\": %d\n}\n",
                  why, hd_exit_code(HD_END_UNKNOWN));
  else
    hd_str_printf(&too_late, "check: unknown (%s)\n", why);
  struct sigaction action = {.sa_handler = stop_judging};
  sigemptyset(&action.sa_mask);
  sigaction(SIGALRM, &action, NULL);
  double whole = floor(options->timeout);
  struct itimerval timer = {
      .it_value = {.tv_sec = (time_t)whole,
                   .tv_usec = (suseconds_t)((options->timeout - whole) * 1e6)}};
  setitimer(ITIMER_REAL, &timer, NULL);
}

/* A number in a file of one line, or SIZE_MAX ("max" and absent files too). */
static size_t number_in(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file)
    return SIZE_MAX;
  unsigned long long value;
  bool ok = fscanf(file, "%llu", &value) == 1;
  fclose(file);
  return ok ? (size_t)value : SIZE_MAX;
}

static size_t least(size_t a, size_t b) {
  return a < b ? a : b;
}

/* What this process could get at most: the machine's memory, a container's
 * limit, the address space. */
static size_t available_memory(void) {
  long pages = sysconf(_SC_PHYS_PAGES), size = sysconf(_SC_PAGESIZE);
  size_t bytes =
      pages > 0 && size > 0 ? (size_t)pages * (size_t)size : (size_t)4 << 30;
  bytes = least(bytes, number_in("/sys/fs/cgroup/memory.max"));
  bytes = least(bytes, number_in("/sys/fs/cgroup/memory/"
                                 "memory.limit_in_bytes"));
  struct rlimit limit;
  if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    bytes = least(bytes, (size_t)limit.rlim_cur);
  return bytes;
}

/* Half of what there is, so that others can go on with their work; what needs more
 * than this rarely comes to an end. */
static size_t usual_memory(void) {
  return least(available_memory() / 2, (size_t)6 << 30);
}

/* Engines stop by themselves at the limit; the ceiling ends what does not ask
 * in time, a reader of a huge file for example. */
static void set_memory(hd_session *session) {
  size_t limit = session->options.memory ? (size_t)session->options.memory << 20
                                         : usual_memory();
  session->run.memory = limit;
  hd_mem_set_ceiling(limit + limit / 4 + ((size_t)32 << 20));
}

static bool wants_color(const char *when, int fd) {
  if (!strcmp(when, "always"))
    return true;
  const char *no_color = getenv("NO_COLOR");
  return !strcmp(when, "auto") && isatty(fd) && !(no_color && *no_color);
}

void hd_session_start(hd_session *session) {
  const hd_options *options = &session->options;
  session->start = hd_now();
  session->diag = hd_diag_new();
  catch_signals();
  set_memory(session);
  session->run.cancel = &cancelled;
  if (options->timeout > 0 && options->command == HD_COMMAND_CHECK)
    limit_judging(options);
  else if (options->timeout > 0)
    session->run.deadline = session->start + options->timeout;
  else if (options->command == HD_COMMAND_VERIFY && hd_options_code(options))
    session->run.deadline = session->start + HD_CODE_SECONDS;
  if (options->command == HD_COMMAND_FUZZ)
    session->run.deadline =
        session->start + (options->time > 0 ? options->time : 10);
  session->color_out = !options->output && wants_color(options->color, 1);
  session->color_err = wants_color(options->color, 2);
  const char *term = getenv("TERM");
  bool live = !options->quiet && isatty(2) && term && strcmp(term, "dumb");
  if (!live && !options->verbose)
    return;
  session->display =
      hd_display_new(stderr, live, options->verbose, session->start);
  session->run.show = hd_display_show;
  session->run.show_context = session->display;
}

void hd_session_quiet(hd_session *session) {
  hd_display_clear(session->display);
}

void hd_session_messages(hd_session *session) {
  hd_session_quiet(session);
  hd_diag_print(session->diag, stderr, session->color_err);
}

void hd_session_finish(hd_session *session) {
  hd_session_messages(session);
  hd_display_delete(session->display);
  if (!session->made.extract)
    hd_net_delete(session->net);
  hd_program_run_free(&session->made);
  hd_program_delete(session->program);
  hd_str_free(&session->explanation);
  hd_free(session->unbuilt);
  if (session->plain) {
    hd_unset_delete(session->code);
    session->code = session->plain;
  }
  if (session->code)
    hd_code_delete(session->code);
  hd_vec_free(&session->argv);
  hd_diag_delete(session->diag);
}

static bool apply_options(hd_session *session) {
  const hd_options *o = &session->options;
  hd_diag *diag = session->diag;
  if (o->threads &&
      !hd_front_set_threads(session->net, o->threads, "--threads", diag))
    return false;
  if (o->init && !hd_front_set_init(session->net, o->init, "--init", diag))
    return false;
  if (o->target &&
      !hd_front_set_target(session->net, o->target, "--target", diag))
    return false;
  return !o->prop || hd_front_read_prop(session->net, o->prop, diag);
}

static bool has_target(hd_session *session) {
  const hd_net *net = session->net;
  if (net->targets.size)
    return true;
  if (net->format == HD_FORMAT_TTS)
    hd_diag_file_error(session->diag, net->file,
                       "no target: give --target='SHARED|LOCAL,...' or "
                       "--prop=FILE, put a file of this name with the "
                       "extension .prop beside it, or a line "
                       "'SHARED|LOCAL' into it");
  else
    hd_diag_file_error(session->diag, net->file,
                       "no target: give --target='PLACE>=1,...' or "
                       "--prop=FILE");
  return false;
}

/* --- Boolean programs --- */

static bool ends_with(const char *text, const char *end) {
  size_t n = strlen(text), m = strlen(end);
  return n >= m && !strcmp(text + n - m, end);
}

static bool is_program(const hd_options *o) {
  if (strcmp(o->input_format, "auto"))
    return !strcmp(o->input_format, "bp");
  return ends_with(o->operands[0], ".bp") || ends_with(o->operands[0], ".nbp");
}

/* --threads for programs: the default depends on whether it spawns. The option
 * table knows the three forms; only the size of the number is left to see. */
static bool set_program_threads(hd_session *session) {
  const char *text = session->options.threads;
  hd_init *threads = &session->how.threads;
  *threads = hd_program_threads(session->program);
  if (!text)
    return true;
  unsigned long long n = strtoull(text, NULL, 10);
  if (!strcmp(text, "parametric"))
    *threads = (hd_init){.min = 0, .max = HD_OMEGA};
  else if (!strcmp(text, "dynamic"))
    *threads = (hd_init){.min = 1, .max = 1};
  else
    *threads = (hd_init){.min = (hd_count)n, .max = (hd_count)n};
  if (n > HD_COUNT_MAX)
    hd_diag_report(session->diag, HD_ERROR, NULL, (hd_pos){0},
                   "--threads: %s is more than the %u heddle can count", text,
                   HD_COUNT_MAX);
  return n <= HD_COUNT_MAX;
}

/* --assert: the N-th ASSERT edge. */
static bool set_assertion(hd_session *session) {
  const hd_options *o = &session->options;
  session->how.assertion = HD_NO_ID;
  if (o->command == HD_COMMAND_REACH || o->command == HD_COMMAND_CUTOFF) {
    session->how.assertion = HD_NO_ASSERTION;
    return true;
  }
  uint64_t count = 0;
  for (hd_edge_id e = 0; e < session->program->edges.size; e++)
    if (session->program->edges.data[e].act == HD_ACT_ASSERT &&
        ++count == o->assertion)
      session->how.assertion = e;
  if (!o->assertion || session->how.assertion != HD_NO_ID)
    return true;
  hd_diag_file_error(session->diag, session->program->file,
                     "--assert=%llu: there are %llu assertions",
                     (unsigned long long)o->assertion,
                     (unsigned long long)count);
  return false;
}

static bool refuse_net_options(hd_session *session) {
  const hd_options *o = &session->options;
  const char *name = o->target ? "target" : o->prop ? "prop" : NULL;
  if (o->init)
    name = "init";
  if (!name)
    return true;
  hd_diag_report(session->diag, HD_ERROR, NULL, (hd_pos){0},
                 "--%s does not go with a Boolean program: its assertions are "
                 "the targets (--assert=N selects one), --threads says how it "
                 "starts",
                 name);
  return false;
}

hd_km_order hd_session_order(const hd_session *session) {
  const char *order = session->options.order;
  if (!order || !strcmp(order, "largest"))
    return HD_KM_LARGEST;
  return !strcmp(order, "dfs") ? HD_KM_DFS : HD_KM_BFS;
}

/* These commands tell thread states from each other, not only assertions that
 * fail from those that do not. */
static bool counts_states(const hd_options *o) {
  return o->command == HD_COMMAND_REACH || o->command == HD_COMMAND_CUTOFF;
}

/* What a signal does is exact for assertions: a thread that it should have woken
 * up may go on waiting. */
static bool refuse_signals(hd_session *session) {
  const hd_program *p = session->program;
  for (hd_vec_each(const hd_edge, e, &p->edges))
    if (e->act == HD_ACT_SIGNAL) {
      hd_diag_report(session->diag, HD_ERROR, NULL, (hd_pos){0},
                     "%s:%u: with 'signal' only assertions can be decided: "
                     "which threads wait depends on whether none does",
                     p->file, e->origin.line);
      return false;
    }
  return true;
}

/* heddle check: builds what the evidence is about, which its head says. */
static bool set_built(hd_session *session) {
  const char *path = session->options.operands[1];
  hd_source source;
  if (!hd_source_read(path, &source, session->diag))
    return false;
  hd_str words = {0};
  const char *at = memmem(source.text, source.size, "\nmodel ", 7);
  const char *end = source.text + source.size;
  const char *stop = at ? memchr(at + 1, '\n', (size_t)(end - at - 1)) : NULL;
  stop = at && !stop ? end : stop;
  const char *hash = at ? memchr(at, '#', (size_t)(stop - at)) : NULL;
  stop = hash ? hash : stop;
  const char *built = at ? memmem(at, (size_t)(stop - at), " built ", 7) : NULL;
  if (built)
    hd_str_append(&words, built + 7, (size_t)(stop - built - 7));
  bool ok = hd_program_built(hd_str_text(&words), &session->how);
  if (!ok)
    hd_diag_file_error(session->diag, path,
                       "it is about a system built in a way that is not "
                       "known here: %s",
                       hd_str_text(&words));
  hd_str_free(&words);
  hd_source_free(&source);
  return ok;
}

static bool build_program(hd_session *session) {
  const hd_options *o = &session->options;
  bool states = counts_states(o);
  session->how.finite = (hd_finite_options){.no_propagate = o->no_propagate,
                                            .no_slice = o->no_slice,
                                            .no_live = o->no_live,
                                            .no_thread = o->no_jump,
                                            .no_lazy = o->no_lazy || states};
  hd_str why = {0};
  session->how.verify.engine = o->engine;
  session->how.verify.no_check = o->no_check;
  session->how.verify.order = hd_session_order(session);
  if ((states && !refuse_signals(session)) ||
      (o->command == HD_COMMAND_CHECK && !set_built(session)))
    return false;
  session->how.portable = o->command == HD_COMMAND_CONVERT;
  bool ok = hd_program_open(session->program, &session->how, &session->run,
                            &session->made, &why);
  if (ok) {
    session->net = session->made.extract->net;
  } else if (session->made.finite) {
    session->unbuilt = hd_strdup(hd_str_text(&why));
    session->net = hd_net_new(HD_FORMAT_TTS, session->program->file, 1, 1);
    hd_net_finish(session->net);
    ok = true;
  } else {
    hd_diag_report(session->diag, HD_ERROR, NULL, (hd_pos){0}, "%s",
                   hd_str_text(&why));
  }
  hd_str_free(&why);
  return ok;
}

static bool read_program(hd_session *session, bool needs_target) {
  hd_source source;
  if (!refuse_net_options(session) ||
      !hd_source_read(session->options.operands[0], &source, session->diag))
    return false;
  session->program = hd_bp_parse(&source, session->diag);
  hd_source_free(&source);
  if (!session->program || !set_program_threads(session) ||
      !set_assertion(session) || !build_program(session))
    return false;
  if (needs_target && !session->unbuilt && !session->net->targets.size) {
    hd_diag_file_error(session->diag, session->program->file,
                       "there is no assertion to verify");
    return false;
  }
  return true;
}

bool hd_session_read(hd_session *session, bool prop_beside, bool needs_target) {
  const hd_options *o = &session->options;
  if (is_program(o))
    return read_program(session, needs_target);
  hd_format format, *given = NULL;
  if (strcmp(o->input_format, "auto")) {
    if (!hd_format_find(o->input_format, &format))
      hd_bug("the option table has an unknown format");
    given = &format;
  }
  bool beside = prop_beside && !o->target && !o->prop;
  session->net = hd_front_read(o->operands[0], given, beside, session->diag);
  return session->net && apply_options(session) &&
         (!needs_target || has_target(session));
}

bool hd_session_probe(hd_session *session, const char *path) {
  if (!path || !strcmp(path, "-"))
    return true;
  struct stat st;
  int error = 0;
  if (stat(path, &st) == 0 && !S_ISREG(st.st_mode)) {
    error = S_ISDIR(st.st_mode) ? EISDIR : 0;
  } else {
    /* It will be made beside its place: the folder must take a new file. */
    const char *slash = strrchr(path, '/');
    hd_str folder = {0};
    if (slash)
      hd_str_append(&folder, path, (size_t)(slash - path) + 1);
    hd_str_puts(&folder, "."); /* and be one: "FILE/." is none */
    error = access(hd_str_text(&folder), W_OK | X_OK) ? errno : 0;
    hd_str_free(&folder);
  }
  if (error)
    hd_diag_file_error(session->diag, path, "cannot write: %s",
                       strerror(error));
  return !error;
}

bool hd_session_write(hd_session *session, const char *path, const char *text,
                      size_t size) {
  hd_output output;
  if (!hd_output_open(&output, path, session->diag))
    return false;
  fwrite(text, 1, size, output.file);
  return hd_output_close(&output, session->diag);
}

/* The locale's name says it, after a dot, where it is another one: "C" and
 * "POSIX" say nothing about the terminal. */
static bool is_other_charset(void) {
  static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    const char *value = getenv(names[i]);
    if (!value || !*value)
      continue;
    const char *dot = strchr(value, '.');
    return dot && strncasecmp(dot, ".utf-8", 6) && strncasecmp(dot, ".utf8", 5);
  }
  return false;
}

static bool is_text(const char *format) {
  return !format || !strcmp(format, "text");
}

/* Text for people who cannot see other characters; the caller frees it. */
static hd_str in_charset(const hd_session *session, const hd_str *text) {
  const hd_options *o = &session->options;
  hd_str out = {0};
  if ((o->ascii || is_other_charset()) && is_text(o->format) &&
      is_text(o->code_format) && is_text(o->show_format))
    hd_report_ascii(&out, hd_str_text(text));
  else
    hd_str_append(&out, hd_str_text(text), text->size);
  return out;
}

bool hd_session_report(hd_session *session, const hd_str *text) {
  const char *path = session->options.output;
  hd_session_quiet(session);
  hd_str out = in_charset(session, text);
  bool ok =
      hd_session_write(session, path ? path : "-", hd_str_text(&out), out.size);
  hd_str_free(&out);
  return ok;
}

void hd_session_say(hd_session *session, const hd_str *lines) {
  if (!lines->size)
    return;
  hd_session_messages(session);
  hd_str out = in_charset(session, lines);
  fwrite(hd_str_text(&out), 1, out.size, stderr);
  hd_str_free(&out);
}

unsigned hd_session_jobs(const hd_session *session) {
  if (session->options.jobs)
    return (unsigned)session->options.jobs;
  cpu_set_t cores;
  int n =
      sched_getaffinity(0, sizeof cores, &cores) == 0 ? CPU_COUNT(&cores) : 1;
  return n > 0 ? (unsigned)n : 1;
}

double hd_session_seconds(const hd_session *session) {
  return hd_now() - session->start;
}

/* VmHWM counts this program only; what getrusage says includes the process
 * that started it, before exec. */
size_t hd_session_resident(void) {
  FILE *file = fopen("/proc/self/status", "r");
  unsigned long kilobytes = 0;
  char line[256];
  while (file && !kilobytes && fgets(line, sizeof line, file))
    sscanf(line, "VmHWM: %lu", &kilobytes);
  if (file)
    fclose(file);
  struct rusage usage;
  if (!kilobytes && getrusage(RUSAGE_SELF, &usage) == 0)
    kilobytes = (unsigned long)usage.ru_maxrss;
  return (size_t)kilobytes << 10;
}
