#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
# Functions instead of main: --entry, and heddle api.
. "$(dirname "$0")/lib.sh"

library() {
  cat >box.h <<'C'
#include <stddef.h>
/* opaque(x) is no function, nor is box_later(b) one that is declared. */
typedef struct box box;
typedef int (*box_visit)(void *context, int value);
struct stranger;
extern box *box_new(size_t size);
void box_free(box *b);
__attribute__((nonnull)) void box_put(box *b, int value);
int box_count(const box *b);
int box_each(box *b, box_visit visit, void *context);
void box_meet(box *b, struct stranger *s);
int box_version(void);
C
  cat >box.c <<'C'
#include "box.h"
#include <pthread.h>
#include <stdlib.h>
struct box {
  pthread_mutex_t lock;
  int n, last;
};
box *box_new(size_t size) {
  box *b = calloc(1, sizeof *b);
  if (b)
    b->n = size == 0 ? -1 : 0;
  return b;
}
void box_free(box *b) {
  free(b);
}
void box_put(box *b, int value) {
  pthread_mutex_lock(&b->lock);
  b->n++;
  b->last = value;
  pthread_mutex_unlock(&b->lock);
}
int box_count(const box *b) {
  return b->n; /* nobody keeps others away */
}
int box_each(box *b, box_visit visit, void *context) {
  pthread_mutex_lock(&b->lock);
  int value = b->last;
  pthread_mutex_unlock(&b->lock);
  return visit(context, value);
}
void box_meet(box *b, struct stranger *s) {
}
int box_version(void) {
  return 1;
}
C
}

test_api() {
  library
  run api box.h box.c --init=box_new --fini=box_free --keep=made
  exits 10
  out_has 'box.h: 4 functions, 2 at once'
  out_has 'safe      box_put, box_put'
  out_has 'race      box_put, box_count: data race on'
  out_has 'safe      box_count, box_count'
  out_has 'safe      box_each, box_each'
  out_has "unknown   box_put, box_meet: box_meet: nothing can be made that is a 'struct stranger *'"
  out_has 'verdict: unsafe (1 of 10 unsafe, 4 unknown)'
  out_lacks 'box_version'
  out_lacks 'box_later'
  run verify made/box_put-box_count.c box.c -I. -q
  exits 10
  run verify made/box_put-box_each.c box.c -I. -q
  exits 0
  run verify made/box_put-box_count.c box.c -I. --harness=replay -q
  exits 10
  make -C replay >make.log 2>&1 || fail "$(tail -5 make.log)"
}

test_api_init() {
  library
  run api box.h box.c '--init=box_new(3)' '--fini=box_free(object)' --at-once=1
  exits 5
  out_has 'safe      box_count'
  run api box.h box.c --init=no_such
  exits 2
  err_has "does not say what it makes"
  run api box.h box.c --type=no_such
  exits 2
  err_has 'declares no function with a no_such'
  run api box.h box.c --init=box_new --range=3
  exits 1
  err_has -- '--range=3: two numbers are wanted'
  run api missing.h box.c
  exits 2
}

# The object is what its first argument points to.
test_api_given() {
  cat >cell.h <<'C'
typedef struct {
  int lock, value;
} cell;
int cell_init(cell *c, int value);
static inline void cell_set(cell *c, int value) {
  c->value = value;
}
static inline int cell_same(int a, int b) {
  return a == b;
}
C
  cat >cell.c <<'C'
#include "cell.h"
int cell_init(cell *c, int value) {
  c->value = value;
  return 0;
}
C
  run api cell.h cell.c --init=cell_init
  exits 10
  out_has 'race      cell_set, cell_set'
  out_has 'verdict: unsafe (1 of 1 unsafe, 0 unknown)'
  # Without an object each call has its own.
  run api cell.h cell.c
  exits 0
  out_has 'cell.h: 3 functions'
  out_has 'safe      cell_same, cell_same'
}

test_entry() {
  cat >a.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <string.h>
struct box {
  pthread_mutex_t lock;
  int n;
};
static void put(struct box *b, int by) {
  pthread_mutex_lock(&b->lock);
  b->n += by > 0;
  pthread_mutex_unlock(&b->lock);
}
int peek(const struct box *b) {
  return b->n;
}
int half(int x) {
  assert(x != 77);
  return x / 2;
}
int third(unsigned char x) {
  assert(x < 256);
  return x / 3;
}
unsigned length(const char *s) {
  unsigned n = (unsigned)strlen(s);
  assert(n < 3);
  return n;
}
void each(int (*f)(void *, int), void *p) {
  f(p, 3);
}
int main(int argc, char **argv) {
  assert(argc > 100);
  return argc;
}
C
  run verify a.c --entry=put --entry=put
  exits 0
  out_has 'lead to objects of their own'
  run verify a.c --entry=put --entry=peek
  exits 10
  out_has 'race: unsafe'
  run verify a.c --entry=half
  exits 10
  out_has "assertion 'x != 77' fails"
  run verify a.c --entry=third
  exits 0
  out_lacks 'lead to objects'
  run verify a.c --entry=length -q
  exits 0
  run verify a.c --entry=each -q
  exits 0
  run fuzz a.c --entry=half --runs=2000 -q
  exits 10
  run verify a.c --entry=no_such
  exits 2
  err_has 'a.c: error: --entry: no file that is given defines this function'
  run verify a.c --entry=half --harness=x
  exits 1
}

run_tests
