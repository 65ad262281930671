// As hashed.c, but with the probe and the comparison of the known key compiled into the filter: the
// least that two probes can cost, which no engine that interprets a program can reach with two maps.

#include "registry.h"

#include "context.h"

static inline __attribute__((always_inline)) const floor_value *read_hashed(
    const floor_context *context, uint64_t root_hash, const char *root, uint32_t root_length,
    uint64_t name_hash, const char *name, uint32_t name_length) {
  const floor_value *owner = floor_map_find_inline(context->root, root_hash, root, root_length);
  if (!owner || owner->tag != FLOOR_TAG_MAP) return NULL;
  return floor_map_find_inline(owner->as.map, name_hash, name, name_length);
}

#define READ(root, name)                                                            \
  read_hashed(                                                                      \
      context, floor_hash(#root, sizeof(#root) - 1), #root, sizeof(#root) - 1,      \
      floor_hash(#name, sizeof(#name) - 1), #name, sizeof(#name) - 1)
#define FILTER(name) floor_inlined_##name
#include "tagged_filters.h"
