/* SPDX-License-Identifier: MIT */
#include "front/evidence/labels.h"

#include "base/hash.h"

#include <stdio.h>
#include <string.h>

typedef struct {
  const char *text;
  size_t size;
} name;

typedef struct {
  uint32_t id;
  bool several; /* states have this name */
} owner;

#define HD_MAP owner_map
#define HD_KEY name
#define HD_VAL owner
#define HD_HASH(k) hd_hash_bytes((k).text, (k).size)
#define HD_EQ(a, b)                                                            \
  ((a).size == (b).size && !memcmp((a).text, (b).text, (a).size))
#include "base/map_templ.h"

struct hd_labels {
  uint32_t size;
  bool numbers; /* the names are the numbers: no map and no texts */
  owner_map map;
  name *written; /* by state */
  hd_arena arena;
};

static bool is_bare(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
         (c >= 'A' && c <= 'Z') || (c && strchr("_.-'$+/[]()", c));
}

static void quote(hd_str *out, name n) {
  hd_str_puts(out, "\"");
  for (size_t i = 0; i < n.size; i++) {
    unsigned char c = (unsigned char)n.text[i];
    if (c < 32 || c == 127)
      hd_str_printf(out, "\\x%02x", c);
    else if (c == '"' || c == '\\')
      hd_str_printf(out, "\\%c", c);
    else
      hd_str_append(out, n.text + i, 1);
  }
  hd_str_puts(out, "\"");
}

static name keep(hd_labels *labels, const hd_str *text) {
  return (name){
      .text = hd_arena_strndup(&labels->arena, hd_str_text(text), text->size),
      .size = text->size};
}

static name write_name(hd_labels *labels, name n, uint32_t id, bool several) {
  hd_str out = {0};
  bool bare = n.size > 0;
  for (size_t i = 0; i < n.size; i++)
    bare = bare && is_bare(n.text[i]);
  if (several)
    hd_str_printf(&out, "@%u", id);
  else if (bare)
    hd_str_append(&out, n.text, n.size);
  else
    quote(&out, n);
  name written = keep(labels, &out);
  hd_str_free(&out);
  return written;
}

static hd_labels *new_labels(uint32_t size, bool numbers) {
  hd_labels *labels = hd_calloc(1, sizeof *labels);
  hd_arena_init(&labels->arena);
  labels->size = size;
  labels->numbers = numbers;
  return labels;
}

/* The map keeps insertion order: its item of a state is found by `names`. */
static void index_names(hd_labels *labels, const name *names) {
  for (uint32_t i = 0; i < labels->size; i++) {
    bool fresh;
    owner *o = owner_map_put(&labels->map, names[i], (owner){.id = i}, &fresh);
    o->several = o->several || !fresh;
  }
  labels->written = hd_calloc(labels->size, sizeof *labels->written);
  for (uint32_t i = 0; i < labels->size; i++) {
    const owner *o = owner_map_find(&labels->map, names[i]);
    labels->written[i] = write_name(labels, names[i], i, o->several);
  }
}

static hd_labels *labels_of(const hd_net *net, uint32_t size, bool numbers,
                            const uint32_t *control, bool places) {
  hd_labels *labels = new_labels(size, numbers);
  if (numbers)
    return labels;
  name *names = hd_calloc(size, sizeof *names);
  for (uint32_t i = 0; i < size; i++) {
    hd_str text = {0};
    if (places && control && control[i] >= net->n_places)
      hd_str_puts(&text, "?");
    else if (places)
      hd_net_print_place(&text, net, control ? control[i] : i);
    else
      hd_net_print_shared(&text, net, i);
    names[i] = keep(labels, &text);
    hd_str_free(&text);
  }
  index_names(labels, names);
  hd_free(names);
  return labels;
}

hd_labels *hd_labels_of_places(const hd_net *net) {
  return labels_of(net, net->n_places, !net->place_names, NULL, true);
}

hd_labels *hd_labels_of_shared(const hd_net *net, const hd_u32s *control) {
  if (control->size)
    return labels_of(net, (uint32_t)control->size, false, control->data, true);
  return labels_of(net, net->n_shared, !net->shared_names, NULL, false);
}

void hd_labels_delete(hd_labels *labels) {
  if (!labels)
    return;
  owner_map_free(&labels->map);
  hd_free(labels->written);
  hd_arena_free(&labels->arena);
  hd_free(labels);
}

uint32_t hd_labels_size(const hd_labels *labels) {
  return labels->size;
}

void hd_labels_put(const hd_labels *labels, hd_str *out, uint32_t id) {
  if (id < labels->size && !labels->numbers) {
    hd_str_append(out, labels->written[id].text, labels->written[id].size);
    return;
  }
  char digits[12], *end = digits + sizeof digits, *start = end;
  uint32_t rest = id;
  do
    *--start = (char)('0' + rest % 10);
  while (rest /= 10);
  if (id >= labels->size)
    *--start = '@';
  hd_str_append(out, start, (size_t)(end - start));
}

/* The number that `text` is, in the one way to write it. */
static bool read_number(const char *text, size_t size, uint32_t *id) {
  uint64_t value = 0;
  if (!size || size > 10 || (size > 1 && *text == '0'))
    return false;
  for (size_t i = 0; i < size; i++) {
    if (text[i] < '0' || text[i] > '9')
      return false;
    value = 10 * value + (uint64_t)(text[i] - '0');
  }
  *id = (uint32_t)value;
  return value <= UINT32_MAX;
}

hd_label_fit hd_labels_find(const hd_labels *labels, const char *text,
                            size_t size, uint32_t *id) {
  if (labels->numbers)
    return read_number(text, size, id) && *id < labels->size ? HD_LABEL_FOUND
                                                             : HD_LABEL_UNKNOWN;
  const owner *o =
      owner_map_find(&labels->map, (name){.text = text, .size = size});
  if (!o)
    return HD_LABEL_UNKNOWN;
  *id = o->id;
  return o->several ? HD_LABEL_SHARED : HD_LABEL_FOUND;
}
