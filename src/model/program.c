/* SPDX-License-Identifier: MIT */
#include "model/program.h"

#include "base/hash.h"
#include "base/word.h"

#include <string.h>

static uint64_t hash_expr(hd_expr e) {
  uint64_t h = hd_hash_mix((uint64_t)e.op << 8 | e.width, e.value);
  h = hd_hash_mix(h, (uint64_t)e.args[0] << 32 | e.args[1]);
  return hd_hash_mix(h, e.args[2]);
}

static bool same_expr(hd_expr a, hd_expr b) {
  return a.op == b.op && a.width == b.width && a.value == b.value &&
         a.args[0] == b.args[0] && a.args[1] == b.args[1] &&
         a.args[2] == b.args[2];
}

#define HD_MAP expr_map
#define HD_KEY hd_expr
#define HD_VAL hd_expr_id
#define HD_HASH(k) hash_expr(k)
#define HD_EQ(a, b) same_expr(a, b)
#include "base/map_templ.h"

struct hd_expr_table {
  expr_map map;
};

static const char *keep(hd_program *program, const char *text) {
  return text ? hd_arena_strndup(&program->arena, text, strlen(text)) : NULL;
}

hd_program *hd_program_new(const char *file) {
  hd_program *program = hd_calloc(1, sizeof *program);
  hd_arena_init(&program->arena);
  program->file = keep(program, file);
  program->table = hd_calloc(1, sizeof *program->table);
  return program;
}

void hd_program_delete(hd_program *program) {
  if (!program)
    return;
  hd_vec_free(&program->vars);
  hd_vec_free(&program->exprs);
  hd_vec_free(&program->locs);
  hd_vec_free(&program->edges);
  hd_vec_free(&program->assigns);
  hd_free(program->out_start);
  hd_free(program->out);
  expr_map_free(&program->table->map);
  hd_free(program->table);
  hd_arena_free(&program->arena);
  hd_free(program);
}

static hd_origin keep_origin(hd_program *program, hd_origin origin) {
  origin.file = keep(program, origin.file);
  origin.function = keep(program, origin.function);
  return origin;
}

hd_var_id hd_program_add_var(hd_program *program, const hd_var *var) {
  assert(var->width >= 1 && var->width <= 64);
  hd_var copy = *var;
  copy.name = keep(program, var->name);
  hd_vec_push(&program->vars, copy);
  return (hd_var_id)program->vars.size - 1;
}

hd_loc_id hd_program_add_loc(hd_program *program, const hd_loc *loc) {
  hd_loc copy = {.label = keep(program, loc->label),
                 .origin = keep_origin(program, loc->origin)};
  hd_vec_push(&program->locs, copy);
  return (hd_loc_id)program->locs.size - 1;
}

hd_edge_id hd_program_add_edge(hd_program *program, const hd_edge *edge,
                               const hd_assign *assigns, size_t n_assigns) {
  hd_edge copy = *edge;
  copy.text = keep(program, edge->text);
  copy.origin = keep_origin(program, edge->origin);
  copy.assigns = (uint32_t)program->assigns.size;
  copy.n_assigns = (uint32_t)n_assigns;
  for (size_t i = 0; i < n_assigns; i++)
    hd_vec_push(&program->assigns, assigns[i]);
  hd_vec_push(&program->edges, copy);
  return (hd_edge_id)program->edges.size - 1;
}

/* --- expressions --- */

static hd_expr_id intern(hd_program *program, hd_expr e) {
  bool fresh;
  hd_expr_id id = *expr_map_put(&program->table->map, e,
                                (hd_expr_id)program->exprs.size, &fresh);
  if (fresh)
    hd_vec_push(&program->exprs, e);
  return id;
}

hd_expr_id hd_expr_const(hd_program *program, uint8_t width, uint64_t value) {
  return intern(program, (hd_expr){.op = HD_OP_CONST,
                                   .width = width,
                                   .args = {HD_NO_ID, HD_NO_ID, HD_NO_ID},
                                   .value = value & hd_word_mask(width)});
}

hd_expr_id hd_expr_var(hd_program *program, hd_var_id var, bool next) {
  return intern(program, (hd_expr){.op = next ? HD_OP_NEXT : HD_OP_VAR,
                                   .width = program->vars.data[var].width,
                                   .args = {HD_NO_ID, HD_NO_ID, HD_NO_ID},
                                   .value = var});
}

hd_expr_id hd_expr_choice(hd_program *program, uint8_t width) {
  /* Not interned: its own number as value makes every choice different. */
  hd_expr e = {.op = HD_OP_CHOICE,
               .width = width,
               .args = {HD_NO_ID, HD_NO_ID, HD_NO_ID},
               .value = program->exprs.size};
  hd_vec_push(&program->exprs, e);
  return (hd_expr_id)program->exprs.size - 1;
}

static bool is_const(const hd_program *program, hd_expr_id id,
                     uint64_t *value) {
  if (id == HD_NO_ID || program->exprs.data[id].op != HD_OP_CONST)
    return false;
  *value = program->exprs.data[id].value;
  return true;
}

/* Two constants, or a constant and anything; HD_NO_ID: no simplification. */
static hd_expr_id simplify_binary(hd_program *program, hd_op op, hd_expr_id a,
                                  hd_expr_id b) {
  uint8_t width = program->exprs.data[a].width;
  uint64_t all = hd_word_mask(width), x, y;
  bool left = is_const(program, a, &x), right = is_const(program, b, &y);
  if (left && !right) {
    hd_expr_id swap = a;
    a = b;
    b = swap;
    y = x;
  }
  if (left && right)
    switch (op) {
    case HD_OP_AND:
      return hd_expr_const(program, width, x & y);
    case HD_OP_OR:
      return hd_expr_const(program, width, x | y);
    case HD_OP_XOR:
      return hd_expr_const(program, width, x ^ y);
    case HD_OP_EQ:
      return hd_expr_const(program, 1, x == y);
    case HD_OP_NE:
      return hd_expr_const(program, 1, x != y);
    default:
      return HD_NO_ID;
    }
  if (!left && !right)
    return HD_NO_ID;
  if (op == HD_OP_AND)
    return y == 0 ? b : y == all ? a : HD_NO_ID;
  if (op == HD_OP_OR)
    return y == 0 ? a : y == all ? b : HD_NO_ID;
  if ((op == HD_OP_XOR && y == 0) || (width == 1 && op == HD_OP_EQ && y == 1) ||
      (width == 1 && op == HD_OP_NE && y == 0))
    return a;
  if ((op == HD_OP_XOR && y == all) ||
      (width == 1 && op == HD_OP_EQ && y == 0) ||
      (width == 1 && op == HD_OP_NE && y == 1))
    return hd_expr_make(program, HD_OP_NOT, a, HD_NO_ID, HD_NO_ID);
  return HD_NO_ID;
}

static hd_expr_id simplify(hd_program *program, hd_op op, hd_expr_id a,
                           hd_expr_id b, hd_expr_id c) {
  uint64_t x;
  if (op == HD_OP_NOT) {
    if (is_const(program, a, &x))
      return hd_expr_const(program, program->exprs.data[a].width, ~x);
    if (program->exprs.data[a].op == HD_OP_NOT)
      return program->exprs.data[a].args[0];
    return HD_NO_ID;
  }
  if (op == HD_OP_ITE) {
    if (is_const(program, a, &x))
      return x ? b : c;
    return HD_NO_ID;
  }
  return simplify_binary(program, op, a, b);
}

hd_expr_id hd_expr_make(hd_program *program, hd_op op, hd_expr_id a,
                        hd_expr_id b, hd_expr_id c) {
  assert(op >= HD_OP_NOT && op <= HD_OP_ITE);
  assert(a < program->exprs.size);
  assert(op == HD_OP_NOT || b < program->exprs.size);
  assert((op == HD_OP_ITE) == (c != HD_NO_ID));
  hd_expr_id simple = simplify(program, op, a, b, c);
  if (simple != HD_NO_ID)
    return simple;
  uint8_t width = program->exprs.data[op == HD_OP_ITE ? b : a].width;
  if (op == HD_OP_EQ || op == HD_OP_NE)
    width = 1;
  return intern(program,
                (hd_expr){.op = op, .width = width, .args = {a, b, c}});
}

/* --- index and invariants --- */

void hd_program_finish(hd_program *program) {
  size_t n = program->locs.size;
  hd_free(program->out_start);
  hd_free(program->out);
  program->out_start = hd_calloc(n + 1, sizeof *program->out_start);
  program->out = hd_calloc(program->edges.size, sizeof *program->out);
  program->spawns = false;
  for (hd_vec_each(hd_edge, e, &program->edges)) {
    program->out_start[e->from + 1]++;
    program->spawns = program->spawns || e->act == HD_ACT_SPAWN;
  }
  for (size_t l = 0; l < n; l++)
    program->out_start[l + 1] += program->out_start[l];
  uint32_t *next = hd_calloc(n + 1, sizeof *next);
  memcpy(next, program->out_start, (n + 1) * sizeof *next);
  for (hd_edge_id e = 0; e < program->edges.size; e++)
    program->out[next[program->edges.data[e].from]++] = e;
  hd_free(next);
  hd_program_check(program);
}

void hd_program_check(const hd_program *program) {
  assert(program->entry < program->locs.size);
  for (hd_vec_each(const hd_edge, e, &program->edges)) {
    assert(e->from < program->locs.size && e->to < program->locs.size);
    assert(e->act != HD_ACT_SPAWN || e->other < program->locs.size);
    assert(e->guard == HD_NO_ID || e->guard < program->exprs.size);
    assert((size_t)e->assigns + e->n_assigns <= program->assigns.size);
    for (uint32_t i = 0; i < e->n_assigns; i++) {
      hd_assign a = program->assigns.data[e->assigns + i];
      assert(a.var < program->vars.size && a.value < program->exprs.size);
      assert(program->vars.data[a.var].width ==
             program->exprs.data[a.value].width);
      (void)a;
    }
  }
  for (hd_vec_each(const hd_expr, x, &program->exprs)) {
    assert(x->width >= 1 && x->width <= 64);
    assert((x->op != HD_OP_VAR && x->op != HD_OP_NEXT) ||
           x->value < program->vars.size);
    (void)x;
  }
}

/* --- text form --- */

/* Precedence, low to high, as Boolean programs are read. */
static int binding(hd_op op) {
  switch (op) {
  case HD_OP_ITE:
    return 0;
  case HD_OP_OR:
    return 1;
  case HD_OP_XOR:
    return 2;
  case HD_OP_AND:
    return 3;
  case HD_OP_EQ:
  case HD_OP_NE:
    return 4;
  default:
    return 5;
  }
}

static void print_expr(hd_str *out, const hd_program *program, hd_expr_id id,
                       int context);

static void print_infix(hd_str *out, const hd_program *program,
                        const hd_expr *e, const char *sign) {
  int mine = binding(e->op);
  print_expr(out, program, e->args[0], mine);
  hd_str_printf(out, " %s ", sign);
  print_expr(out, program, e->args[1], mine + 1);
}

static void print_node(hd_str *out, const hd_program *program,
                       const hd_expr *e) {
  switch (e->op) {
  case HD_OP_CONST:
    hd_str_printf(out, "%llu", (unsigned long long)e->value);
    break;
  case HD_OP_NEXT:
    hd_str_puts(out, "'");
    hd_str_puts(out, program->vars.data[e->value].name);
    break;
  case HD_OP_VAR:
    hd_str_puts(out, program->vars.data[e->value].name);
    break;
  case HD_OP_CHOICE:
    hd_str_puts(out, "*");
    break;
  case HD_OP_NOT:
    hd_str_puts(out, "!");
    print_expr(out, program, e->args[0], 5);
    break;
  case HD_OP_AND:
    print_infix(out, program, e, "&");
    break;
  case HD_OP_OR:
    print_infix(out, program, e, "|");
    break;
  case HD_OP_XOR:
    print_infix(out, program, e, "^");
    break;
  case HD_OP_EQ:
    print_infix(out, program, e, "=");
    break;
  case HD_OP_NE:
    print_infix(out, program, e, "!=");
    break;
  case HD_OP_ITE:
    print_expr(out, program, e->args[0], 1);
    hd_str_puts(out, " ? ");
    print_expr(out, program, e->args[1], 1);
    hd_str_puts(out, " : ");
    print_expr(out, program, e->args[2], 0);
    break;
  }
}

static void print_expr(hd_str *out, const hd_program *program, hd_expr_id id,
                       int context) {
  const hd_expr *e = &program->exprs.data[id];
  bool wrap = binding(e->op) < context;
  if (wrap)
    hd_str_puts(out, "(");
  print_node(out, program, e);
  if (wrap)
    hd_str_puts(out, ")");
}

void hd_program_print_expr(hd_str *out, const hd_program *program,
                           hd_expr_id expr) {
  print_expr(out, program, expr, 0);
}

static void print_step(hd_str *out, const hd_program *program,
                       const hd_edge *e) {
  const hd_assign *assigns =
      e->n_assigns ? program->assigns.data + e->assigns : NULL;
  for (uint32_t i = 0; i < e->n_assigns; i++)
    hd_str_printf(out, "%s%s", i ? ", " : "",
                  program->vars.data[assigns[i].var].name);
  for (uint32_t i = 0; i < e->n_assigns; i++) {
    hd_str_puts(out, i ? ", " : " := ");
    print_expr(out, program, assigns[i].value, 0);
  }
  if (e->guard != HD_NO_ID) {
    hd_str_puts(out, e->n_assigns ? " constrain " : "assume ");
    print_expr(out, program, e->guard, 0);
  } else if (!e->n_assigns) {
    hd_str_puts(out, "skip");
  }
}

void hd_program_print_edge(hd_str *out, const hd_program *program,
                           hd_edge_id edge) {
  static const char *const words[] = {
      [HD_ACT_SPAWN] = "spawn",
      [HD_ACT_END] = "end",
      [HD_ACT_ATOMIC_BEGIN] = "atomic_begin",
      [HD_ACT_ATOMIC_END] = "atomic_end",
      [HD_ACT_WAIT] = "wait",
      [HD_ACT_SIGNAL] = "signal",
      [HD_ACT_BROADCAST] = "broadcast",
  };
  const hd_edge *e = &program->edges.data[edge];
  if (e->act == HD_ACT_STEP) {
    print_step(out, program, e);
  } else if (e->act == HD_ACT_ASSERT) {
    hd_str_puts(out, "assert ");
    if (e->guard == HD_NO_ID)
      hd_str_puts(out, "1");
    else
      print_expr(out, program, e->guard, 0);
  } else {
    hd_str_puts(out, words[e->act]);
    if (e->act == HD_ACT_SPAWN)
      hd_str_printf(out, " %u", e->other);
  }
}

static void print_origin(hd_str *out, const hd_origin *origin) {
  if (origin->line)
    hd_str_printf(out, " @%u", origin->line);
  if (origin->file)
    hd_str_printf(out, " \"%s\":%u", origin->file, origin->source_line);
  if (origin->function)
    hd_str_printf(out, " in %s", origin->function);
}

void hd_program_print(hd_str *out, const hd_program *program) {
  hd_str_puts(out, "heddle program 1\n");
  for (hd_vec_each(const hd_var, v, &program->vars)) {
    hd_str_printf(out, "%s %s : %u := ", v->shared ? "shared" : "local",
                  v->name, v->width);
    if (v->any)
      hd_str_puts(out, "*");
    else
      hd_str_printf(out, "%llu", (unsigned long long)v->init);
    hd_str_puts(out, "\n");
  }
  hd_str_printf(out, "entry %u\n", program->entry);
  for (hd_loc_id l = 0; l < program->locs.size; l++) {
    const hd_loc *loc = &program->locs.data[l];
    hd_str_printf(out, "location %u", l);
    if (loc->label)
      hd_str_printf(out, " %s", loc->label);
    print_origin(out, &loc->origin);
    hd_str_puts(out, "\n");
    for (uint32_t i = program->out_start[l]; i < program->out_start[l + 1];
         i++) {
      const hd_edge *e = &program->edges.data[program->out[i]];
      hd_str_printf(out, "  -> %u ", e->to);
      hd_program_print_edge(out, program, program->out[i]);
      hd_str_puts(out, "\n");
    }
  }
}
