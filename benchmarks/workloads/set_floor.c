// The workloads of sets.py by hand in C: every filter one by one, the attributes of an event read once.
//
//   cc -O2 set_floor.c -o floor && ./floor FOLDER/filters.tree FOLDER/events.values
//
// Each filter is a tree of and, or and comparisons, in the order of its text, and is left as soon as it is
// decided. Prints {"set_once": {"ns", "matches"}, "first20"} as `swexpr bench --workload` does.

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { AND, OR, EQUAL, NOT_EQUAL, BELOW, AT_MOST, ABOVE, AT_LEAST };
enum { MOST_ATTRIBUTES = 1 << 16, MOST_EVENT_SIZE = 1 << 10 };

typedef struct {
  uint8_t op;
  // Of a comparison.
  uint16_t attribute;
  int32_t value;
  // The index after the last node of the tree that starts here.
  uint32_t end;
} node;

static node *nodes;
static size_t node_count, node_capacity;
static uint32_t *starts;
static size_t filter_count, filter_capacity;

static void fail(const char *reason) {
  fprintf(stderr, "floor: %s\n", reason);
  exit(1);
}

static void *grown(void *array, size_t count, size_t *capacity, size_t size) {
  if (count < *capacity) return array;
  *capacity = *capacity ? *capacity * 2 : 1024;
  array = realloc(array, *capacity * size);
  if (!array) fail("out of memory");
  return array;
}

static char *next_word(void) {
  char *word = strtok(NULL, " \n");
  if (!word) fail("a line of the filters is wrong");
  return word;
}

static void read_tree(const char *word) {
  static const char *const words[] = {"&", "|", "==", "!=", "<", "<=", ">", ">="};
  nodes = grown(nodes, node_count, &node_capacity, sizeof *nodes);
  size_t at = node_count;
  node_count += 1;
  uint8_t op = 0;
  while (strcmp(words[op], word) != 0) {
    op += 1;
    if (op > AT_LEAST) fail("a filter has an unknown operator");
  }
  nodes[at] = (node){.op = op};
  int number = atoi(next_word());
  if (op <= OR) {
    for (int child = 0; child < number; child += 1) read_tree(next_word());
  } else {
    if (number < 0 || number >= MOST_ATTRIBUTES) fail("a filter has too high an attribute");
    nodes[at].attribute = (uint16_t)number;
    nodes[at].value = atoi(next_word());
  }
  nodes[at].end = (uint32_t)node_count;
}

// Values are 1 and more; 0 is a missing attribute, for which nothing holds.
static bool holds(uint32_t at, const int32_t *values) {
  const node *it = &nodes[at];
  if (it->op <= OR) {
    bool decides = it->op == OR;
    for (uint32_t child = at + 1; child < it->end; child = nodes[child].end) {
      if (holds(child, values) == decides) return decides;
    }
    return !decides;
  }
  int32_t value = values[it->attribute];
  if (value == 0) return false;
  switch (it->op) {
  case EQUAL: return value == it->value;
  case NOT_EQUAL: return value != it->value;
  case BELOW: return value < it->value;
  case AT_MOST: return value <= it->value;
  case ABOVE: return value > it->value;
  default: return value >= it->value;
  }
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return (double)time.tv_sec * 1e9 + (double)time.tv_nsec;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

int main(int argc, char **argv) {
  if (argc != 3) fail("give the paths of filters.tree and events.values");
  FILE *filters = fopen(argv[1], "r"), *events = fopen(argv[2], "r");
  if (!filters || !events) fail("the filters or the events cannot be read");
  static char line[1 << 20];
  while (fgets(line, sizeof line, filters)) {
    starts = grown(starts, filter_count, &filter_capacity, sizeof *starts);
    starts[filter_count] = (uint32_t)node_count;
    filter_count += 1;
    char *word = strtok(line, " \n");
    if (!word) fail("a line of the filters is empty");
    read_tree(word);
  }
  if (filter_count == 0) fail("there are no filters");

  static int32_t values[MOST_ATTRIBUTES];
  double *times = NULL, spent = 0;
  size_t event_count = 0, capacity = 0;
  long first[20] = {0};
  while ((event_count < 20 || spent < 20e9) && fgets(line, sizeof line, events)) {
    int numbers[2 * MOST_EVENT_SIZE], count = 0;
    for (char *word = strtok(line, " \n"); word; word = strtok(NULL, " \n")) {
      if (count == 2 * MOST_EVENT_SIZE) fail("an event is too large");
      numbers[count] = atoi(word);
      count += 1;
    }
    double start = now();
    for (int at = 0; at + 1 < count; at += 2) values[numbers[at]] = numbers[at + 1];
    long matches = 0;
    for (size_t index = 0; index < filter_count; index += 1) matches += holds(starts[index], values);
    for (int at = 0; at + 1 < count; at += 2) values[numbers[at]] = 0;
    double time = now() - start;
    times = grown(times, event_count, &capacity, sizeof *times);
    times[event_count] = time / (double)filter_count;
    spent += time;
    if (event_count < 20) first[event_count] = matches;
    event_count += 1;
  }
  if (event_count == 0) fail("there are no events");
  qsort(times, event_count, sizeof *times, ascending);
  printf("{\"set_once\": {\"ns\": %.3f, \"matches\": %ld}, \"first20\": [", times[event_count / 2],
         first[0]);
  for (size_t at = 0; at < 20 && at < event_count; at += 1) printf("%s%ld", at ? ", " : "", first[at]);
  printf("]}\n");
  return 0;
}
