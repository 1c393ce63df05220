/* SPDX-License-Identifier: MIT */
#include "report/story.h"

#include <string.h>

const char *hd_arrow_name(hd_arrow_kind kind) {
  static const char *const names[] = {"create", "join",    "lock", "wake",
                                      "race",   "message", "read", "before"};
  _Static_assert(sizeof names / sizeof *names == HD_ARROW_KINDS,
                 "a name for each kind");
  return names[kind];
}

hd_story *hd_story_new(void) {
  hd_story *story = hd_calloc(1, sizeof *story);
  hd_arena_init(&story->arena);
  story->summary = story->size = story->kind = "";
  return story;
}

hd_story_run *hd_story_run_new(void) {
  return hd_calloc(1, sizeof(hd_story_run));
}

void hd_story_add_run(hd_story *story, hd_story_run *run) {
  hd_story_finding finding = {.name = "run", .title = "", .run = run};
  hd_vec_push(&story->findings, finding);
}

static void delete_run(hd_story_run *run) {
  if (!run)
    return;
  hd_vec_free(&run->threads);
  hd_vec_free(&run->steps);
  hd_vec_free(&run->arrows);
  hd_vec_free(&run->changes);
  hd_vec_free(&run->lives);
  hd_vec_free(&run->marks);
  hd_free(run);
}

void hd_story_delete(hd_story *story) {
  if (!story)
    return;
  for (hd_vec_each(hd_story_finding, f, &story->findings))
    delete_run(f->run);
  hd_vec_free(&story->findings);
  hd_vec_free(&story->notes);
  hd_vec_free(&story->files);
  hd_arena_free(&story->arena);
  hd_free(story);
}

const char *hd_story_copy(hd_story *story, const char *text) {
  return hd_arena_strndup(&story->arena, text, strlen(text));
}

const char *hd_story_keep(hd_story *story, hd_str *text) {
  const char *kept = hd_story_copy(story, hd_str_text(text));
  hd_str_free(text);
  return kept;
}

void hd_story_file(hd_story *story, const char *file) {
  if (!file)
    return;
  for (size_t i = 0; i < story->files.size; i++)
    if (!strcmp(story->files.data[i], file))
      return;
  hd_vec_push(&story->files, file);
}
