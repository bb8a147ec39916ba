// The libraries of both profiles, by explicit lists: what is not named here does not exist.
#include "guard.h"

static void take(lua_State *L, int source, int target, const char *const *names) {
    for (const char *const *name = names; *name; name++) {
        lua_getfield(L, source, *name);
        lua_setfield(L, target, *name);
    }
}

/// Pushes a stock library, from which single functions are taken.
static void push_stock(lua_State *L, lua_CFunction open) {
    lua_pushcfunction(L, open);
    lua_pushliteral(L, "stock");
    lua_call(L, 1, 1);
}

/// Lets error messages and tracebacks find the names of the functions in the table on top.
static void note_names(lua_State *L, const char *name) {
    luaL_getsubtable(L, LUA_REGISTRYINDEX, LUA_LOADED_TABLE);
    lua_pushvalue(L, -2);
    lua_setfield(L, -2, name);
    lua_pop(L, 1);
}

/// Seals the library on top and makes it global.
static void publish(lua_State *L, int base, const char *name) {
    guard_seal(L, -1);
    guard_push_shadow(L, lua_gettop(L));
    note_names(L, name);
    lua_pop(L, 1);
    lua_setfield(L, base, name);
}

static void open_base(lua_State *L, int base, bool script) {
    static const char *const names[] = {"assert", "error", "ipairs", "tonumber", NULL};
    push_stock(L, luaopen_base);
    take(L, lua_gettop(L), base, names);
    if (script) {
        lua_getfield(L, -1, "_VERSION");
        lua_setfield(L, base, "_VERSION");
    }
    lua_pop(L, 1);
    lua_pushvalue(L, base);
    luaL_setfuncs(L, guard_base_functions, 0);
    if (script) luaL_setfuncs(L, guard_script_base_functions, 0);
    note_names(L, "_G");
    lua_pop(L, 1);
}

/// Arithmetic on texts that are numbers, as stock Lua has it; the stock metatable of texts is that of text `text`, the new
/// one on top.
static void take_arithmetic(lua_State *L, int text) {
    static const char *const names[] = {"__add", "__sub", "__mul", "__mod", "__pow", "__div", "__idiv", "__unm", NULL};
    int target = lua_gettop(L);
    if (!lua_getmetatable(L, text)) return;
    take(L, target + 1, target, names);
    lua_settop(L, target);
}

/// The string library is also what indexing a string finds; getmetatable cannot reach it.
static void open_strings(lua_State *L, int base) {
    push_stock(L, luaopen_string);
    lua_newtable(L);
    luaL_setfuncs(L, guard_string_functions, 0);
    luaL_setfuncs(L, guard_pattern_functions, 0);
    guard_open_bounded(L);
    lua_remove(L, -2);
    lua_pushliteral(L, "");
    lua_createtable(L, 0, 16);
    take_arithmetic(L, lua_gettop(L) - 1);
    lua_newtable(L);
    lua_pushnil(L);
    while (lua_next(L, -5)) {                   // a copy of its own: one lookup less than through the sealed table
        lua_pushvalue(L, -2);
        lua_insert(L, -2);
        lua_rawset(L, -4);
    }
    lua_setfield(L, -2, "__index");
    lua_pushboolean(L, 0);
    lua_setfield(L, -2, "__metatable");
    lua_setmetatable(L, -2);
    lua_pop(L, 1);
    publish(L, base, "string");
}

/// Random numbers without a seed would differ from run to run.
static int seed_random(lua_State *L) {
    luaL_checkany(L, 1);
    lua_settop(L, 2);
    lua_pushvalue(L, lua_upvalueindex(1));
    lua_pushinteger(L, luaL_checkinteger(L, 1));
    lua_pushinteger(L, luaL_optinteger(L, 2, 0));
    lua_call(L, 2, 0);
    return 0;
}

static void open_math(lua_State *L, int base, bool script) {
    static const char *const names[] = {"abs", "acos", "asin", "atan", "ceil", "cos", "deg", "exp", "floor", "fmod",
                                        "huge", "log", "max", "maxinteger", "min", "mininteger", "modf", "pi", "rad",
                                        "sin", "sqrt", "tan", "tointeger", "type", "ult", NULL};
    push_stock(L, luaopen_math);
    int stock = lua_gettop(L);
    lua_newtable(L);
    take(L, stock, stock + 1, names);
    if (script) {
        lua_getfield(L, stock, "random");
        lua_setfield(L, -2, "random");
        lua_getfield(L, stock, "randomseed");
        lua_pushcclosure(L, seed_random, 1);
        lua_pushvalue(L, -1);
        lua_rawseti(L, LUA_REGISTRYINDEX, GUARD_PLACE_SEED);
        lua_setfield(L, -2, "randomseed");
    }
    publish(L, base, "math");
    lua_settop(L, stock - 1);
}

static void open_plain(lua_State *L, int base, const char *name, const luaL_Reg *functions, void (*more)(lua_State *)) {
    lua_newtable(L);
    luaL_setfuncs(L, functions, 0);
    if (more) more(L);
    publish(L, base, name);
}

/// Gives each function of the table, and of the tables in it, the next number, in the order of their names.
static void number_functions(lua_State *L, int table, int numbers) {
    luaL_checkstack(L, 12, "libraries");
    int top = lua_gettop(L);
    const guard_order *order = guard_push_order(L, table);
    for (uint32_t i = 0; i < order->count; i++) {
        guard_push_key(L, order, top + 1, i);
        int type = lua_rawget(L, table);
        if (type == LUA_TTABLE && guard_push_shadow(L, -1)) {
            number_functions(L, lua_gettop(L), numbers);
            lua_pop(L, 1);
        } else if (type == LUA_TFUNCTION) {
            guard_of(L)->objects++;
            lua_pushvalue(L, -1);
            lua_pushinteger(L, (lua_Integer)guard_of(L)->objects);
            lua_rawset(L, numbers);
        }
        lua_pop(L, 1);
    }
    lua_settop(L, top);
}

void guard_open_libraries(lua_State *L) {
    bool script = guard_of(L)->profile == GUARD_SCRIPT;
    lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_PLACE_BASE);
    int base = lua_gettop(L);
    open_base(L, base, script);
    open_strings(L, base);
    open_math(L, base, script);
    open_plain(L, base, "table", guard_table_functions, NULL);
    open_plain(L, base, "utf8", guard_utf8_functions, guard_open_utf8);
    if (script) open_plain(L, base, "coroutine", guard_coroutine_functions, NULL);
    lua_newtable(L);
    number_functions(L, base, lua_gettop(L));
    lua_rawseti(L, LUA_REGISTRYINDEX, GUARD_PLACE_FUNCTIONS);
    lua_pop(L, 1);
}

static int seed(lua_State *L) {
    if (lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_PLACE_SEED) != LUA_TFUNCTION) return 0;
    lua_pushinteger(L, *(int64_t *)lua_touserdata(L, 1));
    lua_call(L, 1, 0);
    return 0;
}
int32_t guard_seed_random(guard_vm *vm, int64_t value) { return guard_protect(vm, seed, &value); }
