/* SPDX-License-Identifier: MIT */
/* The .tts format: reading, writing, and the translation of nets into chains
 * of thread edges. docs/formats.md, section 1. */
#ifndef HD_FRONT_TTS_TTS_H
#define HD_FRONT_TTS_TTS_H

#include "base/diag.h"
#include "model/net.h"

/* NULL when an error was reported. */
hd_net *hd_tts_read(const hd_source *source, hd_diag *diag);
/* Appends the text; false, with a diagnostic, when .tts cannot say it. */
HD_MUST_USE bool hd_tts_write(const hd_net *net, hd_str *out, hd_diag *diag);

/* The size of the chain form of `net`, which may be beyond what a net can
 * hold. */
typedef struct {
  uint64_t shared, edges;
} hd_chain_size;
hd_chain_size hd_chain_measure(const hd_net *net);

/* The chain form of a net with one shared state and no caps, of a size within
 * HD_MAX_STATES: a thread system that covers its one target exactly when `net`
 * covers one of its own. */
hd_net *hd_chain_build(const hd_net *net);

#endif
