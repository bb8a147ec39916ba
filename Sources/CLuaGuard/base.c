// The base library: what catches errors must not catch the end of a call, and nothing shows an address.
#include "guard.h"
#include <string.h>

const char *guard_push_text(lua_State *L, int index, size_t *count) {
    index = lua_absindex(L, index);
    luaL_checkstack(L, 6, "text");
    if (luaL_callmeta(L, index, "__tostring")) {
        if (lua_type(L, -1) != LUA_TSTRING) luaL_error(L, "'__tostring' must return a string");
        return lua_tolstring(L, -1, count);
    }
    lua_Debug at;
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
    case LUA_TSTRING: lua_pushvalue(L, index); break;
    case LUA_TBOOLEAN: lua_pushstring(L, lua_toboolean(L, index) ? "true" : "false"); break;
    case LUA_TNIL: lua_pushliteral(L, "nil"); break;
    case LUA_TFUNCTION:
        lua_pushvalue(L, index);
        lua_getinfo(L, ">S", &at);
        if (at.what[0] == 'C') lua_pushliteral(L, "function: builtin");
        else lua_pushfstring(L, "function: %s:%d", at.short_src, at.linedefined);
        break;
    default:
        switch (luaL_getmetafield(L, index, "__name")) {
        case LUA_TSTRING: break;
        default: lua_pop(L, 1);                                  // fall through
        case LUA_TNIL: lua_pushstring(L, luaL_typename(L, index));
        }
    }
    return lua_tolstring(L, -1, count);
}

static int tostring(lua_State *L) {
    luaL_checkany(L, 1);
    guard_push_text(L, 1, NULL);
    return 1;
}

static int print(lua_State *L) {
    int count = lua_gettop(L);
    for (int i = 1; i <= count; i++) {
        guard_push_text(L, i, NULL);
        lua_replace(L, i);
    }
    guard_ask_host(L, GUARD_EVENT_PRINT, 0);
    return 0;
}

/// Records are tables; a host value answers the name of its type.
static int type(lua_State *L) {
    luaL_checkany(L, 1);
    if (guard_is_record(L, 1)) lua_pushliteral(L, "table");
    else if (lua_type(L, 1) == LUA_TUSERDATA && luaL_getmetafield(L, 1, "__name") == LUA_TSTRING) return 1;
    else lua_pushstring(L, luaL_typename(L, 1));
    return 1;
}

void guard_soften_error(lua_State *L) {
    if (!guard_test_host_error(L, -1)) return;
    lua_getiuservalue(L, -1, 1);
    lua_replace(L, -2);
}

// ---- pcall, xpcall --------------------------------------------------------------------------------------------------------

int guard_raise_again(lua_State *L, int status) {
    if (status == LUA_ERRMEM) guard_set_fault(guard_of(L), GUARD_MEMORY);
    return guard_has_fault(L) ? guard_raise_fault(L) : lua_error(L);
}

static int finish(lua_State *L, int status, lua_KContext skipped) {
    if (guard_has_fault(L) || status == LUA_ERRMEM) return guard_raise_again(L, status);
    if (status == LUA_OK || status == LUA_YIELD) return lua_gettop(L) - (int)skipped;
    guard_soften_error(L);
    lua_pushboolean(L, 0);
    lua_insert(L, -2);
    return 2;
}

static int pcall(lua_State *L) {
    luaL_checkany(L, 1);
    guard_charge(L, guard_of(L), 8);
    lua_pushboolean(L, 1);
    lua_insert(L, 1);
    return finish(L, lua_pcallk(L, lua_gettop(L) - 2, LUA_MULTRET, 0, 0, finish), 0);
}

/// A message handler called for an error that a hook raised runs with hooks off: the script's own must not run then.
static int guarded_handler(lua_State *L) {
    if (guard_has_fault(L)) {
        lua_settop(L, 1);
        return 1;
    }
    guard_soften_error(L);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_insert(L, 1);
    lua_call(L, lua_gettop(L) - 1, 1);
    return 1;
}

static int xpcall(lua_State *L) {
    int count = lua_gettop(L);
    luaL_checktype(L, 2, LUA_TFUNCTION);
    guard_charge(L, guard_of(L), 8);
    lua_pushvalue(L, 2);
    lua_pushcclosure(L, guarded_handler, 1);
    lua_replace(L, 2);
    lua_pushboolean(L, 1);
    lua_pushvalue(L, 1);
    lua_rotate(L, 3, 2);                       // function, handler, true, function, arguments
    return finish(L, lua_pcallk(L, count - 2, LUA_MULTRET, 2, 2, finish), 2);
}

/// Like Lua's own, but what comes of a long sequence of results is bounded.
static int select_values(lua_State *L) {
    int count = lua_gettop(L);
    if (lua_type(L, 1) == LUA_TSTRING && *lua_tostring(L, 1) == '#') {
        lua_pushinteger(L, count - 1);
        return 1;
    }
    lua_Integer first = luaL_checkinteger(L, 1);
    guard_charge(L, guard_of(L), count / 8);
    if (first < 0) first = count + first;
    else if (first > count) first = count;
    luaL_argcheck(L, first >= 1, 1, "index out of range");
    return count - (int)first;
}

static int rawequal(lua_State *L) {
    luaL_checkany(L, 1);
    luaL_checkany(L, 2);
    lua_pushboolean(L, lua_rawequal(L, 1, 2));
    return 1;
}

const luaL_Reg guard_base_functions[] = {
    {"tostring", tostring}, {"print", print},   {"type", type},         {"pcall", pcall},        {"xpcall", xpcall},
    {"pairs", guard_pairs}, {"next", guard_next}, {"select", select_values}, {NULL, NULL},
};
const luaL_Reg guard_script_base_functions[] = {
    {"setmetatable", guard_set_metatable}, {"getmetatable", guard_get_metatable}, {"rawequal", rawequal}, {NULL, NULL},
};
