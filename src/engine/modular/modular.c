/* SPDX-License-Identifier: MIT */
/* The driver: one round follows all classes until nothing changes; rounds go on
 * until no further object turns out to be shared. */
#include "engine/modular/modular.h"

#include "base/bitset.h"
#include "engine/modular/classes.h"

#include <string.h>

/* --- knowledge --- */

knowledge hd_class_known_copy(const knowledge *k) {
  assert(is_consistent(k));
  knowledge out = *k;
  out.escaped = (hd_u32s){0};
  for (hd_vec_each(const uint32_t, o, &k->escaped))
    hd_vec_push(&out.escaped, *o);
  return out;
}

void hd_class_known_free(knowledge *k) {
  hd_vec_free(&k->escaped);
}

/* --- nodes --- */

static bool same_place(const node *n, thread_id class, const stop *at,
                       uint64_t lock, const knowledge *k) {
  return n->class == class && n->edge == at->edge && n->lock == lock &&
         n->known.held == k->held && n->known.reads == k->reads &&
         n->known.twice == k->twice &&
         (at->edge == HD_NO_ID ||
          hd_frame_same_control(n->state.top, at->state.top));
}

static bool takes_lock(const modular *m, const hd_cedge *e) {
  assert(e->act == HD_CODE_CALL);
  const hd_code *code = m->a.code;
  const hd_cexpr *f = &code->exprs.data[hd_code_operand(code, e, 0)];
  if (f->op != HD_CODE_FUNC || e->n_operands < 2)
    return false;
  hd_library_fn fn = m->a.library[f->value];
  hd_library_kind kind;
  switch (hd_library_kind_of(fn)) {
  case HD_LIBRARY_MUTEX:
  case HD_LIBRARY_SPIN:
  case HD_LIBRARY_RWLOCK:
    return hd_library_place(fn, 0, &kind) == HD_PLACE_USED;
  default:
    return false;
  }
}

/* Locks are kept apart by their addresses. */
static uint64_t lock_of(modular *m, thread_id class, const stop *at) {
  if (at->edge == HD_NO_ID)
    return 0;
  const hd_code *code = m->a.code;
  const hd_cedge *e = &code->edges.data[at->edge];
  if (e->act != HD_CODE_CALL || !takes_lock(m, e))
    return 0;
  hd_mays mays = 0;
  hd_value v = hd_eval_expr(&m->a, class, &at->state,
                            hd_code_operand(code, e, 1), &mays);
  hd_object_id object;
  int64_t offset;
  if (!hd_value_is_address(&v, &object, &offset))
    return 0;
  return hd_hash_mix(object + 1, (uint64_t)offset);
}

/* Of two sets of escaped objects; what has not escaped on one side does now. */
static void meet_escaped(modular *m, thread_id class, knowledge *k, local *l,
                         const hd_u32s *other) {
  for (hd_vec_each(const uint32_t, o, other)) {
    hd_value v = hd_value_address(*o, 0, 0);
    hd_class_let_escape(m, class, k, l, &v);
  }
}

static bool known_within(const knowledge *a, const knowledge *b) {
  if ((a->created & ~b->created) || (b->gone & ~a->gone))
    return false;
  for (hd_vec_each(const uint32_t, o, &a->escaped)) {
    bool found = false;
    for (hd_vec_each(const uint32_t, x, &b->escaped))
      found = found || *x == *o;
    if (!found)
      return false;
  }
  return true;
}

/* The state (taken over) has come to a visible action, or to its end. */
static void arrive(modular *m, thread_id class, stop at,
                   const knowledge *from) {
  assert(class < m->classes.size);
  /* A thread that has not ended stands where the edge begins. */
  assert(at.edge == HD_NO_ID ||
         m->a.code->edges.data[at.edge].from == at.state.top->loc);
  const hd_code *code = m->a.code;
  uint64_t lock = lock_of(m, class, &at);
  knowledge k = hd_class_known_copy(from);
  uint64_t hash = hd_hash_mix(
      hd_hash_mix(hd_hash_mix(class, at.edge), hd_hash_mix(lock, k.held)),
      at.edge == HD_NO_ID ? 0 : hd_frame_hash_control(at.state.top));
  bool fresh;
  hd_u32s none = {0};
  hd_u32s *list = node_index_put(&m->index, hash, none, &fresh);
  node *n = NULL;
  for (hd_vec_each(const uint32_t, i, list))
    if (same_place(&m->nodes.data[*i], class, &at, lock, &k))
      n = &m->nodes.data[*i];
  if (!n) {
    hd_vec_push(list, (uint32_t)m->nodes.size);
    node new = {.class = class,
                .edge = at.edge,
                .lock = lock,
                .state = at.state,
                .result = at.result,
                .known = k,
                .pending = true};
    hd_vec_push(&m->nodes, new);
    return;
  }
  meet_escaped(m, class, &k, &at.state, &n->known.escaped);
  bool ends = at.edge == HD_NO_ID;
  if (known_within(&k, &n->known) &&
      hd_memory_within(at.state.memory, n->state.memory) &&
      (ends ? hd_value_within(&at.result, &n->result)
            : hd_frame_within(code, at.state.top, n->state.top))) {
    hd_local_free(&at.state);
    hd_class_known_free(&k);
    return;
  }
  meet_escaped(m, class, &n->known, &n->state, &k.escaped);
  assert(n->known.held == k.held && n->known.reads == k.reads);
  n->known.created |= k.created;
  n->known.gone &= k.gone;
  const hd_widening *widen = ++n->joins > 4 ? &m->a.widening : NULL;
  local both = {NULL, hd_memory_join(n->state.memory, at.state.memory, widen),
                NULL};
  both.top = ends ? hd_frame_keep(n->state.top)
                  : hd_frame_join(code, n->state.top, at.state.top, widen);
  n->result = ends ? hd_value_join(64, &n->result, &at.result) : n->result;
  hd_local_free(&n->state);
  hd_local_free(&at.state);
  hd_class_known_free(&k);
  n->state = both;
  n->pending = true;
}

/* main returns: may others still run? */
static void note_end(modular *m, thread_id class, const stop *at,
                     const knowledge *k) {
  assert(k->gone != UINT64_MAX); /* that is of a class that never started */
  if (class != 0 || at->edge != HD_NO_ID)
    return;
  for (thread_id x = 1; x < m->classes.size; x++)
    if (m->classes.data[x].started && !(k->gone >> x & 1))
      m->main_leaves = true;
}

/* Follows a thread (state taken over) from behind an action to the next ones. */
static void follow(modular *m, thread_id class, local l, const knowledge *k) {
  assert(class < m->classes.size);
  assert(l.top && l.memory);
  stops found = {0};
  touches seen = {0};
  m->a.result->segments++;
  hd_segment_run(&m->a, class, l, 1, &found, &seen);
  hd_class_note_deeds(m, class, k, &seen);
  for (hd_vec_each(stop, at, &found)) {
    note_end(m, class, at, k);
    arrive(m, class, *at, k);
  }
  /* Segments in large memories take long, however few their steps are. */
  if (!hd_run_check(m->a.run))
    hd_analysis_give_up(&m->a, HD_NO_ID, "%s", hd_run_why(m->a.run));
  hd_vec_free(&found);
  hd_vec_free(&seen);
}

void hd_class_start(modular *m, thread_id id) {
  assert(id < m->classes.size);
  m->changes++;
  const thread_class *x = &m->classes.data[id];
  assert(x->started);
  knowledge k = {.gone = x->gone};
  local l = hd_local_copy(&x->start);
  /* What it is given may be of a thread like it. */
  if (l.top->n_regs)
    hd_class_know_targets(m, id, &k, &l, &l.top->regs[0]);
  follow(m, id, l, &k);
  hd_class_known_free(&k);
}

/* --- rounds --- */

static void expand(modular *m, uint32_t i) {
  assert(i < m->nodes.size);
  assert(m->nodes.data[i].pending);
  afters behind = {0};
  thread_id class = m->nodes.data[i].class;
  m->nodes.data[i].pending = false;
  node n = m->nodes.data[i];
  n.state = hd_local_copy(&n.state);
  n.known = hd_class_known_copy(&n.known);
  hd_class_act(m, &n, &behind);
  hd_local_free(&n.state);
  hd_class_known_free(&n.known);
  for (hd_vec_each(after, x, &behind)) {
    follow(m, class, x->state, &x->known);
    hd_class_known_free(&x->known);
  }
  hd_vec_free(&behind);
}

/* Until nothing changes. What is shared has changed: everything once more. */
static void settle(modular *m) {
  for (bool again = true; again && !m->a.gave_up;) {
    again = false;
    uint32_t before = m->changes;
    for (uint32_t i = 0; i < m->nodes.size && !m->a.gave_up; i++) {
      if (!m->nodes.data[i].pending)
        continue;
      again = true;
      if (!hd_run_check(m->a.run)) {
        hd_analysis_give_up(&m->a, HD_NO_ID, "%s", hd_run_why(m->a.run));
        return;
      }
      expand(m, i);
    }
    if (m->changes != before) {
      again = true;
      for (hd_vec_each(node, n, &m->nodes))
        n->pending = true;
    }
  }
}

static void forget(modular *m) {
  for (hd_vec_each(node, n, &m->nodes)) {
    hd_local_free(&n->state);
    hd_class_known_free(&n->known);
  }
  hd_vec_clear(&m->nodes);
  for (size_t i = 0; i < m->index.size; i++)
    hd_vec_free(&m->index.items[i].val);
  node_index_free(&m->index);
  for (size_t i = 0; i < m->deed_index.size; i++)
    hd_vec_free(&m->deed_index.items[i].val);
  node_index_free(&m->deed_index);
  m->index = m->deed_index = (node_index){0};
  hd_vec_clear(&m->deeds);
  hd_vec_clear(&m->escaped);
  hd_vec_clear(&m->strangers);
  hd_memory_drop(m->shared);
  m->shared = NULL;
  m->published = m->main_leaves = false;
  m->changes = 0;
  m->again = false;
  m->blocked = NULL;
  m->open = m->unsure = 0;
  memset(m->order, 0, sizeof m->order);
  for (hd_vec_each(thread_class, x, &m->classes)) {
    if (x->started)
      hd_local_free(&x->start);
    x->started = false;
    x->joins = 0;
    x->result = hd_value_none();
    x->gone = x->after = UINT64_MAX;
  }
}

/* Is an attribute set that may be PTHREAD_MUTEX_ERRORCHECK? */
static bool may_check(const analysis *a) {
  enum { ERRORCHECK = 2 };
  const hd_code *code = a->code;
  for (hd_vec_each(const hd_cedge, e, &code->edges)) {
    if (e->act != HD_CODE_CALL)
      continue;
    const hd_cexpr *f = &code->exprs.data[hd_code_operand(code, e, 0)];
    if (f->op != HD_CODE_FUNC)
      continue;
    if (a->library[f->value] != HD_LIB_pthread_mutexattr_settype)
      continue;
    const hd_cexpr *kind = &code->exprs.data[hd_code_operand(code, e, 2)];
    if (kind->op != HD_CODE_INT || kind->value == ERRORCHECK)
      return true;
  }
  return false;
}

/* True: once more, with more objects shared. */
static bool one_round(modular *m) {
  hd_unfold_result *result = m->a.result;
  forget(m);
  hd_analysis_forget_alarms(result);
  hd_free(result->reason);
  result->reason = NULL;
  m->a.gave_up = false;
  hd_analysis_refuse_ids(&m->a);
  result->rounds++;
  m->shared = hd_memory_new();
  knowledge k = {.gone = 0};
  follow(m, 0, hd_analysis_beginning(&m->a), &k);
  settle(m);
  hd_u32s objects = {0};
  hd_class_find_shared(m, &objects);
  bool again = (objects.size > 0 || m->again) && hd_run_check(m->a.run);
  if (objects.size)
    hd_analysis_share(&m->a, &objects);
  hd_vec_free(&objects);
  if (!again && !m->a.gave_up && hd_class_find_guards(m))
    again = hd_run_check(m->a.run);
  if (!again && !m->a.gave_up) {
    hd_class_find_races(m);
    if (m->a.options->checks >> HD_PROPERTY_DEADLOCK & 1)
      hd_class_find_deadlocks(m);
  }
  return again;
}

/* Does all memory that others may know live as long as the program? Then what
 * this engine sees of accesses decides: it does not follow when memory of one
 * thread ends while another one uses it. NULL, or what may end. */
static const char *ending_memory(const modular *m) {
  const char *reason = NULL;
  for (hd_vec_each(const uint32_t, o, &m->escaped)) {
    const object_key *key = object_of(&m->a, *o);
    bool ended =
        *o / 64 < m->a.ended_words && hd_bits_test(m->a.ended_bits, *o);
    if (key->kind == OBJ_SLOT && key->thread == 0 && m->main_leaves)
      reason = "main may return before other threads end that know its "
               "variables: whether they use them after that is not followed";
    if (key->kind != OBJ_SLOT || key->thread != 0 || key->depth != 0 || ended)
      reason = "other threads know a local variable: whether they use it after "
               "its function has ended is not followed";
  }
  for (hd_object_id o = 0; o < m->a.objects.size; o++) {
    const object_key *key = object_of(&m->a, o);
    if (key->kind == OBJ_HEAP || key->kind == OBJ_ALLOCA)
      reason = "memory is allocated: whether one thread frees what another one "
               "uses is not followed";
  }
  for (size_t f = 0; f < m->a.code->funcs.size; f++)
    if (hd_library_action(m->a.library[f]) == HD_DO_QUIT)
      reason = "main may end before other threads, and its variables with it: "
               "whether they are used after that is not followed";
  return reason;
}

static void judge(const modular *m) {
  /* Who gives up says why. */
  assert(!m->a.gave_up || m->a.result->reason);
  hd_unfold_result *result = m->a.result;
  for (hd_property p = 0; p < HD_PROPERTY_COUNT; p++)
    result->verdicts[p] =
        !m->a.gave_up && HD_MODULAR_DECIDES >> p & 1 ? HD_SAFE : HD_UNKNOWN;
  result->memory_open = ending_memory(m);
  if (result->memory_open)
    result->verdicts[HD_PROPERTY_MEMORY] = HD_UNKNOWN;
  for (hd_vec_each(const hd_alarm, x, &result->alarms))
    result->verdicts[x->property] = HD_UNKNOWN;
}

void hd_modular_prove(const hd_code *code, const hd_unfold_options *options,
                      hd_run *run, hd_unfold_result *result) {
  hd_unfold_options mine = *options;
  if (!mine.unroll)
    mine.unroll = 8; /* what matters happens in every round */
  modular m = {.a = {.code = code,
                     .options = &mine,
                     .run = run,
                     .result = result,
                     .modular = true}};
  if (code->main == HD_NO_ID) {
    hd_analysis_give_up(&m.a, HD_NO_ID, "there is no main");
    judge(&m);
    return;
  }
  hd_analysis_start(&m.a);
  hd_facts_start(&m.a);
  m.strict = may_check(&m.a);
  for (size_t f = 0; f < code->funcs.size; f++)
    m.names_itself =
        m.names_itself || hd_library_action(m.a.library[f]) == HD_DO_SELF;
  thread_class main = {.edge = HD_NO_ID,
                       .func = code->main,
                       .unique = true,
                       .result = hd_value_none()};
  hd_vec_push(&m.classes, main);
  hd_vec_push(&m.locks, ((lock_key){HD_NO_ID, 0, 0})); /* ATOMIC */
  while (one_round(&m))
    continue;
  if (!m.a.gave_up && !hd_run_check(run))
    hd_analysis_give_up(&m.a, HD_NO_ID, "%s", hd_run_why(run));
  hd_facts_end(&m.a);
  judge(&m);
  result->threads = m.classes.size;
  forget(&m);
  hd_vec_free(&m.nodes);
  hd_vec_free(&m.deeds);
  hd_vec_free(&m.locks);
  hd_vec_free(&m.classes);
  hd_vec_free(&m.escaped);
  hd_vec_free(&m.strangers);
  hd_vec_free(&m.guards);
  hd_vec_free(&m.unguarded);
  hd_memory_drop(m.shared);
  hd_analysis_end(&m.a);
}
