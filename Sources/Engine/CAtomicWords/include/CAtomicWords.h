#ifndef CATOMICWORDS_H
#define CATOMICWORDS_H

// The atomic operations of the compiler on words, for `AtomicWords`, which says what each is for.
// They are here because Swift's own need iOS 18, and those of a package cost every app 0.13 MB.

#include <stdbool.h>
#include <stdint.h>

static inline uintptr_t atomic_word_load(const uintptr_t *word) {
  return __atomic_load_n(word, __ATOMIC_ACQUIRE);
}

static inline void atomic_word_store(uintptr_t *word, uintptr_t value) {
  __atomic_store_n(word, value, __ATOMIC_RELEASE);
}

static inline uintptr_t atomic_word_exchange(uintptr_t *word, uintptr_t value) {
  return __atomic_exchange_n(word, value, __ATOMIC_ACQ_REL);
}

static inline bool atomic_word_fill(uintptr_t *word, uintptr_t value) {
  uintptr_t empty = 0;
  return __atomic_compare_exchange_n(
      word, &empty, value, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

static inline uintptr_t atomic_word_add(uintptr_t *word, uintptr_t summand) {
  return __atomic_fetch_add(word, summand, __ATOMIC_RELAXED);
}

#endif
