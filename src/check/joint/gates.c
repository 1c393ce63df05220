/* SPDX-License-Identifier: MIT */
/* The table of locks, semaphores and so on, and of attributes, by their places. */
#include "check/joint/machine.h"

static size_t lower(const mach *m, spot at) {
  size_t i = 0;
  while (i < m->syncs.size && (m->syncs.data[i].base < at.base ||
                               (m->syncs.data[i].base == at.base &&
                                m->syncs.data[i].offset < at.offset)))
    i++;
  return i;
}

gate *hd_joint_sync(mach *m, spot at) {
  size_t i = lower(m, at);
  gate *s = m->syncs.data + i;
  return i < m->syncs.size && s->base == at.base && s->offset == at.offset
             ? s
             : NULL;
}

gate *hd_joint_sync_add(mach *m, gate new) {
  size_t at = lower(m, (spot){new.base, new.offset});
  hd_vec_push(&m->syncs, new);
  for (size_t i = m->syncs.size - 1; i > at; i--)
    m->syncs.data[i] = m->syncs.data[i - 1];
  m->syncs.data[at] = new;
  return &m->syncs.data[at];
}

void hd_joint_sync_remove(mach *m, spot at) {
  hd_joint_forget_order(m, at);
  size_t i = lower(m, at);
  for (; i + 1 < m->syncs.size; i++)
    m->syncs.data[i] = m->syncs.data[i + 1];
  m->syncs.size--;
}

/* Bytes of a static initialiser: zero, but for the kind of a mutex. */
static bool starts_free(joint *j, mach *m, const val *at, gate *new) {
  hd_note_sort sort = (hd_note_sort) new->sort;
  bool wide = j->code->pointer_width == 64;
  uint64_t kind = sort == HD_NOTE_MUTEX ? (wide ? 16 : 12) : UINT64_MAX;
  if (sort != HD_NOTE_MUTEX && sort != HD_NOTE_RWLOCK && sort != HD_NOTE_COND &&
      sort != HD_NOTE_ONCE_FLAG)
    return false;
  for (uint32_t i = 0; i < new->size; i++) {
    val v = hd_joint_read(j, m, at->base, at->a + i, 1);
    if (v.kind != V_NUMBER || v.a > (i == kind ? 2 : 0))
      return false;
    if (i == kind)
      new->kind = (uint32_t)v.a;
  }
  return true;
}

gate *hd_joint_lock_at(joint *j, mach *m, const val *at, hd_note_sort sort,
                       hd_edge_id edge) {
  gate *s =
      at->kind == V_ADDRESS ? hd_joint_sync(m, (spot){at->base, at->a}) : NULL;
  if (s && !s->attribute && s->sort == sort)
    return s;
  gate new = {.base = at->base,
              .offset = at->a,
              .sort = (uint8_t)sort,
              .size = hd_note_size_of(sort, j->code->pointer_width)};
  if (s || !new.size) {
    hd_joint_refuse(j, edge, "a lock of another sort");
    return NULL;
  }
  if (!hd_joint_there(j, m, at, new.size, true, edge))
    return NULL;
  if (!starts_free(j, m, at, &new)) {
    hd_joint_refuse(j, edge, "a lock that was not made");
    return NULL;
  }
  return hd_joint_sync_add(m, new);
}
