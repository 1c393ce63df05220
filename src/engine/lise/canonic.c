/* SPDX-License-Identifier: MIT */
/* Canonical states: Y symbols are numbered in the order in which they appear in
 * the variables of the processes, then in messages, snapshots and facts. Sets of
 * facts are sorted. Snapshots of records that are complete are never read again
 * and are no part of the state; of loops' completed records only who is in them
 * counts. */
#include "base/hash.h"
#include "engine/lise/loops.h"

#include <stdlib.h>

/* --- all terms of a state --- */

typedef struct {
  hd_terms *terms;
  hd_term_list *found; /* visiting; NULL: renaming */
} walk;

static void value(walk *w, hd_term *t) {
  if (!*t)
    return;
  if (w->found)
    hd_term_visit(w->terms, *t, w->found);
  else
    *t = hd_term_subst_next(w->terms, *t);
}

static void list(walk *w, hd_term_list *terms) {
  for (size_t i = 0; i < terms->size; i++)
    value(w, &terms->data[i]);
}

static bool object_has(const hd_terms *t, const hd_lise_object *o) {
  const uint64_t y = (uint64_t)1 << HD_SYM_Y;
  if (o->array && hd_term_node_of(t, o->array)->marks & y)
    return true;
  if (hd_term_node_of(t, o->size)->marks & y)
    return true;
  for (size_t i = 0; i < o->cells.size; i++)
    if (hd_term_node_of(t, o->cells.data[i].value)->marks & y)
      return true;
  return false;
}

/* `proc` belongs to the state alone when renaming. */
static void process(walk *w, hd_lise_proc *proc) {
  for (size_t i = 0; i < proc->regs.size; i++)
    value(w, &proc->regs.data[i]);
  value(w, &proc->exit_status);
  for (size_t i = 1; i < proc->objects.size; i++) {
    if (!proc->objects.data[i] || !object_has(w->terms, proc->objects.data[i]))
      continue;
    hd_lise_object *o = w->found ? proc->objects.data[i]
                                 : hd_lise_object_own(proc, (uint32_t)i);
    value(w, &o->size);
    value(w, &o->array);
    for (size_t k = 0; k < o->cells.size; k++)
      value(w, &o->cells.data[k].value);
  }
  for (size_t i = 0; i < proc->requests.size; i++)
    value(w, &proc->requests.data[i].buffer);
  value(w, &proc->op.status);
  value(w, &proc->op.handles);
  value(w, &proc->op.flag);
  value(w, &proc->op.index);
  list(w, &proc->counts);
}

static bool message_has(const hd_terms *t, const hd_lise_message *m) {
  for (size_t i = 0; i < m->cells.size; i++)
    if (hd_term_node_of(t, m->cells.data[i].value)->marks >> HD_SYM_Y & 1)
      return true;
  return false;
}

static void message(walk *w, hd_lise_message **m) {
  if (!*m || !message_has(w->terms, *m))
    return;
  if (!w->found && (*m)->refs > 1) {
    hd_lise_message *new = hd_lise_message_new();
    hd_lise_message copy = **m;
    copy.refs = 1;
    copy.cells = new->cells;
    for (size_t i = 0; i < (*m)->cells.size; i++)
      hd_vec_push(&copy.cells, (*m)->cells.data[i]);
    *new = copy;
    hd_lise_message_drop(*m);
    *m = new;
  }
  for (size_t i = 0; i < (*m)->cells.size; i++)
    value(w, &(*m)->cells.data[i].value);
}

static hd_lise_proc *own_proc(walk *w, hd_lise_proc **place) {
  if (w->found)
    return *place;
  hd_lise_state one = {0};
  hd_vec_push(&one.procs, *place);
  *place = hd_lise_proc_own(&one, 0);
  hd_vec_free(&one.procs);
  return *place;
}

static hd_lise_record *own_record(walk *w, hd_lise_record **place) {
  if (!w->found && (*place)->refs > 1) {
    hd_lise_record *new = hd_lise_record_copy(*place);
    hd_lise_record_drop(*place);
    *place = new;
  }
  return *place;
}

static void whole(walk *w, hd_lise_state *s) {
  for (size_t i = 0; i < s->procs.size; i++) {
    hd_lise_proc *p = own_proc(w, &s->procs.data[i]);
    process(w, p);
    message(w, &p->op.message);
  }
  for (size_t i = 0; i < s->messages.size; i++)
    message(w, &s->messages.data[i]);
  for (size_t i = 0; i < s->collectives.size; i++) {
    hd_lise_collective *c =
        w->found ? s->collectives.data[i] : hd_lise_collective_own(s, i);
    for (size_t k = 0; k < c->parts.size; k++)
      message(w, &c->parts.data[k]);
  }
  for (size_t i = 0; i < s->queue.size; i++) {
    hd_lise_record *r = own_record(w, &s->queue.data[i]);
    for (size_t k = 0; k < r->snapshots.size; k++)
      if (r->snapshots.data[k])
        process(w, own_proc(w, &r->snapshots.data[k]));
  }
  for (size_t i = 0; i < s->procs.size; i++)
    if (s->procs.data[i]->head)
      process(w, own_proc(w, &s->procs.data[i]->head));
  for (size_t i = 0; i < s->stack.size; i++) {
    hd_lise_record *r = own_record(w, &s->stack.data[i]);
    list(w, &r->ppc);
    list(w, &r->relation);
    list(w, &r->implied);
  }
  for (size_t i = 0; i < s->queue.size; i++) {
    list(w, &s->queue.data[i]->ppc);
    list(w, &s->queue.data[i]->relation);
    list(w, &s->queue.data[i]->implied);
  }
  for (size_t i = 0; i < s->procs.size; i++) {
    list(w, &s->procs.data[i]->guard);
    list(w, &s->procs.data[i]->relation);
  }
  list(w, &s->pc);
}

/* --- renaming --- */

static int by_number(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

static void sort_list(hd_term_list *terms) {
  if (terms->size > 1)
    qsort(terms->data, terms->size, sizeof *terms->data, by_number);
}

void hd_lise_canonic(hd_terms *terms, hd_lise_state *s) {
  hd_term_list found = {0};
  walk w = {terms, &found};
  hd_term_visit_begin(terms);
  whole(&w, s);
  hd_vec(hd_term_pair) map = {0};
  uint32_t next = 0;
  bool same = true;
  for (size_t i = 0; i < found.size; i++) {
    const uint32_t *args = hd_term_args(terms, found.data[i]);
    if (args[0] != HD_SYM_Y)
      continue;
    same = same && args[1] == next;
    hd_term to = hd_term_sym(terms, HD_SYM_Y, next++,
                             hd_term_sort_of(terms, found.data[i]));
    hd_vec_push(&map, ((hd_term_pair){found.data[i], to}));
  }
  if (!same) {
    w.found = NULL;
    hd_term_subst_begin(terms, map.data, map.size);
    whole(&w, s);
    hd_term_subst_end(terms);
  }
  s->n_y = next;
  hd_vec_free(&map);
  hd_vec_free(&found);
  sort_list(&s->pc);
  for (size_t i = 0; i < s->stack.size; i++)
    if (s->stack.data[i]->refs == 1)
      sort_list(&s->stack.data[i]->ppc);
}

/* --- fingerprints --- */

static void add(uint64_t key[2], uint64_t word) {
  key[0] = hd_hash_mix(key[0], word);
  key[1] =
      hd_hash_mix(key[1] + 0x632BE59BD9B4E019u, word * 0xD6E8FEB86659FD93u);
}

/* Two sets as one. */
static void add_lists(uint64_t key[2], const hd_term_list *a,
                      const hd_term_list *b) {
  add(key, a->size + b->size);
  hd_term_list all = {0};
  for (size_t i = 0; i < a->size; i++)
    hd_vec_push(&all, a->data[i]);
  for (size_t i = 0; i < b->size; i++)
    hd_vec_push(&all, b->data[i]);
  sort_list(&all);
  for (size_t i = 0; i < all.size; i++)
    add(key, all.data[i]);
  hd_vec_free(&all);
}

static void add_list(uint64_t key[2], const hd_term_list *terms) {
  add_lists(key, terms, &(hd_term_list){0});
}

static void add_message(uint64_t key[2], const hd_lise_message *m) {
  add(key, m ? 1 : 0);
  if (!m)
    return;
  add(key, (uint64_t)m->comm << 32 | (uint32_t)m->source);
  add(key, (uint64_t)(uint32_t)m->dest << 32 | (uint32_t)m->tag);
  add(key, (uint64_t)m->type << 32 | m->request);
  add(key, (uint64_t)m->count);
  add(key, m->cells.size);
  for (size_t i = 0; i < m->cells.size; i++) {
    add(key, (uint64_t)m->cells.data[i].offset);
    add(key, (uint64_t)m->cells.data[i].bytes << 32 | m->cells.data[i].value);
  }
}

static void add_request(uint64_t key[2], const hd_lise_request *r) {
  add(key, (uint64_t)r->kept << 6 | (uint64_t)r->given_up << 5 |
               (uint64_t)r->code << 4 | (uint64_t)r->done << 3 |
               (uint64_t)r->is_send << 2 | (uint64_t)r->sync << 1 | r->hidden);
  add(key, (uint64_t)(uint32_t)r->peer << 32 | (uint32_t)r->tag);
  add(key, (uint64_t)(uint32_t)r->source << 32 | (uint32_t)r->got_tag);
  add(key, (uint64_t)r->comm << 32 | r->type);
  add(key, (uint64_t)r->count);
  add(key, (uint64_t)r->received);
  add(key, (uint64_t)r->buffer << 32 | r->order);
}

static void add_op(uint64_t key[2], const hd_lise_op *op) {
  add(key, op->kind);
  if (!op->kind)
    return;
  add(key, (uint64_t)op->fn << 32 | op->edge);
  add_message(key, op->message);
  add(key, op->requests.size);
  for (size_t i = 0; i < op->requests.size; i++)
    add(key, op->requests.data[i]);
  add(key, (uint64_t)op->status << 32 | op->handles);
  add(key, (uint64_t)op->flag << 32 | op->index);
  add(key, (uint64_t)(uint32_t)op->source << 32 | (uint32_t)op->tag);
  add(key, op->comm);
}

static void add_objects(uint64_t key[2], const hd_lise_proc *p) {
  for (size_t i = 1; i < p->objects.size; i++) {
    const hd_lise_object *o = p->objects.data[i];
    if (!o)
      continue;
    add(key, i);
    add(key, (uint64_t)o->kind << 4 | (uint64_t)o->freed << 1 | o->zero);
    add(key, (uint64_t)o->origin << 32 | o->size);
    add(key, (uint64_t)o->array << 32 | o->stride);
    add(key, o->cells.size);
    for (size_t k = 0; k < o->cells.size; k++) {
      add(key, (uint64_t)o->cells.data[k].offset);
      add(key, (uint64_t)o->cells.data[k].bytes << 32 | o->cells.data[k].value);
    }
  }
}

static void add_process(uint64_t key[2], const hd_lise_proc *p) {
  add(key, (uint64_t)p->ended << 20 | (uint64_t)p->in_guard << 16 | p->mpi);
  add(key, (uint64_t)p->loop << 32 | p->n_inputs);
  for (size_t i = 0; i < p->frames.size; i++) {
    add(key, (uint64_t)p->frames.data[i].func << 32 | p->frames.data[i].loc);
    add(key,
        (uint64_t)p->frames.data[i].call << 32 | p->frames.data[i].allocas);
  }
  for (size_t i = 0; i < p->regs.size; i++)
    add(key, p->regs.data[i]);
  add(key, p->exit_status);
  add_objects(key, p);
  for (size_t i = 0; i < p->stack.size; i++)
    add(key, p->stack.data[i]);
  add(key, p->requests.size);
  for (size_t i = 0; i < p->requests.size; i++)
    add_request(key, &p->requests.data[i]);
  for (size_t i = 0; i < p->rounds.size; i++)
    add(key, p->rounds.data[i]);
  for (size_t i = 0; i < p->comm_handles.size; i++)
    add(key, p->comm_handles.data[i]);
  for (size_t i = 0; i < p->counts.size; i++)
    add(key, p->counts.data[i]);
  add_op(key, &p->op);
  if (p->head)
    add_process(key, p->head);
  add_list(key, &p->guard);
  add_list(key, &p->relation);
}

static void add_record(uint64_t key[2], const hd_lise_record *r, bool open) {
  add(key, (uint64_t)r->id << 32 | (uint64_t)r->is_loop << 1 | r->is_true);
  for (size_t q = 0; q < r->snapshots.size; q++) {
    add(key, r->snapshots.data[q] != NULL);
    add(key, r->places.data[q]);
    if (open && r->snapshots.data[q])
      add_process(key, r->snapshots.data[q]);
    uint64_t sum = 0; /* a set: in any order */
    for (size_t i = 0; i < r->writes.data[q].size; i++) {
      hd_lise_place x = r->writes.data[q].data[i];
      uint64_t h =
          hd_hash_mix((uint64_t)x.object << 32 | x.frame, (uint64_t)x.at);
      sum += hd_hash_mix(h, 77) * 0x9E3779B97F4A7C15u;
    }
    add(key, sum);
  }
  add_lists(key, &r->ppc, &r->implied); /* where it was learnt is no matter */
  add_list(key, &r->relation);
}

void hd_lise_fingerprint(const hd_lise_state *s, uint64_t key[2]) {
  key[0] = 0x1234567;
  key[1] = 0x89ABCDE;
  for (size_t i = 0; i < s->procs.size; i++)
    add_process(key, s->procs.data[i]);
  add(key, s->messages.size);
  for (size_t i = 0; i < s->messages.size; i++)
    add_message(key, s->messages.data[i]);
  add(key, s->comms.size);
  for (size_t i = 0; i < s->comms.size; i++)
    for (size_t k = 0; k < s->comms.data[i]->members.size; k++)
      add(key, (uint64_t)i << 32 | s->comms.data[i]->members.data[k]);
  add(key, s->collectives.size);
  for (size_t i = 0; i < s->collectives.size; i++) {
    const hd_lise_collective *c = s->collectives.data[i];
    add(key, (uint64_t)c->comm << 32 | c->fn);
    add(key, (uint64_t)(uint32_t)c->root << 32 | c->op);
    add(key, (uint64_t)c->type << 32 | c->made);
    add(key, (uint64_t)c->count << 1 | c->in_place);
    for (size_t k = 0; k < c->parts.size; k++) {
      add(key, c->left.data[k]);
      add_message(key, c->left.data[k] ? c->parts.data[k] : NULL);
    }
  }
  add_list(key, &s->pc);
  add(key, (uint64_t)s->queue.size << 32 | s->stack.size);
  for (size_t i = 0; i < s->queue.size; i++)
    add_record(key, s->queue.data[i], true);
  for (size_t i = 0; i < s->stack.size; i++)
    add_record(key, s->stack.data[i], false);
  add(key, s->aborted);
}
