// What a floor's context is made of. Internal to the floors.

#ifndef FLOORS_CONTEXT_H
#define FLOORS_CONTEXT_H

#include "floors.h"

#include <string.h>

typedef struct floor_value_list {
  uint32_t count;
  floor_value items[];
} floor_value_list;

typedef struct {
  const char *bytes;
  uint32_t length;
} floor_text;

typedef struct {
  uint32_t count;
  const int64_t *items;
} floor_int_list;

typedef struct {
  uint32_t count;
  const floor_text *items;
} floor_text_list;

// One typed member per attribute of attributes.def.
typedef struct {
#define TEXT(root, name) floor_text root##_##name;
#define INTEGER(root, name) int64_t root##_##name;
#define FLAG(root, name) bool root##_##name;
#define TEXT_LIST(root, name) floor_text_list root##_##name;
#define INTEGER_LIST(root, name) floor_int_list root##_##name;
#include "attributes.def"
#undef TEXT
#undef INTEGER
#undef FLAG
#undef TEXT_LIST
#undef INTEGER_LIST
} floor_fields;

// The slot number of each attribute.
enum {
#define TEXT(root, name) SLOT_##root##_##name,
#define INTEGER TEXT
#define FLAG TEXT
#define TEXT_LIST TEXT
#define INTEGER_LIST TEXT
#include "attributes.def"
#undef TEXT
#undef INTEGER
#undef FLAG
#undef TEXT_LIST
#undef INTEGER_LIST
  SLOT_COUNT
};

// An open-addressed table with linear probing; the capacity is a power of two and at least twice the
// count, so that a probe that misses ends at an empty entry.
typedef struct {
  uint64_t hash;
  const char *key;
  uint32_t key_length;
  bool used;
  floor_value value;
} floor_entry;

typedef struct floor_map {
  uint32_t mask;
  uint32_t count;
  floor_entry *entries;
} floor_map;

struct floor_context {
  floor_map *root;
  floor_value *slots;
  floor_fields *fields;
};

// The hash of a key: eight bytes at a time, folded by one widening multiplication each. Written so
// that the compiler can work it out for a literal key.
static inline __attribute__((always_inline)) uint64_t floor_mix(uint64_t a, uint64_t b) {
  unsigned __int128 product = (unsigned __int128)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline __attribute__((always_inline)) uint64_t floor_hash(const char *bytes, size_t length) {
  uint64_t hash = 0x9E3779B97F4A7C15u ^ length;
  size_t at = 0;
  for (; at + 8 <= length; at += 8) {
    uint64_t word;
    memcpy(&word, bytes + at, 8);
    hash = floor_mix(hash ^ word, 0xD6E8FEB86659FD93u);
  }
  if (at < length) {
    uint64_t word = 0;
    for (size_t shift = 0; at < length; at += 1, shift += 8) {
      word |= (uint64_t)(unsigned char)bytes[at] << shift;
    }
    hash = floor_mix(hash ^ word, 0xD6E8FEB86659FD93u);
  }
  return hash;
}

// The value under a key whose hash is known, or NULL.
static inline __attribute__((always_inline)) const floor_value *floor_map_find_inline(
    const floor_map *map, uint64_t hash, const char *key, uint32_t length) {
  for (uint32_t at = (uint32_t)hash & map->mask;; at = (at + 1) & map->mask) {
    const floor_entry *entry = &map->entries[at];
    if (!entry->used) return NULL;
    if (entry->hash == hash && entry->key_length == length
        && memcmp(entry->key, key, length) == 0) {
      return &entry->value;
    }
  }
}

// The same as a function of its own, as a map that knows nothing of its callers has it.
const floor_value *floor_map_find(
    const floor_map *map, uint64_t hash, const char *key, uint32_t length);

#endif
