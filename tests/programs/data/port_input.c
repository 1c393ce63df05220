/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=SAFE deadlock=SAFE
 * native: skip ports are for drivers only
 * what: what a driver reads from a port is anything, what it writes is nothing
 *   to the program; so it is with the time stamp of x86 */
#include <assert.h>
#include <pthread.h>
static unsigned char status;
static unsigned char in(unsigned short port) {
  unsigned char value;
  __asm__ volatile("inb %w1, %b0" : "=a"(value) : "Nd"(port));
  return value;
}
static void out(unsigned char value, unsigned short port) {
  __asm__ volatile("outb %b0, %w1" : : "a"(value), "Nd"(port));
}
static unsigned long long stamp(void) {
  unsigned low, high;
  __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
  return (unsigned long long)high << 32 | low;
}
static void *driver(void *arg) {
  out(3, 0x70);
  status = in(0x71) & 0x7f;
  return arg;
}
int main(void) {
  pthread_t t;
  pthread_create(&t, NULL, driver, NULL);
  pthread_join(t, NULL);
  assert(status < 128);
  assert(status != 42 || stamp() >> 63 == 0);
  return 0;
}
