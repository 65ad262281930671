// Runs the filters on QuickJS.
//   quickjs_driver SCRIPT NAME ROUNDS BATCH_MS
// SCRIPT evaluates to {context: [user, device, params], filters: [{name, source, expected}, …], empty:
// source}; a source evaluates to a function of (user, device, params).

#define _GNU_SOURCE
#include "timing.h"

#include <quickjs.h>
#include <string.h>

#ifndef QUICKJS_VERSION
#define QUICKJS_VERSION "unknown"
#endif

enum { MAXIMUM = 256 };

typedef struct {
  JSContext *js;
  JSValue context[3];
  JSValue empty;
  JSValue filters[MAXIMUM];
} state;

static void fail(JSContext *js) {
  JSValue exception = JS_GetException(js);
  const char *text = JS_ToCString(js, exception);
  fprintf(stderr, "%s\n", text ? text : "exception");
  exit(1);
}

static uint64_t run(void *opaque, int index, uint64_t count) {
  state *peer = opaque;
  JSContext *js = peer->js;
  JSValue function = index < 0 ? peer->empty : peer->filters[index];
  uint64_t matches = 0;
  for (uint64_t turn = 0; turn < count; turn += 1) {
    JSValue result = JS_Call(js, function, JS_UNDEFINED, 3, peer->context);
    if (JS_IsException(result)) fail(js);
    matches += JS_ToBool(js, result) == 1;
    JS_FreeValue(js, result);
  }
  return matches;
}

static JSValue compile(JSContext *js, const char *source) {
  JSValue value = JS_Eval(js, source, strlen(source), "<filter>", JS_EVAL_TYPE_GLOBAL);
  if (JS_IsException(value)) fail(js);
  return value;
}

static double time_compile(JSContext *js, const char *source, int rounds) {
  double *times = calloc((size_t)rounds, sizeof *times);
  if (!times) exit(1);
  for (int round = 0; round < rounds; round += 1) {
    double start = nanoseconds();
    for (int turn = 0; turn < 100; turn += 1) JS_FreeValue(js, compile(js, source));
    times[round] = (nanoseconds() - start) / 100;
  }
  double result = median(times, rounds);
  free(times);
  return result;
}

static char *read_file(const char *path) {
  FILE *file = fopen(path, "rb");
  if (!file) return NULL;
  fseek(file, 0, SEEK_END);
  long size = ftell(file);
  rewind(file);
  char *text = size < 0 ? NULL : calloc(1, (size_t)size + 1);
  if (text && fread(text, 1, (size_t)size, file) != (size_t)size) text = NULL;
  fclose(file);
  return text;
}

int main(int count, char **arguments) {
  if (count < 5) return 2;
  int rounds = atoi(arguments[3]);
  double batch_ns = atof(arguments[4]) * 1e6;
  char *script = read_file(arguments[1]);
  if (!script) return 1;
  JSRuntime *runtime = JS_NewRuntime();
  JSContext *js = JS_NewContext(runtime);
  state peer = {.js = js};
  JSValue chunk = compile(js, script);
  JSValue context = JS_GetPropertyStr(js, chunk, "context");
  for (uint32_t root = 0; root < 3; root += 1) {
    peer.context[root] = JS_GetPropertyUint32(js, context, root);
  }
  JSValue empty = JS_GetPropertyStr(js, chunk, "empty");
  peer.empty = compile(js, JS_ToCString(js, empty));
  JSValue filters = JS_GetPropertyStr(js, chunk, "filters");
  int32_t length = 0;
  JS_ToInt32(js, &length, JS_GetPropertyStr(js, filters, "length"));
  if (length > MAXIMUM) length = MAXIMUM;
  printf(
      "{\n  \"engine\": \"%s\",\n  \"version\": \"%s\",\n  \"filters\": [\n", arguments[2],
      QUICKJS_VERSION);
  for (int index = 0; index < length; index += 1) {
    JSValue entry = JS_GetPropertyUint32(js, filters, (uint32_t)index);
    const char *name = JS_ToCString(js, JS_GetPropertyStr(js, entry, "name"));
    const char *source = JS_ToCString(js, JS_GetPropertyStr(js, entry, "source"));
    int expected = JS_ToBool(js, JS_GetPropertyStr(js, entry, "expected"));
    peer.filters[index] = compile(js, source);
    double compile_ns = time_compile(js, source, rounds);
    figures measured = measure(run, &peer, index, (uint64_t)expected, rounds, batch_ns);
    print_row(name, measured, compile_ns, expected, index + 1 == length);
  }
  printf("  ]\n}\n");
  // The process ends here; tearing the runtime down would only check our own bookkeeping.
  return 0;
}
