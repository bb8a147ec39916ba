// What a script finds: a read-only base that every environment reads through, and an error for unknown names.
#include "guard.h"

static int unknown_global(lua_State *L) {
    lua_settop(L, 2);
    if (lua_type(L, 2) != LUA_TSTRING) return 0;
    lua_remove(L, 1);
    guard_ask_host(L, GUARD_EVENT_UNKNOWN_GLOBAL, 0);
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
    return lua_error(L);
}

/// Reached through the shadow of a module, so that what it has is found as fast as before.
static int unknown_member(lua_State *L) {
    lua_settop(L, 2);
    if (lua_type(L, 2) != LUA_TSTRING) return 0;
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_replace(L, 1);
    guard_ask_host(L, GUARD_EVENT_UNKNOWN_MEMBER, 0);
    luaL_where(L, 1);
    lua_insert(L, -2);
    lua_concat(L, 2);
    return lua_error(L);
}

void guard_name_members(lua_State *L, const char *name, size_t length) {
    if (!guard_push_shadow(L, lua_gettop(L))) return;
    lua_createtable(L, 0, 1);
    lua_pushlstring(L, name, length);
    lua_pushcclosure(L, unknown_member, 1);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
}

void guard_open_environment(lua_State *L) {
    lua_newtable(L);                                    // the base
    lua_createtable(L, 0, 1);
    lua_pushcfunction(L, unknown_global);
    lua_setfield(L, -2, "__index");
    lua_setmetatable(L, -2);
    lua_pushvalue(L, -1);
    lua_rawseti(L, LUA_REGISTRYINDEX, GUARD_PLACE_BASE);
    lua_createtable(L, 0, 2);                           // the metatable of environments
    lua_insert(L, -2);
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_rawseti(L, LUA_REGISTRYINDEX, GUARD_PLACE_BASE_META);
}
