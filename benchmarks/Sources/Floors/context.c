#include "context.h"

#include <stdlib.h>

__attribute__((noinline)) const floor_value *floor_map_find(
    const floor_map *map, uint64_t hash, const char *key, uint32_t length) {
  return floor_map_find_inline(map, hash, key, length);
}

static char *copy_bytes(const char *bytes, size_t length) {
  char *copy = malloc(length ? length : 1);
  if (copy) memcpy(copy, bytes, length);
  return copy;
}

static floor_map *map_new(void) {
  floor_map *map = calloc(1, sizeof *map);
  if (!map) return NULL;
  map->mask = 7;
  map->entries = calloc(map->mask + 1, sizeof *map->entries);
  if (!map->entries) {
    free(map);
    return NULL;
  }
  return map;
}

static void map_place(floor_map *map, floor_entry entry) {
  uint32_t at = (uint32_t)entry.hash & map->mask;
  while (map->entries[at].used) at = (at + 1) & map->mask;
  map->entries[at] = entry;
}

static bool map_grow(floor_map *map) {
  uint32_t old_mask = map->mask;
  floor_entry *old_entries = map->entries;
  floor_entry *entries = calloc(((size_t)old_mask + 1) * 2, sizeof *entries);
  if (!entries) return false;
  map->mask = old_mask * 2 + 1;
  map->entries = entries;
  for (uint32_t at = 0; at <= old_mask; at += 1) {
    if (old_entries[at].used) map_place(map, old_entries[at]);
  }
  free(old_entries);
  return true;
}

// Where the value of `key` goes: its old place, or a new one holding null. NULL when memory is short.
static floor_value *map_reserve(floor_map *map, const char *key) {
  size_t length = strlen(key);
  uint64_t hash = floor_hash(key, length);
  floor_value *found = (floor_value *)floor_map_find(map, hash, key, (uint32_t)length);
  if (found) return found;
  if ((map->count + 1) * 2 > map->mask + 1 && !map_grow(map)) return NULL;
  char *copy = copy_bytes(key, length);
  if (!copy) return NULL;
  floor_entry entry = {
      .hash = hash, .key = copy, .key_length = (uint32_t)length, .used = true, .value = {0}};
  map_place(map, entry);
  map->count += 1;
  return (floor_value *)floor_map_find(map, hash, key, (uint32_t)length);
}

static void value_free(floor_value value);

static void map_free(floor_map *map) {
  if (!map) return;
  for (uint32_t at = 0; at <= map->mask; at += 1) {
    if (!map->entries[at].used) continue;
    free((char *)map->entries[at].key);
    value_free(map->entries[at].value);
  }
  free(map->entries);
  free(map);
}

static void value_free(floor_value value) {
  if (value.tag == FLOOR_TAG_TEXT) free((char *)value.as.text);
  if (value.tag == FLOOR_TAG_MAP) map_free(value.as.map);
  if (value.tag == FLOOR_TAG_LIST) {
    for (uint32_t at = 0; at < value.as.list->count; at += 1) value_free(value.as.list->items[at]);
    free((floor_value_list *)value.as.list);
  }
}

static bool make_text(floor_value *value, const char *bytes, size_t length) {
  char *copy = copy_bytes(bytes, length);
  if (!copy) return false;
  *value = (floor_value){.tag = FLOOR_TAG_TEXT, .length = (uint32_t)length, .as.text = copy};
  return true;
}

static floor_value_list *list_new(size_t count) {
  floor_value_list *list = calloc(1, sizeof *list + count * sizeof(floor_value));
  if (list) list->count = (uint32_t)count;
  return list;
}

static bool context_put(
    floor_context *context, const char *root, const char *name, floor_value value) {
  floor_value *owner = map_reserve(context->root, root);
  if (!owner) return false;
  if (owner->tag != FLOOR_TAG_MAP) {
    floor_map *map = map_new();
    if (!map) return false;
    *owner = (floor_value){.tag = FLOOR_TAG_MAP, .as.map = map};
  }
  floor_value *place = map_reserve(owner->as.map, name);
  if (!place) return false;
  value_free(*place);
  *place = value;
  return true;
}

floor_context *floor_context_new(void) {
  floor_context *context = calloc(1, sizeof *context);
  if (!context) return NULL;
  context->root = map_new();
  context->slots = calloc(SLOT_COUNT, sizeof *context->slots);
  context->fields = calloc(1, sizeof *context->fields);
  if (!context->root || !context->slots || !context->fields) {
    floor_context_free(context);
    return NULL;
  }
  return context;
}

static void fields_free(floor_fields *fields) {
  if (!fields) return;
#define TEXT(root, name)
#define INTEGER(root, name)
#define FLAG(root, name)
#define TEXT_LIST(root, name) free((void *)fields->root##_##name.items);
#define INTEGER_LIST(root, name) free((void *)fields->root##_##name.items);
#include "attributes.def"
#undef TEXT
#undef INTEGER
#undef FLAG
#undef TEXT_LIST
#undef INTEGER_LIST
  free(fields);
}

void floor_context_free(floor_context *context) {
  if (!context) return;
  fields_free(context->fields);
  free(context->slots);
  map_free(context->root);
  free(context);
}

bool floor_context_set_bool(
    floor_context *context, const char *root, const char *name, bool value) {
  return context_put(
      context, root, name, (floor_value){.tag = FLOOR_TAG_BOOL, .as.boolean = value});
}

bool floor_context_set_int(
    floor_context *context, const char *root, const char *name, int64_t value) {
  return context_put(
      context, root, name, (floor_value){.tag = FLOOR_TAG_INT, .as.integer = value});
}

bool floor_context_set_double(
    floor_context *context, const char *root, const char *name, double value) {
  return context_put(
      context, root, name, (floor_value){.tag = FLOOR_TAG_DOUBLE, .as.number = value});
}

bool floor_context_set_text(
    floor_context *context, const char *root, const char *name, const char *bytes, size_t length) {
  floor_value value;
  return make_text(&value, bytes, length) && context_put(context, root, name, value);
}

bool floor_context_set_int_list(
    floor_context *context, const char *root, const char *name, const int64_t *items,
    size_t count) {
  floor_value_list *list = list_new(count);
  if (!list) return false;
  for (size_t at = 0; at < count; at += 1) {
    list->items[at] = (floor_value){.tag = FLOOR_TAG_INT, .as.integer = items[at]};
  }
  return context_put(
      context, root, name,
      (floor_value){.tag = FLOOR_TAG_LIST, .length = (uint32_t)count, .as.list = list});
}

bool floor_context_set_text_list(
    floor_context *context, const char *root, const char *name, const char *const *items,
    size_t count) {
  floor_value_list *list = list_new(count);
  if (!list) return false;
  for (size_t at = 0; at < count; at += 1) {
    if (!make_text(&list->items[at], items[at], strlen(items[at]))) return false;
  }
  return context_put(
      context, root, name,
      (floor_value){.tag = FLOOR_TAG_LIST, .length = (uint32_t)count, .as.list = list});
}

static const floor_value *context_find(
    const floor_context *context, const char *root, const char *name) {
  size_t root_length = strlen(root), name_length = strlen(name);
  const floor_value *owner = floor_map_find(
      context->root, floor_hash(root, root_length), root, (uint32_t)root_length);
  if (!owner || owner->tag != FLOOR_TAG_MAP) return NULL;
  return floor_map_find(
      owner->as.map, floor_hash(name, name_length), name, (uint32_t)name_length);
}

static bool seal_text(const floor_value *value, floor_text *out) {
  if (value->tag != FLOOR_TAG_TEXT) return false;
  *out = (floor_text){.bytes = value->as.text, .length = value->length};
  return true;
}

static bool seal_integer(const floor_value *value, int64_t *out) {
  if (value->tag != FLOOR_TAG_INT) return false;
  *out = value->as.integer;
  return true;
}

static bool seal_flag(const floor_value *value, bool *out) {
  if (value->tag != FLOOR_TAG_BOOL) return false;
  *out = value->as.boolean;
  return true;
}

static bool seal_text_list(const floor_value *value, floor_text_list *out) {
  if (value->tag != FLOOR_TAG_LIST) return false;
  const floor_value_list *list = value->as.list;
  floor_text *items = calloc(list->count ? list->count : 1, sizeof *items);
  if (!items) return false;
  free((void *)out->items);
  *out = (floor_text_list){.count = list->count, .items = items};
  for (uint32_t at = 0; at < list->count; at += 1) {
    if (!seal_text(&list->items[at], &items[at])) return false;
  }
  return true;
}

static bool seal_integer_list(const floor_value *value, floor_int_list *out) {
  if (value->tag != FLOOR_TAG_LIST) return false;
  const floor_value_list *list = value->as.list;
  int64_t *items = calloc(list->count ? list->count : 1, sizeof *items);
  if (!items) return false;
  free((void *)out->items);
  *out = (floor_int_list){.count = list->count, .items = items};
  for (uint32_t at = 0; at < list->count; at += 1) {
    if (!seal_integer(&list->items[at], &items[at])) return false;
  }
  return true;
}

bool floor_context_seal(floor_context *context, const char **culprit) {
  const floor_value *value;
#define SEAL(root, name, seal)                                  \
  value = context_find(context, #root, #name);                  \
  if (!value || !seal(value, &context->fields->root##_##name)) { \
    *culprit = #root "." #name;                                 \
    return false;                                               \
  }                                                             \
  context->slots[SLOT_##root##_##name] = *value;
#define TEXT(root, name) SEAL(root, name, seal_text)
#define INTEGER(root, name) SEAL(root, name, seal_integer)
#define FLAG(root, name) SEAL(root, name, seal_flag)
#define TEXT_LIST(root, name) SEAL(root, name, seal_text_list)
#define INTEGER_LIST(root, name) SEAL(root, name, seal_integer_list)
#include "attributes.def"
  return true;
}
