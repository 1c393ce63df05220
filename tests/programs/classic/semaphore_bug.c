/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: any
 * what: with if instead of while a third thread slips in and the value
 *   becomes negative */
#include <assert.h>
#include <pthread.h>
struct semaphore {
  pthread_mutex_t m;
  pthread_cond_t c;
  int value;
};
static struct semaphore s = {PTHREAD_MUTEX_INITIALIZER,
                             PTHREAD_COND_INITIALIZER, 1};
static int x;
static void down(struct semaphore *p) {
  pthread_mutex_lock(&p->m);
  if (p->value == 0)
    pthread_cond_wait(&p->c, &p->m);
  p->value--;
  assert(p->value >= 0);
  pthread_mutex_unlock(&p->m);
}
static void up(struct semaphore *p) {
  pthread_mutex_lock(&p->m);
  p->value++;
  pthread_cond_signal(&p->c);
  pthread_mutex_unlock(&p->m);
}
static void *work(void *arg) {
  down(&s);
  x++;
  up(&s);
  return arg;
}
int main(void) {
  pthread_t t[3];
  for (int i = 0; i < 3; i++)
    pthread_create(&t[i], 0, work, 0);
  for (int i = 0; i < 3; i++)
    pthread_join(t[i], 0);
  return 0;
}
