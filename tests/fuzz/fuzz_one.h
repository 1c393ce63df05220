/* SPDX-License-Identifier: MIT */
/* What is fuzzed about readers and writers, for the fuzzer and for the test
 * that repeats what it found. The first byte says what the rest is:
 *   0 .tts   1 .spec   2 .pnml   3 target of a thread system   4 target of a net
 *   5 initial state of a thread system   6 initial state of a net
 * A model that is read is written in every format and read back, and must be
 * the same. Broken promises end the process. */
#ifndef HD_TESTS_FUZZ_ONE_H
#define HD_TESTS_FUZZ_ONE_H

#include "../unit/front_util.h"

#include "front/tts/tts.h"

static inline void fuzz_require(bool holds, const char *what) {
  if (!holds) {
    fprintf(stderr, "broken promise: %s\n", what);
    abort();
  }
}

/* Numbers of states that are fine but cost seconds. */
static inline bool fuzz_is_slow(const char *text, size_t size) {
  uint64_t value = 0;
  for (size_t i = 0; i <= size; i++) {
    bool digit = i < size && text[i] >= '0' && text[i] <= '9';
    if (digit && value <= HD_MAX_STATES)
      value = value * 10 + (uint64_t)(text[i] - '0');
    if (!digit && value > 5000 && value <= HD_MAX_STATES)
      return true;
    if (!digit)
      value = 0;
  }
  return false;
}

static inline bool fuzz_fits(const hd_net *net, hd_format format) {
  hd_chain_size size = hd_chain_measure(net);
  return format != HD_FORMAT_TTS || net->format == HD_FORMAT_TTS ||
         size.shared + size.edges < 50000;
}

static inline void fuzz_round_trip(const hd_net *net, hd_format format) {
  char *messages;
  char *text = fuzz_fits(net, format) ? write_text(net, format, &messages)
                                      : (messages = hd_strdup("error:"), NULL);
  fuzz_require(!text == (strstr(messages, "error:") != NULL),
               "refusal has a message");
  hd_free(messages);
  if (text) {
    hd_net *back = parse_bytes(text, strlen(text), format, &messages);
    if (!back)
      fprintf(stderr, "%s\n%s", messages, text);
    fuzz_require(back != NULL, "what is written can be read");
    const char *differs = difference(net, back);
    if (differs)
      fprintf(stderr, "%s differs:\n%s", differs, text);
    fuzz_require(!differs, "what is read back is the same");
    hd_free(messages);
    hd_net_delete(back);
  }
  hd_free(text);
}

static inline void fuzz_model(const char *text, size_t size, hd_format format) {
  char *messages;
  if (format == HD_FORMAT_TTS && fuzz_is_slow(text, size))
    return;
  hd_net *net = parse_bytes(text, size, format, &messages);
  fuzz_require(net || *messages, "a refused text has a message");
  hd_free(messages);
  if (net) {
    hd_net_check(net);
    for (int f = HD_FORMAT_TTS; f <= HD_FORMAT_PNML; f++)
      fuzz_round_trip(net, (hd_format)f);
  }
  hd_net_delete(net);
}

static inline void fuzz_option(const char *text, size_t size, bool threads,
                               bool init) {
  hd_net *net =
      threads ? parse_text("# heddle: name local 2 x\n3 4\n", HD_FORMAT_TTS)
              : parse_text("vars p q r rules init p=0,q=0,r=0", HD_FORMAT_MIST);
  char *copy = hd_strndup(text, size);
  hd_diag *diag = hd_diag_new();
  bool ok = init ? hd_front_set_init(net, copy, "--init", diag)
                 : hd_front_set_target(net, copy, "--target", diag);
  fuzz_require(ok == !hd_diag_errors(diag), "errors are reported");
  hd_net_check(net);
  if (ok)
    for (int f = HD_FORMAT_TTS; f <= HD_FORMAT_PNML; f++)
      fuzz_round_trip(net, (hd_format)f);
  hd_diag_delete(diag);
  hd_free(copy);
  hd_net_delete(net);
}

static inline void fuzz_one(const char *data, size_t size) {
  size_t before = hd_mem_current();
  if (!size)
    return;
  unsigned kind = (unsigned char)data[0] % 7;
  if (kind < 3)
    fuzz_model(data + 1, size - 1, (hd_format)kind);
  else
    fuzz_option(data + 1, size - 1, kind % 2, kind > 4);
  fuzz_require(hd_mem_current() == before, "nothing leaks");
}

#endif
