// Counts the calling thread's heap allocations by defining malloc and its relatives in the executable,
// in front of the C library's. Nothing is counted under a sanitizer (which needs those names itself)
// or where the executable's names do not come first (anything but Linux, and static executables).

#ifndef ALLOCATION_COUNT_H
#define ALLOCATION_COUNT_H

#include <stdbool.h>
#include <stdint.h>

typedef struct {
  uint64_t allocations;  // Calls of malloc, calloc, realloc, aligned_alloc, posix_memalign, memalign.
  uint64_t frees;        // Calls of free with a pointer.
  uint64_t bytes;        // Bytes asked for.
} allocation_count;

// Whether this executable counts. Tried with a real allocation, not assumed.
bool allocation_count_available(void);

// The totals of the calling thread since it started; zeros when nothing is counted.
allocation_count allocation_count_now(void);

// Bytes of the process's heap that are handed out, the allocator's own overhead included; -1 where the
// C library does not say.
int64_t allocation_bytes_in_use(void);

#endif
