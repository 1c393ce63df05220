/* SPDX-License-Identifier: MIT */
/* expect: assert=UNSAFE race=UNSAFE deadlock=SAFE memory=UNSAFE
 * native: any
 * what: the source keeps a message after it has sent it: the receiver may
 *   have changed and freed it already */
#include <assert.h>
#include <pthread.h>
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

static struct channel one;

static void channel_init(struct channel *ch) {
  pthread_mutex_init(&ch->m, 0);
  pthread_cond_init(&ch->c, 0);
  ch->last = &ch->first;
}

static void send(struct channel *ch, struct message *msg) {
  pthread_mutex_lock(&ch->m);
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

static void *source(void *arg) {
  struct message *msg = malloc(sizeof *msg);
  if (!msg)
    exit(0);
  msg->number = 1;
  send(&one, msg);
  assert(msg->number == 1);
  close_(&one);
  return arg;
}

int main(void) {
  pthread_t a;
  struct message *msg;
  channel_init(&one);
  pthread_create(&a, 0, source, 0);
  while ((msg = receive(&one))) {
    msg->number *= 2;
    free(msg);
  }
  pthread_join(a, 0);
  return 0;
}
