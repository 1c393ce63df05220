/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE overflow=SAFE
 * native: exit=0 output="55 120 1 0 -7"
 * what: a small stack machine: code in a table, instructions through
 *   function pointers, calls and jumps */
#include <assert.h>
#include <stdio.h>
#include <string.h>

enum { STACK = 32, FRAMES = 8, LOCALS = 4 };
struct machine;
typedef void (*instruction)(struct machine *, int);

struct word {
  instruction run;
  int operand;
};

struct frame {
  const struct word *back;
  int locals[LOCALS];
};

struct machine {
  const struct word *code, *at;
  int stack[STACK], size;
  struct frame frames[FRAMES];
  int depth;
  unsigned steps;
  _Bool stopped;
};

static void push(struct machine *m, int v) {
  assert(m->size < STACK);
  m->stack[m->size++] = v;
}

static int pop(struct machine *m) {
  assert(m->size > 0);
  return m->stack[--m->size];
}

static struct frame *top(struct machine *m) {
  return &m->frames[m->depth - 1];
}

static void op_push(struct machine *m, int v) {
  push(m, v);
}
static void op_add(struct machine *m, int v) {
  (void)v;
  int b = pop(m), a = pop(m);
  push(m, a + b);
}
static void op_sub(struct machine *m, int v) {
  (void)v;
  int b = pop(m), a = pop(m);
  push(m, a - b);
}
static void op_mul(struct machine *m, int v) {
  (void)v;
  int b = pop(m), a = pop(m);
  push(m, a * b);
}
static void op_less(struct machine *m, int v) {
  (void)v;
  int b = pop(m), a = pop(m);
  push(m, a < b);
}
static void op_load(struct machine *m, int v) {
  push(m, top(m)->locals[v]);
}
static void op_store(struct machine *m, int v) {
  top(m)->locals[v] = pop(m);
}
static void op_jump(struct machine *m, int v) {
  m->at = m->code + v;
}
static void op_branch(struct machine *m, int v) {
  if (!pop(m))
    m->at = m->code + v;
}
static void op_call(struct machine *m, int v) {
  assert(m->depth < FRAMES);
  struct frame *f = &m->frames[m->depth++];
  memset(f, 0, sizeof *f);
  f->back = m->at;
  f->locals[0] = pop(m);
  m->at = m->code + v;
}
static void op_return(struct machine *m, int v) {
  (void)v;
  m->at = top(m)->back;
  if (--m->depth == 0)
    m->stopped = 1;
}

/* sum: 1 + ... + n in a loop */
static const struct word sum[] = {
    {op_push, 0}, {op_store, 1},  {op_load, 0},  {op_branch, 12}, {op_load, 1},
    {op_load, 0}, {op_add, 0},    {op_store, 1}, {op_load, 0},    {op_push, 1},
    {op_sub, 0},  {op_jump, 13},  {op_jump, 15}, {op_store, 0},   {op_jump, 2},
    {op_load, 1}, {op_return, 0},
};

/* factorial: n < 2 ? 1 : n * factorial(n - 1) */
static const struct word factorial[] = {
    {op_load, 0},   {op_push, 2}, {op_less, 0},   {op_branch, 6}, {op_push, 1},
    {op_return, 0}, {op_load, 0}, {op_load, 0},   {op_push, 1},   {op_sub, 0},
    {op_call, 0},   {op_mul, 0},  {op_return, 0},
};

static const struct word less7[] = {
    {op_load, 0},
    {op_push, 7},
    {op_less, 0},
    {op_return, 0},
};

static const struct word negate[] = {
    {op_push, 0},
    {op_load, 0},
    {op_sub, 0},
    {op_return, 0},
};

static int run(const struct word *code, int argument) {
  struct machine m = {.code = code, .at = code, .depth = 1};
  m.frames[0].locals[0] = argument;
  while (!m.stopped) {
    const struct word *w = m.at++;
    w->run(&m, w->operand);
    m.steps++;
    assert(m.steps < 1000);
  }
  assert(m.size == 1);
  return pop(&m);
}

int main(void) {
  int a = run(sum, 10), b = run(factorial, 5), c = run(less7, 6),
      d = run(less7, 7);
  assert(a == 55 && b == 120 && c == 1 && d == 0);
  printf("%d %d %d %d %d\n", a, b, c, d, run(negate, 7));
  return 0;
}
