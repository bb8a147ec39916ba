// The table library: bounded, interruptible, reproducible, and seeing through frozen tables and lists.
#include "guard.h"

/// A real table without metatable is read and written raw, all else through its metamethods.
typedef struct {
    int index, read;              // read: the table behind, if frozen
    bool raw;
} view;

static view open_view(lua_State *L, int index) {
    view table = {index, index, false};
    if (guard_is_record(L, index)) return table;
    luaL_checktype(L, index, LUA_TTABLE);
    if (guard_push_shadow(L, index)) {
        table.read = lua_gettop(L);
    } else {
        table.raw = !lua_getmetatable(L, index);
        if (!table.raw) lua_pop(L, 1);
    }
    return table;
}
static lua_Integer length_of(lua_State *L, view table) {
    return table.raw || table.read != table.index ? (lua_Integer)lua_rawlen(L, table.read) : luaL_len(L, table.index);
}
static int get(lua_State *L, view table, lua_Integer key) {
    return table.raw || table.read != table.index ? lua_rawgeti(L, table.read, key) : lua_geti(L, table.index, key);
}
static void set(lua_State *L, view table, lua_Integer key) {
    if (table.raw) lua_rawseti(L, table.index, key);
    else lua_seti(L, table.index, key);
}

static int insert(lua_State *L) {
    int count = lua_gettop(L);
    if (count != 2 && count != 3) return luaL_error(L, "wrong number of arguments to 'insert'");
    guard_vm *vm = guard_of(L);
    view table = open_view(L, 1);
    lua_Integer end = (lua_Integer)((lua_Unsigned)length_of(L, table) + 1), place = end;
    if (count == 3) {
        place = luaL_checkinteger(L, 2);
        luaL_argcheck(L, (lua_Unsigned)place - 1u < (lua_Unsigned)end, 2, "position out of bounds");
        for (lua_Integer i = end; i > place; i--) {
            if ((i & 255) == 0) guard_charge(L, vm, 256);
            get(L, table, i - 1);
            set(L, table, i);
        }
    }
    lua_pushvalue(L, count);
    set(L, table, place);
    return 0;
}

static int remove_element(lua_State *L) {
    guard_vm *vm = guard_of(L);
    lua_settop(L, 2);
    view table = open_view(L, 1);
    lua_Integer size = length_of(L, table), place = luaL_optinteger(L, 2, size);
    if (place != size) luaL_argcheck(L, (lua_Unsigned)place - 1u <= (lua_Unsigned)size, 2, "position out of bounds");
    get(L, table, place);
    for (; place < size; place++) {
        if ((place & 255) == 0) guard_charge(L, vm, 256);
        get(L, table, place + 1);
        set(L, table, place);
    }
    lua_pushnil(L);
    set(L, table, place);
    return 1;
}

static int move(lua_State *L) {
    guard_vm *vm = guard_of(L);
    lua_Integer first = luaL_checkinteger(L, 2), last = luaL_checkinteger(L, 3), to = luaL_checkinteger(L, 4);
    int target = lua_isnoneornil(L, 5) ? 1 : 5;
    lua_settop(L, 5);
    view source = open_view(L, 1), destination = open_view(L, target);
    if (last >= first) {
        luaL_argcheck(L, first > 0 || last < LUA_MAXINTEGER + first, 3, "too many elements to move");
        lua_Integer count = last - first + 1;
        luaL_argcheck(L, to <= LUA_MAXINTEGER - count + 1, 4, "destination wrap around");
        bool upwards = to > last || to <= first || (target != 1 && !lua_compare(L, 1, target, LUA_OPEQ));
        for (lua_Integer n = 0; n < count; n++) {
            if ((n & 255) == 0) guard_charge(L, vm, 256);
            lua_Integer i = upwards ? n : count - 1 - n;
            get(L, source, first + i);
            set(L, destination, to + i);
        }
    }
    lua_pushvalue(L, target);
    return 1;
}

static int concat(lua_State *L) {
    guard_vm *vm = guard_of(L);
    size_t separator_count, count;
    const char *separator = luaL_optlstring(L, 2, "", &separator_count);
    lua_Integer first = luaL_optinteger(L, 3, 1);
    bool whole = lua_isnoneornil(L, 4);
    lua_settop(L, 4);
    view table = open_view(L, 1);
    lua_Integer last = whole ? length_of(L, table) : luaL_checkinteger(L, 4);
    guard_buffer buffer;
    guard_buffer_open(L, &buffer);
    for (lua_Integer i = first; i <= last; i++) {
        int type = get(L, table, i);
        if (type != LUA_TSTRING && type != LUA_TNUMBER)
            return luaL_error(L, "invalid value (%s) at index %I in table for 'concat'", luaL_typename(L, -1),
                              (LUAI_UACINT)i);
        const char *text = lua_tolstring(L, -1, &count);
        guard_buffer_reserve(&buffer, count + separator_count);
        guard_buffer_add(&buffer, text, count);
        if (i < last) guard_buffer_add(&buffer, separator, separator_count);
        lua_pop(L, 1);
        guard_charge(L, vm, 1 + (int64_t)(count + separator_count) / 8);
        if (i == LUA_MAXINTEGER) break;
    }
    guard_buffer_push(&buffer);
    return 1;
}

static int pack(lua_State *L) {
    int count = lua_gettop(L);
    guard_charge(L, guard_of(L), count);
    lua_createtable(L, count, 1);
    lua_insert(L, 1);
    for (int i = count; i >= 1; i--) lua_rawseti(L, 1, i);
    lua_pushinteger(L, count);
    lua_setfield(L, 1, "n");
    return 1;
}

static int unpack(lua_State *L) {
    guard_vm *vm = guard_of(L);
    bool whole = lua_isnoneornil(L, 3);
    lua_settop(L, 3);
    lua_Integer first = luaL_optinteger(L, 2, 1);
    view table = open_view(L, 1);
    lua_Integer last = whole ? length_of(L, table) : luaL_checkinteger(L, 3);
    if (first > last) return 0;
    lua_Unsigned count = (lua_Unsigned)last - (lua_Unsigned)first;
    if (count >= GUARD_MAXIMUM_RESULTS || !lua_checkstack(L, (int)count + 1))
        return luaL_error(L, "too many results to unpack");
    for (lua_Unsigned i = 0; i <= count; i++) {
        if ((i & 255) == 0) guard_charge(L, vm, 256);
        get(L, table, (lua_Integer)((lua_Unsigned)first + i));
    }
    return (int)count + 1;
}

const luaL_Reg guard_table_functions[] = {
    {"insert", insert}, {"remove", remove_element}, {"move", move}, {"concat", concat},
    {"pack", pack},     {"unpack", unpack},         {"sort", guard_sort}, {NULL, NULL},
};
