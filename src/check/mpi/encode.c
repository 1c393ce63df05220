/* SPDX-License-Identifier: MIT */
/* The state as bytes. Left out is what does not matter for what happens next:
 * numbers of messages, order of messages between different pairs, violations.
 * Every list is preceded by its length, so that different states cannot give
 * the same bytes. */
#include "check/mpi/parts.h"

static void put(hd_bytes *out, uint64_t word) {
  for (int i = 0; i < 8; i++)
    hd_vec_push(out, (uint8_t)(word >> 8 * i));
}

static void put_bytes(hd_bytes *out, const void *data, size_t size) {
  put(out, size);
  const uint8_t *bytes = data;
  for (size_t i = 0; i < size; i++)
    hd_vec_push(out, bytes[i]);
}

static void put_data(hd_bytes *out, const hd_mpi_data *data) {
  put(out, data->signature.size);
  for (hd_vec_each(hd_mpi_part, part, &data->signature)) {
    put(out, part->basic);
    put(out, part->count);
  }
  put_bytes(out, data->bytes.data, data->bytes.size);
  put_bytes(out, data->shadow.data, data->shadow.size);
}

static void put_queue(hd_bytes *out, const hd_mpi *mpi) {
  put(out, mpi->queue.size);
  for (uint32_t from = 0; from < mpi->n; from++)
    for (uint32_t to = 0; to < mpi->n; to++)
      for (hd_vec_each(hd_mpi_message, m, &mpi->queue)) {
        if (m->from != from || m->to != to)
          continue;
        put(out, (uint64_t)from << 32 | to);
        put(out, (uint64_t)m->comm << 32 | (uint32_t)m->tag);
        put(out, (uint64_t)m->request << 32 | m->edge);
        put(out, (uint64_t)m->held << 1 | m->buffered);
        put(out, m->known);
        put(out, mpi->processes[from].number == m->number &&
                     mpi->processes[from].at_call);
        put_data(out, m->data);
      }
}

static void put_post(hd_bytes *out, const hd_mpi_post *post) {
  put(out, post->address);
  put(out, post->count);
  put(out, (uint64_t)post->type << 32 | post->comm);
  put(out, (uint64_t)(uint32_t)post->source << 32 | (uint32_t)post->tag);
}

static void put_request(hd_bytes *out, const hd_mpi *mpi,
                        const hd_mpi_request *request) {
  put(out, (uint64_t)request->kind << 4 | (uint64_t)request->done << 3 |
               (uint64_t)request->persistent << 2 |
               (uint64_t)request->active << 1 | request->cancelled);
  if (request->kind == HD_REQUEST_FREE)
    return;
  if (request->persistent || request->kind == HD_REQUEST_COLLECTIVE) {
    put(out, request->begun.fn);
    for (uint32_t i = 0; i < request->begun.n; i++)
      put(out, request->begun.args[i]);
  }
  put(out, request->edge);
  put_post(out, &request->post);
  put(out, (uint64_t)(uint32_t)request->source << 32 | (uint32_t)request->tag);
  put(out, request->received);
  if (request->kind == HD_REQUEST_COLLECTIVE)
    put(out, request->meeting - mpi->comms.data[request->post.comm].gone);
}

/* The receives in the order in which they were posted. */
static void put_order(hd_bytes *out, const hd_mpi_process *process) {
  for (size_t i = 0; i < process->requests.size; i++) {
    const hd_mpi_request *r = &process->requests.data[i];
    uint64_t before = 0;
    for (hd_vec_each(hd_mpi_request, other, &process->requests))
      before += other->kind == HD_REQUEST_RECV && !other->done &&
                (!other->persistent || other->active) &&
                other->order < r->order;
    put(out, r->kind == HD_REQUEST_RECV && !r->done ? before : 0);
  }
}

static void put_types(hd_bytes *out, const hd_mpi_process *process) {
  put(out, process->types.size);
  for (hd_vec_each(hd_mpi_type, type, &process->types)) {
    put(out, (uint64_t)type->committed << 1 | type->freed);
    put(out, (uint64_t)type->extent);
    put(out, type->blocks.size);
    for (hd_vec_each(hd_mpi_block, block, &type->blocks)) {
      put(out, block->basic);
      put(out, (uint64_t)block->offset);
      put(out, block->count);
    }
  }
}

static void put_groups(hd_bytes *out, const hd_mpi_process *process) {
  put(out, process->groups.size);
  for (hd_vec_each(hd_mpi_group, group, &process->groups)) {
    put(out, (uint64_t)group->members.size << 1 | group->freed);
    for (hd_vec_each(uint32_t, p, &group->members))
      put(out, *p);
  }
}

static void put_process(hd_bytes *out, const hd_mpi *mpi,
                        const hd_mpi_process *process) {
  size_t start = out->size;
  put(out, 0);
  hd_machine_encode(process->machine, out);
  uint64_t length = out->size - start;
  for (int i = 0; i < 8; i++)
    out->data[start + (size_t)i] = (uint8_t)(length >> 8 * i);
  put(out, (uint64_t)process->initialized | (uint64_t)process->finalized << 1 |
               (uint64_t)process->ended << 2 | (uint64_t)process->at_call << 3 |
               (uint64_t)process->sent << 4 | (uint64_t)process->received << 5 |
               (uint64_t)process->posted << 6 | (uint64_t)process->before << 7);
  if (process->posted || process->received)
    put_request(out, mpi, &process->receive);
  put(out, process->requests.size);
  put(out, process->renewed);
  for (hd_vec_each(hd_mpi_request, request, &process->requests))
    put_request(out, mpi, request);
  put_order(out, process);
  put(out, process->comms.size);
  for (hd_vec_each(hd_mpi_handle, comm, &process->comms))
    put(out, comm->what);
  put(out, process->ops.size);
  for (hd_vec_each(hd_mpi_handle, op, &process->ops))
    put(out, op->what == HD_NO_ID ? 0 : op->function << 1 | op->commutes);
  put(out, process->files.size);
  for (hd_vec_each(hd_mpi_handle, file, &process->files))
    put(out, (uint64_t)file->what << 32 | (uint32_t)file->function);
  put(out, process->infos.size);
  for (hd_vec_each(hd_mpi_handle, info, &process->infos))
    put(out, info->what);
  put_groups(out, process);
  put(out, process->known);
  put(out, process->seen);
  put(out, process->windows.size);
  for (hd_vec_each(hd_mpi_opened, w, &process->windows)) {
    put(out, (uint64_t)w->window << 5 | (uint64_t)w->stored << 4 |
                 (uint64_t)w->fenced << 3 | (uint64_t)w->starts << 2 |
                 (uint64_t)w->freed << 1 | w->fence);
    put(out, w->targets);
    put(out, (uint64_t)w->opens << 32 | w->between);
  }
  put(out, process->attached);
  put(out, (uint32_t)process->thread_level);
  put(out, (uint64_t)process->thread << 32 | (uint64_t)process->order << 8 |
               (uint8_t)process->asked_level);
  put(out, process->buffer);
  put(out, process->buffer_size);
  put_types(out, process);
  put_bytes(out, process->output.data, process->output.size);
}

static void put_cart(hd_bytes *out, const hd_mpi_cart *cart) {
  put(out, cart->n);
  for (uint32_t i = 0; i < cart->n; i++)
    put(out, (uint64_t)(uint32_t)cart->dims[i] << 1 |
                 (uint64_t)(cart->periodic[i] != 0));
}

static void put_meeting(hd_bytes *out, const hd_mpi_meeting *meeting) {
  put(out, (uint64_t)meeting->fn << 32 | meeting->first);
  put(out, (uint64_t)meeting->root);
  put(out, (uint64_t)meeting->beside << 1 | meeting->in_place);
  put(out, (uint64_t)meeting->op);
  for (hd_vec_each(hd_mpi_joiner, joiner, &meeting->joiners)) {
    put(out, (uint64_t)joiner->arrived | (uint64_t)joiner->left << 1);
    put(out, joiner->edge);
    put(out, (uint64_t)joiner->color);
    put(out, (uint64_t)joiner->key);
    put(out, (uint64_t)joiner->picked << 32 | joiner->result);
    const hd_u32s *lists[] = {&joiner->group, &joiner->needs, &joiner->shares,
                              &joiner->edges};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
      put(out, lists[i]->size);
      for (hd_vec_each(uint32_t, p, lists[i]))
        put(out, *p);
    }
    put_cart(out, &joiner->cart);
    put(out, joiner->known);
    put(out, joiner->exposed.base);
    put(out, joiner->exposed.size);
    put(out, (uint64_t)joiner->peers << 32 | joiner->remote);
    put(out, (uint32_t)joiner->tag);
    put(out, joiner->blocks.size);
    for (size_t i = 0; i < joiner->blocks.size; i++)
      put_data(out, joiner->blocks.data[i]);
  }
}

static void put_windows(hd_bytes *out, const hd_mpi *mpi) {
  put(out, mpi->windows.size);
  for (hd_vec_each(hd_mpi_window, w, &mpi->windows)) {
    put(out, (uint64_t)w->comm << 1 | w->shared);
    for (hd_vec_each(hd_mpi_exposed, e, &w->parts)) {
      put(out, e->base);
      put(out, e->size);
      put(out, (uint64_t)(uint32_t)e->unit << 32 | e->holder);
      put(out, e->shared);
      put(out, e->after_exclusive);
      put(out, e->after_all);
      put(out, e->nocheck);
      put(out,
          (uint64_t)e->no_put << 2 | (uint64_t)e->will_no_put << 1 | e->posted);
      put(out, e->origins);
      put(out, e->at_post);
      put(out, e->at_complete);
    }
  }
  for (uint32_t i = 0; mpi->windows.size && i < HD_MPI_ACCESSES; i++) {
    const hd_mpi_access *a = &mpi->accesses[i];
    put(out, a->used);
    if (!a->used)
      continue;
    put(out, (uint64_t)a->plain << 4 | (uint64_t)a->synced << 3 |
                 (uint64_t)a->pending << 2 | (uint64_t)a->updates << 1 |
                 a->accumulates);
    put(out, (uint64_t)a->origin << 32 | a->target);
    put(out, (uint64_t)a->window << 32 | (uint32_t)a->op);
    put(out, a->space);
    put(out, a->address);
    put(out, a->size);
  }
}

void hd_mpi_encode(const hd_mpi *mpi, hd_bytes *out) {
  put(out, mpi->status);
  for (int i = 0; i < HD_MPI_FACTS; i++)
    put(out, (uint64_t)mpi->facts[i]);
  put_windows(out, mpi);
  for (uint32_t p = 0; p < mpi->n; p++)
    put_process(out, mpi, &mpi->processes[p]);
  put_queue(out, mpi);
  put(out, mpi->comms.size);
  for (hd_vec_each(hd_mpi_comm, comm, &mpi->comms)) {
    put(out, (uint64_t)comm->members.size << 32 | comm->parent);
    put(out, (uint64_t)comm->side << 32 | (uint32_t)comm->tag);
    put_cart(out, &comm->cart);
    put(out, comm->graph.size);
    for (hd_vec_each(uint32_t, p, &comm->graph))
      put(out, *p);
    for (size_t i = 0; i < comm->members.size; i++) {
      put(out, comm->members.data[i]);
      put(out, comm->calls.data[i] - comm->gone);
    }
    put(out, comm->meetings.size);
    for (size_t i = 0; i < comm->meetings.size; i++)
      put_meeting(out, comm->meetings.data[i]);
  }
}
