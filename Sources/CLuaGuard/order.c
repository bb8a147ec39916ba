// One reproducible order of the keys of a table: 1, 2, 3 ...; other numbers ascending; strings by bytes; false, true;
// host values; then tables, functions and coroutines in the order in which they were made. Lua's own order depends on
// addresses and on a random seed.
#include "guard.h"
#include <math.h>
#include <string.h>

enum { CLASS_INDEX, CLASS_NUMBER, CLASS_STRING, CLASS_BOOLEAN, CLASS_VALUE, CLASS_OBJECT, CLASS_HIDDEN };

/// Exactly, as Lua compares: above 2^53 not every integer is a float.
static bool number_less(const guard_sort_entry *left, const guard_sort_entry *right) {
    static const double beyond = 9223372036854775808.0;
    if (left->extra && right->extra) return left->integer < right->integer;
    if (!left->extra && !right->extra) return left->number < right->number;
    double number = left->extra ? right->number : left->number;
    if (number >= beyond) return left->extra;
    if (number < -beyond) return !left->extra;
    return left->extra ? left->integer < (int64_t)ceil(number) : (int64_t)floor(number) < right->integer;
}
static bool string_less(const guard_sort_entry *left, const guard_sort_entry *right) {
    size_t shared = left->extra < right->extra ? left->extra : right->extra;
    int difference = memcmp(left->bytes, right->bytes, shared);
    return difference ? difference < 0 : left->extra < right->extra;
}

bool guard_entry_less(const guard_sort_entry *left, const guard_sort_entry *right) {
    if (left->class != right->class) return left->class < right->class;
    switch (left->class) {
    case CLASS_NUMBER: return number_less(left, right);
    case CLASS_STRING: return string_less(left, right);
    case CLASS_VALUE:
        if (left->extra != right->extra) return left->extra < right->extra;
        return left->integer != right->integer ? left->integer < right->integer : left->serial < right->serial;
    default: return left->integer < right->integer;
    }
}

guard_sort_entry guard_entry_of(lua_State *L, int index) {
    guard_sort_entry entry = {.class = CLASS_HIDDEN};
    switch (lua_type(L, index)) {
    case LUA_TNUMBER:
        entry.class = CLASS_NUMBER;
        if (lua_isinteger(L, index)) {
            entry.integer = lua_tointeger(L, index);
            if (entry.integer >= 1) entry.class = CLASS_INDEX;
            else entry.extra = 1;
        } else {
            entry.number = lua_tonumber(L, index);
        }
        break;
    case LUA_TSTRING: {
        size_t count;
        entry.class = CLASS_STRING;
        entry.bytes = lua_tolstring(L, index, &count);
        entry.extra = count;
        break;
    }
    case LUA_TBOOLEAN:
        entry.class = CLASS_BOOLEAN;
        entry.integer = lua_toboolean(L, index);
        break;
    case LUA_TUSERDATA: {
        guard_small *small = guard_test_value(L, index);
        entry.class = CLASS_VALUE;
        entry.extra = small ? ((uint64_t)small->type << 56) ^ (uint64_t)small->b : 0;
        entry.integer = small ? small->a : 0;
        entry.serial = small ? small->serial : guard_serial_of_record(L, index);
        break;
    }
    case LUA_TTABLE:
    case LUA_TFUNCTION:
        entry.class = CLASS_OBJECT;
        if (lua_iscfunction(L, index) && !lua_getupvalue(L, index, 1)) {
            lua_rawgeti(L, LUA_REGISTRYINDEX, GUARD_PLACE_FUNCTIONS);      // it has no block of its own
            lua_pushvalue(L, index);
            entry.integer = lua_type(L, -2) == LUA_TTABLE && lua_rawget(L, -2) == LUA_TNUMBER ? lua_tointeger(L, -1) : -1;
            lua_pop(L, 2);
        } else {
            if (lua_type(L, index) == LUA_TFUNCTION && lua_iscfunction(L, index)) lua_pop(L, 1);
            entry.integer = (int64_t)guard_serial_of(lua_topointer(L, index));
        }
        break;
    case LUA_TTHREAD:
        entry.class = CLASS_OBJECT;
        entry.integer = (int64_t)guard_serial_of((const char *)lua_topointer(L, index) - LUA_EXTRASPACE);
        break;
    default: break;
    }
    return entry;
}

guard_sort_entry *guard_sort_entries(lua_State *L, guard_sort_entry *entries, guard_sort_entry *scratch, uint32_t count) {
    guard_vm *vm = guard_of(L);
    for (uint32_t width = 1; width < count; width *= 2) {
        for (uint32_t start = 0; start < count; start += 2 * width) {
            uint32_t middle = count - start < width ? count : start + width;
            uint32_t end = count - start < 2 * width ? count : start + 2 * width;
            uint32_t left = start, right = middle;
            for (uint32_t out = start; out < end; out++) {
                bool from_right = right < end && (left >= middle || guard_entry_less(&entries[right], &entries[left]));
                scratch[out] = from_right ? entries[right++] : entries[left++];
                if ((out & 1023) == 0) guard_charge(L, vm, 256);
            }
        }
        guard_sort_entry *swapped = entries;
        entries = scratch;
        scratch = swapped;
        if (width > UINT32_MAX / 4) break;
    }
    return entries;
}

/// Counts the keys; sets sequence when they are exactly 1...count.
static uint32_t count_keys(lua_State *L, int table, bool *sequence) {
    guard_vm *vm = guard_of(L);
    uint64_t count = 0;
    lua_Integer largest = 0;
    bool indices = true;
    lua_pushnil(L);
    while (lua_next(L, table)) {
        lua_pop(L, 1);
        if (lua_type(L, -1) == LUA_TLIGHTUSERDATA) continue;
        if ((++count & 1023) == 0) guard_charge(L, vm, 256);
        lua_Integer key = lua_isinteger(L, -1) ? lua_tointeger(L, -1) : 0;
        if (key < 1) indices = false;
        else if (key > largest) largest = key;
    }
    if (count > UINT32_MAX / 64) luaL_error(L, "a table is too large to be traversed");
    *sequence = indices && largest == (lua_Integer)count;
    return (uint32_t)count;
}

guard_order *guard_push_order(lua_State *L, int table) {
    luaL_checkstack(L, 8, "keys");
    bool sequence;
    uint32_t count = count_keys(L, table, &sequence);
    if (sequence) {
        lua_pushnil(L);
        guard_order *order = lua_newuserdatauv(L, sizeof *order, 0);
        *order = (guard_order){.count = count, .sequence = true};
        return order;
    }
    int top = lua_gettop(L);
    lua_createtable(L, (int)count, 0);
    guard_order *order = lua_newuserdatauv(L, sizeof *order + count * sizeof(uint32_t), 0);
    guard_sort_entry *entries = lua_newuserdatauv(L, count * sizeof *entries, 0);
    guard_sort_entry *scratch = lua_newuserdatauv(L, count * sizeof *entries, 0);
    uint32_t found = 0;
    lua_pushnil(L);
    while (lua_next(L, table) && found < count) {
        lua_pop(L, 1);
        if (lua_type(L, -1) == LUA_TLIGHTUSERDATA) continue;
        entries[found] = guard_entry_of(L, lua_gettop(L));
        entries[found].place = found + 1;
        lua_pushvalue(L, -1);
        lua_rawseti(L, top + 1, ++found);
    }
    entries = guard_sort_entries(L, entries, scratch, found);
    *order = (guard_order){.count = found};
    for (uint32_t i = 0; i < found; i++) order->places[i] = entries[i].place;
    lua_settop(L, top + 2);
    return order;
}

void guard_push_key(lua_State *L, const guard_order *order, int keys, uint32_t position) {
    if (order->sequence) lua_pushinteger(L, (lua_Integer)position + 1);
    else lua_rawgeti(L, keys, order->places[position]);
}

// ---- pairs ------------------------------------------------------------------------------------------------------------

/// Upvalues: the real table, the keys, the order. Keys removed meanwhile are skipped, new ones are not seen.
static int pairs_step(lua_State *L) {
    guard_order *order = lua_touserdata(L, lua_upvalueindex(3));
    lua_settop(L, 0);
    while (order->position < order->count) {
        guard_push_key(L, order, lua_upvalueindex(2), order->position++);
        lua_pushvalue(L, -1);
        if (lua_rawget(L, lua_upvalueindex(1)) != LUA_TNIL) return 2;
        lua_settop(L, 0);
        guard_charge(L, guard_of(L), 1);
    }
    lua_pushnil(L);
    return 1;
}

static int sequence_step(lua_State *L) {
    lua_Integer count = lua_tointeger(L, lua_upvalueindex(2)), key = lua_tointeger(L, 2);
    lua_settop(L, 0);
    while (key >= 0 && key < count) {
        lua_pushinteger(L, ++key);
        if (lua_rawgeti(L, lua_upvalueindex(1), key) != LUA_TNIL) return 2;
        lua_settop(L, 0);
        guard_charge(L, guard_of(L), 1);
    }
    lua_pushnil(L);
    return 1;
}

/// A `__pairs` may yield, as in stock Lua.
static int pairs_answered(lua_State *L, int status, lua_KContext context) {
    (void)L, (void)status, (void)context;
    return 3;
}

int guard_pairs(lua_State *L) {
    luaL_checkany(L, 1);
    lua_settop(L, 1);
    if (guard_push_shadow(L, 1)) {
        // reads through
    } else if (luaL_getmetafield(L, 1, "__pairs") != LUA_TNIL) {
        lua_pushvalue(L, 1);
        lua_callk(L, 1, 3, 0, pairs_answered);
        return 3;
    } else {
        luaL_checktype(L, 1, LUA_TTABLE);
        lua_pushvalue(L, 1);
    }
    guard_order *order = guard_push_order(L, 2);
    if (order->sequence) {
        lua_settop(L, 2);
        lua_pushinteger(L, order->count);
        lua_pushcclosure(L, sequence_step, 2);
    } else {
        lua_pushcclosure(L, pairs_step, 3);
    }
    lua_pushvalue(L, 1);
    lua_pushnil(L);
    return 3;
}
