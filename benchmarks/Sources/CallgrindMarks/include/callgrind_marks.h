// Marks for valgrind's callgrind: counters to zero, counters written out under a name. They do nothing
// outside callgrind, and nothing at all where valgrind's header was not present when this was built.

#ifndef CALLGRIND_MARKS_H
#define CALLGRIND_MARKS_H

#include <stdbool.h>

// Whether this build has the marks and runs under valgrind.
bool callgrind_marks_active(void);

// Forgets all that was counted so far.
void callgrind_marks_zero(void);

// Writes what was counted since the last mark into the next output file, under `name`.
void callgrind_marks_dump(const char *name);

#endif
