/* SPDX-License-Identifier: MIT */
/* The judges. They share the model types with the engines and nothing else:
 * every rule of firing and of predecessors is written here a second time, in the
 * plainest way. A judge says yes only when it has verified every condition of
 * model/evidence.h on the given net; otherwise `why` gets one sentence naming
 * the step, transition or configuration that failed. Evidence may be malformed
 * in any way (ids out of range, unsorted vectors): that is a no, not a crash. */
#ifndef HD_CHECK_CHECK_H
#define HD_CHECK_CHECK_H

#include "model/evidence.h"

HD_MUST_USE bool hd_check_witness(const hd_net *net, const hd_witness *witness,
                                  hd_str *why);
HD_MUST_USE bool hd_check_cert(const hd_net *net, const hd_cert *cert,
                               hd_str *why);
/* As hd_check_cert for an HD_CERT_COVER, but targets do not matter and the
 * cover must be closed under every transition: for `heddle reach`. */
HD_MUST_USE bool hd_check_cover(const hd_net *net, const hd_cert *cert,
                                hd_str *why);

#endif
