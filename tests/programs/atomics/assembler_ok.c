/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE
 * native: exit=0
 * what: a spin lock and counters in the assembler of x86, and values turned
 *   around by it */
#include <assert.h>
#include <pthread.h>
static int lock, tickets, done, state, count;
static int exchange(int *at, int value) {
  __asm__ volatile("xchgl %0, %1" : "+r"(value), "+m"(*at) : : "memory");
  return value;
}
static int fetch_add(int *at, int by) {
  __asm__ volatile("lock; xaddl %0, %1" : "+r"(by), "+m"(*at) : : "memory");
  return by;
}
static int compare_and_swap(int *at, int old, int value) {
  int seen;
  __asm__ volatile("lock\n\tcmpxchgl %2, %1"
                   : "=a"(seen), "+m"(*at)
                   : "r"(value), "0"(old)
                   : "memory");
  return seen == old;
}
static void increment(int *at) {
  __asm__ volatile("lock; incl %0" : "+m"(*at) : : "memory");
}
static void subtract(int *at, int by) {
  __asm__ volatile("lock; subl %1, %0" : "+m"(*at) : "ir"(by) : "memory");
}
static unsigned swapped(unsigned value) {
  __asm__("bswap %0" : "=r"(value) : "0"(value));
  return value;
}
static unsigned short turned(unsigned short value) {
  __asm__("rorw $8, %w0" : "=r"(value) : "0"(value) : "cc");
  return value;
}
static void *worker(void *arg) {
  if (exchange(&lock, 1) == 0) {
    count++;
    exchange(&lock, 0);
  }
  int mine = fetch_add(&tickets, 1);
  assert(mine == 0 || mine == 1);
  compare_and_swap(&state, mine, mine + 5);
  increment(&done);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, NULL, worker, NULL);
  pthread_create(&b, NULL, worker, NULL);
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  assert(tickets == 2 && done == 2 && state == 5);
  assert(count == 1 || count == 2);
  subtract(&done, 2);
  assert(done == 0);
  assert(swapped(0x01020304) == 0x04030201 && turned(0x0102) == 0x0201);
  return 0;
}
