#include "CAtomicWords.h"

_Static_assert(__atomic_always_lock_free(sizeof(uintptr_t), 0), "words need no lock");
