// Host value types: small immutable userdata of a type number and two integers. What two values of one type and unit
// mean to each other is settled here; the host answers the rest.
#include "guard.h"

guard_small *guard_test_value(lua_State *L, int index) {
    if (lua_type(L, index) != LUA_TUSERDATA) return NULL;
    guard_small *small = lua_touserdata(L, index);
    return small->tag == GUARD_TAG_VALUE ? small : NULL;
}

void guard_push_value(lua_State *L, int32_t type, int64_t a, int64_t b) {
    luaL_checkstack(L, 4, "values");
    guard_small *small = lua_newuserdatauv(L, sizeof *small, 0);
    *small = (guard_small){GUARD_TAG_VALUE, type, a, b, ++guard_of(L)->objects};
    lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_PLACE_VALUE_META);
    if (lua_rawgeti(L, -1, type) != LUA_TTABLE) luaL_error(L, "a value of a type that is not registered");
    lua_setmetatable(L, -3);
    lua_pop(L, 1);
}

/// The type that answers: the left operand's, or the right one's if the left is not a host value.
static int32_t answering_type(lua_State *L) {
    guard_small *small = guard_test_value(L, 1);
    if (!small) small = guard_test_value(L, 2);
    if (!small) luaL_error(L, "a value was expected");
    return small->type;
}

static int arithmetic(lua_State *L) {
    int64_t operation = lua_tointeger(L, lua_upvalueindex(1));
    lua_settop(L, 2);
    return guard_ask_host(L, GUARD_EVENT_ARITHMETIC, (int64_t)answering_type(L) * 16 + operation);
}

static int compare(lua_State *L, bool or_equal) {
    lua_settop(L, 2);
    guard_small *left = guard_test_value(L, 1), *right = guard_test_value(L, 2);
    if (left && right && left->type == right->type && left->b == right->b) {
        lua_pushboolean(L, or_equal ? left->a <= right->a : left->a < right->a);
        return 1;
    }
    return guard_ask_host(L, GUARD_EVENT_COMPARE, (int64_t)answering_type(L) * 16 + or_equal);
}
static int less(lua_State *L) { return compare(L, false); }
static int less_or_equal(lua_State *L) { return compare(L, true); }

static int equal(lua_State *L) {
    guard_small *left = guard_test_value(L, 1), *right = guard_test_value(L, 2);
    lua_pushboolean(L, left && right && left->type == right->type && left->a == right->a && left->b == right->b);
    return 1;
}

static int text(lua_State *L) {
    lua_settop(L, 1);
    return guard_ask_host(L, GUARD_EVENT_TEXT, answering_type(L));
}
static int field(lua_State *L) {
    lua_settop(L, 2);
    return guard_ask_host(L, GUARD_EVENT_FIELD, answering_type(L));
}
static int refuse(lua_State *L) {
    lua_getmetatable(L, 1);
    lua_getfield(L, -1, "__name");
    return luaL_error(L, "a %s is read-only", lua_tostring(L, -1));
}

typedef struct {
    guard_vm *vm;
    int32_t type;
    const char *name;
} registration;

static int register_type(lua_State *L) {
    registration *request = lua_touserdata(L, 1);
    static const char *const operations[] = {"__add", "__sub", "__mul", "__div", "__mod", "__pow", "__idiv", "__unm"};
    static const luaL_Reg functions[] = {{"__lt", less},   {"__le", less_or_equal}, {"__eq", equal},
                                         {"__tostring", text}, {"__index", field},  {"__newindex", refuse},
                                         {NULL, NULL}};
    lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_PLACE_VALUE_META);
    lua_newtable(L);
    luaL_setfuncs(L, functions, 0);
    for (int i = 0; i < 8; i++) {
        lua_pushinteger(L, i);
        lua_pushcclosure(L, arithmetic, 1);
        lua_setfield(L, -2, operations[i]);
    }
    lua_pushstring(L, request->name);
    lua_setfield(L, -2, "__name");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_rawseti(L, -2, request->type);
    return 0;
}

int32_t guard_register_type(guard_vm *vm, int32_t type, const char *name) {
    registration request = {vm, type, name};
    return guard_protect(vm, register_type, &request);
}

void guard_open_values(lua_State *L) {
    lua_newtable(L);
    lua_rawseti(L, LUA_REGISTRYINDEX, GUARD_PLACE_VALUE_META);
    lua_newtable(L);
    lua_rawseti(L, LUA_REGISTRYINDEX, GUARD_PLACE_EMPTY_LIST_META);
}
