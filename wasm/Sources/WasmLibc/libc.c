/* The part of the C library that the engine and the runtime of Swift call, for one thread.
 *
 * Blocks of memory have one of 56 sizes, four to every power of two. A freed block goes to the list of
 * its size and is handed out again; memory is never given back to the host. Each block has its size
 * class in the 8 bytes before it. */
#include "libc.h"

#include <stdint.h>

enum { ALIGNMENT = 16, HEADER = 16, CLASSES = 112, PAGE = 65536 };

typedef struct Block {
  struct Block *next;
} Block;

extern unsigned char __heap_base;

static Block *freed[CLASSES];
static uintptr_t top;
static uintptr_t limit;

/* The size of the blocks of a class: 32, 40, 48, 56, 64, 80, 96, ... rounded to the alignment. */
static size_t size_of_class(unsigned number) {
  size_t power = (size_t)32 << (number / 4);
  return (power + power / 4 * (number % 4) + ALIGNMENT - 1) & ~(size_t)(ALIGNMENT - 1);
}

static unsigned class_of_size(size_t size) {
  if (size <= 32) return 0;
  unsigned bits = 31 - __builtin_clz((unsigned)size);
  unsigned number = (bits - 5) * 4;
  while (size_of_class(number) < size) number++;
  return number;
}

static void *grow(size_t size) {
  if (top == 0) {
    top = ((uintptr_t)&__heap_base + ALIGNMENT - 1) & ~(uintptr_t)(ALIGNMENT - 1);
    limit = (uintptr_t)__builtin_wasm_memory_size(0) * PAGE;
  }
  if (size > limit - top) {
    size_t pages = (size - (limit - top) + PAGE - 1) / PAGE;
    if (__builtin_wasm_memory_grow(0, pages) == (size_t)-1) return NULL;
    limit += pages * PAGE;
  }
  void *block = (void *)top;
  top += size;
  return block;
}

void *malloc(size_t count) {
  if (count > (size_t)1 << 30) return NULL;
  unsigned number = class_of_size(count + HEADER);
  Block *block = freed[number];
  if (block != NULL) {
    freed[number] = block->next;
  } else {
    block = grow(size_of_class(number));
    if (block == NULL) return NULL;
  }
  *(uint32_t *)block = number;
  return (unsigned char *)block + HEADER;
}

void free(void *pointer) {
  if (pointer == NULL) return;
  Block *block = (Block *)((unsigned char *)pointer - HEADER);
  unsigned number = *(uint32_t *)block;
  block->next = freed[number];
  freed[number] = block;
}

/* Every block is aligned to 16 bytes, which is more than any type here asks for. */
int posix_memalign(void **result, size_t alignment, size_t count) {
  if (alignment > ALIGNMENT) return 22;
  *result = malloc(count);
  return *result == NULL ? 12 : 0;
}

void *calloc(size_t count, size_t size) {
  if (size != 0 && count > ((size_t)1 << 30) / size) return NULL;
  void *result = malloc(count * size);
  if (result != NULL) memset(result, 0, count * size);
  return result;
}

void *realloc(void *pointer, size_t count) {
  void *result = malloc(count);
  if (result == NULL || pointer == NULL) return result;
  size_t old = size_of_class(*(uint32_t *)((unsigned char *)pointer - HEADER)) - HEADER;
  memcpy(result, pointer, old < count ? old : count);
  free(pointer);
  return result;
}

void *memcpy(void *restrict target, const void *restrict source, size_t count) {
  return __builtin_memcpy(target, source, count);
}

void *memmove(void *target, const void *source, size_t count) {
  return __builtin_memmove(target, source, count);
}

void *memset(void *target, int byte, size_t count) { return __builtin_memset(target, byte, count); }

int memcmp(const void *left, const void *right, size_t count) {
  const unsigned char *a = left, *b = right;
  for (size_t index = 0; index < count; index++)
    if (a[index] != b[index]) return a[index] < b[index] ? -1 : 1;
  return 0;
}

void *memchr(const void *bytes, int byte, size_t count) {
  const unsigned char *start = bytes;
  for (size_t index = 0; index < count; index++)
    if (start[index] == (unsigned char)byte) return (void *)(start + index);
  return NULL;
}

size_t strlen(const char *text) {
  size_t count = 0;
  while (text[count] != 0) count++;
  return count;
}

/* Nothing is printed; the runtime does so only before it stops. */
int putchar(int character) { return character; }

__attribute__((import_module("host"), import_name("random")))
void host_random(void *target, size_t count);

/* Seeds hashing. */
void arc4random_buf(void *target, size_t count) { host_random(target, count); }

/* Swift protects its stack frames. The memory is a sandbox of its own, so that a constant will do. */
uintptr_t __stack_chk_guard = 0x5E1F7A3D;

_Noreturn void __stack_chk_fail(void) { __builtin_trap(); }
