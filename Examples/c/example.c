/* Audiences in C: compiles filters, evaluates them over a user, and asks a host function.
 *
 * Build and run: Examples/check, or as docs/c.md says.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "swexpr.h"

/* Ends the program with the library's message. */
static void fail(const char *what, char *error) {
  fprintf(stderr, "%s: %s\n", what, error ? error : "no reason given");
  swexpr_string_free(error);
  exit(1);
}

/* A host function: days since an event, of which this program knows one. */
static void answer(void *data, const char *name, const char *arguments, swexpr_reply *reply) {
  int *calls = data;
  *calls += 1;
  if (strcmp(name, "device.daysSince") == 0 && strcmp(arguments, "[\"app_open\"]") == 0) {
    swexpr_reply_value(reply, "9", SWEXPR_NUL_TERMINATED);
  } else {
    swexpr_reply_error(reply, "this program knows `app_open` only", SWEXPR_NUL_TERMINATED);
  }
}

static void released(void *data) {
  int *calls = data;
  printf("host released after %d call%s\n", *calls, *calls == 1 ? "" : "s");
}

int main(void) {
  char *error = NULL;

  if (swexpr_abi_version() != SWEXPR_ABI_VERSION) {
    fprintf(stderr, "the library does not belong to this header\n");
    return 1;
  }
  printf("swexpr %s\n", swexpr_version());

  swexpr_context *context = swexpr_context_create(
      SWEXPR_PLAIN, "{\"user\": {\"age\": 25, \"plan\": \"free\"}, \"device\": {\"platform\": \"iOS\"}}",
      SWEXPR_NUL_TERMINATED, &error);
  if (!context) fail("context", error);

  /* One filter. */
  const char *text = "user.age >= 18 && device.platform == \"iOS\"";
  swexpr_filter *filter = swexpr_filter_create(text, strlen(text), NULL, &error);
  if (!filter) fail("filter", error);
  printf("%s: %s\n", text, swexpr_filter_matches(filter, context, NULL) ? "match" : "no match");

  char *explanation = swexpr_filter_explain(filter, context, &error);
  if (!explanation) fail("explanation", error);
  printf("explanation: %.60s...\n", explanation);
  swexpr_string_free(explanation);
  swexpr_filter_free(filter);

  /* A text that is no filter, and what is wrong with another. */
  if (!swexpr_filter_create("user.age >=", SWEXPR_NUL_TERMINATED, NULL, &error)) {
    printf("%s\n", error);
    swexpr_string_free(error);
  }
  char *check = swexpr_check(
      "device.platfrom == \"iOS\"", SWEXPR_NUL_TERMINATED, NULL, NULL, 0, &error);
  if (!check) fail("check", error);
  printf("check: %.40s...\n", check);
  swexpr_string_free(check);

  /* A host function. */
  int calls = 0;
  swexpr_environment *environment = swexpr_environment_create(
      "{\"device\": {\"daysSince\": [\"app_open\"]}}", SWEXPR_NUL_TERMINATED, answer, &calls, released,
      &error);
  if (!environment) fail("environment", error);
  filter = swexpr_filter_create(
      "device.daysSince(\"app_open\") + 1", SWEXPR_NUL_TERMINATED, environment, &error);
  swexpr_environment_free(environment);
  if (!filter) fail("filter", error);
  char *value = swexpr_filter_evaluate(filter, context, SWEXPR_PLAIN, &error);
  if (!value) fail("evaluation", error);
  printf("days: %s\n", value);
  swexpr_string_free(value);
  swexpr_filter_free(filter);

  /* Many filters over one context. */
  const char *texts[] = {"user.plan == \"pro\"", "user.plan == \"free\"", "user.age > 20"};
  swexpr_set *set = swexpr_set_create(texts, NULL, 3, NULL, &error);
  if (!set) fail("set", error);
  size_t indices[3];
  ptrdiff_t count = swexpr_set_matches(set, context, indices, 3, &error);
  if (count < 0) fail("set", error);
  for (ptrdiff_t index = 0; index < count; index++) printf("audience %zu matches\n", indices[index]);
  swexpr_set_free(set);
  swexpr_context_free(context);

  /* The reference evaluator's interface. */
  char *result = swexpr_reference_evaluate_with_context(
      "{\"variables\": {\"map\": {\"a\": {\"type\": \"int\", \"value\": 20}}}, \"expression\": \"a * 2 + 2\"}",
      SWEXPR_NUL_TERMINATED, NULL, NULL);
  printf("reference: %s\n", result);
  swexpr_string_free(result);
  return 0;
}
