/* SPDX-License-Identifier: MIT */
/* Annotations as text: docs/evidence.md. One thing a line, in the order of the
 * tables, so that everything is declared before it is used; numbers count from 0
 * in each table. */
#include "check/notes/state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void put_value(hd_str *out, const value *v) {
  if (v->kind == HD_NOTE_ANY) {
    hd_str_puts(out, "any");
  } else if (v->kind == HD_NOTE_SPAN) {
    hd_str_printf(out, "&%u[%" PRId64 ",%" PRId64 "]", v->base, v->lo, v->hi);
  } else if (v->kind == HD_NOTE_RANGE) {
    hd_str_printf(out, "[%" PRId64 ",%" PRId64 "]", v->lo, v->hi);
  } else {
    hd_str_puts(out, "{");
    for (int i = 0; i < v->n; i++) {
      hd_str_puts(out, i ? "," : "");
      if (v->elems[i].base != HD_NO_ID)
        hd_str_printf(out, "&%u+", v->elems[i].base);
      hd_str_printf(out, "%" PRIu64, v->elems[i].bits);
    }
    hd_str_puts(out, "}");
  }
}

static void put_pos(hd_str *out, const hd_code *code, hd_cpos pos) {
  hd_str_puts(out, " # ");
  hd_code_print_pos(out, code, pos);
  hd_str_puts(out, "\n");
}

static void put_object(hd_str *out, const hd_annotation *n, const object *o) {
  const hd_code *code = n->code;
  switch (o->kind) {
  case OBJ_GLOBAL:
    hd_str_printf(out, "object global %u # %s\n", o->index,
                  code->globals.data[o->index].name);
    return;
  case OBJ_FUNC:
    hd_str_printf(out, "object function %u # %s\n", o->index,
                  code->funcs.data[o->index].name);
    return;
  case OBJ_SLOT:
    hd_str_printf(out, "object slot %u %u %u\n", o->index, o->thread, o->stack);
    return;
  case OBJ_THREAD:
    hd_str_printf(out, "object thread %u\n", o->index);
    return;
  case OBJ_OPAQUE:
    hd_str_printf(out, "object opaque %u\n", o->index);
    return;
  }
}

static void put_cell(hd_str *out, const char *key, const cell *c) {
  hd_str_printf(out, "%s %u %" PRIu64 " %u ", key, c->object, c->offset,
                c->size);
  put_value(out, &c->value);
  hd_str_puts(out, "\n");
}

static void put_place(hd_str *out, const hd_annotation *n, const state *s) {
  const hd_code *code = n->code;
  hd_str_printf(out,
                "place %u ex %" PRIu64 " rd %" PRIu64 " live %" PRIu64
                " gone %" PRIu64 " ready %" PRIu64 " dead %" PRIu64
                " joined %" PRIu64 " virgin %d",
                s->thread, s->ex, s->rd, s->live, s->gone, s->ready, s->dead,
                s->joined, s->virgin);
  put_pos(out, code, code->locs.data[top(s)->loc].pos);
  for (hd_vec_each(const frame, f, &s->frames)) {
    const hd_func *fn = &code->funcs.data[f->func];
    hd_str_printf(out, "frame %u %u %u # %s\n", f->func, f->loc,
                  f->call == HD_NO_ID ? 0 : f->call + 1, fn->name);
    for (uint32_t i = 0; i < code->loops.size; i++)
      if (f->visits[i])
        hd_str_printf(out, "round %u %u\n", i, f->visits[i]);
    for (uint32_t r = 0; r < fn->n_regs; r++) {
      if (hd_note_is_any(&f->regs[r]))
        continue;
      hd_str_printf(out, "reg %u ", r);
      put_value(out, &f->regs[r]);
      hd_str_printf(out, " # %s\n", code->regs.data[fn->regs + r].name);
    }
  }
  for (hd_vec_each(const cell, c, &s->cells))
    put_cell(out, "known", c);
  for (hd_vec_each(const uint32_t, o, &s->blurred))
    hd_str_printf(out, "blurred %u\n", *o);
  for (hd_vec_each(const made, m, &s->made))
    hd_str_printf(out, "made %u %u %d\n", m->stack, m->edge, m->count);
}

void hd_annotation_print(hd_str *out, const hd_annotation *n,
                         uint64_t program) {
  const hd_code *code = n->code;
  hd_str_printf(out, "%s\nprogram %016" PRIx64 "\nproves",
                HD_ANNOTATION_FIRST_LINE, program);
  for (hd_property p = 0; p < HD_PROPERTY_COUNT; p++)
    if (n->claims >> p & 1)
      hd_str_printf(out, " %s", hd_property_name(p));
  hd_str_printf(out, "\nunroll %u\n", n->unroll);
  for (size_t i = 1; i < n->stacks.size; i++) {
    const stack_link *l = &n->stacks.data[i];
    hd_str_printf(out, "stack %u %u", l->below, l->edge);
    put_pos(out, code, code->edges.data[l->edge].pos);
  }
  for (size_t i = 1; i < n->threads.size; i++) {
    const thread *t = &n->threads.data[i];
    hd_str_printf(
        out,
        "thread %u %u %d %u gone %" PRIu64 " ready %" PRIu64 " dead %" PRIu64,
        t->stack, t->edge, t->nr, t->func, t->gone, t->ready, t->dead);
    put_pos(out, code, code->edges.data[t->edge].pos);
  }
  for (hd_vec_each(const object, o, &n->objects))
    put_object(out, n, o);
  for (size_t i = 1; i < n->threads.size; i++) {
    hd_str_printf(out, "argument %zu ", i);
    put_value(out, &n->threads.data[i].arg);
    hd_str_puts(out, "\n");
  }
  for (size_t i = 1; i < n->locks.size; i++)
    hd_str_printf(out, "lock %u %" PRIu64 " %u\n", n->locks.data[i].object,
                  n->locks.data[i].offset, n->locks.data[i].size);
  for (hd_vec_each(const guard, g, &n->guards))
    hd_str_printf(out, "guard %u %s %u\n", g->object,
                  g->kind == GUARD_LOCK ? "lock" : "owner", g->id);
  for (hd_vec_each(const cell, c, &n->cells))
    put_cell(out, "cell", c);
  for (hd_vec_each(const place, p, &n->places))
    put_place(out, n, &p->state);
  hd_str_puts(out, "end\n");
}
