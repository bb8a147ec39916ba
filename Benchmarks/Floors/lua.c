#include "Floors.h"

#include <lauxlib.h>
#include <lua.h>
#include <lualib.h>
#include <stdio.h>

// The state stands for itself: the function and its tables are the four values at the bottom of its stack.
struct floor_lua;
static lua_State *state(floor_lua *floor) { return (lua_State *)floor; }

floor_lua *floor_lua_open(const char *source) {
    lua_State *L = luaL_newstate();
    if (L == NULL) return NULL;
    luaL_openlibs(L);
    if (luaL_dostring(L, source) != LUA_OK || lua_gettop(L) != 4) {
        fprintf(stderr, "floor: %s\n", lua_isstring(L, -1) ? lua_tostring(L, -1) : "a function and three tables wanted");
        lua_close(L);
        return NULL;
    }
    return (floor_lua *)L;
}

int64_t floor_lua_call(floor_lua *floor, int64_t times) {
    lua_State *L = state(floor);
    int64_t sum = 0;
    for (int64_t i = 0; i < times; i++) {
        for (int k = 1; k <= 4; k++) lua_pushvalue(L, k);
        if (lua_pcall(L, 3, 1, 0) != LUA_OK) {
            fprintf(stderr, "floor: %s\n", lua_tostring(L, -1));
            lua_settop(L, 4);
            return -1;
        }
        lua_getfield(L, 5, "allow");
        lua_getfield(L, 5, "days");
        lua_getfield(L, 5, "reason");
        size_t length = 0;
        if (lua_toboolean(L, 6) && lua_tolstring(L, 8, &length) != NULL && length > 0) sum += lua_tointeger(L, 7);
        lua_settop(L, 4);
    }
    return sum;
}

void floor_lua_close(floor_lua *floor) {
    if (floor != NULL) lua_close(state(floor));
}
