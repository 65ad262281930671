// Runs the filters on Lua 5.4 or LuaJIT.
//   lua_driver CHUNK NAME ROUNDS BATCH_MS [nojit]
// CHUNK is a Lua file that returns {context = {user, device, params}, filters = {{name, source,
// expected}, …}, empty = source}; a source returns a function of (user, device, params).

#define _GNU_SOURCE
#include "timing.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <string.h>

#ifdef WITH_LUAJIT
#include <luajit.h>
#define VERSION (LUAJIT_VERSION + sizeof("LuaJIT ") - 1)
#else
#define VERSION (LUA_RELEASE + sizeof("Lua ") - 1)
#endif

enum { MAXIMUM = 256 };

typedef struct {
  lua_State *lua;
  int context;  // Stack index of user; device and params follow.
  int empty;    // Registry references of functions.
  int filters[MAXIMUM];
} state;

static void fail(lua_State *lua) {
  fprintf(stderr, "%s\n", lua_tostring(lua, -1));
  exit(1);
}

static uint64_t run(void *opaque, int index, uint64_t count) {
  state *peer = opaque;
  lua_State *lua = peer->lua;
  int reference = index < 0 ? peer->empty : peer->filters[index];
  uint64_t matches = 0;
  for (uint64_t turn = 0; turn < count; turn += 1) {
    lua_rawgeti(lua, LUA_REGISTRYINDEX, reference);
    lua_pushvalue(lua, peer->context);
    lua_pushvalue(lua, peer->context + 1);
    lua_pushvalue(lua, peer->context + 2);
    lua_call(lua, 3, 1);
    matches += (uint64_t)lua_toboolean(lua, -1);
    lua_pop(lua, 1);
  }
  return matches;
}

static int compile(lua_State *lua, const char *source) {
  if (luaL_loadstring(lua, source)) fail(lua);
  if (lua_pcall(lua, 0, 1, 0)) fail(lua);
  return luaL_ref(lua, LUA_REGISTRYINDEX);
}

static double time_compile(lua_State *lua, const char *source, int rounds) {
  double *times = calloc((size_t)rounds, sizeof *times);
  if (!times) exit(1);
  for (int round = 0; round < rounds; round += 1) {
    double start = nanoseconds();
    for (int turn = 0; turn < 100; turn += 1) {
      luaL_unref(lua, LUA_REGISTRYINDEX, compile(lua, source));
    }
    times[round] = (nanoseconds() - start) / 100;
  }
  double result = median(times, rounds);
  free(times);
  return result;
}

int main(int count, char **arguments) {
  if (count < 5) return 2;
  int rounds = atoi(arguments[3]);
  double batch_ns = atof(arguments[4]) * 1e6;
  lua_State *lua = luaL_newstate();
  if (!lua) return 1;
  luaL_openlibs(lua);
#ifdef WITH_LUAJIT
  if (count > 5 && strcmp(arguments[5], "nojit") == 0) {
    luaJIT_setmode(lua, 0, LUAJIT_MODE_ENGINE | LUAJIT_MODE_OFF);
  }
#endif
  if (luaL_loadfile(lua, arguments[1]) || lua_pcall(lua, 0, 1, 0)) fail(lua);
  int chunk = lua_gettop(lua);
  state peer = {.lua = lua};
  lua_getfield(lua, chunk, "empty");
  peer.empty = compile(lua, lua_tostring(lua, -1));
  lua_getfield(lua, chunk, "context");
  int context = lua_gettop(lua);
  peer.context = context + 1;
  for (int root = 1; root <= 3; root += 1) lua_rawgeti(lua, context, root);
  lua_getfield(lua, chunk, "filters");
  int filters = lua_gettop(lua);
  int length = 0;
  for (;; length += 1) {
    lua_rawgeti(lua, filters, length + 1);
    if (!lua_istable(lua, -1) || length == MAXIMUM) break;
    lua_getfield(lua, -1, "source");
    peer.filters[length] = compile(lua, lua_tostring(lua, -1));
    lua_settop(lua, filters);
  }
  lua_settop(lua, filters);
  printf("{\n  \"engine\": \"%s\",\n  \"version\": \"%s\",\n  \"filters\": [\n", arguments[2], VERSION);
  for (int index = 0; index < length; index += 1) {
    lua_rawgeti(lua, filters, index + 1);
    int entry = lua_gettop(lua);
    lua_getfield(lua, entry, "name");
    lua_getfield(lua, entry, "source");
    lua_getfield(lua, entry, "expected");
    int expected = lua_toboolean(lua, entry + 3);
    double compile_ns = time_compile(lua, lua_tostring(lua, entry + 2), rounds);
    figures measured = measure(run, &peer, index, (uint64_t)expected, rounds, batch_ns);
    print_row(
        lua_tostring(lua, entry + 1), measured, compile_ns, expected, index + 1 == length);
    lua_settop(lua, filters);
  }
  printf("  ]\n}\n");
  lua_close(lua);
  return 0;
}
