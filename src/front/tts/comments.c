/* SPDX-License-Identifier: MIT */
/* Structured comments of .tts. `# heddle: net` lines are the text of a net in
 * mist's language, whose chain form the rest of the file must be, edge by edge:
 * then the result is that net, else an error. So a file never means one thing
 * to heddle and another to the tools that skip comments. */
#include "front/tts/comments.h"

#include "base/bitset.h"
#include "front/mist/mist.h"
#include "front/names.h"
#include "front/targets.h"
#include "front/threads.h"

#include <string.h>

/* `name shared N NAME` and `name local N NAME`. */
typedef struct {
  bool shared;
  uint32_t state;
  hd_word word;
} naming;

static bool parse_naming(const hd_net *net, hd_region *comment, naming *out,
                         hd_diag *diag) {
  hd_word kind, number, more;
  bool ok = hd_region_word(comment, &kind) &&
            (hd_word_is(kind, "shared") || hd_word_is(kind, "local")) &&
            hd_region_word(comment, &number) && hd_word_is_number(number) &&
            hd_region_word(comment, &out->word) &&
            !hd_region_word(comment, &more);
  if (!ok) {
    hd_diag_error(diag, comment->source, hd_region_here(comment),
                  "expected 'name shared NUMBER NAME' or "
                  "'name local NUMBER NAME'");
    return false;
  }
  out->shared = hd_word_is(kind, "shared");
  uint64_t value = hd_word_number(number);
  if (value >= (out->shared ? net->n_shared : net->n_places)) {
    hd_diag_error(diag, comment->source, hd_region_word_pos(comment, number),
                  "there is no %s state %s", out->shared ? "shared" : "local",
                  hd_quote(number).text);
    return false;
  }
  out->state = (uint32_t)value;
  return true;
}

/* What has a name already; index 0 for local, 1 for shared states. */
typedef struct {
  hd_name_map names[2];
  uint64_t *states[2];
} named;

/* Why `name` (in the net's arena) cannot be the name of the state, or NULL.
 * Names are unique, and a number names only its own state, so that a text can
 * use names and numbers side by side. */
static const char *why_not(named *seen, const naming *given, hd_word name) {
  bool fresh;
  hd_name_map_put(&seen->names[given->shared], name, 0, &fresh);
  if (!fresh)
    return "this name is given twice";
  if (hd_bits_test(seen->states[given->shared], given->state))
    return "a second name for this state";
  if (hd_word_is_number(name) && (hd_word_number(name) != given->state ||
                                  (name.size > 1 && name.text[0] == '0')))
    return "a number cannot be the name of another state";
  return NULL;
}

static void apply_name(hd_net *net, hd_region *comment, named *seen,
                       hd_diag *diag) {
  naming given;
  if (!parse_naming(net, comment, &given, diag))
    return;
  hd_str name = {0};
  const char *wrong = "malformed name";
  if (hd_name_decode(given.word, &name)) {
    hd_word kept = {.size = name.size};
    kept.text = hd_arena_strndup(&net->arena, name.data, name.size);
    wrong = why_not(seen, &given, kept);
    if (!wrong && !hd_word_is_number(kept)) {
      if (given.shared)
        hd_net_name_shared(net, given.state, kept.text);
      else
        hd_net_name_place(net, given.state, kept.text);
    }
    hd_bits_set(seen->states[given.shared], given.state);
  }
  if (wrong)
    hd_diag_error(diag, comment->source,
                  hd_region_word_pos(comment, given.word), "%s", wrong);
  hd_str_free(&name);
}

void hd_tts_apply_comments(hd_net *net, hd_tts_comments *comments,
                           hd_diag *diag) {
  size_t before = hd_diag_errors(diag);
  named seen = {0};
  if (comments->names.size) {
    seen.states[0] = hd_calloc(hd_bits_words(net->n_places), sizeof(uint64_t));
    seen.states[1] = hd_calloc(hd_bits_words(net->n_shared), sizeof(uint64_t));
  }
  for (hd_vec_each(hd_region, comment, &comments->names))
    if (!hd_diag_full(diag))
      apply_name(net, comment, &seen, diag);
  for (int i = 0; i < 2; i++) {
    hd_name_map_free(&seen.names[i]);
    hd_free(seen.states[i]);
  }
  if (comments->inits.size > 1)
    hd_diag_error(diag, comments->inits.data[1].source,
                  hd_region_here(&comments->inits.data[1]),
                  "a second initial state");
  else if (comments->inits.size && hd_diag_errors(diag) == before)
    hd_targets_parse_init(net, comments->inits.data[0], diag);
}

/* The source with everything but the embedded net blanked out. */
static char *embedded_text(const hd_tts_comments *comments,
                           const hd_source *source) {
  char *text = hd_alloc(source->size + 1);
  for (size_t i = 0; i < source->size; i++)
    text[i] = source->text[i] == '\n' ? '\n' : ' ';
  text[source->size] = 0;
  for (hd_vec_each(const hd_region, comment, &comments->nets))
    memcpy(text + comment->at, source->text + comment->at,
           comment->end - comment->at);
  return text;
}

static const char *size_mismatch(const hd_net *file, const hd_net *inner) {
  hd_chain_size size = hd_chain_measure(inner);
  if (inner->format == HD_FORMAT_TTS)
    return "describe a thread system, expected a net";
  if (inner->features & (HD_HAS_CAPS | HD_HAS_TARGET_CAPS))
    return "have upper bounds, which edges cannot express";
  if (size.shared != file->n_shared || size.edges != file->trans.size ||
      inner->n_places + 1 != file->n_places)
    return "do not fit the numbers of states and edges in this file";
  return NULL;
}

/* A chain has at most one target. */
static bool same_target(const hd_net *a, const hd_net *b) {
  if (a->targets.size != b->targets.size)
    return false;
  if (!a->targets.size)
    return true;
  const hd_target *x = a->targets.data, *y = b->targets.data;
  return x->shared == y->shared &&
         hd_tokens_equal(hd_net_view(a, x->need), hd_net_view(b, y->need));
}

/* Reports where the file is not the chain form of `inner`. */
static bool verify_chain(const hd_net *file, const hd_net *inner,
                         const hd_region *at, hd_diag *diag) {
  hd_pos pos = hd_region_here(at);
  const char *wrong = size_mismatch(file, inner);
  hd_net *chain = wrong ? NULL : hd_chain_build(inner);
  for (hd_trans_id t = 0; !wrong && t < file->trans.size; t++)
    if (!hd_trans_same(chain, t, file, t)) {
      wrong = "do not describe this edge";
      pos = (hd_pos){.line = file->trans.data[t].line};
    }
  if (!wrong && !same_target(chain, file))
    wrong = "do not describe the target in this file";
  if (wrong)
    hd_diag_error(diag, at->source, pos,
                  "the 'heddle: net' comments %s; without them, the file would "
                  "be read as a thread system",
                  wrong);
  hd_net_delete(chain);
  return !wrong;
}

/* A chain has no names and the initial state of every .tts. */
static bool check_alone(const hd_net *file, const hd_tts_comments *comments,
                        const hd_source *source, hd_diag *diag) {
  hd_pos pos = {0};
  if (comments->names.size)
    pos = hd_region_here(&comments->names.data[0]);
  else if (comments->inits.size)
    pos = hd_region_here(&comments->inits.data[0]);
  for (hd_trans_id t = 0; !pos.line && t < file->trans.size; t++)
    if (file->trans.data[t].name)
      pos = (hd_pos){.line = file->trans.data[t].line};
  if (pos.line)
    hd_diag_error(diag, source, pos,
                  "names and initial states are not allowed together with "
                  "'heddle: net' comments");
  return !pos.line;
}

hd_net *hd_tts_embedded(hd_net *file, hd_tts_comments *comments,
                        const hd_source *source, hd_diag *diag) {
  assert(comments->nets.size);
  if (!check_alone(file, comments, source, diag))
    return NULL;
  char *text = embedded_text(comments, source);
  hd_region region = hd_region_all(source);
  region.text = text;
  hd_net *inner = hd_mist_read(region, diag);
  hd_free(text);
  if (inner && !verify_chain(file, inner, &comments->nets.data[0], diag)) {
    hd_net_delete(inner);
    inner = NULL;
  }
  return inner;
}
