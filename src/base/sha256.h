/* SPDX-License-Identifier: MIT */
/* SHA-256 (FIPS 180-4): names of contents, where a mistaken identity would be a
 * wrong answer. */
#ifndef HD_BASE_SHA256_H
#define HD_BASE_SHA256_H

#include "base/common.h"

typedef struct {
  uint32_t state[8];
  uint64_t size; /* bytes up to now */
  unsigned char block[64];
} hd_sha256;

void hd_sha256_start(hd_sha256 *sha);
void hd_sha256_add(hd_sha256 *sha, const void *data, size_t size);
/* The digest as 64 letters and a zero byte. */
void hd_sha256_end(hd_sha256 *sha, char text[65]);

#endif
