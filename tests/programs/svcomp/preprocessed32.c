/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: skip the types have other sizes with 64 bits
 * options: --32
 * what: a program without headers, as preprocessed ones are, for a 32-bit
 *   machine */
typedef unsigned long int pthread_t;
typedef union {
  char __size[24];
  int __align;
} pthread_mutex_t;
typedef union {
  char __size[36];
  long int __align;
} pthread_attr_t;
typedef union {
  char __size[4];
  int __align;
} pthread_mutexattr_t;
extern int pthread_create(pthread_t *, const pthread_attr_t *,
                          void *(*)(void *), void *);
extern int pthread_join(pthread_t, void **);
extern int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
extern int pthread_mutex_lock(pthread_mutex_t *);
extern int pthread_mutex_unlock(pthread_mutex_t *);
extern void abort(void);
void reach_error() {
  abort();
}
void __VERIFIER_assert(int cond) {
  if (!(cond)) {
  ERROR : {
    reach_error();
    abort();
  }
  }
}
pthread_mutex_t m;
unsigned long counter = 4294967294ul;
void *thread(void *arg) {
  pthread_mutex_lock(&m);
  counter++;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_mutex_init(&m, 0);
  pthread_create(&a, 0, thread, 0);
  pthread_create(&b, 0, thread, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  __VERIFIER_assert(counter == 0);
  return 0;
}
