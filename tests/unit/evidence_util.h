/* SPDX-License-Identifier: MIT */
/* Nets, witnesses and certificates from short texts, for the tests of the
 * judges and of the evidence format.
 *
 * A net is a list of statements separated by `;`:
 *   i S              the initial shared state
 *   m P MIN MAX      initial tokens, MAX may be `w`
 *   t S S' item…     a transition; items: -P or -P*N pre, +P or +P*N post,
 *                    P>Q a move, P>! a reset, P<=C an upper guard
 *   g S item…        a target (S may be `*`); items: P or P*N, P<=C
 * Vectors are texts like `0 3*2 5*w`. */
#ifndef HD_TESTS_EVIDENCE_UTIL_H
#define HD_TESTS_EVIDENCE_UTIL_H

#include "check/check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

typedef struct {
  hd_token_vec pre, post, caps;
  hd_vec(hd_move) moves;
} items;

static inline hd_count read_count(const char *text) {
  return *text == 'w' ? HD_OMEGA : (hd_count)strtoul(text, NULL, 10);
}

static inline hd_token read_token(const char *text) {
  char *end;
  hd_token token = {.place = (hd_place_id)strtoul(text, &end, 10), .count = 1};
  if (*end == '*')
    token.count = read_count(end + 1);
  else
    assert(!*end);
  return token;
}

static inline void read_item(items *into, const char *text) {
  const char *guard = strstr(text, "<="), *move = strchr(text, '>');
  hd_place_id place = (hd_place_id)strtoul(text, NULL, 10);
  if (guard) {
    hd_token cap = {.place = place, .count = read_count(guard + 2)};
    hd_vec_push(&into->caps, cap);
  } else if (move) {
    hd_move m = {.from = place,
                 .to = move[1] == '!' ? HD_NOWHERE : read_count(move + 1)};
    hd_vec_push(&into->moves, m);
  } else if (*text == '+') {
    hd_vec_push(&into->post, read_token(text + 1));
  } else {
    hd_vec_push(&into->pre, read_token(text + (*text == '-')));
  }
}

static inline void items_free(items *into) {
  hd_vec_free(&into->pre);
  hd_vec_free(&into->post);
  hd_vec_free(&into->caps);
  hd_vec_free(&into->moves);
}

static inline void read_statement(hd_net *net, char *text, uint32_t line) {
  char *save, *word = strtok_r(text, " ", &save), *arg[2] = {NULL, NULL};
  if (!word)
    return;
  items it = {0};
  for (int i = 0; i < (*word == 't' ? 2 : 1); i++)
    arg[i] = strtok_r(NULL, " ", &save);
  uint32_t first = (uint32_t)strtoul(arg[0], NULL, 10);
  if (*word == 'i') {
    net->init_shared = first;
  } else if (*word == 'm') {
    net->init[first].min = read_count(strtok_r(NULL, " ", &save));
    net->init[first].max = read_count(strtok_r(NULL, " ", &save));
  } else {
    for (char *item; (item = strtok_r(NULL, " ", &save));)
      read_item(&it, item);
    hd_trans_spec spec = {.from = first,
                          .to = arg[1] ? read_count(arg[1]) : 0,
                          .pre = hd_token_vec_view(&it.pre),
                          .post = hd_token_vec_view(&it.post),
                          .caps = hd_token_vec_view(&it.caps),
                          .moves = it.moves.data,
                          .n_moves = it.moves.size,
                          .line = line};
    if (*word == 't')
      assert_true(hd_net_add_trans(net, &spec));
    else
      assert_true(hd_net_add_target(net, *arg[0] == '*' ? HD_ANY_SHARED : first,
                                    spec.pre, spec.caps, 0));
  }
  items_free(&it);
}

static inline hd_net *make_net(uint32_t n_shared, uint32_t n_places,
                               const char *text) {
  hd_net *net = hd_net_new(HD_FORMAT_TTS, "test.tts", n_shared, n_places);
  char *copy = hd_strdup(text), *save;
  uint32_t line = 1;
  for (char *s = strtok_r(copy, ";", &save); s; s = strtok_r(NULL, ";", &save))
    read_statement(net, s, line++);
  hd_free(copy);
  hd_net_finish(net);
  return net;
}

static inline hd_token_vec make_vector(const char *text) {
  hd_token_vec v = {0};
  char *copy = hd_strdup(text), *save;
  for (char *w = strtok_r(copy, " ", &save); w; w = strtok_r(NULL, " ", &save))
    hd_vec_push(&v, read_token(w));
  hd_free(copy);
  return v;
}

/* --- certificates --- */

static inline void add_config(hd_cert *cert, hd_shared_id s, const char *text) {
  hd_token_vec v = make_vector(text);
  hd_cert_add_config(cert, s, hd_token_vec_view(&v));
  hd_vec_free(&v);
}

static inline void add_row(hd_cert *cert, hd_shared_id s, const char *text) {
  if (!cert->rows)
    hd_cert_add_rows(cert);
  uint64_t *row = hd_cert_row(cert, s);
  hd_token_vec v = make_vector(text);
  for (size_t i = 0; i < v.size; i++)
    hd_bits_set(row, v.data[i].place);
  hd_vec_free(&v);
}

/* `potential` and `weight` are lists of numbers, one a state; the first may be
 * NULL. */
static inline void add_linear(hd_cert *cert, int64_t bound,
                              const char *potential, const char *weight) {
  hd_linear *linear = hd_cert_add_linear(cert);
  linear->bound = bound;
  char *end = (char *)(uintptr_t)potential;
  for (uint32_t s = 0; potential && s < cert->n_shared; s++)
    linear->potential[s] = strtoll(end, &end, 10);
  end = (char *)(uintptr_t)weight;
  for (uint32_t p = 0; p < cert->n_places; p++)
    linear->weight[p] = strtoll(end, &end, 10);
}

static inline hd_cert *backward_cert(const hd_net *net) {
  return hd_cert_new(HD_CERT_BACKWARD, net->n_shared, net->n_places);
}

static inline hd_cert *cover_cert(const hd_net *net) {
  return hd_cert_new(HD_CERT_COVER, net->n_shared, net->n_places);
}

/* --- witnesses --- */

/* `steps` are transition numbers. */
static inline hd_witness *make_witness(const char *init, const char *steps) {
  hd_witness *w = hd_witness_new();
  w->init = make_vector(init);
  char *end = (char *)(uintptr_t)steps;
  for (;;) {
    char *start = end;
    unsigned long t = strtoul(start, &end, 10);
    if (end == start)
      return w;
    hd_vec_push(&w->steps, ((hd_step){.trans = (hd_trans_id)t}));
  }
}

/* Adds a choice to the last step. */
static inline void add_choice(hd_witness *w, hd_place_id from, hd_place_id to,
                              hd_count count) {
  hd_step *step = &hd_vec_last(&w->steps);
  if (!step->choices.size)
    step->choices.start = (uint32_t)w->choices.size;
  step->choices.size++;
  hd_vec_push(&w->choices,
              ((hd_choice){.from = from, .to = to, .count = count}));
}

/* --- fixtures --- */

/* A net, a witness and a certificate, of which a test uses some. */
typedef struct {
  hd_net *net;
  hd_witness *w;
  hd_cert *c;
} bench;

static inline void done(bench b) {
  hd_net_delete(b.net);
  hd_witness_delete(b.w);
  hd_cert_delete(b.c);
}

static inline bench with_witness(hd_net *net, const char *init,
                                 const char *steps) {
  return (bench){.net = net, .w = make_witness(init, steps)};
}

static inline bench with_backward(hd_net *net) {
  return (bench){.net = net, .c = backward_cert(net)};
}

static inline bench with_cover(hd_net *net) {
  return (bench){.net = net, .c = cover_cert(net)};
}

/* Paper 000, figure 1(a). */
#define FIGURE                                                                 \
  "m 0 0 w;"                                                                   \
  "t 0 1 -0 +1; t 1 2 -0 +1; t 2 3 -0 +1; t 3 1 -1 +2;"                        \
  "t 3 4 -2 +3; t 4 5 -2 +4; t 5 6 -4 +3;"

/* --- judgements --- */

/* `reason` NULL: accepted; else refused with a sentence that has this part. */
static inline void expect(bool accepted, hd_str *why, const char *reason,
                          const char *file, int line) {
  const char *text = hd_str_text(why);
  bool right =
      reason ? !accepted && strstr(text, reason) : accepted && !why->size;
  if (!right) {
    print_error("expected %s%s, got %s%s\n", reason ? "refused: " : "accepted",
                reason ? reason : "",
                accepted ? "accepted" : "refused: ", text);
    _fail(file, line);
  }
  hd_str_free(why);
}

static inline void expect_witness(const hd_net *net, const hd_witness *w,
                                  const char *reason, const char *file,
                                  int line) {
  hd_str why = {0};
  bool accepted = hd_check_witness(net, w, &why);
  expect(accepted, &why, reason, file, line);
}

static inline void expect_cert(const hd_net *net, const hd_cert *cert,
                               const char *reason, const char *file, int line) {
  hd_str why = {0};
  bool accepted = hd_check_cert(net, cert, &why);
  expect(accepted, &why, reason, file, line);
}

static inline void expect_closed(const hd_net *net, const hd_cert *cert,
                                 const char *reason, const char *file,
                                 int line) {
  hd_str why = {0};
  bool accepted = hd_check_cover(net, cert, &why);
  expect(accepted, &why, reason, file, line);
}

#define accept_witness(net, w) expect_witness(net, w, NULL, __FILE__, __LINE__)
#define refuse_witness(net, w, reason)                                         \
  expect_witness(net, w, reason, __FILE__, __LINE__)
#define accept_cert(net, cert) expect_cert(net, cert, NULL, __FILE__, __LINE__)
#define refuse_cert(net, cert, reason)                                         \
  expect_cert(net, cert, reason, __FILE__, __LINE__)
#define accept_closed(net, cert)                                               \
  expect_closed(net, cert, NULL, __FILE__, __LINE__)
#define refuse_closed(net, cert, reason)                                       \
  expect_closed(net, cert, reason, __FILE__, __LINE__)

#endif
