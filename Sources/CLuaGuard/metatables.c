// setmetatable for scripts: a table of the script's own is the metatable, so that what is changed in it later counts.
// Four events must be out of reach for good: finalisers run with hooks off, weak tables and __concat reach bugs of Lua
// 5.4.4 and hold the collector up where no hook runs, __close runs during unwinding.
#include "guard.h"
#include <string.h>
#include <sys/random.h>

static const char original_key;

static const char *const refused[] = {"__gc", "__mode", "__concat", "__close", "__metatable", NULL};

/// Lua finds an event by the address of its name, one string that it keeps. With other bytes in that string, no text that
/// a script makes is that string: "__mode" is another one, which means nothing to Lua. The bytes are random, for they are
/// the one text that would still be found. Metatables of the guard and of lauxlib's buffers hold the string itself, and go
/// on working.
bool guard_disarm_events(lua_State *L) {
    luaL_Buffer buffer;                          // a large one makes the metatable of buffers
    (void)luaL_buffinitsize(L, &buffer, 64 * LUAL_BUFFERSIZE);
    luaL_pushresultsize(&buffer, 0);
    lua_pop(L, 1);
    for (int i = 0; i < 4; i++) {
        size_t count = strlen(refused[i]);
        unsigned char bytes[16];
        if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes) return false;
        for (size_t at = 0; at < count; at++) bytes[at] |= 0x80;
        memcpy((char *)(uintptr_t)lua_pushstring(L, refused[i]), bytes, count);
        lua_pop(L, 1);
    }
    return true;
}

static const char *const events[] = {"__index", "__newindex", "__name", "__call", "__tostring", "__len",  "__eq",   "__lt",
                                     "__le",    "__add",      "__sub",  "__mul",  "__div",      "__mod",  "__pow",  "__unm",
                                     "__idiv",  "__band",     "__bor",  "__bxor", "__shl",      "__shr",  "__bnot", "__pairs",
                                     NULL};
enum { EVENTS_WITH_DATA = 3 };                   // the first ones, which need not be functions

/// A mistake is reported at once, not when the event is first asked for. What is set later, Lua judges.
static void check_events(lua_State *L, int metatable) {
    for (int i = 0; events[i]; i++) {
        lua_pushstring(L, events[i]);
        int type = lua_rawget(L, metatable);
        lua_pop(L, 1);
        bool data = i < EVENTS_WITH_DATA && (type == LUA_TTABLE || type == LUA_TSTRING || type == LUA_TUSERDATA);
        if (type != LUA_TNIL && type != LUA_TFUNCTION && !data)
            luaL_error(L, "the metatable field '%s' must be a function", events[i]);
    }
}

/// Whether the table at index carries the mark of an empty list of the host. It has filled since, perhaps. To scripts such a
/// table has no metatable.
bool guard_is_marked_list(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TTABLE || !lua_getmetatable(L, index)) return false;
    lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_PLACE_EMPTY_LIST_META);
    bool marked = lua_rawequal(L, -1, -2);
    lua_pop(L, 2);
    return marked;
}

int guard_set_metatable(lua_State *L) {
    luaL_checktype(L, 1, LUA_TTABLE);
    luaL_argexpected(L, lua_isnil(L, 2) || lua_istable(L, 2), 2, "nil or table");
    lua_settop(L, 2);
    if (luaL_getmetafield(L, 1, "__metatable") != LUA_TNIL) return luaL_error(L, "cannot change a protected metatable");
    guard_charge(L, guard_of(L), 30);
    if (lua_istable(L, 2)) {
        if (guard_push_shadow(L, 2)) {           // a table of the host: what it holds counts, and it is what is answered
            lua_pushvalue(L, 2);
            lua_rawsetp(L, -2, &original_key);
            lua_replace(L, 2);
        }
        for (const char *const *name = refused; *name; name++) {
            lua_pushstring(L, *name);
            if (lua_rawget(L, 2) != LUA_TNIL)
                return luaL_error(L, "the metatable field '%s' is not available here", *name);
            lua_pop(L, 1);
        }
        check_events(L, 2);
    }
    lua_setmetatable(L, 1);
    return 1;
}

/// The table the script gave; false for what belongs to the host.
int guard_get_metatable(lua_State *L) {
    luaL_checkany(L, 1);
    if (guard_is_marked_list(L, 1) || !lua_getmetatable(L, 1)) {
        lua_pushnil(L);
        return 1;
    }
    lua_pushliteral(L, "__metatable");
    if (lua_rawget(L, -2) != LUA_TNIL) return 1;
    lua_pop(L, 1);
    if (lua_type(L, 1) != LUA_TTABLE) lua_pushboolean(L, 0);
    else if (lua_rawgetp(L, -1, &original_key) == LUA_TNIL) lua_pop(L, 1);
    return 1;
}
