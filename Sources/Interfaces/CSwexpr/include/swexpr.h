/* swexpr: audience filters for C, and for every language that calls C.
 *
 * Reference with examples: docs/c.md.
 *
 * Objects
 *   An object is created by a `swexpr_..._create` function and freed by the `_free` function of the same type.
 *   Objects never change. They keep what they were made of: an environment may be freed while its filters
 *   are in use. Freeing NULL does nothing.
 *
 * Texts
 *   All texts are UTF-8. Each is passed with its length in bytes; SWEXPR_NUL_TERMINATED stands for
 *   the length up to the first NUL. The library copies what it keeps.
 *   A `char *` that a function returns belongs to the caller, who frees it with swexpr_string_free. It ends
 *   with a NUL and contains no other.
 *
 * Errors
 *   Functions that can fail take `char **error` last, which may be NULL. They set `*error` to NULL on success, and
 *   on failure to a string for people that the caller frees. The returned value then is NULL, false or -1.
 *   NULL where an argument is required, invalid UTF-8, and malformed JSON are such failures. A pointer that
 *   is neither NULL nor valid is undefined behaviour, as everywhere in C.
 *
 * Threads
 *   Every function may be called from any thread, at any time. One object may be used by any number of threads
 *   at once. Free an object only when no other thread uses it. A thread needs 512 KiB of stack.
 *   A host function is called on the thread that evaluates, and so by several threads at once. It
 *   may call functions of this library. It must return: no longjmp, no exception that leaves it.
 *
 * ABI
 *   Functions are only added. Types are opaque or integers. A change of the meaning of a function changes
 *   SWEXPR_ABI_VERSION, and the name of the shared library with it.
 */
#ifndef SWEXPR_H
#define SWEXPR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The version of this header's ABI. */
#define SWEXPR_ABI_VERSION 1

/* The length of a text that ends with a NUL. */
#define SWEXPR_NUL_TERMINATED SIZE_MAX

/* How values are written as text. */
typedef uint32_t swexpr_format;
enum {
  /* Plain JSON: 25, "pro", ["a"], {"b": null}. What JSON does not have is text. */
  SWEXPR_PLAIN = 0,
  /* The reference evaluator's JSON: {"type": "int", "value": 25}. */
  SWEXPR_TAGGED = 1,
  /* A literal of the language: 25u, b"\x00", timestamp("..."). Only for results. */
  SWEXPR_LITERAL = 2
};

/* The layers of a context. */
typedef uint32_t swexpr_layer;
enum { SWEXPR_USER = 0, SWEXPR_DEVICE = 1, SWEXPR_PARAMS = 2 };

/* The dialect, host functions and limits that filters are compiled against. */
typedef struct swexpr_environment swexpr_environment;
/* A compiled filter. */
typedef struct swexpr_filter swexpr_filter;
/* Filters that are evaluated together over one context. */
typedef struct swexpr_set swexpr_set;
/* The attributes that filters are evaluated over. */
typedef struct swexpr_context swexpr_context;
/* The attributes of many users as columns. */
typedef struct swexpr_batch swexpr_batch;
/* Filters that are evaluated together over batches. */
typedef struct swexpr_matcher swexpr_matcher;
/* A campaign config with its compiled filters. */
typedef struct swexpr_campaign swexpr_campaign;
/* Takes the result of a host function; valid until the host function returns, and only on its thread. */
typedef struct swexpr_reply swexpr_reply;

/* A host function.
 *
 * data       what was passed with the function
 * name       "device.daysSince" or "computed.score", NUL-terminated
 * arguments  the evaluated arguments as a JSON array, NUL-terminated
 * reply      takes the result; without one, the result is null
 */
typedef void (*swexpr_host)(
    void *data, const char *name, const char *arguments, swexpr_reply *reply);

/* Called once, when nothing refers to `data` any more; on any thread. */
typedef void (*swexpr_release)(void *data);

/* ---- Versions and strings ---- */

/* SWEXPR_ABI_VERSION of the library; compare it with the header's. */
uint32_t swexpr_abi_version(void);

/* The version of the library, such as "0.2.0". It is static: do not free it. */
const char *swexpr_version(void);

/* Frees a string that a function of this library returned; NULL does nothing. */
void swexpr_string_free(char *string);

/* ---- Environments ---- */

/* Creates an environment.
 *
 * options  a JSON object; every member may be left out, unknown ones are errors:
 *            dialect       "superscript" (the default) or "cel"
 *            container     the scope that names of cel are looked up in first
 *            device        host functions under `device` with example arguments: {"daysSince": ["app_open"]}
 *            computed      host functions under `computed`
 *            values        the form of host functions' arguments and results: "plain" (the default), "tagged"
 *            steps         the steps of one evaluation, 1 to 1000000000; 1000000 by default
 *            memory        the bytes of one evaluation, 1 to 1073741824; 67108864 by default
 *            sourceLength  the bytes of a filter's text, 1 to 2097152, which is the default
 *            nesting       the nesting of brackets, 1 to 200, which is the default
 * host     answers all host functions; may be NULL if `options` names none
 * data     passed to `host`
 * release  may be NULL; called with `data` also when the environment cannot be created
 */
swexpr_environment *swexpr_environment_create(
    const char *options, size_t length, swexpr_host host, void *data, swexpr_release release, char **error);

void swexpr_environment_free(swexpr_environment *environment);

/* Sets the result of a host function, as a value in the form that the environment states. The last reply
 * counts. Returns false if the text is no such value; the evaluation then fails and says why. */
bool swexpr_reply_value(swexpr_reply *reply, const char *value, size_t length);

/* Lets the host function fail with a message, which the error of the evaluation contains. Returns false if the
 * message is no text; the function fails even so. */
bool swexpr_reply_error(swexpr_reply *reply, const char *message, size_t length);

/* ---- Contexts ---- */

/* Creates a context from a JSON object of variables. The objects named `user`, `device` and `params` become layers.
 * `format` is SWEXPR_PLAIN or SWEXPR_TAGGED. */
swexpr_context *swexpr_context_create(swexpr_format format, const char *json, size_t length, char **error);

/* Creates a copy with another layer, a JSON object of attributes; the other layers are shared. Takes
 * time in the size of the new layer only. */
swexpr_context *swexpr_context_replacing(
    const swexpr_context *context, swexpr_layer layer, swexpr_format format, const char *json, size_t length,
    char **error);

void swexpr_context_free(swexpr_context *context);

/* ---- Filters ---- */

/* Compiles a filter. `environment` may be NULL: the superscript dialect without host functions. */
swexpr_filter *swexpr_filter_create(
    const char *text, size_t length, const swexpr_environment *environment, char **error);

void swexpr_filter_free(swexpr_filter *filter);

/* Returns whether the filter is true. Any other value is no match, and so is a failed evaluation: `error` tells
 * only of NULL arguments. */
bool swexpr_filter_matches(const swexpr_filter *filter, const swexpr_context *context, char **error);

/* Returns the value of the filter as text. */
char *swexpr_filter_evaluate(
    const swexpr_filter *filter, const swexpr_context *context, swexpr_format format, char **error);

/* Returns why the filter matches or not, as JSON: every condition with its value and what it read. */
char *swexpr_filter_explain(const swexpr_filter *filter, const swexpr_context *context, char **error);

/* Checks a text without evaluating it. Returns a JSON array of diagnostics, empty if there is no finding; errors
 * of syntax are diagnostics as well.
 *
 * environment  may be NULL, as for swexpr_filter_create
 * schema       may be NULL for the attributes of the SDKs; otherwise a JSON schema (docs/schema-files.md)
 */
char *swexpr_check(
    const char *text, size_t length, const swexpr_environment *environment, const char *schema, size_t schema_length,
    char **error);

/* Lays out a text as `swexpr fmt` does: on one line if that is not longer than `width` characters, 20 to 1000, and
 * otherwise with one condition on a line. The meaning does not change.
 *
 * environment  may be NULL, as for swexpr_filter_create
 */
char *swexpr_layout(
    const char *text, size_t length, const swexpr_environment *environment, size_t width, char **error);

/* ---- Filter sets ---- */

/* Compiles filters that are evaluated together.
 *
 * texts    `count` texts; may be NULL if `count` is 0
 * lengths  their lengths; NULL if every text ends with a NUL
 */
swexpr_set *swexpr_set_create(
    const char *const *texts, const size_t *lengths, size_t count, const swexpr_environment *environment,
    char **error);

void swexpr_set_free(swexpr_set *set);

/* Returns the number of filters; 0 for NULL. */
size_t swexpr_set_count(const swexpr_set *set);

/* Returns the attributes that the filters read, as a JSON array of paths: ["user.age", "device.platform"]. A filter that
 * reads all attributes of a root has the root: "user". */
char *swexpr_set_attributes(const swexpr_set *set, char **error);

/* Returns the number of the first filter that is true, or -1 if there is none. `*error` tells a failure from no match. */
ptrdiff_t swexpr_set_first_match(const swexpr_set *set, const swexpr_context *context, char **error);

/* Writes the numbers of the filters that are true, in ascending order, as many as there is room for.
 *
 * indices   room for `capacity` numbers; may be NULL if `capacity` is 0
 * returns   how many filters are true, which may be more than `capacity`; -1 on failure
 */
ptrdiff_t swexpr_set_matches(
    const swexpr_set *set, const swexpr_context *context, size_t *indices, size_t capacity, char **error);

/* Evaluates every filter. Returns a JSON array with {"value": VALUE} or {"error": TEXT} for each. `format` is
 * SWEXPR_PLAIN or SWEXPR_TAGGED. */
char *swexpr_set_evaluate(
    const swexpr_set *set, const swexpr_context *context, swexpr_format format, char **error);

/* ---- Columns ----
 *
 * Tables come through the Arrow C data interface, whose structures are declared by Arrow's own header or by the code
 * that makes them: https://arrow.apache.org/docs/format/CDataInterface.html
 */

struct ArrowSchema;
struct ArrowArray;

/* Creates a batch from a table, an array of structs, without a copy of its columns.
 *
 * Both structures are moved, as the interface has it: the library releases each of them once, also on failure, and
 * marks the caller's as released. The array lives as long as the batch.
 *
 * The library checks the numbers of buffers and children, lengths, and the order of offsets. The interface does
 * not say how large buffers are: that they hold what lengths and offsets promise is up to the producer.
 *
 * options  a JSON object with "root" (that of columns without one; "user"), "attributes" (the paths of columns by their
 *          name) and "json" (a list of the columns of text that is JSON); NULL for none
 */
swexpr_batch *swexpr_batch_create(
    struct ArrowArray *array, struct ArrowSchema *schema, const char *options, size_t length, char **error);

void swexpr_batch_free(swexpr_batch *batch);

/* Returns the number of users; 0 for NULL. */
size_t swexpr_batch_count(const swexpr_batch *batch);

/* Prepares a set for batches. The set may be freed. */
swexpr_matcher *swexpr_matcher_create(const swexpr_set *set, char **error);

void swexpr_matcher_free(swexpr_matcher *matcher);

/* Writes for every filter a bit for every user that is set if the filter is true.
 *
 * bits      `capacity` words: for each filter in turn those of all users, 64 in a word, the first in its lowest bit
 * capacity  the number of filters times the number of users / 64, rounded up
 */
bool swexpr_matcher_matches(
    const swexpr_matcher *matcher, const swexpr_batch *batch, uint64_t *bits, size_t capacity, char **error);

/* Which users are counted for a filter. */
typedef uint32_t swexpr_order;
enum {
  /* Those for whom it is true. */
  SWEXPR_EACH = 0,
  /* Those for whom it is the first filter of the set that is true. */
  SWEXPR_FIRST = 1
};

/* Writes the number of users for each filter.
 *
 * counts    `capacity` numbers
 * capacity  the number of filters
 */
bool swexpr_matcher_counts(
    const swexpr_matcher *matcher, const swexpr_batch *batch, swexpr_order order, ptrdiff_t *counts, size_t capacity,
    char **error);

/* ---- Campaigns ----
 *
 * Users are new ones: without a history, with the attributes that the SDK gives them where they do not bring their own,
 * as with `swexpr simulate` (docs/spec/campaigns.md).
 */

/* Reads a campaign config and compiles its filters.
 *
 * options  a JSON object, or NULL: "platform" ("ios" or "android"), "dialect" ("superscript" or "cel"), "variants"
 *          ("deterministic", by the hash of the first text of user.appUserId, user.id and user.aliasId, or "random"),
 *          "seed" (an integer that chance follows), "now" (such as "2026-03-01T10:00:00+01:00", whose offset is that
 *          of local times)
 */
swexpr_campaign *swexpr_campaign_create(
    const char *config, size_t length, const char *options, size_t options_length, char **error);

void swexpr_campaign_free(swexpr_campaign *campaign);

/* Returns what is wrong with the config, as a JSON array: [{"kind": TEXT, "path": TEXT, "message": TEXT}]. */
char *swexpr_campaign_notes(const swexpr_campaign *campaign, char **error);

/* Returns the attributes that the filters read, as swexpr_set_attributes does. */
char *swexpr_campaign_attributes(const swexpr_campaign *campaign, char **error);

/* Counts the users of a batch in every placement: each is in the first audience that matches, and gets a variant.
 *
 * batch    the users; NULL for none
 *
 * Returns JSON: {"users": N, "placements": [{"placement": TEXT, "unmatched": N, "audiences": [{"experiment": TEXT,
 * "tried": N, "matched": N, "variants": [{"id": TEXT, "type": TEXT, "count": N}]}]}]}.
 */
char *swexpr_campaign_counts(const swexpr_campaign *campaign, const swexpr_batch *batch, char **error);

/* Decides what a placement leads to for a user, and says of every audience why.
 *
 * context  a JSON object with "user", "device" and "params"
 *
 * Returns JSON: {"placement", "at", "result", "experiment", "audiences": [{"experiment", "outcome", ...}]}.
 */
char *swexpr_campaign_decide(
    const swexpr_campaign *campaign, const char *placement, size_t length, const char *context, size_t context_length,
    char **error);

/* ---- The JSON functions of the reference evaluator ----
 *
 * They return {"Ok": VALUE} or {"Err": TEXT}, and swexpr_reference_parse_to_ast the tree itself. Errors of arguments
 * are {"Err": TEXT}, too. Values are tagged. `host` may be NULL: every function is null.
 */

char *swexpr_reference_evaluate_with_context(
    const char *definition, size_t length, swexpr_host host, void *data);
char *swexpr_reference_evaluate_ast_with_context(
    const char *definition, size_t length, swexpr_host host, void *data);
char *swexpr_reference_evaluate_ast(const char *ast, size_t length);
char *swexpr_reference_parse_to_ast(const char *expression, size_t length);

#ifdef __cplusplus
}
#endif

#endif
