/* SPDX-License-Identifier: MIT */
/* The structured comments of .tts that are honoured after all edges are read.
 * Private to this folder. */
#ifndef HD_FRONT_TTS_COMMENTS_H
#define HD_FRONT_TTS_COMMENTS_H

#include "front/text.h"
#include "front/tts/tts.h"

/* Each region begins after the comment's keyword. */
typedef struct {
  hd_vec(hd_region) names, inits, nets;
} hd_tts_comments;

/* Names and initial state; errors are reported. */
void hd_tts_apply_comments(hd_net *net, hd_tts_comments *comments,
                           hd_diag *diag);
/* There are `net` comments: the net they describe, if the file's edges (all of
 * them, in `file`) are its chain form, else NULL with diagnostics. */
hd_net *hd_tts_embedded(hd_net *file, hd_tts_comments *comments,
                        const hd_source *source, hd_diag *diag);

#endif
