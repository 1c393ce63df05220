/* SPDX-License-Identifier: MIT */
/* Loops, sections and single: what the threads of a team share out. */
#include "engine/teams/calls.h"

#include <string.h>

static void fact(hd_team_call *c, hd_team_walk_state *s, hd_team_op op,
                 hd_team_term a, hd_team_term b) {
  hd_team_term f = hd_team_term_make(c->k->w->terms, op, a, b);
  hd_vec_push(&s->facts, f);
}

/* The encounter of a construct; where `at` it has its bounds. */
static hd_team_walk_share encounter(hd_team_call *c) {
  uint32_t site = hd_team_walk_site_of(c->k, c->s, c->edge);
  return (hd_team_walk_share){.edge = c->edge,
                              .site = site,
                              .time = hd_team_walk_meet(c->s, site),
                              .loops = c->s->loops.size};
}

/* The thread alone does this encounter of the construct. */
static void alone(hd_team_call *c, hd_team_walk_state *s,
                  const hd_team_walk_share *share) {
  hd_team_walk_push_part(c->k, s, share, 0, c->k->w->level);
}

void hd_team_call_end_single(hd_team_call *c, hd_team_walk_state *s) {
  (void)c;
  for (size_t i = s->parts.size; i-- > 0;)
    if (!s->parts.data[i].part) {
      memmove(&s->parts.data[i], &s->parts.data[i + 1],
              (s->parts.size - i - 1) * sizeof *s->parts.data);
      s->parts.size--;
      return;
    }
}

static hd_type type_of_size(uint64_t size) {
  return (hd_type){HD_TYPE_INT, (uint8_t)(8 * size)};
}

/* Bounds of a part: anything between those of the whole. */
static void new_bounds(hd_team_call *c, hd_team_walk_state *s,
                       hd_team_term at_lower, hd_team_term at_upper,
                       uint64_t size) {
  uint8_t bits = size < 8 ? (uint8_t)(8 * size) : 0;
  hd_team_term lower = hd_team_call_any(c, bits),
               upper = hd_team_call_any(c, bits);
  fact(c, s, HD_TEAM_LE, s->share.lower, lower);
  fact(c, s, HD_TEAM_LE, lower,
       hd_team_term_make(c->k->w->terms, HD_TEAM_ADD, s->share.upper,
                         hd_team_call_number(c, 1)));
  hd_team_walk_store(c->k, s, c->edge, at_lower, size, lower, false, false);
  hd_team_walk_store(c->k, s, c->edge, at_upper, size, upper, false, false);
}

/* Of the threads that have a part one has the last iteration. */
static void say_last(hd_team_call *c, hd_team_term at) {
  if (hd_team_call_is_null(c, at))
    return;
  hd_team_walk_state *other = hd_team_call_branch(c);
  hd_team_walk_store(c->k, other, c->edge, at, 4, hd_team_call_number(c, 1),
                     false, false);
  alone(c, other, &c->s->share);
  hd_team_walk_store(c->k, c->s, c->edge, at, 4, hd_team_call_number(c, 0),
                     false, false);
}

/* Are the iterations those of a part that the team got? */
static void check_around(hd_team_call *c) {
  hd_team_walk_state *s = c->s;
  if (!s->around.lower)
    return;
  bool same = true;
  hd_team_term at[] = {s->around.at_lower, s->around.at_upper},
               is[] = {s->share.lower, s->share.upper};
  for (size_t i = 0; i < 2; i++) {
    hd_team_term there = hd_team_walk_peek(c->k, s, at[i], 4);
    if (!there)
      there = hd_team_walk_peek(c->k, s, at[i], 8);
    same = same && there == is[i];
  }
  if (!same)
    s->around = (hd_team_walk_share){0};
}

static bool is_uniform(const hd_team_terms *t, hd_team_term term) {
  return hd_team_term_at(t, term)->uniform;
}

/* Who has which section is left open. */
static bool is_of_sections(hd_team_call *c, hd_team_term at) {
  static const char prefix[] = ".omp.sections";
  const hd_code *code = c->k->w->code;
  const hd_team_walk_frame *f = &hd_vec_last(&c->s->frames);
  const hd_func *func = &code->funcs.data[f->func];
  uint64_t slot =
      hd_team_walk_object(c->k->w->terms, at) - HD_TEAM_WALK_PRIVATE - f->slots;
  return slot < func->n_slots &&
         !strncmp(code->slots.data[func->slots + slot].name, prefix,
                  sizeof prefix - 1);
}

/* Is the thread's part that of an earlier loop with the same static schedule? Then it
 * is the same part, however often they are come to. */
static void share_again(hd_team_call *c) {
  enum { CHUNKED = 33, STATIC = 34, MODIFIERS = 3 << 29 };
  hd_team_walk *w = c->k->w;
  hd_team_walk_share *share = &c->s->share;
  int64_t kind;
  if (!hd_team_term_is_const(w->terms, hd_team_call_arg(c, 2), &kind))
    return;
  hd_team_walk_static now = {.kind = kind & ~(int64_t)MODIFIERS,
                             .lower = share->lower,
                             .upper = share->upper,
                             .chunk = hd_team_call_arg(c, 8),
                             .edge = share->edge,
                             .site = share->site};
  if (w->lanes || w->league || share->distributed || c->s->around.lower ||
      is_of_sections(c, share->at_lower) ||
      (now.kind != CHUNKED && now.kind != STATIC) ||
      !is_uniform(w->terms, now.lower) || !is_uniform(w->terms, now.upper) ||
      !is_uniform(w->terms, now.chunk))
    return;
  const hd_team_walk_static *first = NULL;
  for (hd_vec_each(hd_team_walk_static, s, &w->statics))
    if (s->kind == now.kind && s->lower == now.lower && s->upper == now.upper &&
        s->chunk == now.chunk)
      first = s;
  if (!first) {
    hd_vec_push(&w->statics, now);
    first = &now;
  }
  share->edge = first->edge;
  share->site = first->site;
  share->time = 0;
  share->loops = 0;
}

/* (place, thread, schedule, &last, &lower, &upper, &stride, step, chunk) */
void hd_team_call_static_init(hd_team_call *c, uint64_t size) {
  hd_team_walk_state *s = c->s;
  int64_t kind;
  bool distributed =
      s->team && c->k->w->league &&
      hd_team_term_is_const(c->k->w->terms, hd_team_call_arg(c, 2), &kind) &&
      (kind & 0xff) > 68;
  if (s->serial && !distributed) {
    if (!hd_team_call_is_null(c, hd_team_call_arg(c, 3)))
      hd_team_walk_store(c->k, s, c->edge, hd_team_call_arg(c, 3), 4,
                         hd_team_call_number(c, 1), false, false);
    return; /* all of it */
  }
  hd_type type = type_of_size(size);
  hd_team_term at_lower = hd_team_call_arg(c, 4),
               at_upper = hd_team_call_arg(c, 5);
  s->share = encounter(c);
  s->share.lower =
      hd_team_walk_load(c->k, s, c->edge, at_lower, size, type, false);
  s->share.upper =
      hd_team_walk_load(c->k, s, c->edge, at_upper, size, type, false);
  s->share.distributed = distributed;
  s->share.at_lower = at_lower;
  s->share.at_upper = at_upper;
  check_around(c);
  share_again(c);
  new_bounds(c, s, at_lower, at_upper, size);
  hd_team_term stride = hd_team_call_any(c, size < 8 ? (uint8_t)(8 * size) : 0);
  fact(c, s, HD_TEAM_LE, hd_team_call_number(c, 1), stride);
  hd_team_walk_store(c->k, s, c->edge, hd_team_call_arg(c, 6), size, stride,
                     false, false);
  say_last(c, hd_team_call_arg(c, 3));
}

/* (place, thread, schedule, lower, upper, step, chunk) */
void hd_team_call_dispatch_init(hd_team_call *c) {
  c->s->share = encounter(c);
  c->s->share.lower = hd_team_call_arg(c, 3);
  c->s->share.upper = hd_team_call_arg(c, 4);
  check_around(c);
}

/* The last part is not left together with the loop that asks for parts. */
static void keep_behind_loop(hd_team_walk_state *s) {
  if (s->loops.size <= s->share.loops)
    return;
  size_t *begun = &hd_vec_last(&s->loops).parts;
  hd_part part = hd_vec_last(&s->parts);
  memmove(&s->parts.data[*begun + 1], &s->parts.data[*begun],
          (s->parts.size - 1 - *begun) * sizeof part);
  s->parts.data[(*begun)++] = part;
}

/* There are no more parts: one of the threads has had the last iteration, if the
 * program asks for that. */
static void no_more(hd_team_call *c, hd_team_term at_last) {
  bool asks = !c->s->serial && !hd_team_call_is_null(c, at_last);
  for (int last = 0; last <= asks; last++) {
    hd_team_walk_state *none = hd_team_call_branch(c);
    hd_team_call_give(c, none, hd_team_call_number(c, 0));
    if (asks)
      hd_team_walk_store(c->k, none, c->edge, at_last, 4,
                         hd_team_call_number(c, last), false, false);
    if (last) {
      alone(c, none, &c->s->share);
      keep_behind_loop(none);
    }
  }
}

/* (place, thread, &last, &lower, &upper, &stride): a part, or no more. */
void hd_team_call_dispatch_next(hd_team_call *c, uint64_t size) {
  hd_team_walk_state *s = c->s;
  no_more(c, hd_team_call_arg(c, 2));
  hd_team_term at_lower = hd_team_call_arg(c, 3),
               at_upper = hd_team_call_arg(c, 4),
               at_last = hd_team_call_arg(c, 2);
  if (s->serial) {
    hd_team_walk_store(c->k, s, c->edge, at_lower, size, s->share.lower, false,
                       false);
    hd_team_walk_store(c->k, s, c->edge, at_upper, size, s->share.upper, false,
                       false);
  } else {
    new_bounds(c, s, at_lower, at_upper, size);
  }
  hd_team_call_give(c, s, hd_team_call_number(c, 1));
  if (!hd_team_call_is_null(c, at_last))
    hd_team_walk_store(c->k, s, c->edge, at_last, 4,
                       s->serial ? hd_team_call_number(c, 1)
                                 : hd_team_call_any(c, 32),
                       false, false);
}

void hd_team_call_end_share(hd_team_call *c) {
  c->s->share = (hd_team_walk_share){0};
}

void hd_team_call_single(hd_team_call *c) {
  hd_team_walk_state *s = c->s;
  if (s->serial) {
    hd_team_call_give(c, s, hd_team_call_number(c, 1));
    return;
  }
  hd_team_walk_share share = encounter(c);
  hd_team_walk_state *other = hd_team_call_branch(c);
  hd_team_call_give(c, other, hd_team_call_number(c, 0));
  alone(c, s, &share);
  hd_team_call_give(c, s, hd_team_call_number(c, 1));
}

/* One thread of the team only, which one is known. */
void hd_team_call_masked(hd_team_call *c, hd_team_term which) {
  hd_team_walk_state *s = c->s;
  hd_team_term number_ =
      s->serial ? hd_team_call_number(c, 0) : c->k->w->number;
  hd_team_terms *t = c->k->w->terms;
  int64_t first;
  if (!hd_team_term_is_const(t, which, &first) || first)
    c->k->w->depends = true; /* on whether there is such a thread */
  hd_team_walk_state *other = hd_team_call_branch(c);
  hd_team_call_give(c, other, hd_team_call_number(c, 0));
  hd_team_term same = hd_team_term_make(t, HD_TEAM_EQ, number_, which);
  hd_vec_push(&other->facts, hd_team_term_not(t, same));
  hd_vec_push(&s->facts, same);
  hd_team_call_give(c, s, hd_team_call_number(c, 1));
}
