/* SPDX-License-Identifier: MIT */
/* expect: assert=SAFE race=SAFE deadlock=SAFE memory=SAFE leak=SAFE
 * native: exit=0 output="2 4 6"
 * what: three stages connected by channels; closing a channel ends the
 *   stage behind it, messages are owned by who holds them */
#include <assert.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

struct message {
  int number;
  struct message *next;
};
struct channel {
  pthread_mutex_t m;
  pthread_cond_t c;
  struct message *first, **last;
  int closed;
};

static struct channel one, two;

static void channel_init(struct channel *ch) {
  pthread_mutex_init(&ch->m, 0);
  pthread_cond_init(&ch->c, 0);
  ch->first = 0;
  ch->last = &ch->first;
  ch->closed = 0;
}

static void send(struct channel *ch, struct message *msg) {
  pthread_mutex_lock(&ch->m);
  assert(!ch->closed);
  msg->next = 0;
  *ch->last = msg;
  ch->last = &msg->next;
  pthread_cond_signal(&ch->c);
  pthread_mutex_unlock(&ch->m);
}

static void close_(struct channel *ch) {
  pthread_mutex_lock(&ch->m);
  ch->closed = 1;
  pthread_cond_broadcast(&ch->c);
  pthread_mutex_unlock(&ch->m);
}

static struct message *receive(struct channel *ch) {
  pthread_mutex_lock(&ch->m);
  while (!ch->first && !ch->closed)
    pthread_cond_wait(&ch->c, &ch->m);
  struct message *msg = ch->first;
  if (msg) {
    ch->first = msg->next;
    if (!ch->first)
      ch->last = &ch->first;
  }
  pthread_mutex_unlock(&ch->m);
  return msg;
}

static void channel_destroy(struct channel *ch) {
  assert(!ch->first);
  pthread_cond_destroy(&ch->c);
  pthread_mutex_destroy(&ch->m);
}

static void *source(void *arg) {
  for (int i = 1; i <= 3; i++) {
    struct message *msg = malloc(sizeof *msg);
    if (!msg)
      exit(0);
    msg->number = i;
    send(&one, msg);
  }
  close_(&one);
  return arg;
}

static void *doubler(void *arg) {
  struct message *msg;
  while ((msg = receive(&one))) {
    msg->number *= 2;
    send(&two, msg);
  }
  close_(&two);
  return arg;
}

int main(void) {
  pthread_t a, b;
  struct message *msg;
  int expected = 2, count = 0;
  channel_init(&one);
  channel_init(&two);
  pthread_create(&a, 0, source, 0);
  pthread_create(&b, 0, doubler, 0);
  while ((msg = receive(&two))) {
    assert(msg->number == expected);
    printf(count ? " %d" : "%d", msg->number);
    expected += 2;
    count++;
    free(msg);
  }
  puts("");
  assert(count == 3);
  pthread_join(a, 0);
  pthread_join(b, 0);
  channel_destroy(&one);
  channel_destroy(&two);
  return 0;
}
