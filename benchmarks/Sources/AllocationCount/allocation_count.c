#if defined(__linux__)
#define _GNU_SOURCE
#endif

#include "allocation_count.h"

#include <stddef.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) \
    || __has_feature(memory_sanitizer)
#define UNDER_SANITIZER 1
#endif
#endif

static _Thread_local allocation_count counted;

allocation_count allocation_count_now(void) { return counted; }

bool allocation_count_available(void) {
  uint64_t before = counted.allocations;
  void *volatile probe = malloc(1);
  uint64_t after = counted.allocations;
  free(probe);
  return after != before;
}

#if defined(__GLIBC__) && __GLIBC_PREREQ(2, 33)
#include <malloc.h>

int64_t allocation_bytes_in_use(void) {
  struct mallinfo2 info = mallinfo2();
  return (int64_t)(info.uordblks + info.hblkhd);
}
#else
int64_t allocation_bytes_in_use(void) { return -1; }
#endif

#if defined(__linux__) && !defined(UNDER_SANITIZER)

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <string.h>

// dlsym may itself allocate before the real functions are known; such requests are served from here
// and never returned.
static _Alignas(64) char early_bytes[16384];
static atomic_size_t early_used;

static void *early_allocate(size_t alignment, size_t size) {
  if (alignment < 16) alignment = 16;
  size_t room = size + alignment - 1;
  if (room < size) return NULL;
  size_t at = atomic_fetch_add(&early_used, (room + 15) & ~(size_t)15);
  if (at > sizeof early_bytes || room > sizeof early_bytes - at) return NULL;
  uintptr_t start = (uintptr_t)(early_bytes + at);
  return (void *)((start + alignment - 1) & ~(uintptr_t)(alignment - 1));
}

static bool is_early(const void *pointer) {
  return (const char *)pointer >= early_bytes
         && (const char *)pointer < early_bytes + sizeof early_bytes;
}

static void *(*real_malloc)(size_t);
static void *(*real_calloc)(size_t, size_t);
static void *(*real_realloc)(void *, size_t);
static void (*real_free)(void *);
static void *(*real_memalign)(size_t, size_t);
static int (*real_posix_memalign)(void **, size_t, size_t);

// Set once all of the above are. The first allocation comes before there is a second thread.
static atomic_bool ready;

// Set while this thread looks the functions up, so that dlsym's own allocations do not start over.
static _Thread_local bool looking_up;

static void look_up(void) {
  looking_up = true;
  // ISO C has no conversion from object to function pointer; POSIX promises that it works.
  *(void **)&real_calloc = dlsym(RTLD_NEXT, "calloc");
  *(void **)&real_realloc = dlsym(RTLD_NEXT, "realloc");
  *(void **)&real_free = dlsym(RTLD_NEXT, "free");
  *(void **)&real_memalign = dlsym(RTLD_NEXT, "memalign");
  *(void **)&real_posix_memalign = dlsym(RTLD_NEXT, "posix_memalign");
  *(void **)&real_malloc = dlsym(RTLD_NEXT, "malloc");
  looking_up = false;
  if (real_malloc && real_calloc && real_realloc && real_free && real_memalign
      && real_posix_memalign) {
    atomic_store_explicit(&ready, true, memory_order_release);
  }
}

static inline bool is_ready(void) {
  if (__builtin_expect(atomic_load_explicit(&ready, memory_order_acquire), 1)) return true;
  if (!looking_up) look_up();
  return atomic_load_explicit(&ready, memory_order_acquire);
}

static inline void count(size_t size) {
  counted.allocations += 1;
  counted.bytes += size;
}

void *malloc(size_t size) {
  count(size);
  return is_ready() ? real_malloc(size) : early_allocate(16, size);
}

void *calloc(size_t number, size_t size) {
  size_t total;
  if (__builtin_mul_overflow(number, size, &total)) {
    errno = ENOMEM;
    return NULL;
  }
  count(total);
  // The early bytes are static and handed out once: they are zero.
  return is_ready() ? real_calloc(number, size) : early_allocate(16, total);
}

void *realloc(void *pointer, size_t size) {
  count(size);
  if (!is_early(pointer)) {
    return is_ready() ? real_realloc(pointer, size) : early_allocate(16, size);
  }
  void *moved = is_ready() ? real_malloc(size) : early_allocate(16, size);
  size_t readable = (size_t)(early_bytes + sizeof early_bytes - (char *)pointer);
  if (moved) memcpy(moved, pointer, size < readable ? size : readable);
  return moved;
}

void free(void *pointer) {
  if (!pointer) return;
  counted.frees += 1;
  if (is_early(pointer) || !is_ready()) return;
  real_free(pointer);
}

void *memalign(size_t alignment, size_t size) {
  count(size);
  return is_ready() ? real_memalign(alignment, size) : early_allocate(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count(size);
  return is_ready() ? real_memalign(alignment, size) : early_allocate(alignment, size);
}

int posix_memalign(void **result, size_t alignment, size_t size) {
  count(size);
  if (is_ready()) return real_posix_memalign(result, alignment, size);
  *result = early_allocate(alignment, size);
  return *result ? 0 : ENOMEM;
}

#endif
