// setmetatable for scripts: the fields of a white-list are copied into a table of ours. Finalisers run with hooks off,
// weak tables and __concat reach bugs of Lua 5.4.4, __close runs during unwinding, __metatable would hide things from us.
#include "guard.h"

static const char original_key;

static const char *const copied[] = {"__index", "__newindex", "__call", "__tostring", "__name", "__len",  "__eq",
                                     "__lt",    "__le",       "__add",  "__sub",      "__mul",  "__div",  "__mod",
                                     "__pow",   "__unm",      "__idiv", "__band",     "__bor",  "__bxor", "__shl",
                                     "__shr",   "__bnot",     "__pairs", NULL};
static const char *const refused[] = {"__gc", "__mode", "__concat", "__close", "__metatable", NULL};

void guard_open_metatables(lua_State *L) {
    lua_newtable(L);
    lua_createtable(L, 0, 1);
    lua_pushliteral(L, "k");
    lua_setfield(L, -2, "__mode");
    lua_setmetatable(L, -2);
    lua_rawseti(L, LUA_REGISTRYINDEX, GUARD_PLACE_METATABLES);
}

/// Pushes field `name` of the metatable at 2, read through when it is frozen.
static int raw_field(lua_State *L, int table, const char *name) {
    lua_pushstring(L, name);
    return lua_rawget(L, table);
}

static void check_field(lua_State *L, const char *name) {
    int type = lua_type(L, -1);
    bool data = name[2] == 'i' || name[2] == 'n';          // __index, __newindex, __name; not __idiv
    if (name[2] == 'i' && name[3] == 'd') data = false;
    if (type == LUA_TFUNCTION || (data && (type == LUA_TTABLE || type == LUA_TSTRING || type == LUA_TUSERDATA))) return;
    luaL_error(L, "the metatable field '%s' must be a function", name);
}

/// Pushes our copy of the metatable at 2: one for each, brought up to date each time.
static void push_copy(lua_State *L) {
    int source = guard_push_shadow(L, 2) ? lua_gettop(L) : 2;
    lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_PLACE_METATABLES);
    lua_pushvalue(L, 2);
    if (lua_rawget(L, -2) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_createtable(L, 0, 4);
        lua_pushvalue(L, 2);
        lua_rawsetp(L, -2, &original_key);
        lua_pushvalue(L, 2);
        lua_pushvalue(L, -2);
        lua_rawset(L, -4);
    }
    int copy = lua_gettop(L);
    for (const char *const *name = copied; *name; name++) {
        if (raw_field(L, source, *name) != LUA_TNIL) check_field(L, *name);
        lua_setfield(L, copy, *name);
    }
}

int guard_set_metatable(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_argexpected(L, lua_isnil(L, 2) || lua_istable(L, 2), 2, "nil or table");
    lua_settop(L, 2);
    if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) return luaL_error(L, "cannot change a protected metatable");
    lua_settop(L, 2);
    guard_charge(L, guard_of(L), 30);
    if (lua_isnil(L, 2)) {
        lua_setmetatable(L, 1);
        return 1;
    }
    int source = guard_push_shadow(L, 2) ? 3 : 2;
    for (const char *const *name = refused; *name; name++) {
        if (raw_field(L, source, *name) != LUA_TNIL)
            return luaL_error(L, "the metatable field '%s' is not available here", *name);
        lua_pop(L, 1);
    }
    lua_settop(L, 2);
    push_copy(L);
    lua_setmetatable(L, 1);
    lua_settop(L, 1);
    return 1;
}

/// The table the script gave; false for what belongs to the host.
int guard_get_metatable(lua_State *L) {
    luaL_checkany(L, 1);
    if (lua_type(L, 1) != LUA_TTABLE || !lua_getmetatable(L, 1)) {
        if (lua_type(L, 1) == LUA_TTABLE) lua_pushnil(L);
        else lua_pushboolean(L, 0);
        return 1;
    }
    if (lua_rawgetp(L, -1, &original_key) == LUA_TNIL) lua_pushboolean(L, 0);
    return 1;
}
