// The header by itself: it must be complete C. The functions are in Sources/Interfaces/CInterface.
#include "swexpr.h"

_Static_assert(sizeof(size_t) == sizeof(ptrdiff_t), "lengths are as wide as differences of pointers");
