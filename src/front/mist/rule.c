/* SPDX-License-Identifier: MIT */
/* A rule's updates, seen as flows.
 *
 * Let g(v) be the guard's lower bound of v. The tokens of v beyond g(v) can go
 * to one place only: to v itself when v is not updated, or to the x in whose
 * sum v stands (x' = … + v + …), or nowhere when v stands in no sum. Where they
 * go elsewhere, that is a move. The g(v) tokens that are there for certain are
 * taken by `pre`, and what must come out of them is known exactly:
 *   post(x) = sum of g(v) over the members v of x's sum, plus the constant.
 * A variable that flows into two sums would be copied, which no net can do,
 * unless its value is fixed by the guard (x = c): then it is only a constant,
 * and nothing is left of it to move. */
#include "front/mist/rule.h"

typedef struct {
  hd_net *net;
  const mist_rule *rule;
  mist_slot *slots;
  const hd_source *source;
  hd_diag *diag;
  hd_token_vec pre, post, caps;
  hd_vec(hd_move) moves;
} translation;

static const char *name_of(const translation *t, hd_place_id place) {
  return t->net->place_names[place];
}

static bool is_fixed(const mist_slot *slot) {
  return slot->min == slot->max;
}

static void fill_slots(translation *t) {
  for (hd_vec_each(const mist_con, con, &t->rule->cons)) {
    t->slots[con->place].min = con->min;
    t->slots[con->place].max = con->max;
  }
  for (uint32_t i = 0; i < t->rule->updates.size; i++) {
    const mist_update *update = &t->rule->updates.data[i];
    mist_slot *slot = &t->slots[update->place];
    if (slot->update)
      hd_diag_error(t->diag, t->source, update->pos,
                    "'%.60s' is updated twice in one rule",
                    name_of(t, update->place));
    else
      slot->update = i + 1;
  }
}

static void empty_slots(translation *t) {
  const mist_slot empty = {.max = HD_OMEGA, .flows = HD_NOWHERE};
  for (hd_vec_each(const mist_con, con, &t->rule->cons))
    t->slots[con->place] = empty;
  for (hd_vec_each(const mist_update, update, &t->rule->updates))
    t->slots[update->place] = empty;
  for (hd_vec_each(const mist_member, member, &t->rule->members))
    t->slots[member->place] = empty;
}

/* Lets the tokens of a member beyond its guard flow into `into`. */
static void add_flow(translation *t, const mist_member *member,
                     hd_place_id into) {
  mist_slot *slot = &t->slots[member->place];
  const char *name = name_of(t, member->place);
  if (is_fixed(slot))
    return;
  if (!slot->update)
    hd_diag_error(t->diag, t->source, member->pos,
                  "'%.60s' is copied, which no net can do: it flows into "
                  "'%.60s' and keeps its value",
                  name, name_of(t, into));
  else if (slot->flows != HD_NOWHERE)
    hd_diag_error(t->diag, t->source, member->pos,
                  "'%.60s' is copied, which no net can do: it flows into "
                  "'%.60s' and into '%.60s'",
                  name, name_of(t, slot->flows), name_of(t, into));
  else
    slot->flows = into;
}

static void add_update(translation *t, const mist_update *update) {
  int64_t there = 0;
  for (uint32_t i = 0; i < update->n; i++) {
    const mist_member *member = &t->rule->members.data[update->first + i];
    add_flow(t, member, update->place);
    there += t->slots[member->place].min;
  }
  int64_t post = there + update->constant;
  if (post < 0)
    hd_diag_error(t->diag, t->source, update->pos,
                  "the update of '%.60s' subtracts more than the guard "
                  "guarantees: %lld of at least %lld",
                  name_of(t, update->place), -(long long)update->constant,
                  (long long)there);
  else if (post > HD_COUNT_MAX)
    hd_diag_error(t->diag, t->source, update->pos,
                  "the update of '%.60s' gives %lld tokens, the most is %u",
                  name_of(t, update->place), (long long)post, HD_COUNT_MAX);
  else if (post)
    hd_vec_push(&t->post,
                ((hd_token){.place = update->place, .count = (hd_count)post}));
}

static void add_moves(translation *t) {
  for (hd_vec_each(const mist_update, update, &t->rule->updates)) {
    const mist_slot *slot = &t->slots[update->place];
    if (!is_fixed(slot) && slot->flows != update->place)
      hd_vec_push(&t->moves,
                  ((hd_move){.from = update->place, .to = slot->flows}));
  }
}

static void add_guards(translation *t) {
  for (hd_vec_each(const mist_con, con, &t->rule->cons)) {
    hd_token least = {.place = con->place, .count = con->min};
    hd_token most = {.place = con->place, .count = con->max};
    if (con->min)
      hd_vec_push(&t->pre, least);
    if (con->min && !t->slots[con->place].update)
      hd_vec_push(&t->post, least);
    if (con->max != HD_OMEGA)
      hd_vec_push(&t->caps, most);
  }
}

bool hd_mist_add_rule(hd_net *net, const mist_rule *rule, mist_slot *slots,
                      const hd_source *source, hd_diag *diag) {
  translation t = {
      .net = net, .rule = rule, .slots = slots, .source = source, .diag = diag};
  size_t before = hd_diag_errors(diag);
  fill_slots(&t);
  for (hd_vec_each(const mist_update, update, &rule->updates))
    add_update(&t, update);
  add_moves(&t);
  add_guards(&t);
  empty_slots(&t);
  bool ok = hd_diag_errors(diag) == before;
  hd_trans_spec spec = {.pre = hd_token_vec_view(&t.pre),
                        .post = hd_token_vec_view(&t.post),
                        .caps = hd_token_vec_view(&t.caps),
                        .moves = t.moves.data,
                        .n_moves = t.moves.size,
                        .line = rule->line,
                        .name = rule->name};
  if (ok && !hd_net_add_trans(net, &spec))
    hd_bug("counts of a rule out of range");
  hd_vec_free(&t.pre);
  hd_vec_free(&t.post);
  hd_vec_free(&t.caps);
  hd_vec_free(&t.moves);
  return ok;
}
