/* SPDX-License-Identifier: MIT */
#include "front/names.h"

#include <string.h>

static hd_word word_of(const char *name) {
  return (hd_word){.text = name, .size = strlen(name)};
}

/* A number in the one spelling that names `state`. */
static bool is_own_number(hd_word word, uint32_t state) {
  return hd_word_number(word) == state &&
         (word.size == 1 || word.text[0] != '0');
}

static bool find_fault(const hd_net *net, bool shared, hd_name_fault *fault) {
  const char *const *names =
      (const char *const *)(shared ? net->shared_names : net->place_names);
  uint32_t n = shared ? net->n_shared : net->n_places;
  hd_name_map seen = {0};
  fault->why = NULL;
  for (uint32_t i = 0; names && !fault->why && i < n; i++) {
    hd_word word = word_of(names[i]);
    bool fresh;
    uint32_t other = *hd_name_map_put(&seen, word, i, &fresh);
    if (!fresh)
      *fault = (hd_name_fault){.shared = shared,
                               .state = i,
                               .other = other,
                               .why = "two states have this name"};
    else if (net->format == HD_FORMAT_TTS && hd_word_is_number(word) &&
             !is_own_number(word, i))
      *fault = (hd_name_fault){
          .shared = shared,
          .state = i,
          .other = i,
          .why = "a number cannot be the name of another state"};
  }
  hd_name_map_free(&seen);
  return fault->why != NULL;
}

bool hd_names_fault(const hd_net *net, hd_name_fault *fault) {
  return find_fault(net, true, fault) || find_fault(net, false, fault);
}

static void build(hd_names *names, bool shared) {
  const hd_net *net = names->net;
  const char *const *all =
      (const char *const *)(shared ? net->shared_names : net->place_names);
  uint32_t n = shared ? net->n_shared : net->n_places;
  for (uint32_t i = 0; i < n; i++)
    hd_name_map_put(&names->maps[shared], word_of(all[i]), i, NULL);
  names->built[shared] = true;
}

bool hd_names_find(hd_names *names, bool shared, hd_word name,
                   uint32_t *state) {
  const hd_net *net = names->net;
  uint32_t n = shared ? net->n_shared : net->n_places;
  bool named = shared ? net->shared_names : net->place_names;
  /* Thread systems take numbers and names side by side. */
  if (hd_word_is_number(name) && (!named || net->format == HD_FORMAT_TTS)) {
    uint64_t value = hd_word_number(name);
    *state = value < n ? (uint32_t)value : 0;
    return value < n;
  }
  if (!named)
    return false;
  if (!names->built[shared])
    build(names, shared);
  const uint32_t *found = hd_name_map_find(&names->maps[shared], name);
  if (found)
    *state = *found;
  return found != NULL;
}

void hd_names_free(hd_names *names) {
  hd_name_map_free(&names->maps[0]);
  hd_name_map_free(&names->maps[1]);
}
