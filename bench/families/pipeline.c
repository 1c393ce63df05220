/* SPDX-License-Identifier: MIT */
/* A pipeline of N stages between places for one number each (a lock and a condition
 * variable). BUG: "while" is "if", and a signal too many. */
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 2
#endif
#ifndef K
#define K 3
#endif
static struct place {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  int full, value;
} place[N + 1];

static void put(struct place *p, int value) {
  pthread_mutex_lock(&p->lock);
#ifdef BUG
  if (p->full)
    pthread_cond_wait(&p->changed, &p->lock);
#else
  while (p->full)
    pthread_cond_wait(&p->changed, &p->lock);
#endif
  assert(!p->full);
  p->full = 1;
  p->value = value;
  pthread_cond_signal(&p->changed);
  pthread_mutex_unlock(&p->lock);
}

static int get(struct place *p) {
  pthread_mutex_lock(&p->lock);
  while (!p->full)
    pthread_cond_wait(&p->changed, &p->lock);
  p->full = 0;
  int value = p->value;
  pthread_cond_signal(&p->changed);
  pthread_mutex_unlock(&p->lock);
  return value;
}

static void *stage(void *arg) {
  long i = (long)arg;
  for (int k = 0; k < K; k++)
    put(&place[i + 1], get(&place[i]) + 1);
  return 0;
}

static void *source(void *arg) {
  for (int k = 0; k < K; k++)
    put(&place[0], k);
  return arg;
}

int main(void) {
  pthread_t t[N], s;
  for (int i = 0; i <= N; i++) {
    pthread_mutex_init(&place[i].lock, 0);
    pthread_cond_init(&place[i].changed, 0);
  }
  pthread_create(&s, 0, source, 0);
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], 0, stage, (void *)i);
  for (int k = 0; k < K; k++)
    assert(get(&place[N]) == k + N);
  pthread_join(s, 0);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  return 0;
}
