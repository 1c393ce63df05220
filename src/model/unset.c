/* SPDX-License-Identifier: MIT */
#include "model/unset.h"

#include <string.h>

typedef struct {
  const hd_code *code; /* the original */
  hd_code *out;
  /* The functions that were added, one a type, with their expressions. */
  hd_vec(hd_cexpr_id) callees;
} maker;

/* The type of the variable that the edge leaves without a value; its width is 0
 * when it does no such thing. */
static hd_type forgets(const hd_code *code, const hd_cedge *edge) {
  hd_type none = {.kind = HD_TYPE_INT, .width = 0};
  if (edge->act != HD_CODE_STEP || edge->guard != HD_NO_ID ||
      edge->n_targets != 1)
    return none;
  const hd_cexpr *e = &code->exprs.data[hd_code_operand(code, edge, 0)];
  return e->op == HD_CODE_UNDEF && e->type.kind != HD_TYPE_PTR ? e->type : none;
}

/* Makes a vector of its own of one that is shared. */
#define OWN(vec)                                                               \
  do {                                                                         \
    const void *shared = (vec)->data;                                          \
    size_t n = (vec)->size;                                                    \
    memset((vec), 0, sizeof *(vec));                                           \
    hd_vec_resize((vec), n);                                                   \
    if (n)                                                                     \
      memcpy((vec)->data, shared, n * sizeof *(vec)->data);                    \
  } while (0)

/* An input that gives a value of this type: model/library.c knows the prefix. */
static hd_cexpr_id add_input(maker *k, hd_type type) {
  hd_code *out = k->out;
  hd_str name = {0};
  hd_str_puts(&name, "__VERIFIER_nondet_unset_");
  hd_code_print_type(&name, type);
  char *kept = hd_arena_strndup(&out->arena, hd_str_text(&name), name.size);
  hd_str_free(&name);
  hd_func input = {.name = kept,
                   .cname = kept,
                   .results = (uint32_t)out->types.size,
                   .n_results = 1,
                   .regs = (uint32_t)out->regs.size,
                   .slots = (uint32_t)out->slots.size,
                   .locs = (uint32_t)out->locs.size,
                   .entry = HD_NO_ID,
                   .ctype = HD_NO_ID,
                   .scope = HD_NO_ID,
                   .pos = {.file = HD_NO_ID}};
  hd_cexpr callee = {.op = HD_CODE_FUNC,
                     .type = {.kind = HD_TYPE_PTR, .width = out->pointer_width},
                     .args = {HD_NO_ID, HD_NO_ID, HD_NO_ID},
                     .value = out->funcs.size};
  hd_vec_push(&out->types, type);
  hd_vec_push(&out->funcs, input);
  hd_vec_push(&out->exprs, callee);
  hd_vec_push(&k->callees, (hd_cexpr_id)out->exprs.size - 1);
  return (hd_cexpr_id)out->exprs.size - 1;
}

static hd_cexpr_id input_of(maker *k, hd_type type) {
  for (hd_vec_each(const hd_cexpr_id, e, &k->callees)) {
    const hd_func *f = &k->out->funcs.data[k->out->exprs.data[*e].value];
    hd_type gives = k->out->types.data[f->results];
    if (gives.kind == type.kind && gives.width == type.width)
      return *e;
  }
  return add_input(k, type);
}

static void replace(maker *k, hd_edge_id id) {
  hd_cedge *edge = &k->out->edges.data[id];
  hd_cexpr_id callee = input_of(k, forgets(k->code, edge));
  edge->act = HD_CODE_CALL;
  edge->operands = (uint32_t)k->out->operands.size;
  edge->n_operands = 1;
  hd_vec_push(&k->out->operands, callee);
}

hd_code *hd_unset_new(const hd_code *code) {
  hd_u32s found = {0};
  for (hd_edge_id e = 0; e < code->edges.size; e++)
    if (forgets(code, &code->edges.data[e]).width)
      hd_vec_push(&found, e);
  maker k = {.code = code};
  if (found.size) {
    k.out = hd_alloc(sizeof *k.out);
    *k.out = *code;
    hd_arena_init(&k.out->arena);
    OWN(&k.out->funcs);
    OWN(&k.out->types);
    OWN(&k.out->exprs);
    OWN(&k.out->operands);
    OWN(&k.out->edges);
    k.out->table = NULL;
    for (hd_vec_each(const uint32_t, e, &found))
      replace(&k, *e);
  }
  hd_vec_free(&found);
  hd_vec_free(&k.callees);
  return k.out;
}

void hd_unset_delete(hd_code *inputs) {
  if (!inputs)
    return;
  hd_vec_free(&inputs->funcs);
  hd_vec_free(&inputs->types);
  hd_vec_free(&inputs->exprs);
  hd_vec_free(&inputs->operands);
  hd_vec_free(&inputs->edges);
  hd_arena_free(&inputs->arena);
  hd_free(inputs);
}
