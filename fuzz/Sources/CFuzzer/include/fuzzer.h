#ifndef SWEXPR_FUZZER_H
#define SWEXPR_FUZZER_H

#include <stddef.h>
#include <stdint.h>

/// libFuzzer's own mutation of an input in place; returns the new number of bytes.
size_t LLVMFuzzerMutate(uint8_t *data, size_t count, size_t capacity);

#endif
