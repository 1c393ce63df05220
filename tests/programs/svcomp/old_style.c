/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: old C: no prototypes, implicit parameter types, a label at the end
 *   of a function, unused code after exit */
#include <pthread.h>
#include <stdlib.h>
extern void __VERIFIER_error();
int total;
pthread_mutex_t m;
add(n) int n;
{
  int now;
  pthread_mutex_lock(&m);
  now = total = total + n;
  pthread_mutex_unlock(&m);
  goto end;
end:
  return now >= n;
}
void *thread(void *arg) {
  if (!add(2)) {
  ERROR:
    __VERIFIER_error();
  }
  return NULL;
}
int main() {
  pthread_t a, b;
  pthread_mutex_init(&m, NULL);
  pthread_create(&a, NULL, thread, NULL);
  pthread_create(&b, NULL, thread, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  if (total != 4) {
    goto ERROR;
  ERROR:
    __VERIFIER_error();
  }
  exit(0);
  __VERIFIER_error();
}
