/* SPDX-License-Identifier: MIT */
#include "report/markup.h"

void hd_markup_text(hd_str *out, const char *text) {
  for (; *text; text++)
    switch (*text) {
    case '<':
      hd_str_puts(out, "&lt;");
      break;
    case '>':
      hd_str_puts(out, "&gt;");
      break;
    case '&':
      hd_str_puts(out, "&amp;");
      break;
    case '"':
      hd_str_puts(out, "&quot;");
      break;
    default:
      hd_str_append(out, (unsigned char)*text < 32 ? " " : text, 1);
    }
}
