/* SPDX-License-Identifier: MIT */
/* What functions of the library do. What is not here is not followed. */
#include "check/notes/rules.h"
#include "check/notes/state.h"

#include <string.h>

value hd_note_call_arg(const library_call *c, uint32_t i) {
  if (i + 1 >= c->e->n_operands)
    return hd_note_any();
  return hd_note_eval(c->w, &c->s, hd_code_operand(c->w->code, c->e, 1 + i));
}

void hd_note_call_end(library_call *c) {
  hd_note_state_free(&c->s);
}

void hd_note_call_refuse(library_call *c, const char *what) {
  hd_str text = {0};
  hd_str_printf(&text, "%s: %s", c->name, what);
  hd_note_refuse_at(c->w, c->edge, hd_str_text(&text));
  hd_str_free(&text);
  hd_note_call_end(c);
}

void hd_note_call_return(library_call *c, value v) {
  hd_note_go_on(c->w, c->s, c->edge, v);
}

static hd_type target_type(const library_call *c) {
  assert(c->e->act == HD_CODE_CALL);
  const hd_code *code = c->w->code;
  const hd_func *f = &code->funcs.data[top(&c->s)->func];
  return code->regs.data[f->regs + hd_code_target(code, c->e, 0)].type;
}

value hd_note_call_any(const library_call *c) {
  return c->e->n_targets ? hd_note_full(target_type(c)) : hd_note_any();
}

bool hd_note_is_null(const value *v) {
  hd_note_elem e;
  return hd_note_single(v, &e) && e.base == HD_NO_ID && !e.bits;
}

/* --- assertions and inputs --- */

static void violation(library_call *c) {
  if (!c->w->violated)
    hd_code_print_pos(&c->w->violation, c->w->code, c->e->pos);
  c->w->violated = true;
  hd_note_call_end(c);
}

static void condition(library_call *c) {
  if (c->e->n_operands < 2) {
    hd_note_call_refuse(c, "without a condition");
    return;
  }
  value v = hd_note_call_arg(c, 0);
  if (c->call.action == HD_NOTE_CHECK && hd_note_may_be(&v, false)) {
    library_call bad = *c;
    bad.s = hd_note_state_copy(c->w->code, &c->s);
    violation(&bad);
  }
  if (!hd_note_may_be(&v, true)) {
    hd_note_call_end(c);
    return;
  }
  hd_note_refine(c->w, &c->s, hd_code_operand(c->w->code, c->e, 1), true);
  hd_note_call_return(c, hd_note_any());
}

/* An input of a range has two arguments; it is cut for int alone. */
static value ranged(library_call *c, value v) {
  value lo = hd_note_call_arg(c, 0), hi = hd_note_call_arg(c, 1);
  hd_note_elem a, b;
  const char *end = strrchr(c->name, '_');
  if (v.kind != HD_NOTE_RANGE || !end || strcmp(end, "_int") != 0 ||
      target_type(c).width != 32 || !hd_note_single(&lo, &a) ||
      !hd_note_single(&hi, &b) || a.base != HD_NO_ID || b.base != HD_NO_ID)
    return v;
  return hd_note_cut(32, &v, (int32_t)(uint32_t)a.bits,
                     (int32_t)(uint32_t)b.bits);
}

/* … and no address, to which it may write. */
static bool is_number(const library_call *c, uint32_t i) {
  const hd_code *code = c->w->code;
  hd_cexpr_id e = hd_code_operand(code, c->e, 1 + i);
  return c->e->n_targets && code->exprs.data[e].type.kind == HD_TYPE_INT;
}

static void input(library_call *c) {
  uint32_t n = c->e->n_operands - 1;
  value v = hd_note_call_any(c);
  if (c->call.action == HD_NOTE_TIME) {
    value to = hd_note_call_arg(c, 0);
    if (n != 1) {
      hd_note_call_refuse(c, "with arguments that are not known of");
      return;
    }
    if (!hd_note_is_null(&to))
      hd_note_havoc(c->w, &c->s, &to, c->w->code->pointer_width / 8u, c->edge);
  } else if (n == 2 && is_number(c, 0) && is_number(c, 1)) {
    v = ranged(c, v);
  } else if (n) {
    hd_note_call_refuse(c, "with arguments that are not known of");
    return;
  }
  if (hd_note_empty(&v))
    hd_note_call_end(c);
  else
    hd_note_call_return(c, v);
}

/* --- functions without effect --- */

/* What it is given is a number, or text that nobody changes. */
static bool is_harmless(const library_call *c, uint32_t i) {
  const hd_code *code = c->w->code;
  value v = hd_note_call_arg(c, i);
  hd_cexpr_id e = hd_code_operand(code, c->e, 1 + i);
  if (v.kind == HD_NOTE_RANGE)
    return true;
  if (v.kind != HD_NOTE_SET) /* an integer, too, may be an address */
    return v.kind == HD_NOTE_ANY &&
           code->exprs.data[e].type.kind == HD_TYPE_FLOAT;
  for (int k = 0; k < v.n; k++) {
    if (v.elems[k].base == HD_NO_ID)
      continue;
    const object *o = &c->w->notes->objects.data[v.elems[k].base];
    if (o->kind != OBJ_GLOBAL || !code->globals.data[o->index].constant ||
        code->globals.data[o->index].external ||
        hd_note_writes_count(&code->globals.data[o->index]))
      return false;
  }
  return true;
}

/* No memory of the program's: it cannot make one. */
static bool is_stream(const library_call *c, uint32_t i) {
  value v = hd_note_call_arg(c, i);
  return hd_note_is_any(&v);
}

static void clock_time(library_call *c) {
  uint32_t size,
      i = hd_note_clock_arg(c->name, c->w->code->pointer_width, &size);
  value to = hd_note_call_arg(c, i);
  hd_note_havoc(c->w, &c->s, &to, size, c->edge);
  hd_note_call_return(c, hd_note_call_any(c));
}

static void sleep_for(library_call *c) {
  value until = hd_note_call_arg(c, 0), left = hd_note_call_arg(c, 1);
  uint32_t size = c->w->code->pointer_width / 4u;
  hd_note_touch(c->w, &c->s, &until, size, c->edge);
  if (!hd_note_is_null(&left))
    hd_note_havoc(c->w, &c->s, &left, size, c->edge);
  hd_note_call_return(c, hd_note_call_any(c));
}

static void harmless(library_call *c) {
  bool print = c->call.action == HD_NOTE_PRINT;
  for (uint32_t i = 0; i + 1 < c->e->n_operands; i++)
    if (!is_harmless(c, i) &&
        !(print && i == hd_note_stream_arg(c->name) && is_stream(c, i))) {
      hd_note_call_refuse(c, "with memory that may change, or is not known");
      return;
    }
  hd_note_call_return(c, hd_note_call_any(c));
}

/* --- memory --- */

static void blocks_of_memory(library_call *c) {
  value to = hd_note_call_arg(c, 0), from = hd_note_call_arg(c, 1),
        n = hd_note_call_arg(c, 2);
  hd_note_elem size;
  if (!hd_note_single(&n, &size) || size.base != HD_NO_ID) {
    hd_note_call_refuse(c, "of a size that is not known");
    return;
  }
  if (c->call.action == HD_NOTE_COPY)
    hd_note_touch(c->w, &c->s, &from, size.bits, c->edge);
  hd_note_havoc(c->w, &c->s, &to, size.bits, c->edge);
  hd_note_call_return(c, to);
}

static bool mentions(const value *v, uint32_t of) {
  bool yes = v->kind == HD_NOTE_SPAN && v->base == of;
  for (int i = 0; v->kind == HD_NOTE_SET && i < v->n; i++)
    yes = yes || v->elems[i].base == of;
  return yes;
}

/* Do others get to know where it is? */
static bool is_told(const hd_annotation *n, uint32_t of) {
  for (hd_vec_each(const cell, x, &n->cells))
    if (mentions(&x->value, of))
      return true;
  for (size_t i = 1; i < n->threads.size; i++)
    if (mentions(&n->threads.data[i].arg, of))
      return true;
  return false;
}

/* A variable of a block begins or ends: it has no value, and what pointed to it
 * points nowhere. */
static void lifetime(library_call *c) {
  value v = hd_note_call_arg(c, 0);
  hd_note_elem e;
  hd_annotation *n = c->w->notes;
  if (!hd_note_single(&v, &e) || e.base == HD_NO_ID || e.bits ||
      n->objects.data[e.base].kind != OBJ_SLOT || is_told(n, e.base)) {
    hd_note_call_refuse(c, "of a variable that others know");
    return;
  }
  hd_note_havoc(c->w, &c->s, &v, hd_note_object_size(n, e.base), c->edge);
  hd_note_object_end(n, &c->s, e.base);
  hd_note_call_return(c, hd_note_any());
}

/* --- attributes --- */

static value opaque(library_call *c, uint32_t index) {
  assert(index <= 1); /* detached, or not */
  return hd_note_address(
      hd_note_object_of(c->w->notes, (object){OBJ_OPAQUE, index, 0, 0, 0}), 0);
}

static value word_at(const value *address, uint32_t offset) {
  assert(address->kind == HD_NOTE_SET && address->n == 1);
  return hd_note_address(address->elems[0].base,
                         address->elems[0].bits + offset);
}

/* An attribute is a row of words that only the library knows. */
static void put_attribute(library_call *c, const value *at, uint32_t index) {
  uint32_t size =
      hd_note_attribute_size(c->call.sort, c->w->code->pointer_width);
  assert(size > 0 && size % 4 == 0);
  value v = opaque(c, index);
  for (uint32_t i = 0; i < size && !c->w->failed; i += 4) {
    value to = word_at(at, i);
    hd_note_store(c->w, &c->s, &to, 4, &v, false, c->edge);
  }
}

static bool get_attribute(library_call *c, const value *at, bool *detached) {
  uint32_t size =
      hd_note_attribute_size(c->call.sort, c->w->code->pointer_width);
  hd_note_elem e;
  *detached = false;
  if (!hd_note_single(at, &e) || e.base == HD_NO_ID || !size)
    return false;
  for (uint32_t i = 0; i < size && !c->w->failed; i += 4) {
    value from = word_at(at, i);
    value v = hd_note_load(c->w, &c->s, &from, 4, false, c->edge);
    if (!hd_note_single(&v, &e) || e.base == HD_NO_ID ||
        c->w->notes->objects.data[e.base].kind != OBJ_OPAQUE)
      return false;
    *detached = *detached || c->w->notes->objects.data[e.base].index;
  }
  return !c->w->failed;
}

bool hd_note_attribute_ok(library_call *c, uint32_t arg, bool *detached) {
  value at = hd_note_call_arg(c, arg);
  *detached = false;
  return hd_note_is_null(&at) || get_attribute(c, &at, detached);
}

void hd_note_call_attribute(library_call *c) {
  value at = hd_note_call_arg(c, 0), v = hd_note_call_arg(c, 1);
  hd_note_elem e;
  bool detached;
  if (c->call.action == HD_NOTE_ATTRIBUTE_INIT) {
    if (hd_note_single(&at, &e) && e.base != HD_NO_ID) {
      put_attribute(c, &at, 0);
      hd_note_call_return(c, hd_note_number(0));
    } else {
      hd_note_call_refuse(c, "which attribute is meant is not known");
    }
    return;
  }
  if (!get_attribute(c, &at, &detached)) {
    hd_note_call_refuse(c, "of an attribute that is not known");
    return;
  }
  if (c->call.action == HD_NOTE_ATTRIBUTE_SIZE &&
      (!hd_note_single(&v, &e) || e.base != HD_NO_ID || e.bits < 16384 ||
       e.bits > 1u << 26)) {
    hd_note_call_refuse(c, "a size for which there may be no thread");
    return;
  }
  if (c->call.action == HD_NOTE_ATTRIBUTE_DESTROY) {
    hd_note_havoc(
        c->w, &c->s, &at,
        hd_note_attribute_size(c->call.sort, c->w->code->pointer_width),
        c->edge);
  } else {
    bool set = c->call.action == HD_NOTE_ATTRIBUTE_DETACHED;
    put_attribute(c, &at, set ? !hd_note_is_null(&v) : detached);
  }
  hd_note_call_return(c, hd_note_call_any(c));
}

/* --- all --- */

/* Only one result is given. */
void hd_note_call_library(walk *w, state s, hd_edge_id edge, const char *name) {
  assert(edge < w->code->edges.size);
  library_call c = {
      w, s, edge, &w->code->edges.data[edge], hd_note_find(name), name};
  hd_note_action action = (hd_note_action)c.call.action;
  if (c.e->n_targets > 1) {
    hd_note_call_refuse(&c, "with several results");
    return;
  }
  if (s.ex >> ATOMIC & 1 && hd_note_waits(action)) {
    hd_note_call_refuse(&c, "waits in an atomic section, which lets others in");
    return;
  }
  switch (action) {
  case HD_NOTE_UNKNOWN:
  case HD_NOTE_LENGTH:
  case HD_NOTE_COMPARE:
  case HD_NOTE_COPY_TEXT:
  case HD_NOTE_LOCK_TIMED:
  case HD_NOTE_PASS_TIMED:
  case HD_NOTE_COUNT:
  case HD_NOTE_ONCE:
  case HD_NOTE_MAKE:
  case HD_NOTE_MAKE_ZERO:
  case HD_NOTE_MAKE_AGAIN:
  case HD_NOTE_FREE:
  case HD_NOTE_STACK:
  case HD_NOTE_UNSTACK:
  case HD_NOTE_AT_EXIT:
  case HD_NOTE_ERRNO:
  case HD_NOTE_ATTRIBUTE_GET:
    hd_note_call_refuse(&c, "not followed by annotations");
    return;
  case HD_NOTE_INPUT:
  case HD_NOTE_TIME:
    input(&c);
    return;
  case HD_NOTE_CLOCK:
    clock_time(&c);
    return;
  case HD_NOTE_SLEEP:
    sleep_for(&c);
    return;
  case HD_NOTE_PURE:
  case HD_NOTE_PRINT:
  case HD_NOTE_ABS:
    harmless(&c);
    return;
  case HD_NOTE_FAIL:
    violation(&c);
    return;
  case HD_NOTE_CHECK:
  case HD_NOTE_ASSUME:
    condition(&c);
    return;
  case HD_NOTE_STOP:
  case HD_NOTE_QUIT:
    hd_note_call_end(&c);
    return;
  case HD_NOTE_BEGIN:
  case HD_NOTE_END:
    lifetime(&c);
    return;
  case HD_NOTE_COPY:
  case HD_NOTE_SET_BYTES:
    blocks_of_memory(&c);
    return;
  case HD_NOTE_ATTRIBUTE_INIT:
  case HD_NOTE_ATTRIBUTE_DESTROY:
  case HD_NOTE_ATTRIBUTE_SET:
  case HD_NOTE_ATTRIBUTE_TYPE:
  case HD_NOTE_ATTRIBUTE_DETACHED:
  case HD_NOTE_ATTRIBUTE_SIZE:
    hd_note_call_attribute(&c);
    return;
  case HD_NOTE_CREATE:
  case HD_NOTE_JOIN:
  case HD_NOTE_LEAVE:
  case HD_NOTE_SELF:
  case HD_NOTE_EQUAL:
  case HD_NOTE_DETACH:
    hd_note_call_threads(&c);
    return;
  case HD_NOTE_ENTER:
  case HD_NOTE_EXIT:
  case HD_NOTE_LOCK_INIT:
  case HD_NOTE_LOCK_DESTROY:
  case HD_NOTE_LOCK:
  case HD_NOTE_LOCK_TRY:
  case HD_NOTE_LOCK_READ:
  case HD_NOTE_LOCK_TRY_READ:
  case HD_NOTE_UNLOCK:
  case HD_NOTE_WAIT:
  case HD_NOTE_WAIT_TIMED:
  case HD_NOTE_PASS:
  case HD_NOTE_PASS_TRY:
  case HD_NOTE_SIGNAL:
  case HD_NOTE_BROADCAST:
    hd_note_call_locks(&c);
    return;
  }
}
