// Attributes in a struct with one typed member each: the filter as a compiled function.

#include "operations.h"
#include "registry.h"

#define ENTRY(name) \
  static __attribute__((noinline)) int floor_fields_##name(const floor_context *context)
#define F (context->fields)
#define TEXT_OF(member) F->member.bytes, F->member.length

static inline bool list_contains(floor_text_list list, const char *literal, uint32_t length) {
  for (uint32_t at = 0; at < list.count; at += 1) {
    if (bytes_equal(list.items[at].bytes, list.items[at].length, literal, length)) return true;
  }
  return false;
}

INLINE bool wide_and(const floor_context *context) {
  return F->user_age >= 18 && bytes_equal(TEXT_OF(user_plan), LITERAL("trial"))
         && F->user_sessions > 5 && F->user_purchases < 10
         && bytes_equal(TEXT_OF(device_platform), LITERAL("iOS"))
         && bytes_compare(TEXT_OF(device_appVersionPadded), LITERAL("002.010.000")) >= 0
         && bytes_equal(TEXT_OF(device_languageCode), LITERAL("en"))
         && !bytes_equal(TEXT_OF(device_regionCode), LITERAL("CN")) && !F->device_isSandbox
         && F->device_daysSinceInstall >= 7 && F->device_totalPaywallViews < 20
         && bytes_equal(TEXT_OF(params_placement), LITERAL("onboarding_end"));
}

ENTRY(simple_eq) { return bytes_equal(TEXT_OF(device_platform), LITERAL("iOS")); }

ENTRY(two_and) {
  return F->user_age >= 18 && bytes_equal(TEXT_OF(device_platform), LITERAL("iOS"));
}

ENTRY(expr_classic) {
  return (bytes_equal(TEXT_OF(params_origin), LITERAL("MOW"))
          || bytes_equal(TEXT_OF(params_country), LITERAL("RU")))
         && (F->params_value >= 100 || F->params_adults == 1);
}

ENTRY(version) {
  return bytes_compare(TEXT_OF(device_appVersionPadded), LITERAL("002.010.000")) >= 0
         && !bytes_equal(TEXT_OF(device_osVersion), LITERAL("16.0"));
}

ENTRY(string_ops) {
  return bytes_end(TEXT_OF(user_email), LITERAL("@example.com"))
         && bytes_start(TEXT_OF(user_name), LITERAL("Al"));
}

ENTRY(in_list) { return bytes_in_regions(TEXT_OF(device_regionCode)); }

ENTRY(regex) { return bytes_match_email(TEXT_OF(user_email)); }

ENTRY(wide_and) { return wide_and(context); }

ENTRY(short_circuit) {
  return bytes_equal(TEXT_OF(device_platform), LITERAL("Android")) && wide_and(context);
}

ENTRY(arithmetic) {
  int64_t left, right, sum;
  if (__builtin_mul_overflow(F->user_sessions, 3, &left)
      || __builtin_mul_overflow(F->user_purchases, 10, &right)
      || __builtin_add_overflow(left, right, &sum)
      || __builtin_sub_overflow(sum, F->device_daysSinceInstall, &sum)) {
    return FLOOR_ERROR;
  }
  return sum > 50 && (double)(F->user_credits / 2) < 100.5;
}

ENTRY(macro_all) {
  return list_contains(F->device_activeEntitlements, LITERAL("gold"))
         || list_contains(F->device_activeEntitlements, LITERAL("silver"));
}

ENTRY(macro_filter) {
  int64_t kept = 0;
  for (uint32_t at = 0; at < F->user_scores.count; at += 1) kept += F->user_scores.items[at] > 50;
  return kept > 3;
}

ENTRY(ternary) {
  bool trial = bytes_equal(TEXT_OF(user_plan), LITERAL("trial"));
  return (trial ? F->user_trialDaysLeft : F->user_daysSincePaid) <= 3;
}

const floor_registered floor_fields_table[] = {
#define FILTER_NAME(name) {#name, floor_fields_##name},
#include "filter_names.def"
#undef FILTER_NAME
    {NULL, NULL}};
