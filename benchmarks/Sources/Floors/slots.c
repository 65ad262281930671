// Attributes in an array of tagged values, each index known when the filter was compiled.

#include "registry.h"

#define READ(root, name) (&context->slots[SLOT_##root##_##name])
#define FILTER(name) floor_slots_##name
#include "tagged_filters.h"
