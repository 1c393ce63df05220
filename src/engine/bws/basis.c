/* SPDX-License-Identifier: MIT */
#include "engine/bws/basis.h"

#include "base/hash.h"

/* 40 bytes and 8 a token; with the two index entries a configuration of eight
 * threads in eight places takes about 150 bytes. */
typedef struct {
  uint64_t signature;
  uint32_t start, size; /* in the token pool */
  hd_shared_id shared;
  hd_count total;
  uint32_t parent;
  hd_trans_id trans;
  bool alive;
} element;

typedef struct {
  uint64_t signature;
  hd_count total;
  uint32_t id;
} filed;

typedef struct {
  hd_vec(filed) keys; /* elements filed under this (shared, place) */
  hd_u32s occurs;     /* all elements at `shared` with a token in `place` */
} file;

#define HD_MAP file_map
#define HD_KEY uint64_t
#define HD_VAL file
#define HD_HASH(k) hd_hash_mix(0, k)
#define HD_EQ(a, b) ((a) == (b))
#include "base/map_templ.h"

struct hd_basis {
  hd_vec(element) elements;
  hd_token_vec pool;
  file_map files; /* (shared, place), with place n_places for the empty
                     vector's file */
  uint32_t n_places;
  size_t alive;
};

hd_basis *hd_basis_new(uint32_t n_shared, uint32_t n_places) {
  (void)n_shared;
  hd_basis *basis = hd_calloc(1, sizeof *basis);
  basis->n_places = n_places;
  return basis;
}

void hd_basis_delete(hd_basis *basis) {
  if (!basis)
    return;
  for (size_t i = 0; i < basis->files.size; i++) {
    hd_vec_free(&basis->files.items[i].val.keys);
    hd_vec_free(&basis->files.items[i].val.occurs);
  }
  file_map_free(&basis->files);
  hd_vec_free(&basis->elements);
  hd_vec_free(&basis->pool);
  hd_free(basis);
}

static uint64_t file_key(hd_shared_id shared, hd_place_id place) {
  return (uint64_t)shared << 32 | place;
}

hd_tokens hd_basis_tokens(const hd_basis *basis, uint32_t id) {
  const element *e = &basis->elements.data[id];
  return (hd_tokens){.data = e->size ? basis->pool.data + e->start : NULL,
                     .size = e->size};
}

/* Is there an alive element in this file below `tokens`? Dead ones are dropped
 * on the way. */
static bool file_has_below(hd_basis *basis, file *f, hd_tokens tokens,
                           uint64_t signature, hd_count total) {
  filed *data = f->keys.data;
  size_t size = f->keys.size;
  for (size_t i = 0; i < size;) {
    if ((data[i].signature & ~signature) || data[i].total > total) {
      i++;
      continue;
    }
    uint32_t id = data[i].id;
    if (!basis->elements.data[id].alive) {
      data[i] = data[--size];
      f->keys.size = size;
      continue;
    }
    if (hd_tokens_covers(tokens, hd_basis_tokens(basis, id)))
      return true;
    i++;
  }
  return false;
}

static bool has_below(hd_basis *basis, hd_shared_id shared, hd_tokens tokens,
                      uint64_t signature, hd_count total) {
  file *f = file_map_find(&basis->files, file_key(shared, basis->n_places));
  if (f && file_has_below(basis, f, tokens, signature, total))
    return true;
  for (size_t i = 0; i < tokens.size; i++) {
    f = file_map_find(&basis->files, file_key(shared, tokens.data[i].place));
    if (f && file_has_below(basis, f, tokens, signature, total))
      return true;
  }
  return false;
}

static void kill_in(hd_basis *basis, hd_u32s *list, hd_tokens tokens,
                    uint64_t signature, hd_count total) {
  size_t kept = 0;
  for (size_t i = 0; i < list->size; i++) {
    uint32_t id = list->data[i];
    element *e = &basis->elements.data[id];
    if (!e->alive)
      continue;
    if (!(signature & ~e->signature) && e->total >= total &&
        hd_tokens_covers(hd_basis_tokens(basis, id), tokens)) {
      e->alive = false;
      basis->alive--;
      continue;
    }
    list->data[kept++] = id;
  }
  list->size = kept;
}

/* Kills the elements above `tokens`. They all have a token in each of its
 * places: the place with the fewest occurrences is scanned. */
static void kill_above(hd_basis *basis, hd_shared_id shared, hd_tokens tokens,
                       uint64_t signature, hd_count total) {
  if (!tokens.size) {
    for (hd_vec_each(element, e, &basis->elements))
      if (e->alive && e->shared == shared) {
        e->alive = false;
        basis->alive--;
      }
    return;
  }
  file *best = NULL;
  for (size_t i = 0; i < tokens.size; i++) {
    file *f =
        file_map_find(&basis->files, file_key(shared, tokens.data[i].place));
    if (!f || !f->occurs.size)
      return;
    if (!best || f->occurs.size < best->occurs.size)
      best = f;
  }
  kill_in(basis, &best->occurs, tokens, signature, total);
}

/* The file for `place`, made if need be. */
static file *get_file(hd_basis *basis, hd_shared_id shared, hd_place_id place) {
  return file_map_put(&basis->files, file_key(shared, place), (file){0}, NULL);
}

static void index_element(hd_basis *basis, uint32_t id) {
  element *e = &basis->elements.data[id];
  hd_tokens tokens = hd_basis_tokens(basis, id);
  hd_place_id best = basis->n_places;
  size_t least = SIZE_MAX;
  for (size_t i = 0; i < tokens.size; i++) {
    file *f = get_file(basis, e->shared, tokens.data[i].place);
    hd_vec_push(&f->occurs, id);
    if (f->keys.size < least) {
      least = f->keys.size;
      best = tokens.data[i].place;
    }
  }
  filed entry = {.signature = e->signature, .total = e->total, .id = id};
  hd_vec_push(&get_file(basis, e->shared, best)->keys, entry);
}

uint32_t hd_basis_add(hd_basis *basis, hd_shared_id shared, hd_tokens tokens,
                      uint32_t parent, hd_trans_id trans) {
  uint64_t signature = hd_tokens_signature(tokens);
  hd_count total = hd_tokens_total(tokens);
  if (has_below(basis, shared, tokens, signature, total))
    return HD_NO_CONFIG;
  kill_above(basis, shared, tokens, signature, total);
  element e = {.signature = signature,
               .start = (uint32_t)basis->pool.size,
               .size = (uint32_t)tokens.size,
               .shared = shared,
               .total = total,
               .parent = parent,
               .trans = trans,
               .alive = true};
  if (basis->pool.size + tokens.size > UINT32_MAX)
    hd_out_of_memory(tokens.size);
  for (size_t i = 0; i < tokens.size; i++)
    hd_vec_push(&basis->pool, tokens.data[i]);
  uint32_t id = (uint32_t)basis->elements.size;
  hd_vec_push(&basis->elements, e);
  basis->alive++;
  index_element(basis, id);
  return id;
}

size_t hd_basis_size(const hd_basis *basis) {
  return basis->elements.size;
}

size_t hd_basis_alive(const hd_basis *basis) {
  return basis->alive;
}

bool hd_basis_is_alive(const hd_basis *basis, uint32_t id) {
  return basis->elements.data[id].alive;
}

hd_shared_id hd_basis_shared(const hd_basis *basis, uint32_t id) {
  return basis->elements.data[id].shared;
}

uint32_t hd_basis_parent(const hd_basis *basis, uint32_t id) {
  return basis->elements.data[id].parent;
}

hd_trans_id hd_basis_trans(const hd_basis *basis, uint32_t id) {
  return basis->elements.data[id].trans;
}

hd_count hd_basis_total(const hd_basis *basis, uint32_t id) {
  return basis->elements.data[id].total;
}
