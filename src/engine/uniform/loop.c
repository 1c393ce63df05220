/* SPDX-License-Identifier: MIT */
/* Loops that are made as often as the rank, N or an input says.
 *
 * An iteration is executed once, from a state in which everything that the body
 * writes has a new value; `k` is its number. Variables that grow by the same
 * amount in every iteration, or double, are then given as terms over k, and the
 * body is executed again; that each way back to the head makes the term of k
 * that of k + 1 is proved. The rest keeps new symbols: nothing is known about it.
 * Pointers that change, memory that is allocated in one iteration and lives in
 * the next, and operations that are under way at the head are refused. */
#include "engine/uniform/parts.h"

#include "engine/lise/loops.h"

#include <string.h>

/* What a variable is in iteration k. */
typedef enum { ANYTHING, GROWS, DOUBLES } growth;

typedef struct {
  hd_lise_place place;
  hd_term start, symbol; /* before the loop; in any iteration */
  growth how;
  hd_term step;
} variable;
typedef hd_vec(variable) variables;

/* Sums of variables, with factors, that no iteration changes. */
enum { MOST_SUMMANDS = 24 };
typedef struct {
  int64_t factor[MOST_SUMMANDS];
} relation;
typedef hd_vec(relation) relations;

typedef struct {
  hd_uni *u;
  hd_uni_path *at; /* at the head, before the first iteration */
  hd_uni_frame frame;
  variables vars;
  hd_term k;
  relations sums;
  hd_term_list guesses; /* conditions that may hold at every head */
  hd_term_list counts;  /* workers at each position, at the head (star.c) */
  uint32_t inside;      /* symbols from here on are made in the body */
  bool divides; /* 2^k divides the rank in iteration k: reductions by trees */
} job;

/* --- places --- */

static hd_term *value_at(hd_lise_proc *me, hd_lise_place place,
                         uint32_t *bytes) {
  *bytes = 0;
  if (!place.object) {
    if (place.frame == HD_NO_ID || place.frame >= me->frames.size)
      return NULL;
    return &me->regs.data[me->frames.data[place.frame].regs + place.at];
  }
  if (place.object >= me->objects.size || !me->objects.data[place.object] ||
      me->objects.data[place.object]->freed)
    return NULL;
  hd_lise_object *o = hd_lise_object_own(me, place.object);
  if (o->array)
    return &o->array;
  for (size_t i = 0; i < o->cells.size; i++)
    if (o->cells.data[i].offset == place.at &&
        o->cells.data[i].bytes == place.frame) {
      *bytes = o->cells.data[i].bytes;
      return &o->cells.data[i].value;
    }
  return NULL;
}

static hd_type type_at(const hd_uni *u, const hd_lise_proc *me,
                       hd_lise_place place, uint32_t bytes) {
  if (place.object)
    return (hd_type){HD_TYPE_INT, (uint8_t)(8 * bytes)};
  const hd_code *code = u->l.programs[0].code;
  hd_func_id func = me->frames.data[place.frame].func;
  return code->regs.data[code->funcs.data[func].regs + (uint64_t)place.at].type;
}

static bool known(const job *j, hd_lise_place place) {
  for (size_t i = 0; i < j->vars.size; i++)
    if (!memcmp(&j->vars.data[i].place, &place, sizeof place))
      return true;
  return false;
}

/* Does anybody read the register again? */
static bool matters(job *j, hd_lise_place place) {
  hd_lise *l = &j->u->l;
  const hd_lise_proc *me = j->at->state->procs.data[0];
  if (place.object || place.frame + 1 != me->frames.size)
    return true;
  return hd_lise_matters(l, me, j->frame.head, (hd_reg_id)place.at);
}

typedef enum { BEFORE, AT_HEAD, NOW } moment;

/* The sum of a relation: before the loop, at the head, or in the state of `p`. */
static hd_term sum_of(const job *j, const relation *r, moment when,
                      hd_uni_path *p) {
  hd_terms *t = j->u->l.terms;
  hd_term sum = hd_term_int(t, 0);
  for (size_t i = 0; i < j->vars.size && i < MOST_SUMMANDS; i++) {
    const variable *v = &j->vars.data[i];
    if (!r->factor[i])
      continue;
    uint32_t bytes;
    hd_term *now =
        when == NOW ? value_at(hd_lise_proc_own(p->state, 0), v->place, &bytes)
                    : NULL;
    hd_term value = now ? *now : when == BEFORE ? v->start : v->symbol;
    sum = hd_term_add(t, sum,
                      hd_term_mul(t, hd_term_int(t, r->factor[i]), value));
  }
  return sum;
}

/* --- one iteration --- */

/* The state at the head of iteration k. */
static hd_uni_path *head_of(job *j) {
  hd_uni *u = j->u;
  hd_lise *l = &u->l;
  hd_terms *t = l->terms;
  hd_uni_path *p = hd_uni_path_copy(u, j->at);
  l->state = p->state;
  l->proc = 0;
  u->path = p;
  /* the symbol k comes first of those of an iteration */
  hd_term k = hd_lise_fresh(l, HD_OF_INT);
  assert(!j->k || j->k == k);
  j->k = k;
  hd_lise_learn(l, hd_term_le(t, hd_term_int(t, 0), k));
  if (j->divides)
    hd_lise_learn(l, hd_uni_divides(u, u->rank, k));
  for (size_t i = 0; i < j->vars.size; i++)
    if (j->vars.data[i].how == DOUBLES)
      hd_lise_learn(l, hd_term_lt(t, k, hd_uni_power(u, k)));
  for (size_t i = 0; i < j->vars.size; i++) {
    variable *v = &j->vars.data[i];
    hd_lise_proc *me = hd_lise_me(l);
    uint32_t bytes;
    hd_term *value = value_at(me, v->place, &bytes);
    if (!value)
      continue;
    v->start = *value;
    if (v->how == GROWS)
      *value = hd_term_add(t, v->start, hd_term_mul(t, v->step, k));
    else if (v->how == DOUBLES)
      *value = hd_term_mul(t, v->start, hd_uni_power(u, k));
    else
      *value = hd_lise_fresh(l, hd_term_sort_of(t, v->start));
    v->symbol = *value;
    if (v->how == ANYTHING && hd_term_sort_of(t, *value) == HD_OF_INT)
      hd_lise_typed(l, v->symbol, type_at(u, me, v->place, bytes));
  }
  for (size_t i = 0; i < j->sums.size && !u->rough; i++)
    hd_lise_learn(l, hd_term_eq(t, sum_of(j, &j->sums.data[i], BEFORE, NULL),
                                sum_of(j, &j->sums.data[i], AT_HEAD, NULL)));
  if (u->role == HD_UNI_MASTER)
    hd_uni_star_know(u);
  for (size_t i = 0; i < j->guesses.size && !u->rough; i++)
    hd_lise_learn(l, j->guesses.data[i]);
  hd_vec_clear(&j->counts);
  for (uint32_t i = 0; u->role == HD_UNI_MASTER; i++) {
    hd_term count = hd_uni_star_count(u, i);
    if (!count)
      break;
    hd_vec_push(&j->counts, count);
  }
  j->inside = p->state->n_y;
  return p;
}

/* The body, from the head. */
static bool iterate(job *j, hd_lise_places *wrote, hd_uni_paths *out) {
  hd_uni *u = j->u;
  hd_uni_path *head = head_of(j);
  hd_vec_clear(&head->items);
  for (size_t i = 0; i < head->ops.size; i++) {
    if (head->ops.data[i].cells)
      hd_lise_message_drop(head->ops.data[i].cells);
    if (head->ops.data[i].result)
      hd_lise_message_drop(head->ops.data[i].result);
  }
  hd_vec_clear(&head->ops);
  for (size_t i = 0; i < head->duties.size; i++)
    hd_free(head->duties.data[i].message);
  hd_vec_clear(&head->duties);
  hd_lise_places *outer = u->wrote;
  u->wrote = wrote;
  bool ok = hd_uni_follow(u, head, &j->frame, out);
  u->wrote = outer;
  for (size_t i = 0; outer && i < wrote->size; i++) {
    bool there = false;
    for (size_t k = 0; k < outer->size && !there; k++)
      there = !memcmp(&outer->data[k], &wrote->data[i], sizeof *wrote->data);
    if (!there)
      hd_vec_push(outer, wrote->data[i]);
  }
  return ok;
}

/* --- what variables do --- */

/* Adds what was written and is there at the head. False: nothing new. */
static bool add_variables(job *j, const hd_lise_places *wrote) {
  hd_uni *u = j->u;
  bool more = false;
  for (size_t i = 0; i < wrote->size; i++) {
    hd_lise_place place = wrote->data[i];
    uint32_t bytes;
    hd_lise_proc *me = hd_lise_proc_own(j->at->state, 0);
    hd_term *value = value_at(me, place, &bytes);
    if (!value || known(j, place) || !matters(j, place))
      continue;
    hd_term_sort sort = hd_term_sort_of(u->l.terms, *value);
    if (sort == HD_OF_ANY)
      continue;
    variable v = {.place = place};
    if (sort == HD_OF_PTR)
      v.how = GROWS, v.step = 0;
    hd_vec_push(&j->vars, v);
    more = true;
  }
  return more;
}

/* Are all symbols of it made before `limit`? `own`: some are of the iteration. */
static bool made_before(const job *j, hd_term term, uint32_t limit, bool *own) {
  hd_terms *t = j->u->l.terms;
  hd_term_list symbols = {0};
  hd_term_visit_begin(t);
  hd_term_visit(t, term, &symbols);
  uint32_t first = hd_term_args(t, j->k)[1];
  bool ok = true;
  *own = false;
  for (size_t i = 0; i < symbols.size; i++) {
    const uint32_t *args = hd_term_args(t, symbols.data[i]);
    ok = ok && (args[0] != HD_SYM_Y || args[1] < limit);
    *own = *own || (args[0] == HD_SYM_Y && args[1] >= first);
  }
  hd_vec_free(&symbols);
  return ok;
}

/* How the ways back change it. */
static void classify(const job *j, variable *v, const hd_uni_paths *paths) {
  hd_terms *t = j->u->l.terms;
  bool first = true;
  if (hd_term_sort_of(t, v->symbol) != HD_OF_INT)
    return;
  for (size_t i = 0; i < paths->size; i++) {
    hd_uni_path *p = paths->data[i];
    if (p->end != HD_UNI_BACK)
      continue;
    uint32_t bytes;
    hd_term *value = value_at(hd_lise_proc_own(p->state, 0), v->place, &bytes);
    if (!value || hd_term_sort_of(t, *value) != HD_OF_INT) {
      v->how = ANYTHING;
      return;
    }
    hd_term step = hd_term_sub(t, *value, v->symbol);
    bool own;
    (void)made_before(j, step, 0, &own);
    growth how = !own ? GROWS : step == v->symbol ? DOUBLES : ANYTHING;
    if (how == ANYTHING ||
        (!first && (v->how != how || (how == GROWS && v->step != step)))) {
      v->how = ANYTHING;
      return;
    }
    v->how = how;
    v->step = how == GROWS ? step : 0;
    first = false;
  }
}

/* Does it follow at the end of a way back? Not from duties: these are no
 * conditions of paths (walk.c), while what is found out about the loop becomes
 * one. A master's paths are no such conditions for others (star.c). */
static bool follows(const job *j, const hd_uni_path *p, hd_term claim) {
  hd_term_list facts = {0};
  for (size_t i = 0; i < p->state->pc.size; i++) {
    hd_term fact = p->state->pc.data[i];
    bool duty = false;
    for (size_t k = 0; k < p->claims.size && j->u->role == HD_UNI_EACH; k++)
      duty = duty || p->claims.data[k] == fact;
    if (!duty)
      hd_vec_push(&facts, fact);
  }
  bool ok = hd_uni_valid(j->u, &facts, claim);
  hd_vec_free(&facts);
  return ok;
}

/* By how much each way back changes a variable: a constant, or false. */
static bool change_of(const job *j, const variable *v, hd_uni_path *p,
                      int64_t *out) {
  hd_terms *t = j->u->l.terms;
  uint32_t bytes;
  hd_term *value = value_at(hd_lise_proc_own(p->state, 0), v->place, &bytes);
  return value && hd_term_sort_of(t, *value) == HD_OF_INT &&
         hd_term_sort_of(t, v->symbol) == HD_OF_INT &&
         hd_term_is_int(t, hd_term_sub(t, *value, v->symbol), out) &&
         *out < 1000 && *out > -1000;
}

/* One way back: rows whose sums it changes are put together so that it does
 * not, and one row less is left. */
static void eliminate(const int64_t *change, size_t n, relations *rows) {
  int64_t of[MOST_SUMMANDS] = {0};
  size_t pivot = rows->size;
  for (size_t i = 0; i < rows->size; i++) {
    for (size_t v = 0; v < n; v++)
      of[i] += rows->data[i].factor[v] * change[v];
    if (of[i] && pivot == rows->size)
      pivot = i;
  }
  if (pivot == rows->size)
    return;
  for (size_t i = 0; i < rows->size; i++)
    for (size_t v = 0; v < n && i != pivot && of[i]; v++)
      rows->data[i].factor[v] = rows->data[i].factor[v] * of[pivot] -
                                rows->data[pivot].factor[v] * of[i];
  rows->data[pivot] = hd_vec_last(rows);
  rows->size--;
}

/* Rows of factors whose sums no way back changes. */
static void find_sums(job *j, const hd_uni_paths *paths) {
  size_t n = j->vars.size < MOST_SUMMANDS ? j->vars.size : MOST_SUMMANDS;
  hd_vec_clear(&j->sums);
  for (size_t i = 0; i < n; i++) {
    bool fixed = true;
    int64_t x;
    for (size_t k = 0; k < paths->size && fixed; k++)
      fixed = paths->data[k]->end != HD_UNI_BACK ||
              change_of(j, &j->vars.data[i], paths->data[k], &x);
    relation unit = {0};
    unit.factor[i] = 1;
    if (fixed)
      hd_vec_push(&j->sums, unit);
  }
  for (size_t k = 0; k < paths->size; k++) {
    int64_t change[MOST_SUMMANDS] = {0};
    if (paths->data[k]->end != HD_UNI_BACK)
      continue;
    for (size_t i = 0; i < n; i++)
      if (!change_of(j, &j->vars.data[i], paths->data[k], &change[i]))
        change[i] = 0;
    eliminate(change, n, &j->sums);
  }
}

/* Drops sums that a way back changes after all, in C's numbers. True: some. */
static bool drop_sums(job *j, const hd_uni_paths *paths) {
  hd_uni *u = j->u;
  size_t n = 0;
  for (size_t i = 0; i < j->sums.size; i++) {
    const relation *r = &j->sums.data[i];
    bool ok = true;
    for (size_t k = 0; k < paths->size && ok; k++)
      ok = paths->data[k]->end != HD_UNI_BACK ||
           follows(j, paths->data[k],
                   hd_term_eq(u->l.terms, sum_of(j, r, AT_HEAD, NULL),
                              sum_of(j, r, NOW, paths->data[k])));
    if (ok)
      j->sums.data[n++] = *r;
  }
  bool some = n != j->sums.size;
  j->sums.size = n;
  return some;
}

/* --- guesses --- */

static void add_guess(job *j, hd_term guess) {
  enum { MOST_GUESSES = 60 };
  if (hd_term_is_const(j->u->l.terms, guess) || j->guesses.size > MOST_GUESSES)
    return;
  for (size_t i = 0; i < j->guesses.size; i++)
    if (j->guesses.data[i] == guess)
      return;
  hd_vec_push(&j->guesses, guess);
}

/* Is it about values at the head only, and some that change? */
static bool about_head(const job *j, hd_term term) {
  bool own;
  return made_before(j, term, j->inside, &own) && own;
}

/* From the conditions of branches: what is less than a bound is never above it;
 * and as long as the condition holds, nobody is at some position. */
static void guess_all(job *j, const hd_uni_paths *paths) {
  hd_terms *t = j->u->l.terms;
  hd_term zero = hd_term_int(t, 0);
  for (size_t i = 0; i < paths->size; i++)
    for (size_t k = j->at->decisions.size; k < paths->data[i]->decisions.size;
         k++) {
      hd_term cond = paths->data[i]->decisions.data[k];
      if (hd_term_op_of(t, cond) != HD_TERM_LE0 || !about_head(j, cond))
        continue;
      add_guess(j, hd_term_le(t, hd_term_args(t, cond)[0], hd_term_int(t, 1)));
      for (size_t c = 0; c < j->counts.size; c++)
        add_guess(j, hd_term_implies(t, cond,
                                     hd_term_eq(t, j->counts.data[c], zero)));
    }
}

/* A guess with the values before the loop, or those of a way back. */
static hd_term guess_at(const job *j, hd_term guess, hd_uni_path *p) {
  hd_terms *t = j->u->l.terms;
  hd_uni_map map = {0};
  hd_term_pair k = {j->k, p ? hd_term_add(t, j->k, hd_term_int(t, 1))
                            : hd_term_int(t, 0)};
  hd_vec_push(&map, k);
  for (size_t i = 0; i < j->vars.size; i++) {
    const variable *v = &j->vars.data[i];
    uint32_t bytes;
    hd_term *now =
        p ? value_at(hd_lise_proc_own(p->state, 0), v->place, &bytes) : NULL;
    if (v->how != ANYTHING || !v->symbol ||
        hd_term_op_of(t, v->symbol) != HD_TERM_SYM || (p && !now))
      continue;
    hd_term_pair pair = {v->symbol, p ? *now : v->start};
    hd_vec_push(&map, pair);
  }
  hd_term made = hd_uni_put(j->u, &map, guess);
  hd_vec_free(&map);
  return made;
}

/* Drops guesses that do not hold; `paths` NULL: before the loop. True: some. */
static bool drop_guesses(job *j, const hd_uni_paths *paths) {
  size_t n = 0;
  for (size_t i = 0; i < j->guesses.size; i++) {
    hd_term guess = j->guesses.data[i];
    bool ok = paths || follows(j, j->at, guess_at(j, guess, NULL));
    for (size_t k = 0; paths && k < paths->size && ok; k++)
      ok = paths->data[k]->end != HD_UNI_BACK ||
           follows(j, paths->data[k], guess_at(j, guess, paths->data[k]));
    if (ok)
      j->guesses.data[n++] = guess;
  }
  bool some = n != j->guesses.size;
  j->guesses.size = n;
  return some;
}

/* Pointers do not change; nothing else is different at the head. */
static bool same_shape(job *j, const hd_uni_path *p) {
  const hd_lise_proc *a = j->at->state->procs.data[0],
                     *b = p->state->procs.data[0];
  hd_terms *t = j->u->l.terms;
  size_t objects = 0;
  for (size_t i = 1; i < a->objects.size || i < b->objects.size; i++) {
    const hd_lise_object *x = i < a->objects.size ? a->objects.data[i] : NULL;
    const hd_lise_object *y = i < b->objects.size ? b->objects.data[i] : NULL;
    bool lives = x && !x->freed, lives_then = y && !y->freed;
    objects += lives != lives_then;
  }
  bool same = !objects && !a->requests.size && !b->requests.size &&
              a->stack.size == b->stack.size && a->mpi == b->mpi &&
              a->comm_handles.size == b->comm_handles.size &&
              a->frames.size == b->frames.size;
  for (size_t i = 0; same && i < a->comm_handles.size; i++)
    same = a->comm_handles.data[i] == b->comm_handles.data[i];
  for (size_t i = 0; i < j->vars.size && same; i++) {
    uint32_t bytes;
    const variable *v = &j->vars.data[i];
    hd_term *x = value_at(hd_lise_proc_own(p->state, 0), v->place, &bytes);
    if (hd_term_sort_of(t, v->start) == HD_OF_PTR)
      same = x && *x == v->start;
    else
      same =
          x != NULL && hd_term_sort_of(t, *x) == hd_term_sort_of(t, v->start);
  }
  return same;
}

/* The way back makes the term of k that of k + 1. */
static bool inductive(job *j, hd_uni_path *p) {
  hd_uni *u = j->u;
  hd_terms *t = u->l.terms;
  bool ok = true;
  for (size_t i = 0; i < j->vars.size && ok; i++) {
    const variable *v = &j->vars.data[i];
    if (v->how == ANYTHING || hd_term_sort_of(t, v->start) == HD_OF_PTR)
      continue;
    uint32_t bytes;
    hd_term *now = value_at(hd_lise_proc_own(p->state, 0), v->place, &bytes);
    hd_term then = v->how == GROWS ? hd_term_add(t, v->symbol, v->step)
                                   : hd_term_add(t, v->symbol, v->symbol);
    ok = now && follows(j, p, hd_term_eq(t, *now, then));
  }
  return ok;
}

static bool still_divides(job *j, hd_uni_path *p) {
  hd_terms *t = j->u->l.terms;
  hd_term next = hd_term_add(t, j->k, hd_term_int(t, 1));
  return follows(j, p, hd_uni_divides(j->u, j->u->rank, next));
}

/* A condition of the way back is `a <= 0`, and a grows with k: it holds for
 * finitely many k. */
static bool bounds(job *j, const hd_uni_path *p, hd_term cond) {
  hd_terms *t = j->u->l.terms;
  if (hd_term_op_of(t, cond) != HD_TERM_LE0)
    return false;
  hd_term a = hd_term_args(t, cond)[0], one = hd_term_int(t, 1);
  hd_term_pair later = {j->k, hd_term_add(t, j->k, one)};
  hd_term next = hd_term_subst(t, a, &later, 1);
  bool own, ok = made_before(j, a, hd_term_args(t, j->k)[1] + 1, &own);
  return ok && follows(j, p, hd_term_le(t, hd_term_add(t, a, one), next));
}

/* The loop ends: one condition bounds the iterations, on every way back. Without
 * that a process need not have a path to its end. */
static bool ends(job *j, const hd_uni_paths *paths) {
  const hd_uni_path *one = NULL;
  for (size_t i = 0; i < paths->size && !one; i++)
    one = paths->data[i]->end == HD_UNI_BACK ? paths->data[i] : NULL;
  for (size_t d = 0; one && d < one->decisions.size; d++) {
    hd_term cond = one->decisions.data[d];
    bool all = bounds(j, one, cond);
    for (size_t i = 0; i < paths->size && all; i++) {
      bool there = paths->data[i]->end != HD_UNI_BACK;
      for (size_t k = 0; k < paths->data[i]->decisions.size && !there; k++)
        there = paths->data[i]->decisions.data[k] == cond;
      all = there;
    }
    if (all)
      return true;
  }
  return !one;
}

/* --- the loop --- */

/* Executes iterations until nothing new is written. */
static bool find_variables(job *j) {
  hd_uni *u = j->u;
  bool more = true, ok = true;
  uint32_t paths_so_far = u->n_paths;
  for (int round = 0; more && ok; round++) {
    hd_lise_places wrote = {0};
    hd_uni_paths paths = {0};
    j->k = 0;
    bool c_numbers = u->options.c_numbers;
    bool rough = u->rough;
    u->options.c_numbers = false;
    u->rough = true;
    ok = iterate(j, &wrote, &paths);
    u->options.c_numbers = c_numbers;
    u->rough = rough;
    more = ok && add_variables(j, &wrote);
    for (size_t i = 0; ok && !more && i < j->vars.size; i++)
      if (hd_term_sort_of(u->l.terms, j->vars.data[i].start) != HD_OF_PTR)
        classify(j, &j->vars.data[i], &paths);
    if (ok && !more)
      find_sums(j, &paths);
    hd_vec_free(&wrote);
    hd_vec_free(&paths);
    if (round > 20) {
      hd_uni_fail(u, "a loop writes more in every iteration");
      ok = false;
    }
  }
  u->n_paths = paths_so_far;
  return ok;
}

/* A path that goes on behind the loop. */
static hd_uni_path *behind(job *j, const hd_uni_path *exit, hd_uni_loop *loop) {
  hd_uni *u = j->u;
  hd_uni_path *p = hd_uni_path_copy(u, exit);
  hd_uni_path *before = hd_uni_path_copy(u, j->at);
  uint32_t shift = (uint32_t)before->items.size + 1;
  hd_vec_clear(&p->items);
  for (size_t i = 0; i < before->items.size; i++)
    hd_vec_push(&p->items, before->items.data[i]);
  hd_vec_push(&p->items, ((hd_uni_item){.loop = loop}));
  for (size_t i = 0; i < exit->items.size; i++)
    hd_vec_push(&p->items, exit->items.data[i]);
  hd_uni_path shell = *p; /* its operations come behind those of before */
  memset(&p->ops, 0, sizeof p->ops);
  for (size_t i = 0; i < before->ops.size; i++)
    hd_vec_push(&p->ops, before->ops.data[i]);
  hd_vec_clear(&before->ops);
  for (size_t i = 0; i < shell.ops.size; i++) {
    hd_uni_op op = shell.ops.data[i];
    op.post += shift;
    op.wait = op.wait == HD_NO_ID ? HD_NO_ID : op.wait + shift;
    hd_vec_push(&p->ops, op);
  }
  hd_vec_free(&shell.ops);
  memset(&p->duties, 0, sizeof p->duties);
  for (size_t i = 0; i < before->duties.size; i++)
    hd_vec_push(&p->duties, before->duties.data[i]);
  hd_vec_clear(&before->duties);
  for (size_t i = 0; i < shell.duties.size; i++) {
    hd_uni_duty duty = shell.duties.data[i];
    duty.n_ops += j->at->ops.size;
    hd_vec_push(&p->duties, duty);
  }
  hd_vec_free(&shell.duties);
  p->end = p->state->procs.data[0]->ended ? HD_UNI_ENDED : HD_UNI_GOES;
  return p;
}

bool hd_uni_generalise(hd_uni *u, hd_uni_path *path, uint32_t loop,
                       hd_uni_paths *out) {
  const hd_code *code = u->l.programs[0].code;
  job j = {.u = u,
           .at = path,
           .frame = {.loop = loop,
                     .frames = path->state->procs.data[0]->frames.size,
                     .head = code->loops.data[loop].head}};
  if (u->role == HD_UNI_MASTER) {
    u->l.state = path->state;
    u->l.proc = 0;
    hd_uni_star_all(u);
  }
  uint32_t first = path->state->n_y;
  if (++u->depth > HD_UNI_DEPTH)
    hd_uni_fail(u, "loops whose rounds depend on the rank or on the number of "
                   "processes are nested too deeply");
  bool ok =
      !u->failed && !code->loops.data[loop].irreducible && find_variables(&j);
  hd_lise_places wrote = {0};
  hd_uni_paths paths = {0};
  for (size_t i = 0; i < j.vars.size; i++)
    j.divides = j.divides || j.vars.data[i].how == DOUBLES;
  j.k = 0;
  ok = ok && iterate(&j, &wrote, &paths);
  bool holds = false, guessed = false;
  while (ok && !holds) {
    holds = !drop_sums(&j, &paths) && !drop_guesses(&j, &paths);
    for (size_t i = 0; i < paths.size && j.divides; i++)
      if (paths.data[i]->end == HD_UNI_BACK &&
          !still_divides(&j, paths.data[i]))
        holds = j.divides = false;
    if (holds && !guessed) {
      guess_all(&j, &paths);
      (void)drop_guesses(&j, NULL);
      guessed = true;
      holds = !j.guesses.size;
    }
    if (holds)
      break;
    j.k = 0;
    hd_vec_clear(&paths);
    ok = iterate(&j, &wrote, &paths);
  }
  hd_uni_loop *made = hd_calloc(1, sizeof *made);
  hd_vec_push(&u->loops, made);
  made->k = j.k;
  made->first = first;
  if (ok && u->role == HD_UNI_EACH && !u->rough && !ends(&j, &paths)) {
    hd_uni_fail_at(u, HD_NO_ID, "%s:%u: it is not shown that this loop ends",
                   code->files.data[code->loops.data[loop].pos.file],
                   code->loops.data[loop].pos.line);
    ok = false;
  }
  for (size_t i = 0; i < paths.size && ok; i++) {
    hd_uni_path *p = paths.data[i];
    if (p->end != HD_UNI_BACK)
      continue;
    ok = same_shape(&j, p) && inductive(&j, p);
    hd_uni_path_settle(u, p);
    hd_vec_push(&made->bodies, p);
  }
  if (!ok && !u->again)
    hd_uni_fail_at(u, HD_NO_ID,
                   "%s:%u: a loop whose rounds depend on the rank or on the "
                   "number of processes changes what is not followed",
                   code->files.data[code->loops.data[loop].pos.file],
                   code->loops.data[loop].pos.line);
  bool left = false;
  for (size_t i = 0; i < paths.size && ok; i++)
    if (paths.data[i]->end != HD_UNI_BACK) {
      hd_vec_push(out, behind(&j, paths.data[i], made));
      left = true;
    }
  if (ok && !left) { /* what its body has to show belongs to no path */
    hd_uni_fail(u, "a loop that is never left");
    ok = false;
  }
  u->depth--;
  hd_vec_free(&j.vars);
  hd_vec_free(&j.sums);
  hd_vec_free(&j.guesses);
  hd_vec_free(&j.counts);
  hd_vec_free(&wrote);
  hd_vec_free(&paths);
  return ok;
}
