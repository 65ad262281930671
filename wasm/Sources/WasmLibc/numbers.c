/* Arithmetic that processors of WebAssembly do not have, for the code that the compiler makes. */
#include "libc.h"

#include <stdint.h>

typedef __int128 int128;
typedef unsigned __int128 uint128;

static uint128 join(uint64_t high, uint64_t low) { return (uint128)high << 64 | low; }

/* The product modulo 2^128, from products of 32 bits. */
int128 __multi3(int128 left, int128 right) {
  uint64_t a = (uint64_t)left, b = (uint64_t)right;
  uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
  uint64_t low = a0 * b0;
  uint64_t middle = a1 * b0 + (low >> 32);
  uint64_t other = a0 * b1 + (uint32_t)middle;
  uint64_t high = a1 * b1 + (middle >> 32) + (other >> 32);
  high += (uint64_t)((uint128)left >> 64) * b + a * (uint64_t)((uint128)right >> 64);
  return (int128)join(high, other << 32 | (uint32_t)low);
}

/* Long division, a bit at a time; the compiler checks for division by zero before. */
uint128 __udivti3(uint128 dividend, uint128 divisor) {
  uint128 quotient = dividend, remainder = 0;
  for (int bit = 0; bit < 128; bit++) {
    /* The quotient fills the places that the dividend leaves. */
    uint64_t carry = (uint64_t)(remainder >> 127);
    remainder = remainder << 1 | (uint64_t)(quotient >> 127);
    quotient <<= 1;
    if (carry || remainder >= divisor) {
      remainder -= divisor;
      quotient |= 1;
    }
  }
  return quotient;
}

int128 __divti3(int128 dividend, int128 divisor) {
  uint128 a = dividend < 0 ? -(uint128)dividend : (uint128)dividend;
  uint128 b = divisor < 0 ? -(uint128)divisor : (uint128)divisor;
  uint128 quotient = __udivti3(a, b);
  return (int128)((dividend < 0) != (divisor < 0) ? -quotient : quotient);
}

/* Halves are rounded away from zero. */
double round(double number) {
  double whole = __builtin_trunc(number);
  if (__builtin_fabs(number - whole) >= 0.5) whole += __builtin_copysign(1, number);
  return __builtin_copysign(whole, number);
}

/* The remainder with the sign of the dividend, which is JavaScript's `%`. */
__attribute__((import_module("host"), import_name("remainder")))
double host_remainder(double dividend, double divisor);

double fmod(double dividend, double divisor) { return host_remainder(dividend, divisor); }

/* The double nearest to a decimal number; NaN if the text is none. */
__attribute__((import_module("host"), import_name("number")))
double host_number(const char *text, size_t length);

/* Reads a number for the standard library, which expects the end of what was read. */
const char *_swift_stdlib_strtod_clocale(const char *text, double *result) {
  size_t length = strlen(text);
  *result = host_number(text, length);
  return *result == *result ? text + length : NULL;
}
