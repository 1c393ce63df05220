/* SPDX-License-Identifier: MIT */
/* Bodies of loops, from the code graph; which of them have invariants. The
 * condition of a while or for statement is what is executed from the head to
 * the branch that has the position of the statement itself (clang's), or until
 * the loop is left. A loop without such a branch runs for ever. */
#include "engine/lise/loops.h"
#include "engine/lise/step.h"

#include <string.h>

struct hd_lise_loops {
  const hd_code *code;
  const hd_notes *notes;
  uint8_t **bodies; /* of each loop: of each location of its function */
  bool *annotated, *joint, *decides;
  const char **names;
  uint32_t *at;    /* of each location: the annotated loop it heads, + 1 */
  bool *mentioned; /* of each register (code->regs): in an annotation */
};

static const hd_func *func_of(const hd_code *code, hd_loc_id loc) {
  return &code->funcs.data[code->locs.data[loc].func];
}

/* What the head dominates: reached from it, and not around it. */
static uint8_t *dominated_by(const hd_code *code, uint32_t loop) {
  hd_loc_id head = code->loops.data[loop].head;
  const hd_func *f = func_of(code, head);
  uint8_t *around = hd_calloc(f->n_locs, 1); /* reached without the head */
  hd_u32s work = {0};
  if (f->entry != head)
    hd_vec_push(&work, f->entry);
  while (work.size) {
    hd_loc_id at = hd_vec_pop(&work);
    if (around[at - f->locs] || at == head)
      continue;
    around[at - f->locs] = 1;
    for (uint32_t i = code->out_start[at]; i < code->out_start[at + 1]; i++)
      hd_vec_push(&work, code->edges.data[code->out[i]].to);
  }
  for (uint32_t k = 0; k < f->n_locs; k++)
    around[k] = !around[k];
  hd_vec_free(&work);
  return around;
}

/* The natural loop: what leads to a source of an edge back without passing the
 * head. */
static uint8_t *body_of(const hd_code *code, uint32_t loop) {
  hd_loc_id head = code->loops.data[loop].head;
  const hd_func *f = func_of(code, head);
  uint8_t *dominated = dominated_by(code, loop);
  uint8_t *body = hd_calloc(f->n_locs, 1);
  body[head - f->locs] = 1;
  bool more = true;
  while (more) {
    more = false;
    for (uint32_t k = 0; k < f->n_locs; k++) {
      if (body[k] || !dominated[k])
        continue;
      for (uint32_t i = code->out_start[f->locs + k];
           i < code->out_start[f->locs + k + 1] && !body[k]; i++) {
        hd_loc_id to = code->edges.data[code->out[i]].to;
        body[k] = to != f->locs + k && body[to - f->locs];
      }
      more = more || body[k];
    }
  }
  hd_free(dominated);
  return body;
}

static bool same_pos(hd_cpos a, hd_cpos b) {
  return a.file == b.file && a.line == b.line && a.column == b.column;
}

static bool in_body(const hd_lise_loops *loops, uint32_t loop, hd_loc_id loc) {
  const hd_func *f = func_of(loops->code, loops->code->loops.data[loop].head);
  return loc >= f->locs && loc < f->locs + f->n_locs &&
         loops->bodies[loop][loc - f->locs];
}

/* The branch of the loop statement itself, into the loop. */
static bool decides(const hd_lise_loops *loops, uint32_t loop,
                    const hd_cedge *edge) {
  const hd_code *code = loops->code;
  if (edge->act != HD_CODE_STEP || edge->guard == HD_NO_ID ||
      !same_pos(edge->pos, code->loops.data[loop].pos) ||
      !in_body(loops, loop, edge->from))
    return false;
  bool leaves = false;
  for (uint32_t i = code->out_start[edge->from];
       i < code->out_start[edge->from + 1]; i++)
    leaves = leaves || !in_body(loops, loop, code->edges.data[code->out[i]].to);
  return leaves && in_body(loops, loop, edge->to);
}

hd_lise_loops *hd_lise_loops_new(const hd_code *code, const hd_notes *notes) {
  hd_lise_loops *loops = hd_calloc(1, sizeof *loops);
  size_t n = code->loops.size;
  loops->code = code;
  loops->notes = notes;
  loops->bodies = hd_calloc(n + 1, sizeof *loops->bodies);
  loops->annotated = hd_calloc(n + 1, sizeof *loops->annotated);
  loops->joint = hd_calloc(n + 1, sizeof *loops->joint);
  loops->decides = hd_calloc(n + 1, sizeof *loops->decides);
  loops->names = hd_calloc(n + 1, sizeof *loops->names);
  loops->at = hd_calloc(code->locs.size + 1, sizeof *loops->at);
  loops->mentioned = hd_calloc(code->regs.size + 1, sizeof *loops->mentioned);
  for (uint32_t i = 0; i < n; i++)
    loops->bodies[i] = body_of(code, i);
  for (size_t i = 0; i < code->edges.size; i++)
    for (uint32_t k = 0; k < n; k++)
      if (decides(loops, k, &code->edges.data[i]))
        loops->decides[k] = true;
  for (size_t i = 0; notes && i < notes->notes.size; i++) {
    const hd_note *note = &notes->notes.data[i];
    if (note->kind != HD_NOTE_INVARIANT || note->loop == HD_NO_ID)
      continue;
    loops->annotated[note->loop] = true;
    loops->joint[note->loop] = note->reach == HD_NOTE_JOINT;
    loops->names[note->loop] = note->id;
    loops->at[code->loops.data[note->loop].head] = note->loop + 1;
  }
  return loops;
}

/* Registers in annotations, also of the other program's. */
static void mention(hd_lise_loops *loops, const hd_notes *notes, bool own) {
  for (size_t i = 0; notes && i < notes->formulas.size; i++) {
    const hd_formula *f = &notes->formulas.data[i];
    if ((f->op != HD_FORMULA_VAR && f->op != HD_FORMULA_REMOTE) ||
        f->var.kind != HD_CVAR_REG || (f->program == 0) != own)
      continue;
    loops->mentioned[loops->code->funcs.data[f->var.func].regs + f->var.index] =
        true;
  }
  for (size_t i = 0; notes && own && i < notes->vars.size; i++) {
    hd_cvar v = notes->vars.data[i];
    if (v.kind == HD_CVAR_REG)
      loops->mentioned[loops->code->funcs.data[v.func].regs + v.index] = true;
  }
}

/* Lengths of arrays of variable length: formulas need them for their rows. */
static void mention_lengths(hd_lise_loops *loops) {
  const hd_code *code = loops->code;
  for (size_t i = 0; i < code->regs.size; i++)
    for (size_t k = 0; k < code->ctypes.size && code->regs.data[i].cname; k++)
      if (code->ctypes.data[k].bound &&
          !strcmp(code->ctypes.data[k].bound, code->regs.data[i].cname))
        loops->mentioned[i] = true;
}

void hd_lise_loops_mention(hd_lise_loops *loops, const hd_notes *others) {
  if (loops->notes && loops->notes->formulas.size)
    mention_lengths(loops);
  mention(loops, loops->notes, true);
  mention(loops, others, false);
}

void hd_lise_loops_delete(hd_lise_loops *loops) {
  if (!loops)
    return;
  for (size_t i = 0; i < loops->code->loops.size; i++)
    hd_free(loops->bodies[i]);
  hd_free(loops->bodies);
  hd_free(loops->annotated);
  hd_free(loops->joint);
  hd_free(loops->decides);
  hd_free(loops->names);
  hd_free(loops->at);
  hd_free(loops->mentioned);
  hd_free(loops);
}

/* A loop that starts with its body (do) has no condition at its head: the
 * deciding branch must be reached from the head without anything that others
 * can see; calls of MPI in a condition are refused when they are met. */
const char *hd_lise_loops_wrong(const hd_lise_loops *loops, uint32_t *loop) {
  for (uint32_t i = 0; i < loops->code->loops.size; i++) {
    *loop = i;
    if (!loops->annotated[i])
      continue;
    if (loops->code->loops.data[i].irreducible)
      return "an invariant of a loop that is entered in several ways";
  }
  return NULL;
}

/* --- for the running process --- */

static const hd_lise_loops *mine(const hd_lise *l) {
  return hd_lise_program_of(l)->loops;
}

bool hd_lise_loop_at(const hd_lise *l, hd_loc_id loc, uint32_t *loop) {
  uint32_t at = mine(l)->at[loc];
  if (at)
    *loop = at - 1;
  return at != 0;
}

uint32_t hd_lise_name(hd_lise *l, const char *name) {
  for (uint32_t i = 0; i < l->names.size; i++)
    if (!strcmp(l->names.data[i], name))
      return i;
  hd_vec_push(&l->names, hd_strdup(name));
  return (uint32_t)l->names.size - 1;
}

uint32_t hd_lise_loop_id(hd_lise *l, uint32_t program, uint32_t loop) {
  return hd_lise_name(l, l->programs[program].loops->names[loop]);
}

bool hd_lise_loop_joint(const hd_lise *l, uint32_t program, uint32_t loop) {
  return l->programs[program].loops->joint[loop];
}

bool hd_lise_loop_contains(const hd_lise *l, uint32_t loop, hd_loc_id loc) {
  return in_body(mine(l), loop, loc);
}

bool hd_lise_loop_decides(const hd_lise *l, uint32_t loop) {
  return mine(l)->decides[loop];
}

bool hd_lise_edge_decides(const hd_lise *l, uint32_t loop,
                          const hd_cedge *edge) {
  return decides(mine(l), loop, edge);
}

bool hd_lise_matters(const hd_lise *l, const hd_lise_proc *proc, hd_loc_id loc,
                     hd_reg_id reg) {
  const hd_lise_program *program = &l->programs[proc->program];
  const hd_code *code = program->code;
  const hd_func *f = func_of(code, loc);
  return hd_live_at(program->live, loc, reg) ||
         program->loops->mentioned[f->regs + reg];
}

void hd_lise_forget_dead(hd_lise *l, hd_lise_proc *proc) {
  const hd_lise_program *program = &l->programs[proc->program];
  for (size_t i = 0; i < proc->frames.size; i++) {
    const hd_lise_frame *f = &proc->frames.data[i];
    const hd_func *func = &program->code->funcs.data[f->func];
    for (hd_reg_id r = 0; r < func->n_regs; r++) {
      bool keep = program->loops->mentioned[func->regs + r];
      if (!keep)
        keep = f->call != HD_NO_ID ? hd_live_after(program->live, f->call, r)
                                   : hd_live_at(program->live, f->loc, r);
      if (!keep)
        proc->regs.data[f->regs + r] = hd_term_undef(l->terms);
    }
  }
}

/* --- bounds on loops without invariants --- */

static uint32_t *rounds_of(hd_lise_proc *me, uint32_t frame, uint32_t loop) {
  size_t i = 0;
  while (i < me->rounds.size &&
         (me->rounds.data[i] != frame || me->rounds.data[i + 1] != loop))
    i += 3;
  if (i == me->rounds.size) {
    hd_vec_push(&me->rounds, frame);
    hd_vec_push(&me->rounds, loop);
    hd_vec_push(&me->rounds, 0);
  }
  return &me->rounds.data[i + 2];
}

static void forget_rounds(hd_lise_proc *me, uint32_t frame, uint32_t loop) {
  size_t n = 0;
  for (size_t i = 0; i < me->rounds.size; i += 3) {
    if (me->rounds.data[i] > frame ||
        (me->rounds.data[i] == frame && me->rounds.data[i + 1] == loop))
      continue;
    memmove(me->rounds.data + n, me->rounds.data + i,
            3 * sizeof *me->rounds.data);
    n += 3;
  }
  me->rounds.size = n;
}

hd_going hd_lise_tick(hd_lise *l, hd_edge_id id) {
  l->result->steps++;
  if (l->watch)
    hd_lise_watch_edge(l, id);
  if (!l->options->unwind)
    return HD_GO_ON;
  const hd_cedge *edge = &hd_lise_code(l)->edges.data[id];
  uint32_t loop = hd_lise_code(l)->locs.data[edge->to].loop;
  if (loop == HD_NO_ID || mine(l)->annotated[loop])
    return HD_GO_ON;
  hd_lise_proc *me = hd_lise_me(l);
  uint32_t frame = (uint32_t)me->frames.size - 1;
  if (!in_body(mine(l), loop, edge->from)) {
    forget_rounds(me, frame, loop);
    return HD_GO_ON;
  }
  if (++*rounds_of(me, frame, loop) <= l->options->unwind)
    return HD_GO_ON;
  l->bounded = true;
  return HD_PRUNED;
}
