#include "CArrow.h"

#if UINTPTR_MAX > UINT32_MAX
_Static_assert(sizeof(struct ArrowSchema) == 9 * 8, "the layout of the interface for 64-bit pointers");
_Static_assert(sizeof(struct ArrowArray) == 10 * 8, "the layout of the interface for 64-bit pointers");
#endif
