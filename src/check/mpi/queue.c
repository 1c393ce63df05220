/* SPDX-License-Identifier: MIT */
/* Which message goes to which receive.
 *
 * Messages of one process to another arrive in the order in which they were
 * sent; a message that arrives goes to the first receive, in the order in which
 * they were posted, that it fits. Nothing is said about the order between
 * different senders. When a message arrives is open, so it may be as late as
 * possible: when the receiver needs it, or the sender of a synchronous one. Then
 * all receives that could compete for it have been posted, and the only choice is
 * which sender's next message comes first: hd_mpi_next_match. A message with
 * another tag may be before an earlier one, as long as they do not fit the same
 * receive. Where others can see that a receive is taken (a synchronous or ready
 * send that wants it, a probe), messages also arrive while the receiver is
 * somewhere else: hd_mpi_arrivals. */
#include "check/mpi/parts.h"

bool hd_mpi_fits(const hd_mpi *mpi, const hd_mpi_message *message,
                 const hd_mpi_post *post) {
  (void)mpi;
  return !message->held && message->comm == post->comm &&
         (post->source == HD_MPI_ANY_SOURCE ||
          post->source == (int32_t)message->from) &&
         (post->tag == HD_MPI_ANY_TAG || post->tag == message->tag);
}

#define NONE (HD_NO_ID - 1)

/* The first posted receive that the message fits and that is not in `taken`;
 * HD_NO_ID: the one the process stands in; NONE: no one. */
static uint32_t claimant(const hd_mpi *mpi, const hd_mpi_message *message,
                         const hd_u32s *taken) {
  const hd_mpi_process *process = &mpi->processes[message->to];
  uint32_t best = NONE;
  for (uint32_t i = 0; i < process->requests.size; i++) {
    const hd_mpi_request *request = &process->requests.data[i];
    if (request->kind != HD_REQUEST_RECV || request->done ||
        (request->persistent && !request->active) ||
        !hd_mpi_fits(mpi, message, &request->post))
      continue;
    bool gone = false;
    for (hd_vec_each(uint32_t, t, taken))
      gone = gone || *t == i;
    if (!gone &&
        (best == NONE || request->order < process->requests.data[best].order))
      best = i;
  }
  if (best != NONE || !process->posted ||
      !hd_mpi_fits(mpi, message, &process->receive.post))
    return best;
  for (hd_vec_each(uint32_t, t, taken))
    if (*t == HD_NO_ID)
      return NONE;
  return HD_NO_ID;
}

static const hd_mpi_post *post_of(const hd_mpi_process *process,
                                  uint32_t request) {
  return request == HD_NO_ID ? &process->receive.post
                             : &process->requests.data[request].post;
}

/* The receive that message `at` of the queue can go to now, before any other
 * message of its sender; NONE: an earlier one fits that receive, too, or there
 * is none. */
static uint32_t goes_to(const hd_mpi *mpi, size_t at) {
  const hd_u32s nobody = {0};
  const hd_mpi_message *m = &mpi->queue.data[at];
  uint32_t by = claimant(mpi, m, &nobody);
  for (size_t i = 0; by != NONE && i < at; i++) {
    const hd_mpi_message *before = &mpi->queue.data[i];
    if (before->from == m->from && before->to == m->to &&
        hd_mpi_fits(mpi, before, post_of(&mpi->processes[m->to], by)))
      return NONE;
  }
  return by;
}

/* Messages of one sender with different tags may overtake each other. That
 * matters only when somebody else's message can have the receive of the first,
 * or the receive can be given up. */
static bool contested(const hd_mpi *mpi, const hd_mpi_post *post) {
  return post->source == HD_MPI_ANY_SOURCE || mpi->cancels;
}

bool hd_mpi_next_match(const hd_mpi *mpi, uint32_t p, uint64_t choice,
                       size_t *message, uint32_t *request) {
  uint32_t source = (uint32_t)choice - 1, skip = (uint32_t)(choice >> 32);
  for (size_t i = 0; i < mpi->queue.size; i++) {
    const hd_mpi_message *m = &mpi->queue.data[i];
    if (m->from != source || m->to != p)
      continue;
    uint32_t by = goes_to(mpi, i);
    if (by == NONE)
      continue;
    if (!skip--) {
      *message = i;
      *request = by;
      return true;
    }
    if (!contested(mpi, post_of(&mpi->processes[p], by)))
      return false;
  }
  return false;
}

/* The receive that message `number` of the queue gets when only messages of its
 * sender are there; the first message behind the queue for number = size. */
static uint32_t receive_of(const hd_mpi *mpi, const hd_mpi_message *message) {
  hd_u32s taken = {0};
  uint32_t found = NONE;
  for (size_t i = 0; i < mpi->queue.size; i++) {
    const hd_mpi_message *m = &mpi->queue.data[i];
    if (m->from != message->from || m->to != message->to)
      continue;
    if (m->number == message->number)
      break;
    uint32_t by = claimant(mpi, m, &taken);
    if (by != NONE)
      hd_vec_push(&taken, by);
  }
  found = claimant(mpi, message, &taken);
  hd_vec_free(&taken);
  return found;
}

bool hd_mpi_expected(const hd_mpi *mpi, const hd_mpi_message *message) {
  return receive_of(mpi, message) != NONE;
}

bool hd_mpi_unclaimed(const hd_mpi *mpi, uint32_t p, uint32_t source,
                      const hd_mpi_post *post, size_t *message) {
  const hd_u32s nobody = {0};
  for (size_t i = 0; i < mpi->queue.size; i++) {
    const hd_mpi_message *m = &mpi->queue.data[i];
    if (m->from != source || m->to != p || !hd_mpi_fits(mpi, m, post))
      continue;
    *message = i;
    return claimant(mpi, m, &nobody) == NONE;
  }
  return false;
}

const hd_mpi_message *hd_mpi_find(const hd_mpi *mpi, uint64_t number) {
  for (hd_vec_each(hd_mpi_message, m, &mpi->queue))
    if (m->number == number)
      return m;
  return NULL;
}

void hd_mpi_sources(const hd_mpi *mpi, uint32_t p, hd_mpi_choices *out) {
  size_t message;
  uint32_t request;
  for (uint32_t s = 0; s < mpi->n; s++)
    for (uint64_t choice = (uint64_t)s + 1;
         hd_mpi_next_match(mpi, p, choice, &message, &request);
         choice += (uint64_t)1 << 32)
      hd_vec_push(out, choice);
}

void hd_mpi_arrivals(const hd_mpi *mpi, uint32_t p, bool all,
                     hd_mpi_choices *out) {
  hd_mpi_choices sources = {0};
  hd_mpi_sources(mpi, p, &sources);
  for (hd_vec_each(uint64_t, choice, &sources)) {
    size_t message;
    uint32_t request;
    bool found = hd_mpi_next_match(mpi, p, *choice, &message, &request);
    assert(found);
    if (found && (all || contested(mpi, post_of(&mpi->processes[p], request))))
      hd_vec_push(out, *choice | HD_MPI_ARRIVES);
  }
  hd_vec_free(&sources);
}

void hd_mpi_arrive_message(hd_mpi *mpi, uint32_t p, uint64_t choice) {
  size_t message;
  uint32_t request;
  bool found =
      hd_mpi_next_match(mpi, p, choice & ~HD_MPI_ARRIVES, &message, &request);
  assert(found);
  (void)found;
  hd_mpi_deliver(mpi, p, message, request);
}

/* The first message that has to be delivered so that message `at` can be. */
static size_t first_before(const hd_mpi *mpi, size_t at) {
  const hd_u32s nobody = {0};
  const hd_mpi_message *m = &mpi->queue.data[at];
  uint32_t by = claimant(mpi, m, &nobody);
  assert(by != NONE);
  const hd_mpi_post *post = post_of(&mpi->processes[m->to], by);
  for (size_t i = 0; i < at; i++) {
    const hd_mpi_message *before = &mpi->queue.data[i];
    if (before->from == m->from && before->to == m->to &&
        hd_mpi_fits(mpi, before, post))
      return first_before(mpi, i);
  }
  return at;
}

bool hd_mpi_match(hd_mpi *mpi, uint64_t number) {
  const hd_u32s nobody = {0};
  const hd_mpi_message *m;
  while (hd_mpi_runs(mpi) && (m = hd_mpi_find(mpi, number))) {
    uint32_t to = m->to, current = mpi->current;
    size_t at = first_before(mpi, (size_t)(m - mpi->queue.data));
    uint32_t by = claimant(mpi, &mpi->queue.data[at], &nobody);
    mpi->current = to;
    hd_mpi_deliver(mpi, to, at, by);
    hd_mpi_settle(mpi, to);
    mpi->current = current;
  }
  return hd_mpi_runs(mpi);
}

/* The sender notices that its message was taken. */
static void taken(hd_mpi *mpi, const hd_mpi_message *message) {
  hd_mpi_process *sender = &mpi->processes[message->from];
  if (message->request == HD_NO_ID)
    return;
  hd_mpi_request *request = &sender->requests.data[message->request];
  request->done = true;
  if (request->kind != HD_REQUEST_GIVEN_UP)
    return;
  hd_host_release(sender->machine, message->request);
  request->kind = HD_REQUEST_FREE;
}

void hd_mpi_deliver(hd_mpi *mpi, uint32_t p, size_t at, uint32_t request) {
  hd_mpi_process *process = &mpi->processes[p];
  hd_mpi_message message = mpi->queue.data[at];
  for (size_t i = at; i + 1 < mpi->queue.size; i++)
    mpi->queue.data[i] = mpi->queue.data[i + 1];
  mpi->queue.size--;
  taken(mpi, &message);
  process->known |= message.known;
  hd_mpi_call c = hd_mpi_call_of(mpi, p);
  c.ends = true;
  bool here = request == HD_NO_ID;
  hd_mpi_request *to =
      here ? &process->receive : &process->requests.data[request];
  hd_host_call begun = to->begun;
  if (!here && !hd_mpi_is_completion(c.call->fn) && begun.name)
    c.call = &begun; /* what it stands in has nothing to do with it */
  hd_mpi_post post = to->post;
  hd_mpi_tell_message(mpi, HD_MPI_RECEIVES, &message, c.call->edge,
                      here ? 0 : to->order + 1);
  if (hd_mpi_unpack(&c, post.address, post.count, post.type, message.data)) {
    to->done = true;
    to->source = (int32_t)hd_mpi_own_rank(mpi, message.comm, message.from);
    to->tag = message.tag;
    to->received = message.data->bytes.size;
    if (here) {
      process->posted = false;
      process->received = true;
    }
  }
  hd_mpi_data_drop(message.data);
}
