/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=UNSAFE deadlock=SAFE
 * native: skip a race decides which places are taken
 * what: a lock for each of many places, of which a thread takes the one that it
 *   has computed; what it computes from may be any thread's number */
#include <assert.h>
#include <pthread.h>

#define PLACES 96
#define THREADS 12

static int table[PLACES];
static pthread_mutex_t lock[PLACES];
static pthread_t ids[THREADS];

static int put(int place, int what) {
  int done = 0;
  pthread_mutex_lock(&lock[place]);
  if (table[place] == 0) {
    table[place] = what;
    done = 1;
  }
  pthread_mutex_unlock(&lock[place]);
  return done;
}

static void *work(void *arg) {
  int number = *(int *)arg;
  for (int i = 1; i <= 3; i++) {
    int what = i * 13 + number, place = what * 5 % PLACES;
    assert(place >= 0);
    while (!put(place, what))
      place = (place + 1) % PLACES;
  }
  return NULL;
}

int main(void) {
  int number;
  for (int i = 0; i < PLACES; i++)
    pthread_mutex_init(&lock[i], NULL);
  for (int i = 0; i < THREADS; i++) {
    number = i;
    pthread_create(&ids[i], NULL, work, &number);
  }
  for (int i = 0; i < THREADS; i++)
    pthread_join(ids[i], NULL);
  return 0;
}
