// The few operations the hand-written filters are made of. All inline: a compiler for one filter would
// write these in place.

#ifndef FLOORS_OPERATIONS_H
#define FLOORS_OPERATIONS_H

#include "context.h"

#define INLINE static inline __attribute__((always_inline))

// Goes on when the condition holds; answers it (no, or error) otherwise.
#define REQUIRE(condition)                       \
  do {                                           \
    int answer_ = (condition);                   \
    if (answer_ != FLOOR_YES) return answer_;    \
  } while (0)

#define LITERAL(text) (text), (sizeof(text) - 1)

// Bytes against bytes.

INLINE bool bytes_equal(const char *a, uint32_t a_length, const char *b, uint32_t b_length) {
  return a_length == b_length && memcmp(a, b, b_length) == 0;
}

INLINE int bytes_compare(const char *a, uint32_t a_length, const char *b, uint32_t b_length) {
  // Split so that the usual case compares a length the compiler knows.
  if (a_length < b_length) return memcmp(a, b, a_length) > 0 ? 1 : -1;
  int order = memcmp(a, b, b_length);
  return order != 0 ? order : a_length > b_length;
}

INLINE bool bytes_start(const char *a, uint32_t a_length, const char *b, uint32_t b_length) {
  return a_length >= b_length && memcmp(a, b, b_length) == 0;
}

INLINE bool bytes_end(const char *a, uint32_t a_length, const char *b, uint32_t b_length) {
  return a_length >= b_length && memcmp(a + (a_length - b_length), b, b_length) == 0;
}

// `^[a-z0-9._]+@example\.(com|org)$`: the class does not contain `@`, so one pass decides.
INLINE bool bytes_match_email(const char *bytes, uint32_t length) {
  static const uint8_t in_class[256] = {
      ['a'] = 1, ['b'] = 1, ['c'] = 1, ['d'] = 1, ['e'] = 1, ['f'] = 1, ['g'] = 1, ['h'] = 1,
      ['i'] = 1, ['j'] = 1, ['k'] = 1, ['l'] = 1, ['m'] = 1, ['n'] = 1, ['o'] = 1, ['p'] = 1,
      ['q'] = 1, ['r'] = 1, ['s'] = 1, ['t'] = 1, ['u'] = 1, ['v'] = 1, ['w'] = 1, ['x'] = 1,
      ['y'] = 1, ['z'] = 1, ['0'] = 1, ['1'] = 1, ['2'] = 1, ['3'] = 1, ['4'] = 1, ['5'] = 1,
      ['6'] = 1, ['7'] = 1, ['8'] = 1, ['9'] = 1, ['.'] = 1, ['_'] = 1};
  uint32_t at = 0;
  while (at < length && in_class[(uint8_t)bytes[at]]) at += 1;
  if (at == 0 || length - at != sizeof("@example.com") - 1) return false;
  if (memcmp(bytes + at, LITERAL("@example.")) != 0) return false;
  const char *end = bytes + at + sizeof("@example.") - 1;
  return memcmp(end, "com", 3) == 0 || memcmp(end, "org", 3) == 0;
}

// `in ["US", "CA", "GB", "AU", "NZ", "IE", "DE", "FR"]`
INLINE bool bytes_in_regions(const char *bytes, uint32_t length) {
  if (length != 2) return false;
  switch ((uint8_t)bytes[0] << 8 | (uint8_t)bytes[1]) {
  case 'U' << 8 | 'S':
  case 'C' << 8 | 'A':
  case 'G' << 8 | 'B':
  case 'A' << 8 | 'U':
  case 'N' << 8 | 'Z':
  case 'I' << 8 | 'E':
  case 'D' << 8 | 'E':
  case 'F' << 8 | 'R': return true;
  default: return false;
  }
}

// Tagged values. A missing value is a null pointer; it and every unexpected tag is an error.

#define TEXT_OPERATION(name, operation)                                                   \
  INLINE int name(const floor_value *value, const char *literal, uint32_t length) {       \
    if (!value || value->tag != FLOOR_TAG_TEXT) return FLOOR_ERROR;                       \
    return operation(value->as.text, value->length, literal, length);                     \
  }
TEXT_OPERATION(text_equal, bytes_equal)
TEXT_OPERATION(text_differs, !bytes_equal)
TEXT_OPERATION(text_at_least, 0 <= bytes_compare)
TEXT_OPERATION(text_starts, bytes_start)
TEXT_OPERATION(text_ends, bytes_end)

#define INTEGER_OPERATION(name, operator)                                                 \
  INLINE int name(const floor_value *value, int64_t literal) {                            \
    if (!value) return FLOOR_ERROR;                                                       \
    if (value->tag == FLOOR_TAG_INT) return value->as.integer operator literal;           \
    if (value->tag == FLOOR_TAG_DOUBLE) return value->as.number operator (double)literal; \
    return FLOOR_ERROR;                                                                   \
  }
INTEGER_OPERATION(number_equal, ==)
INTEGER_OPERATION(number_at_least, >=)
INTEGER_OPERATION(number_at_most, <=)
INTEGER_OPERATION(number_above, >)
INTEGER_OPERATION(number_below, <)

INLINE int is_false(const floor_value *value) {
  if (!value || value->tag != FLOOR_TAG_BOOL) return FLOOR_ERROR;
  return !value->as.boolean;
}

INLINE bool is_integer(const floor_value *value) { return value && value->tag == FLOOR_TAG_INT; }

INLINE int text_in_list(const floor_value *list, const char *literal, uint32_t length) {
  if (!list || list->tag != FLOOR_TAG_LIST) return FLOOR_ERROR;
  const floor_value_list *items = list->as.list;
  for (uint32_t at = 0; at < items->count; at += 1) {
    const floor_value *item = &items->items[at];
    if (item->tag == FLOOR_TAG_TEXT && bytes_equal(item->as.text, item->length, literal, length)) {
      return FLOOR_YES;
    }
  }
  return FLOOR_NO;
}

#endif
