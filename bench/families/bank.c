/* SPDX-License-Identifier: MIT */
/* N threads move money between four accounts with a lock each, taken in order.
 * BUG: thread 0 forgets the second lock. */
#include <assert.h>
#include <pthread.h>
#ifndef N
#define N 3
#endif
#define ACCOUNTS 4
static struct account {
  pthread_mutex_t lock;
  int balance;
} account[ACCOUNTS];

static void transfer(int from, int to, int amount, int both) {
  int a = from < to ? from : to, b = from < to ? to : from;
  pthread_mutex_lock(&account[a].lock);
  if (both)
    pthread_mutex_lock(&account[b].lock);
  if (account[from].balance >= amount) {
    account[from].balance -= amount;
    account[to].balance += amount;
  }
  if (both)
    pthread_mutex_unlock(&account[b].lock);
  pthread_mutex_unlock(&account[a].lock);
}

static void *worker(void *arg) {
  int i = (int)(long)arg, both = 1;
#ifdef BUG
  both = i != 0;
#endif
  transfer(i % ACCOUNTS, (i + 1) % ACCOUNTS, 10, both);
  transfer((i + 1) % ACCOUNTS, (i + 3) % ACCOUNTS, 20, both);
  return 0;
}

int main(void) {
  pthread_t t[N];
  for (int i = 0; i < ACCOUNTS; i++) {
    pthread_mutex_init(&account[i].lock, 0);
    account[i].balance = 100;
  }
  for (long i = 0; i < N; i++)
    pthread_create(&t[i], 0, worker, (void *)i);
  for (int i = 0; i < N; i++)
    pthread_join(t[i], 0);
  int sum = 0;
  for (int i = 0; i < ACCOUNTS; i++)
    sum += account[i].balance;
  assert(sum == 100 * ACCOUNTS);
  return 0;
}
