/* SPDX-License-Identifier: MIT */
/* From the syntax tree to the program graph: every statement becomes a location
 * and its edges; a call is replaced by a copy of the procedure's body with
 * variables of its own.
 *
 * An *instance* is one such copy (or main, or a procedure that threads start
 * in). Its labels and locations are fixed before its edges are made, so that
 * jumps forward need no patching. */
#include "front/bp/ast.h"
#include "front/bp/bp.h"

#include "base/hash.h"

#include <string.h>

enum {
  MAX_LOCATIONS = 1000000,
  MAX_VARIABLES = 1000000,
  MAX_CALLS = 200,
  MAX_LISTS = 1000 /* statement lists within each other, over all calls */
};

static uint64_t hash_word(hd_word word) {
  return hd_hash_bytes(word.text, word.size);
}

static bool same_word(hd_word a, hd_word b) {
  return a.size == b.size && !memcmp(a.text, b.text, a.size);
}

#define HD_MAP word_map
#define HD_KEY hd_word
#define HD_VAL uint32_t
#define HD_HASH(k) hash_word(k)
#define HD_EQ(a, b) same_word(a, b)
#include "base/map_templ.h"

#define HD_MAP stmt_map
#define HD_KEY const bp_stmt *
#define HD_VAL uint32_t
#define HD_HASH(k) hd_hash_mix(0, (uint64_t)(uintptr_t)(k))
#define HD_EQ(a, b) ((a) == (b))
#include "base/map_templ.h"

typedef struct instance instance;
struct instance {
  const bp_proc *proc;
  const instance *caller; /* NULL for main and thread procedures */
  unsigned depth;
  word_map vars, labels;
  stmt_map locs;
  const bp_name *results; /* variables of the caller that take the results */
  hd_loc_id exit;         /* where a return goes */
};

typedef struct {
  const hd_source *source;
  hd_diag *diag;
  const bp_program *ast;
  hd_program *program;
  hd_vec(const bp_proc *) procs;
  word_map by_name; /* procedure -> number in `procs` */
  word_map globals;
  word_map threads; /* procedures that threads start in -> entry location */
  word_map copies;  /* procedure -> number of instances so far */
  unsigned lists;   /* statement lists being built */
  bool full;        /* a limit was passed and reported; nothing more is built */
} builder;

static void complain(builder *b, hd_pos pos, const char *what, hd_word word) {
  hd_diag_error(b->diag, b->source, pos, "%s '%s'", what, hd_quote(word).text);
}

static char *word_text(hd_word word) {
  return hd_strndup(word.text, word.size);
}

/* Reports the first limit passed. From then on building stops everywhere:
 * calls within calls would otherwise go on for ever. */
static void give_up(builder *b, hd_pos pos, const char *what, int limit) {
  if (!b->full) {
    hd_str text = {0};
    hd_str_printf(&text, what, limit);
    hd_diag_error(b->diag, b->source, pos, "%s", hd_str_text(&text));
    hd_str_free(&text);
  }
  b->full = true;
}

/* --- expressions --- */

static bool find_var(builder *b, const instance *in, hd_word name, hd_pos pos,
                     hd_var_id *var) {
  uint32_t *found = word_map_find(&in->vars, name);
  if (!found)
    found = word_map_find(&b->globals, name);
  if (!found) {
    complain(b, pos, "unknown variable", name);
    return false;
  }
  *var = *found;
  return true;
}

static hd_expr_id build_expr(builder *b, const instance *in, const bp_expr *x,
                             bool next_allowed);

static hd_expr_id build_node(builder *b, const instance *in, const bp_expr *x,
                             hd_op op, bool next_allowed) {
  hd_expr_id args[3] = {HD_NO_ID, HD_NO_ID, HD_NO_ID};
  for (int i = 0; i < 3 && x->args[i]; i++)
    args[i] = build_expr(b, in, x->args[i], next_allowed);
  return hd_expr_make(b->program, op, args[0], args[1], args[2]);
}

/* 1 where a, else 0 where b, else any. */
static hd_expr_id build_schoose(builder *b, const instance *in,
                                const bp_expr *x, bool next_allowed) {
  hd_program *p = b->program;
  hd_expr_id yes = build_expr(b, in, x->args[0], next_allowed);
  hd_expr_id no = build_expr(b, in, x->args[1], next_allowed);
  hd_expr_id rest = hd_expr_make(p, HD_OP_ITE, no, hd_expr_const(p, 1, 0),
                                 hd_expr_choice(p, 1));
  return hd_expr_make(p, HD_OP_ITE, yes, hd_expr_const(p, 1, 1), rest);
}

/* Errors are reported and stand as 0; nothing is built after an error. */
static hd_expr_id build_expr(builder *b, const instance *in, const bp_expr *x,
                             bool next_allowed) {
  hd_program *p = b->program;
  hd_var_id var;
  switch (x->kind) {
  case BP_X_CONST:
    return hd_expr_const(p, 1, x->value);
  case BP_X_CHOICE:
    return hd_expr_choice(p, 1);
  case BP_X_VAR:
    return find_var(b, in, x->name, x->pos, &var) ? hd_expr_var(p, var, false)
                                                  : hd_expr_const(p, 1, 0);
  case BP_X_NEXT:
    if (!next_allowed)
      hd_diag_error(b->diag, b->source, x->pos,
                    "the value after the assignment can only be used in "
                    "'constrain'");
    return find_var(b, in, x->name, x->pos, &var) ? hd_expr_var(p, var, true)
                                                  : hd_expr_const(p, 1, 0);
  case BP_X_NOT:
    return build_node(b, in, x, HD_OP_NOT, next_allowed);
  case BP_X_AND:
    return build_node(b, in, x, HD_OP_AND, next_allowed);
  case BP_X_OR:
    return build_node(b, in, x, HD_OP_OR, next_allowed);
  case BP_X_XOR:
    return build_node(b, in, x, HD_OP_XOR, next_allowed);
  case BP_X_EQ:
    return build_node(b, in, x, HD_OP_EQ, next_allowed);
  case BP_X_NE:
    return build_node(b, in, x, HD_OP_NE, next_allowed);
  case BP_X_ITE:
    return build_node(b, in, x, HD_OP_ITE, next_allowed);
  case BP_X_IMPLIES: {
    hd_expr_id left = build_expr(b, in, x->args[0], next_allowed);
    hd_expr_id right = build_expr(b, in, x->args[1], next_allowed);
    left = hd_expr_make(p, HD_OP_NOT, left, HD_NO_ID, HD_NO_ID);
    return hd_expr_make(p, HD_OP_OR, left, right, HD_NO_ID);
  }
  case BP_X_SCHOOSE:
    return build_schoose(b, in, x, next_allowed);
  }
  hd_bug("expression kind %d", (int)x->kind);
}

/* A guard that some choice always makes true is no guard. */
static hd_expr_id guard_of(const hd_program *p, hd_expr_id expr) {
  const hd_expr *e = &p->exprs.data[expr];
  if (e->op == HD_OP_CHOICE || (e->op == HD_OP_CONST && e->value) ||
      (e->op == HD_OP_NOT && p->exprs.data[e->args[0]].op == HD_OP_CHOICE))
    return HD_NO_ID;
  return expr;
}

/* --- locations --- */

static hd_origin origin_of(const bp_stmt *s, char **file, char **function) {
  *file = s->file.size ? word_text(s->file) : NULL;
  *function = s->function.size ? word_text(s->function) : NULL;
  return (hd_origin){.line = s->pos.line,
                     .file = *file,
                     .source_line = s->file.size ? s->source_line : 0,
                     .function = *function};
}

static hd_loc_id new_loc(builder *b, const bp_stmt *s) {
  char *file = NULL, *function = NULL, *label = NULL;
  hd_loc loc = {0};
  if (s) {
    loc.origin = origin_of(s, &file, &function);
    for (const bp_name *l = s->labels; l; l = l->next)
      if (!l->next)
        label = word_text(l->name);
    loc.label = label;
  }
  hd_loc_id id = hd_program_add_loc(b->program, &loc);
  hd_free(file);
  hd_free(function);
  hd_free(label);
  return id;
}

/* Gives every statement of the list, and of the lists in it, a location. */
static void place(builder *b, instance *in, const bp_stmt *s) {
  for (; s; s = s->next) {
    if (b->program->locs.size >= MAX_LOCATIONS)
      give_up(b, s->pos, "inlining procedures makes more than %d locations",
              MAX_LOCATIONS);
    if (b->full)
      return;
    hd_loc_id loc = new_loc(b, s);
    stmt_map_put(&in->locs, s, loc, NULL);
    for (const bp_name *l = s->labels; l; l = l->next) {
      bool fresh;
      word_map_put(&in->labels, l->name, loc, &fresh);
      if (!fresh)
        complain(b, l->pos, "a second label", l->name);
    }
    place(b, in, s->body);
    place(b, in, s->orelse);
  }
}

static hd_loc_id loc_of(const instance *in, const bp_stmt *s) {
  const uint32_t *loc = stmt_map_find(&in->locs, s);
  return loc ? *loc : 0;
}

/* --- edges --- */

static void add_edge(builder *b, const bp_stmt *s, hd_edge edge,
                     const hd_assign *assigns, size_t n) {
  char *file = NULL, *function = NULL, *text = NULL;
  if (s) {
    edge.origin = origin_of(s, &file, &function);
    text = word_text(s->text);
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

static void add_step(builder *b, const bp_stmt *s, hd_loc_id from, hd_loc_id to,
                     hd_expr_id guard) {
  add_edge(b, s,
           (hd_edge){.from = from,
                     .to = to,
                     .act = HD_ACT_STEP,
                     .guard = guard,
                     .other = HD_NO_ID},
           NULL, 0);
}

static void add_act(builder *b, const bp_stmt *s, hd_act act, hd_loc_id from,
                    hd_loc_id to, hd_loc_id other) {
  add_edge(b, s,
           (hd_edge){.from = from,
                     .to = to,
                     .act = act,
                     .guard = HD_NO_ID,
                     .other = other},
           NULL, 0);
}

typedef hd_vec(hd_assign) assign_vec;

static void push_assign(builder *b, assign_vec *list, hd_var_id var,
                        hd_expr_id value, hd_pos pos, hd_word name) {
  for (hd_vec_each(hd_assign, a, list))
    if (a->var == var)
      complain(b, pos, "assigned twice:", name);
  hd_vec_push(list, ((hd_assign){.var = var, .value = value}));
}

static void add_assignment(builder *b, const bp_stmt *s, hd_loc_id from,
                           hd_loc_id to, hd_expr_id guard, assign_vec *list) {
  add_edge(b, s,
           (hd_edge){.from = from,
                     .to = to,
                     .act = HD_ACT_STEP,
                     .guard = guard,
                     .other = HD_NO_ID},
           list->data, list->size);
  hd_vec_free(list);
}

static void build_assign(builder *b, instance *in, const bp_stmt *s,
                         hd_loc_id from, hd_loc_id to) {
  assign_vec list = {0};
  const bp_name *n = s->names;
  const bp_expr *x = s->exprs;
  for (; n && x; n = n->next, x = x->next) {
    hd_var_id var;
    hd_expr_id value = build_expr(b, in, x, false);
    if (find_var(b, in, n->name, n->pos, &var))
      push_assign(b, &list, var, value, n->pos, n->name);
  }
  if (n)
    complain(b, n->pos, "no value for", n->name);
  if (x)
    hd_diag_error(b->diag, b->source, x->pos, "more values than variables");
  hd_expr_id guard = HD_NO_ID;
  if (s->cond)
    guard = guard_of(b->program, build_expr(b, in, s->cond, true));
  add_assignment(b, s, from, to, guard, &list);
}

static void build_dead(builder *b, instance *in, const bp_stmt *s,
                       hd_loc_id from, hd_loc_id to) {
  assign_vec list = {0};
  for (const bp_name *n = s->names; n; n = n->next) {
    hd_var_id var;
    if (find_var(b, in, n->name, n->pos, &var))
      push_assign(b, &list, var, hd_expr_choice(b->program, 1), n->pos,
                  n->name);
  }
  add_assignment(b, s, from, to, HD_NO_ID, &list);
}

static bool find_label(builder *b, const instance *in, const bp_name *name,
                       hd_loc_id *loc) {
  const uint32_t *found = word_map_find(&in->labels, name->name);
  if (!found) {
    complain(b, name->pos, "unknown label", name->name);
    return false;
  }
  *loc = *found;
  return true;
}

static void build_list(builder *b, instance *in, const bp_stmt *s,
                       hd_loc_id after);

static hd_loc_id start_of(const instance *in, const bp_stmt *list,
                          hd_loc_id otherwise) {
  return list ? loc_of(in, list) : otherwise;
}

static void build_branch(builder *b, instance *in, const bp_stmt *s,
                         hd_loc_id at, hd_loc_id after) {
  hd_program *p = b->program;
  hd_loc_id then = start_of(in, s->body, s->kind == BP_S_WHILE ? at : after);
  hd_loc_id other = start_of(in, s->orelse, after);
  hd_expr_id yes = build_expr(b, in, s->cond, false);
  hd_expr_id no = hd_expr_make(p, HD_OP_NOT, build_expr(b, in, s->cond, false),
                               HD_NO_ID, HD_NO_ID);
  add_step(b, s, at, then, guard_of(p, yes));
  add_step(b, s, at, other, guard_of(p, no));
  build_list(b, in, s->body, s->kind == BP_S_WHILE ? at : after);
  build_list(b, in, s->orelse, after);
}

/* --- procedures --- */

static const bp_proc *find_proc(const builder *b, hd_word name) {
  const uint32_t *found = word_map_find(&b->by_name, name);
  return found ? b->procs.data[*found] : NULL;
}

/* `main` -> x, `lock` -> lock.x, its second copy -> lock#2.x */
static char *var_name(builder *b, const instance *in, hd_word name,
                      uint32_t copy) {
  hd_str text = {0};
  if (!hd_word_is(in->proc->name.name, "main")) {
    hd_str_append(&text, in->proc->name.name.text, in->proc->name.name.size);
    if (copy > 1)
      hd_str_printf(&text, "#%u", copy);
    hd_str_puts(&text, ".");
  }
  hd_str_append(&text, name.text, name.size);
  (void)b;
  return hd_str_take(&text);
}

/* A constant or `*` as an initial value. */
static void set_init(builder *b, hd_var *var, const bp_expr *init) {
  var->any = !init || init->kind == BP_X_CHOICE;
  if (!init || init->kind == BP_X_CHOICE)
    return;
  if (init->kind != BP_X_CONST) {
    hd_diag_error(b->diag, b->source, init->pos,
                  "expected 0, 1 or * as the initial value");
    return;
  }
  var->init = init->value;
}

static void declare(builder *b, word_map *scope, const bp_name *names,
                    bool shared, const instance *in, uint32_t copy) {
  for (const bp_name *n = names; n; n = n->next) {
    if (b->program->vars.size >= MAX_VARIABLES)
      give_up(b, n->pos, "more than %d variables, procedures inlined",
              MAX_VARIABLES);
    if (b->full)
      return;
    if (word_map_find(scope, n->name)) {
      complain(b, n->pos, "declared twice:", n->name);
      continue;
    }
    char *name = in ? var_name(b, in, n->name, copy) : word_text(n->name);
    hd_var var = {
        .name = name, .shared = shared, .width = 1, .line = n->pos.line};
    set_init(b, &var, n->init);
    word_map_put(scope, n->name, hd_program_add_var(b->program, &var), NULL);
    hd_free(name);
  }
}

static void open_instance(builder *b, instance *in, const bp_proc *proc) {
  *in = (instance){.proc = proc, .exit = HD_NO_ID};
  uint32_t copy = ++*word_map_put(&b->copies, proc->name.name, 0, NULL);
  declare(b, &in->vars, proc->params, false, in, copy);
  declare(b, &in->vars, proc->locals, false, in, copy);
  place(b, in, proc->body);
}

static void close_instance(instance *in) {
  word_map_free(&in->vars);
  word_map_free(&in->labels);
  stmt_map_free(&in->locs);
}

/* A procedure's own variables start afresh at each call and in each thread. */
static void assign_locals(builder *b, const instance *in, assign_vec *list) {
  for (const bp_name *n = in->proc->locals; n; n = n->next) {
    uint32_t *var = word_map_find(&in->vars, n->name);
    if (!var)
      continue;
    const hd_var *v = &b->program->vars.data[*var];
    hd_expr_id value = v->any ? hd_expr_choice(b->program, 1)
                              : hd_expr_const(b->program, 1, v->init);
    hd_vec_push(list, ((hd_assign){.var = *var, .value = value}));
  }
}

static bool calls_itself(builder *b, const instance *in, const bp_proc *proc,
                         hd_pos pos) {
  const instance *at = in;
  while (at && at->proc != proc)
    at = at->caller;
  if (!at)
    return false;
  hd_str cycle = {0};
  hd_str_append(&cycle, proc->name.name.text, proc->name.name.size);
  for (const instance *i = in; i != at; i = i->caller) {
    hd_str_puts(&cycle, " <- ");
    hd_str_append(&cycle, i->proc->name.name.text, i->proc->name.name.size);
  }
  hd_str_puts(&cycle, " <- ");
  hd_str_append(&cycle, proc->name.name.text, proc->name.name.size);
  hd_diag_error(b->diag, b->source, pos, "recursion cannot be inlined: %s",
                hd_str_text(&cycle));
  hd_str_free(&cycle);
  return true;
}

static void build_call(builder *b, instance *in, const bp_stmt *s,
                       hd_loc_id from, hd_loc_id to) {
  const bp_proc *proc = find_proc(b, s->callee.name);
  if (!proc) {
    complain(b, s->callee.pos, "unknown procedure", s->callee.name);
    return;
  }
  if (calls_itself(b, in, proc, s->callee.pos))
    return;
  if (in->depth >= MAX_CALLS) {
    hd_diag_error(b->diag, b->source, s->callee.pos,
                  "calls nested more than %d deep", MAX_CALLS);
    return;
  }
  instance callee;
  open_instance(b, &callee, proc);
  callee.caller = in;
  callee.depth = in->depth + 1;
  callee.results = s->names;
  callee.exit = to;
  assign_vec list = {0};
  const bp_name *param = proc->params;
  const bp_expr *arg = s->exprs;
  for (; param && arg; param = param->next, arg = arg->next) {
    uint32_t *var = word_map_find(&callee.vars, param->name);
    hd_expr_id value = build_expr(b, in, arg, false);
    if (var)
      hd_vec_push(&list, ((hd_assign){.var = *var, .value = value}));
  }
  if (param || arg)
    complain(b, s->callee.pos, "wrong number of arguments for", s->callee.name);
  assign_locals(b, &callee, &list);
  hd_loc_id end = new_loc(b, NULL); /* falling off the end: any results */
  add_assignment(b, s, from, start_of(&callee, proc->body, end), HD_NO_ID,
                 &list);
  build_list(b, &callee, proc->body, end);
  for (const bp_name *n = s->names; n; n = n->next) {
    hd_var_id var;
    if (find_var(b, in, n->name, n->pos, &var))
      push_assign(b, &list, var, hd_expr_choice(b->program, 1), n->pos,
                  n->name);
  }
  add_assignment(b, NULL, end, to, HD_NO_ID, &list);
  close_instance(&callee);
}

static void build_return(builder *b, instance *in, const bp_stmt *s,
                         hd_loc_id from) {
  if (in->exit == HD_NO_ID) {
    if (s->exprs)
      hd_diag_error(b->diag, b->source, s->exprs->pos,
                    "a thread has nobody to return a value to");
    add_act(b, s, HD_ACT_END, from, from, HD_NO_ID);
    return;
  }
  assign_vec list = {0};
  const bp_name *n = in->results;
  const bp_expr *x = s->exprs;
  for (; n && x; n = n->next, x = x->next) {
    hd_var_id var;
    hd_expr_id value = build_expr(b, in, x, false);
    if (find_var(b, in->caller, n->name, n->pos, &var))
      push_assign(b, &list, var, value, n->pos, n->name);
  }
  if (n)
    complain(b, n->pos, "the procedure returns no value for", n->name);
  add_assignment(b, s, from, in->exit, HD_NO_ID, &list);
}

/* The entry of the instance that threads started in `proc` share. */
static hd_loc_id thread_entry(builder *b, const bp_proc *proc) {
  bool fresh;
  uint32_t *entry = word_map_put(&b->threads, proc->name.name, 0, &fresh);
  if (!fresh)
    return *entry;
  hd_loc_id start = new_loc(b, NULL), end = new_loc(b, NULL);
  *entry = start;
  instance in;
  open_instance(b, &in, proc);
  if (proc->params)
    complain(b, proc->params->pos, "a thread's procedure takes no parameter",
             proc->params->name);
  assign_vec list = {0};
  assign_locals(b, &in, &list);
  add_assignment(b, NULL, start, start_of(&in, proc->body, end), HD_NO_ID,
                 &list);
  build_list(b, &in, proc->body, end);
  add_act(b, NULL, HD_ACT_END, end, end, HD_NO_ID);
  close_instance(&in);
  return start;
}

static void build_start(builder *b, instance *in, const bp_stmt *s,
                        hd_loc_id from, hd_loc_id to) {
  const uint32_t *label = word_map_find(&in->labels, s->names->name);
  const bp_proc *proc = label ? NULL : find_proc(b, s->names->name);
  if (!label && !proc) {
    complain(b, s->names->pos, "unknown label or procedure", s->names->name);
    return;
  }
  hd_loc_id entry = label ? *label : thread_entry(b, proc);
  add_act(b, s, HD_ACT_SPAWN, from, to, entry);
}

static void build_stmt(builder *b, instance *in, const bp_stmt *s, hd_loc_id at,
                       hd_loc_id after) {
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
    build_return(b, in, s, at);
    break;
  case BP_S_ASSIGN:
    build_assign(b, in, s, at, after);
    break;
  case BP_S_CALL:
    build_call(b, in, s, at, after);
    break;
  case BP_S_IF:
  case BP_S_WHILE:
    build_branch(b, in, s, at, after);
    break;
  case BP_S_ASSUME:
    add_step(b, s, at, after, guard_of(p, build_expr(b, in, s->cond, false)));
    break;
  case BP_S_ASSERT:
    add_edge(b, s,
             (hd_edge){.from = at,
                       .to = after,
                       .act = HD_ACT_ASSERT,
                       .guard = build_expr(b, in, s->cond, false),
                       .other = HD_NO_ID},
             NULL, 0);
    break;
  case BP_S_START:
    build_start(b, in, s, at, after);
    break;
  case BP_S_END:
    add_act(b, s, HD_ACT_END, at, at, HD_NO_ID);
    break;
  case BP_S_ATOMIC_BEGIN:
    add_act(b, s, HD_ACT_ATOMIC_BEGIN, at, after, HD_NO_ID);
    break;
  case BP_S_ATOMIC_END:
    add_act(b, s, HD_ACT_ATOMIC_END, at, after, HD_NO_ID);
    break;
  case BP_S_WAIT:
    add_act(b, s, HD_ACT_WAIT, at, after, HD_NO_ID);
    break;
  case BP_S_SIGNAL:
    add_act(b, s, HD_ACT_SIGNAL, at, after, HD_NO_ID);
    break;
  case BP_S_BROADCAST:
    add_act(b, s, HD_ACT_BROADCAST, at, after, HD_NO_ID);
    break;
  case BP_S_DEAD:
    build_dead(b, in, s, at, after);
    break;
  }
}

static void build_list(builder *b, instance *in, const bp_stmt *s,
                       hd_loc_id after) {
  if (s && b->lists >= MAX_LISTS)
    give_up(b, s->pos, "statements and calls nested more than %d deep",
            MAX_LISTS);
  b->lists++;
  for (; s && !b->full && !hd_diag_full(b->diag); s = s->next)
    build_stmt(b, in, s, loc_of(in, s), s->next ? loc_of(in, s->next) : after);
  b->lists--;
}

/* --- main --- */

/* SATABS sets initial values by unlabelled assignments of 0, 1 or * before the
 * first label of main. They say how the program starts; they are not steps that
 * each thread takes again. */
static bool is_initial(const bp_stmt *s) {
  return s->kind == BP_S_ASSIGN && !s->labels && !s->cond && s->names &&
         !s->names->next && s->exprs && !s->exprs->next &&
         (s->exprs->kind == BP_X_CONST || s->exprs->kind == BP_X_CHOICE);
}

static const bp_stmt *take_initial(builder *b, instance *in) {
  const bp_stmt *first = in->proc->body, *s = first;
  while (s && is_initial(s))
    s = s->next;
  if (!s || !s->labels)
    return first;
  for (const bp_stmt *i = first; i != s; i = i->next) {
    hd_var_id var;
    if (find_var(b, in, i->names->name, i->names->pos, &var))
      set_init(b, &b->program->vars.data[var], i->exprs);
  }
  return s;
}

static void build_main(builder *b, const bp_proc *main) {
  instance in;
  if (main->params)
    complain(b, main->params->pos, "main takes no parameter",
             main->params->name);
  open_instance(b, &in, main);
  const bp_stmt *first = take_initial(b, &in);
  hd_loc_id end = new_loc(b, NULL);
  b->program->entry = start_of(&in, first, end);
  build_list(b, &in, first, end);
  add_act(b, NULL, HD_ACT_END, end, end, HD_NO_ID);
  close_instance(&in);
}

static void list_procs(builder *b) {
  for (const bp_proc *p = b->ast->procs; p; p = p->next) {
    bool fresh;
    word_map_put(&b->by_name, p->name.name, (uint32_t)b->procs.size, &fresh);
    hd_vec_push(&b->procs, p);
    if (!fresh)
      complain(b, p->name.pos, "a second procedure", p->name.name);
  }
}

hd_program *hd_bp_parse(const hd_source *source, hd_diag *diag) {
  hd_arena arena;
  hd_arena_init(&arena);
  bp_program ast;
  hd_program *program = NULL;
  if (bp_parse(source, &arena, &ast, diag)) {
    program = hd_program_new(source->name);
    builder b = {
        .source = source, .diag = diag, .ast = &ast, .program = program};
    list_procs(&b);
    declare(&b, &b.globals, ast.globals, true, NULL, 0);
    const bp_proc *main = find_proc(&b, (hd_word){.text = "main", .size = 4});
    if (main)
      build_main(&b, main);
    else
      hd_diag_error(diag, source, ast.procs->name.pos,
                    "there is no procedure 'main'");
    hd_vec_free(&b.procs);
    word_map_free(&b.by_name);
    word_map_free(&b.globals);
    word_map_free(&b.threads);
    word_map_free(&b.copies);
    if (hd_diag_errors(diag)) {
      hd_program_delete(program);
      program = NULL;
    } else {
      hd_program_finish(program);
    }
  }
  hd_arena_free(&arena);
  return program;
}
