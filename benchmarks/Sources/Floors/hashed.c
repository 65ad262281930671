// Attributes in two hash maps, the hashes of both keys known when the filter was compiled.

#include "registry.h"

#include "context.h"

static inline const floor_value *read_hashed(
    const floor_context *context, uint64_t root_hash, const char *root, uint32_t root_length,
    uint64_t name_hash, const char *name, uint32_t name_length) {
  const floor_value *owner = floor_map_find(context->root, root_hash, root, root_length);
  if (!owner || owner->tag != FLOOR_TAG_MAP) return NULL;
  return floor_map_find(owner->as.map, name_hash, name, name_length);
}

#define READ(root, name)                                                            \
  read_hashed(                                                                      \
      context, floor_hash(#root, sizeof(#root) - 1), #root, sizeof(#root) - 1,      \
      floor_hash(#name, sizeof(#name) - 1), #name, sizeof(#name) - 1)
#define FILTER(name) floor_hashed_##name
#include "tagged_filters.h"
