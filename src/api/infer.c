/* SPDX-License-Identifier: MIT */
#include "api/infer.h"

#include "api/candidates.h"
#include "front/formula/formula.h"

#include <string.h>

enum { MOST_ROUNDS = 60 };

/* A candidate with the pragma that carries it, or dropped. */
typedef struct {
  uint32_t place; /* into result->loops */
  char *text;
  bool dropped;
} proposal;
typedef hd_vec(proposal) proposals;

/* --- which loops --- */

static bool has_invariant(const hd_notes *notes, uint32_t loop) {
  return hd_notes_at_loop(notes, loop, 0) < notes->notes.size;
}

/* A name that nobody uses: L and the line. */
static void name_of(hd_str *out, const hd_code *code, uint32_t loop) {
  hd_str_printf(out, "L%u", code->loops.data[loop].pos.line);
  for (uint32_t i = 0; i < loop; i++)
    if (code->loops.data[i].pos.line == code->loops.data[loop].pos.line &&
        code->loops.data[i].pos.file == code->loops.data[loop].pos.file)
      hd_str_puts(out, "_");
}

static void propose(const hd_notes *notes, const hd_samples *samples,
                    uint32_t procs, hd_infer_result *result,
                    proposals *proposed) {
  for (uint32_t i = 0; i < notes->code->loops.size; i++) {
    if (has_invariant(notes, i) || notes->code->loops.data[i].irreducible ||
        !hd_candidates_wanted(samples, i, procs))
      continue;
    hd_inferred loop = {.pos = notes->code->loops.data[i].pos, .loop = i};
    hd_texts texts = {0};
    hd_candidates_make(samples, notes->code, i, procs, &texts);
    loop.candidates = (uint32_t)texts.size;
    for (size_t k = 0; k < texts.size; k++) {
      proposal p = {(uint32_t)result->loops.size, texts.data[k], false};
      hd_vec_push(proposed, p);
    }
    hd_vec_free(&texts);
    hd_vec_push(&result->loops, loop);
  }
}

/* --- proving --- */

/* Just before the loop statement, where nothing can stand between. */
static hd_cpos before(hd_cpos pos) {
  if (pos.column > 1)
    pos.column--;
  else
    pos.line--;
  return pos;
}

/* The pragma of one candidate; `1` when there is none, so that the loop is one
 * with an invariant all the same. */
static void add_pragma(hd_code *code, const hd_inferred *loop,
                       const char *text) {
  hd_str pragma = {0};
  hd_str_puts(&pragma, "heddle collective invariant ");
  name_of(&pragma, code, loop->loop);
  hd_str_printf(&pragma, " %s", text);
  hd_pragma p = {.pos = before(loop->pos),
                 .scope = HD_NO_ID,
                 .text = hd_code_keep(code, hd_str_text(&pragma))};
  hd_vec_push(&code->pragmas, p);
  hd_str_free(&pragma);
}

/* The pragmas of this round: numbers of the proposals, from `first` on. */
static void add_pragmas(hd_code *code, const hd_infer_result *result,
                        const proposals *proposed, hd_u32s *numbers) {
  hd_vec_clear(numbers);
  for (uint32_t k = 0; k < result->loops.size; k++) {
    for (uint32_t i = 0; i < proposed->size; i++)
      if (proposed->data[i].place == k && !proposed->data[i].dropped) {
        add_pragma(code, &result->loops.data[k], proposed->data[i].text);
        hd_vec_push(numbers, i);
      }
  }
}

/* Drops the candidate that the finding blames; false when there is none. */
static bool drop(const hd_lise_finding *finding, size_t first,
                 const hd_u32s *numbers, hd_infer_result *result,
                 proposals *proposed) {
  size_t pragma = finding->pragma;
  if (!finding->found || finding->pragma == HD_NO_ID || pragma < first ||
      pragma >= first + numbers->size ||
      finding->property != HD_PROPERTY_INVARIANT)
    return false;
  proposal *p = &proposed->data[numbers->data[pragma - first]];
  p->dropped = true;
  result->loops.data[p->place].dropped++;
  return true;
}

/* One proof with all that is left. True when it must be tried again. */
static bool attempt(hd_code *code, const hd_infer_options *options, hd_run *run,
                    hd_infer_result *result, proposals *proposed) {
  size_t first = code->pragmas.size;
  hd_u32s numbers = {0};
  add_pragmas(code, result, proposed, &numbers);
  hd_notes notes;
  hd_diag *diag = hd_diag_new();
  bool good = hd_notes_read(&notes, code, diag);
  bool again = false;
  result->rounds++;
  if (good) {
    hd_lise_source source = {code, &notes, options->procs};
    hd_lise_result lise = {0};
    hd_lise_run(&source, 1, &options->lise, run, &lise);
    again = lise.verdict != HD_SAFE &&
            drop(&lise.finding, first, &numbers, result, proposed);
    hd_free(result->why);
    result->why = again || lise.verdict == HD_SAFE ? NULL
                  : lise.finding.found
                      ? hd_strdup(lise.finding.message)
                      : hd_strdup(lise.reason ? lise.reason : "no proof");
    hd_lise_result_free(&lise);
  } else {
    hd_free(result->why);
    result->why = hd_strdup("a candidate was not understood");
  }
  hd_notes_free(&notes);
  hd_diag_delete(diag);
  hd_vec_free(&numbers);
  code->pragmas.size = first;
  return again;
}

/* --- all --- */

/* One pragma for each loop, with all that is left. */
static void conclude(hd_code *code, hd_infer_result *result,
                     const proposals *proposed) {
  for (uint32_t k = 0; k < result->loops.size; k++) {
    hd_str text = {0};
    for (size_t i = 0; i < proposed->size; i++)
      if (proposed->data[i].place == k && !proposed->data[i].dropped)
        hd_str_printf(&text, "%s%s", text.size ? " && " : "",
                      proposed->data[i].text);
    if (!text.size)
      continue;
    add_pragma(code, &result->loops.data[k], hd_str_text(&text));
    result->loops.data[k].pragma =
        hd_strdup(code->pragmas.data[code->pragmas.size - 1].text);
    hd_str_free(&text);
  }
}

void hd_infer(hd_code *code, const hd_infer_options *options, hd_run *run,
              hd_infer_result *result) {
  hd_notes notes;
  hd_diag *diag = hd_diag_new();
  proposals proposed = {0};
  if (hd_notes_read(&notes, code, diag)) {
    hd_samples samples;
    hd_samples_take(&samples, &notes, options->procs,
                    options->runs ? options->runs : 12, options->seed, run);
    result->runs = samples.runs;
    propose(&notes, &samples, options->procs, result, &proposed);
    hd_samples_free(&samples);
  }
  hd_notes_free(&notes);
  hd_diag_delete(diag);
  while (proposed.size && result->rounds < MOST_ROUNDS && hd_run_check(run) &&
         attempt(code, options, run, result, &proposed))
    ;
  conclude(code, result, &proposed);
  for (size_t i = 0; i < proposed.size; i++)
    hd_free(proposed.data[i].text);
  hd_vec_free(&proposed);
}

void hd_infer_result_free(hd_infer_result *result) {
  for (size_t i = 0; i < result->loops.size; i++)
    hd_free(result->loops.data[i].pragma);
  hd_vec_free(&result->loops);
  hd_free(result->why);
  *result = (hd_infer_result){0};
}
