// The floors: each of the thirteen filters written by hand in C, five times, over several ways
// of keeping attributes. They say what an evaluation costs when nothing is general, so that every
// other figure can be read as a ratio.
//
//   fields   a struct with one typed member per attribute
//   slots    an array of tagged values whose indexes are known
//   hashed   two hash maps (root, then attribute), key hashes known when the filter was compiled
//   hashing  the same maps, the keys hashed at every read
//   inlined  as hashed, with the probes compiled into the filter
//
// An evaluation answers FLOOR_NO, FLOOR_YES or FLOOR_ERROR (an attribute missing or of another type).

#ifndef FLOORS_H
#define FLOORS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { FLOOR_NO = 0, FLOOR_YES = 1, FLOOR_ERROR = 2 };

typedef enum {
  FLOOR_TAG_NULL = 0,
  FLOOR_TAG_BOOL,
  FLOOR_TAG_INT,
  FLOOR_TAG_DOUBLE,
  FLOOR_TAG_TEXT,
  FLOOR_TAG_LIST,
  FLOOR_TAG_MAP,
} floor_tag;

struct floor_map;
struct floor_value_list;

// One attribute value in 16 bytes: a tag, a length for text and lists, a payload. Text is UTF-8, not
// terminated; the pointed-to memory belongs to the context.
typedef struct {
  uint32_t tag;
  uint32_t length;
  union {
    bool boolean;
    int64_t integer;
    double number;
    const char *text;
    const struct floor_value_list *list;
    struct floor_map *map;
  } as;
} floor_value;

typedef struct floor_context floor_context;

// Makes an empty context; NULL when memory is short. Free it with floor_context_free.
floor_context *floor_context_new(void);
void floor_context_free(floor_context *context);

// Adds `root.name`. Texts are copied. Each returns false when memory is short.
bool floor_context_set_bool(floor_context *, const char *root, const char *name, bool value);
bool floor_context_set_int(floor_context *, const char *root, const char *name, int64_t value);
bool floor_context_set_double(floor_context *, const char *root, const char *name, double value);
bool floor_context_set_text(
    floor_context *, const char *root, const char *name, const char *bytes, size_t length);
bool floor_context_set_int_list(
    floor_context *, const char *root, const char *name, const int64_t *items, size_t count);
bool floor_context_set_text_list(
    floor_context *, const char *root, const char *name, const char *const *items, size_t count);

// Fills the struct of fields and the slots from the maps. Returns false and leaves the name of the
// attribute in *culprit (a "root.name" with static lifetime) when one is missing or of another type.
bool floor_context_seal(floor_context *context, const char **culprit);

typedef enum {
  FLOOR_FIELDS = 0,
  FLOOR_SLOTS,
  FLOOR_HASHED,
  FLOOR_HASHING,
  FLOOR_INLINED,
} floor_variant;

typedef int (*floor_filter)(const floor_context *context);

// The hand-written filter of that name, or NULL when there is none.
floor_filter floor_filter_named(floor_variant variant, const char *name);

// A filter that answers FLOOR_YES without reading anything: what the loop and the call cost.
int floor_empty(const floor_context *context);

// Evaluates `count` times and returns the sum of the answers. Every round reads memory afresh.
uint64_t floor_repeat(floor_filter filter, const floor_context *context, uint64_t count);

#endif
