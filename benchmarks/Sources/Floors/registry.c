#include "registry.h"

#include <string.h>

floor_filter floor_filter_named(floor_variant variant, const char *name) {
  static const floor_registered *const tables[] = {
      [FLOOR_FIELDS] = floor_fields_table,   [FLOOR_SLOTS] = floor_slots_table,
      [FLOOR_HASHED] = floor_hashed_table,   [FLOOR_HASHING] = floor_hashing_table,
      [FLOOR_INLINED] = floor_inlined_table,
  };
  const floor_registered *table = tables[variant];
  for (; table->name; table += 1) {
    if (strcmp(table->name, name) == 0) return table->filter;
  }
  return NULL;
}

__attribute__((noinline)) int floor_empty(const floor_context *context) {
  __asm__ volatile("" : : "r"(context) : "memory");
  return FLOOR_YES;
}

__attribute__((noinline)) uint64_t floor_repeat(
    floor_filter filter, const floor_context *context, uint64_t count) {
  uint64_t sum = 0;
  for (uint64_t round = 0; round < count; round += 1) {
    // The optimiser must take both for new values each time, and all memory for changed.
    __asm__ volatile("" : "+r"(filter), "+r"(context) : : "memory");
    sum += (uint64_t)filter(context);
  }
  return sum;
}
