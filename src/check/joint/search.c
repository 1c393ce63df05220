/* SPDX-License-Identifier: MIT */
/* All states, one after the other; races in each; and whether the program can end
 * from each, which is what makes it free of deadlocks. */
#include "check/joint/machine.h"

#include "base/hash.h"
#include "model/unordered.h"

#include <string.h>

#define NO_STATE HD_NO_ID

/* The moves of one thread from a state: it moves for certain, and comes to one of
 * these whatever the values are. */
typedef struct {
  uint32_t state, first, n;
} group;

typedef struct {
  mach m;
  uint32_t id;
} open_state;

typedef struct {
  joint j;
  uint64_t most;
  bool race, cycle;
  hd_edge_id race_a, race_b, cycle_at;
  hd_vec(open_state) todo;
  hd_bytes text;       /* of all states */
  hd_vec(size_t) ends; /* of each one's text */
  hd_u32s table;
  hd_vec(group) groups;
  hd_u32s moves; /* of groups; NO_STATE: the program ends */
  uint64_t made;
  size_t threads;
} search;

/* --- the set of states --- */

static const uint8_t *text_of(const search *s, uint32_t id, size_t *size) {
  size_t from = id ? s->ends.data[id - 1] : 0;
  *size = s->ends.data[id] - from;
  return s->text.data + from;
}

static void grow(search *s) {
  if (s->table.size && s->ends.size * 2 < s->table.size)
    return;
  size_t size = s->table.size ? s->table.size * 2 : 1024;
  hd_vec_resize(&s->table, size);
  for (size_t i = 0; i < size; i++)
    s->table.data[i] = HD_NO_ID;
  for (uint32_t id = 0; id < s->ends.size; id++) {
    size_t n;
    const uint8_t *text = text_of(s, id, &n);
    size_t at = hd_hash_bytes(text, n) & (size - 1);
    while (s->table.data[at] != HD_NO_ID)
      at = (at + 1) & (size - 1);
    s->table.data[at] = id;
  }
}

/* The number of the state (taken over); a new one is to be looked at. */
static uint32_t enter(search *s, mach m) {
  hd_bytes text = {0};
  hd_joint_tidy(&s->j, &m);
  hd_joint_encode(&text, &m);
  grow(s);
  size_t mask = s->table.size - 1, at = hd_hash_bytes(text.data, text.size);
  for (at &= mask; s->table.data[at] != HD_NO_ID; at = (at + 1) & mask) {
    size_t n;
    const uint8_t *known = text_of(s, s->table.data[at], &n);
    if (n == text.size && memcmp(known, text.data, n) == 0)
      break;
  }
  uint32_t id = s->table.data[at];
  if (id != HD_NO_ID) {
    hd_joint_free(&m);
  } else {
    id = s->table.data[at] = (uint32_t)s->ends.size;
    size_t from = s->text.size;
    hd_vec_resize(&s->text, from + text.size);
    memcpy(s->text.data + from, text.data, text.size);
    hd_vec_push(&s->ends, s->text.size);
    hd_vec_push(&s->todo, ((open_state){m, id}));
    if (s->ends.size > s->most)
      hd_joint_refuse(&s->j, HD_NO_ID, "there are more states than it says");
  }
  hd_vec_free(&text);
  return id;
}

/* --- races --- */

static bool touch(const deed *a, const deed *b) {
  return a->base == b->base && a->lo < b->hi && b->lo < a->hi &&
         (a->write || b->write) && !(a->atomic && b->atomic);
}

typedef struct {
  uint32_t first, n; /* into `paths` */
} ways;

static void find_race(search *s, const path *paths, ways a, ways b) {
  for (uint32_t i = a.first; i < a.first + a.n; i++)
    for (uint32_t k = b.first; k < b.first + b.n; k++) {
      s->j.steps += paths[i].deeds.size * paths[k].deeds.size / 8;
      for (hd_vec_each(const deed, x, &paths[i].deeds))
        for (hd_vec_each(const deed, y, &paths[k].deeds))
          if (touch(x, y)) {
            s->race = true;
            s->race_a = x->edge;
            s->race_b = y->edge;
            return;
          }
    }
}

/* --- moves --- */

/* The visible action at the end of a path; false: it has to wait, or may. */
static bool move(search *s, const path *p, uint32_t t) {
  joint *j = &s->j;
  bool moves = false;
  hd_joint_op(j, p, t);
  for (hd_vec_each(outcome, o, &j->outcomes)) {
    s->made++;
    uint32_t to = NO_STATE;
    if (!o->end)
      to = enter(s, o->m);
    if (!o->extra)
      hd_vec_push(&s->moves, to);
    moves = moves || !o->extra;
  }
  hd_vec_clear(&j->outcomes);
  return moves;
}

/* Somebody waits for one who waits for … himself, or for one that has ended. */
static bool is_stuck(const mach *m, const uint64_t *waits) {
  uint64_t stuck = 0;
  for (uint32_t t = 0; t < m->threads.size; t++)
    if (waits[t])
      stuck |= (uint64_t)1 << t;
  for (bool less = true; less;) {
    less = false;
    for (uint32_t t = 0; t < m->threads.size; t++) {
      bool hopeless = false;
      for (uint32_t u = 0; u < m->threads.size; u++)
        if (waits[t] >> u & 1)
          hopeless = hopeless || stuck >> u & 1 ||
                     m->threads.data[u].status >= T_ENDED;
      if (stuck >> t & 1 && !hopeless) {
        stuck &= ~((uint64_t)1 << t);
        less = true;
      }
    }
  }
  return stuck;
}

static bool is_there(const thread *th) {
  return th->status != T_FREE && th->status != T_ENDED &&
         th->status != T_JOINED;
}

static void expand(search *s, const open_state *at) {
  joint *j = &s->j;
  hd_vec(path) paths = {0};
  ways of[THREADS] = {{0, 0}};
  uint64_t waits[THREADS] = {0};
  size_t ended[THREADS] = {0};
  size_t there = 0;
  j->joining = 0;
  for (uint32_t t = 0; t < at->m.threads.size && !j->failed; t++) {
    of[t].first = (uint32_t)paths.size;
    if (!is_there(&at->m.threads.data[t]))
      continue;
    there++;
    j->ended = j->pruned = 0;
    hd_joint_segment(j, &at->m, t);
    ended[t] = j->ended;
    for (hd_vec_each(path, p, &j->stops))
      hd_vec_push(&paths, *p);
    of[t].n = (uint32_t)j->stops.size;
    hd_vec_clear(&j->stops);
  }
  s->threads = there > s->threads ? there : s->threads;
  for (uint32_t t = 0; t < at->m.threads.size && !j->failed; t++)
    for (uint32_t u = 0; u < t && !s->race; u++)
      find_race(s, paths.data, of[t], of[u]);
  for (uint32_t t = 0; t < at->m.threads.size && !j->failed && !s->race; t++) {
    group g = {at->id, (uint32_t)s->moves.size, 0};
    bool sure = true;
    j->waits_for = 0;
    for (uint32_t i = of[t].first; i < of[t].first + of[t].n && !j->failed; i++)
      sure = !paths.data[i].endless &&
             (paths.data[i].over || move(s, &paths.data[i], t)) && sure;
    sure = sure && (s->moves.size > g.first || ended[t]);
    waits[t] = j->waits_for;
    g.n = (uint32_t)s->moves.size - g.first;
    if (sure)
      hd_vec_push(&s->groups, g);
  }
  if (j->raced && !s->race) {
    s->race = true;
    s->race_a = j->race_a;
    s->race_b = j->race_b;
  }
  if (!j->failed && !s->race && is_stuck(&at->m, waits)) {
    s->cycle = true;
    if (j->joining & (j->joining - 1)) /* one of them may be told so */
      hd_joint_refuse(j, HD_NO_ID, "threads may join each other");
  }
  for (hd_vec_each(path, p, &paths))
    hd_joint_path_free(p);
  hd_vec_free(&paths);
}

static void search_all(search *s) {
  while (s->todo.size) {
    open_state at = hd_vec_pop(&s->todo);
    if (!s->j.failed && !s->race)
      expand(s, &at);
    hd_joint_free(&at.m);
  }
}

/* --- can it end? --- */

/* Every state has a thread that can bring the program nearer to its end, whatever
 * the values are. */
static bool can_always_end(const search *s) {
  size_t n = s->ends.size;
  uint32_t *left = hd_calloc(s->groups.size + 1, sizeof *left);
  uint32_t *start = hd_calloc(n + 2, sizeof *start);
  uint32_t *back = hd_calloc(s->moves.size + 1, sizeof *back);
  uint8_t *good = hd_calloc(n + 1, 1);
  hd_u32s todo = {0};
  size_t count = 0;
  for (hd_vec_each(const group, g, &s->groups))
    for (uint32_t i = g->first; i < g->first + g->n; i++)
      if (s->moves.data[i] != NO_STATE)
        start[s->moves.data[i] + 2]++;
  for (size_t i = 2; i <= n + 1; i++)
    start[i] += start[i - 1];
  for (uint32_t k = 0; k < s->groups.size; k++) {
    const group *g = &s->groups.data[k];
    for (uint32_t i = g->first; i < g->first + g->n; i++)
      if (s->moves.data[i] != NO_STATE) {
        back[start[s->moves.data[i] + 1]++] = k;
        left[k]++;
      }
    if (!left[k] && !good[g->state]) {
      good[g->state] = 1;
      hd_vec_push(&todo, g->state);
    }
  }
  while (todo.size) {
    uint32_t to = hd_vec_pop(&todo);
    count++;
    for (uint32_t i = start[to]; i < start[to + 1]; i++) {
      const group *g = &s->groups.data[back[i]];
      if (!--left[back[i]] && !good[g->state]) {
        good[g->state] = 1;
        hd_vec_push(&todo, g->state);
      }
    }
  }
  hd_free(left);
  hd_free(start);
  hd_free(back);
  hd_free(good);
  hd_vec_free(&todo);
  return count == n;
}

/* --- all --- */

static void refuse_unfit(search *s) {
  const hd_code *code = s->j.code;
  if (code->main == HD_NO_ID)
    hd_joint_refuse(&s->j, HD_NO_ID, "there is no main");
  if (code->pragmas.size)
    hd_joint_refuse(&s->j, HD_NO_ID, "what is said by #pragma is not followed");
  for (hd_vec_each(const hd_func, f, &code->funcs))
    if (hd_note_is_foreign(f->name))
      hd_joint_refuse(&s->j, HD_NO_ID, "teams and processes are not followed");
  hd_edge_id open = hd_code_unordered_looks(code);
  if (open != HD_NO_ID)
    hd_joint_refuse(&s->j, open, HD_UNORDERED_OPERANDS);
}

static void begin(search *s) {
  mach m = {0};
  hd_vec_push(&m.threads, ((thread){.status = T_RUN, .once = {HD_NO_ID, 0}}));
  hd_joint_push(&s->j, &m, 0, s->j.code->main, HD_NO_ID);
  enter(s, m);
}

static void more_reasons(hd_str *why) {
  if (why->size)
    hd_str_puts(why, "; ");
}

static hd_properties conclude(search *s, hd_properties asked) {
  const hd_code *code = s->j.code;
  hd_properties proved = (hd_properties)1 << HD_PROPERTY_RACE;
  hd_str *why = s->j.why;
  if (s->j.failed)
    return 0;
  if (s->race) {
    hd_code_print_pos(why, code, code->edges.data[s->race_a].pos);
    hd_str_puts(why, " may race with ");
    hd_code_print_pos(why, code, code->edges.data[s->race_b].pos);
    return 0;
  }
  if (!s->j.violated) {
    proved |= (hd_properties)1 << HD_PROPERTY_ASSERT;
  } else if (asked >> HD_PROPERTY_ASSERT & 1) {
    hd_code_print_pos(why, code, s->j.violation);
    hd_str_puts(why, ": this assertion may fail");
  }
  if (asked >> HD_PROPERTY_DEADLOCK & 1) {
    bool good = !s->cycle && can_always_end(s);
    if (good) {
      proved |= (hd_properties)1 << HD_PROPERTY_DEADLOCK;
    } else {
      more_reasons(why);
      hd_str_puts(why, s->cycle ? "threads may wait for each other"
                                : "there is a state from which the program "
                                  "may not come to its end");
    }
  }
  return proved & asked;
}

static void clear(search *s) {
  joint *j = &s->j;
  for (hd_vec_each(path, p, &j->todo))
    hd_joint_path_free(p);
  hd_vec_free(&j->todo);
  hd_vec_free(&j->stops);
  hd_vec_free(&j->outcomes);
  hd_vec_free(&j->round);
  hd_free(j->live);
  hd_free(j->live_at);
  hd_free(j->told);
  hd_free(j->seen);
  hd_free(j->known);
  hd_vec_free(&s->todo);
  hd_vec_free(&s->text);
  hd_vec_free(&s->ends);
  hd_vec_free(&s->table);
  hd_vec_free(&s->groups);
  hd_vec_free(&s->moves);
}

/* What the program defines is not the library's, whatever its name. */
static hd_note_call known_call(const hd_func *f) {
  hd_note_call call = hd_note_find(f->name);
  return f->defined && call.action != HD_NOTE_FAIL ? (hd_note_call){0} : call;
}

hd_properties hd_joint_judge(const hd_code *code, hd_properties asked,
                             uint64_t most, hd_run *run, hd_joint_walked *out,
                             hd_str *why) {
  search s = {.j = {.code = code, .run = run, .why = why}, .most = most};
  s.j.seen = hd_calloc(code->locs.size + 1, 1);
  s.j.known = hd_calloc(code->funcs.size + 1, sizeof *s.j.known);
  for (size_t f = 0; f < code->funcs.size; f++)
    s.j.known[f] = known_call(&code->funcs.data[f]);
  s.j.weak = hd_joint_has_weak(code);
  refuse_unfit(&s);
  hd_joint_live(&s.j);
  if (!s.j.failed)
    begin(&s);
  search_all(&s);
  hd_properties proved = conclude(&s, asked);
  *out = (hd_joint_walked){.states = s.ends.size,
                           .moves = s.made,
                           .steps = s.j.steps,
                           .threads = s.threads,
                           .locations = code->locs.size,
                           .closed = !s.j.failed && !s.race};
  for (size_t l = 0; l < code->locs.size; l++)
    out->reached += s.j.seen[l];
  clear(&s);
  return proved;
}
