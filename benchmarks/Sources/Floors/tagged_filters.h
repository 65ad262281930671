// The thirteen filters over tagged values. Included once per variant, with
//   READ(root, name)   a `const floor_value *` to the attribute, or NULL when it is missing
//   FILTER(name)       the function's name in this variant
// Reads happen in the order in which a left-to-right evaluation of the text needs them.

#include "operations.h"

#define ENTRY(name) static __attribute__((noinline)) int FILTER(name)(const floor_context *context)

ENTRY(simple_eq) { return text_equal(READ(device, platform), LITERAL("iOS")); }

ENTRY(two_and) {
  REQUIRE(number_at_least(READ(user, age), 18));
  return text_equal(READ(device, platform), LITERAL("iOS"));
}

ENTRY(expr_classic) {
  int origin = text_equal(READ(params, origin), LITERAL("MOW"));
  if (origin == FLOOR_ERROR) return origin;
  if (origin == FLOOR_NO) REQUIRE(text_equal(READ(params, country), LITERAL("RU")));
  int value = number_at_least(READ(params, value), 100);
  if (value != FLOOR_NO) return value;
  return number_equal(READ(params, adults), 1);
}

ENTRY(version) {
  REQUIRE(text_at_least(READ(device, appVersionPadded), LITERAL("002.010.000")));
  return text_differs(READ(device, osVersion), LITERAL("16.0"));
}

ENTRY(string_ops) {
  REQUIRE(text_ends(READ(user, email), LITERAL("@example.com")));
  return text_starts(READ(user, name), LITERAL("Al"));
}

ENTRY(in_list) {
  const floor_value *region = READ(device, regionCode);
  if (!region || region->tag != FLOOR_TAG_TEXT) return FLOOR_ERROR;
  return bytes_in_regions(region->as.text, region->length);
}

ENTRY(regex) {
  const floor_value *email = READ(user, email);
  if (!email || email->tag != FLOOR_TAG_TEXT) return FLOOR_ERROR;
  return bytes_match_email(email->as.text, email->length);
}

#define WIDE_AND                                                                      \
  REQUIRE(number_at_least(READ(user, age), 18));                                      \
  REQUIRE(text_equal(READ(user, plan), LITERAL("trial")));                            \
  REQUIRE(number_above(READ(user, sessions), 5));                                     \
  REQUIRE(number_below(READ(user, purchases), 10));                                   \
  REQUIRE(text_equal(READ(device, platform), LITERAL("iOS")));                        \
  REQUIRE(text_at_least(READ(device, appVersionPadded), LITERAL("002.010.000")));     \
  REQUIRE(text_equal(READ(device, languageCode), LITERAL("en")));                     \
  REQUIRE(text_differs(READ(device, regionCode), LITERAL("CN")));                     \
  REQUIRE(is_false(READ(device, isSandbox)));                                         \
  REQUIRE(number_at_least(READ(device, daysSinceInstall), 7));                        \
  REQUIRE(number_below(READ(device, totalPaywallViews), 20));                         \
  return text_equal(READ(params, placement), LITERAL("onboarding_end"));

ENTRY(wide_and) { WIDE_AND }

ENTRY(short_circuit) {
  REQUIRE(text_equal(READ(device, platform), LITERAL("Android")));
  WIDE_AND
}

ENTRY(arithmetic) {
  const floor_value *sessions = READ(user, sessions);
  const floor_value *purchases = READ(user, purchases);
  const floor_value *days = READ(device, daysSinceInstall);
  if (!is_integer(sessions) || !is_integer(purchases) || !is_integer(days)) return FLOOR_ERROR;
  int64_t left, right, sum;
  if (__builtin_mul_overflow(sessions->as.integer, 3, &left)
      || __builtin_mul_overflow(purchases->as.integer, 10, &right)
      || __builtin_add_overflow(left, right, &sum)
      || __builtin_sub_overflow(sum, days->as.integer, &sum)) {
    return FLOOR_ERROR;
  }
  if (!(sum > 50)) return FLOOR_NO;
  const floor_value *credits = READ(user, credits);
  if (!is_integer(credits)) return FLOOR_ERROR;
  return (double)(credits->as.integer / 2) < 100.5;
}

// The constant list is unrolled and the attribute, which the loop does not change, read once.
ENTRY(macro_all) {
  const floor_value *list = READ(device, activeEntitlements);
  int gold = text_in_list(list, LITERAL("gold"));
  if (gold != FLOOR_NO) return gold;
  return text_in_list(list, LITERAL("silver"));
}

// The filtered list is only measured, so it is only counted.
ENTRY(macro_filter) {
  const floor_value *scores = READ(user, scores);
  if (!scores || scores->tag != FLOOR_TAG_LIST) return FLOOR_ERROR;
  const floor_value_list *list = scores->as.list;
  int64_t kept = 0;
  for (uint32_t at = 0; at < list->count; at += 1) {
    if (list->items[at].tag != FLOOR_TAG_INT) return FLOOR_ERROR;
    kept += list->items[at].as.integer > 50;
  }
  return kept > 3;
}

ENTRY(ternary) {
  int trial = text_equal(READ(user, plan), LITERAL("trial"));
  if (trial == FLOOR_ERROR) return trial;
  return number_at_most(trial ? READ(user, trialDaysLeft) : READ(user, daysSincePaid), 3);
}

const floor_registered FILTER(table)[] = {
#define FILTER_NAME(name) {#name, FILTER(name)},
#include "filter_names.def"
#undef FILTER_NAME
    {NULL, NULL}};
