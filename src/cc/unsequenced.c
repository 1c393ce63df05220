/* SPDX-License-Identifier: MIT */
#include "cc/unsequenced.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What clang says, and the text of the place; NULL: the variable comes next. */
static const struct {
  const char *said, *text;
} texts[] = {
    {": warning: multiple unsequenced modifications to '", NULL},
    {": warning: unsequenced modification and access to '", NULL},
    {": warning: overflow in expression", HD_CC_COMPUTED "signed overflow"},
};

/* The number before `end`, and where it begins: behind a colon. */
static const char *number_before(const char *line, const char *end,
                                 uint32_t *number) {
  const char *at = end;
  while (at > line && at[-1] >= '0' && at[-1] <= '9')
    at--;
  *number = (uint32_t)strtoul(at, NULL, 10);
  return at > line && at < end && at[-1] == ':' ? at - 1 : NULL;
}

/* FILE:LINE:COLUMN: warning: … 'NAME' … */
static bool read_place(const char *line, hd_arena *arena, cc_pragma *place) {
  for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
    const char *found = strstr(line, texts[i].said), *end = strchr(line, '\n');
    if (!found || (end && found > end))
      continue;
    const char *name = found + strlen(texts[i].said);
    const char *at = number_before(line, found, &place->column);
    at = at ? number_before(line, at, &place->line) : NULL;
    if (!at)
      continue;
    hd_str text = {0};
    if (texts[i].text)
      hd_str_puts(&text, texts[i].text);
    else
      hd_str_printf(&text, HD_CC_UNSEQUENCED "%.*s", (int)strcspn(name, "'\n"),
                    name);
    place->file = hd_arena_strndup(arena, line, (size_t)(at - line));
    place->text = hd_arena_strndup(arena, hd_str_text(&text), text.size);
    hd_str_free(&text);
    return true;
  }
  return false;
}

/* Source lines and carets below a message, and the sum at the end. */
static bool belongs_to_it(const char *line) {
  return *line == ' ' || strstr(line, " generated.") != NULL;
}

void hd_cc_take_unsequenced(const char *messages, hd_arena *arena,
                            cc_pragmas *out) {
  bool dropped = false;
  for (const char *line = messages; *line;) {
    size_t n = strcspn(line, "\n");
    n += line[n] == '\n';
    cc_pragma place;
    bool ours = read_place(line, arena, &place);
    if (ours)
      hd_vec_push(out, place);
    dropped = ours || (dropped && belongs_to_it(line));
    if (!dropped)
      fwrite(line, 1, n, stderr);
    line += n;
  }
}

static const char *behind(const cc_pragma *pragma, const char *beginning) {
  size_t n = strlen(beginning);
  return strncmp(pragma->text, beginning, n) ? NULL : pragma->text + n;
}

const char *hd_cc_unsequenced(const cc_pragma *pragma) {
  return behind(pragma, HD_CC_UNSEQUENCED);
}

const char *hd_cc_computed(const cc_pragma *pragma) {
  return behind(pragma, HD_CC_COMPUTED);
}
