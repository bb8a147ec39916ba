// table.sort as a stable merge sort: ties keep their order, the same input always gives the same output, and a
// comparison function that contradicts itself does no harm. Nothing is written before all is compared.
#include "guard.h"

/// Elements in two scratch tables; their places on the stack.
typedef struct {
    int from, to;
    bool has_function;
} sorter;

static bool less(lua_State *L, const sorter *state, int left, int right) {
    if (!state->has_function) return lua_compare(L, left, right, LUA_OPLT);
    lua_pushvalue(L, 2);
    lua_pushvalue(L, left);
    lua_pushvalue(L, right);
    lua_call(L, 2, 1);
    bool answer = lua_toboolean(L, -1);
    lua_pop(L, 1);
    return answer;
}

/// Merges [start, middle) and [middle, end); one-based, ends excluded.
static void merge(lua_State *L, const sorter *state, lua_Integer start, lua_Integer middle, lua_Integer end) {
    guard_vm *vm = guard_of(L);
    int top = lua_gettop(L);
    lua_Integer left = start, right = middle;
    for (lua_Integer out = start; out < end; out++) {
        bool from_right = left >= middle;
        guard_charge(L, vm, 4);
        if (left < middle && right < end) {
            lua_rawgeti(L, state->from, left);
            lua_rawgeti(L, state->from, right);
            from_right = less(L, state, top + 2, top + 1);
            lua_settop(L, top);
        }
        lua_rawgeti(L, state->from, from_right ? right++ : left++);
        lua_rawseti(L, state->to, out);
    }
}

static void sort_any(lua_State *L, int elements, lua_Integer count, bool has_function) {
    lua_createtable(L, (int)count, 0);
    sorter state = {elements, lua_gettop(L), has_function};
    for (lua_Integer width = 1; width < count; width *= 2) {
        for (lua_Integer start = 1; start <= count; start += 2 * width) {
            lua_Integer middle = start + width <= count + 1 ? start + width : count + 1;
            lua_Integer end = start + 2 * width <= count + 1 ? start + 2 * width : count + 1;
            merge(L, &state, start, middle, end);
        }
        int swapped = state.from;
        state.from = state.to;
        state.to = swapped;
    }
    if (state.from != elements) {
        lua_pushvalue(L, state.from);
        lua_replace(L, elements);
    }
    lua_settop(L, elements);
}

/// All numbers, or all strings: no Lua value need be looked at twice. Leaves the sorted table in place of the elements.
static bool sort_plain(lua_State *L, int elements, uint32_t count) {
    lua_rawgeti(L, elements, 1);
    int type = lua_type(L, -1);
    lua_pop(L, 1);
    if (type != LUA_TNUMBER && type != LUA_TSTRING) return false;
    guard_vm *vm = guard_of(L);
    guard_sort_entry *entries = lua_newuserdatauv(L, count * sizeof *entries, 0);
    guard_sort_entry *scratch = lua_newuserdatauv(L, count * sizeof *entries, 0);
    for (uint32_t i = 0; i < count; i++) {
        if ((i & 255) == 0) guard_charge(L, vm, 64);
        if (lua_rawgeti(L, elements, (lua_Integer)i + 1) != type) return false;
        size_t length = 0;
        entries[i] = (guard_sort_entry){.place = i + 1, .class = type == LUA_TSTRING ? 2 : 1};
        if (type == LUA_TSTRING) {
            entries[i].bytes = lua_tolstring(L, -1, &length);
            entries[i].extra = length;
        } else if (lua_isinteger(L, -1)) {
            entries[i].integer = lua_tointeger(L, -1);
            entries[i].extra = 1;
        } else {
            entries[i].number = lua_tonumber(L, -1);
            if (entries[i].number != entries[i].number) return false;   // nan: as Lua compares
        }
        lua_pop(L, 1);
    }
    entries = guard_sort_entries(L, entries, scratch, count);
    lua_createtable(L, (int)count, 0);
    int sorted = lua_gettop(L);
    for (uint32_t i = 0; i < count; i++) {
        if ((i & 255) == 0) guard_charge(L, vm, 64);
        lua_rawgeti(L, elements, entries[i].place);
        lua_rawseti(L, sorted, (lua_Integer)i + 1);
    }
    lua_replace(L, elements);
    lua_settop(L, elements);
    return true;
}

int guard_sort(lua_State *L) {
    guard_vm *vm = guard_of(L);
    luaL_checktype(L, 1, LUA_TTABLE);
    bool has_function = !lua_isnoneornil(L, 2);
    if (has_function) luaL_checktype(L, 2, LUA_TFUNCTION);
    lua_settop(L, 2);
    lua_Integer count = luaL_len(L, 1);
    luaL_argcheck(L, count < INT32_MAX / 32, 1, "array too big");
    if (count < 2) return 0;
    lua_createtable(L, (int)(count < 4096 ? count : 4096), 0);     // grows as it is filled: a length may be a lie
    for (lua_Integer i = 1; i <= count; i++) {
        if ((i & 255) == 0) guard_charge(L, vm, 256);
        if (lua_geti(L, 1, i) == LUA_TNIL && !has_function) return luaL_error(L, "attempt to compare nil with a value");
        lua_rawseti(L, 3, i);
    }
    luaL_checkstack(L, 16, "sort");
    if (has_function || !sort_plain(L, 3, (uint32_t)count)) {
        lua_settop(L, 3);
        sort_any(L, 3, count, has_function);
    }
    for (lua_Integer i = 1; i <= count; i++) {
        if ((i & 255) == 0) guard_charge(L, vm, 256);
        lua_rawgeti(L, 3, i);
        lua_seti(L, 1, i);
    }
    return 0;
}
