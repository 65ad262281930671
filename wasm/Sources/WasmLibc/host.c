/* What the host, JavaScript, provides beside memory. */
#include "../../../Sources/Interfaces/CSwexpr/include/swexpr.h"

__attribute__((import_module("host"), import_name("call")))
void host_call(void *data, const char *name, const char *arguments, swexpr_reply *reply);

static void call(void *data, const char *name, const char *arguments, swexpr_reply *reply) {
  host_call(data, name, arguments, reply);
}

/* The function to pass where swexpr.h asks for a host function. */
swexpr_host swexpr_wasm_host(void) { return call; }
