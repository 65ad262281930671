// The mutant that is switched on, and a process for it.

#pragma once

#include <stdbool.h>
#include <stdint.h>

extern int32_t mutant_number;

/// Whether a mutant is switched on.
static inline bool mutant_is(int32_t number) { return mutant_number == number; }

/// Whether any mutant is switched on.
static inline bool mutant_is_any(void) { return mutant_number != 0; }

enum { MUTANT_CHILD = -1 };

/// Switches a mutant on in a new process, whose processor time is limited. Returns `MUTANT_CHILD` there,
/// and here, when it has ended, 0 or the signal that ended it.
int mutant_fork(int32_t number, int seconds);

/// The processor time of this process in seconds.
double mutant_seconds(void);

/// Ends this process, and nothing else.
_Noreturn void mutant_end(void);
