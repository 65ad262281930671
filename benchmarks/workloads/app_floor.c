// The workload of app.py by hand in C: what its filters cost when nothing is general.
//
// `workload` compiles it together with the context of the other floors and with the filters that app.py
// wrote into the folder of the workload; its argument is the path of contexts.tsv.
//
// each20, each200 and once are functions for single filters over two levels of hash maps whose key hashes
// are constants. set20, set200 and set_once read the attributes of a context once, evaluate each
// condition once and combine them. Prints one JSON document of the form of `swexpr bench --workload`.

#include "operations.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

typedef bool (*filter)(const floor_context *context);
typedef bool (*condition)(const floor_value *const *attributes);
typedef bool (*combination)(const bool *holds);

#define NOINLINE static __attribute__((noinline))
#define FILTER(name) NOINLINE bool name(const floor_context *context)
#define CONDITION(name) NOINLINE bool name(const floor_value *const *attributes)
#define COMBINATION(name) NOINLINE bool name(const bool *holds)

INLINE const floor_value *read_path(
    const floor_context *context, uint64_t root_hash, const char *root, uint32_t root_length,
    uint64_t name_hash, const char *name, uint32_t name_length) {
  const floor_value *owner = floor_map_find(context->root, root_hash, root, root_length);
  if (!owner || owner->tag != FLOOR_TAG_MAP) return NULL;
  return floor_map_find(owner->as.map, name_hash, name, name_length);
}

INLINE int double_above(const floor_value *value, double bound) {
  if (!value) return FLOOR_ERROR;
  if (value->tag == FLOOR_TAG_DOUBLE) return value->as.number > bound;
  if (value->tag == FLOOR_TAG_INT) return (double)value->as.integer > bound;
  return FLOOR_ERROR;
}

INLINE bool sum_above(
    const floor_value *first, int64_t factor, const floor_value *second, int64_t bound) {
  int64_t sum;
  return is_integer(first) && is_integer(second)
      && !__builtin_mul_overflow(first->as.integer, factor, &sum)
      && !__builtin_add_overflow(sum, second->as.integer, &sum) && sum > bound;
}

#include "filters.h"

enum { FILTER_COUNT = sizeof filters / sizeof *filters, MOST_ROUNDS = 21 };

static floor_context **contexts;
static int context_count;

static void fail(const char *reason) {
  fprintf(stderr, "floor: %s\n", reason);
  exit(1);
}

static floor_context *new_context(void) {
  contexts = realloc(contexts, ((size_t)context_count + 1) * sizeof *contexts);
  floor_context *context = floor_context_new();
  if (!contexts || !context) fail("out of memory");
  contexts[context_count] = context;
  context_count += 1;
  return context;
}

static bool put(floor_context *context, char *line) {
  char *fields[4] = {line, "", "", ""};
  for (int field = 1; field < 4; field += 1) {
    char *end = strchr(fields[field - 1], '\t');
    if (!end) return false;
    *end = 0;
    fields[field] = end + 1;
  }
  const char *root = fields[0], *name = fields[1];
  char *value = fields[3];
  switch (fields[2][0]) {
  case 'b': return floor_context_set_bool(context, root, name, *value == '1');
  case 'i': return floor_context_set_int(context, root, name, atoll(value));
  case 'd': return floor_context_set_double(context, root, name, atof(value));
  case 's': return floor_context_set_text(context, root, name, value, strlen(value));
  // No filter reads the maps below an attribute; their places must be taken, though.
  case 'm': return floor_context_set_bool(context, root, name, false);
  case 'l': {
    const char *items[16];
    size_t count = 0;
    for (char *item = strtok(value, ","); item && count < 16; item = strtok(NULL, ",")) {
      items[count] = item;
      count += 1;
    }
    return floor_context_set_text_list(context, root, name, items, count);
  }
  default: return false;
  }
}

static void read_contexts(const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) fail("the contexts cannot be read");
  static char line[1 << 16];
  floor_context *context = NULL;
  while (fgets(line, sizeof line, file)) {
    line[strcspn(line, "\n")] = 0;
    if (!*line) {
      context = NULL;
      continue;
    }
    if (!context) context = new_context();
    if (!put(context, line)) fail("a line of the contexts is wrong");
  }
  fclose(file);
  if (context_count == 0) fail("there are no contexts");
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

// The sum of the matches of the first `count` filters over contexts `first` and up.
NOINLINE long one_by_one(int count, int first, int last) {
  long matches = 0;
  for (int at = first; at < last; at += 1) {
    for (int index = 0; index < count; index += 1) matches += filters[index](contexts[at]);
  }
  return matches;
}

NOINLINE long together(int count, int first, int last) {
  static bool holds[sizeof conditions / sizeof *conditions];
  const floor_value *attributes[ATTRIBUTE_COUNT];
  const int condition_count = condition_counts[count - 1];
  long matches = 0;
  for (int at = first; at < last; at += 1) {
    read_attributes(contexts[at], attributes);
    for (int index = 0; index < condition_count; index += 1) {
      holds[index] = conditions[index](attributes);
    }
    for (int index = 0; index < count; index += 1) matches += combinations[index](holds);
  }
  return matches;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

// The median of some rounds over all contexts, or over one context each.
static void measure(
    const char *name, long (*body)(int, int, int), int count, int rounds, bool over_all) {
  static const char *separator = "{";
  double times[MOST_ROUNDS];
  long matches = 0;
  for (int round = 0; round < rounds; round += 1) {
    int first = over_all ? 0 : round % context_count;
    int last = over_all ? context_count : first + 1;
    double start = now();
    long sum = body(count, first, last);
    times[round] = (now() - start) / ((double)count * (last - first));
    if (round == 0) matches = sum;
  }
  qsort(times, (size_t)rounds, sizeof *times, ascending);
  printf("%s\"%s\": {\"ns\": %.3f, \"matches\": %ld}", separator, name, times[rounds / 2], matches);
  separator = ", ";
}

int main(int argc, char **argv) {
  if (argc != 2) fail("give the path of contexts.tsv");
  read_contexts(argv[1]);
  const int sizes[] = {20, 200};
  for (int at = 0; at < 2; at += 1) {
    if (sizes[at] > FILTER_COUNT) continue;
    char name[16];
    snprintf(name, sizeof name, "each%d", sizes[at]);
    measure(name, one_by_one, sizes[at], 9, true);
    snprintf(name, sizeof name, "set%d", sizes[at]);
    measure(name, together, sizes[at], 9, true);
  }
  measure("once", one_by_one, FILTER_COUNT, 21, false);
  measure("set_once", together, FILTER_COUNT, 21, false);
  printf("}\n");
  return 0;
}
