/* SPDX-License-Identifier: MIT */
/* Annotations, in two rounds: first each is attached to its place, then its
 * formula is read. So a joint annotation knows which annotation of the other
 * program it meets when the names in it are looked up. */
#include "front/formula/reader.h"

#include <string.h>

/* --- what kind of annotation --- */

static bool read_reach(formula_reader *r) {
  r->note.reach = HD_NOTE_OWN;
  if (hd_formula_take(r, "collective"))
    r->note.reach = HD_NOTE_COLLECTIVE;
  else if (hd_formula_take(r, "joint"))
    r->note.reach = HD_NOTE_JOINT;
  return true;
}

static bool read_kind(formula_reader *r) {
  static const struct {
    const char *word;
    hd_note_kind kind;
    bool shared; /* may be collective or joint */
  } kinds[] = {{"invariant", HD_NOTE_INVARIANT, true},
               {"assert", HD_NOTE_ASSERT, true},
               {"assume", HD_NOTE_ASSUME, false},
               {"input", HD_NOTE_INPUT, false},
               {"output", HD_NOTE_OUTPUT, false}};
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
    if (!hd_formula_is(r, kinds[i].word))
      continue;
    r->note.kind = kinds[i].kind;
    if (r->note.reach != HD_NOTE_OWN && !kinds[i].shared) {
      hd_formula_expected(r, "'invariant' or 'assert'");
      return false;
    }
    hd_formula_next(r);
    return true;
  }
  hd_formula_expected(r, r->note.reach == HD_NOTE_OWN
                             ? "'collective', 'joint', 'invariant', 'assert', "
                               "'assume', 'input' or 'output'"
                             : "'invariant' or 'assert'");
  return false;
}

/* Names of builtin functions and quantifiers never name an annotation. */
static bool is_reserved(hd_word word) {
  static const char *const names[] = {"forall", "exists", "PROC",    "abs",
                                      "min",    "max",    "sent",    "fabs",
                                      "true",   "false",  "received"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (hd_word_is(word, names[i]))
      return true;
  return false;
}

/* An annotation of one process need not have a name; a word is one when what
 * follows cannot go on with an expression. */
static bool is_name(const formula_reader *r) {
  if (r->token.kind != FORMULA_NAME || is_reserved(r->token.word))
    return false;
  formula_token next = hd_formula_peek(r);
  return r->note.reach != HD_NOTE_OWN || next.kind == FORMULA_NAME ||
         next.kind == FORMULA_INT || next.kind == FORMULA_REAL ||
         (next.kind == FORMULA_SIGN &&
          (hd_word_is(next.word, ":") || hd_word_is(next.word, "(") ||
           hd_word_is(next.word, "!")));
}

static bool read_name(formula_reader *r) {
  r->note.id = "";
  if (r->note.kind != HD_NOTE_INVARIANT && r->note.kind != HD_NOTE_ASSERT)
    return true;
  if (is_name(r)) {
    r->note.id = hd_arena_strndup(&r->notes->arena, r->token.word.text,
                                  r->token.word.size);
    hd_formula_next(r);
    (void)hd_formula_take(r, ":");
    return true;
  }
  if (r->note.reach == HD_NOTE_OWN)
    return true;
  hd_formula_expected(r, "a name for this annotation, e.g. I");
  return false;
}

/* Up to where the formula begins. */
static bool read_head(formula_reader *r) {
  if (!hd_formula_take(r, "heddle") && !hd_formula_take(r, "TASS"))
    return false;
  return read_reach(r) && read_kind(r) && read_name(r);
}

/* --- what it says --- */

static bool only_inputs(formula_reader *r, hd_formula_id id) {
  const hd_formula *f = hd_formula_of(r, id);
  if (f->op == HD_FORMULA_VAR) {
    bool input = false;
    for (size_t i = 0; i < r->notes->notes.size && !input; i++) {
      const hd_note *n = &r->notes->notes.data[i];
      for (uint32_t k = 0; n->kind == HD_NOTE_INPUT && k < n->n_vars; k++) {
        hd_cvar v = r->notes->vars.data[n->vars + k];
        input = input || (v.kind == f->var.kind && v.func == f->var.func &&
                          v.index == f->var.index);
      }
    }
    if (!input) {
      hd_formula_error(r, f->at, strlen(hd_cvar_name(r->notes->code, f->var)),
                       "the condition of an input may mention inputs only, and "
                       "'%s' is none",
                       hd_cvar_name(r->notes->code, f->var));
      return false;
    }
  }
  for (int i = 0; i < 3; i++)
    if (f->args[i] != HD_NO_ID && !only_inputs(r, f->args[i]))
      return false;
  return true;
}

/* The offset in the text where the formula of the note begins, on the second
 * round: the head is read again. */
static bool read_formula(formula_reader *r) {
  hd_formula_begin(r, r->note.pragma);
  hd_note saved = r->note;
  bool good = read_head(r);
  r->note = saved;
  assert(good);
  bool optional = saved.kind == HD_NOTE_INPUT || saved.kind == HD_NOTE_OUTPUT;
  if (!optional || (saved.kind == HD_NOTE_INPUT &&
                    r->token.kind != FORMULA_END && !hd_formula_is(r, ";"))) {
    /* Braces around the whole condition, as the paper's inputs have them. */
    bool braces = hd_formula_take(r, "{");
    hd_formula_id id = hd_formula_parse(r);
    if (!r->failed && braces)
      (void)hd_formula_need(r, "}");
    if (!r->failed)
      r->note.formula = hd_formula_bool(r, id);
  }
  (void)hd_formula_take(r, ";");
  if (!r->failed && r->token.kind != FORMULA_END)
    hd_formula_expected(r, "the end of the pragma");
  if (!r->failed && saved.kind == HD_NOTE_INPUT && r->note.formula != HD_NO_ID)
    return only_inputs(r, r->note.formula);
  return good && !r->failed;
}

/* --- the two rounds --- */

/* Annotations of one loop are conjoined, so they must meet the same ones. */
static bool check_same(formula_reader *r) {
  size_t i = hd_notes_at_loop(r->notes, r->note.loop, 0);
  if (r->note.kind != HD_NOTE_INVARIANT || i == r->notes->notes.size)
    return true;
  const hd_note *first = &r->notes->notes.data[i];
  if (first->reach == r->note.reach && !strcmp(first->id, r->note.id))
    return true;
  hd_formula_error(
      r, 0, 0,
      "this loop already has the invariant '%s' of another name or "
      "kind",
      first->id);
  return false;
}

static bool attach_all(formula_reader *r) {
  bool good = true;
  for (uint32_t i = 0; i < r->notes->code->pragmas.size; i++) {
    if (hd_diag_full(r->diag))
      return false;
    r->note = (hd_note){.formula = HD_NO_ID,
                        .pragma = i,
                        .loop = HD_NO_ID,
                        .edge = HD_NO_ID,
                        .func = HD_NO_ID,
                        .scope = HD_NO_ID};
    hd_formula_begin(r, i);
    if (read_head(r) && hd_formula_attach(r) && check_same(r))
      hd_vec_push(&r->notes->notes, r->note);
    else
      good = false;
  }
  return good;
}

static bool read_all(formula_reader *r) {
  bool good = true;
  for (size_t i = 0; i < r->notes->notes.size; i++) {
    if (hd_diag_full(r->diag))
      return false;
    r->note = r->notes->notes.data[i];
    good &= read_formula(r);
    r->notes->notes.data[i] = r->note;
  }
  return good;
}

static void begin(formula_reader *r, hd_notes *notes, formula_files *files,
                  hd_diag *diag) {
  *r = (formula_reader){.notes = notes, .files = files, .diag = diag};
  hd_vec_resize(files, notes->code->files.size);
  for (size_t i = 0; i < files->size; i++)
    files->data[i] = (formula_file){0};
}

static void end(formula_reader *r) {
  for (size_t i = 0; i < r->files->size; i++)
    if (r->files->data[i].there)
      hd_source_free(&r->files->data[i].source);
  hd_vec_free(r->files);
  hd_vec_free(&r->bound);
}

bool hd_notes_read(hd_notes *notes, const hd_code *code, hd_diag *diag) {
  hd_notes_init(notes, code, NULL);
  formula_reader r;
  formula_files files = {0};
  begin(&r, notes, &files, diag);
  bool good = attach_all(&r);
  good &= read_all(&r);
  end(&r);
  return good;
}

bool hd_notes_read_pair(hd_notes *spec, const hd_code *spec_code,
                        hd_notes *impl, const hd_code *impl_code,
                        hd_diag *diag) {
  hd_notes_init(spec, spec_code, impl_code);
  hd_notes_init(impl, impl_code, spec_code);
  formula_reader s, i;
  formula_files spec_files = {0}, impl_files = {0};
  begin(&s, spec, &spec_files, diag);
  begin(&i, impl, &impl_files, diag);
  s.is_spec = true;
  bool good = attach_all(&s);
  good &= attach_all(&i);
  s.other = impl;
  i.other = spec;
  good &= read_all(&s);
  good &= read_all(&i);
  end(&s);
  end(&i);
  return good;
}
