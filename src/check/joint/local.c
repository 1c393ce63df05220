/* SPDX-License-Identifier: MIT */
/* Functions of the library that wait for nobody: they compute, or read and write as
 * plain accesses do. To make and to destroy a lock are plain writes as well. */
#include "check/joint/local.h"
#include "check/notes/rules.h"

#include <string.h>

void hd_joint_over(local *c) {
  c->p.over = true;
  hd_vec_push(&c->j->stops, c->p);
}

bool hd_joint_use(local *c, const val *at, uint64_t size, bool write) {
  if (!hd_joint_there(c->j, &c->p.m, at, size, write, c->edge))
    return false;
  hd_joint_deed(c->j, &c->p, at->base, at->a, at->a + size, write, false,
                c->edge);
  return true;
}

bool hd_joint_is_local(hd_note_action action) {
  switch (action) {
  case HD_NOTE_UNKNOWN:
  case HD_NOTE_INPUT:
  case HD_NOTE_TIME:
  case HD_NOTE_CLOCK:
  case HD_NOTE_SLEEP:
  case HD_NOTE_PURE:
  case HD_NOTE_PRINT:
  case HD_NOTE_ABS:
  case HD_NOTE_FAIL:
  case HD_NOTE_CHECK:
  case HD_NOTE_ASSUME:
  case HD_NOTE_BEGIN:
  case HD_NOTE_END:
  case HD_NOTE_COPY:
  case HD_NOTE_SET_BYTES:
  case HD_NOTE_LENGTH:
  case HD_NOTE_COMPARE:
  case HD_NOTE_COPY_TEXT:
  case HD_NOTE_MAKE:
  case HD_NOTE_MAKE_ZERO:
  case HD_NOTE_MAKE_AGAIN:
  case HD_NOTE_FREE:
  case HD_NOTE_STACK:
  case HD_NOTE_UNSTACK:
  case HD_NOTE_AT_EXIT:
  case HD_NOTE_ERRNO:
  case HD_NOTE_ATTRIBUTE_INIT:
  case HD_NOTE_ATTRIBUTE_DESTROY:
  case HD_NOTE_ATTRIBUTE_SET:
  case HD_NOTE_ATTRIBUTE_TYPE:
  case HD_NOTE_ATTRIBUTE_DETACHED:
  case HD_NOTE_ATTRIBUTE_SIZE:
  case HD_NOTE_ATTRIBUTE_GET:
  case HD_NOTE_SELF:
  case HD_NOTE_EQUAL:
  case HD_NOTE_LOCK_INIT:
  case HD_NOTE_LOCK_DESTROY:
    return true;
  case HD_NOTE_STOP:
  case HD_NOTE_QUIT:
  case HD_NOTE_ENTER:
  case HD_NOTE_EXIT:
  case HD_NOTE_CREATE:
  case HD_NOTE_JOIN:
  case HD_NOTE_LEAVE:
  case HD_NOTE_DETACH:
  case HD_NOTE_LOCK:
  case HD_NOTE_LOCK_TRY:
  case HD_NOTE_LOCK_TIMED:
  case HD_NOTE_LOCK_READ:
  case HD_NOTE_LOCK_TRY_READ:
  case HD_NOTE_UNLOCK:
  case HD_NOTE_WAIT:
  case HD_NOTE_WAIT_TIMED:
  case HD_NOTE_PASS:
  case HD_NOTE_PASS_TRY:
  case HD_NOTE_PASS_TIMED:
  case HD_NOTE_SIGNAL:
  case HD_NOTE_BROADCAST:
  case HD_NOTE_COUNT:
  case HD_NOTE_ONCE:
    break;
  }
  return false;
}

/* --- assertions and inputs --- */

static void fail(local *c) {
  if (!c->j->violated)
    c->j->violation = c->e->pos;
  c->j->violated = true;
  c->j->ended++;
}

static bool may_be(const val *v, bool truth) {
  hd_note_value n = hd_joint_to_note(v, 64);
  return hd_note_may_be(&n, truth);
}

static void condition(local *c) {
  val v = arg(c, 0);
  if (c->e->n_operands < 2) {
    refuse(c, "without a condition");
    hd_joint_over(c);
    return;
  }
  if (may_be(&v, false)) {
    if (c->call.action == HD_NOTE_CHECK)
      fail(c);
    else
      c->j->pruned++;
  }
  if (!may_be(&v, true)) {
    hd_joint_over(c);
    return;
  }
  hd_joint_refine(c->j, &c->p.m, c->j->t, hd_code_operand(c->j->code, c->e, 1),
                  true, c->edge);
  done(c, anything());
}

static bool is_int(const local *c, uint32_t i) {
  const hd_code *code = c->j->code;
  return i + 1 < c->e->n_operands &&
         code->exprs.data[hd_code_operand(code, c->e, 1 + i)].type.kind ==
             HD_TYPE_INT;
}

/* Few values are tried one by one. */
static void choose(local *c, val v) {
  enum { FEW = 8 };
  uint8_t width = 0;
  if (c->e->n_targets)
    width =
        hd_joint_target_type(c->j, &c->p.m.threads.data[c->j->t], c->edge, 0)
            .width;
  if (v.kind != V_RANGE || (uint64_t)v.b - v.a >= FEW) {
    done(c, v);
    return;
  }
  for (int64_t x = (int64_t)v.a; x < v.b; x++) {
    local other = *c;
    other.p.m = hd_joint_copy(&c->p.m);
    memset(&other.p.deeds, 0, sizeof other.p.deeds);
    for (hd_vec_each(const deed, d, &c->p.deeds))
      hd_vec_push(&other.p.deeds, *d);
    done(&other, number((uint64_t)x & hd_word_mask(width)));
  }
  done(c, number((uint64_t)v.b & hd_word_mask(width)));
}

/* One of a range has two arguments; it is cut for int alone. */
static void input(local *c) {
  uint32_t n = c->e->n_operands - 1;
  val v = unknown_result(c), a = arg(c, 0), b = arg(c, 1);
  const char *end = strrchr(c->name, '_');
  if (c->call.action == HD_NOTE_TIME) {
    if (n != 1)
      refuse(c, "with arguments that are not known of");
    if (a.kind != V_NUMBER || a.a)
      hd_joint_scribble(c, &a, c->j->code->pointer_width / 8u);
  } else if (n == 2 && c->e->n_targets && is_int(c, 0) && is_int(c, 1)) {
    if (v.kind == V_RANGE && end && strcmp(end, "_int") == 0 &&
        a.kind == V_NUMBER && b.kind == V_NUMBER) {
      int64_t lo = (int32_t)(uint32_t)a.a, hi = (int32_t)(uint32_t)b.a;
      v = lo == hi ? number((uint32_t)lo) : (val){V_RANGE, 0, (uint64_t)lo, hi};
      if (lo > hi) {
        c->j->pruned++;
        hd_joint_over(c);
        return;
      }
    }
  } else if (n) {
    refuse(c, "with arguments that are not known of");
  }
  choose(c, v);
}

/* --- functions without effect --- */

/* A text that is shown as it is, up to what is its end for certain. */
static bool shows(local *c, uint32_t i, const val *at) {
  mach *m = &c->p.m;
  uint64_t whole = hd_joint_size(c->j, m, at->base), end = at->a;
  val v = anything();
  if (i || at->kind != V_ADDRESS || !hd_note_shows(c->name))
    return false;
  for (; end < whole && (v.kind != V_NUMBER || v.a); end++)
    v = hd_joint_read(c->j, m, at->base, end, 1);
  return v.kind == V_NUMBER && !v.a && hd_joint_use(c, at, end - at->a, false);
}

/* Numbers, and text. */
static void harmless(local *c) {
  const hd_code *code = c->j->code;
  for (uint32_t i = 0; i + 1 < c->e->n_operands; i++) {
    val v = arg(c, i);
    hd_type type = code->exprs.data[hd_code_operand(code, c->e, 1 + i)].type;
    bool print = c->call.action == HD_NOTE_PRINT;
    bool narrow =
        type.kind == HD_TYPE_FLOAT ||
        (type.kind == HD_TYPE_INT && type.width < code->pointer_width);
    if (v.kind == V_NUMBER || v.kind == V_RANGE || (v.kind == V_ANY && narrow))
      continue;
    if (print && v.kind == V_ANY && i == hd_note_stream_arg(c->name))
      continue; /* no memory of the program's: it cannot make one */
    if (shows(c, i, &v))
      continue;
    if (v.kind == V_ANY || v.base >= code->globals.size ||
        !code->globals.data[v.base].constant ||
        code->globals.data[v.base].external ||
        hd_note_writes_count(&code->globals.data[v.base]))
      refuse(c, "with memory that may change, or is not known");
  }
  done(c, unknown_result(c));
}

/* --- memory --- */

static uint32_t chunk(uint64_t offset, uint64_t left) {
  uint32_t n = 8;
  while (n > left || offset % n)
    n /= 2;
  return n;
}

void hd_joint_move(local *c, const val *to, const val *from, uint64_t size) {
  hd_vec(cell) parts = {0};
  for (uint64_t at = 0; at < size;) {
    const mach *m = &c->p.m;
    uint32_t n = chunk(from->a + at, size - at);
    for (hd_vec_each(const cell, x, &m->cells))
      if (x->base == from->base && x->offset == from->a + at &&
          x->size <= size - at)
        n = x->size;
      else if (x->base == from->base && x->offset > from->a + at &&
               x->offset < from->a + at + n)
        n = 1;
    val v = hd_joint_read(c->j, &c->p.m, from->base, from->a + at, n);
    hd_vec_push(&parts, ((cell){to->base, to->a + at, n, v}));
    at += n;
  }
  hd_joint_erase(&c->p.m, to->base, to->a, to->a + size);
  for (hd_vec_each(const cell, x, &parts))
    hd_joint_write(&c->p.m, x->base, x->offset, x->size, &x->v);
  hd_vec_free(&parts);
}

void hd_joint_fill(mach *m, const val *to, const val *byte, uint64_t size) {
  hd_joint_erase(m, to->base, to->a, to->a + size);
  for (uint64_t at = 0; at < size;) {
    uint32_t n = chunk(to->a + at, size - at);
    val v = anything();
    if (byte->kind == V_NUMBER)
      v = number((byte->a & 255) * 0x0101010101010101u & hd_word_mask(8 * n));
    hd_joint_write(m, to->base, to->a + at, n, &v);
    at += n;
  }
}

static void block(local *c) {
  val to = arg(c, 0), other = arg(c, 1), n = arg(c, 2);
  bool copies = c->call.action == HD_NOTE_COPY;
  if (n.kind != V_NUMBER || n.a > LARGEST) {
    refuse(c, "of a size that is not known");
  } else if (n.a && (!copies || hd_joint_use(c, &other, n.a, false)) &&
             hd_joint_use(c, &to, n.a, true)) {
    if (copies)
      hd_joint_move(c, &to, &other, n.a);
    else
      hd_joint_fill(&c->p.m, &to, &other, n.a);
  }
  done(c, to);
}

/* A byte of a text; false: it is not known. */
static bool byte_at(local *c, const val *at, uint64_t i, uint64_t *byte) {
  if (at->kind != V_ADDRESS)
    return false;
  val to = address(at->base, at->a + i);
  if (!hd_joint_use(c, &to, 1, false))
    return false;
  val v = hd_joint_read(c->j, &c->p.m, to.base, to.a, 1);
  *byte = v.a;
  return v.kind == V_NUMBER;
}

static void length(local *c) {
  val at = arg(c, 0);
  uint64_t n = 0, byte = 1;
  while (!c->j->failed && byte) {
    if (n == LARGEST || !byte_at(c, &at, n, &byte))
      refuse(c, "of a text that is not known");
    n += byte != 0;
  }
  done(c, number(n));
}

/* Up to a number of bytes, or the end of a text. Only the sign is said. */
static void compare(local *c) {
  val a = arg(c, 0), b = arg(c, 1), n = arg(c, 2);
  bool bytes = strcmp(c->name, "memcmp") == 0;
  bool sized = bytes || strcmp(c->name, "strncmp") == 0;
  uint64_t most = sized ? n.a : LARGEST;
  uint64_t x = 0, y = 0;
  bool more = most;
  if (sized && n.kind != V_NUMBER)
    refuse(c, "of a size that is not known");
  if (bytes && more && hd_joint_use(c, &a, most, false))
    hd_joint_use(c, &b, most, false); /* also behind the first that differ */
  for (uint64_t i = 0; more && !c->j->failed; i++) {
    if (i == LARGEST || !byte_at(c, &a, i, &x) || !byte_at(c, &b, i, &y))
      refuse(c, "of a text that is not known");
    more = x == y && (bytes || x) && i + 1 < most;
  }
  done(c, x == y  ? number(0)
          : x < y ? (val){V_RANGE, 0, (uint64_t)INT32_MIN, -1}
                  : (val){V_RANGE, 0, 1, INT32_MAX});
}

/* strncpy fills what is left with zeros. */
static void copy_text(local *c) {
  val to = arg(c, 0), from = arg(c, 1), n = arg(c, 2);
  bool bounded = strcmp(c->name, "strncpy") == 0;
  uint64_t size = 0, byte = 1, most = bounded ? n.a : LARGEST;
  if (bounded && (n.kind != V_NUMBER || n.a > LARGEST))
    refuse(c, "of a size that is not known");
  while (!c->j->failed && byte && size < most) {
    if (!byte_at(c, &from, size, &byte))
      refuse(c, "of a text that is not known");
    size++;
  }
  uint64_t whole = bounded ? most : size;
  if (to.kind == V_ADDRESS && from.base == to.base)
    refuse(c, "of a text that may overlap");
  if (!c->j->failed && whole && hd_joint_use(c, &to, whole, true)) {
    val zero = number(0);
    hd_joint_fill(&c->p.m, &to, &zero, whole);
    if (size)
      hd_joint_move(c, &to, &from, size);
  }
  done(c, to);
}

static void make(local *c) {
  bool zero = c->call.action == HD_NOTE_MAKE_ZERO;
  val n = arg(c, 0), k = zero ? arg(c, 1) : number(1);
  if (n.kind != V_NUMBER || k.kind != V_NUMBER || !n.a || !k.a ||
      n.a > LARGEST || k.a > LARGEST || n.a * k.a > LARGEST) {
    refuse(c, "of a size that is not known");
    hd_joint_over(c);
    return;
  }
  uint32_t base =
      hd_joint_make(c->j, &c->p.m, c->j->t,
                    (made){.kind = O_HEAP, .zero = zero, .size = n.a * k.a});
  done(c, address(base, 0));
}

static void release(local *c) {
  val v = arg(c, 0);
  if (v.kind != V_NUMBER || v.a) {
    made *o = v.kind == V_ADDRESS && !v.a ? hd_joint_made(c->j, &c->p.m, v.base)
                                          : NULL;
    if (!o || o->kind != O_HEAP)
      refuse(c, "of what may not be on the heap");
    else
      hd_joint_end(c->j, &c->p, c->j->t, v.base, c->edge);
  }
  done(c, anything());
}

/* A variable of a block begins or ends: it has no value. */
static void lifetime(local *c) {
  val v = arg(c, 0);
  made *o =
      v.kind == V_ADDRESS && !v.a ? hd_joint_made(c->j, &c->p.m, v.base) : NULL;
  if (!o || o->kind != O_SLOT) {
    refuse(c, "of what is no variable");
  } else {
    made again = *o;
    hd_joint_end(c->j, &c->p, c->j->t, v.base, c->edge);
    uint32_t first = hd_joint_first_made(c->j->code);
    c->p.m.threads.data[(v.base - first) / OBJECTS]
        .made.data[(v.base - first) % OBJECTS] = again;
  }
  done(c, anything());
}

/* --- locks and attributes --- */

static bool place_for(local *c, const val *at, uint32_t size) {
  if (at->kind == V_ADDRESS && size) {
    gate *s = hd_joint_sync(&c->p.m, (spot){at->base, at->a});
    if (s) {
      refuse(c, "what is made already");
      return false;
    }
    return hd_joint_use(c, at, size, true);
  }
  refuse(c, "which one is meant is not known");
  return false;
}

static uint32_t size_of(const local *c, bool attribute) {
  hd_note_sort sort = (hd_note_sort)c->call.sort;
  uint8_t width = c->j->code->pointer_width;
  return attribute ? hd_note_attribute_size(sort, width)
                   : hd_note_size_of(sort, width);
}

/* What an attribute says; of none 0. */
static bool kind_of(local *c, const val *at, uint32_t *kind) {
  *kind = 0;
  if (at->kind == V_NUMBER && !at->a)
    return true;
  gate *s = at->kind == V_ADDRESS
                ? hd_joint_sync(&c->p.m, (spot){at->base, at->a})
                : NULL;
  if (!s || !s->attribute || s->sort != c->call.sort)
    return false;
  hd_joint_deed(c->j, &c->p, s->base, s->offset, s->offset + s->size, false,
                false, c->edge);
  *kind = s->kind;
  return true;
}

static void lock_init(local *c) {
  hd_note_sort sort = (hd_note_sort)c->call.sort;
  val at = arg(c, 0), second = arg(c, 1), third = arg(c, 2);
  gate s = {.base = at.base,
            .offset = at.a,
            .sort = (uint8_t)sort,
            .size = size_of(c, false)};
  bool ok = true;
  if (sort == HD_NOTE_MTX) {
    ok = second.kind == V_NUMBER && second.a < 4;
    s.kind = (uint32_t)second.a & 1; /* recursive */
  } else if (sort == HD_NOTE_SEM) {
    ok = third.kind == V_NUMBER && third.a < INT32_MAX;
    s.count = (uint32_t)third.a;
  } else if (hd_note_attribute_size(sort, c->j->code->pointer_width)) {
    ok = kind_of(c, &second, &s.kind) && s.kind < 3 &&
         (sort == HD_NOTE_MUTEX || !s.kind);
  }
  if (sort == HD_NOTE_BARRIER) {
    ok = ok && third.kind == V_NUMBER && third.a && third.a < THREADS;
    s.limit = (uint32_t)third.a;
  }
  if (!ok)
    refuse(c, "with an attribute or a value that is not known");
  else if (place_for(c, &at, s.size))
    hd_joint_sync_add(&c->p.m, s);
  done(c, number(0));
}

static void lock_destroy(local *c) {
  val at = arg(c, 0);
  gate *s =
      hd_joint_lock_at(c->j, &c->p.m, &at, (hd_note_sort)c->call.sort, c->edge);
  if (s) {
    bool used = s->owner || s->readers || (s->sort != HD_NOTE_SEM && s->count);
    for (hd_vec_each(const thread, th, &c->p.m.threads))
      used = used ||
             (th->status >= T_WAITING && th->status <= T_BARRIER &&
              ((th->cond.base == s->base && th->cond.offset == s->offset) ||
               (th->mutex.base == s->base && th->mutex.offset == s->offset)));
    if (used)
      refuse(c, "a lock that is in use");
    uint64_t lo = s->offset, hi = s->offset + s->size;
    val zero = anything(), to = address(s->base, lo);
    hd_joint_deed(c->j, &c->p, at.base, lo, hi, true, false, c->edge);
    hd_joint_sync_remove(&c->p.m, (spot){at.base, lo});
    hd_joint_fill(&c->p.m, &to, &zero, hi - lo);
  }
  done(c, number(0));
}

static void attribute(local *c) {
  val at = arg(c, 0), v = arg(c, 1);
  uint32_t size = size_of(c, true);
  if (c->call.action == HD_NOTE_ATTRIBUTE_INIT) {
    if (place_for(c, &at, size))
      hd_joint_sync_add(&c->p.m, (gate){.base = at.base,
                                        .offset = at.a,
                                        .sort = c->call.sort,
                                        .attribute = true,
                                        .size = size});
    done(c, number(0));
    return;
  }
  gate *s = at.kind == V_ADDRESS ? hd_joint_sync(&c->p.m, (spot){at.base, at.a})
                                 : NULL;
  if (!s || !s->attribute || s->sort != c->call.sort) {
    refuse(c, "of an attribute that is not known");
    hd_joint_over(c);
    return;
  }
  hd_joint_deed(c->j, &c->p, at.base, at.a, at.a + size, true, false, c->edge);
  if (c->call.action == HD_NOTE_ATTRIBUTE_SIZE &&
      (v.kind != V_NUMBER || v.a < 16384 || v.a > 1u << 26))
    refuse(c, "a size for which there may be no thread");
  if (c->call.action == HD_NOTE_ATTRIBUTE_DESTROY) {
    val none = anything();
    hd_joint_sync_remove(&c->p.m, (spot){at.base, at.a});
    hd_joint_fill(&c->p.m, &at, &none, size);
  } else if (c->call.action != HD_NOTE_ATTRIBUTE_SIZE) {
    bool type = c->call.action == HD_NOTE_ATTRIBUTE_TYPE;
    if (v.kind != V_NUMBER || v.a > (type ? 2 : 1))
      refuse(c, "a value that is not known");
    if (c->call.action != HD_NOTE_ATTRIBUTE_SET)
      s->kind = (uint32_t)v.a;
  }
  done(c, number(0));
}

/* --- names of threads --- */

static bool is_unique(const local *c, uint32_t t) {
  if (t >= c->p.m.threads.size)
    return false;
  const thread *th = &c->p.m.threads.data[t];
  return th->status != T_FREE && th->status != T_JOINED &&
         !(th->status == T_ENDED && th->detached);
}

static void equal(local *c) {
  val a = arg(c, 0), b = arg(c, 1);
  uint32_t t = hd_joint_named(c->j, &a), u = hd_joint_named(c->j, &b);
  if (t < THREADS && t == u)
    done(c, number(1));
  else if (is_unique(c, t) && is_unique(c, u))
    done(c, number(0));
  else
    done(c, unknown_result(c));
}

void hd_joint_local(joint *j, path p, hd_edge_id edge, hd_note_call call,
                    const char *name) {
  local c = {j, p, edge, &j->code->edges.data[edge], call, name};
  hd_note_action action = (hd_note_action)call.action;
  if (c.e->n_targets > 1)
    refuse(&c, "with several results");
  if (action == HD_NOTE_FAIL) {
    fail(&c);
    hd_joint_over(&c);
  } else if (action == HD_NOTE_CHECK || action == HD_NOTE_ASSUME) {
    condition(&c);
  } else if (action == HD_NOTE_INPUT || action == HD_NOTE_TIME) {
    input(&c);
  } else if (action == HD_NOTE_PURE || action == HD_NOTE_PRINT) {
    harmless(&c);
  } else if (action == HD_NOTE_BEGIN || action == HD_NOTE_END) {
    lifetime(&c);
  } else if (action == HD_NOTE_COPY || action == HD_NOTE_SET_BYTES) {
    block(&c);
  } else if (action == HD_NOTE_LENGTH) {
    length(&c);
  } else if (action == HD_NOTE_COMPARE) {
    compare(&c);
  } else if (action == HD_NOTE_COPY_TEXT) {
    copy_text(&c);
  } else if (action == HD_NOTE_MAKE || action == HD_NOTE_MAKE_ZERO) {
    make(&c);
  } else if (action == HD_NOTE_FREE) {
    release(&c);
  } else if (action == HD_NOTE_SELF) {
    done(&c, address(thread_base(j->code, j->t), 0));
  } else if (action == HD_NOTE_EQUAL) {
    equal(&c);
  } else if (action == HD_NOTE_LOCK_INIT) {
    lock_init(&c);
  } else if (action == HD_NOTE_LOCK_DESTROY) {
    lock_destroy(&c);
  } else if (action >= HD_NOTE_ATTRIBUTE_INIT &&
             action <= HD_NOTE_ATTRIBUTE_SIZE) {
    attribute(&c);
  } else if (!hd_joint_more(&c)) {
    refuse(&c, "not followed");
    hd_joint_over(&c);
  }
}
