/* SPDX-License-Identifier: MIT */
#include "report/describe.h"

#include <stdio.h>
#include <string.h>

void hd_describe_count(hd_str *out, uint64_t n) {
  char digits[32];
  int length = snprintf(digits, sizeof digits, "%llu", (unsigned long long)n);
  for (int i = 0; i < length; i++) {
    if (i && (length - i) % 3 == 0)
      hd_str_puts(out, ",");
    hd_str_append(out, digits + i, 1);
  }
}

void hd_describe_counted(hd_str *out, uint64_t n, const char *noun,
                         const char *plural) {
  hd_describe_count(out, n);
  hd_str_printf(out, " %s%s", noun, n == 1 ? "" : plural);
}

const char *hd_describe_format(const hd_net *net) {
  switch (net->format) {
  case HD_FORMAT_TTS:
    return "thread system";
  case HD_FORMAT_MIST:
    return "mist net";
  case HD_FORMAT_PNML:
    return "PNML net";
  }
  hd_bug("format %d", (int)net->format);
}

const char *hd_describe_trans_noun(const hd_net *net) {
  return net->format == HD_FORMAT_TTS ? "edge" : "transition";
}

void hd_describe_size(hd_str *out, const hd_net *net) {
  bool threads = net->format == HD_FORMAT_TTS;
  if (threads || net->n_shared > 1) {
    hd_describe_counted(out, net->n_shared, "shared state", "s");
    hd_str_puts(out, ", ");
  }
  hd_describe_counted(out, net->n_places, threads ? "local state" : "place",
                      "s");
  hd_str_puts(out, ", ");
  hd_describe_counted(out, net->trans.size, hd_describe_trans_noun(net), "s");
}

/* "exactly 1 thread in 0", "at least 2 threads in 0", … */
static void describe_threads(hd_str *out, const hd_net *net, hd_place_id p) {
  hd_init init = net->init[p];
  bool open = init.max == HD_OMEGA;
  if (open && !init.min)
    hd_str_puts(out, "any number of threads");
  else if (open) {
    hd_str_puts(out, "at least ");
    hd_describe_counted(out, init.min, "thread", "s");
  } else if (init.min == init.max) {
    hd_str_puts(out, "exactly ");
    hd_describe_counted(out, init.min, "thread", "s");
  } else
    hd_str_printf(out, "%u to %u threads", init.min, init.max);
  hd_str_puts(out, " in ");
  hd_net_print_place(out, net, p);
}

static void describe_tokens(hd_str *out, const hd_net *net, hd_place_id p) {
  hd_init init = net->init[p];
  hd_net_print_place(out, net, p);
  if (init.max == HD_OMEGA)
    hd_str_printf(out, ">=%u", init.min);
  else if (init.min == init.max)
    hd_str_printf(out, "=%u", init.min);
  else
    hd_str_printf(out, " in [%u,%u]", init.min, init.max);
}

void hd_describe_init(hd_str *out, const hd_net *net, size_t most) {
  bool threads = net->format == HD_FORMAT_TTS;
  const char *separator = "";
  if (threads) {
    hd_str_puts(out, "shared state ");
    hd_net_print_shared(out, net, net->init_shared);
    separator = ", ";
  }
  size_t named = 0, more = 0;
  for (hd_place_id p = 0; p < net->n_places; p++) {
    if (!net->init[p].max)
      continue;
    if (most && named == most) {
      more++;
      continue;
    }
    named++;
    hd_str_puts(out, separator);
    separator = ", ";
    if (threads)
      describe_threads(out, net, p);
    else
      describe_tokens(out, net, p);
  }
  if (more) {
    hd_str_puts(out, " and ");
    hd_describe_count(out, more);
    hd_str_puts(out, " more");
  }
  if (!named)
    hd_str_puts(out, threads ? ", no thread" : "no token");
}

void hd_describe_target(hd_str *out, const hd_net *net, size_t target) {
  const hd_target *t = &net->targets.data[target];
  hd_tokens need = hd_net_view(net, t->need), caps = hd_net_view(net, t->caps);
  if (net->format == HD_FORMAT_TTS && !caps.size) {
    hd_net_print_config(out, net, t->shared, need);
    return;
  }
  if (net->n_shared > 1) {
    hd_net_print_shared(out, net, t->shared);
    hd_str_puts(out, "|");
  }
  const char *separator = "";
  for (size_t i = 0; i < need.size; i++, separator = ",") {
    hd_str_puts(out, separator);
    hd_net_print_place(out, net, need.data[i].place);
    hd_str_printf(out, ">=%u", need.data[i].count);
  }
  for (size_t i = 0; i < caps.size; i++, separator = ",") {
    hd_str_puts(out, separator);
    hd_net_print_place(out, net, caps.data[i].place);
    hd_str_printf(out, "<=%u", caps.data[i].count);
  }
  if (!*separator)
    hd_str_puts(out, "anything");
}

void hd_describe_features(hd_str *out, const hd_net *net, unsigned features) {
  bool threads = net && net->format == HD_FORMAT_TTS;
  const struct {
    hd_feature feature;
    const char *phrase;
  } phrases[] = {
      {HD_HAS_MOVES, threads ? "broadcasts" : "transfers"},
      {HD_HAS_CHOICE, "transfers with a choice"},
      {HD_HAS_RESETS, "resets"},
      {HD_HAS_CAPS, "upper guards"},
      {HD_HAS_TARGET_CAPS, "targets with upper bounds"},
      {HD_HAS_UNBOUNDED, "unboundedly many initial tokens"},
      {HD_HAS_WEIGHTS, "weights"},
  };
  const char *separator = "";
  for (size_t i = 0; i < sizeof phrases / sizeof *phrases; i++)
    if (features & phrases[i].feature) {
      hd_str_printf(out, "%s%s", separator, phrases[i].phrase);
      separator = ", ";
    }
}

void hd_describe_shortened(hd_str *out, const char *text, size_t most) {
  size_t length = strlen(text);
  assert(most >= 8);
  if (length <= most) {
    hd_str_puts(out, text);
    return;
  }
  size_t head = (most - 3) * 2 / 3, tail = most - 3 - head;
  hd_str_append(out, text, head);
  hd_str_puts(out, "...");
  hd_str_puts(out, text + length - tail);
}
