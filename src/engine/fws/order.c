/* SPDX-License-Identifier: MIT */
/* Each open configuration is in two lists. One that was taken from one list
 * stays in the other until it comes to its head there; `open` tells that it is
 * only a trace. Opened again, it need not be linked where it still is. */
#include "engine/fws/order.h"

void hd_fws_order_init(fws_order *order, bool listed) {
  *order = (fws_order){.listed = listed};
}

void hd_fws_order_free(fws_order *order) {
  hd_vec_free(&order->entries);
  hd_vec_free(&order->near);
  hd_vec_free(&order->light);
}

static fws_list *list_at(fws_lists *lists, uint32_t index) {
  fws_list empty = {FWS_NONE, FWS_NONE};
  while (lists->size <= index)
    hd_vec_push(lists, empty);
  return &lists->data[index];
}

/* The key that says "no way at all" has index 0, so that the lists need not
 * reach up to it; it is looked at when all others are empty. */
static uint32_t near_index(uint16_t key) {
  return key == FWS_LAST_KEY ? 0 : (uint32_t)key + 1;
}

static void link_near(fws_order *order, uint32_t id) {
  fws_entry *entry = &order->entries.data[id];
  uint32_t index = near_index(entry->key);
  fws_list *list = list_at(&order->near, index);
  assert(!entry->in_near);
  entry->in_near = true;
  entry->nearer = list->head;
  list->head = id;
  if (index && index < order->nearest)
    order->nearest = index;
}

static void link_light(fws_order *order, uint32_t id) {
  fws_entry *entry = &order->entries.data[id];
  fws_list *list = list_at(&order->light, entry->weight);
  assert(!entry->in_light);
  entry->in_light = true;
  entry->lighter = FWS_NONE;
  if (list->head == FWS_NONE)
    list->head = id;
  else
    order->entries.data[list->tail].lighter = id;
  list->tail = id;
  if (entry->weight < order->lightest)
    order->lightest = entry->weight;
}

void hd_fws_order_reopen(fws_order *order, uint32_t id) {
  fws_entry *entry = &order->entries.data[id];
  assert(!entry->open);
  entry->open = true;
  order->n_open++;
  if (id < order->oldest)
    order->oldest = id;
  if (order->listed && !entry->in_near)
    link_near(order, id);
  if (order->listed && !entry->in_light)
    link_light(order, id);
}

void hd_fws_order_add(fws_order *order, uint32_t key, uint64_t weight) {
  fws_entry entry = {
      .nearer = FWS_NONE,
      .lighter = FWS_NONE,
      .key = (uint16_t)(key < FWS_LAST_KEY ? key : FWS_LAST_KEY),
      .weight = (uint16_t)(weight < FWS_LAST_KEY ? weight : FWS_LAST_KEY)};
  hd_vec_push(&order->entries, entry);
  hd_fws_order_reopen(order, (uint32_t)order->entries.size - 1);
}

static uint32_t taken(fws_order *order, uint32_t id) {
  assert(id != FWS_NONE && order->entries.data[id].open); /* I3 */
  order->entries.data[id].open = false;
  order->n_open--;
  return id;
}

/* The first open configuration of the list; FWS_NONE when there is none. */
static uint32_t pop_near(fws_order *order, uint32_t index) {
  fws_list *list = &order->near.data[index];
  while (list->head != FWS_NONE) {
    uint32_t id = list->head;
    list->head = order->entries.data[id].nearer;
    order->entries.data[id].in_near = false;
    if (order->entries.data[id].open)
      return id;
  }
  return FWS_NONE;
}

static uint32_t pop_light(fws_order *order, uint32_t index) {
  fws_list *list = &order->light.data[index];
  while (list->head != FWS_NONE) {
    uint32_t id = list->head;
    list->head = order->entries.data[id].lighter;
    order->entries.data[id].in_light = false;
    if (order->entries.data[id].open)
      return id;
  }
  return FWS_NONE;
}

uint32_t hd_fws_order_nearest(fws_order *order) {
  assert(order->n_open && order->listed);
  for (; order->nearest < order->near.size; order->nearest++) {
    uint32_t id = order->nearest ? pop_near(order, order->nearest) : FWS_NONE;
    if (id != FWS_NONE)
      return taken(order, id);
  }
  return taken(order, pop_near(order, 0));
}

uint32_t hd_fws_order_lightest(fws_order *order) {
  assert(order->n_open && order->listed);
  for (; order->lightest < order->light.size; order->lightest++) {
    uint32_t id = pop_light(order, order->lightest);
    if (id != FWS_NONE)
      return taken(order, id);
  }
  return taken(order, FWS_NONE);
}

uint32_t hd_fws_order_oldest(fws_order *order) {
  assert(order->n_open);
  while (!order->entries.data[order->oldest].open)
    order->oldest++;
  return taken(order, order->oldest++);
}

bool hd_fws_order_check(const fws_order *order) {
  size_t n_open = 0, near = 0, light = 0;
  for (uint32_t id = 0; id < order->entries.size; id++) {
    const fws_entry *entry = &order->entries.data[id];
    n_open += entry->open;
    near += entry->in_near;
    light += entry->in_light;
    assert(!entry->open || id >= order->oldest); /* I4 */
    if (order->listed && entry->open)
      assert(entry->in_near && entry->in_light); /* I3 */
    if (entry->in_near && entry->key != FWS_LAST_KEY)
      assert(near_index(entry->key) >= order->nearest); /* I4 */
    if (entry->in_light)
      assert(entry->weight >= order->lightest); /* I4 */
  }
  for (uint32_t i = 0; i < order->near.size; i++)
    for (uint32_t id = order->near.data[i].head; id != FWS_NONE; near--) {
      assert(near_index(order->entries.data[id].key) == i); /* I3 */
      id = order->entries.data[id].nearer;
    }
  for (uint32_t i = 0; i < order->light.size; i++)
    for (uint32_t id = order->light.data[i].head; id != FWS_NONE; light--) {
      assert(order->entries.data[id].weight == i); /* I3 */
      id = order->entries.data[id].lighter;
    }
  assert(!near && !light); /* I3 */
  return n_open == order->n_open;
}
