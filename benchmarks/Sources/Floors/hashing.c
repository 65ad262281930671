// Attributes in two hash maps, both keys hashed at every read: a plain hash map with text keys.

#include "registry.h"

#include "context.h"

// Not inlined, so that no hash is worked out when this file is compiled.
static __attribute__((noinline)) const floor_value *find_text(
    const floor_map *map, const char *key, uint32_t length) {
  return floor_map_find(map, floor_hash(key, length), key, length);
}

static inline const floor_value *read_hashing(
    const floor_context *context, const char *root, uint32_t root_length, const char *name,
    uint32_t name_length) {
  const floor_value *owner = find_text(context->root, root, root_length);
  if (!owner || owner->tag != FLOOR_TAG_MAP) return NULL;
  return find_text(owner->as.map, name, name_length);
}

#define READ(root, name) \
  read_hashing(context, #root, sizeof(#root) - 1, #name, sizeof(#name) - 1)
#define FILTER(name) floor_hashing_##name
#include "tagged_filters.h"
