/* SPDX-License-Identifier: MIT */
/* libFuzzer harness for the readers and writers of models. The first byte says
 * what the rest is:
 *   0 .tts   1 .spec   2 .pnml   3 target of a thread system   4 target of a net
 *   5 initial state of a thread system   6 initial state of a net
 * A model that is read is written in every format and read back, and must be
 * the same.
 *
 * Build this fuzzer, and the others, with clang:
 *   CC=clang meson setup build-fuzz -Dfuzz=true -Db_lundef=false
 *   ninja -C build-fuzz tests/fuzz/fuzz_front
 *   build-fuzz/tests/fuzz/fuzz_front CORPUS
 * What it finds belongs into found/front (found/NAME for fuzz_NAME). */
#include "fuzz.h"

#include "../unit/front_util.h"

#include "front/tts/tts.h"

/* Numbers of states that are fine but cost seconds. */
static bool is_slow(const char *text, size_t size) {
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

static bool fits(const hd_net *net, hd_format format) {
  hd_chain_size size = hd_chain_measure(net);
  return format != HD_FORMAT_TTS || net->format == HD_FORMAT_TTS ||
         size.shared + size.edges < 50000;
}

static void round_trip(const hd_net *net, hd_format format) {
  char *messages;
  char *text = fits(net, format) ? write_text(net, format, &messages)
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

static void model(const char *text, size_t size, hd_format format) {
  char *messages;
  if (format == HD_FORMAT_TTS && is_slow(text, size))
    return;
  hd_net *net = parse_bytes(text, size, format, &messages);
  fuzz_require(net || *messages, "a refused text has a message");
  hd_free(messages);
  if (net) {
    hd_net_check(net);
    for (int f = HD_FORMAT_TTS; f <= HD_FORMAT_PNML; f++)
      round_trip(net, (hd_format)f);
  }
  hd_net_delete(net);
}

static void option(const char *text, size_t size, bool threads, bool init) {
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
      round_trip(net, (hd_format)f);
  hd_diag_delete(diag);
  hd_free(copy);
  hd_net_delete(net);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t before = hd_mem_current();
  if (!size)
    return 0;
  const char *text = (const char *)data + 1;
  unsigned kind = data[0] % 7;
  if (kind < 3)
    model(text, size - 1, (hd_format)kind);
  else
    option(text, size - 1, kind % 2, kind > 4);
  fuzz_require(hd_mem_current() == before, "nothing leaks");
  return 0;
}
