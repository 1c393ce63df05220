/* SPDX-License-Identifier: MIT */
/* Conditions of litmus tests: comparisons of places ("x", "[x]", "*x") and registers
 * ("1:r0") with numbers and addresses, joined by /\, \/ and ~. */
#include "front/litmus/tokens.h"

#include <ctype.h>
#include <string.h>

enum { DEEPEST = 200 };

static bool disjunction(litmus_reader *r, hd_str *out, unsigned depth);

static bool is_number(const litmus_reader *r) {
  return r->at < r->tokens.size &&
         isdigit((unsigned char)r->tokens.data[r->at].word.text[0]);
}

static hd_word take(litmus_reader *r) {
  return r->tokens.data[r->at++].word;
}

static bool register_of(litmus_reader *r, hd_str *out) {
  unsigned thread = (unsigned)hd_word_number(take(r));
  r->at++; /* the colon */
  if (r->at >= r->tokens.size || !r->tokens.data[r->at].name)
    return hd_litmus_expected(r, "the name of a register");
  hd_word name = take(r);
  litmus_register *found = hd_litmus_find_register(r, thread, name);
  if (!found)
    return hd_litmus_wrong(r, r->at - 1, "thread %u has no register '%s'",
                           thread, hd_quote(name).text);
  found->asked = true;
  hd_str_printf(out, "P%u_%.*s", thread, (int)name.size, name.text);
  return true;
}

static bool operand(litmus_reader *r, hd_str *out, bool value) {
  bool minus = hd_litmus_skip(r, "-");
  if (is_number(r)) {
    bool thread = r->at + 1 < r->tokens.size &&
                  hd_word_is(r->tokens.data[r->at + 1].word, ":");
    if (thread && !minus)
      return register_of(r, out);
    hd_word digits = take(r);
    hd_str_printf(out, "%s%.*s", minus ? "-" : "", (int)digits.size,
                  digits.text);
    return true;
  }
  bool bracket = hd_litmus_skip(r, "["), address = hd_litmus_skip(r, "&");
  if (!bracket && !address)
    hd_litmus_skip(r, "*");
  if (minus || r->at >= r->tokens.size || !r->tokens.data[r->at].name)
    return hd_litmus_expected(r,
                              "a place, a register such as 0:r0, or a number");
  hd_word name = take(r);
  if (!hd_litmus_find_place(r, name))
    return hd_litmus_wrong(r, r->at - 1, "there is no place '%s'",
                           hd_quote(name).text);
  if (bracket && !hd_litmus_skip(r, "]"))
    return hd_litmus_expected(r, "']'");
  hd_str_printf(out, "%s%.*s", value || address ? "&" : "", (int)name.size,
                name.text);
  if (!bracket && hd_litmus_is(r, "[")) {
    size_t from = r->at;
    r->at += 2;
    if (!hd_litmus_skip(r, "]"))
      return hd_litmus_expected(r, "']'");
    hd_word index = r->tokens.data[from + 1].word;
    hd_str_printf(out, "[%.*s]", (int)index.size, index.text);
  }
  return true;
}

static bool comparison(litmus_reader *r, hd_str *out) {
  if (hd_litmus_skip(r, "true") || hd_litmus_skip(r, "false")) {
    hd_str_puts(out,
                hd_word_is(r->tokens.data[r->at - 1].word, "true") ? "1" : "0");
    return true;
  }
  if (!operand(r, out, false))
    return false;
  if (hd_litmus_skip(r, "!")) {
    if (!hd_litmus_skip(r, "="))
      return hd_litmus_expected(r, "'='");
    hd_str_puts(out, " != ");
  } else if (hd_litmus_skip(r, "=")) {
    hd_litmus_skip(r, "=");
    hd_str_puts(out, " == ");
  } else
    return hd_litmus_expected(r, "'=' or '!='");
  return operand(r, out, true);
}

static bool factor(litmus_reader *r, hd_str *out, unsigned depth) {
  if (depth > DEEPEST)
    return hd_litmus_wrong(r, r->at, "the condition is too deep");
  if (hd_litmus_skip(r, "~") || hd_litmus_skip(r, "not")) {
    hd_str_puts(out, "!");
    return factor(r, out, depth + 1);
  }
  bool inner = hd_litmus_skip(r, "(");
  hd_str_puts(out, "(");
  if (!(inner ? disjunction(r, out, depth + 1) : comparison(r, out)))
    return false;
  if (inner && !hd_litmus_skip(r, ")"))
    return hd_litmus_expected(r, "')'");
  hd_str_puts(out, ")");
  return true;
}

/* "/\", which is two tokens; or "&&" and the like. */
static bool joined(litmus_reader *r, const char *sign) {
  const char first[2] = {sign[0]}, second[2] = {sign[1]};
  if (!hd_litmus_is(r, first))
    return false;
  r->at++;
  if (hd_litmus_skip(r, second))
    return true;
  r->at--;
  return false;
}

static bool conjunction(litmus_reader *r, hd_str *out, unsigned depth) {
  if (!factor(r, out, depth))
    return false;
  while (joined(r, "/\\") || joined(r, "&&")) {
    hd_str_puts(out, " && ");
    if (!factor(r, out, depth))
      return false;
  }
  return true;
}

static bool disjunction(litmus_reader *r, hd_str *out, unsigned depth) {
  if (!conjunction(r, out, depth))
    return false;
  while (joined(r, "\\/") || joined(r, "||")) {
    hd_str_puts(out, " || ");
    if (!conjunction(r, out, depth))
      return false;
  }
  return true;
}

bool hd_litmus_condition(litmus_reader *r, hd_str *out) {
  return disjunction(r, out, 0);
}
