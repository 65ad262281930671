// The mutant that is switched on, and a process for it.

#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
  /// Instead of a mutant's number: none is switched on, and those that are reached are noted.
  MUTANT_NOTING = -1,
  /// What `mutant_fork` returns in the new process.
  MUTANT_CHILD = -1,
};

extern int32_t mutant_number;
extern uint8_t *mutant_reached;

/// Whether a mutant is switched on.
static inline bool mutant_is(int32_t number) {
  if (mutant_number < 0) mutant_reached[number] = 1;
  return mutant_number == number;
}

/// Whether any mutant is switched on.
static inline bool mutant_is_any(void) { return mutant_number != 0; }

/// Memory that a process shares with those that it forks, filled with 0.
uint8_t *_Nonnull mutant_table(ptrdiff_t size);

/// Where mutants that are reached are noted from now on.
void mutant_note(uint8_t *_Nonnull row);

/// Switches a mutant on in a new process, whose processor time is limited. Returns `MUTANT_CHILD` there,
/// and here, when it has ended, 0 or the signal that ended it.
int32_t mutant_fork(int32_t number, int32_t seconds);

/// The processor time of this process in seconds.
double mutant_seconds(void);

/// Ends this process, and nothing else.
_Noreturn void mutant_end(void);
