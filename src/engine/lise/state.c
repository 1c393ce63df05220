/* SPDX-License-Identifier: MIT */
/* Life and death of the parts of a state. */
#include "engine/lise/state.h"

#include <string.h>

#define copy_vec(to, from)                                                     \
  do {                                                                         \
    hd_vec_resize((to), (from)->size);                                         \
    if ((from)->size)                                                          \
      memcpy((to)->data, (from)->data, (from)->size * sizeof *(from)->data);   \
  } while (0)

/* --- objects --- */

static void object_drop(hd_lise_object *object) {
  if (!object || --object->refs)
    return;
  hd_vec_free(&object->cells);
  hd_free(object);
}

hd_lise_object *hd_lise_object_own(hd_lise_proc *proc, uint32_t index) {
  assert(proc->refs == 1 && index < proc->objects.size);
  hd_lise_object *old = proc->objects.data[index];
  assert(old);
  if (old->refs == 1)
    return old;
  hd_lise_object *new = hd_alloc(sizeof *new);
  *new = *old;
  new->refs = 1;
  new->cells.data = NULL;
  new->cells.size = new->cells.cap = 0;
  copy_vec(&new->cells, &old->cells);
  old->refs--;
  proc->objects.data[index] = new;
  return new;
}

/* --- messages --- */

hd_lise_message *hd_lise_message_new(void) {
  hd_lise_message *message = hd_calloc(1, sizeof *message);
  message->refs = 1;
  return message;
}

hd_lise_message *hd_lise_message_keep(hd_lise_message *message) {
  if (message)
    message->refs++;
  return message;
}

void hd_lise_message_drop(hd_lise_message *message) {
  if (!message || --message->refs)
    return;
  hd_vec_free(&message->cells);
  hd_free(message);
}

/* --- processes --- */

static hd_lise_op op_copy(const hd_lise_op *op) {
  hd_lise_op new = *op;
  new.requests = (hd_u32s){0};
  copy_vec(&new.requests, &op->requests);
  hd_lise_message_keep(new.message);
  return new;
}

void hd_lise_op_clear(hd_lise_op *op) {
  hd_lise_message_drop(op->message);
  hd_vec_free(&op->requests);
  *op = (hd_lise_op){0};
}

hd_lise_proc *hd_lise_proc_keep(hd_lise_proc *proc) {
  if (proc)
    proc->refs++;
  return proc;
}

void hd_lise_proc_drop(hd_lise_proc *proc) {
  if (!proc || --proc->refs)
    return;
  for (size_t i = 0; i < proc->objects.size; i++)
    object_drop(proc->objects.data[i]);
  hd_vec_free(&proc->objects);
  hd_vec_free(&proc->frames);
  hd_vec_free(&proc->regs);
  hd_vec_free(&proc->stack);
  hd_vec_free(&proc->requests);
  hd_vec_free(&proc->rounds);
  hd_vec_free(&proc->comm_handles);
  hd_vec_free(&proc->written);
  hd_vec_free(&proc->guard);
  hd_vec_free(&proc->relation);
  hd_vec_free(&proc->counts);
  hd_lise_op_clear(&proc->op);
  hd_lise_proc_drop(proc->head);
  hd_free(proc);
}

static hd_lise_proc *proc_copy(const hd_lise_proc *old) {
  hd_lise_proc *new = hd_alloc(sizeof *new);
  *new = *old;
  new->refs = 1;
  memset(&new->frames, 0, sizeof new->frames);
  memset(&new->regs, 0, sizeof new->regs);
  memset(&new->objects, 0, sizeof new->objects);
  memset(&new->stack, 0, sizeof new->stack);
  memset(&new->requests, 0, sizeof new->requests);
  memset(&new->rounds, 0, sizeof new->rounds);
  memset(&new->comm_handles, 0, sizeof new->comm_handles);
  memset(&new->written, 0, sizeof new->written);
  memset(&new->guard, 0, sizeof new->guard);
  memset(&new->relation, 0, sizeof new->relation);
  memset(&new->counts, 0, sizeof new->counts);
  copy_vec(&new->frames, &old->frames);
  copy_vec(&new->regs, &old->regs);
  copy_vec(&new->objects, &old->objects);
  copy_vec(&new->stack, &old->stack);
  copy_vec(&new->requests, &old->requests);
  copy_vec(&new->rounds, &old->rounds);
  copy_vec(&new->comm_handles, &old->comm_handles);
  copy_vec(&new->written, &old->written);
  copy_vec(&new->guard, &old->guard);
  copy_vec(&new->relation, &old->relation);
  copy_vec(&new->counts, &old->counts);
  for (size_t i = 0; i < new->objects.size; i++)
    if (new->objects.data[i])
      new->objects.data[i]->refs++;
  new->op = op_copy(&old->op);
  hd_lise_proc_keep(new->head);
  return new;
}

hd_lise_proc *hd_lise_proc_own(hd_lise_state *state, hd_proc p) {
  hd_lise_proc *old = state->procs.data[p];
  if (old->refs == 1)
    return old;
  hd_lise_proc *new = proc_copy(old);
  old->refs--;
  state->procs.data[p] = new;
  return new;
}

/* --- collectives, records --- */

static void comm_drop(hd_lise_comm *comm) {
  if (--comm->refs)
    return;
  hd_vec_free(&comm->members);
  hd_free(comm);
}

static void collective_drop(hd_lise_collective *c) {
  if (--c->refs)
    return;
  for (size_t i = 0; i < c->parts.size; i++)
    hd_lise_message_drop(c->parts.data[i]);
  hd_vec_free(&c->parts);
  hd_vec_free(&c->left);
  hd_free(c);
}

hd_lise_collective *hd_lise_collective_own(hd_lise_state *state, size_t i) {
  hd_lise_collective *old = state->collectives.data[i];
  if (old->refs == 1)
    return old;
  hd_lise_collective *new = hd_alloc(sizeof *new);
  *new = *old;
  new->refs = 1;
  memset(&new->parts, 0, sizeof new->parts);
  memset(&new->left, 0, sizeof new->left);
  copy_vec(&new->parts, &old->parts);
  copy_vec(&new->left, &old->left);
  for (size_t k = 0; k < new->parts.size; k++)
    hd_lise_message_keep(new->parts.data[k]);
  old->refs--;
  state->collectives.data[i] = new;
  return new;
}

hd_lise_record *hd_lise_record_new(size_t n_procs) {
  hd_lise_record *record = hd_calloc(1, sizeof *record);
  record->refs = 1;
  for (size_t i = 0; i < n_procs; i++) {
    hd_vec_push(&record->snapshots, NULL);
    hd_vec_push(&record->places, HD_NO_ID);
    hd_vec_push(&record->writes, ((hd_lise_places){0}));
  }
  return record;
}

hd_lise_record *hd_lise_record_copy(const hd_lise_record *old) {
  hd_lise_record *new = hd_lise_record_new(old->snapshots.size);
  new->id = old->id;
  new->program = old->program;
  new->is_loop = old->is_loop;
  new->is_true = old->is_true;
  for (size_t i = 0; i < old->snapshots.size; i++) {
    new->snapshots.data[i] = hd_lise_proc_keep(old->snapshots.data[i]);
    new->places.data[i] = old->places.data[i];
    copy_vec(&new->writes.data[i], &old->writes.data[i]);
  }
  copy_vec(&new->ppc, &old->ppc);
  copy_vec(&new->relation, &old->relation);
  copy_vec(&new->implied, &old->implied);
  return new;
}

hd_lise_record *hd_lise_record_keep(hd_lise_record *record) {
  record->refs++;
  return record;
}

void hd_lise_record_drop(hd_lise_record *record) {
  if (!record || --record->refs)
    return;
  for (size_t i = 0; i < record->snapshots.size; i++) {
    hd_lise_proc_drop(record->snapshots.data[i]);
    hd_vec_free(&record->writes.data[i]);
  }
  hd_vec_free(&record->snapshots);
  hd_vec_free(&record->places);
  hd_vec_free(&record->writes);
  hd_vec_free(&record->ppc);
  hd_vec_free(&record->relation);
  hd_vec_free(&record->implied);
  hd_free(record);
}

/* --- states --- */

hd_lise_state *hd_lise_state_copy(const hd_lise_state *old) {
  hd_lise_state *new = hd_calloc(1, sizeof *new);
  new->n_x = old->n_x;
  new->n_y = old->n_y;
  new->aborted = old->aborted;
  copy_vec(&new->procs, &old->procs);
  copy_vec(&new->messages, &old->messages);
  copy_vec(&new->comms, &old->comms);
  copy_vec(&new->collectives, &old->collectives);
  copy_vec(&new->pc, &old->pc);
  copy_vec(&new->queue, &old->queue);
  copy_vec(&new->stack, &old->stack);
  for (size_t i = 0; i < new->procs.size; i++)
    hd_lise_proc_keep(new->procs.data[i]);
  for (size_t i = 0; i < new->messages.size; i++)
    hd_lise_message_keep(new->messages.data[i]);
  for (size_t i = 0; i < new->comms.size; i++)
    new->comms.data[i]->refs++;
  for (size_t i = 0; i < new->collectives.size; i++)
    new->collectives.data[i]->refs++;
  for (size_t i = 0; i < new->queue.size; i++)
    hd_lise_record_keep(new->queue.data[i]);
  for (size_t i = 0; i < new->stack.size; i++)
    hd_lise_record_keep(new->stack.data[i]);
  return new;
}

void hd_lise_state_delete(hd_lise_state *state) {
  if (!state)
    return;
  for (size_t i = 0; i < state->procs.size; i++)
    hd_lise_proc_drop(state->procs.data[i]);
  for (size_t i = 0; i < state->messages.size; i++)
    hd_lise_message_drop(state->messages.data[i]);
  for (size_t i = 0; i < state->comms.size; i++)
    comm_drop(state->comms.data[i]);
  for (size_t i = 0; i < state->collectives.size; i++)
    collective_drop(state->collectives.data[i]);
  for (size_t i = 0; i < state->queue.size; i++)
    hd_lise_record_drop(state->queue.data[i]);
  for (size_t i = 0; i < state->stack.size; i++)
    hd_lise_record_drop(state->stack.data[i]);
  hd_vec_free(&state->procs);
  hd_vec_free(&state->messages);
  hd_vec_free(&state->comms);
  hd_vec_free(&state->collectives);
  hd_vec_free(&state->pc);
  hd_vec_free(&state->queue);
  hd_vec_free(&state->stack);
  hd_free(state);
}

/* --- variables --- */

size_t hd_lise_frame_of(const hd_lise_proc *proc, hd_func_id func) {
  for (size_t i = proc->frames.size; i-- > 0;)
    if (proc->frames.data[i].func == func)
      return i;
  return SIZE_MAX;
}

hd_term hd_lise_reg(const hd_lise_proc *proc, size_t frame, hd_reg_id reg) {
  assert(frame < proc->frames.size);
  return proc->regs.data[proc->frames.data[frame].regs + reg];
}

uint32_t hd_lise_slot(const hd_lise_proc *proc, size_t frame, uint32_t slot) {
  assert(frame < proc->frames.size);
  return proc->stack.data[proc->frames.data[frame].allocas + slot];
}
