/* SPDX-License-Identifier: MIT */
/* Replay of a witness: plain execution on the input net, one dense vector of
 * counts. Every guard holds exactly, lower and upper; every token that has a
 * choice has chosen. */
#include "check/check.h"

#include <stdarg.h>
#include <stdio.h>

typedef struct {
  const hd_net *net;
  const hd_witness *witness;
  hd_str *why;
  hd_shared_id shared;
  uint64_t *count;        /* by place */
  size_t step;            /* the one being fired, from 0 */
  hd_vec(hd_token) moved; /* in this step: tokens under way */
} replay;

/* --- sentences --- */

HD_PRINTF(2, 3)
static bool refuse_step(const replay *r, const char *format, ...) {
  hd_trans_id t = r->witness->steps.data[r->step].trans;
  hd_str_printf(r->why, "step %zu, t%u", r->step + 1, t);
  if (t < r->net->trans.size) {
    hd_str_puts(r->why, " (");
    if (r->net->trans.data[t].line)
      hd_str_printf(r->why, "line %u: ", r->net->trans.data[t].line);
    hd_net_print_trans(r->why, r->net, t);
    hd_str_puts(r->why, ")");
  }
  char text[160];
  va_list args;
  va_start(args, format);
  vsnprintf(text, sizeof text, format, args);
  va_end(args);
  hd_str_printf(r->why, ": %s", text);
  return false;
}

/* The same, ending in the name of a place. */
static bool refuse_place(const replay *r, const char *what, hd_place_id place) {
  refuse_step(r, "%s ", what);
  hd_net_print_place(r->why, r->net, place);
  return false;
}

/* --- the start --- */

static bool load_init(replay *r) {
  const hd_token_vec *init = &r->witness->init;
  for (size_t i = 0; i < init->size; i++) {
    hd_token t = init->data[i];
    if (t.place >= r->net->n_places || !t.count || t.count > HD_COUNT_MAX ||
        (i && init->data[i - 1].place >= t.place)) {
      hd_str_puts(r->why, "the initial configuration is not a sorted vector of "
                          "token counts");
      return false;
    }
    r->count[t.place] = t.count;
  }
  r->shared = r->net->init_shared;
  return true;
}

static bool init_allowed(const replay *r) {
  for (hd_place_id p = 0; p < r->net->n_places; p++) {
    hd_init range = r->net->init[p];
    if (r->count[p] >= range.min &&
        (range.max == HD_OMEGA || r->count[p] <= range.max))
      continue;
    hd_str_puts(r->why, "the model does not allow to start with "
                        "this number of tokens in place ");
    hd_net_print_place(r->why, r->net, p);
    hd_str_printf(r->why, ": %llu", (unsigned long long)r->count[p]);
    return false;
  }
  return true;
}

/* --- one step --- */

static bool take_pre(replay *r, hd_trans_id t) {
  hd_tokens pre = hd_net_pre(r->net, t), caps = hd_net_caps(r->net, t);
  if (r->shared != r->net->trans.data[t].from) {
    refuse_step(r, "the shared state is ");
    hd_net_print_shared(r->why, r->net, r->shared);
    return false;
  }
  for (size_t i = 0; i < pre.size; i++)
    if (r->count[pre.data[i].place] < pre.data[i].count)
      return refuse_place(r, "there are not enough tokens in",
                          pre.data[i].place);
  for (size_t i = 0; i < caps.size; i++)
    if (r->count[caps.data[i].place] > caps.data[i].count)
      return refuse_place(r, "there are too many tokens in",
                          caps.data[i].place);
  for (size_t i = 0; i < pre.size; i++)
    r->count[pre.data[i].place] -= pre.data[i].count;
  return true;
}

static bool has_move(const replay *r, hd_trans_id t, hd_choice choice) {
  const hd_move *moves = hd_net_moves(r->net, t);
  for (uint32_t i = 0; i < r->net->trans.data[t].moves.size; i++)
    if (moves[i].from == choice.from && moves[i].to == choice.to)
      return true;
  return false;
}

/* `count` tokens leave `from`; they arrive when all have left. */
static void leave(replay *r, hd_place_id from, hd_place_id to, uint64_t count) {
  assert(r->count[from] >= count && count <= UINT32_MAX);
  r->count[from] -= count;
  if (to != HD_NOWHERE)
    hd_vec_push(&r->moved, ((hd_token){.place = to, .count = (hd_count)count}));
}

static bool apply_choices(replay *r, const hd_step *step) {
  const hd_witness *w = r->witness;
  if ((uint64_t)step->choices.start + step->choices.size > w->choices.size)
    return refuse_step(r, "its choices lie outside the list of choices");
  for (uint32_t i = 0; i < step->choices.size; i++) {
    hd_choice choice = w->choices.data[step->choices.start + i];
    if (!has_move(r, step->trans, choice))
      return refuse_step(r, "choice %u is not a move of the transition", i + 1);
    if (r->count[choice.from] < choice.count)
      return refuse_place(r, "more tokens make a choice than there are in",
                          choice.from);
    leave(r, choice.from, choice.to, choice.count);
  }
  return true;
}

/* Tokens in a place with a single move need no choice. */
static bool apply_moves(replay *r, hd_trans_id t) {
  const hd_move *moves = hd_net_moves(r->net, t);
  uint32_t n = r->net->trans.data[t].moves.size;
  for (uint32_t i = 0; i < n; i++) {
    hd_place_id from = moves[i].from;
    bool several = (i && moves[i - 1].from == from) ||
                   (i + 1 < n && moves[i + 1].from == from);
    if (!r->count[from])
      continue;
    if (several)
      return refuse_place(r, "tokens have not chosen where to go from", from);
    leave(r, from, moves[i].to, r->count[from]);
  }
  return true;
}

/* Counts stay below 2^32, so that no sum here can overflow. */
static bool arrive(replay *r, hd_tokens tokens) {
  for (size_t i = 0; i < tokens.size; i++) {
    uint64_t *count = &r->count[tokens.data[i].place];
    *count += tokens.data[i].count;
    if (*count > UINT32_MAX)
      return refuse_place(r, "there are too many tokens to count in",
                          tokens.data[i].place);
  }
  return true;
}

static bool fire(replay *r) {
  const hd_step *step = &r->witness->steps.data[r->step];
  if (step->trans >= r->net->trans.size)
    return refuse_step(r, "there is no such transition");
  hd_vec_clear(&r->moved);
  if (!take_pre(r, step->trans) || !apply_choices(r, step) ||
      !apply_moves(r, step->trans))
    return false;
  hd_tokens moved = {.data = r->moved.data, .size = r->moved.size};
  r->shared = r->net->trans.data[step->trans].to;
  return arrive(r, moved) && arrive(r, hd_net_post(r->net, step->trans));
}

/* --- the end --- */

static bool refuse_target(const replay *r, const char *what,
                          hd_place_id place) {
  hd_str_printf(r->why,
                "the last configuration is not in target %u: there are too %s "
                "tokens in place ",
                r->witness->target, what);
  hd_net_print_place(r->why, r->net, place);
  return false;
}

static bool target_reached(const replay *r) {
  const hd_net *net = r->net;
  if (r->witness->target >= net->targets.size) {
    hd_str_printf(r->why, "there is no target %u", r->witness->target);
    return false;
  }
  const hd_target *target = &net->targets.data[r->witness->target];
  if (target->shared != HD_ANY_SHARED && target->shared != r->shared) {
    hd_str_printf(r->why,
                  "the last configuration is not in target %u: the shared "
                  "state is ",
                  r->witness->target);
    hd_net_print_shared(r->why, net, r->shared);
    return false;
  }
  hd_tokens need = hd_net_view(net, target->need);
  hd_tokens caps = hd_net_view(net, target->caps);
  for (size_t i = 0; i < need.size; i++)
    if (r->count[need.data[i].place] < need.data[i].count)
      return refuse_target(r, "few", need.data[i].place);
  for (size_t i = 0; i < caps.size; i++)
    if (r->count[caps.data[i].place] > caps.data[i].count)
      return refuse_target(r, "many", caps.data[i].place);
  return true;
}

bool hd_check_witness(const hd_net *net, const hd_witness *witness,
                      hd_str *why) {
  replay r = {.net = net, .witness = witness, .why = why};
  r.count = hd_calloc(net->n_places, sizeof *r.count);
  bool ok = load_init(&r) && init_allowed(&r);
  for (r.step = 0; ok && r.step < witness->steps.size; r.step++)
    ok = fire(&r);
  ok = ok && target_reached(&r);
  hd_free(r.count);
  hd_vec_free(&r.moved);
  return ok;
}
