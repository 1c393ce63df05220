/* SPDX-License-Identifier: MIT */
/* Annotations as text: docs/evidence.md. One thing a line, in the order of the
 * tables, so that everything is declared before it is used; numbers count from 0
 * in each table. What is read is checked for being about this program; whether it
 * is true is for the judge. */
#include "check/notes/state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char first_line[] = "heddle annotation 1";

/* --- writing --- */

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

static void put_object(hd_str *out, const hd_notes *n, const object *o) {
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
  }
}

static void put_cell(hd_str *out, const char *key, const cell *c) {
  hd_str_printf(out, "%s %u %" PRIu64 " %u ", key, c->object, c->offset,
                c->size);
  put_value(out, &c->value);
  hd_str_puts(out, "\n");
}

static void put_place(hd_str *out, const hd_notes *n, const state *s) {
  const hd_code *code = n->code;
  hd_str_printf(out,
                "place %u ex %" PRIu64 " rd %" PRIu64 " live %" PRIu64
                " gone %" PRIu64 " virgin %d",
                s->thread, s->ex, s->rd, s->live, s->gone, s->virgin);
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

void hd_notes_print(hd_str *out, const hd_notes *n, uint64_t program) {
  const hd_code *code = n->code;
  hd_str_printf(out, "%s\nprogram %016" PRIx64 "\nproves", first_line, program);
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
    hd_str_printf(out, "thread %u %u %d %u gone %" PRIu64, t->stack, t->edge,
                  t->nr, t->func, t->gone);
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

/* --- reading --- */

typedef struct {
  const char *at;
  size_t line;
  hd_notes *n;
  const hd_code *code;
  hd_str *why;
  state *open; /* the place that is being read */
} reader;

static bool fail(reader *r, const char *what) {
  if (!r->why->size)
    hd_str_printf(r->why, "line %zu: %s", r->line, what);
  return false;
}

static void skip_blanks(reader *r) {
  while (*r->at == ' ')
    r->at++;
  if (*r->at == '#')
    r->at += strcspn(r->at, "\n");
}

static bool word(reader *r, const char *text) {
  skip_blanks(r);
  size_t n = strlen(text);
  if (strncmp(r->at, text, n) != 0 || (r->at[n] > ' ' && r->at[n] != '#'))
    return false;
  r->at += n;
  return true;
}

static bool want(reader *r, const char *text) {
  return word(r, text) || fail(r, "something else is expected here");
}

/* At most `most`. */
static bool number(reader *r, uint64_t most, uint64_t *out) {
  skip_blanks(r);
  char *stop;
  *out = 0;
  if (*r->at < '0' || *r->at > '9')
    return fail(r, "expected a number");
  *out = strtoull(r->at, &stop, 10);
  r->at = stop;
  return *out <= most || fail(r, "a number out of range");
}

/* Below `limit`. */
static bool number32(reader *r, size_t limit, uint32_t *out) {
  uint64_t x = 0;
  bool ok = limit ? number(r, limit - 1, &x) : fail(r, "there is none");
  *out = ok ? (uint32_t)x : 0;
  return ok;
}

static bool bits(reader *r, uint64_t *out) {
  return number(r, UINT64_MAX, out);
}

static bool signed_number(reader *r, int64_t *out) {
  skip_blanks(r);
  char *stop;
  *out = strtoll(r->at, &stop, 10);
  bool ok = stop != r->at;
  r->at = stop;
  return ok || fail(r, "expected a number");
}

static bool symbol(reader *r, char c) {
  if (*r->at != c)
    return fail(r, "a value that cannot be read");
  r->at++;
  return true;
}

static bool element(reader *r, value *v) {
  hd_note_elem e = {HD_NO_ID, 0};
  if (*r->at == '&') {
    r->at++;
    if (!number32(r, r->n->objects.size, &e.base) || !symbol(r, '+'))
      return false;
  }
  value one;
  if (!bits(r, &e.bits))
    return false;
  one = hd_note_address(e.base, e.bits);
  if (v->n == HD_NOTE_MOST)
    return fail(r, "too many values");
  *v = hd_note_join(64, v, &one);
  return true;
}

static bool read_value(reader *r, value *v) {
  if (word(r, "any")) {
    *v = hd_note_any();
    return true;
  }
  if (*r->at == '[') {
    r->at++;
    *v = (value){.kind = HD_NOTE_RANGE};
    return signed_number(r, &v->lo) && symbol(r, ',') &&
           signed_number(r, &v->hi) && symbol(r, ']') &&
           (v->lo < v->hi || fail(r, "an empty interval"));
  }
  if (*r->at == '&') {
    r->at++;
    *v = (value){.kind = HD_NOTE_SPAN};
    return number32(r, r->n->objects.size, &v->base) && symbol(r, '[') &&
           signed_number(r, &v->lo) && symbol(r, ',') &&
           signed_number(r, &v->hi) && symbol(r, ']') &&
           ((v->lo >= 0 && v->lo < v->hi &&
             (uint64_t)v->hi <= object_size(r->n, v->base)) ||
            fail(r, "an empty span"));
  }
  *v = hd_note_none();
  if (!symbol(r, '{'))
    return false;
  while (*r->at != '}') {
    if (v->n && !symbol(r, ','))
      return false;
    if (!element(r, v))
      return false;
  }
  r->at++;
  return true;
}

static bool read_cell(reader *r, cell *c) {
  *c = (cell){0};
  if (!number32(r, r->n->objects.size, &c->object) || !bits(r, &c->offset) ||
      !number32(r, 9, &c->size) || !read_value(r, &c->value))
    return false;
  uint64_t whole = object_size(r->n, c->object);
  return (c->size && c->offset <= whole && c->size <= whole - c->offset) ||
         fail(r, "a cell that is not there");
}

static bool read_stack(reader *r) {
  uint32_t below, edge;
  size_t size = r->n->stacks.size;
  if (!number32(r, size, &below) || !number32(r, r->code->edges.size, &edge))
    return false;
  return (r->code->edges.data[edge].act == HD_CODE_CALL &&
          stack_of(r->n, below, edge) == size) ||
         fail(r, "not a chain of calls");
}

static bool read_thread(reader *r) {
  thread t = {.arg = hd_note_none()};
  int64_t nr;
  if (!number32(r, r->n->stacks.size, &t.stack) ||
      !number32(r, r->code->edges.size, &t.edge) || !signed_number(r, &nr) ||
      !number32(r, r->code->funcs.size, &t.func) || !want(r, "gone") ||
      !bits(r, &t.gone))
    return false;
  t.nr = (int32_t)nr;
  if (nr < MANY || nr > 1000 || r->n->threads.size == MOST ||
      r->n->objects.size || !r->code->funcs.data[t.func].defined)
    return fail(r, "not a thread");
  hd_vec_push(&r->n->threads, t);
  return true;
}

static bool read_object(reader *r) {
  object o = {0};
  size_t size = r->n->objects.size;
  bool ok = false;
  if (word(r, "global")) {
    o.kind = OBJ_GLOBAL;
    ok = number32(r, r->code->globals.size, &o.index);
  } else if (word(r, "function")) {
    o.kind = OBJ_FUNC;
    ok = number32(r, r->code->funcs.size, &o.index);
  } else if (word(r, "thread")) {
    o.kind = OBJ_THREAD;
    ok = number32(r, MOST, &o.index);
  } else if (want(r, "slot")) {
    o.kind = OBJ_SLOT;
    ok = number32(r, r->code->slots.size, &o.index) &&
         number32(r, MOST, &o.thread) &&
         number32(r, r->n->stacks.size, &o.stack);
  }
  return ok && (object_of(r->n, o) == size || fail(r, "an object twice"));
}

static bool read_lock(reader *r) {
  uint32_t o, bytes;
  uint64_t offset;
  size_t size = r->n->locks.size;
  return number32(r, r->n->objects.size, &o) && bits(r, &offset) &&
         number32(r, 4096, &bytes) &&
         ((size < MOST && lock_of(r->n, o, offset, bytes) == size) ||
          fail(r, "a lock twice"));
}

static bool read_guard(reader *r) {
  guard g = {0};
  if (!number32(r, r->n->objects.size, &g.object))
    return false;
  g.kind = word(r, "lock") ? GUARD_LOCK : GUARD_OWNER;
  if (g.kind == GUARD_OWNER && !want(r, "owner"))
    return false;
  if (!number32(r, g.kind == GUARD_LOCK ? r->n->locks.size : r->n->threads.size,
                &g.id))
    return false;
  hd_vec_push(&r->n->guards, g);
  return true;
}

static bool read_place(reader *r) {
  place p = {0};
  state *s = &p.state;
  uint64_t virgin;
  if (!number32(r, r->n->threads.size, &s->thread) || !want(r, "ex") ||
      !bits(r, &s->ex) || !want(r, "rd") || !bits(r, &s->rd) ||
      !want(r, "live") || !bits(r, &s->live) || !want(r, "gone") ||
      !bits(r, &s->gone) || !want(r, "virgin") || !number(r, 1, &virgin))
    return false;
  s->virgin = virgin;
  hd_vec_push(&r->n->places, p);
  r->open = &hd_vec_last(&r->n->places).state;
  return true;
}

static bool read_frame(reader *r) {
  uint32_t func, loc, call;
  state *s = r->open;
  if (!s)
    return fail(r, "a frame without a place");
  if (!number32(r, r->code->funcs.size, &func) ||
      !number32(r, r->code->locs.size, &loc) ||
      !number32(r, r->code->edges.size + 1, &call))
    return false;
  bool first = !s->frames.size;
  const hd_func *f = &r->code->funcs.data[func];
  bool ok = f->defined && r->code->locs.data[loc].func == func &&
            first == !call && s->frames.size < DEPTH &&
            (!first || r->n->threads.data[s->thread].func == func);
  if (ok && call) {
    const hd_cedge *e = &r->code->edges.data[call - 1];
    ok = e->act == HD_CODE_CALL &&
         r->code->locs.data[e->from].func == top(s)->func &&
         e->from == top(s)->loc;
  }
  if (!ok)
    return fail(r, "not a frame");
  frame_push(r->n, s, func, call ? call - 1 : HD_NO_ID);
  top(s)->loc = loc;
  return true;
}

static bool read_round(reader *r) {
  uint32_t loop, count;
  if (!r->open || !r->open->frames.size)
    return fail(r, "a round without a frame");
  if (!number32(r, r->code->loops.size, &loop) || !number32(r, 256, &count))
    return false;
  top(r->open)->visits[loop] = (uint8_t)count;
  return true;
}

static bool read_reg(reader *r) {
  uint32_t reg;
  if (!r->open || !r->open->frames.size)
    return fail(r, "a register without a frame");
  const hd_func *f = &r->code->funcs.data[top(r->open)->func];
  return number32(r, f->n_regs, &reg) &&
         read_value(r, &top(r->open)->regs[reg]);
}

static bool read_known(reader *r) {
  cell c;
  if (!r->open || !read_cell(r, &c))
    return fail(r, "a cell without a place");
  hd_vec_push(&r->open->cells, c);
  return true;
}

static bool read_blurred(reader *r) {
  uint32_t o;
  if (!r->open || !number32(r, r->n->objects.size, &o))
    return fail(r, "an object without a place");
  hd_vec_push(&r->open->blurred, o);
  return true;
}

static bool read_made(reader *r) {
  made m;
  int64_t count;
  if (!r->open || !number32(r, r->n->stacks.size, &m.stack) ||
      !number32(r, r->code->edges.size, &m.edge) || !signed_number(r, &count))
    return fail(r, "a creation without a place");
  m.count = (int32_t)count;
  for (hd_vec_each(const made, x, &r->open->made))
    if (x->stack == m.stack && x->edge == m.edge)
      return fail(r, "a creation twice");
  hd_vec_push(&r->open->made, m);
  return (count >= MANY && count < 1000) || fail(r, "a number out of range");
}

static bool read_argument(reader *r) {
  uint32_t t;
  return number32(r, r->n->threads.size, &t) &&
         read_value(r, &r->n->threads.data[t].arg);
}

static bool read_cell_line(reader *r) {
  cell c;
  if (!read_cell(r, &c))
    return false;
  for (hd_vec_each(const cell, x, &r->n->cells))
    if (x->object == c.object && x->offset == c.offset && x->size == c.size)
      return fail(r, "a cell twice");
  hd_vec_push(&r->n->cells, c);
  return true;
}

static bool read_line(reader *r) {
  static const struct {
    const char *key;
    bool (*read)(reader *);
  } lines[] = {
      {"stack", read_stack},     {"thread", read_thread},
      {"object", read_object},   {"argument", read_argument},
      {"lock", read_lock},       {"guard", read_guard},
      {"cell", read_cell_line},  {"place", read_place},
      {"frame", read_frame},     {"round", read_round},
      {"reg", read_reg},         {"known", read_known},
      {"blurred", read_blurred}, {"made", read_made},
  };
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    if (word(r, lines[i].key))
      return lines[i].read(r);
  return fail(r, "a line that is none of an annotation");
}

static bool next_line(reader *r) {
  skip_blanks(r);
  if (*r->at && *r->at != '\n')
    return fail(r, "more than is expected here");
  r->at += *r->at == '\n';
  r->line++;
  return true;
}

static bool read_head(reader *r, uint64_t program) {
  char hash[32];
  uint64_t unroll;
  snprintf(hash, sizeof hash, "%016" PRIx64, program);
  size_t n = strlen(first_line);
  if (strncmp(r->at, first_line, n) != 0)
    return fail(r, "not an annotation");
  r->at += n;
  if (!next_line(r) || !want(r, "program"))
    return false;
  if (!word(r, hash))
    return fail(r, "an annotation of another program");
  if (!next_line(r) || !want(r, "proves"))
    return false;
  for (bool more = true; more;) {
    more = false;
    for (hd_property p = 0; p < HD_PROPERTY_COUNT; p++)
      if (word(r, hd_property_name(p))) {
        r->n->claims |= (hd_properties)1 << p;
        more = true;
      }
  }
  if (!next_line(r) || !want(r, "unroll") || !number(r, 255, &unroll))
    return false;
  r->n->unroll = (uint8_t)unroll;
  return next_line(r);
}

static bool read_all(reader *r, uint64_t program) {
  bool ok = read_head(r, program), over = false;
  while (ok && !over) {
    skip_blanks(r);
    if (!*r->at)
      return fail(r, "the end is missing");
    if (*r->at != '\n' && word(r, "end"))
      over = true;
    else if (*r->at != '\n')
      ok = read_line(r);
    ok = ok && next_line(r);
  }
  if (ok && *r->at)
    ok = fail(r, "text behind the end");
  for (hd_vec_each(const place, p, &r->n->places))
    ok = ok && (p->state.frames.size || fail(r, "a place without frames"));
  return ok;
}

hd_notes *hd_notes_parse(const char *text, const hd_code *code,
                         uint64_t program, hd_str *why) {
  reader r = {
      .at = text, .line = 1, .n = notes_new(code), .code = code, .why = why};
  if (read_all(&r, program))
    return r.n;
  hd_notes_delete(r.n);
  return NULL;
}
