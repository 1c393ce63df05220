/* SPDX-License-Identifier: MIT */
/* The system is built in up to three ways, each a better excuse for the next:
 *
 *   1. Thread-modular: cheap, and all counter engines like its nets. A counter
 *      that goes up and down has no bound there (whoever takes one down may do
 *      so again and again), so it is given up after a few thousand pairs.
 *   2. Karp–Miller on the fly, until some assertion fails: the pairs that really
 *      occur, or nearly so: wake-ups count as spurious and readers of a lock
 *      that vanish stay, because its transitions take one token each.
 *   3. The same to the end, when what 2 found is not there in the exact net.
 *
 * Every way gives a set of pairs that contains whatever can occur (2 only if
 * nothing fails), so SAFE about the net is SAFE about the program. */
#include "api/unbounded.h"

#include "engine/km/km.h"
#include "engine/km/search.h"
#include "model/calls.h"

static const size_t many_pairs = 1000000, modular_pairs = 20000;
static const double modular_seconds = 3.0;
/* Variables with fewer values are not what makes a system large. */
static const size_t in_sight = 200;

void hd_unbounded_run_free(hd_unbounded_run *made) {
  hd_small_net_delete(made->net);
  hd_small_graph_delete(made->graph);
  hd_small_delete(made->small);
  hd_vec_free(&made->turns);
  hd_free((char *)made->violation.message);
  *made = (hd_unbounded_run){0};
}

typedef struct {
  const hd_code *code;
  const hd_unbounded_options *options;
  hd_run *run;
  hd_unbounded_run *made;
  hd_result *result;
  size_t max_pairs;
  bool stop_at_bad; /* Karp–Miller ends where an assertion fails */
  bool stopped;     /* it did: not all pairs are there */
  bool flying;      /* the pairs come from Karp–Miller */
} job;

/* --- ways to build it --- */

static bool fresh(job *j, hd_str *why) {
  hd_unbounded_run *made = j->made;
  hd_small_graph_delete(made->graph);
  hd_small_delete(made->small);
  made->graph = NULL;
  made->small_options =
      (hd_small_options){.spurious = j->options->machine.spurious,
                         .max_threads = (uint16_t)j->options->max_threads};
  made->small = hd_small_new(j->code, &made->small_options, why);
  if (made->small)
    made->graph = hd_small_graph_new(made->small);
  return made->small != NULL;
}

static bool build_modular(job *j) {
  hd_run run = *j->run;
  double deadline = hd_now() + modular_seconds;
  if (run.deadline <= 0 || run.deadline > deadline)
    run.deadline = deadline;
  size_t most = j->max_pairs < modular_pairs ? j->max_pairs : modular_pairs;
  return hd_small_graph_close(j->made->graph, most, &run);
}

static void add_step(hd_km_system *system, uint32_t id,
                     const hd_small_step *s) {
  hd_token post[2];
  size_t n = 0;
  if (s->next_local != HD_NO_ID)
    post[n++] = (hd_token){.place = s->next_local, .count = 1};
  if (s->spawned != HD_NO_ID && s->spawned == s->next_local)
    post[0].count = 2;
  else if (s->spawned != HD_NO_ID)
    post[n++] = (hd_token){.place = s->spawned, .count = 1};
  if (n == 2 && post[0].place > post[1].place) {
    hd_token swap = post[0];
    post[0] = post[1];
    post[1] = swap;
  }
  hd_km_system_add(system, id, s->shared, s->local, s->next_shared,
                   (hd_tokens){.data = post, .size = n});
}

/* Wakes a thread that waits, as if by itself. */
static void add_wake(hd_km_system *system, uint32_t id, hd_modular_state shared,
                     hd_modular_state local, hd_modular_state woken) {
  hd_token post = {.place = woken, .count = 1};
  hd_km_system_add(system, id, shared, local, shared,
                   (hd_tokens){.data = &post, .size = 1});
}

static bool follow(void *context, hd_km_system *system, hd_shared_id shared,
                   hd_place_id place, bool *bad) {
  job *j = context;
  hd_unbounded_run *made = j->made;
  hd_range steps = hd_small_graph_follow(made->graph, shared, place);
  for (uint32_t i = steps.start; i < steps.start + steps.size; i++) {
    const hd_small_step *s = hd_small_graph_step(made->graph, i);
    if (s->kind == HD_SMALL_GOES)
      add_step(system, i, s);
    else if (s->kind == HD_SMALL_VIOLATES && j->stop_at_bad)
      *bad = j->stopped = true;
  }
  hd_modular_state woken = hd_small_woken(made->small, place);
  if (woken != HD_NO_ID)
    add_wake(system, steps.start, shared, place, woken);
  return hd_small_graph_pairs(made->graph) <= j->max_pairs;
}

static bool build_flying(job *j) {
  hd_modular_state shared, local;
  hd_small_start(j->made->small, &shared, &local, NULL);
  hd_token init = {.place = local, .count = 1};
  hd_km_source source = {.context = j, .follow = follow};
  hd_km_search search;
  j->stopped = false;
  j->flying = true;
  hd_km_search_open(&search, &source, shared,
                    (hd_tokens){.data = &init, .size = 1});
  hd_km_end end = hd_km_search_run(&search, j->run);
  hd_km_report(&search, j->result);
  hd_km_search_free(&search);
  return end == HD_KM_COMPLETE || end == HD_KM_FOUND;
}

/* "the number of values of 'counter' (t.c:5) has no bound in sight: …" */
static void say_widest(job *j, hd_str *why) {
  hd_str name = {0};
  size_t n = hd_small_widest(j->made->small, &name);
  if (!hd_run_check(j->run))
    hd_str_printf(why, "%s; ", hd_run_why(j->run));
  else
    hd_str_printf(why, "more than %zu thread states; ", j->max_pairs);
  if (n >= in_sight)
    hd_str_printf(why,
                  "the number of values of %s has no bound in sight: %zu so "
                  "far",
                  hd_str_text(&name), n);
  else
    hd_str_printf(why, "the variable with the most values is %s: %zu so far",
                  hd_str_text(&name), n);
  hd_str_free(&name);
}

static void report(const job *j) {
  const hd_unbounded_run *made = j->made;
  hd_result_stat(j->result, "unbounded.shared_states", "",
                 (double)hd_small_n_shared(made->small),
                 "contents of the global variables that occur");
  hd_result_stat(j->result, "unbounded.local_states", "",
                 (double)hd_small_n_local(made->small),
                 "states of a single thread that occur");
  hd_result_stat(j->result, "unbounded.pairs", "",
                 (double)hd_small_graph_pairs(made->graph),
                 "pairs of both that were executed");
  hd_result_stat(j->result, "unbounded.transitions", "",
                 (double)hd_small_graph_steps(made->graph),
                 "steps between them");
}

/* --- from a witness to a run of the program --- */

/* A machine that follows the run. It may wake threads that the run has not
 * woken yet (a signal is never lost there while somebody waits): they are ahead
 * of the run, and stand still until it has caught up. */
typedef struct {
  hd_machine *machine;
  bool trying;   /* on a copy */
  hd_tid woken;  /* the last that was woken */
  hd_u32s ahead; /* threads that were woken */
} player;

static void observe(void *context, const hd_event *event) {
  player *p = context;
  if (event->kind != HD_EVENT_WAKE)
    return;
  p->woken = event->other;
  if (!p->trying)
    hd_vec_push(&p->ahead, event->other);
}

/* Was the thread woken? It is no news from now on. */
static bool was_woken(player *p, hd_tid thread) {
  size_t to = 0;
  for (size_t i = 0; i < p->ahead.size; i++)
    if (p->ahead.data[i] != thread)
      p->ahead.data[to++] = p->ahead.data[i];
  bool found = to < p->ahead.size;
  p->ahead.size = to;
  return found;
}

/* The choice with which a signal wakes the right thread; any, when that one is
 * awake already. */
static uint64_t find_wake(player *p, hd_tid thread, hd_tid wakes) {
  uint64_t n = hd_machine_choices(p->machine, thread), choice;
  p->trying = true;
  for (choice = 0; choice < n; choice++) {
    hd_machine *copy = hd_machine_copy(p->machine);
    p->woken = HD_NO_ID;
    hd_machine_move(copy, (hd_turn){.thread = thread, .choice = choice});
    hd_machine_delete(copy);
    if (p->woken == wakes)
      break;
  }
  p->trying = false;
  return choice < n ? choice : 0;
}

/* One move of the run. What the machine does along with another action it does
 * not stand before any more. False when the machine cannot do it. */
static bool play(player *p, const hd_small_move *move, hd_turns *turns) {
  hd_tid t = move->thread;
  if (t >= hd_machine_threads(p->machine) || !hd_machine_alive(p->machine, t) ||
      hd_machine_access(p->machine, t).edge != move->act.edge)
    return true;
  if (was_woken(p, t) && move->act.wakes)
    return true;
  if (!hd_machine_enabled(p->machine, t))
    return false;
  hd_turn turn = {.thread = t, .choice = move->act.choice};
  if (move->wakes != HD_NO_ID)
    turn.choice = find_wake(p, t, move->wakes);
  uint64_t n = hd_machine_choices(p->machine, t);
  if (turn.choice >= n && n != UINT64_MAX)
    return false;
  hd_vec_push(turns, turn);
  hd_machine_move(p->machine, turn);
  return true;
}

/* Makes made->turns and made->violation from the witness. */
static bool replay(job *j, const hd_small_net *net, const hd_witness *witness,
                   hd_str *why) {
  hd_unbounded_run *made = j->made;
  player p = {.woken = HD_NO_ID};
  hd_machine_options options = j->options->machine;
  options.checks = (hd_properties)1 << HD_PROPERTY_ASSERT;
  options.clocks = false;
  options.observe = observe;
  options.context = &p;
  hd_small_moves moves = {0};
  hd_small_net_run(net, witness, &moves);
  p.machine = hd_machine_new(j->code, &options);
  size_t i = 0;
  while (i < moves.size &&
         hd_machine_status_of(p.machine) == HD_MACHINE_RUNNING &&
         play(&p, &moves.data[i], &made->turns))
    i++;
  const char *machine_why = hd_machine_why(p.machine);
  if (machine_why)
    hd_str_puts(why, machine_why);
  hd_machine_delete(p.machine);
  hd_vec_free(&moves);
  hd_vec_free(&p.ahead);
  options.observe = NULL;
  hd_replayed replayed =
      hd_replay(j->code, &options, &made->turns, options.checks);
  bool ok = replayed.violated;
  if (ok) {
    made->violation = replayed.violation;
    made->violation.message = replayed.violation.message
                                  ? hd_strdup(replayed.violation.message)
                                  : NULL;
  } else {
    hd_vec_clear(&made->turns);
  }
  hd_replayed_free(&replayed);
  return ok;
}

/* --- which programs it is for --- */

static bool creates(const hd_code *code, const uint8_t *creating,
                    const hd_cedge *edge) {
  hd_func_id f = hd_call_callee(code, edge);
  return f != HD_NO_ID && creating[f];
}

/* The functions that create threads, themselves or by others. */
static uint8_t *find_creating(const hd_code *code) {
  uint8_t *creating = hd_calloc(code->funcs.size + 1, 1);
  for (hd_func_id f = 0; f < code->funcs.size; f++)
    creating[f] = hd_library_action(hd_call_library(code, f)) == HD_DO_SPAWN;
  for (bool changed = true; changed;) {
    changed = false;
    for (hd_vec_each(const hd_cedge, edge, &code->edges)) {
      hd_func_id in = code->locs.data[edge->from].func;
      if (!creating[in] && creates(code, creating, edge))
        creating[in] = changed = true;
    }
  }
  return creating;
}

/* Is there a way from a location back to it? */
static bool is_on_loop(const hd_code *code, hd_loc_id start) {
  const hd_func *f = &code->funcs.data[code->locs.data[start].func];
  uint8_t *seen = hd_calloc(f->n_locs + 1, 1);
  hd_u32s open = {0};
  hd_vec_push(&open, start);
  bool found = false;
  while (open.size && !found) {
    hd_loc_id l = hd_vec_pop(&open);
    for (uint32_t o = code->out_start[l]; o < code->out_start[l + 1]; o++) {
      hd_loc_id to = code->edges.data[code->out[o]].to;
      found = found || to == start;
      if (!seen[to - f->locs])
        hd_vec_push(&open, to);
      seen[to - f->locs] = 1;
    }
  }
  hd_vec_free(&open);
  hd_free(seen);
  return found;
}

bool hd_unbounded_applies(const hd_code *code) {
  uint8_t *creating = find_creating(code);
  bool found = false;
  for (size_t i = 0; i < code->edges.size && !found; i++) {
    const hd_cedge *edge = &code->edges.data[i];
    found = creates(code, creating, edge) && is_on_loop(code, edge->from);
  }
  hd_free(creating);
  return found;
}

/* --- verdicts --- */

/* Is the net exact? Signals and readers that vanish are not, see small.h. */
static bool is_exact(const job *j) {
  return hd_small_n_labels(j->made->small) == 0;
}

static hd_verify_status verify(job *j, hd_small_net_kind kind, hd_str *why) {
  hd_unbounded_run *made = j->made;
  hd_small_net_delete(made->net);
  made->net = hd_small_net_new(made->graph, kind, why);
  if (!made->net) {
    hd_result_unknown(j->result, "%s", hd_str_text(why));
    return HD_VERIFY_DONE;
  }
  hd_result_free(j->result);
  *j->result = (hd_result){0};
  return hd_verify(made->net->net, &j->options->verify, j->run, j->result);
}

/* The witness of result leads to a failing assertion: is it one? */
static hd_verify_status judge(job *j, hd_str *why) {
  if (replay(j, j->made->net, j->result->witness, why))
    return HD_VERIFY_DONE;
  hd_result_unknown(j->result,
                    "the run found does not replay on the program%s%s%s",
                    is_exact(j) ? ""
                                : " (signals and read locks are approximated "
                                  "with any number of threads)",
                    why->size ? ": " : "", hd_str_text(why));
  return is_exact(j) && !why->size ? HD_VERIFY_INTERNAL : HD_VERIFY_DONE;
}

/* Every pair that occurs was followed: by a cover of the relaxed net that check/
 * accepts. */
static bool is_covered(job *j, hd_str *why) {
  hd_unbounded_run *made = j->made;
  hd_small_net *relaxed =
      hd_small_net_new(made->graph, HD_SMALL_NET_RELAXED, why);
  if (!relaxed)
    return false;
  hd_result cover = {0};
  bool ok = hd_reach(relaxed->net, j->run, j->options->verify.no_check,
                     &cover) == HD_VERIFY_DONE &&
            cover.verdict == HD_SAFE && cover.cert &&
            !cover.cert->ignored.size && !cover.cert->control.size;
  if (!ok)
    hd_str_printf(why, "what occurs could not be checked: %s",
                  cover.reason ? cover.reason : "?");
  for (size_t i = 0; ok && i < cover.cert->configs.size; i++) {
    const hd_config *config = &cover.cert->configs.data[i];
    hd_tokens tokens = hd_cert_view(cover.cert, config);
    if (config->shared >= hd_small_n_shared(made->small))
      continue; /* the error state */
    for (size_t k = 0; ok && k < tokens.size; k++)
      ok =
          hd_small_graph_has(made->graph, config->shared, tokens.data[k].place);
    if (!ok)
      hd_str_puts(why, "a thread state that occurs was not executed");
  }
  hd_result_free(&cover);
  hd_small_net_delete(relaxed);
  return ok;
}

/* Verdict about the net as it is now. */
static hd_verify_status decide(job *j, hd_str *why) {
  hd_verify_status status = verify(j, HD_SMALL_NET_ALL, why);
  hd_result *r = j->result;
  if (status == HD_VERIFY_DONE && r->verdict == HD_SAFE && j->flying &&
      !j->stopped && !is_covered(j, why)) {
    hd_result_unknown(r, "%s", hd_str_text(why));
    return HD_VERIFY_DONE;
  }
  /* It was Karp–Miller that found out what occurs; what is left is trivial. */
  if (r->verdict == HD_SAFE && j->flying)
    r->engine = hd_km_engine.name;
  if (status != HD_VERIFY_DONE || r->verdict != HD_UNSAFE)
    return status;
  hd_small_target target = j->made->net->targets.data[r->witness->target];
  if (!target.refused)
    return judge(j, why);
  /* An assertion that fails anyway counts all the same. */
  status = verify(j, HD_SMALL_NET_NO_REFUSALS, why);
  if (status == HD_VERIFY_DONE && r->verdict == HD_UNSAFE)
    return judge(j, why);
  hd_cert_delete(r->cert);
  r->cert = NULL;
  hd_result_unknown(r, "%s", hd_small_reason(j->made->small, target.reason));
  return HD_VERIFY_DONE;
}

static bool build(job *j, hd_str *why) {
  if (!fresh(j, why))
    return false;
  if (build_modular(j))
    return true;
  j->stop_at_bad = true;
  if (!hd_run_check(j->run) || !fresh(j, why) || !build_flying(j)) {
    say_widest(j, why);
    return false;
  }
  return true;
}

static job job_of(const hd_code *code, const hd_unbounded_options *options,
                  hd_run *run, hd_unbounded_run *made, hd_result *result) {
  return (job){.code = code,
               .options = options,
               .run = run,
               .made = made,
               .result = result,
               .max_pairs =
                   options->max_pairs ? options->max_pairs : many_pairs};
}

bool hd_unbounded_open(const hd_code *code, const hd_unbounded_options *options,
                       hd_run *run, hd_unbounded_run *made, hd_result *result,
                       hd_str *why) {
  job j = job_of(code, options, run, made, result);
  if (!build(&j, why))
    return false;
  if (j.stopped) {
    j.stop_at_bad = false;
    if (!fresh(&j, why) || !build_flying(&j)) {
      say_widest(&j, why);
      return false;
    }
  }
  report(&j);
  made->net = hd_small_net_new(made->graph, HD_SMALL_NET_ALL, why);
  return made->net != NULL;
}

hd_verify_status hd_verify_unbounded(const hd_code *code,
                                     const hd_unbounded_options *options,
                                     hd_run *run, hd_unbounded_run *made,
                                     hd_result *result) {
  hd_str why = {0};
  job j = job_of(code, options, run, made, result);
  hd_verify_status status = HD_VERIFY_DONE;
  if (!build(&j, &why)) {
    hd_result_unknown(result, "%s", hd_str_text(&why));
    status = made->small ? HD_VERIFY_DONE : HD_VERIFY_REFUSED;
  } else {
    status = decide(&j, &why);
    if (j.stopped && status == HD_VERIFY_DONE &&
        (result->verdict == HD_SAFE ||
         (result->verdict == HD_UNKNOWN && !is_exact(&j)))) {
      /* What stopped the search is not there in the exact net. */
      j.stop_at_bad = false;
      hd_vec_clear(&why);
      if (fresh(&j, &why) && build_flying(&j)) {
        status = decide(&j, &why);
      } else {
        say_widest(&j, &why);
        hd_result_unknown(result, "%s", hd_str_text(&why));
      }
    }
    report(&j);
  }
  hd_vec_clear(&why);
  if (made->small && result->verdict == HD_SAFE &&
      hd_small_mixes(made->small, &why))
    hd_result_unknown(result, "%s", hd_str_text(&why));
  hd_str_free(&why);
  return status;
}
