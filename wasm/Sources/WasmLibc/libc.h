/* The part of the C library that the engine and the runtime of Swift call. */
#ifndef WASM_LIBC_H
#define WASM_LIBC_H

#include <stddef.h>
#include <stdint.h>

void *memcpy(void *restrict target, const void *restrict source, size_t count);
void *memmove(void *target, const void *source, size_t count);
void *memset(void *target, int byte, size_t count);
int memcmp(const void *left, const void *right, size_t count);
size_t strlen(const char *text);
void *memchr(const void *bytes, int byte, size_t count);

/* Returns a zone's seconds east of UTC at an instant; a number that is no offset for an unknown zone. */
__attribute__((import_module("host"), import_name("zone_offset")))
int32_t host_zone_offset(const unsigned char *name, size_t length, int64_t seconds);

#endif
