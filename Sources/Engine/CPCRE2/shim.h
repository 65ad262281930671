#ifndef SWEXPR_CPCRE2_SHIM_H
#define SWEXPR_CPCRE2_SHIM_H

// The eight-bit library: patterns and subjects are UTF-8 bytes.
#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#endif
