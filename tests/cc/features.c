/* SPDX-License-Identifier: MIT */
/* Many features of C in one program whose output is known: it is compiled, and
 * so is its graph. Old-style definitions and GNU extensions included. */
#include <complex.h>
#include <math.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
typedef float v4 __attribute__((vector_size(16)));
struct pt {
  float x, y;
};
struct big {
  int a[9];
};
struct mid {
  long a;
  int b;
};
struct d3 {
  double x, y, z;
};
struct cc {
  char a, b, c;
};
union u {
  int i;
  float f;
  char c[8];
};
struct bf {
  unsigned a : 3, b : 7;
  signed c : 5;
  long long d : 40;
};
static struct pt mk(float x) {
  struct pt p = {x, x + 1};
  return p;
}
static struct big mb(struct big b) {
  b.a[3]++;
  return b;
}
static struct mid mm(struct mid m, struct cc c) {
  m.b += c.b;
  return m;
}
static union u mu(union u u) {
  u.i++;
  return u;
}
static struct d3 md(struct d3 d) {
  d.z = d.x * d.y;
  return d;
}
static v4 vec(v4 a, v4 b) { return a * b + a; }
static double _Complex cx(double _Complex a) { return a * a; }
_Thread_local int tl = 5;
extern int al __attribute__((alias("base")));
int base = 3;
static int ctor_ran;
__attribute__((constructor)) static void ctor(void) { ctor_ran = 1; }
static _Atomic int at;
static _Atomic struct mid am;
static _Atomic double ad;
static int knr(a, b)
int a;
char b;
{ return a + b; }
static void *tab(int i) {
  static void *t[] = {&&x, &&y};
  goto *t[i];
x:
  return "x";
y:
  return "y";
}
static int vla(int n) {
  int a[n][2], s = 0;
  for (int i = 0; i < n; i++)
    a[i][1] = i;
  for (int i = 0; i < n; i++)
    s += a[i][1] + sizeof a;
  return s;
}
static inline int rot(unsigned x, int n) { return x << n | x >> (32 - n); }
enum e { A = -1, B = 7 };
struct flex {
  int n;
  char d[];
};
static const char *sw(int x) {
  switch (x) {
  case 1 ... 5:
    return "lo";
  case -3:
  case 100:
    return "odd";
  case 6:
    return "six";
  }
  return "none";
}
int main(int argc, char **argv) {
  struct pt p = mk(2);
  struct big b = mb((struct big){{1, 2, 3, 4}});
  struct mid m = mm((struct mid){7, 8}, (struct cc){1, 2, 3});
  union u u = {.f = 1.5f};
  u = mu(u);
  struct d3 d = md((struct d3){2, 3, 4});
  struct bf bf = {5, 100, -7, 1LL << 33};
  bf.c += 2;
  bf.d--;
  printf("%g %g %d %ld %d %d %g\n", p.x, p.y, b.a[3], m.a, m.b, u.i, d.z);
  printf("%d %d %d %lld %d %d %d\n", bf.a, bf.b, bf.c, (long long)bf.d, tl, al,
         ctor_ran);
  atomic_fetch_add(&at, 3);
  at += 4;
  at *= 2;
  int ex = 14;
  atomic_compare_exchange_strong(&at, &ex, 20);
  atomic_thread_fence(memory_order_seq_cst);
  atomic_signal_fence(memory_order_seq_cst);
  ad += 1.25;
  __sync_lock_test_and_set(&base, 9);
  __atomic_fetch_nand(&base, 5, 5);
  printf("%d %g %d %d %s%s\n", at, (double)ad, base, knr(3, 'a'),
         (char *)tab(0), (char *)tab(1));
  printf("%d %d %s %s %s %s\n", vla(4), rot(0x12345678, 8), sw(3), sw(-3),
         sw(6), sw(0));
  struct flex *f = malloc(sizeof *f + 10);
  f->n = 3;
  strcpy(f->d, "hey");
  printf("%s %d\n", f->d, B - A);
  printf("%d %d %d %d\n", __builtin_popcount(255), __builtin_ctz(8),
         __builtin_clzll(1), __builtin_bswap32(1));
  int r;
  printf("%d %d\n", __builtin_mul_overflow(1 << 20, 1 << 20, &r), abs(-4));
  free(f);
  printf("%d %d %d %g %g\n", isnan(NAN), isinf(-INFINITY), signbit(-1.0) != 0,
         fabs(-2.5), floor(2.7));
  __asm__ volatile("" ::: "memory");
  __asm__ volatile("pause");
  __asm__ volatile("mfence" ::: "memory");
  v4 va = {1, 2, 3, 4};
  va = vec(va, va);
  double _Complex z = cx(1 + 2 * I);
  printf("%g %g %g %g\n", va[0], va[3], creal(z), cimag(z));
  int x = ({
    int q = 3;
    q *q;
  });
  printf("%d %d\n", x, argc ? x ?: 4 : 2);
  unsigned char uc = 250;
  uc += 10;
  signed char sc = 127;
  sc++;
  printf("%d %d %u\n", uc, sc, -1 >> 1 & 0xff);
  double dd = 1e300;
  float ff = (float)0.1;
  long l = (long)-3.7;
  unsigned ul = (unsigned)3.9e9;
  printf("%g %.9g %ld %u %g\n", dd * dd, ff, l, ul,
         (double)(unsigned long)~0ul);
  return 0;
}
