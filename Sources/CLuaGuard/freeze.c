// Read-only tables. Metamethods do not guard a key that exists, so the content moves to a shadow table and the table
// itself stays empty, with a metatable that reads through. `#`, pairs, next and the table library look at the shadow.
#include "guard.h"

static const char shadow_key;

bool guard_push_shadow(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TTABLE || !lua_getmetatable(L, index)) return false;
    if (lua_rawgetp(L, -1, &shadow_key) == LUA_TTABLE) {
        lua_remove(L, -2);
        return true;
    }
    lua_pop(L, 2);
    return false;
}

static const char *name_of_key(lua_State *L, int index) {
    switch (lua_type(L, index)) {
    case LUA_TSTRING: return lua_tostring(L, index);
    case LUA_TNUMBER:
        lua_pushvalue(L, index);
        return lua_tostring(L, -1);
    default: return luaL_typename(L, index);
    }
}
static int refuse_stateful(lua_State *L) {
    return luaL_error(L, "stateful: a table made when the file was loaded cannot be changed (field '%s')",
                      name_of_key(L, 2));
}
static int refuse_write(lua_State *L) {
    return luaL_error(L, "this table is read-only (field '%s')", name_of_key(L, 2));
}
static int frozen_length(lua_State *L) {
    lua_Integer length = guard_push_shadow(L, 1) ? (lua_Integer)lua_rawlen(L, -1) : 0;
    lua_pushinteger(L, length);
    return 1;
}

/// Content of the table at index moves to a new table, pushed.
static void move_content(lua_State *L, int index) {
    lua_createtable(L, (int)lua_rawlen(L, index), 0);
    int shadow = lua_gettop(L);
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, shadow);
    }
    lua_pushnil(L);
    while (lua_next(L, index)) {
        lua_pop(L, 1);
        lua_pushvalue(L, -1);
        lua_pushnil(L);
        lua_rawset(L, index);        // clearing fields during a traversal is allowed
    }
}

static void seal(lua_State *L, int index, lua_CFunction refuse) {
    index = lua_absindex(L, index);
    luaL_checkstack(L, 8, "tables");
    move_content(L, index);
    int shadow = lua_gettop(L);
    if (lua_getmetatable(L, index)) lua_setmetatable(L, shadow);   // an environment still reads through to the base
    lua_createtable(L, 0, 5);
    lua_pushvalue(L, shadow);
    lua_rawsetp(L, -2, &shadow_key);
    lua_pushvalue(L, shadow);
    lua_setfield(L, -2, "__index");
    lua_pushcfunction(L, refuse);
    lua_setfield(L, -2, "__newindex");
    lua_pushcfunction(L, frozen_length);
    lua_setfield(L, -2, "__len");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, index);
    lua_settop(L, shadow - 1);
}

void guard_seal(lua_State *L, int index) { seal(L, index, refuse_write); }

// ---- everything reachable -----------------------------------------------------------------------------------------

/// Appends the value on top to the queue unless it was seen; pops it.
static void enqueue(lua_State *L, int seen, int queue) {
    int type = lua_type(L, -1);
    if (type != LUA_TTABLE && (type != LUA_TFUNCTION || lua_iscfunction(L, -1))) {
        lua_pop(L, 1);
        return;
    }
    lua_pushvalue(L, -1);
    if (lua_rawget(L, seen) != LUA_TNIL) {
        lua_pop(L, 2);
        return;
    }
    lua_pop(L, 1);
    lua_pushvalue(L, -1);
    lua_pushboolean(L, 1);
    lua_rawset(L, seen);
    lua_rawseti(L, queue, (lua_Integer)lua_rawlen(L, queue) + 1);
}

static void enqueue_content(lua_State *L, int table, int seen, int queue) {
    guard_vm *vm = guard_of(L);
    lua_pushnil(L);
    while (lua_next(L, table)) {
        guard_charge(L, vm, 4);
        enqueue(L, seen, queue);
        lua_pushvalue(L, -1);
        enqueue(L, seen, queue);
    }
}

static void freeze_one(lua_State *L, int value, int seen, int queue, bool stateful) {
    if (lua_type(L, value) == LUA_TFUNCTION) {
        for (int i = 1; lua_getupvalue(L, value, i); i++) enqueue(L, seen, queue);
        return;
    }
    if (guard_push_shadow(L, value)) {
        lua_pop(L, 1);
        return;
    }
    enqueue_content(L, value, seen, queue);
    bool own = false;
    if (!guard_is_marked_list(L, value) && lua_getmetatable(L, value)) {          // a script's own metatable: its methods stay, its content is walked
        lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_PLACE_BASE_META);
        own = !lua_rawequal(L, -1, -2);
        lua_pop(L, 2);
    }
    if (!own) seal(L, value, stateful ? refuse_stateful : refuse_write);
}

void guard_freeze_reachable(lua_State *L, int index, bool stateful) {
    luaL_checkstack(L, 12, "tables");
    lua_pushvalue(L, index);
    int root = lua_gettop(L);
    lua_newtable(L);
    lua_newtable(L);
    int seen = root + 1, queue = root + 2;
    lua_pushvalue(L, root);
    enqueue(L, seen, queue);
    for (lua_Integer next = 1; lua_rawgeti(L, queue, next) != LUA_TNIL; next++) {
        freeze_one(L, lua_gettop(L), seen, queue, stateful);
        lua_settop(L, queue);
    }
    lua_settop(L, root - 1);
}
