/* SPDX-License-Identifier: MIT */
/* How the states of a model are written in evidence: by their names, bare where
 * that cannot be misread, else "quoted"; by @number where several states have
 * the same name. */
#ifndef HD_FRONT_EVIDENCE_LABELS_H
#define HD_FRONT_EVIDENCE_LABELS_H

#include "model/evidence.h"

typedef struct hd_labels hd_labels;

/* The places of `net`. */
hd_labels *hd_labels_of_places(const hd_net *net);
/* The shared states of `net`; with `control` not empty those of its split form,
 * which have the names of the control places. */
hd_labels *hd_labels_of_shared(const hd_net *net, const hd_u32s *control);
void hd_labels_delete(hd_labels *labels);

uint32_t hd_labels_size(const hd_labels *labels);
/* Appends state `id` as it is written; any number is safe. */
void hd_labels_put(const hd_labels *labels, hd_str *out, uint32_t id);

typedef enum { HD_LABEL_FOUND, HD_LABEL_UNKNOWN, HD_LABEL_SHARED } hd_label_fit;
/* The state with the name `text` (decoded, without quotes). HD_LABEL_SHARED: it
 * is the name of several. */
hd_label_fit hd_labels_find(const hd_labels *labels, const char *text,
                            size_t size, uint32_t *id);

#endif
