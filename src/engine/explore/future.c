/* SPDX-License-Identifier: MIT */
/* What threads were seen to do: see search.c for the reasoning that needs it. */
#include "engine/explore/future_impl.h"

#include "check/interp/needs.h"
#include "model/updates.h"

#include <stdlib.h>
#include <string.h>

hd_future *hd_future_new(bool spurious, bool sections, bool nameless) {
  hd_future *f = hd_calloc(1, sizeof *f);
  assert(!sections || !nameless);
  f->nameless = nameless;
  f->spurious = spurious;
  f->feet = sections ? hd_footprints_new() : NULL;
  hd_future_forget_claims(f);
  return f;
}

void hd_future_delete(hd_future *f) {
  if (!f)
    return;
  for (hd_vec_each(control, c, &f->at)) {
    hd_vec_free(&c->sights);
    hd_vec_free(&c->own);
    hd_vec_free(&c->sources);
    hd_vec_free(&c->targets);
    hd_vec_free(&c->barriers);
  }
  hd_vec_free(&f->at);
  hd_pool_free(&f->controls);
  hd_pool_free(&f->sights);
  hd_pool_free(&f->owned);
  hd_pool_free(&f->poses);
  pair_set_free(&f->members);
  pair_set_free(&f->owns);
  pair_set_free(&f->links);
  hd_vec_free(&f->births);
  answer_map_free(&f->answers);
  hd_vec_free(&f->barriers);
  part_map_free(&f->parts);
  for (hd_vec_each(part_sights, p, &f->part_lists))
    hd_vec_free(&p->sights);
  hd_vec_free(&f->part_lists);
  hd_vec_free(&f->work);
  hd_vec_free(&f->key);
  hd_vec_free(&f->addresses);
  hd_vec_free(&f->touched);
  hd_vec_free(&f->claimed);
  hd_vec_free(&f->enabled);
  hd_vec_free(&f->trial);
  hd_vec_free(&f->tried);
  hd_vec_free(&f->rounds);
  hd_footprints_delete(f->feet);
  for (hd_vec_each(section, x, &f->sections))
    hd_vec_free(&x->sights);
  hd_vec_free(&f->sections);
  hd_free(f->updates);
  hd_free(f);
}

uint64_t hd_future_version(const hd_future *f) {
  return f->version + (f->feet ? hd_footprints_version(f->feet) : 0);
}

const hd_pose *hd_future_look(const hd_future *f, hd_pose_id pose) {
  assert(pose < f->poses.items.size);
  return (const hd_pose *)(const void *)f->poses.items.data[pose].bytes;
}

bool hd_future_owns(const hd_future *f, uint32_t owned, uint64_t address) {
  assert(owned < f->owned.items.size);
  const hd_pool_item *set = &f->owned.items.data[owned];
  for (size_t i = 0; i < set->size / sizeof address; i++) {
    uint64_t mine;
    memcpy(&mine, set->bytes + i * sizeof mine, sizeof mine);
    if (mine == address)
      return true;
  }
  return false;
}

/* --- updates --- */

void hd_future_take_updates(hd_future *f, uint8_t *updates) {
  assert(!f->updates && !f->feet);
  f->updates = updates;
}

void hd_future_drop_updates(hd_future *f) {
  if (!f->updates)
    return;
  hd_free(f->updates);
  f->updates = NULL;
  f->version++;
  answer_map_free(&f->answers);
}

const section *hd_future_section(const hd_future *f, const sight *s) {
  if (!f->updates || f->broken || !(s->update & HD_UPDATE_BEGINS))
    return NULL;
  for (hd_vec_each(const section, x, &f->sections))
    if (x->lock == s->sync)
      return x;
  return NULL;
}

bool hd_future_in_update(const hd_future *f, hd_pose_id pose) {
  return f->updates && pose != HD_NO_POSE &&
         sight_at(f, hd_future_look(f, pose)->sight)->update & HD_UPDATE_INSIDE;
}

bool hd_future_take_turns(const hd_future *f, hd_pose_id a, hd_pose_id b) {
  const sight *x = sight_at(f, hd_future_look(f, a)->sight);
  const sight *y = sight_at(f, hd_future_look(f, b)->sight);
  return x->sync == y->sync && hd_future_section(f, x) &&
         hd_future_section(f, y);
}

static section *section_of(hd_future *f, uint64_t lock) {
  assert(f->updates);
  for (hd_vec_each(section, x, &f->sections))
    if (x->lock == lock)
      return x;
  hd_vec_push(&f->sections, (section){.lock = lock});
  f->version++;
  return &hd_vec_last(&f->sections);
}

/* A sight that is new: what is in sections is kept with their locks. */
static void add_inside(hd_future *f, uint32_t s) {
  const sight *x = sight_at(f, s);
  if (x->update & HD_UPDATE_BEGINS)
    (void)section_of(f, x->sync);
  const hd_pool_item *set = &f->owned.items.data[x->owned];
  for (size_t i = 0;
       x->update & HD_UPDATE_INSIDE && i < set->size / sizeof(uint64_t); i++) {
    uint64_t lock;
    memcpy(&lock, set->bytes + i * sizeof lock, sizeof lock);
    hd_vec_push(&section_of(f, lock)->sights, s);
    f->version++;
  }
}

/* --- learning --- */

static uint64_t pair(uint32_t a, uint32_t b) {
  return (uint64_t)a << 32 | b;
}

/* The future of `c` has an arrival. */
static void add_barrier(hd_future *f, uint32_t c, const sight *s) {
  assert(c < f->at.size && s->arrives);
  uint32_t i = 0;
  while (i < f->barriers.size && f->barriers.data[i].address != s->sync)
    i++;
  if (i == f->barriers.size)
    hd_vec_push(&f->barriers, ((barrier){s->sync, s->arrives}));
  if (f->barriers.data[i].limit != s->arrives)
    f->barriers.data[i].limit = 0;
  for (hd_vec_each(const uint32_t, known, &f->at.data[c].barriers))
    if (*known == i)
      return;
  hd_vec_push(&f->at.data[c].barriers, i);
}

static void add_member(hd_future *f, uint32_t c, uint32_t s) {
  bool fresh;
  pair_set_put(&f->members, pair(c, s), true, &fresh);
  if (!fresh)
    return;
  hd_vec_push(&f->at.data[c].sights, s);
  if (sight_at(f, s)->arrives)
    add_barrier(f, c, sight_at(f, s));
  hd_vec_push(&f->work, pair(c, s));
  f->version++;
}

/* Passes new members on to the controls before. */
static void settle(hd_future *f) {
  while (f->work.size) {
    uint64_t item = hd_vec_pop(&f->work);
    uint32_t c = (uint32_t)(item >> 32), s = (uint32_t)item;
    for (size_t i = 0; i < f->at.data[c].sources.size; i++)
      add_member(f, f->at.data[c].sources.data[i], s);
  }
}

/* What a thread stands before, for those that stand before sections. */
static void add_touched(hd_future *f, uint32_t c, const sight *s) {
  if (s->kind == SIGHT_STACK || s->local || s->section)
    return;
  if (s->kind == SIGHT_ALL || (!s->memory && !s->sync))
    hd_footprints_any(f->feet, c);
  if (s->memory)
    hd_footprints_touch(f->feet, c, s->address, s->size, s->writes);
  hd_footprints_touch(f->feet, c, s->from, s->from_size, false);
  hd_footprints_touch(f->feet, c, s->also, s->also_size, false);
}

static void add_sight(hd_future *f, uint32_t c, uint32_t s) {
  assert(c < f->at.size);
  bool fresh;
  pair_set_put(&f->owns, pair(c, s), true, &fresh);
  if (!fresh)
    return;
  hd_vec_push(&f->at.data[c].own, s);
  if (f->feet)
    add_touched(f, c, sight_at(f, s));
  add_member(f, c, s);
  settle(f);
}

static void add_link(hd_future *f, uint32_t from, uint32_t to) {
  assert(from < f->at.size && to < f->at.size);
  bool fresh;
  if (from == to)
    return;
  pair_set_put(&f->links, pair(from, to), true, &fresh);
  if (!fresh)
    return;
  hd_vec_push(&f->at.data[to].sources, from);
  hd_vec_push(&f->at.data[from].targets, to);
  f->version += f->barriers.size != 0;
  for (size_t i = 0; i < f->at.data[to].sights.size; i++)
    add_member(f, from, f->at.data[to].sights.data[i]);
  settle(f);
}

static void put_word(hd_future *f, uint32_t word) {
  hd_vec_reserve(&f->key, f->key.size + sizeof word);
  memcpy(f->key.data + f->key.size, &word, sizeof word);
  f->key.size += sizeof word;
}

/* Threads are told apart, or only main and the others. */
static hd_tid class_of(const hd_future *f, hd_tid thread) {
  return f->nameless && thread ? 1 : thread;
}

static uint32_t control_of(hd_future *f, const hd_machine *machine,
                           hd_tid thread) {
  hd_vec_clear(&f->key);
  if (f->nameless && thread) {
    hd_func_id func;
    uint64_t arg;
    hd_machine_start_of(machine, thread, &func, &arg);
    put_word(f, func + 1);
    put_word(f, (uint32_t)arg);
    put_word(f, (uint32_t)(arg >> 32));
  } else {
    put_word(f, thread);
  }
  for (size_t i = hd_machine_depth(machine, thread); i--;) {
    hd_frame_at frame = hd_machine_frame(machine, thread, i);
    put_word(f, frame.func);
    put_word(f, frame.edge);
  }
  bool fresh;
  uint32_t id = hd_pool_put(&f->controls, f->key.data, f->key.size, &fresh);
  if (fresh) {
    control c = {.thread = class_of(f, thread), .reached = UINT64_MAX};
    hd_vec_push(&f->at, c);
  }
  assert(f->at.size == f->controls.items.size);
  return id;
}

static int compare_addresses(const void *a, const void *b) {
  const uint64_t *x = a, *y = b;
  return *x < *y ? -1 : *x > *y;
}

uint32_t hd_future_put_owned(hd_future *f) {
  hd_addresses *list = &f->addresses;
  size_t n = 0;
  if (list->size)
    qsort(list->data, list->size, sizeof *list->data, compare_addresses);
  for (size_t i = 0; i < list->size; i++)
    if (!n || list->data[n - 1] != list->data[i])
      list->data[n++] = list->data[i];
  assert(n <= list->size);
  return hd_pool_put(&f->owned, n ? (const void *)list->data : "",
                     n * sizeof *list->data, NULL);
}

/* --- stacks --- */

/* The entries of the thread are there. */
static hd_tid stack_entry(hd_future *f, hd_tid thread) {
  hd_tid entry = class_of(f, thread);
  while (f->touched.size <= entry) {
    hd_vec_push(&f->touched, 0);
    hd_vec_push(&f->claimed, UINT64_MAX);
  }
  assert(f->touched.size == f->claimed.size);
  return entry;
}

/* The address without the thread that made what is there. */
static uint64_t relative(const hd_future *f, const hd_machine *machine,
                         uint64_t address) {
  if (f->nameless)
    hd_machine_owner(machine, address, &address);
  return address;
}

bool hd_future_claim(hd_future *f, const hd_machine *machine, hd_tid thread,
                     uint64_t from) {
  assert(thread < hd_machine_threads(machine));
  hd_tid entry = stack_entry(f, thread);
  from = relative(f, machine, from);
  if (f->touched.data[entry] > from)
    return false;
  if (from < f->claimed.data[entry])
    f->claimed.data[entry] = from;
  return true;
}

bool hd_future_belied(const hd_future *f) {
  return f->belied;
}

void hd_future_forget_claims(hd_future *f) {
  for (size_t t = 0; t < f->claimed.size; t++)
    f->claimed.data[t] = UINT64_MAX;
  f->belied = false;
}

/* The thread in whose stack `thread` touches the bytes. */
static hd_tid stack_of(hd_future *f, const hd_machine *machine, hd_tid thread,
                       uint64_t address, uint64_t size) {
  hd_tid owner = size ? hd_machine_stack_of(machine, address) : HD_NO_ID;
  if (owner == HD_NO_ID)
    return owner;
  if (owner == thread)
    return f->nameless && thread ? OWN : owner;
  hd_tid entry = stack_entry(f, owner);
  uint64_t end = relative(f, machine, address) + size;
  if (end > f->touched.data[entry])
    f->touched.data[entry] = end;
  f->belied = f->belied || f->touched.data[entry] > f->claimed.data[entry];
  return f->nameless && owner ? OTHER : owner;
}

/* Blocks of the heap have no numbers (hd_machine_class). */
static uint8_t owner_of(const hd_future *f, const hd_machine *machine,
                        hd_tid thread, uint64_t *address) {
  *address = hd_machine_class(machine, *address);
  if (!f->nameless)
    return NOBODYS;
  hd_tid owner = hd_machine_owner(machine, *address, address);
  if (owner == HD_NO_ID || !owner)
    return NOBODYS;
  return owner == thread ? OWN : OTHER;
}

/* What is owned, but for locks that lie in what threads have made when those, or
 * the blocks, have no names: which one it is could not be told. */
static uint32_t owned_of(hd_future *f, const hd_machine *machine,
                         hd_tid thread) {
  hd_vec_clear(&f->addresses);
  hd_machine_owned(machine, thread, &f->addresses);
  size_t kept = 0;
  for (size_t i = 0; i < f->addresses.size; i++) {
    uint64_t address = f->addresses.data[i], named = address;
    if (owner_of(f, machine, thread, &address) == NOBODYS && address == named)
      f->addresses.data[kept++] = address;
  }
  f->addresses.size = kept;
  return hd_future_put_owned(f);
}

static uint32_t sight_of(hd_future *f, const hd_machine *machine, hd_tid thread,
                         const hd_access *a) {
  assert(hd_machine_alive(machine, thread));
  sight s;
  memset(&s, 0, sizeof s);
  s.kind = SIGHT_ACTION;
  s.thread = class_of(f, thread);
  s.owned = owned_of(f, machine, thread);
  s.memory = a->memory;
  s.writes = a->writes;
  s.atomic = a->atomic;
  s.local = a->local;
  s.acquires = a->acquires;
  s.section = f->feet && hd_machine_at_section(machine, thread);
  s.sync = a->sync;
  s.address = a->memory ? a->address : 0;
  s.size = a->memory ? a->size : 0;
  s.from = a->from_size ? a->from : 0;
  s.from_size = a->from_size;
  s.also = a->also_size ? a->also : 0;
  s.also_size = a->also_size;
  s.stack = stack_of(f, machine, thread, s.address, s.size);
  s.from_stack = stack_of(f, machine, thread, s.from, s.from_size);
  s.also_stack = stack_of(f, machine, thread, s.also, s.also_size);
  s.sync_stack = stack_of(f, machine, thread, a->sync, a->sync != 0);
  s.owner = owner_of(f, machine, thread, &s.address);
  s.from_owner = owner_of(f, machine, thread, &s.from);
  s.also_owner = owner_of(f, machine, thread, &s.also);
  s.sync_owner = owner_of(f, machine, thread, &s.sync);
  bool named = s.sync_owner == NOBODYS && s.sync == a->sync && !f->feet;
  s.arrives = named ? a->arrives : 0;
  if (f->updates && a->edge != HD_NO_ID)
    s.update = f->updates[a->edge];
  if (!named)
    s.update &= (uint8_t) ~(HD_UPDATE_BEGINS | HD_UPDATE_ENDS);
  bool fresh;
  uint32_t id = hd_pool_put(&f->sights, &s, sizeof s, &fresh);
  if (fresh && s.update)
    add_inside(f, id);
  return id;
}

hd_pose_id hd_future_pose(hd_future *f, const hd_machine *machine,
                          hd_tid thread) {
  if (!hd_machine_alive(machine, thread))
    return HD_NO_POSE;
  hd_access a = hd_machine_access(machine, thread);
  hd_pose pose = {.control = control_of(f, machine, thread),
                  .sight = sight_of(f, machine, thread, &a),
                  .enabled = hd_machine_enabled(machine, thread) &&
                             !hd_machine_patient(machine, thread),
                  .spurious = a.spurious,
                  .open = a.open,
                  .joins = !thread && hd_machine_joins(machine),
                  .awaited = thread && hd_machine_awaited(machine, thread),
                  .needs = hd_machine_needs(machine, thread) + 1};
  /* Also what has to wait: perhaps it had not to before another one moved. But
   * nobody wakes up without a signal when that is not wanted. */
  if (f->spurious || !a.spurious)
    add_sight(f, pose.control, pose.sight);
  return hd_pool_put(&f->poses, &pose, sizeof pose, NULL);
}

/* Locks can be unlocked by others, destroyed and overwritten. That is wrong, but
 * goes on when it is not looked for. The search sees it when it happens: a move
 * that takes the lock away conflicts with the owner's unlocking. */
static void break_ownership(hd_future *f) {
  if (f->broken)
    return;
  f->broken = true;
  f->version++;
  answer_map_free(&f->answers);
}

void hd_future_poses(hd_future *f, const hd_machine *machine,
                     const hd_tid *twins, hd_poses *poses) {
  hd_vec_clear(poses);
  for (hd_tid t = 0; t < hd_machine_threads(machine); t++) {
    bool known = f->nameless && twins && twins[t] < t;
    hd_pose_id pose =
        known ? poses->data[twins[t]] : hd_future_pose(f, machine, t);
    assert(!known || pose == hd_future_pose(f, machine, t));
    hd_vec_push(poses, pose);
    if (hd_vec_last(poses) != HD_NO_POSE)
      continue;
    hd_vec_clear(&f->addresses);
    hd_machine_owned(machine, t, &f->addresses);
    if (f->addresses.size) /* nobody will see when they are taken away */
      break_ownership(f);
  }
}

static void add_birth(hd_future *f, hd_tid child, hd_tid parent, uint32_t c) {
  assert(child != parent && c < f->at.size);
  for (hd_vec_each(birth, b, &f->births))
    if (b->child == child && b->parent == parent && b->control == c)
      return;
  birth fresh = {.child = child, .parent = parent, .control = c};
  hd_vec_push(&f->births, fresh);
  f->version++;
}

/* What a section touches; false when that is another thread's stack. */
static bool add_touches(hd_future *f, const hd_machine *machine, hd_tid thread,
                        uint32_t c, const hd_touch *touched, size_t n) {
  assert(f->feet);
  bool plain = true;
  for (size_t i = 0; i < n; i++) {
    const hd_touch *t = &touched[i];
    hd_tid owner = stack_of(f, machine, thread, t->address, t->size);
    plain = plain && (owner == HD_NO_ID || owner == thread);
    hd_footprints_touch(f->feet, c, t->address, t->size, t->written);
  }
  return plain;
}

static void add_footprint(hd_future *f, const hd_machine *machine,
                          hd_tid thread, hd_pose_id before, hd_pose_id after) {
  const hd_pose *pose = hd_future_look(f, before);
  uint32_t from = pose->control;
  assert(f->feet && from < f->at.size);
  size_t n;
  const hd_touch *touched = hd_machine_touched(machine, &n);
  if (sight_at(f, pose->sight)->section) {
    hd_footprints_section(f->feet, from);
    if (!add_touches(f, machine, thread, from, touched, n) ||
        hd_machine_blurred(machine))
      hd_future_note_all(f, before);
  }
  hd_machine_status status = hd_machine_status_of(machine);
  if (status != HD_MACHINE_RUNNING && status != HD_MACHINE_DEADLOCK)
    return;
  uint32_t to = after == HD_NO_POSE ? hd_footprint_end(thread)
                                    : hd_future_look(f, after)->control;
  if (after != HD_NO_POSE && hd_machine_in_section(machine, thread))
    hd_footprints_inside(f->feet, to);
  hd_footprints_link(f->feet, from, to, touched, n);
}

void hd_future_step(hd_future *f, const hd_machine *machine, hd_tid thread,
                    hd_pose_id before, hd_pose_id after) {
  if (f->feet && before != HD_NO_POSE)
    add_footprint(f, machine, thread, before, after);
  if (before != HD_NO_POSE && after != HD_NO_POSE)
    add_link(f, hd_future_look(f, before)->control,
             hd_future_look(f, after)->control);
}

void hd_future_pass(hd_future *f, hd_tid mover, const hd_pose_id *poses,
                    size_t n) {
  if (!f->feet)
    return;
  assert(mover < n);
  uint32_t passed = hd_future_look(f, poses[mover])->control;
  for (hd_tid t = 0; t < n; t++)
    if (t != mover)
      hd_footprints_pass(f->feet, passed,
                         poses[t] == HD_NO_POSE
                             ? hd_footprint_end(t)
                             : hd_future_look(f, poses[t])->control);
}

/* Another thread's move has changed the pose. */
static void change(hd_future *f, hd_pose_id before, hd_pose_id after) {
  if (before == HD_NO_POSE || after == HD_NO_POSE)
    return;
  uint32_t from = hd_future_look(f, before)->control;
  uint32_t to = hd_future_look(f, after)->control;
  add_link(f, from, to);
  if (f->feet && from != to)
    hd_footprints_link(f->feet, from, to, NULL, 0);
}

/* Does the thread own something before that it does not after? */
static bool loses(const hd_future *f, hd_pose_id before, hd_pose_id after) {
  if (before == HD_NO_POSE || after == HD_NO_POSE)
    return false;
  uint32_t had = sight_at(f, hd_future_look(f, before)->sight)->owned;
  uint32_t has = sight_at(f, hd_future_look(f, after)->sight)->owned;
  const hd_pool_item *set = &f->owned.items.data[had];
  for (size_t i = 0; i < set->size / sizeof(uint64_t) && had != has; i++) {
    uint64_t address;
    memcpy(&address, set->bytes + i * sizeof address, sizeof address);
    if (!hd_future_owns(f, has, address))
      return true;
  }
  return false;
}

void hd_future_follow(hd_future *f, hd_tid mover, const hd_pose_id *before,
                      size_t n_before, const hd_pose_id *after,
                      size_t n_after) {
  assert(n_before <= n_after); /* threads that end keep their number */
  assert(mover < n_before);
  for (hd_tid t = 0; t < n_before; t++) {
    if (before[t] == after[t])
      continue;
    if (t != mover)
      change(f, before[t], after[t]);
    if (t != mover && loses(f, before[t], after[t]))
      break_ownership(f);
  }
  for (size_t t = n_before; t < n_after; t++)
    if (after[t] != HD_NO_POSE)
      add_birth(f, (hd_tid)t, mover, hd_future_look(f, after[t])->control);
}

static void add_effect(hd_future *f, hd_pose_id pose, sight_kind kind,
                       uint64_t address) {
  assert(kind != SIGHT_ACTION);
  const hd_pose *p = hd_future_look(f, pose);
  sight s;
  memset(&s, 0, sizeof s);
  s.kind = (uint8_t)kind;
  s.thread = f->at.data[p->control].thread;
  s.owned = sight_at(f, p->sight)->owned;
  s.address = address;
  s.stack = s.from_stack = s.also_stack = s.sync_stack = HD_NO_ID;
  add_sight(f, p->control, hd_pool_put(&f->sights, &s, sizeof s, NULL));
}

void hd_future_note_stack(hd_future *f, const hd_machine *machine,
                          hd_pose_id pose, uint64_t from) {
  from = relative(f, machine, from);
  control *c = &f->at.data[hd_future_look(f, pose)->control];
  if (from < c->reached) {
    c->reached = from;
    f->version++;
  }
  if (f->feet)
    hd_footprints_frames(f->feet, hd_future_look(f, pose)->control);
  add_effect(f, pose, SIGHT_STACK, from);
}

void hd_future_note_all(hd_future *f, hd_pose_id pose) {
  control *c = &f->at.data[hd_future_look(f, pose)->control];
  if (!c->all)
    f->version++;
  c->all = true;
  add_effect(f, pose, SIGHT_ALL, 0);
}
