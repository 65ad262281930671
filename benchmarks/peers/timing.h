// Timing for the peers' drivers: the call of a compiled filter against the call of an empty one.

#ifndef PEERS_TIMING_H
#define PEERS_TIMING_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

// Runs `count` evaluations of filter `index` and returns how many were true. Index -1 is the empty one.
typedef uint64_t (*batch)(void *state, int index, uint64_t count);

static double nanoseconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec * 1e9 + (double)now.tv_nsec;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *values, int count) {
  qsort(values, (size_t)count, sizeof *values, ascending);
  return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2;
}

static double time_batch(batch run, void *state, int index, uint64_t count, uint64_t expected) {
  double start = nanoseconds();
  uint64_t matches = run(state, index, count);
  double elapsed = nanoseconds() - start;
  if (matches != expected * count) {
    fprintf(stderr, "filter %d answers wrongly\n", index);
    exit(1);
  }
  return elapsed;
}

typedef struct {
  double median, minimum, call, net;
} figures;

// Batches of the filter and of the empty call take turns, so that drift meets both.
static figures measure(
    batch run, void *state, int index, uint64_t expected, int rounds, double batch_ns) {
  uint64_t count = 16;
  while (time_batch(run, state, index, count, expected) < batch_ns / 4) count *= 2;
  count = (uint64_t)(
      (double)count * batch_ns / fmax(1, time_batch(run, state, index, count, expected)));
  if (count == 0) count = 1;
  double *times = calloc((size_t)rounds * 3, sizeof *times);
  if (!times) exit(1);
  double *calls = times + rounds, *nets = calls + rounds;
  for (int round = 0; round < rounds; round += 1) {
    times[round] = time_batch(run, state, index, count, expected) / (double)count;
    calls[round] = time_batch(run, state, -1, count, 1) / (double)count;
    nets[round] = times[round] - calls[round];
  }
  figures result = {.minimum = INFINITY, .call = median(calls, rounds), .net = median(nets, rounds)};
  for (int round = 0; round < rounds; round += 1) {
    result.minimum = fmin(result.minimum, times[round]);
  }
  result.median = median(times, rounds);
  free(times);
  return result;
}

static void print_row(
    const char *name, figures measured, double compile_ns, int result, int is_last) {
  printf(
      "    {\"name\": \"%s\", \"ns_median\": %.3f, \"ns_min\": %.3f, \"ns_call\": %.3f, "
      "\"ns_net\": %.3f, \"compile_us\": %.3f, \"result\": %s}%s\n",
      name, measured.median, measured.minimum, measured.call, measured.net, compile_ns / 1000,
      result ? "true" : "false", is_last ? "" : ",");
}

#endif
