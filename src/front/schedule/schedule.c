/* SPDX-License-Identifier: MIT */
#include "front/schedule/schedule.h"

#include "front/text.h"

#include <inttypes.h>
#include <string.h>

/* More turns than this are not read: 16 bytes each. */
#define TURNS_MOST ((size_t)1 << 26)
#define EXPECTED "a schedule: 'heddle schedule 1'"

/* Of all lines but those with the names of files, which differ with the place
 * the command is given in. */
uint64_t hd_turns_program(const hd_code *code) {
  hd_str text = {0};
  hd_code_print(&text, code);
  uint64_t hash = 1;
  const char *line = hd_str_text(&text);
  while (*line) {
    size_t size = strcspn(line, "\n");
    if (strncmp(line, "file ", 5) != 0)
      hash = hd_hash_mix(hash, hd_hash_bytes(line, size));
    line += size + (line[size] == '\n');
  }
  hd_str_free(&text);
  return hash;
}

static void print_remark(hd_str *out, const char *remark) {
  while (remark && *remark) {
    size_t size = strcspn(remark, "\n");
    hd_str_puts(out, "# ");
    hd_str_append(out, remark, size);
    hd_str_puts(out, "\n");
    remark += size + (remark[size] == '\n');
  }
}

static void print_start(hd_str *out, const hd_start *start) {
  if (start->processes)
    hd_str_printf(out, "processes %u\n", start->processes);
  for (hd_vec_each(const hd_setting, s, &start->inputs))
    hd_str_printf(out, "input %s %s\n", s->name, s->value);
}

static void print_source(hd_str *out, const char *word, uint32_t turn) {
  if (turn == HD_TURN_INITIAL)
    hd_str_printf(out, " %s initial", word);
  else if (turn)
    hd_str_printf(out, " %s %" PRIu32, word, turn);
}

void hd_turns_print(hd_str *out, const hd_start *start, const hd_turns *turns,
                    const hd_code *code, const char *remark) {
  hd_str_puts(out, "heddle schedule 1\n");
  hd_str_printf(out, "program %016" PRIx64 "\n", hd_turns_program(code));
  print_remark(out, remark);
  if (start)
    print_start(out, start);
  for (hd_vec_each(const hd_turn, turn, turns)) {
    hd_str_printf(out, "%u %" PRIu64, turn->thread, turn->choice);
    print_source(out, "from", turn->from);
    print_source(out, "after", turn->after);
    hd_str_puts(out, "\n");
  }
  hd_str_puts(out, "end\n");
}

/* --- reading --- */

typedef struct {
  hd_region line; /* its rest, without the comment */
  size_t next;    /* offset of the next line */
  hd_diag *diag;
} reader;

/* The next line that has words; false at the end. */
static bool next_line(reader *r) {
  const hd_source *source = r->line.source;
  while (r->next < source->size) {
    const char *start = source->text + r->next;
    const char *end = memchr(start, '\n', source->size - r->next);
    size_t size = end ? (size_t)(end - start) : source->size - r->next;
    const char *comment = memchr(start, '#', size);
    r->line.at = r->line.line_start = r->next;
    r->line.end = r->next + (comment ? (size_t)(comment - start) : size);
    r->line.line++;
    r->next += size + (end != NULL);
    hd_region ahead = r->line;
    hd_word word;
    if (hd_region_word(&ahead, &word))
      return true;
  }
  return false;
}

static bool expected(reader *r, const char *what) {
  hd_diag_error(r->diag, r->line.source, hd_region_here(&r->line),
                "expected %s", what);
  return false;
}

static bool missing(reader *r, const char *what) {
  hd_diag_file_error(r->diag, r->line.source->name,
                     "the file ends where %s was expected", what);
  return false;
}

static bool line_is_over(reader *r) {
  hd_region ahead = r->line;
  hd_word word;
  return !hd_region_word(&ahead, &word) || expected(r, "the end of the line");
}

static bool read_word(reader *r, const char *text) {
  hd_region ahead = r->line;
  hd_word word;
  if (!hd_region_word(&ahead, &word) || !hd_word_is(word, text)) {
    hd_str what = {0};
    hd_str_printf(&what, "'%s'", text);
    expected(r, hd_str_text(&what));
    hd_str_free(&what);
    return false;
  }
  r->line = ahead;
  return true;
}

static bool read_head(reader *r) {
  if (!next_line(r))
    return missing(r, EXPECTED);
  hd_region ahead = r->line;
  hd_word word;
  if (!hd_region_word(&ahead, &word) || !hd_word_is(word, "heddle") ||
      !hd_region_word(&ahead, &word) || !hd_word_is(word, "schedule"))
    return expected(r, EXPECTED);
  r->line = ahead;
  if (!hd_region_word(&ahead, &word) || !hd_word_is(word, "1"))
    return expected(r, "version 1");
  r->line = ahead;
  return line_is_over(r);
}

static bool read_program(reader *r, const hd_code *code) {
  if (!next_line(r))
    return missing(r, "'program'");
  if (!read_word(r, "program"))
    return false;
  char mine[20];
  snprintf(mine, sizeof mine, "%016" PRIx64, hd_turns_program(code));
  hd_region ahead = r->line;
  hd_word word;
  if (!hd_region_word(&ahead, &word))
    return expected(r, "the program's hash");
  if (!hd_word_is(word, mine)) {
    hd_diag_error(r->diag, r->line.source, hd_region_here(&r->line),
                  "the schedule was made for another program: this one is %s",
                  mine);
    return false;
  }
  r->line = ahead;
  return line_is_over(r);
}

/* Up to 2^64 - 1, unlike hd_word_number. */
static bool read_number(reader *r, const char *what, uint64_t most,
                        uint64_t *value) {
  hd_region ahead = r->line;
  hd_word word;
  if (!hd_region_word(&ahead, &word) || !hd_word_is_number(word))
    return expected(r, what);
  *value = 0;
  for (size_t i = 0; i < word.size; i++) {
    uint64_t digit = (uint64_t)(word.text[i] - '0');
    if (*value > (most - digit) / 10) {
      hd_diag_error(r->diag, r->line.source, hd_region_here(&r->line),
                    "%s is too large", what);
      return false;
    }
    *value = 10 * *value + digit;
  }
  r->line = ahead;
  return true;
}

static bool at_word(const reader *r, const char *text) {
  hd_region ahead = r->line;
  hd_word word;
  return hd_region_word(&ahead, &word) && hd_word_is(word, text);
}

/* "from 3", "after initial"; nothing where the word is not next. */
static bool read_source(reader *r, const char *word, uint32_t *turn) {
  uint64_t number;
  if (!at_word(r, word))
    return true;
  if (!read_word(r, word))
    return false;
  if (at_word(r, "initial")) {
    *turn = HD_TURN_INITIAL;
    return read_word(r, "initial");
  }
  if (!read_number(r, "the number of a turn, or 'initial'", UINT32_MAX - 1,
                   &number))
    return false;
  *turn = (uint32_t)number;
  return number || expected(r, "the number of a turn, from 1");
}

static bool read_turn(reader *r, hd_turns *turns) {
  uint64_t thread, choice;
  uint32_t from = 0, after = 0;
  if (!read_number(r, "the number of a thread, or 'end'", UINT32_MAX - 1,
                   &thread) ||
      !read_number(r, "the number of a choice", UINT64_MAX, &choice) ||
      !read_source(r, "from", &from) || !read_source(r, "after", &after) ||
      !line_is_over(r))
    return false;
  if (turns->size == TURNS_MOST)
    return expected(r, "'end': there are too many turns");
  hd_turn turn = {
      .thread = (hd_tid)thread, .choice = choice, .from = from, .after = after};
  hd_vec_push(turns, turn);
  return true;
}

static bool read_processes(reader *r, hd_start *start) {
  uint64_t n;
  if (!read_word(r, "processes") ||
      !read_number(r, "the number of processes", HD_PROCESSES_MOST, &n) ||
      !line_is_over(r))
    return false;
  if (!n || start->processes)
    return expected(r, n ? "'processes' once" : "at least one process");
  start->processes = (uint32_t)n;
  return true;
}

static bool read_input(reader *r, hd_start *start) {
  hd_word name, value;
  if (!read_word(r, "input"))
    return false;
  if (!hd_region_word(&r->line, &name) || !hd_region_word(&r->line, &value))
    return expected(r, "the name of an input and its value");
  if (!line_is_over(r))
    return false;
  hd_setting setting = {hd_strndup(name.text, name.size),
                        hd_strndup(value.text, value.size)};
  hd_vec_push(&start->inputs, setting);
  return true;
}

bool hd_turns_belong(const hd_source *source, const hd_code *code) {
  reader r = {.line = hd_region_all(source)};
  hd_word word;
  char mine[20];
  snprintf(mine, sizeof mine, "%016" PRIx64, hd_turns_program(code));
  return next_line(&r) && next_line(&r) && hd_region_word(&r.line, &word) &&
         hd_word_is(word, "program") && hd_region_word(&r.line, &word) &&
         hd_word_is(word, mine);
}

bool hd_turns_parse(const hd_source *source, const hd_code *code,
                    hd_start *start, hd_turns *turns, hd_diag *diag) {
  reader r = {.line = hd_region_all(source), .diag = diag};
  r.line.line = 0;
  if (!hd_text_check(source, EXPECTED, diag) || !read_head(&r) ||
      !read_program(&r, code))
    return false;
  while (next_line(&r)) {
    if (at_word(&r, "end"))
      return read_word(&r, "end") && line_is_over(&r) &&
             (!next_line(&r) || expected(&r, "nothing behind 'end'"));
    bool good = turns->size                ? read_turn(&r, turns)
                : at_word(&r, "processes") ? read_processes(&r, start)
                : at_word(&r, "input")     ? read_input(&r, start)
                                           : read_turn(&r, turns);
    if (!good)
      return false;
  }
  return missing(&r, "'end'");
}
