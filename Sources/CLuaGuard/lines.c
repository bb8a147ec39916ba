// Telling the host which lines run and what the variables named on them hold, while it watches. Nothing here costs a call
// that no one watches: the hook is not armed for lines then.
//
// What to read at which line is a table in the registry, made by the host: { [chunk] = { [line] = { { "case", "patron",
// "age" }, ... } } }. The first name of a path is a local variable or an upvalue, the others are fields.
#include "guard.h"
#include <string.h>

enum { MOST_PATHS = 60 };

/// What a value is beside itself; guard_seen of the host.
enum seen { SEEN_VALUE = 0, SEEN_RECORD, SEEN_LIST, SEEN_TABLE };

/// Follows a path from the value at 1 along the names from the second on in the table at 2. A field that is not there ends
/// it with nothing, so does an error, which the caller catches.
static int follow(lua_State *L) {
    int count = (int)lua_rawlen(L, 2);
    lua_pushvalue(L, 1);
    for (int i = 2; i <= count; i++) {
        lua_rawgeti(L, 2, i);
        lua_gettable(L, -2);
        lua_remove(L, -2);
    }
    return 1;
}

static bool push_upvalue(lua_State *L, lua_Debug *at, const char *name) {
    lua_getinfo(L, "f", at);
    int function = lua_gettop(L);
    const char *known;
    for (int i = 1; (known = lua_getupvalue(L, function, i)); i++) {
        if (strcmp(known, name) == 0) {
            lua_remove(L, function);
            return true;
        }
        lua_pop(L, 1);
    }
    lua_pop(L, 1);
    return false;
}

/// The variable as the line sees it: of several of one name the one declared last.
static bool push_variable(lua_State *L, lua_Debug *at, const char *name) {
    int found = 0;
    const char *known;
    for (int i = 1; (known = lua_getlocal(L, at, i)); i++) {
        lua_pop(L, 1);
        if (strcmp(known, name) == 0) found = i;
    }
    if (!found) return push_upvalue(L, at, name);
    lua_getlocal(L, at, found);
    return true;
}

/// How many elements the table or list on top has.
static lua_Integer count_of(lua_State *L) {
    int top = lua_gettop(L);
    lua_Integer count = 0;
    if (luaL_getmetafield(L, top, "__len") == LUA_TFUNCTION) {
        lua_pushvalue(L, top);
        lua_call(L, 1, 1);
        count = lua_tointeger(L, -1);
    } else if (lua_type(L, top) == LUA_TTABLE) {
        bool frozen = guard_push_shadow(L, top);
        count = (lua_Integer)lua_rawlen(L, frozen ? -1 : top);
    }
    lua_settop(L, top);
    return count;
}

/// Replaces the value on top by what the host gets of it; false, and nothing left, where the host gets nothing.
static bool tell_value(lua_State *L, int number, bool is_answer) {
    int kind = SEEN_VALUE;
    lua_Integer count = 0;
    switch (lua_type(L, -1)) {
    case LUA_TNIL: case LUA_TBOOLEAN: case LUA_TNUMBER: case LUA_TSTRING: break;
    case LUA_TTABLE:
        if (is_answer) break;
        kind = SEEN_TABLE;
        count = count_of(L);
        break;
    case LUA_TUSERDATA:
        if (guard_test_value(L, lua_gettop(L))) break;
        if (!guard_is_record(L, lua_gettop(L))) {
            lua_pop(L, 1);
            return false;
        }
        kind = guard_is_list(L, lua_gettop(L)) ? SEEN_LIST : SEEN_RECORD;
        count = kind == SEEN_LIST ? count_of(L) : 0;
        break;
    default: lua_pop(L, 1); return false;
    }
    if (kind != SEEN_VALUE) {
        lua_pop(L, 1);
        lua_pushinteger(L, count);
    }
    lua_pushinteger(L, number);
    lua_insert(L, -2);
    lua_pushinteger(L, kind);
    lua_insert(L, -2);
    return true;
}

/// Leaves number, kind and value of each path that can be read on top.
static void tell_paths(lua_State *L, lua_Debug *at, int paths) {
    int count = (int)lua_rawlen(L, paths);
    for (int i = 1; i <= count && i <= MOST_PATHS; i++) {
        luaL_checkstack(L, 12, "values of a line");
        int top = lua_gettop(L);
        lua_rawgeti(L, paths, i);
        lua_rawgeti(L, top + 1, 1);
        const char *name = lua_tostring(L, -1);
        lua_pop(L, 1);
        lua_pushcfunction(L, follow);
        if (!name || !push_variable(L, at, name)) {
            lua_settop(L, top);
            continue;
        }
        lua_pushvalue(L, top + 1);
        bool found = lua_pcall(L, 2, 1, 0) == LUA_OK;
        lua_remove(L, top + 1);
        if (!found) lua_settop(L, top);
        else tell_value(L, i, false);
    }
}

/// Pushes the paths to be read at the event's line, or answers false if its chunk is not watched.
static bool push_paths(lua_State *L, lua_Debug *at) {
    if (!lua_getinfo(L, "Sl", at) || at->what[0] == 'C' || at->currentline < 0) return false;
    const char *source = at->source[0] == '=' || at->source[0] == '@' ? at->source + 1 : at->source;
    lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_PLACE_LINES);
    if (!lua_istable(L, -1)) return false;
    lua_pushstring(L, source);
    if (lua_rawget(L, -2) != LUA_TTABLE) return false;
    if (lua_rawgeti(L, -1, at->currentline) != LUA_TTABLE) {
        lua_pop(L, 1);
        lua_newtable(L);
    }
    return true;
}

/// Arguments of the host: chunk, line, then number, kind and value of each path; number 0 is what the function returns.
static int tell(lua_State *L) {
    lua_Debug *at = lua_touserdata(L, 1);
    bool returns = at->event == LUA_HOOKRET;
    if (!push_paths(L, at)) return 0;
    lua_replace(L, 1);
    lua_settop(L, 1);
    int paths = 1;
    lua_pushstring(L, at->source[0] == '=' || at->source[0] == '@' ? at->source + 1 : at->source);
    lua_pushinteger(L, at->currentline);
    tell_paths(L, at, paths);
    if (returns && lua_getinfo(L, "r", at)) {
        if (at->ntransfer == 0) lua_pushnil(L);
        else if (!lua_getlocal(L, at, at->ftransfer)) lua_pushnil(L);
        tell_value(L, 0, true);
    }
    lua_remove(L, paths);
    // An answer means that the host has seen enough.
    if (guard_ask_host(L, GUARD_EVENT_LINE, returns) > 0) {
        guard_of(L)->watches_lines = false;
        guard_arm(guard_of(L), L);
    }
    return 0;
}

/// Called by the hook. An error in here, such as no memory, skips the report of this line; limits stay reached.
void guard_tell_line(lua_State *L, lua_Debug *event) {
    if (!lua_checkstack(L, 4)) return;
    int top = lua_gettop(L);
    lua_pushcfunction(L, tell);
    lua_pushlightuserdata(L, event);
    (void)lua_pcall(L, 1, 0, 0);
    lua_settop(L, top);
}

static int set_lines(lua_State *L) {
    size_t *base = lua_touserdata(L, 1);
    guard_take_values(L, *base, 1);
    lua_rawseti(L, LUA_REGISTRYINDEX, GUARD_PLACE_LINES);
    return 0;
}
int32_t guard_watch_lines(guard_vm *vm, bool watches, size_t base) {
    int32_t status = guard_protect(vm, set_lines, &base);
    guard_rewind(vm, base);
    vm->watches_lines = watches && status == GUARD_OK;
    return status;
}
