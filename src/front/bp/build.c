/* SPDX-License-Identifier: MIT */
/* From the syntax tree to the program graph: a call is replaced by a copy of the
 * procedure's body with variables of its own. */
#include "front/bp/bp.h"
#include "front/bp/build.h"

enum { MAX_VARIABLES = 1000000, MAX_CALLS = 200 };

/* --- procedures --- */

static const bp_proc *find_proc(const bp_builder *b, hd_word name) {
  const uint32_t *found = bp_words_find(&b->by_name, name);
  return found ? b->procs.data[*found] : NULL;
}

/* `main` -> x, `lock` -> lock.x, its second copy -> lock#2.x */
static char *var_name(bp_builder *b, const bp_instance *in, hd_word name,
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
static void set_init(bp_builder *b, hd_var *var, const bp_expr *init) {
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

static void declare(bp_builder *b, bp_words *scope, const bp_name *names,
                    bool shared, const bp_instance *in, uint32_t copy) {
  for (const bp_name *n = names; n; n = n->next) {
    if (b->program->vars.size >= MAX_VARIABLES)
      hd_bp_give_up(b, n->pos, "more than %d variables, procedures inlined",
                    MAX_VARIABLES);
    if (b->full)
      return;
    if (bp_words_find(scope, n->name)) {
      hd_bp_complain(b, n->pos, "declared twice:", n->name);
      continue;
    }
    char *name = in ? var_name(b, in, n->name, copy) : hd_bp_word_text(n->name);
    hd_var var = {
        .name = name, .shared = shared, .width = 1, .line = n->pos.line};
    set_init(b, &var, n->init);
    bp_words_put(scope, n->name, hd_program_add_var(b->program, &var), NULL);
    hd_free(name);
  }
}

static void open_instance(bp_builder *b, bp_instance *in, const bp_proc *proc) {
  *in = (bp_instance){.proc = proc, .exit = HD_NO_ID};
  uint32_t copy = ++*bp_words_put(&b->copies, proc->name.name, 0, NULL);
  declare(b, &in->vars, proc->params, false, in, copy);
  declare(b, &in->vars, proc->locals, false, in, copy);
  hd_bp_place(b, in, proc->body);
}

static void close_instance(bp_instance *in) {
  bp_words_free(&in->vars);
  bp_words_free(&in->labels);
  bp_places_free(&in->locs);
}

/* A procedure's own variables start afresh at each call and in each thread. */
static void assign_locals(bp_builder *b, const bp_instance *in,
                          bp_assigns *list) {
  for (const bp_name *n = in->proc->locals; n; n = n->next) {
    uint32_t *var = bp_words_find(&in->vars, n->name);
    if (!var)
      continue;
    const hd_var *v = &b->program->vars.data[*var];
    hd_expr_id value = v->any ? hd_expr_choice(b->program, 1)
                              : hd_expr_const(b->program, 1, v->init);
    hd_vec_push(list, ((hd_assign){.var = *var, .value = value}));
  }
}

static bool calls_itself(bp_builder *b, const bp_instance *in,
                         const bp_proc *proc, hd_pos pos) {
  const bp_instance *at = in;
  while (at && at->proc != proc)
    at = at->caller;
  if (!at)
    return false;
  hd_str cycle = {0};
  hd_str_append(&cycle, proc->name.name.text, proc->name.name.size);
  for (const bp_instance *i = in; i != at; i = i->caller) {
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

void hd_bp_build_call(bp_builder *b, bp_instance *in, const bp_stmt *s,
                      hd_loc_id from, hd_loc_id to) {
  const bp_proc *proc = find_proc(b, s->callee.name);
  if (!proc) {
    hd_bp_complain(b, s->callee.pos, "unknown procedure", s->callee.name);
    return;
  }
  if (calls_itself(b, in, proc, s->callee.pos))
    return;
  if (in->depth >= MAX_CALLS) {
    hd_diag_error(b->diag, b->source, s->callee.pos,
                  "calls nested more than %d deep", MAX_CALLS);
    return;
  }
  bp_instance callee;
  open_instance(b, &callee, proc);
  callee.caller = in;
  callee.depth = in->depth + 1;
  callee.results = s->names;
  callee.exit = to;
  bp_assigns list = {0};
  const bp_name *param = proc->params;
  const bp_expr *arg = s->exprs;
  for (; param && arg; param = param->next, arg = arg->next) {
    uint32_t *var = bp_words_find(&callee.vars, param->name);
    hd_expr_id value = hd_bp_build_expr(b, in, arg, false);
    if (var)
      hd_vec_push(&list, ((hd_assign){.var = *var, .value = value}));
  }
  if (param || arg)
    hd_bp_complain(b, s->callee.pos, "wrong number of arguments for",
                   s->callee.name);
  assign_locals(b, &callee, &list);
  hd_loc_id end = hd_bp_new_loc(b, NULL); /* falling off the end: any results */
  hd_bp_add_assignment(b, s, from, hd_bp_start_of(&callee, proc->body, end),
                       HD_NO_ID, &list);
  hd_bp_build_list(b, &callee, proc->body, end);
  for (const bp_name *n = s->names; n; n = n->next) {
    hd_var_id var;
    if (hd_bp_find_var(b, in, n->name, n->pos, &var))
      hd_bp_push_assign(b, &list, var, hd_expr_choice(b->program, 1), n->pos,
                        n->name);
  }
  hd_bp_add_assignment(b, NULL, end, to, HD_NO_ID, &list);
  close_instance(&callee);
}

void hd_bp_build_return(bp_builder *b, bp_instance *in, const bp_stmt *s,
                        hd_loc_id from) {
  if (in->exit == HD_NO_ID) {
    if (s->exprs)
      hd_diag_error(b->diag, b->source, s->exprs->pos,
                    "a thread has nobody to return a value to");
    hd_bp_add_act(b, s, HD_ACT_END, from, from, HD_NO_ID);
    return;
  }
  bp_assigns list = {0};
  const bp_name *n = in->results;
  const bp_expr *x = s->exprs;
  for (; n && x; n = n->next, x = x->next) {
    hd_var_id var;
    hd_expr_id value = hd_bp_build_expr(b, in, x, false);
    if (hd_bp_find_var(b, in->caller, n->name, n->pos, &var))
      hd_bp_push_assign(b, &list, var, value, n->pos, n->name);
  }
  if (n)
    hd_bp_complain(b, n->pos, "the procedure returns no value for", n->name);
  hd_bp_add_assignment(b, s, from, in->exit, HD_NO_ID, &list);
}

/* The entry of the instance that threads started in `proc` share. */
static hd_loc_id thread_entry(bp_builder *b, const bp_proc *proc) {
  bool fresh;
  uint32_t *entry = bp_words_put(&b->threads, proc->name.name, 0, &fresh);
  if (!fresh)
    return *entry;
  hd_loc_id start = hd_bp_new_loc(b, NULL), end = hd_bp_new_loc(b, NULL);
  *entry = start;
  bp_instance in;
  open_instance(b, &in, proc);
  if (proc->params)
    hd_bp_complain(b, proc->params->pos,
                   "a thread's procedure takes no parameter",
                   proc->params->name);
  bp_assigns list = {0};
  assign_locals(b, &in, &list);
  hd_bp_add_assignment(b, NULL, start, hd_bp_start_of(&in, proc->body, end),
                       HD_NO_ID, &list);
  hd_bp_build_list(b, &in, proc->body, end);
  hd_bp_add_act(b, NULL, HD_ACT_END, end, end, HD_NO_ID);
  close_instance(&in);
  return start;
}

void hd_bp_build_start(bp_builder *b, bp_instance *in, const bp_stmt *s,
                       hd_loc_id from, hd_loc_id to) {
  const uint32_t *label = bp_words_find(&in->labels, s->names->name);
  const bp_proc *proc = label ? NULL : find_proc(b, s->names->name);
  if (!label && !proc) {
    hd_bp_complain(b, s->names->pos, "unknown label or procedure",
                   s->names->name);
    return;
  }
  hd_loc_id entry = label ? *label : thread_entry(b, proc);
  hd_bp_add_act(b, s, HD_ACT_SPAWN, from, to, entry);
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

static const bp_stmt *take_initial(bp_builder *b, bp_instance *in) {
  const bp_stmt *first = in->proc->body, *s = first;
  while (s && is_initial(s))
    s = s->next;
  if (!s || !s->labels)
    return first;
  for (const bp_stmt *i = first; i != s; i = i->next) {
    hd_var_id var;
    if (hd_bp_find_var(b, in, i->names->name, i->names->pos, &var))
      set_init(b, &b->program->vars.data[var], i->exprs);
  }
  return s;
}

static void build_main(bp_builder *b, const bp_proc *main) {
  bp_instance in;
  if (main->params)
    hd_bp_complain(b, main->params->pos, "main takes no parameter",
                   main->params->name);
  open_instance(b, &in, main);
  const bp_stmt *first = take_initial(b, &in);
  hd_loc_id end = hd_bp_new_loc(b, NULL);
  b->program->entry = hd_bp_start_of(&in, first, end);
  hd_bp_build_list(b, &in, first, end);
  hd_bp_add_act(b, NULL, HD_ACT_END, end, end, HD_NO_ID);
  close_instance(&in);
}

static void list_procs(bp_builder *b) {
  for (const bp_proc *p = b->ast->procs; p; p = p->next) {
    bool fresh;
    bp_words_put(&b->by_name, p->name.name, (uint32_t)b->procs.size, &fresh);
    hd_vec_push(&b->procs, p);
    if (!fresh)
      hd_bp_complain(b, p->name.pos, "a second procedure", p->name.name);
  }
}

hd_program *hd_bp_parse(const hd_source *source, hd_diag *diag) {
  hd_arena arena;
  hd_arena_init(&arena);
  bp_program ast;
  hd_program *program = NULL;
  if (hd_bp_parse_text(source, &arena, &ast, diag)) {
    program = hd_program_new(source->name);
    bp_builder b = {
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
    bp_words_free(&b.by_name);
    bp_words_free(&b.globals);
    bp_words_free(&b.threads);
    bp_words_free(&b.copies);
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
