/* SPDX-License-Identifier: MIT */
/* Annotations read from text. What is read is checked for being about this
 * program, and for saying nothing twice; whether it is true is for the judge. */
#include "check/notes/state.h"

#include "base/hash.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
  const char *at;
  size_t line;
  hd_annotation *n;
  const hd_code *code;
  hd_run *run;
  hd_str *why;
  state *open;    /* the place that is being read */
  uint8_t *named; /* registers of its last frame */
  hd_u32s cells;  /* by hash: where to find them; HD_NO_ID: free */
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
  errno = 0;
  *out = strtoull(r->at, &stop, 10);
  r->at = stop;
  return (*out <= most && !errno) || fail(r, "a number out of range");
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
  errno = 0;
  *out = strtoll(r->at, &stop, 10);
  bool ok = stop != r->at && !errno;
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

static bool read_any_value(reader *r, value *v) {
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
             (uint64_t)v->hi <= hd_note_object_size(r->n, v->base)) ||
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

/* … that can be in so many bits. */
static bool read_value(reader *r, uint8_t width, value *v) {
  return read_any_value(r, v) &&
         (hd_note_fits(width, v) || fail(r, "a value out of range"));
}

static bool read_cell(reader *r, cell *c) {
  *c = (cell){0};
  if (!number32(r, r->n->objects.size, &c->object) || !bits(r, &c->offset) ||
      !number32(r, 9, &c->size))
    return false;
  if (!c->size)
    return fail(r, "a cell that is not there");
  if (!read_value(r, (uint8_t)(8 * c->size), &c->value))
    return false;
  uint64_t whole = hd_note_object_size(r->n, c->object);
  return (c->offset <= whole && c->size <= whole - c->offset) ||
         fail(r, "a cell that is not there");
}

static bool read_stack(reader *r) {
  uint32_t below, edge;
  size_t size = r->n->stacks.size;
  if (!number32(r, size, &below) || !number32(r, r->code->edges.size, &edge))
    return false;
  return (r->code->edges.data[edge].act == HD_CODE_CALL &&
          hd_note_stack_of(r->n, below, edge) == size) ||
         fail(r, "not a chain of calls");
}

static bool read_thread(reader *r) {
  thread t = {.arg = hd_note_none()};
  int64_t nr;
  if (!number32(r, r->n->stacks.size, &t.stack) ||
      !number32(r, r->code->edges.size, &t.edge) || !signed_number(r, &nr) ||
      !number32(r, r->code->funcs.size, &t.func) || !want(r, "gone") ||
      !bits(r, &t.gone) || !want(r, "ready") || !bits(r, &t.ready) ||
      !want(r, "dead") || !bits(r, &t.dead))
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
  } else if (word(r, "opaque")) {
    o.kind = OBJ_OPAQUE;
    ok = number32(r, 2, &o.index);
  } else if (want(r, "slot")) {
    o.kind = OBJ_SLOT;
    ok = number32(r, r->code->slots.size, &o.index) &&
         number32(r, MOST, &o.thread) &&
         number32(r, r->n->stacks.size, &o.stack);
  }
  return ok &&
         (hd_note_object_of(r->n, o) == size || fail(r, "an object twice"));
}

static bool read_lock(reader *r) {
  uint32_t o, bytes;
  uint64_t offset;
  size_t size = r->n->locks.size;
  if (!number32(r, r->n->objects.size, &o) || !bits(r, &offset) ||
      !number32(r, 4096, &bytes))
    return false;
  uint64_t whole = hd_note_object_size(r->n, o);
  if (size >= MOST || !bytes || offset > whole || bytes > whole - offset ||
      hd_note_lock_of(r->n, o, offset) != MOST)
    return fail(r, "not a lock, or one twice");
  hd_vec_push(&r->n->locks, ((mutex){o, offset, bytes, HD_NOTE_NO_SORT}));
  return true;
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
  if (hd_note_guard_of(r->n, g.object))
    return fail(r, "an object has two guards");
  hd_note_guard_add(r->n, g);
  return true;
}

static bool read_place(reader *r) {
  place p = {0};
  state *s = &p.state;
  uint64_t virgin;
  if (!number32(r, r->n->threads.size, &s->thread) || !want(r, "ex") ||
      !bits(r, &s->ex) || !want(r, "rd") || !bits(r, &s->rd) ||
      !want(r, "live") || !bits(r, &s->live) || !want(r, "gone") ||
      !bits(r, &s->gone) || !want(r, "ready") || !bits(r, &s->ready) ||
      !want(r, "dead") || !bits(r, &s->dead) || !want(r, "joined") ||
      !bits(r, &s->joined) || !want(r, "virgin") || !number(r, 1, &virgin))
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
  hd_note_frame_push(r->n, s, func, call ? call - 1 : HD_NO_ID);
  top(s)->loc = loc;
  hd_free(r->named);
  r->named = hd_calloc(f->n_regs + 1, 1);
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
  assert(r->named); /* with each frame */
  if (!number32(r, f->n_regs, &reg) ||
      !read_value(r, r->code->regs.data[f->regs + reg].type.width,
                  &top(r->open)->regs[reg]))
    return false;
  return !r->named[reg]++ || fail(r, "a register twice");
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
  if (r->open->made.size > 1000)
    return fail(r, "too many creations");
  for (hd_vec_each(const made, x, &r->open->made))
    if (x->stack == m.stack && x->edge == m.edge)
      return fail(r, "a creation twice");
  hd_vec_push(&r->open->made, m);
  return (count >= MANY && count < 1000) || fail(r, "a number out of range");
}

/* Main has none. */
static bool read_argument(reader *r) {
  uint32_t id;
  if (!number32(r, r->n->threads.size, &id))
    return false;
  thread *t = &r->n->threads.data[id];
  if (!id || t->given)
    return fail(r, "an argument of main, or one twice");
  t->given = true;
  return read_value(r, r->code->pointer_width, &t->arg);
}

static uint64_t hash_cell(const cell *c) {
  return hd_hash_mix(hd_hash_mix(c->object, c->offset), c->size);
}

/* False: there is one. */
static bool enter_cell(reader *r, uint32_t id) {
  assert(2 * ((size_t)id + 1) <= r->cells.size); /* it is never full */
  const cell *cells = r->n->cells.data;
  size_t mask = r->cells.size - 1, at = hash_cell(&cells[id]) & mask;
  for (; r->cells.data[at] != HD_NO_ID; at = (at + 1) & mask) {
    const cell *x = &cells[r->cells.data[at]];
    if (x->object == cells[id].object && x->offset == cells[id].offset &&
        x->size == cells[id].size)
      return false;
  }
  r->cells.data[at] = id;
  return true;
}

static bool read_cell_line(reader *r) {
  cell c;
  if (!read_cell(r, &c))
    return false;
  hd_vec_push(&r->n->cells, c);
  uint32_t n = (uint32_t)r->n->cells.size;
  if (n * 2 > r->cells.size) {
    hd_vec_resize(&r->cells, n < 64 ? 128 : r->cells.size * 2);
    for (hd_vec_each(uint32_t, x, &r->cells))
      *x = HD_NO_ID;
    for (uint32_t i = 0; i + 1 < n; i++)
      enter_cell(r, i);
  }
  return enter_cell(r, n - 1) || fail(r, "a cell twice");
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
  if (!hd_run_tick(r->run))
    return fail(r, hd_run_why(r->run));
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
  size_t n = strlen(HD_ANNOTATION_FIRST_LINE);
  if (strncmp(r->at, HD_ANNOTATION_FIRST_LINE, n) != 0)
    return fail(r,
                "not an annotation of this version ('" HD_ANNOTATION_FIRST_LINE
                "')");
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

hd_annotation *hd_annotation_parse(const char *text, const hd_code *code,
                                   uint64_t program, hd_run *run, hd_str *why) {
  reader r = {.at = text,
              .line = 1,
              .n = hd_note_new(code),
              .code = code,
              .run = run,
              .why = why};
  bool ok = read_all(&r, program);
  hd_free(r.named);
  hd_vec_free(&r.cells);
  if (ok)
    return r.n;
  hd_annotation_delete(r.n);
  return NULL;
}
