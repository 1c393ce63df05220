/* SPDX-License-Identifier: MIT */
#include "api/answer.h"

#include "api/code.h"
#include "front/evidence/evidence.h"
#include "front/schedule/schedule.h"

#include <stdlib.h>
#include <string.h>

static const char *const first_line = "heddle answer 1\n";

/* --- writing --- */

static void put_text(hd_str *out, const char *text) {
  for (; *text; text++)
    switch (*text) {
    case '\n':
      hd_str_puts(out, "\\n");
      break;
    case '\t':
      hd_str_puts(out, "\\t");
      break;
    case '\\':
      hd_str_puts(out, "\\\\");
      break;
    default:
      hd_str_append(out, text, 1);
    }
}

static void put_line(hd_str *out, const char *key, const char *text) {
  if (!text)
    return;
  hd_str_printf(out, "%s ", key);
  put_text(out, text);
  hd_str_puts(out, "\n");
}

static void put_why(hd_str *out, hd_why why) {
  if (why != HD_WHY_OTHER)
    put_line(out, "why", hd_why_name(why));
}

/* Those with a code have it and the property in front. */
static void put_remark(hd_str *out, const hd_remark *remark) {
  if (remark->why != HD_WHY_OTHER)
    put_line(out, "kind", hd_why_name(remark->why));
  if (remark->property < HD_PROPERTY_COUNT)
    put_line(out, "about", hd_property_name(remark->property));
  put_line(out, "note", remark->text);
}

static void put_evidence(hd_str *out, const hd_str *text) {
  hd_str_printf(out, "evidence %zu\n", text->size);
  hd_str_append(out, hd_str_text(text), text->size);
  hd_str_puts(out, "\n");
}

static void put_stats(hd_str *out, const hd_result *result) {
  for (hd_vec_each(const hd_stat, stat, &result->stats)) {
    hd_str_puts(out, "stat ");
    put_text(out, stat->name);
    hd_str_puts(out, "\t");
    put_text(out, stat->unit ? stat->unit : "");
    hd_str_printf(out, "\t%.17g\t", stat->value);
    put_text(out, stat->help ? stat->help : "");
    hd_str_puts(out, "\n");
  }
}

void hd_answer_print(hd_str *out, const hd_net *net, const hd_result *result) {
  hd_str evidence = {0};
  hd_str_puts(out, first_line);
  put_line(out, "verdict", hd_verdict_name(result->verdict));
  put_line(out, "engine", result->engine);
  put_line(out, "reason", result->reason);
  put_why(out, result->why);
  if (result->verdict == HD_UNSAFE && result->witness)
    hd_evidence_print_witness(&evidence, net, result->witness);
  else if (result->verdict == HD_SAFE && result->cert)
    hd_evidence_print_cert(&evidence, net, result->cert);
  if (evidence.size)
    put_evidence(out, &evidence);
  put_stats(out, result);
  hd_str_puts(out, "end\n");
  hd_str_free(&evidence);
}

void hd_answer_print_code(hd_str *out, const hd_code *code,
                          const hd_code_result *result) {
  hd_str_puts(out, first_line);
  for (int p = 0; p < HD_PROPERTY_COUNT; p++) {
    const hd_code_answer *answer = &result->answers[p];
    if (!answer->asked)
      continue;
    put_line(out, "property", hd_property_name((hd_property)p));
    put_line(out, "verdict", hd_verdict_name(answer->verdict));
    put_line(out, "engine", answer->engine);
    put_line(out, "reason", answer->reason);
    put_why(out, answer->why);
    if (answer->proof == HD_PROOF_COUNTERS)
      put_line(out, "proof", "counters");
    if (answer->verdict == HD_UNSAFE) {
      hd_str evidence = {0};
      hd_turns_print(&evidence, &answer->start, &answer->turns, code, NULL);
      put_evidence(out, &evidence);
      hd_str_free(&evidence);
    }
  }
  for (hd_vec_each(const hd_remark, remark, &result->notes))
    put_remark(out, remark);
  put_stats(out, &result->figures);
  hd_str_puts(out, "end\n");
}

/* --- reading --- */

typedef struct {
  const char *at, *end;
  hd_str *why;
  const hd_net *net;
  hd_result *result; /* the statistics of either kind go here */
  const hd_code *code;
  hd_code_result *many;
  hd_code_answer *answer; /* of the property that is read */
  hd_why kind;            /* of the next note */
  hd_property about;      /* … HD_PROPERTY_COUNT: of none */
} reader;

static bool fail(reader *r, const char *what, const char *text) {
  hd_str_printf(r->why, "%s%s%s%s", what, text ? " '" : "", text ? text : "",
                text ? "'" : "");
  return false;
}

/* Undoes put_text; false for anything it does not write. */
static bool take_text(const char *from, size_t size, hd_str *out) {
  hd_vec_clear(out);
  for (size_t i = 0; i < size; i++) {
    char c = from[i];
    if (c == '\\') {
      if (++i == size || !strchr("nt\\", from[i]))
        return false;
      c = (char)(from[i] == 'n' ? '\n' : from[i] == 't' ? '\t' : '\\');
    } else if (!c) {
      return false;
    }
    hd_str_append(out, &c, 1);
  }
  return true;
}

static bool take_verdict(reader *r, const char *text) {
  for (hd_verdict v = HD_UNKNOWN; v <= HD_UNSAFE; v++)
    if (!strcmp(text, hd_verdict_name(v))) {
      if (r->answer)
        r->answer->verdict = v;
      else
        r->result->verdict = v;
      return true;
    }
  return fail(r, "unknown verdict", text);
}

/* Names of engines are static texts. */
static bool take_engine(reader *r, const char *text) {
  const hd_engine *engine = hd_engine_find(text);
  const char *name = engine ? engine->name : NULL;
  for (size_t i = 0; r->code && hd_code_engines[i].name; i++)
    if (!strcmp(hd_code_engines[i].name, text))
      name = hd_code_engines[i].name;
  if (r->answer)
    r->answer->engine = name;
  else
    r->result->engine = name;
  return name || fail(r, "unknown engine", text);
}

static bool take_property(reader *r, const char *text) {
  for (hd_property p = 0; p < HD_PROPERTY_COUNT; p++)
    if (r->many && !strcmp(text, hd_property_name(p))) {
      r->answer = &r->many->answers[p];
      if (r->answer->asked)
        return fail(r, "twice the property", text);
      r->answer->asked = true;
      return true;
    }
  return fail(r, "unknown property", text);
}

static bool take_evidence(reader *r, const char *text) {
  char *stop;
  unsigned long long size = strtoull(text, &stop, 10);
  if (*stop || size >= (size_t)(r->end - r->at) || r->at[size] != '\n')
    return fail(r, "evidence that is cut off", NULL);
  hd_source source = hd_source_from_text("answer", r->at, (size_t)size);
  r->at += size + 1;
  hd_diag *diag = hd_diag_new();
  bool ok;
  if (r->code)
    ok = r->answer && !r->answer->turns.size &&
         hd_turns_parse(&source, r->code, &r->answer->start, &r->answer->turns,
                        diag);
  else
    ok = !r->result->witness && !r->result->cert &&
         hd_evidence_parse(&source, r->net, &r->result->witness,
                           &r->result->cert, diag);
  hd_diag_delete(diag);
  hd_source_free(&source);
  return ok || fail(r, "evidence that cannot be read", NULL);
}

static bool take_stat(reader *r, const char *from, size_t size) {
  hd_str fields[4] = {{0}};
  bool ok = true;
  for (int i = 0; i < 4 && ok; i++) {
    const char *tab = i < 3 ? memchr(from, '\t', size) : from + size;
    ok = tab && take_text(from, (size_t)(tab - from), &fields[i]);
    if (ok && i < 3) {
      size -= (size_t)(tab + 1 - from);
      from = tab + 1;
    }
  }
  if (ok)
    hd_result_stat_copy(
        r->result, hd_str_text(&fields[0]), hd_str_text(&fields[1]),
        strtod(hd_str_text(&fields[2]), NULL), hd_str_text(&fields[3]));
  for (int i = 0; i < 4; i++)
    hd_str_free(&fields[i]);
  return ok || fail(r, "a statistic that cannot be read", NULL);
}

static bool take_why(reader *r, const char *text, hd_why *into) {
  *into = hd_why_find(text);
  return *into < HD_WHY_COUNT || fail(r, "unknown kind of reason", text);
}

static bool take_note(reader *r, const char *text) {
  bool needs = r->kind == HD_WHY_UNASKED || r->kind == HD_WHY_UP_TO;
  if (needs != (r->about < HD_PROPERTY_COUNT))
    return fail(r, "a note about no property", text);
  hd_remarks_add(&r->many->notes, r->kind, r->about, text);
  r->kind = HD_WHY_OTHER;
  r->about = HD_PROPERTY_COUNT;
  return true;
}

static bool take_line(reader *r, const char *key, const char *text) {
  if (!strcmp(key, "verdict"))
    return take_verdict(r, text);
  if (!strcmp(key, "engine"))
    return take_engine(r, text);
  if (!strcmp(key, "property"))
    return take_property(r, text);
  if (!strcmp(key, "evidence"))
    return take_evidence(r, text);
  if (!strcmp(key, "reason")) {
    char **reason = r->answer ? &r->answer->reason : &r->result->reason;
    hd_free(*reason);
    *reason = hd_strdup(text);
    return true;
  }
  if (!strcmp(key, "proof") && r->answer && !strcmp(text, "counters")) {
    r->answer->proof = HD_PROOF_COUNTERS;
    return true;
  }
  if (!strcmp(key, "why"))
    return take_why(r, text, r->answer ? &r->answer->why : &r->result->why);
  if (!strcmp(key, "kind") && r->many)
    return take_why(r, text, &r->kind);
  if (!strcmp(key, "about") && r->many) {
    r->about = hd_property_find(text, strlen(text));
    return r->about < HD_PROPERTY_COUNT || fail(r, "unknown property", text);
  }
  if (!strcmp(key, "note") && r->many)
    return take_note(r, text);
  return fail(r, "unknown line", key);
}

/* Reads to the line `end`, behind which there is nothing. */
static bool take_all(reader *r) {
  size_t n = strlen(first_line);
  if ((size_t)(r->end - r->at) < n || memcmp(r->at, first_line, n) != 0)
    return fail(r, "not an answer", NULL);
  r->at += n;
  hd_str text = {0};
  bool ok = true, over = false;
  while (ok && !over && r->at < r->end) {
    const char *line = r->at;
    const char *stop = memchr(line, '\n', (size_t)(r->end - line));
    char key[16] = "";
    if (!stop)
      break;
    r->at = stop + 1;
    const char *blank = memchr(line, ' ', (size_t)(stop - line));
    size_t length = (size_t)((blank ? blank : stop) - line);
    if (length < sizeof key)
      memcpy(key, line, length);
    over = !blank && !strcmp(key, "end");
    if (over)
      break;
    if (!blank)
      ok = fail(r, "unknown line", key);
    else if (!strcmp(key, "stat"))
      ok = take_stat(r, blank + 1, (size_t)(stop - blank - 1));
    else
      ok = (take_text(blank + 1, (size_t)(stop - blank - 1), &text) ||
            fail(r, "text that cannot be read", NULL)) &&
           take_line(r, key, hd_str_text(&text));
  }
  hd_str_free(&text);
  if (ok && (!over || r->at != r->end))
    ok = fail(r, over ? "more behind its end" : "it is cut off", NULL);
  return ok;
}

bool hd_answer_parse(const char *text, size_t size, const hd_net *net,
                     hd_result *result, hd_str *why) {
  reader r = {
      .at = text, .end = text + size, .why = why, .net = net, .result = result};
  return take_all(&r);
}

bool hd_answer_parse_code(const char *text, size_t size, const hd_code *code,
                          hd_code_result *result, hd_str *why) {
  reader r = {.at = text,
              .end = text + size,
              .why = why,
              .code = code,
              .result = &result->figures,
              .many = result,
              .about = HD_PROPERTY_COUNT};
  return take_all(&r);
}
