// `next` in the one reproducible order of keys. A key alone does not say how far a traversal has come, so the orders of
// the last few traversals are kept until the call from the host ends; they are found again by their table.
//
// Without a key any key will do for a first one, as long as it is the same in every run. One that was first before is
// first again while it is there, so that asking whether a table is empty costs no order of all its keys each time. Keys
// that have come since are seen all the same: the traversal that goes on from such a key makes an order of its own.
#include "guard.h"
#include <stdint.h>

enum { NO_KEY = UINT32_MAX };

/// Pushes the keys and the order of the traversal of the table at 1; nothing, if there is none.
static guard_order *push_traversal(lua_State *L) {
    if (!guard_of(L)->traverses) return NULL;
    for (int i = 0; i < GUARD_TRAVERSALS; i++) {
        int place = GUARD_PLACE_TRAVERSALS + 3 * i;
        lua_rawgeti(L, LUA_REGISTRYINDEX, place);
        bool same = lua_rawequal(L, -1, 1);
        lua_pop(L, 1);
        if (!same) continue;
        lua_rawgeti(L, LUA_REGISTRYINDEX, place + 1);
        lua_rawgeti(L, LUA_REGISTRYINDEX, place + 2);
        return lua_touserdata(L, -1);
    }
    return NULL;
}

static void keep_at(lua_State *L, int place, int table, int keys, int order) {
    int indices[] = {table, keys, order};
    for (int i = 0; i < 3; i++) {
        if (indices[i]) lua_pushvalue(L, indices[i]);
        else lua_pushboolean(L, 0);
        lua_rawseti(L, LUA_REGISTRYINDEX, place + i);
    }
}

static void forget_traversal(lua_State *L) {
    for (int i = 0; i < GUARD_TRAVERSALS; i++) {
        int place = GUARD_PLACE_TRAVERSALS + 3 * i;
        lua_rawgeti(L, LUA_REGISTRYINDEX, place);
        bool same = lua_rawequal(L, -1, 1);
        lua_pop(L, 1);
        if (same) keep_at(L, place, 0, 0, 0);
    }
}

/// A free place, or that of the oldest.
static int place_of_new(lua_State *L) {
    for (int i = 0; i < GUARD_TRAVERSALS; i++) {
        int place = GUARD_PLACE_TRAVERSALS + 3 * i;
        bool taken = lua_rawgeti(L, LUA_REGISTRYINDEX, place) == LUA_TTABLE;
        lua_pop(L, 1);
        if (!taken) return place;
    }
    return GUARD_PLACE_TRAVERSALS + 3 * (int)(guard_of(L)->next_traversal++ % GUARD_TRAVERSALS);
}

/// Pushes keys and order of the table at 1 as it is now.
static guard_order *push_new_traversal(lua_State *L) {
    guard_vm *vm = guard_of(L);
    forget_traversal(L);
    guard_order *order = guard_push_order(L, 1);
    order->last = NO_KEY;
    int top = lua_gettop(L);
    if (!order->count) return order;
    keep_at(L, place_of_new(L), 1, top - 1, top);
    vm->traverses = true;
    return order;
}

void guard_forget_traversals(guard_vm *vm, lua_State *L) {
    vm->traverses = false;
    vm->next_traversal = 0;
    for (int i = 0; i < GUARD_TRAVERSALS; i++) keep_at(L, GUARD_PLACE_TRAVERSALS + 3 * i, 0, 0, 0);
}

static bool is_key(lua_State *L, const guard_order *order, int keys, uint32_t position) {
    guard_push_key(L, order, keys, position);
    bool same = lua_rawequal(L, -1, 2);
    lua_pop(L, 1);
    return same;
}

/// Where the key at 2 stands, or NO_KEY. Among keys that are equal in the order it is looked for one by one.
static uint32_t find(lua_State *L, const guard_order *order, int keys) {
    guard_sort_entry wanted = guard_entry_of(L, 2);
    uint32_t low = 0, high = order->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        guard_push_key(L, order, keys, middle);
        guard_sort_entry at = guard_entry_of(L, lua_gettop(L));
        lua_pop(L, 1);
        if (guard_entry_less(&at, &wanted)) low = middle + 1;
        else high = middle;
    }
    for (; low < order->count; low++) {
        if (is_key(L, order, keys, low)) return low;
        guard_push_key(L, order, keys, low);
        guard_sort_entry at = guard_entry_of(L, lua_gettop(L));
        lua_pop(L, 1);
        if (guard_entry_less(&wanted, &at)) break;
        guard_charge(L, guard_of(L), 1);
    }
    return NO_KEY;
}

/// From `position` on the first key that is still there, with its value; nil behind the last.
static int hand_out(lua_State *L, guard_order *order, int keys, uint32_t position) {
    for (; position < order->count; position++) {
        guard_charge(L, guard_of(L), 1);
        if (position + 1 == order->skipped) continue;
        guard_push_key(L, order, keys, position);
        lua_pushvalue(L, -1);
        if (lua_rawget(L, 1) != LUA_TNIL) {
            order->last = position;
            order->position = position + 1;
            return 2;
        }
        lua_pop(L, 2);
    }
    forget_traversal(L);
    lua_pushnil(L);
    return 1;
}

static int first(lua_State *L) {
    guard_order *order = push_traversal(L);
    if (order) {
        for (; order->first < order->count; order->first++) {
            guard_charge(L, guard_of(L), 1);
            guard_push_key(L, order, 3, order->first);
            lua_pushvalue(L, -1);
            if (lua_rawget(L, 1) != LUA_TNIL) {
                order->fresh = order->begun = false;
                return 2;
            }
            lua_pop(L, 2);
        }
        lua_settop(L, 2);
    }
    order = push_new_traversal(L);
    order->fresh = true;
    return hand_out(L, order, 3, 0);
}

/// The traversal that the key at 2 was handed out by, made to stand behind it; or a new one.
static int following(lua_State *L) {
    guard_order *order = push_traversal(L);
    if (order) {
        if (order->begun && order->last != NO_KEY && is_key(L, order, 3, order->last))
            return hand_out(L, order, 3, order->position);
        bool is_first = !order->begun && order->first < order->count && is_key(L, order, 3, order->first);
        uint32_t place = is_first ? order->first : find(L, order, 3);
        if (place != NO_KEY && (order->begun || (is_first && order->fresh))) {
            order->begun = true;
            return hand_out(L, order, 3, place + 1);
        }
        lua_settop(L, 2);
        order = push_new_traversal(L);
        order->begun = true;
        uint32_t now = find(L, order, 3);
        if (is_first && now != NO_KEY) order->skipped = now + 1;      // it came before all that are there now
        if (is_first) return hand_out(L, order, 3, 0);
        if (now != NO_KEY) return hand_out(L, order, 3, now + 1);
        if (place == NO_KEY) return luaL_error(L, "invalid key to 'next'");
        guard_sort_entry wanted = guard_entry_of(L, 2);
        for (now = 0; now < order->count; now++) {
            guard_push_key(L, order, 3, now);
            guard_sort_entry at = guard_entry_of(L, lua_gettop(L));
            lua_pop(L, 1);
            if (guard_entry_less(&wanted, &at)) break;
            guard_charge(L, guard_of(L), 2);
        }
        return hand_out(L, order, 3, now);
    }
    order = push_new_traversal(L);
    order->begun = true;
    uint32_t place = find(L, order, 3);
    if (place == NO_KEY) return luaL_error(L, "invalid key to 'next'");
    return hand_out(L, order, 3, place + 1);
}

// ---- sequences ----------------------------------------------------------------------------------------------------------

/// Indices need no order, and a traversal by them is not kept but for the last one handed out: it may be removed before
/// the next is asked for.
static int hand_out_index(lua_State *L, lua_Integer index) {
    guard_vm *vm = guard_of(L);
    const void *table = lua_topointer(L, 1);
    uintptr_t place = ((uintptr_t)table >> 5) % GUARD_REMEMBERED_INDICES;
    vm->indices[place].table = table;
    vm->indices[place].index = index;
    lua_pushinteger(L, index);
    lua_insert(L, -2);
    return 2;
}

static bool was_handed_out(lua_State *L, lua_Integer index) {
    guard_vm *vm = guard_of(L);
    const void *table = lua_topointer(L, 1);
    uintptr_t place = ((uintptr_t)table >> 5) % GUARD_REMEMBERED_INDICES;
    return vm->indices[place].table == table && vm->indices[place].index == index;
}

/// Behind an index that is no longer there: the order of what is left, from the first key that is not a lower index.
static int after_index(lua_State *L, lua_Integer index) {
    guard_order *order = push_new_traversal(L);
    order->begun = true;
    uint32_t low = 0, high = order->count;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        guard_push_key(L, order, 3, middle);
        bool before = lua_isinteger(L, -1) && lua_tointeger(L, -1) >= 1 && lua_tointeger(L, -1) <= index;
        lua_pop(L, 1);
        if (before) low = middle + 1;
        else high = middle;
    }
    return hand_out(L, order, 3, low);
}

int guard_next(lua_State *L) {
    lua_settop(L, 2);
    if (guard_is_record(L, 1)) {
        if (guard_next_of_record(L, 1)) return 2;
        lua_pushnil(L);
        return 1;
    }
    luaL_checktype(L, 1, LUA_TTABLE);
    if (guard_push_shadow(L, 1)) lua_replace(L, 1);
    if (lua_isnil(L, 2)) {
        if (lua_rawgeti(L, 1, 1) != LUA_TNIL) return hand_out_index(L, 1);
        lua_settop(L, 2);
        return first(L);
    }
    lua_Integer index = lua_isinteger(L, 2) ? lua_tointeger(L, 2) : 0;
    if (index < 1) return following(L);
    bool handed_out = was_handed_out(L, index) || index <= (lua_Integer)lua_rawlen(L, 1);
    if (handed_out && index < LUA_MAXINTEGER && lua_rawgeti(L, 1, index + 1) != LUA_TNIL) return hand_out_index(L, index + 1);
    lua_settop(L, 2);
    if (!handed_out || lua_rawgeti(L, 1, index) != LUA_TNIL) {
        lua_settop(L, 2);
        return following(L);
    }
    lua_settop(L, 2);
    return after_index(L, index);
}
