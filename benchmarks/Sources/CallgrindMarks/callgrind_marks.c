#include "callgrind_marks.h"

#if defined(__has_include)
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/callgrind.h>
#define HAVE_MARKS 1
#endif
#endif

#if defined(HAVE_MARKS)

bool callgrind_marks_active(void) { return RUNNING_ON_VALGRIND != 0; }
void callgrind_marks_zero(void) { CALLGRIND_ZERO_STATS; }
void callgrind_marks_dump(const char *name) { CALLGRIND_DUMP_STATS_AT(name); }

#else

bool callgrind_marks_active(void) { return false; }
void callgrind_marks_zero(void) {}
void callgrind_marks_dump(const char *name) { (void)name; }

#endif
