/* SPDX-License-Identifier: MIT */
/* States: objects, frames, copies, and one text for what is the same. */
#include "check/joint/machine.h"

#include <string.h>

void hd_joint_refuse(joint *j, hd_edge_id edge, const char *what) {
  if (j->failed)
    return;
  j->failed = true;
  if (edge != HD_NO_ID) {
    hd_code_print_pos(j->why, j->code, j->code->edges.data[edge].pos);
    hd_str_puts(j->why, ": ");
  }
  hd_str_puts(j->why, what);
}

/* --- copies --- */

#define COPY(to, from)                                                         \
  do {                                                                         \
    size_t n_ = (from)->size;                                                  \
    memset((to), 0, sizeof *(to));                                             \
    hd_vec_resize(to, n_);                                                     \
    if (n_)                                                                    \
      memcpy((to)->data, (from)->data, n_ * sizeof *(to)->data);               \
  } while (0)

static thread copy_thread(const thread *t) {
  thread out = *t;
  COPY(&out.frames, &t->frames);
  COPY(&out.regs, &t->regs);
  COPY(&out.slots, &t->slots);
  COPY(&out.made, &t->made);
  return out;
}

mach hd_joint_copy(const mach *m) {
  mach out = *m;
  COPY(&out.threads, &m->threads);
  COPY(&out.cells, &m->cells);
  COPY(&out.syncs, &m->syncs);
  COPY(&out.handlers, &m->handlers);
  COPY(&out.traces, &m->traces);
  COPY(&out.orders, &m->orders);
  for (size_t i = 0; i < m->threads.size; i++)
    out.threads.data[i] = copy_thread(&m->threads.data[i]);
  return out;
}

static void free_thread(thread *t) {
  hd_vec_free(&t->frames);
  hd_vec_free(&t->regs);
  hd_vec_free(&t->slots);
  hd_vec_free(&t->made);
}

void hd_joint_free(mach *m) {
  for (hd_vec_each(thread, t, &m->threads))
    free_thread(t);
  hd_vec_free(&m->threads);
  hd_vec_free(&m->cells);
  hd_vec_free(&m->syncs);
  hd_vec_free(&m->handlers);
  hd_vec_free(&m->traces);
  hd_vec_free(&m->orders);
}

void hd_joint_path_free(path *p) {
  hd_joint_free(&p->m);
  hd_vec_free(&p->deeds);
}

/* --- objects --- */

uint32_t hd_joint_first_made(const hd_code *code) {
  return thread_base(code, THREADS);
}

uint32_t hd_joint_make(joint *j, mach *m, uint32_t t, made o) {
  thread *th = &m->threads.data[t];
  uint32_t i = 0;
  while (i < th->made.size && th->made.data[i].kind != O_NONE)
    i++;
  if (i == OBJECTS) {
    hd_joint_refuse(j, HD_NO_ID, "too many objects");
    i = 0;
  } else if (i == th->made.size) {
    hd_vec_push(&th->made, o);
  }
  th->made.data[i] = o;
  return hd_joint_first_made(j->code) + t * OBJECTS + i;
}

made *hd_joint_made(joint *j, mach *m, uint32_t base) {
  uint32_t first = hd_joint_first_made(j->code);
  if (base < first)
    return NULL;
  uint32_t t = (base - first) / OBJECTS, i = (base - first) % OBJECTS;
  if (t >= m->threads.size || i >= m->threads.data[t].made.size ||
      m->threads.data[t].made.data[i].kind == O_NONE)
    return NULL;
  return &m->threads.data[t].made.data[i];
}

uint32_t hd_joint_named(const joint *j, const val *v) {
  uint32_t first = thread_base(j->code, 0);
  if (v->kind != V_ADDRESS || v->base < first || v->base >= first + THREADS)
    return THREADS;
  return v->base - first;
}

static bool points(const val *v, uint32_t base) {
  return v->kind >= V_ADDRESS && v->base == base;
}

/* A register of another thread that still has the address would, from now on, have
 * no value: who is first would matter, and be no race. */
static void drop(joint *j, path *p, uint32_t t, uint32_t base,
                 hd_edge_id edge) {
  for (uint32_t u = 0; u < p->m.threads.size; u++) {
    thread *th = &p->m.threads.data[u];
    bool used = points(&th->result, base) || points(&th->late_value, base);
    for (hd_vec_each(val, v, &th->regs))
      if (points(v, base)) {
        used = true;
        *v = anything();
      }
    if (used && u != t)
      hd_joint_refuse(j, edge, "others have the address of what ends here");
    if (points(&th->result, base))
      th->result = anything();
  }
  for (size_t i = 0; i < p->m.cells.size; i++) {
    cell *c = &p->m.cells.data[i];
    if (!points(&c->v, base))
      continue;
    c->v = anything();
    hd_joint_deed(j, p, c->base, c->offset, c->offset + c->size, true, false,
                  edge);
  }
}

void hd_joint_end(joint *j, path *p, uint32_t t, uint32_t base,
                  hd_edge_id edge) {
  made *o = hd_joint_made(j, &p->m, base);
  if (!o)
    return;
  if (p->m.weak_size && p->m.weak_at.base == base &&
      !hd_joint_is_alone(&p->m, t))
    hd_joint_refuse(j, edge, "an atomic place ends beside others");
  hd_joint_deed(j, p, base, 0, o->size, true, false, edge);
  hd_joint_erase(&p->m, base, 0, o->size);
  for (size_t i = 0; i < p->m.syncs.size;) {
    gate *s = &p->m.syncs.data[i];
    if (s->base != base) {
      i++;
      continue;
    }
    if (s->owner || s->readers || (s->sort != HD_NOTE_SEM && s->count))
      hd_joint_refuse(j, edge, "a lock ends that is held");
    hd_joint_sync_remove(&p->m, (spot){s->base, s->offset});
  }
  for (hd_vec_each(const thread, th, &p->m.threads))
    if (th->status >= T_WAITING && th->status <= T_BARRIER &&
        (th->cond.base == base || th->mutex.base == base))
      hd_joint_refuse(j, edge, "somebody waits in what ends here");
  drop(j, p, t, base, edge);
  *hd_joint_made(j, &p->m, base) = (made){0};
}

/* --- frames --- */

void hd_joint_push(joint *j, mach *m, uint32_t t, hd_func_id func,
                   hd_edge_id call) {
  const hd_func *f = &j->code->funcs.data[func];
  thread *th = &m->threads.data[t];
  frame new = {func, f->entry, call, (uint32_t)th->regs.size,
               (uint32_t)th->slots.size};
  if (th->frames.size >= DEPTH)
    hd_joint_refuse(j, call, "too many calls inside each other");
  for (uint32_t i = 0; i < f->n_regs; i++)
    hd_vec_push(&th->regs, anything());
  for (uint32_t i = 0; i < f->n_slots; i++) {
    uint32_t base =
        hd_joint_make(j, m, t,
                      (made){.kind = O_SLOT,
                             .index = f->slots + i,
                             .size = j->code->slots.data[f->slots + i].size});
    hd_vec_push(&th->slots, base);
  }
  hd_vec_push(&th->frames, new);
}

enum { STACKED = 1 << 16 }; /* in one frame */

static bool is_stacked(const thread *th, const made *o) {
  return o->kind == O_ALLOCA && o->index / STACKED == th->frames.size;
}

uint32_t hd_joint_stacked(const mach *m, uint32_t t) {
  const thread *th = &m->threads.data[t];
  uint32_t n = 0;
  for (hd_vec_each(const made, o, &th->made))
    n += is_stacked(th, o);
  return (uint32_t)th->frames.size * STACKED + n;
}

void hd_joint_unstack(joint *j, path *p, uint32_t t, uint32_t keep,
                      hd_edge_id edge) {
  for (uint32_t i = 0; i < p->m.threads.data[t].made.size; i++) {
    const thread *th = &p->m.threads.data[t];
    const made *o = &th->made.data[i];
    if (is_stacked(th, o) && o->index % STACKED >= keep)
      hd_joint_end(j, p, t, hd_joint_first_made(j->code) + t * OBJECTS + i,
                   edge);
  }
}

void hd_joint_pop(joint *j, path *p, uint32_t t, hd_edge_id edge) {
  hd_joint_unstack(j, p, t, 0, edge);
  thread *th = &p->m.threads.data[t];
  frame f = *top(th);
  uint32_t n = (uint32_t)th->slots.size - f.slots;
  th->regs.size = f.regs;
  for (uint32_t i = 0; i < n; i++) {
    uint32_t base = p->m.threads.data[t].slots.data[f.slots + i];
    made *o = hd_joint_made(j, &p->m, base);
    if (o && j->told[o->index]) {
      hd_joint_end(j, p, t, base, edge);
    } else if (o) {
      hd_joint_erase(&p->m, base, 0, o->size);
      *o = (made){0};
    }
  }
  th->slots.size = f.slots;
  th->frames.size--;
}

/* --- one form --- */

static void forget_dead(joint *j, thread *th) {
  for (size_t i = 0; i < th->frames.size; i++) {
    const frame *f = &th->frames.data[i];
    uint32_t n = j->code->funcs.data[f->func].n_regs;
    const hd_cedge *call = NULL;
    if (i + 1 < th->frames.size)
      call = &j->code->edges.data[th->frames.data[i + 1].call];
    const uint64_t *live = j->live + j->live_at[call ? call->to : f->loc];
    for (uint32_t r = 0; r < n; r++) {
      bool alive = live[r / 64] >> (r % 64) & 1;
      for (uint32_t k = 0; call && k < call->n_targets; k++)
        alive = alive && hd_code_target(j->code, call, k) != r;
      if (!alive)
        th->regs.data[f->regs + r] = anything();
    }
  }
}

static bool is_mentioned(const mach *m, uint32_t base) {
  for (hd_vec_each(const thread, th, &m->threads)) {
    if (points(&th->result, base) ||
        (th->late && points(&th->late_value, base)))
      return true;
    for (hd_vec_each(const val, v, &th->regs))
      if (points(v, base))
        return true;
  }
  for (hd_vec_each(const cell, c, &m->cells))
    if (points(&c->v, base))
      return true;
  return false;
}

/* It has ended with a lock in its hands, which nobody may take for his own. */
static bool holds_a_lock(const mach *m, uint32_t t) {
  for (hd_vec_each(const gate, s, &m->syncs))
    if (s->owner == t + 1 || s->readers >> t & 1)
      return true;
  return false;
}

void hd_joint_tidy(joint *j, mach *m) {
  hd_joint_tidy_traces(m);
  for (hd_vec_each(thread, th, &m->threads))
    if (th->status != T_FREE)
      forget_dead(j, th);
  for (uint32_t t = 0; t < m->threads.size; t++) {
    thread *th = &m->threads.data[t];
    /* Nobody is main after main. */
    if (t && th->status == T_JOINED && !holds_a_lock(m, t) &&
        !is_mentioned(m, thread_base(j->code, t)))
      th->status = T_FREE;
    while (th->made.size && hd_vec_last(&th->made).kind == O_NONE)
      th->made.size--;
  }
  while (hd_vec_last(&m->threads).status == T_FREE &&
         !hd_vec_last(&m->threads).made.size) {
    free_thread(&hd_vec_last(&m->threads));
    m->threads.size--;
  }
}

static void put(hd_bytes *out, uint64_t x) {
  for (; x >= 128; x >>= 7)
    hd_vec_push(out, (uint8_t)(x | 128));
  hd_vec_push(out, (uint8_t)x);
}

static void put_val(hd_bytes *out, const val *v) {
  put(out, v->kind);
  if (v->kind >= V_ADDRESS)
    put(out, v->base);
  if (v->kind != V_ANY)
    put(out, v->a);
  if (v->kind == V_RANGE || v->kind == V_SPAN)
    put(out, (uint64_t)v->b);
}

static void put_spot(hd_bytes *out, spot s) {
  put(out, s.base);
  put(out, s.offset);
}

static void put_thread(hd_bytes *out, const thread *t) {
  put(out, t->status);
  put(out, (uint64_t)t->detached << 1 | t->timed_out);
  if (t->status >= T_WAITING && t->status <= T_BARRIER) {
    put_spot(out, t->cond);
    put_spot(out, t->mutex);
  }
  put_spot(out, t->once);
  put_val(out, &t->result);
  put(out, t->late);
  if (t->late) {
    put_spot(out, t->late_at);
    put_val(out, &t->late_value);
  }
  put(out, t->frames.size);
  for (hd_vec_each(const frame, f, &t->frames)) {
    put(out, f->func);
    put(out, f->loc);
    put(out, f->call);
    put(out, f->regs);
    put(out, f->slots);
  }
  put(out, t->regs.size);
  for (hd_vec_each(const val, v, &t->regs))
    put_val(out, v);
  put(out, t->slots.size);
  for (hd_vec_each(const uint32_t, s, &t->slots))
    put(out, *s);
  put(out, t->made.size);
  for (hd_vec_each(const made, o, &t->made)) {
    put(out, (uint64_t)o->kind << 1 | o->zero);
    put(out, o->index);
    put(out, o->size);
  }
}

void hd_joint_encode(hd_bytes *out, const mach *m) {
  put(out, m->threads.size);
  for (hd_vec_each(const thread, t, &m->threads))
    put_thread(out, t);
  put(out, m->cells.size);
  for (hd_vec_each(const cell, c, &m->cells)) {
    put(out, c->base);
    put(out, c->offset);
    put(out, c->size);
    put_val(out, &c->v);
  }
  put(out, m->syncs.size);
  for (hd_vec_each(const gate, s, &m->syncs)) {
    put_spot(out, (spot){s->base, s->offset});
    put(out, (uint64_t)s->sort << 1 | s->attribute);
    put(out, s->kind);
    put(out, s->owner);
    put(out, s->count);
    put(out, s->limit);
    put(out, s->readers);
  }
  put(out, m->section);
  put(out, m->handlers.size);
  for (hd_vec_each(const uint32_t, h, &m->handlers))
    put(out, *h);
  put(out, m->ending);
  put(out, m->ending_depth);
  put(out, m->traces.size);
  for (hd_vec_each(const trace, x, &m->traces)) {
    put(out, x->base);
    put(out, x->lo);
    put(out, x->hi);
    put(out, (uint64_t)x->write << 1 | x->atomic);
    put(out, x->known);
    put(out, x->orders);
  }
  put(out, m->orders.size);
  for (hd_vec_each(const spot, s, &m->orders))
    put_spot(out, *s);
  put_spot(out, m->weak_at);
  put(out, m->weak_size);
}
