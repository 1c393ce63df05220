/* SPDX-License-Identifier: MIT */
/* Differential testing of all engines on random systems.
 *
 *   fuzz_differential [--seed=N] [--count=N] [--seconds=S] [--shape=NAME]
 *                     [--engines=a,b] [--only=NUMBER] [--save=FOLDER]
 *                     [--list] [-v]
 *
 * Systems are numbered N * 2^20, N * 2^20 + 1, …; shapes take turns. Each goes
 * through every engine, with and without reduction, and heddle's own choice, by
 * way of hd_verify, which has all evidence checked, and through a plain
 * exploration that shares nothing with them. It fails when
 *   evidence  a certificate or witness is refused,
 *   verdict   one engine says safe and another unsafe,
 *   gives up  a complete engine has no verdict although no limit was reached,
 *   variant   a verdict changes when states are renamed, transitions are put
 *             in another order or doubled, unreachable parts are added, shared
 *             states become places, or the system is written to a file and
 *             read again,
 *   file      what was written cannot be read,
 *   crash     an engine ends the process or uses more than a minute.
 * The limits are steps, not seconds, so that a run depends on its options only;
 * --seconds ends it early. A failing system is minimised and saved.
 *
 * Output: a TAP line for each shape, a line for each engine, and at the end
 * `N passed, M failed` systems. Exit status 0 means M = 0. */
#include "api/verify.h"
#include "front/front.h"
#include "oracle.h"
#include "random_net.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
  STEPS = 3000,      /* of an engine */
  ORACLE = 300,      /* configurations */
  MOST_SECONDS = 60, /* of a system */
  MAX_ENGINES = 16,
  MAX_FAILURES = 5, /* of a shape */
};

typedef enum {
  FINE,
  EVIDENCE,
  CONTRADICTION,
  GIVES_UP,
  VARIANT,
  UNREADABLE,
  CRASH,
} failure;

typedef struct {
  const char *name; /* NULL: heddle's choice */
  bool complete;
  uint64_t runs, safe, unsafe, unknown, refused;
  double seconds;
} contestant;

typedef struct {
  contestant engines[MAX_ENGINES];
  size_t n_engines;
  uint64_t seed, count, only;
  bool one; /* only the system `only` */
  double seconds;
  size_t shape; /* or hd_shape_count: all */
  const char *save;
  bool verbose;
  /* outcome */
  uint64_t passed, failed, undecided, safe, unsafe, variants, oracle;
  /* what is being examined */
  size_t now_shape;
  uint64_t now_number;
} session;

/* ---- one system ---- */

typedef struct {
  hd_verdict verdict; /* agreed on so far */
  hd_str by;          /* who said it first */
  hd_str message;     /* of a failure */
} opinion;

static void opinion_free(opinion *o) {
  hd_str_free(&o->by);
  hd_str_free(&o->message);
}

static failure fail(opinion *o, failure kind, const char *who,
                    const char *text) {
  hd_str_printf(&o->message, "%s: %s", who, text);
  return kind;
}

static failure compare(opinion *o, hd_verdict verdict, const char *who) {
  if (verdict == HD_UNKNOWN)
    return FINE;
  if (o->verdict == HD_UNKNOWN) {
    o->verdict = verdict;
    hd_str_puts(&o->by, who);
  }
  if (o->verdict == verdict)
    return FINE;
  hd_str_printf(&o->message, "%s: %s, but %s says %s", who,
                hd_verdict_name(verdict), hd_str_text(&o->by),
                hd_verdict_name(o->verdict));
  return CONTRADICTION;
}

static void note(contestant *c, hd_verify_status status, hd_verdict verdict,
                 double seconds) {
  c->seconds += seconds;
  if (status == HD_VERIFY_REFUSED) {
    c->refused++;
    return;
  }
  c->runs++;
  c->safe += verdict == HD_SAFE;
  c->unsafe += verdict == HD_UNSAFE;
  c->unknown += verdict == HD_UNKNOWN;
}

static bool too_large(const hd_result *result) {
  return result->reason && strstr(result->reason, "too large");
}

static failure ask(contestant *c, const hd_net *net, bool no_reduce,
                   opinion *o) {
  /* The state equation prunes from the start: the systems are too small for it
   * to come in later. */
  hd_verify_options options = {
      .engine = c->name, .no_reduce = no_reduce, .pruning = HD_PRUNE_ALWAYS};
  hd_run run = {.steps = STEPS};
  hd_result result = {0};
  char who[40];
  snprintf(who, sizeof who, "%s%s", c->name ? c->name : "default",
           no_reduce ? " without reduction" : "");
  double before = hd_cpu();
  hd_verify_status status = hd_verify(net, &options, &run, &result);
  note(c, status, result.verdict, hd_cpu() - before);
  failure kind = FINE;
  if (status == HD_VERIFY_INTERNAL)
    kind = fail(o, EVIDENCE, who, result.reason ? result.reason : "?");
  else if (status == HD_VERIFY_DONE && result.verdict == HD_UNKNOWN &&
           c->complete && run.stop == HD_RUNNING && !too_large(&result))
    kind = fail(o, GIVES_UP, who,
                result.reason ? result.reason : "unknown without a reason");
  else if (status == HD_VERIFY_DONE)
    kind = compare(o, result.verdict, who);
  hd_result_free(&result);
  return kind;
}

/* Writes the system and reads it again. *again is NULL when the format cannot
 * say it, which the writer knows. */
static failure reread(const hd_net *net, hd_format format, hd_net **again,
                      opinion *o) {
  char *text = NULL;
  size_t size = 0;
  failure kind = FINE;
  FILE *out = open_memstream(&text, &size);
  hd_diag *diag = hd_diag_new();
  bool written = out && hd_front_write(net, format, out, diag);
  *again = NULL;
  if (out && fclose(out) == 0 && written) {
    hd_source source = hd_source_from_text("again", text, size);
    *again = hd_front_parse(&source, format, diag);
    hd_source_free(&source);
    if (!*again)
      kind =
          fail(o, UNREADABLE, hd_format_name(format), "cannot be read again");
  }
  hd_diag_delete(diag);
  free(text);
  return kind;
}

static failure ask_variant(session *s, const hd_net *net, size_t turn,
                           const char *what, opinion *o) {
  contestant *c = &s->engines[turn % s->n_engines];
  failure kind = ask(c, net, turn / s->n_engines % 2, o);
  s->variants++;
  if (kind == FINE)
    return FINE;
  char *text = hd_str_take(&o->message);
  kind = fail(o, kind == CONTRADICTION ? VARIANT : kind, what, text);
  hd_free(text);
  return kind;
}

enum { N_VARIANTS = 3 };

static hd_model variant_of(const hd_model *model, size_t which,
                           uint64_t number) {
  hd_dice dice = {.x = number ^ 0x5DEECE66Du};
  return which == 0   ? hd_model_renamed(model, &dice)
         : which == 1 ? hd_model_with_junk(model, &dice)
                      : hd_model_folded(model);
}

static failure ask_variants(session *s, const hd_model *model, uint64_t number,
                            opinion *o) {
  static const char *const what[N_VARIANTS] = {
      "renamed and shuffled", "with junk", "with places for shared states"};
  failure kind = FINE;
  for (size_t i = 0; i < N_VARIANTS && kind == FINE; i++) {
    hd_model other = variant_of(model, i, number);
    hd_net *net = hd_model_net(&other);
    kind = ask_variant(s, net, (size_t)number + i, what[i], o);
    hd_net_delete(net);
    hd_model_free(&other);
  }
  return kind;
}

static failure ask_reread(session *s, const hd_model *model, uint64_t number,
                          opinion *o) {
  static const hd_format formats[] = {HD_FORMAT_TTS, HD_FORMAT_MIST,
                                      HD_FORMAT_PNML};
  hd_format format = formats[number % 3];
  hd_model folded = hd_model_folded(model);
  hd_net *net = hd_model_net(model->threads ? model : &folded), *again;
  failure kind = reread(net, format, &again, o);
  hd_net_delete(net);
  hd_model_free(&folded);
  if (!again)
    return kind;
  kind = ask_variant(s, again, (size_t)number, "read again", o);
  hd_net_delete(again);
  return kind;
}

/* The number of a system that is examined without variants. */
enum { PLAIN = 1 };

static failure ask_oracle(session *s, const hd_net *net, opinion *o) {
  hd_verdict verdict = hd_oracle(net, ORACLE, 2);
  s->oracle += verdict != HD_UNKNOWN;
  return compare(o, verdict, "oracle");
}

/* Everything about one system. The caller frees the opinion. */
static failure examine(session *s, const hd_model *model, uint64_t number,
                       opinion *o) {
  *o = (opinion){.verdict = HD_UNKNOWN};
  hd_net *net = hd_model_net(model);
  failure kind = ask_oracle(s, net, o);
  for (size_t i = 0; i < s->n_engines && kind == FINE; i++) {
    kind = ask(&s->engines[i], net, false, o);
    if (kind == FINE && s->engines[i].name)
      kind = ask(&s->engines[i], net, true, o);
  }
  if (kind == FINE && number % 4 == 0)
    kind = ask_variants(s, model, number / 4, o);
  if (kind == FINE && number % 4 == 2)
    kind = ask_reread(s, model, number / 4, o);
  hd_net_delete(net);
  return kind;
}

/* A fresh allowance of CPU time; without it the process ends. */
static void wind_up_clock(void) {
  struct itimerval timer = {.it_value = {.tv_sec = MOST_SECONDS}};
  setitimer(ITIMER_PROF, &timer, NULL);
}

/* In a process of its own, whose end is a failure. */
static failure examine_apart(session *s, const hd_model *model, uint64_t number,
                             opinion *o) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    if (!freopen("/dev/null", "w", stderr))
      _exit(1);
    wind_up_clock();
    _exit(examine(s, model, number, o) == FINE ? 0 : 1);
  }
  int status = 0;
  *o = (opinion){.verdict = HD_UNKNOWN};
  if (child < 0 || waitpid(child, &status, 0) < 0)
    return FINE;
  if (WIFEXITED(status) && WEXITSTATUS(status) <= 1)
    return FINE;
  return fail(o, CRASH, "some engine", "the process ended");
}

static failure examine_again(session *s, const hd_model *model, uint64_t number,
                             failure kind, opinion *o) {
  return (kind == CRASH ? examine_apart : examine)(s, model, number, o);
}

/* ---- failures ---- */

/* Takes every step that keeps the failure, until none does. */
static void minimise(session *s, hd_model *model, uint64_t number,
                     failure kind) {
  for (size_t step = 0, tries = 0; tries < 10000; tries++) {
    hd_model smaller = hd_model_copy(model);
    if (!hd_model_shrink(&smaller, step)) {
      hd_model_free(&smaller);
      return;
    }
    opinion o;
    bool still = examine_again(s, &smaller, number, kind, &o) == kind;
    opinion_free(&o);
    if (still) {
      hd_model_free(model);
      *model = smaller;
    } else {
      hd_model_free(&smaller);
      step++;
    }
  }
}

static bool write_as(const hd_net *net, hd_format format, const char *path) {
  hd_diag *diag = hd_diag_new();
  hd_output out;
  bool ok = hd_output_open(&out, path, diag);
  if (ok && !hd_front_write(net, format, out.file, diag)) {
    hd_output_abandon(&out);
    ok = false;
  } else if (ok) {
    ok = hd_output_close(&out, diag);
  }
  hd_diag_delete(diag);
  return ok;
}

static bool save_as(const session *s, const hd_model *model, size_t shape,
                    uint64_t number, hd_format format) {
  hd_net *net = hd_model_net(model);
  hd_str path = {0};
  hd_str_printf(&path, "%s/fuzz-%s-%llu.%s", s->save, hd_shape_name(shape),
                (unsigned long long)number, hd_format_name(format));
  bool ok = write_as(net, format, hd_str_text(&path));
  if (ok)
    printf("#   saved as %s\n", hd_str_text(&path));
  hd_str_free(&path);
  hd_net_delete(net);
  return ok;
}

/* As a thread system if it is one, else as a net. */
static void save(const session *s, const hd_model *model, size_t shape,
                 uint64_t number) {
  if (model->threads && save_as(s, model, shape, number, HD_FORMAT_TTS))
    return;
  hd_model as_net =
      model->n_shared == 1 ? hd_model_copy(model) : hd_model_folded(model);
  as_net.threads = false;
  if (!save_as(s, &as_net, shape, number, HD_FORMAT_MIST))
    printf("#   no format can say it\n");
  hd_model_free(&as_net);
}

static void show_model(const hd_model *model) {
  hd_net *net = hd_model_net(model);
  hd_str text = {0};
  for (hd_trans_id t = 0; t < net->trans.size; t++) {
    hd_vec_clear(&text);
    hd_str_printf(&text, "#   %u -> %u: ", net->trans.data[t].from,
                  net->trans.data[t].to);
    hd_net_print_trans(&text, net, t);
    printf("%s\n", hd_str_text(&text));
  }
  for (hd_vec_each(const hd_target, target, &net->targets)) {
    hd_vec_clear(&text);
    hd_net_print_config(&text, net,
                        target->shared == HD_ANY_SHARED ? 0 : target->shared,
                        hd_net_view(net, target->need));
    printf("#   target%s: %s%s\n",
           target->shared == HD_ANY_SHARED ? " (any state)" : "",
           hd_str_text(&text), target->caps.size ? " and upper bounds" : "");
  }
  printf("#   initially state %u,", model->init_shared);
  for (uint32_t p = 0; p < model->n_places; p++)
    if (net->init[p].max == HD_OMEGA)
      printf(" %u:%u..", p, net->init[p].min);
    else if (net->init[p].max)
      printf(" %u:%u..%u", p, net->init[p].min, net->init[p].max);
  printf("\n");
  hd_str_free(&text);
  hd_net_delete(net);
}

/* If the model or one of its variants fails by itself, that is the one to
 * minimise: variants of smaller models differ too much. */
static hd_model culprit(session *s, const hd_model *model, uint64_t *number,
                        failure *kind) {
  for (size_t i = 0; i <= N_VARIANTS && *kind != CRASH; i++) {
    hd_model one =
        i ? variant_of(model, i - 1, *number / 4) : hd_model_copy(model);
    opinion o;
    failure alone = examine(s, &one, PLAIN, &o);
    opinion_free(&o);
    if (alone != FINE) {
      *kind = alone;
      *number = PLAIN;
      return one;
    }
    hd_model_free(&one);
  }
  return hd_model_copy(model);
}

static void report_failure(session *s, const hd_model *model, size_t shape,
                           uint64_t number, failure kind, const opinion *o) {
  printf("# FAILED %s\n#   reproduce with --shape=%s --only=%llu\n",
         hd_str_text(&o->message), hd_shape_name(shape),
         (unsigned long long)number);
  fflush(stdout);
  session quiet = *s; /* its counts are thrown away */
  uint64_t as = number;
  hd_model small = culprit(&quiet, model, &as, &kind);
  minimise(&quiet, &small, as, kind);
  opinion last;
  (void)examine_again(&quiet, &small, as, kind, &last);
  printf("#   minimised: %s\n", hd_str_text(&last.message));
  opinion_free(&last);
  show_model(&small);
  save(s, &small, shape, number);
  hd_model_free(&small);
  fflush(stdout);
}

/* ---- the session ---- */

static void run_one(session *s, size_t shape, uint64_t number) {
  opinion o;
  hd_model model = hd_model_random(shape, number);
  s->now_shape = shape;
  s->now_number = number;
  wind_up_clock();
  failure kind = examine(s, &model, number, &o);
  if (s->verbose)
    printf("# %s %llu: %s\n", hd_shape_name(shape), (unsigned long long)number,
           hd_verdict_name(o.verdict));
  s->failed += kind != FINE;
  s->passed += kind == FINE;
  s->safe += o.verdict == HD_SAFE;
  s->unsafe += o.verdict == HD_UNSAFE;
  s->undecided += o.verdict == HD_UNKNOWN;
  if (kind != FINE)
    report_failure(s, &model, shape, number, kind, &o);
  opinion_free(&o);
  hd_model_free(&model);
}

static bool shape_on(const session *s, size_t shape) {
  return s->shape == hd_shape_count() || s->shape == shape;
}

/* Runs its share of one shape; a TAP line tells the outcome. */
static void run_shape(session *s, size_t shape, uint64_t first, uint64_t count,
                      double until) {
  uint64_t failed = s->failed, safe = s->safe, unsafe = s->unsafe, i = 0;
  uint64_t undecided = s->undecided;
  for (; i < count && s->failed < failed + MAX_FAILURES; i++) {
    if (until > 0 && hd_now() >= until)
      break;
    run_one(s, shape, first + i);
  }
  printf("%s - %s: %llu systems, %llu safe, %llu unsafe, %llu undecided\n",
         s->failed > failed ? "not ok" : "ok", hd_shape_name(shape),
         (unsigned long long)i, (unsigned long long)(s->safe - safe),
         (unsigned long long)(s->unsafe - unsafe),
         (unsigned long long)(s->undecided - undecided));
  fflush(stdout);
}

static void run_all(session *s) {
  size_t shapes = 0, done = 0;
  for (size_t i = 0; i < hd_shape_count(); i++)
    shapes += shape_on(s, i);
  double start = hd_now();
  for (size_t i = 0; i < hd_shape_count(); i++) {
    if (!shape_on(s, i))
      continue;
    done++;
    uint64_t share = s->count * done / shapes - s->count * (done - 1) / shapes;
    double until = s->seconds * (double)done / (double)shapes;
    run_shape(s, i, s->one ? s->only : s->seed << 20, s->one ? 1 : share,
              s->seconds > 0 ? start + until : 0);
  }
}

/* Runs everything in a process of its own; `s` is in memory that both share. If
 * that process ends early, the system it was at is the failure. */
static void run_guarded(session *s) {
  fflush(stdout);
  pid_t child = fork();
  if (child == 0) {
    run_all(s);
    fflush(stdout);
    _exit(0);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) < 0)
    hd_bug("cannot start a process");
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    return;
  s->failed++;
  hd_model model = hd_model_random(s->now_shape, s->now_number);
  opinion o = {.verdict = HD_UNKNOWN};
  (void)fail(&o, CRASH, "some engine", "the process ended");
  report_failure(s, &model, s->now_shape, s->now_number, CRASH, &o);
  printf("not ok - %s\n", hd_shape_name(s->now_shape));
  opinion_free(&o);
  hd_model_free(&model);
}

static void summary(const session *s) {
  for (size_t i = 0; i < s->n_engines; i++) {
    const contestant *c = &s->engines[i];
    printf("# %-9s %7llu runs: %6llu safe, %6llu unsafe, %5llu unknown, %5llu "
           "refused; %.1f s\n",
           c->name ? c->name : "default", (unsigned long long)c->runs,
           (unsigned long long)c->safe, (unsigned long long)c->unsafe,
           (unsigned long long)c->unknown, (unsigned long long)c->refused,
           c->seconds);
  }
  printf("# %llu systems: %llu safe, %llu unsafe, %llu undecided; %llu "
         "variants; %llu decided by plain exploration\n",
         (unsigned long long)(s->passed + s->failed),
         (unsigned long long)s->safe, (unsigned long long)s->unsafe,
         (unsigned long long)s->undecided, (unsigned long long)s->variants,
         (unsigned long long)s->oracle);
  printf("%llu passed, %llu failed\n", (unsigned long long)s->passed,
         (unsigned long long)s->failed);
}

/* ---- options ---- */

static int usage(const char *problem, const char *what) {
  fprintf(stderr,
          "fuzz_differential: %s%s\n"
          "usage: fuzz_differential [--seed=N] [--count=N] [--seconds=S] "
          "[--shape=NAME]\n"
          "         [--engines=a,b] [--only=NUMBER] [--save=FOLDER] [--list] "
          "[-v]\n",
          problem, what);
  return 1;
}

static bool add_engine(session *s, const char *name) {
  const hd_engine *engine = name ? hd_engine_find(name) : NULL;
  if ((name && !engine) || s->n_engines == MAX_ENGINES)
    return false;
  s->engines[s->n_engines++] =
      (contestant){.name = engine ? engine->name : NULL,
                   .complete = engine && engine->complete};
  return true;
}

static bool add_engines(session *s, const char *list) {
  while (*list) {
    char name[32];
    size_t n = strcspn(list, ",");
    if (n >= sizeof name)
      return false;
    memcpy(name, list, n);
    name[n] = 0;
    if (!add_engine(s, strcmp(name, "default") ? name : NULL))
      return false;
    list += n + (list[n] == ',');
  }
  return s->n_engines > 0;
}

/* The value of `argument` if it is --name=value. */
static const char *value_of(const char *argument, const char *name) {
  size_t n = strlen(name);
  return !strncmp(argument, name, n) && argument[n] == '=' ? argument + n + 1
                                                           : NULL;
}

static bool read_number(const char *text, uint64_t *number) {
  char *end;
  *number = strtoull(text, &end, 10);
  return *text >= '0' && *text <= '9' && !*end;
}

static bool read_option(session *s, const char *argument) {
  const char *value;
  if ((value = value_of(argument, "--seed")))
    return read_number(value, &s->seed);
  if ((value = value_of(argument, "--count")))
    return read_number(value, &s->count);
  if ((value = value_of(argument, "--only")))
    return s->one = true, read_number(value, &s->only);
  if ((value = value_of(argument, "--seconds")))
    return (s->seconds = strtod(value, NULL)) > 0;
  if ((value = value_of(argument, "--shape")))
    return hd_shape_find(value, &s->shape);
  if ((value = value_of(argument, "--engines")))
    return add_engines(s, value);
  if ((value = value_of(argument, "--save")))
    return s->save = value, true;
  return !strcmp(argument, "-v") && (s->verbose = true);
}

int main(int argc, char **argv) {
  session *s = mmap(NULL, sizeof *s, PROT_READ | PROT_WRITE,
                    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (s == MAP_FAILED)
    return usage("no memory", "");
  *s = (session){
      .seed = 1, .count = 20000, .shape = hd_shape_count(), .save = "."};
  for (int i = 1; i < argc; i++) {
    if (!strcmp(argv[i], "--list")) {
      for (size_t k = 0; k < hd_shape_count(); k++)
        puts(hd_shape_name(k));
      return 0;
    }
    if (!read_option(s, argv[i]))
      return usage("cannot use ", argv[i]);
  }
  if (s->one && s->shape == hd_shape_count())
    return usage("--only needs --shape", "");
  bool all = !s->n_engines, fits = true;
  for (size_t i = 0; all && fits && hd_engines[i]; i++)
    fits = add_engine(s, hd_engines[i]->name);
  if (all && !(fits && add_engine(s, NULL)))
    return usage("too many engines", "");
  run_guarded(s);
  summary(s);
  return s->failed ? 1 : 0;
}
