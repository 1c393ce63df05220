/* SPDX-License-Identifier: MIT */
#include "model/remark.h"

#include "base/str.h"

#include <string.h>

static const char *const names[] = {
#define X(name, text) text,
    HD_WHYS(X)
#undef X
};

const char *hd_why_name(hd_why why) {
  assert(why < HD_WHY_COUNT);
  return names[why];
}

hd_why hd_why_find(const char *name) {
  hd_why why = HD_WHY_OTHER;
  while (why < HD_WHY_COUNT && strcmp(names[why], name) != 0)
    why++;
  return why;
}

hd_why hd_why_stopped(hd_stop stop) {
  return stop == HD_STOP_TIME     ? HD_WHY_TIME
         : stop == HD_STOP_MEMORY ? HD_WHY_MEMORY
                                  : HD_WHY_OTHER;
}

void hd_remarks_add(hd_remarks *remarks, hd_why why, hd_property property,
                    const char *text) {
  assert((why == HD_WHY_UNASKED || why == HD_WHY_UP_TO) ==
         (property < HD_PROPERTY_COUNT));
  for (hd_vec_each(const hd_remark, r, remarks))
    if (!strcmp(r->text, text))
      return;
  hd_remark remark = {why, property, hd_strdup(text)};
  hd_vec_push(remarks, remark);
}

void hd_remarks_say(hd_remarks *remarks, const char *text) {
  hd_remarks_add(remarks, HD_WHY_OTHER, HD_PROPERTY_COUNT, text);
}

void hd_remarks_add_all(hd_remarks *remarks, const hd_remarks *from) {
  for (hd_vec_each(const hd_remark, r, from))
    hd_remarks_add(remarks, r->why, r->property, r->text);
}

void hd_remarks_drop(hd_remarks *remarks, hd_why why, hd_property property) {
  size_t kept = 0;
  for (hd_vec_each(hd_remark, r, remarks))
    if (r->why == why &&
        (property == HD_PROPERTY_COUNT || property == r->property))
      hd_free(r->text);
    else
      remarks->data[kept++] = *r;
  remarks->size = kept;
}

void hd_remarks_free(hd_remarks *remarks) {
  for (hd_vec_each(hd_remark, r, remarks))
    hd_free(r->text);
  hd_vec_free(remarks);
}
