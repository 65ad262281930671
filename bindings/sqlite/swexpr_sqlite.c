/* Filters as functions of SQLite.
 *
 *   .load ./swexpr
 *   SELECT count(*) FROM users WHERE swexpr('user.age >= 18', json_object('user', json(attributes)));
 *
 *   swexpr(filter, json [, dialect])           1 where the filter is true, else 0
 *   swexpr_value(filter, json [, dialect])     the value of the filter
 *   swexpr_explain(filter, json [, dialect])   why the filter matches or not, as JSON
 *   swexpr_check(filter [, dialect])           the findings about a filter, as a JSON array
 *   swexpr_version()                           the version of the engine
 *
 * `json` is an object of variables: {"user": {...}, "device": {...}, "params": {...}}. The result is NULL if an
 * argument is NULL or the JSON is `null`. docs/warehouse.md has the rest.
 *
 * Threads: SQLite calls the functions of one connection from one thread at a time, and connections share nothing here.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <locale.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

#include <sqlite3ext.h>

#include "swexpr.h"

SQLITE_EXTENSION_INIT1

/* Earlier versions of SQLite do not have the flag, and ignore it. */
#ifndef SQLITE_RESULT_SUBTYPE
#define SQLITE_RESULT_SUBTYPE 0x001000000
#endif

/* The first version whose functions may be used in views and indexes that others made (SQLITE_INNOCUOUS). */
#define OLDEST_SQLITE 3031000

/* The subtype of texts that are JSON, which json_object and its like take as such. */
#define JSON_SUBTYPE 'J'

/* How many filters a connection keeps, and among how many places one filter has a choice. */
#define KEPT_FILTERS 1024
#define CHOICES 8

/* The longest JSON text that a connection keeps, in bytes. */
#define KEPT_JSON (1 << 20)

typedef enum { SUPERSCRIPT, CEL } dialect;

/* A compiled filter, which the connection and the statements that use it share. */
typedef struct {
  int references;
  dialect dialect;
  uint64_t hash;
  size_t length;
  swexpr_filter *filter;
  char text[];
} compiled;

/* What the functions of one connection share. */
typedef struct {
  int references;
  locale_t plain;
  swexpr_environment *cel;
  unsigned turn;
  compiled *filters[KEPT_FILTERS];
  /* The attributes of the last call, which the filters after it in a row mostly have as well. */
  swexpr_context *context;
  char *json;
  size_t json_length;
} connection;

/* ---- Memory ---- */

static void release_compiled(void *pointer) {
  compiled *filter = pointer;
  if (!filter || --filter->references > 0) return;
  swexpr_filter_free(filter->filter);
  sqlite3_free(filter);
}

static void release_connection(void *pointer) {
  connection *own = pointer;
  if (--own->references > 0) return;
  for (size_t place = 0; place < KEPT_FILTERS; place++) release_compiled(own->filters[place]);
  swexpr_context_free(own->context);
  sqlite3_free(own->json);
  swexpr_environment_free(own->cel);
  if (own->plain) freelocale(own->plain);
  sqlite3_free(own);
}

static void free_text(void *text) { swexpr_string_free(text); }

/* ---- Results ---- */

/* Ends a call with an error of the library, which it frees. */
static void fail(sqlite3_context *call, char *error) {
  sqlite3_result_error(call, error ? error : "swexpr: there is not enough memory", -1);
  swexpr_string_free(error);
}

/* Ends a call with a JSON text of the library, which SQLite frees. */
static void give_json(sqlite3_context *call, char *text) {
  sqlite3_result_text(call, text, -1, free_text);
  sqlite3_result_subtype(call, JSON_SUBTYPE);
}

static int hex(const char *digits) {
  int value = 0;
  for (int place = 0; place < 4; place++) {
    char digit = digits[place];
    int part = digit >= '0' && digit <= '9'   ? digit - '0'
               : digit >= 'a' && digit <= 'f' ? digit - 'a' + 10
               : digit >= 'A' && digit <= 'F' ? digit - 'A' + 10
                                              : -1;
    if (part < 0) return -1;
    value = value * 16 + part;
  }
  return value;
}

/* Replaces the escapes of a JSON string, which starts after its quotation mark, in place, and returns the length. The
 * library escapes quotation marks, backslashes and control characters only. */
static size_t unescape(char *text) {
  static const char names[] = "bfnrt", meanings[] = "\b\f\n\r\t";
  char *out = text;
  for (const char *in = text; *in && *in != '"'; in++) {
    if (*in != '\\') {
      *out++ = *in;
      continue;
    }
    in++;
    const char *name = *in ? strchr(names, *in) : NULL;
    int code = *in == 'u' ? hex(in + 1) : -1;
    if (code >= 0) in += 4;
    *out++ = code >= 0 ? (char)code : name ? meanings[name - names] : *in;
  }
  *out = 0;
  return (size_t)(out - text);
}

/* Ends a call with a value that the library wrote as JSON, and frees the text. Lists and objects remain JSON. */
static void give_value(sqlite3_context *call, const connection *own, char *text) {
  switch (text[0]) {
    case '[':
    case '{': give_json(call, text); return;
    case 'n': sqlite3_result_null(call); break;
    case 't': sqlite3_result_int(call, 1); break;
    case 'f': sqlite3_result_int(call, 0); break;
    case '"': {
      size_t length = unescape(text + 1);
      sqlite3_result_text64(call, text + 1, length, SQLITE_TRANSIENT, SQLITE_UTF8);
      break;
    }
    default: {
      char *end;
      errno = 0;
      long long number = strtoll(text, &end, 10);
      if (*end == 0 && errno == 0) {
        sqlite3_result_int64(call, number);
      } else {
        sqlite3_result_double(call, strtod_l(text, NULL, own->plain));
      }
    }
  }
  swexpr_string_free(text);
}

/* ---- Arguments ---- */

/* A text argument. Ends the call and returns false if it is of another type. */
static bool read_text(
    sqlite3_context *call, sqlite3_value *value, const char *name, const char *help, const char **text,
    size_t *length) {
  if (sqlite3_value_type(value) != SQLITE_TEXT) {
    char *message = sqlite3_mprintf("swexpr: the %s is not a text%s", name, help);
    if (message) {
      sqlite3_result_error(call, message, -1);
    } else {
      sqlite3_result_error_nomem(call);
    }
    sqlite3_free(message);
    return false;
  }
  // The text first, because it converts what is UTF-16.
  *text = (const char *)sqlite3_value_text(value);
  *length = (size_t)sqlite3_value_bytes(value);
  if (!*text) sqlite3_result_error_nomem(call);
  return *text != NULL;
}

static bool read_dialect(sqlite3_context *call, sqlite3_value *value, dialect *found) {
  const char *text;
  size_t length;
  if (!read_text(call, value, "dialect", "", &text, &length)) return false;
  if (sqlite3_stricmp(text, "cel") == 0) {
    *found = CEL;
  } else if (sqlite3_stricmp(text, "superscript") == 0) {
    *found = SUPERSCRIPT;
  } else {
    sqlite3_result_error(call, "swexpr: the dialect is neither 'superscript' nor 'cel'", -1);
    return false;
  }
  return true;
}

/* The environment of a dialect, which is made once. Ends the call and returns false if it cannot be made. */
static bool environment_of(
    sqlite3_context *call, connection *own, dialect wanted, const swexpr_environment **environment) {
  *environment = NULL;
  if (wanted == SUPERSCRIPT) return true;
  if (!own->cel) {
    char *error;
    own->cel = swexpr_environment_create(
        "{\"dialect\": \"cel\"}", SWEXPR_NUL_TERMINATED, NULL, NULL, NULL, &error);
    if (!own->cel) {
      fail(call, error);
      return false;
    }
  }
  *environment = own->cel;
  return true;
}

/* FNV-1a. */
static uint64_t hash_of(const char *text, size_t length) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (size_t place = 0; place < length; place++) hash = (hash ^ (uint8_t)text[place]) * 0x100000001b3u;
  return hash;
}

/* The filter of a text, with a reference for the caller: the statement's own if the text is constant, otherwise
 * one that the connection keeps. Ends the call and returns NULL on failure. */
static compiled *filter_of(sqlite3_context *call, connection *own, sqlite3_value *value, dialect wanted) {
  compiled *found = sqlite3_get_auxdata(call, 0);
  if (found && found->dialect == wanted) {
    found->references++;
    return found;
  }
  const char *text;
  size_t length;
  if (!read_text(call, value, "filter", "", &text, &length)) return NULL;
  uint64_t hash = hash_of(text, length);
  compiled **slot = NULL;
  for (size_t choice = 0; choice < CHOICES; choice++) {
    compiled **next = &own->filters[(hash + choice) % KEPT_FILTERS];
    found = *next;
    if (found && found->hash == hash && found->dialect == wanted && found->length == length &&
        memcmp(found->text, text, length) == 0) {
      slot = next;
      break;
    }
    if (!found && !slot) slot = next;
    found = NULL;
  }
  if (!found) {
    const swexpr_environment *environment;
    if (!environment_of(call, own, wanted, &environment)) return NULL;
    char *error;
    swexpr_filter *filter = swexpr_filter_create(text, length, environment, &error);
    if (!filter) {
      fail(call, error);
      return NULL;
    }
    found = sqlite3_malloc64(sizeof(compiled) + length);
    if (!found) {
      swexpr_filter_free(filter);
      sqlite3_result_error_nomem(call);
      return NULL;
    }
    *found = (compiled){.references = 1, .dialect = wanted, .hash = hash, .length = length, .filter = filter};
    memcpy(found->text, text, length);
    if (!slot) slot = &own->filters[(hash + own->turn++ % CHOICES) % KEPT_FILTERS];
    release_compiled(*slot);
    *slot = found;
  }
  found->references += 2;
  // SQLite may release it before it returns.
  sqlite3_set_auxdata(call, 0, found, release_compiled);
  return found;
}

/* Whether a text is the JSON `null`. */
static bool is_null(const char *text, size_t length) {
  while (length > 0 && strchr(" \t\r\n", text[0]) && text[0]) text++, length--;
  while (length > 0 && strchr(" \t\r\n", text[length - 1]) && text[length - 1]) length--;
  return length == 4 && memcmp(text, "null", 4) == 0;
}

/* The attributes of a JSON text. `*kept` says whether they remain the connection's, or the caller frees them. Ends the
 * call and returns NULL on failure, and for JSON that is null. */
static swexpr_context *context_of(
    sqlite3_context *call, connection *own, sqlite3_value *value, bool *kept) {
  const char *text;
  size_t length;
  *kept = true;
  const char *help = sqlite3_value_type(value) == SQLITE_BLOB
                         ? ": json(…) makes one of JSONB, and CAST(… AS TEXT) of other bytes"
                         : "";
  if (!read_text(call, value, "JSON of the attributes", help, &text, &length)) return NULL;
  if (own->context && own->json_length == length && memcmp(own->json, text, length) == 0)
    return own->context;
  if (is_null(text, length)) return NULL;
  char *error;
  swexpr_context *context = swexpr_context_create(SWEXPR_PLAIN, text, length, &error);
  if (!context) {
    char *message = error ? sqlite3_mprintf("swexpr: the JSON of the attributes: %s", error) : NULL;
    if (message) sqlite3_result_error(call, message, -1);
    else sqlite3_result_error_nomem(call);
    sqlite3_free(message);
    swexpr_string_free(error);
    return NULL;
  }
  swexpr_context_free(own->context);
  own->context = NULL;
  char *copy = length > KEPT_JSON ? NULL : sqlite3_realloc64(own->json, length + 1);
  if (copy) {
    memcpy(copy, text, length);
    own->json = copy;
    own->json_length = length;
    own->context = context;
  } else {
    *kept = false;
  }
  return context;
}

/* ---- Functions ---- */

typedef enum { MATCHES, VALUE, EXPLAIN } question;

static void evaluate(sqlite3_context *call, int count, sqlite3_value **values, question wanted) {
  connection *own = sqlite3_user_data(call);
  for (int place = 0; place < count; place++)
    if (sqlite3_value_type(values[place]) == SQLITE_NULL) return;
  dialect chosen = SUPERSCRIPT;
  if (count > 2 && !read_dialect(call, values[2], &chosen)) return;
  compiled *filter = filter_of(call, own, values[0], chosen);
  if (!filter) return;
  bool kept;
  swexpr_context *context = context_of(call, own, values[1], &kept);
  if (context) {
    char *error = NULL, *text;
    switch (wanted) {
      case MATCHES:
        sqlite3_result_int(call, swexpr_filter_matches(filter->filter, context, NULL));
        break;
      case VALUE:
        text = swexpr_filter_evaluate(filter->filter, context, SWEXPR_PLAIN, &error);
        if (text) give_value(call, own, text);
        else fail(call, error);
        break;
      case EXPLAIN:
        text = swexpr_filter_explain(filter->filter, context, &error);
        if (text) give_json(call, text);
        else fail(call, error);
        break;
    }
    if (!kept) swexpr_context_free(context);
  }
  release_compiled(filter);
}

static void matches(sqlite3_context *call, int count, sqlite3_value **values) {
  evaluate(call, count, values, MATCHES);
}

static void value(sqlite3_context *call, int count, sqlite3_value **values) {
  evaluate(call, count, values, VALUE);
}

static void explain(sqlite3_context *call, int count, sqlite3_value **values) {
  evaluate(call, count, values, EXPLAIN);
}

static void check(sqlite3_context *call, int count, sqlite3_value **values) {
  for (int place = 0; place < count; place++)
    if (sqlite3_value_type(values[place]) == SQLITE_NULL) return;
  dialect chosen = SUPERSCRIPT;
  if (count > 1 && !read_dialect(call, values[1], &chosen)) return;
  const char *text;
  size_t length;
  if (!read_text(call, values[0], "filter", "", &text, &length)) return;
  const swexpr_environment *environment;
  if (!environment_of(call, sqlite3_user_data(call), chosen, &environment)) return;
  char *error;
  char *findings = swexpr_check(text, length, environment, NULL, 0, &error);
  if (findings) give_json(call, findings);
  else fail(call, error);
}

static void version(sqlite3_context *call, int count, sqlite3_value **values) {
  (void)count, (void)values;
  sqlite3_result_text(call, swexpr_version(), -1, SQLITE_STATIC);
}

#ifdef _WIN32
__declspec(dllexport)
#endif
int sqlite3_swexpr_init(sqlite3 *database, char **error, const sqlite3_api_routines *api) {
  SQLITE_EXTENSION_INIT2(api);
  if (sqlite3_libversion_number() < OLDEST_SQLITE) {
    *error = sqlite3_mprintf("swexpr needs SQLite 3.31 or later, and this is %s", sqlite3_libversion());
    return SQLITE_ERROR;
  }
  connection *own = sqlite3_malloc64(sizeof(connection));
  if (!own) return SQLITE_NOMEM;
  *own = (connection){.references = 1, .plain = newlocale(LC_ALL_MASK, "C", NULL)};
  if (!own->plain) {
    release_connection(own);
    return SQLITE_NOMEM;
  }
  static const struct {
    const char *name;
    int least, most, flags;
    void (*body)(sqlite3_context *, int, sqlite3_value **);
  } functions[] = {
      {"swexpr", 2, 3, 0, matches},
      {"swexpr_value", 2, 3, SQLITE_RESULT_SUBTYPE, value},
      {"swexpr_explain", 2, 3, SQLITE_RESULT_SUBTYPE, explain},
      {"swexpr_check", 1, 2, SQLITE_RESULT_SUBTYPE, check},
      {"swexpr_version", 0, 0, 0, version},
  };
  int status = SQLITE_OK;
  for (size_t place = 0; place < sizeof functions / sizeof *functions; place++)
    for (int count = functions[place].least; count <= functions[place].most && status == SQLITE_OK; count++) {
      // SQLite releases it also if the function cannot be added.
      own->references++;
      status = sqlite3_create_function_v2(
          database, functions[place].name, count,
          SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS | functions[place].flags, own,
          functions[place].body, NULL, NULL, release_connection);
    }
  release_connection(own);
  // The runtime of Swift cannot be unloaded.
  return status == SQLITE_OK ? SQLITE_OK_LOAD_PERMANENTLY : status;
}
