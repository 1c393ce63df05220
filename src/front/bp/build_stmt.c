/* SPDX-License-Identifier: MIT */
/* Every statement becomes a location and its edges. */
#include "front/bp/build.h"

enum {
  MAX_LOCATIONS = 1000000,
  MAX_LISTS = 1000 /* statement lists within each other, over all calls */
};

/* --- locations --- */

static hd_origin origin_of(const bp_stmt *s, char **file, char **function) {
  *file = s->file.size ? hd_bp_word_text(s->file) : NULL;
  *function = s->function.size ? hd_bp_word_text(s->function) : NULL;
  return (hd_origin){.line = s->pos.line,
                     .file = *file,
                     .source_line = s->file.size ? s->source_line : 0,
                     .function = *function};
}

hd_loc_id hd_bp_new_loc(bp_builder *b, const bp_stmt *s) {
  char *file = NULL, *function = NULL, *label = NULL;
  hd_loc loc = {0};
  if (s) {
    loc.origin = origin_of(s, &file, &function);
    for (const bp_name *l = s->labels; l; l = l->next)
      if (!l->next)
        label = hd_bp_word_text(l->name);
    loc.label = label;
  }
  hd_loc_id id = hd_program_add_loc(b->program, &loc);
  hd_free(file);
  hd_free(function);
  hd_free(label);
  return id;
}

/* Gives every statement of the list, and of the lists in it, a location. */
void hd_bp_place(bp_builder *b, bp_instance *in, const bp_stmt *s) {
  for (; s; s = s->next) {
    if (b->program->locs.size >= MAX_LOCATIONS)
      hd_bp_give_up(b, s->pos,
                    "inlining procedures makes more than %d locations",
                    MAX_LOCATIONS);
    if (b->full)
      return;
    hd_loc_id loc = hd_bp_new_loc(b, s);
    bp_places_put(&in->locs, s, loc, NULL);
    for (const bp_name *l = s->labels; l; l = l->next) {
      bool fresh;
      bp_words_put(&in->labels, l->name, loc, &fresh);
      if (!fresh)
        hd_bp_complain(b, l->pos, "a second label", l->name);
    }
    hd_bp_place(b, in, s->body);
    hd_bp_place(b, in, s->orelse);
  }
}

static hd_loc_id loc_of(const bp_instance *in, const bp_stmt *s) {
  const uint32_t *loc = bp_places_find(&in->locs, s);
  return loc ? *loc : 0;
}

/* --- edges --- */

static void add_edge(bp_builder *b, const bp_stmt *s, hd_edge edge,
                     const hd_assign *assigns, size_t n) {
  char *file = NULL, *function = NULL, *text = NULL;
  if (s) {
    edge.origin = origin_of(s, &file, &function);
    text = hd_bp_word_text(s->text);
    for (char *c = text; *c; c++)
      if (*c == '\n' || *c == '\r' || *c == '\t')
        *c = ' ';
    edge.text = text;
  }
  hd_program_add_edge(b->program, &edge, assigns, n);
  hd_free(file);
  hd_free(function);
  hd_free(text);
}

static void add_step(bp_builder *b, const bp_stmt *s, hd_loc_id from,
                     hd_loc_id to, hd_expr_id guard) {
  add_edge(b, s,
           (hd_edge){.from = from,
                     .to = to,
                     .act = HD_ACT_STEP,
                     .guard = guard,
                     .other = HD_NO_ID},
           NULL, 0);
}

void hd_bp_add_act(bp_builder *b, const bp_stmt *s, hd_act act, hd_loc_id from,
                   hd_loc_id to, hd_loc_id other) {
  add_edge(b, s,
           (hd_edge){.from = from,
                     .to = to,
                     .act = act,
                     .guard = HD_NO_ID,
                     .other = other},
           NULL, 0);
}

void hd_bp_push_assign(bp_builder *b, bp_assigns *list, hd_var_id var,
                       hd_expr_id value, hd_pos pos, hd_word name) {
  for (hd_vec_each(hd_assign, a, list))
    if (a->var == var)
      hd_bp_complain(b, pos, "assigned twice:", name);
  hd_vec_push(list, ((hd_assign){.var = var, .value = value}));
}

void hd_bp_add_assignment(bp_builder *b, const bp_stmt *s, hd_loc_id from,
                          hd_loc_id to, hd_expr_id guard, bp_assigns *list) {
  add_edge(b, s,
           (hd_edge){.from = from,
                     .to = to,
                     .act = HD_ACT_STEP,
                     .guard = guard,
                     .other = HD_NO_ID},
           list->data, list->size);
  hd_vec_free(list);
}

static void build_assign(bp_builder *b, bp_instance *in, const bp_stmt *s,
                         hd_loc_id from, hd_loc_id to) {
  bp_assigns list = {0};
  const bp_name *n = s->names;
  const bp_expr *x = s->exprs;
  for (; n && x; n = n->next, x = x->next) {
    hd_var_id var;
    hd_expr_id value = hd_bp_build_expr(b, in, x, false);
    if (hd_bp_find_var(b, in, n->name, n->pos, &var))
      hd_bp_push_assign(b, &list, var, value, n->pos, n->name);
  }
  if (n)
    hd_bp_complain(b, n->pos, "no value for", n->name);
  if (x)
    hd_diag_error(b->diag, b->source, x->pos, "more values than variables");
  hd_expr_id guard = HD_NO_ID;
  if (s->cond)
    guard = hd_bp_guard(b->program, hd_bp_build_expr(b, in, s->cond, true));
  hd_bp_add_assignment(b, s, from, to, guard, &list);
}

static void build_dead(bp_builder *b, bp_instance *in, const bp_stmt *s,
                       hd_loc_id from, hd_loc_id to) {
  bp_assigns list = {0};
  for (const bp_name *n = s->names; n; n = n->next) {
    hd_var_id var;
    if (hd_bp_find_var(b, in, n->name, n->pos, &var))
      hd_bp_push_assign(b, &list, var, hd_expr_choice(b->program, 1), n->pos,
                        n->name);
  }
  hd_bp_add_assignment(b, s, from, to, HD_NO_ID, &list);
}

static bool find_label(bp_builder *b, const bp_instance *in,
                       const bp_name *name, hd_loc_id *loc) {
  const uint32_t *found = bp_words_find(&in->labels, name->name);
  if (!found) {
    hd_bp_complain(b, name->pos, "unknown label", name->name);
    return false;
  }
  *loc = *found;
  return true;
}

hd_loc_id hd_bp_start_of(const bp_instance *in, const bp_stmt *list,
                         hd_loc_id otherwise) {
  return list ? loc_of(in, list) : otherwise;
}

static void build_branch(bp_builder *b, bp_instance *in, const bp_stmt *s,
                         hd_loc_id at, hd_loc_id after) {
  hd_program *p = b->program;
  hd_loc_id then =
      hd_bp_start_of(in, s->body, s->kind == BP_S_WHILE ? at : after);
  hd_loc_id other = hd_bp_start_of(in, s->orelse, after);
  hd_expr_id yes = hd_bp_build_expr(b, in, s->cond, false);
  hd_expr_id no =
      hd_expr_make(p, HD_OP_NOT, hd_bp_build_expr(b, in, s->cond, false),
                   HD_NO_ID, HD_NO_ID);
  add_step(b, s, at, then, hd_bp_guard(p, yes));
  add_step(b, s, at, other, hd_bp_guard(p, no));
  hd_bp_build_list(b, in, s->body, s->kind == BP_S_WHILE ? at : after);
  hd_bp_build_list(b, in, s->orelse, after);
}

static void build_stmt(bp_builder *b, bp_instance *in, const bp_stmt *s,
                       hd_loc_id at, hd_loc_id after) {
  hd_program *p = b->program;
  hd_loc_id target;
  switch (s->kind) {
  case BP_S_SKIP:
    add_step(b, s, at, after, HD_NO_ID);
    break;
  case BP_S_GOTO:
    for (const bp_name *n = s->names; n; n = n->next)
      if (find_label(b, in, n, &target))
        add_step(b, s, at, target, HD_NO_ID);
    break;
  case BP_S_RETURN:
    hd_bp_build_return(b, in, s, at);
    break;
  case BP_S_ASSIGN:
    build_assign(b, in, s, at, after);
    break;
  case BP_S_CALL:
    hd_bp_build_call(b, in, s, at, after);
    break;
  case BP_S_IF:
  case BP_S_WHILE:
    build_branch(b, in, s, at, after);
    break;
  case BP_S_ASSUME:
    add_step(b, s, at, after,
             hd_bp_guard(p, hd_bp_build_expr(b, in, s->cond, false)));
    break;
  case BP_S_ASSERT:
    add_edge(b, s,
             (hd_edge){.from = at,
                       .to = after,
                       .act = HD_ACT_ASSERT,
                       .guard = hd_bp_build_expr(b, in, s->cond, false),
                       .other = HD_NO_ID},
             NULL, 0);
    break;
  case BP_S_START:
    hd_bp_build_start(b, in, s, at, after);
    break;
  case BP_S_END:
    hd_bp_add_act(b, s, HD_ACT_END, at, at, HD_NO_ID);
    break;
  case BP_S_ATOMIC_BEGIN:
    hd_bp_add_act(b, s, HD_ACT_ATOMIC_BEGIN, at, after, HD_NO_ID);
    break;
  case BP_S_ATOMIC_END:
    hd_bp_add_act(b, s, HD_ACT_ATOMIC_END, at, after, HD_NO_ID);
    break;
  case BP_S_WAIT:
    hd_bp_add_act(b, s, HD_ACT_WAIT, at, after, HD_NO_ID);
    break;
  case BP_S_SIGNAL:
    hd_bp_add_act(b, s, HD_ACT_SIGNAL, at, after, HD_NO_ID);
    break;
  case BP_S_BROADCAST:
    hd_bp_add_act(b, s, HD_ACT_BROADCAST, at, after, HD_NO_ID);
    break;
  case BP_S_DEAD:
    build_dead(b, in, s, at, after);
    break;
  }
}

void hd_bp_build_list(bp_builder *b, bp_instance *in, const bp_stmt *s,
                      hd_loc_id after) {
  if (s && b->lists >= MAX_LISTS)
    hd_bp_give_up(b, s->pos, "statements and calls nested more than %d deep",
                  MAX_LISTS);
  b->lists++;
  for (; s && !b->full && !hd_diag_full(b->diag); s = s->next)
    build_stmt(b, in, s, loc_of(in, s), s->next ? loc_of(in, s->next) : after);
  b->lists--;
}
